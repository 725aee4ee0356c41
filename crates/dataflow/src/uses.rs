//! Reads: which variables of which roots a read uses, and which definitions reach it.
//!
//! Knows nothing of words. Invariant: a fact is recorded for every active root and every simple path within the bounds.
//!
//! A read that agrees with an earlier one in everything its facts depend on shows nothing new: see `uses_memo`.

use crate::attribution::Tests;
use crate::entered::{Blocks, Used};
use crate::frames::{FrameIndex, Frames};
use crate::recent::Recent;
use crate::registry::Registry;
use crate::runtime::Runtime;
use crate::state::State;
use crate::thread::{Active, Thread};
use crate::uses_memo::Window;
use crate::vocabulary::Vocabulary;
use dynaflow_memgraph::{Graph, Latest, Node, Path, PathSet, Slot};
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
    /// Whether all reads at this site are of the same variable once generalised, so that they may be remembered.
    pub one_variable: bool,
}

/// Records what a read uses.
pub fn read(state: &mut State, thread: &mut Thread, read: Read) {
    if state.is_muted || state.is_blurred(read.node, read.slot) || !thread.has_receivers() {
        return;
    }
    let limits = state.limits();
    // From which basic blocks a read is reachable is another question each time.
    let may_repeat = read.one_variable && state.blocks.is_none();
    let number = thread.attribution.thread as u32;
    let bucket = state.tests.serial(&mut thread.attribution);
    let State {
        routes,
        graph,
        frames,
        bounds,
        memo,
        era,
        registry,
        runtime,
        vocabulary,
        tests,
        recent,
        blocks,
        work,
        ..
    } = state;
    let own = graph.latest(read.node, read.slot);
    let key = [read.site, read.frame, read.node.0, number, bucket, *era, own.site, own.frame];
    if may_repeat && memo.repeats(&key, graph.epoch(), own.moment, &thread.starts) {
        return;
    }
    let accept = |root: Node| thread.outermost(root).is_some();
    let owner = [frames.roots(read.frame), *era];
    let roots = |roots: &mut Vec<Node>| thread.list_receivers(roots);
    let (set, fresh) = routes.get(graph, (owner, read.node), limits, accept, roots);
    if fresh {
        bounds.depth += u64::from(set.beyond);
        bounds.paths += u64::from(set.cut);
        *work += set.effort();
    }
    let (stamp, epoch) = (set.stamp, graph.epoch());
    if may_repeat && memo.shows_nothing_new(&key, stamp, epoch, own.moment, &thread.starts) {
        return;
    }
    *work += set.paths.len() as u64;
    let mut window = Window::OPEN;
    let mut recorder =
        Recorder { registry, runtime, graph, frames, vocabulary, tests, recent, blocks, bucket };
    for index in 0..set.paths.len() {
        let path = recorder.labelled(set, index);
        recorder.record(thread, read, own, path, &mut window);
    }
    if may_repeat {
        memo.remember(key, stamp, epoch, window);
    }
}

/// What it takes to record a use.
struct Recorder<'a> {
    registry: &'a mut Registry,
    runtime: &'a Runtime,
    graph: &'a Graph,
    frames: &'a mut Frames,
    vocabulary: &'a mut Vocabulary,
    tests: &'a mut Tests,
    recent: &'a mut Recent,
    blocks: &'a mut Option<Blocks>,
    bucket: u32,
}

impl Recorder<'_> {
    /// A path of a set. Its label is one more than the number of the variable that it makes, 0 when the class of its root is not
    /// known.
    fn labelled(&mut self, set: &mut PathSet, index: usize) -> Path {
        let mut path = set.paths[index];
        if path.label == 0 {
            let root = self.vocabulary.root(self.graph.tag(path.root), self.runtime, self.registry);
            path.label = root.map_or(0, |root| self.vocabulary.along(root, set, &path) + 1);
            set.paths[index].label = path.label;
        }
        path
    }

    fn record(&mut self, thread: &mut Thread, read: Read, own: Latest, path: Path, window: &mut Window) {
        let Some(&Active { method, start, frame: root_frame, .. }) = thread.outermost(path.root) else {
            return;
        };
        let Self { registry, graph, frames, vocabulary, tests, recent, blocks, bucket, .. } = self;
        let depth = frames.depth(root_frame);
        window.narrow(own.moment, path.latest.moment, depth, start);
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
        let root = ObjectId(graph.name(path.root));
        let chain = frames.chain(read.frame, depth);
        if let Some((blocks, entered)) = blocks.as_mut().zip(thread.entered.get(&path.root)) {
            let used =
                Used { variable: prefix, site: read.site, chain, activity: start, latest: latest.moment };
            blocks.used(entered, used, |block| {
                let block = vocabulary.block(block, registry);
                let variable = vocabulary.variable(prefix, registry);
                let usage = vocabulary.usage(read.site, chain, frames, registry);
                vocabulary.reachable(block, variable, usage);
            });
        }
        let from = frames.outermost(latest.frame, root.0);
        let defined_in = frames.chain(latest.frame, from);
        let flags = u32::from(is_entry) << 1 | u32::from(kind == DefinitionKind::Direct);
        let seen_on = tests.root_matters(&thread.attribution, root);
        let bucket = *bucket << 2 | flags;
        if recent.seen([prefix, read.site, chain, latest.site, defined_in, method, bucket, seen_on]) {
            return;
        }
        let variable = vocabulary.variable(prefix, registry);
        let usage = vocabulary.usage(read.site, chain, frames, registry);
        if is_entry {
            let method = vocabulary.method(method, registry);
            let entry = vocabulary.entry(variable, method, usage);
            tests.record(&mut thread.attribution, WitnessFact::Entry(entry), root);
        }
        if latest.moment > 0 && !latest.is_unknown() {
            let definition = vocabulary.definition(latest.site, kind, defined_in, frames, registry);
            let pair = vocabulary.pair(variable, definition, usage);
            tests.record(&mut thread.attribution, WitnessFact::Pair(pair), root);
        }
    }
}
