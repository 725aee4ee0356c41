//! How each kind of value looks in the ids of another table. Knows nothing of how ids are translated, nor of files.
//!
//! Invariant: a value translated says the same in the other table; one that mentions an id without a translation has none.

use dynaflow_model::facts::{
    Context, ContextId, DefAtExit, Definition, DefinitionId, EntryId, ExitId, Method, MethodId, Pair, PairId,
    Place, PlaceId, Sym, TestRecord, Use, UseAtEntry, UseId, Variable, VariableId, Witness, WitnessFact,
};

/// What gives ids of another table for those of one.
pub trait Translator {
    fn sym(&mut self, id: Sym) -> Option<Sym>;
    fn method(&mut self, id: MethodId) -> Option<MethodId>;
    fn context(&mut self, id: ContextId) -> Option<ContextId>;
    fn variable(&mut self, id: VariableId) -> Option<VariableId>;
    fn place(&mut self, id: PlaceId) -> Option<PlaceId>;
    fn definition(&mut self, id: DefinitionId) -> Option<DefinitionId>;
    fn usage(&mut self, id: UseId) -> Option<UseId>;
    fn pair(&mut self, id: PairId) -> Option<PairId>;
    fn exit(&mut self, id: ExitId) -> Option<ExitId>;
    fn entry(&mut self, id: EntryId) -> Option<EntryId>;
}

/// A value that mentions ids.
pub trait Translated: Sized {
    /// The same value in the other ids.
    fn translated(&self, to: &mut impl Translator) -> Option<Self>;
}

impl Translated for Method {
    fn translated(&self, to: &mut impl Translator) -> Option<Self> {
        Some(Self { class: to.sym(self.class)?, signature: to.sym(self.signature)? })
    }
}

impl Translated for Context {
    fn translated(&self, to: &mut impl Translator) -> Option<Self> {
        let mut methods = |ids: &[MethodId]| ids.iter().map(|&id| to.method(id)).collect::<Option<_>>();
        Some(Self { head: methods(&self.head)?, tail: methods(&self.tail)?, cut: self.cut })
    }
}

impl Translated for Variable {
    fn translated(&self, to: &mut impl Translator) -> Option<Self> {
        let root = to.sym(self.root)?;
        Some(Self {
            root,
            steps: self
                .steps
                .iter()
                .map(|step| step.translate(|name| to.sym(name)))
                .collect::<Option<_>>()?,
        })
    }
}

impl Translated for Place {
    fn translated(&self, to: &mut impl Translator) -> Option<Self> {
        Some(Self { method: to.method(self.method)?, ..*self })
    }
}

impl Translated for Definition {
    fn translated(&self, to: &mut impl Translator) -> Option<Self> {
        Some(Self { place: to.place(self.place)?, context: to.context(self.context)?, ..*self })
    }
}

impl Translated for Use {
    fn translated(&self, to: &mut impl Translator) -> Option<Self> {
        Some(Self { place: to.place(self.place)?, context: to.context(self.context)? })
    }
}

impl Translated for Pair {
    fn translated(&self, to: &mut impl Translator) -> Option<Self> {
        Some(Self {
            variable: to.variable(self.variable)?,
            definition: to.definition(self.definition)?,
            usage: to.usage(self.usage)?,
        })
    }
}

impl Translated for DefAtExit {
    fn translated(&self, to: &mut impl Translator) -> Option<Self> {
        Some(Self {
            variable: to.variable(self.variable)?,
            method: to.method(self.method)?,
            exit: self.exit,
            definition: to.definition(self.definition)?,
        })
    }
}

impl Translated for UseAtEntry {
    fn translated(&self, to: &mut impl Translator) -> Option<Self> {
        Some(Self {
            variable: to.variable(self.variable)?,
            method: to.method(self.method)?,
            usage: to.usage(self.usage)?,
        })
    }
}

impl Translated for Witness {
    fn translated(&self, to: &mut impl Translator) -> Option<Self> {
        let fact = match self.fact {
            WitnessFact::Exit(id) => WitnessFact::Exit(to.exit(id)?),
            WitnessFact::Entry(id) => WitnessFact::Entry(to.entry(id)?),
            WitnessFact::Pair(id) => WitnessFact::Pair(to.pair(id)?),
        };
        Some(Self { fact, ..*self })
    }
}

/// The record of a test in other ids, its facts ascending; those without a translation are left out.
pub fn record(record: &TestRecord, to: &mut impl Translator) -> TestRecord {
    TestRecord {
        name: record.name.clone(),
        end: record.end,
        pairs: sorted(record.pairs.iter().filter_map(|&id| to.pair(id)).collect()),
        exits: sorted(record.exits.iter().filter_map(|&id| to.exit(id)).collect()),
        entries: sorted(record.entries.iter().filter_map(|&id| to.entry(id)).collect()),
        carved: record.carved.clone(),
        witnesses: sorted(record.witnesses.iter().filter_map(|witness| witness.translated(to)).collect()),
    }
}

/// The values ascending, each once.
pub fn sorted<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort_unstable();
    values.dedup();
    values
}
