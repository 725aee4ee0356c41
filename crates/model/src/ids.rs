//! Typed ids. Knows nothing of what they number. Invariant: an id of one kind is never taken for one of another.

use serde::{Deserialize, Serialize};

/// Defines a dense `u32` id with conversions to and from an index.
#[macro_export]
macro_rules! dense_id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index into the table that gave it.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl $crate::ids::DenseId for $name {
            fn from_index(index: usize) -> Self {
                // Tables are bounded far below this; saturating keeps the conversion total.
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

/// An id that is an index into one table.
pub trait DenseId: Copy {
    /// The id of the entry at `index`.
    fn from_index(index: usize) -> Self;
    /// The index of the entry this id names.
    fn index(self) -> usize;
}

/// One object of the recorded program, exact for the life of the process: never reused. 0 is null.
///
/// The recorder numbers objects from 1 in the order it first sees them; a word has 38 bits for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ObjectId(pub u64);

impl ObjectId {
    /// The id that stands for `null`.
    pub const NULL: Self = Self(0);
    /// The one sink that strings, boxed values and primitives share: an edge that leads nowhere.
    pub const SINK: Self = Self(1);
    /// The first id given to a real object.
    pub const FIRST: u64 = 2;

    /// Whether this is neither null nor the sink.
    pub fn is_object(self) -> bool {
        self.0 >= Self::FIRST
    }
}

dense_id! {
    /// A site, unique in one process: the base of the loaded class plus the index in its [`crate::sites::ClassSites`].
    SiteId
}
