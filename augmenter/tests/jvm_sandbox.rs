//! How a process is confined, what it says of this machine, and what it does where something is missing. What confined calls
//! can and cannot do is shown by hostile.rs.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot be set up fails")]

mod jvm_support;

use dynaflow_augmenter::jvm::sandbox;
use dynaflow_model::sequence::Arg;
use jvm_support::{Lab, call_static, jdks, job, text};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const HOSTILE: &str = "demo.Hostile";
const FILE: &str = "(Ljava/lang/String;)V";

fn path(path: &Path) -> Arg {
    text(path.to_str().unwrap())
}

#[test]
fn without_confinement_the_same_calls_succeed() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "subjects", &[]);
        let file = lab.dir.path().join("file.txt");
        fs::write(&file, "x").unwrap();
        let mut jvm = lab.jvm();
        jvm.confinement = sandbox::Confinement::None;
        let mut worker = lab.worker_with(jvm, std::time::Duration::from_secs(5));
        let jobs = [
            job(vec![call_static(HOSTILE, "delete", FILE, vec![path(&file)])]),
            job(vec![call_static(HOSTILE, "execute", FILE, vec![text("/bin/true")])]),
        ];
        for outcome in worker.run(&jobs) {
            assert_eq!((outcome.broken, outcome.thrown), (None, None));
        }
        assert!(!file.exists());
    }
}

#[test]
fn a_check_names_the_mechanisms_of_this_machine() {
    let report = sandbox::check(Path::new(env!("CARGO_BIN_EXE_dynaflow"))).unwrap();
    println!("{report}");
    for layer in ["files: Landlock", "disk: ", "network: ", "processes: seccomp", "resources: "] {
        assert!(report.contains(layer), "{report}");
    }
    assert!(!report.contains("MISSING"), "{report}");
}

#[test]
fn without_namespaces_all_sockets_are_refused() {
    // A user namespace in which no other can be made, as on machines that forbid them.
    let binary = env!("CARGO_BIN_EXE_dynaflow");
    let report = format!("{binary} {} --report", sandbox::SUBCOMMAND);
    let script = format!("echo 0 > /proc/sys/user/max_user_namespaces && exec {report}");
    let output =
        Command::new("unshare").args(["--user", "--map-root-user", "sh", "-c", &script]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("network: seccomp against all sockets (no network namespace: unshare: ENOSPC"),
        "{output:?}"
    );
    assert!(text.contains("disk: the driver watches how much is written (no mount namespace)"), "{text}");
    assert!(!text.contains("MISSING"), "{text}");
}

#[test]
fn lower_limits_of_the_caller_stay() {
    let binary = env!("CARGO_BIN_EXE_dynaflow");
    let script = format!(
        "ulimit -f 1000; ulimit -u 1500; exec {binary} {} --parent $PPID -- /bin/cat /proc/self/limits",
        sandbox::SUBCOMMAND
    );
    let output = Command::new("bash").args(["-c", &script]).stdin(Stdio::null()).output().unwrap();
    // What the confined program prints goes to standard error.
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    let limit = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().rev().nth(1).unwrap().parse::<u64>().unwrap()
    };
    assert_eq!((limit("Max file size"), limit("Max processes")), (1000 * 1024, 1500), "{text}");
    assert_eq!(limit("Max core file size"), 0);
}

#[test]
fn a_worker_dies_with_the_driver() {
    // A driver of its own: a launcher that believes a dead process to be its parent refuses to run anything.
    let output = Command::new(env!("CARGO_BIN_EXE_dynaflow"))
        .args([sandbox::SUBCOMMAND, "--level", "none", "--parent", "1", "--", "sh", "-c", "echo ran >&2"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(sandbox::EXIT_NOT_CONFINED.into()));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "dynaflow: the driver is gone\n");
    // And one that is killed the hard way takes its child with it.
    let script = format!(
        "{} {} --level required --parent $$ -- /bin/sleep 100 & echo $!; read line",
        env!("CARGO_BIN_EXE_dynaflow"),
        sandbox::SUBCOMMAND
    );
    let mut driver = Command::new("sh")
        .args(["-c", &script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(driver.stdout.take().unwrap()), &mut line)
        .unwrap();
    let child = Path::new("/proc").join(line.trim());
    let comm = || fs::read_to_string(child.join("comm")).unwrap_or_default();
    wait_until("the child became the command", || comm() == "sleep\n");
    driver.kill().unwrap();
    driver.wait().unwrap();
    let state = || fs::read_to_string(child.join("stat")).unwrap_or_default();
    wait_until("the child is gone", || state().is_empty() || state().contains(") Z"));
}

#[track_caller]
fn wait_until(what: &str, happened: impl Fn() -> bool) {
    let end = std::time::Instant::now() + std::time::Duration::from_secs(10);
    while !happened() {
        assert!(std::time::Instant::now() < end, "{what}: never");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}
