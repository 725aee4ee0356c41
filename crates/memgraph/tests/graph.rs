//! The graph against a list of its writes: cells, edges and paths, whatever was written, freed and cached before.
#![allow(clippy::unwrap_used, reason = "a test may")]

use arbtest::arbitrary::{Result, Unstructured};
use dynaflow_memgraph::{Ball, Edge, Effect, Graph, Latest, Limits, Node, PathSet, Routes, Slot};
use std::collections::{BTreeMap, BTreeSet};

const LIMITS: Limits =
    Limits { edges: 3, paths: 1 << 20, steps: 1 << 20, patience: 1 << 20, forward: 1 << 20 };

/// The writes of locations and what containers hold, by the names of nodes.
#[derive(Default)]
struct Model {
    writes: BTreeMap<(u64, Slot), (u64, Option<u64>)>,
    held: BTreeMap<(u64, u64), u32>,
}

impl Model {
    /// Source, location, moment and target of every edge.
    fn edges(&self) -> impl Iterator<Item = (u64, Slot, u64, u64)> {
        let cells = self
            .writes
            .iter()
            .filter_map(|((source, slot), (moment, target))| Some((*source, *slot, *moment, (*target)?)));
        cells.chain(self.held.keys().map(|(container, element)| {
            let write = self.writes.get(&(*container, Slot::CONTENTS));
            (*container, Slot::CONTENTS, write.map_or(0, |(moment, _)| *moment), *element)
        }))
    }

    fn holds_any(&self, container: u64) -> bool {
        self.held.keys().any(|(holder, _)| *holder == container)
    }

    fn forget(&mut self, name: u64) {
        self.writes.retain(|(source, _), _| *source != name);
        let targets = self.writes.values_mut().filter(|(_, target)| *target == Some(name));
        targets.for_each(|(_, target)| *target = None);
        self.held.retain(|(container, element), _| *container != name && *element != name);
    }
}

fn slot(u: &mut Unstructured<'_>) -> Result<Slot> {
    Ok(match u.int_in_range(0..=4)? {
        0 => Slot::CONTENTS,
        1 => Slot::element(*u.choose(&[0, 1, 500_000])?),
        _ => Slot::field(u.int_in_range(1..=3)?),
    })
}

/// A path as the names of its nodes' cells and the latest write.
type NamedPath = (Vec<(u64, Slot)>, u64);

/// All simple paths to `end` with at most three edges, forward from every root.
fn naive_paths(model: &Model, roots: &[u64], end: u64) -> BTreeSet<NamedPath> {
    let mut found = BTreeSet::new();
    for name in roots.iter().copied() {
        let mut partial = vec![(vec![], vec![name], 0)];
        while let Some((path, nodes, latest)) = partial.pop() {
            let at = *nodes.last().unwrap();
            if at == end {
                found.insert((path.clone(), latest));
            }
            if path.len() == LIMITS.edges {
                continue;
            }
            for (source, slot, moment, target) in model.edges() {
                if source == at && !nodes.contains(&target) {
                    let path = path.iter().copied().chain([(at, slot)]).collect();
                    let nodes = nodes.iter().copied().chain([target]).collect();
                    partial.push((path, nodes, latest.max(moment)));
                }
            }
        }
    }
    found
}

fn named(graph: &Graph, set: &PathSet) -> BTreeSet<NamedPath> {
    let name = |edge: &Edge| (graph.name(edge.source), edge.slot);
    set.paths.iter().map(|path| (set.edges(path).iter().map(name).collect(), path.latest.moment)).collect()
}

fn step(u: &mut Unstructured<'_>, graph: &mut Graph, model: &mut Model, moment: u64) -> Result<()> {
    let name = u.int_in_range(2..=10)?;
    let node = graph.node(name, 0);
    if u.ratio(1, 12)? && !graph.is_pinned(node) {
        assert!(graph.free(node));
        model.forget(name);
        return Ok(());
    }
    if u.ratio(1, 12)? && [7, 9, 10].contains(&name) {
        // Others come and go as receivers.
        if graph.is_pinned(node) {
            graph.unpin(node)
        } else {
            graph.pin(node)
        }
        return Ok(());
    }
    if u.ratio(1, 3)? {
        return hold(u, graph, model, name);
    }
    let slot = slot(u)?;
    let target = if u.ratio(3, 4)? { Some(u.int_in_range(2..=10)?) } else { None };
    let target_node = target.map(|name| graph.node(name, 0));
    let write = Latest { moment, site: 1, frame: 1 };
    let effect = graph.write(node, slot, write, target_node);
    let target = target.filter(|_| slot != Slot::CONTENTS);
    let old = model.writes.insert((name, slot), (moment, target)).and_then(|(_, target)| target);
    let edge = old.is_some() || target.is_some() || (slot == Slot::CONTENTS && model.holds_any(name));
    assert_eq!(effect, if edge { Effect::Edge } else { Effect::Cell });
    Ok(())
}

/// Something comes into a container or goes out of it.
fn hold(u: &mut Unstructured<'_>, graph: &mut Graph, model: &mut Model, name: u64) -> Result<()> {
    let element_name = u.int_in_range(2..=10)?;
    let (container, element) = (graph.node(name, 0), graph.node(element_name, 0));
    let key = (name, element_name);
    let count = model.held.get(&key).copied().unwrap_or(0);
    let now = match u.int_in_range(0..=6)? {
        0..=2 => {
            graph.hold(container, element);
            count + 1
        }
        3 => {
            graph.ensure_held(container, element);
            count.max(1)
        }
        4 | 5 => {
            graph.release(container, element);
            count.saturating_sub(1)
        }
        _ => {
            graph.release_all(container);
            model.held.retain(|(holder, _), _| *holder != name);
            0
        }
    };
    model.held.insert(key, now);
    model.held.retain(|_, count| *count > 0);
    Ok(())
}

fn search(graph: &Graph, target: Node, limits: Limits, accept: impl FnMut(Node) -> bool) -> PathSet {
    let mut set = PathSet::default();
    graph.search_paths(target, limits, accept, &mut set);
    set
}

#[test]
fn cached_paths_equal_a_fresh_search_and_the_definition() {
    arbtest::arbtest(|u| {
        let (mut graph, mut model, mut routes) = (Graph::default(), Model::default(), Routes::default());
        // Three owners, each with its own roots; all roots are pinned, others may be too.
        let owners: [&[u64]; 3] = [&[2], &[3, 4], &[2, 3, 5, 8]];
        [2, 3, 4, 5, 6, 8].into_iter().for_each(|name| {
            let node = graph.node(name, 0);
            graph.pin(node);
        });
        let mut moment = 0;
        while !u.is_empty() {
            moment += 1;
            step(u, &mut graph, &mut model, moment)?;
            let name = u.int_in_range(2..=10)?;
            let node = graph.node(name, 0);
            let listed = graph.elements(node).count();
            assert!(graph.elements_count(node).is_none_or(|count| count == listed));
            let owner = u.int_in_range(0..=2)?;
            let roots = owners[owner];
            let nodes: Vec<_> = roots.iter().map(|name| graph.find(*name).unwrap()).collect();
            let is_root = |node: Node| nodes.contains(&node);
            let fresh = search(&graph, node, LIMITS, is_root);
            // Some owners' paths are found from the roots as soon as it takes more than a look.
            let (patience, forward) = [(LIMITS.patience, 0), (1, 4), (0, LIMITS.forward)][owner];
            let limits = Limits { patience, forward, ..LIMITS };
            let list = |list: &mut Vec<Node>| {
                list.extend(&nodes);
                true
            };
            let (cached, _) = routes.get(&mut graph, ([owner as u32, 0], node), limits, is_root, list);
            let both = |set: &PathSet| -> BTreeSet<(Node, Vec<Edge>, u64)> {
                set.paths
                    .iter()
                    .map(|path| (path.root, set.edges(path).to_vec(), path.latest.moment))
                    .collect()
            };
            assert_eq!((both(cached), cached.paths.len()), (both(&fresh), fresh.paths.len()));
            assert_eq!(named(&graph, cached), naive_paths(&model, roots, name));
            // With whatever is known of what a root reaches, the paths from it are the same.
            let (root, mut ball, mut near) = (graph.node(roots[0], 0), Ball::default(), PathSet::default());
            graph.fill_ball(&[root], None, LIMITS.edges, u.int_in_range(0..=30)?, &mut ball);
            graph.search_from(root, &ball, node, LIMITS, &mut near);
            assert_eq!(both(&near), both(&search(&graph, node, LIMITS, |at| at == root)));
        }
        Ok(())
    })
    .budget_ms(3000);
}

#[test]
fn a_write_older_than_the_one_in_the_cell_changes_nothing() {
    let mut graph = Graph::default();
    let (a, b) = (graph.node(2, 0), graph.node(3, 0));
    let at = |moment| Latest { moment, site: 0, frame: 0 };
    assert_eq!(graph.write(a, Slot::field(1), at(9), Some(b)), Effect::Edge);
    assert_eq!(graph.write(a, Slot::field(1), at(4), None), Effect::Stale);
    assert_eq!(graph.cell(a, Slot::field(1)).unwrap().write.moment, 9);
    assert_eq!(graph.incoming(b).len(), 1);
}

#[test]
fn a_path_goes_through_no_node_twice() {
    let mut graph = Graph::default();
    let nodes: Vec<Node> = (2..5).map(|name| graph.node(name, 0)).collect();
    for (moment, at) in (1..).zip(0..3) {
        let write = Latest { moment, site: 0, frame: 0 };
        graph.write(nodes[at], Slot::field(1), write, Some(nodes[(at + 1) % 3]));
        graph.write(nodes[at], Slot::field(2), write, Some(nodes[at]));
    }
    nodes.iter().for_each(|node| graph.pin(*node));
    let set = search(&graph, nodes[0], Limits { edges: 9, ..LIMITS }, |_| true);
    let lengths: Vec<usize> = set.paths.iter().map(|path| set.edges(path).len()).collect();
    assert_eq!(lengths, [0, 1, 2], "no path longer than the ring, none through an object's edge to itself");
}

#[test]
fn a_further_name_lasts_as_long_as_its_node_and_frees_nothing() {
    let mut graph = Graph::default();
    let (list, other) = (graph.node(2, 0), graph.node(3, 0));
    graph.alias(7, list);
    graph.alias(3, list);
    assert_eq!((graph.find(7), graph.find(3)), (Some(list), Some(other)), "a node keeps its own name");
    assert!(!graph.unalias(2, list) && !graph.unalias(3, list));
    assert!(graph.unalias(7, list) && graph.find(7).is_none() && graph.find(2) == Some(list));
    graph.alias(8, list);
    assert!(graph.free(list) && graph.find(8).is_none());
}

#[test]
fn a_pinned_node_is_not_freed() {
    let mut graph = Graph::default();
    let node = graph.node(2, 0);
    graph.pin(node);
    assert!(!graph.free(node));
    graph.unpin(node);
    assert!(graph.free(node) && !graph.free(node));
    assert_eq!(graph.find(2), None);
}
