//! What must hold of the trace reader for any bytes at all. It knows the framing of blocks, not what is in them.
//!
//! Invariant: nothing is assumed of the input; what was read can be written, and says the same when it is read again.

use dynaflow_trace::{MAGIC, ReadState, TraceReader, VERSION, merge, read, write};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;

/// Bytes before the first block: magic and version.
const HEADER: usize = 12;
/// Bytes of a block before its payload: type and length.
const HEAD: usize = 5;
/// Bytes of a block behind its payload.
const CHECKSUM: usize = 4;

/// Reads the bytes as they are and with version and every checksum put right, so that changes reach what the blocks hold.
/// `scratch` is a folder for the files this takes.
pub fn reader(bytes: &[u8], scratch: &Path) {
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
    let mut at = HEADER;
    while let Some(length) = bytes.get(at + 1..at + HEAD) {
        let length = u32::from_le_bytes(length.try_into().unwrap()) as usize;
        let end = at + HEAD + length;
        if end + CHECKSUM > bytes.len() {
            break;
        }
        let checksum = crc32fast::hash(&bytes[at..end]);
        mended[end..end + CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
        at = end + CHECKSUM;
    }
    mended
}
