//! `dynaflow augment` on classes whose methods harm the search itself: they spoil their trace, end or hang their JVM, fill their
//! folder; and the user who ends it. What was found is written, what was lost is said, and it takes no longer than allowed.
//!
//! Knows nothing of the search. Invariant: seed tests never call the harmful method; the search does.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;

use dynaflow_objectives::{PairsDocument, StoppedBy};
use jvm_support::{jar, jdks};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const TRAP_TEST: &str = "package demo;
public class TrapTest {
    @org.junit.Test public void arms() { new Trap().arm(); }
    @org.junit.Test public void asks() { org.junit.Assert.assertFalse(new Trap().isArmed()); }
    @org.junit.Test public void writes() throws Exception { Trap.harmless(); }
}
";

struct Project {
    home: PathBuf,
    folder: TempDir,
}

impl Project {
    /// A class with a method of this body, an objective that can be covered and one that cannot, so that the search goes on.
    fn new(body: &str) -> Self {
        let project = Self { home: jdks()[0].home.clone(), folder: tempfile::tempdir().unwrap() };
        let trap = format!(
            "package demo;
public class Trap {{
    private boolean armed;
    private final boolean was;
    public Trap() {{ was = armed; }}
    public void arm() {{ armed = true; }}
    public boolean isArmed() {{ return armed; }}
    static void harmless() throws Exception {{ new java.io.FileOutputStream(\"seed-was-here\").close(); }}
    public void harm() throws Exception {{ armed = !armed; {body} }}
}}
"
        );
        project.javac("classes", "Trap.java", &trap);
        project.javac("tests", "TrapTest.java", TRAP_TEST);
        project
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn class_path(&self) -> String {
        format!("tests:{}:{}", jar("junit-4.13.2").display(), jar("hamcrest-core-1.3").display())
    }

    fn javac(&self, out: &str, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
        let mut javac = jvm_support::javac(&self.home);
        javac.current_dir(self.path()).args(["-g", "-d", out, "-cp"]);
        javac.arg(format!("classes:{}", self.class_path())).arg(name);
        assert!(javac.status().unwrap().success());
    }

    fn command(&self, limit: [&str; 2]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dynaflow"));
        command
            .current_dir(self.path())
            .env("DYNAFLOW_AGENT", agent_support::agent())
            .env("JAVA_HOME", &self.home)
            .args([
                "augment",
                "--class-path",
                "classes",
                "--target",
                "demo.Trap",
                "--seed-tests",
                "demo.*Test",
            ])
            .args(["--out", "out", "--json", "pairs.json", "--stats", "stats.csv", "--test-class-path"])
            .arg(self.class_path())
            .args(limit);
        command
    }

    fn augment(&self, limit: [&str; 2]) -> Output {
        self.command(limit).output().unwrap()
    }

    fn pairs(&self) -> PairsDocument {
        dynaflow_objectives::read(&fs::read(self.path().join("pairs.json")).unwrap()).unwrap()
    }

    /// The objective that can be covered was, and there is a test for it.
    fn assert_grown(&self, said: &str) {
        let generated = self.path().join("out/demo/TrapDynaflowTest.java");
        let text = fs::read_to_string(generated).unwrap_or_else(|e| panic!("{e}: {said}"));
        assert!(text.contains(".arm()") && text.contains(".isArmed()"), "{text}");
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const SPOIL: &str = "
    String all = new String(java.nio.file.Files.readAllBytes(java.nio.file.Paths.get(\"/proc/self/cmdline\")));
    String path = all.replaceAll(\"(?s).*out=([^,\\0]*).*\", \"$1\");
    try (java.nio.channels.FileChannel trace = java.nio.channels.FileChannel.open(
            java.nio.file.Paths.get(path), java.nio.file.StandardOpenOption.WRITE)) {
        trace.position(trace.size());
        trace.write(java.nio.ByteBuffer.wrap(new byte[1 << 20]));
    }
    Runtime.getRuntime().halt(0);";

#[test]
fn a_spoiled_trace_costs_the_facts_of_who_spoiled_it_and_is_reported() {
    let project = Project::new(SPOIL.trim_end().strip_suffix("Runtime.getRuntime().halt(0);").unwrap());
    let output = project.augment(["--max-executions", "60"]);
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("traces of workers could not be read to their end"), "{said}");
    project.assert_grown(&said);
}

#[test]
fn a_worker_that_spoils_its_trace_and_ends_is_reported_too() {
    let project = Project::new(SPOIL);
    let output = project.augment(["--max-executions", "60"]);
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("call sequences ended their JVM (") && said.contains("traces of workers"),
        "{said}"
    );
    project.assert_grown(&said);
}

#[test]
fn full_folders_lose_nothing() {
    let fill = "for (int i = 0; i < 1000; i++) {
        java.nio.file.Files.write(java.nio.file.Paths.get(\"f\" + System.nanoTime()), new byte[1 << 20]);
    }";
    let project = Project::new(fill);
    let output = project.augment(["--max-executions", "60"]);
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    project.assert_grown(&said);
}

#[test]
fn a_worker_that_cannot_be_replaced_is_no_fixpoint_and_no_success() {
    let project = Project::new("System.exit(0);");
    let agent = project.path().join("agent.so");
    fs::copy(agent_support::agent(), &agent).unwrap();
    let mut command = project.command(["--budget", "60s"]);
    command.args(["--jobs", "1"]);
    let mut child = command.env("DYNAFLOW_AGENT", &agent).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("augmenting demo.Trap")));
    // Whichever JVM is to be started next does not find it.
    std::thread::sleep(Duration::from_secs(2));
    fs::remove_file(&agent).unwrap();
    let rest = lines.collect::<Vec<_>>().join("\n");
    assert_eq!(child.wait().unwrap().code(), Some(1), "{rest}");
    assert!(rest.contains(": 1 workers were lost and could not be replaced"), "{rest}");
    assert_eq!(project.pairs().stopped_by, Some(StoppedBy::Losses));
    assert!(fs::read_to_string(project.path().join("stats.csv")).unwrap().contains(",losses,"), "{rest}");
}

/// Ends within the budget and what starting and checking what was found take: seconds on a machine of one's own, three times as long in a run of all tests,
/// and never where a method that does not end held it up.
fn ends_in_time(body: &str) {
    let project = Project::new(body);
    let mut child = project.command(["--budget", "3s"]).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("augmenting demo.Trap")));
    let start = Instant::now();
    let rest = lines.collect::<Vec<_>>().join("\n");
    let seconds = start.elapsed().as_secs_f64();
    assert!(child.wait().unwrap().success(), "{rest}");
    println!("{seconds:.1} s");
    assert!(seconds < 90.0, "{seconds:.1} s: {rest}");
    assert!(rest.contains("did not end in time"), "{rest}");
    assert!(!rest.contains("0 call sequences ended their JVM, 0 did not end in time"), "{rest}");
    project.assert_grown(&rest);
    assert_eq!(project.pairs().stopped_by, Some(StoppedBy::Budget));
}

#[test]
fn a_budget_holds_for_methods_that_spin() {
    ends_in_time("while (true) { armed = !armed; }");
}

#[test]
fn a_budget_holds_for_methods_that_swallow_interrupts() {
    ends_in_time(
        "while (true) { try { Thread.sleep(1000); } catch (InterruptedException e) { armed = true; } }",
    );
}

#[test]
fn a_budget_holds_for_shutdown_hooks_that_hang() {
    ends_in_time(
        "Runtime.getRuntime().addShutdownHook(new Thread(() -> { while (true) { Thread.onSpinWait(); } }));
         System.exit(0);",
    );
}

/// Sends a signal when a line with these words appears: it ends soon, with the documents there are.
fn interrupted_at(words: &str, signal: Signal) {
    let project = Project::new("while (true) { armed = !armed; }");
    let mut child = project.command(["--budget", "60s"]).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains(words)));
    kill(Pid::from_raw(child.id().cast_signed()), signal).unwrap();
    let start = Instant::now();
    let rest = lines.collect::<Vec<_>>().join("\n");
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}: {rest}", start.elapsed());
    if words != "recording the seed suite" {
        assert_eq!(project.pairs().stopped_by, Some(StoppedBy::Interrupted), "{rest}");
    }
}

#[test]
fn signals_end_it_while_seeds_are_recorded() {
    interrupted_at("recording the seed suite", Signal::SIGINT);
}

#[test]
fn signals_end_it_while_workers_start() {
    interrupted_at("starting workers", Signal::SIGINT);
    interrupted_at("starting workers", Signal::SIGTERM);
}

#[test]
fn signals_end_it_while_a_method_spins() {
    interrupted_at("augmenting demo.Trap", Signal::SIGTERM);
}

#[test]
fn seeds_run_as_in_a_build_or_confined() {
    let project = Project::new("armed = false;");
    let output = project.augment(["--max-executions", "10"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let file = project.path().join("seed-was-here");
    assert!(file.is_file());
    fs::remove_file(&file).unwrap();
    let confined = project.command(["--max-executions", "10"]).arg("--confine-seeds").output().unwrap();
    let said = stderr(&confined);
    assert!(confined.status.success() && said.contains("demo.TrapTest#writes"), "{said}");
    assert!(!file.exists());
    project.assert_grown(&said);
}
