//! Maven: which modules a POM names, and the class path that Maven resolves for the tests of one.
//!
//! Knows nothing of profiles and properties: Maven does. Invariant: Maven runs with the user's settings, through the project's own wrapper where it has one.

use super::with::With;
use crate::work_folder::WorkFolder;
use anyhow::{Context, Result, anyhow};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The file of a build.
pub(super) const FILE: &str = "pom.xml";
/// Where builds put what they make.
pub(super) const MADE: &str = "target";
/// What resolves the class path; its version is the one that the project, or Maven, chooses.
const CLASS_PATH: &str = "org.apache.maven.plugins:maven-dependency-plugin:build-classpath";
/// What fetches an artifact.
const GET: &str = "org.apache.maven.plugins:maven-dependency-plugin:get";
/// Most lines of a failed build that are shown.
const SHOWN: usize = 20;

/// What runs Maven in a project: its wrapper, else the one of the PATH.
pub(super) fn program(folder: &Path) -> PathBuf {
    let wrapper = folder.join("mvnw");
    if wrapper.is_file() { wrapper } else { PathBuf::from("mvn") }
}

/// The modules that the POM in a folder names, outside of comments.
pub(super) fn modules(folder: &Path) -> Result<Vec<String>> {
    let path = folder.join(FILE);
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(named(&text))
}

fn named(pom: &str) -> Vec<String> {
    let mut parts = pom.split("<!--");
    let first = parts.next().map(str::to_owned);
    let rest = parts.map(|part| part.split_once("-->").map_or("", |(_, behind)| behind).to_owned());
    let text: String = first.into_iter().chain(rest).collect();
    let inside = |part: &str| Some(part.split_once("</module>")?.0.trim().to_owned());
    text.split("<module>").skip(1).filter_map(inside).filter(|name| is_folder(name)).collect()
}

/// Plugins have elements of this name, too, with elements inside.
fn is_folder(name: &str) -> bool {
    !name.is_empty() && !name.contains(['<', '$'])
}

/// Compiles a module with its tests and the modules it needs; what its tests need besides, as Maven resolves it.
pub(super) fn needs(folder: &Path, module: Option<&Path>, with: &With) -> Result<Vec<PathBuf>> {
    let work = WorkFolder::new()?;
    let answer = work.path().join("class-path");
    let mut arguments: Vec<OsString> = vec![];
    if let Some(module) = module {
        arguments.extend(["--projects".into(), module.into(), "--also-make".into()]);
    }
    arguments.extend(with.arguments.iter().map(OsString::from));
    // The last module that writes it is the one that was asked for.
    let file = format!("-Dmdep.outputFile={}", answer.display());
    arguments.extend(["test-compile", CLASS_PATH, &file, "-Dmdep.includeScope=test"].map(OsString::from));
    run(folder, &arguments, with)?;
    let text = std::fs::read_to_string(&answer).with_context(|| {
        format!(
            "{} ended well and wrote no class path; is {FILE} that of a project with Java classes?",
            program(folder).display()
        )
    })?;
    Ok(std::env::split_paths(text.trim()).filter(|path| !path.as_os_str().is_empty()).collect())
}

/// Fetches an artifact into the local repository.
pub(super) fn fetch(folder: &Path, artifact: &str, with: &With) -> Result<()> {
    let mut arguments: Vec<OsString> = with.arguments.iter().map(OsString::from).collect();
    arguments.extend([GET.into(), format!("-Dartifact={artifact}").into()]);
    run(folder, &arguments, with)
}

/// Runs Maven.
fn run(folder: &Path, arguments: &[OsString], with: &With) -> Result<()> {
    let program = program(folder);
    let mut command = Command::new(&program);
    command.current_dir(folder).args(["--batch-mode", "--quiet", "-Dstyle.color=never"]).stdin(Stdio::null());
    command.args(arguments);
    if let Some(home) = with.java_home {
        command.env("JAVA_HOME", home);
    }
    let output = command.output().map_err(|error| {
        anyhow!(
            "cannot run {}: {error}; install Maven, or name the class paths with --class-path, --test-class-path and --target",
            program.display()
        )
    })?;
    if !output.status.success() {
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        let text = without_colours(&text);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(SHOWN).collect();
        return Err(anyhow!(
            "{} failed in {}; --build-arg gives it arguments more, such as -o or a profile. It printed:\n{}",
            program.display(),
            folder.display(),
            lines.join("\n")
        ));
    }
    Ok(())
}

/// A text without the sequences that colour it on a terminal.
fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default();
    let rest = parts.map(|part| {
        part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').strip_prefix('m').unwrap_or(part)
    });
    std::iter::once(first).chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_and_everything_else_stays() {
        assert_eq!(without_colours("\u{1b}[0m[\u{1b}[1;31mERROR\u{1b}[m] [0m"), "[ERROR] [0m");
    }

    #[test]
    fn modules_are_those_that_the_pom_names_outside_of_comments() {
        let pom = "<project><!-- <module>old</module> --><modules><module> core </module>\n<module>web/app</module><!--x--></modules></project>";
        assert_eq!(named(pom), ["core", "web/app"]);
        assert_eq!(
            named("<module><moduleInfo>x</moduleInfo></module><module>${it}</module>"),
            Vec::<String>::new()
        );
        assert_eq!(named("<project><artifactId>one</artifactId></project>"), Vec::<String>::new());
    }
}
