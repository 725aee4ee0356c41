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
        let raised_in = outcome.thrown.iter().flat_map(|thrown| &thrown.raised_in);
        let innermost = raised_in.into_iter().find(|class| self.all.contains(*class));
        innermost.is_some_and(|class| !self.program.contains(class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::outcome::Thrown;

    fn failed(raised_in: &[&str]) -> bool {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<String>>();
        let (program, all) = (names(&["a.Door"]), names(&["a.Door", "a.Checks", "org.junit.Assert"]));
        let thrown = Thrown {
            statement: 0,
            class: "java.lang.AssertionError".to_owned(),
            superclasses: vec![],
            message: None,
            declared: false,
            raised_in: raised_in.iter().map(|&class| class.to_owned()).collect(),
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
    }
}
