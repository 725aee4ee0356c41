//! Which splice is made next: the cheapest for an open goal, those that look hopeless last.
//!
//! In: plans, what became of them, the goals that are open. Out: one plan after the other. Knows nothing of sequences. Invariant: no plan comes
//! twice, none comes for a goal that is closed, and none makes what another one made.

use crate::barren::Barren;
use crate::goal::{Goal, Sites};
use crate::splice::{Made, Plan};
use dynaflow_model::pair_key::PairKey;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The splices that were planned.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plans {
    /// Cheapest first.
    ready: VecDeque<Plan>,
    /// Those whose shape is barren for the sites of their goals, in the order in which their turns came.
    deferred: VecDeque<Plan>,
    barren: Barren,
    planned: FxHashSet<Plan>,
    /// What plans made, but for what had to be patched: those of many goals make the same.
    made: FxHashSet<Made>,
}

impl Plans {
    /// Adds plans, as far as they are new.
    pub(crate) fn add(&mut self, plans: impl IntoIterator<Item = Plan>) {
        self.ready.extend(plans.into_iter().filter(|plan| self.planned.insert(*plan)));
        self.ready.make_contiguous().sort_unstable();
    }

    /// The next plan that is not put off.
    pub(crate) fn next(&mut self) -> Option<Plan> {
        while let Some(plan) = self.ready.pop_front() {
            if self.made.contains(&plan.made()) {
                continue;
            }
            if !self.barren.is(plan.sites, plan.shape) {
                return Some(plan);
            }
            self.deferred.push_back(plan);
        }
        None
    }

    /// The next plan that was put off.
    pub(crate) fn next_deferred(&mut self) -> Option<Plan> {
        std::iter::from_fn(|| self.deferred.pop_front()).find(|plan| !self.made.contains(&plan.made()))
    }

    /// A plan made a sequence without any patch.
    pub(crate) fn make(&mut self, plan: &Plan) {
        self.made.insert(plan.made());
    }

    /// What a plan made is a candidate.
    pub(crate) fn give(&mut self, plan: &Plan) {
        self.barren.give(plan.sites, plan.shape);
    }

    /// Only these goals are open now. What was put off for others of the sites of one that is closed has its turn.
    pub(crate) fn close(&mut self, before: &BTreeMap<PairKey, Goal>, open: &BTreeMap<PairKey, Goal>) {
        let closed = before.iter().filter(|(key, _)| !open.contains_key(key));
        let closed: BTreeSet<Sites> = closed.map(|(_, goal)| goal.sites).collect();
        closed.iter().for_each(|&sites| self.barren.bear(sites));
        self.ready.retain(|plan| open.contains_key(&plan.goal));
        for plan in std::mem::take(&mut self.deferred) {
            let of = if closed.contains(&plan.sites) { &mut self.ready } else { &mut self.deferred };
            of.extend(open.contains_key(&plan.goal).then_some(plan));
        }
    }
}
