//! The candidates of a class, ready to be written: compiled and run by themselves, and what came of it in terms of what was kept.
//!
//! Knows nothing of the search, nor of the workers that judged them. Invariant: it is decided which candidates there are, so that nothing but what it is
//! handed to be checked with says what comes of them.

use super::attempt::Wrong;
use super::beside::Member;
use super::checking::Finishing;
use super::extension::Extension;
use super::rounds::{Finished, Held, Rounds};
use crate::commands::augment::facts::coverage::Coverage;
use crate::commands::augment::facts::merit::Merit;
use crate::commands::augment::facts::roots::Roots;
use crate::commands::augment::judge::candidates::{self, Candidates};
use crate::commands::augment::mutants;
use crate::commands::augment::search::kept::Kept;
use anyhow::Result;
use dynaflow_search::Types;
use std::collections::BTreeSet;
use std::time::Duration;

/// What may be written for a class.
#[derive(Debug)]
pub struct Ready {
    /// How many of the tests the search kept; the others stand behind them.
    pub own: usize,
    pub kept: Vec<Kept>,
    /// By candidate, its place in `kept`.
    pub stable: Vec<usize>,
    pub candidates: Candidates,
    pub extension: Extension,
    pub coverage: Option<Coverage>,
    pub mutants: mutants::Figures,
    /// Why tests of the search are no candidates, a line each.
    pub dropped: Vec<String>,
}

/// Tests of a class that hold by themselves.
#[derive(Debug)]
pub struct Holding {
    own: usize,
    kept: Vec<Kept>,
    /// By candidate, its place in `kept`.
    stable: Vec<usize>,
    coverage: Option<Coverage>,
    mutants: mutants::Figures,
    dropped: Vec<String>,
    rounds: Rounds,
}

/// What the tests of a class came to.
#[derive(Debug)]
pub struct Tested {
    /// What holds; or why that is not known.
    pub holding: Result<Holding>,
    /// What was spent on checking it.
    pub spent: Duration,
}

impl Ready {
    /// Writes, compiles and runs them, by themselves.
    ///
    /// # Errors
    /// When JVMs or the compiler cannot be run at all, or not in time.
    pub fn hold(self, with: Finishing, class: &str, types: &Types) -> Result<Holding> {
        let Self { own, kept, stable, candidates, extension, coverage, mutants, dropped } = self;
        let mut rounds = Rounds::new(class, candidates, extension);
        rounds.hold(with, types)?;
        Ok(Holding { own, kept, stable, coverage, mutants, dropped, rounds })
    }
}

impl Holding {
    /// What is run beside others; none where nothing holds.
    pub fn member(&self) -> Option<Member<'_>> {
        self.rounds.member()
    }

    /// Drops tests that do not hold beside others, or others beside them, and checks the rest again.
    ///
    /// # Errors
    /// When JVMs or the compiler cannot be run at all, or not in time.
    pub fn leave(&mut self, wrong: Wrong, with: Finishing, types: &Types) -> Result<()> {
        self.rounds.leave(wrong);
        self.rounds.hold(with, types)
    }

    /// Notes why it is not known whether the tests hold beside others, or that it is.
    pub fn note_unknown(&mut self, why: Option<&str>) {
        self.rounds.note_unknown(why);
    }

    /// The tests that hold, by their places in what was kept.
    pub fn held(&self) -> Vec<Held> {
        let mut held = self.rounds.held();
        held.iter_mut().for_each(|held| held.place = self.in_kept(held.place));
        held
    }

    /// What these are worth: what they were chosen for, and what their compiled form shows.
    pub fn worth(&self, roots: &Roots) -> BTreeSet<Merit> {
        let mut worth = self.rounds.noted();
        worth.extend(self.member().into_iter().flat_map(|member| candidates::there(member.recording, roots)));
        worth
    }

    /// The suite of what holds. Tests are named by their places in what was kept.
    pub fn finish(self, with: Finishing, class: &str, types: &Types) -> Finished {
        let held = self.held();
        let is_green = |held: &&Held| !self.rounds.is_finding(held.place);
        let green: Vec<usize> =
            self.rounds.held().iter().filter(is_green).map(|held| self.in_kept(held.place)).collect();
        let Self { own, kept, stable, coverage, mutants, dropped, rounds } = self;
        let mut finished = rounds.finish(with, types);
        finished.goals = coverage.map(|coverage| coverage.figures(green.into_iter()));
        for goal in finished.goals.iter().flat_map(|figures| &figures.open) {
            tracing::info!("{class}: not reached: {goal}");
        }
        // What another form does that is written is not left out.
        let written: Vec<&Kept> = held.iter().filter_map(|held| kept.get(held.place)).collect();
        finished.written = written.iter().map(|kept| kept.sequence.clone()).collect();
        let does = |form: &Kept, whole: &Kept| form.name == whole.name && whole.pairs.is_subset(&form.pairs);
        let is_written =
            |place: usize| kept.get(place).is_some_and(|one| written.iter().any(|form| does(form, one)));
        let left_out = std::mem::take(&mut finished.left_out);
        let left_out = left_out.into_iter().filter_map(|(place, throws)| Some((*stable.get(place)?, throws)));
        finished.left_out = left_out.filter(|(place, _)| *place < own && !is_written(*place)).collect();
        finished.held = held;
        finished.mutants = mutants::Figures { by_tests: finished.notices.len(), ..mutants };
        finished.dropped.extend(dropped);
        finished
    }

    /// Each candidate has its place among the stable ones.
    fn in_kept(&self, place: usize) -> usize {
        self.stable.get(place).copied().unwrap_or(usize::MAX)
    }
}
