//! Ends of invocations: which definitions of an invocation still reach when it ends.
//!
//! Knows nothing of words. Invariant: both ways to find them give the same. Backward: every location written during the
//! invocation that is still the latest on a path from the root, and, if it refers to something, every location below that
//! has no later write. Forward: every path from the root. The cost of backward grows with what was written, that
//! of forward with what the root reaches; forward is tried first when much was written, and given up when the root reaches more.

use crate::definitions;
use crate::frames::ChainIndex;
use crate::log::Logged;
use crate::reaching::{Finds, Reaching, Room};
use crate::registry::{MethodIndex, Registry};
use crate::runtime::{Runtime, UNKNOWN};
use crate::state::State;
use crate::thread::Thread;
use crate::vocabulary::{VariableIndex, Vocabulary};
use dynaflow_memgraph::{Cell, Graph, Latest, Node, Path, PathSet, Slot};
use dynaflow_model::facts::{DefinitionId, DefinitionKind, Exit, WitnessFact};
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

/// From this many written locations on, those that the root cannot reach are sorted out, and forward is tried first.
const MANY: usize = 16;

/// Records the definitions of an invocation that still reach at its end.
pub fn end(state: &mut State, thread: &mut Thread, end: End) {
    let written = state.log.count_since(end.start);
    // While an object may be written without a word, nobody knows what reaches the end.
    if written == 0 || !state.blurred.is_empty() {
        return;
    }
    rewrite_blurred(state);
    let mut room = state.room.take().unwrap_or_default();
    look_back(state, end.root, end.start, written, &mut room);
    state.work += (written + room.written.len() + room.finds.found.len()) as u64;
    if !room.finds.found.is_empty() {
        record_all(state, thread, end, &room.finds.found);
    }
    state.room = Some(room);
}

/// What was assigned since a location was blurred would seem to come after the writes that were left out since.
fn rewrite_blurred(state: &mut State) {
    let places: Vec<_> = state.blurred_places.keys().copied().collect();
    for place in places {
        definitions::write_blurred(state, place);
    }
}

/// The definitions made since a moment that reach variables of a root now. The log must cover that time.
pub fn made_since(state: &mut State, root: Node, start: u64) -> Vec<Reaching> {
    let written = state.log.count_since(start);
    let mut room = state.room.take().unwrap_or_default();
    look_back(state, root, start, written, &mut room);
    let found = std::mem::take(&mut room.finds.found);
    state.room = Some(room);
    found
}

/// All definitions that reach variables of a root now.
pub fn all(state: &mut State, root: Node) -> Vec<Reaching> {
    let State { registry, runtime, graph, vocabulary, .. } = state;
    let Some(prefix) = vocabulary.root(graph.tag(root), runtime, registry) else {
        return vec![];
    };
    let budget = state.limits().paths * 64;
    let mut finds = Finds::default();
    let mut explorer = Explorer::new(state, Some(1), budget, &mut finds);
    explorer.below(root, prefix, Latest::default());
    let Explorer { cut, beyond, budget, .. } = explorer;
    state.bounds.depth += u64::from(beyond);
    state.bounds.paths += u64::from(cut || budget == 0);
    finds.found
}

/// Finds what was made since a moment, of which there is so much, and reaches variables of a root now.
fn look_back(state: &mut State, root: Node, start: u64, written: usize, room: &mut Room) {
    room.finds.clear();
    room.written.clear();
    if written == 0 {
        return;
    }
    let is_near_known = written >= MANY && find_near(state, root, written);
    let State { log, graph, ball, .. } = &*state;
    let edges = state.limits().edges;
    let may_reach = |node| !is_near_known || node == root || ball.may_lead_to(node, edges);
    room.written.extend(log.since(start, graph, may_reach));
    if !room.written.is_empty() {
        // Oldest first, so that facts are found in the order in which they were made.
        room.written.reverse();
        reaching(state, root, start, written, room);
        room.finds.whole.drain(..).for_each(|node| state.graph.set_whole(node));
    }
}

/// Finds what a root reaches, unless that takes more steps than it is worth for so many written locations; whether it is found.
fn find_near(state: &mut State, root: Node, written: usize) -> bool {
    let edges = state.limits().edges;
    state.graph.fill_ball(&[root], None, edges, written * 2, &mut state.ball);
    state.ball.reaches(edges)
}

fn record_all(state: &mut State, thread: &mut Thread, end: End, found: &[Reaching]) {
    let root = ObjectId(state.graph.name(end.root));
    let bucket = state.tests.serial(&mut thread.attribution);
    let seen_on = state.tests.root_matters(&thread.attribution, root);
    let exit = u32::from(end.exit == Exit::Normal);
    for made in found.chunk_by(|one, next| one.write == next.write) {
        let Some(Latest { site, frame, .. }) = made.first().map(|reaching| reaching.write) else { continue };
        let from = state.frames.outermost(frame, root.0);
        let chain = state.frames.chain(frame, from);
        let group = state.exits_recorded.group([site, chain, end.method, bucket, seen_on, exit]);
        let mut definitions = [None; 2];
        for reaching in made {
            let direct = usize::from(reaching.kind == DefinitionKind::Direct);
            if !state.exits_recorded.was_recorded(group, reaching.variable << 1 | direct as u32) {
                record(state, thread, end, *reaching, chain, &mut definitions[direct]);
            }
        }
    }
}

/// Finds what reaches variables of a node; `logged` says how many writes there were before those of no matter were sorted out.
fn reaching(state: &mut State, node: Node, start: u64, logged: usize, room: &mut Room) {
    let State { registry, runtime, graph, vocabulary, .. } = state;
    let Some(root) = vocabulary.root(graph.tag(node), runtime, registry) else {
        return;
    };
    let Room { written, set, finds } = room;
    if logged >= MANY {
        let mut explorer = Explorer::new(state, Some(start), logged * 2, finds);
        explorer.below(node, root, Latest::default());
        if explorer.budget > 0 {
            let Explorer { cut, beyond, .. } = explorer;
            state.bounds.depth += u64::from(beyond);
            state.bounds.paths += u64::from(cut);
            return;
        }
        finds.clear();
    }
    let limits = state.limits();
    let mut ball = std::mem::take(&mut state.ball);
    if written.iter().any(|entry| entry.node != node) {
        state.graph.fill_ball(&[node], None, limits.edges, 32 + written.len() * 8, &mut ball);
    }
    let budget = limits.paths * 16 + written.len() * 32;
    let mut explorer = Explorer::new(state, None, budget, finds);
    let mut cut = false;
    for entry in written.iter() {
        if entry.node == node {
            set.only_from(node);
        } else {
            explorer.graph.search_from(node, &ball, entry.node, limits, set);
        }
        for path in set.paths.iter().filter(|path| path.latest.moment < entry.write.moment) {
            explorer.through(entry, path, set, root);
        }
        cut |= set.cut;
    }
    let Explorer { beyond, budget, cut: held_more, .. } = explorer;
    state.bounds.depth += u64::from(beyond);
    state.bounds.paths += u64::from(cut || held_more || budget == 0);
    state.ball = ball;
}

/// A location as the search meets it.
struct Location {
    slot: Slot,
    /// Its latest write.
    own: Latest,
    /// What it refers to.
    target: Option<Node>,
}

impl Location {
    #[inline]
    fn of(slot: Slot, cell: &Cell) -> Self {
        Self { slot, own: cell.write, target: cell.target }
    }
}

/// Looks for variables below a node.
struct Explorer<'a> {
    graph: &'a Graph,
    registry: &'a mut Registry,
    runtime: &'a mut Runtime,
    vocabulary: &'a mut Vocabulary,
    /// Forward: the start of the invocation. Backward: none, every write found is one of the invocation.
    start: Option<u64>,
    depth: usize,
    /// Locations that may still be looked at.
    budget: usize,
    finds: &'a mut Finds,
    /// Most things followed of those one container holds.
    most: usize,
    /// Whether a container held more.
    cut: bool,
    /// Whether some path was left out for its length.
    beyond: bool,
}

impl<'a> Explorer<'a> {
    fn new(state: &'a mut State, start: Option<u64>, budget: usize, finds: &'a mut Finds) -> Self {
        let depth = state.config.depth.max(1) as usize;
        let most = state.config.paths.max(1) as usize;
        let State { registry, runtime, graph, vocabulary, .. } = state;
        let (cut, beyond) = (false, false);
        Self { graph, registry, runtime, vocabulary, start, depth, budget, finds, most, cut, beyond }
    }

    /// One path of `set` to the node of a written location, which is the latest on it.
    fn through(&mut self, entry: &Logged, path: &Path, set: &PathSet, root: VariableIndex) {
        let prefix = self.vocabulary.along(root, set, path);
        let variable = self.vocabulary.longer(prefix, entry.slot.step());
        self.finds.found.push(Reaching { variable, kind: DefinitionKind::Direct, write: entry.write });
        let target = self.graph.cell(entry.node, entry.slot).and_then(|cell| cell.target);
        if target.is_some() || entry.slot == Slot::CONTENTS {
            self.finds.on_path.clear();
            self.finds.on_path.extend(set.edges(path).iter().map(|edge| edge.source));
            self.finds.on_path.push(entry.node);
            self.below_location(entry.slot, target, variable, entry.write);
        }
    }

    /// Goes on to what the location of the last node on the path refers to.
    fn below_location(&mut self, slot: Slot, target: Option<Node>, variable: VariableIndex, latest: Latest) {
        if let Some(target) = target {
            self.follow(target, variable, latest);
        }
        if let Some(container) = self.finds.on_path.last().copied().filter(|_| slot == Slot::CONTENTS) {
            // What came last is what a definition is most likely made for.
            let mut held = self.graph.held(container).rev();
            for element in held.by_ref().take(self.most) {
                self.follow(element, variable, latest);
            }
            self.cut |= held.next().is_some();
        }
    }

    /// Goes on to the node an edge refers to, unless the path was there or is as long as it may be.
    fn follow(&mut self, target: Node, prefix: VariableIndex, latest: Latest) {
        if self.finds.on_path.contains(&target) {
            return;
        }
        if self.finds.on_path.len() == self.depth {
            self.beyond = true;
        } else {
            self.below(target, prefix, latest);
        }
    }

    /// The locations of a node at the end of a path whose latest write is `latest`, and everything below them: its written
    /// locations, its fields that were never written, and one more for the elements of an array that were not, should there be such.
    fn below(&mut self, node: Node, prefix: VariableIndex, latest: Latest) {
        self.finds.on_path.push(node);
        let graph = self.graph;
        let mut at = 0;
        for (slot, cell) in graph.fields(node) {
            self.location(Location::of(slot, cell), prefix, latest, &mut at);
        }
        self.elements(node, prefix, latest);
        if !graph.is_whole(node) {
            self.unwritten(node, prefix, latest);
        }
        self.finds.on_path.pop();
    }

    /// The locations of a node that were never written.
    fn unwritten(&mut self, node: Node, prefix: VariableIndex, latest: Latest) {
        let graph = self.graph;
        let tag = graph.tag(node);
        self.runtime.lay_out(tag, self.registry);
        let (mut fields, mut whole, mut at) = (0, true, 0);
        while let Some(slot) = self.runtime.layout(tag).get(fields).copied() {
            fields += 1;
            if graph.cell(node, slot).is_none() {
                whole = false;
                let location = Location { slot, own: graph.unwritten(node), target: None };
                self.location(location, prefix, latest, &mut at);
            }
        }
        let array = self.runtime.is_array(tag);
        let contents = self.runtime.is_container(tag) && graph.cell(node, Slot::CONTENTS).is_none();
        if contents || array && !graph.is_filled(node) {
            let location = Location { slot: Slot::CONTENTS, own: graph.unwritten(node), target: None };
            self.location(location, prefix, latest, &mut at);
        } else if whole && tag != UNKNOWN && !array {
            self.finds.whole.push(node);
        }
    }

    /// The elements of an array. What is to be found below the array by backward search is one variable, so when nothing is looked
    /// for below that, they need not all be looked at; they all count.
    fn elements(&mut self, array: Node, prefix: VariableIndex, latest: Latest) {
        let graph = self.graph;
        let last = self.finds.on_path.len() == self.depth;
        let count = graph.elements_count(array).filter(|_| last || !graph.elements_refer(array));
        let mut at = 0;
        let Some(count) = count.filter(|_| self.start.is_none()) else {
            for (slot, cell) in graph.elements(array) {
                if self.budget == 0 {
                    break;
                }
                self.location(Location::of(slot, cell), prefix, latest, &mut at);
            }
            return;
        };
        for (seen, (slot, cell)) in graph.elements(array).enumerate() {
            if self.budget == 0 {
                break;
            }
            let found = self.finds.found.len();
            self.location(Location::of(slot, cell), prefix, latest, &mut at);
            let shows_all = self.finds.found.len() > found || latest.is_unknown();
            if shows_all && (self.beyond || !graph.elements_refer(array)) {
                self.budget = self.budget.saturating_sub(count - seen - 1);
                break;
            }
        }
    }

    /// A location of the node at the end of a path. `at` is where the vocabulary last found a longer variable.
    #[inline]
    fn location(&mut self, location: Location, prefix: VariableIndex, latest: Latest, at: &mut usize) {
        let Location { slot, own, target } = location;
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        let direct = own.moment > latest.moment;
        if direct && self.start.is_none() {
            // A later write; it is looked at for itself if it is one of the invocation.
            return;
        }
        let (kind, write) =
            if direct { (DefinitionKind::Direct, own) } else { (DefinitionKind::Nested, latest) };
        let variable = self.vocabulary.next_longer(prefix, slot.step(), at);
        if self.start.is_none_or(|start| write.moment >= start) && !write.is_unknown() {
            self.finds.found.push(Reaching { variable, kind, write });
        }
        if target.is_some() || slot == Slot::CONTENTS {
            self.below_location(slot, target, variable, write);
        }
    }
}

/// Records a definition that reaches, made in the context `chain`. `known` is its number once it was recorded for any variable.
fn record(
    state: &mut State,
    thread: &mut Thread,
    end: End,
    reaching: Reaching,
    chain: ChainIndex,
    known: &mut Option<DefinitionId>,
) {
    let State { registry, graph, frames, vocabulary, tests, .. } = state;
    let Reaching { variable, kind, write } = reaching;
    let root = ObjectId(graph.name(end.root));
    let variable = vocabulary.variable(variable, registry);
    let definition =
        *known.get_or_insert_with(|| vocabulary.definition(write.site, kind, chain, frames, registry));
    let method = vocabulary.method(end.method, registry);
    let exit = vocabulary.exit(variable, method, end.exit, definition);
    tests.record(&mut thread.attribution, WitnessFact::Exit(exit), root);
}
