//! What shows that objects do not keep a contract of the JDK, as people write it: compared with golden files, compiled with every warning an
//! error, and run; each test fails.
//!
//! `DYNAFLOW_BLESS=1` writes the golden files anew.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic, which fails the test")]

mod common;
mod java;

use common::{Script, callable, info, with};
use dynaflow_model::contract::Clause;
use dynaflow_model::frameworks::{Library, Style, style};
use dynaflow_model::outcome::Observed;
use dynaflow_model::sequence::{Arg, Operation, Value};
use dynaflow_model::sites::CallKind;
use dynaflow_search::Types;
use dynaflow_testgen::{Generated, Manner, Request, TestCase, generate};
use java::{here, jar, java_homes, run, tool};

const ODD: &str = "shop.Odd";

fn types() -> Types {
    let above = ["java.lang.Object", "java.lang.Comparable", "java.lang.Cloneable"];
    let mut odd = with(info(ODD, &above), &["(I)V"], &["compareTo(Lshop/Odd;)I"]);
    let throws = ["java.lang.CloneNotSupportedException"];
    odd.methods.push(callable(ODD, "clone()Lshop/Odd;", CallKind::Virtual, &throws));
    Types::new([odd], "shop")
}

/// Two objects, one of which is asked, or both.
fn broken(clause: Clause, class: &str) -> TestCase {
    let mut script = Script::default();
    let make = |script: &mut Script, rank| script.construct(ODD, "(I)V", &[Arg::Value(Value::Int(rank))]);
    let one = Arg::Var(make(&mut script, 1));
    let other = clause.is_of_two().then(|| Arg::Var(make(&mut script, 2)));
    script.then(Operation::Contract { clause, class: ODD.into(), one, other }, "V", Observed::Void);
    script.throws(&clause.broken_by(ODD), class, "", false)
}

fn generated(style: &'static Style) -> Generated {
    let (types, manner) = (types(), Manner::default());
    let mut tests: Vec<TestCase> =
        Clause::ALL.iter().map(|clause| broken(*clause, "java.lang.AssertionError")).collect();
    // What the question throws is another failure than a wrong answer.
    let mut thrown = broken(Clause::DiffersFromNull, "java.lang.NullPointerException");
    thrown.comment = "equals(null) ends with an exception".to_owned();
    tests.push(thrown);
    generate(&Request {
        class: ODD,
        style,
        manner: &manner,
        first: 1,
        existing: &[],
        tests: &tests,
        types: &types,
    })
}

fn styles() -> [(&'static str, &'static Style); 3] {
    let [four, five] = ["4", "5"].map(|junit| style(junit).unwrap());
    [("junit4", four), ("hamcrest", four.with(Library::Hamcrest)), ("assertj", five.with(Library::AssertJ))]
}

#[test]
fn broken_contracts_are_those_of_the_golden_files() {
    for (name, style) in styles() {
        let source = &generated(style).sources[0];
        let golden = here().join("golden/contracts").join(name).join("OddDynaflowFailures.java");
        if std::env::var_os("DYNAFLOW_BLESS").is_some() {
            std::fs::create_dir_all(golden.parent().unwrap()).unwrap();
            std::fs::write(&golden, &source.text).unwrap();
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        assert!(expected == source.text, "{name}: DYNAFLOW_BLESS=1 writes it anew. Now:\n{}", source.text);
    }
}

#[test]
fn javac_warns_of_nothing_and_each_test_fails() {
    let jars = [
        "junit-4.13.2",
        "hamcrest-core-1.3",
        "junit-platform-console-standalone-1.11.4",
        "assertj-core-3.26.3",
        "byte-buddy-1.17.7",
    ];
    let jars = std::env::join_paths(jars.map(|name| jar(&format!("{name}.jar")))).unwrap();
    for (home, (name, _)) in
        java_homes().into_iter().flat_map(|home| styles().map(|style| (home.clone(), style)))
    {
        let folder = tempfile::tempdir().unwrap();
        let golden = here().join("golden/contracts").join(name).join("OddDynaflowFailures.java");
        let mut javac = java::javac(home.as_deref());
        javac.args(["-Xlint:all,-processing,-classfile,-path", "-Werror", "-d"]).arg(folder.path());
        javac.arg("-cp").arg(&jars).arg(here().join("fixture/shop/Odd.java")).arg(&golden);
        let (compiled, text) = run(&mut javac);
        assert!(compiled, "{name}: javac refused the sources:\n{text}");
        let paths = std::env::split_paths(&jars).chain([folder.path().to_owned()]);
        let mut java = tool(home.as_deref(), "java");
        java.arg("-cp").arg(std::env::join_paths(paths).unwrap());
        java.args(["org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner"]);
        java.args(["--disable-ansi-colors", "--select-class", "shop.OddDynaflowFailures"]);
        let (passed, text) = run(&mut java);
        // The last one is written as one that ends with an exception, which this class does not throw.
        assert!(!passed && text.contains("9 tests failed") && text.contains("0 tests successful"), "{text}");
    }
}
