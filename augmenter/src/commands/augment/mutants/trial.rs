//! One test after the other with the mutants that it reaches: which of them it notices, in JVMs that stay warm.
//!
//! A mutant may leave static state behind. Invariant: a mutant counts as noticed only if the test is as it was right after, with no mutant, in the
//! same JVM, or each was so as the first of a fresh one; what a JVM showed after it was spoiled counts for nothing.

use super::subject::{Kills, Noticed, Subject};
use dynaflow_model::outcome::Outcome;
use std::collections::BTreeSet;

/// Most mutants of a request: each runs with one run without behind it.
const BATCH: usize = 64;
/// How many runs another JVM, or a run that does not end, counts as.
const DEAR: u64 = 400;

/// A JVM that runs tests with mutants.
pub trait Jvm {
    /// Runs a test with each of these mutants, one after the other; 0 is none. None when the time is over.
    fn run(&mut self, subject: &Subject, mutants: &[u32], with_looks: bool) -> Option<Vec<Outcome>>;
    /// Puts a fresh JVM in its place.
    fn replace(&mut self);
}

/// The time, or the number of runs, is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Over;

/// What one JVM after the other is asked.
pub struct Trial<'a> {
    /// The JVM.
    jvm: &'a mut dyn Jvm,
    /// How many runs are left.
    left: u64,
    /// Mutants that cost a JVM, or much time, once: no other test is run with them.
    dear: BTreeSet<u32>,
    /// How many runs that saved.
    spared: usize,
}

/// What a run showed.
struct Shown {
    noticed: Option<Noticed>,
    /// Whether it did not end, or ended the JVM.
    is_dear: bool,
}

impl<'a> Trial<'a> {
    /// With a JVM and so many runs.
    pub fn new(jvm: &'a mut dyn Jvm, runs: u64) -> Self {
        Self { jvm, left: runs, dear: BTreeSet::new(), spared: 0 }
    }

    /// How many runs are left.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// How many pairs of a test and a mutant were left out, as the mutant had cost much with another test.
    pub fn spared(&self) -> usize {
        self.spared
    }

    /// Adds which of these mutants a test notices; false when it is not the same without any as it was.
    ///
    /// # Errors
    /// When the time is over; what was found until then is added.
    pub fn judge(
        &mut self,
        subject: &Subject,
        mutants: &BTreeSet<u32>,
        kills: &mut Kills,
    ) -> Result<bool, Over> {
        if !self.is_sound(subject)? {
            self.replace()?;
            if !self.is_sound(subject)? {
                self.replace()?;
                return Ok(false);
            }
        }
        let all: Vec<u32> = mutants.difference(&self.dear).copied().collect();
        self.spared += mutants.len() - all.len();
        let mut rest = all.as_slice();
        while !rest.is_empty() {
            let part = rest.get(..BATCH).unwrap_or(rest);
            let done = self.part(subject, part, kills)?;
            rest = rest.get(done..).unwrap_or_default();
        }
        kills.asked.extend(all);
        Ok(true)
    }

    /// Runs some mutants until one spoils the JVM; how many are done with.
    fn part(&mut self, subject: &Subject, part: &[u32], kills: &mut Kills) -> Result<usize, Over> {
        let order: Vec<u32> = part.iter().flat_map(|mutant| [*mutant, 0]).collect();
        let shown = self.run(subject, &order, true)?;
        let mut slow = vec![];
        let mut done = part.len();
        for (at, (&mutant, pair)) in part.iter().zip(shown.chunks(2)).enumerate() {
            let [with, without] = pair else { break };
            if without.noticed.is_some() {
                self.dear.insert(mutant);
                self.replace()?;
                if with.noticed.is_some() {
                    self.again(subject, mutant, kills)?;
                }
                done = at + 1;
                break;
            }
            match &with.noticed {
                Some(_) if with.is_dear => slow.push(mutant),
                Some(noticed) => kills.add(mutant, noticed, subject),
                None => {}
            }
        }
        slow.into_iter().try_for_each(|mutant| self.slow(subject, mutant, kills))?;
        Ok(done)
    }

    /// A mutant that spoiled the JVM is noticed if it is as the first of a fresh one, and the test is as it was, if need be in another.
    fn again(&mut self, subject: &Subject, mutant: u32, kills: &mut Kills) -> Result<(), Over> {
        let shown = self.run(subject, &[mutant, 0], true)?;
        let [with, without] = shown.as_slice() else { return Ok(()) };
        let is_sound = without.noticed.is_none();
        if !is_sound {
            self.replace()?;
        }
        let Some(noticed) = &with.noticed else { return Ok(()) };
        if is_sound || self.is_sound(subject)? {
            match with.is_dear {
                true => self.slow(subject, mutant, kills)?,
                false => kills.add(mutant, noticed, subject),
            }
        }
        Ok(())
    }

    /// A mutant with which the run did not end: an inspector may be to blame, which the test need not call. So nothing is looked at.
    fn slow(&mut self, subject: &Subject, mutant: u32, kills: &mut Kills) -> Result<(), Over> {
        self.dear.insert(mutant);
        let shown = self.run(subject, &[mutant, 0], false)?;
        let [with, without] = shown.as_slice() else { return Ok(()) };
        if without.noticed.is_some() {
            self.replace()?;
            if !self.is_sound(subject)? {
                return Ok(());
            }
        }
        with.noticed.iter().for_each(|noticed| kills.add(mutant, noticed, subject));
        Ok(())
    }

    /// Whether the test without mutants is as it was.
    fn is_sound(&mut self, subject: &Subject) -> Result<bool, Over> {
        Ok(self.run(subject, &[0], true)?.iter().all(|shown| shown.noticed.is_none()))
    }

    fn run(&mut self, subject: &Subject, mutants: &[u32], with_looks: bool) -> Result<Vec<Shown>, Over> {
        self.spend(mutants.len() as u64)?;
        let outcomes = self.jvm.run(subject, mutants, with_looks).ok_or(Over)?;
        let show = |outcome: Outcome| Shown {
            noticed: subject.noticed(&outcome, with_looks),
            is_dear: outcome.is_dear(),
        };
        let shown: Vec<Shown> = outcomes.into_iter().map(show).collect();
        let dear = shown.iter().filter(|shown| shown.is_dear).count() as u64;
        self.left = self.left.saturating_sub(dear * DEAR);
        Ok(shown)
    }

    fn replace(&mut self) -> Result<(), Over> {
        self.spend(DEAR)?;
        self.jvm.replace();
        Ok(())
    }

    fn spend(&mut self, runs: u64) -> Result<(), Over> {
        self.left = self.left.checked_sub(runs).ok_or(Over)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::subject::What;
    use super::*;
    use dynaflow_model::outcome::Broken;
    use dynaflow_model::outcome::Observed;
    use dynaflow_model::sequence::{Sequence, Value};

    /// A JVM made up of rules: what spoils it, and what does not end in it.
    #[derive(Default)]
    struct Fake {
        ran: Vec<u32>,
        replaced: usize,
        spoiled: bool,
        /// Mutants that change what the test shows.
        kill: Vec<u32>,
        /// Mutants that leave state with which the test shows something else.
        spoil: Vec<u32>,
        /// Mutants with which the test does not end.
        hang: Vec<u32>,
        /// Mutants with which a look does not end.
        hang_looks: Vec<u32>,
    }

    impl Jvm for Fake {
        fn run(&mut self, _: &Subject, mutants: &[u32], with_looks: bool) -> Option<Vec<Outcome>> {
            self.ran.extend(mutants);
            let mut one = |mutant: &u32| {
                let hangs = self.hang.contains(mutant) || with_looks && self.hang_looks.contains(mutant);
                let is_other = self.kill.contains(mutant) || self.spoiled;
                self.spoiled |= self.spoil.contains(mutant);
                let shown = Observed::Value(Value::Bool(is_other));
                let broken = hangs.then_some(Broken::TimedOut);
                Outcome { statements: vec![shown], broken, ..Outcome::default() }
            };
            Some(mutants.iter().map(&mut one).collect())
        }

        fn replace(&mut self) {
            (self.replaced, self.spoiled) = (self.replaced + 1, false);
        }
    }

    fn judged(jvm: &mut Fake, mutants: &[u32]) -> Kills {
        let (sequence, shows) = (Sequence::default(), Observed::Value(Value::Bool(false)));
        let subject = Subject {
            sequence: &sequence,
            thrown: None,
            shows: vec![(What::Result(0), &shows)],
            lines: BTreeSet::new(),
            is_part: false,
        };
        let mutants = mutants.iter().copied().collect();
        let mut kills = Kills::default();
        assert!(Trial::new(jvm, 100_000).judge(&subject, &mutants, &mut kills).unwrap());
        kills
    }

    fn shown(kills: &Kills) -> Vec<u32> {
        kills.of(&What::Result(0)).collect()
    }

    #[test]
    fn a_mutant_is_noticed_when_the_test_is_as_it_was_without_it() {
        let mut jvm = Fake { kill: vec![2], ..Fake::default() };
        let kills = judged(&mut jvm, &[1, 2, 3]);
        assert_eq!((shown(&kills), kills.end.len()), (vec![2], 0));
        assert_eq!((jvm.ran, jvm.replaced), (vec![0, 1, 0, 2, 0, 3, 0], 0));
    }

    #[test]
    fn what_a_mutant_spoiled_is_not_laid_to_the_next() {
        let mut jvm = Fake { spoil: vec![1], ..Fake::default() };
        let asked = BTreeSet::from([1, 2, 3]);
        assert_eq!(judged(&mut jvm, &[1, 2, 3]), Kills { asked, ..Kills::default() });
        assert_eq!((jvm.replaced, jvm.spoiled), (1, false));
    }

    #[test]
    fn a_mutant_that_spoils_and_is_noticed_counts_and_leaves_nothing() {
        let mut jvm = Fake { spoil: vec![1], kill: vec![1, 3], ..Fake::default() };
        assert_eq!(shown(&judged(&mut jvm, &[1, 2, 3])), [1, 3]);
        assert!(!jvm.spoiled);
    }

    #[test]
    fn what_does_not_end_is_noticed_by_the_end_unless_only_a_look_hangs() {
        let mut jvm = Fake { hang: vec![1], hang_looks: vec![2], ..Fake::default() };
        let kills = judged(&mut jvm, &[1, 2]);
        assert_eq!((shown(&kills), kills.end), (vec![], BTreeSet::from([1])));
    }

    fn silent(sequence: &Sequence) -> Subject<'_> {
        Subject { sequence, thrown: None, shows: vec![], lines: BTreeSet::new(), is_part: false }
    }

    #[test]
    fn a_mutant_that_cost_much_is_run_with_no_other_test() {
        let (sequence, mut jvm) = (Sequence::default(), Fake { hang: vec![1], ..Fake::default() });
        let subject = silent(&sequence);
        let mut trial = Trial::new(&mut jvm, 100_000);
        let mutants = BTreeSet::from([1, 2]);
        let mut ends = || {
            let mut kills = Kills::default();
            trial.judge(&subject, &mutants, &mut kills).map(|_| kills.end.len())
        };
        assert_eq!([ends(), ends()], [Ok(1), Ok(0)]);
        assert_eq!(trial.spared(), 1);
    }

    #[test]
    fn the_number_of_runs_ends_it_and_what_was_noticed_until_then_stays() {
        let (sequence, mut jvm) = (Sequence::default(), Fake { hang: vec![1], ..Fake::default() });
        let subject = silent(&sequence);
        let mut trial = Trial::new(&mut jvm, 2 * DEAR + 2 * BATCH as u64 + 4);
        let mutants: BTreeSet<u32> = (1..=BATCH as u32 + 1).collect();
        let mut kills = Kills::default();
        assert_eq!(trial.judge(&subject, &mutants, &mut kills), Err(Over));
        assert_eq!(kills.end, BTreeSet::from([1]));
    }
}
