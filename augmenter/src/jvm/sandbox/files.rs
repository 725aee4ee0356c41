//! Which files a confined process reads, writes and executes: a Landlock rule for each folder and file it needs, nothing else.
//!
//! Knows nothing of commands. Invariant: besides its own folder and its trace nothing can be written, and the user's files can be
//! read where the rules name them only.

use super::rules::Rules;
use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, LandlockStatus, PathBeneath, PathFd,
    RestrictionStatus, Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus,
    Scope,
};
use std::os::fd::{AsFd, IntoRawFd};
use std::path::{Path, PathBuf};

const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Where the dynamic loader and system libraries stand.
const LIBRARIES: &[&str] =
    &["/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/nix/store"];

/// What libraries of the system and of the JDK read: time zones, fonts, certificates, names of hosts and users, what the
/// machine has. All of it is the same for every user.
const SYSTEM: &[&str] = &[
    "/usr/share/zoneinfo",
    "/usr/share/locale",
    "/usr/share/i18n",
    "/usr/share/fonts",
    "/usr/share/fontconfig",
    "/usr/share/java",
    "/usr/share/ca-certificates",
    "/usr/share/crypto-policies",
    "/usr/share/pki",
    "/usr/local/share/fonts",
    "/var/cache/fontconfig",
    "/etc/fonts",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/pki",
    "/etc/crypto-policies",
    "/etc/ca-certificates",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/locale.alias",
    "/etc/nsswitch.conf",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/resolv.conf",
    "/etc/gai.conf",
    "/etc/protocols",
    "/etc/services",
    "/etc/passwd",
    "/etc/group",
    "/etc/os-release",
    "/etc/lsb-release",
    "/etc/mime.types",
    "/proc/cgroups",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/uptime",
    "/proc/version",
    "/proc/vmstat",
    "/proc/sys",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm",
];

/// Takes away what the rules do not name.
pub fn restrict(rules: &Rules, program: Option<&Path>) -> Result<RestrictionStatus, String> {
    try_restrict(rules, program).map_err(|e| format!("Landlock: {e}"))
}

fn try_restrict(rules: &Rules, program: Option<&Path>) -> Result<RestrictionStatus, RulesetError> {
    let all = AccessFs::from_all(ABI::V5);
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let mut set = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)?
        .scope(Scope::Signal | Scope::AbstractUnixSocket)?
        .create()?;
    for device in DEVICES {
        set = allow(set, Path::new(device), AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev)?;
    }
    for path in LIBRARIES.iter().chain(SYSTEM) {
        set = allow(set, Path::new(path), read)?;
    }
    for path in
        rules.readable.iter().map(PathBuf::as_path).chain(java_settings().iter().map(PathBuf::as_path))
    {
        set = allow(set, path, read)?;
    }
    if let Some(home) = &rules.home {
        let own = all & !(AccessFs::Execute | AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeSock);
        set = allow(set, home, own)?;
    }
    if let Some(trace) = &rules.trace {
        set = allow(set, trace, AccessFs::WriteFile.into())?;
    }
    // Becoming a program reads it.
    for path in program.into_iter().chain(LIBRARIES.iter().map(Path::new)) {
        set = allow(set, path, AccessFs::Execute | AccessFs::ReadFile)?;
    }
    allow_itself(set, read)?.restrict_self()
}

fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    // What is not there needs no rule.
    let Ok(fd) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(ABI::V5) };
    rules.add_rule(PathBeneath::new(fd, access))
}

/// What `/proc` says of the process itself. A rule holds for an inode, and the kernel may forget that of this folder and make
/// another one later; as long as a descriptor of it is open it does not, so one stays open on purpose.
fn allow_itself(rules: RulesetCreated, access: BitFlags<AccessFs>) -> Result<RulesetCreated, RulesetError> {
    let Ok(fd) = PathFd::new("/proc/self") else { return Ok(rules) };
    if let Ok(stays) = nix::unistd::dup(fd.as_fd()) {
        let _open_until_the_end = stays.into_raw_fd();
    }
    rules.add_rule(PathBeneath::new(fd, access))
}

/// Linux distributions keep settings of a JDK in `/etc/java...`, linked from its folder.
fn java_settings() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("/etc").into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("java"))
        .map(|entry| entry.path())
        .collect()
}

/// The mechanism, or what is missing of it.
pub fn describe(status: &RestrictionStatus) -> Result<String, String> {
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

/// Whether signals to other processes are refused by Landlock too.
pub fn scopes_signals(status: &RestrictionStatus) -> bool {
    matches!(status.landlock, LandlockStatus::Available { effective_abi, .. } if effective_abi >= ABI::V6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_classfile::Constant;
    use std::collections::BTreeSet;

    const LOOKS: &str = "java.lang.DynaflowOutsideLooks";

    #[test]
    fn looks_at_what_a_worker_may_read_are_no_effects() {
        let (_, bytes) = dynaflow_java_shim::RECORDER.iter().find(|(name, _)| *name == LOOKS).unwrap();
        let class = dynaflow_classfile::ClassFile::parse(bytes).unwrap();
        let texts: BTreeSet<String> = class
            .pool
            .iter()
            .filter_map(|(_, constant)| match constant {
                Constant::Utf8(text) => Some(text.to_string()),
                _ => None,
            })
            .collect();
        let ours: BTreeSet<&str> = [DEVICES, LIBRARIES, SYSTEM].concat().into_iter().collect();
        let missing: Vec<_> = ours.iter().filter(|path| !texts.contains(**path)).collect();
        assert!(missing.is_empty(), "{LOOKS} does not know {missing:?}");
        // What only the process itself shows, and where the JVM seeks what is seldom there.
        let besides = ["/etc/java", "/etc/mtab", "/proc/mounts", "/proc/self", "/usr/java/packages/lib"];
        let more: Vec<_> = texts
            .iter()
            .filter(|text| text.starts_with('/') && text.len() > 4 && !ours.contains(text.as_str()))
            .collect();
        assert_eq!(more, besides);
    }
}
