//! Which methods are left as they are, since nothing of them could ever be recorded: they access no field and no element, and call nothing but methods
//! of that kind. An invocation in which nothing is read or written leaves no fact, so that reporting its entry and its end changes none.
//!
//! Knows neither sites nor what is woven. Invariant: a silent method runs no code of the program but that of other silent methods.

use dynaflow_bytecode::{Body, is_constructor};
use dynaflow_classfile::class::access;
use dynaflow_classfile::{ClassFile, Constant, Insn, MemberIndex, Opcode, descriptor};
use dynaflow_model::sites::{MethodDecl, TestRole};
use std::collections::BTreeMap;

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

/// The methods of a class that a call certainly runs, by name and descriptor: the static and the private ones.
type Own<'c> = BTreeMap<(&'c [u8], &'c [u8]), usize>;

/// By method of a class, whether it is silent. `bodies` and `methods` have an entry for each. Takes time in proportion to the code.
pub(crate) fn methods(
    class: &ClassFile<'_>,
    bodies: &[Option<&Body<'_>>],
    methods: &[MethodDecl],
) -> Vec<bool> {
    let own = own_methods(class);
    let mut silent = vec![false; bodies.len()];
    let mut callers = vec![vec![]; bodies.len()];
    for (at, body) in bodies.iter().enumerate() {
        let called =
            body.filter(|_| may_be_silent(class, at, methods)).and_then(|body| called(class, body, &own));
        silent[at] = called.is_some();
        called.into_iter().flatten().for_each(|called| callers[called].push(at));
    }
    let mut loud: Vec<usize> = (0..bodies.len()).filter(|at| !silent[*at]).collect();
    while let Some(at) = loud.pop() {
        for caller in std::mem::take(&mut callers[at]) {
            if std::mem::replace(&mut silent[caller], false) {
                loud.push(caller);
            }
        }
    }
    silent
}

/// Whether a method may be left as it is. A constructor and a class initialiser report when an object or class begins to be there, a test's method is what
/// its events belong to.
fn may_be_silent(class: &ClassFile<'_>, at: usize, methods: &[MethodDecl]) -> bool {
    class.methods.get(at).is_some_and(|method| !is_constructor(class, method))
        && methods.get(at).is_some_and(|method| method.role == TestRole::None && method.name != "<clinit>")
}

/// The methods of the class that a code calls, if it is silent as long as they are.
fn called(class: &ClassFile<'_>, body: &Body<'_>, own: &Own<'_>) -> Option<Vec<usize>> {
    if !body.code.exceptions.is_empty() {
        return None;
    }
    let calls = body.insns.iter().filter(|insn| !is_silent(class, insn));
    calls.map(|insn| own_method(class, insn, own)).collect()
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

fn own_methods<'c>(class: &'c ClassFile<'_>) -> Own<'c> {
    let text = |index| class.pool.utf8(index).ok().map(|text| text.0);
    let fixed = class.methods.iter().enumerate();
    let fixed = fixed.filter(|(_, method)| method.access & (access::STATIC | access::PRIVATE) != 0);
    fixed.filter_map(|(at, method)| Some(((text(method.name)?, text(method.descriptor)?), at))).collect()
}

/// Which method of the class a call certainly runs.
fn own_method(class: &ClassFile<'_>, insn: &Insn, own: &Own<'_>) -> Option<usize> {
    if !matches!(insn.opcode, Opcode::Invokestatic | Opcode::Invokevirtual | Opcode::Invokespecial) {
        return None;
    }
    let called = class.pool.member(MemberIndex(insn.constant()?)).ok()?;
    let is_own = class.name().ok()?.0 == called.owner.0;
    own.get(&(called.name.0, called.descriptor.0)).copied().filter(|_| is_own)
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
