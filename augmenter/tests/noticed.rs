//! How mutants decide about what `dynaflow augment` writes: an assertion stays that notices one, and a test that notices one which the seeds do not.
//!
//! Knows nothing of operators. Invariant: every program here is made for the test, and small; what augment counts is what `dynaflow mutants` finds.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;

use jvm_support::{jar, jdks};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// The receipt is no target: of what it shows, only the total comes from the clerk.
const CLERK: &str = "package demo;
public class Clerk {
    public static class Note {
        private final int total;
        Note(int total) { this.total = total; }
        public String getGreeting() { return \"thanks\"; }
        public int getTotal() { return total; }
    }
    private int served;
    public Note sell(int price) { served = served + 1; return new Note(price * 2); }
    public int getServed() { return served; }
}
";

const CLERK_TEST: [&str; 2] = [
    "Clerk.Note note = new Clerk().sell(3); assertEquals(\"thanks\", note.getGreeting());",
    "new Clerk().getServed();",
];

/// One definition and one use, reached by two ways that differ in what they compute.
const DIAL: &str = "package demo;
public class Dial {
    private int n;
    private final int base = Integer.parseInt(\"5\");
    private void set(int value) { n = value; }
    public void up() { set(base + 3); }
    public void down() { set(base - 3); }
    public int value() { return n; }
    public String text() { return \"\" + n; }
}
";

/// They look at nothing.
const SILENT: [&str; 4] =
    ["new Dial().up();", "new Dial().down();", "new Dial().value();", "new Dial().text();"];

/// They look at what both ways compute, through another use.
const WATCHFUL: [&str; 3] = [
    "Dial d = new Dial(); d.up(); assertEquals(\"8\", d.text());",
    "Dial d = new Dial(); d.down(); assertEquals(\"2\", d.text());",
    "new Dial().value();",
];

/// Without its call the loop never ends.
const PUMP: &str = "package demo;
public class Pump {
    private int left;
    private int done;
    public Pump(int left) { this.left = left; }
    private void take() { left = left - 1; done = done + 1; }
    public void drain() { while (left > 0) { take(); } }
    public int getDone() { return done; }
}
";

const PUMP_TEST: [&str; 2] = ["new Pump(2).drain();", "new Pump(2).getDone();"];

/// A mutant shuts it for all that come after.
const STALL: &str = "package demo;
public class Stall {
    private static boolean open = true;
    private int sold;
    private int idle;
    public void sell(int count) {
        if (count > 1000) { open = false; }
        sold = sold + count;
        idle = sold - sold;
    }
    public int getSold() { return open ? sold : -1; }
}
";

const STALL_TEST: [&str; 2] = ["new Stall().sell(2);", "new Stall().getSold();"];

/// Its tests execute every pair there is, and look at nothing.
const BOX: &str = "package demo;
public class Box {
    private final int width;
    public Box(int width) { this.width = width; }
    public int area() { return width * width; }
    public boolean isWide() { return width > 2; }
}
";

const BOX_TEST: [&str; 2] = ["new Box(3).area();", "new Box(2).isWide();"];

/// A class under test in a folder of its own, with seeds.
struct Lab {
    home: PathBuf,
    folder: TempDir,
    class: &'static str,
}

/// What a run left.
struct Ran {
    tests: String,
    said: String,
    row: BTreeMap<String, String>,
}

impl Ran {
    fn figure(&self, column: &str) -> usize {
        self.row[column].parse().unwrap()
    }

    fn added(&self) -> usize {
        self.figure("tests_added")
    }
}

impl Lab {
    fn new(home: &Path, class: &'static str, source: &str, seeds: &[&str]) -> Self {
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
        let mut javac = Command::new(self.home.join("bin/javac"));
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

    /// Augments the class.
    fn augment(&self, out: &str, more: &[&str]) -> Ran {
        let (target, seeds) = (format!("demo.{}", self.class), format!("demo.{}Test", self.class));
        let (tests, stats) = (self.test_class_path(), format!("{out}.csv"));
        let mut args = vec!["augment", "--class-path", "classes", "--test-class-path", &tests];
        args.extend(["--target", &target, "--seed-tests", &seeds, "--max-executions", "400"]);
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
    fn noticed_with(&self, tests: &str) -> usize {
        if !tests.is_empty() {
            self.javac("tests", &format!("{}DynaflowTest.java", self.class), tests);
        }
        let (target, paths) = (format!("demo.{}", self.class), self.test_class_path());
        let mut args = vec!["mutants", "--class-path", "classes", "--test-class-path", &paths];
        args.extend(["--target", &target, "--format", "csv"]);
        let text = String::from_utf8(self.dynaflow(&args).stdout).unwrap();
        text.lines()
            .filter(|line| [",KILLED", ",TIMED_OUT"].iter().any(|status| line.contains(status)))
            .count()
    }
}

#[test]
fn an_assertion_that_notices_a_mutant_stands_and_a_getter_that_notices_none_does_not() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk.home, "Clerk", CLERK, &CLERK_TEST);
        let (with, without) = (lab.augment("with", &[]), lab.augment("without", &["--no-mutants"]));
        let served = |ran: &Ran| ran.tests.contains("getServed())") || ran.tests.contains("getServed();");
        assert!(served(&with) && served(&without), "{}\n{}", with.tests, without.tests);
        assert!(with.tests.contains("assertEquals(6, "), "{}\n{}", with.said, with.tests);
        assert!(!with.tests.contains("getGreeting"), "{}", with.tests);
        assert!(!without.tests.contains("getTotal"), "{}", without.tests);
        assert_eq!(without.figure("mutants_reached"), 0, "{}", without.said);
        assert!(!without.said.contains("mutants"), "{}", without.said);
    }
}

#[test]
fn a_test_with_no_site_of_its_own_stays_for_a_mutant_that_the_seeds_leave_alive() {
    let lab = Lab::new(&jdks()[0].home, "Dial", DIAL, &SILENT);
    let (with, without) = (lab.augment("with", &[]), lab.augment("without", &["--no-mutants"]));
    for (way, value) in [("up()", "8"), ("down()", "2")] {
        let is_of = |test: &&str| test.contains(way) && test.contains(value);
        assert!(with.tests.split("@Test").any(|test| is_of(&test)), "{way}: {}", with.tests);
    }
    assert!(without.added() < with.added(), "{}\n{}", without.tests, with.tests);
    let pairs = |folder, more: &[&str]| lab.augment(folder, &[&["--keep", "pairs"], more].concat()).added();
    assert_eq!(pairs("pairs", &[]), pairs("pairs-without", &["--no-mutants"]));
    // What is counted is what an analysis of the written tests finds.
    let seeds = lab.noticed_with("");
    assert_eq!((seeds, with.figure("mutants_killed_by_seeds")), (0, 0), "{}", with.said);
    assert_eq!(lab.noticed_with(&with.tests), with.figure("mutants_killed_by_tests"), "{}", with.tests);
    assert!(with.figure("mutants_reached") >= with.figure("mutants_killed_by_tests"));
}

#[test]
fn a_mutant_that_the_seeds_notice_earns_no_test_a_place() {
    let lab = Lab::new(&jdks()[0].home, "Dial", DIAL, &WATCHFUL);
    let ran = lab.augment("with", &[]);
    assert_eq!(ran.added(), lab.augment("without", &["--no-mutants"]).added(), "{}", ran.tests);
    assert!(ran.figure("mutants_killed_by_seeds") >= 4, "{}", ran.said);
    let seeds = lab.noticed_with("");
    let all = lab.noticed_with(&ran.tests);
    assert_eq!(all - seeds, ran.figure("mutants_killed_by_tests"), "{}", ran.tests);
}

#[test]
fn a_part_of_a_seed_that_looks_at_more_is_a_test_where_it_notices_a_mutant_and_a_later_run_keeps_it() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk.home, "Box", BOX, &BOX_TEST);
        let without = lab.augment("without", &["--no-mutants"]);
        assert_eq!(without.added(), 0, "nothing new can be executed: {}", without.tests);
        let pairs = lab.augment("pairs", &["--keep", "pairs"]);
        assert_eq!(pairs.added(), 0, "no pair is new: {}", pairs.tests);
        let with = lab.augment("with", &[]);
        for line in [
            "assertEquals(4, box.area());",
            "assertFalse(box.isWide());",
            "// notices: changed conditional boundary in Box.isWide (line 6); and 4 more",
        ] {
            assert!(with.tests.contains(line), "{}\n{}", with.said, with.tests);
        }
        assert_eq!(with.added(), 1, "one notices all: {}", with.tests);
        assert_eq!(
            (with.figure("left_out"), with.figure("mutants_killed_by_seeds")),
            (0, 0),
            "{}",
            with.said
        );
        let again = lab.augment("with", &[]);
        assert_eq!((again.added(), &again.tests), (0, &with.tests), "{}", again.said);
        assert_eq!(lab.noticed_with(&with.tests), with.figure("mutants_killed_by_tests"), "{}", with.tests);
    }
}

#[test]
fn a_mutant_that_makes_a_loop_endless_is_noticed_and_ends_nothing_else() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk.home, "Pump", PUMP, &PUMP_TEST);
        let ran = lab.augment("with", &[]);
        assert!(ran.added() > 0 && ran.tests.contains("getDone()"), "{}", ran.said);
        assert!(!ran.said.contains("decide about assertions alone"), "{}", ran.said);
        let seeds = lab.noticed_with("");
        assert!(seeds > 0, "the seeds drain, so they notice what does not end");
        assert!(ran.figure("mutants_killed_by_seeds") > 0, "{}", ran.said);
        let all = lab.noticed_with(&ran.tests);
        assert_eq!(all - seeds, ran.figure("mutants_killed_by_tests"), "{}\n{}", ran.said, ran.tests);
    }
}

#[test]
fn what_a_mutant_left_in_a_static_field_is_not_laid_to_the_next() {
    let lab = Lab::new(&jdks()[0].home, "Stall", STALL, &STALL_TEST);
    let ran = lab.augment("with", &[]);
    assert!(ran.added() > 0, "{}", ran.said);
    // `sold - sold` is read by nobody: what its mutant does nobody can notice.
    assert!(ran.figure("mutants_killed_by_tests") < ran.figure("mutants_reached"), "{}", ran.said);
    assert_eq!(
        lab.noticed_with(&ran.tests),
        ran.figure("mutants_killed_by_tests"),
        "{}\n{}",
        ran.said,
        ran.tests
    );
}

#[test]
fn the_same_seed_gives_the_same_tests_whatever_the_number_of_jobs() {
    let lab = Lab::new(&jdks()[0].home, "Stall", STALL, &STALL_TEST);
    let [one, four] = [("one", "1"), ("four", "4")].map(|(out, jobs)| lab.augment(out, &["--jobs", jobs]));
    assert_eq!(one.tests, four.tests);
    assert_eq!(one.figure("mutants_killed_by_tests"), four.figure("mutants_killed_by_tests"));
}
