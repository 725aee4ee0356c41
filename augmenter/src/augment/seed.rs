//! Records the seed suite: which tests there are, how they end, what they show, and the calls they make.
//!
//! Knows nothing of search. Invariant: seed tests are run, never changed; whatever was recorded before trouble is used.

use super::progress::Progress;
use super::setup::Setup;
use crate::jvm::process::Stop;
use crate::jvm::sandbox::Confinement;
use crate::jvm::suite::{self, Ended, Framework, SuiteConfig, SuiteReport, TestSelector, Verdict};
use anyhow::{Context, Result, anyhow};
use dynaflow_model::effect::Allowed;
use dynaflow_model::facts::{Recording, TestRecord};
use dynaflow_search::rebuildable;
use std::collections::BTreeSet;
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
    /// What tests may do because these do it.
    pub effects: Allowed,
    /// Tests whose calls cannot all be rebuilt in a generated test; they stay as they are and still count.
    pub not_carved: usize,
}

const DISCOVERY: Duration = Duration::from_secs(120);
const HEAP_MIB: u32 = 2048;

/// Runs and records the seed tests; nothing when there are no patterns.
///
/// # Errors
/// When a pattern names no test class, the suite cannot be run, or nothing of it was recorded.
pub fn record(setup: &Setup, stop: &Stop, progress: &Progress) -> Result<Seed> {
    if setup.options.seed_tests.is_empty() {
        return Ok(Seed::default());
    }
    progress.stage("looking for seed tests");
    let classes = discover(setup, stop, progress)?;
    progress.stage(&format!("recording the seed suite: {} test classes", classes.len()));
    let mut jvm = setup.jvm("seed", stop)?;
    // The user's own tests run as the user runs them: in the user's folder, and with the user's rights unless told otherwise.
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
    let report = suite::run(&SuiteConfig { jvm, tests, timeout: setup.options.seed_timeout, silence: None })
        .context("cannot run the seed suite")?;
    say_how_it_ended(&report, setup, progress);
    let merged = crate::traces::read(&[setup.work.path().join("seed-traces")]).with_context(|| {
        format!("the seed suite left no trace. What it printed last:\n{}", report.output_tail.trim())
    })?;
    Ok(summarised(merged.recording, &report))
}

/// The test classes the patterns select.
fn discover(setup: &Setup, stop: &Stop, progress: &Progress) -> Result<Vec<String>> {
    let all = super::classpath::classes(&setup.full_class_path)?;
    let selected: Vec<String> =
        all.into_iter().filter(|class| setup.options.seed_tests.iter().any(|p| p.matches(class))).collect();
    // Confined, as no test runs yet: when confined JVMs do not start here, that shows before the seed suite has run.
    let mut jvm = setup.jvm("discovery", stop)?;
    jvm.heap_mib = HEAP_MIB;
    let found = suite::discover(&jvm, &selected, DISCOVERY).context("cannot look for seed tests")?;
    for pattern in &setup.options.seed_tests {
        if !found.tests.iter().any(|(class, _)| pattern.matches(class)) {
            let matching = selected.iter().filter(|class| pattern.matches(class)).count();
            let trouble = found.troubles.first().map(|t| format!(" ({t})")).unwrap_or_default();
            return Err(anyhow!(
                "--seed-tests {}: {matching} classes of the class path have this name, none of them has tests{trouble}",
                pattern.as_str()
            ));
        }
    }
    let testng = found.tests.iter().filter(|(_, framework)| *framework == Framework::TestNg).count();
    if testng > 0 {
        progress.say(&format!("{testng} TestNG classes are left out: augment runs JUnit suites"));
    }
    Ok(found.tests.into_iter().filter(|(_, f)| *f != Framework::TestNg).map(|(class, _)| class).collect())
}

fn say_how_it_ended(report: &SuiteReport, setup: &Setup, progress: &Progress) {
    report.troubles.iter().for_each(|trouble| progress.say(&format!("warning: {trouble}")));
    match &report.ended {
        Ended::Completed => {}
        Ended::TimedOut => progress.say(&format!(
            "warning: the seed suite was ended after {} s; what it had shown is used. --seed-timeout allows more",
            setup.options.seed_timeout.as_secs()
        )),
        Ended::Exited(status) => progress.say(&format!(
            "warning: the seed suite's JVM ended before its last test ({status}); what it had shown is used. It printed last:\n{}",
            report.output_tail.trim()
        )),
    }
}

fn summarised(recording: Recording, report: &SuiteReport) -> Seed {
    let failing = report
        .verdicts
        .iter()
        .filter(|(_, verdict)| matches!(verdict, Verdict::Failed(_) | Verdict::Unfinished))
        .map(|(name, _)| name.clone())
        .collect();
    let names: BTreeSet<&str> =
        recording.tests.iter().filter(|t| is_whole(t)).map(|t| t.name.as_str()).collect();
    let all: BTreeSet<&str> =
        recording.tests.iter().map(|t| t.name.as_str()).filter(|name| !name.is_empty()).collect();
    let not_carved = all.difference(&names).count();
    let mut effects = Allowed::default();
    report.effects.values().flatten().for_each(|effect| effects.allow_as(effect));
    Seed { tests: report.verdicts.len(), failing, effects, not_carved, recording }
}

/// Whether a generated test could do all that this one does.
fn is_whole(test: &TestRecord) -> bool {
    test.carved.as_ref().is_some_and(|c| {
        c.obstacle.is_none() && rebuildable(&c.sequence).statements.len() == c.sequence.statements.len()
    })
}
