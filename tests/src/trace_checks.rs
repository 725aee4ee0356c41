//! What must hold of the trace reader for any bytes at all. It knows the framing of blocks, not what is in them.
//!
//! Bytes that begin like a trace are taken for one. All others are taken for the blocks of a trace without their compression, or
//! hardly a change would get past that: type, length in four bytes (little endian), payload, and so on.
//!
//! Invariant: nothing is assumed of the input; what was read can be written, and says the same when it is read again.

use dynaflow_trace::{MAGIC, ReadState, TraceReader, VERSION, merge, read, write};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use zlib_rs::{Inflate, InflateFlush};

/// Bytes before the first block: magic and version.
const HEADER: usize = 12;
/// Bytes of a block behind its payload.
const CHECKSUM: usize = 4;
/// Bytes before the payload of a block without compression: type and length.
const PLAIN_HEAD: usize = 5;
/// The bit of a block's type that says that the deflate stream begins anew.
const ANEW: u8 = 0x80;
/// More than any block of the traces that are changed here holds.
const LARGEST: usize = 1 << 20;

/// Reads a trace as it is and with version and every checksum put right, so that changes reach what the blocks hold; or
/// reads the trace of blocks without compression. `scratch` is a folder for the files this takes.
pub fn reader(bytes: &[u8], scratch: &Path) {
    if !bytes.starts_with(&MAGIC) {
        return whole(&packed(bytes), scratch);
    }
    let mended = mended(bytes);
    if mended != bytes {
        let path = scratch.join("read.trace");
        fresh(&path, bytes);
        let _ = read(&path);
    }
    whole(&mended, scratch);
}

fn whole(bytes: &[u8], scratch: &Path) {
    let path = scratch.join("read.trace");
    fresh(&path, bytes);
    let whole = read(&path);
    following(bytes, &path, &scratch.join("growing.trace"));
    let Ok((mut recording, state)) = whole else { return };
    if let ReadState::CutAt(cut) = &state {
        assert!(cut.offset <= bytes.len() as u64 && !cut.reason.is_empty());
    }
    let (first, second) = (scratch.join("first.trace"), scratch.join("second.trace"));
    for path in [&first, &second] {
        fs::remove_file(path).ok();
    }
    write(&first, &recording).unwrap();
    let (again, state) = read(&first).unwrap();
    assert_eq!(state, ReadState::Complete, "what was written is read to its end");
    assert_eq!(recording.classes, again.classes);
    write(&second, &again).unwrap();
    assert!(fs::read(&first).unwrap() == fs::read(&second).unwrap(), "writing and reading is a fixpoint");
    let facts = recording.facts.pairs.len();
    merge(&mut recording, &again).unwrap();
    assert_eq!(recording.facts.pairs.len(), facts, "what a trace says already adds nothing to it");
    assert_eq!(recording.coverage, again.coverage);
}

/// Writes a file anew. Some file systems wait for the disk when a file is overwritten, so that the old one goes first.
fn fresh(path: &Path, bytes: &[u8]) {
    fs::remove_file(path).ok();
    fs::write(path, bytes).unwrap();
}

/// A reader that follows a growing file hears what one that comes when it is done hears.
fn following(bytes: &[u8], path: &Path, growing: &Path) {
    let whole = TraceReader::open(path).and_then(|mut reader| reader.poll());
    let cut = bytes.len().min(HEADER + bytes.len().saturating_sub(HEADER) * 2 / 3);
    fresh(growing, &bytes[..cut]);
    let mut reader = TraceReader::open(growing).unwrap();
    let first = reader.poll();
    // Appended, not written anew: the reader holds the file open.
    OpenOptions::new().append(true).open(growing).unwrap().write_all(&bytes[cut..]).unwrap();
    let parts = first.and_then(|mut heard| {
        heard.extend(reader.poll()?);
        Ok(heard)
    });
    match (whole, parts) {
        (Ok(whole), Ok(parts)) => assert_eq!(whole, parts, "following a file gives what reading it gives"),
        (Err(_), Err(_)) => {}
        (whole, parts) => panic!("following a file: {whole:?} became {parts:?}"),
    }
}

/// The same bytes as a trace of this version, with the checksum of every block that is there in full made to match.
pub fn mended(bytes: &[u8]) -> Vec<u8> {
    let mut mended = bytes.to_vec();
    if let Some(version) = mended.get_mut(MAGIC.len()..HEADER) {
        version.copy_from_slice(&VERSION.to_le_bytes());
    }
    for (at, _, end) in blocks(bytes) {
        let checksum = crc32fast::hash(&bytes[at..end]);
        mended[end..end + CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    }
    mended
}

/// Where the blocks of a trace begin, where their pieces of the deflate stream do, and where those end.
fn blocks(bytes: &[u8]) -> Vec<(usize, usize, usize)> {
    let (mut found, mut at) = (vec![], HEADER);
    while let Some((length, size)) = bytes.get(at + 1..).and_then(length) {
        let piece = at + 1 + size;
        let end = piece + length;
        if end + CHECKSUM > bytes.len() {
            break;
        }
        found.push((at, piece, end));
        at = end + CHECKSUM;
    }
    found
}

/// The length that these bytes begin with, and in how many of them it stands.
fn length(bytes: &[u8]) -> Option<(usize, usize)> {
    let size = 1 + bytes.iter().take(4).position(|&byte| byte < 0x80)?;
    let length = bytes[..size].iter().rev().fold(0, |length, &byte| length << 7 | usize::from(byte & 0x7f));
    Some((length, size))
}

/// The blocks of a trace without compression.
///
/// # Panics
/// When the trace is harmed or one of its blocks is large.
pub fn unpacked(trace: &[u8]) -> Vec<u8> {
    let (mut plain, mut stream, mut room) = (vec![], Inflate::new(false, 15), vec![0; LARGEST]);
    for (at, piece, end) in blocks(trace) {
        let before = stream.total_out();
        let piece = [&trace[piece..end], &[0, 0, 0xff, 0xff]].concat();
        stream.decompress(&piece, &mut room, InflateFlush::SyncFlush).unwrap();
        let payload = &room[..(stream.total_out() - before) as usize];
        assert!(trace[at] & ANEW == 0 && payload.len() < LARGEST, "a stream that no write interrupted");
        plain.push(trace[at]);
        plain.extend((payload.len() as u32).to_le_bytes());
        plain.extend(payload);
    }
    plain
}

/// The trace of blocks without compression; a length that is too large stands for all that is there.
pub fn packed(plain: &[u8]) -> Vec<u8> {
    let mut trace = [MAGIC.as_slice(), &VERSION.to_le_bytes()].concat();
    let mut rest = plain;
    while let Some((&[kind, a, b, c, d], behind)) = rest.split_first_chunk::<PLAIN_HEAD>() {
        let length = (u32::from_le_bytes([a, b, c, d]) as usize).min(behind.len());
        let (payload, next) = behind.split_at(length);
        let piece = stored(payload);
        let at = trace.len();
        trace.push(kind);
        let mut length = piece.len();
        while length >= 0x80 {
            trace.push(length as u8 | 0x80);
            length >>= 7;
        }
        trace.push(length as u8);
        trace.extend(piece);
        let checksum = crc32fast::hash(&trace[at..]);
        trace.extend(checksum.to_le_bytes());
        rest = next;
    }
    trace.extend(rest);
    trace
}

/// A piece of a deflate stream that says this in so many bytes: stored blocks, and of an empty one what is not left out.
fn stored(payload: &[u8]) -> Vec<u8> {
    let part = |part: &[u8]| {
        let length = part.len() as u16;
        [[0].as_slice(), &length.to_le_bytes(), &(!length).to_le_bytes(), part].concat()
    };
    payload.chunks(0xffff).map(part).chain([vec![0]]).flatten().collect()
}
