//! Associations between the methods of a class the naive way: a graph of instructions in which every call leads into a copy of
//! the called method and back, and a frame that calls the public methods in any order; from each definition a search for uses.
//!
//! It knows no summaries. A variable is followed in the terms of the method the graph is made for (the speaker); each level of calls has
//! its own idea whether the definition still holds, since what a method does to what it assigned to a parameter is not its
//! caller's. Every call on an object of another class counts as changing it.
#![allow(dead_code, reason = "not each test that has the naive search needs this")]

use super::{Method, leads_to};
use dynaflow_classfile::{ClassFile, Opcode};
use std::collections::{BTreeMap, BTreeSet};

/// A use: its node, and where its edge leads if it is on one.
type Usage = (u32, Option<u32>);
/// Kind, variable, method and node of the definition, method and place of the use, whether a call defines.
pub type Pair = (&'static str, String, String, u32, String, Usage, bool);

/// The longest path that is followed, and the most levels of calls.
const MAX_FIELDS: usize = 4;
const MAX_LEVELS: usize = 12;
/// Instructions of a graph.
const MAX_PLACES: usize = 4_000;

struct Info<'c, 'a> {
    name: String,
    code: Method<'c, 'a>,
    public: bool,
    is_static: bool,
    /// Local variables that it assigns.
    reassigned: BTreeSet<String>,
    /// By instruction: the method of the class it calls.
    callees: BTreeMap<usize, usize>,
    /// By instruction: the object of another class it calls a method on.
    changes: BTreeMap<usize, String>,
}

/// A copy of a method in the graph of a speaker.
struct Copy {
    method: usize,
    level: usize,
    /// The call: its place, and what it hands over by parameter, in the caller's terms.
    call: Option<(Place, BTreeMap<String, String>)>,
}

/// An instruction of a copy.
type Place = (usize, usize);

/// What is followed, where, and on which levels of calls (a bit each) it still holds; and whether the definition has come
/// back to the speaker.
type State = (Place, u16, bool);

/// Definitions that are left and uses that are exposed: variable, method, place.
type Left = BTreeSet<(String, String, u32, bool)>;
type Exposed = BTreeSet<(String, String, Usage)>;

/// The graph for one method.
struct Graph<'g, 'c, 'a> {
    methods: &'g [Info<'c, 'a>],
    copies: Vec<Copy>,
    /// By place of a call: the copy it leads into.
    into: BTreeMap<Place, usize>,
    places: usize,
}

/// The pairs of a class; none when it cannot be said simply: paths too many, recursion, parameters that stand for one object.
pub fn pairs(class: &ClassFile<'_>, budget: usize) -> Option<BTreeSet<Pair>> {
    let methods = infos(class, budget)?;
    let mut graphs = Vec::new();
    for speaker in 0..methods.len() {
        let mut graph = Graph { methods: &methods, copies: Vec::new(), into: BTreeMap::new(), places: 0 };
        graph.copy(speaker, 0, None)?;
        if graph.is_confused() {
            return None;
        }
        graphs.push(graph);
    }
    let used: Vec<BTreeSet<String>> = graphs.iter().map(Graph::used).collect();
    let shared: BTreeSet<&String> = used.iter().flatten().filter(|it| !it.starts_with('#')).collect();
    let mut found = BTreeSet::new();
    let mut left = Vec::new();
    let mut exposed = Vec::new();
    for (speaker, graph) in graphs.iter().enumerate() {
        let asked: BTreeSet<&String> = used[speaker].iter().chain(shared.iter().copied()).collect();
        left.push(graph.pairs_of(speaker, &asked, &mut found));
        exposed.push(graph.exposed(&used[speaker]));
    }
    frame(&methods, &left, &exposed, &mut found);
    Some(found)
}

fn infos<'a>(class: &'a ClassFile<'a>, budget: usize) -> Option<Vec<Info<'a, 'a>>> {
    let mut methods = Vec::new();
    for member in class.methods.iter().filter(|it| class.attribute(&it.attributes, "Code").is_some()) {
        let code = Method::walked(class, member, false, false, budget)?;
        let text = |index| class.pool.utf8(index).unwrap().to_string();
        methods.push(Info {
            name: format!("{}{}", text(member.name), text(member.descriptor)),
            public: member.access & 1 != 0,
            is_static: member.access & 8 != 0,
            reassigned: code.defines.iter().flatten().filter(|root| !root.contains('.')).cloned().collect(),
            callees: BTreeMap::new(),
            changes: BTreeMap::new(),
            code,
        });
    }
    let names: BTreeMap<String, usize> =
        methods.iter().enumerate().map(|(at, info)| (info.name.clone(), at)).collect();
    for info in &mut methods {
        for (insn, handed) in info.code.calls.iter().filter(|(insn, _)| info.code.reached.contains(insn)) {
            let member = info.code.member(&info.code.insns[*insn]);
            let callee = names.get(&format!("{}{}", member.name, member.descriptor));
            let opcode = info.code.insns[*insn].opcode;
            let with_receiver = !matches!(opcode, Opcode::Invokestatic | Opcode::Invokedynamic);
            match (callee, &handed.first()) {
                (Some(callee), _) if member.owner.0 == class.name().unwrap().0 => {
                    info.callees.insert(*insn, *callee);
                }
                (_, Some(Some(receiver))) if with_receiver && receiver != "this" => {
                    info.changes.insert(*insn, receiver.clone());
                }
                _ => {}
            }
        }
    }
    Some(methods)
}

/// Whether a path has few enough fields to be followed; the name of a class may have dots of its own.
pub fn is_short(variable: &str) -> bool {
    let fields = variable.matches('.').count();
    fields <= MAX_FIELDS || !(variable.starts_with("this.") || variable.starts_with('#'))
}

/// Public methods follow one another: what one leaves, the next may use.
fn frame(methods: &[Info<'_, '_>], left: &[Left], exposed: &[Exposed], found: &mut BTreeSet<Pair>) {
    let stays = |method: &Info<'_, '_>, variable: &str| {
        !(variable.starts_with('#') || method.is_static && leads_to("this", variable))
    };
    let public = || methods.iter().enumerate().filter(|(_, info)| info.public);
    for (second, next) in public().filter(|(_, info)| !info.name.starts_with("<init>")) {
        for (variable, user, usage) in exposed[second].iter().filter(|(variable, ..)| stays(next, variable)) {
            for (first, info) in public() {
                let same = left[first].iter().filter(|(other, ..)| other == variable && stays(info, other));
                found.extend(same.map(|(_, definer, node, modifier)| {
                    ("intra-class", variable.clone(), definer.clone(), *node, user.clone(), *usage, *modifier)
                }));
            }
        }
    }
}

impl Graph<'_, '_, '_> {
    /// Adds a copy of a method, and of all it calls; none when they are too many.
    fn copy(
        &mut self,
        method: usize,
        level: usize,
        call: Option<(Place, BTreeMap<String, String>)>,
    ) -> Option<usize> {
        let copy = self.copies.len();
        self.copies.push(Copy { method, level, call });
        let methods = self.methods;
        let info = &methods[method];
        self.places += info.code.insns.len();
        if level > MAX_LEVELS || self.places > MAX_PLACES {
            return None;
        }
        for (insn, callee) in &info.callees {
            let target = &methods[*callee];
            let mut handed = BTreeMap::new();
            for (slot, path) in info.code.calls[insn].iter().enumerate() {
                if let Some(path) = path {
                    handed.insert(target.code.local(slot as u16), path.clone());
                }
            }
            let into = self.copy(*callee, level + 1, Some(((copy, *insn), handed)))?;
            self.into.insert((copy, *insn), into);
        }
        Some(copy)
    }

    fn info(&self, copy: usize) -> &Info<'_, '_> {
        &self.methods[self.copies[copy].method]
    }

    /// A variable of a copy in the terms of its caller; none when it is not the caller's.
    fn up(&self, copy: usize, variable: &str) -> Option<String> {
        let (_, handed) = self.copies[copy].call.as_ref()?;
        let root = root_of(variable);
        match root {
            Some(root) => handed.get(root).map(|path| format!("{path}{}", &variable[root.len()..])),
            None => Some(variable.to_owned()),
        }
    }

    /// A variable of a copy in the terms of the speaker.
    fn term(&self, mut copy: usize, variable: &str) -> Option<String> {
        let mut term = variable.to_owned();
        while let Some(((caller, _), _)) = self.copies[copy].call {
            term = self.up(copy, &term)?;
            copy = caller;
        }
        Some(term)
    }

    /// What an instruction assigns or changes, in its own terms.
    fn defined(&self, (copy, insn): Place) -> Vec<(String, bool)> {
        let info = self.info(copy);
        let assigned = info.code.defines[insn].iter().map(|root| (root.clone(), false));
        info.changes.get(&insn).map(|root| (root.clone(), true)).into_iter().chain(assigned).collect()
    }

    /// Whether the caller sees what a copy does to a variable.
    fn goes_out(&self, copy: usize, variable: &str) -> bool {
        root_of(variable).is_none_or(|root| !self.info(copy).reassigned.contains(root))
    }

    fn reached(&self) -> impl Iterator<Item = Place> + '_ {
        (0..self.copies.len())
            .flat_map(|copy| self.info(copy).code.reached.iter().map(move |insn| (copy, *insn)))
    }

    /// All variables that are used, in the terms of the speaker.
    fn used(&self) -> BTreeSet<String> {
        let uses = self.reached().flat_map(|(copy, insn)| {
            self.info(copy).code.uses[insn].iter().filter_map(move |variable| self.term(copy, variable))
        });
        uses.filter(|variable| is_short(variable)).collect()
    }

    /// Whether a variable has two names in a copy of a method, one of which it defines.
    fn is_confused(&self) -> bool {
        // By copy: its own names of variables that it or what it calls defines (or uses), with the speaker's.
        let mut names: Vec<BTreeSet<(String, String, bool)>> = vec![BTreeSet::new(); self.copies.len()];
        for place in self.reached() {
            let mut all: Vec<(String, bool)> =
                self.info(place.0).code.uses[place.1].iter().map(|it| (it.clone(), false)).collect();
            all.extend(self.defined(place).into_iter().map(|(root, _)| (root, true)));
            for (variable, defined) in all {
                let Some(term) = self.term(place.0, &variable) else { continue };
                let (mut copy, mut own) = (place.0, variable);
                loop {
                    names[copy].insert((own.clone(), term.clone(), defined));
                    let Some(((caller, _), _)) = self.copies[copy].call else { break };
                    let Some(next) = self.up(copy, &own) else { break };
                    (copy, own) = (caller, next);
                }
            }
        }
        names.iter().any(|names| {
            let defined = || names.iter().filter(|(.., defined)| *defined);
            defined().any(|(own, term, _)| {
                names.iter().any(|(other, it, _)| root_of(own) != root_of(other) && leads_to(term, it))
            })
        })
    }

    /// The pairs of the speaker; gives what holds at its end.
    fn pairs_of(&self, speaker: usize, asked: &BTreeSet<&String>, found: &mut BTreeSet<Pair>) -> Left {
        let mut left = Left::new();
        for place in self.reached() {
            let definer = self.info(place.0);
            for (root, modifier) in self.defined(place) {
                // What a method assigns to its parameters themselves stays its own.
                if place.0 != 0 && !modifier && root_of(&root) == Some(&root) {
                    continue;
                }
                let Some(term) = self.term(place.0, &root) else { continue };
                let nodes = if modifier { &definer.code.nodes } else { &definer.code.defining };
                let node = nodes[place.1];
                for variable in asked.iter().filter(|it| leads_to(&term, it)) {
                    let (uses, ends) = self
                        .search(&self.after(place, 1 << self.copies[place.0].level, place.0 == 0), variable);
                    for (user, insn, usage) in uses {
                        let within = definer.name == user && self.methods[speaker].name == user;
                        let local = usage == (node, None) && place.1 < insn;
                        if !within || (modifier && !local) {
                            let kind = if within { "intra-method" } else { "inter-method" };
                            let from = definer.name.clone();
                            found.insert((kind, (*variable).clone(), from, node, user, usage, modifier));
                        }
                    }
                    if ends {
                        left.insert(((*variable).clone(), definer.name.clone(), node, modifier));
                    }
                }
            }
        }
        left
    }

    /// Uses that a definition before the speaker reaches.
    fn exposed(&self, used: &BTreeSet<String>) -> Exposed {
        let mut exposed = Exposed::new();
        for variable in used {
            let (uses, _) = self.search(&[((0, 0), 1, true)], variable);
            exposed.extend(uses.into_iter().map(|(user, _, usage)| (variable.clone(), user, usage)));
        }
        exposed
    }

    /// Where execution goes on when an instruction is done (and the method it calls).
    fn after(&self, place: Place, holds: u16, surfaced: bool) -> Vec<State> {
        let next = self.info(place.0).code.successors(place.1);
        next.into_iter().map(|insn| ((place.0, insn), holds, surfaced)).collect()
    }

    /// Goes on with a variable; the uses it comes to (method, instruction, place), and whether it comes to the end of the speaker.
    fn search(&self, start: &[State], variable: &str) -> (BTreeSet<(String, usize, Usage)>, bool) {
        let (mut uses, mut ends) = (BTreeSet::new(), false);
        let mut seen = BTreeSet::new();
        let mut open = start.to_vec();
        while let Some(state) = open.pop() {
            if !seen.insert(state) {
                continue;
            }
            let (place, mut holds, surfaced) = state;
            let (info, level) = (self.info(place.0), self.copies[place.0].level);
            let is_used = |it: &String| self.term(place.0, it).as_deref() == Some(variable);
            if surfaced && holds >> level & 1 == 1 && info.code.uses[place.1].iter().any(is_used) {
                uses.extend(self.usages(place).into_iter().map(|usage| (info.name.clone(), place.1, usage)));
            }
            if let Some(into) = self.into.get(&place) {
                // The callee knows it if something that is handed over leads to it, or if it is static.
                let known = root_of(variable).is_none()
                    || self.copies[*into].call.as_ref().is_some_and(|(_, handed)| {
                        let mut terms = handed.values().filter_map(|path| self.term(place.0, path));
                        terms.any(|term| leads_to(&term, variable))
                    });
                let inside = if known { (holds >> level & 1) << (level + 1) } else { 0 };
                open.push(((*into, 0), holds | inside, surfaced));
                continue;
            }
            for (root, modifier) in self.defined(place) {
                if self.term(place.0, &root).is_some_and(|term| leads_to(&term, variable)) {
                    holds = self.killed(place.0, &root, modifier, holds);
                }
            }
            if info.code.insns[place.1].opcode.ends_block() && info.code.successors(place.1).is_empty() {
                match &self.copies[place.0].call {
                    Some((call, _)) => {
                        // A definition comes back if the caller sees it.
                        let back = holds >> level & 1 == 1 && self.comes_back(place.0, variable);
                        let above = (holds & !(1 << level)) | (u16::from(back) << (level - 1));
                        if above != 0 {
                            open.extend(self.after(*call, above, surfaced || (back && level == 1)));
                        }
                    }
                    None => ends |= holds & 1 == 1,
                }
            } else if holds != 0 {
                open.extend(self.after(place, holds, surfaced));
            }
        }
        (uses, ends)
    }

    /// Whether the caller of a copy sees a definition of a variable that the copy holds.
    fn comes_back(&self, copy: usize, variable: &str) -> bool {
        let Some((_, handed)) = &self.copies[copy].call else { return false };
        root_of(variable).is_none()
            || handed.iter().any(|(slot, _)| {
                let term = self.term(copy, slot);
                term.is_some_and(|term| leads_to(&term, variable)) && self.goes_out(copy, slot)
            })
    }

    /// The levels on which a definition still holds behind another one.
    fn killed(&self, copy: usize, root: &str, modifier: bool, holds: u16) -> u16 {
        let mut holds = holds & !(1 << self.copies[copy].level);
        if root_of(root) == Some(root) && !modifier {
            return holds;
        }
        let (mut at, mut own) = (copy, root.to_owned());
        while let Some(((caller, _), _)) = self.copies[at].call {
            let Some(next) = self.up(at, &own).filter(|_| self.goes_out(at, &own)) else { break };
            (at, own) = (caller, next);
            holds &= !(1 << self.copies[at].level);
        }
        holds
    }

    fn usages(&self, (copy, insn): Place) -> Vec<Usage> {
        let code = &self.info(copy).code;
        let decides =
            code.insns[insn].opcode.is_conditional() || code.insns[insn].switch(code.code.bytes).is_some();
        if decides {
            return code
                .successors(insn)
                .into_iter()
                .map(|to| (code.nodes[insn], Some(code.nodes[to])))
                .collect();
        }
        vec![(code.nodes[insn], None)]
    }
}

/// The local variable that a path begins with; none for a static field.
fn root_of(variable: &str) -> Option<&str> {
    let root = variable.split('.').next().unwrap();
    (root == "this" || root.starts_with('#')).then_some(root)
}
