//! Confines a process before it becomes a JVM: the hidden subcommand `__confined` of our own binary.
//!
//! In: what may be written, and a command. Out: that command, running confined. It knows nothing of Java.
//!
//! The driver never starts `java` itself: it starts this binary again, which takes rights away from itself and then turns
//! into the command (`exec`, so the process id stays the driver's child). A fresh process with one thread is the only
//! place where namespaces and rules can be set without unsafe code between `fork` and `exec`.
//!
//! The pipes the driver holds come in as standard input and output. They are moved to other descriptors, whose paths
//! replace [`PIPE_IN`] and [`PIPE_OUT`] among the arguments, and standard output becomes standard error: whatever the
//! program or the JVM prints cannot get between protocol messages.
//!
//! Invariant: with [`Confinement::Required`], the command runs with every protection or not at all.

mod layers;

use nix::sys::prctl;
use nix::sys::signal::Signal;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, IntoRawFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

pub use layers::{Layer, Limits, Protection};

/// The hidden subcommand.
pub const SUBCOMMAND: &str = "__confined";
/// Argument that is replaced by the path of the pipe from the driver.
pub const PIPE_IN: &str = "@pipe-in@";
/// Argument that is replaced by the path of the pipe to the driver.
pub const PIPE_OUT: &str = "@pipe-out@";
/// Exit status when confining failed; the reason stands on standard error.
pub const EXIT_NOT_CONFINED: u8 = 125;

/// How much protection a process needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confinement {
    /// All of it; the process does not run when the kernel lacks a mechanism.
    Required,
    /// As much as the kernel offers: the user's explicit choice.
    Available,
    /// None but the end together with the driver: for the user's own tests.
    None,
}

impl Confinement {
    fn name(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::Available => "available",
            Self::None => "none",
        }
    }

    fn parse(name: &OsStr) -> Option<Self> {
        [Self::Required, Self::Available, Self::None].into_iter().find(|c| name == c.name())
    }
}

/// What a confined process may do.
#[derive(Clone, Debug)]
pub struct Rules {
    /// How much of the rest is enforced.
    pub confinement: Confinement,
    /// Folders it may write to.
    pub writable: Vec<PathBuf>,
    /// Its resource limits.
    pub limits: Limits,
    /// The process it dies with.
    pub parent: u32,
}

impl Rules {
    /// The command that starts `program` through the launcher, with these rules.
    pub fn command(&self, launcher: &Path, program: &Path, args: &[OsString]) -> Command {
        let mut command = Command::new(launcher);
        command.arg(SUBCOMMAND).arg("--level").arg(self.confinement.name());
        command.arg("--parent").arg(self.parent.to_string());
        for folder in &self.writable {
            command.arg("--write").arg(folder);
        }
        if let Some(mib) = self.limits.memory_mib {
            command.arg("--memory").arg(mib.to_string());
        }
        command.arg("--").arg(program).args(args);
        command
    }
}

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
    let output = Command::new(launcher).args([SUBCOMMAND, "--report"]).stdin(Stdio::null()).output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn parse(args: Vec<OsString>) -> Result<Request, String> {
    let parent = nix::unistd::getppid().as_raw().unsigned_abs();
    let rules =
        Rules { confinement: Confinement::Required, writable: vec![], limits: Limits::default(), parent };
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
            "--write" => self.rules.writable.push(PathBuf::from(value)),
            "--level" => self.rules.confinement = Confinement::parse(value)?,
            "--memory" => self.rules.limits.memory_mib = Some(number()?),
            "--parent" => self.rules.parent = number()?,
            _ => return None,
        }
        Some(())
    }
}

fn report(rules: &Rules) {
    for protection in layers::apply(rules) {
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
    let failed = |what: &str| {
        let what = what.to_owned();
        move |source: nix::Error| ConfineError::Io { what, source: source.into() }
    };
    let paths =
        move_pipes().map_err(|source| ConfineError::Io { what: "move the pipes".to_owned(), source })?;
    if request.rules.confinement != Confinement::None {
        let protections = layers::apply(&request.rules);
        enough(request.rules.confinement, protections)?;
    }
    // After the namespaces: changing credentials clears it. Then make sure the driver did not die before.
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(failed("ask for the end together with the driver"))?;
    if nix::unistd::getppid().as_raw().unsigned_abs() != request.rules.parent {
        return Err(ConfineError::Orphan);
    }
    let args = request.command.iter().map(|arg| replace(arg, &paths));
    let (program, args) = split(args.collect());
    let source = Command::new(&program).args(args).exec();
    Err(ConfineError::Io { what: format!("run {}", program.to_string_lossy()), source })
}

fn split(mut command: Vec<OsString>) -> (OsString, Vec<OsString>) {
    let rest = command.split_off(command.len().min(1));
    (command.pop().unwrap_or_default(), rest)
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
        let writable = vec![PathBuf::from("/a"), PathBuf::from("/b")];
        let rules =
            Rules { confinement: Confinement::Available, writable: writable.clone(), limits, parent: 42 };
        let command = rules.command(Path::new("dynaflow"), Path::new("java"), &args("-x --write y"));
        let request = parse(command.get_args().skip(1).map(OsStr::to_owned).collect()).unwrap();
        assert_eq!(request.rules.confinement, Confinement::Available);
        assert_eq!(request.rules.writable, writable);
        assert_eq!((request.rules.limits.memory_mib, request.rules.parent), (Some(512), 42));
        assert_eq!(request.command, args("java -x --write y"));
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
        assert!(parse(args("--write /a")).unwrap_err().contains("no command"));
        assert!(parse(args("--write")).unwrap_err().contains("needs a value"));
    }
}
