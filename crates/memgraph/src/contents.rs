//! Writes of what containers hold, and what they hold now.
//!
//! Knows nothing of where in the container something stands. Invariant: each entry of a container has one incoming edge at what it stands
//! for, at the position that the entry remembers.

use crate::graph::Graph;
use crate::held::Entry;
use crate::node::{Edge, Effect, Node};
use crate::slot::Slot;

impl Graph {
    /// Path sets that lead through the contents look here, so that not everything in them need be touched.
    pub(crate) fn rewrite_contents(&mut self, node: Node) -> Effect {
        let epoch = self.epoch + 1;
        match self.data_mut(node).held.as_mut().filter(|held| held.len() > 0) {
            None => Effect::Cell,
            Some(held) => {
                held.rewritten = epoch;
                self.epoch = epoch;
                Effect::Edge
            }
        }
    }

    /// The epoch of the last write of the contents of a node while it held something.
    pub(crate) fn rewritten(&self, node: Node) -> u64 {
        self.data(node).held.as_ref().map_or(0, |held| held.rewritten)
    }

    /// What a container holds, each node once, in the order in which they came, but for what was taken out in between.
    pub fn held(&self, node: Node) -> impl DoubleEndedIterator<Item = Node> {
        self.data(node).held.iter().flat_map(|held| held.iter().map(|entry| entry.node))
    }

    /// Whether a container holds anything.
    pub fn holds_any(&self, node: Node) -> bool {
        self.data(node).held.as_ref().is_some_and(|held| held.len() > 0)
    }

    /// A node is in a container once more.
    pub fn hold(&mut self, container: Node, element: Node) {
        match self.held_entry(container, element) {
            Some(entry) => entry.count = entry.count.saturating_add(1),
            None => self.start_holding(container, element),
        }
    }

    /// A node is in a container, once at least.
    pub fn ensure_held(&mut self, container: Node, element: Node) {
        if self.held_entry(container, element).is_none() {
            self.start_holding(container, element);
        }
    }

    /// A node is in a container once less; nothing happens when it is not known to be there.
    pub fn release(&mut self, container: Node, element: Node) {
        match self.held_entry(container, element) {
            Some(entry) if entry.count > 1 => entry.count -= 1,
            Some(_) => self.stop_holding(container, element),
            None => {}
        }
    }

    /// A container is empty.
    pub fn release_all(&mut self, container: Node) {
        let held: Vec<Node> = self.held(container).collect();
        held.into_iter().for_each(|element| self.stop_holding(container, element));
    }

    /// A container holds what another one holds, each as often, and nothing else.
    pub fn copy_held(&mut self, from: Node, to: Node) {
        self.release_all(to);
        let entries: Vec<_> = self.data(from).held.iter().flat_map(|held| held.iter().copied()).collect();
        for entry in entries {
            self.start_holding(to, entry.node);
            if let Some(held) = self.held_entry(to, entry.node) {
                held.count = entry.count;
            }
        }
    }

    pub(crate) fn held_entry(&mut self, container: Node, element: Node) -> Option<&mut Entry> {
        self.data_mut(container).held.as_mut()?.get_mut(element)
    }

    fn start_holding(&mut self, container: Node, element: Node) {
        self.epoch += 1;
        self.touch_source(container);
        self.data_mut(container).held.get_or_insert_default().add(element);
        self.add_incoming(element, Edge { source: container, slot: Slot::CONTENTS });
    }

    fn stop_holding(&mut self, container: Node, element: Node) {
        self.epoch += 1;
        self.touch_source(container);
        if let Some((_, back)) = self.edge_of(container, Slot::CONTENTS, element) {
            self.remove_incoming(element, back);
        }
        if let Some(held) = self.data_mut(container).held.as_mut() {
            held.remove(element);
        }
    }
}
