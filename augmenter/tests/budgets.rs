//! What an augmentation may use and how its classes share it; the same bytes however many workers there are; whose assertions are
//! findings.
//!
//! Knows nothing of the search. Invariant: every program here is made for the test, and small.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;

use jvm_support::{jar, jdk_in_turn, jdks};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// Nobody can cover that the constructor's own read comes after `unlock`: the search for it goes on.
fn door(class: &str) -> String {
    format!(
        "package demo;
public class {class} {{
    private boolean open;
    private final boolean wasOpen;
    public {class}() {{ wasOpen = open; }}
    public void unlock() {{ open = true; }}
    public boolean pass() {{ return open; }}
    public boolean was() {{ return wasOpen; }}
}}
"
    )
}

fn door_test(class: &str) -> String {
    format!(
        "package demo;
public class {class}Test {{
    @org.junit.Test public void unlocks() {{ new {class}().unlock(); }}
    @org.junit.Test public void stops() {{ org.junit.Assert.assertFalse(new {class}().pass()); }}
}}
"
    )
}

/// What a candidate sees here depends on the candidates that ran before it in the same JVM.
const TICKETS: &str = "package demo;
public class Tickets {
    private static int sold;
    private int number;
    private int price;
    private int paid;
    public void draw() { number = ++sold; }
    public void pay(int amount) { if (number % 2 == 0) { paid = paid + amount; } else { price = amount; } }
    public int left() { return number % 3 == 0 ? price - paid : price; }
    public static int sold() { return sold; }
}
";

const TICKETS_TEST: &str = "package demo;
public class TicketsTest {
    @org.junit.Test public void draws() { new Tickets().draw(); }
    @org.junit.Test public void pays() { new Tickets().pay(3); }
    @org.junit.Test public void owes() { new Tickets().left(); }
    @org.junit.Test public void counts() { Tickets.sold(); }
}
";

/// Helpers of the tests that assert, one by itself and one through JUnit. No other call of the seeds shows whether a lock is open, so that what
/// comes of `close` is seen by a helper first, and that fails.
const CHECKS: &str = "package demo;
public class Checks {
    public static void open(Lock lock) { if (!lock.isOpen()) { throw new AssertionError(\"it is closed\"); } }
    public static void opened(Lock lock) { org.junit.Assert.assertTrue(lock.isOpen()); }
}
";

const LOCK: &str = "package demo;
public class Lock {
    private boolean open;
    private int turns;
    public void turn() { open = !open; turns++; }
    public void close() { open = false; }
    public boolean isOpen() { return open; }
    public int turns() { assert turns < 1 : \"it is worn\"; return turns; }
}
";

const LOCK_TEST: &str = "package demo;
public class LockTest {
    @org.junit.Test public void opens() { Lock lock = new Lock(); lock.turn(); Checks.open(lock); }
    @org.junit.Test public void isOpened() { Lock lock = new Lock(); lock.turn(); Checks.opened(lock); }
    @org.junit.Test public void closes() { new Lock().close(); }
    @org.junit.Test public void turns() { new Lock().turns(); }
}
";

/// `twice` works in the JVMs that search and not in the one that checks, which has another folder for temporary files.
const DICE: &str = "package demo;
public class Dice {
    private int number;
    public void roll() { number = 4; }
    public int number() { return number; }
    public int twice() {
        if (System.getProperty(\"java.io.tmpdir\").contains(\"observer\")) { throw new IllegalStateException(); }
        return 2 * number;
    }
}
";

const DICE_TEST: &str = "package demo;
public class DiceTest {
    @org.junit.Test public void rolls() { new Dice().roll(); }
    @org.junit.Test public void shows() { new Dice().number(); }
    @org.junit.Test public void doubles() { new Dice().twice(); }
}
";

struct Project {
    home: PathBuf,
    folder: TempDir,
    libraries: String,
}

impl Project {
    fn new(home: &Path, classes: &[(&str, &str)], tests: &[(&str, &str)]) -> Self {
        let libraries = std::env::join_paths([jar("junit-4.13.2"), jar("hamcrest-core-1.3")]).unwrap();
        let libraries = libraries.into_string().unwrap();
        let project = Self { home: home.to_owned(), folder: tempfile::tempdir().unwrap(), libraries };
        project.javac("classes", classes);
        project.javac("tests", tests);
        project
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn javac(&self, out: &str, sources: &[(&str, &str)]) {
        let mut javac = jvm_support::javac(&self.home);
        javac.current_dir(self.path()).args(["-g", "-d", out, "-cp"]);
        javac.arg(format!("classes:tests:{}", self.libraries));
        for (name, text) in sources {
            fs::write(self.path().join(format!("{name}.java")), text).unwrap();
            javac.arg(format!("{name}.java"));
        }
        assert!(sources.is_empty() || javac.status().unwrap().success());
    }

    /// Augments, which succeeds; gives what it printed.
    fn augment(&self, out: &str, arguments: &[&str]) -> String {
        let output = self.augment_with(out, arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{text}");
        text
    }

    /// Augments the classes of the package.
    fn augment_with(&self, out: &str, arguments: &[&str]) -> Output {
        let patterns = ["--target", "demo.*", "--seed-tests", "demo.*Test"];
        self.augment_of(&self.home, "", out, &[&patterns, arguments].concat())
    }

    /// Augments with a JDK, a longer class path of the tests, and patterns among the arguments.
    fn augment_of(&self, home: &Path, more: &str, out: &str, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_dynaflow"))
            .current_dir(self.path())
            .env("DYNAFLOW_AGENT", agent_support::agent())
            .env("JAVA_HOME", home)
            .args(["augment", "--class-path", "classes"])
            .args(["--test-class-path", &format!("tests:{}{more}", self.libraries)])
            .args(["--out", out, "--json", &format!("{out}.json"), "--stats", &format!("{out}.csv")])
            .args(arguments)
            .output()
            .unwrap()
    }

    /// By class, the columns of the statistics.
    fn stats(&self, out: &str) -> BTreeMap<String, BTreeMap<String, String>> {
        let text = fs::read_to_string(self.path().join(format!("{out}.csv"))).unwrap();
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let header = lines.next().unwrap();
        lines.map(|row| (row[0].clone(), header.iter().cloned().zip(row).collect())).collect()
    }

    fn executions(&self, out: &str) -> BTreeMap<String, u64> {
        let rows = self.stats(out).into_iter();
        rows.map(|(class, row)| (class, row["executions"].parse().unwrap())).collect()
    }

    /// All that was written, by path; the statistics without seconds.
    fn written(&self, out: &str) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.path().join(out)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(self.path().join(out)).unwrap().display().to_string();
                    files.insert(name, fs::read_to_string(&path).unwrap());
                }
            }
        }
        files.insert("pairs".into(), fs::read_to_string(self.path().join(format!("{out}.json"))).unwrap());
        let mut stats = self.stats(out);
        stats.values_mut().for_each(|row| drop(row.remove("seconds")));
        files.insert("stats".into(), format!("{stats:#?}"));
        files
    }
}

#[test]
fn the_same_seed_and_executions_give_the_same_bytes_whatever_the_number_of_workers() {
    for jdk in jdk_in_turn(1) {
        let project = Project::new(&jdk.home, &[("Tickets", TICKETS)], &[("TicketsTest", TICKETS_TEST)]);
        for jobs in ["1", "2", "3"] {
            project
                .augment(&format!("out{jobs}"), &["--max-executions", "600", "--seed", "7", "--jobs", jobs]);
        }
        let one = project.written("out1");
        assert!(one.keys().any(|name| name.ends_with("DynaflowTest.java")), "{:?}", one.keys());
        assert_eq!(one, project.written("out2"));
        assert_eq!(one, project.written("out3"));
    }
}

#[test]
fn all_classes_have_turns_and_no_more_sequences_run_than_allowed() {
    let (names, tests) = (["Door", "Gate", "Hatch"], ["DoorTest", "GateTest", "HatchTest"]);
    let classes = names.map(door);
    let seeds = names.map(door_test);
    let sources = |names: [&'static str; 3], texts: &[String; 3]| -> Vec<(&'static str, String)> {
        names.into_iter().zip(texts.iter().cloned()).collect()
    };
    let (classes, seeds) = (sources(names, &classes), sources(tests, &seeds));
    fn lent<'a>(all: &'a [(&'static str, String)]) -> Vec<(&'a str, &'a str)> {
        all.iter().map(|(name, text)| (*name, text.as_str())).collect()
    }
    let project = Project::new(&jdks()[0].home, &lent(&classes), &lent(&seeds));
    for most in [20_u64, 100, 450] {
        let out = format!("out{most}");
        let text = project.augment(&out, &["--max-executions", &most.to_string()]);
        let executions = project.executions(&out);
        let all: u64 = executions.values().sum();
        assert!(all <= most, "{executions:?}");
        assert!(executions.len() == 3 && executions.values().all(|&n| n > 0), "{executions:?}");
        assert!(
            text.contains(&format!("searching with {most} call sequences for all classes together")),
            "{text}"
        );
    }
}

/// A class that no test outside its package can name: each class's tests are its own, and the search for them ends soon.
fn hidden((package, class): (&str, &str)) -> String {
    format!(
        "package {package};
class {class} {{
    private boolean open;
    void unlock() {{ open = true; }}
    boolean pass() {{ return open; }}
}}
"
    )
}

fn hidden_test((package, class): (&str, &str)) -> String {
    door_test(class).replace("package demo;", &format!("package {package};"))
}

/// A JDK whose compiler takes so many seconds longer when it gets a source with this name.
fn with_slow_compiler(real: &Path, folder: &Path, source: &str, seconds: u32) -> PathBuf {
    let home = folder.join("slow");
    fs::create_dir_all(home.join("bin")).unwrap();
    for (from, to) in [(real.to_owned(), home.clone()), (real.join("bin"), home.join("bin"))] {
        for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
            if !["bin", "javac"].contains(&entry.file_name().to_str().unwrap()) {
                symlink(entry.path(), to.join(entry.file_name())).unwrap();
            }
        }
    }
    let javac = home.join("bin/javac");
    let script = format!(
        "#!/bin/sh\nfor a in \"$@\"; do case \"$a\" in @*) grep -q {source} \"${{a#@}}\" && sleep {seconds};; esac; done\nexec {}/bin/javac \"$@\"\n",
        real.display()
    );
    fs::write(&javac, script).unwrap();
    fs::set_permissions(&javac, fs::Permissions::from_mode(0o755)).unwrap();
    home
}

#[test]
fn a_class_whose_tests_are_not_compiled_in_time_is_named_and_the_others_tests_are_written() {
    let names = [("a", "Bolt"), ("b", "Latch"), ("c", "Lock")];
    let (classes, seeds) = (names.map(hidden), names.map(hidden_test));
    let project = Project::new(
        &jdks()[0].home,
        &[("Bolt", &classes[0]), ("Latch", &classes[1]), ("Lock", &classes[2])],
        &[("BoltTest", &seeds[0]), ("LatchTest", &seeds[1]), ("LockTest", &seeds[2])],
    );
    let home = project.home.canonicalize().unwrap();
    let slow = with_slow_compiler(&home, project.path(), "LatchDynaflowTest", 600);
    // Confined JVMs read the real one as a part of the class path.
    let real = format!(":{}", home.display());
    let patterns = ["--target", "*.*", "--seed-tests", "*.*Test"];
    let output = project.augment_of(&slow, &real, "out", &[&patterns[..], &["--budget", "15s"]].concat());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    let words = "error: augmenting b.Latch: cannot compile the generated tests: javac had not compiled 1 sources after 2";
    assert!(text.contains(words), "`{words}` is missing: {text}");
    let written = project.written("out");
    let tests: Vec<&String> = written.keys().filter(|name| name.ends_with("Test.java")).collect();
    assert_eq!(tests, ["a/BoltDynaflowTest.java", "c/LockDynaflowTest.java"], "{text}");
    let stats = project.stats("out");
    let dropped = |class: &str| stats[class]["dropped"].parse::<u64>().unwrap();
    assert!(dropped("b.Latch") > 0 && dropped("a.Bolt") == 0, "{stats:?}");
}

#[test]
fn the_tests_of_many_classes_are_checked_however_short_the_search_is() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h"].map(|package| (package, "Bolt"));
    let project = Project::new(&jdks()[0].home, &[], &[]);
    for name in names {
        // One file name in many packages: each is compiled before the next is written.
        project.javac("classes", &[("Bolt", &hidden(name))]);
        project.javac("tests", &[("BoltTest", &hidden_test(name))]);
    }
    let home = project.home.canonicalize().unwrap();
    // Eight times five seconds are more than the half minute that a search of fifteen seconds once left for checking.
    let slow = with_slow_compiler(&home, project.path(), "BoltDynaflowTest", 5);
    let patterns = ["--target", "*.*", "--seed-tests", "*.*Test"];
    let real = format!(":{}", home.display());
    let output = project.augment_of(&slow, &real, "out", &[&patterns[..], &["--budget", "15s"]].concat());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && !text.contains("are not written"), "{text}");
    // How far each gets in its share depends on the machine; that each has one does not.
    for (package, class) in names {
        assert!(text.contains(&format!("checking 1 tests of {package}.{class}")), "{package}: {text}");
    }
    assert_eq!(project.stats("out")["a.Bolt"]["tests_added"], "1", "{text}");
}

#[test]
fn a_class_is_searched_no_longer_than_its_own_budget_and_what_is_counted_is_said() {
    let (class, test) = (door("Door"), door_test("Door"));
    let (other, other_test) = (door("Gate"), door_test("Gate"));
    let project = Project::new(
        &jdks()[0].home,
        &[("Door", &class), ("Gate", &other)],
        &[("DoorTest", &test), ("GateTest", &other_test)],
    );
    let text = project.augment("out", &["--budget-per-class", "1s"]);
    for words in
        ["searching for 2.0 s (1.0 s for a class at most)", "not counted: recording the seeds", "checking"]
    {
        assert!(text.contains(words), "`{words}` is missing: {text}");
    }
}

#[test]
fn iterations_count_the_tests_that_were_written_and_not_those_that_were_dropped() {
    let project = Project::new(&jdks()[0].home, &[("Dice", DICE)], &[("DiceTest", DICE_TEST)]);
    project.augment("out", &["--max-executions", "600"]);
    let row = project.stats("out").remove("demo.Dice").unwrap();
    let number = |name: &str| row[name].parse::<u64>().unwrap();
    let text = fs::read(project.path().join("out.json")).unwrap();
    let document = dynaflow_objectives::read(&text).unwrap();
    let counted: u64 = document.iterations.iter().map(|iteration| iteration.tests_added).sum();
    assert!(number("dropped") > 0, "{row:?}");
    assert_eq!(counted, number("tests_added") + number("findings"), "{row:?}");
    let covered: u64 = document.iterations.iter().map(|iteration| iteration.covered_new).sum();
    assert_eq!((counted, covered), (1, 1), "{row:?}");
}

#[test]
fn assertions_of_the_tests_helpers_are_no_findings_and_those_of_the_program_are() {
    let tests = [("Checks", CHECKS), ("LockTest", LOCK_TEST)];
    let project = Project::new(&jdks()[0].home, &[("Lock", LOCK)], &tests);
    project.augment("out", &["--max-executions", "1500"]);
    let files = project.written("out");
    let found: Vec<&String> = files
        .iter()
        .filter(|(name, _)| name.ends_with("DynaflowFailures.java"))
        .map(|(_, text)| text)
        .collect();
    assert!(found.iter().any(|text| text.contains("it is worn") || text.contains("turns()")), "{files:#?}");
    for text in found {
        assert!(!text.contains("Checks."), "{text}");
    }
}
