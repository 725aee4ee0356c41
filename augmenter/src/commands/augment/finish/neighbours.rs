//! The tests of the project that run in one JVM with new ones in a build, and which of them may share static state with a test.
//!
//! Knows nothing of how tests are run. Invariant: a test class is listed for another test when facts show that both run code of a class of the program with
//! static state that can change. Static state of libraries, and code that reads and writes no field, is not seen.

use crate::commands::augment::facts::seed_classes::SeedClasses;
use dynaflow_classfile::ClassFile;
use dynaflow_classfile::class::access;
use dynaflow_flowgraph::dua::ClassSource;
use dynaflow_model::descriptor;
use dynaflow_model::facts::{DefinitionId, FactTable, PlaceId, Recording, Sym, TestRecord, UseId};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Packages and classes of the JDK whose objects do not change, or not in a way that another test sees.
const CONSTANT: [&str; 6] = [
    "java.util.regex.",
    "java.util.function.",
    "java.util.logging.",
    "java.util.Locale",
    "java.util.UUID",
    "java.util.Currency",
];
/// What changes of the JDK and is no collection.
const CHANGING: [&str; 3] = ["java.lang.ThreadLocal", "java.lang.StringBuilder", "java.lang.StringBuffer"];

/// The test classes of the project.
#[derive(Debug, Default)]
pub struct Neighbours {
    /// What they need besides the class path.
    pub class_path: Vec<PathBuf>,
    /// By test class, the classes with static state that its tests run.
    touched: BTreeMap<String, BTreeSet<String>>,
    /// The classes of the program with static state that can change.
    shared: BTreeSet<String>,
}

impl Neighbours {
    /// The seeds, of which these are the records; `program` are the classes whose static state counts.
    pub fn new<'r>(
        seeds: &SeedClasses,
        (facts, records): (&FactTable, impl Iterator<Item = &'r TestRecord>),
        program: &BTreeSet<String>,
        library: &dyn ClassSource,
    ) -> Self {
        let is_shared = |class: &&String| {
            let bytes = library.class(class.replace('.', "/").as_bytes());
            bytes.is_some_and(|bytes| has_state(&bytes, program))
        };
        let shared = program.iter().filter(is_shared).cloned().collect();
        let mut all = Self { class_path: seeds.class_path.clone(), touched: BTreeMap::new(), shared };
        let mut by_class: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for record in records {
            let class = record.name.split('#').next().unwrap_or_default();
            // A nested class runs with the class around it.
            let outer = class.split('$').next().unwrap_or_default();
            let of_record = all.touched_by(facts, record);
            for name in BTreeSet::from([class, outer]) {
                by_class.entry(name).or_default().extend(of_record.iter().cloned());
            }
        }
        let of = |class: &String| (class.clone(), by_class.remove(class.as_str()).unwrap_or_default());
        all.touched = seeds.names.iter().map(of).collect();
        all
    }

    /// The classes with static state that can change which tests of this recording run.
    pub fn touched(&self, recording: &Recording) -> BTreeSet<String> {
        recording.tests.iter().flat_map(|record| self.touched_by(&recording.facts, record)).collect()
    }

    /// The test classes that run one of these classes with static state, but for those with these names; in the order of their names.
    pub fn of(&self, touched: &BTreeSet<&str>, without: &BTreeSet<&str>) -> Vec<String> {
        let shares = |(class, of): &(&String, &BTreeSet<String>)| {
            !without.contains(class.as_str()) && of.iter().any(|class| touched.contains(class.as_str()))
        };
        self.touched.iter().filter(shares).map(|(class, _)| class.clone()).collect()
    }

    /// Which of the classes with static state a test runs, as far as it reads or writes something there.
    fn touched_by(&self, facts: &FactTable, record: &TestRecord) -> BTreeSet<String> {
        let classes: BTreeSet<Sym> = places(facts, record)
            .filter_map(|place| Some(facts.methods.get(facts.places.get(place)?.method)?.class))
            .collect();
        let names = classes.into_iter().map(|class| facts.text(class));
        names.filter(|name| self.shared.contains(*name)).map(str::to_owned).collect()
    }
}

/// Where a test defines and uses state.
fn places<'f>(facts: &'f FactTable, record: &'f TestRecord) -> impl Iterator<Item = PlaceId> + 'f {
    let of_definition = |id: DefinitionId| facts.definitions.get(id).map(|definition| definition.place);
    let of_use = |id: UseId| facts.uses.get(id).map(|usage| usage.place);
    let pairs = record.pairs.iter().filter_map(|id| facts.pairs.get(*id));
    let both = pairs.flat_map(move |pair| [of_definition(pair.definition), of_use(pair.usage)]);
    let exits = record.exits.iter().filter_map(|id| facts.exits.get(*id));
    let entries = record.entries.iter().filter_map(|id| facts.entries.get(*id));
    let exits = exits.map(move |exit| of_definition(exit.definition));
    both.chain(exits).chain(entries.map(move |entry| of_use(entry.usage))).flatten()
}

/// Whether a class has a static field that can change, or whose object can.
fn has_state(bytes: &[u8], program: &BTreeSet<String>) -> bool {
    let Ok(class) = ClassFile::parse(bytes) else { return false };
    class.fields.iter().any(|field| {
        let is_static = field.access & access::STATIC != 0 && field.access & access::SYNTHETIC == 0;
        let is_final = field.access & access::FINAL != 0;
        let of = class.pool.utf8(field.descriptor).ok().map(|text| text.to_str().into_owned());
        is_static && (!is_final || of.is_some_and(|of| can_change(&of, program)))
    })
}

/// Whether an object of this type can change.
fn can_change(of: &str, program: &BTreeSet<String>) -> bool {
    if of.starts_with('[') {
        return true;
    }
    let Some(class) = descriptor::class_of(of) else { return false };
    let is_constant = CONSTANT.iter().any(|start| class.starts_with(start));
    let is_of_jdk = class.starts_with("java.util.") && !is_constant || CHANGING.contains(&class.as_str());
    is_of_jdk || program.contains(&class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collections_arrays_and_objects_of_the_program_can_change_and_constants_cannot() {
        let program = BTreeSet::from(["a.Registry".to_owned()]);
        let changes = |of: &str| can_change(of, &program);
        for of in [
            "Ljava/util/Map;",
            "Ljava/util/concurrent/atomic/AtomicInteger;",
            "[I",
            "La/Registry;",
            "Ljava/lang/ThreadLocal;",
        ] {
            assert!(changes(of), "{of}");
        }
        for of in [
            "I",
            "Ljava/lang/String;",
            "Ljava/util/Locale;",
            "Ljava/util/regex/Pattern;",
            "Lorg/slf4j/Logger;",
        ] {
            assert!(!changes(of), "{of}");
        }
    }
}
