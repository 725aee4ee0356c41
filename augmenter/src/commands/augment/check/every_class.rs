//! The checking of all classes after the search: while the tests of one are compiled and run, the next is observed and judged.
//!
//! JVMs that run tests wait, for tests that sleep and for each other; judging uses the processors meanwhile. Knows nothing of what is done in either step.
//! Invariant: what may be written for a class is decided when all is known of those before, in their order, and the search's workers are asked by
//! one step at a time, in the same order however long each takes: no clock decides what is written.

use crate::commands::augment::campaign::Campaign;
use crate::commands::augment::finish::ready::{Ready, Tested};
use crate::commands::augment::prepare::budget::Checking;
use crate::commands::augment::search::pool::Pool;
use crate::commands::augment::search::target::Target;
use anyhow::{Context, Result, anyhow};
use std::thread;
use std::time::{Duration, Instant};

/// A class of which it is decided what may be written.
struct Ongoing {
    target: Target,
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
    let mut trouble = None;
    let mut before: Option<Ongoing> = None;
    for mut target in targets {
        let started = Instant::now();
        let until = checking.as_ref().map(|checking| checking.seen(started));
        let ((seen, spent), tested) = meanwhile(campaign, before.take(), || {
            let seen = campaign.see(&mut target, pool, until);
            (seen, started.elapsed())
        });
        conclude(campaign, tested, &mut trouble);
        let now = Instant::now();
        // A class does not lose the time in which the tests of the one before kept it waiting.
        let until = until.map(|until| until + now.duration_since(started + spent));
        let class = (target.class.as_str(), &target.types);
        let ready = seen.and_then(|seen| campaign.choose(class, seen, pool, until));
        let end = checking.as_mut().map(|checking| checking.next(now));
        before = Some(Ongoing { target, ready, end, spent: spent + now.elapsed() });
    }
    let ((), tested) = meanwhile(campaign, before, || ());
    conclude(campaign, tested, &mut trouble);
    trouble.map_or(Ok(()), Err)
}

/// Does some work while the tests of a class are compiled and run.
fn meanwhile<T>(
    campaign: &Campaign,
    ongoing: Option<Ongoing>,
    work: impl FnOnce() -> T,
) -> (T, Option<(Target, Tested)>) {
    let Some(Ongoing { target, ready, end, spent }) = ongoing else { return (work(), None) };
    let ready = match ready {
        Ok(ready) => ready,
        Err(error) => return (work(), Some((target, Tested { finished: Err(error), spent }))),
    };
    let with = campaign.finishing(end);
    let (class, types) = (target.class.as_str(), &target.types);
    let (done, finished) = thread::scope(|scope| {
        let finishing = scope.spawn(move || {
            let started = Instant::now();
            (ready.finish(with, class, types), started.elapsed())
        });
        (work(), finishing.join())
    });
    let lost = |_| (Err(anyhow!("the thread that checks its tests panicked")), Duration::ZERO);
    let (finished, more) = finished.unwrap_or_else(lost);
    (done, Some((target, Tested { finished, spent: spent + more })))
}

/// Adds what came of a class to the results. What other classes have is checked and written, whatever went wrong with this one.
fn conclude(campaign: &mut Campaign, done: Option<(Target, Tested)>, trouble: &mut Option<anyhow::Error>) {
    let Some((mut target, tested)) = done else { return };
    let context = format!("augmenting {}", target.class);
    let of_search = target.grown.trouble.take().map_or(Ok(()), Err);
    for done in [of_search, campaign.conclude(target, tested)] {
        if let Err(error) = done.context(context.clone()) {
            trouble.get_or_insert(error);
        }
    }
}
