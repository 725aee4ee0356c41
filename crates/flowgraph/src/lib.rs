//! Static data flow within a method. In: basic blocks, and what instructions define and use. Out: def-use associations, and which of them
//! subsume which others.
//!
//! [`lower`] makes a [`Cfg`] of basic blocks; a [`Problem`] adds variables and associations, as numbers; [`dua`] finds both in
//! bytecode. Definitions follow Concilio Neto, Araujo, Chaim and Offutt, *Graph Representation for Data Flow Coverage*. Invariant: what is
//! said of associations holds for all paths of the graph, back edges to the entry, endless loops, self-loops and code
//! that nothing leads to included.

mod bits;
pub mod cfg;
pub mod dominance;
pub mod dua;
pub mod graphdua;
pub mod guards;
pub mod lower;
pub mod made;
mod order;
pub mod pairs;
pub mod problem;
pub mod product;
pub mod relation;
mod subgraph;
pub mod subsumption;
mod transfer;

pub use cfg::{Cfg, Edge, EdgeKind, Node};
pub use dynaflow_bytecode::class_hash;
pub use problem::{Dua, Problem, Use, Variable};
