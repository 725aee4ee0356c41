//! Names for values: each definition has one, and each place where several definitions meet. What reaches a node under one name is a chain from
//! a definition to its uses (DU chain, section III.A of the paper), found once, without looking at values.
//!
//! Knows which node excites the mutation effect, not how. Invariants: a value in front of that node has one name in both versions, and so has a value
//! that no changed definition and no joining of ways behind it can have touched; names of operands are smaller than names of what is made of them.

use super::flow::Flow;
use crate::expr::{Expr, Pool, Var};
use crate::state::{Key, sort_of};
use crate::units::{Parameter, Units, VERSIONS};
use crate::unwound::Unwound;
use crate::value::Sort;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A value, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Name(pub u32);

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A caller gives it: an input definition of the program (PID).
    Entry(Key),
    /// An exit of a node defines it.
    Definition {
        /// The version.
        plane: usize,
        /// The node.
        node: usize,
        /// The exit.
        exit: usize,
        /// The place.
        key: Key,
        /// What it is, over what the places hold where the node begins.
        expr: Expr,
    },
    /// Definitions meet there.
    Meet {
        /// The version.
        plane: usize,
        /// The node.
        node: usize,
        /// The place.
        key: Key,
    },
}

/// By place, the name of what it holds.
pub(super) type Holds = BTreeMap<Key, Name>;

/// All names.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// By node or end: whether the effect cannot have reached it.
    pub clean: Vec<bool>,
    /// By version and node or end: what places hold there.
    at: [Vec<Holds>; 2],
    /// By version, node and exit: what it defines.
    defined: [Vec<Vec<Holds>>; 2],
    /// By version and node or end: what meets there.
    meets: [Vec<Vec<(Key, Name)>>; 2],
    /// By name.
    origins: Vec<Origin>,
    vars: Vec<Var>,
    by_var: FxHashMap<Var, Name>,
    /// By name: versions and nodes to look at again when its value becomes known.
    touched: Vec<Vec<(usize, usize)>>,
    /// Definitions by node, exit, place, expression and operands.
    known: FxHashMap<(usize, usize, Key, Expr, Vec<Name>), Name>,
}

impl Names {
    /// Names for the search for an excitation at a node.
    pub fn of(pool: &mut Pool, units: &mut Units, graph: &Unwound, flow: &Flow, excited: usize) -> Self {
        let behind = flow.behind(excited);
        let all = flow.all();
        let clean = (0..all).map(|node| !behind.contains(&node)).collect();
        let mut names = Self { clean, ..Self::default() };
        let entry = names.enter(pool, units);
        let outputs = crate::unwound::outputs(units);
        for node in 0..all {
            let live = graph.nodes.get(node).map_or(&outputs, |node| &node.live);
            for plane in 0..2 {
                let (mut holds, mut meets) = (Holds::new(), vec![]);
                if node == 0 {
                    holds.clone_from(&entry);
                } else if node <= flow.nodes() {
                    for key in live {
                        if let Some((name, is_meet)) = names.arriving(pool, flow, plane, node, *key) {
                            holds.insert(*key, name);
                            meets.extend(is_meet.then_some((*key, name)));
                        }
                    }
                }
                for name in holds.values() {
                    names.touch(*name, plane, node);
                }
                names.at[plane].push(holds);
                names.meets[plane].push(meets);
                names.define(pool, units, graph, plane, node);
            }
        }
        names
    }

    fn enter(&mut self, pool: &mut Pool, units: &mut Units) -> Holds {
        let mut keys = vec![];
        for parameter in &units.parameters {
            match parameter {
                Parameter::Number(letter, key) => keys.push((*key, sort_of(*letter).unwrap_or(Sort::Int))),
                Parameter::Array(letter, array) => {
                    keys.extend([(Key::Length(*array), Sort::Int), (Key::IsNull(*array), Sort::Bool)]);
                    let sort = sort_of(*letter).unwrap_or(Sort::Int);
                    keys.extend((0..units.bounds.elements).map(|place| (Key::Element(*array, place), sort)));
                }
            }
        }
        let mut named = |(key, sort)| {
            let var = units.places.var(pool, key, sort);
            (key, self.add(Origin::Entry(key), var))
        };
        keys.into_iter().map(&mut named).collect()
    }

    fn add(&mut self, origin: Origin, var: Var) -> Name {
        let name = Name(self.origins.len() as u32);
        self.origins.push(origin);
        self.vars.push(var);
        self.by_var.insert(var, name);
        self.touched.push(vec![]);
        name
    }

    fn touch(&mut self, name: Name, plane: usize, node: usize) {
        if let Some(list) = self.touched.get_mut(name.0 as usize)
            && list.last() != Some(&(plane, node))
        {
            list.push((plane, node));
        }
    }

    /// What a place holds at a node, and whether several definitions meet there.
    fn arriving(
        &mut self,
        pool: &mut Pool,
        flow: &Flow,
        plane: usize,
        node: usize,
        key: Key,
    ) -> Option<(Name, bool)> {
        let sources = flow.sources(plane, node);
        let inputs: Vec<Name> =
            sources.iter().filter_map(|(from, exit)| self.input(plane, *from, *exit, key)).collect();
        let first = *inputs.first()?;
        if inputs.iter().all(|name| *name == first) {
            return Some((first, false));
        }
        let is_clean = self.clean.get(node) == Some(&true);
        let name = match self.at[0].get(node).and_then(|holds| holds.get(&key)).copied() {
            Some(name) if plane == 1 && is_clean => name,
            _ => {
                let sort = pool.variable(self.var(first)).1;
                let var = pool.fresh(&format!("{key}@{node}"), sort);
                self.add(Origin::Meet { plane, node, key }, var)
            }
        };
        inputs.iter().for_each(|input| self.touch(*input, plane, node));
        Some((name, true))
    }

    /// Names what the exits of a node define.
    fn define(&mut self, pool: &mut Pool, units: &Units, graph: &Unwound, plane: usize, node: usize) {
        let unit = graph.nodes.get(node).and_then(|node| units.units.get(&node.unit));
        let exits = unit.map(|unit| unit.exits(VERSIONS[plane])).unwrap_or_default();
        let mut defined = vec![];
        for (exit, found) in exits.iter().enumerate() {
            let mut holds = Holds::new();
            for (key, expr) in &found.defined {
                let operands =
                    pool.variables_of(&[*expr]).into_iter().filter_map(|var| units.places.key(var));
                let operands: Vec<Name> =
                    operands.filter_map(|key| self.at(plane, node).get(&key).copied()).collect();
                let same = (node, exit, *key, *expr, operands);
                let name = match self.known.get(&same) {
                    Some(name) => *name,
                    None => {
                        let var = pool.fresh(&format!("{key}#{node}"), pool.sort(*expr));
                        let origin = Origin::Definition { plane, node, exit, key: *key, expr: *expr };
                        let name = self.add(origin, var);
                        self.known.insert(same, name);
                        name
                    }
                };
                self.touch(name, plane, node);
                holds.insert(*key, name);
            }
            defined.push(holds);
        }
        self.defined[plane].push(defined);
    }

    /// What places hold at a node.
    pub fn at(&self, plane: usize, node: usize) -> &Holds {
        static NOTHING: Holds = Holds::new();
        self.at.get(plane).and_then(|at| at.get(node)).unwrap_or(&NOTHING)
    }

    /// What an exit of a node defines.
    pub fn defined(&self, plane: usize, node: usize, exit: usize) -> &Holds {
        static NOTHING: Holds = Holds::new();
        let exits = self.defined.get(plane).and_then(|of| of.get(node));
        exits.and_then(|exits| exits.get(exit)).unwrap_or(&NOTHING)
    }

    /// Where several definitions meet at a node.
    pub fn meets(&self, plane: usize, node: usize) -> &[(Key, Name)] {
        self.meets.get(plane).and_then(|of| of.get(node)).map(Vec::as_slice).unwrap_or_default()
    }

    /// What an edge brings to a place.
    pub fn input(&self, plane: usize, node: usize, exit: usize, key: Key) -> Option<Name> {
        let defined = self.defined(plane, node, exit).get(&key);
        defined.or_else(|| self.at(plane, node).get(&key)).copied()
    }

    /// Where a value comes from.
    pub fn origin(&self, name: Name) -> Option<Origin> {
        self.origins.get(name.0 as usize).copied()
    }

    /// The variable that stands for a value in queries.
    pub fn var(&self, name: Name) -> Var {
        self.vars.get(name.0 as usize).copied().unwrap_or_default()
    }

    /// The value that a variable stands for.
    pub fn named(&self, var: Var) -> Option<Name> {
        self.by_var.get(&var).copied()
    }

    /// Where to look again when a value becomes known.
    pub fn touched(&self, name: Name) -> &[(usize, usize)] {
        self.touched.get(name.0 as usize).map(Vec::as_slice).unwrap_or_default()
    }
}
