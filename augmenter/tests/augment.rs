//! `dynaflow augment` where things go wrong: inputs that are not there, suites that fail, exit or hang, folders that take no
//! file, Ctrl-C. Each is said clearly, and what was found before is kept.
//!
//! Knows nothing of the search. Invariant: every suite here is small, and ends or is ended within seconds.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;

use dynaflow_objectives::{PairsDocument, Status, StoppedBy};
use jvm_support::{jar, jdks};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Reads `open` in its constructor, before anybody can have defined it: an objective nobody will ever cover, so that the
/// search goes on; its naps make that last.
const DOOR: &str = "package demo;
public class Door {
    private boolean open;
    private final boolean wasOpen;
    public Door() { wasOpen = open; }
    public void unlock() { nap(); open = true; }
    public boolean pass() { nap(); return open; }
    private static void nap() {
        try { Thread.sleep(20); } catch (InterruptedException e) { throw new IllegalStateException(e); }
    }
}
";

const DOOR_TEST: &str = "package demo;
public class DoorTest {
    @org.junit.Test public void unlocks() { new Door().unlock(); }
    @org.junit.Test public void stops() { org.junit.Assert.assertFalse(new Door().pass()); }
}
";

/// A seed test class with one test that runs after those of `DoorTest`.
fn trouble(name: &str, body: &str) -> (String, String) {
    let text = format!(
        "package demo;\npublic class {name} {{ @org.junit.Test public void test() throws Exception {{ {body} }} }}\n"
    );
    (format!("{name}.java"), text)
}

struct Project {
    home: PathBuf,
    folder: TempDir,
    test_class_path: String,
}

impl Project {
    fn new(more: &[(String, String)]) -> Self {
        let home = jdks()[0].home.clone();
        let folder = tempfile::tempdir().unwrap();
        let junit = [jar("junit-4.13.2"), jar("hamcrest-core-1.3")];
        let test_class_path =
            std::env::join_paths(["tests".into()].iter().chain(&junit)).unwrap().into_string().unwrap();
        let project = Self { home, folder, test_class_path };
        project.javac("classes", &[("Door.java".into(), DOOR.into())]);
        let tests: Vec<_> =
            [("DoorTest.java".to_owned(), DOOR_TEST.to_owned())].iter().chain(more).cloned().collect();
        project.javac("tests", &tests);
        project
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn javac(&self, out: &str, sources: &[(String, String)]) {
        let mut javac = jvm_support::javac(&self.home);
        javac
            .current_dir(self.path())
            .args(["-g", "-d", out, "-cp"])
            .arg(format!("classes:{}", self.test_class_path));
        for (name, text) in sources {
            fs::write(self.path().join(name), text).unwrap();
            javac.arg(name);
        }
        assert!(javac.status().unwrap().success());
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dynaflow"));
        command
            .current_dir(self.path())
            .env("DYNAFLOW_AGENT", agent_support::agent())
            .env("JAVA_HOME", &self.home);
        command.arg("augment");
        command
    }

    /// Augments `demo.Door` with these options instead of the usual ones of the same name.
    fn augment(&self, options: &[(&str, &str)]) -> Output {
        let mut command = self.command();
        for (name, value) in self.options(options) {
            command.args([name, value]);
        }
        command.output().unwrap()
    }

    fn options<'a>(&'a self, options: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        let usual = [
            ("--class-path", "classes"),
            ("--test-class-path", self.test_class_path.as_str()),
            ("--target", "demo.Door"),
            ("--seed-tests", "demo.*Test"),
            ("--out", "out"),
            ("--json", "pairs.json"),
            ("--max-executions", "60"),
        ];
        let given = |name: &str| options.iter().any(|(n, _)| *n == name);
        usual.into_iter().filter(|(name, _)| !given(name)).chain(options.iter().copied()).collect()
    }

    fn pairs(&self) -> PairsDocument {
        dynaflow_objectives::read(&fs::read(self.path().join("pairs.json")).unwrap()).unwrap()
    }

    fn generated(&self) -> String {
        fs::read_to_string(self.path().join("out/demo/DoorDynaflowTest.java")).unwrap()
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// It fails before any JVM runs, and says this.
fn refused(options: &[(&str, &str)], words: &[&str]) {
    let output = Project::new(&[]).augment(options);
    let text = stderr(&output);
    assert!(!output.status.success() && output.status.code().is_some(), "{text}");
    words.iter().for_each(|word| assert!(text.contains(word), "`{word}` is missing: {text}"));
}

#[test]
fn inputs_that_are_not_there_are_named_with_their_option() {
    refused(&[("--class-path", "nowhere.jar")], &["--class-path", "nowhere.jar"]);
    refused(&[("--test-class-path", "gone")], &["--test-class-path", "gone"]);
    refused(&[("--target", "demo.Window")], &["--target demo.Window", "such as demo.Door"]);
    refused(&[("--seed-tests", "demo.No*")], &["--seed-tests demo.No*", "0 classes"]);
    refused(&[("--seed-tests", "demo.Door")], &["--seed-tests demo.Door", "none of them has tests"]);
    refused(&[("--java-home", "no-jdk")], &["no-jdk"]);
    refused(
        &[("--test-class-path", "tests"), ("--junit", "5")],
        &["JUnit 5 is not on --test-class-path", "junit-jupiter-api"],
    );
    refused(&[("--criteria", "du-pairs")], &["--criteria", "du-pairs", "objectives, def-use, branch"]);
    refused(
        &[("--criteria", "branch"), ("--algorithm", "random")],
        &["criteria beside objectives", "random measures nothing"],
    );
}

#[test]
fn without_any_jdk_the_remedy_is_named() {
    let project = Project::new(&[]);
    let mut command = project.command();
    command.env_remove("JAVA_HOME").env("PATH", project.path());
    for (name, value) in project.options(&[]) {
        command.args([name, value]);
    }
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--java-home"), "{}", stderr(&output));
}

#[test]
fn a_folder_that_takes_no_file_is_refused_before_the_search() {
    let project = Project::new(&[]);
    fs::write(project.path().join("file"), "").unwrap();
    let output = project.augment(&[("--out", "file/below")]);
    let text = stderr(&output);
    assert!(!output.status.success() && text.contains("--out: cannot write to file/below"), "{text}");
    assert!(!text.contains("recording the seed suite"), "{text}");
}

#[test]
fn a_file_of_somebody_else_is_not_overwritten() {
    let project = Project::new(&[]);
    let file = project.path().join("out/demo/DoorDynaflowTest.java");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "class DoorDynaflowTest {}").unwrap();
    let output = project.augment(&[]);
    assert!(
        !output.status.success() && stderr(&output).contains("was not written by dynaflow"),
        "{}",
        stderr(&output)
    );
    assert!(!stderr(&output).contains("recording the seed suite"), "known before anything runs");
    assert_eq!(fs::read_to_string(&file).unwrap(), "class DoorDynaflowTest {}");
}

/// The objective between the two tests of `DoorTest` is covered all the same.
fn grows_all_the_same(seed: (String, String), options: &[(&str, &str)], words: &[&str]) {
    let project = Project::new(&[seed]);
    let output = project.augment(options);
    let text = stderr(&output);
    assert!(output.status.success(), "{text}");
    words.iter().for_each(|word| assert!(text.contains(word), "`{word}` is missing: {text}"));
    assert!(project.generated().contains("unlock_thenPass_returnsTrue"), "{}", project.generated());
    let covered: Vec<u32> = project
        .pairs()
        .pairs
        .iter()
        .filter(|p| p.status == Status::Covered && p.definition.method == "unlock()V")
        .map(|p| p.iteration)
        .collect();
    assert_eq!(covered, [1]);
}

#[test]
fn a_seed_test_that_fails_already_is_reported_and_the_others_grow() {
    let failing = trouble("FailingTest", "throw new IllegalStateException(\"broken before\");");
    grows_all_the_same(
        failing,
        &[],
        &[
            "1 seed tests fail already",
            "demo.FailingTest#test; the first with java.lang.IllegalStateException: broken before",
        ],
    );
}

#[test]
fn a_seed_suite_that_calls_system_exit_is_used_up_to_there() {
    let exiting = trouble("ExitTest", "System.exit(3);");
    grows_all_the_same(
        exiting,
        &[],
        &["the seed suite's JVM ended before its last test (exit status: 3), in demo.ExitTest#test; what"],
    );
}

#[test]
fn a_seed_test_that_never_ends_is_cut_off_and_the_others_run() {
    // Before the test class of the project.
    let hanging = trouble("AbysmalTest", "Thread.sleep(3600000);");
    grows_all_the_same(
        hanging,
        &[("--seed-timeout", "20s")],
        &[
            "demo.AbysmalTest#test was ended after 5 s, a quarter of --seed-timeout",
            "the seed suite goes on with 1 classes",
        ],
    );
}

#[test]
fn ctrl_c_ends_the_search_and_what_was_found_is_written() {
    let project = Project::new(&[]);
    let mut command = project.command();
    for (name, value) in project.options(&[("--max-executions", "1000000")]) {
        command.args([name, value]);
    }
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    // The splice for the one objective that can be covered comes in the first iteration; the naps make the second one last seconds.
    assert!(lines.any(|line| line.contains("iteration 1: 2 new objectives")));
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGINT).unwrap();
    let rest: Vec<String> = lines.collect();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest:#?}");
    assert!(project.generated().contains("unlock_thenPass_returnsTrue"));
    assert_eq!(project.pairs().stopped_by, Some(StoppedBy::Interrupted));
}
