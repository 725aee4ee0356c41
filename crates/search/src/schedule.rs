//! Which candidate comes next: splices for every open goal, cheapest first; after them random sequences, changes of what came near to a goal, and
//! splices that were put off.
//!
//! In: goals and specimens. Out: well-typed candidates, none twice. Knows nothing of how they are run. Invariant:
//! the candidates depend on the seed and on the calls made, on nothing else.

use crate::admission::{Admission, Costly};
use crate::attempts::Attempts;
use crate::breeder::{self, TRIES};
use crate::candidate::{Candidate, Why};
use crate::caught::going_on;
use crate::check::check;
use crate::goal::{Corpus, Goal, Seen, Sites, Specimen};
use crate::guidance::Guidance;
use crate::literals::Literals;
use crate::mutate::Material;
use crate::nearest::Nearest;
use crate::plans::Plans;
use crate::splice::{self, Plan};
use crate::types::Types;
use dynaflow_model::facts::WitnessFact;
use dynaflow_model::obstacle::Obstacle;
use dynaflow_model::outcome::{Outcome, Thrown};
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sequence::{Sequence, Value};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::BuildHasher;
use std::sync::Arc;

/// What a search is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The same seed gives the same candidates.
    pub seed: u64,
    /// Longest candidate, in statements.
    pub statements: usize,
    /// Most splices planned for one goal before the corpus shows something new for it.
    pub splices_per_goal: usize,
    /// Whether random sequences follow when no splice is left.
    pub random: bool,
    /// Classes whose objects random sequences are about when no goal is open.
    pub roots: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self { seed: 0, statements: 80, splices_per_goal: 40, random: true, roots: vec![] }
    }
}

/// The search. Memory grows with the candidates given (a hash each) and the specimens.
#[derive(Debug)]
pub struct Search {
    pub(crate) config: Config,
    pub(crate) types: Types,
    corpus: Corpus,
    /// Specimens without their opaque parts, for variation.
    pub(crate) seeds: Vec<Arc<Sequence>>,
    pub(crate) literals: Literals,
    goals: BTreeMap<PairKey, Goal>,
    plans: Plans,
    /// Candidates that exceptions ended, going on after them.
    going_on: VecDeque<Candidate>,
    attempts: Attempts,
    nearest: Nearest,
    /// Candidates given after all plans that are not put off.
    spare: u32,
    /// Goals whose facts were seen in new places since they were planned last.
    stale: BTreeSet<PairKey>,
    by_fact: BTreeMap<WitnessFact, Vec<PairKey>>,
    /// Hashes of the candidates given: a clash loses one candidate.
    given: FxHashSet<u64>,
    pub(crate) admission: Admission,
    pub(crate) rng: ChaCha8Rng,
    /// What guides it, where distances are known.
    pub(crate) guidance: Option<Guidance>,
}

/// Most pairs of places spliced for one goal.
const PLACES: usize = 4;
/// When no other plan is left, one of so many candidates is a splice that was put off, and another one a change of what came near.
const DEFERRED: u32 = 4;

impl Search {
    /// A search over the given types and specimens.
    pub fn new(config: Config, types: Types, corpus: impl IntoIterator<Item = Specimen>) -> Self {
        let rng = ChaCha8Rng::seed_from_u64(config.seed);
        let mut search = Self {
            config,
            types,
            corpus: Corpus::default(),
            seeds: vec![],
            literals: Literals::default(),
            goals: BTreeMap::new(),
            plans: Plans::default(),
            going_on: VecDeque::new(),
            attempts: Attempts::default(),
            nearest: Nearest::default(),
            spare: 0,
            stale: BTreeSet::new(),
            by_fact: BTreeMap::new(),
            given: FxHashSet::default(),
            admission: Admission::default(),
            rng,
            guidance: None,
        };
        corpus.into_iter().for_each(|specimen| search.add_to_corpus(specimen));
        search
    }

    /// Sets the goals that are open now; others are forgotten.
    pub fn set_goals(&mut self, goals: impl IntoIterator<Item = Goal>) {
        let before = std::mem::take(&mut self.goals);
        self.goals = goals.into_iter().map(|goal| (goal.pair, goal)).collect();
        self.by_fact = BTreeMap::new();
        for (id, goal) in &self.goals {
            for fact in facts_of(goal) {
                self.by_fact.entry(fact).or_default().push(*id);
            }
            if before.get(id) != Some(goal) {
                self.stale.insert(*id);
            }
        }
        let closed = before.iter().filter(|(key, _)| !self.goals.contains_key(key));
        let closed = closed.map(|(_, goal)| goal.sites).collect();
        self.plans.close(&closed, &self.goals);
        self.nearest.close(&self.goals);
    }

    /// Forgets the goals whose pairs are covered now; the others stay as they were set.
    pub fn close_goals(&mut self, is_covered: impl Fn(PairKey) -> bool) {
        let mut closed: BTreeSet<Sites> = BTreeSet::new();
        self.goals.retain(|key, goal| {
            let is_closed = is_covered(*key);
            closed.extend(is_closed.then_some(goal.sites));
            !is_closed
        });
        if !closed.is_empty() {
            self.plans.close(&closed, &self.goals);
            self.nearest.close(&self.goals);
        }
    }

    /// Adds a test to build on.
    pub fn add_to_corpus(&mut self, specimen: Specimen) {
        self.literals.learn_from(&specimen.sequence);
        let seed = Arc::clone(&specimen.rebuilt);
        if !seed.statements.is_empty() && check(&seed, &self.types).is_ok() {
            self.admission.excuse(&seed, &self.types);
            if let Some(guidance) = &mut self.guidance {
                guidance.add(&seed);
            }
            self.seeds.push(seed);
        }
        let facts: BTreeSet<WitnessFact> = specimen.witnesses().iter().map(|w| w.fact).collect();
        if self.corpus.add(specimen) {
            let goals = facts.iter().filter_map(|fact| self.by_fact.get(fact)).flatten();
            self.stale.extend(goals);
        }
    }

    /// The next candidates, `n` at most; fewer when it has no more.
    pub fn next_batch(&mut self, n: usize) -> Vec<Candidate> {
        self.plan();
        let mut batch = vec![];
        while batch.len() < n {
            let going_on = self.going_on.pop_front();
            let next = going_on.or_else(|| self.next_splice()).or_else(|| self.next_reached());
            let Some(candidate) = next.or_else(|| self.next_spare()) else { break };
            batch.push(candidate);
        }
        batch
    }

    /// What is left when nothing else brings news, `n` at most: splices that were put off, and changes of what came near to goals.
    pub fn next_last(&mut self, n: usize) -> Vec<Candidate> {
        std::iter::from_fn(|| self.next_left()).take(n).collect()
    }

    fn next_left(&mut self) -> Option<Candidate> {
        self.spare = self.spare.wrapping_add(1);
        let going_on = self.going_on.pop_front();
        if self.spare.is_multiple_of(2) {
            return going_on.or_else(|| self.next_deferred()).or_else(|| self.next_near());
        }
        going_on.or_else(|| self.next_near()).or_else(|| self.next_deferred())
    }

    fn plan(&mut self) {
        let stale = std::mem::take(&mut self.stale);
        let mut fresh = vec![];
        for goal in stale.iter().filter_map(|id| self.goals.get(id)) {
            let places = places_of(goal, &self.corpus);
            if !self.plans.are_news(goal.pair, &places) {
                continue;
            }
            let plans = goal_plans(goal, &self.corpus, &places, self.config.splices_per_goal);
            if plans.is_empty() {
                self.attempts.meet(goal.pair, goal.sites, Obstacle::Unmade);
            }
            fresh.extend(plans);
        }
        self.plans.add(fresh);
    }

    fn next_splice(&mut self) -> Option<Candidate> {
        while let Some(plan) = self.plans.next() {
            if let Some(candidate) = self.spliced(&plan) {
                self.plans.give(&plan);
                return Some(candidate);
            }
        }
        None
    }

    /// A random sequence, a change of one that came near to a goal, or at times a splice that was put off.
    fn next_spare(&mut self) -> Option<Candidate> {
        self.spare = self.spare.wrapping_add(1);
        let first = match self.spare % DEFERRED {
            0 => self.next_deferred(),
            1 => self.next_near(),
            _ => None,
        };
        first.or_else(|| self.next_random()).or_else(|| self.next_deferred())
    }

    /// A change of a sequence that came near to a goal.
    fn next_near(&mut self) -> Option<Candidate> {
        if !self.config.random {
            return None;
        }
        for _ in 0..TRIES {
            let (goal, near) = self.nearest.next()?;
            let (open, roots) = (self.goals.get(&goal), &self.config.roots);
            let material =
                Material { reuses: true, ..Material::new(&self.types, &self.literals, open, roots) };
            let changed = breeder::changed(&material, &near, &self.seeds, &mut self.rng);
            let fit = changed.filter(|changed| self.is_fit(changed));
            if let Some(candidate) = fit.and_then(|changed| self.offer(changed, Some(goal), Why::Near)) {
                return Some(candidate);
            }
        }
        None
    }

    fn next_deferred(&mut self) -> Option<Candidate> {
        while let Some(plan) = self.plans.next_deferred() {
            if let Some(candidate) = self.spliced(&plan) {
                return Some(candidate);
            }
        }
        None
    }

    fn spliced(&mut self, plan: &Plan) -> Option<Candidate> {
        let Some(sequence) = self.fit_splice(plan) else {
            self.attempts.meet(plan.goal, plan.sites, Obstacle::Unmade);
            return None;
        };
        self.offer(sequence, Some(plan.goal), Why::Splice)
    }

    /// What a plan makes, patched where that makes it well typed.
    fn fit_splice(&mut self, plan: &Plan) -> Option<Sequence> {
        let sequence = splice::make(plan, &self.corpus)?;
        if self.is_fit(&sequence) {
            self.plans.make(plan);
            return Some(sequence);
        }
        self.patched(&sequence, plan.goal)
    }

    /// A sequence that was made for a goal ran and did not execute it.
    pub fn met(&mut self, goal: &Goal, obstacle: Obstacle, sequence: &Sequence) {
        self.attempts.meet(goal.pair, goal.sites, obstacle);
        self.nearest.meet(goal, obstacle, sequence);
    }

    /// An exception that a test may expect ended a candidate before its last call: one that goes on after it is among the next.
    pub fn go_on(&mut self, candidate: &Candidate, thrown: &Thrown) {
        let going = going_on(&candidate.sequence, thrown).filter(|sequence| self.is_fit(sequence));
        let Candidate { goal, why, .. } = candidate;
        let offered = going.and_then(|sequence| self.offer(sequence, *goal, *why));
        self.going_on.extend(offered);
    }

    /// The farthest obstacle that sequences for a goal met.
    pub fn obstacle(&self, goal: &Goal) -> Obstacle {
        self.attempts.of(goal)
    }

    /// The splice with objects nobody can rebuild replaced, if that makes it well typed.
    fn patched(&mut self, sequence: &Sequence, goal: PairKey) -> Option<Sequence> {
        let (open, roots) = (self.goals.get(&goal), &self.config.roots);
        let material = Material::new(&self.types, &self.literals, open, roots);
        let patched = material.patch(sequence, &mut self.rng)?;
        self.is_fit(&patched).then_some(patched)
    }

    fn next_random(&mut self) -> Option<Candidate> {
        if !self.config.random {
            return None;
        }
        for _ in 0..TRIES {
            let goal = self.some_goal();
            let Some((sequence, why)) = self.random_sequence(goal) else { continue };
            if !self.is_fit(&sequence) {
                continue;
            }
            if let Some(candidate) = self.offer(sequence, goal, why) {
                return Some(candidate);
            }
        }
        None
    }

    /// Learns values that arguments may have.
    pub fn learn_values(&mut self, values: impl IntoIterator<Item = Value>) {
        values.into_iter().for_each(|value| self.literals.learn(&value));
    }

    /// The sequence with up to three changes, at times with the end of a known one; none when no try gave one that may be run. It is not remembered as given.
    pub fn changed(&mut self, sequence: &Sequence) -> Option<Sequence> {
        let material = Material::new(&self.types, &self.literals, None, &self.config.roots);
        let (rng, most) = (&mut self.rng, self.config.statements);
        (0..TRIES).find_map(|_| {
            let changed = breeder::changed(&material, sequence, &self.seeds, rng)?;
            let is_new = changed != *sequence && changed.statements.len() <= most;
            (is_new && self.admission.admits(&changed, &self.types)).then_some(changed)
        })
    }

    /// A sequence ran. Others that end their JVM, or do not end in time, in the same way as this one are not given, and methods in which a sequence's
    /// time was over are called less.
    pub fn ran(&mut self, sequence: &Sequence, outcome: &Outcome) {
        self.admission.ran(sequence, outcome);
    }

    /// Whether a sequence that was given does what is known by now to end its JVM, or not to end in time.
    pub fn is_costly(&self, sequence: &Sequence) -> bool {
        self.admission.is_costly(sequence)
    }

    /// Exchanges what is known to cost JVMs, or to take all the time there is: searches that take turns share it.
    pub fn swap_costly(&mut self, costly: &mut Costly) {
        std::mem::swap(self.admission.costly(), costly);
    }

    fn is_fit(&self, sequence: &Sequence) -> bool {
        self.admission.admits(sequence, &self.types)
    }

    fn some_goal(&mut self) -> Option<PairKey> {
        if self.goals.is_empty() {
            return None;
        }
        let at = self.rng.random_range(0..self.goals.len());
        self.goals.keys().nth(at).copied()
    }

    fn random_sequence(&mut self, goal: Option<PairKey>) -> Option<(Sequence, Why)> {
        let open = goal.and_then(|id| self.goals.get(&id));
        let material = Material::new(&self.types, &self.literals, open, &self.config.roots);
        breeder::random(&material, &self.seeds, &mut self.rng)
    }

    /// A candidate, unless it is too long or was given before.
    pub(crate) fn offer(&mut self, sequence: Sequence, goal: Option<PairKey>, why: Why) -> Option<Candidate> {
        let length = sequence.statements.len();
        if length == 0
            || length > self.config.statements
            || !self.given.insert(FxBuildHasher.hash_one(&sequence))
        {
            return None;
        }
        Some(Candidate { sequence, goal, why })
    }
}

fn facts_of(goal: &Goal) -> impl Iterator<Item = WitnessFact> {
    let exits = goal.exits.iter().map(|id| WitnessFact::Exit(*id));
    exits.chain(goal.entries.iter().map(|id| WitnessFact::Entry(*id)))
}

/// The cheapest places where the definition and the use of a goal were seen.
fn places_of(goal: &Goal, corpus: &Corpus) -> (Vec<Seen>, Vec<Seen>) {
    let cheapest = |mut places: Vec<Seen>| {
        places.truncate(PLACES);
        places
    };
    let definitions = corpus.places(goal.exits.iter().map(|id| WitnessFact::Exit(*id)));
    (cheapest(definitions), cheapest(corpus.places(goal.entries.iter().map(|id| WitnessFact::Entry(*id)))))
}

/// The cheapest plans for a goal.
fn goal_plans(
    goal: &Goal,
    corpus: &Corpus,
    (definitions, usages): &(Vec<Seen>, Vec<Seen>),
    most: usize,
) -> Vec<Plan> {
    let mut pairs = vec![];
    for definition in definitions {
        for usage in usages {
            pairs.push((definition.cost.saturating_add(usage.cost), *definition, *usage));
        }
    }
    pairs.sort_unstable();
    let farther = (0u32..).zip(pairs);
    let mut plans: Vec<Plan> = farther
        .flat_map(|(farther, (_, definition, usage))| {
            splice::plans((goal.pair, goal.sites), &goal.root, corpus, (definition, usage), farther)
        })
        .collect();
    plans.sort_unstable();
    plans.truncate(most);
    plans
}
