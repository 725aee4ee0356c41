//! Definition-use associations of a method the naive way: what instructions use is collected along paths walked one by one,
//! and each definition looks for uses instruction by instruction. It knows class files alone: no blocks, no merged states, no tables of
//! bits; a twin of the analysis, to hold it against.

pub mod inter;

use dynaflow_bytecode::blocks::may_throw;
use dynaflow_classfile::descriptor::{self, Kind};
use dynaflow_classfile::insn::Instructions;
use dynaflow_classfile::pool::MemberText;
use dynaflow_classfile::{ClassFile, Code, Insn, Member, MemberIndex, Opcode, Operand};
use dynaflow_tests::frames::Outcome;
use rand::Rng;
use std::collections::{BTreeMap, BTreeSet};

/// Definition, use (a node, or an edge) and variable.
pub type Found = BTreeSet<(u32, (u32, Option<u32>), String)>;

/// The jars whose methods are held against this twin.
pub fn jars() -> &'static [&'static str] {
    if dynaflow_tests::slow() {
        &["commons-cli-1.9.0", "gson-2.11.0", "jsoup-1.18.1", "commons-lang3-3.14.0", "guava"]
    } else {
        &["commons-cli-1.9.0"]
    }
}

/// The class without the names of its local variables, which the twin does not know.
pub fn without_names(bytes: &[u8]) -> Vec<u8> {
    let (name, other) = (b"LocalVariableTable", b"LocalVariableTablX");
    let mut bytes = bytes.to_vec();
    for at in 0..bytes.len() - name.len() {
        if bytes[at..].starts_with(name) {
            bytes[at..at + name.len()].copy_from_slice(other);
        }
    }
    bytes
}

/// A value on the stack: the variables it comes from, the variable it is, the array it belongs to.
#[derive(Clone, Default)]
struct Value {
    from: BTreeSet<String>,
    path: Option<String>,
    array: Option<String>,
}

fn named(path: String, through: &BTreeSet<String>) -> Value {
    let mut from = through.clone();
    from.insert(path.clone());
    Value { from, path: Some(path.clone()), array: Some(path) }
}

/// A method whose instructions are known.
pub struct Method<'c, 'a> {
    class: &'c ClassFile<'a>,
    code: Code<'a>,
    insns: Vec<Insn>,
    at: BTreeMap<u32, usize>,
    instance: bool,
    whole: bool,
    /// Whether exceptions lead to handlers.
    exceptions: bool,
    /// By instruction that calls: what is handed over unchanged, by slot of the callee's parameters, on all paths.
    calls: BTreeMap<usize, Vec<Option<String>>>,
    /// By instruction.
    uses: Vec<BTreeSet<String>>,
    defines: Vec<Option<String>>,
    /// What instructions define that only handlers lead to.
    late: Vec<Option<String>>,
    /// By instruction: the node in which it uses, its block from 1 when exceptions lead nowhere.
    nodes: Vec<u32>,
    /// By instruction: the node in which it defines.
    defining: Vec<u32>,
    /// The node of the entry: 0 when something leads back to the first instruction.
    entry: u32,
    parameters: BTreeSet<String>,
    reached: BTreeSet<usize>,
    mentioned: BTreeSet<String>,
    budget: usize,
}

/// The associations of a method with code; none when its paths have more than `budget` instructions.
pub fn associations(
    class: &ClassFile<'_>,
    member: &Member<'_>,
    whole: bool,
    exceptions: bool,
    budget: usize,
) -> Option<Found> {
    Method::walked(class, member, whole, exceptions, budget).map(|method| method.associate())
}

impl<'c, 'a> Method<'c, 'a> {
    /// A method after all its paths were walked; none when it has no code or they have more than `budget` instructions.
    pub fn walked(
        class: &'c ClassFile<'a>,
        member: &'a Member<'a>,
        whole: bool,
        exceptions: bool,
        budget: usize,
    ) -> Option<Self> {
        let attribute = class.attribute(&member.attributes, "Code")?;
        let code = Code::parse(&attribute.data, 0).unwrap();
        let insns: Vec<Insn> = Instructions::new(code.bytes, 0).collect::<Result<_, _>>().unwrap();
        let mut method = Self {
            class,
            code,
            at: insns.iter().enumerate().map(|(index, insn)| (insn.pc, index)).collect(),
            calls: BTreeMap::new(),
            uses: vec![BTreeSet::new(); insns.len()],
            defines: vec![None; insns.len()],
            late: vec![None; insns.len()],
            nodes: Vec::new(),
            defining: Vec::new(),
            entry: 0,
            parameters: BTreeSet::new(),
            insns,
            instance: member.access & 8 == 0,
            whole,
            exceptions,
            reached: BTreeSet::new(),
            mentioned: BTreeSet::new(),
            budget,
        };
        let mut visits = vec![0; method.insns.len()];
        if !method.walk(0, Vec::new(), &mut visits) || !method.walk_handlers() {
            return None;
        }
        method.number(class.pool.utf8(member.descriptor).unwrap().0);
        Some(method)
    }

    /// Learns what handlers define that no normal path leads to.
    fn walk_handlers(&mut self) -> bool {
        let handlers: Vec<usize> =
            self.code.exceptions.iter().map(|entry| self.at[&u32::from(entry.handler)]).collect();
        let known = (self.uses.clone(), self.defines.clone(), self.mentioned.clone(), self.reached.clone());
        let mut fine = true;
        for handler in handlers {
            let mut visits = vec![0; self.insns.len()];
            fine &= self.walk(handler, vec![Value::default()], &mut visits);
        }
        let defines = std::mem::replace(&mut self.defines, known.1);
        (self.uses, self.mentioned, self.reached) = (known.0, known.2, known.3);
        for (index, defined) in
            defines.into_iter().enumerate().filter(|(index, _)| !self.reached.contains(index))
        {
            self.late[index] = defined;
        }
        fine
    }

    /// Numbers the nodes, and finds out what the entry defines. What an exception can come out of ends a node, and what it defines
    /// lies in the next one, one without instructions if a block ends there.
    fn number(&mut self, descriptor: &[u8]) {
        let (mut node, mut cut) = (0, false);
        for index in 0..self.insns.len() {
            node += u32::from(cut || self.leads(index));
            self.nodes.push(node);
            cut = !self.handlers(index).is_empty();
            let name = self.insns[index].opcode.mnemonic();
            let opcode = self.insns[index].opcode;
            let is_element = opcode >= Opcode::Iastore && opcode <= Opcode::Sastore;
            let defines = cut && (name.starts_with("put") || is_element);
            self.defining.push(node + u32::from(defines));
            if defines && index + 1 < self.insns.len() && self.leads(index + 1) {
                node += 1;
            }
        }
        self.entry = u32::from(!(0..self.insns.len()).any(|from| self.successors(from).contains(&0)));
        let mut slot = u16::from(self.instance);
        self.parameters.extend(self.instance.then(|| "this".to_owned()));
        for kind in descriptor::parameters(descriptor) {
            self.parameters.insert(self.local(slot));
            slot += u16::from(kind.slots());
        }
    }
}

impl Method<'_, '_> {
    fn successors(&self, index: usize) -> Vec<usize> {
        let insn = &self.insns[index];
        let mut targets = Vec::new();
        match (insn.operand, insn.switch(self.code.bytes)) {
            (Operand::Target(target), _) => targets.push(self.at[&target]),
            (_, Some(switch)) => {
                targets.push(self.at[&switch.default]);
                targets.extend(switch.cases().map(|(_, target)| self.at[&target]));
            }
            _ => {}
        }
        if !insn.opcode.ends_block() {
            targets.push(index + 1);
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Where an exception of an instruction leads to.
    fn handlers(&self, index: usize) -> BTreeSet<usize> {
        let (pc, opcode) = (self.insns[index].pc, self.insns[index].opcode);
        let covering = self.code.exceptions.iter().filter(|entry| {
            self.exceptions
                && may_throw(opcode)
                && (u32::from(entry.start)..u32::from(entry.end)).contains(&pc)
        });
        covering.map(|entry| self.at[&u32::from(entry.handler)]).collect()
    }

    /// Walks every path that passes no instruction more than twice; false when they are too many.
    fn walk(&mut self, from: usize, mut stack: Vec<Value>, visits: &mut Vec<u8>) -> bool {
        let mut passed = Vec::new();
        let mut index = from;
        let mut fine = true;
        loop {
            if visits[index] == 2 {
                break;
            }
            if self.budget == 0 {
                fine = false;
                break;
            }
            self.budget -= 1;
            visits[index] += 1;
            passed.push(index);
            self.reached.insert(index);
            self.step(index, &mut stack);
            let thrown = self.handlers(index);
            if !thrown.iter().all(|handler| self.walk(*handler, vec![Value::default()], visits)) {
                fine = false;
                break;
            }
            let targets = self.successors(index);
            if let [only] = targets[..] {
                index = only;
                continue;
            }
            fine = targets.into_iter().all(|target| self.walk(target, stack.clone(), visits));
            break;
        }
        passed.into_iter().for_each(|index| visits[index] -= 1);
        fine
    }

    fn local(&self, slot: u16) -> String {
        if slot == 0 && self.instance { "this".to_owned() } else { format!("#{slot}") }
    }

    fn member(&self, insn: &Insn) -> MemberText<'_> {
        self.class.pool.member(MemberIndex(insn.constant().unwrap())).unwrap()
    }

    fn step(&mut self, index: usize, stack: &mut Vec<Value>) {
        let insn = self.insns[index];
        let (pops, pushes) = (usize::from(insn.opcode.info().pops), usize::from(insn.opcode.info().pushes));
        let mut used = Vec::new();
        let mut defined = None;
        let name = insn.opcode.mnemonic();
        let is_load = insn.local().is_some() && name.contains("load");
        let is_store = insn.local().is_some() && name.contains("store");
        match name {
            "nop" | "goto" | "goto_w" | "checkcast" => {}
            "pop" | "pop2" => drop(stack.split_off(stack.len() - pops)),
            _ if is_load => {
                let local = self.local(insn.local().unwrap());
                stack.push(named(local, &BTreeSet::new()));
                stack.resize(stack.len() + pushes - 1, Value::default());
            }
            _ if is_store => {
                used = stack.split_off(stack.len() - pops);
                defined = Some(self.local(insn.local().unwrap()));
            }
            _ if insn.opcode >= Opcode::Iaload && insn.opcode <= Opcode::Saload => {
                load_element(stack, pushes)
            }
            _ if insn.opcode >= Opcode::Iastore && insn.opcode <= Opcode::Sastore => {
                (used, defined) = self.store_element(stack.split_off(stack.len() - pops));
            }
            _ if name.starts_with("dup") || name == "swap" => shuffle(name, stack),
            "iinc" => {
                let local = self.local(insn.local().unwrap());
                used.push(named(local.clone(), &BTreeSet::new()));
                defined = Some(local);
            }
            "arraylength" | "lcmp" | "fcmpl" | "fcmpg" | "dcmpl" | "dcmpg" => {
                let parts = stack.split_off(stack.len() - pops);
                let from = parts.into_iter().flat_map(|part| part.from).collect();
                stack.push(Value { from, ..Value::default() });
            }
            "getstatic" | "putstatic" | "getfield" | "putfield" => {
                (used, defined) = self.field(&insn, name, stack);
            }
            _ if name.starts_with("invoke") => {
                used = self.call(&insn, name, stack);
                let handed: Vec<Option<String>> = used.iter().map(|value| value.path.clone()).collect();
                let before = self.calls.entry(index).or_insert_with(|| handed.clone());
                for (before, now) in before.iter_mut().zip(handed) {
                    *before = before.take().filter(|path| Some(path) == now.as_ref());
                }
            }
            "multianewarray" => {
                let Operand::MultiArray(_, dimensions) = insn.operand else { unreachable!() };
                used = stack.split_off(stack.len() - usize::from(dimensions));
                stack.push(Value::default());
            }
            _ => {
                used = stack.split_off(stack.len() - pops);
                stack.resize(stack.len() + pushes, Value::default());
            }
        }
        self.note(index, stack, used, defined);
    }

    /// Remembers what an instruction used and defined on this path.
    fn note(&mut self, index: usize, stack: &[Value], used: Vec<Value>, defined: Option<String>) {
        for value in stack.iter().chain(&used) {
            self.mentioned.extend(value.from.iter().cloned());
        }
        self.mentioned.extend(defined.clone());
        self.uses[index].extend(used.into_iter().flat_map(|value| value.from));
        match (&self.defines[index], &defined) {
            (Some(old), Some(new)) => {
                assert_eq!(old, new, "an instruction defines one variable on all paths")
            }
            (None, Some(_)) => self.defines[index] = defined,
            _ => {}
        }
    }

    fn store_element(&self, mut used: Vec<Value>) -> (Vec<Value>, Option<String>) {
        let array = used[0].array.clone().filter(|_| self.whole);
        if let Some(array) = array.as_ref().filter(|array| used[0].path.as_ref() == Some(array)) {
            used[0].from.remove(array);
        }
        (used, array)
    }

    fn field(&self, insn: &Insn, name: &str, stack: &mut Vec<Value>) -> (Vec<Value>, Option<String>) {
        let member = self.member(insn);
        let slots = usize::from(descriptor::field(member.descriptor.0).unwrap().slots());
        let mut used =
            if name.starts_with("put") { stack.split_off(stack.len() - slots) } else { Vec::new() };
        let base = if name.ends_with("field") { stack.pop() } else { None };
        let path = match &base {
            Some(base) => base.path.as_ref().map(|path| format!("{path}.{}", member.name)),
            None => Some(format!("{}.{}", member.owner.to_binary_name(), member.name)),
        };
        if name.starts_with("put") {
            used.extend(base);
            return (used, path);
        }
        let through = base.map(|base| base.from).unwrap_or_default();
        stack.push(match path {
            Some(path) => named(path, &through),
            None => Value { from: through, ..Value::default() },
        });
        stack.resize(stack.len() + slots - 1, Value::default());
        (used, None)
    }

    fn call(&self, insn: &Insn, name: &str, stack: &mut Vec<Value>) -> Vec<Value> {
        let member = self.member(insn);
        let (slots, result) = descriptor::method(member.descriptor.0).unwrap();
        let receiver = usize::from(!matches!(name, "invokestatic" | "invokedynamic"));
        let used = stack.split_off(stack.len() - usize::from(slots) - receiver);
        if result != Kind::Void {
            stack.resize(stack.len() + usize::from(result.slots()), Value::default());
        }
        // A string builder gives itself back.
        let owner = String::from_utf8_lossy(member.owner.0).into_owned();
        let itself = member.descriptor.0.ends_with(format!(")L{owner};").as_bytes());
        if receiver == 1 && itself && ["java/lang/StringBuilder", "java/lang/StringBuffer"].contains(&&*owner)
        {
            stack.last_mut().unwrap().path = used[0].path.clone();
        }
        used
    }

    /// Whether what an instruction assigns is, or leads to, a variable.
    fn hits(&self, index: usize, variable: &str) -> bool {
        let defined = self.defines[index].as_deref();
        defined.is_some_and(|root| leads_to(root, variable))
    }

    /// Whether an instruction begins a block (there are nodes besides that begin behind what may throw).
    fn leads(&self, index: usize) -> bool {
        let jumped_to = (0..self.insns.len()).any(|from| {
            let jumps = self.insns[from].opcode;
            let ends = jumps.ends_block() || jumps.is_conditional() || jumps.is_jsr();
            ends && (from + 1 == index || self.successors(from).contains(&index))
        });
        let handled =
            self.code.exceptions.iter().any(|entry| self.insns[index].pc == u32::from(entry.handler));
        index == 0 || jumped_to || handled
    }

    /// Whether the entry defines a variable.
    fn at_entry(&self, variable: &str) -> bool {
        let local = variable.starts_with('#') || variable == "this" || variable.starts_with("this.");
        !local || self.parameters.contains(variable.split('.').next().unwrap())
    }

    /// All associations.
    pub fn associate(&self) -> Found {
        let mut found = Found::new();
        for variable in &self.mentioned {
            if self.at_entry(variable) {
                self.search(None, variable, &mut found);
            }
            for index in self.reached.iter().filter(|index| self.hits(**index, variable)) {
                self.search(Some(*index), variable, &mut found);
            }
        }
        found
    }

    /// A run of the method that decides by lot, throws by lot, and after `length` instructions leaves as soon as it can throw;
    /// none when it cannot.
    pub fn run(&self, random: &mut impl Rng, length: usize) -> Option<Vec<(usize, Outcome)>> {
        let mut ran = Vec::new();
        let mut index = 0;
        loop {
            let opcode = self.insns[index].opcode;
            let late = ran.len() >= length;
            let outcome =
                if opcode == Opcode::Athrow || may_throw(opcode) && (late || random.random_ratio(1, 12)) {
                    self.throw(index, random, late)
                } else {
                    let targets = self.successors(index);
                    match targets.len() {
                        0 => Outcome::Left { thrown: false },
                        count => Outcome::Next(targets[random.random_range(0..count)]),
                    }
                };
            ran.push((index, outcome));
            match outcome {
                Outcome::Next(next) | Outcome::Caught(next) => index = next,
                Outcome::Left { .. } => return Some(ran),
            }
            if ran.len() > 20 * length {
                return None;
            }
        }
    }

    fn throw(&self, index: usize, random: &mut impl Rng, leave: bool) -> Outcome {
        let pc = self.insns[index].pc;
        let covers = |from: u16, to: u16| u32::from(from) <= pc && pc < u32::from(to);
        let entries = self.code.exceptions.iter().filter(|entry| covers(entry.start, entry.end));
        let handlers: Vec<usize> = entries.map(|entry| self.at[&u32::from(entry.handler)]).collect();
        if leave || handlers.is_empty() {
            return Outcome::Left { thrown: true };
        }
        Outcome::Caught(handlers[random.random_range(0..handlers.len())])
    }

    /// The associations a run covers: at each use, with the definition that was completed last.
    pub fn covered(&self, ran: &[(usize, Outcome)]) -> Found {
        let mut found = Found::new();
        // By variable: who defined it last, and in which visit of a node.
        let mut last: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
        for variable in self.mentioned.iter().filter(|variable| self.at_entry(variable)) {
            last.insert(variable, (self.entry, self.entry));
        }
        let mut visit = 0;
        for (index, outcome) in ran {
            let cut = *index > 0 && !self.handlers(index - 1).is_empty();
            visit += u32::from(cut || self.leads(*index));
            let insn = &self.insns[*index];
            let decides = insn.opcode.is_conditional() || insn.switch(self.code.bytes).is_some();
            for variable in &self.uses[*index] {
                let Some((definition, since)) = last.get(variable.as_str()) else { continue };
                match outcome {
                    Outcome::Next(next) if decides => {
                        let edge = (self.nodes[*index], Some(self.nodes[*next]));
                        found.insert((*definition, edge, variable.clone()));
                    }
                    _ if (*since, *definition) != (visit, self.nodes[*index]) => {
                        found.insert((*definition, (self.nodes[*index], None), variable.clone()));
                    }
                    _ => {}
                }
            }
            if matches!(outcome, Outcome::Next(_) | Outcome::Left { thrown: false }) {
                let defined = self.defines[*index].as_deref().or(self.late[*index].as_deref());
                for variable in self.mentioned.iter().filter(|it| defined.is_some_and(|d| leads_to(d, it))) {
                    let behind = self.defining[*index] - self.nodes[*index];
                    last.insert(variable, (self.defining[*index], visit + behind));
                }
            }
        }
        found
    }

    /// Goes on from a definition, or from the entry, as far as nothing else defines the variable.
    fn search(&self, from: Option<usize>, variable: &str, found: &mut Found) {
        let (nodes, entry) = (&self.nodes, self.entry);
        let definition = from.map_or(entry, |index| self.defining[index]);
        let mut open: Vec<(usize, bool)> = match from {
            Some(index) => self
                .successors(index)
                .into_iter()
                .map(|next| (next, nodes[next] == definition && next > index))
                .collect(),
            None => vec![(0, entry == 1)],
        };
        let mut seen = BTreeSet::new();
        while let Some((index, local)) = open.pop() {
            if !seen.insert((index, local)) {
                continue;
            }
            let insn = &self.insns[index];
            let decides = insn.opcode.is_conditional() || insn.switch(self.code.bytes).is_some();
            if self.uses[index].contains(variable) {
                if decides {
                    for target in self.successors(index) {
                        found.insert((definition, (nodes[index], Some(nodes[target])), variable.to_owned()));
                    }
                } else if !local {
                    found.insert((definition, (nodes[index], None), variable.to_owned()));
                }
            }
            // An exception comes before what the instruction defines.
            open.extend(self.handlers(index).into_iter().map(|handler| (handler, false)));
            if !self.hits(index, variable) {
                for next in self.successors(index) {
                    // Still on the way from the definition to the end of its block?
                    let on = local && nodes[next] == nodes[index] && next == index + 1 && !self.leads(next);
                    open.push((next, on));
                }
            }
        }
    }
}

fn load_element(stack: &mut Vec<Value>, pushes: usize) {
    let parts = stack.split_off(stack.len() - 2);
    let from = parts.iter().flat_map(|part| part.from.clone()).collect();
    stack.push(Value { from, path: None, array: parts[0].array.clone() });
    stack.resize(stack.len() + pushes - 1, Value::default());
}

/// Whether one variable is the other or begins its path.
fn leads_to(root: &str, variable: &str) -> bool {
    variable.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn shuffle(name: &str, stack: &mut Vec<Value>) {
    let order: &[usize] = match name {
        "dup" => &[0, 0],
        "dup_x1" => &[0, 1, 0],
        "dup_x2" => &[0, 2, 1, 0],
        "dup2" => &[1, 0, 1, 0],
        "dup2_x1" => &[1, 0, 2, 1, 0],
        "dup2_x2" => &[1, 0, 3, 2, 1, 0],
        _ => &[0, 1],
    };
    let depth = order.iter().max().unwrap() + 1;
    let parts = stack.split_off(stack.len() - depth);
    stack.extend(order.iter().map(|from_top| parts[depth - 1 - from_top].clone()));
}
