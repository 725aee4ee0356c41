//! What a container holds now: each node once, with how often it is in there.
//!
//! Knows nothing of where in the container something stands. Invariant: every entry has a count of at least 1 and one edge; the order
//! of the entries is a function of the history.

use crate::cells::Slot;
use crate::graph::{Edge, Effect, Graph, Node};
use rustc_hash::FxHashMap;

/// From this many entries on they are found by a table.
const FEW: usize = 16;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub node: Node,
    pub count: u32,
    /// Where the edge stands among the incoming edges of the node.
    pub back: u32,
}

/// The entries of one container.
#[derive(Debug, Default)]
pub(crate) struct Held {
    entries: Vec<Entry>,
    places: FxHashMap<Node, u32>,
    /// The epoch of the last write of the contents while something was in them.
    pub rewritten: u64,
}

impl Held {
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// How many bytes it takes.
    pub fn weight(&self) -> usize {
        size_of::<Self>()
            + self.entries.capacity() * size_of::<Entry>()
            + self.places.capacity() * size_of::<(Node, u32)>()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Entry> {
        self.entries.iter()
    }

    fn place(&self, node: Node) -> Option<usize> {
        if self.places.is_empty() {
            self.entries.iter().position(|entry| entry.node == node)
        } else {
            self.places.get(&node).map(|place| *place as usize)
        }
    }

    pub fn get(&self, node: Node) -> Option<&Entry> {
        self.entries.get(self.place(node)?)
    }

    pub fn get_mut(&mut self, node: Node) -> Option<&mut Entry> {
        let place = self.place(node)?;
        self.entries.get_mut(place)
    }

    /// Adds a node that is not here, once.
    pub fn add(&mut self, node: Node) {
        self.entries.push(Entry { node, count: 1, back: 0 });
        if !self.places.is_empty() {
            self.places.insert(node, (self.entries.len() - 1) as u32);
        } else if self.entries.len() > FEW {
            self.places = self.entries.iter().zip(0..).map(|(entry, place)| (entry.node, place)).collect();
        }
    }

    /// Takes a node out, however often it is here.
    pub fn remove(&mut self, node: Node) {
        let Some(place) = self.place(node) else { return };
        self.entries.swap_remove(place);
        self.places.remove(&node);
        if let Some(moved) = self.entries.get(place).filter(|_| !self.places.is_empty()) {
            self.places.insert(moved.node, place as u32);
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_found_however_many_come_and_go() {
        let mut held = Held::default();
        (0..40).for_each(|number| held.add(Node(number)));
        (0..40).filter(|number| number % 3 != 0).for_each(|number| held.remove(Node(number)));
        let left: Vec<u32> = (0..40).filter(|number| held.get(Node(*number)).is_some()).collect();
        assert!(left.iter().all(|number| number % 3 == 0) && left.len() == held.len());
        assert!(
            left.iter().all(|number| held.get(Node(*number)).is_some_and(|entry| entry.node.0 == *number))
        );
        left.iter().for_each(|number| held.remove(Node(*number)));
        held.add(Node(7));
        assert_eq!(held.iter().map(|entry| entry.node.0).collect::<Vec<_>>(), [7]);
    }
}
