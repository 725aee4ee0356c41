//! What `dynaflow tasks` asks for, of recordings and of documents. Knows nothing of how objectives are inferred.
//!
//! Invariant: the program here is made for the test, and small; no text has a descriptor, and every JSON is held against the schema.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod common;
mod golden;
mod jvm_support;
mod small;

use common::valid;
use golden::golden;
use jvm_support::jdks;
use serde_json::Value;
use small::Small;
use std::collections::BTreeSet;
use std::process::Output;

const SHELF: &str = "package demo;
import java.util.ArrayList;
import java.util.List;
public class Shelf {
    private final List<Box> boxes = new ArrayList<>();
    private int taken;
    public void put(Box box) { boxes.add(box); }
    public void fill(int count) {
        for (Box box : boxes) {
            box.add(count);
        }
    }
    public void fillTwice(int count) { fill(count); fill(count); }
    public int take() {
        taken++;
        return boxes.isEmpty() ? 0 : boxes.get(0).remove();
    }
    public int taken() { return taken; }
}
";

const BOX: &str = "package demo;
public class Box {
    private int count;
    public void add(int n) { count += n; }
    public int remove() {
        int all = count;
        count = 0;
        return all;
    }
}
";

const TEST: &str = "package demo;
public class ShelfTest {
    @org.junit.Test public void fills() {
        Shelf shelf = new Shelf();
        shelf.put(new Box());
        shelf.fill(3);
    }
    @org.junit.Test public void fillsTwice() {
        Shelf shelf = new Shelf();
        shelf.put(new Box());
        shelf.fillTwice(3);
    }
    @org.junit.Test public void takes() {
        Shelf shelf = new Shelf();
        shelf.put(new Box());
        shelf.take();
    }
    @org.junit.Test public void counts() { new Shelf().taken(); }
}
";

/// The program, its suite recorded in `traces`, and the sources of its classes in `source/demo`.
fn recorded() -> Small {
    let sources = [("Shelf", SHELF), ("Box", BOX), ("ShelfTest", TEST)];
    let small = Small::new(&jdks()[0].home, &sources);
    small.write_below("source/demo", "Shelf.java", SHELF);
    small.write_below("source/demo", "Box.java", BOX);
    let class_path = small.class_path();
    let java = jdks()[0].home.join("bin/java");
    let mut args = vec!["run", "--include", "demo.*", "--out", "traces", "--", java.to_str().unwrap()];
    args.extend(["-cp", &class_path, "org.junit.runner.JUnitCore", "demo.ShelfTest"]);
    let output = small.dynaflow(&args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    small
}

fn text(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn tasks(small: &Small, more: &[&str]) -> String {
    text(&small.dynaflow(&[&["tasks", "traces", "--source-path", "source"], more].concat()))
}

fn json(small: &Small, more: &[&str]) -> Value {
    valid(tasks(small, &[more, &["--format", "json"]].concat()).as_bytes(), "tasks.schema.json")
}

#[test]
fn the_first_tasks_are_told_with_lines_calls_and_tests_to_start_from() {
    let small = recorded();
    let markdown = tasks(&small, &["--limit", "4"]);
    golden("tasks.md", &markdown);
    let has_descriptor = |word: &str| ["()V", "(I)", "(L", ";)", "<init>"].iter().any(|d| word.contains(d));
    assert!(!markdown.lines().any(has_descriptor), "{markdown}");
    golden("tasks.json", &tasks(&small, &["--limit", "1", "--format", "json"]));
}

#[test]
fn every_objective_is_in_one_task_and_none_is_dropped_silently() {
    let small = recorded();
    assert!(small.dynaflow(&["export", "traces", "-o", "pairs.json"]).status.success());
    let pairs = dynaflow_objectives::read(&small.read("pairs.json").unwrap()).unwrap();
    let is_open =
        |pair: &&dynaflow_objectives::PairText| pair.status == dynaflow_objectives::Status::Objective;
    let open: BTreeSet<String> = pairs.pairs.iter().filter(is_open).map(|pair| pair.id.clone()).collect();
    let all = json(&small, &["--limit", "1000"]);
    let of_task = |task: &Value| -> Vec<String> {
        let ids = task["objectives"].as_array().unwrap();
        ids.iter().map(|id| id.as_str().unwrap().to_owned()).collect()
    };
    let listed: Vec<String> = all["tasks"].as_array().unwrap().iter().flat_map(of_task).collect();
    assert_eq!(listed.len(), open.len(), "an objective stands in two tasks");
    assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), open);
    let some = json(&small, &["--limit", "2"]);
    assert_eq!((&some["all_tasks"], &some["objectives"]), (&all["all_tasks"], &all["objectives"]));
    assert!(tasks(&small, &["--limit", "2"]).contains(&format!("`--limit {}` shows all", all["all_tasks"])));
}

#[test]
fn tests_to_start_from_show_the_half_they_are_named_for() {
    let small = recorded();
    let all = json(&small, &["--limit", "1000"]);
    let find = |definition: &str, usage: &str, variable: &str| {
        let is_it = |task: &&Value| {
            task["definition"]["method"] == definition
                && task["use"]["method"] == usage
                && task["variable"] == variable
                && task["root"] == "demo.Shelf"
        };
        all["tasks"].as_array().unwrap().iter().find(is_it).cloned()
    };
    let task = find("add(I)V", "remove()I", "boxes.[].count").unwrap();
    let names = |half: &str| task[half]["tests"].as_array().unwrap().clone();
    assert_eq!(names("definition"), ["demo.ShelfTest#fills", "demo.ShelfTest#fillsTwice"]);
    assert_eq!(names("use"), ["demo.ShelfTest#takes"]);
    assert_eq!(
        task["definition"]["calls"],
        serde_json::json!([
            "Shelf.fill(int) > Box.add(int)",
            "Shelf.fillTwice(int) > Shelf.fill(int) > Box.add(int)"
        ])
    );
    assert_eq!(task["covered"], 0);
    let taken = find("take()I", "taken()I", "taken").unwrap();
    assert_eq!(taken["use"]["tests"], serde_json::json!(["demo.ShelfTest#counts"]));
    assert!(find("add(I)V", "add(I)V", "taken").is_none(), "nothing that no objective has");
}

#[test]
fn a_document_gives_the_same_tasks_as_its_traces_and_targets_choose_roots() {
    let small = recorded();
    assert!(small.dynaflow(&["export", "traces", "-o", "pairs.json"]).status.success());
    let of_document = text(&small.dynaflow(&["tasks", "pairs.json", "--limit", "1000", "--format", "json"]));
    let of_document = valid(of_document.as_bytes(), "tasks.schema.json");
    let of_traces = json(&small, &["--limit", "1000"]);
    let summaries = |document: &Value| -> Vec<Value> {
        document["tasks"].as_array().unwrap().iter().map(|task| task["objectives"].clone()).collect()
    };
    assert_eq!(summaries(&of_document), summaries(&of_traces));
    assert_eq!(of_document["tasks"][0]["definition"]["source"], Value::Null, "no sources were named");
    let of_box = json(&small, &["--target", "demo.Box"]);
    assert!(of_box["tasks"].as_array().unwrap().iter().all(|task| task["root"] == "demo.Box"));
    assert!(of_box["all_tasks"].as_u64() < of_traces["all_tasks"].as_u64());
}

#[test]
fn what_cannot_be_done_is_named() {
    let small = recorded();
    assert!(small.dynaflow(&["export", "traces", "-o", "pairs.json"]).status.success());
    let refused = |args: &[&str], code: i32, part: &str| {
        let output = small.dynaflow(&[&["tasks"], args].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(part), "{part}: {said}");
    };
    refused(
        &["traces", "--target", "demo.Nobody"],
        1,
        "--target demo.Nobody matches no root class with pairs",
    );
    refused(&["traces", "--source-path", "nowhere"], 1, "--source-path: there is no folder nowhere");
    refused(&["pairs.json", "traces"], 2, "a document of pairs stands alone");
}
