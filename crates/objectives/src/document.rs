//! The `pairs` document, version 1: what was covered and what remains, in words. Its schema is `docs/pairs.schema.json`.
//!
//! Knows nothing of ids. Invariant: fields are declared in alphabetical order, which makes the keys of the JSON sorted, and
//! lists are sorted, so that equal facts give equal bytes.

use crate::blocks::{BlockTables, BlockText, blocks};
use crate::infer::infer;
use crate::spell::Speller;
use dynaflow_model::facts::{BoundsHit, DefinitionKind, Exit, Pair, Recording, TestRecord, VariableId};
use dynaflow_model::sites::Declined;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::sync::Arc;

/// The value of `format`.
pub const FORMAT: &str = "dynaflow-pairs";
/// The value of `version`.
const VERSION: u32 = 1;

/// The whole document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairsDocument {
    /// What [`Self::blocks`] refers to; none when facts per basic block were not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_tables: Option<BlockTables>,
    /// Facts per basic block; none when they were not recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Vec<BlockText>>,
    /// What bounds cut off.
    pub bounds_hit: BoundsText,
    /// The recorded classes and their builds.
    pub classes: Vec<ClassBuild>,
    /// Classes and methods that were not recorded.
    pub declined_classes: Vec<DeclinedText>,
    /// Definitions that still reach when an invocation ends.
    pub defs_at_exit: Vec<DefAtExitText>,
    /// Always [`FORMAT`].
    pub format: String,
    /// The iterations of an augmentation; empty when none ran.
    pub iterations: Vec<Iteration>,
    /// Tests that an augmentation did not write for what they do; none when there were none, or none ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_written: Vec<NotWrittenText>,
    /// Targets of an augmentation of which nothing came, with the reason; none when there were none, or none ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nothing_found: Vec<DeclinedText>,
    /// Trouble the recorder met, in words.
    pub notes: Vec<String>,
    /// Covered pairs and objectives.
    pub pairs: Vec<PairText>,
    /// What ended the augmentation; none when none ran.
    pub stopped_by: Option<StoppedBy>,
    /// Uses of what was defined before an invocation began.
    pub uses_at_entry: Vec<UseAtEntryText>,
    /// Always 1.
    pub version: u32,
}

/// Tests that were not written for one thing that they do beyond their own objects.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotWrittenText {
    /// Binary name of the class they were for.
    pub class: String,
    /// What `--allow-effects` would have to name.
    pub effect: String,
    /// The method they call that does it; none when that is not known.
    pub method: Option<String>,
    /// How many.
    pub tests: u64,
    /// What it does, of one of them.
    pub what: String,
}

/// Counts of what bounds cut off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoundsText {
    /// Contexts cut in the middle.
    pub context: u64,
    /// State variables longer than `depth`.
    pub depth: u64,
    /// Objects whose latest writes were forgotten for the sake of `memory`.
    pub memory: u64,
    /// Objects with more paths than `paths`.
    pub paths: u64,
    /// Writes by other hands below no recorded frame; documents of before have none.
    #[serde(default)]
    pub unknown: u64,
}

impl From<BoundsHit> for BoundsText {
    fn from(hit: BoundsHit) -> Self {
        let BoundsHit { depth, context, paths, memory, unknown } = hit;
        Self { context, depth, memory, paths, unknown }
    }
}

/// A recorded class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassBuild {
    /// The first 16 bytes of the BLAKE3 hash of its class file, in hex.
    pub build: String,
    /// Binary name.
    pub class: String,
}

/// A class or method that was left as it was.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeclinedText {
    /// Binary name, followed by `#name(descriptor)` when it is one method.
    pub class: String,
    /// Why.
    pub reason: String,
}

/// One iteration of an augmentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Iteration {
    /// Pairs covered for the first time.
    pub covered_new: u64,
    /// Its number, from 1.
    pub n: u32,
    /// Objectives inferred for the first time.
    pub objectives_new: u64,
    /// Tests added to the suite.
    pub tests_added: u64,
}

/// What ended an augmentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StoppedBy {
    /// An iteration found no new objective and covered none.
    Fixpoint,
    /// The limit of iterations.
    Iterations,
    /// The time or the executions were spent.
    Budget,
    /// The user.
    Interrupted,
    /// Workers, or facts of what they ran, were lost for good: there may be more to find.
    Losses,
}

/// Whether a pair was executed or is one to execute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Executed.
    Covered,
    /// Inferred and never executed.
    Objective,
}

/// A def-use pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairText {
    /// The definition.
    pub definition: Arc<DefinitionText>,
    /// Stable for the same class bytes, see [`crate::pair_id`].
    pub id: String,
    /// The first iteration that covered the pair (0: the seed suite), or that inferred the objective.
    pub iteration: u32,
    /// Binary name of the root class.
    pub root: String,
    /// Covered or objective.
    pub status: Status,
    /// The steps of the variable with their declaring classes.
    pub steps: Vec<StepText>,
    /// The tests that execute it.
    pub tests: Vec<String>,
    /// The use.
    #[serde(rename = "use")]
    pub usage: Arc<UseText>,
    /// The steps in short: `next.[].primed`.
    pub variable: String,
}

/// One step of a state variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepText {
    /// `a.Outer.next` (declaring class and name), or `[]`.
    pub field: String,
}

/// Direct or nested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KindText {
    #[default]
    /// The last location of the variable is written.
    Direct,
    /// An earlier location is written, which replaces everything below it.
    Nested,
}

/// A definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DefinitionText {
    /// The class with the write.
    pub class: String,
    /// The frames from the root to the write, `...` where some were left out.
    pub context: Vec<String>,
    /// Direct or nested.
    pub kind: KindText,
    /// Source line, 0 when unknown.
    pub line: u32,
    /// The method with the write.
    pub method: String,
    /// Bytecode offset.
    pub offset: u32,
}

/// A use.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UseText {
    /// The class with the read.
    pub class: String,
    /// The frames from the root to the read, `...` where some were left out.
    pub context: Vec<String>,
    /// Source line, 0 when unknown.
    pub line: u32,
    /// The method with the read.
    pub method: String,
    /// Bytecode offset.
    pub offset: u32,
}

/// How an invocation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExitText {
    /// By a return.
    Normal,
    /// By an exception.
    Exception,
}

/// A defs@exit fact.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DefAtExitText {
    /// The class that declares the method.
    pub class: String,
    /// The definition.
    pub definition: Arc<DefinitionText>,
    /// How the invocation ended.
    pub exit: ExitText,
    /// The method invoked on the root.
    pub method: String,
    /// Binary name of the root class.
    pub root: String,
    /// The steps of the variable with their declaring classes.
    pub steps: Vec<StepText>,
    /// The steps in short.
    pub variable: String,
}

/// A uses@entry fact.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UseAtEntryText {
    /// The class that declares the method.
    pub class: String,
    /// The method invoked on the root.
    pub method: String,
    /// Binary name of the root class.
    pub root: String,
    /// The steps of the variable with their declaring classes.
    pub steps: Vec<StepText>,
    /// The use.
    #[serde(rename = "use")]
    pub usage: Arc<UseText>,
    /// The steps in short.
    pub variable: String,
}

impl PairsDocument {
    /// Everything known about the root classes that `roots` selects: their pairs, objectives and facts. Iterations are
    /// empty and every `iteration` is 0; an augmentation fills them in. Near-linear in what it holds.
    pub fn new(recording: &Recording, roots: impl Fn(&str) -> bool) -> Self {
        let speller = Speller::new(recording);
        let wants = |variable: VariableId| roots(speller.root(variable));
        let (blocks, block_tables) = blocks(recording, &speller, &roots).unzip();
        Self {
            block_tables,
            blocks,
            bounds_hit: recording.bounds.into(),
            classes: classes(recording),
            declined_classes: declined(recording),
            defs_at_exit: defs_at_exit(recording, &speller, wants),
            format: FORMAT.to_owned(),
            iterations: vec![],
            not_written: vec![],
            nothing_found: vec![],
            notes: sorted(recording.notes.clone()),
            pairs: pairs(recording, &speller, &roots),
            stopped_by: None,
            uses_at_entry: uses_at_entry(recording, &speller, wants),
            version: VERSION,
        }
    }

    /// Writes the document as indented JSON with a newline at its end.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, mut out: impl Write) -> std::io::Result<()> {
        serde_json::to_writer_pretty(&mut out, self)?;
        out.write_all(b"\n")?;
        out.flush()
    }

    /// How many pairs have this status.
    pub fn count(&self, status: Status) -> usize {
        self.pairs.iter().filter(|pair| pair.status == status).count()
    }
}

fn classes(recording: &Recording) -> Vec<ClassBuild> {
    let build = |(class, hash): (&String, &_)| ClassBuild { build: format!("{hash}"), class: class.clone() };
    recording.classes.iter().map(build).collect()
}

fn declined(recording: &Recording) -> Vec<DeclinedText> {
    let text = |d: &Declined| DeclinedText { class: d.class.clone(), reason: d.reason.clone() };
    sorted(recording.declined.iter().map(text).collect())
}

fn pairs(recording: &Recording, speller: &Speller<'_>, roots: impl Fn(&str) -> bool) -> Vec<PairText> {
    let mut tests = tests_by_pair(recording);
    let covered = recording.facts.pairs.iter().filter(|(_, pair)| roots(speller.root(pair.variable)));
    let mut all: Vec<PairText> = covered
        .map(|(id, pair)| {
            let tests = tests.get_mut(id.index()).map(std::mem::take).unwrap_or_default();
            pair_text(speller, pair, Status::Covered, tests)
        })
        .collect();
    all.extend(
        infer(recording, roots).iter().map(|pair| pair_text(speller, pair, Status::Objective, vec![])),
    );
    all.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
    all
}

fn sort_key(pair: &PairText) -> impl Ord {
    (&pair.root, &pair.variable, &pair.steps, &pair.definition, &pair.usage, pair.status)
}

fn pair_text(speller: &Speller<'_>, pair: &Pair, status: Status, tests: Vec<&str>) -> PairText {
    PairText {
        definition: speller.definition(pair.definition),
        id: speller.pair_id(pair),
        iteration: 0,
        root: speller.root(pair.variable).to_owned(),
        status,
        steps: speller.steps(pair.variable),
        tests: tests.into_iter().map(str::to_owned).collect(),
        usage: speller.usage(pair.usage),
        variable: speller.variable(pair.variable),
    }
}

/// For each pair, the names of the tests that execute it, sorted, each once; what happened outside tests has no name.
fn tests_by_pair(recording: &Recording) -> Vec<Vec<&str>> {
    let mut tests: Vec<&TestRecord> = recording.tests.iter().filter(|test| !test.name.is_empty()).collect();
    tests.sort_by(|a, b| a.name.cmp(&b.name));
    let mut by_pair: Vec<Vec<&str>> = vec![vec![]; recording.facts.pairs.len()];
    for test in tests {
        for id in &test.pairs {
            if let Some(names) = by_pair.get_mut(id.index())
                && names.last() != Some(&test.name.as_str())
            {
                names.push(&test.name);
            }
        }
    }
    by_pair
}

fn defs_at_exit(
    recording: &Recording,
    speller: &Speller<'_>,
    wants: impl Fn(VariableId) -> bool,
) -> Vec<DefAtExitText> {
    let facts = recording.facts.exits.iter().map(|(_, fact)| fact).filter(|fact| wants(fact.variable));
    sorted(
        facts
            .map(|fact| {
                let (class, method) = speller.method(fact.method);
                DefAtExitText {
                    class,
                    definition: speller.definition(fact.definition),
                    exit: fact.exit.into(),
                    method,
                    root: speller.root(fact.variable).to_owned(),
                    steps: speller.steps(fact.variable),
                    variable: speller.variable(fact.variable),
                }
            })
            .collect(),
    )
}

fn uses_at_entry(
    recording: &Recording,
    speller: &Speller<'_>,
    wants: impl Fn(VariableId) -> bool,
) -> Vec<UseAtEntryText> {
    let facts = recording.facts.entries.iter().map(|(_, fact)| fact).filter(|fact| wants(fact.variable));
    sorted(
        facts
            .map(|fact| {
                let (class, method) = speller.method(fact.method);
                UseAtEntryText {
                    class,
                    method,
                    root: speller.root(fact.variable).to_owned(),
                    steps: speller.steps(fact.variable),
                    usage: speller.usage(fact.usage),
                    variable: speller.variable(fact.variable),
                }
            })
            .collect(),
    )
}

impl From<Exit> for ExitText {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Normal => Self::Normal,
            Exit::Exception => Self::Exception,
        }
    }
}

impl From<DefinitionKind> for KindText {
    fn from(kind: DefinitionKind) -> Self {
        match kind {
            DefinitionKind::Direct => Self::Direct,
            DefinitionKind::Nested => Self::Nested,
        }
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list.dedup();
    list
}
