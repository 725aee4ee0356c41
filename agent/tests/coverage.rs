//! What `mode=dua` says real runs cover, against programs of `tests/java/covered` that say on their lines what a run of them covers and
//! what it must not; the marks are explained in `Covered.java`. It does not know how coverage is recorded.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod support;

use dynaflow_flowgraph::dua::{self, Options};
use dynaflow_model::facts::Recording;
use dynaflow_trace::ReadState;
use std::collections::{BTreeMap, BTreeSet};
use std::io::BufRead;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use support::{Bench, agent_argument, java_homes};

/// Whether a run covers the associations of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    All,
    Some,
    None,
}

/// A mark: a variable, the line that defines it, the line that uses it.
type Mark = (How, String, u32, u32);

/// The marks of a source; with exception edges those that are said of them, too.
fn marks(source: &str, edges: bool) -> Vec<Mark> {
    let text = std::fs::read_to_string(Path::new("tests/java").join(source)).unwrap();
    let marks =
        || (1..).zip(text.lines()).filter_map(|(number, line)| Some((number, line.split_once("//: ")?.1)));
    let lines: BTreeMap<&str, u32> =
        marks().filter_map(|(n, mark)| Some((mark.strip_prefix("at ")?, n))).collect();
    let line = |name: &str| *lines.get(name).unwrap_or_else(|| panic!("no line is called {name}"));
    let mut found = vec![];
    for (number, mark) in marks().filter(|(_, mark)| !mark.starts_with("at ")) {
        let of_edges = mark.strip_prefix("edges ");
        let (how, rest) = of_edges.unwrap_or(mark).split_once(' ').unwrap();
        let how = match how {
            "covered" => How::All,
            "partly" => How::Some,
            "open" => How::None,
            _ => panic!("line {number}: what is `{mark}`?"),
        };
        let (variable, ends) = rest.split_once(": ").unwrap();
        let (from, to) = ends.split_once(" -> ").unwrap();
        if edges || of_edges.is_none() {
            found.push((how, variable.to_owned(), line(from), line(to)));
        }
    }
    let has = |wanted| found.iter().any(|(how, ..)| *how == wanted);
    assert!(has(How::All) && has(How::None), "a program says what is covered and what is not");
    found
}

/// Whether each association of the classes in a folder is covered, by variable and lines.
fn answers(folder: &Path, recording: &Recording, edges: bool) -> BTreeMap<(String, u32, u32), Vec<bool>> {
    let options = Options { exception_edges: edges, ..Options::default() };
    let mut answers: BTreeMap<_, Vec<bool>> = BTreeMap::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        for detail in dua::of_class(&bytes, &options, None).unwrap().methods.iter().flat_map(|m| &m.details) {
            let id = detail.number();
            let key = (detail.variable.clone(), detail.defined_at.unwrap(), detail.used_at.unwrap());
            answers.entry(key).or_default().push(recording.coverage.covered.contains(&id));
        }
    }
    answers
}

/// What of the marks is not as it has to be.
fn wrong(bench: &Bench, recording: &Recording, source: &str, edges: bool) -> Vec<String> {
    let answers = answers(&bench.folder().join("classes"), recording, edges);
    let mut wrong = vec![];
    for (how, variable, from, to) in marks(source, edges) {
        let found = answers.get(&(variable.clone(), from, to)).map_or(&[][..], Vec::as_slice);
        let (any, all) = (found.contains(&true), !found.contains(&false));
        let is_so = match how {
            How::All => any && all,
            How::Some => any && !all,
            How::None => !any && !found.is_empty(),
        };
        if !is_so {
            wrong.push(format!("{variable}, line {from} to {to}: {how:?} expected, found {found:?}"));
        }
    }
    wrong
}

#[test]
fn what_a_run_covers_is_what_it_executed_and_nothing_else() {
    for (home, edges) in java_homes().iter().flat_map(|home| [(home, false), (home, true)]) {
        let source = "covered/Covered.java";
        let bench = Bench::new(home, &[source], &[]);
        let ran = bench.recorded(&format!("mode=dua,exception-edges={edges}"), &["Covered"]);
        let plain = bench.plain(&["Covered"]);
        assert_eq!((ran.status, &ran.out, ran.err.as_str()), (Some(0), &plain.out, ""));
        let recording = ran.recording();
        assert!(recording.declined.is_empty() && recording.notes.is_empty(), "{recording:?}");
        let wrong = wrong(&bench, &recording, source, edges);
        assert!(wrong.is_empty(), "{}, exception-edges={edges}:\n{}", home.display(), wrong.join("\n"));
    }
}

#[test]
fn what_was_covered_before_the_process_was_killed_is_in_the_trace() {
    for home in java_homes() {
        let source = "covered/Killed.java";
        let bench = Bench::new(&home, &[source], &[]);
        let agent = agent_argument(&format!("out={},mode=dua", bench.traces().display()));
        let mut child = bench.java().arg(agent).arg("Killed").stdout(Stdio::piped()).spawn().unwrap();
        let mut said = String::new();
        std::io::BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
        assert_eq!(said, "8\n");
        // It is on its way by now; the process is alive and goes on being so until it is killed.
        let file = bench.traces().join(format!("dynaflow-{}.trace", child.id()));
        let patience = Instant::now() + Duration::from_secs(120);
        while dynaflow_trace::read(&file).unwrap().0.coverage.covered.is_empty() && Instant::now() < patience
        {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        let (recording, state) = dynaflow_trace::read(&file).unwrap();
        assert!(matches!(state, ReadState::CutAt(_)), "{state:?}");
        let wrong = wrong(&bench, &recording, source, false);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn a_class_of_two_loaders_is_one_class_and_several_runs_cover_what_each_of_them_does() {
    for home in java_homes() {
        let source = "covered/Guests.java";
        let bench = Bench::new(&home, &[source], &[]);
        let run = |arguments: &[&str]| {
            let recording = bench
                .recorded("mode=dua,include=Guests$Guest", &[&["Guests"], arguments].concat())
                .recording();
            assert!(recording.declined.is_empty() && recording.classes.len() == 1, "{recording:?}");
            recording
        };
        let loaders = run(&[]);
        assert_eq!(wrong(&bench, &loaders, source, false), Vec::<String>::new(), "two loaders");
        let parts = [run(&["1"]), run(&["2"])];
        assert!(parts.iter().all(|part| !wrong(&bench, part, source, false).is_empty()), "a part is not all");
        let mut merged = Recording::default();
        parts.iter().for_each(|part| dynaflow_trace::merge(&mut merged, part).unwrap());
        assert_eq!(merged.coverage, run(&["1", "2"]).coverage);
        let covered: BTreeSet<u64> =
            parts.iter().flat_map(|part| part.coverage.covered.iter().copied()).collect();
        assert_eq!(merged.coverage.covered, covered);
        assert_eq!(loaders.coverage.covered, covered);
    }
}
