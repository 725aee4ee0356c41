//! A class that says which instructions it runs: calls of `Tracer` (`tests/corpus/java/Tracer.java`) around every instruction, and
//! what a run's log says of each frame. It has a splicer of its own, so that it can be held against the weaver's.
//!
//! Events are numbers: an instruction about to run (its index), [`DONE`] behind one that may throw and did not, and, each with the
//! number of the method and the depth of the stack, [`ENTER`] and [`CAUGHT`] at the beginning of a handler. It knows neither what the
//! instructions do nor what is made of the log. Invariant: the traced class does what the original does, a bit slower.

use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::{Blocks, may_throw};
use dynaflow_classfile::frames::{FrameWriter, Frames};
use dynaflow_classfile::{Attribute, ClassFile, Code, Constant, ExceptionEntry, Opcode, Operand};
use std::borrow::Cow;

/// An instruction that may throw did not.
pub const DONE: i32 = -1;
/// A frame begins: method and depth follow.
pub const ENTER: i32 = -2;
/// A handler begins: method and depth follow.
pub const CAUGHT: i32 = -3;

const TRACER: &[u8] = b"Tracer";

/// The class with calls of the tracer; its methods have the numbers `first` and the following.
pub fn traced(bytes: &[u8], first: i32) -> Vec<u8> {
    let mut class = ClassFile::parse(bytes).unwrap();
    for index in 0..class.methods.len() {
        let body = Body::of_method(&class, &class.methods[index]).unwrap();
        let Some(body) = body else { continue };
        let data = method(&mut class, &body, first + index as i32);
        let member = &class.methods[index];
        let place = member.attributes.iter().position(|a| class.is_named(a, "Code")).unwrap();
        class.methods[index].attributes[place].data = Cow::Owned(data);
    }
    class.write()
}

/// Bytes to insert around instructions.
struct Calls {
    enter: Vec<u8>,
    at: u16,
    done: u16,
    caught: Vec<u8>,
}

fn method(class: &mut ClassFile<'_>, body: &Body<'_>, number: i32) -> Vec<u8> {
    let pool = &mut class.pool;
    let number = pool.append(Constant::Integer(number)).unwrap().to_be_bytes();
    let [enter, at, done, caught] =
        [(&b"enter"[..], &b"(I)V"[..]), (b"at", b"(I)V"), (b"done", b"()V"), (b"caught", b"(I)V")]
            .map(|(name, descriptor)| pool.append_method(TRACER, name, descriptor).unwrap().0);
    let with_number = |call: u16| {
        let call = call.to_be_bytes();
        vec![Opcode::LdcW.byte(), number[0], number[1], Opcode::Invokestatic.byte(), call[0], call[1]]
    };
    let calls = Calls { enter: with_number(enter), at, done, caught: with_number(caught) };
    let (starts, places, code) = spliced(body, &calls);
    let start = |pc: u16| starts[body.index(u32::from(pc)).unwrap()];
    let exceptions = body.code.exceptions.iter().map(|entry| ExceptionEntry {
        start: start(entry.start),
        end: start(entry.end),
        handler: start(entry.handler),
        catch_type: entry.catch_type,
    });
    let exceptions = exceptions.collect();
    let frames = body.code.attributes.iter().find(|attribute| class.is_named(attribute, "StackMapTable"));
    let frames = frames.map(|attribute| {
        let mut writer = FrameWriter::with_capacity(0);
        for frame in Frames::new(&attribute.data, 0).unwrap() {
            let frame = frame.unwrap();
            let place = |pc: u16| places[body.index(u32::from(pc)).unwrap()];
            writer.copy(start(frame.offset as u16).into(), &frame, place).unwrap();
        }
        Attribute { name: attribute.name, data: Cow::Owned(writer.finish()), offset: 0 }
    });
    let (max_stack, max_locals) = (body.code.max_stack + 1, body.code.max_locals);
    let mut out = Vec::new();
    let attributes = frames.into_iter().collect();
    Code { max_stack, max_locals, bytes: &code, offset: 0, exceptions, attributes }.write(&mut out);
    out
}

/// By instruction where jumps to it go (and the end of the code), where it lies itself, and the new code.
fn spliced(body: &Body<'_>, calls: &Calls) -> (Vec<u16>, Vec<u16>, Vec<u8>) {
    let handlers: Vec<usize> =
        body.code.exceptions.iter().map(|entry| body.index(entry.handler.into()).unwrap()).collect();
    let mut code = calls.enter.clone();
    let (mut starts, mut places) = (Vec::new(), Vec::new());
    // Places of four or two bytes for a jump: from the instruction that lies there to the target.
    let mut jumps: Vec<(usize, usize, u32, bool)> = Vec::new();
    for (index, insn) in body.insns.iter().enumerate() {
        starts.push(code.len() as u16);
        if handlers.contains(&index) {
            code.extend(&calls.caught);
        }
        code.push(Opcode::Sipush.byte());
        code.extend((index as i16).to_be_bytes());
        code.push(Opcode::Invokestatic.byte());
        code.extend(calls.at.to_be_bytes());
        let place = code.len();
        places.push(place as u16);
        let old = &body.code.bytes[insn.pc as usize..insn.end as usize];
        if let Some(switch) = insn.switch(body.code.bytes) {
            let targets: Vec<(i32, u32)> = switch.cases().collect();
            code.push(old[0]);
            code.resize(code.len().next_multiple_of(4), 0);
            jumps.push((code.len(), place, switch.default, true));
            code.extend([0; 4]);
            let count = targets.len() as i32;
            match switch.low() {
                Some(low) => {
                    code.extend(low.to_be_bytes());
                    code.extend((low + count - 1).to_be_bytes());
                }
                None => code.extend(count.to_be_bytes()),
            }
            for (key, target) in targets {
                if switch.low().is_none() {
                    code.extend(key.to_be_bytes());
                }
                jumps.push((code.len(), place, target, true));
                code.extend([0; 4]);
            }
        } else {
            if let Operand::Target(target) = insn.operand {
                jumps.push((code.len() + 1, place, target, old.len() == 5));
            }
            code.extend(old);
        }
        if may_throw(insn.opcode) && insn.opcode != Opcode::Athrow {
            code.push(Opcode::Invokestatic.byte());
            code.extend(calls.done.to_be_bytes());
        }
    }
    starts.push(code.len() as u16);
    assert!(code.len() < 65_536);
    for (at, from, target, wide) in jumps {
        let far = i32::from(starts[body.index(target).unwrap()]) - from as i32;
        if wide {
            code[at..at + 4].copy_from_slice(&far.to_be_bytes());
        } else {
            code[at..at + 2].copy_from_slice(&i16::try_from(far).unwrap().to_be_bytes());
        }
    }
    (starts, places, code)
}

/// What a frame does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It goes over an edge between blocks, all of the first block being run.
    Edge(u32, u32),
    /// It has run a block, and leaves it by a return or a throw.
    Whole(u32),
    /// An instruction of a block throws.
    Throws(u32, u32),
}

/// Reads the log of a run: calls `visit` with method and events of every frame.
pub fn frames<'b>(
    log: &[i32],
    method: impl Fn(i32) -> (&'b Body<'b>, &'b Blocks),
    mut visit: impl FnMut(i32, &[Event]),
) {
    let mut stack: Vec<Running> = Vec::new();
    let mut words = log.iter().copied();
    while let Some(word) = words.next() {
        match word {
            DONE => stack.last_mut().unwrap().done = true,
            ENTER | CAUGHT => {
                let (number, depth) = (words.next().unwrap(), words.next().unwrap());
                let keeps = |frame: &Running| frame.depth < depth || word == CAUGHT && frame.depth == depth;
                while stack.last().is_some_and(|frame| !keeps(frame)) {
                    let mut ended = stack.pop().unwrap();
                    let (body, blocks) = method(ended.number);
                    ended.leave(body, blocks);
                    visit(ended.number, &ended.events);
                }
                if word == ENTER {
                    stack.push(Running { number, depth, last: None, done: false, events: Vec::new() });
                } else {
                    assert_eq!(
                        stack.last().map(|frame| frame.number),
                        Some(number),
                        "a handler of its frame"
                    );
                }
            }
            insn => {
                let frame = stack.last_mut().unwrap();
                let (body, blocks) = method(frame.number);
                frame.at(insn as u32, body, blocks);
                if body.insns[insn as usize].opcode.is_return() {
                    let mut ended = stack.pop().unwrap();
                    ended.leave(body, blocks);
                    visit(ended.number, &ended.events);
                }
            }
        }
    }
    while let Some(mut ended) = stack.pop() {
        let (body, blocks) = method(ended.number);
        ended.leave(body, blocks);
        visit(ended.number, &ended.events);
    }
}

/// A frame that the log is in the middle of.
struct Running {
    number: i32,
    depth: i32,
    /// The last instruction, and whether it may have thrown: it may, and nothing was heard behind it.
    last: Option<u32>,
    done: bool,
    events: Vec<Event>,
}

impl Running {
    fn at(&mut self, insn: u32, body: &Body<'_>, blocks: &Blocks) {
        let to = blocks.block_of(insn as usize).unwrap();
        if let Some(last) = self.last {
            let from = blocks.block_of(last as usize).unwrap();
            let opcode = body.insns[last as usize].opcode;
            if opcode == Opcode::Athrow {
                self.events.push(Event::Whole(from));
            } else if may_throw(opcode) && !self.done {
                self.events.push(Event::Throws(from, last));
            } else if blocks.all()[to as usize].first == insn {
                assert!(blocks.successors(from).contains(&to), "control goes along edges");
                self.events.push(Event::Edge(from, to));
            } else {
                assert_eq!(insn, last + 1, "within a block instructions follow each other");
            }
        }
        (self.last, self.done) = (Some(insn), false);
    }

    /// The frame ends.
    fn leave(&mut self, body: &Body<'_>, blocks: &Blocks) {
        let last = self.last.unwrap();
        let block = blocks.block_of(last as usize).unwrap();
        let opcode = body.insns[last as usize].opcode;
        if opcode.is_return() || opcode == Opcode::Athrow {
            self.events.push(Event::Whole(block));
        } else {
            assert!(may_throw(opcode) && !self.done, "{opcode:?} ends no frame");
            self.events.push(Event::Throws(block, last));
        }
    }
}
