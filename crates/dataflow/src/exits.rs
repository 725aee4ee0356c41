//! Ends of invocations: which definitions of an invocation still reach when it ends.
//!
//! Knows nothing of words. Invariant: every simple path from the root within the bounds is looked at when some location
//! was written since the invocation began.

use crate::frames::FrameIndex;
use crate::registry::MethodIndex;
use crate::state::State;
use crate::thread::Thread;
use crate::vocabulary::Prefix;
use dynaflow_memgraph::{Latest, Node, Slot};
use dynaflow_model::facts::{DefinitionKind, Exit, MethodId, WitnessFact};
use dynaflow_model::ids::ObjectId;

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

/// A definition that reaches one variable.
#[derive(Clone, Copy, Debug)]
struct Reaching {
    variable: Prefix,
    kind: DefinitionKind,
    write: Latest,
}

struct Explorer<'a> {
    state: &'a mut State,
    start: u64,
    depth: usize,
    /// Locations that may still be looked at.
    budget: usize,
    on_path: Vec<Node>,
    found: Vec<Reaching>,
    beyond: bool,
}

/// Records the definitions of an invocation that still reach at its end.
pub fn end(state: &mut State, thread: &mut Thread, end: End) {
    if state.log.since(end.start, &state.graph).next().is_none() {
        return;
    }
    let tag = state.graph.tag(end.root);
    let Some(root) = state.vocabulary.root(tag, &state.runtime, &state.registry) else {
        return;
    };
    let depth = state.config.depth.max(1) as usize;
    let budget = state.config.paths.max(1) as usize * 64;
    let mut explorer =
        Explorer { state, start: end.start, depth, budget, on_path: vec![], found: vec![], beyond: false };
    explorer.visit(end.root, root, Latest::default());
    let Explorer { found, beyond, budget, .. } = explorer;
    state.bounds.depth += u64::from(beyond);
    state.bounds.paths += u64::from(budget == 0);
    let method = state.vocabulary.method(end.method, &state.registry);
    for reaching in found {
        record(state, thread, end, method, reaching);
    }
}

impl Explorer<'_> {
    fn visit(&mut self, node: Node, prefix: Prefix, latest: Latest) {
        self.on_path.push(node);
        for (slot, own, target) in locations(self.state, node) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            let direct = own.moment > latest.moment;
            let (kind, write) =
                if direct { (DefinitionKind::Direct, own) } else { (DefinitionKind::Nested, latest) };
            let variable = self.state.vocabulary.longer(prefix, slot.step());
            if write.moment >= self.start {
                self.found.push(Reaching { variable, kind, write });
            }
            if let Some(target) = target.filter(|target| !self.on_path.contains(target)) {
                if self.on_path.len() == self.depth {
                    self.beyond = true;
                } else {
                    self.visit(target, variable, write);
                }
            }
        }
        self.on_path.pop();
    }
}

/// The locations of a node with their latest writes and targets: its fields, written or not, its written elements and one
/// more for those that were not, its contents.
fn locations(state: &mut State, node: Node) -> Vec<(Slot, Latest, Option<Node>)> {
    let tag = state.graph.tag(node);
    let layout = state.runtime.layout(tag, &mut state.registry);
    let mut found: Vec<_> =
        state.graph.cells(node).map(|(slot, cell)| (slot, cell.write, cell.target)).collect();
    let unwritten = |slot: Slot| state.graph.cell(node, slot).is_none();
    found.extend(layout.iter().filter(|slot| unwritten(**slot)).map(|slot| (*slot, Latest::default(), None)));
    let contents = state.runtime.is_container(tag) && unwritten(Slot::CONTENTS);
    if contents || state.runtime.is_array(tag) {
        found.push((Slot::CONTENTS, Latest::default(), None));
    }
    found
}

fn record(state: &mut State, thread: &mut Thread, end: End, method: MethodId, reaching: Reaching) {
    let State { registry, graph, frames, vocabulary, tests, .. } = state;
    let variable = vocabulary.variable(reaching.variable, registry);
    let root_object = ObjectId(graph.name(end.root));
    let frame: FrameIndex = reaching.write.frame;
    let from = frames.outermost(frame, graph.name(end.root));
    let chain = frames.chain(frame, from);
    let definition = vocabulary.definition(reaching.write.site, reaching.kind, chain, frames, registry);
    let exit = vocabulary.exit(variable, method, end.exit, definition);
    tests.record(&mut thread.attribution, WitnessFact::Exit(exit), root_object);
}
