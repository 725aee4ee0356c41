//! Class files and traces changed at random from fixed seeds, and everything fuzzing has ever found: the readers and the
//! weaver neither panic nor hang nor ask for memory without end, and keep their promises. The seconds-long relative of
//! scripts/fuzz; it knows no coverage.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests, outside of a test function")]

#[path = "../corpus/support.rs"]
#[allow(dead_code, reason = "each corpus test uses a part of what they share")]
mod support;

use dynaflow_tests::mutate::mutated;
use dynaflow_tests::slow;
use dynaflow_tests::{class_checks, dua_checks, trace_checks};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::{Path, PathBuf};
use support::java_homes;

/// Counts what is allocated. Inputs have some kilobytes; whatever asks for much more at once was made to by them.
#[global_allocator]
static ALLOCATOR: cap::Cap<std::alloc::System> = cap::Cap::new(std::alloc::System, usize::MAX);

/// What all tests of this file together may have allocated at one moment.
const MEMORY: usize = 64 << 20;

/// Runs `check` on `count` mutants of the seeds and names the one after which more memory was in use than there may be.
fn each_mutant(seeds: &[Vec<u8>], count: u64, check: impl Fn(&[u8])) {
    let mut random = ChaCha8Rng::seed_from_u64(20_261_121);
    for number in 0..count {
        let seed = &seeds[random.random_range(0..seeds.len())];
        let other = &seeds[random.random_range(0..seeds.len())];
        let mutant = mutated(seed, other, &mut random);
        check(&mutant);
        assert_memory(&format!("mutant {number}"));
    }
}

fn assert_memory(what: &str) {
    let most = ALLOCATOR.max_allocated();
    assert!(most <= MEMORY, "{what} made {most} bytes be allocated at once");
}

fn count(few: u64, many: u64) -> u64 {
    if slow() { many } else { few }
}

fn folder(name: &str) -> PathBuf {
    support::root().join("fuzz").join(name)
}

/// The contents of the files of a folder, in the order of their names.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| !path.ends_with(".gitkeep")).collect();
    files.sort();
    files.iter().map(|path| (path.display().to_string(), std::fs::read(path).unwrap())).collect()
}

/// Small classes of the programs the other tests run.
fn classes() -> Vec<Vec<u8>> {
    let home = java_homes().into_iter().next().unwrap();
    let out = tempfile::tempdir().unwrap();
    support::javac(&home, &["-g"], &["Features.java"], out.path());
    let classes: Vec<Vec<u8>> = contents(out.path()).into_iter().map(|(_, bytes)| bytes).collect();
    let small: Vec<_> = classes.into_iter().filter(|bytes| bytes.len() < 6_000).collect();
    assert!(small.len() > 10, "only {} classes to change", small.len());
    small
}

#[test]
fn changed_class_files_are_refused_or_written_as_they_are_read() {
    each_mutant(&classes(), count(50_000, 300_000), class_checks::reader);
}

#[test]
fn the_mutants_of_changed_class_files_are_found_and_woven_or_refused() {
    each_mutant(&classes(), count(3_000, 60_000), class_checks::mutants);
}

#[test]
fn the_branches_of_changed_class_files_are_found_and_get_probes_or_are_refused() {
    each_mutant(&classes(), count(3_000, 60_000), class_checks::distances);
}

#[test]
fn the_associations_of_changed_class_files_are_found_or_refused_and_planned() {
    each_mutant(&classes(), count(3_000, 60_000), dua_checks::analysis);
}

#[test]
fn changed_class_files_are_declined_or_woven_into_class_files() {
    each_mutant(&classes(), count(8_000, 60_000), class_checks::weaver);
}

#[test]
fn the_traces_that_are_changed_are_of_this_version_and_whole_before() {
    let scratch = tempfile::tempdir().unwrap();
    for (name, bytes) in contents(&folder("seeds/trace")) {
        let read = dynaflow_trace::read(Path::new(&name)).map(|(_, state)| state);
        assert!(
            matches!(read, Ok(dynaflow_trace::ReadState::Complete)),
            "{name}: {read:?}; run scripts/fuzz-seeds"
        );
        // Nor is anything lost when they are made plain to change what is compressed in them.
        let path = scratch.path().join("packed.trace");
        std::fs::write(&path, trace_checks::packed(&trace_checks::unpacked(&bytes))).unwrap();
        let events = |path: &Path| dynaflow_trace::TraceReader::open(path).unwrap().poll().unwrap();
        assert_eq!(events(&path), events(Path::new(&name)));
    }
}

#[test]
fn changed_traces_are_read_up_to_the_change() {
    let seeds = contents(&folder("seeds/trace"));
    let plain = seeds.iter().map(|(_, bytes)| trace_checks::unpacked(bytes));
    let seeds: Vec<_> = plain.chain(seeds.iter().map(|(_, bytes)| bytes.clone())).collect();
    let scratch = tempfile::tempdir().unwrap();
    each_mutant(&seeds, count(1_500, 10_000), |bytes| trace_checks::reader(bytes, scratch.path()));
}

#[test]
fn what_fuzzing_found_stays_mended() {
    let scratch = tempfile::tempdir().unwrap();
    for target in ["classfile", "weaver", "duas", "trace"] {
        for (name, bytes) in contents(&folder("regressions").join(target)) {
            println!("{name}");
            match target {
                "classfile" => class_checks::reader(&bytes),
                "weaver" => class_checks::weaver(&bytes),
                "duas" => dua_checks::analysis(&bytes),
                _ => trace_checks::reader(&bytes, scratch.path()),
            }
            assert_memory(&name);
        }
    }
}
