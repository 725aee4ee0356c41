//! What the search is after and what it has seen: goals, and the places of carved or generated tests where their halves
//! were observed. Knows nothing of types.
//!
//! Invariant: the places kept for a fact are the shortest ones known, in an order that depends on the corpus alone.

use crate::slice;
use dynaflow_model::facts::{EntryId, ExitId, PlaceId, Witness, WitnessFact};
use dynaflow_model::pair_key::{HalfKey, PairKey};
use dynaflow_model::sequence::{Operation, Sequence};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The instruction that writes and the one that reads, where they are known, whatever the variable and the contexts.
pub type Sites = (Option<PlaceId>, Option<PlaceId>);

/// A def-use pair that no test executed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The pair, by which the search knows the goal.
    pub pair: PairKey,
    /// Binary name of the root class.
    pub root: String,
    /// Where the definition and the use are in the program.
    pub sites: Sites,
    /// What names its definition and its use in whatever table.
    pub halves: (HalfKey, HalfKey),
    /// Names with descriptors of the methods invoked on the root that showed the definition at their exit (m').
    pub definition_methods: Vec<String>,
    /// Names with descriptors of the methods invoked on the root that showed the use from their entry (m'').
    pub use_methods: Vec<String>,
    /// The defs@exit facts of the pair's variable and definition.
    pub exits: Vec<ExitId>,
    /// The uses@entry facts of the pair's variable and use.
    pub entries: Vec<EntryId>,
}

/// A test the search may build on. Clones share what it is: there is one in the search of each class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Specimen {
    /// What the test does; opaque statements are allowed.
    pub(crate) sequence: Arc<Sequence>,
    /// The same without its opaque parts.
    pub(crate) rebuilt: Arc<Sequence>,
    witnesses: Arc<[Witness]>,
}

impl Specimen {
    /// A test that does this, where facts were seen at these places of it.
    pub fn new(sequence: Sequence, witnesses: Vec<Witness>) -> Self {
        let rebuilt = slice::rebuildable(&sequence);
        let sequence = Arc::new(sequence);
        let rebuilt = if rebuilt == *sequence { Arc::clone(&sequence) } else { Arc::new(rebuilt) };
        Self { sequence, rebuilt, witnesses: witnesses.into() }
    }

    /// Where in it facts were seen.
    pub fn witnesses(&self) -> &[Witness] {
        &self.witnesses
    }
}

/// A place where a fact was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Seen {
    /// How many statements lead there; each opaque one that it needs counts as [`DETOUR`].
    pub(crate) cost: u32,
    /// Index of the specimen.
    pub(crate) specimen: usize,
    /// The statement.
    pub(crate) statement: u32,
    /// The variable that holds the root.
    pub(crate) root: Option<u32>,
}

/// The specimens and where facts were seen in them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Corpus {
    specimens: Vec<Specimen>,
    seen: BTreeMap<WitnessFact, Vec<Seen>>,
}

/// Most places remembered for one fact.
const PLACES: usize = 6;
/// What an opaque object costs that the place needs: any place without one is preferred.
const DETOUR: u32 = 1000;

impl Corpus {
    /// Adds a specimen; gives whether it has a place for some fact that is better than those known.
    pub(crate) fn add(&mut self, specimen: Specimen) -> bool {
        let mut news = false;
        let index = self.specimens.len();
        for witness in specimen.witnesses() {
            let cost = cost(&specimen.sequence, witness);
            let Witness { statement, root, .. } = *witness;
            news |= self.remember(witness.fact, Seen { cost, specimen: index, statement, root });
        }
        self.specimens.push(specimen);
        news
    }

    fn remember(&mut self, fact: WitnessFact, seen: Seen) -> bool {
        let places = self.seen.entry(fact).or_default();
        if places.len() >= PLACES && places.last().is_some_and(|worst| *worst <= seen) {
            return false;
        }
        let at = places.partition_point(|known| *known <= seen);
        places.insert(at, seen);
        places.truncate(PLACES);
        true
    }

    /// The places where any of the facts was seen, cheapest first.
    pub(crate) fn places(&self, facts: impl Iterator<Item = WitnessFact>) -> Vec<Seen> {
        let mut found: Vec<Seen> = facts.filter_map(|f| self.seen.get(&f)).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The specimen with this index.
    pub(crate) fn get(&self, index: usize) -> Option<&Specimen> {
        self.specimens.get(index)
    }
}

fn cost(sequence: &Sequence, witness: &Witness) -> u32 {
    let mut needs = slice::Kept::from([witness.statement]);
    slice::close(sequence, &mut needs, witness.root);
    needs.extend(witness.root);
    let opaque = needs.iter().filter_map(|&n| slice::at(sequence, n));
    let detours = opaque.filter(|s| matches!(s.operation, Operation::Opaque(_))).count();
    witness.statement.saturating_add(DETOUR.saturating_mul(u32::try_from(detours).unwrap_or(u32::MAX)))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// The goal with this number, of a definition at this place.
    pub(crate) fn goal(pair: u8, place: u32) -> Goal {
        let half = HalfKey([0; 16]);
        Goal {
            pair: PairKey([pair; 16]),
            root: "a.Door".into(),
            sites: (Some(PlaceId(place)), None),
            halves: (half, half),
            definition_methods: vec![],
            use_methods: vec![],
            exits: vec![],
            entries: vec![],
        }
    }
}
