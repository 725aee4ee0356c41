//! What `dynaflow review` says of tests that are bad on purpose, each in its own way, and of good ones. Knows nothing of how they are judged.
//!
//! Invariant: the names of the submitted tests say what they are; the golden files hold what is said of each.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod common;
mod golden;
mod jvm_support;

use common::{dynaflow, java_homes, stderr, valid};
use golden::golden;
use jvm_support::{jar, sources};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;

/// A program with a suite in `classes` and `tests`, and tests submitted to it in `drafts`.
struct Project {
    home: PathBuf,
    folder: TempDir,
}

impl Project {
    fn new(home: &Path) -> Self {
        let project = Self { home: home.to_owned(), folder: tempfile::tempdir().unwrap() };
        project.compile("program", "classes");
        project.compile("suite", "tests");
        for draft in sources("review/drafts") {
            let drafts = project.folder.path().join("drafts/demo");
            fs::create_dir_all(&drafts).unwrap();
            fs::copy(&draft, drafts.join(draft.file_name().unwrap())).unwrap();
        }
        project
    }

    fn test_class_path(&self) -> String {
        let entries = [PathBuf::from("tests"), jar("junit-4.13.2"), jar("hamcrest-core-1.3")];
        std::env::join_paths(entries).unwrap().into_string().unwrap()
    }

    fn compile(&self, kind: &str, out: &str) {
        let out = self.folder.path().join(out);
        let mut javac = jvm_support::javac(&self.home);
        javac.current_dir(self.folder.path()).arg("-g").arg("-d").arg(out).arg("-cp");
        javac.arg(format!("classes:{}", self.test_class_path())).args(sources(&format!("review/{kind}")));
        assert!(javac.status().unwrap().success());
    }

    fn review(&self, more: &[&str]) -> Output {
        let mut command = dynaflow(self.folder.path());
        command.env("DYNAFLOW_AGENT", agent_support::agent()).env("JAVA_HOME", &self.home);
        command.args(["review", "--class-path", "classes", "--test-class-path", &self.test_class_path()]);
        command.args(["--slow", "3s", "--jobs", "2"]).args(more).output().unwrap()
    }

    /// What is printed by a review that ends with this code.
    fn printed(&self, code: i32, more: &[&str]) -> String {
        let output = self.review(more);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    }
}

/// By test, its verdict in the JSON; `good` where there is none.
fn verdicts(document: &Value) -> BTreeMap<String, String> {
    let tests = document["tests"].as_array().unwrap().iter();
    let verdict = |test: &Value| {
        let name = test["test"].as_str().unwrap().strip_prefix("demo.").unwrap().to_owned();
        (name, test["verdict"].as_str().unwrap_or("good").to_owned())
    };
    tests.map(verdict).collect()
}

/// Times differ from run to run.
fn without_times(text: &str) -> String {
    let mut parts = text.split("takes ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |before, part| {
        let rest = part.split_once(" s").map_or(part, |(_, rest)| rest);
        format!("{before}takes <time>{rest}")
    })
}

#[test]
fn every_submitted_test_is_named_for_what_it_is() {
    let home = java_homes().last().unwrap().clone();
    let project = Project::new(&home);
    let text = project.printed(6, &["drafts", "--format", "json"]);
    let document = valid(text.as_bytes(), "review.schema.json");
    golden("review.json", &without_times(&text));
    let expected = [
        ("BadTest#assertsNothing", "asserts-nothing"),
        ("BadTest#believesInHashes", "flaky"),
        ("BadTest#fails", "failing"),
        ("BadTest#ignored", "skipped"),
        ("BadTest#inOrderFirst", "flaky"),
        ("BadTest#inOrderSecond", "flaky"),
        ("BadTest#sameAsTheGoodOne", "redundant"),
        ("BadTest#sameAsTheSuite", "redundant"),
        ("BadTest#setsAProperty", "effects"),
        ("BadTest#sleeps", "redundant"),
        ("ExitTest#endsTheJvm", "failing"),
        ("GoodTest#countsWhatIsTaken", "good"),
        ("GoodTest#refusesNoWord", "good"),
        ("HelpedTest#byALambda", "good"),
        ("HelpedTest#byAMethodAbove", "redundant"),
        ("HelpedTest#byAnAssert", "redundant"),
        ("HelpedTest#byNothing", "asserts-nothing"),
    ];
    let expected = expected.map(|(test, verdict)| (test.to_owned(), verdict.to_owned()));
    assert_eq!(verdicts(&document), BTreeMap::from(expected));
    let broken = &document["compile_errors"][0];
    assert_eq!((&broken["line"], &broken["file"]), (&5.into(), &"drafts/demo/BrokenTest.java".into()));
    let sleeps =
        document["tests"].as_array().unwrap().iter().find(|test| test["test"] == "demo.BadTest#sleeps");
    assert_eq!(sleeps.unwrap()["findings"][1]["kind"], "slow");
}

#[test]
fn the_good_tests_alone_pass_in_words_and_as_markdown_with_what_they_add() {
    let project = Project::new(&java_homes()[0]);
    let every = "compile,failing,flaky,skipped,asserts-nothing,redundant,effects,slow";
    let text = project.printed(0, &["drafts/demo/GoodTest.java", "--fail-on", every]);
    golden("review.txt", &text);
    let markdown = ["drafts", "--no-mutants", "--format", "markdown", "--fail-on", "none"];
    golden("review.md", &without_times(&project.printed(0, &markdown)));
}

#[test]
fn what_is_asked_to_fail_fails_and_nothing_else() {
    let project = Project::new(&java_homes()[0]);
    let code = |file: &str, fail_on: &[&str]| {
        let file = format!("drafts/demo/{file}.java");
        project.review(&[&[&*file, "--no-mutants"], fail_on].concat()).status.code()
    };
    assert_eq!(code("BrokenTest", &[]), Some(6), "by default, what does not compile fails");
    assert_eq!(code("BrokenTest", &["--fail-on", "failing,flaky"]), Some(0));
    assert_eq!(code("ExitTest", &[]), Some(6), "and what does not pass");
    assert_eq!(code("GoodTest", &["--fail-on", "flaky,effects,asserts-nothing"]), Some(0));
}

#[test]
fn a_class_of_the_suite_that_is_submitted_is_no_suite_of_its_own() {
    let project = Project::new(&java_homes()[0]);
    let suite = sources("review/suite")[0].clone();
    let suite = suite.to_str().unwrap();
    let document: Value =
        serde_json::from_str(&project.printed(0, &[suite, "--no-mutants", "--format", "json"])).unwrap();
    assert_eq!((&document["suite"]["tests"], &document["suite"]["classes"]), (&0.into(), &0.into()));
    assert!(document["together"]["pairs"].as_u64().unwrap() > 0, "what it executes, nobody else does");
}

#[test]
fn what_cannot_be_reviewed_is_named() {
    let project = Project::new(&java_homes()[0]);
    fs::create_dir(project.folder.path().join("empty")).unwrap();
    let refused = |args: &[&str], code: i32, part: &str| {
        let output = project.review(args);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(part), "{part}: {said}");
    };
    refused(&["empty"], 2, "empty: no Java source lies in this folder");
    refused(&["classes/demo/Bag.class"], 2, "expected a Java source (*.java)");
    refused(&["nowhere.java"], 1, "cannot read nowhere.java");
    refused(&["drafts/demo/Helper.java"], 1, "none of the 1 submitted classes has JUnit tests");
    refused(&["drafts", "--seed-tests", "demo.Nobody"], 2, "--seed-tests demo.Nobody: 0 classes");
    refused(&["drafts", "--target", "demo.Nobody"], 2, "--target demo.Nobody matches no class");
}
