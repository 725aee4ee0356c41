//! Updates of coverage woven into classes and run on JVMs: what the woven frames cover is what the naive frame of
//! `dynaflow_tests::updates` covers when it is given what a traced run of the same class did, and nothing else changes. Classes
//! are random ones, programs of many exceptions compiled by javac, and old ones made by hand; updates are random. The class that
//! collects the bits is the real one, with a stand-in for the agent.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

#[path = "../corpus/support.rs"]
#[allow(dead_code, reason = "each corpus test uses a part of what they share")]
mod support;

use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_bytecode::updates::MethodUpdates;
use dynaflow_classfile::class::access;
use dynaflow_classfile::reader::Reader;
use dynaflow_classfile::{Attribute, ClassFile, Code, ConstantPool, ExceptionEntry, Member};
use dynaflow_flowgraph::dua::Options;
use dynaflow_flowgraph::dua::coverage::plan;
use dynaflow_instrument::weave_updates;
use dynaflow_tests::random::class::random_class;
use dynaflow_tests::slow;
use dynaflow_tests::tracer::{self, Event};
use dynaflow_tests::updates::{Frame, Shape, random_updates};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{java_homes, run, version};

/// Methods of a random class, its three constructors not counted.
const METHODS: usize = 22;
/// The newest class file version all JDKs know that these tests run on.
const NEWEST: u16 = 61;

/// What was woven into one class.
struct Woven {
    bytes: Vec<u8>,
    /// By position of the method: its updates and its first slot, where it was not declined.
    methods: BTreeMap<usize, (MethodUpdates, u32)>,
    tables: Vec<(u32, Vec<u64>)>,
    declined: Vec<String>,
}

/// A JVM with the class that collects covered bits, and programs to run on it.
struct Machine {
    home: PathBuf,
    classes: PathBuf,
    patch: PathBuf,
}

impl Machine {
    fn new(home: &Path, folder: &Path, programs: &[&str]) -> Self {
        let (classes, patch) = (folder.join("classes"), folder.join("patch"));
        std::fs::create_dir_all(&classes).unwrap();
        std::fs::create_dir_all(&patch).unwrap();
        let sources: Vec<&str> = programs.iter().chain(&["Tracer.java"]).copied().collect();
        // Messages speak of local variables by their names, which tracing loses.
        support::javac(home, &["-g:none"], &sources, &classes);
        let ours = support::root().join("java-shim/src/main/java/java/lang/DynaflowCoverage.java");
        let stand_in = support::root().join("tests/corpus/java/coverage/DynaflowNative.java");
        let mut javac = support::javac::javac(home);
        // As the build does: not `--release`, which would refuse a package of the JDK.
        javac.args(["-nowarn", "-Xlint:-options", "-source", "8", "-target", "8"]);
        run(javac.arg("-d").arg(&patch).arg(ours).arg(stand_in));
        Self { home: home.to_path_buf(), classes, patch }
    }

    /// Runs a program with some classes; gives what it printed.
    fn run(&self, classes: &Path, options: &[String], program: &[String]) -> String {
        let mut command = Command::new(self.home.join("bin/java"));
        command.args(["-XX:+UseSerialGC", "-Xverify:all", "-Xss2m"]).args(options);
        command.arg(format!("--patch-module=java.base={}", self.patch.display()));
        command.arg("-cp").arg(std::env::join_paths([classes, &self.classes]).unwrap());
        let printed = run(command.args(program));
        printed + &std::fs::read_to_string(self.outcome()).unwrap_or_default()
    }

    /// Takes compiled classes out of the class path.
    fn take(&self, names: &[&str]) -> Vec<(String, Vec<u8>)> {
        let take = |name: &&str| {
            let path = self.classes.join(format!("{name}.class"));
            let bytes = std::fs::read(&path).unwrap();
            std::fs::remove_file(&path).unwrap();
            ((*name).to_owned(), bytes)
        };
        names.iter().map(take).collect()
    }

    /// A file that a program may write its results to.
    fn outcome(&self) -> PathBuf {
        self.classes.join("outcome")
    }
}

/// Which updates are woven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Made at random, for every method.
    Random,
    /// Those of associations.
    Planned,
}

fn updates(bytes: &[u8], random: &mut ChaCha8Rng, kind: Kind) -> Vec<MethodUpdates> {
    if kind == Kind::Planned {
        let plan = plan(bytes, &Options::default()).unwrap();
        return plan.methods.into_iter().map(|method| method.updates).collect();
    }
    let class = ClassFile::parse(bytes).unwrap();
    let mut updates = Vec::new();
    for (index, member) in class.methods.iter().enumerate() {
        let Some(body) = Body::of_method(&class, member).unwrap() else { continue };
        let blocks = Blocks::of(&body).unwrap();
        updates.push(random_updates(
            random,
            index,
            &blocks,
            Shape { words: if index % 4 == 0 { 60 } else { 6 }, plain: false },
        ));
    }
    updates
}

/// Weaves updates into the methods of a class.
fn woven(bytes: &[u8], random: &mut ChaCha8Rng, slot: &mut u32, kind: Kind) -> Woven {
    let class = ClassFile::parse(bytes).unwrap();
    let updates = updates(bytes, random, kind);
    let first = *slot;
    let result = weave_updates(bytes, &updates.iter().collect::<Vec<_>>(), first).unwrap();
    let declined: Vec<String> =
        result.declined.iter().map(|d| format!("{}: {}", d.class, d.reason)).collect();
    let mut methods = BTreeMap::new();
    for updates in updates {
        let member = &class.methods[updates.method];
        let text = |index| class.pool.utf8(index).unwrap().to_str().into_owned();
        let name = format!("#{}{}:", text(member.name), text(member.descriptor));
        let words = u32::from(updates.words);
        if !declined.iter().any(|reason| reason.contains(&name)) {
            methods.insert(updates.method, (updates, *slot));
        }
        *slot += words;
    }
    Woven { bytes: result.bytes, methods, tables: result.tables, declined }
}

/// What the naive frames cover, by slot, when they run what the log says.
fn expected(log: &[i32], classes: &[(String, Vec<u8>)], woven: &[Woven]) -> (BTreeMap<u32, u64>, usize) {
    let parsed: Vec<ClassFile<'_>> =
        classes.iter().map(|(_, bytes)| ClassFile::parse(bytes).unwrap()).collect();
    let mut bodies: BTreeMap<i32, (Body<'_>, Blocks)> = BTreeMap::new();
    for (number, class) in parsed.iter().enumerate() {
        for (index, member) in class.methods.iter().enumerate() {
            if let Some(body) = Body::of_method(class, member).unwrap() {
                let blocks = Blocks::of(&body).unwrap();
                bodies.insert(method_number(number, index), (body, blocks));
            }
        }
    }
    let of = |number: i32| bodies.get(&number).map(|(body, blocks)| (body, blocks)).unwrap();
    let mut covered: BTreeMap<u32, u64> = BTreeMap::new();
    let mut frames = 0;
    tracer::frames(log, of, |number, events| {
        let (class, index) = ((number / 1000) as usize, (number % 1000) as usize);
        let Some((updates, slot)) = woven[class].methods.get(&index) else { return };
        let mut frame = Frame::new(updates);
        for event in events {
            match event {
                Event::Edge(from, to) => {
                    frame.whole(*from);
                    frame.edge(*from, *to);
                }
                Event::Whole(block) => frame.whole(*block),
                Event::Throws(block, insn) => frame.throws(*block, *insn),
            }
        }
        frames += 1;
        for (slot, bits) in (*slot..).zip(&frame.covered) {
            *covered.entry(slot).or_default() |= bits;
        }
    });
    covered.retain(|_, bits| *bits != 0);
    (covered, frames)
}

fn method_number(class: usize, method: usize) -> i32 {
    (class * 1000 + method) as i32
}

fn write_classes<'c>(folder: &Path, classes: impl Iterator<Item = (&'c String, Vec<u8>)>) {
    std::fs::create_dir_all(folder).unwrap();
    for (name, bytes) in classes {
        std::fs::write(folder.join(format!("{name}.class")), bytes).unwrap();
    }
}

fn reported(path: &Path) -> BTreeMap<u32, u64> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut reported: BTreeMap<u32, u64> = BTreeMap::new();
    for line in text.lines() {
        let (slot, bits) = line.split_once(' ').unwrap();
        let (slot, bits): (u32, u64) = (slot.parse().unwrap(), bits.parse().unwrap());
        let all = reported.entry(slot).or_default();
        assert!(bits != 0 && *all & bits == 0, "a bit of slot {slot} is reported twice: {bits:x}");
        *all |= bits;
    }
    reported
}

/// A program with the classes that are woven, in a folder of its own.
struct Program<'p> {
    machine: &'p Machine,
    folder: &'p Path,
    classes: &'p [(String, Vec<u8>)],
    command: Vec<String>,
    /// What it prints.
    printed: String,
    /// Which instructions it runs.
    log: Vec<i32>,
}

impl<'p> Program<'p> {
    /// Runs it as it is and traced.
    fn new(
        machine: &'p Machine,
        folder: &'p Path,
        classes: &'p [(String, Vec<u8>)],
        command: Vec<String>,
    ) -> Self {
        let [plain, traced, log] = ["plain", "traced", "log"].map(|name| folder.join(name));
        write_classes(&plain, classes.iter().map(|(name, bytes)| (name, bytes.clone())));
        let numbered = (0..).zip(classes);
        write_classes(
            &traced,
            numbered.map(|(number, (name, bytes))| (name, tracer::traced(bytes, method_number(number, 0)))),
        );
        let printed = machine.run(&plain, &[], &command);
        let while_traced = machine.run(&traced, &[format!("-Dtracer.log={}", log.display())], &command);
        assert_eq!(while_traced, printed, "tracing changes nothing");
        let log = std::fs::read(&log).unwrap();
        let log = log.chunks_exact(4).map(|word| i32::from_be_bytes(word.try_into().unwrap())).collect();
        Self { machine, folder, classes, command, printed, log }
    }

    /// Runs it woven; gives what it reported.
    fn run_woven(&self, woven: &[Woven]) -> BTreeMap<u32, u64> {
        let [ours, tables, report] = ["woven", "tables", "reported"].map(|name| self.folder.join(name));
        write_classes(
            &ours,
            self.classes.iter().zip(woven).map(|((name, _), woven)| (name, woven.bytes.clone())),
        );
        let line = |(slot, table): &(u32, Vec<u64>)| {
            let words: Vec<String> = table.iter().map(u64::to_string).collect();
            format!("{slot} {}\n", words.join(" "))
        };
        let text: String = woven.iter().flat_map(|woven| &woven.tables).map(line).collect();
        std::fs::write(&tables, text).unwrap();
        let _ = std::fs::remove_file(&report);
        let options = [
            format!("-Dcoverage.tables={}", tables.display()),
            format!("-Dcoverage.reported={}", report.display()),
        ];
        let after = self.machine.run(&ours, &options, &self.command);
        assert_eq!(after, self.printed, "weaving changes nothing");
        reported(&report)
    }
}

/// Weaves updates into the classes of a program, runs it, and compares what it reported with the naive frames.
fn check(program: &Program<'_>, (kind, seed): (Kind, u64)) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut slot = 7;
    let classes = program.classes;
    let woven: Vec<Woven> =
        classes.iter().map(|(_, bytes)| woven(bytes, &mut random, &mut slot, kind)).collect();
    let found = program.run_woven(&woven);
    let (expected, frames) = expected(&program.log, classes, &woven);
    let slots: Vec<u32> = expected.keys().chain(found.keys()).copied().collect();
    for slot in slots {
        let (expected, found) = (expected.get(&slot).copied(), found.get(&slot).copied());
        let of = woven.iter().zip(classes).flat_map(|(woven, (name, _))| {
            woven.methods.values().map(move |(updates, first)| (name, updates, *first))
        });
        let mut of =
            of.filter(|(_, updates, first)| (*first..first + u32::from(updates.words)).contains(&slot));
        let (name, updates, first) = of.next().unwrap();
        let (method, word, words) = (updates.method, slot - first, updates.words);
        assert!(
            expected == found,
            "{name}, method {method}: word {word} of {words}: expected {expected:x?}, covered {found:x?}"
        );
    }
    let methods: usize = woven.iter().map(|woven| woven.methods.len()).sum();
    let arrays: usize = woven.iter().map(|woven| woven.tables.len()).sum();
    let declined: usize = woven.iter().map(|woven| woven.declined.len()).sum();
    assert!(declined * 100 <= methods, "{declined} of {methods} methods are not woven");
    format!(
        "{methods} methods ({arrays} with arrays, {declined} declined), {frames} frames, {} slots alike",
        expected.len()
    )
}

#[test]
fn random_updates_of_random_methods_cover_what_the_naive_frame_covers() {
    let (batches, size) = if slow() { (20, 60) } else { (1, 12) };
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let machine = Machine::new(&home, folder.path(), &["RandomBase.java", "RandomRun.java"]);
        for batch in 0..batches {
            let (first, last) = (1 + batch * size, (batch + 1) * size);
            let classes: Vec<_> = (first..=last).map(|seed| random_class(seed, METHODS, NEWEST)).collect();
            let out = machine.outcome().display().to_string();
            let program = ["RandomRun".to_owned(), out, first.to_string(), last.to_string()];
            let program = Program::new(&machine, folder.path(), &classes, program.to_vec());
            for kind in [Kind::Random, Kind::Planned] {
                let found = check(&program, (kind, batch));
                println!("{}: {kind:?}: {found}", version(&home).0);
            }
        }
    }
}

#[test]
fn updates_of_a_program_full_of_exceptions_cover_what_the_naive_frame_covers() {
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let machine = Machine::new(&home, folder.path(), &["Ways.java"]);
        let compiled = machine.take(&["Ways", "Ways$Act"]);
        let program = Program::new(&machine, folder.path(), &compiled, vec!["Ways".to_owned()]);
        let seeds = if slow() { 40 } else { 1 };
        let runs = std::iter::once((Kind::Planned, 0)).chain((0..seeds).map(|seed| (Kind::Random, seed)));
        for run in runs {
            let found = check(&program, run);
            println!("{}: {run:?}: {found}", version(&home).0);
        }
    }
}

/// A class of version 49 whose methods have subroutines, which compilers made for `finally` once, and a `main` that runs them.
fn with_subroutines() -> Vec<u8> {
    let mut pool = ConstantPool::read(&mut Reader::new(&[0, 1], 0)).unwrap();
    let this_class = pool.append_class(b"Sub").unwrap();
    let super_class = Some(pool.append_class(b"java/lang/Object").unwrap());
    let code_name = pool.append_utf8(b"Code").unwrap();
    let run = pool.append_method(b"Sub", b"m", b"(I)I").unwrap().0.to_be_bytes();
    let mut method = |name: &'static [u8], descriptor: &'static [u8], bytes: &[u8], handlers: &[[u16; 3]]| {
        let entry = |[start, end, handler]: &[u16; 3]| ExceptionEntry {
            start: *start,
            end: *end,
            handler: *handler,
            catch_type: None,
        };
        let exceptions = handlers.iter().map(entry).collect();
        let mut data = Vec::new();
        Code { max_stack: 4, max_locals: 4, bytes, offset: 0, exceptions, attributes: Vec::new() }
            .write(&mut data);
        Member {
            access: access::PUBLIC | access::STATIC,
            name: pool.append_utf8(name).unwrap(),
            descriptor: pool.append_utf8(descriptor).unwrap(),
            attributes: vec![Attribute { name: code_name, data: data.into(), offset: 0 }],
        }
    };
    // int m(int n): try { 100 / n; if (n == 1) return 7 by way of the subroutine; jsr } any: jsr, and 9; the subroutine: n += 2.
    #[rustfmt::skip]
    let m = [
        0x10, 100, 0x1A, 0x6C, 0x3C,       // 0 bipush 100, iload_0, idiv, istore_1
        0x1A, 0x04, 0xA0, 0, 8,            // 5 iload_0, iconst_1, if_icmpne 15
        0xA8, 0, 20,                       // 10 jsr 30
        0x1B, 0xAC,                        // 13 iload_1, ireturn
        0xA8, 0, 15,                       // 15 jsr 30
        0x1A, 0x1B, 0x60, 0xAC,            // 18 iload_0, iload_1, iadd, ireturn
        0x4D,                              // 22 handler: astore_2
        0xA8, 0, 7,                        // 23 jsr 30
        0x1A, 0xAC, 0x00, 0x00,            // 26 iload_0, ireturn
        0x4E,                              // 30 subroutine: astore_3
        0x84, 0, 2,                        // 31 iinc 0 2
        0x1A, 0x10, 6, 0xA4, 0, 6,         // 34 iload_0, bipush 6, if_icmple 43
        0x84, 0, 1,                        // 40 iinc 0 1
        0xA9, 3,                           // 43 ret 3
    ];
    let calls: Vec<u8> =
        [0x03, 0x04, 0x05, 0x08].iter().flat_map(|n| [*n, 0xB8, run[0], run[1], 0x57]).collect();
    let methods = vec![
        method(b"m", b"(I)I", &m, &[[0, 22, 22]]),
        method(b"main", b"([Ljava/lang/String;)V", &[&calls[..], &[0xB1]].concat(), &[]),
    ];
    let (interfaces, fields, attributes) = (Vec::new(), Vec::new(), Vec::new());
    let (minor, major, access) = (0, 49, 0x21);
    ClassFile { minor, major, pool, access, this_class, super_class, interfaces, fields, methods, attributes }
        .write()
}

#[test]
fn subroutines_of_old_classes_cover_what_the_naive_frame_covers() {
    let classes = [("Sub".to_owned(), with_subroutines())];
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let machine = Machine::new(&home, folder.path(), &[]);
        let program = Program::new(&machine, folder.path(), &classes, vec!["Sub".to_owned()]);
        for seed in 0..if slow() { 60 } else { 1 } {
            let found = check(&program, (Kind::Random, seed));
            println!("{}: {found}", version(&home).0);
        }
    }
}

#[test]
fn weaver_and_java_class_have_the_same_number_of_slots() {
    let java = support::root().join("java-shim/src/main/java/java/lang/DynaflowCoverage.java");
    let said = format!("int SLOTS = 1 << {};", dynaflow_instrument::SLOTS.trailing_zeros());
    assert!(std::fs::read_to_string(java).unwrap().contains(&said), "DynaflowCoverage says {said}");
}
