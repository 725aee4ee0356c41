//! The built agent under JUnit 4 and 5: the same verdicts with and without it, one record for each test, and what a killed
//! run had finished is in its trace.

#![allow(clippy::unwrap_used, reason = "helpers of tests, outside of a test function")]

mod support;

use dynaflow_model::facts::{Recording, TestEnd};
use dynaflow_trace::ReadState;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use support::{Bench, Ran, agent_argument, jars, java_homes, pairs, record};

fn junit4() -> Vec<PathBuf> {
    jars(&["junit-4.13.2", "hamcrest-core-1.3"])
}

/// Lines without times.
fn verdicts(ran: &Ran) -> Vec<&str> {
    ran.out.lines().filter(|line| !line.contains("Time:") && !line.contains(" ms")).collect()
}

fn ends(ran: &Ran) -> BTreeMap<String, TestEnd> {
    let recording = ran.recording();
    let count = recording.tests.len();
    let ends: BTreeMap<_, _> = recording.tests.into_iter().map(|test| (test.name, test.end)).collect();
    assert_eq!(ends.len(), count, "one record for each test: {ends:?}");
    ends
}

#[test]
fn a_junit_4_class_ends_as_it_does_without_the_agent_with_a_record_for_each_test() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["junit4/OldTest.java"], &junit4());
        let arguments = ["org.junit.runner.JUnitCore", "OldTest"];
        let plain = bench.plain(&arguments);
        assert!(plain.out.contains("Tests run: 4,  Failures: 1"), "{}", plain.out);
        for options in ["", "carve=true"] {
            let recorded = bench.recorded(options, &arguments);
            assert_eq!(
                (recorded.status, verdicts(&recorded)),
                (plain.status, verdicts(&plain)),
                "{}",
                recorded.err
            );
            let expected = [
                ("", TestEnd::Returned),
                ("OldTest#countsOnce", TestEnd::Returned),
                ("OldTest#countsWrong", TestEnd::Threw),
                ("OldTest#divides", TestEnd::Threw),
                ("OldTest#isSkipped", TestEnd::Threw),
            ];
            let mut found = ends(&recorded);
            found.entry(String::new()).or_insert(TestEnd::Returned);
            assert_eq!(found, expected.map(|(name, end)| (name.to_owned(), end)).into());
            let recording = recorded.recording();
            let counted = pairs(&recording, record(&recording, "OldTest#countsOnce"));
            assert!(counted.contains(&"count: increment -> get".to_owned()), "{counted:?}");
            let divided = pairs(&recording, record(&recording, "OldTest#divides"));
            assert!(!divided.iter().any(|pair| pair.contains("increment")), "{divided:?}");
        }
    }
}

#[test]
fn the_recorder_leaves_out_invocations_below_a_test_as_the_analysis_says() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["junit4/LongTest.java"], &junit4());
        let sent = |options| {
            let ran = bench.recorded(options, &["org.junit.runner.JUnitCore", "LongTest"]);
            ran.recording().effort.words
        };
        let (most, all) = (sent("thin=all"), sent("thin=off"));
        // What an invocation that is left out writes to an object that was seen is sent all the same.
        assert!(most * 5 < all * 4, "{}: {most} of {all} words sent", home.display());
    }
}

#[test]
fn a_junit_5_class_with_parameters_and_nested_classes_ends_as_it_does_without_the_agent() {
    for home in java_homes() {
        let bench =
            Bench::new(&home, &["junit5/NewTest.java"], &jars(&["junit-platform-console-standalone-1.11.4"]));
        let arguments = ["org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner"];
        let arguments = [&arguments[..], &["--details=none", "--scan-classpath", "-n", "NewTest"]].concat();
        let plain = bench.plain(&arguments);
        assert!(plain.out.contains("[         6 tests found           ]"), "{}\n{}", plain.out, plain.err);
        let recorded = bench.recorded("", &arguments);
        assert_eq!(
            (recorded.status, verdicts(&recorded)),
            (plain.status, verdicts(&plain)),
            "{}",
            recorded.err
        );
        let recording = recorded.recording();
        let names: Vec<_> = recording.tests.iter().map(|test| test.name.as_str()).collect();
        for (name, count) in [
            ("NewTest#countsOnce", 1),
            ("NewTest#countsWrong", 1),
            ("NewTest#throwsInside", 1),
            ("NewTest#addsAny", 2),
            ("NewTest$Inner#seesTheOuterCounter", 1),
        ] {
            let found = names.iter().filter(|found| found.starts_with(name)).count();
            assert_eq!(found, count, "{name} in {names:?}");
        }
        let counted = pairs(&recording, record(&recording, "NewTest$Inner#seesTheOuterCounter"));
        assert!(counted.contains(&"count: add -> get".to_owned()), "{counted:?}");
    }
}

/// How every test ended; what runs after a test leaves a further record of it.
fn all_ends(recording: &Recording) -> BTreeMap<&str, TestEnd> {
    let named = recording.tests.iter().filter(|test| !test.name.is_empty());
    named.map(|test| (test.name.as_str(), test.end)).collect()
}

#[test]
fn a_junit_3_class_ends_as_it_does_without_the_agent_with_a_record_for_each_test() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["junit3/ThreeTest.java"], &junit4());
        let arguments = ["junit.textui.TestRunner", "ThreeTest"];
        let plain = bench.plain(&arguments);
        assert!(plain.out.contains("Tests run: 2,  Failures: 1"), "{}", plain.out);
        let recorded = bench.recorded("", &arguments);
        assert_eq!(
            (recorded.status, verdicts(&recorded)),
            (plain.status, verdicts(&plain)),
            "{}",
            recorded.err
        );
        let recording = recorded.recording();
        let expected =
            [("ThreeTest#testCountsOnce", TestEnd::Returned), ("ThreeTest#testCountsWrong", TestEnd::Threw)];
        assert_eq!(all_ends(&recording), expected.into());
        let counted = pairs(&recording, record(&recording, "ThreeTest#testCountsOnce"));
        assert!(counted.contains(&"count: add -> get".to_owned()), "{counted:?}");
    }
}

#[test]
fn testng_classes_end_as_they_do_without_the_agent_with_a_record_for_each_test() {
    for home in java_homes() {
        let libraries = jars(&["testng-7.5.1", "jcommander-1.82", "slf4j-api-1.7.36"]);
        let sources = ["testng/NgTest.java", "testng/WholeClassTest.java"];
        let bench = Bench::new(&home, &sources, &libraries);
        let classes = ["-testclass", "NgTest,WholeClassTest"];
        let arguments =
            [&["org.testng.TestNG", "-usedefaultlisteners", "false", "-verbose", "2"], &classes[..]];
        let arguments = arguments.concat();
        let plain = bench.plain(&arguments);
        assert!(
            plain.out.contains("Total tests run: 7, Passes: 6, Failures: 1"),
            "{}\n{}",
            plain.out,
            plain.err
        );
        let recorded = bench.recorded("", &arguments);
        let outcome = |ran: &Ran| {
            let lines =
                ran.out.lines().filter(|line| ["PASSED", "FAILED", "Total"].iter().any(|w| line.contains(w)));
            let mut lines: Vec<String> = lines.map(str::to_owned).collect();
            lines.sort();
            (ran.status, lines)
        };
        assert_eq!(outcome(&recorded), outcome(&plain), "{}", recorded.err);
        let recording = recorded.recording();
        let (returned, threw) = (TestEnd::Returned, TestEnd::Threw);
        let expected = [
            ("NgTest#addsAny", returned),
            ("NgTest#countsOnce", returned),
            ("NgTest#countsWrong", threw),
            ("NgTest#divides", threw),
            ("WholeClassTest#first", returned),
            ("WholeClassTest#second", returned),
        ];
        assert_eq!(all_ends(&recording), expected.into());
        let counted = pairs(&recording, record(&recording, "NgTest#countsOnce"));
        assert!(counted.contains(&"count: add -> get".to_owned()), "{counted:?}");
    }
}

/// What compilers call the body of a dynamic test, and the body around it: javac 11 and later, javac 8, Kotlin 2.2, Kotlin 1.5.
const BODIES: [[&str; 2]; 4] = [
    ["lambda$many$0", "lambda$many$1"],
    ["lambda$null$0", "lambda$many$1"],
    ["many$lambda$0$0", "many$lambda$0"],
    ["many$lambda-1$lambda-0", "many$lambda-1"],
];

/// Gives methods of a class file another name.
fn rename(file: &Path, name: &str, instead: &str) {
    let constant = |text: &str| [&[1, 0, text.len() as u8], text.as_bytes()].concat();
    let (old, new) = (constant(name), constant(instead));
    let bytes = std::fs::read(file).unwrap();
    let at = bytes.windows(old.len()).position(|window| window == old);
    // Names that an older compiler gave itself stay.
    if let Some(at) = at {
        std::fs::write(file, [&bytes[..at], &new, &bytes[at + old.len()..]].concat()).unwrap();
    }
}

#[test]
fn dynamic_repeated_and_parallel_tests_have_their_own_records() {
    for (home, names) in java_homes().iter().flat_map(|home| BODIES.iter().map(move |names| (home, names))) {
        let library = jars(&["junit-platform-console-standalone-1.11.4"]);
        let bench = Bench::new(home, &["junit5/DynamicTest5.java"], &library);
        for (name, instead) in ["lambda$many$0", "lambda$many$1"].iter().zip(names) {
            rename(&bench.folder().join("classes/DynamicTest5.class"), name, instead);
        }
        let parallel = "--config=junit.jupiter.execution.parallel.enabled=true";
        let arguments =
            ["org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner", parallel];
        let arguments =
            [&arguments[..], &["--details=summary", "--scan-classpath", "-n", "DynamicTest5"]].concat();
        let recorded = bench.recorded("", &arguments);
        assert!(
            recorded.out.contains("[         5 tests successful      ]"),
            "{}\n{}",
            recorded.out,
            recorded.err
        );
        let recording = recorded.recording();
        let ends = all_ends(&recording);
        assert_eq!(ends.keys().copied().collect::<Vec<_>>(), ["DynamicTest5#again", "DynamicTest5#many"]);
        assert!(ends.values().all(|end| *end == TestEnd::Returned), "{ends:?}");
        let of = |name: &str| -> BTreeSet<String> {
            let records = recording.tests.iter().filter(|test| test.name == name);
            records.flat_map(|record| pairs(&recording, record)).collect()
        };
        let (many, again) = (of("DynamicTest5#many"), of("DynamicTest5#again"));
        assert!(many.contains("count: add -> get") && !many.contains("state: define -> use"), "{many:?}");
        assert!(again.contains("state: define -> use") && !again.contains("count: add -> get"), "{again:?}");
    }
}

#[test]
fn a_killed_run_leaves_the_records_of_the_tests_that_had_ended() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["junit4/KilledTest.java"], &junit4());
        let out = format!("out={}", bench.traces().display());
        let mut java = bench.java();
        java.arg(agent_argument(&out)).args(["org.junit.runner.JUnitCore", "KilledTest"]);
        let mut child = java.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().contains("ready")));
        child.kill().unwrap();
        child.wait().unwrap();
        let file = &dynaflow_trace::trace_files(&[bench.traces()]).unwrap()[0];
        let (recording, state) = dynaflow_trace::read(file).unwrap();
        assert!(matches!(state, ReadState::CutAt(_)), "{state:?}");
        let names: Vec<_> = recording.tests.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(names, ["KilledTest#a"]);
        assert!(recording.classes.contains_key("KilledTest"));
    }
}

/// How often the run is killed for each JDK; `DYNAFLOW_SLOW_TESTS=1` makes it a hundred times.
fn kills() -> u64 {
    if dynaflow_tests::slow() { 100 } else { 5 }
}

#[test]
fn whenever_a_run_is_killed_every_test_that_had_ended_is_in_the_trace() {
    let mut ended_before = 0;
    for home in java_homes() {
        let bench = Bench::new(&home, &["junit4/KilledOften.java"], &junit4());
        for kill in 0..kills() {
            let _ = std::fs::remove_dir_all(bench.traces());
            let out = format!("out={}", bench.traces().display());
            let mut java = bench.java();
            let mut child =
                java.arg(agent_argument(&out)).arg("KilledOften").stdout(Stdio::piped()).spawn().unwrap();
            let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
            // Some are killed while the JVM starts, most while it works: the moment is as good as random.
            let first = if kill % 10 == 0 { None } else { lines.next() };
            std::thread::sleep(Duration::from_micros(kill * 7_919 % 300_000));
            child.kill().unwrap();
            child.wait().unwrap();
            let ended = usize::from(first.is_some()) + lines.map_while(Result::ok).count();
            let files = dynaflow_trace::trace_files(&[bench.traces()]).unwrap_or_default();
            let read = files.first().map(|file| dynaflow_trace::read(file).unwrap().0);
            let kept = read.map_or(0, |recording| recording.tests.len());
            assert!(kept >= ended, "kill {kill}: {ended} tests had ended, {kept} are in the trace");
            assert!(kept <= ended + 2, "kill {kill}: {kept} records of {ended} tests that had ended");
            ended_before += ended;
        }
    }
    assert!(ended_before > 0, "no run came as far as its first test");
}
