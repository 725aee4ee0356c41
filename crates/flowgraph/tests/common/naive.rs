//! The definitions themselves, executed slowly: what the algorithms are held against. Nothing here is shared with them.
//!
//! Subsumption is decided twice: by searching all (node, status of D1, status of D2), and by listing complete paths. A
//! path that covers D1 and leaves D2 uncovered never needs to come to a node twice with the same two statuses, and
//! D2 has two statuses while it is uncovered: paths that come to each node at most 3 * 2 times are enough.
#![allow(clippy::unwrap_used, dead_code, reason = "helpers of tests; not each of them needs all")]

use dynaflow_flowgraph::{Cfg, Dua, Node, Problem, Use};
use std::collections::{BTreeSet, VecDeque};

/// How often a path must be allowed to come to a node so that the list of paths decides.
pub const ENOUGH_VISITS: usize = 6;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    Dead,
    Live,
    Covered,
}

fn at_node(problem: &Problem, dua: &Dua, node: Node, status: Status) -> Status {
    match status {
        Status::Covered => Status::Covered,
        Status::Live if dua.usage == Use::Node(node) => Status::Covered,
        _ if dua.def == node => Status::Live,
        _ if problem.defined(node).contains(&dua.variable) => Status::Dead,
        other => other,
    }
}

fn at_edge(dua: &Dua, from: Node, to: Node, status: Status) -> Status {
    if status == Status::Live && dua.usage == Use::Edge(from, to) { Status::Covered } else { status }
}

fn successors(cfg: &Cfg, node: Node) -> Vec<Node> {
    cfg.edges().iter().filter(|edge| edge.from == node).map(|edge| edge.to).collect()
}

/// What a node reaches, itself only by a cycle.
pub fn reaches(cfg: &Cfg, from: Node) -> BTreeSet<Node> {
    let mut open = successors(cfg, from);
    let mut seen = BTreeSet::new();
    while let Some(node) = open.pop() {
        if seen.insert(node) {
            open.extend(successors(cfg, node));
        }
    }
    seen
}

/// Whether the entry reaches a node.
pub fn is_reached(cfg: &Cfg, node: Node) -> bool {
    node == cfg.entry() || reaches(cfg, cfg.entry()).contains(&node)
}

/// Where the entry is taken to lead for the sake of code that it does not reach: to the smallest node of each cycle, or
/// the single node, that nothing else leads to.
pub fn orphan_beginnings(cfg: &Cfg) -> Vec<Node> {
    let orphans: Vec<Node> = cfg.nodes().filter(|node| !is_reached(cfg, *node)).collect();
    let leads = |from: Node, to: Node| reaches(cfg, from).contains(&to);
    let is_first = |node: &Node| {
        orphans.iter().all(|other| !leads(*other, *node) || (leads(*node, *other) && node <= other))
    };
    orphans.iter().copied().filter(is_first).collect()
}

/// Where paths go from a node, and from the entry to orphans too if they are asked about.
fn onward(cfg: &Cfg, node: Node, orphans: &[Node]) -> Vec<Node> {
    let mut targets = successors(cfg, node);
    if node == cfg.entry() {
        targets.extend(orphans);
    }
    targets
}

/// Whether a path without another definition leads from the definition to the use.
pub fn is_association(problem: &Problem, dua: &Dua) -> bool {
    let cfg = problem.cfg();
    let mut open = VecDeque::from([dua.def]);
    let mut seen = BTreeSet::new();
    while let Some(node) = open.pop_front() {
        for to in successors(cfg, node) {
            if dua.usage == Use::Edge(node, to) || dua.usage == Use::Node(to) {
                return true;
            }
            if !problem.defined(to).contains(&dua.variable) && seen.insert(to) {
                open.push_back(to);
            }
        }
    }
    false
}

/// The pairs of statuses in which paths from the entry can arrive at the end.
fn at_exit(problem: &Problem, first: &Dua, second: &Dua) -> BTreeSet<(Status, Status)> {
    let cfg = problem.cfg();
    let orphans = if is_reached(cfg, first.def) { vec![] } else { orphan_beginnings(cfg) };
    let step = |node: Node, a: Status, b: Status| {
        (node, at_node(problem, first, node, a), at_node(problem, second, node, b))
    };
    let start = step(cfg.entry(), Status::Dead, Status::Dead);
    let mut seen = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some((node, a, b)) = open.pop() {
        for to in onward(cfg, node, &orphans) {
            let next = step(to, at_edge(first, node, to, a), at_edge(second, node, to, b));
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    seen.into_iter().filter(|(node, _, _)| *node == cfg.exit()).map(|(_, a, b)| (a, b)).collect()
}

/// Whether the first subsumes the second; what no path covers, and what code reached otherwise covers, is kept apart.
pub fn subsumes(problem: &Problem, first: usize, second: usize) -> bool {
    let (a, b) = (&problem.duas()[first], &problem.duas()[second]);
    let ends = at_exit(problem, a, b);
    let mut covering = ends.iter().filter(|(a, _)| *a == Status::Covered).peekable();
    let comparable = is_reached(problem.cfg(), a.def) == is_reached(problem.cfg(), b.def);
    first == second
        || (comparable && covering.peek().is_some() && covering.all(|(_, b)| *b == Status::Covered))
}

/// The relation as a table.
pub fn relation(problem: &Problem) -> Vec<Vec<bool>> {
    let all = 0..problem.duas().len();
    all.clone().map(|a| all.clone().map(|b| subsumes(problem, a, b)).collect()).collect()
}

/// All complete paths that come to no node more often than this; none if they are more than `limit`.
pub fn paths(cfg: &Cfg, orphans: &[Node], visits: usize, limit: usize) -> Option<Vec<Vec<Node>>> {
    let mut found = vec![];
    let mut steps = 0;
    let mut open = vec![vec![cfg.entry()]];
    while let Some(path) = open.pop() {
        steps += 1;
        if steps > limit * 8 || found.len() > limit {
            return None;
        }
        let last = *path.last().unwrap();
        if last == cfg.exit() {
            found.push(path.clone());
        }
        for to in onward(cfg, last, orphans) {
            if path.iter().filter(|node| **node == to).count() < visits {
                let mut longer = path.clone();
                longer.push(to);
                open.push(longer);
            }
        }
    }
    Some(found)
}

/// Whether a path covers an association: by the words of the definition.
pub fn covers(problem: &Problem, path: &[Node], dua: &Dua) -> bool {
    let clear = |from: usize, to: usize| {
        path[from + 1..to].iter().all(|node| !problem.defined(*node).contains(&dua.variable))
    };
    let ends = |at: usize| match dua.usage {
        Use::Node(node) => path[at] == node,
        Use::Edge(from, to) => path[at] == to && path[at - 1] == from,
    };
    (0..path.len()).filter(|from| path[*from] == dua.def).any(|from| {
        // The origin of the last edge is a node between, unless it is the definition itself.
        (from + 1..path.len()).any(|to| ends(to) && clear(from, to))
    })
}

/// The relation among associations of one kind (reached from the entry or not) according to a list of paths.
pub fn relation_by_paths(problem: &Problem, paths: &[Vec<Node>], reached: bool) -> Vec<Vec<bool>> {
    let duas = problem.duas();
    let kind: Vec<bool> = duas.iter().map(|dua| is_reached(problem.cfg(), dua.def) == reached).collect();
    let mut table = vec![vec![false; duas.len()]; duas.len()];
    let mut covered_once = vec![false; duas.len()];
    for path in paths {
        let covered: Vec<bool> = duas.iter().map(|dua| covers(problem, path, dua)).collect();
        for first in (0..duas.len()).filter(|first| covered[*first] && kind[*first]) {
            for second in 0..duas.len() {
                let so_far = table[first][second] || !covered_once[first];
                table[first][second] = so_far && covered[second] && kind[second];
            }
            covered_once[first] = true;
        }
    }
    (0..duas.len()).for_each(|index| table[index][index] = true);
    table
}
