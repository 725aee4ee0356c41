//! The compiled tests of all classes in one JVM with those of the project, as a build runs them: what does not hold there is left out.
//!
//! In: classes whose tests hold by themselves. Out: the same, with tests that hold in company, too. Knows nothing of how tests are chosen. Invariant: what is left was
//! run with all the others after the last test was left out, or it is noted why not.

use crate::commands::augment::campaign::Campaign;
use crate::commands::augment::facts::known::Covered;
use crate::commands::augment::finish::beside::{Beside, Member, Runs};
use crate::commands::augment::finish::ready::Tested;
use crate::commands::augment::search::target::Searched;
use crate::logging::timed;
use std::time::Instant;

/// Most times that all tests are run.
const ROUNDS: usize = 8;
/// Why it is not known whether what is left holds.
const LATE: &str = "the time was over when some tests had been left out";
const TOO_MANY: &str = "tests had to be left out each time that all were run";

/// A class whose tests hold by themselves, if that is known.
#[derive(Debug)]
pub struct Done {
    pub searched: Searched,
    pub tested: Tested,
}

impl Done {
    fn member(&self) -> Option<Member<'_>> {
        self.tested.holding.as_ref().ok()?.member()
    }

    fn note_unknown(&mut self, why: Option<&str>) {
        if let Ok(holding) = &mut self.tested.holding {
            holding.note_unknown(why);
        }
    }
}

/// Leaves out what does not hold beside the tests of the project and of other classes, until `end`. `covered` is what was covered before any of the classes had tests.
pub fn settle(campaign: &mut Campaign, done: &mut [Done], covered: &Covered, end: Option<Instant>) {
    for round in 1..=ROUNDS {
        if done.iter().all(|done| done.member().is_none()) {
            return;
        }
        let found = together(campaign, done, round, end);
        for (done, found) in done.iter_mut().zip(&found) {
            // What an earlier round did not find out, this one may have.
            done.note_unknown(found.unknown.as_deref());
        }
        if found.iter().all(|found| found.wrong.is_empty()) {
            return;
        }
        leave(campaign, (done, found), covered, end);
        let is_late = !campaign.finishing(end).has_time();
        if is_late || round == ROUNDS {
            let why = if is_late { LATE } else { TOO_MANY };
            done.iter_mut()
                .filter(|done| done.member().is_some())
                .for_each(|done| done.note_unknown(Some(why)));
            return;
        }
    }
}

/// What running them together shows, by class.
fn together(campaign: &Campaign, done: &[Done], round: usize, end: Option<Instant>) -> Vec<Beside> {
    let members: Vec<Option<Member>> = done.iter().map(Done::member).collect();
    campaign.progress.stage("running the new tests in one JVM with those of the project");
    let runs = Runs::new(campaign.finishing(end), &campaign.neighbours, round);
    timed("all classes", "beside", || runs.all(&members)).unwrap_or_else(|error| {
        let unknown = |_| Beside { unknown: Some(format!("{error:#}")), ..Beside::default() };
        members.iter().map(unknown).collect()
    })
}

/// Leaves tests out, and checks what is left of their classes by itself, in the order of the classes: what those before have decides what a test is worth.
fn leave(
    campaign: &mut Campaign,
    (done, found): (&mut [Done], Vec<Beside>),
    covered: &Covered,
    end: Option<Instant>,
) {
    campaign.confirmed_covered.clone_from(covered);
    for (Done { searched, tested }, found) in done.iter_mut().zip(found) {
        let Ok(holding) = &mut tested.holding else { continue };
        if !found.wrong.is_empty() {
            let started = Instant::now();
            let left = holding.leave(found.wrong, campaign.finishing(end), &searched.types);
            tested.spent += started.elapsed();
            if let Err(error) = left {
                tested.holding = Err(error);
                continue;
            }
        }
        campaign.note(searched, holding);
    }
}
