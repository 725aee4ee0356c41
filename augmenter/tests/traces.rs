//! `merge` and `export` as users meet them, with good and with bad input. Knows nothing of recording.
//! Invariant: every failing case checks the exit code and that the message names what is wrong.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod common;

use common::{dynaflow, failed, recording, stderr, valid_document, write};
use dynaflow_model::facts::{Effort, Recording};
use dynaflow_model::sites::ClassHash;
use dynaflow_trace::ReadState;
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

fn run(folder: &Path, args: &[&str]) -> Output {
    dynaflow(folder).args(args).output().unwrap()
}

/// The command fails with this code and says all of these.
fn fails(folder: &Path, args: &[&str], code: i32, says: &[&str]) {
    failed(&run(folder, args), code, says);
}

#[test]
fn an_export_is_the_same_on_standard_output_and_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("t.trace"), &recording("a.CounterTest#counts", true));
    let output = run(folder.path(), &["export", "t.trace"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", stderr(&output));
    let to_file = run(folder.path(), &["export", ".", "--format", "json", "-o", "pairs.json"]);
    assert!(to_file.status.success() && to_file.stdout.is_empty());
    assert_eq!(fs::read(folder.path().join("pairs.json")).unwrap(), output.stdout);
    let document = valid_document(&output.stdout);
    assert_eq!(document["format"], "dynaflow-pairs");
    assert_eq!(document["pairs"][0]["status"], "covered");
    assert_eq!(document["pairs"][0]["tests"][0], "a.CounterTest#counts");
}

#[test]
fn what_recording_took_is_no_part_of_what_it_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut recording = recording("a.T#one", true);
    let silent = run_on(folder.path(), "silent.trace", &recording);
    recording.effort = Effort { words: 8000, waits: 2, waited: 30, settled: 4 };
    let measured = run_on(folder.path(), "measured.trace", &recording);
    assert_eq!(silent, measured, "the pairs document says the same of every run");
    let effort = run(folder.path(), &["export", "measured.trace", "measured.trace", "--format", "effort"]);
    let effort: serde_json::Value = serde_json::from_slice(&effort.stdout).unwrap();
    let length = fs::metadata(folder.path().join("measured.trace")).unwrap().len();
    let figures =
        ["words", "waits", "waited_ms", "settled_ms", "trace_bytes"].map(|name| effort[name].as_u64());
    assert_eq!(figures, [8000, 2, 30, 4, length].map(Some));
}

/// Writes a trace and exports its pairs.
fn run_on(folder: &Path, name: &str, recording: &Recording) -> Vec<u8> {
    write(&folder.join(name), recording);
    run(folder, &["export", name]).stdout
}

#[test]
fn a_pair_that_one_trace_misses_and_another_covers_is_covered_after_merging() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("one.trace"), &recording("a.CounterTest#one", false));
    write(&folder.path().join("two.trace"), &recording("a.CounterTest#two", true));
    let statuses = |traces: &[&str]| -> Vec<String> {
        let output = run(folder.path(), &[&["export"], traces].concat());
        let document = valid_document(&output.stdout);
        document["pairs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|p| p["status"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(statuses(&["one.trace"]), ["objective"]);
    assert_eq!(statuses(&["one.trace", "two.trace"]), ["covered"]);
    for (order, name) in [(["one.trace", "two.trace"], "ab"), (["two.trace", "one.trace"], "ba")] {
        let output = run(folder.path(), &[&["merge", "-o", name], order.as_slice()].concat());
        assert!(
            output.status.success() && stderr(&output).contains("2 traces, 2 tests"),
            "{}",
            stderr(&output)
        );
    }
    assert_eq!(fs::read(folder.path().join("ab")).unwrap(), fs::read(folder.path().join("ba")).unwrap());
    assert_eq!(statuses(&["ab"]), ["covered"]);
}

#[test]
fn a_target_selects_root_classes_and_one_that_matches_none_is_pointed_out() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("t.trace"), &recording("a.CounterTest#counts", true));
    let output = run(folder.path(), &["export", "t.trace", "--class", "a.*"]);
    assert!(stderr(&output).is_empty() && String::from_utf8_lossy(&output.stdout).contains("a.Counter.n"));
    assert_eq!(
        run(folder.path(), &["export", "t.trace", "--target", "a.*"]).stdout,
        output.stdout,
        "as it was called before"
    );
    let says = ["--class a.Countr matches no root class; the traces have 1: a.Counter"];
    fails(folder.path(), &["export", "t.trace", "--class", "a.Countr", "-o", "none.json"], 1, &says);
    assert!(!folder.path().join("none.json").exists());
}

#[test]
fn files_that_are_no_traces_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fs::write(path.join("a.jar"), b"PK\x03\x04").unwrap();
    fs::create_dir(path.join("empty")).unwrap();
    fails(path, &["export", "none.trace"], 1, &["none.trace", "cannot open"]);
    fails(path, &["export", "a.jar"], 1, &["a.jar", "no dynaflow trace"]);
    fails(path, &["export", "empty"], 1, &["empty", "*.trace", "out="]);
    fails(path, &["merge", "a.jar", "-o", "x"], 1, &["a.jar"]);
    fs::write(path.join("new.trace"), b"DYNAFLOW\x09\0\0\0").unwrap();
    fails(path, &["export", "new.trace"], 1, &["new.trace", "format 9", "record again"]);
    assert!(!path.join("x").exists());
}

#[test]
fn traces_of_two_builds_are_refused_with_class_hashes_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut other = recording("a.CounterTest#counts", true);
    write(&folder.path().join("one.trace"), &other);
    other.classes.insert("a.Counter".to_owned(), ClassHash([2; 16]));
    write(&folder.path().join("two.trace"), &other);
    let (first, second) = (ClassHash([1; 16]).to_string(), ClassHash([2; 16]).to_string());
    let says = ["class a.Counter", &first, &second, "one.trace", "two.trace", "same class"];
    fails(folder.path(), &["merge", ".", "-o", "all"], 1, &says);
    fails(folder.path(), &["export", "one.trace", "two.trace"], 1, &says);
    assert!(!folder.path().join("all").exists());
}

#[test]
fn a_cut_trace_gives_its_prefix_and_a_warning_with_the_offset() {
    let folder = tempfile::tempdir().unwrap();
    let file = write(&folder.path().join("t.trace"), &recording("a.CounterTest#counts", true));
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 3]).unwrap();
    let (_, state) = dynaflow_trace::read(&file).unwrap();
    let ReadState::CutAt(cut) = state else { panic!("not cut") };
    let output = run(folder.path(), &["export", "t.trace"]);
    let text = stderr(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("t.trace") && text.contains(&format!("at byte {}", cut.offset)), "{text}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("a.CounterTest#counts"));
    // Merged again it is whole.
    assert!(run(folder.path(), &["merge", "t.trace", "-o", "whole.trace"]).status.success());
    let whole = dynaflow_trace::read(&folder.path().join("whole.trace")).unwrap();
    assert_eq!((whole.1, whole.0.tests.len()), (ReadState::Complete, 1));
}

#[test]
fn an_output_that_cannot_be_written_is_named_and_nothing_is_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    write(&path.join("t.trace"), &recording("a.CounterTest#counts", true));
    fs::create_dir(path.join("folder")).unwrap();
    fails(path, &["export", "t.trace", "-o", "none/pairs.json"], 1, &["cannot write none/pairs.json"]);
    fails(path, &["export", "t.trace", "-o", "folder"], 1, &["cannot write folder"]);
    fails(path, &["export", "t.trace", "-o", "/dev/full"], 1, &["cannot write /dev/full"]);
    fails(path, &["merge", "t.trace", "-o", "none/all.trace"], 1, &["none/all.trace"]);
    fails(path, &["merge", "t.trace", "-o", "folder"], 1, &["cannot write folder", "it is a folder"]);
    fails(path, &["merge", "t.trace", "-o", "/dev/full"], 1, &["/dev/full", "no regular file"]);
    let mut left: Vec<_> = fs::read_dir(path).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["folder", "t.trace"]);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("t.trace"), &recording("a.CounterTest#counts", true));
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("dynaflow"))
        .args(["export", "t.trace"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", stderr(&output));
}

#[test]
fn wrong_command_lines_end_with_2_and_say_what_is_expected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    fails(path, &[], 2, &["Usage", "export"]);
    fails(path, &["exprt"], 2, &["exprt", "export"]);
    fails(path, &["export"], 2, &["<TRACE>"]);
    fails(path, &["export", "t.trace", "--formt", "json"], 2, &["--formt", "--format"]);
    fails(path, &["export", "t.trace", "--format", "xml"], 2, &["xml", "json"]);
    fails(path, &["export", "t.trace", "--target", "a b"], 2, &["a b", "org.example.**"]);
    fails(path, &["merge", "t.trace"], 2, &["--output <FILE>"]);
    fails(path, &["augment", "--target", "a.B"], 2, &["no --class-path is given", "--project"]);
    fails(path, &["augment", "--class-path", "x"], 2, &["--target <PATTERN>"]);
    fails(path, &["diff", "x"], 2, &["<HEAD>"]);
    let both = ["augment", "--class-path", "x", "--target", "a.B", "--budget", "5s", "--max-executions", "9"];
    fails(path, &both, 2, &["--budget", "--max-executions"]);
}
