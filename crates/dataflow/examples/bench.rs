//! Nanoseconds per event of the engine on synthetic streams: `cargo run --release -p dynaflow-dataflow --example bench`.
//!
//! Each workload plays the accesses of a small program; an argument chooses those whose name contains it. Knows nothing of
//! how the engine works.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a benchmark may")]

#[path = "../tests/common/mod.rs"]
mod common;

use common::{M, World, field_ref};
use dynaflow_dataflow::AnalysisConfig;
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sites::{FieldRef, ValueKind};
use std::time::Instant;

const JAVA: &str = "java.lang.Object";
const LEAF: ValueKind = ValueKind::Leaf;
const REFERENCE: ValueKind = ValueKind::Reference;

/// A hash map of the program's own: a table of chained entries.
struct Map {
    object: ObjectId,
    table: ObjectId,
    /// Entry objects by key.
    buckets: Vec<Vec<(u64, ObjectId)>>,
}

struct Program {
    w: World,
    map: usize,
    entry: usize,
    service: usize,
    number: u64,
}

fn field(owner: &str, name: &str) -> FieldRef {
    field_ref(owner, name)
}

impl Program {
    fn new() -> Self {
        let mut w = World::new();
        w.mirror("[La.Entry;", &[JAVA.to_owned()]);
        w.mirror("[I", &[JAVA.to_owned()]);
        let map = w.class(
            "a.Map",
            JAVA,
            &["table", "size", "modCount"],
            &["<init>", "get", "put", "find", "static index"],
        );
        let entry =
            w.class("a.Entry", JAVA, &["key", "value", "hash", "next"], &["<init>", "getValue", "setValue"]);
        let service = w.class(
            "a.Service",
            JAVA,
            &["map", "hits", "buffer", "static total"],
            &["<init>", "run", "sum", "add"],
        );
        w.class("t.T", JAVA, &[], &["test t"]);
        Self { w, map, entry, service, number: 0 }
    }

    fn m(&self, class: usize, name: &str) -> M {
        self.w.method(class, name)
    }

    fn service(&mut self) -> (ObjectId, Map) {
        let init = self.m(self.service, "<init>");
        self.w.enter_constructor(0, init);
        let service = self.w.object(0, "a.Service");
        self.w.bind(0, init, service);
        let map = self.new_map();
        self.w.put_this(0, init, &field("a.Service", "map"), Some(map.object));
        self.w.put_this(0, init, &field("a.Service", "hits"), None);
        self.w.exit(0, init);
        (service, map)
    }

    fn new_map(&mut self) -> Map {
        let init = self.m(self.map, "<init>");
        self.w.enter_constructor(0, init);
        let object = self.w.object(0, "a.Map");
        self.w.bind(0, init, object);
        let table = self.w.object(0, "[La.Entry;");
        self.w.put_this(0, init, &field("a.Map", "table"), Some(table));
        self.w.put_this(0, init, &field("a.Map", "size"), None);
        self.w.exit(0, init);
        Map { object, table, buckets: vec![vec![]; 64] }
    }

    fn find(&mut self, map: &Map, key: u64) -> Option<ObjectId> {
        let (find, index) = (self.m(self.map, "find"), self.m(self.map, "static index"));
        self.w.enter(0, find, map.object);
        self.w.get_this(0, find, &field("a.Map", "table"), REFERENCE);
        self.w.enter_static(0, index);
        self.w.exit(0, index);
        let bucket = key as usize % map.buckets.len();
        self.w.load(0, find, map.table, bucket as u32);
        let mut found = None;
        for (at, entry) in &map.buckets[bucket] {
            self.w.get(0, find, *entry, &field("a.Entry", "hash"), LEAF);
            self.w.get(0, find, *entry, &field("a.Entry", "key"), LEAF);
            if *at == key {
                found = Some(*entry);
                break;
            }
            self.w.get(0, find, *entry, &field("a.Entry", "next"), REFERENCE);
        }
        self.w.exit(0, find);
        found
    }

    fn get(&mut self, map: &Map, key: u64) {
        let get = self.m(self.map, "get");
        self.w.enter(0, get, map.object);
        if let Some(entry) = self.find(map, key) {
            let get_value = self.m(self.entry, "getValue");
            self.w.enter(0, get_value, entry);
            self.w.get_this(0, get_value, &field("a.Entry", "value"), REFERENCE);
            self.w.exit(0, get_value);
        }
        self.w.exit(0, get);
    }

    fn put(&mut self, map: &mut Map, key: u64) {
        let put = self.m(self.map, "put");
        self.w.enter(0, put, map.object);
        if let Some(entry) = self.find(map, key) {
            let set = self.m(self.entry, "setValue");
            self.w.enter(0, set, entry);
            self.w.put_this(0, set, &field("a.Entry", "value"), None);
            self.w.exit(0, set);
        } else {
            self.add(map, key, put);
        }
        self.w.exit(0, put);
    }

    fn add(&mut self, map: &mut Map, key: u64, put: M) {
        let bucket = key as usize % map.buckets.len();
        self.w.load(0, put, map.table, bucket as u32);
        let init = self.m(self.entry, "<init>");
        self.w.enter_constructor(0, init);
        let entry = self.w.object(0, "a.Entry");
        self.w.bind(0, init, entry);
        for name in ["key", "value", "hash"] {
            self.w.put_this(0, init, &field("a.Entry", name), None);
        }
        let next = map.buckets[bucket].first().map_or(ObjectId::NULL, |(_, entry)| *entry);
        self.w.put_this(0, init, &field("a.Entry", "next"), Some(next));
        self.w.exit(0, init);
        self.w.store(0, put, map.table, bucket as u32, Some(entry));
        self.w.get_this(0, put, &field("a.Map", "size"), LEAF);
        self.w.put_this(0, put, &field("a.Map", "size"), None);
        map.buckets[bucket].insert(0, (key, entry));
    }

    fn random(&mut self, below: u64) -> u64 {
        self.number = self.number.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.number >> 33) % below
    }

    /// Calls `body` in a test method that calls `Service.run`.
    fn in_test(&mut self, body: impl FnOnce(&mut Self, ObjectId, &mut Map, M)) {
        let test = self.m(3, "t");
        let instance = self.w.object(0, "t.T");
        self.w.begin_test(0, test, instance);
        let (service, mut map) = self.service();
        let run = self.m(self.service, "run");
        self.w.enter(0, run, service);
        body(self, service, &mut map, run);
        self.w.exit(0, run);
        self.w.end_test(0, test, false);
    }
}

fn field_loop(p: &mut Program) {
    p.in_test(|p, _, _, run| {
        for _ in 0..500_000 {
            p.w.get_this(0, run, &field("a.Service", "hits"), LEAF);
            p.w.put_this(0, run, &field("a.Service", "hits"), None);
        }
    });
}

fn array_loop(p: &mut Program) {
    p.in_test(|p, _, _, run| {
        let buffer = p.w.object(0, "[I");
        p.w.put_this(0, run, &field("a.Service", "buffer"), Some(buffer));
        (0..300_000).for_each(|at| p.w.store(0, run, buffer, at, None));
        for at in 0..300_000 {
            p.w.get_this(0, run, &field("a.Service", "buffer"), REFERENCE);
            p.w.load(0, run, buffer, at);
        }
    });
}

fn getters(p: &mut Program) {
    p.in_test(|p, _, map, _| {
        p.put(map, 1);
        (0..100_000).for_each(|_| p.get(map, 1));
    });
}

fn setters(p: &mut Program) {
    p.in_test(|p, _, map, _| {
        p.put(map, 1);
        (0..100_000).for_each(|_| p.put(map, 1));
    });
}

fn map_reads(p: &mut Program) {
    p.in_test(|p, _, map, _| {
        (0..500).for_each(|key| p.put(map, key));
        for _ in 0..30_000 {
            let key = p.random(600);
            p.get(map, key);
        }
    });
}

fn map_fill(p: &mut Program) {
    p.in_test(|p, _, map, _| {
        map.buckets.resize(40_000, vec![]);
        (0..30_000).for_each(|key| p.put(map, key));
    });
}

fn many_tests(p: &mut Program) {
    for _ in 0..2_000 {
        p.in_test(|p, _, map, _| {
            for _ in 0..10 {
                let key = p.random(20);
                p.put(map, key);
                p.get(map, key);
            }
        });
    }
}

fn recursion(p: &mut Program) {
    p.in_test(|p, service, _, run| {
        let sum = p.m(p.service, "sum");
        for _ in 0..20 {
            for _ in 0..2_000 {
                p.w.enter(0, sum, service);
                p.w.get_this(0, sum, &field("a.Service", "hits"), LEAF);
            }
            for _ in 0..2_000 {
                p.w.put_this(0, sum, &field("a.Service", "hits"), None);
                p.w.exit(0, sum);
            }
        }
        p.w.get_static(0, run, &field("a.Service", "total"));
    });
}

/// A name and what is played under it.
type Workload = (&'static str, fn(&mut Program));

/// Time this thread spent on a processor, where the system reports it; time on the clock otherwise.
fn processor_time(start: Instant) -> u128 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let first = text.and_then(|text| text.split(' ').next()?.parse().ok());
    first.unwrap_or_else(|| start.elapsed().as_nanos())
}

fn main() {
    let zero = Instant::now();
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let workloads: [Workload; 8] = [
        ("field loop", field_loop),
        ("array loop", array_loop),
        ("getters", getters),
        ("setters", setters),
        ("map reads", map_reads),
        ("map fill", map_fill),
        ("many tests", many_tests),
        ("recursion", recursion),
    ];
    for (name, play) in workloads.into_iter().filter(|(name, _)| name.contains(&wanted)) {
        let mut program = Program::new();
        play(&mut program);
        let words: Vec<u64> = program.w.script.iter().flat_map(|(_, words)| words.iter().copied()).collect();
        let events = program.w.script.len();
        let mut engine = program.w.engine(AnalysisConfig::default());
        let start = processor_time(zero);
        words.chunks(words.len()).for_each(|chunk| engine.chunk(0, chunk));
        let time = processor_time(zero) - start;
        let facts = engine.facts();
        let (pairs, exits) = (facts.pairs.len(), facts.exits.len());
        let nanoseconds = time as f64 / events as f64;
        println!(
            "{name:12} {events:9} events {nanoseconds:8.1} ns/event {pairs:6} pairs {exits:6} exits {:?}",
            engine.bounds()
        );
    }
}
