//! What reads showed a moment ago, so that repeating one costs a comparison.
//!
//! What a read shows depends on its site and frame, on the paths to its node, on the site and frame of the write its
//! location holds, and on how the moments of the writes lie to each other and to the entries of the roots' frames.
//! Knows nothing of facts. Invariant: `shows_nothing_new` is true only if every fact of the read was recorded for the same
//! bucket before.

use crate::recent::slot_of;

/// No depth.
const NONE: u32 = u32::MAX;

/// Within which moments a read shows the same again.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The location's write is later than this and earlier than `before`: the edges of the paths.
    after: u64,
    before: u64,
    /// The deepest root frame that began before the location's write, among the roots the write reaches. Should a frame
    /// that began after it begin before the next one, the read only ceases to be a use at entry.
    begun: u32,
    /// The deepest root frame that began before an edge's write that reaches it, and when it began.
    edge: u32,
    edge_start: u64,
}

impl Window {
    /// Shows the same at every moment.
    pub const OPEN: Self = Self { after: 0, before: u64::MAX, begun: NONE, edge: NONE, edge_start: 0 };

    /// Narrows the window by a path to a root whose frame at `depth` began at `start`.
    pub fn narrow(&mut self, own: u64, edges: u64, depth: u32, start: u64) {
        if own > edges {
            self.after = self.after.max(edges);
            if start <= own {
                self.begun = if self.begun == NONE { depth } else { self.begun.max(depth) };
            }
            return;
        }
        self.before = self.before.min(edges);
        if edges > 0 && start <= edges && (self.edge == NONE || self.edge < depth) {
            self.edge = depth;
            self.edge_start = start;
        }
    }

    fn holds(&self, own: u64, starts: &[u64]) -> bool {
        let start = |depth: u32| starts.get(depth as usize).copied().unwrap_or(u64::MAX);
        (own == 0 || (own > self.after && own < self.before))
            && (self.begun == NONE || start(self.begun) <= own)
            && (self.edge == NONE || start(self.edge) == self.edge_start)
    }
}

/// Site, frame, node, thread, bucket, era, and site and frame of the location's write.
pub type Key = [u32; 8];

#[derive(Clone, Copy, Debug)]
struct Remembered {
    key: Key,
    /// Names the path set.
    stamp: u64,
    /// The graph's epoch when the path set was last known to hold.
    epoch: u64,
    window: Window,
}

// Small on purpose: a table that leaves the processor's cache costs more than the searches it saves.
const SLOTS: usize = 1 << 10;

/// The reads seen last.
#[derive(Debug)]
pub struct Memo {
    reads: Box<[Remembered]>,
}

impl Default for Memo {
    fn default() -> Self {
        let nothing = Remembered { key: [0; 8], stamp: 0, epoch: u64::MAX, window: Window::OPEN };
        Self { reads: vec![nothing; SLOTS].into_boxed_slice() }
    }
}

/// Where a read is remembered: elements of one array share a place, as do fields of one object at one site.
fn place(key: &Key) -> usize {
    slot_of(&key[..3], SLOTS.trailing_zeros())
}

impl Memo {
    /// Whether a read shows what the read remembered in its place showed, and no edge changed since.
    #[inline]
    pub fn repeats(&self, key: &Key, epoch: u64, own: u64, starts: &[u64]) -> bool {
        let known = self.reads.get(place(key)).filter(|known| known.epoch == epoch && known.key == *key);
        known.is_some_and(|known| known.window.holds(own, starts))
    }

    /// Whether a read shows what the read remembered in its place showed. The path set holds as of `epoch`.
    #[inline]
    pub fn shows_nothing_new(&mut self, key: &Key, stamp: u64, epoch: u64, own: u64, starts: &[u64]) -> bool {
        let known = self.reads.get_mut(place(key)).filter(|known| known.stamp == stamp && known.key == *key);
        known.is_some_and(|known| {
            known.epoch = epoch;
            known.window.holds(own, starts)
        })
    }

    /// Remembers a read and within which moments it shows the same.
    pub fn remember(&mut self, key: Key, stamp: u64, epoch: u64, window: Window) {
        if let Some(known) = self.reads.get_mut(place(&key)) {
            *known = Remembered { key, stamp, epoch, window };
        }
    }
}
