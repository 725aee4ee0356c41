//! What a container holds now: each node once, with how often it is in there.
//!
//! Knows nothing of where in the container something stands. Invariant: every entry has a count of at least 1 and one edge; the order
//! of the entries is a function of the history.

use crate::node::Node;
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
