//! What an augmentation needs before it can begin: checked inputs, the JDK, the agent, folders.
//!
//! Knows nothing of search. Invariant: whatever can be known to be wrong is refused here, before any JVM runs.

use super::budget::Limit;
use super::chosen::Chosen;
use super::earlier::{self, Earlier};
use super::manner;
use super::newer;
use super::siblings;
use crate::agent_path;
use crate::classes::Classes;
use crate::commands::augment::ask::criteria::Criteria;
use crate::commands::augment::ask::options::{Algorithm, AugmentOptions};
use crate::commands::augment::ask::paths::Paths;
use crate::commands::augment::ask::recorded::{self, Recorded};
use crate::exit_code::usage;
use crate::junit_launcher;
use crate::jvm::javac::{self, Compilation};
use crate::jvm::jdk::Jdk;
use crate::jvm::launch::{AgentArgs, JvmConfig};
use crate::jvm::process::Stop;
use crate::jvm::reversed::ReversedTables;
use crate::jvm::sandbox::{self, Confinement};
use crate::output;
use crate::solving;
use crate::work_folder::WorkFolder;
use anyhow::{Context, Result, anyhow};
use dynaflow_model::frameworks::Style;
use dynaflow_model::options::{AgentOptions, Thin};
use dynaflow_solve::Config;
use dynaflow_testgen::Manner;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Everything the stages share.
#[derive(Debug)]
pub struct Setup<'a> {
    /// The command line.
    pub options: &'a AugmentOptions,
    /// The JDK that runs everything.
    pub jdk: Jdk,
    /// The agent library.
    pub agent: PathBuf,
    /// Hash tables in reverse order.
    pub tables: ReversedTables,
    /// The program's and the tests' class path.
    pub full_class_path: Vec<PathBuf>,
    /// Names of the program's classes.
    pub classes: BTreeSet<String>,
    /// Names of all classes of the class path.
    pub all_classes: BTreeSet<String>,
    /// Which of all classes are recorded.
    pub recorded: Recorded,
    /// Tests that earlier runs wrote.
    pub earlier: Earlier,
    /// What was added to the class path so that the generated tests run.
    pub added: Vec<PathBuf>,
    /// Those of the program's classes that are targets.
    pub targets: Vec<String>,
    /// The targets of which these are a part; the same where there are no parts.
    pub whole: Vec<String>,
    /// What was said of the choice among them.
    pub narrowed: Vec<String>,
    /// How tests are written for the framework that runs them.
    pub style: &'static Style,
    /// What the tests beside them are like.
    pub manner: Manner,
    /// The Java whose library they use, where it is not the JDK's own.
    pub release: Option<u32>,
    /// What tests are written for.
    pub criteria: Criteria,
    /// The solver; or why there is none.
    pub solver: Result<Config, String>,
    /// What limits the search.
    pub limit: Limit,
    /// The most that one class may use of the limit: microseconds, or executions.
    pub most_per_class: u64,
    /// Workers that run at a time.
    pub jobs: usize,
    /// Everything private: worker folders, traces, classes. Removed at the end.
    pub work: WorkFolder,
}

/// Longest run of one candidate, where time is the limit of everything.
const TIME_LIMIT: Duration = Duration::from_secs(1);
/// Longest run of one candidate in a reproducible search: whatever ends within [`TIME_LIMIT`] on an idle machine ends within this on
/// a busy one.
const PATIENT_TIME_LIMIT: Duration = Duration::from_secs(15);
/// Workers of a reproducible search, whatever runs at a time: candidates leave static state behind in their worker.
const FIXED_WORKERS: usize = 4;
/// Candidates of a batch for each worker, where time is the limit.
const BATCH_OF_ONE: usize = 32;
/// Candidates of a batch of a reproducible search.
const FIXED_BATCH: usize = 32;
const DEFAULT_BUDGET: Duration = Duration::from_secs(60);
/// Longest time for compiling what earlier runs wrote.
const COMPILING: Duration = Duration::from_secs(300);
/// Memory of a JVM that runs seeds confined, in MiB.
const HEAP_OF_SEEDS: u32 = 1024;
/// Least time for checking.
const LEAST_CHECKING: Duration = Duration::from_secs(60);
/// Time for checking the tests of one class: a compiler and JVMs start for it at least once.
pub const CHECKING_ONE: Duration = Duration::from_secs(30);

impl<'a> Setup<'a> {
    /// Checks everything.
    ///
    /// # Errors
    /// Names the option that is wrong and what it takes.
    pub fn new(options: &'a AugmentOptions, paths: &Paths, chosen: Chosen) -> Result<Self> {
        let mut full_class_path = paths.full();
        let all_classes = paths.all_classes();
        let recorded = recorded::choose(options, &paths.program, &paths.tests, &chosen.selected)?;
        let Chosen { targets, whole, lines: narrowed, .. } = chosen;
        let limit = limit(options, targets.len());
        let jdk = Jdk::find(options.java_home.as_deref())?;
        let of_targets = newer::check(&paths.class_path, &whole, &jdk)?;
        let agent = agent_path::find()?;
        check_out(if options.write { "--write" } else { "--out" }, options.out())?;
        output::check("--json", options.json.as_deref(), &full_class_path)?;
        output::check("--stats", options.stats.as_deref(), &full_class_path)?;
        let earlier = earlier::find(|path| options.place(path), &targets, &all_classes)?;
        let seeds = manner::of_seeds(
            junit_launcher::style(options.junit, &all_classes)?,
            &full_class_path,
            &options.seed_tests,
        );
        let style = seeds.style;
        let java = seeds.java(of_targets);
        let release = newer::library(of_targets, java.into(), &jdk);
        let mut manner = Manner { java, ..Manner::default() };
        if let Some(shown) = siblings::shown(options.siblings(), &targets) {
            (manner.indent, manner.width) = (shown.indent, shown.width);
        }
        let solver = if options.no_mutants {
            Err("no mutants are asked for".to_owned())
        } else {
            solving::solver(options.solver.as_deref(), None)?
        };
        let added = junit_launcher::missing(style, &full_class_path, &all_classes)?;
        full_class_path.extend(added.iter().cloned());
        let work = WorkFolder::new()?;
        Ok(Self {
            tables: ReversedTables::new(&jdk, work.path().join("tables")),
            options,
            jdk,
            agent,
            full_class_path,
            classes: paths.classes.clone(),
            all_classes,
            recorded,
            earlier,
            added,
            targets,
            whole,
            narrowed,
            style,
            manner,
            release,
            criteria: Criteria::of(&options.criteria, options.has_seeds())
                .with_smart_selection(options.smart_selection),
            solver,
            limit,
            most_per_class: most_per_class(options),
            jobs: jobs(options),
            work,
        })
    }

    /// Whether the same seed must give the same tests: then nothing may depend on clocks or on the number of jobs.
    pub fn is_reproducible(&self) -> bool {
        matches!(self.limit, Limit::Executions(_))
    }

    /// How many workers there are.
    pub fn workers(&self) -> usize {
        if self.is_reproducible() { FIXED_WORKERS } else { self.jobs }
    }

    /// How many candidates run before what they showed is looked at.
    pub fn batch(&self) -> usize {
        if self.is_reproducible() { FIXED_BATCH } else { BATCH_OF_ONE * self.jobs.max(1) }
    }

    /// Longest run of one candidate.
    pub fn time_limit(&self) -> Duration {
        if self.is_reproducible() { PATIENT_TIME_LIMIT } else { TIME_LIMIT }
    }

    /// How long checking the tests of so many classes may take: as long as the search, a minute, or [`CHECKING_ONE`] for each class,
    /// whichever is longest; unlimited where no clock may decide, as what is checked is limited by the number of executions then.
    pub fn checking(&self, classes: usize) -> Option<Duration> {
        let each = CHECKING_ONE.saturating_mul(u32::try_from(classes).unwrap_or(u32::MAX));
        match self.limit {
            Limit::Time(limit) => Some(limit.max(LEAST_CHECKING).max(each)),
            Limit::Executions(_) => None,
        }
    }

    /// The targets and the classes inside them, by name.
    ///
    /// # Errors
    /// Names the jar or folder that cannot be read.
    pub fn bytes_of_targets(&self) -> Result<Vec<(String, Vec<u8>)>> {
        self.bytes_of(self.are_of_targets())
    }

    /// Which classes are targets or lie inside one.
    pub fn are_of_targets(&self) -> impl Fn(&str) -> bool {
        let targets: BTreeSet<&str> = self.targets.iter().map(String::as_str).collect();
        move |name: &str| {
            let mut outer = name.match_indices('$').filter_map(|(at, _)| name.get(..at));
            targets.contains(name) || self.classes.contains(name) && outer.any(|o| targets.contains(o))
        }
    }

    /// Those classes of the class path that are wanted, by name.
    ///
    /// # Errors
    /// Names the jar or folder that cannot be read.
    pub fn bytes_of(&self, is_wanted: impl Fn(&str) -> bool) -> Result<Vec<(String, Vec<u8>)>> {
        let mut classes = Classes::list(&self.full_class_path)?;
        classes.retain(is_wanted);
        classes.each(|name, bytes| (name.to_owned(), bytes.to_vec()))
    }

    /// The configuration of a JVM with a private folder of its own.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn jvm(&self, name: &str, stop: &Stop) -> Result<JvmConfig> {
        let private = self.work.path().join(name);
        std::fs::create_dir_all(&private).with_context(|| format!("cannot make `{}`", private.display()))?;
        let mut config = JvmConfig::new(self.jdk.clone(), self.full_class_path.clone(), private)?;
        config.stop = stop.clone();
        config.jvm_args.clone_from(&self.options.settings.arguments);
        config.environment.clone_from(&self.options.settings.environment);
        if self.options.allow_weak_confinement {
            config.confinement = Confinement::Available;
        }
        Ok(config)
    }

    /// The configuration of a JVM that runs the user's tests beside generated calls: in the user's folder, and confined.
    ///
    /// # Errors
    /// When the private folder cannot be made.
    pub fn jvm_of_seeds(&self, name: &str, stop: &Stop) -> Result<JvmConfig> {
        let mut jvm = self.jvm(name, stop)?;
        let here = std::env::current_dir().context("the working folder")?;
        jvm.readable.push(here.clone());
        jvm.working_dir = Some(here);
        jvm.heap_mib = HEAP_OF_SEEDS;
        Ok(jvm)
    }

    /// Compiles what earlier runs wrote and is not on the class path; none when all is. The folder goes on the class path.
    ///
    /// # Errors
    /// Names the file that does not compile.
    pub fn compile_earlier(&self, stop: &Stop) -> Result<Option<PathBuf>> {
        let sources = self.earlier.missing(&self.all_classes);
        if sources.is_empty() {
            return Ok(None);
        }
        let out = self.work.path().join("earlier");
        let (jdk, class_path) = (&self.jdk, &self.full_class_path);
        let job = Compilation {
            jdk,
            class_path,
            sources: &sources,
            out: &out,
            release: None,
            limit: COMPILING,
            stop,
        };
        javac::compile(&job)
            .context(
                "tests that an earlier run wrote do not compile any more; mend or remove them, or name another folder with --out",
            )
            .map(drop)?;
        Ok(Some(out))
    }

    /// The agent, writing its traces below the folder `name`.
    pub fn agent(&self, name: &str, carve: bool) -> AgentArgs {
        let options = AgentOptions {
            out: self.work.path().join(name),
            include: self.recorded.include.clone(),
            exclude: self.recorded.exclude.clone(),
            carve,
            effects: true,
            thin: if carve { Thin::Auto } else { Thin::Off },
            ..AgentOptions::default()
        };
        AgentArgs { library: self.agent.clone(), options }
    }
}

/// Whether generated calls can be confined on this machine: what is missing, when the user accepts that.
///
/// # Errors
/// When something is missing and --allow-weak-confinement is not given.
pub fn check_confinement(options: &AugmentOptions) -> Result<Vec<String>> {
    let launcher = std::env::current_exe().context("the path of this program")?;
    let missing = sandbox::missing(&launcher).context("cannot try to confine a process")?;
    accept(missing, options.allow_weak_confinement)
}

fn accept(missing: Vec<String>, weak: bool) -> Result<Vec<String>> {
    if missing.is_empty() || weak {
        return Ok(missing);
    }
    Err(anyhow!(
        "generated calls cannot be confined on this machine; missing: {}. Run on a kernel that has it (Linux 6.2 or later with \
         Landlock and seccomp), or accept the risk with --allow-weak-confinement",
        missing.join("; ")
    ))
}

/// Checks what the search is asked for.
///
/// # Errors
/// Names the criterion, or the options that do not go together.
pub fn check_criteria(options: &AugmentOptions) -> Result<()> {
    let criteria = Criteria::of(&options.criteria, true);
    if criteria.cover() && options.algorithm == Algorithm::Random {
        return Err(usage(
            "criteria beside objectives need an --algorithm that measures what sequences reach; random measures nothing".into(),
        ));
    }
    if options.smart_selection && !criteria.may_select() {
        return Err(usage(
            "--smart-selection chooses among the goals of criteria that are reached together: name one of def-use, direct-branch, line and weak-mutation with --criteria, or both method and method-no-exception".into(),
        ));
    }
    Ok(())
}

/// What the whole search may use: with nothing but a limit for each class, as much as all classes together.
fn limit(options: &AugmentOptions, classes: usize) -> Limit {
    if let Some(n) = options.max_executions {
        return Limit::Executions(n);
    }
    let classes = u32::try_from(classes).unwrap_or(u32::MAX);
    let all = options.budget_per_class.map(|each| each.saturating_mul(classes));
    Limit::Time(options.budget.or(all).unwrap_or(DEFAULT_BUDGET))
}

fn most_per_class(options: &AugmentOptions) -> u64 {
    options.budget_per_class.map_or(u64::MAX, |each| u64::try_from(each.as_micros()).unwrap_or(u64::MAX))
}

/// How many JVMs run at a time; what is found does not depend on it when executions are counted.
fn jobs(options: &AugmentOptions) -> usize {
    let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    options.jobs.map_or_else(processors, |n| n as usize)
}

/// The folder that an option means must be there, or be made, and take files.
fn check_out(option: &str, out: &Path) -> Result<()> {
    let context = || {
        format!("{option}: cannot write to {}; name a folder that can be written with --out", out.display())
    };
    std::fs::create_dir_all(out).with_context(context)?;
    tempfile::tempfile_in(out).with_context(context)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_refused_or_named() {
        let missing = || vec!["files: the kernel has no Landlock".to_owned()];
        assert_eq!(accept(vec![], false).unwrap(), Vec::<String>::new());
        assert_eq!(accept(missing(), true).unwrap(), missing());
        let error = accept(missing(), false).unwrap_err().to_string();
        assert!(error.contains("no Landlock") && error.contains("--allow-weak-confinement"), "{error}");
    }
}
