//! The life of a child process: until it ends by itself, by Ctrl-C, or by a timeout.
//!
//! Knows nothing of java. Invariant: when this comes back, the child is gone and its status is known.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How often the child is looked at.
const TICK: Duration = Duration::from_millis(10);
/// How long a child may take to end in order after it was asked to.
const GRACE: Duration = Duration::from_secs(10);
/// How long a Ctrl-C of the terminal, which reaches the child directly, may take to show before it is passed on.
const OWN_SIGNAL: Duration = Duration::from_millis(300);
/// The Ctrl-C that ends the child at once.
const IMPATIENT: u32 = 3;

/// How the child ended.
#[derive(Debug)]
pub struct Ended {
    /// Its status.
    pub status: ExitStatus,
    /// Whether the timeout ended it.
    pub timed_out: bool,
}

impl Ended {
    /// The status as shells give it: 128 + n when signal n ended the child.
    pub fn code(&self) -> u8 {
        let code = self.status.code().or_else(|| self.status.signal().map(|n| 128 + n)).unwrap_or(1);
        u8::try_from(code).unwrap_or(1)
    }
}

/// Counts how often the user asked to end, by Ctrl-C or a signal of another process.
///
/// # Errors
/// When signals cannot be caught.
pub fn count_interrupts() -> io::Result<Arc<AtomicU32>> {
    let count = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&count);
    ctrlc::set_handler(move || {
        counted.fetch_add(1, Ordering::Relaxed);
    })
    .map_err(io::Error::other)?;
    Ok(count)
}

/// Starts the command and waits for its end. After `timeout` it is asked to end (SIGTERM), after a grace of ten seconds
/// it is made to (SIGKILL). Interrupts are passed on; the third ends it at once.
///
/// # Errors
/// When it cannot be started or waited for.
pub fn run(command: &mut Command, timeout: Option<Duration>, interrupts: &AtomicU32) -> io::Result<Ended> {
    let mut child = command.spawn()?;
    let mut plan = Plan { deadline: timeout.map(|t| Instant::now() + t), ..Plan::default() };
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Ended { status, timed_out: plan.timed_out });
        }
        plan.step(&mut child, interrupts.load(Ordering::Relaxed));
        sleep(TICK);
    }
}

/// What was done to the child so far, and when more is due.
#[derive(Default)]
struct Plan {
    deadline: Option<Instant>,
    timed_out: bool,
    kill_at: Option<Instant>,
    pass_on_at: Option<Instant>,
    interrupts: u32,
}

impl Plan {
    fn step(&mut self, child: &mut Child, interrupts: u32) {
        let now = Instant::now();
        let due = |time: Option<Instant>| time.is_some_and(|time| time <= now);
        if due(self.deadline) {
            self.deadline = None;
            self.timed_out = true;
            self.kill_at = Some(now + GRACE);
            send(child, Signal::SIGTERM);
        }
        if interrupts > self.interrupts {
            self.interrupts = interrupts;
            self.pass_on_at = Some(now + OWN_SIGNAL);
        }
        if due(self.pass_on_at) {
            self.pass_on_at = None;
            send(child, Signal::SIGINT);
        }
        if due(self.kill_at) || interrupts >= IMPATIENT {
            self.kill_at = None;
            // An error means that it has just ended, which the next look will show.
            child.kill().ok();
        }
    }
}

/// The child was not waited for yet, so its number is still its own.
fn send(child: &Child, signal: Signal) {
    if let Ok(pid) = i32::try_from(child.id()) {
        kill(Pid::from_raw(pid), signal).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Option<Duration> = Some(Duration::from_secs(60));

    /// A shell that can trap interrupts even where the tests themselves run with interrupts ignored, as in the background of a
    /// script.
    fn shell(script: &str) -> Command {
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", "sh", "-c", script]);
        command
    }

    #[test]
    fn a_child_that_ends_by_itself_gives_its_status() {
        let ended = run(&mut shell("exit 7"), Some(Duration::from_secs(60)), &AtomicU32::new(0)).unwrap();
        assert_eq!((ended.code(), ended.timed_out), (7, false));
        let ended = run(&mut shell("kill -9 $$"), None, &AtomicU32::new(0)).unwrap();
        assert_eq!(ended.code(), 137);
    }

    #[test]
    fn a_timeout_asks_first_so_that_the_child_can_end_in_order() {
        let mut child = shell("trap 'exit 5' TERM; while :; do sleep 0.05; done");
        let ended = run(&mut child, Some(Duration::from_millis(300)), &AtomicU32::new(0)).unwrap();
        assert_eq!((ended.code(), ended.timed_out), (5, true));
    }

    #[test]
    fn an_interrupt_is_passed_on_and_the_third_ends_at_once() {
        let ended =
            run(&mut shell("trap 'exit 6' INT; while :; do sleep 0.05; done"), LONG, &AtomicU32::new(1));
        assert_eq!(ended.unwrap().code(), 6);
        let ended = run(&mut shell("trap '' INT; while :; do sleep 0.05; done"), LONG, &AtomicU32::new(3));
        assert_eq!(ended.unwrap().code(), 137);
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        assert!(run(&mut Command::new("/nowhere/java"), None, &AtomicU32::new(0)).is_err());
    }
}
