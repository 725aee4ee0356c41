//! Where candidates run that branch distances lead: JVMs whose targets have probes at their branches, without the agent.
//!
//! In: sequences. Out: their outcomes, with distances. Knows nothing of the search. Invariant: what comes from here decides which sequences are run and
//! recorded, and is never a result itself.

use super::calls::{self, Calls};
use super::pool::{Pool, Run};
use super::spent::Spent;
use crate::classes;
use crate::commands::augment::ask::criteria::Criteria;
use crate::commands::augment::facts::coverage::Goal;
use crate::commands::augment::facts::losses::Losses;
use crate::commands::augment::facts::roots::Roots;
use crate::commands::augment::facts::seed_classes::SeedClasses;
use crate::commands::augment::prepare::setup::Setup;
use crate::jvm::job::Probes;
use crate::jvm::launch;
use crate::jvm::process::Stop;
use crate::jvm::sandbox::Confinement;
use crate::jvm::suite::{self, Ended, SuiteConfig, TestSelector};
use crate::jvm::worker::WorkerConfig;
use anyhow::{Context, Result, bail};
use dynaflow_fitness::{Branch, Guided, Kind, Pair, guided};
use dynaflow_flowgraph::dua::{self, Callees};
use dynaflow_java_shim::FITNESS_JAR;
use dynaflow_model::outcome::Distance;
use dynaflow_model::sequence::Sequence;
use dynaflow_model::types::TypeInfo;
use dynaflow_search::{CoverageGoals, Types};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

/// JVMs with probes.
#[derive(Debug)]
pub struct Guide {
    pool: Pool,
    probed: Probed,
    criteria: Criteria,
    /// The goals that no probes are needed for.
    calls: Calls,
    /// What the probes call, and the option that makes it known to a JVM.
    called: (PathBuf, String),
    /// Whether its JVMs took the place of others.
    is_revived: bool,
}

/// The targets with probes.
#[derive(Debug, Default)]
struct Probed {
    folder: PathBuf,
    classes: BTreeMap<String, ProbedClass>,
    /// By outcome, those it depends on.
    above: BTreeMap<u32, Vec<u32>>,
    /// One more than the largest number.
    numbers: u32,
}

/// A class with probes.
#[derive(Debug)]
struct ProbedClass {
    /// The number of its first branch.
    base: u32,
    branches: Vec<Branch>,
    /// The def-use pairs that some of these are.
    pairs: Vec<Pair>,
}

impl Guide {
    /// Puts probes into the targets and the classes inside them, and starts the first JVM. None when there is no branch. `callees` knows which calls change their
    /// object, which is asked where def-use pairs earn tests.
    ///
    /// # Errors
    /// When files cannot be written or the JVM cannot be started.
    pub fn start(setup: &Setup, callees: &dyn Callees, stop: &Stop) -> Result<Option<Self>> {
        let work = setup.work.path().join("guide");
        let targets = setup.bytes_of_targets()?;
        let probed = Probed::new(work.join("classes"), &targets, &setup.criteria, callees)?;
        let mut goals = probed.classes.values().flat_map(|class| &class.branches);
        if !goals.any(|goal| setup.criteria.lead_to(goal)) && !setup.criteria.call() {
            return Ok(None);
        }
        let (jar, option) = launch::boot_jar(&work, "dynaflow-fitness.jar", FITNESS_JAR)
            .context("cannot write the classes that probes call")?;
        let called = (jar, option);
        let pool = pool("guide", setup, &probed, &called, stop)?;
        let criteria = setup.criteria.clone();
        // A probe has two outcomes.
        let calls = Calls::new(criteria.clone(), probed.numbers.saturating_mul(2));
        Ok(Some(Self { pool, probed, criteria, calls, called, is_revived: false }))
    }

    /// Other JVMs in place of those that an interrupt ended; the first time.
    ///
    /// # Errors
    /// When the first cannot be started.
    pub fn revive(&mut self, setup: &Setup, stop: &Stop) -> Result<()> {
        if !self.is_revived {
            self.pool = pool("guide-again", setup, &self.probed, &self.called, stop)?;
            self.is_revived = true;
        }
        Ok(())
    }

    /// Ends its JVMs until the next sequence: what sequences left running takes the processors from all others.
    pub fn rest(&mut self) {
        self.pool.rest();
    }

    /// When what still runs is killed.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.pool.set_deadline(deadline);
    }

    /// What its workers were given, and what that cost.
    pub fn spent(&self) -> &Spent {
        self.pool.spent()
    }

    /// The goals of a class, of which this is known, and of those inside it that the search is led to.
    pub fn goals(&mut self, class: &str, info: Option<&TypeInfo>, types: &Types) -> CoverageGoals {
        if let Some(info) = info {
            self.calls.add_class(info, |callable| types.may_call(callable));
        }
        let mut wanted: BTreeSet<u32> = BTreeSet::new();
        let mut above = BTreeMap::new();
        for (number, goal, _) in self.probed.of_class(class) {
            wanted.extend(goal.outcomes(number).filter(|_| self.criteria.lead_to(goal)));
            // Of goals that do not lead, too: others depend on them.
            let of_goal = [2 * number, 2 * number + 1].into_iter();
            above.extend(
                of_goal.filter_map(|outcome| Some((outcome, self.probed.above.get(&outcome)?.clone()))),
            );
        }
        wanted.extend(self.calls.leading(class));
        CoverageGoals::new(wanted, above).with_all_from(self.calls.first())
    }

    /// The goals of a class and of those inside it that earn tests.
    pub fn wanted(&self, class: &str) -> BTreeMap<u32, Goal> {
        let own = self.probed.of_class(class).flat_map(|(number, branch, pairs)| {
            let goal = Goal { text: text(branch, pairs), criteria: self.criteria.that_have(branch) };
            branch.outcomes(number).map(move |outcome| (outcome, goal.clone()))
        });
        own.filter(|(_, goal)| !goal.criteria.is_empty()).chain(self.calls.of_class(class)).collect()
    }

    /// The outcomes that the seed tests reach.
    ///
    /// # Errors
    /// When there are none, they cannot run, or do not come to an end.
    pub fn of_seeds(&self, setup: &Setup, seeds: &SeedClasses, stop: &Stop) -> Result<BTreeSet<u32>> {
        if seeds.names.is_empty() {
            bail!("there are traces of them alone");
        }
        let mut jvm = setup.jvm_of_seeds("guide/seeds", stop)?;
        if !setup.options.confine_seeds {
            // They run as they ran when they were recorded.
            jvm.confinement = Confinement::None;
        }
        jvm.class_path.insert(0, self.probed.folder.clone());
        jvm.class_path.extend(seeds.class_path.iter().cloned());
        jvm.jvm_args.insert(0, self.called.1.clone());
        jvm.readable.push(self.called.0.clone());
        let tests = seeds.names.iter().map(|name| TestSelector::parse(name)).collect();
        let (timeout, probes) = (setup.options.seed_timeout, self.probed.numbers);
        let report = suite::run(&SuiteConfig { jvm, tests, timeout, silence: None, probes })
            .context("cannot run the seed tests with probes")?;
        match report.ended {
            Ended::Completed => Ok(report.reached),
            ended => bail!("the seed tests with probes did not come to their end: {ended}"),
        }
    }

    /// Runs sequences, one outcome each.
    ///
    /// # Errors
    /// When a thread is lost.
    pub fn run(&mut self, sequences: &[Sequence]) -> Result<Vec<Run>> {
        let jobs = sequences.iter().map(|sequence| (sequence.clone(), vec![])).collect();
        let mut runs = self.pool.run(jobs, |_| false)?;
        for (sequence, run) in sequences.iter().zip(&mut runs) {
            let reached = self.calls.reached(sequence, &run.outcome);
            let met = |outcome| Distance { outcome, away: 0, operands: None };
            run.outcome.distances.extend(reached.into_iter().map(met));
        }
        Ok(runs)
    }

    /// What was lost.
    pub fn losses(&self) -> &Losses {
        self.pool.losses()
    }

    /// Whether a JVM could not be replaced: no more distances come from it.
    pub fn is_lost(&self) -> bool {
        self.pool.losses().workers > 0
    }
}

/// JVMs in which the targets have probes.
fn pool(
    name: &str,
    setup: &Setup,
    probed: &Probed,
    (jar, option): &(PathBuf, String),
    stop: &Stop,
) -> Result<Pool> {
    let mut configs = vec![];
    for n in 0..setup.workers() {
        let mut jvm = setup.jvm(&format!("{name}/{n}"), stop)?;
        jvm.class_path.insert(0, probed.folder.clone());
        jvm.jvm_args.insert(0, option.clone());
        jvm.readable.push(jar.clone());
        let probes = Probes::Branches(probed.numbers);
        configs.push(WorkerConfig { jvm, time_limit: setup.time_limit(), probes });
    }
    Pool::start(configs, setup.jobs, &Roots::default())
}

/// What a goal is, for people.
fn text(goal: &Branch, pairs: &[Pair]) -> String {
    let method = calls::spoken(&goal.method);
    match goal.kind {
        Kind::Jump | Kind::Case if goal.is_direct => {
            format!("a branch at line {} of {method} by a direct call", goal.line)
        }
        Kind::Jump | Kind::Case => format!("a branch at line {} of {method}", goal.line),
        Kind::Entry if goal.is_direct => format!("{method} by a direct call"),
        Kind::Entry => method,
        Kind::Mutant(mutation) => format!("a mutant at line {} of {method}: {}", goal.line, mutation.text()),
        Kind::Line => format!("line {} of {method}", goal.line),
        Kind::Pair(pair) => pairs.get(pair as usize).map_or(method, text_of_pair),
        Kind::Definition => format!("a definition at line {} of {method}", goal.line),
    }
}

fn text_of_pair(pair: &Pair) -> String {
    let ((definer, defined), (user, used)) = (&pair.definition, &pair.usage);
    let (by, variable) = (calls::spoken(definer), &pair.variable);
    if pair.is_at_entry {
        return format!("{variable} as given to {by}, used at line {used}");
    }
    if definer == user && pair.kind != dua::Kind::IntraClass {
        return format!("{variable} defined at line {defined} and used at line {used} of {by}");
    }
    format!("{variable} defined in {by} (line {defined}) and used in {} (line {used})", calls::spoken(user))
}

impl Probed {
    /// The goals of a class and of those inside it, with their numbers.
    fn of_class(&self, class: &str) -> impl Iterator<Item = (u32, &Branch, &[Pair])> {
        let is_own = move |name: &str| classes::is_of(name, class);
        let own = self.classes.iter().filter(move |(name, _)| is_own(name));
        own.flat_map(|(_, class)| {
            let numbered = (class.base..).zip(&class.branches);
            numbered.map(|(number, branch)| (number, branch, class.pairs.as_slice()))
        })
    }

    fn new(
        folder: PathBuf,
        classes: &[(String, Vec<u8>)],
        criteria: &Criteria,
        callees: &dyn Callees,
    ) -> Result<Self> {
        std::fs::create_dir_all(&folder).context("cannot write classes with probes")?;
        let mut probed = Self { folder, ..Self::default() };
        for (name, bytes) in classes {
            match guided(bytes, probed.numbers, criteria.probes(), callees) {
                Ok(woven) if !woven.branches.is_empty() => {
                    classes::write(&probed.folder, name, &woven.bytes)?;
                    woven.declined.iter().for_each(|why| tracing::info!(class = name, why, "no probes"));
                    let base = probed.numbers;
                    probed.numbers += u32::try_from(woven.branches.len()).unwrap_or(u32::MAX);
                    probed.above.extend(woven.above);
                    let Guided { branches, pairs, .. } = woven;
                    probed.classes.insert(name.clone(), ProbedClass { base, branches, pairs });
                }
                Ok(_) => {}
                Err(error) => tracing::info!(class = name, %error, "no probes"),
            }
        }
        Ok(probed)
    }
}
