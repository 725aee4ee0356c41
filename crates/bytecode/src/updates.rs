//! What a frame of a method does to words of its own while it runs, so that the bits covered at its end say which of some
//! paths it took: the input of weaving for coverage, made by whoever knows what the bits mean.
//!
//! It knows blocks and instructions, not what a bit stands for. A frame has, for each word, the bits that are *live* and those
//! that are *covered*. It begins with the live bits of [`MethodUpdates::entry`] and none covered. Invariants of the data: words
//! are smaller than [`MethodUpdates::words`]; a list names a word, or a pair of blocks and a word, at most once and in
//! ascending order; no entry is all zero.
//!
//! The frame runs a block, in this order:
//! 1. it arrives over an edge from another block (or itself), by its jump or by falling through: the edge's [`EdgeUpdate`]s count;
//! 2. an instruction throws: the changes [`BlockUpdates::partial`] has for it are made instead of the block's whole ones. The frame
//!    goes on at a handler, whose block it did not arrive at over an edge, or ends;
//! 3. or all instructions are run: the changes of [`BlockUpdates::whole`] are made. (`athrow` makes the whole changes, too.)
//!
//! After the frame, however it ended, its covered bits are added to those of the method.

/// Bits of one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// The word.
    pub word: u16,
    /// Its bits.
    pub bits: u64,
}

/// What instructions do to one word: `covered |= (live & uses) | runs`, then `live = (live & !kills) | gens`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The word.
    pub word: u16,
    /// Bits that are covered if live.
    pub uses: u64,
    /// Bits that are covered.
    pub runs: u64,
    /// Bits that stop being live.
    pub kills: u64,
    /// Bits that become live.
    pub gens: u64,
}

/// What going over an edge does to one word: `covered |= (live & uses) | runs`, with the live bits there are at the end
/// of the block it leaves, after that block's whole changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeUpdate {
    /// The block it leaves, by its position.
    pub from: u32,
    /// The block it leads to, one of the successors of `from`.
    pub to: u32,
    /// The word.
    pub word: u16,
    /// Bits that are covered if live.
    pub uses: u64,
    /// Bits that are covered.
    pub runs: u64,
}

/// What the instructions of one block do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockUpdates {
    /// All of them together.
    pub whole: Vec<Change>,
    /// For an instruction that may throw (its index in the method): what had been done when it throws, from the beginning of the
    /// block on. Instructions that are missing, and those that come between, have nothing done or the same as the one before:
    /// an entry holds from its instruction up to that of the next. What an entry covers, those behind it and the whole changes
    /// cover as well: what had been done stays done.
    pub partial: Vec<(u32, Vec<Change>)>,
}

/// What a method does to the words of its frames.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MethodUpdates {
    /// The method, by its position in the class.
    pub method: usize,
    /// How many words a frame has; at least one.
    pub words: u16,
    /// The bits live at the beginning.
    pub entry: Vec<Bits>,
    /// By position of the block, as [`crate::blocks::Blocks`] numbers them.
    pub blocks: Vec<BlockUpdates>,
    /// By edge, then word.
    pub edges: Vec<EdgeUpdate>,
}
