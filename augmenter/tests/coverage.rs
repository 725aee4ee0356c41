//! A class of static code that keeps no state: tests are written for what of its branches and lines the seeds do not reach, and for nothing else.
//!
//! Knows nothing of the search. Invariant: the program here is made for the test, and small.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;
mod small;

use jvm_support::{jdk_in_turn, jdks};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use small::Small;
use std::io::{BufRead, BufReader};

const GRADES: &str = "package demo;
public final class Grades {
    private Grades() { }
    public static String of(int points) {
        if (points < 0 || points > 100) {
            throw new IllegalArgumentException(\"points: \" + points);
        }
        if (points >= 87) {
            return \"very good\";
        }
        return points >= 50 ? \"passed\" : \"failed\";
    }
    public static String shortened(String name) {
        if (name.startsWith(\"Dr. \")) {
            return name.substring(4);
        }
        return name.trim();
    }
    public static int twice(int n) {
        return n + n;
    }
    public static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -7;
        }
    }
}
";

/// Calls by reflection cannot be rebuilt, and count all the same.
const SEED: &str = "package demo;
import static org.junit.Assert.assertEquals;
import org.junit.Test;
public class GradesTest {
    @Test public void passes() { assertEquals(\"passed\", Grades.of(60)); }
    @Test public void fails() { assertEquals(\"failed\", Grades.of(6)); }
    @Test public void shortens() {
        assertEquals(\"Who\", Grades.shortened(\"Dr. Who\"));
        assertEquals(\"Who\", Grades.shortened(\" Who \"));
    }
    @Test public void doubles() throws Exception {
        assertEquals(8, Grades.class.getMethod(\"twice\", int.class).invoke(null, 4));
    }
    @Test public void reads() { assertEquals(5, Grades.number(\"5\")); }
}
";

const WRITTEN: &str = "out/demo/GradesDynaflowTest.java";

/// What `augment` said, and the tests it wrote. No mutant earns one a place.
fn augmented(grades: &Small, more: &[&str]) -> (String, String) {
    let said = grades.augment("demo.Grades", &[&["--max-executions", "3000", "--no-mutants"], more].concat());
    let written = grades.read(WRITTEN).map(|bytes| String::from_utf8(bytes).unwrap());
    (said, written.unwrap_or_default())
}

/// Compiles what was written and runs it.
fn run(grades: &Small) {
    grades.javac(&["-Xlint:all", "-Werror", "-d", "tests"], &[WRITTEN]);
    let ran = grades.run("java", &["org.junit.runner.JUnitCore", "demo.GradesDynaflowTest"]);
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn without_seeds_every_branch_and_every_method_without_one_has_a_test() {
    for jdk in jdk_in_turn(0) {
        let grades = Small::new(&jdk.home, &[("Grades", GRADES)]);
        let (said, written) = augmented(&grades, &[]);
        assert!(
            said.contains("of 12 goals of coverage the seeds reach 0, with the tests added 12"),
            "{said}"
        );
        for expected in ["very good", "passed", "failed"] {
            assert_eq!(count(&written, &format!("assertEquals(\"{expected}\", Grades.of(")), 1, "{written}");
        }
        assert!(written.contains("Grades.shortened(\"Dr. "), "{written}");
        assert!(written.contains("// reaches: twice()"), "{written}");
        assert_eq!(count(&written, "assertThrows(IllegalArgumentException.class, "), 2, "{written}");
        assert!(!said.contains("public methods that no test calls"), "{said}");
        run(&grades);
    }
}

#[test]
fn what_seeds_reach_has_no_test_though_their_calls_cannot_be_rebuilt() {
    let jdk = &jdks()[0];
    let grades = Small::new(&jdk.home, &[("Grades", GRADES), ("GradesTest", SEED)]);
    let of_branches = ["--seed-tests", "demo.GradesTest", "--criteria", "objectives,branch"];
    let (said, written) = augmented(&grades, &of_branches);
    assert!(said.contains("of 12 goals of coverage the seeds reach 9, with the tests added 12"), "{said}");
    assert!(written.contains("assertEquals(\"very good\", Grades.of("), "{written}");
    assert_eq!(count(&written, "assertThrows(IllegalArgumentException.class, "), 2, "{written}");
    for reached in ["passed", "failed", "shortened", "twice", "number"] {
        assert!(!written.contains(reached), "{reached}: {written}");
    }
    run(&grades);
}

#[test]
fn a_line_behind_an_exception_has_a_test_where_lines_are_wanted() {
    let jdk = &jdks()[0];
    let grades = Small::new(&jdk.home, &[("Grades", GRADES), ("GradesTest", SEED)]);
    let (said, written) = augmented(&grades, &["--seed-tests", "demo.GradesTest", "--criteria", "line"]);
    assert!(written.contains("assertEquals(-7, Grades.number("), "{said}{written}");
    assert!(written.contains(" of number()"), "{written}");
    run(&grades);
    // A second run finds nothing more to do, and leaves what is there.
    let (again, rewritten) = augmented(&grades, &["--seed-tests", "demo.GradesTest", "--criteria", "line"]);
    assert!(again.contains("0 tests added") || again.contains("no test was added"), "{again}");
    assert_eq!(rewritten, written);
}

#[test]
fn where_objectives_alone_are_wanted_static_code_has_no_tests() {
    let jdk = &jdks()[0];
    let grades = Small::new(&jdk.home, &[("Grades", GRADES)]);
    let (said, written) = augmented(&grades, &["--criteria", "objectives"]);
    assert_eq!(written, "", "{said}");
    assert!(!said.contains("goals of coverage"), "{said}");
}

#[test]
fn calls_kinds_of_values_and_exceptions_have_tests_where_they_are_wanted() {
    let jdk = &jdks()[0];
    let grades = Small::new(&jdk.home, &[("Grades", GRADES), ("GradesTest", SEED)]);
    let of = |criteria: &str| {
        let (said, written) = augmented(&grades, &["--criteria", criteria, "--out", criteria]);
        assert_eq!(written, "", "it is in another folder");
        let file = grades.read(&format!("{criteria}/demo/GradesDynaflowTest.java"));
        (said, String::from_utf8(file.unwrap_or_default()).unwrap())
    };
    let (said, methods) = of("method");
    assert!(said.contains("of 4 goals of coverage the seeds reach 0, with the tests added 4"), "{said}");
    assert!(methods.contains("// reaches: a call of twice()"), "{methods}");
    let (_, outputs) = of("output");
    for kind in ["twice() gives a negative number", "twice() gives zero", "twice() gives a positive number"] {
        assert!(outputs.contains(kind), "{kind}: {outputs}");
    }
    let (said, exceptions) = of("exception");
    assert!(exceptions.contains("of() throws java.lang.IllegalArgumentException"), "{said}{exceptions}");
    // What the seeds call is rebuilt, as far as that can be done.
    let (said, rest) = of_seeds(&grades, "method");
    assert!(said.contains("of 4 goals of coverage the seeds reach 3, with the tests added 4"), "{said}");
    assert!(rest.contains("Grades.twice(") && !rest.contains("Grades.of("), "{rest}");
}

fn of_seeds(grades: &Small, criterion: &str) -> (String, String) {
    let (said, _) =
        augmented(grades, &["--seed-tests", "demo.GradesTest", "--criteria", criterion, "--out", "seeded"]);
    let file = grades.read("seeded/demo/GradesDynaflowTest.java");
    (said, String::from_utf8(file.unwrap_or_default()).unwrap())
}

/// How many goals there are, how many of them the seeds reach, and how many the tests added reach besides.
fn figures(said: &str) -> Vec<usize> {
    let line = said.lines().find(|line| line.contains(" goals of coverage the seeds")).unwrap();
    let line = line.rsplit_once(" added ").map_or(line, |(before, added)| {
        line.split_at(before.len() + " added ".len() + added.find(':').unwrap_or(added.len())).0
    });
    line.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect()
}

const METER: &str = "package demo;
public final class Meter {
    private int last;
    public int read(int raw, int offset) {
        last = raw - offset;
        return limited(last);
    }
    public int limited(int value) {
        if (value > 40) {
            return 40;
        }
        return value & 0x3F;
    }
}
";

#[test]
fn a_mutant_that_no_branch_shows_has_a_test_where_weak_mutation_is_wanted() {
    let jdk = &jdks()[0];
    let meter = Small::new(&jdk.home, &[("Meter", METER)]);
    let run = |criteria: &str| {
        let said = meter
            .augment("demo.Meter", &["--max-executions", "4000", "--no-mutants", "--criteria", criteria]);
        let written =
            meter.read("out/demo/MeterDynaflowTest.java").map(|bytes| String::from_utf8(bytes).unwrap());
        std::fs::remove_dir_all(meter.path("out")).unwrap();
        (said, written.unwrap_or_default())
    };
    let (said, written) = run("weak-mutation");
    // Which of `>` and `>=` stands there shows at the border alone.
    assert!(written.contains("limited(): > becomes >=; "), "{said}{written}");
    assert!(written.contains("assertEquals(40, new Meter().limited(40));"), "{written}");
    assert_eq!(figures(&said), [30, 0, 30], "{said}");
    // Both outcomes of the branch are reached by read() alone, or by limited() itself.
    let (said, written) = run("direct-branch");
    assert!(written.contains("of limited() by a direct call"), "{said}{written}");
    assert_eq!(count(&written, ".limited("), 2, "{written}");
    assert_eq!(figures(&said), [4, 0, 4], "{said}");
}

#[test]
fn smart_selection_measures_all_goals_and_is_led_by_few() {
    let jdk = &jdks()[0];
    let meter = Small::new(&jdk.home, &[("Meter", METER)]);
    let criteria = "branch,direct-branch,line,weak-mutation,method,method-no-exception,exception,output";
    let run = |more: &[&str]| {
        let options = [&["--max-executions", "4000", "--no-mutants", "--criteria", criteria], more].concat();
        let said = meter.augment("demo.Meter", &options);
        std::fs::remove_dir_all(meter.path("out")).unwrap();
        said
    };
    for algorithm in ["mio", "dynamosa"] {
        let all = run(&["--algorithm", algorithm]);
        let smart = run(&["--algorithm", algorithm, "--smart-selection"]);
        let [goals, 0, reached] = figures(&smart)[..] else { panic!("{smart}") };
        assert_eq!(figures(&all)[0], goals, "the same goals are counted: {all}{smart}");
        // No call throws, and of outputs none is negative but by an overflow.
        assert!(reached + 3 >= goals, "{algorithm}: {smart}");
    }
}

/// Seeds take every branch of `mix` and call every method; what they do not do is to join them otherwise.
const SCALE: &str = "package demo;
public final class Scale {
    private int factor = 1;
    public static int mix(int a, int b) {
        int x = 0;
        if (a > 0) {
            x = a;
        }
        int y = 1;
        if (b == 4242) {
            y = x + 7;
        }
        return y;
    }
    public void set(int f) {
        if (f == 7319) {
            factor = 9;
        }
    }
    public void clear() { factor = 0; }
    public int apply(int n) { return n * factor; }
}
";

const OF_SCALE: &str = "package demo;
import static org.junit.Assert.assertEquals;
import org.junit.Test;
public class ScaleTest {
    @Test public void mixes() {
        assertEquals(8, Scale.mix(1, 4242));
        assertEquals(1, Scale.mix(0, 5));
    }
    @Test public void applies() {
        assertEquals(5, new Scale().apply(5));
        new Scale().set(7319);
        new Scale().set(1);
        new Scale().clear();
    }
}
";

#[test]
fn a_def_use_pair_has_a_test_though_the_seeds_take_every_branch_and_line() {
    for jdk in jdk_in_turn(1) {
        let scale = Small::new(&jdk.home, &[("Scale", SCALE), ("ScaleTest", OF_SCALE)]);
        let augment = |criterion: &str, out: &str| {
            let fixed = ["--seed-tests", "demo.ScaleTest", "--max-executions", "4000", "--no-mutants"];
            scale.augment("demo.Scale", &[&fixed, &["--criteria", criterion, "--out", out][..]].concat())
        };
        let said = augment("branch,line", "other");
        assert!(said.contains("of 23 goals of coverage the seeds reach 23"), "{said}");
        let said = augment("def-use", "out");
        assert!(
            said.contains("of 14 goals of coverage the seeds reach 11, with the tests added 14"),
            "{said}"
        );
        let written = String::from_utf8(scale.read("out/demo/ScaleDynaflowTest.java").unwrap()).unwrap();
        let mixed = "// reaches: x defined at line 5 and used at line 11 of mix()";
        assert_eq!(count(&written, mixed), 1, "{written}");
        assert_eq!(count(&written, "assertEquals(7, Scale.mix("), 1, "{written}");
        for method in ["scale.set(7319);", "scale.clear();"] {
            assert!(written.contains(method), "{method}: {written}");
        }
    }
}

/// Four goals are met at once, one never is: the search goes on for a while, the longer as each call naps.
const SEALED: &str = "package demo;
public final class Sealed {
    private Sealed() { }
    public static String of(int points) {
        java.util.concurrent.locks.LockSupport.parkNanos(20000000L);
        if (points < 0) {
            return \"negative\";
        }
        if (Integer.toString(points).hashCode() == 3 && points == 9) {
            return \"never\";
        }
        return \"known\";
    }
}
";

/// Its objects come from a builder alone, which is no static method of anything.
const PARCEL: &str = "package demo;
public class Parcel {
    private final int weight;
    private boolean sent;
    private Parcel(int weight) {
        this.weight = weight;
    }
    public boolean send() {
        if (weight > 100 && !sent) {
            sent = true;
            return true;
        }
        return false;
    }
    public static final class Builder {
        private int weight;
        public Builder weight(int kilos) { weight = kilos; return this; }
        public Parcel build() { return new Parcel(weight); }
    }
}
";

const TRUCK: &str = "package demo;
public class Truck {
    private int load;
    public int add(Parcel parcel) {
        if (parcel.send()) {
            load++;
            return load;
        }
        return -1;
    }
}
";

#[test]
fn objects_that_only_a_builder_gives_are_tested_and_passed() {
    for jdk in jdk_in_turn(0) {
        let parcels = Small::new(&jdk.home, &[("Parcel", PARCEL), ("Truck", TRUCK)]);
        let said = parcels.augment("demo.*", &["--max-executions", "3000"]);
        let of_goals: Vec<&str> =
            said.lines().filter(|line| line.contains("goals of coverage the seeds")).collect();
        assert!(
            of_goals.concat().contains("demo.Parcel: ") && of_goals.concat().contains("demo.Truck: "),
            "{said}"
        );
        for line in of_goals {
            let numbers: Vec<&str> =
                line.split(' ').filter(|word| word.bytes().all(|b| b.is_ascii_digit())).collect();
            assert!(matches!(numbers[..], [all, reached] if all == reached), "{said}");
        }
        let written = String::from_utf8(parcels.read("out/demo/TruckDynaflowTest.java").unwrap()).unwrap();
        assert!(written.contains(".build()") && written.contains("truck.add("), "{written}");
        assert!(!said.contains("no demo.Parcel to be had"), "{said}");
    }
}

/// Does something with what containers hold, whose class shows in type arguments alone.
const ORDERS: &str = "package demo;
import java.util.*;
public class Orders {
    private final Map<String, Order> byId = new LinkedHashMap<>();
    public int addAll(List<Order> orders) {
        int sum = 0;
        for (Order order : orders) {
            byId.put(order.id, order);
            sum += order.cents;
        }
        return sum;
    }
    public int total(Map<String, Integer> discounts) {
        int all = 0;
        for (Order order : byId.values()) {
            Integer less = discounts.get(order.id);
            all += less == null ? order.cents : order.cents - less;
        }
        return all;
    }
}
";

const ORDER: &str = "package demo;
public class Order {
    final String id;
    final int cents;
    public Order(String id, int cents) {
        this.id = id;
        this.cents = cents;
    }
}
";

#[test]
fn containers_hold_what_they_are_declared_to_hold() {
    for jdk in jdk_in_turn(1) {
        let orders = Small::new(&jdk.home, &[("Order", ORDER), ("Orders", ORDERS)]);
        let said = orders.augment("demo.Orders", &["--max-executions", "3000"]);
        assert!(said.contains("of 7 goals of coverage the seeds reach 0, with the tests added 7"), "{said}");
        let written = String::from_utf8(orders.read("out/demo/OrdersDynaflowTest.java").unwrap()).unwrap();
        assert!(written.contains("new Order(") && written.contains(".put("), "{written}");
    }
}

/// Walks along what it is given, which is empty unless a container of the JDK gives it.
const WALK: &str = "package demo;
import java.util.Iterator;
public class Walk {
    public static int length(Iterator<String> steps) {
        int length = 0;
        while (steps.hasNext()) {
            length += steps.next().length();
        }
        return length;
    }
}
";

#[test]
fn an_iterator_comes_from_a_list_that_holds_something() {
    let walk = Small::new(&jdks()[0].home, &[("Walk", WALK)]);
    let said = walk.augment("demo.Walk", &["--max-executions", "2000"]);
    assert!(said.contains("goals of coverage the seeds reach 0"), "{said}");
    let written = String::from_utf8(walk.read("out/demo/WalkDynaflowTest.java").unwrap()).unwrap();
    assert!(written.contains(".iterator()"), "{written}");
}

#[test]
fn what_nobody_reaches_is_listed_on_request() {
    let sealed = Small::new(&jdks()[0].home, &[("Sealed", SEALED)]);
    let fixed = ["--max-executions", "300", "--no-mutants"];
    let not_reached = "demo.Sealed: not reached: a branch at line 9 of of()";
    let said = sealed.augment("demo.Sealed", &fixed);
    assert!(!said.contains("not reached"), "{said}");
    let said = sealed.augment("demo.Sealed", &[&fixed, &["-v"][..]].concat());
    assert!(said.contains(not_reached) && !said.contains("not reached: a branch at line 6"), "{said}");
}

#[test]
fn an_interrupt_ends_the_search_and_the_goals_that_were_met_have_their_tests() {
    let sealed = Small::new(&jdks()[0].home, &[("Sealed", SEALED)]);
    let mut child = sealed.begin("demo.Sealed", &["--max-executions", "10000000", "--no-mutants"]);
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("augmenting demo.Sealed")));
    std::thread::sleep(std::time::Duration::from_secs(5));
    kill(Pid::from_raw(child.id().cast_signed()), Signal::SIGINT).unwrap();
    let said: Vec<String> = lines.collect();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{said:#?}");
    let written = String::from_utf8(sealed.read("out/demo/SealedDynaflowTest.java").unwrap()).unwrap();
    for met in ["negative", "known"] {
        assert_eq!(count(&written, &format!("assertEquals(\"{met}\", Sealed.of(")), 1, "{said:#?}{written}");
    }
}
