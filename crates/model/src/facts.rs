//! The facts of SEMANTICS: what was observed, interned and generalised per class.
//!
//! Written by `dataflow`, stored by `trace`, read by `objectives`. Knows nothing of events, objects or files.
//! Invariant: tables only grow and every entry refers to entries that were interned before it, so that a table can be
//! shipped as a series of deltas and two tables can be united in one pass.

use crate::coverage::Coverage;
use crate::dense_id;
use crate::ids::DenseId;
use crate::sequence::CarvedTest;
use crate::sites::{ClassHash, Declined};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::hash::Hash;
use std::marker::PhantomData;

dense_id! {
    /// An interned string.
    Sym
}
dense_id! {
    /// An interned method.
    MethodId
}
dense_id! {
    /// An interned context.
    ContextId
}
dense_id! {
    /// An interned state variable.
    VariableId
}
dense_id! {
    /// An interned code location.
    PlaceId
}
dense_id! {
    /// An interned definition.
    DefinitionId
}
dense_id! {
    /// An interned use.
    UseId
}
dense_id! {
    /// An interned def-use pair.
    PairId
}
dense_id! {
    /// An interned defs@exit fact.
    ExitId
}
dense_id! {
    /// An interned uses@entry fact.
    EntryId
}
dense_id! {
    /// An interned basic block.
    BlockId
}
dense_id! {
    /// An interned definition that reaches a block.
    ReachingId
}
dense_id! {
    /// An interned use that is reachable from a block.
    ReachableId
}

/// A set of values with dense ids in the order of first insertion.
#[derive(Clone, Debug)]
pub struct Interner<T, I> {
    set: IndexSet<T, FxBuildHasher>,
    id: PhantomData<I>,
}

impl<T, I> Default for Interner<T, I> {
    fn default() -> Self {
        Self { set: IndexSet::default(), id: PhantomData }
    }
}

impl<T: Hash + Eq, I: DenseId> Interner<T, I> {
    /// The id of `value`, new or old. Amortised constant time.
    pub fn intern(&mut self, value: T) -> I {
        I::from_index(self.set.insert_full(value).0)
    }

    /// The id of `value` if it is in the set.
    pub fn find<Q: ?Sized + Hash + indexmap::Equivalent<T>>(&self, value: &Q) -> Option<I> {
        self.set.get_index_of(value).map(I::from_index)
    }

    /// The value an id of this interner names. Ids come from `intern`; a foreign id gives none.
    pub fn get(&self, id: I) -> Option<&T> {
        self.set.get_index(id.index())
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.set.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// All values with their ids, in id order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (I, &T)> {
        self.set.iter().enumerate().map(|(index, value)| (I::from_index(index), value))
    }

    /// The values interned since the set had `mark` entries.
    pub fn since(&self, mark: usize) -> impl Iterator<Item = &T> {
        self.set.iter().skip(mark)
    }
}

/// A method of a class: binary class name, name plus descriptor (`probe()Z`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Method {
    /// Binary name of the declaring class.
    pub class: Sym,
    /// Name and descriptor.
    pub signature: Sym,
}

/// One step of a state variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Step {
    /// A field, with the binary name of the class that declares it.
    Field {
        /// Declaring class.
        class: Sym,
        /// Simple name.
        name: Sym,
    },
    /// An array element or the contents of a container: `[]`.
    Element,
}

impl Step {
    /// The names it consists of.
    pub fn names(&self) -> impl Iterator<Item = Sym> + use<> {
        let names = match *self {
            Self::Field { class, name } => [Some(class), Some(name)],
            Self::Element => [None, None],
        };
        names.into_iter().flatten()
    }

    /// The same step in another table, where each name has the id that `id_of` gives; none when a name has none there.
    pub fn translate(&self, mut id_of: impl FnMut(Sym) -> Option<Sym>) -> Option<Self> {
        Some(match *self {
            Self::Field { class, name } => Self::Field { class: id_of(class)?, name: id_of(name)? },
            Self::Element => Self::Element,
        })
    }
}

/// A step in words. However many kinds of steps there are, this is how all of them are spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepName<'a> {
    /// Binary name of the class that declares the location; none for contents.
    pub class: Option<&'a str>,
    /// Simple name; `[]` for contents.
    pub name: &'a str,
}

/// With the declaring class: `a.Outer.next`, or `[]`.
impl Display for StepName<'_> {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.class {
            Some(class) => write!(out, "{class}.{}", self.name),
            None => out.write_str(self.name),
        }
    }
}

/// A state variable of a root class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Variable {
    /// Binary name of the root's runtime class.
    pub root: Sym,
    /// The chain of steps, at least one.
    pub steps: Box<[Step]>,
}

/// A chain of frames from the outermost frame on the root down to the access.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Context {
    /// The first frames of the chain (all of them unless `cut`).
    pub head: Box<[MethodId]>,
    /// The last frames, when the chain was cut in the middle.
    pub tail: Box<[MethodId]>,
    /// Whether frames between head and tail were left out.
    pub cut: bool,
}

/// A code location: method, bytecode offset, line (0: unknown).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The method.
    pub method: MethodId,
    /// Bytecode offset in the original class.
    pub offset: u32,
    /// Source line or 0.
    pub line: u32,
}

/// Whether the last location of the variable was written, or an earlier one that replaces everything below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DefinitionKind {
    /// The last location.
    Direct,
    /// An earlier location of the path.
    Nested,
}

/// A definition of some state variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Definition {
    /// Where the write is.
    pub place: PlaceId,
    /// Direct or nested.
    pub kind: DefinitionKind,
    /// The frames from the root to the write.
    pub context: ContextId,
}

/// A use of some state variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Use {
    /// Where the read is.
    pub place: PlaceId,
    /// The frames from the root to the read.
    pub context: ContextId,
}

/// A def-use pair of a state variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pair {
    /// The variable.
    pub variable: VariableId,
    /// The definition.
    pub definition: DefinitionId,
    /// The use.
    pub usage: UseId,
}

/// How an invocation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Exit {
    /// By a return.
    Normal,
    /// By an exception.
    Exception,
}

/// A definition that still reaches when an invocation that made it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DefAtExit {
    /// The variable.
    pub variable: VariableId,
    /// The method invoked on the root.
    pub method: MethodId,
    /// How it ended.
    pub exit: Exit,
    /// The definition.
    pub definition: DefinitionId,
}

/// A use whose reaching definition was made before the invocation began, or that has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct UseAtEntry {
    /// The variable.
    pub variable: VariableId,
    /// The method invoked on the root.
    pub method: MethodId,
    /// The use.
    pub usage: UseId,
}

/// A basic block that was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Block {
    /// Where it begins.
    pub place: PlaceId,
    /// Its number in its method, from 1 in bytecode order.
    pub number: u32,
}

/// A definition that reached when a block was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ReachingDefinition {
    /// The block.
    pub block: BlockId,
    /// A variable of the receiver.
    pub variable: VariableId,
    /// The definition.
    pub definition: DefinitionId,
}

/// A use after a block was entered, with no definition in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ReachableUse {
    /// The block.
    pub block: BlockId,
    /// A variable of the receiver.
    pub variable: VariableId,
    /// The use.
    pub usage: UseId,
}

/// All interned facts of a run or of merged runs.
#[derive(Clone, Debug, Default)]
pub struct FactTable {
    /// Strings.
    pub strings: Interner<Box<str>, Sym>,
    /// Methods.
    pub methods: Interner<Method, MethodId>,
    /// Contexts.
    pub contexts: Interner<Context, ContextId>,
    /// State variables.
    pub variables: Interner<Variable, VariableId>,
    /// Code locations.
    pub places: Interner<Place, PlaceId>,
    /// Definitions.
    pub definitions: Interner<Definition, DefinitionId>,
    /// Uses.
    pub uses: Interner<Use, UseId>,
    /// Executed pairs.
    pub pairs: Interner<Pair, PairId>,
    /// defs@exit.
    pub exits: Interner<DefAtExit, ExitId>,
    /// uses@entry.
    pub entries: Interner<UseAtEntry, EntryId>,
    /// Basic blocks that were entered, where facts per block were recorded.
    pub blocks: Interner<Block, BlockId>,
    /// Reaching definitions of blocks.
    pub reaching: Interner<ReachingDefinition, ReachingId>,
    /// Reachable uses of blocks.
    pub reachable: Interner<ReachableUse, ReachableId>,
}

impl FactTable {
    /// Interns a string.
    pub fn sym(&mut self, text: &str) -> Sym {
        match self.strings.find(text) {
            Some(sym) => sym,
            None => self.strings.intern(text.into()),
        }
    }

    /// The text of a symbol; empty for a foreign id.
    pub fn text(&self, sym: Sym) -> &str {
        self.strings.get(sym).map_or("", |text| text)
    }

    /// A step in words.
    pub fn step(&self, step: &Step) -> StepName<'_> {
        match *step {
            Step::Field { class, name } => StepName { class: Some(self.text(class)), name: self.text(name) },
            Step::Element => StepName { class: None, name: "[]" },
        }
    }
}

/// A fact that was first seen in a statement of a carved or generated sequence, on an object the sequence holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum WitnessFact {
    /// A defs@exit fact.
    Exit(ExitId),
    /// A uses@entry fact.
    Entry(EntryId),
    /// An executed pair (at its use).
    Pair(PairId),
}

/// Where in a test a fact was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Witness {
    /// The fact.
    pub fact: WitnessFact,
    /// Index of the statement during which it was seen.
    pub statement: u32,
    /// The variable (statement index) that holds the root object, when the sequence holds it.
    pub root: Option<u32>,
}

/// How a test ended, as far as the recorder sees it: whether its test method was left by an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TestEnd {
    /// By a return.
    Returned,
    /// By an exception (a failure, an error or an assumption).
    Threw,
    /// The process ended first.
    Cut,
}

/// What one test case showed: facts in ascending id order, each once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestRecord {
    /// `a.OuterTest#probeTwice`; empty for what happened outside all tests.
    pub name: String,
    /// How it ended.
    pub end: TestEnd,
    /// Pairs it executed.
    pub pairs: Vec<PairId>,
    /// defs@exit it showed.
    pub exits: Vec<ExitId>,
    /// uses@entry it showed.
    pub entries: Vec<EntryId>,
    /// The calls it made, when carving was asked for.
    pub carved: Option<CarvedTest>,
    /// Where in the carved calls the facts were seen.
    pub witnesses: Vec<Witness>,
}

/// Counts of what bounds cut off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundsHit {
    /// Paths longer than `depth`.
    pub depth: u64,
    /// Contexts cut in the middle.
    pub context: u64,
    /// Objects with more paths than `paths`.
    pub paths: u64,
    /// Objects whose latest writes were forgotten for the sake of `memory`.
    pub memory: u64,
    /// Writes by other hands (reflection, JNI and the like) below no recorded frame: nobody knows what wrote the location.
    pub unknown: u64,
}

impl std::ops::AddAssign for BoundsHit {
    fn add_assign(&mut self, other: Self) {
        self.depth += other.depth;
        self.context += other.context;
        self.paths += other.paths;
        self.memory += other.memory;
        self.unknown += other.unknown;
    }
}

/// A line at which events were left out because their like showed nothing new for long.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ThinnedAt {
    /// Binary name of the class.
    pub class: String,
    /// Simple name and descriptor of the method.
    pub method: String,
    /// Source line, 0 when unknown.
    pub line: u32,
}

/// What recording took: figures that differ from run to run and say nothing of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Effort {
    /// Words the recorder sent, of eight bytes.
    pub words: u64,
    /// How often the program waited until the analysis had room for more.
    pub waits: u64,
    /// How long it did, in milliseconds.
    pub waited: u64,
    /// How long tests that ended waited until their records were written, in milliseconds.
    pub settled: u64,
}

impl std::ops::AddAssign for Effort {
    fn add_assign(&mut self, other: Self) {
        self.words += other.words;
        self.waits += other.waits;
        self.waited += other.waited;
        self.settled += other.settled;
    }
}

/// Everything known of one or more runs: the unit that is merged, exported and searched for objectives.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// The interned facts.
    pub facts: FactTable,
    /// The tests in the order they were recorded.
    pub tests: Vec<TestRecord>,
    /// The build of every recorded class, by binary name.
    pub classes: BTreeMap<String, ClassHash>,
    /// Classes and methods left as they were.
    pub declined: Vec<Declined>,
    /// What bounds cut off.
    pub bounds: BoundsHit,
    /// How many accesses, and ends of invocations, were left out where.
    pub thinned: BTreeMap<ThinnedAt, u64>,
    /// What recording took.
    pub effort: Effort,
    /// Trouble the recorder met, in words.
    pub notes: Vec<String>,
    /// Which static associations were covered, where that was recorded.
    pub coverage: Coverage,
}

impl Recording {
    /// How many accesses, and ends of invocations, were left out in all; the most a number holds when a trace claims more.
    pub fn left_out(&self) -> u64 {
        self.thinned.values().fold(0, |sum: u64, count| sum.saturating_add(*count))
    }

    /// Whether it holds coverage of static associations and nothing else.
    pub fn is_coverage_alone(&self) -> bool {
        !self.coverage.runs.is_empty() && self.tests.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> (FactTable, Step) {
        let mut table = FactTable::default();
        let step = Step::Field { class: table.sym("a.Outer"), name: table.sym("next") };
        (table, step)
    }

    #[test]
    fn a_field_is_spelled_with_its_class_and_contents_as_brackets() {
        let (table, field) = table();
        let names =
            [field, Step::Element].map(|step| (table.step(&step).name, table.step(&step).to_string()));
        assert_eq!(names, [("next", "a.Outer.next".to_owned()), ("[]", "[]".to_owned())]);
        assert_eq!([field, Step::Element].map(|step| table.step(&step).class), [Some("a.Outer"), None]);
    }

    #[test]
    fn a_step_is_spelled_alike_in_the_table_it_is_translated_to() {
        let (from, field) = table();
        let mut into = FactTable::default();
        into.sym("something else");
        for step in [field, Step::Element] {
            let there = step.translate(|name| Some(into.sym(from.text(name)))).unwrap();
            assert_eq!(into.step(&there), from.step(&step));
            assert_eq!(there.names().count(), step.names().count());
        }
        assert_ne!(
            field.translate(|name| into.strings.find(from.text(name))),
            Some(field),
            "the ids are others there"
        );
        assert_eq!(field.translate(|name| FactTable::default().strings.find(from.text(name))), None);
        assert_eq!((field.names().count(), Step::Element.names().count()), (2, 0));
    }
}
