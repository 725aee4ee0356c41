//! Where the calls of a class are, before and after weaving: the instructions at both places are the same calls.

#![allow(clippy::unwrap_used, reason = "helpers of tests, outside of a test function")]

mod support;

use dynaflow_bytecode::Body;
use dynaflow_classfile::{ClassFile, MemberIndex};
use dynaflow_instrument::{Plan, WeaveOptions};

/// The method that is called at an offset: its class, name and descriptor; none when the instruction there is no such call.
fn called(class: &ClassFile<'_>, body: &Body<'_>, offset: u32) -> Option<String> {
    let insn = body.insn_at(offset).and_then(|index| body.insns.get(index))?;
    let member = class.pool.member(MemberIndex(insn.constant()?)).ok()?;
    let [owner, name, descriptor] = [member.owner.0, member.name.0, member.descriptor.0]
        .map(|text| String::from_utf8_lossy(text).into_owned());
    Some(format!("{} {owner}.{name}{descriptor}", insn.opcode.mnemonic()))
}

#[test]
fn each_call_is_found_at_its_offset_in_the_original_and_in_the_woven_code() {
    let mut found = 0;
    for source in ["Places.java", "Hooked.java"] {
        for bytes in support::compile(source).values() {
            for options in [WeaveOptions::default(), WeaveOptions { blocks: true, ..WeaveOptions::default() }]
            {
                let plan = Plan::new(bytes, &options).unwrap();
                let woven = plan.weave(1 << 20).unwrap();
                let [before, after] = [bytes, &woven.bytes].map(|bytes| ClassFile::parse(bytes).unwrap());
                for calls in &woven.calls {
                    let body = |class: &ClassFile<'_>| {
                        let method = &class.methods[calls.method];
                        Body::of_method(class, method).unwrap().unwrap().code.bytes.len() as u32
                    };
                    assert_eq!(calls.length, body(&after));
                    let old = Body::of_method(&before, &before.methods[calls.method]).unwrap().unwrap();
                    let new = Body::of_method(&after, &after.methods[calls.method]).unwrap().unwrap();
                    for (place, offset) in plan.sites().calls[calls.first..].iter().zip(&calls.offsets) {
                        assert_eq!(usize::from(place.method), calls.method);
                        let same = called(&before, &old, place.offset);
                        assert_eq!(same, called(&after, &new, *offset));
                        found += usize::from(same.is_some());
                    }
                }
            }
        }
    }
    assert!(found > 40, "only {found} calls");
}
