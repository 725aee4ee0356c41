//! One round of checking: generated sources are compiled, run in two fresh JVMs, one of them recorded, and where all holds in some more that
//! differ in what no test may depend on.
//!
//! Knows nothing of what is done with what it found. Invariant: facts are given back only when every test holds everywhere.

use super::checking::Finishing;
use super::declared;
use super::harm::Effects;
use super::perturbed::{Trouble, judge};
use super::written::{Named, Names};
use crate::jvm::javac::{self, Compilation, JavacError, SourceError, SourceWarning};
use crate::jvm::suite::{self, SuiteConfig, SuiteReport, TestSelector};
use crate::logging::timed;
use crate::perturbation::{PERTURBATIONS, Perturbation, shuffled};
use anyhow::{Context, Result};
use dynaflow_model::contract::Clause;
use dynaflow_model::effect::Effect;
use dynaflow_model::facts::Recording;
use dynaflow_model::pattern::Pattern;
use dynaflow_model::sequence::Operation;
use dynaflow_testgen::{Generated, Placed, Source, TestCase};
use std::collections::{BTreeMap, BTreeSet};
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
    /// What they were made of.
    pub cases: &'a [TestCase],
    /// Its own folder, below the work folder.
    pub folder: &'a str,
}

/// Why tests do not hold, by case.
pub type Wrong = BTreeMap<usize, String>;

/// What a round found.
#[derive(Debug, Default)]
pub struct Found {
    /// Tests that do not hold.
    pub wrong: Wrong,
    /// The warnings that tests cause.
    warned: BTreeMap<usize, BTreeSet<String>>,
    /// Assertions that do not hold everywhere: by case, their numbers among those of the text.
    unstable: BTreeMap<usize, BTreeSet<usize>>,
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
        let holds = self.wrong.is_empty() && self.effects.is_empty() && !self.is_spoilt;
        holds && self.warned.is_empty() && self.unstable.is_empty()
    }

    /// Gives tests the form in which they may hold: whether any has a new one, and how many assertions that leaves out.
    pub fn reform(&mut self, cases: &mut [TestCase]) -> (bool, usize) {
        let (mut reformed, mut left_out) = (false, 0);
        for (index, keys) in std::mem::take(&mut self.warned) {
            if let Some(case) = cases.get_mut(index) {
                let before = case.form.suppressed.len();
                case.form.suppressed.extend(keys);
                reformed |= case.form.suppressed.len() > before;
            }
        }
        for (index, places) in std::mem::take(&mut self.unstable) {
            let Some(case) = cases.get_mut(index) else { continue };
            let is_left = |number: &usize| !case.form.left_out.contains(number);
            let numbers: Vec<usize> =
                (0..).filter(is_left).take(places.iter().max().map_or(0, |most| most + 1)).collect();
            let numbers: Vec<usize> =
                places.iter().filter_map(|place| numbers.get(*place).copied()).collect();
            left_out += numbers.len();
            reformed |= !numbers.is_empty();
            case.form.left_out.extend(numbers);
        }
        (reformed, left_out)
    }
}

impl Attempt<'_> {
    /// Compiles the sources and runs the tests: twice, and where they hold then, under perturbation.
    ///
    /// # Errors
    /// When the compiler or a JVM cannot be run at all, or an error of the compiler is in no test.
    pub fn run(&self, names: &Names) -> Result<Found> {
        let classes = self.path("classes");
        let mut found = timed(self.folder, "compiling", || self.compile(&classes, names))?;
        if !found.is_fine() {
            return Ok(found);
        }
        let order: Vec<&String> = names.keys().collect();
        let plain = Run { folder: "shuffled".to_owned(), watched: Watched::Effects };
        let (recorded, again) = timed(self.folder, "two JVMs", || {
            std::thread::scope(|scope| {
                let second = scope.spawn(|| self.suite(&plain, &classes, shuffled(&order, "")));
                let run = Run { folder: "recorded".to_owned(), watched: Watched::Facts };
                let first = self.suite(&run, &classes, order.clone());
                (first, second.join())
            })
        });
        let again = again.map_err(|_| anyhow::anyhow!("the thread of the shuffled run panicked"))??;
        let recorded = recorded?;
        for (report, company) in [(&recorded, "recorded"), (&again, "shuffled")] {
            self.judge(report, company, names, None, &mut found);
            self.judge_effects(report, names, &mut found);
        }
        if found.is_fine() {
            timed(self.folder, "perturbed JVMs", || self.perturb(&classes, names, &recorded, &mut found))?;
        }
        if found.is_fine() {
            self.record(names, &mut found);
        }
        Ok(found)
    }

    /// Runs the tests in JVMs that differ in what no test may depend on, side by side.
    fn perturb(
        &self,
        classes: &Path,
        names: &Names,
        recorded: &SuiteReport,
        found: &mut Found,
    ) -> Result<()> {
        let order: Vec<&String> = names.keys().collect();
        let reports = std::thread::scope(|scope| {
            let start = |(number, perturbation): (usize, &'static Perturbation)| {
                let order = shuffled(&order, perturbation.name);
                let run =
                    Run { folder: format!("perturbed-{number}"), watched: Watched::Perturbed(perturbation) };
                scope.spawn(move || self.suite(&run, classes, order))
            };
            let started: Vec<_> = PERTURBATIONS.iter().enumerate().map(start).collect();
            started.into_iter().map(std::thread::ScopedJoinHandle::join).collect::<Vec<_>>()
        });
        for (report, perturbation) in reports.into_iter().zip(PERTURBATIONS) {
            let report = report.map_err(|_| anyhow::anyhow!("the thread of a perturbed run panicked"))??;
            self.judge(
                &report,
                perturbation.name,
                &self.judged_in(perturbation, names),
                Some(recorded),
                found,
            );
        }
        Ok(())
    }

    /// The tests that a perturbed run says something of: where all identity hashes are alike, nothing is seen of those that differ.
    fn judged_in(&self, perturbation: &Perturbation, names: &Names) -> Names {
        let is_of_hashes = |case: usize| {
            let statements = self.cases.get(case).and_then(|case| case.sequence.statements.last());
            let asks = statements.map(|statement| &statement.operation);
            matches!(asks, Some(Operation::Contract { clause: Clause::HashesAlike, .. }))
        };
        let is_judged = |test: &Named| {
            !(perturbation.has_constant_hashes() && test.failing && test.case.is_some_and(is_of_hashes))
        };
        names.iter().filter(|(_, test)| is_judged(test)).map(|(name, test)| (name.clone(), *test)).collect()
    }

    /// Notes what a run says of each test.
    fn judge(
        &self,
        report: &SuiteReport,
        company: &str,
        names: &Names,
        before: Option<&SuiteReport>,
        found: &mut Found,
    ) {
        for (name, test) in names {
            let class = name.split('#').next().unwrap_or_default();
            let source = self.generated.sources.iter().find(|source| source.class == class);
            let text = source.map_or("", |source| source.text.as_str());
            let before = before.and_then(|report| report.verdicts.get(name));
            match judge((report, company), name, test.failing, text, before) {
                None => {}
                Some(Trouble::Assertion(number)) => match test.case {
                    Some(case) if test.failing && self.is_the_finding(case, number) => {}
                    Some(case) => drop(found.unstable.entry(case).or_default().insert(number)),
                    None => found.is_spoilt = true,
                },
                Some(Trouble::Whole(why)) => found.add(*test, why),
            }
        }
    }

    /// Whether an assertion of a finding is the one that reveals it: it stands behind those of what was observed.
    fn is_the_finding(&self, case: usize, number: usize) -> bool {
        let left_out = self.cases.get(case).map_or(0, |case| case.form.left_out.len());
        match self.generated.placed.get(case) {
            Some(Placed::Written { asserted, .. }) => number + left_out >= asserted.len(),
            _ => false,
        }
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

    /// A folder of this round.
    pub fn path(&self, name: &str) -> PathBuf {
        self.with.setup.work.path().join(self.folder).join(name)
    }

    fn compile(&self, classes: &Path, names: &Names) -> Result<Found> {
        let sources = write_sources(&self.path("src"), &self.generated.sources)?;
        let job = Compilation {
            jdk: &self.with.setup.jdk,
            class_path: &self.with.setup.full_class_path,
            sources: &sources,
            out: classes,
            release: self.with.setup.release,
            limit: self.with.compiling(names.len()),
            stop: self.with.stop,
        };
        match javac::compile(&job) {
            Ok(warnings) => Ok(self.warned(&warnings, names)),
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

    /// The test that a line of a source belongs to.
    fn test_at<'n>(&self, file: &Path, line: u32, names: &'n Names) -> Option<(&'n String, Named)> {
        let source = self.generated.sources.iter().find(|source| file.ends_with(&source.path))?;
        let before: Vec<&str> = source.text.lines().take(line as usize).collect();
        let name = format!("{}#{}", source.class, declared::last(&before)?.1);
        names.get_key_value(&name).map(|(name, test)| (name, *test))
    }

    /// The tests in which the compiler found errors.
    fn culprits(&self, errors: &[SourceError], names: &Names) -> Found {
        let mut found = Found::default();
        for error in errors {
            if let Some((name, test)) = self.test_at(&error.file, error.line, names) {
                tracing::info!(%error, name, "does not compile");
                found.add(test, format!("{name} does not compile: {}", error.message));
            }
        }
        found
    }

    /// The new tests of which the compiler warns.
    fn warned(&self, warnings: &[SourceWarning], names: &Names) -> Found {
        let mut found = Found::default();
        for warning in warnings {
            let test = self.test_at(&warning.file, warning.line, names);
            let is_new = |case: &usize| {
                self.cases.get(*case).is_some_and(|case| !case.form.suppressed.contains(&warning.key))
            };
            if let Some(case) = test.and_then(|(_, test)| test.case).filter(is_new) {
                found.warned.entry(case).or_default().insert(warning.key.clone());
            }
        }
        found
    }

    fn suite(&self, run: &Run, classes: &Path, order: Vec<&String>) -> Result<SuiteReport> {
        let setup = self.with.setup;
        let mut jvm = setup.jvm(&format!("{}/{}", self.folder, run.folder), self.with.stop)?;
        jvm.class_path.insert(0, classes.to_owned());
        let agent = |traces: &str| setup.agent(&format!("{}/{traces}", self.folder), false);
        match run.watched {
            Watched::Facts => jvm.agent = Some(agent("traces")),
            Watched::Effects => {
                let mut agent = agent("traces-shuffled");
                agent.options.exclude.push(Pattern::new("**").context("a pattern of ours")?);
                jvm.agent = Some(agent);
            }
            Watched::Perturbed(perturbation) => perturbation.apply(&mut jvm, &setup.agent, &setup.tables),
        }
        let tests = order.into_iter().map(|name| TestSelector::parse(name)).collect();
        let timeout = self.with.left();
        let silence = Some(setup.time_limit() + SILENCE);
        suite::run(&SuiteConfig { jvm, tests, timeout, silence, probes: 0 })
            .context("cannot run the generated tests")
    }
}

/// What is watched in a JVM that runs the tests.
#[derive(Clone, Copy)]
enum Watched {
    /// Facts and effects are recorded.
    Facts,
    /// Effects are observed.
    Effects,
    /// Whether they hold in these conditions.
    Perturbed(&'static Perturbation),
}

/// How one JVM runs the tests.
struct Run {
    folder: String,
    watched: Watched,
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
