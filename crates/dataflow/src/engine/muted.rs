//! The engine's part in invocations that the recorder leaves out: what it records of them all the same.
//!
//! Nothing is known of the frames in such an invocation. So what is read in it counts for nobody, and what is written is unknown from then on.
//!
//! Knows nothing of which invocations are left out. Invariant: while a thread is muted its frames stay as they are, and no fact is recorded of it.

use super::Engine;
use crate::decode::Event;
use crate::thread::Thread;

impl Engine {
    /// An event of a thread in an invocation that is left out.
    #[inline(never)]
    pub(super) fn muted(&mut self, thread: &mut Thread, event: Event, site: u32, words: &[u64]) {
        match event {
            Event::MutedThis(object) => thread.muted_this = Some(object),
            Event::Unmuted(lost) => {
                self.mute(thread, false);
                if lost {
                    self.lose_frames(thread);
                }
            }
            // What happens in frames, and what only reads.
            Event::Enter(..)
            | Event::Exit(_)
            | Event::SuperCall
            | Event::Bind(_)
            | Event::Overflowed(..)
            | Event::Block
            | Event::Read(_)
            | Event::ReadRange(_)
            | Event::Unchanged(..) => {}
            _ => self.happens(thread, &event, site, words),
        }
    }

    /// An invocation of a thread is left out from here on, or it is over.
    pub(super) fn mute(&mut self, thread: &mut Thread, is_muted: bool) {
        thread.is_muted = is_muted;
        thread.muted_this = None;
        self.state.is_muted = is_muted;
    }

    /// Nobody knows which frames of a thread are still active: all of them are taken for over.
    fn lose_frames(&mut self, thread: &mut Thread) {
        while let Some(active) = thread.pop() {
            self.state.trouble.unended += 1;
            self.retire(thread, &active);
        }
    }
}
