//! A test as mutants see it: what it does, and what it could assert; which of that a run with a mutant shows otherwise.
//!
//! Knows nothing of JVMs. Invariant: what is compared is what a test in Java would compare, so that what counts as noticed fails there.

use crate::jvm::job::{Job, JobNumber};
use dynaflow_model::outcome::{Broken, Observed, Outcome, Path, Thrown};
use dynaflow_model::sequence::{Sequence, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What Java raises where a worker finds that a statement cannot be run on what the ones before gave, and the superclasses.
const OF_MISFITS: [&str; 6] = [
    "java.lang.NullPointerException",
    "java.lang.ClassCastException",
    "java.lang.ArrayIndexOutOfBoundsException",
    "java.lang.RuntimeException",
    "java.lang.Exception",
    "java.lang.Throwable",
];

/// Where an assertion looks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// At what a statement gives, where it stands.
    Result(u32),
    /// Along a path, in the end.
    Look(Path),
}

/// A test that mutants are run with.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// What it does.
    pub sequence: &'a Sequence,
    /// The exception that ends it.
    pub thrown: Option<&'a Thrown>,
    /// What it could assert: what two JVMs agreed about.
    pub shows: Vec<(What, &'a Observed)>,
    /// The lines of the definitions and uses that it executes, with their classes: whatever class they are of, it is to notice mutants there.
    pub lines: BTreeSet<(String, u32)>,
    /// Whether nothing counts but what the seeds leave alive: it shows nothing else that is new.
    pub is_part: bool,
}

/// How a mutant is noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Noticed {
    /// The test ends otherwise, whatever it asserts.
    End,
    /// What is shown differs at these places.
    Shown(Vec<usize>),
}

impl Subject<'_> {
    /// The job that runs it with a mutant, with looks or without.
    pub fn job(&self, mutant: u32, with_looks: bool) -> Job {
        let look = |(what, _): &(What, &Observed)| match what {
            What::Look(path) if with_looks => Some(path.clone()),
            _ => None,
        };
        let observers = self.shows.iter().filter_map(look).collect();
        Job { number: JobNumber(0), sequence: self.sequence.clone(), observers, mutant }
    }

    /// How a run differs; none when nothing that a test asserts does. What was not looked at does not differ.
    pub fn noticed(&self, outcome: &Outcome, with_looks: bool) -> Option<Noticed> {
        if self.ends_otherwise(outcome) {
            return Some(Noticed::End);
        }
        let seen: BTreeMap<&Path, &Observed> =
            outcome.observations.iter().map(|seen| (&seen.path, &seen.result)).collect();
        let gave = |index: u32| outcome.statements.get(index as usize);
        let is_other = |shows: &Observed, now: Option<&Observed>| match (shows, now) {
            // What is no object any more is what the other statement gives, where that is the same value.
            (Observed::Same(of), Some(Observed::Value(_))) => gave(*of) != now,
            _ => is_other(shows, now),
        };
        let differs = |(what, shows): &(What, &Observed)| match what {
            What::Result(index) => is_other(shows, gave(*index)),
            What::Look(path) => with_looks && is_other(shows, seen.get(path).copied()),
        };
        let places: Vec<usize> =
            (0..).zip(&self.shows).filter(|(_, shown)| differs(shown)).map(|(place, _)| place).collect();
        (!places.is_empty()).then_some(Noticed::Shown(places))
    }

    fn ends_otherwise(&self, outcome: &Outcome) -> bool {
        match (&outcome.broken, self.thrown, &outcome.thrown) {
            (Some(Broken::Unrunnable(_)), Some(before), _) => !OF_MISFITS.contains(&before.class.as_str()),
            (Some(_), _, _) | (None, None, Some(_)) | (None, Some(_), None) => true,
            (None, None, None) => false,
            // A test expects the class, and lets subclasses pass.
            (None, Some(before), Some(now)) => before.statement != now.statement || !now.is_a(&before.class),
        }
    }
}

/// Whether an assertion of what was shown fails on what is there now; what cannot be had fails, too.
fn is_other(shows: &Observed, now: Option<&Observed>) -> bool {
    let Some(now) = now else { return true };
    match (shows, now) {
        // Of an object nothing but that it is there is asserted.
        (Observed::Object(_), now) => matches!(now, Observed::Void | Observed::Value(Value::Null)),
        // Which object is there now is not known; that there is none is.
        (Observed::Same(_), now) => matches!(now, Observed::Void | Observed::Value(_)),
        // Assertions on numbers of JUnit 4 take zeros as one.
        (Observed::Value(Value::Float(before)), Observed::Value(Value::Float(now))) => {
            before != now && f32::from_bits(*before) != f32::from_bits(*now)
        }
        (Observed::Value(Value::Double(before)), Observed::Value(Value::Double(now))) => {
            before != now && f64::from_bits(*before) != f64::from_bits(*now)
        }
        (before, now) => before != now,
    }
}

/// The mutants that a test notices, by what notices them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kills {
    /// Those with which it ends otherwise.
    pub end: BTreeSet<u32>,
    /// By assertion.
    pub by: BTreeMap<What, BTreeSet<u32>>,
    /// Those that are reached whatever the test does: mutants of the inspectors, and of what objects are made with.
    pub looked: BTreeSet<u32>,
    /// Those with which it ran.
    pub asked: BTreeSet<u32>,
}

impl Kills {
    /// Notes how a mutant is noticed.
    pub fn add(&mut self, mutant: u32, noticed: &Noticed, subject: &Subject) {
        match noticed {
            Noticed::End => drop(self.end.insert(mutant)),
            Noticed::Shown(places) => {
                for (what, _) in places.iter().filter_map(|place| subject.shows.get(*place)) {
                    self.by.entry(what.clone()).or_default().insert(mutant);
                }
            }
        }
    }

    /// Those of one assertion.
    pub fn of(&self, what: &What) -> impl Iterator<Item = u32> {
        self.by.get(what).into_iter().flatten().copied()
    }

    /// All that the test notices with these assertions.
    pub fn with<'w>(&self, asserted: impl Iterator<Item = &'w What>) -> BTreeSet<u32> {
        self.end.iter().copied().chain(asserted.flat_map(|what| self.of(what))).collect()
    }

    /// All that it could notice.
    pub fn all(&self) -> BTreeSet<u32> {
        self.with(self.by.keys())
    }

    /// Those that count for a test: what it reaches whatever it does only if the seeds leave it alive and no other test has claimed it.
    pub fn counting(&self, alive: &BTreeSet<u32>, claimed: &BTreeSet<u32>) -> Self {
        let counts = |m: &&u32| !self.looked.contains(m) || alive.contains(m) && !claimed.contains(m);
        self.only(&self.all().iter().filter(counts).copied().collect())
    }

    /// With those that nothing but these assertions notices counted as if they were reached whatever the test does: they say little.
    pub fn aside(&self, little: &BTreeSet<&What>) -> Self {
        let others = self.with(self.by.keys().filter(|what| !little.contains(what)));
        let only = little.iter().flat_map(|what| self.of(what)).filter(|mutant| !others.contains(mutant));
        Self { looked: self.looked.iter().copied().chain(only).collect(), ..self.clone() }
    }

    /// Whether it ran with one of these mutants at least that it reaches by what it does, and would pass with all of them.
    pub fn is_blind_to(&self, mutants: &BTreeSet<u32>) -> bool {
        let asked: BTreeSet<u32> = &(&self.asked & mutants) - &self.looked;
        !asked.is_empty() && asked.is_disjoint(&self.all())
    }

    /// Those among these mutants.
    pub fn only(&self, mutants: &BTreeSet<u32>) -> Self {
        let among = |set: &BTreeSet<u32>| set.intersection(mutants).copied().collect();
        let by = self.by.iter().map(|(what, set)| (what.clone(), among(set)));
        let (end, looked, asked) = (among(&self.end), among(&self.looked), among(&self.asked));
        Self { end, by: by.collect(), looked, asked }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::outcome::Observation;

    fn thrown(class: &str, superclass: &str, statement: u32) -> Thrown {
        Thrown {
            statement,
            class: class.into(),
            superclasses: vec![superclass.into()],
            message: None,
            declared: false,
            on_purpose: true,
            raised_in: vec![],
        }
    }

    fn number(number: i32) -> Observed {
        Observed::Value(Value::Int(number))
    }

    fn path(variable: u32) -> Path {
        Path { variable, looks: vec![] }
    }

    #[test]
    fn what_a_test_asserts_is_compared_and_nothing_else() {
        let (sequence, one, made) = (Sequence::default(), number(1), Observed::Object("a.B".into()));
        let shows = vec![(What::Result(0), &made), (What::Result(1), &one), (What::Look(path(0)), &one)];
        let subject =
            Subject { sequence: &sequence, thrown: None, shows, lines: BTreeSet::new(), is_part: false };
        let run = |statements: &[Observed], looked: Option<Observed>| {
            let observations =
                looked.into_iter().map(|result| Observation { path: path(0), result }).collect();
            let outcome = Outcome { statements: statements.to_vec(), observations, ..Outcome::default() };
            (subject.noticed(&outcome, true), subject.noticed(&outcome, false))
        };
        let other = Observed::Object("a.C".into());
        assert_eq!(run(&[other, number(1)], Some(number(1))), (None, None), "an object is there");
        let null = Observed::Value(Value::Null);
        let shown = |places: &[usize]| Some(Noticed::Shown(places.to_vec()));
        assert_eq!(run(&[null, number(1)], Some(number(1))), (shown(&[0]), shown(&[0])));
        assert_eq!(run(&[made.clone(), number(2)], None), (shown(&[1, 2]), shown(&[1])));
    }

    #[test]
    fn that_two_calls_give_one_object_still_holds_where_both_give_null() {
        let (sequence, same) = (Sequence::default(), Observed::Same(0));
        let shows = vec![(What::Result(1), &same), (What::Look(path(0)), &same)];
        let subject =
            Subject { sequence: &sequence, thrown: None, shows, lines: BTreeSet::new(), is_part: false };
        let run = |first: &Observed, second: &Observed| {
            let observations = vec![Observation { path: path(0), result: second.clone() }];
            let statements = vec![first.clone(), second.clone()];
            subject.noticed(&Outcome { statements, observations, ..Outcome::default() }, true)
        };
        let (object, null) = (Observed::Object("a.B".into()), Observed::Value(Value::Null));
        assert_eq!(
            (run(&object, &object), run(&null, &null), run(&number(1), &number(1))),
            (None, None, None)
        );
        for (first, second) in [(&object, &null), (&null, &number(1)), (&number(2), &number(1))] {
            assert_eq!(run(first, second), Some(Noticed::Shown(vec![0, 1])));
        }
    }

    #[test]
    fn an_end_is_the_same_when_the_same_statement_throws_what_is_expected() {
        let (sequence, refused) = (Sequence::default(), thrown("a.Refused", "java.lang.Exception", 2));
        let subject = Subject {
            sequence: &sequence,
            thrown: Some(&refused),
            shows: vec![],
            lines: BTreeSet::new(),
            is_part: false,
        };
        let ends = |thrown: Option<Thrown>, broken: Option<Broken>| {
            subject.noticed(&Outcome { thrown, broken, ..Outcome::default() }, true)
        };
        assert_eq!(ends(Some(thrown("a.Special", "a.Refused", 2)), None), None);
        for other in [
            ends(None, None),
            ends(Some(thrown("a.Refused", "java.lang.Exception", 1)), None),
            ends(Some(thrown("a.Other", "java.lang.Exception", 2)), None),
            ends(None, Some(Broken::TimedOut)),
            ends(None, Some(Broken::Unrunnable("statement 2: the receiver is null".into()))),
        ] {
            assert_eq!(other, Some(Noticed::End));
        }
        let refused = thrown("java.lang.NullPointerException", "java.lang.RuntimeException", 2);
        let subject = Subject { thrown: Some(&refused), ..subject };
        let misfit = Outcome { broken: Some(Broken::Unrunnable(String::new())), ..Outcome::default() };
        assert_eq!(subject.noticed(&misfit, true), None, "Java raises it there, too");
    }

    #[test]
    fn what_only_looks_reach_counts_where_it_is_alive_and_nobody_claims_it() {
        let (one, two) = (What::Result(0), What::Result(1));
        let set = |mutants: &[u32]| mutants.iter().copied().collect::<BTreeSet<u32>>();
        let by = BTreeMap::from([(one.clone(), set(&[1, 2, 3])), (two.clone(), set(&[3, 4]))]);
        let kills = Kills { end: set(&[5]), by, looked: set(&[2, 3, 4]), asked: set(&[1, 2, 3, 4, 5, 6]) };
        let counting = kills.counting(&set(&[2, 3]), &set(&[3]));
        assert_eq!((counting.with([&one].into_iter()), counting.all()), (set(&[1, 2, 5]), set(&[1, 2, 5])));
        assert_eq!(kills.with([&two].into_iter()), set(&[3, 4, 5]));
        assert_eq!(kills.only(&set(&[4])).all(), set(&[4]));
        assert_eq!(kills.aside(&BTreeSet::from([&one])).looked, set(&[1, 2, 3, 4]), "3 was there");
        assert_eq!(kills.aside(&BTreeSet::new()), kills);
        assert!(
            kills.is_blind_to(&set(&[6])) && kills.is_blind_to(&set(&[2, 6])),
            "2 is reached by looks alone"
        );
        assert!(
            !kills.is_blind_to(&set(&[1, 6])) && !kills.is_blind_to(&set(&[2, 7])),
            "it did not run with 7"
        );
    }

    #[test]
    fn zeros_are_one_number_and_others_are_not() {
        let double = |number: f64| Observed::Value(Value::Double(number.to_bits()));
        assert!(!is_other(&double(0.0), Some(&double(-0.0))));
        assert!(!is_other(&double(f64::NAN), Some(&double(f64::NAN))));
        assert!(is_other(&double(1.0), Some(&double(2.0))) && is_other(&double(1.0), Some(&number(1))));
    }
}
