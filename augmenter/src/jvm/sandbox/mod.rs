//! Confines a process before it becomes a JVM: the hidden subcommand `__confined` of our own binary.
//!
//! In: what may be read and written, and a command. Out: that command, running confined. It knows nothing of Java.
//!
//! The driver never starts `java` itself: it starts this binary again, which takes rights away from itself and then turns
//! into the command (`exec`, so the process id stays the driver's child). A fresh process with one thread is the only
//! place where namespaces and rules can be set without unsafe code between `fork` and `exec`.
//!
//! The pipes the driver holds come in as standard input and output. They are moved to other descriptors, whose paths
//! replace [`PIPE_IN`] and [`PIPE_OUT`] among the arguments, and standard output becomes standard error: whatever the
//! program or the JVM prints cannot get between protocol messages.
//!
//! Invariant: with [`Confinement::Required`], the command runs with every protection or not at all; a confined command has the
//! descriptors of its pipes and no other of the caller's.

mod allowed;
mod calls;
mod files;
mod layers;
mod rules;

use nix::sys::prctl;
use nix::sys::signal::Signal;
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, IntoRawFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

pub use allowed::{ALLOWED, DENIED, Group};
pub use layers::{Layer, MOST_BYTES, MOST_FILES, Protection};
pub use rules::{Confinement, Limits, Rules, SUBCOMMAND};

/// Argument that is replaced by the path of the pipe from the driver.
pub const PIPE_IN: &str = "@pipe-in@";
/// Argument that is replaced by the path of the pipe to the driver.
pub const PIPE_OUT: &str = "@pipe-out@";
/// Exit status when confining failed; the reason stands on standard error.
pub const EXIT_NOT_CONFINED: u8 = 125;

/// What stands behind `__confined` on the command line.
#[derive(Debug)]
struct Request {
    rules: Rules,
    report: bool,
    command: Vec<OsString>,
}

/// Runs the hidden subcommand when the command line names it. To be called first in `main`, while there is one thread.
///
/// Gives `None` for every other command line.
pub fn intercept() -> Option<ExitCode> {
    let mut args = std::env::args_os().skip(1);
    (args.next()? == SUBCOMMAND).then(|| confined_main(args.collect()))
}

/// The hidden subcommand: confines this process and turns it into the command after `--`. Comes back only with an error.
pub fn confined_main(args: Vec<OsString>) -> ExitCode {
    let outcome = parse(args).and_then(|request| {
        if request.report {
            report(&request.rules);
            return Ok(());
        }
        become_command(&request).map_err(|e| e.to_string())
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("dynaflow: {message}");
            ExitCode::from(EXIT_NOT_CONFINED)
        }
    }
}

/// What the kernel of this machine offers, found out by a process that confines itself.
///
/// # Errors
/// When the launcher cannot be run.
pub fn check(launcher: &Path) -> io::Result<String> {
    let home = tempfile::tempdir()?;
    let mut command = Command::new(launcher);
    command.args([SUBCOMMAND, "--report", "--home"]).arg(home.path());
    let output = command.stdin(Stdio::null()).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What is missing of the protections on this machine, a line each; nothing when generated calls can be confined.
///
/// # Errors
/// When the launcher cannot be run.
pub fn missing(launcher: &Path) -> io::Result<Vec<String>> {
    let report = check(launcher)?;
    if report.trim().is_empty() {
        return Ok(vec!["everything: a process that confines itself did not get that far".to_owned()]);
    }
    Ok(report.lines().filter(|line| line.contains("MISSING")).map(|l| l.replace("MISSING: ", "")).collect())
}

fn parse(args: Vec<OsString>) -> Result<Request, String> {
    let parent = nix::unistd::getppid().as_raw().unsigned_abs();
    let rules = Rules {
        confinement: Confinement::Required,
        home: None,
        trace: None,
        readable: vec![],
        limits: Limits::default(),
        parent,
    };
    let mut request = Request { rules, report: false, command: vec![] };
    let mut args = args.into_iter();
    while let Some(option) = args.next() {
        let name = option.to_string_lossy().into_owned();
        match name.as_str() {
            "--" => {
                request.command = args.collect();
                break;
            }
            "--report" => request.report = true,
            _ => {
                let value = args.next().ok_or_else(|| format!("{SUBCOMMAND}: {name} needs a value"))?;
                request.set(&name, &value).ok_or_else(|| {
                    format!("{SUBCOMMAND}: {name} {}: no such option or value", value.to_string_lossy())
                })?;
            }
        }
    }
    if request.command.is_empty() && !request.report {
        return Err(format!("{SUBCOMMAND}: no command after `--`"));
    }
    Ok(request)
}

impl Request {
    fn set(&mut self, name: &str, value: &OsStr) -> Option<()> {
        let number = || value.to_str()?.parse::<u32>().ok();
        match name {
            "--home" => self.rules.home = Some(PathBuf::from(value)),
            "--trace" => self.rules.trace = Some(PathBuf::from(value)),
            "--read" => self.rules.readable.push(PathBuf::from(value)),
            "--level" => self.rules.confinement = Confinement::parse(value)?,
            "--memory" => self.rules.limits.memory_mib = Some(number()?),
            "--parent" => self.rules.parent = number()?,
            _ => return None,
        }
        Some(())
    }
}

fn report(rules: &Rules) {
    for protection in layers::apply(rules, None) {
        println!("{protection}");
    }
}

/// Why the command was not run.
#[derive(Debug, thiserror::Error)]
enum ConfineError {
    #[error(
        "generated calls cannot be confined on this machine: {missing}. Run on a kernel that has it (Linux 6.2 or later \
         with Landlock and seccomp), or accept the risk with --allow-weak-confinement"
    )]
    Missing { missing: String },
    #[error("the driver is gone")]
    Orphan,
    #[error("cannot {what}: {source}")]
    Io { what: String, source: io::Error },
}

/// Whether the protections in place are those that were asked for.
fn enough(wanted: Confinement, protections: Vec<Protection>) -> Result<(), ConfineError> {
    let missing: Vec<String> = protections
        .into_iter()
        .filter_map(|p| p.state.err().map(|reason| format!("no protection of {}: {reason}", p.layer)))
        .collect();
    if missing.is_empty() || wanted != Confinement::Required {
        return Ok(());
    }
    Err(ConfineError::Missing { missing: missing.join("; ") })
}

fn become_command(request: &Request) -> Result<(), ConfineError> {
    if request.rules.confinement == Confinement::None {
        become_unconfined(request)
    } else {
        become_confined(request)
    }
}

fn failed(what: &str) -> impl FnOnce(io::Error) -> ConfineError {
    let what = what.to_owned();
    move |source| ConfineError::Io { what, source }
}

fn become_unconfined(request: &Request) -> Result<(), ConfineError> {
    let paths = move_pipes().map_err(failed("move the pipes"))?;
    prctl::set_pdeathsig(Signal::SIGKILL)
        .map_err(|e| failed("ask for the end together with the driver")(e.into()))?;
    check_parent(&request.rules)?;
    let mut command = request.command.iter().map(|arg| replace(arg, &paths));
    let program = command.next().unwrap_or_default();
    let source = Command::new(&program).args(command).exec();
    Err(failed(&format!("run {}", program.to_string_lossy()))(source))
}

fn become_confined(request: &Request) -> Result<(), ConfineError> {
    close_inherited().map_err(failed("close what the caller left open"))?;
    let paths = move_pipes().map_err(failed("move the pipes"))?;
    let terminated = |text: OsString| {
        CString::new(text.into_vec()).map_err(|e| failed("pass on a text with a zero byte")(e.into()))
    };
    let args = request.command.iter().map(|arg| terminated(replace(arg, &paths)));
    let args = args.collect::<Result<Vec<CString>, _>>()?;
    let environment = std::env::vars_os().map(|(mut text, value)| {
        text.push("=");
        text.push(value);
        terminated(text)
    });
    let environment = environment.collect::<Result<Vec<CString>, _>>()?;
    // The filter lets this process become the program whose path stands at this very address.
    let program = args.first().cloned().unwrap_or_default();
    enough(request.rules.confinement, layers::apply(&request.rules, Some(&program)))?;
    // The end of a driver that died before this process asked to die with it went unnoticed.
    check_parent(&request.rules)?;
    let Err(source) = nix::unistd::execve(&program, &args, &environment);
    Err(failed(&format!("run {}", program.to_string_lossy()))(source.into()))
}

fn check_parent(rules: &Rules) -> Result<(), ConfineError> {
    let parent = nix::unistd::getppid().as_raw().unsigned_abs();
    if parent == rules.parent { Ok(()) } else { Err(ConfineError::Orphan) }
}

/// Closes all descriptors but standard input, output and error.
fn close_inherited() -> io::Result<()> {
    let mut open = vec![];
    for entry in std::fs::read_dir("/proc/self/fd")? {
        open.extend(entry?.file_name().to_string_lossy().parse::<i32>());
    }
    for descriptor in open.into_iter().filter(|&descriptor| descriptor > 2) {
        match nix::unistd::close(descriptor) {
            // That of the listing itself is closed already.
            Ok(()) | Err(nix::errno::Errno::EBADF) => {}
            Err(e) => return Err(e.into()),
        }
    }
    Ok(())
}

fn replace(arg: &OsStr, [input, output]: &[String; 2]) -> OsString {
    match arg.to_str() {
        Some(PIPE_IN) => input.into(),
        Some(PIPE_OUT) => output.into(),
        _ => arg.to_owned(),
    }
}

/// Moves standard input and output to descriptors that survive `exec`; gives their paths.
fn move_pipes() -> io::Result<[String; 2]> {
    // The duplicates stay open on purpose: the command inherits them.
    let input = nix::unistd::dup(io::stdin().as_fd())?.into_raw_fd();
    let output = nix::unistd::dup(io::stdout().as_fd())?.into_raw_fd();
    nix::unistd::dup2_stdin(File::open("/dev/null")?)?;
    nix::unistd::dup2_stdout(io::stderr().as_fd())?;
    Ok([input, output].map(|fd| format!("/proc/self/fd/{fd}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_command_line_says_what_the_rules_say() {
        let limits = Limits { memory_mib: Some(512) };
        let rules = Rules {
            confinement: Confinement::Available,
            home: Some(PathBuf::from("/h")),
            trace: Some(PathBuf::from("/t/1.trace")),
            readable: vec![PathBuf::from("/a"), PathBuf::from("/b")],
            limits,
            parent: 42,
        };
        let command = rules.command(Path::new("dynaflow"), Path::new("java"), &args("-x --home y"));
        let request = parse(command.get_args().skip(1).map(OsStr::to_owned).collect()).unwrap();
        assert_eq!(request.rules, rules);
        assert_eq!(request.command, args("java -x --home y"));
    }

    #[test]
    fn a_missing_protection_is_named_and_refused_unless_the_user_takes_what_there_is() {
        let there = Protection { layer: Layer::Network, state: Ok("seccomp".into()) };
        let missing = Protection { layer: Layer::Files, state: Err("the kernel has no Landlock".into()) };
        assert!(enough(Confinement::Required, vec![there.clone()]).is_ok());
        assert!(enough(Confinement::Available, vec![there.clone(), missing.clone()]).is_ok());
        let error = enough(Confinement::Required, vec![there, missing]).unwrap_err().to_string();
        assert!(error.contains("no protection of files: the kernel has no Landlock"), "{error}");
        assert!(error.contains("--allow-weak-confinement") && !error.contains("network"), "{error}");
    }

    #[test]
    fn a_wrong_command_line_is_refused() {
        assert!(parse(args("--level much -- java")).unwrap_err().contains("--level much"));
        assert!(parse(args("--read /a")).unwrap_err().contains("no command"));
        assert!(parse(args("--read")).unwrap_err().contains("needs a value"));
    }
}
