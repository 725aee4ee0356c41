//! From a candidate that covered something new to a test worth keeping: without what its new pairs do not need, and without effects that
//! are not allowed.
//!
//! Knows nothing of JUnit. Invariant: what is given back was run in its final form and covered, in that run, all the pairs it
//! is kept for.

use super::helpers::Helpers;
use super::pool::Run;
use super::together::Asker;
use dynaflow_model::effect::Allowed;
use dynaflow_model::facts::Recording;
use dynaflow_model::outcome::Outcome;
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sequence::Sequence;
use std::collections::BTreeSet;

/// A candidate that covered something worth keeping.
#[derive(Debug)]
pub struct Wish {
    /// What it does.
    pub sequence: Sequence,
    /// How it ran, with its facts.
    pub run: Run,
    /// The pairs that it is wanted for.
    pub wanted: BTreeSet<PairKey>,
}

/// A test that is worth keeping.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// What it does.
    pub sequence: Sequence,
    /// All pairs of the target it covers.
    pub pairs: BTreeSet<PairKey>,
    /// All its facts.
    pub facts: Recording,
    /// Whether an exception ended it.
    pub throws: bool,
}

impl Accepted {
    /// A sequence with the pairs and facts of its run; none when the facts are lost.
    fn of(sequence: Sequence, run: Run) -> Option<Self> {
        let Run { pairs, facts, outcome, .. } = run;
        let throws = outcome.thrown.is_some();
        facts.map(|facts| Self { sequence, pairs, facts, throws })
    }
}

/// What becomes of a candidate.
#[derive(Debug)]
pub enum Verdict {
    /// A test.
    Kept(Box<Accepted>),
    /// It covers nothing without effects that are not allowed.
    Harmful,
    /// It does not cover its pairs again, or ends with a failed assertion of the tests' helpers.
    Dropped,
}

/// What tests may do.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// Beyond their own objects.
    pub allowed: &'a Allowed,
    /// Whose assertions are not the program's.
    pub helpers: Helpers<'a>,
}

/// Asks for runs of the first of some sequences, with the facts of those that cover what is wanted; of none, when nothing may run any more.
pub type Runs = Asker<Question, Vec<Run>>;

/// Sequences of which as many run, from the first on, as have their turn.
#[derive(Debug)]
pub struct Question {
    /// Shorter forms of a test.
    pub forms: Vec<Sequence>,
    /// How many of them may run at the same time, as mostly none of them holds.
    pub at_once: usize,
    /// The pairs of which a form whose facts are wanted has to cover all.
    pub pairs: BTreeSet<PairKey>,
}

/// Most runs spent on making one test shorter.
const RUNS: usize = 60;
/// So many shorter forms run at a time.
const AT_ONCE: usize = 8;
/// After so many shorter forms that end their JVM, or do not end, as they wait for what is gone, none is tried any more.
pub(in crate::commands::augment) const DEAR: usize = 2;

/// The candidate as short as what it is wanted for allows, without effects that are not allowed.
pub fn judged(runs: &Runs, wish: &Wish, rules: Rules) -> Verdict {
    if wish.run.outcome.broken.is_some() {
        return Verdict::Dropped;
    }
    let refused = rules.allowed.refused(&wish.run.outcome.effects);
    if refused.is_empty() {
        return minimised(runs, wish, rules).map_or(Verdict::Dropped, kept);
    }
    match harmless(runs, wish, rules) {
        Some(rest) => minimised(runs, &rest, rules).map_or(Verdict::Dropped, kept),
        None => Verdict::Harmful,
    }
}

fn kept(test: Accepted) -> Verdict {
    Verdict::Kept(Box::new(test))
}

/// The candidate without what its new pairs do not need; none when it does not cover them again, or not without an effect
/// that is not allowed, or a failed assertion of the tests' helpers.
fn minimised(runs: &Runs, wish: &Wish, rules: Rules) -> Option<Accepted> {
    let mut trial = Trial { runs, wish, rules, ended: None, best: None, dear: 0, is_over: false };
    let whole = trial.without_throwing();
    if trial.ended.is_some() && rules.helpers.failed(&wish.run.outcome) {
        return None;
    }
    let fixed = dynaflow_search::with_moments(&whole, &wish.run.outcome.statements);
    let is_fixed = fixed != whole && trial.first(std::slice::from_ref(&fixed)).is_some();
    let whole = if is_fixed { fixed } else { whole };
    let shorter = dynaflow_search::shorter(&whole, RUNS, |forms| trial.first(forms));
    trial.last(shorter)
}

/// Shorter forms of a candidate, one after the other.
struct Trial<'a> {
    runs: &'a Runs,
    wish: &'a Wish,
    rules: Rules<'a>,
    /// The exception that a form has to end with.
    ended: Option<String>,
    /// The last form that held, with its run.
    best: Option<(Sequence, Run)>,
    /// How many forms ended their JVM, or did not end.
    dear: usize,
    /// Nothing may run any more.
    is_over: bool,
}

impl Trial<'_> {
    /// What to start from: the candidate up to where it ran, without the call that threw when the pairs do not need it.
    fn without_throwing(&mut self) -> Sequence {
        let outcome = &self.wish.run.outcome;
        let mut whole = up_to_where_it_ran(&self.wish.sequence, outcome);
        self.ended = thrown_class(outcome).map(str::to_owned);
        if self.ended.is_some() && whole.statements.len() > 1 {
            let last = whole.statements.pop();
            if let Some(shorter) = self.run_one(&whole)
                && shorter.outcome.broken.is_none()
                && shorter.outcome.thrown.is_none()
                && self.wish.wanted.is_subset(&shorter.pairs)
            {
                self.ended = None;
                return whole;
            }
            whole.statements.extend(last);
        }
        whole
    }

    /// The place of the first form that holds.
    fn first(&mut self, forms: &[Sequence]) -> Option<usize> {
        let mut seen = 0;
        while let Some(rest) = forms.get(seen..).filter(|rest| !rest.is_empty()) {
            if self.dear >= DEAR {
                return None;
            }
            let runs = self.run(rest, if self.dear > 0 { 1 } else { AT_ONCE });
            if runs.is_empty() {
                return None;
            }
            self.dear += runs.iter().filter(|run| run.outcome.is_dear()).count();
            let ran = runs.len();
            if let Some((place, run)) =
                (0..).zip(runs).find(|(_, run)| self.holds(run, self.ended.as_deref()))
            {
                self.best = rest.get(place).map(|form| (form.clone(), run));
                return Some(seen + place);
            }
            seen += ran;
        }
        None
    }

    /// The test, when its last form holds once more. If nothing may run any more: the shortest that held, else the candidate as it ran.
    fn last(mut self, shorter: Sequence) -> Option<Accepted> {
        if !self.is_over {
            let (shorter, ended) = ended_by(shorter, self.ended.clone());
            match self.run_one(&shorter) {
                Some(run) if self.holds(&run, ended.as_deref()) => return Accepted::of(shorter, run),
                Some(_) => return None,
                None => {}
            }
        }
        match self.best {
            Some((sequence, run)) => Accepted::of(sequence, run),
            None => as_it_ran(self.wish).filter(|_| !self.rules.helpers.failed(&self.wish.run.outcome)),
        }
    }

    fn holds(&self, run: &Run, ended: Option<&str>) -> bool {
        self.wish.wanted.is_subset(&run.pairs)
            && run.outcome.broken.is_none()
            && thrown_class(&run.outcome) == ended
            && self.rules.allowed.refused(&run.outcome.effects).is_empty()
            && !self.rules.helpers.failed(&run.outcome)
    }

    fn run_one(&mut self, sequence: &Sequence) -> Option<Run> {
        self.run(std::slice::from_ref(sequence), 1).pop()
    }

    fn run(&mut self, forms: &[Sequence], at_once: usize) -> Vec<Run> {
        let runs = run(self.runs, forms, at_once, &self.wish.wanted);
        self.is_over |= runs.is_empty();
        runs
    }
}

fn run(runs: &Runs, forms: &[Sequence], at_once: usize, pairs: &BTreeSet<PairKey>) -> Vec<Run> {
    let forms = forms.get(..at_once).unwrap_or(forms).to_vec();
    runs.ask(Question { forms, at_once, pairs: pairs.clone() }).unwrap_or_default()
}

/// A sequence that has nothing left after a call that was caught ends with the exception.
fn ended_by(sequence: Sequence, thrown: Option<String>) -> (Sequence, Option<String>) {
    let ending = dynaflow_search::ending(&sequence).filter(|_| thrown.is_none());
    ending.map_or((sequence, thrown), |(ending, caught)| (ending, Some(caught.class)))
}

/// The candidate up to where it ran, when there is no time to make it shorter: as it ran, it holds.
fn as_it_ran(wish: &Wish) -> Option<Accepted> {
    let Run { outcome, pairs, facts, .. } = &wish.run;
    let sequence = up_to_where_it_ran(&wish.sequence, outcome);
    let throws = outcome.thrown.is_some();
    facts.clone().map(|facts| Accepted { sequence, pairs: pairs.clone(), facts, throws })
}

/// The candidate without the statements whose effects are not allowed, as far as its pairs are left then; none when nothing of them is left, or it still has
/// such an effect.
fn harmless(runs: &Runs, wish: &Wish, rules: Rules) -> Option<Wish> {
    let refused = rules.allowed.refused(&wish.run.outcome.effects);
    let culprits: BTreeSet<u32> = refused.iter().map(|effect| effect.statement).collect::<Option<_>>()?;
    let sequence =
        dynaflow_search::without(&up_to_where_it_ran(&wish.sequence, &wish.run.outcome), &culprits);
    if sequence.statements.is_empty() {
        return None;
    }
    let run = run(runs, std::slice::from_ref(&sequence), 1, &BTreeSet::new()).pop()?;
    let wanted: BTreeSet<PairKey> = wish.wanted.intersection(&run.pairs).copied().collect();
    let holds = !wanted.is_empty() && rules.allowed.refused(&run.outcome.effects).is_empty();
    holds.then_some(Wish { sequence, run, wanted })
}

/// Statements after the one that threw did not run.
pub(in crate::commands::augment) fn up_to_where_it_ran(sequence: &Sequence, outcome: &Outcome) -> Sequence {
    let ran = outcome.statements.len() + usize::from(outcome.thrown.is_some());
    let mut sequence = sequence.clone();
    sequence.statements.truncate(ran);
    sequence
}

fn thrown_class(outcome: &Outcome) -> Option<&str> {
    outcome.thrown.as_ref().map(|thrown| thrown.class.as_str())
}

#[cfg(test)]
mod tests {
    use super::super::together::together;
    use super::*;
    use dynaflow_model::effect::{Effect, EffectKind};
    use dynaflow_model::outcome::{Broken, Observed, Thrown};
    use dynaflow_model::sequence::{Operation, Statement};
    use dynaflow_model::sites::{CallKind, MethodRef};

    /// Calls of static methods, whose names say what they do: `2` covers pair 2, `throws` throws and `throws5` covers pair 5 before, `file6` changes a file and covers pair 6, `key`
    /// and all others do nothing.
    fn sequence(calls: &str) -> Sequence {
        let statement = |name: &str| {
            let method =
                MethodRef { owner: "a.Door".into(), name: name.to_owned(), descriptor: "()V".into() };
            let operation = Operation::Call { method, kind: CallKind::Static, receiver: None, args: vec![] };
            Statement { operation, result: "V".into(), runtime_class: None, caught: None }
        };
        Sequence { statements: calls.split_whitespace().map(statement).collect() }
    }

    fn names(sequence: &Sequence) -> Vec<&str> {
        fn name(statement: &Statement) -> Option<&str> {
            let Operation::Call { method, .. } = &statement.operation else { return None };
            Some(&method.name)
        }
        sequence.statements.iter().filter_map(name).collect()
    }

    fn pair(number: u8) -> PairKey {
        PairKey([number; 16])
    }

    fn thrown(statement: u32) -> Thrown {
        Thrown {
            statement,
            class: "a.Refused".into(),
            superclasses: vec![],
            message: None,
            declared: false,
            on_purpose: false,
            raised_in: vec![],
        }
    }

    /// How a sequence runs.
    fn ran(sequence: &Sequence) -> Run {
        let mut run = Run { outcome: Outcome::default(), pairs: BTreeSet::new(), facts: None, met: None };
        for (place, name) in (0..).zip(names(sequence)) {
            let number = name.trim_start_matches(char::is_alphabetic).parse();
            run.pairs.extend(number.ok().map(pair));
            if name.starts_with("throws") {
                run.outcome.thrown = Some(thrown(place));
                break;
            }
            if name.starts_with("file") {
                let what = "writes /x".to_owned();
                let (kind, statement) = (EffectKind::Files, Some(place));
                run.outcome.effects.push(Effect { kind, place: None, what, statement, initialiser: None });
            }
            run.outcome.statements.push(Observed::Void);
        }
        run.facts = Some(Recording::default());
        run
    }

    /// What becomes of a candidate that is wanted for these pairs, where `answer` runs its forms; and all that ran.
    fn judge(
        calls: &str,
        wanted: &[u8],
        answer: impl Fn(usize, &Sequence) -> Option<Run>,
    ) -> (Verdict, Vec<Sequence>) {
        let (sequence, allowed, classes) = (sequence(calls), Allowed::default(), BTreeSet::new());
        let run = ran(&sequence);
        let wanted = wanted.iter().copied().map(pair).collect();
        let wish = Wish { sequence, run, wanted };
        let helpers = Helpers { program: &classes, all: &classes };
        let task = |runs: &Runs| judged(runs, &wish, Rules { allowed: &allowed, helpers });
        let mut asked = vec![];
        let verdict = together(vec![task], |mut questions| {
            let question: Question = questions.remove(0);
            let runs = question.forms.iter().map_while(|form| {
                asked.push(form.clone());
                answer(asked.len(), form)
            });
            Ok(vec![runs.collect()])
        });
        (verdict.unwrap().remove(0), asked)
    }

    fn kept(calls: &str, wanted: &[u8]) -> Option<String> {
        test(judge(calls, wanted, |_, form| Some(ran(form))).0)
    }

    fn test(verdict: Verdict) -> Option<String> {
        match verdict {
            Verdict::Kept(test) => Some(names(&test.sequence).join(" ")),
            Verdict::Harmful | Verdict::Dropped => None,
        }
    }

    #[test]
    fn a_candidate_is_as_short_as_its_pairs_allow() {
        assert_eq!(kept("1 2 3 idle 4", &[2, 4]).as_deref(), Some("2 4"));
        assert_eq!(kept("1 2 3 idle 4", &[1, 2, 3, 4]).as_deref(), Some("1 2 3 4"));
    }

    #[test]
    fn a_call_that_throws_stays_only_where_the_pairs_need_it() {
        assert_eq!(kept("1 2 throws", &[2]).as_deref(), Some("2"));
        assert_eq!(kept("1 2 throws5 3", &[2, 5]).as_deref(), Some("2 throws5"));
    }

    #[test]
    fn what_is_not_allowed_is_left_out_and_what_is_nothing_without_it_is_harmful() {
        assert_eq!(kept("1 file6 3", &[1, 3, 6]).as_deref(), Some("1 3"));
        let (verdict, _) = judge("1 file6", &[6], |_, form| Some(ran(form)));
        assert!(matches!(verdict, Verdict::Harmful), "{verdict:?}");
    }

    #[test]
    fn what_does_not_cover_its_pairs_again_is_dropped() {
        let none = |_: usize, _: &Sequence| Some(ran(&sequence("9")));
        let (verdict, _) = judge("1 2", &[1], none);
        assert!(matches!(verdict, Verdict::Dropped), "{verdict:?}");
    }

    #[test]
    fn when_nothing_may_run_any_more_the_shortest_form_that_held_is_kept_else_the_candidate_as_it_ran() {
        let until = |most: usize| move |n: usize, form: &Sequence| (n <= most).then(|| ran(form));
        assert_eq!(test(judge("1 2 3 4", &[4], until(0)).0).as_deref(), Some("1 2 3 4"));
        let (verdict, asked) = judge("1 2 3 4", &[4], until(2));
        let shortest = test(verdict).unwrap();
        assert!(shortest.len() < "1 2 3 4".len() && shortest.ends_with('4'), "{shortest} of {asked:?}");
        assert_eq!(test(judge("1 throws5 3", &[1], until(0)).0).as_deref(), Some("1 throws5"));
    }

    #[test]
    fn no_more_is_tried_after_two_forms_that_do_not_end() {
        let calls = "a b c d e f g h i j k 1";
        let waits = |_: usize, form: &Sequence| {
            let mut run = ran(form);
            if names(form).len() < calls.split_whitespace().count() {
                run = Run { pairs: BTreeSet::new(), ..run };
                run.outcome.broken = Some(Broken::TimedOut);
            }
            Some(run)
        };
        let (verdict, asked) = judge(calls, &[1], waits);
        assert!(asked.len() <= AT_ONCE + 1, "those that run at once, and the last: {asked:?}");
        assert_eq!(test(verdict).as_deref(), Some(calls));
    }

    #[test]
    fn what_threw_is_kept_up_to_the_statement_that_threw_and_what_returned_whole() {
        let sequence = sequence("a b c d e");
        for returned in 0..5 {
            let statements = vec![Observed::Void; returned];
            let thrown = Some(thrown(u32::try_from(returned).unwrap()));
            let kept = up_to_where_it_ran(&sequence, &Outcome { statements, thrown, ..Outcome::default() });
            assert_eq!(kept.statements, sequence.statements[..=returned], "the one that threw is the last");
        }
        let whole = Outcome { statements: vec![Observed::Void; 5], ..Outcome::default() };
        assert_eq!(up_to_where_it_ran(&sequence, &whole), sequence);
    }
}
