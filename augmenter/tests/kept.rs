//! Which tests `dynaflow augment` writes and which it leaves out: few, those for all pairs, all; what the program refuses on purpose is
//! pinned and what it fails at is a finding, once.
//!
//! Knows nothing of the search. Invariant: every program here is made for the test, and small.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod common;
mod jvm_support;

use dynaflow_model::obstacle::Obstacle;
use dynaflow_objectives::{PairText, PairsDocument, Status};
use jvm_support::{jar, jdk_in_turn, jdks};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Few sites, each reached by several ways: many pairs.
const COUNTER: &str = "package demo;
public class Counter {
    private int n;
    private int seen;
    private boolean high;
    public void add() { n = n + 1; }
    public void twice() { add(); add(); }
    public void reset() { n = 0; }
    public void restart() { reset(); }
    public int value() { if (n > 0) { high = true; } return n; }
    public boolean high() { return high; }
    public int show() { seen = value(); return seen; }
    public int last() { return seen; }
}
";

/// Refuses on purpose what is done to it in two ways.
const DOOR: &str = "package demo;
public class Door {
    private boolean locked;
    public void lock() { locked = true; }
    public void slam() { lock(); }
    public int open() {
        if (locked) {
            throw new IllegalStateException(\"locked\");
        }
        return 1;
    }
}
";

/// Checks what it has by a method of the JDK.
const SLOT: &str = "package demo;
public class Slot {
    private Object held = \"\";
    public void clear() { held = null; }
    public int take() { return java.util.Objects.requireNonNull(held, \"nothing held\").hashCode() == 0 ? 1 : 2; }
}
";

/// Has no text once it was cleared, in two ways: a fault.
const BOX: &str = "package demo;
public class Box {
    private String label = \"\";
    public void clear() { label = null; }
    public void wipe() { clear(); }
    public int size() { return label.length(); }
}
";

/// Has no text when a framework made it.
const CRATE: &str = "package demo;
public class Crate {
    private String label;
    private int asked;
    Crate() { asked = 1; }
    public Crate(String label) { this.label = label; }
    public int size() { asked = asked + 1; return label.length(); }
}
";

/// Has no text when it was given none.
const TAG: &str = "package demo;
public class Tag {
    private String label = \"\";
    public void name(String text) { label = text; }
    public int size() { return label.length(); }
}
";

/// Names a method of what it was given, which the compiler has checked to be there.
const BOLT: &str = "package demo;
public class Bolt {
    private final String name;
    private int turns;
    public Bolt() { this(\"oak\"); }
    public Bolt(String name) { this.name = name; }
    public java.util.function.Supplier<String> trimmed() { turns = turns + 1; return name::trim; }
    public int turns() { return turns; }
}
";

/// A record that changes one of its components, and leaves the other to the compiler.
const MARK: &str = "package demo;
public record Mark(String unit, int amount) {
    public Mark {
        unit = unit.trim();
    }
    public Mark() { this(\" kg\", 3); }
}
";

/// Takes texts and numbers, in containers that are alike once their type arguments are gone.
const SHELF: &str = "package demo;
import java.util.List;
public class Shelf {
    private List<String> names = List.of();
    private List<Integer> counts = List.of();
    public void name(List<String> given) { names = given; }
    public void count(List<Integer> given) { counts = given; }
    public int width() {
        int width = 0;
        for (String name : names) { width += name.length(); }
        return width;
    }
    public int total() {
        int total = 0;
        for (int count : counts) { total += count; }
        return total;
    }
}
";

/// Needs another class once it is on.
const LAMP: &str = "package demo;
public class Lamp {
    private boolean on;
    public void turn() { on = !on; }
    public int glow() { return on ? Bulb.watts() : 0; }
    public boolean isOn() { return on; }
}
class Bulb {
    static int watts() { return 5; }
}
";

/// Has a call that one short test notices the loss of, and seeds that come there by a long way.
const DIAL: &str = "package demo;
public class Dial {
    private int value;
    private int steps;
    private int shown;
    public void add(int n) { value += n; steps++; }
    public void twice(int n) { add(n); add(n); }
    public void more() { twice(1); }
    public void reset() { value = 0; }
    public void restart() { reset(); steps = 0; }
    public int value() { return value; }
    public int steps() { return steps; }
    public int total() { return value() + steps(); }
    public void show() { shown = total(); }
    public int shown() { return shown; }
}
";

/// Shows where it is only by a call that moves it on.
const REEL: &str = "package demo;
public class Reel {
    private int at;
    public void wind() { at = at + 1; }
    public void rewind() { at = 0; }
    public int next() { at = at + 3; return at; }
}
";

/// Shows nothing of what it holds, and gives itself.
const SINK: &str = "package demo;
public class Sink {
    private int held;
    public Sink pour() { held = held + 1; return this; }
    public Sink drain() { held = 0; return this; }
}
";

/// Has a definition whose value closes the guard of a use, and one that a call which uses it overwrites before.
const GATE: &str = "package demo;
public class Gate {
    private int count;
    private String last = \"\";
    public void add() { count = count + 1; }
    public void reset() { count = 0; }
    public void forget() { last = null; }
    public int half() { return count > 0 ? count / 2 : -1; }
    public int show() { if (last == null) { fill(); } return last.length(); }
    private void fill() { last = \"-\"; }
}
";

/// Counts what ends with an exception, one that it throws on purpose and one that is a slip.
const SAFE: &str = "package demo;
public class Safe {
    private int tries;
    private int jams;
    public void open(int code) {
        tries = tries + 1;
        if (code != 7) {
            throw new IllegalArgumentException(\"wrong code\");
        }
        tries = 0;
    }
    public void jam(String key) {
        jams = jams + 1;
        key.length();
        jams = 0;
    }
    public int tries() { return tries; }
    public int jams() { return jams; }
}
";

/// Refuses two calls once it is locked, and has a slip once it was cleared.
const LATCH: &str = "package demo;
public class Latch {
    private boolean locked;
    private String name = \"\";
    public void lock() { locked = true; }
    public void clear() { name = null; }
    public int open() {
        if (locked) {
            throw new IllegalStateException(\"locked\");
        }
        return 1;
    }
    public int close() {
        if (locked) {
            throw new UnsupportedOperationException(\"locked\");
        }
        return 2;
    }
    public int size() { return name.length(); }
}
";

/// Seeds of the latch that expect one of its refusals, and its slip.
const LOCKED: &str =
    "lock(); Latch l = new Latch(); l.lock(); try { l.open(); } catch (IllegalStateException expected) { }";
const CLEARED: &str =
    "lock(); Latch l = new Latch(); l.clear(); try { l.size(); } catch (NullPointerException expected) { }";

/// What a seed of the safe does beside making it.
const WRONG: &str = "jams(); try { new Safe().open(3); } catch (IllegalArgumentException wrong) { }";
const JAMMED: &str = "tries(); try { new Safe().jam(null); } catch (NullPointerException jammed) { }";

/// What a seed of the dial does beside making it.
const DIALLING: &str = "add(1); Dial d = new Dial(); d.add(1); d.more(); d.value(); d.steps(); d.reset(); d.add(3); d.restart(); d.steps(); d.add(3)";

/// The classes, with what each of their seed tests does.
const PROGRAM: &[(&str, &str, &[&str])] = &[
    (
        "Counter",
        COUNTER,
        &["add()", "twice()", "reset()", "restart()", "value()", "high()", "show()", "last()"],
    ),
    ("Door", DOOR, &["lock()", "slam()", "open()"]),
    ("Slot", SLOT, &["clear()", "take()"]),
    ("Box", BOX, &["clear()", "wipe()", "size()"]),
    ("Crate", CRATE, &["toString(); new Crate(\"oak\").size()"]),
    ("Tag", TAG, &["name(null)", "size()"]),
    ("Bolt", BOLT, &["trimmed()", "turns(); new Bolt(null).turns()"]),
    ("Mark", MARK, &["amount()"]),
    ("Dial", DIAL, &[DIALLING, "show(); new Dial().total()"]),
    ("Reel", REEL, &["wind()", "rewind()", "next()"]),
    ("Sink", SINK, &["pour()", "drain()"]),
    (
        "Gate",
        GATE,
        &["reset()", "forget()", "half()", "show()", "add(); Gate g = new Gate(); g.add(); g.half()"],
    ),
    ("Safe", SAFE, &[WRONG, JAMMED]),
    ("Latch", LATCH, &[LOCKED, CLEARED, "open()", "close()", "size()"]),
    ("Lamp", LAMP, &["turn()", "glow()", "isOn()"]),
    (
        "Shelf",
        SHELF,
        &["name(java.util.List.of(\"oak\"))", "count(java.util.List.of(7))", "width()", "total()"],
    ),
];

/// A program with its seeds, in a folder of its own.
struct Project {
    home: PathBuf,
    folder: TempDir,
    tests: String,
}

impl Project {
    /// With these classes of [`PROGRAM`].
    fn of(home: &Path, names: &[&str]) -> Self {
        let junit = [PathBuf::from("tests"), jar("junit-4.13.2"), jar("hamcrest-core-1.3")];
        let tests = std::env::join_paths(junit).unwrap().into_string().unwrap();
        let project = Self { home: home.to_owned(), folder: tempfile::tempdir().unwrap(), tests };
        for (class, source, calls) in PROGRAM.iter().filter(|(class, _, _)| names.contains(class)) {
            project.javac("classes", class, source);
            let each = calls.iter().enumerate();
            let methods: Vec<String> = each
                .map(|(n, call)| {
                    format!("    @org.junit.Test public void t{n}() {{ new {class}().{call}; }}\n")
                })
                .collect();
            let test = format!("{class}Test");
            let source = format!("package demo;\npublic class {test} {{\n{}}}\n", methods.concat());
            project.javac("tests", &test, &source);
        }
        project
    }

    fn javac(&self, out: &str, class: &str, source: &str) {
        let file = format!("{class}.java");
        fs::write(self.folder.path().join(&file), source).unwrap();
        let mut javac = jvm_support::javac(&self.home);
        javac.current_dir(self.folder.path()).args(["-g", "-d", out, "-cp"]);
        assert!(javac.arg(format!("classes:{}", self.tests)).arg(file).status().unwrap().success());
    }

    /// Augments a class, or all (`*`); it succeeds.
    fn augment(&self, target: &str, keep: &str) -> Ran {
        self.augment_with(target, keep, &[])
    }

    /// The same with more options.
    fn augment_with(&self, target: &str, keep: &str, more: &[&str]) -> Ran {
        let out = format!("{}-{keep}", target.replace('*', "every"));
        let path = |end: &str| format!("{out}{end}");
        let (root, seeds) = (format!("demo.{target}"), format!("demo.{target}Test"));
        let output = Command::new(env!("CARGO_BIN_EXE_dynaflow"))
            .current_dir(self.folder.path())
            .env("DYNAFLOW_AGENT", agent_support::agent())
            .env("JAVA_HOME", &self.home)
            .args(["augment", "--class-path", "classes", "--target", &root, "--seed-tests", &seeds])
            .args(["--test-class-path", &self.tests, "--keep", keep, "--max-executions", "1500"])
            .args(["--out", &out, "--json", &path(".json"), "--stats", &path(".csv")])
            .args(more)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{text}");
        let folder = self.folder.path();
        let document = fs::read(folder.join(path(".json"))).unwrap();
        common::valid(&document, "pairs.v2.schema.json");
        Ran {
            text,
            document: dynaflow_objectives::read(&document).unwrap(),
            stats: stats(&fs::read_to_string(folder.join(path(".csv"))).unwrap()),
            files: files(&folder.join(&out)),
        }
    }
}

/// All files below a folder.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let (mut files, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                files.insert(name, fs::read_to_string(path).unwrap());
            }
        }
    }
    files
}

/// The rows by class, the cells by column.
fn stats(text: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let head = lines.next().unwrap();
    lines.map(|row| (row[0].clone(), head.iter().cloned().zip(row).collect())).collect()
}

/// What one run left.
struct Ran {
    text: String,
    document: PairsDocument,
    stats: BTreeMap<String, BTreeMap<String, String>>,
    files: BTreeMap<String, String>,
}

impl Ran {
    fn figure(&self, class: &str, column: &str) -> usize {
        self.stats[&format!("demo.{class}")][column].parse().unwrap()
    }

    fn figures<const N: usize>(&self, class: &str, columns: [&str; N]) -> [usize; N] {
        columns.map(|column| self.figure(class, column))
    }

    fn green(&self, class: &str) -> &str {
        self.files.get(&format!("{class}DynaflowTest.java")).map_or("", String::as_str)
    }

    fn findings(&self, class: &str) -> &str {
        self.files.get(&format!("{class}DynaflowFailures.java")).map_or("", String::as_str)
    }

    /// The sites that the suite covers: the last steps of variables, with the places of definition and use.
    fn sites(&self) -> BTreeSet<String> {
        let place = |class: &str, method: &str, offset: u32| format!("{class}.{method}@{offset}");
        let site = |pair: &PairText| {
            let (definition, usage) = (&pair.definition, &pair.usage);
            let definition = place(&definition.class, &definition.method, definition.offset);
            let usage = place(&usage.class, &usage.method, usage.offset);
            format!("{} {definition} {usage}", pair.variable.rsplit('.').next().unwrap())
        };
        let covered = self.document.pairs.iter().filter(|pair| pair.status == Status::Covered);
        covered.map(site).collect()
    }
}

#[test]
fn few_tests_cover_every_site_and_those_for_all_pairs_every_pair() {
    let project = Project::of(&jdks()[0].home, &["Counter"]);
    // Mutants earn tests a place of their own, and assertions that notice them run pairs, too.
    let [few, pairs, all] =
        ["few", "pairs", "all"].map(|keep| project.augment_with("Counter", keep, &["--no-mutants"]));
    let added = |ran: &Ran| ran.figure("Counter", "tests_added");
    assert!(added(&few) < added(&pairs), "{} {}", few.text, pairs.text);
    assert!(added(&pairs) < added(&all), "{} {}", pairs.text, all.text);
    assert_eq!(few.sites(), all.sites());
    let covered = |ran: &Ran| ran.figure("Counter", "pairs");
    assert_eq!(covered(&pairs), covered(&all));
    assert!(covered(&few) < covered(&all));
    // What was left out is in the document by whom, and neither covered nor an objective that waits.
    for ran in [&few, &pairs] {
        assert_eq!(ran.figure("Counter", "left_out"), added(&all) - added(ran), "{}", ran.text);
    }
    assert_eq!(few.figure("Counter", "only_left_out"), covered(&all) - covered(&few));
    assert_eq!(few.figure("Counter", "open"), all.figure("Counter", "open"));
    let ids: Vec<&String> = few.document.left_out.iter().flat_map(|left_out| &left_out.pairs).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "each once");
    assert_eq!(ids.len(), few.figure("Counter", "only_left_out"));
    let status =
        |ran: &Ran, id: &str| ran.document.pairs.iter().find(|pair| pair.id == id).map(|pair| pair.status);
    for id in ids {
        assert_ne!(status(&few, id), Some(Status::Covered), "{id}");
        assert_eq!(status(&all, id), Some(Status::Covered), "{id}");
    }
    assert!(few.document.left_out.iter().all(|left_out| left_out.calls.contains(&"<init>".to_owned())));
    assert!(all.document.left_out.is_empty() && pairs.document.left_out.is_empty());
}

#[test]
fn a_chosen_test_has_no_statement_that_what_it_is_chosen_for_does_not_need() {
    let ran = Project::of(&jdks()[0].home, &["Dial"]).augment("Dial", "few");
    let written = ran.green("Dial");
    let after = written.split("removed call to Dial.reset in Dial.restart").nth(1).unwrap_or_default();
    let statements: Vec<&str> = after
        .lines()
        .map(str::trim)
        .skip_while(|line| !line.contains("void "))
        .skip(1)
        .take_while(|line| *line != "}")
        .collect();
    let expected =
        ["Dial dial = new Dial();", "dial.add(1);", "dial.restart();", "assertEquals(0, dial.total());"];
    assert_eq!(statements, expected, "{written}");
}

#[test]
fn a_test_goes_on_after_an_exception_that_is_thrown_on_purpose_and_not_after_one_that_is_a_slip() {
    for jdk in jdk_in_turn(2) {
        let project = Project::of(&jdk.home, &["Safe"]);
        let ran = project.augment_with("Safe", "pairs", &["--no-mutants", "--algorithm", "random"]);
        let body = "        Safe safe = new Safe();
        assertThrows(IllegalArgumentException.class, () -> safe.open(3));
        assertEquals(\"wrong code\", assertThrows(IllegalArgumentException.class, () -> safe.open(3)).getMessage());
        assertEquals(2, safe.tries());
    }
";
        assert!(ran.green("Safe").contains(body), "{}", ran.green("Safe"));
        assert!(!ran.findings("Safe").contains("assertThrows"), "{}", ran.findings("Safe"));
        let of_jams =
            |id: &str| ran.document.pairs.iter().any(|pair| pair.id == id && pair.variable == "jams");
        let why = ran.document.obstacles.iter().filter(|why| of_jams(&why.pair));
        let why: Vec<Obstacle> = why.map(|why| why.obstacle).collect();
        assert_eq!(why, [Obstacle::Stopped; 2], "{}", ran.text);
    }
}

#[test]
fn a_test_that_shows_nothing_goes_on_to_a_call_that_does_and_without_one_it_is_not_written() {
    let project = Project::of(&jdks()[0].home, &["Reel", "Sink"]);
    let ran = project.augment_with("Reel", "few", &["--no-mutants"]);
    let (written, flow) = (ran.green("Reel"), "rewind() sets Reel.at (line 5); wind() must see it (line 4)");
    let test = written.split(flow).nth(1).and_then(|test| test.split("    }\n").next()).unwrap_or_default();
    let end = "reel.rewind();\n        reel.wind();\n        assertEquals(4, reel.next());\n";
    assert!(test.ends_with(end), "{written}");
    for test in written.split("@Test").skip(1) {
        assert!(test.contains("assertEquals("), "{test}");
    }
    let [few, all] = ["few", "all"].map(|keep| project.augment_with("Sink", keep, &["--no-mutants"]));
    assert_eq!(few.figures("Sink", ["tests_added", "left_out"]), [0, all.figure("Sink", "tests_added")]);
    assert!(all.green("Sink").contains("assertSame(sink, sink."), "{}", all.green("Sink"));
}

#[test]
fn what_the_program_refuses_is_pinned_once_and_what_it_fails_at_is_one_finding_by_weight() {
    for jdk in jdk_in_turn(1) {
        let project = Project::of(&jdk.home, &["Door", "Slot", "Box", "Crate", "Tag", "Bolt"]);
        let columns = ["refusals", "faults", "suspicious", "findings"];
        let few = |class: &str, figures: [usize; 4]| {
            let ran = project.augment(class, "few");
            assert_eq!(ran.figures(class, columns), figures, "{}", ran.text);
            ran
        };
        let door = few("Door", [1, 0, 0, 0]);
        let slot = few("Slot", [1, 0, 0, 0]);
        let boxed = few("Box", [0, 1, 0, 1]);
        few("Crate", [0, 0, 1, 1]);
        let tag = few("Tag", [0, 0, 1, 1]);
        few("Bolt", [0, 0, 0, 0]);
        let door = door.green("Door");
        assert_eq!(door.matches("assertThrows(IllegalStateException.class, ").count(), 1, "{door}");
        assert!(
            door.contains("    // refuses: java.lang.IllegalStateException in demo.Door.open:8\n"),
            "{door}"
        );
        let slot = slot.green("Slot");
        assert!(slot.contains("assertThrows(NullPointerException.class, "), "{slot}");
        assert!(boxed.text.contains("1 findings: 1 faults, 0 suspicious;"), "{}", boxed.text);
        let fault = "    // fault: java.lang.NullPointerException in demo.Box.size:6; 1 other call sequence ends so\n";
        // Which of the two ways is found first differs between JDKs.
        let flows = ["wipe", "clear"].map(|way| {
            format!("{fault}    // {way}() sets Box.label (line 4); size() must see it (line 6)\n")
        });
        let boxed = boxed.findings("Box").replace("\n    //     ", " ");
        let is_said = flows.iter().any(|flow| boxed.contains(flow));
        assert!(is_said && boxed.matches("@Test").count() == 1, "{boxed}");
        let tag = tag.findings("Tag").replace("\n    //     ", " ");
        let of_null = "java.lang.NullPointerException of null passed to demo.Tag.name(String)";
        let suspicious = format!("    // suspicious: {of_null}; in demo.Tag.size:5\n");
        assert!(tag.contains(&suspicious), "{tag}");
    }
}

#[test]
fn of_a_record_what_the_program_changes_earns_a_test_and_what_the_compiler_wrote_none() {
    for jdk in jdk_in_turn(2) {
        let ran = Project::of(&jdk.home, &["Mark"]).augment("Mark", "few");
        let green = ran.green("Mark");
        // Of two components one is assigned by the compiler alone: there is no second mutant.
        assert!(
            green.contains("    // notices: removed assignment to Mark.unit in Mark.<init> (line 3)\n"),
            "{}\n{green}",
            ran.text
        );
        assert_eq!(ran.figures("Mark", ["tests_added", "mutants_reached"]), [1, 1], "{}", ran.text);
    }
}

#[test]
fn what_a_seed_expects_to_be_thrown_earns_no_test_and_is_no_finding() {
    for jdk in jdk_in_turn(3) {
        let ran = Project::of(&jdk.home, &["Latch"]).augment("Latch", "few");
        assert_eq!(ran.figures("Latch", ["refusals", "faults", "suspicious"]), [1, 0, 0], "{}", ran.text);
        let green = ran.green("Latch");
        assert!(
            green.contains("// refuses: java.lang.UnsupportedOperationException in demo.Latch.close:15"),
            "{green}"
        );
    }
}

#[test]
fn what_ends_as_the_class_path_lacks_a_class_is_no_finding_and_the_class_is_named() {
    let project = Project::of(&jdks()[0].home, &["Lamp"]);
    fs::remove_file(project.folder.path().join("classes/demo/Bulb.class")).unwrap();
    let ran = project.augment("Lamp", "few");
    assert_eq!(ran.figure("Lamp", "findings"), 0, "{}", ran.text);
    let said = "it needs demo.Bulb, which is not on the class path; add what has it to --class-path";
    assert!(ran.text.contains(said), "{}", ran.text);
    assert!(ran.green("Lamp").contains("assertTrue(lamp.isOn())"), "{}", ran.text);
    assert!(!ran.green("Lamp").contains("NoClassDefFoundError"), "{}", ran.green("Lamp"));
}

#[test]
fn all_tests_pin_a_refusal_as_often_as_it_was_met_and_reveal_a_failure_once() {
    let project = Project::of(&jdks()[0].home, &["Door", "Box"]);
    let doors = project.augment("Door", "all");
    let door = doors.green("Door");
    assert_eq!(door.matches("assertThrows(IllegalStateException.class, ").count(), 2, "{door}");
    assert_eq!(doors.figures("Door", ["refusals", "findings", "left_out"]), [2, 0, 0]);
    let boxes = project.augment("Box", "all");
    assert_eq!(boxes.figures("Box", ["faults", "left_out"]), [1, 1], "{}", boxes.text);
}

#[test]
fn the_statistics_count_every_pair_once() {
    let project = Project::of(&jdks()[0].home, &["Counter", "Box"]);
    let few = project.augment("*", "few");
    for class in ["Counter", "Box"] {
        let [pairs, seeds, covered, unforeseen] =
            few.figures(class, ["pairs", "seed_pairs", "covered", "unforeseen"]);
        assert_eq!(pairs, seeds + covered + unforeseen, "{:?}", few.stats);
        let [findings, faults, suspicious] = few.figures(class, ["findings", "faults", "suspicious"]);
        assert_eq!(findings, faults + suspicious);
        let status = |status| {
            let of_class = few.document.pairs.iter().filter(|pair| pair.root == format!("demo.{class}"));
            of_class.filter(|pair| pair.status == status).count()
        };
        let [apart, left_out, open, objectives] =
            few.figures(class, ["only_in_findings", "only_left_out", "open", "objectives"]);
        assert_eq!(status(Status::Covered), pairs + apart, "{:?}", few.stats);
        assert!(status(Status::Objective) <= open + left_out, "{:?}", few.stats);
        assert!(
            covered + open <= objectives && objectives <= covered + open + apart + left_out,
            "{:?}",
            few.stats
        );
    }
    // Only the finding sees what is defined when it is cleared.
    assert_eq!(few.figures("Box", ["pairs", "covered", "only_in_findings"]), [1, 0, 1], "{:?}", few.stats);
}

#[test]
fn each_objective_that_is_open_in_the_end_has_its_obstacle() {
    let project = Project::of(&jdks()[0].home, &["Gate"]);
    let ran = project.augment("Gate", "few");
    let obstacle = |pair: &PairText| {
        let met = ran.document.obstacles.iter().find(|met| met.pair == pair.id).unwrap();
        let (definition, usage) = (&pair.definition.method, &pair.usage.method);
        assert!(!met.elsewhere, "nobody executes these instructions together");
        format!("{} of {definition} to {usage}: {}", pair.variable, met.obstacle.word())
    };
    let open = ran.document.pairs.iter().filter(|pair| pair.status == Status::Objective);
    let open: BTreeSet<String> = open.map(obstacle).collect();
    let expected = ["count of reset()V to half()I: infeasible", "last of forget()V to show()I: overwritten"];
    assert_eq!(open, BTreeSet::from(expected.map(str::to_owned)), "{}", ran.text);
    assert_eq!(ran.document.obstacles.len(), 2);
    assert_eq!(ran.stats["demo.Gate"]["open_by_obstacle"], "infeasible 1; overwritten 1");
    let line = "why 2 objectives are open: 1 out of reach, as the defined value keeps execution from the use, 1 whose definition";
    assert!(ran.text.contains(line), "{}", ran.text);
}

#[test]
fn a_second_run_writes_the_same_bytes_and_finds_nothing_once_more() {
    let project = Project::of(&jdks()[0].home, &["Counter", "Door", "Box", "Tag"]);
    let first = project.augment("*", "few");
    let second = project.augment("*", "few");
    assert_eq!(first.files, second.files);
    for class in ["Counter", "Door", "Box", "Tag"] {
        let columns = ["tests_added", "refusals", "findings"];
        assert_eq!(second.figures(class, columns), [0, 0, 0], "{class}: {}", second.text);
        assert_eq!(second.figure(class, "pairs"), first.figure(class, "pairs"), "{class}");
    }
}

#[test]
fn a_call_that_no_typed_program_makes_is_not_made() {
    for home in jdk_in_turn(0) {
        let ran = Project::of(&home.home, &["Shelf"]).augment("Shelf", "few");
        let text = format!("{}{}", ran.green("Shelf"), ran.findings("Shelf"));
        assert!(ran.green("Shelf").contains("width()"), "{}", ran.text);
        assert!(!text.contains("ClassCastException"), "{text}");
        assert_eq!(ran.figures("Shelf", ["faults", "suspicious", "refusals"]), [0; 3], "{text}");
        assert_eq!(ran.figure("Shelf", "dropped"), 0, "{}", ran.text);
    }
}
