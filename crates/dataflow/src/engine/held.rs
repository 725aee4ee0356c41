//! The engine's part in what is recorded of whole objects: what containers hold, calls their classes may inherit, clones.
//!
//! Knows nothing of words. Invariant: what the program overrides is not taken for the container's.

use super::Engine;
use crate::decode::{At, Holding};
use crate::definitions;
use crate::registry::OpKind;
use crate::runtime::UNKNOWN;
use crate::state::State;
use crate::thread::Thread;
use crate::uses::{self, Read};
use dynaflow_memgraph::{Latest, Slot};
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sites::Access;

impl Engine {
    /// A call that accesses contents as the container that the object's class extends says.
    pub(super) fn inherited(&mut self, thread: &mut Thread, site: u32, object: ObjectId) {
        let state = &mut self.state;
        let op = state.registry.op(site);
        let tag = state.object(object).map_or(UNKNOWN, |node| state.graph.tag(node));
        let name = state.registry.inherited_name(op);
        let access = name.and_then(|name| state.runtime.inherited_access(tag, name));
        let at = At::Contents(object);
        match access {
            Some(Access::Read) => self.read(thread, site, at),
            Some(Access::Write) => self.write(thread, site, at, ObjectId::NULL),
            Some(Access::ReadWrite) => {
                self.read(thread, site, at);
                self.write(thread, site, at, ObjectId::NULL);
            }
            // What came in and went out, if the recorder reported it, is not the contents'.
            None => thread.overridden = Some(object),
        }
    }

    /// A call that could have changed contents did not: it reads them, unless it runs a method of the program.
    pub(super) fn unchanged(&mut self, thread: &mut Thread, site: u32, object: ObjectId) {
        let state = &mut self.state;
        let op = state.registry.op(site);
        let accesses = match op.kind {
            OpKind::Contents(_) => true,
            OpKind::Inherited => {
                let tag = state.object(object).map_or(UNKNOWN, |node| state.graph.tag(node));
                let name = state.registry.inherited_name(op);
                name.and_then(|name| state.runtime.inherited_access(tag, name)).is_some()
            }
            _ => false,
        };
        if accesses {
            self.read(thread, site, At::Contents(object));
        } else {
            thread.overridden = Some(object);
        }
    }

    /// A call accesses the contents of a container that it is given, unless it runs a method of the program.
    pub(super) fn argument(
        &mut self,
        thread: &mut Thread,
        site: u32,
        access: Access,
        [container, receiver]: [ObjectId; 2],
    ) {
        let State { registry, runtime, graph, given, .. } = &mut self.state;
        let node = graph.find(receiver.0).filter(|_| receiver.is_object());
        let tag = node.map_or(UNKNOWN, |node| graph.tag(node));
        let runs_jdk = *given.entry((tag, site)).or_insert_with(|| {
            let called = registry.called_with(registry.op(site), runtime.name(tag, registry));
            called.is_some_and(|(of_jdk, name)| of_jdk || runtime.inherits_access(tag, name))
        });
        if !runs_jdk {
            thread.overridden = Some(container);
            return;
        }
        thread.overridden = None;
        if access != Access::Read {
            return self.write(thread, site, At::Contents(container), ObjectId::NULL);
        }
        let Some(array) = self.state.object(container).filter(|node| self.state.viewed.contains_key(node))
        else {
            return self.read(thread, site, At::Contents(container));
        };
        let frame = thread.frame();
        for (index, _) in self.state.graph.element_writes(array, 0, u32::MAX) {
            let read = Read { site, frame, node: array, slot: Slot::element(index), one_variable: true };
            uses::read(&mut self.state, thread, read);
        }
    }

    /// Every location of an object is read and that of its copy written. What the class declares is copied whether it was ever
    /// written or not.
    pub(super) fn clone_object(
        &mut self,
        thread: &mut Thread,
        site: u32,
        original: ObjectId,
        copy: ObjectId,
    ) {
        let state = &mut self.state;
        let op = state.registry.op(site);
        if state.registry.clones_by_program(op) {
            return;
        }
        let (Some(from), Some(to)) = (state.object(original), state.object(copy)) else { return };
        let tag = state.graph.tag(from);
        state.runtime.lay_out(tag, &mut state.registry);
        let mut slots = state.runtime.layout(tag).to_vec();
        let written = state.graph.cells(from).map(|(slot, _)| slot);
        let more: Vec<Slot> =
            written.filter(|slot| !slots.contains(slot) && *slot != Slot::CONTENTS).collect();
        slots.extend(more);
        if state.runtime.is_container(tag) {
            slots.push(Slot::CONTENTS);
        }
        let frame = thread.frame();
        for (first, end, _) in self.state.graph.runs(from).collect::<Vec<_>>() {
            let moment = self.state.tick();
            definitions::write_run(&mut self.state, to, first, end, Latest { moment, site, frame });
        }
        for slot in slots {
            uses::read(&mut self.state, thread, Read { site, frame, node: from, slot, one_variable: false });
            let moment = self.state.tick();
            let target = self.state.graph.cell(from, slot).and_then(|cell| cell.target);
            definitions::write(&mut self.state, to, slot, Latest { moment, site, frame }, target);
        }
        self.state.graph.copy_held(from, to);
        self.state.barrier = self.state.clock;
    }

    /// What a container holds changes. An edge may have come that is older than other writes, so no write may be dropped
    /// for being like the one before.
    pub(super) fn hold(&mut self, thread: &Thread, how: Holding, container: ObjectId, element: ObjectId) {
        if thread.overridden == Some(container) {
            return;
        }
        let state = &mut self.state;
        let Some(holder) = state.object(container) else { return };
        if !state.runtime.is_container(state.graph.tag(holder)) {
            return;
        }
        state.barrier = state.clock;
        match (how, state.object(element)) {
            (Holding::Nothing, _) => state.graph.release_all(holder),
            (Holding::OnceMore, Some(element)) => state.graph.hold(holder, element),
            (Holding::AtLeastOnce, Some(element)) => state.graph.ensure_held(holder, element),
            (Holding::OnceLess, Some(element)) => state.graph.release(holder, element),
            (_, None) => {}
        }
        if let Some(blocks) = &mut state.blocks {
            blocks.holds_more(holder);
        }
    }
}
