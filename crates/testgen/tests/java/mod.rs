//! JDKs, jars and processes for the tests. Knows nothing of what is compiled or run.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the tests.
pub fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// The JDKs to test with; none stands for the one on the path.
pub fn java_homes() -> Vec<Option<PathBuf>> {
    let named = std::env::var("DYNAFLOW_JAVA_HOMES").or_else(|_| std::env::var("JAVA_HOME"));
    match named {
        Ok(list) => list.split(':').filter(|home| !home.is_empty()).map(|home| Some(home.into())).collect(),
        Err(_) => vec![None],
    }
}

/// A program of a JDK.
pub fn tool(home: Option<&Path>, name: &str) -> Command {
    home.map_or_else(|| Command::new(name), |home| Command::new(home.join("bin").join(name)))
}

/// The compiler of a JDK. It runs for a second: a JVM that neither optimises much nor collects garbage in parallel needs
/// two thirds of the processor time.
pub fn javac(home: Option<&Path>) -> Command {
    let mut javac = tool(home, "javac");
    javac.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
    javac
}

/// A fetched jar.
pub fn jar(name: &str) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let cache = std::env::var_os("DYNAFLOW_CACHE").map_or_else(|| root.join(".cache"), PathBuf::from);
    let jar = cache.join("jars").join(name);
    assert!(jar.exists(), "{} is missing: run scripts/fetch-jars", jar.display());
    jar
}

/// Runs to the end: whether it succeeded, and what it printed.
pub fn run(command: &mut Command) -> (bool, String) {
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}
