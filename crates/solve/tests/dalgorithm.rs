//! The D-algorithm: the running example step by step against a golden file; its verdicts against a real JVM and against the query about the whole method, on the
//! subjects and on random methods without loops; and against solvers that are missing or lie.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests, outside of a test function"
)]

#[allow(dead_code, reason = "each test uses a part of what they share")]
mod support;

use dynaflow_classfile::ClassFile;
use dynaflow_solve::dalgorithm::{self, Limits, Steps};
use dynaflow_solve::value::Value;
use dynaflow_solve::{Argument, Bounds, Config, Problem, Solver, Verdict, run as runs, whole};
use std::path::{Path, PathBuf};
use std::time::Duration;
use support::{Call, Subject, compile, java_folder, java_homes, run, solver};

fn subject(folder: &Path, source: PathBuf, class: &str) -> Subject {
    compile(&java_homes()[0], &[source], folder);
    Subject::read(folder, class)
}

fn of_subjects(folder: &Path, class: &str) -> Subject {
    subject(folder, java_folder().join(format!("subjects/{class}.java")), class)
}

fn solve(subject: &Subject, mutant: usize, solver: &mut Solver, steps: &mut Steps) -> Verdict {
    let class = ClassFile::parse(&subject.bytes).unwrap();
    let mutant = &subject.found.mutants[mutant];
    let mut problem = Problem::of_mutant(&class, mutant, Bounds::default()).unwrap();
    dalgorithm::solve(&mut problem, solver, Limits::default(), steps).unwrap()
}

fn by_whole(subject: &Subject, mutant: usize, solver: &mut Solver) -> Verdict {
    let class = ClassFile::parse(&subject.bytes).unwrap();
    let mut problem = Problem::of_mutant(&class, &subject.found.mutants[mutant], Bounds::default()).unwrap();
    whole::solve(&mut problem, solver).unwrap()
}

const HEADER: &str = "\
# The running example of Zhang, Gupta and Halfond (section IV.B.7, figures 3 and 4), as this program solves it. Written by the tests.
#
# Places: l0 = a, l1 = b, l2 = c, l3 = x. Nodes: 0 `x = 0`, 1 `a == b`, 2 `x = x + 1`, 3 `b == c`, 4 `x = x + 1`, 5 `a == c`, 6 `x = x + 2`, 7 `x = x + 1` with 8 the jump
# behind it, 9 `return x`: the lines 1, 2, 3, 5, 6, 8, 11, 9 and 13 of the paper. The mutant has `b != c` at node 3. `l3#4` is x as node 4 defines it, `l3@5` x where
# definitions meet in front of node 5; what ends with ' is that of the mutant alone. `1-3` is an edge.
#
# Where it differs from the paper: implication is stronger (that x is 0 in front of node 3 implies that node 2 is not run and that a != b, which the paper leaves
# unjustified as the IVS of node 5); the use at line 11 comes before that at line 9, so that the conflict through line 9 is not met; values that depend on each other
# are justified by one query. Excitation, effect and test are the paper's: b = 0, c = 0, x = 0; 3/2 at the return; a = 1, b = 0, c = 0.
";

#[test]
fn the_running_example_takes_the_steps_of_the_golden_file_to_the_test_of_the_paper() {
    let folder = tempfile::tempdir().unwrap();
    let example = of_subjects(folder.path(), "Example");
    let is_it =
        |mutant: &dynaflow_mutants::Mutant| mutant.line == 10 && mutant.description == "replaced == with !=";
    let mutant = example.found.mutants.iter().position(is_it).unwrap();
    let mut steps = Steps::kept();
    let verdict = solve(&example, mutant, &mut solver(), &mut steps);
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/running-example.txt");
    let text = format!("{HEADER}\n{}\n{verdict:?}\n", steps.lines().join("\n"));
    if std::env::var_os("DYNAFLOW_BLESS").is_some() {
        std::fs::create_dir_all(golden.parent().unwrap()).unwrap();
        std::fs::write(&golden, &text).unwrap();
    }
    let expected = std::fs::read_to_string(&golden).unwrap_or_default();
    assert!(expected == text, "{} differs; DYNAFLOW_BLESS=1 writes it anew. Now:\n{text}", golden.display());
    let int = |value| Argument::Number(b'I', Value::Int(value));
    assert_eq!(verdict, Verdict::Test(vec![int(1), int(0), int(0)]));
    assert!(text.contains("result = 3/2 at the return"), "{text}");
}

/// Each test kills its mutant in a JVM; gives how many tests, equivalent and undecided mutants there are.
fn in_a_jvm(folder: &Path, subject: &Subject, method: &str, verdicts: &[(usize, Verdict)]) -> [usize; 3] {
    let mut calls: Vec<Call<'_>> = vec![];
    let mut counts = [0; 3];
    for (number, verdict) in verdicts {
        match verdict {
            Verdict::Test(arguments) => {
                counts[0] += 1;
                calls.extend(
                    [None, Some(*number)].map(|mutant| (subject, mutant, method, arguments.as_slice())),
                );
            }
            Verdict::Equivalent(_) => counts[1] += 1,
            Verdict::Undecided(why) => {
                counts[2] += 1;
                println!("{}, {}: {why}", subject.class, subject.found.mutants[*number].id);
            }
            Verdict::RunsOn(arguments) => panic!("the D-algorithm gives none that runs on: {arguments:?}"),
        }
    }
    let outcomes = run(&java_homes()[0], folder, &calls);
    assert_eq!(outcomes.len(), calls.len());
    for (call, pair) in calls.chunks(2).zip(outcomes.chunks(2)) {
        assert_ne!(pair[0], pair[1], "{}: {:?} with {:?}", subject.class, call[1].1, call[1].3);
    }
    counts
}

#[test]
fn its_tests_kill_their_mutants_in_a_jvm_and_what_it_calls_equivalent_the_whole_query_does_not_kill() {
    for (class, method) in [("Example", "function"), ("CountPositive", "countPositive")] {
        let folder = tempfile::tempdir().unwrap();
        let subject = of_subjects(folder.path(), class);
        let (mut one, mut other) = (solver(), solver());
        let own = (0..subject.found.mutants.len()).filter(|m| subject.found.mutants[*m].method == method);
        let verdicts: Vec<(usize, Verdict)> =
            own.map(|mutant| (mutant, solve(&subject, mutant, &mut one, &mut Steps::default()))).collect();
        for (mutant, verdict) in &verdicts {
            if matches!(verdict, Verdict::Equivalent(_)) {
                let whole = by_whole(&subject, *mutant, &mut other);
                assert!(!matches!(whole, Verdict::Test(_)), "{class} {mutant}: {whole:?}");
            }
        }
        let [tests, equivalent, undecided] = in_a_jvm(folder.path(), &subject, method, &verdicts);
        println!(
            "{class}: {tests} tests, {equivalent} equivalent, {undecided} undecided, {} queries",
            one.asked()
        );
        assert!(
            tests > 10 * undecided.max(1) / 2 && equivalent > 0,
            "{class}: {tests} {equivalent} {undecided}"
        );
    }
}

/// Numbers by chance (Knuth's linear congruential generator): the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }

    fn value(&mut self) -> String {
        let operand = ["a", "b", "c", "x", "y", "0", "1", "3"];
        match self.below(4) {
            0 => self.of(&operand).to_owned(),
            _ => {
                format!("{} {} {}", self.of(&operand), self.of(&["+", "-", "&", "+", "/"]), self.of(&operand))
            }
        }
    }

    fn statements(&mut self, depth: usize, indent: &str) -> String {
        let mut text = String::new();
        for _ in 0..=self.below(3) {
            if depth > 0 && self.below(2) == 0 {
                let operator = self.of(&["==", "<", ">=", "!="]);
                let (left, right) = (self.of(&["a", "b", "c", "x"]), self.of(&["b", "c", "y", "1"]));
                let (yes, no) = (self.statements(depth - 1, indent), self.statements(depth - 1, indent));
                text += &format!(
                    "{indent}if ({left} {operator} {right}) {{\n{yes}{indent}}} else {{\n{no}{indent}}}\n"
                );
            } else {
                text += &format!("{indent}{} = {};\n", self.of(&["x", "y"]), self.value());
            }
        }
        text
    }
}

#[test]
fn on_random_methods_without_loops_it_agrees_with_the_whole_query_and_with_a_jvm() {
    let mut chance = Chance(2018);
    let [mut tests, mut equivalent, mut undecided] = [0; 3];
    for number in 0..4 {
        let folder = tempfile::tempdir().unwrap();
        let class = format!("Random{number}");
        let body = chance.statements(2, "    ");
        let text = format!(
            "class {class} {{\n  static int f(int a, int b, int c) {{\n    int x = 0;\n    int y = 1;\n{body}    return x * 3 + y;\n  }}\n}}\n"
        );
        let source = folder.path().join(format!("{class}.java"));
        std::fs::write(&source, &text).unwrap();
        let subject = subject(folder.path(), source, &class);
        let (mut one, mut other) = (solver(), solver());
        let own: Vec<usize> =
            (0..subject.found.mutants.len()).filter(|m| subject.found.mutants[*m].method == "f").collect();
        // A dozen of each method: every k-th, so that all operators come up.
        let step = own.len().div_ceil(12).max(1);
        let mut verdicts = vec![];
        for mutant in own.into_iter().step_by(step) {
            let verdict = solve(&subject, mutant, &mut one, &mut Steps::default());
            let whole = by_whole(&subject, mutant, &mut other);
            match (&verdict, &whole) {
                (Verdict::Test(_), Verdict::Equivalent(_)) | (Verdict::Equivalent(_), Verdict::Test(_)) => {
                    panic!(
                        "{text}{}: {verdict:?}, as a whole {whole:?}",
                        subject.found.mutants[mutant].description
                    )
                }
                _ => verdicts.push((mutant, verdict)),
            }
        }
        let counts = in_a_jvm(folder.path(), &subject, "f", &verdicts);
        tests += counts[0];
        equivalent += counts[1];
        undecided += counts[2];
    }
    println!("{tests} tests, {equivalent} equivalent, {undecided} undecided");
    assert!(
        tests > 0 && equivalent > 0 && undecided * 2 < tests + equivalent,
        "{tests} {equivalent} {undecided}"
    );
}

#[test]
fn a_solver_that_is_missing_hangs_or_lies_brings_no_test_that_does_not_kill() {
    let folder = tempfile::tempdir().unwrap();
    let example = of_subjects(folder.path(), "Example");
    let class = ClassFile::parse(&example.bytes).unwrap();
    let shell = |script: &str| {
        let command = ["sh", "-c", script].map(str::to_owned).to_vec();
        Some(Config { command, limit: Duration::from_millis(200), effort: 1000 })
    };
    let configs = [
        None,
        shell("exec sleep 60"),
        shell("kill -9 $$"),
        shell("cat >/dev/null; echo sat; echo '((v0 #x00000008))'"),
        shell("cat >/dev/null; echo unknown"),
    ];
    for config in configs {
        let mut solver = Solver::new(config.clone());
        for mutant in (0..example.found.mutants.len()).step_by(9) {
            let of = &example.found.mutants[mutant];
            if of.method != "function" {
                continue;
            }
            let mut problem = Problem::of_mutant(&class, of, Bounds::default()).unwrap();
            let verdict =
                dalgorithm::solve(&mut problem, &mut solver, Limits::default(), &mut Steps::default())
                    .unwrap();
            match verdict {
                Verdict::Test(arguments) => assert!(runs::is_killed(&problem, &arguments), "{config:?}"),
                Verdict::Undecided(why) => assert!(!why.is_empty()),
                // What simplification alone decides, without the solver.
                other => assert_eq!(by_whole(&example, mutant, &mut support::solver()), other, "{config:?}"),
            }
        }
    }
}
