//! Which splice is made next: the cheapest for an open goal, those that look hopeless last.
//!
//! In: plans, what became of them, the goals that are open. Out: one plan after the other. Knows nothing of sequences. Invariant: no plan comes
//! twice, none comes for a goal that is closed, and none makes what another one made.

use crate::barren::Barren;
use crate::goal::{Goal, Seen, Sites};
use crate::splice::{Made, Plan};
use dynaflow_model::pair_key::PairKey;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::BuildHasher;

/// The splices that were planned.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plans {
    /// Cheapest first.
    ready: VecDeque<Plan>,
    /// Those whose shape is barren for the sites of their goals, in the order in which their turns came.
    deferred: VecDeque<Plan>,
    barren: Barren,
    /// Hashes of the plans: a clash loses one.
    planned: FxHashSet<u64>,
    /// By goal, the hash of the places from which it was planned last.
    places: FxHashMap<PairKey, u64>,
    /// What plans made, but for what had to be patched: those of many goals make the same.
    made: FxHashSet<Made>,
}

impl Plans {
    /// Whether a goal was not planned from these places last: from the same ones the same plans would be made.
    pub(crate) fn are_news(&mut self, goal: PairKey, places: &(Vec<Seen>, Vec<Seen>)) -> bool {
        let hash = FxBuildHasher.hash_one(places);
        self.places.insert(goal, hash) != Some(hash)
    }

    /// Adds plans, as far as they are new.
    pub(crate) fn add(&mut self, plans: impl IntoIterator<Item = Plan>) {
        let is_new = |plan: &Plan| self.planned.insert(FxBuildHasher.hash_one(plan));
        self.ready.extend(plans.into_iter().filter(is_new));
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

    /// Only these goals are open now, and goals of these sites no longer. What was put off for others of the same sites has its turn.
    pub(crate) fn close(&mut self, closed: &BTreeSet<Sites>, open: &BTreeMap<PairKey, Goal>) {
        closed.iter().for_each(|&sites| self.barren.bear(sites));
        self.ready.retain(|plan| open.contains_key(&plan.goal));
        for plan in std::mem::take(&mut self.deferred) {
            let of = if closed.contains(&plan.sites) { &mut self.ready } else { &mut self.deferred };
            of.extend(open.contains_key(&plan.goal).then_some(plan));
        }
    }
}
