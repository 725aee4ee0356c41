//! The associations of one method, with what people and programs want to know of them.
//!
//! It puts the parts together: values on the stack, a summary by node, the graph, the search for paths, names. Invariants: the
//! order and the ids of associations depend on the class file and the options alone; two of a method differ in
//! definition, use or spelled variable.

use super::limits::{self, Asked};
use super::names::Names;
use super::reach::Summary;
use super::values::{self, Effects};
use super::vars::{VarId, Variable};
use super::{Kind, Options, Refusal};
use crate::lower::{Exceptions, Lowered};
use crate::pairs;
use crate::{Dua, Node, Problem, Use};
use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_classfile::class::access;
use dynaflow_classfile::{ClassFile, Member, descriptor};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The associations of a method, with the graph they live in.
#[derive(Clone, Debug)]
pub struct MethodDuas {
    /// Simple name.
    pub name: String,
    /// Descriptor.
    pub descriptor: String,
    /// Graph, definitions and associations.
    pub problem: Problem,
    /// What each association is called, in the order of the problem's.
    pub details: Vec<Detail>,
    /// What nodes 1 to the last before the exit stand for.
    pub nodes: Vec<NodePlace>,
}

/// Where a node lies in the code. One that begins where it ends has nothing but the definition of the instruction
/// before, which may throw instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodePlace {
    /// Offset of its first instruction.
    pub start: u32,
    /// Offset behind its last instruction.
    pub end: u32,
    /// Line of its first instruction.
    pub first_line: Option<u32>,
    /// Line of its last instruction.
    pub last_line: Option<u32>,
}

/// What an association is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// The same on every machine for the same class file, and nobody else's.
    pub id: String,
    /// The variable in words: `index`, `this.next.value`, `a.Outer.limit`; `#4` for a local variable without a name.
    pub variable: String,
    /// Which kind it is of.
    pub kind: Kind,
    /// Whether the entry of the method defines.
    pub at_entry: bool,
    /// Line of the definition; that of the first instruction when the entry defines.
    pub defined_at: Option<u32>,
    /// Line of the use.
    pub used_at: Option<u32>,
}

impl Detail {
    /// The id as the number whose 16 hexadecimal digits it is.
    pub fn number(&self) -> u64 {
        u64::from_str_radix(&self.id, 16).unwrap_or_default()
    }
}

/// Analyses a method; none when it has no code.
///
/// # Errors
/// When the code is none the JVM accepts, or too large.
pub fn of_method(
    class: &ClassFile<'_>,
    method: &Member<'_>,
    options: &Options,
) -> Result<Option<MethodDuas>, Refusal> {
    let analysed = Analysed::of(class, method, options, false)?;
    analysed.map(|analysed| analysed.finish(class, options)).transpose()
}

/// By node and slot the offset at which a definition's slot has a name, where it has none behind the definition.
type LaterNames = FxHashMap<(Node, u16), u32>;

/// A method with what its instructions do.
pub(crate) struct Executed<'a> {
    pub body: Body<'a>,
    pub blocks: Blocks,
    pub effects: Effects<'a>,
    /// Slots of the parameters, `this` included.
    pub formals: BTreeSet<u16>,
}

impl<'a> Executed<'a> {
    /// Runs a method symbolically; none when it has no code.
    pub fn of(
        class: &ClassFile<'a>,
        method: &Member<'a>,
        options: &Options,
        with_calls: bool,
    ) -> Result<Option<Self>, Refusal> {
        let Some(body) = Body::of_method(class, method)? else { return Ok(None) };
        let blocks = Blocks::of(&body)?;
        let effects = values::run(&class.pool, &body, &blocks, options, with_calls)?;
        let instance = method.access & access::STATIC == 0;
        let formals = parameter_slots(class.pool.utf8(method.descriptor)?.0, instance);
        Ok(Some(Self { body, blocks, effects, formals }))
    }
}

/// A method with what its instructions do, summed up by node, before associations are sought.
pub(crate) struct Analysed<'a> {
    pub member: Member<'a>,
    pub body: Body<'a>,
    pub blocks: Blocks,
    pub effects: Effects<'a>,
    pub summary: Summary,
    pub lowered: Lowered,
    pub names: Names,
    /// Slots of the parameters, `this` included.
    pub formals: BTreeSet<u16>,
    asked: Asked,
}

impl<'a> Analysed<'a> {
    /// Runs a method symbolically and sums it up.
    pub fn of(
        class: &ClassFile<'a>,
        method: &Member<'a>,
        options: &Options,
        with_calls: bool,
    ) -> Result<Option<Self>, Refusal> {
        let Some(Executed { body, blocks, effects, formals }) =
            Executed::of(class, method, options, with_calls)?
        else {
            return Ok(None);
        };
        let exceptions = if options.exception_edges { Exceptions::Edges } else { Exceptions::Ignored };
        let lowered = Lowered::of(&body, &blocks, exceptions).map_err(Refusal::of_graph)?;
        let mut asked = Asked::default();
        let summary = Summary::of(&blocks, &lowered, &effects, &formals, &mut asked)?;
        let names = Names::of(class, &body.code, method.access & access::STATIC == 0);
        Ok(Some(Self {
            member: method.clone(),
            body,
            blocks,
            effects,
            summary,
            lowered,
            names,
            formals,
            asked,
        }))
    }

    /// Seeks the associations and names them.
    pub fn finish(&self, class: &ClassFile<'_>, options: &Options) -> Result<MethodDuas, Refusal> {
        let (class_name, pool) = (class.name()?.to_binary_name(), &class.pool);
        let name = pool.utf8(self.member.name)?.to_str().into_owned();
        let descriptor = pool.utf8(self.member.descriptor)?.to_str().into_owned();
        let cfg = &self.lowered.cfg;
        let definitions = self.summary.definitions(cfg);
        let usages = self.summary.usages(&self.blocks, &self.lowered);
        let found = pairs::within(cfg, &definitions, &usages, limits::ASSOCIATIONS);
        let found = found.map_err(Refusal::of_graph)?;
        let mut asked = self.asked;
        let later = self.later_names(&found);
        let mut named: Vec<(Dua, Detail)> = Vec::with_capacity(found.len());
        for dua in found {
            if let Some(detail) = self.detail(dua, &later, options) {
                asked.spells(detail.variable.len())?;
                named.push((dua, detail));
            }
        }
        self.qualify_alike(&mut named, &later);
        named.sort_by(|(a, x), (b, y)| (a.def, &x.variable, a.usage).cmp(&(b.def, &y.variable, b.usage)));
        let method = format!("{class_name}.{name}{descriptor}");
        for (dua, detail) in &mut named {
            detail.id = id_of(&method, dua, &detail.variable);
        }
        let (duas, details) = named.into_iter().unzip();
        let nodes = self.places();
        let problem = Problem::new(cfg.clone(), definitions, duas).map_err(Refusal::of_graph)?;
        Ok(MethodDuas { name, descriptor, problem, details, nodes })
    }

    /// The instruction that makes a definition; none for the entry.
    pub fn definer(&self, node: Node, variable: VarId) -> Option<u32> {
        self.summary.defines.get(&(node, variable)).copied()
    }

    /// Offset of an instruction.
    pub fn offset_of(&self, insn: u32) -> u32 {
        self.offsets(insn).0
    }

    /// Name and descriptor.
    pub fn signature(&self, class: &ClassFile<'_>) -> Option<String> {
        let (name, descriptor) = (class.pool.utf8(self.member.name), class.pool.utf8(self.member.descriptor));
        Some(format!("{}{}", name.ok()?, descriptor.ok()?))
    }

    /// Offset and offset behind an instruction.
    fn offsets(&self, insn: u32) -> (u32, u32) {
        self.body.insns.get(insn as usize).map_or((0, 0), |insn| (insn.pc, insn.end))
    }

    /// Where the name of a variable's root must be looked up to be the one it has right after a definition.
    pub fn name_offset(&self, definer: Option<u32>, variable: VarId) -> u32 {
        let Some(insn) = definer else { return 0 };
        let (pc, end) = self.offsets(insn);
        let assigned = self.effects.effects.get(insn as usize).and_then(|effect| effect.defines);
        // A local variable has its name from behind the store on.
        if assigned == Some(self.effects.variables.root(variable)) { end } else { pc }
    }

    /// Where definitions find the name of their variable's slot that have none there: Kotlin's ranges of inlined code begin later than
    /// right behind the store. By node and slot, the first use that has a name.
    fn later_names(&self, found: &[Dua]) -> LaterNames {
        let mut later = LaterNames::default();
        for dua in found {
            let variable = VarId(dua.variable.0);
            let Some(slot) = self.root_slot(variable) else { continue };
            let defined = self.name_offset(self.definer(dua.def, variable), variable);
            let used = self.user(dua).map(|insn| self.offset_of(insn));
            let used = used.filter(|used| self.names.local(slot, *used).is_some());
            if let Some(used) = used.filter(|_| self.names.local(slot, defined).is_none()) {
                let first = later.entry((dua.def, slot)).or_insert(used);
                *first = used.min(*first);
            }
        }
        later
    }

    /// Where the name of an association's variable is found.
    fn spelled_at(&self, dua: &Dua, later: &LaterNames) -> u32 {
        let variable = VarId(dua.variable.0);
        let offset = self.name_offset(self.definer(dua.def, variable), variable);
        let slot = self.root_slot(variable).filter(|slot| self.names.local(*slot, offset).is_none());
        slot.and_then(|slot| later.get(&(dua.def, slot)).copied()).unwrap_or(offset)
    }

    /// The instruction that uses.
    fn user(&self, dua: &Dua) -> Option<u32> {
        let variable = VarId(dua.variable.0);
        let user = match dua.usage {
            Use::Node(node) => self.summary.uses.get(&(node, variable)),
            Use::Edge(from, _) => self.summary.decides.get(&(from, variable)),
        };
        user.copied()
    }

    /// Where the name of a slot at an instruction must be looked up: behind it, where a store gives it, else at it.
    pub fn name_offset_of(&self, slot: Option<u16>, insn: Option<u32>) -> u32 {
        let (pc, end) = insn.map_or((0, 0), |insn| self.offsets(insn));
        let named_behind = slot.is_some_and(|slot| self.names.local(slot, end).is_some());
        if named_behind { end } else { pc }
    }

    /// The slot of the local variable that a variable begins with.
    pub fn root_slot(&self, variable: VarId) -> Option<u16> {
        match self.effects.variables.get(self.effects.variables.root(variable)) {
            Some(Variable::Local(slot)) => Some(slot),
            _ => None,
        }
    }

    /// What an association is called, without its id; none when it is to be left out.
    fn detail(&self, dua: Dua, later: &LaterNames, options: &Options) -> Option<Detail> {
        let variable = VarId(dua.variable.0);
        let definer = self.definer(dua.def, variable);
        let offset = self.spelled_at(&dua, later);
        let slot = self.root_slot(variable);
        let unnamed = slot.is_some_and(|slot| self.names.local(slot, offset).is_none());
        if !options.temporaries && unnamed && self.names.has_locals() {
            return None;
        }
        let is_this = slot == Some(0) && self.member.access & access::STATIC == 0;
        let parameter = definer.is_none() && slot.is_some() && !is_this;
        Some(Detail {
            id: String::new(),
            variable: self.names.spell(&self.effects.variables, variable, offset, false),
            kind: if parameter { Kind::Parameter } else { Kind::IntraMethod },
            at_entry: definer.is_none(),
            defined_at: self.names.line(definer.map_or(0, |insn| self.offsets(insn).0)),
            used_at: self.user(&dua).and_then(|insn| self.names.line(self.offset_of(insn))),
        })
    }

    /// Spells fields with their classes where two of one name, declared by different classes, would look alike.
    fn qualify_alike(&self, named: &mut [(Dua, Detail)], later: &LaterNames) {
        named.sort_by(|(a, x), (b, y)| (a.def, a.usage, &x.variable).cmp(&(b.def, b.usage, &y.variable)));
        let alike = |(a, x): &(Dua, Detail), (b, y): &(Dua, Detail)| {
            (a.def, a.usage) == (b.def, b.usage) && x.variable == y.variable
        };
        for group in named.chunk_by_mut(alike).filter(|group| group.len() > 1) {
            for (dua, detail) in group {
                let variable = VarId(dua.variable.0);
                let offset = self.spelled_at(dua, later);
                detail.variable = self.names.spell(&self.effects.variables, variable, offset, true);
            }
        }
    }

    fn places(&self) -> Vec<NodePlace> {
        let place = self.lowered.pieces().iter().map(|piece| {
            let (first, last) = (piece.insns.start, piece.insns.end.saturating_sub(1));
            // A piece without instructions lies behind the one whose definition it is.
            let first = first.min(last);
            NodePlace {
                start: if piece.insns.is_empty() { self.offsets(last).1 } else { self.offset_of(first) },
                end: self.offsets(last).1,
                first_line: self.names.line(self.offset_of(first)),
                last_line: self.names.line(self.offset_of(last)),
            }
        });
        place.collect()
    }
}

/// The local variable slots that hold parameters, `this` included; of a `long` or `double` the first.
fn parameter_slots(descriptor: &[u8], instance: bool) -> BTreeSet<u16> {
    let mut next = u16::from(instance);
    let parameters = descriptor::parameters(descriptor).map(|kind| {
        let slot = next;
        next = next.saturating_add(u16::from(kind.slots()));
        slot
    });
    let mut slots: BTreeSet<u16> = parameters.collect();
    if instance {
        slots.insert(0);
    }
    slots
}

/// The id of an association: a digest of what it is.
fn id_of(method: &str, dua: &Dua, variable: &str) -> String {
    digest(&[method, &dua.def.to_string(), &dua.usage.to_string(), variable])
}

/// 64 bits of a digest of texts, in hexadecimal digits.
pub(crate) fn digest(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(part.as_bytes());
        hasher.update(&[0]);
    }
    hasher.finalize().to_hex().as_str().get(..16).unwrap_or_default().to_owned()
}
