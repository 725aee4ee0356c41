//! Declared JVM runs: a Java program of `tests/java`, compiled and run with the verifier on, with and without the built
//! agent, on every JDK asked for. It does not know what the programs do.
#![allow(dead_code, missing_docs, reason = "each test file uses its part of this")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "clippy knows tests, not what they share"
)]

#[path = "../../../tests/shared/javac.rs"]
mod javac;

use dynaflow_model::facts::{Recording, TestRecord};
use dynaflow_trace::ReadState;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::rc::Rc;
use std::sync::Mutex;
use std::{env, fs};

pub use javac::javac;

/// The folders of the JDKs to test on: `DYNAFLOW_JAVA_HOMES`, else `JAVA_HOME`, else that of the `java` on the `PATH`.
pub fn java_homes() -> Vec<PathBuf> {
    if let Some(list) = env::var_os("DYNAFLOW_JAVA_HOMES") {
        return env::split_paths(&list).collect();
    }
    if let Some(home) = env::var_os("JAVA_HOME") {
        return vec![home.into()];
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let java = env::split_paths(&path).map(|folder| folder.join("java")).find(|java| java.is_file());
    let java = fs::canonicalize(java.expect("a JDK: set JAVA_HOME or PATH")).unwrap();
    vec![java.parent().and_then(Path::parent).unwrap().to_owned()]
}

/// The feature version of a JDK: `javac 17.0.9` has 17, `javac 1.8.0_504` has 8.
pub fn feature(home: &Path) -> u32 {
    static KNOWN: Mutex<BTreeMap<PathBuf, u32>> = Mutex::new(BTreeMap::new());
    *KNOWN.lock().unwrap().entry(home.to_owned()).or_insert_with(|| asked_feature(home))
}

fn asked_feature(home: &Path) -> u32 {
    let output = javac(home).arg("-version").output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let version = said.lines().find_map(|line| line.strip_prefix("javac ")).expect("javac says its version");
    let version = version.strip_prefix("1.").unwrap_or(version);
    version.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
}

/// The JDKs to test on from a feature version on, for what older ones cannot do. `scripts/jdk-matrix` reads what is said
/// of those left out.
pub fn java_homes_since(oldest: u32, why: &str) -> Vec<PathBuf> {
    let (fit, left_out): (Vec<_>, Vec<_>) =
        java_homes().into_iter().partition(|home| feature(home) >= oldest);
    for home in left_out {
        println!("not applicable on JDK {}: {why}", feature(&home));
    }
    fit
}

/// The agent that cargo built for this test.
pub fn agent_library() -> PathBuf {
    let name = format!("{}dynaflow_agent{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    let here = env::current_exe().unwrap();
    let built = here.parent().unwrap().join(&name);
    assert!(built.is_file(), "{} is missing: cargo builds it with the tests of this crate", built.display());
    built
}

/// Jars of the cache, fetched if they are not there.
pub fn jars(names: &[&str]) -> Vec<PathBuf> {
    let fetch = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/fetch-jars");
    let found = Command::new(&fetch).arg("--dir").output().unwrap();
    let folder = PathBuf::from(String::from_utf8(found.stdout).unwrap().trim());
    let paths: Vec<_> = names.iter().map(|name| folder.join(format!("{name}.jar"))).collect();
    if paths.iter().any(|path| !path.is_file()) {
        assert!(Command::new(&fetch).arg("--quiet").args(names).status().unwrap().success());
    }
    paths
}

/// A JDK, a folder of compiled programs, and a folder for what the runs leave.
pub struct Bench {
    pub home: PathBuf,
    folder: Rc<tempfile::TempDir>,
    class_path: Vec<PathBuf>,
}

/// What a run came to.
pub struct Ran {
    pub status: Option<i32>,
    pub out: String,
    /// Standard error, but for [`Self::choice`].
    pub err: String,
    /// The line in which the agent announces what it records, when nobody named it.
    pub choice: Option<String>,
    traces: PathBuf,
    /// Kept as long as the traces are to be read.
    _folder: Rc<tempfile::TempDir>,
}

impl Bench {
    /// Compiles sources (files of `tests/java`) with this JDK's `javac`.
    pub fn new(home: &Path, sources: &[&str], libraries: &[PathBuf]) -> Self {
        let java = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
        let files: Vec<_> = sources.iter().map(|source| java.join(source)).collect();
        Self::compile(home, &files, libraries)
    }

    /// Compiles a source that the test made up.
    pub fn of_text(home: &Path, class: &str, source: &str) -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join(format!("{class}.java"));
        fs::write(&file, source).unwrap();
        Self::compile(home, &[file], &[])
    }

    fn compile(home: &Path, files: &[PathBuf], libraries: &[PathBuf]) -> Self {
        let folder = Rc::new(tempfile::tempdir().unwrap());
        let classes = folder.path().join("classes");
        // JDK 8's compiler does not make the folder.
        fs::create_dir(&classes).unwrap();
        let texts: Vec<_> = files.iter().map(|file| (file.file_name(), fs::read(file).unwrap())).collect();
        javac::once(format!("{} {libraries:?} {texts:?}", home.display()), &classes, || {
            let mut javac = javac(home);
            javac.args(["-g", "-nowarn", "-d"]).arg(&classes);
            javac.arg("-cp").arg(env::join_paths(libraries).unwrap()).args(files);
            let output = javac.output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        });
        let class_path = std::iter::once(classes).chain(libraries.iter().cloned()).collect();
        Self { home: home.to_owned(), folder, class_path }
    }

    /// A `java` command in the bench's folder.
    pub fn java(&self) -> Command {
        let mut java = Command::new(self.home.join("bin/java"));
        java.current_dir(self.folder.path()).env_remove("JAVA_TOOL_OPTIONS");
        java.args(["-Xverify:all", "-Xmx512m", "-cp"]).arg(env::join_paths(&self.class_path).unwrap());
        java
    }

    /// Runs without the agent.
    pub fn plain(&self, arguments: &[&str]) -> Ran {
        self.ran(self.java().args(arguments).output().unwrap())
    }

    /// Runs with the agent and these options besides `out`.
    pub fn recorded(&self, options: &str, arguments: &[&str]) -> Ran {
        self.recorded_in(options, &[], arguments, &[])
    }

    /// As [`Self::recorded`], with arguments before the agent's.
    pub fn recorded_between(&self, options: &str, before: &[&str], arguments: &[&str]) -> Ran {
        self.recorded_in(options, before, arguments, &[])
    }

    /// As [`Self::recorded`], with more variables in the environment.
    pub fn recorded_with(&self, options: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Ran {
        self.recorded_in(options, &[], arguments, variables)
    }

    fn recorded_in(
        &self,
        options: &str,
        before: &[&str],
        arguments: &[&str],
        variables: &[(&str, &str)],
    ) -> Ran {
        let _ = fs::remove_dir_all(self.traces());
        let comma = if options.is_empty() { "" } else { "," };
        let agent = agent_argument(&format!("out={}{comma}{options}", self.traces().display()));
        let mut java = self.java();
        java.envs(variables.iter().copied()).args(before).arg(agent).args(arguments);
        self.ran(java.output().unwrap())
    }

    /// The same bench with another class path: a file in its folder.
    pub fn with_class_path(self, file: &str) -> Self {
        let class_path = vec![self.folder.path().join(file)];
        Self { class_path, ..self }
    }

    /// Runs with the agent and exactly these options.
    pub fn with_agent(&self, options: &str, arguments: &[&str]) -> Ran {
        self.ran(self.java().arg(agent_argument(options)).args(arguments).output().unwrap())
    }

    pub fn traces(&self) -> PathBuf {
        self.folder.path().join("traces")
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn ran(&self, output: Output) -> Ran {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, mut err) = (text(&output.stdout), text(&output.stderr));
        let announces = |line: &&str| line.starts_with("dynaflow: ") && line.contains("; include= selects ");
        let choice = err.lines().find(announces).map(str::to_owned);
        if let Some(line) = &choice {
            err = err.replacen(&format!("{line}\n"), "", 1);
        }
        Ran {
            status: output.status.code(),
            out,
            err,
            choice,
            traces: self.traces(),
            _folder: Rc::clone(&self.folder),
        }
    }
}

pub fn agent_argument(options: &str) -> String {
    format!("-agentpath:{}={options}", agent_library().display())
}

impl Ran {
    /// The one trace of the run, which must be whole.
    pub fn recording(&self) -> Recording {
        let (recording, state) = self.cut_recording();
        assert!(matches!(state, ReadState::Complete), "the trace is cut: {state:?}\n{}", self.err);
        recording
    }

    /// Whether the run left a folder for traces.
    pub fn has_traces(&self) -> bool {
        self.traces.exists()
    }

    /// The one trace of the run, as far as it goes.
    pub fn cut_recording(&self) -> (Recording, ReadState) {
        let files = dynaflow_trace::trace_files(std::slice::from_ref(&self.traces))
            .unwrap_or_else(|error| panic!("{error}\n{:?}\n{}\n{}", self.status, self.out, self.err));
        assert_eq!(files.len(), 1, "{files:?}\n{}", self.err);
        dynaflow_trace::read(&files[0]).unwrap()
    }
}

/// The executed pairs of a record, as `variable: definition's method -> use's method`, sorted.
pub fn pairs(recording: &Recording, record: &TestRecord) -> Vec<String> {
    let facts = &recording.facts;
    let method = |place| {
        let place = facts.places.get(place).unwrap();
        facts.text(facts.methods.get(place.method).unwrap().signature).split('(').next().unwrap().to_owned()
    };
    let spell = |pair| {
        let pair = facts.pairs.get(pair).unwrap();
        let definition = facts.definitions.get(pair.definition).unwrap();
        let usage = facts.uses.get(pair.usage).unwrap();
        let variable = facts.variables.get(pair.variable).unwrap();
        let steps: Vec<_> = variable.steps.iter().map(|step| facts.step(step).name).collect();
        format!("{}: {} -> {}", steps.join("."), method(definition.place), method(usage.place))
    };
    let mut found: Vec<_> = record.pairs.iter().map(|&pair| spell(pair)).collect();
    found.sort();
    found
}

/// The record of this name.
pub fn record<'a>(recording: &'a Recording, name: &str) -> &'a TestRecord {
    let names: Vec<_> = recording.tests.iter().map(|test| &test.name).collect();
    let mut found = recording.tests.iter().filter(|test| test.name == name);
    found.next().unwrap_or_else(|| panic!("no record {name:?} among {names:?}"))
}

/// Whether a line of [`in_lines`] is about a basic block.
pub fn is_of_block(line: &str) -> bool {
    line.starts_with("block ")
}

/// Pairs, defs@exit, uses@entry and reachable uses of blocks, by what they are and not by their numbers.
pub fn in_lines(recording: &Recording) -> BTreeSet<String> {
    let facts = &recording.facts;
    let method = |id| {
        let method = facts.methods.get(id).unwrap();
        format!("{}.{}", facts.text(method.class), facts.text(method.signature))
    };
    let variable = |id| {
        let variable = facts.variables.get(id).unwrap();
        let step = |step| format!(" {}", facts.step(step));
        format!("{}:{}", facts.text(variable.root), variable.steps.iter().map(step).collect::<String>())
    };
    let context = |id| facts.contexts.get(id).unwrap().head.iter().map(|id| method(*id)).collect::<Vec<_>>();
    let place = |id| {
        let place = facts.places.get(id).unwrap();
        format!("{}@{}", method(place.method), place.offset)
    };
    let definition = |id| {
        let definition = facts.definitions.get(id).unwrap();
        format!("{:?} {} {:?}", definition.kind, place(definition.place), context(definition.context))
    };
    let usage = |id| {
        let usage = facts.uses.get(id).unwrap();
        format!("{} {:?}", place(usage.place), context(usage.context))
    };
    let pairs = facts.pairs.iter().map(|(_, fact)| {
        format!("pair {} {} {}", variable(fact.variable), definition(fact.definition), usage(fact.usage))
    });
    let exits = facts.exits.iter().map(|(_, fact)| {
        let (method, variable) = (method(fact.method), variable(fact.variable));
        format!("exit {method} {:?} {variable} {}", fact.exit, definition(fact.definition))
    });
    let entries = facts.entries.iter().map(|(_, fact)| {
        format!("entry {} {} {}", method(fact.method), variable(fact.variable), usage(fact.usage))
    });
    let reachable = facts.reachable.iter().map(|(_, fact)| {
        let block = facts.blocks.get(fact.block).unwrap();
        let method = method(facts.places.get(block.place).unwrap().method);
        format!("block {} {method} {} {}", block.number, variable(fact.variable), usage(fact.usage))
    });
    pairs.chain(exits).chain(entries).chain(reachable).collect()
}
