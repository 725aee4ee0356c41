//! Updates of coverage woven into small methods: which code comes out, which form is chosen, and what is left alone. Whether the
//! code does what it should is shown on JVMs, in `tests`.

#![allow(clippy::unwrap_used, reason = "helpers of tests, outside of a test function")]

use dynaflow_bytecode::Body;
use dynaflow_bytecode::updates::{Bits, BlockUpdates, Change, EdgeUpdate, MethodUpdates};
use dynaflow_classfile::class::access;
use dynaflow_classfile::reader::Reader;
use dynaflow_classfile::{Attribute, ClassFile, Code, ConstantPool, Member, Opcode};
use dynaflow_instrument::{UpdatesWoven, weave_updates};

/// A class of version 49 with one method.
fn class(name: &'static str, descriptor: &'static str, code: &[u8], max_locals: u16) -> Vec<u8> {
    let mut pool = ConstantPool::read(&mut Reader::new(&[0, 1], 0)).unwrap();
    let this_class = pool.append_class(b"C").unwrap();
    let super_class = Some(pool.append_class(b"java/lang/Object").unwrap());
    let mut data = Vec::new();
    let (exceptions, attributes) = (Vec::new(), Vec::new());
    Code { max_stack: 2, max_locals, bytes: code, offset: 0, exceptions, attributes }.write(&mut data);
    let code = Attribute { name: pool.append_utf8(b"Code").unwrap(), data: data.into(), offset: 0 };
    let method = Member {
        access: access::PUBLIC | if name == "finalize" { 0 } else { access::STATIC },
        name: pool.append_utf8(name.as_bytes()).unwrap(),
        descriptor: pool.append_utf8(descriptor.as_bytes()).unwrap(),
        attributes: vec![code],
    };
    let (minor, major, access) = (0, 49, 0x21);
    let (interfaces, fields, methods, attributes) = (Vec::new(), Vec::new(), vec![method], Vec::new());
    ClassFile { minor, major, pool, access, this_class, super_class, interfaces, fields, methods, attributes }
        .write()
}

fn change(uses: u64, runs: u64, kills: u64, gens: u64) -> Change {
    Change { word: 0, uses, runs, kills, gens }
}

fn block(whole: Change) -> BlockUpdates {
    BlockUpdates { whole: vec![whole], partial: Vec::new() }
}

fn updates(blocks: Vec<BlockUpdates>) -> MethodUpdates {
    let entry = vec![Bits { word: 0, bits: 1 }];
    MethodUpdates { method: 0, words: 1, entry, blocks, edges: Vec::new() }
}

/// The mnemonics of the woven method.
fn mnemonics(woven: &UpdatesWoven) -> Vec<&'static str> {
    let class = ClassFile::parse(&woven.bytes).unwrap();
    let body = Body::of_method(&class, &class.methods[0]).unwrap().unwrap();
    body.insns.iter().map(|insn| insn.opcode.info().mnemonic).collect()
}

#[test]
fn a_method_of_one_block_knows_at_its_end_what_it_covered() {
    let bytes = class("m", "(I)I", &[0x1A, 0xAC], 1); // iload_0, ireturn
    let woven = weave_updates(&bytes, &[&updates(vec![block(change(0b011, 0b100, 0, 0))])], 3).unwrap();
    assert_eq!(mnemonics(&woven), ["iload_0", "iconst_3", "ldc2_w", "invokestatic", "ireturn"]);
    assert!(woven.declined.is_empty() && woven.tables.is_empty());
}

#[test]
fn what_every_path_has_seen_leaves_no_live_bits() {
    // iconst_0, istore_0 | iinc 0 1, iload_0, ifne to the iinc | return: a use that the entry's bit reaches always.
    let bytes = class("m", "(I)V", &[0x03, 0x3B, 0x84, 0, 1, 0x1A, 0x9A, 0xFF, 0xFC, 0xB1], 1);
    let blocks = vec![block(change(0, 0, 1, 0b10)), block(change(0b11, 0, 0, 0)), BlockUpdates::default()];
    let woven = weave_updates(&bytes, &[&updates(blocks)], 0).unwrap();
    let found = mnemonics(&woven);
    assert!(found.contains(&"lor") && !found.contains(&"land"), "{found:?}");
}

#[test]
fn a_branch_back_to_the_next_instruction_has_one_edge() {
    // iload_0, ifeq to the next instruction, return
    let bytes = class("m", "(I)V", &[0x1A, 0x99, 0, 3, 0xB1], 1);
    let mut of = updates(vec![BlockUpdates::default(), BlockUpdates::default()]);
    of.edges = vec![EdgeUpdate { from: 0, to: 1, word: 0, uses: 1, runs: 0 }];
    let woven = weave_updates(&bytes, &[&of], 0).unwrap();
    assert_eq!(mnemonics(&woven), ["iload_0", "ifeq", "iconst_0", "lconst_1", "invokestatic", "return"]);
}

/// A method of many blocks of four bytes, each with a branch over the next one.
fn many_blocks(count: usize) -> (Vec<u8>, MethodUpdates) {
    let mut code = [0x1A, 0x99, 0, 7].repeat(count); // iload_0, ifeq
    code.extend([0, 0, 0, 0, 0xB1]);
    let changes = |at: usize| block(change(1 << (at % 60), 0, 1 << (at % 59), 1 << (at % 61)));
    let blocks = (0..count + 2).map(changes).collect();
    (class("m", "(I)V", &code, 1), updates(blocks))
}

#[test]
fn a_method_that_the_jvm_compiles_keeps_an_array_or_stays_as_it_is_rather_than_grow_too_long() {
    for (count, declined, arrays) in [(100, 0, 0), (500, 0, 1), (1_500, 1, 0)] {
        let (bytes, updates) = many_blocks(count);
        let woven = weave_updates(&bytes, &[&updates], 0).unwrap();
        assert_eq!((woven.declined.len(), woven.tables.len()), (declined, arrays), "{count}");
        let length = ClassFile::parse(&woven.bytes)
            .map(|class| Body::of_method(&class, &class.methods[0]).unwrap().unwrap().code.bytes.len());
        assert!(length.unwrap() <= 8_000);
        if declined == 1 {
            assert_eq!(woven.bytes, bytes, "byte for byte");
            assert_eq!(woven.declined[0].class, "C#m(I)V");
        }
    }
}

#[test]
fn a_method_that_is_never_compiled_may_grow_up_to_what_a_class_file_can_hold() {
    let (bytes, updates) = many_blocks(2_010);
    let woven = weave_updates(&bytes, &[&updates], 0).unwrap();
    assert!(woven.declined.is_empty() && woven.tables.is_empty());
    let (bytes, updates) = many_blocks(14_000);
    assert_eq!(weave_updates(&bytes, &[&updates], 0).unwrap().declined.len(), 1);
}

#[test]
fn what_cannot_be_woven_is_named_with_the_reason() {
    let of = updates(vec![block(change(1, 0, 0, 0))]);
    let reason = |bytes: &[u8], updates: &MethodUpdates, slot: u32| {
        let woven = weave_updates(bytes, &[updates], slot).unwrap();
        assert_eq!(woven.bytes, bytes);
        woven.declined[0].reason.clone()
    };
    let (bytes, many) = many_blocks(4);
    let parsed = ClassFile::parse(&bytes).unwrap();
    let code = Body::of_method(&parsed, &parsed.methods[0]).unwrap().unwrap().code.bytes;
    assert!(reason(&class("m", "(I)V", code, u16::MAX), &many, 0).contains("local variables"));
    let bytes = class("finalize", "()V", &[Opcode::Return.byte()], 1);
    assert!(reason(&bytes, &of, 0).contains("finalizer"));
    let bytes = class("m", "(I)V", &[0xB1], 1);
    assert!(reason(&bytes, &of, 1 << 18).contains("slots"));
    assert!(reason(&bytes, &updates(Vec::new()), 0).contains("another method"));
    let mut strange = of.clone();
    strange.edges = vec![EdgeUpdate { from: 0, to: 0, word: 0, uses: 1, runs: 0 }];
    assert!(reason(&bytes, &strange, 0).contains("another method"));
    assert!(weave_updates(&bytes[..20], &[&of], 0).is_err());
}
