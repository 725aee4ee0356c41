//! The system calls a confined process has, in groups, and those it is refused with "permission denied".
//!
//! Knows nothing of filters. Invariant: docs/sandbox.md lists exactly these (a test holds the two together), and whatever
//! stands in neither table does not exist for the process.

use nix::libc;

/// System calls that are allowed for one reason.
#[derive(Debug)]
pub struct Group {
    /// What they do; the first cell of their row in the documentation.
    pub name: &'static str,
    /// The calls: kernel name and number.
    pub calls: &'static [(&'static str, i64)],
}

/// Names as the kernel has them, with the numbers of this architecture.
macro_rules! calls {
    ($($name:ident),* $(,)?) => {
        &[$((stringify!($name), libc::$name)),*]
    };
}

/// What a JVM and pure computation in it need.
pub const ALLOWED: &[Group] = &[
    Group {
        name: "memory",
        calls: calls![
            SYS_brk,
            SYS_madvise,
            SYS_mincore,
            SYS_mmap,
            SYS_mprotect,
            SYS_mremap,
            SYS_msync,
            SYS_munmap,
        ],
    },
    Group {
        name: "threads",
        calls: &[
            ("SYS_exit", libc::SYS_exit),
            ("SYS_exit_group", libc::SYS_exit_group),
            ("SYS_futex", libc::SYS_futex),
            // The same numbers on every architecture, newer than the bindings.
            ("SYS_futex_requeue", 456),
            ("SYS_futex_wait", 455),
            ("SYS_futex_waitv", libc::SYS_futex_waitv),
            ("SYS_futex_wake", 454),
            ("SYS_get_mempolicy", libc::SYS_get_mempolicy),
            ("SYS_get_robust_list", libc::SYS_get_robust_list),
            ("SYS_getcpu", libc::SYS_getcpu),
            ("SYS_map_shadow_stack", 453),
            ("SYS_membarrier", libc::SYS_membarrier),
            ("SYS_rseq", libc::SYS_rseq),
            ("SYS_sched_get_priority_max", libc::SYS_sched_get_priority_max),
            ("SYS_sched_get_priority_min", libc::SYS_sched_get_priority_min),
            ("SYS_sched_getaffinity", libc::SYS_sched_getaffinity),
            ("SYS_sched_getparam", libc::SYS_sched_getparam),
            ("SYS_sched_getscheduler", libc::SYS_sched_getscheduler),
            ("SYS_sched_yield", libc::SYS_sched_yield),
            ("SYS_set_robust_list", libc::SYS_set_robust_list),
            ("SYS_set_tid_address", libc::SYS_set_tid_address),
        ],
    },
    Group {
        name: "signals of its own",
        calls: calls![
            SYS_restart_syscall,
            SYS_rt_sigaction,
            SYS_rt_sigpending,
            SYS_rt_sigprocmask,
            SYS_rt_sigreturn,
            SYS_rt_sigsuspend,
            SYS_rt_sigtimedwait,
            SYS_sigaltstack,
        ],
    },
    Group {
        name: "time",
        calls: calls![
            SYS_clock_getres,
            SYS_clock_gettime,
            SYS_clock_nanosleep,
            SYS_getrusage,
            SYS_gettimeofday,
            SYS_nanosleep,
            SYS_times,
        ],
    },
    Group {
        name: "who it is",
        calls: calls![
            SYS_capget,
            SYS_getcwd,
            SYS_getegid,
            SYS_geteuid,
            SYS_getgid,
            SYS_getgroups,
            SYS_getpgid,
            SYS_getpid,
            SYS_getppid,
            SYS_getrandom,
            SYS_getrlimit,
            SYS_getsid,
            SYS_gettid,
            SYS_getuid,
            SYS_setrlimit,
            SYS_sysinfo,
            SYS_umask,
            SYS_uname,
            SYS_wait4,
            SYS_waitid,
        ],
    },
    Group {
        name: "open files",
        calls: calls![
            SYS_close,
            SYS_close_range,
            SYS_copy_file_range,
            SYS_dup,
            SYS_dup3,
            SYS_fadvise64,
            SYS_fallocate,
            SYS_fdatasync,
            SYS_fgetxattr,
            SYS_flistxattr,
            SYS_flock,
            SYS_fstat,
            SYS_fstatfs,
            SYS_fsync,
            SYS_ftruncate,
            SYS_getdents64,
            SYS_lseek,
            SYS_pipe2,
            SYS_pread64,
            SYS_preadv,
            SYS_preadv2,
            SYS_pwrite64,
            SYS_pwritev,
            SYS_pwritev2,
            SYS_read,
            SYS_readahead,
            SYS_readv,
            SYS_sendfile,
            SYS_splice,
            SYS_write,
            SYS_writev,
        ],
    },
    Group {
        name: "paths",
        calls: calls![
            SYS_faccessat,
            SYS_faccessat2,
            SYS_linkat,
            SYS_mkdirat,
            SYS_newfstatat,
            SYS_openat,
            SYS_readlinkat,
            SYS_renameat,
            SYS_renameat2,
            SYS_statfs,
            SYS_statx,
            SYS_symlinkat,
            SYS_unlinkat,
        ],
    },
    Group {
        name: "waiting for files",
        calls: calls![
            SYS_epoll_create1,
            SYS_epoll_ctl,
            SYS_epoll_pwait,
            SYS_epoll_pwait2,
            SYS_eventfd2,
            SYS_ppoll,
            SYS_pselect6,
        ],
    },
    Group {
        name: "sockets",
        calls: calls![
            SYS_accept,
            SYS_accept4,
            SYS_bind,
            SYS_connect,
            SYS_getpeername,
            SYS_getsockname,
            SYS_getsockopt,
            SYS_listen,
            SYS_recvfrom,
            SYS_recvmmsg,
            SYS_recvmsg,
            SYS_sendmmsg,
            SYS_sendmsg,
            SYS_sendto,
            SYS_setsockopt,
            SYS_shutdown,
            SYS_socketpair,
        ],
    },
    #[cfg(target_arch = "x86_64")]
    Group {
        name: "older forms (x86-64)",
        calls: calls![
            SYS_access,
            SYS_arch_prctl,
            SYS_creat,
            SYS_dup2,
            SYS_epoll_create,
            SYS_epoll_wait,
            SYS_eventfd,
            SYS_getdents,
            SYS_getpgrp,
            SYS_link,
            SYS_lstat,
            SYS_mkdir,
            SYS_open,
            SYS_pause,
            SYS_pipe,
            SYS_poll,
            SYS_readlink,
            SYS_rename,
            SYS_rmdir,
            SYS_select,
            SYS_stat,
            SYS_symlink,
            SYS_time,
            SYS_unlink,
        ],
    },
];

/// Calls that programs make and that get an honest "permission denied".
pub const DENIED: &[Group] = &[
    Group { name: "starting programs", calls: calls![SYS_execveat] },
    #[cfg(target_arch = "x86_64")]
    Group { name: "starting processes (x86-64)", calls: calls![SYS_fork, SYS_vfork] },
    Group {
        name: "other processes",
        calls: calls![
            SYS_kcmp,
            SYS_pidfd_getfd,
            SYS_pidfd_open,
            SYS_pidfd_send_signal,
            SYS_process_vm_readv,
            SYS_process_vm_writev,
            SYS_ptrace,
            SYS_sched_setaffinity,
            SYS_sched_setattr,
            SYS_sched_setparam,
            SYS_sched_setscheduler,
            SYS_setpgid,
            SYS_setpriority,
            SYS_setsid,
            SYS_tkill,
        ],
    },
    Group {
        name: "owner, permissions, times, attributes",
        calls: &[
            ("SYS_fchmod", libc::SYS_fchmod),
            ("SYS_fchmodat", libc::SYS_fchmodat),
            ("SYS_fchmodat2", 452),
            ("SYS_fchown", libc::SYS_fchown),
            ("SYS_fchownat", libc::SYS_fchownat),
            ("SYS_fremovexattr", libc::SYS_fremovexattr),
            ("SYS_fsetxattr", libc::SYS_fsetxattr),
            ("SYS_lremovexattr", libc::SYS_lremovexattr),
            ("SYS_lsetxattr", libc::SYS_lsetxattr),
            ("SYS_removexattr", libc::SYS_removexattr),
            ("SYS_setxattr", libc::SYS_setxattr),
            ("SYS_truncate", libc::SYS_truncate),
            ("SYS_utimensat", libc::SYS_utimensat),
        ],
    },
    #[cfg(target_arch = "x86_64")]
    Group {
        name: "the same in older forms (x86-64)",
        calls: calls![SYS_chmod, SYS_chown, SYS_futimesat, SYS_lchown, SYS_mknod, SYS_utime, SYS_utimes],
    },
    Group { name: "devices, pipes with names", calls: calls![SYS_mknodat] },
    Group { name: "watching folders", calls: calls![SYS_inotify_add_watch, SYS_inotify_init1] },
];
