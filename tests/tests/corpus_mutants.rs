//! Mutants against the JVM's verifier: every class of well-known jars links with all its mutants behind guards, with probes, and
//! with single mutants alone, exactly as the untouched class does, on every JDK given. It knows outcomes of linking, not behaviour.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

#[path = "../corpus/support.rs"]
#[allow(dead_code, reason = "each corpus test uses a part of what they share")]
mod support;

use dynaflow_classfile::{ClassFile, Code};
use dynaflow_fitness::{Wanted, guided};
use dynaflow_mutants::{ClassMutants, Operator, Options, alone, mutants, probed, schemata};
use dynaflow_tests::slow;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use support::{Tools, assert_same, each_class, java_homes, run, version};

/// Jars of several compilers and ages, back to class files without frames; the first three are the sample of every run.
const JARS: &[&str] = &[
    "commons-lang",
    "commons-cli-1.9.0",
    "gson-2.11.0",
    "guava",
    "commons-collections",
    "commons-math3-3.6.1",
    "jackson-core",
    "h2",
    "kotlin-stdlib",
    "scala-library",
    "clojure",
    "groovy",
    "antlr4-runtime",
    "joda-time",
    "jsoup-1.18.1",
];

/// The longest code that the JVM compiles.
const COMPILED: usize = 8_000;

/// What a class is replaced with: class files in several rounds, each of which is linked by itself.
type Weave = fn(&[u8], &ClassMutants, usize) -> Option<Vec<u8>>;

/// The ways to weave, each with its number of rounds.
const WAYS: &[(&str, usize, Weave)] = &[
    ("guarded", 3, |bytes, found, round| {
        let schemata = schemata(bytes, found, 30_000).unwrap();
        let there: usize = schemata.iter().map(|schema| schema.mutants.len()).sum();
        assert_eq!(there, found.mutants.len(), "every mutant of {} is in a group", found.class);
        schemata.into_iter().nth(round).map(|schema| schema.bytes)
    }),
    ("probed", 1, |bytes, found, _| Some(probed(bytes, found, 30_000).unwrap().bytes)),
    ("with distances", 1, |bytes, _, _| {
        Some(guided(bytes, 30_000, Wanted::ALL, &dynaflow_flowgraph::dua::Unknown).unwrap().bytes)
    }),
    // Another mutant of the class in each round, spread over all of them.
    ("alone", 4, |bytes, found, round| {
        let count = found.mutants.len();
        (count > 0).then(|| alone(bytes, found, (round * count / 4 + bytes.len()) % count).unwrap())
    }),
];

fn every_operator() -> Options {
    Options { operators: Operator::all().collect(), filter: false }
}

/// Weaves an archive; the number of its mutants and what was declined.
fn weave(from: &Path, to: &Path, weave: Weave, round: usize) -> (usize, usize, Vec<String>) {
    let mut zip = zip::ZipWriter::new(std::io::BufWriter::new(File::create(to).unwrap()));
    let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let (mut classes, mut count, mut declined) = (0, 0, Vec::new());
    each_class(from, |name, bytes| {
        let found = mutants(bytes, &every_operator()).unwrap();
        classes += 1;
        count += found.mutants.len();
        let woven = weave(bytes, &found, round).unwrap_or_else(|| bytes.to_vec());
        assert_compiled_as_before(name, bytes, &woven);
        declined.extend(found.declined);
        zip.start_file(name, stored).unwrap();
        zip.write_all(&woven).unwrap();
    });
    zip.finish().unwrap();
    (classes, count, declined)
}

/// No method that the JVM compiles may become one that it does not.
fn assert_compiled_as_before(name: &str, plain: &[u8], woven: &[u8]) {
    let lengths = |bytes: &[u8]| {
        let class = ClassFile::parse(bytes).unwrap();
        let code = |member: &dynaflow_classfile::Member<'_>| {
            let code = class.attribute(&member.attributes, "Code")?;
            Some(Code::parse(&code.data, 0).unwrap().bytes.len())
        };
        class.methods.iter().map(code).collect::<Vec<_>>()
    };
    for (before, after) in lengths(plain).into_iter().zip(lengths(woven)) {
        assert!(
            before > Some(COMPILED) || after <= Some(COMPILED),
            "{name}: {before:?} bytes became {after:?}"
        );
    }
}

fn link(tools: &Tools, jars: &[PathBuf], out: &Path) {
    let mut command = tools.java();
    command.args(["-Xverify:all", "-cp"]).arg(&tools.classes);
    run(command.args(["Corpus", "jars"]).arg(out).args(jars));
}

#[test]
fn classes_with_mutants_link_exactly_as_untouched_ones() {
    let names = if slow() { JARS } else { &JARS[..3] };
    let jars: Vec<PathBuf> = names.iter().map(|name| support::jar(name)).collect();
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let tools = Tools::new(&home, folder.path());
        let control = folder.path().join("control");
        // Copies that are woven with nothing, so that manifests count in neither.
        let plain: Vec<PathBuf> =
            jars.iter().map(|jar| folder.path().join(jar.file_name().unwrap())).collect();
        for (jar, to) in jars.iter().zip(&plain) {
            weave(jar, to, |_, _, _| None, 0);
        }
        link(&tools, &plain, &control);
        for (way, rounds, woven_by) in WAYS {
            for round in 0..*rounds {
                let (mut count, mut declined) = (0, Vec::new());
                for (jar, to) in jars.iter().zip(&plain) {
                    let (_, mutants, reasons) = weave(jar, to, *woven_by, round);
                    count += mutants;
                    declined.extend(reasons);
                }
                let outcome = folder.path().join("outcome");
                link(&tools, &plain, &outcome);
                let what = format!("{way}, round {round}, on {}", version(&home).0);
                let linked = assert_same(&what, &control, &outcome);
                assert!(
                    declined.len() * 500 <= count,
                    "{what}: {} of {count}: {:?}",
                    declined.len(),
                    declined.first()
                );
                println!("{what}: {linked} classes link alike, {count} mutants, {} declined", declined.len());
            }
        }
    }
}

/// The class files of a folder, by name.
fn class_files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "class"));
    files.sort();
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    files.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
}

/// The switch that woven classes ask, compiled into a folder.
fn compile_switch(home: &Path, out: &Path) {
    let source = support::root().join("crates/mutants/tests/java/Switch.java");
    run(support::javac::javac(home).arg("-d").arg(out).arg(source));
}

/// A program prints the same with all its mutants behind guards, none of them active, and with probes.
fn prints_the_same(tools: &Tools, folder: &Path, program: &str) {
    let plain = folder.join(program);
    std::fs::create_dir_all(&plain).unwrap();
    support::javac(&tools.home, &["-g"], &[&format!("{program}.java")], &plain);
    compile_switch(&tools.home, &plain);
    let start = || {
        let mut command = tools.java();
        run(command.args(["-Xverify:all", "-ea", "-Xss1m", &tools.patch(), "-cp"]).arg(&plain).arg(program))
    };
    let originals = class_files(&plain);
    let expected = start();
    assert!(expected.lines().count() > 10, "{program} prints something:\n{expected}");
    for (way, rounds, weave) in &WAYS[..2] {
        for round in 0..*rounds {
            let mut woven = 0;
            for (name, bytes) in &originals {
                let found = mutants(bytes, &every_operator()).unwrap();
                assert_eq!(found.declined, Vec::<String>::new());
                let new = weave(bytes, &found, round);
                woven += found.mutants.len() * usize::from(new.is_some());
                std::fs::write(plain.join(name), new.unwrap_or_else(|| bytes.clone())).unwrap();
            }
            assert!(woven > 200 || round > 0, "{program} has only {woven} mutants");
            let printed = start();
            assert!(
                printed == expected,
                "{program}, {way}, round {round}:\n{printed}\nexpected:\n{expected}"
            );
        }
    }
}

#[test]
fn programs_of_many_features_print_the_same_with_mutants_of_which_none_is_active() {
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let tools = Tools::new(&home, folder.path());
        prints_the_same(&tools, folder.path(), "Features");
        if version(&home).1 >= 25 {
            prints_the_same(&tools, folder.path(), "Newer");
        }
    }
}

#[test]
fn the_verifier_notices_a_frame_of_a_guard_that_is_wrong() {
    let home = java_homes().into_iter().next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let tools = Tools::new(&home, folder.path());
    let plain = folder.path().join("plain");
    std::fs::create_dir_all(&plain).unwrap();
    support::javac(&home, &["-g"], &["Features.java"], &plain);
    compile_switch(&home, &plain);
    let original = std::fs::read(plain.join("Features.class")).unwrap();
    let found = mutants(&original, &every_operator()).unwrap();
    let mut woven = schemata(&original, &found, 64).unwrap().remove(0).bytes;
    // A full frame with one `int` on the stack and nothing else: it becomes a `float`.
    let frame = woven.windows(6).position(|bytes| bytes == [0, 0, 0, 1, 1, 255]);
    woven[frame.expect("a guard stands where the stack holds an int") + 4] = 2;
    std::fs::write(plain.join("Features.class"), woven).unwrap();
    let mut command = tools.java();
    let output = command.args(["-Xverify:all", &tools.patch(), "-cp"]).arg(&plain).arg("Features").output();
    let error = String::from_utf8_lossy(&output.unwrap().stderr).into_owned();
    assert!(error.contains("VerifyError"), "{error}");
}
