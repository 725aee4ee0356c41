//! Runs a suite without the tests that take too much of its time: the JVM of such a test is ended, and the classes behind run in another one.
//!
//! In: a suite, and how long one test may take. Out: what all JVMs reported together, and the classes that were cut off. Knows nothing of what tests are run
//! for. Invariant: no class of which a test began runs again; all JVMs together have the time of the suite.

use super::suite::{Ended, SuiteConfig, SuiteReport, TestSelector, run_watched};
use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, Instant};

/// Who is asked about a run.
pub trait Watch {
    /// Each second of a test that takes long: its name, and for how long it has been running.
    fn goes_on(&mut self, test: &str, time: Duration);

    /// A test was ended; so many classes are still to be run.
    fn is_cut_off(&mut self, test: &str, left: usize);
}

/// A suite that ran in one JVM or more.
#[derive(Debug)]
pub struct Ran {
    /// What these reported; a test that was cut off did not end.
    pub report: SuiteReport,
    /// The classes of the tests that were cut off.
    pub cut_off: BTreeSet<String>,
}

/// Runs the tests of a suite, each for at most `share` of its time.
///
/// # Errors
/// When a JVM cannot be started; whatever happens later is in the report.
pub fn run(config: SuiteConfig, share: Duration, watch: &mut impl Watch) -> io::Result<Ran> {
    let end = Instant::now() + config.timeout;
    let mut config = config;
    let mut cut_off = BTreeSet::new();
    let mut before: Option<SuiteReport> = None;
    loop {
        let mut long = None;
        let report = run_watched(&config, &mut |test, time| {
            watch.goes_on(test, time);
            long = (time >= share).then(|| test.to_owned());
            long.is_none()
        })?;
        let mut report = match before.take() {
            Some(before) => joined(before, report),
            None => report,
        };
        let Some(test) = long else { return Ok(Ran { report, cut_off }) };
        cut_off
            .extend(config.tests.iter().filter(|class| holds(class, &test)).map(|class| class.class.clone()));
        config.tests.retain(|class| !report.order.iter().any(|test| holds(class, test)));
        watch.is_cut_off(&test, config.tests.len());
        config.timeout = end.saturating_duration_since(Instant::now());
        if config.tests.is_empty() {
            report.ended = Ended::Completed;
            return Ok(Ran { report, cut_off });
        }
        before = Some(report);
    }
}

/// Whether a test is one of a class or of a class inside it.
fn holds(class: &TestSelector, test: &str) -> bool {
    let rest = test.strip_prefix(class.class.as_str());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['#', '$']))
}

/// What two JVMs reported one behind the other.
fn joined(mut before: SuiteReport, after: SuiteReport) -> SuiteReport {
    before.verdicts.extend(after.verdicts);
    before.order.extend(after.order);
    for (test, effects) in after.effects {
        before.effects.entry(test).or_default().extend(effects);
    }
    for trouble in after.troubles {
        if !before.troubles.contains(&trouble) {
            before.troubles.push(trouble);
        }
    }
    before.reached.extend(after.reached);
    SuiteReport { ended: after.ended, output_tail: after.output_tail, ..before }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jvm::suite::Verdict;
    use dynaflow_model::effect::Effect;
    use std::collections::BTreeMap;

    #[test]
    fn tests_are_of_a_class_and_of_those_inside_it() {
        let class = TestSelector { class: "a.Far".to_owned(), method: None };
        let of = ["a.Far#one", "a.Far$Inner#one", "a.Far", "a.Farther#one", "a.F#one"];
        assert_eq!(of.map(|test| holds(&class, test)), [true, true, true, false, false]);
    }

    #[test]
    fn what_two_jvms_report_is_one_report_with_the_end_of_the_second() {
        let report = |test: &str, verdict: Verdict, ended: Ended| SuiteReport {
            verdicts: BTreeMap::from([(test.to_owned(), verdict)]),
            order: vec![test.to_owned()],
            effects: BTreeMap::from([(String::new(), BTreeSet::<Effect>::new())]),
            troubles: vec!["b.T has no tests".to_owned()],
            reached: BTreeSet::from([test.len() as u32]),
            ended,
            output_tail: test.to_owned(),
        };
        let first = report("a.T#hangs", Verdict::Unfinished, Ended::TimedOut);
        let all = joined(first, report("b.T#one", Verdict::Passed, Ended::Completed));
        assert_eq!(all.order, ["a.T#hangs", "b.T#one"]);
        assert_eq!(all.verdicts.len(), 2);
        assert_eq!((all.ended, all.output_tail.as_str()), (Ended::Completed, "b.T#one"));
        assert_eq!((all.troubles.len(), all.reached), (1, BTreeSet::from([7, 9])));
    }
}
