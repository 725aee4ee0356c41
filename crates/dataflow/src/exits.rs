//! Ends of invocations: which definitions of an invocation still reach when it ends.
//!
//! Knows nothing of words. Invariant: both ways to find them give the same. Backward: every location written during the
//! invocation that is still the latest on a path from the root, and, if it refers to something, every location below that
//! has no later write. Forward: every path from the root. Backward costs by what was written, forward by what the root
//! reaches; forward is tried first when much was written, and given up when the root reaches more.

use crate::definitions::Logged;
use crate::registry::MethodIndex;
use crate::state::State;
use crate::thread::Thread;
use crate::uses;
use crate::vocabulary::Prefix;
use dynaflow_memgraph::{Latest, Node, Path, PathSet, Slot};
use dynaflow_model::facts::{DefinitionKind, Exit, WitnessFact};
use dynaflow_model::ids::ObjectId;
use smallvec::SmallVec;

/// The end of the outermost invocation on a root.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// The root.
    pub root: Node,
    /// The method.
    pub method: MethodIndex,
    /// When it began.
    pub start: u64,
    /// How it ended.
    pub exit: Exit,
}

/// From this many written locations on, forward is tried first.
const MANY: usize = 16;

/// A definition that reaches one variable.
#[derive(Clone, Copy, Debug)]
struct Reaching {
    variable: Prefix,
    kind: DefinitionKind,
    write: Latest,
}

/// Records the definitions of an invocation that still reach at its end.
pub fn end(state: &mut State, thread: &mut Thread, end: End) {
    let mut written = std::mem::take(&mut state.written);
    written.clear();
    written.extend(state.log.since(end.start, &state.graph));
    if !written.is_empty() {
        // Oldest first, so that facts are found in the order in which they were made.
        written.reverse();
        let found = reaching(state, end, &written);
        for reaching in &found {
            record(state, thread, end, *reaching);
        }
    }
    state.written = written;
}

fn reaching(state: &mut State, end: End, written: &[Logged]) -> Vec<Reaching> {
    let depth = state.config.depth.max(1) as usize;
    if written.len() >= MANY {
        let mut explorer = Explorer::new(state, Some(end.start), depth, written.len() * 2);
        explorer.below_root(end.root);
        if explorer.budget > 0 {
            return explorer.finish();
        }
    }
    let budget = state.config.paths.max(1) as usize * 64 + written.len() * 32;
    let mut explorer = Explorer::new(state, None, depth, budget);
    for entry in written {
        explorer.through_written(end.root, entry);
    }
    explorer.bounds.0 |= explorer.budget == 0;
    explorer.finish()
}

/// Looks for variables below a node.
struct Explorer<'a> {
    state: &'a mut State,
    /// Forward: the start of the invocation. Backward: none, every write found is one of the invocation.
    start: Option<u64>,
    depth: usize,
    /// Locations that may still be looked at.
    budget: usize,
    on_path: Vec<Node>,
    found: Vec<Reaching>,
    /// Whether some path was left out for the number of paths, and for its length.
    bounds: (bool, bool),
}

type Locations = SmallVec<[(Slot, Latest, Option<Node>); 16]>;

impl<'a> Explorer<'a> {
    fn new(state: &'a mut State, start: Option<u64>, depth: usize, budget: usize) -> Self {
        Self { state, start, depth, budget, on_path: vec![], found: vec![], bounds: (false, false) }
    }

    fn finish(self) -> Vec<Reaching> {
        self.state.bounds.paths += u64::from(self.bounds.0);
        self.state.bounds.depth += u64::from(self.bounds.1);
        self.found
    }

    fn below_root(&mut self, root: Node) {
        let State { registry, runtime, graph, vocabulary, .. } = &mut *self.state;
        if let Some(prefix) = vocabulary.root(graph.tag(root), runtime, registry) {
            self.below(root, prefix, Latest::default());
        }
    }

    /// The paths from the root through a location that was written, as far as that write is the latest.
    fn through_written(&mut self, root: Node, entry: &Logged) {
        let limits = self.state.limits();
        let mut set = std::mem::take(&mut self.state.to_written);
        self.state.graph.search_paths(entry.node, limits, |node| node == root, &mut set);
        self.bounds.0 |= set.cut;
        for path in set.paths.iter().filter(|path| path.latest.moment < entry.write.moment) {
            self.through(entry, path, &set);
        }
        self.state.to_written = set;
    }

    /// One path to the node of a written location.
    fn through(&mut self, entry: &Logged, path: &Path, set: &PathSet) {
        let Some(prefix) = uses::label(self.state, set, path).checked_sub(1) else {
            return;
        };
        let variable = self.state.vocabulary.longer(prefix, entry.slot.step());
        self.found.push(Reaching { variable, kind: DefinitionKind::Direct, write: entry.write });
        let target = self.state.graph.cell(entry.node, entry.slot).and_then(|cell| cell.target);
        if let Some(target) = target {
            self.on_path.clear();
            self.on_path.extend(set.edges(path).iter().map(|edge| edge.source));
            self.on_path.push(entry.node);
            self.follow(target, variable, entry.write);
        }
    }

    /// Goes on to the node an edge refers to, unless the path was there or is as long as it may be.
    fn follow(&mut self, target: Node, prefix: Prefix, latest: Latest) {
        if self.on_path.contains(&target) {
            return;
        }
        if self.on_path.len() == self.depth {
            self.bounds.1 = true;
        } else {
            self.below(target, prefix, latest);
        }
    }

    /// The locations of a node at the end of a path whose latest write is `latest`, and everything below them.
    fn below(&mut self, node: Node, prefix: Prefix, latest: Latest) {
        self.on_path.push(node);
        for (slot, own, target) in locations(self.state, node) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            let direct = own.moment > latest.moment;
            if direct && self.start.is_none() {
                // A later write; it is looked at for itself if it is one of the invocation.
                continue;
            }
            let (kind, write) =
                if direct { (DefinitionKind::Direct, own) } else { (DefinitionKind::Nested, latest) };
            let variable = self.state.vocabulary.longer(prefix, slot.step());
            if self.start.is_none_or(|start| write.moment >= start) {
                self.found.push(Reaching { variable, kind, write });
            }
            if let Some(target) = target {
                self.follow(target, variable, write);
            }
        }
        self.on_path.pop();
    }
}

/// The locations of a node with their latest writes and targets: its fields, written or not, its written elements and one
/// more for those that were not, its contents.
fn locations(state: &mut State, node: Node) -> Locations {
    let tag = state.graph.tag(node);
    let layout = state.runtime.layout(tag, &mut state.registry);
    let mut found: Locations =
        state.graph.cells(node).map(|(slot, cell)| (slot, cell.write, cell.target)).collect();
    let unwritten = |slot: Slot| state.graph.cell(node, slot).is_none();
    found.extend(layout.iter().filter(|slot| unwritten(**slot)).map(|slot| (*slot, Latest::default(), None)));
    let contents = state.runtime.is_container(tag) && unwritten(Slot::CONTENTS);
    if contents || state.runtime.is_array(tag) {
        found.push((Slot::CONTENTS, Latest::default(), None));
    }
    found
}

fn record(state: &mut State, thread: &mut Thread, end: End, reaching: Reaching) {
    let State { registry, graph, frames, vocabulary, tests, recent_exits, .. } = state;
    let Reaching { variable, kind, write } = reaching;
    let root = ObjectId(graph.name(end.root));
    let chain = frames.chain(write.frame, frames.outermost(write.frame, root.0));
    let flags = u32::from(end.exit == Exit::Normal) << 1 | u32::from(kind == DefinitionKind::Direct);
    let bucket = tests.serial(&mut thread.attribution) << 2 | flags;
    let seen_on = tests.root_matters(&thread.attribution, root);
    if recent_exits.seen([variable, write.site, chain, end.method, bucket, seen_on, 0, 1]) {
        return;
    }
    let variable = vocabulary.variable(variable, registry);
    let definition = vocabulary.definition(write.site, kind, chain, frames, registry);
    let method = vocabulary.method(end.method, registry);
    let exit = vocabulary.exit(variable, method, end.exit, definition);
    tests.record(&mut thread.attribution, WitnessFact::Exit(exit), root);
}
