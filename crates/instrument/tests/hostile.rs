//! Bytes that are no class, or no longer one: declined with a reason, never a panic.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

mod support;

use dynaflow_instrument::{Plan, WeaveOptions};

const ALL: WeaveOptions = WeaveOptions { branches: true, carve: true, blocks: true, copies: true };

#[test]
fn what_is_no_class_is_declined_with_the_place() {
    let declined = Plan::new(b"not a class", &ALL).unwrap_err();
    assert!(
        declined.reason.contains("magic number") && declined.reason.contains("byte 0"),
        "{}",
        declined.reason
    );
    let classes = support::compile("Small.java");
    let cut = &classes["Small"][..classes["Small"].len() - 1];
    assert!(Plan::new(cut, &ALL).unwrap_err().reason.contains("ends too early"));
}

#[test]
fn damaged_classes_never_panic_and_what_is_woven_still_reads() {
    let classes = support::compile("Places.java");
    let original = &classes["Places"];
    arbtest::arbtest(|u| {
        let mut bytes = original.clone();
        for _ in 0..u.int_in_range(1..=6)? {
            let at = u.choose_index(bytes.len())?;
            bytes[at] = u.arbitrary()?;
        }
        if let Ok(plan) = Plan::carving_everywhere(&bytes, &ALL)
            && let Ok(woven) = plan.weave(64)
        {
            assert!(dynaflow_classfile::ClassFile::parse(&woven.bytes).is_ok());
            assert!(woven.declined.iter().all(|declined| !declined.reason.is_empty()));
        }
        Ok(())
    });
}

#[test]
fn a_class_without_code_keeps_its_bytes() {
    let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0, 3, 1, 0, 1, b'A', 7, 0, 1];
    bytes.extend([0x02, 0x00, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let woven = Plan::new(&bytes, &ALL).unwrap().weave(64).unwrap();
    assert_eq!(woven.bytes, bytes);
}
