//! The one error of this crate. It knows a place and a fact, not what the caller was doing.
//!
//! Invariant: it is small and allocation free, so that reading hostile input stays cheap.

/// What is wrong with a class file, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what} (byte {offset} of the class file)")]
pub struct Error {
    /// Offset in the class file, in bytes; for code built in memory, the offset in its attribute.
    pub offset: u32,
    /// What is wrong.
    pub what: &'static str,
}

impl Error {
    /// An error at a byte offset; offsets beyond 4 GB are shown as the largest one.
    pub fn new(offset: usize, what: &'static str) -> Self {
        Self { offset: u32::try_from(offset).unwrap_or(u32::MAX), what }
    }
}
