//! `--since`: tests, and tasks, for what a change touched; and `--shard`, for a part of the classes.
//!
//! Knows nothing of the search. Invariant: every program here is made for the test, and small; its repository is its own.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod git_support;
mod jvm_support;
mod small;

use git_support::{alone, commit, git, repository};
use jvm_support::jdks;
use small::Small;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Output;

/// A class with a pair that its tests leave open.
fn class(name: &str, more: &str) -> String {
    format!(
        "package demo;
public class {name} {{
    private boolean open;
    public void unlock() {{ open = true; }}
    public boolean pass() {{ return open; }}
    {more}
}}
"
    )
}

fn test(name: &str) -> String {
    format!(
        "package demo;
public class {name}Test {{
    @org.junit.Test public void unlocks() {{ new {name}().unlock(); }}
    @org.junit.Test public void stops() {{ org.junit.Assert.assertFalse(new {name}().pass()); }}
}}
"
    )
}

/// The classes `Door`, `Gate` and `Hatch` with their tests, compiled, and their sources as the first commit of a repository.
fn project() -> Small {
    let classes = ["Door", "Gate", "Hatch"];
    let sources = classes.map(|name| (name, class(name, "")));
    let small = Small::new(&jdks()[0].home, &sources);
    for name in classes {
        small.write(&format!("{name}Test.java"), &test(name));
    }
    small.javac(&["-g", "-d", "tests"], &["DoorTest.java", "GateTest.java", "HatchTest.java"]);
    repository(&small.path(""), "/classes/\n/tests/\n/out*\n/traces/\n");
    small
}

/// Changes a class and compiles it.
fn change(small: &Small, name: &str) {
    let file = format!("{name}.java");
    small.write(&file, &class(name, "public void lock() { open = false; }"));
    small.javac(&["-g", "-d", "classes"], &[&file]);
}

fn augment(small: &Small, out: &str, more: &[&str]) -> Output {
    let class_path = small.class_path();
    let (json, stats) = (format!("{out}.json"), format!("{out}.csv"));
    let mut args = vec!["augment", "--class-path", "classes", "--test-class-path", &class_path];
    args.extend(["--target", "demo.*", "--seed-tests", "demo.*Test", "--max-executions", "600"]);
    args.extend(["--out", out, "--json", &json, "--stats", &stats]);
    let mut command = small.command(&[&args, more].concat());
    alone(&mut command, &small.path("")).output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn succeeds(output: &Output) -> String {
    let said = said(output);
    assert!(output.status.success(), "{said}");
    said
}

/// The names of the generated sources.
fn written(small: &Small, out: &str) -> BTreeSet<String> {
    let files = fs::read_dir(small.path(out).join("demo")).into_iter().flatten();
    files.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// The classes of the statistics.
fn rows(small: &Small, out: &str) -> Vec<String> {
    let text = String::from_utf8(small.read(&format!("{out}.csv")).unwrap()).unwrap();
    text.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()).collect()
}

#[test]
fn tests_are_written_for_the_class_that_changed_and_for_no_other() {
    let small = project();
    let (folder, base) = (small.path(""), git(&small.path(""), &["rev-parse", "--short", "HEAD"]));
    let only_door = BTreeSet::from(["DoorDynaflowTest.java".to_owned()]);
    change(&small, "Door");
    let not_committed = succeeds(&augment(&small, "out1", &["--since", "HEAD"]));
    assert_eq!(written(&small, "out1"), only_door, "{not_committed}");
    let line = format!("1 class changed since {base} (HEAD); it is the target\n");
    assert!(not_committed.contains(&line), "`{line}` is missing: {not_committed}");
    assert!(not_committed.contains("attacking demo.Door\n"), "{not_committed}");
    assert!(not_committed.contains("seed suite: 6 tests"), "all seeds run: {not_committed}");
    assert_eq!(rows(&small, "out1"), ["demo.Door"]);
    let document = dynaflow_objectives::read(&small.read("out1.json").unwrap()).unwrap();
    let roots: BTreeSet<&str> = document.pairs.iter().map(|pair| pair.root.as_str()).collect();
    assert_eq!(roots, BTreeSet::from(["demo.Door"]));

    // What happens on the other branch since they parted is none of this one's changes.
    git(&folder, &["checkout", "--quiet", "-b", "topic"]);
    commit(&folder);
    git(&folder, &["checkout", "--quiet", "main"]);
    change(&small, "Gate");
    commit(&folder);
    git(&folder, &["checkout", "--quiet", "topic"]);
    let beginnings = ["(HEAD~1)", "the merge base of main and HEAD"];
    for ((out, since), beginning) in [("out2", "HEAD~1"), ("out3", "main")].into_iter().zip(beginnings) {
        let committed = succeeds(&augment(&small, out, &["--since", since]));
        assert_eq!(written(&small, out), only_door, "{committed}");
        let said =
            committed.lines().any(|line| line.contains(&format!("since {base}")) && line.contains(beginning));
        assert!(said, "{committed}");
    }
}

#[test]
fn where_no_class_changed_nothing_runs_and_nothing_is_written_but_empty_results() {
    let small = project();
    small.write("README.md", "not a source");
    let text = succeeds(&augment(&small, "out", &["--since", "main"]));
    let expected = "dynaflow: no class changed since ";
    assert!(text.starts_with(expected) && text.lines().count() == 1, "{text}");
    assert!(!small.path("out").exists());
    let document = dynaflow_objectives::read(&small.read("out.json").unwrap()).unwrap();
    assert!(document.pairs.is_empty());
    assert_eq!(rows(&small, "out"), [""; 0]);
    fs::create_dir(small.path("out2.json")).unwrap();
    let wrong = augment(&small, "out2", &["--since", "main"]);
    assert_eq!(wrong.status.code(), Some(1), "what is wrong is wrong all the same");
    assert!(said(&wrong).contains("--json: cannot write out2.json: it is a folder"), "{}", said(&wrong));
}

#[test]
fn what_changed_and_is_not_attacked_is_named_with_the_reason() {
    let small = project();
    small.write("DoorTest.java", &test("Door").replace("unlocks", "unlocksIt"));
    small.write("New.java", &class("New", ""));
    fs::remove_file(small.path("Hatch.java")).unwrap();
    change(&small, "Gate");
    let text = succeeds(&augment(&small, "out", &["--since", "main", "--exclude", "demo.Gate"]));
    let lines: Vec<&str> = text.lines().collect();
    assert!(
        lines[0].starts_with("dynaflow: 4 classes changed since ")
            && lines[0].ends_with("; nothing of that is a target"),
        "{text}"
    );
    assert_eq!(
        lines[1..],
        [
            "dynaflow: demo.DoorTest: not attacked: it is on the class path of the tests alone",
            "dynaflow: Hatch.java: not attacked: it is deleted",
            "dynaflow: New.java: not attacked: no class of the program's class path comes from it as compiled",
            "dynaflow: demo.Gate: not attacked: --include and --exclude leave it out",
        ]
    );
    assert!(!small.path("out").exists());
}

#[test]
fn what_git_cannot_say_is_an_error_that_names_option_folder_and_remedy() {
    let small = project();
    let folder = small.path("");
    let refused = |folder: &Path, since: &str, code: i32, parts: &[&str]| {
        let mut command =
            small.command(&["augment", &format!("--since={since}"), "--project", folder.to_str().unwrap()]);
        let output = alone(&mut command, folder).output().unwrap();
        let said = said(&output);
        assert_eq!(output.status.code(), Some(code), "{said}");
        for part in parts {
            assert!(said.contains(part), "`{part}` is missing: {said}");
        }
    };
    let place = folder.canonicalize().unwrap().display().to_string();
    refused(&folder, "mian", 1, &["--since mian in ", &place, "no such commit", "git fetch origin"]);
    for option in ["--all", "-h", "--output=x", "HEAD..HEAD"] {
        refused(&folder, option, 1, &[&format!("--since {option}"), "no such commit"]);
    }
    refused(&folder, "", 2, &["--since is empty", "origin/main"]);
    let elsewhere = tempfile::tempdir().unwrap();
    refused(
        elsewhere.path(),
        "main",
        1,
        &[
            "--since main",
            elsewhere.path().to_str().unwrap(),
            "no working tree of a git repository",
            "--project",
        ],
    );
    refused(&elsewhere.path().join("none"), "main", 1, &["--since main: cannot look into ", "none"]);

    git(&folder, &["checkout", "--quiet", "--orphan", "other"]);
    small.write("other.txt", "a commit of the same tree and second would be the same");
    commit(&folder);
    refused(&folder, "main", 1, &["no commit in common with HEAD", "the same history"]);
    git(&folder, &["checkout", "--quiet", "-B", "topic", "main"]);
    change(&small, "Gate");
    commit(&folder);
    change(&small, "Door");
    commit(&folder);
    let clone = elsewhere.path().join("clone");
    let url = format!("file://{place}");
    git(elsewhere.path(), &["clone", "--quiet", "--depth", "1", "--branch", "topic", &url, "clone"]);
    refused(&clone, "topic~1", 1, &["no such commit", "this clone is shallow: git fetch --unshallow"]);
    git(&clone, &["fetch", "--quiet", "--depth", "1", "origin", "main:main"]);
    refused(
        &clone,
        "main",
        1,
        &["no commit in common", "this clone is shallow: git fetch --unshallow, or a larger --depth"],
    );
}

#[test]
fn without_git_the_error_says_so() {
    let small = project();
    let mut command = small.command(&["augment", "--since", "main"]);
    let output = command.env("PATH", small.path("none")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = said(&output);
    assert!(
        said.contains("--since main in ") && said.contains("no program `git` on the PATH; install it"),
        "{said}"
    );
}

#[test]
fn the_parts_attack_together_what_the_whole_attacks() {
    let small = project();
    let run = |out: &str, more: &[&str]| succeeds(&augment(&small, out, more));
    let text = run("out1", &["--shard", "1/2"]);
    assert!(
        text.contains("part 1 of 2 has 2 of 3 target classes") && text.contains("seed suite: 6 tests"),
        "{text}"
    );
    run("out2", &["--shard", "2/2"]);
    run("out", &[]);
    assert_eq!(rows(&small, "out1"), ["demo.Door", "demo.Hatch"]);
    assert_eq!(rows(&small, "out2"), ["demo.Gate"]);
    assert_eq!(rows(&small, "out"), ["demo.Door", "demo.Gate", "demo.Hatch"]);
    let all = written(&small, "out");
    assert_eq!(all.len(), 3, "{all:?}");
    assert_eq!(
        written(&small, "out1").union(&written(&small, "out2")).cloned().collect::<BTreeSet<_>>(),
        all
    );
    let empty = run("out4", &["--shard", "4/4"]);
    assert!(empty.contains("part 4 of 4 has 0 of 3 target classes") && empty.lines().count() == 1, "{empty}");
    assert!(!small.path("out4").exists());
    for wrong in ["0/2", "3/2", "2", "x/y"] {
        let output = augment(&small, "out5", &["--shard", wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(said(&output).contains("expected I/N"), "{}", said(&output));
    }
}

#[test]
fn a_part_that_no_seed_uses_is_not_attacked_from_scratch_as_the_whole_would_not_be() {
    let small = project();
    let of_door = ["--seed-tests", "demo.DoorTest"];
    let run = |out: &str, shard: &str| {
        let class_path = small.class_path();
        let args =
            ["augment", "--class-path", "classes", "--test-class-path", &class_path, "--target", "demo.*"];
        let more = ["--max-executions", "300", "--out", out, "--shard", shard];
        succeeds(&small.dynaflow(&[&args[..], &of_door, &more].concat()))
    };
    let door = run("out1", "1/3");
    assert_eq!(written(&small, "out1").len(), 1, "{door}");
    let gate = run("out2", "2/3");
    assert!(
        gate.contains("demo.Gate: nothing found: no seed test uses it")
            && !gate.contains("the search starts from scratch"),
        "{gate}"
    );
    assert!(written(&small, "out2").is_empty());
}

#[test]
fn tasks_are_those_of_what_changed_in_the_order_of_all() {
    let small = project();
    let class_path = small.class_path();
    let java = jdks()[0].home.join("bin/java");
    let mut args = vec!["run", "--include", "demo.*", "--out", "traces", "--", java.to_str().unwrap()];
    args.extend([
        "-cp",
        &class_path,
        "org.junit.runner.JUnitCore",
        "demo.DoorTest",
        "demo.GateTest",
        "demo.HatchTest",
    ]);
    succeeds(&small.dynaflow(&args));
    let tasks = |more: &[&str]| {
        let mut command = small.command(&[&["tasks", "traces", "--limit", "1000"], more].concat());
        let output = alone(&mut command, &small.path("")).output().unwrap();
        succeeds(&output);
        String::from_utf8(output.stdout).unwrap()
    };
    let json = |more: &[&str]| -> serde_json::Value {
        serde_json::from_str(&tasks(&[&["--format", "json"], more].concat())).unwrap()
    };
    let objectives = |document: &serde_json::Value, roots: &[&str]| -> Vec<serde_json::Value> {
        let all = document["tasks"].as_array().unwrap().iter();
        all.filter(|task| roots.contains(&task["root"].as_str().unwrap()))
            .map(|task| task["objectives"].clone())
            .collect()
    };
    let none = tasks(&["--since", "main"]);
    assert!(none.starts_with("# No open objective in what changed\n"), "{none}");
    assert_eq!(json(&["--since", "main"])["all_tasks"], 0);
    change(&small, "Door");
    change(&small, "Hatch");
    let (all, touched) = (json(&[]), json(&["--since", "main", "--source-path", "."]));
    let expected = objectives(&all, &["demo.Door", "demo.Hatch"]);
    assert!(!expected.is_empty() && expected.len() < all["tasks"].as_array().unwrap().len());
    assert_eq!(objectives(&touched, &["demo.Door", "demo.Gate", "demo.Hatch"]), expected);
    assert!(touched["since"].as_str().unwrap().ends_with(" (main)"));
    assert!(all.get("since").is_none());
    let text = tasks(&["--since", "main"]);
    assert!(
        text.contains("\nEach has to do with a class that changed since ") && !text.contains("Gate"),
        "{text}"
    );
    let mut wrong = small.command(&["tasks", "traces", "--since", "mian"]);
    let wrong = alone(&mut wrong, &small.path("")).output().unwrap();
    assert_eq!(wrong.status.code(), Some(1));
    assert!(said(&wrong).contains("--since mian in "), "{}", said(&wrong));
}
