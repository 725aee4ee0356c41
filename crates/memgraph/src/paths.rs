//! The simple paths that lead to a node, found backwards and kept with the node.
//!
//! Knows nothing of roots that matter: every node a path can start from is one. Invariant: a path set that is handed out
//! as valid equals what a fresh search would give, paths and order. It is valid as long as nobody began or ceased to refer
//! to a node whose incoming edges the search looked at, and none of these edges was written again.

use crate::cells::Latest;
use crate::graph::{Edge, Graph, Node};

/// How far a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most edges of a path.
    pub edges: usize,
    /// Most paths.
    pub paths: usize,
    /// Most edges looked at.
    pub steps: usize,
}

/// One path of a set, from its root to the node the set belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path {
    /// The node it starts from.
    pub root: Node,
    /// The latest write among its edges; moment 0 for the path without edges.
    pub latest: Latest,
    /// A number of the caller's, 0 at first, see [`Graph::label_path`].
    pub label: u32,
    first: u32,
    len: u32,
}

impl Path {
    /// The same path with a label.
    pub fn labelled(&self, label: u32) -> Self {
        Self { label, ..*self }
    }
}

/// All simple paths to a node within the limits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathSet {
    paths: Vec<Path>,
    edges: Vec<Edge>,
    /// Nodes whose incoming edges the search looked at.
    seen: Vec<Node>,
    checked: u64,
    stamp: u64,
    /// Whether the search gave up because of [`Limits::paths`] or [`Limits::steps`].
    pub cut: bool,
    /// Whether some path went on beyond [`Limits::edges`] when the set was computed.
    pub beyond: bool,
}

impl PathSet {
    /// The paths, depth first; the path without edges comes first.
    pub fn iter(&self) -> std::slice::Iter<'_, Path> {
        self.paths.iter()
    }

    /// The path at an index.
    pub fn get(&self, index: usize) -> Option<&Path> {
        self.paths.get(index)
    }

    /// The edges of a path of this set, from the root on.
    pub fn edges(&self, path: &Path) -> &[Edge] {
        self.edges.get(path.first as usize..(path.first + path.len) as usize).unwrap_or_default()
    }

    /// Names this state of the set: a set that was computed anew has another stamp.
    pub fn stamp(&self) -> u64 {
        self.stamp
    }
}

struct Search<'a, F> {
    graph: &'a Graph,
    target: Node,
    accept: F,
    limits: Limits,
    steps: usize,
    /// Edges from the target backwards.
    trail: Vec<Edge>,
    set: PathSet,
}

impl<F: FnMut(Node) -> bool> Search<'_, F> {
    fn visit(&mut self, at: Node, latest: Latest) {
        if (self.accept)(at) {
            if self.set.paths.len() == self.limits.paths {
                self.set.cut = true;
                return;
            }
            let first = self.set.edges.len() as u32;
            self.set.edges.extend(self.trail.iter().rev());
            self.set.paths.push(Path { root: at, latest, label: 0, first, len: self.trail.len() as u32 });
        }
        let graph = self.graph;
        if self.trail.len() < self.limits.edges {
            self.set.seen.push(at);
        }
        for edge in graph.incoming(at) {
            if edge.source == self.target || self.trail.iter().any(|on| on.source == edge.source) {
                continue;
            }
            if self.trail.len() == self.limits.edges {
                self.set.beyond = true;
                return;
            }
            if self.set.cut || self.steps == self.limits.steps {
                self.set.cut = true;
                return;
            }
            self.steps += 1;
            self.follow(*edge, latest);
        }
    }

    fn follow(&mut self, edge: Edge, latest: Latest) {
        let write = self.graph.cell(edge.source, edge.slot).map(|cell| cell.write).unwrap_or_default();
        self.trail.push(edge);
        self.visit(edge.source, if write.moment > latest.moment { write } else { latest });
        self.trail.pop();
    }
}

impl Graph {
    /// The simple paths to `target` that start from an accepted node, without the cache.
    pub fn search_paths(&self, target: Node, limits: Limits, accept: impl FnMut(Node) -> bool) -> PathSet {
        let set = PathSet { stamp: self.epoch(), checked: self.epoch(), ..PathSet::default() };
        let mut search = Search { graph: self, target, accept, limits, steps: 0, trail: vec![], set };
        search.visit(target, Latest::default());
        let mut set = search.set;
        set.seen.sort_unstable();
        set.seen.dedup();
        set
    }

    /// Makes the cached path set of `target` valid; the result says whether it was computed anew.
    ///
    /// Costs a comparison when no edge of the graph changed since, a look at each node the search saw when none of them
    /// changed, and a search otherwise. The limits must be the same at every call.
    pub fn refresh_paths(&mut self, target: Node, limits: Limits) -> bool {
        let epoch = self.epoch();
        let Some(set) = self.cached_paths(target) else {
            return self.compute_paths(target, limits);
        };
        if set.checked == epoch {
            return false;
        }
        if set.seen.iter().any(|node| self.stamp(*node) > set.checked) {
            return self.compute_paths(target, limits);
        }
        if let Some(set) = self.cached_paths_mut(target) {
            set.checked = epoch;
        }
        false
    }

    fn compute_paths(&mut self, target: Node, limits: Limits) -> bool {
        let set = self.search_paths(target, limits, |_| true);
        self.cache_paths(target, set);
        true
    }

    /// Labels the path at `index` of the cached set, until the set is computed anew.
    pub fn label_path(&mut self, target: Node, index: usize, label: u32) {
        if let Some(path) = self.cached_paths_mut(target).and_then(|set| set.paths.get_mut(index)) {
            path.label = label;
        }
    }

    /// The cached path set of `target`, valid after [`Graph::refresh_paths`] until the next write.
    pub fn paths(&self, target: Node) -> Option<&PathSet> {
        self.cached_paths(target)
    }
}
