//! Graphs and subsumption of the methods of random valid classes: loops within handlers, subroutines, switches, dead code.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside of a test function")]

mod common;

use common::rough;
use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_classfile::ClassFile;
use dynaflow_flowgraph::lower::{Exceptions, Lowered};
use dynaflow_flowgraph::pairs::pairs;
use dynaflow_flowgraph::product::Product;
use dynaflow_flowgraph::{EdgeKind, Problem, subsumption};
use dynaflow_tests::random::class::random_class;
use dynaflow_tests::slow;

/// Visits the methods of random classes.
fn each_method(mut visit: impl FnMut(&str, &Body<'_>)) {
    for seed in 0..if slow() { 1_000 } else { 20 } {
        let (name, bytes) = random_class(seed, 20, 61);
        let class = ClassFile::parse(&bytes).unwrap();
        for (index, method) in class.methods.iter().enumerate() {
            visit(&format!("method {index} of {name}"), &Body::of_method(&class, method).unwrap().unwrap());
        }
    }
}

fn check(lowered: &Lowered, place: &str) {
    let cfg = &lowered.cfg;
    assert_eq!(cfg.exit() as usize, lowered.pieces().len() + 1, "{place}");
    let behind = lowered.pieces().windows(2).all(|two| two[0].insns.end == two[1].insns.start);
    assert!(behind, "{place}: the nodes are not the instructions in their order");
    assert!(cfg.predecessors(cfg.entry()).next().is_none(), "{place}: something leads to the entry");
    assert!(cfg.successors(cfg.exit()).is_empty(), "{place}: something leaves the exit");
    let mut ending = vec![cfg.exit()];
    let mut seen = vec![false; cfg.size()];
    while let Some(node) = ending.pop() {
        if !std::mem::replace(&mut seen[node as usize], true) {
            ending.extend(cfg.predecessors(node).map(|edge| edge.from));
        }
    }
    assert!(cfg.nodes().all(|node| seen[node as usize]), "{place}: a node does not reach the exit");
    let all = cfg.with_orphans().reached();
    assert!(cfg.nodes().all(|node| all[node as usize]), "{place}: a node is still an orphan");
}

#[test]
fn every_method_has_a_graph_with_and_without_exceptions() {
    let (mut thrown, mut orphans) = (0, 0);
    each_method(|place, body| {
        let blocks = Blocks::of(body).unwrap();
        let without = Lowered::of(body, &blocks, Exceptions::Ignored).unwrap();
        let with = Lowered::of(body, &blocks, Exceptions::Edges).unwrap();
        assert_eq!(without.pieces().len(), blocks.all().len(), "{place}: a block is a node");
        check(&without, place);
        check(&with, place);
        let (without, with) = (without.cfg, with.cfg);
        let is_thrown = |edge: &&dynaflow_flowgraph::Edge| edge.kind == EdgeKind::Exception;
        assert!(without.edges().iter().find(is_thrown).is_none(), "{place}");
        thrown += with.edges().iter().filter(is_thrown).count();
        orphans += without.reached().iter().skip(1).filter(|reached| !**reached).count();
    });
    assert!(thrown > 100 && orphans > 100, "{thrown} {orphans}");
}

#[test]
fn both_ways_to_subsumption_agree_on_methods() {
    let (mut product, mut associations) = (Product::default(), 0);
    each_method(|place, body| {
        let blocks = Blocks::of(body).unwrap();
        for exceptions in [Exceptions::Ignored, Exceptions::Edges] {
            let lowered = Lowered::of(body, &blocks, exceptions).unwrap();
            let (defines, uses) = rough::annotations(body, &blocks, &lowered);
            let cfg = lowered.cfg;
            let duas = pairs(&cfg, &defines, &uses);
            associations += duas.len();
            let problem = Problem::new(cfg, defines, duas).unwrap();
            let relation = product.subsumption(&problem);
            assert_eq!(relation, subsumption::subsumption(&problem), "{place}");
            assert!((0..relation.count()).all(|dua| relation.is_coverable(dua)), "{place}");
        }
    });
    assert!(associations > 5_000, "{associations}");
}
