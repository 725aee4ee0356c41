//! Reads: which variables of which roots a read uses, and which definitions reach it.
//!
//! Knows nothing of words. Invariant: a fact is recorded for every active root and every simple path within the bounds.
//!
//! A read that agrees with an earlier one in everything its facts depend on shows nothing new: see `uses_memo`.

use crate::frames::FrameIndex;
use crate::state::State;
use crate::thread::{Active, Thread};
use crate::uses_memo::Window;
use crate::vocabulary::{Prefix, Vocabulary};
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
    let (stamp, cut) = match state.graph.paths(read.node) {
        // A set that was cut stands for nothing but this moment.
        Some(set) if set.cut => (state.graph.epoch(), true),
        Some(set) => (set.stamp(), false),
        None => return,
    };
    let bucket = state.tests.serial(&mut thread.attribution);
    let number = thread.attribution.thread as u32;
    let key = [read.site, read.frame, read.node.0, number, bucket, state.era, own.site, own.frame];
    if state.memo.shows_nothing_new(&key, stamp, own.moment, &thread.starts) {
        return;
    }
    let mut window = Window::OPEN;
    if cut {
        record_cut(state, thread, read, own, &mut window, limits);
    } else {
        record_all(state, thread, read, own, &mut window);
    }
    state.memo.remember(key, stamp, window);
}

/// Records the facts of a read whose path set is complete.
fn record_all(state: &mut State, thread: &mut Thread, read: Read, own: Latest, window: &mut Window) {
    let mut left = state.config.paths.max(1);
    let mut index = 0;
    while let Some(mut path) = state.graph.paths(read.node).and_then(|set| set.get(index)).copied() {
        if is_active(state, thread, path.root) {
            if left == 0 {
                state.bounds.paths += 1;
                return;
            }
            left -= 1;
            if path.label == 0 {
                path.label = label(state, read.node, &path);
                state.graph.label_path(read.node, index, path.label);
            }
            record(state, thread, read, own, path, window);
        }
        index += 1;
    }
}

/// Records the facts of a read that so many paths lead to that only those from active roots are looked for.
fn record_cut(
    state: &mut State,
    thread: &mut Thread,
    read: Read,
    own: Latest,
    window: &mut Window,
    limits: Limits,
) {
    let limits = Limits { paths: state.config.paths.max(1) as usize, ..limits };
    let set = state.graph.search_paths(read.node, limits, |root| is_active(state, thread, root));
    state.bounds.paths += u64::from(set.cut);
    for path in set.iter() {
        let label = label_in(state, &set, path);
        record(state, thread, read, own, path.labelled(label), window);
    }
}

/// One more than the number of the variable that a path of the cached set of `node` makes; 0 when the class of its root
/// is not known.
pub fn label(state: &mut State, node: Node, path: &Path) -> u32 {
    let State { registry, runtime, graph, vocabulary, .. } = state;
    let root = vocabulary.root(graph.tag(path.root), runtime, registry);
    match (root, graph.paths(node)) {
        (Some(root), Some(set)) => prefix(vocabulary, root, set, path) + 1,
        _ => 0,
    }
}

/// The same for a set that is not cached.
pub fn label_in(state: &mut State, set: &PathSet, path: &Path) -> u32 {
    let State { registry, runtime, graph, vocabulary, .. } = state;
    let root = vocabulary.root(graph.tag(path.root), runtime, registry);
    root.map_or(0, |root| prefix(vocabulary, root, set, path) + 1)
}

fn prefix(vocabulary: &mut Vocabulary, root: Prefix, set: &PathSet, path: &Path) -> Prefix {
    set.edges(path).iter().fold(root, |prefix, edge| vocabulary.longer(prefix, edge.slot.step()))
}

fn is_active(state: &State, thread: &Thread, root: Node) -> bool {
    state.graph.is_pinned(root) && thread.outermost(root).is_some()
}

fn record(state: &mut State, thread: &mut Thread, read: Read, own: Latest, path: Path, window: &mut Window) {
    let Some(&Active { method, start, frame: root_frame, .. }) = thread.outermost(path.root) else {
        return;
    };
    let depth = state.frames.depth(root_frame);
    window.narrow(own.moment, path.latest.moment, depth, start);
    let State { registry, graph, frames, vocabulary, tests, recent, era, .. } = state;
    let (kind, latest) = if own.moment > path.latest.moment {
        (DefinitionKind::Direct, own)
    } else {
        (DefinitionKind::Nested, path.latest)
    };
    let is_entry = latest.moment < start;
    let Some(prefix) = path.label.checked_sub(1) else {
        return;
    };
    let prefix = vocabulary.longer(prefix, read.slot.step());
    let flags = u32::from(is_entry) << 1 | u32::from(kind == DefinitionKind::Direct);
    let bucket = tests.serial(&mut thread.attribution) << 3 | flags;
    if recent.seen([prefix, read.site, read.frame, latest.site, latest.frame, path.root.0, bucket, *era]) {
        return;
    }
    let variable = vocabulary.variable(prefix, registry);
    let root = ObjectId(graph.name(path.root));
    let chain = frames.chain(read.frame, depth);
    let usage = vocabulary.usage(read.site, chain, frames, registry);
    if is_entry {
        let method = vocabulary.method(method, registry);
        let entry = vocabulary.entry(variable, method, usage);
        tests.record(&mut thread.attribution, WitnessFact::Entry(entry), root);
    }
    if latest.moment > 0 {
        let from = frames.outermost(latest.frame, root.0);
        let chain = frames.chain(latest.frame, from);
        let definition = vocabulary.definition(latest.site, kind, chain, frames, registry);
        let pair = vocabulary.pair(variable, definition, usage);
        tests.record(&mut thread.attribution, WitnessFact::Pair(pair), root);
    }
}
