//! The associations of methods nobody wrote for the purpose: those of random valid methods are what a naive search finds, and
//! every method of real jars and of the JDKs has some or is refused with a reason.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

#[path = "../corpus/support.rs"]
#[allow(dead_code, reason = "each corpus test uses a part of what they share")]
mod support;

#[allow(dead_code, reason = "each test of associations uses a part of the twin")]
mod naive_duas;

use dynaflow_classfile::ClassFile;
use dynaflow_flowgraph::Use;
use dynaflow_flowgraph::dua::{Arrays, Kind, MethodDuas, Options, Unknown, of_class, of_method};
use dynaflow_tests::mutate::mutated;
use dynaflow_tests::random::class::random_class;
use dynaflow_tests::slow;
use naive_duas::Found;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use support::each_class;

fn found(method: &MethodDuas) -> Found {
    let duas = method.problem.duas().iter().zip(&method.details);
    let all = duas.map(|(dua, detail)| {
        let usage = match dua.usage {
            Use::Node(node) => (node, None),
            Use::Edge(from, to) => (from, Some(to)),
        };
        (dua.def, usage, detail.variable.clone())
    });
    all.collect()
}

/// Holds every method of a class against the naive search; gives how many could be, and their associations.
fn compare(name: &str, bytes: &[u8], budget: usize) -> (usize, usize) {
    let class = ClassFile::parse(bytes).unwrap();
    let (mut methods, mut duas) = (0, 0);
    for method in &class.methods {
        let ways = [
            (Arrays::Reference, false),
            (Arrays::Whole, false),
            (Arrays::Reference, true),
            (Arrays::Whole, true),
        ];
        for (arrays, exceptions) in ways {
            let whole = arrays == Arrays::Whole;
            let Some(expected) = naive_duas::associations(&class, method, whole, exceptions, budget) else {
                continue;
            };
            let options = Options { arrays, exception_edges: exceptions, ..Options::default() };
            let analysed = of_method(&class, method, &options).unwrap().unwrap();
            let found = found(&analysed);
            let missing: Vec<_> = expected.difference(&found).take(5).collect();
            let strange: Vec<_> = found.difference(&expected).take(5).collect();
            assert!(
                missing.is_empty() && strange.is_empty(),
                "{name}.{}{} {options:?}: missing {missing:?}, strange {strange:?}",
                analysed.name,
                analysed.descriptor
            );
            methods += 1;
            duas += found.len();
        }
    }
    (methods, duas)
}

#[test]
fn random_methods_have_the_associations_that_a_naive_search_finds() {
    let (mut methods, mut duas) = (0, 0);
    for seed in 1..=if slow() { 1000 } else { 30 } {
        let (name, bytes) = random_class(seed, 22, 61);
        let (more, found) = compare(&name, &bytes, 400_000);
        methods += more;
        duas += found;
    }
    println!("{methods} methods, {duas} associations");
    assert!(
        methods > 500 && duas > 1000,
        "{methods} methods with {duas} associations are too few to show anything"
    );
}

#[test]
fn compiled_methods_have_the_associations_that_a_naive_search_finds() {
    let (mut methods, mut duas) = (0, 0);
    for jar in naive_duas::jars() {
        each_class(&support::jar(jar), |name, bytes| {
            let (more, found) = compare(name, &naive_duas::without_names(bytes), 20_000);
            methods += more;
            duas += found;
        });
    }
    println!("{methods} methods, {duas} associations");
    assert!(
        methods > 200 && duas > 1000,
        "{methods} methods with {duas} associations are too few to show anything"
    );
}

/// The associations between methods that the analysis finds, as the naive search has them.
fn across(bytes: &[u8]) -> BTreeSet<naive_duas::inter::Pair> {
    let found = of_class(bytes, &Options::default(), Some(&Unknown)).unwrap();
    assert_eq!(found.refused, []);
    let all = found.across.into_iter().map(|dua| {
        let usage = match dua.usage.at {
            Use::Node(node) => (node, None),
            Use::Edge(from, to) => (from, Some(to)),
        };
        let kind = match dua.kind {
            Kind::InterMethod => "inter-method",
            Kind::IntraClass => "intra-class",
            _ => "intra-method",
        };
        (kind, dua.variable, dua.definition.method, dua.definition.at, dua.usage.method, usage, dua.modifier)
    });
    all.collect()
}

/// Holds the associations between the methods of a class against the naive search, those of long paths apart; gives how many there
/// are, none when the naive search gives up.
fn compare_across(name: &str, bytes: &[u8], budget: usize) -> Option<usize> {
    let class = ClassFile::parse(bytes).unwrap();
    let expected = naive_duas::inter::pairs(&class, budget)?;
    let is_short = |pair: &naive_duas::inter::Pair| naive_duas::inter::is_short(&pair.1);
    let found: BTreeSet<_> = across(bytes).into_iter().filter(is_short).collect();
    let missing: Vec<_> = expected.difference(&found).take(3).collect();
    let strange: Vec<_> = found.difference(&expected).take(3).collect();
    assert!(missing.is_empty() && strange.is_empty(), "{name}: missing {missing:#?}, strange {strange:#?}");
    Some(found.len())
}

#[test]
fn methods_of_random_classes_are_associated_as_a_naive_search_through_their_calls_finds() {
    let (mut classes, mut duas) = (0, 0);
    for seed in 1..=if slow() { 3_000 } else { 150 } {
        let (name, bytes) = random_class(seed, 5, 61);
        if let Some(found) = compare_across(&name, &bytes, 100_000) {
            classes += 1;
            duas += found;
        }
    }
    println!("{classes} classes, {duas} associations");
    assert!(
        classes > 30 && duas > 300,
        "{classes} classes with {duas} associations are too few to show anything"
    );
}

#[test]
fn methods_of_compiled_classes_are_associated_as_a_naive_search_through_their_calls_finds() {
    let jars: &[&str] = if slow() {
        &["commons-cli-1.9.0", "gson-2.11.0", "jsoup-1.18.1", "guava"]
    } else {
        &["commons-cli-1.9.0"]
    };
    let (mut classes, mut duas) = (0, 0);
    for jar in jars {
        each_class(&support::jar(jar), |name, bytes| {
            if let Some(found) = compare_across(name, &naive_duas::without_names(bytes), 20_000) {
                classes += 1;
                duas += found;
            }
        });
    }
    println!("{classes} classes, {duas} associations");
    assert!(
        classes > 20 && duas > 100,
        "{classes} classes with {duas} associations are too few to show anything"
    );
}

/// Analyses every method of an archive in every way; gives methods, associations and refusals.
fn analyse(archive: &Path) -> (usize, usize, Vec<String>) {
    let (mut methods, mut duas, mut refused) = (0, 0, Vec::new());
    let ways = [
        Options::default(),
        Options { arrays: Arrays::Whole, exception_edges: true, temporaries: false, ..Options::default() },
    ];
    each_class(archive, |name, bytes| {
        duas += of_class(bytes, &ways[0], Some(&Unknown)).unwrap().across.len();
        let class = ClassFile::parse(bytes).unwrap();
        for (method, options) in class.methods.iter().flat_map(|method| ways.map(|way| (method, way))) {
            match of_method(&class, method, &options) {
                Ok(None) => {}
                Ok(Some(found)) => {
                    methods += 1;
                    duas += found.problem.duas().len();
                    let ids: BTreeSet<&str> = found.details.iter().map(|detail| detail.id.as_str()).collect();
                    assert_eq!(ids.len(), found.details.len(), "{name}.{}: ids are given twice", found.name);
                }
                Err(refusal) => {
                    let text = class.pool.utf8(method.name).unwrap();
                    refused.push(format!("{name}.{text}: {refusal}"));
                }
            }
        }
    });
    (methods, duas, refused)
}

#[test]
fn every_method_of_jars_and_of_the_jdk_is_analysed() {
    let jars: &[&str] = if slow() {
        // Of all versions from 46 on but 48, by compilers of five languages.
        &[
            "commons-codec-1.3",
            "commons-collections-testframework",
            "commons-collections-3.2.2",
            "commons-lang",
            "jfreechart",
            "clojure",
            "scala-library",
            "scala3-library_3",
            "groovy",
            "kotlin-stdlib",
            "kotlinx-coroutines-core-jvm",
            "guava",
            "h2",
            "xercesImpl",
            "bcprov-jdk18on",
            "fastutil",
            "hibernate-core",
            "spring-core",
            "byte-buddy-1.17.7",
        ]
    } else {
        &["commons-lang"]
    };
    let mut archives: Vec<PathBuf> = jars.iter().map(|jar| support::jar(jar)).collect();
    for home in if slow() { support::java_homes() } else { Vec::new() } {
        let folder = tempfile::tempdir().unwrap();
        archives.extend(support::Tools::new(&home, folder.path()).modules().into_values());
    }
    for archive in archives {
        let (methods, duas, refused) = analyse(&archive);
        println!("{}: {methods} analyses, {duas} associations, {} refused", archive.display(), refused.len());
        // What the JVM accepts is analysed; these archives hold nothing else.
        assert_eq!(refused, Vec::<String>::new());
    }
}

#[test]
fn classes_changed_at_random_are_analysed_or_refused() {
    let seeds: Vec<Vec<u8>> = (1..=10).map(|seed| random_class(seed, 22, 61).1).collect();
    let mut random = ChaCha8Rng::seed_from_u64(20_261_122);
    let (mut analysed, mut refused) = (0, 0);
    for _ in 0..if slow() { 100_000 } else { 2_000 } {
        let [seed, other] = [0; 2].map(|_| &seeds[random.random_range(0..seeds.len())]);
        let mutant = mutated(seed, other, &mut random);
        let options = Options { exception_edges: random.random(), ..Options::default() };
        match of_class(&mutant, &options, Some(&Unknown)) {
            Ok(found) => {
                analysed += found.methods.len();
                refused += found.refused.len();
                let fine = found
                    .refused
                    .iter()
                    .all(|(method, refusal)| !method.is_empty() && !refusal.reason.is_empty());
                assert!(fine, "{:?}", found.refused);
            }
            Err(refusal) => assert!(!refusal.to_string().is_empty()),
        }
    }
    println!("{analysed} methods analysed, {refused} refused");
    assert!(analysed > 1000 && refused > 100);
}

/// Small classes of an old library, as its compiler of the time wrote them.
fn old_classes() -> Vec<(String, Vec<u8>)> {
    let mut classes = Vec::new();
    each_class(&support::jar("commons-codec-1.3"), |name, bytes| {
        if bytes.len() < 4_000 {
            classes.push((name.to_owned(), bytes.to_vec()));
        }
    });
    assert!(classes.len() > 10, "only {} classes", classes.len());
    classes
}

#[test]
fn a_class_file_cut_anywhere_is_refused_with_the_offset() {
    let random = (1..=if slow() { 40 } else { 2 }).map(|seed| random_class(seed, 12, 61));
    let mut cuts = 0;
    for (name, bytes) in old_classes().into_iter().chain(random) {
        assert!(of_class(&bytes, &Options::default(), Some(&Unknown)).unwrap().refused.is_empty());
        for end in 0..bytes.len() {
            let refusal = of_class(&bytes[..end], &Options::default(), Some(&Unknown)).unwrap_err();
            assert!(refusal.to_string().contains("byte"), "{name}, {end} bytes: {refusal}");
            cuts += 1;
        }
    }
    assert!(cuts > 20_000, "{cuts} cuts are too few to show anything");
}

#[test]
fn the_version_of_a_class_file_says_nothing_about_its_associations() {
    let mut duas = 0;
    for (name, bytes) in old_classes() {
        let count = |major: u8| {
            let mut bytes = bytes.clone();
            bytes[4..8].copy_from_slice(&[0, if major == 45 { 3 } else { 0 }, 0, major]);
            let found = of_class(&bytes, &Options::default(), Some(&Unknown)).expect(&name);
            assert_eq!(found.refused, []);
            let details = found.methods.into_iter().flat_map(|method| method.details);
            details.map(|detail| (detail.id, detail.variable)).collect::<Vec<_>>()
        };
        let first = count(45);
        duas += first.len();
        for major in 46..=69 {
            assert_eq!(count(major), first, "{name} as version {major}");
        }
    }
    assert!(duas > 200, "{duas} associations are too few to show anything");
}
