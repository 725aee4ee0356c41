//! What is asked for and what comes out: tests, sources, and where each test went. Knows nothing of Java. Invariant: plain values.

use crate::layout::Existing;
use dynaflow_model::frameworks::Style;
use dynaflow_model::outcome::Outcome;
use dynaflow_model::sequence::Sequence;
use dynaflow_search::Types;
use std::collections::BTreeSet;

/// A test to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCase {
    /// What the test method should be called; derived from what it does when there is none.
    pub name_hint: Option<String>,
    /// Lines: what flows in the test, what it reveals.
    pub comment: String,
    /// What the test does.
    pub sequence: Sequence,
    /// What running it showed, the same in every run: results to assert, the exception that ended it. An exception that
    /// is declared or thrown on purpose is expected; any other makes the test one of the failures.
    pub outcome: Outcome,
    /// How it is written.
    pub form: Form,
}

/// How a test is written. What javac warns of is suppressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// The warnings of javac that the test causes, by the names that `@SuppressWarnings` takes.
    pub suppressed: BTreeSet<String>,
    /// The assertions that are left out, by their numbers among all that the outcome gives.
    pub left_out: BTreeSet<usize>,
}

/// What the sources beside the generated ones are like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manner {
    /// The version of Java that they are written in, and whose library they may use: 7 or later. Before 8 there are no lambdas.
    pub java: u16,
    /// What a line is indented by, for each level.
    pub indent: String,
    /// How long a line may be, in characters, where it can be broken.
    pub width: usize,
}

impl Default for Manner {
    fn default() -> Self {
        Self { java: 8, indent: "    ".to_owned(), width: 120 }
    }
}

/// What is to be written.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Binary name of the class under test.
    pub class: &'a str,
    /// How tests are written for the framework.
    pub style: &'static Style,
    /// What the sources beside it are like.
    pub manner: &'a Manner,
    /// The number of the first new file: those before are there already. 1 when there is none.
    pub first: usize,
    /// Files that are there and take tests first: one of green tests and one of findings at most.
    pub existing: &'a [Existing],
    /// The tests, in the order they are written.
    pub tests: &'a [TestCase],
    /// The types the tests use, seen from the package of the class.
    pub types: &'a Types,
}

/// A source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Binary name of the test class.
    pub class: String,
    /// Where the file belongs below a source folder, with `/`.
    pub path: String,
    /// The text; ASCII only.
    pub text: String,
    /// The test methods that were there before.
    pub kept: Vec<String>,
    /// The text of the file that this one replaces.
    pub replaces: Option<String>,
}

/// What an assertion compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asserted {
    /// What the statement at this place gave.
    Result(usize),
    /// What the observation of the outcome at this place shows.
    Observation(usize),
    /// The message of the exception.
    Message,
}

/// What became of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placed {
    /// It was written.
    Written {
        /// Binary name of the test class.
        class: String,
        /// Name of the test method.
        method: String,
        /// All assertions that the outcome gives, those that the form leaves out included: the numbers in [`Form::left_out`] are places here.
        asserted: Vec<Asserted>,
    },
    /// It was left out, for this reason.
    LeftOut(String),
}

/// Sources and what became of each test of the request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generated {
    /// The files, those of green tests first.
    pub sources: Vec<Source>,
    /// One entry for each test, in order.
    pub placed: Vec<Placed>,
}
