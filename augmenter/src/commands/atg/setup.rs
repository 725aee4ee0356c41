//! What `dynaflow atg` needs before it can begin: checked inputs, the class, JUnit, the JDK, the solver. Knows nothing of tests.
//!
//! Invariant: what can be known to be wrong is refused here, before any JVM runs.

use super::options::AtgOptions;
use crate::classes::Classes;
use crate::classpath;
use crate::exit_code::usage;
use crate::junit_launcher;
use crate::jvm::jdk::Jdk;
use crate::jvm::launch::JvmConfig;
use crate::jvm::process::Stop;
use crate::jvm::sandbox::{self, Confinement};
use crate::mutation::Settings;
use crate::output::{self, NAMED};
use crate::solving;
use crate::work_folder::WorkFolder;
use anyhow::{Context, Result, anyhow};
use dynaflow_model::frameworks::Style;
use dynaflow_solve::Config;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

/// How long compiling, or running tests without mutants, may take.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// What everything shares.
#[derive(Debug)]
pub struct Setup {
    /// The JDK.
    pub jdk: Jdk,
    /// The program, JUnit and what runs it.
    pub class_path: Vec<PathBuf>,
    /// The class.
    pub class: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// How tests are written.
    pub style: &'static Style,
    /// The solver; or why there is none.
    pub solver: Result<Config, String>,
    /// How mutants run.
    pub settings: Settings,
    /// Everything private.
    pub work: WorkFolder,
    /// Ends everything.
    pub stop: Stop,
    confinement: Confinement,
}

impl Setup {
    /// Checks everything.
    ///
    /// # Errors
    /// Names the option that is wrong and what it takes.
    pub fn new(options: &AtgOptions, stop: &Stop) -> Result<Self> {
        let program = classpath::absolute("--class-path", &options.class_path)?;
        let tests =
            options.test_class_path.as_ref().map(|tests| classpath::absolute("--test-class-path", tests));
        let mut class_path = [program.clone(), tests.transpose()?.unwrap_or_default()].concat();
        let classes = Classes::list(&program)?;
        let bytes = bytes(&classes, &options.target)?;
        output::check("--json", options.json.as_deref(), &class_path)?;
        let names: BTreeSet<String> = classpath::classes(&class_path)?;
        let style = junit_launcher::style(options.junit, &names)?;
        class_path.extend(junit_launcher::missing(style, &class_path, &names)?);
        let solver = solving::solver(options.solver.as_deref(), Some(options.solver_timeout))?;
        let jdk = Jdk::find(options.java_home.as_deref())?;
        let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let settings = Settings {
            matrix: false,
            workers: options.workers.map_or_else(processors, |n| n as usize),
            factor: 1.25,
            constant: options.timeout_constant,
            suite: PATIENCE,
        };
        let confinement = confinement(options)?;
        Ok(Self {
            jdk,
            class_path,
            class: options.target.clone(),
            bytes,
            style,
            solver,
            settings,
            work: WorkFolder::new()?,
            stop: stop.clone(),
            confinement,
        })
    }

    /// A JVM with a private folder of its own.
    ///
    /// # Errors
    /// When the folder cannot be made.
    pub fn jvm(&self, name: &str) -> Result<JvmConfig> {
        let private = self.work.path().join(name);
        std::fs::create_dir_all(&private).with_context(|| format!("cannot make `{}`", private.display()))?;
        let mut jvm = JvmConfig::new(self.jdk.clone(), self.class_path.clone(), private)?;
        jvm.stop = self.stop.clone();
        jvm.confinement = self.confinement;
        Ok(jvm)
    }
}

fn bytes(classes: &Classes, target: &str) -> Result<Vec<u8>> {
    if let Some(bytes) = classes.class(target.replace('.', "/").as_bytes()) {
        return Ok(bytes);
    }
    let names: Vec<&str> = classes.names().collect();
    if names.is_empty() {
        return Err(anyhow!(
            "--class-path: no class is there; name the folder that holds the packages, or jars"
        ));
    }
    let some = output::first(&names, NAMED);
    Err(usage(format!("--target {target}: no class of --class-path has this name; it has {some}")))
}

fn confinement(options: &AtgOptions) -> Result<Confinement> {
    if options.allow_weak_confinement {
        return Ok(Confinement::Available);
    }
    let launcher = std::env::current_exe().context("the path of this program")?;
    let missing = sandbox::missing(&launcher).context("cannot try to confine a process")?;
    if missing.is_empty() {
        return Ok(Confinement::Required);
    }
    Err(anyhow!(
        "generated calls cannot be confined on this machine; missing: {}. Accept the risk with --allow-weak-confinement",
        missing.join("; ")
    ))
}
