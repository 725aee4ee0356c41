//! All facts of real suites, held against a debugger's reading: a suite runs under watches of all fields of its library
//! (`java/debugger/FieldLog.java`), an interpreter that shares nothing with the agent computes its facts from what the watches
//! showed, and the agent records the same test classes in a second run.
//!
//! It does not know what a debugger cannot see. What goes through an array or a container, a field of a class that is not
//! included, or a field that other hands than watched bytecode wrote is left out on both sides and counted. Invariant: all other
//! facts are the same, and they are a share of all that is stated for each suite.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

mod support;
mod watched;

use dynaflow_model::facts::BoundsHit;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use support::{Bench, feature, jars, java_homes_since};
use watched::{Fact, Reading};

/// The agent's default.
const DEPTH: usize = 5;

const NO_LIBRARY: &str = "its compiler does not find the interface of debuggers";

/// Test classes of a library, or those of `java/debugger`.
struct Suite {
    jars: &'static [&'static str],
    sources: &'static [&'static str],
    /// What the names of all included classes begin with.
    prefix: &'static str,
    launcher: &'static [&'static str],
    tests: &'static [&'static str],
    /// Percent of the recorded facts that must have been compared.
    share: usize,
}

const JUNIT_4: &[&str] = &["org.junit.runner.JUnitCore"];
const JUNIT_5: &[&str] =
    &["org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner", "--details=summary"];

const SAMPLE: Suite = Suite {
    jars: &["junit-4.13.2", "hamcrest-core-1.3"],
    sources: &["debugger/SampleTest.java", "debugger/ShapesTest.java", "debugger/CallsTest.java"],
    prefix: "sample.",
    launcher: JUNIT_4,
    tests: &["sample.SampleTest", "sample.ShapesTest", "sample.CallsTest"],
    share: 90,
};

/// Test classes that run on one thread, whatever the collector does.
const LIBRARIES: [Suite; 4] = [
    Suite {
        jars: &[
            "commons-cli-1.9.0",
            "commons-cli-1.9.0-tests",
            "commons-io-2.16.1",
            "junit-platform-console-standalone-1.11.4",
        ],
        sources: &[],
        prefix: "org.apache.commons.cli.",
        launcher: JUNIT_5,
        tests: &[
            "-c=org.apache.commons.cli.OptionsTest",
            "-c=org.apache.commons.cli.OptionGroupTest",
            "-c=org.apache.commons.cli.CommandLineTest",
            "-c=org.apache.commons.cli.ValuesTest",
        ],
        share: 35,
    },
    Suite {
        jars: &[
            "commons-csv-1.10.0",
            "commons-csv-1.10.0-tests",
            "commons-lang3-3.14.0",
            "commons-io-2.16.1",
            "hamcrest-2.2",
            "junit-platform-console-standalone-1.11.4",
        ],
        sources: &[],
        prefix: "org.apache.commons.csv.",
        launcher: JUNIT_5,
        tests: &[
            "-c=org.apache.commons.csv.CSVRecordTest",
            "-c=org.apache.commons.csv.ExtendedBufferedReaderTest",
            "-c=org.apache.commons.csv.LexerTest",
            "-c=org.apache.commons.csv.TokenMatchersTest",
        ],
        share: 90,
    },
    Suite {
        jars: &[
            "httpcore-4.4.16",
            "httpcore-4.4.16-tests",
            "mockito-core-1.10.19",
            "objenesis-2.1",
            "commons-logging-1.2",
            "junit-4.13.2",
            "hamcrest-core-1.3",
        ],
        sources: &[],
        prefix: "org.apache.http.",
        launcher: JUNIT_4,
        tests: &[
            "org.apache.http.message.TestHeader",
            "org.apache.http.message.TestBasicTokenIterator",
            "org.apache.http.message.TestBasicHeaderIterator",
            "org.apache.http.message.TestHeaderGroup",
            "org.apache.http.message.TestBasicMessages",
            "org.apache.http.message.TestAbstractMessage",
            "org.apache.http.message.TestRequestLine",
            "org.apache.http.message.TestStatusLine",
            "org.apache.http.message.TestBasicHeaderElementIterator",
            "org.apache.http.config.TestRegistry",
            "org.apache.http.protocol.TestChainBuilder",
            "org.apache.http.protocol.TestUriPatternMatcher",
            "org.apache.http.TestHttpVersion",
            "org.apache.http.TestHttpHost",
        ],
        share: 70,
    },
    Suite {
        jars: &[
            "commons-validator-1.7",
            "commons-validator-1.7-tests",
            "commons-beanutils-1.9.4",
            "commons-digester-2.1",
            "commons-logging-1.2",
            "commons-collections-3.2.2",
            "junit-4.13.2",
            "hamcrest-core-1.3",
        ],
        sources: &[],
        prefix: "org.apache.commons.validator.",
        launcher: JUNIT_4,
        tests: &[
            "org.apache.commons.validator.routines.ISBNValidatorTest",
            "org.apache.commons.validator.routines.CodeValidatorTest",
            "org.apache.commons.validator.routines.IntegerValidatorTest",
            "org.apache.commons.validator.routines.RegexValidatorTest",
            "org.apache.commons.validator.util.FlagsTest",
            "org.apache.commons.validator.VarTest",
            "org.apache.commons.validator.ParameterTest",
        ],
        share: 50,
    },
];

impl Suite {
    fn bench(&self, home: &Path) -> Bench {
        Bench::new(home, &[&["debugger/FieldLog.java"], self.sources].concat(), &jars(self.jars))
    }

    fn arguments(&self) -> Vec<&str> {
        [self.launcher, self.tests].concat()
    }

    /// What the debugger wrote down, and the lines that count tests.
    fn log(&self, bench: &Bench) -> (String, Vec<String>) {
        let log: PathBuf = bench.folder().join("log");
        let ran =
            bench.plain(&[&["FieldLog", log.to_str().unwrap(), self.prefix], &self.arguments()[..]].concat());
        (
            fs::read_to_string(&log).unwrap_or_else(|error| panic!("{error}\n{}\n{}", ran.out, ran.err)),
            counts(&ran.out),
        )
    }

    /// What the agent recorded, and the lines that count tests.
    fn recorded(&self, bench: &Bench) -> (ByTest, Vec<String>) {
        let options = format!("include={}**,depth={DEPTH},context=256,paths=65536", self.prefix);
        let ran = bench.recorded(&options, &self.arguments());
        let recording = ran.recording();
        let BoundsHit { context, paths, memory, .. } = recording.bounds;
        assert_eq!((context, paths, memory), (0, 0, 0), "nothing is cut off");
        assert!(recording.declined.is_empty(), "all methods are woven: {:?}", recording.declined);
        (watched::recorded(&recording), counts(&ran.out))
    }
}

fn counts(out: &str) -> Vec<String> {
    let counts = out.lines().filter(|line| line.to_lowercase().contains("tests")).map(str::to_owned);
    counts.collect()
}

/// Facts by test; the test without a name is none.
type ByTest = BTreeMap<String, BTreeSet<Fact>>;

#[derive(Default)]
struct Compared {
    alike: BTreeSet<Fact>,
    /// Through arrays, containers and fields that were not watched.
    invisible: BTreeSet<Fact>,
    /// Of fields that other hands wrote, or read by other hands.
    by_hands: BTreeSet<Fact>,
    /// Facts of one side alone, with their test.
    unread: Vec<(String, Fact)>,
    unrecorded: Vec<(String, Fact)>,
}

/// What other hands than those the debugger watches wrote and read, as far as one of the sides knows.
struct Hands<'r> {
    reading: &'r Reading,
    /// By test, fields that calls wrote.
    called: BTreeMap<&'r str, BTreeSet<&'r str>>,
}

impl<'r> Hands<'r> {
    fn new(recorded: &'r ByTest, reading: &'r Reading) -> Self {
        let mut called: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (test, facts) in recorded {
            let is_call =
                |fact: &&Fact| fact.definition.iter().any(|write| !reading.places.contains(&write.place));
            let facts = facts.iter().filter(|fact| is_watched(fact, reading)).filter(is_call);
            called.entry(test).or_default().extend(facts.flat_map(|fact| &fact.steps).map(String::as_str));
        }
        Self { reading, called }
    }

    /// Whether a field on the way was written by other hands, in one of these tests if only objects of these tests were.
    fn wrote(&self, tests: &[&str], fact: &Fact) -> bool {
        let unmade = |test: &&str, step: &String| {
            self.reading.unmade.get(*test).is_some_and(|fields| fields.contains(step))
        };
        let called =
            |test: &&str, step: &str| self.called.get(test).is_some_and(|fields| fields.contains(step));
        let in_tests = |step: &String| tests.iter().any(|test| unmade(test, step) || called(test, step));
        fact.steps.iter().any(|step| self.reading.foreign.contains(step) || in_tests(step))
    }

    /// Whether the definition or the use is a call.
    fn called(&self, fact: &Fact) -> bool {
        let mut accesses = fact.definition.iter().chain(&fact.usage);
        accesses.any(|access| !self.reading.places.contains(&access.place))
    }
}

fn is_watched(fact: &Fact, reading: &Reading) -> bool {
    fact.steps.iter().all(|step| reading.watched.contains(step))
}

/// Holds the facts of each test against those that the debugger shows while its method runs. To which test belongs what happens
/// between test methods is the agent's to decide: there it must be recorded with any.
fn compare(recorded: &ByTest, reading: &Reading) -> Compared {
    let (mut compared, none) = (Compared::default(), BTreeSet::new());
    let hands = Hands::new(recorded, reading);
    let between = reading.facts.get("").unwrap_or(&none);
    for (test, facts) in recorded {
        let read = reading.facts.get(test).unwrap_or(&none);
        for fact in facts {
            if !is_watched(fact, reading) {
                compared.invisible.insert(fact.clone());
            } else if hands.called(fact) || hands.wrote(&[test, ""], fact) {
                compared.by_hands.insert(fact.clone());
            } else if read.contains(fact) || between.contains(fact) {
                compared.alike.insert(fact.clone());
            } else {
                compared.unread.push((test.clone(), fact.clone()));
            }
        }
    }
    let all: BTreeSet<&Fact> = recorded.values().flatten().collect();
    for (test, facts) in &reading.facts {
        let of_test = recorded.get(test).unwrap_or(&none);
        let is_recorded = |fact: &Fact| of_test.contains(fact) || test.is_empty() && all.contains(fact);
        let unrecorded = facts.iter().filter(|fact| !is_recorded(fact) && !hands.wrote(&[test], fact));
        compared.unrecorded.extend(unrecorded.map(|fact| (test.clone(), fact.clone())));
    }
    compared.by_hands.retain(|fact| !compared.alike.contains(fact));
    compared
}

impl Compared {
    /// Percent of the recorded facts that both sides have.
    fn share(&self) -> usize {
        let alike = self.alike.len();
        alike * 100 / (alike + self.invisible.len() + self.by_hands.len()).max(1)
    }

    fn assert_alike(&self, suite: &Suite) {
        let (unread, unrecorded) = (&self.unread, &self.unrecorded);
        assert!(
            unread.is_empty() && unrecorded.is_empty(),
            "{}: {} facts are recorded and not read, the first: {:#?}\n{} are read and not recorded, the first: {:#?}",
            suite.prefix,
            unread.len(),
            &unread[..unread.len().min(5)],
            unrecorded.len(),
            &unrecorded[..unrecorded.len().min(5)]
        );
        let share = self.share();
        assert!(
            share >= suite.share,
            "{}: {share} % of the facts are alike, expected {} %",
            suite.prefix,
            suite.share
        );
    }
}

fn check(suite: &Suite, home: &Path) {
    let bench = suite.bench(home);
    let ((log, plain), (recorded, counted)) = (suite.log(&bench), suite.recorded(&bench));
    assert!(!plain.is_empty(), "tests were run");
    assert_eq!(counted, plain, "the suite ends the same way");
    let reading = watched::read(&log, DEPTH);
    let compared = compare(&recorded, &reading);
    let tests = reading.facts.keys().filter(|test| !test.is_empty()).count();
    println!(
        "{}** on JDK {}: {} events, {tests} tests with facts, {} facts alike; left out {} through arrays and containers, {} by other hands",
        suite.prefix,
        feature(home),
        reading.events,
        compared.alike.len(),
        compared.invisible.len(),
        compared.by_hands.len()
    );
    compared.assert_alike(suite);
}

#[test]
fn a_small_suite_has_the_facts_that_a_debugger_shows() {
    for home in java_homes_since(9, NO_LIBRARY) {
        check(&SAMPLE, &home);
    }
}

/// The log without the lines that are not kept, and with the others changed.
fn altered(log: &str, mut line: impl FnMut(Vec<&str>) -> Option<String>) -> Reading {
    let lines: Vec<_> = log.lines().filter_map(|text| line(text.split(' ').collect())).collect();
    watched::read(&lines.join("\n"), DEPTH)
}

#[test]
fn a_reading_that_is_not_of_the_recorded_run_is_found_out() {
    let Some(home) = java_homes_since(9, NO_LIBRARY).pop() else { return };
    let bench = SAMPLE.bench(&home);
    let ((log, _), (recorded, _)) = (SAMPLE.log(&bench), SAMPLE.recorded(&bench));
    let field = log.lines().find(|line| line.ends_with("SampleTest$Node value 0")).expect("a field");
    let field = field.split(' ').nth(1).unwrap();
    let is_of_field = |words: &[&str], event: &str| words[0] == event && words[5] == field;

    let unaltered = compare(&recorded, &altered(&log, |words| Some(words.join(" "))));
    assert_eq!((unaltered.unread.len(), unaltered.unrecorded.len()), (0, 0));

    let no_reads = altered(&log, |words| (!is_of_field(&words, "R")).then(|| words.join(" ")));
    let no_reads = compare(&recorded, &no_reads);
    assert!(!no_reads.unread.is_empty() && no_reads.unrecorded.is_empty());

    let elsewhere = altered(&log, |mut words| {
        if is_of_field(&words, "W") {
            words[4] = "999";
        }
        Some(words.join(" "))
    });
    let elsewhere = compare(&recorded, &elsewhere);
    assert!(!elsewhere.unread.is_empty() && !elsewhere.unrecorded.is_empty());

    // Without its writes the field looks as if other hands wrote it: less is compared, nothing false.
    let no_writes = altered(&log, |words| (!is_of_field(&words, "W")).then(|| words.join(" ")));
    assert!(no_writes.foreign.contains("sample.SampleTest$Node.value"));
    let no_writes = compare(&recorded, &no_writes);
    assert_eq!((no_writes.unread.len(), no_writes.unrecorded.len()), (0, 0));
    assert!(no_writes.share() < unaltered.share());
}

#[test]
fn libraries_have_the_facts_that_a_debugger_shows() {
    if !dynaflow_tests::slow() {
        return;
    }
    for home in java_homes_since(9, NO_LIBRARY) {
        for suite in &LIBRARIES {
            check(suite, &home);
        }
    }
}
