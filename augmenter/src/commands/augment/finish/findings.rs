//! What the tests of findings reveal, as the document says it.
//!
//! In: tests that hold, what was judged of the exceptions that end them; of earlier runs, the comments of tests and how these fail. Out: entries of the
//! document. Knows nothing of how tests are found or run. Invariant: equal findings have equal entries, whichever run wrote the test, and whatever
//! differs from run to run in the message of an exception.

use crate::commands::augment::facts::merit::{self, BESIDE, MARKS, Verdict};
use crate::commands::augment::judge::candidates::Candidates;
use crate::commands::augment::judge::shown::NOTHING;
use crate::commands::augment::judge::triage::Judge;
use crate::jvm::suite::Failure;
use dynaflow_model::contract::Clause;
use dynaflow_model::outcome::StackFrame;
use dynaflow_model::sites::MethodRef;
use dynaflow_objectives::{FindingKind, FindingText, FrameText};

/// What stands before the place of an exception.
const PLACE: &str = "in ";

/// Longest message that is noted, in characters.
const LONGEST: usize = 1_000;

/// What the test at a place reveals, written for a class under this name, with the pair that it executes in words; none for a green one.
pub fn of(
    candidates: &Candidates,
    place: usize,
    (class, test): (&str, &str),
    flow: Option<&str>,
) -> Option<FindingText> {
    let possible = candidates.all().get(place)?;
    let judged = possible.judged.as_ref()?;
    let thrown = possible.case.outcome.thrown.as_ref().filter(|thrown| !thrown.is_of_contract());
    Some(FindingText {
        at: judged.at.as_ref().map(frame),
        called: judged.called.as_ref().map(|method| format!("{}.{}", method.owner, method.name)),
        class: class.to_owned(),
        flow: flow.filter(|flow| !flow.is_empty() && *flow != NOTHING).map(str::to_owned),
        kind: kind(judged.verdict)?,
        message: thrown.and_then(|thrown| message(thrown.message.as_deref()?)),
        others: candidates.others(judged) as u64,
        test: test.to_owned(),
        throws: thrown.map(|thrown| thrown.class.clone()),
        what: judged.key.clone(),
    })
}

/// What a test of an earlier run reveals that was written for a class under this name, by the lines of its comment; none if it fails by something else now.
/// The line is the one on which it fails now.
pub fn standing((class, test): (&str, &str), comments: &[String], failure: &Failure) -> Option<FindingText> {
    let of = |comment: &String| {
        let (verdict, rest) =
            MARKS.iter().find_map(|(verdict, mark)| Some((*verdict, comment.strip_prefix(mark)?)))?;
        Some((kind(verdict)?, rest.to_owned()))
    };
    let (kind, said) = comments.iter().find_map(of)?;
    let (what, beside) = said.split_once(BESIDE).unwrap_or((&said, ""));
    let beside: Vec<&str> = beside.split(BESIDE).collect();
    let promised = what.split(' ').find_map(|word| Some((word, clause(what, word)?)));
    let thrown = what.split([' ', ',']).next().filter(|_| promised.is_none());
    if thrown.is_some_and(|thrown| thrown != failure.class) {
        return None;
    }
    // Of what comes of a null, the place stands beside.
    let place = beside.first().filter(|beside| beside.starts_with(PLACE)).unwrap_or(&what);
    let (place, caller) = place.split_once(", called by ").map_or((*place, None), |(p, c)| (p, Some(c)));
    let at = place.rsplit_once(PLACE).filter(|_| thrown.is_some()).and_then(|(_, at)| frame_of(at));
    let now = at.as_ref().map(|at| FrameText { line: line_of(at, failure).unwrap_or(at.line), ..at.clone() });
    let called = match promised {
        Some((class, clause)) => Some(format!("{class}.{}", clause.method())),
        None => {
            caller.map(str::to_owned).or_else(|| now.as_ref().map(|at| format!("{}.{}", at.class, at.method)))
        }
    };
    let moved = |what: &str| match (&at, &now) {
        (Some(at), Some(now)) => what.replacen(&format!(":{}", at.line), &format!(":{}", now.line), 1),
        _ => what.to_owned(),
    };
    Some(FindingText {
        called,
        class: class.to_owned(),
        flow: comments.iter().find(|comment| !merit::pins(comment)).cloned(),
        kind,
        message: thrown.filter(|_| failure.message != "null").and_then(|_| message(&failure.message)),
        others: beside.iter().find_map(|beside| beside.split(' ').next()?.parse().ok()).unwrap_or_default(),
        test: test.to_owned(),
        throws: thrown.map(str::to_owned),
        what: moved(what),
        at: now,
    })
}

/// Where it happened, if no frame says so: the method that was asked.
pub fn place(finding: &mut FindingText, judge: &Judge<'_>) {
    let asked = finding.called.as_deref().and_then(|called| called.rsplit_once('.'));
    if let (None, Some((owner, name))) = (&finding.at, asked) {
        let (owner, name) = (owner.to_owned(), name.to_owned());
        let method = MethodRef { owner, name, descriptor: String::new() };
        finding.at = judge.asked(Some(&method)).as_ref().map(frame);
    }
}

/// The clause that objects of a class break, if that is what it says.
fn clause(what: &str, class: &str) -> Option<Clause> {
    Clause::ALL.into_iter().find(|clause| clause.broken_by(class) == what)
}

/// `a.Box.size:6`.
fn frame_of(text: &str) -> Option<FrameText> {
    let (name, line) = text.rsplit_once(':').unwrap_or((text, "0"));
    let (class, method) = name.rsplit_once('.')?;
    Some(FrameText { class: class.to_owned(), line: line.parse().ok()?, method: method.to_owned() })
}

/// The line of a method's innermost frame, by the stack: `app//a.Box.size(Box.java:6)`.
fn line_of(at: &FrameText, failure: &Failure) -> Option<u32> {
    let frame = format!("{}.{}(", at.class, at.method);
    let of = |line: &String| line.rsplit('/').next()?.strip_prefix(&frame).map(str::to_owned);
    let rest = failure.stack.iter().find_map(of)?;
    rest.rsplit_once(':')?.1.trim_end().strip_suffix(')')?.parse().ok()
}

fn kind(verdict: Verdict) -> Option<FindingKind> {
    match verdict {
        Verdict::Fault => Some(FindingKind::Fault),
        Verdict::Suspicious => Some(FindingKind::Suspicious),
        Verdict::Refusal => None,
    }
}

fn frame(frame: &StackFrame) -> FrameText {
    let StackFrame { class, method, line } = frame;
    FrameText { class: class.clone(), line: line.unwrap_or_default(), method: method.clone() }
}

/// What is noted of a message.
fn message(message: &str) -> Option<String> {
    let text = steady(message);
    let cut = text.char_indices().nth(LONGEST).map(|(at, _)| at);
    let text = cut.map_or(text.clone(), |at| format!("{}...", text.get(..at).unwrap_or_default()));
    (!text.is_empty()).then_some(text)
}

/// What stands before a number in hex that each run has another of: hash codes (`a.Box@1b6d3586`, `loader a.Loader @7a81197d`), addresses of
/// lambdas (`a.Box$$Lambda/0x00007f4a10000400`).
const BEFORE: [&str; 2] = ["@", "/0x"];

/// A message without such numbers.
fn steady(message: &str) -> String {
    BEFORE.iter().fold(message.to_owned(), |text, mark| without_hex(&text, mark))
}

fn without_hex(text: &str, mark: &str) -> String {
    let mut parts = text.split(mark);
    let mut steady = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        let is_number = rest.len() < part.len() && !rest.starts_with(|c: char| c.is_alphanumeric());
        steady += mark;
        steady += if is_number { "..." } else { "" };
        steady += if is_number { rest } else { part };
    }
    steady
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_the_same_in_every_run_and_short() {
        for (message, expected) in [
            ("no a.Box@1b6d3586 in [a.Box$In@0, [I@7f]", "no a.Box@... in [a.Box$In@..., [I@...]"),
            ("loader 'app' @7a81197d: a$$Lambda/0x00007f4a1@1c.", "loader 'app' @...: a$$Lambda/0x...@...."),
            ("mail me@example.org, x@, 3/0xz", "mail me@example.org, x@, 3/0xz"),
            ("Index 3 out of bounds", "Index 3 out of bounds"),
            ("a@", "a@"),
        ] {
            assert_eq!(steady(message), expected);
        }
        assert_eq!(message(&"é".repeat(2_000)), Some("é".repeat(1_000) + "..."));
        assert_eq!(message(""), None);
    }

    /// How a test of an earlier run fails.
    fn fails(class: &str, message: &str, stack: &[&str]) -> Failure {
        let stack = stack.iter().map(|line| (*line).to_owned()).collect();
        Failure { class: class.into(), message: message.into(), stack }
    }

    fn of_comments(comments: &[&str], failure: &Failure) -> Option<FindingText> {
        let comments: Vec<String> = comments.iter().map(|line| (*line).to_owned()).collect();
        standing(("a.Box", "a.BoxDynaflowFailures#shows"), &comments, failure)
    }

    #[test]
    fn a_finding_of_an_earlier_run_is_read_off_its_comment_and_has_the_line_on_which_it_fails_now() {
        let stack =
            ["java.base/java.util.List.of(List.java:7)", "app//a.In.size(In.java:9)", "a.In.size(In.java:1)"];
        let failure = fails("java.lang.NullPointerException", "no a.In@1b", &stack);
        let comments = [
            "fault: java.lang.NullPointerException in a.In.size:6, called by a.Box.label; 2 other call sequences end so",
            "clear() sets Box.label (line 4); size() must see it (line 6)",
        ];
        let found = of_comments(&comments, &failure).unwrap();
        let expected = FindingText {
            at: Some(FrameText { class: "a.In".into(), line: 9, method: "size".into() }),
            called: Some("a.Box.label".into()),
            class: "a.Box".into(),
            flow: Some(comments[1].into()),
            kind: FindingKind::Fault,
            message: Some("no a.In@...".into()),
            others: 2,
            test: "a.BoxDynaflowFailures#shows".into(),
            throws: Some("java.lang.NullPointerException".into()),
            what: "java.lang.NullPointerException in a.In.size:9, called by a.Box.label".into(),
        };
        assert_eq!(found, expected);
        let other = fails("java.lang.IllegalStateException", "null", &stack);
        assert_eq!(of_comments(&comments, &other), None, "it fails by something else");
        assert_eq!(of_comments(&comments[1..], &failure), None, "nothing says what it was for");
    }

    #[test]
    fn the_place_of_what_a_null_raises_is_read_off_its_comment_too() {
        let failure = fails("java.lang.NullPointerException", "null", &["app//a.In.size(In.java:9)"]);
        let what = "java.lang.NullPointerException of null passed to a.Box.put(In)";
        let place = "in a.In.size:6, called by a.Box.label";
        for (also, others) in [("", 0), ("; 3 other call sequences end so", 3)] {
            let found = of_comments(&[&format!("suspicious: {what}; {place}{also}")], &failure).unwrap();
            let at = FrameText { class: "a.In".into(), line: 9, method: "size".into() };
            assert_eq!((found.what.as_str(), found.at, found.others), (what, Some(at), others));
            assert_eq!(found.called.as_deref(), Some("a.Box.label"));
        }
    }

    #[test]
    fn contracts_and_overflows_are_read_off_comments_too() {
        let failure = fails("org.junit.ComparisonFailure", "expected: 1", &[]);
        let found = of_comments(&["suspicious: equals() of a.Box$In is not symmetric"], &failure).unwrap();
        assert_eq!((found.throws, found.message, found.at), (None, None, None));
        assert_eq!(found.called.as_deref(), Some("a.Box$In.equals"));
        let failure = fails("java.lang.StackOverflowError", "null", &["a.Box.f(Box.java:3)"]);
        let found =
            of_comments(&["fault: java.lang.StackOverflowError, called by a.Box.f"], &failure).unwrap();
        assert_eq!((found.at, found.called.as_deref()), (None, Some("a.Box.f")));
        assert_eq!((found.message, found.others), (None, 0));
    }
}
