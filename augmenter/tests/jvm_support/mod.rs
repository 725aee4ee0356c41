//! What the JVM tests share: the JDKs to test on, compiled subjects, jars, short ways to write sequences.
#![allow(dead_code, reason = "each test binary uses its own part")]

#[path = "../../../tests/shared/javac.rs"]
mod shared;

use dynaflow_augmenter::jvm::javac::{Compilation, compile};
use dynaflow_augmenter::jvm::jdk::Jdk;
use dynaflow_augmenter::jvm::job::{Job, JobNumber, Probes};
use dynaflow_augmenter::jvm::launch::JvmConfig;
use dynaflow_augmenter::jvm::process::Stop;

use dynaflow_augmenter::jvm::worker::{Worker, WorkerConfig};
use dynaflow_model::outcome::{Observed, Outcome};
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement, Value};
use dynaflow_model::sites::{CallKind, MethodRef};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;

/// The JDKs of `DYNAFLOW_JAVA_HOMES` (a colon list), or the default one.
pub fn jdks() -> Vec<Jdk> {
    match std::env::var_os("DYNAFLOW_JAVA_HOMES") {
        Some(homes) => std::env::split_paths(&homes).map(|home| Jdk::find(Some(&home)).unwrap()).collect(),
        None => vec![Jdk::find(None).unwrap()],
    }
}

/// For a test of the command line that any JDK answers alike: one of them, the next one with the next turn, so that each is used by some test of a
/// file; all with `DYNAFLOW_SLOW_TESTS=1`. What a JVM or its classes decide is tested on each ([`jdks`]).
pub fn jdk_in_turn(turn: usize) -> Vec<Jdk> {
    let all = jdks();
    if std::env::var_os("DYNAFLOW_SLOW_TESTS").is_some_and(|value| value == "1") {
        return all;
    }
    let chosen = turn % all.len();
    all.into_iter().skip(chosen).take(1).collect()
}

/// The compiler of a JDK, for what a test compiles by itself.
pub fn javac(home: &Path) -> Command {
    shared::javac(home)
}

/// A JDK with subjects compiled for it and folders to work in.
pub struct Lab {
    pub jdk: Jdk,
    pub dir: TempDir,
    pub class_path: Vec<PathBuf>,
}

/// All Java files below a folder of `tests/java`.
pub fn sources(folder: &str) -> Vec<PathBuf> {
    fn walk(at: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else {
                found.push(path);
            }
        }
    }
    let mut found = vec![];
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(folder), &mut found);
    found.sort();
    found
}

/// A fetched jar.
pub fn jar(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let cache = std::env::var_os("DYNAFLOW_CACHE").map_or_else(|| root.join(".cache"), PathBuf::from);
    let jar = cache.join("jars").join(format!("{name}.jar"));
    if !jar.is_file() {
        let status = Command::new(root.join("scripts/fetch-jars")).args(["--quiet", name]).status();
        assert!(
            status.is_ok_and(|s| s.success()) && jar.is_file(),
            "run scripts/fetch-jars: {name}.jar is missing"
        );
    }
    jar
}

impl Lab {
    pub fn new(jdk: &Jdk, subjects: &str, jars: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let classes = dir.path().join("classes");
        let jars: Vec<PathBuf> = jars.iter().map(|name| jar(name)).collect();
        let stop = Stop::default();
        shared::once(format!("{} {subjects} {jars:?}", jdk.home.display()), &classes, || {
            compile(&Compilation {
                jdk,
                class_path: &jars,
                sources: &sources(subjects),
                out: &classes,
                release: None,
                limit: Duration::from_secs(300),
                stop: &stop,
            })
            .unwrap();
        });
        let class_path = [classes].into_iter().chain(jars).collect();
        Self { jdk: jdk.clone(), dir, class_path }
    }

    pub fn private(&self) -> PathBuf {
        self.dir.path().join("private")
    }

    pub fn jvm(&self) -> JvmConfig {
        let mut jvm = JvmConfig::new(self.jdk.clone(), self.class_path.clone(), self.private()).unwrap();
        jvm.launcher = PathBuf::from(env!("CARGO_BIN_EXE_dynaflow"));
        jvm
    }

    /// For what ends by itself: the limit is out of reach, on a busy machine too.
    pub fn worker(&self) -> Worker {
        self.worker_with(self.jvm(), Duration::from_secs(10))
    }

    pub fn worker_with(&self, jvm: JvmConfig, time_limit: Duration) -> Worker {
        Worker::start(WorkerConfig { jvm, time_limit, probes: Probes::None }).unwrap()
    }
}

pub fn method(owner: &str, name: &str, descriptor: &str) -> MethodRef {
    MethodRef { owner: owner.into(), name: name.into(), descriptor: descriptor.into() }
}

fn result(descriptor: &str) -> String {
    descriptor.rsplit(')').next().unwrap().to_owned()
}

pub fn statement(operation: Operation, result: &str) -> Statement {
    Statement { operation, result: result.to_owned(), runtime_class: None, caught: None }
}

pub fn new(owner: &str, descriptor: &str, args: Vec<Arg>) -> Statement {
    let constructor = method(owner, "<init>", descriptor);
    statement(Operation::New { constructor, args }, &format!("L{};", owner.replace('.', "/")))
}

pub fn call(receiver: u32, owner: &str, name: &str, descriptor: &str, args: Vec<Arg>) -> Statement {
    let receiver = Some(Arg::Var(receiver));
    let operation =
        Operation::Call { method: method(owner, name, descriptor), kind: CallKind::Virtual, receiver, args };
    statement(operation, &result(descriptor))
}

pub fn call_static(owner: &str, name: &str, descriptor: &str, args: Vec<Arg>) -> Statement {
    let operation = Operation::Call {
        method: method(owner, name, descriptor),
        kind: CallKind::Static,
        receiver: None,
        args,
    };
    statement(operation, &result(descriptor))
}

pub fn int(value: i32) -> Arg {
    Arg::Value(Value::Int(value))
}

pub fn text(value: impl Into<String>) -> Arg {
    Arg::Value(Value::Str(value.into()))
}

pub fn job(statements: Vec<Statement>) -> Job {
    Job { number: JobNumber(0), sequence: Sequence { statements }, observers: vec![], mutant: 0 }
}

/// A subject that counts.
pub const COUNTER: &str = "demo.Counter";

/// On each JDK, with the subjects.
pub fn on_each_jdk(check: impl Fn(&Lab)) {
    for jdk in jdks() {
        println!("JDK {}", jdk.version_text);
        check(&Lab::new(&jdk, "subjects", &[]));
    }
}

/// Runs jobs in a worker of their own.
pub fn run(lab: &Lab, jobs: &[Job]) -> Vec<Outcome> {
    lab.worker().run(jobs)
}

/// A value, as it is observed.
pub fn observed(value: Value) -> Observed {
    Observed::Value(value)
}

/// A counter, as it is observed.
pub fn counter() -> Observed {
    Observed::Object(COUNTER.into())
}

/// A sequence that works and leaves no state in the worker.
pub fn healthy() -> Job {
    let level = call(0, COUNTER, "level", "()I", vec![]);
    job(vec![new(COUNTER, "(I)V", vec![int(5)]), level])
}

#[track_caller]
pub fn assert_healthy(outcome: &Outcome) {
    assert_eq!(outcome.statements, [counter(), observed(Value::Int(5))], "{outcome:?}");
    assert_eq!((&outcome.broken, &outcome.thrown), (&None, &None));
}
