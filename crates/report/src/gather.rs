//! The facts of a recording by root class and state variable, in the order of their texts.
//!
//! Knows nothing of pages. Invariants: equal facts give equal lists, whatever their ids; memory grows with the facts, as open objectives, which
//! are a product, are counted and never listed.

use crate::ranks::Ranks;
use crate::tests_of::{TestNames, Tests};
use dynaflow_model::facts::{
    DefAtExit, DefinitionId, Exit, FactTable, Pair, PairId, Recording, UseAtEntry, UseId, VariableId,
};
use dynaflow_model::ids::DenseId;

/// What tests showed of the objects of one class.
#[derive(Debug)]
pub struct Root<'a> {
    /// Its binary name.
    pub class: &'a str,
    /// Its state variables, by their steps.
    pub variables: Vec<Variable>,
    /// How many pairs they have.
    pub count: Count,
}

/// What tests showed of a state variable.
#[derive(Debug)]
pub struct Variable {
    /// The variable.
    pub id: VariableId,
    /// Its definitions that were executed in pairs or left an invocation.
    pub definitions: Vec<Half<DefinitionId>>,
    /// Its uses that were executed in pairs or saw what was there before an invocation.
    pub uses: Vec<Half<UseId>>,
    /// The executed pairs.
    pub covered: Vec<Covered>,
    /// How many pairs, see [`Variable::counted`].
    pub count: Count,
}

/// A definition or a use of a variable.
#[derive(Debug)]
pub struct Half<I> {
    /// Which.
    pub id: I,
    /// Whether it left (a definition) or entered (a use) an invocation on the root, so that objectives are made with it.
    pub open: bool,
    /// For a definition: whether an invocation that it left ended by an exception.
    pub thrown: bool,
    /// The tests that showed that.
    pub tests: Tests,
}

/// An executed pair.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Covered {
    /// Position in [`Variable::definitions`].
    pub definition: usize,
    /// Position in [`Variable::uses`].
    pub usage: usize,
    /// The tests that executed it.
    pub tests: Tests,
}

/// How many pairs there are of something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Executed.
    pub covered: usize,
    /// Open objectives.
    pub open: usize,
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.covered += other.covered;
        self.open += other.open;
    }
}

impl std::iter::Sum for Count {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        let mut sum = Self::default();
        all.for_each(|count| sum += count);
        sum
    }
}

impl Count {
    /// All of them.
    pub fn total(self) -> usize {
        self.covered + self.open
    }
}

impl Variable {
    /// Whether an executed pair is one of the product of what leaves and what enters, so that it is no objective.
    pub fn is_in_product(&self, pair: &Covered) -> bool {
        self.definitions.get(pair.definition).is_some_and(|half| half.open)
            && self.uses.get(pair.usage).is_some_and(|half| half.open)
    }

    /// With its pairs counted. Linear in the facts: objectives are defs@exit x uses@entry without the executed pairs.
    fn counted(mut self) -> Self {
        let leaving = self.definitions.iter().filter(|half| half.open).count();
        let entering = self.uses.iter().filter(|half| half.open).count();
        let met = self.covered.iter().filter(|pair| self.is_in_product(pair)).count();
        self.count = Count { covered: self.covered.len(), open: leaving * entering - met };
        self
    }
}

/// Definitions or uses by variable: places in ranks, and what is known of each.
struct Slots {
    keys: Vec<(u32, u32)>,
    open: Vec<bool>,
    thrown: Vec<bool>,
    tests: Vec<Tests>,
}

impl Slots {
    fn new(mut keys: Vec<(u32, u32)>) -> Self {
        keys.sort_unstable();
        keys.dedup();
        let (open, tests) = (vec![false; keys.len()], vec![Tests::default(); keys.len()]);
        Self { thrown: open.clone(), keys, open, tests }
    }

    fn at(&self, key: (u32, u32)) -> usize {
        self.keys.partition_point(|other| *other < key)
    }

    /// The places of a variable.
    fn of(&self, variable: u32) -> std::ops::Range<usize> {
        self.at((variable, 0))..self.at((variable.saturating_add(1), 0))
    }

    fn halves<I: DenseId>(&self, variable: u32, by_rank: &[I]) -> Vec<Half<I>> {
        let half = |at: usize| {
            let (_, rank) = *self.keys.get(at)?;
            Some(Half {
                id: *by_rank.get(rank as usize)?,
                open: self.open.get(at).copied().unwrap_or_default(),
                thrown: self.thrown.get(at).copied().unwrap_or_default(),
                tests: self.tests.get(at).cloned().unwrap_or_default(),
            })
        };
        self.of(variable).filter_map(half).collect()
    }
}

/// The facts by root and variable, each in the order of its text. Near-linear in the facts and in what single tests showed.
pub fn roots<'a>(recording: &'a Recording, names: &TestNames<'a>) -> Vec<Root<'a>> {
    let facts = &recording.facts;
    let gatherer = Gatherer { facts, ranks: Ranks::of(facts) };
    let definitions = gatherer.definitions(names);
    let uses = gatherer.uses(names);
    let covered = gatherer.covered(names, &definitions, &uses);
    let mut roots: Vec<Root<'a>> = vec![];
    let mut rest = covered.into_iter().peekable();
    for (rank, &id) in (0..).zip(&gatherer.ranks.variables.by_rank) {
        let class = facts.variables.get(id).map_or("", |variable| facts.text(variable.root));
        let covered = std::iter::from_fn(|| rest.next_if(|(variable, _)| *variable == rank));
        let variable = Variable {
            id,
            covered: covered.map(|(_, pair)| pair).collect(),
            definitions: definitions.halves(rank, &gatherer.ranks.definitions.by_rank),
            uses: uses.halves(rank, &gatherer.ranks.uses.by_rank),
            count: Count::default(),
        };
        let variable = variable.counted();
        if variable.definitions.is_empty() && variable.uses.is_empty() {
            continue;
        }
        match roots.last_mut() {
            Some(root) if root.class == class => {
                root.count += variable.count;
                root.variables.push(variable);
            }
            _ => roots.push(Root { class, count: variable.count, variables: vec![variable] }),
        }
    }
    roots
}

struct Gatherer<'a> {
    facts: &'a FactTable,
    ranks: Ranks,
}

impl Gatherer<'_> {
    fn pairs(&self) -> impl Iterator<Item = &Pair> {
        self.facts.pairs.iter().map(|(_, pair)| pair)
    }

    fn definition(&self, variable: VariableId, definition: DefinitionId) -> (u32, u32) {
        (self.ranks.variables.of(variable), self.ranks.definitions.of(definition))
    }

    fn usage(&self, variable: VariableId, usage: UseId) -> (u32, u32) {
        (self.ranks.variables.of(variable), self.ranks.uses.of(usage))
    }

    fn definitions(&self, names: &TestNames<'_>) -> Slots {
        let key = |exit: &DefAtExit| self.definition(exit.variable, exit.definition);
        let exits = || self.facts.exits.iter().map(|(_, exit)| exit);
        let of_pairs = self.pairs().map(|pair| self.definition(pair.variable, pair.definition));
        let mut slots = Slots::new(of_pairs.chain(exits().map(key)).collect());
        let by_exit: Vec<usize> = exits().map(|exit| slots.at(key(exit))).collect();
        for (&at, exit) in by_exit.iter().zip(exits()) {
            set(&mut slots.open, at);
            if exit.exit == Exit::Exception {
                set(&mut slots.thrown, at);
            }
        }
        names.each(|test| &test.exits, |id| by_exit.get(id.index()).copied(), &mut slots.tests);
        slots
    }

    fn uses(&self, names: &TestNames<'_>) -> Slots {
        let key = |entry: &UseAtEntry| self.usage(entry.variable, entry.usage);
        let entries = || self.facts.entries.iter().map(|(_, entry)| entry);
        let of_pairs = self.pairs().map(|pair| self.usage(pair.variable, pair.usage));
        let mut slots = Slots::new(of_pairs.chain(entries().map(key)).collect());
        let by_entry: Vec<usize> = entries().map(|entry| slots.at(key(entry))).collect();
        by_entry.iter().for_each(|&at| set(&mut slots.open, at));
        names.each(|test| &test.entries, |id| by_entry.get(id.index()).copied(), &mut slots.tests);
        slots
    }

    /// The executed pairs with the rank of their variable, in order.
    fn covered(&self, names: &TestNames<'_>, definitions: &Slots, uses: &Slots) -> Vec<(u32, Covered)> {
        let mut tests = vec![Tests::default(); self.facts.pairs.len()];
        names.each(|test| &test.pairs, |id: PairId| Some(id.index()), &mut tests);
        let pair = |(pair, tests): (&Pair, Tests)| {
            let definition = self.definition(pair.variable, pair.definition);
            let usage = self.usage(pair.variable, pair.usage);
            let variable = definition.0;
            let covered = Covered {
                definition: definitions.at(definition) - definitions.of(variable).start,
                usage: uses.at(usage) - uses.of(variable).start,
                tests,
            };
            (variable, covered)
        };
        let mut all: Vec<_> = self.pairs().zip(tests).map(pair).collect();
        all.sort_unstable();
        all
    }
}

fn set(flags: &mut [bool], at: usize) {
    if let Some(flag) = flags.get_mut(at) {
        *flag = true;
    }
}
