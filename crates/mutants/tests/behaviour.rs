//! What mutants do, run in JVMs: the Java targets beside this file say at which line which mutants there are and what comes of them.
//!
//! Below a line of a target stand its mutants, each as `//: OPERATOR description -> outcome`, where the outcome is what `run()` gives with
//! that mutant (`=` when it is that of the original). Whatever a target says, a class with all mutants must do with number
//! 0 and with probes what the original does, and with number n what mutant n does alone; and a mutant whose probe is not
//! met changes nothing.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests, outside of a test function"
)]

#[path = "../../../tests/shared/javac.rs"]
mod javac;
#[path = "../../../tests/shared/jdks.rs"]
mod jdks;

use dynaflow_mutants::{ClassMutants, Operator, Options, alone, mutants, probed, schemata};
use jdks::java_homes;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Numbers of mutants begin here: at one that takes a constant of the pool.
const BASE: u32 = 40_000;

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{text}", output.status);
    String::from_utf8(output.stdout).unwrap()
}

fn java_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java")
}

/// Compiles for Java 8, of which every JDK knows the class files.
fn compile(home: &Path, sources: &[PathBuf], out: &Path) {
    let mut javac = javac::javac(home);
    javac.args(["--release", "8", "-g", "-nowarn", "-Xlint:-options", "-d"]).arg(out).args(sources);
    run(&mut javac);
}

/// What a run came to: its outcome and the probes it met.
type Runs = BTreeMap<String, (String, String)>;

/// Writes all versions of a class and runs them.
fn run_all(home: &Path, classes: &Path, bytes: &[u8], found: &ClassMutants) -> Runs {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = String::new();
    let mut put = |name: String, number: u32, bytes: &[u8]| {
        fs::write(folder.path().join(&name), bytes).unwrap();
        plan.push_str(&format!("{name} {number}\n"));
    };
    put("original".to_owned(), 0, bytes);
    put("probed".to_owned(), 0, &probed(bytes, found, BASE).unwrap().bytes);
    let mut there = BTreeSet::new();
    for (group, schema) in schemata(bytes, found, BASE).unwrap().iter().enumerate() {
        put(format!("schema{group}"), 0, &schema.bytes);
        for mutant in &schema.mutants {
            assert!(there.insert(*mutant), "mutant {mutant} is in two groups");
            put(format!("guarded{mutant}"), BASE + *mutant as u32, &schema.bytes);
        }
    }
    assert_eq!(there.len(), found.mutants.len(), "every mutant is in a group");
    for mutant in 0..found.mutants.len() {
        put(format!("alone{mutant}"), 0, &alone(bytes, found, mutant).unwrap());
    }
    fs::write(folder.path().join("plan"), plan).unwrap();
    let mut java = Command::new(home.join("bin/java"));
    java.args(["-Xverify:all", "-ea", "-cp"]).arg(classes).arg("Harness").arg(folder.path());
    let lines = run(&mut java);
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let name = fields[0].split(' ').next().unwrap().to_owned();
        (name, (fields[1].to_owned(), fields[2].to_owned()))
    };
    lines.lines().map(row).collect()
}

/// The twins agree, and the original is left alone.
fn assert_twins(what: &str, found: &ClassMutants, probes: &[Vec<usize>], runs: &Runs) {
    let original = &runs["original"].0;
    for (name, (outcome, _)) in runs {
        let untouched = name == "probed" || name.starts_with("schema");
        assert!(!untouched || outcome == original, "{what}: {name} gives {outcome} instead of {original}");
        assert!(!outcome.starts_with("broken"), "{what}: {name}: {outcome}");
    }
    let met = &runs["probed"].1;
    let met: BTreeSet<u32> =
        met.trim_matches(['[', ']']).split(", ").filter_map(|n| n.parse().ok()).collect();
    for (position, mutant) in found.mutants.iter().enumerate() {
        let (guarded, alone) = (&runs[&format!("guarded{position}")].0, &runs[&format!("alone{position}")].0);
        assert_eq!(guarded, alone, "{what}: {}: {}", mutant.id, mutant.description);
        let is_met = probes[position].iter().any(|probe| met.contains(&(BASE + *probe as u32)));
        assert!(guarded == original || is_met, "{what}: {} is not met and gives {guarded}", mutant.id);
    }
}

/// What a target says, and what is found, as lines of the same form: line, operator, description, outcome.
fn expectations(source: &str) -> Vec<String> {
    let mut line = 0;
    let mut expected = Vec::new();
    for (number, text) in source.lines().enumerate() {
        match text.trim().strip_prefix("//: ") {
            Some(rest) if rest.contains(" -> ") => expected.push(format!("{line} {rest}")),
            Some(_) => {}
            None => line = number + 1,
        }
    }
    expected
}

fn outcomes(found: &ClassMutants, runs: &Runs) -> Vec<String> {
    let original = &runs["original"].0;
    let say = |(position, mutant): (usize, &dynaflow_mutants::Mutant)| {
        let outcome = &runs[&format!("alone{position}")].0;
        let outcome = if outcome == original { "=" } else { outcome };
        let (operator, description) = (mutant.operator.name(), &mutant.description);
        (mutant.line, format!("{} {operator} {description} -> {outcome}", mutant.line))
    };
    let mut lines: Vec<(u16, String)> = found.mutants.iter().enumerate().map(say).collect();
    lines.sort_by_key(|(line, _)| *line);
    lines.into_iter().map(|(_, text)| text).collect()
}

fn options(source: &str) -> Options {
    let asked = source.lines().find_map(|line| line.strip_prefix("//: operators "));
    match asked {
        Some("mujava") => Options { operators: Operator::mujava().collect(), filter: true },
        Some("dataflow") => Options { operators: Operator::data_flow().collect(), filter: true },
        Some("all") => Options { operators: Operator::all().collect(), filter: false },
        Some(other) => panic!("operators {other}"),
        None => Options::default(),
    }
}

#[test]
fn mutants_are_where_and_what_the_targets_say_and_schemata_behave_as_their_twins() {
    let mut sources: Vec<PathBuf> =
        fs::read_dir(java_folder().join("targets")).unwrap().map(|entry| entry.unwrap().path()).collect();
    sources.sort();
    assert!(sources.len() >= 5, "there are targets");
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let mut all = sources.clone();
        all.extend(["Switch.java", "Harness.java"].map(|file| java_folder().join(file)));
        compile(&home, &all, folder.path());
        for source in &sources {
            let name = source.file_stem().unwrap().to_str().unwrap();
            let text = fs::read_to_string(source).unwrap();
            let bytes = fs::read(folder.path().join(format!("{name}.class"))).unwrap();
            let found = mutants(&bytes, &options(&text)).unwrap();
            assert_eq!(found.declined, Vec::<String>::new());
            let runs = run_all(&home, folder.path(), &bytes, &found);
            let what = format!("{name} on {}", home.display());
            let probes = probed(&bytes, &found, BASE).unwrap().probes;
            assert_twins(&what, &found, &probes, &runs);
            if !text.contains("//: twins only") {
                let (expected, actual) = (expectations(&text), outcomes(&found, &runs));
                assert_eq!(
                    expected,
                    actual,
                    "{what}, where the original gives {}:\n{}",
                    runs["original"].0,
                    actual.join("\n")
                );
            }
        }
    }
}

#[test]
fn what_the_compiler_wrote_for_a_record_has_no_mutants_and_what_the_program_wrote_has() {
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("Point.java");
        fs::write(&file, "record Point(int x, int y) { int sum() { return x + y; } }").unwrap();
        run(javac::javac(&home).args(["--release", "17", "-d"]).arg(folder.path()).arg(&file));
        let bytes = fs::read(folder.path().join("Point.class")).unwrap();
        let methods = |filter: bool| {
            let found = mutants(&bytes, &Options { filter, ..Options::default() }).unwrap();
            found.mutants.iter().map(|mutant| mutant.method.clone()).collect::<BTreeSet<String>>()
        };
        assert_eq!(methods(true), BTreeSet::from(["sum".to_owned()]));
        assert!(methods(false).contains("toString") && methods(false).contains("x"));
    }
}

#[test]
fn what_a_compact_constructor_left_as_it_was_is_assigned_without_a_mutant() {
    const SOURCE: &str = "record Price(int amount, String unit) { Price { unit = unit.trim(); } }";
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("Price.java");
        fs::write(&file, SOURCE).unwrap();
        run(javac::javac(&home).args(["--release", "17", "-d"]).arg(folder.path()).arg(&file));
        let bytes = fs::read(folder.path().join("Price.class")).unwrap();
        let left_out = |filter: bool| {
            let options = Options { filter, operators: Operator::data_flow().collect() };
            let found = mutants(&bytes, &options).unwrap().mutants;
            found.into_iter().map(|mutant| mutant.description).collect::<BTreeSet<String>>()
        };
        let kept = left_out(true);
        assert_eq!(kept.len(), 1, "{kept:?}");
        assert!(kept.iter().all(|what| what.contains("Price::unit")), "{kept:?}");
        assert_eq!(left_out(false).len(), 2);
    }
}
