//! Declared programs: Java sources that say on their lines which pairs a run of them executes, and which it must not.
//!
//! `//: at NAME` names a line, `//: pair VARIABLE: FROM -> TO` asks for the pair of a definition and a use on named lines,
//! `//: none VARIABLE: FROM -> TO` forbids it. With facts per basic block, `//: reaches VARIABLE: FROM -> TO` asks for a
//! definition that reaches a block beginning on a line, `//: uses VARIABLE: FROM -> TO` for a use that is reachable from one;
//! `not-reaches` and `not-uses` forbid them. A variable is the root's simple class name and the steps. It does not know what
//! the programs are about.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod support;

use dynaflow_model::facts::{PlaceId, Recording, Step, VariableId};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use support::{Bench, java_homes, java_homes_since};

/// What is said of two lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// A definition and its use.
    Pair,
    /// A definition and a block it reaches.
    Reaches,
    /// A block and a use reachable from it.
    Uses,
}

/// A kind of fact, a variable, and the two lines.
type Executed = (Kind, String, u32, u32);

/// What a source declares.
#[derive(Default)]
struct Declared {
    lines: BTreeMap<String, u32>,
    /// Wanted or not, kind, variable, from, to.
    facts: Vec<(bool, Kind, String, String, String)>,
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
                Some((how, fact)) => {
                    let (wanted, kind) = match how {
                        "pair" => (true, Kind::Pair),
                        "none" => (false, Kind::Pair),
                        "reaches" => (true, Kind::Reaches),
                        "not-reaches" => (false, Kind::Reaches),
                        "uses" => (true, Kind::Uses),
                        "not-uses" => (false, Kind::Uses),
                        _ => panic!("line {number}: what is `{mark}`?"),
                    };
                    let (variable, ends) = fact.split_once(": ").unwrap_or_else(|| panic!("{mark}"));
                    let (from, to) = ends.split_once(" -> ").unwrap_or_else(|| panic!("{mark}"));
                    let [variable, from, to] = [variable, from, to].map(str::to_owned);
                    declared.facts.push((wanted, kind, variable, from, to));
                }
                None => panic!("line {number}: what is `{mark}`?"),
            }
        }
        declared
    }

    /// What a run got wrong.
    fn wrong(&self, executed: &BTreeSet<Executed>) -> Vec<String> {
        let line =
            |name: &String| *self.lines.get(name).unwrap_or_else(|| panic!("no line is called {name}"));
        let mut wrong = vec![];
        for (wanted, kind, variable, from, to) in &self.facts {
            if executed.contains(&(*kind, variable.clone(), line(from), line(to))) != *wanted {
                let what = if *wanted { "missing" } else { "found, but must not be" };
                wrong.push(format!("{what}: {kind:?} {variable}: {from} -> {to}"));
            }
        }
        wrong
    }
}

fn simple(class: &str) -> &str {
    class.rsplit(['.', '$']).next().unwrap_or(class)
}

/// The facts of a run whose lines are in the class (and those nested in it) of a source.
fn executed(recording: &Recording, class: &str) -> BTreeSet<Executed> {
    let facts = &recording.facts;
    let line = |place: PlaceId| {
        let place = facts.places.get(place).unwrap();
        let method = facts.methods.get(place.method).unwrap();
        let owner = facts.text(method.class);
        (owner.split('$').next() == Some(class)).then_some(place.line)
    };
    let name = |variable: VariableId| {
        let variable = facts.variables.get(variable).unwrap();
        let steps = variable.steps.iter().map(|step| match step {
            Step::Field { name, .. } => format!(".{}", facts.text(*name)),
            Step::Element => ".[]".to_owned(),
        });
        format!("{}{}", simple(facts.text(variable.root)), steps.collect::<String>())
    };
    let definition = |id| line(facts.definitions.get(id).unwrap().place);
    let usage = |id| line(facts.uses.get(id).unwrap().place);
    let block = |id| line(facts.blocks.get(id).unwrap().place);
    let pairs = facts
        .pairs
        .iter()
        .map(|(_, pair)| (Kind::Pair, pair.variable, definition(pair.definition), usage(pair.usage)));
    let reaching = facts
        .reaching
        .iter()
        .map(|(_, fact)| (Kind::Reaches, fact.variable, definition(fact.definition), block(fact.block)));
    let reachable = facts
        .reachable
        .iter()
        .map(|(_, fact)| (Kind::Uses, fact.variable, block(fact.block), usage(fact.usage)));
    let all = pairs.chain(reaching).chain(reachable);
    all.filter_map(|(kind, variable, from, to)| Some((kind, name(variable), from?, to?))).collect()
}

fn check(class: &str) {
    check_on(class, "", java_homes());
}

fn check_on(class: &str, options: &str, homes: Vec<PathBuf>) {
    let file = format!("declared/{class}.java");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(&file);
    let declared = Declared::read(&std::fs::read_to_string(source).unwrap());
    assert!(declared.facts.iter().any(|fact| fact.0) && declared.facts.iter().any(|fact| !fact.0));
    for home in homes {
        let bench = Bench::new(&home, &[&file], &[]);
        let plain = bench.plain(&[class]);
        let ran = bench.recorded(options, &[class]);
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
    check_on("Modern", "", java_homes_since(21, "the program has records and patterns in switches"));
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
fn a_container_that_a_call_is_given_is_read_where_the_call_is() {
    check("Arguments");
}

#[test]
fn what_a_call_takes_out_of_a_container_without_saying_so_is_found() {
    check("Changes");
}

#[test]
fn taking_out_element_after_element_is_told_in_words_that_grow_with_the_elements() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["cost/Removals.java"], &[]);
        let words = ["500", "2000"].map(|count| {
            let ran = bench.recorded("", &["Removals", count]);
            assert_eq!((ran.status, ran.out.as_str()), (Some(0), "ok\n"), "{}", ran.err);
            ran.recording().effort.words
        });
        assert!(words[1] < words[0] * 5, "{words:?} on {}", home.display());
    }
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
    check_on(
        "ViewsOf",
        "",
        java_homes_since(10, "the program makes containers with List.copyOf and its like"),
    );
}

#[test]
fn what_a_lock_guards_or_the_program_extends_is_found_without_lock_or_call() {
    check("Guarded");
}

#[test]
fn what_was_killed_before_a_thread_handed_an_object_over_never_reaches_the_thread_that_got_it() {
    check("Handover");
}

#[test]
fn definitions_reach_basic_blocks_and_uses_are_reachable_from_them_along_what_really_ran() {
    check_on("Blocks", "blocks=true", java_homes());
}

#[test]
fn facts_per_basic_block_change_no_other_fact_and_those_of_first_blocks_hold_the_uses_at_entry() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["declared/Blocks.java"], &[]);
        let recordings =
            ["blocks=false", "blocks=true"].map(|options| bench.recorded(options, &["Blocks"]).recording());
        let [without, with] = recordings.each_ref().map(in_lines);
        assert!(
            without.iter().any(|line| line.starts_with("entry"))
                && !without.iter().any(|line| is_of_block(line))
        );
        let others: BTreeSet<String> = with.iter().filter(|line| !is_of_block(line)).cloned().collect();
        assert_eq!(without, others, "{}", home.display());
        // A method's first block is entered by its outermost frames, whose uses at entry come behind.
        let firsts = with.iter().filter_map(|line| line.strip_prefix("block 1 "));
        let firsts: BTreeSet<&str> = firsts.collect();
        for line in with.iter().filter_map(|line| line.strip_prefix("entry ")) {
            assert!(firsts.contains(line), "{line}");
        }
    }
}

fn is_of_block(line: &str) -> bool {
    line.starts_with("block ")
}

/// Pairs, defs@exit, uses@entry and reachable uses of blocks, by what they are and not by their numbers.
fn in_lines(recording: &Recording) -> BTreeSet<String> {
    let facts = &recording.facts;
    let method = |id| {
        let method = facts.methods.get(id).unwrap();
        format!("{}.{}", facts.text(method.class), facts.text(method.signature))
    };
    let variable = |id| {
        let variable = facts.variables.get(id).unwrap();
        let step = |step: &Step| match step {
            Step::Field { class, name } => format!(" {}.{}", facts.text(*class), facts.text(*name)),
            Step::Element => " []".to_owned(),
        };
        format!("{}:{}", facts.text(variable.root), variable.steps.iter().map(step).collect::<String>())
    };
    let context = |id| facts.contexts.get(id).unwrap().head.iter().map(|id| method(*id)).collect::<Vec<_>>();
    let place = |id| {
        let place = facts.places.get(id).unwrap();
        format!("{}@{}", method(place.method), place.offset)
    };
    let definition = |id| {
        let definition = facts.definitions.get(id).unwrap();
        format!("{:?} {} {:?}", definition.kind, place(definition.place), context(definition.context))
    };
    let usage = |id| {
        let usage = facts.uses.get(id).unwrap();
        format!("{} {:?}", place(usage.place), context(usage.context))
    };
    let pairs = facts.pairs.iter().map(|(_, fact)| {
        format!("pair {} {} {}", variable(fact.variable), definition(fact.definition), usage(fact.usage))
    });
    let exits = facts.exits.iter().map(|(_, fact)| {
        let (method, variable) = (method(fact.method), variable(fact.variable));
        format!("exit {method} {:?} {variable} {}", fact.exit, definition(fact.definition))
    });
    let entries = facts.entries.iter().map(|(_, fact)| {
        format!("entry {} {} {}", method(fact.method), variable(fact.variable), usage(fact.usage))
    });
    let reachable = facts.reachable.iter().map(|(_, fact)| {
        let block = facts.blocks.get(fact.block).unwrap();
        let method = method(facts.places.get(block.place).unwrap().method);
        format!("block {} {method} {} {}", block.number, variable(fact.variable), usage(fact.usage))
    });
    pairs.chain(exits).chain(entries).chain(reachable).collect()
}
