//! Random runs of a small program: what its threads report, in order.
//!
//! It knows what a recorder may report and in which order, nothing of facts. Invariant: the same seed gives the same run, and a shorter run is the
//! beginning of a longer one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

use crate::common::{M, World, field_ref};
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sites::{Access, FieldRef, MethodRef, ReceiverKind, SiteKind, ValueKind};
use dynaflow_model::words;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// What a frame of a generated run may do next.
#[derive(Clone, Debug, PartialEq)]
enum Stage {
    /// Anything.
    Body,
    /// A constructor before it invoked another one.
    Before,
    /// A constructor that invoked another one, which has not returned.
    Calling,
    /// That one returned.
    Returned,
}

#[derive(Clone, Debug)]
struct Running {
    method: M,
    this: Option<ObjectId>,
    stage: Stage,
    /// For constructors, the object, made when the innermost one binds.
    class: Option<String>,
    is_test_method: bool,
}

/// A random run in the making.
struct Program {
    world: World,
    rng: ChaCha8Rng,
    threads: Vec<Vec<Running>>,
    /// Whether a thread has said which one made it.
    announced: Vec<bool>,
    /// Whether stacks overflow, where other runs have frames that end without a word: those that nobody knows of are not counted.
    overflows: bool,
    /// Objects of classes with fields, with their classes.
    objects: Vec<(ObjectId, String)>,
    arrays: Vec<ObjectId>,
    /// Of arrays whose length is known.
    lengths: BTreeMap<ObjectId, u32>,
    lists: Vec<ObjectId>,
}

const OBJECT_ARRAY: &str = "[Ljava.lang.Object;";
const LIST: &str = "java.util.ArrayList";
const ITERATOR: &str = "java.util.ArrayList$Itr";

fn program(seed: u64) -> Program {
    let mut world = World::new();
    world.mirror(OBJECT_ARRAY, &["java.lang.Object".to_owned()]);
    world.mirror(
        LIST,
        &["java.util.AbstractList".into(), "java.util.List".into(), "java.util.Collection".into()],
    );
    world.mirror(ITERATOR, &["java.util.Iterator".into()]);
    let object = "java.lang.Object";
    world.class(
        "p.A",
        object,
        &["x", "next", "sub", "static s", "static n"],
        &["<init>", "m", "n", "static u"],
    );
    world.class("p.B", "p.A", &["x", "other", "$jacoco"], &["<init>", "m", "k", "static v"]);
    world.class("p.C", "lib.U", &["link", "static c"], &["<init>", "<init2>", "p", "static w"]);
    world.class(
        "t.Test",
        object,
        &["fixture"],
        &["<init>", "test one", "test two", "before setUp", "after tearDown"],
    );
    world.class(
        "t.Old",
        "junit.framework.TestCase",
        &["fixture"],
        &["<init>", "maybe testIt", "maybe testAt"],
    );
    world.class("t.Fake", "p.A", &[], &["<init>", "maybe testNothing"]);
    let names =
        ["p.A#x#X", "p.A#sub#X", "p.B#other#X", "p.C#link#X", "p.A#s#X", "p.B#$jacoco#X", "no.Such#x#X"];
    world.texts.extend(names.map(str::to_owned));
    let threads = vec![vec![]; 3];
    let rng = ChaCha8Rng::seed_from_u64(seed);
    let announced = vec![true, false, seed.is_multiple_of(4)];
    Program {
        world,
        rng,
        threads,
        announced,
        overflows: seed.is_multiple_of(2),
        objects: vec![],
        arrays: vec![],
        lengths: BTreeMap::new(),
        lists: vec![],
    }
}

/// Class numbers by name, and the constructors of the class above.
fn class_number(name: &str) -> usize {
    ["p.A", "p.B", "p.C", "t.Test", "t.Old", "t.Fake"].iter().position(|class| *class == name).unwrap()
}

impl Program {
    fn chance(&mut self, percent: u32) -> bool {
        self.rng.random_range(0..100) < percent
    }

    fn step(&mut self) {
        let thread = if self.chance(70) { 0 } else { self.rng.random_range(0..self.threads.len()) };
        let number = thread as u32;
        match self.threads[thread].last().cloned() {
            None => self.call(thread),
            Some(top) if top.stage == Stage::Before => self.before_super(thread, &top),
            Some(top) if top.stage == Stage::Returned => {
                self.world.bind(number, top.method, top.this.unwrap());
                self.top(thread).stage = Stage::Body;
            }
            Some(top) => match self.rng.random_range(0..100) {
                0..=14 if self.threads[thread].len() < 9 => self.call(thread),
                0..=27 => self.leave(thread),
                28..=34 => self.make(thread),
                35 => self.clone_object(thread, &top),
                36..=40 => self.repeat(thread),
                41..=49 => self.block(thread, &top),
                50..=55 => self.restore(thread, &top),
                56..=57 => self.give(thread, &top),
                58..=59 => self.permute(thread, &top),
                60..=64 => self.by_hand(thread, &top),
                65 if self.overflows => self.overflow(thread),
                _ => self.access(thread, &top),
            },
        }
    }

    /// Does what the thread did last some times more, if that leaves the frames as they are.
    fn repeat(&mut self, thread: usize) {
        let count = self.rng.random_range(1..=8);
        let first = self.world.script.len().saturating_sub(count);
        let stretch = self.world.script[first..].to_vec();
        let mut frames = vec![self.top(thread).method];
        let same = stretch.iter().all(|(number, _)| *number == thread as u32);
        if same
            && stretch.iter().all(|(_, words)| self.is_repeatable(words, &mut frames))
            && frames.len() == 1
        {
            let times = self.rng.random_range(1..=4);
            (0..times).for_each(|_| self.world.script.extend(stretch.iter().cloned()));
        }
    }

    /// Whether what words report may be done again, where these frames are the innermost ones, and goes on in those left then. What was
    /// done in a frame that ended without a word is not done again.
    fn is_repeatable(&self, words: &[u64], frames: &mut Vec<M>) -> bool {
        let site = match words::site_of(words[0]) {
            words::HELD..=words::EMPTIED
            | words::READ_RANGE
            | words::WRITE_RANGE
            | words::UNCHANGED
            | words::HAND_WRITE
            | words::HAND_READ => return true,
            site if site < words::FIRST_SITE => return false,
            site => site,
        };
        let method = self.world.method_of(site);
        let is_innermost = frames.last() == Some(&method);
        match self.world.kind(site) {
            SiteKind::Enter { receiver } => {
                frames.push(method);
                *receiver != ReceiverKind::Constructor
            }
            SiteKind::Exit { .. } => {
                frames.pop();
                is_innermost && !frames.is_empty()
            }
            SiteKind::Bind | SiteKind::SuperCall { .. } | SiteKind::Clone { .. } => false,
            _ => is_innermost,
        }
    }

    fn top(&mut self, thread: usize) -> &mut Running {
        self.threads[thread].last_mut().unwrap()
    }

    fn enter(&mut self, thread: usize, running: Running) {
        self.threads[thread].push(running);
    }

    fn call(&mut self, thread: usize) {
        let number = thread as u32;
        if !std::mem::replace(&mut self.announced[thread], true) {
            let starter = if self.chance(50) { 0 } else { number - 1 };
            self.world.started_by(number, starter);
        }
        let kind = self.rng.random_range(0..10);
        if kind < 2 {
            let (class, name) =
                *[(0, "static u"), (1, "static v"), (2, "static w")].choose(&mut self.rng).unwrap();
            let method = self.world.method(class, name);
            self.world.enter_static(number, method);
            return self.enter(
                thread,
                Running { method, this: None, stage: Stage::Body, class: None, is_test_method: false },
            );
        }
        let Some((object, class)) = self.objects.choose(&mut self.rng).cloned().filter(|_| kind < 8) else {
            return self.construct(thread);
        };
        let candidates: &[(usize, &str)] = match class.as_str() {
            "p.A" => &[(0, "m"), (0, "n")],
            "p.B" => &[(0, "m"), (0, "n"), (1, "m"), (1, "k")],
            "p.C" => &[(2, "p")],
            "t.Test" => &[(3, "one"), (3, "two"), (3, "setUp"), (3, "tearDown")],
            "t.Old" => &[(4, "testIt"), (4, "testAt")],
            _ => &[(5, "testNothing"), (0, "m")],
        };
        let (class, name) = *candidates.choose(&mut self.rng).unwrap();
        let method = self.world.method(class, name);
        let marked = ["one", "two", "testIt", "testAt", "testNothing"].contains(&name);
        let inside = self.threads[thread].iter().any(|running| running.is_test_method);
        let is_test_method = marked && (!inside || self.chance(30));
        if is_test_method {
            self.world.begin_test(number, method, object);
        } else {
            self.world.enter(number, method, object);
        }
        self.enter(
            thread,
            Running { method, this: Some(object), stage: Stage::Body, class: None, is_test_method },
        );
    }

    fn construct(&mut self, thread: usize) {
        let (class, name) = *[
            ("p.A", "<init>"),
            ("p.B", "<init>"),
            ("p.C", "<init>"),
            ("p.C", "<init2>"),
            ("t.Test", "<init>"),
            ("t.Old", "<init>"),
            ("t.Fake", "<init>"),
        ]
        .choose(&mut self.rng)
        .unwrap();
        self.enter_constructor(thread, class, name, class);
    }

    fn enter_constructor(&mut self, thread: usize, class: &str, name: &str, of: &str) {
        let method = self.world.method(class_number(class), name);
        self.world.enter_constructor(thread as u32, method);
        let class = Some(of.to_owned());
        self.enter(
            thread,
            Running { method, this: None, stage: Stage::Before, class, is_test_method: false },
        );
    }

    fn before_super(&mut self, thread: usize, top: &Running) {
        let number = thread as u32;
        let class = self.world.classes[top.method.0].name.clone();
        match self.rng.random_range(0..10) {
            0..=2 => {
                let field = self.field_of(&class);
                let value = self.value();
                self.world.put_this(number, top.method, &field, value);
            }
            3 if self.threads[thread].len() < 9 => {
                // An argument of the invocation is computed by a static method.
                let method = self.world.method(0, "static u");
                self.world.enter_static(number, method);
                self.enter(
                    thread,
                    Running { method, this: None, stage: Stage::Body, class: None, is_test_method: false },
                );
            }
            4 => self.leave_by(thread, true),
            5 => self.block(thread, top),
            _ => self.invoke_super(thread, top, &class),
        }
    }

    fn invoke_super(&mut self, thread: usize, top: &Running, class: &str) {
        let number = thread as u32;
        let second = self.world.classes[top.method.0].methods[usize::from(top.method.1)].name == "<init2>";
        let above = match class {
            "p.B" | "t.Fake" => Some(("p.A", "<init>")),
            "p.C" if second => Some(("p.C", "<init>")),
            _ => None,
        };
        self.top(thread).stage = Stage::Calling;
        if let Some((owner, name)) = above {
            self.world.super_call(number, top.method, owner);
            let of = top.class.clone().unwrap();
            return self.enter_constructor(thread, owner, name, &of);
        }
        let owner = if class == "p.C" { "lib.U" } else { "java.lang.Object" };
        self.world.super_call(number, top.method, owner);
        let of = top.class.clone().unwrap();
        let object = self.world.object(number, &of);
        self.objects.push((object, of));
        self.world.bind(number, top.method, object);
        for running in self.threads[thread].iter_mut().rev() {
            running.this = Some(object);
            let at_super = running.stage == Stage::Calling;
            if running.method == top.method {
                running.stage = Stage::Body;
            }
            if !at_super {
                break;
            }
        }
    }

    fn leave(&mut self, thread: usize) {
        let exceptional = self.chance(25);
        self.leave_by(thread, exceptional);
    }

    fn leave_by(&mut self, thread: usize, exceptional: bool) {
        let number = thread as u32;
        let Some(top) = self.threads[thread].pop() else { return };
        let waiting = self.threads[thread].last().is_some_and(|below| below.stage == Stage::Calling);
        // What goes on in a frame of the same method cannot be distinguished from what goes on in this one.
        let alone = self.threads[thread].iter().all(|below| below.method != top.method);
        let is_reported =
            top.is_test_method || waiting || !alone || !exceptional || self.overflows || !self.chance(10);
        match (top.is_test_method, exceptional) {
            _ if !is_reported => {}
            (true, _) => self.world.end_test(number, top.method, exceptional),
            (false, true) => self.world.throw(number, top.method),
            (false, false) => self.world.exit(number, top.method),
        }
        if waiting && exceptional {
            self.fall_through(thread);
        } else if waiting {
            self.top(thread).stage = Stage::Returned;
        }
    }

    /// The stack overflows, and is caught in one of the frames; those above report nothing.
    fn overflow(&mut self, thread: usize) {
        let stack = &self.threads[thread];
        let tests = stack.iter().rposition(|running| running.is_test_method).unwrap_or(0);
        let catches = |at: &usize| stack[*at].stage != Stage::Calling;
        let catching: Vec<usize> = (tests..stack.len()).filter(catches).collect();
        let Some(at) = catching.choose(&mut self.rng).copied() else { return };
        let method = stack[at].method;
        let live = stack[..=at].iter().filter(|running| running.method == method).count() as u64;
        self.threads[thread].truncate(at + 1);
        self.world.overflowed(thread as u32, method, live);
    }

    /// An exception out of `super(...)` leaves constructors without a word.
    fn fall_through(&mut self, thread: usize) {
        while self.threads[thread].last().is_some_and(|below| below.stage == Stage::Calling) {
            self.threads[thread].pop();
        }
    }

    fn block(&mut self, thread: usize, top: &Running) {
        let number = self.rng.random_range(1..=3);
        self.world.block(thread as u32, top.method, number);
    }

    fn make(&mut self, thread: usize) {
        if let Some(list) = self.lists.choose(&mut self.rng).copied().filter(|_| self.rng.random_ratio(1, 4))
        {
            let view = self.world.view(thread as u32, ITERATOR, list);
            return self.lists.push(view);
        }
        if self.chance(50) {
            let list = self.world.object(thread as u32, LIST);
            return self.lists.push(list);
        }
        let array = if self.chance(50) {
            let length = self.rng.random_range(1..4);
            let array = self.world.array(thread as u32, OBJECT_ARRAY, length);
            self.lengths.insert(array, length);
            array
        } else {
            self.world.object(thread as u32, OBJECT_ARRAY)
        };
        self.arrays.push(array);
    }

    /// Indices an array has, at most so many, from about one on.
    fn within(&self, array: ObjectId, from: u32, count: u32) -> (u32, u32) {
        match self.lengths.get(&array) {
            Some(length) => (from % length, count.min(length - from % length)),
            None => (from, count),
        }
    }

    /// The JDK put the elements of an array in another order, or filled it.
    fn permute(&mut self, thread: usize, top: &Running) {
        let Some(array) = self.arrays.choose(&mut self.rng).copied() else { return };
        let kind = SiteKind::Element { access: Access::Write, value: ValueKind::Reference };
        let site = self.world.site(top.method, kind);
        let (from, count) = self.within(array, 0, 3);
        if self.chance(50) {
            self.world.range(thread as u32, top.method, Access::Read, array, (from, count));
        }
        for index in from..from + count {
            let value = self.value();
            let element = 1 << words::STORED_ELEMENT_BIT | u64::from(index);
            self.world.stored(thread as u32, site, array, element, value);
        }
    }

    /// A cache takes something in and lets the eldest go; or a call of it, which could have changed it, did not.
    fn evict(&mut self, thread: u32, top: &Running, list: ObjectId) {
        let access = *[Access::Write, Access::ReadWrite].choose(&mut self.rng).unwrap();
        if self.chance(40) {
            return self.world.unchanged(thread, top.method, access, list);
        }
        let [eldest, newest] = [self.value(), self.value()].map(|value| value.unwrap_or(ObjectId::NULL));
        self.world.contents(thread, top.method, access, list);
        self.world.held(thread, words::RELEASED, list, eldest);
        self.world.held(thread, words::HELD, list, newest);
    }

    fn field_of(&mut self, class: &str) -> FieldRef {
        let fields: &[(&str, &str)] = match class {
            "p.A" => &[("p.A", "x"), ("p.A", "next"), ("p.A", "sub")],
            "p.B" => &[("p.B", "x"), ("p.B", "next"), ("p.A", "x"), ("p.B", "other"), ("p.A", "sub")],
            "p.C" => &[("p.C", "link"), ("p.C", "inherited"), ("lib.U", "inherited")],
            "t.Test" => &[("t.Test", "fixture")],
            "t.Old" => &[("t.Old", "fixture")],
            _ => &[("t.Fake", "x"), ("t.Fake", "sub"), ("p.A", "next")],
        };
        let (owner, name) = *fields.choose(&mut self.rng).unwrap();
        field_ref(owner, name)
    }

    /// Nothing, null, the sink, or an object to refer to.
    fn value(&mut self) -> Option<ObjectId> {
        let recent = |list: &[ObjectId]| list.len().saturating_sub(4);
        match self.rng.random_range(0..20) {
            0..=4 => None,
            5 => Some(ObjectId::NULL),
            6 => Some(ObjectId::SINK),
            7..=9 => self.arrays[recent(&self.arrays)..].choose(&mut self.rng).copied(),
            10..=11 => self.lists[recent(&self.lists)..].choose(&mut self.rng).copied(),
            _ => self.objects[self.objects.len().saturating_sub(6)..]
                .choose(&mut self.rng)
                .map(|(object, _)| *object),
        }
    }

    fn clone_object(&mut self, thread: usize, top: &Running) {
        let Some((original, class)) = self.objects.choose(&mut self.rng).cloned() else { return };
        let copy = self.world.object(thread as u32, &class);
        self.world.clone_object(thread as u32, top.method, original, copy);
        self.objects.push((copy, class));
    }

    /// A call that reads from a stream begins or ends, or it, or another one, put something somewhere.
    fn restore(&mut self, thread: usize, top: &Running) {
        let (number, method) = (thread as u32, top.method);
        let site = self.world.site(method, SiteKind::Restore);
        match self.rng.random_range(0..10) {
            0..=2 => self.world.restoring(number),
            3 => self.world.restored(number, method, true),
            4 => {
                let Some(array) = self.arrays.choose(&mut self.rng).copied() else { return };
                let (from, count) = (self.rng.random_range(0..4), self.rng.random_range(0..4));
                let (from, count) = self.within(array, from, count);
                let elements = u64::from(from) << 32 | u64::from(count);
                let words = [words::word(words::WRITE_RANGE, array.0), u64::from(site), elements];
                self.world.push(number, &words);
            }
            5 => {
                let Some(array) = self.arrays.choose(&mut self.rng).copied() else { return };
                let index = self.rng.random_range(0..4);
                let element = 1 << words::STORED_ELEMENT_BIT | u64::from(self.within(array, index, 1).0);
                // A list that shows the array may have been called.
                let callee = MethodRef {
                    owner: "java.util.List".into(),
                    name: "set".into(),
                    descriptor: "()V".into(),
                };
                let kind = SiteKind::Contents { access: Access::Write, callee, exact: false };
                let site = if self.chance(50) { self.world.site(method, kind) } else { site };
                let value = self.value();
                self.world.stored(number, site, array, element, value);
            }
            6 => {
                let Some(list) = self.lists.choose(&mut self.rng).copied() else { return };
                self.world.stored(number, site, list, 0, None);
            }
            _ => {
                let Some((object, _)) = self.objects.choose(&mut self.rng).cloned() else { return };
                let place = self.rng.random_range(0..=self.world.texts.len() as u64);
                let value = self.value();
                self.world.stored(number, site, object, place, value);
            }
        }
    }

    /// Other hands access a location, below a call or below none.
    fn by_hand(&mut self, thread: usize, top: &Running) {
        let number = thread as u32;
        // Which kind of site the call is does not matter.
        let below = if self.chance(70) { self.world.site(top.method, SiteKind::Restore) } else { 0 };
        if self.chance(15) {
            return self.range_by_hand(number, below);
        }
        let object = self.objects.choose(&mut self.rng).map(|(object, _)| *object);
        let (object, place) = match self.rng.random_range(0..11) {
            10 => {
                // Nobody knows which field of an object or of a class.
                let class = self.world.mirrors.choose(&mut self.rng).map(|(mirror, ..)| *mirror);
                (if self.rng.random() { object } else { class }, 0)
            }
            0..=1 => {
                let index = self.rng.random_range(0..4);
                let array = self.arrays.choose(&mut self.rng).copied();
                let index = array.map_or(0, |array| self.within(array, index, 1).0);
                (array, 1 << words::STORED_ELEMENT_BIT | u64::from(index))
            }
            2..=3 => (Some(ObjectId::NULL), self.rng.random_range(0..=self.world.texts.len() as u64)),
            4 => (object, self.rng.random_range(0..=self.world.texts.len() as u64)),
            _ => (object, self.rng.random_range(1..=2)),
        };
        let Some(object) = object else { return };
        let value = self.value();
        if self.chance(60) {
            self.world.hand_write(number, below, object, place, value)
        } else {
            self.world.hand_read(number, below, object, place)
        }
    }

    /// Other hands access neighbouring elements.
    fn range_by_hand(&mut self, thread: u32, below: u32) {
        let Some(array) = self.arrays.choose(&mut self.rng).copied() else { return };
        let (from, count) = (self.rng.random_range(0..4), self.rng.random_range(1..4));
        let (from, count) = self.within(array, from, count);
        let how = if below != 0 && self.rng.random() { words::READ_RANGE } else { words::WRITE_RANGE };
        let elements = u64::from(from) << 32 | u64::from(count);
        self.world.push(thread, &[words::word(how, array.0), u64::from(below), elements]);
    }

    /// A call is given a container.
    fn give(&mut self, thread: usize, top: &Running) {
        let Some(list) = self.lists.choose(&mut self.rng).copied() else { return };
        let access = *[Access::Read, Access::Write].choose(&mut self.rng).unwrap();
        let owner = *["java.util.List", "p.A", "p.C"].choose(&mut self.rng).unwrap();
        let name = *["addAll", "m", "p"].choose(&mut self.rng).unwrap();
        let exact = self.chance(30);
        let object = self.objects.choose(&mut self.rng).map(|(object, _)| *object);
        let receiver = *[object, self.lists.first().copied(), None].choose(&mut self.rng).unwrap();
        let receiver = receiver.unwrap_or(ObjectId::NULL);
        self.world.argument(thread as u32, top.method, (access, owner, name, exact), list, receiver);
    }

    /// What a list holds changes.
    fn hold(&mut self, thread: u32, list: ObjectId) {
        let element = self.value().unwrap_or(ObjectId::NULL);
        let how = match self.rng.random_range(0..10) {
            0..=4 => words::HELD,
            5 => words::HELD_AT_LEAST_ONCE,
            6..=8 => words::RELEASED,
            _ => words::EMPTIED,
        };
        self.world.held(thread, how, list, element);
    }

    /// A loop over some elements, in which other things may happen.
    fn fill(&mut self, thread: u32, top: &Running, array: ObjectId, from: u32) {
        let class = self.world.classes[top.method.0].name.clone();
        let count = self.rng.random_range(2..5);
        let (from, count) = self.within(array, from, count);
        for index in from..from + count {
            self.world.store(thread, top.method, array, index, None);
            match self.rng.random_range(0..8) {
                0 if top.this.is_some() => {
                    let field = self.field_of(&class);
                    self.world.put_this(thread, top.method, &field, Some(array));
                }
                1 => {
                    let first = index.saturating_sub(self.rng.random_range(0..2));
                    let (first, count) = self.within(array, first, 2);
                    self.world.range(thread, top.method, Access::Write, array, (first, count));
                }
                2 => self.world.load(thread, top.method, array, index),
                _ => {}
            }
        }
    }

    fn access(&mut self, thread: usize, top: &Running) {
        let number = thread as u32;
        let method = top.method;
        let write = self.chance(50);
        let value = self.value();
        let leaf = ValueKind::Leaf;
        match self.rng.random_range(0..12) {
            0..=3 if top.this.is_some() => {
                let class = self.world.classes[method.0].name.clone();
                let field = self.field_of(&class);
                if write {
                    self.world.put_this(number, method, &field, value)
                } else {
                    self.world.get_this(number, method, &field, leaf)
                }
            }
            0..=6 => {
                let Some((object, class)) = self.objects.choose(&mut self.rng).cloned() else { return };
                let field = self.field_of(&class);
                let object = if self.chance(3) { ObjectId::NULL } else { object };
                if write {
                    self.world.put(number, method, object, &field, value)
                } else {
                    self.world.get(number, method, object, &field, leaf)
                }
            }
            7 => {
                let names = [("p.A", "s"), ("p.A", "n"), ("p.B", "s"), ("p.C", "c"), ("lib.U", "z")];
                let (owner, name) = *names.choose(&mut self.rng).unwrap();
                let field = field_ref(owner, name);
                if write {
                    self.world.put_static(number, method, &field, value)
                } else {
                    self.world.get_static(number, method, &field)
                }
            }
            8..=9 => {
                let Some(array) = self.arrays.choose(&mut self.rng).copied() else { return };
                let index = *[0, 1, 2, 7, 100_000].choose(&mut self.rng).unwrap();
                let index = self.within(array, index, 1).0;
                if self.chance(30) {
                    self.fill(number, top, array, index)
                } else if self.chance(30) {
                    let access = if write { Access::Write } else { Access::Read };
                    let count = self.rng.random_range(0..5);
                    let count = self.within(array, index, count).1;
                    self.world.range(number, method, access, array, (index, count))
                } else if write {
                    self.world.store(number, method, array, index, value)
                } else {
                    self.world.load(number, method, array, index)
                }
            }
            _ => self.use_list(number, top),
        }
    }

    /// A call of a list, or of something that is none.
    fn use_list(&mut self, thread: u32, top: &Running) {
        let object = self.objects.choose(&mut self.rng).map(|(object, _)| *object);
        let Some(list) = self.lists.choose(&mut self.rng).copied().or(object) else { return };
        if self.chance(25) {
            return self.evict(thread, top, list);
        }
        let access = *[Access::Read, Access::Write, Access::ReadWrite].choose(&mut self.rng).unwrap();
        self.world.contents(thread, top.method, access, list);
        if access != Access::Read || self.chance(20) {
            self.hold(thread, list);
        }
    }
}

/// The first so many steps of the random run with this number.
pub fn stream(seed: u64, steps: usize) -> World {
    let mut program = program(seed);
    for _ in 0..steps {
        program.step();
    }
    program.world
}
