//! The JUnit that tests are written for, and what runs JUnit 5 tests and does not stand on the class path: build tools add launcher and engine themselves, so the class path that
//! they print lacks them.
//!
//! Which jars those are is in `model::frameworks`. Invariant: what is added has the version of the jars that are there, and lies in the repository
//! that they lie in.

use anyhow::{Result, anyhow};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use dynaflow_model::frameworks::{self, Needed, Style};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What tests of TestNG are marked with.
const TESTNG: &str = "org.testng.annotations.Test";

/// The frameworks that tests are written for, as `--junit` calls them.
pub fn versions() -> impl TypedValueParser<Value = &'static Style> {
    let mut versions: Vec<PossibleValue> =
        frameworks::styles().map(|style| PossibleValue::new(style.version).help(style.about)).collect();
    versions.reverse();
    PossibleValuesParser::new(versions)
        .try_map(|version| frameworks::style(&version).ok_or("there is no such version"))
}

/// How tests are written: as asked for, else for the newest framework on the class path.
///
/// # Errors
/// When none is there, or not the one asked for.
pub fn style(asked: Option<&'static Style>, names: &BTreeSet<String>) -> Result<&'static Style> {
    let missing = |version: &str, jars: &str| {
        let seeds = if names.contains(TESTNG) {
            ". Tests written for TestNG, which is there, cannot be seeds, and none are written for it"
        } else {
            ""
        };
        anyhow!(
            "JUnit {version} is not on --test-class-path: add {jars}, in a build to the dependencies of its tests, so that the generated tests can be compiled and run{seeds}"
        )
    };
    let is_there = |style: &&Style| names.contains(style.test);
    let style = match asked {
        Some(style) if is_there(&style) => Ok(style),
        Some(style) => Err(missing(style.version, style.jars)),
        None => frameworks::styles().find(is_there).ok_or_else(|| {
            let mut versions: Vec<&str> = frameworks::styles().map(|style| style.version).collect();
            versions.reverse();
            missing(&versions.join(" or "), "its jars")
        }),
    };
    style.map(|style| style.of_version(|class| names.contains(class)))
}

/// The jars to add to a class path with these classes, so that tests of this style can run.
///
/// # Errors
/// Names the jars that are missing and found nowhere, with their versions.
pub fn missing(style: &Style, class_path: &[PathBuf], classes: &BTreeSet<String>) -> Result<Vec<PathBuf>> {
    let (found, lost) = looked_for(style, class_path, classes);
    match lost.first() {
        None => Ok(found),
        Some(first) => Err(anyhow!(
            "{} is on the class path, and not what runs its tests, nor does it lie in the repository of the jars that are: add {} to \
             --test-class-path. Once it is in the local repository of Maven, it is found there: mvn dependency:get -Dartifact={first}",
            style.name,
            lost.join(" and ")
        )),
    }
}

/// The artifacts that are missing and found nowhere, as Maven names them; those of which no version is known left out.
pub fn lost(style: &Style, class_path: &[PathBuf], classes: &BTreeSet<String>) -> Vec<String> {
    let (_, lost) = looked_for(style, class_path, classes);
    lost.into_iter().filter(|artifact| !artifact.contains(' ')).collect()
}

/// The jars that are missing and were found, and the artifacts that were not.
fn looked_for(
    style: &Style,
    class_path: &[PathBuf],
    classes: &BTreeSet<String>,
) -> (Vec<PathBuf>, Vec<String>) {
    let (mut found, mut lost) = (vec![], vec![]);
    for needed in style.needs.iter().filter(|needed| !classes.contains(needed.class)) {
        let Some((beside, version)) = anchor(class_path, needed.of_version) else {
            lost.push(format!("{}:{} (of the version of your JUnit)", needed.group, needed.artifact));
            continue;
        };
        match places(&beside, needed, &version).into_iter().find(|jar| jar.is_file()) {
            Some(jar) => found.push(jar),
            None => lost.push(format!("{}:{}:{version}", needed.group, needed.artifact)),
        }
    }
    (found, lost)
}

/// The jar of one of these artifacts, with its version.
fn anchor(class_path: &[PathBuf], artifacts: &[&str]) -> Option<(PathBuf, String)> {
    artifacts.iter().find_map(|artifact| {
        class_path.iter().find_map(|jar| {
            let name = jar.file_name()?.to_str()?;
            let version = name.strip_prefix(artifact)?.strip_prefix('-')?.strip_suffix(".jar")?;
            version.starts_with(|c: char| c.is_ascii_digit()).then(|| (jar.clone(), version.to_owned()))
        })
    })
}

/// Where the jar would lie: beside the other one, in Maven's repository or in Gradle's.
fn places(beside: &Path, needed: &Needed, version: &str) -> Vec<PathBuf> {
    let file = format!("{}-{version}.jar", needed.artifact);
    // The folders of the version, of the artifact, of the group in Gradle's; one more in Gradle's, a hash.
    let up = |levels: usize| beside.ancestors().nth(levels);
    let mut places: Vec<PathBuf> = up(1).map(|folder| folder.join(&file)).into_iter().collect();
    // JUnit's groups have three parts, each a folder of Maven's.
    if let Some(root) = up(6) {
        let group = needed.group.replace('.', "/");
        places.push(root.join(group).join(needed.artifact).join(version).join(&file));
    }
    if let Some(root) = up(5) {
        let hashes = std::fs::read_dir(root.join(needed.group).join(needed.artifact).join(version));
        let mut jars: Vec<PathBuf> =
            hashes.into_iter().flatten().flatten().map(|hash| hash.path().join(&file)).collect();
        jars.sort();
        places.extend(jars);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &Path) -> PathBuf {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
        path.to_owned()
    }

    fn five() -> &'static Style {
        dynaflow_model::frameworks::style("5").unwrap()
    }

    #[test]
    fn the_error_names_a_framework_that_is_not_supported() {
        let error = |names: &[&str]| {
            let names = names.iter().map(|&name| name.to_owned()).collect();
            style(None, &names).unwrap_err().to_string()
        };
        assert!(error(&[TESTNG]).contains("TestNG, which is there, cannot be seeds"));
        assert!(!error(&["a.B"]).contains("TestNG"));
    }

    fn without_launcher() -> BTreeSet<String> {
        five().needs.iter().take(2).map(|needed| needed.class.to_owned()).collect()
    }

    /// The launcher of the engine's version is found; that of another version, which lies there too, is not taken.
    fn finds(engine: &str, launcher: &str, other: &str) {
        let root = tempfile::tempdir().unwrap();
        let engine = file(&root.path().join(engine));
        file(&root.path().join(other));
        let error =
            missing(five(), std::slice::from_ref(&engine), &without_launcher()).unwrap_err().to_string();
        assert!(
            error.contains("add org.junit.platform:junit-platform-launcher:1.10.2 to --test-class-path"),
            "{error}"
        );
        let launcher = file(&root.path().join(launcher));
        assert_eq!(missing(five(), &[engine], &without_launcher()).unwrap(), [launcher]);
    }

    #[test]
    fn the_launcher_is_found_where_the_engine_lies() {
        finds(
            "org/junit/platform/junit-platform-engine/1.10.2/junit-platform-engine-1.10.2.jar",
            "org/junit/platform/junit-platform-launcher/1.10.2/junit-platform-launcher-1.10.2.jar",
            "org/junit/platform/junit-platform-launcher/1.9.3/junit-platform-launcher-1.9.3.jar",
        );
        finds(
            "files-2.1/org.junit.platform/junit-platform-engine/1.10.2/2b5/junit-platform-engine-1.10.2.jar",
            "files-2.1/org.junit.platform/junit-platform-launcher/1.10.2/81a/junit-platform-launcher-1.10.2.jar",
            "files-2.1/org.junit.platform/junit-platform-launcher/1.9.3/81a/junit-platform-launcher-1.9.3.jar",
        );
        finds(
            "lib/junit-platform-engine-1.10.2.jar",
            "lib/junit-platform-launcher-1.10.2.jar",
            "lib/junit-platform-launcher-1.9.3.jar",
        );
    }

    #[test]
    fn nothing_is_added_to_a_class_path_that_is_whole_and_what_has_no_version_is_named_without() {
        let whole = five().needs.iter().map(|needed| needed.class.to_owned()).collect();
        assert_eq!(missing(five(), &[], &whole).unwrap(), Vec::<PathBuf>::new());
        let error =
            missing(five(), &[PathBuf::from("all.jar")], &without_launcher()).unwrap_err().to_string();
        assert!(error.contains("junit-platform-launcher (of the version of your JUnit)"), "{error}");
    }
}
