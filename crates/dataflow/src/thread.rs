//! The stack of a thread: every active frame, those of test classes included, which objects are receivers, and the calls
//! that read objects from a stream.
//!
//! Knows nothing of facts. Invariant: `outermost` holds, for every node that is the receiver of an active program frame,
//! the lowest position of such a frame, as far as frames are settled; those that are not are the innermost ones.

use crate::attribution::Attribution;
use crate::entered::Entered;
use crate::frames::{FrameIndex, NO_FRAME};
use crate::registry::{ClassIndex, MethodIndex, Op};
use crate::thinning::News;
use dynaflow_memgraph::{Node, Slot};
use dynaflow_model::ids::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Most constructions remembered of one call.
const CONSTRUCTED: usize = 1 << 16;
/// Stands for any class.
pub const ANY_CLASS: ClassIndex = ClassIndex::MAX;

/// A call that reads objects from a stream and has not returned, as far as is known: when it throws, nothing is recorded.
#[derive(Debug)]
pub struct Restoring {
    /// How many frames were active.
    pub depth: usize,
    /// When it began.
    pub begin: u64,
    /// Objects that constructors of the program made meanwhile, with the classes of the constructors.
    constructed: FxHashSet<(ObjectId, ClassIndex)>,
}

impl Restoring {
    /// A call that begins now, below so many active frames.
    pub fn new(depth: usize, begin: u64) -> Self {
        Self { depth, begin, constructed: FxHashSet::default() }
    }

    /// A constructor of a class knows its receiver.
    pub fn constructed(&mut self, object: ObjectId, class: ClassIndex) {
        if self.constructed.len() < CONSTRUCTED {
            self.constructed.extend([(object, class), (object, ANY_CLASS)]);
        }
    }

    /// Whether a constructor of a class, or of any, made the object meanwhile, as far as is remembered.
    pub fn was_constructed(&self, object: ObjectId, class: ClassIndex) -> bool {
        self.constructed.contains(&(object, class))
    }

    /// Whether some constructions may not be remembered.
    pub fn is_full(&self) -> bool {
        self.constructed.len() >= CONSTRUCTED
    }
}

/// What a constructor that does not know its `this` yet did to it.
#[derive(Clone, Copy, Debug)]
pub enum Pending {
    /// A read.
    Read {
        /// Where.
        site: u32,
        /// The field.
        slot: Slot,
    },
    /// A write.
    Write {
        /// Where.
        site: u32,
        /// The field.
        slot: Slot,
        /// When.
        moment: u64,
        /// The value, null for leaves.
        value: ObjectId,
    },
    /// A basic block was entered.
    Block {
        /// The block.
        site: u32,
        /// When.
        moment: u64,
    },
}

/// A frame that nothing happened in so far: it is none of [`crate::frames::Frames`] yet, and its receiver is not known as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsettled {
    /// Of an instance method, on this object.
    Instance(ObjectId),
    /// Of a static method.
    Static,
}

/// An active frame.
#[derive(Debug)]
pub struct Active {
    /// The method.
    pub method: MethodIndex,
    /// Its frame; for a frame of a test class the nearest program frame below.
    pub frame: FrameIndex,
    /// Stands for the methods from the outermost program frame on.
    pub context: u32,
    /// What is to be done about it before something happens in it.
    pub unsettled: Option<Unsettled>,
    /// The receiver, once it is known.
    pub receiver: Option<Node>,
    /// Whether it is the outermost frame on its receiver.
    pub is_outermost: bool,
    /// The moment of its entry.
    pub start: u64,
    /// Whether it belongs to a test class and is no frame of the program.
    pub is_test: bool,
    /// Whether it is a constructor that does not know its receiver yet.
    pub unbound: bool,
    /// Whether it is the constructor that the constructor below invoked on its own `this`.
    pub linked: bool,
    /// Whether it is a constructor that invoked another one on its own `this`, which has not returned.
    pub in_super: bool,
    /// Whether it is a method that runs after tests.
    pub after: bool,
    /// Accesses that wait for the receiver.
    pub pending: Vec<Pending>,
    /// What was known at its entry, if invocations like it may be muted.
    pub before: Option<News>,
}

impl Active {
    /// A frame of a method of the program, entered at a moment, that nothing else is known of.
    pub fn of(method: MethodIndex, frame: FrameIndex, start: u64) -> Self {
        Self {
            method,
            frame,
            context: 0,
            unsettled: None,
            receiver: None,
            is_outermost: false,
            start,
            is_test: false,
            unbound: false,
            linked: false,
            in_super: false,
            after: false,
            pending: vec![],
            before: None,
        }
    }
}

/// Locations that a thread may write without a word until a frame of it ends; the elements of an array count as one.
#[derive(Debug, Default)]
pub struct Blurred {
    /// Each with how many frames are active until then.
    until: Vec<(usize, (Node, Slot))>,
    all: FxHashSet<(Node, Slot)>,
}

impl Blurred {
    /// Adds a location until the last of so many frames ends; false when it is one already.
    pub fn add(&mut self, frames: usize, place: (Node, Slot)) -> bool {
        let is_new = self.all.insert(place);
        if is_new {
            self.until.push((frames, place));
        }
        is_new
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.until.is_empty()
    }

    /// Takes out one that is not to be written any more now that only so many frames are active.
    pub fn take(&mut self, active: usize) -> Option<(Node, Slot)> {
        let (_, place) = self.until.pop_if(|(frames, _)| *frames > active)?;
        self.all.remove(&place);
        Some(place)
    }
}

/// A recorded thread.
#[derive(Debug, Default)]
pub struct Thread {
    /// Active frames, outermost first.
    pub stack: Vec<Active>,
    /// Stands for the class of the latest test that began on the thread.
    pub suite: u32,
    /// The moments of entry of the program frames, by depth.
    pub starts: Vec<u64>,
    outermost: FxHashMap<Node, u32>,
    /// How many of the innermost frames are not settled.
    unsettled: usize,
    /// How many frames wait for the constructor they invoked on their own `this`.
    in_super: usize,
    /// By receiver, the basic blocks its frames entered, if facts per basic block are recorded.
    pub entered: FxHashMap<Node, Entered>,
    /// A `SuperCall` whose constructor has not been entered yet.
    pub super_call: Option<Op>,
    /// A call returned and its value has not come yet; the site of the call.
    pub returning: Option<u32>,
    /// The container of the last call, if what was called is a method of the program: what came in and went out was recorded
    /// where that method did it.
    pub overridden: Option<ObjectId>,
    /// The calls that read objects from a stream and have not returned, innermost last.
    pub restoring: Vec<Restoring>,
    /// Whose facts this thread's are.
    pub attribution: Attribution,
    /// Whether it is in an invocation that is left out.
    pub is_muted: bool,
    /// How many calls that read objects from streams began before it.
    pub restoring_before: usize,
    /// Objects that it may write without a word then, because its stack overflowed.
    pub blurs: BTreeSet<Node>,
    /// Locations that it may write without a word, because the recorder leaves these writes out.
    pub blurred: Blurred,
    /// Whether its next event writes such ones from then on.
    pub blurs_next: bool,
    /// The object on which its next event happens then.
    pub muted_this: Option<ObjectId>,
}

impl Thread {
    /// The innermost program frame.
    pub fn frame(&self) -> FrameIndex {
        self.stack.last().map_or(NO_FRAME, |active| active.frame)
    }

    /// Stands for the class of the latest test and the methods of the program's frames.
    #[inline]
    pub fn context(&self) -> u32 {
        self.stack.last().map_or(self.suite, |active| active.context)
    }

    /// Puts a frame on top.
    #[inline]
    pub fn push(&mut self, active: Active) {
        if !active.is_test {
            self.starts.push(active.start);
        }
        self.unsettled += usize::from(active.unsettled.is_some());
        self.stack.push(active);
    }

    /// The positions of the frames that are not settled. From now on they count as settled.
    #[inline]
    pub fn take_unsettled(&mut self) -> std::ops::Range<usize> {
        let count = std::mem::take(&mut self.unsettled);
        self.stack.len() - count..self.stack.len()
    }

    /// Whether frames of the program are active.
    #[inline]
    pub fn is_in_program(&self) -> bool {
        !self.starts.is_empty()
    }

    /// Whether the innermost frame is one of a test class.
    pub fn in_test_class(&self) -> bool {
        self.stack.last().is_some_and(|top| top.is_test)
    }

    /// The innermost frame, if it is a constructor of `method` that does not know its receiver, invokes another one on its own `this`.
    pub fn begin_super(&mut self, method: MethodIndex) {
        let top = self.stack.last_mut().filter(|top| top.unbound && top.method == method && !top.in_super);
        if let Some(top) = top {
            top.in_super = true;
            self.in_super += 1;
        }
    }

    /// It returned, to the frame at a position.
    pub fn end_super(&mut self, position: usize) {
        if let Some(active) = self.stack.get_mut(position).filter(|active| active.in_super) {
            active.in_super = false;
            self.in_super -= 1;
        }
    }

    /// Whether the innermost frame waits for the constructor it invoked.
    #[inline]
    pub fn is_in_super(&self) -> bool {
        self.in_super > 0 && self.stack.last().is_some_and(|top| top.in_super)
    }

    /// Makes the frame at `position` known as one on `receiver`.
    #[inline]
    pub fn activate(&mut self, receiver: Node, position: usize) {
        let at = position as u32;
        let outermost = self.outermost.entry(receiver).or_insert(at);
        let before = std::mem::replace(outermost, at.min(*outermost));
        if before > at
            && let Some(active) = self.stack.get_mut(before as usize)
        {
            active.is_outermost = false;
        }
        if before >= at
            && let Some(active) = self.stack.get_mut(position)
        {
            active.is_outermost = true;
        }
    }

    /// The outermost active program frame on a node.
    #[inline]
    pub fn outermost(&self, receiver: Node) -> Option<&Active> {
        self.stack.get(*self.outermost.get(&receiver)? as usize)
    }

    /// Adds the receivers to a list, outermost first; false when the stack is so deep that it would take long.
    pub fn list_receivers(&self, list: &mut Vec<Node>) -> bool {
        const DEEP: usize = 64;
        let frames = self.stack.iter().enumerate().take(DEEP);
        let receivers = frames.filter_map(|(at, active)| Some((at, active.receiver?)));
        let outermost = |(at, node): &(usize, Node)| self.outermost.get(node) == Some(&(*at as u32));
        list.extend(receivers.filter(outermost).map(|(_, node)| node));
        self.stack.len() <= DEEP
    }

    /// Whether some node is a receiver.
    pub fn has_receivers(&self) -> bool {
        !self.outermost.is_empty()
    }

    /// Whether the innermost frame is the outermost one on its receiver.
    pub fn top_is_outermost(&self) -> bool {
        self.stack.last().is_some_and(|top| top.is_outermost)
    }

    /// Takes the innermost frame off.
    #[inline]
    pub fn pop(&mut self) -> Option<Active> {
        let top = self.stack.pop()?;
        self.in_super -= usize::from(top.in_super);
        self.unsettled -= usize::from(self.unsettled > 0);
        if !top.is_test {
            self.starts.pop();
        }
        if let Some(receiver) = top.receiver.filter(|_| top.is_outermost) {
            self.outermost.remove(&receiver);
            if !self.entered.is_empty() {
                self.entered.remove(&receiver);
            }
        }
        Some(top)
    }

    /// The position of the innermost frame of a method.
    #[inline]
    pub fn innermost_of(&self, method: MethodIndex) -> Option<usize> {
        self.stack.iter().rposition(|active| active.method == method)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_outermost(thread: &mut Thread) -> bool {
        let is = thread.top_is_outermost();
        thread.pop();
        is
    }

    #[test]
    fn the_outermost_frame_on_a_receiver_is_the_lowest_one_also_if_that_gets_its_receiver_last() {
        for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let mut thread = Thread::default();
            let receiver = Node(7);
            for position in 0..3 {
                thread.push(Active {
                    receiver: Some(receiver),
                    ..Active::of(position, NO_FRAME, position.into())
                });
            }
            order.into_iter().for_each(|position| thread.activate(receiver, position));
            assert_eq!(thread.outermost(receiver).map(|active| active.method), Some(0), "{order:?}");
            let outermost: Vec<_> = (0..3).map(|_| is_outermost(&mut thread)).collect();
            assert_eq!(outermost, [false, false, true], "{order:?}");
            assert!(!thread.has_receivers(), "{order:?}");
        }
    }
}
