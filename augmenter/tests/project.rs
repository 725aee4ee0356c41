//! `augment` in the folder of a Maven build, without class paths. The build's wrapper is a script here that compiles as Maven would and answers what Maven
//! answers; `scripts/bench/projects` has real Maven.
//!
//! Knows nothing of the search. Invariant: the program here is made for the test, and small.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;

use jvm_support::{jar, jdks};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const COUNTER: &str = "package demo;
public class Counter {
    private int count;
    public void add(int n) { if (n > 0) { count += n; } }
    public int count() { return count; }
    public void reset() { count = 0; }
}
";

/// It passes in the folder of its module alone, as Maven runs it.
const TEST: &str = "package demo;
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

const MVNW: &str = r#"#!/bin/sh
echo "$@" > "$0.called"
module=.
for arg in "$@"; do
    [ "$before" = --projects ] && module=$arg
    case $arg in -Dmdep.outputFile=*) answer=${arg#-Dmdep.outputFile=} ;; esac
    before=$arg
done
cd "$module" || exit 1
mkdir -p target/classes target/test-classes
"$JAVA_HOME/bin/javac" -g -d target/classes $(find src/main -name '*.java') || exit 1
"$JAVA_HOME/bin/javac" -g -cp "target/classes:JARS" -d target/test-classes $(find src/test -name '*.java') || exit 1
printf %s "JARS" > "$answer"
"#;

struct Project {
    folder: TempDir,
}

impl Project {
    /// With one module in this folder below it; `.` for itself.
    fn new(module: &str) -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        let pom = if module == "." {
            "<project/>".to_owned()
        } else {
            format!("<project><modules><module>{module}</module></modules></project>")
        };
        project.write("pom.xml", &pom);
        project.write(&format!("{module}/pom.xml"), if module == "." { &pom } else { "<project/>" });
        project.write(&format!("{module}/src/main/java/demo/Counter.java"), COUNTER);
        project.write(&format!("{module}/src/test/java/demo/CounterTest.java"), TEST);
        project.write(&format!("{module}/data.txt"), "data");
        let jars = std::env::join_paths([jar("junit-4.13.2"), jar("hamcrest-core-1.3")]).unwrap();
        project.write("mvnw", &MVNW.replace("JARS", jars.to_str().unwrap()));
        fs::set_permissions(project.path("mvnw"), fs::Permissions::from_mode(0o755)).unwrap();
        project
    }

    fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    fn write(&self, file: &str, text: &str) {
        fs::create_dir_all(self.path(file).parent().unwrap()).unwrap();
        fs::write(self.path(file), text).unwrap();
    }

    fn augment(&self, folder: &Path, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dynaflow"));
        command.current_dir(folder).env("DYNAFLOW_AGENT", agent_support::agent());
        command.env("JAVA_HOME", &jdks()[0].home).args(["augment", "--max-executions", "2000"]);
        command.args(args).output().unwrap()
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn in_the_folder_of_a_build_no_option_is_needed() {
    let project = Project::new(".");
    let output = project.augment(project.folder.path(), &[]);
    let said = said(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("seed suite: 2 tests") && !said.contains("fail already"), "{said}");
    let written = project.path("target/dynaflow/tests/demo/CounterDynaflowTest.java");
    assert!(fs::read_to_string(written).unwrap().contains("counter.reset();"), "{said}");
}

#[test]
fn a_module_runs_in_its_own_folder_and_paths_of_the_user_stay_what_they_are() {
    let project = Project::new("core");
    let output = project.augment(
        project.folder.path(),
        &["--module", "core", "--json", "pairs.json", "--out", "out", "--build-arg", "-Pfast"],
    );
    let said = said(&output);
    assert!(output.status.success(), "{said}");
    assert!(!said.contains("fail already"), "{said}");
    assert!(
        project.path("pairs.json").is_file() && project.path("out/demo/CounterDynaflowTest.java").is_file()
    );
    let called = fs::read_to_string(project.path("mvnw.called")).unwrap();
    assert!(called.contains("--projects core --also-make -Pfast test-compile"), "{called}");
}

#[test]
fn where_a_module_must_be_named_the_modules_are() {
    let project = Project::new("core");
    let output = project.augment(project.folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("has modules: name one with --module, such as core"), "{}", said(&output));
    let other = project.augment(project.folder.path(), &["--module", "web"]);
    assert!(said(&other).contains("--module web: there is no pom.xml in it"), "{}", said(&other));
}

#[test]
fn what_a_failing_build_printed_is_reported() {
    let project = Project::new(".");
    project.write("src/main/java/demo/Counter.java", "package demo; public class Counter {");
    let output = project.augment(project.folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).contains("mvnw failed in") && said(&output).contains("reached end of file"),
        "{}",
        said(&output)
    );
}

#[test]
fn in_the_folder_of_a_module_a_failing_build_advises_the_one_around_it() {
    let project = Project::new("core");
    fs::copy(project.path("mvnw"), project.path("core/mvnw")).unwrap();
    project.write("core/src/main/java/demo/Counter.java", "package demo; public class Counter {");
    let output = project.augment(&project.path("core"), &[]);
    assert_eq!(output.status.code(), Some(1));
    let said = said(&output);
    assert!(
        said.contains("core is a module of ") && said.contains("--module core compiles what it needs, too"),
        "{said}"
    );
    assert!(said.contains("reached end of file"), "{said}");
}

#[test]
fn a_folder_without_a_build_and_one_of_gradle_are_named_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let project = Project::new(".");
    let none = project.augment(folder.path(), &[]);
    assert_eq!(none.status.code(), Some(2));
    assert!(
        said(&none).contains("no --class-path is given") && said(&none).contains("--project"),
        "{}",
        said(&none)
    );
    fs::write(folder.path().join("build.gradle.kts"), "").unwrap();
    let gradle = project.augment(folder.path(), &[]);
    assert!(
        said(&gradle).contains("Gradle build") && said(&gradle).contains("--class-path"),
        "{}",
        said(&gradle)
    );
    let both = project.augment(folder.path(), &["--project", ".", "--class-path", "x", "--target", "y"]);
    assert!(said(&both).contains("cannot be used with"), "{}", said(&both));
}
