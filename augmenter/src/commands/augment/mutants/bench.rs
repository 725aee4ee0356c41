//! The JVMs in which tests run with mutants: first in classes with probes, which say what each test reaches, then in classes with mutants.
//!
//! Knows nothing of assertions. Invariant: which JVM judges a test depends on its place and on the number of workers, never on how many of them run at a
//! time.

use super::subject::{Kills, Subject};
use super::trial::{Jvm, Over, Trial};
use super::warm::{Lent, Warm};
use crate::jvm::job::{Job, Probes};
use crate::jvm::launch::JvmConfig;
use crate::jvm::worker::{Worker, WorkerConfig};
use crate::mutation::Made;
use dynaflow_model::outcome::Outcome;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Longest run of a test with a mutant, in time of the processor: without, each took milliseconds. Mutants that do not end take most of the time
/// of a class with loops, each twice in every JVM that meets it; the clock is looked at every fiftieth of a second.
const LIMIT: Duration = Duration::from_millis(150);
/// Tests for which another worker is worth its start.
const TESTS_OF_ONE: usize = 12;
/// Most JVMs with mutants that wait for the next class, each with some sixty MB.
const WAITING: usize = 8;

/// Where tests are judged.
pub struct Bench<'a> {
    /// The mutants.
    pub made: &'a Made,
    /// JVMs that are there already.
    pub warm: Arc<Warm>,
    /// A JVM without mutants; its private folder has one for each worker.
    pub jvm: JvmConfig,
    /// The workers there may be, and how many of them run at a time.
    pub workers: usize,
    pub at_a_time: usize,
    /// When it has to end.
    pub end: Option<Instant>,
    /// How many runs there may be, all together.
    pub runs: u64,
}

/// What came of the tests.
#[derive(Debug, Default)]
pub struct Benched {
    /// By test, what it notices; none where it was not judged.
    pub kills: Vec<Option<Kills>>,
    /// The mutants that the tests reach.
    pub reached: BTreeSet<u32>,
    /// Tests that were not judged, or not with all mutants, as the time was over.
    pub late: usize,
    /// Tests that are not the same in classes with mutants.
    pub unstable: usize,
    /// Runs that were left out, as their mutants had cost much with another test.
    pub spared: usize,
}

impl Benched {
    /// Adds what came of further tests.
    pub fn extend(&mut self, more: Self) {
        self.kills.extend(more.kills);
        self.reached.extend(more.reached);
        self.late += more.late;
        self.unstable += more.unstable;
        self.spared += more.spared;
    }

    /// What was not done.
    pub fn missing(&self) -> Vec<String> {
        let lines = [
            (self.late, "tests were not run with all mutants that they reach, as that took too long"),
            (self.unstable, "tests are not the same in classes with mutants, and noticed none"),
            (
                self.spared,
                "runs were left out, as their mutants had ended the JVM or not ended with another test",
            ),
        ];
        lines.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect()
    }
}

/// The mutants that a test reaches.
#[derive(Debug)]
pub struct Reached {
    /// By what it does to its objects.
    own: BTreeSet<u32>,
    /// With what is looked at in the end, and by making its objects.
    all: BTreeSet<u32>,
}

impl Reached {
    /// All of them.
    pub fn all(&self) -> &BTreeSet<u32> {
        &self.all
    }

    /// Those among these mutants.
    pub fn only(self, mutants: &BTreeSet<u32>) -> Self {
        Self { own: &self.own & mutants, all: &self.all & mutants }
    }
}

/// A test and what it reaches.
type Test<'t> = (&'t Subject<'t>, &'t Option<Reached>);

/// What became of a test in the JVMs of one worker.
#[derive(Debug, Default)]
struct Of {
    kills: Option<Kills>,
    is_late: bool,
    is_unstable: bool,
}

impl Bench<'_> {
    /// Judges tests with the mutants that they reach, as [`Bench::reached`] has them.
    pub fn run(&self, subjects: &[Subject], reached: Vec<Option<Reached>>) -> Benched {
        let workers = subjects.len().div_ceil(TESTS_OF_ONE).clamp(1, self.workers.max(1));
        let share = subjects.len().div_ceil(workers).max(1);
        let tests: Vec<Test> = subjects.iter().zip(&reached).collect();
        let mut parts: Vec<(usize, &[_])> = tests.chunks(share).enumerate().collect();
        let several = parts.len().div_ceil(self.at_a_time.max(1)).max(1);
        let runs = self.runs / (parts.len().max(1) as u64);
        let judged: Vec<(Vec<Of>, usize)> = thread::scope(|scope| {
            let work = |parts: &mut [(usize, &[_])]| -> Vec<(Vec<Of>, usize)> {
                parts.iter().map(|(seat, tests)| self.part(*seat, tests, runs)).collect()
            };
            let threads: Vec<_> = parts
                .chunks_mut(several)
                .map(|parts| (parts.iter().map(|part| part.1.len()).sum(), scope.spawn(move || work(parts))))
                .collect();
            // Whoever panicked judged nothing.
            let lost = |tests| vec![((0..tests).map(|_| Of::default()).collect(), 0)];
            threads.into_iter().flat_map(|(tests, t)| t.join().unwrap_or_else(|_| lost(tests))).collect()
        });
        let mut benched = Benched {
            reached: reached.into_iter().flatten().flat_map(|of| of.all).collect(),
            ..Benched::default()
        };
        for (part, spared) in judged {
            benched.spared += spared;
            for of in part {
                benched.late += usize::from(of.is_late);
                benched.unstable += usize::from(of.is_unstable);
                benched.kills.push(of.kills);
            }
        }
        benched
    }

    fn worker(&self, name: &str, kept: bool, jvm: JvmConfig) -> Lent {
        let make = || {
            let mut jvm = jvm;
            jvm.private_dir = self.jvm.private_dir.join(name);
            let numbers = u32::try_from(self.made.numbers()).unwrap_or(u32::MAX);
            Worker::later(WorkerConfig { jvm, time_limit: LIMIT, probes: Probes::Mutants(numbers) })
        };
        let mut worker = Warm::lend(&self.warm, name, kept, make);
        worker.set_deadline(self.end);
        worker
    }

    /// A JVM whose classes have probes.
    pub fn prober(&self) -> Lent {
        self.worker("probes", true, self.made.probed(&self.jvm))
    }

    /// A JVM for each group of mutants.
    pub fn seats(&self) -> Vec<Seat> {
        (0..self.made.groups()).map(|group| self.seat(0, group)).collect()
    }

    fn seat(&self, seat: usize, group: usize) -> Seat {
        let kept = (seat + 1) * self.made.groups() <= WAITING;
        let jvm = self.made.mutated(&self.jvm, group);
        Seat { worker: self.worker(&format!("mutants-{seat}-{group}"), kept, jvm) }
    }

    /// Which of these mutants each test reaches; none where it does not end as it did.
    pub fn reached(&self, subjects: &[Subject], mutants: &BTreeSet<u32>) -> Vec<Option<Reached>> {
        let mut worker = self.prober();
        let mut outcomes = worker.run(&subjects.iter().flat_map(both).collect::<Vec<_>>());
        Self::again_where_other(&mut worker, subjects, &mut outcomes);
        let of = |(subject, pair): (&Subject, &[Outcome])| {
            let [plain, looking] = pair else { return None };
            let is_same = subject.noticed(looking, true).is_none();
            let behind = |of: &Outcome| self.made.behind(&of.met.iter().copied().collect(), mutants);
            let does = || behind(plain).into_iter().filter(|mutant| !self.made.is_of_making(*mutant));
            is_same.then(|| Reached { own: does().collect(), all: &behind(plain) | &behind(looking) })
        };
        subjects.iter().zip(outcomes.chunks(2)).map(of).collect()
    }

    /// Runs once more, in a fresh JVM, what did not end as it did in one that others had before, or not in time: what they left behind, and what loading
    /// classes takes, says nothing against a test.
    fn again_where_other(worker: &mut Lent, subjects: &[Subject], outcomes: &mut [Outcome]) {
        let is_other = |subject: &Subject, pair: &[Outcome]| {
            pair.last().is_some_and(|looking| subject.noticed(looking, true).is_some())
        };
        let is_late = outcomes.iter().any(Outcome::is_dear);
        let pairs = subjects.iter().zip(outcomes.chunks_mut(2));
        let others: Vec<(&Subject, &mut [Outcome])> =
            pairs.filter(|(subject, pair)| is_other(subject, pair)).collect();
        if others.is_empty() || !worker.was_waiting() && !is_late {
            return;
        }
        worker.kill();
        let jobs: Vec<_> = others.iter().flat_map(|(subject, _)| both(subject)).collect();
        let places = others.into_iter().flat_map(|(_, pair)| pair);
        places.zip(worker.run(&jobs)).for_each(|(old, new)| *old = new);
    }

    /// Judges the tests of a worker, group by group; gives how many runs were spared, too.
    fn part(&self, seat: usize, tests: &[Test], runs: u64) -> (Vec<Of>, usize) {
        let of = |(_, reached): &Test| {
            let looked = reached.as_ref().map(|reached| &reached.all - &reached.own);
            let kills = looked.map(|looked| Kills { looked, ..Kills::default() });
            Of { kills, is_unstable: reached.is_none(), ..Of::default() }
        };
        let mut all: Vec<Of> = tests.iter().map(of).collect();
        let (mut left, mut spared) = (runs, 0);
        for group in 0..self.made.groups() {
            let in_group = |reached: &Reached| -> BTreeSet<u32> {
                let all = reached.all.iter().copied();
                all.filter(|&mutant| self.made.group(mutant) == Some(group)).collect()
            };
            let mut jvm = self.seat(seat, group);
            let mut trial = Trial::new(&mut jvm, left);
            for ((subject, reached), of) in tests.iter().zip(&mut all) {
                let mutants = reached.as_ref().map(in_group).unwrap_or_default();
                if mutants.is_empty() {
                    continue;
                }
                match trial.judge(subject, &mutants, of.kills.get_or_insert_default()) {
                    Ok(is_same) => of.is_unstable |= !is_same,
                    Err(Over) => of.is_late = true,
                }
            }
            (left, spared) = (trial.left(), spared + trial.spared());
        }
        (all, spared)
    }
}

/// A test without mutants, and with what is looked at in the end.
fn both(subject: &Subject) -> [Job; 2] {
    [false, true].map(|looks| subject.job(0, looks))
}

/// A worker with the mutants of a group.
pub struct Seat {
    worker: Lent,
}

impl Jvm for Seat {
    fn run(&mut self, subject: &Subject, mutants: &[u32], with_looks: bool) -> Option<Vec<Outcome>> {
        let jobs: Vec<_> = mutants.iter().map(|&mutant| subject.job(mutant, with_looks)).collect();
        let outcomes = self.worker.run(&jobs);
        let is_over = self.worker.is_over() || self.worker.gone().is_some();
        (!is_over).then_some(outcomes)
    }

    fn replace(&mut self) {
        self.worker.kill();
    }
}
