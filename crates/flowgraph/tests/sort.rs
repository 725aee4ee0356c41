//! The program Sort of Concilio Neto, Araujo, Chaim and Offutt, *Graph Representation for Data Flow Coverage*: what the
//! paper says of its graphduas and its subsumption.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside of a test function")]

mod common;

use common::{Annotated, naive};
use dynaflow_flowgraph::graphdua::Graphdua;
use dynaflow_flowgraph::{Node, product, subsumption};
use std::collections::BTreeSet;

fn graphdua(sort: &Annotated, name: &str) -> Graphdua {
    Graphdua::of(&sort.problem, &sort.problem.duas()[sort.position(name)]).unwrap()
}

fn labels(graph: &Graphdua, part: u8) -> String {
    let own = graph.instances().iter().filter(|instance| instance.part == part);
    own.map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_graphdua_of_8_6_a_is_that_of_the_paper() {
    let graph = graphdua(&Annotated::sort(), "(8,6,a)");
    assert_eq!(labels(&graph, 1), "1(1) 2(1) 3(1) 4(1) 5(1) 6(1) 7(1) 8(1)");
    assert_eq!(labels(&graph, 2), "2(2) 3(2) 4(2) 5(2) 6(2) 7(2) 8(2)");
    assert_eq!(labels(&graph, 3), "2(3) 3(3) 4(3) 5(3) 6(3) 7(3) 8(3)");
    assert_eq!(labels(&graph, 4), "2(4) 3(4) 4(4) 5(4) 6(4) 7(4) 8(4)");
    assert_eq!(labels(&graph, 5), "2(5) 3(5) 4(5) 5(5) 6(5) 7(5) 8(5) 9(5)");
    let label = |index: u32| graph.instances()[index as usize].to_string();
    assert_eq!((label(graph.start()), label(graph.exit())), ("1(1)".to_owned(), "9(5)".to_owned()));
    let reached = graph.reached();
    let dangling: Vec<String> = (0..37).filter(|index| !reached[*index as usize]).map(label).collect();
    assert_eq!(dangling, ["8(3)", "6(5)"], "the nodes that the paper calls dangling");
    let edges = graph.edges().iter().filter(|(from, _)| reached[*from as usize]).count();
    assert_eq!((graph.instances().len() - dangling.len(), edges), (35, 47));
    assert_eq!(graph.edges().len(), 49);
    let has = |from: &str, to: &str| graph.edges().iter().any(|(a, b)| label(*a) == from && label(*b) == to);
    for (from, to) in [
        ("8(1)", "2(2)"),
        ("8(1)", "2(3)"),
        ("8(2)", "2(3)"),
        ("6(3)", "7(4)"),
        ("6(3)", "7(5)"),
        ("6(4)", "7(5)"),
    ] {
        assert!(has(from, to), "{from} -> {to} joins two sub-graphs");
    }
    assert!(!has("6(3)", "7(3)") && !has("4(3)", "8(3)"), "SG3 ends at the use and never redefines");
}

/// Numbers of nodes and edges of a graph: of all of it, and of what its start reaches.
type Counts = [usize; 4];

/// A way to read the paper's definition of sub-graphs, for each of the five.
#[derive(Clone, Copy)]
struct Reading {
    /// Whether the first node may come again on the way.
    first_again: bool,
    /// Whether the last node may come before the end.
    last_again: bool,
    /// Whether a way from a node to itself begins and ends at one node, or at two.
    split: bool,
}

/// The edges of all paths between two nodes as a reading has them.
fn paths_between(sort: &Annotated, part: usize, reading: Reading) -> Vec<(Node, Node)> {
    let (first, last) = ENDS[part];
    let cfg = sort.problem.cfg();
    // SG3 leads past no other definition of `a`, which is defined at 1 and 8.
    let is_between = |node: Node| {
        (reading.first_again || node != first)
            && (reading.last_again || node != last)
            && (part != 2 || ![1, 8].contains(&node))
    };
    let close = |from: Node, next: &dyn Fn(Node) -> Vec<Node>| {
        let (mut seen, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(node) = open.pop() {
            let new = next(node).into_iter().filter(|next| is_between(*next) && seen.insert(*next));
            open.extend(new.collect::<Vec<_>>());
        }
        seen
    };
    let behind = close(first, &|node| cfg.successors(node).iter().map(|edge| edge.to).collect());
    let before = close(last, &|node| cfg.predecessors(node).map(|edge| edge.from).collect());
    let lies_on = |from: Node, to: Node| {
        behind.contains(&from)
            && before.contains(&to)
            && (from == first || is_between(from))
            && (to == last || is_between(to))
    };
    cfg.edges().iter().map(|edge| (edge.from, edge.to)).filter(|(from, to)| lies_on(*from, *to)).collect()
}

/// First and last node of SG1 to SG5 of (8,6,a).
const ENDS: [(Node, Node); 5] = [(1, 8), (8, 8), (8, 6), (6, 6), (6, 9)];

/// The graphdua of (8,6,a) when each sub-graph is read so.
fn read(sort: &Annotated, readings: &[Reading; 5]) -> Counts {
    let mut edges = BTreeSet::new();
    // A node, the sub-graph, and whether it is the end of a way that begins at the same node.
    let last = |part: usize| (ENDS[part].1, part, readings[part].split && ENDS[part].0 == ENDS[part].1);
    let place = |part: usize, to: Node| if to == ENDS[part].1 { last(part) } else { (to, part, false) };
    for part in 0..5 {
        let own = paths_between(sort, part, readings[part]);
        edges.extend(own.iter().map(|(from, to)| ((*from, part, false), place(part, *to))));
        let onward = own.iter().filter(|(from, _)| *from == ENDS[part].0);
        let joined: &[usize] = [&[][..], &[0], &[0, 1], &[2], &[2, 3]][part];
        for (_, to) in onward {
            edges.extend(joined.iter().map(|before| (last(*before), place(part, *to))));
        }
    }
    let nodes: BTreeSet<_> = edges.iter().flat_map(|(from, to)| [*from, *to]).collect();
    let (mut reached, mut open) = (BTreeSet::new(), vec![(1, 0, false)]);
    while let Some(node) = open.pop() {
        if reached.insert(node) {
            open.extend(edges.iter().filter(|(from, _)| *from == node).map(|(_, to)| *to));
        }
    }
    let live = edges.iter().filter(|(from, _)| reached.contains(from)).count();
    [nodes.len(), edges.len(), reached.len(), live]
}

#[test]
fn whatever_way_the_definition_is_read_the_dangling_nodes_come_on_top_of_the_35() {
    let sort = Annotated::sort();
    let mut found: BTreeSet<Counts> = BTreeSet::new();
    for bits in 0..1_u32 << 12 {
        let bit = |index: usize| bits >> index & 1 == 1;
        let reading = |part: usize| Reading {
            first_again: bit(part),
            last_again: bit(part + 5),
            // Only SG2 and SG4 lead from a node to itself.
            split: match part {
                1 => bit(10),
                3 => bit(11),
                _ => false,
            },
        };
        found.insert(read(&sort, &[0, 1, 2, 3, 4].map(reading)));
    }
    let strict = [Reading { first_again: false, last_again: false, split: false }; 5];
    assert_eq!(read(&sort, &strict), [37, 49, 35, 47], "the paper's words");
    // The figures of the paper's graph, 35 nodes and 47 edges, are those of what its start reaches.
    assert!(
        found.iter().all(|[nodes, ..]| *nodes >= 37),
        "no reading has 35 nodes with the dangling ones: {found:?}"
    );
    let with_two: BTreeSet<&Counts> = found
        .iter()
        .filter(|[nodes, _, reached, edges]| nodes - reached == 2 && (*reached, *edges) == (35, 47))
        .collect();
    assert_eq!(with_two, BTreeSet::from([&[37, 49, 35, 47]]), "two dangling nodes: one reading alone");
}

#[test]
fn a_use_on_an_edge_ends_at_a_copy_of_its_target() {
    let graph = graphdua(&Annotated::sort(), "(8,(5,7),a)");
    assert_eq!(labels(&graph, 3), "2(3) 3(3) 4(3) 5(3) 6(3) 7(3) 8(3) -7(3)");
    let text = graph.dot("graphdua(8,(5,7),a)");
    assert!(text.contains("\"5(3)\" -> \"-7(3)\";") && !text.contains("\"5(3)\" -> \"7(3)\";"));
    assert!(text.contains("\"-7(3)\" -> \"4(4)\";") && text.contains("\"-7(3)\" -> \"4(5)\";"));
}

#[test]
fn a_definition_at_the_start_used_on_the_way_to_the_exit_has_one_sub_graph() {
    let graph = graphdua(&Annotated::sort(), "(1,(2,9),n)");
    assert!(graph.instances().iter().all(|instance| instance.part == 3));
    assert_eq!(graph.instances()[graph.exit() as usize].to_string(), "-9(3)");
}

#[test]
fn the_44_associations_make_20_classes_of_which_11_are_unconstrained() {
    let sort = Annotated::sort();
    let relation = product::subsumption(&sort.problem);
    assert_eq!(relation, subsumption::subsumption(&sort.problem));
    let classes = relation.classes();
    assert_eq!((relation.count(), classes.count(), classes.unconstrained().count()), (44, 20, 11));
    assert!((0..44).all(|dua| relation.is_coverable(dua)));
}

#[test]
fn subsumption_in_sort_is_what_its_paths_say_one_by_one() {
    let sort = Annotated::sort();
    let paths = naive::paths(sort.problem.cfg(), &[], naive::ENOUGH_VISITS, 100_000).unwrap();
    let expected = naive::relation_by_paths(&sort.problem, &paths, true);
    let relation = product::subsumption(&sort.problem);
    assert_eq!(expected.len(), 44);
    for (first, expected) in expected.iter().enumerate() {
        let found: Vec<bool> = (0..44).map(|second| relation.subsumes(first, second)).collect();
        assert_eq!(&found, expected, "{}", sort.name(&sort.problem.duas()[first]));
    }
    assert_eq!(expected, naive::relation(&sort.problem));
}

#[test]
fn a_path_back_to_the_definition_prevents_a_subsumption() {
    let sort = Annotated::sort();
    let relation = product::subsumption(&sort.problem);
    let subsumes = |first: &str, second: &str| relation.subsumes(sort.position(first), sort.position(second));
    // 1 2 3 4 8 2 3 4 5 7: covers the first after a was written anew at 8.
    assert!(!subsumes("(3,(5,7),mymax)", "(1,(5,7),a)"));
    assert!(subsumes("(8,6,a)", "(8,(5,6),a)") && subsumes("(8,(5,6),a)", "(8,6,a)"));
    assert!(subsumes("(8,6,a)", "(1,3,a)") && !subsumes("(1,3,a)", "(8,6,a)"));
}
