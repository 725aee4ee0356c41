//! What is left out because its like showed nothing new for long: reads, and looking for what reaches at ends of invocations.
//!
//! The like of an event is its site, the methods of the active frames and the class of the test. The longer its like showed nothing new, the more events
//! are left out in a row; one is looked at all the same now and then. Something new begins anew, and so does a test. An event that took much
//! work counts as several, so that those whose paths are long to search are left out sooner. Writes are
//! never left out here, so that what is recorded is true; what is left out can only be missing.
//!
//! Of accesses that show nothing new for longer still the recorder sends one of many: verdicts on their kinds make it do so, and end it.
//!
//! Knows nothing of objects or facts. Invariant: what is left out depends on the events and on calls of [`Thinning::hurry`], and is counted by site.

use dynaflow_model::muting::{self, Verdict, verdict_on_accesses};
use rustc_hash::FxHashMap;

/// When events are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thin {
    /// How many events of the run are looked at before the first one is left out; fewer if they take much work.
    pub after: u64,
    /// How many of a kind show nothing new in a test before one is left out.
    pub patience: u32,
    /// The same, where the kind showed nothing for [`LONG`] that no test had shown before.
    pub haste: u32,
    /// How many are left out in a row: one for so many seen since the last news.
    pub share: u32,
    /// Most that are left out in a row.
    pub longest: u32,
    /// How many invocations of a kind show nothing new in a test before they are muted in that test.
    pub invocations: u32,
    /// How many show nothing that no test had shown before until they are muted in every test.
    pub known: u32,
    /// How many reads of a kind show nothing new in a test before the recorder leaves them out, in that test.
    pub reads: u32,
    /// How many show nothing that no test had shown before until it leaves them out in every test.
    pub known_reads: u32,
    /// How many of a kind that writes show nothing new in a test before the recorder leaves them out, in that test. What such a kind wrote is not
    /// known afterwards, so this takes more than reads do.
    pub writes: u32,
}

impl Thin {
    /// What is done by default: suites of ordinary size are recorded exactly.
    pub const AUTO: Self = Self {
        after: 1 << 22,
        patience: 256,
        haste: 16,
        share: 32,
        longest: 1024,
        invocations: 1024,
        known: 8192,
        reads: 1 << 15,
        known_reads: 1 << 17,
        writes: 1 << 20,
    };
    /// As much as can be, for tests.
    pub const EVERYWHERE: Self = Self {
        after: 0,
        patience: 1,
        haste: 1,
        share: 1,
        longest: 1024,
        invocations: 1,
        known: 2,
        reads: 2,
        known_reads: 4,
        writes: 4,
    };

    /// The next step on the way from [`Thin::AUTO`] to leaving out as much as can be: events are left out after half as many
    /// without news, and twice as many in a row.
    #[must_use]
    pub(crate) fn hurried(self) -> Self {
        let half = |count: u32| (count / 2).max(1);
        Self {
            after: 0,
            patience: half(self.patience),
            haste: half(self.haste),
            share: half(self.share),
            longest: self.longest.saturating_mul(2).min(LONGEST),
            invocations: half(self.invocations),
            known: half(self.known).max(Self::EVERYWHERE.known),
            reads: half(self.reads).max(Self::EVERYWHERE.reads),
            known_reads: half(self.known_reads).max(Self::EVERYWHERE.known_reads),
            writes: half(self.writes).max(Self::EVERYWHERE.writes),
        }
    }
}

/// Events of a kind without news in any test after which the kind is known well.
const LONG: u32 = 4096;
/// Most that are ever left out in a row.
const LONGEST: u32 = 1 << 16;
// Small on purpose: a table that leaves the processor's cache costs more than the events it saves.
const BITS: u32 = 14;
/// Most that are left out in a row of accesses that the recorder leaves out as well.
const FEW: u32 = 16;

/// A site or bundle, and what stands for the class of the test and the methods of the active frames.
pub type Like = [u32; 2];

/// How many facts there were: new in their test, and new in all tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// In their test.
    pub in_test: u64,
    /// In all tests.
    pub ever: u64,
}

/// What the recorder could do about an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Leave it out: it does nothing but read, and is reported alone.
    Read,
    /// Leave it out once what it may write is known.
    Write,
    /// Nothing.
    Other,
}

/// An event that is looked at, and what was known before it.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    like: Like,
    sort: Sort,
    before: News,
    /// For how many such events it stands.
    weight: u32,
}

/// How many nodes, paths and definitions that are looked at cost as much as an event for which none is.
const WORK_OF_AN_EVENT: u64 = 16;

/// As how many events one counts that took so much work.
fn events_of(work: u64) -> u32 {
    u32::try_from(1 + work / WORK_OF_AN_EVENT).unwrap_or(u32::MAX)
}

#[derive(Clone, Copy, Debug, Default)]
struct Kind {
    like: Like,
    /// The test.
    bucket: u32,
    /// How many are to be left out before the next one is looked at.
    left: u32,
    /// How many there were since the last news in this test.
    idle: u32,
    /// How many there were since the last news in all tests.
    idle_ever: u32,
    /// How many were left out and are not in [`Thinning::by_site`] yet.
    left_out: u32,
    /// What the recorder was sent last.
    given: Verdict,
}

/// What is known of kinds of events. It forgets: then the kind begins anew.
#[derive(Debug)]
pub struct Thinning {
    thin: Option<Thin>,
    kinds: Box<[Kind]>,
    /// Events until one may be left out.
    spare: u64,
    by_site: FxHashMap<u32, u64>,
    verdicts: Vec<u64>,
}

impl Thinning {
    /// Nothing known yet; without a [`Thin`] nothing is ever left out.
    pub fn new(thin: Option<Thin>) -> Self {
        let kinds = if thin.is_some() { 1 << BITS } else { 0 };
        Self {
            thin,
            kinds: vec![Kind::default(); kinds].into_boxed_slice(),
            spare: thin.map_or(0, |thin| thin.after),
            by_site: FxHashMap::default(),
            verdicts: vec![],
        }
    }

    /// Whether anything is ever left out.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.thin.is_some()
    }

    /// From now on more is left out; nothing where nothing is. What is known of kinds stays.
    pub fn hurry(&mut self) {
        self.thin = self.thin.map(Thin::hurried);
        self.spare = 0;
    }

    /// Whether an event that stands for `weight` such ones could be left out. Counts them.
    #[inline]
    pub fn may_leave_out(&mut self, weight: u32) -> bool {
        if self.spare > 0 {
            self.spare = self.spare.saturating_sub(weight.into());
            return false;
        }
        self.thin.is_some()
    }

    /// Whether so many events were looked at that others could be left out.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.thin.is_some() && self.spare == 0
    }

    /// An event that could not be left out took so much work.
    #[inline]
    pub fn worked(&mut self, work: u64) {
        self.spare = self.spare.saturating_sub(work / WORK_OF_AN_EVENT);
    }

    /// Whether an event of a test is left out; if not, what [`Thinning::looked`] is to be given afterwards. `weight` says for how
    /// many such events it stands.
    #[inline]
    pub fn look(&mut self, like: Like, sort: Sort, bucket: u32, before: News, weight: u32) -> Option<Look> {
        let kind = self.kinds.get_mut(place(like))?;
        if kind.like == like && kind.bucket == bucket && kind.left >= weight {
            kind.left -= weight;
            kind.left_out += 1;
            return None;
        }
        if (kind.like, kind.bucket) != (like, bucket) {
            self.begin(like, bucket);
        }
        Some(Look { like, sort, before, weight })
    }

    /// A kind that is not known, or not in this test.
    fn begin(&mut self, like: Like, bucket: u32) {
        let Self { kinds, by_site, verdicts, .. } = self;
        let Some(kind) = kinds.get_mut(place(like)) else { return };
        count(by_site, kind);
        if kind.like != like {
            give(kind, Verdict::Record, verdicts);
            *kind = Kind { like, bucket, ..Kind::default() };
            return;
        }
        // The recorder knows by itself that the test is over.
        let given = if kind.given == Verdict::Mute { Verdict::Mute } else { Verdict::Record };
        *kind = Kind { like, bucket, idle_ever: kind.idle_ever, given, ..Kind::default() };
    }

    /// An event was looked at with so much work, and so much is known after it.
    #[inline]
    pub fn looked(&mut self, look: Look, work: u64, after: News) {
        let kind = self.kinds.get_mut(place(look.like)).filter(|kind| kind.like == look.like);
        let Some((kind, thin)) = kind.zip(self.thin) else { return };
        if look.before != after {
            let is_new = look.before.ever != after.ever;
            if is_new {
                kind.idle_ever = 0;
            }
            if is_new || kind.given == Verdict::MuteInTest {
                give(kind, Verdict::Record, &mut self.verdicts);
            }
            (kind.idle, kind.left) = (0, 0);
            return;
        }
        let patience = if kind.idle_ever < LONG { thin.patience } else { thin.haste };
        let weight = look.weight.saturating_mul(events_of(work));
        kind.idle = kind.idle.saturating_add(weight);
        if kind.idle >= patience {
            let most = if kind.given == Verdict::Record { thin.longest } else { FEW.min(thin.longest) };
            kind.left = (kind.idle / thin.share.max(1)).clamp(1, most);
        }
        kind.idle = kind.idle.saturating_add(kind.left);
        kind.idle_ever = kind.idle_ever.saturating_add(weight).saturating_add(kind.left);
        let verdict = match look.sort {
            Sort::Read if kind.idle_ever >= thin.known_reads => Verdict::Mute,
            Sort::Read if kind.idle >= thin.reads => Verdict::MuteInTest,
            Sort::Write if kind.idle >= thin.writes => Verdict::MuteInTest,
            _ => kind.given,
        };
        if kind.given != Verdict::Mute {
            give(kind, verdict, &mut self.verdicts);
        }
    }

    /// The verdicts on accesses since the last call, in their order.
    pub fn take(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.verdicts)
    }

    /// So many events of a site were left out elsewhere.
    pub fn left_out(&mut self, site: u32, count: u64) {
        let left_out = self.by_site.entry(site).or_default();
        *left_out = left_out.saturating_add(count);
    }

    /// How many events were left out, by site, in the order of the sites.
    pub fn by_site(&mut self) -> Vec<(u32, u64)> {
        let Self { kinds, by_site, .. } = self;
        kinds.iter_mut().for_each(|kind| count(by_site, kind));
        let mut counts: Vec<_> = by_site.iter().map(|(site, count)| (*site, *count)).collect();
        counts.sort_unstable();
        counts
    }
}

/// Where a kind stands in the table: where the recorder keeps what it is sent of it.
#[inline]
fn place([site, context]: Like) -> usize {
    (muting::context(context, site) >> (32 - BITS)) as usize
}

fn give(kind: &mut Kind, given: Verdict, verdicts: &mut Vec<u64>) {
    if kind.given != given {
        kind.given = given;
        verdicts.push(verdict_on_accesses(given, kind.like[0], kind.like[1]));
    }
}

fn count(by_site: &mut FxHashMap<u32, u64>, kind: &mut Kind) {
    let left_out = std::mem::take(&mut kind.left_out);
    if left_out > 0 {
        *by_site.entry(kind.like[0]).or_default() += u64::from(left_out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THIN: Thin = Thin { after: 3, patience: 4, haste: 2, share: 2, longest: 5, known: 9, ..Thin::AUTO };
    const LIKE: Like = [70, 1];

    /// Which of these events are looked at: the test each is of, and whether it shows something new in it and in all.
    fn looked_at(thinning: &mut Thinning, events: &[(u32, bool, bool)]) -> String {
        let mut news = News::default();
        let mut one = |&(bucket, in_test, ever): &(u32, bool, bool)| {
            let look = thinning.look(LIKE, Sort::Read, bucket, news, 1)?;
            news.in_test += u64::from(in_test);
            news.ever += u64::from(ever);
            thinning.looked(look, 0, news);
            Some(())
        };
        events.iter().map(|event| if one(event).is_some() { 'x' } else { '.' }).collect()
    }

    const OLD: (u32, bool, bool) = (1, false, false);

    #[test]
    fn the_longer_a_kind_shows_nothing_new_the_more_of_it_are_left_out_in_a_row() {
        let mut thinning = Thinning::new(Some(THIN));
        assert_eq!(looked_at(&mut thinning, &[OLD; 24]), "xxxx..x...x.....x.....x.");
        assert_eq!(thinning.by_site(), [(70, 16)]);
        assert_eq!(thinning.by_site(), [(70, 16)], "counted once");
    }

    #[test]
    fn an_event_that_stands_for_several_counts_as_all_of_them() {
        let mut thinning = Thinning::new(Some(THIN));
        assert!(!thinning.may_leave_out(2) && !thinning.may_leave_out(2) && thinning.may_leave_out(1));
        let mut look = |weight| {
            let look = thinning.look(LIKE, Sort::Read, 1, News::default(), weight);
            look.map(|look| thinning.looked(look, 0, News::default())).is_some()
        };
        assert!(look(3) && look(1), "three and the fourth");
        assert!(!look(1) && !look(1) && look(1), "two are left out");
        assert!(!look(1) && look(3), "more than are left out");
    }

    #[test]
    fn an_event_that_took_much_work_counts_as_several() {
        let mut thinning = Thinning::new(Some(THIN));
        let mut look = |work| {
            let look = thinning.look(LIKE, Sort::Read, 1, News::default(), 1);
            look.map(|look| thinning.looked(look, work, News::default())).is_some()
        };
        assert!(look(WORK_OF_AN_EVENT - 1) && look(2 * WORK_OF_AN_EVENT), "one, and three");
        assert!(!look(0) && !look(0) && look(0), "as after four");

        assert!(!thinning.may_leave_out(1), "the first of three that are looked at");
        thinning.worked(WORK_OF_AN_EVENT);
        assert!(!thinning.may_leave_out(1) && thinning.may_leave_out(1), "the second took as much as two");
    }

    #[test]
    fn something_new_and_another_test_begin_anew() {
        let mut thinning = Thinning::new(Some(THIN));
        let news = (1, true, false);
        assert_eq!(
            looked_at(&mut thinning, &[OLD, OLD, OLD, OLD, OLD, OLD, news, OLD, OLD, OLD, OLD, OLD]),
            "xxxx..xxxxx."
        );
        assert_eq!(looked_at(&mut thinning, &[(2, false, false); 6]), "xxxx..");
    }

    #[test]
    fn a_kind_without_news_in_any_test_for_long_is_left_out_sooner_until_there_are() {
        let mut thinning = Thinning::new(Some(THIN));
        looked_at(&mut thinning, &[OLD; 2 * LONG as usize]);
        assert_eq!(
            looked_at(
                &mut thinning,
                &[(2, true, false), (2, false, false), (2, false, false), (2, false, false)]
            ),
            "xxx."
        );
        assert_eq!(looked_at(&mut thinning, &[(3, true, true)]), "x");
        assert_eq!(looked_at(&mut thinning, &[(4, false, false); 6]), "xxxx..");
    }

    /// The verdicts after reads of each test, some of which show something new in it or in all.
    fn verdicts_after(thinning: &mut Thinning, events: &[(u32, bool, bool)]) -> Vec<u64> {
        looked_at(thinning, events);
        thinning.take()
    }

    #[test]
    fn verdicts_on_reads_are_given_when_they_showed_nothing_new_for_long_and_withdrawn_when_they_do() {
        let said = |verdict| vec![verdict_on_accesses(verdict, LIKE[0], LIKE[1])];
        let mut thinning = Thinning::new(Some(Thin { reads: 6, known_reads: 1 << 10, ..THIN }));
        assert_eq!(verdicts_after(&mut thinning, &[OLD; 3]), []);
        assert_eq!(verdicts_after(&mut thinning, &[OLD; 20]), said(Verdict::MuteInTest));
        // Rows are short, but there are some: the news come where the next one is looked at.
        assert_eq!(verdicts_after(&mut thinning, &[(1, true, false); 6]), said(Verdict::Record));
        assert_eq!(verdicts_after(&mut thinning, &[OLD; 20]), said(Verdict::MuteInTest));
        assert_eq!(
            verdicts_after(&mut thinning, &[(2, false, false); 3]),
            [],
            "the recorder sees that a test is over"
        );
        assert_eq!(
            verdicts_after(&mut thinning, &[(2, false, false); 1500]).last(),
            said(Verdict::Mute).last()
        );
        assert_eq!(
            verdicts_after(&mut thinning, &[(3, true, false), (3, false, false)]),
            [],
            "new in a test alone"
        );
        assert_eq!(verdicts_after(&mut thinning, &[(4, true, true)]), said(Verdict::Record));
    }

    #[test]
    fn on_what_the_recorder_reports_with_more_than_reads_no_verdict_is_given() {
        let mut thinning = Thinning::new(Some(Thin { reads: 2, known_reads: 4, ..THIN }));
        for _ in 0..100 {
            if let Some(look) = thinning.look(LIKE, Sort::Other, 1, News::default(), 1) {
                thinning.looked(look, 0, News::default());
            }
        }
        assert_eq!(thinning.take(), []);
    }

    #[test]
    fn verdicts_on_what_writes_take_longer_and_are_given_in_each_test_anew() {
        let mut thinning = Thinning::new(Some(Thin { reads: 2, known_reads: 4, writes: 40, ..THIN }));
        let mut look = |bucket, times| {
            for _ in 0..times {
                if let Some(look) = thinning.look(LIKE, Sort::Write, bucket, News::default(), 1) {
                    thinning.looked(look, 0, News::default());
                }
            }
            thinning.take()
        };
        assert_eq!(look(1, 30), []);
        let said = [verdict_on_accesses(Verdict::MuteInTest, LIKE[0], LIKE[1])];
        assert_eq!(look(1, 30), said);
        assert_eq!(look(2, 30), [], "another test reads what this one writes");
        assert_eq!(look(2, 30), said);
    }

    #[test]
    fn a_kind_that_takes_the_place_of_another_withdraws_the_verdict_on_that() {
        let mut thinning = Thinning::new(Some(Thin { reads: 2, known_reads: 4, ..THIN }));
        looked_at(&mut thinning, &[OLD; 20]);
        thinning.take();
        let other = (71..).map(|site| [site, LIKE[1]]).find(|like| place(*like) == place(LIKE)).unwrap();
        thinning.look(other, Sort::Read, 1, News::default(), 1);
        assert_eq!(thinning.take(), [verdict_on_accesses(Verdict::Record, LIKE[0], LIKE[1])]);
    }

    #[test]
    fn in_a_hurry_a_kind_is_left_out_sooner_and_what_comes_first_too() {
        let mut thinning = Thinning::new(Some(THIN));
        assert!(!thinning.is_due());
        thinning.hurry();
        assert!(thinning.is_due() && thinning.may_leave_out(1));
        assert_eq!(looked_at(&mut thinning, &[OLD; 12]), "xx..x.....x.");
        (0..20).for_each(|_| thinning.hurry());
        assert_eq!(thinning.thin, Some(Thin { longest: LONGEST, ..Thin::EVERYWHERE }));
        let mut off = Thinning::new(None);
        off.hurry();
        assert!(!off.may_leave_out(1), "exact is exact");
    }

    #[test]
    fn nothing_is_left_out_of_what_comes_first_or_where_it_is_switched_off() {
        let mut thinning = Thinning::new(Some(THIN));
        let may: Vec<_> = (0..5).map(|_| thinning.may_leave_out(1)).collect();
        assert_eq!(may, [false, false, false, true, true]);
        assert!(!Thinning::new(None).may_leave_out(1));
    }
}
