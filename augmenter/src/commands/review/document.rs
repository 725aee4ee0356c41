//! A review as a document: everything that any format shows. Its schema is `docs/review.schema.json`.
//!
//! Knows nothing of formats. Invariant: fields are declared in alphabetical order, which makes the keys of the JSON sorted; no time is in it but that of slow tests.

use super::sources::{Compiled, shown};
use super::verdict::{Finding, Judged, Kind};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The document.
#[derive(Debug, Serialize)]
pub struct Document {
    /// What does not compile.
    pub compile_errors: Vec<CompileError>,
    /// Always `dynaflow-review`.
    pub format: &'static str,
    /// The suite that the tests are judged beside.
    pub suite: SuiteText,
    /// The submitted tests, sorted by name.
    pub tests: Vec<TestText>,
    /// What tests that pass in every run add together.
    pub together: Together,
    /// What could not be looked at, and why.
    pub troubles: Vec<String>,
    /// Always 1.
    pub version: u32,
}

/// An error of the compiler.
#[derive(Debug, Serialize)]
pub struct CompileError {
    /// The source.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// What javac says.
    pub message: String,
}

/// The suite.
#[derive(Debug, Default, Serialize)]
pub struct SuiteText {
    /// Its test classes.
    pub classes: usize,
    /// Those of its tests that fail.
    pub failing: Vec<String>,
    /// Its tests.
    pub tests: usize,
}

/// A submitted test.
#[derive(Debug, Serialize)]
pub struct TestText {
    /// What it adds to the suite.
    pub adds: Adds,
    /// Its source; null where it is not known.
    pub file: Option<String>,
    /// What was found, the gravest first.
    pub findings: Vec<Finding>,
    /// `a.OuterTest#probe`.
    pub test: String,
    /// The gravest kind of finding; null for a good test.
    pub verdict: Option<Kind>,
}

/// What a test adds.
#[derive(Debug, Serialize)]
pub struct Adds {
    /// The mutants that it notices and the suite does not, in words.
    pub mutants: Vec<String>,
    /// Those of its pairs that were objectives of the suite.
    pub objectives: Vec<PairText>,
    /// Its other pairs.
    pub other_pairs: Vec<PairText>,
}

/// A pair.
#[derive(Debug, Serialize)]
pub struct PairText {
    /// As the pairs document has it.
    pub id: String,
    /// In words.
    pub words: String,
}

/// What tests add together.
#[derive(Debug, Serialize)]
pub struct Together {
    /// Mutants; null where none were made.
    pub mutants: Option<usize>,
    /// Pairs that were objectives of the suite.
    pub objectives: usize,
    /// All pairs.
    pub pairs: usize,
}

/// The document of some tests. `mutants`: what new mutants change, none where no mutants were made.
pub fn document(
    judged: &[Judged],
    mutants: Option<&BTreeMap<u32, String>>,
    suite: SuiteText,
    compiled: &Compiled,
    troubles: Vec<String>,
) -> Document {
    let pairs: BTreeSet<_> = judged.iter().flat_map(|judged| &judged.pairs).collect();
    let noticed: BTreeSet<u32> = judged.iter().flat_map(|judged| judged.mutants.iter().copied()).collect();
    let error = |error: &crate::jvm::javac::SourceError| CompileError {
        file: shown(&error.file),
        line: error.line,
        message: error.message.clone(),
    };
    Document {
        compile_errors: compiled.errors.iter().map(error).collect(),
        format: "dynaflow-review",
        suite,
        tests: judged.iter().map(|judged| test(judged, mutants, compiled)).collect(),
        together: Together {
            mutants: mutants.map(|_| noticed.len()),
            objectives: pairs.iter().filter(|pair| pair.is_objective).count(),
            pairs: pairs.len(),
        },
        troubles,
        version: 1,
    }
}

fn test(judged: &Judged, mutants: Option<&BTreeMap<u32, String>>, compiled: &Compiled) -> TestText {
    let pairs = |is_objective: bool| {
        let of = judged.pairs.iter().filter(|pair| pair.is_objective == is_objective);
        of.map(|pair| PairText { id: pair.key.to_string(), words: pair.words.clone() }).collect()
    };
    let text = |number: &u32| mutants.and_then(|mutants| mutants.get(number)).cloned();
    TestText {
        adds: Adds {
            mutants: judged.mutants.iter().filter_map(text).collect(),
            objectives: pairs(true),
            other_pairs: pairs(false),
        },
        file: judged.test.split('#').next().and_then(|class| compiled.source_of(class)),
        findings: judged.findings.clone(),
        test: judged.test.clone(),
        verdict: judged.verdict(),
    }
}
