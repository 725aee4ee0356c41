//! Entries of basic blocks as they are remembered: which blocks were entered when, and which facts of them are known.
//!
//! Knows neither the state of the analysis nor where facts go. Invariant: the tables may forget, but what they hold is true: a fact they
//! know was recorded, and a snapshot lists what reached the root when it was taken.

use crate::frames::{ChainIndex, FrameIndex, Frames};
use crate::reaching::Reaching;
use crate::recent::slot_of;
use crate::vocabulary::VariableIndex;
use dynaflow_memgraph::{Graph, Node, Slot};
use dynaflow_model::facts::DefinitionKind;
use dynaflow_model::words::SITE_LIMIT;
use rustc_hash::FxHashMap;

const PLACES_BITS: u32 = 14;
const KNOWN_BITS: u32 = 16;
const SNAPSHOT_BITS: u32 = 6;
const SEEN_BITS: u32 = 16;
/// Containers that may hold more than before; when there are more of them, nothing is taken for known.
const MOST_HOLDERS: usize = 64;

/// The basic blocks entered by frames on one receiver, since the outermost one began.
#[derive(Debug, Default)]
pub struct Entered {
    /// Entries in their order; those of a block that was entered again later are stale.
    order: Vec<(u64, u32)>,
    /// By block, its last entry.
    last: FxHashMap<u32, u64>,
}

impl Entered {
    /// A block is entered.
    pub fn push(&mut self, block: u32, moment: u64) {
        self.last.insert(block, moment);
        self.order.push((moment, block));
        if self.order.len() > 2 * self.last.len() + 16 {
            let last = &self.last;
            self.order.retain(|(moment, block)| last.get(block) == Some(moment));
        }
    }

    /// The moment of the latest entry.
    fn now(&self) -> u64 {
        self.order.last().map_or(0, |(moment, _)| *moment)
    }

    /// Last entries of blocks, the latest first.
    fn latest_first(&self) -> impl Iterator<Item = (u64, u32)> {
        let fresh = |(moment, block): &(u64, u32)| self.last.get(block) == Some(moment);
        self.order.iter().rev().copied().filter(fresh)
    }
}

/// A use of a variable of a receiver.
#[derive(Clone, Copy, Debug)]
pub struct Used {
    /// The variable.
    pub variable: VariableIndex,
    /// Where.
    pub site: u32,
    /// Its context.
    pub chain: ChainIndex,
    /// When the outermost invocation on the root began.
    pub activity: u64,
    /// The moment of the reaching definition, 0 if there is none.
    pub latest: u64,
}

/// At a use, the blocks last entered after `from`, up to `to`, were recorded for it.
#[derive(Clone, Copy, Debug, Default)]
struct Recorded {
    key: [u32; 5],
    from: u64,
    to: u64,
}

/// A block was entered on a root, and what reached then is recorded.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    root: u64,
    block: u32,
    moment: u64,
}

/// A frame's context with respect to a root.
#[derive(Clone, Copy, Debug, Default)]
struct Context {
    /// Frame, root and era.
    key: [u32; 4],
    chain: ChainIndex,
}

/// What reached a root at a moment, as far as it was made from another one on. It holds while nothing is written.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// The root's name.
    pub root: u64,
    /// What was made before is left out.
    pub from: u64,
    /// When it was taken.
    pub at: u64,
    /// What reached.
    pub found: Vec<Reaching>,
}

/// A block and a definition that reaches it, or a use that is reachable from it.
type Fact = [u32; 4];

/// What is remembered of entries. All tables are lossy: what was forgotten is only looked at again.
#[derive(Debug)]
pub struct Blocks {
    known: Box<[Known]>,
    recorded: Box<[Recorded]>,
    contexts: Box<[Context]>,
    seen: Box<[Fact]>,
    snapshots: Vec<Snapshot>,
    /// The moment of the latest entry.
    latest: u64,
    /// What was known at this moment or before is not any more.
    doubtful: u64,
    /// Containers that hold more than at the latest entry, and arrays.
    holders: Vec<Node>,
}

impl Default for Blocks {
    fn default() -> Self {
        Self {
            known: vec![Known::default(); 1 << KNOWN_BITS].into_boxed_slice(),
            recorded: vec![Recorded::default(); 1 << PLACES_BITS].into_boxed_slice(),
            contexts: vec![Context::default(); 1 << PLACES_BITS].into_boxed_slice(),
            seen: vec![[0; 4]; 1 << SEEN_BITS].into_boxed_slice(),
            snapshots: std::iter::repeat_with(Snapshot::default).take(1 << SNAPSHOT_BITS).collect(),
            latest: 0,
            doubtful: 0,
            holders: vec![],
        }
    }
}

impl Blocks {
    /// A container may hold more than it did, or an array that is seen for the first time refers to something.
    pub fn holds_more(&mut self, container: Node) {
        if self.holders.len() < MOST_HOLDERS && self.holders.last() != Some(&container) {
            self.holders.push(container);
        }
    }

    /// Whether what containers hold by now was found through writes of their contents, or else must be looked for.
    pub fn settle(&mut self, graph: &Graph) {
        if self.holders.is_empty() {
            return;
        }
        self.snapshots.iter_mut().for_each(|snapshot| snapshot.root = 0);
        let since = self.latest;
        let written = |holder: &Node| {
            let contents = graph.cell(*holder, Slot::CONTENTS);
            contents.is_some_and(|contents| contents.write.moment > since)
        };
        if self.holders.len() == MOST_HOLDERS || !self.holders.iter().all(written) {
            self.doubtful = since;
        }
        self.holders.clear();
    }

    /// A block is entered on a root now; since when it is not known what reaches it, if anything is known.
    pub fn enter(&mut self, root: u64, block: u32, moment: u64) -> Option<u64> {
        self.latest = self.latest.max(moment);
        let place = slot_of(&[root as u32, (root >> 32) as u32, block], KNOWN_BITS);
        let known = std::mem::replace(self.known.get_mut(place)?, Known { root, block, moment });
        ((known.root, known.block) == (root, block) && known.moment > self.doubtful).then_some(known.moment)
    }

    /// The context of a frame's accesses with respect to a root.
    pub fn context(&mut self, frames: &mut Frames, frame: FrameIndex, root: u64, era: u32) -> ChainIndex {
        let key = [frame, root as u32, (root >> 32) as u32, era];
        let Some(known) = self.contexts.get_mut(slot_of(&key, PLACES_BITS)) else { return 0 };
        // No object has the number 0 that places have at first.
        if known.key != key {
            let from = frames.outermost(frame, root);
            *known = Context { key, chain: frames.chain(frame, from) };
        }
        known.chain
    }

    /// Records for a use every block that it is reachable from, but for those it was recorded for before.
    pub fn used(&mut self, entered: &Entered, used: Used, mut record: impl FnMut(u32)) {
        let activity = [used.activity as u32, (used.activity >> 32) as u32];
        let key = [activity[0], activity[1], used.variable, used.site, used.chain];
        let Some(recorded) = self.recorded.get_mut(slot_of(&key, PLACES_BITS)) else { return };
        if recorded.key != key {
            *recorded = Recorded { key, from: 0, to: 0 };
        }
        for (moment, block) in entered.latest_first().take_while(|(moment, _)| *moment > used.latest) {
            if moment > recorded.to || moment <= recorded.from {
                if is_new(&mut self.seen, [block << 2 | USE, used.variable, used.site, used.chain]) {
                    record(block);
                }
            } else if used.latest >= recorded.from {
                break;
            }
        }
        recorded.from = if used.latest <= recorded.to { recorded.from.min(used.latest) } else { used.latest };
        recorded.to = entered.now();
    }

    /// Takes what is remembered of what reaches a root; it may be another root's.
    pub fn take_snapshot(&mut self, root: u64) -> Snapshot {
        self.snapshots.get_mut(snapshot_place(root)).map(std::mem::take).unwrap_or_default()
    }

    /// Remembers what reaches a root.
    pub fn keep_snapshot(&mut self, snapshot: Snapshot) {
        if let Some(kept) = self.snapshots.get_mut(snapshot_place(snapshot.root)) {
            *kept = snapshot;
        }
    }

    /// Whether it is news that a definition, made in the context `chain`, reaches a block.
    pub fn is_new_reaching(&mut self, block: u32, reaching: Reaching, chain: ChainIndex) -> bool {
        let kind = if reaching.kind == DefinitionKind::Direct { DIRECT } else { NESTED };
        is_new(&mut self.seen, [block << 2 | kind, reaching.variable, reaching.write.site, chain])
    }
}

fn snapshot_place(root: u64) -> usize {
    slot_of(&[root as u32, (root >> 32) as u32], SNAPSHOT_BITS)
}

// The kinds of facts; a site's number has room for them.
const USE: u32 = 1;
const DIRECT: u32 = 2;
const NESTED: u32 = 3;
const _: () = assert!(SITE_LIMIT <= 1 << 30);

/// Whether a fact was not seen before, or so long ago that it was forgotten.
fn is_new(seen: &mut [Fact], fact: Fact) -> bool {
    let place = seen.get_mut(slot_of(&fact, SEEN_BITS));
    place.is_none_or(|known| std::mem::replace(known, fact) != fact)
}
