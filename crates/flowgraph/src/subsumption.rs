//! The Subsumption Algorithm on graphduas: what is covered on all paths through the graphdua of an association is what
//! the association subsumes.
//!
//! After Chaim, Baral, Offutt, Concilio and Araujo (*Efficiently Finding Data Flow Subsumptions*) and Concilio Neto et al.
//! The same relation as that of [`crate::product`], by way of one graph for each association: what the literature does,
//! and what the faster way is held against. It knows nothing of how graphduas are built.

use crate::bits::{self, Matrix};
use crate::cfg::Cfg;
use crate::graphdua::Graphdua;
use crate::order::{Order, Worklist};
use crate::problem::{Dua, Problem};
use crate::relation::Relation;
use crate::transfer::Transfer;

/// The subsumption relation among the associations of a method. `O(associations * edges * associations / 64)`, the
/// factor of loops within loops apart.
pub fn subsumption(problem: &Problem) -> Relation {
    let mut relation = Relation::new((0..problem.duas().len() as u32).collect());
    let reached = problem.cfg().reached();
    let is_reached = |dua: &Dua| reached.get(dua.def as usize) == Some(&true);
    let (direct, orphans): (Vec<usize>, Vec<usize>) =
        (0..problem.duas().len()).partition(|index| problem.duas().get(*index).is_some_and(is_reached));
    run(problem.cfg(), problem, &direct, &mut relation);
    if !orphans.is_empty() {
        run(&problem.cfg().with_orphans(), problem, &orphans, &mut relation);
        relation.keep_apart(orphans.into_iter());
    }
    relation
}

fn run(cfg: &Cfg, problem: &Problem, duas: &[usize], relation: &mut Relation) {
    let mut transfer = Transfer::default();
    let all = 0..problem.duas().len();
    transfer.prepare(cfg, problem, problem.duas());
    for index in duas {
        let graph = problem.duas().get(*index).and_then(|dua| Graphdua::on(cfg, problem, dua));
        if let Some(graph) = graph {
            let uncovered = left_uncovered(cfg, &transfer, &graph, problem.duas().len());
            relation.cover(*index, all.clone(), &uncovered);
        }
    }
}

/// The associations that some path from start to exit leaves uncovered.
fn left_uncovered(cfg: &Cfg, transfer: &Transfer, graph: &Graphdua, count: usize) -> Vec<u64> {
    let order = Order::new(graph.instances().len(), graph.start(), |instance| graph.successors(instance));
    let node = |instance: u32| graph.instances().get(instance as usize).map_or(u32::MAX, |found| found.node);
    let mut states = Matrix::new(graph.instances().len(), transfer.width() * 2);
    let (dead, open) = states.row_mut(graph.start() as usize).split_at_mut(transfer.width());
    bits::fill(dead, count);
    bits::fill(open, count);
    let mut scratch = vec![0; transfer.width() * 2];
    let mut work = Worklist::default();
    work.reset(order.nodes().len());
    (0..order.nodes().len()).for_each(|position| work.insert(position));
    while let Some(instance) = work.pop().and_then(|position| order.nodes().get(position).copied()) {
        transfer.after_node(node(instance), states.row(instance as usize), &mut scratch);
        for to in graph.successors(instance) {
            let Some(edge) = cfg.edge(node(instance), node(to)) else { continue };
            if transfer.along_edge(edge, &scratch, states.row_mut(to as usize)) {
                order.position(to).into_iter().for_each(|position| work.insert(position));
            }
        }
    }
    transfer.after_node(node(graph.exit()), states.row(graph.exit() as usize), &mut scratch);
    scratch.split_off(transfer.width())
}
