//! Random control flow graphs with definitions and uses, from a seed. It knows nothing of algorithms.
#![allow(clippy::unwrap_used, dead_code, reason = "helpers of tests; not each of them needs all")]

use super::rough::Annotations;
use dynaflow_flowgraph::pairs::pairs;
use dynaflow_flowgraph::{Cfg, Edge, Problem, Use, Variable};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How large problems may become.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub blocks: u32,
    pub variables: u32,
    /// Edges out of a block, at most.
    pub degree: u32,
    /// Percent of pairs of node and variable with a definition, and with a use.
    pub density: u32,
}

/// A graph in which anything goes: self-loops, ways back to block 1, endless loops, blocks that nothing leads to.
pub fn cfg(rng: &mut ChaCha8Rng, size: Size) -> Cfg {
    let blocks = rng.random_range(1..=size.blocks);
    let mut edges = vec![];
    for from in 1..=blocks {
        if rng.random_ratio(9, 10) {
            // Mostly onward, as in programs, so that not all of it is one knot.
            edges.push(Edge::normal(from, (from + rng.random_range(1..=2)).min(blocks + 1)));
        }
        for _ in 1..rng.random_range(1..=size.degree) {
            edges.push(Edge::normal(from, rng.random_range(1..=blocks + 1)));
        }
    }
    Cfg::new(blocks, edges).unwrap()
}

/// A problem with all its associations.
pub fn problem(seed: u64, size: Size) -> Problem {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let cfg = cfg(&mut rng, size);
    let (defines, uses) = annotations(&mut rng, &cfg, size);
    let duas = pairs(&cfg, &defines, &uses);
    Problem::new(cfg, defines, duas).unwrap()
}

/// Where variables are defined and used.
pub fn annotations(rng: &mut ChaCha8Rng, cfg: &Cfg, size: Size) -> Annotations {
    let (mut defines, mut uses) = (vec![], vec![]);
    for variable in (0..rng.random_range(1..=size.variables)).map(Variable) {
        for node in cfg.nodes() {
            let mut happens = |percent: u32| rng.random_ratio(percent.min(100), 100);
            if happens(size.density) || (node == cfg.entry() && happens(50)) {
                defines.push((node, variable));
            }
            if happens(size.density) {
                uses.push((Use::Node(node), variable));
            }
            if cfg.successors(node).len() > 1 && happens(size.density) {
                uses.extend(
                    cfg.successors(node).iter().map(|edge| (Use::Edge(edge.from, edge.to), variable)),
                );
            }
        }
    }
    (defines, uses)
}
