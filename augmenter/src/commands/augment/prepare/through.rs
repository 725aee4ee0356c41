//! Through objects of which subclasses the code of a target is reached: of one whose own objects the seeds do not use those of subclasses that they use; of an
//! abstract class else the nearest that can be made.
//!
//! Knows nothing of JVMs. Invariant: a test can name each of the subclasses; the answer depends on class files and recorded facts alone.

use super::setup::Setup;
use crate::classes::Classes;
use crate::commands::augment::class_files::makers::Makers;
use crate::commands::augment::class_files::open::is_open;
use crate::commands::augment::facts::reasons;
use anyhow::Result;
use dynaflow_classfile::ClassFile;
use dynaflow_classfile::class::access;
use dynaflow_model::facts::FactTable;
use dynaflow_model::pattern::Pattern;
use dynaflow_search::package_of;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Most subclasses that stand for one class.
const MOST: usize = 4;

/// The subclasses that stand for targets.
#[derive(Debug, Default)]
pub struct Through {
    of: BTreeMap<String, Subclasses>,
}

/// The subclasses that stand for one class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Subclasses {
    names: Vec<String>,
    /// Whether nothing else can.
    is_abstract: bool,
    /// How many more could.
    others: usize,
    /// Those of `names` that are no targets themselves: what is found of their objects counts for the class.
    own: Vec<String>,
}

impl Through {
    /// Finds them for the targets. Takes time with the bytes of the program's classes where a target is abstract and the seeds use no object of it.
    ///
    /// # Errors
    /// Names the class that cannot be read.
    pub fn find(setup: &Setup, facts: &FactTable) -> Result<Self> {
        let mut through = Self::default();
        let classes = Classes::list(&setup.full_class_path)?;
        let can_make = |class: &str, package: &str| {
            let bytes = classes.class(class.replace('.', "/").as_bytes());
            bytes.is_some_and(|bytes| is_open(class, &bytes, package))
        };
        let mut unused = abstract_of(setup)?;
        let is_abstract = unused.clone();
        let made = made(facts);
        let inheriting = reasons::subclasses(facts);
        for class in setup.whole.iter().filter(|class| !made.contains(class.as_str())) {
            let Some(below) = inheriting.get(class.as_str()) else { continue };
            let mut used = most_used(below);
            used.retain(|name| can_make(name, package_of(class)));
            through.add(class, (&used, &setup.whole), is_abstract.contains(class));
        }
        unused.retain(|class| !through.of.contains_key(class));
        if !unused.is_empty() {
            let makers = Makers::read(&classes, &setup.classes)?;
            for class in &unused {
                let mut below = makers.made_below(class);
                below.retain(|name| can_make(name, package_of(class)));
                through.add(class, (&below, &setup.whole), true);
            }
        }
        Ok(through)
    }

    fn add(&mut self, class: &str, (subclasses, targets): (&[String], &[String]), is_abstract: bool) {
        let names: Vec<String> = subclasses.iter().take(MOST).cloned().collect();
        if !names.is_empty() {
            let own = names.iter().filter(|name| !targets.contains(name)).cloned().collect();
            let others = subclasses.len() - names.len();
            self.of.insert(class.to_owned(), Subclasses { names, is_abstract, others, own });
        }
    }

    /// The classes whose objects run the code of a class: itself, and the subclasses that stand for it.
    pub fn objects_of(&self, class: &str) -> Vec<String> {
        let below = self.of.get(class).map_or(&[][..], |found| &found.names);
        std::iter::once(class).chain(below.iter().map(String::as_str)).map(str::to_owned).collect()
    }

    /// The root classes whose pairs count for a class: itself, and the subclasses that stand for it and are no targets.
    pub fn roots_of(&self, class: &str) -> Vec<String> {
        let own = self.of.get(class).map_or(&[][..], |found| &found.own);
        std::iter::once(class).chain(own.iter().map(String::as_str)).map(str::to_owned).collect()
    }

    /// Patterns for [`Through::roots_of`].
    pub fn patterns_of(&self, class: &str) -> Vec<Pattern> {
        self.roots_of(class).iter().filter_map(|root| Pattern::new(root).ok()).collect()
    }

    /// A line for each class that is attacked so.
    pub fn lines(&self) -> Vec<String> {
        let line = |(class, found): (&String, &Subclasses)| {
            let others = match found.others {
                0 => String::new(),
                others => format!(", {} of {}", found.names.len(), found.names.len() + others),
            };
            let objects = format!("objects of {}{others}", found.names.join(", "));
            if found.is_abstract {
                format!("{class} is abstract: its code is tested with {objects}")
            } else {
                format!(
                    "{class}: the seeds use objects of its subclasses alone: its code is tested with {objects}, too"
                )
            }
        };
        self.of.iter().map(line).collect()
    }
}

/// The classes of which objects were made: a class that is a root may be one for its static state alone.
fn made(facts: &FactTable) -> BTreeSet<&str> {
    let is_constructor =
        |id| facts.methods.get(id).is_some_and(|method| facts.text(method.signature).starts_with("<init>"));
    let exits = facts.exits.iter().filter(|(_, exit)| is_constructor(exit.method));
    exits.filter_map(|(_, exit)| Some(facts.text(facts.variables.get(exit.variable)?.root))).collect()
}

/// The targets that are abstract classes.
fn abstract_of(setup: &Setup) -> Result<BTreeSet<String>> {
    let targets: BTreeSet<&str> = setup.whole.iter().map(String::as_str).collect();
    let mut classes = Classes::list(&setup.full_class_path)?;
    classes.retain(|name| targets.contains(name));
    let is_abstract = |bytes: &[u8]| {
        let flags = ClassFile::parse(bytes).map_or(0, |class| class.access);
        flags & access::ABSTRACT != 0 && flags & access::INTERFACE == 0
    };
    let found = classes.each(|name, bytes| is_abstract(bytes).then(|| name.to_owned()))?;
    Ok(found.into_iter().flatten().collect())
}

/// Classes, the most used first.
fn most_used(used: &BTreeMap<&str, usize>) -> Vec<String> {
    let mut found: Vec<(&str, usize)> = used.iter().map(|(&name, &times)| (name, times)).collect();
    found.sort_by_key(|&(name, times)| (Reverse(times), name));
    found.into_iter().map(|(name, _)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_is_a_target_itself_counts_for_itself() {
        let mut through = Through::default();
        through.add("a.Base", (&names(&["a.One", "a.Two"]), &names(&["a.Base", "a.One"])), true);
        assert_eq!(through.objects_of("a.Base"), ["a.Base", "a.One", "a.Two"]);
        assert_eq!(through.roots_of("a.Base"), ["a.Base", "a.Two"]);
        assert_eq!(through.roots_of("a.One"), ["a.One"]);
    }

    #[test]
    fn how_many_are_left_out_is_said() {
        let mut through = Through::default();
        through.add("a.Base", (&names(&["a.A", "a.B", "a.C", "a.D", "a.E", "a.F"]), &[]), true);
        through.add("a.None", (&[], &[]), true);
        through.add("a.Open", (&names(&["a.G"]), &[]), false);
        assert_eq!(
            through.lines(),
            [
                "a.Base is abstract: its code is tested with objects of a.A, a.B, a.C, a.D, 4 of 6",
                "a.Open: the seeds use objects of its subclasses alone: its code is tested with objects of a.G, too",
            ]
        );
    }

    #[test]
    fn the_most_used_come_first() {
        assert_eq!(most_used(&BTreeMap::from([("a.A", 1), ("a.B", 3), ("a.C", 1)])), ["a.B", "a.A", "a.C"]);
    }
}
