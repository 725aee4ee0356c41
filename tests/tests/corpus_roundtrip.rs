//! Reading and writing back: every class file of the JDKs and of well-known jars keeps its bytes, decodes to the last
//! instruction and frame, has basic blocks in every method, and prints. It knows nothing of weaving.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

#[path = "../corpus/support.rs"]
#[allow(dead_code, reason = "each corpus test uses a part of what they share")]
mod support;

use dynaflow_classfile::frames::Frames;
use dynaflow_classfile::insn::Instructions;
use dynaflow_classfile::{ClassFile, Code};
use dynaflow_tests::{class_checks, slow};
use std::time::Instant;
use support::{Tools, each_class, java_homes, version};

/// Reads, decodes and writes back one class; gives the number of methods with code.
fn check(name: &str, bytes: &[u8]) -> usize {
    let class = ClassFile::parse(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(class.write() == bytes, "{name} is not written as it was read");
    let refused = class_checks::blocks(&class);
    assert!(refused.is_empty(), "{name} has methods without blocks: {refused:?}");
    let mut methods = 0;
    for method in &class.methods {
        let Some(attribute) = class.attribute(&method.attributes, "Code") else { continue };
        let code =
            Code::parse(&attribute.data, attribute.offset).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut again = Vec::new();
        code.write(&mut again);
        assert!(again == *attribute.data, "{name}: a method's code is not written as it was read");
        for insn in Instructions::new(code.bytes, code.offset) {
            insn.unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        if let Some(frames) = class.attribute(&code.attributes, "StackMapTable") {
            for frame in Frames::new(&frames.data, frames.offset).unwrap() {
                frame.unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        }
        methods += 1;
    }
    methods
}

#[test]
fn every_class_of_the_jdk_is_written_as_it_was_read() {
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let tools = Tools::new(&home, folder.path());
        let (mut classes, mut methods) = (0, 0);
        let start = Instant::now();
        for (module, archive) in tools.modules() {
            if slow() || module == "java.base" {
                each_class(&archive, |name, bytes| {
                    classes += 1;
                    methods += check(name, bytes);
                });
            }
        }
        assert!(classes > 5000, "java.base alone has more classes than {classes}");
        println!("JDK {}: {classes} classes, {methods} methods, {:?}", version(&home).0, start.elapsed());
    }
}

#[test]
fn every_class_of_old_and_new_jars_is_written_as_it_was_read() {
    let names: &[&str] = if slow() {
        &["commons-lang", "clojure", "scala-library", "groovy", "guava", "h2", "xercesImpl", "kotlin-stdlib"]
    } else {
        &["commons-lang"]
    };
    for name in names {
        let mut classes = 0;
        each_class(&support::jar(name), |class, bytes| {
            check(class, bytes);
            classes += 1;
        });
        assert!(classes > 100, "{name} has {classes} classes");
    }
}
