//! Annotated graphs as text, for tests. It knows the notation of `tests/inputs`, nothing of algorithms.
#![allow(clippy::unwrap_used, dead_code, reason = "helpers of tests; not each of them needs all")]

pub mod naive;
pub mod random;
pub mod rough;

use dynaflow_flowgraph::pairs::pairs;
use dynaflow_flowgraph::{Cfg, Dua, Edge, Problem, Use, Variable};

/// An annotated graph with the names of its variables.
pub struct Annotated {
    pub problem: Problem,
    pub names: Vec<String>,
}

impl Annotated {
    /// Reads the notation of `tests/inputs/sort.txt` and finds the associations.
    pub fn parse(text: &str) -> Self {
        let mut names: Vec<String> = vec![];
        let mut variables = |list: &str| -> Vec<Variable> {
            let number = |name: &str| {
                let known = names.iter().position(|other| other == name);
                let number = known.unwrap_or_else(|| {
                    names.push(name.to_owned());
                    names.len() - 1
                });
                Variable(number as u32)
            };
            list.split_whitespace().map(number).collect()
        };
        let (mut edges, mut defines, mut uses, mut last) = (vec![], vec![], vec![], 0);
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let (node, rest) = line.split_once(':').unwrap();
            let node: u32 = node.parse().unwrap();
            let (inside, outside) = rest.split_once("->").unwrap();
            let (defined, used) = inside.split_once(';').unwrap();
            let (successors, decides) = outside.split_once(';').unwrap();
            defines.extend(variables(defined).into_iter().map(|variable| (node, variable)));
            uses.extend(variables(used).into_iter().map(|variable| (Use::Node(node), variable)));
            for to in successors.split(',').filter(|to| !to.trim().is_empty()) {
                let to: u32 = to.trim().parse().unwrap();
                edges.push(Edge::normal(node, to));
                uses.extend(variables(decides).into_iter().map(|variable| (Use::Edge(node, to), variable)));
            }
            last = last.max(node);
        }
        let cfg = Cfg::new(last - 1, edges).unwrap();
        let duas = pairs(&cfg, &defines, &uses);
        Self { problem: Problem::new(cfg, defines, duas).unwrap(), names }
    }

    /// The paper's program.
    pub fn sort() -> Self {
        Self::parse(include_str!("../inputs/sort.txt"))
    }

    /// An association in the paper's notation: `(8,6,a)`.
    pub fn name(&self, dua: &Dua) -> String {
        format!("({},{},{})", dua.def, dua.usage, self.names[dua.variable.0 as usize])
    }

    /// The position of the association with a name.
    pub fn position(&self, name: &str) -> usize {
        self.problem.duas().iter().position(|dua| self.name(dua) == name).unwrap()
    }
}
