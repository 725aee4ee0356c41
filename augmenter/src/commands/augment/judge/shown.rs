//! What the compiled tests of a class show: which of them still cover something new, and the pair that the comment of each names.
//!
//! Knows nothing of how they are written or run. Invariant: a comment names a pair that the test as it is written covers, with a
//! definition that the test makes itself.

use crate::commands::augment::facts::known::{Covered, Keys};
use crate::commands::augment::facts::roots::Roots;
use crate::own::LeftBehind;
use dynaflow_model::facts::{PairId, Recording, TestRecord};
use dynaflow_model::pair_key::PairKey;
use dynaflow_objectives::{SiteKey, sentence, site_key};
use std::collections::{BTreeMap, BTreeSet};

/// The comment of a test that covers no pair, as one that only reveals a failure.
pub const NOTHING: &str = "covers no pair of the targets";

/// What was known before the tests of the class.
#[derive(Clone, Copy, Debug)]
pub struct Before<'a> {
    /// The roots whose pairs count.
    pub roots: &'a Roots,
    /// What the seeds and the compiled tests of other classes cover.
    pub covered: &'a Covered,
    /// What was an objective at some time.
    pub inferred: &'a BTreeMap<PairKey, u32>,
}

/// What one test shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// The pairs whose definitions it makes itself, with their sites.
    pub own: BTreeSet<(PairKey, SiteKey)>,
    /// The pairs that nothing before it covers.
    pub new: BTreeSet<PairKey>,
    /// The line that names one of them; of a test that covers nothing new, one that it covers, if there is one.
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
            let ids = records.flat_map(|record| left.own(&recording.facts, record));
            let by_key: BTreeMap<PairKey, PairId> = ids.filter_map(|id| Some((keys.get(id)?, id))).collect();
            let is_new = |key: &PairKey| !self.covered.contains(*key) && !covered.contains(key);
            let new: BTreeSet<PairKey> = by_key.keys().copied().filter(is_new).collect();
            let comment = self.comment(recording, &by_key, &new);
            covered.extend(&new);
            let site = |id: &PairId| Some(site_key(&recording.facts, recording.facts.pairs.get(*id)?));
            let own = by_key.iter().filter_map(|(key, id)| Some((*key, site(id)?))).collect();
            Shown { own, new, comment }
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
        let text = |id: PairId| recording.facts.pairs.get(id).map(|pair| sentence(&recording.facts, pair));
        let best = own.iter().filter_map(|(key, id)| Some((rank(key), text(*id)?))).min();
        let more = match new.len() {
            0 | 1 => String::new(),
            n => format!("; and {} more", n - 1),
        };
        best.map_or_else(|| NOTHING.to_owned(), |(_, text)| format!("{text}{more}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::facts::{
        Context, DefAtExit, Definition, DefinitionKind, Exit, ExitId, Method, Pair, Place, Step, TestEnd,
        Use, Variable,
    };

    /// Two fields of `a.Door`, each with a pair whose definition is left behind; all of it by one test of this name.
    fn recording() -> (Recording, Vec<PairId>, Vec<ExitId>) {
        let mut recording = Recording::default();
        let facts = &mut recording.facts;
        let (class, signature) = (facts.sym("a.Door"), facts.sym("run()V"));
        let method = facts.methods.intern(Method { class, signature });
        let context =
            facts.contexts.intern(Context { head: Box::new([method]), tail: Box::new([]), cut: false });
        let (mut pairs, mut exits) = (vec![], vec![]);
        for (field, line) in [("left", 1), ("right", 2)] {
            let steps = Box::new([Step::Field { class, name: facts.sym(field) }]);
            let variable = facts.variables.intern(Variable { root: class, steps });
            let place = facts.places.intern(Place { method, offset: line, line });
            let definition =
                facts.definitions.intern(Definition { place, kind: DefinitionKind::Direct, context });
            let usage = facts.uses.intern(Use { place, context });
            pairs.push(facts.pairs.intern(Pair { variable, definition, usage }));
            let exit = DefAtExit { variable, method, exit: Exit::Normal, definition };
            exits.push(facts.exits.intern(exit));
        }
        (recording, pairs, exits)
    }

    fn record(name: &str, pairs: &[PairId], exits: &[ExitId]) -> TestRecord {
        TestRecord {
            name: name.to_owned(),
            end: TestEnd::Returned,
            pairs: pairs.to_vec(),
            exits: exits.to_vec(),
            entries: vec![],
            carved: None,
            witnesses: vec![],
        }
    }

    #[test]
    fn each_test_shows_what_none_before_it_covers_and_its_comment_names_an_objective_of_that() {
        let (mut recording, pairs, exits) = recording();
        recording.tests = vec![
            record("a.T#both", &pairs, &exits),
            record("a.T#left", &pairs[..1], &exits[..1]),
            record("a.T#company", &pairs[..1], &[]),
        ];
        let roots = Roots::of(vec!["a.*".parse().unwrap()]);
        let keys: Vec<PairKey> = Keys::of(&recording, &roots).iter().collect();
        let inferred = BTreeMap::from([(keys[1], 1)]);
        let covered = Covered::default();
        let before = Before { roots: &roots, covered: &covered, inferred: &inferred };
        let names = ["a.T#both", "a.T#left", "a.T#company", "a.T#gone"];
        let shown = before.shown(&recording, &names);
        let new: Vec<usize> = shown.iter().map(|shown| shown.new.len()).collect();
        assert_eq!(new, [2, 0, 0, 0], "the second covers nothing new, the third nothing of its own");
        assert!(
            shown[0].comment == "run() sets Door.right (line 2); run() must see it (line 2); and 1 more",
            "{}",
            shown[0].comment
        );
        assert!(shown[1].comment.starts_with("run() sets Door.left "), "{}", shown[1].comment);
        assert_eq!((shown[2].comment.as_str(), shown[3].comment.as_str()), (NOTHING, NOTHING));
        let turned = before.shown(&recording, &["a.T#left", "a.T#both"]);
        assert_eq!(turned.iter().map(|shown| shown.new.len()).collect::<Vec<_>>(), [1, 1]);
        let mut known = Covered::default();
        known.add(keys[0], 0);
        let after_seeds = Before { covered: &known, ..before }.shown(&recording, &names[..2]);
        assert_eq!(after_seeds[0].new, BTreeSet::from([keys[1]]));
    }
}
