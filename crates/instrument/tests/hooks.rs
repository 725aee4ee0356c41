//! Hooks woven into methods, run by a JVM with its verifier on: what is called with what, and that the methods do what they did.

#![allow(clippy::unwrap_used, reason = "helpers of tests, outside of a test function")]

mod support;

use dynaflow_instrument::hooks::{Hook, Moment};
use dynaflow_instrument::weave_hooks;
use std::collections::BTreeMap;
use std::process::Command;

const TARGET: &str = "Hooked$Target";

fn hook(method: &'static str, moment: Moment, call: &'static str) -> Hook {
    Hook::new("Hooked", method, moment, TARGET, call)
}

fn run(classes: &BTreeMap<String, Vec<u8>>) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in classes {
        std::fs::write(folder.path().join(format!("{name}.class")), bytes).unwrap();
    }
    let java = support::javac().with_file_name("java");
    let output =
        Command::new(java).args(["-Xverify:all", "-cp"]).arg(folder.path()).arg("Hooked").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn hooks_get_receiver_parameters_and_result_and_the_methods_do_what_they_did() {
    let mut classes = support::compile("Hooked.java");
    let plain = run(&classes);
    let hooks = [
        hook("both", Moment::Entry, "seen"),
        hook("both", Moment::Return, "gave"),
        hook("both", Moment::Result, "alone"),
        hook("<init>", Moment::Entry, "made").of("(Z)V"),
        hook("choose", Moment::Return, "gave"),
        hook("fill", Moment::Return, "ended"),
    ];
    let hooked = weave_hooks(&classes["Hooked"], &hooks).unwrap();
    assert_eq!((hooked.methods, hooked.declined), (vec![1; 6], vec![]));
    classes.insert("Hooked".to_owned(), hooked.bytes.unwrap());
    let calls = "\
constructor true
entry true 3 9 a
return true 3 9 a 3.0
result 3.0
entry true 5 2 b
return true 5 2 b 2.0
result 2.0
entry true -1 0 c
static true yes
static false null
void 3
";
    assert_eq!(run(&classes), plain + calls, "a call that throws has an entry and no return");
}

#[test]
fn a_hook_passes_the_values_it_names_in_their_order_and_fits_no_method_without_them() {
    let mut classes = support::compile("Hooked.java");
    let plain = run(&classes);
    let hooks = [
        hook("both", Moment::Return, "some").passing(&[4, 0, 0]),
        hook("both", Moment::Entry, "some").passing(&[4, 0, 0]),
        hook("<init>", Moment::Entry, "made").of("(Z)V").passing(&[0]),
    ];
    let hooked = weave_hooks(&classes["Hooked"], &hooks).unwrap();
    assert_eq!(hooked.methods, [1, 0, 0], "no result at the entry, and no object before it is made");
    classes.insert("Hooked".to_owned(), hooked.bytes.unwrap());
    assert_eq!(run(&classes), plain + "some 3.0 true\nsome 2.0 true\n");
}

#[test]
fn what_fits_nothing_is_counted_and_what_cannot_be_hooked_is_named_and_left_alone() {
    let classes = support::compile("Hooked.java");
    let hooks = [
        hook("overwriting", Moment::Return, "gave"),
        hook("far", Moment::Entry, "seen"),
        hook("nothing", Moment::Entry, "seen"),
        hook("both", Moment::Entry, "seen").of("()V"),
        Hook::new("Other", "both", Moment::Entry, TARGET, "seen"),
    ];
    let hooked = weave_hooks(&classes["Hooked"], &hooks).unwrap();
    assert_eq!((hooked.methods, hooked.bytes), (vec![0; 5], None));
    let [declined] = &hooked.declined[..] else { panic!("{:?}", hooked.declined) };
    assert_eq!(declined.class, "Hooked#overwriting(I)I");
    assert!(declined.reason.contains("overwrites its parameters"), "{}", declined.reason);
    let entry = weave_hooks(&classes["Hooked"], &[hook("overwriting", Moment::Entry, "made")]).unwrap();
    assert_eq!(entry.methods, [1], "at its entry a method has its parameters");
    let result = weave_hooks(&classes["Hooked"], &[hook("overwriting", Moment::Result, "made")]).unwrap();
    assert_eq!(result.methods, [1], "a result is there whatever became of the parameters");
}

#[test]
fn bytes_that_are_no_class_are_refused() {
    let declined = weave_hooks(b"no class", &[]).unwrap_err();
    assert!(declined.reason.contains("class file is not understood"), "{}", declined.reason);
}
