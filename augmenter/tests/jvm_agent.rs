//! Workers and suites with the agent attached: what ran is in the trace, sequences by their numbers and tests by their names.
//!
//! Knows nothing of what the agent records besides. Invariant: the agent is the real one.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot be set up fails")]

mod agent_support;
mod jvm_support;

use agent_support::agent;
use dynaflow_augmenter::jvm::job::{Job, JobNumber};
use dynaflow_augmenter::jvm::launch::{AgentArgs, JvmConfig};
use dynaflow_augmenter::jvm::sandbox::Confinement;
use dynaflow_augmenter::jvm::suite::{self, SuiteConfig, TestSelector};

use dynaflow_model::facts::{Recording, TestEnd};
use dynaflow_model::options::AgentOptions;
use dynaflow_model::outcome::Broken;
use jvm_support::{Lab, call, call_static, int, jdks, job, new};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const COUNTER: &str = "demo.Counter";
const TROUBLE: &str = "demo.Trouble";

fn traces(lab: &Lab) -> PathBuf {
    lab.dir.path().join("traces")
}

fn recorded(lab: &Lab, library: PathBuf) -> JvmConfig {
    let mut jvm = lab.jvm();
    let options = AgentOptions { out: traces(lab), ..AgentOptions::default() };
    jvm.agent = Some(AgentArgs { library, options });
    jvm
}

fn read(lab: &Lab) -> Recording {
    dynaflow_trace::read_all(&[traces(lab)]).unwrap().recording
}

fn raise_and_look() -> Job {
    let raise = call(0, COUNTER, "raise", "()V", vec![]);
    let level = call(0, COUNTER, "level", "()I", vec![]);
    job(vec![new(COUNTER, "(I)V", vec![int(1)]), raise, level])
}

#[test]
fn sequences_are_recorded_as_tests_whatever_becomes_of_their_neighbours() {
    let library = agent().to_owned();
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "subjects", &[]);
        let trouble = |name: &str, args| {
            let descriptor = if name == "exit" { "(I)V" } else { "()V" };
            job(vec![call_static(TROUBLE, name, descriptor, args)])
        };
        let failing =
            job(vec![new(COUNTER, "(I)V", vec![int(1)]), call(0, COUNTER, "undeclared", "()V", vec![])]);
        let after_a_hang = u64::MAX;
        let numbered = [
            (7, raise_and_look()),
            (8, trouble("spin", vec![])),
            (after_a_hang, raise_and_look()),
            (9, trouble("exit", vec![int(1)])),
            (10, failing),
            (0, raise_and_look()),
        ];
        let jobs = numbered.map(|(number, job)| Job { number: JobNumber(number), ..job });
        let mut worker = lab.worker_with(recorded(&lab, library.clone()), Duration::from_millis(500));
        let outcomes = worker.run(&jobs);
        drop(worker);
        assert_eq!(outcomes[1].broken, Some(Broken::TimedOut));
        assert!(matches!(outcomes[3].broken, Some(Broken::WorkerDied(_))));
        let recording = read(&lab);
        let test = |number: u64| {
            let is_it = |name: &str| JobNumber::of_test(name) == Some(JobNumber(number));
            recording.tests.iter().find(|test| is_it(&test.name)).unwrap()
        };
        for number in [7, after_a_hang, 0] {
            assert_eq!(
                (&test(number).end, test(number).pairs.is_empty()),
                (&TestEnd::Returned, false),
                "{number}"
            );
            assert_eq!(test(number).pairs, test(7).pairs);
        }
        assert_eq!(test(10).end, TestEnd::Threw);
    }
}

#[test]
fn suites_are_recorded_under_the_names_of_their_verdicts() {
    let library = agent().to_owned();
    for jdk in jdks() {
        for (folder, jars, class) in [
            ("junit4", vec!["junit-4.13.2", "hamcrest-core-1.3"], "suite.OrderTest"),
            ("junit5", vec!["junit-platform-console-standalone-1.11.4"], "suite.ModernTest"),
        ] {
            let lab = Lab::new(&jdk, folder, &jars);
            let mut jvm = recorded(&lab, library.clone());
            jvm.confinement = Confinement::None;
            let tests = vec![TestSelector::parse(class)];
            let report = suite::run(&SuiteConfig {
                jvm,
                tests,
                timeout: Duration::from_secs(60),
                silence: None,
                probes: 0,
            })
            .unwrap();
            let recording = read(&lab);
            for passed in report.passed() {
                assert!(
                    recording.tests.iter().any(|test| test.name == passed),
                    "{passed} is not in {recording:#?}"
                );
            }
            assert!(report.passed().count() >= 3);
        }
    }
}

/// A figure, not a promise: printed for the reader.
#[test]
fn recorded_sequences_run_fast() {
    let library = agent().to_owned();
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "subjects", &[]);
        // As the search runs them.
        let mut jvm = recorded(&lab, library.clone());
        jvm.agent.as_mut().unwrap().options.effects = true;
        let mut worker = lab.worker_with(jvm, Duration::from_secs(5));
        let jobs: Vec<Job> = (0..5_000).map(|n| Job { number: JobNumber(n), ..raise_and_look() }).collect();
        worker.run(&jobs);
        let start = Instant::now();
        let outcomes = worker.run(&jobs);
        assert!(outcomes.iter().all(|outcome| outcome.broken.is_none()));
        println!("{:.0} recorded sequences/s", jobs.len() as f64 / start.elapsed().as_secs_f64());
    }
}
