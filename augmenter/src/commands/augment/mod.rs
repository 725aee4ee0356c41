//! `dynaflow augment`: records the seed suite, grows it class by class to the fixpoint, writes what holds.
//!
//! Data path, a folder a step: [`ask`] (options, class paths) -> [`prepare`] (what is attacked, the JDK, the time) -> [`seed`] (the seeds, recorded) -> [`campaign`] (all that is known of
//! all targets) -> [`turns`] of classes: [`search`] -> [`check`] of what was kept: [`observe`] with [`mutants`], [`judge`], [`finish`] -> [`report`]. What is kept from step to step is in
//! [`facts`], what is read in class files in [`class_files`].
//!
//! A folder imports from those before it alone: ask, facts, class files, prepare, search, mutants, observe, judge, finish, report; then the seeds, the campaign, check, turns. Knows nothing
//! of JVMTI. Invariant: whatever ends the search, what was found until then goes through the same last stages.

pub mod ask;
mod campaign;
mod check;
mod class_files;
mod facts;
mod finish;
mod judge;
mod mutants;
mod observe;
mod prepare;
mod report;
mod search;
mod seed;
mod turns;

use crate::change::Change;
use crate::exit_code::Exit;
use crate::output::{self, NAMED};
use crate::progress::Progress;
use anyhow::{Result, anyhow};
use ask::from_project;
use ask::options::AugmentOptions;
use ask::paths::Paths;
use campaign::Campaign;
use dynaflow_model::types::TypeInfo;
use facts::{effects, reasons};
use prepare::budget::Limit;
use prepare::chosen::{self, Chosen};
use prepare::interrupt::Interrupt;
use prepare::setup::{self, Setup};
use report::results;
use search::universe;
use std::time::{Duration, Instant};

/// Runs the command.
///
/// # Errors
/// When inputs are wrong, or JVMs cannot be run at all.
pub fn run(options: &AugmentOptions) -> Result<Exit> {
    let progress = Progress::new();
    setup::check_criteria(options)?;
    let change = options.since.as_deref().map(|since| Change::since(options.build.folder(), since));
    let change = change.transpose()?;
    let mut options = from_project::completed(options, &progress)?;
    let paths = Paths::of(&options)?;
    let chosen = chosen::of(&options, &paths, change.as_ref())?;
    if change.is_some() || options.shard.is_some() {
        options.target = chosen.roots();
    }
    if chosen.targets.is_empty() {
        progress.end();
        return nothing(&options, &paths, &chosen);
    }
    let setup = Setup::new(&options, &paths, chosen)?;
    let interrupt = Interrupt::install()?;
    for missing in setup::check_confinement(&options)? {
        progress.say(&format!("warning: generated calls run without this protection: {missing}"));
    }
    say_setup(&setup, &progress);
    let started = Instant::now();
    let seed = match seed::record(&setup, &interrupt.search, &progress) {
        Ok(seed) => seed,
        Err(error) if interrupt.is_set() => {
            progress.say(&format!("interrupted before anything was recorded: {error:#}"));
            return Ok(Exit::Interrupted);
        }
        Err(error) => return Err(error),
    };
    say_seed(&setup, &seed, &progress);
    progress.say(&budget_line(&setup, started.elapsed()));
    let mut campaign = Campaign::new(&setup, &interrupt, &progress, seed);
    say_through(&campaign);
    let grown = grow(&mut campaign);
    if grown.is_err() {
        campaign.note_losses();
    }
    let lost_workers = campaign.losses.workers > 0;
    progress.end();
    // Whatever ended the search, what it found is written.
    let is_usable = campaign.has_usable_targets();
    campaign.report()?;
    match grown {
        _ if interrupt.is_set() => Ok(Exit::Interrupted),
        Err(error) => Err(error),
        Ok(()) if lost_workers => Ok(Exit::Failed),
        Ok(()) if !is_usable => {
            Err(anyhow!("no target can be loaded and initialised, so that nothing can be tested"))
        }
        Ok(()) => Ok(Exit::Success),
    }
}

/// Nothing is left to be attacked: no test runs and none is written; the files of results say so.
fn nothing(options: &AugmentOptions, paths: &Paths, chosen: &Chosen) -> Result<Exit> {
    let inputs = paths.full();
    output::check("--json", options.json.as_deref(), &inputs)?;
    output::check("--stats", options.stats.as_deref(), &inputs)?;
    results::nothing(options)?;
    chosen.lines.iter().for_each(|line| output::say(line));
    Ok(Exit::Success)
}

/// Searches all targets.
fn grow(campaign: &mut Campaign) -> Result<()> {
    if !campaign.seeds_use_any() && !campaign.is_scratch {
        campaign
            .progress
            .say("the seed tests use none of the target classes: the search starts from scratch");
        campaign.is_scratch = true;
    }
    campaign.progress.stage("starting workers");
    let mut pool = campaign.pool("worker", campaign.setup.workers(), &campaign.interrupt.search, true)?;
    let universe::Universe { types, failures } = campaign.types(&campaign.setup.targets, &mut pool)?;
    campaign.failures = failures;
    let is_target = |info: &&TypeInfo| campaign.setup.targets.contains(&info.name);
    campaign.infos = types.iter().filter(is_target).map(|info| (info.name.clone(), info.clone())).collect();
    let targets = campaign.targets();
    campaign.planned.clone_from(&targets);
    let grown = turns::grow(campaign, &targets, &types, &mut pool);
    campaign.losses.add(pool.losses());
    campaign.note_initialisers();
    grown
}

/// Reports what was chosen where no option chose.
fn say_setup(setup: &Setup, progress: &Progress) {
    if !setup.narrowed.is_empty() {
        progress.say(&format!("attacking {}", output::first(&setup.targets, NAMED)));
    }
    progress.say(&setup.recorded.line);
    for jar in &setup.added {
        progress.say(&format!("the class path lacks what runs JUnit 5; using {}", jar.display()));
    }
    if !setup.earlier.files.is_empty() {
        let edited = match setup.earlier.edited() {
            0 => String::new(),
            n => format!("; {n} of them are not as they were written and stay as they are"),
        };
        progress.say(&format!(
            "{} test classes in {} were written by an earlier run and count as seeds{edited}",
            setup.earlier.files.len(),
            setup.options.out().display()
        ));
    }
}

/// Reports which objects run the code of targets that have none of their own; of many with `-v` alone.
fn say_through(campaign: &Campaign) {
    let lines = campaign.through.lines();
    if lines.len() <= NAMED {
        lines.iter().for_each(|line| campaign.progress.say(line));
        return;
    }
    lines.iter().for_each(|line| tracing::info!("{line}"));
    let line =
        format!("{} target classes are tested with objects of their subclasses; -v names them", lines.len());
    campaign.progress.say(&line);
}

/// What the budget counts.
fn budget_line(setup: &Setup, seeds: Duration) -> String {
    let each = setup.options.budget_per_class.map(|each| format!(" ({} for a class at most)", spelled(each)));
    let each = each.unwrap_or_default();
    match setup.limit {
        Limit::Executions(n) => {
            format!(
                "searching with {n} call sequences for all classes together; recording and checking are not counted"
            )
        }
        Limit::Time(limit) => format!(
            "searching for {}{each}; not counted: recording the seeds, which took {}, and checking, which may take {}, or {} for each \
             class with new tests where that is more",
            spelled(limit),
            spelled(seeds),
            spelled(setup.checking(0).unwrap_or_default()),
            spelled(setup::CHECKING_ONE)
        ),
    }
}

/// A duration with as many digits as matter.
fn spelled(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

fn say_seed(setup: &Setup, seed: &seed::Seed, progress: &Progress) {
    if !setup.options.has_seeds() && seed.tests == 0 {
        progress.say("no seed tests: starting from scratch");
        return;
    }
    progress.say(&format!(
        "seed suite: {} tests, {} of them cannot be carved whole and are kept as they are",
        seed.tests, seed.not_carved
    ));
    if let Some(obstacle) = seed.obstacle.as_ref().filter(|_| seed.not_carved > 0) {
        progress.say(&format!("the first that cannot: {obstacle}"));
    }
    if seed.rebuilt().is_disjoint(&setup.classes) {
        progress.say("no seed test can be rebuilt from its calls: what they cover counts, and the search starts from scratch");
    }
    if let Some(effects) = effects::of_seeds(&seed.effects) {
        progress.say(&effects);
    }
    if !seed.failing.is_empty() {
        let how = match seed.failure.lines().next() {
            None => String::new(),
            Some(failure) => format!("; the first with {failure}{}", reasons::remedy(failure)),
        };
        progress.say(&format!(
            "warning: {} seed tests fail already, before anything is added: {}{how}",
            seed.failing.len(),
            output::first(&seed.failing, NAMED)
        ));
    }
}
