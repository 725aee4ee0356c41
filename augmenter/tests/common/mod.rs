//! What the command line tests share: traces made here, the binary, a `java` that is a shell script.
//!
//! Knows nothing of the commands. Invariant: nothing outside the temporary folder is touched.

#![allow(dead_code, reason = "each test file uses some of it")]

use assert_cmd::Command;
use dynaflow_model::facts::*;
use dynaflow_model::sites::ClassHash;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A recording of one root `a.Counter` whose field `n` is defined by `set` and used by `get`.
pub fn recording(test: &str, covered: bool) -> Recording {
    let mut recording = Recording::default();
    let facts = &mut recording.facts;
    let class = facts.sym("a.Counter");
    let name = facts.sym("n");
    let (set, get) = (facts.sym("set(I)V"), facts.sym("get()I"));
    let set = facts.methods.intern(Method { class, signature: set });
    let get = facts.methods.intern(Method { class, signature: get });
    let variable =
        facts.variables.intern(Variable { root: class, steps: [Step::Field { class, name }].into() });
    let mut context =
        |method| facts.contexts.intern(Context { head: [method].into(), tail: [].into(), cut: false });
    let (in_set, in_get) = (context(set), context(get));
    let write = facts.places.intern(Place { method: set, offset: 2, line: 5 });
    let read = facts.places.intern(Place { method: get, offset: 1, line: 9 });
    let definition =
        facts.definitions.intern(Definition { place: write, kind: DefinitionKind::Direct, context: in_set });
    let usage = facts.uses.intern(Use { place: read, context: in_get });
    let exit = facts.exits.intern(DefAtExit { variable, method: set, exit: Exit::Normal, definition });
    let entry = facts.entries.intern(UseAtEntry { variable, method: get, usage });
    let pairs = if covered { vec![facts.pairs.intern(Pair { variable, definition, usage })] } else { vec![] };
    recording.tests.push(TestRecord {
        name: test.to_owned(),
        end: TestEnd::Returned,
        pairs,
        exits: vec![exit],
        entries: vec![entry],
        carved: None,
        witnesses: vec![],
    });
    recording.classes.insert("a.Counter".to_owned(), ClassHash([1; 16]));
    recording
}

/// Writes a trace file.
pub fn write(path: &Path, recording: &Recording) -> PathBuf {
    dynaflow_trace::write(path, recording).unwrap();
    path.to_owned()
}

/// The binary, in this folder, without what the surroundings say about JDKs and agents.
pub fn dynaflow(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("dynaflow").unwrap();
    command
        .current_dir(folder)
        .env_remove("DYNAFLOW_AGENT")
        .env_remove("DYNAFLOW_LOG")
        .env_remove("JAVA_HOME");
    command
}

/// The JDKs to test on, one at least.
pub fn java_homes() -> Vec<PathBuf> {
    match std::env::var_os("DYNAFLOW_JAVA_HOMES") {
        Some(homes) => std::env::split_paths(&homes).collect(),
        None => vec![dynaflow_augmenter::jvm::jdk::Jdk::find(None).unwrap().home],
    }
}

/// Standard error of a finished command.
pub fn stderr(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder with an executable `java` that runs this script, and a file that stands for the agent. In the script, `$OUT`
/// is the folder that the agent's options name and `$PREPARED` a trace to put there.
pub fn fake_java(folder: &Path, script: &str) -> PathBuf {
    let bin = folder.join("bin");
    fs::create_dir(&bin).unwrap();
    fs::write(folder.join("agent.so"), "").unwrap();
    let prepared = write(&folder.join("prepared"), &recording("a.CounterTest#counts", true));
    let head = format!(
        "#!/bin/sh\nOUT=$(printf '%s' \"$1\" | sed 's/.*=out=\\([^,]*\\).*/\\1/')\nPREPARED={}\n",
        prepared.display()
    );
    let java = bin.join("java");
    fs::write(&java, head + script).unwrap();
    fs::set_permissions(&java, fs::Permissions::from_mode(0o755)).unwrap();
    bin
}

/// Holds a `pairs` document of version 2 against the published schema; gives what it says in full, as version 1 does.
pub fn valid_document(text: &[u8]) -> serde_json::Value {
    valid(text, "pairs.v2.schema.json");
    serde_json::to_value(dynaflow_objectives::read(text).unwrap()).unwrap()
}

/// What version 1 of a document of version 2 is to be, byte for byte.
pub fn in_full(text: &[u8]) -> String {
    serde_json::to_string_pretty(&dynaflow_objectives::read(text).unwrap()).unwrap() + "\n"
}

/// Reads a document and holds it against a published schema.
pub fn valid(text: &[u8], schema: &str) -> serde_json::Value {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(schema);
    let schema = serde_json::from_slice(&fs::read(schema).unwrap()).unwrap();
    let document = serde_json::from_slice(text).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(&document).map(|e| format!("{}: {e}", e.instance_path)).collect();
    assert_eq!(errors, Vec::<String>::new());
    document
}

/// A finished command failed with this code and says all of these.
pub fn failed(output: &std::process::Output, code: i32, says: &[&str]) {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{text}");
    for part in says {
        assert!(text.contains(part), "it does not say `{part}`: {text}");
    }
    assert!(!text.contains("panicked"), "{text}");
}
