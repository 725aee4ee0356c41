//! What `export` writes of a library's suite, in every form. Knows nothing of how facts are found.
//! Invariant: all forms are held against each other, and the JSON against the published schemas.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod common;
mod jvm_support;

use agent_support::agent;
use common::{dynaflow, in_full, java_homes, stderr, valid};
use dynaflow_objectives::{PairsDocument, Status};
use jvm_support::jar;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A folder with the trace of some tests of Commons CLI.
fn recorded(home: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let names = ["commons-cli-1.9.0", "commons-cli-1.9.0-tests", "junit-platform-console-standalone-1.11.4"];
    let [library, tests, console] = names.map(jar);
    let mut command = dynaflow(folder.path());
    command.env("DYNAFLOW_AGENT", agent());
    command.args(["run", "--include", "org.apache.commons.cli.**", "--out", "traces", "--"]);
    command.arg(home.join("bin/java")).arg("-jar").arg(console).arg("execute").arg("--class-path");
    command.arg(std::env::join_paths([library, tests]).unwrap());
    for class in ["OptionGroupTest", "OptionsTest"] {
        command.arg(format!("--select-class=org.apache.commons.cli.{class}"));
    }
    let output = command.output().unwrap();
    assert!(folder.path().join("traces").read_dir().unwrap().count() == 1, "{}", stderr(&output));
    folder
}

fn export(folder: &Path, more: &[&str]) -> Output {
    let output = dynaflow(folder).args(["export", "traces"]).args(more).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    output
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn every_form_of_an_export_of_a_library_says_the_same() {
    for home in java_homes() {
        let folder = recorded(&home);
        let two = export(folder.path(), &[]);
        let one = export(folder.path(), &["--version", "1"]);
        valid(&two.stdout, "pairs.v2.schema.json");
        valid(&one.stdout, "pairs.schema.json");
        assert_eq!(text(&one), in_full(&two.stdout), "the versions differ");
        assert!(two.stdout.len() * 20 <= one.stdout.len(), "{} of {}", two.stdout.len(), one.stdout.len());
        let document = dynaflow_objectives::read(&two.stdout).unwrap();
        assert!(document.pairs.len() > 500);
        check_text(&document, &text(&export(folder.path(), &["--format", "text"])));
        check_summary(&document, &text(&export(folder.path(), &["--summary"])));
        check_class(folder.path(), &document);
        check_recipes(folder.path(), &document);
    }
}

/// Each pair has a line in the text.
fn check_text(document: &PairsDocument, text: &str) {
    let lines = |status: &str| text.lines().filter(|line| line.trim_start().starts_with(status)).count();
    assert_eq!(lines("covered "), document.count(Status::Covered));
    assert_eq!(lines("OBJECTIVE "), document.count(Status::Objective));
    let variables = text.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   ")).count();
    let mut distinct: Vec<_> = document.pairs.iter().map(|pair| (&pair.root, &pair.steps)).collect();
    distinct.dedup();
    assert_eq!(variables, distinct.len());
}

fn check_summary(document: &PairsDocument, text: &str) {
    let total = text.lines().find(|line| line.starts_with("total ")).unwrap();
    let figures: Vec<usize> = total.split_whitespace().skip(1).map(|n| n.parse().unwrap()).collect();
    assert_eq!(figures[1..], [document.count(Status::Covered), document.count(Status::Objective)]);
    let group = "org.apache.commons.cli.OptionGroup";
    let row = text.lines().find(|line| line.split_whitespace().next() == Some(group)).unwrap();
    let covered = document.pairs.iter().filter(|p| p.root == group && p.status == Status::Covered).count();
    assert_eq!(row.split_whitespace().nth(2), Some(covered.to_string().as_str()));
}

fn check_class(folder: &Path, document: &PairsDocument) {
    let group = "org.apache.commons.cli.OptionGroup";
    let only = dynaflow_objectives::read(&export(folder, &["--class", group]).stdout).unwrap();
    let pairs: Vec<_> = document.pairs.iter().filter(|pair| pair.root == group).cloned().collect();
    assert!(!pairs.is_empty() && only.pairs == pairs);
    let text = text(&export(folder, &["--class", group, "--format", "text"]));
    let roots: Vec<&str> =
        text.lines().filter(|line| line.starts_with(|c: char| c.is_alphabetic())).collect();
    assert_eq!(roots.len(), 1, "{roots:?}");
}

/// The recipes of docs/pairs.md, in order, each run as it stands there; nothing where there is no jq.
fn check_recipes(folder: &Path, document: &PairsDocument) {
    if Command::new("jq").arg("--version").output().is_err() {
        eprintln!("no jq: the recipes of docs/pairs.md are not tried");
        return;
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pairs.md");
    let page = fs::read_to_string(page).unwrap();
    let recipes: Vec<&str> = page.split("```jq\n").skip(1).map(|r| r.split("```").next().unwrap()).collect();
    let [objectives, one, roots, rows] = recipes.as_slice() else { panic!("{} recipes", recipes.len()) };
    export(folder, &["-o", "pairs.json"]);
    let pair = document.pairs.iter().find(|pair| pair.definition.context.len() > 1 && !pair.tests.is_empty());
    let pair = pair.unwrap();
    let jq = |recipe: &str| {
        let mut jq = Command::new("jq");
        let output = jq
            .args(["-r", "--arg", "id", &pair.id, recipe, "pairs.json"])
            .current_dir(folder)
            .output()
            .unwrap();
        assert!(output.status.success(), "{recipe}\n{}", stderr(&output));
        text(&output)
    };
    let listed = jq(objectives);
    assert_eq!(listed.lines().count(), document.count(Status::Objective));
    let open = document.pairs.iter().find(|pair| pair.status == Status::Objective).unwrap();
    let (definition, usage) = (&open.definition, &open.usage);
    let line = format!(
        "{}: {} defined in {}.{}:{}, used in {}.{}:{}",
        open.root,
        open.variable,
        definition.class,
        definition.method,
        definition.line,
        usage.class,
        usage.method,
        usage.line
    );
    assert_eq!(listed.lines().next(), Some(line.as_str()));
    let found: serde_json::Value = serde_json::from_str(&jq(one)).unwrap();
    assert_eq!(found["definition"]["context"], serde_json::json!(pair.definition.context));
    assert_eq!(found["use"]["method"], pair.usage.method);
    assert_eq!(found["tests"], serde_json::json!(pair.tests));
    let covered =
        document.pairs.iter().filter(|p| p.root == pair.root && p.status == Status::Covered).count();
    assert!(jq(roots).contains(&format!("{} covered {covered}\n", pair.root)));
    assert!(jq(rows).contains("\"offset\": "));
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let fails = |args: &[&str], says: &[&str]| {
        let output = dynaflow(folder.path()).arg("export").args(args).output().unwrap();
        common::failed(&output, 2, says);
    };
    fails(&["t.trace", "--version", "3"], &["3", "possible values: 1, 2"]);
    fails(&["t.trace", "--version"], &["--version <N>"]);
    fails(&["t.trace", "--summary", "--format", "text"], &["--summary", "--format"]);
    fails(&["t.trace", "--format", "text", "--version", "1"], &["--version 1", "--format text"]);
    let version = dynaflow(folder.path()).arg("--version").output().unwrap();
    assert!(text(&version).starts_with("dynaflow "));
}
