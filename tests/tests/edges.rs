//! Which crate may know which, and what every source file must be. Knows nothing of what the crates do.
//!
//! Invariant: a new edge or a new crate fails here until it is written down with everybody's eyes on it, and so does one that
//! is written down, or stands in a manifest, and that no source needs any more.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

use cargo_metadata::{DependencyKind, MetadataCommand};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Every crate of ours with the crates of ours it may depend on, in the order of the data path. What tests need besides
/// (dev-dependencies) is free.
const ALLOWED: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("classfile", &[]),
    ("bytecode", &["classfile", "model"]),
    ("containers", &["model"]),
    ("instrument", &["bytecode", "classfile", "containers", "model"]),
    ("rewrite", &["bytecode", "classfile"]),
    ("mutants", &["bytecode", "classfile", "rewrite"]),
    ("fitness", &["bytecode", "classfile", "flowgraph", "rewrite"]),
    ("carve", &["model"]),
    ("memgraph", &[]),
    ("dataflow", &["carve", "containers", "memgraph", "model"]),
    ("flowgraph", &["bytecode", "classfile", "containers", "model"]),
    ("solve", &["bytecode", "classfile", "flowgraph", "mutants"]),
    ("trace", &["model"]),
    ("objectives", &["model"]),
    ("report", &["model", "objectives"]),
    ("search", &["model"]),
    ("testgen", &["model", "search"]),
    ("java-shim", &[]),
    ("agent", &["bytecode", "dataflow", "flowgraph", "instrument", "java-shim", "model", "trace"]),
    (
        "augmenter",
        &[
            "classfile",
            "fitness",
            "flowgraph",
            "java-shim",
            "model",
            "mutants",
            "objectives",
            "report",
            "rewrite",
            "search",
            "solve",
            "testgen",
            "trace",
        ],
    ),
    ("tests", &["bytecode", "classfile", "fitness", "flowgraph", "instrument", "mutants", "trace"]),
];

/// Crates that must not come in even by way of others: what runs inside the JVM knows nothing of search, the analysis of what was
/// recorded and search and printing know nothing of class files, and static analysis knows nothing of weaving. The command line knows of them what `flowgraph` and `mutants` say, and has `rewrite` change one, see docs/decisions.md.
const FORBIDDEN: &[(&str, &[&str])] = &[
    ("agent", &["augmenter", "objectives", "search", "testgen"]),
    ("dataflow", &["bytecode", "classfile", "instrument"]),
    ("flowgraph", &["instrument"]),
    ("rewrite", &["instrument", "mutants"]),
    ("mutants", &["fitness", "instrument"]),
    ("fitness", &["instrument", "mutants"]),
    ("solve", &["instrument"]),
    ("report", &["bytecode", "classfile", "dataflow", "instrument", "trace"]),
    ("search", &["agent", "augmenter", "classfile", "dataflow", "instrument"]),
    ("testgen", &["agent", "augmenter", "classfile", "dataflow", "instrument"]),
    ("augmenter", &["agent", "dataflow", "instrument"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Our crates and their edges, without the prefix that all their names share.
fn edges() -> BTreeMap<String, BTreeSet<String>> {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap();
    let short = |name: &str| name.strip_prefix("dynaflow-").map(str::to_owned);
    let edges_of = |package: &cargo_metadata::Package| {
        let kept = package.dependencies.iter().filter(|d| d.kind != DependencyKind::Development);
        kept.filter_map(|d| short(&d.name)).collect()
    };
    metadata.packages.iter().map(|package| (short(&package.name).unwrap(), edges_of(package))).collect()
}

fn reachable(edges: &BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from.to_owned()];
    while let Some(next) = open.pop() {
        for target in &edges[&next] {
            if seen.insert(target.clone()) {
                open.push(target.clone());
            }
        }
    }
    seen
}

#[test]
fn crates_depend_only_on_those_that_the_data_path_allows() {
    let edges = edges();
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.iter().copied().collect();
    assert_eq!(edges.keys().map(String::as_str).collect::<BTreeSet<_>>(), allowed.keys().copied().collect());
    let strays: Vec<String> = edges
        .iter()
        .flat_map(|(from, targets)| targets.iter().map(move |to| (from.as_str(), to.as_str())))
        .filter(|(from, to)| !allowed[from].contains(to))
        .map(|(from, to)| format!("{from} -> {to}"))
        .collect();
    assert_eq!(strays, Vec::<String>::new(), "edges that are not allowed");
}

#[test]
fn every_edge_that_is_allowed_is_in_a_manifest_and_needed_by_a_source() {
    let edges = edges();
    let allowed = ALLOWED.iter().flat_map(|(from, targets)| targets.iter().map(move |to| (*from, *to)));
    let unused: Vec<String> = allowed
        .filter(|(from, to)| !edges[*from].contains(*to) || !names_crate(from, to))
        .map(|(from, to)| format!("{from} -> {to}"))
        .collect();
    assert_eq!(unused, Vec::<String>::new(), "edges that nobody uses");
}

/// Whether a source of one crate names another one. The crate of the tests uses what it needs in its tests.
fn names_crate(from: &str, to: &str) -> bool {
    let folder =
        ["", "crates"].iter().map(|f| root().join(f).join(from)).find(|f| f.join("Cargo.toml").exists());
    let folder = folder.unwrap().join(if from == "tests" { "" } else { "src" });
    let name = format!("dynaflow_{}::", to.replace('-', "_"));
    let is_own = |path: &&PathBuf| path.starts_with(&folder);
    sources().iter().filter(is_own).any(|path| fs::read_to_string(path).unwrap().contains(&name))
}

#[test]
fn what_must_not_know_each_other_does_not_by_way_of_others_either() {
    let edges = edges();
    for (from, forbidden) in FORBIDDEN {
        let reached = reachable(&edges, from);
        let wrong: Vec<_> = forbidden.iter().filter(|to| reached.contains(**to)).collect();
        assert!(wrong.is_empty(), "{from} reaches {wrong:?}");
    }
    // The search for ways finds ways at all.
    assert!(reachable(&edges, "agent").contains("classfile"));
}

#[test]
fn every_crate_but_the_agent_forbids_unsafe_code_by_the_lints_of_the_workspace() {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap();
    let without: Vec<String> = metadata
        .packages
        .iter()
        .filter(|package| {
            !fs::read_to_string(&package.manifest_path).unwrap().contains("[lints]\nworkspace = true")
        })
        .map(|package| package.name.to_string())
        .collect();
    assert_eq!(without, ["dynaflow-agent"]);
    let workspace = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(workspace.contains("unsafe_code = \"forbid\""));
}

/// All Rust files of ours.
fn sources() -> Vec<PathBuf> {
    let mut open: Vec<PathBuf> = ["agent", "augmenter", "crates", "fuzz", "java-shim", "tests"]
        .iter()
        .map(|f| root().join(f))
        .collect();
    let mut found = vec![];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_source_file_says_first_what_it_is() {
    let sources = sources();
    assert!(sources.len() > 50, "only {} files are looked at", sources.len());
    let silent: Vec<_> =
        sources.iter().filter(|path| !fs::read_to_string(path).unwrap().starts_with("//! ")).collect();
    assert!(silent.is_empty(), "these files do not begin with `//!`: {silent:#?}");
}

#[test]
fn no_test_is_skipped_and_none_is_content_with_a_panic() {
    // Written in two halves, so that this file is not found itself.
    let attributes = [concat!("#[", "ignore"), concat!("#[", "should_panic")];
    let mut wrong = vec![];
    for path in sources() {
        let text = fs::read_to_string(&path).unwrap();
        wrong.extend(attributes.iter().filter(|a| text.contains(**a)).map(|a| (path.clone(), *a)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_licences_that_the_manifests_name_are_there() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(manifest.contains("license = \"MIT OR Apache-2.0\""));
    let mit = fs::read_to_string(root().join("LICENSE-MIT")).unwrap();
    assert!(mit.starts_with("MIT License"));
    let apache = fs::read_to_string(root().join("LICENSE-APACHE")).unwrap();
    assert!(apache.contains("Apache License") && apache.contains("Version 2.0, January 2004"));
}
