//! The build of a project: what it says of class paths and of how tests run, so that nobody has to write that down.
//!
//! In: the folder of a project, and perhaps a module. Out: the classes of the program, those of its tests, what they need and how they run. Knows nothing of what they are
//! for. Invariant: what is given back was compiled by the build, just now; the build's own files are not changed.

mod args;
mod gradle;
mod maven;
mod module;
mod settings;
mod tool;
mod with;

pub use args::{BuildTool, ProjectArgs};
pub use module::Module;
pub use settings::Settings;
pub use with::With;

use crate::exit_code::usage;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The build of a project.
#[derive(Clone, Debug)]
pub struct Build {
    tool: BuildTool,
    folder: PathBuf,
    module: Option<String>,
}

impl Build {
    /// The build whose file lies in a folder, for one module if one is named. Where there are files of both, it is Maven's unless Gradle is asked for.
    ///
    /// # Errors
    /// Says which files were looked for, and what to do where the build is none that can be asked, or a module must be named.
    pub fn find(args: &ProjectArgs) -> Result<Self> {
        let (module, asked) = (args.module.as_deref(), args.build_tool);
        let folder = args.folder();
        let folder = folder.canonicalize().with_context(|| format!("--project {}", folder.display()))?;
        let there = |tool: BuildTool| match tool {
            BuildTool::Maven => maven::is_there(&folder),
            BuildTool::Gradle => gradle::is_there(&folder),
        };
        let all = [BuildTool::Maven, BuildTool::Gradle];
        let chosen = all.into_iter().find(|&tool| there(tool) && asked.is_none_or(|asked| asked == tool));
        let tool = chosen.ok_or_else(|| missing(&folder, asked))?;
        if tool == BuildTool::Maven {
            maven::check(&folder, module)?;
        }
        Ok(Self { tool, folder, module: module.map(str::to_owned) })
    }

    /// What is about to be done, for people.
    pub fn asking(&self, with: &With) -> String {
        let tool = match self.tool {
            BuildTool::Maven => maven::tool(&self.folder, with),
            BuildTool::Gradle => gradle::tool(&self.folder, with),
        };
        let program = tool.program.display();
        format!("asking {program} for the class paths, which compiles what has changed")
    }

    /// Compiles the module and what it needs, and asks for it. Takes as long as the build.
    ///
    /// # Errors
    /// When the build cannot be run or fails, with what it printed; when it left no classes.
    pub fn module(&self, with: &With) -> Result<Module> {
        let module = self.module.as_deref();
        match self.tool {
            BuildTool::Maven => maven::module(&self.folder, module, with),
            BuildTool::Gradle => gradle::module(&self.folder, module, with),
        }
    }

    /// Fetches an artifact to where the build keeps what it fetches.
    ///
    /// # Errors
    /// When the build cannot, with what it printed.
    pub fn fetch(&self, artifact: &str, with: &With) -> Result<()> {
        match self.tool {
            BuildTool::Maven => maven::fetch(&self.folder, artifact, with),
            BuildTool::Gradle => gradle::fetch(&self.folder, self.module.as_deref(), artifact, with),
        }
    }
}

/// What to do where there is no build that can be asked.
fn missing(folder: &Path, asked: Option<BuildTool>) -> anyhow::Error {
    let files = match asked {
        Some(BuildTool::Maven) => "pom.xml",
        Some(BuildTool::Gradle) => "build.gradle and no settings.gradle, in Groovy or Kotlin",
        None => "pom.xml, build.gradle or settings.gradle",
    };
    usage(format!(
        "no --class-path is given and {} has no {files}: name the class paths with --class-path, --test-class-path and --target, or the folder of a Maven or Gradle build with --project",
        folder.display()
    ))
}
