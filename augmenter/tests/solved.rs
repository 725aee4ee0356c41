//! Mutants of static methods over numbers that neither seeds nor search notice: a solver has arguments with which they show. Tests call the methods with these.
//!
//! Knows nothing of how a solver decides. Invariant: what is written was run, whatever the solver said.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;
mod small;

use jvm_support::{jdk_in_turn, jdks};
use small::Small;
use std::path::Path;

/// No chance meets these numbers, and no distance leads through the shift.
const DOSE: &str = "package demo;
public final class Dose {
    public static int dose(int weight, int age) {
        if (weight * 31 + age * 7 == 47110 && weight > age) {
            return weight / 2 - age;
        }
        return 0;
    }
    public static long mixed(long a, int b) {
        long h = a ^ (a >>> 7);
        if (h == 123456789L + b) {
            return b * 3L;
        }
        return -1;
    }
}
";

const SEEDS: &str = "package demo;
import static org.junit.Assert.assertEquals;
import org.junit.Test;
public class DoseTest {
    @Test public void nothing() {
        assertEquals(0, Dose.dose(1, 2));
        assertEquals(-1, Dose.mixed(3, 4));
    }
}
";

fn doses(home: &Path) -> Small {
    let doses = Small::new(home, &[("Dose", DOSE)]);
    doses.write("DoseTest.java", SEEDS);
    doses.javac(&["-g", "-d", "tests"], &["DoseTest.java"]);
    doses
}

const FIXED: [&str; 6] = ["--seed-tests", "demo.DoseTest", "--max-executions", "500", "--stats", "stats.csv"];

/// What was said, and the figure of a column.
fn augmented(doses: &Small, more: &[&str]) -> (String, usize) {
    let said = doses.augment("demo.Dose", &[&FIXED, more].concat());
    let stats = String::from_utf8(doses.read("stats.csv").unwrap()).unwrap();
    let mut lines = stats.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let at = lines.next().unwrap().iter().position(|name| *name == "mutants_solved").unwrap();
    let solved = lines.next().unwrap().get(at).unwrap().parse().unwrap();
    (said, solved)
}

#[test]
fn arguments_from_a_solver_open_guards_that_nothing_else_opens_and_the_tests_hold() {
    for jdk in jdk_in_turn(1) {
        let doses = doses(&jdk.home);
        let (said, solved) = augmented(&doses, &[]);
        assert!(solved >= 8, "{solved}: {said}");
        let line =
            format!("demo.Dose: arguments from the solver notice {solved} mutants that nothing else did");
        assert!(said.contains(&line), "{said}");
        let written = String::from_utf8(doses.read("out/demo/DoseDynaflowTest.java").unwrap()).unwrap();
        let opened = |line: &&str| line.contains("Dose.dose(") && !line.contains("assertEquals(0,");
        assert!(written.lines().any(|line| opened(&line)), "{written}");
        doses.javac(&["-d", "tests"], &["out/demo/DoseDynaflowTest.java"]);
        let ran = doses.run("java", &["org.junit.runner.JUnitCore", "demo.DoseDynaflowTest"]);
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
    }
}

#[test]
fn a_solver_that_lies_costs_nothing_but_its_tests_and_a_wrong_one_is_refused() {
    let jdk = jdks().remove(0);
    let doses = doses(&jdk.home);
    // It says that everything can be, and shows nothing; then that nothing can be.
    for (lie, unsolvable) in [("sat", false), ("unsat", true)] {
        let answers = "case \"$q\" in *QF_BVFP*assert*) echo LIE;; *) echo sat;; esac\n".replace("LIE", lie);
        doses.write("liar", &format!("#!/bin/sh\nq=$(cat)\n{answers}"));
        let (said, solved) = augmented(&doses, &["--solver", "sh liar", "--out", lie]);
        assert_eq!(solved, 0, "{said}");
        assert!(said.contains("arguments from the solver notice 0 mutants"), "{said}");
        assert_eq!(said.contains("; 0 stay open"), unsolvable, "{said}");
    }
    let output = asked(&doses, &["--solver", "no-such-solver"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("--solver no-such-solver: cannot run the solver"), "{said}");
}

#[test]
fn without_a_solver_everything_else_is_done_and_a_line_says_what_is_not() {
    let jdk = jdks().remove(0);
    let doses = doses(&jdk.home);
    let output = asked(&doses, &FIXED).env("PATH", "/nowhere").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let line = "no solver was asked about mutants of static methods over numbers that nothing notices: cannot run the solver z3";
    assert!(said.contains(line) && said.contains("wrote out/demo/DoseDynaflowTest.java"), "{said}");
}

/// `augment`, about to run with further options.
fn asked(doses: &Small, more: &[&str]) -> std::process::Command {
    let class_path = doses.class_path();
    let fixed = ["augment", "--class-path", "classes", "--target", "demo.Dose", "--out", "out"];
    doses.command(&[&fixed[..], &["--test-class-path", class_path.as_str()], more].concat())
}
