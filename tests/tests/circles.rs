//! No two modules of a crate import from each other, directly or by way of others: every file can be read after those it names.
//!
//! Reads the sources with a parser of Rust and resolves each path that begins in the crate. It does not know calls of methods, which
//! name no module, nor what stands in macros whose arguments are no expressions. Invariant: an import is one of the item's file, however many modules
//! pass it on; a crate's `lib.rs` that only passes items on is in no circle.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

use cargo_metadata::MetadataCommand;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::parse::Parser;
use syn::visit::{self, Visit};

/// A module's place in its crate: the names from the root on.
type Place = Vec<String>;
/// Modules and the modules they import from.
type Imports = BTreeMap<Place, BTreeSet<Place>>;

/// What one module has and names.
#[derive(Default)]
struct Module {
    items: BTreeSet<String>,
    children: BTreeSet<String>,
    /// Names that `use` brings in, and what they stand for.
    aliases: BTreeMap<String, Vec<String>>,
    /// What `use ...::*` brings in.
    globs: Vec<Vec<String>>,
    /// All paths in code.
    paths: BTreeSet<Vec<String>>,
}

impl Module {
    fn add_use(&mut self, tree: &syn::UseTree, mut before: Vec<String>) {
        match tree {
            syn::UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.add_use(&path.tree, before);
            }
            syn::UseTree::Name(name) => self.alias(&name.ident, &name.ident, before),
            syn::UseTree::Rename(rename) => self.alias(&rename.rename, &rename.ident, before),
            syn::UseTree::Glob(_) => self.globs.push(before),
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_use(tree, before.clone());
                }
            }
        }
    }

    /// `use before::name as alias`.
    fn alias(&mut self, alias: &syn::Ident, name: &syn::Ident, mut before: Vec<String>) {
        let alias = if name == "self" { before.last().unwrap().clone() } else { alias.to_string() };
        if name != "self" {
            before.push(name.to_string());
        }
        self.aliases.insert(alias, before);
    }

    /// The name that an item declares in its module.
    fn declare(&mut self, item: &syn::Item) {
        let name = match item {
            syn::Item::Const(item) => &item.ident,
            syn::Item::Enum(item) => &item.ident,
            syn::Item::Fn(item) => &item.sig.ident,
            syn::Item::Static(item) => &item.ident,
            syn::Item::Struct(item) => &item.ident,
            syn::Item::Trait(item) => &item.ident,
            syn::Item::Type(item) => &item.ident,
            syn::Item::Union(item) => &item.ident,
            _ => return,
        };
        self.items.insert(name.to_string());
    }
}

/// Collects the paths of code.
struct Paths<'a>(&'a mut Module);

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.0.paths.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let expressions = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        for expression in expressions.parse2(call.tokens.clone()).into_iter().flatten() {
            Paths(self.0).visit_expr(&expression);
        }
        visit::visit_macro(self, call);
    }
}

/// The modules of one crate.
#[derive(Default)]
struct Crate(BTreeMap<Place, Module>);

impl Crate {
    /// Reads a file and those of the modules it declares, which lie in `folder`.
    fn read(&mut self, place: &[String], file: &Path, folder: &Path) {
        let parsed = syn::parse_file(&fs::read_to_string(file).unwrap()).unwrap();
        self.add(place, &parsed.items, folder);
    }

    fn add(&mut self, place: &[String], items: &[syn::Item], folder: &Path) {
        let mut module = Module::default();
        for item in items.iter().filter(|item| !is_for_tests(item)) {
            match item {
                syn::Item::Use(item) => module.add_use(&item.tree, Vec::new()),
                syn::Item::Mod(item) => {
                    module.children.insert(item.ident.to_string());
                    self.add_child(place, item, folder);
                }
                item => {
                    module.declare(item);
                    Paths(&mut module).visit_item(item);
                }
            }
        }
        self.0.insert(place.to_vec(), module);
    }

    fn add_child(&mut self, place: &[String], item: &syn::ItemMod, folder: &Path) {
        let name = item.ident.to_string();
        let (place, inner) = ([place, std::slice::from_ref(&name)].concat(), folder.join(&name));
        if let Some((_, items)) = &item.content {
            return self.add(&place, items, &inner);
        }
        let beside = folder.join(format!("{name}.rs"));
        let file = if beside.exists() { beside } else { inner.join("mod.rs") };
        self.read(&place, &file, &inner);
    }

    /// The module whose item a path names when it stands in `place`; none for paths that leave the crate or name a module only.
    fn owner(&self, place: &[String], path: &[String], depth: usize) -> Option<Place> {
        let (start, rest) = self.start(place, path)?;
        let mut at = start;
        for (index, name) in rest.iter().enumerate() {
            let module = self.0.get(&at)?;
            if module.children.contains(name) {
                at.push(name.clone());
            } else if module.items.contains(name) {
                return Some(at);
            } else {
                return self.passed_on(&at, &rest[index..], depth);
            }
        }
        None
    }

    /// Where a path begins, and what follows.
    fn start(&self, place: &[String], path: &[String]) -> Option<(Place, Vec<String>)> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some((Vec::new(), rest.to_vec())),
            "self" => Some((place.to_vec(), rest.to_vec())),
            "super" => {
                let outer = place.get(..place.len().checked_sub(1)?)?;
                self.start(outer, &[&["self".to_owned()], rest].concat()).map(|(at, rest)| supers(at, rest))
            }
            _ => {
                let module = self.0.get(place)?;
                let known = module.children.contains(first) || module.items.contains(first);
                let passed = module.aliases.get(first).filter(|whole| whole.first() != Some(first));
                (known || passed.is_some() || !module.globs.is_empty())
                    .then(|| (place.to_vec(), path.to_vec()))
            }
        }
    }

    /// The owner of what a module has by `use`.
    fn passed_on(&self, at: &[String], rest: &[String], depth: usize) -> Option<Place> {
        let module = self.0.get(at)?;
        if depth > 20 {
            return None;
        }
        if let Some(whole) = module.aliases.get(&rest[0]) {
            return self.owner(at, &[whole, &rest[1..]].concat(), depth + 1);
        }
        module.globs.iter().find_map(|glob| self.owner(at, &[glob, rest].concat(), depth + 1))
    }

    /// Which modules import from which others.
    fn imports(&self) -> Imports {
        let mut imports = Imports::new();
        for (place, module) in &self.0 {
            let used = module.aliases.values().chain(&module.paths);
            let owners = used.filter_map(|path| self.owner(place, path, 0)).filter(|owner| owner != place);
            imports.insert(place.clone(), owners.collect());
        }
        imports
    }
}

/// Goes on through `super::super`.
fn supers(mut at: Place, mut rest: Vec<String>) -> (Place, Vec<String>) {
    while rest.first().is_some_and(|name| name == "super") {
        rest.remove(0);
        at.pop();
    }
    (at, rest)
}

/// Whether an item is compiled for tests alone.
fn is_for_tests(item: &syn::Item) -> bool {
    let attributes = match item {
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

/// The modules that reach themselves, those of one circle in one line.
fn circles(imports: &Imports) -> BTreeSet<String> {
    let name = |place: &Place| if place.is_empty() { "lib".to_owned() } else { place.join("::") };
    let mut graph = DiGraph::<&Place, ()>::new();
    let nodes: BTreeMap<&Place, NodeIndex> =
        imports.keys().map(|place| (place, graph.add_node(place))).collect();
    for (place, owners) in imports {
        for owner in owners {
            graph.add_edge(nodes[place], nodes[owner], ());
        }
    }
    // No module imports from itself, so a component of one module is none.
    let components = tarjan_scc(&graph).into_iter().filter(|component| component.len() > 1);
    components
        .map(|component| {
            let names: BTreeSet<&Place> = component.into_iter().map(|node| graph[node]).collect();
            names.into_iter().map(name).collect::<Vec<_>>().join(" <-> ")
        })
        .collect()
}

fn circles_of(root: &Path) -> BTreeSet<String> {
    let mut modules = Crate::default();
    modules.read(&[], root, root.parent().unwrap());
    circles(&modules.imports())
}

/// A crate of two files besides its root.
fn circles_between(root: &str, one: &str, two: &str) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("lib.rs", root), ("one.rs", one), ("two.rs", two)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    circles_of(&folder.path().join("lib.rs"))
}

#[test]
fn modules_that_import_from_each_other_are_a_circle_however_they_write_it() {
    let root = "mod one; mod two; pub use one::One; pub use two::Two;";
    let both = BTreeSet::from(["one <-> two".to_owned()]);
    let one = "use crate::two::Two; pub struct One(Two);";
    assert_eq!(circles_between(root, one, "use crate::one::One; pub struct Two(Box<One>);"), both);
    assert_eq!(circles_between(root, one, "pub struct Two(Box<super::One>);"), both);
    assert_eq!(circles_between(root, one, "use super::one; pub struct Two(Box<one::One>);"), both);
    assert_eq!(circles_between(root, one, "use crate::*; pub struct Two(Box<One>);"), both);
    assert_eq!(circles_between(root, one, "pub struct Two; fn f() { assert!(g(crate::one::One)); }"), both);
    let own = "mod one; mod two; pub struct Both(one::One);";
    let whole = BTreeSet::from(["lib <-> one".to_owned()]);
    assert_eq!(circles_between(own, "pub struct One(Box<crate::Both>);", "pub struct Two;"), whole);
}

#[test]
fn imports_in_one_direction_and_those_of_tests_are_no_circle() {
    let root = "mod one; mod two; pub use one::One; pub use two::Two;";
    let one = "use crate::two::Two; pub struct One(Two);";
    let none = BTreeSet::new();
    assert_eq!(circles_between(root, one, "pub struct Two; impl Two { fn one() {} }"), none);
    assert_eq!(
        circles_between(root, one, "pub struct Two; #[cfg(test)] mod tests { use crate::One; }"),
        none
    );
    assert_eq!(
        circles_between(root, "use crate::Two; pub struct One(Two);", "pub struct Two(std::one::One);"),
        none
    );
}

#[test]
fn no_crate_has_a_circle_between_its_modules() {
    let metadata = MetadataCommand::new()
        .manifest_path(Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("Cargo.toml"))
        .no_deps()
        .exec()
        .unwrap();
    let mut found = BTreeMap::new();
    for package in &metadata.packages {
        for target in package.targets.iter().filter(|target| target.is_lib() || target.is_cdylib()) {
            let circles = circles_of(&PathBuf::from(&target.src_path));
            if !circles.is_empty() {
                found.insert(package.name.to_string(), circles);
            }
        }
    }
    assert_eq!(found, BTreeMap::new(), "modules that import from each other");
}

/// The rows of the table of folders in a section of ARCHITECTURE.md: what stands in the first cell of each.
fn rows(section: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../ARCHITECTURE.md")).unwrap();
    let section = text.split(section).nth(1).unwrap().split("\n## ").next().unwrap();
    let cells =
        section.lines().filter(|line| line.starts_with("| `")).map(|line| line.split('|').nth(1).unwrap());
    let names = |cell: &str| {
        cell.split('`').skip(1).step_by(2).map(|name| name.trim_end_matches(".rs").to_owned()).collect()
    };
    cells.map(names).collect()
}

#[test]
fn each_folder_of_augment_imports_from_rows_above_its_own_in_the_architecture() {
    let rows = rows("\n## The folders of `augment`\n");
    let row = |step: &str| rows.iter().position(|row| row.iter().any(|name| name == step));
    let step = |place: &Place| match place.as_slice() {
        [commands, augment, rest @ ..] if commands == "commands" && augment == "augment" => {
            Some(rest.first().map_or("mod", String::as_str).to_owned())
        }
        _ => None,
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../augmenter/src/lib.rs");
    let mut modules = Crate::default();
    modules.read(&[], &root, root.parent().unwrap());
    let (mut steps, mut upward) = (BTreeSet::new(), BTreeSet::new());
    for (place, owners) in modules.imports() {
        let Some(from) = step(&place) else { continue };
        assert!(row(&from).is_some(), "{from} has no row");
        for to in owners.iter().filter_map(step) {
            if row(&to) > row(&from) {
                upward.insert(format!("{} imports from {to}", place.join("::")));
            }
        }
        steps.insert(from);
    }
    assert_eq!(upward, BTreeSet::new());
    let named: BTreeSet<String> = rows.iter().flatten().cloned().collect();
    assert_eq!(named, steps, "every row is there");
}
