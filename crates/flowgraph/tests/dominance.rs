//! Dominators and control dependence on random graphs, held against what their definitions say of paths.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside of a test function")]

mod common;

use common::Annotated;
use common::random::{Size, cfg};
use dynaflow_flowgraph::dominance::{Dominators, control_dependences};
use dynaflow_flowgraph::{Cfg, Node};
use dynaflow_tests::slow;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

const SIZE: Size = Size { blocks: 12, variables: 1, degree: 3, density: 0 };

fn graphs() -> impl Iterator<Item = (u64, Cfg)> {
    let seeds = 0..if slow() { 20_000 } else { 300 };
    seeds.map(|seed| (seed, cfg(&mut ChaCha8Rng::seed_from_u64(seed), SIZE)))
}

/// Whether a path leads from one node to another that does not touch a third.
fn leads(cfg: &Cfg, from: Node, to: Node, without: Option<Node>) -> bool {
    let mut seen = vec![];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        if Some(node) != without && !seen.contains(&node) {
            seen.push(node);
            open.extend(cfg.edges().iter().filter(|edge| edge.from == node).map(|edge| edge.to));
        }
    }
    seen.contains(&to)
}

#[test]
fn a_node_dominates_what_its_removal_cuts_off() {
    for (seed, cfg) in graphs() {
        let (forward, back) = (Dominators::of(&cfg), Dominators::post(&cfg));
        assert_eq!((forward.root(), back.root()), (cfg.entry(), cfg.exit()));
        for a in cfg.nodes() {
            for b in cfg.nodes() {
                let reached = leads(&cfg, cfg.entry(), b, None);
                let cut = reached && !leads(&cfg, cfg.entry(), b, Some(a));
                assert_eq!(forward.dominates(a, b), cut, "seed {seed}: {a} dominates {b} in {cfg:?}");
                let cut = !leads(&cfg, b, cfg.exit(), Some(a));
                assert_eq!(back.dominates(a, b), cut, "seed {seed}: {a} post-dominates {b} in {cfg:?}");
            }
        }
    }
}

#[test]
fn the_immediate_dominator_is_dominated_by_all_others() {
    for (seed, cfg) in graphs() {
        let tree = Dominators::of(&cfg);
        for node in cfg.nodes() {
            let strict: Vec<Node> =
                cfg.nodes().filter(|other| *other != node && tree.dominates(*other, node)).collect();
            let closest = strict.iter().find(|a| strict.iter().all(|b| tree.dominates(*b, **a)));
            assert_eq!(tree.immediate(node), closest.copied(), "seed {seed}: node {node} of {cfg:?}");
        }
    }
}

#[test]
fn what_depends_on_an_edge_is_certain_behind_it_and_not_before() {
    for (seed, cfg) in graphs() {
        let found = control_dependences(&cfg, &Dominators::post(&cfg));
        let certain = |from: Node, node: Node| !leads(&cfg, from, cfg.exit(), Some(node));
        let mut expected = 0;
        for edge in cfg.edges() {
            for node in cfg.nodes() {
                let depends = certain(edge.to, node) && (edge.from == node || !certain(edge.from, node));
                let is_found = found.iter().any(|d| d.on == *edge && d.node == node);
                assert_eq!(is_found, depends, "seed {seed}: {node} on {edge:?} in {cfg:?}");
                expected += usize::from(depends);
            }
        }
        assert_eq!(found.len(), expected, "seed {seed}: none is there twice");
    }
}

#[test]
fn in_sort_the_body_of_a_loop_depends_on_its_condition() {
    let sort = Annotated::sort();
    let found = control_dependences(sort.problem.cfg(), &Dominators::post(sort.problem.cfg()));
    let on = |from: Node, to: Node| -> Vec<Node> {
        let mut nodes: Vec<Node> =
            found.iter().filter(|d| (d.on.from, d.on.to) == (from, to)).map(|d| d.node).collect();
        nodes.sort_unstable();
        nodes
    };
    assert_eq!((on(2, 3), on(4, 5), on(5, 6)), (vec![2, 3, 4, 8], vec![4, 5, 7], vec![6]));
    assert_eq!((on(2, 9), on(5, 7), on(1, 2)), (vec![], vec![], vec![]));
}
