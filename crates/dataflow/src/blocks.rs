//! Entries of basic blocks: which definitions reach a block and which uses are reachable from it.
//!
//! Knows nothing of words. The root of an entry is the receiver of the frame that makes it. Invariants: a definition that
//! reaches at an entry is recorded at this entry or was at an earlier one of the same block on the same root; at a use,
//! every block whose last entry is younger than the reaching definition is recorded for it or was before.
//!
//! The cost of an entry grows with what was written since the block was last entered on the same root. A definition that reaches now and is
//! older than that entry also reached at that entry: between its write and the write that kills it a definition reaches a path without a
//! gap. The exception are elements that come into a container without a write of its contents; after such ones, everything a root
//! reaches is looked at again.
//! Blocks entered one after the other on one root, with nothing written in between, share what was found. The cost of
//! a use grows with the blocks that were entered since it was last made.

use crate::entered::Snapshot;
use crate::exits;
use crate::reaching::Reaching;
use crate::state::State;
use crate::thread::{Pending, Thread};
use dynaflow_memgraph::Node;

/// The innermost frame enters a block.
pub fn enter(state: &mut State, thread: &mut Thread, site: u32) {
    let method = state.registry.op(site).method;
    let Some(top) = thread.stack.last_mut().filter(|top| top.method == method) else {
        state.trouble.desynchronised += 1;
        return;
    };
    if top.is_test || state.blocks.is_none() {
        return;
    }
    // Between two writes that are alike a block was entered, which distinguishes them.
    state.barrier = state.tick();
    let moment = state.barrier;
    match top.receiver {
        Some(root) => entered(state, thread, root, site, moment),
        None if top.unbound => top.pending.push(Pending::Block { site, moment }),
        None => {}
    }
}

/// A frame on a root entered a block at a moment, which nothing but an entry on a root not known then makes an earlier one.
pub fn entered(state: &mut State, thread: &mut Thread, root: Node, site: u32, moment: u64) {
    let State { blocks: Some(blocks), graph, log, vocabulary, registry, .. } = state else { return };
    thread.entered.entry(root).or_default().push(site, moment);
    vocabulary.block(site, registry);
    blocks.settle(graph);
    let name = graph.name(root);
    let since = blocks.enter(name, site, moment).filter(|since| log.covers(*since));
    if since.is_some_and(|since| log.is_quiet_since(since)) {
        return;
    }
    let from = since.unwrap_or(1);
    let mut snapshot = blocks.take_snapshot(name);
    let holds = snapshot.root == name && snapshot.from <= from && log.is_quiet_since(snapshot.at);
    if !holds {
        let found = match since {
            Some(since) => exits::made_since(state, root, since),
            None => exits::all(state, root),
        };
        snapshot = Snapshot { root: name, from, at: moment, found };
    }
    for reaching in snapshot.found.iter().filter(|reaching| reaching.write.moment >= from) {
        record(state, root, site, *reaching);
    }
    if let Some(blocks) = &mut state.blocks {
        blocks.keep_snapshot(snapshot);
    }
}

fn record(state: &mut State, root: Node, site: u32, reaching: Reaching) {
    let State { blocks: Some(blocks), graph, registry, frames, vocabulary, era, .. } = state else { return };
    let Reaching { variable, kind, write } = reaching;
    let chain = blocks.context(frames, write.frame, graph.name(root), *era);
    if blocks.is_new_reaching(site, reaching, chain) {
        let block = vocabulary.block(site, registry);
        let variable = vocabulary.variable(variable, registry);
        let definition = vocabulary.definition(write.site, kind, chain, frames, registry);
        vocabulary.reaching(block, variable, definition);
    }
}
