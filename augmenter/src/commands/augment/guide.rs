//! Where candidates run that branch distances lead: JVMs whose targets have probes at their branches, without the agent.
//!
//! In: sequences. Out: their outcomes, with distances. Knows nothing of the search. Invariant: what comes from here decides which sequences are run and
//! recorded, and is never a result itself.

use super::losses::Losses;
use super::pool::{Pool, Run};
use super::setup::Setup;
use crate::classes;
use crate::jvm::job::Probes;
use crate::jvm::launch;
use crate::jvm::process::Stop;
use crate::jvm::worker::WorkerConfig;
use anyhow::{Context, Result};
use dynaflow_fitness::{Branch, guided};
use dynaflow_java_shim::FITNESS_JAR;
use dynaflow_model::sequence::Sequence;
use dynaflow_search::CoverageGoals;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Instant;

/// JVMs with probes.
#[derive(Debug)]
pub struct Guide {
    pool: Pool,
    probed: Probed,
}

/// The targets with probes.
#[derive(Debug, Default)]
struct Probed {
    folder: PathBuf,
    /// By class, the number of its first branch, and its branches.
    branches: BTreeMap<String, (u32, Vec<Branch>)>,
    /// By outcome, those it depends on.
    above: BTreeMap<u32, Vec<u32>>,
    /// One more than the largest number.
    numbers: u32,
}

impl Guide {
    /// Puts probes into the targets and the classes inside them, and starts the first JVM. None when there is no branch.
    ///
    /// # Errors
    /// When files cannot be written or the JVM cannot be started.
    pub fn start(setup: &Setup, stop: &Stop) -> Result<Option<Self>> {
        let work = setup.work.path().join("guide");
        let probed = Probed::new(work.join("classes"), &setup.bytes_of_targets()?)?;
        if probed.numbers == 0 {
            return Ok(None);
        }
        let (jar, option) = launch::boot_jar(&work, "dynaflow-fitness.jar", FITNESS_JAR)
            .context("cannot write the classes that probes call")?;
        let mut configs = vec![];
        for n in 0..setup.workers() {
            let mut jvm = setup.jvm(&format!("guide/{n}"), stop)?;
            jvm.class_path.insert(0, probed.folder.clone());
            jvm.jvm_args.insert(0, option.clone());
            jvm.readable.push(jar.clone());
            let probes = Probes::Branches(probed.numbers);
            configs.push(WorkerConfig { jvm, time_limit: setup.time_limit(), probes });
        }
        let pool = Pool::start(configs, setup.jobs, &[])?;
        Ok(Some(Self { pool, probed }))
    }

    /// When what still runs is killed.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.pool.set_deadline(deadline);
    }

    /// The outcomes of the branches of a class and of those inside it.
    pub fn goals(&self, class: &str) -> CoverageGoals {
        let is_own = |name: &str| name == class || classes::is_inside(name, class);
        let own = self.probed.branches.iter().filter(|(name, _)| is_own(name));
        let branches = own.flat_map(|(_, (base, branches))| (*base..).zip(branches));
        let wanted: BTreeSet<u32> = branches.flat_map(|(number, branch)| branch.outcomes(number)).collect();
        let above = self.probed.above.iter().filter(|(outcome, _)| wanted.contains(outcome));
        let above = above.map(|(outcome, above)| (*outcome, above.clone())).collect();
        CoverageGoals::new(wanted, above)
    }

    /// Runs sequences, one outcome each.
    ///
    /// # Errors
    /// When a thread is lost.
    pub fn run(&mut self, sequences: &[Sequence]) -> Result<Vec<Run>> {
        let jobs = sequences.iter().map(|sequence| (sequence.clone(), vec![])).collect();
        self.pool.run(jobs, |_| false)
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

impl Probed {
    fn new(folder: PathBuf, classes: &[(String, Vec<u8>)]) -> Result<Self> {
        std::fs::create_dir_all(&folder).context("cannot write classes with probes")?;
        let mut probed = Self { folder, ..Self::default() };
        for (name, bytes) in classes {
            match guided(bytes, probed.numbers) {
                Ok(woven) if !woven.branches.is_empty() => {
                    classes::write(&probed.folder, name, &woven.bytes)?;
                    woven.declined.iter().for_each(|why| tracing::info!(class = name, why, "no probes"));
                    let base = probed.numbers;
                    probed.numbers += u32::try_from(woven.branches.len()).unwrap_or(u32::MAX);
                    probed.above.extend(woven.above);
                    probed.branches.insert(name.clone(), (base, woven.branches));
                }
                Ok(_) => {}
                Err(error) => tracing::info!(class = name, %error, "no probes"),
            }
        }
        Ok(probed)
    }
}
