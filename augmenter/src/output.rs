//! What is said to users, and files written for them. Knows nothing of what it says.
//!
//! Invariant: standard output carries results only; a file is the old one or the whole new one.

use anyhow::{Context, Result};
use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Says what went wrong, with its causes.
pub fn error(error: &anyhow::Error) {
    say(&format!("error: {error:#}"));
}

/// Says what the user should know though the command goes on.
pub fn warning(text: &str) {
    say(&format!("warning: {text}"));
}

/// Says something on standard error. Nobody listening is no reason to fail.
pub fn say(text: &str) {
    writeln!(io::stderr(), "dynaflow: {text}").ok();
}

/// Writes a result to standard output, or to a file that is replaced at once.
///
/// # Errors
/// Names the file that cannot be written. A reader of standard output that goes away (`| head`) is no error.
pub fn result(to: Option<&Path>, write: impl Fn(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    match to {
        None => match write(&mut BufWriter::new(io::stdout().lock())) {
            Err(e) if e.kind() == ErrorKind::BrokenPipe => Ok(()),
            other => other.context("cannot write to standard output"),
        },
        Some(path) => to_file(path, write).with_context(|| format!("cannot write {}", path.display())),
    }
}

fn to_file(path: &Path, write: impl Fn(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A link leads to the file that is meant; a device or pipe is written as it is.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if path.exists() && !path.is_file() {
        return write(&mut BufWriter::new(File::options().write(true).open(&path)?));
    }
    let partial = beside(&path);
    let written = File::create(&partial)
        .and_then(|file| write(&mut BufWriter::new(file)))
        .and_then(|()| std::fs::rename(&partial, &path));
    if written.is_err() {
        // Best effort: the error that led here is the one to report.
        std::fs::remove_file(&partial).ok();
    }
    written
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".partial-{}", std::process::id()));
    PathBuf::from(name)
}
