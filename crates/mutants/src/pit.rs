//! The operators of PIT's default set: which mutants an instruction has, in PIT's words. It knows single instructions; which of
//! the mutants PIT leaves out is in `filter`.
//!
//! Invariant: operator, instruction and description are those of PIT for the same class file.

use crate::change::{self, Change, Op};
use crate::context::Context;
use crate::found::Found;
use crate::operator::Operator;
use dynaflow_classfile::descriptor::{self, Kind};
use dynaflow_classfile::{Opcode, Operand};
use dynaflow_rewrite::StaticMethod;

/// The mutants of one instruction.
pub(crate) fn of(context: &Context<'_, '_>, index: usize, out: &mut Vec<Found>) {
    let Some(insn) = context.insn(index) else { return };
    let mut add = |operator, description: String, change| {
        out.push(Found { operator, insn: index, description, change, copies: Vec::new() });
    };
    if let Some((to, what)) = math(insn.opcode) {
        add(Operator::Math, format!("Replaced {what}"), vec![Op::Plain(to)]);
    }
    if let (Opcode::Iinc, Operand::Increment(local, by)) = (insn.opcode, insn.operand) {
        let text = format!("Changed increment from {by} to {}", -i32::from(by));
        add(Operator::Increments, text, vec![Op::Increment(local, by.wrapping_neg())]);
    }
    if (Opcode::Ineg..=Opcode::Dneg).contains(&insn.opcode) {
        add(Operator::InvertNegs, "removed negation".to_owned(), vec![Op::Plain(Opcode::Nop)]);
    }
    if let Some(target) = context.target(index).filter(|_| insn.opcode.is_conditional()) {
        if let Some(to) = boundary(insn.opcode) {
            let text = "changed conditional boundary".to_owned();
            add(Operator::ConditionalsBoundary, text, vec![Op::Jump(to, target)]);
        }
        if let Some(to) = negated(insn.opcode) {
            add(Operator::NegateConditionals, "negated conditional".to_owned(), vec![Op::Jump(to, target)]);
        }
    }
    if let Some((text, change)) = removed_call(context, index) {
        add(Operator::VoidMethodCalls, text, change);
    }
    if insn.opcode.is_return() {
        for (operator, text, change) in returns(context, insn.opcode) {
            add(operator, format!("{text} for {}", context.place), change);
        }
    }
}

/// What `MATH` makes of an instruction, and how PIT says it.
fn math(opcode: Opcode) -> Option<(Opcode, String)> {
    use Opcode as O;
    let words = |from: &str, to: &str| format!("{} {from} with {to}", kind_word(opcode));
    let shift = |from: &str, to: &str| format!("{from} with {to}");
    Some(match opcode {
        O::Iadd => (O::Isub, words("addition", "subtraction")),
        O::Ladd => (O::Lsub, words("addition", "subtraction")),
        O::Fadd => (O::Fsub, words("addition", "subtraction")),
        O::Dadd => (O::Dsub, words("addition", "subtraction")),
        O::Isub => (O::Iadd, words("subtraction", "addition")),
        O::Lsub => (O::Ladd, words("subtraction", "addition")),
        O::Fsub => (O::Fadd, words("subtraction", "addition")),
        O::Dsub => (O::Dadd, words("subtraction", "addition")),
        O::Imul => (O::Idiv, words("multiplication", "division")),
        O::Lmul => (O::Ldiv, words("multiplication", "division")),
        O::Fmul => (O::Fdiv, words("multiplication", "division")),
        O::Dmul => (O::Ddiv, words("multiplication", "division")),
        O::Idiv => (O::Imul, words("division", "multiplication")),
        O::Ldiv => (O::Lmul, words("division", "multiplication")),
        O::Fdiv => (O::Fmul, words("division", "multiplication")),
        O::Ddiv => (O::Dmul, words("division", "multiplication")),
        O::Irem => (O::Imul, words("modulus", "multiplication")),
        O::Lrem => (O::Lmul, words("modulus", "multiplication")),
        O::Frem => (O::Fmul, words("modulus", "multiplication")),
        O::Drem => (O::Dmul, words("modulus", "multiplication")),
        O::Ior => (O::Iand, shift("bitwise OR", "AND")),
        O::Lor => (O::Land, shift("bitwise OR", "AND")),
        O::Iand => (O::Ior, shift("bitwise AND", "OR")),
        O::Land => (O::Lor, shift("bitwise AND", "OR")),
        O::Ixor => (O::Iand, shift("XOR", "AND")),
        O::Lxor => (O::Land, shift("XOR", "AND")),
        O::Ishl => (O::Ishr, shift("Shift Left", "Shift Right")),
        O::Lshl => (O::Lshr, shift("Shift Left", "Shift Right")),
        O::Ishr => (O::Ishl, shift("Shift Right", "Shift Left")),
        O::Lshr => (O::Lshl, shift("Shift Right", "Shift Left")),
        O::Iushr => (O::Ishl, shift("Unsigned Shift Right", "Shift Left")),
        O::Lushr => (O::Lshl, shift("Unsigned Shift Right", "Shift Left")),
        _ => return None,
    })
}

/// How the type of an arithmetic instruction is called.
pub(crate) fn kind_word(opcode: Opcode) -> &'static str {
    match (opcode.byte().wrapping_sub(Opcode::Iadd.byte())) % 4 {
        0 => "integer",
        1 => "long",
        2 => "float",
        _ => "double",
    }
}

/// The condition with the other boundary.
fn boundary(opcode: Opcode) -> Option<Opcode> {
    Some(match opcode {
        Opcode::Ifle => Opcode::Iflt,
        Opcode::Ifge => Opcode::Ifgt,
        Opcode::Ifgt => Opcode::Ifge,
        Opcode::Iflt => Opcode::Ifle,
        Opcode::IfIcmple => Opcode::IfIcmplt,
        Opcode::IfIcmpge => Opcode::IfIcmpgt,
        Opcode::IfIcmpgt => Opcode::IfIcmpge,
        Opcode::IfIcmplt => Opcode::IfIcmple,
        _ => return None,
    })
}

/// The condition that holds when this one does not.
pub(crate) fn negated(opcode: Opcode) -> Option<Opcode> {
    Some(match opcode {
        Opcode::Ifeq => Opcode::Ifne,
        Opcode::Ifne => Opcode::Ifeq,
        Opcode::Iflt => Opcode::Ifge,
        Opcode::Ifge => Opcode::Iflt,
        Opcode::Ifgt => Opcode::Ifle,
        Opcode::Ifle => Opcode::Ifgt,
        Opcode::IfIcmpeq => Opcode::IfIcmpne,
        Opcode::IfIcmpne => Opcode::IfIcmpeq,
        Opcode::IfIcmplt => Opcode::IfIcmpge,
        Opcode::IfIcmpge => Opcode::IfIcmplt,
        Opcode::IfIcmpgt => Opcode::IfIcmple,
        Opcode::IfIcmple => Opcode::IfIcmpgt,
        Opcode::IfAcmpeq => Opcode::IfAcmpne,
        Opcode::IfAcmpne => Opcode::IfAcmpeq,
        Opcode::Ifnull => Opcode::Ifnonnull,
        Opcode::Ifnonnull => Opcode::Ifnull,
        _ => return None,
    })
}

/// The call of a method without a result, removed: its arguments are popped.
fn removed_call(context: &Context<'_, '_>, index: usize) -> Option<(String, Change)> {
    let member = context.called(index).filter(|member| member.descriptor.0.ends_with(b")V"))?;
    let change = change::without_operands(context.opcode(index)?, member.descriptor.0);
    Some((format!("removed call to {}::{}", member.owner, member.name), change))
}

/// The mutants of a return instruction.
fn returns(context: &Context<'_, '_>, opcode: Opcode) -> Vec<(Operator, String, Change)> {
    let result = context.result();
    let kind = descriptor::field(result.as_bytes());
    match (opcode, kind) {
        (Opcode::Areturn, Some(Kind::Reference)) => references(context, result),
        (Opcode::Ireturn, _) if result == "Z" => {
            [(Operator::FalseReturns, 0, "false"), (Operator::TrueReturns, 1, "true")]
                .map(|(operator, value, word)| {
                    let change = vec![Op::Plain(Opcode::Pop), Op::Int(value), Op::Plain(opcode)];
                    (operator, format!("replaced boolean return with {word}"), change)
                })
                .into()
        }
        _ => primitive(opcode, result).into_iter().collect(),
    }
}

fn primitive(opcode: Opcode, result: &str) -> Option<(Operator, String, Change)> {
    let (pop, zero, words) = match (opcode, result) {
        (Opcode::Ireturn, "B") => (Opcode::Pop, Opcode::Iconst0, "byte return with 0"),
        (Opcode::Ireturn, "C") => (Opcode::Pop, Opcode::Iconst0, "char return with 0"),
        (Opcode::Ireturn, "S") => (Opcode::Pop, Opcode::Iconst0, "short return with 0"),
        (Opcode::Ireturn, "I") => (Opcode::Pop, Opcode::Iconst0, "int return with 0"),
        (Opcode::Lreturn, "J") => (Opcode::Pop2, Opcode::Lconst0, "long return with 0"),
        (Opcode::Freturn, "F") => (Opcode::Pop, Opcode::Fconst0, "float return with 0.0f"),
        (Opcode::Dreturn, "D") => (Opcode::Pop2, Opcode::Dconst0, "double return with 0.0d"),
        _ => return None,
    };
    let change = vec![Op::Plain(pop), Op::Plain(zero), Op::Plain(opcode)];
    Some((Operator::PrimitiveReturns, format!("replaced {words}"), change))
}

/// What is returned in place of a box or a collection.
struct Empty {
    /// Descriptor of the result.
    result: &'static str,
    /// Pushes what the call takes, where it takes something.
    zero: Option<Opcode>,
    /// Makes the empty one.
    call: StaticMethod,
    /// How PIT says it.
    words: &'static str,
}

const fn empty(result: &'static str, zero: Option<Opcode>, call: StaticMethod, words: &'static str) -> Empty {
    Empty { result, zero, call, words }
}

const fn call(owner: &'static str, name: &'static str, descriptor: &'static str) -> StaticMethod {
    StaticMethod { owner, name, descriptor, interface: false }
}

/// Boxes and collections.
const EMPTY: &[Empty] = &[
    empty(
        "Ljava/lang/Integer;",
        Some(Opcode::Iconst0),
        call("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;"),
        "Integer return value with 0",
    ),
    empty(
        "Ljava/lang/Short;",
        Some(Opcode::Iconst0),
        call("java/lang/Short", "valueOf", "(S)Ljava/lang/Short;"),
        "Short return value with 0",
    ),
    empty(
        "Ljava/lang/Character;",
        Some(Opcode::Iconst0),
        call("java/lang/Character", "valueOf", "(C)Ljava/lang/Character;"),
        "Character return value with 0",
    ),
    empty(
        "Ljava/lang/Long;",
        Some(Opcode::Lconst0),
        call("java/lang/Long", "valueOf", "(J)Ljava/lang/Long;"),
        "Long return value with 0L",
    ),
    empty(
        "Ljava/lang/Float;",
        Some(Opcode::Fconst0),
        call("java/lang/Float", "valueOf", "(F)Ljava/lang/Float;"),
        "Float return value with 0",
    ),
    empty(
        "Ljava/lang/Double;",
        Some(Opcode::Dconst0),
        call("java/lang/Double", "valueOf", "(D)Ljava/lang/Double;"),
        "Double return value with 0",
    ),
    empty(
        "Ljava/util/Optional;",
        None,
        call("java/util/Optional", "empty", "()Ljava/util/Optional;"),
        "return value with Optional.empty",
    ),
    empty(
        "Ljava/util/stream/Stream;",
        None,
        StaticMethod {
            interface: true,
            ..call("java/util/stream/Stream", "empty", "()Ljava/util/stream/Stream;")
        },
        "return value with Stream.empty",
    ),
    empty(
        "Ljava/util/List;",
        None,
        call("java/util/Collections", "emptyList", "()Ljava/util/List;"),
        "return value with Collections.emptyList",
    ),
    empty(
        "Ljava/util/Collection;",
        None,
        call("java/util/Collections", "emptyList", "()Ljava/util/List;"),
        "return value with Collections.emptyList",
    ),
    empty(
        "Ljava/lang/Iterable;",
        None,
        call("java/util/Collections", "emptyList", "()Ljava/util/List;"),
        "return value with Collections.emptyList",
    ),
    empty(
        "Ljava/util/Map;",
        None,
        call("java/util/Collections", "emptyMap", "()Ljava/util/Map;"),
        "return value with Collections.emptyMap",
    ),
    empty(
        "Ljava/util/Set;",
        None,
        call("java/util/Collections", "emptySet", "()Ljava/util/Set;"),
        "return value with Collections.emptySet",
    ),
];

fn references(context: &Context<'_, '_>, result: &str) -> Vec<(Operator, String, Change)> {
    let (pop, back) = (Op::Plain(Opcode::Pop), Op::Plain(Opcode::Areturn));
    if result == "Ljava/lang/Boolean;" {
        let boxed = call("java/lang/Boolean", "valueOf", "(Z)Ljava/lang/Boolean;");
        return [(Operator::FalseReturns, 0, "False"), (Operator::TrueReturns, 1, "True")]
            .map(|(operator, value, word)| {
                let change = vec![pop.clone(), Op::Int(value), Op::Call(boxed), back.clone()];
                (operator, format!("replaced Boolean return with {word}"), change)
            })
            .into();
    }
    if result == "Ljava/lang/String;" {
        let text = "replaced return value with \"\"".to_owned();
        return vec![(Operator::EmptyReturns, text, vec![pop, Op::EmptyText, back])];
    }
    if let Some(empty) = EMPTY.iter().find(|empty| empty.result == result) {
        let change = [Some(pop), empty.zero.map(Op::Plain), Some(Op::Call(empty.call)), Some(back)];
        let change = change.into_iter().flatten().collect();
        return vec![(Operator::EmptyReturns, format!("replaced {}", empty.words), change)];
    }
    if context.annotations.iter().any(|annotation| annotation.ends_with("NotNull;")) {
        return Vec::new();
    }
    let change = vec![pop, Op::Plain(Opcode::AconstNull), back];
    vec![(Operator::NullReturns, "replaced return value with null".to_owned(), change)]
}
