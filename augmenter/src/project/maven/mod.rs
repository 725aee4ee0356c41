//! Maven: the modules of a build, and one of them with the class path that Maven resolves and the configuration of Surefire.
//!
//! In: the folder of a POM and the folder of a module. Out: a [`Module`]. Knows nothing of profiles and properties: Maven does. Invariant: Maven runs with the user's settings,
//! through the project's own wrapper where it has one.

mod pom;

use super::module::Module;
use super::settings::Settings;
use super::tool::Tool;
use super::with::With;
use crate::exit_code::usage;
use crate::output;
use crate::work_folder::WorkFolder;
use anyhow::{Context, Result, bail};
use pom::{Effective, FILE};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What resolves the class path; its version is the one that the project, or Maven, chooses.
const CLASS_PATH: &str = "org.apache.maven.plugins:maven-dependency-plugin:build-classpath";
/// What fetches an artifact.
const GET: &str = "org.apache.maven.plugins:maven-dependency-plugin:get";
/// What prints a POM with everything applied.
const EFFECTIVE: &str = "org.apache.maven.plugins:maven-help-plugin:effective-pom";

/// Whether a folder has the file of a Maven build.
pub(super) fn is_there(folder: &Path) -> bool {
    folder.join(FILE).is_file()
}

/// What runs Maven in a project: its wrapper, else the one of the PATH.
pub(super) fn tool(folder: &Path, with: &With) -> Tool {
    Tool::of("Maven", "-o or a profile", ("mvnw", &[folder]), "mvn", with)
}

/// The modules that the POM in a folder names.
fn modules(folder: &Path) -> Result<Vec<String>> {
    let path = folder.join(FILE);
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    pom::modules(&text).with_context(|| format!("{} is no POM", path.display()))
}

/// Refuses what Maven cannot be asked for, before it runs.
///
/// # Errors
/// When the module has no POM, or has modules itself; when a POM cannot be read.
pub(super) fn check(folder: &Path, module: Option<&str>) -> Result<()> {
    let own = folder.join(module.unwrap_or_default());
    if !is_there(&own) {
        let modules = modules(folder)?;
        let advice = if modules.is_empty() {
            "leave it out, as the build has no modules".to_owned()
        } else {
            format!("the build has {}", modules.join(", "))
        };
        let name = module.unwrap_or_default();
        return Err(usage(format!("--module {name}: there is no {FILE} in it; {advice}")));
    }
    let modules = modules(&own)?;
    if !modules.is_empty() {
        return Err(usage(format!(
            "{} has modules: name one with --module, such as {}",
            own.join(FILE).display(),
            modules.join(", ")
        )));
    }
    Ok(())
}

/// Compiles a module with its tests and the modules it needs, and asks for it.
///
/// # Errors
/// When Maven fails, with what it printed; when it left no classes.
pub(super) fn module(folder: &Path, module: Option<&str>, with: &With) -> Result<Module> {
    let own = folder.join(module.unwrap_or_default());
    let needs = needs(folder, module, with).map_err(|error| advised(folder, module, error))?;
    let effective = configured(folder, module, with)
        .and_then(|text| pom::effective(&text, &own))
        .unwrap_or_else(|error| {
            output::warning(&format!(
                "how Surefire is configured is not known, so that tests run without its properties and variables: {error:#}"
            ));
            usual(&own)
        });
    let Effective { classes, tests, sources, made, working_folder, mut settings, format } = effective;
    if !classes.is_dir() {
        bail!(
            "the build left no classes in {}: name where they are with --class-path and --test-class-path",
            classes.display()
        );
    }
    // Surefire gives tests the properties of the command line, too.
    let given = with.arguments.iter().filter(|argument| argument.starts_with("-D"));
    settings.arguments.extend(given.cloned());
    Ok(Module {
        folder: working_folder.map_or(own.clone(), |folder| own.join(folder)),
        classes: vec![classes],
        tests: Some(tests).into_iter().filter(|tests| tests.is_dir()).collect(),
        needs,
        sources: vec![sources],
        made,
        settings,
        format: format.iter().map(|goal| format!("{} {goal}", tool(folder, with).short())).collect(),
    })
}

/// Where everything is unless a POM says otherwise.
fn usual(own: &Path) -> Effective {
    let made = own.join("target");
    Effective {
        classes: made.join("classes"),
        tests: made.join("test-classes"),
        sources: own.join("src/test/java"),
        made,
        working_folder: None,
        settings: Settings::default(),
        format: vec![],
    }
}

/// Compiles, and what the tests need besides, as Maven resolves it.
fn needs(folder: &Path, module: Option<&str>, with: &With) -> Result<Vec<PathBuf>> {
    let work = WorkFolder::new()?;
    let answer = work.path().join("class-path");
    let mut arguments: Vec<OsString> = vec![];
    if let Some(module) = module {
        arguments.extend(["--projects", module, "--also-make"].map(OsString::from));
    }
    arguments.extend(with.arguments.iter().map(OsString::from));
    // The last module that writes it is the one that was asked for.
    let file = format!("-Dmdep.outputFile={}", answer.display());
    arguments.extend(["test-compile", CLASS_PATH, &file, "-Dmdep.includeScope=test"].map(OsString::from));
    run(folder, &arguments, with)?;
    let text = std::fs::read_to_string(&answer).with_context(|| {
        format!(
            "{} ended well and wrote no class path; is {FILE} that of a project with Java classes?",
            tool(folder, with).program.display()
        )
    })?;
    Ok(std::env::split_paths(text.trim()).filter(|path| !path.as_os_str().is_empty()).collect())
}

/// The effective POM, for this module or for all.
fn configured(folder: &Path, module: Option<&str>, with: &With) -> Result<String> {
    let work = WorkFolder::new()?;
    let answer = work.path().join("pom.xml");
    let mut arguments: Vec<OsString> = vec![];
    arguments.extend(module.iter().flat_map(|module| ["--projects", module]).map(OsString::from));
    arguments.extend(with.arguments.iter().map(OsString::from));
    arguments.extend([EFFECTIVE.into(), format!("-Doutput={}", answer.display()).into()]);
    run(folder, &arguments, with)?;
    std::fs::read_to_string(&answer).with_context(|| format!("{EFFECTIVE} wrote nothing"))
}

/// Fetches an artifact into the local repository.
pub(super) fn fetch(folder: &Path, artifact: &str, with: &With) -> Result<()> {
    let mut arguments: Vec<OsString> = with.arguments.iter().map(OsString::from).collect();
    arguments.extend([GET.into(), format!("-Dartifact={artifact}").into()]);
    run(folder, &arguments, with)
}

fn run(folder: &Path, arguments: &[OsString], with: &With) -> Result<()> {
    let quiet = ["--batch-mode", "--quiet", "-Dstyle.color=never"].map(OsString::from);
    tool(folder, with).run(folder, &[&quiet, arguments].concat(), with)
}

/// Why a build failed, with what to do where the folder is a module of a larger one, whose other modules are not compiled from here.
fn advised(folder: &Path, module: Option<&str>, error: anyhow::Error) -> anyhow::Error {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
    let around = folder.parent().filter(|_| module.is_none());
    let (Some(name), Some(around)) = (name, around) else { return error };
    match modules(around) {
        Ok(modules) if modules.contains(&name) => error.context(format!(
            "{name} is a module of {around}: --project {around} --module {name} compiles what it needs, too",
            around = around.display()
        )),
        _ => error,
    }
}
