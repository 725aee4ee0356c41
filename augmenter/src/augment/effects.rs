//! Tests that are not written for what they do beyond their own objects: counted, by what it is and which method does it.
//!
//! Knows nothing of how effects are observed. Invariant: a test is counted once, and listed under each of its effects.

use super::known::PairKey;
use dynaflow_model::effect::{Effect, Permission};
use dynaflow_model::sequence::{Operation, Sequence};
use dynaflow_model::sites::MethodRef;
use dynaflow_objectives::NotWrittenText;
use std::collections::{BTreeMap, BTreeSet};

/// The tests of one class that were not written.
#[derive(Clone, Debug, Default)]
pub struct Refusals {
    by: BTreeMap<Reason, Listed>,
    tests: usize,
    /// Pairs for which a test was refused already: the next one for the same pair is no other test.
    pairs: BTreeSet<PairKey>,
}

/// What would have to be allowed, and the method that does it; none when that is not known.
type Reason = (Permission, Option<MethodRef>);

#[derive(Clone, Debug)]
struct Listed {
    tests: usize,
    /// The first of what the tests do, by its text.
    what: String,
}

impl Refusals {
    /// Counts a candidate that some pairs were wanted of, unless one was counted for them all already.
    pub fn add_candidate(&mut self, sequence: &Sequence, effects: &[&Effect], wanted: &BTreeSet<PairKey>) {
        let before = self.pairs.len();
        self.pairs.extend(wanted);
        if self.pairs.len() > before {
            self.add(sequence, effects);
        }
    }

    /// Counts a test.
    pub fn add(&mut self, sequence: &Sequence, effects: &[&Effect]) {
        self.tests += 1;
        let mut listed = BTreeSet::new();
        for effect in effects {
            let reason = (effect.needs(), method(sequence, effect).cloned());
            let first = listed.insert(reason.clone());
            let entry =
                self.by.entry(reason).or_insert_with(|| Listed { tests: 0, what: effect.what.clone() });
            entry.tests += usize::from(first);
            if effect.what < entry.what {
                entry.what.clone_from(&effect.what);
            }
        }
    }

    /// How many tests were not written.
    pub fn tests(&self) -> usize {
        self.tests
    }

    /// Adds those of another stage.
    pub fn merge(&mut self, other: Self) {
        self.tests += other.tests;
        self.pairs.extend(other.pairs);
        for (reason, listed) in other.by {
            let entry =
                self.by.entry(reason).or_insert_with(|| Listed { tests: 0, what: listed.what.clone() });
            entry.tests += listed.tests;
            if listed.what < entry.what {
                entry.what = listed.what;
            }
        }
    }

    /// A line for each reason, for the user.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.by.iter().map(|((permission, method), listed)| {
            let tests = if listed.tests == 1 { "1 test" } else { &format!("{} tests", listed.tests) };
            let who = method.as_ref().map_or_else(|| "the test".to_owned(), spelled);
            format!(
                "not written: {tests} in which {who} {} (--allow-effects {permission} writes such tests)",
                listed.what
            )
        })
    }

    /// The same for the pairs document.
    pub fn texts(&self, class: &str) -> impl Iterator<Item = NotWrittenText> {
        self.by.iter().map(|((permission, method), listed)| NotWrittenText {
            class: class.to_owned(),
            effect: permission.to_string(),
            method: method.as_ref().map(spelled),
            tests: listed.tests as u64,
            what: listed.what.clone(),
        })
    }
}

fn spelled(method: &MethodRef) -> String {
    format!("{}.{}{}", method.owner, method.name, method.descriptor)
}

/// The method that the test calls where the effect happens.
fn method<'a>(sequence: &'a Sequence, effect: &Effect) -> Option<&'a MethodRef> {
    match &sequence.statements.get(effect.statement? as usize)?.operation {
        Operation::New { constructor, .. } => Some(constructor),
        Operation::Call { method, .. } => Some(method),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::effect::{EffectKind, Place};
    use dynaflow_model::sequence::Statement;
    use dynaflow_model::sites::CallKind;

    fn sequence() -> Sequence {
        let method = MethodRef { owner: "a.Store".into(), name: "wipe".into(), descriptor: "()V".into() };
        let operation = Operation::Call { method, kind: CallKind::Static, receiver: None, args: vec![] };
        Sequence { statements: vec![Statement { operation, result: "V".into(), runtime_class: None }] }
    }

    fn deletes(path: &str, statement: Option<u32>) -> Effect {
        let what = format!("deletes {path}");
        Effect { kind: EffectKind::Files, place: Some(Place::Elsewhere), what, statement }
    }

    #[test]
    fn a_line_names_count_method_effect_and_what_would_allow_it() {
        let mut refusals = Refusals::default();
        refusals.add(&sequence(), &[&deletes("/b", Some(0)), &deletes("/a", Some(0))]);
        refusals.add(&sequence(), &[&deletes("/c", Some(0))]);
        let mut other = Refusals::default();
        other.add(&sequence(), &[&deletes("/d", None)]);
        refusals.merge(other);
        assert_eq!(refusals.tests(), 3);
        let lines: Vec<String> = refusals.lines().collect();
        let allows = "(--allow-effects files:elsewhere writes such tests)";
        assert_eq!(
            lines,
            [
                format!("not written: 1 test in which the test deletes /d {allows}"),
                format!("not written: 2 tests in which a.Store.wipe()V deletes /a {allows}"),
            ]
        );
        let texts: Vec<_> = refusals.texts("a.Store").map(|text| (text.method, text.tests)).collect();
        assert_eq!(texts, [(None, 1), (Some("a.Store.wipe()V".to_owned()), 2)]);
    }
}
