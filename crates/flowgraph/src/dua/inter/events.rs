//! What happens to variables in a method, in order: uses, definitions, calls. The form in which methods of a class are put
//! together.
//!
//! It knows one method at a time, and of the others only their names. Invariants: variables are those of the class's
//! table, in which a local variable stands for a slot of whatever method is spoken of; what is not reached has no events.

use super::super::callees::Callees;
use super::super::method::Analysed;
use super::super::values::Call;
use super::super::vars::{VarId, Variable, Variables};
use crate::{Node, Use};
use dynaflow_bytecode::blocks::Ending;
use dynaflow_classfile::class::access;
use dynaflow_classfile::{ClassFile, MemberIndex, Opcode, descriptor};
use std::collections::{BTreeMap, BTreeSet};

/// Where a variable is defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct DefSite {
    /// The method, by its position among those analysed.
    pub method: u32,
    /// The node.
    pub node: Node,
    /// The instruction.
    pub insn: u32,
    /// Whether it is a call that changes the object the variable refers to.
    pub modifier: bool,
}

impl DefSite {
    /// None comes before it.
    pub const FIRST: Self = Self { method: 0, node: 0, insn: 0, modifier: false };
}

/// Where a variable is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct UseSite {
    /// The method, by its position among those analysed.
    pub method: u32,
    /// The node or edge.
    pub usage: Use,
    /// The instruction.
    pub insn: u32,
}

/// One thing that happens.
#[derive(Clone, Debug)]
pub(super) enum Event {
    /// A value is consumed.
    Use(VarId, UseSite),
    /// A variable is assigned, or what it refers to is changed.
    Define(VarId, DefSite),
    /// A method of the class is called.
    Call(Invocation),
}

/// A call of a method of the class.
#[derive(Clone, Debug)]
pub(super) struct Invocation {
    /// The method, by its position among those analysed.
    pub callee: u32,
    /// By slot of the callee's parameters: the caller's variable that is handed over unchanged.
    pub actuals: BTreeMap<u16, VarId>,
}

/// The events of a method.
#[derive(Clone, Debug, Default)]
pub(super) struct Events {
    /// By node, from node 1 on.
    pub nodes: Vec<Vec<Event>>,
    /// Slots of the parameters, `this` included.
    pub formals: BTreeSet<u16>,
    /// Those of them that the method itself assigns: what they lead to at the end is not the caller's.
    pub reassigned: BTreeSet<u16>,
}

/// Methods by name and descriptor: their positions, and whether they have a receiver.
pub(super) type ByName<'a> = BTreeMap<(&'a [u8], &'a [u8]), (u32, bool)>;

/// Collects the events of methods.
pub(super) struct Collector<'t, 'a> {
    /// The class.
    pub class: &'t ClassFile<'a>,
    /// Its methods.
    pub methods: &'t ByName<'a>,
    /// What is known of other classes.
    pub callees: &'t dyn Callees,
    /// The variables of all methods.
    pub variables: &'t mut Variables<'a>,
}

impl<'a> Collector<'_, 'a> {
    /// The events of the method at a position.
    pub fn collect(&mut self, number: u32, method: &Analysed<'a>) -> Events {
        let translated = self.translate(&method.effects.variables);
        let instance = method.member.access & access::STATIC == 0;
        let mut found = Events { formals: method.formals.clone(), ..Events::default() };
        let calls: BTreeMap<u32, &Call> = method.effects.calls.iter().map(|call| (call.insn, call)).collect();
        found.nodes.resize(method.lowered.pieces().len(), Vec::new());
        let mut add = |node: Node, event: Event| {
            if let Some(events) = (node as usize).checked_sub(1).and_then(|index| found.nodes.get_mut(index))
            {
                events.push(event);
            }
        };
        for (index, block) in (0u32..).zip(method.blocks.all()) {
            if method.effects.reached.get(index as usize) != Some(&true) {
                continue;
            }
            for insn in block.insns() {
                let decides = insn == block.last as usize && block.ending == Ending::Decides;
                let place = Place { method, number, block: index, insn: insn as u32, decides, instance };
                self.insn(place, &translated, &calls, &mut found.reassigned, &mut add);
            }
        }
        found.reassigned.retain(|slot| found.formals.contains(slot));
        found
    }

    /// By variable of the method: the one of the class.
    fn translate(&mut self, own: &Variables<'a>) -> Vec<VarId> {
        let mut translated: Vec<VarId> = Vec::with_capacity(own.len());
        for (_, variable) in own.iter() {
            let variable = match variable {
                Variable::Path(base, field) => {
                    Variable::Path(translated.get(base.index()).copied().unwrap_or(base), field)
                }
                other => other,
            };
            translated.push(self.variables.intern(variable));
        }
        translated
    }

    fn insn(
        &mut self,
        place: Place<'_, 'a>,
        translated: &[VarId],
        calls: &BTreeMap<u32, &Call>,
        reassigned: &mut BTreeSet<u16>,
        add: &mut dyn FnMut(Node, Event),
    ) {
        let effects = &place.method.effects;
        let Some(effect) = effects.effects.get(place.insn as usize) else { return };
        let class_id = |id: VarId| translated.get(id.index()).copied();
        for variable in effects.sets.get(effect.uses).iter().filter_map(|id| class_id(*id)) {
            for usage in place.usages() {
                let site = UseSite { method: place.number, usage, insn: place.insn };
                add(place.node(), Event::Use(variable, site));
            }
        }
        if let Some(call) = calls.get(&place.insn) {
            self.call(&place, call, &class_id).into_iter().for_each(|event| add(place.node(), event));
        }
        if let Some(variable) = effect.defines.and_then(class_id) {
            if let Some(Variable::Local(slot)) = self.variables.get(variable) {
                reassigned.insert(slot);
            }
            let site = place.definition(false);
            add(site.node, Event::Define(variable, site));
        }
    }

    /// A call: into the class, or one that changes the object it is made on.
    fn call(
        &self,
        place: &Place<'_, 'a>,
        call: &Call,
        class_id: &impl Fn(VarId) -> Option<VarId>,
    ) -> Option<Event> {
        let insn = place.method.body.insns.get(call.insn as usize)?;
        let member = self.class.pool.member(MemberIndex(insn.constant()?)).ok()?;
        let receiver = call.receiver.and_then(|value| value.path).and_then(class_id);
        let own = self.class.name().ok()?.0 == member.owner.0;
        if let (true, Some((callee, instance))) =
            (own, self.methods.get(&(member.name.0, member.descriptor.0)))
        {
            let mut actuals = BTreeMap::new();
            let mut slot = 0;
            if *instance {
                actuals.extend(receiver.map(|receiver| (0, receiver)));
                slot = 1;
            }
            let kinds = descriptor::parameters(member.descriptor.0);
            for (argument, kind) in call.arguments.iter().zip(kinds) {
                actuals.extend(argument.path.and_then(class_id).map(|path| (slot, path)));
                slot += u16::from(kind.slots());
            }
            return Some(Event::Call(Invocation { callee: *callee, actuals }));
        }
        let receiver = receiver?;
        let on_this = place.instance && self.variables.get(receiver) == Some(Variable::Local(0));
        let dynamic = insn.opcode == Opcode::Invokedynamic;
        let changes = !on_this && !dynamic && self.callees.modifies(&member);
        changes.then(|| Event::Define(receiver, place.definition(true)))
    }
}

/// Where an event happens.
#[derive(Clone, Copy)]
struct Place<'p, 'a> {
    method: &'p Analysed<'a>,
    number: u32,
    block: u32,
    insn: u32,
    decides: bool,
    instance: bool,
}

impl Place<'_, '_> {
    /// The node in which the instruction uses and calls.
    fn node(&self) -> Node {
        self.method.lowered.using(self.insn as usize)
    }

    /// The definition the instruction makes; an object that a call changes is changed in the course of the call.
    fn definition(&self, modifier: bool) -> DefSite {
        let node = if modifier { self.node() } else { self.method.lowered.defining(self.insn as usize) };
        DefSite { method: self.number, node, insn: self.insn, modifier }
    }

    /// The node, or for what a branch uses all edges.
    fn usages(&self) -> Vec<Use> {
        let node = self.node();
        if !self.decides {
            return vec![Use::Node(node)];
        }
        let targets = self.method.blocks.successors(self.block).iter();
        targets.map(|target| Use::Edge(node, self.method.lowered.first_of(*target))).collect()
    }
}
