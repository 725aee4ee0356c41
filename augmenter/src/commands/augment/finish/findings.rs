//! What the tests of findings reveal, as the document says it.
//!
//! In: tests that hold, what was judged of the exceptions that end them. Out: entries of the document. Knows nothing of how tests are found or run.
//! Invariant: equal findings have equal entries, whatever differs from run to run in the message of an exception.

use crate::commands::augment::facts::merit::Verdict;
use crate::commands::augment::judge::candidates::Candidates;
use crate::commands::augment::judge::shown::NOTHING;
use crate::commands::augment::judge::triage::Judged;
use dynaflow_model::outcome::{StackFrame, Thrown};
use dynaflow_objectives::{FindingKind, FindingText, FrameText};

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
        kind: kind(judged)?,
        message: thrown.and_then(message),
        others: candidates.others(judged) as u64,
        test: test.to_owned(),
        throws: thrown.map(|thrown| thrown.class.clone()),
        what: judged.key.clone(),
    })
}

fn kind(judged: &Judged) -> Option<FindingKind> {
    match judged.verdict {
        Verdict::Fault => Some(FindingKind::Fault),
        Verdict::Suspicious => Some(FindingKind::Suspicious),
        Verdict::Refusal => None,
    }
}

fn frame(frame: &StackFrame) -> FrameText {
    let StackFrame { class, method, line } = frame;
    FrameText { class: class.clone(), line: line.unwrap_or_default(), method: method.clone() }
}

fn message(thrown: &Thrown) -> Option<String> {
    let text = steady(thrown.message.as_ref()?);
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
        let thrown = |message: Option<String>| Thrown {
            statement: 0,
            class: "a.E".into(),
            superclasses: vec![],
            message,
            declared: false,
            on_purpose: false,
            raised_in: vec![],
        };
        assert_eq!(message(&thrown(Some("é".repeat(2_000)))), Some("é".repeat(1_000) + "..."));
        assert_eq!([message(&thrown(None)), message(&thrown(Some(String::new())))], [None, None]);
    }
}
