//! The order in which fixpoints go through nodes, and which nodes they must look at again. It knows no states.
//!
//! Invariant: the worklist gives the earliest node first, so that what joins is looked at once as a rule.

use crate::bits::WORD;
use crate::cfg::Node;

/// Nodes in an order in which origins come before targets, loops apart.
#[derive(Debug, Default)]
pub(crate) struct Order {
    nodes: Vec<Node>,
    /// By node: its position in `nodes`; `u32::MAX` for what the root does not reach.
    positions: Vec<u32>,
}

impl Order {
    /// The reverse postorder of what a root reaches. Linear.
    pub fn new<I: Iterator<Item = Node>>(size: usize, root: Node, successors: impl Fn(Node) -> I) -> Self {
        let mut found = Self { nodes: Vec::with_capacity(size), positions: vec![u32::MAX; size] };
        // A first number marks what is open, the last one is given when all is known.
        let mut open = Vec::new();
        if found.see(root) {
            open.push((root, successors(root)));
        }
        while let Some((node, rest)) = open.last_mut() {
            match rest.next() {
                Some(next) => {
                    if found.see(next) {
                        open.push((next, successors(next)));
                    }
                }
                None => {
                    found.nodes.push(*node);
                    open.pop();
                }
            }
        }
        found.nodes.reverse();
        for (position, node) in found.nodes.iter().enumerate() {
            if let Some(slot) = found.positions.get_mut(*node as usize) {
                *slot = position as u32;
            }
        }
        found
    }

    fn see(&mut self, node: Node) -> bool {
        self.positions.get_mut(node as usize).is_some_and(|slot| std::mem::replace(slot, 0) == u32::MAX)
    }

    /// The nodes in this order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Where a node comes; nowhere when the root does not reach it.
    pub fn position(&self, node: Node) -> Option<usize> {
        self.positions.get(node as usize).filter(|position| **position != u32::MAX).map(|p| *p as usize)
    }
}

/// Positions to look at, each once, the smallest first.
#[derive(Debug, Default)]
pub(crate) struct Worklist {
    words: Vec<u64>,
    /// No word before this one has a bit.
    first: usize,
}

impl Worklist {
    /// An empty list for positions below `size`, keeping its memory.
    pub fn reset(&mut self, size: usize) {
        self.words.clear();
        self.words.resize(size.div_ceil(WORD), 0);
        self.first = self.words.len();
    }

    /// Adds a position.
    pub fn insert(&mut self, position: usize) {
        crate::bits::set(&mut self.words, position);
        self.first = self.first.min(position / WORD);
    }

    /// Takes the smallest position.
    pub fn pop(&mut self) -> Option<usize> {
        while let Some(word) = self.words.get_mut(self.first) {
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Some(self.first * WORD + bit);
            }
            self.first += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_come_before_targets_and_what_is_not_reached_comes_nowhere() {
        let edges: &[&[Node]] = &[&[2, 1], &[3], &[3], &[1, 4], &[], &[0]];
        let order = Order::new(6, 0, |node| edges[node as usize].iter().copied());
        assert_eq!(order.nodes(), [0, 2, 3, 4, 1]);
        assert_eq!((order.position(0), order.position(5)), (Some(0), None));
    }

    #[test]
    fn the_smallest_position_comes_first_even_if_it_comes_in_late() {
        let mut list = Worklist::default();
        list.reset(130);
        [129, 64, 64, 3].into_iter().for_each(|position| list.insert(position));
        assert_eq!((list.pop(), list.pop()), (Some(3), Some(64)));
        list.insert(0);
        assert_eq!((list.pop(), list.pop(), list.pop()), (Some(0), Some(129), None));
    }
}
