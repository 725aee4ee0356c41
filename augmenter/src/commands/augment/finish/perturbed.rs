//! What a run in a fresh JVM that differs in something says of a generated test.
//!
//! Knows nothing of how tests are written, nor of what JVMs differ in (`crate::perturbation`). Invariant: a test that fails in an assertion of its own loses that assertion; one that ends
//! differently in any other way is dropped.

use super::declared;
use crate::jvm::suite::{Failure, SuiteReport, Verdict};
use dynaflow_model::frameworks::{is_assertion_error, is_test_library};

/// What is wrong with a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The assertion with this number among those of its text does not hold.
    Assertion(usize),
    /// It cannot be kept.
    Whole(String),
}

/// What a run says of a test: green ones must pass, findings must fail, and those as they failed `before`, if they did.
pub fn judge(
    (report, company): (&SuiteReport, &str),
    name: &str,
    failing: bool,
    text: &str,
    before: Option<&Verdict>,
) -> Option<Trouble> {
    let ran = report.verdicts.len();
    let whole = |why: String| Some(Trouble::Whole(why));
    match report.verdicts.get(name) {
        Some(Verdict::Passed) if !failing => None,
        Some(Verdict::Failed(failure)) if failing => {
            let same = match before {
                Some(Verdict::Failed(before)) => before.class == failure.class,
                _ => true,
            };
            let other = || format!("{name} failed with {} in a fresh JVM ({company})", failure.class);
            let of_assertion = assertion(text, name, failure).map(Trouble::Assertion);
            of_assertion.or_else(|| if same { None } else { whole(other()) })
        }
        Some(Verdict::Failed(failure)) => match assertion(text, name, failure) {
            Some(number) => Some(Trouble::Assertion(number)),
            None => whole(format!(
                "{name} failed in a fresh JVM ({company}): {} {}",
                failure.class, failure.message
            )),
        },
        Some(Verdict::Passed) => whole(format!("{name} did not fail again in a fresh JVM ({company})")),
        Some(Verdict::Skipped(why)) => whole(format!("{name} was skipped in a fresh JVM ({company}): {why}")),
        Some(Verdict::Unfinished) => {
            whole(format!("{name} began and did not end in a fresh JVM ({company})"))
        }
        None => whole(format!(
            "{name} did not run in a fresh JVM ({company}; {}; {ran} others did)",
            report.ended
        )),
    }
}

/// How frames begin that make an object by reflection: so AssertJ makes what a framework throws which need not be there.
const REFLECTION: &[&str] = &["java.lang.reflect.", "jdk.internal.reflect.", "sun.reflect."];

/// The number, among the assertions of the test, of the one in whose line it failed. The comparison itself must have failed: what the
/// compared call throws is no matter of the assertion.
fn assertion(text: &str, name: &str, failure: &Failure) -> Option<usize> {
    let (class, method) = name.split_once('#')?;
    let own = format!("{class}.{method}(");
    let at = failure.stack.iter().position(|frame| frame.starts_with(&own))?;
    let mut above = failure.stack.iter().take(at);
    if !is_assertion_error(&failure.class) || !above.all(|frame| is_of_library(frame)) {
        return None;
    }
    let line = failure.stack.get(at)?.rsplit_once(':')?.1.strip_suffix(')')?.parse::<usize>().ok()?;
    let lines: Vec<&str> = text.lines().take(line).collect();
    let (start, _) = declared::last(&lines)?;
    let of_test = statements(text.lines().skip(start), line - start);
    of_test.last().filter(|statement| is_assertion(statement))?;
    Some(of_test.iter().filter(|statement| is_assertion(statement)).count() - 1)
}

/// Whether a frame of a stack is of a library of tests, or of how one makes what it throws; before its class may stand its loader and module.
fn is_of_library(frame: &str) -> bool {
    let class = frame.split('(').next().and_then(|method| method.rsplit('/').next()).unwrap_or_default();
    is_test_library(class) || REFLECTION.iter().any(|package| class.starts_with(package))
}

/// The statements of a test from its declaration on, each joined to one line, up to the one that has the line with this number.
fn statements<'t>(lines: impl Iterator<Item = &'t str>, number: usize) -> Vec<String> {
    let mut statements: Vec<String> = vec![];
    let mut is_open = false;
    for (at, line) in (1..).zip(lines) {
        let line = line.trim_start();
        match statements.last_mut().filter(|_| is_open) {
            Some(statement) => statement.push_str(line),
            None if at > number => break,
            None => statements.push(line.to_owned()),
        }
        is_open = !line.ends_with([';', '{', '}']) && !line.starts_with("//") && !line.is_empty();
    }
    statements
}

/// Whether a statement compares a value; what must throw is no comparison.
fn is_assertion(statement: &str) -> bool {
    let statement = statement.trim_start();
    let is_of_message = statement.contains(").hasMessage(");
    statement.starts_with("assert")
        && !statement.starts_with("assertThrows(")
        && (is_of_message || !statement.starts_with("assertThatThrownBy("))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jvm::suite::Ended;
    use std::collections::BTreeMap;

    const TEXT: &str = "class T {\n    @Test\n    void one() {\n        assertTrue(x.a());\n        x.b();\n        \
                        assertEquals(1, x.c());\n    }\n    @Test\n    void two() {\n        assertNull(x.d());\n";

    fn report(stack: &[&str]) -> SuiteReport {
        let failure = Failure {
            class: "java.lang.AssertionError".into(),
            message: "no".into(),
            stack: stack.iter().map(|frame| (*frame).to_owned()).collect(),
        };
        SuiteReport {
            verdicts: BTreeMap::from([("a.T#one".to_owned(), Verdict::Failed(failure))]),
            order: vec![],
            effects: BTreeMap::new(),
            troubles: vec![],
            reached: std::collections::BTreeSet::new(),
            ended: Ended::Completed,
            output_tail: String::new(),
        }
    }

    fn judged(stack: &[&str]) -> Option<Trouble> {
        judge((&report(stack), "here"), "a.T#one", false, TEXT, None)
    }

    #[test]
    fn the_assertion_that_failed_is_known_by_its_line() {
        let second = ["org.junit.Assert.fail(Assert.java:89)", "a.T.one(T.java:6)"];
        assert_eq!(judged(&second), Some(Trouble::Assertion(1)));
        let first = ["org.junit.Assert.assertTrue(Assert.java:42)", "a.T.one(T.java:4)"];
        assert_eq!(judged(&first), Some(Trouble::Assertion(0)));
    }

    #[test]
    fn an_assertion_of_several_lines_is_known_by_any_of_them() {
        let text = "class T {\n    @Test\n    void one() {\n        Box x =\n                new Box();\n        assertTrue(x.a());\n        assertEquals(\n                1,\n                x.c());\n        \
                    x.b();\n        assertThat(x.d())\n                .isNull();\n    }\n";
        let judged = |line: usize| {
            let stack =
                ["org.junit.Assert.fail(Assert.java:89)".to_owned(), format!("a.T.one(T.java:{line})")];
            let stack: Vec<&str> = stack.iter().map(String::as_str).collect();
            judge((&report(&stack), "here"), "a.T#one", false, text, None)
        };
        assert_eq!(judged(6), Some(Trouble::Assertion(0)));
        for line in 7..10 {
            assert_eq!(judged(line), Some(Trouble::Assertion(1)), "line {line}");
        }
        assert!(matches!(judged(10), Some(Trouble::Whole(_))));
        assert_eq!((judged(11), judged(12)), (Some(Trouble::Assertion(2)), Some(Trouble::Assertion(2))));
    }

    #[test]
    fn assertions_before_an_anonymous_class_count_too() {
        let text = "class T {\n    void one() {\n        assertTrue(x.a());\n        Rule rule = new Rule() {\n            @Override\n            public void apply() {}\n        };\n        \
                    assertEquals(1, x.c(rule));\n    }\n";
        let stack = ["org.junit.Assert.fail(Assert.java:89)", "a.T.one(T.java:8)"];
        assert_eq!(
            judge((&report(&stack), "here"), "a.T#one", false, text, None),
            Some(Trouble::Assertion(1))
        );
    }

    #[test]
    fn libraries_make_what_they_throw_by_reflection_and_leave_themselves_out() {
        let by_reflection = [
            "java.base/jdk.internal.reflect.NativeConstructorAccessorImpl.newInstance0(Native Method)",
            "java.base/java.lang.reflect.Constructor.newInstance(Constructor.java:490)",
            "a.T.one(T.java:6)",
        ];
        assert_eq!(judged(&by_reflection), Some(Trouble::Assertion(1)));
        assert_eq!(judged(&["a.T.one(T.java:4)"]), Some(Trouble::Assertion(0)));
    }

    #[test]
    fn what_a_call_throws_is_no_matter_of_an_assertion() {
        for stack in [
            &["a.X.c(X.java:9)", "a.T.one(T.java:6)"][..],
            &["org.x.Y.z(Y.java:1)", "a.T.one(T.java:6)"],
            &["a.T.one(T.java:5)"],
            &["org.x.Y.z(Y.java:1)", "a.T.one(T.java:5)"],
            &["org.junit.Assert.fail(Assert.java:89)", "a.T.other(T.java:6)"],
            &[],
        ] {
            assert!(matches!(judged(stack), Some(Trouble::Whole(_))), "{stack:?}");
        }
    }

    #[test]
    fn a_finding_has_to_fail_as_it_failed_before() {
        let stack = ["a.X.c(X.java:9)", "a.T.one(T.java:5)"];
        let before = |class: &str| Verdict::Failed(Failure { class: class.into(), ..Failure::default() });
        let judged =
            |class: &str| judge((&report(&stack), "here"), "a.T#one", true, TEXT, Some(&before(class)));
        assert_eq!(judged("java.lang.AssertionError"), None);
        assert!(matches!(judged("java.lang.Error"), Some(Trouble::Whole(_))));
    }

    #[test]
    fn what_must_throw_is_a_comparison_where_its_message_is_compared() {
        let lines = [
            ("        assertEquals(1, x.c());", true),
            ("        assertThat(x.c()).isEqualTo(1);", true),
            ("        assertThrows(E.class, () -> x.c());", false),
            ("        assertEquals(\"m\", assertThrows(E.class, () -> x.c()).getMessage());", true),
            ("        assertThatThrownBy(() -> x.c()).isInstanceOf(E.class);", false),
            ("        assertThatThrownBy(() -> x.c()).isInstanceOf(E.class).hasMessage(\"m\");", true),
            ("        x.assertThat(1);", false),
        ];
        lines.iter().for_each(|(line, is)| assert_eq!(is_assertion(line), *is, "{line}"));
    }
}
