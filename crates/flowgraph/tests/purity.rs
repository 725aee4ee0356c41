//! Inspectors and modifiers among the methods of a compiled class, whose names say what they are. It knows javac, no JDK's
//! classes: `dynaflow dua` is tested with those.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

#[path = "../../instrument/tests/support/mod.rs"]
mod support;

use dynaflow_classfile::ClassFile;
use dynaflow_flowgraph::dua::{ClassSource, Purity};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Compiled classes, and nothing of the JDK.
struct Classes(BTreeMap<String, Vec<u8>>);

impl ClassSource for Classes {
    fn class(&self, name: &[u8]) -> Option<Cow<'_, [u8]>> {
        self.0.get(std::str::from_utf8(name).unwrap()).map(|bytes| Cow::Borrowed(bytes.as_slice()))
    }
}

/// The methods of `Judged.Box` with what is said of each.
fn judged(classes: &Classes) -> BTreeMap<String, bool> {
    judge(&Purity::new(classes), classes)
}

fn judge(purity: &Purity<'_>, classes: &Classes) -> BTreeMap<String, bool> {
    let class = ClassFile::parse(&classes.0["Judged$Box"]).unwrap();
    let all = class.methods.iter().map(|method| {
        let (name, descriptor) =
            (class.pool.utf8(method.name).unwrap(), class.pool.utf8(method.descriptor).unwrap());
        (name.to_string(), purity.may_change(b"Judged$Box", name.0, descriptor.0))
    });
    all.collect()
}

#[test]
fn methods_change_their_object_or_not_as_their_names_say() {
    let judged = judged(&Classes(support::compile("Judged.java")));
    // Without the JDK nothing is known of the exception and of the builder that are made.
    let unknown = ["inspectsOrThrows", "inspectsByBuilding"];
    for (name, changes) in judged.iter().filter(|(name, _)| !["<init>", "fill"].contains(&name.as_str())) {
        let expected = name.starts_with("changes") || unknown.contains(&name.as_str());
        assert_eq!(*changes, expected, "{name}");
    }
    assert!(judged.len() > 12);
}

#[test]
fn a_field_that_is_filled_where_it_is_null_is_no_change_where_that_is_asked_for() {
    let classes = Classes(support::compile("Judged.java"));
    let (strict, lenient) =
        (judge(&Purity::new(&classes), &classes), judge(&Purity::new(&classes).leaving_fills(), &classes));
    let differing: Vec<&str> = strict
        .iter()
        .filter(|(name, changes)| lenient[*name] != **changes)
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(differing, ["changesByFilling", "changesByFillingAndAsking", "changesByFillingWhatWasRead"]);
}

#[test]
fn what_is_not_there_may_change_anything() {
    let classes = Classes(support::compile("Judged.java"));
    let purity = Purity::new(&classes);
    assert!(purity.may_change(b"Judged$Shape", b"changesPerhapsToo", b"()I"), "an interface has no code");
    assert!(purity.may_change(b"java/util/Random", b"nextInt", b"()I"), "the class is not there");
    assert!(purity.may_change(b"Judged$Box", b"noSuchMethod", b"()V"), "the method is not there");
    assert!(!purity.may_change(b"java/util/List", b"size", b"()I"), "the table of containers knows it");
    assert!(purity.may_change(b"java/util/List", b"clear", b"()V"));
}

#[test]
fn the_writes_of_a_methods_own_code_are_known_where_those_of_what_it_calls_are_not() {
    let classes = Classes(support::compile("Judged.java"));
    let purity = Purity::new(&classes);
    let writes = |name: &[u8], descriptor: &[u8]| purity.writes(b"Judged$Box", name, descriptor);
    for (name, own) in [
        (&b"changesValue"[..], true),
        (b"changesArray", true),
        (b"inspectsValue", false),
        (b"changesInner", false),
        (b"inspectsByMaking", false),
    ] {
        let descriptor: &[u8] = match name {
            b"inspectsValue" => b"()I",
            b"inspectsByMaking" => b"()LJudged$Box;",
            _ => b"()V",
        };
        assert_eq!(writes(name, descriptor), Some(own), "{}", String::from_utf8_lossy(name));
    }
    assert_eq!(writes(b"changesPerhaps", b"()V"), None, "it is native");
    assert_eq!(writes(b"noSuchMethod", b"()V"), None);
}

/// Counts how often each class is asked for.
struct Counted(Classes, Mutex<BTreeMap<Vec<u8>, usize>>);

impl ClassSource for Counted {
    fn class(&self, name: &[u8]) -> Option<Cow<'_, [u8]>> {
        *self.1.lock().unwrap().entry(name.to_vec()).or_default() += 1;
        self.0.class(name)
    }
}

#[test]
fn each_class_is_read_once_and_each_method_analysed_once_however_many_threads_ask() {
    let classes = Counted(Classes(support::compile("Judged.java")), Mutex::default());
    let alone = Purity::new(&classes);
    let expected = judge(&alone, &classes.0);
    let effort = alone.effort();
    assert!(effort.0 >= 3 && effort.1 > 12, "{effort:?}");
    classes.1.lock().unwrap().clear();

    let shared = Purity::new(&classes);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| judge(&shared, &classes.0))).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), expected);
        }
    });
    assert_eq!(shared.effort(), effort, "as much work as for one thread");
    let reads = classes.1.lock().unwrap();
    assert!(reads.values().all(|count| *count == 1), "{reads:?}");
    let of = |name: &str| ClassFile::parse(&classes.0.0[name]).unwrap().methods.len();
    let all: usize = classes.0.0.keys().map(|name| of(name)).sum();
    assert!(effort.1 < all, "methods that nobody asks for are left alone: {} of {all}", effort.1);
}
