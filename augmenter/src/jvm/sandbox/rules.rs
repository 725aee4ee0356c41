//! What a confined process may do, and the command line that says so to the launcher.
//!
//! Knows no mechanism. Invariant: a command line gives the rules it was made from.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The hidden subcommand.
pub const SUBCOMMAND: &str = "__confined";

/// Limits on what a process uses up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Most private memory, in MiB; none leaves it as it is. A JVM needs about 1.5 GiB besides its heap.
    pub memory_mib: Option<u32>,
}

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

    /// The one with a name.
    pub fn parse(name: &OsStr) -> Option<Self> {
        [Self::Required, Self::Available, Self::None].into_iter().find(|c| name == c.name())
    }
}

/// What a confined process may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// How much of the rest is enforced.
    pub confinement: Confinement,
    /// The folder that is its own: it may write there, within limits, and nobody else looks into it.
    pub home: Option<PathBuf>,
    /// A file that is there and that it may write.
    pub trace: Option<PathBuf>,
    /// Folders and files it may read, besides what belongs to the system.
    pub readable: Vec<PathBuf>,
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
        let named = [("--home", &self.home), ("--trace", &self.trace)];
        for (option, path) in named.into_iter().filter_map(|(option, path)| Some((option, path.as_ref()?))) {
            command.arg(option).arg(path);
        }
        for path in &self.readable {
            command.arg("--read").arg(path);
        }
        if let Some(mib) = self.limits.memory_mib {
            command.arg("--memory").arg(mib.to_string());
        }
        command.arg("--").arg(program).args(args);
        command
    }
}
