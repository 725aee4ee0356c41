//! Objectives against their definition. Knows nothing of JSON. Invariant: the twin is the formula, word for word.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod common;

use common::{Facts, build, sample, seeds};
use dynaflow_model::facts::{DefinitionKind, Exit, Pair, Recording};
use dynaflow_objectives::infer;
use std::collections::BTreeSet;

/// Union over v, m', m'' of defs@exit(v, m') x uses@entry(v, m'') minus the covered pairs, by trying everything.
fn naive(recording: &Recording, roots: impl Fn(&str) -> bool) -> BTreeSet<Pair> {
    let facts = &recording.facts;
    let mut objectives = BTreeSet::new();
    for (_, exit) in facts.exits.iter() {
        for (_, entry) in facts.entries.iter() {
            let root = facts.text(facts.variables.get(exit.variable).unwrap().root);
            let pair = Pair { variable: exit.variable, definition: exit.definition, usage: entry.usage };
            let covered = facts.pairs.iter().any(|(_, p)| *p == pair);
            if exit.variable == entry.variable && roots(root) && !covered {
                objectives.insert(pair);
            }
        }
    }
    objectives
}

#[test]
fn inference_agrees_with_the_quadratic_definition() {
    let mut seen = 0;
    arbtest::arbtest(|u| {
        let recording = build(&seeds(u)?);
        for roots in [|_: &str| true, |root: &str| root == "a.R1"] {
            let fast = infer(&recording, roots);
            let unique: BTreeSet<Pair> = fast.iter().copied().collect();
            assert_eq!(unique.len(), fast.len(), "a pair was given twice");
            assert!(fast.is_sorted());
            assert_eq!(unique, naive(&recording, roots));
            seen += unique.len();
        }
        Ok(())
    });
    assert!(seen > 0, "the recordings never had an objective");
}

#[test]
fn a_covered_pair_is_no_objective_and_neither_is_one_of_another_variable() {
    let recording = sample();
    let objectives = infer(&recording, |_| true);
    // primed: 2 definitions x 2 uses - 1 covered; next: 1 x 1 - 1; b.Other: 1 x 1.
    assert_eq!(objectives.len(), 4);
    assert!(objectives.iter().all(|pair| recording.facts.pairs.find(pair).is_none()));
    assert_eq!(infer(&recording, |root| root == "b.Other").len(), 1);
    assert_eq!(infer(&recording, |_| false).len(), 0);
}

#[test]
fn a_hundred_thousand_variables_are_no_trouble() {
    let mut f = Facts::default();
    let definition = f.definition(DefinitionKind::Direct, &["a.R.d()V"], 1, 1);
    let usage = f.usage(&["a.R.u()V"], 1, 1);
    for i in 0..100_000 {
        let variable = f.variable("a.R", &[&format!("a.R.f{i}")]);
        f.exit(variable, "a.R.d()V", Exit::Normal, definition);
        f.entry(variable, "a.R.u()V", usage);
    }
    // The quadratic twin would look at ten thousand million combinations here.
    assert_eq!(infer(&f.recording, |_| true).len(), 100_000);
}
