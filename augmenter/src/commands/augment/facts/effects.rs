//! Tests that are not written for what they do beyond their own objects: counted, by what it is and which method does it.
//!
//! Knows nothing of how effects are observed. Invariant: a test is counted once, and listed under each of its effects.

use dynaflow_model::effect::{Allowed, Effect, Permission};
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sequence::{Operation, Sequence};
use dynaflow_model::sites::MethodRef;
use dynaflow_objectives::NotWrittenText;
use std::collections::{BTreeMap, BTreeSet};

/// Most characters of an effect on a line.
const LONGEST: usize = 100;

/// The tests of one class that were not written.
#[derive(Clone, Debug, Default)]
pub struct Refusals {
    by: BTreeMap<Reason, Listed>,
    tests: usize,
    /// Pairs of candidates that were refused: another candidate for the same pair is not counted as another test.
    pairs: BTreeSet<PairKey>,
}

/// What would have to be allowed, and who does it.
type Reason = (Permission, Culprit);

/// Who has an effect.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Culprit {
    /// Something in the test, it is not known what.
    Test,
    /// A method that the test calls.
    Method(MethodRef),
    /// The initialiser of a class, whichever test comes first.
    Initialiser(String),
}

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
        let needed: BTreeSet<Permission> = effects.iter().map(|effect| effect.needs()).collect();
        for effect in effects {
            let needs = effect.needs();
            if needed.iter().any(|other| *other != needs && other.includes(&needs)) {
                // Allowing that a file is changed allows looking at it, too: only the change is listed.
                continue;
            }
            let reason = (needs, culprit(sequence, effect));
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

    /// The reasons for the pairs document.
    pub fn texts(&self, class: &str) -> impl Iterator<Item = NotWrittenText> {
        self.by.iter().map(|((permission, culprit), listed)| NotWrittenText {
            class: class.to_owned(),
            effect: permission.to_string(),
            method: spelled(culprit),
            tests: listed.tests as u64,
            what: listed.what.clone(),
        })
    }
}

/// A line for each reason and what is done, with the class it is about, or with how many there are.
pub fn lines(of: &[(String, Refusals)]) -> Vec<String> {
    let mut all: BTreeMap<(&Reason, &str), (usize, Vec<&str>)> = BTreeMap::new();
    for (class, refusals) in of {
        for (reason, listed) in &refusals.by {
            let (tests, classes) = all.entry((reason, &listed.what)).or_default();
            *tests += listed.tests;
            classes.push(class);
        }
    }
    let mut lines = vec![];
    for (((permission, culprit), what), (tests, classes)) in all {
        let tests = if tests == 1 { "1 test" } else { &format!("{tests} tests") };
        let (about, many) = match classes.as_slice() {
            [class] => (format!("{class}: "), String::new()),
            _ => (String::new(), format!(" for {} classes", classes.len())),
        };
        let who = match culprit {
            Culprit::Initialiser(class) => format!("the initialiser of {class}"),
            _ => spelled(culprit).unwrap_or_else(|| "the test".to_owned()),
        };
        lines.push(format!(
            "{about}not written: {tests}{many} in which {who} {} (--allow-effects {permission} writes such tests)",
            shown(what)
        ));
    }
    lines
}

/// An effect on one line of the terminal: names of files have whatever characters a candidate gave them.
fn shown(what: &str) -> String {
    let mut line = String::new();
    for c in what.chars().take(LONGEST) {
        match c.is_control() {
            true => line.extend(c.escape_default()),
            false => line.push(c),
        }
    }
    if what.chars().nth(LONGEST).is_some() {
        line.push_str("...");
    }
    line
}

fn spelled(culprit: &Culprit) -> Option<String> {
    match culprit {
        Culprit::Test => None,
        Culprit::Method(method) => Some(format!("{}.{}{}", method.owner, method.name, method.descriptor)),
        Culprit::Initialiser(class) => Some(format!("{class}.<clinit>()V")),
    }
}

fn culprit(sequence: &Sequence, effect: &Effect) -> Culprit {
    let called = || match &sequence.statements.get(effect.statement? as usize)?.operation {
        Operation::New { constructor, .. } => Some(constructor.clone()),
        Operation::Call { method, .. } => Some(method.clone()),
        _ => None,
    };
    match &effect.initialiser {
        Some(class) => Culprit::Initialiser(class.clone()),
        None => called().map_or(Culprit::Test, Culprit::Method),
    }
}

/// Whether a statement names a member of a class: it runs the initialiser, unless an earlier one did.
pub fn names_class(sequence: &Sequence, class: &str) -> bool {
    sequence.statements.iter().any(|statement| match &statement.operation {
        Operation::New { constructor: method, .. } | Operation::Call { method, .. } => method.owner == class,
        Operation::GetStatic(field) | Operation::GetField { field, .. } => field.owner == class,
        _ => false,
    })
}

/// What the seeds allow, for the user; none when that is nothing.
pub fn of_seeds(allowed: &Allowed) -> Option<String> {
    let mut names: Vec<String> = allowed.permissions().map(Permission::to_string).collect();
    if allowed.looks() > 0 {
        names.push(format!("looks at files that find the same ({})", allowed.looks()));
    }
    (!names.is_empty())
        .then(|| format!("tests may have the effects that the seed tests have: {}", names.join(", ")))
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
        Sequence {
            statements: vec![Statement { operation, result: "V".into(), runtime_class: None, caught: None }],
        }
    }

    fn deletes(path: &str, statement: Option<u32>) -> Effect {
        let what = format!("deletes {path}");
        Effect { kind: EffectKind::Files, place: Some(Place::Elsewhere), what, statement, initialiser: None }
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
        let lines = lines(&[("a.B".to_owned(), refusals.clone())]);
        let allows = "(--allow-effects files:elsewhere writes such tests)";
        assert_eq!(
            lines,
            [
                format!("a.B: not written: 1 test in which the test deletes /d {allows}"),
                format!("a.B: not written: 2 tests in which a.Store.wipe()V deletes /a {allows}"),
            ]
        );
        let texts: Vec<_> = refusals.texts("a.Store").map(|text| (text.method, text.tests)).collect();
        assert_eq!(texts, [(None, 1), (Some("a.Store.wipe()V".to_owned()), 2)]);
    }

    #[test]
    fn what_is_the_same_for_several_classes_is_one_line() {
        let mut refusals = Refusals::default();
        refusals.add(&sequence(), &[&deletes("/a", Some(0))]);
        let of = ["a.B", "a.C"].map(|class| (class.to_owned(), refusals.clone()));
        let lines = lines(&of);
        assert!(
            lines.len() == 1 && lines[0].starts_with("not written: 2 tests for 2 classes in which a.Store"),
            "{lines:?}"
        );
    }

    #[test]
    fn a_name_with_line_breaks_is_one_line_and_a_long_one_is_cut() {
        assert_eq!(shown("deletes /a\tb\n|c"), "deletes /a\\tb\\n|c");
        assert_eq!(shown(&"x".repeat(200)), format!("{}...", "x".repeat(LONGEST)));
        assert_eq!(shown("deletes /ü"), "deletes /ü");
    }

    #[test]
    fn an_initialiser_is_named_whatever_the_test_called() {
        let mut refusals = Refusals::default();
        let initialiser = Some("a.Config".to_owned());
        refusals.add(&sequence(), &[&Effect { initialiser, ..deletes("/a", Some(0)) }]);
        let line = lines(&[("a.B".to_owned(), refusals.clone())]).remove(0);
        assert!(
            line.starts_with("a.B: not written: 1 test in which the initialiser of a.Config deletes /a ("),
            "{line}"
        );
        let text = refusals.texts("a.Store").next().unwrap();
        assert_eq!(text.method.as_deref(), Some("a.Config.<clinit>()V"));
        assert!(names_class(&sequence(), "a.Store") && !names_class(&sequence(), "a.Config"));
    }

    #[test]
    fn a_look_is_not_listed_where_allowing_the_change_allows_it() {
        let look = |place| Effect {
            kind: EffectKind::Reads,
            place: Some(place),
            what: "looks at /a".into(),
            ..deletes("/a", None)
        };
        let mut refusals = Refusals::default();
        refusals.add(&sequence(), &[&deletes("/a", None), &look(Place::Elsewhere), &look(Place::Working)]);
        refusals.add(&sequence(), &[&look(Place::Elsewhere)]);
        let effects: Vec<_> = refusals.texts("a.Store").map(|text| (text.effect, text.tests)).collect();
        let listed = [("files:elsewhere", 1), ("reads:work", 1), ("reads:elsewhere", 1)];
        assert_eq!(effects, listed.map(|(effect, tests)| (effect.to_owned(), tests)));
    }
}
