//! `dynaflow atg` over a small class: the suite that it writes, its report, what it does without a solver and with a wrong one. Knows nothing of how tests are found.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod common;
mod jvm_support;

use common::{dynaflow, failed, java_homes, stderr};
use jvm_support::jar;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;

const SOURCE: &str = "package a;
public class Steps {
    int state;
    public static int step(int a, int b) {
        if (a == b + 17) {
            return 100;
        }
        return a < b ? 1 : 2;
    }
    public static void clear(long[] values) {
        values[0] = 0;
    }
    static int later(String text) {
        return text.length() + 1;
    }
    int next() {
        return state + 1;
    }
}
";

/// A folder `classes` with the class.
fn project(home: &Path) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Steps.java"), SOURCE).unwrap();
    let mut javac = jvm_support::javac(home);
    javac.args(["-g", "-d"]).arg(folder.path().join("classes")).arg(folder.path().join("Steps.java"));
    let output = javac.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    folder
}

fn atg(home: &Path, folder: &Path, jars: &[PathBuf], more: &[&str]) -> Output {
    let jars = std::env::join_paths(jars).unwrap();
    let mut command = dynaflow(folder);
    command.args([
        "atg",
        "--class-path",
        "classes",
        "--target",
        "a.Steps",
        "--random-tests",
        "12",
        "--test-class-path",
    ]);
    command.arg(jars).arg("--java-home").arg(home).args(more).output().unwrap()
}

fn four() -> Vec<PathBuf> {
    ["junit-4.13.2", "hamcrest-core-1.3"].map(jar).to_vec()
}

#[test]
fn a_small_suite_is_written_that_finds_what_chance_does_not_and_every_mutant_is_accounted_for() {
    let homes = java_homes();
    for (home, jars) in [
        (&homes[0], four()),
        (&homes[homes.len() - 1], vec![jar("junit-platform-console-standalone-1.11.4")]),
    ] {
        let folder = project(home);
        let output = atg(home, folder.path(), &jars, &["--out", "out", "--json", "atg.json"]);
        assert!(output.status.success(), "{}", stderr(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("not tested: next()I: it is no static method"), "{text}");
        let report: Value =
            serde_json::from_slice(&fs::read(folder.path().join("atg.json")).unwrap()).unwrap();
        let mutants = report["mutants"].as_array().unwrap();
        let of = |method: &str, status: &str| {
            mutants.iter().filter(|m| m["method"] == method && m["status"] == status).count()
        };
        let all = |method: &str| mutants.iter().filter(|m| m["method"] == method).count();
        assert!(all("step") > 30, "{text}");
        let equivalent = of("step", "equivalent");
        assert_eq!(of("step", "noticed") + equivalent, all("step"), "{text}");
        assert!(equivalent > 0 && report["tests"]["solved"].as_u64().unwrap() > 0, "{text}");
        assert_eq!((of("next", "refused"), of("later", "refused")), (all("next"), all("later")), "{text}");
        let source = fs::read_to_string(folder.path().join("out/a/StepsDynaflowTest.java")).unwrap();
        assert!(source.contains("Notices the mutant:") && source.contains("100"), "{source}");
        let count = source.matches("@Test").count() as u64;
        assert_eq!(report["tests"]["written"].as_u64(), Some(count), "{source}");
        let again = atg(home, folder.path(), &jars, &["--out", "out"]);
        failed(&again, 1, &["--out", "StepsDynaflowTest.java is there already", "name another folder"]);
    }
}

#[test]
fn without_a_solver_the_random_pass_works_and_a_wrong_solver_is_refused_by_name() {
    let home = &java_homes()[0];
    let folder = project(home);
    let wrong = atg(home, folder.path(), &four(), &["--solver", "no-such-solver -x"]);
    failed(
        &wrong,
        2,
        &["--solver no-such-solver -x", "cannot run the solver no-such-solver", "z3 -in -smt2"],
    );
    let other = atg(home, folder.path(), &four(), &["--solver", "echo maybe"]);
    failed(&other, 2, &["--solver echo maybe", "neither sat nor unsat"]);
    let jars = std::env::join_paths(four()).unwrap();
    let run = |out: &str| {
        let mut command = dynaflow(folder.path());
        command.env("PATH", "/nowhere").args([
            "atg",
            "--class-path",
            "classes",
            "--target",
            "a.Steps",
            "--test-class-path",
        ]);
        let output = command
            .arg(&jars)
            .arg("--java-home")
            .arg(home)
            .args(["--out", out, "--seed", "3"])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("without a solver (cannot run the solver z3"), "{text}");
        assert!(text.contains("and 0 solved tests") && text.contains("0 equivalent"), "{text}");
        fs::read_to_string(folder.path().join(out).join("a/StepsDynaflowTest.java")).unwrap()
    };
    assert_eq!(run("one"), run("two"), "the same seed gives the same tests");
}
