//! The candidates of a class, ready to be written: compiled and run, and what came of it in terms of what was kept.
//!
//! Knows nothing of the search, nor of the workers that judged them. Invariant: it is decided which candidates there are, so that nothing but what it is
//! handed to be checked with says what comes of them.

use super::checking::Finishing;
use super::extension::Extension;
use super::rounds::{self, Finished, Held};
use crate::commands::augment::facts::coverage::Coverage;
use crate::commands::augment::judge::candidates::Candidates;
use crate::commands::augment::mutants;
use crate::commands::augment::search::kept::Kept;
use anyhow::Result;
use dynaflow_search::Types;
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

/// What the tests of a class came to.
#[derive(Debug)]
pub struct Tested {
    /// What holds; or why that is not known.
    pub finished: Result<Finished>,
    /// What was spent on checking it.
    pub spent: Duration,
}

impl Ready {
    /// Writes, compiles and runs them. Tests are named by their places in what was kept.
    ///
    /// # Errors
    /// When JVMs or the compiler cannot be run at all, or not in time.
    pub fn finish(self, with: Finishing, class: &str, types: &Types) -> Result<Finished> {
        let Self { own, kept, stable, mut candidates, extension, coverage, mutants, dropped } = self;
        let mut finished = rounds::finish(with, class, &mut candidates, types, extension)?;
        // Each candidate has its place among the stable ones.
        let in_kept = |place: usize| stable.get(place).copied().unwrap_or(usize::MAX);
        let is_green = |held: &&Held| candidates.all().get(held.place).is_some_and(|test| !test.is_finding());
        let green = finished.held.iter().filter(is_green).map(|held| in_kept(held.place));
        finished.goals = coverage.map(|coverage| coverage.figures(green));
        for goal in finished.goals.iter().flat_map(|figures| &figures.open) {
            tracing::info!("{class}: not reached: {goal}");
        }
        finished.held.iter_mut().for_each(|held| held.place = in_kept(held.place));
        let written = finished.held.iter().filter_map(|held| kept.get(held.place));
        finished.written = written.map(|kept| kept.sequence.clone()).collect();
        let left_out = std::mem::take(&mut finished.left_out);
        let left_out = left_out.into_iter().map(|(place, throws)| (in_kept(place), throws));
        // What another form does that is written is not left out.
        let written: Vec<&Kept> = finished.held.iter().filter_map(|held| kept.get(held.place)).collect();
        let does = |form: &Kept, whole: &Kept| form.name == whole.name && whole.pairs.is_subset(&form.pairs);
        let is_written =
            |place: usize| kept.get(place).is_some_and(|one| written.iter().any(|form| does(form, one)));
        finished.left_out = left_out.filter(|(place, _)| *place < own && !is_written(*place)).collect();
        finished.mutants = mutants::Figures { by_tests: finished.notices.len(), ..mutants };
        finished.dropped.extend(dropped);
        Ok(finished)
    }
}
