//! Names of test methods that say what the test does: `probeThenOpen`. Knows nothing of files.
//!
//! Invariant: a name is a Java identifier, hides nothing the file uses and occurs once.

use crate::names::{capitalised, uncapitalised};
use crate::request::TestCase;
use dynaflow_model::sequence::{Operation, Sequence};
use std::collections::BTreeSet;

/// Most calls that a name mentions.
const MOST: usize = 3;
/// Longest name.
const LONGEST: usize = 80;
/// Names every object has already.
const TAKEN: &[&str] = &[
    "wait",
    "notify",
    "notifyAll",
    "getClass",
    "hashCode",
    "toString",
    "equals",
    "clone",
    "finalize",
    "fail",
];

/// The names given so far in one class.
#[derive(Debug, Default)]
pub(crate) struct MethodNames {
    given: BTreeSet<String>,
}

impl MethodNames {
    /// Takes over the names of a class that is there.
    pub(crate) fn keep(&mut self, names: &[String]) {
        self.given.extend(names.iter().cloned());
    }

    /// A name for a test.
    pub(crate) fn name(&mut self, test: &TestCase) -> String {
        let hint = test.name_hint.as_deref().map(identifier).filter(|hint| !hint.is_empty());
        let mut base = hint.unwrap_or_else(|| described(test));
        base.truncate(base.char_indices().nth(LONGEST).map_or(base.len(), |(at, _)| at));
        if TAKEN.contains(&base.as_str()) || base.starts_with("assert") {
            base = format!("call{}", capitalised(&base));
        }
        let mut name = base.clone();
        let mut count = 2;
        while !self.given.insert(name.clone()) {
            name = format!("{base}_{count}");
            count += 1;
        }
        name
    }
}

/// The last calls of the test in words, and how it ends.
fn described(test: &TestCase) -> String {
    let thrown = test.outcome.thrown.as_ref();
    let ran = thrown.map_or(usize::MAX, |thrown| thrown.statement as usize + 1);
    let calls = runs(&test.sequence, ran);
    let last = calls.iter().skip(calls.len().saturating_sub(MOST));
    let words: Vec<String> = last.map(|(name, times)| format!("{name}{}", repeated(*times))).collect();
    let described = match words.split_first() {
        Some((first, rest)) => rest.iter().fold(first.clone(), |t, w| format!("{t}Then{}", capitalised(w))),
        None => made(&test.sequence),
    };
    let exception = thrown.and_then(|thrown| thrown.class.rsplit(['.', '$']).next());
    let end = exception.map_or_else(String::new, |class| format!("Throws{}", capitalised(class)));
    let name = identifier(&format!("{described}{end}"));
    if name.is_empty() { "test".to_owned() } else { name }
}

/// Names of the called methods, directly repeated ones counted.
fn runs(sequence: &Sequence, ran: usize) -> Vec<(String, usize)> {
    let mut found: Vec<(String, usize)> = vec![];
    for statement in sequence.statements.iter().take(ran) {
        let Operation::Call { method, .. } = &statement.operation else { continue };
        match found.last_mut() {
            Some((name, times)) if *name == method.name => *times += 1,
            _ => found.push((method.name.clone(), 1)),
        }
    }
    found
}

fn repeated(times: usize) -> String {
    match times {
        1 => String::new(),
        2 => "Twice".to_owned(),
        3 => "ThreeTimes".to_owned(),
        n => format!("{n}Times"),
    }
}

/// What a test without calls makes.
fn made(sequence: &Sequence) -> String {
    let class = sequence.statements.iter().rev().find_map(|statement| match &statement.operation {
        Operation::New { constructor, .. } => constructor.owner.rsplit(['.', '$']).next(),
        Operation::GetStatic(field) => field.owner.rsplit(['.', '$']).next(),
        _ => None,
    });
    class.map_or_else(|| "test".to_owned(), |class| format!("make{}", capitalised(class)))
}

/// The characters of a text that an identifier can have, with a small first letter.
fn identifier(text: &str) -> String {
    let kept: String = text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    let kept = kept.trim_start_matches(|c: char| c.is_ascii_digit());
    let starts_small = kept.chars().next().is_some_and(|c| !c.is_uppercase());
    if starts_small { kept.to_owned() } else { uncapitalised(kept) }
}
