//! The workers: threads that take mutants one after the other, each with a JVM of its own. Knows nothing of what mutants are.
//!
//! Invariant: results stand in the order of the jobs, whoever did them; a JVM has the classes of one group.

use super::judge::{Alone, Job, Jvm, Ran, Stop, judge};
use super::survey::Unit;
use super::types::{Judged, Observer, Settings, Status};
use crate::jvm::launch::JvmConfig;
use crate::jvm::mutant_runner::{Limit, MutantRunner, Outcome};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// What the first test of a JVM may take longer: JUnit and the classes under test are loaded.
const FIRST: Duration = Duration::from_secs(3);
/// What a test without mutant may take longer: it ends, as it did before, and only load delays it.
const WITHOUT: Duration = Duration::from_secs(60);
/// What load may delay the first test of a JVM.
const LOAD: Duration = Duration::from_secs(20);
/// A test that takes so long starts an application, as a rule; the first of these in a JVM may take so much longer, as their framework is loaded.
pub(super) const SLOW: Duration = Duration::from_secs(1);
const STARTING: Duration = Duration::from_secs(20);
/// A test that waits is ended by the clock, after so many times the constant.
const CLOCK: u32 = 10;

/// The JVMs that an earlier crew left warm, by worker, each with the group of its classes: starting one and loading a test framework costs more than most
/// questions.
#[derive(Debug, Default)]
pub(super) struct Left(Mutex<BTreeMap<usize, (usize, Live)>>);

/// A JVM that runs tests.
#[derive(Debug)]
struct Live {
    jvm: MutantRunner,
    /// Whether a slow test ran in it.
    has_started: bool,
}

impl Left {
    fn take(&self, worker: usize) -> Option<(usize, Live)> {
        let left = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&worker);
        left.filter(|(_, live)| live.jvm.is_running())
    }

    fn put(&self, worker: usize, group: usize, live: Live) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(worker, (group, live));
    }

    /// Ends them.
    pub fn end(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

/// What all workers share.
pub(super) struct Crew<'a> {
    /// The JVM, without classes with mutants.
    pub jvm: &'a JvmConfig,
    /// By group, the folder with its classes.
    pub groups: &'a [PathBuf],
    /// Where the workers have their folders.
    pub work: &'a Path,
    /// The tests.
    pub units: &'a [Unit],
    /// How mutants are run.
    pub settings: &'a Settings,
    /// What earlier crews left.
    pub left: &'a Left,
    /// What is known of tests that are the first of a JVM.
    pub alone: &'a Alone,
}

/// What the workers found out.
pub(super) struct Done {
    /// By job; none where it was not done.
    pub judged: Vec<Option<Judged>>,
    /// Why a worker gave up.
    pub broken: Option<String>,
}

impl Crew<'_> {
    /// Does the jobs, which are sorted by group.
    pub fn run(&self, jobs: &[Job], observer: &dyn Observer) -> Done {
        let (next, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let judged = Mutex::new(vec![None; jobs.len()]);
        let broken = Mutex::new(None);
        let work = |name: usize| {
            let (group, live) = self.left.take(name).unzip();
            let mut worker = Worker { crew: self, name, group: group.unwrap_or_default(), live };
            while let Some((position, job)) = take(&next, jobs) {
                if job.group != worker.group {
                    worker.live = None;
                    worker.group = job.group;
                }
                match judge(&mut worker, self.alone, job, self.settings.matrix) {
                    Ok(result) => {
                        let mut judged = judged.lock().unwrap_or_else(PoisonError::into_inner);
                        if let Some(place) = judged.get_mut(position) {
                            *place = Some(result);
                        }
                        observer.done(finished.fetch_add(1, Ordering::Relaxed) + 1, jobs.len());
                    }
                    Err(Stop::Interrupted) => return,
                    Err(Stop::Broken(why)) => {
                        broken.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(why);
                        return;
                    }
                }
            }
            if let Some(live) = worker.live {
                self.left.put(name, worker.group, live);
            }
        };
        let workers = self.settings.workers.clamp(1, jobs.len().max(1));
        thread::scope(|scope| (0..workers).for_each(|name| drop(scope.spawn(move || work(name)))));
        Done {
            judged: judged.into_inner().unwrap_or_else(PoisonError::into_inner),
            broken: broken.into_inner().unwrap_or_else(PoisonError::into_inner),
        }
    }
}

fn take<'j>(next: &AtomicUsize, jobs: &'j [Job]) -> Option<(usize, &'j Job)> {
    let position = next.fetch_add(1, Ordering::Relaxed);
    Some((position, jobs.get(position)?))
}

/// A worker with its JVM.
struct Worker<'a> {
    crew: &'a Crew<'a>,
    name: usize,
    group: usize,
    live: Option<Live>,
}

impl Worker<'_> {
    fn start(&self) -> Result<Live, Stop> {
        tracing::debug!(worker = self.name, group = self.group, "starts a JVM for tests with mutants");
        let mut jvm = self.crew.jvm.clone();
        jvm.private_dir = self.crew.work.join(format!("worker-{}", self.name));
        if let Some(folder) = self.crew.groups.get(self.group) {
            jvm.class_path.insert(0, folder.clone());
        }
        match MutantRunner::start(&jvm, 0) {
            Ok(jvm) => Ok(Live { jvm, has_started: false }),
            Err(_) if jvm.stop.is_stopped() => Err(Stop::Interrupted),
            Err(e) => Err(Stop::Broken(format!("cannot start a JVM: {e}"))),
        }
    }

    fn limit(&self, unit: &Unit, mutant: u32, live: &Live, alone: Option<Duration>) -> Limit {
        let Settings { factor, constant, .. } = *self.crew.settings;
        let is_starting = unit.time >= SLOW && !live.has_started;
        let (more, load) = match mutant {
            0 => (WITHOUT, WITHOUT),
            _ if is_starting => (STARTING, LOAD),
            _ if live.jvm.is_fresh() => (FIRST, LOAD),
            _ => (Duration::ZERO, Duration::ZERO),
        };
        // A factor that makes no duration is no limit.
        let times = |time: Duration| {
            Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(Duration::MAX / 4)
        };
        let time = times(unit.time).saturating_add(more).max(alone.map(times).unwrap_or_default());
        let cpu = time.saturating_add(constant);
        let waits = constant.saturating_mul(CLOCK - 1);
        Limit { cpu, clock: cpu.saturating_add(waits).saturating_add(load) }
    }
}

impl Jvm for Worker<'_> {
    fn run(&mut self, mutant: u32, test: usize, alone: Option<Duration>) -> Result<Ran, Stop> {
        let unit =
            self.crew.units.get(test).ok_or_else(|| Stop::Broken(format!("there is no test {test}")))?;
        let mut live = match self.live.take() {
            Some(live) => live,
            None => self.start()?,
        };
        let limit = self.limit(unit, mutant, &live, alone);
        let (outcome, time) = live.jvm.judge(mutant, &unit.name, limit);
        live.has_started |= unit.time >= SLOW;
        if self.crew.jvm.stop.is_stopped() {
            return Err(Stop::Interrupted);
        }
        let alive = outcome.is_alive();
        tracing::trace!(mutant, test = unit.name, %outcome, "ran");
        if alive {
            self.live = Some(live);
        }
        let status = match outcome {
            Outcome::Passed => return Ok(Ran::Passed(time)),
            Outcome::Failed(_) => Status::Killed,
            Outcome::Late | Outcome::Stuck => Status::TimedOut,
            Outcome::OutOfMemory => Status::MemoryError,
            Outcome::Died(_) => Status::RunError,
        };
        Ok(Ran::Noticed { status, alive })
    }

    fn replace(&mut self) {
        self.live = None;
    }

    fn is_fresh(&self) -> bool {
        self.live.as_ref().is_none_or(|live| live.jvm.is_fresh())
    }
}
