//! One round of checking: generated sources are compiled and run in two fresh JVMs, in two orders, one of them recorded.
//!
//! Knows nothing of what is done with what it found. Invariant: facts are given back only when every test holds.

use super::checking::Finishing;
use super::harm::Effects;
use super::written::{Named, Names};
use crate::jvm::javac::{self, Compilation, JavacError, SourceError};
use crate::jvm::suite::{self, SuiteConfig, SuiteReport, TestSelector, Verdict};
use anyhow::{Context, Result};
use dynaflow_model::effect::Effect;
use dynaflow_model::facts::Recording;
use dynaflow_model::pattern::Pattern;
use dynaflow_testgen::{Generated, Source};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Longest time between the ends of two tests, besides the time limit of a candidate.
const SILENCE: Duration = Duration::from_secs(8);

/// One round: the sources are compiled and run.
#[derive(Debug)]
pub struct Attempt<'a> {
    /// What it is checked with.
    pub with: Finishing<'a>,
    /// The sources.
    pub generated: &'a Generated,
    /// Its own folder, below the work folder.
    pub folder: String,
}

/// Why tests do not hold, by case.
pub type Wrong = BTreeMap<usize, String>;

/// What a round found.
#[derive(Debug, Default)]
pub struct Found {
    /// Tests that do not hold.
    pub wrong: Wrong,
    /// Effects of tests that are not allowed.
    pub effects: Effects,
    /// Whether a test of an earlier run does not hold.
    pub is_spoilt: bool,
    /// The facts, when nothing is wrong.
    pub recording: Recording,
}

impl Found {
    /// Notes that a test does not hold.
    fn add(&mut self, test: Named, why: String) {
        match test.case {
            Some(case) => drop(self.wrong.entry(case).or_insert(why)),
            None => {
                tracing::info!(why, "a test of an earlier run");
                self.is_spoilt = true;
            }
        }
    }

    /// Whether all tests hold.
    pub fn is_fine(&self) -> bool {
        self.wrong.is_empty() && self.effects.is_empty() && !self.is_spoilt
    }
}

impl Attempt<'_> {
    /// Compiles the sources and runs the tests twice, in two orders.
    ///
    /// # Errors
    /// When the compiler or a JVM cannot be run at all, or an error of the compiler is in no test.
    pub fn run(&self, names: &Names) -> Result<Found> {
        let classes = self.path("classes");
        let mut found = self.compile(&classes, names)?;
        if !found.is_fine() {
            return Ok(found);
        }
        let order: Vec<&String> = names.keys().collect();
        let (recorded, shuffled) = std::thread::scope(|scope| {
            let second = scope.spawn(|| self.suite("shuffled", &classes, shuffled(&order), false));
            let first = self.suite("recorded", &classes, order.clone(), true);
            (first, second.join())
        });
        let shuffled = shuffled.map_err(|_| anyhow::anyhow!("the thread of the shuffled run panicked"))?;
        for report in [recorded?, shuffled?] {
            judge(&report, names, &mut found);
            self.judge_effects(&report, names, &mut found);
        }
        if found.is_fine() {
            self.record(names, &mut found);
        }
        Ok(found)
    }

    /// What is done between tests is JUnit's doing: generated classes have nothing there.
    fn judge_effects(&self, report: &SuiteReport, names: &Names, found: &mut Found) {
        for (name, test) in names {
            let all = report.effects.get(name).into_iter().flatten();
            let refused: Vec<Effect> =
                all.filter(|effect| !self.with.allowed.allows(effect)).cloned().collect();
            match test.case {
                _ if refused.is_empty() => {}
                Some(case) => found.effects.entry(case).or_default().extend(refused),
                None => found.is_spoilt = true,
            }
        }
    }

    /// What the compiled tests showed. A test that spoils the trace cannot be distinguished from the others, so none is kept then.
    fn record(&self, names: &Names, found: &mut Found) {
        match crate::traces::read(&[self.path("traces")]) {
            Ok(merged) => found.recording = merged.recording,
            Err(error) => {
                let why = |name: &String| format!("{name}: what it does cannot be read: {error:#}");
                names.iter().for_each(|(name, test)| found.add(*test, why(name)));
            }
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.with.setup.work.path().join(&self.folder).join(name)
    }

    fn compile(&self, classes: &Path, names: &Names) -> Result<Found> {
        let sources = write_sources(&self.path("src"), &self.generated.sources)?;
        let job = Compilation {
            jdk: &self.with.setup.jdk,
            class_path: &self.with.setup.full_class_path,
            sources: &sources,
            out: classes,
            release: None,
            limit: self.with.compiling(names.len()),
            stop: self.with.stop,
        };
        match javac::compile(&job) {
            Ok(()) => Ok(Found::default()),
            Err(JavacError::Sources(errors)) => {
                let found = self.culprits(&errors, names);
                if found.is_fine() {
                    return Err(JavacError::Sources(errors)).context("the generated tests do not compile");
                }
                Ok(found)
            }
            Err(error) => Err(error).context("cannot compile the generated tests"),
        }
    }

    /// The tests in which the compiler found errors.
    fn culprits(&self, errors: &[SourceError], names: &Names) -> Found {
        let mut found = Found::default();
        for error in errors {
            let source = self.generated.sources.iter().find(|s| error.file.ends_with(&s.path));
            let test = source.and_then(|s| Some(format!("{}#{}", s.class, method_at(&s.text, error.line)?)));
            if let Some((name, test)) = test.and_then(|t| names.get_key_value(&t)) {
                tracing::info!(%error, name, "does not compile");
                found.add(*test, format!("{name} does not compile: {}", error.message));
            }
        }
        found
    }

    fn suite(&self, name: &str, classes: &Path, order: Vec<&String>, recorded: bool) -> Result<SuiteReport> {
        let setup = self.with.setup;
        let mut jvm = setup.jvm(&format!("{}/{name}", self.folder), self.with.stop)?;
        jvm.class_path.insert(0, classes.to_owned());
        // Effects are observed in both; facts are the same.
        let traces = if recorded { "traces" } else { "traces-shuffled" };
        let mut agent = setup.agent(&format!("{}/{traces}", self.folder), false);
        if !recorded {
            agent.options.exclude.push(Pattern::new("**").context("a pattern of ours")?);
        }
        jvm.agent = Some(agent);
        let tests = order.into_iter().map(|name| TestSelector::parse(name)).collect();
        let timeout = self.with.left();
        let silence = Some(setup.time_limit() + SILENCE);
        suite::run(&SuiteConfig { jvm, tests, timeout, silence }).context("cannot run the generated tests")
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
fn judge(report: &SuiteReport, names: &Names, found: &mut Found) {
    let ran = report.verdicts.len();
    for (name, test) in names {
        let trouble = match report.verdicts.get(name) {
            Some(Verdict::Passed) if !test.failing => continue,
            Some(Verdict::Failed(_)) if test.failing => continue,
            Some(Verdict::Failed(failure)) => {
                format!("{name} failed in a fresh JVM: {} {}", failure.class, failure.message)
            }
            Some(Verdict::Passed) => format!("{name} did not fail again in a fresh JVM"),
            Some(Verdict::Skipped(why)) => format!("{name} was skipped in a fresh JVM: {why}"),
            Some(Verdict::Unfinished) => format!("{name} began and did not end in a fresh JVM"),
            None => format!("{name} did not run in a fresh JVM ({}; {ran} others did)", report.ended),
        };
        found.add(*test, trouble);
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
