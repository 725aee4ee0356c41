//! Compiles Java sources in one run of `javac`. Knows nothing of what they say.
//!
//! Invariants: an error names its file and line, so that a caller can drop the offending source and try again; the compiler runs no
//! longer than it is given.

use super::jdk::{Jdk, JdkError};
use super::process::{Running, Stop};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// Warnings about sources, those about class files, class paths and options left out.
const LINTS: &str = "-Xlint:all,-classfile,-options,-path,-processing,-serial";

/// What to compile.
#[derive(Clone, Debug)]
pub struct Compilation<'a> {
    /// The compiler.
    pub jdk: &'a Jdk,
    /// What the sources refer to.
    pub class_path: &'a [PathBuf],
    /// The sources.
    pub sources: &'a [PathBuf],
    /// Folder of the class files, created when missing.
    pub out: &'a Path,
    /// Java version of sources and classes; the compiler's own when not given.
    pub release: Option<u32>,
    /// The longest it may take.
    pub limit: Duration,
    /// Ends the compiler when pulled.
    pub stop: &'a Stop,
}

/// An error in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// The file, as given.
    pub file: PathBuf,
    /// Line from 1.
    pub line: u32,
    /// The compiler's words, all lines of them.
    pub message: String,
}

impl std::fmt::Display for SourceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.message)
    }
}

/// A warning about a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceWarning {
    /// The file, as given.
    pub file: PathBuf,
    /// Line from 1.
    pub line: u32,
    /// The name by which it can be suppressed.
    pub key: String,
}

/// Why nothing was compiled.
#[derive(Debug, thiserror::Error)]
pub enum JavacError {
    /// The sources are wrong.
    #[error("{} error(s), the first: {}", .0.len(), .0.first().map(ToString::to_string).unwrap_or_default())]
    Sources(Vec<SourceError>),
    /// There is no compiler.
    #[error(transparent)]
    Jdk(#[from] JdkError),
    /// The compiler could not be run.
    #[error("cannot run javac: {0}")]
    Io(#[from] io::Error),
    /// It took too long.
    #[error("javac had not compiled {sources} sources after {} s and was ended", .limit.as_secs())]
    TimedOut {
        /// How many sources there were.
        sources: usize,
        /// How long it was given.
        limit: Duration,
    },
    /// It failed without naming a source.
    #[error("javac failed: {0}")]
    Other(String),
}

/// Compiles all sources at once, with debug names and without annotation processors (which would be foreign code running
/// unconfined). Gives the warnings about the sources.
///
/// # Errors
/// [`JavacError::Sources`] with every error and its place when sources are wrong; nothing is compiled then.
pub fn compile(job: &Compilation<'_>) -> Result<Vec<SourceWarning>, JavacError> {
    std::fs::create_dir_all(job.out)?;
    let mut arguments = tempfile::NamedTempFile::new()?;
    for argument in arguments_of(job)? {
        writeln!(arguments, "{}", quoted(&argument))?;
    }
    arguments.flush()?;
    let mut command = Command::new(job.jdk.javac()?);
    // Messages in one language, whatever the user's.
    command.args([
        "-J-Duser.language=en",
        "-J-Duser.country=US",
        "-J-XX:TieredStopAtLevel=1",
        "-J-XX:+UseSerialGC",
    ]);
    command.arg(format!("@{}", arguments.path().display()));
    for variable in ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVAC_OPTIONS", "CLASSPATH"] {
        command.env_remove(variable);
    }
    let (ended, text) = run(command, job)?;
    let errors = parse(&text, job.sources);
    match ended {
        Ended::Well => Ok(warnings(&text, job.sources)),
        Ended::TimedOut => Err(JavacError::TimedOut { sources: job.sources.len(), limit: job.limit }),
        Ended::Badly if errors.is_empty() => Err(JavacError::Other(text.trim().to_owned())),
        Ended::Badly => Err(JavacError::Sources(errors)),
    }
}

/// How the compiler ended.
enum Ended {
    Well,
    Badly,
    TimedOut,
}

fn arguments_of(job: &Compilation<'_>) -> io::Result<Vec<String>> {
    let class_path = std::env::join_paths(job.class_path).map_err(io::Error::other)?;
    let mut arguments: Vec<String> = ["-g", LINTS, "-proc:none", "-encoding", "UTF-8"]
        .into_iter()
        .chain(["-Xmaxerrs", "10000", "-Xmaxwarns", "10000", "-Xdiags:verbose", "-implicit:none", "-d"])
        .map(str::to_owned)
        .collect();
    arguments.push(job.out.to_string_lossy().into_owned());
    arguments.extend(["-cp".to_owned(), class_path.to_string_lossy().into_owned()]);
    if let Some(release) = job.release {
        arguments.extend(["--release".to_owned(), release.to_string()]);
    }
    arguments.extend(job.sources.iter().map(|source| source.to_string_lossy().into_owned()));
    Ok(arguments)
}

/// An argument as argument files want it.
fn quoted(argument: &str) -> String {
    format!("\"{}\"", argument.replace('\\', "\\\\").replace('"', "\\\""))
}

fn run(mut command: Command, job: &Compilation<'_>) -> io::Result<(Ended, String)> {
    // Messages come on standard error; standard output is the pipe that is read to the end.
    command.arg("-Xstdout").arg("/dev/stdout");
    let (mut javac, input, mut output) = Running::start(command, job.stop)?;
    drop(input);
    let mut text = vec![];
    let (done, end) = mpsc::channel::<()>();
    let timed_out = std::thread::scope(|scope| {
        let javac = &javac;
        let watch = scope.spawn(move || {
            let is_late = end.recv_timeout(job.limit) == Err(RecvTimeoutError::Timeout);
            if is_late {
                javac.kill();
            }
            is_late
        });
        let read = output.read_to_end(&mut text);
        drop(done);
        read.map(|_| watch.join().unwrap_or_default())
    })?;
    let (status, _) = javac.finish(Duration::from_secs(10))?;
    let text = String::from_utf8_lossy(&text).into_owned();
    let text = if text.trim().is_empty() { javac.tail().text() } else { text };
    Ok(match (timed_out, status.success()) {
        (true, _) => (Ended::TimedOut, text),
        (false, true) => (Ended::Well, text),
        (false, false) => (Ended::Badly, text),
    })
}

/// Errors stand as `file:line: error: message`, followed by indented and quoted lines that belong to them.
fn parse(text: &str, sources: &[PathBuf]) -> Vec<SourceError> {
    let mut errors: Vec<SourceError> = vec![];
    let mut open = false;
    for line in text.lines() {
        if let Some(error) = sources.iter().find_map(|source| error_line(line, source)) {
            errors.push(error);
            open = true;
        } else if line.contains(": warning: ") || line.starts_with("Note: ") || is_total(line) {
            open = false;
        } else if let Some(error) = errors.last_mut().filter(|_| open) {
            error.message.push('\n');
            error.message.push_str(line);
        }
    }
    errors
}

fn error_line(line: &str, source: &Path) -> Option<SourceError> {
    let rest = line.strip_prefix(source.to_str()?)?.strip_prefix(':')?;
    let (number, message) = rest.split_once(": error: ")?;
    let (file, message) = (source.to_owned(), message.to_owned());
    Some(SourceError { file, line: number.parse().ok()?, message })
}

/// Warnings stand as `file:line: warning: [key] message`.
fn warnings(text: &str, sources: &[PathBuf]) -> Vec<SourceWarning> {
    let of_line = |line: &str| {
        let source =
            sources.iter().find(|source| source.to_str().is_some_and(|path| line.starts_with(path)))?;
        let (number, message) =
            line.strip_prefix(source.to_str()?)?.strip_prefix(':')?.split_once(": warning: [")?;
        let (key, _) = message.split_once(']')?;
        Some(SourceWarning { file: source.clone(), line: number.parse().ok()?, key: key.to_owned() })
    };
    text.lines().filter_map(of_line).collect()
}

fn is_total(line: &str) -> bool {
    line.split_once(' ').is_some_and(|(n, word)| n.parse::<u32>().is_ok() && word.starts_with("error"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_mapped_to_file_and_line_with_all_their_text() {
        let text = "a b/T.java:3: error: cannot find symbol\n  x();\n  ^\n  symbol: method x()\n\
                    C.java:7: warning: old\n  y();\nC.java:9: error: ';' expected\n2 errors\n1 warning\n";
        let sources = [PathBuf::from("a b/T.java"), PathBuf::from("C.java")];
        let errors = parse(text, &sources);
        assert_eq!(errors.len(), 2);
        assert_eq!((errors[0].file.to_str(), errors[0].line), (Some("a b/T.java"), 3));
        assert_eq!(errors[0].message, "cannot find symbol\n  x();\n  ^\n  symbol: method x()");
        assert_eq!((errors[1].line, errors[1].message.as_str()), (9, "';' expected"));
    }

    #[test]
    fn warnings_are_known_by_the_name_that_suppresses_them() {
        let text = "a b/T.java:3: warning: [deprecation] x() in A has been deprecated\n  x();\n\
                    warning: [options] no\nC.java:7: warning: [removal] y() in A\nC.java:8: error: no\n";
        let found = warnings(text, &[PathBuf::from("a b/T.java"), PathBuf::from("C.java")]);
        let found: Vec<(u32, &str)> = found.iter().map(|w| (w.line, w.key.as_str())).collect();
        assert_eq!(found, [(3, "deprecation"), (7, "removal")]);
    }

    #[test]
    fn an_argument_keeps_its_spaces_and_quotes() {
        assert_eq!(quoted(r#"a b\c"d"#), r#""a b\\c\"d""#);
    }
}
