//! The checking of all classes after the search: while the tests of one are compiled and run, the next is observed and judged. In the end all run together.
//!
//! JVMs that run tests wait, for tests that sleep and for each other; judging uses the processors meanwhile. Knows nothing of what is done in either step.
//! Invariant: what may be written for a class is decided when all is known of those before, in their order, and the search's workers are asked by
//! one step at a time, in the same order however long each takes: no clock decides what is written.

use super::company::{self, Done};
use crate::commands::augment::campaign::Campaign;
use crate::commands::augment::finish::ready::{Ready, Tested};
use crate::commands::augment::prepare::budget::Checking;
use crate::commands::augment::search::pool::Pool;
use crate::commands::augment::search::target::{Searched, Target};
use anyhow::{Context, Result, anyhow};
use std::thread;
use std::time::{Duration, Instant};

/// A class of which it is decided what may be written.
struct Ongoing {
    searched: Searched,
    ready: Result<Ready>,
    /// When all has to be done.
    end: Option<Instant>,
    /// What was spent on checking it.
    spent: Duration,
}

/// Checks what was kept for these classes, and adds what holds to the results; `checking` says until when, if a clock decides.
///
/// # Errors
/// The first of what went wrong with a class; the others are checked all the same.
pub fn run(
    campaign: &mut Campaign,
    targets: Vec<Target>,
    pool: &mut Pool,
    mut checking: Option<Checking>,
) -> Result<()> {
    let covered = campaign.confirmed_covered.clone();
    let mut all: Vec<Done> = vec![];
    let mut before: Option<Ongoing> = None;
    for mut target in targets {
        let started = Instant::now();
        let until = checking.as_ref().map(|checking| checking.seen(started));
        let ((seen, spent), done) = meanwhile(campaign, before.take(), || {
            let seen = campaign.see(&mut target, pool, until);
            (seen, started.elapsed())
        });
        all.extend(done.inspect(|done| note(campaign, done)));
        let now = Instant::now();
        // A class does not lose the time in which the tests of the one before kept it waiting.
        let until = until.map(|until| until + now.duration_since(started + spent));
        let class = (target.class.as_str(), &target.types);
        let ready = seen.and_then(|seen| campaign.choose(class, seen, pool, until));
        let end = checking.as_mut().map(|checking| checking.next(now));
        let spent = spent + now.elapsed();
        before = Some(Ongoing { searched: target.into(), ready, end, spent });
    }
    let ((), done) = meanwhile(campaign, before, || ());
    all.extend(done.inspect(|done| note(campaign, done)));
    let end = checking.map(|checking| checking.last(Instant::now()));
    company::settle(campaign, &mut all, &covered, end);
    campaign.confirmed_covered = covered;
    conclude(campaign, all)
}

/// Does some work while the tests of a class are compiled and run.
fn meanwhile<T>(
    campaign: &Campaign,
    ongoing: Option<Ongoing>,
    work: impl FnOnce() -> T,
) -> (T, Option<Done>) {
    let Some(Ongoing { searched, ready, end, spent }) = ongoing else { return (work(), None) };
    let ready = match ready {
        Ok(ready) => ready,
        Err(error) => {
            return (work(), Some(Done { searched, tested: Tested { holding: Err(error), spent } }));
        }
    };
    let with = campaign.finishing(end);
    let (class, types) = (searched.class.as_str(), &searched.types);
    let (worked, held) = thread::scope(|scope| {
        let holding = scope.spawn(move || {
            let started = Instant::now();
            (ready.hold(with, class, types), started.elapsed())
        });
        (work(), holding.join())
    });
    let lost = |_| (Err(anyhow!("the thread that checks its tests panicked")), Duration::ZERO);
    let (holding, more) = held.unwrap_or_else(lost);
    (worked, Some(Done { searched, tested: Tested { holding, spent: spent + more } }))
}

/// The classes after it need not have what it has.
fn note(campaign: &mut Campaign, done: &Done) {
    if let Ok(holding) = &done.tested.holding {
        campaign.note(&done.searched, holding);
    }
}

/// Adds what came of the classes to the results. What other classes have is written, whatever went wrong with one.
fn conclude(campaign: &mut Campaign, all: Vec<Done>) -> Result<()> {
    let mut trouble = None;
    for Done { mut searched, tested } in all {
        let context = format!("augmenting {}", searched.class);
        let of_search = searched.grown.trouble.take().map_or(Ok(()), Err);
        for done in [of_search, campaign.conclude(searched, tested)] {
            if let Err(error) = done.context(context.clone()) {
                trouble.get_or_insert(error);
            }
        }
    }
    trouble.map_or(Ok(()), Err)
}
