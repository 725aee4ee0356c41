//! Nodes and the edges between them.
//!
//! Knows nothing of what a node is in the program. Invariant: for every cell with a target, and for everything a container
//! holds, there is exactly one incoming edge at that target, at the position remembered here, and the other way round;
//! the stamp of a node is the epoch of the last change of its incoming edges (who refers to it, and since when; but a write
//! of contents leaves the stamps of what they hold alone and is remembered at the container); the incoming edges from nodes
//! that are pinned or referred to stand in front of the others.
//!
//! The contents of a container are one location with many edges. They have no cell target; their latest write is that of
//! their cell, if they were ever written.

use crate::cell::{Cell, Latest};
use crate::cells::Cells;
use crate::elements::Extension;
use crate::held::Held;
use crate::node::{Edge, Effect, Node};
use crate::slot::Slot;
use crate::table::NameTable;
use rustc_hash::{FxHashMap, FxHashSet};

const PINNED: u8 = 1;
const REFERRED: u8 = 2;
/// The edges of the node stand in front in their targets' lists.
const FRONT: u8 = 4;
/// The caller found that all locations it knows of have cells.
const WHOLE: u8 = 8;
/// The node was made and not freed.
const LIVE: u8 = 16;
/// Edges of nodes with more locations than this stay in front: moving them to and fro would cost more than they do.
const FEW_CELLS: usize = 16;

#[derive(Debug, Default)]
pub(crate) struct NodeData {
    name: u64,
    tag: u32,
    pub pins: u32,
    /// One more than the number of elements it has, 0 when that is not known.
    length: u32,
    /// When its locations were forgotten, 0 for never.
    pub forgotten: u64,
    pub cells: Cells,
    pub held: Option<Box<Held>>,
    pub incoming: Vec<Edge>,
    /// How many incoming edges stand in front.
    front: u32,
}

/// The memory graph.
#[derive(Debug, Default)]
pub struct Graph {
    pub(crate) nodes: Vec<NodeData>,
    /// For each node the epoch of the last change of its incoming edges; apart, because searches look at many of them.
    stamps: Vec<u64>,
    /// For each node the epoch of the last change of what it refers to.
    sent: Vec<u64>,
    /// For each node whether it is [`PINNED`], [`REFERRED`] to and in [`FRONT`]; apart for the same reason.
    flags: Vec<u8>,
    unused: Vec<Node>,
    names: NameTable,
    /// Further names of nodes.
    aliases: FxHashMap<Node, FxHashSet<u64>>,
    pub(crate) epoch: u64,
    /// Room for the edges of a node.
    links: Vec<(Slot, Node)>,
}

/// The edges that start from a node.
fn links(data: &NodeData) -> impl Iterator<Item = (Slot, Node)> {
    data.cells
        .edges()
        .chain(data.held.iter().flat_map(|held| held.iter().map(|entry| (Slot::CONTENTS, entry.node))))
}

impl Graph {
    /// The node of `name`; made with `tag` when it is not there.
    #[inline]
    pub fn node(&mut self, name: u64, tag: u32) -> Node {
        match self.names.get(name) {
            Some(node) => node,
            None => self.create(name, tag),
        }
    }

    /// The node of `name`, if there is one.
    #[inline]
    pub fn find(&self, name: u64) -> Option<Node> {
        self.names.get(name)
    }

    /// No path set mentions the new node: one that mentioned its number is out of date since that was freed.
    fn create(&mut self, name: u64, tag: u32) -> Node {
        let data = NodeData { name, tag, ..NodeData::default() };
        let node = match self.unused.pop() {
            Some(node) => {
                self.nodes[node.0 as usize] = data;
                self.flags[node.0 as usize] = LIVE;
                node
            }
            None => {
                self.nodes.push(data);
                self.stamps.push(self.epoch);
                self.sent.push(self.epoch);
                self.flags.push(LIVE);
                // Node numbers stay far below 2^32: a node takes more than a hundred bytes.
                Node((self.nodes.len() - 1) as u32)
            }
        };
        self.names.insert(name, node);
        node
    }

    pub(crate) fn data(&self, node: Node) -> &NodeData {
        &self.nodes[node.0 as usize]
    }

    pub(crate) fn data_mut(&mut self, node: Node) -> &mut NodeData {
        &mut self.nodes[node.0 as usize]
    }

    /// The name a node was made with.
    #[inline]
    pub fn name(&self, node: Node) -> u64 {
        self.data(node).name
    }

    /// The caller's tag of a node.
    #[inline]
    pub fn tag(&self, node: Node) -> u32 {
        self.data(node).tag
    }

    /// Changes the tag of a node.
    pub fn set_tag(&mut self, node: Node, tag: u32) {
        self.data_mut(node).tag = tag;
        self.flags[node.0 as usize] &= !WHOLE;
    }

    /// Remembers how many elements an array has, if that is known.
    pub fn set_length(&mut self, node: Node, length: Option<u32>) {
        self.data_mut(node).length = length.map_or(0, |length| length.saturating_add(1));
    }

    /// The length of an array, if it was set.
    pub fn length(&self, array: Node) -> Option<u32> {
        self.data(array).length.checked_sub(1)
    }

    /// Whether something is known of every element of an array: its latest write or what it refers to. Never when its length is not
    /// known.
    pub fn is_filled(&self, array: Node) -> bool {
        let data = self.data(array);
        data.length.checked_sub(1).is_some_and(|length| {
            length == 0 || data.cells.elements().is_some_and(|elements| elements.cover(length))
        })
    }

    /// Whether a node was made and not freed.
    pub(crate) fn is_live(&self, node: Node) -> bool {
        self.flags[node.0 as usize] & LIVE != 0
    }

    /// Remembers that every location a node with its tag may have was written. That stays so until the node gets another tag, is
    /// forgotten or freed.
    pub fn set_whole(&mut self, node: Node) {
        self.flags[node.0 as usize] |= WHOLE;
    }

    /// Whether [`Graph::set_whole`] was called and holds.
    #[inline]
    pub fn is_whole(&self, node: Node) -> bool {
        self.flags[node.0 as usize] & WHOLE != 0
    }

    /// The node lost its cells.
    pub(crate) fn is_bare(&mut self, node: Node) {
        self.flags[node.0 as usize] &= !WHOLE;
    }

    /// Keeps a node from being freed; pins are counted.
    #[inline]
    pub fn pin(&mut self, node: Node) {
        self.data_mut(node).pins += 1;
        self.flags[node.0 as usize] |= PINNED;
        self.promote(node);
    }

    /// Whether a node is pinned.
    #[inline]
    pub fn is_pinned(&self, node: Node) -> bool {
        self.flags[node.0 as usize] & PINNED != 0
    }

    /// Whether a path can begin at a node or lead through it: it is pinned or referred to.
    #[inline]
    pub(crate) fn is_live_end(&self, node: Node) -> bool {
        self.flags[node.0 as usize] & (PINNED | REFERRED) != 0
    }

    /// Takes one pin back.
    #[inline]
    pub fn unpin(&mut self, node: Node) {
        let data = self.data_mut(node);
        data.pins = data.pins.saturating_sub(1);
        if data.pins == 0 {
            self.flags[node.0 as usize] &= !PINNED;
        }
    }

    /// The state of a location, if it was ever written.
    #[inline]
    pub fn cell(&self, node: Node, slot: Slot) -> Option<&Cell> {
        self.data(node).cells.get(slot)
    }

    /// All written locations of a node: fields in the order of their first writes, then elements by index, then one element of
    /// each run.
    pub fn cells(&self, node: Node) -> impl Iterator<Item = (Slot, &Cell)> {
        self.data(node).cells.iter()
    }

    /// The written locations of a node but for elements, in the order of their first writes.
    #[inline]
    pub fn fields(&self, node: Node) -> impl Iterator<Item = (Slot, &Cell)> {
        self.data(node).cells.fields()
    }

    /// The written elements of an array, by index, then one element of each run.
    #[inline]
    pub fn elements(&self, array: Node) -> impl Iterator<Item = (Slot, &Cell)> {
        self.data(array).cells.elements().into_iter().flat_map(|elements| elements.iter())
    }

    /// How many elements [`Graph::elements`] lists, if each was written for itself and it takes no look at them to know.
    #[inline]
    pub fn elements_count(&self, array: Node) -> Option<usize> {
        self.data(array).cells.elements().map_or(Some(0), |elements| elements.count())
    }

    /// Whether an element of an array ever referred to something.
    #[inline]
    pub fn elements_refer(&self, array: Node) -> bool {
        self.data(array).cells.elements().is_some_and(|elements| elements.has_referred())
    }

    /// Who refers to a node. The order is a function of the history.
    pub fn incoming(&self, node: Node) -> &[Edge] {
        &self.data(node).incoming
    }

    /// The edges to a node from where a path can come, and perhaps some others.
    #[inline]
    pub(crate) fn promising(&self, node: Node) -> &[Edge] {
        let data = self.data(node);
        data.incoming.get(..data.front as usize).unwrap_or_default()
    }

    /// Every written cell, by node.
    pub fn all_cells(&self) -> impl Iterator<Item = &Cell> {
        self.nodes.iter().flat_map(|data| data.cells.iter().map(|(_, cell)| cell))
    }

    /// Writes a location: its latest write and the node it refers to from now on. A write older than the one in the cell
    /// changes nothing. What contents refer to is given separately, by [`Graph::hold`] and its kind; a target given here is ignored.
    pub fn write(&mut self, node: Node, slot: Slot, write: Latest, target: Option<Node>) -> Effect {
        let target = target.filter(|_| slot != Slot::CONTENTS);
        let cell = self.data_mut(node).cells.slot_for(slot);
        if cell.write.moment > write.moment {
            return Effect::Stale;
        }
        let old = *cell;
        cell.write = write;
        cell.target = target;
        let unknown = !cell.is_written();
        if let Some(index) = slot.index() {
            let elements = self.data_mut(node).cells.elements_mut();
            elements.wrote(index, write);
            if unknown {
                elements.is_unknown(index);
            }
        }
        if old.target.is_none() && target.is_none() {
            return if slot == Slot::CONTENTS { self.rewrite_contents(node) } else { Effect::Cell };
        }
        self.epoch += 1;
        self.touch_source(node);
        if old.target == target {
            target.into_iter().for_each(|target| self.touch(target));
            return Effect::Edge;
        }
        if let Some(target) = old.target {
            self.remove_incoming(target, old.back);
        }
        if let Some(target) = target {
            if slot.index().is_some() {
                self.data_mut(node).cells.elements_mut().refers();
            }
            self.add_incoming(target, Edge { source: node, slot });
        }
        Effect::Edge
    }

    /// Writes the elements of an array from `from` to before `to` at once; none of them refers to anything from now on. Costs by
    /// the number of edges it removes and of earlier runs it covers, not by the number of elements.
    pub fn write_run(&mut self, array: Node, from: u32, to: u32, write: Latest) -> Effect {
        let elements = self.data(array).cells.elements();
        let referring = elements.map(|elements| elements.referring(from, to)).unwrap_or_default();
        for index in &referring {
            self.write(array, Slot::element(*index), write, None);
        }
        if from < to {
            self.data_mut(array).cells.elements_mut().write_run(from, to, write);
        }
        if referring.is_empty() { Effect::Cell } else { Effect::Edge }
    }

    /// Writes an element that refers to nothing as a part of a run, if the array never referred to anything and the element before
    /// was written last, by the same site and frame, after the moment `since`: from when on the caller need not distinguish the moments
    /// of writes. A run has one moment.
    pub fn extend_run(&mut self, array: Node, index: u32, write: Latest, since: u64) -> Extension {
        self.data_mut(array).cells.elements_mut().extend(index, write, since)
    }

    /// What [`Graph::write_run`] wrote into an array and no later run covers: from, to, the write.
    pub fn runs(&self, array: Node) -> impl Iterator<Item = (u32, u32, Latest)> {
        self.data(array).cells.elements().into_iter().flat_map(|elements| elements.runs())
    }

    /// The latest writes of the elements from `from` to before `to`, each with the index where it begins to hold; neighbours with
    /// the same write are listed once, elements never written have the moment 0.
    pub fn element_writes(&self, array: Node, from: u32, to: u32) -> Vec<(u32, Latest)> {
        match self.data(array).cells.elements() {
            Some(elements) => elements.writes(from, to),
            None if from < to => vec![(from, Latest::default())],
            None => vec![],
        }
    }

    /// An element whose latest write was made by a run at a moment.
    pub fn element_of_run(&self, array: Node, moment: u64) -> Option<Slot> {
        self.data(array).cells.elements()?.with_moment(moment).map(Slot::element)
    }

    /// Gives a node a further name, until the node is freed or [`Graph::unalias`] takes it back.
    pub fn alias(&mut self, name: u64, node: Node) {
        if self.names.get(name).is_none() {
            self.names.insert(name, node);
            self.aliases.entry(node).or_default().insert(name);
        }
    }

    /// Takes a further name of a node back; false when it is its own.
    pub fn unalias(&mut self, name: u64, node: Node) -> bool {
        let known = self.aliases.get_mut(&node).is_some_and(|names| names.remove(&name));
        if known {
            self.names.remove(name);
        }
        known
    }

    fn touch(&mut self, node: Node) {
        self.stamps[node.0 as usize] = self.epoch;
    }

    pub(crate) fn touch_source(&mut self, node: Node) {
        self.sent[node.0 as usize] = self.epoch;
    }

    pub(crate) fn add_incoming(&mut self, target: Node, edge: Edge) {
        self.touch(target);
        let in_front = self.flags[edge.source.0 as usize] & FRONT != 0;
        let data = self.data_mut(target);
        data.incoming.push(edge);
        let back = (data.incoming.len() - 1) as u32;
        self.set_back(target, edge, back);
        if in_front {
            self.move_to_front(target, back);
        }
        if back == 0 {
            self.becomes_referred(target);
        }
    }

    pub(crate) fn remove_incoming(&mut self, target: Node, back: u32) {
        self.touch(target);
        let back = self.move_to_back(target, back);
        let data = self.data_mut(target);
        data.incoming.swap_remove(back as usize);
        let moved = data.incoming.get(back as usize).copied();
        if data.incoming.is_empty() {
            self.flags[target.0 as usize] &= !REFERRED;
        }
        if let Some(moved) = moved {
            self.set_back(target, moved, back);
        }
    }

    /// Searches that met this node as a referrer and did not look further must look again.
    fn becomes_referred(&mut self, node: Node) {
        self.flags[node.0 as usize] |= REFERRED;
        self.promote(node);
        let epoch = self.epoch;
        let data = &self.nodes[node.0 as usize];
        for (_, target) in links(data) {
            self.stamps[target.0 as usize] = epoch;
        }
    }

    /// Moves the edges of a node in front.
    #[inline(always)]
    fn promote(&mut self, node: Node) {
        if self.flags[node.0 as usize] & FRONT == 0 {
            self.flags[node.0 as usize] |= FRONT;
            self.move_edges(node, Self::move_to_front);
        }
    }

    /// Moves the edges of a node behind those of the nodes a path can come from, if it is none of them.
    pub(crate) fn demote(&mut self, node: Node) {
        let data = self.data(node);
        let small =
            data.cells.is_small(FEW_CELLS) && data.held.as_ref().is_none_or(|held| held.len() <= FEW_CELLS);
        if small && self.flags[node.0 as usize] & (FRONT | PINNED | REFERRED) == FRONT {
            self.flags[node.0 as usize] &= !FRONT;
            self.move_edges(node, |graph, target, back| {
                graph.move_to_back(target, back);
            });
        }
    }

    fn move_edges(&mut self, node: Node, step: impl Fn(&mut Self, Node, u32)) {
        let mut known = std::mem::take(&mut self.links);
        known.clear();
        known.extend(links(self.data(node)));
        for (slot, target) in &known {
            // Looked up anew: a step may change where other edges of the same node stand.
            if let Some((target, back)) = self.edge_of(node, *slot, *target) {
                step(self, target, back);
            }
        }
        self.links = known;
    }

    /// What a location refers to, and where its edge stands there.
    pub(crate) fn edge_of(&self, node: Node, slot: Slot, target: Node) -> Option<(Node, u32)> {
        if slot == Slot::CONTENTS
            && let Some(entry) = self.data(node).held.as_ref().and_then(|held| held.get(target))
        {
            return Some((target, entry.back));
        }
        let cell = self.cell(node, slot)?;
        Some((cell.target?, cell.back))
    }

    fn move_to_front(&mut self, target: Node, back: u32) {
        let data = self.data_mut(target);
        let front = data.front;
        if back >= front {
            data.front += 1;
            self.exchange(target, back, front);
        }
    }

    /// The result is where the edge stands now.
    fn move_to_back(&mut self, target: Node, back: u32) -> u32 {
        let data = self.data_mut(target);
        if back >= data.front {
            return back;
        }
        data.front -= 1;
        let last = data.front;
        self.exchange(target, back, last);
        last
    }

    fn exchange(&mut self, target: Node, one: u32, other: u32) {
        if one != other {
            let incoming = &mut self.data_mut(target).incoming;
            incoming.swap(one as usize, other as usize);
            let moved = [(incoming[one as usize], one), (incoming[other as usize], other)];
            moved.into_iter().for_each(|(edge, back)| self.set_back(target, edge, back));
        }
    }

    fn set_back(&mut self, target: Node, edge: Edge, back: u32) {
        if edge.slot == Slot::CONTENTS
            && let Some(entry) = self.held_entry(edge.source, target)
        {
            entry.back = back;
        } else if let Some(cell) = self.data_mut(edge.source).cells.get_mut(edge.slot) {
            cell.back = back;
        }
    }

    /// Forgets a node: its cells, its edges and its name. Nothing happens while it is pinned; the result says whether it
    /// was freed. The node's number may name another node afterwards.
    pub fn free(&mut self, node: Node) -> bool {
        let data = self.data(node);
        if data.pins > 0 || !self.is_live(node) {
            return false;
        }
        self.drop_edges(node);
        self.touch(node);
        self.flags[node.0 as usize] = 0;
        let gone = std::mem::take(self.data_mut(node));
        self.names.remove(gone.name);
        for name in self.aliases.remove(&node).into_iter().flatten() {
            self.names.remove(name);
        }
        for edge in &gone.incoming {
            self.touch_source(edge.source);
            let held = self.data_mut(edge.source).held.as_mut().filter(|_| edge.slot == Slot::CONTENTS);
            if let Some(held) = held.filter(|held| held.get(node).is_some()) {
                held.remove(node);
            } else {
                self.data_mut(edge.source).cells.lose_target(edge.slot);
            }
        }
        self.unused.push(node);
        true
    }

    /// Nothing a node refers to knows of it any more. Its cells and what it holds are to be dropped next.
    pub(crate) fn drop_edges(&mut self, node: Node) {
        self.epoch += 1;
        self.touch_source(node);
        self.move_edges(node, |graph, target, back| graph.remove_incoming(target, back));
    }

    /// A number that grows with every change of an edge.
    #[inline]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// By number of a node the epoch of the last change of its incoming edges.
    #[inline]
    pub(crate) fn incoming_stamps(&self) -> &[u64] {
        &self.stamps
    }

    /// By number of a node the epoch of the last change of what it refers to.
    #[inline]
    pub(crate) fn outgoing_stamps(&self) -> &[u64] {
        &self.sent
    }

    /// The edges that start from a node.
    pub(crate) fn links(&self, node: Node) -> impl Iterator<Item = (Slot, Node)> {
        links(self.data(node))
    }

    /// Calls `step` with the edges that start from a node, in the order of [`Graph::links`], until it fails. Takes half as long.
    #[inline]
    pub(crate) fn try_each_link<E>(
        &self,
        node: Node,
        mut step: impl FnMut(Slot, Node) -> Result<(), E>,
    ) -> Result<(), E> {
        let data = self.data(node);
        for (slot, cell) in data.cells.fields() {
            if let Some(target) = cell.target {
                step(slot, target)?;
            }
        }
        for (slot, target) in data.cells.elements().into_iter().flat_map(|elements| elements.edges()) {
            step(slot, target)?;
        }
        for entry in data.held.iter().flat_map(|held| held.iter()) {
            step(Slot::CONTENTS, entry.node)?;
        }
        Ok(())
    }

    /// How many locations are looked at to find the edges that start from a node.
    pub(crate) fn span(&self, node: Node) -> usize {
        let data = self.data(node);
        data.cells.span() + data.held.as_ref().map_or(0, |held| held.len())
    }

    /// Whether any edge starts from a node.
    pub(crate) fn refers(&self, node: Node) -> bool {
        self.links(node).next().is_some()
    }
}
