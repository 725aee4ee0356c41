//! From the basic blocks of bytecode to a control flow graph. It knows how blocks end, nothing of variables.
//!
//! Invariant: block `b` (from 0) is node `b + 1`, whatever edges are asked for. With exception edges a block counts as
//! executed before its handler takes over, though it may have been left halfway.

use crate::cfg::{Cfg, CfgError, Edge, EdgeKind, Node};
use dynaflow_instrument::blocks::{Blocks, Ending};

/// Whether exceptions are control flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exceptions {
    /// No, as in the literature: what only handlers lead to is unreachable, and a `throw` leaves the method.
    #[default]
    Ignored,
    /// Every block that can throw leads to the handlers that cover it.
    Edges,
}

/// The node of a block.
pub fn node_of(block: u32) -> Node {
    block + 1
}

/// The control flow graph of a method's blocks. `O(edges log edges)`.
///
/// # Errors
/// When there are no blocks.
pub fn lower(blocks: &Blocks, exceptions: Exceptions) -> Result<Cfg, CfgError> {
    let count = blocks.all().len() as u32;
    let exit = node_of(count);
    let mut edges = Vec::with_capacity(blocks.all().len() * 2);
    for (block, kind) in blocks.all().iter().enumerate().map(|(index, block)| (index as u32, block.ending)) {
        let from = node_of(block);
        edges.extend(blocks.successors(block).iter().map(|to| Edge::normal(from, node_of(*to))));
        if matches!(kind, Ending::Returns | Ending::Throws) {
            edges.push(Edge::normal(from, exit));
        }
        if exceptions == Exceptions::Edges {
            let handlers = blocks.covering(block).iter().filter_map(|entry| blocks.handler(*entry));
            edges.extend(handlers.map(|to| Edge { from, to: node_of(to), kind: EdgeKind::Exception }));
        }
    }
    Cfg::new(count, edges)
}
