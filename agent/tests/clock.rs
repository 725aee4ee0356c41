//! The option `clock`: whoever asks what day it is gets another one, in interpreted and in compiled code, and nothing is recorded.
#![allow(clippy::unwrap_used, reason = "a test may")]

mod support;

use std::time::{SystemTime, UNIX_EPOCH};
use support::{Bench, java_homes};

/// What compiled code takes to ask the JVM's method.
const ASKED: [&str; 3] = [
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:DisableIntrinsic=_currentTimeMillis",
    "-XX:-BackgroundCompilation",
];

fn today() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since.as_secs() / (24 * 60 * 60)).unwrap()
}

#[test]
fn every_way_of_asking_gives_a_day_that_is_as_far_off() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["Today.java"], &[]);
        for days in [400, -101] {
            let before = today();
            let ran = bench.recorded(&format!("clock={days}"), &[&ASKED[..], &["Today"]].concat());
            let after = today();
            assert_eq!((ran.status, ran.err.trim()), (Some(0), ""), "{}", home.display());
            let given: Vec<i64> = ran.out.lines().map(|line| line.parse().unwrap()).collect();
            assert_eq!(given.len(), 10, "{}", ran.out);
            let is_off = |day: &i64| (before + days..=after + days).contains(day);
            assert!(given.iter().all(is_off), "{given:?} on {before}, {days} days off, {}", home.display());
            assert!(!ran.has_traces(), "nothing is recorded");
        }
    }
}

#[test]
fn a_number_that_is_none_is_refused() {
    let bench = Bench::new(&java_homes()[0], &["Today.java"], &[]);
    let ran = bench.recorded("clock=tomorrow", &["Today"]);
    assert_eq!(ran.status, Some(2), "{}", ran.err);
    assert!(ran.err.contains("option clock=tomorrow: expected a number of days"), "{}", ran.err);
}
