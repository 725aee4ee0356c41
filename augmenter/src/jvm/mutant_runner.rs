//! A warm JVM that runs tests one by one, each with a mutant active or with none. Knows nothing of mutants but their numbers.
//!
//! Invariant: every request has one outcome, whatever happens to the JVM; after an outcome that is not [`Outcome::is_alive`] the JVM is gone
//! or of no more use.

use super::launch::JvmConfig;
use super::process::Running;
use super::sandbox::{PIPE_IN, PIPE_OUT};
use super::suite::{forward, unescape};
use dynaflow_model::frameworks;
use std::io::{self, Write};
use std::process::ChildStdin;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

const MAIN_CLASS: &str = "io.dynaflow.shim.MutantRunner";
/// Added to the time limit before the JVM is killed from outside: it has its own clock and normally needs no help.
const GRACE: Duration = Duration::from_secs(20);
/// How the JVM ends with `-XX:+ExitOnOutOfMemoryError`.
const OUT_OF_MEMORY: &str = "Terminating due to java.lang.OutOfMemoryError";

/// How long a test may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Processor time of the JVM.
    pub cpu: Duration,
    /// Time on the clock.
    pub clock: Duration,
}

/// What a request came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing failed.
    Passed,
    /// A test failed, or could not be run: why.
    Failed(String),
    /// Its time was over, and it ended when it was interrupted.
    Late,
    /// Its time was over, and the JVM with it.
    Stuck,
    /// The memory was used up.
    OutOfMemory,
    /// The JVM ended: how.
    Died(String),
}

impl Outcome {
    /// Whether the JVM can run more tests.
    pub fn is_alive(&self) -> bool {
        matches!(self, Self::Passed | Self::Failed(_) | Self::Late)
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Passed => f.write_str("it passed"),
            Self::Failed(why) => f.write_str(why),
            Self::Late | Self::Stuck => f.write_str("its time was over"),
            Self::OutOfMemory => f.write_str("it used up the memory"),
            Self::Died(how) => write!(f, "the JVM {how}"),
        }
    }
}

/// How one test of a survey ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It passed.
    Passed,
    /// It was left out by its own or the framework's wish.
    Skipped,
    /// It failed: why.
    Failed(String),
}

/// One test of a survey. A name occurs as often as the test ran, for parameters and repetitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// `a.OuterTest#probe`; the class alone for what failed around its tests.
    pub name: String,
    /// How it ended.
    pub ended: Ended,
    /// How long it took.
    pub time: Duration,
    /// The probes met since the test before it ended.
    pub met: Vec<u32>,
}

/// What running a test class, or one test, showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surveyed {
    /// The tests in the order of their ends.
    pub tests: Vec<Ran>,
    /// A test that began and did not end.
    pub unfinished: Option<String>,
    /// What the whole came to.
    pub outcome: Outcome,
    /// How long the whole took, on the clock or of the processors, whichever is more.
    pub time: Duration,
    /// The probes met after the last test.
    pub met_after: Vec<u32>,
}

/// The JVM.
#[derive(Debug)]
pub struct MutantRunner {
    running: Running,
    input: ChildStdin,
    lines: Receiver<String>,
    requests: u32,
}

/// A line of the JVM.
#[derive(Debug, PartialEq, Eq)]
enum Reply {
    Started(String),
    Test(Ran),
    End { outcome: Outcome, time: Duration, met: Vec<u32> },
}

impl MutantRunner {
    /// Starts a JVM with room for so many numbers of probes.
    ///
    /// # Errors
    /// When it cannot be started; whatever happens later is an outcome.
    pub fn start(jvm: &JvmConfig, probes: usize) -> io::Result<Self> {
        let (running, mut input, output) = jvm.start(MAIN_CLASS, &[PIPE_IN, PIPE_OUT], &[])?;
        let (sender, lines) = channel();
        thread::Builder::new().name("dynaflow-tests".to_owned()).spawn(move || forward(output, &sender))?;
        let text = format!("{}\n\n{probes}\n", frameworks::lines().join("\n"));
        if let Err(e) = input.write_all(text.as_bytes()) {
            // It died at once; the first request says how.
            tracing::debug!("the runner of mutants took no names: {e}");
        }
        Ok(Self { running, input, lines, requests: 0 })
    }

    /// Whether the JVM has not ended.
    pub fn is_running(&self) -> bool {
        self.running.is_running()
    }

    /// Whether no test ran in it yet.
    pub fn is_fresh(&self) -> bool {
        self.requests == 0
    }

    /// Runs a test class, or one test, `a.B#c`, without mutant.
    pub fn survey(&mut self, test: &str, limit: Limit) -> Surveyed {
        let mut surveyed = Surveyed {
            tests: vec![],
            unfinished: None,
            outcome: Outcome::Passed,
            time: Duration::ZERO,
            met_after: vec![],
        };
        let sent = self.send(&format!("survey\t{}\t{test}\n", millis(limit)));
        loop {
            let reply = if sent.is_ok() { self.next(limit) } else { Err(self.lost()) };
            match reply {
                Ok(Reply::Started(name)) => surveyed.unfinished = Some(name),
                Ok(Reply::Test(ran)) => {
                    surveyed.unfinished = None;
                    surveyed.tests.push(ran);
                }
                Ok(Reply::End { outcome, time, met }) => {
                    return Surveyed { outcome, time, met_after: met, ..surveyed };
                }
                Err(outcome) => return Surveyed { outcome, ..surveyed },
            }
        }
    }

    /// Runs a test with a mutant active; number 0 is none. Gives how long it took, too, on the clock or of the processors, whichever is more; nothing where it
    /// took the JVM with it.
    pub fn judge(&mut self, mutant: u32, test: &str, limit: Limit) -> (Outcome, Duration) {
        if self.send(&format!("judge\t{mutant}\t{}\t{test}\n", millis(limit))).is_err() {
            return (self.lost(), Duration::ZERO);
        }
        loop {
            match self.next(limit) {
                Ok(Reply::End { outcome, time, .. }) => return (outcome, time),
                Ok(_) => {}
                Err(outcome) => return (outcome, Duration::ZERO),
            }
        }
    }

    fn send(&mut self, request: &str) -> io::Result<()> {
        self.requests += 1;
        self.input.write_all(request.as_bytes())
    }

    /// The next line that is one of ours: tests can reach any descriptor.
    fn next(&mut self, limit: Limit) -> Result<Reply, Outcome> {
        loop {
            match self.lines.recv_timeout(limit.clock.saturating_add(GRACE)) {
                Ok(line) => {
                    if let Some(reply) = parse(&line) {
                        return Ok(reply);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.running.kill();
                    return Err(Outcome::Stuck);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.lost()),
            }
        }
    }

    /// How the JVM ended.
    fn lost(&mut self) -> Outcome {
        let status = match self.running.finish(Duration::from_secs(5)) {
            Ok((status, _)) => status.to_string(),
            Err(e) => e.to_string(),
        };
        let output = self.running.tail().text();
        if output.contains(OUT_OF_MEMORY) {
            return Outcome::OutOfMemory;
        }
        let last = output.lines().rev().find(|line| !line.trim().is_empty());
        let last = last.map(|line| format!(": {}", line.trim())).unwrap_or_default();
        Outcome::Died(format!("ended with {status}{last}"))
    }
}

fn millis(limit: Limit) -> String {
    format!("{}\t{}", limit.cpu.as_millis(), limit.clock.as_millis())
}

fn parse(line: &str) -> Option<Reply> {
    let fields: Vec<String> = line.split('\t').map(unescape).collect();
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    let time = |micros: &str| micros.parse().map(Duration::from_micros).ok();
    Some(match fields.as_slice() {
        ["started", test] => Reply::Started((*test).to_owned()),
        ["test", name, how, micros, met, why] => {
            let ended = match *how {
                "passed" => Ended::Passed,
                "skipped" => Ended::Skipped,
                "failed" => Ended::Failed((*why).to_owned()),
                _ => return None,
            };
            Reply::Test(Ran { name: (*name).to_owned(), ended, time: time(micros)?, met: numbers(met)? })
        }
        ["end" | "verdict", how, micros, test, why, met] => {
            let named = if test.is_empty() { (*why).to_owned() } else { format!("{test}: {why}") };
            let outcome = match *how {
                "passed" => Outcome::Passed,
                "failed" => Outcome::Failed(named),
                "late" => Outcome::Late,
                "stuck" => Outcome::Stuck,
                "memory" => Outcome::OutOfMemory,
                _ => return None,
            };
            Reply::End { outcome, time: time(micros)?, met: numbers(met)? }
        }
        _ => return None,
    })
}

fn numbers(text: &str) -> Option<Vec<u32>> {
    text.split(',').filter(|number| !number.is_empty()).map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_runner_are_read_and_others_dropped() {
        let ran = Ran {
            name: "a.B#c".into(),
            ended: Ended::Failed("x.Y: one\ttwo".into()),
            time: Duration::from_micros(7),
            met: vec![3, 40],
        };
        assert_eq!(parse("test\ta.B#c\tfailed\t7\t3,40\tx.Y: one\\ttwo"), Some(Reply::Test(ran)));
        let end = |outcome| Some(Reply::End { outcome, time: Duration::from_micros(9), met: vec![] });
        assert_eq!(parse("verdict\tlate\t9\t\t\t"), end(Outcome::Late));
        assert_eq!(parse("end\tfailed\t9\ta.B#c\twhy\t"), end(Outcome::Failed("a.B#c: why".into())));
        for other in
            ["hello", "test\ta.B#c\tflew\t7\t\t", "verdict\tpassed\tsoon\t\t\t", "end\tpassed\t9\t\t\t1,x"]
        {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
