//! From facts to objectives: the def-use pairs that could happen and never did, and the document other tools read.
//!
//! In: a `Recording`. Out: objectives as [`Pair`](dynaflow_model::facts::Pair)s, and [`PairsView`], which writes the `pairs` JSON
//! described by `docs/pairs.v2.schema.json` (version 2) and `docs/pairs.schema.json`, or text; [`read`] reads both versions, and [`recall`] makes a recording of what was read. It
//! knows nothing of files, traces or search. Invariant: objectives are defs@exit x uses@entry minus covered pairs, nothing else;
//! equal facts give equal documents, whatever their ids.

mod blocks;
mod document;
mod findings;
mod identity;
mod infer;
mod read;
mod recall;
mod schema;
mod spell;
mod tables;
mod text;
mod version1;
mod version2;
mod write;

pub use document::{Entry, PairsView};
pub use findings::{FindingKind, FindingText, FrameText};
pub use identity::{SiteKey, definition_key, pair_key, site_key, use_key};
pub use infer::infer;
pub use read::{ReadError, read};
pub use recall::{RecallError, recall};
pub use schema::{
    BlockTables, BlockText, BoundsText, ClassBuild, DeclinedText, DefAtExitText, DefinitionText, ExitText,
    FORMAT, Iteration, KindText, LeftOutText, NotWrittenText, ObstacleText, PairText, PairsDocument,
    ReachableText, ReachingText, Status, StepText, StoppedBy, UseAtEntryText, UseText, VariableText,
};
pub use spell::{CUT, place_parts, sentence, simple};
pub use text::{Figures, readable};
pub use write::Version;
