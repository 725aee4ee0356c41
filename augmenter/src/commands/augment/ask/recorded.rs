//! Which classes are recorded: those the user names, else the project's own, by the class path.
//!
//! Knows nothing of JVMs. Invariants: seed tests and generated tests are recorded whatever is chosen, or their facts would belong to no
//! test; a pattern that selects no class is refused.

use super::options::AugmentOptions;
use crate::classpath;
use crate::exit_code::usage;
use crate::output;
use anyhow::Result;
use dynaflow_model::options::excluded_by_default;
use dynaflow_model::pattern::Pattern;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Most folders and jars that the line for the user names.
const PLACES: usize = 4;

/// What is recorded.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// The patterns.
    pub include: Vec<Pattern>,
    /// What is left out of that.
    pub exclude: Vec<Pattern>,
    /// The message about it.
    pub line: String,
}

/// The entries of a class path, each with its classes.
pub type Entries = [(PathBuf, BTreeSet<String>)];

/// Chooses.
///
/// # Errors
/// When a pattern selects no class, or the targets are not among the recorded classes.
pub fn choose(
    options: &AugmentOptions,
    program: &Entries,
    tests: &Entries,
    targets: &[String],
) -> Result<Recorded> {
    let mut recorded = if options.include.is_empty() {
        by_default(options, program, tests, targets)
    } else {
        let line = format!("recording the classes that --include selects: {}", joined(&options.include));
        Recorded { include: options.include.clone(), line, ..Recorded::default() }
    };
    recorded.exclude.clone_from(&options.exclude);
    let all = || program.iter().chain(tests).flat_map(|(_, classes)| classes);
    for (name, patterns) in [("include", &options.include), ("exclude", &options.exclude)] {
        if let Some(pattern) = patterns.iter().find(|p| !all().any(|class| p.matches(class))) {
            return Err(usage(format!(
                "--{name} {}: no class of the class path has this name; `*` stays within a package, `**` crosses packages",
                pattern.as_str()
            )));
        }
    }
    let is_recorded = |class: &String| {
        recorded.include.iter().any(|p| p.matches(class))
            && !recorded.exclude.iter().any(|p| p.matches(class))
    };
    if !targets.iter().any(is_recorded) {
        return Err(usage(
            "--include and --exclude leave out every class that --target selects: nothing could be found out about them".to_owned(),
        ));
    }
    recorded.include.extend(options.seed_tests.iter().cloned());
    recorded.include.extend(generated(targets, ""));
    // Stubs stand for what is no part of the program; in workers nothing records them either.
    recorded.exclude.extend(generated(targets, "$*"));
    Ok(recorded)
}

fn joined(patterns: &[Pattern]) -> String {
    patterns.iter().map(Pattern::as_str).collect::<Vec<_>>().join(", ")
}

/// The project's own: folders of both class paths, and what holds targets or seed tests; where the program is in jars, these.
fn by_default(options: &AugmentOptions, program: &Entries, tests: &Entries, targets: &[String]) -> Recorded {
    let is_folder = |(path, classes): &&(PathBuf, BTreeSet<String>)| path.is_dir() && !classes.is_empty();
    let in_jars = !program.iter().any(|entry| is_folder(&entry));
    let has_seeds = |classes: &BTreeSet<String>| {
        classes
            .iter()
            .any(|class| options.seed_tests.iter().any(|p| p.matches(class)) && !excluded_by_default(class))
    };
    let has_targets = |classes: &BTreeSet<String>| targets.iter().any(|class| classes.contains(class));
    let program = program.iter().filter(|entry| in_jars || is_folder(entry) || has_targets(&entry.1));
    let tests = tests.iter().filter(|entry| is_folder(entry) || has_seeds(&entry.1));
    let (mut places, mut classes, mut seen) = (vec![], BTreeSet::new(), BTreeSet::new());
    // What is tested stands on the class path of the tests, too.
    for (path, found) in program.chain(tests).filter(|(path, _)| seen.insert(path.clone())) {
        // A jar may hold what is not the project's; what a folder holds was compiled there.
        let own = found.iter().filter(|class| path.is_dir() || !excluded_by_default(class));
        classes.extend(own.map(String::as_str));
        places.push(path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned());
    }
    let include = Pattern::of_packages(classes);
    let line = format!(
        "recording the classes of {} packages, those in {}; --include and --exclude select others",
        include.len(),
        output::first(&places, PLACES)
    );
    Recorded { include, line, ..Recorded::default() }
}

/// The tests that are going to be written, or classes inside them.
fn generated(targets: &[String], inside: &str) -> Vec<Pattern> {
    let packages: BTreeSet<&str> = targets.iter().map(|class| dynaflow_search::package_of(class)).collect();
    let texts = packages.iter().flat_map(|package| {
        let dot = if package.is_empty() { "" } else { "." };
        dynaflow_testgen::SUFFIXES.map(|(suffix, _)| format!("{package}{dot}*{suffix}{inside}"))
    });
    texts.filter_map(|text| Pattern::new(&text).ok()).collect()
}

/// The entries with their classes.
///
/// # Errors
/// Names the entry that cannot be read.
pub fn entries(paths: &[PathBuf]) -> Result<Vec<(PathBuf, BTreeSet<String>)>> {
    paths.iter().map(|path| Ok((path.clone(), classpath::classes(std::slice::from_ref(path))?))).collect()
}
