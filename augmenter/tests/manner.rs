//! Generated tests speak as the seed tests do: with the assertions of AssertJ or Hamcrest where most of the seeds use these.
//!
//! Knows nothing of how assertions are chosen. Invariant: what is written compiles without warnings and is green in plain JUnit.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;

use jvm_support::{jar, jdks};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

const LATCH: &str = "package demo;
public class Latch {
    private boolean shut;
    private int turns;
    public void turn() { shut = !shut; turns = turns + 1; }
    public boolean isShut() { return shut; }
    public int turns() { return turns; }
    public void force() {
        if (shut) {
            throw new IllegalStateException(\"shut\");
        }
        turns = turns + 10;
    }
}
";

/// What the seeds import and how they compare a number; how generated tests compare, and say that something throws.
const MANNERS: &[(&str, &str, &[&str])] = &[
    (
        "import static org.assertj.core.api.Assertions.assertThat;",
        "assertThat(latch.turns()).isEqualTo(#);",
        &[
            "assertThat(latch.",
            ".isEqualTo(",
            "assertThatThrownBy(() -> latch.force()).isInstanceOf(IllegalStateException.class).hasMessage(\"shut\");",
        ],
    ),
    (
        "import static org.hamcrest.MatcherAssert.assertThat; import static org.hamcrest.CoreMatchers.is;",
        "assertThat(latch.turns(), is(#));",
        &[
            "assertThat(latch.",
            ", is(",
            "assertThat(assertThrows(IllegalStateException.class, () -> latch.force()).getMessage(), is(\"shut\"));",
        ],
    ),
    (
        "import static org.junit.Assert.assertEquals;",
        "assertEquals(#, latch.turns());",
        &[
            "assertEquals(",
            "assertEquals(\"shut\", assertThrows(IllegalStateException.class, () -> latch.force()).getMessage());",
        ],
    ),
];

fn seeds(import: &str, compares: &str) -> String {
    let calls = [("", 0), ("latch.turn();", 1), ("latch.force();", 10)];
    let test = |(n, (calls, turns)): (usize, &(&str, i32))| {
        let compares = compares.replace('#', &turns.to_string());
        format!(
            "    @org.junit.Test public void t{n}() {{ Latch latch = new Latch(); latch.isShut(); {calls} {compares} }}\n"
        )
    };
    let tests: String = calls.iter().enumerate().map(test).collect();
    format!("package demo;\n{import}\npublic class LatchTest {{\n{tests}}}\n")
}

fn class_path() -> OsString {
    let jars = ["junit-4.13.2", "hamcrest-core-1.3", "assertj-core-3.26.3", "byte-buddy-1.17.7"];
    std::env::join_paths(["classes".into(), "tests".into()].into_iter().chain(jars.map(jar))).unwrap()
}

fn javac(home: &Path, folder: &Path, out: &str, file: &str, options: &[&str]) {
    let mut javac = jvm_support::javac(home);
    javac.current_dir(folder).args(["-g", "-d", out]).args(options).arg("-cp").arg(class_path());
    assert!(javac.arg(file).status().unwrap().success(), "{file}");
}

#[test]
fn tests_compare_as_most_of_the_seeds_do() {
    let home = &jdks()[0].home;
    for (import, compares, expected) in MANNERS {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("Latch.java"), LATCH).unwrap();
        fs::write(folder.join("LatchTest.java"), seeds(import, compares)).unwrap();
        javac(home, folder, "classes", "Latch.java", &[]);
        javac(home, folder, "tests", "LatchTest.java", &[]);
        let output = Command::new(env!("CARGO_BIN_EXE_dynaflow"))
            .current_dir(folder)
            .env("DYNAFLOW_AGENT", agent_support::agent())
            .env("JAVA_HOME", home)
            .args([
                "augment",
                "--class-path",
                "classes",
                "--target",
                "demo.Latch",
                "--seed-tests",
                "demo.LatchTest",
            ])
            .args(["--max-executions", "400", "--out", "out", "--keep", "all", "--test-class-path"])
            .arg(class_path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        let file = "out/demo/LatchDynaflowTest.java";
        let text = fs::read_to_string(folder.join(file)).unwrap();
        for part in *expected {
            assert!(text.contains(part), "{part} is missing:\n{text}");
        }
        let strict = ["-Xlint:all", "-Xlint:-processing,-classfile,-path,-serial,-static", "-Werror"];
        javac(home, folder, "tests", file, &strict);
        let mut java = Command::new(home.join("bin/java"));
        java.current_dir(folder).arg("-cp").arg(class_path());
        let ran = java.args(["org.junit.runner.JUnitCore", "demo.LatchDynaflowTest"]).output().unwrap();
        assert!(ran.status.success(), "{}\n{text}", String::from_utf8_lossy(&ran.stdout));
    }
}
