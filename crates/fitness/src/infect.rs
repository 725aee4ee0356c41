//! The mutants of a method that tests kill weakly: where they stand, and what a probe before the instruction has to compare.
//!
//! It knows instructions, local variables and their types, not how probes are written. Invariants: what a mutant would do is computed from copies of what the
//! instruction uses; mutants of a method depend on the bytes alone.

use crate::branch::Kind;
use crate::find::Method;
use crate::found::{Compared, Found, Infection, Probe, Sort};
use crate::mutation::{Mutation, Operator, Relation};
use dynaflow_classfile::tables::{self, Variable};
use dynaflow_classfile::{Constant, Insn, MemberIndex, Opcode, Operand};
use dynaflow_rewrite::Types;
use dynaflow_rewrite::types::Slot;

/// Adds the mutants of a method. `types` has the types at the loads of local variables; without it, none of these becomes another one.
pub(crate) fn add(method: &Method<'_, '_, '_>, types: Option<&Types>, first: u32, found: &mut Found<'_>) {
    let table = method.class.attribute(&method.body.code.attributes, "LocalVariableTable");
    let variables = table.and_then(|table| tables::variables(&table.data, 0).ok());
    let of = Mutants { method, types, variables: variables.map(Iterator::collect) };
    for (index, insn) in method.body.insns.iter().enumerate() {
        if let Some((operator, sort)) = operated(insn.opcode) {
            let number = found.next(first);
            for other in operator.others() {
                let mutation = Mutation::Operator(operator, other);
                found.add(index, Kind::Mutant(mutation), mutation.represents());
            }
            let infection = Infection::Operated { number, operator, sort };
            found.infections.entry(index).or_default().push(infection);
        } else if insn.opcode.is_conditional() {
            of.comparison(index, insn, first, found);
        } else if let (Some(sort), Some(slot)) = (loaded(insn.opcode), insn.local()) {
            of.load(index, (sort, slot), first, found);
        } else if of.is_number(insn) {
            found.mark(&[index], Kind::Mutant(Mutation::Constant), false, first);
        }
    }
}

/// What a load of a local variable gives.
pub(crate) fn loaded(opcode: Opcode) -> Option<Sort> {
    let sorts = [Sort::Int, Sort::Long, Sort::Float, Sort::Double, Sort::Reference];
    let place = if (Opcode::Iload..=Opcode::Aload).contains(&opcode) {
        opcode.byte() - Opcode::Iload.byte()
    } else if (Opcode::Iload0..=Opcode::Aload3).contains(&opcode) {
        (opcode.byte() - Opcode::Iload0.byte()) / 4
    } else {
        return None;
    };
    sorts.get(usize::from(place)).copied()
}

/// The operator of an instruction, and of which numbers.
fn operated(opcode: Opcode) -> Option<(Operator, Sort)> {
    let sorts = [Sort::Int, Sort::Long, Sort::Float, Sort::Double];
    let (operators, first, kinds): (&[Operator], _, _) = if (Opcode::Iadd..=Opcode::Drem).contains(&opcode) {
        let arithmetic =
            &[Operator::Plus, Operator::Minus, Operator::Times, Operator::Divided, Operator::Modulo];
        (arithmetic, Opcode::Iadd, 4)
    } else if (Opcode::Ishl..=Opcode::Lushr).contains(&opcode) {
        (&[Operator::Left, Operator::Right, Operator::Unsigned], Opcode::Ishl, 2)
    } else if (Opcode::Iand..=Opcode::Lxor).contains(&opcode) {
        (&[Operator::And, Operator::Or, Operator::Xor], Opcode::Iand, 2)
    } else {
        return None;
    };
    let place = usize::from(opcode.byte() - first.byte());
    Some((*operators.get(place / kinds)?, *sorts.get(place % kinds)?))
}

/// What a jump asks of its operands.
pub(crate) fn relation(jump: Opcode) -> Relation {
    match jump {
        Opcode::Ifeq | Opcode::IfIcmpeq | Opcode::IfAcmpeq | Opcode::Ifnull => Relation::Equal,
        Opcode::Ifne | Opcode::IfIcmpne | Opcode::IfAcmpne | Opcode::Ifnonnull => Relation::Unequal,
        Opcode::Iflt | Opcode::IfIcmplt => Relation::Less,
        Opcode::Ifge | Opcode::IfIcmpge => Relation::NotLess,
        Opcode::Ifgt | Opcode::IfIcmpgt => Relation::Greater,
        _ => Relation::NotGreater,
    }
}

struct Mutants<'m, 'a, 'b> {
    method: &'m Method<'m, 'a, 'b>,
    types: Option<&'m Types>,
    /// None where the class does not say.
    variables: Option<Vec<Variable>>,
}

impl Mutants<'_, '_, '_> {
    /// Those of a condition on numbers; references and flags have no other comparisons than branches show.
    fn comparison(&self, index: usize, insn: &Insn, first: u32, found: &mut Found<'_>) {
        let Some(Probe::Jump { compared, .. }) = found.probes.get(&index) else { return };
        let compared = *compared;
        let is_of_numbers = match compared {
            Compared::Ints | Compared::Wide => true,
            Compared::Zero => !self.is_flag_before(index, insn.opcode),
            Compared::Null | Compared::References | Compared::Answer => false,
        };
        if !is_of_numbers {
            return;
        }
        let (relation, number) = (relation(insn.opcode), found.next(first));
        // A jump forward goes around what the source's condition guards.
        let is_back = matches!(insn.operand, Operand::Target(pc) if pc <= insn.pc);
        let of_source = |relation: Relation| if is_back { relation } else { relation.negated() };
        for other in relation.others() {
            let mutation = Mutation::Comparison(of_source(relation), of_source(other));
            found.add(index, Kind::Mutant(mutation), mutation.represents());
        }
        let infection = Infection::Compared { number, relation, compared };
        found.infections.entry(index).or_default().push(infection);
    }

    /// Whether what a jump compares with zero is a `boolean`.
    fn is_flag_before(&self, index: usize, jump: Opcode) -> bool {
        if !matches!(jump, Opcode::Ifeq | Opcode::Ifne) {
            return false;
        }
        let Some((before, insn)) = self.method.only_before(index) else {
            // Joined ways push the constants of a condition.
            return true;
        };
        match insn.opcode {
            Opcode::Instanceof => true,
            Opcode::Getfield | Opcode::Getstatic => self.descriptor(insn).ends_with('Z'),
            Opcode::Invokevirtual
            | Opcode::Invokespecial
            | Opcode::Invokestatic
            | Opcode::Invokeinterface => self.descriptor(insn).ends_with(")Z"),
            Opcode::Baload | Opcode::Iand | Opcode::Ior | Opcode::Ixor => true,
            _ => loaded(insn.opcode).is_some() && insn.local().is_some_and(|slot| self.is_flag(before, slot)),
        }
    }

    fn descriptor(&self, insn: &Insn) -> String {
        let Operand::Constant(constant) = insn.operand else { return String::new() };
        let member = self.method.class.pool.member(MemberIndex(constant));
        member.map(|member| member.descriptor.to_string()).unwrap_or_default()
    }

    /// Whether a local variable is a `boolean`, or one that the compiler made.
    fn is_flag(&self, index: usize, slot: u16) -> bool {
        self.variables.is_some() && self.variable(index, slot).is_none_or(|of| self.kind(&of) == b"Z")
    }

    /// The variable that lies in a slot at an instruction.
    fn variable(&self, index: usize, slot: u16) -> Option<Variable> {
        self.in_scope(index).find(|variable| variable.slot == slot)
    }

    /// The variables that have a value at an instruction.
    fn in_scope(&self, index: usize) -> impl Iterator<Item = Variable> + '_ {
        let pc = self.method.body.insns.get(index).map_or(0, |insn| insn.pc);
        let holds = move |variable: &&Variable| {
            let start = u32::from(variable.start);
            start <= pc && pc < start + u32::from(variable.length)
        };
        self.variables.iter().flatten().filter(holds).copied()
    }

    fn kind(&self, variable: &Variable) -> &[u8] {
        self.method.class.pool.utf8(variable.kind).map_or(&[], |text| text.0)
    }

    fn load(&self, index: usize, (sort, slot): (Sort, u16), first: u32, found: &mut Found<'_>) {
        let infections = |found: &mut Found<'_>, infection| {
            found.infections.entry(index).or_default().push(infection);
        };
        if sort != Sort::Reference && !self.is_flag(index, slot) {
            let number = found.next(first);
            for mutation in [Mutation::Negated, Mutation::Increased, Mutation::Decreased] {
                found.add(index, Kind::Mutant(mutation), false);
            }
            infections(found, Infection::Inserted { number, sort, slot });
        }
        for other in self.others(index, sort, slot) {
            let number = found.next(first);
            found.add(index, Kind::Mutant(Mutation::Variable), false);
            infections(found, Infection::Varied { number, sort, slots: (slot, other) });
        }
    }

    /// The slots of other variables that have a value there and the same type, in the source and for the verifier.
    fn others(&self, index: usize, sort: Sort, slot: u16) -> Vec<u16> {
        let state = self.types.and_then(|types| types.states.get(index)?.as_ref());
        let (Some(state), Some(own)) = (state, self.variable(index, slot)) else { return vec![] };
        let holds = |slot: u16| {
            let held = state.locals.get(usize::from(slot));
            held.is_some_and(|held| match sort {
                Sort::Int => *held == Slot::Int,
                Sort::Long => *held == Slot::Long,
                Sort::Float => *held == Slot::Float,
                Sort::Double => *held == Slot::Double,
                Sort::Reference => matches!(held, Slot::Object(_) | Slot::Null),
            })
        };
        if !holds(slot) {
            return vec![];
        }
        let others = self.in_scope(index).filter(|of| of.slot != slot && self.kind(of) == self.kind(&own));
        let mut slots: Vec<u16> = others.map(|of| of.slot).filter(|slot| holds(*slot)).collect();
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// Whether an instruction pushes a number that the source names.
    fn is_number(&self, insn: &Insn) -> bool {
        match insn.opcode {
            number if (Opcode::IconstM1..=Opcode::Sipush).contains(&number) => true,
            Opcode::Ldc | Opcode::LdcW | Opcode::Ldc2W => {
                let constant = insn.constant().and_then(|constant| self.method.class.pool.get(constant));
                matches!(
                    constant,
                    Some(Constant::Integer(_) | Constant::Float(_) | Constant::Long(_) | Constant::Double(_))
                )
            }
            _ => false,
        }
    }
}
