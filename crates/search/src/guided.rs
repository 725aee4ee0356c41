//! Candidates that branch distances lead: the archive's nearest sequences, changed towards what they missed.
//!
//! It knows distances and sequences, not goals of data flow: a sequence that takes a branch for the first time is handed out by
//! [`Search::next_batch`], which runs it with all facts. Invariant: what is given depends on the seed and on what was learnt, in order.

use crate::archive::News;
use crate::guidance::Guidance;
use crate::mutate::Material;
use crate::schedule::{Candidate, Search, TRIES, Why};
use crate::steer::steer;
use dynaflow_model::outcome::Distance;
use dynaflow_model::sequence::Sequence;
use rand::Rng;
use std::collections::BTreeSet;

/// How often a candidate is made without looking at the archive: branches in methods that nobody called have no distance.
const BLIND: f64 = 0.25;

impl Search {
    /// From now on distances guide the search towards these outcomes of branches.
    pub fn guide(&mut self, wanted: BTreeSet<u32>) {
        self.guidance = Some(Guidance::new(wanted, &self.seeds));
    }

    /// Whether distances may lead anywhere.
    pub fn may_be_led(&self) -> bool {
        self.guidance.as_ref().is_some_and(Guidance::may_lead)
    }

    /// The next sequences whose distances are wanted, `n` at most; none without guidance.
    pub fn next_guided(&mut self, n: usize) -> Vec<Sequence> {
        let mut batch = vec![];
        for _ in 0..n.saturating_mul(TRIES) {
            if batch.len() >= n {
                break;
            }
            let Some(guidance) = &mut self.guidance else { break };
            let known = guidance.unmeasured.pop_front();
            let Some(sequence) = known.or_else(|| self.led()) else { continue };
            if self.is_new(&sequence) && self.is_fit(&sequence) {
                batch.push(sequence);
            }
        }
        batch
    }

    /// Whether it is no longer than it may be, and was not given before.
    fn is_new(&mut self, sequence: &Sequence) -> bool {
        let length = sequence.statements.len();
        let most = self.config.statements;
        length > 0 && length <= most && self.guidance.as_mut().is_some_and(|guidance| guidance.give(sequence))
    }

    /// A sequence that came near to some outcome, changed; or any.
    fn led(&mut self) -> Option<Sequence> {
        if self.rng.random_bool(BLIND) {
            return self.random_sequence(None).map(|(sequence, _)| sequence);
        }
        // The nearest is the best start; the others lead out where it does not get nearer.
        let place = if self.rng.random_bool(0.6) { 0 } else { self.rng.random_range(0..4) };
        let Some(near) = self.guidance.as_mut()?.archive.choose(place) else {
            return self.random_sequence(None).map(|(sequence, _)| sequence);
        };
        let steered = near.operands.as_ref().filter(|_| self.rng.random_bool(0.7));
        let mut sequence = steered
            .and_then(|operands| steer(&near.sequence, operands, &mut self.rng))
            .unwrap_or_else(|| near.sequence.clone());
        let rng = &mut self.rng;
        let roots = &self.config.roots;
        let material = Material { types: &self.types, literals: &self.literals, goal: None, roots };
        let changes = if sequence == near.sequence { rng.random_range(1..4) } else { rng.random_range(0..2) };
        for _ in 0..changes {
            sequence = material.vary(sequence, rng)?;
        }
        Some(sequence)
    }

    /// Takes in what a sequence met. One that reached something new is among the next candidates.
    pub fn learn(&mut self, sequence: &Sequence, distances: &[Distance]) -> News {
        let Some(guidance) = &mut self.guidance else { return News::default() };
        let news = guidance.archive.take(sequence, distances);
        if news.reached {
            guidance.reached.push_back(sequence.clone());
            self.seeds.push(sequence.clone());
        }
        if news.nearer {
            let operands = distances.iter().filter_map(|distance| distance.operands.as_ref());
            operands.for_each(|operands| self.literals.learn_seen(operands));
        }
        news
    }

    /// A sequence that took a branch for the first time.
    pub(crate) fn next_reached(&mut self) -> Option<Candidate> {
        while let Some(sequence) = self.guidance.as_mut()?.reached.pop_front() {
            if let Some(candidate) = self.offer(sequence, None, Why::Guided) {
                return Some(candidate);
            }
        }
        None
    }
}
