//! The program `git`, asked which files a change touched. Knows nothing of sources.
//!
//! Invariant: no argument that a user gives is taken for an option, no shell runs, and the repository stays as it is.

use crate::exit_code::usage;
use anyhow::{Context, Result, anyhow};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What git said.
#[derive(Debug)]
pub(super) struct Asked {
    /// The folder of the whole working tree.
    pub top: PathBuf,
    /// The short hash of the merge base.
    pub base: String,
    /// Whether that is the commit that was named: it is an ancestor of `HEAD`, or `HEAD` itself.
    pub is_itself: bool,
    /// What differs from it, below `top`, sorted. Some may be gone.
    pub files: BTreeSet<PathBuf>,
}

/// A repository, by a folder of its working tree, and what it is asked for.
struct Git<'a> {
    folder: &'a Path,
    since: &'a str,
}

/// Asks which files differ between the merge base of a commit with `HEAD`, and the working tree.
///
/// # Errors
/// Names `--since`, the folder and what to do.
pub(super) fn ask(folder: &Path, since: &str) -> Result<Asked> {
    if since.is_empty() {
        return Err(usage(
            "--since is empty: name a branch, a tag or a commit, such as origin/main".to_owned(),
        ));
    }
    let folder = folder
        .canonicalize()
        .with_context(|| format!("--since {since}: cannot look into {}", folder.display()))?;
    let top = Git { folder: &folder, since }.top()?;
    let git = Git { folder: &top, since };
    let commit = git.commit()?;
    let base = git.merge_base(&commit)?;
    let short = git.text(&["rev-parse", "--short", &base])?;
    let differ = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-color", &base, "--"];
    let mut files = paths(&git.done(&differ)?);
    files.extend(paths(&git.done(&["ls-files", "--others", "--exclude-standard", "-z"])?));
    Ok(Asked { top, base: short, is_itself: base == commit, files })
}

/// Paths that end with a zero byte each.
fn paths(bytes: &[u8]) -> BTreeSet<PathBuf> {
    let names = bytes.split(|&byte| byte == 0).filter(|name| !name.is_empty());
    names.map(|name| PathBuf::from(OsStr::from_bytes(name))).collect()
}

impl Git<'_> {
    /// The folder of the working tree.
    fn top(&self) -> Result<PathBuf> {
        let output = self.run(&["rev-parse", "--show-toplevel"])?;
        if !output.status.success() {
            return Err(self.error(&format!(
                "this is no working tree of a git repository ({}); run the command in a clone of the project, or name that of `augment` with --project",
                complaint(&output)
            )));
        }
        let path = output.stdout.strip_suffix(b"\n").unwrap_or(&output.stdout);
        Ok(PathBuf::from(OsStr::from_bytes(path)))
    }

    /// The hash of the commit that the user named.
    fn commit(&self) -> Result<String> {
        let name = format!("{}^{{commit}}", self.since);
        let output = self.run(&["rev-parse", "--verify", "--quiet", "--end-of-options", &name])?;
        if output.status.success() {
            return Ok(line(&output.stdout));
        }
        let shallow = self.of_shallow("brings the older commits");
        Err(self.error(&format!(
            "git knows no such commit here; name a branch, a tag or a commit, and fetch it first where it is another repository's: git fetch origin{shallow}"
        )))
    }

    /// The hash of the commit where the ways to a commit and to `HEAD` part.
    fn merge_base(&self, commit: &str) -> Result<String> {
        let output = self.run(&["merge-base", commit, "HEAD"])?;
        match output.status.code() {
            Some(0) => Ok(line(&output.stdout)),
            Some(1) => {
                let shallow = self.of_shallow("brings the commits between them");
                Err(self.error(&format!(
                    "it has no commit in common with HEAD, from which the change could begin; name a commit of the same history{shallow}"
                )))
            }
            _ => Err(self.failed(&["merge-base"], &output)),
        }
    }

    /// What to do about a clone without the whole history; nothing where it has it all.
    fn of_shallow(&self, what: &str) -> String {
        match self.text(&["rev-parse", "--is-shallow-repository"]) {
            Ok(answer) if answer == "true" => {
                format!("; this clone is shallow: git fetch --unshallow, or a larger --depth, {what}")
            }
            _ => String::new(),
        }
    }

    /// A line that git answers with.
    fn text(&self, arguments: &[&str]) -> Result<String> {
        Ok(line(&self.done(arguments)?))
    }

    /// What git answers with.
    fn done(&self, arguments: &[&str]) -> Result<Vec<u8>> {
        let output = self.run(arguments)?;
        if output.status.success() { Ok(output.stdout) } else { Err(self.failed(arguments, &output)) }
    }

    fn failed(&self, arguments: &[&str], output: &Output) -> anyhow::Error {
        let command = arguments.first().copied().unwrap_or_default();
        self.error(&format!("git {command} failed: {}", complaint(output)))
    }

    fn error(&self, what: &str) -> anyhow::Error {
        anyhow!("--since {} in {}: {what}", self.since, self.folder.display())
    }

    fn run(&self, arguments: &[&str]) -> Result<Output> {
        let mut command = Command::new("git");
        command.current_dir(self.folder).args(arguments).stdin(Stdio::null());
        // Nothing is refreshed on the way, and nobody is asked for a password.
        command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0");
        command.output().map_err(|error| {
            let what = match error.kind() {
                ErrorKind::NotFound => "there is no program `git` on the PATH; install it".to_owned(),
                _ => format!("cannot run git: {error}"),
            };
            self.error(&format!("{what}, or name the classes with --target"))
        })
    }
}

/// The first line of an answer.
fn line(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).lines().next().unwrap_or_default().to_owned()
}

/// What git complained of, on one line.
fn complaint(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.is_empty() { output.status.to_string() } else { words.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_may_have_line_feeds_and_blanks_and_stand_once() {
        let found = paths(b"b c/D.java\0a\nb.java\0b c/D.java\0");
        assert_eq!(found, BTreeSet::from([PathBuf::from("a\nb.java"), PathBuf::from("b c/D.java")]));
        assert_eq!(paths(b""), BTreeSet::new());
    }

    #[test]
    fn an_empty_name_is_an_error_of_the_command_line() {
        let error = ask(Path::new("."), "").unwrap_err();
        assert_eq!(crate::exit_code::Exit::of(&error), crate::exit_code::Exit::Usage);
    }
}
