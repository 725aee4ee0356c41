//! The engine's part in writes that the recorder leaves out: what a thread may write without a word until a frame of it ends.
//!
//! Such a location has an unknown write, whatever else is written there, and is not read: nobody knows what its last write is. Before it is looked at
//! what reaches an exit, and when the frame ends, it is written once more by nobody known, after all that was left out.
//!
//! Knows nothing of which writes are left out. Invariant: no fact is recorded of a location while it is blurred, and no write that was made
//! before reaches anything afterwards.

use super::Engine;
use crate::decode::{Event, bundled};
use crate::definitions;
use crate::state::place;
use crate::thread::Thread;

impl Engine {
    /// What an event writes, which was understood just now, its thread may write at any time until its innermost frame ends.
    #[cold]
    pub(super) fn blur_what_is_written(
        &mut self,
        thread: &mut Thread,
        (event, site): (Event, u32),
        words: &[u64],
    ) {
        thread.blurs_next = false;
        match self.state.registry.bundle(site) {
            Some(bundle) => (0..bundle.len()).for_each(|at| {
                let (event, site) = bundled(bundle, at, words, &self.state.registry);
                self.blur_if_written(thread, event, site);
            }),
            None => self.blur_if_written(thread, event, site),
        }
    }

    fn blur_if_written(&mut self, thread: &mut Thread, event: Event, site: u32) {
        let Event::Write(at, _) = event else { return };
        let method = self.state.registry.op_at(site).method;
        if let Some((node, slot)) = self.locate(thread, site, method, at)
            && thread.blurred.add(thread.stack.len(), place(node, slot))
        {
            *self.state.blurred_places.entry(place(node, slot)).or_default() += 1;
            definitions::write_blurred(&mut self.state, place(node, slot));
        }
    }

    /// A frame was taken off: what its thread might write until then it writes no more.
    #[cold]
    pub(super) fn end_blurs(&mut self, thread: &mut Thread) {
        while let Some(place) = thread.blurred.take(thread.stack.len()) {
            if let Some(count) = self.state.blurred_places.get_mut(&place).filter(|count| **count > 1) {
                *count -= 1;
            } else {
                self.state.blurred_places.remove(&place);
            }
            definitions::write_blurred(&mut self.state, place);
        }
    }
}
