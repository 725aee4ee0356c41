//! git repositories in the folders of tests. Knows nothing of dynaflow.
//!
//! Invariant: neither the machine's configuration of git nor a repository around the folder is looked at.

#![allow(dead_code, reason = "each test file uses a part")]

use std::path::Path;
use std::process::Command;

/// Lets a command see nothing of the machine's git.
pub fn alone<'a>(command: &'a mut Command, folder: &Path) -> &'a mut Command {
    let around = folder.parent().unwrap_or(folder);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command.env("GIT_CEILING_DIRECTORIES", around)
}

/// Runs git in a folder, which succeeds; gives the first line of its answer.
pub fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.current_dir(folder).args(["-c", "user.name=Test", "-c", "user.email=test@example.org"]);
    command.args(["-c", "commit.gpgsign=false", "-c", "protocol.file.allow=always"]).args(arguments);
    let output = alone(&mut command, folder).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned()
}

/// Makes a folder a repository, with everything in it that is not ignored as the first commit of the branch `main`.
pub fn repository(folder: &Path, ignored: &str) {
    git(folder, &["init", "--quiet"]);
    git(folder, &["symbolic-ref", "HEAD", "refs/heads/main"]);
    std::fs::write(folder.join(".gitignore"), ignored).unwrap();
    commit(folder);
}

/// Commits everything.
pub fn commit(folder: &Path) {
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--message", "a commit"]);
}
