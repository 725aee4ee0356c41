//! Runs test classes in a JVM of their own and collects what each test came to. Knows nothing of how a framework works.
//!
//! Invariant: a verdict that was reached is kept whatever happens to the JVM afterwards.

use super::launch::JvmConfig;
use super::process::Running;
use super::protocol::named_effect;
use super::sandbox::{PIPE_IN, PIPE_OUT};
use dynaflow_model::effect::Effect;
use dynaflow_model::frameworks::{self, Runner};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader, Write};
use std::process::ChildStdout;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

const MAIN_CLASS: &str = "io.dynaflow.shim.SuiteRunner";
/// How long the JVM may take to end after its last test: shutdown hooks, the trace of an agent.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often who watches a run is called while a test runs.
const TICK: Duration = Duration::from_secs(1);

/// A test class, or one method of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TestSelector {
    /// Binary name of the class.
    pub class: String,
    /// The method; all tests of the class when not given.
    pub method: Option<String>,
}

impl TestSelector {
    /// Reads `a.OuterTest` or `a.OuterTest#probeTwice`.
    pub fn parse(text: &str) -> Self {
        match text.split_once('#') {
            Some((class, method)) => Self { class: class.to_owned(), method: Some(method.to_owned()) },
            None => Self { class: text.to_owned(), method: None },
        }
    }
}

impl std::fmt::Display for TestSelector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.class)?;
        self.method.iter().try_for_each(|method| write!(f, "#{method}"))
    }
}

/// What to run, and how.
#[derive(Clone, Debug)]
pub struct SuiteConfig {
    /// The JVM. A user's own tests run unconfined in the user's folder, generated ones confined.
    pub jvm: JvmConfig,
    /// The tests, in the order in which they run; neighbours of one JUnit 4 class run as one.
    pub tests: Vec<TestSelector>,
    /// Longest run of the whole.
    pub timeout: Duration,
    /// Longest time without a test that begins or ends, once one has, and for the JVM to end after the last; as long as the
    /// whole when not given.
    pub silence: Option<Duration>,
    /// How many goals have probes in the classes on the class path; 0: none.
    pub probes: u32,
}

/// Why a test failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// Binary name of the exception's class.
    pub class: String,
    /// Its message, `null` when it has none.
    pub message: String,
    /// The first lines of its stack, without leading `at`.
    pub stack: Vec<String>,
}

/// What a test came to. Of several runs under one name (parameters, repetitions) the worst counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It passed.
    Passed,
    /// It did not run to its end by its own or the framework's wish: ignored, disabled, an assumption.
    Skipped(String),
    /// It began and never ended: the JVM died or was killed.
    Unfinished,
    /// It failed.
    Failed(Failure),
}

impl Verdict {
    fn weight(&self) -> u8 {
        match self {
            Self::Skipped(_) => 0,
            Self::Passed => 1,
            Self::Unfinished => 2,
            Self::Failed(_) => 3,
        }
    }
}

/// How the run as a whole ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All tests ran.
    Completed,
    /// The time was over.
    TimedOut,
    /// The JVM ended before: exit status or signal.
    Exited(String),
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Completed => f.write_str("all tests ran"),
            Self::TimedOut => f.write_str("the time was over"),
            Self::Exited(status) => write!(f, "the JVM ended with {status}"),
        }
    }
}

/// What a suite came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteReport {
    /// By test, `a.OuterTest#probeTwice` (runtime class and method); the class alone for what failed around its tests.
    pub verdicts: BTreeMap<String, Verdict>,
    /// Tests in the order in which they began.
    pub order: Vec<String>,
    /// By test, what it did beyond its own objects; under the empty name, what was done between tests. Known only where the
    /// agent observed the run.
    pub effects: BTreeMap<String, BTreeSet<Effect>>,
    /// Classes and methods that could not be run, with the remedy where there is one.
    pub troubles: Vec<String>,
    /// The outcomes that all tests together reached, where goals have probes; none where the JVM ended early.
    pub reached: BTreeSet<u32>,
    /// How it ended.
    pub ended: Ended,
    /// What tests and JVM printed last.
    pub output_tail: String,
}

impl SuiteReport {
    /// Whether everything ran and nothing failed.
    pub fn is_green(&self) -> bool {
        let good = |verdict: &Verdict| matches!(verdict, Verdict::Passed | Verdict::Skipped(_));
        self.ended == Ended::Completed && self.troubles.is_empty() && self.verdicts.values().all(good)
    }

    /// The test that began last of those that never ended.
    pub fn unfinished(&self) -> Option<&str> {
        let is_unfinished = |test: &&String| self.verdicts.get(*test) == Some(&Verdict::Unfinished);
        self.order.iter().rev().find(is_unfinished).map(String::as_str)
    }

    /// The tests that passed.
    pub fn passed(&self) -> impl Iterator<Item = &str> {
        self.verdicts
            .iter()
            .filter(|(_, verdict)| **verdict == Verdict::Passed)
            .map(|(name, _)| name.as_str())
    }
}

/// The test classes among some classes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discovery {
    /// Binary names and what runs the tests, in the order asked for.
    pub tests: Vec<(String, Runner)>,
    /// Classes that could not be looked at, and why.
    pub troubles: Vec<String>,
}

/// A line of the runner.
#[derive(Debug, PartialEq, Eq)]
enum Event {
    Started(String),
    Ended(String, Verdict),
    Effect(String, Effect),
    TestClass(String, Runner),
    Trouble(String),
    Reached(BTreeSet<u32>),
    Done,
}

/// Runs the tests.
///
/// # Errors
/// When the JVM cannot be started; whatever happens later is in the report.
pub fn run(config: &SuiteConfig) -> io::Result<SuiteReport> {
    run_watched(config, &mut |_, _| true)
}

/// The same; of a test that takes long `watch` gets each second the name, and for how long it has been running, and says whether it may go on. Else the JVM
/// is ended, as when the time is over.
///
/// # Errors
/// Those of [`run`].
pub fn run_watched(
    config: &SuiteConfig,
    watch: &mut dyn FnMut(&str, Duration) -> bool,
) -> io::Result<SuiteReport> {
    let names: Vec<String> = config.tests.iter().map(ToString::to_string).collect();
    let mut session = Session::start(&config.jvm, ("run", config.probes), &names)?;
    let mut collected = Collected::default();
    let mut begun = Instant::now();
    let ended = session.collect(config.timeout, config.silence, |event| match event {
        Some(event) => {
            if matches!(event, Event::Started(_)) {
                begun = Instant::now();
            }
            collected.take(event);
            true
        }
        None => collected.latest().is_none_or(|test| watch(test, begun.elapsed())),
    });
    Ok(collected.report(ended, session.running.tail().text()))
}

/// Reports which of the classes have tests, without initialising any. The class path must have the test framework.
///
/// # Errors
/// When the JVM cannot be started or does not come to an end.
pub fn discover(jvm: &JvmConfig, classes: &[String], timeout: Duration) -> io::Result<Discovery> {
    let mut found = Discovery::default();
    if classes.is_empty() {
        return Ok(found);
    }
    let mut session = Session::start(jvm, ("discover", 0), classes)?;
    let ended = session.collect(timeout, None, |event| {
        match event {
            Some(Event::TestClass(name, runner)) => found.tests.push((name, runner)),
            Some(Event::Trouble(what)) => found.troubles.push(what),
            _ => {}
        }
        true
    });
    match ended {
        Ended::Completed => Ok(found),
        other => {
            let output = session.running.tail().text();
            Err(io::Error::other(format!(
                "looking for test classes ended early ({other}): {}",
                output.trim()
            )))
        }
    }
}

/// A running JVM and its lines.
struct Session {
    running: Running,
    lines: Receiver<String>,
}

impl Session {
    fn start(jvm: &JvmConfig, (mode, probes): (&str, u32), names: &[String]) -> io::Result<Self> {
        let probes = probes.to_string();
        let (running, mut input, output) = jvm.start(MAIN_CLASS, &[mode, PIPE_IN, PIPE_OUT, &probes], &[])?;
        let (sender, lines) = channel();
        thread::Builder::new().name("dynaflow-suite".to_owned()).spawn(move || forward(output, &sender))?;
        // The table of test frameworks, an empty line, the names.
        let text = format!("{}\n\n{}\n", frameworks::lines().join("\n"), names.join("\n"));
        if let Err(e) = input.write_all(text.as_bytes()) {
            // It died at once; its status and last output say more than this.
            tracing::debug!("the suite runner took no names: {e}");
        }
        Ok(Self { running, lines })
    }

    /// Takes what the runner says, and nothing for each [`TICK`] in which it says nothing; whoever takes it says then whether the run goes on.
    fn collect(
        &mut self,
        timeout: Duration,
        silence: Option<Duration>,
        mut take: impl FnMut(Option<Event>) -> bool,
    ) -> Ended {
        let end = Instant::now() + timeout;
        let (mut done, mut begun, mut heard) = (false, false, Instant::now());
        let timed_out = loop {
            let over = silence.filter(|_| begun).map_or(end, |silence| end.min(heard + silence));
            let patience = over.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(patience.min(TICK)) {
                Ok(line) => {
                    heard = Instant::now();
                    if let Some(event) = parse(&line) {
                        begun = true;
                        done |= event == Event::Done;
                        if !take(Some(event)) {
                            break true;
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) if patience > TICK && take(None) => {}
                Err(RecvTimeoutError::Timeout) => break true,
                Err(RecvTimeoutError::Disconnected) => break false,
            }
            if done {
                break false;
            }
        };
        let patience = if timed_out { Duration::ZERO } else { silence.unwrap_or(PATIENCE) };
        let status =
            self.running.finish(patience).map_or_else(|e| e.to_string(), |(status, _)| status.to_string());
        match (done, timed_out) {
            (true, _) => Ended::Completed,
            (false, true) => Ended::TimedOut,
            (false, false) => Ended::Exited(status),
        }
    }
}

/// Sends the lines of a runner on until it ends.
pub(super) fn forward(output: ChildStdout, lines: &Sender<String>) {
    for line in BufReader::new(output).lines() {
        let Ok(line) = line else { return };
        if lines.send(line).is_err() {
            return;
        }
    }
}

#[derive(Default)]
struct Collected {
    verdicts: BTreeMap<String, Verdict>,
    order: Vec<String>,
    effects: BTreeMap<String, BTreeSet<Effect>>,
    troubles: Vec<String>,
    reached: BTreeSet<u32>,
    running: BTreeSet<String>,
}

impl Collected {
    fn take(&mut self, event: Event) {
        match event {
            Event::Started(name) => {
                if self.running.insert(name.clone()) && !self.verdicts.contains_key(&name) {
                    self.order.push(name);
                }
            }
            Event::Ended(name, verdict) => {
                self.running.remove(&name);
                self.conclude(name, verdict);
            }
            Event::Effect(name, effect) => {
                self.effects.entry(name).or_default().insert(effect);
            }
            Event::Trouble(what) => self.troubles.push(what),
            Event::Reached(outcomes) => self.reached.extend(outcomes),
            Event::TestClass(..) | Event::Done => {}
        }
    }

    /// The test that began last of those that run.
    fn latest(&self) -> Option<&str> {
        self.order.iter().rev().find(|test| self.running.contains(*test)).map(String::as_str)
    }

    fn conclude(&mut self, name: String, verdict: Verdict) {
        let old = self.verdicts.get(&name).map_or(0, Verdict::weight);
        if verdict.weight() >= old {
            self.verdicts.insert(name, verdict);
        }
    }

    fn report(mut self, ended: Ended, output_tail: String) -> SuiteReport {
        for name in std::mem::take(&mut self.running) {
            self.conclude(name, Verdict::Unfinished);
        }
        let Self { verdicts, order, effects, troubles, reached, .. } = self;
        SuiteReport { verdicts, order, effects, troubles, reached, ended, output_tail }
    }
}

/// Lines that are none of ours (tests can reach any descriptor) are dropped.
fn parse(line: &str) -> Option<Event> {
    let fields: Vec<String> = line.split('\t').map(unescape).collect();
    let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
    Some(match fields.as_slice() {
        ["started", test] => Event::Started((*test).to_owned()),
        ["passed", test] => Event::Ended((*test).to_owned(), Verdict::Passed),
        ["skipped", test, why] => Event::Ended((*test).to_owned(), Verdict::Skipped((*why).to_owned())),
        ["failed", test, class, message, stack] => {
            let stack = stack.lines().map(str::to_owned).collect();
            let failure = Failure { class: (*class).to_owned(), message: (*message).to_owned(), stack };
            Event::Ended((*test).to_owned(), Verdict::Failed(failure))
        }
        ["effect", test, kind, place, what, initialiser] => {
            Event::Effect((*test).to_owned(), named_effect([kind, place, what, initialiser], None)?)
        }
        ["class", name, kind] => {
            let runner = Runner::ALL.into_iter().find(|runner| runner.name() == *kind)?;
            Event::TestClass((*name).to_owned(), runner)
        }
        ["trouble", what] => Event::Trouble((*what).to_owned()),
        ["reached", outcomes @ ..] => {
            Event::Reached(outcomes.iter().filter_map(|outcome| outcome.parse().ok()).collect())
        }
        ["done"] => Event::Done,
        _ => return None,
    })
}

/// A field as it was before the runner wrote it into a line.
pub(super) fn unescape(field: &str) -> String {
    let mut text = String::with_capacity(field.len());
    let mut chars = field.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => text.push(match chars.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            }),
            (c, false) => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_keeps_its_lines() {
        let event = parse("failed\ta.B#c\tx.Y\tone\\ttwo\\\\n\\nthree\ta.B.c(B.java:1)\\nd").unwrap();
        let failure = Failure {
            class: "x.Y".into(),
            message: "one\ttwo\\n\nthree".into(),
            stack: vec!["a.B.c(B.java:1)".into(), "d".into()],
        };
        assert_eq!(event, Event::Ended("a.B#c".into(), Verdict::Failed(failure)));
        assert_eq!(parse("hello world"), None);
    }

    #[test]
    fn an_effect_belongs_to_a_test_or_to_none() {
        let mut collected = Collected::default();
        for line in
            ["effect\ta.B#c\tfiles\telsewhere\tdeletes /x\ta.B", "effect\t\tnetwork\t\topens a socket\t"]
        {
            collected.take(parse(line).unwrap());
        }
        assert_eq!(parse("effect\ta.B#c\tmagic\t\tconjures\t"), None, "no such kind");
        let effects = collected.report(Ended::Completed, String::new()).effects;
        let texts = |test: &str| effects[test].iter().map(|e| e.what.clone()).collect::<Vec<_>>();
        assert_eq!((texts("a.B#c"), texts("")), (vec!["deletes /x".into()], vec!["opens a socket".into()]));
    }

    #[test]
    fn of_several_runs_under_one_name_the_worst_counts() {
        let mut collected = Collected::default();
        let name = || "a.B#c".to_owned();
        for verdict in [Verdict::Passed, Verdict::Failed(Failure::default()), Verdict::Passed] {
            collected.take(Event::Started(name()));
            collected.take(Event::Ended(name(), verdict));
        }
        collected.take(Event::Started("a.B#d".into()));
        let report = collected.report(Ended::TimedOut, String::new());
        assert_eq!(report.verdicts["a.B#c"], Verdict::Failed(Failure::default()));
        assert_eq!(report.verdicts["a.B#d"], Verdict::Unfinished);
        assert_eq!(report.order, ["a.B#c", "a.B#d"]);
        assert!(!report.is_green());
    }

    #[test]
    fn a_selector_is_read_as_it_is_written() {
        for text in ["a.B", "a.B$C#d"] {
            assert_eq!(TestSelector::parse(text).to_string(), text);
        }
    }
}
