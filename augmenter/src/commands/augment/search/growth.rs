//! The loop: infer objectives, search for tests that execute them, keep what covers something new, again until nothing is new
//! (Denaro et al., "Dynamic Data Flow Testing of Object Oriented Systems", section III).
//!
//! Knows nothing of JUnit or of files. Invariant: what is kept covered, in a worker, a pair of the target class that nothing
//! before it covered; the suite's facts are those of the seeds and of the kept tests, never of other candidates.

use super::accept::{self, Accepted, Question, Rules, Runs, Verdict, Wish};
use super::ahead::{Ahead, while_running};
use super::expects::Expects;
use super::goals::Goals;
use super::guide::Guide;
use super::halves::Aim;
use super::helpers::Helpers;
use super::infeasible::Infeasible;
use super::kept::{self, Kept};
use super::pool::{Pool, Run};
use super::silence::{Limits, Silence};
use super::together::together;
use crate::commands::augment::facts::effects::Refusals;
use crate::commands::augment::facts::known::{Covered, Keys};
use crate::commands::augment::facts::roots::Roots;
use crate::commands::augment::prepare::budget::{Budget, Over};
use crate::library::Library;
use crate::progress::Progress;
use anyhow::{Result, anyhow};
use dynaflow_model::effect::Allowed;
use dynaflow_model::facts::{FactTable, Pair, Recording};
use dynaflow_model::obstacle::Obstacle;
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sequence::Sequence;
use dynaflow_objectives::{Iteration, StoppedBy};
use dynaflow_search::{Candidate, Goal, Search, Specimen, Why};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How far the search goes before it calls an iteration done.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// Candidates run at a time.
    pub batch: usize,
    /// Sequences that had been executed for other classes.
    pub before: u64,
    /// Whether goals of coverage earn tests: then the iteration goes on as long as some are not reached.
    pub covers: bool,
    /// Most iterations.
    pub iterations: Option<u32>,
}

/// Candidates in a row that may show nothing new in any case.
const LEAST_SILENCE: u64 = 1_000;

/// With one of so many batches of splices run sequences that distances lead: a class with thousands of objectives is not searched for its closed branches last.
const LED: u64 = 4;

/// So many forms of a test run at a time even where many are made shorter.
const LEAST: usize = 2;

/// So many candidates that were set aside, as they covered something that was no objective, are enough to end an iteration for.
const MANY: usize = 32;

/// The suite while it grows, for one target class.
#[derive(Debug)]
pub struct Growth<'a> {
    /// The target.
    pub roots: Roots,
    /// Facts of the seeds and the kept tests.
    pub suite: &'a mut Recording,
    /// The keys of the suite's pairs.
    pub keys: &'a mut Keys,
    /// Pairs that seeds and kept tests cover, with the iteration that did.
    pub covered: &'a mut Covered,
    /// Objectives, with the iteration that inferred each.
    pub inferred: &'a mut BTreeMap<PairKey, u32>,
    /// Where candidates come from.
    pub search: &'a mut Search,
    /// Where they run.
    pub pool: &'a mut Pool,
    /// Where distances of branches come from, if there are any.
    pub guide: &'a mut Option<Guide>,
    /// What limits the search.
    pub budget: &'a mut Budget,
    /// How far an iteration goes.
    pub extent: Extent,
    /// Whether there is no seed suite: then everything new is wanted, not the objectives alone.
    pub explores: bool,
    /// What tests may do beyond their own objects.
    pub allowed: &'a Allowed,
    /// Which classes are the tests', whose assertions are not the program's.
    pub helpers: Helpers<'a>,
    /// Which exceptions a test may expect.
    pub expects: Expects<'a>,
    /// What is known of objectives that nothing executes.
    pub infeasible: &'a mut Infeasible,
    /// The class files of the program; none where they cannot be read.
    pub library: Option<&'a Library>,
    /// Tests that did more.
    pub refusals: &'a mut Refusals,
    /// What the user sees meanwhile.
    pub progress: &'a Progress,
}

/// What came of it until now; a later turn goes on with it.
#[derive(Debug, Default)]
pub struct Grown {
    /// The tests that were kept, in order.
    pub kept: Vec<Kept>,
    /// One entry per iteration that ended.
    pub iterations: Vec<Iteration>,
    /// What ended it; nothing while it can go on.
    pub stopped_by: Option<StoppedBy>,
    /// What went wrong, when that ended it.
    pub trouble: Option<anyhow::Error>,
    /// What keeps the objectives that are open in the end from being executed.
    pub obstacles: BTreeMap<PairKey, Obstacle>,
    /// The iteration in which the turn ended.
    current: Option<Current>,
    /// Candidates that were made while others ran.
    ahead: Option<Ahead<Candidate>>,
    /// Candidates that covered something new that was no objective.
    leftovers: Vec<Sequence>,
    /// Tests that were kept and are not checked, as they are not needed.
    pub unchecked: Vec<Kept>,
}

/// An iteration that has begun.
#[derive(Debug)]
struct Current {
    iteration: Iteration,
    silence: Silence,
    /// Batches that were run.
    steps: u64,
}

impl Growth<'_> {
    /// Iterates to the fixpoint, the limit, the end of the turn, of the budget or of all workers; what was kept until then is in
    /// `grown`.
    pub fn run(mut self, grown: &mut Grown) {
        let mut n = 1;
        while grown.stopped_by.is_none() {
            n = u32::try_from(grown.iterations.len()).unwrap_or(u32::MAX).saturating_add(1);
            if let Some(over) = self.budget.over() {
                grown.stopped_by = Some(stopped_by(over));
            } else if grown.current.is_none() && self.extent.iterations.is_some_and(|most| n > most) {
                grown.stopped_by = Some(StoppedBy::Iterations);
            }
            if grown.stopped_by.is_some() {
                let current = grown.current.take();
                grown.iterations.extend(current.map(|current| current.iteration));
            } else if self.budget.is_turn_over() {
                return;
            } else {
                self.go_on(n, grown);
            }
        }
        self.end(n, grown);
    }

    /// What the last tests revealed is reported though nobody attacks it any more, and what keeps each objective from being executed.
    fn end(&mut self, n: u32, grown: &mut Grown) {
        let (goals, _) = self.infer(n);
        let obstacle = |goal: Goal| (goal.pair, self.search.obstacle(&goal));
        let infeasible = goals.infeasible().map(|pair| (pair, Obstacle::Infeasible));
        grown.obstacles = goals.open().map(obstacle).chain(infeasible).collect();
    }

    /// Goes on with the iteration, or begins it, until it or the turn ends.
    fn go_on(&mut self, n: u32, grown: &mut Grown) {
        let iteration = Iteration { covered_new: 0, n, objectives_new: 0, tests_added: 0 };
        let begun = || Current { iteration, silence: Silence::default(), steps: 0 };
        let mut current = grown.current.take().unwrap_or_else(begun);
        match self.iterate(&mut current, grown) {
            Ok(true) => {}
            Ok(false) => {
                grown.current = Some(current);
                return;
            }
            Err(error) => {
                (grown.stopped_by, grown.trouble) = (Some(StoppedBy::Losses), Some(error));
                return;
            }
        }
        let iteration = current.iteration;
        say_iteration(self.progress, self.roots.first(), &iteration);
        grown.iterations.push(iteration);
        if iteration.objectives_new == 0 && iteration.covered_new == 0 && self.budget.over().is_none() {
            let all_known = !self.pool.losses().are_serious();
            grown.stopped_by = Some(if all_known { StoppedBy::Fixpoint } else { StoppedBy::Losses });
        }
    }

    /// Infers the objectives; gives them with the number of those never seen before.
    fn infer(&mut self, n: u32) -> (Goals, u64) {
        let (infeasible, library) = (&mut *self.infeasible, self.library);
        let is_infeasible = |facts: &FactTable, pair: &Pair| {
            library.is_some_and(|library| infeasible.is(library, facts, pair))
        };
        let goals = Goals::infer(self.suite, &self.roots, is_infeasible);
        let mut new = 0;
        for key in goals.keys() {
            self.inferred.entry(key).or_insert_with(|| {
                new += 1;
                n
            });
        }
        (goals, new)
    }

    /// Whether the iteration went to its end: its turn may have ended before.
    fn iterate(&mut self, current: &mut Current, grown: &mut Grown) -> Result<bool> {
        let (mut goals, objectives_new) = self.infer(current.iteration.n);
        self.search.set_goals(goals.open());
        current.iteration.objectives_new += objectives_new;
        while !current.silence.is_over(self.limits())
            && !self.turns_to(&grown.leftovers, current)
            && (self.explores || goals.len() > 0 || self.search.may_be_led() || self.lacks_goals())
        {
            if self.budget.is_turn_over() {
                return Ok(false);
            }
            if !self.step(&mut goals, current, grown)? {
                break;
            }
            let (open, covered) = (goals.len(), self.covered.len());
            let (n, executions) = (current.iteration.n, self.budget.executions());
            self.progress.at(format!(
                "{}, iteration {n}: {open} objectives open, {covered} pairs covered, {executions} sequences run",
                self.roots.first()
            ));
        }
        // What was found by the way counts only where the objectives themselves are not to be had any more.
        if goals.len() == 0 && current.iteration.covered_new > 0 {
            return Ok(true);
        }
        self.use_leftovers(grown, &mut current.iteration)
    }

    /// Whether goals of coverage that earn tests were not reached.
    fn lacks_goals(&self) -> bool {
        let (all, reached) = self.search.goals_reached();
        self.extent.covers && reached < all
    }

    fn limits(&self) -> Limits {
        Limits {
            least: LEAST_SILENCE,
            executed: self.budget.executions().saturating_sub(self.extent.before),
            are_led: self.extent.covers && self.search.may_be_led(),
        }
    }

    /// Runs a batch and what distances lead to; whether there was any.
    fn step(&mut self, goals: &mut Goals, current: &mut Current, grown: &mut Grown) -> Result<bool> {
        let limits = self.limits();
        let (batch, is_last) = self.next(goals, &current.silence, limits, grown);
        if batch.is_empty() {
            return Ok(false);
        }
        let size = batch.len();
        let is_random =
            |candidate: &&Candidate| matches!(candidate.why, Why::Near | Why::Variation | Why::Scratch);
        let random = batch.iter().filter(is_random).count();
        current.steps += 1;
        let led = if random > 0 || current.steps.is_multiple_of(LED) { self.next_led() } else { vec![] };
        // It is the search's again when its sequences ran.
        let mut guide = self.guide.take();
        let (before, makes_last) = (grown.kept.len(), current.silence.is_long(limits));
        let measured = std::thread::scope(|scope| {
            let measuring = guide.as_mut().map(|guide| scope.spawn(|| guide.run(&led)));
            self.run_batch((batch, makes_last), goals, grown, &mut current.iteration)?;
            let lost = |_| Err(anyhow!("a thread that measures distances panicked"));
            measuring.map_or(Ok(vec![]), |measuring| measuring.join().unwrap_or_else(lost))
        });
        *self.guide = guide;
        if grown.kept.len() > before {
            current.silence.end();
            self.search.close_goals(|key| self.covered.contains(key));
        } else {
            current.silence.go_on(size, random, is_last);
        }
        self.learn(&led, measured?, current);
        Ok(true)
    }

    /// What runs next: what was made while others ran, as far as it is still wanted; and whether it is what is left in the end.
    fn next(
        &mut self,
        goals: &Goals,
        silence: &Silence,
        limits: Limits,
        grown: &mut Grown,
    ) -> (Vec<Candidate>, bool) {
        let most = self.budget.batch(self.extent.batch);
        let search = &*self.search;
        let is_wanted = |candidate: &Candidate| {
            let is_open = candidate.goal.is_none_or(|goal| goals.contains(goal));
            (is_open || !is_aimed(candidate)) && !search.is_costly(&candidate.sequence)
        };
        if let Some(ahead) = &mut grown.ahead {
            let batch = ahead.take(most, is_wanted);
            if !batch.is_empty() {
                return (batch, ahead.is_last);
            }
        }
        let is_last = silence.is_long(limits);
        (made(self.search, most, is_last), is_last)
    }

    /// Whether the iteration ends though distances still shrink: for objectives that its tests may have shown, as it has no splice left; or for what
    /// was found by the way, as there is much of it and the objectives have had their share of candidates (a quarter of those after which it ends
    /// anyway), or as hardly any budget is left to make tests of it.
    fn turns_to(&self, leftovers: &[Sequence], current: &Current) -> bool {
        let silence = &current.silence;
        let has_news = current.iteration.tests_added > 0 && silence.is_fruitless(self.extent.batch as u64);
        let is_due = leftovers.len() >= MANY && silence.is_fruitless(LEAST_SILENCE / 4);
        has_news || is_due || !leftovers.is_empty() && self.budget.is_nearly_spent()
    }

    /// Sequences that distances of branches lead. What reaches a new one is run with all facts by the batches after it.
    fn next_led(&mut self) -> Vec<Sequence> {
        if self.guide.is_none() {
            return vec![];
        }
        let led = self.search.next_guided(self.budget.batch(self.extent.batch));
        self.budget.count(led.len());
        led
    }

    /// Takes in the distances that sequences met.
    fn learn(&mut self, led: &[Sequence], runs: Vec<Run>, current: &mut Current) {
        if self.guide.as_ref().is_some_and(Guide::is_lost) {
            self.progress.say("a worker that measures how near branches come cannot be replaced: the search goes on without");
            *self.guide = None;
            return;
        }
        for (sequence, run) in led.iter().zip(runs) {
            self.note(sequence, &run);
            if run.outcome.broken.is_some() {
                continue;
            }
            let news = self.search.learn(sequence, &run.outcome.distances);
            current.silence.measured(news.nearer || !news.reached.is_empty());
        }
    }

    /// The search learns in which calls sequences do not end, and what ended JVMs: it gives none that does so in the same way.
    fn note(&mut self, sequence: &Sequence, run: &Run) {
        if let Some(statement) = run.outcome.stalled.and_then(|at| sequence.statements.get(at as usize)) {
            tracing::info!(?statement.operation, "a call did not end in time");
        }
        self.search.ran(sequence, &run.outcome);
    }

    /// Runs a batch; keeps what covers an objective. What is kept becomes a specimen in its minimised form, to which the candidate itself adds nothing.
    fn run_batch(
        &mut self,
        (batch, makes_last): (Vec<Candidate>, bool),
        goals: &mut Goals,
        grown: &mut Grown,
        iteration: &mut Iteration,
    ) -> Result<()> {
        let runs = self.run_candidates(&batch, makes_last, goals, &mut grown.ahead)?;
        for (candidate, run) in batch.iter().zip(&runs) {
            self.note(&candidate.sequence, run);
            self.note_obstacle(candidate, run, goals);
        }
        let ran = batch.into_iter().map(|candidate| candidate.sequence).zip(runs).collect();
        let rest = self.keep(ran, |key| goals.contains(key), &mut grown.kept, iteration)?;
        goals.drop_covered(self.covered);
        if self.explores {
            self.keep(rest, |_| true, &mut grown.kept, iteration)?;
            goals.drop_covered(self.covered);
        } else {
            grown.leftovers.extend(rest.into_iter().map(|(sequence, _)| sequence));
        }
        Ok(())
    }

    /// Runs candidates, and makes the next ones meanwhile. Splices, and changes of what came near, are looked at for how far they came.
    fn run_candidates(
        &mut self,
        batch: &[Candidate],
        makes_last: bool,
        goals: &Goals,
        ahead: &mut Option<Ahead<Candidate>>,
    ) -> Result<Vec<Run>> {
        let aim = |candidate: &Candidate| {
            Some(Aim::of(goals.get(candidate.goal.filter(|_| is_aimed(candidate))?)?, &self.suite.facts))
        };
        let aims: Vec<Option<Aim>> = batch.iter().map(aim).collect();
        let jobs: Vec<_> = batch.iter().map(|candidate| (candidate.sequence.clone(), vec![])).collect();
        self.budget.count(jobs.len());
        let most = self.budget.batch(self.extent.batch);
        let (pool, search, covered) = (&mut *self.pool, &mut *self.search, &*self.covered);
        let is_new = |_: usize, pairs: &BTreeSet<PairKey>| pairs.iter().any(|&key| !covered.contains(key));
        let make = || match ahead.take() {
            Some(left) if !left.batch.is_empty() => left,
            _ => Ahead { batch: made(search, most, makes_last), is_last: makes_last },
        };
        let (runs, next) = while_running(|| pool.run_for(jobs, &aims, is_new), make)?;
        *ahead = Some(next);
        if self.pool.losses().workers > 0 {
            self.budget.lose();
        }
        Ok(runs)
    }

    /// What kept a candidate from executing what it was made for.
    fn note_obstacle(&mut self, candidate: &Candidate, run: &Run, goals: &Goals) {
        let goal = candidate.goal.and_then(|goal| goals.get(goal));
        if let (Some(goal), Some(obstacle)) = (goal, run.met)
            && !run.pairs.contains(&goal.pair)
        {
            // A changed sequence may have lost the call of the use: then it came no nearer.
            if candidate.why == Why::Splice || obstacle == Obstacle::Overwritten {
                self.search.met(goal, obstacle, &candidate.sequence);
            }
            let thrown = run.outcome.thrown.as_ref().filter(|_| obstacle == Obstacle::Stopped);
            if let Some(thrown) = thrown.filter(|_| self.expects.has(&candidate.sequence, &run.outcome)) {
                self.search.go_on(candidate, thrown);
            }
        }
    }

    fn run_all(&mut self, sequences: Vec<Sequence>) -> Result<Vec<Run>> {
        let covered: &Covered = self.covered;
        let jobs: Vec<_> = sequences.into_iter().map(|sequence| (sequence, vec![])).collect();
        self.budget.count(jobs.len());
        let runs = self.pool.run(jobs, |pairs| pairs.iter().any(|&key| !covered.contains(key)))?;
        if self.pool.losses().workers > 0 {
            self.budget.lose();
        }
        Ok(runs)
    }

    /// Keeps candidates that covered something nobody had inferred, as far as they still do; whether all had their turn.
    fn use_leftovers(&mut self, grown: &mut Grown, iteration: &mut Iteration) -> Result<bool> {
        while !grown.leftovers.is_empty() {
            if self.budget.is_turn_over() {
                return Ok(false);
            }
            let most = grown.leftovers.len().min(self.budget.batch(self.extent.batch));
            let part: Vec<Sequence> = grown.leftovers.drain(..most).collect();
            let runs = self.run_all(part.clone())?;
            self.keep(part.into_iter().zip(runs).collect(), |_| true, &mut grown.kept, iteration)?;
        }
        Ok(true)
    }

    /// Keeps of sequences that ran what covers a pair that nothing else covers and that is wanted; several are made shorter at the same time, each for what those
    /// before it do not have. Gives back what had no turn, as others have what is wanted of it, as far as it covers something new.
    fn keep(
        &mut self,
        ran: Vec<(Sequence, Run)>,
        is_wanted: impl Fn(PairKey) -> bool,
        kept: &mut Vec<Kept>,
        iteration: &mut Iteration,
    ) -> Result<Vec<(Sequence, Run)>> {
        let mut rest = ran;
        loop {
            let (mut wishes, mut claimed) = (vec![], BTreeSet::<PairKey>::new());
            let mut others = vec![];
            for (sequence, run) in rest {
                let new = || run.pairs.iter().copied().filter(|&key| !self.covered.contains(key));
                let wanted: BTreeSet<PairKey> =
                    new().filter(|&key| is_wanted(key) && !claimed.contains(&key)).collect();
                if !wanted.is_empty() {
                    claimed.extend(&wanted);
                    wishes.push(Wish { sequence, run, wanted });
                } else if new().next().is_some() {
                    others.push((sequence, run));
                }
            }
            if wishes.is_empty() {
                return Ok(others);
            }
            self.grant(&wishes, kept, iteration)?;
            rest = others;
        }
    }

    /// Makes candidates shorter and adds those that show again what they are wanted for.
    fn grant(&mut self, wishes: &[Wish], kept: &mut Vec<Kept>, iteration: &mut Iteration) -> Result<()> {
        let rules = Rules { allowed: self.allowed, helpers: self.helpers };
        let tasks = wishes.iter().map(|wish| move |runs: &Runs| accept::judged(runs, wish, rules)).collect();
        let verdicts = together(tasks, |questions| self.answer(questions))?;
        for (wish, verdict) in wishes.iter().zip(verdicts) {
            let is_covered = wish.wanted.iter().all(|&key| self.covered.contains(key));
            match verdict {
                Verdict::Kept(test) if !is_covered => self.add(*test, kept, iteration)?,
                Verdict::Harmful => {
                    let refused = self.allowed.refused(&wish.run.outcome.effects);
                    self.refusals.add_candidate(&wish.sequence, &refused, &wish.wanted);
                }
                Verdict::Kept(_) | Verdict::Dropped => {}
            }
        }
        Ok(())
    }

    /// Runs the first forms of each question: fewer of each where many ask, none when nothing may run any more.
    fn answer(&mut self, questions: Vec<Question>) -> Result<Vec<Vec<Run>>> {
        let (many, mut left) = (questions.len(), self.budget.most(usize::MAX));
        let mut jobs = vec![];
        let mut parts = vec![];
        for Question { mut forms, at_once, pairs } in questions {
            forms.truncate(at_once.div_ceil(many).max(LEAST).min(at_once).min(left));
            left -= forms.len();
            parts.push((jobs.len()..jobs.len() + forms.len(), pairs));
            jobs.extend(forms.into_iter().map(|form| (form, vec![])));
        }
        if self.budget.over().is_some() {
            return Ok(parts.iter().map(|_| vec![]).collect());
        }
        self.budget.count(jobs.len());
        let of = |place: usize| parts.iter().find(|(places, _)| places.contains(&place));
        let is_wanted = |place: usize, pairs: &BTreeSet<PairKey>| {
            of(place).is_some_and(|(_, wanted)| wanted.is_subset(pairs))
        };
        let mut runs = self.pool.run_for(jobs, &[], is_wanted)?.into_iter();
        let is_over = self.pool.is_over();
        let mut taken = |(places, _): &(Range<usize>, _)| {
            let runs: Vec<Run> = runs.by_ref().take(places.len()).collect();
            if is_over { vec![] } else { runs }
        };
        Ok(parts.iter().map(&mut taken).collect())
    }

    fn add(&mut self, test: Accepted, kept: &mut Vec<Kept>, iteration: &mut Iteration) -> Result<()> {
        let Accepted { sequence, pairs, facts, throws } = test;
        let class = self.roots.first();
        let name = kept::name_of_kept(class, kept.len());
        let places = kept::take_in(self.suite, facts, &name)?;
        let records = self.suite.tests.get(places).unwrap_or_default();
        self.keys.update(&self.suite.facts, &self.suite.classes);
        let first = pairs.iter().copied().filter(|&key| self.covered.add(key, iteration.n)).collect();
        let new = kept::new_pairs(records, self.keys, &first);
        iteration.covered_new += first.len() as u64;
        iteration.tests_added += 1;
        for record in records {
            let witnesses = record.witnesses.clone();
            self.search.add_to_corpus(Specimen::new(sequence.clone(), witnesses));
        }
        kept.push(Kept {
            name,
            sequence,
            iteration: iteration.n,
            pairs,
            new,
            noticing: BTreeSet::new(),
            closes: false,
            throws,
        });
        Ok(())
    }
}

/// The next candidates; of what is left once nothing else brings news, if that is wanted.
fn made(search: &mut Search, most: usize, is_last: bool) -> Vec<Candidate> {
    if is_last { search.next_last(most) } else { search.next_batch(most) }
}

/// Whether it was made for the objective that it names, and not only with it in mind.
fn is_aimed(candidate: &Candidate) -> bool {
    matches!(candidate.why, Why::Splice | Why::Near)
}

/// An iteration ended.
fn say_iteration(progress: &Progress, class: &str, iteration: &Iteration) {
    let Iteration { covered_new, n, objectives_new, tests_added } = iteration;
    progress.say(&format!(
        "{class}, iteration {n}: {objectives_new} new objectives, {covered_new} pairs newly covered, {tests_added} tests added"
    ));
}

fn stopped_by(over: Over) -> StoppedBy {
    match over {
        Over::Spent => StoppedBy::Budget,
        Over::Interrupted => StoppedBy::Interrupted,
        Over::Lost => StoppedBy::Losses,
    }
}
