//! Whatever the search makes of a real library's types, javac takes the sources, ambiguous generic overloads excepted.
//!
//! The library is Commons Collections: generic classes, overloads, nested and package-private classes, factories.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic, which fails the test")]

mod java;

use dynaflow_model::frameworks::style;
use dynaflow_model::outcome::Outcome;
use dynaflow_model::sites::{CallKind, FieldRef, MethodRef};
use dynaflow_model::types::{Callable, TypeInfo, Visibility};
use dynaflow_search::{Config, Search, Types};
use dynaflow_testgen::{Form, Manner, Placed, Request, TestCase, generate};
use java::{here, jar, java_homes, run, tool};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const PACKAGE: &str = "org.apache.commons.collections4.map";
const ROOTS: [&str; 6] =
    ["LRUMap", "Flat3Map", "MultiKeyMap", "PassiveExpiringMap", "ListOrderedMap", "ReferenceMap"];
const JDK: [&str; 12] = [
    "java.lang.Object",
    "java.lang.StringBuilder",
    "java.util.ArrayList",
    "java.util.Arrays",
    "java.util.BitSet",
    "java.util.Collections",
    "java.util.Comparator",
    "java.util.HashMap",
    "java.util.List",
    "java.util.Map",
    "java.util.Locale",
    "java.util.concurrent.TimeUnit",
];

fn visibility(text: &str) -> Visibility {
    match text {
        "0" => Visibility::Public,
        "1" => Visibility::Protected,
        "2" => Visibility::Package,
        _ => Visibility::Private,
    }
}

fn empty(words: &[&str]) -> TypeInfo {
    let flags: u32 = words[3].parse().unwrap();
    TypeInfo {
        name: words[1].into(),
        visibility: visibility(words[2]),
        is_abstract: flags & 1 != 0,
        is_interface: flags & 2 != 0,
        is_inner: flags & 4 != 0,
        supertypes: vec![],
        constructors: vec![],
        methods: vec![],
        static_fields: vec![],
        enum_constants: vec![],
        to_implement: None,
    }
}

fn callable(words: &[&str]) -> Callable {
    let kind = match words[1] {
        "c" => CallKind::Constructor,
        "s" => CallKind::Static,
        "i" => CallKind::Interface,
        _ => CallKind::Virtual,
    };
    Callable {
        method: MethodRef { owner: words[3].into(), name: words[4].into(), descriptor: words[5].into() },
        kind,
        visibility: visibility(words[2]),
        throws: words[6..].iter().map(|thrown| (*thrown).to_owned()).collect(),
    }
}

/// The types of the library and of the JDK's classes, as a JVM reports them.
fn described(home: Option<&Path>, library: &Path) -> Vec<TypeInfo> {
    let mut java = tool(home, "java");
    java.arg("-cp").arg(library).arg(here().join("fixture/Dump.java")).arg(library).args(JDK);
    let (succeeded, text) = run(&mut java);
    assert!(succeeded, "{text}");
    let mut types: Vec<TypeInfo> = vec![];
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] == "T" {
            types.push(empty(&words));
            continue;
        }
        let Some(current) = types.last_mut() else { continue };
        match words[0] {
            "S" => current.supertypes.push(words[1].into()),
            "C" => current.constructors.push(callable(&words)),
            "M" => current.methods.push(callable(&words)),
            "F" => current.static_fields.push(FieldRef {
                owner: words[1].into(),
                name: words[2].into(),
                descriptor: words[3].into(),
            }),
            "E" => current.enum_constants.push(words[1].into()),
            _ => {}
        }
    }
    types
}

/// The tests that javac refuses, and what it prints.
fn compiled(
    home: Option<&Path>,
    tests: &[TestCase],
    types: &Types,
    class_path: &[&PathBuf],
) -> (BTreeSet<usize>, String) {
    let class = format!("{PACKAGE}.LRUMap");
    let style = style("5").unwrap();
    let generated = generate(&Request {
        class: &class,
        style,
        manner: &Manner::default(),
        first: 1,
        existing: &[],
        tests,
        types,
    });
    let is_out = |placed: &&Placed| matches!(placed, Placed::LeftOut(_));
    let left_out: Vec<&Placed> = generated.placed.iter().filter(is_out).collect();
    assert!(left_out.len() * 20 < tests.len(), "{left_out:?}");
    let folder = tempfile::tempdir().unwrap();
    let mut javac = java::javac(home);
    let class_path = std::env::join_paths(class_path).unwrap();
    javac.args(["-proc:none", "-Xmaxerrs", "1000", "-nowarn", "-d"]).arg(folder.path());
    javac.arg("-cp").arg(class_path);
    for source in &generated.sources {
        let file = folder.path().join(source.path.rsplit('/').next().unwrap());
        std::fs::write(&file, &source.text).unwrap();
        javac.arg(file);
    }
    let (_, text) = run(&mut javac);
    let mut refused = BTreeSet::new();
    for line in text.lines().filter(|line| line.contains(": error: ")) {
        let mut parts = line.split(':');
        let file = parts.next().unwrap().rsplit('/').next().unwrap();
        let number: usize = parts.next().unwrap().parse().unwrap();
        let source = generated.sources.iter().find(|source| source.path.ends_with(file)).unwrap();
        let above: Vec<&str> = source.text.lines().take(number).collect();
        let method = above.iter().rev().find_map(|line| line.strip_prefix("    void ")).unwrap();
        let method = method.split('(').next().unwrap();
        let is_it = |placed: &Placed| matches!(placed, Placed::Written { class, method: m, .. } if *class == source.class && m == method);
        refused.insert(generated.placed.iter().position(is_it).unwrap());
    }
    (refused, text)
}

#[test]
fn javac_takes_the_sources_made_of_a_real_library_but_for_those_that_pass_what_type_arguments_forbid() {
    let library = jar("commons-collections4-4.4.jar");
    let junit = jar("junit-platform-console-standalone-1.11.4.jar");
    for home in java_homes() {
        let types = Types::new(described(home.as_deref(), &library), PACKAGE);
        let roots = ROOTS.iter().map(|root| format!("{PACKAGE}.{root}")).collect();
        let config = Config { seed: 11, roots, ..Config::default() };
        let candidates = Search::new(config, types.clone(), []).next_batch(1200);
        assert_eq!(candidates.len(), 1200);
        let outcome = Outcome::default();
        let case = |sequence| TestCase {
            name_hint: None,
            comment: String::new(),
            sequence,
            outcome: outcome.clone(),
            form: Form::default(),
        };
        let tests: Vec<TestCase> = candidates.into_iter().map(|c| case(c.sequence)).collect();
        let (refused, text) = compiled(home.as_deref(), &tests, &types, &[&library, &junit]);
        assert!(refused.len() * 50 <= tests.len(), "{} of {} tests: {text}", refused.len(), tests.len());
    }
}
