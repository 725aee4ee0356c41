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
            let kind = u.int_in_range(0..=11_u8)?;
            bytes.extend(block(kind, payload));
        }
        let rest = u.len().min(20);
        bytes.extend(u.bytes(rest)?);
        fs::write(&path, &bytes).unwrap();
        read(&path).unwrap();
        Ok(())
    });
}

fn block(kind: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![kind];
    bytes.extend((payload.len() as u32).to_le_bytes());
    bytes.extend(payload);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
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
    let huge = [vec![1], u32::MAX.to_le_bytes().to_vec(), vec![0; 40]].concat();
    assert!(cut_of(&path, &[huge]).1.contains("more than any block"));
    assert!(cut_of(&path, &[block(99, b"")]).1.contains("unknown type 99"));
    // A note that announces 2^63 bytes of text.
    let lying = [[0xfd].as_slice(), &(1_u64 << 63).to_le_bytes()].concat();
    assert_eq!(cut_of(&path, &[block(3, b"\x02hi"), block(3, &lying)]).0, 12 + 9 + 3);
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
    assert_eq!(cut_of(&path, &[block(9, &[1, 1, 0, 0]), block(10, &lying)]).0, 12 + 9 + 4);
    let end = block(6, &[0, 0, 0, 0]);
    assert!(cut_of(&path, &[end.clone(), end]).1.contains("follow the end marker"));
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
    fs::write(&path, [MAGIC.as_slice(), &9_u32.to_le_bytes()].concat()).unwrap();
    assert!(
        read(&path)
            .unwrap_err()
            .to_string()
            .contains(&format!("trace format 9, but this build of dynaflow reads format {VERSION}"))
    );
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
