//! Calls that read objects from a stream: what the JDK put where, unless the program wrote there since.
//!
//! Knows nothing of streams. Invariant: a location that the program wrote during the call keeps that write, which is the later
//! one: the JDK fills the fields of a class before any method of the class can run on the object. Objects that a constructor of
//! their class made are not the stream's.

use super::Engine;
use crate::decode::{Range, Stored, StoredPlace};
use crate::definitions;
use crate::frames::FrameIndex;
use crate::registry::{ClassIndex, OpKind};
use crate::state::State;
use crate::thread::{ANY_CLASS, Restoring, Thread};
use dynaflow_memgraph::{Latest, Slot};
use dynaflow_model::words::FIRST_SITE;

impl Engine {
    /// Calls that the same frame or one above it began before have thrown.
    fn forget_thrown(thread: &mut Thread) {
        let depth = thread.stack.len();
        thread.restoring.retain(|call| call.depth < depth);
    }

    pub(super) fn restoring(&mut self, thread: &mut Thread) {
        Self::forget_thrown(thread);
        let (depth, begin) = (thread.stack.len(), self.state.tick());
        // What is written from now on is later than the call's begin, even if it is written as before.
        self.state.barrier = begin;
        thread.restoring.push(Restoring::new(depth, begin));
    }

    pub(super) fn restored(&mut self, thread: &mut Thread, is_known: bool) {
        let full = Self::open_call(thread).is_some_and(|(call, _)| call.is_full());
        if !is_known || full {
            self.state.trouble.restored_in_part += 1;
        }
        Self::forget_thrown(thread);
    }

    /// The call that is reported, which may have made methods of the program run that have not returned, and the frame it is in.
    fn open_call(thread: &Thread) -> Option<(&Restoring, FrameIndex)> {
        let active = thread.stack.len();
        let call = thread.restoring.iter().rev().find(|call| call.depth <= active)?;
        let caller = call.depth.checked_sub(1).and_then(|caller| thread.stack.get(caller));
        Some((call, caller.map_or_else(|| thread.frame(), |caller| caller.frame)))
    }

    /// A call put a value somewhere: a stream's, or one of a list that shows an array. Without a site (0) the value was there when the
    /// object was first seen.
    pub(super) fn store(&mut self, thread: &Thread, stored: Stored) {
        let state = &mut self.state;
        let Some(node) = state.object(stored.object) else { return };
        let (slot, class) = match stored.place {
            StoredPlace::Element(index) => (Slot::element(index), None),
            StoredPlace::Contents if state.runtime.is_container(state.graph.tag(node)) => {
                (Slot::CONTENTS, Some(ANY_CLASS))
            }
            StoredPlace::Contents => return,
            StoredPlace::Field(text) => {
                match self.texts.get(&text).map(|name| state.named_slot(text, name, false)) {
                    Some(Some((slot, class))) => (slot, Some(class)),
                    _ => return,
                }
            }
        };
        let target = state.object(stored.value);
        if stored.site < FIRST_SITE {
            state.graph.write(node, slot, Latest::default(), target);
            state.barrier = state.clock;
            if let Some(blocks) = state.blocks.as_mut().filter(|_| target.is_some()) {
                blocks.holds_more(node);
            }
            return;
        }
        let written = state.graph.latest(node, slot);
        let by_stream = state.registry.op(stored.site).kind == OpKind::Restore;
        let open = Self::open_call(thread).filter(|_| by_stream);
        if let Some((call, _)) = open
            && (written.moment >= call.begin
                || class.is_some_and(|class| call.was_constructed(stored.object, class)))
        {
            if written.is_unknown() && state.graph.cell(node, slot).is_none() {
                // Whether the program wrote it or the stream does now is forgotten, and so is what it refers to.
                state.tick();
                definitions::write_unknown(state, node, slot, None);
            }
            return;
        }
        let frame = open.map_or_else(|| thread.frame(), |(_, frame)| frame);
        let write = Latest { moment: state.tick(), site: stored.site, frame };
        state.wrote(node, slot);
        definitions::write(state, node, slot, write, target);
    }

    /// Whether elements are written by a call that reads from a stream.
    pub(super) fn is_restored(&self, range: Range) -> bool {
        self.state.registry.op(range.site).kind == OpKind::Restore
    }

    /// A stream filled an array of primitives.
    pub(super) fn restore_range(&mut self, thread: &Thread, range: Range) {
        let Range { array, site, from, to } = range;
        let state = &mut self.state;
        let Some(node) = state.object(array) else { return };
        let (begin, frame) = Self::open_call(thread)
            .map_or_else(|| (u64::MAX, thread.frame()), |(call, frame)| (call.begin, frame));
        // What was forgotten during the call may have been written during it.
        let forgotten = state.graph.unwritten(node).moment;
        let runs = state.graph.element_writes(node, from, to);
        let ends = runs.iter().skip(1).map(|(next, _)| *next).chain([to]).collect::<Vec<_>>();
        for ((first, before), end) in runs.into_iter().zip(ends) {
            let moment = state.tick();
            if before.moment.max(forgotten) < begin {
                definitions::write_run(state, node, first, end, Latest { moment, site, frame });
            } else if before.moment == 0 {
                definitions::write_run(state, node, first, end, Latest::unknown(moment));
                state.barrier = moment;
            }
        }
    }
}

impl State {
    /// The location a field's name means, by the number of the name. A name is one of instance fields or of static ones.
    pub(super) fn named_slot(
        &mut self,
        text: u32,
        name: &str,
        is_static: bool,
    ) -> Option<(Slot, ClassIndex)> {
        let key = (text, is_static);
        match self.stored.get(&key) {
            Some(known) => *known,
            None => {
                let slot = self.registry.declared_slot(name, is_static);
                self.stored.insert(key, slot);
                slot
            }
        }
    }
}
