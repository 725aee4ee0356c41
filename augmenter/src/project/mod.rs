//! The build of a project: what it says of class paths, so that nobody has to write them down.
//!
//! In: the folder of a project, and perhaps a module. Out: the classes of the program, those of its tests, and what they need. Knows nothing of what they are
//! for. Invariant: what is given back was compiled by the build, just now; the build's own files are not changed.

mod maven;
mod with;

pub use with::With;

use crate::exit_code::usage;
use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A module of a project that a build has compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its folder, in which the build runs its tests.
    pub folder: PathBuf,
    /// The classes of the program.
    pub classes: PathBuf,
    /// Those of its tests, when it has any.
    pub tests: Option<PathBuf>,
    /// What these need: jars, and folders of other modules.
    pub needs: Vec<PathBuf>,
    /// The folder for what builds make, which `clean` removes.
    pub made: PathBuf,
}

/// The build of a project.
#[derive(Clone, Debug)]
pub struct Build {
    folder: PathBuf,
    module: Option<PathBuf>,
}

impl Build {
    /// The build whose file lies in a folder, for one module if one is named.
    ///
    /// # Errors
    /// Says which files were looked for, and what to do where the build is none that can be asked, or a module must be named.
    pub fn find(folder: &Path, module: Option<&Path>) -> Result<Self> {
        let folder = folder.canonicalize().with_context(|| format!("--project {}", folder.display()))?;
        if !folder.join(maven::FILE).is_file() {
            return Err(missing(&folder));
        }
        let build = Self { module: module.map(Path::to_owned), folder };
        let own = build.module_folder();
        if !own.join(maven::FILE).is_file() {
            return Err(usage(format!("--module {}: there is no {} in it", display(module), maven::FILE)));
        }
        let modules = maven::modules(&own)?;
        if !modules.is_empty() {
            return Err(usage(format!(
                "{} has modules: name one with --module, such as {}",
                own.join(maven::FILE).display(),
                modules.join(", ")
            )));
        }
        Ok(build)
    }

    fn module_folder(&self) -> PathBuf {
        self.module.as_ref().map_or_else(|| self.folder.clone(), |module| self.folder.join(module))
    }

    /// What is about to be run, for people.
    pub fn command(&self) -> String {
        maven::program(&self.folder).display().to_string()
    }

    /// Compiles the module and what it needs, and asks for its class paths. Takes as long as the build.
    ///
    /// # Errors
    /// When the build cannot be run or fails, with what it printed; when it left no classes.
    pub fn module(&self, with: &With) -> Result<Module> {
        let folder = self.module_folder();
        let needs =
            maven::needs(&self.folder, self.module.as_deref(), with).map_err(|error| self.advised(error))?;
        let made = folder.join(maven::MADE);
        let (classes, tests) = (made.join("classes"), made.join("test-classes"));
        if !classes.is_dir() {
            bail!(
                "the build left no classes in {}: name where they are with --class-path and --test-class-path",
                classes.display()
            );
        }
        let tests = Some(tests).filter(|tests| tests.is_dir());
        Ok(Module { folder, classes, tests, needs, made })
    }
}

impl Module {
    /// The class path of its tests, itself and what it needs.
    ///
    /// # Errors
    /// When a path has a `:`.
    pub fn test_class_path(&self) -> Result<OsString> {
        let all = self.tests.iter().chain([&self.classes]).chain(&self.needs);
        std::env::join_paths(all).context("a path of the class path")
    }
}

impl Build {
    /// Why a build failed, with what to do where the folder is a module of a larger one, whose other modules are not compiled from here.
    fn advised(&self, error: anyhow::Error) -> anyhow::Error {
        let name = self.folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let around = self.folder.parent().filter(|_| self.module.is_none());
        let (Some(name), Some(around)) = (name, around) else { return error };
        match maven::modules(around) {
            Ok(modules) if modules.contains(&name) => error.context(format!(
                "{name} is a module of {around}: --project {around} --module {name} compiles what it needs, too",
                around = around.display()
            )),
            _ => error,
        }
    }

    /// Fetches an artifact into the repository that the build uses.
    ///
    /// # Errors
    /// When the build cannot, with what it printed.
    pub fn fetch(&self, artifact: &str, with: &With) -> Result<()> {
        maven::fetch(&self.folder, artifact, with)
    }
}

fn display(module: Option<&Path>) -> String {
    module.map(|module| module.display().to_string()).unwrap_or_default()
}

/// What to do where there is no build that can be asked.
fn missing(folder: &Path) -> anyhow::Error {
    let is_gradle = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"]
        .iter()
        .any(|file| folder.join(file).is_file());
    usage(if is_gradle {
        format!(
            "{} has a Gradle build, which augment does not ask yet: name the class paths with --class-path, --test-class-path and --target",
            folder.display()
        )
    } else {
        format!(
            "no --class-path is given and {} has no pom.xml: name the class paths, or the folder of a Maven build with --project",
            folder.display()
        )
    })
}
