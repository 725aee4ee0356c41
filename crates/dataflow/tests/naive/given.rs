//! What calls are given and what streams put where, from the definitions.
//!
//! Invariant: whether the program wrote a location during a call is looked for in the list of all writes.

use super::{Naive, Node, Part, Whose, Write};
use dynaflow_containers::contents;
use dynaflow_model::sites::{Access, MethodRef, SiteKind};
use dynaflow_model::words;
use std::collections::BTreeSet;

/// A call that reads from a stream.
pub struct Restoring {
    depth: usize,
    begin: usize,
    /// Objects, with the classes whose constructors made them meanwhile.
    constructed: BTreeSet<(u64, String)>,
}

impl Naive<'_> {
    /// A container was an argument: it is accessed unless the call runs a method of the program.
    pub(super) fn argument(
        &mut self,
        thread: u32,
        site: u32,
        (access, callee, exact): (Access, &MethodRef, bool),
        [container, receiver]: [u64; 2],
    ) {
        let class = self.objects.get(&self.shown(receiver)).cloned();
        let of_jdk = callee.owner.starts_with("java.");
        let runs_on = match (exact, of_jdk) {
            (true, true) => None,
            (true, false) => Some(callee.owner.clone()),
            (false, _) => class.clone(),
        };
        let declares = |name: &String| {
            let class = self.class(name).map(|(_, class)| class);
            class.is_some_and(|class| class.methods.iter().any(|method| method.name == callee.name))
        };
        let is_programs = runs_on.is_some_and(|class| self.chain(&class).iter().any(declares));
        let mirror = class.and_then(|class| self.world.mirrors.iter().find(|(_, name, _)| *name == class));
        let inherits = mirror.is_some_and(|(_, _, supertypes)| {
            supertypes.iter().any(|name| contents::access_of(name, &callee.name).is_some())
        });
        let container = self.shown(container);
        if !is_programs && (of_jdk || inherits) && self.is_container(container) {
            self.access(thread, site, access, (Whose::Node(Node::Object(container)), Part::Contents), 0);
        }
    }

    pub(super) fn restoring(&mut self, thread: u32) {
        self.restored(thread);
        let call =
            Restoring { depth: self.stack(thread).len(), begin: self.now, constructed: BTreeSet::new() };
        self.restoring.entry(thread).or_default().push(call);
    }

    /// Calls of the same frame or one above it are over, whether they returned or threw.
    pub(super) fn restored(&mut self, thread: u32) {
        let depth = self.stack(thread).len();
        self.restoring.entry(thread).or_default().retain(|call| call.depth < depth);
    }

    pub(super) fn constructed(&mut self, thread: u32, object: u64, class: usize) {
        let class = self.world.classes[class].name.clone();
        for call in self.restoring.entry(thread).or_default() {
            call.constructed.insert((object, class.clone()));
        }
    }

    /// A call put a value somewhere.
    pub(super) fn stored(&mut self, thread: u32, object: u64, words: &[u64]) {
        let (site, place, value) = (words[1] as u32, words[2], self.shown(words[3]));
        let object = self.shown(object);
        let (part, declaring) = match (place >> words::STORED_ELEMENT_BIT, place as u32) {
            (0, 0) if self.is_container(object) => (Part::Contents, None),
            (0, 0) => return,
            (0, text) => {
                let name = &self.world.texts[text as usize - 1];
                let parts: Vec<_> = name.split('#').collect();
                let class = self.class(parts[0]).map(|(_, class)| class);
                let declared = class.into_iter().flat_map(|class| &class.fields);
                let mut named = declared.filter(|field| field.name == parts[1] && !field.is_static);
                if parts[1].starts_with('$') || named.next().is_none() {
                    return;
                }
                (Part::Field(parts[0].to_owned(), parts[1].to_owned()), Some(parts[0].to_owned()))
            }
            (_, index) => (Part::Element(index), None),
        };
        self.put(thread, site, (Node::Object(object), part), (value >= 2).then_some(value), declaring);
    }

    /// A stream's call writes a location, but for what the program wrote since it began or what a constructor made.
    pub(super) fn put(
        &mut self,
        thread: u32,
        site: u32,
        (node, part): (Node, Part),
        target: Option<u64>,
        declaring: Option<String>,
    ) {
        let stack = self.stack(thread);
        let by_stream = self.site(site).1.kind == SiteKind::Restore;
        let calls = self.restoring.get(&thread);
        let open = calls.and_then(|calls| calls.iter().rev().find(|call| call.depth <= stack.len()));
        let open = open.filter(|_| by_stream);
        if let Some(call) = open {
            let written = self.graph().get(&node).and_then(|parts| parts.get(&part)).copied();
            let Node::Object(object) = node else { return };
            let made = |class: &String| *class == *declaring.as_ref().unwrap_or(class);
            let by_program = call.constructed.iter().any(|(of, class)| *of == object && made(class));
            let is_element = matches!(part, Part::Element(_));
            if written.is_some_and(|at| self.writes[at].time >= call.begin) || by_program && !is_element {
                return;
            }
        }
        let depth = open.map(|call| call.depth).filter(|depth| *depth > 0).unwrap_or(stack.len());
        let below = stack.iter().take(depth).copied();
        let frames = below.filter(|frame| !self.frames[*frame].is_test).collect();
        self.writes.push(Write { time: self.now, whose: Whose::Node(node), part, target, site, frames });
    }
}
