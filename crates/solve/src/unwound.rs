//! A method without loops: its units unwound, so that what is searched is acyclic (section IV.A of the paper).
//!
//! A node is a unit in a layer; a jump back leads into the next layer, and beyond the last one nothing is looked at. Irreducible control flow is
//! unwound like any other. Knows no values but what is live. Invariants: edges lead to later nodes; node 0 is the entry; both versions have
//! the same nodes.

use crate::expr::{Expr, Pool};
use crate::machine::Target;
use crate::refusal::Refusal;
use crate::state::Key;
use crate::units::{Parameter, Units, VERSIONS, Version};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Nodes at most.
const MOST: usize = 20_000;

/// Where an edge leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// To a node.
    Node(usize),
    /// To the caller.
    Return,
    /// By an exception.
    Throw(String),
    /// Where nothing is looked at.
    Beyond,
}

/// A unit in a layer.
#[derive(Clone, Debug)]
pub struct Node {
    /// The unit, by its first instruction.
    pub unit: usize,
    /// How many jumps back lie before it.
    pub layer: u32,
    /// By version and exit of the unit, where it leads.
    next: [Vec<Next>; 2],
    /// The places that are read behind its beginning.
    pub live: BTreeSet<Key>,
}

impl Node {
    /// By exit of its unit, where it leads.
    pub fn next(&self, version: Version) -> &[Next] {
        let [original, mutant] = &self.next;
        match version {
            Version::Original => original,
            Version::Mutant => mutant,
        }
    }

    /// The nodes that either version leads to.
    pub fn successors(&self) -> BTreeSet<usize> {
        let node = |next: &Next| match next {
            Next::Node(node) => Some(*node),
            _ => None,
        };
        self.next.iter().flatten().filter_map(node).collect()
    }
}

/// The acyclic graph.
#[derive(Clone, Debug)]
pub struct Unwound {
    /// In topological order.
    pub nodes: Vec<Node>,
}

impl Unwound {
    /// Unwinds a method.
    ///
    /// # Errors
    /// When that takes too many nodes.
    pub fn of(units: &Units, pool: &Pool) -> Result<Self, Refusal> {
        let order = order(units);
        let mut found: BTreeSet<(u32, usize)> = BTreeSet::from([(0, 0)]);
        let mut open = vec![(0_u32, 0_usize)];
        let units_in_order: BTreeMap<usize, usize> =
            order.iter().map(|(unit, place)| (*place, *unit)).collect();
        let step = |layer: u32, place: usize, target: usize| {
            let to = order.get(&target).copied().unwrap_or_default();
            (layer + u32::from(to <= place), to)
        };
        while let Some((layer, place)) = open.pop() {
            let unit = units_in_order.get(&place).and_then(|unit| units.units.get(unit));
            for exit in VERSIONS.iter().flat_map(|version| unit.map(|unit| unit.exits(*version))).flatten() {
                if let Target::Unit(target) = exit.target {
                    let to = step(layer, place, target);
                    if to.0 <= units.bounds.jumps && found.insert(to) {
                        open.push(to);
                    }
                }
            }
            if found.len() > MOST {
                return Err(Refusal::new("it has too many loops within loops"));
            }
        }
        let numbers: BTreeMap<(u32, usize), usize> = found.iter().copied().zip(0..).collect();
        let nodes = found.iter().map(|(layer, place)| {
            let unit = units_in_order.get(place).copied().unwrap_or_default();
            let next = VERSIONS.map(|version| {
                let exits = units.units.get(&unit).map(|unit| unit.exits(version)).unwrap_or_default();
                let next = |target: &Target| match target {
                    Target::Unit(target) => {
                        numbers.get(&step(*layer, *place, *target)).map_or(Next::Beyond, |n| Next::Node(*n))
                    }
                    Target::Return => Next::Return,
                    Target::Throw(class) => Next::Throw(class.clone()),
                    Target::Beyond => Next::Beyond,
                };
                exits.iter().map(|exit| next(&exit.target)).collect()
            });
            Node { unit, layer: *layer, next, live: BTreeSet::new() }
        });
        let mut unwound = Self { nodes: nodes.collect() };
        unwound.find_live(units, pool);
        Ok(unwound)
    }

    /// What is read behind the beginning of each node, from the last to the first.
    fn find_live(&mut self, units: &Units, pool: &Pool) {
        let mut reads = Reads { units, pool, of: FxHashMap::default() };
        let output = outputs(units);
        for number in (0..self.nodes.len()).rev() {
            let mut live = BTreeSet::new();
            for version in VERSIONS {
                let Some(node) = self.nodes.get(number) else { continue };
                let exits = units.units.get(&node.unit).map(|unit| unit.exits(version)).unwrap_or_default();
                for (exit, next) in exits.iter().zip(node.next(version)) {
                    live.extend(reads.keys(exit.when));
                    let behind = match next {
                        Next::Node(next) => self.nodes.get(*next).map(|node| &node.live),
                        Next::Return => Some(&output),
                        Next::Throw(_) | Next::Beyond => None,
                    };
                    for key in behind.into_iter().flatten() {
                        match exit.defined.get(key) {
                            Some(expr) => live.extend(reads.keys(*expr)),
                            None => drop(live.insert(*key)),
                        }
                    }
                }
            }
            if let Some(node) = self.nodes.get_mut(number) {
                node.live = live;
            }
        }
    }
}

/// The places that a caller sees: the result, and what its arrays hold (POD of the paper).
pub fn outputs(units: &Units) -> BTreeSet<Key> {
    let arrays = units.parameters.iter().filter_map(|parameter| match parameter {
        Parameter::Array(_, array) => Some(*array),
        Parameter::Number(..) => None,
    });
    let elements =
        arrays.flat_map(|array| (0..units.bounds.elements).map(move |place| Key::Element(array, place)));
    elements.chain([Key::Result]).collect()
}

/// The places that expressions read.
struct Reads<'r> {
    units: &'r Units,
    pool: &'r Pool,
    of: FxHashMap<Expr, Vec<Key>>,
}

impl Reads<'_> {
    fn keys(&mut self, expr: Expr) -> &[Key] {
        self.of.entry(expr).or_insert_with(|| {
            let variables = self.pool.variables_of(&[expr]);
            variables.into_iter().filter_map(|var| self.units.places.key(var)).collect()
        })
    }
}

/// The units in reverse postorder over the edges of both versions.
fn order(units: &Units) -> BTreeMap<usize, usize> {
    let next = |unit: usize| -> Vec<usize> {
        let unit = units.units.get(&unit);
        let exits = unit.into_iter().flat_map(|unit| VERSIONS.map(|version| unit.exits(version))).flatten();
        let targets: BTreeSet<usize> = exits
            .filter_map(|exit| match exit.target {
                Target::Unit(unit) => Some(unit),
                _ => None,
            })
            .collect();
        targets.into_iter().rev().collect()
    };
    let mut seen = BTreeSet::from([0]);
    let mut done = vec![];
    let mut open = vec![(0, next(0))];
    while let Some((unit, rest)) = open.last_mut() {
        match rest.pop() {
            Some(to) if seen.insert(to) => open.push((to, next(to))),
            Some(_) => {}
            None => {
                done.push(*unit);
                open.pop();
            }
        }
    }
    done.into_iter().rev().zip(0..).collect()
}
