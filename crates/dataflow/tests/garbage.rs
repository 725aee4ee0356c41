//! No word stream makes the engine panic, and it stays usable after one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod common;

use arbtest::arbitrary::{Result, Unstructured};
use common::{STRIDE, World, field_ref};
use dynaflow_dataflow::{AnalysisConfig, Trouble};
use dynaflow_model::ids::{ObjectId, SiteId};
use dynaflow_model::sites::{Access, ClassSites, Site, SiteKind, ValueKind};
use dynaflow_model::words;
use std::sync::Arc;

/// Two classes with sites of every kind, and a test class.
fn world() -> World {
    let mut w = World::new();
    w.mirror("[I", &["java.lang.Object".into()]);
    w.mirror("java.util.ArrayList", &["java.util.Collection".into()]);
    for (name, above) in [("a.A", "java.lang.Object"), ("a.B", "a.A"), ("t.T", "a.B")] {
        let class = w.class(name, above, &["x", "y", "static s"], &["<init>", "m", "static u"]);
        if name == "t.T" {
            w.classes[class].methods[1].role = dynaflow_model::sites::TestRole::Test;
        }
        let field = field_ref(name, "x");
        for method in ["<init>", "m", "static u"].map(|method| w.method(class, method)) {
            let object = w.object(0, name);
            w.enter(0, method, object);
            w.enter_static(0, method);
            w.enter_constructor(0, method);
            w.super_call(0, method, above);
            w.bind(0, method, object);
            for value in [None, Some(object)] {
                w.put(0, method, object, &field, value);
                w.put_this(0, method, &field, value);
                w.put_static(0, method, &field_ref(name, "s"), value);
                w.store(0, method, object, 1, value);
            }
            w.get(0, method, object, &field, ValueKind::Reference);
            w.get_this(0, method, &field, ValueKind::Reference);
            w.get_static(0, method, &field_ref(name, "s"));
            w.load(0, method, object, 1);
            w.range(0, method, Access::Write, object, (0, u32::MAX >> 2));
            w.range(0, method, Access::Read, object, (1, 7));
            w.contents(0, method, Access::ReadWrite, object);
            w.argument(0, method, (Access::Read, "java.util.List", "addAll", false), object, object);
            w.restoring(0);
            w.restored(0, method, true);
            w.exit(0, method);
            w.throw(0, method);
        }
    }
    w
}

fn word(u: &mut Unstructured<'_>, sites: &[u32]) -> Result<u64> {
    let object = *u.choose(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 100, 101, 102, 1 << 31, words::PAYLOAD_MASK])?;
    Ok(match u.int_in_range(0..=9)? {
        0 => u.arbitrary()?,
        1 => words::word(u.int_in_range(0..=words::OVERFLOWED + 1)?, object),
        2 => words::word(u.arbitrary()?, object),
        3 => *u.choose(sites)? as u64,
        _ => words::word(*u.choose(sites)?, object),
    })
}

#[test]
fn no_word_stream_makes_the_engine_panic() {
    let w = world();
    let sites: Vec<u32> = (0..)
        .zip(&w.classes)
        .flat_map(|(at, class)| (0..class.sites.len() as u32).map(move |site| (at + 1) * STRIDE + site))
        .collect();
    let config = AnalysisConfig {
        depth: 3,
        context: 3,
        paths: 8,
        carve: true,
        blocks: true,
        thin: None,
        memory: 1 << 14,
        frames: 8,
    };
    arbtest::arbtest(|u| {
        let mut engine = w.engine(config);
        while !u.is_empty() {
            let words =
                (0..u.int_in_range(1..=20)?).map(|_| word(u, &sites)).collect::<Result<Vec<u64>>>()?;
            engine.chunk(u.int_in_range(0..=2)?, &words);
            if u.ratio(1, 50)? {
                engine.thread_ended(u.int_in_range(0..=3)?);
            }
        }
        engine.finish();
        // Whatever came before, a new thread is analysed.
        let before = engine.facts().exits.len();
        w.script.iter().for_each(|(_, words)| engine.chunk(9, words));
        assert!(engine.facts().exits.len() >= before);
        Ok(())
    })
    .budget_ms(2000);
}

#[test]
fn a_table_that_contradicts_itself_is_refused_or_has_unknown_sites() {
    let mut engine = dynaflow_dataflow::Engine::new(AnalysisConfig::default());
    let kind = SiteKind::Exit { exceptional: false };
    let sites = vec![Site { method: 7, offset: 0, line: 0, kind }];
    let class = ClassSites { name: "a.A".into(), sites, ..ClassSites::default() };
    engine.class_loaded(SiteId(3), Arc::new(class.clone()));
    engine.class_loaded(SiteId(words::SITE_LIMIT), Arc::new(class.clone()));
    assert_eq!(engine.trouble().refused_classes, 2);
    engine.class_loaded(SiteId(64), Arc::new(class));
    engine.chunk(0, &[words::word(64, 0)]);
    assert_eq!((engine.trouble().garbage, engine.trouble().refused_classes), (1, 2));
}

#[test]
fn a_call_that_reads_from_a_stream_and_cannot_say_what_it_read_is_counted() {
    let mut w = World::new();
    let class = w.class("a.A", "java.lang.Object", &[], &["m"]);
    let m = w.method(class, "m");
    let object = w.object(0, "a.A");
    w.enter(0, m, object);
    for is_known in [true, false, true] {
        w.restoring(0);
        w.restored(0, m, is_known);
    }
    let mut engine = w.engine(AnalysisConfig::default());
    w.script.iter().for_each(|(thread, words)| engine.chunk(*thread, words));
    assert_eq!(engine.trouble(), Trouble { restored_in_part: 1, ..Trouble::default() });
}

#[test]
fn objects_beyond_the_graves_are_freed_and_their_receivers_kept_until_they_end() {
    let mut w = World::new();
    let class = w.class("a.A", "java.lang.Object", &["x"], &["m"]);
    let m = w.method(class, "m");
    let x = field_ref("a.A", "x");
    let held = w.object(0, "a.A");
    w.enter(0, m, held);
    w.put_this(0, m, &x, None);
    w.dead(0, held);
    for _ in 0..10_000 {
        let object = w.object(0, "a.A");
        w.put(0, m, object, &x, Some(held));
        w.dead(0, object);
    }
    w.get_this(0, m, &x, ValueKind::Leaf);
    w.exit(0, m);
    let facts = w.facts();
    let found: Vec<&String> = facts.values().flatten().collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found.iter().any(|fact| fact.starts_with("pair"))
            && found.iter().any(|fact| fact.starts_with("exit"))
    );
    assert_eq!(held, ObjectId(100));
}
