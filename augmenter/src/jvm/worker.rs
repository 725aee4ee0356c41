//! A JVM that runs call sequences and describes classes, and stays up between requests. Knows nothing of search or of traces.
//!
//! The JVM is expendable: when a sequence hangs it, ends it or breaks it, that sequence is marked and the rest of the batch
//! goes to a new one. Invariant: [`Worker::run`] gives exactly one outcome per job, in the order of the jobs.

use super::job::{Job, Probes};
use super::launch::JvmConfig;
use super::process::Running;
use super::protocol::{self, Decoder, Encoder, ProtocolError, Reply};
use dynaflow_model::outcome::{Broken, Outcome};
use dynaflow_model::types::TypeInfo;
use std::io::{self, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

const MAIN_CLASS: &str = "io.dynaflow.shim.Worker";
/// Identity hashes are drawn by each thread for itself from a state fixed when it starts, so that hash tables of the program
/// have the same order in every worker, whatever the JVM's own threads do meanwhile (with a common counter it would depend on them).
const FIXED_HASHES: [&str; 2] = ["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=5"];
/// Jobs of one request: enough to keep the worker busy, few enough to keep requests small.
const JOBS_PER_REQUEST: usize = 256;
/// A larger reply is none.
const LARGEST_REPLY: u32 = 32 << 20;
/// Most replies that wait for being read: whoever writes more of them waits, too.
const WAITING_REPLIES: usize = 64;
/// How long a JVM may take to start, to describe a class or to write its trace at the end.
const PATIENCE: Duration = Duration::from_secs(30);
/// Added to the time limit before the worker is killed from outside: it has its own clock and normally needs no help.
const GRACE: Duration = Duration::from_secs(10);

/// How many times as long a sequence may take in a cold JVM, and how long at most if it may not anyway, see `Deadline.java`.
const COLD: (u32, Duration) = (20, Duration::from_secs(10));

/// How many times the limit of processor time a sequence may take on the clock, see `TimeLimit.java`.
const CLOCK: u32 = 10;

/// How a worker runs.
#[derive(Clone, Debug)]
pub struct WorkerConfig {
    /// Its JVM.
    pub jvm: JvmConfig,
    /// Longest run of one sequence.
    pub time_limit: Duration,
    /// What the classes under test report. Where that is mutants, the limit is time of the processor; a sequence that waits may take
    /// [`CLOCK`] times as long.
    pub probes: Probes,
}

impl WorkerConfig {
    /// How long one sequence may take on the clock, in a cold JVM or a warm one.
    fn clock(&self, is_cold: bool) -> Duration {
        let (times, most) = COLD;
        let cold = self.time_limit.saturating_mul(times).min(most).max(self.time_limit);
        let limit = if is_cold { cold } else { self.time_limit };
        limit.saturating_mul(if matches!(self.probes, Probes::Mutants(_)) { CLOCK } else { 1 })
    }
}

/// Why there is no worker.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The process could not be started or talked to.
    #[error("cannot run a worker JVM: {0}")]
    Io(#[from] io::Error),
    /// It ended at once.
    #[error("the worker JVM did not start ({status}): {output}")]
    Start {
        /// How it ended.
        status: String,
        /// What it printed last.
        output: String,
    },
    /// It has another version of the protocol.
    #[error(
        "the worker classes are of version {found}, this program needs {}: rebuild dynaflow",
        protocol::VERSION
    )]
    Version {
        /// What it said.
        found: u8,
    },
    /// The agent was to be attached and is not.
    #[error("the agent is not attached to the worker JVM: {output}")]
    NoAgent {
        /// What it printed last.
        output: String,
    },
    /// It did not answer.
    #[error("the worker JVM {what}: {output}")]
    Lost {
        /// What happened.
        what: String,
        /// What it printed last.
        output: String,
    },
}

/// What is known of some classes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Described {
    /// Those that could be loaded, in the order asked for.
    pub types: Vec<TypeInfo>,
    /// The others: binary name and why.
    pub failures: Vec<(String, String)>,
}

/// A worker JVM, replaced when it is lost.
#[derive(Debug)]
pub struct Worker {
    config: WorkerConfig,
    live: Option<Live>,
    /// Whether there was a JVM: then another one replaces it.
    started: bool,
    restarts: u32,
    deadline: Option<Instant>,
    gone: Option<String>,
}

/// One JVM process.
#[derive(Debug)]
struct Live {
    running: Running,
    input: Option<ChildStdin>,
    frames: Receiver<Vec<u8>>,
    encoder: Encoder,
    decoder: Decoder,
    /// How long it may take to end in its own way.
    patience: Duration,
    /// Whether no sequence ran without a mutant.
    is_cold: bool,
}

impl Worker {
    /// Starts the JVM and waits until it is up.
    ///
    /// # Errors
    /// When it cannot be started, confined or agreed with.
    pub fn start(config: WorkerConfig) -> Result<Self, WorkerError> {
        let live = Live::start(&config, PATIENCE)?;
        Ok(Self { config, live: Some(live), started: true, restarts: 0, deadline: None, gone: None })
    }

    /// A worker whose JVM starts with the first job.
    pub fn later(config: WorkerConfig) -> Self {
        Self { config, live: None, started: false, restarts: 0, deadline: None, gone: None }
    }

    /// This worker with its JVM; what stays in its place starts another one with its first job.
    #[must_use]
    pub fn take(&mut self) -> Self {
        let other = Self::later(self.config.clone());
        std::mem::replace(self, other)
    }

    /// From then on the JVM is killed whatever it does and jobs are not run any more, until a later moment is set, or none.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    /// Whether the deadline is over or everything was stopped, so that jobs may not have run.
    pub fn is_over(&self) -> bool {
        self.config.jvm.stop.is_stopped() || self.time_left().is_zero()
    }

    /// Why the JVM could not be replaced when it had to be; jobs no longer run then.
    pub fn gone(&self) -> Option<&str> {
        self.gone.as_deref()
    }

    /// Ends the JVM; the next job runs in a new one.
    pub fn replace(&mut self) {
        if let Some(mut live) = self.live.take() {
            live.patience = PATIENCE.min(self.time_left());
        }
    }

    /// Kills the JVM with what it may still have to write.
    pub fn kill(&mut self) {
        if let Some(mut live) = self.live.take() {
            live.patience = Duration::ZERO;
        }
    }

    fn time_left(&self) -> Duration {
        let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        self.deadline.map_or(Duration::MAX, left)
    }

    /// How often the JVM had to be replaced.
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    /// Describes what a test in the package of each class may do with it. No class is initialised by this.
    ///
    /// Methods of `java.lang.Object` and constants of enums among the static fields are left out.
    ///
    /// # Errors
    /// When the worker is lost; classes that cannot be loaded are no error but [`Described::failures`].
    pub fn describe(&mut self, classes: &[String]) -> Result<Described, WorkerError> {
        self.ask(&protocol::describe_request(classes))
    }

    /// Runs the initialisers of classes; gives those that cannot be initialised, and why.
    ///
    /// # Errors
    /// When the worker is lost: an initialiser may end or hang the JVM.
    pub fn initialise(&mut self, classes: &[String]) -> Result<Vec<(String, String)>, WorkerError> {
        self.ask(&protocol::initialise_request(classes)).map(|described| described.failures)
    }

    fn ask(&mut self, request: &[u8]) -> Result<Described, WorkerError> {
        let live = self.live()?;
        let answered = live.ask(request);
        if answered.is_err() {
            live.running.kill();
            self.live = None;
        }
        answered
    }

    /// Runs each job as one test case, one after the other.
    ///
    /// A job that hangs or kills the worker gets an outcome that says so and the others still run; when no worker can be
    /// started any more, or everything was stopped, the outcomes of the remaining jobs say that.
    pub fn run(&mut self, jobs: &[Job]) -> Vec<Outcome> {
        let mut outcomes = Vec::with_capacity(jobs.len());
        while let Some(rest) = jobs.get(outcomes.len()..).filter(|rest| !rest.is_empty()) {
            if let Some(why) = &self.gone {
                outcomes.resize(jobs.len(), broken(Broken::WorkerDied(why.clone())));
                break;
            }
            if self.is_over() {
                let stopped = self.config.jvm.stop.is_stopped();
                let why = if stopped { "interrupted" } else { "the time is over" };
                outcomes.resize(jobs.len(), broken(Broken::WorkerDied(why.to_owned())));
                break;
            }
            let batch = rest.get(..JOBS_PER_REQUEST).unwrap_or(rest);
            let (limits, deadline) = (Limits::of(&self.config), self.deadline);
            let next = match self.live() {
                Ok(live) => live.run(batch, limits, deadline, &mut outcomes),
                Err(e) => {
                    if !self.is_over() {
                        self.gone = Some(e.to_string());
                    }
                    outcomes.resize(jobs.len(), broken(Broken::WorkerDied(e.to_string())));
                    break;
                }
            };
            match next {
                Next::SameJvm => {}
                Next::NewJvm => self.replace(),
                Next::Nothing(why) => {
                    self.kill();
                    self.gone = Some(why);
                }
            }
        }
        outcomes
    }

    fn live(&mut self) -> Result<&mut Live, WorkerError> {
        let live = match self.live.take() {
            Some(live) => live,
            None => {
                self.restarts += u32::from(self.started);
                self.started = true;
                Live::start(&self.config, PATIENCE.min(self.time_left()))?
            }
        };
        Ok(self.live.insert(live))
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.replace();
    }
}

/// What goes with each request.
#[derive(Clone, Copy)]
struct Limits {
    millis: u32,
    cold: Duration,
    warm: Duration,
    probes: Probes,
}

impl Limits {
    fn of(config: &WorkerConfig) -> Self {
        let millis = u32::try_from(config.time_limit.as_millis()).unwrap_or(u32::MAX).max(1);
        Self { millis, cold: config.clock(true), warm: config.clock(false), probes: config.probes }
    }
}

/// How a batch came to a halt before its end.
enum Halt {
    /// In which statement, where that is known.
    TimedOut(Option<u32>),
    Died(String),
    /// The worker asked to be replaced between two jobs.
    Worn,
    /// It could not read the request: what would a new one do?
    Malformed(String),
}

/// What runs the next jobs.
enum Next {
    SameJvm,
    NewJvm,
    Nothing(String),
}

/// Why there is no reply.
#[derive(Debug, thiserror::Error)]
enum NoReply {
    #[error("does not answer")]
    Silence,
    #[error("{0}")]
    Ended(String),
    #[error(transparent)]
    Nonsense(#[from] ProtocolError),
}

impl Live {
    fn start(config: &WorkerConfig, patience: Duration) -> Result<Self, WorkerError> {
        let pipes = [super::sandbox::PIPE_IN, super::sandbox::PIPE_OUT];
        let (running, input, output) = config.jvm.start(MAIN_CLASS, &pipes, &FIXED_HASHES)?;
        let (sender, frames) = sync_channel(WAITING_REPLIES);
        thread::Builder::new().name("dynaflow-replies".to_owned()).spawn(move || forward(output, &sender))?;
        let (encoder, decoder) = Default::default();
        let mut live =
            Self { running, input: Some(input), frames, encoder, decoder, patience, is_cold: true };
        match live.next(patience, &[]) {
            Ok(Reply::Ready { version, .. }) if version != protocol::VERSION => {
                Err(WorkerError::Version { found: version })
            }
            Ok(Reply::Ready { agent: false, .. }) if config.jvm.agent.is_some() => {
                Err(WorkerError::NoAgent { output: live.running.tail().text() })
            }
            Ok(Reply::Ready { .. }) => Ok(live),
            Ok(other) => Err(live.start_error(&format!("it sent {} in place of its greeting", other.name()))),
            Err(why) => Err(live.start_error(&why.to_string())),
        }
    }

    fn start_error(&mut self, why: &str) -> WorkerError {
        let status = match self.running.finish(Duration::from_secs(1)) {
            Ok((status, false)) => status.to_string(),
            _ => why.to_owned(),
        };
        WorkerError::Start { status, output: self.running.tail().text().trim().to_owned() }
    }

    fn send(&mut self, frame: &[u8]) -> io::Result<()> {
        let length = u32::try_from(frame.len()).map_err(io::Error::other)?;
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        input.write_all(&length.to_be_bytes())?;
        input.write_all(frame)
    }

    fn next(&mut self, patience: Duration, jobs: &[Job]) -> Result<Reply, NoReply> {
        let frame = self.frames.recv_timeout(patience).map_err(|e| match e {
            RecvTimeoutError::Timeout => NoReply::Silence,
            RecvTimeoutError::Disconnected => NoReply::Ended(self.last_words()),
        })?;
        let observers = |index: u32| jobs.get(index as usize).map(|job| job.observers.as_slice());
        Ok(self.decoder.reply(&frame, observers)?)
    }

    /// How the JVM ended, and the last line it printed.
    fn last_words(&mut self) -> String {
        if self.running.wrote_too_much() {
            return "ended as it wrote more to its folder than it may".to_owned();
        }
        let status = match self.running.finish(Duration::from_secs(5)) {
            Ok((status, _)) => status.to_string(),
            Err(e) => e.to_string(),
        };
        let output = self.running.tail().text();
        match output.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(line) => format!("ended with {status}: {}", line.trim()),
            None => format!("ended with {status}"),
        }
    }

    /// Sends a request about classes; gives the answers.
    fn ask(&mut self, request: &[u8]) -> Result<Described, WorkerError> {
        self.send(request)?;
        let mut described = Described::default();
        loop {
            match self.next(PATIENCE, &[]) {
                Ok(Reply::Type(info)) => described.types.push(info),
                Ok(Reply::NoType(name, why)) => described.failures.push((name, why)),
                Ok(Reply::End(_)) => return Ok(described),
                Ok(other) => return Err(self.lost(format!("sent {} that was not asked for", other.name()))),
                Err(what) => return Err(self.lost(what.to_string())),
            }
        }
    }

    fn lost(&self, what: String) -> WorkerError {
        WorkerError::Lost { what, output: self.running.tail().text() }
    }

    /// Runs a batch as far as it goes; gives what can run the rest.
    fn run(
        &mut self,
        jobs: &[Job],
        limits: Limits,
        deadline: Option<Instant>,
        outcomes: &mut Vec<Outcome>,
    ) -> Next {
        let before = outcomes.len();
        let halt = self.run_until_halt(jobs, limits, deadline, outcomes);
        let running = outcomes.len() - before < jobs.len();
        match halt {
            None => return Next::SameJvm,
            Some(Halt::Malformed(what)) => {
                return Next::Nothing(format!(
                    "protocol error: the worker could not read a request ({what}); this is a fault of dynaflow, not of the program"
                ));
            }
            Some(Halt::Died(how)) if running => outcomes.push(broken(Broken::WorkerDied(how))),
            Some(Halt::TimedOut(stalled)) if running => {
                outcomes.push(Outcome { stalled, ..broken(Broken::TimedOut) });
            }
            Some(_) => {}
        }
        Next::NewJvm
    }

    fn run_until_halt(
        &mut self,
        jobs: &[Job],
        limits: Limits,
        deadline: Option<Instant>,
        outcomes: &mut Vec<Outcome>,
    ) -> Option<Halt> {
        let request = self.encoder.run_request(jobs.iter(), limits.millis, limits.probes);
        if self.send(&request).is_err() {
            return Some(Halt::Died(self.last_words()));
        }
        let before = outcomes.len();
        loop {
            // A job is timed twice inside, for the test and for its observers. After the last, the agent catches up.
            let all = outcomes.len() - before == jobs.len();
            let clock = if self.is_cold { limits.cold } else { limits.warm };
            let patience = if all { PATIENCE } else { clock * 2 + GRACE };
            let left = deadline.map_or(patience, |end| end.saturating_duration_since(Instant::now()));
            return match self.next(patience.min(left), jobs) {
                Ok(Reply::Outcome(index, outcome)) if index as usize == outcomes.len() - before => {
                    self.is_cold &= jobs.get(index as usize).is_some_and(|job| job.mutant != 0);
                    outcomes.push(outcome);
                    continue;
                }
                Ok(Reply::End(false)) => None,
                Ok(Reply::End(true)) => Some(Halt::Worn),
                Ok(Reply::TimedOut(_, stalled)) => Some(Halt::TimedOut(stalled)),
                Ok(Reply::Failed(why)) => Some(Halt::Died(why)),
                Ok(Reply::Malformed(what)) => Some(Halt::Malformed(what)),
                Ok(_) => Some(self.put_down("sent what makes no sense here".to_owned())),
                Err(NoReply::Ended(how)) => Some(Halt::Died(how)),
                Err(NoReply::Silence) => {
                    self.running.kill();
                    Some(Halt::TimedOut(None))
                }
                Err(NoReply::Nonsense(e)) => Some(self.put_down(e.to_string())),
            };
        }
    }

    /// Kills a JVM that no longer makes sense.
    fn put_down(&self, how: String) -> Halt {
        self.running.kill();
        Halt::Died(how)
    }
}

impl Drop for Live {
    /// The end of its input ends the worker in its own way, so that an agent still writes its trace.
    fn drop(&mut self) {
        self.input = None;
        if let Err(e) = self.running.finish(self.patience) {
            tracing::warn!("worker {}: {e}", self.running.id());
        }
    }
}

fn broken(how: Broken) -> Outcome {
    Outcome { broken: Some(how), ..Outcome::default() }
}

/// Cuts the worker's output into frames, until it ends or stops making sense.
fn forward(output: ChildStdout, frames: &SyncSender<Vec<u8>>) {
    let mut output = BufReader::with_capacity(1 << 16, output);
    let mut length = [0; 4];
    while output.read_exact(&mut length).is_ok() {
        let length = u32::from_be_bytes(length);
        if length > LARGEST_REPLY {
            return;
        }
        let mut frame = vec![];
        match output.by_ref().take(u64::from(length)).read_to_end(&mut frame) {
            Ok(count) if count == length as usize => {}
            _ => return,
        }
        if frames.send(frame).is_err() {
            return;
        }
    }
}
