//! From the basic blocks of bytecode to a control flow graph. It knows how blocks end and what may throw, nothing of variables.
//!
//! Without exception edges block `b` (from 0) is node `b + 1`. With them a block is cut behind each instruction that may
//! throw into a handler, and the pieces are the nodes: the exception edge leaves after the instruction's uses and before its definitions,
//! which belong to the next piece because they happen only if it does not throw. Invariant: whatever path an
//! execution takes, exceptions into handlers included, it executes each piece from its first definition to its last use.

use crate::cfg::{Cfg, CfgError, Edge, EdgeKind, Node};
use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::{Blocks, Ending, may_throw};
use dynaflow_classfile::Opcode;
use std::ops::Range;

/// Whether exceptions are control flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Exceptions {
    /// No, as in the literature: what only handlers lead to is unreachable, and a `throw` leaves the method.
    #[default]
    Ignored,
    /// Every instruction that can throw leads to the handlers that cover it.
    Edges,
}

/// What a node stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The block it is a piece of, or the whole of.
    pub block: u32,
    /// The instructions, by their indices, whose uses are its own; none when it has nothing but the definition of the instruction before.
    pub insns: Range<u32>,
}

/// A method as a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// The graph.
    pub cfg: Cfg,
    /// Nodes 1 to the last before the exit.
    pieces: Vec<Piece>,
    /// By instruction: the node in which it uses, and the one in which it defines.
    places: Vec<(Node, Node)>,
    /// By block: its first node; one more for the exit.
    first: Vec<Node>,
}

impl Lowered {
    /// The graph of a method's blocks. `O(edges log edges)`.
    ///
    /// # Errors
    /// When there are no blocks.
    pub fn of(body: &Body<'_>, blocks: &Blocks, exceptions: Exceptions) -> Result<Self, CfgError> {
        let mut cut = Cut {
            body,
            blocks,
            pieces: Vec::new(),
            places: Vec::new(),
            first: Vec::new(),
            edges: Vec::new(),
        };
        for block in 0..blocks.all().len() as u32 {
            cut.first.push(cut.next());
            match exceptions {
                Exceptions::Edges if !blocks.covering(block).is_empty() => cut.cut_up(block),
                _ => cut.whole(block),
            }
        }
        cut.first.push(cut.next());
        let Cut { pieces, places, first, mut edges, .. } = cut;
        let start = |block: u32| first.get(block as usize).copied().unwrap_or_default();
        edges
            .iter_mut()
            .filter(|edge| edge.kind == EdgeKind::Exception)
            .for_each(|edge| edge.to = start(edge.to));
        let exit = pieces.len() as u32 + 1;
        for (block, ending) in (0..).zip(blocks.all().iter().map(|block| block.ending)) {
            let from = start(block + 1) - 1;
            edges.extend(blocks.successors(block).iter().map(|to| Edge::normal(from, start(*to))));
            if matches!(ending, Ending::Returns | Ending::Throws) {
                edges.push(Edge::normal(from, exit));
            }
        }
        let cfg = Cfg::new(pieces.len() as u32, edges)?;
        Ok(Self { cfg, pieces, places, first })
    }

    /// What nodes 1 to the last before the exit stand for.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The block of a node that is neither an added entry nor the exit.
    pub fn block_of(&self, node: Node) -> Option<u32> {
        self.pieces.get((node as usize).checked_sub(1)?).map(|piece| piece.block)
    }

    /// The node in which an instruction uses what it uses.
    pub fn using(&self, insn: usize) -> Node {
        self.places.get(insn).map_or(0, |(using, _)| *using)
    }

    /// The node in which an instruction defines what it defines.
    pub fn defining(&self, insn: usize) -> Node {
        self.places.get(insn).map_or(0, |(_, defining)| *defining)
    }

    /// The first node of a block.
    pub fn first_of(&self, block: u32) -> Node {
        self.first.get(block as usize).copied().unwrap_or_default()
    }

    /// The last node of a block, from which its branch leads on.
    pub fn last_of(&self, block: u32) -> Node {
        self.first_of(block + 1).saturating_sub(1)
    }
}

/// Nodes in the making.
struct Cut<'c, 'a> {
    body: &'c Body<'a>,
    blocks: &'c Blocks,
    pieces: Vec<Piece>,
    places: Vec<(Node, Node)>,
    first: Vec<Node>,
    /// Edges between pieces of one block, and exception edges, to blocks so far.
    edges: Vec<Edge>,
}

impl Cut<'_, '_> {
    /// The number of the node that comes next.
    fn next(&self) -> Node {
        self.pieces.len() as u32 + 1
    }

    fn insns(&self, block: u32) -> Range<u32> {
        self.blocks.all().get(block as usize).map_or(0..0, |block| block.first..block.last + 1)
    }

    fn whole(&mut self, block: u32) {
        let (node, insns) = (self.next(), self.insns(block));
        self.places.extend(insns.clone().map(|_| (node, node)));
        self.pieces.push(Piece { block, insns });
    }

    fn cut_up(&mut self, block: u32) {
        let insns = self.insns(block);
        let mut start = insns.start;
        for insn in insns.clone() {
            let node = self.next();
            let opcode = self.body.insns.get(insn as usize).map(|insn| insn.opcode);
            let ended = opcode.is_some_and(may_throw) && self.throw(block, insn, node);
            self.places.push((node, node + u32::from(ended && opcode.is_some_and(defines))));
            let last = insn + 1 == insns.end;
            if ended && (!last || opcode.is_some_and(defines)) {
                self.edges.push(Edge::normal(node, node + 1));
                self.pieces.push(Piece { block, insns: start..insn + 1 });
                start = insn + 1;
            }
        }
        self.pieces.push(Piece { block, insns: start..insns.end });
    }

    /// Leads from a node, which ends with an instruction, to the handlers that cover that; whether there is one.
    fn throw(&mut self, block: u32, insn: u32, node: Node) -> bool {
        let Some(pc) = self.body.insns.get(insn as usize).map(|insn| insn.pc) else { return false };
        let covers = |entry: &&u32| {
            let row = self.body.code.exceptions.get(**entry as usize);
            row.is_some_and(|row| (u32::from(row.start)..u32::from(row.end)).contains(&pc))
        };
        let before = self.edges.len();
        let handlers =
            self.blocks.covering(block).iter().filter(covers).filter_map(|entry| self.blocks.handler(*entry));
        self.edges.extend(handlers.map(|to| Edge { from: node, to, kind: EdgeKind::Exception }));
        self.edges.len() > before
    }
}

/// Whether an instruction that may throw may define a variable, too.
fn defines(opcode: Opcode) -> bool {
    use Opcode as O;
    matches!(opcode, O::Putfield | O::Putstatic) || (O::Iastore..=O::Sastore).contains(&opcode)
}
