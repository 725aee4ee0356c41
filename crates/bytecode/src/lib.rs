//! What weaving and static analysis must agree about: the decoded code of a method, the numbers of its basic blocks, the updates of
//! coverage by block, the members of a record that the compiler writes, what annotations take out of what tests are for, and the hash that identifies a build of a class.
//!
//! In: class files. Out: [`Body`], [`blocks::Blocks`], [`updates::MethodUpdates`], [`class_hash`]. It knows neither what is woven nor
//! which associations there are. Invariant: the number of a block depends on the bytes alone, so that whoever numbers the blocks of
//! the same bytes gets the same numbers.

pub mod blocks;
mod body;
mod hash;
mod marked;
mod record;
pub mod updates;

pub use body::{Body, code_of, is_constructor, is_empty_finalizer};
pub use hash::class_hash;
pub use marked::is_marked;
pub use record::{assigned_of_record, is_of_record};
