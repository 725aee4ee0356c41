//! The definitions of what a fact is, applied to a debugger's log of accesses, entries and exits; arrays, containers and what other
//! hands than bytecode do are not in the log.
//!
//! Shares nothing with the agent: it has no sites, no chunks, no caches, and a memory graph of its own. Invariant: what it cannot
//! know it names in [`Reading::foreign`] and [`Reading::unmade`], and its facts of all other fields are those of the run.

use super::{Access, Fact};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What a log shows.
pub struct Reading {
    /// Facts of variables without arrays and containers, by the test that was running, or none.
    pub facts: BTreeMap<String, BTreeSet<Fact>>,
    /// The fields that were watched, as `Class.field`.
    pub watched: BTreeSet<String>,
    /// Those of them that held what no watched write had put there.
    pub foreign: BTreeSet<String>,
    /// By test, those of objects no constructor of which was seen.
    pub unmade: BTreeMap<String, BTreeSet<String>>,
    /// Where a debugger sees accesses: field instructions, and calls that copied an object.
    pub places: BTreeSet<String>,
    /// Accesses, entries and exits.
    pub events: usize,
}

/// The facts of a log, of variables of at most `depth` steps.
pub fn read(log: &str, depth: usize) -> Reading {
    let mut run = Run { depth, ..Run::default() };
    for line in log.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        run.line(words[0], &words[1..]);
    }
    for thread in run.stacks.keys().copied().collect::<Vec<_>>() {
        run.unwind(thread, 0);
    }
    let names =
        |fields: &BTreeSet<Field>| fields.iter().map(|field| run.fields[field].name.clone()).collect();
    Reading {
        foreign: names(&run.foreign),
        unmade: run.unmade.borrow().iter().map(|(test, fields)| (test.clone(), names(fields))).collect(),
        watched: run.fields.values().map(|field| field.name.clone()).collect(),
        places: run.places,
        events: run.now,
        facts: run.facts,
    }
}

/// An object, or the class with this name and its static fields.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Node {
    Object(u64),
    Class(String),
}

type Field = u32;
type Moment = usize;

struct FieldDecl {
    class: String,
    name: String,
}

struct MethodDecl {
    class: String,
    name: String,
    is_static: bool,
    is_test: bool,
}

struct Frame {
    method: u32,
    depth: usize,
    receiver: Option<Node>,
    start: Moment,
    is_of_test_class: bool,
    /// It is the running test.
    is_test: bool,
}

struct Write {
    time: Moment,
    place: String,
    /// Receivers and methods of the program's frames, outermost first.
    frames: Vec<(Option<Node>, u32)>,
}

/// What a location holds, and the write that put it there.
struct Cell {
    write: usize,
    value: String,
}

/// A path from a root: its fields, and its latest write.
type Path = (Vec<Field>, Option<usize>);

#[derive(Default)]
struct Run {
    depth: usize,
    now: Moment,
    /// By name: superclass, and whether it has tests.
    classes: BTreeMap<String, (String, bool)>,
    fields: BTreeMap<Field, FieldDecl>,
    /// By class, and whether they are static.
    declared: HashMap<(String, bool), Vec<Field>>,
    methods: HashMap<u32, MethodDecl>,
    objects: HashMap<u64, String>,
    constructed: BTreeSet<u64>,
    stacks: BTreeMap<u64, Vec<Frame>>,
    writes: Vec<Write>,
    cells: HashMap<Node, BTreeMap<Field, Cell>>,
    /// By object the locations that refer to it.
    referrers: HashMap<u64, BTreeSet<(Node, Field)>>,
    foreign: BTreeSet<Field>,
    /// Of objects that no constructor made, by the test that met them.
    unmade: RefCell<BTreeMap<String, BTreeSet<Field>>>,
    places: BTreeSet<String>,
    /// The running test.
    test: String,
    facts: BTreeMap<String, BTreeSet<Fact>>,
}

fn object(value: &str) -> Option<u64> {
    Some(value.strip_prefix('@')?.parse().unwrap())
}

fn number<N: std::str::FromStr<Err: std::fmt::Debug>>(word: &str) -> N {
    word.parse().unwrap()
}

impl Run {
    fn line(&mut self, letter: &str, words: &[&str]) {
        match (letter, words) {
            ("C", [_, name, has_tests, superclass]) => {
                self.classes.insert((*name).to_owned(), ((*superclass).to_owned(), *has_tests == "1"));
            }
            ("F", [field, class, name, is_static]) => {
                let (class, name, field) = ((*class).to_owned(), format!("{class}.{name}"), number(field));
                self.declared.entry((class.clone(), *is_static == "1")).or_default().push(field);
                self.fields.insert(field, FieldDecl { class, name });
            }
            ("M", [method, class, signature, is_static, is_test, offsets]) => {
                let name = format!("{class}.{signature}");
                self.places.extend(offsets.split_terminator(',').map(|offset| format!("{name}@{offset}")));
                let (class, is_static, is_test) = ((*class).to_owned(), *is_static == "1", *is_test == "1");
                self.methods.insert(number(method), MethodDecl { class, name, is_static, is_test });
            }
            ("O", [object, class]) => {
                self.objects.insert(number(object), (*class).to_owned());
            }
            (_, [thread, depth, rest @ ..]) => {
                self.now += 1;
                self.event(letter, number(thread), number(depth), rest);
            }
            _ => panic!("no line of a log: {letter} {words:?}"),
        }
    }

    fn event(&mut self, letter: &str, thread: u64, depth: usize, words: &[&str]) {
        match (letter, words) {
            ("N", [method, this]) => self.enter(thread, depth, number(method), object(this)),
            ("X", [method]) => {
                self.unwind(thread, depth + 1);
                self.check_top(thread, depth, number(method));
                self.leave(thread, "Normal");
            }
            ("R" | "W", [method, offset, field, holder, value]) => {
                self.unwind(thread, depth + 1);
                let field: Field = number(field);
                if *method == "0" {
                    // Of a class that is not included: another hand.
                    if letter == "W" {
                        self.foreign.insert(field);
                    }
                    return;
                }
                self.check_top(thread, depth, number(method));
                let node = object(holder)
                    .map_or_else(|| Node::Class(self.fields[&field].class.clone()), Node::Object);
                let place = format!("{}@{offset}", self.methods[&number(method)].name);
                if letter == "W" {
                    self.write(thread, node, field, place, value);
                } else {
                    self.read(thread, &node, field, &place, value);
                }
            }
            ("K", [method, offset, original, copy]) => {
                self.unwind(thread, depth + 1);
                self.check_top(thread, depth, number(method));
                let place = format!("{}@{offset}", self.methods[&number(method)].name);
                self.copy(thread, object(original).unwrap(), object(copy).unwrap(), &place);
                self.places.insert(place);
            }
            _ => panic!("no event of a log: {letter} {words:?}"),
        }
    }

    fn check_top(&self, thread: u64, depth: usize, method: u32) {
        let top = self.stacks.get(&thread).and_then(|stack| stack.last());
        let top = top.map(|frame| (frame.depth, frame.method));
        assert_eq!(top, Some((depth, method)), "{}: the frame was entered", self.methods[&method].name);
    }

    fn enter(&mut self, thread: u64, depth: usize, method: u32, this: Option<u64>) {
        self.unwind(thread, depth);
        let declared = &self.methods[&method];
        let receiver = if declared.is_static {
            Some(Node::Class(declared.class.clone()))
        } else {
            this.map(Node::Object)
        };
        assert!(receiver.is_some(), "{}: a receiver", declared.name);
        if declared.name.contains(".<init>(") {
            self.constructed.extend(this);
        }
        let is_test = declared.is_test && self.test.is_empty();
        if is_test {
            let class = this.map_or(&declared.class, |this| &self.objects[&this]);
            let method = declared.name[declared.class.len() + 1..].split('(').next().unwrap();
            self.test = format!("{class}#{method}");
        }
        let is_of_test_class = self.classes[&declared.class].1;
        let frame = Frame { method, depth, receiver, start: self.now, is_of_test_class, is_test };
        self.stacks.entry(thread).or_default().push(frame);
    }

    /// Frames that are no longer there when something happens at a depth of the stack ended by an exception.
    fn unwind(&mut self, thread: u64, depth: usize) {
        while self
            .stacks
            .get(&thread)
            .and_then(|stack| stack.last())
            .is_some_and(|frame| frame.depth >= depth)
        {
            self.leave(thread, "Exception");
        }
    }

    fn leave(&mut self, thread: u64, how: &str) {
        let frame = self.stacks.get_mut(&thread).unwrap().pop().unwrap();
        if frame.is_test {
            self.test.clear();
        }
        let is_outermost = !self.program(thread).any(|outer| outer.receiver == frame.receiver);
        if let Some(root) = frame.receiver.filter(|_| is_outermost && !frame.is_of_test_class) {
            let what = format!("exit {how} {}", self.methods[&frame.method].name);
            self.definitions_at_exit(&root, frame.start, &what);
        }
    }

    /// The frames of the program, outermost first.
    fn program(&self, thread: u64) -> impl Iterator<Item = &Frame> {
        self.stacks.get(&thread).into_iter().flatten().filter(|frame| !frame.is_of_test_class)
    }

    fn frames(&self, thread: u64) -> Vec<(Option<Node>, u32)> {
        self.program(thread).map(|frame| (frame.receiver.clone(), frame.method)).collect()
    }

    /// All fields of the original are read and all of the copy written.
    fn copy(&mut self, thread: u64, original: u64, copy: u64, place: &str) {
        self.constructed.insert(copy);
        let [original, copy] = [original, copy].map(Node::Object);
        let fields = self.fields_of_node(&original).into_iter().map(|field| {
            let cell = self.cells.get(&original).and_then(|cells| cells.get(&field));
            (field, cell.map_or("0".to_owned(), |cell| cell.value.clone()))
        });
        let fields: Vec<_> = fields.collect();
        for (field, value) in &fields {
            self.read(thread, &original, *field, place, value);
        }
        for (field, value) in fields {
            self.write(thread, copy.clone(), field, place.to_owned(), &value);
        }
    }

    fn write(&mut self, thread: u64, node: Node, field: Field, place: String, value: &str) {
        let write = Write { time: self.now, place, frames: self.frames(thread) };
        self.writes.push(write);
        let cell = Cell { write: self.writes.len() - 1, value: value.to_owned() };
        let old = self.cells.entry(node.clone()).or_default().insert(field, cell);
        if let Some(target) = old.and_then(|old| object(&old.value)) {
            self.referrers.get_mut(&target).unwrap().remove(&(node.clone(), field));
        }
        if let Some(target) = object(value) {
            self.referrers.entry(target).or_default().insert((node, field));
        }
    }

    fn read(&mut self, thread: u64, node: &Node, field: Field, place: &str, value: &str) {
        let cell = self.cells.get(node).and_then(|cells| cells.get(&field));
        if cell.map_or("0", |cell| &cell.value) != value {
            match node {
                Node::Object(object) if !self.constructed.contains(object) => {}
                _ => _ = self.foreign.insert(field),
            }
        }
        self.meets(node);
        let own = cell.map(|cell| cell.write);
        let mut roots: BTreeMap<Node, (Moment, u32)> = BTreeMap::new();
        for frame in self.program(thread) {
            let root = frame.receiver.clone().unwrap();
            roots.entry(root).or_insert((frame.start, frame.method));
        }
        if roots.is_empty() {
            return;
        }
        let mut paths = Vec::new();
        self.paths_back(&mut vec![node.clone()], &mut Vec::new(), None, &roots, &mut paths);
        let frames = self.frames(thread);
        for (root, (steps, latest)) in paths {
            let steps = [&steps[..], &[field]].concat();
            let context = self.context(&frames, &root);
            let usage = Access { kind: String::new(), place: place.to_owned(), context };
            let latest = latest.max(own);
            let (start, method) = roots[&root];
            if let Some(write) = latest {
                let definition = self.definition(write, own == latest, &root);
                self.fact("pair", &root, &steps, (Some(definition), Some(usage.clone())));
            }
            if latest.is_none_or(|write| self.writes[write].time < start) {
                let what = format!("entry {}", self.methods[&method].name);
                self.fact(&what, &root, &steps, (None, Some(usage)));
            }
        }
    }

    /// The simple paths from roots to the last of `nodes`, which are walked backwards; `fields` lead from there on.
    fn paths_back(
        &self,
        nodes: &mut Vec<Node>,
        fields: &mut Vec<Field>,
        latest: Option<usize>,
        roots: &BTreeMap<Node, (Moment, u32)>,
        found: &mut Vec<(Node, Path)>,
    ) {
        let node = nodes.last().unwrap().clone();
        if roots.contains_key(&node) {
            found.push((node.clone(), (fields.iter().rev().copied().collect(), latest)));
        }
        let Node::Object(node) = node else { return };
        if fields.len() + 1 == self.depth {
            return;
        }
        for (from, field) in self.referrers.get(&node).into_iter().flatten() {
            if !nodes.contains(from) {
                self.meets(from);
                nodes.push(from.clone());
                fields.push(*field);
                let write = self.cells[from][field].write;
                self.paths_back(nodes, fields, latest.max(Some(write)), roots, found);
                nodes.pop();
                fields.pop();
            }
        }
    }

    /// What an object holds that no constructor made is not known.
    fn meets(&self, node: &Node) {
        if let Node::Object(object) = node
            && !self.constructed.contains(object)
        {
            let fields = self.fields_of(self.objects.get(object));
            self.unmade.borrow_mut().entry(self.test.clone()).or_default().extend(fields);
        }
    }

    fn definitions_at_exit(&mut self, root: &Node, start: Moment, what: &str) {
        if self.writes.last().is_none_or(|write| write.time < start) {
            return;
        }
        let mut found = Vec::new();
        self.variables(&mut vec![root.clone()], &mut Vec::new(), None, &mut found);
        for ((steps, latest), is_direct) in found {
            if let Some(write) = latest.filter(|write| self.writes[*write].time >= start) {
                let definition = self.definition(write, is_direct, root);
                self.fact(what, root, &steps, (Some(definition), None));
            }
        }
    }

    /// The variables below the last of `nodes`, and whether the latest write on the way is one of the last location.
    fn variables(
        &self,
        nodes: &mut Vec<Node>,
        fields: &mut Vec<Field>,
        latest: Option<usize>,
        found: &mut Vec<(Path, bool)>,
    ) {
        let node = nodes.last().unwrap().clone();
        self.meets(&node);
        for field in self.fields_of_node(&node) {
            let cell = self.cells.get(&node).and_then(|cells| cells.get(&field));
            let own = cell.map(|cell| cell.write);
            let now = latest.max(own);
            fields.push(field);
            found.push(((fields.clone(), now), own == now));
            let target = cell.and_then(|cell| object(&cell.value)).map(Node::Object);
            if let Some(target) = target.filter(|target| fields.len() < self.depth && !nodes.contains(target))
            {
                nodes.push(target);
                self.variables(nodes, fields, now, found);
                nodes.pop();
            }
            fields.pop();
        }
    }

    fn fields_of_node(&self, node: &Node) -> Vec<Field> {
        match node {
            Node::Object(object) => self.fields_of(self.objects.get(object)),
            Node::Class(class) => self.declared.get(&(class.clone(), true)).cloned().unwrap_or_default(),
        }
    }

    /// The instance fields that a class and its included superclasses declare.
    fn fields_of<'s>(&'s self, mut class: Option<&'s String>) -> Vec<Field> {
        let mut found = Vec::new();
        while let Some((name, (superclass, _))) = class.and_then(|class| self.classes.get_key_value(class)) {
            found.extend(self.declared.get(&(name.clone(), false)).into_iter().flatten());
            class = Some(superclass);
        }
        found
    }

    fn definition(&self, write: usize, is_direct: bool, root: &Node) -> Access {
        let write = &self.writes[write];
        let kind = if is_direct { "Direct" } else { "Nested" }.to_owned();
        Access { kind, place: write.place.clone(), context: self.context(&write.frames, root) }
    }

    /// The methods from the outermost frame on the root on, or all; directly repeated ones once.
    fn context(&self, frames: &[(Option<Node>, u32)], root: &Node) -> String {
        let from = frames.iter().position(|(receiver, _)| receiver.as_ref() == Some(root)).unwrap_or(0);
        let mut methods: Vec<u32> = frames[from..].iter().map(|(_, method)| *method).collect();
        methods.dedup();
        let names: Vec<&str> = methods.iter().map(|method| self.methods[method].name.as_str()).collect();
        format!("[{}]", names.join(", "))
    }

    fn fact(
        &mut self,
        what: &str,
        root: &Node,
        steps: &[Field],
        (definition, usage): (Option<Access>, Option<Access>),
    ) {
        let root = match root {
            Node::Object(object) => self.objects[object].clone(),
            Node::Class(class) => class.clone(),
        };
        let steps = steps.iter().map(|field| self.fields[field].name.clone()).collect();
        let facts = self.facts.entry(self.test.clone()).or_default();
        facts.insert(Fact { what: what.to_owned(), root, steps, definition, usage });
    }
}
