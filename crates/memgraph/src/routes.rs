//! Path sets computed last, and which way to find those that are not among them.
//!
//! Knows nothing of why a root matters; but roots are pinned while they do. Invariant: a path set that [`Routes`] hands out equals what a
//! fresh search would give.

use crate::ball::Ball;
use crate::by_root::ByRoot;
use crate::graph::Graph;
use crate::node::Node;
use crate::paths::{Limits, PathSet};

/// Who a path set is for: the roots that matter are a function of it.
pub type Owner = [u32; 2];

#[derive(Debug, Default)]
struct Route {
    owner: Owner,
    target: Option<Node>,
    set: PathSet,
}

// Small on purpose: a table that leaves the processor's cache costs more than the searches it saves.
const ROUTES: usize = 1 << 10;
/// How many searches begin at the roots after one from the target took too many steps.
const FAR: u32 = 15;

/// Path sets computed last, by owner and target.
#[derive(Debug)]
pub struct Routes {
    routes: Vec<Route>,
    finder: Finder,
    computed: u64,
}

/// Finds path sets: backward, from the roots, or both.
#[derive(Debug)]
struct Finder {
    /// Room for the roots of one search.
    roots: Vec<Node>,
    /// Room for what they reach.
    ball: Ball,
    by_root: ByRoot,
    /// By number of a node: the node, and how many searches for it are still to begin at the roots.
    far: Box<[(Node, u32)]>,
}

impl Default for Routes {
    fn default() -> Self {
        let finder = Finder {
            roots: vec![],
            ball: Ball::default(),
            by_root: ByRoot::default(),
            far: vec![(Node(0), 0); ROUTES].into_boxed_slice(),
        };
        let routes = std::iter::repeat_with(Route::default).take(ROUTES).collect();
        Self { routes, finder, computed: 0 }
    }
}

fn place(owner: Owner, target: Node) -> usize {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed =
        u64::from(owner[0]) ^ u64::from(owner[1]).rotate_left(32) ^ u64::from(target.0).wrapping_mul(FACTOR);
    (mixed.wrapping_mul(FACTOR) >> (64 - ROUTES.trailing_zeros())) as usize
}

impl Routes {
    /// The path set of a target for an owner, and whether it was computed anew.
    ///
    /// Costs a comparison when no edge of the graph changed since the last time, a look at each node the search saw when
    /// none of them changed, and a search otherwise. `accept` and the limits must be the same for the same owner. `roots` puts
    /// the nodes that are accepted into a list, unless they are too many; they are pinned.
    pub fn get(
        &mut self,
        graph: &mut Graph,
        (owner, target): (Owner, Node),
        limits: Limits,
        accept: impl FnMut(Node) -> bool,
        roots: impl FnOnce(&mut Vec<Node>) -> bool,
    ) -> (&mut PathSet, bool) {
        let Self { routes, finder, computed } = self;
        let route = &mut routes[place(owner, target)];
        let is_known = route.target == Some(target) && route.owner == owner;
        if is_known && is_valid(graph, &mut finder.by_root, &mut route.set) {
            return (&mut route.set, false);
        }
        (route.owner, route.target) = (owner, Some(target));
        finder.find(graph, (target, limits), accept, roots, &mut route.set);
        route.set.idle.drain(..).for_each(|node| graph.demote(node));
        *computed += 1;
        route.set.stamp = *computed;
        (&mut route.set, true)
    }
}

impl Finder {
    /// The paths to a target within the limits, into `set`.
    fn find(
        &mut self,
        graph: &Graph,
        (target, limits): (Node, Limits),
        mut accept: impl FnMut(Node) -> bool,
        roots: impl FnOnce(&mut Vec<Node>) -> bool,
        set: &mut PathSet,
    ) {
        let far = &mut self.far[target.0 as usize % ROUTES];
        let is_far = far.0 == target && far.1 > 0;
        if is_far {
            far.1 -= 1;
        } else if graph.search_hastily(target, limits, &mut accept, set) {
            return;
        }
        self.roots.clear();
        if !roots(&mut self.roots) {
            graph.search_paths(target, limits, accept, set);
        } else if !self.by_root.paths(graph, &self.roots, target, limits, set) {
            graph.fill_ball(&self.roots, Some(target), limits.edges, limits.forward, &mut self.ball);
            graph.search_near(target, limits, accept, &self.ball, set);
        } else if !is_far {
            *far = (target, FAR);
        }
    }
}

fn is_valid(graph: &Graph, by_root: &mut ByRoot, set: &mut PathSet) -> bool {
    if set.is_checked(graph) {
        return true;
    }
    let valid = set.is_untouched(graph) && by_root.have_parts(graph, &set.parts);
    if valid {
        set.check(graph);
    }
    valid
}
