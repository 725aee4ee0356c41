//! One case per sentence of what reaching definitions and reachable uses of basic blocks are, with what must not be found.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod common;

use common::{BLOCKS, Facts, M, World, field_ref};
use dynaflow_dataflow::AnalysisConfig;
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sites::{Access, FieldRef, ValueKind};
use dynaflow_model::words;

const LEAF: ValueKind = ValueKind::Leaf;
const JAVA: &str = "java.lang.Object";
const LIST: &str = "java.util.ArrayList";

fn config() -> AnalysisConfig {
    AnalysisConfig { blocks: true, ..AnalysisConfig::default() }
}

/// The facts per basic block of a run, without the offsets of sites and without which blocks were entered.
fn facts(world: &World) -> Vec<String> {
    plain(&world.run(config()))
}

fn plain(facts: &Facts) -> Vec<String> {
    let all = facts.get(BLOCKS).into_iter().flatten();
    let offset = |part: &str| part.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned();
    let text = |fact: &String| {
        let mut parts = fact.split('@');
        let first = parts.next().unwrap().to_owned();
        first + &parts.map(offset).collect::<String>()
    };
    all.filter(|fact| !fact.starts_with("entered")).map(text).collect()
}

/// A root `a.Root` that refers to an `a.Part`, by a reference that a test wrote.
struct Small {
    w: World,
    root: ObjectId,
    part: ObjectId,
    run: M,
    help: M,
    put: M,
    own: FieldRef,
    level: FieldRef,
}

fn small() -> Small {
    let mut w = World::new();
    let root_class = w.class("a.Root", JAVA, &["part", "own"], &["run", "help"]);
    let part_class = w.class("a.Part", JAVA, &["level"], &["put"]);
    let test_class = w.class("t.T", JAVA, &[], &["test t"]);
    let (run, help) = (w.method(root_class, "run"), w.method(root_class, "help"));
    let (put, test) = (w.method(part_class, "put"), w.method(test_class, "t"));
    let (root, part, this) = (w.object(0, "a.Root"), w.object(0, "a.Part"), w.object(0, "t.T"));
    w.begin_test(0, test, this);
    w.put(0, test, root, &field_ref("a.Root", "part"), Some(part));
    w.end_test(0, test, false);
    let (own, level) = (field_ref("a.Root", "own"), field_ref("a.Part", "level"));
    Small { w, root, part, run, help, put, own, level }
}

const PART: &str = "a.Root: a.Root.part = direct t.T.t[]";
const UNDER_PART: &str = "a.Root: a.Root.part a.Part.level = nested t.T.t[]";

#[test]
fn what_reaches_a_block_is_what_is_defined_when_it_is_entered_and_every_entry_counts() {
    let Small { mut w, root, run, own, .. } = small();
    w.enter(0, run, root);
    w.block(0, run, 1);
    for _ in 0..2 {
        w.block(0, run, 2);
        w.put_this(0, run, &own, None);
    }
    w.exit(0, run);
    let own = "a.Root: a.Root.own = direct a.Root.run[a.Root.run]";
    let expected = [
        format!("reaching a.Root.run#1 {UNDER_PART}"),
        format!("reaching a.Root.run#1 {PART}"),
        format!("reaching a.Root.run#2 {own}"),
        format!("reaching a.Root.run#2 {UNDER_PART}"),
        format!("reaching a.Root.run#2 {PART}"),
    ];
    let mut found = facts(&w);
    found.sort();
    let mut expected = expected.to_vec();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn a_definition_below_the_root_kills_and_reaches_like_one_of_its_own_and_only_the_receiver_is_a_root() {
    let Small { mut w, root, part, run, put, level, .. } = small();
    w.enter(0, run, root);
    w.block(0, run, 1);
    w.enter(0, put, part);
    w.block(0, put, 1);
    w.put_this(0, put, &level, None);
    w.block(0, put, 2);
    w.exit(0, put);
    w.block(0, run, 2);
    w.exit(0, run);
    let found = facts(&w);
    let direct = "a.Root: a.Root.part a.Part.level = direct a.Part.put[a.Root.run,a.Part.put]";
    assert!(found.contains(&format!("reaching a.Root.run#2 {direct}")), "{found:#?}");
    assert!(!found.contains(&format!("reaching a.Root.run#2 {UNDER_PART}")));
    assert!(found.contains(&format!("reaching a.Root.run#1 {UNDER_PART}")));
    let inner: Vec<_> = found.iter().filter(|fact| fact.contains("a.Part.put#")).collect();
    assert_eq!(inner, ["reaching a.Part.put#2 a.Part: a.Part.level = direct a.Part.put[a.Part.put]"]);
}

#[test]
fn a_use_is_reachable_from_every_block_entered_since_its_definition_also_from_one_whose_frame_ended() {
    let Small { mut w, root, run, help, own, .. } = small();
    w.enter(0, run, root);
    w.block(0, run, 1);
    w.put_this(0, run, &own, None);
    w.block(0, run, 2);
    w.enter(0, help, root);
    w.block(0, help, 1);
    w.exit(0, help);
    w.get_this(0, run, &own, LEAF);
    w.exit(0, run);
    // Another invocation: neither the blocks of the first reach its uses, nor would they be distinguished.
    w.enter(0, help, root);
    w.block(0, help, 2);
    w.get_this(0, help, &own, LEAF);
    w.exit(0, help);
    let found = facts(&w);
    let reachable: Vec<_> = found.iter().filter(|fact| fact.starts_with("reachable")).collect();
    assert_eq!(
        reachable,
        [
            "reachable a.Root.help#1 a.Root: a.Root.own -> a.Root.run[a.Root.run]",
            "reachable a.Root.help#2 a.Root: a.Root.own -> a.Root.help[a.Root.help]",
            "reachable a.Root.run#2 a.Root: a.Root.own -> a.Root.run[a.Root.run]",
        ]
    );
}

#[test]
fn a_use_of_what_was_never_defined_is_reachable_and_another_thread_has_blocks_of_its_own() {
    let Small { mut w, root, run, help, own, .. } = small();
    w.enter(0, run, root);
    w.block(0, run, 1);
    w.enter(1, help, root);
    w.get_this(1, help, &own, LEAF);
    w.get_this(0, run, &own, LEAF);
    w.exit(1, help);
    w.exit(0, run);
    let found = facts(&w);
    let reachable: Vec<_> = found.iter().filter(|fact| fact.starts_with("reachable")).collect();
    assert_eq!(reachable, ["reachable a.Root.run#1 a.Root: a.Root.own -> a.Root.run[a.Root.run]"]);
}

#[test]
fn a_constructors_blocks_before_its_this_is_known_are_entered_between_its_writes() {
    let mut w = World::new();
    let class = w.class("a.Inner", JAVA, &["outer"], &["<init>"]);
    let init = w.method(class, "<init>");
    let outer = field_ref("a.Inner", "outer");
    w.enter_constructor(0, init);
    w.block(0, init, 1);
    w.put_this(0, init, &outer, None);
    w.block(0, init, 2);
    w.super_call(0, init, JAVA);
    let object = w.object(0, "a.Inner");
    w.bind(0, init, object);
    w.exit(0, init);
    // Another one, whose super constructor throws: nobody knows its object.
    w.enter_constructor(0, init);
    w.block(0, init, 3);
    w.throw(0, init);
    let run = w.run(config());
    let written = "a.Inner: a.Inner.outer = direct a.Inner.<init>[a.Inner.<init>]";
    assert_eq!(plain(&run), [format!("reaching a.Inner.<init>#2 {written}")]);
    let entered: Vec<_> = run[BLOCKS].iter().filter(|fact| fact.starts_with("entered")).collect();
    assert_eq!(entered, ["entered a.Inner.<init>#1", "entered a.Inner.<init>#2"]);
}

#[test]
fn what_comes_into_a_container_without_a_write_of_its_contents_reaches_with_its_definitions() {
    let mut w = World::new();
    w.mirror(LIST, &["java.util.AbstractList".into(), "java.util.Collection".into()]);
    let root_class = w.class("a.Root", JAVA, &["list"], &["run"]);
    let part_class = w.class("a.Part", JAVA, &["level"], &["put"]);
    let (run, put) = (w.method(root_class, "run"), w.method(part_class, "put"));
    let (root, part, list) = (w.object(0, "a.Root"), w.object(0, "a.Part"), w.object(0, LIST));
    w.enter(0, run, root);
    w.put_this(0, run, &field_ref("a.Root", "list"), Some(list));
    w.enter(0, put, part);
    w.put_this(0, put, &field_ref("a.Part", "level"), None);
    w.exit(0, put);
    w.block(0, run, 1);
    // A read reported what the list holds.
    w.contents(0, run, Access::Read, list);
    w.held(0, words::HELD_AT_LEAST_ONCE, list, part);
    w.block(0, run, 1);
    w.exit(0, run);
    let found = facts(&w);
    let below = "a.Root: a.Root.list [] a.Part.level = direct a.Part.put[a.Root.run,a.Part.put]";
    assert!(found.contains(&format!("reaching a.Root.run#1 {below}")), "{found:#?}");
}

#[test]
fn test_methods_enter_no_blocks_and_without_the_option_nobody_does() {
    let Small { mut w, root, run, own, .. } = small();
    let this = w.object(0, "t.T");
    let test = w.method(2, "t");
    w.begin_test(0, test, this);
    w.block(0, test, 1);
    w.enter(0, run, root);
    w.block(0, run, 1);
    w.get_this(0, run, &own, LEAF);
    w.exit(0, run);
    w.end_test(0, test, false);
    let entered = w.run(config())[BLOCKS].clone();
    assert!(entered.contains("entered a.Root.run#1") && entered.iter().all(|fact| !fact.contains("t.T.t#")));
    assert!(!w.facts().contains_key(BLOCKS));
}

#[test]
fn a_block_of_a_method_that_does_not_run_is_counted_as_trouble() {
    let Small { mut w, root, run, help, .. } = small();
    w.enter(0, run, root);
    w.block(0, help, 1);
    w.exit(0, run);
    let mut engine = w.engine(config());
    w.script.iter().for_each(|(thread, words)| engine.chunk(*thread, words));
    assert_eq!((engine.trouble().desynchronised, engine.facts().blocks.len()), (1, 0));
}

#[test]
fn a_loop_that_is_sent_in_one_chunk_shows_what_it_shows_event_by_event() {
    let Small { mut w, root, part, run, put, own, level, .. } = small();
    w.enter(0, run, root);
    w.block(0, run, 1);
    for _ in 0..20 {
        w.block(0, run, 2);
        w.get_this(0, run, &own, LEAF);
        w.enter(0, put, part);
        w.block(0, put, 1);
        w.put_this(0, put, &level, None);
        w.exit(0, put);
        w.block(0, run, 3);
        w.put_this(0, run, &own, None);
    }
    w.block(0, run, 4);
    w.get_this(0, run, &own, LEAF);
    w.get(0, run, part, &level, LEAF);
    w.exit(0, run);
    let words: Vec<u64> = w.script.iter().flat_map(|(_, words)| words.iter().copied()).collect();
    let mut engine = w.engine(config());
    engine.chunk(0, &words);
    let records = engine.finish();
    assert_eq!(common::in_words(engine.facts(), &records), w.run(config()));
}

#[test]
fn a_write_that_waits_for_its_constructor_parts_the_writes_before_it_from_those_after_it() {
    let mut w = World::new();
    let class = w.class("a.Inner", JAVA, &["part"], &["<init>"]);
    let part_class = w.class("a.Part", JAVA, &["level"], &["put"]);
    let (init, put) = (w.method(class, "<init>"), w.method(part_class, "put"));
    let (part, level) = (w.object(0, "a.Part"), field_ref("a.Part", "level"));
    w.enter_constructor(0, init);
    w.enter(1, put, part);
    w.put_this(1, put, &level, None);
    w.put_this(0, init, &field_ref("a.Inner", "part"), Some(part));
    // The same site and frame again, and nothing but the write in between that has not taken effect yet.
    w.put_this(1, put, &level, None);
    w.super_call(0, init, JAVA);
    let object = w.object(0, "a.Inner");
    w.bind(0, init, object);
    w.get(0, init, part, &level, LEAF);
    w.exit(0, init);
    let found: Vec<String> =
        w.facts().into_values().flatten().filter(|fact| fact.starts_with("pair")).collect();
    let [pair] = found.as_slice() else { panic!("one pair: {found:?}") };
    assert!(pair.starts_with("pair a.Inner: a.Inner.part a.Part.level = direct a.Part.put@"), "{pair}");
}
