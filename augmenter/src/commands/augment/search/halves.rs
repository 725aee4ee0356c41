//! How far a sequence came on the way from a definition to a use.
//!
//! In: the facts of a run, the definition and the use that it was made for. Out: the obstacle that it met. Knows nothing of why. Invariant: a
//! definition and a use are known by their keys, as each worker has a table of its own.

use dynaflow_model::facts::{
    DefinitionId, FactTable, PlaceId, TestRecord, UseId, VariableId, Witness, WitnessFact,
};
use dynaflow_model::obstacle::Obstacle;
use dynaflow_model::outcome::Outcome;
use dynaflow_model::pair_key::HalfKey;
use dynaflow_model::sequence::Sequence;
use dynaflow_model::sites::ClassHash;
use dynaflow_objectives::{definition_key, use_key};
use dynaflow_search::Goal;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A definition or a use of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Half {
    /// What names it.
    pub key: HalfKey,
    /// The offset of its instruction, by which most others are told apart without their names.
    pub offset: u32,
}

/// The definition and the use that a sequence is to join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aim {
    /// The definition of the variable.
    pub definition: Half,
    /// The use of the variable.
    pub usage: Half,
}

impl Aim {
    /// That of a goal, which was inferred from this table.
    pub fn of(goal: &Goal, facts: &FactTable) -> Self {
        let half = |key, place: Option<PlaceId>| {
            let place = place.and_then(|place| facts.places.get(place));
            Half { key, offset: place.map_or(0, |place| place.offset) }
        };
        let ((definition, usage), (defined_at, used_at)) = (goal.halves, goal.sites);
        Self { definition: half(definition, defined_at), usage: half(usage, used_at) }
    }
}

/// The keys of one growing table, each computed once.
#[derive(Debug, Default)]
pub struct Halves {
    definitions: FxHashMap<(VariableId, DefinitionId), HalfKey>,
    uses: FxHashMap<(VariableId, UseId), HalfKey>,
}

/// A table, and the builds of the classes that it mentions.
type Table<'a> = (&'a FactTable, &'a BTreeMap<String, ClassHash>);

impl Halves {
    /// The obstacle that a run, which did not execute its aim, met: `record` is what it left in the table.
    pub fn met(
        &mut self,
        table: Table,
        record: &TestRecord,
        aim: Aim,
        (outcome, sequence): (&Outcome, &Sequence),
    ) -> Obstacle {
        let exits =
            record.witnesses.iter().filter(|witness| self.is_definition(table, witness, aim.definition));
        let Some(defined) = exits.map(|witness| witness.statement).min() else {
            return if is_cut_short(outcome, sequence) { Obstacle::Stopped } else { Obstacle::Undefined };
        };
        let mut after = record.witnesses.iter().filter(|witness| witness.statement > defined);
        if after.any(|witness| self.is_use(table, witness, aim.usage)) {
            return Obstacle::Overwritten;
        }
        if is_cut_short(outcome, sequence) { Obstacle::Stopped } else { Obstacle::Unreached }
    }

    fn is_definition(&mut self, (facts, builds): Table, witness: &Witness, wanted: Half) -> bool {
        let WitnessFact::Exit(id) = witness.fact else { return false };
        let Some(exit) = facts.exits.get(id) else { return false };
        let half = (exit.variable, exit.definition);
        let place = facts.definitions.get(exit.definition).map(|definition| definition.place);
        is_at(facts, place, wanted)
            && *self.definitions.entry(half).or_insert_with(|| definition_key(facts, builds, half))
                == wanted.key
    }

    /// Whether a use began with the variable, or was executed, there.
    fn is_use(&mut self, (facts, builds): Table, witness: &Witness, wanted: Half) -> bool {
        let half = match witness.fact {
            WitnessFact::Exit(_) => None,
            WitnessFact::Entry(id) => facts.entries.get(id).map(|entry| (entry.variable, entry.usage)),
            WitnessFact::Pair(id) => facts.pairs.get(id).map(|pair| (pair.variable, pair.usage)),
        };
        half.is_some_and(|half| {
            is_at(facts, facts.uses.get(half.1).map(|usage| usage.place), wanted)
                && *self.uses.entry(half).or_insert_with(|| use_key(facts, builds, half)) == wanted.key
        })
    }
}

fn is_at(facts: &FactTable, place: Option<PlaceId>, wanted: Half) -> bool {
    place.and_then(|place| facts.places.get(place)).is_some_and(|place| place.offset == wanted.offset)
}

/// Whether an exception, or the time that it has, ended a sequence before its last call.
fn is_cut_short(outcome: &Outcome, sequence: &Sequence) -> bool {
    outcome.broken.is_some() || outcome.statements.len() + 1 < sequence.statements.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::facts::{
        Context, DefAtExit, Definition, DefinitionKind, Exit, Method, Place, Step, TestEnd, Use, UseAtEntry,
        Variable,
    };
    use dynaflow_model::outcome::Observed;
    use dynaflow_model::sequence::{Operation, Statement};

    /// A table with a definition at its exit and a use at its entry, the aim to join them, and the facts.
    fn table() -> (FactTable, Aim, WitnessFact, WitnessFact) {
        let mut facts = FactTable::default();
        let (root, name, signature) = (facts.sym("a.Door"), facts.sym("n"), facts.sym("run()V"));
        let steps: Box<[Step]> = Box::new([Step::Field { class: root, name }]);
        let variable = facts.variables.intern(Variable { root, steps });
        let method = facts.methods.intern(Method { class: root, signature });
        let context =
            facts.contexts.intern(Context { head: Box::new([method]), tail: Box::new([]), cut: false });
        let mut place = |offset| facts.places.intern(Place { method, offset, line: 1 });
        let (defined, used) = (place(3), place(8));
        let kind = DefinitionKind::Direct;
        let definition = facts.definitions.intern(Definition { place: defined, kind, context });
        let usage = facts.uses.intern(Use { place: used, context });
        let exit = facts.exits.intern(DefAtExit { variable, method, exit: Exit::Normal, definition });
        let entry = facts.entries.intern(UseAtEntry { variable, method, usage });
        let builds = BTreeMap::new();
        let definition = definition_key(&facts, &builds, (variable, definition));
        let usage = use_key(&facts, &builds, (variable, usage));
        let aim =
            Aim { definition: Half { key: definition, offset: 3 }, usage: Half { key: usage, offset: 8 } };
        (facts, aim, WitnessFact::Exit(exit), WitnessFact::Entry(entry))
    }

    /// What keeps a sequence of four statements, of which so many returned, from its aim; facts with the statements that showed them.
    fn met(facts: &FactTable, aim: Aim, returned: usize, seen: &[(WitnessFact, u32)]) -> Obstacle {
        let witnesses = seen.iter().map(|&(fact, statement)| Witness { fact, statement, root: None });
        let record = TestRecord {
            name: String::new(),
            end: TestEnd::Returned,
            pairs: vec![],
            exits: vec![],
            entries: vec![],
            carved: None,
            witnesses: witnesses.collect(),
        };
        let outcome = Outcome { statements: vec![Observed::Void; returned], ..Outcome::default() };
        let statement = Statement {
            operation: Operation::Opaque(String::new()),
            result: "V".into(),
            runtime_class: None,
            caught: None,
        };
        let sequence = Sequence { statements: vec![statement; 4] };
        let builds = BTreeMap::new();
        Halves::default().met((facts, &builds), &record, aim, (&outcome, &sequence))
    }

    #[test]
    fn the_obstacle_is_how_far_a_sequence_came() {
        let (facts, aim, exit, entry) = table();
        assert_eq!(met(&facts, aim, 4, &[]), Obstacle::Undefined);
        assert_eq!(met(&facts, aim, 2, &[]), Obstacle::Stopped, "the call of the use did not come");
        assert_eq!(met(&facts, aim, 4, &[(exit, 1)]), Obstacle::Unreached);
        assert_eq!(met(&facts, aim, 3, &[(exit, 1)]), Obstacle::Unreached, "the call of the use threw");
        assert_eq!(met(&facts, aim, 2, &[(exit, 1)]), Obstacle::Stopped);
        assert_eq!(met(&facts, aim, 4, &[(exit, 1), (entry, 3)]), Obstacle::Overwritten);
        assert_eq!(met(&facts, aim, 4, &[(exit, 1), (entry, 0)]), Obstacle::Unreached, "the use came before");
    }

    #[test]
    fn what_has_another_key_is_another_definition_though_its_instruction_is_at_the_same_offset() {
        let (facts, aim, exit, entry) = table();
        let other = HalfKey([9; 16]);
        let elsewhere = Aim { definition: Half { key: other, offset: 3 }, ..aim };
        assert_eq!(met(&facts, elsewhere, 4, &[(exit, 1)]), Obstacle::Undefined);
        let elsewhere = Aim { usage: Half { key: other, offset: 8 }, ..aim };
        assert_eq!(met(&facts, elsewhere, 4, &[(exit, 1), (entry, 3)]), Obstacle::Unreached);
    }
}
