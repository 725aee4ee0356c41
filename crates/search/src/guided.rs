//! Candidates that branch distances lead: what the algorithm proposes is measured, and what reaches a goal first is recorded.
//!
//! It knows distances and sequences, not goals of data flow: a sequence that takes a branch for the first time is handed out by
//! [`Search::next_batch`], which runs it with all facts. Invariant: what is given depends on the seed and on what was learnt, in order.

use crate::archive::News;
use crate::breeder::Breeder;
use crate::candidate::{Candidate, Why};
use crate::coverage::CoverageGoals;
use crate::guidance::{Algorithms, Guidance};
use crate::individual::Individual;
use crate::mutate::Material;
use crate::schedule::Search;
use dynaflow_model::outcome::Distance;
use dynaflow_model::sequence::Sequence;
use std::sync::Arc;

impl Search {
    /// From now on distances guide the search towards these goals.
    pub fn guide(&mut self, algorithm: Algorithms, goals: CoverageGoals) {
        self.guidance = Some(Guidance::new(algorithm, goals, &self.seeds));
    }

    /// Whether distances may lead anywhere.
    pub fn may_be_led(&self) -> bool {
        self.guidance.as_ref().is_some_and(Guidance::may_lead)
    }

    /// How many goals distances guide the search towards, and how many of them what was measured reached; none without guidance.
    pub fn goals_reached(&self) -> (usize, usize) {
        self.guidance.as_ref().map_or((0, 0), |guidance| guidance.archive.figures())
    }

    /// The shortest sequences that reached goals, by goal; none without guidance.
    pub fn covering(&self) -> Vec<Sequence> {
        let archive = self.guidance.as_ref().map(|guidance| guidance.archive.covering());
        archive.into_iter().flatten().cloned().collect()
    }

    /// The next sequences whose distances are wanted, `n` at most; none without guidance.
    pub fn next_guided(&mut self, n: usize) -> Vec<Sequence> {
        let mut batch = vec![];
        let Some(guidance) = &mut self.guidance else { return batch };
        let (types, literals, roots) = (&self.types, &self.literals, &self.config.roots);
        let mut breeder = Breeder {
            material: Material::new(types, literals, None, roots),
            seeds: &self.seeds,
            rng: &mut self.rng,
            admission: &self.admission,
            given: &mut guidance.given,
            most: self.config.statements,
        };
        while batch.len() < n
            && let Some(known) = guidance.unmeasured.pop_front()
        {
            if breeder.admits(&known) {
                batch.push(Arc::unwrap_or_clone(known));
            }
        }
        let rest = n - batch.len();
        batch.extend(guidance.algorithm.propose(rest, &guidance.archive, &mut breeder));
        batch
    }

    /// Takes in what a sequence met. One that reached something new is among the next candidates.
    pub fn learn(&mut self, sequence: &Sequence, distances: &[Distance]) -> News {
        let Some(guidance) = &mut self.guidance else { return News::default() };
        let news = guidance.take(Individual::new(sequence.clone(), distances.to_vec()));
        if !news.reached.is_empty() {
            guidance.reached.push_back(sequence.clone());
            self.seeds.push(Arc::new(sequence.clone()));
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
