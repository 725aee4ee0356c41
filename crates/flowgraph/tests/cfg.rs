//! Control flow graphs: entry, exit, the edges that are added, and the associations found on them.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside of a test function")]

mod common;

use common::Annotated;
use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_classfile::{Code, ExceptionEntry};
use dynaflow_flowgraph::cfg::CfgError;
use dynaflow_flowgraph::lower::{Exceptions, Lowered};
use dynaflow_flowgraph::problem::ProblemError;
use dynaflow_flowgraph::{Cfg, Dua, Edge, EdgeKind, Node, Problem, Use, Variable};

fn graph(blocks: u32, edges: &[(u32, u32)]) -> Cfg {
    Cfg::new(blocks, edges.iter().map(|(from, to)| Edge::normal(*from, *to)).collect()).unwrap()
}

/// The edges that no bytecode stands behind.
fn added(cfg: &Cfg) -> Vec<(u32, u32)> {
    cfg.edges().iter().filter(|edge| edge.kind == EdgeKind::Added).map(|edge| (edge.from, edge.to)).collect()
}

#[test]
fn blocks_are_numbered_from_one_and_the_exit_comes_last() {
    let cfg = graph(2, &[(1, 2), (2, 3)]);
    assert_eq!((cfg.entry(), cfg.exit(), cfg.nodes().collect::<Vec<_>>()), (1, 3, vec![1, 2, 3]));
    assert_eq!(cfg.successors(1), [Edge::normal(1, 2)]);
    assert_eq!(cfg.predecessors(3).collect::<Vec<_>>(), [Edge::normal(2, 3)]);
    assert_eq!((cfg.edge(2, 3), cfg.edge(3, 2), cfg.successors(9)), (Some(1), None, &[][..]));
    assert!(!cfg.contains(0) && added(&cfg).is_empty());
}

#[test]
fn a_way_back_to_block_one_gives_the_entry_a_node_of_its_own() {
    let cfg = graph(1, &[(1, 1), (1, 2)]);
    assert_eq!((cfg.entry(), added(&cfg)), (0, vec![(0, 1)]));
    assert!(cfg.predecessors(0).next().is_none());
}

#[test]
fn an_endless_loop_may_be_left_from_each_of_its_nodes() {
    // 1 -> 2 <-> 3, and nothing leads to the exit 4.
    let cfg = graph(3, &[(1, 2), (2, 3), (3, 2)]);
    assert_eq!(added(&cfg), [(2, 4), (3, 4)]);
    // A loop with a way out needs nothing, nor does what leads to an endless loop.
    assert_eq!(added(&graph(3, &[(1, 2), (2, 3), (3, 2), (3, 4)])), []);
    assert_eq!(added(&graph(3, &[(1, 2), (1, 4), (2, 3), (3, 3)])), [(3, 4)]);
}

#[test]
fn edges_that_lead_astray_are_refused() {
    assert_eq!(Cfg::new(0, vec![]), Err(CfgError::Empty));
    assert_eq!(
        Cfg::new(1, vec![Edge::normal(2, 1)]),
        Err(CfgError::Stray { from: 2, to: 1, exit: 2 }),
        "nothing leaves the exit"
    );
    assert!(Cfg::new(1, vec![Edge::normal(0, 1)]).is_err());
    assert!(Cfg::new(1, vec![Edge::normal(1, 3)]).is_err());
}

#[test]
fn exceptions_become_edges_when_asked_for() {
    // 0: idiv; return; 2: athrow, the handler of 0 and of itself.
    let entry = |start, end| ExceptionEntry { start, end, handler: 2, catch_type: None };
    let exceptions = vec![entry(0, 1), entry(2, 3)];
    let bytes = &[0x6C, 0xB1, 0xBF];
    let code = Code { max_stack: 2, max_locals: 0, bytes, offset: 0, exceptions, attributes: vec![] };
    let body = Body::new(code).unwrap();
    let blocks = Blocks::of(&body).unwrap();
    let without = Lowered::of(&body, &blocks, Exceptions::Ignored).unwrap().cfg;
    assert_eq!(without.edges(), [Edge::normal(1, 3), Edge::normal(2, 3)]);
    assert_eq!(without.reached(), [false, true, false, true]);
    let with = Lowered::of(&body, &blocks, Exceptions::Edges).unwrap();
    let thrown = |from, to| Edge { from, to, kind: EdgeKind::Exception };
    // The division, the return, the handler.
    let expected = [Edge::normal(1, 2), thrown(1, 3), Edge::normal(2, 4), thrown(3, 3), Edge::normal(3, 4)];
    assert_eq!(with.cfg.edges(), expected);
    assert_eq!((1..4).map(|node| with.block_of(node).unwrap()).collect::<Vec<_>>(), [0, 0, 1]);
}

#[test]
fn what_a_throwing_instruction_defines_belongs_to_the_node_behind_it() {
    // 0: putstatic; 3: iconst_0; 4: putstatic; 7: goto 10; 10: return; 11: athrow, the handler of 0 to 7.
    let exceptions = vec![ExceptionEntry { start: 0, end: 7, handler: 11, catch_type: None }];
    let bytes = &[0xB3, 0, 1, 0x03, 0xB3, 0, 1, 0xA7, 0, 3, 0xB1, 0xBF];
    let code = Code { max_stack: 2, max_locals: 0, bytes, offset: 0, exceptions, attributes: vec![] };
    let body = Body::new(code).unwrap();
    let blocks = Blocks::of(&body).unwrap();
    let with = Lowered::of(&body, &blocks, Exceptions::Edges).unwrap();
    // Nodes: the first store; iconst_0 with the second; goto; return; athrow.
    assert_eq!(
        with.pieces().iter().map(|piece| piece.insns.clone()).collect::<Vec<_>>(),
        [0..1, 1..3, 3..4, 4..5, 5..6]
    );
    assert_eq!((with.using(0), with.defining(0)), (1, 2));
    assert_eq!((with.using(2), with.defining(2)), (2, 3));
    assert_eq!((with.using(3), with.defining(3)), (3, 3));
    let thrown: Vec<Node> =
        with.cfg.edges().iter().filter(|e| e.kind == EdgeKind::Exception).map(|e| e.from).collect();
    assert_eq!(thrown, [1, 2]);
    let without = Lowered::of(&body, &blocks, Exceptions::Ignored).unwrap();
    assert_eq!((without.using(0), without.defining(0), without.last_of(0)), (1, 1, 1));
}

#[test]
fn the_associations_of_sort_are_the_44_of_the_paper() {
    let sort = Annotated::sort();
    let names: Vec<String> = sort.problem.duas().iter().map(|dua| sort.name(dua)).collect();
    assert_eq!(names.len(), 44, "{names:?}");
    for name in
        ["(1,3,a)", "(1,(2,9),n)", "(3,8,index)", "(7,7,index)", "(8,8,a)", "(8,6,a)", "(6,(5,7),mymax)"]
    {
        assert!(names.iter().any(|other| other == name), "{name}");
    }
    for name in ["(6,6,mymax)", "(8,8,index)", "(1,8,mymax)"] {
        assert!(!names.iter().any(|other| other == name), "{name}");
    }
}

#[test]
fn a_problem_with_an_association_from_nowhere_is_refused() {
    let cfg = graph(2, &[(1, 2), (2, 3)]);
    let dua = Dua { def: 1, variable: Variable(0), usage: Use::Node(2) };
    assert!(Problem::new(cfg.clone(), vec![(1, Variable(0))], vec![dua]).is_ok());
    let undefined = Problem::new(cfg.clone(), vec![(2, Variable(0))], vec![dua]);
    assert_eq!(undefined.unwrap_err(), ProblemError::Stray { dua });
    let no_edge = Dua { usage: Use::Edge(1, 3), ..dua };
    assert_eq!(
        Problem::new(cfg.clone(), vec![(1, Variable(0))], vec![no_edge]).unwrap_err(),
        ProblemError::Stray { dua: no_edge }
    );
    assert!(Problem::new(cfg, vec![(9, Variable(0))], vec![]).is_err());
}
