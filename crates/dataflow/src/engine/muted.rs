//! The engine's part in invocations that the recorder leaves out: what it records of them all the same.
//!
//! Nothing is known of the frames in such an invocation. So what is read in it counts for nobody, and what is written is unknown from then on.
//!
//! Knows nothing of which invocations are left out. Invariant: while a thread is muted its frames stay as they are, and no fact is recorded of it.

use super::Engine;
use crate::decode::{Event, Hand, StoredPlace};
use crate::registry::OpKind;
use crate::thread::Thread;
use dynaflow_memgraph::Node;
use dynaflow_model::ids::ObjectId;

impl Engine {
    /// An event of a thread in an invocation that is left out.
    #[inline(never)]
    pub(super) fn muted(&mut self, thread: &mut Thread, event: Event, site: u32, words: &[u64]) {
        match event {
            Event::MutedThis(ObjectId::NULL) => self.lose(thread),
            Event::MutedThis(object) => thread.muted_this = Some(object),
            Event::Unmuted(lost) => {
                self.mute(thread, false);
                if lost {
                    self.lose_frames(thread);
                }
            }
            Event::Hand(Hand { object, place: StoredPlace::Contents, .. }) => {
                if let Some(node) = self.state.whole(object) {
                    self.blur(thread, node);
                }
                self.happens(thread, &event, site, words);
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

    /// So many invocations were left out that begin at a site, or so many accesses at one.
    pub(super) fn left_out(&mut self, site: u32, count: u64) {
        let registry = &self.state.registry;
        let bundle = registry.bundle(site);
        let kind = registry.op(bundle.map_or(site, |bundle| bundle.first)).kind;
        let blurs = bundle.map_or_else(|| registry.op(site).blurs, |bundle| bundle.blurs);
        if blurs || kind.only_reads() || matches!(kind, OpKind::Enter(_)) {
            self.state.thinning.left_out(site, count);
        } else {
            self.state.trouble.garbage += 1;
        }
    }

    /// An invocation of a thread is left out from here on, or it is over.
    pub(super) fn mute(&mut self, thread: &mut Thread, is_muted: bool) {
        thread.is_muted = is_muted;
        if is_muted {
            thread.restoring_before = thread.restoring.len();
        } else {
            self.unblur(thread);
            // What began since is over, though it may not have been recorded.
            thread.restoring.truncate(thread.restoring_before);
        }
        thread.muted_this = None;
        self.state.is_muted = is_muted;
    }

    /// The stack of a thread that is muted overflowed: it may be in any of its frames from here on.
    fn lose(&mut self, thread: &mut Thread) {
        self.settle(thread);
        let receivers: Vec<Node> = thread.stack.iter().filter_map(|active| active.receiver).collect();
        for node in receivers {
            self.blur(thread, node);
            self.write_anything(node);
        }
    }

    /// The thread may write any field of an object at any time from here on, without a word.
    fn blur(&mut self, thread: &mut Thread, node: Node) {
        if thread.blurs.insert(node) {
            *self.state.blurred.entry(node).or_default() += 1;
        }
    }

    /// Any location of an object was written, perhaps one of which no write is known.
    fn write_anything(&mut self, node: Node) {
        self.write_some_field(node);
        let moment = self.state.tick();
        self.state.graph.rewrite_unwritten(node, moment);
    }

    fn unblur(&mut self, thread: &mut Thread) {
        for node in std::mem::take(&mut thread.blurs) {
            self.write_anything(node);
            if let Some(count) = self.state.blurred.get_mut(&node).filter(|count| **count > 1) {
                *count -= 1;
            } else {
                self.state.blurred.remove(&node);
            }
        }
    }

    /// Nobody knows which frames of a thread are still active: all of them are taken for over.
    fn lose_frames(&mut self, thread: &mut Thread) {
        while let Some(active) = thread.pop() {
            self.state.trouble.unended += 1;
            self.retire(thread, &active);
        }
    }
}
