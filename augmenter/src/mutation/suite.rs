//! A suite of compiled tests as a judge of mutants: what each test reaches, and what the tests notice. Knows no command line.
//!
//! Invariant: the tests run once without mutants, however often they are asked.

use super::covering::Covering;
use super::crew::{Crew, Done, Left, SLOW};
use super::judge::{Alone, Job};
use super::made::Made;
use super::survey::{Survey, Surveyor, Unit};
use super::types::{LeftOut, Observer, Settings};
use crate::jvm::launch::JvmConfig;
use crate::jvm::process::Stop;
use anyhow::{Result, anyhow};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What runs.
#[derive(Clone, Copy, Debug)]
pub struct Tests<'a> {
    /// A JVM that runs the tests. It is started with further folders and a private folder of its own.
    pub jvm: &'a JvmConfig,
    /// A folder of this suite alone.
    pub work: &'a Path,
    /// Binary names of the test classes.
    pub classes: &'a [String],
}

/// What tests say of mutants, as numbers; a mutant that is in neither set was not answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// Those that a test notices.
    pub noticed: BTreeSet<u32>,
    /// Those that no test notices.
    pub alive: BTreeSet<u32>,
    /// By mutant that is noticed, the first test that did.
    pub by: BTreeMap<u32, String>,
}

/// Tests that ran without mutants.
#[derive(Debug)]
pub struct Suite {
    jvm: JvmConfig,
    work: PathBuf,
    survey: Survey,
    covering: Covering,
    /// JVMs that stay warm from one question to the next.
    left: Left,
    alone: Alone,
}

impl Suite {
    /// Runs the tests without mutants, in classes with probes.
    ///
    /// # Errors
    /// When JVMs cannot be started, no test passes, the time is over, or the tests were interrupted.
    pub fn survey(made: &Made, tests: &Tests, limit: Duration, observer: &dyn Observer) -> Result<Self> {
        observer.stage(&format!("running {} test classes without mutants", tests.classes.len()));
        let mut probed = made.probed(tests.jvm);
        probed.private_dir = tests.work.join("survey");
        let surveyor = Surveyor { jvm: &probed, probes: made.numbers(), limit };
        let survey = surveyor.run(tests.classes, observer)?;
        if survey.units.is_empty() {
            let why = survey.left_out.first().map(|left| format!(": {}: {}", left.test, left.why));
            return Err(anyhow!("no test passes without mutants{}", why.unwrap_or_default()));
        }
        let covering = Covering::of(made.plan(), &survey.units);
        Ok(Self {
            jvm: made.switched(tests.jvm),
            work: tests.work.to_owned(),
            survey,
            covering,
            left: Left::default(),
            alone: Alone::default(),
        })
    }

    /// Which of these mutants the tests notice: for each the tests that reach it run, up to the first that does. Those that no test reaches are answered
    /// without any run; those whose turn did not come before everything was stopped are not answered. JVMs that answered are left for the next question, so all
    /// questions take one `stop`; another one after [`Suite::rest`].
    ///
    /// # Errors
    /// When JVMs cannot be started.
    pub fn ask(
        &self,
        made: &Made,
        numbers: &BTreeSet<u32>,
        settings: &Settings,
        stop: &Stop,
        observer: &dyn Observer,
    ) -> Result<Answers> {
        let (jobs, spared) = self.jobs(made, numbers);
        let done = self.run(made, &jobs, settings, stop, observer);
        if let Some(why) = done.broken {
            return Err(anyhow!(why));
        }
        let mut answers =
            Answers { alive: spared.iter().map(|job| job.number).collect(), ..Answers::default() };
        for (job, judged) in jobs.iter().zip(done.judged) {
            match judged {
                Some(judged) if judged.status.is_detected() => {
                    answers.noticed.insert(job.number);
                    let first = judged.killing.first().and_then(|test| self.survey.units.get(*test));
                    answers.by.extend(first.map(|unit| (job.number, unit.name.clone())));
                }
                Some(_) => drop(answers.alive.insert(job.number)),
                None => {}
            }
        }
        Ok(answers)
    }

    /// Ends the JVMs that were left by questions.
    pub fn rest(&self) {
        self.left.end();
    }

    /// What is to be run for these mutants, group by group, and those that no test reaches.
    fn jobs(&self, made: &Made, numbers: &BTreeSet<u32>) -> (Vec<Job>, Vec<Job>) {
        let jobs = numbers.iter().filter_map(|&number| Some(self.job(number, made.group(number)?)));
        let (mut jobs, spared): (Vec<Job>, Vec<Job>) =
            jobs.partition(|job| !job.warm.is_empty() || !job.once.is_empty());
        jobs.sort_by_key(|job| job.group);
        (jobs, spared)
    }

    /// The mutants that the tests reach.
    pub fn reached(&self, made: &Made) -> BTreeSet<u32> {
        let all = 1..u32::try_from(made.numbers()).unwrap_or(u32::MAX);
        all.filter(|number| !self.covering.tests(*number).is_empty()).collect()
    }

    /// For each of these mutants that the tests notice, all tests that do: `a.B#c`, or a class where its tests cannot run one by one. Mutants whose turn did
    /// not come before everything was stopped are missing.
    ///
    /// # Errors
    /// When JVMs cannot be started.
    pub fn killers(
        &self,
        made: &Made,
        numbers: &BTreeSet<u32>,
        settings: &Settings,
        stop: &Stop,
        observer: &dyn Observer,
    ) -> Result<BTreeMap<u32, BTreeSet<String>>> {
        let (jobs, _) = self.jobs(made, numbers);
        let done = self.run(made, &jobs, &Settings { matrix: true, ..*settings }, stop, observer);
        if let Some(why) = done.broken {
            return Err(anyhow!(why));
        }
        let name = |test: &usize| self.survey.units.get(*test).map(|unit| unit.name.clone());
        let killed = jobs.iter().zip(done.judged).filter_map(|(job, judged)| Some((job.number, judged?)));
        Ok(killed
            .filter(|(_, judged)| !judged.killing.is_empty())
            .map(|(number, judged)| (number, judged.killing.iter().filter_map(name).collect()))
            .collect())
    }

    /// How long each test took without mutants, at most.
    pub fn times(&self) -> impl Iterator<Item = (&str, Duration)> {
        self.survey.units.iter().map(|unit| (unit.name.as_str(), unit.time))
    }

    /// From now on slow tests are asked about those mutants alone that no faster test reaches whenever it runs, and no test is asked about a
    /// mutant twice, in a warm JVM and as the first of a fresh one. For who can live with a mutant that is taken for alive.
    pub fn without_dear(&mut self) {
        let units = &self.survey.units;
        self.covering.without_dear(|test| units.get(test).is_some_and(|unit| unit.time >= SLOW));
    }

    /// From now on the tests that reach a mutant run in this order of their names, in place of the fastest first; those that have no place
    /// come last.
    pub fn in_order(&mut self, names: &[String]) {
        let places: BTreeMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
        let place = |unit: &Unit| places.get(unit.name.as_str()).copied().unwrap_or(usize::MAX);
        let of_unit: Vec<usize> = self.survey.units.iter().map(place).collect();
        for list in self.covering.warm.iter_mut().chain(&mut self.covering.once) {
            list.sort_by_key(|test| of_unit.get(*test).copied().unwrap_or(usize::MAX));
        }
    }

    /// Tests that need others to run before them, as far as that came up.
    pub(super) fn dependent(&self) -> Vec<usize> {
        self.alone.dependent()
    }

    /// Tests that fail without mutants.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.survey.left_out
    }

    /// The tests.
    pub(super) fn units(&self) -> &[Unit] {
        &self.survey.units
    }

    /// Who reaches what.
    pub(super) fn covering(&self) -> &Covering {
        &self.covering
    }

    /// A mutant of a group with the tests that reach it.
    pub(super) fn job(&self, number: u32, group: usize) -> Job {
        let list = |lists: &[Vec<usize>]| lists.get(number as usize).cloned().unwrap_or_default();
        Job { number, group, warm: list(&self.covering.warm), once: list(&self.covering.once) }
    }

    /// Runs mutants, sorted by group, until all are judged or everything is stopped.
    pub(super) fn run(
        &self,
        made: &Made,
        jobs: &[Job],
        settings: &Settings,
        stop: &Stop,
        observer: &dyn Observer,
    ) -> Done {
        let mut jvm = self.jvm.clone();
        jvm.stop = stop.clone();
        let groups = &made.plan().groups;
        let (left, alone) = (&self.left, &self.alone);
        let crew =
            Crew { jvm: &jvm, groups, work: &self.work, units: &self.survey.units, settings, left, alone };
        crew.run(jobs, observer)
    }
}
