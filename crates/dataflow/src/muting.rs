//! Which invocations the recorder may leave out as a whole: those of a kind that showed nothing new for long.
//!
//! The kind of an invocation is the class of the test and the methods of the active frames, as a number ([`dynaflow_model::muting::context`]). A kind is muted for the rest of
//! a test once [`Thin::invocations`] of its invocations showed nothing new in it, and from then on in every test once
//! [`Thin::known`] of them showed nothing that no test had shown before. The recorder records some all the same; when one of these shows something new, the kind is
//! recorded again.
//!
//! Knows nothing of objects or words. Invariant: a verdict depends on counts of events alone, and each one that is withdrawn was given.

use crate::thinning::{News, Thin};
use dynaflow_model::muting::{Verdict, verdict};

// The recorder's table has as many places, so that a kind that takes another one's place here does so there.
const BITS: u32 = 14;

#[derive(Clone, Copy, Debug)]
struct Kind {
    context: u32,
    /// The test.
    bucket: u32,
    /// How many invocations there were since the last news in this test.
    idle: u32,
    /// How many there were since the last news in all tests.
    idle_ever: u32,
    given: Verdict,
}

const NONE: Kind = Kind { context: 0, bucket: 0, idle: 0, idle_ever: 0, given: Verdict::Record };

/// What is known of kinds of invocations. It forgets: then the kind begins anew.
#[derive(Debug)]
pub struct Muting {
    thin: Option<Thin>,
    kinds: Box<[Kind]>,
    verdicts: Vec<u64>,
}

impl Muting {
    /// Nothing known yet; without a [`Thin`] no invocation is ever muted.
    pub fn new(thin: Option<Thin>) -> Self {
        let kinds = if thin.is_some() { 1 << BITS } else { 0 };
        Self { thin, kinds: vec![NONE; kinds].into_boxed_slice(), verdicts: vec![] }
    }

    /// From now on kinds are muted sooner; none where none is.
    pub fn hurry(&mut self) {
        self.thin = self.thin.map(Thin::hurried);
    }

    /// An invocation that stands for `weight` such ones ended. What was known when it began, and now.
    pub fn ended(&mut self, context: u32, bucket: u32, weight: u32, [before, after]: [News; 2]) {
        let Self { thin: Some(thin), kinds, verdicts } = self else { return };
        let Some(kind) = kinds.get_mut(place(context)) else { return };
        if kind.context != context {
            withdraw(kind, verdicts);
            *kind = Kind { context, bucket, ..NONE };
        } else if kind.bucket != bucket {
            (kind.bucket, kind.idle) = (bucket, 0);
            if kind.given == Verdict::MuteInTest {
                kind.given = Verdict::Record;
            }
        }
        kind.idle_ever = if before.ever == after.ever { kind.idle_ever.saturating_add(weight) } else { 0 };
        kind.idle = if before == after { kind.idle.saturating_add(weight) } else { 0 };
        if before.ever != after.ever || before != after && kind.given == Verdict::MuteInTest {
            withdraw(kind, verdicts);
        } else if kind.idle_ever >= thin.known {
            give(kind, Verdict::Mute, verdicts);
        } else if kind.idle >= thin.invocations && kind.given == Verdict::Record {
            give(kind, Verdict::MuteInTest, verdicts);
        }
    }

    /// The verdicts since the last call, in their order.
    pub fn take(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.verdicts)
    }
}

/// Where a kind stands in the table.
fn place(context: u32) -> usize {
    (context >> (32 - BITS)) as usize
}

fn give(kind: &mut Kind, given: Verdict, verdicts: &mut Vec<u64>) {
    if kind.given != given {
        kind.given = given;
        verdicts.push(verdict(given, kind.context));
    }
}

fn withdraw(kind: &mut Kind, verdicts: &mut Vec<u64>) {
    give(kind, Verdict::Record, verdicts);
}

#[cfg(test)]
mod tests {
    use super::*;

    const THIN: Thin = Thin { invocations: 3, known: 1024, ..Thin::AUTO };
    const KIND: u32 = 0x1234_5678;

    /// What is said of the kind after each of these invocations: the test each is of, and whether it shows something new in it and in all.
    fn said(muting: &mut Muting, events: &[(u32, bool, bool)]) -> String {
        let one = |&(bucket, in_test, ever): &(u32, bool, bool)| {
            let after = News { in_test: u64::from(in_test), ever: u64::from(ever) };
            muting.ended(KIND, bucket, 1, [News::default(), after]);
            match muting.take().as_slice() {
                [] => '.',
                [one] if *one == verdict(Verdict::Record, KIND) => 'r',
                [one] if *one == verdict(Verdict::MuteInTest, KIND) => 't',
                [one] if *one == verdict(Verdict::Mute, KIND) => 'm',
                _ => '?',
            }
        };
        events.iter().map(one).collect()
    }

    const OLD: (u32, bool, bool) = (1, false, false);
    const NEWS: (u32, bool, bool) = (1, true, true);

    #[test]
    fn a_kind_without_news_is_muted_until_there_are_some() {
        let mut muting = Muting::new(Some(THIN));
        assert_eq!(said(&mut muting, &[NEWS, OLD, OLD, OLD, OLD, NEWS, OLD, OLD, OLD]), "...t.r..t");
    }

    #[test]
    fn an_invocation_that_stands_for_several_counts_as_all_of_them() {
        let mut muting = Muting::new(Some(THIN));
        muting.ended(KIND, 1, 2, [News::default(); 2]);
        assert_eq!(muting.take(), []);
        muting.ended(KIND, 1, 1, [News::default(); 2]);
        assert_eq!(muting.take(), [verdict(Verdict::MuteInTest, KIND)]);
        muting.ended(KIND, 1, u32::MAX, [News::default(); 2]);
        assert_eq!(muting.take(), [verdict(Verdict::Mute, KIND)]);
    }

    #[test]
    fn another_test_begins_anew_unless_the_kind_is_known_well() {
        let mut muting = Muting::new(Some(THIN));
        let other = (2, false, false);
        assert_eq!(said(&mut muting, &[OLD, OLD, OLD, other, other, other]), "..t..t");
        let long = said(&mut muting, &[other; 1024]);
        assert_eq!(long.trim_matches('.'), "m");
        // New in that test alone: the recorder records some in each test.
        assert_eq!(said(&mut muting, &[(3, true, false), (3, false, false), (3, true, true)]), "..r");
    }

    #[test]
    fn a_kind_that_takes_the_place_of_another_withdraws_what_was_said_of_that() {
        let mut muting = Muting::new(Some(THIN));
        assert_eq!(said(&mut muting, &[OLD, OLD, OLD]), "..t");
        muting.ended(KIND + 1, 1, 1, [News::default(); 2]);
        assert_eq!(muting.take(), [verdict(Verdict::Record, KIND)]);
    }

    #[test]
    fn in_a_hurry_a_kind_is_muted_sooner() {
        let mut muting = Muting::new(Some(THIN));
        muting.hurry();
        assert_eq!(said(&mut muting, &[OLD, OLD]), "t.");
    }

    #[test]
    fn nothing_is_muted_where_that_is_switched_off() {
        assert_eq!(said(&mut Muting::new(None), &[OLD; 9]), ".........");
    }
}
