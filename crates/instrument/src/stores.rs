//! Which stores the locals of an instruction come from, for class files without frames.
//!
//! Their verifier infers types. Where paths join it merges the types of each local, and to merge two classes it loads them.
//! One handler around a whole method would make it merge what never met before, and a class that is not there would then
//! keep the woven class from linking. So instructions are sorted into groups that may share a handler. It knows stores and
//! jumps, not types. Invariant: two references met in one local within a group are the same store's, or were merged before.

use dynaflow_bytecode::Body;
use dynaflow_classfile::Opcode;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Where the value of a local comes from.
type Source = u64;
/// Nowhere, or it is no reference: merging it with anything loads nothing.
const UNUSABLE: Source = 0;
/// The caller.
const PARAMETER: Source = 1;
/// The store of the instruction with this index.
const STORE: Source = 2;
/// Several, merged at the instruction with this index.
const MERGED: Source = 1 << 32;

/// Beyond this product of locals, instructions and handlers nothing is tracked; only hostile code gets there.
const MAX_WORK: usize = 20_000_000;

/// Splits the instructions of one handler into groups that may share a handler in a class without frames.
pub(crate) fn split(body: &Body<'_>, parameters: u16, covered: Vec<Range<usize>>) -> Vec<Vec<Range<usize>>> {
    let slots = contested(body, parameters);
    let work = slots.len().saturating_mul(body.insns.len()).saturating_mul(body.code.exceptions.len() + 1);
    if work == 0 || work > MAX_WORK {
        return vec![covered];
    }
    let states = Sources::of(body, parameters, &slots);
    let mut groups: Vec<Group> = Vec::new();
    for index in covered.into_iter().flatten() {
        // What is not reached is not verified and goes with anything.
        let state = states.get(index).and_then(Option::as_deref).unwrap_or_default();
        match groups.iter_mut().find(|group| group.takes(state)) {
            Some(group) => group.add(index, state),
            None => {
                let mut group = Group::new(index, slots.len());
                group.add(index, state);
                groups.push(group);
            }
        }
    }
    groups.into_iter().map(|group| group.covered).collect()
}

/// The locals that references from more than one place may be in.
fn contested(body: &Body<'_>, parameters: u16) -> Vec<u16> {
    let mut sources: BTreeMap<u16, usize> = (0..parameters).map(|slot| (slot, 1)).collect();
    for slot in
        body.insns.iter().filter(|insn| is_reference_store(insn.opcode)).filter_map(|insn| insn.local())
    {
        *sources.entry(slot).or_default() += 1;
    }
    sources.into_iter().filter(|(_, count)| *count > 1).map(|(slot, _)| slot).collect()
}

fn is_reference_store(opcode: Opcode) -> bool {
    opcode.is_store() && opcode.info().mnemonic.starts_with("astore")
}

/// Instructions under one handler.
struct Group {
    covered: Vec<Range<usize>>,
    /// By contested local: the one source of references in it so far.
    held: Vec<Source>,
    /// By contested local: whether it is unusable at the start of the method, which the verifier sees before all else.
    free: Vec<bool>,
}

impl Group {
    fn new(first: usize, slots: usize) -> Self {
        Self { covered: Vec::new(), held: vec![UNUSABLE; slots], free: vec![first == 0; slots] }
    }

    fn takes(&self, state: &[Source]) -> bool {
        let held = self.held.iter().zip(&self.free).zip(state);
        held.into_iter()
            .all(|((held, free), new)| *free || *held == *new || *held == UNUSABLE || *new == UNUSABLE)
    }

    fn add(&mut self, index: usize, state: &[Source]) {
        match self.covered.last_mut() {
            Some(run) if run.end == index => run.end += 1,
            _ => self.covered.push(index..index + 1),
        }
        for ((held, free), new) in self.held.iter_mut().zip(&mut self.free).zip(state) {
            *free &= index > 0 || *new == UNUSABLE;
            if *held == UNUSABLE {
                *held = *new;
            }
        }
    }
}

/// The analysis: by instruction, where its contested locals come from before it runs.
struct Sources<'b, 'a> {
    body: &'b Body<'a>,
    slots: &'b [u16],
    states: Vec<Option<Vec<Source>>>,
    open: BTreeSet<usize>,
}

impl<'b, 'a> Sources<'b, 'a> {
    fn of(body: &'b Body<'a>, parameters: u16, slots: &'b [u16]) -> Vec<Option<Vec<Source>>> {
        let entry = slots.iter().map(|slot| if *slot < parameters { PARAMETER } else { UNUSABLE }).collect();
        let mut sources = Self { body, slots, states: vec![None; body.insns.len()], open: BTreeSet::new() };
        sources.reach(0, entry);
        while let Some(index) = sources.open.pop_first() {
            sources.step(index);
        }
        sources.states
    }

    fn reach(&mut self, index: usize, state: Vec<Source>) {
        let Some(slot) = self.states.get_mut(index) else { return };
        let Some(known) = slot else {
            *slot = Some(state);
            self.open.insert(index);
            return;
        };
        for (old, new) in known.iter_mut().zip(state) {
            let merged = if *old == UNUSABLE || new == UNUSABLE { UNUSABLE } else { MERGED + index as u64 };
            if *old != new && *old != merged {
                *old = merged;
                self.open.insert(index);
            }
        }
    }

    fn step(&mut self, index: usize) {
        let (Some(insn), Some(Some(before))) = (self.body.insns.get(index), self.states.get(index)) else {
            return;
        };
        let (insn, before) = (*insn, before.clone());
        for entry in &self.body.code.exceptions {
            if entry.covers(insn.pc)
                && let Some(handler) = self.body.insn_at(u32::from(entry.handler))
            {
                self.reach(handler, before.clone());
            }
        }
        let after = self.stored(index, before);
        let mut targets = Vec::new();
        self.body.each_target(&insn, |target| targets.extend(self.body.insn_at(target)));
        targets.into_iter().for_each(|target| self.reach(target, after.clone()));
        if matches!(insn.opcode, Opcode::Jsr | Opcode::JsrW) {
            // What a subroutine leaves is taken for something nobody else has.
            self.reach(index + 1, vec![MERGED + index as u64 + 1; self.slots.len()]);
        } else if !insn.opcode.ends_block() {
            self.reach(index + 1, after);
        }
    }

    /// The state after an instruction.
    fn stored(&self, index: usize, mut state: Vec<Source>) -> Vec<Source> {
        let Some(insn) = self.body.insns.get(index).filter(|insn| insn.opcode.is_store()) else {
            return state;
        };
        let Some(local) = insn.local() else { return state };
        let source = if is_reference_store(insn.opcode) { STORE + index as u64 } else { UNUSABLE };
        let stored = local..local.saturating_add(u16::from(insn.opcode.info().pops));
        for (slot, value) in self.slots.iter().zip(&mut state) {
            if stored.contains(slot) {
                *value = source;
            }
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_classfile::Code;

    /// The groups, each as the borders of its runs.
    fn groups(bytes: &[u8], parameters: u16) -> Vec<Vec<(usize, usize)>> {
        let (exceptions, attributes) = (Vec::new(), Vec::new());
        let code = Code { max_stack: 2, max_locals: 4, bytes, offset: 0, exceptions, attributes };
        let body = Body::new(code).unwrap();
        let all = std::iter::once(0..body.insns.len()).collect();
        let borders = |group: Vec<Range<usize>>| group.iter().map(|run| (run.start, run.end)).collect();
        split(&body, parameters, all).into_iter().map(borders).collect()
    }

    #[test]
    fn a_parameter_that_is_overwritten_divides_the_method() {
        // aload_1 astore_0 return: local 0 is one thing before the return, another at it.
        assert_eq!(groups(&[0x2B, 0x4B, 0xB1], 2), [[(0, 2)], [(2, 3)]]);
    }

    #[test]
    fn a_local_that_is_unusable_at_the_start_is_so_under_the_handler_whatever_it_holds_later() {
        // aload_0 astore_1 aload_0 astore_1 return
        assert_eq!(groups(&[0x2A, 0x4C, 0x2A, 0x4C, 0xB1], 1), [[(0, 5)]]);
    }

    #[test]
    fn what_the_method_merges_itself_is_one_thing_and_the_ways_there_are_others() {
        // aload_1 ifnull 7; aload_1 astore_0 nop | 7: aload_0 pop return
        let code = [0x2B, 0xC6, 0, 6, 0x2B, 0x4B, 0x00, 0x2A, 0x57, 0xB1];
        assert_eq!(groups(&code, 2), [[(0, 4)], [(4, 5)], [(5, 8)]]);
    }
}
