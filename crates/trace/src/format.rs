//! The framing: magic, version, checked blocks. Knows nothing of what is in a block.
//!
//! Invariant: a change of any one byte of a block is noticed (CRC-32 finds every error burst of up to 32 bits), and no
//! length is believed before it is held against what the file has.

use std::io::Read;

/// The first eight bytes of a trace.
pub const MAGIC: [u8; 8] = *b"DYNAFLOW";
/// The version of the format, written after the magic as four bytes, little endian.
pub const VERSION: u32 = 4;
/// Bytes before the first block.
pub const HEADER: u64 = 12;
/// The largest payload of a block, in bytes.
pub const MAX_BLOCK: u32 = 1 << 26;
/// Bytes of a block besides its payload: type, length, checksum.
pub const FRAME: u64 = 9;

/// What a block holds; the numbers are the bytes on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum BlockKind {
    /// Name and build of a class: `(String, ClassHash)`.
    Class = 1,
    /// A class or method left as it was: `Declined`.
    Declined = 2,
    /// Trouble in words: `String`.
    Note = 3,
    /// New entries of the fact tables: `Delta`.
    Dictionary = 4,
    /// A `TestRecord` that refers to the tables so far.
    Test = 5,
    /// The process ended in order: `BoundsHit`. The last block.
    End = 6,
    /// What recording took: `Effort`.
    Effort = 7,
    /// New entries of the tables of facts per basic block: `BlockDelta`.
    BlockFacts = 8,
    /// What a run records that records coverage: `CoverageRun`.
    Coverage = 9,
    /// Associations that were covered: `Vec<u64>`, ids.
    Covered = 10,
}

impl BlockKind {
    /// The kind a byte on disk stands for.
    pub fn from_byte(byte: u8) -> Option<Self> {
        let all = [
            Self::Class,
            Self::Declined,
            Self::Note,
            Self::Dictionary,
            Self::Test,
            Self::End,
            Self::Effort,
            Self::BlockFacts,
            Self::Coverage,
            Self::Covered,
        ];
        all.into_iter().find(|kind| *kind as u8 == byte)
    }
}

/// The bytes before the first block.
pub fn header() -> [u8; HEADER as usize] {
    let mut bytes = [0; HEADER as usize];
    let (magic, version) = bytes.split_at_mut(MAGIC.len());
    magic.copy_from_slice(&MAGIC);
    version.copy_from_slice(&VERSION.to_le_bytes());
    bytes
}

/// Appends one block. The caller keeps the payload within [`MAX_BLOCK`]; a longer one is given back as its length.
pub fn push_block(out: &mut Vec<u8>, kind: BlockKind, payload: &[u8]) -> Result<(), usize> {
    let length = u32::try_from(payload.len()).ok().filter(|&n| n <= MAX_BLOCK).ok_or(payload.len())?;
    let start = out.len();
    out.push(kind as u8);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(payload);
    let checksum = crc32fast::hash(out.get(start..).unwrap_or_default());
    out.extend_from_slice(&checksum.to_le_bytes());
    Ok(())
}

/// What is found where a block may begin.
#[derive(Debug)]
pub enum Found {
    /// A whole block.
    Block(BlockKind, Vec<u8>),
    /// The file has not yet, or never will have, all of it.
    Incomplete,
    /// Bytes that are no block; why not.
    Harmed(String),
}

/// Reads the block that begins here, when the file has `available` more bytes.
///
/// # Errors
/// Those of the reader.
pub fn read_block(input: &mut impl Read, available: u64) -> std::io::Result<Found> {
    if available < FRAME {
        return Ok(Found::Incomplete);
    }
    let mut head = [0; 5];
    input.read_exact(&mut head)?;
    let [kind, length @ ..] = head;
    let length = u32::from_le_bytes(length);
    if length > MAX_BLOCK {
        return Ok(Found::Harmed(format!("a block of {length} bytes is announced, more than any block has")));
    }
    if available < FRAME + u64::from(length) {
        return Ok(Found::Incomplete);
    }
    let mut payload = vec![0; length as usize];
    input.read_exact(&mut payload)?;
    let mut checksum = [0; 4];
    input.read_exact(&mut checksum)?;
    Ok(check(kind, &head, payload, u32::from_le_bytes(checksum)))
}

fn check(kind: u8, head: &[u8], payload: Vec<u8>, expected: u32) -> Found {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(head);
    hasher.update(&payload);
    if hasher.finalize() != expected {
        return Found::Harmed("the checksum of a block does not match".to_owned());
    }
    match BlockKind::from_byte(kind) {
        Some(kind) => Found::Block(kind, payload),
        None => Found::Harmed(format!("a block of unknown type {kind}")),
    }
}
