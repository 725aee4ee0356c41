//! Classes whose candidates can earn no place, as of records: nothing of them is observed a second time, for which a JVM would have to be started.
//!
//! In: what was kept for a class. Out: how it ended, where nothing may be written of it. Knows nothing of assertions. Invariant: what is given back has no candidate that would
//! be chosen if each of its assertions held.

use crate::commands::augment::ask::options::Keep;
use crate::commands::augment::campaign::Campaign;
use crate::commands::augment::facts::coverage::Coverage;
use crate::commands::augment::observe::Observations;
use crate::commands::augment::search::kept::Kept;
use crate::commands::augment::search::pool::Pool;
use anyhow::Result;

impl Campaign<'_> {
    /// How what was kept for a class ended, where the class has no mutants, and no test can have a site that the seeds do not have, or a failure or a refusal that is
    /// worth a test. None where one may, or nobody can say.
    ///
    /// # Errors
    /// When a worker is lost, or a class file cannot be read.
    pub fn idle(
        &self,
        class: &str,
        kept: &[Kept],
        coverage: Option<&Coverage>,
        pool: &mut Pool,
    ) -> Result<Option<Observations>> {
        let may_be_asked = self.setup.options.keep == Keep::Few && !self.interrupt.is_set();
        if !may_be_asked || pool.losses().workers > 0 || self.mutants.borrow().may_change(class) {
            return Ok(None);
        }
        let jobs = kept.iter().map(|test| (test.sequence.clone(), vec![])).collect();
        let outcomes: Vec<_> = pool.run(jobs, |_| false)?.into_iter().map(|run| Some(run.outcome)).collect();
        // A test that gives no value says something only by what is seen in its end.
        let mut candidates = self.candidates(outcomes.clone(), (None, coverage), kept)?;
        let is_idle = candidates.first().is_empty() && candidates.silent().is_empty();
        Ok(is_idle.then_some(Observations { outcomes, mutants: None }))
    }
}
