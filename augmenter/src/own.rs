//! Which of the pairs that a test executes are its own: it made the definition itself.
//!
//! Static state outlives a test, so that a use may read what an earlier test of the same JVM defined. Such a pair shows in the company it
//! was recorded in and in no other. Knows nothing of who runs tests. Invariant: a definition that no invocation of any test left behind
//! cannot come from another test; of the others a test's own are those that its own invocations left behind.

use dynaflow_model::facts::{DefinitionId, FactTable, PairId, TestRecord, VariableId, WitnessFact};
use std::collections::BTreeSet;

/// The definitions that invocations left behind, by variable, in the ids of one growing table.
#[derive(Debug, Default)]
pub struct LeftBehind {
    all: BTreeSet<(VariableId, DefinitionId)>,
    /// How many facts of the table were looked at.
    seen: usize,
}

impl LeftBehind {
    /// Those of a whole table.
    pub fn of(facts: &FactTable) -> Self {
        let mut left = Self::default();
        left.update(facts);
        left
    }

    /// Takes in what the table got since the last call.
    pub fn update(&mut self, facts: &FactTable) {
        self.all.extend(facts.exits.since(self.seen).map(|exit| (exit.variable, exit.definition)));
        self.seen = facts.exits.len();
    }

    /// The pairs of a test that are its own, ascending. Near-linear in the facts of the test.
    pub fn own(&self, facts: &FactTable, record: &TestRecord) -> Vec<PairId> {
        let exits = record.exits.iter().filter_map(|&id| facts.exits.get(id));
        let here: BTreeSet<_> = exits.map(|exit| (exit.variable, exit.definition)).collect();
        let is_own = |id: &PairId| {
            facts.pairs.get(*id).is_some_and(|pair| {
                let defined = (pair.variable, pair.definition);
                here.contains(&defined) || !self.all.contains(&defined)
            })
        };
        record.pairs.iter().copied().filter(is_own).collect()
    }
}

/// The record of a test with these pairs instead of all.
pub fn limited(record: &TestRecord, pairs: Vec<PairId>) -> TestRecord {
    let is_left = |fact: WitnessFact| match fact {
        WitnessFact::Pair(id) => pairs.binary_search(&id).is_ok(),
        WitnessFact::Exit(_) | WitnessFact::Entry(_) => true,
    };
    let witnesses = record.witnesses.iter().copied().filter(|witness| is_left(witness.fact)).collect();
    TestRecord { witnesses, pairs, ..record.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::facts::{
        Context, DefAtExit, Definition, DefinitionKind, Exit, ExitId, Method, Pair, Place, Step, TestEnd,
        Use, Variable, Witness,
    };

    /// A static variable with a definition that is left behind and one that never is, each with a pair.
    fn table() -> (FactTable, [PairId; 2], ExitId) {
        let mut facts = FactTable::default();
        let (class, name, signature) = (facts.sym("a.Register"), facts.sym("last"), facts.sym("put(I)V"));
        let method = facts.methods.intern(Method { class, signature });
        let context =
            facts.contexts.intern(Context { head: Box::new([method]), tail: Box::new([]), cut: false });
        let steps = Box::new([Step::Field { class, name }]);
        let variable = facts.variables.intern(Variable { root: class, steps });
        let read = facts.places.intern(Place { method, offset: 9, line: 2 });
        let usage = facts.uses.intern(Use { place: read, context });
        let [left, killed] = [1, 5].map(|offset| {
            let place = facts.places.intern(Place { method, offset, line: 1 });
            facts.definitions.intern(Definition { place, kind: DefinitionKind::Direct, context })
        });
        let pairs = [left, killed].map(|definition| facts.pairs.intern(Pair { variable, definition, usage }));
        let exit = facts.exits.intern(DefAtExit { variable, method, exit: Exit::Normal, definition: left });
        (facts, pairs, exit)
    }

    fn record(pairs: &[PairId], exits: &[ExitId]) -> TestRecord {
        TestRecord {
            name: String::new(),
            end: TestEnd::Returned,
            pairs: pairs.to_vec(),
            exits: exits.to_vec(),
            entries: vec![],
            carved: None,
            witnesses: pairs
                .iter()
                .map(|&pair| Witness { fact: WitnessFact::Pair(pair), statement: 0, root: None })
                .collect(),
        }
    }

    #[test]
    fn a_pair_is_a_tests_own_when_the_test_made_the_definition_or_nobody_can_have_left_it() {
        let (facts, [left, killed], exit) = table();
        let known = LeftBehind::of(&facts);
        assert_eq!(known.own(&facts, &record(&[left, killed], &[exit])), [left, killed]);
        assert_eq!(known.own(&facts, &record(&[left, killed], &[])), [killed], "an earlier test left it");
        let before = LeftBehind::default();
        assert_eq!(before.own(&facts, &record(&[left], &[])), [left], "no earlier test left anything");
    }

    #[test]
    fn a_limited_record_has_the_witnesses_of_its_pairs_only() {
        let (_, [left, killed], exit) = table();
        let mut whole = record(&[left, killed], &[exit]);
        whole.witnesses.push(Witness { fact: WitnessFact::Exit(exit), statement: 0, root: None });
        let limited = limited(&whole, vec![killed]);
        let facts: Vec<_> = limited.witnesses.iter().map(|witness| witness.fact).collect();
        assert_eq!(facts, [WitnessFact::Pair(killed), WitnessFact::Exit(exit)]);
        assert_eq!((limited.pairs, limited.exits), (vec![killed], vec![exit]));
    }
}
