//! The protections themselves: Landlock for files, a network namespace for connections, seccomp and Landlock for signals,
//! resource limits. Knows nothing of commands. Invariant: what could not be put in place is reported with its reason.

use super::Rules;
use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, LandlockStatus, PathBeneath, PathFd, RestrictionStatus,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use nix::libc;
use nix::sched::CloneFlags;
use nix::sys::resource::{Resource, setrlimit};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};
use std::collections::BTreeMap;
use std::path::Path;

/// Limits on what a process uses up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Most private memory, in MiB; none leaves it as it is. A JVM needs about 1.5 GiB besides its heap.
    pub memory_mib: Option<u32>,
}

/// Largest file a confined process may write: enough for a trace, too little to fill a disk at once.
const LARGEST_FILE: u64 = 4 << 30;
/// Most threads and processes of a confined process.
const MOST_THREADS: u64 = 2048;

/// What is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The user's files.
    Files,
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

/// Takes the rights away from this process, for good. Needs a process with one thread.
pub fn apply(rules: &Rules) -> Vec<Protection> {
    let namespaces = enter_namespaces();
    let resources = limit_resources(rules.limits, namespaces.is_ok());
    let landlock = restrict_files(&rules.writable);
    let filter = filter_calls(namespaces.is_ok());
    let files = landlock.as_ref().map_err(Clone::clone).and_then(describe_files);
    let signals_scoped = landlock.as_ref().is_ok_and(scopes_signals);
    let scope = if signals_scoped { " and Landlock signal scope" } else { "" };
    vec![
        Protection { layer: Layer::Files, state: files },
        Protection { layer: Layer::Network, state: network(&namespaces, &filter) },
        Protection { layer: Layer::Processes, state: filter.map(|()| format!("seccomp{scope}")) },
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

/// A user namespace, so that a network namespace needs no privilege. The user keeps the own id and loses all others.
fn enter_namespaces() -> Result<(), String> {
    let (uid, gid) = (nix::unistd::geteuid(), nix::unistd::getegid());
    nix::sched::unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNET | CloneFlags::CLONE_NEWIPC)
        .map_err(|e| format!("unshare: {e}"))?;
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

fn limit_resources(limits: Limits, own_namespace: bool) -> Result<String, String> {
    let set =
        |resource, value: u64| setrlimit(resource, value, value).map_err(|e| format!("{resource:?}: {e}"));
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

/// Everything may be read, the given folders and harmless devices written, the JVM and what links it executed.
fn restrict_files(writable: &[std::path::PathBuf]) -> Result<RestrictionStatus, String> {
    let restrict = || -> Result<RestrictionStatus, RulesetError> {
        let all = AccessFs::from_all(ABI::V5);
        let mut rules = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(all)?
            .scope(Scope::Signal | Scope::AbstractUnixSocket)?
            .create()?;
        rules = allow(rules, Path::new("/"), AccessFs::ReadFile | AccessFs::ReadDir)?;
        for device in ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"] {
            rules = allow(
                rules,
                Path::new(device),
                AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev,
            )?;
        }
        for folder in writable {
            rules = allow(rules, folder, all & !AccessFs::Execute)?;
        }
        for folder in executable() {
            rules = allow(rules, &folder, AccessFs::Execute.into())?;
        }
        rules.restrict_self()
    };
    restrict().map_err(|e| format!("Landlock: {e}"))
}

fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: landlock::BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    // What is not there needs no rule.
    let Ok(fd) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(ABI::V5) };
    rules.add_rule(PathBeneath::new(fd, access))
}

/// The program to become (last of our own arguments) and where dynamic loaders stand. Nothing else: a confined program
/// starts no other programs, so none can outlive it.
fn executable() -> Vec<std::path::PathBuf> {
    let program = std::env::args_os().skip_while(|arg| arg != "--").nth(1);
    let loaders = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store"];
    program.into_iter().map(Into::into).chain(loaders.map(Into::into)).collect()
}

fn describe_files(status: &RestrictionStatus) -> Result<String, String> {
    match (status.landlock, &status.ruleset) {
        (LandlockStatus::NotEnabled, _) => {
            Err("Landlock is in the kernel but not enabled (add `landlock` to the kernel's lsm= option)"
                .to_owned())
        }
        (LandlockStatus::NotImplemented, _) => {
            Err("the kernel has no Landlock (it came with Linux 5.13)".to_owned())
        }
        (_, RulesetStatus::NotEnforced) => Err("Landlock did not take the rules".to_owned()),
        (LandlockStatus::Available { effective_abi, .. }, _) => Ok(format!("Landlock {effective_abi:?}")),
    }
}

fn scopes_signals(status: &RestrictionStatus) -> bool {
    matches!(status.landlock, LandlockStatus::Available { effective_abi, .. } if effective_abi >= ABI::V6)
}

/// Forbids system calls that reach other processes, sockets that no network namespace keeps apart, and changes of owner,
/// permissions and times of files, which Landlock does not know.
fn filter_calls(network_is_apart: bool) -> Result<(), String> {
    let own = u64::from(std::process::id());
    let build = || -> Result<BpfProgram, seccompiler::BackendError> {
        let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
        for call in [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo]
        {
            let others = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, own)?;
            rules.insert(call, vec![SeccompRule::new(vec![others])?]);
        }
        for call in FORBIDDEN {
            rules.insert(*call, vec![]);
        }
        rules.insert(libc::SYS_socket, sockets(network_is_apart)?);
        let refuse = SeccompAction::Errno(libc::EACCES.unsigned_abs());
        let arch = TargetArch::try_from(std::env::consts::ARCH)?;
        SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch)?.try_into()
    };
    let program = build().map_err(|e| format!("seccomp: {e}"))?;
    seccompiler::apply_filter(&program).map_err(|e| format!("seccomp: {e}"))
}

/// Sockets that are refused: all, or all but those of the internet families when the network is apart anyway.
fn sockets(network_is_apart: bool) -> Result<Vec<SeccompRule>, seccompiler::BackendError> {
    if !network_is_apart {
        return Ok(vec![]);
    }
    let family = |family: i32| {
        let value = u64::from(family.unsigned_abs());
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, value)
    };
    Ok(vec![SeccompRule::new(vec![family(libc::AF_INET)?, family(libc::AF_INET6)?])?])
}

const FORBIDDEN: &[i64] = &[
    libc::SYS_tkill,
    libc::SYS_pidfd_send_signal,
    libc::SYS_pidfd_open,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_io_uring_setup,
    libc::SYS_truncate,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    SYS_FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// The same number on every architecture; newer than the libc bindings of some.
const SYS_FCHMODAT2: i64 = 452;
