//! Uses that a constant keeps execution from: `count = 0` never reaches what stands behind `if (count > 0)`.
//!
//! In: the code of a method, where in it a use reads a field, the constant that was assigned to the field. Out: whether guards that compare that very
//! field, and other assignments of it, stand on every path to the use. It knows one method at a time, neither objects nor calls. Invariant: what is
//! called closed is not reached with the constant; what is not understood counts as open.

use crate::dua::Options;
use crate::dua::values::{self, Effect};
use crate::dua::vars::Variable;
use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_classfile::pool::Constant as Pooled;
use dynaflow_classfile::{ClassFile, ConstantPool, Insn, Member, MemberIndex, Opcode, Operand};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// A value that an instruction writes whenever it is executed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// Of an integral type, or a flag.
    Whole(i64),
    /// Of a floating type.
    Real(f64),
    /// No object.
    Null,
}

impl Constant {
    /// How two constants compare; none of different kinds, and where one is no number.
    fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Whole(one), Self::Whole(two)) => Some(one.cmp(&two)),
            (Self::Real(one), Self::Real(two)) => one.partial_cmp(&two),
            (Self::Null, Self::Null) => Some(Ordering::Equal),
            _ => None,
        }
    }
}

/// A field as an instruction names it, its class apart: a subclass may name it as its own.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Field {
    name: Box<[u8]>,
    descriptor: Box<[u8]>,
}

/// An assignment of a constant to a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    field: Field,
    /// What it has afterwards.
    value: Constant,
}

/// A method with its code, ready to be asked. Reading it is linear in its length.
#[derive(Debug)]
pub struct Guards<'a> {
    pool: &'a ConstantPool<'a>,
    body: Body<'a>,
    blocks: Blocks,
    /// Local variables that are assigned somewhere.
    stored: BTreeSet<u16>,
    /// Instructions that assign a field of the object that a local variable, which is never assigned, holds, or a static field.
    assigns: BTreeMap<usize, Path>,
}

/// Where a field is read: a chain of fields from a local variable that is never assigned, or from a static field.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Path {
    /// The local variable; none of a static field.
    local: Option<u16>,
    /// The last is the field itself.
    fields: Vec<Field>,
}

/// A branch that compares the field with a constant.
struct Guard {
    path: Path,
    /// Whether the branch is taken for a constant; none when that is not known.
    taken: Option<bool>,
}

impl<'a> Guards<'a> {
    /// Those of a method; none when it has no code that can be read.
    pub fn of(class: &'a ClassFile<'a>, method: &Member<'a>) -> Option<Self> {
        let body = Body::of_method(class, method).ok()??;
        let blocks = Blocks::of(&body).ok()?;
        let stores = |insn: &&Insn| insn.opcode.is_store() || insn.opcode == Opcode::Iinc;
        let stored = body.insns.iter().filter(stores).filter_map(Insn::local).collect();
        let mut found = Self { pool: &class.pool, body, blocks, stored, assigns: BTreeMap::new() };
        found.assigns = found.assignments().unwrap_or_default();
        Some(found)
    }

    /// The assignments of fields of which it is known what object they are made on; none where the method is too large to tell.
    fn assignments(&self) -> Option<BTreeMap<usize, Path>> {
        let effects = values::run(self.pool, &self.body, &self.blocks, &Options::default(), false).ok()?;
        let path = |(at, effect): (usize, &Effect)| {
            let insn = self.body.insns.get(at)?;
            let local = match (insn.opcode, effects.variables.get(effect.defines?)?) {
                (Opcode::Putstatic, Variable::Static(_)) => None,
                (Opcode::Putfield, Variable::Path(base, _)) => match effects.variables.get(base)? {
                    Variable::Local(local) if !self.stored.contains(&local) => Some(local),
                    _ => return None,
                },
                _ => return None,
            };
            Some((at, Path { local, fields: vec![self.field(insn)?] }))
        };
        Some(effects.effects.iter().enumerate().filter_map(path).collect())
    }

    /// What the instruction at an offset assigns to a field, when that is always the same.
    pub fn assigned(&self, offset: u32) -> Option<Assignment> {
        let at = self.body.insn_at(offset)?;
        let insn = self.body.insns.get(at)?;
        if !matches!(insn.opcode, Opcode::Putfield | Opcode::Putstatic) {
            return None;
        }
        let field = self.field(insn)?;
        let before = self.before(at)?;
        // What is narrower than an int is cut when it is assigned.
        let is_exact = matches!(*field.descriptor, [b'I' | b'J' | b'F' | b'D' | b'Z' | b'L' | b'[', ..]);
        let value = self.constant(self.body.insns.get(before)?).filter(|_| is_exact)?;
        Some(Assignment { field, value })
    }

    /// Whether the read at an offset is not reached with what was assigned to its field: on no path from the start of the method, nor from behind
    /// the assignment where it is an instruction of this method, at the offset `own`. `O(blocks + instructions)` for each guard.
    pub fn close(&self, usage: u32, assignment: &Assignment, own: Option<u32>) -> bool {
        let Some((at, path)) = self.body.insn_at(usage).and_then(|at| Some((at, self.path(at)?))) else {
            return false;
        };
        if path.fields.last() != Some(&assignment.field) {
            return false;
        }
        let own = own.and_then(|own| self.body.insn_at(own));
        let mut starts = std::iter::once(0).chain(own.map(|own| own + 1));
        starts.all(|start| !self.leads(start, at, (&path, assignment.value)))
    }

    /// Whether execution can get from one instruction to another while the path has the value, and nothing is assigned to it.
    fn leads(&self, from: usize, to: usize, (path, value): (&Path, Constant)) -> bool {
        let (mut open, mut seen) = (vec![from], BTreeSet::new());
        while let Some(first) = open.pop() {
            let Some(block) = self.blocks.block_of(first) else { continue };
            let last = self.blocks.all().get(block as usize).map_or(0, |block| block.last as usize);
            let is_end = |at: &usize| *at == to || self.assigns.get(at) == Some(path);
            let end = (first..=last).find(is_end);
            if end == Some(to) {
                return true;
            }
            let handlers = self.blocks.covering(block).iter().filter_map(|&entry| self.blocks.handler(entry));
            let mut next: Vec<u32> = handlers.collect();
            if end.is_none() {
                next.extend(self.ways(block, to, path, value));
            }
            let starts = next.iter().filter_map(|&next| self.blocks.all().get(next as usize));
            open.extend(starts.map(|block| block.first as usize).filter(|&start| seen.insert(start)));
        }
        false
    }

    /// The blocks that execution may go on with at the end of a block while the path has the value.
    fn ways(&self, block: u32, to: usize, path: &Path, value: Constant) -> Vec<u32> {
        let last = self.blocks.all().get(block as usize).map_or(0, |block| block.last as usize);
        let target = match self.body.insns.get(last).map(|insn| insn.operand) {
            Some(Operand::Target(pc)) => self.body.insn_at(pc).and_then(|at| self.blocks.block_of(at)),
            _ => None,
        };
        let taken = self.guard(last, value).filter(|guard| guard.path == *path).and_then(|guard| guard.taken);
        let behind = self.blocks.block_of(last + 1);
        let kept = match (taken, target, behind) {
            (Some(taken), Some(target), Some(behind)) if target != behind => {
                let (way, other) = if taken { (target, behind) } else { (behind, target) };
                self.is_stable(other, to, path).then_some(way)
            }
            _ => None,
        };
        kept.map_or_else(|| self.blocks.successors(block).to_vec(), |way| vec![way])
    }

    /// Whether nothing between a block and the use can make the path lead to another object.
    fn is_stable(&self, from: u32, to: usize, path: &Path) -> bool {
        if path.fields.len() == 1 {
            return true;
        }
        let wanted = self.blocks.block_of(to);
        let (mut open, mut seen) = (vec![(from, false)], BTreeSet::new());
        while let Some((block, before)) = open.pop() {
            if !seen.insert((block, before)) {
                continue;
            }
            let insns = self.blocks.all().get(block as usize).map(|block| block.insns()).unwrap_or_default();
            let disturbs = |at: usize| self.body.insns.get(at).is_some_and(|insn| self.disturbs(insn, path));
            if wanted == Some(block) && (before || insns.clone().filter(|&at| at < to).any(disturbs)) {
                return false;
            }
            let disturbed = before || insns.into_iter().any(disturbs);
            let handlers = self.blocks.covering(block).iter().filter_map(|&entry| self.blocks.handler(entry));
            let next = self.blocks.successors(block).iter().copied().chain(handlers);
            open.extend(next.map(|next| (next, disturbed)));
        }
        true
    }

    /// Whether an instruction may assign one of the fields that lead to the object.
    fn disturbs(&self, insn: &Insn, path: &Path) -> bool {
        match insn.opcode {
            Opcode::Putfield | Opcode::Putstatic => {
                let above = path.fields.split_last().map_or(&[][..], |(_, above)| above);
                self.field(insn).is_none_or(|field| above.contains(&field))
            }
            Opcode::Invokevirtual
            | Opcode::Invokespecial
            | Opcode::Invokestatic
            | Opcode::Invokeinterface
            | Opcode::Invokedynamic
            | Opcode::Monitorenter => true,
            _ => false,
        }
    }

    /// The comparison that the branch at this instruction decides by.
    fn guard(&self, at: usize, value: Constant) -> Option<Guard> {
        let insn = self.body.insns.get(at).filter(|insn| insn.opcode.is_conditional())?;
        let mnemonic = insn.opcode.mnemonic();
        let condition = |ordering: Option<Ordering>| {
            // Where one side is no number a comparison gives -1 or 1 as its opcode says: that is left open.
            let ordering = ordering?;
            let suffix = mnemonic.trim_start_matches("if_icmp").trim_start_matches("if_acmp");
            Some(match suffix.trim_start_matches("if") {
                "eq" | "null" => ordering.is_eq(),
                "ne" | "nonnull" => ordering.is_ne(),
                "lt" => ordering.is_lt(),
                "ge" => ordering.is_ge(),
                "gt" => ordering.is_gt(),
                "le" => ordering.is_le(),
                _ => return None,
            })
        };
        let last = self.before(at)?;
        if matches!(insn.opcode, Opcode::Ifnull | Opcode::Ifnonnull) {
            let path = self.path(last)?;
            let taken = (value == Constant::Null).then_some(insn.opcode == Opcode::Ifnull);
            return Some(Guard { path, taken });
        }
        let compares = matches!(
            self.body.insns.get(last)?.opcode,
            Opcode::Lcmp | Opcode::Fcmpl | Opcode::Fcmpg | Opcode::Dcmpl | Opcode::Dcmpg
        );
        let is_of_two = mnemonic.starts_with("if_");
        if !compares && !is_of_two {
            let path = self.path(last)?;
            return Some(Guard { path, taken: condition(value.compare(Constant::Whole(0))) });
        }
        let second = if compares { self.before(last)? } else { last };
        if let Some(constant) = self.constant(self.body.insns.get(second)?) {
            let path = self.path(self.before(second)?)?;
            return Some(Guard { path, taken: condition(value.compare(constant)) });
        }
        let path = self.path(second)?;
        let first = self.first_of(second, &path)?;
        let constant = self.constant(self.body.insns.get(self.before(first)?)?)?;
        Some(Guard { path, taken: condition(constant.compare(value)) })
    }

    /// The instruction before another in the same block.
    fn before(&self, at: usize) -> Option<usize> {
        let before = at.checked_sub(1)?;
        (self.blocks.block_of(before) == self.blocks.block_of(at)).then_some(before)
    }

    /// The first instruction of those that read along a path and end at one.
    fn first_of(&self, at: usize, path: &Path) -> Option<usize> {
        at.checked_sub(path.fields.len() - usize::from(path.local.is_none()))
    }

    /// The path along which the instructions that end at one read.
    fn path(&self, at: usize) -> Option<Path> {
        let (mut at, mut fields) = (at, vec![]);
        loop {
            let insn = self.body.insns.get(at)?;
            match insn.opcode {
                Opcode::Getfield => fields.push(self.field(insn)?),
                Opcode::Getstatic => {
                    fields.push(self.field(insn)?);
                    fields.reverse();
                    return Some(Path { local: None, fields });
                }
                Opcode::Aload | Opcode::Aload0 | Opcode::Aload1 | Opcode::Aload2 | Opcode::Aload3 => {
                    let local = insn.local().filter(|local| !self.stored.contains(local))?;
                    fields.reverse();
                    return (!fields.is_empty()).then_some(Path { local: Some(local), fields });
                }
                _ => return None,
            }
            at = self.before(at)?;
        }
    }

    fn field(&self, insn: &Insn) -> Option<Field> {
        let member = self.pool.member(MemberIndex(insn.constant()?)).ok()?;
        Some(Field { name: member.name.as_bytes().into(), descriptor: member.descriptor.as_bytes().into() })
    }

    fn constant(&self, insn: &Insn) -> Option<Constant> {
        let pooled = || self.pool.get(insn.constant()?);
        match (insn.opcode, insn.operand) {
            (Opcode::AconstNull, _) => Some(Constant::Null),
            (Opcode::Bipush | Opcode::Sipush, Operand::Immediate(value)) => {
                Some(Constant::Whole(value.into()))
            }
            (Opcode::Ldc | Opcode::LdcW | Opcode::Ldc2W, _) => match pooled()? {
                Pooled::Integer(value) => Some(Constant::Whole(value.into())),
                Pooled::Long(value) => Some(Constant::Whole(value)),
                Pooled::Float(bits) => Some(Constant::Real(f32::from_bits(bits).into())),
                Pooled::Double(bits) => Some(Constant::Real(f64::from_bits(bits))),
                _ => None,
            },
            (opcode, _) => {
                let (kind, value) = opcode.mnemonic().split_once("const_")?;
                let value: i32 = if value == "m1" { -1 } else { value.parse().ok()? };
                match kind {
                    "i" | "l" => Some(Constant::Whole(value.into())),
                    "f" | "d" => Some(Constant::Real(value.into())),
                    _ => None,
                }
            }
        }
    }
}
