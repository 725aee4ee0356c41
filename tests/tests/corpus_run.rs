//! Woven programs behave like the originals: programs of many language features, compiled by the javac of every JDK given,
//! print the same woven (with a recorder that records nothing) and unwoven. It knows output, not events.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

#[path = "../corpus/support.rs"]
#[allow(dead_code, reason = "each corpus test uses a part of what they share")]
mod support;

use dynaflow_classfile::class::access;
use dynaflow_classfile::reader::Reader;
use dynaflow_classfile::{Attribute, ClassFile, Constant, ConstantPool, Member, NameAndTypeIndex};
use dynaflow_instrument::{Plan, WeaveOptions};
use std::path::Path;
use std::process::Command;
use support::{Tools, VARIANTS, java_homes, run, version};

fn class_files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "class"));
    files.sort();
    files
}

/// Compiles a program on a JDK, runs it unwoven and in every variant, and compares what it prints.
fn behaves_the_same(tools: &Tools, folder: &Path, program: &str) {
    let plain = folder.join("plain");
    std::fs::create_dir_all(&plain).unwrap();
    support::javac(&tools.home, &["-g"], &[&format!("{program}.java")], &plain);
    let start = |classes: &Path| {
        let mut command: Command = tools.java();
        run(command.args(["-Xverify:all", "-ea", "-Xss1m", &tools.patch(), "-cp"]).arg(classes).arg(program))
    };
    let expected = start(&plain);
    assert!(expected.lines().count() > 10, "{program} prints something:\n{expected}");
    for variant in VARIANTS {
        let woven = folder.join(variant.name);
        std::fs::create_dir_all(&woven).unwrap();
        for file in class_files(&plain) {
            let original = std::fs::read(&file).unwrap();
            let (bytes, declined) = variant.weave(&original);
            assert!(declined.is_empty(), "{declined:?}");
            std::fs::write(woven.join(file.file_name().unwrap()), bytes).unwrap();
        }
        let printed = start(&woven);
        assert!(
            printed == expected,
            "{program} on {} woven {}:\n{printed}\nexpected:\n{expected}",
            version(&tools.home).0,
            variant.name
        );
    }
}

#[test]
fn a_program_of_many_features_prints_the_same_woven_and_unwoven() {
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let tools = Tools::new(&home, folder.path());
        behaves_the_same(&tools, folder.path(), "Features");
    }
}

#[test]
fn statements_before_super_and_pattern_switches_survive_weaving() {
    let Some(home) = java_homes().into_iter().find(|home| version(home).1 >= 25) else {
        println!("no JDK 25 or later among DYNAFLOW_JAVA_HOMES: nothing to run");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let tools = Tools::new(&home, folder.path());
    behaves_the_same(&tools, folder.path(), "Newer");
}

/// A class of version 49 with a `main` that does nothing and, but for the types,
/// `static void m(Throwable t) { t = (Missing) null; }` and
/// `static void n(List l, int i) { l.add((Missing) null); if (i != 0) l.add((Absent) null); }` and
/// `static void o(List l) { l.add((Missing) null); try { l.add((Missing) null); l.add((Absent) null); } finally { } }`.
/// The verifier of such classes infers what a local holds, and loads classes only to merge two of them.
fn old_class() -> Vec<u8> {
    let mut pool = ConstantPool::read(&mut Reader::new(&[0, 1], 0)).unwrap();
    let this_class = pool.append_class(b"Old").unwrap();
    let super_class = Some(pool.append_class(b"java/lang/Object").unwrap());
    let missing = pool.append_class(b"Missing").unwrap().0 as u8;
    let absent = pool.append_class(b"Absent").unwrap().0 as u8;
    let list = pool.append_class(b"java/util/List").unwrap();
    let (name, descriptor) =
        (pool.append_utf8(b"add").unwrap(), pool.append_utf8(b"(Ljava/lang/Object;)Z").unwrap());
    let add = NameAndTypeIndex(pool.append(Constant::NameAndType(name, descriptor)).unwrap());
    let add = pool.append(Constant::InterfaceMethod(list, add)).unwrap() as u8;
    let code_name = pool.append_utf8(b"Code").unwrap();
    let mut method = |name: &'static [u8], descriptor: &'static [u8], code: &[u8], handlers: &[u8]| {
        let head = [0, 2, 0, 2, 0, 0, 0, code.len() as u8];
        let data = [&head, code, &[0, handlers.len() as u8 / 8], handlers, &[0, 0]].concat().into();
        Member {
            access: access::PUBLIC | access::STATIC,
            name: pool.append_utf8(name).unwrap(),
            descriptor: pool.append_utf8(descriptor).unwrap(),
            attributes: vec![Attribute { name: code_name, data, offset: 0 }],
        }
    };
    // aload_0, aconst_null, checkcast, invokeinterface add, pop
    let adds = |class: u8| [0x2A, 0x01, 0xC0, 0, class, 0xB9, 0, add, 2, 0, 0x57];
    let methods = vec![
        method(b"main", b"([Ljava/lang/String;)V", &[0xB1], &[]),
        // aconst_null, checkcast Missing, astore_0, return
        method(b"m", b"(Ljava/lang/Throwable;)V", &[0x01, 0xC0, 0, missing, 0x4B, 0xB1], &[]),
        // iload_1, ifeq to the return
        method(
            b"n",
            b"(Ljava/util/List;I)V",
            &[&adds(missing)[..], &[0x1B, 0x99, 0, 14], &adds(absent), &[0xB1]].concat(),
            &[],
        ),
        // From the second call on, exceptions go to: pop, return.
        method(
            b"o",
            b"(Ljava/util/List;)V",
            &[&adds(missing)[..], &adds(missing), &adds(absent), &[0xB1, 0x57, 0xB1]].concat(),
            &[0, 11, 0, 33, 0, 34, 0, 0],
        ),
    ];
    let (interfaces, fields, attributes) = (Vec::new(), Vec::new(), Vec::new());
    let (minor, major, access) = (0, 49, 0x21);
    ClassFile { minor, major, pool, access, this_class, super_class, interfaces, fields, methods, attributes }
        .write()
}

#[test]
fn an_old_class_links_woven_without_the_classes_it_links_without_untouched() {
    let original = old_class();
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let tools = Tools::new(&home, folder.path());
        let start = |bytes: &[u8]| {
            std::fs::write(folder.path().join("Old.class"), bytes).unwrap();
            let mut command = tools.java();
            run(command.args(["-Xverify:all", &tools.patch(), "-cp"]).arg(folder.path()).arg("Old"))
        };
        start(&original);
        for variant in VARIANTS {
            let (woven, declined) = variant.weave(&original);
            assert!(declined.is_empty() && woven != original, "{declined:?}");
            start(&woven);
        }
    }
}

#[test]
fn the_verifier_notices_when_weaving_goes_wrong() {
    // The negative twin of the tests above: a woven class whose code is made wrong afterwards must not link.
    let home = java_homes().into_iter().next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let tools = Tools::new(&home, folder.path());
    let plain = folder.path().join("plain");
    std::fs::create_dir_all(&plain).unwrap();
    support::javac(&home, &["-g"], &["Features.java"], &plain);
    let original = std::fs::read(plain.join("Features.class")).unwrap();
    let mut woven = Plan::new(&original, &WeaveOptions::default()).unwrap().weave(64).unwrap().bytes;
    // `bipush SITE; invokestatic` of an access: dropping the site from the stack must be noticed.
    let access = woven.windows(3).position(|bytes| matches!(bytes, [0x10, 64..=127, 0xB8]));
    woven[access.expect("an access is woven in")] = 0x84; // iinc: pushes nothing
    std::fs::write(plain.join("Features.class"), woven).unwrap();
    let mut command = tools.java();
    command.args(["-Xverify:all", &tools.patch(), "-cp"]).arg(&plain).arg("Features");
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && error.contains("VerifyError"), "{error}");
}
