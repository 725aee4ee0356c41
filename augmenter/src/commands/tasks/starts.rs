//! Which tests show one half of a pair: those to start from. Knows nothing of tasks.
//!
//! Invariant: of a test that is named it was recorded that it leaves the definition, or begins with the use; contexts may be others.

use super::group::Site;
use dynaflow_model::facts::{FactTable, PlaceId, Recording, VariableId};
use dynaflow_objectives::PairsDocument;
use std::collections::{BTreeMap, BTreeSet};

/// A half of a pair: root, steps, class, method, line, offset.
type Key = (String, Vec<String>, String, String, u32, u32);

/// Tests by what they show.
#[derive(Debug, Default)]
pub struct Starts {
    leave: Tests,
    begin: Tests,
    /// How much each test shows.
    sizes: BTreeMap<String, usize>,
}

type Tests = BTreeMap<Key, BTreeSet<String>>;

impl Starts {
    /// Of a recording: the tests in which the definition reached the end of an invocation, and those in which the use came from before one. Linear in the
    /// facts of all tests.
    pub fn of_recording(recording: &Recording) -> Self {
        let facts = &recording.facts;
        let mut starts = Self::default();
        for test in recording.tests.iter().filter(|test| !test.name.is_empty()) {
            let size = test.pairs.len() + test.exits.len() + test.entries.len();
            *starts.sizes.entry(test.name.clone()).or_default() += size;
            for exit in test.exits.iter().filter_map(|id| facts.exits.get(*id)) {
                let place = facts.definitions.get(exit.definition).map(|definition| definition.place);
                add(&mut starts.leave, recorded(facts, exit.variable, place), &test.name);
            }
            for entry in test.entries.iter().filter_map(|id| facts.entries.get(*id)) {
                let place = facts.uses.get(entry.usage).map(|usage| usage.place);
                add(&mut starts.begin, recorded(facts, entry.variable, place), &test.name);
            }
        }
        starts
    }

    /// Of a document, which does not say which test shows which half: the tests of covered pairs that have it.
    pub fn of_document(document: &PairsDocument) -> Self {
        let mut starts = Self::default();
        for pair in &document.pairs {
            let steps: Vec<String> = pair.steps.iter().map(|step| step.field.clone()).collect();
            let (definition, usage) = (&pair.definition, &pair.usage);
            let of_definition =
                Site::new(&definition.class, &definition.method, definition.line, definition.offset);
            let of_use = Site::new(&usage.class, &usage.method, usage.line, usage.offset);
            for test in &pair.tests {
                *starts.sizes.entry(test.clone()).or_default() += 1;
                add(&mut starts.leave, Some(key(&pair.root, steps.clone(), of_definition)), test);
                add(&mut starts.begin, Some(key(&pair.root, steps.clone(), of_use)), test);
            }
        }
        starts
    }

    /// The tests that leave a definition, those that show least first: they are the easiest to build on.
    pub fn leaving(&self, root: &str, steps: &[String], site: Site<'_>) -> Vec<&str> {
        self.found(&self.leave, &key(root, steps.to_vec(), site))
    }

    /// The tests that begin with a use, in the same order.
    pub fn beginning(&self, root: &str, steps: &[String], site: Site<'_>) -> Vec<&str> {
        self.found(&self.begin, &key(root, steps.to_vec(), site))
    }

    fn found<'a>(&self, tests: &'a Tests, key: &Key) -> Vec<&'a str> {
        let mut found: Vec<&str> = tests.get(key).into_iter().flatten().map(String::as_str).collect();
        found.sort_by_key(|test| (self.sizes.get(*test), *test));
        found
    }
}

fn add(map: &mut Tests, key: Option<Key>, test: &str) {
    if let Some(key) = key {
        let tests = map.entry(key).or_default();
        if !tests.contains(test) {
            tests.insert(test.to_owned());
        }
    }
}

fn key(root: &str, steps: Vec<String>, site: Site<'_>) -> Key {
    (root.to_owned(), steps, site.class.to_owned(), site.method.to_owned(), site.line, site.offset)
}

fn recorded(facts: &FactTable, variable: VariableId, place: Option<PlaceId>) -> Option<Key> {
    let (variable, place) = (facts.variables.get(variable)?, facts.places.get(place?)?);
    let method = facts.methods.get(place.method)?;
    let site = Site::new(facts.text(method.class), facts.text(method.signature), place.line, place.offset);
    let steps = variable.steps.iter().map(|step| facts.step(step).to_string()).collect();
    Some(key(facts.text(variable.root), steps, site))
}
