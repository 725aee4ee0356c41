//! From kept sequences to a suite users keep: written as JUnit, compiled, run in fresh JVMs in two orders; what does not hold
//! is dropped and counted.
//!
//! Knows nothing of search. Invariant: every green test that is given back passed in every run, every finding failed in every run,
//! and the facts given back were recorded from the compiled tests themselves.

use super::setup::Setup;
use crate::jvm::javac::{self, Compilation, JavacError, SourceError};
use crate::jvm::process::Stop;
use crate::jvm::suite::{self, SuiteConfig, SuiteReport, TestSelector, Verdict};
use crate::options::JUnit;
use anyhow::{Context, Result};
use dynaflow_model::facts::Recording;
use dynaflow_search::Types;
use dynaflow_testgen::{Generated, Placed, Request, Source, TestCase};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A finished suite for one class.
#[derive(Debug, Default)]
pub struct Finished {
    /// The sources.
    pub sources: Vec<Source>,
    /// Green tests.
    pub tests: usize,
    /// Tests that reveal a failure.
    pub findings: usize,
    /// Why tests were dropped, a line each.
    pub dropped: Vec<String>,
    /// What the compiled tests showed.
    pub recording: Recording,
}

const TIMEOUT: Duration = Duration::from_secs(300);
/// Longest time between the ends of two tests: each ended within [`super::setup::TIME_LIMIT`] before.
const SILENCE: Duration = Duration::from_secs(10);
/// Each round drops what the one before found wrong; the last word is a round that finds nothing.
const ROUNDS: usize = 6;

/// Writes, compiles and runs the tests of one class until all that are left hold.
///
/// # Errors
/// When the compiler or a JVM cannot be run at all.
pub fn finish(
    setup: &Setup,
    stop: &Stop,
    class: &str,
    mut cases: Vec<TestCase>,
    types: &Types,
) -> Result<Finished> {
    let mut finished = Finished::default();
    for round in 0..ROUNDS {
        let generated =
            dynaflow_testgen::generate(&Request { class, junit: junit(setup.junit), tests: &cases, types });
        let names = names(&generated);
        if names.is_empty() {
            finished.dropped.extend(left_out(&generated));
            return Ok(Finished { dropped: finished.dropped, ..Finished::default() });
        }
        let attempt =
            Attempt { setup, stop, generated: &generated, folder: format!("finish/{class}/{round}") };
        let (wrong, recording) = attempt.run(&names)?;
        if wrong.is_empty() {
            finished.dropped.extend(left_out(&generated));
            finished.findings = names.values().filter(|(_, failing)| *failing).count();
            finished.tests = names.len() - finished.findings;
            finished.sources = generated.sources;
            finished.recording = recording;
            return Ok(finished);
        }
        let mut index = 0;
        cases.retain(|_| {
            index += 1;
            !wrong.contains_key(&(index - 1))
        });
        finished.dropped.extend(wrong.into_values());
    }
    finished.dropped.push(format!("{} tests: they did not hold after {ROUNDS} rounds", cases.len()));
    Ok(Finished { dropped: finished.dropped, ..Finished::default() })
}

fn junit(junit: JUnit) -> dynaflow_testgen::JUnit {
    match junit {
        JUnit::Four => dynaflow_testgen::JUnit::Four,
        JUnit::Five => dynaflow_testgen::JUnit::Five,
    }
}

/// By `Class#method`: the place of the case, and whether it is a finding.
type Names = BTreeMap<String, (usize, bool)>;

fn names(generated: &Generated) -> Names {
    let mut names = Names::new();
    for (index, placed) in generated.placed.iter().enumerate() {
        if let Placed::Written { class, method } = placed {
            names.insert(format!("{class}#{method}"), (index, class.ends_with("DynaflowFailures")));
        }
    }
    names
}

fn left_out(generated: &Generated) -> Vec<String> {
    let reason = |placed: &Placed| match placed {
        Placed::LeftOut(reason) => Some(format!("not written: {reason}")),
        Placed::Written { .. } => None,
    };
    generated.placed.iter().filter_map(reason).collect()
}

/// One round: what is wrong, by case, and the facts when nothing is.
struct Attempt<'a> {
    setup: &'a Setup<'a>,
    stop: &'a Stop,
    generated: &'a Generated,
    folder: String,
}

type Wrong = BTreeMap<usize, String>;

impl Attempt<'_> {
    fn run(&self, names: &Names) -> Result<(Wrong, Recording)> {
        let classes = self.path("classes");
        let wrong = self.compile(&classes, names)?;
        if !wrong.is_empty() {
            return Ok((wrong, Recording::default()));
        }
        let order: Vec<&String> = names.keys().collect();
        let (recorded, shuffled) = std::thread::scope(|scope| {
            let second = scope.spawn(|| self.suite("shuffled", &classes, shuffled(&order), false));
            let first = self.suite("recorded", &classes, order.clone(), true);
            (first, second.join())
        });
        let shuffled = shuffled.map_err(|_| anyhow::anyhow!("the thread of the shuffled run panicked"))?;
        let mut wrong = Wrong::new();
        for report in [recorded?, shuffled?] {
            judge(&report, names, &mut wrong);
        }
        let recording =
            if wrong.is_empty() { self.recorded(names, &mut wrong) } else { Recording::default() };
        Ok((wrong, recording))
    }

    /// What the compiled tests showed. A test that spoils the trace cannot be told from the others, so none is kept then.
    fn recorded(&self, names: &Names, wrong: &mut Wrong) -> Recording {
        match crate::traces::read(&[self.path("traces")]) {
            Ok(merged) => merged.recording,
            Err(error) => {
                let why = |name: &String| format!("{name}: what it does cannot be read: {error:#}");
                wrong.extend(names.iter().map(|(name, (index, _))| (*index, why(name))));
                Recording::default()
            }
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.setup.work.path().join(&self.folder).join(name)
    }

    fn compile(&self, classes: &Path, names: &Names) -> Result<Wrong> {
        let sources = write_sources(&self.path("src"), &self.generated.sources)?;
        let job = Compilation {
            jdk: &self.setup.jdk,
            class_path: &self.setup.full_class_path,
            sources: &sources,
            out: classes,
            release: None,
            stop: self.stop,
        };
        match javac::compile(&job) {
            Ok(()) => Ok(Wrong::new()),
            Err(JavacError::Sources(errors)) => {
                let wrong = self.culprits(&errors, names);
                if wrong.is_empty() {
                    return Err(JavacError::Sources(errors)).context("the generated tests do not compile");
                }
                Ok(wrong)
            }
            Err(error) => Err(error).context("cannot compile the generated tests"),
        }
    }

    /// The tests in which the compiler found errors.
    fn culprits(&self, errors: &[SourceError], names: &Names) -> Wrong {
        let mut wrong = Wrong::new();
        for error in errors {
            let source = self.generated.sources.iter().find(|s| error.file.ends_with(&s.path));
            let test = source.and_then(|s| Some(format!("{}#{}", s.class, method_at(&s.text, error.line)?)));
            if let Some((test, (index, _))) = test.and_then(|t| names.get_key_value(&t)) {
                tracing::info!(%error, test, "does not compile");
                wrong.entry(*index).or_insert_with(|| format!("{test} does not compile: {}", error.message));
            }
        }
        wrong
    }

    fn suite(&self, name: &str, classes: &Path, order: Vec<&String>, recorded: bool) -> Result<SuiteReport> {
        let mut jvm = self.setup.jvm(&format!("{}/{name}", self.folder), self.stop)?;
        jvm.class_path.insert(0, classes.to_owned());
        if recorded {
            jvm.agent = Some(self.setup.agent(&format!("{}/traces", self.folder), false));
        }
        let tests = order.into_iter().map(|name| TestSelector::parse(name)).collect();
        suite::run(&SuiteConfig { jvm, tests, timeout: TIMEOUT, silence: Some(SILENCE) })
            .context("cannot run the generated tests")
    }
}

fn write_sources(folder: &Path, sources: &[Source]) -> Result<Vec<PathBuf>> {
    let mut paths = vec![];
    for source in sources {
        let path = folder.join(&source.path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(&path, &source.text).with_context(|| format!("cannot write `{}`", path.display()))?;
        paths.push(path);
    }
    Ok(paths)
}

/// The method that a line of a generated source belongs to.
fn method_at(text: &str, line: u32) -> Option<&str> {
    let before: Vec<&str> = text.lines().take(line as usize).collect();
    before.into_iter().rev().find_map(|line| {
        let line = line.trim_start().trim_start_matches("public ");
        line.strip_prefix("void ")?.split('(').next()
    })
}

/// An order that is neither the first nor its reverse, the same every time.
fn shuffled<'a>(order: &[&'a String]) -> Vec<&'a String> {
    let mut keyed: Vec<(blake3::Hash, &String)> =
        order.iter().map(|name| (blake3::hash(name.as_bytes()), *name)).collect();
    keyed.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
    keyed.into_iter().map(|(_, name)| name).collect()
}

/// Green tests must pass, findings must fail.
fn judge(report: &SuiteReport, names: &Names, wrong: &mut Wrong) {
    let seen: BTreeSet<&str> = report.verdicts.keys().map(String::as_str).collect();
    for (name, (index, failing)) in names {
        let trouble = match report.verdicts.get(name) {
            Some(Verdict::Passed) if !failing => continue,
            Some(Verdict::Failed(_)) if *failing => continue,
            Some(Verdict::Failed(failure)) => {
                format!("{name} failed in a fresh JVM: {} {}", failure.class, failure.message)
            }
            Some(Verdict::Passed) => format!("{name} did not fail again in a fresh JVM"),
            Some(other) => format!("{name} did not end in a fresh JVM: {other:?}"),
            None => {
                format!("{name} did not run in a fresh JVM ({:?}, {} others did)", report.ended, seen.len())
            }
        };
        wrong.entry(*index).or_insert(trouble);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_blamed_on_the_method_it_stands_in() {
        let text = "class A {\n    @Test\n    public void one() {\n        x();\n    }\n    void two() throws E {\n    y;\n";
        assert_eq!(
            (method_at(text, 4), method_at(text, 7), method_at(text, 1)),
            (Some("one"), Some("two"), None)
        );
    }
}
