//! A service whose repository nothing implements, and methods with functional parameters: tests from scratch implement the interfaces, javac
//! warns of nothing, and what lies behind the interfaces is executed. What no test can implement is named.
//!
//! Knows nothing of the search. Invariant: the program here is made for the test, and small.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;
mod small;

use dynaflow_objectives::{PairsDocument, Status};
use jvm_support::jdk_in_turn;
use small::Small;

const ORDERS: &str = "package demo;
import java.util.*;
import java.util.function.*;
public class Orders {
    private final Repository repository;
    private final List<String> names = new ArrayList<>();
    private int found;
    private String best = \"\";
    public Orders(Repository repository) { this.repository = repository; }
    public void load(String id) throws java.io.IOException {
        Order order = repository.first(id);
        if (order != null) { found += order.amount(); names.add(order.name()); }
    }
    public int found() { return found; }
    public int count(Predicate<? super String> wanted) {
        int count = 0;
        for (String name : names) { if (wanted.test(name)) { count++; } }
        return count;
    }
    public void sort(Comparator<String> order) { names.sort(order); best = names.isEmpty() ? \"\" : names.get(0); }
    public String best() { return best; }
    public void seal(Seal seal) { found = seal.hashCode(); }
}
";

/// The interface cannot be seen outside the package, throws what is checked, and has a method that is there already.
const REPOSITORY: &str = "package demo;
interface Repository {
    Order find(String id, int number) throws java.io.IOException;
    void close();
    default Order first(String id) throws java.io.IOException { return find(id, 1); }
}
";

const ORDER: &str = "package demo;
public class Order {
    private final String name;
    private final int amount;
    public Order(String name, int amount) { this.name = name; this.amount = amount; }
    public String name() { return name; }
    public int amount() { return amount; }
}
";

/// Nothing makes one.
const SEAL: &str = "package demo;
public sealed interface Seal permits Seal.Only {
    final class Only implements Seal { private Only() { } }
}
";

/// What `augment` said, and what it wrote.
fn augmented(shop: &Small) -> (String, String, PairsDocument) {
    let options = ["--max-executions", "2000", "--json", "pairs.json", "--criteria", "objectives"];
    let said = shop.augment("demo.Orders", &options);
    let written = String::from_utf8(shop.read("out/demo/OrdersDynaflowTest.java").unwrap()).unwrap();
    (said, written, dynaflow_objectives::read(&shop.read("pairs.json").unwrap()).unwrap())
}

#[test]
fn what_nothing_implements_is_implemented_by_the_tests_and_what_lies_behind_it_is_executed() {
    for jdk in jdk_in_turn(0) {
        let sources = [("Orders", ORDERS), ("Repository", REPOSITORY), ("Order", ORDER), ("Seal", SEAL)];
        let shop = Small::new(&jdk.home, &sources);
        let (said, written, document) = augmented(&shop);
        for part in
            ["new Repository() {", "public Order find(String ", " return order;", "Predicate<String> "]
        {
            assert!(written.contains(part), "{part} is missing: {said}\n{written}");
        }
        assert!(written.contains(" -> "), "{written}");
        // The names are there only once a repository gave an order.
        let is_behind = |variable: &str| variable == "found" || variable.starts_with("names.");
        let covered = document.pairs.iter().filter(|pair| pair.status == Status::Covered);
        let behind =
            covered.filter(|pair| is_behind(&pair.variable) && pair.definition.method.starts_with("load("));
        assert!(behind.count() > 3, "{said}\n{written}");
        // What a test implements is no part of the program.
        let is_of_test = |class: &str| class.contains("DynaflowTest");
        assert!(!document.pairs.iter().any(|pair| is_of_test(&pair.root) || is_of_test(&pair.usage.class)));
        let strict = ["-Xlint:all", "-Xlint:-processing,-classfile,-path", "-Werror", "-d", "tests"];
        shop.javac(&strict, &["out/demo/OrdersDynaflowTest.java"]);
        let ran = shop.run("java", &["org.junit.runner.JUnitCore", "demo.OrdersDynaflowTest"]);
        assert!(ran.status.success(), "{}\n{written}", String::from_utf8_lossy(&ran.stdout));
        // A sealed interface is out of reach, and nothing else is.
        assert!(said.contains("seal (no demo.Seal to be had)"), "{said}");
        assert_eq!(said.matches("to be had").count(), 1, "{said}");
        assert!(!written.contains("new Seal"), "{written}");
    }
}
