//! How mutants decide about what `dynaflow augment` writes: an assertion stays that notices one, and a test that notices one which the seeds do not.
//!
//! Knows nothing of operators. Invariant: every program here is made for the test, and small; what augment counts is what `dynaflow mutants` finds.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;
mod lab;

use jvm_support::{jdk_in_turn, jdks};
use lab::{Lab, Ran};

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

/// A mutant shuts it, and so do large sales: for the sequence that does so, not for all that come after.
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

/// Its tests execute every pair, and notice all but where the border lies.
const FARE: &str = "package demo;
public class Fare {
    private int rides;
    public int price(int age) {
        rides = rides + 1;
        if (age < 14) { return 50; }
        return 100;
    }
    public int getRides() { return rides; }
}
";

const FARE_TEST: [&str; 1] = [
    "Fare f = new Fare(); assertEquals(50, f.price(10)); assertEquals(100, f.price(30)); assertEquals(2, f.getRides());",
];

#[test]
fn what_reaches_a_mutant_that_nobody_notices_is_changed_until_it_notices_it() {
    for jdk in jdk_in_turn(0) {
        let lab = Lab::new(&jdk.home, "Fare", FARE, &FARE_TEST);
        for more in [&["--no-mutants"][..], &["--keep", "pairs"]] {
            assert!(!lab.augment(400, "without", more).tests.contains("price(14)"), "{more:?}");
        }
        let ran = lab.augment(400, "with", &[]);
        let is_of_border =
            |test: &&str| test.contains("price(14)") && test.contains("changed conditional boundary");
        let found: Vec<&str> = ran.tests.split("\n\n").filter(is_of_border).collect();
        assert_eq!(found.len(), 1, "{}\n{}", ran.said, ran.tests);
        assert!(found[0].contains("assertEquals(100, "), "{}", found[0]);
        assert!(!ran.tests.contains("no pair"), "{}", ran.tests);
        let seeds = lab.noticed_with("");
        assert_eq!(lab.noticed_with(&ran.tests), seeds + 1, "{}", ran.tests);
    }
}

/// It checks what it is given in two places, and not in a third.
const GATE: &str = "package demo;
public class Gate {
    private String name;
    public Gate(String name) {
        check(name);
        this.name = name;
    }
    public void rename(String other) {
        check(other);
        name = other;
    }
    public int differs(String other) { return name == null ? 0 : other.length() - name.length(); }
    private static void check(Object given) {
        if (given == null) throw new IllegalStateException(\"a gate has a name\");
    }
}
";

const GATE_TEST: [&str; 1] = [
    "Gate g = new Gate(\"north\"); assertEquals(2, g.differs(\"eastern\")); g.rename(\"south\"); assertEquals(-1, g.differs(\"west\"));",
];

#[test]
fn a_check_whose_removal_nobody_notices_is_asked_with_null_and_what_fails_on_null_is_no_refusal() {
    for jdk in jdk_in_turn(1) {
        let lab = Lab::new(&jdk.home, "Gate", GATE, &GATE_TEST);
        let without = lab.augment(400, "without", &["--no-mutants"]).tests;
        assert!(!without.contains("assertThrows"), "{without}");
        let ran = lab.augment(400, "with", &[]);
        let refused = |call: &str, place: &str| {
            let tests = ran.tests.split("\n\n").filter(|test| test.contains("IllegalStateException.class"));
            let of_call: Vec<&str> = tests.filter(|test| test.contains(call)).collect();
            assert_eq!(of_call.len(), 1, "{call}: {}\n{}", ran.said, ran.tests);
            assert!(
                of_call[0].contains(&format!("notices: removed call to Gate.check in {place}")),
                "{}",
                of_call[0]
            );
            assert!(of_call[0].contains("\"a gate has a name\""), "{}", of_call[0]);
        };
        refused("() -> new Gate(null)", "Gate.<init>");
        refused(".rename(null)", "Gate.rename");
        assert!(!ran.tests.contains("differs(null)") && !ran.tests.contains("no pair"), "{}", ran.tests);
        let seeds = lab.noticed_with("");
        let by_tests = lab.noticed_with(&ran.tests) - seeds;
        assert_eq!(by_tests, ran.figure("mutants_killed_by_tests"), "{}", ran.tests);
    }
}

/// Two methods check what they are given, and the seeds see one of them refuse it.
const ROUTE: &str = "package demo;
public class Route {
    private int from;
    private int to;
    public void from(int place) {
        check(place);
        from = place;
    }
    public void to(int place) {
        check(place);
        to = place;
    }
    public int length() { return to - from; }
    private static void check(int place) {
        if (place == 7431) throw new IllegalStateException(\"closed\");
    }
}
";

const ROUTE_TEST: [&str; 2] = [
    "Route r = new Route(); r.from(2); r.to(5); assertEquals(3, r.length());",
    "Route r = new Route(); try { r.from(7431); throw new AssertionError(); } catch (IllegalStateException e) { r.length(); }",
];

#[test]
fn what_the_seeds_see_one_method_refuse_is_asked_of_the_others() {
    for jdk in jdk_in_turn(0) {
        let lab = Lab::new(&jdk.home, "Route", ROUTE, &ROUTE_TEST);
        let ran = lab.augment(20, "with", &[]);
        let refused = |test: &&str| test.contains("() -> route.to(7431)");
        let found: Vec<&str> = ran.tests.split("\n\n").filter(refused).collect();
        assert_eq!(found.len(), 1, "{}\n{}", ran.said, ran.tests);
        assert!(found[0].contains("notices: removed call to Route.check in Route.to"), "{}", found[0]);
        assert!(!ran.tests.contains("route.from(7431)"), "the seeds see that: {}", ran.tests);
    }
}

/// Its calls give the object they are made on.
const TALLY: &str = "package demo;
public class Tally {
    private int sum;
    public Tally add(int number) { sum = sum + number; return this; }
    public int getSum() { return sum; }
}
";

const TALLY_TEST: [&str; 1] = ["Tally t = new Tally(); t.add(2); assertEquals(2, t.getSum());"];

/// A call on what the call gave.
const TALLY_CHAIN: [&str; 1] = ["assertEquals(2, new Tally().add(2).getSum());"];

#[test]
fn what_a_fluent_call_gives_is_asserted_once_and_only_where_nobody_else_notices_that_it_gives_null() {
    let home = &jdks()[0].home;
    let lab = Lab::new(home, "Tally", TALLY, &TALLY_TEST);
    let ran = lab.augment(400, "out", &[]);
    assert_eq!(ran.tests.matches("assertSame(tally, tally.add(").count(), 1, "{}\n{}", ran.said, ran.tests);
    assert!(ran.tests.contains("notices: replaced return value with null in Tally.add"), "{}", ran.tests);
    let seeds = lab.noticed_with("");
    let all = lab.noticed_with(&ran.tests);
    assert_eq!(all - seeds, ran.figure("mutants_killed_by_tests"), "{}", ran.tests);
    let ran = Lab::new(home, "Tally", TALLY, &TALLY_CHAIN).augment(400, "out", &[]);
    assert!(!ran.tests.contains("assertSame"), "{}", ran.tests);
}

#[test]
fn an_assertion_that_notices_a_mutant_stands_and_a_getter_that_notices_none_does_not() {
    for jdk in jdk_in_turn(1) {
        let lab = Lab::new(&jdk.home, "Clerk", CLERK, &CLERK_TEST);
        let (with, without) = (lab.augment(400, "with", &[]), lab.augment(400, "without", &["--no-mutants"]));
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
    let (with, without) = (lab.augment(400, "with", &[]), lab.augment(400, "without", &["--no-mutants"]));
    for (way, value) in [("up()", "8"), ("down()", "2")] {
        let is_of = |test: &&str| test.contains(way) && test.contains(value);
        assert!(with.tests.split("@Test").any(|test| is_of(&test)), "{way}: {}", with.tests);
    }
    assert!(without.added() < with.added(), "{}\n{}", without.tests, with.tests);
    let pairs =
        |folder, more: &[&str]| lab.augment(400, folder, &[&["--keep", "pairs"], more].concat()).added();
    assert_eq!(pairs("pairs", &[]), pairs("pairs-without", &["--no-mutants"]));
    // What is counted is what an analysis of the written tests finds.
    let seeds = lab.noticed_with("");
    assert_eq!((seeds, with.figure("mutants_killed_by_seeds")), (0, 0), "{}", with.said);
    assert_eq!(lab.noticed_with(&with.tests), with.figure("mutants_killed_by_tests"), "{}", with.tests);
    assert!(with.figure("mutants_reached") >= with.figure("mutants_killed_by_tests"));
}

fn names(tests: &str) -> Vec<&str> {
    tests.split("public void ").skip(1).filter_map(|test| test.split('(').next()).collect()
}

#[test]
fn of_many_tests_the_most_valuable_are_written_and_a_later_run_writes_the_next() {
    let lab = Lab::new(&jdks()[0].home, "Dial", DIAL, &SILENT);
    let all = lab.augment(400, "all", &[]);
    assert!(all.added() > 1 && !all.said.contains("more tests would"), "{}\n{}", all.said, all.tests);
    let one = |wanted: usize| {
        let ran = lab.augment(400, "few", &["--max-tests-per-class", "1"]);
        assert_eq!((ran.added(), names(&ran.tests).len()), (1, wanted), "{}\n{}", ran.said, ran.tests);
        ran
    };
    let first = one(1);
    assert_eq!(names(&first.tests), names(&all.tests)[..1], "{}\n{}", first.tests, all.tests);
    let left = format!("demo.Dial: {} more tests would show something new;", all.added() - 1);
    assert!(first.said.contains(&left), "{}", first.said);
    let second = one(2);
    assert_eq!(names(&second.tests)[0], names(&first.tests)[0], "{}", second.tests);
}

#[test]
fn a_mutant_that_the_seeds_notice_earns_no_test_a_place() {
    let lab = Lab::new(&jdks()[0].home, "Dial", DIAL, &WATCHFUL);
    let ran = lab.augment(400, "with", &[]);
    assert_eq!(ran.added(), lab.augment(400, "without", &["--no-mutants"]).added(), "{}", ran.tests);
    assert!(ran.figure("mutants_killed_by_seeds") >= 4, "{}", ran.said);
    let seeds = lab.noticed_with("");
    let all = lab.noticed_with(&ran.tests);
    assert_eq!(all - seeds, ran.figure("mutants_killed_by_tests"), "{}", ran.tests);
}

#[test]
fn a_part_of_a_seed_that_looks_at_more_is_a_test_where_it_notices_a_mutant_and_a_later_run_keeps_it() {
    for jdk in jdk_in_turn(0) {
        let lab = Lab::new(&jdk.home, "Box", BOX, &BOX_TEST);
        let without = lab.augment(400, "without", &["--no-mutants"]);
        assert_eq!(without.added(), 0, "nothing new can be executed: {}", without.tests);
        let pairs = lab.augment(400, "pairs", &["--keep", "pairs"]);
        assert_eq!(pairs.added(), 0, "no pair is new: {}", pairs.tests);
        let with = lab.augment(400, "with", &[]);
        for line in [
            "assertEquals(4, box.area());",
            "assertFalse(box.isWide());",
            "// notices: changed conditional boundary in Box.isWide (line 6); and 5 more",
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
        let again = lab.augment(400, "with", &[]);
        assert_eq!((again.added(), &again.tests), (0, &with.tests), "{}", again.said);
        assert_eq!(lab.noticed_with(&with.tests), with.figure("mutants_killed_by_tests"), "{}", with.tests);
    }
}

/// What its ledger counts nobody can see, what it sums up only by closing it; the ledger is no target.
const SHOP: &str = "package demo;
class Ledger {
    private int sum;
    private int seen;
    void note(int price) { sum = sum + price; }
    void count() { seen = sum - seen; }
    int close() { int all = sum * 2; sum = 0; return all; }
}
public class Shop {
    private final Ledger ledger = new Ledger();
    private int served;
    public void sell(int price) { served = served + 1; ledger.note(price); }
    public void count() { ledger.count(); }
    public int close() { return ledger.close(); }
    public int getServed() { return served; }
}
";

const SHOP_TEST: [&str; 4] =
    ["new Shop().sell(3);", "new Shop().count();", "new Shop().close();", "new Shop().getServed();"];

#[test]
fn what_an_object_of_another_class_computes_and_nobody_sees_earns_no_test_a_place() {
    for jdk in jdk_in_turn(0) {
        let lab = Lab::new(&jdk.home, "Shop", SHOP, &SHOP_TEST);
        let without = lab.augment(400, "without", &["--no-mutants"]).tests;
        assert!(without.contains(".count()"), "a use in the ledger is a place: {without}");
        let ran = lab.augment(400, "with", &[]);
        assert!(!ran.tests.contains(".count()"), "{}\n{}", ran.said, ran.tests);
        let sees = |test: &&str| test.contains(".sell(3)") && test.contains("assertEquals(6, shop.close())");
        assert_eq!(ran.tests.split("\n\n").filter(sees).count(), 1, "{}", ran.tests);
        let seeds = lab.noticed_with("");
        let by_tests = lab.noticed_with(&ran.tests) - seeds;
        assert_eq!(by_tests, ran.figure("mutants_killed_by_tests"), "the ledger's are not counted");
    }
}

/// It copies what it gets and what it gives; its tests write into neither.
const SCALE: &str = "package demo;
public class Scale {
    private final int[] marks;
    public Scale(int[] marks) { this.marks = marks.clone(); }
    public int[] getMarks() { return marks.clone(); }
}
";

const SCALE_TEST: [&str; 1] = ["assertEquals(3, new Scale(new int[] {3, 4}).getMarks()[0]);"];

#[test]
fn a_copy_that_is_left_out_is_noticed_by_a_write_into_the_array_that_was_handed_in_or_out() {
    for jdk in jdk_in_turn(0) {
        let lab = Lab::new(&jdk.home, "Scale", SCALE, &SCALE_TEST);
        let ran = lab.augment(400, "out", &[]);
        for place in ["Scale.<init> (line 4)", "Scale.getMarks (line 5)"] {
            let notice = format!("notices: replaced clone of an array with the array in {place}");
            let comments = ran.tests.replace("\n    //     ", " ");
            assert!(comments.contains(&notice), "{}\n{}", ran.said, ran.tests);
        }
        let seeds = lab.noticed_with("");
        let all = lab.noticed_with(&ran.tests);
        assert_eq!(all - seeds, ran.figure("mutants_killed_by_tests"), "{}", ran.tests);
    }
}

#[test]
fn a_mutant_that_makes_a_loop_endless_is_noticed_and_ends_nothing_else() {
    for jdk in jdk_in_turn(1) {
        let lab = Lab::new(&jdk.home, "Pump", PUMP, &PUMP_TEST);
        let ran = lab.augment(400, "with", &[]);
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
    let ran = lab.augment(400, "with", &[]);
    assert!(ran.added() > 0, "{}", ran.said);
    assert!(
        ran.figure("mutants_killed_by_tests") >= 5,
        "no sequence leaves it shut for others: {}",
        ran.said
    );
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
    let [one, four] =
        [("one", "1"), ("four", "4")].map(|(out, jobs)| lab.augment(400, out, &["--jobs", jobs]));
    assert_eq!(one.tests, four.tests);
    assert_eq!(one.figure("mutants_killed_by_tests"), four.figure("mutants_killed_by_tests"));
}
