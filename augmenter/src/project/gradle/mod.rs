//! Gradle: asks a build by an init script which projects it has, and one of them for its classes and its test task.
//!
//! In: the folder of a build and the name of a project. Out: a [`Module`]. Knows nothing of build files: Gradle evaluates them. Invariants: Gradle runs with the user's settings,
//! through the build's own wrapper where it has one; the script works from Gradle 4.4 on; a configuration that Gradle kept is neither used nor replaced.

use super::module::Module;
use super::settings::Settings;
use super::tool::Tool;
use super::with::With;
use crate::exit_code::usage;
use crate::work_folder::WorkFolder;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const SCRIPT: &str = include_str!("ask.gradle");
/// The files of a build.
const SETTINGS: [&str; 2] = ["settings.gradle", "settings.gradle.kts"];
const BUILDS: [&str; 2] = ["build.gradle", "build.gradle.kts"];
/// Gradle's features that keep the configuration of an earlier build, by whatever name a version knows them, or leave out projects; the script runs when a build is configured.
const PLAIN: [&str; 5] = [
    "-Dorg.gradle.configuration-cache=false",
    "-Dorg.gradle.unsafe.configuration-cache=false",
    "-Dorg.gradle.configureondemand=false",
    "-Dorg.gradle.isolated-projects=false",
    "-Dorg.gradle.unsafe.isolated-projects=false",
];
/// The script's task.
const TASK: &str = ":dynaflowAsk";
/// Most modules that are named.
const NAMED: usize = 10;

/// Whether a folder has a file of a Gradle build.
pub(super) fn is_there(folder: &Path) -> bool {
    BUILDS.iter().chain(&SETTINGS).any(|file| folder.join(file).is_file())
}

/// What Gradle says of a build.
#[derive(Debug, Deserialize)]
struct Answer {
    modules: Vec<Listed>,
    asked: Option<String>,
    module: Option<Described>,
}

/// A project of the build.
#[derive(Debug, Deserialize)]
struct Listed {
    path: String,
    kind: String,
    has_sources: bool,
}

/// The project that was asked for, compiled.
#[derive(Debug, Deserialize)]
struct Described {
    folder: PathBuf,
    made: PathBuf,
    classes: Vec<PathBuf>,
    tests: Vec<PathBuf>,
    class_path: Vec<PathBuf>,
    sources: Vec<PathBuf>,
    working_folder: PathBuf,
    java_home: Option<PathBuf>,
    arguments: Vec<String>,
    environment: BTreeMap<String, String>,
    formatters: Vec<String>,
}

/// What runs Gradle for a folder.
pub(super) fn tool(folder: &Path, with: &With) -> Tool {
    let folders = [folder, &root(folder)];
    Tool::of("Gradle", "--offline or -Pname=value", ("gradlew", &folders), "gradle", with)
}

/// The folder of the whole build: the nearest one with settings, as Gradle looks for it.
fn root(folder: &Path) -> PathBuf {
    let has_settings = |folder: &&Path| SETTINGS.iter().any(|file| folder.join(file).is_file());
    folder.ancestors().find(has_settings).unwrap_or(folder).to_owned()
}

/// Compiles a project and its tests, and asks for it.
///
/// # Errors
/// When Gradle fails, with what it printed; when there is no such project or it has no Java classes: which ones have.
pub(super) fn module(folder: &Path, module: Option<&str>, with: &With) -> Result<Module> {
    let answer = ask(folder, module, None, with)?;
    let Some(found) = answer.module else { return Err(refusal(&answer, folder, module)) };
    if found.classes.is_empty() {
        if answer.modules.iter().any(|module| module.has_sources) {
            return Err(refusal(&Answer { module: None, ..answer }, folder, module));
        }
        bail!(
            "the build left no classes of {}: has it any sources? --class-path and --test-class-path name where classes are",
            found.folder.display()
        );
    }
    let is_own = |path: &PathBuf| found.classes.contains(path) || found.tests.contains(path);
    Ok(Module {
        needs: found.class_path.iter().filter(|path| !is_own(path)).cloned().collect(),
        folder: found.working_folder,
        classes: found.classes,
        tests: found.tests,
        sources: found.sources,
        made: found.made,
        settings: Settings::new(found.arguments, found.environment, found.java_home),
        format: found
            .formatters
            .iter()
            .map(|task| format!("{} {task}", tool(folder, with).short()))
            .collect(),
    })
}

/// Fetches an artifact from the repositories of a project.
pub(super) fn fetch(folder: &Path, module: Option<&str>, artifact: &str, with: &With) -> Result<()> {
    ask(folder, module, Some(artifact), with).map(drop)
}

fn ask(folder: &Path, module: Option<&str>, artifact: Option<&str>, with: &With) -> Result<Answer> {
    let work = WorkFolder::new()?;
    let (script, answer) = (work.path().join("ask.gradle"), work.path().join("answer.json"));
    std::fs::write(&script, SCRIPT).with_context(|| format!("cannot write {}", script.display()))?;
    let mut arguments: Vec<OsString> = vec!["--init-script".into(), script.into()];
    arguments.extend(["--quiet", "--console=plain"].map(OsString::from));
    let mut define = |name: &str, value: &OsString| {
        let mut text = OsString::from(format!("-Ddynaflow.{name}="));
        text.push(value);
        arguments.push(text);
    };
    define("answer", &answer.clone().into());
    define("folder", &folder.into());
    module.iter().for_each(|module| define("module", &module.into()));
    artifact.iter().for_each(|artifact| define("artifact", &artifact.into()));
    arguments.extend(PLAIN.map(OsString::from));
    arguments.extend(with.arguments.iter().map(OsString::from));
    arguments.push(TASK.into());
    let tool = tool(folder, with);
    tool.run(&root(folder), &arguments, with)?;
    let text = std::fs::read_to_string(&answer).with_context(|| {
        format!(
            "{} ended well and did not answer: dynaflow asks Gradle 4.4 and later; name the class paths with --class-path, --test-class-path and --target",
            tool.program.display()
        )
    })?;
    serde_json::from_str(&text).with_context(|| format!("what {} answered", tool.program.display()))
}

/// Why there is no module, and which ones there are.
fn refusal(answer: &Answer, folder: &Path, module: Option<&str>) -> anyhow::Error {
    let with_sources: Vec<&str> =
        answer.modules.iter().filter(|m| m.has_sources).map(|m| m.path.as_str()).collect();
    let mut some = with_sources.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
    if with_sources.len() > NAMED {
        some.push_str(", ...");
    }
    let rest = if some.is_empty() {
        "no project of it has Java sources: name the class paths with --class-path, --test-class-path and --target"
            .to_owned()
    } else {
        format!("name one that has classes with --module: {some}")
    };
    let asked = answer.modules.iter().find(|module| Some(&module.path) == answer.asked.as_ref());
    let what = match (asked, module) {
        (None, Some(module)) => format!("--module {module}: the Gradle build has no such project"),
        (None, None) => format!("{} is no folder of a project of its Gradle build", folder.display()),
        (Some(listed), _) => match listed.kind.as_str() {
            "android" => {
                format!("{} is an Android project, which dynaflow does not support", listed.path)
            }
            "kotlin-multiplatform" => {
                format!("{} is a Kotlin multiplatform project, which dynaflow does not support", listed.path)
            }
            _ => format!("project {} of the Gradle build has no Java classes", listed.path),
        },
    };
    usage(format!("{what}; {rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(json: &str, module: Option<&str>) -> String {
        refusal(&serde_json::from_str(json).unwrap(), Path::new("/p"), module).to_string()
    }

    #[test]
    fn what_cannot_be_asked_is_named_with_what_can() {
        let modules = r#"[{"path":":","kind":"other","has_sources":false},{"path":":app","kind":"android","has_sources":false},
            {"path":":core","kind":"java","has_sources":true}]"#;
        let with = |asked: &str| format!(r#"{{"modules":{modules},"asked":{asked}}}"#);
        let root = refused(&with("\":\""), None);
        assert!(
            root.contains("project : of the Gradle build has no Java classes") && root.ends_with(": :core"),
            "{root}"
        );
        assert!(refused(&with("\":app\""), Some("app")).contains(":app is an Android project"));
        assert!(
            refused(&with("null"), Some("web")).starts_with("--module web: the Gradle build has no such")
        );
        let none = refused(
            r#"{"modules":[{"path":":","kind":"kotlin-multiplatform","has_sources":false}],"asked":":"}"#,
            None,
        );
        assert!(none.contains("Kotlin multiplatform") && none.contains("--class-path"), "{none}");
    }

    #[test]
    fn the_build_is_where_the_nearest_settings_are() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        std::fs::create_dir_all(&inner).unwrap();
        assert_eq!(root(&inner), inner);
        std::fs::write(folder.path().join("settings.gradle.kts"), "").unwrap();
        assert_eq!(root(&inner), folder.path());
    }
}
