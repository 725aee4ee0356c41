//! Writes that fail half way, and what is written after them. Knows nothing of harmed files.
//! Invariant: the failing is the operating system's, by a limit on the size of files, and the file is read to its end.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod common;

use common::{meaning, sample};
use dynaflow_model::facts::Recording;
use dynaflow_trace::{ReadState, TraceError, TraceWriter, read};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Set in the process that may change its limit: it runs one test alone, and a shell made it ignore the signal of the limit.
const LIMITED: &str = "DYNAFLOW_TEST_OF_FULL_DISK";

/// How much a file of this process may hold; none: as much as the process was given.
fn limit(size: Option<u64>) {
    let (_, hard) = getrlimit(Resource::RLIMIT_FSIZE).unwrap();
    setrlimit(Resource::RLIMIT_FSIZE, size.unwrap_or(hard), hard).unwrap();
}

#[test]
fn what_is_written_after_a_write_that_failed_half_way_is_read_without_what_that_one_said() {
    if std::env::var_os(LIMITED).is_none() {
        let name = "what_is_written_after_a_write_that_failed_half_way_is_read_without_what_that_one_said";
        let mut alone = Command::new("sh");
        alone.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]).arg(std::env::current_exe().unwrap());
        let ran = alone.args(["--exact", name]).env(LIMITED, "1").output().unwrap();
        let said = String::from_utf8_lossy(&ran.stdout);
        return assert!(ran.status.success() && said.contains("1 passed"), "{said}");
    }
    let folder = tempfile::tempdir().unwrap();
    let mut outcomes = [0, 0];
    for room in 0.. {
        let path = folder.path().join(format!("{room}.trace"));
        let failed = written_with_room(&path, room);
        outcomes[usize::from(failed)] += 1;
        if !failed {
            break;
        }
    }
    assert!(outcomes[1] > 20 && outcomes[0] == 1, "{outcomes:?}");
}

/// Writes three tests, with room for so many bytes while the second is written, and reads them; whether that one failed.
fn written_with_room(path: &Path, room: u64) -> bool {
    let recording = sample();
    let [first, second, third] = &recording.tests[..] else { panic!("three tests") };
    let mut writer = TraceWriter::create(path).unwrap();
    writer.class("a.A", common::hash(1)).unwrap();
    writer.test(&Recording::default().facts, &common::without_facts(first)).unwrap();
    let before = fs::metadata(path).unwrap().len();
    limit(Some(before + room));
    let wrote = writer.test(&recording.facts, second);
    // The same again, as the agent would try.
    let again = wrote.is_err() && room.is_multiple_of(2) && writer.test(&recording.facts, second).is_ok();
    limit(None);
    assert!(!again, "there was no room");
    match &wrote {
        Ok(()) => {}
        Err(TraceError::Io { .. }) => assert_eq!(fs::metadata(path).unwrap().len(), before, "taken back"),
        Err(other) => panic!("{other}"),
    }
    writer.test(&recording.facts, third).unwrap();
    writer.finish(recording.bounds, recording.effort).unwrap();
    let (back, state) = read(path).unwrap();
    let mut expected =
        Recording { classes: recording.classes.clone(), facts: recording.facts, ..Recording::default() };
    expected.tests.push(common::without_facts(first));
    expected.tests.extend(wrote.is_ok().then(|| second.clone()));
    expected.tests.push(third.clone());
    assert_eq!((meaning(&back), state), (meaning(&expected), ReadState::Complete), "room for {room}");
    wrote.is_err()
}
