//! What `dynaflow diff` says of recordings before and after a change of program or tests.
//!
//! Knows nothing of how pairs are matched. Invariant: the program here is made for the test, and small.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;
mod small;

use jvm_support::jdks;
use small::Small;
use std::process::Output;

const BEFORE: &str = "package demo;
public class Counter {
    private int count;
    public void add(int n) { count += n; }
    public int count() { return count; }
}
";

/// The same with other lines, and a method more.
const AFTER: &str = "package demo;

/** It counts. */
public class Counter {
    private int count;
    public void reset() { count = 0; }
    public void add(int n) {
        count += n;
    }
    public int count() { return count; }
}
";

const WHOLE: &str = "package demo;
public class WholeTest {
    @org.junit.Test public void counts() {
        Counter counter = new Counter();
        counter.add(2);
        org.junit.Assert.assertEquals(2, counter.count());
    }
}
";

/// Nothing that is counted is looked at; and the new method is called, where it is there.
const PARTS: &str = "package demo;
public class PartsTest {
    @org.junit.Test public void adds() { new Counter().add(2); }
    @org.junit.Test public void shows() { org.junit.Assert.assertEquals(0, new Counter().count()); }
    @org.junit.Test public void resets() { new Counter().reset(); }
}
";

/// The traces of `WholeTest` before the change in `base`; of what comes after it in others.
fn recorded() -> Small {
    let small = Small::new(&jdks()[0].home, &[("Counter", BEFORE), ("WholeTest", WHOLE)]);
    record(&small, "base", "WholeTest");
    small.write("Counter.java", AFTER);
    small.write("PartsTest.java", PARTS);
    small.javac(&["-g", "-d", "classes"], &["Counter.java", "PartsTest.java"]);
    small
}

fn record(small: &Small, out: &str, test: &str) {
    let class_path = small.class_path();
    let test = format!("demo.{test}");
    let java = jdks()[0].home.join("bin/java");
    let mut args = vec!["run", "--include", "demo.*", "--out", out, "--", java.to_str().unwrap()];
    args.extend(["-cp", &class_path, "org.junit.runner.JUnitCore", &test]);
    let output = small.dynaflow(&args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn shifted_lines_are_no_difference_and_what_tests_execute_no_more_is_lost() {
    let small = recorded();
    record(&small, "shifted", "WholeTest");
    let shifted = small.dynaflow(&["diff", "base", "shifted", "--fail-on", "lost,open"]);
    assert_eq!(shifted.status.code(), Some(0), "{}", text(&shifted));
    assert!(text(&shifted).contains("no pair lost: executed before and not now\n"), "{}", text(&shifted));
    record(&small, "head", "PartsTest");
    let lost = small.dynaflow(&["diff", "base", "head", "--fail-on", "lost"]);
    assert_eq!(lost.status.code(), Some(6));
    let said = text(&lost);
    assert!(
        said.contains("Counter.count: add() (line 4) -> count() (line 5), by demo.WholeTest#counts\n"),
        "{said}"
    );
    assert!(said.contains("  Counter.count: reset() (line 6) -> count() (line 10)\n"), "{said}");
    assert!(said.starts_with("1 pair lost: "), "{said}");
    let back = small.dynaflow(&["diff", "head", "base"]);
    assert_eq!(back.status.code(), Some(0), "nothing was asked to fail");
    assert!(text(&back).contains("gained: executed now and not before:\n"), "{}", text(&back));
}

/// `count()` gives what another method reads.
const THROUGH_ANOTHER: &str = "package demo;
public class Counter {
    private int count;
    public void add(int n) { count += n; }
    public int count() { return checked(); }
    private int checked() {
        if (count < 0) throw new IllegalStateException();
        return count;
    }
}
";

#[test]
fn what_a_getter_now_asks_another_method_for_has_moved_and_fails_nothing() {
    let small = recorded();
    small.write("Counter.java", THROUGH_ANOTHER);
    small.javac(&["-g", "-d", "classes"], &["Counter.java"]);
    record(&small, "head", "WholeTest");
    let moved = small.dynaflow(&["diff", "base", "head", "--fail-on", "lost,open"]);
    let said = text(&moved);
    assert_eq!(moved.status.code(), Some(0), "{said}");
    assert!(said.starts_with("no pair lost: executed before and not now\n\nno pair gained: "), "{said}");
    assert!(
        said.contains(
            "\n1 pair moved, 2 now: executed before and now between the same calls, and the code below these changed:\n  \
             Counter.count: add() -> count(): 1 pair before (line 4 -> line 5), 2 now (line 4 -> lines 7, 8)\n"
        ),
        "{said}"
    );
    let comment = text(&small.dynaflow(&["diff", "base", "head", "--format", "markdown"]));
    let (_, folded) = comment.split_once("\n<details><summary>1 pair moved, 2 now: ").unwrap();
    let list = "</summary>\n\n- Counter.count: add() -> count(): 1 pair before (line 4 -> line 5), 2 now (line 4 -> lines 7, 8)\n\n</details>\n";
    assert!(folded.contains(list), "{comment}");
    let json = text(&small.dynaflow(&["diff", "base", "head", "--format", "json"]));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["moved"]["now"].as_array().unwrap().len(), 2);
    assert_eq!(json["lost"].as_array().unwrap().len(), 0);
    let back = text(&small.dynaflow(&["diff", "head", "head"]));
    assert!(!back.contains("moved"), "{back}");
}

#[test]
fn documents_and_traces_are_compared_alike_in_every_format() {
    let small = recorded();
    record(&small, "head", "PartsTest");
    for side in ["base", "head"] {
        let file = format!("{side}.json");
        assert!(small.dynaflow(&["export", side, "-o", &file]).status.success());
    }
    let of_traces = text(&small.dynaflow(&["diff", "base", "head"]));
    assert_eq!(text(&small.dynaflow(&["diff", "base.json", "head.json"])), of_traces);
    let markdown = text(&small.dynaflow(&["diff", "base", "head.json", "--format", "markdown"]));
    assert!(markdown.contains("pair lost: executed before and not now\n\n- Counter.count: "), "{markdown}");
    assert!(
        small.dynaflow(&["diff", "base", "head", "--format", "json", "-o", "diff.json"]).status.success()
    );
    let json: serde_json::Value = serde_json::from_slice(&small.read("diff.json").unwrap()).unwrap();
    assert_eq!(json["format"], "dynaflow-diff");
    assert_eq!(
        json["lost"].as_array().unwrap().len(),
        of_traces.matches(", by demo.WholeTest#counts").count()
    );
    assert_eq!(json["open"][0]["root"], "demo.Counter");
}

#[test]
fn what_cannot_be_compared_is_named() {
    let small = recorded();
    small.write("no.json", "{}");
    let refused = |args: &[&str], part: &str| {
        let output = small.dynaflow(&[&["diff"], args].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(part), "{part}: {said}");
    };
    refused(&["base", "nowhere.json"], "the pairs of `nowhere.json`");
    refused(&["no.json", "base"], "the pairs of `no.json`");
    refused(
        &["base", "base", "--class", "demo.Nobody"],
        "--class demo.Nobody matches no root class of either side",
    );
    assert_eq!(small.dynaflow(&["diff", "base", "base"]).status.code(), Some(0));
}
