//! Branches that chance does not take: with distances the search does, whatever kind of comparison decides, and with `--algorithm random` it does not.
//!
//! Knows nothing of how distances are measured. Invariant: what a test asks of is executed by a test that was written, compiled and run.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;
mod lab;

use jvm_support::{jdk_in_turn, jdks};
use lab::Lab;

/// Two numbers with a sum and a difference, a word, and three calls in order; no number and no word stands in a seed.
const VAULT: &str = "package demo;
public class Vault {
    private int stage;
    private boolean coded;
    private boolean named;
    private String content = \"\";
    public void code(int x, int y) {
        if (x + y == 1730) { if (x - y == 264) { coded = true; } }
    }
    public void name(String word) { if (coded && word.equals(\"xylophone\")) { named = true; } }
    public void turn() { if (named && stage == 0) { stage = 1; } }
    public void pull() { if (stage == 1) { stage = 2; } }
    public void push() { if (stage == 2) { stage = 3; content = \"gold\"; } }
    public String look() { return stage == 3 ? content : \"shut\"; }
}
";

const VAULT_TEST: [&str; 1] = [
    "Vault v = new Vault(); v.code(1, 2); v.name(\"a\"); v.turn(); v.pull(); v.push(); assertEquals(\"shut\", v.look());",
];

/// Comparisons of each kind; what they guard is a definition that `get` sees.
const LOCKS: &str = "package demo;
public class Locks {
    private int opened;
    public void large(long n) { if (n == 12345678901L) { opened = 1; } }
    public void exact(double d) { if (d > 1000.5 && d < 1000.75) { opened = 2; } }
    public void prefix(String s) { if (s.startsWith(\"lock:\") && s.endsWith(\";\")) { opened = 3; } }
    public void word(String s) {
        switch (s) {
            case \"quartz\": opened = 4; break;
            default: break;
        }
    }
    public void key(int n) {
        switch (n) {
            case 771: opened = 5; break;
            default: break;
        }
    }
    public void box(Integer n) { if (n != null && n.equals(40960)) { opened = 6; } }
    public int get() { return opened; }
}
";

const LOCKS_TEST: [&str; 1] = [
    "Locks l = new Locks(); l.large(1); l.exact(2); l.prefix(\"a\"); l.word(\"a\"); l.key(3); l.box(4); assertEquals(0, l.get());",
];

#[test]
fn a_vault_of_two_equations_a_word_and_three_calls_is_opened_by_distances_and_not_by_chance() {
    for jdk in jdk_in_turn(1) {
        let lab = Lab::new(&jdk.home, "Vault", VAULT, &VAULT_TEST);
        let led = lab.augment(12_000, "led", &[]);
        assert!(led.tests.contains("assertEquals(\"gold\", vault.look())"), "{}\n{}", led.said, led.tests);
        let by_chance = lab.augment(60_000, "by-chance", &["--algorithm", "random", "--no-mutants"]);
        assert_eq!(by_chance.tests, "", "five times as many executions, and no equation is solved");
    }
}

#[test]
fn comparisons_of_every_kind_lead_to_what_they_guard() {
    for jdk in jdk_in_turn(0) {
        let lab = Lab::new(&jdk.home, "Locks", LOCKS, &LOCKS_TEST);
        let ran = lab.augment(12_000, "out", &["--keep", "pairs"]);
        for opened in 1..=6 {
            let seen = format!("assertEquals({opened}, locks.get())");
            assert!(ran.tests.contains(&seen), "{seen}\n{}\n{}", ran.said, ran.tests);
        }
    }
}

#[test]
fn every_algorithm_that_distances_lead_solves_an_equation_that_chance_does_not() {
    let lab = Lab::new(&jdks()[0].home, "Locks", LOCKS, &LOCKS_TEST);
    for algorithm in ["whole-suite", "mosa", "dynamosa"] {
        let options = ["--algorithm", algorithm, "--keep", "pairs"];
        let ran = lab.augment(12_000, algorithm, &options);
        let is_open = |lock: &i32| ran.tests.contains(&format!("assertEquals({lock}, locks.get())"));
        // Which of them a seed leaves shut is luck; the first needs eleven digits.
        let opened: Vec<i32> = (1..=6).filter(is_open).collect();
        assert!(opened.len() >= 5 && opened[0] == 1, "{algorithm}: {opened:?}\n{}\n{}", ran.said, ran.tests);
        let again =
            lab.augment(12_000, &format!("{algorithm}-again"), &[&options[..], &["--jobs", "3"]].concat());
        assert_eq!(ran.tests, again.tests, "{algorithm}: the same tests, however many run at a time");
    }
    let by_chance = lab.augment(12_000, "by-chance", &["--algorithm", "random", "--keep", "pairs"]);
    assert!(!by_chance.tests.contains("assertEquals(1, locks.get())"), "{}", by_chance.tests);
    assert_eq!(by_chance.figure("branches"), 0, "nobody measures");
}

#[test]
fn the_same_seed_opens_it_with_the_same_tests_however_many_run_at_a_time() {
    let lab = Lab::new(&jdks()[0].home, "Vault", VAULT, &VAULT_TEST);
    let [one, three] =
        [["--jobs", "1"], ["--jobs", "3"]].map(|jobs| lab.augment(8_000, jobs[1], &jobs).tests);
    assert!(one.contains("xylophone"));
    assert_eq!(one, three);
}
