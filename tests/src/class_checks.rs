//! What must hold of the class-file reader and of the weaver for any bytes at all. It knows nothing of verification or of
//! behaviour: those take a JVM.
//!
//! Invariant: nothing is assumed of the input; where the code under test accepts it, all of its promises are held to.

use crate::updates::{Shape, random_updates};
use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_bytecode::updates::MethodUpdates;
use dynaflow_classfile::annotations;
use dynaflow_classfile::frames::{FrameWriter, Frames};
use dynaflow_classfile::insn::Instructions;
use dynaflow_classfile::{ClassFile, Code, ExceptionEntry, Insn, Opcode, Operand, print, tables};
use dynaflow_instrument::{Plan, WeaveOptions, weave_updates};
use dynaflow_mutants::{Operator, Options};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// Reading: accepted bytes are written as they were read, and everything in them can be looked at.
pub fn reader(bytes: &[u8]) {
    let Ok(class) = ClassFile::parse(bytes) else { return };
    let written = class.write();
    assert!(written == bytes, "an accepted class file is not written as it was read");
    let again = ClassFile::parse(&written).expect("what was written is read again");
    assert_eq!(again.write(), written, "reading and writing is a fixpoint");
    assert_eq!(print::class(&class), print::class(&again), "the same bytes print the same");
    blocks(&class);
    for attribute in &class.attributes {
        attribute_of_any_kind(&attribute.data);
    }
    for member in class.fields.iter().chain(&class.methods) {
        for attribute in &member.attributes {
            attribute_of_any_kind(&attribute.data);
            if class.is_named(attribute, "Code") {
                code(&class, &attribute.data, attribute.offset);
            }
        }
    }
}

/// Mutants: each is in one group at most, woven classes can be read and keep their methods, and no mutant equals the original.
pub fn mutants(bytes: &[u8]) {
    let options = Options { operators: Operator::all().collect(), filter: bytes.len().is_multiple_of(2) };
    let Ok(found) = dynaflow_mutants::mutants(bytes, &options) else { return };
    let methods = |bytes: &[u8]| ClassFile::parse(bytes).expect("what was woven is read").methods.len();
    let mut seen = BTreeSet::new();
    for schema in dynaflow_mutants::schemata(bytes, &found, 1).unwrap_or_default() {
        assert_eq!(methods(&schema.bytes), methods(bytes));
        assert!(schema.mutants.iter().all(|mutant| seen.insert(*mutant)), "a mutant is in two groups");
    }
    assert!(seen.iter().all(|mutant| *mutant < found.mutants.len()), "a mutant that is not there is woven");
    for mutant in [0, found.mutants.len() / 2] {
        if let Ok(woven) = dynaflow_mutants::alone(bytes, &found, mutant) {
            assert!(methods(&woven) == methods(bytes) && woven != bytes, "a mutant changes its class");
        }
    }
    if let Ok(woven) = dynaflow_mutants::probed(bytes, &found, 1) {
        assert_eq!(methods(&woven.bytes), methods(bytes));
    }
}

/// Probes at branches: woven classes can be read and keep their methods, and branches depend on the bytes alone.
pub fn distances(bytes: &[u8]) {
    let wanted = dynaflow_fitness::Wanted::ALL;
    let Ok(woven) = dynaflow_fitness::guided(bytes, 7, wanted, &dynaflow_flowgraph::dua::Unknown) else {
        return;
    };
    // Where all methods have room for larger numbers, too.
    if let Some(again) = dynaflow_fitness::guided(bytes, 1_000_000, wanted, &dynaflow_flowgraph::dua::Unknown)
        .ok()
        .filter(|again| again.declined == woven.declined)
    {
        assert_eq!(again.branches, woven.branches);
    }
    let methods = |bytes: &[u8]| ClassFile::parse(bytes).expect("what was woven is read").methods.len();
    assert_eq!(methods(&woven.bytes), methods(bytes));
}

/// Basic blocks: they partition the instructions, control comes to their first and leaves their last instruction alone. Gives
/// why methods are refused, those apart that cannot even be decoded.
pub fn blocks(class: &ClassFile<'_>) -> Vec<String> {
    let mut refused = Vec::new();
    for method in &class.methods {
        let Ok(Some(body)) = Body::of_method(class, method) else { continue };
        match Blocks::of(&body) {
            Ok(blocks) => blocks_of(&body, &blocks),
            Err(error) => refused.push(error.to_string()),
        }
    }
    refused
}

fn blocks_of(body: &Body<'_>, blocks: &Blocks) {
    let all = blocks.all();
    assert!(all.iter().flat_map(|block| block.insns()).eq(0..body.insns.len()), "blocks partition the code");
    let starts: BTreeSet<usize> = all.iter().map(|block| block.first as usize).collect();
    let begins = |pc: u32| starts.contains(&body.insn_at(pc).expect("a target is an instruction"));
    assert!(body.code.exceptions.iter().all(|entry| begins(u32::from(entry.handler))));
    for (number, block) in all.iter().enumerate() {
        let number = number as u32;
        for index in block.insns() {
            let insn = &body.insns[index];
            let to = targets(insn, body.code.bytes);
            assert!(to.iter().all(|target| begins(*target)), "control comes into the middle of a block");
            let inside = index < block.last as usize;
            assert!(
                !inside || (to.is_empty() && !insn.opcode.ends_block()),
                "control leaves from within a block"
            );
            assert_eq!(blocks.block_of(index), Some(number));
            let covering = blocks.covering(number);
            let called = insn.opcode == Opcode::Invokestatic;
            let covers = |entry: &ExceptionEntry| entry.covers(insn.pc);
            let listed = |entry: usize| covering.contains(&(entry as u32));
            let entries = body.code.exceptions.iter().enumerate();
            let mut forgotten = entries.filter(|(index, entry)| called && covers(entry) && !listed(*index));
            assert!(forgotten.next().is_none(), "a call can throw into each handler that covers it");
        }
        let last = &body.insns[block.last as usize];
        let found: BTreeSet<u32> = blocks.successors(number).iter().copied().collect();
        assert_eq!(found.len(), blocks.successors(number).len(), "a successor is named twice");
        if last.opcode == Opcode::Ret {
            let call = |to: &u32| {
                to.checked_sub(1).map(|block| body.insns[all[block as usize].last as usize].opcode)
            };
            assert!(
                found.iter().all(|to| call(to).is_some_and(Opcode::is_jsr)),
                "a subroutine returns to a call"
            );
        } else {
            let falls = !last.opcode.ends_block() && !last.opcode.is_jsr();
            let to = targets(last, body.code.bytes).into_iter().filter_map(|target| body.insn_at(target));
            let to = to.chain(falls.then_some(block.last as usize + 1));
            let expected: BTreeSet<u32> = to.filter_map(|insn| blocks.block_of(insn)).collect();
            assert_eq!(found, expected, "block {number} leads elsewhere");
        }
    }
}

fn attribute_of_any_kind(data: &[u8]) {
    let _ = annotations::types(data, 0);
    let _ = annotations::code_positions(data, 0);
}

fn code(class: &ClassFile<'_>, data: &[u8], offset: usize) {
    let Ok(code) = Code::parse(data, offset) else { return };
    let mut written = Vec::new();
    code.write(&mut written);
    assert!(written == data, "accepted code is not written as it was read");
    let mut end = 0;
    for insn in Instructions::new(code.bytes, code.offset).map_while(Result::ok) {
        assert!(insn.pc == end && insn.end > insn.pc, "instructions lie one after the other");
        end = insn.end;
        assert!(targets(&insn, code.bytes).iter().all(|target| (*target as usize) < code.bytes.len()));
    }
    for attribute in &code.attributes {
        let data = &*attribute.data;
        attribute_of_any_kind(data);
        if class.is_named(attribute, "StackMapTable") {
            frames(data);
        }
        if let Ok(lines) = tables::lines(data, 0) {
            let mut out = Vec::new();
            tables::write_lines(lines, &mut out);
            assert_eq!(out, data, "an accepted line table is written as it was read");
        }
        if let Ok(variables) = tables::variables(data, 0) {
            let mut out = Vec::new();
            tables::write_variables(variables, &mut out);
            assert_eq!(out, data, "an accepted variable table is written as it was read");
        }
    }
}

/// Frames copied to their own places mean the same, and copying them once more changes no byte.
fn frames(data: &[u8]) {
    let Some((offsets, once)) = copied(data) else { return };
    let (again, twice) = copied(&once).expect("copied frames are read again");
    assert_eq!(offsets, again, "copied frames stand where they stood");
    assert_eq!(once, twice, "copying frames is a fixpoint");
}

fn copied(data: &[u8]) -> Option<(Vec<u32>, Vec<u8>)> {
    let frames: Vec<_> = Frames::new(data, 0).ok()?.collect::<Result<_, _>>().ok()?;
    let mut writer = FrameWriter::with_capacity(data.len());
    for frame in &frames {
        writer.copy(frame.offset, frame, |old| old).ok()?;
    }
    Some((frames.iter().map(|frame| frame.offset).collect(), writer.finish()))
}

fn targets(insn: &Insn, code: &[u8]) -> Vec<u32> {
    match (insn.operand, insn.switch(code)) {
        (Operand::Target(target), _) => vec![target],
        (_, Some(switch)) => std::iter::once(switch.default).chain(switch.cases().map(|c| c.1)).collect(),
        _ => Vec::new(),
    }
}

/// Every way to weave, with first site ids of every width they are pushed in.
const WAYS: [(WeaveOptions, bool, u32); 5] = [
    (WeaveOptions { branches: false, carve: false, blocks: false, copies: true }, false, 64),
    (WeaveOptions { branches: true, ..WeaveOptions::NONE }, false, 32_700),
    (WeaveOptions { carve: true, ..WeaveOptions::NONE }, false, 120),
    (WeaveOptions { blocks: true, ..WeaveOptions::NONE }, false, 5),
    (WeaveOptions { branches: true, carve: true, blocks: true, copies: false }, true, 40_000),
];

/// Weaving: what comes out is a class file with the same members, whose code is whole and records in order what the code
/// before did; a method that was declined is unchanged.
pub fn weaver(bytes: &[u8]) {
    for (options, everywhere, base) in WAYS {
        let plan = |bytes| {
            if everywhere { Plan::carving_everywhere(bytes, &options) } else { Plan::new(bytes, &options) }
        };
        let Ok(first) = plan(bytes) else { continue };
        let second = plan(bytes).expect("a class understood once is understood again");
        assert_eq!(first.sites(), second.sites(), "sites depend on the bytes alone");
        let Ok(woven) = first.weave(base) else { continue };
        assert_eq!(second.weave(base).unwrap(), woven, "woven bytes depend on the bytes alone");
        let (old, new) = (ClassFile::parse(bytes).unwrap(), ClassFile::parse(&woven.bytes).unwrap());
        same_members(&old, &new);
        let sites = first.sites();
        assert!(sites.sites.is_sorted_by_key(|site| site.method), "sites stand method by method");
        for (index, (before, after)) in old.methods.iter().zip(&new.methods).enumerate() {
            for (old_attribute, new_attribute) in before.attributes.iter().zip(&after.attributes) {
                assert_eq!(old_attribute.name, new_attribute.name);
                if old_attribute.data != new_attribute.data {
                    let mut own = sites.sites.iter().filter(|site| usize::from(site.method) == index);
                    let length = woven_code(&new, &old_attribute.data, &new_attribute.data);
                    assert!(own.all(|site| site.offset <= length), "a site lies outside its method");
                }
            }
        }
        let again = plan(&woven.bytes).expect("a woven class is understood");
        drop(again.weave(base).map(|twice| ClassFile::parse(&twice.bytes).is_ok()));
    }
    coverage(bytes);
}

/// Weaving updates of coverage, made by lot: as weaving all else.
fn coverage(bytes: &[u8]) {
    let Ok(old) = ClassFile::parse(bytes) else { return };
    let mut random = ChaCha8Rng::seed_from_u64(bytes.len() as u64);
    let mut updates = Vec::new();
    for (index, method) in old.methods.iter().enumerate() {
        let Ok(Some(body)) = Body::of_method(&old, method) else { continue };
        let Ok(blocks) = Blocks::of(&body) else { continue };
        let words = if index % 4 == 0 { 40 } else { 3 };
        updates.push(random_updates(&mut random, index, &blocks, Shape { words, plain: true }));
    }
    let updates: Vec<&MethodUpdates> = updates.iter().collect();
    let Ok(woven) = weave_updates(bytes, &updates, 40_000) else { return };
    assert_eq!(
        weave_updates(bytes, &updates, 40_000).unwrap(),
        woven,
        "woven bytes depend on the input alone"
    );
    let new = ClassFile::parse(&woven.bytes).expect("a woven class is read");
    same_members(&old, &new);
    for (before, after) in old.methods.iter().zip(&new.methods) {
        for (old_attribute, new_attribute) in before.attributes.iter().zip(&after.attributes) {
            if old_attribute.data != new_attribute.data {
                woven_code(&new, &old_attribute.data, &new_attribute.data);
            }
        }
    }
}

fn same_members(old: &ClassFile<'_>, new: &ClassFile<'_>) {
    assert_eq!((old.minor, old.major, old.access), (new.minor, new.major, new.access));
    assert_eq!((old.this_class, old.super_class), (new.this_class, new.super_class));
    assert_eq!(old.interfaces, new.interfaces);
    assert!(old.pool.iter().zip(new.pool.iter()).all(|(a, b)| a == b) && old.pool.len() <= new.pool.len());
    for (before, after) in [(&old.fields, &new.fields), (&old.methods, &new.methods)] {
        assert_eq!(before.len(), after.len(), "members come and go");
        for (a, b) in before.iter().zip(after) {
            assert_eq!((a.access, a.name, a.descriptor), (b.access, b.name, b.descriptor));
            assert_eq!(a.attributes.len(), b.attributes.len());
        }
    }
    assert_eq!(old.attributes.len(), new.attributes.len());
    assert!(old.attributes.iter().zip(&new.attributes).all(|(a, b)| a.name == b.name && a.data == b.data));
}

/// Holds woven code against the code it was made from; gives the length of the latter.
fn woven_code(class: &ClassFile<'_>, old: &[u8], new: &[u8]) -> u32 {
    let (old, new) = (Code::parse(old, 0).unwrap(), Code::parse(new, 0).expect("woven code is code"));
    assert!(old.max_stack <= new.max_stack && old.max_locals <= new.max_locals);
    let (before, after) = (instructions(&old), instructions(&new));
    let starts: BTreeSet<u32> = after.iter().map(|insn| insn.pc).collect();
    let mut rest = after.iter();
    for insn in &before {
        let kept = rest.any(|candidate| same(insn, &old, candidate, &new));
        assert!(kept, "the instruction at {} was lost on weaving", insn.pc);
    }
    for insn in &after {
        let all_inside = targets(insn, new.bytes).iter().all(|target| starts.contains(target));
        assert!(all_inside, "a branch of woven code goes into an instruction");
    }
    handlers(&old, &new, &starts);
    for attribute in new.attributes.iter().filter(|attribute| class.is_named(attribute, "StackMapTable")) {
        woven_frames(&attribute.data, &starts);
    }
    old.bytes.len() as u32
}

fn instructions(code: &Code<'_>) -> Vec<Insn> {
    Instructions::new(code.bytes, code.offset).collect::<Result<_, _>>().expect("woven code is decoded")
}

/// Whether a woven instruction can be the one before: the same but for where its jumps go and how wide they are.
fn same(old: &Insn, old_code: &Code<'_>, new: &Insn, new_code: &Code<'_>) -> bool {
    match (old.switch(old_code.bytes), new.switch(new_code.bytes)) {
        (Some(a), Some(b)) => {
            old.opcode == new.opcode
                && a.low() == b.low()
                && a.cases().map(|c| c.0).eq(b.cases().map(|c| c.0))
        }
        (None, None) => match (old.operand, new.operand) {
            (Operand::Target(_), Operand::Target(_)) => {
                let name = |insn: &Insn| insn.opcode.info().mnemonic.trim_end_matches("_w").to_owned();
                name(old) == name(new)
            }
            (a, b) => old.opcode == new.opcode && a == b,
        },
        _ => false,
    }
}

fn handlers(old: &Code<'_>, new: &Code<'_>, starts: &BTreeSet<u32>) {
    assert!(new.exceptions.len() >= old.exceptions.len());
    let kept = old.exceptions.iter().zip(&new.exceptions);
    assert!(kept.clone().all(|(a, b)| a.catch_type == b.catch_type), "handlers keep their order");
    for entry in &new.exceptions {
        assert!(entry.start < entry.end && starts.contains(&u32::from(entry.start)));
        assert!(starts.contains(&u32::from(entry.handler)));
        let end = u32::from(entry.end);
        assert!(starts.contains(&end) || end as usize == new.bytes.len(), "a handler ends in an instruction");
    }
}

fn woven_frames(data: &[u8], starts: &BTreeSet<u32>) {
    for frame in Frames::new(data, 0).expect("woven frames are read") {
        let frame = frame.expect("woven frames are read");
        assert!(starts.contains(&frame.offset), "a frame stands at no instruction");
    }
}
