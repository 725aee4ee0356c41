//! Child processes that cannot be forgotten: they die with this process, with their handle, or when a [`Stop`] says so.
//!
//! Knows nothing of Java. Invariant: a child is in a process group of its own and that group is killed before the child is
//! reaped, so nothing it started in the group outlives it.

use super::quota::Watch;
use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// How much of a child's output is kept.
const TAIL_BYTES: usize = 16 << 10;
const POLL: Duration = Duration::from_millis(2);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The data behind these locks is valid between any two statements, so a panic elsewhere does not spoil it.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends all processes started with it, now and later: what Ctrl-C pulls. Clones are one and the same.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    shared: Arc<StopState>,
}

#[derive(Debug, Default)]
struct StopState {
    stopped: AtomicBool,
    next: AtomicU64,
    groups: Mutex<BTreeMap<u64, Arc<Handle>>>,
}

impl Stop {
    /// Kills every process registered and lets none start afterwards. May be called from any thread, any number of times.
    pub fn stop(&self) {
        self.shared.stopped.store(true, Ordering::SeqCst);
        for handle in lock(&self.shared.groups).values() {
            handle.kill();
        }
    }

    /// Whether [`Stop::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.shared.stopped.load(Ordering::SeqCst)
    }

    fn register(&self, handle: Arc<Handle>) -> u64 {
        let key = self.shared.next.fetch_add(1, Ordering::SeqCst);
        lock(&self.shared.groups).insert(key, Arc::clone(&handle));
        if self.is_stopped() {
            handle.kill();
        }
        key
    }
}

/// A child's process group, killable until the child is reaped.
#[derive(Debug)]
struct Handle {
    group: Pid,
    reaped: Mutex<bool>,
}

impl Handle {
    /// Kills the group. Does nothing once the child is reaped: its id may belong to somebody else by then.
    fn kill(&self) {
        let reaped = lock(&self.reaped);
        if !*reaped {
            self.kill_unreaped();
        }
    }

    fn kill_unreaped(&self) {
        match killpg(self.group, Signal::SIGKILL) {
            Ok(()) | Err(Errno::ESRCH) => {}
            Err(e) => tracing::warn!("cannot kill process group {}: {e}", self.group),
        }
    }

    fn reap(&self, child: &mut Child) -> io::Result<ExitStatus> {
        let mut reaped = lock(&self.reaped);
        if !*reaped {
            self.kill_unreaped();
            *reaped = true;
        }
        child.wait()
    }
}

/// The last output of a child.
#[derive(Clone, Debug, Default)]
pub struct Tail {
    bytes: Arc<Mutex<VecDeque<u8>>>,
    closed: Arc<AtomicBool>,
}

impl Tail {
    fn follow(mut from: impl Read + Send + 'static) -> io::Result<Self> {
        let tail = Self::default();
        let ours = tail.clone();
        thread::Builder::new().name("dynaflow-output".to_owned()).spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = from.read(&mut buffer) {
                let mut bytes = lock(&ours.bytes);
                bytes.extend(buffer.iter().take(count));
                let excess = bytes.len().saturating_sub(TAIL_BYTES);
                bytes.drain(..excess);
            }
            ours.closed.store(true, Ordering::SeqCst);
        })?;
        Ok(tail)
    }

    /// What the child printed last, at most 16 KiB. Waits a moment for output still in the pipe.
    pub fn text(&self) -> String {
        let end = Instant::now() + Duration::from_millis(200);
        while !self.closed.load(Ordering::SeqCst) && Instant::now() < end {
            thread::sleep(POLL);
        }
        let bytes: Vec<u8> = lock(&self.bytes).iter().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// A running child.
#[derive(Debug)]
pub struct Running {
    child: Child,
    handle: Arc<Handle>,
    key: u64,
    stop: Stop,
    tail: Tail,
    watch: Option<Watch>,
}

impl Running {
    /// Starts a command with pipes for input and output; its standard error goes to the tail.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(mut command: Command, stop: &Stop) -> io::Result<(Self, ChildStdin, ChildStdout)> {
        if stop.is_stopped() {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "interrupted"));
        }
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = spawn(command)?;
        let group = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
        let handle = Arc::new(Handle { group, reaped: Mutex::new(false) });
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let key = stop.register(Arc::clone(&handle));
        let mut running = Self { child, handle, key, stop: stop.clone(), tail: Tail::default(), watch: None };
        let (Some(input), Some(output), Some(errors)) = pipes else {
            return Err(io::Error::other("a child without pipes"));
        };
        running.tail = Tail::follow(errors)?;
        Ok((running, input, output))
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its last output.
    pub fn tail(&self) -> &Tail {
        &self.tail
    }

    /// Ends it when a folder holds more than it may.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub fn watch(&mut self, folder: PathBuf) -> io::Result<()> {
        let handle = Arc::clone(&self.handle);
        self.watch = Some(Watch::start(folder, move || handle.kill())?);
        Ok(())
    }

    /// Whether it was ended because it wrote more than it may.
    pub fn wrote_too_much(&self) -> bool {
        self.watch.as_ref().is_some_and(Watch::is_full)
    }

    /// Whether it has not ended yet.
    pub fn is_running(&self) -> bool {
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        let reaped = lock(&self.handle.reaped);
        !*reaped && matches!(waitid(Id::Pid(self.handle.group), flags), Ok(WaitStatus::StillAlive))
    }

    /// Kills it with everything in its group.
    pub fn kill(&self) {
        self.handle.kill();
    }

    /// Waits until it ends by itself or `patience` is over, then ends it; gives its status, and whether it was killed.
    ///
    /// # Errors
    /// When the operating system does not know the child.
    pub fn finish(&mut self, patience: Duration) -> io::Result<(ExitStatus, bool)> {
        let end = Instant::now() + patience;
        loop {
            let ended = !self.is_running();
            if ended || Instant::now() >= end {
                return Ok((self.handle.reap(&mut self.child)?, !ended));
            }
            thread::sleep(POLL);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Err(e) = self.finish(Duration::ZERO) {
            tracing::warn!("cannot reap process {}: {e}", self.child.id());
        }
        lock(&self.stop.shared.groups).remove(&self.key);
    }
}

type Order = (Command, mpsc::Sender<io::Result<Child>>);

/// Starts a child from a thread that lives as long as this process.
///
/// A child asks to be killed when its parent dies, and for the kernel the parent is the *thread* that started it.
fn spawn(command: Command) -> io::Result<Child> {
    static SPAWNER: OnceLock<Mutex<mpsc::Sender<Order>>> = OnceLock::new();
    let gone = || io::Error::other("the thread that starts processes is gone");
    let sender = SPAWNER.get_or_init(|| {
        let (sender, orders) = mpsc::channel::<Order>();
        let serve = move || {
            for (mut command, reply) in orders {
                if let Err(mpsc::SendError(Ok(mut unwanted))) = reply.send(command.spawn())
                    && let Err(e) = unwanted.kill().and_then(|()| unwanted.wait())
                {
                    tracing::warn!("cannot end process {}: {e}", unwanted.id());
                }
            }
        };
        if let Err(e) = thread::Builder::new().name("dynaflow-spawner".to_owned()).spawn(serve) {
            // Orders are then refused, each with an error of its own.
            tracing::error!("cannot start a thread: {e}");
        }
        Mutex::new(sender)
    });
    let (reply, answer) = mpsc::channel();
    lock(sender).send((command, reply)).map_err(|_| gone())?;
    answer.recv().map_err(|_| gone())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn the_end_and_the_last_output_of_a_child_are_reported() {
        let (mut child, _in, _out) =
            Running::start(shell("echo oops >&2; exit 3"), &Stop::default()).unwrap();
        let (status, killed) = child.finish(Duration::from_secs(10)).unwrap();
        assert_eq!((status.code(), killed), (Some(3), false));
        assert_eq!(child.tail().text(), "oops\n");
    }

    #[test]
    fn a_child_is_killed_with_what_it_started() {
        let script = "sleep 100 & echo $! >&2; wait";
        let (mut child, _in, _out) = Running::start(shell(script), &Stop::default()).unwrap();
        let grandchild = loop {
            let text = child.tail().text();
            if let Ok(id) = text.trim().parse::<i32>() {
                break Pid::from_raw(id);
            }
        };
        let (status, killed) = child.finish(Duration::ZERO).unwrap();
        assert!(killed && !status.success());
        let end = Instant::now() + Duration::from_secs(5);
        while alive(grandchild) {
            assert!(Instant::now() < end, "the grandchild is still there");
            thread::sleep(POLL);
        }
    }

    /// Zombies do not count: nobody but their new parent can clear them away.
    fn alive(id: Pid) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with('Z'))
    }

    #[test]
    fn stopping_kills_running_children_and_refuses_new_ones() {
        let stop = Stop::default();
        let (mut child, _in, _out) = Running::start(shell("sleep 100"), &stop).unwrap();
        stop.clone().stop();
        let (status, _) = child.finish(Duration::from_secs(10)).unwrap();
        assert!(!status.success());
        assert!(Running::start(shell("true"), &stop).is_err());
    }
}
