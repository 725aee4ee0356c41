//! From the numbers of the analysis to the interned facts of the model.
//!
//! Knows nothing of events. Invariant: the fact table holds nothing that no fact needs, and ids are given in the order of
//! first sight.

use crate::foreseen::Foreseen;
use crate::frames::{ChainIndex, Frames};
use crate::recent::slot_of;
use crate::registry::{MethodIndex, Registry};
use crate::runtime::Runtime;
use dynaflow_memgraph::{Path, PathSet};
use dynaflow_model::facts::{
    Block, BlockId, Context, ContextId, DefAtExit, Definition, DefinitionId, DefinitionKind, EntryId, Exit,
    ExitId, FactTable, Method, MethodId, Pair, PairId, Place, PlaceId, ReachableUse, ReachingDefinition,
    Step, Sym, Use, UseAtEntry, UseId, Variable, VariableId,
};
use rustc_hash::FxHashMap;

/// Number of a state variable, or only of its root class; below the root class each is one step longer than another.
pub type VariableIndex = u32;

#[derive(Clone, Debug)]
struct VariableNode {
    parent: Option<VariableIndex>,
    root: Sym,
    /// Number of the field, 0 for elements and contents.
    step: u32,
    variable: Option<VariableId>,
    /// The variables one step longer that [`Vocabulary::next_longer`] gave, as step and number.
    longer: Vec<(u32, VariableIndex)>,
}

impl VariableNode {
    fn new(parent: Option<VariableIndex>, root: Sym, step: u32) -> Self {
        Self { parent, root, step, variable: None, longer: vec![] }
    }
}

const NEAR_BITS: u32 = 12;
/// Most variables one step longer that are kept beside a prefix.
const FEW: usize = 32;

#[derive(Debug)]
struct Near(Box<[(VariableIndex, u32, VariableIndex)]>);

impl Default for Near {
    fn default() -> Self {
        Self(vec![(VariableIndex::MAX, 0, 0); 1 << NEAR_BITS].into_boxed_slice())
    }
}

/// What is known by numbers that are given one after the other.
#[derive(Debug)]
struct Known<I>(Vec<Option<I>>);

impl<I> Default for Known<I> {
    fn default() -> Self {
        Self(vec![])
    }
}

impl<I: Copy> Known<I> {
    #[inline]
    fn get(&self, number: u32) -> Option<I> {
        self.0.get(number as usize).copied().flatten()
    }

    fn set(&mut self, number: u32, id: I) {
        let length = self.0.len().max(number as usize + 1);
        self.0.resize(length, None);
        self.0[number as usize] = Some(id);
    }
}

/// Which fact followed which.
#[derive(Debug, Default)]
struct Sequel {
    definitions: Foreseen,
    uses: Foreseen,
    pairs: Foreseen,
    entries: Foreseen,
    exits: Foreseen,
}

/// The fact table and what is known of it already.
#[derive(Debug, Default)]
pub struct Vocabulary {
    table: FactTable,
    sequel: Sequel,
    /// By site: words that are garbage name any.
    places: FxHashMap<u32, PlaceId>,
    /// By number.
    methods: Known<MethodId>,
    /// By chain.
    contexts: Known<ContextId>,
    blocks: FxHashMap<u32, BlockId>,
    roots: FxHashMap<u32, Option<VariableIndex>>,
    root_names: FxHashMap<Sym, VariableIndex>,
    prefixes: Vec<VariableNode>,
    longer: FxHashMap<(VariableIndex, u32), VariableIndex>,
    /// Entries of `longer` asked for last: prefix, step, result.
    near: Near,
    cut_contexts: u64,
}

impl Vocabulary {
    /// All facts so far.
    pub fn table(&self) -> &FactTable {
        &self.table
    }

    /// How many different contexts were cut.
    pub fn cut_contexts(&self) -> u64 {
        self.cut_contexts
    }

    /// The root class of a node with this tag; none when its class is not known.
    pub fn root(&mut self, tag: u32, runtime: &Runtime, registry: &Registry) -> Option<VariableIndex> {
        if let Some(known) = self.roots.get(&tag) {
            return *known;
        }
        let prefix = runtime.name(tag, registry).map(|name| {
            let root = self.table.sym(name);
            let fresh = self.prefixes.len() as VariableIndex;
            let prefix = *self.root_names.entry(root).or_insert(fresh);
            if prefix == fresh {
                self.prefixes.push(VariableNode::new(None, root, 0));
            }
            prefix
        });
        self.roots.insert(tag, prefix);
        prefix
    }

    /// A variable one step longer.
    #[inline]
    pub fn longer(&mut self, prefix: VariableIndex, step: u32) -> VariableIndex {
        let place = slot_of(&[prefix, step], NEAR_BITS);
        if let Some((_, _, known)) = self.near.0.get(place).filter(|near| (near.0, near.1) == (prefix, step))
        {
            return *known;
        }
        let longer = match self.longer.get(&(prefix, step)) {
            Some(known) => *known,
            None => self.make_longer(prefix, step),
        };
        if let Some(near) = self.near.0.get_mut(place) {
            *near = (prefix, step, longer);
        }
        longer
    }

    /// As [`Vocabulary::longer`], for who asks for one step after the other of the same prefix, most often in the same order. `at`
    /// is where the next one may stand, 0 at first.
    #[inline]
    pub fn next_longer(&mut self, prefix: VariableIndex, step: u32, at: &mut usize) -> VariableIndex {
        let known = self.prefixes.get(prefix as usize).and_then(|node| node.longer.get(*at));
        match known.filter(|known| known.0 == step) {
            Some(known) => {
                *at += 1;
                known.1
            }
            None => self.find_longer(prefix, step, at),
        }
    }

    /// The variable that the path of a set makes of its root's class, as far as the node the set belongs to.
    pub fn along(&mut self, root: VariableIndex, set: &PathSet, path: &Path) -> VariableIndex {
        set.edges(path).iter().fold(root, |prefix, edge| self.longer(prefix, edge.slot.step()))
    }

    fn find_longer(&mut self, prefix: VariableIndex, step: u32, at: &mut usize) -> VariableIndex {
        let known = self.prefixes.get(prefix as usize).map(|node| &node.longer);
        if let Some(place) = known.and_then(|known| known.iter().take(FEW).position(|known| known.0 == step))
        {
            *at = place;
            return self.next_longer(prefix, step, at);
        }
        let longer = self.longer(prefix, step);
        if let Some(node) = self.prefixes.get_mut(prefix as usize).filter(|node| node.longer.len() < FEW) {
            node.longer.push((step, longer));
            *at = node.longer.len();
        }
        longer
    }

    fn make_longer(&mut self, prefix: VariableIndex, step: u32) -> VariableIndex {
        let root = self.prefixes[prefix as usize].root;
        let longer = self.prefixes.len() as VariableIndex;
        self.prefixes.push(VariableNode::new(Some(prefix), root, step));
        self.longer.insert((prefix, step), longer);
        longer
    }

    /// The interned variable.
    pub fn variable(&mut self, prefix: VariableIndex, registry: &Registry) -> VariableId {
        let node = &self.prefixes[prefix as usize];
        if let Some(known) = node.variable {
            return known;
        }
        let (root, mut steps) = (node.root, vec![]);
        let mut at = (node.parent, node.step);
        while let (Some(parent), step) = at {
            steps.push(self.step(step, registry));
            let node = &self.prefixes[parent as usize];
            at = (node.parent, node.step);
        }
        steps.reverse();
        let variable = self.table.variables.intern(Variable { root, steps: steps.into() });
        self.prefixes[prefix as usize].variable = Some(variable);
        variable
    }

    fn step(&mut self, number: u32, registry: &Registry) -> Step {
        match registry.field(number) {
            Some(field) => {
                Step::Field { class: self.table.sym(&field.class), name: self.table.sym(&field.name) }
            }
            None => Step::Element,
        }
    }

    /// The interned method.
    pub fn method(&mut self, method: MethodIndex, registry: &Registry) -> MethodId {
        if let Some(known) = self.methods.get(method) {
            return known;
        }
        let (class, name, descriptor) = registry.method_names(method);
        let class = self.table.sym(class);
        let signature = self.table.sym(&format!("{name}{descriptor}"));
        let id = self.table.methods.intern(Method { class, signature });
        self.methods.set(method, id);
        id
    }

    fn place(&mut self, site: u32, registry: &Registry) -> PlaceId {
        if let Some(known) = self.places.get(&site) {
            return *known;
        }
        let op = registry.op(site);
        let method = self.method(op.method, registry);
        let (offset, line) = registry.position(op);
        let place = self.table.places.intern(Place { method, offset, line });
        self.places.insert(site, place);
        place
    }

    fn context(&mut self, chain: ChainIndex, frames: &Frames, registry: &Registry) -> ContextId {
        if let Some(known) = self.contexts.get(chain) {
            return known;
        }
        let methods = frames.methods(chain);
        let head = methods.head.iter().map(|method| self.method(*method, registry)).collect();
        let tail = methods.tail.iter().map(|method| self.method(*method, registry)).collect();
        let before = self.table.contexts.len();
        let id = self.table.contexts.intern(Context { head, tail, cut: methods.cut });
        self.cut_contexts += u64::from(methods.cut && self.table.contexts.len() > before);
        self.contexts.set(chain, id);
        id
    }

    /// A definition at a site in a context.
    pub fn definition(
        &mut self,
        site: u32,
        kind: DefinitionKind,
        chain: ChainIndex,
        frames: &Frames,
        registry: &Registry,
    ) -> DefinitionId {
        let place = self.place(site, registry);
        let context = self.context(chain, frames, registry);
        self.sequel.definitions.intern(&mut self.table.definitions, Definition { place, kind, context })
    }

    /// A use at a site in a context.
    pub fn usage(&mut self, site: u32, chain: ChainIndex, frames: &Frames, registry: &Registry) -> UseId {
        let place = self.place(site, registry);
        let context = self.context(chain, frames, registry);
        self.sequel.uses.intern(&mut self.table.uses, Use { place, context })
    }

    /// An executed pair.
    pub fn pair(&mut self, variable: VariableId, definition: DefinitionId, usage: UseId) -> PairId {
        self.sequel.pairs.intern(&mut self.table.pairs, Pair { variable, definition, usage })
    }

    /// A uses@entry fact.
    pub fn entry(&mut self, variable: VariableId, method: MethodId, usage: UseId) -> EntryId {
        self.sequel.entries.intern(&mut self.table.entries, UseAtEntry { variable, method, usage })
    }

    /// A defs@exit fact.
    pub fn exit(
        &mut self,
        variable: VariableId,
        method: MethodId,
        exit: Exit,
        definition: DefinitionId,
    ) -> ExitId {
        self.sequel.exits.intern(&mut self.table.exits, DefAtExit { variable, method, exit, definition })
    }

    /// The basic block that begins at a site.
    pub fn block(&mut self, site: u32, registry: &Registry) -> BlockId {
        if let Some(known) = self.blocks.get(&site) {
            return *known;
        }
        let place = self.place(site, registry);
        let number = registry.block_number(registry.op(site));
        let block = self.table.blocks.intern(Block { place, number });
        self.blocks.insert(site, block);
        block
    }

    /// A definition that reaches a block.
    pub fn reaching(&mut self, block: BlockId, variable: VariableId, definition: DefinitionId) {
        self.table.reaching.intern(ReachingDefinition { block, variable, definition });
    }

    /// A use that is reachable from a block.
    pub fn reachable(&mut self, block: BlockId, variable: VariableId, usage: UseId) {
        self.table.reachable.intern(ReachableUse { block, variable, usage });
    }
}
