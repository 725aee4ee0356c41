//! The options that name a build. Knows nothing of what it is asked for. Invariant: with class paths none of them is given.

use super::with::With;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// What builds a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BuildTool {
    /// Maven, by `pom.xml`
    Maven,
    /// Gradle 4.4 or later, by `settings.gradle`, `build.gradle` or their Kotlin forms
    Gradle,
}

/// Which build is asked, and how.
#[derive(Clone, Debug, Args)]
pub struct ProjectArgs {
    /// Folder of a project that Maven or Gradle builds, in place of --class-path: the build compiles it and says what its tests need and how they run, in the folder of the module
    /// [default: the working folder]
    #[arg(long, value_name = "DIR", conflicts_with = "class_path")]
    pub project: Option<PathBuf>,
    /// Module of the project, by its folder, or as Gradle names it, such as :core:api
    #[arg(long, value_name = "MODULE", conflicts_with = "class_path")]
    pub module: Option<String>,
    /// Which build of the project is asked [default: Maven's where there is a `pom.xml`, else Gradle's]
    #[arg(long, value_name = "TOOL", value_enum, conflicts_with = "class_path")]
    pub build_tool: Option<BuildTool>,
    /// The program that is asked, such as gradle or /opt/maven/bin/mvn [default: the project's wrapper, else the `mvn` or `gradle` of the PATH]
    #[arg(long, value_name = "PROGRAM", conflicts_with = "class_path")]
    pub build_program: Option<PathBuf>,
    /// An argument more for the build, such as --offline or -Pfast; may be repeated
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, conflicts_with = "class_path")]
    pub build_arg: Vec<String>,
}

impl ProjectArgs {
    /// The folder of the project: the working folder where none is named.
    pub fn folder(&self) -> &Path {
        self.project.as_deref().unwrap_or(Path::new("."))
    }

    /// With what the build runs, and with which JDK.
    pub fn with<'a>(&'a self, java_home: Option<&'a Path>) -> With<'a> {
        With { java_home, program: self.build_program.as_deref(), arguments: &self.build_arg }
    }
}
