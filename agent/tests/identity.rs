//! Exact identity: whatever identity hashes do, no two live objects are taken for one, and no new object for a dead one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod support;

use std::collections::BTreeSet;
use std::time::Instant;
use support::{Bench, java_homes, pairs, record};

/// All identity hashes are the same number.
const ONE_HASH: [&str; 2] = ["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2"];

/// Runs `Identity` and gives the pairs of its cells.
fn cells(bench: &Bench, jvm: &[&str], how: &str, count: usize, expected: &str) -> BTreeSet<String> {
    let count = count.to_string();
    let arguments = [jvm, &["Identity", how, &count]].concat();
    // The main class's own accesses are no part of this, and would be most of the work.
    let ran = bench.recorded("exclude=Identity", &arguments);
    let where_ = format!("{how} {count} {jvm:?} on {}", bench.home.display());
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), expected), "{where_}: {}", ran.err);
    let recording = ran.recording();
    assert!(recording.notes.is_empty(), "{where_}: {:?}", recording.notes);
    let found = pairs(&recording, record(&recording, ""));
    found.into_iter().filter(|pair| pair.starts_with("value:")).collect()
}

fn set(pairs: &[&str]) -> BTreeSet<String> {
    pairs.iter().map(|pair| (*pair).to_owned()).collect()
}

const OWN: [&str; 3] = ["value: writeA -> readA", "value: writeB -> readB", "value: writeC -> readC"];

#[test]
fn objects_whose_hashes_are_all_equal_have_numbers_of_their_own() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["Identity.java"], &[]);
        let found = cells(&bench, &ONE_HASH, "live", 3_000, "colliding hashes true\nok\n");
        assert_eq!(found, set(&OWN));
    }
}

#[test]
fn objects_whose_hashes_collide_by_chance_have_numbers_of_their_own() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["Identity.java"], &[]);
        let found = cells(&bench, &[], "live", 200_000, "colliding hashes true\nok\n");
        assert_eq!(found, set(&OWN));
    }
}

#[test]
fn a_new_object_with_the_hash_of_a_dead_one_is_not_taken_for_it() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["Identity.java"], &[]);
        for jvm in [&ONE_HASH[..], &["-Xmx24m"], &["-Xmx24m", "-XX:+UseSerialGC"]] {
            let again = jvm == ONE_HASH;
            let expected = format!("hashes again {again}\nok\n");
            let found = cells(&bench, jvm, "churn", if again { 4_000 } else { 30_000 }, &expected);
            assert_eq!(found, set(&["value: writeC -> readC"]), "{jvm:?}");
        }
    }
}

#[test]
fn ten_million_live_objects_have_numbers_of_their_own() {
    if !dynaflow_tests::slow() {
        return;
    }
    for home in java_homes() {
        let bench = Bench::new(&home, &["Identity.java"], &[]);
        let started = Instant::now();
        let found = cells(&bench, &["-Xmx4g"], "live", 10_000_000, "colliding hashes true\nok\n");
        println!("{}: ten million objects in {:?}", home.display(), started.elapsed());
        assert_eq!(found, set(&OWN));
    }
}
