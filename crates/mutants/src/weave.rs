//! The code of one method with its mutants: guards that choose between original and mutants, one mutant alone, or probes.
//!
//! A guard stands at the mutated instruction: it compares the number of the active mutant with those that stand there and goes
//! on to the original instruction or to what replaces it. It knows changes and types, not operators. Invariant: while no
//! mutant of the method is active, the method does what the original does.

use crate::change::{Change, Op, falls_through};
use crate::switch::{PROBE, SWITCH_CLASS, SWITCH_FIELD};
use dynaflow_bytecode::Body;
use dynaflow_classfile::{ConstantPool, Opcode};
use dynaflow_rewrite::{Assembly, Coder, Failure, Names, StaticMethod, Types, attribute};
use std::collections::BTreeMap;

/// What of the mutants is woven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The changes in place of the instructions; one for an instruction.
    Alone,
    /// All changes, behind guards.
    Guarded,
    /// None: only the report that a mutated instruction is reached, under the first number that stands there.
    Probed,
}

/// The changes of a method by instruction, with their numbers.
pub(crate) type Edits<'m> = BTreeMap<usize, Vec<(i32, &'m Change)>>;

/// The instructions whose types weaving asks for.
pub(crate) fn wanted<'m>(count: usize, changes: impl Iterator<Item = (usize, &'m Change)>) -> Vec<bool> {
    let mut wanted = vec![false; count];
    let mut want = |index: usize| {
        if let Some(place) = wanted.get_mut(index) {
            *place = true;
        }
    };
    for (insn, change) in changes {
        want(insn);
        want(insn + 1);
        goals(change).for_each(&mut want);
    }
    wanted
}

fn goals(change: &Change) -> impl Iterator<Item = usize> {
    change.iter().filter_map(|op| match op {
        Op::Jump(_, goal) => Some(*goal),
        _ => None,
    })
}

/// Weaves one method; the new content of its `Code` attribute.
///
/// # Errors
/// Why the method or the class is declined.
pub(crate) fn code<'n>(
    pool: &mut ConstantPool<'n>,
    body: &Body<'n>,
    types: Option<&Types>,
    edits: &Edits<'_>,
    mode: Mode,
    names: &'n Names,
) -> Result<Vec<u8>, Failure> {
    let (frames, written) = {
        let coder = Coder { pool, assembly: Assembly::new(body) };
        let mut weaver = Weaver { coder, frames: Vec::new(), mode };
        let joined = joined(body, types, edits, mode);
        for index in 0..body.insns.len() {
            weaver.coder.assembly.land(index);
            if joined.get(index).copied().unwrap_or(false) {
                weaver.frames.push((index, index));
            }
            match edits.get(&index) {
                Some(changes) => weaver.edited(body, index, changes)?,
                None => weaver.coder.assembly.insn(index),
            }
        }
        weaver.coder.assembly.land(body.insns.len());
        let written = weaver.coder.assembly.write()?;
        (weaver.frames, written)
    };
    attribute(pool, body, types, &frames, &written, names)
}

/// The instructions at whose start a frame stands: where the method has one, and where changes join it.
fn joined(body: &Body<'_>, types: Option<&Types>, edits: &Edits<'_>, mode: Mode) -> Vec<bool> {
    let mut joined = types.map_or_else(|| vec![false; body.insns.len()], |types| types.framed.clone());
    if mode == Mode::Probed || types.is_none() {
        return joined;
    }
    let mut join = |index: usize| {
        if let Some(place) = joined.get_mut(index) {
            *place = true;
        }
    };
    for (insn, changes) in edits {
        for (_, change) in changes {
            goals(change).for_each(&mut join);
            // Alone, what no longer is fallen into needs a frame; guarded, what the change jumps to.
            if falls_through(change) == (mode == Mode::Guarded) {
                join(insn + 1);
            }
        }
    }
    joined
}

struct Weaver<'w, 'n, 'b> {
    coder: Coder<'w, 'n, 'b>,
    /// Where frames stand, in order: label, and the instruction whose types they have.
    frames: Vec<(usize, usize)>,
    mode: Mode,
}

impl Weaver<'_, '_, '_> {
    fn edited(&mut self, body: &Body<'_>, index: usize, changes: &[(i32, &Change)]) -> Result<(), Failure> {
        match (self.mode, changes) {
            (Mode::Alone, [(_, change), ..]) => self.change(index, change)?,
            (Mode::Guarded, [(number, change)]) => self.guarded(body, index, *number, change)?,
            (Mode::Guarded, _) => self.chosen(body, index, changes)?,
            (Mode::Probed, [(number, _), ..]) => {
                self.coder.int(*number)?;
                let (name, descriptor) = PROBE;
                self.coder.call(&StaticMethod { owner: SWITCH_CLASS, name, descriptor, interface: false })?;
                self.coder.assembly.insn(index);
            }
            _ => self.coder.assembly.insn(index),
        }
        Ok(())
    }

    /// One mutant at an instruction.
    fn guarded(
        &mut self,
        body: &Body<'_>,
        index: usize,
        number: i32,
        change: &Change,
    ) -> Result<(), Failure> {
        let original = self.coder.assembly.label();
        self.active()?;
        self.coder.int(number)?;
        self.coder.assembly.jump(Opcode::IfIcmpne, original);
        self.change(index, change)?;
        if falls_through(change) {
            self.coder.assembly.jump(Opcode::Goto, index + 1);
        }
        self.original(body, index, original);
        Ok(())
    }

    /// Several mutants at an instruction.
    fn chosen(&mut self, body: &Body<'_>, index: usize, changes: &[(i32, &Change)]) -> Result<(), Failure> {
        let original = self.coder.assembly.label();
        let cases: Vec<(i32, usize)> =
            changes.iter().map(|(number, _)| (*number, self.coder.assembly.label())).collect();
        self.active()?;
        self.coder.assembly.lookup(cases.clone(), original);
        for ((_, label), (_, change)) in cases.iter().zip(changes) {
            self.coder.assembly.land(*label);
            self.frames.push((*label, index));
            self.change(index, change)?;
            if falls_through(change) {
                self.coder.assembly.jump(Opcode::Goto, index + 1);
            }
        }
        self.original(body, index, original);
        Ok(())
    }

    fn original(&mut self, _body: &Body<'_>, index: usize, label: usize) {
        self.coder.assembly.land(label);
        self.frames.push((label, index));
        self.coder.assembly.insn(index);
    }

    /// Pushes the number of the active mutant.
    fn active(&mut self) -> Result<(), Failure> {
        self.coder.static_field(SWITCH_CLASS, SWITCH_FIELD, "I")?;
        Ok(())
    }

    fn change(&mut self, index: usize, change: &Change) -> Result<(), Failure> {
        for op in change {
            match op {
                Op::Original => self.coder.assembly.insn(index),
                Op::Plain(opcode) => self.coder.assembly.bytes(&[opcode.byte()]),
                Op::Local(opcode, local) => match u8::try_from(*local) {
                    Ok(local) => self.coder.assembly.bytes(&[opcode.byte(), local]),
                    Err(_) => {
                        self.coder.assembly.bytes(&[Opcode::Wide.byte()]);
                        self.coder.with_index(*opcode, *local);
                    }
                },
                Op::Increment(local, by) => self.increment(*local, *by),
                Op::Int(value) => self.coder.int(i32::from(*value))?,
                Op::EmptyText => self.coder.text(b"")?,
                Op::Jump(opcode, goal) => self.coder.assembly.jump(*opcode, *goal),
                Op::Call(call) => self.coder.call(call)?,
                Op::Insn(other) => self.coder.assembly.insn(*other),
            }
        }
        Ok(())
    }

    fn increment(&mut self, local: u16, by: i16) {
        match (u8::try_from(local), i8::try_from(by)) {
            (Ok(local), Ok(by)) => {
                self.coder.assembly.bytes(&[Opcode::Iinc.byte(), local, by.cast_unsigned()]);
            }
            _ => {
                self.coder.assembly.bytes(&[Opcode::Wide.byte()]);
                self.coder.with_index(Opcode::Iinc, local);
                self.coder.assembly.bytes(&by.to_be_bytes());
            }
        }
    }
}
