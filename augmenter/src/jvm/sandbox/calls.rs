//! The two seccomp filters: which system calls there are at all, and which of them are refused with "permission denied".
//!
//! Knows nothing of files and Java. A call is allowed when both filters allow it; of two refusals the newer filter's counts. The
//! older one refuses, with `EACCES`, what programs ask for and must not have; the newer one knows the list of what is
//! allowed, and what is not in it does not exist (`ENOSYS`), so that a C library falls back to what does.
//! Invariant: afterwards this process makes threads and no processes, and becomes nothing but the one program.

use super::allowed::{ALLOWED, DENIED, Group};
use nix::libc;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen as Len, SeccompCmpOp as Op, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch,
};
use std::collections::BTreeMap;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Puts both filters in place. The program to become is known by the address of its path, which the new image does not have;
/// `network_is_apart` says that sockets of the internet families reach nobody.
pub fn filter(program: u64, network_is_apart: bool) -> Result<(), String> {
    let failed = |e: &dyn std::fmt::Display| format!("seccomp: {e}");
    let refuse = SeccompAction::Errno(libc::EACCES.unsigned_abs());
    let denied = denied(program, network_is_apart).map_err(|e| failed(&e))?;
    let known = known(&denied).map_err(|e| failed(&e))?;
    let absent = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    let older = build(denied, SeccompAction::Allow, refuse).map_err(|e| failed(&e))?;
    let newer = build(known, absent, SeccompAction::Allow).map_err(|e| failed(&e))?;
    seccompiler::apply_filter(&older).map_err(|e| failed(&e))?;
    seccompiler::apply_filter(&newer).map_err(|e| failed(&e))
}

fn build(
    rules: Rules,
    otherwise: SeccompAction,
    matching: SeccompAction,
) -> Result<BpfProgram, BackendError> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    SeccompFilter::new(rules, otherwise, matching, arch)?.try_into()
}

/// What is refused, and under which conditions.
fn denied(program: u64, network_is_apart: bool) -> Result<Rules, BackendError> {
    let mut rules = Rules::new();
    for (_, call) in all(DENIED) {
        rules.insert(*call, vec![]);
    }
    let own = u64::from(std::process::id());
    for call in [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo] {
        rules.insert(call, vec![rule(&[(0, Len::Dword, Op::Ne, own)])?]);
    }
    let thread = unsigned(libc::CLONE_THREAD);
    rules.insert(libc::SYS_clone, vec![rule(&[(0, Len::Qword, Op::MaskedEq(thread), 0)])?]);
    rules.insert(libc::SYS_execve, vec![rule(&[(0, Len::Qword, Op::Ne, program)])?]);
    rules.insert(libc::SYS_prlimit64, vec![rule(&[(0, Len::Dword, Op::Ne, 0)])?]);
    rules.insert(libc::SYS_socket, sockets(network_is_apart)?);
    Ok(rules)
}

/// Sockets that are refused: all, or all but those of the internet families when the network is apart anyway.
fn sockets(network_is_apart: bool) -> Result<Vec<SeccompRule>, BackendError> {
    if !network_is_apart {
        return Ok(vec![]);
    }
    let not = |family: i32| (0, Len::Dword, Op::Ne, unsigned(family));
    Ok(vec![rule(&[not(libc::AF_INET), not(libc::AF_INET6)])?])
}

/// What there is: the list, what the other filter judges, and some calls with some of their arguments.
fn known(denied: &Rules) -> Result<Rules, BackendError> {
    let mut rules = Rules::new();
    for call in all(ALLOWED).map(|(_, call)| call).chain(denied.keys()) {
        rules.insert(*call, vec![]);
    }
    rules.insert(libc::SYS_fcntl, one_of(1, FCNTL)?);
    rules.insert(libc::SYS_ioctl, one_of(1, IOCTL)?);
    rules.insert(libc::SYS_prctl, one_of(0, PRCTL)?);
    Ok(rules)
}

fn all(groups: &'static [Group]) -> impl Iterator<Item = &'static (&'static str, i64)> {
    groups.iter().flat_map(|group| group.calls)
}

fn one_of(argument: u8, values: &[(&str, u64)]) -> Result<Vec<SeccompRule>, BackendError> {
    values.iter().map(|(_, value)| rule(&[(argument, Len::Dword, Op::Eq, *value)])).collect()
}

fn rule(conditions: &[(u8, Len, Op, u64)]) -> Result<SeccompRule, BackendError> {
    let conditions = conditions
        .iter()
        .map(|(argument, length, operator, value)| {
            SeccompCondition::new(*argument, length.clone(), operator.clone(), *value)
        })
        .collect::<Result<_, _>>()?;
    SeccompRule::new(conditions)
}

const fn unsigned(value: i32) -> u64 {
    value.unsigned_abs() as u64
}

/// Duplicates, flags and locks; not who gets the signals of a file.
pub const FCNTL: &[(&str, u64)] = &[
    ("F_DUPFD", unsigned(libc::F_DUPFD)),
    ("F_DUPFD_CLOEXEC", unsigned(libc::F_DUPFD_CLOEXEC)),
    ("F_GETFD", unsigned(libc::F_GETFD)),
    ("F_SETFD", unsigned(libc::F_SETFD)),
    ("F_GETFL", unsigned(libc::F_GETFL)),
    ("F_SETFL", unsigned(libc::F_SETFL)),
    ("F_GETLK", unsigned(libc::F_GETLK)),
    ("F_SETLK", unsigned(libc::F_SETLK)),
    ("F_SETLKW", unsigned(libc::F_SETLKW)),
    ("F_OFD_GETLK", unsigned(libc::F_OFD_GETLK)),
    ("F_OFD_SETLK", unsigned(libc::F_OFD_SETLK)),
    ("F_OFD_SETLKW", unsigned(libc::F_OFD_SETLKW)),
];

/// Whether a file is a terminal, what it has to read, whether it blocks; reading the state of network interfaces.
pub const IOCTL: &[(&str, u64)] = &[
    ("TCGETS", libc::TCGETS),
    ("FIONREAD", libc::FIONREAD),
    ("FIONBIO", libc::FIONBIO),
    ("SIOCGIFCONF", 0x8912),
    ("SIOCGIFFLAGS", 0x8913),
    ("SIOCGIFADDR", 0x8915),
    ("SIOCGIFBRDADDR", 0x8919),
    ("SIOCGIFNETMASK", 0x891b),
    ("SIOCGIFMTU", 0x8921),
    ("SIOCGIFHWADDR", 0x8927),
    ("SIOCGIFINDEX", 0x8933),
];

/// Names of threads and memory, and what the vector unit has.
pub const PRCTL: &[(&str, u64)] = &[
    ("PR_SET_NAME", unsigned(libc::PR_SET_NAME)),
    ("PR_GET_NAME", unsigned(libc::PR_GET_NAME)),
    ("PR_GET_DUMPABLE", unsigned(libc::PR_GET_DUMPABLE)),
    ("PR_GET_NO_NEW_PRIVS", unsigned(libc::PR_GET_NO_NEW_PRIVS)),
    ("PR_SET_VMA", 0x5356_4d41),
    ("PR_SVE_GET_VL", 51),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The calls named in backticks in the rows of a table of docs/sandbox.md, by the first cell.
    fn documented(section: &str) -> BTreeMap<String, BTreeSet<String>> {
        let text = include_str!("../../../../docs/sandbox.md");
        let part = text.split(section).nth(1).unwrap().split("\n## ").next().unwrap();
        let rows = part.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
        rows.map(|row| {
            let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
            assert!(cells.len() == 3 && cells[2].len() > 10, "a reason is missing: {row}");
            let names = cells[1].split('`').skip(1).step_by(2).map(str::to_owned).collect();
            (cells[0].to_owned(), names)
        })
        .collect()
    }

    fn in_code(groups: &[Group]) -> BTreeMap<String, BTreeSet<String>> {
        let name = |(name, _): &(&str, i64)| name.trim_start_matches("SYS_").to_owned();
        groups.iter().map(|group| (group.name.to_owned(), group.calls.iter().map(name).collect())).collect()
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_documentation_lists_exactly_these_calls() {
        assert_eq!(documented("## Allowed\n"), in_code(ALLOWED));
        assert_eq!(documented("## Refused\n"), in_code(DENIED));
        let names = |values: &[(&str, u64)]| values.iter().map(|(name, _)| (*name).to_owned()).collect();
        let partly: BTreeMap<String, BTreeSet<String>> =
            [("fcntl", FCNTL), ("ioctl", IOCTL), ("prctl", PRCTL)]
                .map(|(call, values)| (call.to_owned(), names(values)))
                .into();
        assert_eq!(documented("## Allowed with some arguments\n"), partly);
    }

    #[test]
    fn no_call_is_both_allowed_and_refused() {
        let allowed: BTreeSet<i64> = all(ALLOWED).map(|(_, call)| *call).collect();
        assert_eq!(allowed.len(), all(ALLOWED).count());
        assert!(denied(1, true).unwrap().keys().all(|call| !allowed.contains(call)));
    }
}
