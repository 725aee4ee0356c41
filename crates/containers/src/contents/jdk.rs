//! The table held against the classes of the JDKs there are: a class or a name that no JDK has would never match a call.
//!
//! It knows how to run Java. What a method does to contents it does not check: the facts that `agent` declares for real containers do.

use super::{CLASSES, COLLECTIONS, Family};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::Command;

/// Prints `class method` for each method a program can name of each class given, in itself or inherited.
const METHODS: &str = r#"
class Methods {
    public static void main(String[] names) {
        for (String name : names) {
            try {
                Class<?> of = Class.forName(name.replace('/', '.'));
                System.out.println(name + " ");
                for (java.lang.reflect.Method method : of.getMethods()) {
                    System.out.println(name + " " + method.getName());
                }
                for (Class<?> at = of; at != null; at = at.getSuperclass()) {
                    for (java.lang.reflect.Method method : at.getDeclaredMethods()) {
                        if (java.lang.reflect.Modifier.isProtected(method.getModifiers())) {
                            System.out.println(name + " " + method.getName());
                        }
                    }
                }
            } catch (ClassNotFoundException absent) {
                // A class of a later version.
            }
        }
    }
}
"#;

/// Names that JDK 17 does not have, for machines that have no later one.
const SINCE_21: &[&str] = &[
    "addFirst",
    "addLast",
    "getFirst",
    "getLast",
    "pollFirstEntry",
    "pollLastEntry",
    "putFirst",
    "putLast",
    "removeFirst",
    "removeLast",
    "repeat",
    "reversed",
    "sequencedEntrySet",
    "sequencedKeySet",
    "sequencedValues",
];
const CLASSES_SINCE_21: &[&str] =
    &["java/util/SequencedCollection", "java/util/SequencedMap", "java/util/SequencedSet"];

/// The `java` programs to ask: of `DYNAFLOW_JAVA_HOMES`, else of `JAVA_HOME`, else the one on the path.
fn javas() -> Vec<PathBuf> {
    let homes = std::env::var_os("DYNAFLOW_JAVA_HOMES").or_else(|| std::env::var_os("JAVA_HOME"));
    match homes {
        Some(homes) => std::env::split_paths(&homes).map(|home| home.join("bin/java")).collect(),
        None => vec![PathBuf::from("java")],
    }
}

/// By class the names of its methods, of all JDKs together. A class that is there has at least the empty name.
fn methods(classes: &[String]) -> BTreeMap<String, BTreeSet<String>> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Methods.java");
    std::fs::write(&file, METHODS).unwrap();
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for java in javas() {
        let output = Command::new(java).arg(&file).args(classes).output();
        let output = output.expect("java is needed: set JAVA_HOME or put it on the PATH");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        for (class, name) in
            String::from_utf8(output.stdout).unwrap().lines().filter_map(|l| l.split_once(' '))
        {
            found.entry(class.to_owned()).or_default().insert(name.to_owned());
        }
    }
    found
}

fn names(family: &Family) -> impl Iterator<Item = &'static str> + use<> {
    [family.reads, family.writes, family.both].into_iter().flatten().copied()
}

fn is_same(one: &Family, other: &Family) -> bool {
    (one.reads, one.writes, one.both) == (other.reads, other.writes, other.both)
}

/// The classes of each row, with the row's families.
fn rows() -> Vec<(Vec<String>, &'static [&'static Family])> {
    let of = |(package, classes, families): &(&str, &[&str], &'static [&'static Family])| {
        (classes.iter().map(|class| format!("{package}{class}")).collect(), *families)
    };
    let statics: &'static [&'static Family] = &[&COLLECTIONS];
    CLASSES.iter().map(of).chain([(vec!["java/util/Collections".to_owned()], statics)]).collect()
}

#[test]
fn every_class_of_the_table_is_one_of_a_jdk() {
    let classes: Vec<String> = rows().into_iter().flat_map(|(classes, _)| classes).collect();
    let found = methods(&classes);
    let has_later = found.contains_key(CLASSES_SINCE_21[0]);
    let is_absent = |class: &&String| {
        !found.contains_key(*class) && (has_later || !CLASSES_SINCE_21.contains(&class.as_str()))
    };
    assert_eq!(classes.iter().filter(is_absent).collect::<Vec<_>>(), Vec::<&String>::new());
    assert!(!methods(&["java/util/Sack".to_owned()]).contains_key("java/util/Sack"));
}

#[test]
fn every_name_of_a_family_is_a_method_of_a_class_that_lists_the_family() {
    let rows = rows();
    let classes: Vec<String> = rows.iter().flat_map(|(classes, _)| classes.clone()).collect();
    let found = methods(&classes);
    let has_later = found.contains_key(CLASSES_SINCE_21[0]);
    let mut absent = BTreeSet::new();
    for family in rows.iter().flat_map(|(_, families)| families.iter()) {
        let lists = |families: &[&Family]| families.iter().any(|one| is_same(one, family));
        let users = rows.iter().filter(|(_, families)| lists(families)).flat_map(|(classes, _)| classes);
        let known: BTreeSet<&str> =
            users.filter_map(|class| found.get(class)).flatten().map(String::as_str).collect();
        absent.extend(names(family).filter(|name| !known.contains(name)));
    }
    absent.retain(|name| has_later || !SINCE_21.contains(name));
    assert_eq!(absent, BTreeSet::new());
}
