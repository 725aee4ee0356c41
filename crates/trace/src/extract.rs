//! Takes one test out of a recording, with the facts it refers to and no others.
//!
//! Knows nothing of files. Invariant: the tables of the result hold what the record reaches, nothing else, so that merging
//! it somewhere adds no fact the test did not show. Facts per basic block are no test's and are left out.

use dynaflow_model::facts::{
    Context, ContextId, DefAtExit, Definition, DefinitionId, EntryId, ExitId, FactTable, Method, MethodId,
    Pair, PairId, Place, PlaceId, Recording, Step, Sym, TestRecord, Use, UseAtEntry, UseId, Variable,
    VariableId, Witness, WitnessFact,
};

/// A recording of this one test. Ids of `record` must be of `facts`; those that name nothing are left out. Linear in what
/// the record reaches.
pub fn extract(facts: &FactTable, record: &TestRecord) -> Recording {
    let mut copier = Copier { from: facts, into: FactTable::default() };
    let test = TestRecord {
        name: record.name.clone(),
        end: record.end,
        pairs: ascending(record.pairs.iter().filter_map(|&id| copier.pair(id))),
        exits: ascending(record.exits.iter().filter_map(|&id| copier.exit(id))),
        entries: ascending(record.entries.iter().filter_map(|&id| copier.entry(id))),
        carved: record.carved.clone(),
        witnesses: ascending(record.witnesses.iter().filter_map(|witness| copier.witness(witness))),
    };
    Recording { facts: copier.into, tests: vec![test], ..Recording::default() }
}

fn ascending<T: Ord>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.dedup();
    values
}

struct Copier<'a> {
    from: &'a FactTable,
    into: FactTable,
}

impl Copier<'_> {
    fn sym(&mut self, id: Sym) -> Option<Sym> {
        let text = self.from.strings.get(id)?;
        Some(self.into.sym(text))
    }

    fn method(&mut self, id: MethodId) -> Option<MethodId> {
        let &Method { class, signature } = self.from.methods.get(id)?;
        let method = Method { class: self.sym(class)?, signature: self.sym(signature)? };
        Some(self.into.methods.intern(method))
    }

    fn context(&mut self, id: ContextId) -> Option<ContextId> {
        let Context { head, tail, cut } = self.from.contexts.get(id)?;
        let head = head.iter().map(|&m| self.method(m)).collect::<Option<_>>()?;
        let tail = tail.iter().map(|&m| self.method(m)).collect::<Option<_>>()?;
        Some(self.into.contexts.intern(Context { head, tail, cut: *cut }))
    }

    fn variable(&mut self, id: VariableId) -> Option<VariableId> {
        let Variable { root, steps } = self.from.variables.get(id)?;
        let root = self.sym(*root)?;
        let steps = steps.iter().map(|step| self.step(step)).collect::<Option<_>>()?;
        Some(self.into.variables.intern(Variable { root, steps }))
    }

    fn step(&mut self, step: &Step) -> Option<Step> {
        let Self { from, into } = self;
        let is_known = step.names().all(|name| from.strings.get(name).is_some());
        is_known.then(|| step.translate(|name| into.sym(from.text(name))))
    }

    fn place(&mut self, id: PlaceId) -> Option<PlaceId> {
        let place = *self.from.places.get(id)?;
        let place = Place { method: self.method(place.method)?, ..place };
        Some(self.into.places.intern(place))
    }

    fn definition(&mut self, id: DefinitionId) -> Option<DefinitionId> {
        let &Definition { place, kind, context } = self.from.definitions.get(id)?;
        let definition = Definition { place: self.place(place)?, kind, context: self.context(context)? };
        Some(self.into.definitions.intern(definition))
    }

    fn usage(&mut self, id: UseId) -> Option<UseId> {
        let &Use { place, context } = self.from.uses.get(id)?;
        let usage = Use { place: self.place(place)?, context: self.context(context)? };
        Some(self.into.uses.intern(usage))
    }

    fn pair(&mut self, id: PairId) -> Option<PairId> {
        let &Pair { variable, definition, usage } = self.from.pairs.get(id)?;
        let pair = Pair {
            variable: self.variable(variable)?,
            definition: self.definition(definition)?,
            usage: self.usage(usage)?,
        };
        Some(self.into.pairs.intern(pair))
    }

    fn exit(&mut self, id: ExitId) -> Option<ExitId> {
        let &DefAtExit { variable, method, exit, definition } = self.from.exits.get(id)?;
        let fact = DefAtExit {
            variable: self.variable(variable)?,
            method: self.method(method)?,
            exit,
            definition: self.definition(definition)?,
        };
        Some(self.into.exits.intern(fact))
    }

    fn entry(&mut self, id: EntryId) -> Option<EntryId> {
        let &UseAtEntry { variable, method, usage } = self.from.entries.get(id)?;
        let fact = UseAtEntry {
            variable: self.variable(variable)?,
            method: self.method(method)?,
            usage: self.usage(usage)?,
        };
        Some(self.into.entries.intern(fact))
    }

    fn witness(&mut self, witness: &Witness) -> Option<Witness> {
        let fact = match witness.fact {
            WitnessFact::Exit(id) => WitnessFact::Exit(self.exit(id)?),
            WitnessFact::Entry(id) => WitnessFact::Entry(self.entry(id)?),
            WitnessFact::Pair(id) => WitnessFact::Pair(self.pair(id)?),
        };
        Some(Witness { fact, ..*witness })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::facts::{DefinitionKind, TestEnd};

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
