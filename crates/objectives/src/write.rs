//! Which form of JSON a document is written in. Knows nothing of the forms. Invariant: a document ends with a newline.

use crate::document::PairsView;
use crate::{version1, version2};
use std::io::Write;

/// How the document is written as JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// Every entry in full: `docs/pairs.schema.json`.
    One,
    /// Tables, and entries that refer to them by position, one a line: `docs/pairs.v2.schema.json`.
    #[default]
    Two,
}

impl PairsView<'_> {
    /// Writes the document as JSON with a newline at its end.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, version: Version, mut out: impl Write) -> std::io::Result<()> {
        match version {
            Version::One => version1::write(self, &mut out)?,
            Version::Two => version2::write(self, &mut out)?,
        }
        out.flush()
    }
}
