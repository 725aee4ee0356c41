//! muJava's method-level operators, as far as bytecode shows what the source said. It knows instructions and their neighbours.
//!
//! Where the source is not to be seen: `&`, `|`, `^` of booleans are mutated by `LOR`; `!` is part of the jump, so `COI` and `COD` are
//! one change, called after how the jump goes; `x += y` is `x = x + y`, so `ASRS` is made of increments by a constant and the
//! others by `AORB`; variables of the insertion operators are local ones.
//! Invariant: a change leaves the method's types as they are.

use crate::change::{Change, Op};
use crate::context::Context;
use crate::found::Found;
use crate::operator::Operator;
use crate::pit::{kind_word, negated};
use dynaflow_classfile::{Opcode, Operand};

/// Collects the mutants of one instruction.
struct Adding<'o> {
    index: usize,
    out: &'o mut Vec<Found>,
}

impl Adding<'_> {
    fn add(&mut self, operator: Operator, description: String, change: Change) {
        self.out.push(Found { operator, insn: self.index, description, change, copies: Vec::new() });
    }
}

/// The mutants of one instruction.
pub(crate) fn of(context: &Context<'_, '_>, index: usize, out: &mut Vec<Found>) {
    let Some(insn) = context.insn(index) else { return };
    let mut adding = Adding { index, out };
    let opcode = insn.opcode;
    if (Opcode::Iadd..=Opcode::Drem).contains(&opcode) {
        binary(&mut adding, opcode);
    } else if (Opcode::Ineg..=Opcode::Dneg).contains(&opcode) {
        adding.add(Operator::Aodu, "removed unary minus".to_owned(), vec![Op::Plain(Opcode::Nop)]);
    } else if (Opcode::Ishl..=Opcode::Lushr).contains(&opcode) {
        family(&mut adding, opcode, Opcode::Ishl, Operator::Sor);
    } else if (Opcode::Iand..=Opcode::Lxor).contains(&opcode) {
        family(&mut adding, opcode, Opcode::Iand, Operator::Lor);
        complement(context, &mut adding, opcode);
    } else if let Operand::Increment(local, by) = insn.operand {
        increment(&mut adding, local, by);
    } else if is_numeric_load(opcode) {
        load(context, &mut adding, opcode, insn.local().unwrap_or_default());
    } else if let (true, Some(target)) = (opcode.is_conditional(), context.target(index)) {
        relation(context, &mut adding, opcode, target);
        connected(context, &mut adding, target);
    }
}

/// `AORB`.
fn binary(adding: &mut Adding<'_>, opcode: Opcode) {
    let names = ["addition", "subtraction", "multiplication", "division", "modulus"];
    let offset = opcode.byte() - Opcode::Iadd.byte();
    for (row, name) in (0u8..).zip(names) {
        let other =
            Opcode::from_byte(Opcode::Iadd.byte() + row * 4 + offset % 4).filter(|other| *other != opcode);
        if let (Some(other), Some(from)) = (other, names.get(usize::from(offset / 4))) {
            let text = format!("replaced {} {from} with {name}", kind_word(opcode));
            adding.add(Operator::Aorb, text, vec![Op::Plain(other)]);
        }
    }
}

/// `SOR` and `LOR`: the three operators of a family for `int` and `long`.
fn family(adding: &mut Adding<'_>, opcode: Opcode, first: Opcode, operator: Operator) {
    let kind = (opcode.byte() - first.byte()) % 2;
    for row in 0..3 {
        let other = Opcode::from_byte(first.byte() + row * 2 + kind).filter(|other| *other != opcode);
        if let Some(other) = other {
            let text = format!("replaced {} with {}", opcode.mnemonic(), other.mnemonic());
            adding.add(operator, text, vec![Op::Plain(other)]);
        }
    }
}

/// `LOD`: `~x` is `x ^ -1`.
fn complement(context: &Context<'_, '_>, adding: &mut Adding<'_>, opcode: Opcode) {
    let index = adding.index;
    let before = |back: usize| index.checked_sub(back);
    let change = match opcode {
        Opcode::Ixor if context.before(index) == Some(Opcode::IconstM1) => Opcode::Pop,
        Opcode::Lxor if before(1).is_some_and(|index| is_minus_one(context, index)) => Opcode::Pop2,
        _ => return,
    };
    adding.add(Operator::Lod, "removed bitwise complement".to_owned(), vec![Op::Plain(change)]);
}

fn is_minus_one(context: &Context<'_, '_>, index: usize) -> bool {
    let constant =
        context.insn(index).filter(|insn| insn.opcode == Opcode::Ldc2W).and_then(|insn| insn.constant());
    let constant = constant.and_then(|constant| context.class.pool.get(constant));
    constant == Some(dynaflow_classfile::Constant::Long(-1))
}

/// `AORS`, `AODS` and `ASRS` of an increment.
fn increment(adding: &mut Adding<'_>, local: u16, by: i16) {
    let opposite = Op::Increment(local, by.wrapping_neg());
    if by.abs_diff(0) == 1 {
        let (from, to) = if by == 1 { ("++", "--") } else { ("--", "++") };
        adding.add(Operator::Aors, format!("replaced {from} with {to}"), vec![opposite]);
        adding.add(Operator::Aods, format!("removed {from}"), vec![]);
        return;
    }
    adding.add(Operator::Asrs, format!("replaced += {by} with -= {by}"), vec![opposite]);
    for (opcode, word) in [(Opcode::Imul, "*="), (Opcode::Idiv, "/="), (Opcode::Irem, "%=")] {
        let change = vec![
            Op::Local(Opcode::Iload, local),
            Op::Int(by),
            Op::Plain(opcode),
            Op::Local(Opcode::Istore, local),
        ];
        adding.add(Operator::Asrs, format!("replaced += {by} with {word} {by}"), change);
    }
}

fn is_numeric_load(opcode: Opcode) -> bool {
    (Opcode::Iload..=Opcode::Dload).contains(&opcode) || (Opcode::Iload0..=Opcode::Dload3).contains(&opcode)
}

/// `AOIU`, `AOIS` and `LOI` of a local variable that is read.
fn load(context: &Context<'_, '_>, adding: &mut Adding<'_>, opcode: Opcode, local: u16) {
    let index = adding.index;
    let condition = matches!(context.opcode(index + 1), Some(Opcode::Ifeq | Opcode::Ifne));
    let boolean = context.local_type(index).map_or(condition, |kind| kind == "Z");
    if boolean {
        return;
    }
    let explicit = Opcode::Iload0 <= opcode;
    let kind = if explicit {
        (opcode.byte() - Opcode::Iload0.byte()) / 4
    } else {
        opcode.byte() - Opcode::Iload.byte()
    };
    let Some(negate) = Opcode::from_byte(Opcode::Ineg.byte() + kind) else { return };
    adding.add(Operator::Aoiu, "inserted unary minus".to_owned(), vec![Op::Original, Op::Plain(negate)]);
    for (by, word) in [(1, "++"), (-1, "--")] {
        let step = step(kind, local, by);
        let behind = [vec![Op::Original], step.clone()].concat();
        adding.add(Operator::Aois, format!("inserted {word} behind a variable"), behind);
        let before = [step, vec![Op::Original]].concat();
        adding.add(Operator::Aois, format!("inserted {word} before a variable"), before);
    }
    let flip = match kind {
        0 => vec![Op::Original, Op::Plain(Opcode::IconstM1), Op::Plain(Opcode::Ixor)],
        1 => vec![Op::Original, Op::Plain(Opcode::IconstM1), Op::Plain(Opcode::I2l), Op::Plain(Opcode::Lxor)],
        _ => return,
    };
    adding.add(Operator::Loi, "inserted bitwise complement".to_owned(), flip);
}

/// Adds one to a local variable, or takes one away.
fn step(kind: u8, local: u16, by: i16) -> Change {
    let (load, one, add, subtract, store) = match kind {
        0 => return vec![Op::Increment(local, by)],
        1 => (Opcode::Lload, Opcode::Lconst1, Opcode::Ladd, Opcode::Lsub, Opcode::Lstore),
        2 => (Opcode::Fload, Opcode::Fconst1, Opcode::Fadd, Opcode::Fsub, Opcode::Fstore),
        _ => (Opcode::Dload, Opcode::Dconst1, Opcode::Dadd, Opcode::Dsub, Opcode::Dstore),
    };
    let operation = if by > 0 { add } else { subtract };
    vec![Op::Local(load, local), Op::Plain(one), Op::Plain(operation), Op::Local(store, local)]
}

/// `ROR`, or for a boolean `COI` and `COD`.
fn relation(context: &Context<'_, '_>, adding: &mut Adding<'_>, opcode: Opcode, target: usize) {
    if matches!(opcode, Opcode::Ifeq | Opcode::Ifne) && is_boolean(context, adding.index) {
        let (operator, text) = if opcode == Opcode::Ifeq {
            (Operator::Coi, "inserted ! before a condition")
        } else {
            (Operator::Cod, "removed ! of a condition")
        };
        let change = negated(opcode).map(|to| vec![Op::Jump(to, target)]);
        return change.into_iter().for_each(|change| adding.add(operator, text.to_owned(), change));
    }
    let (first, count) = match opcode {
        _ if (Opcode::Ifeq..=Opcode::Ifle).contains(&opcode) => (Opcode::Ifeq, 6),
        _ if (Opcode::IfIcmpeq..=Opcode::IfIcmple).contains(&opcode) => (Opcode::IfIcmpeq, 6),
        Opcode::IfAcmpeq | Opcode::IfAcmpne => (Opcode::IfAcmpeq, 2),
        _ => (Opcode::Ifnull, 2),
    };
    // The source has the condition under which the jump is not taken.
    let word = |opcode: Opcode| negated(opcode).map_or("", symbol);
    for row in 0..count {
        if let Some(other) = Opcode::from_byte(first.byte() + row).filter(|other| *other != opcode) {
            let text = format!("replaced {} with {}", word(opcode), word(other));
            adding.add(Operator::Ror, text, vec![Op::Jump(other, target)]);
        }
    }
    let pops = vec![Op::Plain(Opcode::Pop); usize::from(opcode.info().pops)];
    let never = [pops.clone(), vec![Op::Jump(Opcode::Goto, target)]].concat();
    adding.add(Operator::Ror, format!("replaced {} with false", word(opcode)), never);
    adding.add(Operator::Ror, format!("replaced {} with true", word(opcode)), pops);
}

fn symbol(opcode: Opcode) -> &'static str {
    match opcode {
        Opcode::Ifeq | Opcode::IfIcmpeq | Opcode::IfAcmpeq | Opcode::Ifnull => "==",
        Opcode::Ifne | Opcode::IfIcmpne | Opcode::IfAcmpne | Opcode::Ifnonnull => "!=",
        Opcode::Iflt | Opcode::IfIcmplt => "<",
        Opcode::Ifge | Opcode::IfIcmpge => ">=",
        Opcode::Ifgt | Opcode::IfIcmpgt => ">",
        _ => "<=",
    }
}

/// Whether what a condition looks at is a boolean, as far as the instruction before shows.
fn is_boolean(context: &Context<'_, '_>, index: usize) -> bool {
    let Some(before) = index.checked_sub(1) else { return false };
    match context.opcode(before) {
        Some(Opcode::Instanceof | Opcode::Baload) => true,
        Some(Opcode::Iload | Opcode::Iload0 | Opcode::Iload1 | Opcode::Iload2 | Opcode::Iload3) => {
            context.local_type(before).is_none_or(|kind| kind == "Z")
        }
        Some(Opcode::Iand | Opcode::Ior | Opcode::Ixor) => false,
        _ => context.member(before).is_some_and(|member| {
            let result = member.descriptor.0.rsplit(|byte| *byte == b')').next();
            result == Some(b"Z")
        }),
    }
}

/// `COR`: two conditions one behind the other, of which `&&` or `||` is left. The first becomes the jump of the other operator.
fn connected(context: &Context<'_, '_>, adding: &mut Adding<'_>, target: usize) {
    let first = adding.index;
    let Some(second) = next_condition(context, first) else { return };
    let (Some(opcode), Some(other)) = (context.opcode(first), context.target(second)) else { return };
    let Some(to) = negated(opcode) else { return };
    // Both jump to where the whole is false: `&&`. The first jumps over the second: `||`.
    let (from, into, goal) = if target == other {
        ("&&", "||", second + 1)
    } else if target == second + 1 {
        ("||", "&&", other)
    } else {
        return;
    };
    adding.add(Operator::Cor, format!("replaced {from} with {into}"), vec![Op::Jump(to, goal)]);
}

/// The next conditional jump, where nothing but the evaluation of its operands lies between.
fn next_condition(context: &Context<'_, '_>, first: usize) -> Option<usize> {
    for index in first + 1.. {
        let insn = context.insn(index)?;
        if insn.opcode.is_conditional() {
            return Some(index).filter(|_| !context.is_target(index));
        }
        let passes = !insn.opcode.ends_block() && !insn.opcode.is_store() && insn.opcode != Opcode::Iinc;
        if !passes || insn.opcode.is_jsr() || context.is_target(index) {
            return None;
        }
    }
    None
}
