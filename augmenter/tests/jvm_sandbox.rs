//! What confined calls can and cannot do, shown by a program that tries, on every JDK.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot be set up fails")]

mod jvm_support;

use dynaflow_augmenter::jvm::sandbox;
use dynaflow_model::outcome::{Observed, Outcome};
use dynaflow_model::sequence::{Arg, Value};
use jvm_support::{Lab, call_static, int, jdks, job, text};
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Stdio};

const HOSTILE: &str = "demo.Hostile";
const FILE: &str = "(Ljava/lang/String;)V";
const TWO_FILES: &str = "(Ljava/lang/String;Ljava/lang/String;)V";

fn attempt(lab: &Lab, name: &str, descriptor: &str, args: Vec<Arg>) -> Outcome {
    let mut worker = lab.worker();
    let outcome = worker.run(&[job(name, vec![call_static(HOSTILE, name, descriptor, args)])]).remove(0);
    assert_eq!(outcome.broken, None, "{name}");
    outcome
}

#[track_caller]
fn refused(lab: &Lab, name: &str, descriptor: &str, args: Vec<Arg>) -> String {
    let outcome = attempt(lab, name, descriptor, args);
    let thrown = outcome.thrown.unwrap_or_else(|| panic!("{name} succeeded"));
    format!("{}: {}", thrown.class, thrown.message.unwrap_or_default())
}

fn path(path: &Path) -> Arg {
    text(path.to_str().unwrap())
}

#[test]
fn files_outside_the_private_folder_can_be_read_but_not_changed() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "subjects", &[]);
        let outside = lab.dir.path().join("outside");
        fs::create_dir(&outside).unwrap();
        let file = outside.join("precious.txt");
        fs::write(&file, "precious").unwrap();
        let before = fs::metadata(&file).unwrap();
        for attempt in ["delete", "overwrite", "permissions", "touch"] {
            refused(&lab, attempt, FILE, vec![path(&file)]);
        }
        refused(&lab, "create", FILE, vec![path(&outside.join("new"))]);
        let stolen = lab.private().join("tmp/stolen.txt");
        refused(&lab, "rename", TWO_FILES, vec![path(&file), path(&stolen)]);
        refused(&lab, "link", TWO_FILES, vec![path(&file), path(&stolen)]);
        let after = fs::metadata(&file).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
        assert_eq!(before.permissions().mode(), after.permissions().mode());
        assert_eq!((before.mtime(), before.nlink()), (after.mtime(), after.nlink()));
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
        let read = attempt(&lab, "read", "(Ljava/lang/String;)Ljava/lang/String;", vec![path(&file)]);
        assert_eq!(read.statements, [Observed::Value(Value::Str("precious".into()))]);
    }
}

#[test]
fn the_private_folder_can_be_written() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "subjects", &[]);
        let outcome = attempt(&lab, "writeInside", "()Ljava/lang/String;", vec![]);
        assert_eq!(outcome.statements, [Observed::Value(Value::Str("written0".into()))], "{outcome:?}");
        assert!(lab.private().join("relative.txt").is_file());
    }
}

#[test]
fn services_of_this_machine_cannot_be_reached() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "subjects", &[]);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        // The listener works: we can reach it ourselves.
        drop(std::net::TcpStream::connect(("127.0.0.1", port)).unwrap());
        drop(listener.accept().unwrap());
        refused(&lab, "connect", "(I)V", vec![int(port.into())]);
        let socket = lab.dir.path().join("daemon.sock");
        let unix = UnixListener::bind(&socket).unwrap();
        refused(&lab, "connectUnix", FILE, vec![path(&socket)]);
        listener.set_nonblocking(true).unwrap();
        unix.set_nonblocking(true).unwrap();
        assert!(listener.accept().is_err() && unix.accept().is_err());
    }
}

#[test]
fn other_processes_cannot_be_killed_and_none_started() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "subjects", &[]);
        let mut sibling = Command::new("sleep").arg("100").stdout(Stdio::null()).spawn().unwrap();
        let pid = Arg::Value(Value::Long(sibling.id().into()));
        refused(&lab, "kill", "(J)V", vec![pid]);
        let driver = Arg::Value(Value::Long(std::process::id().into()));
        refused(&lab, "kill", "(J)V", vec![driver]);
        assert!(sibling.try_wait().unwrap().is_none(), "the sibling is dead");
        sibling.kill().unwrap();
        sibling.wait().unwrap();
        let message = refused(&lab, "execute", FILE, vec![text("/bin/true")]);
        assert!(message.contains("IOException"), "{message}");
    }
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
            job("delete", vec![call_static(HOSTILE, "delete", FILE, vec![path(&file)])]),
            job("execute", vec![call_static(HOSTILE, "execute", FILE, vec![text("/bin/true")])]),
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
    for layer in ["files: Landlock", "network: ", "processes: seccomp", "resources: "] {
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
    assert!(!text.contains("MISSING"), "{text}");
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
