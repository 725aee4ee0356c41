//! Files that were cut, harmed or made by an enemy. Knows nothing of merging.
//! Invariant: whatever the bytes, reading ends with a true prefix or a typed error; it never panics.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod common;

use common::{meaning, sample};
use dynaflow_model::facts::Recording;
use dynaflow_trace::{MAGIC, ReadState, TraceError, TraceReader, VERSION, read, write};
use std::fs;
use std::path::{Path, PathBuf};
use zlib_rs::{Deflate, DeflateFlush};

/// The bit of a block's type that says that the deflate stream begins anew.
const ANEW: u8 = 0x80;

fn written(folder: &Path) -> (PathBuf, Vec<u8>) {
    let path = folder.join("t.trace");
    write(&path, &sample()).unwrap();
    let bytes = fs::read(&path).unwrap();
    (path, bytes)
}

/// Whether every block of the first recording, in order, is one of the second.
fn is_prefix(part: &Recording, whole: &Recording) -> bool {
    whole.tests.starts_with(&part.tests)
        && whole.notes.starts_with(&part.notes)
        && whole.declined.starts_with(&part.declined)
        && part.classes.iter().all(|(name, hash)| whole.classes.get(name) == Some(hash))
        && part.coverage.runs.is_subset(&whole.coverage.runs)
        && part.coverage.covered.is_subset(&whole.coverage.covered)
        && part.facts.pairs.iter().all(|(id, pair)| whole.facts.pairs.get(id) == Some(pair))
        && part.facts.strings.iter().all(|(id, text)| whole.facts.strings.get(id) == Some(text))
}

#[test]
fn a_file_cut_at_any_byte_gives_the_complete_blocks_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bytes) = written(folder.path());
    let (whole, _) = read(&path).unwrap();
    let mut tests_seen = 0;
    for length in 0..bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        let (part, state) = read(&path).unwrap();
        let ReadState::CutAt(cut) = state else { panic!("{length} bytes are said to be complete") };
        assert!(cut.offset <= length as u64 && is_prefix(&part, &whole), "at {length}");
        assert!(part.tests.len() >= tests_seen, "a longer file gave less at {length}");
        tests_seen = part.tests.len();
    }
    assert_eq!(tests_seen, whole.tests.len());
}

#[test]
fn a_changed_byte_anywhere_is_noticed_and_what_was_before_it_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bytes) = written(folder.path());
    let (whole, _) = read(&path).unwrap();
    for position in 0..bytes.len() {
        for mask in [0x01, 0x80, 0xff] {
            let mut harmed = bytes.clone();
            harmed[position] ^= mask;
            fs::write(&path, &harmed).unwrap();
            match read(&path) {
                Err(TraceError::NotATrace { .. }) => assert!(position < 8),
                Err(TraceError::Version { .. }) => assert!((8..12).contains(&position)),
                Err(other) => panic!("at {position}: {other}"),
                Ok((_, ReadState::Complete)) => panic!("a change at {position} went unnoticed"),
                Ok((part, ReadState::CutAt(cut))) => {
                    assert!(cut.offset <= position as u64, "bytes after {position} were used");
                    assert!(is_prefix(&part, &whole));
                }
            }
        }
    }
}

#[test]
fn arbitrary_bytes_after_the_header_never_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.trace");
    arbtest::arbtest(|u| {
        let mut bytes = [MAGIC.as_slice(), &VERSION.to_le_bytes()].concat();
        for _ in 0..u.int_in_range(0..=3)? {
            // Valid frames around arbitrary payloads reach the decoder.
            let length = u.arbitrary_len::<u8>()?.min(200);
            let payload = u.bytes(length)?;
            let kind = u.int_in_range(0..=11_u8)? | if u.arbitrary()? { ANEW } else { 0 };
            bytes.extend(if u.arbitrary()? { block(kind, payload) } else { framed(kind, payload) });
        }
        let rest = u.len().min(20);
        bytes.extend(u.bytes(rest)?);
        fs::write(&path, &bytes).unwrap();
        read(&path).unwrap();
        Ok(())
    });
}

/// A block around a payload that is not compressed: a stored block of deflate, and what an empty one leaves of itself.
fn block(kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut piece = vec![];
    for part in payload.chunks(0xffff) {
        let length = part.len() as u16;
        piece.extend([[0].as_slice(), &length.to_le_bytes(), &(!length).to_le_bytes(), part].concat());
    }
    piece.push(0);
    framed(kind, &piece)
}

/// A block around a piece of the deflate stream.
fn framed(kind: u8, piece: &[u8]) -> Vec<u8> {
    let mut bytes = vec![kind];
    let mut length = piece.len();
    while length > 0x7f {
        bytes.push(length as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend(piece);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Payloads as the pieces of one deflate stream, compressed as far as it goes.
fn deflated(payloads: &[&[u8]]) -> Vec<Vec<u8>> {
    let mut stream = Deflate::new(9, false, 15);
    let piece = |payload: &&[u8]| {
        let before = stream.total_out();
        let mut bytes = vec![0; payload.len() + 1000];
        stream.compress(payload, &mut bytes, DeflateFlush::SyncFlush).unwrap();
        bytes.truncate((stream.total_out() - before) as usize);
        bytes.strip_suffix(&[0, 0, 0xff, 0xff]).unwrap().to_vec()
    };
    payloads.iter().map(piece).collect()
}

fn cut_of(path: &Path, blocks: &[Vec<u8>]) -> (u64, String) {
    let header = [MAGIC.as_slice(), &VERSION.to_le_bytes()].concat();
    fs::write(path, [header, blocks.concat()].concat()).unwrap();
    match read(path).unwrap().1 {
        ReadState::CutAt(cut) => (cut.offset, cut.reason),
        ReadState::Complete => panic!("complete"),
    }
}

#[test]
fn a_lying_length_an_unknown_type_and_a_dangling_reference_end_the_reading_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.trace");
    // One byte more than the largest block has, and a length that does not end.
    for length in [[0x81, 0x80, 0x80, 0x20].as_slice(), &[0x80; 9]] {
        let huge = [[1].as_slice(), length, &[0; 40]].concat();
        assert!(cut_of(&path, &[huge]).1.contains("more than any block"));
    }
    assert!(cut_of(&path, &[block(99, b"")]).1.contains("unknown type 99"));
    // A note that announces 2^63 bytes of text.
    let lying = [[0xfd].as_slice(), &(1_u64 << 63).to_le_bytes()].concat();
    let note = block(3, b"\x02hi");
    assert_eq!(cut_of(&path, &[note.clone(), block(3, &lying)]).0, 12 + note.len() as u64);
    // A dictionary with one method (class 0, signature 0) and no string.
    let dangling = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    assert!(cut_of(&path, &[block(4, &dangling)]).1.contains("table methods"));
    // The same string twice.
    let twice = [2, 1, b'a', 1, b'a', 0, 0, 0, 0, 0, 0, 0, 0, 0];
    assert!(cut_of(&path, &[block(4, &twice)]).1.contains("table strings"));
    // A test that names pair 0 of an empty table.
    let test = [1, b't', 0, 1, 0, 0, 0, 0, 0];
    assert!(cut_of(&path, &[block(5, &test)]).1.contains("not there"));
    // A basic block at place 0, and a definition that reaches block 0, of empty tables.
    assert!(cut_of(&path, &[block(8, &[1, 0, 1, 0, 0])]).1.contains("table blocks"));
    assert!(cut_of(&path, &[block(8, &[0, 1, 0, 0, 0, 0])]).1.contains("table reaching definitions"));
    assert!(cut_of(&path, &[block(8, &[0, 0, 1, 0, 0, 0])]).1.contains("table reachable uses"));
    // Arrays that count as nothing there is, and more covered associations than there are bytes.
    assert!(cut_of(&path, &[block(9, &[2, 0, 0, 0])]).1.contains("variant"));
    let coverage = block(9, &[1, 1, 0, 0]);
    assert_eq!(cut_of(&path, &[coverage.clone(), block(10, &lying)]).0, 12 + coverage.len() as u64);
    let end = block(6, &[0, 0, 0, 0, 0]);
    assert!(cut_of(&path, &[end.clone(), end]).1.contains("follow the end marker"));
}

#[test]
fn ids_are_differences_and_those_that_lead_nowhere_end_the_reading() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.trace");
    let header = [MAGIC.as_slice(), &VERSION.to_le_bytes()].concat();
    // Strings a, b, c; methods a b, then one more of each: b c; after them, of the next block, one less of each: a b again.
    let three = block(4, &[3, 1, b'a', 1, b'b', 1, b'c', 2, 0, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0]);
    fs::write(&path, [header, three.clone()].concat()).unwrap();
    let (recording, _) = read(&path).unwrap();
    let methods =
        recording.facts.methods.iter().map(|(_, m)| [m.class, m.signature].map(|s| recording.facts.text(s)));
    assert_eq!(methods.collect::<Vec<_>>(), [["a", "b"], ["b", "c"]]);
    for back in [[1, 1], [4, 0], [3, 0], [0, 5]] {
        let next = block(4, &[0, 1, back[0], back[1], 0, 0, 0, 0, 0, 0, 0, 0]);
        let (at, reason) = cut_of(&path, &[three.clone(), next]);
        // The first repeats a method, the others name strings that are not there: 3, and those before the first.
        assert!(at == 12 + three.len() as u64 && reason.contains("table methods"), "{back:?}: {reason}");
    }
}

#[test]
fn few_bytes_that_inflate_to_many_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.trace");
    let text = vec![b'x'; 1 << 20];
    let note = [[0xfc].as_slice(), &(1_u32 << 20).to_le_bytes(), &text].concat();
    let piece = deflated(&[&note]).remove(0);
    assert!(piece.len() < 1 << 11, "{} bytes", piece.len());
    let (at, reason) = cut_of(&path, &[framed(3, &piece)]);
    assert!(at == 12 && reason.contains("inflates to more than"), "{reason}");
}

#[test]
fn what_shrinks_to_next_to_nothing_is_written_so_that_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.trace");
    for length in [1_000, 10_000, 1 << 20, 1 << 23] {
        let recording = Recording { notes: vec!["x".repeat(length)], ..Recording::default() };
        write(&path, &recording).unwrap();
        let (back, state) = read(&path).unwrap();
        assert_eq!((back.notes, state), (recording.notes, ReadState::Complete));
        assert!(fs::metadata(&path).unwrap().len() < length as u64 / 100 + 100);
    }
}

#[test]
fn a_block_repeats_what_earlier_ones_said_unless_the_stream_begins_anew_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.trace");
    let payload = b"\x2bwhat is said twice takes no bytes any more.";
    let pieces = deflated(&[payload, payload]);
    assert!(pieces[1].len() < 10);
    let first = framed(3, &pieces[0]);
    fs::write(&path, [MAGIC.as_slice(), &VERSION.to_le_bytes(), &first, &framed(3, &pieces[1])].concat())
        .unwrap();
    let notes = read(&path).unwrap().0.notes;
    assert!(notes.len() == 2 && notes[0] == notes[1]);
    let (at, reason) = cut_of(&path, &[first.clone(), framed(3 | ANEW, &pieces[1])]);
    assert!(at == 12 + first.len() as u64 && reason.contains("cannot be inflated"), "{reason}");
    // What stands for itself may begin the stream anew anywhere; a missing block before one that does not is noticed.
    fs::write(
        &path,
        [MAGIC.as_slice(), &VERSION.to_le_bytes(), &first, &framed(3 | ANEW, &pieces[0])].concat(),
    )
    .unwrap();
    assert_eq!(read(&path).unwrap().0.notes.len(), 2);
    assert!(cut_of(&path, &[framed(3, &pieces[1])]).1.contains("cannot be inflated"));
}

#[test]
fn a_piece_that_ends_the_stream_or_is_none_ends_the_reading() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.trace");
    // The last block of a stream, stored; a type of block that deflate does not have; a stored block that is cut.
    let last = [1, 3, 0, 0xfc, 0xff, 2, b'h', b'i'];
    assert!(cut_of(&path, &[framed(3, &last)]).1.contains("ends within a block"));
    assert!(cut_of(&path, &[framed(3, &[6])]).1.contains("cannot be inflated"));
    assert_eq!(cut_of(&path, &[framed(3, &[0, 9, 0, 0xf6, 0xff, 2, b'h', b'i'])]).0, 12);
    assert_eq!(cut_of(&path, &[framed(3, &[])]).0, 12);
}

#[test]
fn a_boxed_value_in_a_boxed_value_in_a_boxed_value_does_not_exhaust_the_stack() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.trace");
    // Name "t", returned, no facts, carved: one ArrayStore whose value is boxed a million times.
    let boxed = [vec![1, b't', 0, 0, 0, 0, 1, 1, 5, 1, 0, 0, 0], vec![12; 1_000_000]].concat();
    assert_eq!(cut_of(&path, &[block(5, &boxed)]).0, 12);
}

#[test]
fn other_files_and_other_versions_are_errors_that_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.trace");
    fs::write(&path, b"PK\x03\x04 a jar of classes").unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("t.trace") && error.contains("no dynaflow trace"), "{error}");
    for version in [1, VERSION - 1, VERSION + 1, 9] {
        fs::write(&path, [MAGIC.as_slice(), &version.to_le_bytes()].concat()).unwrap();
        let error = read(&path).unwrap_err().to_string();
        let says = format!(
            "trace format {version}, but this build of dynaflow reads format {VERSION}; record again"
        );
        assert!(error.contains("t.trace") && error.contains(&says), "{error}");
    }
    let missing = TraceReader::open(&folder.path().join("none.trace")).unwrap_err().to_string();
    assert!(missing.contains("none.trace: cannot open"), "{missing}");
}

#[test]
fn the_part_of_a_cut_file_has_the_same_meaning_when_it_is_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bytes) = written(folder.path());
    fs::write(&path, &bytes[..bytes.len() * 2 / 3]).unwrap();
    let (part, _) = read(&path).unwrap();
    let again = folder.path().join("again.trace");
    write(&again, &part).unwrap();
    let (back, state) = read(&again).unwrap();
    assert_eq!((meaning(&back), state), (meaning(&part), ReadState::Complete));
}
