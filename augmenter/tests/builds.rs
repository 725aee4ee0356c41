//! Ordinary builds: a Maven project whose test classes run in JVMs of their own records itself by the option that
//! `dynaflow agent-path` gives, through `argLine` and through the environment, and the traces of all its JVMs merge into one.
//!
//! Knows Maven's command line and Surefire's forks. Invariant: without Maven this says so; it never passes in silence.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod common;

use common::{dynaflow, stderr};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The JDKs to test on: all when slow tests are on, else the first.
fn java_homes() -> Vec<PathBuf> {
    let mut homes = common::java_homes();
    let slow = std::env::var_os("DYNAFLOW_SLOW_TESTS").is_some_and(|value| value == "1");
    homes.truncate(if slow { homes.len() } else { 1 });
    homes
}

/// Whether there is a Maven; says on the terminal, past the test's captured output, when there is none.
fn has_maven(test: &str) -> bool {
    let found = Command::new("mvn").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        let words = format!("SKIPPED {test}: no `mvn` on the PATH (Debian, Ubuntu: apt-get install maven)\n");
        std::io::stderr().write_all(words.as_bytes()).unwrap();
    }
    found
}

/// Copies a folder with all that is below it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(&from, &to).unwrap();
        }
    }
}

/// A copy of the project, a JDK to build it with, and the agent's path as users get it.
struct Project {
    folder: tempfile::TempDir,
    home: PathBuf,
    agent: String,
}

impl Project {
    fn new(home: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/maven"), folder.path());
        let mut asked = dynaflow(folder.path());
        let output = asked.env("DYNAFLOW_AGENT", agent_support::agent()).arg("agent-path").output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let agent = String::from_utf8(output.stdout).unwrap().trim().to_owned();
        Self { folder, home: home.to_owned(), agent }
    }

    fn option(&self) -> String {
        format!("-agentpath:{}=out={}/traces,include=shop.**", self.agent, self.folder.path().display())
    }

    /// Runs `mvn test`: from what Maven has on this machine, else it may fetch its plugins, once.
    fn test(&self, argument: Option<&str>, environment: Option<&str>) -> String {
        let run = |mode: &[&str]| {
            let mut mvn = Command::new("mvn");
            mvn.args(["--batch-mode", "--no-transfer-progress"]).args(mode).arg("test").args(argument);
            mvn.current_dir(self.folder.path()).env("JAVA_HOME", &self.home).env_remove("JAVA_TOOL_OPTIONS");
            mvn.envs(environment.map(|options| ("JAVA_TOOL_OPTIONS", options))).output().unwrap()
        };
        let both = |output: &Output| {
            let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
            String::from_utf8_lossy(&text).into_owned()
        };
        let mut output = run(&["--offline"]);
        if !output.status.success() && both(&output).contains("offline mode") {
            let _ = fs::remove_dir_all(self.traces());
            output = run(&[]);
        }
        let text = both(&output);
        assert!(output.status.success(), "Maven with {}:\n{text}", self.home.display());
        text
    }

    fn traces(&self) -> PathBuf {
        self.folder.path().join("traces")
    }

    /// The records of each trace file that has any.
    fn tests_by_file(&self) -> BTreeSet<BTreeSet<String>> {
        let files = dynaflow_trace::trace_files(&[self.traces()]).unwrap();
        let tests = files.iter().map(|file| {
            let (recording, state) = dynaflow_trace::read(file).unwrap();
            assert!(matches!(state, dynaflow_trace::ReadState::Complete), "{}: {state:?}", file.display());
            recording.tests.into_iter().map(|test| test.name).filter(|name| !name.is_empty()).collect()
        });
        tests.filter(|tests: &BTreeSet<_>| !tests.is_empty()).collect()
    }

    /// Merges all traces into one file and exports that.
    fn merged(&self) -> serde_json::Value {
        let run = |arguments: &[&str]| {
            let output = dynaflow(self.folder.path()).args(arguments).output().unwrap();
            assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
            output.stdout
        };
        run(&["merge", "traces", "-o", "all.trace"]);
        serde_json::from_slice(&run(&["export", "--version", "1", "all.trace"])).unwrap()
    }
}

/// Definition's and use's method of the pairs of the basket's coins with this status.
fn coins(document: &serde_json::Value, status: &str) -> BTreeSet<(String, String)> {
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let pairs = document["pairs"].as_array().unwrap().iter();
    let chosen = pairs.filter(|pair| {
        (&pair["root"], &pair["variable"], &pair["status"])
            == (&"shop.Basket".into(), &"purse.coins".into(), &status.into())
    });
    let ends = |pair: &serde_json::Value| (text(&pair["definition"]["method"]), text(&pair["use"]["method"]));
    chosen.map(ends).collect()
}

/// What the project's JVMs recorded, each in a file of its own.
fn check(project: &Project) {
    let tests = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
    let expected = [
        tests(&["shop.AsksTest#asks"]),
        tests(&["shop.PaysTest#pays"]),
        tests(&["shop.TwiceTest#asksTwice", "shop.TwiceTest#paysTwice"]),
    ];
    assert_eq!(project.tests_by_file(), expected.into(), "one file for each fork");
    let document = project.merged();
    let (put, content) = ("put(I)V".to_owned(), "content()I".to_owned());
    let covered = coins(&document, "covered");
    assert!(covered.contains(&(put.clone(), put.clone())), "{covered:?}");
    // The definition was executed in one JVM and the use in another: only together do they make the objective.
    let objectives = coins(&document, "objective");
    assert!(objectives.contains(&(put.clone(), content.clone())), "{objectives:?}");
    assert!(!covered.contains(&(put, content)), "{covered:?}");
}

#[test]
fn surefire_forks_record_themselves_by_the_arg_line_and_merge() {
    if !has_maven("surefire_forks_record_themselves_by_the_arg_line_and_merge") {
        return;
    }
    for home in java_homes() {
        let project = Project::new(&home);
        let text = project.test(Some(&format!("-DargLine={}", project.option())), None);
        assert!(text.contains("Tests run: 4, Failures: 0, Errors: 0, Skipped: 0"), "{text}");
        assert!(!text.contains("dynaflow:"), "the agent had something to say:\n{text}");
        let files = dynaflow_trace::trace_files(&[project.traces()]).unwrap();
        assert_eq!(files.len(), 3, "one for each test class, none of Maven: {files:?}");
        check(&project);
    }
}

#[test]
fn surefire_forks_record_themselves_by_the_environment_and_merge() {
    if !has_maven("surefire_forks_record_themselves_by_the_environment_and_merge") {
        return;
    }
    for home in java_homes() {
        let project = Project::new(&home);
        let text = project.test(None, Some(&project.option()));
        assert!(text.contains("Tests run: 4, Failures: 0, Errors: 0, Skipped: 0"), "{text}");
        check(&project);
    }
}
