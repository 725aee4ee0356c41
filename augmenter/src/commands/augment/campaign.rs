//! The work on all targets: what is known of them, what their workers are, and what is written in the end.
//!
//! Knows nothing of turns. Invariant: what is reported as covered was covered by seeds or by tests that were compiled and run.

use super::effects::Refusals;
use super::extension::{self, Extension};
use super::finish::{Finished, Finishing, Held};
use super::growth::Kept;
use super::interrupt::Interrupt;
use super::known::Covered;
use super::losses::Losses;
use super::observe::Known;
use super::pool::Pool;
use super::progress::Progress;
use super::report::Row;
use super::setup::Setup;
use super::shown::Before;
use super::target::Target;
use super::universe::Universe;
use super::{finish, growth, observe, reasons, report, seed, universe};
use crate::jvm::process::Stop;
use crate::jvm::worker::WorkerConfig;
use crate::output;
use anyhow::Result;
use dynaflow_model::effect::Allowed;
use dynaflow_model::facts::Recording;
use dynaflow_model::outcome::Outcome;
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sequence::Sequence;
use dynaflow_model::types::TypeInfo;
use dynaflow_objectives::{DeclinedText, Iteration, StoppedBy};
use dynaflow_search::{Specimen, Types};
use dynaflow_testgen::{Source, TestCase};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// How long a kept test may take when it is observed, on average: each ran in less than the time limit before.
const OBSERVING: Duration = Duration::from_millis(500);

/// Stands for the comment of a test that did not run yet, so that its lines have their numbers.
const UNKNOWN: &str = "not run yet";

/// How many pairs a recording covers, by root.
fn pairs_by_root(recording: &Recording) -> BTreeMap<String, usize> {
    let facts = &recording.facts;
    let mut pairs: BTreeMap<String, usize> = BTreeMap::new();
    for (_, pair) in facts.pairs.iter() {
        if let Some(variable) = facts.variables.get(pair.variable) {
            *pairs.entry(facts.text(variable.root).to_owned()).or_default() += 1;
        }
    }
    pairs
}

/// What the iterations of a class added, by the tests that were written and what these cover as they are written: the iteration that
/// kept each, and how many pairs it is the first to cover.
fn confirmed(mut iterations: Vec<Iteration>, written: &[(u32, usize)]) -> Vec<Iteration> {
    for iteration in &mut iterations {
        let of_it = || written.iter().filter(|(n, _)| *n == iteration.n);
        iteration.tests_added = of_it().count() as u64;
        iteration.covered_new = of_it().map(|(_, first)| *first as u64).sum();
    }
    iterations
}

/// A class whose tests were written.
pub struct Concluded {
    class: String,
    types: Types,
    sequences: Vec<Sequence>,
    /// Whether the search for it went to its end.
    is_whole: bool,
}

fn test_case(test: &Kept, outcome: Outcome) -> TestCase {
    // What it covers is known when it was compiled and ran.
    TestCase { name_hint: None, comment: UNKNOWN.to_owned(), sequence: test.sequence.clone(), outcome }
}

/// The work on all targets.
pub struct Campaign<'a> {
    pub setup: &'a Setup<'a>,
    pub interrupt: &'a Interrupt,
    pub progress: &'a Progress,
    /// Facts of the seeds and of what was kept.
    pub suite: Recording,
    /// Facts of the seeds and of the compiled tests.
    pub confirmed: Recording,
    /// What the seeds and all kept tests cover.
    pub covered: Covered,
    /// What the seeds and the compiled tests cover.
    pub confirmed_covered: Covered,
    pub inferred: BTreeMap<PairKey, u32>,
    pub iterations: Vec<Iteration>,
    pub stopped_by: Option<StoppedBy>,
    /// What tests may do beyond their own objects.
    pub allowed: Allowed,
    /// By class: tests that do more.
    pub refusals: Vec<(String, Refusals)>,
    pub rows: Vec<Row>,
    pub sources: Vec<Source>,
    pub dropped: Vec<String>,
    /// Tests of earlier runs that new ones make redundant.
    pub redundant: usize,
    pub losses: Losses,
    /// By class, the pairs that the seeds cover.
    pub seed_pairs: BTreeMap<String, usize>,
    /// Whether the search starts from scratch: there are no seeds, or no call of theirs that uses the program can be rebuilt.
    pub is_scratch: bool,
    /// Classes whose use the seeds show with calls that can be rebuilt.
    pub rebuilt: BTreeSet<String>,
    /// The classes whose tests were written.
    pub concluded: Vec<Concluded>,
    /// The targets to be grown.
    pub planned: Vec<String>,
    /// What the targets are.
    pub infos: BTreeMap<String, TypeInfo>,
    /// Why classes cannot be loaded, by name.
    pub failures: BTreeMap<String, String>,
    /// Why targets cannot be initialised, by name.
    pub uninitialised: BTreeMap<String, String>,
}

impl<'a> Campaign<'a> {
    /// Begins with what the seeds showed.
    pub fn new(setup: &'a Setup, interrupt: &'a Interrupt, progress: &'a Progress, seed: seed::Seed) -> Self {
        let rebuilt = seed.rebuilt();
        let is_scratch = !setup.options.has_seeds() || rebuilt.is_disjoint(&setup.classes);
        let seed::Seed { recording: seed, effects: mut allowed, .. } = seed;
        setup.options.allow_effects.iter().for_each(|&permission| allowed.allow(permission));
        let seed_pairs = pairs_by_root(&seed);
        let mut covered = Covered::default();
        growth::cover_seeds(&seed, &setup.options.target, &mut covered);
        Self {
            setup,
            interrupt,
            progress,
            confirmed: seed.clone(),
            suite: seed,
            confirmed_covered: covered.clone(),
            covered,
            inferred: BTreeMap::new(),
            iterations: vec![],
            stopped_by: None,
            allowed,
            refusals: vec![],
            rows: vec![],
            sources: vec![],
            dropped: vec![],
            redundant: 0,
            losses: Losses::default(),
            seed_pairs,
            is_scratch,
            rebuilt,
            concluded: vec![],
            planned: vec![],
            infos: BTreeMap::new(),
            failures: BTreeMap::new(),
            uninitialised: BTreeMap::new(),
        }
    }

    /// The search ended in trouble, or when the user asked for it before it began.
    pub fn note_losses(&mut self) {
        let interrupted = self.interrupt.is_set();
        self.stopped_by = Some(if interrupted { StoppedBy::Interrupted } else { StoppedBy::Losses });
    }

    /// The classes of which some object or static state was read or written.
    fn roots(&self) -> BTreeSet<&str> {
        let facts = &self.suite.facts;
        facts.variables.iter().map(|(_, variable)| facts.text(variable.root)).collect()
    }

    /// The targets that the seeds use.
    pub fn used(&self) -> impl Iterator<Item = &String> {
        let roots = self.roots();
        self.setup.targets.iter().filter(move |class| roots.contains(class.as_str()))
    }

    /// With seeds, the targets they use; from scratch, all that can have state.
    pub fn targets(&self) -> Vec<String> {
        if !self.is_scratch {
            return self.used().cloned().collect();
        }
        self.setup.targets.iter().filter(|class| self.never(class).is_none()).cloned().collect()
    }

    /// Why a target cannot be a root whatever is run; none when it can.
    fn never(&self, class: &str) -> Option<String> {
        reasons::never(self.infos.get(class), self.failures.get(class).map(String::as_str))
    }

    /// Whether a target can be loaded and initialised, as far as that is known.
    pub fn has_usable_targets(&self) -> bool {
        let is_broken =
            |class: &String| self.failures.contains_key(class) || self.uninitialised.contains_key(class);
        self.setup.targets.iter().any(|class| !is_broken(class))
    }

    /// Finds out whether the targets of which nothing came can be initialised at all. What goes wrong here costs a reason, nothing else.
    pub fn note_initialisers(&mut self) {
        let roots = self.roots();
        let silent = |class: &&String| !roots.contains(class.as_str()) && self.never(class).is_none();
        let silent: Vec<String> = self.setup.targets.iter().filter(silent).cloned().collect();
        if silent.is_empty() || self.interrupt.is_set() {
            return;
        }
        let asked = self.pool("initialiser", 1, &self.interrupt.finish, false);
        match asked.and_then(|mut pool| pool.initialise(&silent)) {
            Ok(failures) => self.uninitialised.extend(failures),
            Err(error) => tracing::info!("which targets can be initialised is not known: {error:#}"),
        }
    }

    /// Whether no seed test shows how the class is used: then anything new is wanted.
    pub fn explores(&self, class: &str) -> bool {
        self.is_scratch || !self.rebuilt.contains(class)
    }

    /// Workers with private folders below `name`; `recorded` ones have the agent.
    ///
    /// # Errors
    /// When one cannot be started.
    pub fn pool(&self, name: &str, workers: usize, stop: &Stop, recorded: bool) -> Result<Pool> {
        let mut configs = vec![];
        for n in 0..workers {
            let mut jvm = self.setup.jvm(&format!("{name}-{n}"), stop)?;
            jvm.agent = recorded.then(|| self.setup.agent(&format!("{name}-{n}-traces"), true));
            configs.push(WorkerConfig { jvm, time_limit: self.setup.time_limit() });
        }
        Pool::start(configs, self.setup.jobs, &self.setup.options.target)
    }

    /// The types that tests of the targets may use.
    ///
    /// # Errors
    /// When no worker can be asked.
    pub fn types(&self, targets: &[String], pool: &mut Pool) -> Result<Universe> {
        let carved = self.suite.tests.iter().filter_map(|t| t.carved.as_ref()).map(|c| &c.sequence);
        let ours =
            self.suite.classes.keys().filter(|class| self.setup.classes.contains(*class)).cloned().collect();
        universe::types(pool, targets, carved, &ours)
    }

    /// Checks the tests that were kept for a class, and adds those that hold to the results.
    ///
    /// # Errors
    /// When JVMs or the compiler cannot be run at all, or not in time; what was kept counts as dropped then.
    pub fn conclude(&mut self, target: Target, pool: &mut Pool, deadline: Option<Instant>) -> Result<()> {
        let started = Instant::now();
        let Target { class, types, mut refusals, grown, executions, searched, .. } = target;
        let (stopped_by, iterations) = (grown.stopped_by, grown.iterations.len());
        let (finished, trouble) = match self.finish(&class, &grown.kept, &types, pool, deadline) {
            Ok(finished) => (finished, None),
            Err(error) => {
                let dropped = vec![format!("{class}: it could not be checked: {error:#}"); grown.kept.len()];
                (Finished { dropped, ..Finished::default() }, Some(error))
            }
        };
        let held = finished.held.iter();
        let written: Vec<(&Kept, &Held)> =
            held.filter_map(|held| Some((grown.kept.get(held.place)?, held))).collect();
        let shares: Vec<_> = written.iter().map(|(kept, held)| (kept.iteration, held.new.len())).collect();
        for (kept, held) in &written {
            held.new.iter().for_each(|&key| {
                self.confirmed_covered.add(key, kept.iteration);
            });
        }
        let sequences = written.iter().map(|(kept, _)| kept.sequence.clone()).collect();
        self.add_iterations(&confirmed(grown.iterations, &shares), stopped_by);
        self.redundant += finished.redundant;
        extension::forget(&mut self.confirmed, &finished.replaced());
        refusals.merge(finished.refusals);
        self.rows.push(Row {
            class: class.clone(),
            tests_added: finished.tests,
            findings: finished.findings,
            dropped: finished.dropped.len(),
            not_written: refusals.tests(),
            iterations,
            stopped_by: stopped_by.map_or("", report::stop_word),
            executions,
            seconds: (searched + started.elapsed()).as_secs_f64(),
            ..Row::default()
        });
        self.refusals.push((class.clone(), refusals));
        dynaflow_trace::merge(&mut self.confirmed, &finished.recording)?;
        let is_whole = stopped_by == Some(StoppedBy::Fixpoint);
        self.concluded.push(Concluded { class, types, sequences, is_whole });
        self.sources.extend(finished.sources);
        self.dropped.extend(finished.dropped);
        trouble.map_or(Ok(()), Err)
    }

    /// Public methods of a class that no test calls, on a line.
    fn uncalled(&self, of: &Concluded) -> Option<String> {
        let info = self.infos.get(&of.class)?;
        let written = self.concluded.iter().flat_map(|concluded| &concluded.sequences);
        reasons::uncalled(info, &of.types, &self.confirmed, written, of.is_whole)
    }

    /// What splicing takes its parts from: the tests carved so far.
    pub fn specimens(&self) -> Vec<Specimen> {
        let tests = self.suite.tests.iter();
        tests
            .filter_map(|t| {
                let sequence = t.carved.as_ref()?.sequence.clone();
                Some(Specimen { sequence, witnesses: t.witnesses.clone() })
            })
            .collect()
    }

    /// Iterations of several classes are counted together; the weakest reason to stop stands for all.
    fn add_iterations(&mut self, iterations: &[Iteration], stopped_by: Option<StoppedBy>) {
        for (index, one) in iterations.iter().enumerate() {
            match self.iterations.get_mut(index) {
                Some(sum) => {
                    sum.covered_new += one.covered_new;
                    sum.objectives_new += one.objectives_new;
                    sum.tests_added += one.tests_added;
                }
                None => self.iterations.push(*one),
            }
        }
        let weight = |s: Option<StoppedBy>| match s {
            None => 0,
            Some(StoppedBy::Fixpoint) => 1,
            Some(StoppedBy::Iterations) => 2,
            Some(StoppedBy::Budget) => 3,
            Some(StoppedBy::Losses) => 4,
            Some(StoppedBy::Interrupted) => 5,
        };
        if weight(stopped_by) > weight(self.stopped_by) {
            self.stopped_by = stopped_by;
        }
    }

    /// Observes, writes, compiles and runs what was kept.
    fn finish(
        &self,
        class: &str,
        kept: &[Kept],
        types: &Types,
        pool: &mut Pool,
        end: Option<Instant>,
    ) -> Result<Finished> {
        if kept.is_empty() {
            return Ok(Finished::default());
        }
        if end.is_some_and(|end| Instant::now() >= end) {
            let tests = kept.len();
            self.progress.say(&format!(
                "{class}: {tests} tests are not written, as checking took too long before their turn came; a larger --budget allows more"
            ));
            let dropped = vec!["it was not checked in time".to_owned(); tests];
            return Ok(Finished { dropped, ..Finished::default() });
        }
        self.progress.stage(&format!("checking {} tests of {class}", kept.len()));
        let stop = &self.interrupt.finish;
        let mut fresh = self.pool("observer", 1, stop, false)?;
        let patience = self.setup.time_limit() + OBSERVING * u32::try_from(kept.len()).unwrap_or(u32::MAX);
        // No clock decides what a reproducible search finds.
        let deadline = end.and_then(|end| Some(end.min(Instant::now().checked_add(2 * patience)?)));
        fresh.set_deadline(deadline);
        let library = self.setup.library()?;
        let known = Known { suite: &self.suite, inferred: &self.inferred, types, library: &library };
        let outcomes = if self.interrupt.is_set() || pool.losses().workers > 0 {
            // The search's workers are gone.
            let mut other = self.pool("observer-again", 1, stop, false)?;
            other.set_deadline(deadline);
            observe::observe(kept, known, &mut other, &mut fresh)?
        } else {
            pool.set_deadline(deadline);
            observe::observe(kept, known, pool, &mut fresh)?
        };
        let stable: Vec<usize> =
            (0..).zip(&outcomes).filter(|(_, outcome)| outcome.is_some()).map(|(place, _)| place).collect();
        let unstable = outcomes.iter().filter(|o| o.is_none()).count();
        let stable_tests = kept.iter().zip(outcomes).filter_map(|(test, outcome)| Some((test, outcome?)));
        let (tests, cases): (Vec<&Kept>, Vec<TestCase>) =
            stable_tests.map(|(test, outcome)| (test, test_case(test, outcome))).unzip();
        let extension = self.extension(class, &tests, &cases);
        let (covered, inferred) = (&self.confirmed_covered, &self.inferred);
        let before = Before { roots: &self.setup.options.target, covered, inferred };
        let with = Finishing { setup: self.setup, allowed: &self.allowed, stop, end, before };
        let mut finished = finish::finish(with, class, cases, types, extension)?;
        for held in &mut finished.held {
            // Each case has its place among the stable ones.
            held.place = stable.get(held.place).copied().unwrap_or(usize::MAX);
        }
        finished.dropped.extend((0..unstable).map(|_| "it ended differently in another JVM".to_owned()));
        Ok(finished)
    }

    /// What earlier runs wrote for a class, to take the new tests.
    fn extension(&self, class: &str, tests: &[&Kept], cases: &[TestCase]) -> Extension {
        let is_green = |case: &TestCase| case.outcome.thrown.as_ref().is_none_or(|thrown| thrown.declared);
        let facts = tests.iter().zip(cases).map(|(test, case)| is_green(case).then_some(&test.pairs));
        let existing = self.setup.earlier.extendable(class, self.setup.style);
        Extension::new(existing, &self.confirmed, &facts.collect::<Vec<_>>(), &self.setup.options.target)
    }

    /// Writes the tests, the document and the figures, and reports what came of it.
    ///
    /// # Errors
    /// Names the file that cannot be written.
    pub fn report(mut self) -> Result<()> {
        let options = self.setup.options;
        let mut document = report::document(
            &self.confirmed,
            &options.target,
            &self.confirmed_covered,
            &self.inferred,
            std::mem::take(&mut self.iterations),
            self.stopped_by,
        );
        document.not_written =
            self.refusals.iter().flat_map(|(class, refusals)| refusals.texts(class)).collect();
        let known: BTreeSet<&str> = self.rows.iter().map(|row| row.class.as_str()).collect();
        let rest = self.setup.targets.iter().filter(|class| !known.contains(class.as_str()));
        let rest: Vec<Row> = rest.map(|class| Row { class: class.clone(), ..Row::default() }).collect();
        self.rows.extend(rest);
        self.rows.sort_by(|a, b| a.class.cmp(&b.class));
        let figures = document.figures();
        let mut rows = std::mem::take(&mut self.rows);
        for row in &mut rows {
            let of_class = figures.get(row.class.as_str()).copied().unwrap_or_default();
            row.seed_pairs = self.seed_pairs.get(&row.class).copied().unwrap_or_default();
            (row.pairs, row.open) = (of_class.covered, of_class.objectives);
            row.covered = row.pairs.saturating_sub(row.seed_pairs);
            row.objectives = row.covered + row.open;
            row.reason = self.reason(row).unwrap_or_default();
        }
        drop(figures);
        self.rows = rows;
        let nothing = self.rows.iter().filter(|row| !row.reason.is_empty());
        document.nothing_found =
            nothing.map(|r| DeclinedText { class: r.class.clone(), reason: r.reason.clone() }).collect();
        report::sources(&options.out, &self.sources)?;
        if let Some(path) = &options.json {
            output::result(Some(path), |out| document.write(options.json_version.into(), out))?;
        }
        if let Some(path) = &options.stats {
            report::stats(path, &self.rows)?;
        }
        self.dropped.iter().for_each(|why| tracing::info!(why, "test dropped"));
        self.say_end();
        Ok(())
    }

    /// Why nothing was found for the class of a row; none when something was.
    fn reason(&self, row: &Row) -> Option<String> {
        if row.pairs + row.open + row.tests_added + row.findings + row.not_written > 0 {
            return None;
        }
        let is_untouched = row.executions == 0 && self.planned.contains(&row.class);
        if is_untouched && row.stopped_by != report::stop_word(StoppedBy::Fixpoint) {
            return Some("the search ended before its turn came".to_owned());
        }
        let info = self.infos.get(&row.class);
        let uninitialised = || self.uninitialised.get(&row.class).cloned();
        self.never(&row.class)
            .or_else(uninitialised)
            .or_else(|| info.map(|info| reasons::nothing(info, &self.confirmed, self.is_scratch)))
    }

    fn say_end(&self) {
        for row in &self.rows {
            if !row.reason.is_empty() {
                output::say(&format!("{}: nothing found: {}", row.class, row.reason));
                continue;
            }
            output::say(&format!(
                "{}: {} pairs covered by the seeds, {} now; {} objectives open; {} tests added, {} findings, {} dropped, {} not written for their effects; {} after {} iterations",
                row.class,
                row.seed_pairs,
                row.pairs,
                row.open,
                row.tests_added,
                row.findings,
                row.dropped,
                row.not_written,
                row.stopped_by,
                row.iterations
            ));
        }
        let is_found = |class: &String| self.rows.iter().any(|r| r.class == *class && r.reason.is_empty());
        for concluded in self.concluded.iter().filter(|concluded| is_found(&concluded.class)) {
            if let Some(line) = self.uncalled(concluded) {
                output::say(&format!("{}: {line}", concluded.class));
            }
        }
        self.losses.lines().iter().for_each(|line| output::say(line));
        for (class, refusals) in &self.refusals {
            refusals.lines().for_each(|line| output::say(&format!("{class}: {line}")));
        }
        for source in &self.sources {
            let path = self.setup.options.out.join(&source.path);
            match source.kept.len() {
                _ if source.replaces.is_none() => output::say(&format!("wrote {}", path.display())),
                kept => output::say(&format!("extended {}, which keeps {kept} of its tests", path.display())),
            }
        }
        if self.redundant > 0 {
            output::say(&format!(
                "{} tests of earlier runs were left out: for each, one of the new tests covers all its pairs",
                self.redundant
            ));
        }
    }
}
