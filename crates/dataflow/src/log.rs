//! The log of what was written while frames are active.
//!
//! Knows nothing of facts and of who writes. Invariant: it holds every location written from a known place since the moment up to which it was
//! last made to forget, in the order in which the writes took effect; an entry whose location was written again is stale and may be dropped.

use dynaflow_memgraph::{Graph, Latest, Node, Slot};

/// A logged write.
#[derive(Clone, Copy, Debug)]
pub struct Logged {
    /// The node.
    pub node: Node,
    /// The location.
    pub slot: Slot,
    /// The write.
    pub write: Latest,
    /// The moment it took effect; later than its own for writes that waited in a constructor.
    pub effective: u64,
}

impl Logged {
    /// A location the write is still the latest of: its own, or for a run of elements any of them.
    #[inline(always)]
    fn latest(&self, graph: &Graph) -> Option<Slot> {
        let moment = self.write.moment;
        if graph.cell(self.node, self.slot).is_some_and(|cell| cell.write.moment == moment) {
            return Some(self.slot);
        }
        self.slot.index().and_then(|_| graph.element_of_run(self.node, moment))
    }
}

/// Writes in the order in which they took effect.
#[derive(Debug, Default)]
pub struct Log {
    entries: Vec<Logged>,
    /// Compact when this long.
    limit: usize,
    /// Not worth asking what can be forgotten before it is this long.
    forget_at: usize,
    /// The moment up to which something was forgotten.
    forgotten: u64,
    /// The moment at which a write from an unknown place took effect last.
    unknown: u64,
}

const SMALLEST_LIMIT: usize = 1 << 12;

impl Log {
    /// Adds a write that takes effect now.
    #[inline]
    pub fn push(&mut self, entry: Logged, graph: &Graph) {
        self.entries.push(entry);
        if self.entries.len() > self.limit.max(SMALLEST_LIMIT) {
            self.entries.retain(|entry| entry.latest(graph).is_some());
            self.limit = self.entries.len() * 2;
        }
    }

    /// A write from an unknown place takes effect now.
    #[inline]
    pub fn wrote_unknown(&mut self, now: u64) {
        self.unknown = now;
    }

    /// The writes that are still the latest of their locations and were made at `start` or later, of nodes that
    /// matter.
    pub fn since<'a>(
        &'a self,
        start: u64,
        graph: &'a Graph,
        matters: impl Fn(Node) -> bool + 'a,
    ) -> impl Iterator<Item = Logged> + 'a {
        let recent = self.entries.iter().rev().take_while(move |entry| entry.effective >= start);
        let made = recent.filter(move |entry| matters(entry.node) && entry.write.moment >= start);
        made.filter_map(|entry| Some(Logged { slot: entry.latest(graph)?, ..*entry }))
    }

    /// How many writes took effect at `start` or later, as far as they are remembered.
    pub fn count_since(&self, start: u64) -> usize {
        // The log may be long, and what is asked for stands at its end.
        let (length, mut count) = (self.entries.len(), 1);
        let is_recent = |entry: &Logged| entry.effective >= start;
        while count < length && is_recent(&self.entries[length - count]) {
            count *= 2;
        }
        let first = length.saturating_sub(count);
        length - first - self.entries[first..].partition_point(|entry| !is_recent(entry))
    }

    /// Whether every write that took effect since a moment is still here.
    pub fn covers(&self, start: u64) -> bool {
        start > self.forgotten
    }

    /// Whether nothing was written since a moment.
    pub fn is_quiet_since(&self, start: u64) -> bool {
        self.covers(start)
            && self.unknown < start
            && self.entries.last().is_none_or(|entry| entry.effective < start)
    }

    /// Whether it is worth asking `threads` threads for the oldest active frame.
    pub fn may_forget(&self, threads: usize) -> bool {
        self.entries.len() >= self.forget_at.max(threads / 8)
    }

    /// Forgets everything that took effect before `start`, the entry of the oldest active frame, if there is one.
    pub fn forget_before(&mut self, start: Option<u64>) {
        let keep = start.map(|start| self.entries.partition_point(|entry| entry.effective < start));
        let drop = match keep {
            None => self.entries.len(),
            Some(keep) if keep > self.entries.len() / 2 => keep,
            Some(_) => 0,
        };
        if let Some(last) = self.entries.drain(..drop).next_back() {
            self.forgotten = last.effective;
        }
        self.forget_at = self.entries.len() * 2;
    }
}
