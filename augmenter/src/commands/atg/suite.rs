//! Tests with what they were seen to do, and what mutants they notice when they are compiled and run. Knows no solver.
//!
//! Invariant: a test counts only after it was written, compiled and run by JUnit without mutants, where it passed.

use super::setup::{PATIENCE, Setup};
use crate::jvm::javac::{self, Compilation};
use crate::jvm::job::{Job, JobNumber, Probes};
use crate::jvm::worker::{Worker, WorkerConfig};
use crate::mutation::{Made, Observer, Suite, Tests};
use crate::solving::methods::{Method, call};
use anyhow::{Context, Result, anyhow};
use dynaflow_model::outcome::Outcome;
use dynaflow_model::sequence::Sequence;
use dynaflow_search::Types;
use dynaflow_solve::Argument;
use dynaflow_testgen::{Form, Generated, Manner, Placed, Request, TestCase};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// How long one call may take.
const CALL: Duration = Duration::from_secs(2);

/// A call with what it was seen to do.
#[derive(Clone, Debug)]
pub struct Case {
    sequence: Sequence,
    outcome: Outcome,
}

/// Runs calls; gives those that end, with what they did, in their order. An exception is a result like any other, and expected; errors of the JVM are not.
pub fn observed(worker: &mut Worker, calls: &[(&Method, Vec<Argument>)]) -> Vec<Option<Case>> {
    let jobs: Vec<Job> = (0..)
        .zip(calls)
        .map(|(number, (method, arguments))| {
            let (sequence, observers) = call(method, arguments);
            Job { number: JobNumber(number), sequence, observers, mutant: 0 }
        })
        .collect();
    let outcomes = worker.run(&jobs);
    jobs.into_iter()
        .zip(outcomes)
        .map(|(job, mut outcome)| {
            let is_error = |thrown: &dynaflow_model::outcome::Thrown| thrown.is_a("java.lang.Error");
            if outcome.broken.is_some() || outcome.thrown.as_ref().is_some_and(is_error) {
                return None;
            }
            if let Some(thrown) = &mut outcome.thrown {
                thrown.on_purpose = true;
            }
            Some(Case { sequence: job.sequence, outcome })
        })
        .collect()
}

/// A worker that runs calls.
///
/// # Errors
/// When it cannot be started.
pub fn worker(setup: &Setup) -> Result<Worker> {
    let config = WorkerConfig { jvm: setup.jvm("calls")?, time_limit: CALL, probes: Probes::None };
    Worker::start(config).context("cannot run calls of the class")
}

/// Tests as sources, with the case of each by its name, `Class#method`.
#[derive(Debug)]
pub struct Written {
    /// The sources.
    pub generated: Generated,
    /// By test, the place of its case.
    pub cases: BTreeMap<String, usize>,
}

/// Writes cases as tests, each with a comment.
pub fn write(setup: &Setup, types: &Types, cases: &[(&Case, String)]) -> Written {
    let tests: Vec<TestCase> = cases
        .iter()
        .map(|(case, comment)| TestCase {
            name_hint: None,
            comment: comment.clone(),
            sequence: case.sequence.clone(),
            outcome: case.outcome.clone(),
            form: Form::default(),
        })
        .collect();
    let manner = Manner::default();
    let request = Request {
        class: &setup.class,
        style: setup.style,
        manner: &manner,
        first: 1,
        existing: &[],
        tests: &tests,
        types,
    };
    let generated = dynaflow_testgen::generate(&request);
    let named = generated.placed.iter().zip(0..).filter_map(|(placed, index)| match placed {
        Placed::Written { class, method, .. } => Some((format!("{class}#{method}"), index)),
        Placed::LeftOut(_) => None,
    });
    let cases = named.collect();
    Written { generated, cases }
}

/// Compiled tests.
pub struct Compiled {
    suite: Suite,
    cases: BTreeMap<String, usize>,
    names: Vec<String>,
}

impl Compiled {
    /// Compiles tests and runs them without mutants; none where no test passes.
    ///
    /// # Errors
    /// When they do not compile, or JVMs cannot be started.
    pub fn new(
        setup: &Setup,
        made: &Made,
        written: Written,
        folder: &str,
        observer: &dyn Observer,
    ) -> Result<Option<Self>> {
        let root = setup.work.path().join(folder);
        let mut sources = vec![];
        for source in &written.generated.sources {
            let path = root.join("sources").join(&source.path);
            std::fs::create_dir_all(path.parent().unwrap_or(&root)).context("cannot write tests")?;
            std::fs::write(&path, &source.text).context("cannot write tests")?;
            sources.push(path);
        }
        if written.cases.is_empty() {
            return Ok(None);
        }
        let out = root.join("classes");
        let job = Compilation {
            jdk: &setup.jdk,
            class_path: &setup.class_path,
            sources: &sources,
            out: &out,
            release: None,
            limit: PATIENCE,
            stop: &setup.stop,
        };
        javac::compile(&job).map_err(|error| anyhow!("the tests do not compile: {error}"))?;
        let mut jvm = setup.jvm(folder)?;
        jvm.class_path.push(out);
        let classes: Vec<String> =
            written.generated.sources.iter().map(|source| source.class.clone()).collect();
        let tests = Tests { jvm: &jvm, work: &root, classes: &classes };
        let suite = Suite::survey(made, &tests, PATIENCE, observer)?;
        let mut names: Vec<(usize, String)> =
            written.cases.iter().map(|(name, case)| (*case, name.clone())).collect();
        names.sort();
        let names = names.into_iter().map(|(_, name)| name).collect();
        Ok(Some(Self { suite, cases: written.cases, names }))
    }

    /// The places of cases whose tests do not hold, with the reason.
    pub fn broken(&self) -> BTreeMap<usize, String> {
        let left_out = self.suite.left_out().iter();
        left_out.filter_map(|left| Some((*self.cases.get(&left.test)?, left.why.clone()))).collect()
    }

    /// From now on the last test runs first.
    pub fn reverse(&mut self) {
        let reverse: Vec<String> = self.names.iter().rev().cloned().collect();
        self.suite.in_order(&reverse);
    }

    /// Runs mutants: by mutant that a test notices, the case of the first test that does.
    ///
    /// # Errors
    /// When JVMs cannot be started, or everything was stopped.
    pub fn noticed(
        &self,
        setup: &Setup,
        made: &Made,
        mutants: &BTreeSet<u32>,
        observer: &dyn Observer,
    ) -> Result<BTreeMap<u32, usize>> {
        let answers = self.suite.ask(made, mutants, &setup.settings, &setup.stop, observer)?;
        if setup.stop.is_stopped() {
            return Err(anyhow!("interrupted"));
        }
        let case = |(mutant, test): (u32, String)| Some((mutant, *self.cases.get(&test)?));
        Ok(answers.by.into_iter().filter_map(case).collect())
    }
}
