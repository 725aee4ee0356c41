//! When in its block an instruction uses or defines, as far as an exception makes a difference: the stages of a block.
//!
//! It knows instructions and what they do; nothing of bits. A block with k instructions that may throw has k + 1 stages; the nth of
//! these instructions ends stage n (from 0). Its uses belong to the stage it ends and its definitions to the next one. Invariant: when
//! an instruction that ends stage n throws, exactly what happens in the stages up to n has happened.

use super::super::method::Analysed;
use super::super::values::{self, Effects};
use super::super::vars::{VarId, Variable, Variables};
use super::super::{Options, Refusal};
use crate::{Node, Use};
use dynaflow_bytecode::blocks::may_throw;
use dynaflow_classfile::ConstantPool;

/// A block and a stage of it.
pub(in crate::dua) type Point = (u32, u32);

/// When a use is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::dua) enum UseAt {
    /// In a block.
    Node(Point),
    /// On an edge between two blocks.
    Edge(u32, u32),
}

/// The points of a method at which something happens.
#[derive(Debug)]
pub(in crate::dua) struct Points {
    /// By instruction: its block, the stage in which it uses, the stage in which it defines.
    by_insn: Vec<(u32, u32, u32)>,
    /// By block: the stages that end with an exception, and the instruction that does so.
    throwing: Vec<Vec<(u32, u32)>>,
    /// By variable: the instructions that define it, in bytecode order.
    definers: Vec<Vec<u32>>,
}

impl Points {
    /// Finds the points of a method. Handlers count as code, whether or not their exceptions are edges: a run gets there.
    pub fn of(pool: &ConstantPool<'_>, analysed: &Analysed<'_>, options: &Options) -> Result<Self, Refusal> {
        let (blocks, body) = (&analysed.blocks, &analysed.body);
        let mut points = Self {
            by_insn: Vec::with_capacity(body.insns.len()),
            throwing: vec![Vec::new(); blocks.all().len()],
            definers: vec![Vec::new(); analysed.effects.variables.len()],
        };
        for ((number, block), throwing) in (0u32..).zip(blocks.all()).zip(&mut points.throwing) {
            let mut stage = 0;
            for index in block.insns() {
                let throws = body.insns.get(index).is_some_and(|insn| may_throw(insn.opcode));
                points.by_insn.push((number, stage, stage + u32::from(throws)));
                if throws {
                    throwing.push((stage, index as u32));
                    stage += 1;
                }
            }
        }
        points.define(&analysed.effects, &analysed.effects.variables, |block| {
            analysed.effects.reached.get(block) == Some(&true)
        });
        if !options.exception_edges && !body.code.exceptions.is_empty() {
            let with_handlers = Options { exception_edges: true, ..*options };
            let all = values::run(pool, body, blocks, &with_handlers, false)?;
            points.define(&all, &analysed.effects.variables, |block| {
                analysed.effects.reached.get(block) == Some(&false) && all.reached.get(block) == Some(&true)
            });
            points.definers.iter_mut().for_each(|insns| insns.sort_unstable());
        }
        Ok(points)
    }

    /// Adds what the instructions of some blocks define; `known` are the variables the result speaks of.
    fn define(&mut self, effects: &Effects<'_>, known: &Variables<'_>, wanted: impl Fn(usize) -> bool) {
        for (index, effect) in effects.effects.iter().enumerate() {
            let block = self.by_insn.get(index).map_or(0, |(block, ..)| *block);
            let root = effect.defines.and_then(|root| counterpart(known, &effects.variables, root));
            if let Some(root) = root.filter(|_| wanted(block as usize)) {
                known.defined_with(root, |variable| {
                    if let Some(insns) = self.definers.get_mut(variable.index()) {
                        insns.push(index as u32);
                    }
                });
            }
        }
    }

    /// When an instruction has used what it uses.
    fn at(&self, insn: u32) -> Point {
        self.by_insn.get(insn as usize).map_or((0, 0), |(block, before, _)| (*block, *before))
    }

    /// When an instruction has defined what it defines.
    pub fn after(&self, insn: u32) -> Point {
        self.by_insn.get(insn as usize).map_or((0, 0), |(block, _, after)| (*block, *after))
    }

    /// The stages of a block that end with an exception, and the instructions that throw it.
    pub fn throwing(&self, block: u32) -> &[(u32, u32)] {
        self.throwing.get(block as usize).map(Vec::as_slice).unwrap_or_default()
    }

    /// The instructions that define a variable.
    pub fn definers(&self, variable: VarId) -> &[u32] {
        self.definers.get(variable.index()).map(Vec::as_slice).unwrap_or_default()
    }

    /// When a variable is defined.
    pub fn of_variable(&self, variable: VarId) -> Vec<Point> {
        let mut points: Vec<Point> = self.definers(variable).iter().map(|insn| self.after(*insn)).collect();
        points.dedup();
        points
    }

    /// Where and when a use is.
    pub fn usage(&self, analysed: &Analysed<'_>, usage: Use, variable: VarId) -> UseAt {
        let block = |node: Node| analysed.lowered.block_of(node).unwrap_or_default();
        match usage {
            Use::Edge(from, to) => UseAt::Edge(block(from), block(to)),
            Use::Node(node) => match analysed.summary.uses.get(&(node, variable)) {
                Some(insn) => UseAt::Node(self.at(*insn)),
                None => UseAt::Node((block(node), 0)),
            },
        }
    }
}

/// The variable of one table that is the same as that of another.
fn counterpart(known: &Variables<'_>, other: &Variables<'_>, variable: VarId) -> Option<VarId> {
    match other.get(variable)? {
        Variable::Path(base, field) => known.find(Variable::Path(counterpart(known, other, base)?, field)),
        root => known.find(root),
    }
}
