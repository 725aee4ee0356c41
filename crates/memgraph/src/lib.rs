//! The memory graph: which object refers to which through which location, and what each location was last written by.
//!
//! In: writes of locations (node, slot, moment, site, frame, target), and what containers hold. Out: the latest write of a location, the locations
//! of a node, and the simple paths that lead to a node. It knows nothing of events, threads, classes or facts: names,
//! tags, sites and frames are numbers of the caller. Invariant: every edge stands in exactly one cell or container and in
//! exactly one list of incoming edges, and a cached path set equals a fresh search.

mod ball;
mod by_root;
mod cell;
mod cells;
mod contents;
mod elements;
mod forget;
mod forward;
mod graph;
mod held;
mod node;
mod paths;
mod routes;
mod runs;
mod slot;
mod table;

pub use ball::Ball;
pub use cell::{Cell, Latest};
pub use elements::Extension;
pub use graph::Graph;
pub use node::{Edge, Effect, Node};
pub use paths::{Limits, Path, PathSet};
pub use routes::{Owner, Routes};
pub use slot::Slot;
