//! Guards that a constant closes, in compiled methods whose names say which do. It knows javac.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

#[path = "../../instrument/tests/support/mod.rs"]
mod support;

use dynaflow_bytecode::Body;
use dynaflow_classfile::{ClassFile, Member, MemberIndex, Opcode};
use dynaflow_flowgraph::guards::{Assignment, Guards};
use std::collections::BTreeMap;

/// The offsets of instructions of a method that read or write fields, with the names of these.
fn accesses(class: &ClassFile, method: &Member, opcodes: [Opcode; 2]) -> Vec<(u32, String)> {
    let body = Body::of_method(class, method).unwrap().unwrap();
    let insns = body.insns.iter().filter(|insn| opcodes.contains(&insn.opcode));
    let name = |index| class.pool.member(MemberIndex(index)).unwrap().name.to_string();
    insns.map(|insn| (insn.pc, name(insn.constant().unwrap()))).collect()
}

const WRITES: [Opcode; 2] = [Opcode::Putfield, Opcode::Putstatic];

/// What a method assigns, by the name of the field.
fn assigned(class: &ClassFile, method: &Member) -> BTreeMap<String, (u32, Assignment)> {
    let guards = Guards::of(class, method).unwrap();
    let all = accesses(class, method, WRITES).into_iter();
    all.filter_map(|(offset, name)| Some((name, (offset, guards.assigned(offset)?)))).collect()
}

#[test]
fn guards_are_closed_by_constants_as_the_names_of_methods_say() {
    let classes = support::compile("Guarded.java");
    let class = ClassFile::parse(&classes["Guarded"]).unwrap();
    let named = |method: &Member| class.pool.utf8(method.name).unwrap().to_string();
    let assigns = class.methods.iter().find(|method| named(method) == "assigns").unwrap();
    let constants = assigned(&class, assigns);
    assert_eq!(constants.len(), 6, "every assignment of `assigns` is one of a constant");
    let mut asked = 0;
    for method in
        class.methods.iter().filter(|m| named(m).starts_with("closed") || named(m).starts_with("open"))
    {
        let reads = accesses(&class, method, [Opcode::Getfield, Opcode::Getstatic]);
        let (usage, field) = reads.iter().rev().find(|(_, field)| constants.contains_key(field)).unwrap();
        let own = assigned(&class, method).remove(field).map(|(offset, _)| offset);
        let guards = Guards::of(&class, method).unwrap();
        let closed = guards.close(*usage, &constants[field].1, own);
        assert_eq!(closed, named(method).starts_with("closed"), "{}", named(method));
        asked += 1;
    }
    assert!(asked > 20);
}

#[test]
fn what_is_not_always_the_same_or_is_cut_is_no_constant() {
    let classes = support::compile("Guarded.java");
    let class = ClassFile::parse(&classes["Guarded"]).unwrap();
    let is_it =
        |method: &&Member| class.pool.utf8(method.name).unwrap().to_string() == "assignsWhatIsUnknown";
    let method = class.methods.iter().find(is_it).unwrap();
    assert_eq!(accesses(&class, method, WRITES).len(), 2);
    assert!(assigned(&class, method).is_empty());
    let (guards, another) = (Guards::of(&class, method).unwrap(), 0);
    assert_eq!(guards.assigned(another), None, "no assignment stands there");
}
