//! Path sets put together from those of single roots, against a fresh search.
#![allow(clippy::unwrap_used, reason = "a test may")]

use arbtest::arbitrary::{Result, Unstructured};
use dynaflow_memgraph::{Edge, Graph, Latest, Limits, Node, PathSet, Routes, Slot};
use std::collections::BTreeSet;

/// Nothing is found backward, and nothing is cut.
const FORWARD: Limits = Limits { edges: 4, paths: 1 << 20, steps: 1 << 20, patience: 0, forward: 1 << 20 };

fn at(moment: u64) -> Latest {
    Latest { moment, site: 1, frame: 1 }
}

type Found = BTreeSet<(Node, Vec<Edge>, u64)>;

fn found(set: &PathSet) -> Found {
    assert!(!set.cut);
    let paths = set.paths.iter();
    let all: Found = paths.map(|path| (path.root, set.edges(path).to_vec(), path.latest.moment)).collect();
    assert_eq!(all.len(), set.paths.len(), "each path once");
    all
}

fn fresh(graph: &Graph, roots: &[Node], target: Node) -> Found {
    let mut set = PathSet::default();
    graph.search_paths(target, FORWARD, |node| roots.contains(&node), &mut set);
    found(&set)
}

fn cached(
    graph: &mut Graph,
    routes: &mut Routes,
    owner: u32,
    roots: &[Node],
    target: Node,
    limits: Limits,
) -> Found {
    let list = |list: &mut Vec<Node>| {
        list.extend(roots);
        true
    };
    found(routes.get(graph, ([owner, 0], target), limits, |node| roots.contains(&node), list).0)
}

/// Makes an edge, takes one away, writes one again or changes what a container holds.
fn change(u: &mut Unstructured<'_>, graph: &mut Graph, nodes: &[Node], moment: u64) -> Result<()> {
    let (source, target) = (*u.choose(nodes)?, *u.choose(nodes)?);
    match u.int_in_range(0..=9)? {
        0 => graph.hold(source, target),
        1 => graph.release(source, target),
        2 => drop(graph.write(source, Slot::CONTENTS, at(moment), None)),
        3 => drop(graph.write(source, Slot::field(9), at(moment), None)),
        4 => drop(graph.write(source, Slot::field(u.int_in_range(1..=6)?), at(moment), None)),
        _ => drop(graph.write(source, Slot::field(u.int_in_range(1..=6)?), at(moment), Some(target))),
    }
    Ok(())
}

/// Receivers come and go like invocations, each with a set of roots of its own, over objects that stay and change.
#[test]
fn sets_of_roots_that_share_most_of_them_equal_fresh_searches() {
    arbtest::arbtest(|u| {
        let (mut graph, mut routes) = (Graph::default(), Routes::default());
        let nodes: Vec<Node> = (2..11).map(|name| graph.node(name, 0)).collect();
        let mut roots = vec![nodes[0], nodes[1]];
        roots.iter().for_each(|root| graph.pin(*root));
        let (mut moment, mut name, mut owner) = (0, 100, 0);
        while !u.is_empty() {
            moment += 1;
            change(u, &mut graph, &nodes, moment)?;
            owner += 1;
            if roots.len() > 2 && u.ratio(1, 3)? {
                let gone = roots.pop().unwrap();
                graph.unpin(gone);
                graph.free(gone);
            } else if roots.len() < 5 {
                name += 1;
                let root = graph.node(name, 0);
                graph.pin(root);
                graph.write(root, Slot::field(1), at(moment), Some(*u.choose(&nodes)?));
                if u.ratio(1, 4)? {
                    graph.write(*u.choose(&nodes)?, Slot::field(7), at(moment), Some(root));
                }
                roots.push(root);
            }
            for _ in 0..3 {
                let target = if u.ratio(1, 6)? { *u.choose(&roots)? } else { *u.choose(&nodes)? };
                let now = cached(&mut graph, &mut routes, owner, &roots, target, FORWARD);
                assert_eq!(now, fresh(&graph, &roots, target));
            }
        }
        Ok(())
    })
    .budget_ms(2000);
}

/// Six roots, each of which reaches six objects, one of them shared by all and by a hundred idle objects that others refer to.
#[test]
fn each_root_has_the_bound_on_edges_for_itself() {
    let (mut graph, mut routes, mut moment) = (Graph::default(), Routes::default(), 0);
    let mut names = 2..;
    let mut node = |graph: &mut Graph| graph.node(names.next().unwrap(), 0);
    let shared = node(&mut graph);
    let mut refer = |graph: &mut Graph, from: Node, slot: u32, to: Node| {
        moment += 1;
        graph.write(from, Slot::field(slot), at(moment), Some(to));
    };
    for _ in 0..100 {
        let (outer, inner) = (node(&mut graph), node(&mut graph));
        refer(&mut graph, outer, 1, inner);
        refer(&mut graph, inner, 1, shared);
    }
    let roots: Vec<Node> = (0..6).map(|_| node(&mut graph)).collect();
    for root in &roots {
        graph.pin(*root);
        for slot in 1..6 {
            let leaf = node(&mut graph);
            refer(&mut graph, *root, slot, leaf);
        }
        refer(&mut graph, *root, 6, shared);
    }
    let limits = Limits { edges: 4, paths: 64, steps: 64, patience: 4, forward: 8 };
    let paths = cached(&mut graph, &mut routes, 1, &roots, shared, limits);
    assert_eq!(paths, fresh(&graph, &roots, shared), "nothing is cut");
    assert_eq!(paths.len(), 6);
}
