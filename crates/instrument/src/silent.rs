//! Which methods are left as they are, since nothing of them could ever be recorded: they access no field and no element, and call nothing but methods
//! of that kind. An invocation in which nothing is read or written leaves no fact, so that reporting its entry and its end changes none.
//!
//! Knows neither sites nor what is woven. Invariant: a silent method runs no code of the program but that of other silent methods.

use dynaflow_bytecode::{Body, is_constructor};
use dynaflow_classfile::class::access;
use dynaflow_classfile::{ClassFile, Constant, Insn, MemberIndex, Opcode, descriptor};
use dynaflow_model::sites::{MethodDecl, TestRole};

/// Classes of the JDK whose methods on numbers and strings alone do nothing but compute.
const COMPUTING: [&[u8]; 11] = [
    b"java/lang/String",
    b"java/lang/Math",
    b"java/lang/StrictMath",
    b"java/lang/Character",
    b"java/lang/Boolean",
    b"java/lang/Byte",
    b"java/lang/Short",
    b"java/lang/Integer",
    b"java/lang/Long",
    b"java/lang/Float",
    b"java/lang/Double",
];

/// By method of a class, whether it is silent. `bodies` and `methods` have an entry for each. Quadratic in the methods that call each other, at worst.
pub(crate) fn methods(
    class: &ClassFile<'_>,
    bodies: &[Option<&Body<'_>>],
    methods: &[MethodDecl],
) -> Vec<bool> {
    let mut silent: Vec<bool> = bodies
        .iter()
        .enumerate()
        .map(|(at, body)| body.is_some_and(|body| may_be_silent(class, at, body, methods)))
        .collect();
    loop {
        let calls_others = |body: &Body<'_>, silent: &[bool]| {
            body.insns.iter().any(|insn| !is_silent(class, insn) && !calls_one(class, insn, silent))
        };
        let loud = silent
            .iter()
            .zip(bodies)
            .position(|(is, body)| *is && body.is_some_and(|body| calls_others(body, &silent)));
        match loud.and_then(|at| silent.get_mut(at)) {
            Some(is) => *is = false,
            None => return silent,
        }
    }
}

/// Whether a method is silent if those that it calls are. A constructor and a class initialiser report when an object or class begins to be there, a
/// test's method is what its events belong to.
fn may_be_silent(class: &ClassFile<'_>, at: usize, body: &Body<'_>, methods: &[MethodDecl]) -> bool {
    let Some(method) = class.methods.get(at) else { return false };
    !is_constructor(class, method)
        && methods.get(at).is_some_and(|method| method.role == TestRole::None && method.name != "<clinit>")
        && body.code.exceptions.is_empty()
        && body.insns.iter().all(|insn| is_silent(class, insn) || own_method(class, insn).is_some())
}

/// Whether an instruction does nothing that could be recorded and runs no code of the program.
pub(crate) fn is_silent(class: &ClassFile<'_>, insn: &Insn) -> bool {
    match insn.opcode {
        Opcode::Invokestatic | Opcode::Invokevirtual => computes(class, insn),
        Opcode::Ldc | Opcode::LdcW | Opcode::Ldc2W => is_number_or_string(class, insn),
        Opcode::Invokespecial
        | Opcode::Invokeinterface
        | Opcode::Invokedynamic
        | Opcode::New
        | Opcode::Newarray
        | Opcode::Anewarray
        | Opcode::Multianewarray
        | Opcode::Getfield
        | Opcode::Getstatic
        | Opcode::Putfield
        | Opcode::Putstatic
        | Opcode::Monitorenter
        | Opcode::Monitorexit
        | Opcode::Athrow
        | Opcode::Jsr
        | Opcode::JsrW
        | Opcode::Ret => false,
        opcode => !reads_element(opcode) && !writes_element(opcode),
    }
}

/// Whether an instruction reads an element of an array.
pub(crate) fn reads_element(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::Iaload
            | Opcode::Laload
            | Opcode::Faload
            | Opcode::Daload
            | Opcode::Aaload
            | Opcode::Baload
            | Opcode::Caload
            | Opcode::Saload
    )
}

fn writes_element(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::Iastore
            | Opcode::Lastore
            | Opcode::Fastore
            | Opcode::Dastore
            | Opcode::Aastore
            | Opcode::Bastore
            | Opcode::Castore
            | Opcode::Sastore
    )
}

fn calls_one(class: &ClassFile<'_>, insn: &Insn, silent: &[bool]) -> bool {
    own_method(class, insn).and_then(|at| silent.get(at)).is_some_and(|is| *is)
}

/// Which method of the class a call certainly runs: a static or a private one.
fn own_method(class: &ClassFile<'_>, insn: &Insn) -> Option<usize> {
    if !matches!(insn.opcode, Opcode::Invokestatic | Opcode::Invokevirtual | Opcode::Invokespecial) {
        return None;
    }
    let called = class.pool.member(MemberIndex(insn.constant()?)).ok()?;
    if class.name().ok()?.0 != called.owner.0 {
        return None;
    }
    class.methods.iter().position(|method| {
        let is = |index, text: &[u8]| class.pool.utf8(index).is_ok_and(|found| found.0 == text);
        method.access & (access::STATIC | access::PRIVATE) != 0
            && is(method.name, called.name.0)
            && is(method.descriptor, called.descriptor.0)
    })
}

/// Whether a call computes something of numbers and strings.
fn computes(class: &ClassFile<'_>, insn: &Insn) -> bool {
    let Some(called) = insn.constant().and_then(|index| class.pool.member(MemberIndex(index)).ok()) else {
        return false;
    };
    let is_value = |text: &[u8]| text.len() == 1 || text == b"Ljava/lang/String;";
    COMPUTING.contains(&called.owner.0)
        && descriptor::parameter_types(called.descriptor.0).into_iter().all(|(_, text)| is_value(text))
}

fn is_number_or_string(class: &ClassFile<'_>, insn: &Insn) -> bool {
    let constant = insn.constant().and_then(|index| class.pool.get(index));
    matches!(
        constant,
        Some(
            Constant::Integer(_)
                | Constant::Long(_)
                | Constant::Float(_)
                | Constant::Double(_)
                | Constant::String(_)
        )
    )
}
