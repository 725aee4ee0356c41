//! Definitions and uses of a method's bytecode, roughly: locals by slot, fields and statics by constant; a block that
//! decides uses what its last instructions load on its edges. Enough for graphs of natural shapes and sizes with
//! associations in natural numbers, no more.

use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::{Blocks, Ending};
use dynaflow_classfile::{Opcode, Operand};
use dynaflow_flowgraph::lower::Lowered;
use dynaflow_flowgraph::{Node, Use, Variable};

/// Where variables are defined, and where they are used.
pub type Annotations = (Vec<(Node, Variable)>, Vec<(Use, Variable)>);

/// Rough definitions and uses of a method; the entry defines everything.
pub fn annotations(body: &Body<'_>, blocks: &Blocks, lowered: &Lowered) -> Annotations {
    let cfg = &lowered.cfg;
    let (mut defines, mut uses) = (Vec::new(), Vec::new());
    let mut mentioned = Vec::new();
    for block in blocks.all() {
        let mut own = Vec::new();
        for at in block.insns() {
            let (node, defining) = (lowered.using(at), lowered.defining(at));
            let Some(insn) = body.insns.get(at) else { continue };
            let (variable, reads, writes) = match (insn.opcode, insn.operand) {
                (Opcode::Iinc, Operand::Increment(slot, _)) => (u32::from(slot), true, true),
                (opcode, Operand::Local(slot)) => (u32::from(slot), !opcode.is_store(), opcode.is_store()),
                (Opcode::Getfield | Opcode::Getstatic, Operand::Constant(name)) => {
                    (u32::from(name) << 16, true, false)
                }
                (Opcode::Putfield | Opcode::Putstatic, Operand::Constant(name)) => {
                    (u32::from(name) << 16, false, true)
                }
                _ => continue,
            };
            mentioned.push(variable);
            let decides = block.ending == Ending::Decides && at + 4 > block.last as usize;
            if reads && decides {
                let edges = cfg.successors(node).iter();
                uses.extend(edges.map(|edge| (Use::Edge(edge.from, edge.to), Variable(variable))));
            } else if reads && !own.contains(&(node, variable)) {
                uses.push((Use::Node(node), Variable(variable)));
            }
            if writes {
                own.push((defining, variable));
                defines.push((defining, Variable(variable)));
            }
        }
    }
    mentioned.sort_unstable();
    mentioned.dedup();
    defines.extend(mentioned.into_iter().map(|variable| (cfg.entry(), Variable(variable))));
    (defines, uses)
}
