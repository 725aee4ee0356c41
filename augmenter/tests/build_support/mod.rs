//! A small program with tests in the folder of a build, and `augment` run there. Knows no build tool.
//!
//! Invariant: the program here is made for the test, and small.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "helpers of tests may unwrap like the tests themselves, and no test needs all"
)]

use super::agent_support;
use super::jvm_support::{jar, jdks};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// The program.
pub const COUNTER: &str = "package demo;
public class Counter {
    private int count;
    public void add(int n) { if (n > 0) { count += n; } }
    public int count() { return count; }
    public void reset() { count = 0; }
}
";

/// Its tests. They pass in the folder of its module alone, as builds run them.
pub const TEST: &str = "package demo;
import static org.junit.Assert.*;
import org.junit.Test;
public class CounterTest {
    @Test public void counts() {
        assertTrue(new java.io.File(\"data.txt\").isFile());
        Counter counter = new Counter();
        counter.add(2);
        assertEquals(2, counter.count());
    }
    @Test public void resets() {
        Counter counter = new Counter();
        counter.reset();
    }
    public static class Helper { }
}
";

/// Tests that pass only where the build's property and variable are set.
pub const SETTINGS_TEST: &str = "package demo;
import static org.junit.Assert.*;
import org.junit.Test;
public class SettingsTest {
    @Test public void seesWhatTheBuildSets() {
        assertEquals(\"one two\", System.getProperty(\"demo.property\"));
        assertEquals(\"yes\", System.getProperty(\"demo.option\"));
        assertEquals(\"bar\", System.getenv(\"DEMO_VARIABLE\"));
        new Counter().add(1);
    }
}
";

/// The jars of JUnit 4, as a class path.
pub fn junit() -> String {
    let jars = std::env::join_paths([jar("junit-4.13.2"), jar("hamcrest-core-1.3")]).unwrap();
    jars.into_string().unwrap()
}

/// A folder with a build.
pub struct Project {
    /// The folder.
    pub folder: TempDir,
}

impl Project {
    /// With the program in this folder below it; `.` for itself. There are no files of a build yet.
    pub fn new(module: &str) -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        project.write(&format!("{module}/src/main/java/demo/Counter.java"), COUNTER);
        project.write(&format!("{module}/src/test/java/demo/CounterTest.java"), TEST);
        project.write(&format!("{module}/data.txt"), "data");
        project
    }

    /// A file of it.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    /// Writes a file.
    pub fn write(&self, file: &str, text: &str) {
        fs::create_dir_all(self.path(file).parent().unwrap()).unwrap();
        fs::write(self.path(file), text).unwrap();
    }

    /// Writes a program.
    pub fn write_program(&self, file: &str, text: &str) {
        self.write(file, text);
        fs::set_permissions(self.path(file), fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// `dynaflow augment`, about to run in a folder.
    pub fn command(&self, folder: &Path, args: &[&str]) -> Command {
        self.dynaflow(folder, &[&["augment", "--max-executions", "2000"], args].concat())
    }

    /// `dynaflow`, about to run in a folder.
    pub fn dynaflow(&self, folder: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dynaflow"));
        command.current_dir(folder).env("DYNAFLOW_AGENT", agent_support::agent());
        command.env_remove("JAVA_TOOL_OPTIONS").env("JAVA_HOME", &jdks()[0].home).args(args);
        command
    }

    /// Runs `dynaflow augment` in a folder.
    pub fn augment(&self, folder: &Path, args: &[&str]) -> Output {
        self.command(folder, args).output().unwrap()
    }
}

/// What a command printed for people.
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
