//! A panic in every place where somebody else enters the agent or a thread of it works: the program under test does not
//! notice, the user is told on the standard error stream, and so is whoever reads the trace.
//!
//! Panics are injected by `agent/src/fault.rs`, which only builds with debug assertions do, such as the one cargo makes for
//! these tests.
#![cfg(debug_assertions)]
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside of a test function")]

mod support;

use dynaflow_agent::fault::{Point, VARIABLE};
use dynaflow_trace::ReadState;
use std::fmt::Write as _;
use support::{Bench, Ran, java_homes};

/// What the trace says of a panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trace {
    /// There is none: the agent did not get as far as making one.
    Missing,
    /// It is whole and has a note.
    Noted,
    /// It is whole and names the classes that were left as they were.
    Declined,
    /// It ends early, with a note: the analysis cannot go on.
    NotedThenCut,
    /// It may end early, without a note: waiting for it is what went wrong.
    Cut,
}

/// What becomes of the trace. A new point has no answer here until somebody gives one.
fn expected(point: Point) -> Trace {
    match point {
        Point::Load => Trace::Missing,
        Point::VmInit
        | Point::VmDeath
        | Point::LastWords
        | Point::ThreadEnd
        | Point::EarlyClass
        | Point::ClassFileLoadHook
        | Point::Flush
        | Point::FlushRuns
        | Point::Describe
        | Point::Text
        | Point::Sync
        | Point::Field
        | Point::Get
        | Point::GetInt
        | Point::HasIdentityEquals
        | Point::Stopped
        | Point::WeaverThread => Trace::Noted,
        Point::Weaving => Trace::Declined,
        Point::AnalysisThread | Point::Analysis => Trace::NotedThenCut,
        Point::LastWait => Trace::Cut,
    }
}

/// Lets the program call the recorder; JVMs from before modules need no such option and are told to overlook it.
const OPEN: [&str; 2] = ["-XX:+IgnoreUnrecognizedVMOptions", "--add-opens=java.base/java.lang=ALL-UNNAMED"];

fn arguments(point: Point) -> Vec<&'static str> {
    // The recorder's own trouble ends the recording, so that only the test of that has it.
    let trouble = (point == Point::Stopped).then_some("trouble");
    OPEN.into_iter().chain(["Faulty"]).chain(trouble).collect()
}

fn with_panic(bench: &Bench, point: Point, when: &str) -> Ran {
    let wanted = format!("{}{when}", point.name());
    bench.recorded_with("carve=true", &arguments(point), &[(VARIABLE, &wanted), ("RUST_BACKTRACE", "0")])
}

/// What of a run is not as it has to be, in words.
fn objections(ran: &Ran, plain: &Ran, point: Point) -> String {
    let mut wrong = String::new();
    if (ran.status, &ran.out) != (plain.status, &plain.out) {
        write!(wrong, "{:?} and {:?}, not {:?} and {:?}; ", ran.status, ran.out, plain.status, plain.out)
            .unwrap();
    }
    let injected = format!("injected into {}", point.name());
    // Behind whatever another thread's panic has written of its line by then.
    let told = ran.err.lines().filter(|line| line.contains("dynaflow: ") && line.contains(&injected));
    if told.count() != 1 {
        write!(wrong, "it is not told once; ").unwrap();
    }
    if expected(point) == Trace::Missing {
        if ran.has_traces() {
            wrong.push_str("there is a trace");
        }
        return wrong;
    }
    let (recording, state) = ran.cut_recording();
    let noted = recording.notes.iter().any(|note| note.contains(&injected));
    let declined = recording.declined.iter().any(|declined| declined.reason.contains(&injected));
    let found = match (noted, declined, state) {
        (true, _, ReadState::Complete) => Trace::Noted,
        (true, _, ReadState::CutAt(_)) => Trace::NotedThenCut,
        (false, true, ReadState::Complete) => Trace::Declined,
        (false, ..) => Trace::Cut,
    };
    if found != expected(point) {
        write!(wrong, "the trace: {found:?}, not {:?}", expected(point)).unwrap();
    }
    wrong
}

/// Runs every point on every JDK; all that is wrong is named at the end.
fn check(when: &str) {
    let mut wrong = String::new();
    for home in java_homes() {
        let bench = Bench::new(&home, &["Faulty.java"], &[]);
        let plain = bench.plain(&["Faulty"]);
        assert_eq!((plain.status, plain.out.lines().count()), (Some(3), 6), "{}", plain.err);
        for &point in Point::ALL {
            let ran = with_panic(&bench, point, when);
            let objections = objections(&ran, &plain, point);
            if !objections.is_empty() {
                writeln!(wrong, "{point:?}{when} on {}: {objections}\n{}", home.display(), ran.err).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_panic_each_time_an_entry_is_passed_changes_nothing_and_is_told() {
    check("");
}

#[test]
fn a_panic_the_first_time_an_entry_is_passed_changes_nothing_and_is_told() {
    if dynaflow_tests::slow() {
        check("@1");
    }
}

#[test]
fn without_a_panic_the_same_program_is_recorded_without_a_word() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["Faulty.java"], &[]);
        let ran = bench.recorded("carve=true", &["Faulty"]);
        let recording = ran.recording();
        assert_eq!((ran.status, ran.err.as_str()), (Some(3), ""), "{}", home.display());
        assert!(recording.notes.is_empty() && recording.declined.is_empty(), "{recording:?}");
    }
}

/// The sources of the agent, by file name.
fn sources() -> Vec<(String, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).unwrap())
        })
        .collect()
}

/// The functions that somebody else may call: their names and texts.
fn entries() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (_, text) in sources() {
        for (at, head) in text.match_indices("extern \"system\" fn ") {
            let rest = &text[at + head.len()..];
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            found.push((name, rest[..rest.find("\n}\n").unwrap()].to_owned()));
        }
    }
    found
}

#[test]
fn every_function_the_jvm_calls_and_every_thread_has_a_point_of_its_own() {
    let entries = entries();
    assert!(entries.len() >= 14, "only {} entries are found", entries.len());
    let without: Vec<_> =
        entries.iter().filter(|(_, text)| !text.contains("Point::")).map(|e| &e.0).collect();
    assert!(without.is_empty(), "entries without a point of fault.rs: {without:?}");
    // Threads begin in one place, which asks for a point.
    let threads: usize = sources().iter().map(|(_, text)| text.matches("thread::Builder").count()).sum();
    let spawned: usize = sources().iter().map(|(_, text)| text.matches("thread::spawn").count()).sum();
    assert_eq!((threads, spawned), (1, 0), "a thread begins past `lifecycle::spawn`");
    // A point that is passed in two places, or in none, would be tested in one of them at best.
    for point in Point::ALL {
        let passed = |(file, text): &(String, String)| {
            let code = text.split("#[cfg(test)]").next().unwrap();
            let name = format!("Point::{point:?}");
            let count = code
                .match_indices(&name)
                .filter(|(at, _)| !code[at + name.len()..].starts_with(char::is_alphanumeric));
            if file == "fault.rs" { 0 } else { count.count() }
        };
        assert_eq!(sources().iter().map(passed).sum::<usize>(), 1, "{point:?} is passed in one place");
    }
}
