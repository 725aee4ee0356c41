//! The framing: magic, version, checked blocks. Knows nothing of what is in a block.
//!
//! Invariant: a change of any one byte of a block is noticed (CRC-32 finds every error burst of up to 32 bits), and no
//! length is believed before it is held against what the file has.

use std::io::Read;

/// The extension of trace files, by which they are found in folders.
pub const EXTENSION: &str = "trace";
/// The first eight bytes of a trace.
pub const MAGIC: [u8; 8] = *b"DYNAFLOW";
/// The version of the format, written after the magic as four bytes, little endian.
pub const VERSION: u32 = 8;
/// Bytes before the first block.
pub const HEADER: u64 = 12;
/// The largest payload of a block, in bytes, as it is and deflated.
pub const MAX_BLOCK: u32 = 1 << 26;
/// The bit of the type that says that the deflate stream begins anew with this block.
const ANEW: u8 = 0x80;
/// Type and length at their longest: seven bits of the length a byte.
const LONGEST_HEAD: usize = 1 + 4;
/// Bytes of the checksum.
const CHECKSUM: u64 = 4;

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
    /// Where how many events were left out: `Vec<(ThinnedAt, u64)>`.
    Thinned = 11,
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
            Self::Thinned,
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

/// A block as it stands in the file.
#[derive(Debug)]
pub struct Block {
    /// What it holds.
    pub kind: BlockKind,
    /// Whether the deflate stream begins anew with it.
    pub anew: bool,
    /// Its payload, deflated.
    pub deflated: Vec<u8>,
    /// All bytes it takes in the file.
    pub size: u64,
}

/// Appends one block. The caller keeps the payload within [`MAX_BLOCK`]; a longer one is given back as its length.
pub fn push_block(out: &mut Vec<u8>, kind: BlockKind, anew: bool, deflated: &[u8]) -> Result<(), usize> {
    let mut length = u32::try_from(deflated.len()).ok().filter(|&n| n <= MAX_BLOCK).ok_or(deflated.len())?;
    let start = out.len();
    out.push(kind as u8 | if anew { ANEW } else { 0 });
    while length >= 0x80 {
        out.push(length as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
    out.extend_from_slice(deflated);
    let checksum = crc32fast::hash(out.get(start..).unwrap_or_default());
    out.extend_from_slice(&checksum.to_le_bytes());
    Ok(())
}

/// What is found where a block may begin.
#[derive(Debug)]
pub enum Found {
    /// A whole block.
    Block(Block),
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
    let Some((head, length)) = read_head(input, available)? else { return Ok(Found::Incomplete) };
    if head.len() > LONGEST_HEAD || length > u64::from(MAX_BLOCK) {
        return Ok(Found::Harmed(format!("a block of {length} bytes is announced, more than any block has")));
    }
    let size = head.len() as u64 + length + CHECKSUM;
    if available < size {
        return Ok(Found::Incomplete);
    }
    let mut deflated = vec![0; length as usize];
    input.read_exact(&mut deflated)?;
    let mut checksum = [0; CHECKSUM as usize];
    input.read_exact(&mut checksum)?;
    Ok(check(&head, deflated, u32::from_le_bytes(checksum), size))
}

/// Type and length of a block, and what the length says; none when they are not all there.
fn read_head(input: &mut impl Read, available: u64) -> std::io::Result<Option<(Vec<u8>, u64)>> {
    let (mut head, mut length) = (Vec::with_capacity(LONGEST_HEAD + 1), 0);
    while (head.len() as u64) < available {
        let mut byte = [0];
        input.read_exact(&mut byte)?;
        let [byte] = byte;
        if !head.is_empty() {
            length |= u64::from(byte & 0x7f) << (7 * (head.len() - 1));
        }
        head.push(byte);
        if head.len() > LONGEST_HEAD || (head.len() > 1 && byte & 0x80 == 0) {
            return Ok(Some((head, length)));
        }
    }
    Ok(None)
}

fn check(head: &[u8], deflated: Vec<u8>, expected: u32, size: u64) -> Found {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(head);
    hasher.update(&deflated);
    if hasher.finalize() != expected {
        return Found::Harmed("the checksum of a block does not match".to_owned());
    }
    let kind = head.first().copied().unwrap_or_default();
    let anew = kind & ANEW != 0;
    match BlockKind::from_byte(kind & !ANEW) {
        Some(kind) => Found::Block(Block { kind, anew, deflated, size }),
        None => Found::Harmed(format!("a block of unknown type {kind}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_every_length_of_length_come_back_and_are_incomplete_until_their_last_byte_is_there() {
        for length in [0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152, MAX_BLOCK as usize] {
            let (payload, mut bytes) = (vec![7; length], vec![]);
            push_block(&mut bytes, BlockKind::Covered, true, &payload).unwrap();
            let size = bytes.len() as u64;
            for available in [0, 1, 2, 3, size / 2, size - 1] {
                assert!(matches!(read_block(&mut bytes.as_slice(), available).unwrap(), Found::Incomplete));
            }
            let found = read_block(&mut bytes.as_slice(), size + 5).unwrap();
            let Found::Block(block) = found else { panic!("{length}: {found:?}") };
            assert_eq!((block.kind, block.anew, block.size), (BlockKind::Covered, true, size));
            assert!(block.deflated == payload);
        }
        let too_long = vec![7; MAX_BLOCK as usize + 1];
        assert_eq!(push_block(&mut vec![], BlockKind::Note, false, &too_long), Err(too_long.len()));
    }
}
