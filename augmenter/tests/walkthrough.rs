//! The worked example from class file to finding, one golden file per stage in `tests/walkthrough/golden`, on every JDK.
//!
//! Knows nothing of how a stage works. Invariant: the files name nothing that depends on the JDK's compiler or on the machine;
//! `DYNAFLOW_BLESS=1` rewrites them, and a reader of the diff decides.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;

use assert_cmd::Command;
use dynaflow_instrument::{Plan, WeaveOptions};
use dynaflow_model::words::FIRST_SITE;
use dynaflow_objectives::{PairText, PairsDocument, Status, StoppedBy};
use jvm_support::{jar, jdk_in_turn, jdks};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The compiled example, and how to run our program on it.
struct Example {
    home: PathBuf,
    folder: TempDir,
    tests: String,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn java_files(folder: &str) -> Vec<PathBuf> {
    let folder = repository().join("tests/walkthrough/subject").join(folder).join("walkthrough");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

impl Example {
    fn compiled(home: &Path) -> Self {
        let junit = [jar("junit-4.13.2"), jar("hamcrest-core-1.3")];
        let tests = std::env::join_paths([PathBuf::from("test-classes")].iter().chain(&junit)).unwrap();
        let example = Self {
            home: home.to_owned(),
            folder: tempfile::tempdir().unwrap(),
            tests: tests.into_string().unwrap(),
        };
        example.javac("main", "classes", "classes");
        example.javac("test", "test-classes", &format!("classes:{}", example.tests));
        example
    }

    /// One target release for all JDKs keeps the class files, and so the golden files, apart from the compiler's fashions.
    fn javac(&self, sources: &str, out: &str, class_path: &str) {
        let mut javac = Command::from_std(jvm_support::javac(&self.home));
        javac.current_dir(self.folder.path()).args([
            "-g",
            "-Xlint:none",
            "--release",
            "11",
            "-d",
            out,
            "-cp",
            class_path,
        ]);
        javac.args(java_files(sources)).assert().success();
    }

    fn dynaflow(&self, args: &[&str]) -> std::process::Output {
        let mut command = Command::cargo_bin("dynaflow").unwrap();
        command.current_dir(self.folder.path()).env("DYNAFLOW_AGENT", agent_support::agent());
        let output = command.args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    }

    fn augment(&self, name: &str, more: &[&str]) -> PairsDocument {
        let seeds = ["--seed-tests", "walkthrough.IntakeTest", "--max-executions", "5000"];
        self.augment_with(name, &[&seeds, more].concat())
    }

    fn augment_with(&self, name: &str, more: &[&str]) -> PairsDocument {
        let (out, json) = (format!("{name}-tests"), format!("{name}.json"));
        let home = self.home.to_str().unwrap();
        let mut args = vec!["augment", "--class-path", "classes", "--test-class-path", &self.tests];
        args.extend(["--target", "walkthrough.Intake", "--junit", "4"]);
        // All tests: the story is that of each iteration.
        args.extend(["--java-home", home, "--out", &out, "--json", &json, "--keep", "all"]);
        args.extend(more);
        self.dynaflow(&args);
        dynaflow_objectives::read(&self.read(&json)).unwrap()
    }

    fn seed_pairs(&self) -> PairsDocument {
        let java = self.home.join("bin/java");
        let class_path = format!("classes:{}", self.tests);
        let suite = ["-ea", "-cp", &class_path, "org.junit.runner.JUnitCore", "walkthrough.IntakeTest"];
        let mut args =
            vec!["run", "--include", "walkthrough.**", "--out", "traces", "--", java.to_str().unwrap()];
        args.extend(suite);
        self.dynaflow(&args);
        let output = self.dynaflow(&["export", "traces", "--target", "walkthrough.Intake"]);
        dynaflow_objectives::read(&output.stdout).unwrap()
    }

    fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.folder.path().join(path)).unwrap()
    }
}

/// Compares with the golden file of a stage, or rewrites it.
fn golden(name: &str, text: &str) {
    let path = repository().join("tests/walkthrough/golden").join(name);
    if std::env::var_os("DYNAFLOW_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{name} differs; DYNAFLOW_BLESS=1 rewrites it");
}

fn pair_line(pair: &PairText) -> String {
    let short = |context: &[String]| {
        context.iter().map(|c| c.replace("walkthrough.", "")).collect::<Vec<_>>().join(" > ")
    };
    let kind = format!("{:?}", pair.definition.kind).to_lowercase();
    format!(
        "{:<14} {kind:<6} {} -> {}",
        pair.variable,
        short(&pair.definition.context),
        short(&pair.usage.context)
    )
}

fn lines<'a>(pairs: impl Iterator<Item = &'a PairText>) -> String {
    pairs.fold(String::new(), |mut text, pair| {
        writeln!(text, "{}", pair_line(pair)).unwrap();
        text
    })
}

fn with_status(document: &PairsDocument, status: Status) -> String {
    lines(document.pairs.iter().filter(|pair| pair.status == status))
}

#[test]
fn stage_1_the_sites_of_the_root_class_and_its_woven_methods() {
    let example = Example::compiled(&jdks()[0].home);
    let class = example.read("classes/walkthrough/Intake.class");
    let plan = Plan::new(&class, &WeaveOptions::default()).unwrap();
    let sites = plan.sites();
    let text = sites.sites.iter().zip(0..).fold(String::new(), |mut text, (site, n)| {
        let method = &sites.methods[usize::from(site.method)];
        let (name, descriptor) = (&method.name, &method.descriptor);
        writeln!(
            text,
            "{n:>3} {name}{descriptor} offset {} line {}: {:?}",
            site.offset, site.line, site.kind
        )
        .unwrap();
        text
    });
    golden("1-sites.txt", &text);
    let woven = plan.weave(FIRST_SITE).unwrap();
    assert_eq!(woven.declined, []);
    golden("1-woven.txt", &dynaflow_classfile::print::bytes(&woven.bytes).unwrap());
}

#[test]
fn stage_2_the_seed_suite_covers_three_pairs_and_leaves_one_objective() {
    for jdk in jdk_in_turn(1) {
        let document = Example::compiled(&jdk.home).seed_pairs();
        let covered = with_status(&document, Status::Covered);
        golden(
            "2-seed.txt",
            &format!("covered\n{covered}\nobjectives\n{}", with_status(&document, Status::Objective)),
        );
    }
}

#[test]
fn stage_3_each_iteration_covers_one_objective_and_reveals_the_next_until_none_is_left() {
    for jdk in jdk_in_turn(0) {
        let example = Example::compiled(&jdk.home);
        let mut text =
            format!("after 0 iterations\n{}", with_status(&example.seed_pairs(), Status::Objective));
        for n in 1..=4 {
            let most = n.to_string();
            let document = example.augment(&format!("after-{n}"), &["--max-iterations", &most]);
            assert_eq!(
                document.stopped_by,
                Some(if n < 4 { StoppedBy::Iterations } else { StoppedBy::Fixpoint })
            );
            write!(text, "after {n} iterations\n{}", with_status(&document, Status::Objective)).unwrap();
        }
        golden("3-objectives.txt", &text);
    }
}

#[test]
fn stage_4_the_finished_suite_keeps_the_failing_assertion_as_a_finding() {
    for jdk in jdk_in_turn(1) {
        let example = Example::compiled(&jdk.home);
        let document = example.augment("all", &[]);
        assert_eq!(document.stopped_by, Some(StoppedBy::Fixpoint));
        for class in ["IntakeDynaflowTest", "IntakeDynaflowFailures"] {
            let text = example.read(&format!("all-tests/{}walkthrough/{class}.java", apart(class)));
            golden(&format!("4-{class}.java"), &String::from_utf8(text).unwrap());
        }
        let table = document.pairs.iter().fold(String::new(), |mut text, pair| {
            let tests = pair.tests.join(" ").replace("walkthrough.Intake", "");
            writeln!(text, "{} {}\n      {tests}", pair.iteration, pair_line(pair)).unwrap();
            text
        });
        golden("4-pairs.txt", &table);
        golden("4-iterations.txt", &format!("{:#?}\n", document.iterations));
        assert_eq!(with_status(&document, Status::Objective), "");
        plain_junit_agrees(&example);
    }
}

/// The folder of the findings.
fn apart(class: &str) -> &'static str {
    if class.ends_with("Failures") { "findings/" } else { "" }
}

/// The generated sources need nothing but JUnit and the program: compiled and run without any of our tools.
fn plain_junit_agrees(example: &Example) {
    let class_path = format!("generated:classes:{}", example.tests);
    let source = |class: &str| format!("all-tests/{}walkthrough/{class}.java", apart(class));
    let mut javac = Command::from_std(jvm_support::javac(&example.home));
    javac.current_dir(example.folder.path()).args(["-d", "generated", "-cp", &class_path]);
    javac.args([source("IntakeDynaflowTest"), source("IntakeDynaflowFailures")]).assert().success();
    for (class, passes) in [("IntakeDynaflowTest", true), ("IntakeDynaflowFailures", false)] {
        let mut java = Command::new(example.home.join("bin/java"));
        java.current_dir(example.folder.path()).args([
            "-ea",
            "-cp",
            &class_path,
            "org.junit.runner.JUnitCore",
        ]);
        let output = java.arg(format!("walkthrough.{class}")).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.success(), passes, "{class}: {text}");
        assert_eq!(text.contains("java.lang.AssertionError: the pump leaks"), !passes, "{class}: {text}");
    }
}

/// Without a seed suite there is nothing to splice at first: random sequences decide.
#[test]
fn the_same_seed_and_executions_give_the_same_bytes_and_another_seed_others() {
    let example = Example::compiled(&jdks()[0].home);
    let written = |name: &str, seed: &str| {
        example.augment_with(name, &["--seed", seed, "--max-executions", "60"]);
        let sources =
            ["walkthrough/IntakeDynaflowTest.java", "findings/walkthrough/IntakeDynaflowFailures.java"]
                .map(|file| example.folder.path().join(format!("{name}-tests/{file}")));
        (example.read(&format!("{name}.json")), sources.map(|source| fs::read(source).ok()))
    };
    let (one, two, other) = (written("one", "7"), written("two", "7"), written("other", "8"));
    assert!(one.1.iter().any(Option::is_some), "nothing is written at all");
    assert!(one == two, "the same seed gives other bytes");
    assert!(one.1 != other.1, "the seed decides nothing");
}
