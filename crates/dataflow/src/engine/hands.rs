//! Accesses by other hands than an instruction of the program: reflection, method handles, updaters, `Unsafe`, JNI.
//!
//! Knows nothing of how they are noticed. Invariant: such an access is one at the call in the innermost frame of the program;
//! where there is no such frame, a write kills what was there and makes no definition, and a read is none.

use super::Engine;
use crate::decode::{Hand, StoredPlace};
use crate::definitions;
use crate::thread::Thread;
use crate::uses::{self, Read};
use dynaflow_memgraph::{Latest, Node, Slot};
use dynaflow_model::ids::ObjectId;
use dynaflow_model::wire::FIRST_SITE;

impl Engine {
    /// Other hands accessed a location.
    pub(super) fn hand(&mut self, thread: &mut Thread, hand: Hand) {
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

    /// The value a location has is known, but below no frame of the program nobody knows who wrote it.
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
