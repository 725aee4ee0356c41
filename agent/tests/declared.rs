//! Declared programs: Java sources that say on their lines which pairs a run of them executes, and which it must not.
//!
//! `//: at NAME` names a line, `//: pair VARIABLE: FROM -> TO` asks for the pair of a definition and a use on named lines,
//! `//: none VARIABLE: FROM -> TO` forbids it. With facts per basic block, `//: reaches VARIABLE: FROM -> TO` asks for a
//! definition that reaches a block beginning on a line, `//: uses VARIABLE: FROM -> TO` for a use that is reachable from one.
//! `direct` and `nested` ask for a pair whose definition is of that kind. `//: exit VARIABLE: FROM -> METHOD` asks for a
//! definition that reaches the end of a method, `throws` for one that reaches its end by an exception,
//! `//: entry VARIABLE: METHOD -> TO` for a use of what was there when a method began; `//: defined-by VARIABLE: AT -> METHOD,...` and
//! `used-by` for the frames of a definition or use. `not-` before any of these forbids it. Methods are `Class.name`, simple.
//! A variable is the root's simple class name and the steps. It does not know what the programs are about.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod support;

use dynaflow_model::facts::{
    ContextId, DefinitionKind, Exit, FactTable, MethodId, PlaceId, Recording, VariableId,
};
use dynaflow_tests::slow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{Bench, in_lines, is_of_block, jars, java_homes, java_homes_since};

/// What is said of a variable and two lines, or a line and methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// A definition and its use.
    Pair,
    /// A definition and a block it reaches.
    Reaches,
    /// A block and a use reachable from it.
    Uses,
    /// A pair by a direct definition.
    Direct,
    /// A pair by a nested definition.
    Nested,
    /// A definition that reaches the normal end of a method.
    Exit,
    /// A definition that reaches the end of a method by an exception.
    Throws,
    /// A method, and a use of what was there when it began.
    Entry,
    /// A definition and its frames.
    DefinedBy,
    /// A use and its frames.
    UsedBy,
}

/// The kinds by what declarations call them.
const KINDS: [(&str, Kind); 10] = [
    ("pair", Kind::Pair),
    ("reaches", Kind::Reaches),
    ("uses", Kind::Uses),
    ("direct", Kind::Direct),
    ("nested", Kind::Nested),
    ("exit", Kind::Exit),
    ("throws", Kind::Throws),
    ("entry", Kind::Entry),
    ("defined-by", Kind::DefinedBy),
    ("used-by", Kind::UsedBy),
];

impl Kind {
    /// Whether what stands before and behind the arrow are lines.
    fn lines(self) -> (bool, bool) {
        let to_methods = matches!(self, Self::Exit | Self::Throws | Self::DefinedBy | Self::UsedBy);
        (self != Self::Entry, !to_methods)
    }
}

/// A kind of fact, a variable, and the two lines or methods.
type Executed = (Kind, String, String, String);

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
                    let forbidden = how.strip_prefix("not-").or((how == "none").then_some("pair"));
                    let (wanted, name) = (forbidden.is_none(), forbidden.unwrap_or(how));
                    let known = KINDS.iter().find(|(known, _)| *known == name);
                    let kind = known.unwrap_or_else(|| panic!("line {number}: what is `{mark}`?")).1;
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
        let end = |name: &String, is_line: bool| {
            let line = || self.lines.get(name).unwrap_or_else(|| panic!("no line is called {name}"));
            if is_line { line().to_string() } else { name.clone() }
        };
        let mut wrong = vec![];
        for (wanted, kind, variable, from, to) in &self.facts {
            let lines = kind.lines();
            if executed.contains(&(*kind, variable.clone(), end(from, lines.0), end(to, lines.1))) != *wanted
            {
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

/// A state variable as declarations name it: `Outer.next.[].primed`.
fn name(facts: &FactTable, variable: VariableId) -> String {
    let variable = facts.variables.get(variable).unwrap();
    let steps = variable.steps.iter().map(|step| format!(".{}", facts.step(step).name));
    format!("{}{}", simple(facts.text(variable.root)), steps.collect::<String>())
}

/// The facts of a run whose lines are in the class (and those nested in it) of a source.
fn executed(recording: &Recording, class: &str) -> BTreeSet<Executed> {
    let facts = &recording.facts;
    let line = |place: PlaceId| {
        let place = facts.places.get(place).unwrap();
        let method = facts.methods.get(place.method).unwrap();
        let owner = facts.text(method.class);
        (owner.split('$').next() == Some(class)).then_some(place.line.to_string())
    };
    let method = |id: MethodId| {
        let method = facts.methods.get(id).unwrap();
        let name = facts.text(method.signature).split('(').next().unwrap_or_default();
        format!("{}.{name}", simple(facts.text(method.class)))
    };
    let frames = |id: ContextId| {
        let context = facts.contexts.get(id).unwrap();
        let cut = context.cut.then(|| "...".to_owned());
        let [head, tail] = [&context.head, &context.tail].map(|part| part.iter().map(|id| method(*id)));
        Some(head.chain(cut).chain(tail).collect::<Vec<_>>().join(","))
    };
    let definition = |id| line(facts.definitions.get(id).unwrap().place);
    let usage = |id| line(facts.uses.get(id).unwrap().place);
    let block = |id| line(facts.blocks.get(id).unwrap().place);
    let pairs = facts.pairs.iter().flat_map(|(_, pair)| {
        let (made, used) =
            (facts.definitions.get(pair.definition).unwrap(), facts.uses.get(pair.usage).unwrap());
        let (from, to) = (definition(pair.definition), usage(pair.usage));
        let kind = if made.kind == DefinitionKind::Direct { Kind::Direct } else { Kind::Nested };
        [
            (Kind::Pair, pair.variable, from.clone(), to.clone()),
            (kind, pair.variable, from.clone(), to.clone()),
            (Kind::DefinedBy, pair.variable, from, frames(made.context)),
            (Kind::UsedBy, pair.variable, to, frames(used.context)),
        ]
    });
    let exits = facts.exits.iter().map(|(_, fact)| {
        let kind = if fact.exit == Exit::Normal { Kind::Exit } else { Kind::Throws };
        (kind, fact.variable, definition(fact.definition), Some(method(fact.method)))
    });
    let entries = facts
        .entries
        .iter()
        .map(|(_, fact)| (Kind::Entry, fact.variable, Some(method(fact.method)), usage(fact.usage)));
    let reaching = facts
        .reaching
        .iter()
        .map(|(_, fact)| (Kind::Reaches, fact.variable, definition(fact.definition), block(fact.block)));
    let reachable = facts
        .reachable
        .iter()
        .map(|(_, fact)| (Kind::Uses, fact.variable, block(fact.block), usage(fact.usage)));
    let all = pairs.chain(exits).chain(entries).chain(reaching).chain(reachable);
    all.filter_map(|(kind, variable, from, to)| Some((kind, name(facts, variable), from?, to?))).collect()
}

/// Whether a note says what a program is about and is no trouble: frames without an end, where the stack overflows.
fn is_expected(class: &str, note: &str) -> bool {
    ["Overflows", "Muted"].contains(&class) && note.contains("invocations whose end the JVM did not report")
}

fn check(class: &str) {
    check_on(class, "", java_homes());
}

fn check_on(class: &str, options: &str, homes: Vec<PathBuf>) {
    let arguments = |_: &Bench| vec![];
    check_with(&format!("declared/{class}.java"), options, homes, &[], arguments);
}

/// Holds a source of `tests/java`, which may need libraries, against what it declares, run with the arguments of the JVM that the
/// bench asks for.
fn check_with(
    file: &str,
    options: &str,
    homes: Vec<PathBuf>,
    libraries: &[PathBuf],
    arguments: impl Fn(&Bench) -> Vec<String>,
) {
    let class = Path::new(file).file_stem().unwrap().to_str().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(file);
    let declared = Declared::read(&std::fs::read_to_string(source).unwrap());
    assert!(declared.facts.iter().any(|fact| fact.0) && declared.facts.iter().any(|fact| !fact.0));
    for home in homes {
        let bench = Bench::new(&home, &[file], libraries);
        let more = arguments(&bench);
        let arguments: Vec<&str> = more.iter().map(String::as_str).chain([class]).collect();
        let plain = bench.plain(&arguments);
        let ran = bench.recorded(options, &arguments);
        assert_eq!((ran.status, &ran.out), (Some(0), &plain.out), "{}", ran.err);
        let recording = ran.recording();
        let notes: Vec<&String> = recording.notes.iter().filter(|note| !is_expected(class, note)).collect();
        assert!(notes.is_empty(), "{}: {notes:?}", home.display());
        let executed = executed(&recording, class);
        let wrong = declared.wrong(&executed);
        assert!(wrong.is_empty(), "{}:\n{}\n{executed:#?}", home.display(), wrong.join("\n"));
    }
}

#[test]
fn state_is_followed_through_arrays_statics_aliases_replacements_and_calls_back() {
    check("Shapes");
}

#[test]
fn invocations_begin_and_end_with_what_reaches_and_chains_of_frames_say_who_did_it() {
    check("Invocations");
}

#[test]
fn variables_and_chains_of_frames_are_no_longer_than_their_bounds_and_what_is_cut_is_counted() {
    check_on("Bounds", "depth=2,context=2", java_homes());
    for home in java_homes() {
        let bench = Bench::new(&home, &["declared/Bounds.java"], &[]);
        let bounds = |options| bench.recorded(options, &["Bounds"]).recording().bounds;
        let (cut, whole) = (bounds("depth=2,context=2"), bounds(""));
        assert!(cut.depth > 0 && cut.context > 0, "{cut:?}");
        assert_eq!((whole.depth, whole.context), (0, 0));
    }
}

#[test]
fn what_an_invocation_that_is_left_out_writes_reaches_nothing_and_what_it_overwrites_no_longer() {
    check_on("Muted", "thin=all", java_homes());
    for home in java_homes() {
        let bench = Bench::new(&home, &["declared/Muted.java"], &[]);
        let left_out = |options| bench.recorded(options, &["Muted"]).recording().left_out();
        assert!(left_out("thin=all") > 1000, "{}", home.display());
        assert_eq!((left_out("thin=off"), left_out("")), (0, 0), "{}", home.display());
    }
}

#[test]
fn what_is_called_by_an_invocation_that_is_left_out_is_recorded_if_it_writes_and_what_it_overwrote_does_not_reach()
 {
    check_on("Beneath", "thin=all", java_homes());
    for home in java_homes() {
        let bench = Bench::new(&home, &["declared/Beneath.java"], &[]);
        let left_out = |options| bench.recorded(options, &["Beneath"]).recording().left_out();
        assert!(left_out("thin=all") > 10_000, "{}", home.display());
        assert_eq!(left_out("thin=off"), 0, "{}", home.display());
    }
}

#[test]
fn what_invocations_that_are_left_out_write_again_is_recorded_when_it_changes_something() {
    check_on("Again", "thin=all", java_homes());
    for home in java_homes() {
        let bench = Bench::new(&home, &["declared/Again.java"], &[]);
        let sent = |options| bench.recorded(options, &["Again"]).recording().effort.words;
        let (most, all) = (sent("thin=all"), sent("thin=off"));
        // More are sent where each write is, and where the reference that is written in between ends what is known of the others.
        assert!(most < all * 3 / 4, "{}: {most} of {all} words sent", home.display());
    }
}

#[test]
fn of_what_writes_ever_other_elements_in_invocations_that_are_left_out_the_array_is_recorded_once() {
    check_on("Spread", "thin=all", java_homes());
    for home in java_homes() {
        let bench = Bench::new(&home, &["declared/Spread.java"], &[]);
        let sent = |options| bench.recorded(options, &["Spread"]).recording().effort.words;
        let (most, all) = (sent("thin=all"), sent("thin=off"));
        // With each element by itself more are sent than of the whole run.
        assert!(most < all, "{}: {most} of {all} words sent", home.display());
    }
}

#[test]
fn what_is_read_after_an_invocation_that_is_left_out_is_recorded_and_what_that_overwrote_does_not_reach() {
    for options in ["thin=all", "thin=off"] {
        let bench = |home| Bench::new(home, &["declared/Quiet.java"], &[]);
        let left_out = |home| bench(home).recorded(options, &["Quiet"]).recording().left_out();
        assert!(java_homes().iter().all(|home| (left_out(home) > 1000) == (options == "thin=all")));
    }
    check_on("Quiet", "thin=all", java_homes());
}

#[test]
fn what_is_new_in_a_long_loop_and_after_it_is_recorded_though_most_of_its_reads_are_left_out() {
    is_found_though_left_out("Looped");
}

#[test]
fn what_a_long_loop_overwrites_reaches_nothing_though_most_of_its_writes_are_left_out() {
    is_found_though_left_out("Filled");
}

/// What a class declares is found however much is left out of its loop, which is most of it.
fn is_found_though_left_out(class: &str) {
    for options in ["thin=all", "thin=off"] {
        check_on(class, options, java_homes());
    }
    for home in java_homes() {
        let bench = Bench::new(&home, &[&format!("declared/{class}.java")], &[]);
        let ran = |options| bench.recorded(options, &[class]);
        let sent = |options| ran(options).recording().effort.words;
        let left_out = |options| ran(options).recording().left_out();
        assert!(left_out("thin=all") > 100_000, "{}", home.display());
        assert_eq!((left_out("thin=off"), left_out("")), (0, 0), "{}", home.display());
        let (most, all) = (sent("thin=all"), sent("thin=off"));
        assert!(most * 4 < all, "{}: {most} of {all} words sent", home.display());
    }
}

#[test]
fn what_is_recorded_with_as_much_left_out_as_can_be_is_part_of_what_is_recorded_of_all() {
    // Where a stack overflows, each run may differ in which ends of invocations the JVM reports.
    let classes = [
        "Shapes",
        "Invocations",
        "Clones",
        "Streams",
        "Containers",
        "Together",
        "Views",
        "Lambdas",
        "Looped",
        "Filled",
    ];
    for class in classes {
        let home = java_homes().swap_remove(0);
        let bench = Bench::new(&home, &[&format!("declared/{class}.java")], &[]);
        let facts = |options| executed(&bench.recorded(options, &[class]).recording(), class);
        let (all, most) = (facts("thin=off"), facts("thin=all"));
        let made_up: Vec<_> = most.difference(&all).collect();
        assert!(made_up.is_empty() && !most.is_empty(), "{class}: {made_up:#?}");
    }
}

#[test]
fn a_program_that_accepts_no_waiting_loses_facts_and_is_given_no_false_ones_and_a_note_says_why() {
    let home = java_homes().swap_remove(0);
    let bench = Bench::new(&home, &["Hurried.java"], &[]);
    let recorded = |options| bench.recorded(options, &["Hurried"]).recording();
    // How much more is left out depends on time, which the unit tests of the thinning do not: here it is that the JVM's waiting arrives there.
    let (usual, hurried) = (recorded(""), recorded("slowdown=1"));
    assert!(usual.notes.is_empty() && hurried.left_out() > 0, "{:?}", usual.notes);
    assert!(matches!(&hurried.notes[..], [note] if note.contains("depends on time")), "{:?}", hurried.notes);
    let (all, hurried) = (executed(&recorded("thin=off"), "Hurried"), executed(&hurried, "Hurried"));
    let made_up: Vec<_> = hurried.difference(&all).collect();
    assert!(made_up.is_empty() && !hurried.is_empty(), "{made_up:#?}");
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
fn what_reflection_updaters_and_method_handles_do_is_done_at_the_call_below_which_they_do_it() {
    check_on("Hands", "exclude=Hands$Library*", java_homes());
}

#[test]
fn what_is_written_below_no_recorded_method_is_counted_and_what_else_is_written_is_not() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["declared/Hands.java", "declared/Clones.java"], &[]);
        let unknown = |options, class| bench.recorded(options, &[class]).recording().bounds.unknown;
        assert_eq!(unknown("exclude=Hands$Library*", "Hands"), 3, "{}", home.display());
        assert_eq!(unknown("", "Clones"), 0, "{}", home.display());
    }
}

#[test]
fn what_var_handles_and_unsafe_do_is_done_at_the_call_below_which_they_do_it() {
    let homes = java_homes_since(9, "it has no VarHandle, and its Unsafe has no code");
    check_on("Handles", "exclude=Handles$Library*", homes);
}

#[test]
fn what_reflection_does_to_elements_is_done_at_the_call_below_which_it_does_it() {
    check_on("Arrayed", "exclude=Arrayed$Library*", java_homes());
}

#[test]
fn what_handles_and_unsafe_do_to_elements_is_done_at_the_call_below_which_they_do_it() {
    let homes = java_homes_since(9, "it has no VarHandle, and its Unsafe has no code");
    check_on("Handled", "exclude=Handled$Library*:Handled$Elsewhere$Library", homes);
}

#[test]
fn what_handles_write_where_nobody_knows_is_unknown_until_it_is_written_again() {
    for home in java_homes_since(9, "it has no VarHandle") {
        check_on("Unplaced", "exclude=Unplaced$Library", vec![home.clone()]);
        let bench = Bench::new(&home, &["declared/Unplaced.java"], &[]);
        let recording = bench.recorded("exclude=Unplaced$Library", &["Unplaced"]).recording();
        assert_eq!(recording.bounds.unknown, 3, "{}", home.display());
    }
}

#[test]
fn what_a_handle_sets_is_set_before_another_thread_sees_it() {
    check_on("Raced", "", java_homes_since(9, "it has no VarHandle"));
}

#[test]
fn what_a_call_below_which_others_write_did_not_do_is_not_done_there() {
    check_on("Calling", "exclude=Calling$Library", java_homes_since(9, "it has no VarHandle"));
}

#[test]
fn what_native_code_sets_is_set_at_the_call_of_the_native_method() {
    check_with("declared/Natives.java", "", java_homes(), &[], |bench| {
        let library = bench.folder().join("libnatives.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/native/natives.c");
        let mut cc = Command::new("cc");
        cc.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source);
        for include in ["include", "include/linux"] {
            cc.arg("-I").arg(bench.home.join(include));
        }
        let output = cc.output().expect("a C compiler, as the linker of Rust programs needs one");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        vec![format!("-Dnatives={}", library.display())]
    });
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
fn taking_out_element_after_element_is_recorded_in_words_that_grow_with_the_elements() {
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
fn what_a_generated_subclass_inherits_is_state_of_the_class_above_it() {
    check("Generated");
}

#[test]
fn constructors_are_over_when_the_constructor_of_a_superclass_that_is_not_recorded_throws() {
    check("Failed");
}

#[test]
fn frames_that_an_overflow_of_the_stack_ended_are_over_whoever_catches_it() {
    check_on("Overflows", "exclude=Overflows$Library*", java_homes());
}

/// Hibernate on H2, Spring, Jackson and Gson.
const LIBRARIES: [&str; 30] = [
    "gson-2.11.0",
    "jackson-databind-2.17.2",
    "jackson-core-2.17.2",
    "jackson-annotations-2.17.2",
    "hibernate-core-6.6.1.Final",
    "h2-2.3.232",
    "antlr4-runtime-4.13.2",
    "byte-buddy-1.17.7",
    "jakarta.persistence-api-3.1.0",
    "jakarta.transaction-api-2.0.1",
    "jboss-logging-3.5.0.Final",
    "hibernate-commons-annotations-7.0.1.Final",
    "jandex-3.2.0",
    "classmate-1.5.1",
    "jakarta.xml.bind-api-4.0.0",
    "jaxb-runtime-4.0.2",
    "jaxb-core-4.0.2",
    "txw2-4.0.2",
    "istack-commons-runtime-4.1.1",
    "angus-activation-2.0.0",
    "jakarta.activation-api-2.1.0",
    "jakarta.inject-api-2.0.1",
    "spring-core-6.1.14",
    "spring-beans-6.1.14",
    "spring-context-6.1.14",
    "spring-aop-6.1.14",
    "spring-expression-6.1.14",
    "spring-jcl-6.1.14",
    "micrometer-observation-1.12.11",
    "micrometer-commons-1.12.11",
];

#[test]
fn what_libraries_write_into_objects_of_the_program_is_written_at_the_programs_call() {
    if slow() {
        let homes = java_homes_since(17, "Spring 6 needs Java 17");
        check_with("frameworks/Filled.java", "include=Filled*", homes, &jars(&LIBRARIES), |_| vec![]);
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
fn arrays_that_the_jdk_makes_fills_or_sorts_hold_what_they_hold_and_were_written_at_the_call() {
    check("Unseen");
}

#[test]
fn a_call_that_changes_nothing_reads_and_maps_hold_the_keys_and_values_they_kept() {
    check("Unchanged");
}

#[test]
fn a_method_reference_to_a_container_changes_it_where_it_is_applied() {
    check("Bound");
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
fn accesses_that_are_recorded_together_mean_what_they_mean_recorded_one_by_one() {
    check("Together");
    for class in ["Together", "Shapes", "Invocations"] {
        for home in java_homes() {
            let bench = Bench::new(&home, &[&format!("declared/{class}.java")], &[]);
            // Between the accesses of a block's first instruction and the others nothing is recorded together.
            let [at_once, alone] =
                ["", "blocks=true"].map(|options| in_lines(&bench.recorded(options, &[class]).recording()));
            let alone: BTreeSet<String> = alone.into_iter().filter(|line| !is_of_block(line)).collect();
            assert_eq!(at_once, alone, "{class} on {}", home.display());
        }
    }
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
