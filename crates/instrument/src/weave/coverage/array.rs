//! The form of weaving that keeps the words of a frame in an array and makes the changes of every point by a call: for methods that are
//! too large for the other form or have many words. It knows scripts and instructions to write, not where the bytes go.
//!
//! The frame has, behind the method's own local variables, the array and an `int` with the number of the changes in force, which is
//! a row of the method's table. The array: the first slot, the covered bits of each word, then what is live and what is pending.
//! Invariant: a handler makes a call only when changes are in force, and clears them before the call, so that an overflow of the stack in
//! that call cannot loop through a handler that guards itself.

use super::super::emit::{Emitter, Indices};
use super::super::failure::{Failure, too_large};
use super::super::inserted::Inserted;
use super::super::splice::Insertion;
use super::called::Call;
use super::inline::height;
use super::script::{Action, Script};
use super::steps::{Step, Var};
use dynaflow_classfile::descriptor::Kind;
use dynaflow_classfile::frames::VerificationType;
use dynaflow_classfile::{ClassFile, Opcode};
use std::collections::BTreeMap;

/// Numbers of a table before the positions of its rows.
const HEAD: usize = 3;

/// Writes the insertions of a method: its local variables begin at `first_local`, its words have the slots from `first_slot` on.
pub(super) fn write(
    script: &Script,
    class: &mut ClassFile<'_>,
    indices: &mut Indices<Call>,
    first_local: u16,
    first_slot: u32,
    handlers: usize,
) -> Result<(Inserted, Vec<u64>), Failure> {
    let force = first_local.checked_add(1).ok_or_else(too_large)?;
    force.checked_add(1).ok_or_else(too_large)?;
    let array = VerificationType::Object(class.pool.append_class(b"[J")?);
    let kept = vec![array, VerificationType::Integer];
    let mut inserted = Inserted { locals: 2, kept, ..Inserted::default() };
    let mut frame = Frame { state: first_local, force, first_slot, rows: Rows::of(script) };

    let mut out = Emitter::new(&mut class.pool, indices, &mut inserted.edits.prologue);
    frame.begin(&mut out);
    inserted.handler_stack = height(out.finish()?);
    for point in &script.points {
        let bytes = &mut inserted.edits.bytes;
        let start = bytes.len();
        let mut actions = point.before.as_slice();
        if let Some((Action::Caught(_), rest)) = actions.split_first() {
            actions = rest;
            let mut out = Emitter::new(&mut class.pool, indices, bytes);
            frame.caught(&mut out);
            inserted.handler_stack = inserted.handler_stack.max(height(1 + out.finish()?));
            inserted.joins.push((point.insn, (bytes.len() - start) as u32));
        }
        let mut out = Emitter::new(&mut class.pool, indices, bytes);
        frame.actions(actions, &mut out);
        let middle = out.position();
        frame.actions(&point.after, &mut out);
        let end = out.position();
        inserted.stack = inserted.stack.max(out.finish()?);
        let insertion = Insertion { insn: point.insn, before: start..middle, after: middle..end };
        inserted.edits.inserts.push(insertion);
    }
    for _ in 0..handlers {
        inserted.handlers.push(inserted.edits.epilogue.len() as u32);
        let mut out = Emitter::new(&mut class.pool, indices, &mut inserted.edits.epilogue);
        out.load(Kind::Reference, frame.state)
            .load(Kind::Int, frame.force)
            .call(Call::End)
            .op(Opcode::Athrow);
        inserted.handler_stack = inserted.handler_stack.max(height(1 + out.finish()?));
    }
    Ok((inserted, frame.rows.table()))
}

/// The two variables of a frame.
struct Frame {
    state: u16,
    /// The number of the changes in force.
    force: u16,
    first_slot: u32,
    rows: Rows,
}

type Out<'e, 'a> = Emitter<'e, 'a, Call>;

impl Frame {
    fn begin(&self, out: &mut Out<'_, '_>) {
        out.int(self.first_slot).call(Call::Begin).store(Kind::Reference, self.state);
        out.int(0).store(Kind::Int, self.force);
    }

    fn actions(&mut self, actions: &[Action], out: &mut Out<'_, '_>) {
        let mut steps: Vec<Step> = Vec::new();
        for action in actions {
            if let Action::Step(step) = action {
                steps.push(*step);
                continue;
            }
            self.steps(&mut steps, out);
            match action {
                Action::At(number) => {
                    out.int(*number).store(Kind::Int, self.force);
                }
                Action::Flush(number) => {
                    out.load(Kind::Reference, self.state).int(*number).call(Call::End);
                }
                Action::End(_) => {
                    out.load(Kind::Reference, self.state).int(0).call(Call::End);
                }
                Action::Step(_) | Action::Caught(_) => {}
            }
        }
        self.steps(&mut steps, out);
    }

    fn steps(&mut self, steps: &mut Vec<Step>, out: &mut Out<'_, '_>) {
        if !steps.is_empty() {
            let row = self.rows.add(steps);
            out.load(Kind::Reference, self.state).int(row).call(Call::Step);
            steps.clear();
        }
    }

    /// Changes what an exception that comes to a handler has changed.
    fn caught(&self, out: &mut Out<'_, '_>) {
        out.load(Kind::Int, self.force);
        let skip = out.jump(Opcode::Ifeq);
        out.load(Kind::Reference, self.state).load(Kind::Int, self.force);
        out.int(0).store(Kind::Int, self.force).call(Call::Step).land(skip);
    }
}

/// An operation: `state[to] = (state[to] & keep) | (state[from] & and) | or`, the indices in one number.
type Operation = [u64; 4];

/// The rows of a method: what the frame begins with, the changes that may be in force, then those of the points.
struct Rows {
    words: u64,
    length: u64,
    rows: Vec<Vec<Operation>>,
    numbers: BTreeMap<Vec<Operation>, u32>,
}

impl Rows {
    fn of(script: &Script) -> Self {
        let words = u64::from(script.words);
        let length = 1 + 2 * words + u64::from(script.pendings);
        let mut rows = Self { words, length, rows: Vec::new(), numbers: BTreeMap::new() };
        let live = (0..).zip(&script.entry).filter(|(_, bits)| **bits != 0);
        let begin = live.map(|(word, bits)| rows.operation(&Step::live(word, 0, *bits))).collect();
        rows.rows.push(begin);
        for changes in &script.rows {
            let operations = changes.iter().flat_map(Step::of).map(|step| rows.operation(&step)).collect();
            rows.rows.push(operations);
        }
        rows
    }

    fn index(&self, var: Var) -> u64 {
        match var {
            Var::Covered(word) => 1 + u64::from(word),
            Var::Live(word) => 1 + self.words + u64::from(word),
            Var::Pending(pending) => 1 + 2 * self.words + u64::from(pending),
            // Changes in force are rows here.
            Var::Uses(_) | Var::Runs(_) | Var::Keeps(_) | Var::Gens(_) => 0,
        }
    }

    fn operation(&self, step: &Step) -> Operation {
        [self.index(step.to) << 32 | self.index(step.from), step.keep, step.and, step.or]
    }

    /// The row that makes some steps.
    fn add(&mut self, steps: &[Step]) -> u32 {
        let operations: Vec<Operation> = steps.iter().map(|step| self.operation(step)).collect();
        let fresh = self.rows.len() as u32;
        let number = *self.numbers.entry(operations.clone()).or_insert(fresh);
        if number == fresh {
            self.rows.push(operations);
        }
        number
    }

    /// The table, as the class that collects covered bits expects it.
    fn table(&self) -> Vec<u64> {
        let count = self.rows.len();
        let mut table = vec![self.length, self.words, count as u64];
        let mut at = HEAD + count + 1;
        for row in &self.rows {
            table.push(at as u64);
            at += row.len() * 4;
        }
        table.push(at as u64);
        table.extend(self.rows.iter().flatten().flatten());
        table
    }
}
