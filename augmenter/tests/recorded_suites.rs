//! `dynaflow run` with the real agent in real JVMs: what a suite shows, and what is left of one that is killed or never
//! ends. Runs on every JDK that `DYNAFLOW_JAVA_HOMES` lists, else on the one of `JAVA_HOME` or the `PATH`.
//!
//! Knows nothing of the agent's insides. Invariant: the suite needs the JDK alone; its `@Test` is declared here.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod common;
#[path = "../../tests/shared/javac.rs"]
mod javac;

use agent_support::agent;
use common::{dynaflow, in_full, java_homes, stderr, valid, valid_document};
use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

const TEST_ANNOTATION: &str = "package org.junit;
@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME)
public @interface Test {}
";

const COUNTER: &str = "package sample;
public class Counter {
    int n;
    public void set(int value) { n = value; }
    public int get() { return n; }
}
";

const COUNTER_TEST: &str = "package sample;
import org.junit.Test;
public class CounterTest {
    @Test public void sets() { new Counter().set(3); }
    @Test public void gets() { new Counter().get(); }
    @Test public void both() { Counter c = new Counter(); c.set(4); c.get(); }
    @Test public void pokes() { Counter c = new Counter(); c.n = 5; c.get(); }
    @Test public void hangs() throws Exception { new Counter().get(); Thread.sleep(120000); }
    @Test public void dies() throws Exception {
        new Counter().get();
        String self = new java.io.File(\"/proc/self\").getCanonicalFile().getName();
        new ProcessBuilder(\"kill\", \"-9\", self).start().waitFor();
        Thread.sleep(120000);
    }
}
";

const MAIN: &str = "package sample;
public class Main {
    public static void main(String[] tests) throws Exception {
        for (String test : tests) CounterTest.class.getMethod(test).invoke(new CounterTest());
    }
}
";

/// Compiles the suite into the folder `classes`.
fn compiled(home: &Path, folder: &Path) {
    let sources = [
        ("org/junit/Test.java", TEST_ANNOTATION),
        ("sample/Counter.java", COUNTER),
        ("sample/CounterTest.java", COUNTER_TEST),
        ("sample/Main.java", MAIN),
    ];
    let mut javac = javac::javac(home);
    javac.args(["-g", "-d"]).arg(folder.join("classes"));
    for (name, text) in sources {
        let path = folder.join("src").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        javac.arg(path);
    }
    let output = javac.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

/// Runs the named tests of the suite under `dynaflow run` with these options, on each JDK, and checks the outcome.
fn on_every_jdk(options: &[&str], tests: &[&str], check: impl Fn(&Output, &Path)) {
    let agent = agent();
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        compiled(&home, folder.path());
        let mut command = dynaflow(folder.path());
        command.env("DYNAFLOW_AGENT", agent).timeout(Duration::from_secs(100));
        command.arg("run").args(options).arg("--").arg(home.join("bin/java"));
        let output = command.args(["-cp", "classes", "sample.Main"]).args(tests).output().unwrap();
        check(&output, folder.path());
    }
}

fn export(folder: &Path) -> serde_json::Value {
    let output = dynaflow(folder).args(["export", "dynaflow-traces"]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let one = dynaflow(folder).args(["export", "dynaflow-traces", "--version", "1"]).output().unwrap();
    valid(&one.stdout, "pairs.schema.json");
    assert_eq!(String::from_utf8_lossy(&one.stdout), in_full(&output.stdout), "the versions differ");
    valid_document(&output.stdout)
}

/// Variable, status and tests of every pair of the root `sample.Counter`.
fn pairs(document: &serde_json::Value) -> Vec<(String, String, String)> {
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let of_counter = document["pairs"].as_array().unwrap().iter().filter(|p| p["root"] == "sample.Counter");
    of_counter.map(|p| (text(&p["variable"]), text(&p["status"]), p["tests"].to_string())).collect()
}

#[test]
fn a_definition_and_a_use_in_different_tests_are_an_objective_and_in_one_test_a_covered_pair() {
    on_every_jdk(&["--include", "sample.**"], &["sets", "gets"], |output, folder| {
        let text = stderr(output);
        assert_eq!(output.status.code(), Some(0), "{text}");
        assert!(text.contains("tests       2") && text.contains("1 never executed"), "{text}");
        assert!(!text.contains("warning"), "{text}");
        let document = export(folder);
        assert_eq!(pairs(&document), [("n".into(), "objective".into(), "[]".into())]);
        let pair = &document["pairs"][0];
        assert_eq!(
            (&pair["definition"]["method"], &pair["definition"]["line"]),
            (&"set(I)V".into(), &4.into())
        );
        assert_eq!((&pair["use"]["method"], &pair["use"]["line"]), (&"get()I".into(), &5.into()));
        assert_eq!(pair["use"]["context"], serde_json::json!(["sample.Counter.get()I"]));
    });
    on_every_jdk(&["--include", "sample.**"], &["sets", "gets", "both"], |output, folder| {
        assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
        let tests = "[\"sample.CounterTest#both\"]";
        assert_eq!(pairs(&export(folder)), [("n".into(), "covered".into(), tests.into())]);
    });
}

#[test]
fn a_field_that_the_test_itself_writes_is_defined_outside_all_frames_of_the_program() {
    // The main class would be a frame of the program.
    let options = ["--include", "sample.**", "--exclude", "sample.Main"];
    on_every_jdk(&options, &["pokes"], |output, folder| {
        assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
        let document = export(folder);
        assert_eq!(pairs(&document).len(), 1);
        let pair = &document["pairs"][0];
        assert_eq!((&pair["status"], &pair["definition"]["method"]), (&"covered".into(), &"pokes()V".into()));
        assert_eq!(pair["definition"]["context"], serde_json::json!([]));
    });
}

#[test]
fn the_tests_before_a_kill_are_in_the_trace_and_the_cut_is_reported() {
    on_every_jdk(&["--include", "sample.**"], &["sets", "gets", "dies"], |output, folder| {
        let text = stderr(output);
        assert_eq!(output.status.code(), Some(137), "{text}");
        assert!(text.contains("without the end marker at byte") && text.contains("tests       2"), "{text}");
        assert_eq!(pairs(&export(folder)), [("n".into(), "objective".into(), "[]".into())]);
    });
}

#[test]
fn a_suite_that_never_ends_is_ended_in_order_by_the_timeout() {
    on_every_jdk(&["--include", "sample.**", "--timeout", "10s"], &["both", "hangs"], |output, folder| {
        let text = stderr(output);
        assert_eq!(output.status.code(), Some(124), "{text}");
        assert!(text.contains("--timeout 10s"), "{text}");
        assert!(!text.contains("without the end marker"), "{text}");
        let covered = pairs(&export(folder));
        assert_eq!(covered.len(), 1, "{covered:?}");
        assert!(covered[0].2.contains("#both"), "{covered:?}");
    });
}

#[test]
fn a_pattern_that_matches_no_class_is_pointed_out_and_the_run_does_not_succeed() {
    on_every_jdk(&["--include", "sampel.**"], &["sets"], |output, _| {
        let text = stderr(output);
        assert_eq!(output.status.code(), Some(3), "{text}");
        assert!(text.contains("--include sampel.**: no loaded class matches"), "{text}");
    });
}
