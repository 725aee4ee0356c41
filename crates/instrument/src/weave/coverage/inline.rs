//! The form of weaving that keeps each word of a frame in local variables. It knows scripts and instructions to write, not where
//! the bytes go.
//!
//! The frame has, behind the method's own local variables: a `long` for each variable the script keeps, an `int` with the number
//! of the changes in force, and another one that handlers use. What a handler is given by an exception it changes first, unless no
//! changes are in force; before it does, it puts none in force: should it meet the end of the stack, and come to itself, it goes on.
//! Invariant: nothing is inserted that branches but this.

use super::super::assemble::Inserted;
use super::super::emit::{Emitter, Indices};
use super::super::splice::Insertion;
use super::super::{Failure, too_large};
use super::called::Call;
use super::fold::Folded;
use super::script::{Action, Point, Step, Touched, Var};
use dynaflow_classfile::descriptor::Kind;
use dynaflow_classfile::frames::VerificationType;
use dynaflow_classfile::{ConstantPool, Opcode};
use std::collections::BTreeMap;

/// What is inserted, and the tables of its words.
pub(super) struct Woven {
    pub inserted: Inserted,
    /// By slot.
    pub tables: Vec<(u32, Vec<u64>)>,
}

/// Writes the insertions of a method: its local variables begin at `first_local`, its words have the slots from `first_slot` on.
pub(super) fn write(
    folded: &Folded,
    pool: &mut ConstantPool<'_>,
    indices: &mut Indices<Call>,
    first_local: u16,
    first_slot: u32,
    handlers: usize,
) -> Result<Woven, Failure> {
    let mut local = first_local;
    let mut take = |slots: u16| {
        let taken = local;
        local = local.checked_add(slots).ok_or_else(too_large)?;
        Ok::<u16, Failure>(taken)
    };
    let mut locals = BTreeMap::new();
    for var in &folded.kept {
        locals.insert(*var, take(2)?);
    }
    let mut kept = vec![VerificationType::Long; locals.len()];
    let (mut force, mut scratch) = (0, 0);
    if !folded.script.rows.is_empty() {
        (force, scratch) = (take(1)?, take(1)?);
        kept.push(VerificationType::Integer);
    }
    let inserted = Inserted { locals: local - first_local, kept, ..Inserted::default() };
    let frame = Frame { folded, locals, force, scratch, first_slot };
    let mut writer = Writer { frame, pool, indices, inserted };
    writer.prologue()?;
    for point in &folded.script.points {
        writer.point(point)?;
    }
    for _ in 0..handlers {
        writer.handler()?;
    }
    Ok(Woven { inserted: writer.inserted, tables: tables(folded, first_slot) })
}

/// Whether exceptions that leave the frame have anything to tell.
pub(super) fn needs_handlers(folded: &Folded) -> bool {
    let tells = |word: u16, covered: Option<u64>| covered != Some(0) || folded.is_thrown(word);
    folded.script.throws && (0..).zip(&folded.thrown).any(|(word, (covered, _))| tells(word, *covered))
}

/// The rows of each slot, as the class that collects covered bits expects them.
fn tables(folded: &Folded, first_slot: u32) -> Vec<(u32, Vec<u64>)> {
    let mut tables: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for (number, changes) in (1u64..).zip(&folded.script.rows) {
        for change in changes {
            let row = [number, change.uses, change.runs, change.kills, change.gens];
            tables.entry(first_slot + u32::from(change.word)).or_default().extend(row);
        }
    }
    tables.into_iter().collect()
}

struct Writer<'w, 'a> {
    frame: Frame<'w>,
    pool: &'w mut ConstantPool<'a>,
    indices: &'w mut Indices<Call>,
    inserted: Inserted,
}

impl Writer<'_, '_> {
    fn prologue(&mut self) -> Result<(), Failure> {
        let mut out = Emitter::new(self.pool, self.indices, &mut self.inserted.edits.prologue);
        self.frame.begin(&mut out);
        self.inserted.handler_stack = height(out.finish()?);
        Ok(())
    }

    fn point(&mut self, point: &Point) -> Result<(), Failure> {
        let bytes = &mut self.inserted.edits.bytes;
        let start = bytes.len();
        let mut actions = point.before.as_slice();
        if let Some((Action::Caught(touched), rest)) = actions.split_first() {
            actions = rest;
            let mut out = Emitter::new(self.pool, self.indices, bytes);
            self.frame.caught(touched, &mut out);
            self.inserted.handler_stack = self.inserted.handler_stack.max(height(1 + out.finish()?));
            self.inserted.joins.push((point.insn, (bytes.len() - start) as u32));
        }
        let mut out = Emitter::new(self.pool, self.indices, bytes);
        actions.iter().for_each(|action| self.frame.action(action, &mut out));
        let middle = out.position();
        point.after.iter().for_each(|action| self.frame.action(action, &mut out));
        let end = out.position();
        self.inserted.stack = self.inserted.stack.max(out.finish()?);
        let insertion = Insertion { insn: point.insn, before: start..middle, after: middle..end };
        self.inserted.edits.inserts.push(insertion);
        Ok(())
    }

    fn handler(&mut self) -> Result<(), Failure> {
        self.inserted.handlers.push(self.inserted.edits.epilogue.len() as u32);
        let mut out = Emitter::new(self.pool, self.indices, &mut self.inserted.edits.epilogue);
        self.frame.thrown(&mut out);
        out.op(Opcode::Athrow);
        self.inserted.handler_stack = self.inserted.handler_stack.max(height(1 + out.finish()?));
        Ok(())
    }
}

/// Stack slots of code that has the stack for itself.
pub(super) fn height(highest: i32) -> u16 {
    u16::try_from(highest).unwrap_or_default()
}

type Out<'e, 'a> = Emitter<'e, 'a, Call>;

/// The variables of a frame and what is done to them.
struct Frame<'w> {
    folded: &'w Folded,
    locals: BTreeMap<Var, u16>,
    /// The local variable with the number of the changes in force.
    force: u16,
    /// A local variable that handlers use.
    scratch: u16,
    first_slot: u32,
}

impl Frame<'_> {
    fn slot(&self, word: u16) -> u32 {
        self.first_slot.saturating_add(u32::from(word))
    }

    fn begin(&self, out: &mut Out<'_, '_>) {
        for (var, local) in &self.locals {
            out.long(self.folded.initial(*var)).store(Kind::Long, *local);
        }
        if !self.folded.script.rows.is_empty() {
            out.int(0).store(Kind::Int, self.force);
        }
    }

    fn action(&self, action: &Action, out: &mut Out<'_, '_>) {
        match action {
            Action::Step(step) => self.step(step, out),
            Action::At(number) => {
                out.int(*number).store(Kind::Int, self.force);
            }
            Action::Caught(_) => {}
            Action::Flush(number) => self.flush(*number, out),
            Action::End(known) => {
                for (word, known) in (0..).zip(known).filter(|(_, known)| **known != Some(0)) {
                    out.int(self.slot(word));
                    self.value(Var::Covered(word), *known, out);
                    out.call(Call::Cover);
                }
            }
        }
    }

    /// Pushes a variable. One that is not kept is known, or nobody depends on it.
    fn value(&self, var: Var, known: Option<u64>, out: &mut Out<'_, '_>) {
        match (known, self.locals.get(&var)) {
            (None, Some(local)) => out.load(Kind::Long, *local),
            (known, _) => out.long(known.unwrap_or_default()),
        };
    }

    fn step(&self, step: &Step, out: &mut Out<'_, '_>) {
        let Some(to) = self.locals.get(&step.to) else { return };
        let mut terms = 0;
        let mut term = |mask: u64, var: Option<Var>, out: &mut Out<'_, '_>| {
            if mask == 0 {
                return;
            }
            match var {
                Some(var) => {
                    self.value(var, None, out);
                    if mask != !0 {
                        out.long(mask).op(Opcode::Land);
                    }
                }
                None => {
                    out.long(mask);
                }
            }
            if terms > 0 {
                out.op(Opcode::Lor);
            }
            terms += 1;
        };
        // What takes two places on the stack comes first.
        let keep_first = step.keep != !0;
        if keep_first {
            term(step.keep, Some(step.to), out);
        }
        term(step.and, Some(step.from), out);
        term(step.or, None, out);
        if !keep_first {
            term(step.keep, Some(step.to), out);
        }
        if terms == 0 {
            out.long(0);
        }
        out.store(Kind::Long, *to);
    }

    /// Tells what would be covered if the next instruction threw.
    fn flush(&self, number: u32, out: &mut Out<'_, '_>) {
        for word in 0..self.folded.script.words {
            let change = self.folded.script.changes(number).iter().find(|change| change.word == word);
            let (uses, runs) = change.map_or((0, 0), |change| (change.uses, change.runs));
            out.int(self.slot(word));
            self.value(Var::Covered(word), None, out);
            if uses != 0 {
                self.value(Var::Live(word), None, out);
                out.long(uses).op(Opcode::Land).op(Opcode::Lor);
            }
            if runs != 0 {
                out.long(runs).op(Opcode::Lor);
            }
            out.call(Call::Cover);
        }
    }

    /// Changes what an exception that comes to a handler has changed.
    fn caught(&self, touched: &[Touched], out: &mut Out<'_, '_>) {
        out.load(Kind::Int, self.force);
        let skip = out.jump(Opcode::Ifeq);
        out.load(Kind::Int, self.force).store(Kind::Int, self.scratch).int(0).store(Kind::Int, self.force);
        for Touched { word, covered, live } in touched {
            let call = |call: Call, var: Var, out: &mut Out<'_, '_>| {
                if call == Call::Covered {
                    self.value(var, None, out);
                }
                self.value(Var::Live(*word), None, out);
                out.int(self.slot(*word)).load(Kind::Int, self.scratch).call(call);
                if let Some(local) = self.locals.get(&var) {
                    out.store(Kind::Long, *local);
                }
            };
            if *covered {
                call(Call::Covered, Var::Covered(*word), out);
            }
            if *live {
                call(Call::Live, Var::Live(*word), out);
            }
        }
        out.land(skip);
    }

    /// Tells what an exception that leaves the frame found covered.
    fn thrown(&self, out: &mut Out<'_, '_>) {
        for (word, (covered, live)) in (0..).zip(&self.folded.thrown) {
            if self.folded.is_thrown(word) {
                self.value(Var::Covered(word), *covered, out);
                self.value(Var::Live(word), *live, out);
                out.int(self.slot(word)).load(Kind::Int, self.force).call(Call::Thrown);
            } else if *covered != Some(0) {
                out.int(self.slot(word));
                self.value(Var::Covered(word), *covered, out);
                out.call(Call::Cover);
            }
        }
    }
}
