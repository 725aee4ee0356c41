//! Accesses by other hands than an instruction of the program: reflection, method handles, updaters, `Unsafe`, JNI.
//!
//! Knows nothing of how they are noticed. Invariant: such an access counts as one at the call in the innermost frame of the
//! program. Where there is no such frame, a write kills what was there and makes no definition, and a read does not count.

use super::Engine;
use crate::decode::{Hand, Range, StoredPlace};
use crate::definitions;
use crate::runtime::UNKNOWN;
use crate::state::State;
use crate::thread::Thread;
use crate::uses::{self, Read};
use dynaflow_memgraph::{Latest, Node, Slot};
use dynaflow_model::ids::ObjectId;
use dynaflow_model::words::FIRST_SITE;

impl Engine {
    /// Other hands accessed a location.
    pub(super) fn hand(&mut self, thread: &mut Thread, hand: Hand) {
        if hand.place == StoredPlace::Contents {
            return if hand.written.is_some() {
                self.write_somewhere(hand.object)
            };
        }
        let Some((node, slot)) = self.handled(hand) else { return };
        match hand.written {
            Some(value) => self.write_by_hand(thread, hand.site, (node, slot), value),
            None if hand.site >= FIRST_SITE => {
                let (site, frame) = (hand.site, thread.frame());
                // One call may look at many fields.
                let read = Read { site, frame, node, slot, one_variable: false };
                uses::read(&mut self.state, thread, read);
            }
            None => {}
        }
    }

    /// The value a location has is known, but not who wrote it, when no frame of the program is active.
    fn write_by_hand(&mut self, thread: &Thread, site: u32, (node, slot): (Node, Slot), value: ObjectId) {
        let state = &mut self.state;
        let moment = state.tick();
        let target = state.object(value);
        state.wrote(node, slot);
        if site < FIRST_SITE {
            definitions::write_unknown(state, node, slot, target);
            state.bounds.unknown += 1;
        } else {
            definitions::write(state, node, slot, Latest { moment, site, frame: thread.frame() }, target);
        }
    }

    /// Nobody knows which field of an object, or of a class if the object is one, was written: any of them may have been, and may refer
    /// to anything now.
    fn write_somewhere(&mut self, object: ObjectId) {
        if let Some(node) = self.state.whole(object) {
            self.write_some_field(node);
        }
    }

    pub(super) fn write_some_field(&mut self, node: Node) {
        let state = &mut self.state;
        let tag = state.graph.tag(node);
        state.runtime.lay_out(tag, &mut state.registry);
        let written = state.graph.fields(node).map(|(slot, _)| slot).filter(|slot| *slot != Slot::CONTENTS);
        let mut slots: Vec<Slot> = written.collect();
        let declared = state.runtime.layout(tag).iter().copied();
        slots.extend(declared.filter(|slot| state.graph.cell(node, *slot).is_none()));
        for slot in slots {
            state.tick();
            definitions::write_unknown(state, node, slot, None);
        }
        // Fields that no class declares may have been forgotten.
        let moment = state.tick();
        if state.graph.rewrite_forgotten(node, moment)
            && let Some(blocks) = &mut state.blocks
        {
            blocks.holds_more(node);
        }
        state.bounds.unknown += 1;
    }

    /// Other hands wrote neighbouring elements of an array of primitives below no frame of the program.
    pub(super) fn write_range_unknown(&mut self, range: Range) {
        let Range { array, from, to, .. } = range;
        let state = &mut self.state;
        let moment = state.tick();
        if let Some(node) = state.object(array) {
            state.wrote(node, Slot::element(from));
            definitions::write_run(state, node, from, to, Latest::unknown(moment));
            state.barrier = moment;
            state.bounds.unknown += 1;
        }
    }

    /// The node and location; none when it is no location of the program.
    fn handled(&mut self, hand: Hand) -> Option<(Node, Slot)> {
        let state = &mut self.state;
        match hand.place {
            StoredPlace::Element(index) => Some((state.object(hand.object)?, Slot::element(index))),
            StoredPlace::Contents => None,
            StoredPlace::Field(text) => {
                let is_static = hand.object == ObjectId::NULL;
                let (slot, class) = state.named_slot(text, self.texts.get(&text)?, is_static)?;
                let node = if is_static { state.class_node(class) } else { state.object(hand.object)? };
                Some((node, slot))
            }
        }
    }
}

impl State {
    /// The node that has an object's fields: of a class object the one of its static fields.
    pub(super) fn whole(&mut self, object: ObjectId) -> Option<Node> {
        let of_class = self.runtime.tag_of(object);
        if of_class == UNKNOWN {
            return self.object(object);
        }
        let name = self.runtime.name(of_class, &self.registry)?;
        let class = self.registry.class_named(name)?;
        Some(self.class_node(class))
    }
}
