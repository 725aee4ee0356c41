//! The dictionary: what is new in the fact tables since the last block, and how a reader takes it in.
//!
//! Knows nothing of bytes. Invariant: a delta continues exactly where the one before ended, table by table in the order
//! in which tables refer to each other, so that an entry only ever refers to entries that are already there.

use crate::relative::{Entry, to_differences, to_values};
use dynaflow_model::facts::{
    Context, ContextId, DefAtExit, Definition, DefinitionId, FactTable, Interner, Method, MethodId, Pair,
    Place, PlaceId, Step, Sym, TestRecord, Use, UseAtEntry, UseId, Variable, VariableId, WitnessFact,
};
use dynaflow_model::ids::DenseId;
use serde::{Deserialize, Serialize};
use std::hash::Hash;

/// How much one delta may hold, in estimated encoded bytes; far below a block, so that no estimate can miss by enough.
pub const BUDGET: usize = 4 << 20;

/// How many entries of each table are already written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    strings: usize,
    methods: usize,
    contexts: usize,
    variables: usize,
    places: usize,
    definitions: usize,
    uses: usize,
    pairs: usize,
    exits: usize,
    entries: usize,
}

/// New entries of all tables, in the order of their ids, the numbers in them as differences to the entry before.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delta {
    strings: Vec<Box<str>>,
    methods: Vec<Method>,
    contexts: Vec<Context>,
    variables: Vec<Variable>,
    places: Vec<Place>,
    definitions: Vec<Definition>,
    uses: Vec<Use>,
    pairs: Vec<Pair>,
    exits: Vec<DefAtExit>,
    entries: Vec<UseAtEntry>,
}

impl Delta {
    /// What the tables have beyond the marks, at most one block of it; moves the marks. None when there is nothing new.
    pub fn take(facts: &FactTable, marks: &mut Marks) -> Option<Self> {
        let before = *marks;
        let mut budget = BUDGET;
        let budget = &mut budget;
        let delta = Self {
            strings: take(&facts.strings, &mut marks.strings, budget, |text| text.len() + 5),
            methods: take(&facts.methods, &mut marks.methods, budget, |_| 10),
            contexts: take(&facts.contexts, &mut marks.contexts, budget, |c| {
                5 * (c.head.len() + c.tail.len()) + 11
            }),
            variables: take(&facts.variables, &mut marks.variables, budget, |v| 11 * v.steps.len() + 10),
            places: take(&facts.places, &mut marks.places, budget, |_| 15),
            definitions: take(&facts.definitions, &mut marks.definitions, budget, |_| 11),
            uses: take(&facts.uses, &mut marks.uses, budget, |_| 10),
            pairs: take(&facts.pairs, &mut marks.pairs, budget, |_| 15),
            exits: take(&facts.exits, &mut marks.exits, budget, |_| 16),
            entries: take(&facts.entries, &mut marks.entries, budget, |_| 15),
        };
        (*marks != before).then_some(delta)
    }

    /// Adds the entries to the tables.
    ///
    /// # Errors
    /// The name of the table with an entry that is not new or that refers to one that is not there.
    pub fn apply(self, facts: &mut FactTable) -> Result<(), &'static str> {
        add(&mut facts.strings, self.strings, |_| true).ok_or("strings")?;
        let k = Known::of(facts);
        add(&mut facts.methods, self.methods, |m| k.sym(m.class) && k.sym(m.signature)).ok_or("methods")?;
        let k = Known::of(facts);
        add(&mut facts.contexts, self.contexts, |c| c.head.iter().chain(&c.tail).all(|&m| k.method(m)))
            .ok_or("contexts")?;
        add(&mut facts.variables, self.variables, |v| {
            k.sym(v.root) && !v.steps.is_empty() && v.steps.iter().all(|s| k.step(s))
        })
        .ok_or("variables")?;
        add(&mut facts.places, self.places, |p| k.method(p.method)).ok_or("places")?;
        let k = Known::of(facts);
        add(&mut facts.definitions, self.definitions, |d| k.place(d.place) && k.context(d.context))
            .ok_or("definitions")?;
        add(&mut facts.uses, self.uses, |u| k.place(u.place) && k.context(u.context)).ok_or("uses")?;
        let k = Known::of(facts);
        add(&mut facts.pairs, self.pairs, |p| {
            k.variable(p.variable) && k.definition(p.definition) && k.usage(p.usage)
        })
        .ok_or("pairs")?;
        add(&mut facts.exits, self.exits, |e| {
            k.variable(e.variable) && k.method(e.method) && k.definition(e.definition)
        })
        .ok_or("defs@exit")?;
        add(&mut facts.entries, self.entries, |e| {
            k.variable(e.variable) && k.method(e.method) && k.usage(e.usage)
        })
        .ok_or("uses@entry")
    }
}

/// Whether everything a test record refers to is in the tables.
pub fn refers_only_to(record: &TestRecord, facts: &FactTable) -> bool {
    let (pairs, exits, entries) = (facts.pairs.len(), facts.exits.len(), facts.entries.len());
    record.pairs.iter().all(|id| id.index() < pairs)
        && record.exits.iter().all(|id| id.index() < exits)
        && record.entries.iter().all(|id| id.index() < entries)
        && record.witnesses.iter().all(|witness| match witness.fact {
            WitnessFact::Exit(id) => id.index() < exits,
            WitnessFact::Entry(id) => id.index() < entries,
            WitnessFact::Pair(id) => id.index() < pairs,
        })
}

/// The entries of a table beyond a mark, as many as the budget allows, as differences; moves the mark.
pub fn take<T: Entry + Hash + Eq, I: DenseId>(
    table: &Interner<T, I>,
    mark: &mut usize,
    budget: &mut usize,
    cost: impl Fn(&T) -> usize,
) -> Vec<T> {
    let mut new = vec![];
    // A table is begun only with budget left, and so only when all earlier tables are complete.
    for value in table.since(*mark) {
        if *budget == 0 {
            break;
        }
        *budget = budget.saturating_sub(cost(value));
        new.push(value.clone());
    }
    to_differences(entry_before(table, *mark), &mut new);
    *mark += new.len();
    new
}

/// The entry that one at `index` follows.
fn entry_before<T: Hash + Eq, I: DenseId>(table: &Interner<T, I>, index: usize) -> Option<&T> {
    table.get(I::from_index(index.checked_sub(1)?))
}

/// Adds entries, given as differences, to a table, and ends with an error at one that is not valid or not new.
pub fn add<T: Entry + Hash + Eq, I: DenseId>(
    table: &mut Interner<T, I>,
    mut values: Vec<T>,
    valid: impl Fn(&T) -> bool,
) -> Option<()> {
    to_values(entry_before(table, table.len()), &mut values);
    for value in values {
        let next = table.len();
        if !valid(&value) || table.intern(value).index() != next {
            return None;
        }
    }
    Some(())
}

/// How many entries the tables have: enough to check a reference.
struct Known {
    strings: usize,
    methods: usize,
    contexts: usize,
    variables: usize,
    places: usize,
    definitions: usize,
    uses: usize,
}

impl Known {
    fn of(facts: &FactTable) -> Self {
        Self {
            strings: facts.strings.len(),
            methods: facts.methods.len(),
            contexts: facts.contexts.len(),
            variables: facts.variables.len(),
            places: facts.places.len(),
            definitions: facts.definitions.len(),
            uses: facts.uses.len(),
        }
    }

    fn sym(&self, id: Sym) -> bool {
        id.index() < self.strings
    }

    fn method(&self, id: MethodId) -> bool {
        id.index() < self.methods
    }

    fn step(&self, step: &Step) -> bool {
        step.names().all(|name| self.sym(name))
    }

    fn context(&self, id: ContextId) -> bool {
        id.index() < self.contexts
    }

    fn variable(&self, id: VariableId) -> bool {
        id.index() < self.variables
    }

    fn place(&self, id: PlaceId) -> bool {
        id.index() < self.places
    }

    fn definition(&self, id: DefinitionId) -> bool {
        id.index() < self.definitions
    }

    fn usage(&self, id: UseId) -> bool {
        id.index() < self.uses
    }
}
