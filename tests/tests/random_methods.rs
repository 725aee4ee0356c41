//! Random valid methods, made of bytes, woven in every way: they verify with `-Xverify:all` as the untouched ones do, give
//! the same results, throw the same exceptions and leave the same state, on every JDK. What they are made of is in
//! `dynaflow_tests::random`; it knows nothing of the recorder (it does nothing here) or of the agent.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

#[path = "../corpus/support.rs"]
#[allow(dead_code, reason = "each corpus test uses a part of what they share")]
mod support;

use dynaflow_tests::random::class::random_class;
use dynaflow_tests::slow;
use std::collections::BTreeMap;
use std::path::Path;
use support::{Tools, VARIANTS, java_homes, run, version};

/// Methods of a class, its three constructors not counted.
const METHODS: usize = 22;

/// The newest class file version all JDKs know that these tests run on.
const NEWEST: u16 = 61;

/// Runs classes of a folder; gives what came of each class, constructor and method, by its name.
fn outcomes(tools: &Tools, classes: &Path, first: u64, last: u64) -> BTreeMap<String, String> {
    let out = classes.join("outcome");
    let path = std::env::join_paths([classes, &tools.classes]).unwrap();
    let mut command = tools.java();
    command.args(["-Xverify:all", "-Xss2m", &tools.patch(), "-cp"]).arg(path).arg("RandomRun");
    assert_eq!(run(command.arg(&out).args([first.to_string(), last.to_string()])), "done\n");
    let text = std::fs::read_to_string(out).unwrap();
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    lines.map(|(name, outcome)| (name.to_owned(), outcome.to_owned())).collect()
}

/// Makes classes, runs them as they are and woven, and gives the number of methods and of declined ones.
fn check(tools: &Tools, first: u64, last: u64) -> (usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    let classes: Vec<_> = (first..=last).map(|seed| random_class(seed, METHODS, NEWEST)).collect();
    let plain = folder.path().join("plain");
    std::fs::create_dir_all(&plain).unwrap();
    for (name, bytes) in &classes {
        std::fs::write(plain.join(format!("{name}.class")), bytes).unwrap();
    }
    let expected = outcomes(tools, &plain, first, last);
    let refused: Vec<_> =
        expected.iter().filter(|(_, outcome)| outcome.starts_with("java.lang.")).take(3).collect();
    assert!(refused.is_empty(), "the generator makes classes that are not valid: {refused:#?}");
    let mut left = 0;
    for variant in VARIANTS {
        let folder = folder.path().join(variant.name);
        std::fs::create_dir_all(&folder).unwrap();
        for (name, bytes) in &classes {
            let (woven, declined) = variant.weave(bytes);
            left += declined.len();
            std::fs::write(folder.join(format!("{name}.class")), woven).unwrap();
        }
        let found = outcomes(tools, &folder, first, last);
        let differing: Vec<_> =
            expected.iter().filter(|(name, outcome)| found.get(*name) != Some(outcome)).collect();
        let shown = differing.iter().take(3).map(|(name, outcome)| {
            format!(
                "{name}\n  untouched: {outcome}\n  woven:     {}",
                found.get(*name).map_or("missing", |s| s)
            )
        });
        let shown: Vec<_> = shown.collect();
        let what = format!("{} on {}", variant.name, version(&tools.home).0);
        assert!(differing.is_empty(), "{what}: {} differ\n{}", differing.len(), shown.join("\n"));
        assert_eq!(found.len(), expected.len(), "{what}");
    }
    (expected.len(), left)
}

#[test]
fn random_methods_verify_and_behave_woven_as_they_do_untouched() {
    // Classes have 25 methods: 100,000 in all, or 500.
    let (batches, size) = if slow() { (4, 1_000) } else { (1, 20) };
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let tools = Tools::new(&home, folder.path());
        support::javac(&home, &[], &["RandomBase.java", "RandomRun.java"], &tools.classes);
        let (mut methods, mut declined) = (0, 0);
        for batch in 0..batches {
            let first = 1 + batch * size;
            let (ran, left) = check(&tools, first, first + size - 1);
            methods += ran;
            declined += left;
        }
        assert!(declined * 100 <= methods, "{declined} of {methods} methods are not woven");
        println!(
            "{}: {methods} methods alike in {} ways of weaving, {declined} declined",
            version(&home).0,
            VARIANTS.len()
        );
    }
}

#[test]
fn a_class_that_does_something_else_is_distinguished_from_the_one_it_was() {
    let home = java_homes().into_iter().next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let tools = Tools::new(&home, folder.path());
    support::javac(&home, &[], &["RandomBase.java", "RandomRun.java"], &tools.classes);
    let run = |change: &dyn Fn(&mut [u8])| {
        let classes = folder.path().join("changed");
        std::fs::create_dir_all(&classes).unwrap();
        for seed in 1..=5 {
            let (name, mut bytes) = random_class(seed, METHODS, NEWEST);
            change(&mut bytes);
            std::fs::write(classes.join(format!("{name}.class")), bytes).unwrap();
        }
        outcomes(&tools, &classes, 1, 5)
    };
    let expected = run(&|_| {});
    assert_eq!(run(&|_| {}), expected, "the same classes do the same");
    let found = run(&|bytes| {
        // The one literal of the class.
        let at = bytes.windows(4).position(|window| window == b"text").unwrap();
        bytes[at + 2] = b's';
    });
    assert_ne!(found, expected);
    assert!(found.keys().eq(expected.keys()), "but they still link");
}
