//! Records the seed suite: which tests there are, how they end, what they show, and the calls they make.
//!
//! Knows nothing of search. Invariant: seed tests are run, never changed; whatever was recorded before trouble is used.

use super::facts::reasons;
use super::facts::seed_classes::SeedClasses;
use super::prepare::setup::Setup;
use crate::classes::Classes;
use crate::jvm::in_parts::{self, Ran, Watch};
use crate::jvm::process::Stop;
use crate::jvm::sandbox::Confinement;
use crate::jvm::suite::{self, Ended, Failure, SuiteConfig, SuiteReport, TestSelector, Verdict};
use crate::progress::Progress;
use crate::traces;
use anyhow::{Context, Result, anyhow};
use dynaflow_model::effect::Allowed;
use dynaflow_model::facts::{Recording, TestRecord};
use dynaflow_model::frameworks::{FRAMEWORKS, Runner};
use dynaflow_model::sequence::{Operation, Statement};
use dynaflow_search::rebuildable;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

/// What the seed suite is and showed.
#[derive(Debug, Default)]
pub struct Seed {
    /// Its facts and carved tests.
    pub recording: Recording,
    /// Tests that ran.
    pub tests: usize,
    /// Tests that failed before anything was added.
    pub failing: Vec<String>,
    /// How the first of these failed; empty where that is not known.
    pub failure: String,
    /// How the findings of earlier runs fail, by test.
    pub findings: BTreeMap<String, Failure>,
    /// What tests may do because these do it.
    pub effects: Allowed,
    /// Tests whose calls cannot all be rebuilt in a generated test; they stay as they are and still count.
    pub not_carved: usize,
    /// Why one of them cannot.
    pub obstacle: Option<String>,
    /// The test classes, so that they can run again.
    pub classes: SeedClasses,
}

impl Seed {
    /// The classes whose methods and constructors the tests call in calls that can be rebuilt.
    pub fn rebuilt(&self) -> BTreeSet<String> {
        let carved = self.recording.tests.iter().filter_map(|test| test.carved.as_ref());
        let owner = |statement: Statement| match statement.operation {
            Operation::New { constructor: method, .. } | Operation::Call { method, .. } => Some(method.owner),
            _ => None,
        };
        carved.flat_map(|carved| rebuildable(&carved.sequence).statements).filter_map(owner).collect()
    }
}

const DISCOVERY: Duration = Duration::from_secs(120);
const HEAP_MIB: u32 = 2048;

/// Runs and records the seed tests and what earlier runs wrote, or reads traces of seed tests; nothing when there are none of these.
///
/// # Errors
/// When a pattern names no test class, the suite cannot be run, or nothing of it was recorded.
pub fn record(setup: &Setup, stop: &Stop, progress: &Progress) -> Result<Seed> {
    let options = setup.options;
    let mut seed = if options.traces.is_empty() { Seed::default() } else { before(setup)? };
    let mut classes = vec![];
    if !options.seed_tests.is_empty() {
        progress.stage("looking for seed tests");
        classes = discover(setup, stop, progress)?;
    }
    let earlier = setup.earlier.files.keys().filter(|class| !classes.contains(class)).cloned();
    classes.extend(earlier.collect::<Vec<_>>());
    if classes.is_empty() {
        return Ok(seed);
    }
    progress.stage(&format!("recording the seed suite: {} test classes", classes.len()));
    let ran = run(setup, stop, progress, &classes)?;
    if !options.seed_tests.is_empty() && ran.tests == 0 {
        return Err(anyhow!(
            "none of the tests of {} seed test classes ran; without --seed-tests, augment starts from scratch",
            classes.len()
        ));
    }
    if ran.tests > 0 && ran.recording.tests.iter().all(|test| test.name.is_empty()) {
        return Err(anyhow!(
            "{} seed tests ran, {} of them failed ({}), and none was recorded; without --seed-tests, augment starts from scratch",
            ran.tests,
            ran.failing.len(),
            ran.failing.first().map_or("", String::as_str)
        ));
    }
    dynaflow_trace::merge(&mut seed.recording, &ran.recording).context("the traces are of other classes")?;
    Ok(Seed {
        recording: seed.recording,
        tests: seed.tests + ran.tests,
        not_carved: seed.not_carved + ran.not_carved,
        obstacle: seed.obstacle.or(ran.obstacle),
        ..ran
    })
}

/// What traces of seed tests show.
fn before(setup: &Setup) -> Result<Seed> {
    let recording = crate::traces::read(&setup.options.traces)?.recording;
    check_builds(setup, &recording)?;
    let mut seed = summarised(recording);
    seed.tests =
        seed.recording.tests.iter().map(|t| &t.name).filter(|n| !n.is_empty()).collect::<BTreeSet<_>>().len();
    if seed.tests == 0 {
        return Err(anyhow!(
            "--traces: they show no test; record the tests' classes too, with `dynaflow run --carve`"
        ));
    }
    if seed.recording.tests.iter().all(|test| test.carved.is_none()) {
        return Err(anyhow!(
            "--traces: the tests' calls were not recorded, so that nothing can be built on them; record with `dynaflow run --carve`"
        ));
    }
    Ok(seed)
}

/// Traces of other classes than those on the class path would show what cannot happen any more.
fn check_builds(setup: &Setup, recording: &Recording) -> Result<()> {
    let knows = |entry: &PathBuf| -> Result<bool> {
        let names = crate::classpath::classes(std::slice::from_ref(entry))?;
        Ok(recording.classes.keys().any(|class| names.contains(class)))
    };
    let mut entries = vec![];
    for entry in &setup.full_class_path {
        if knows(entry)? {
            entries.push(entry.clone());
        }
    }
    let classes = Classes::list(&entries)?;
    for (class, hash) in &recording.classes {
        let here = classes.class(class.replace('.', "/").as_bytes()).map(|bytes| blake3::hash(&bytes));
        if here.is_some_and(|here| !here.as_bytes().starts_with(&hash.0)) {
            return Err(anyhow!(
                "--traces: {class} was another build when they were recorded, or another agent (such as JaCoCo's) had changed it; record \
                 them again, or let augment run the tests with --seed-tests"
            ));
        }
    }
    Ok(())
}

/// Runs test classes as the user runs them, and records them.
fn run(setup: &Setup, stop: &Stop, progress: &Progress, classes: &[String]) -> Result<Seed> {
    let mut jvm = setup.jvm("seed", stop)?;
    let earlier: Vec<PathBuf> = setup.compile_earlier(stop)?.into_iter().collect();
    jvm.class_path.extend(earlier.iter().cloned());
    // The user's own tests run as the user runs them: in the user's folder, and with the user's rights unless --confine-seeds is given.
    let here = std::env::current_dir().context("the working folder")?;
    if setup.options.confine_seeds {
        jvm.readable.push(here.clone());
    } else {
        jvm.confinement = Confinement::None;
    }
    jvm.working_dir = Some(here);
    jvm.heap_mib = HEAP_MIB;
    jvm.agent = Some(setup.agent("seed-traces", true));
    let tests = classes.iter().map(|class| TestSelector { class: class.clone(), method: None }).collect();
    let timeout = setup.options.seed_timeout;
    let config = SuiteConfig { jvm, tests, timeout, silence: None, probes: 0 };
    let share = timeout / SHARES;
    let mut long = Long { share, progress, slow: Slow::default() };
    let Ran { report, cut_off } =
        in_parts::run(config, share, &mut long).context("cannot run the seed suite")?;
    say_how_it_ended(&report, setup, stop, progress);
    let merged = crate::traces::read(&[setup.work.path().join("seed-traces")]).with_context(|| {
        format!("the seed suite left no trace. What it printed last:\n{}", report.output_tail.trim())
    })?;
    say_what_was_left_out(&merged.recording, progress);
    // Findings of earlier runs are there because they fail.
    let is_finding = |name: &str| name.split('#').next().is_some_and(|class| setup.earlier.is_finding(class));
    let (failing, failure) = failing(&report, stop.is_stopped(), is_finding);
    let findings = report.verdicts.iter().filter_map(|(name, verdict)| match verdict {
        Verdict::Failed(failure) if is_finding(name) => Some((name.clone(), failure.clone())),
        _ => None,
    });
    let findings = findings.collect();
    let mut effects = Allowed::default();
    report.effects.values().flatten().for_each(|effect| effects.allow_as(effect));
    // Findings of earlier runs fail with every mutant and without, and nobody waits once more for what was cut off.
    let runs_again = |class: &&String| !setup.earlier.is_finding(class) && !cut_off.contains(*class);
    let green = classes.iter().filter(runs_again).cloned().collect();
    let classes = SeedClasses { names: green, class_path: earlier };
    Ok(Seed {
        tests: report.verdicts.len(),
        failing,
        failure,
        findings,
        effects,
        classes,
        ..summarised(merged.recording)
    })
}

/// The tests that failed, and how the first of them did that says it. One that did not end failed if it ended the JVM: others were ended by us.
fn failing(
    report: &SuiteReport,
    is_stopped: bool,
    is_finding: impl Fn(&str) -> bool,
) -> (Vec<String>, String) {
    let ended_itself = !is_stopped && matches!(report.ended, Ended::Exited(_));
    let failed = |verdict: &Verdict| match verdict {
        Verdict::Failed(_) => true,
        Verdict::Unfinished => ended_itself,
        Verdict::Passed | Verdict::Skipped(_) => false,
    };
    let all = || report.verdicts.iter().filter(|(name, verdict)| failed(verdict) && !is_finding(name));
    let failure = all().find_map(|(_, verdict)| match verdict {
        Verdict::Failed(failure) => Some(format!("{}: {}", failure.class, failure.message)),
        _ => None,
    });
    (all().map(|(name, _)| name.clone()).collect(), failure.unwrap_or_default())
}

/// The test classes the patterns select.
fn discover(setup: &Setup, stop: &Stop, progress: &Progress) -> Result<Vec<String>> {
    let is_selected = |class: &&String| setup.options.seed_tests.iter().any(|p| p.matches(class));
    let all = setup.options.own_tests.as_ref().unwrap_or(&setup.all_classes);
    let selected: Vec<String> = all.iter().filter(is_selected).cloned().collect();
    // Confined, as no test runs yet: when confined JVMs do not start here, that shows before the seed suite has run.
    let mut jvm = setup.jvm("discovery", stop)?;
    jvm.heap_mib = HEAP_MIB;
    let found = suite::discover(&jvm, &selected, DISCOVERY).context("cannot look for seed tests")?;
    let named = setup.options.seed_tests.iter().filter(|_| setup.options.own_tests.is_none());
    for pattern in named {
        if !found.tests.iter().any(|(class, _)| pattern.matches(class)) {
            let matching = selected.iter().filter(|class| pattern.matches(class)).count();
            let trouble = found.troubles.first();
            let remedy = trouble.map_or("", |trouble| reasons::remedy(trouble));
            let trouble = trouble.map(|t| format!(" ({t})")).unwrap_or_default();
            return Err(anyhow!(
                "--seed-tests {}: {matching} classes of the class path have this name, none of them has tests{trouble}{remedy}",
                pattern.as_str()
            ));
        }
    }
    for framework in FRAMEWORKS.iter().filter(|framework| framework.runner.core().is_none()) {
        let left_out = found.tests.iter().filter(|(_, runner)| *runner == framework.runner).count();
        if left_out > 0 {
            progress.say(&format!(
                "{left_out} {} classes are left out: augment runs JUnit suites",
                framework.name
            ));
        }
    }
    let runs = |(class, runner): (String, Runner)| runner.core().map(|_| class);
    Ok(found.tests.into_iter().filter_map(runs).collect())
}

/// Most lines of what the seed suite printed that are repeated.
const PRINTED: usize = 20;

fn say_how_it_ended(report: &SuiteReport, setup: &Setup, stop: &Stop, progress: &Progress) {
    report.troubles.iter().for_each(|trouble| progress.say(&format!("warning: {trouble}")));
    let limit = setup.options.seed_timeout.as_secs();
    let during = report.unfinished().map(|test| format!(", in {test}")).unwrap_or_default();
    let used = "what it had shown is used";
    match &report.ended {
        Ended::Completed => {}
        _ if stop.is_stopped() => progress
            .say(&format!("warning: the seed suite was ended by the interrupt{during}; {used}")),
        Ended::TimedOut => progress.say(&format!(
            "warning: the seed suite was ended after {limit} s{during}; {used}. --seed-timeout allows more"
        )),
        Ended::Exited(status) => progress.say(&format!(
            "warning: the seed suite's JVM ended before its last test ({status}){during}; {used}. It printed last:\n{}",
            last_lines(&report.output_tail)
        )),
    }
}

/// One test may take so great a part of the seeds' time.
const SHARES: u32 = 4;

/// Says of tests that they take long, and of those that were cut off.
struct Long<'p> {
    share: Duration,
    progress: &'p Progress,
    slow: Slow,
}

impl Watch for Long<'_> {
    fn goes_on(&mut self, test: &str, time: Duration) {
        if self.slow.is_said(test, time) {
            self.progress.say(&format!(
                "{test} has been running for {} s; after {} s it is ended",
                time.as_secs(),
                self.share.as_secs()
            ));
        }
    }

    fn is_cut_off(&mut self, test: &str, left: usize) {
        let behind = match left {
            0 => String::new(),
            n => format!("; the seed suite goes on with {n} classes"),
        };
        self.progress.say(&format!(
            "warning: {test} was ended after {} s, a quarter of --seed-timeout, which allows more; what it had shown is used{behind}",
            self.share.as_secs()
        ));
    }
}

/// When it is said of a test that it takes long: after half a minute, and after twice as long each time.
#[derive(Default)]
struct Slow {
    test: String,
    said: Duration,
}

impl Slow {
    const FIRST: Duration = Duration::from_secs(30);

    /// Whether it is said now of a test that has been running for so long.
    fn is_said(&mut self, test: &str, time: Duration) -> bool {
        if self.test != test {
            *self = Self { test: test.to_owned(), said: Duration::ZERO };
        }
        let is_said = time >= Self::FIRST.max(self.said * 2);
        if is_said {
            self.said = time;
        }
        is_said
    }
}

/// Whether all of a suite was recorded.
fn say_what_was_left_out(recording: &Recording, progress: &Progress) {
    if let Some(text) = traces::left_out(recording) {
        progress.say(&format!(
            "of the seed suite were left out {text}: few pairs that only they cover may be missing. `dynaflow run --carve --thin off` records all, for --traces"
        ));
    }
}

/// The last lines of a text, as many as are read.
fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.trim().lines().collect();
    lines.get(lines.len().saturating_sub(PRINTED)..).unwrap_or_default().join("\n")
}

/// Which of the recorded tests can be carved.
fn summarised(recording: Recording) -> Seed {
    let names: BTreeSet<&str> =
        recording.tests.iter().filter(|t| is_whole(t)).map(|t| t.name.as_str()).collect();
    let all: BTreeSet<&str> =
        recording.tests.iter().map(|t| t.name.as_str()).filter(|name| !name.is_empty()).collect();
    let not_carved = all.difference(&names).count();
    let obstacle = recording.tests.iter().find_map(|test| test.carved.as_ref()?.obstacle.clone());
    Seed { not_carved, obstacle, recording, ..Seed::default() }
}

/// Whether a generated test could do all that this one does.
fn is_whole(test: &TestRecord) -> bool {
    test.carved.as_ref().is_some_and(|c| {
        c.obstacle.is_none() && rebuildable(&c.sequence).statements.len() == c.sequence.statements.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_did_not_end_failed_if_it_ended_the_jvm_and_not_if_we_did() {
        let verdicts = [
            ("a.B#fails", Verdict::Failed(Failure { class: "a.E".into(), ..Failure::default() })),
            ("a.B#found", Verdict::Failed(Failure::default())),
            ("a.B#hangs", Verdict::Unfinished),
            ("a.B#passes", Verdict::Passed),
        ];
        let report = |ended: Ended| SuiteReport {
            verdicts: verdicts.iter().map(|(name, verdict)| ((*name).to_owned(), verdict.clone())).collect(),
            order: vec![],
            effects: BTreeMap::new(),
            troubles: vec![],
            reached: BTreeSet::new(),
            ended,
            output_tail: String::new(),
        };
        let failing = |ended: Ended, is_stopped: bool| {
            failing(&report(ended), is_stopped, |name| name == "a.B#found").0
        };
        let exited = || Ended::Exited("exit status: 3".to_owned());
        assert_eq!(failing(exited(), false), ["a.B#fails", "a.B#hangs"]);
        assert_eq!(failing(exited(), true), ["a.B#fails"], "the interrupt ended the JVM");
        assert_eq!(failing(Ended::TimedOut, false), ["a.B#fails"]);
    }

    #[test]
    fn of_a_test_that_takes_long_it_is_said_after_half_a_minute_and_less_and_less_often() {
        let mut slow = Slow::default();
        let mut said = |test: &str| {
            let at = |time: &u64| slow.is_said(test, Duration::from_secs(*time));
            (1..300).filter(at).collect::<Vec<_>>()
        };
        assert_eq!(said("a.B#c"), [30, 60, 120, 240]);
        assert_eq!(said("a.B#d")[..2], [30, 60], "another test begins anew");
    }
}
