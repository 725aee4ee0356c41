//! Which methods get a plain copy of their code, as `Leaves.java` says behind their heads, and what such a method looks like.

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

/// The names of the methods that ask whether they are left out.
fn copied(class: &str, options: &WeaveOptions) -> BTreeSet<String> {
    let all = methods(class, options);
    let asking = all.iter().filter(|text| text.contains("DynaflowRecorder.leavesOut"));
    let name = |text: &String| text.split(" (").next().unwrap().rsplit(' ').next().unwrap().to_owned();
    asking.map(name).collect()
}

#[test]
fn methods_that_only_read_and_call_nothing_of_the_program_get_a_plain_copy_and_no_others() {
    let source = include_str!("java/Leaves.java");
    let heads = source.lines().filter(|line| line.ends_with("{ // copied"));
    let name = |head: &str| head.split('(').next().unwrap().rsplit(' ').next().unwrap().to_owned();
    let expected: BTreeSet<String> = heads.map(name).collect();
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
fn a_method_with_a_plain_copy_has_its_lines_variables_and_frames_twice() {
    let all = methods("Leaves", &COPIES);
    insta::assert_snapshot!(all.iter().find(|text| text.contains("withBranches")).unwrap());
}
