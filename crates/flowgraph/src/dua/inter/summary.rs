//! What a method means to its callers: what it uses that they defined, what it leaves defined, what it surely redefines. And
//! the pairs that definitions make with uses inside of it and of what it calls.
//!
//! It knows events and the summaries of called methods, not instructions. Invariants: a summary grows from one round to the
//! next until it stays; of a method that is not known to return nothing comes back.

use super::super::vars::{VarId, Variable, Variables};
use super::events::{DefSite, Event, Events, Invocation, UseSite};
use crate::bits::{self, Matrix};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The longest path a call makes longer; what would be longer is left out.
const MAX_FIELDS: usize = 4;
/// Words of the bits of one method, and pairs of one method, that no class comes near.
const MAX_WORDS: usize = 8 << 20;
pub(super) const MAX_PAIRS: usize = 1_000_000;

/// How much may be done for the methods of a class together.
#[derive(Debug)]
pub(super) struct Budget(Cell<u64>);

impl Budget {
    /// So many steps.
    pub fn new(steps: u64) -> Self {
        Self(Cell::new(steps))
    }

    /// Takes off steps; false when there are no more.
    fn spend(&self, steps: usize) -> bool {
        self.0.set(self.0.get().saturating_sub(steps as u64));
        !self.is_spent()
    }

    /// Whether it is used up: what was computed then means nothing.
    pub fn is_spent(&self) -> bool {
        self.0.get() == 0
    }
}

/// What a method means to its callers, in terms of its own parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Summary {
    /// Uses that a definition before the call reaches.
    pub exposed: BTreeSet<(VarId, UseSite)>,
    /// Definitions that reach the end.
    pub left: BTreeSet<(VarId, DefSite)>,
    /// Variables it speaks of, and those of them that no definition before the call gets past.
    pub mentioned: BTreeMap<VarId, bool>,
    /// Whether it returns at all.
    pub returns: bool,
}

/// A definition and a use it reaches by way of calls, or of a call that changes an object.
pub(super) type Pair = (VarId, DefSite, UseSite);

/// A method ready to be solved.
pub(super) struct Solver<'s, 'a> {
    variables: &'s mut Variables<'a>,
    events: &'s Events,
    summaries: &'s [Summary],
    budget: &'s Budget,
    /// Variables of the method and of what it calls, in its own terms.
    universe: BTreeSet<VarId>,
    /// Definitions by variable: at the entry (none) or at a site; sorted.
    facts: Vec<(VarId, Option<DefSite>)>,
}

/// A step through a block.
enum Step {
    Use(VarId, UseSite),
    Kill(Range<usize>),
    Set(usize),
    /// A method that never returns was called.
    Stop,
}

/// A callee's summary in the terms of a caller.
#[derive(Default)]
struct Mapped {
    exposed: Vec<(VarId, UseSite)>,
    left: BTreeMap<VarId, Vec<DefSite>>,
    mentioned: BTreeMap<VarId, bool>,
    returns: bool,
}

impl<'s, 'a> Solver<'s, 'a> {
    /// Solves a method: its summary, and its pairs by way of calls. `successors` are those of its nodes.
    pub fn solve(
        variables: &'s mut Variables<'a>,
        events: &'s Events,
        summaries: &'s [Summary],
        budget: &'s Budget,
        successors: &dyn Fn(usize) -> Vec<usize>,
        exits: &[bool],
    ) -> (Summary, Vec<Pair>) {
        let mut solver =
            Self { variables, events, summaries, budget, universe: BTreeSet::new(), facts: Vec::new() };
        let mapped = solver.map_calls();
        solver.collect(&mapped);
        let steps = solver.steps(&mapped);
        let words = events.nodes.len().saturating_mul(bits::words(solver.facts.len()));
        if words > MAX_WORDS || !budget.spend(words) {
            budget.spend(usize::MAX);
            return Default::default();
        }
        let ins = solver.flow(&steps, successors);
        solver.read_off(&steps, &ins, exits)
    }

    /// The summaries of all calls in the terms of this method, in the order of events.
    fn map_calls(&mut self) -> Vec<Mapped> {
        let events = self.events;
        let calls = events.nodes.iter().flatten().filter_map(|event| match event {
            Event::Call(call) => Some(call),
            _ => None,
        });
        calls.map(|call| self.map(call)).collect()
    }

    fn map(&mut self, call: &Invocation) -> Mapped {
        let summaries = self.summaries;
        let none = Summary::default();
        let summary = summaries.get(call.callee as usize).unwrap_or(&none);
        if !self.budget.spend(summary.exposed.len() + summary.left.len() + summary.mentioned.len()) {
            return Mapped::default();
        }
        let mut known: BTreeMap<VarId, Option<VarId>> = BTreeMap::new();
        let mut here = |variables: &mut Variables<'a>, id: VarId| {
            *known.entry(id).or_insert_with(|| substitute(variables, id, &call.actuals))
        };
        let variables = &mut *self.variables;
        let exposed =
            summary.exposed.iter().filter_map(|(id, site)| Some((here(variables, *id)?, *site))).collect();
        let mut left: BTreeMap<VarId, Vec<DefSite>> = BTreeMap::new();
        for (id, site) in &summary.left {
            if let Some(id) = here(variables, *id) {
                left.entry(id).or_default().push(*site);
            }
        }
        let mut mentioned = BTreeMap::new();
        for (id, surely) in &summary.mentioned {
            if let Some(id) = here(variables, *id) {
                // Two parameters may hold one object: then it is redefined if either surely is.
                *mentioned.entry(id).or_default() |= *surely;
            }
        }
        Mapped { exposed, left, mentioned, returns: summary.returns }
    }

    /// The variables and definitions there are.
    fn collect(&mut self, mapped: &[Mapped]) {
        for event in self.events.nodes.iter().flatten() {
            if let Event::Use(id, _) | Event::Define(id, _) = event {
                self.universe.insert(*id);
            }
        }
        self.universe.extend(mapped.iter().flat_map(|call| call.mentioned.keys().copied()));
        let mut facts: Vec<(VarId, Option<DefSite>)> = Vec::new();
        facts.extend(self.universe.iter().filter(|id| self.comes_in(**id)).map(|id| (*id, None)));
        for event in self.events.nodes.iter().flatten() {
            if let Event::Define(root, site) = event {
                facts.extend(self.below(*root).map(|id| (id, Some(*site))));
            }
        }
        for call in mapped {
            if !self.budget.spend(self.universe.len()) {
                return;
            }
            for id in &self.universe {
                let left = self.source(*id, call).and_then(|source| call.left.get(&source));
                facts.extend(left.into_iter().flatten().map(|site| (*id, Some(*site))));
            }
            if !self.budget.spend(facts.len() / 64) || facts.len() > MAX_WORDS {
                self.budget.spend(usize::MAX);
                return;
            }
        }
        facts.sort_unstable();
        facts.dedup();
        self.facts = facts;
    }

    /// Whether a variable has a value from outside when the method begins.
    fn comes_in(&self, id: VarId) -> bool {
        match self.variables.get(self.variables.root(id)) {
            Some(Variable::Local(slot)) => self.events.formals.contains(&slot),
            Some(Variable::Static(_)) => true,
            _ => false,
        }
    }

    /// Whether the caller sees what the method defines a variable with.
    fn goes_out(&self, id: VarId) -> bool {
        match self.variables.get(self.variables.root(id)) {
            // What a parameter itself is defined by, if it is not assigned, is a call that changes its object.
            Some(Variable::Local(slot)) => {
                self.events.formals.contains(&slot) && !self.events.reassigned.contains(&slot)
            }
            Some(Variable::Static(_)) => true,
            _ => false,
        }
    }

    /// A variable and the paths through it, as far as they matter here.
    fn below(&self, root: VarId) -> impl Iterator<Item = VarId> + '_ {
        let mut found = Vec::new();
        self.variables.defined_with(root, |id| found.push(id));
        found.into_iter().filter(|id| self.universe.contains(id))
    }

    /// The callee's variable that decides about one here: that one itself, or the longest prefix of its path that the callee mentions.
    fn source(&self, id: VarId, call: &Mapped) -> Option<VarId> {
        let mut at = id;
        while !call.mentioned.contains_key(&at) {
            let Some(Variable::Path(base, _)) = self.variables.get(at) else { return None };
            at = base;
        }
        Some(at)
    }

    fn range(&self, id: VarId) -> Range<usize> {
        let start = self.facts.partition_point(|(other, _)| *other < id);
        start..self.facts.partition_point(|(other, _)| *other <= id)
    }

    fn fact(&self, id: VarId, site: DefSite) -> Option<usize> {
        self.facts.binary_search(&(id, Some(site))).ok()
    }

    /// By block: its steps.
    fn steps(&self, mapped: &[Mapped]) -> Vec<Vec<Step>> {
        let mut calls = mapped.iter();
        let mut all = Vec::with_capacity(self.events.nodes.len());
        for block in &self.events.nodes {
            let mut steps = Vec::new();
            for event in block {
                match event {
                    Event::Use(id, site) => steps.push(Step::Use(*id, *site)),
                    Event::Define(root, site) => {
                        for id in self.below(*root) {
                            steps.push(Step::Kill(self.range(id)));
                            steps.extend(self.fact(id, *site).map(Step::Set));
                        }
                    }
                    Event::Call(_) => {
                        if let Some(call) = calls.next() {
                            self.call_steps(call, &mut steps);
                        }
                    }
                }
            }
            all.push(steps);
        }
        all
    }

    fn call_steps(&self, call: &Mapped, steps: &mut Vec<Step>) {
        steps.extend(call.exposed.iter().map(|(id, site)| Step::Use(*id, *site)));
        if !call.returns {
            steps.push(Step::Stop);
            return;
        }
        if !self.budget.spend(self.universe.len()) {
            return;
        }
        for id in &self.universe {
            let Some(source) = self.source(*id, call) else { continue };
            if call.mentioned.get(&source) == Some(&true) {
                steps.push(Step::Kill(self.range(*id)));
            }
            for site in call.left.get(&source).into_iter().flatten() {
                steps.extend(self.fact(*id, *site).map(Step::Set));
            }
        }
    }

    /// By block: the definitions that reach it; and whether anything does.
    fn flow(&self, steps: &[Vec<Step>], successors: &dyn Fn(usize) -> Vec<usize>) -> (Matrix, Vec<bool>) {
        let width = bits::words(self.facts.len());
        let mut ins = Matrix::new(steps.len(), width);
        let mut live = vec![false; steps.len()];
        if let Some(first) = live.first_mut() {
            *first = true;
        }
        let at_entry = self.facts.iter().enumerate().filter(|(_, (_, site))| site.is_none());
        at_entry.for_each(|(index, _)| bits::set(ins.row_mut(0), index));
        let mut open = BTreeSet::from([0]);
        while let Some(block) = open.pop_first() {
            let mut state = ins.row(block).to_vec();
            let Some(steps) = steps.get(block) else { continue };
            if !self.budget.spend(state.len() + self.cost(steps)) {
                return (Matrix::default(), Vec::new());
            }
            if !self.through(steps, &mut state, |_, _, _| {}) {
                continue;
            }
            for target in successors(block) {
                let Some(alive) = live.get_mut(target) else { continue };
                let new = !std::mem::replace(alive, true);
                if bits::join(ins.row_mut(target), &state) || new {
                    open.insert(target);
                }
            }
        }
        (ins, live)
    }

    /// About what going through a block costs.
    fn cost(&self, steps: &[Step]) -> usize {
        let cost = |step: &Step| match step {
            Step::Kill(range) => range.len() / bits::WORD + 1,
            Step::Use(id, _) => self.range(*id).len(),
            Step::Set(_) | Step::Stop => 1,
        };
        steps.iter().map(cost).sum()
    }

    /// Goes through a block; false when its end is not reached.
    fn through(
        &self,
        steps: &[Step],
        state: &mut [u64],
        mut used: impl FnMut(VarId, UseSite, &[u64]),
    ) -> bool {
        for step in steps {
            match step {
                Step::Use(id, site) => used(*id, *site, state),
                Step::Kill(range) => bits::clear(state, range.clone()),
                Step::Set(bit) => bits::set(state, *bit),
                Step::Stop => return false,
            }
        }
        true
    }

    fn read_off(
        &self,
        steps: &[Vec<Step>],
        ins: &(Matrix, Vec<bool>),
        exits: &[bool],
    ) -> (Summary, Vec<Pair>) {
        let mut summary = Summary::default();
        let mut pairs = Vec::new();
        let mut end = vec![0; bits::words(self.facts.len())];
        for (block, steps) in steps.iter().enumerate().filter(|(block, _)| ins.1.get(*block) == Some(&true)) {
            if !self.budget.spend(pairs.len() / 64 + self.cost(steps)) || pairs.len() > MAX_PAIRS {
                self.budget.spend(usize::MAX);
                return Default::default();
            }
            let mut state = ins.0.row(block).to_vec();
            let ended = self.through(steps, &mut state, |id, usage, state| {
                for bit in self.range(id).filter(|bit| bits::has(state, *bit)) {
                    match self.facts.get(bit) {
                        Some((_, Some(site))) => pairs.push((id, *site, usage)),
                        Some((_, None)) => drop(summary.exposed.insert((id, usage))),
                        None => {}
                    }
                }
            });
            if ended && exits.get(block) == Some(&true) {
                summary.returns = true;
                bits::join(&mut end, &state);
            }
        }
        for id in &self.universe {
            let outside = self.goes_out(*id);
            let passes = self.range(*id).any(|bit| {
                bits::has(&end, bit) && self.facts.get(bit).is_some_and(|(_, site)| site.is_none())
            });
            if self.comes_in(*id) {
                summary.mentioned.insert(*id, outside && summary.returns && !passes);
            }
            let left = self.range(*id).filter(|bit| outside && bits::has(&end, *bit));
            let sites = left.filter_map(|bit| self.facts.get(bit).and_then(|(_, site)| *site));
            summary.left.extend(sites.map(|site| (*id, site)));
        }
        (summary, pairs)
    }
}

/// A callee's variable in the terms of its caller: with what was handed over in the place of the parameter.
fn substitute(variables: &mut Variables<'_>, id: VarId, actuals: &BTreeMap<u16, VarId>) -> Option<VarId> {
    match variables.get(id)? {
        Variable::Local(slot) => actuals.get(&slot).copied(),
        Variable::Static(_) => Some(id),
        Variable::Path(base, field) => {
            let base = substitute(variables, base, actuals)?;
            let path = Variable::Path(base, field);
            let known = variables.find(path);
            known.or_else(|| (variables.fields(base) < MAX_FIELDS).then(|| variables.intern(path)))
        }
    }
}
