//! `dynaflow mutants` over a small project: what becomes of mutants of every kind, in every format, twice, and when it is interrupted.
//! Knows nothing of how mutants are made.
//!
//! Invariant: the project says below each line which mutants there are and what becomes of them; nothing else may be there.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod common;
mod jvm_support;

use common::{dynaflow, failed, java_homes, stderr, valid};
use jvm_support::jar;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Statements of the long method: with two mutants each it is longer than what the JVM compiles.
const STATEMENTS: usize = 260;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum JUnit {
    Four,
    Five,
}

impl JUnit {
    fn jars(self) -> Vec<PathBuf> {
        match self {
            Self::Four => ["junit-4.13.2", "hamcrest-core-1.3"].map(jar).to_vec(),
            Self::Five => vec![jar("junit-platform-console-standalone-1.11.4")],
        }
    }

    /// A source for JUnit 4 as this JUnit has it.
    fn source(self, text: &str) -> String {
        match self {
            Self::Four => text.to_owned(),
            Self::Five => text
                .replace("org.junit.Assert.", "org.junit.jupiter.api.Assertions.")
                .replace("org.junit.Test", "org.junit.jupiter.api.Test"),
        }
    }
}

/// A compiled project: folders `classes` and `tests`.
struct Project {
    home: PathBuf,
    folder: TempDir,
    jars: Vec<PathBuf>,
}

fn sources(kind: &str) -> Vec<(String, String)> {
    jvm_support::sources(&format!("mutants/{kind}"))
        .iter()
        .map(|path| {
            (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(path).unwrap())
        })
        .collect()
}

impl Project {
    fn new(home: &Path, junit: JUnit, program: &[(String, String)], tests: &[(String, String)]) -> Self {
        Self::with_jars(home, junit, &[], program, tests)
    }

    /// With libraries beside JUnit.
    fn with_jars(
        home: &Path,
        junit: JUnit,
        libraries: &[&str],
        program: &[(String, String)],
        tests: &[(String, String)],
    ) -> Self {
        let mut jars = junit.jars();
        jars.extend(libraries.iter().map(|name| jar(name)));
        let project = Self { home: home.to_owned(), folder: tempfile::tempdir().unwrap(), jars };
        let tests: Vec<(String, String)> =
            tests.iter().map(|(name, text)| (name.clone(), junit.source(text))).collect();
        project.compile("classes", program);
        project.compile("tests", &tests);
        project
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn compile(&self, out: &str, sources: &[(String, String)]) {
        let folder = self.path().join(format!("{out}-sources"));
        fs::create_dir_all(&folder).unwrap();
        let mut class_path = self.jars.clone();
        class_path.push(self.path().join("classes"));
        let mut javac = jvm_support::javac(&self.home);
        javac.args(["-nowarn", "-g", "-cp"]).arg(std::env::join_paths(class_path).unwrap());
        javac.arg("-d").arg(self.path().join(out));
        for (name, text) in sources {
            fs::write(folder.join(name), text).unwrap();
            javac.arg(folder.join(name));
        }
        let output = javac.output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    }

    /// The arguments of every run, and these.
    fn args(&self, more: &[&str]) -> Vec<String> {
        let jars = std::env::join_paths(&self.jars).unwrap().into_string().unwrap();
        let home = self.home.to_str().unwrap();
        let test_class_path = format!("tests:{jars}");
        let all = [
            "mutants",
            "--class-path",
            "classes",
            "--test-class-path",
            &test_class_path,
            "--java-home",
            home,
        ];
        all.iter().chain(["--heap", "96"].iter()).chain(more).map(|&arg| arg.to_owned()).collect()
    }

    fn run(&self, more: &[&str]) -> Output {
        dynaflow(self.path()).args(self.args(more)).output().unwrap()
    }

    /// The document of a run that succeeds.
    fn document(&self, more: &[&str]) -> Value {
        let output = self.run(&[more, &["--format", "json"]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        valid(&output.stdout, "mutants.schema.json")
    }
}

fn small(home: &Path, junit: JUnit) -> Project {
    Project::new(home, junit, &sources("program"), &sources("tests"))
}

/// A class with a method that takes two groups, and a test that takes so many milliseconds.
fn long(home: &Path, millis: u32) -> Project {
    let statements = "        s = s * 3 + n;\n".repeat(STATEMENTS);
    let program = format!(
        "package store;\npublic class Long {{\n    public static int of(int n) {{\n        int s = 1;\n{statements}        return s;\n    }}\n}}\n"
    );
    let mut value = 1_i32;
    (0..STATEMENTS).for_each(|_| value = value.wrapping_mul(3).wrapping_add(7));
    let test = format!(
        "package store;\nimport static org.junit.Assert.assertEquals;\nimport org.junit.Test;\npublic class LongTest {{\n    @Test\n    public void of() throws Exception {{\n        Thread.sleep({millis});\n        assertEquals({value}, Long.of(7));\n    }}\n}}\n"
    );
    Project::new(
        home,
        JUnit::Four,
        &[("Long.java".to_owned(), program)],
        &[("LongTest.java".to_owned(), test)],
    )
}

fn list<'a>(document: &'a Value, name: &str) -> &'a Vec<Value> {
    document[name].as_array().unwrap()
}

/// The mutants as `Class:line OPERATOR -> STATUS`, sorted.
fn statuses(document: &Value) -> Vec<String> {
    let mut found: Vec<String> = list(document, "mutants")
        .iter()
        .map(|mutant| {
            let class = &list(document, "classes")[mutant["class"].as_u64().unwrap() as usize]["class"];
            let class = class.as_str().unwrap().rsplit('.').next().unwrap();
            let text = |key: &str| mutant[key].as_str().unwrap();
            format!("{class}:{} {} -> {}", mutant["line"], text("operator"), text("status"))
        })
        .collect();
    found.sort();
    found
}

/// What the sources say, in the same form.
fn expected() -> Vec<String> {
    let mut all = vec![];
    for (name, text) in sources("program") {
        let class = name.strip_suffix(".java").unwrap();
        let mut line = 0;
        for (number, text) in text.lines().enumerate() {
            match text.trim().strip_prefix("//: ") {
                Some(mutant) => all.push(format!("{class}:{line} {mutant}")),
                None => line = number + 1,
            }
        }
    }
    all.sort();
    all
}

/// By mutant id, the names of the tests that kill it.
fn killers(document: &Value) -> Vec<(String, Vec<String>)> {
    let tests = list(document, "tests");
    let named = |list: &Value| {
        let positions = list.as_array().unwrap().iter().map(|test| test.as_u64().unwrap() as usize);
        positions.map(|test| tests[test].as_str().unwrap().to_owned()).collect()
    };
    let mutants = list(document, "mutants").iter();
    mutants.map(|mutant| (mutant["id"].as_str().unwrap().to_owned(), named(&mutant["killing"]))).collect()
}

#[test]
fn every_mutant_comes_to_what_the_project_says_with_both_junits_on_every_jdk() {
    for home in java_homes() {
        for junit in [JUnit::Four, JUnit::Five] {
            let project = small(&home, junit);
            let document = project.document(&[]);
            assert_eq!(statuses(&document), expected(), "{junit:?} on {}", home.display());
            let left_out = list(&document, "tests_left_out");
            assert_eq!(left_out.len(), 1, "{left_out:?}");
            assert_eq!(left_out[0]["test"], "store.StatusesTest#fails");
            assert!(left_out[0]["reason"].as_str().unwrap().contains("1"), "{left_out:?}");
        }
    }
}

#[test]
fn the_number_of_workers_and_a_matrix_change_no_status() {
    let home = &java_homes()[0];
    let project = small(home, JUnit::Five);
    let one = project.document(&["--workers", "1"]);
    assert_eq!(statuses(&one), expected());
    // Which of several tests is asked first depends on their times, in steps of ten: a matrix has all that notice.
    let matrix = project.document(&["--workers", "1", "--matrix"]);
    let three = project.document(&["--workers", "3", "--matrix"]);
    assert_eq!(killers(&matrix), killers(&three));
    assert_eq!(statuses(&matrix), expected());
    let begin = |document: &Value| {
        let all = killers(document);
        let mutant = all.into_iter().find(|(id, _)| id.contains(".begin()I:") && id.contains("MATH"));
        mutant.unwrap().1
    };
    assert_eq!(begin(&one).len(), 1, "without a matrix the first that notices is enough");
    assert_eq!(begin(&matrix), ["store.RegisterTest#begins", "store.RegisterTest#labels"]);
}

#[test]
fn mutants_of_a_method_that_gets_too_long_are_run_in_several_groups() {
    for home in java_homes() {
        let project = long(&home, 0);
        let document = project.document(&[]);
        let statuses = statuses(&document);
        assert_eq!(statuses.len(), 2 * STATEMENTS + 1);
        let others: Vec<&String> = statuses.iter().filter(|line| !line.ends_with("-> KILLED")).collect();
        assert!(others.is_empty(), "{others:?}");
    }
}

#[test]
fn all_formats_say_the_same() {
    let home = &java_homes()[0];
    let project = small(home, JUnit::Four);
    let history = ["--incremental", "history"];
    let document = project.document(&history);
    let output = |format: &str| {
        let output = project.run(&[&history[..], &["--format", format]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let xml = output("pit");
    let mutations: Vec<&str> = xml.lines().filter(|line| line.starts_with("<mutation ")).collect();
    let field = |line: &str, name: &str| {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        line.split_once(&open).map(|(_, rest)| rest.split_once(&close).unwrap().0.to_owned())
    };
    assert_eq!(mutations.len(), list(&document, "mutants").len());
    for (line, mutant) in mutations.iter().zip(list(&document, "mutants")) {
        let status = mutant["status"].as_str().unwrap();
        assert!(line.contains(&format!("status='{status}'")), "{line}");
        assert_eq!(field(line, "mutatedMethod").unwrap(), mutant["method"].as_str().unwrap());
        assert_eq!(field(line, "lineNumber").unwrap(), mutant["line"].to_string());
        assert!(
            field(line, "mutator").unwrap().starts_with("org.pitest.mutationtest.engine.gregor."),
            "{line}"
        );
        assert!(field(line, "sourceFile").unwrap().ends_with(".java") && line.contains("<blocks><block>"));
        assert_eq!(
            field(line, "killingTest").is_some(),
            status != "SURVIVED" && status != "NO_COVERAGE",
            "{line}"
        );
    }
    let twice = mutations.iter().find(|line| line.contains("<mutatedMethod>twice<")).unwrap();
    assert_eq!(field(twice, "killingTest").unwrap(), "store.StatusesTest.twice(store.StatusesTest)");
    let csv = output("csv");
    assert_eq!(csv.lines().count(), mutations.len() + 1);
    assert!(csv.contains("store.StatusesTest#twice") && csv.contains(",TIMED_OUT,"), "{csv}");
    let text = output("text");
    let totals = &document["totals"];
    let score =
        format!("score {}%: tests notice {} of {}", totals["score"], totals["detected"], totals["mutants"]);
    assert!(text.contains(&score), "{score} is not in {text}");
    assert!(
        text.contains("unchecked: Replaced integer addition with subtraction (MATH, 1 test ran)"),
        "{text}"
    );
}

#[test]
fn a_second_run_runs_nothing_again_that_did_not_change_and_says_the_same() {
    let home = &java_homes()[0];
    let project = small(home, JUnit::Four);
    let history = ["--incremental", "history"];
    let first = project.document(&history);
    let known = |document: &Value| {
        list(document, "mutants").iter().filter(|mutant| mutant["earlier"] == true).count()
    };
    let reached = first["totals"]["covered"].as_u64().unwrap() as usize;
    assert_eq!(known(&first), 0);
    let second = project.document(&history);
    assert_eq!((statuses(&second), killers(&second)), (statuses(&first), killers(&first)));
    assert_eq!(known(&second), reached);
    // A test class that changed: what its tests decided is run again.
    let mut tests = sources("tests");
    let register = tests.iter_mut().find(|(name, _)| name == "RegisterTest.java").unwrap();
    register.1 = register.1.replace("Register.label(3);", "assertEquals(10, Register.label(3));");
    project.compile("tests", &tests);
    let third = project.document(&history);
    let in_register =
        list(&third, "mutants").iter().filter(|mutant| mutant["id"].as_str().unwrap().contains("Register"));
    assert_eq!(known(&third), reached - in_register.count());
    let killed = |line: &String| line.contains("Register:26 ") && line.ends_with("-> KILLED");
    assert_eq!(statuses(&third).iter().filter(|line| killed(line)).count(), 2, "{:?}", statuses(&third));
    // A class that changed: its mutants are run again.
    let mut program = sources("program");
    let statuses_class = program.iter_mut().find(|(name, _)| name == "Statuses.java").unwrap();
    statuses_class.1 = statuses_class.1.replace("n + 5", "n + 6");
    project.compile("classes", &program);
    let fourth = project.document(&history);
    let of = |class: &str, document: &Value| {
        let all = list(document, "mutants").iter();
        all.filter(|m| m["id"].as_str().unwrap().contains(class) && m["earlier"] == true).count()
    };
    assert_eq!((of("Statuses", &fourth), of("Register", &fourth) > 0), (0, true));
    fs::write(project.path().join("history"), "{}").unwrap();
    failed(&project.run(&history), 2, &["--incremental history: this is no history"]);
}

#[test]
fn tests_that_mock_final_classes_judge_mutants_in_confined_jvms_on_every_jdk() {
    const LIBRARIES: [&str; 4] =
        ["mockito-core-5.20.0", "byte-buddy-1.17.7", "byte-buddy-agent-1.17.7", "objenesis-3.3"];
    const LAMP: &str =
        "package store;\npublic final class Lamp {\n    public int watts() {\n        return 60;\n    }\n}\n";
    const ROOM: &str = "package store;\npublic class Room {\n    public static int twice(Lamp lamp) {\n        return lamp.watts() * 2;\n    }\n}\n";
    const TEST: &str = "package store;\nimport static org.junit.Assert.assertEquals;\nimport static org.mockito.Mockito.mock;\nimport static org.mockito.Mockito.when;\nimport org.junit.Test;\npublic class RoomTest {\n    @Test\n    public void twice() {\n        Lamp lamp = mock(Lamp.class);\n        when(lamp.watts()).thenReturn(7);\n        assertEquals(14, Room.twice(lamp));\n    }\n}\n";
    let named = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let program = [named("Lamp.java", LAMP), named("Room.java", ROOM)];
    for home in java_homes() {
        let tests = [named("RoomTest.java", TEST)];
        let project = Project::with_jars(&home, JUnit::Four, &LIBRARIES, &program, &tests);
        let document = project.document(&["--target", "store.Room", "--operators", "MATH"]);
        assert_eq!(list(&document, "tests_left_out"), &Vec::<Value>::new(), "{}", home.display());
        assert_eq!(statuses(&document), ["Room:4 MATH -> KILLED"], "{}", home.display());
    }
}

#[test]
fn a_score_below_the_limit_fails_and_wrong_inputs_are_named() {
    let home = &java_homes()[0];
    let project = long(home, 0);
    assert_eq!(project.run(&["--fail-below", "100"]).status.code(), Some(0));
    let project = small(home, JUnit::Four);
    let few = ["--target", "store.Register", "--tests", "store.RegisterTest"];
    failed(
        &project.run(&[&few[..], &["--fail-below", "99"]].concat()),
        5,
        &["--fail-below 99: the score is"],
    );
    failed(
        &project.run(&["--tests", "store.Statuses"]),
        2,
        &["--tests store.Statuses", "none of them has JUnit tests"],
    );
    failed(
        &project.run(&["--target", "store.Nope"]),
        2,
        &["--target store.Nope matches no class", "store.Register"],
    );
    failed(&project.run(&["--operators", "nope"]), 2, &["no operator has this name", "NEGATE_CONDITIONALS"]);
    let only_failing = ["--target", "store.Register", "--operators", "ASRS"];
    failed(&project.run(&only_failing), 1, &["there is no mutant in 1 classes"]);
}

#[test]
fn an_interrupt_ends_it_and_what_was_found_is_written() {
    let home = &java_homes()[0];
    let project = long(home, 150);
    let binary = assert_cmd::cargo::cargo_bin("dynaflow");
    let mut command = Command::new(binary);
    command.current_dir(project.path()).args(project.args(&["--format", "json", "-o", "out.json"]));
    let mut child = command.stderr(Stdio::piped()).stdin(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("running 521 mutants against 1 tests")));
    std::thread::sleep(Duration::from_secs(4));
    let start = Instant::now();
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    let status = child.wait().unwrap();
    assert_eq!(status.code(), Some(130));
    assert!(start.elapsed() < Duration::from_secs(10));
    let document = valid(&fs::read(project.path().join("out.json")).unwrap(), "mutants.schema.json");
    assert_eq!(document["stopped_by"], "interrupted");
    let counts = &document["totals"]["statuses"];
    let [killed, open] = ["KILLED", "NOT_STARTED"].map(|name| counts[name].as_u64().unwrap());
    assert!(killed > 0 && open > 0 && killed + open == 521, "{counts}");
}
