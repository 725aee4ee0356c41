//! The form of weaving that keeps each word of a frame in local variables. It knows scripts and instructions to write, not where
//! the bytes go.
//!
//! The frame has, behind the method's own local variables, a `long` for each variable the script keeps. Invariant: nothing is
//! inserted that branches, or that could throw but for calls where the frame ends.

use super::super::emit::{Emitter, Indices};
use super::super::failure::{Failure, too_large};
use super::super::inserted::Inserted;
use super::super::splice::Insertion;
use super::called::Call;
use super::fold::Folded;
use super::script::{Action, Point, Touched};
use super::steps::{Step, Var};
use dynaflow_classfile::descriptor::Kind;
use dynaflow_classfile::frames::VerificationType;
use dynaflow_classfile::{ConstantPool, Opcode};
use std::collections::BTreeMap;

/// Writes the insertions of a method: its local variables begin at `first_local`, its words have the slots from `first_slot` on.
pub(super) fn write(
    folded: &Folded,
    pool: &mut ConstantPool<'_>,
    indices: &mut Indices<Call>,
    first_local: u16,
    first_slot: u32,
    handlers: usize,
) -> Result<Inserted, Failure> {
    let mut locals = BTreeMap::new();
    let mut local = first_local;
    for var in &folded.kept {
        locals.insert(*var, local);
        local = local.checked_add(2).ok_or_else(too_large)?;
    }
    let kept = vec![VerificationType::Long; locals.len()];
    let inserted = Inserted { locals: local - first_local, kept, ..Inserted::default() };
    let frame = Frame { folded, locals, first_slot };
    let mut writer = Writer { frame, pool, indices, inserted };
    writer.prologue()?;
    for point in &folded.script.points {
        writer.point(point)?;
    }
    for _ in 0..handlers {
        writer.handler()?;
    }
    Ok(writer.inserted)
}

/// Whether an exception that leaves the frame may have covered anything.
pub(super) fn needs_handlers(folded: &Folded) -> bool {
    let may_cover = |word: u16, covered: Option<u64>| covered != Some(0) || folded.is_thrown(word);
    folded.script.throws && (0..).zip(&folded.thrown).any(|(word, (covered, _))| may_cover(word, *covered))
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
        let mut out = Emitter::new(self.pool, self.indices, bytes);
        point.before.iter().for_each(|action| self.frame.action(action, &mut out));
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
    }

    fn action(&self, action: &Action, out: &mut Out<'_, '_>) {
        match action {
            Action::Step(step) => self.step(step, out),
            Action::At(_) => {}
            Action::Caught(touched) => touched.iter().for_each(|touched| self.caught(touched, out)),
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

    /// Adds to the method's bits what would be covered if the next instruction threw.
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

    /// Makes the changes in force and puts none in force.
    fn caught(&self, touched: &Touched, out: &mut Out<'_, '_>) {
        let word = touched.word;
        if touched.covered
            && let Some(covered) = self.locals.get(&Var::Covered(word))
        {
            self.covered(word, None, None, out);
            out.store(Kind::Long, *covered);
            self.idle(Var::Uses(word), out);
        }
        if touched.live
            && let Some(live) = self.locals.get(&Var::Live(word))
        {
            out.load(Kind::Long, *live);
            for (var, opcode) in [(Var::Keeps(word), Opcode::Land), (Var::Gens(word), Opcode::Lor)] {
                if let Some(local) = self.locals.get(&var) {
                    out.load(Kind::Long, *local).op(opcode);
                }
            }
            out.store(Kind::Long, *live);
            self.idle(Var::Keeps(word), out);
            self.idle(Var::Gens(word), out);
        }
    }

    fn idle(&self, var: Var, out: &mut Out<'_, '_>) {
        if let Some(local) = self.locals.get(&var) {
            out.long(var.idle()).store(Kind::Long, *local);
        }
    }

    /// Pushes the covered bits of a word with what the changes in force add.
    fn covered(&self, word: u16, covered: Option<u64>, live: Option<u64>, out: &mut Out<'_, '_>) {
        self.value(Var::Covered(word), covered, out);
        if let Some(uses) = self.locals.get(&Var::Uses(word)) {
            self.value(Var::Live(word), live, out);
            out.load(Kind::Long, *uses).op(Opcode::Land).op(Opcode::Lor);
        }
        if let Some(runs) = self.locals.get(&Var::Runs(word)) {
            out.load(Kind::Long, *runs).op(Opcode::Lor);
        }
    }

    /// Adds to the method's bits what is covered when an exception leaves the frame.
    fn thrown(&self, out: &mut Out<'_, '_>) {
        for (word, (covered, live)) in (0..).zip(&self.folded.thrown) {
            if *covered != Some(0) || self.folded.is_thrown(word) {
                out.int(self.slot(word));
                self.covered(word, *covered, *live, out);
                out.call(Call::Cover);
            }
        }
    }
}
