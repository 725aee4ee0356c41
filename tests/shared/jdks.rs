//! The JDKs that tests run on; a file for the tests of several crates, which include it by its path.
//!
//! It knows no test. Invariant: without any JDK a test fails and says what to do.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a helper of tests")]

use std::path::PathBuf;

/// Every JDK to test on: those `DYNAFLOW_JAVA_HOMES` lists, else `JAVA_HOME`, else the one on the path.
pub fn java_homes() -> Vec<PathBuf> {
    if let Some(homes) = std::env::var_os("DYNAFLOW_JAVA_HOMES") {
        return std::env::split_paths(&homes).filter(|home| !home.as_os_str().is_empty()).collect();
    }
    if let Some(home) = std::env::var_os("JAVA_HOME") {
        return vec![PathBuf::from(home)];
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let javac = std::env::split_paths(&path).map(|folder| folder.join("javac")).find(|file| file.exists());
    let javac = javac.expect("no JDK: set JAVA_HOME or DYNAFLOW_JAVA_HOMES, or put javac on the PATH");
    vec![javac.canonicalize().unwrap().ancestors().nth(2).unwrap().to_owned()]
}
