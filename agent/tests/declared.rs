//! Declared programs: Java sources that say on their lines which pairs a run of them executes, and which it must not.
//!
//! `//: at NAME` names a line, `//: pair VARIABLE: FROM -> TO` asks for the pair of a definition and a use on named lines,
//! `//: none VARIABLE: FROM -> TO` forbids it. A variable is the root's simple class name and the steps. It does not know
//! what the programs are about.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod support;

use dynaflow_model::facts::{Place, Recording, Step};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use support::{Bench, java_homes, java_homes_since};

/// A variable, the line of its definition and that of its use.
type Executed = (String, u32, u32);

/// What a source declares.
#[derive(Default)]
struct Declared {
    lines: BTreeMap<String, u32>,
    /// Wanted or not, variable, from, to.
    pairs: Vec<(bool, String, String, String)>,
}

impl Declared {
    fn read(source: &str) -> Self {
        let mut declared = Self::default();
        for (number, line) in (1..).zip(source.lines()) {
            let Some((_, mark)) = line.split_once("//: ") else { continue };
            match mark.split_once(' ') {
                Some(("at", name)) => {
                    let twice = declared.lines.insert(name.to_owned(), number);
                    assert_eq!(twice, None, "two lines are called {name}");
                }
                Some((how @ ("pair" | "none"), pair)) => {
                    let (variable, ends) = pair.split_once(": ").unwrap_or_else(|| panic!("{mark}"));
                    let (from, to) = ends.split_once(" -> ").unwrap_or_else(|| panic!("{mark}"));
                    let [variable, from, to] = [variable, from, to].map(str::to_owned);
                    declared.pairs.push((how == "pair", variable, from, to));
                }
                _ => panic!("line {number}: what is `{mark}`?"),
            }
        }
        declared
    }

    /// What a run got wrong.
    fn wrong(&self, executed: &BTreeSet<Executed>) -> Vec<String> {
        let line =
            |name: &String| *self.lines.get(name).unwrap_or_else(|| panic!("no line is called {name}"));
        let wrong = self.pairs.iter().filter(|(wanted, variable, from, to)| {
            executed.contains(&(variable.clone(), line(from), line(to))) != *wanted
        });
        let say = |(wanted, variable, from, to): &(bool, String, String, String)| {
            let what = if *wanted { "missing" } else { "found, but must not be" };
            format!("{what}: {variable}: {from} -> {to}")
        };
        wrong.map(say).collect()
    }
}

fn simple(class: &str) -> &str {
    class.rsplit(['.', '$']).next().unwrap_or(class)
}

/// The pairs of a run whose lines are in the class (and those nested in it) of a source.
fn executed(recording: &Recording, class: &str) -> BTreeSet<Executed> {
    let facts = &recording.facts;
    let line = |place: &Place| {
        let method = facts.methods.get(place.method).unwrap();
        let owner = facts.text(method.class);
        (owner.split('$').next() == Some(class)).then_some(place.line)
    };
    let all = facts.pairs.iter().filter_map(|(_, pair)| {
        let definition = facts.definitions.get(pair.definition).unwrap();
        let usage = facts.uses.get(pair.usage).unwrap();
        let variable = facts.variables.get(pair.variable).unwrap();
        let steps = variable.steps.iter().map(|step| match step {
            Step::Field { name, .. } => format!(".{}", facts.text(*name)),
            Step::Element => ".[]".to_owned(),
        });
        let name = format!("{}{}", simple(facts.text(variable.root)), steps.collect::<String>());
        let from = line(facts.places.get(definition.place).unwrap())?;
        Some((name, from, line(facts.places.get(usage.place).unwrap())?))
    });
    all.collect()
}

fn check(class: &str) {
    check_on(class, java_homes());
}

fn check_on(class: &str, homes: Vec<PathBuf>) {
    let file = format!("declared/{class}.java");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(&file);
    let declared = Declared::read(&std::fs::read_to_string(source).unwrap());
    assert!(declared.pairs.iter().any(|pair| pair.0) && declared.pairs.iter().any(|pair| !pair.0));
    for home in homes {
        let bench = Bench::new(&home, &[&file], &[]);
        let plain = bench.plain(&[class]);
        let ran = bench.recorded("", &[class]);
        assert_eq!((ran.status, &ran.out), (Some(0), &plain.out), "{}", ran.err);
        let executed = executed(&ran.recording(), class);
        let wrong = declared.wrong(&executed);
        assert!(wrong.is_empty(), "{}:\n{}\n{executed:#?}", home.display(), wrong.join("\n"));
    }
}

#[test]
fn state_is_followed_through_arrays_statics_aliases_replacements_and_calls_back() {
    check("Shapes");
}

#[test]
fn state_in_records_and_behind_patterns_is_state_like_any_other() {
    check_on("Modern", java_homes_since(21, "the program has records and patterns in switches"));
}

#[test]
fn a_clone_reads_what_it_copies_and_writes_the_copy() {
    check("Clones");
}

#[test]
fn what_is_read_from_a_stream_is_written_where_it_is_read() {
    check("Streams");
}

#[test]
fn what_a_container_holds_is_state_of_its_owner_as_long_as_it_holds_it() {
    check("Containers");
}

#[test]
fn what_the_jdk_hands_to_lambdas_is_what_its_containers_hold() {
    check("Lambdas");
}

#[test]
fn what_one_container_shows_of_another_is_one_state() {
    check("Views");
}

#[test]
fn what_unchanging_containers_hold_is_state_of_their_owner() {
    check_on("ViewsOf", java_homes_since(9, "the program makes containers with List.of and its like"));
}

#[test]
fn what_a_lock_guards_or_the_program_extends_is_found_without_lock_or_call() {
    check("Guarded");
}

#[test]
fn what_was_killed_before_a_thread_handed_an_object_over_never_reaches_the_thread_that_got_it() {
    check("Handover");
}
