//! Reads: which variables of which roots a read uses, and which definitions reach it.
//!
//! Knows nothing of words. Invariant: a fact is recorded for every active root and every simple path within the bounds.

use crate::frames::FrameIndex;
use crate::state::State;
use crate::thread::{Active, Thread};
use dynaflow_memgraph::{Latest, Limits, Node, Path, PathSet, Slot};
use dynaflow_model::facts::{DefinitionKind, WitnessFact};
use dynaflow_model::ids::ObjectId;

/// A read of a location by a frame of a thread.
#[derive(Clone, Copy, Debug)]
pub struct Read {
    /// Where.
    pub site: u32,
    /// The innermost program frame at the access.
    pub frame: FrameIndex,
    /// The node.
    pub node: Node,
    /// The location.
    pub slot: Slot,
}

/// Records what a read uses.
pub fn read(state: &mut State, thread: &mut Thread, read: Read) {
    if !thread.has_receivers() {
        return;
    }
    let limits = state.limits();
    if state.graph.refresh_paths(read.node, limits) {
        let beyond = state.graph.paths(read.node).is_some_and(|set| set.beyond);
        state.bounds.depth += u64::from(beyond);
    }
    let own = state.graph.cell(read.node, read.slot).map(|cell| cell.write).unwrap_or_default();
    let found = collect(state, thread, read.node, limits);
    for (path, steps) in found {
        record(state, thread, read, own, path, &steps);
    }
}

type Steps = smallvec::SmallVec<[u32; 8]>;

/// The paths from active roots to a node.
fn collect(state: &mut State, thread: &Thread, node: Node, limits: Limits) -> Vec<(Path, Steps)> {
    let fresh;
    let set = match state.graph.paths(node) {
        Some(set) if !set.cut => set,
        _ => {
            fresh = state.graph.search_paths(node, limits, |root| thread.outermost(root).is_some());
            &fresh
        }
    };
    let limit = state.config.paths.max(1) as usize;
    let mut active = set.iter().filter(|path| thread.outermost(path.root).is_some());
    let found = active.by_ref().take(limit).map(|path| (*path, steps(set, path))).collect();
    state.bounds.paths += u64::from(set.cut || active.next().is_some());
    found
}

fn steps(set: &PathSet, path: &Path) -> Steps {
    set.edges(path).iter().map(|edge| edge.slot.step()).collect()
}

fn record(state: &mut State, thread: &mut Thread, read: Read, own: Latest, path: Path, steps: &[u32]) {
    let Some(&Active { method, start, frame: root_frame, .. }) = thread.outermost(path.root) else {
        return;
    };
    let State { registry, runtime, graph, frames, vocabulary, tests, .. } = state;
    let Some(root) = vocabulary.root(graph.tag(path.root), runtime, registry) else {
        return;
    };
    let prefix = steps.iter().fold(root, |prefix, step| vocabulary.longer(prefix, *step));
    let prefix = vocabulary.longer(prefix, read.slot.step());
    let variable = vocabulary.variable(prefix, registry);
    let root_object = ObjectId(graph.name(path.root));
    let chain = frames.chain(read.frame, frames.depth(root_frame));
    let usage = vocabulary.usage(read.site, chain, frames, registry);
    let (kind, latest) = if own.moment > path.latest.moment {
        (DefinitionKind::Direct, own)
    } else {
        (DefinitionKind::Nested, path.latest)
    };
    if latest.moment < start {
        let method = vocabulary.method(method, registry);
        let entry = vocabulary.entry(variable, method, usage);
        tests.record(&mut thread.attribution, WitnessFact::Entry(entry), root_object);
    }
    if latest.moment > 0 {
        let from = frames.outermost(latest.frame, graph.name(path.root));
        let chain = frames.chain(latest.frame, from);
        let definition = vocabulary.definition(latest.site, kind, chain, frames, registry);
        let pair = vocabulary.pair(variable, definition, usage);
        tests.record(&mut thread.attribution, WitnessFact::Pair(pair), root_object);
    }
}
