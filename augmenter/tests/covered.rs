//! `dynaflow dua` with traces as users meet it: answers in all formats, what cannot be known, and what is refused; and what the
//! other commands make of such traces. The traces are written here, but for one that a real run writes.
//! Invariant: every failing case checks the exit code and that the message names what is wrong.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod common;
#[path = "../../tests/shared/javac.rs"]
mod javac;

use common::{dynaflow, failed, java_homes, recording, stderr, valid, write};
use dynaflow_model::coverage::CoverageRun;
use dynaflow_model::facts::Recording;
use dynaflow_model::options::AgentOptions;
use dynaflow_model::sites::{ClassHash, Declined};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Output;

const SORT: &str = "../crates/flowgraph/tests/java/Sort.java";
const MACHINE: &str = "../crates/flowgraph/tests/java/Machine.java";

fn compiled() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let classes = folder.path().join("classes");
    let status = javac::javac(&java_homes()[0])
        .arg("-g")
        .arg("-d")
        .arg(classes)
        .args([here.join(SORT), here.join(MACHINE)])
        .status();
    assert!(status.unwrap().success());
    folder
}

fn run(folder: &Path, args: &[&str]) -> Output {
    dynaflow(folder).args(args).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The associations within methods, with and without traces: `dynaflow dua --no-inter` and these arguments.
fn document(folder: &Path, args: &[&str]) -> Value {
    let output = run(folder, &[&["dua", "--class-path", "classes", "--no-inter"], args].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    valid(&output.stdout, "duas.schema.json")
}

/// All associations of a class.
fn duas<'a>(document: &'a Value, class: &'a str) -> impl Iterator<Item = &'a Value> {
    let methods =
        document["methods"].as_array().unwrap().iter().filter(move |method| method["class"] == class);
    methods.flat_map(|method| method["duas"].as_array().unwrap())
}

/// A recording of a run with these options that loaded `Sort` and covers every second of its associations.
fn half(folder: &Path, options: &str) -> Recording {
    let mut recording = Recording::default();
    recording
        .coverage
        .runs
        .insert(CoverageRun::of(&AgentOptions::parse(&format!("mode=dua{options}")).unwrap()));
    let all = document(folder, &["--target", "Sort"]);
    let ids = duas(&all, "Sort").step_by(2).map(|dua| dua["id"].as_str().unwrap());
    recording.coverage.covered.extend(ids.map(|id| u64::from_str_radix(id, 16).unwrap()));
    let bytes = fs::read(folder.join("classes/Sort.class")).unwrap();
    recording.classes.insert("Sort".to_owned(), dynaflow_flowgraph::class_hash(&bytes));
    recording
}

#[test]
fn each_association_is_covered_or_not_and_the_sums_say_how_many() {
    let folder = compiled();
    let half = half(folder.path(), "");
    write(&folder.path().join("t.trace"), &half);
    let found = document(folder.path(), &["--subsumption", "t.trace"]);
    for (number, dua) in duas(&found, "Sort").enumerate() {
        assert_eq!(dua["covered"], number % 2 == 0, "{dua}");
    }
    // The run would have recorded it, and never loaded it.
    assert!(
        duas(&found, "Machine").count() > 0 && duas(&found, "Machine").all(|dua| dua["covered"] == false)
    );
    let totals = &found["totals"];
    assert_eq!(totals["covered"], half.coverage.covered.len());
    assert_eq!(totals["known"], totals["duas"]);
    assert!(totals["unconstrained_covered"].as_u64() < totals["unconstrained"].as_u64());
    let without = document(folder.path(), &["--subsumption"]);
    assert!(duas(&without, "Sort").all(|dua| dua["covered"].is_null()));
    for sum in ["covered", "known", "unconstrained_covered"] {
        assert_eq!(without["totals"][sum], Value::Null);
    }
    let csv = text(&run(
        folder.path(),
        &["dua", "--class-path", "classes", "--no-inter", "--format", "csv", "t.trace"],
    ));
    let column = |answer: &str| csv.lines().filter(|line| line.ends_with(answer)).count();
    assert_eq!(column(",true,"), half.coverage.covered.len(), "{csv}");
    assert_eq!(
        column(",false,") as u64,
        totals["duas"].as_u64().unwrap() - half.coverage.covered.len() as u64
    );
    let between = run(folder.path(), &["dua", "--class-path", "classes", "t.trace"]);
    let between = valid(&between.stdout, "duas.schema.json");
    let inter =
        between["inter"].as_array().unwrap().iter().flat_map(|class| class["duas"].as_array().unwrap());
    assert!(inter.clone().count() > 0 && inter.into_iter().all(|dua| dua["covered"].is_null()));
}

#[test]
fn lines_say_how_much_of_each_method_is_covered_and_what_to_test_next() {
    let folder = compiled();
    write(&folder.path().join("t.trace"), &half(folder.path(), ""));
    let args =
        ["dua", "--class-path", "classes", "--target", "Sort", "--no-inter", "--format", "text", "t.trace"];
    let lines = text(&run(folder.path(), &args));
    let found = document(folder.path(), &["--target", "Sort", "--subsumption", "t.trace"]);
    let totals = &found["totals"];
    let sum = format!("Sort: {} of {} associations covered (51.4 %)\n", totals["covered"], totals["duas"]);
    assert!(lines.starts_with(&sum), "{lines}");
    assert!(
        lines.contains("\n  sort([II)V: ") && lines.contains(" of 8 unconstrained classes covered"),
        "{lines}"
    );
    let named: Vec<&str> = lines.lines().filter(|line| line.starts_with("    * ")).collect();
    let open = totals["unconstrained"].as_u64().unwrap() - totals["unconstrained_covered"].as_u64().unwrap();
    assert_eq!(named.len() as u64, open, "{lines}");
    for line in named {
        let dua = duas(&found, "Sort").find(|dua| line.contains(dua["id"].as_str().unwrap())).unwrap();
        assert_eq!(dua["covered"], false, "{line}");
        let place = format!("* {}: ({}, ", dua["variable"].as_str().unwrap(), dua["def"]);
        let at = format!(", line {} to {}", dua["lines"]["def"], dua["lines"]["use"]);
        assert!(line.contains(&place) && line.contains(&at), "{line}");
    }
}

#[test]
fn where_traces_do_not_show_it_there_is_no_answer_and_the_reason_is_named() {
    let folder = compiled();
    let covered = |recording: &Recording, class: &str| {
        write(&folder.path().join("t.trace"), recording);
        let args = ["dua", "--class-path", "classes", "--no-inter", "t.trace"];
        let output = run(folder.path(), &args);
        let found = valid(&output.stdout, "duas.schema.json");
        let answers: Vec<Option<bool>> = duas(&found, class).map(|dua| dua["covered"].as_bool()).collect();
        (answers, stderr(&output))
    };
    let half = half(folder.path(), ",include=Sort");
    let (answers, said) = covered(&half, "Machine");
    assert!(answers.iter().all(Option::is_none) && said.is_empty(), "not selected: {said}");
    let mut other = half.clone();
    other.classes.insert("Sort".to_owned(), ClassHash([7; 16]));
    let (answers, said) = covered(&other, "Sort");
    assert!(answers.iter().all(Option::is_none), "{answers:?}");
    assert!(said.contains("Sort: recorded in another build") && said.contains("--class-path"), "{said}");
    for (name, known) in [("Sort", 0), ("Sort#sort([II)V", 1)] {
        let mut declined = half.clone();
        declined.declined.push(Declined { class: name.to_owned(), reason: "too large".to_owned() });
        let (answers, said) = covered(&declined, "Sort");
        // What was covered nevertheless, in another process, is.
        assert_eq!(
            answers.iter().filter(|answer| **answer == Some(true)).count(),
            half.coverage.covered.len()
        );
        assert!(answers.iter().filter(|answer| answer.is_none()).count() > known, "{answers:?}");
        assert!(!answers.contains(&Some(false)) || known > 0, "{answers:?}");
        assert!(said.contains(&format!("{name} was not recorded: too large")), "{said}");
    }
    let mut strange = half.clone();
    strange.classes = [("org.example.Other".to_owned(), ClassHash([7; 16]))].into();
    let (_, said) = covered(&strange, "Sort");
    assert!(
        said.contains("loaded no class that is analysed") && said.contains("org.example.Other"),
        "{said}"
    );
}

#[test]
fn traces_of_other_associations_are_refused_with_what_to_do() {
    let folder = compiled();
    write(&folder.path().join("whole.trace"), &half(folder.path(), ",arrays=whole,exception-edges=true"));
    write(&folder.path().join("state.trace"), &recording("a.CounterTest#counts", true));
    let fails = |args: &[&str], code: i32, says: &[&str]| {
        failed(&run(folder.path(), &[&["dua", "--class-path", "classes"], args].concat()), code, says);
    };
    let both = ["arrays=whole, exception-edges=true", "arrays=reference, exception-edges=false"];
    fails(&["whole.trace"], 2, &[both[0], both[1], "--arrays whole --exception-edges"]);
    fails(&["state.trace"], 1, &["mode=state", "dynaflow export", "mode=dua"]);
    fails(&["--uses", "statement", "whole.trace"], 2, &["--uses statement"]);
    fails(&["--graphdua", "0123456789abcdef", "whole.trace"], 2, &["--graphdua"]);
    let right = ["--arrays", "whole", "--exception-edges", "--no-inter", "whole.trace"];
    assert!(run(folder.path(), &[&["dua", "--class-path", "classes"], &right[..]].concat()).status.success());
}

#[test]
fn other_commands_merge_such_traces_and_say_what_shows_them() {
    let folder = compiled();
    let path = folder.path();
    let half = half(path, "");
    write(&path.join("one.trace"), &half);
    let mut rest = half.clone();
    rest.coverage.covered = [1, 2].into();
    write(&path.join("two.trace"), &rest);
    failed(&run(path, &["export", "one.trace"]), 1, &["mode=dua", "dynaflow dua --class-path"]);
    assert!(run(path, &["export", "--format", "effort", "one.trace"]).status.success());
    let merged = run(path, &["merge", "one.trace", "two.trace", "-o", "all.trace"]);
    let sum = half.coverage.covered.len() + 2;
    assert!(
        stderr(&merged).contains(&format!("2 traces, {sum} covered associations merged")),
        "{}",
        stderr(&merged)
    );
    assert_eq!(dynaflow_trace::read(&path.join("all.trace")).unwrap().0.coverage.covered.len(), sum);
    // Pairs of state variables and coverage do not get in each other's way.
    write(&path.join("state.trace"), &recording("a.CounterTest#counts", true));
    assert!(run(path, &["merge", "state.trace", "one.trace", "-o", "both.trace"]).status.success());
    assert!(run(path, &["export", "both.trace"]).status.success());
    assert_eq!(document(path, &["both.trace"])["totals"]["covered"], half.coverage.covered.len());
}

#[test]
fn a_recorded_run_is_summed_up_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let source = "public class Main { public static void main(String[] a) {\n\
        int found = 0;\n\
        for (int i = 0; i < 3; i++) {\n\
        if (i > 7) { found = i; } }\n\
        System.out.println(found); } }";
    fs::write(folder.path().join("Main.java"), source).unwrap();
    let home = &java_homes()[0];
    let javac =
        javac::javac(home).args(["-g", "-d", "classes", "Main.java"]).current_dir(folder.path()).status();
    assert!(javac.unwrap().success());
    let java = home.join("bin/java").display().to_string();
    let mut command = dynaflow(folder.path());
    command.env("DYNAFLOW_AGENT", agent_support::agent());
    let output = command
        .args(["run", "--mode", "dua", "--include", "Main", "--", &java, "-cp", "classes", "Main"])
        .output()
        .unwrap();
    let said = stderr(&output);
    assert_eq!((output.status.code(), text(&output).as_str()), (Some(0), "0\n"), "{said}");
    assert!(
        said.contains("classes     1") && said.contains("associations") && said.contains("dynaflow dua"),
        "{said}"
    );
    let args = ["dua", "--class-path", "classes", "--no-inter", "--format", "text", "dynaflow-traces"];
    let lines = text(&run(folder.path(), &args));
    // `found` gets no other value because line 4 is never reached, which is what the next test has to change.
    assert!(lines.contains("\n    * i: ") && lines.contains(", line 3 to 4  "), "{lines}");
    let document = document(folder.path(), &["dynaflow-traces"]);
    let of_found = |line: u32| {
        let mut all = duas(&document, "Main").filter(|dua| dua["variable"] == "found");
        all.find(|dua| dua["lines"]["def"] == line && dua["lines"]["use"] == 5).unwrap()["covered"].clone()
    };
    assert_eq!((of_found(2), of_found(4)), (Value::Bool(true), Value::Bool(false)));
}
