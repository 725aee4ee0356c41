//! The versions of the `pairs` document as options name them. Knows nothing of the document.
//!
//! Invariant: every version that can be written has a name.

use clap::ValueEnum;
use dynaflow_objectives::Version;

/// Versions of the `pairs` document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DocumentVersion {
    /// Every entry in full, described by docs/pairs.schema.json
    #[value(name = "1")]
    One,
    /// Tables, and entries that refer to them, one a line: described by docs/pairs.v2.schema.json
    #[default]
    #[value(name = "2")]
    Two,
}

impl From<DocumentVersion> for Version {
    fn from(version: DocumentVersion) -> Self {
        match version {
            DocumentVersion::One => Self::One,
            DocumentVersion::Two => Self::Two,
        }
    }
}
