//! The engine against the naive interpreter, on random runs of a small program.
//!
//! `DYNAFLOW_STREAMS` sets how many runs are tried (default 400). A failure names the seed and the shortest failing run.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod common;
mod naive;
mod program;

use common::{BLOCKS, Facts, in_words};
use dynaflow_dataflow::{AnalysisConfig, Thin};
use dynaflow_model::muting::{Verdict, verdict_on_accesses};
use program::stream;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Bounds that no run of these sizes meets, but for depth and context.
fn config(depth: u32, context: u32) -> AnalysisConfig {
    AnalysisConfig {
        depth,
        context,
        paths: 1 << 20,
        carve: false,
        blocks: true,
        memory: usize::MAX,
        thin: None,
        frames: 1 << 16,
    }
}

fn runs() -> u64 {
    std::env::var("DYNAFLOW_STREAMS").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}

fn difference(left: &Facts, right: &Facts) -> String {
    let mut text = String::new();
    for name in left.keys().chain(right.keys()).collect::<std::collections::BTreeSet<_>>() {
        let empty = Default::default();
        let (left, right) = (left.get(name).unwrap_or(&empty), right.get(name).unwrap_or(&empty));
        left.difference(right).for_each(|fact| text += &format!("only engine, test `{name}`: {fact}\n"));
        right.difference(left).for_each(|fact| text += &format!("only naive, test `{name}`: {fact}\n"));
    }
    text
}

fn compare(seed: u64, steps: usize) -> Result<usize, String> {
    let world = stream(seed, steps);
    let (depth, context) = (1 + (seed % 5) as u32, 2 + (seed / 5 % 5) as u32);
    let engine = world.run(config(depth, context));
    let mut naive = naive::facts(&world, depth as usize, context as usize);
    if engine != naive {
        return Err(difference(&engine, &naive));
    }
    // Without facts per basic block, entries of blocks change nothing.
    naive.remove(BLOCKS);
    let plain = world.run(AnalysisConfig { blocks: false, ..config(depth, context) });
    if plain == naive {
        Ok(engine.values().map(|set| set.len()).sum())
    } else {
        Err(difference(&plain, &naive))
    }
}

#[test]
fn the_engine_finds_exactly_the_facts_the_definitions_give() {
    let mut facts = 0;
    for seed in 0..runs() {
        let steps = [100, 300, 600][(seed % 3) as usize];
        match compare(seed, steps) {
            Ok(found) => facts += found,
            Err(_) => {
                let shortest = (1..=steps).find(|steps| compare(seed, *steps).is_err()).unwrap();
                let world = stream(seed, shortest);
                panic!(
                    "seed {seed}, {shortest} steps\n{}\n{:?}",
                    compare(seed, shortest).unwrap_err(),
                    world.script.len()
                );
            }
        }
    }
    assert!(facts as u64 > 50 * runs(), "the runs show something: {facts} facts");
}

#[test]
fn where_chunks_end_and_which_frames_are_dropped_between_them_does_not_matter() {
    for seed in 0..runs() {
        let world = stream(seed, 200);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // Frames are dropped between chunks.
        let frames = 1 << (seed % 17);
        let mut engine = world.engine(AnalysisConfig { frames, ..config(4, 6) });
        let mut script = world.script.as_slice();
        while let Some((thread, _)) = script.first() {
            let same = script.iter().take_while(|(other, _)| other == thread).count();
            let (now, rest) = script.split_at(rng.random_range(1..=same));
            let words: Vec<u64> = now.iter().flat_map(|(_, words)| words.iter().copied()).collect();
            engine.chunk(*thread, &words);
            script = rest;
        }
        let records = engine.finish();
        assert_eq!(in_words(engine.facts(), &records), world.run(config(4, 6)), "seed {seed}");
    }
}

/// How many facts there are, and how many of them are none of the others.
fn beyond(facts: &Facts, others: &Facts) -> (usize, usize) {
    let none = Default::default();
    let missing =
        facts.iter().map(|(test, facts)| facts.difference(others.get(test).unwrap_or(&none)).count());
    (facts.values().map(|facts| facts.len()).sum(), missing.sum())
}

#[test]
fn with_little_memory_facts_are_lost_and_counted_and_none_is_made_up() {
    let (mut whole, mut kept, mut forgotten) = (0, 0, 0);
    for seed in 0..runs() {
        let world = stream(seed, 400);
        let all = naive::facts(&world, 4, 6);
        let memory = 1 << (8 + seed % 7);
        let mut engine = world.engine(AnalysisConfig { memory, ..config(4, 6) });
        world.script.iter().for_each(|(thread, words)| engine.chunk(*thread, words));
        let records = engine.finish();
        let found = in_words(engine.facts(), &records);
        let (count, made_up) = beyond(&found, &all);
        assert_eq!(made_up, 0, "seed {seed}: {}", difference(&found, &all));
        let (total, lost) = beyond(&all, &found);
        assert!(lost == 0 || engine.bounds().memory > 0, "seed {seed}: {lost} facts lost and nothing said");
        (whole, kept, forgotten) = (whole + total, kept + count, forgotten + engine.bounds().memory);
    }
    assert!(forgotten > 0 && kept < whole, "the bound is met: {forgotten} objects, {kept} of {whole} facts");
    assert!(kept > whole / 10, "most is lost: {kept} of {whole} facts");
}

#[test]
fn what_is_recorded_with_events_left_out_is_true_and_what_is_left_out_is_counted() {
    let (mut whole, mut kept, mut left_out) = (0, 0, 0);
    let seeds = runs().div_ceil(4);
    for seed in 0..seeds {
        let world = stream(seed, 2000);
        let mut all = naive::facts(&world, 4, 6);
        all.remove(BLOCKS);
        let thin = Some(Thin { patience: (seed % 3) as u32, ..Thin::EVERYWHERE });
        let mut engine = world.engine(AnalysisConfig { blocks: false, thin, ..config(4, 6) });
        world.script.iter().for_each(|(thread, words)| engine.chunk(*thread, words));
        let records = engine.finish();
        let found = in_words(engine.facts(), &records);
        let (count, made_up) = beyond(&found, &all);
        assert_eq!(made_up, 0, "seed {seed}: {}", difference(&found, &all));
        let (total, missing) = beyond(&all, &found);
        let events: u64 = engine.thinned().values().sum();
        assert!(
            missing == 0 || events > 0,
            "seed {seed}: {missing} facts are missing and nothing was counted"
        );
        (whole, kept, left_out) = (whole + total, kept + count, left_out + events);
    }
    assert!(left_out > 10 * seeds && kept < whole, "{left_out} events left out, {kept} of {whole} facts");
    assert!(kept > whole / 2, "most is missing: {kept} of {whole} facts");
}

#[test]
fn where_calls_are_recorded_no_whole_invocation_is_left_out_and_where_facts_per_block_are_nothing_is() {
    let world = stream(7, 600);
    let run = |carve, blocks| {
        let config = AnalysisConfig { carve, blocks, thin: Some(Thin::EVERYWHERE), ..config(4, 6) };
        let mut engine = world.engine(config);
        world.script.iter().for_each(|(thread, words)| engine.chunk(*thread, words));
        engine.finish();
        // A verdict on an invocation names no site.
        let of_sites = verdict_on_accesses(Verdict::Record, 1, 0);
        let on_invocations = engine.take_verdicts().iter().filter(|verdict| **verdict < of_sites).count();
        (engine.thinned().is_empty(), on_invocations)
    };
    let (is_exact, on_invocations) = run(false, false);
    assert!(!is_exact && on_invocations > 0, "else nothing is seen here");
    assert_eq!(run(true, false), (false, 0));
    assert_eq!(run(false, true), (true, 0));
}
