//! What the tests that `dynaflow augment` writes assert: the state that their pair is about, through the inspectors that read it.
//!
//! Knows nothing of how inspectors are found. Invariant: every program here is made for the test, and small; what is written compiles without
//! a warning and passes.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;

use jvm_support::{jar, jdk_in_turn, jdks};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// What was put into it is what counts; its title never changes.
const BASKET: &str = "package demo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
public class Basket {
    private final List<String> entries = new ArrayList<>();
    private String title = \"basket\";
    private boolean sealed;
    private int asked;
    public void add(String entry) {
        if (sealed) { throw new IllegalStateException(\"the basket is sealed\"); }
        entries.add(entry);
    }
    public void seal() { sealed = true; }
    public String getAbout() { return title; }
    public int getAsked() { return ++asked; }
    public boolean isSealed() { return sealed; }
    public boolean holds(String entry) { return entries.contains(entry); }
    public List<String> getEntries() { return Collections.unmodifiableList(entries); }
}
";

const BASKET_TEST: [&str; 4] = [
    "new Basket().add(\"plum\");",
    "Basket b = new Basket(); b.getEntries(); b.holds(\"fig\"); b.getAbout();",
    "new Basket().seal();",
    "new Basket().isSealed();",
];

/// What counts lies behind two objects.
const ORDER: &str = "package demo;
public class Order {
    public static class Customer {
        private String name = \"nobody\";
        public void rename(String next) { name = next; }
        public String getName() { return name; }
    }
    private final Customer customer = new Customer();
    public void sellTo(String name) { customer.rename(name); }
    public Customer getCustomer() { return customer; }
    public boolean isSold() { return customer.getName().length() > 6; }
}
";

const ORDER_TEST: [&str; 3] =
    ["new Order().sellTo(\"ann\");", "new Order().isSold();", "new Order().getCustomer().getName();"];

/// What counts lies in the elements of a list, and in an array.
const FLEET: &str = "package demo;
import java.util.ArrayList;
import java.util.List;
public class Fleet {
    public static class Ship {
        private final String name;
        private int crew;
        Ship(String name) { this.name = name; }
        public String getName() { return name; }
        public int getCrew() { return crew; }
    }
    private final List<Ship> ships = new ArrayList<>();
    private final int[] berths = new int[3];
    private int last;
    public void launch(String name) { ships.add(new Ship(name)); }
    public void board(int crew) { for (Ship ship : ships) { ship.crew += crew; } }
    public void report() { int all = 0; for (Ship ship : ships) { all += ship.crew; } last = all; }
    public List<Ship> getShips() { return ships; }
    public void moor(int ships) { berths[1] = ships; }
    public int[] getBerths() { return berths.clone(); }
    public int moored() { return berths[1]; }
}
";

const FLEET_TEST: [&str; 5] = [
    "new Fleet().launch(\"elk\");",
    "Fleet f = new Fleet(); f.launch(\"elk\"); f.board(4);",
    "Fleet f = new Fleet(); f.launch(\"elk\"); f.report(); f.getShips().get(0).getCrew(); f.getShips().get(0).getName();",
    "new Fleet().moor(2);",
    "Fleet f = new Fleet(); f.moored(); f.getBerths();",
];

/// Its setters give it back, and what it is given it gives back.
const CART: &str = "package demo;
public class Cart {
    public static class Owner {
        private final String name;
        public Owner(String name) { this.name = name; }
        public String getName() { return name; }
    }
    private String label = \"none\";
    private int wheels;
    private Owner owner;
    private static int made;
    private final int serial = ++made;
    public Cart label(String label) { this.label = label; return this; }
    public Cart wheels(int wheels) { this.wheels = wheels; return this; }
    public Cart ownedBy(Owner owner) { this.owner = owner; return this; }
    public Cart copy() { return new Cart().label(label).wheels(wheels); }
    public Owner getOwner() { return owner; }
    public String getId() { return label + wheels; }
    public String getTag() { return label + System.identityHashCode(this); }
    public int getSerialId() { return serial; }
}
";

const CART_TEST: [&str; 5] = [
    "new Cart().label(\"red\");",
    "new Cart().wheels(4);",
    "new Cart().ownedBy(new Cart.Owner(\"ann\"));",
    "Cart c = new Cart(); c.getOwner(); c.getId(); c.getTag(); c.getSerialId();",
    "new Cart().copy(); new Cart.Owner(\"bob\").getName();",
];

/// What counts lies in a map.
const SCALE: &str = "package demo;
import java.util.Map;
import java.util.TreeMap;
public class Scale {
    private final Map<String, Integer> weights = new TreeMap<>();
    public Scale() { weights.put(\"empty\", 0); }
    public void weigh(String name, int weight) { weights.put(name, weight); }
    public Map<String, Integer> getWeights() { return weights; }
}
";

const SCALE_TEST: [&str; 2] = ["new Scale().weigh(\"plum\", 3);", "new Scale().getWeights();"];

/// What counts lies in lists in a map.
const INDEX: &str = "package demo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
public class Index {
    private final Map<String, List<String>> pages = new TreeMap<>();
    public void add(String word, String page) { pages.computeIfAbsent(word, key -> new ArrayList<>()).add(page); }
    public Map<String, List<String>> getPages() { return pages; }
}
";

const INDEX_TEST: [&str; 2] = ["new Index().add(\"elk\", \"seven\");", "new Index().getPages();"];

/// What it comes to is a number of the JDK, and so is the day.
const BILL: &str = "package demo;
import java.math.BigDecimal;
import java.time.LocalDate;
public class Bill {
    private BigDecimal sum = BigDecimal.ZERO;
    private LocalDate due = LocalDate.of(2020, 2, 28);
    public void add(String price, int times) { sum = sum.add(new BigDecimal(price).multiply(BigDecimal.valueOf(times))); }
    public void postpone(int days) { due = due.plusDays(days); }
    public BigDecimal getSum() { return sum; }
    public LocalDate getDue() { return due; }
}
";

const BILL_TEST: [&str; 4] = [
    "new Bill().add(\"1.50\", 3);",
    "new Bill().postpone(2);",
    "new Bill().getSum();",
    "new Bill().getDue();",
];

/// A test class with a test of each body.
fn tests(name: &str, bodies: &[&str]) -> String {
    let tests: Vec<String> = (0..)
        .zip(bodies)
        .map(|(n, body)| format!("    @org.junit.Test public void t{n}() {{ {body} }}\n"))
        .collect();
    format!("package demo;\npublic class {name} {{\n{}}}\n", tests.concat())
}

/// A class under test in a folder of its own, with seeds.
struct Lab {
    home: PathBuf,
    folder: TempDir,
    junit: Vec<PathBuf>,
}

impl Lab {
    fn new(home: &Path, class: &str, source: &str, seeds: &[&str]) -> Self {
        Self::of_java(home, class, source, seeds, &[])
    }

    /// With seeds that are compiled with these options.
    fn of_java(home: &Path, class: &str, source: &str, seeds: &[&str], options: &[&str]) -> Self {
        let junit = vec![jar("junit-4.13.2"), jar("hamcrest-core-1.3")];
        let lab = Self { home: home.to_owned(), folder: tempfile::tempdir().unwrap(), junit };
        lab.javac("classes", &format!("{class}.java"), source, &[]);
        lab.javac("tests", &format!("{class}Test.java"), &tests(&format!("{class}Test"), seeds), options);
        lab
    }

    fn class_path(&self) -> std::ffi::OsString {
        let own = ["classes", "tests"].map(PathBuf::from);
        std::env::join_paths(own.iter().chain(&self.junit)).unwrap()
    }

    fn javac(&self, out: &str, file: &str, source: &str, options: &[&str]) {
        let path = self.folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, source).unwrap();
        let mut javac = jvm_support::javac(&self.home);
        javac.current_dir(self.folder.path()).args(options).args(["-g", "-d", out, "-cp"]);
        let output = javac.arg(self.class_path()).arg(file).output().unwrap();
        assert!(output.status.success(), "{}\n{source}", String::from_utf8_lossy(&output.stderr));
    }

    /// The green tests that are added for the class. They compile without a warning, and pass.
    fn augmented(&self, class: &str) -> String {
        let output = Command::new(env!("CARGO_BIN_EXE_dynaflow"))
            .current_dir(self.folder.path())
            .env("DYNAFLOW_AGENT", agent_support::agent())
            .env("JAVA_HOME", &self.home)
            .args(["augment", "--class-path", "classes", "--target"])
            .arg(format!("demo.{class}"))
            .args([
                "--seed-tests",
                "demo.*Test",
                "--out",
                "out",
                "--max-executions",
                "300",
                "--test-class-path",
            ])
            .arg(self.class_path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        let file = format!("out/demo/{class}DynaflowTest.java");
        let text = fs::read_to_string(self.folder.path().join(&file)).unwrap();
        let strict = ["-Xlint:all", "-Xlint:-processing,-classfile,-path,-serial,-static", "-Werror"];
        self.javac("tests", &file, &text, &strict);
        let mut java = Command::new(self.home.join("bin/java"));
        java.current_dir(self.folder.path()).arg("-cp").arg(self.class_path());
        let ran = java.arg("org.junit.runner.JUnitCore").arg(format!("demo.{class}DynaflowTest")).output();
        let ran = ran.unwrap();
        assert!(ran.status.success(), "{}\n{text}", String::from_utf8_lossy(&ran.stdout));
        text
    }
}

/// The tests the first line of whose comment mentions all of these.
fn about<'t>(text: &'t str, words: &[&str]) -> Vec<&'t str> {
    let parts = text.split("\n    }\n").filter_map(|part| Some(part.split_once("    // ")?.1));
    let is_about = |part: &&str| words.iter().all(|word| part.lines().next().unwrap().contains(word));
    parts.filter(is_about).collect()
}

#[test]
fn what_was_added_is_asserted_and_nothing_that_has_nothing_to_do_with_it() {
    for jdk in jdk_in_turn(0) {
        let text = Lab::new(&jdk.home, "Basket", BASKET, &BASKET_TEST).augmented("Basket");
        let added = about(&text, &["add() changes Basket.entries.[] "]);
        assert!(!added.is_empty(), "{text}");
        for test in added {
            let shows = ["(List.of(\"", ".holds(\""];
            assert!(shows.iter().any(|line| test.contains(line)), "its elements are not asserted: {test}");
        }
        let sealed = about(&text, &["seal() sets Basket.sealed "]);
        assert!(sealed.iter().any(|test| test.contains("isSealed())")), "{text}");
        assert!(!text.contains("assertNotNull"), "that shows nothing: {text}");
        // How often it was asked is said by tests of that alone.
        for test in about(&text, &[]).into_iter().filter(|test| !test.contains("Basket.asked")) {
            assert!(!test.contains("getAsked())"), "it has nothing to do with it: {test}");
        }
        // No seed notices a mutant of it, so one line of the class does.
        assert!(text.matches("getAbout())").count() <= 1, "{text}");
        let most = text.split("@Test").skip(1).map(|test| test.matches("assert").count()).max().unwrap();
        assert!(most <= 5, "{text}");
    }
}

#[test]
fn state_behind_other_objects_is_asserted_through_a_chain_of_inspectors() {
    let text = Lab::new(&jdks()[0].home, "Order", ORDER, &ORDER_TEST).augmented("Order");
    let sold = about(&text, &["sellTo() sets Order.customer.name "]);
    let chain = |test: &&str| test.contains(".getCustomer().getName());") && test.contains("assertEquals(\"");
    assert!(sold.iter().any(chain), "{text}");
}

#[test]
fn what_lists_and_arrays_hold_is_asserted() {
    for jdk in jdk_in_turn(1) {
        let text = Lab::new(&jdk.home, "Fleet", FLEET, &FLEET_TEST).augmented("Fleet");
        let boarded = about(&text, &["board() sets Fleet.ships.[].crew "]);
        assert!(boarded.iter().any(|test| test.contains(".getShips().get(0).getCrew());")), "{text}");
        let moored = about(&text, &["moor() changes Fleet.berths.[] "]);
        let whole =
            |test: &&str| test.contains("assertArrayEquals(new int[] {0, ") && test.contains(".getBerths()");
        assert!(moored.iter().any(whole), "{text}");
    }
}

#[test]
fn one_object_has_one_variable_and_what_was_given_comes_back_as_the_same() {
    for jdk in jdk_in_turn(0) {
        let text = Lab::new(&jdk.home, "Cart", CART, &CART_TEST).augmented("Cart");
        for setter in ["label(", "wheels(", "ownedBy("] {
            let declared = |line: &str| line.contains(" = ") && line.contains(&format!(".{setter}"));
            let again = text.lines().find(|line| declared(line) && !line.contains("new Cart()"));
            assert_eq!(again, None, "{text}");
        }
        let owned = about(&text, &["ownedBy() sets Cart.owner ", "getOwner() must see it"]);
        let is_same = |test: &&str| test.contains("assertSame(") && test.contains(".getOwner());");
        assert!(!owned.is_empty() && owned.iter().all(is_same), "{text}");
        assert!(!text.contains("getOwner().getName()"), "the parts of what the test holds: {text}");
        for unstable in ["getTag())", "getSerialId())"] {
            assert!(!text.contains(unstable), "it differs from run to run: {text}");
        }
        assert!(text.contains(".getId());"), "it never differs: {text}");
    }
}

#[test]
fn a_map_is_asserted_as_a_whole_in_the_words_of_the_java_that_the_seeds_are_compiled_for() {
    let jdk = &jdks()[0];
    for (options, words, others) in [
        (&["--release", "8"][..], "entries.put(\"empty\", 0);", "Map.of("),
        (&[], "assertEquals(Map.of(\"empty\", 0, \"", "entries"),
    ] {
        let lab = Lab::of_java(&jdk.home, "Scale", SCALE, &SCALE_TEST, options);
        let beside = "package demo;\nclass Beside {\n\tint side;\n}\n";
        fs::create_dir_all(lab.folder.path().join("out/demo")).unwrap();
        fs::write(lab.folder.path().join("out/demo/Beside.java"), beside).unwrap();
        let text = lab.augmented("Scale");
        assert!(text.contains(words) && !text.contains(others), "{text}");
        assert!(text.contains("\n\t@Test\n") && !text.contains("\n  "), "{text}");
    }
}

#[test]
fn what_lists_in_a_map_hold_is_asserted_as_a_whole() {
    for jdk in jdk_in_turn(0) {
        let text = Lab::new(&jdk.home, "Index", INDEX, &INDEX_TEST).augmented("Index");
        let whole = "assertEquals(Map.of(\"elk\", List.of(\"seven\", \"seven\")), index.getPages());";
        assert!(text.contains(whole) && !text.contains(".size()"), "{text}");
    }
}

#[test]
fn numbers_and_days_of_the_jdk_are_compared_whole() {
    for jdk in jdk_in_turn(1) {
        let text = Lab::new(&jdk.home, "Bill", BILL, &BILL_TEST).augmented("Bill");
        let added = about(&text, &["add() sets Bill.sum ", "getSum() must see it"]);
        let sum =
            |test: &&str| test.contains("assertEquals(new BigDecimal(\"") && test.contains(".getSum());");
        assert!(!added.is_empty() && added.iter().all(sum), "{text}");
        let postponed = about(&text, &["postpone() sets Bill.due ", "getDue() must see it"]);
        let due =
            |test: &&str| test.contains("assertEquals(LocalDate.parse(\"") && test.contains(".getDue());");
        assert!(!postponed.is_empty() && postponed.iter().all(due), "{text}");
        for parts in ["getSum().", "getDue()."] {
            assert!(!text.contains(parts), "a part of what is compared whole: {text}");
        }
    }
}
