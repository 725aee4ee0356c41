//! Tests that say nothing of what they execute, with one call more whose result they assert: `list.rewind()` shows nothing, `list.next()` behind it does.
//!
//! In: what was kept, observed. Out: further tests, each a longer form of one that executes a site which no test that says something executes. Knows nothing of
//! Java. Invariant: what is given back ran to its end, did nothing that is not allowed, and gave a value there.

use crate::commands::augment::campaign::Campaign;
use crate::commands::augment::facts::coverage::Coverage;
use crate::commands::augment::observe::{Closings, Observations};
use crate::commands::augment::search::kept::Kept;
use crate::commands::augment::search::pool::Pool;
use anyhow::Result;
use dynaflow_model::outcome::{Observed, Outcome};
use dynaflow_search::Types;

impl Campaign<'_> {
    /// Longer forms of the tests that would be chosen if they said something.
    ///
    /// # Errors
    /// When a trace cannot be read, or a class file.
    pub fn closed(
        &self,
        (kept, observed, coverage): (&[Kept], &Observations, Option<&Coverage>),
        types: &Types,
        pool: &mut Pool,
    ) -> Result<Vec<Kept>> {
        let Some((candidates, stable)) = self.to_reform((kept, observed, coverage), pool)? else {
            return Ok(vec![]);
        };
        let silent = candidates.silent();
        if silent.is_empty() {
            return Ok(vec![]);
        }
        let closings = Closings::new(self.known(types)?);
        let silent = silent.into_iter().filter_map(|place| stable.get(place));
        let ways: Vec<Vec<Kept>> = silent.map(|kept| closings.of(kept)).collect();
        let jobs = ways.iter().flatten().map(|kept| (kept.sequence.clone(), vec![])).collect();
        let mut runs = pool.run(jobs, |_| false)?.into_iter();
        let shows = |outcome: &Outcome| {
            self.is_fit(outcome) && matches!(outcome.statements.last(), Some(Observed::Value(_)))
        };
        let best = |ways: Vec<Kept>| {
            let runs: Vec<_> = runs.by_ref().take(ways.len()).collect();
            ways.into_iter().zip(runs).find(|(_, run)| shows(&run.outcome)).map(|(kept, _)| kept)
        };
        Ok(ways.into_iter().filter_map(best).collect())
    }
}
