//! Runs candidates in worker JVMs and brings back, with each outcome, what the agent recorded of it.
//!
//! Knows nothing of search. Invariant: one run per job, in the order of the jobs, however many workers share them; a worker
//! that ends, halts or runs out of time costs the facts of the candidate it did so in and no others; one that is silent and
//! has to be killed costs those of its request that were not in the file yet.

use super::known::{Keys, PairKey};
use crate::jvm::wire::Job;
use crate::jvm::worker::{Worker, WorkerConfig};
use anyhow::{Context, Result};
use dynaflow_model::facts::{FactTable, Recording, TestRecord};
use dynaflow_model::outcome::Outcome;
use dynaflow_model::pattern::Pattern;
use dynaflow_model::sequence::Sequence;
use dynaflow_model::sites::MethodRef;
use dynaflow_model::types::TypeInfo;
use dynaflow_trace::{Event, TraceReader, extract};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What one run showed.
#[derive(Debug)]
pub struct Run {
    /// How it went.
    pub outcome: Outcome,
    /// The pairs of the target classes it executed.
    pub pairs: BTreeSet<PairKey>,
    /// All its facts, when it executed a pair that `interesting` names; see [`Pool::run`].
    pub facts: Option<Recording>,
}

/// Workers that run candidates with the agent attached.
#[derive(Debug)]
pub struct Pool {
    seats: Vec<Seat>,
    runs: u64,
}

#[derive(Debug)]
struct Seat {
    worker: Worker,
    /// Where the agent writes; none without an agent.
    traces: Option<PathBuf>,
    readers: BTreeMap<PathBuf, Follower>,
    roots: Vec<Pattern>,
}

#[derive(Debug)]
struct Follower {
    reader: TraceReader,
    keys: Keys,
}

impl Pool {
    /// Starts one worker per configuration. The agent of each must be set, with an `out` folder of its own.
    ///
    /// # Errors
    /// When a worker cannot be started.
    pub fn start(configs: Vec<WorkerConfig>, roots: &[Pattern]) -> Result<Self> {
        let mut seats = vec![];
        for config in configs {
            let traces = config.jvm.agent.as_ref().map(|a| a.options.out.clone());
            let worker = Worker::start(config)?;
            seats.push(Seat { worker, traces, readers: BTreeMap::new(), roots: roots.to_vec() });
        }
        Ok(Self { seats, runs: 0 })
    }

    /// How many workers there are.
    pub fn len(&self) -> usize {
        self.seats.len()
    }

    /// What a test may do with these classes; those that cannot be loaded are left out.
    ///
    /// # Errors
    /// When the worker is lost.
    pub fn describe(&mut self, classes: &[String]) -> Result<Vec<TypeInfo>> {
        let Some(seat) = self.seats.first_mut() else { return Ok(vec![]) };
        let described = seat.worker.describe(classes).context("asking for the types a test may use")?;
        for (class, reason) in &described.failures {
            tracing::info!(class, reason, "class cannot be used");
        }
        Ok(described.types)
    }

    /// Runs sequences, with observers to call at the end of each. `interesting` says of which pairs the facts are wanted.
    ///
    /// # Errors
    /// When a trace cannot be read.
    pub fn run(
        &mut self,
        sequences: Vec<(Sequence, Vec<(u32, MethodRef)>)>,
        interesting: impl Fn(PairKey) -> bool + Sync,
    ) -> Result<Vec<Run>> {
        let first = self.runs;
        self.runs += sequences.len() as u64;
        let jobs: Vec<Job> = (first..)
            .zip(sequences)
            .map(|(n, (sequence, observers))| Job { name: format!("candidate {n}"), sequence, observers })
            .collect();
        let share = jobs.len().div_ceil(self.seats.len().max(1)).max(1);
        let parts: Vec<Result<Vec<Run>>> = std::thread::scope(|scope| {
            let interesting = &interesting;
            let threads: Vec<_> = self
                .seats
                .iter_mut()
                .zip(jobs.chunks(share))
                .map(|(seat, jobs)| scope.spawn(move || seat.run(jobs, interesting)))
                .collect();
            let lost = || Err(anyhow::anyhow!("a thread that runs candidates panicked"));
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| lost())).collect()
        });
        let runs = parts.into_iter().collect::<Result<Vec<_>>>()?;
        Ok(runs.into_iter().flatten().collect())
    }
}

impl Seat {
    fn run(&mut self, jobs: &[Job], interesting: &(impl Fn(PairKey) -> bool + Sync)) -> Result<Vec<Run>> {
        let outcomes = self.worker.run(jobs);
        let mut runs: Vec<Run> = outcomes
            .into_iter()
            .map(|outcome| Run { outcome, pairs: BTreeSet::new(), facts: None })
            .collect();
        let places: BTreeMap<&str, usize> =
            jobs.iter().enumerate().map(|(place, job)| (job.name.as_str(), place)).collect();
        self.find_traces()?;
        for follower in self.readers.values_mut() {
            for record in follower.poll()? {
                if let Some(run) = places.get(record.name.as_str()).and_then(|&place| runs.get_mut(place)) {
                    follower.fill(run, &record, interesting);
                }
            }
        }
        Ok(runs)
    }

    /// A worker that was replaced writes a new file.
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
    fn open(path: &Path, roots: &[Pattern]) -> Result<Self> {
        Ok(Self { reader: TraceReader::open(path)?, keys: Keys::new(roots) })
    }

    fn poll(&mut self) -> Result<Vec<TestRecord>> {
        let events = self.reader.poll()?;
        self.keys.update(self.reader.facts());
        Ok(events
            .into_iter()
            .filter_map(|e| if let Event::Test(record) = e { Some(record) } else { None })
            .collect())
    }

    fn fill(&self, run: &mut Run, record: &TestRecord, interesting: &impl Fn(PairKey) -> bool) {
        run.pairs.extend(record.pairs.iter().filter_map(|&id| self.keys.get(id)));
        if run.pairs.iter().any(|&key| interesting(key)) {
            let mut facts = extract(self.facts(), record);
            facts.classes.clone_from(self.reader.classes());
            merge_into(&mut run.facts, facts);
        }
    }

    fn facts(&self) -> &FactTable {
        self.reader.facts()
    }
}

/// A test may leave more than one record.
fn merge_into(slot: &mut Option<Recording>, facts: Recording) {
    match slot {
        None => *slot = Some(facts),
        // One process has one build of each class, so this cannot conflict.
        Some(before) => drop(dynaflow_trace::merge(before, &facts)),
    }
}
