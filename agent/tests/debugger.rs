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

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use support::{Bench, jars, java_homes_since};
use watched::{Fact, Reading};

/// The agent's default.
const DEPTH: usize = 5;

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
    sources: &["debugger/SampleTest.java"],
    prefix: "sample.",
    launcher: JUNIT_4,
    tests: &["sample.SampleTest"],
    share: 60,
};

const LIBRARIES: [Suite; 3] = [
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
        share: 20,
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
        ],
        share: 20,
    },
    Suite {
        jars: &[
            "httpcore-4.4.16",
            "httpcore-4.4.16-tests",
            "mockito-core-1.10.19",
            "objenesis-2.1",
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
        ],
        share: 20,
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
    fn recorded(&self, bench: &Bench) -> (BTreeSet<Fact>, Vec<String>) {
        let options = format!("include={}**,depth={DEPTH},context=256,paths=65536", self.prefix);
        let ran = bench.recorded(&options, &self.arguments());
        (watched::recorded(&ran.recording()), counts(&ran.out))
    }
}

fn counts(out: &str) -> Vec<String> {
    let counts = out.lines().filter(|line| line.to_lowercase().contains("tests")).map(str::to_owned);
    counts.collect()
}

/// Whether a debugger sees all that a fact of this variable depends on.
fn is_visible(fact: &Fact, reading: &Reading) -> bool {
    fact.steps.iter().all(|step| reading.watched.contains(step) && !reading.foreign.contains(step))
}

struct Compared {
    alike: usize,
    left_out: usize,
    /// Facts of one side alone.
    unread: BTreeSet<Fact>,
    unrecorded: BTreeSet<Fact>,
}

fn compare(recorded: &BTreeSet<Fact>, reading: &Reading) -> Compared {
    let visible = |facts: &BTreeSet<Fact>| -> BTreeSet<Fact> {
        facts.iter().filter(|fact| is_visible(fact, reading)).cloned().collect()
    };
    let (seen, read) = (visible(recorded), visible(&reading.facts));
    Compared {
        alike: seen.intersection(&read).count(),
        left_out: recorded.len() - seen.len(),
        unread: seen.difference(&read).cloned().collect(),
        unrecorded: read.difference(&seen).cloned().collect(),
    }
}

impl Compared {
    fn assert_alike(&self, suite: &Suite) {
        let some = |facts: &BTreeSet<Fact>| {
            facts.iter().take(10).map(|fact| format!("{fact:#?}")).collect::<Vec<_>>().join("\n")
        };
        assert!(
            self.unread.is_empty() && self.unrecorded.is_empty(),
            "{}: {} facts are recorded and the debugger shows none of them, the first:\n{}\n{} are not recorded, the first:\n{}",
            suite.prefix,
            self.unread.len(),
            some(&self.unread),
            self.unrecorded.len(),
            some(&self.unrecorded)
        );
        let share = self.alike * 100 / (self.alike + self.left_out).max(1);
        assert!(
            share >= suite.share,
            "{}: {share} % of the facts were compared, expected {} %",
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
    println!(
        "{} {} on {}: {} events, {} facts alike, {} left out, {} only recorded, {} only read; other hands: {:?}",
        suite.prefix,
        plain.join(" "),
        home.display(),
        reading.events,
        compared.alike,
        compared.left_out,
        compared.unread.len(),
        compared.unrecorded.len(),
        reading.foreign
    );
    compared.assert_alike(suite);
}

#[test]
fn a_small_suite_has_the_facts_that_a_debugger_shows() {
    for home in java_homes_since(9, "a debugger needs a library that is not on its class path") {
        check(&SAMPLE, &home);
    }
}

#[test]
fn libraries_have_the_facts_that_a_debugger_shows() {
    if !dynaflow_tests::slow() {
        return;
    }
    for home in java_homes_since(9, "a debugger needs a library that is not on its class path") {
        for suite in &LIBRARIES {
            check(suite, &home);
        }
    }
}
