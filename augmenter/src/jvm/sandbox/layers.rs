//! The protections themselves, one after the other: namespaces, a folder of limited size, resource limits, Landlock, seccomp.
//! Knows nothing of commands. Invariant: what could not be put in place is reported with its reason.

use super::rules::{Limits, Rules};
use super::{calls, files};
use nix::mount::{MsFlags, mount};
use nix::sched::CloneFlags;
use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::Signal;
use std::ffi::CStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Largest file a confined process may write: a trace must fit.
const LARGEST_FILE: u64 = 1 << 30;
/// Most threads of a confined process.
const MOST_THREADS: u64 = 2048;
/// What the private folder holds at most: bytes, and files and folders.
pub const MOST_BYTES: u64 = 128 << 20;
/// See [`MOST_BYTES`].
pub const MOST_FILES: u64 = 16 << 10;

/// What is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The user's files.
    Files,
    /// Room on the user's disks.
    Disk,
    /// Other machines and services of this one.
    Network,
    /// Other processes.
    Processes,
    /// Memory, file size, number of threads.
    Resources,
}

impl std::fmt::Display for Layer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Files => "files",
            Self::Disk => "disk",
            Self::Network => "network",
            Self::Processes => "processes",
            Self::Resources => "resources",
        })
    }
}

/// One protection: by what means, or why it is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Protection {
    /// What is protected.
    pub layer: Layer,
    /// The mechanism in place, or what is missing.
    pub state: Result<String, String>,
}

impl std::fmt::Display for Protection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.state {
            Ok(how) => write!(f, "{}: {how}", self.layer),
            Err(missing) => write!(f, "{}: MISSING: {missing}", self.layer),
        }
    }
}

/// Takes the rights away from this process, for good, but for becoming `program`. Needs a process with one thread.
pub fn apply(rules: &Rules, program: Option<&CStr>) -> Vec<Protection> {
    let namespaces = enter_namespaces();
    let disk = limit_disk(rules.home.as_deref(), namespaces.is_ok());
    let resources = limit_resources(rules.limits, namespaces.is_ok());
    let path = program.map(|p| Path::new(std::ffi::OsStr::from_bytes(p.to_bytes())));
    let landlock = files::restrict(rules, path);
    // After the namespaces, as changing credentials clears it; before the filter, which does not let it be taken back.
    let with_driver = prctl::set_pdeathsig(Signal::SIGKILL).map_err(|e| format!("end with the driver: {e}"));
    let filter = calls::filter(program.map_or(0, |p| p.as_ptr().addr() as u64), namespaces.is_ok());
    let signals_scoped = landlock.as_ref().is_ok_and(files::scopes_signals);
    let scope = if signals_scoped { " and Landlock signal scope" } else { "" };
    let processes = filter.clone().and(with_driver).map(|()| format!("seccomp{scope}"));
    let files = landlock.as_ref().map_err(Clone::clone).and_then(files::describe);
    vec![
        Protection { layer: Layer::Files, state: files },
        Protection { layer: Layer::Disk, state: Ok(disk) },
        Protection { layer: Layer::Network, state: network(&namespaces, &filter) },
        Protection { layer: Layer::Processes, state: processes },
        Protection { layer: Layer::Resources, state: resources },
    ]
}

fn network(namespaces: &Result<(), String>, filter: &Result<(), String>) -> Result<String, String> {
    match (namespaces, filter) {
        (Ok(()), Ok(())) => Ok("network namespace, seccomp against local sockets".to_owned()),
        (Err(reason), Ok(())) => Ok(format!("seccomp against all sockets (no network namespace: {reason})")),
        (_, Err(reason)) => Err(reason.clone()),
    }
}

/// A user namespace, so that the others need no privilege. The user keeps the own id and loses all others.
fn enter_namespaces() -> Result<(), String> {
    let (uid, gid) = (nix::unistd::geteuid(), nix::unistd::getegid());
    let apart = CloneFlags::CLONE_NEWUSER
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWNS;
    nix::sched::unshare(apart).map_err(|e| format!("unshare: {e}"))?;
    // Without a mapping the process goes on as `nobody` in its own eyes; the kernel still knows the owner of its files.
    let map = |file: &str, text: String| {
        if let Err(e) = std::fs::write(file, text) {
            tracing::debug!("{file}: {e}");
        }
    };
    map("/proc/self/setgroups", "deny".to_owned());
    map("/proc/self/uid_map", format!("{uid} {uid} 1"));
    map("/proc/self/gid_map", format!("{gid} {gid} 1"));
    Ok(())
}

/// Puts a file system of limited size, in memory, where the private folder is; elsewhere the driver watches how much is in it.
fn limit_disk(home: Option<&Path>, own_namespaces: bool) -> String {
    let watched = |why: String| format!("the driver watches how much is written ({why})");
    if !own_namespaces {
        return watched("no mount namespace".to_owned());
    }
    match home.map_or(Ok(()), small_disk) {
        Ok(()) => format!("{} MiB in memory", MOST_BYTES >> 20),
        Err(e) => watched(e.to_string()),
    }
}

fn small_disk(home: &Path) -> io::Result<()> {
    let here = std::env::current_dir()?;
    let nothing: Option<&str> = None;
    mount(nothing, "/", nothing, MsFlags::MS_REC | MsFlags::MS_PRIVATE, nothing)?;
    let size = format!("size={MOST_BYTES},nr_inodes={MOST_FILES},mode=0700");
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    mount(Some("tmpfs"), home, Some("tmpfs"), flags, Some(size.as_str()))?;
    std::fs::create_dir(home.join("tmp"))?;
    // The working folder may be the one that is hidden now.
    std::env::set_current_dir(here)
}

/// The lower one of our limit and the caller's counts.
fn limit_resources(limits: Limits, own_namespace: bool) -> Result<String, String> {
    let set = |resource, value: u64| {
        let lower = getrlimit(resource).map(|(soft, hard)| (soft.min(value), hard.min(value)));
        lower
            .and_then(|(soft, hard)| setrlimit(resource, soft, hard))
            .map_err(|e| format!("{resource:?}: {e}"))
    };
    set(Resource::RLIMIT_CORE, 0)?;
    set(Resource::RLIMIT_FSIZE, LARGEST_FILE)?;
    if let Some(mib) = limits.memory_mib {
        set(Resource::RLIMIT_DATA, u64::from(mib) << 20)?;
    }
    // Counted per user: in a namespace of its own the process is alone, elsewhere the limit would hit the user's others.
    if own_namespace {
        set(Resource::RLIMIT_NPROC, MOST_THREADS)?;
    }
    Ok("limits on file size, core dumps and threads".to_owned())
}
