//! Messages to users, and files written for them. Knows nothing of their contents.
//!
//! Invariant: standard output carries results only; a file is the old one or the whole new one.

use crate::exit_code::usage;
use anyhow::{Context, Result, anyhow};
use std::fs::{File, Metadata};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// How many names a message lists.
pub const NAMED: usize = 5;

/// The first of some names, and `...` where there are more.
pub fn first<S: AsRef<str>>(names: &[S], most: usize) -> String {
    let some: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    let more = if names.len() > most { ", ..." } else { "" };
    format!("{}{more}", some.join(", "))
}

/// Prints an error with its causes.
pub fn error(error: &anyhow::Error) {
    say(&format!("error: {}", chain(error)));
}

/// An error with its causes, each once: many messages end with their cause already.
pub fn chain(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Prints what the user should know though the command goes on.
pub fn warning(text: &str) {
    say(&format!("warning: {text}"));
}

/// Prints a line on standard error. That nobody reads it is no error.
pub fn say(text: &str) {
    writeln!(io::stderr(), "dynaflow: {}", plain(text)).ok();
}

/// A field of CSV, in quotes where it must be.
pub fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Without the numbers of the system's errors, which stand behind their words: `(os error 2)`.
fn plain(text: &str) -> String {
    let mut parts = text.split(" (os error ");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((number, rest)) if number.parse::<u32>().is_ok() => plain.push_str(rest),
            _ => plain = format!("{plain} (os error {part}"),
        }
    }
    plain
}

/// Checks, before any work, that a result can be written to a file and that the file is none of those it is made of.
///
/// # Errors
/// Names the option and the file: its folder is missing, it is a folder, it cannot be written, or it is an input.
pub fn check(option: &str, to: Option<&Path>, inputs: &[PathBuf]) -> Result<()> {
    let Some(path) = to else { return Ok(()) };
    let name = path.display();
    if let Some(input) = inputs.iter().find(|input| is_same(input, path)) {
        let input = input.display();
        return Err(usage(format!(
            "{option}: cannot write {name}: it is the input {input}; name another file"
        )));
    }
    if path.is_dir() {
        return Err(anyhow!("{option}: cannot write {name}: it is a folder; name a file"));
    }
    if path.exists() && !path.is_file() {
        // A pipe or device: trying it could block, or be seen by whoever reads it.
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(anyhow!(
            "{option}: cannot write {name}: there is no folder {}; make it first",
            folder.display()
        ));
    }
    let tried = if path.exists() {
        File::options().append(true).open(path).map(drop)
    } else {
        tempfile::tempfile_in(folder).map(drop)
    };
    tried.with_context(|| format!("{option}: cannot write {name}"))
}

/// Whether two paths lead to one file, by whatever links.
fn is_same(one: &Path, other: &Path) -> bool {
    let identity =
        |path: &Path| path.metadata().ok().filter(Metadata::is_file).map(|meta| (meta.dev(), meta.ino()));
    identity(one).is_some_and(|one| identity(other) == Some(one))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_names_says_that_there_are_more() {
        assert_eq!(first(&["a", "b"], 2), "a, b");
        assert_eq!(first(&["a", "b", "c"], 2), "a, b, ...");
        assert_eq!(first::<&str>(&[], 2), "");
    }

    #[test]
    fn a_cause_is_named_once_and_without_its_number() {
        let cause = io::Error::from_raw_os_error(2);
        let text = format!("t.trace: cannot open the trace: {cause}");
        let error = anyhow::Error::from(cause).context(text).context("reading");
        assert_eq!(
            plain(&chain(&error)),
            "reading: t.trace: cannot open the trace: No such file or directory"
        );
        assert_eq!(plain("a (os error 2) b (os error x)"), "a b (os error x)");
    }
}
