//! Threads under the built agent: whatever runs a task, its events arrive, in its order, none lost and none mixed up with
//! another's; and they belong to the test that runs there or that started the thread.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod support;

use dynaflow_model::facts::{ContextId, MethodId, Recording, Step};
use dynaflow_tests::slow;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use support::{Bench, jars, java_homes, java_homes_since, pairs, record};

/// The methods of a context below the outermost one.
fn below(recording: &Recording, context: ContextId) -> Vec<MethodId> {
    recording.facts.contexts.get(context).unwrap().head.iter().skip(1).copied().collect()
}

/// `Paths` with these tasks: as many pairs as tasks, each of a write and a read along the same calls.
fn check_paths(bench: &Bench, jvm: &[&str], kind: &str, tasks: usize, words: usize) {
    let (count, words) = (tasks.to_string(), words.to_string());
    let arguments = [jvm, &["Paths", kind, &count, &words]].concat();
    let ran = bench.recorded("context=32", &arguments);
    let where_ = format!("{kind} {tasks} on {}: {}", bench.home.display(), ran.err);
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), "ok\n"), "{where_}");
    assert!(!ran.err.contains("dynaflow:"), "{where_}");
    let recording = ran.recording();
    assert!(recording.notes.is_empty() && recording.declined.is_empty(), "{:?}", recording.notes);
    let facts = &recording.facts;
    let mut found = BTreeSet::new();
    for (_, pair) in facts.pairs.iter() {
        let variable = facts.variables.get(pair.variable).unwrap();
        let [Step::Field { name, .. }] = variable.steps[..] else { continue };
        if (facts.text(variable.root), facts.text(name)) == ("Paths$Node", "value") {
            let written = below(&recording, facts.definitions.get(pair.definition).unwrap().context);
            let read = below(&recording, facts.uses.get(pair.usage).unwrap().context);
            assert_eq!(written, read, "{where_}: the write of one task reached the read of another");
            assert!(found.insert(written), "{where_}: one pair twice");
        }
    }
    assert_eq!(found.len(), tasks, "{where_}: pairs are missing");
}

#[test]
fn every_task_of_every_kind_of_pool_leaves_its_pair() {
    let tasks = if slow() { 16_000 } else { 600 };
    for home in java_homes() {
        let bench = Bench::new(&home, &["Paths.java"], &[]);
        for kind in ["threads", "pool", "stream", "fork", "completable"] {
            check_paths(&bench, &[], kind, tasks, 300);
        }
    }
}

#[test]
fn virtual_threads_that_all_live_at_once_leave_their_pairs_in_bounded_memory() {
    let (tasks, words, heap) = if slow() { (10_000, 1_500, "-Xmx128m") } else { (1_500, 1_500, "-Xmx40m") };
    for home in java_homes_since(21, "it has no virtual threads") {
        let bench = Bench::new(&home, &["Paths.java"], &[]);
        // Room for a whole busy chunk for each thread there is not.
        let one = "-Djdk.virtualThreadScheduler.parallelism=1";
        check_paths(&bench, &[heap, one], "virtual", tasks, words);
        check_paths(&bench, &[heap], "virtual", tasks, words / 10);
    }
}

#[test]
fn virtual_threads_pinned_by_class_initialisers_and_monitors_leave_their_pairs() {
    let tasks = if slow() { 10_000 } else { 800 };
    for home in java_homes_since(21, "it has no virtual threads") {
        let bench = Bench::new(&home, &["Paths.java"], &[]);
        check_paths(&bench, &[], "pinned", tasks, 0);
    }
}

/// Four tests that run at the same time: each one's records say what it prepared, did on its own threads and tidied up.
fn check_parallel(class: &str, libraries: &[&str], more: &[&str], arguments: &[&str], passed: &str) {
    for home in java_homes() {
        let file = format!("parallel/{class}.java");
        let sources = [&[file.as_str(), "parallel/Subject.java"], more].concat();
        let bench = Bench::new(&home, &sources, &jars(libraries));
        let ran = bench.recorded("", arguments);
        let where_ = format!("{class} on {}", home.display());
        assert!(ran.out.contains(passed), "{where_}: {}\n{}", ran.out, ran.err);
        let recording = ran.recording();
        for test in 0..4 {
            let name = format!("{class}#test{test}");
            let records = recording.tests.iter().filter(|record| record.name == name);
            let found: BTreeSet<String> = records.flat_map(|record| pairs(&recording, record)).collect();
            let own =
                ["here", "thread", "grandchild", "pool"].map(|on| format!("state: {on}{test} -> {on}{test}"));
            let shared = ["fixture: prepare -> prepare", "left: tidy -> tidy"].map(str::to_owned);
            let missing: Vec<_> = own.iter().chain(&shared).filter(|pair| !found.contains(*pair)).collect();
            assert!(missing.is_empty(), "{where_}: {name} lacks {missing:?}");
            let digit = test.to_string();
            let foreign = |pair: &&String| pair.contains("state: ") && !pair.ends_with(&digit);
            let foreign: Vec<_> = found.iter().filter(foreign).collect();
            assert!(foreign.is_empty(), "{where_}: {name} has what others did: {foreign:?}");
        }
    }
}

#[test]
fn tests_of_junit_5_that_run_at_once_have_what_they_and_their_threads_did() {
    let config = "--config=junit.jupiter.execution.parallel";
    let [enabled, strategy, fixed] = ["enabled=true", "config.strategy=fixed", "config.fixed.parallelism=4"]
        .map(|set| format!("{config}.{set}"));
    let arguments = ["org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner"];
    let more = [&enabled, &strategy, &fixed, "--details=summary", "--scan-classpath", "-n", "Parallel5"];
    let arguments = [&arguments[..], &more].concat();
    let library = ["junit-platform-console-standalone-1.11.4"];
    check_parallel("Parallel5", &library, &[], &arguments, "[         4 tests successful      ]");
}

#[test]
fn tests_of_junit_4_that_run_at_once_have_what_they_and_their_threads_did() {
    for class in ["Parallel4", "Timed4"] {
        let libraries = ["junit-4.13.2", "hamcrest-core-1.3"];
        let runner = ["parallel/RunParallel.java"];
        check_parallel(class, &libraries, &runner, &["RunParallel", class], "4 run, []");
    }
}

#[test]
fn tests_of_testng_that_run_at_once_have_what_they_and_their_threads_did() {
    let arguments = ["org.testng.TestNG", "-usedefaultlisteners", "false", "-parallel", "methods"];
    let arguments = [&arguments[..], &["-threadcount", "4", "-testclass", "ParallelNg"]].concat();
    let libraries = ["testng-7.5.1", "jcommander-1.82", "slf4j-api-1.7.36"];
    check_parallel("ParallelNg", &libraries, &[], &arguments, "Total tests run: 4, Passes: 4");
}

/// Fields that one thread writes and another polls: the read that saw the write comes after it, always.
#[test]
fn the_read_of_a_volatile_field_that_ends_a_wait_has_the_write_it_saw() {
    const FIELDS: usize = 120;
    let (mut members, mut writes, mut waits) = (String::new(), String::new(), String::new());
    for i in 0..FIELDS {
        let modifiers = if i % 2 == 0 { "volatile" } else { "static volatile" };
        writeln!(members, "{modifiers} int f{i}; void d{i}() {{ f{i} = 1; }}").unwrap();
        writeln!(members, "void u{i}() {{ while (f{i} == 0) Thread.yield(); }}").unwrap();
        writeln!(writes, "case {i}: polled.d{i}(); break;").unwrap();
        writeln!(waits, "case {i}: polled.u{i}(); break;").unwrap();
    }
    let source = format!(
        "public class Polled {{ {members} static void write(Polled polled, int i) {{ switch (i) {{ {writes} }} }} \
         static void wait(Polled polled, int i) {{ switch (i) {{ {waits} }} }} \
         public static void main(String[] a) throws Exception {{ Polled polled = new Polled(); \
         Thread other = new Thread(() -> {{ for (int i = 0; i < {FIELDS}; i++) \
         if (i / 2 % 2 == 0) wait(polled, i); else write(polled, i); }}); other.start(); \
         for (int i = 0; i < {FIELDS}; i++) if (i / 2 % 2 == 0) write(polled, i); else wait(polled, i); \
         other.join(); }} }}"
    );
    for home in java_homes() {
        let bench = Bench::of_text(&home, "Polled", &source);
        for _ in 0..if slow() { 50 } else { 2 } {
            let recording = bench.recorded("", &["Polled"]).recording();
            let found = pairs(&recording, record(&recording, ""));
            for i in 0..FIELDS {
                let pair = format!("f{i}: d{i} -> u{i}");
                assert!(found.contains(&pair), "{pair} on {}", home.display());
            }
        }
    }
}
