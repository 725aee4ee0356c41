//! What the bound on memory made the engine forget is unknown from then on: facts may be missing, but none is made up.
//!
//! Small runs in which it is known when what is forgotten, and what of that the definitions forbid. It knows nothing of how much room what takes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod common;

use common::{BLOCKS, Facts, M, World, field_ref, in_words};
use dynaflow_dataflow::AnalysisConfig;
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sites::{FieldRef, SiteKind, ValueKind};
use dynaflow_model::words;

/// A root that refers to a part; what the part inherits is declared by no class that is known.
struct Parts {
    w: World,
    outer: M,
    set: M,
    read: M,
    root: ObjectId,
    part: ObjectId,
    to_part: FieldRef,
    inherited: FieldRef,
    level: FieldRef,
}

fn parts() -> Parts {
    parts_with(&["level"])
}

/// The same where the part's class declares other fields.
fn parts_with(fields: &[&str]) -> Parts {
    let mut w = World::new();
    let root = w.class("a.Root", "java.lang.Object", &["part"], &["static outer", "set"]);
    let part = w.class("a.Part", "lib.Unknown", fields, &["read"]);
    w.texts.push("a.Part#level#X".to_owned());
    let [outer, set, read] =
        [(root, "static outer"), (root, "set"), (part, "read")].map(|(class, name)| w.method(class, name));
    let [root, part] = ["a.Root", "a.Part"].map(|class| w.object(0, class));
    let to_part = field_ref("a.Root", "part");
    let inherited = field_ref("lib.Unknown", "inherited");
    let level = field_ref("a.Part", "level");
    Parts { w, outer, set, read, root, part, to_part, inherited, level }
}

/// The facts when everything but receivers of active frames is forgotten after so many events.
fn forgetting_after(w: &World, events: usize) -> Facts {
    let mut engine = w.engine(AnalysisConfig { blocks: true, memory: 1, ..AnalysisConfig::default() });
    let (before, after) = w.script.split_at(events);
    for script in [before, after] {
        let words: Vec<u64> = script.iter().flat_map(|(_, words)| words.iter().copied()).collect();
        engine.chunk(0, &words);
    }
    assert!(engine.bounds().memory > 0, "nothing was forgotten");
    let records = engine.finish();
    in_words(engine.facts(), &records)
}

/// Whether any of the facts has this text in it.
fn has(facts: &Facts, text: &str) -> bool {
    facts.values().flatten().any(|fact| fact.contains(text))
}

#[test]
fn a_field_that_was_forgotten_and_then_written_by_nobody_knows_whom_was_not_there_when_the_method_began() {
    for is_written in [false, true] {
        let Parts { mut w, outer, read, part, inherited, .. } = parts();
        w.enter_static(0, outer);
        w.put(0, outer, part, &inherited, None);
        let events = w.script.len();
        w.enter(0, read, part);
        if is_written {
            w.hand_write(0, 0, part, 0, None);
        }
        w.get_this(0, read, &inherited, ValueKind::Leaf);
        w.exit(0, read);
        w.exit(0, outer);
        let facts = forgetting_after(&w, events);
        let entry = "entry a.Part.read a.Part: lib.Unknown.inherited";
        assert_eq!(has(&facts, entry), !is_written, "{facts:?}");
        assert!(!has(&facts, "pair a.Part:"), "{facts:?}");
    }
}

#[test]
fn a_field_that_was_forgotten_and_then_written_by_nobody_knows_whom_is_not_defined_by_a_reference_to_its_object()
 {
    for (is_written, fields) in [(false, &["level"][..]), (true, &["level"]), (true, &[])] {
        let Parts { mut w, outer, set, read, root, part, to_part, inherited, .. } = parts_with(fields);
        w.enter_static(0, outer);
        w.put(0, outer, part, &inherited, None);
        let events = w.script.len();
        w.enter(0, set, root);
        w.put_this(0, set, &to_part, Some(part));
        if is_written {
            w.hand_write(0, 0, part, 0, None);
        }
        w.enter(0, read, part);
        w.get_this(0, read, &inherited, ValueKind::Leaf);
        w.exit(0, read);
        w.exit(0, set);
        let facts = forgetting_after(&w, events);
        let pair = "pair a.Root: a.Root.part lib.Unknown.inherited = nested a.Root.set";
        assert_eq!(has(&facts, pair), !is_written, "{facts:?}");
    }
}

/// A part is written, and forgotten in a call that reads from a stream; the root gets it, and enters blocks before and after the call put
/// something somewhere. The facts per basic block.
fn put_by_a_stream(put: impl FnOnce(&mut World, u32, ObjectId)) -> Facts {
    let Parts { mut w, outer, set, root, part, to_part, level, .. } = parts();
    let site = w.site(set, SiteKind::Restore);
    w.enter_static(0, outer);
    w.put(0, outer, part, &level, None);
    w.enter(0, set, root);
    w.restoring(0);
    let events = w.script.len();
    w.put_this(0, set, &to_part, Some(part));
    w.block(0, set, 1);
    put(&mut w, site, part);
    w.block(0, set, 2);
    w.exit(0, set);
    let mut facts = forgetting_after(&w, events);
    facts.retain(|name, _| name == BLOCKS);
    facts
}

#[test]
fn what_a_stream_may_have_written_over_something_forgotten_reaches_no_block_any_more() {
    let nested = |block| format!("reaching a.Root.set#{block} a.Root: a.Root.part a.Part.level = nested");
    let facts = put_by_a_stream(|w, site, part| {
        let place = w.text("a.Part#level#X");
        w.stored(0, site, part, place, None);
    });
    assert!(has(&facts, &nested(1)) && !has(&facts, &nested(2)), "{facts:?}");
    let facts = put_by_a_stream(|_, _, _| {});
    assert!(has(&facts, &nested(1)) && has(&facts, &nested(2)), "{facts:?}");
    let facts = put_by_a_stream(|w, _, part| w.hand_write(0, 0, part, 0, None));
    assert!(has(&facts, &nested(1)) && !has(&facts, &nested(2)), "{facts:?}");
}

#[test]
fn what_a_stream_may_have_written_over_elements_forgotten_reaches_no_block_any_more() {
    for is_written in [false, true] {
        let Parts { mut w, outer, set, root, to_part, .. } = parts();
        w.mirror("[I", &["java.lang.Object".to_owned()]);
        let array = w.array(0, "[I", 2);
        let site = w.site(set, SiteKind::Restore);
        w.enter_static(0, outer);
        (0..2).for_each(|index| w.store(0, outer, array, index, None));
        w.enter(0, set, root);
        w.restoring(0);
        let events = w.script.len();
        w.put_this(0, set, &to_part, Some(array));
        w.block(0, set, 1);
        if is_written {
            w.push(0, &[words::word(words::WRITE_RANGE, array.0), u64::from(site), 2]);
        }
        w.block(0, set, 2);
        w.exit(0, set);
        let facts = forgetting_after(&w, events);
        let nested = |block| format!("reaching a.Root.set#{block} a.Root: a.Root.part [] = nested");
        assert!(has(&facts, &nested(1)), "{facts:?}");
        assert_eq!(has(&facts, &nested(2)), !is_written, "{facts:?}");
    }
}
