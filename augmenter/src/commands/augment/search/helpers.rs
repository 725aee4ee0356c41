//! Assertions of the tests' own helpers: they say what a test expects, not that the program is wrong.
//!
//! Knows nothing of how tests run. Invariant: an assertion that fails in the program is never a helper's, whoever called the program.

use dynaflow_model::outcome::Outcome;
use std::collections::BTreeSet;

/// Which classes are the program's and which the tests'.
#[derive(Clone, Copy, Debug)]
pub struct Helpers<'a> {
    /// The program's classes.
    pub program: &'a BTreeSet<String>,
    /// All classes of both class paths.
    pub all: &'a BTreeSet<String>,
}

impl Helpers<'_> {
    /// Whether it ended with an assertion that failed in a class of the tests: the innermost class that is not the JDK's decides.
    pub fn failed(self, outcome: &Outcome) -> bool {
        let failed = outcome.thrown.iter().filter(|thrown| thrown.is_a("java.lang.AssertionError"));
        let mut frames = failed.flat_map(|thrown| &thrown.raised_in);
        let innermost = frames.find(|frame| self.all.contains(&frame.class));
        innermost.is_some_and(|frame| !self.program.contains(&frame.class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::outcome::{StackFrame, Thrown};

    fn failed(raised_in: &[&str]) -> bool {
        ended("java.lang.AssertionError", raised_in)
    }

    fn ended(exception: &str, raised_in: &[&str]) -> bool {
        let frame =
            |class: &&str| StackFrame { class: (*class).to_owned(), method: "check".to_owned(), line: None };
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<String>>();
        let (program, all) = (names(&["a.Door"]), names(&["a.Door", "a.Checks", "org.junit.Assert"]));
        let thrown = Thrown {
            statement: 0,
            class: exception.to_owned(),
            superclasses: vec![],
            message: None,
            declared: false,
            on_purpose: false,
            raised_in: raised_in.iter().map(frame).collect(),
        };
        let outcome = Outcome { thrown: Some(thrown), ..Outcome::default() };
        Helpers { program: &program, all: &all }.failed(&outcome)
    }

    #[test]
    fn the_innermost_class_that_is_not_of_the_jdk_decides_whose_assertion_failed() {
        assert!(failed(&["a.Checks", "a.Door"]));
        assert!(failed(&["org.junit.Assert", "a.Checks"]));
        assert!(failed(&["java.util.ArrayList", "a.Checks", "a.Door"]));
        assert!(!failed(&["a.Door", "a.Checks"]), "a helper calls the program, which asserts");
        assert!(!failed(&["java.lang.String"]), "nobody knows whose");
        assert!(!failed(&[]), "no assertion");
        assert!(!ended("java.lang.IllegalStateException", &["a.Checks", "a.Door"]), "another exception");
    }
}
