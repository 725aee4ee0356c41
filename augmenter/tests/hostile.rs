//! Hostile calls: each method below `java/hostile` tries one thing that generated calls must not do, or not end the run with,
//! and says in a comment what becomes of it. They run in one worker after the other's end at most, on every JDK, as the user who
//! runs the tests, as an ordinary user when that is root, and where no namespaces are to be had.
//!
//! Knows nothing of the search. Invariant: after every call the decoys are as they were, nobody knocked at the listeners,
//! the sibling process is untouched, and the next call runs.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot be set up fails")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod jvm_support;

use dynaflow_augmenter::jvm::sandbox;
use dynaflow_augmenter::jvm::worker::Worker;
use dynaflow_model::outcome::{Broken, Observed, Outcome};
use dynaflow_model::sequence::{Arg, Value};
use jvm_support::{Lab, call_static, jdks, job, sources};
use nix::unistd::geteuid;
use std::fs::{self, File};
use std::net::{TcpListener, UdpSocket};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A method and what is expected of it.
struct Attempt {
    class: String,
    method: String,
    expected: String,
    times: usize,
}

/// The attempts of a file, in their order: a method follows a line `// expect: WORD[, N times]`.
fn attempts(source: &Path) -> Vec<Attempt> {
    let class = format!("hostile.{}", source.file_stem().unwrap().to_str().unwrap());
    let text = fs::read_to_string(source).unwrap();
    let mut found = vec![];
    let mut expected = None;
    for line in text.lines().map(str::trim) {
        if let Some(word) = line.strip_prefix("// expect: ") {
            expected = Some(word.to_owned());
        } else if let (Some(rest), Some(word)) = (line.strip_prefix("public static void "), &expected) {
            let (word, times) = word.split_once(", ").unwrap_or((word, "1 times"));
            found.push(Attempt {
                class: class.clone(),
                method: rest.split('(').next().unwrap().to_owned(),
                expected: word.to_owned(),
                times: times.trim_end_matches(" times").parse().unwrap(),
            });
            expected = None;
        }
    }
    found
}

/// What hostile calls aim at.
struct Decoys {
    folder: PathBuf,
    before: Vec<String>,
    tcp: TcpListener,
    udp: UdpSocket,
    unix: UnixListener,
    sibling: Child,
    sibling_before: String,
    /// Not closed when a program is started, as a careless caller leaves it.
    _open: OwnedFd,
}

impl Decoys {
    fn new(lab: &Lab) -> Self {
        let folder = lab.dir.path().join("decoys");
        fs::create_dir_all(folder.join("inner")).unwrap();
        fs::write(folder.join("precious.txt"), "precious").unwrap();
        let mut secret = fs::OpenOptions::new();
        let secret = secret.write(true).create_new(true).mode(0o600).open(folder.join("secret.txt")).unwrap();
        std::io::Write::write_all(&mut &secret, b"TOPSECRET").unwrap();
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        tcp.set_nonblocking(true).unwrap();
        let udp = UdpSocket::bind(tcp.local_addr().unwrap()).unwrap();
        udp.set_nonblocking(true).unwrap();
        let unix = UnixListener::bind(folder.join("daemon.sock")).unwrap();
        unix.set_nonblocking(true).unwrap();
        let sibling = Command::new("sleep").arg("600").stdout(Stdio::null()).spawn().unwrap();
        let open = nix::unistd::dup(File::open(folder.join("secret.txt")).unwrap()).unwrap();
        let sibling_before = rights(sibling.id());
        let before = listing(&folder);
        Self { folder, before, tcp, udp, unix, sibling, sibling_before, _open: open }
    }

    fn properties(&self) -> Vec<String> {
        let port = self.tcp.local_addr().unwrap().port();
        vec![
            format!("-Dhostile.decoys={}", self.folder.display()),
            format!("-Dhostile.port={port}"),
            format!("-Dhostile.sibling={}", self.sibling.id()),
            format!("-Dhostile.driver={}", std::process::id()),
        ]
    }

    #[track_caller]
    fn assert_untouched(&mut self, by: &str) {
        assert_eq!(listing(&self.folder), self.before, "{by} changed files");
        assert!(self.tcp.accept().is_err(), "{by} reached a server");
        assert!(self.unix.accept().is_err(), "{by} reached a local server");
        assert!(self.udp.recv(&mut [0]).is_err(), "{by} sent a datagram");
        assert!(self.sibling.try_wait().unwrap().is_none(), "{by} killed another process");
        assert_eq!(rights(self.sibling.id()), self.sibling_before, "{by} changed another process");
    }
}

impl Drop for Decoys {
    fn drop(&mut self) {
        self.sibling.kill().unwrap();
        self.sibling.wait().unwrap();
    }
}

/// Names, contents, permissions, owners, times and links of what is in a folder.
fn listing(folder: &Path) -> Vec<String> {
    let mut lines: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let meta = fs::symlink_metadata(&path).unwrap();
            let text = if meta.is_file() { fs::read_to_string(&path).unwrap() } else { String::new() };
            let (mode, uid, links) = (meta.mode(), meta.uid(), meta.nlink());
            format!(
                "{} {text:?} {mode:o} {uid} {links} {}.{}",
                path.display(),
                meta.mtime(),
                meta.mtime_nsec()
            )
        })
        .collect();
    lines.sort();
    lines
}

/// Priority, processors and limits of a process.
fn rights(process: u32) -> String {
    let read = |file: &str| fs::read_to_string(format!("/proc/{process}/{file}")).unwrap();
    let stat = read("stat");
    let priority: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().skip(15).take(2).collect();
    let status = read("status");
    let processors = status.lines().find(|line| line.starts_with("Cpus_allowed:"));
    format!("{priority:?} {processors:?} {}", read("limits"))
}

/// Processes whose working folder is the lab's: what workers left behind.
fn left_behind(lab: &Lab) -> Vec<PathBuf> {
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let inside =
        |path: &PathBuf| fs::read_link(path.join("cwd")).is_ok_and(|cwd| cwd.starts_with(lab.dir.path()));
    processes.filter(inside).collect()
}

fn ending(outcome: &Outcome) -> &'static str {
    match (&outcome.broken, &outcome.thrown) {
        (Some(Broken::TimedOut), _) => "timed out",
        (Some(Broken::WorkerDied(_)), _) => "died",
        (Some(Broken::Unrunnable(_)), _) => "unrunnable",
        (None, Some(_)) => "refused",
        (None, None) => "contained",
    }
}

fn as_expected(expected: &str, ending: &str) -> bool {
    match expected {
        // The file system is full, or the driver ended what wrote too much.
        "full" => ["refused", "died", "timed out"].contains(&ending),
        // Where namespaces are to be had it goes on in one; the next call shows that nothing came of it.
        "either" => ["refused", "died", "timed out", "contained"].contains(&ending),
        word => word == ending,
    }
}

fn worker(lab: &Lab, decoys: &Decoys) -> Worker {
    let mut jvm = lab.jvm();
    jvm.heap_mib = 128;
    jvm.jvm_args = decoys.properties();
    lab.worker_with(jvm, Duration::from_secs(2))
}

#[test]
fn nothing_is_changed_nothing_hangs_and_everything_is_reported() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "hostile", &[]);
        let mut decoys = Decoys::new(&lab);
        let mut worker = worker(&lab, &decoys);
        let files = sources("hostile");
        let all: Vec<Attempt> = files.iter().flat_map(|file| attempts(file)).collect();
        assert!(all.len() > 80, "{} attempts", all.len());
        for Attempt { class, method, expected, times } in all {
            for _ in 0..times {
                let call = call_static(&class, &method, "()V", vec![]);
                let outcome = worker.run(&[job(vec![call])]).remove(0);
                let name = format!("{class}.{method} on JDK {}", jdk.version);
                assert!(as_expected(&expected, ending(&outcome)), "{name}: {expected}, but {outcome:?}");
                decoys.assert_untouched(&name);
            }
        }
        assert_eq!(worker.gone(), None);
        drop(worker);
        assert_eq!(left_behind(&lab), Vec::<PathBuf>::new());
        let own = lab.private().join("home");
        let empty = own.join("tmp");
        assert!(
            fs::read_dir(&own).unwrap().all(|entry| entry.unwrap().path() == empty),
            "{:?}",
            fs::read_dir(&own).unwrap().collect::<Vec<_>>()
        );
    }
}

/// Runs that test again in a process of another kind.
fn again(launcher: &[&str]) {
    let (program, args) = launcher.split_first().unwrap();
    let output = Command::new(program)
        .args(args)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "nothing_is_changed_nothing_hangs_and_everything_is_reported"])
        .env("DYNAFLOW_JAVA_HOMES", &jdks()[0].home)
        .env("TMPDIR", "/tmp")
        .env("HOME", "/")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn the_same_holds_for_an_ordinary_user() {
    // Who is none of root has shown it in the first test.
    if geteuid().is_root() {
        again(&["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]);
    }
}

#[test]
fn the_same_holds_where_namespaces_are_forbidden() {
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\"";
    again(&["unshare", "--user", "--map-root-user", "sh", "-c", script, "sh"]);
}

fn long(value: i64) -> Arg {
    Arg::Value(Value::Long(value))
}

/// Calls a method of `hostile.Raw` that gives a number.
fn raw(worker: &mut Worker, method: &str, descriptor: &str, args: Vec<Arg>) -> i64 {
    let call = call_static("hostile.Raw", method, descriptor, args);
    let outcome = worker.run(&[job(vec![call])]).remove(0);
    match outcome.statements.as_slice() {
        [Observed::Value(Value::Long(result))] => *result,
        _ => panic!("{outcome:?}"),
    }
}

/// A worker in which native code can be called, on the JDKs that can.
fn native() -> Option<(Lab, Decoys, Worker)> {
    let jdk = jdks().into_iter().find(|jdk| jdk.version >= 22)?;
    let lab = Lab::new(&jdk, "hostile22", &[]);
    let decoys = Decoys::new(&lab);
    let worker = worker(&lab, &decoys);
    Some((lab, decoys, worker))
}

/// Numbers of Linux on x86-64.
#[cfg(target_arch = "x86_64")]
#[test]
fn native_code_has_the_listed_system_calls_and_no_others() {
    let Some((_lab, mut decoys, mut worker)) = native() else { return };
    let numbers = sandbox::ALLOWED.iter().flat_map(|group| group.calls).map(|(_, number)| number.to_string());
    // Those of which some arguments are allowed: threads; the rest is tried below.
    let but: Vec<String> = numbers.chain(["56".to_owned()]).collect();
    // 335 and 336 belong to the kernel's own probes: no filter sees them, and whoever else makes them gets a signal.
    for (from, to) in [(0, 334), (337, 700)] {
        let but = Arg::Value(Value::Str(but.join(",")));
        let args = vec![long(from), long(to), but];
        let there = raw(&mut worker, "firstThatIsThere", "(JJLjava/lang/String;)J", args);
        assert_eq!(there, -1, "system call {there} is there");
    }
    decoys.assert_untouched("trying all system calls");
}

/// System calls with arguments that make them harmful: number, four arguments, what comes back. `S` is the sibling.
#[cfg(target_arch = "x86_64")]
const HARMFUL: &[(&str, i64, [i64; 4], i64)] = &[
    ("fork by clone", 56, [17, 0, 0, 0], -13),
    ("fork in a new user namespace", 56, [0x1000_0011, 0, 0, 0], -13),
    ("vfork by clone", 56, [0x4111, 0, 0, 0], -13),
    ("clone3", 435, [0, 0, 0, 0], -38),
    ("kill the sibling", 62, [SIBLING, 9, 0, 0], -13),
    ("kill all", 62, [-1, 9, 0, 0], -13),
    ("kill the group", 62, [0, 9, 0, 0], -13),
    ("kill a thread of the sibling", 234, [SIBLING, SIBLING, 9, 0], -13),
    ("kill a thread by its number", 200, [SIBLING, 9, 0, 0], -13),
    ("queue a signal", 129, [SIBLING, 9, 0, 0], -13),
    ("queue a signal to a thread", 297, [SIBLING, SIBLING, 9, 0], -13),
    ("signals of a file to the sibling", 72, [0, 8, SIBLING, 0], -38),
    ("another signal of a file", 72, [0, 10, 9, 0], -38),
    ("limits of the sibling", 302, [SIBLING, 7, 0, 0], -13),
    ("priority of the sibling", 141, [0, SIBLING, 19, 0], -13),
    ("processors of the sibling", 203, [SIBLING, 8, 0, 0], -13),
    ("flags of a file", 16, [0, 0x4008_6602, 0, 0], -38),
    ("push characters into a terminal", 16, [0, 0x5412, 0, 0], -38),
    ("outlive the driver", 157, [1, 0, 0, 0], -38),
    ("another filter", 157, [22, 2, 0, 0], -38),
    ("local socket", 41, [1, 1, 0, 0], -13),
    ("netlink", 41, [16, 3, 0, 0], -13),
    ("raw packets", 41, [17, 3, 0, 0], -13),
    ("virtual machine socket", 41, [40, 1, 0, 0], -13),
    ("keys", 250, [0, 0, 0, 0], -38),
    ("attributes by a newer call", 463, [0, 0, 0, 0], -38),
    ("flags by a newer call", 469, [0, 0, 0, 0], -38),
    ("memory file", 319, [0, 0, 0, 0], -38),
    ("shared memory", 29, [0, 4096, 0o1600, 0], -38),
    ("ring", 425, [8, 0, 0, 0], -38),
    ("session of its own", 112, [0, 0, 0, 0], -13),
    ("group of the driver", 109, [0, 1, 0, 0], -13),
    ("debug the sibling", 101, [16, SIBLING, 0, 0], -13),
];
#[cfg(target_arch = "x86_64")]
const SIBLING: i64 = i64::MIN;

#[cfg(target_arch = "x86_64")]
#[test]
fn native_code_cannot_do_harm_by_arguments_either() {
    let Some((lab, mut decoys, mut worker)) = native() else { return };
    let sibling = i64::from(decoys.sibling.id());
    for (what, number, args, expected) in HARMFUL {
        let args = args.map(|arg| long(if arg == SIBLING { sibling } else { arg }));
        let args = [long(*number)].into_iter().chain(args).collect();
        assert_eq!(raw(&mut worker, "call", "(JJJJJ)J", args), *expected, "{what}");
        decoys.assert_untouched(what);
    }
    let text = |text: &Path| Arg::Value(Value::Str(text.to_str().unwrap().to_owned()));
    let (null, precious) = (|| Arg::Value(Value::Null), decoys.folder.join("precious.txt"));
    let descriptor = "(JLjava/lang/String;JLjava/lang/String;)J";
    let calls = [
        ("execve", 59, text(Path::new("/bin/sh")), null()),
        ("execve of the loader", 59, text(Path::new("/lib64/ld-linux-x86-64.so.2")), null()),
        ("chmod", 90, text(&precious), null()),
        ("truncate", 76, text(&precious), null()),
        ("named pipe", 133, text(&lab.private().join("home/x.trace")), null()),
        ("open", 2, text(&precious), null()),
        ("unlink", 87, text(&precious), null()),
        ("rename", 82, text(&precious), text(&decoys.folder.join("new"))),
    ];
    for (what, number, first, other) in calls {
        let result = raw(&mut worker, "path", descriptor, vec![long(number), first, long(0), other]);
        assert_eq!(result, -13, "{what}");
        decoys.assert_untouched(what);
    }
}
