//! For which Java the targets are compiled: whether the JDK that runs everything can read them, and of which Java the library is that tests may use. Knows nothing of what runs.
//!
//! Invariant: targets some of which can be read are no reason to stop: what cannot be loaded is named when it is tried.

use crate::classes::Classes;
use crate::jvm::jdk::Jdk;
use crate::jvm::older;
use anyhow::{Result, bail};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Class files of Java N have the version N + 44 (JVM Specification, table 4.1-A).
const BEFORE_JAVA: u32 = 44;

/// The newest Java that a target which the JDK can read is compiled for. Refuses targets all of which are newer than the JDK.
///
/// # Errors
/// Names one, its version and the remedy; the jar or folder that cannot be read.
pub fn check(class_path: &[PathBuf], targets: &[String], jdk: &Jdk) -> Result<u32> {
    let targets: BTreeSet<&str> = targets.iter().map(String::as_str).collect();
    let mut classes = Classes::list(class_path)?;
    classes.retain(|name| targets.contains(name));
    let versions = classes.each(|name, bytes| (java_of(bytes).unwrap_or_default(), name.to_owned()))?;
    match versions.iter().min() {
        Some((oldest, class)) if *oldest > jdk.version => bail!(
            "{class} was compiled for Java {oldest}, and the JDK in {} is Java {}: name one as new as the classes with --java-home",
            jdk.home.display(),
            jdk.version
        ),
        _ => Ok(versions
            .iter()
            .map(|(java, _)| *java)
            .filter(|java| *java <= jdk.version)
            .max()
            .unwrap_or_default()),
    }
}

/// The Java whose library tests may use, where it is not the JDK's own: the newest that targets are compiled for, or the oldest of the seeds if that is newer. Tests that use more do not compile in a build for
/// that Java, or do not run where it is tested. Of a JDK that does not know the libraries of others it is its own.
pub fn library(of_targets: u32, of_seeds: u32, jdk: &Jdk) -> Option<u32> {
    // javac of Java 20 gave up Java 7, that of Java 12 what is older.
    let oldest = if jdk.version < 20 { 7 } else { 8 };
    let java = of_targets.max(of_seeds).max(oldest);
    (java < jdk.version && older::signatures(&jdk.home).is_some()).then_some(java)
}

/// The Java that a class file was compiled for, from its seventh and eighth byte.
fn java_of(class: &[u8]) -> Option<u32> {
    let version = class.get(6..8)?.iter().fold(0, |version, &byte| version << 8 | u32::from(byte));
    version.checked_sub(BEFORE_JAVA)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_refused_when_all_are_newer_than_the_jdk() {
        let folder = tempfile::tempdir().unwrap();
        let class = |name: &str, version: u8| {
            let bytes = [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, version];
            std::fs::write(folder.path().join(format!("{name}.class")), bytes).unwrap();
        };
        let jdk = Jdk { home: PathBuf::from("/jdk"), version: 17, version_text: "17.0.1".to_owned() };
        let check = |targets: &[&str]| {
            let targets: Vec<String> = targets.iter().map(|&name| name.to_owned()).collect();
            check(&[folder.path().to_owned()], &targets, &jdk)
        };
        class("Old", 61);
        class("New", 69);
        assert_eq!(check(&["Old", "New"]).unwrap(), 17);
        let error = check(&["New"]).unwrap_err().to_string();
        assert!(error.contains("New was compiled for Java 25, and the JDK in /jdk is Java 17"), "{error}");
    }

    #[test]
    fn tests_use_the_library_of_the_java_that_targets_and_seeds_are_compiled_for() {
        let folder = tempfile::tempdir().unwrap();
        let jdk = Jdk { home: folder.path().to_owned(), version: 17, version_text: "17.0.1".to_owned() };
        assert_eq!(library(8, 8, &jdk), None, "it has no other library than its own");
        std::fs::create_dir(folder.path().join("lib")).unwrap();
        std::fs::write(folder.path().join("lib/ct.sym"), "").unwrap();
        assert_eq!(library(8, 8, &jdk), Some(8));
        assert_eq!(library(8, 11, &jdk), Some(11));
        assert_eq!(library(5, 5, &jdk), Some(7), "javac compiles for nothing older");
        assert_eq!(library(7, 7, &Jdk { version: 25, ..jdk.clone() }), Some(8), "nor does that of Java 25");
        assert_eq!(library(17, 8, &jdk), None);
    }
}
