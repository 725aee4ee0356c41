//! Takes one test out of a recording, with the facts it refers to and no others.
//!
//! Knows nothing of files. Invariant: the tables of the result hold what the record reaches, nothing else, so that merging
//! it somewhere adds no fact the test did not show. Facts per basic block are no test's and are left out.

use crate::translate::{Translated, Translator, record};
use dynaflow_model::facts::{
    ContextId, DefinitionId, EntryId, ExitId, FactTable, Interner, MethodId, PairId, PlaceId, Recording, Sym,
    TestRecord, UseId, VariableId,
};
use dynaflow_model::ids::DenseId;
use std::hash::Hash;

/// A recording of this one test. Ids of the record must be of `facts`; those that name nothing are left out. Linear in what
/// the record reaches.
pub fn extract(facts: &FactTable, test: &TestRecord) -> Recording {
    let mut copier = Copier { from: facts, into: FactTable::default() };
    let test = record(test, &mut copier);
    Recording { facts: copier.into, tests: vec![test], ..Recording::default() }
}

/// Copies a value, and all that it mentions, when an id of it is asked for.
struct Copier<'a> {
    from: &'a FactTable,
    into: FactTable,
}

impl<'a> Copier<'a> {
    fn copy<T: Translated + Hash + Eq + 'a, I: DenseId + 'a>(
        &mut self,
        id: I,
        table: impl Fn(&'a FactTable) -> &'a Interner<T, I>,
        into: impl Fn(&mut FactTable) -> &mut Interner<T, I>,
    ) -> Option<I> {
        let value = table(self.from).get(id)?.translated(self)?;
        Some(into(&mut self.into).intern(value))
    }
}

impl Translator for Copier<'_> {
    fn sym(&mut self, id: Sym) -> Option<Sym> {
        let text = self.from.strings.get(id)?;
        Some(self.into.sym(text))
    }

    fn method(&mut self, id: MethodId) -> Option<MethodId> {
        self.copy(id, |from| &from.methods, |into| &mut into.methods)
    }

    fn context(&mut self, id: ContextId) -> Option<ContextId> {
        self.copy(id, |from| &from.contexts, |into| &mut into.contexts)
    }

    fn variable(&mut self, id: VariableId) -> Option<VariableId> {
        self.copy(id, |from| &from.variables, |into| &mut into.variables)
    }

    fn place(&mut self, id: PlaceId) -> Option<PlaceId> {
        self.copy(id, |from| &from.places, |into| &mut into.places)
    }

    fn definition(&mut self, id: DefinitionId) -> Option<DefinitionId> {
        self.copy(id, |from| &from.definitions, |into| &mut into.definitions)
    }

    fn usage(&mut self, id: UseId) -> Option<UseId> {
        self.copy(id, |from| &from.uses, |into| &mut into.uses)
    }

    fn pair(&mut self, id: PairId) -> Option<PairId> {
        self.copy(id, |from| &from.pairs, |into| &mut into.pairs)
    }

    fn exit(&mut self, id: ExitId) -> Option<ExitId> {
        self.copy(id, |from| &from.exits, |into| &mut into.exits)
    }

    fn entry(&mut self, id: EntryId) -> Option<EntryId> {
        self.copy(id, |from| &from.entries, |into| &mut into.entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::facts::{
        Context, Definition, DefinitionKind, Method, Pair, Place, Step, TestEnd, Use, Variable, Witness,
        WitnessFact,
    };

    fn table() -> (FactTable, PairId, PairId) {
        let mut facts = FactTable::default();
        let pair = |facts: &mut FactTable, field: &str| {
            let (class, name) = (facts.sym("a.Outer"), facts.sym(field));
            let signature = facts.sym("run()V");
            let method = facts.methods.intern(Method { class, signature });
            let context =
                facts.contexts.intern(Context { head: Box::new([method]), tail: Box::new([]), cut: false });
            let place = facts.places.intern(Place { method, offset: 1, line: 2 });
            let steps = Box::new([Step::Field { class, name }]);
            let variable = facts.variables.intern(Variable { root: class, steps });
            let definition =
                facts.definitions.intern(Definition { place, kind: DefinitionKind::Direct, context });
            let usage = facts.uses.intern(Use { place, context });
            facts.pairs.intern(Pair { variable, definition, usage })
        };
        let (first, second) = (pair(&mut facts, "first"), pair(&mut facts, "second"));
        (facts, first, second)
    }

    #[test]
    fn one_test_is_taken_out_with_its_own_facts_only() {
        let (facts, _, second) = table();
        let record = TestRecord {
            name: "a.T#t".into(),
            end: TestEnd::Returned,
            pairs: vec![second],
            exits: vec![],
            entries: vec![],
            carved: None,
            witnesses: vec![Witness { fact: WitnessFact::Pair(second), statement: 3, root: Some(1) }],
        };
        let taken = extract(&facts, &record);
        assert_eq!(taken.facts.pairs.len(), 1);
        assert!(taken.facts.strings.find("second").is_some() && taken.facts.strings.find("first").is_none());
        assert_eq!(taken.tests[0].pairs, [PairId(0)]);
        assert_eq!(taken.tests[0].witnesses[0].fact, WitnessFact::Pair(PairId(0)));
    }
}
