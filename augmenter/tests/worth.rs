//! What the tests that `dynaflow augment` writes are worth: each covers, as it is written, the pair that its comment names; what a test
//! that was dropped had covered is open; what the seeds cover is counted as that.
//!
//! Knows nothing of the search. Invariant: every program here is made for the test, and small.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;

use dynaflow_objectives::{PairText, PairsDocument, Status};
use jvm_support::{jar, jdk_in_turn, jdks};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Static state: what one test puts there, the next one in the same JVM finds.
const REGISTER: &str = "package demo;
public class Register {
    private static int last;
    public static void put(int value) { last = value; }
    public static int last() { return last; }
}
";

/// Reads `open` after `unlock` in the worker that runs candidates, and nowhere else.
const SHY: &str = "package demo;
public class Shy {
    private boolean open;
    private boolean touched;
    private int seen;
    public void unlock() { open = true; touched = true; }
    public void pass() { if (!touched || isInWorker()) { seen = open ? 1 : 2; } }
    private static boolean isInWorker() {
        for (StackTraceElement frame : Thread.currentThread().getStackTrace()) {
            if (frame.getClassName().equals(\"io.dynaflow.shim.Worker\")) { return true; }
        }
        return false;
    }
}
";

const DOOR: &str = "package demo;
public class Door {
    private boolean open;
    public void unlock() { open = true; }
    public boolean pass() { return open; }
}
";

/// A test class `demo.NAME` with a test of each body, `t0`, `t1`...
fn tests(name: &str, bodies: &[&str]) -> String {
    let tests: Vec<String> = (0..)
        .zip(bodies)
        .map(|(n, body)| format!("    @org.junit.Test public void t{n}() {{ {body} }}\n"))
        .collect();
    let order = "@org.junit.FixMethodOrder(org.junit.runners.MethodSorters.NAME_ASCENDING)";
    format!("package demo;\n{order}\npublic class {name} {{\n{}}}\n", tests.concat())
}

/// What one run left.
struct Ran {
    folder: TempDir,
    text: String,
    document: PairsDocument,
}

impl Ran {
    /// Augments all classes of `demo` with the classes of `tests` as seeds; it succeeds.
    fn new(home: &Path, classes: &[(&str, &str)], tests: &[(&str, &str)]) -> Self {
        Self::keeping("few", home, classes, tests)
    }

    /// The same with what is kept.
    fn keeping(keep: &str, home: &Path, classes: &[(&str, &str)], tests: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let junit = [jar("junit-4.13.2"), jar("hamcrest-core-1.3")];
        let paths = [PathBuf::from("tests")].into_iter().chain(junit);
        let test_class_path = std::env::join_paths(paths).unwrap();
        let javac = |out: &str, sources: &[(&str, &str)]| {
            let mut javac = jvm_support::javac(home);
            javac.current_dir(folder.path()).args(["-g", "-d", out, "-cp"]);
            javac.arg(format!("classes:{}", test_class_path.to_str().unwrap()));
            for (name, text) in sources {
                fs::write(folder.path().join(format!("{name}.java")), text).unwrap();
                javac.arg(format!("{name}.java"));
            }
            assert!(javac.status().unwrap().success());
        };
        javac("classes", classes);
        javac("tests", tests);
        let output = Command::new(env!("CARGO_BIN_EXE_dynaflow"))
            .current_dir(folder.path())
            .env("DYNAFLOW_AGENT", agent_support::agent())
            .env("JAVA_HOME", home)
            .args(["augment", "--class-path", "classes", "--target", "demo.*", "--seed-tests", "demo.*Test"])
            .args(["--out", "out", "--json", "pairs.json", "--stats", "stats.csv", "--max-executions", "300"])
            .args(["--keep", keep, "--test-class-path"])
            .arg(&test_class_path)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{text}");
        let document =
            dynaflow_objectives::read(&fs::read(folder.path().join("pairs.json")).unwrap()).unwrap();
        Self { folder, text, document }
    }

    /// The generated tests of a class; nothing when none was written.
    fn generated(&self, class: &str) -> String {
        let file = self.folder.path().join(format!("out/demo/{class}DynaflowTest.java"));
        fs::read_to_string(file).unwrap_or_default()
    }

    /// The pairs of a definition and a use in these methods.
    fn pairs(&self, definition: &str, usage: &str) -> Vec<&PairText> {
        let is_it = |pair: &&PairText| pair.definition.method == definition && pair.usage.method == usage;
        self.document.pairs.iter().filter(is_it).collect()
    }

    /// A cell of the statistics.
    fn figure(&self, class: &str, column: &str) -> usize {
        let stats = fs::read_to_string(self.folder.path().join("stats.csv")).unwrap();
        let at = stats.lines().next().unwrap().split(',').position(|name| name == column).unwrap();
        let row = stats.lines().find(|line| line.starts_with(&format!("{class},"))).unwrap();
        row.split(',').nth(at).unwrap().parse().unwrap()
    }
}

/// The test methods of a source: the first line of the comment, and the lines behind it.
fn methods(source: &str) -> Vec<(String, String)> {
    let parts = source.split("\n    }\n").filter_map(|part| Some(part.split_once("    // ")?.1));
    parts.map(|part| part.split_once('\n').unwrap()).map(|(a, b)| (a.to_owned(), b.to_owned())).collect()
}

#[test]
fn a_test_of_static_state_makes_the_definition_that_its_comment_names() {
    for jdk in jdk_in_turn(0) {
        // The seeds look before they put, so that none of them finds what another one left.
        let seeds = tests("RegisterTest", &["Register.last();", "Register.put(3);"]);
        let ran = Ran::new(&jdk.home, &[("Register", REGISTER)], &[("RegisterTest", &seeds)]);
        let generated = ran.generated("Register");
        let comment = "put() sets Register.last (line 4); last() must see it (line 5)";
        let (_, body) = methods(&generated).into_iter().find(|(line, _)| line.starts_with(comment)).unwrap();
        let (put, last) = (body.find("Register.put("), body.find("Register.last()"));
        assert!(put.is_some() && put < last, "{generated}");
        let pairs = ran.pairs("put(I)V", "last()I");
        assert!(!pairs.is_empty());
        for pair in pairs {
            assert_eq!((pair.status, pair.iteration), (Status::Covered, 1), "{pair:?}");
        }
    }
}

#[test]
fn a_test_that_covers_nothing_new_as_it_was_compiled_is_dropped_and_its_pair_is_open() {
    let seeds = tests(
        "ShyTest",
        &["new Shy().unlock();", "new Shy().pass();", "Shy both = new Shy(); both.unlock(); both.pass();"],
    );
    // Of few tests none shows a pair of a class without a method that says anything.
    let ran = Ran::keeping("pairs", &jdks()[0].home, &[("Shy", SHY)], &[("ShyTest", &seeds)]);
    assert!(ran.text.contains("pairs newly covered, 1 tests added"), "the search kept one: {}", ran.text);
    assert_eq!(ran.generated("Shy"), "", "{}", ran.text);
    assert_eq!((ran.figure("demo.Shy", "tests_added"), ran.figure("demo.Shy", "dropped")), (0, 1));
    let of_open = |pair: &&&PairText| pair.variable == "open";
    let pairs = ran.pairs("unlock()V", "pass()V");
    let status: Vec<Status> = pairs.iter().filter(of_open).map(|pair| pair.status).collect();
    assert_eq!(status, [Status::Objective]);
    let added = |iteration: &dynaflow_objectives::Iteration| (iteration.tests_added, iteration.covered_new);
    assert!(ran.document.iterations.iter().all(|iteration| added(iteration) == (0, 0)), "{}", ran.text);
}

#[test]
fn seeds_that_cover_nothing_are_counted_as_covering_nothing() {
    let seeds = tests("DoorTest", &["new Door().unlock();", "new Door().pass();"]);
    let ran = Ran::new(&jdks()[0].home, &[("Door", DOOR)], &[("DoorTest", &seeds)]);
    assert_eq!(ran.figure("demo.Door", "seed_pairs"), 0);
    assert!(ran.text.contains("demo.Door: 0 pairs covered by the seeds, 1 now;"), "{}", ran.text);
    assert!(ran.document.pairs.iter().all(|pair| pair.iteration == 1), "{:?}", ran.document.pairs);
}
