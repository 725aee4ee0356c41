//! What the analysis knows, shared by the steps that handle events.
//!
//! Knows nothing of words. Invariant: moments are given in the order of events, each once.

use crate::attribution::Tests;
use crate::entered::Blocks;
use crate::frames::Frames;
use crate::log::Log;
use crate::muting::Muting;
use crate::reaching::Room;
use crate::recent::{Recent, RecentFacts};
use crate::registry::{ClassIndex, Registry};
use crate::runtime::{self, Runtime, UNKNOWN};
use crate::thinning::{Thin, Thinning};
use crate::uses_memo::Memo;
use crate::vocabulary::Vocabulary;
use dynaflow_carve::Carver;
use dynaflow_memgraph::{Ball, Graph, Limits, Node, Routes, Slot};
use dynaflow_model::facts::BoundsHit;
use dynaflow_model::ids::ObjectId;
use rustc_hash::FxHashMap;

/// Bounds of the analysis, and what it does besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisConfig {
    /// Longest state variable, in steps; at least 1.
    pub depth: u32,
    /// Longest context, in frames; longer ones are cut in the middle.
    pub context: u32,
    /// Most paths followed from one object at one event.
    pub paths: u32,
    /// Whether the calls of test classes are carved into sequences.
    pub carve: bool,
    /// Whether facts per basic block are recorded.
    pub blocks: bool,
    /// About how many bytes the memory graph may take before what was not written for the longest time is forgotten.
    pub memory: usize,
    /// When events that show nothing new are left out, if ever: not with `blocks`, and with `carve` no whole invocations.
    pub thin: Option<Thin>,
    /// How many frames may be kept, at least, before those that nothing refers to any more are dropped. No fact depends on it.
    pub frames: usize,
}

impl Default for AnalysisConfig {
    fn default() -> Self {
        Self {
            depth: 5,
            context: 16,
            paths: 256,
            carve: false,
            blocks: false,
            memory: 4 << 30,
            thin: None,
            frames: 1 << 16,
        }
    }
}

/// Events that could not be understood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trouble {
    /// Words that say nothing, or events without their last words.
    pub garbage: u64,
    /// Exits, binds and accesses of methods that are not active.
    pub desynchronised: u64,
    /// Frames whose end was not recorded.
    pub unended: u64,
    /// Classes whose site numbers do not fit the wire format.
    pub refused_classes: u64,
    /// Calls that read objects from a stream of which not everything is known.
    pub restored_in_part: u64,
}

/// All state but the threads' own.
#[derive(Debug)]
pub struct State {
    /// Bounds.
    pub config: AnalysisConfig,
    /// For how many such ones an event stands: how often what it is part of was repeated.
    pub weight: u32,
    /// Class tables.
    pub registry: Registry,
    /// Runtime classes.
    pub runtime: Runtime,
    /// Objects and their locations.
    pub graph: Graph,
    /// The classes of objects that show the contents of others, and have the nodes of these.
    pub views: FxHashMap<u64, u32>,
    /// The arrays that lists show, each with the index of the element written last.
    pub viewed: FxHashMap<Node, u32>,
    /// By the class of a receiver and the site of a call: whether a call that is given a container runs a method of the JDK.
    pub given: FxHashMap<(u32, u32), bool>,
    /// By the numbers of their names, and whether they are static, the fields that streams and other hands name.
    pub stored: FxHashMap<(u32, bool), Option<(Slot, ClassIndex)>>,
    /// Frames and contexts.
    pub frames: Frames,
    /// Interned facts.
    pub vocabulary: Vocabulary,
    /// Whose facts.
    pub tests: Tests,
    /// Locations written while frames are active.
    pub log: Log,
    /// Paths from active roots found last.
    pub routes: Routes,
    /// How many nodes, paths and definitions were looked at.
    pub work: u64,
    /// Room for what a root reaches.
    pub ball: Ball,
    /// Room for the end of an invocation, while nobody uses it.
    pub room: Option<Box<Room>>,
    /// Reads seen last.
    pub memo: Memo,
    /// Uses recorded last.
    pub recent: Recent,
    /// Definitions at exits recorded last.
    pub exits_recorded: RecentFacts,
    /// What is remembered holds within one era: it ends when frames change their meaning.
    pub era: u32,
    /// A location written after this moment by the same site and frame as now need not be written again: neither an edge
    /// was written nor a frame entered since.
    pub barrier: u64,
    /// The latest moment given.
    pub clock: u64,
    /// What is remembered of entries of basic blocks, if facts per basic block are recorded.
    pub blocks: Option<Blocks>,
    /// What is left out.
    pub thinning: Thinning,
    /// Which invocations are.
    pub muting: Muting,
    /// Whether the present thread is in one that is.
    pub is_muted: bool,
    /// Objects that a thread may write at any time without a word, each with how many threads.
    pub blurred: FxHashMap<Node, u32>,
    /// The same of locations; the elements of an array count as one.
    pub blurred_places: FxHashMap<(Node, Slot), u32>,
    /// What bounds cut off.
    pub bounds: BoundsHit,
    /// What was not understood.
    pub trouble: Trouble,
}

/// A location, with one for all elements of an array.
pub fn place(node: Node, slot: Slot) -> (Node, Slot) {
    (node, slot.index().map_or(slot, |_| Slot::element(0)))
}

impl State {
    /// Nothing seen yet.
    pub fn new(config: AnalysisConfig) -> Self {
        let thin = config.thin.filter(|_| !config.blocks);
        Self {
            config,
            weight: 1,
            registry: Registry::default(),
            runtime: Runtime::default(),
            graph: Graph::default(),
            views: FxHashMap::default(),
            viewed: FxHashMap::default(),
            given: FxHashMap::default(),
            stored: FxHashMap::default(),
            frames: Frames::new(config.context as usize),
            vocabulary: Vocabulary::default(),
            tests: Tests::new(config.carve.then(Carver::new)),
            log: Log::default(),
            routes: Routes::default(),
            work: 0,
            ball: Ball::default(),
            room: None,
            memo: Memo::default(),
            recent: Recent::default(),
            exits_recorded: RecentFacts::default(),
            era: 0,
            barrier: 0,
            clock: 0,
            blocks: config.blocks.then(Blocks::default),
            thinning: Thinning::new(thin),
            // What test classes pass and get must have its number.
            muting: Muting::new(thin.filter(|_| !config.carve)),
            is_muted: false,
            blurred: FxHashMap::default(),
            blurred_places: FxHashMap::default(),
            bounds: BoundsHit::default(),
            trouble: Trouble::default(),
        }
    }

    /// The next moment.
    #[inline]
    pub fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    /// The node of an object; none for null and the sink.
    #[inline]
    pub fn object(&mut self, object: ObjectId) -> Option<Node> {
        object.is_object().then(|| self.graph.node(object.0, UNKNOWN))
    }

    /// From now on an object stands for the one whose contents it shows.
    pub fn show(&mut self, view: ObjectId, of: ObjectId, mirror: ObjectId) {
        if let Some(node) = self.object(of).filter(|_| view.is_object()) {
            self.graph.alias(view.0, node);
            if self.runtime.is_array(self.graph.tag(node)) {
                let graph = &self.graph;
                self.viewed.entry(node).or_insert_with(|| {
                    let writes = graph.element_writes(node, 0, u32::MAX);
                    writes.iter().max_by_key(|(_, write)| write.moment).map_or(0, |(index, _)| *index)
                });
            }
            self.views.insert(view.0, self.runtime.tag_of(mirror));
        }
    }

    /// A location was written; the contents of a list that shows an array are the elements.
    #[inline]
    pub fn wrote(&mut self, node: Node, slot: Slot) {
        if !self.viewed.is_empty()
            && let Some(index) = slot.index()
            && let Some(latest) = self.viewed.get_mut(&node)
        {
            *latest = index;
        }
    }

    /// Forgets a dead object that stood for the one with this node; false when it is the one.
    pub fn forget_view(&mut self, view: ObjectId, node: Node) -> bool {
        self.views.remove(&view.0);
        self.graph.unalias(view.0, node)
    }

    /// Whether a location may be written at any time without a word.
    #[inline]
    pub fn is_blurred(&self, node: Node, slot: Slot) -> bool {
        !self.blurred.is_empty() && self.blurred.contains_key(&node)
            || !self.blurred_places.is_empty() && self.blurred_places.contains_key(&place(node, slot))
    }

    /// The node of a loaded class.
    pub fn class_node(&mut self, class: u32) -> Node {
        let (name, tag) = runtime::class_node(class);
        self.graph.node(name, tag)
    }

    /// How far searches for paths go.
    pub fn limits(&self) -> Limits {
        let paths = self.config.paths.max(1) as usize;
        let edges = self.config.depth.max(1) as usize - 1;
        Limits { edges, paths, steps: paths * 8, patience: paths / 4, forward: paths }
    }
}
