//! The text of a small woven class, so that a change of what is woven in shows as the lines it changes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

mod support;

use dynaflow_classfile::print;
use dynaflow_instrument::{Plan, WeaveOptions};

fn woven(options: WeaveOptions, carve: bool) -> String {
    let classes = support::compile("Small.java");
    let bytes = &classes["Small"];
    let plan = if carve { Plan::carving_everywhere(bytes, &options) } else { Plan::new(bytes, &options) };
    let woven = plan.unwrap().weave(40_000).unwrap();
    assert_eq!(woven.declined, []);
    print::bytes(&woven.bytes).unwrap()
}

#[test]
fn a_small_class_woven_plainly() {
    insta::assert_snapshot!(woven(WeaveOptions::default(), false));
}

#[test]
fn a_small_class_woven_with_branches_and_carving() {
    insta::assert_snapshot!(woven(
        WeaveOptions { branches: true, carve: true, ..WeaveOptions::default() },
        true
    ));
}

#[test]
fn entries_of_basic_blocks_are_recorded_before_everything_else_of_their_first_instruction() {
    let blocks = WeaveOptions { blocks: true, ..WeaveOptions::default() };
    insta::assert_snapshot!(woven(blocks, false));
}

/// The text of one method of a class woven plainly.
fn method(source: &str, class: &str, name: &str) -> String {
    let classes = support::compile(source);
    let woven = Plan::new(&classes[class], &WeaveOptions::default()).unwrap().weave(40_000).unwrap();
    let text = print::bytes(&woven.bytes).unwrap();
    let named = |part: &&str| part.lines().next().is_some_and(|head| head.contains(name));
    text.split("\n\n").find(named).expect("the method is there").to_owned()
}

#[test]
fn what_may_catch_an_overflow_is_entered_by_a_detour_with_the_frame_of_the_handler() {
    insta::assert_snapshot!(method("Caught.java", "Caught", "method deep (I)I"));
}

#[test]
fn what_cannot_catch_an_overflow_is_entered_as_it_was() {
    let text = method("Caught.java", "Caught", "method shallow (I)I");
    assert!(text.contains("IllegalStateException") && !text.contains("DynaflowRecorder.caught"), "{text}");
    assert!(method("Caught.java", "Caught", "method deep (I)I").contains("DynaflowRecorder.caught"));
}

#[test]
fn a_class_prints_the_same_however_often_it_is_woven() {
    let options = WeaveOptions { branches: true, carve: true, ..WeaveOptions::default() };
    assert_eq!(woven(options, true), woven(options, true));
}

/// The recorder methods a woven method calls, in code order.
fn calls(source: &str, class: &str, method: &str) -> Vec<String> {
    let classes = support::compile(source);
    let woven = Plan::new(&classes[class], &WeaveOptions::default()).unwrap().weave(64).unwrap();
    let text = print::bytes(&woven.bytes).unwrap();
    let body = text.split("\n\n").find(|part| part.lines().next().is_some_and(|head| head.contains(method)));
    let lines = body.expect("the method is there").lines();
    let named = lines.filter_map(|line| line.trim().strip_prefix("invokestatic java/lang/DynaflowRecorder."));
    named.map(|call| call.split(' ').next().unwrap().to_owned()).collect()
}

#[test]
fn a_test_method_announces_itself_before_its_entry_and_after_each_exit() {
    assert_eq!(
        calls("Roles.java", "Roles", "method testOld ()V"),
        ["test", "on", "at", "testEnd", "threw", "testEnd"]
    );
    assert_eq!(
        calls("Roles.java", "Roles", "method testWith (I)V"),
        [""; 0],
        "no test: it has an argument, and nothing happens in it"
    );
    assert_eq!(calls("Roles.java", "Roles", "method setUp ()V"), ["on"], "a fixture is no test");
}
