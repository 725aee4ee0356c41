//! The simple paths that lead to a node from roots that matter, found backwards, and until when they hold.
//!
//! Knows nothing of why a root matters; but roots are pinned while they do. Invariant: a path set that is untouched
//! equals what a fresh search would give, paths and order.
//!
//! A search looks at the incoming edges of the nodes it visits. It does not follow an edge from a node that is neither
//! pinned nor referred to: no path can begin there or go on. Most referrers are such nodes, objects that are garbage
//! already; the graph is asked to keep their edges apart. A set stays valid as long as no incoming edge of a visited node
//! is made, removed or written again, no referrer of it is referred to for the first time (the stamps of the graph show
//! both), and no contents that its paths lead through are written. When a bound is met, shorter paths are kept before longer
//! ones. Where many refer to a node, `forward` may find the paths with fewer steps.

use crate::ball::{Ball, Reach};
use crate::cell::Latest;
use crate::graph::Graph;
use crate::node::{Edge, Node};
use crate::slot::Slot;

/// How far a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most edges of a path.
    pub edges: usize,
    /// Most paths.
    pub paths: usize,
    /// Most edges looked at.
    pub steps: usize,
    /// Edges looked at before a search from the roots is tried, and most edges which that one looks at.
    pub patience: usize,
    /// Most edges looked at by a search from the roots.
    pub forward: usize,
}

/// A set that another one was put together from: where it stands, and its stamp then.
pub(crate) type Part = (u32, u64);

/// One path of a set, from its root to the node the set belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path {
    /// The node it starts from.
    pub root: Node,
    /// The latest write among its edges; moment 0 for the path without edges.
    pub latest: Latest,
    /// A number of the caller's, 0 at first.
    pub label: u32,
    pub(crate) first: u32,
    pub(crate) len: u32,
}

/// The paths to a node within the limits.
#[derive(Clone, Debug, Default)]
pub struct PathSet {
    /// Depth first; the path without edges comes first.
    pub paths: Vec<Path>,
    pub(crate) edges: Vec<Edge>,
    /// Nodes whose incoming edges the search looked at, some more than once; outgoing edges, if it went forward.
    pub(crate) seen: Vec<Node>,
    /// Nodes whose outgoing edges say where the search backward did not look.
    inner: Vec<Node>,
    /// Whether the paths were found from the roots.
    pub(crate) forward: bool,
    /// Referrers the search met in vain: no path can come from them.
    pub(crate) idle: Vec<Node>,
    /// Containers whose contents paths lead through: their latest write counts.
    pub(crate) via: Vec<Node>,
    /// The sets it was put together from.
    pub(crate) parts: Vec<Part>,
    /// Edges from the target backwards, or from the root on, while a search runs.
    pub(crate) trail: Vec<Edge>,
    computed: u64,
    checked: u64,
    /// Names this state of the set: a set that was computed anew has another stamp.
    pub stamp: u64,
    /// Whether the search gave up because of [`Limits::paths`] or [`Limits::steps`].
    pub cut: bool,
    /// Whether some path goes on beyond [`Limits::edges`].
    pub beyond: bool,
}

impl PathSet {
    /// The edges of a path of this set, from the root on.
    pub fn edges(&self, path: &Path) -> &[Edge] {
        self.edges.get(path.first as usize..(path.first + path.len) as usize).unwrap_or_default()
    }

    /// How many nodes were looked at to find it, apart from those of its parts.
    pub fn effort(&self) -> u64 {
        (self.seen.len() + self.parts.len()) as u64
    }

    /// Makes this the set of the one path from a node to itself.
    pub fn only_from(&mut self, node: Node) {
        self.clear(0);
        self.take_empty(node);
    }

    /// The path from a node to itself is one.
    pub(crate) fn take_empty(&mut self, node: Node) {
        self.paths.push(Path { root: node, latest: Latest::default(), label: 0, first: 0, len: 0 });
    }

    /// The trail, which begins at its root and has edges, is a path.
    pub(crate) fn take_trail(&mut self, latest: Latest) {
        let Self { paths, edges, trail, via, .. } = self;
        let Some(root) = trail.first().map(|edge| edge.source) else { return };
        for edge in trail.iter().filter(|edge| edge.slot == Slot::CONTENTS) {
            if !via.contains(&edge.source) {
                via.push(edge.source);
            }
        }
        let first = edges.len() as u32;
        edges.extend(trail.iter());
        paths.push(Path { root, latest, label: 0, first, len: trail.len() as u32 });
    }

    pub(crate) fn clear(&mut self, epoch: u64) {
        self.paths.clear();
        self.edges.clear();
        self.seen.clear();
        self.inner.clear();
        self.idle.clear();
        self.via.clear();
        self.parts.clear();
        self.trail.clear();
        (self.computed, self.checked) = (epoch, epoch);
        (self.cut, self.beyond, self.forward) = (false, false, false);
    }
}

/// How many edges may be compared in place of one that is looked at.
const GLANCES: usize = 8;

struct Search<'a, F> {
    graph: &'a Graph,
    target: Node,
    accept: F,
    limits: Limits,
    steps: usize,
    /// Take only paths of exactly [`Limits::edges`] edges.
    exact: bool,
    /// The only accepted node, if there is only one.
    only: Option<Node>,
    /// What the accepted nodes reach, if it is known.
    ball: Option<&'a Ball>,
    set: &'a mut PathSet,
}

impl<F: FnMut(Node) -> bool> Search<'_, F> {
    fn visit(&mut self, at: Node) {
        let long_enough = !self.exact || self.set.trail.len() == self.limits.edges;
        if long_enough && self.graph.is_pinned(at) && (self.accept)(at) {
            if self.set.paths.len() == self.limits.paths {
                self.set.cut = true;
                return;
            }
            self.found(at);
        }
        if self.only == Some(at) {
            // A path that goes on from here would have to come back.
            return;
        }
        let graph = self.graph;
        let last = self.set.trail.len() == self.limits.edges;
        if !last {
            self.set.seen.push(at);
        }
        // On the last edge only a pinned node is worth a visit, before it one that is referred to as well.
        let one_left = self.set.trail.len() + 1 == self.limits.edges;
        if one_left && self.ball.is_some_and(|ball| !ball.may_follow_root(at)) {
            return;
        }
        let left = self.limits.edges.saturating_sub(self.set.trail.len() + 1);
        for edge in graph.promising(at) {
            let live = graph.is_live_end(edge.source);
            if !live {
                self.set.idle.push(edge.source);
            }
            let worth = if one_left { graph.is_pinned(edge.source) } else { live };
            let worth = worth && (last || self.may_come_from(edge.source, left));
            if self.set.cut || self.steps == self.limits.steps {
                self.set.cut = true;
                return;
            }
            self.steps += 1;
            if !worth || self.is_on_path(edge.source) {
                continue;
            }
            if last {
                self.set.beyond = true;
                return;
            }
            self.set.trail.push(*edge);
            self.visit(edge.source);
            self.set.trail.pop();
        }
    }

    /// All paths; when they are too many, or too many edges lead to them, the shorter ones.
    fn run(&mut self) {
        self.visit(self.target);
        if !self.set.cut {
            return;
        }
        self.set.clear(self.graph.epoch());
        (self.steps, self.exact) = (0, true);
        for edges in 0..=self.limits.edges {
            self.limits.edges = edges;
            self.visit(self.target);
            if self.set.cut {
                return;
            }
        }
    }

    /// Whether a path of at most `edges` edges may lead to a node.
    fn may_come_from(&mut self, node: Node, edges: usize) -> bool {
        match self.ball.map_or(Reach::Maybe, |ball| ball.reach(node, edges)) {
            Reach::Never => false,
            Reach::Maybe => true,
            Reach::IfReferred => {
                let incoming = self.graph.promising(node);
                let steps = incoming.len() / GLANCES;
                // Where that were too many steps, the search looks as far as it may.
                if steps > self.limits.steps - self.steps {
                    return true;
                }
                self.steps += steps;
                self.ball.is_some_and(|ball| ball.has_wide(incoming))
            }
        }
    }

    fn is_on_path(&self, node: Node) -> bool {
        node == self.target || self.set.trail.iter().any(|edge| edge.source == node)
    }

    fn found(&mut self, root: Node) {
        let PathSet { paths, edges, trail, via, .. } = &mut *self.set;
        let latest = self.graph.latest_of(trail);
        for edge in trail.iter() {
            if edge.slot == Slot::CONTENTS && !via.contains(&edge.source) {
                via.push(edge.source);
            }
        }
        let first = edges.len() as u32;
        edges.extend(trail.iter().rev());
        paths.push(Path { root, latest, label: 0, first, len: trail.len() as u32 });
    }
}

impl Graph {
    /// The latest write of some edges.
    pub(crate) fn latest_of(&self, edges: &[Edge]) -> Latest {
        let writes = edges.iter().map(|edge| self.latest(edge.source, edge.slot));
        writes.reduce(|one, next| if next.moment > one.moment { next } else { one }).unwrap_or_default()
    }

    /// The simple paths to `target` from pinned nodes that are accepted, into `set`.
    pub fn search_paths(
        &self,
        target: Node,
        limits: Limits,
        accept: impl FnMut(Node) -> bool,
        set: &mut PathSet,
    ) {
        set.clear(self.epoch());
        Search { graph: self, target, accept, limits, steps: 0, exact: false, only: None, ball: None, set }
            .run();
    }

    /// The paths within the limits, if a search backward finds them soon.
    pub(crate) fn search_hastily(
        &self,
        target: Node,
        limits: Limits,
        accept: impl FnMut(Node) -> bool,
        set: &mut PathSet,
    ) -> bool {
        set.clear(self.epoch());
        let limits = Limits { steps: limits.patience.min(limits.steps), ..limits };
        let mut search = Search {
            graph: self,
            target,
            accept,
            limits,
            steps: 0,
            exact: false,
            only: None,
            ball: None,
            set,
        };
        search.visit(target);
        !search.set.cut
    }

    /// As [`Graph::search_paths`], but not where the roots cannot reach.
    pub(crate) fn search_near(
        &self,
        target: Node,
        limits: Limits,
        accept: impl FnMut(Node) -> bool,
        near: &Ball,
        set: &mut PathSet,
    ) {
        set.clear(self.epoch());
        let ball = Some(near).filter(|ball| ball.knows());
        Search { graph: self, target, accept, limits, steps: 0, exact: false, only: None, ball, set }.run();
        set.inner.extend(near.inner());
    }

    /// The simple paths to `target` from one pinned root, whose ball says where not to look, into `set`.
    pub fn search_from(&self, root: Node, ball: &Ball, target: Node, limits: Limits, set: &mut PathSet) {
        set.clear(self.epoch());
        let accept = |node| node == root;
        let (only, ball) = (Some(root), Some(ball));
        let mut search =
            Search { graph: self, target, accept, limits, steps: 0, exact: false, only, ball, set };
        if search.may_come_from(target, limits.edges) {
            search.run();
        }
    }
}

impl PathSet {
    /// Whether no node that the search looked at changed since, apart from those of its parts.
    pub(crate) fn is_untouched(&self, graph: &Graph) -> bool {
        let stamps = if self.forward { graph.outgoing_stamps() } else { graph.incoming_stamps() };
        let untouched =
            |node: &Node| stamps.get(node.0 as usize).is_some_and(|stamp| *stamp <= self.computed);
        self.seen.iter().all(untouched)
            && self.inner.iter().all(|node| graph.outgoing_stamps()[node.0 as usize] <= self.computed)
            && self.via.iter().all(|node| graph.rewritten(*node) <= self.computed)
    }

    /// Whether it is known to hold as the graph is now.
    #[inline]
    pub(crate) fn is_checked(&self, graph: &Graph) -> bool {
        self.checked == graph.epoch()
    }

    /// It holds as the graph is now.
    pub(crate) fn check(&mut self, graph: &Graph) {
        self.checked = graph.epoch();
    }
}
