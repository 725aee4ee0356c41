//! One method decoded: its code, its instructions, and which of them are jumped to from behind. It knows nothing of data flow or of sites.
//!
//! Invariant: every branch target, handler and range border is the start of an instruction (or the end of the code).

use dynaflow_classfile::insn::Instructions;
use dynaflow_classfile::{ClassFile, Code, Error, Insn, Member, Opcode, Operand};
use std::borrow::Cow;

/// Marks an offset at which no instruction starts.
const NO_INSN: u32 = u32::MAX;

/// The decoded code of one method.
#[derive(Clone, Debug)]
pub struct Body<'a> {
    /// The `Code` attribute.
    pub code: Code<'a>,
    /// Its instructions in order.
    pub insns: Vec<Insn>,
    /// By offset: the index of the instruction that starts there or [`NO_INSN`]; one more entry for the end of the code.
    index_of: Vec<u32>,
    /// Indices of the instructions that a later (or the same) instruction jumps to.
    pub loop_heads: Vec<u32>,
}

impl<'a> Body<'a> {
    /// Decodes the code of a method of a class; none when it has no code.
    ///
    /// # Errors
    /// As [`Self::new`], and when the `Code` attribute cannot be read.
    pub fn of_method(class: &ClassFile<'a>, method: &Member<'a>) -> Result<Option<Self>, Error> {
        code_of(class, method)?.map(|(_, code)| Self::new(code)).transpose()
    }

    /// Decodes the instructions and checks that every offset the code refers to is one. Linear.
    ///
    /// # Errors
    /// When an instruction is none, or a branch or a handler refers to an offset at which no instruction starts.
    pub fn new(code: Code<'a>) -> Result<Self, Error> {
        let mut insns = Vec::with_capacity(code.bytes.len() / 2 + 1);
        let mut index_of = vec![NO_INSN; code.bytes.len() + 1];
        for insn in Instructions::new(code.bytes, code.offset) {
            let insn = insn?;
            if let Some(slot) = index_of.get_mut(insn.pc as usize) {
                *slot = insns.len() as u32;
            }
            insns.push(insn);
        }
        if let Some(slot) = index_of.last_mut() {
            *slot = insns.len() as u32;
        }
        let mut body = Self { code, insns, index_of, loop_heads: Vec::new() };
        body.check_branches()?;
        body.check_handlers()?;
        Ok(body)
    }

    fn fail(&self, pc: u32, what: &'static str) -> Error {
        Error::new(self.code.offset + pc as usize, what)
    }

    fn check_branches(&mut self) -> Result<(), Error> {
        let mut heads = Vec::new();
        for insn in &self.insns {
            let mut fine = true;
            each_target(insn, self.code.bytes, |target| match self.insn_at(target) {
                Some(index) if target <= insn.pc => heads.push(index as u32),
                Some(_) => {}
                None => fine = false,
            });
            if !fine {
                return Err(self.fail(insn.pc, "a branch goes into the middle of an instruction"));
            }
        }
        self.loop_heads = heads;
        Ok(())
    }

    fn check_handlers(&self) -> Result<(), Error> {
        for entry in &self.code.exceptions {
            let known = self.insn_at(u32::from(entry.start)).is_some()
                && self.insn_at(u32::from(entry.handler)).is_some()
                && self.index(u32::from(entry.end)).is_some();
            if !known || entry.start >= entry.end {
                return Err(self.fail(u32::from(entry.start), "an exception handler covers no instructions"));
            }
        }
        Ok(())
    }

    /// Index of the instruction at an offset, the number of instructions for the end of the code.
    pub fn index(&self, pc: u32) -> Option<usize> {
        self.index_of.get(pc as usize).filter(|index| **index != NO_INSN).map(|index| *index as usize)
    }

    /// Index of the instruction at an offset.
    pub fn insn_at(&self, pc: u32) -> Option<usize> {
        self.index(pc).filter(|index| *index < self.insns.len())
    }

    /// Calls `visit` with every offset an instruction may jump to, the default of a switch first.
    pub fn each_target(&self, insn: &Insn, visit: impl FnMut(u32)) {
        each_target(insn, self.code.bytes, visit);
    }
}

/// The `Code` attribute of a method, with its index among the attributes.
pub fn code_of<'a>(class: &ClassFile<'a>, method: &Member<'a>) -> Result<Option<(usize, Code<'a>)>, Error> {
    let position = method.attributes.iter().position(|attribute| class.is_named(attribute, "Code"));
    let found = position.and_then(|position| Some((position, method.attributes.get(position)?)));
    match found {
        Some((position, attribute)) => match attribute.data {
            Cow::Borrowed(data) => Code::parse(data, attribute.offset).map(|code| Some((position, code))),
            Cow::Owned(_) => Ok(None),
        },
        None => Ok(None),
    }
}

/// Whether a method is an empty `finalize()`, which must stay empty: the JVM registers the objects of a class for finalization as soon as the
/// method does something.
pub fn is_empty_finalizer(class: &ClassFile<'_>, method: &Member<'_>, code: &Code<'_>) -> bool {
    let is = |index, text: &str| class.pool.utf8(index).is_ok_and(|name| name.0 == text.as_bytes());
    code.bytes == [Opcode::Return.byte()] && is(method.name, "finalize") && is(method.descriptor, "()V")
}

/// Whether a method must invoke another constructor; that of `java.lang.Object` need not.
pub fn is_constructor(class: &ClassFile<'_>, method: &Member<'_>) -> bool {
    class.super_class.is_some() && class.pool.utf8(method.name).is_ok_and(|name| name.0 == b"<init>")
}

/// Calls `visit` with every offset an instruction may jump to, the default of a switch first.
fn each_target(insn: &Insn, code: &[u8], mut visit: impl FnMut(u32)) {
    if let Operand::Target(target) = insn.operand {
        visit(target);
    } else if let Some(switch) = insn.switch(code) {
        visit(switch.default);
        switch.cases().for_each(|(_, target)| visit(target));
    }
}
