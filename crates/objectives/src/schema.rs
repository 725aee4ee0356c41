//! The `pairs` document in words: what version 1 writes out, and what reading either version gives.
//!
//! Knows nothing of ids. Invariant: fields are declared in alphabetical order, which makes the keys of the JSON sorted. Blocks share
//! most of what reaches them, so already here they refer to variables, definitions and uses by their positions in [`BlockTables`].

use crate::findings::FindingText;
use dynaflow_model::facts::{BoundsHit, DefinitionKind, Exit, Recording, ThinnedAt};
use dynaflow_model::obstacle::Obstacle;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The value of `format`.
pub const FORMAT: &str = "dynaflow-pairs";
/// The whole document. Its definitions and uses are shared between the pairs that mention them, as objectives are a product.
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
    /// Failures that tests of an augmentation reveal; none when none ran, or an older one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<FindingText>>,
    /// Always [`FORMAT`].
    pub format: String,
    /// The iterations of an augmentation; empty when none ran.
    pub iterations: Vec<Iteration>,
    /// Call sequences that an augmentation ran and did not write, as few tests are enough; none when there were none, or none ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutText>,
    /// Tests that an augmentation did not write for what they do; none when there were none, or none ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_written: Vec<NotWrittenText>,
    /// Targets of an augmentation of which nothing came, with the reason; none when there were none, or none ran.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nothing_found: Vec<DeclinedText>,
    /// Trouble the recorder met, in words.
    pub notes: Vec<String>,
    /// What kept an augmentation from executing objectives; none when none ran, or an older one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub obstacles: Vec<ObstacleText>,
    /// Covered pairs and objectives.
    pub pairs: Vec<PairText>,
    /// What ended the augmentation; none when none ran.
    pub stopped_by: Option<StoppedBy>,
    /// Uses of what was defined before an invocation began.
    pub uses_at_entry: Vec<UseAtEntryText>,
    /// Always 1.
    pub version: u32,
}

/// A call sequence that ran and was not written, with the pairs that it executed and no test of the suite does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOutText {
    /// The names of the methods that it calls, in order.
    pub calls: Vec<String>,
    /// Binary name of the class it was for.
    pub class: String,
    /// The ids of the pairs, each named once in the document.
    pub pairs: Vec<String>,
    /// Binary name of the exception that ended it; none when it returned.
    pub throws: Option<String>,
}

/// What kept an augmentation from executing an objective.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObstacleText {
    /// Whether some test executes its two instructions together all the same: of another root, along another path or with other contexts.
    pub elsewhere: bool,
    /// The farthest that any sequence came which was made for it.
    pub obstacle: Obstacle,
    /// Its id.
    pub pair: String,
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
    /// Reads, and ends of invocations, that were left out because their like showed nothing new; documents of before have none.
    #[serde(default)]
    pub thinned: u64,
    /// Writes by other hands below no recorded frame; documents of before have none.
    #[serde(default)]
    pub unknown: u64,
}

impl BoundsText {
    /// Those of a recording.
    pub fn of(recording: &Recording) -> Self {
        let BoundsHit { depth, context, paths, memory, unknown } = recording.bounds;
        Self { context, depth, memory, paths, thinned: recording.left_out(), unknown }
    }
}

/// A line at which events were left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThinnedText {
    /// Binary name.
    pub class: String,
    /// How many.
    pub count: u64,
    /// Source line, 0 when unknown.
    pub line: u32,
    /// Simple name and descriptor.
    pub method: String,
}

impl ThinnedText {
    /// Those of a recording, in the order of classes, methods and lines.
    pub fn all(recording: &Recording) -> Vec<Self> {
        let line = |(at, count): (&ThinnedAt, &u64)| {
            let ThinnedAt { class, method, line } = at.clone();
            Self { class, count: *count, line, method }
        };
        recording.thinned.iter().map(line).collect()
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
    /// Stable for the same class bytes, see [`crate::pair_key`].
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

/// A basic block that was entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockText {
    /// Its number in its method, from 1 in bytecode order.
    pub block: u32,
    /// The class that declares the method.
    pub class: String,
    /// The line it begins on, 0 when unknown.
    pub line: u32,
    /// The method.
    pub method: String,
    /// The bytecode offset it begins at.
    pub offset: u32,
    /// Uses it was entered before, with no definition in between.
    pub reachable_uses: Vec<ReachableText>,
    /// Definitions that reached when it was entered.
    pub reaching: Vec<ReachingText>,
}

/// The definitions of one variable that reached a block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReachingText {
    /// Positions in [`BlockTables::definitions`].
    pub definitions: Vec<u32>,
    /// Position in [`BlockTables::variables`].
    pub variable: u32,
}

/// The uses of one variable that are reachable from a block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReachableText {
    /// Positions in [`BlockTables::uses`].
    pub uses: Vec<u32>,
    /// Position in [`BlockTables::variables`].
    pub variable: u32,
}

/// What blocks refer to, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockTables {
    /// Definitions.
    pub definitions: Vec<Arc<DefinitionText>>,
    /// Uses.
    pub uses: Vec<Arc<UseText>>,
    /// State variables.
    pub variables: Vec<VariableText>,
}

/// A state variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VariableText {
    /// Binary name of the root class.
    pub root: String,
    /// The steps with their declaring classes.
    pub steps: Vec<StepText>,
    /// The steps in short.
    pub variable: String,
}

impl PairsDocument {
    /// How many pairs have this status.
    pub fn count(&self, status: Status) -> usize {
        self.pairs.iter().filter(|pair| pair.status == status).count()
    }
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
