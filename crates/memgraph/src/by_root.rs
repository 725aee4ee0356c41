//! The simple paths from one node to another, found forwards and kept. The path set of several roots is put together from those of each.
//!
//! A receiver that is entered makes a new set of roots, but all roots in it but one were there before, and what the new one
//! refers to was often there before as well. So a path set is kept for each pair of nodes, and the one of a node that refers to little is
//! put together from those of the nodes it refers to.
//!
//! Knows nothing of why a root matters. Invariant: a set that is kept equals what [`Graph::search_forward`] would find, paths and order, as long
//! as its parts hold and the nodes it went on from refer to what they referred to.

use crate::cell::Latest;
use crate::graph::Graph;
use crate::node::{Edge, Node};
use crate::paths::{Limits, Part, Path, PathSet};
use crate::slot::Slot;

/// From where, to where, in at most so many edges.
type Key = (Node, Node, u32);

#[derive(Debug, Default)]
struct Entry {
    key: Option<Key>,
    /// Whether it took too many steps: the set is not known.
    given_up: bool,
    set: PathSet,
}

// Small on purpose: a table that leaves the processor's cache costs more than the searches it saves.
const ENTRIES: usize = 1 << 10;
/// The set of a node with at most so many locations is put together from those of what they refer to.
const FEW: usize = 4;

/// Path sets from single nodes.
#[derive(Debug)]
pub(crate) struct ByRoot {
    entries: Box<[Entry]>,
    stamps: u64,
}

impl Default for ByRoot {
    fn default() -> Self {
        Self { entries: std::iter::repeat_with(Entry::default).take(ENTRIES).collect(), stamps: 0 }
    }
}

/// Too many edges to look at, or too many paths.
struct TooMany;

fn place((from, target, edges): Key) -> usize {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let both = u64::from(from.0) << 32 | u64::from(target.0);
    let mixed = both.wrapping_mul(FACTOR).rotate_left(32) ^ u64::from(edges);
    (mixed.wrapping_mul(FACTOR) >> (64 - ENTRIES.trailing_zeros())) as usize
}

impl ByRoot {
    /// The simple paths to `target` from these roots, which are pinned, into `set`; false when that takes too many steps.
    pub fn paths(
        &mut self,
        graph: &Graph,
        roots: &[Node],
        target: Node,
        limits: Limits,
        set: &mut PathSet,
    ) -> bool {
        set.clear(graph.epoch());
        set.forward = true;
        if roots.contains(&target) {
            set.take_empty(target);
        }
        roots.iter().filter(|root| **root != target).all(|root| {
            let at = self.find(graph, (*root, target, limits.edges as u32), limits, true);
            let part = &self.entries[at];
            set.parts.push((at as u32, part.set.stamp));
            set.beyond |= part.set.beyond;
            part.set.paths.iter().for_each(|path| set.append(&part.set, path));
            !part.given_up && set.paths.len() <= limits.paths
        })
    }

    /// Whether the parts of a set are those it was put together from.
    pub fn have_parts(&mut self, graph: &Graph, parts: &[Part]) -> bool {
        parts.iter().all(|(at, stamp)| {
            self.entries.get(*at as usize).is_some_and(|entry| entry.set.stamp == *stamp)
                && self.is_valid(graph, *at as usize)
        })
    }

    fn is_valid(&mut self, graph: &Graph, at: usize) -> bool {
        let set = &mut self.entries[at].set;
        if set.is_checked(graph) {
            return true;
        }
        if !set.is_untouched(graph) {
            return false;
        }
        let parts = std::mem::take(&mut set.parts);
        let valid = self.have_parts(graph, &parts);
        let set = &mut self.entries[at].set;
        set.parts = parts;
        if valid {
            set.check(graph);
        }
        valid
    }

    /// Where the set of a key stands.
    fn find(&mut self, graph: &Graph, key: Key, limits: Limits, may_compose: bool) -> usize {
        let at = place(key);
        if self.entries[at].key == Some(key) && self.is_valid(graph, at) {
            return at;
        }
        // The place is nobody's meanwhile: a part may be looked for here.
        let Entry { mut set, .. } = std::mem::take(&mut self.entries[at]);
        set.clear(graph.epoch());
        set.forward = true;
        let (from, target, edges) = key;
        let limits = Limits { edges: edges as usize, ..limits };
        let given_up = if may_compose && edges > 0 && graph.span(from) <= FEW {
            self.compose(graph, (from, target), limits, &mut set).is_err()
        } else {
            !graph.search_forward(&[from], target, limits, &mut set)
        };
        if given_up {
            set.paths.clear();
        }
        self.stamps += 1;
        set.stamp = self.stamps;
        self.entries[at] = Entry { key: Some(key), given_up, set };
        at
    }

    /// The set of a node from the sets of those it refers to.
    fn compose(
        &mut self,
        graph: &Graph,
        (from, target): (Node, Node),
        limits: Limits,
        set: &mut PathSet,
    ) -> Result<(), TooMany> {
        set.seen.push(from);
        for (slot, node) in graph.links(from).filter(|(_, node)| *node != from) {
            let (first, write) = (Edge { source: from, slot }, graph.latest(from, slot));
            if node == target {
                set.trail.push(first);
                set.take_trail(write);
                set.trail.clear();
                continue;
            }
            let at = self.find(graph, (node, target, limits.edges as u32 - 1), limits, false);
            let part = &self.entries[at];
            set.parts.push((at as u32, part.set.stamp));
            set.beyond |= part.set.beyond;
            if part.given_up {
                return Err(TooMany);
            }
            part.set.paths.iter().for_each(|path| set.append_after(first, write, &part.set, path));
            if slot == Slot::CONTENTS && !set.via.contains(&from) {
                set.via.push(from);
            }
        }
        if set.paths.len() <= limits.paths { Ok(()) } else { Err(TooMany) }
    }
}

impl PathSet {
    /// A path of another set is one of this.
    fn append(&mut self, from: &Self, path: &Path) {
        let first = self.edges.len() as u32;
        self.edges.extend_from_slice(from.edges(path));
        self.paths.push(Path { first, ..*path });
    }

    /// An edge and a path of another set after it are one of this, if it is simple.
    fn append_after(&mut self, edge: Edge, write: Latest, rest: &Self, path: &Path) {
        let edges = rest.edges(path);
        if edges.iter().any(|other| other.source == edge.source) {
            return;
        }
        let first = self.edges.len() as u32;
        self.edges.push(edge);
        self.edges.extend_from_slice(edges);
        let latest = if write.moment > path.latest.moment { write } else { path.latest };
        self.paths.push(Path { root: edge.source, latest, label: 0, first, len: path.len + 1 });
    }
}
