//! From facts to objectives: the def-use pairs that could happen and never did, and the document other tools read.
//!
//! In: a `Recording`. Out: objectives as [`Pair`](dynaflow_model::facts::Pair)s, and [`PairsDocument`], the `pairs` JSON
//! described by `docs/pairs.schema.json`. It knows nothing of files, traces or search. Invariant: objectives are
//! defs@exit x uses@entry minus covered pairs, nothing else; equal facts give equal documents, whatever their ids.

mod blocks;
mod document;
mod infer;
mod spell;

pub use blocks::{BlockTables, BlockText, ReachableText, ReachingText, VariableText};
pub use document::{
    BoundsText, ClassBuild, DeclinedText, DefAtExitText, DefinitionText, ExitText, FORMAT, Iteration,
    KindText, NotWrittenText, PairText, PairsDocument, Status, StepText, StoppedBy, UseAtEntryText, UseText,
};
pub use infer::infer;
pub use spell::pair_id;
