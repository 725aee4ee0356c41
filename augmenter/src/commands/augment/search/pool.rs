//! Runs candidates in worker JVMs and brings back, with each outcome, what the agent recorded of it.
//!
//! Knows nothing of search. Invariant: one run per job, in the order of the jobs; which worker runs a job depends on its place and on
//! the number of workers, never on how many of them run at a time, as candidates leave static state behind in their worker; a worker
//! that ends, halts, runs out of time or spoils its trace costs the facts of the candidate it did so in and no others: candidates
//! whose facts went with it run again. What was lost is counted.

use super::halves::{Aim, Halves};
use super::spent::Spent;
use crate::commands::augment::facts::known::Keys;
use crate::commands::augment::facts::losses::Losses;
use crate::commands::augment::facts::roots::Roots;
use crate::jvm::job::{Job, JobNumber};
use crate::jvm::worker::{Described, Worker, WorkerConfig};
use crate::own::{self, LeftBehind};
use anyhow::{Context, Result};
use dynaflow_model::facts::{FactTable, Recording, TestRecord};
use dynaflow_model::obstacle::Obstacle;
use dynaflow_model::outcome::{Outcome, Path};
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sequence::Sequence;
use dynaflow_trace::{Event, TraceReader, extract};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

/// What one run showed.
#[derive(Debug)]
pub struct Run {
    /// How it went.
    pub outcome: Outcome,
    /// The pairs of the target classes it executed, with definitions that it made itself.
    pub pairs: BTreeSet<PairKey>,
    /// All its facts, when it executed pairs for which they are wanted; see [`Pool::run`].
    pub facts: Option<Recording>,
    /// What kept it from executing the objective that it was made for; none when it was made for none, or left no facts.
    pub met: Option<Obstacle>,
}

/// What is wanted of the runs of some jobs.
struct Wanted<'a, F> {
    /// The number of the first job.
    first: u64,
    /// The objectives that they were made for, in the order of the jobs; those that are missing were made for none.
    aims: &'a [Option<Aim>],
    /// Whether the facts of the run in this place are wanted, which has these pairs.
    interesting: &'a F,
}

impl<F> Wanted<'_, F> {
    fn place(&self, number: JobNumber) -> Option<usize> {
        usize::try_from(number.0.checked_sub(self.first)?).ok()
    }

    fn aim(&self, number: JobNumber) -> Option<Aim> {
        self.aims.get(self.place(number)?).copied().flatten()
    }
}

/// Workers that run candidates with the agent attached.
#[derive(Debug)]
pub struct Pool {
    seats: Vec<Seat>,
    at_a_time: usize,
    runs: u64,
    losses: Losses,
    spent: Spent,
}

#[derive(Debug)]
struct Seat {
    worker: Worker,
    /// Where the agent writes; none without an agent.
    traces: Option<PathBuf>,
    readers: BTreeMap<PathBuf, Follower>,
    roots: Roots,
    losses: Losses,
    spent: Spent,
}

#[derive(Debug)]
struct Follower {
    reader: TraceReader,
    keys: Keys,
    halves: Halves,
    left: LeftBehind,
    /// What it says from some place on makes no sense.
    spoiled: bool,
}

impl Pool {
    /// A worker per configuration, `at_a_time` of which run at the same time; each starts with its first job, the first at once. The
    /// agent of each must be set, with an `out` folder of its own.
    ///
    /// # Errors
    /// When a worker cannot be started.
    pub fn start(configs: Vec<WorkerConfig>, at_a_time: usize, roots: &Roots) -> Result<Self> {
        let mut seats = vec![];
        for config in configs {
            let traces = config.jvm.agent.as_ref().map(|a| a.options.out.clone());
            let worker = if seats.is_empty() { Worker::start(config)? } else { Worker::later(config) };
            let roots = roots.clone();
            let (losses, spent) = Default::default();
            seats.push(Seat { worker, traces, readers: BTreeMap::new(), roots, losses, spent });
        }
        Ok(Self {
            seats,
            at_a_time: at_a_time.max(1),
            runs: 0,
            losses: Losses::default(),
            spent: Spent::default(),
        })
    }

    /// Ends the JVMs; each starts again with its next job.
    pub fn rest(&mut self) {
        self.seats.iter_mut().for_each(|seat| seat.worker.kill());
    }

    /// When what still runs is killed, and nothing runs any more; see [`Worker::set_deadline`].
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.seats.iter_mut().for_each(|seat| seat.worker.set_deadline(deadline));
    }

    /// Whether candidates may not have run because the time is over or the user ended the search.
    pub fn is_over(&self) -> bool {
        self.seats.iter().any(|seat| seat.worker.is_over())
    }

    /// What was lost since the pool was started.
    pub fn losses(&self) -> &Losses {
        &self.losses
    }

    /// What its workers were given, and what that cost.
    pub fn spent(&self) -> &Spent {
        &self.spent
    }

    /// What a test may do with these classes, and why others cannot be loaded.
    ///
    /// # Errors
    /// When the worker is lost.
    pub fn describe(&mut self, classes: &[String]) -> Result<Described> {
        let Some(seat) = self.seats.first_mut() else { return Ok(Described::default()) };
        let described = seat.worker.describe(classes).context("asking for the types a test may use")?;
        for (class, reason) in &described.failures {
            tracing::info!(class, reason, "class cannot be used");
        }
        Ok(described)
    }

    /// Which of these classes cannot be initialised, and why.
    ///
    /// # Errors
    /// When the worker is lost.
    pub fn initialise(&mut self, classes: &[String]) -> Result<Vec<(String, String)>> {
        let Some(seat) = self.seats.first_mut() else { return Ok(vec![]) };
        seat.worker.initialise(classes).context("running the initialisers of classes")
    }

    /// Runs sequences, with paths to look along at the end of each. `interesting` says by the pairs of one whether its facts are wanted.
    ///
    /// # Errors
    /// When a trace cannot be read.
    pub fn run(
        &mut self,
        sequences: Vec<(Sequence, Vec<Path>)>,
        interesting: impl Fn(&BTreeSet<PairKey>) -> bool + Sync,
    ) -> Result<Vec<Run>> {
        self.run_for(sequences, &[], |_, pairs| interesting(pairs))
    }

    /// The same for sequences that were made for these objectives; whether the facts of one are wanted also depends on its place.
    ///
    /// # Errors
    /// When a trace cannot be read.
    pub fn run_for(
        &mut self,
        sequences: Vec<(Sequence, Vec<Path>)>,
        aims: &[Option<Aim>],
        interesting: impl Fn(usize, &BTreeSet<PairKey>) -> bool + Sync,
    ) -> Result<Vec<Run>> {
        let first = self.runs;
        let wanted = Wanted { first, aims, interesting: &interesting };
        self.runs += sequences.len() as u64;
        let jobs: Vec<Job> = (first..)
            .zip(sequences)
            .map(|(n, (sequence, observers))| Job { number: JobNumber(n), sequence, observers, mutant: 0 })
            .collect();
        let share = jobs.len().div_ceil(self.seats.len().max(1)).max(1);
        let mut parts: Vec<(&mut Seat, &[Job])> = self.seats.iter_mut().zip(jobs.chunks(share)).collect();
        let several = parts.len().div_ceil(self.at_a_time).max(1);
        let results: Vec<Vec<Result<Vec<Run>>>> = std::thread::scope(|scope| {
            let wanted = &wanted;
            let run = |parts: &mut [(&mut Seat, &[Job])]| {
                parts.iter_mut().map(|(seat, jobs)| seat.run(jobs, wanted)).collect()
            };
            let threads: Vec<_> =
                parts.chunks_mut(several).map(|parts| scope.spawn(move || run(parts))).collect();
            let lost = || vec![Err(anyhow::anyhow!("a thread that runs candidates panicked"))];
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| lost())).collect()
        });
        for seat in &mut self.seats {
            self.losses.add(&std::mem::take(&mut seat.losses));
            self.spent.add(&std::mem::take(&mut seat.spent));
        }
        let runs = results.into_iter().flatten().collect::<Result<Vec<_>>>()?;
        Ok(runs.into_iter().flatten().collect())
    }
}

impl Drop for Pool {
    /// All that workers recorded is in their traces when a request is served, so there is nothing to wait for.
    fn drop(&mut self) {
        self.rest();
    }
}

impl Seat {
    fn run(
        &mut self,
        jobs: &[Job],
        wanted: &Wanted<'_, impl Fn(usize, &BTreeSet<PairKey>) -> bool + Sync>,
    ) -> Result<Vec<Run>> {
        let (before, was_gone) = (self.worker.restarts(), self.worker.gone().is_some());
        let mut seen = vec![false; jobs.len()];
        let mut runs = self.run_once(jobs, &mut seen, wanted)?;
        for (place, job) in jobs.iter().enumerate() {
            if !self.is_lost(&runs, &seen, place) {
                continue;
            }
            // Alone, so that nobody but the candidate itself can cost it its facts.
            let mut again = [false];
            let mut run = self.run_once(std::slice::from_ref(job), &mut again, wanted)?;
            if let (Some(slot), Some(run)) = (runs.get_mut(place), run.pop()) {
                *slot = run;
            }
            if let ([false], Some(run)) = (again, runs.get(place))
                && run.outcome.broken.is_none()
            {
                self.losses.facts += 1;
            }
        }
        // When the budget is spent, what did not run gives no answer either; only its JVM says what did not end by itself.
        let is_over = self.worker.is_over();
        let counts = |run: &&Run| !is_over || run.outcome.stalled.is_some();
        runs.iter().filter(counts).for_each(|run| self.losses.outcome(&run.outcome));
        self.losses.replaced += u64::from(self.worker.restarts() - before);
        if let Some(why) = self.worker.gone().filter(|_| !was_gone) {
            self.losses.worker(why);
        }
        Ok(runs)
    }

    /// Whether a candidate ran to its end and left no facts.
    fn is_lost(&self, runs: &[Run], seen: &[bool], place: usize) -> bool {
        self.traces.is_some()
            && !self.worker.is_over()
            && seen.get(place) == Some(&false)
            && runs.get(place).is_some_and(|run| run.outcome.broken.is_none())
    }

    /// Runs jobs; `seen` says of which of them facts came back.
    fn run_once(
        &mut self,
        jobs: &[Job],
        seen: &mut [bool],
        wanted: &Wanted<'_, impl Fn(usize, &BTreeSet<PairKey>) -> bool + Sync>,
    ) -> Result<Vec<Run>> {
        let started = Instant::now();
        let outcomes = self.worker.run(jobs);
        let replied = Instant::now();
        let mut runs: Vec<Run> = outcomes
            .into_iter()
            .map(|outcome| Run { outcome, pairs: BTreeSet::new(), facts: None, met: None })
            .collect();
        let places: BTreeMap<JobNumber, usize> =
            jobs.iter().enumerate().map(|(place, job)| (job.number, place)).collect();
        self.find_traces()?;
        let mut spoiled = false;
        for (path, follower) in &mut self.readers {
            let (records, trouble) = follower.poll();
            let mut of_jobs: BTreeMap<usize, Vec<TestRecord>> = BTreeMap::new();
            for record in records {
                let number = JobNumber::of_test(&record.name);
                if let Some(&place) = number.and_then(|number| places.get(&number)) {
                    of_jobs.entry(place).or_default().push(record);
                }
            }
            for (place, records) in of_jobs {
                if let (Some(run), Some(seen), Some(job)) =
                    (runs.get_mut(place), seen.get_mut(place), jobs.get(place))
                {
                    *seen = true;
                    let of_run = wanted.place(job.number);
                    let interesting =
                        |pairs: &_| of_run.is_some_and(|place| (wanted.interesting)(place, pairs));
                    follower.fill(run, &records, interesting);
                    run.met =
                        wanted.aim(job.number).map(|aim| follower.met(run, &records, aim, &job.sequence));
                }
            }
            if let Some(why) = trouble {
                tracing::info!(path = %path.display(), why, "a worker's trace is spoiled");
                self.losses.trace(&why);
                spoiled = true;
            }
        }
        let returned = runs.iter().map(|run| run.outcome.statements.len() as u64);
        self.spent.add(&Spent {
            sequences: runs.len() as u64,
            statements: returned.sum(),
            waiting: replied - started,
            reading: replied.elapsed(),
        });
        if spoiled {
            // Whatever it records from now on cannot be read.
            self.worker.kill();
        }
        Ok(runs)
    }

    /// A worker that was replaced writes a new file. The folder is ours; no candidate can put anything there.
    fn find_traces(&mut self) -> Result<()> {
        let Some(traces) = &self.traces else { return Ok(()) };
        let folder = || format!("reading the folder of worker traces `{}`", traces.display());
        for entry in std::fs::read_dir(traces).with_context(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|e| e == dynaflow_trace::EXTENSION)
                && !self.readers.contains_key(&path)
            {
                let follower = Follower::open(&path, &self.roots)?;
                self.readers.insert(path, follower);
            }
        }
        Ok(())
    }
}

impl Follower {
    fn open(path: &std::path::Path, roots: &Roots) -> Result<Self> {
        Ok(Self {
            reader: TraceReader::open(path)?,
            keys: Keys::new(roots),
            halves: Halves::default(),
            left: LeftBehind::default(),
            spoiled: false,
        })
    }

    /// The tests that ended since, and why there will be no more, once.
    fn poll(&mut self) -> (Vec<TestRecord>, Option<String>) {
        let mut records = vec![];
        if self.spoiled {
            return (records, None);
        }
        let error = loop {
            match self.reader.next() {
                Ok(Some(Event::Test(record))) => records.push(record),
                Ok(Some(_)) => {}
                Ok(None) => break self.reader.harmed().map(|cut| cut.reason.clone()),
                Err(e) => break Some(e.to_string()),
            }
        };
        self.keys.update(self.reader.facts(), self.reader.classes());
        self.left.update(self.reader.facts());
        self.spoiled = error.is_some();
        (records, error.map(|why| format!("the trace of a worker cannot be read on: {why}")))
    }

    /// Takes in what a job left; it may have left more than one record.
    fn fill(&self, run: &mut Run, records: &[TestRecord], interesting: impl Fn(&BTreeSet<PairKey>) -> bool) {
        let own = |record: &TestRecord| self.left.own(self.facts(), record);
        let all: Vec<_> = records.iter().map(own).collect();
        run.pairs.extend(all.iter().flatten().filter_map(|&id| self.keys.get(id)));
        if !interesting(&run.pairs) {
            return;
        }
        for (record, own) in records.iter().zip(all) {
            let mut facts = extract(self.facts(), &own::limited(record, own));
            facts.classes.clone_from(self.reader.classes());
            merge_into(&mut run.facts, facts);
        }
    }

    /// What kept a run, which left these records, from its aim.
    fn met(&mut self, run: &Run, records: &[TestRecord], aim: Aim, sequence: &Sequence) -> Obstacle {
        let (facts, builds) = (self.reader.facts(), self.reader.classes());
        let of = |record| self.halves.met((facts, builds), record, aim, (&run.outcome, sequence));
        records.iter().map(of).max().unwrap_or(Obstacle::Stopped)
    }

    fn facts(&self) -> &FactTable {
        self.reader.facts()
    }
}

fn merge_into(slot: &mut Option<Recording>, facts: Recording) {
    match slot {
        None => *slot = Some(facts),
        // One process has one build of each class, so this cannot conflict.
        Some(before) => drop(dynaflow_trace::merge(before, &facts)),
    }
}
