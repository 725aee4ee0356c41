//! Ordinary builds: a Maven project whose test classes run in JVMs of their own records itself by `dynaflow run`, by the option that
//! `dynaflow agent-path` gives, through `argLine` and through the environment, and the traces of all its JVMs merge into one.
//!
//! Knows Maven's command line and Surefire's forks. Invariant: without Maven this says so, and fails where everything that the tests need was installed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod common;
mod jvm_support;

use common::{dynaflow, stderr};
use jvm_support::jar;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
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
        assert!(
            std::env::var_os("CI").is_none(),
            "no `mvn` on the PATH: scripts/setup installs it for the tests"
        );
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
        let (output, text) = self.maven(|mode| {
            let mut mvn = Command::new("mvn");
            mvn.args(["--batch-mode", "--no-transfer-progress"]).args(mode).arg("test").args(argument);
            mvn.env_remove("JAVA_TOOL_OPTIONS")
                .envs(environment.map(|options| ("JAVA_TOOL_OPTIONS", options)));
            mvn
        });
        assert!(output.status.success(), "Maven with {}:\n{text}", self.home.display());
        text
    }

    /// `dynaflow run` with these options, before `mvn test`.
    fn run(&self, options: &[&str]) -> (Output, String) {
        self.maven(|mode| {
            let mut run = Command::new(env!("CARGO_BIN_EXE_dynaflow"));
            run.env_remove("JAVA_TOOL_OPTIONS")
                .env("DYNAFLOW_AGENT", agent_support::agent())
                .args(["run", "--out", "traces"])
                .args(options);
            run.args([
                "--",
                "mvn",
                "--batch-mode",
                "--no-transfer-progress",
                "-Dmaven.test.failure.ignore=false",
            ]);
            run.args(mode).arg("test");
            run
        })
    }

    /// Runs a command that runs Maven, at first without the network; what it printed.
    fn maven(&self, command: impl Fn(&[&str]) -> Command) -> (Output, String) {
        let run = |mode: &[&str]| {
            let mut command = command(mode);
            command.current_dir(self.folder.path()).env("JAVA_HOME", &self.home);
            let output = command.output().unwrap();
            let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
            (output, String::from_utf8_lossy(&text).into_owned())
        };
        let (output, text) = run(&["--offline"]);
        // On a machine where Maven never ran, what it lacks is a plugin; `augment` goes on without.
        let lacks = ["offline mode", "not found in any plugin repository"];
        if !lacks.iter().any(|lack| text.contains(lack)) {
            return (output, text);
        }
        let written = self.folder.path().join("target/dynaflow");
        [self.traces(), written].iter().for_each(|folder| drop(fs::remove_dir_all(folder)));
        run(&[])
    }

    /// Replaces a text in a file.
    fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.folder.path().join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}: {text}");
        fs::write(path, text.replace(from, to)).unwrap();
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

#[test]
fn run_records_the_forks_of_maven_and_nothing_of_maven_itself() {
    if !has_maven("run_records_the_forks_of_maven_and_nothing_of_maven_itself") {
        return;
    }
    for home in java_homes() {
        let project = Project::new(&home);
        // Without include: what is recorded is what Surefire's class path has in folders.
        let (output, text) = project.run(&[]);
        assert!(output.status.success(), "{text}");
        assert!(text.contains("Tests run: 4, Failures: 0, Errors: 0, Skipped: 0"), "{text}");
        assert!(text.contains("recorded") && text.contains("tests       4"), "{text}");
        assert!(!text.contains("warning") && !text.contains("matched no class"), "{text}");
        let files = dynaflow_trace::trace_files(&[project.traces()]).unwrap();
        assert_eq!(files.len(), 3, "one for each test class, none of Maven: {files:?}");
        check(&project);
    }
}

#[test]
fn a_build_that_fails_fails_the_same_under_run() {
    if !has_maven("a_build_that_fails_fails_the_same_under_run") {
        return;
    }
    let project = Project::new(&java_homes()[0]);
    project.edit("src/main/java/shop/Basket.java", "public class Basket", "// changed\npublic class Basket");
    project.edit(
        "src/test/java/shop/AsksTest.java",
        "public void asks() {",
        "public void asks() { org.junit.Assert.fail(\"on purpose\");",
    );
    let (output, text) = project.run(&["--include", "shop.**"]);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("Tests run: 4, Failures: 1") && text.contains("on purpose"), "{text}");
    assert!(text.contains("tests       4"), "what ran is recorded: {text}");
}

#[test]
fn tests_in_mavens_own_jvm_are_recorded_where_include_names_their_classes() {
    if !has_maven("tests_in_mavens_own_jvm_are_recorded_where_include_names_their_classes") {
        return;
    }
    let project = Project::new(&java_homes()[0]);
    project.edit("pom.xml", "<forkCount>2", "<forkCount>0");
    let (output, text) = project.run(&[]);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("no trace was written") && text.contains("forkCount=0"), "{text}");
    let (output, text) = project.run(&["--include", "shop.**"]);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("tests       4"), "{text}");
    assert_eq!(dynaflow_trace::trace_files(&[project.traces()]).unwrap().len(), 1, "{text}");
}

#[test]
fn a_script_is_recorded_and_the_compilers_it_runs_are_not() {
    let project = Project::new(&java_homes()[0]);
    let jars = std::env::join_paths([jar("junit-4.13.2"), jar("hamcrest-core-1.3")]).unwrap();
    let script = format!(
        "#!/bin/sh
mkdir -p out
\"$JAVA_HOME/bin/javac\" -g -cp {jars} -d out $(find src -name '*.java') || exit 1
\"$JAVA_HOME/bin/java\" -version
\"$JAVA_HOME/bin/java\" -cp out:{jars} org.junit.runner.JUnitCore shop.AsksTest shop.PaysTest
",
        jars = jars.to_str().unwrap()
    );
    let path = project.folder.path().join("all-tests.sh");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let mut run = dynaflow(project.folder.path());
    run.env("DYNAFLOW_AGENT", agent_support::agent()).env("JAVA_HOME", &project.home);
    let output = run.args(["run", "--out", "traces", "--", "./all-tests.sh"]).output().unwrap();
    let text = stderr(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("tests       2") && !text.contains("warning"), "{text}");
    assert_eq!(dynaflow_trace::trace_files(&[project.traces()]).unwrap().len(), 1, "{text}");
}

const SETTINGS_TEST: &str = "package shop;
import static org.junit.Assert.*;
import org.junit.Test;
public class SettingsTest {
    @Test public void seesWhatSurefireSets() {
        assertEquals(\"a, b\", System.getProperty(\"shop.list\"));
        assertEquals(\"late\", System.getProperty(\"shop.late\"));
        assertEquals(\"bar\", System.getenv(\"SHOP_VARIABLE\"));
        assertTrue(new java.io.File(System.getProperty(\"basedir\"), \"pom.xml\").isFile());
        new Basket();
    }
}
";

/// `augment` in the project's folder, which asks Maven.
fn augment(project: &Project, options: &[&str]) -> (Output, String) {
    project.maven(|mode| {
        let mut augment = Command::new(env!("CARGO_BIN_EXE_dynaflow"));
        augment.env("DYNAFLOW_AGENT", agent_support::agent());
        augment.args(["augment", "--max-executions", "1000"]).args(options);
        augment.args(mode.iter().map(|mode| format!("--build-arg={mode}")));
        augment
    })
}

#[test]
fn augment_asks_a_real_maven_how_surefire_runs_the_tests() {
    if !has_maven("augment_asks_a_real_maven_how_surefire_runs_the_tests") {
        return;
    }
    let project = Project::new(&java_homes()[0]);
    project.edit(
        "pom.xml",
        "<forkCount>2</forkCount>",
        "<forkCount>2</forkCount><argLine>@{late} -Xmx300m</argLine>
         <systemPropertyVariables><shop.list>a, b</shop.list></systemPropertyVariables>
         <environmentVariables><SHOP_VARIABLE>bar</SHOP_VARIABLE></environmentVariables>",
    );
    project.edit("pom.xml", "<properties>", "<properties><late>-Dshop.late=late</late>");
    fs::write(project.folder.path().join("src/test/java/shop/SettingsTest.java"), SETTINGS_TEST).unwrap();
    let (output, text) = augment(&project, &[]);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("seed suite: 5 tests") && !text.contains("fail already"), "{text}");
    assert!(text.contains("environment variables SHOP_VARIABLE; but not -Xmx300m"), "{text}");
    assert!(!text.contains("how Surefire is configured is not known"), "{text}");
}

#[test]
fn a_maven_that_lacks_what_it_would_fetch_says_what_and_augment_how_to_pass_options() {
    if !has_maven("a_maven_that_lacks_what_it_would_fetch_says_what_and_augment_how_to_pass_options") {
        return;
    }
    let project = Project::new(&java_homes()[0]);
    let empty = format!("--build-arg=-Dmaven.repo.local={}/empty", project.folder.path().display());
    let mut command = dynaflow(project.folder.path());
    command.env("JAVA_HOME", &project.home).env("DYNAFLOW_AGENT", agent_support::agent());
    let output = command.args(["augment", "--build-arg=--offline", &empty]).output().unwrap();
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("mvn failed in") && text.contains("offline mode") && text.contains("--build-arg"),
        "{text}"
    );
}
