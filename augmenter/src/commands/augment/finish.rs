//! From kept sequences to a suite users keep: written as JUnit, compiled, run in fresh JVMs in two orders; what does not hold
//! is dropped and counted.
//!
//! What the compiled tests cover decides what each is worth: a green test that covers nothing new any more is dropped and counted, and the
//! comment of a test names a pair that it covers as it is written.
//!
//! A test that has an effect beyond its own objects that is not allowed is dropped and counted. The effect of an initialiser, or of a pool
//! that a class keeps, appears in whichever test runs first: when it appears in another test after those that had it were dropped, it
//! belongs to all of them, and none is written. Of an initialiser the class is known: the tests that name the class are dropped at once,
//! and all of them only when the effect appears once more.
//!
//! New tests are added to the files of an earlier run where these still hold with them; else they get files of their own.
//!
//! Knows nothing of search. Invariant: every green test that is given back passed in every run, every finding failed in every run,
//! and the facts given back were recorded from the compiled tests themselves.

use super::effects::{self, Refusals};
use super::extension::{self, Extension};
use super::setup::Setup;
use super::shown::{Before, Shown};
use crate::jvm::javac::{self, Compilation, JavacError, SourceError};
use crate::jvm::process::Stop;
use crate::jvm::suite::{self, SuiteConfig, SuiteReport, TestSelector, Verdict};
use anyhow::{Context, Result};
use dynaflow_model::effect::{Allowed, Effect, Permission};
use dynaflow_model::facts::Recording;
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::pattern::Pattern;
use dynaflow_search::Types;
use dynaflow_testgen::{Existing, Generated, Placed, Request, Source, TestCase};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

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
    /// Tests that were not written for what they do.
    pub refusals: Refusals,
    /// What the compiled tests showed.
    pub recording: Recording,
    /// The tests that were written, in the order they were given.
    pub held: Vec<Held>,
    /// Tests of an earlier run that new ones make redundant.
    pub redundant: usize,
}

impl Finished {
    /// The test classes of earlier runs that are written anew.
    pub fn replaced(&self) -> BTreeSet<String> {
        let replaced = self.sources.iter().filter(|source| source.replaces.is_some());
        replaced.map(|source| source.class.clone()).collect()
    }
}

/// A test that was written.
#[derive(Clone, Debug)]
pub struct Held {
    /// Its place among those given.
    pub place: usize,
    /// The pairs that it is the first to cover, as it was compiled and ran.
    pub new: BTreeSet<PairKey>,
}

/// What all classes are finished with.
#[derive(Clone, Copy, Debug)]
pub struct Finishing<'a> {
    /// The command line, the JDK, folders.
    pub setup: &'a Setup<'a>,
    /// What tests may do beyond their own objects.
    pub allowed: &'a Allowed,
    /// Ends JVMs.
    pub stop: &'a Stop,
    /// When checking has to end; none when no clock may decide.
    pub end: Option<Instant>,
    /// What is covered without these tests.
    pub before: Before<'a>,
}

impl Finishing<'_> {
    /// How long something that begins now may take.
    fn left(&self) -> Duration {
        let left = self.end.map(|end| end.saturating_duration_since(Instant::now()).max(LEAST));
        left.map_or(TIMEOUT, |left| left.min(TIMEOUT))
    }

    /// How long compiling some tests may take: much more than it does, so that only a compiler that hangs is ended.
    fn compiling(&self, tests: usize) -> Duration {
        let tests = u32::try_from(tests).unwrap_or(u32::MAX);
        let patience = COMPILING.saturating_add(COMPILING_ONE.saturating_mul(tests));
        if self.end.is_some() { self.left().min(patience) } else { self.left() }
    }
}

const TIMEOUT: Duration = Duration::from_secs(300);
/// Longest time for compiling, and what is added to it for each test, where clocks may decide.
const COMPILING: Duration = Duration::from_secs(20);
const COMPILING_ONE: Duration = Duration::from_millis(200);
/// Least time limit of a run, however soon checking has to end.
const LEAST: Duration = Duration::from_secs(10);
/// Longest time between the ends of two tests, besides the time limit of a candidate.
const SILENCE: Duration = Duration::from_secs(8);
/// Most rounds: each drops the tests that the one before found wrong, until one finds none; two may find that an earlier file does
/// not take the new tests.
const ROUNDS: usize = 8;

/// Writes, compiles and runs the tests of one class until all that are left hold.
///
/// # Errors
/// When the compiler or a JVM cannot be run at all.
pub fn finish(
    with: Finishing,
    class: &str,
    mut cases: Vec<TestCase>,
    types: &Types,
    mut extension: Extension,
) -> Result<Finished> {
    let mut finished = Finished::default();
    let mut harm = Harm::default();
    let mut places: Vec<usize> = (0..cases.len()).collect();
    for round in 0..ROUNDS {
        let existing = extension.files(&places);
        let generated = with.generated(class, &cases, types, &existing);
        let names = names(&generated);
        if !names.values().any(|test| test.case.is_some()) {
            finished.dropped.extend(left_out(&generated));
            return Ok(finished);
        }
        let attempt = Attempt { with, generated: &generated, folder: format!("finish/{class}/{round}") };
        let found = attempt.run(&names)?;
        let is_fine = found.is_fine();
        if found.is_spoilt || is_fine && !keeps_all(&generated, &extension, &found.recording) {
            tracing::info!(class, round, "the file of an earlier run does not hold with the new tests in it");
            extension.step_back();
            continue;
        }
        let Found { mut wrong, effects, recording, .. } = found;
        let mut shown = vec![];
        if is_fine {
            shown = with.before.shown(&recording, &in_order(&names));
            // A last round, or one after the end, takes what holds as it is.
            if round + 1 < ROUNDS && with.end.is_none_or(|end| Instant::now() < end) {
                wrong = superfluous(&names, &shown);
            }
        }
        if wrong.is_empty() && effects.is_empty() {
            finished.dropped.extend(left_out(&generated));
            let new = names.values().filter(|test| test.case.is_some());
            finished.findings = new.clone().filter(|test| test.failing).count();
            finished.tests = new.count() - finished.findings;
            finished.sources = with.commented(class, cases, (&names, &shown), types, &existing);
            finished.redundant = extension::left_out(&finished.sources);
            finished.held = held(&names, shown, &places);
            finished.recording = recording;
            return Ok(finished);
        }
        let harmful = harm.of_all(effects, cases.len(), |case, initialised| {
            cases.get(case).is_some_and(|case| effects::names_class(&case.sequence, initialised))
        });
        for (index, effects) in &harmful {
            wrong.remove(index);
            let effects: Vec<&Effect> = effects.iter().collect();
            cases.get(*index).into_iter().for_each(|case| finished.refusals.add(&case.sequence, &effects));
        }
        let holds = |index: usize| !wrong.contains_key(&index) && !harmful.contains_key(&index);
        let left = (0..).zip(cases.into_iter().zip(places)).filter(|(index, _)| holds(*index));
        (cases, places) = left.map(|(_, case)| case).unzip();
        finished.dropped.extend(wrong.into_values());
    }
    finished.dropped.push(format!("{} tests: they did not hold after {ROUNDS} rounds", cases.len()));
    Ok(finished)
}

/// Effects that are not allowed, by case.
type Effects = BTreeMap<usize, BTreeSet<Effect>>;

/// The effects for which tests were dropped in earlier rounds.
#[derive(Default)]
struct Harm(BTreeSet<(Permission, String)>);

impl Harm {
    /// The cases to drop for these effects: with those that name a class whose initialiser has one; all of them, should an effect
    /// have come back.
    fn of_all(&mut self, effects: Effects, cases: usize, names: impl Fn(usize, &str) -> bool) -> Effects {
        let again: BTreeSet<Effect> = effects
            .values()
            .flatten()
            .filter(|effect| self.0.contains(&Self::key(effect)))
            .cloned()
            .collect();
        self.0.extend(effects.values().flatten().map(Self::key));
        if !again.is_empty() {
            return (0..cases).map(|case| (case, again.clone())).collect();
        }
        let mut all = effects.clone();
        for effect in effects.into_values().flatten() {
            let Some(class) = &effect.initialiser else { continue };
            for case in (0..cases).filter(|case| names(*case, class)) {
                all.entry(case).or_default().insert(effect.clone());
            }
        }
        all
    }

    /// Numbers differ from run to run, those of threads and files.
    fn key(effect: &Effect) -> (Permission, String) {
        (effect.needs(), effect.what.chars().filter(|c| !c.is_ascii_digit()).collect())
    }
}

impl Finishing<'_> {
    /// Writes the tests, first into the files that take them.
    fn generated(&self, class: &str, tests: &[TestCase], types: &Types, existing: &[Existing]) -> Generated {
        let first = self.setup.earlier.next.get(class).copied().unwrap_or(1);
        let style = self.setup.style;
        dynaflow_testgen::generate(&Request { class, style, first, existing, tests, types })
    }

    /// The sources with a comment in each new test about what it was seen to show; nothing else of them changes.
    fn commented(
        &self,
        class: &str,
        mut cases: Vec<TestCase>,
        (names, shown): (&Names, &[Shown]),
        types: &Types,
        existing: &[Existing],
    ) -> Vec<Source> {
        for (index, shown) in indices(names).into_iter().zip(shown) {
            cases.get_mut(index).into_iter().for_each(|case| case.comment.clone_from(&shown.comment));
        }
        self.generated(class, &cases, types, existing).sources
    }
}

/// A test method of the sources.
#[derive(Clone, Copy, Debug)]
struct Named {
    /// The place of its case; none for a test of an earlier run.
    case: Option<usize>,
    /// Whether it is a finding.
    failing: bool,
}

/// By `Class#method`.
type Names = BTreeMap<String, Named>;

fn names(generated: &Generated) -> Names {
    let mut names = Names::new();
    let mut add = |class: &str, method: &str, case: Option<usize>| {
        let failing = dynaflow_testgen::is_of_findings(class);
        names.insert(format!("{class}#{method}"), Named { case, failing });
    };
    for (index, placed) in generated.placed.iter().enumerate() {
        if let Placed::Written { class, method } = placed {
            add(class, method, Some(index));
        }
    }
    for source in &generated.sources {
        source.kept.iter().for_each(|method| add(&source.class, method, None));
    }
    names
}

/// The cases that were written, ascending.
fn indices(names: &Names) -> Vec<usize> {
    let mut indices: Vec<usize> = names.values().filter_map(|test| test.case).collect();
    indices.sort_unstable();
    indices
}

/// The new tests in the order of their cases.
fn in_order(names: &Names) -> Vec<&str> {
    let by_case: BTreeMap<usize, &str> =
        names.iter().filter_map(|(name, test)| Some((test.case?, name.as_str()))).collect();
    by_case.into_values().collect()
}

/// The green tests that cover nothing new as they were compiled and ran. What reveals a fault is worth a test in any case.
fn superfluous(names: &Names, shown: &[Shown]) -> Wrong {
    let is_green = |index: usize| names.values().any(|test| test.case == Some(index) && !test.failing);
    let tests = indices(names).into_iter().zip(in_order(names)).zip(shown);
    let nothing = tests.filter(|((index, _), shown)| shown.new.is_empty() && is_green(*index));
    nothing.map(|((index, name), _)| (index, format!("{name} covers nothing new any more"))).collect()
}

fn held(names: &Names, shown: Vec<Shown>, places: &[usize]) -> Vec<Held> {
    let written = indices(names).into_iter().zip(shown);
    written
        .filter_map(|(index, shown)| Some(Held { place: places.get(index).copied()?, new: shown.new }))
        .collect()
}

/// Whether the files that replace others cover all these did.
fn keeps_all(generated: &Generated, extension: &Extension, recording: &Recording) -> bool {
    let mut replaced = generated.sources.iter().filter(|source| source.replaces.is_some());
    replaced.all(|source| extension.keeps(&source.class, recording))
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
    with: Finishing<'a>,
    generated: &'a Generated,
    folder: String,
}

type Wrong = BTreeMap<usize, String>;

/// What a round found.
#[derive(Default)]
struct Found {
    wrong: Wrong,
    effects: Effects,
    /// Whether a test of an earlier run does not hold.
    is_spoilt: bool,
    /// The facts, when nothing is wrong.
    recording: Recording,
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

    fn is_fine(&self) -> bool {
        self.wrong.is_empty() && self.effects.is_empty() && !self.is_spoilt
    }
}

impl Attempt<'_> {
    fn run(&self, names: &Names) -> Result<Found> {
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
    fn an_effect_that_comes_back_in_another_test_is_that_of_all() {
        let effect = |what: &str| {
            let kind = dynaflow_model::effect::EffectKind::Threads;
            Effect { kind, place: None, what: what.to_owned(), statement: None, initialiser: None }
        };
        let of = |case: usize, what: &str| Effects::from([(case, BTreeSet::from([effect(what)]))]);
        let mut harm = Harm::default();
        let nobody = |_: usize, _: &str| false;
        assert_eq!(harm.of_all(of(1, "leaves thread 7"), 3, nobody), of(1, "leaves thread 7"));
        assert_eq!(
            harm.of_all(of(1, "opens a socket"), 2, nobody),
            of(1, "opens a socket"),
            "another effect"
        );
        let all: Vec<usize> = harm.of_all(of(0, "leaves thread 12"), 2, nobody).into_keys().collect();
        assert_eq!(all, [0, 1]);
    }

    #[test]
    fn tests_that_name_a_class_go_with_the_one_that_ran_its_initialiser() {
        let kind = dynaflow_model::effect::EffectKind::Properties;
        let initialiser = Some("a.Config".to_owned());
        let effect = Effect { kind, place: None, what: "sets it".into(), statement: None, initialiser };
        let found = || Effects::from([(1, BTreeSet::from([effect.clone()]))]);
        let mut harm = Harm::default();
        let dropped = harm.of_all(found(), 4, |case, class| case == 3 && class == "a.Config");
        assert_eq!(dropped.into_keys().collect::<Vec<_>>(), [1, 3]);
        let all = harm.of_all(found(), 2, |_, _| false);
        assert_eq!(all.into_keys().collect::<Vec<_>>(), [0, 1], "it came back by another way");
    }

    #[test]
    fn an_error_is_blamed_on_the_method_it_stands_in() {
        let text = "class A {\n    @Test\n    public void one() {\n        x();\n    }\n    void two() throws E {\n    y;\n";
        assert_eq!(
            (method_at(text, 4), method_at(text, 7), method_at(text, 1)),
            (Some("one"), Some("two"), None)
        );
    }
}
