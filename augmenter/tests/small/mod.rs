//! A small program made for a test, in a folder of its own: its sources compiled, tools of a JDK and `augment` run on it.
//!
//! Knows nothing of what the program does. Invariant: nothing outside the folder is touched.

#![allow(dead_code, reason = "each test file uses a part")]

use crate::agent_support;
use crate::jvm_support::{jar, javac};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// The program: its classes in `classes`, tests in `tests`.
pub struct Small {
    home: PathBuf,
    folder: TempDir,
}

impl Small {
    /// Of these sources, by the simple names of their classes.
    pub fn new<S: AsRef<str>>(home: &Path, sources: &[(&str, S)]) -> Self {
        let small = Self { home: home.to_owned(), folder: tempfile::tempdir().unwrap() };
        fs::create_dir(small.folder.path().join("tests")).unwrap();
        let file = |(name, text): &(&str, S)| {
            let file = format!("{name}.java");
            fs::write(small.folder.path().join(&file), text.as_ref()).unwrap();
            file
        };
        let files: Vec<String> = sources.iter().map(file).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        small.javac(&["-g", "-d", "classes"], &files);
        small
    }

    /// The same, compiled for another Java.
    pub fn for_java<S: AsRef<str>>(home: &Path, java: &str, sources: &[(&str, S)]) -> Self {
        let small = Self::new(home, sources);
        let files: Vec<String> = sources.iter().map(|(name, _)| format!("{name}.java")).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        small.javac(&["-g", "--release", java, "-d", "classes"], &files);
        small
    }

    /// That of program and tests, in the folder.
    pub fn class_path(&self) -> String {
        let folders = ["classes", "tests"].map(PathBuf::from).into_iter();
        let paths = folders.chain([jar("junit-4.13.2"), jar("hamcrest-core-1.3")]);
        std::env::join_paths(paths).unwrap().into_string().unwrap()
    }

    /// A tool of the JDK on the class path of program and tests.
    pub fn run(&self, tool: &str, arguments: &[&str]) -> Output {
        self.on_class_path(Command::new(self.home.join("bin").join(tool)), arguments)
    }

    fn on_class_path(&self, mut command: Command, arguments: &[&str]) -> Output {
        command.current_dir(self.folder.path()).args(["-cp", &self.class_path()]);
        command.args(arguments).output().unwrap()
    }

    /// Compiles files of the folder.
    pub fn javac(&self, options: &[&str], files: &[&str]) {
        let output = self.on_class_path(javac(&self.home), &[options, files].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Runs `dynaflow` in the folder.
    pub fn dynaflow(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// `dynaflow`, about to run in the folder.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dynaflow"));
        command.current_dir(self.folder.path()).env("DYNAFLOW_AGENT", agent_support::agent());
        command.env("JAVA_HOME", &self.home).args(args);
        command
    }

    /// Writes a file of the folder.
    pub fn write(&self, file: &str, text: &str) {
        fs::write(self.folder.path().join(file), text).unwrap();
    }

    /// Writes a file of a folder below it, which is made if missing.
    pub fn write_below(&self, below: &str, file: &str, text: &str) {
        let below = self.folder.path().join(below);
        fs::create_dir_all(&below).unwrap();
        fs::write(below.join(file), text).unwrap();
    }

    /// Augments into `out`, where nothing else is named; what it said.
    pub fn augment(&self, target: &str, more: &[&str]) -> String {
        let output = self.augmenting(target, more).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        said
    }

    /// Begins to augment; what it says is to be read.
    pub fn begin(&self, target: &str, more: &[&str]) -> Child {
        self.augmenting(target, more).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn augmenting(&self, target: &str, more: &[&str]) -> Command {
        let class_path = self.class_path();
        let mut args = vec!["augment", "--class-path", "classes", "--target", target];
        args.extend(if more.contains(&"--out") { &[][..] } else { &["--out", "out"] });
        args.extend(["--test-class-path", &class_path]);
        self.command(&[&args, more].concat())
    }

    /// Where a file of the folder lies.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// A file of the folder, if it is there.
    pub fn read(&self, file: &str) -> Option<Vec<u8>> {
        fs::read(self.folder.path().join(file)).ok()
    }
}
