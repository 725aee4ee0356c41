//! A panic in every place where somebody else enters the agent or a thread of it works: the program under test does not
//! notice, a line on the standard error stream reports it, and so does the trace.
//!
//! Panics are injected by `agent/src/fault.rs`, which only builds with debug assertions do, such as the one cargo makes for
//! these tests.
#![cfg(debug_assertions)]
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside of a test function")]

mod support;

use dynaflow_agent::fault::{Point, VARIABLE};
use dynaflow_trace::ReadState;
use std::fmt::Write as _;
use std::path::Path;
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
        Point::Load | Point::ClockBind | Point::ClockMillis | Point::ClockAdjustment => Trace::Missing,
        Point::VmInit
        | Point::VmDeath
        | Point::LastWords
        | Point::ThreadEnd
        | Point::EarlyClass
        | Point::ClassFileLoadHook
        | Point::HookedClass
        | Point::Flush
        | Point::FlushRuns
        | Point::Describe
        | Point::Text
        | Point::Sync
        | Point::Field
        | Point::Get
        | Point::GetInt
        | Point::HasIdentityEquals
        | Point::IsRecorded
        | Point::Caller
        | Point::Live
        | Point::Recorded
        | Point::Mutes
        | Point::Touches
        | Point::Verdicts
        | Point::JniSet
        | Point::NativeMethodBind
        | Point::ArrayNative
        | Point::Stopped
        | Point::Covered
        | Point::Updates
        | Point::WeaverThread => Trace::Noted,
        Point::Weaving => Trace::Declined,
        Point::AnalysisThread | Point::Analysis => Trace::NotedThenCut,
        Point::LastWait => Trace::Cut,
    }
}

/// A mode of the agent with a program that passes all points of it.
struct Setting {
    options: &'static str,
    class: &'static str,
    /// How many lines it prints.
    lines: usize,
    /// Points of other modes.
    others: &'static [Point],
}

const STATE: Setting = Setting {
    options: "carve=true",
    class: "Faulty",
    lines: 6,
    others: &[
        Point::Covered,
        Point::Updates,
        Point::Recorded,
        Point::Touches,
        Point::Verdicts,
        Point::ClockBind,
        Point::ClockMillis,
        Point::ClockAdjustment,
    ],
};

/// Where invocations are left out.
const MUTED: Setting = Setting { options: "thin=all", ..STATE };

const DUA: Setting = Setting {
    options: "mode=dua",
    class: "FaultyCovered",
    lines: 5,
    others: &[
        Point::ThreadEnd,
        Point::Flush,
        Point::FlushRuns,
        Point::Describe,
        Point::Text,
        Point::Sync,
        Point::Field,
        Point::Get,
        Point::GetInt,
        Point::HasIdentityEquals,
        Point::IsRecorded,
        Point::Caller,
        Point::Live,
        Point::Recorded,
        Point::Mutes,
        Point::Touches,
        Point::Verdicts,
        Point::JniSet,
        Point::NativeMethodBind,
        Point::ArrayNative,
        Point::Stopped,
        Point::ClockBind,
        Point::ClockMillis,
        Point::ClockAdjustment,
    ],
};

/// Where the clock is ahead; nothing is recorded then.
const CLOCK: Setting = Setting { options: "clock=1", class: "FaultyClock", lines: 1, others: &[] };

/// Points that every mode passes on its own way: the others are the same code.
const ON_ITS_WAY: [Point; 6] = [
    Point::VmInit,
    Point::WeaverThread,
    Point::Weaving,
    Point::AnalysisThread,
    Point::Analysis,
    Point::LastWait,
];

impl Setting {
    fn bench(&self, home: &Path) -> Bench {
        Bench::new(home, &[&format!("{}.java", self.class)], &[])
    }

    fn points(&self) -> Vec<Point> {
        Point::ALL.iter().copied().filter(|point| !self.others.contains(point)).collect()
    }
}

/// Lets the program call the recorder; JVMs from before modules need no such option and get one that makes them ignore it.
const OPEN: [&str; 2] = ["-XX:+IgnoreUnrecognizedVMOptions", "--add-opens=java.base/java.lang=ALL-UNNAMED"];

fn arguments(class: &'static str, point: Point) -> Vec<&'static str> {
    // The recorder's own trouble ends the recording, so that only the test of that has it.
    let trouble = (point == Point::Stopped).then_some("trouble");
    OPEN.into_iter().chain([class]).chain(trouble).collect()
}

fn with_panic(setting: &Setting, bench: &Bench, point: Point, when: &str) -> Ran {
    let wanted = format!("{}{when}", point.name());
    let variables = [(VARIABLE, wanted.as_str()), ("RUST_BACKTRACE", "0")];
    bench.recorded_with(setting.options, &arguments(setting.class, point), &variables)
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
    let reports = ran.err.lines().filter(|line| line.contains("dynaflow: ") && line.contains(&injected));
    if reports.count() != 1 {
        write!(wrong, "it is not reported once; ").unwrap();
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

/// Runs the points on every JDK; all that is wrong is named at the end.
fn check(setting: &Setting, points: &[Point], when: &str) {
    let mut wrong = String::new();
    for home in java_homes() {
        let bench = setting.bench(&home);
        let plain = bench.plain(&[setting.class]);
        assert_eq!((plain.status, plain.out.lines().count()), (Some(3), setting.lines), "{}", plain.err);
        for &point in points {
            let ran = with_panic(setting, &bench, point, when);
            let objections = objections(&ran, &plain, point);
            if !objections.is_empty() {
                writeln!(wrong, "{point:?}{when} on {}: {objections}\n{}", home.display(), ran.err).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_panic_each_time_an_entry_is_passed_changes_nothing_and_is_reported() {
    check(&STATE, &STATE.points(), "");
    check(&MUTED, &[Point::Recorded, Point::Mutes, Point::Touches, Point::Verdicts], "");
}

#[test]
fn a_panic_each_time_a_clock_that_is_ahead_is_asked_leaves_it_as_it_is_and_is_reported() {
    check(&CLOCK, &[Point::Load, Point::ClockBind, Point::ClockMillis, Point::ClockAdjustment], "");
}

#[test]
fn a_panic_each_time_coverage_passes_an_entry_changes_nothing_and_is_reported() {
    if dynaflow_tests::slow() {
        check(&DUA, &DUA.points(), "");
    } else {
        check(&DUA, &[Point::Covered, Point::Updates], "");
        check(&DUA, &ON_ITS_WAY, "");
    }
}

#[test]
fn a_panic_the_first_time_an_entry_is_passed_changes_nothing_and_is_reported() {
    if dynaflow_tests::slow() {
        check(&STATE, &STATE.points(), "@1");
        check(&MUTED, &[Point::Recorded, Point::Touches, Point::Verdicts], "@1");
        check(&DUA, &DUA.points(), "@1");
    }
}

#[test]
fn without_a_panic_the_same_program_is_recorded_without_a_word() {
    for (home, setting) in java_homes().iter().flat_map(|home| [(home, &STATE), (home, &DUA)]) {
        let ran = setting.bench(home).recorded(setting.options, &[setting.class]);
        let recording = ran.recording();
        assert_eq!((ran.status, ran.err.as_str()), (Some(3), ""), "{}", home.display());
        let reports = (&recording.notes, &recording.declined);
        assert_eq!(reports, (&vec![], &vec![]));
    }
}

/// The sources of the agent: file names and texts.
fn sources() -> Vec<(String, String)> {
    let mut found = vec![];
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                found.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found
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
    assert!(entries.len() >= 16, "only {} entries are found", entries.len());
    // Those of `jni_sets.rs` and `array_natives.rs` call the JVM's own function and then one that has the point of all of them.
    let shared = ["Point::", " set(env, of, field, ", " report(env, array, index, "];
    let has_point = |text: &str| shared.iter().any(|call| text.contains(call));
    let without: Vec<_> = entries.iter().filter(|(_, text)| !has_point(text)).map(|e| &e.0).collect();
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
