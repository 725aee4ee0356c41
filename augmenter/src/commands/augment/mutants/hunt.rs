//! Mutants that neither the seeds nor any new test notices, although something reaches them: what reaches them is changed until it notices them.
//!
//! In: sequences, mutants that are alive, what changes a sequence, where to look in the end. Out: sequences that notice some of them, as short as that
//! allows, each with what nothing before it noticed. Knows nothing of types, of assertions that are written, or of the seeds. Invariant: what is given back ends
//! without an exception or with a call that the program refuses, was the same in classes with probes and in classes with mutants, and differs with the mutant that it
//! stands for; no clock but `end` of the bench decides, so that the same sequences and the same changes give the same hunt.

use super::bench::{Bench, Seat};
use super::refused::Refused;
use super::subject::{Kills, Subject, What};
use super::trial::Trial;
use super::warm::Lent;
use crate::jvm::job::{Job, JobNumber};
use dynaflow_model::outcome::{Observed, Outcome, Path};
use dynaflow_model::sequence::{Operation, Sequence};
use std::collections::{BTreeMap, BTreeSet};

/// Sequences that are changed and run at a time.
const BATCH: usize = 64;
/// The same at first, and after some of these ended their JVM or did not end.
const FIRST: usize = 4;
/// Most sequences that are changed for one mutant; a new one takes the place of the oldest.
const KNOWN: usize = 12;
/// How often sequences are changed for one mutant.
const TRIES: usize = 200;
/// Most runs spent on making one sequence shorter.
const RUNS: usize = 60;
/// Most inspectors one behind the other.
const STEPS: usize = 2;
/// As how many sequences one counts that ended its JVM or did not end: so many run in the time that one of these takes.
const DEAR: usize = 250;
/// How many sequences may show something else in classes with mutants although none is active: they leave something behind in the JVM, and each costs two
/// further ones.
const UNSTABLE: usize = 3;
/// Longest sequence that is changed: nobody reads longer tests.
const LONGEST: usize = 24;

/// Changes sequences, and learns from those that ran what is better not called.
pub trait Changes {
    /// A sequence changed; none when that does not succeed.
    fn change(&mut self, sequence: &Sequence) -> Option<Sequence>;

    /// A sequence ran.
    fn ran(&mut self, sequence: &Sequence, outcome: &Outcome);
}

/// What a hunt needs of those who know types and inspectors.
pub struct Ways<'w> {
    /// What changes sequences.
    pub changes: &'w mut dyn Changes,
    /// Where to look in the end, so many inspectors away, when this was seen.
    pub looks: &'w dyn Fn(&Sequence, &Outcome, usize) -> Vec<Path>,
    /// Whether the program refuses on purpose what ends a sequence so.
    pub refuses: &'w dyn Fn(&Sequence, &Outcome) -> bool,
}

/// The hunt for the mutants of a class.
pub struct Hunt<'h, 'w> {
    bench: &'h Bench<'h>,
    ways: Ways<'w>,
    probes: Lent,
    /// By group, what judges sequences with its mutants.
    trials: Vec<Trial<'h>>,
    /// The mutants that nothing noticed yet.
    alive: BTreeSet<u32>,
    /// What reaches each of them.
    known: BTreeMap<u32, Vec<Sequence>>,
    /// What the program refused, and other calls in the place of what it refused, which wait to be run.
    refused: Refused,
    waiting: Vec<Sequence>,
    /// How often something was changed for each of them.
    tried: BTreeMap<u32, usize>,
    /// How many sequences ended their JVM, or did not end.
    dear: usize,
    /// How many were not the same in classes with mutants.
    unstable: usize,
}

/// A sequence that ran, what was seen in the end, and which of the mutants it reaches.
struct Sighted {
    sequence: Sequence,
    outcome: Outcome,
    reached: BTreeSet<u32>,
}

impl Sighted {
    /// As mutants see it. Of what is refused nothing but the exception counts.
    fn subject(&self) -> Subject<'_> {
        if let Some(thrown) = &self.outcome.thrown {
            return Subject {
                sequence: &self.sequence,
                thrown: Some(thrown),
                shows: vec![],
                lines: BTreeSet::new(),
                is_part: true,
            };
        }
        let results = (0..).zip(&self.outcome.statements).map(|(index, shows)| (What::Result(index), shows));
        let looks =
            self.outcome.observations.iter().map(|seen| (What::Look(seen.path.clone()), &seen.result));
        let shows = results.chain(looks).filter(|(_, shows)| **shows != Observed::Void).collect();
        Subject { sequence: &self.sequence, thrown: None, shows, lines: BTreeSet::new(), is_part: true }
    }
}

impl<'h, 'w> Hunt<'h, 'w> {
    /// In the JVMs of these seats, one for each group.
    pub fn new(bench: &'h Bench<'h>, seats: &'h mut [Seat], ways: Ways<'w>) -> Self {
        let runs = bench.runs / (seats.len().max(1) as u64);
        let trials = seats.iter_mut().map(|seat| Trial::new(seat, runs)).collect();
        let (alive, known, tried) = (BTreeSet::new(), BTreeMap::new(), BTreeMap::new());
        let (probes, refused) = (bench.prober(), Refused::default());
        let waiting = vec![];
        Self { bench, ways, probes, trials, alive, known, refused, waiting, tried, dear: 0, unstable: 0 }
    }

    /// Which of these mutants the sequences reach that are changed later.
    pub fn begin(&mut self, bases: &[Sequence], mutants: &BTreeSet<u32>) -> BTreeSet<u32> {
        let short = bases.iter().filter(|base| base.statements.len() <= LONGEST);
        let mut bases: Vec<&Sequence> = short.collect();
        // The shortest are learnt last, and so are still there.
        bases.sort_by_key(|base| std::cmp::Reverse(base.statements.len()));
        for chunk in bases.chunks(BATCH) {
            let sighted = self.sighted(chunk.iter().map(|&base| base.clone()).collect(), mutants);
            sighted.iter().for_each(|sighted| self.learn(sighted));
        }
        self.known.keys().copied().collect()
    }

    /// Sequences that notice these mutants; at most `most` changed ones are run.
    pub fn run(&mut self, alive: BTreeSet<u32>, most: usize) -> Vec<Sequence> {
        self.alive = alive;
        let (mut found, mut used, mut size) = (vec![], 0, FIRST);
        while !self.probes.is_over() {
            let (left, dear) = (most.saturating_sub(used + DEAR * self.dear), self.dear);
            let batch = self.batch(left.min(size));
            if batch.is_empty() {
                break;
            }
            used += batch.len();
            let alive = self.alive.clone();
            for sighted in self.sighted(batch, &alive) {
                if self.unstable >= UNSTABLE {
                    return found;
                }
                found.extend(self.judged(&sighted));
            }
            size = if self.dear > dear { FIRST } else { BATCH };
        }
        found
    }

    /// The mutants that nothing noticed yet.
    pub fn alive(&self) -> &BTreeSet<u32> {
        &self.alive
    }

    /// Those of some sequences that notice these mutants, made shorter; and the mutants that they notice.
    pub fn of(&mut self, sequences: &[Sequence], alive: &BTreeSet<u32>) -> (Vec<Sequence>, BTreeSet<u32>) {
        self.alive.clone_from(alive);
        let mut found = vec![];
        for chunk in sequences.chunks(BATCH) {
            let sighted = self.sighted(chunk.to_vec(), alive);
            found.extend(sighted.iter().filter_map(|sighted| self.judged(sighted)));
        }
        (found, alive - &self.alive)
    }

    /// Calls of the methods with these mutants where others were refused; then changed sequences for the mutants that were tried least.
    fn batch(&mut self, size: usize) -> Vec<Sequence> {
        self.refuse_elsewhere();
        let mut batch: Vec<Sequence> = self.waiting.drain(..size.min(self.waiting.len())).collect();
        for _ in batch.len()..size {
            let tries = |mutant: &u32| self.tried.get(mutant).copied().unwrap_or_default();
            let open =
                self.known.keys().filter(|mutant| self.alive.contains(mutant) && tries(mutant) < TRIES);
            let Some(mutant) = open.min_by_key(|mutant| tries(mutant)).copied() else { break };
            let nth = self.tried.entry(mutant).or_default();
            let known = self.known.get(&mutant).map_or(&[][..], Vec::as_slice);
            let base = known.get(*nth % known.len().max(1));
            *nth += 1;
            batch.extend(base.and_then(|base| self.ways.changes.change(base)));
        }
        batch
    }

    fn refuse_elsewhere(&mut self) {
        let of_mutant = |mutant: &u32| {
            let method = self.bench.made.method(*mutant)?;
            let known = self.known.get(mutant)?.iter();
            known.rev().find_map(|sequence| Some((sequence, last_call(sequence, method)?)))
        };
        self.waiting.extend(self.refused.elsewhere(self.alive.iter().filter_map(of_mutant)));
    }

    /// What these sequences show and reach; those are left out that neither run to their end nor are refused.
    fn sighted(&mut self, sequences: Vec<Sequence>, mutants: &BTreeSet<u32>) -> Vec<Sighted> {
        let jobs: Vec<Job> = sequences.iter().map(|sequence| job(sequence, vec![])).collect();
        let outcomes = self.probes.run(&jobs);
        sequences
            .iter()
            .zip(&outcomes)
            .for_each(|(sequence, outcome)| self.ways.changes.ran(sequence, outcome));
        self.dear += outcomes.iter().filter(|outcome| outcome.is_dear()).count();
        let ended = sequences.into_iter().zip(outcomes);
        let mut all: Vec<(Sequence, Outcome)> = ended.filter_map(|one| self.ended(one)).collect();
        for steps in 0..=STEPS {
            self.look(&mut all, steps);
        }
        let reached = |(sequence, outcome): (Sequence, Outcome)| {
            let reached = self.bench.made.behind(&outcome.met.iter().copied().collect(), mutants);
            Sighted { sequence, outcome, reached }
        };
        all.into_iter().map(reached).filter(|sighted| !sighted.reached.is_empty()).collect()
    }

    /// A sequence that ran to its end, or as far as the program refuses a call.
    fn ended(&mut self, (mut sequence, outcome): (Sequence, Outcome)) -> Option<(Sequence, Outcome)> {
        if outcome.broken.is_some() {
            return None;
        }
        if let Some(thrown) = &outcome.thrown {
            if !(self.ways.refuses)(&sequence, &outcome) {
                return None;
            }
            sequence.statements.truncate(thrown.statement as usize + 1);
            self.refused.saw(&sequence, thrown);
        }
        Some((sequence, outcome))
    }

    /// Adds what is seen so many inspectors away.
    fn look(&mut self, all: &mut [(Sequence, Outcome)], steps: usize) {
        let wanted: Vec<(usize, Job)> = (0..)
            .zip(all.iter())
            .filter(|(_, (_, outcome))| outcome.thrown.is_none())
            .map(|(place, (sequence, outcome))| {
                (place, job(sequence, (self.ways.looks)(sequence, outcome, steps)))
            })
            .filter(|(_, job)| !job.observers.is_empty())
            .collect();
        let (places, jobs): (Vec<usize>, Vec<Job>) = wanted.into_iter().unzip();
        for (place, looked) in places.into_iter().zip(self.probes.run(&jobs)) {
            if let Some((_, outcome)) = all.get_mut(place).filter(|_| looked.broken.is_none()) {
                outcome.observations.extend(looked.observations);
                outcome.met.extend(looked.met);
            }
        }
    }

    /// Remembers what reaches mutants; what is refused only where nothing else does: there is less to change in it.
    fn learn(&mut self, sighted: &Sighted) {
        let is_refused = sighted.outcome.thrown.is_some();
        for &mutant in &sighted.reached {
            let known = self.known.entry(mutant).or_default();
            if is_refused && !known.is_empty() {
                continue;
            }
            if known.len() >= KNOWN {
                known.remove(0);
            }
            known.push(sighted.sequence.clone());
        }
    }

    /// The sequence made shorter if it notices something; else it is one more to change.
    fn judged(&mut self, sighted: &Sighted) -> Option<Sequence> {
        let wanted = &sighted.reached & &self.alive;
        let noticed = self.noticed(sighted, &wanted);
        if noticed.is_empty() {
            if sighted.sequence.statements.len() <= LONGEST {
                self.learn(sighted);
            }
            return None;
        }
        self.alive = &self.alive - &noticed;
        let still = dynaflow_search::one_by_one(|shorter| self.notices(shorter, &noticed));
        Some(dynaflow_search::minimise(&sighted.sequence, RUNS, still))
    }

    /// Whether a sequence runs to its end, or its last call is refused, and it notices all of these mutants.
    pub fn notices(&mut self, sequence: &Sequence, mutants: &BTreeSet<u32>) -> bool {
        let sighted = self.sighted(vec![sequence.clone()], mutants);
        let is_whole = |sighted: &&Sighted| sighted.sequence == *sequence;
        sighted.iter().find(is_whole).is_some_and(|sighted| self.noticed(sighted, mutants) == *mutants)
    }

    /// Which of these mutants a sequence notices.
    fn noticed(&mut self, sighted: &Sighted, mutants: &BTreeSet<u32>) -> BTreeSet<u32> {
        let (subject, mut kills) = (sighted.subject(), Kills::default());
        for (group, trial) in self.trials.iter_mut().enumerate() {
            let in_group = |mutant: &&u32| self.bench.made.group(**mutant) == Some(group);
            let of_group: BTreeSet<u32> = mutants.iter().filter(in_group).copied().collect();
            if !of_group.is_empty() && self.unstable < UNSTABLE {
                // When the time is over, what was found until then counts.
                let is_same = trial.judge(&subject, &of_group, &mut kills).unwrap_or(true);
                self.unstable += usize::from(!is_same);
            }
        }
        kills.all()
    }
}

fn job(sequence: &Sequence, observers: Vec<Path>) -> Job {
    Job { number: JobNumber(0), sequence: sequence.clone(), observers, mutant: 0 }
}

/// Where a sequence calls a method of this name and descriptor last.
fn last_call(sequence: &Sequence, (name, descriptor): (&str, &str)) -> Option<u32> {
    let calls = |operation: &Operation| matches!(operation, Operation::Call { method, .. } if (method.name.as_str(), method.descriptor.as_str()) == (name, descriptor));
    let place = sequence.statements.iter().rposition(|statement| calls(&statement.operation))?;
    u32::try_from(place).ok()
}
