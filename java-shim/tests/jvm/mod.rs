//! Runs the test programs (`tests/java`) on every JDK asked for, with the recorder patched into `java.base` and a stand-in
//! for its native methods. It does not know what the programs check.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "clippy knows tests, not what they share")]

#[path = "../../../tests/shared/javac.rs"]
mod javac;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// The folders of the JDKs to test on: `DYNAFLOW_JAVA_HOMES`, else `JAVA_HOME`, else that of the `java` on the `PATH`.
fn java_homes() -> Vec<PathBuf> {
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

fn run(mut tool: Command, arguments: impl IntoIterator<Item = impl AsRef<std::ffi::OsStr>>) -> Output {
    tool.args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn sources(folder: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "java"));
    files.sort();
    files.iter().map(|file| file.display().to_string()).collect()
}

/// Compiles the recorder with the stand-in into `patch`, the programs into `programs`.
fn compile(home: &Path, out: &Path) {
    let patch = out.join("patch").display().to_string();
    let programs = out.join("programs").display().to_string();
    let base =
        ["-nowarn", "-Xlint:-options", "-source", "8", "-target", "8", "-g:lines", "-d"].map(str::to_owned);
    let mut recorder = sources("src/main/java/java/lang");
    recorder.retain(|file| !file.ends_with("DynaflowNative.java"));
    recorder.extend(sources("tests/java/java/lang"));
    let compiled = run(javac::javac(home), base.iter().chain([&patch]).chain(&recorder));
    assert!(compiled.status.success(), "{}", text(&compiled.stderr));
    let class_path = ["-cp".to_owned(), patch];
    let files = sources("tests/java");
    let arguments = base.iter().chain([&programs]).chain(&class_path).chain(&files);
    let compiled = run(javac::javac(home), arguments);
    assert!(compiled.status.success(), "{}", text(&compiled.stderr));
}

/// What `String.hashCode` gives, as the low half of a word.
#[allow(dead_code, reason = "not every test asks")]
pub fn hash_of(text: &str) -> u64 {
    text.encode_utf16().fold(0_u32, |hash, unit| hash.wrapping_mul(31).wrapping_add(unit.into())).into()
}

/// Runs a program on every JDK and gives what it printed on each.
pub fn outputs(jvm: &[&str], program: &[&str]) -> Vec<String> {
    let runs = java_homes().into_iter().map(|home| {
        let out = tempfile::tempdir().unwrap();
        javac::once(home.display().to_string(), out.path(), || compile(&home, out.path()));
        let patch = format!("java.base={}", out.path().join("patch").display());
        let programs = out.path().join("programs").display().to_string();
        let base = ["--patch-module", &patch, "-cp", &programs, "-Xverify:all", "-Xmx1g"];
        let result = run(Command::new(home.join("bin/java")), base.iter().chain(jvm).chain(program));
        let failure = text(&result.stderr);
        assert!(result.status.success(), "{} on {}: {failure}", program.join(" "), home.display());
        text(&result.stdout)
    });
    runs.collect()
}
