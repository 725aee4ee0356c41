//! Tests for mutants that nobody notices: what was kept, and parts of the seeds, changed until mutants that they reach are noticed.
//!
//! In: the sequences that are to be tests of a class, and which mutants they notice. Out: further tests. Knows nothing of JVMs. Invariant: what a test does
//! is allowed, and it ran to its end or the program refuses its last call; whether its assertions notice what it was made for is decided like that of any other test.

use crate::commands::augment::ask::options::Keep;
use crate::commands::augment::campaign::Campaign;
use crate::commands::augment::mutants::{Changes, Judged, Solved, Solving, Until, Ways};
use crate::commands::augment::observe::Looks;
use crate::commands::augment::prepare::budget::Limit;
use crate::commands::augment::search::kept::Kept;
use crate::commands::augment::search::pool::Pool;
use crate::solving::methods::Methods;
use anyhow::Result;
use dynaflow_flowgraph::dua::ClassSource;
use dynaflow_model::outcome::Outcome;
use dynaflow_model::sequence::Sequence;
use dynaflow_search::{Search, Types};
use std::time::Instant;

/// Most changed sequences that are run for a class.
const MOST: usize = 6000;

impl Campaign<'_> {
    /// Tests that notice mutants which neither the seeds nor what was kept notices. No more sequences are run than `--max-executions` allows the search.
    ///
    /// # Errors
    /// When a trace cannot be read, or a class file.
    pub fn hunted(
        &self,
        class: &str,
        (kept, judged): (&[Kept], Option<&Judged>),
        (search, types): (&mut Search, &Types),
        pool: &mut Pool,
        end: Option<Instant>,
    ) -> Result<(Vec<Kept>, Solved)> {
        let is_over = || end.is_some_and(|end| Instant::now() >= end) || self.interrupt.is_set();
        let Some(judged) = judged.filter(|_| !is_over() && self.setup.options.keep != Keep::Pairs) else {
            return Ok(Default::default());
        };
        self.progress.stage(&format!("seeking tests for mutants of {class} that nothing notices"));
        let bases: Vec<Sequence> = kept.iter().map(|kept| kept.sequence.clone()).collect();
        let most = match self.setup.limit {
            Limit::Time(_) => MOST,
            Limit::Executions(most) => usize::try_from(most).unwrap_or(MOST).min(MOST),
        };
        let known = self.known(types)?;
        let bytes = self.library()?.class(class.replace('.', "/").as_bytes());
        let mut solving = self.solving((class, bytes.as_deref()), types, &is_over);
        let until = Until { stop: &self.interrupt.finish, end };
        let judge = self.judge()?;
        let refuses = |sequence: &Sequence, outcome: &Outcome| self.is_refused(&judge, sequence, outcome);
        search.swap_costly(&mut self.costly.borrow_mut());
        let hunted = Looks::new(known).with(|looks| {
            let mut changes = BySearch(&mut *search);
            let ways = Ways { changes: &mut changes, looks, refuses: &refuses };
            self.mutants.borrow_mut().hunt(class, (&bases, judged), (ways, most), solving.as_mut(), until)
        });
        search.swap_costly(&mut self.costly.borrow_mut());
        let (hunted, solved) = hunted.unwrap_or_else(|error| {
            tracing::warn!(class, "no tests are sought for mutants: {error:#}");
            Default::default()
        });
        let name = |number| format!("hunt {number} of {class}");
        let is_fit = |sequence: &Sequence, outcome: &Outcome| {
            self.is_fit(outcome) || self.is_refused(&judge, sequence, outcome)
        };
        Ok((self.fit(hunted, name, is_fit, pool)?, solved))
    }

    /// What asks the solver about the mutants of a class, if there is one and anything to ask.
    fn solving<'s>(
        &self,
        (class, bytes): (&str, Option<&'s [u8]>),
        types: &Types,
        is_over: &'s dyn Fn() -> bool,
    ) -> Option<Solving<'s>> {
        let Ok(config) = &self.setup.solver else {
            self.lacks_solver.set(self.lacks_solver.get() || !Methods::of(class, types).callable.is_empty());
            return None;
        };
        let solving = Solving::new((class, bytes?), types, config, is_over);
        solving.unwrap_or_else(|error| {
            tracing::info!("no solver is asked: {error:#}");
            None
        })
    }
}

/// The changes of a search, which learns what does not end.
struct BySearch<'s>(&'s mut Search);

impl Changes for BySearch<'_> {
    fn change(&mut self, sequence: &Sequence) -> Option<Sequence> {
        self.0.changed(sequence)
    }

    fn ran(&mut self, sequence: &Sequence, outcome: &Outcome) {
        self.0.ran(sequence, outcome);
    }
}
