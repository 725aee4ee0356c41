//! Loops that do the same again give verdicts as if each run had been understood: within one chunk and over many.
//!
//! It knows nothing of when a verdict is given, only that one comes for what is repeated often and none for what is not.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod common;

use common::{World, field_ref};
use dynaflow_dataflow::{AnalysisConfig, Engine, Thin};
use dynaflow_model::muting::{Verdict, context, verdict};
use dynaflow_model::sites::ValueKind;
use std::ops::Range;

/// The number that stands for the class of the tests.
const SUITE: u32 = 77;

/// A test of a class, in which a method calls a getter, or a method in which nothing is read: where one run of the loop
/// stands among the words, and what stands for the class and both methods.
fn looped(reads: bool, suite: u32) -> (World, Range<usize>, u32) {
    let mut w = World::new();
    let root = w.class("a.Root", "java.lang.Object", &["level"], &["outer", "get"]);
    let [outer, get] = ["outer", "get"].map(|name| w.method(root, name));
    let object = w.object(0, "a.Root");
    w.mark_test(0, outer, object, suite);
    w.enter(0, outer, object);
    let begin = w.script.len();
    w.enter(0, get, object);
    if reads {
        w.get_this(0, get, &field_ref("a.Root", "level"), ValueKind::Leaf);
    }
    w.exit(0, get);
    let site = |event: usize| dynaflow_model::words::site_of(w.script[event].1[0]);
    let kind = context(context(suite, site(begin - 1)), site(begin));
    let end = w.script.len();
    w.exit(0, outer);
    (w, begin..end, kind)
}

fn words(w: &World, events: Range<usize>) -> Vec<u64> {
    w.script[events].iter().flat_map(|(_, words)| words.iter().copied()).collect()
}

fn thinned(w: &World) -> Engine {
    let thin = Some(Thin { after: 0, known: 100_000, ..Thin::AUTO });
    w.engine(AnalysisConfig { thin, ..AnalysisConfig::default() })
}

/// The verdicts after so many runs of the loop, sent in chunks of so many runs.
fn verdicts(reads: bool, runs: usize, in_chunk: usize) -> (Vec<u64>, u32) {
    let (w, loop_, kind) = looped(reads, SUITE);
    let mut engine = thinned(&w);
    engine.chunk(0, &words(&w, 0..loop_.start));
    let one = words(&w, loop_);
    for _ in 0..runs / in_chunk {
        engine.chunk(0, &one.repeat(in_chunk));
    }
    (engine.take_verdicts(), kind)
}

#[test]
fn what_is_repeated_often_enough_is_muted_for_ever_within_a_chunk_and_over_many() {
    for reads in [true, false] {
        for in_chunk in [200_000, 10_000, 100] {
            let (found, kind) = verdicts(reads, 200_000, in_chunk);
            assert!(found.contains(&verdict(Verdict::Mute, kind)), "{reads} {in_chunk} {found:?}");
            let (found, kind) = verdicts(reads, 50_000, in_chunk.min(50_000));
            assert!(!found.contains(&verdict(Verdict::Mute, kind)), "{reads} {in_chunk} {found:?}");
            assert!(found.contains(&verdict(Verdict::MuteInTest, kind)), "{reads} {in_chunk} {found:?}");
        }
    }
}

#[test]
fn what_is_repeated_seldom_gets_no_verdict() {
    for in_chunk in [40, 8] {
        assert_eq!(verdicts(true, 40, in_chunk).0, []);
    }
}

#[test]
fn what_tests_of_one_class_repeated_is_not_known_of_tests_of_another() {
    let mut engine = thinned(&looped(true, SUITE).0);
    for suite in [SUITE, SUITE + 1] {
        let (w, loop_, kind) = looped(true, suite);
        engine.chunk(0, &words(&w, 0..loop_.start));
        assert_eq!(engine.take_verdicts(), [], "nothing was repeated yet");
        engine.chunk(0, &words(&w, loop_.clone()).repeat(50_000));
        assert!(engine.take_verdicts().contains(&verdict(Verdict::MuteInTest, kind)), "{suite}");
        engine.chunk(0, &words(&w, loop_.end..w.script.len()));
    }
}
