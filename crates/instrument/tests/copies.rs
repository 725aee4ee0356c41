//! Which methods get a plain or a quiet copy of their code and which are left as they are, as `Leaves.java` says behind their heads, and what a copy looks like.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

mod support;

use dynaflow_classfile::print;
use dynaflow_instrument::{Plan, WeaveOptions};
use std::collections::BTreeSet;

const COPIES: WeaveOptions = WeaveOptions { copies: true, ..WeaveOptions::NONE };

/// The text of the methods of a class of `Leaves.java`.
fn methods(class: &str, options: &WeaveOptions) -> Vec<String> {
    let classes = support::compile("Leaves.java");
    let woven = Plan::new(&classes[class], options).unwrap().weave(40_000).unwrap();
    let text = print::bytes(&woven.bytes).unwrap();
    let is_method = |part: &&str| part.lines().next().is_some_and(|head| head.contains("method "));
    text.split("\n\n").filter(is_method).map(str::to_owned).collect()
}

/// The names of the methods whose text is as wanted.
fn named(class: &str, options: &WeaveOptions, is: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let all = methods(class, options);
    let name = |text: &String| text.split(" (").next().unwrap().rsplit(' ').next().unwrap().to_owned();
    all.iter().filter(|text| is(text)).map(name).collect()
}

/// Those that ask whether they are left out.
fn copied(class: &str, options: &WeaveOptions) -> BTreeSet<String> {
    named(class, options, |text| text.contains("DynaflowRecorder.leavesOut"))
}

/// Those that call nothing of ours.
fn silent(class: &str, options: &WeaveOptions) -> BTreeSet<String> {
    named(class, options, |text| !text.contains("java/lang/Dynaflow"))
}

/// The methods of `Leaves.java` that say so behind their heads.
fn declared(mark: &str) -> BTreeSet<String> {
    let heads = include_str!("java/Leaves.java").lines().filter(|line| line.ends_with(mark));
    heads.map(|head| head.split('(').next().unwrap().rsplit(' ').next().unwrap().to_owned()).collect()
}

#[test]
fn methods_that_only_read_and_call_nothing_of_the_program_get_a_plain_copy_and_no_others() {
    let expected = declared("{ // copied");
    assert_eq!(expected.len(), 6);
    assert_eq!(copied("Leaves", &COPIES), expected);
    assert_eq!(
        copied("Leaves$IsTested", &COPIES),
        BTreeSet::new(),
        "tests are no invocations of the program"
    );
    assert_eq!(copied("Leaves", &WeaveOptions::NONE), BTreeSet::new());
}

#[test]
fn all_others_that_are_invocations_of_the_program_get_a_copy_that_reports_what_it_writes() {
    let quiet = |class: &str, options: &WeaveOptions| {
        named(class, options, |text| text.contains("DynaflowRecorder.isQuiet"))
    };
    let mut expected = declared("{ // quiet");
    assert_eq!(expected.len(), 14);
    expected.insert("<init>".to_owned());
    assert_eq!(quiet("Leaves", &COPIES), expected);
    assert_eq!(quiet("Leaves$IsTested", &COPIES), BTreeSet::new(), "tests are no invocations of the program");
    let blocks = WeaveOptions { blocks: true, ..COPIES };
    for options in [WeaveOptions::NONE, blocks] {
        assert_eq!(quiet("Leaves", &options), BTreeSet::new());
    }
}

#[test]
fn methods_of_which_nothing_could_be_recorded_are_left_as_they_are_and_no_others() {
    let mut expected = declared("{ // silent");
    assert_eq!(expected.len(), 9);
    assert!(expected.remove("none"), "of the class with tests");
    assert_eq!(silent("Leaves", &WeaveOptions::NONE), expected);
    assert_eq!(silent("Leaves$IsTested", &WeaveOptions::NONE), BTreeSet::from(["none".to_owned()]));
    let blocks = WeaveOptions { blocks: true, ..WeaveOptions::NONE };
    assert_eq!(silent("Leaves", &blocks), BTreeSet::new(), "blocks are recorded");
}

#[test]
fn a_chain_of_thousands_of_methods_is_silent_or_not_as_its_last_one_is() {
    const MANY: usize = 4000;
    let folder = tempfile::tempdir().unwrap();
    let chain = |name: &str, last: &str| {
        let links = (0..MANY).map(|at| format!("static int m{at}(int a) {{ return m{}(a); }}\n", at + 1));
        let links: String = links.collect();
        let text = format!(
            "class {name} {{ static int x; {links} static int m{MANY}(int a) {{ return {last}; }} }}"
        );
        let source = folder.path().join(format!("{name}.java"));
        std::fs::write(&source, text).unwrap();
        let bytes = support::compile(source.to_str().unwrap()).remove(name).unwrap();
        let woven = Plan::new(&bytes, &WeaveOptions::NONE).unwrap().weave(40_000).unwrap();
        let text = print::bytes(&woven.bytes).unwrap();
        let methods = text.split("\n\n").filter(|part| part.starts_with("static method "));
        methods.filter(|text| !text.contains("java/lang/Dynaflow")).count()
    };
    assert_eq!((chain("Computes", "a + 1"), chain("Reads", "a + x")), (MANY + 1, 0));
}

#[test]
fn a_method_that_the_jvm_would_compile_no_more_with_a_quiet_copy_gets_none() {
    let woven = |count: usize| {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("Fills.java");
        let writes = "all.add(all); ".repeat(count);
        std::fs::write(
            &source,
            format!("class Fills {{ static void fill(java.util.List<Object> all) {{ {writes} }} }}"),
        )
        .unwrap();
        let bytes = support::compile(source.to_str().unwrap()).remove("Fills").unwrap();
        let woven = Plan::new(&bytes, &COPIES).unwrap().weave(40_000).unwrap();
        assert!(woven.declined.is_empty());
        let text = print::bytes(&woven.bytes).unwrap();
        assert!(text.contains("DynaflowRecorder.contents"));
        text.matches("DynaflowRecorder.isQuiet").count()
    };
    assert_eq!((woven(50), woven(110)), (2, 1), "the constructor has one");
}

#[test]
fn a_quiet_copy_reports_writes_with_their_objects_and_neither_reads_nor_that_it_begins_and_ends() {
    let all = methods("Leaves", &COPIES);
    insta::assert_snapshot!(all.iter().find(|text| text.contains("doesAllOfThat")).unwrap());
}

#[test]
fn a_method_with_a_plain_copy_has_its_lines_variables_and_frames_twice() {
    let all = methods("Leaves", &COPIES);
    insta::assert_snapshot!(all.iter().find(|text| text.contains("withBranches")).unwrap());
}
