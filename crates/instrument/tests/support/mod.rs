//! Compiling Java sources for tests. It knows javac, nothing of weaving.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests, outside of a test function")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiler; `java` lies beside it.
pub fn javac() -> PathBuf {
    let homes = std::env::var_os("DYNAFLOW_JAVA_HOMES").or_else(|| std::env::var_os("JAVA_HOME"));
    let first = homes.and_then(|homes| std::env::split_paths(&homes).next());
    first.map_or_else(|| PathBuf::from("javac"), |home| home.join("bin/javac"))
}

/// Annotations and classes of test frameworks, as far as the sources name them: roles are read off names alone.
const FRAMEWORKS: &[(&str, &str)] = &[
    (
        "org/junit/Test.java",
        "package org.junit; @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface Test { }",
    ),
    (
        "org/junit/Before.java",
        "package org.junit; @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface Before { }",
    ),
    (
        "org/junit/Assert.java",
        "package org.junit; public class Assert { public static void fail(String why) { } }",
    ),
    (
        "org/junit/jupiter/api/AfterEach.java",
        "package org.junit.jupiter.api; @java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) public @interface AfterEach { }",
    ),
];

/// Compiles a source of `tests/java` and gives its class files by simple name.
pub fn compile(source: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("classes");
    std::fs::create_dir_all(&out).unwrap();
    let mut sources = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(source)];
    for (name, text) in FRAMEWORKS {
        let path = folder.path().join("source").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        sources.push(path);
    }
    let mut command = Command::new(javac());
    // The compiler runs for a second: its own JVM shall not optimise much.
    command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
    let output = command.args(["--release", "11", "-g", "-nowarn", "-d"]).arg(&out).args(&sources).output();
    let output = output.expect("javac is needed: set JAVA_HOME or put it on the PATH");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let files = std::fs::read_dir(&out).unwrap().flatten().map(|entry| entry.path());
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "class"))
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), std::fs::read(&path).unwrap()))
        .collect()
}
