//! Associations, graphduas and subsumption on random graphs, held against their definitions.
#![allow(clippy::unwrap_used, reason = "helpers of tests, outside of a test function")]

mod common;

use common::naive;
use common::random::{Size, annotations, cfg, problem};
use dynaflow_flowgraph::graphdua::Graphdua;
use dynaflow_flowgraph::pairs::pairs;
use dynaflow_flowgraph::product::Product;
use dynaflow_flowgraph::relation::Relation;
use dynaflow_flowgraph::{Dua, Node, Problem, Use, subsumption};
use dynaflow_tests::slow;
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

const SMALL: Size = Size { blocks: 7, variables: 3, degree: 3, density: 25 };
const TINY: Size = Size { blocks: 4, variables: 2, degree: 2, density: 35 };
const LARGE: Size = Size { blocks: 60, variables: 30, degree: 2, density: 15 };

fn seeds(usual: u64) -> std::ops::Range<u64> {
    0..if slow() { usual * 50 } else { usual }
}

fn table(relation: &Relation) -> Vec<Vec<bool>> {
    let all = 0..relation.count();
    all.clone().map(|a| all.clone().map(|b| relation.subsumes(a, b)).collect()).collect()
}

#[test]
fn associations_are_those_with_a_path_without_another_definition() {
    for seed in seeds(400) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let cfg = cfg(&mut rng, SMALL);
        let (defines, uses) = annotations(&mut rng, &cfg, SMALL);
        let found = pairs(&cfg, &defines, &uses);
        let mut all: Vec<Dua> = vec![];
        for (def, variable) in &defines {
            let same = uses.iter().filter(|(_, other)| other == variable);
            all.extend(same.map(|(usage, _)| Dua { def: *def, variable: *variable, usage: *usage }));
        }
        all.sort();
        let problem = Problem::new(cfg, defines, all.clone()).unwrap();
        all.retain(|dua| naive::is_association(&problem, dua));
        assert_eq!(found, all, "seed {seed}");
    }
}

#[test]
fn both_ways_to_subsumption_agree_with_a_search_of_all_statuses() {
    let mut product = Product::default();
    let (mut subsuming, mut orphans, mut cyclic) = (0, 0, 0);
    for seed in seeds(400) {
        let problem = problem(seed, SMALL);
        let expected = naive::relation(&problem);
        let found = product.subsumption(&problem);
        assert_eq!(table(&found), expected, "seed {seed}: {problem:#?}");
        assert_eq!(found, subsumption::subsumption(&problem), "seed {seed}");
        assert!((0..found.count()).all(|dua| found.is_coverable(dua)), "seed {seed}: every one has a path");
        subsuming += expected.iter().flatten().filter(|subsumes| **subsumes).count() - expected.len();
        orphans += problem.duas().iter().filter(|dua| !naive::is_reached(problem.cfg(), dua.def)).count();
        cyclic += usize::from(problem.cfg().entry() == 0);
    }
    assert!(subsuming > 1000 && orphans > 100 && cyclic > 100, "{subsuming} {orphans} {cyclic}");
}

#[test]
fn subsumption_agrees_with_a_list_of_paths_that_is_long_enough() {
    let mut compared = 0;
    for seed in seeds(300) {
        let problem = problem(seed, TINY);
        let beginnings = naive::orphan_beginnings(problem.cfg());
        let list = |orphans: &[Node]| naive::paths(problem.cfg(), orphans, naive::ENOUGH_VISITS, 2_000);
        let (Some(direct), Some(all)) = (list(&[]), list(&beginnings)) else { continue };
        let found = table(&Product::default().subsumption(&problem));
        let direct = naive::relation_by_paths(&problem, &direct, true);
        let orphans = naive::relation_by_paths(&problem, &all, false);
        for (index, dua) in problem.duas().iter().enumerate() {
            let expected = if naive::is_reached(problem.cfg(), dua.def) { &direct } else { &orphans };
            assert_eq!(found[index], expected[index], "seed {seed}: {dua:?} in {problem:#?}");
            compared += 1;
        }
    }
    assert!(compared > 300, "only {compared} associations have few enough paths");
}

#[test]
fn both_ways_agree_where_associations_fill_several_words() {
    let mut largest = 0;
    for seed in seeds(5) {
        let problem = problem(seed, LARGE);
        let found = Product::default().subsumption(&problem);
        assert_eq!(found, subsumption::subsumption(&problem), "seed {seed}");
        for count in [1, 100] {
            let mut piecewise = Product::with_associations_at_once(count);
            assert_eq!(found, piecewise.subsumption(&problem), "seed {seed}: {count} at once");
        }
        largest = largest.max(found.count());
        // A sample of pairs, spread over the words.
        for first in (0..found.count()).step_by(61) {
            for second in (0..found.count()).step_by(67) {
                assert_eq!(
                    found.subsumes(first, second),
                    naive::subsumes(&problem, first, second),
                    "seed {seed}: {first} {second}"
                );
            }
        }
    }
    assert!(largest > 256, "{largest}");
}

/// Whether a graphdua has a path with these nodes, labels left out.
fn accepts(graph: &Graphdua, path: &[Node]) -> bool {
    let node = |instance: u32| graph.instances()[instance as usize].node;
    let mut at = BTreeSet::from([graph.start()]);
    at.retain(|instance| Some(&node(*instance)) == path.first());
    for next in &path[1..] {
        let onward = at.iter().flat_map(|instance| graph.successors(*instance));
        at = onward.filter(|to| node(*to) == *next).collect();
    }
    at.contains(&graph.exit())
}

/// Some paths of a graphdua from start to exit, labels left out.
fn some_paths(graph: &Graphdua) -> Vec<Vec<Node>> {
    let (mut found, mut open) = (vec![], vec![vec![graph.start()]]);
    while let (Some(path), true) = (open.pop(), found.len() < 200) {
        let last = *path.last().unwrap();
        if last == graph.exit() {
            found.push(path.iter().map(|i| graph.instances()[*i as usize].node).collect());
        }
        for to in graph.successors(last) {
            if path.iter().filter(|instance| **instance == to).count() < 2 {
                let mut longer = path.clone();
                longer.push(to);
                open.push(longer);
            }
        }
    }
    found
}

#[test]
fn a_graphdua_has_the_complete_paths_that_cover_its_association_and_no_others() {
    let (mut inside, mut outside) = (0, 0);
    for seed in seeds(400) {
        let problem = problem(seed, TINY);
        let Some(paths) = naive::paths(problem.cfg(), &[], 3, 500) else { continue };
        for dua in problem.duas().iter().filter(|dua| naive::is_reached(problem.cfg(), dua.def)) {
            let graph = Graphdua::of(&problem, dua).unwrap();
            for path in &paths {
                let covers = naive::covers(&problem, path, dua);
                assert_eq!(accepts(&graph, path), covers, "seed {seed}: {dua:?}, {path:?} in {problem:#?}");
                *(if covers { &mut inside } else { &mut outside }) += 1;
            }
            let own = some_paths(&graph);
            assert!(
                !own.is_empty() && own.iter().all(|path| naive::covers(&problem, path, dua)),
                "seed {seed}"
            );
        }
    }
    assert!(inside > 2000 && outside > 900, "{inside} {outside}");
}

#[test]
fn every_part_of_a_graphdua_lies_on_a_path_to_its_exit() {
    for seed in seeds(200) {
        let problem = problem(seed, SMALL);
        for dua in problem.duas() {
            let graph = Graphdua::of(&problem, dua).unwrap();
            let mut reaching = BTreeSet::from([graph.exit()]);
            while let Some((from, _)) =
                graph.edges().iter().find(|(from, to)| reaching.contains(to) && !reaching.contains(from))
            {
                reaching.insert(*from);
            }
            assert_eq!(reaching.len(), graph.instances().len(), "seed {seed}: {dua:?} has dead ends");
            let copies = graph.instances().iter().filter(|instance| instance.copy).count();
            assert_eq!(copies, usize::from(matches!(dua.usage, Use::Edge(..))));
        }
    }
}

#[test]
fn classes_reduction_and_spanning_set_are_those_of_the_relation() {
    for seed in seeds(300) {
        let problem = problem(seed, SMALL);
        let relation = Product::default().subsumption(&problem);
        let classes = relation.classes();
        let mut graph = DiGraphMap::<usize, ()>::new();
        for first in 0..relation.count() {
            graph.add_node(first);
            relation.subsumed_by(first).for_each(|second| {
                graph.add_edge(first, second, ());
            });
        }
        let mut expected: Vec<Vec<u32>> =
            tarjan_scc(&graph).into_iter().map(|c| c.into_iter().map(|dua| dua as u32).collect()).collect();
        expected.iter_mut().for_each(|members| members.sort_unstable());
        expected.sort();
        let found: Vec<Vec<u32>> = (0..classes.count() as u32).map(|c| classes.members(c).to_vec()).collect();
        assert_eq!(found, expected, "seed {seed}");

        let above = |a: u32, b: u32| {
            a != b && relation.subsumes(classes.members(a)[0] as usize, classes.members(b)[0] as usize)
        };
        let all = || 0..classes.count() as u32;
        for class in all() {
            assert_eq!(
                classes.is_unconstrained(class),
                !all().any(|other| above(other, class)),
                "seed {seed}"
            );
        }
        let closest = |a: u32, b: u32| above(a, b) && !all().any(|c| above(a, c) && above(c, b));
        let pairs: Vec<(u32, u32)> = all().flat_map(|a| all().map(move |b| (a, b))).collect();
        let expected: Vec<(u32, u32)> = pairs.into_iter().filter(|(a, b)| closest(*a, *b)).collect();
        assert_eq!(relation.reduction(&classes, usize::MAX).unwrap(), expected, "seed {seed}");

        let spanning: Vec<u32> = classes.unconstrained().map(|class| classes.members(class)[0]).collect();
        let is_spanned = |dua| spanning.iter().any(|member| relation.subsumes(*member as usize, dua));
        assert!((0..relation.count()).all(is_spanned), "seed {seed}");
    }
}
