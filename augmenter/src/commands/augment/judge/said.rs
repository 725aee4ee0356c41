//! What a test says as it is to be written: where its assertions look, and whether a reader learns anything from them.
//!
//! Knows nothing of mutants or pairs. Invariant: what is left out of a test it does not say any more, and everything else it does.

use crate::commands::augment::mutants::What;
use dynaflow_model::outcome::Observed;
use dynaflow_model::sequence::{Arg, Operation, Statement};
use dynaflow_testgen::TestCase;

/// Where the assertions of a test look.
pub fn asserted(case: &TestCase) -> Vec<What> {
    let results = (0..).zip(&case.outcome.statements).filter(|(_, shows)| **shows != Observed::Void);
    let looks = case.outcome.observations.iter().map(|seen| What::Look(seen.path.clone()));
    results.map(|(index, _)| What::Result(index)).chain(looks).collect()
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
    let variable = |what: &What| match what {
        What::Look(path) => path.variable,
        What::Result(index) => *index,
    };
    let is_look = matches!(about, What::Look(_));
    is_look && asserted(case).iter().all(|what| variable(what) != variable(about))
}

/// Whether a reader learns from a test what came of what it does.
pub fn says_something(case: &TestCase) -> bool {
    let first = |variable: &u32| case.outcome.same.get(variable).unwrap_or(variable).to_owned();
    let is_fluent = |(statement, shows): (&Statement, &Observed)| match (&statement.operation, shows) {
        (Operation::Call { receiver: Some(Arg::Var(on)), .. }, Observed::Same(given)) => first(on) == *given,
        _ => false,
    };
    let says = |shows: &Observed| !matches!(shows, Observed::Void | Observed::Object(_));
    let mut results = case.sequence.statements.iter().zip(&case.outcome.statements);
    let looks = &case.outcome.observations;
    case.outcome.thrown.is_some()
        || looks.iter().any(|seen| says(&seen.result))
        || results.any(|(statement, shows)| says(shows) && !is_fluent((statement, shows)))
}
