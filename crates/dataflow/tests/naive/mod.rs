//! An interpreter written straight from the definitions: it keeps every event and computes everything anew each time.
//!
//! Shares nothing with the engine but the vocabulary. Invariant: no state is updated in place but who the receiver of a
//! frame is; the value of a location is looked for in the list of all writes.

mod blocks;
mod given;
mod hands;

use crate::common::{BLOCKS, Facts, M, STRIDE, World};
use dynaflow_model::sites::*;
use dynaflow_model::words;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Object(u64),
    Class(usize),
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Field(String, String),
    Element(u32),
    /// The contents of a container; also the name of all elements of an array.
    Contents,
}

#[derive(Clone, Debug)]
struct Frame {
    method: M,
    receiver: Option<Node>,
    start: usize,
    is_test: bool,
    linked: bool,
}

#[derive(Clone, Debug)]
enum Whose {
    Node(Node),
    ReceiverOf(usize),
}

#[derive(Clone, Debug)]
struct Write {
    time: usize,
    whose: Whose,
    part: Part,
    target: Option<u64>,
    site: u32,
    /// Program frames, outermost first.
    frames: Vec<usize>,
}

/// What happened to `this` in a constructor that did not know it: when, where; for a read, of what.
struct Waiting {
    time: usize,
    site: u32,
    read: Option<Part>,
}

#[derive(Clone, Debug)]
struct Test {
    name: String,
    thread: u32,
    begin: usize,
    end: usize,
    /// The thread it was prepared on, if that is another one.
    prepared_on: Option<u32>,
}

struct Seen {
    time: usize,
    thread: u32,
    /// When the outermost active method that runs after tests began.
    after: Option<usize>,
    /// Whether the outermost frame is a constructor of a test class or runs before tests.
    prepares: bool,
    /// The test that the thread which made this one was part of.
    inherited: Option<usize>,
    text: String,
}

/// The interpreter.
pub struct Naive<'w> {
    world: &'w World,
    depth: usize,
    context: usize,
    objects: BTreeMap<u64, String>,
    /// Of arrays whose length is known.
    lengths: BTreeMap<u64, u32>,
    /// Objects that show the contents of another.
    views: BTreeMap<u64, u64>,
    /// How what containers hold changed: the word's number, the container, the object.
    holdings: Vec<(u32, u64, u64)>,
    frames: Vec<Frame>,
    stacks: BTreeMap<u32, Vec<usize>>,
    super_calls: BTreeMap<u32, (M, String)>,
    /// By thread, the calls that read from a stream.
    restoring: BTreeMap<u32, Vec<given::Restoring>>,
    waiting: BTreeMap<usize, Vec<Waiting>>,
    writes: Vec<Write>,
    marks: BTreeMap<u32, Vec<(u32, bool)>>,
    tests: Vec<Test>,
    started_by: BTreeMap<u32, u32>,
    inherited: BTreeMap<u32, usize>,
    /// Threads with frames that prepare a test, since their last test began.
    prepared: BTreeSet<u32>,
    seen: Vec<Seen>,
    entered: Vec<blocks::Entered>,
    in_blocks: BTreeSet<String>,
    now: usize,
}

type Graph = BTreeMap<Node, BTreeMap<Part, usize>>;
/// An edge of a path: the part, and its latest write if it has one.
type Link = (Part, Option<usize>);

pub fn facts(world: &World, depth: usize, context: usize) -> Facts {
    let mut naive = Naive {
        world,
        depth,
        context,
        objects: BTreeMap::new(),
        lengths: BTreeMap::new(),
        views: BTreeMap::new(),
        holdings: vec![],
        frames: vec![],
        stacks: BTreeMap::new(),
        super_calls: BTreeMap::new(),
        restoring: BTreeMap::new(),
        waiting: BTreeMap::new(),
        writes: vec![],
        marks: BTreeMap::new(),
        tests: vec![],
        started_by: BTreeMap::new(),
        inherited: BTreeMap::new(),
        prepared: BTreeSet::new(),
        seen: vec![],
        entered: vec![],
        in_blocks: BTreeSet::new(),
        now: 0,
    };
    for (time, (thread, words)) in world.script.iter().enumerate() {
        naive.now = time;
        naive.event(*thread, words);
    }
    naive.by_test()
}

impl Naive<'_> {
    fn event(&mut self, thread: u32, words: &[u64]) {
        let number = words::site_of(words[0]);
        let payload = words::payload_of(words[0]);
        match number {
            words::OBJECT => {
                let of = words::payload_of(words[1]);
                let mirror = self.world.mirrors.iter().find(|(id, _, _)| id.0 == of);
                self.objects.insert(payload, mirror.unwrap().1.clone());
                self.lengths.extend(words::length_of(words[1]).map(|length| (payload, length)));
            }
            words::TEST_METHOD => self.test_method(thread, payload, words[1] as u32),
            words::TEST_METHOD_END => self.test_method_end(thread, words[1] as u32),
            words::VIEW => {
                self.views.insert(payload, self.shown(words[1]));
            }
            words::HELD | words::HELD_AT_LEAST_ONCE | words::RELEASED | words::EMPTIED => {
                let element = words.get(1).map_or(0, |element| self.shown(*element));
                self.holdings.push((number, self.shown(payload), element));
            }
            words::DEAD => {}
            words::UNCHANGED => {
                let container = self.shown(payload);
                if self.is_container(container) {
                    let whose = Whose::Node(Node::Object(container));
                    self.access(thread, words[1] as u32, Access::Read, (whose, Part::Contents), 0);
                }
            }
            words::RESTORING => self.restoring(thread),
            words::OVERFLOWED => self.overflowed(thread, self.site(words[1] as u32).0, payload as usize),
            words::STORED => self.stored(thread, payload, words),
            words::HAND_WRITE | words::HAND_READ => self.hand(thread, number, payload, words),
            words::WRITE_RANGE if (words[1] as u32) < words::FIRST_SITE => {
                self.written_elements(payload, (words[2] >> 32) as u32, words[2] as u32);
            }
            words::WRITE_RANGE if self.site(words[1] as u32).1.kind == SiteKind::Restore => {
                let (from, count) = ((words[2] >> 32) as u32, words[2] as u32);
                for index in from..from + count {
                    let part = Part::Element(index);
                    self.put(thread, words[1] as u32, (Node::Object(payload), part), None, None);
                }
            }
            words::READ_RANGE | words::WRITE_RANGE => {
                let (from, count) = ((words[2] >> 32) as u32, words[2] as u32);
                let access = if number == words::READ_RANGE { Access::Read } else { Access::Write };
                for index in from..from + count {
                    let whose = Whose::Node(Node::Object(payload));
                    self.access(thread, words[1] as u32, access, (whose, Part::Element(index)), 0);
                }
            }
            words::STARTED_BY => {
                let starter = payload as u32;
                let own = self.tests.iter().position(|test| test.thread == starter && test.end == usize::MAX);
                if let Some(test) = own.or(self.inherited.get(&starter).copied()) {
                    self.inherited.insert(thread, test);
                }
                self.started_by.insert(thread, starter);
            }
            _ => self.site_event(thread, number, payload, words),
        }
    }

    /// The object whose contents an object shows: itself, but for views.
    fn shown(&self, object: u64) -> u64 {
        self.views.get(&object).copied().unwrap_or(object)
    }

    /// What every container holds, from the whole history.
    fn held(&self) -> BTreeMap<Node, BTreeMap<u64, u32>> {
        let mut held: BTreeMap<Node, BTreeMap<u64, u32>> = BTreeMap::new();
        for (how, container, element) in &self.holdings {
            if !self.is_container(*container) || (*element < 2 && *how != words::EMPTIED) {
                continue;
            }
            let counts = held.entry(Node::Object(*container)).or_default();
            let count = counts.entry(*element).or_default();
            match *how {
                words::HELD => *count += 1,
                words::HELD_AT_LEAST_ONCE => *count = (*count).max(1),
                words::RELEASED => *count = count.saturating_sub(1),
                _ => counts.clear(),
            }
            counts.retain(|_, count| *count > 0);
        }
        held
    }

    fn class(&self, name: &str) -> Option<(usize, &ClassSites)> {
        self.world.classes.iter().enumerate().find(|(_, class)| class.name == name)
    }

    fn site(&self, number: u32) -> (M, Site) {
        let class = (number / STRIDE) as usize - 1;
        let site = self.world.classes[class].sites[(number % STRIDE) as usize].clone();
        (M(class, site.method), site)
    }

    /// A class and its superclasses as far as they are recorded, by name.
    fn chain(&self, name: &str) -> Vec<String> {
        let mut chain = vec![name.to_owned()];
        while let Some((_, class)) = self.class(chain.last().unwrap()) {
            chain.push(class.super_name.clone().unwrap());
        }
        chain
    }

    fn is_test_class(&self, class: usize) -> bool {
        let chain = self.chain(&self.world.classes[class].name);
        let roles = |role: TestRole| {
            let classes = chain.iter().filter_map(|name| self.class(name));
            classes.flat_map(|(_, class)| &class.methods).any(|method| method.role == role)
        };
        let junit3 = chain.iter().any(|name| name == "junit.framework.TestCase");
        roles(TestRole::Test) || (junit3 && roles(TestRole::MaybeTest))
    }

    fn part(&self, field: &FieldRef, is_static: bool) -> Part {
        let chain = self.chain(&field.owner);
        let declares = |name: &&String| {
            let class = self.class(name);
            class.is_some_and(|(_, class)| {
                class.fields.iter().any(|decl| decl.name == field.name && decl.is_static == is_static)
            })
        };
        let class = chain.iter().find(declares).unwrap_or_else(|| chain.last().unwrap());
        Part::Field(class.clone(), field.name.clone())
    }

    fn role(&self, method: M) -> TestRole {
        self.world.classes[method.0].methods[usize::from(method.1)].role
    }

    fn stack(&self, thread: u32) -> Vec<usize> {
        self.stacks.get(&thread).cloned().unwrap_or_default()
    }

    fn program_frames(&self, thread: u32) -> Vec<usize> {
        self.stack(thread).into_iter().filter(|frame| !self.frames[*frame].is_test).collect()
    }

    fn site_event(&mut self, thread: u32, number: u32, payload: u64, words: &[u64]) {
        let (method, site) = self.site(number);
        if !matches!(site.kind, SiteKind::Enter { .. } | SiteKind::Exit { .. } | SiteKind::Bind) {
            self.end_frames_above(thread, method);
        }
        match site.kind {
            SiteKind::Enter { receiver } => self.enter(thread, method, receiver, payload),
            SiteKind::Exit { exceptional } => self.exit(thread, method, exceptional),
            SiteKind::SuperCall { owner } => {
                self.super_calls.insert(thread, (method, owner));
            }
            SiteKind::Bind => self.bind(thread, payload),
            SiteKind::Field { access, base, field, value } => {
                let part = self.part(&field, false);
                let top = self.stack(thread).last().copied();
                let whose = match base {
                    Base::This => Whose::ReceiverOf(top.unwrap()),
                    Base::Stack if payload < 2 => return,
                    Base::Stack => Whose::Node(Node::Object(payload)),
                };
                let target = match (value, base) {
                    (ValueKind::Leaf, _) => 0,
                    (_, Base::This) => self.shown(payload),
                    _ => self.shown(words.get(1).copied().unwrap_or(0)),
                };
                self.access(thread, number, access, (whose, part), target);
            }
            SiteKind::Static { access, field, .. } => {
                let part = self.part(&field, true);
                let Part::Field(class, _) = &part else { unreachable!() };
                let Some((class, _)) = self.class(class) else { return };
                let whose = Whose::Node(Node::Class(class));
                self.access(thread, number, access, (whose, part), self.shown(payload));
            }
            SiteKind::Element { access, .. } => {
                let whose = Whose::Node(Node::Object(payload));
                let target = self.shown(words.get(2).copied().unwrap_or(0));
                self.access(thread, number, access, (whose, Part::Element(words[1] as u32)), target);
            }
            SiteKind::Block { .. } => self.enter_block(thread, number),
            SiteKind::Restore => self.restored(thread),
            SiteKind::Argument { access, callee, exact, .. } => {
                self.argument(thread, number, (access, &callee, exact), [payload, words[1]]);
            }
            SiteKind::Clone { .. } => self.clone_object(thread, number, payload, words[1]),
            SiteKind::Contents { access, .. } if self.is_container(self.shown(payload)) => {
                let whose = Whose::Node(Node::Object(self.shown(payload)));
                self.access(thread, number, access, (whose, Part::Contents), 0);
            }
            _ => {}
        }
    }

    fn clone_object(&mut self, thread: u32, site: u32, original: u64, copy: u64) {
        let graph = self.graph();
        let (from, to) = (Node::Object(original), Node::Object(copy));
        for part in self.parts(from, &graph) {
            self.read(thread, site, from, &part, self.program_frames(thread));
            let at = graph.get(&from).and_then(|parts| parts.get(&part));
            let target = at.and_then(|at| self.writes[*at].target);
            let frames = self.program_frames(thread);
            self.writes.push(Write { time: self.now, whose: Whose::Node(to), part, target, site, frames });
        }
    }

    fn is_container(&self, object: u64) -> bool {
        self.objects.get(&object).is_some_and(|class| class == "java.util.ArrayList")
    }

    fn access(&mut self, thread: u32, site: u32, access: Access, (whose, part): (Whose, Part), target: u64) {
        if access != Access::Write {
            match self.resolve(&whose) {
                Some(node) => self.read(thread, site, node, &part, self.program_frames(thread)),
                None => {
                    let Whose::ReceiverOf(frame) = whose else { unreachable!() };
                    let waiting = Waiting { time: self.now, site, read: Some(part.clone()) };
                    self.waiting.entry(frame).or_default().push(waiting);
                }
            }
        }
        if access != Access::Read {
            let target = (target >= 2).then_some(target);
            let frames = self.program_frames(thread);
            self.writes.push(Write { time: self.now, whose, part, target, site, frames });
        }
    }

    fn resolve(&self, whose: &Whose) -> Option<Node> {
        match whose {
            Whose::Node(node) => Some(*node),
            Whose::ReceiverOf(frame) => self.frames[*frame].receiver,
        }
    }

    /// For every node the latest write of each of its parts.
    fn graph(&self) -> Graph {
        let mut graph = Graph::new();
        for (at, write) in self.writes.iter().enumerate() {
            if let Some(node) = self.resolve(&write.whose) {
                graph.entry(node).or_default().insert(write.part.clone(), at);
            }
        }
        graph
    }

    fn enter(&mut self, thread: u32, method: M, how: ReceiverKind, payload: u64) {
        let receiver = match how {
            ReceiverKind::Instance => Some(Node::Object(payload)),
            ReceiverKind::Static => Some(Node::Class(method.0)),
            ReceiverKind::Constructor => None,
        };
        let class = &self.world.classes[method.0].name;
        let call = self.super_calls.remove(&thread);
        let linked = how == ReceiverKind::Constructor && call.is_some_and(|(_, owner)| owner == *class);
        let is_test = self.is_test_class(method.0);
        self.frames.push(Frame { method, receiver, start: self.now, is_test, linked });
        self.stacks.entry(thread).or_default().push(self.frames.len() - 1);
        if self.stack(thread).len() == 1 && self.prepares(thread) {
            self.prepared.insert(thread);
        }
    }

    fn bind(&mut self, thread: u32, payload: u64) {
        let stack = self.stack(thread);
        let mut bound = vec![];
        for frame in stack.iter().rev() {
            if self.frames[*frame].receiver.is_some() {
                break;
            }
            self.frames[*frame].receiver = Some(Node::Object(payload));
            self.constructed(thread, payload, self.frames[*frame].method.0);
            bound.push(*frame);
            if !self.frames[*frame].linked {
                break;
            }
        }
        for frame in bound.into_iter().rev() {
            for Waiting { time, site, read } in self.waiting.remove(&frame).unwrap_or_default() {
                let Some(part) = read else {
                    self.entered_while_raw(thread, frame, site, time);
                    continue;
                };
                let position = stack.iter().position(|at| *at == frame).unwrap();
                let below = stack[..=position].iter().copied();
                let frames = below.filter(|frame| !self.frames[*frame].is_test).collect();
                self.read(thread, site, Node::Object(payload), &part, frames);
            }
        }
    }

    fn exit(&mut self, thread: u32, method: M, exceptional: bool) {
        self.super_calls.remove(&thread);
        let stack = self.stack(thread);
        let mut position = stack.iter().rposition(|frame| self.frames[*frame].method == method);
        while let Some(at) = position {
            self.leave(thread, at, exceptional);
            let falls_through = exceptional && self.frames[stack[at]].linked;
            position = at.checked_sub(1).filter(|_| falls_through);
        }
    }

    /// What happens in a frame shows that those above it are over.
    fn end_frames_above(&mut self, thread: u32, method: M) {
        let innermost = self.stack(thread).iter().rposition(|frame| self.frames[*frame].method == method);
        if let Some(innermost) = innermost {
            self.stacks.get_mut(&thread).unwrap().truncate(innermost + 1);
        }
    }

    /// So many frames of a method are left, and the last of them goes on.
    fn overflowed(&mut self, thread: u32, method: M, live: usize) {
        self.super_calls.remove(&thread);
        let stack = self.stack(thread);
        let mut of_method: Vec<usize> = (0..stack.len()).collect();
        of_method.retain(|at| self.frames[stack[*at]].method == method);
        of_method.truncate(live);
        if let Some(last) = of_method.last() {
            self.stacks.get_mut(&thread).unwrap().truncate(last + 1);
        }
    }

    fn leave(&mut self, thread: u32, position: usize, exceptional: bool) {
        let stack = self.stack(thread);
        let frame = stack[position];
        self.stacks.get_mut(&thread).unwrap().truncate(position + 1);
        let outermost = stack.iter().find(|at| {
            !self.frames[**at].is_test && self.frames[**at].receiver == self.frames[frame].receiver
        });
        if let Some(root) = self.frames[frame].receiver.filter(|_| outermost == Some(&frame)) {
            self.definitions_at_exit(thread, frame, root, exceptional);
        }
        self.stacks.get_mut(&thread).unwrap().truncate(position);
    }

    fn name(&self, node: Node) -> String {
        match node {
            Node::Object(object) => self.objects[&object].clone(),
            Node::Class(class) => self.world.classes[class].name.clone(),
        }
    }

    /// Every location a node has.
    fn parts(&self, node: Node, graph: &Graph) -> BTreeSet<Part> {
        let mut parts: BTreeSet<Part> =
            graph.get(&node).into_iter().flat_map(|parts| parts.keys().cloned()).collect();
        let declared = |name: &str, is_static: bool| {
            let class = self.class(name).map(|(_, class)| class);
            let fields = class
                .into_iter()
                .flat_map(|class| &class.fields)
                .filter(move |f| f.is_static == is_static && !f.name.starts_with('$'));
            fields.map(|field| Part::Field(name.to_owned(), field.name.clone())).collect::<Vec<_>>()
        };
        match node {
            Node::Class(_) => parts.extend(declared(&self.name(node), true)),
            Node::Object(object) => {
                let class = self.name(node);
                parts.extend(self.chain(&class).iter().flat_map(|name| declared(name, false)));
                let has_more = match self.lengths.get(&object) {
                    Some(length) => !(0..*length).all(|index| parts.contains(&Part::Element(index))),
                    None => class.starts_with('['),
                };
                if has_more || self.is_container(object) {
                    parts.insert(Part::Contents);
                }
            }
        }
        parts
    }

    /// All simple paths from a node, as parts with their latest writes, with the node each leads to.
    fn paths(&self, root: Node, edges: usize, graph: &Graph) -> Vec<(Vec<Link>, Node)> {
        let held = self.held();
        let mut all = vec![(vec![], root, vec![root])];
        let mut next = 0;
        while next < all.len() {
            let (path, end, nodes) = all[next].clone();
            next += 1;
            if path.len() == edges {
                continue;
            }
            let parts = graph.get(&end);
            let cells = parts.into_iter().flatten().filter_map(|(part, at)| {
                Some((part.clone(), Some(*at), Node::Object(self.writes[*at].target?)))
            });
            let contents = parts.and_then(|parts| parts.get(&Part::Contents)).copied();
            let elements = held.get(&end).into_iter().flat_map(|elements| elements.keys());
            let elements = elements.map(|element| (Part::Contents, contents, Node::Object(*element)));
            for (part, at, target) in cells.chain(elements) {
                if !nodes.contains(&target) {
                    let mut path: Vec<Link> = path.clone();
                    path.push((part, at));
                    let nodes = nodes.iter().copied().chain([target]).collect();
                    all.push((path, target, nodes));
                }
            }
        }
        all.into_iter().map(|(path, end, _)| (path, end)).collect()
    }

    fn read(&mut self, thread: u32, site: u32, node: Node, part: &Part, frames: Vec<usize>) {
        let graph = self.graph();
        let mut roots = vec![];
        for frame in self.program_frames(thread) {
            let Some(root) = self.frames[frame].receiver else { continue };
            if roots.contains(&root) {
                continue;
            }
            roots.push(root);
            for (path, end) in self.paths(root, self.depth - 1, &graph) {
                if end == node {
                    let own = graph.get(&node).and_then(|parts| parts.get(part)).copied();
                    self.use_of(thread, site, (root, frame), (&path, part, own), &frames);
                }
            }
        }
    }

    fn use_of(
        &mut self,
        thread: u32,
        site: u32,
        (root, outermost): (Node, usize),
        (path, part, own): (&[Link], &Part, Option<usize>),
        frames: &[usize],
    ) {
        let edges = path.iter().filter_map(|(_, at)| *at);
        let variable = self.variable(root, path.iter().map(|(part, _)| part).chain([part]));
        let usage = format!("{}{}", self.place(site), self.context_text(frames, root));
        let latest = edges.chain(own).max_by_key(|at| self.writes[*at].time);
        if let Some(at) = latest.filter(|at| self.is_known(*at)) {
            let definition = self.definition(at, own == Some(at), root);
            self.saw(thread, format!("pair {variable} = {definition} -> {usage}"));
        }
        self.use_in_blocks(outermost, latest, &variable, &usage);
        if latest.is_none_or(|at| self.writes[at].time < self.frames[outermost].start) {
            let method = self.method_name(self.frames[outermost].method);
            self.saw(thread, format!("entry {method} {variable} -> {usage}"));
        }
    }

    /// The variables of a root, each with the write that reaches it, if any, and whether it is one of the last location.
    fn variables(&self, root: Node, graph: &Graph) -> Vec<(String, Option<usize>, bool)> {
        let mut found = vec![];
        for (path, end) in self.paths(root, self.depth - 1, graph) {
            for part in self.parts(end, graph) {
                let own = graph.get(&end).and_then(|parts| parts.get(&part)).copied();
                let edges = path.iter().filter_map(|(_, at)| *at);
                let latest = edges.chain(own).max_by_key(|at| self.writes[*at].time);
                let variable = self.variable(root, path.iter().map(|(part, _)| part).chain([&part]));
                found.push((variable, latest, own == latest));
            }
        }
        found
    }

    fn definitions_at_exit(&mut self, thread: u32, frame: usize, root: Node, exceptional: bool) {
        let graph = self.graph();
        let start = self.frames[frame].start;
        let how = if exceptional { "throw" } else { "exit" };
        let method = self.method_name(self.frames[frame].method);
        for (variable, latest, direct) in self.variables(root, &graph) {
            let made = |at: &usize| self.writes[*at].time >= start && self.is_known(*at);
            if let Some(at) = latest.filter(made) {
                let definition = self.definition(at, direct, root);
                self.saw(thread, format!("{how} {method} {variable} = {definition}"));
            }
        }
    }

    fn variable<'a>(&self, root: Node, parts: impl Iterator<Item = &'a Part>) -> String {
        let mut text = format!("{}:", self.name(root));
        for part in parts {
            match part {
                Part::Field(class, name) => text += &format!(" {class}.{name}"),
                _ => text += " []",
            }
        }
        text
    }

    fn definition(&self, at: usize, direct: bool, root: Node) -> String {
        let write = &self.writes[at];
        let kind = if direct { "direct" } else { "nested" };
        format!("{kind} {}{}", self.place(write.site), self.context_text(&write.frames, root))
    }

    fn method_name(&self, method: M) -> String {
        let class = &self.world.classes[method.0];
        format!("{}.{}", class.name, class.methods[usize::from(method.1)].name)
    }

    fn place(&self, site: u32) -> String {
        let (method, site) = self.site(site);
        format!("{}@{}", self.method_name(method), site.offset)
    }

    fn context_text(&self, frames: &[usize], root: Node) -> String {
        let from = frames.iter().position(|frame| self.frames[*frame].receiver == Some(root)).unwrap_or(0);
        let mut methods: Vec<M> = frames[from..].iter().map(|frame| self.frames[*frame].method).collect();
        methods.dedup();
        let names: Vec<String> = methods.into_iter().map(|method| self.method_name(method)).collect();
        if names.len() <= self.context {
            return format!("[{}]", names.join(","));
        }
        let tail = self.context / 2;
        let (head, tail) = (&names[..self.context - tail], &names[names.len() - tail..]);
        format!("[{}...{}]", head.join(","), tail.join(","))
    }

    fn saw(&mut self, thread: u32, text: String) {
        let stack = self.stack(thread);
        let mut frames = stack.iter().map(|frame| &self.frames[*frame]);
        let after = frames.find(|frame| frame.is_test && self.role(frame.method) == TestRole::AfterEach);
        let after = after.map(|frame| frame.start);
        let prepares = self.prepares(thread);
        let inherited = self.inherited.get(&thread).copied();
        self.seen.push(Seen { time: self.now, thread, after, prepares, inherited, text });
    }

    fn test_method(&mut self, thread: u32, instance: u64, site: u32) {
        let (method, _) = self.site(site);
        let chain = self.chain(&self.world.classes[method.0].name);
        let junit3 = chain.iter().any(|name| name == "junit.framework.TestCase");
        let counts =
            if self.role(method) == TestRole::MaybeTest { junit3 } else { self.is_test_class(method.0) };
        let inside = self.marks.entry(thread).or_default().iter().any(|(_, counts)| *counts);
        if counts && !inside {
            let declared = &self.world.classes[method.0];
            let name = &declared.methods[usize::from(method.1)].name;
            let name = format!("{}#{name}", self.objects.get(&instance).unwrap_or(&declared.name));
            let prepared = self.prepared.remove(&thread);
            let starter = self.started_by.get(&thread).copied();
            let is_known =
                |starter: &u32| self.world.script[..self.now].iter().any(|(other, _)| other == starter);
            let starter = starter.filter(is_known);
            let prepared_on = starter.filter(|starter| !prepared && self.is_idle(*starter));
            self.tests.push(Test { name, thread, begin: self.now, end: usize::MAX, prepared_on });
        }
        self.marks.entry(thread).or_default().push((site, counts));
    }

    fn test_method_end(&mut self, thread: u32, site: u32) {
        let marks = self.marks.entry(thread).or_default();
        let Some(at) = marks.iter().rposition(|(entered, _)| *entered == site) else { return };
        let ended = marks.split_off(at);
        if ended.iter().any(|(_, counts)| *counts) && !marks.iter().any(|(_, counts)| *counts) {
            let now = self.now;
            let mut open =
                self.tests.iter_mut().filter(|test| test.thread == thread && test.end == usize::MAX);
            open.next().unwrap().end = now;
        }
    }

    fn is_idle(&self, thread: u32) -> bool {
        !self.tests.iter().any(|test| test.thread == thread && test.end == usize::MAX)
    }

    fn prepares(&self, thread: u32) -> bool {
        let stack = self.stack(thread);
        let outermost = stack.first().map(|frame| &self.frames[*frame]).filter(|frame| frame.is_test);
        outermost.is_some_and(|frame| {
            let name = &self.world.classes[frame.method.0].methods[usize::from(frame.method.1)].name;
            name.starts_with("<init>") || self.role(frame.method) == TestRole::BeforeEach
        })
    }

    fn owner(&self, seen: &Seen) -> String {
        let active = |test: &&Test| test.begin <= seen.time && seen.time <= test.end;
        let ended = |test: &&Test| seen.after.is_some_and(|began| test.end < began);
        let own = self.tests.iter().find(|test| test.thread == seen.thread && active(test));
        let is_own = |test: &Test| test.thread == seen.thread;
        let idle = |at: usize| !self.tests.iter().any(|t| is_own(t) && t.begin < at && at < t.end);
        let from_here = |test: &Test, at: usize| test.prepared_on == Some(seen.thread) && idle(at);
        let last_here = self.tests.iter().filter(|test| is_own(test) || from_here(test, test.end));
        let last_here = last_here.filter(ended).max_by_key(|t| t.end);
        let last = last_here.or(self.tests.iter().filter(ended).max_by_key(|test| test.end));
        let inherited = seen.inherited.map(|at| &self.tests[at]).filter(active);
        let any = inherited.or(self.tests.iter().filter(active).max_by_key(|test| test.begin));
        let later = || self.tests.iter().filter(|test| test.begin > seen.time);
        let next = later().min_by_key(|test| test.begin);
        let prepared =
            later().filter(|test| is_own(test) || from_here(test, test.begin)).min_by_key(|test| test.begin);
        let test = own.or(last).or(if seen.prepares { prepared } else { any.or(next) });
        test.map(|test| test.name.clone()).unwrap_or_default()
    }

    fn by_test(&self) -> Facts {
        let mut facts: Facts = self.tests.iter().map(|test| (test.name.clone(), BTreeSet::new())).collect();
        for seen in &self.seen {
            facts.entry(self.owner(seen)).or_default().insert(seen.text.clone());
        }
        if !self.in_blocks.is_empty() {
            facts.insert(BLOCKS.into(), self.in_blocks.clone());
        }
        facts
    }
}
