//! A small class under test with seed tests of a few lines, augmented by the real program. Knows nothing of what is checked.
//!
//! Invariant: everything lies in a folder of its own.

#![allow(dead_code, reason = "each test that includes this uses a part of it")]

use crate::agent_support;
use crate::jvm_support::jar;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A class under test in a folder of its own, with seeds.
pub struct Lab {
    home: PathBuf,
    folder: TempDir,
    class: &'static str,
}

/// What a run left.
pub struct Ran {
    pub tests: String,
    pub said: String,
    pub row: BTreeMap<String, String>,
}

impl Ran {
    pub fn figure(&self, column: &str) -> usize {
        self.row[column].parse().unwrap()
    }

    pub fn added(&self) -> usize {
        self.figure("tests_added")
    }
}

impl Lab {
    pub fn new(home: &Path, class: &'static str, source: &str, seeds: &[&str]) -> Self {
        let lab = Self { home: home.to_owned(), folder: tempfile::tempdir().unwrap(), class };
        lab.javac("classes", &format!("{class}.java"), source);
        let tests: Vec<String> = (0..)
            .zip(seeds)
            .map(|(n, body)| format!("    @org.junit.Test public void t{n}() {{ {body} }}\n"))
            .collect();
        let import = "import static org.junit.Assert.assertEquals;";
        let text = format!("package demo;\n{import}\npublic class {class}Test {{\n{}}}\n", tests.concat());
        lab.javac("tests", &format!("{class}Test.java"), &text);
        lab
    }

    fn test_class_path(&self) -> String {
        let paths = [PathBuf::from("tests"), jar("junit-4.13.2"), jar("hamcrest-core-1.3")];
        std::env::join_paths(paths).unwrap().into_string().unwrap()
    }

    fn javac(&self, out: &str, file: &str, source: &str) {
        fs::write(self.folder.path().join(file), source).unwrap();
        let mut javac = crate::jvm_support::javac(&self.home);
        javac.current_dir(self.folder.path()).args(["-g", "-d", out, "-cp"]);
        javac.arg(format!("classes:{}", self.test_class_path())).arg(file);
        assert!(javac.status().unwrap().success(), "{source}");
    }

    fn dynaflow(&self, args: &[&str]) -> Output {
        let mut dynaflow = Command::new(env!("CARGO_BIN_EXE_dynaflow"));
        dynaflow.current_dir(self.folder.path()).env("DYNAFLOW_AGENT", agent_support::agent());
        let output = dynaflow.env("JAVA_HOME", &self.home).args(args).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output
    }

    /// Augments the class with so many executions.
    pub fn augment(&self, executions: u64, out: &str, more: &[&str]) -> Ran {
        let (target, seeds) = (format!("demo.{}", self.class), format!("demo.{}Test", self.class));
        let (tests, stats) = (self.test_class_path(), format!("{out}.csv"));
        let most = executions.to_string();
        let mut args = vec!["augment", "--class-path", "classes", "--test-class-path", &tests];
        args.extend(["--target", &target, "--seed-tests", &seeds, "--max-executions", &most]);
        args.extend(["--out", out, "--stats", &stats]);
        args.extend(more);
        let said = String::from_utf8_lossy(&self.dynaflow(&args).stderr).into_owned();
        let file = format!("{out}/demo/{}DynaflowTest.java", self.class);
        let tests = fs::read_to_string(self.folder.path().join(file)).unwrap_or_default();
        let stats = fs::read_to_string(self.folder.path().join(stats)).unwrap();
        let mut lines = stats.lines().map(|line| line.split(',').map(str::to_owned));
        let row = lines.next().unwrap().zip(lines.next().unwrap()).collect();
        Ran { tests, said, row }
    }

    /// How many mutants of the class the tests of the folder notice: those of the seeds, and these as well.
    pub fn noticed_with(&self, tests: &str) -> usize {
        if !tests.is_empty() {
            self.javac("tests", &format!("{}DynaflowTest.java", self.class), tests);
        }
        let (target, paths) = (format!("demo.{}", self.class), self.test_class_path());
        let mut args = vec!["mutants", "--class-path", "classes", "--test-class-path", &paths];
        args.extend(["--target", &target, "--format", "csv", "--operators", "pit,dataflow"]);
        let text = String::from_utf8(self.dynaflow(&args).stdout).unwrap();
        text.lines()
            .filter(|line| [",KILLED", ",TIMED_OUT"].iter().any(|status| line.contains(status)))
            .count()
    }
}
