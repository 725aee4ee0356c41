//! `run`, `agent-path` and `doctor` as users meet them. `java` is a shell script here, so that every way in which a
//! java command can end is a test; the real agent in real JVMs is the business of the package `tests`.
//!
//! Knows nothing of traces' insides. Invariant: scripts end by themselves, whatever the test sees.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod common;

use common::{dynaflow, fake_java, stderr};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

const KEEP: &str = "cp \"$PREPARED\" \"$OUT/dynaflow-$$.trace\"\n";

/// Runs `dynaflow run` with these options and a `java` that is this script.
fn run(folder: &Path, script: &str, options: &[&str]) -> Output {
    let bin = fake_java(folder, script);
    let mut command = dynaflow(folder);
    command.env("DYNAFLOW_AGENT", folder.join("agent.so"));
    command.env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    command.arg("run").args(options).args(["--", "java", "-cp", "x", "Main"]).output().unwrap()
}

#[test]
fn the_agent_is_inserted_output_is_left_alone_and_the_summary_has_the_figures() {
    let folder = tempfile::tempdir().unwrap();
    let script = format!("{KEEP}for a; do echo \"<$a>\"; done\n");
    let output =
        run(folder.path(), &script, &["--out", "t", "--include", "a.**", "--include", "b.C:a.D", "--blocks"]);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let root = folder.path().canonicalize().unwrap();
    let agent = format!(
        "<-agentpath:{0}/agent.so=out={0}/t,include=a.**:b.C:a.D,mode=state,depth=5,blocks=true,carve=false,\
         context=16,paths=256,memory=4096,thin=auto>",
        root.display()
    );
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(stdout.lines().collect::<Vec<_>>(), [agent.as_str(), "<-cp>", "<x>", "<Main>"]);
    for figure in [
        "tests       1",
        "classes     1",
        "1 covered",
        "0 never executed",
        "words       0 of 8 bytes",
        "waited      0 times",
        "dynaflow-",
    ] {
        assert!(text.contains(figure), "`{figure}` is missing: {text}");
    }
    assert!(
        text.contains("--include b.C: no loaded class matches") && text.contains("--include a.D: no"),
        "{text}"
    );
    assert!(!text.contains("--include a.**: no"), "{text}");
}

#[test]
fn the_status_of_java_is_passed_on_and_an_earlier_trace_is_not_taken_for_this_run() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("dynaflow-traces")).unwrap();
    let old = folder.path().join("dynaflow-traces/old.trace");
    common::write(&old, &common::recording("a.OldTest#old", false));
    let output = run(folder.path(), &format!("{KEEP}exit 42\n"), &[]);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(42), "{text}");
    assert!(text.contains("tests       1") && !text.contains("old.trace"), "{text}");
}

#[test]
fn a_run_without_a_trace_says_so_and_does_not_succeed() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), "exit 0\n", &[]);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("no trace was written to") && text.contains("dynaflow doctor"), "{text}");
}

#[test]
fn a_suite_that_never_ends_is_ended_and_what_it_recorded_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let script =
        format!("{KEEP}trap 'exit 1' TERM\ni=0\nwhile [ $i -lt 600 ]; do sleep 0.1; i=$((i+1)); done\n");
    let begun = Instant::now();
    let output = run(folder.path(), &script, &["--timeout", "1500ms"]);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(124), "{text}");
    assert!(begun.elapsed() < Duration::from_secs(30));
    assert!(text.contains("--timeout 1.5s") && text.contains("tests       1"), "{text}");
}

#[test]
fn an_interrupt_reaches_java_and_what_was_recorded_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let wait = "i=0\nwhile [ $i -lt 600 ]; do sleep 0.1; i=$((i+1)); done\n";
    let script = format!("{KEEP}trap 'exit 130' INT\ntouch \"$OUT/ready\"\n{wait}");
    let bin = fake_java(folder.path(), &script);
    let child = std::process::Command::new(assert_cmd::cargo::cargo_bin("dynaflow"))
        .args(["run", "--", "java", "Main"])
        .current_dir(folder.path())
        .env("DYNAFLOW_AGENT", folder.path().join("agent.so"))
        .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let ready = folder.path().join("dynaflow-traces/ready");
    let begun = Instant::now();
    while !ready.exists() && begun.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(20));
    }
    kill(Pid::from_raw(i32::try_from(child.id()).unwrap()), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("tests       1"), "{text}");
}

#[test]
fn commands_that_cannot_be_recorded_are_refused_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let bin = fake_java(folder.path(), "exit 0\n");
    let fails = |path: &Path, args: &[&str], code: i32, says: &[&str]| {
        let mut command = dynaflow(folder.path());
        command.env("DYNAFLOW_AGENT", folder.path().join("agent.so")).env("PATH", path);
        let output = command.arg("run").args(args).output().unwrap();
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
        assert!(says.iter().all(|part| text.contains(part)), "{args:?}: {text}");
    };
    let nowhere = Path::new("/nowhere");
    fails(nowhere, &["--", "java", "Main"], 1, &["java: not found on the PATH", "install a JDK"]);
    fails(nowhere, &["--", "mvn", "test"], 1, &["mvn: not found on the PATH", "./mvn"]);
    fails(&bin, &["--", "./mvnw", "test"], 1, &["./mvnw: not found"]);
    fails(&bin, &["--", "java", "-agentpath:/x/libdynaflow_agent.so", "Main"], 2, &["leave that out"]);
    fails(&bin, &["--depth", "0", "--", "java"], 2, &["depth=0", "1 to 20"]);
    fails(&bin, &["--mode", "full", "--", "java"], 2, &["mode=full", "`state` or `dua`"]);
    let of_mode = &["option depth belongs to mode=state", "mode=dua", "leave it out"];
    fails(&bin, &["--mode", "dua", "--depth", "3", "--", "java"], 2, of_mode);
    fails(&bin, &["--exception-edges", "--", "java"], 2, &["option exception-edges belongs to mode=dua"]);
    fails(&bin, &["--include", "a b", "--", "java"], 2, &["include", "a b"]);
    fails(&bin, &["--out", "a,b", "--", "java"], 2, &["--out", "comma"]);
    fails(&bin, &["--timeout", "5", "--", "java"], 2, &["--timeout", "60s"]);
    fails(&bin, &[], 2, &["<COMMAND>"]);
    fs::write(folder.path().join("file"), "").unwrap();
    fails(&bin, &["--out", "file", "--", "java"], 1, &["--out", "file", "cannot be made"]);
}

#[test]
fn the_agent_path_is_one_line_or_an_error_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let agent = folder.path().canonicalize().unwrap().join("agent.so");
    fs::write(&agent, "").unwrap();
    let output =
        dynaflow(folder.path()).arg("agent-path").env("DYNAFLOW_AGENT", "agent.so").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{}\n", agent.display()));
    let output = dynaflow(folder.path()).arg("agent-path").env("DYNAFLOW_AGENT", "none.so").output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    assert!(
        stderr(&output).contains("none.so") && stderr(&output).contains("unset it"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn the_doctor_names_what_is_missing_and_ends_with_4() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = dynaflow(folder.path());
    command.env("DYNAFLOW_AGENT", "none.so").args(["doctor", "--java-home", "/nowhere"]);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(4), "{text}");
    let line = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap_or_default().to_owned();
    assert!(line("MISSING  JDK").contains("/nowhere") && line("MISSING  JDK").contains("bin/java"), "{text}");
    assert!(line("MISSING  agent").contains("none.so"), "{text}");
    assert!(line("ok       java shim").contains("embedded"), "{text}");
    assert!(text.contains("confinement"), "{text}");
}

#[test]
fn a_file_that_is_no_agent_is_found_out_by_loading_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("agent.so"), "no library").unwrap();
    let mut command = dynaflow(folder.path());
    if let Some(home) = std::env::var_os("JAVA_HOME") {
        command.env("JAVA_HOME", home);
    }
    let output = command.env("DYNAFLOW_AGENT", "agent.so").arg("doctor").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(4), "{text}");
    let line = text.lines().find(|line| line.starts_with("MISSING  agent")).unwrap_or_default();
    assert!(line.contains("agent.so") && line.contains("does not load it"), "{text}");
}
