//! What the compiled tests of a class show: which of them still cover something new, and the pair that the comment of each names.
//!
//! Knows nothing of how they are written or run. Invariant: a comment names a pair that the test as it is written covers, with a
//! definition that the test makes itself.

use super::known::{Covered, Keys};
use super::own::LeftBehind;
use dynaflow_model::facts::{PairId, Recording, TestRecord};
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::pattern::Pattern;
use dynaflow_objectives::one_line;
use std::collections::{BTreeMap, BTreeSet};

/// What was known before the tests of the class.
#[derive(Clone, Copy, Debug)]
pub struct Before<'a> {
    /// The roots whose pairs count.
    pub roots: &'a [Pattern],
    /// What the seeds and the compiled tests of other classes cover.
    pub covered: &'a Covered,
    /// What was an objective at some time.
    pub inferred: &'a BTreeMap<PairKey, u32>,
}

/// What one test shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The pairs that nothing before it covers.
    pub new: BTreeSet<PairKey>,
    /// The line that names one of them; of a test that covers nothing new, one that it covers.
    pub comment: String,
}

impl Before<'_> {
    /// What each of the tests shows that the ones before it do not, in the order of `names`. A test without a record shows nothing.
    pub fn shown(&self, recording: &Recording, names: &[&str]) -> Vec<Shown> {
        let keys = Keys::of(recording, self.roots);
        let left = LeftBehind::of(&recording.facts);
        let mut by_name: BTreeMap<&str, Vec<&TestRecord>> = BTreeMap::new();
        for record in &recording.tests {
            by_name.entry(&record.name).or_default().push(record);
        }
        let mut covered: BTreeSet<PairKey> = BTreeSet::new();
        let mut each = |name: &&str| {
            let records = by_name.get(name).into_iter().flatten();
            let own = records.flat_map(|record| left.own(&recording.facts, record));
            let own: BTreeMap<PairKey, PairId> = own.filter_map(|id| Some((keys.get(id)?, id))).collect();
            let is_new = |key: &PairKey| !self.covered.contains(*key) && !covered.contains(key);
            let new: BTreeSet<PairKey> = own.keys().copied().filter(is_new).collect();
            let comment = self.comment(recording, &own, &new);
            covered.extend(&new);
            Shown { new, comment }
        };
        names.iter().map(&mut each).collect()
    }

    /// Names an objective among the new pairs if there is one, else a new pair, else any; the first of these in the order of their texts.
    fn comment(
        &self,
        recording: &Recording,
        own: &BTreeMap<PairKey, PairId>,
        new: &BTreeSet<PairKey>,
    ) -> String {
        let rank = |key: &PairKey| (!new.contains(key), !self.inferred.contains_key(key));
        let text = |id: PairId| recording.facts.pairs.get(id).map(|pair| one_line(&recording.facts, pair));
        let best = own.iter().filter_map(|(key, id)| Some((rank(key), text(*id)?))).min();
        best.map(|(_, text)| text).unwrap_or_default()
    }
}
