//! Abstract targets: their code is tested with objects of subclasses, those that the seeds use before those that are there.
//!
//! Knows nothing of the search. Invariant: the programs here are made for the test, and small.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;
mod small;

use jvm_support::{jdk_in_turn, jdks};
use small::Small;

/// The account is locked after three withdrawals that it refuses in a row.
const ACCOUNT: &str = "package demo;
public abstract class Account {
    protected int balance;
    private int refused;
    private boolean locked;
    public void deposit(int amount) { balance += amount; }
    public boolean withdraw(int amount) {
        if (locked) {
            return false;
        }
        if (amount > balance + credit()) {
            refused++;
            if (refused > 2) {
                locked = true;
            }
            return false;
        }
        balance -= amount;
        refused = 0;
        return true;
    }
    public boolean isLocked() { return locked; }
    public int getBalance() { return balance; }
    protected abstract int credit();
}
";

const GIRO: &str = "package demo;
public class Giro extends Account {
    private final int limit;
    public Giro(int limit) { this.limit = limit; }
    @Override protected int credit() { return limit; }
}
";

const SAVINGS: &str = "package demo;
public class Savings extends Account {
    @Override protected int credit() { return 0; }
}
";

/// Seeds with one subclass of the program, and one that stands among the tests.
const SEEDS: &str = "package demo;
import static org.junit.Assert.*;
import org.junit.Test;
public class AccountTest {
    static class Endless extends Account {
        @Override protected int credit() { return 1000; }
    }
    private static class Hidden extends Account {
        @Override protected int credit() { return 1000; }
    }
    class Tied extends Account {
        @Override protected int credit() { return 1000; }
    }
    @Test public void withdraws() {
        Account account = new OBJECT;
        account.deposit(5);
        assertTrue(account.withdraw(2));
        assertEquals(3, account.getBalance());
    }
}
";

fn accounts(home: &std::path::Path, object: &str) -> Small {
    let accounts = Small::new(home, &[("Account", ACCOUNT), ("Giro", GIRO), ("Savings", SAVINGS)]);
    accounts.write("AccountTest.java", &SEEDS.replace("OBJECT", object));
    accounts.javac(&["-g", "-d", "tests"], &["AccountTest.java"]);
    accounts
}

fn augmented(accounts: &Small, target: &str, more: &[&str]) -> (String, String) {
    let said = accounts.augment(target, &[&["--max-executions", "3000"], more].concat());
    let written = accounts.read("out/demo/AccountDynaflowTest.java").unwrap_or_default();
    (said, String::from_utf8(written).unwrap())
}

const SEEDED: [&str; 2] = ["--seed-tests", "demo.AccountTest"];

#[test]
fn an_abstract_class_is_tested_with_objects_of_the_subclass_that_the_seeds_use() {
    for jdk in jdk_in_turn(1) {
        let accounts = accounts(&jdk.home, "Giro(7)");
        let (said, written) = augmented(&accounts, "demo.Account", &SEEDED);
        let line = "demo.Account is abstract: its code is tested with objects of demo.Giro\n";
        assert!(said.contains(line), "{said}");
        assert!(written.contains("assertTrue(giro.isLocked());"), "{written}");
        assert!(!written.contains("Savings"), "{written}");
        // An objective that a test for a mutant reveals is open in the end.
        assert!(said.contains("demo.Account: 4 pairs covered by the seeds, 14 now; "), "{said}");
        accounts.javac(&["-d", "tests"], &["out/demo/AccountDynaflowTest.java"]);
        let ran = accounts.run("java", &["org.junit.runner.JUnitCore", "demo.AccountDynaflowTest"]);
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
    }
}

#[test]
fn the_tests_of_an_abstract_class_stay_its_own_where_the_subclass_is_a_target_too() {
    let jdk = jdks().remove(0);
    let accounts = accounts(&jdk.home, "Giro(7)");
    let (said, written) = augmented(&accounts, "demo.*", &SEEDED);
    let locks = |object: &&str| written.contains(&format!("assertTrue({object}.isLocked());"));
    assert!(["giro", "savings"].iter().any(locks), "{written}");
    assert!(
        said.contains("demo.Account: of 20 mutants that the new call sequences reach they can notice "),
        "{said}"
    );
}

#[test]
fn a_subclass_among_the_tests_will_do() {
    let jdk = jdks().remove(0);
    let accounts = accounts(&jdk.home, "Endless()");
    let (said, written) = augmented(&accounts, "demo.Account", &SEEDED);
    let line = "its code is tested with objects of demo.AccountTest$Endless\n";
    assert!(said.contains(line), "{said}");
    assert!(written.contains("new AccountTest.Endless()"), "{written}");
}

#[test]
fn a_subclass_that_no_test_can_name_or_make_is_passed_over() {
    let jdk = jdks().remove(0);
    for object in ["Hidden()", "Account() { @Override protected int credit() { return 9; } }"] {
        let accounts = accounts(&jdk.home, object);
        let (said, written) = augmented(&accounts, "demo.Account", &SEEDED);
        let line = "its code is tested with objects of demo.Giro, demo.Savings\n";
        assert!(said.contains(line) && written.contains("new Giro("), "{said}");
    }
    let tied = accounts(&jdk.home, "AccountTest().new Tied()");
    let (said, _) = augmented(&tied, "demo.Account", &SEEDED);
    assert!(said.contains("its code is tested with objects of demo.Giro, demo.Savings\n"), "{said}");
}

#[test]
fn without_seeds_the_subclasses_that_are_there_are_used_and_without_any_it_is_said() {
    let jdk = jdks().remove(0);
    let both = accounts(&jdk.home, "Giro(7)");
    let (said, written) = augmented(&both, "demo.Account", &[]);
    let line = "its code is tested with objects of demo.Giro, demo.Savings\n";
    assert!(said.contains(line), "{said}");
    assert!(written.contains("new Giro(") || written.contains("new Savings("), "{written}");
    assert!(said.contains("of 10 goals of coverage the seeds reach 0, with the tests added 10"), "{said}");
    let alone = Small::new(&jdk.home, &[("Account", ACCOUNT)]);
    let (said, _) = augmented(&alone, "demo.Account", &[]);
    let reason = "demo.Account: nothing found: it is abstract, and no object of a subclass was used";
    assert!(said.contains(reason), "{said}");
}
