//! Frames as definitions remember them, and the contexts they give.
//!
//! Knows nothing of threads or moments. A frame is (caller, method, receiver), shared by all invocations that agree in
//! these three, because the context of an access with respect to a root depends on nothing else. Invariant: frame
//! numbers carry no order, a frame's depth is its caller's plus one, and only [`Frames::sweep`] drops frames, those that
//! nothing refers to any more.

use crate::registry::MethodIndex;
use crate::roots::{NO_ROOTS, RootSets, RootsIndex};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// A frame; [`NO_FRAME`] stands for no program frame at all.
pub type FrameIndex = u32;
/// The caller of an outermost frame, and the frame of an access that no program frame executes.
pub const NO_FRAME: FrameIndex = u32::MAX;
/// No depth.
const ABSENT: u32 = u32::MAX;
/// For how many receivers a frame keeps the outermost frame: objects that call each other were often made one after the other.
const RECEIVERS: usize = 4;
/// The receiver of a constructor's frame until it is known.
pub const UNBOUND: u64 = 0;

/// Depths from which chains to a frame were asked for, and the chains.
type Asked = SmallVec<[(u32, ChainIndex); 3]>;

#[derive(Clone, Debug)]
struct Frame {
    caller: FrameIndex,
    method: MethodIndex,
    /// Name of the receiver's node.
    receiver: u64,
    /// 0 for an outermost frame.
    depth: u32,
    /// The frame entered last from this one.
    callee: FrameIndex,
    /// Whether a frame that knows its receiver, or is not its super constructor's, was entered from this one.
    has_callees: bool,
    asked: Asked,
    /// The receivers of this frame and its callers, as of a state of [`Frames::binding`].
    roots: (u32, RootsIndex),
    /// For receivers asked for, by their last bits.
    outermost: [Outermost; RECEIVERS],
}

/// The depth of the outermost frame on a receiver, [`ABSENT`] if there is none, as of a state of [`Frames::binding`].
#[derive(Clone, Copy, Debug, Default)]
struct Outermost {
    binding: u32,
    depth: u32,
    receiver: u64,
}

impl Frame {
    #[inline]
    fn known_outermost(&self, binding: u32, receiver: u64) -> Option<u32> {
        let known = &self.outermost[receiver as usize % RECEIVERS];
        (known.binding == binding && known.receiver == receiver).then_some(known.depth)
    }
}

/// A chain of methods: repeated ones collapsed, cut in the middle when too long.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Chain {
    /// The first methods, all of them unless cut.
    pub head: Vec<MethodIndex>,
    /// The last methods of a cut chain.
    pub tail: VecDeque<MethodIndex>,
    /// Whether methods between head and tail are left out.
    pub cut: bool,
}

/// Number of a chain; 0 is the empty one.
pub type ChainIndex = u32;

/// All frames and chains.
#[derive(Debug)]
pub struct Frames {
    frames: Vec<Frame>,
    /// By frame its caller, [`NO_FRAME`] for one that was dropped, and whether a write may name it: apart from the rest, because a sweep
    /// looks at those of all frames.
    callers: Vec<FrameIndex>,
    wrote: Vec<bool>,
    unused: Vec<FrameIndex>,
    shared: FxHashMap<(FrameIndex, MethodIndex, u64), FrameIndex>,
    chains: Vec<Chain>,
    chain_numbers: FxHashMap<Chain, ChainIndex>,
    appended: FxHashMap<(ChainIndex, MethodIndex), ChainIndex>,
    limit: usize,
    root_sets: RootSets,
    /// Changes when sets of receivers that were asked for may have changed.
    binding: u32,
}

fn known_chain(frame: &Frame, from: u32) -> Option<ChainIndex> {
    frame.asked.iter().find(|(depth, _)| *depth == from).map(|(_, chain)| *chain)
}

impl Frames {
    /// `limit`: the longest chain that is not cut.
    pub fn new(limit: usize) -> Self {
        let empty = Chain::default();
        Self {
            frames: vec![],
            callers: vec![],
            wrote: vec![],
            unused: vec![],
            shared: FxHashMap::default(),
            chain_numbers: FxHashMap::from_iter([(empty.clone(), 0)]),
            chains: vec![empty],
            appended: FxHashMap::default(),
            limit: limit.max(1),
            root_sets: RootSets::default(),
            binding: 1,
        }
    }

    /// The frame of `method` on `receiver` called from `caller`.
    #[inline]
    pub fn enter(&mut self, caller: FrameIndex, method: MethodIndex, receiver: u64) -> FrameIndex {
        if let Some(last) = self.frames.get(caller as usize).map(|frame| frame.callee)
            && let Some(frame) = self.frames.get(last as usize)
            && (frame.method, frame.receiver) == (method, receiver)
            && self.callers.get(last as usize) == Some(&caller)
        {
            return last;
        }
        let frame = match self.shared.get(&(caller, method, receiver)) {
            Some(frame) => *frame,
            None => {
                let frame = self.add(caller, method, receiver);
                self.shared.insert((caller, method, receiver), frame);
                frame
            }
        };
        if let Some(caller) = self.frames.get_mut(caller as usize) {
            caller.callee = frame;
            caller.has_callees = true;
        }
        frame
    }

    /// A frame of a constructor whose receiver [`Frames::bind`] sets later; it is shared with no other invocation.
    /// `linked`: it has the receiver of its caller.
    pub fn enter_unbound(&mut self, caller: FrameIndex, method: MethodIndex, linked: bool) -> FrameIndex {
        if let Some(caller) = self.frames.get_mut(caller as usize) {
            caller.has_callees |= !linked;
        }
        self.add(caller, method, UNBOUND)
    }

    /// Sets the receiver of an unbound frame. Returns whether contexts of frames below it changed by that.
    pub fn bind(&mut self, frame: FrameIndex, receiver: u64) -> bool {
        let Some(frame) = self.frames.get_mut(frame as usize) else {
            return false;
        };
        frame.receiver = receiver;
        frame.roots = (0, NO_ROOTS);
        frame.outermost = [Outermost::default(); RECEIVERS];
        self.binding += u32::from(frame.has_callees);
        frame.has_callees
    }

    /// The receivers of a frame and its callers, as far as they are known. Numbers hold until a bind or sweep.
    #[inline]
    pub fn roots(&mut self, frame: FrameIndex) -> RootsIndex {
        match self.frames.get(frame as usize) {
            None => NO_ROOTS,
            Some(frame) if frame.roots.0 == self.binding => frame.roots.1,
            Some(_) => self.find_roots(frame),
        }
    }

    fn find_roots(&mut self, frame: FrameIndex) -> RootsIndex {
        let mut unknown: SmallVec<[FrameIndex; 16]> = SmallVec::new();
        let (mut at, mut roots) = (frame, NO_ROOTS);
        while let Some(frame) = self.frames.get(at as usize) {
            if frame.roots.0 == self.binding {
                roots = frame.roots.1;
                break;
            }
            unknown.push(at);
            at = frame.caller;
        }
        for at in unknown.into_iter().rev() {
            let frame = &mut self.frames[at as usize];
            if frame.receiver != UNBOUND {
                roots = self.root_sets.with(roots, frame.receiver);
            }
            frame.roots = (self.binding, roots);
        }
        roots
    }

    fn add(&mut self, caller: FrameIndex, method: MethodIndex, receiver: u64) -> FrameIndex {
        let depth = self.frames.get(caller as usize).map_or(0, |frame| frame.depth + 1);
        let frame = Frame {
            caller,
            method,
            receiver,
            depth,
            callee: NO_FRAME,
            has_callees: false,
            asked: Asked::new(),
            roots: (0, NO_ROOTS),
            outermost: [Outermost::default(); RECEIVERS],
        };
        match self.unused.pop() {
            Some(index) => {
                self.frames[index as usize] = frame;
                self.callers[index as usize] = caller;
                index
            }
            None => {
                self.frames.push(frame);
                self.callers.push(caller);
                self.wrote.push(false);
                (self.frames.len() - 1) as FrameIndex
            }
        }
    }

    /// The depth of a frame, 0 for an outermost one.
    pub fn depth(&self, frame: FrameIndex) -> u32 {
        self.frames.get(frame as usize).map_or(0, |frame| frame.depth)
    }

    /// The depth of the outermost frame on `receiver` among a frame and its callers; 0 when there is none, so that the
    /// context begins with the outermost frame.
    #[inline]
    pub fn outermost(&mut self, frame: FrameIndex, receiver: u64) -> u32 {
        let Some(known) = self.frames.get(frame as usize) else { return 0 };
        match known.known_outermost(self.binding, receiver) {
            Some(ABSENT) => 0,
            Some(depth) => depth,
            None => self.find_outermost(frame, receiver),
        }
    }

    /// Stacks may be deep: what is found is kept at every frame on the way.
    fn find_outermost(&mut self, frame: FrameIndex, receiver: u64) -> u32 {
        let mut unknown: SmallVec<[FrameIndex; 16]> = SmallVec::new();
        let (mut at, mut found) = (frame, None);
        while let Some(frame) = self.frames.get(at as usize) {
            if let Some(depth) = frame.known_outermost(self.binding, receiver) {
                found = Some(depth).filter(|depth| *depth != ABSENT);
                break;
            }
            unknown.push(at);
            at = frame.caller;
        }
        for at in unknown.into_iter().rev() {
            let frame = &mut self.frames[at as usize];
            if frame.receiver == receiver {
                found = found.or(Some(frame.depth));
            }
            let now = Outermost { binding: self.binding, depth: found.unwrap_or(ABSENT), receiver };
            frame.outermost[receiver as usize % RECEIVERS] = now;
        }
        found.unwrap_or(0)
    }

    /// The chain of methods from the frame at depth `from` down to `frame`; the empty one for [`NO_FRAME`].
    #[inline]
    pub fn chain(&mut self, frame: FrameIndex, from: u32) -> ChainIndex {
        let known = self.frames.get(frame as usize).and_then(|frame| known_chain(frame, from));
        known.unwrap_or_else(|| self.find_chain(frame, from))
    }

    fn find_chain(&mut self, frame: FrameIndex, from: u32) -> ChainIndex {
        let mut below: SmallVec<[(FrameIndex, MethodIndex); 16]> = SmallVec::new();
        let mut at = frame;
        let mut chain = 0;
        while let Some(frame) = self.frames.get(at as usize).filter(|frame| frame.depth >= from) {
            if let Some(known) = known_chain(frame, from) {
                chain = known;
                break;
            }
            below.push((at, frame.method));
            at = frame.caller;
        }
        for (frame, method) in below.into_iter().rev() {
            chain = self.append(chain, method);
            if let Some(frame) = self.frames.get_mut(frame as usize) {
                frame.asked.push((from, chain));
            }
        }
        chain
    }

    fn append(&mut self, chain: ChainIndex, method: MethodIndex) -> ChainIndex {
        if let Some(known) = self.appended.get(&(chain, method)) {
            return *known;
        }
        let longer = self.longer(&self.chains[chain as usize], method);
        let number = match self.chain_numbers.get(&longer) {
            Some(number) => *number,
            None => {
                let number = self.chains.len() as ChainIndex;
                self.chains.push(longer.clone());
                self.chain_numbers.insert(longer, number);
                number
            }
        };
        self.appended.insert((chain, method), number);
        number
    }

    fn longer(&self, chain: &Chain, method: MethodIndex) -> Chain {
        let mut longer = chain.clone();
        if longer.tail.back().or(longer.head.last()) == Some(&method) {
            return longer;
        }
        if longer.cut {
            longer.tail.push_back(method);
            longer.tail.pop_front();
        } else {
            longer.head.push(method);
            if longer.head.len() > self.limit {
                // One half from each end, the outer one larger.
                let tail = self.limit / 2;
                longer.tail = longer.head.split_off(longer.head.len() - tail).into();
                longer.head.truncate(self.limit - tail);
                longer.cut = true;
            }
        }
        longer
    }

    /// A chain by its number.
    pub fn methods(&self, chain: ChainIndex) -> &Chain {
        &self.chains[chain as usize]
    }

    /// How many frames are kept.
    pub fn len(&self) -> usize {
        self.frames.len() - self.unused.len()
    }

    /// A frame made a write.
    #[inline]
    pub fn wrote(&mut self, frame: FrameIndex) {
        if let Some(wrote) = self.wrote.get_mut(frame as usize) {
            *wrote = true;
        }
    }

    /// Those that writes in `named` name, and no others, made one.
    pub fn wrote_only(&mut self, named: impl Iterator<Item = FrameIndex>) {
        self.wrote.fill(false);
        named.for_each(|frame| self.wrote(frame));
    }

    /// Drops every frame that is not active, made no write and does not call one that is or did. What else was known of it goes when
    /// its number is given again.
    pub fn sweep(&mut self, active: impl Iterator<Item = FrameIndex>) {
        let mut marked = vec![false; self.frames.len()];
        let wrote = (0..).zip(&self.wrote).filter(|(_, wrote)| **wrote).map(|(at, _)| at);
        for frame in active.chain(wrote) {
            let mut at = frame;
            while let Some(mark) = marked.get_mut(at as usize).filter(|mark| !**mark) {
                *mark = true;
                at = self.callers[at as usize];
            }
        }
        self.shared.retain(|_, frame| marked[*frame as usize]);
        self.root_sets.clear();
        self.binding += 1;
        self.unused.clear();
        for (at, _) in marked.iter().enumerate().rev().filter(|(_, marked)| !**marked) {
            self.callers[at] = NO_FRAME;
            self.wrote[at] = false;
            self.unused.push(at as FrameIndex);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_that_was_dropped_is_made_anew_when_it_is_entered_again() {
        let mut frames = Frames::new(16);
        let caller = frames.enter(NO_FRAME, 0, 5);
        let callee = frames.enter(caller, 1, 6);
        assert_eq!((frames.enter(caller, 1, 6), frames.len()), (callee, 2));
        frames.sweep([caller].into_iter());
        assert_eq!(frames.len(), 1);
        let again = frames.enter(caller, 1, 6);
        assert_eq!(
            (frames.len(), frames.depth(again)),
            (2, 1),
            "it counts, and its number is given to nobody else"
        );
        assert_ne!(frames.enter(caller, 2, 6), again);
    }

    #[test]
    fn a_frame_that_wrote_stays_and_its_number_says_nothing_of_the_next_one_that_has_it() {
        let mut frames = Frames::new(16);
        let caller = frames.enter(NO_FRAME, 0, 5);
        let writer = frames.enter(caller, 1, 6);
        frames.wrote(writer);
        frames.sweep([].into_iter());
        assert_eq!(frames.len(), 2, "its caller stays as well");
        frames.wrote_only([].into_iter());
        frames.sweep([].into_iter());
        assert_eq!(frames.len(), 0);
        let next = frames.enter(NO_FRAME, 2, 7);
        frames.sweep([].into_iter());
        assert!(frames.len() == 0 && [caller, writer].contains(&next), "{next} made no write");
    }

    #[test]
    fn the_outermost_frame_on_a_receiver_is_found_again_after_a_constructor_knows_its_own() {
        let mut frames = Frames::new(16);
        let caller = frames.enter(NO_FRAME, 0, 5);
        let constructor = frames.enter_unbound(caller, 1, false);
        let outermost =
            |frames: &mut Frames| [5, 8, 9].map(|receiver| frames.outermost(constructor, receiver));
        assert_eq!([outermost(&mut frames), outermost(&mut frames)], [[0; 3]; 2]);
        assert!(!frames.bind(constructor, 8), "nobody was called from it");
        assert_eq!([outermost(&mut frames), outermost(&mut frames)], [[0, 1, 0]; 2]);
    }
}
