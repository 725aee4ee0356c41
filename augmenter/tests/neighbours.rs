//! Tests that `dynaflow augment` writes share a JVM with the tests of the project: none of them makes one of these fail, and none depends on what they leave.
//!
//! Knows nothing of the search. Invariant: the program here has a register in a static field, which outlives every test.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;

use jvm_support::{jar, jdk_in_turn, jdks};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// `forget` harms whoever relies on the code that is there from the start.
const REGISTER: &str = "package demo;
import java.util.Map;
import java.util.TreeMap;
public class Register {
    private static final Map<String, Integer> NUMBERS = new TreeMap<>(Map.of(\"GBP\", 826));
    private String last = \"\";
    public void register(String code, int number) { NUMBERS.put(code, number); last = code; }
    public void forget() { NUMBERS.clear(); last = \"\"; }
    public static int number(String code) { return NUMBERS.getOrDefault(code, -1); }
    public String last() { return last; }
}
";

/// Looks into the register.
const BOOK: &str = "package demo;
public class Book {
    private String code;
    public Book(String code) { this.code = code; }
    public int number() { return Register.number(code); }
    public void open(String code) { this.code = code; }
}
";

/// Uses a book and a register, each by itself.
const BOTH: &str = "package demo;
public class BookTest {
    @org.junit.Test public void reads() { new Book(\"GBP\").number(); }
    @org.junit.Test public void opens() { new Book(\"EUR\").open(\"GBP\"); }
    @org.junit.Test public void forgets() { new Register().forget(); new Register().register(\"GBP\", 826); }
}
";

/// Every method is used, and all is as it was in the end.
const SEEDS: &str = "package demo;
public class RegisterTest {
    @org.junit.Test public void registers() {
        Register register = new Register();
        register.register(\"EUR\", 978);
        org.junit.Assert.assertEquals(\"EUR\", register.last());
    }
    @org.junit.Test public void forgets() {
        Register register = new Register();
        register.forget();
        register.register(\"GBP\", 826);
    }
    @org.junit.Test public void looks() { Register.number(\"GBP\"); }
}
";

/// Relies on what is there from the start.
const VICTIM: &str = "package demo;
public class PriceTest {
    @org.junit.Test public void poundsAreKnown() { org.junit.Assert.assertEquals(826, Register.number(\"GBP\")); }
}
";

struct Project {
    folder: TempDir,
    home: PathBuf,
}

impl Project {
    fn new(home: &Path, tests: &[(&str, &str)]) -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap(), home: home.to_owned() };
        fs::create_dir(project.path("written")).unwrap();
        project.javac("Register", REGISTER, "classes");
        tests.iter().for_each(|(name, text)| project.javac(name, text, "tests"));
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn class_path(&self) -> String {
        let folders = [self.path("classes"), self.path("tests"), self.path("written")];
        let all = folders.into_iter().chain([jar("junit-4.13.2"), jar("hamcrest-core-1.3")]);
        std::env::join_paths(all).unwrap().into_string().unwrap()
    }

    fn javac(&self, name: &str, text: &str, out: &str) {
        let file = self.path(&format!("{name}.java"));
        fs::write(&file, text).unwrap();
        let mut javac = jvm_support::javac(&self.home);
        javac.args(["-g", "-cp", &self.class_path(), "-d"]).arg(self.path(out)).arg(file);
        assert!(javac.status().unwrap().success());
    }

    /// Grows the seeds; the source that was written for the register, and what was said.
    fn grow(&self) -> (String, String) {
        let said = self.augment("demo.Register");
        (self.written("Register"), said)
    }

    /// The tests that were written for a class.
    fn written(&self, class: &str) -> String {
        fs::read_to_string(self.path(&format!("out/demo/{class}DynaflowTest.java"))).unwrap()
    }

    /// Grows the seeds for some classes; what was said.
    fn augment(&self, target: &str) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_dynaflow"))
            .current_dir(self.folder.path())
            .env("DYNAFLOW_AGENT", agent_support::agent())
            .env("JAVA_HOME", &self.home)
            .args(["augment", "--class-path", "classes", "--target", target, "--seed-tests", "demo.*"])
            .args(["--out", "out", "--keep", "all", "--max-executions", "2000", "--test-class-path"])
            .arg(self.class_path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        said
    }

    /// Whether these test classes pass in this order, in one JVM.
    fn passes(&self, tests: &[&str]) -> bool {
        let mut java = Command::new(self.home.join("bin/java"));
        java.args(["-cp", &self.class_path(), "org.junit.runner.JUnitCore"]).args(tests);
        java.output().unwrap().status.success()
    }
}

#[test]
fn no_test_is_written_behind_which_a_test_of_the_project_fails_and_those_that_do_no_harm_are() {
    for jdk in jdk_in_turn(1) {
        let project = Project::new(&jdk.home, &[("RegisterTest", SEEDS), ("PriceTest", VICTIM)]);
        let (source, said) = project.grow();
        project.javac("RegisterDynaflowTest", &source, "written");
        let (written, victim) = ("demo.RegisterDynaflowTest", "demo.PriceTest");
        assert!(project.passes(&[written, victim]), "{source}");
        assert!(project.passes(&[victim, "demo.RegisterTest", written]), "{source}");
        assert!(source.contains(".last()"), "what the register object itself has does no harm: {source}");
        assert!(
            said.contains("leaves static state behind with which demo.PriceTest#poundsAreKnown fails"),
            "{said}"
        );
    }
}

#[test]
fn where_no_test_of_the_project_relies_on_the_state_it_is_tested() {
    let jdk = jdks().remove(0);
    let project = Project::new(&jdk.home, &[("RegisterTest", SEEDS)]);
    let (source, said) = project.grow();
    assert!(source.contains(".forget()"), "{source}");
    assert!(!said.contains("static state"), "{said}");
    project.javac("PriceTest", VICTIM, "tests");
    project.javac("RegisterDynaflowTest", &source, "written");
    assert!(
        !project.passes(&["demo.RegisterDynaflowTest", "demo.PriceTest"]),
        "then this is what goes wrong"
    );
}

#[test]
fn the_tests_of_several_classes_hold_in_one_jvm_whichever_come_first() {
    let jdk = jdks().remove(0);
    let project = Project::new(&jdk.home, &[("Book", BOOK), ("BookTest", BOTH)]);
    fs::rename(project.path("tests/demo/Book.class"), project.path("classes/demo/Book.class")).unwrap();
    let said = project.augment("demo.*");
    let [book, register] = ["Book", "Register"].map(|class| {
        project.javac(&format!("{class}DynaflowTest"), &project.written(class), "written");
        format!("demo.{class}DynaflowTest")
    });
    assert!(project.passes(&[&book, &register]) && project.passes(&[&register, &book]), "{said}");
    let dropped = said.contains("leaves static state behind with which demo.BookDynaflowTest#");
    assert!(dropped, "who forgets harms who looks: {said}");
    assert!(project.written("Book").contains(".number()"), "what does no harm stays");
}
