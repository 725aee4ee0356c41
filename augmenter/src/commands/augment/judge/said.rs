//! What a test says as it is to be written: where its assertions look, and whether a reader learns anything from them.
//!
//! Knows nothing of mutants or pairs. Invariant: what is left out of a test it does not say any more, and everything else it does.

use crate::commands::augment::mutants::What;
use dynaflow_model::descriptor;
use dynaflow_model::outcome::Observed;
use dynaflow_model::sequence::{Arg, Operation};
use dynaflow_testgen::TestCase;
use std::borrow::Cow;

/// Where the assertions of a test look.
pub fn asserted(case: &TestCase) -> Vec<What> {
    let results = (0..).zip(&case.outcome.statements).filter(|(_, shows)| **shows != Observed::Void);
    let looks = case.outcome.observations.iter().map(|seen| What::Look(seen.path.clone()));
    results.map(|(index, _)| What::Result(index)).chain(looks).collect()
}

/// What an assertion on an object says, whatever the object is called.
pub fn line(case: &TestCase, what: &What) -> Option<String> {
    let What::Look(path) = what else { return None };
    let class = class_of(case, path.variable)?;
    let seen = case.outcome.observations.iter().find(|seen| seen.path == *path)?;
    Some(format!("{class} {:?} {:?}", path.looks, seen.result))
}

/// Whether a test has another object of the class of the one that an assertion looks at: its copy, which may share something with it.
pub fn has_sibling(case: &TestCase, what: &What) -> bool {
    let What::Look(path) = what else { return false };
    let class = class_of(case, path.variable);
    let mut all = (0..).zip(&case.sequence.statements);
    all.any(|(index, _)| index != path.variable && class_of(case, index) == class)
}

/// The class of the object that a statement gave, as far as it is known.
fn class_of(case: &TestCase, variable: u32) -> Option<Cow<'_, str>> {
    let statement = case.sequence.statements.get(variable as usize)?;
    let declared = || descriptor::class_of(&statement.result).map(Cow::Owned);
    statement.runtime_class.as_deref().map(Cow::Borrowed).or_else(declared)
}

/// Takes an assertion out of a test.
pub fn leave_out(case: &mut TestCase, what: &What) {
    match what {
        What::Look(path) => case.outcome.observations.retain(|seen| seen.path != *path),
        What::Result(index) => {
            let shows = case.outcome.statements.get_mut(*index as usize);
            shows.into_iter().for_each(|shows| *shows = Observed::Void);
        }
    }
}

/// Whether a test does not say anything any more of the object that this was seen on.
pub fn is_left_unseen(case: &TestCase, about: &What) -> bool {
    match about {
        What::Look(path) => asserted(case).iter().all(|what| !objects(case, what).contains(&path.variable)),
        What::Result(_) => false,
    }
}

/// The objects that an assertion says something of: the one that it looks at, and the one whose method gave what is compared as a whole.
fn objects(case: &TestCase, what: &What) -> Vec<u32> {
    let (variable, is_whole) = match what {
        What::Look(path) => (path.variable, path.looks.is_empty()),
        What::Result(index) => (*index, true),
    };
    let receiver = receiver(case, variable).filter(|_| is_whole && !is_fluent(case, variable));
    receiver.into_iter().chain([variable]).collect()
}

/// The object that a statement calls a method of.
fn receiver(case: &TestCase, statement: u32) -> Option<u32> {
    match &case.sequence.statements.get(statement as usize)?.operation {
        Operation::Call { receiver: Some(Arg::Var(on)), .. } => Some(*on),
        _ => None,
    }
}

/// Whether what a statement is seen to give is the object that it calls a method of.
fn is_fluent(case: &TestCase, statement: u32) -> bool {
    let first = |variable: u32| *case.outcome.same.get(&variable).unwrap_or(&variable);
    match (receiver(case, statement), case.outcome.statements.get(statement as usize)) {
        (Some(on), Some(Observed::Same(given))) => first(on) == *given,
        _ => false,
    }
}

/// Whether a reader learns from a test what came of what it does.
pub fn says_something(case: &TestCase) -> bool {
    let says = |shows: &Observed| !matches!(shows, Observed::Void | Observed::Object(_));
    let mut results = (0..).zip(&case.outcome.statements);
    case.outcome.thrown.is_some()
        || case.outcome.observations.iter().any(|seen| says(&seen.result))
        || results.any(|(statement, shows)| says(shows) && !is_fluent(case, statement))
}
