//! Classes that break the contracts of `equals`, `hashCode`, `compareTo`, `toString` and `clone`, each in its own way: what is reported of each,
//! as a test that fails; and of a class that keeps them, nothing.
//!
//! Knows nothing of the search. Invariant: every program here is made for the test, and small.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;
mod small;

use dynaflow_objectives::{FindingKind, FindingText, read};
use jvm_support::{jdk_in_turn, jdks};
use small::Small;

/// A class, what it implements, its methods beside `grow` and `size`, and how the comment of its finding begins; none for one that has none.
type Row = (&'static str, &'static str, &'static str, Option<&'static str>);

const EQUALS: &str = "@Override public boolean equals(Object other) ";
const HASH: &str = "@Override public int hashCode() { return 1; }";

const ROWS: &[Row] = &[
    (
        "Selfless",
        "",
        "@Override public boolean equals(Object other) { return other != this && other instanceof Selfless; } HASH",
        Some("fault: an object of demo.Selfless does not equal itself"),
    ),
    (
        "Open",
        "",
        "EQUALS { return other == null || other instanceof Open; } HASH",
        Some("fault: an object of demo.Open equals null"),
    ),
    (
        "Point",
        "",
        "EQUALS { return ((Point) other).size == size; } HASH",
        Some("fault: java.lang.NullPointerException in demo.Point.equals:"),
    ),
    (
        "Loose",
        "",
        "EQUALS { return other instanceof Loose && ((Loose) other).size <= size; } HASH",
        Some("fault: equals() of demo.Loose is not symmetric"),
    ),
    (
        "Tag",
        "",
        "EQUALS { return other instanceof Tag && ((Tag) other).size == size; }",
        Some("fault: equal objects of demo.Tag have different hash codes"),
    ),
    (
        "Rank",
        "implements Comparable<Rank>",
        "@Override public int compareTo(Rank other) { return size > other.size ? 1 : 0; }",
        Some("fault: compareTo() of demo.Rank is not antisymmetric"),
    ),
    (
        "Never",
        "implements Comparable<Never>",
        "@Override public int compareTo(Never other) { return other == this ? 1 : 0; }",
        Some("fault: compareTo() of demo.Never does not give zero for the object itself"),
    ),
    (
        "Ghost",
        "",
        "private String text; @Override public String toString() { return text; }",
        Some("fault: toString() of demo.Ghost gives null"),
    ),
    (
        "Shy",
        "",
        "@Override public String toString() { return size == 0 ? null : \"shy\"; }",
        Some("suspicious: toString() of demo.Shy gives null"),
    ),
    (
        "Mirror",
        "implements Cloneable",
        "@Override public Mirror clone() { return this; }",
        Some("suspicious: clone() of demo.Mirror gives the object itself"),
    ),
    (
        "Sound",
        "implements Cloneable, Comparable<Sound>",
        "EQUALS { return other instanceof Sound && ((Sound) other).size == size; }
    @Override public int hashCode() { return size; }
    @Override public int compareTo(Sound other) { return Integer.compare(size, other.size); }
    @Override public String toString() { return \"sound \" + size; }
    @Override public Sound clone() throws CloneNotSupportedException { return (Sound) super.clone(); }",
        None,
    ),
];

fn source((class, above, methods, _): &Row) -> String {
    let methods = methods.replace("EQUALS ", EQUALS).replace("HASH", HASH);
    format!(
        "package demo;
public class {class} {above} {{
    private int size;
    public void grow() {{ size++; }}
    public int size() {{ return size; }}
    {methods}
}}
"
    )
}

/// The document says of the one finding of a class what the comment of its test says, and where the method is that breaks the contract: behind `size`.
fn is_noted(noted: &[FindingText], class: &str, expected: &str, text: &str) {
    let finding = noted.iter().find(|finding| finding.class == format!("demo.{class}")).unwrap();
    let kind = if finding.kind == FindingKind::Fault { "fault" } else { "suspicious" };
    assert!(format!("{kind}: {}", finding.what).starts_with(expected), "{finding:?}");
    let (test_class, method) = finding.test.split_once('#').unwrap();
    assert_eq!(test_class, format!("demo.{class}DynaflowFailures"));
    assert!(text.contains(&format!("void {method}()")), "{finding:?}: {text}");
    let at = finding.at.as_ref().unwrap();
    let is_thrown = expected.contains("Exception");
    assert_eq!((at.class.as_str(), at.line), (format!("demo.{class}").as_str(), 6), "{finding:?}");
    assert_eq!((finding.throws.is_some(), finding.message.is_some() && !is_thrown), (is_thrown, false));
    // One that has no hashCode() breaks the contract by its equals().
    let method =
        if class == "Tag" { "equals" } else { finding.called.as_ref().unwrap().rsplit('.').next().unwrap() };
    assert_eq!(at.method, method);
}

#[test]
fn each_broken_contract_is_one_finding_that_fails_and_kept_ones_are_none() {
    for jdk in jdk_in_turn(0) {
        let sources: Vec<(&str, String)> = ROWS.iter().map(|row| (row.0, source(row))).collect();
        let project = Small::new(&jdk.home, &sources);
        let said = project.augment("demo.**", &["--max-executions", "3000", "--json", "pairs.json"]);
        let noted = read(&project.read("pairs.json").unwrap()).unwrap().findings.unwrap();
        assert_eq!(noted.len(), ROWS.iter().filter(|row| row.3.is_some()).count(), "{noted:?}");
        for (class, _, _, expected) in ROWS {
            let file = format!("out/findings/demo/{class}DynaflowFailures.java");
            let written = project.read(&file).map(|text| String::from_utf8(text).unwrap());
            let Some(expected) = expected else {
                assert_eq!(written, None, "{said}");
                continue;
            };
            let text = written.unwrap_or_else(|| panic!("nothing was found of {class}: {said}"));
            assert!(text.contains(&format!("    // {expected}")), "{class}: {text}");
            assert_eq!(text.matches("@Test").count(), 1, "one failure, one test: {text}");
            is_noted(&noted, class, expected, &text);
            project.javac(&["-Xlint:all,-processing,-classfile,-path", "-Werror", "-d", "tests"], &[&file]);
            let name = format!("demo.{class}DynaflowFailures");
            let ran = project.run("java", &["org.junit.runner.JUnitCore", &name]);
            let ran = String::from_utf8_lossy(&ran.stdout).into_owned();
            assert!(ran.contains("Tests run: 1,  Failures: 1"), "{ran}");
        }
        // A later run writes none of them again, and its document has them all the same.
        if jdk.home == jdks()[0].home {
            project.augment("demo.**", &["--max-executions", "100", "--json", "again.json"]);
            let again = read(&project.read("again.json").unwrap()).unwrap().findings.unwrap();
            assert_eq!(again, noted);
        }
    }
}
