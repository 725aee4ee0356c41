//! `dynaflow review`: what submitted tests are worth beside a suite: whether they compile, hold, assert something and add something.
//!
//! Data path: sources -> [`sources`] (compiled) -> [`runs`] (five fresh JVMs) -> facts of suite and submitted tests -> [`added`] (pairs, mutants), [`asserts`] ->
//! [`verdict`] -> [`document`] -> [`write`]. Class paths come from the user or, by [`from_project`], from a build. Knows nothing of recording or of mutants.
//! Invariant: submitted tests are judged as they are, and never changed; no class of theirs counts as suite.

mod added;
mod asserts;
mod document;
mod from_project;
pub mod options;
mod runs;
mod sources;
mod verdict;
mod write;

use crate::agent_path;
use crate::classes::{self, Classes};
use crate::exit_code::Exit;
use crate::inputs::{self, Inputs, Tests};
use crate::jvm::launch::JvmConfig;
use crate::jvm::process::Stop;
use crate::jvm::reversed::ReversedTables;
use crate::jvm::suite::{self, TestSelector, Verdict};
use crate::mutation::{Observer, Settings};
use crate::output;
use crate::watch::{self, Watch};
use crate::work_folder::WorkFolder;
use added::{Executed, Judging, Noticed};
use anyhow::{Context, Result, anyhow, bail};
use asserts::Asserting;
use document::{Document, SuiteText};
use dynaflow_model::effect::Allowed;
use dynaflow_model::facts::Recording;
use dynaflow_model::frameworks::Runner as Framework;
use dynaflow_model::pattern::Pattern;
use options::{FailOn, ReviewOptions};
use runs::{Ran, Runner};
use sources::Compiled;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use verdict::{Kind, Known};

const DISCOVERY: Duration = Duration::from_secs(120);
/// A test with a mutant may take so many times as long as without, and so much longer.
const FACTOR: f64 = 1.25;
const CONSTANT: Duration = Duration::from_secs(1);
/// What every test may do: use files below the folder for temporary ones, look at files of the project.
const ALWAYS: &[&str] = &["files:tmp", "reads:work"];

/// Reviews.
///
/// # Errors
/// When sources or class paths cannot be read, nothing that was submitted is a test, or JVMs cannot be run.
pub fn run(options: &ReviewOptions) -> Result<Exit> {
    let (stop, watch) = (Stop::default(), Watch::new());
    watch::interrupts(&stop)?;
    let reviewed = from_project::completed(options, &watch).and_then(|options| {
        let document = review(&options, &stop, &watch)?;
        Ok((options, document))
    });
    watch.end();
    if stop.is_stopped() {
        output::error(&anyhow!("interrupted before every test was judged: nothing is written"));
        return Ok(Exit::Interrupted);
    }
    let (options, document) = reviewed?;
    output::result(options.output.as_deref(), |out| write::write(options.format, &document, out))?;
    let is_found = options.fail_on.iter().any(|what| is_found(*what, &document));
    Ok(if is_found { Exit::Found } else { Exit::Success })
}

fn is_found(what: FailOn, document: &Document) -> bool {
    let kind = match what {
        FailOn::None => return false,
        FailOn::Compile => return !document.compile_errors.is_empty(),
        FailOn::Failing => Kind::Failing,
        FailOn::Flaky => Kind::Flaky,
        FailOn::Skipped => Kind::Skipped,
        FailOn::AssertsNothing => Kind::AssertsNothing,
        FailOn::Redundant => Kind::Redundant,
        FailOn::Effects => Kind::Effects,
        FailOn::Slow => Kind::Slow,
    };
    document.tests.iter().any(|test| test.findings.iter().any(|finding| finding.kind == kind))
}

/// Everything that there is before tests run.
struct Prepared {
    work: WorkFolder,
    agent: PathBuf,
    tables: ReversedTables,
    /// The JVM of the suite, and that of the submitted tests.
    suite_jvm: JvmConfig,
    jvm: JvmConfig,
    /// Test classes.
    suite: Vec<String>,
    submitted: Vec<String>,
    compiled: Compiled,
    /// The classes that count.
    targets: Vec<(String, Vec<u8>)>,
    /// What is recorded.
    include: Vec<Pattern>,
    /// The program's classes, and the class path entries that have the tests'.
    program: BTreeSet<String>,
    test_entries: Vec<PathBuf>,
    troubles: Vec<String>,
}

fn review(options: &ReviewOptions, stop: &Stop, watch: &Watch) -> Result<Document> {
    let mut prepared = prepare(options, stop, watch)?;
    let runner = |jvm, name: &str, silence| Runner {
        jvm,
        work: prepared.work.path().join(name),
        agent: &prepared.agent,
        tables: &prepared.tables,
        include: &prepared.include,
        limit: options.suite_timeout,
        silence,
    };
    if prepared.submitted.is_empty() {
        let suite = suite_text(&prepared.suite, &Ran::default());
        return Ok(document::document(&[], None, suite, &prepared.compiled, prepared.troubles));
    }
    let (suite, recording) = match prepared.suite.as_slice() {
        [] => (Ran::default(), Recording::default()),
        classes => {
            watch.stage(&format!("recording the suite: {} test classes", classes.len()));
            runner(&prepared.suite_jvm, "suite", None).recorded(classes)?
        }
    };
    watch.stage(&format!("running the submitted tests: {} classes", prepared.submitted.len()));
    let of_submitted = runner(&prepared.jvm, "submitted", Some(options.test_timeout));
    let (first, facts) = of_submitted.recorded(&prepared.submitted)?;
    watch.stage("running them in reverse order, and with other hashes, days, places and orders");
    let again = of_submitted.again(&first.order)?;
    let runs: Vec<Ran> = std::iter::once(first).chain(again).collect();
    let targets: BTreeSet<&str> = prepared.targets.iter().map(|(name, _)| name.as_str()).collect();
    let roots = |root: &str| targets.contains(root);
    let pairs = Executed::of(&recording, &roots).added(&facts, &roots);
    let noticed = if options.no_mutants { None } else { noticed(options, &prepared, &runs, watch)? };
    let tests = Classes::list(&prepared.test_entries)?;
    let mut asserting = Asserting::new(&tests, &prepared.program);
    let judged = verdict::judge(Known {
        runs: &runs,
        pairs: &pairs,
        noticed: noticed.as_ref(),
        allowed: &allowed(options, &suite)?,
        asserts: &mut |test| asserting.asserts(test),
        slow: options.slow,
    });
    prepared.troubles.extend(suite.troubles.iter().map(|trouble| format!("of the suite: {trouble}")));
    prepared.troubles.extend(troubles(&runs, noticed.as_ref(), options));
    let new = noticed.as_ref().map(|noticed| &noticed.new);
    let text = suite_text(&prepared.suite, &suite);
    Ok(document::document(&judged, new, text, &prepared.compiled, prepared.troubles))
}

fn prepare(options: &ReviewOptions, stop: &Stop, watch: &Watch) -> Result<Prepared> {
    let sources = sources::found(options)?;
    let class_path = options.class_path.as_deref().unwrap_or_default();
    let inputs = Inputs::new(class_path, options.test_class_path.as_deref())?;
    output::check("--output", options.output.as_deref(), &[sources.clone(), inputs.full.clone()].concat())?;
    let (work, agent) = (WorkFolder::new()?, agent_path::find()?);
    let mut suite_jvm = inputs::jvm(&options.running(), &inputs, work.path(), stop)?;
    watch.stage("looking for the suite");
    let wanted =
        Tests { option: "--seed-tests", patterns: &options.seed_tests, exclude: &[], may_be_none: true };
    let (mut suite, added) = inputs.find_tests(&wanted, &suite_jvm, &|text| watch.say(text))?;
    let is_whole = !added.is_empty();
    suite_jvm.class_path.extend(added);
    watch.stage(&format!("compiling {} sources", sources.len()));
    let compiled = sources::compile(sources, &suite_jvm, &work.path().join("classes"))?;
    let mut jvm = suite_jvm.clone();
    jvm.class_path.insert(0, compiled.classes.clone());
    let classes: Vec<String> =
        Classes::list(std::slice::from_ref(&compiled.classes))?.names().map(str::to_owned).collect();
    let found = suite::discover(&jvm, &classes, DISCOVERY).context("cannot look for the submitted tests")?;
    if !is_whole && found.tests.iter().any(|(_, framework)| *framework == Framework::Platform) {
        jvm.class_path.extend(inputs.launcher()?);
    }
    let runs = |(class, framework): &(String, Framework)| framework.core().map(|_| class.clone());
    let submitted: Vec<String> = found.tests.iter().filter_map(runs).collect();
    if submitted.is_empty() && compiled.errors.is_empty() {
        let trouble = found.troubles.first().map(|why| format!(" ({why})")).unwrap_or_default();
        bail!("none of the {} submitted classes has JUnit tests{trouble}", classes.len());
    }
    suite.retain(|class| !classes.contains(class));
    let all_tests = [suite.clone(), classes.clone()].concat();
    let targets = inputs.targets((&options.target, &[]), &all_tests)?;
    let own = inputs.targets((&[], &[]), &all_tests)?;
    let recorded = targets.names().chain(own.names()).chain(all_tests.iter().map(String::as_str));
    let include = Pattern::of_packages(recorded);
    let program = own.names().chain(targets.names()).map(str::to_owned).collect();
    let test_entries = test_entries(&inputs, &suite, &compiled.classes)?;
    let targets = targets.each(|name, bytes| (name.to_owned(), bytes.to_vec()))?;
    Ok(Prepared {
        tables: ReversedTables::new(&jvm.jdk, work.path().join("tables")),
        work,
        agent,
        suite_jvm,
        jvm,
        suite,
        submitted,
        compiled,
        targets,
        include,
        program,
        test_entries,
        troubles: found.troubles,
    })
}

/// Where the classes of tests are: what was submitted, folders, and the jars that have classes of the suite.
fn test_entries(inputs: &Inputs, suite: &[String], submitted: &Path) -> Result<Vec<PathBuf>> {
    let mut entries = vec![submitted.to_owned()];
    for entry in inputs.tests() {
        let names = || Classes::list(std::slice::from_ref(entry));
        if entry.is_dir() || names()?.names().any(|name| suite.iter().any(|class| class == name)) {
            entries.push(entry.clone());
        }
    }
    Ok(entries)
}

/// What mutants show of the tests that pass in every run; nothing where none does.
fn noticed(
    options: &ReviewOptions,
    prepared: &Prepared,
    runs: &[Ran],
    watch: &Watch,
) -> Result<Option<Noticed>> {
    let submitted = surveyed(&prepared.submitted, runs);
    if submitted.is_empty() {
        return Ok(None);
    }
    let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let judging = Judging {
        jvm: &prepared.jvm,
        jvm_of_suite: &prepared.suite_jvm,
        work: &prepared.work.path().join("judged"),
        classes: &prepared.targets,
        settings: Settings {
            matrix: false,
            workers: options.jobs.map_or_else(processors, |n| n as usize),
            factor: FACTOR,
            constant: CONSTANT,
            suite: options.suite_timeout,
        },
        observer: watch,
    };
    judging.run(&submitted, &prepared.suite).map(Some)
}

/// What is asked about mutants: the classes with tests that pass in every run; of a class in which a test never ends, these tests alone.
fn surveyed(submitted: &[String], runs: &[Ran]) -> Vec<String> {
    let stable = verdict::stable(runs);
    let ends = |verdict: &Verdict| *verdict != Verdict::Unfinished;
    let is_of = |test: &str, class: &str| {
        let own = TestSelector::parse(test).class;
        classes::is_of(&own, class)
    };
    let mut surveyed = vec![];
    for class in submitted {
        let all = runs.iter().flat_map(|run| &run.verdicts).filter(|(test, _)| is_of(test, class));
        let own = stable.iter().filter(|test| is_of(test, class));
        if all.clone().all(|(_, verdict)| ends(verdict)) {
            surveyed.extend(own.clone().next().map(|_| class.clone()));
        } else {
            surveyed.extend(own.cloned());
        }
    }
    surveyed
}

fn allowed(options: &ReviewOptions, suite: &Ran) -> Result<Allowed> {
    let always = ALWAYS.iter().map(|permission| permission.parse().context("a permission of ours"));
    let always = always.collect::<Result<Vec<_>>>()?;
    let mut allowed: Allowed = always.into_iter().chain(options.allow_effects.iter().copied()).collect();
    suite.effects.values().flatten().for_each(|effect| allowed.allow_as(effect));
    Ok(allowed)
}

fn suite_text(classes: &[String], ran: &Ran) -> SuiteText {
    let is_bad = |verdict: &Verdict| matches!(verdict, Verdict::Failed(_) | Verdict::Unfinished);
    let failing = ran.verdicts.iter().filter(|(_, verdict)| is_bad(verdict));
    SuiteText {
        classes: classes.len(),
        failing: failing.map(|(test, _)| test.clone()).collect(),
        tests: ran.verdicts.len(),
    }
}

/// What could not be looked at, each once.
fn troubles(runs: &[Ran], noticed: Option<&Noticed>, options: &ReviewOptions) -> Vec<String> {
    let stable = verdict::stable(runs);
    let of_runs = runs.iter().flat_map(|run| run.troubles.iter().cloned());
    let left_out = noticed.into_iter().flat_map(|noticed| &noticed.left_out);
    let left_out = left_out.filter(|(test, _)| stable.contains(test));
    let left_out = left_out
        .map(|(test, why)| format!("{test} judges no mutant: {}", why.lines().next().unwrap_or_default()));
    let mut all: BTreeSet<String> = of_runs.chain(left_out).collect();
    let fails = runs.iter().flat_map(|run| run.verdicts.values()).any(|v| matches!(v, Verdict::Failed(_)));
    if fails && !options.unconfined {
        all.insert("tests ran confined; what fails only therefore runs with --unconfined".to_owned());
    }
    all.into_iter().collect()
}
