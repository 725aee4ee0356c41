//! The options of a run in a project's folder: what no option names, the build says.
//!
//! Knows nothing of builds. Invariant: what an option names is taken as it is; paths that the user gave mean what they meant where the command was called.

use super::options::AugmentOptions;
use crate::classpath;
use crate::junit_launcher;
use crate::jvm::jdk::Jdk;
use crate::progress::Progress;
use crate::project::{Build, Module, With};
use anyhow::{Context, Result};
use dynaflow_model::pattern::Pattern;
use std::path::{PathBuf, absolute};

/// The folder for tests, where nobody names one.
const OUT: &str = "dynaflow-tests";
/// Below what builds make, so that no build compiles it and `clean` removes it.
const OUT_OF_BUILD: &str = "dynaflow/tests";
/// The same, for tests that reveal a fault where the others stand beside the seeds: builds run whatever stands there.
const FINDINGS_OF_BUILD: &str = "dynaflow/findings";

/// The options with everything in place. Without a class path the build is asked, which compiles; the working folder is that of the module then, as it is
/// where a build runs tests.
///
/// # Errors
/// When there is no build to be asked, or it fails.
pub fn completed(options: &AugmentOptions, progress: &Progress) -> Result<AugmentOptions> {
    let mut options = options.clone();
    if options.class_path.is_some() {
        options.out.get_or_insert_with(|| PathBuf::from(OUT));
        return Ok(options);
    }
    let build = Build::find(&options.build)?;
    make_absolute(&mut options)?;
    let (home, asked) = (options.java_home.clone(), options.build.clone());
    let with = asked.with(home.as_deref());
    progress.stage(&build.asking(&with));
    let module = build.module(&with)?;
    if let Some(told) = module.settings.told() {
        progress.stage(&told);
    }
    fill(&mut options, &module)?;
    fetch_launcher(&options, &module, (&build, &with), progress)?;
    std::env::set_current_dir(&module.folder)
        .with_context(|| format!("cannot work in {}", module.folder.display()))?;
    Ok(options)
}

/// Fetches what runs the tests of JUnit 5, where no build of the project ran them before. A failure is not reported: what is missing is named later, with
/// the remedy.
fn fetch_launcher(
    options: &AugmentOptions,
    module: &Module,
    (build, with): (&Build, &With),
    progress: &Progress,
) -> Result<()> {
    let class_path: Vec<PathBuf> = std::env::split_paths(&module.test_class_path()?).collect();
    let classes = classpath::classes(&class_path)?;
    for artifact in
        junit_launcher::lost(junit_launcher::style(options.junit, &classes)?, &class_path, &classes)
    {
        progress.stage(&format!("fetching {artifact}, which runs the tests"));
        if let Err(error) = build.fetch(&artifact, with) {
            tracing::info!(artifact, "not fetched: {error:#}");
        }
    }
    Ok(())
}

/// Paths of the user, before the working folder is another.
fn make_absolute(options: &mut AugmentOptions) -> Result<()> {
    let single = [&mut options.out, &mut options.json, &mut options.stats, &mut options.java_home];
    for path in single.into_iter().flatten().chain(&mut options.traces) {
        *path = absolute(&*path).with_context(|| format!("the path {}", path.display()))?;
    }
    Ok(())
}

/// The folder of the seeds' sources: the first that is there, else the first that the build would compile.
fn sources(module: &Module) -> Option<PathBuf> {
    let there = module.sources.iter().find(|folder| folder.is_dir());
    there.or(module.sources.first()).cloned()
}

fn fill(options: &mut AugmentOptions, module: &Module) -> Result<()> {
    options.class_path = Some(module.class_path()?);
    options.test_class_path = Some(module.test_class_path()?);
    options.settings = module.settings.clone();
    if options.java_home.is_none() {
        // One that cannot be used is no reason to stop: tests may run on another.
        let home = module.settings.java_home.clone();
        options.java_home = home.filter(|home| Jdk::find(Some(home)).is_ok());
    }
    options.seed_sources = sources(module);
    if options.write {
        let out = options.seed_sources.clone();
        let what = "--write: the build compiles no folder of test sources; name one with --out";
        options.out = Some(out.context(what)?);
        options.findings = Some(module.made.join(FINDINGS_OF_BUILD));
        options.format.clone_from(&module.format);
    }
    options.out.get_or_insert_with(|| module.made.join(OUT_OF_BUILD));
    if options.target.is_empty() {
        options.target.push(Pattern::new("**").context("a pattern of ours")?);
    }
    if !module.tests.is_empty() && options.seed_tests.is_empty() && options.traces.is_empty() {
        let own = classpath::classes(&module.tests)?;
        options.seed_tests = Pattern::of_packages(own.iter().map(String::as_str));
        options.own_tests = Some(own);
    }
    Ok(())
}
