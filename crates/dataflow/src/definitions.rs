//! Writes: the latest write of a location, the edges of the memory graph, and what is logged of it.
//!
//! Knows nothing of facts. Invariant: every write that takes effect and does not repeat the one before it is logged, in the order in
//! which they take effect.

use crate::log::Logged;
use crate::state::State;
use dynaflow_memgraph::{Effect, Extension, Latest, Node, Slot};

/// A write takes effect.
pub fn write(state: &mut State, node: Node, slot: Slot, write: Latest, target: Option<Node>) {
    if state.is_blurred(node, slot) {
        return write_unknown(state, node, slot, None);
    }
    if state.is_muted {
        return write_unknown(state, node, slot, target);
    }
    if target.is_none()
        && let Some(cell) = state.graph.cell(node, slot)
        && cell.target.is_none()
        && (cell.write.site, cell.write.frame) == (write.site, write.frame)
        && cell.write.moment > state.barrier
        && !(slot == Slot::CONTENTS && state.graph.holds_any(node))
    {
        return;
    }
    if target.is_none()
        && let Some(index) = slot.index()
    {
        match state.graph.extend_run(node, index, write, state.barrier) {
            Extension::None => {}
            Extension::Begun => return log(state, node, slot, write),
            Extension::Grown => return,
        }
    }
    match state.graph.write(node, slot, write, target) {
        Effect::Stale => return,
        Effect::Cell => {}
        Effect::Edge => state.barrier = state.clock,
    }
    log(state, node, slot, write);
}

/// A write from an unknown place takes effect, and ends what was there.
pub fn write_unknown(state: &mut State, node: Node, slot: Slot, target: Option<Node>) {
    let write = Latest::unknown(state.clock);
    if target.is_none() && slot != Slot::CONTENTS {
        let cell =
            state.graph.cell(node, slot).filter(|cell| cell.target.is_none() && cell.write.is_unknown());
        if cell.is_some_and(|cell| cell.write.moment > state.barrier) {
            return;
        }
        if let Some(index) = slot.index()
            && state.graph.extend_run(node, index, write, state.barrier) != Extension::None
        {
            return log(state, node, slot, write);
        }
    }
    if state.graph.write(node, slot, write, target) == Effect::Edge || slot == Slot::CONTENTS {
        // What is written next is later, even if it is written as before.
        state.barrier = state.clock;
    }
    log(state, node, slot, write);
}

/// A location that may be written at any time, see [`place`](crate::state::place), was written by now.
pub fn write_blurred(state: &mut State, (node, slot): (Node, Slot)) {
    let moment = state.tick();
    if slot.index().is_none() {
        return write_unknown(state, node, slot, None);
    }
    let end = state.graph.length(node).unwrap_or(1 << 31);
    write_run(state, node, 0, end, Latest::unknown(moment));
    state.barrier = moment;
}

fn log(state: &mut State, node: Node, slot: Slot, write: Latest) {
    state.frames.wrote(write.frame);
    if write.is_unknown() {
        // It reaches nothing itself, and the entry of what it ends is stale from now on.
        return state.log.wrote_unknown(state.clock);
    }
    let entry = Logged { node, slot, write, effective: state.clock };
    state.log.push(entry, &state.graph);
}

/// A write of neighbouring elements of an array takes effect. It is logged once: what it defines is the same for each.
pub fn write_run(state: &mut State, array: Node, from: u32, to: u32, write: Latest) {
    let is_unknown = state.is_muted || state.is_blurred(array, Slot::element(from));
    let write = if is_unknown { Latest::unknown(write.moment) } else { write };
    if from < to {
        if state.graph.write_run(array, from, to, write) == Effect::Edge || is_unknown {
            state.barrier = state.clock;
        }
        log(state, array, Slot::element(from), write);
    }
}
