//! Runs a build tool as its users do. Knows no tool.
//!
//! Invariant: what the tool printed is shown when it fails; nothing is read from the terminal.

use super::with::With;
use anyhow::{Result, anyhow};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Most lines of a failed build that are shown.
const SHOWN: usize = 20;

/// A program that builds, and what to say of it.
#[derive(Debug)]
pub(super) struct Tool {
    /// The program.
    pub program: PathBuf,
    /// What people call it.
    pub name: &'static str,
    /// What users give it with `--build-arg`, for example.
    pub example: &'static str,
    /// Whether it is the project's wrapper.
    is_wrapper: bool,
    /// The program of the `PATH` that does without a wrapper.
    or: &'static str,
}

impl Tool {
    /// The program that is named, else the wrapper that lies in the first of these folders that has one, else a program of the `PATH`.
    pub fn of(
        name: &'static str,
        example: &'static str,
        (wrapper, folders): (&str, &[&Path]),
        or: &'static str,
        with: &With,
    ) -> Self {
        let wrapper = || folders.iter().map(|folder| folder.join(wrapper)).find(|file| file.is_file());
        let named = with.program.map(located);
        let wrapper = if named.is_some() { None } else { wrapper() };
        let is_wrapper = wrapper.is_some();
        let program = named.or(wrapper).unwrap_or_else(|| PathBuf::from(or));
        Self { program, name, example, is_wrapper, or }
    }

    /// The program as people call it: a wrapper from the folder that it lies in.
    pub fn short(&self) -> String {
        let wrapper = self.program.file_name().filter(|_| self.is_wrapper);
        wrapper.map_or_else(
            || self.program.display().to_string(),
            |name| format!("./{}", name.to_string_lossy()),
        )
    }

    /// Runs it in a folder and waits for its end.
    ///
    /// # Errors
    /// When it cannot be run, or fails: with the first lines of what it printed.
    pub fn run(&self, folder: &Path, arguments: &[OsString], with: &With) -> Result<()> {
        let mut command = Command::new(&self.program);
        command.current_dir(folder).args(arguments).stdin(Stdio::null());
        if let Some(home) = with.java_home {
            command.env("JAVA_HOME", home);
        }
        let program = self.program.display();
        let output = command.output().map_err(|error| {
            let remedy = if error.kind() == std::io::ErrorKind::PermissionDenied {
                format!("chmod +x {program}")
            } else if with.program.is_some() {
                "name another one with --build-program".to_owned()
            } else {
                format!("install {}", self.name)
            };
            anyhow!(
                "cannot run {program}: {error}; {remedy}, or name the class paths with --class-path, --test-class-path and --target"
            )
        })?;
        if output.status.success() {
            return Ok(());
        }
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        let newer = newer(&text).map(|version| {
            format!(
                "it compiles for Java {version}: name a JDK of that version or a later one with --java-home; "
            )
        });
        let other = format!("--build-program {} asks the one of the PATH in place of the wrapper; ", self.or);
        Err(anyhow!(
            "{program} failed in {}; {}{}--build-arg gives it arguments more, such as {}. It printed:\n{}",
            folder.display(),
            newer.unwrap_or_default(),
            if self.is_wrapper { other } else { String::new() },
            self.example,
            shown(&text)
        ))
    }
}

/// A program that a user names: one of the `PATH`, or a path from the working folder.
fn located(program: &Path) -> PathBuf {
    let is_path = program.components().nth(1).is_some();
    let absolute = is_path.then(|| std::path::absolute(program).ok()).flatten();
    absolute.unwrap_or_else(|| program.to_owned())
}

/// The version of Java that a build wants and its JDK has not, as javac and Gradle name it.
fn newer(text: &str) -> Option<&str> {
    let before =
        ["invalid target release: ", "invalid source release: ", "release version ", "languageVersion="];
    let behind = before.iter().filter_map(|words| text.split_once(words)).map(|(_, behind)| behind);
    let number = |text: &'_ str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    behind.filter_map(|text| text.get(..number(text))).find(|version| !version.is_empty())
}

/// The first lines that say something.
fn shown(text: &str) -> String {
    let text = without_colours(text);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).take(SHOWN).collect();
    lines.join("\n")
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
    fn a_build_that_wants_a_newer_java_is_known_by_what_it_prints() {
        for text in [
            "Fatal error compiling: error: invalid target release: 21 -> [Help 1]",
            "error: release version 21 not supported",
            "No matching toolchains found for requested specification: {languageVersion=21, vendor=any}",
        ] {
            assert_eq!(newer(text), Some("21"), "{text}");
        }
        assert_eq!(newer("error: cannot find symbol"), None);
        assert_eq!(newer("a release version to come"), None);
    }

    #[test]
    fn empty_lines_are_not_shown_and_no_more_than_some() {
        let text: String = (0..50).map(|n| format!("{n}\n\n")).collect();
        assert_eq!(shown(&text).lines().count(), SHOWN);
        assert_eq!(shown("\n  \none\n"), "one");
    }
}
