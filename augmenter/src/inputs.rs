//! Which classes are the program's and which tests run: the class path, looked through; and the JVM that runs them. Knows nothing of mutants.
//!
//! Invariant: a test class, or a class inside one, is never a target; every pattern selects something.

use crate::classes::Classes;
use crate::classpath;
use crate::exit_code::usage;
use crate::junit_launcher;
use crate::jvm::jdk::Jdk;
use crate::jvm::launch::JvmConfig;
use crate::jvm::process::Stop;
use crate::jvm::sandbox::{self, Confinement};
use crate::jvm::suite;
use crate::output::{self, NAMED};
use anyhow::{Context, Result, anyhow};
use dynaflow_model::frameworks::{self, Runner};
use dynaflow_model::options::excluded_by_default;
use dynaflow_model::pattern::Pattern;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

const DISCOVERY: Duration = Duration::from_secs(120);
/// The folder of the JVM that looks for tests.
const LOOKING: &str = "discovery";

/// Which tests run.
#[derive(Clone, Copy, Debug)]
pub struct Tests<'a> {
    /// The option that names them, for messages.
    pub option: &'static str,
    /// Their classes; none: those in folders of the class path of the tests.
    pub patterns: &'a [Pattern],
    /// Those that do not run.
    pub exclude: &'a [Pattern],
    /// Whether it is no error when there are none and no pattern names some.
    pub may_be_none: bool,
}

/// How a JVM runs them.
#[derive(Clone, Copy, Debug)]
pub struct Running<'a> {
    /// What must be confined, for messages.
    pub what: &'static str,
    /// The JDK; none: that of the environment.
    pub java_home: Option<&'a Path>,
    /// Largest heap, in MiB.
    pub heap: u32,
    /// Options of the JVM.
    pub jvm_arg: &'a [String],
    /// Whether it runs with the user's rights.
    pub unconfined: bool,
    /// Whether it runs where it cannot be confined completely.
    pub weak: bool,
}

/// The class path.
#[derive(Debug)]
pub struct Inputs {
    program: Vec<PathBuf>,
    tests: Vec<PathBuf>,
    /// All entries.
    pub full: Vec<PathBuf>,
}

impl Inputs {
    /// Checks that all entries can be read.
    ///
    /// # Errors
    /// Names the option and the entry.
    pub fn new(class_path: &OsStr, test_class_path: Option<&OsStr>) -> Result<Self> {
        let program = classpath::absolute("--class-path", class_path)?;
        let tests = test_class_path.map(|tests| classpath::absolute("--test-class-path", tests));
        let tests = tests.transpose()?.unwrap_or_default();
        let full = [program.clone(), tests.clone()].concat();
        Ok(Self { program, tests, full })
    }

    /// The test classes, and the jars that running them takes besides.
    ///
    /// # Errors
    /// When a pattern selects none, there are none, or what runs them is missing.
    pub fn find_tests(
        &self,
        tests: &Tests<'_>,
        jvm: &JvmConfig,
        say: &dyn Fn(&str),
    ) -> Result<(Vec<String>, Vec<PathBuf>)> {
        let all = Classes::list(&self.full)?;
        let mut selected = self.selected_tests(tests, &all)?;
        selected.retain(|class| !tests.exclude.iter().any(|pattern| pattern.matches(class)));
        let found = suite::discover(jvm, &selected, DISCOVERY).context("cannot look for tests")?;
        let runs: Vec<&(String, Runner)> =
            found.tests.iter().filter(|(_, runner)| runner.core().is_some()).collect();
        let trouble = found.troubles.first().map(|why| format!(" ({why})")).unwrap_or_default();
        if let Some(pattern) = tests.patterns.iter().find(|p| !runs.iter().any(|(name, _)| p.matches(name))) {
            let count = selected.iter().filter(|class| pattern.matches(class)).count();
            return Err(usage(format!(
                "{} {}: {count} classes of the class path have this name, none of them has JUnit tests{trouble}",
                tests.option,
                pattern.as_str()
            )));
        }
        if runs.is_empty() && !tests.may_be_none {
            return Err(anyhow!(
                "none of {} classes has JUnit tests{trouble}; name the folder with the tests, and JUnit, with --test-class-path",
                selected.len()
            ));
        }
        let others = found.tests.len() - runs.len();
        if others > 0 {
            say(&format!("{others} test classes are left out: dynaflow runs JUnit 3, 4 and 5"));
        }
        let platform = runs.iter().any(|(_, runner)| *runner == Runner::Platform);
        let added = if platform { self.launcher()? } else { vec![] };
        Ok((runs.into_iter().map(|(name, _)| name.clone()).collect(), added))
    }

    /// The entries of the class path of the tests.
    pub fn tests(&self) -> &[PathBuf] {
        &self.tests
    }

    /// The jars that running tests of the JUnit Platform takes besides those of the class path.
    ///
    /// # Errors
    /// Names the jars that are missing and found nowhere.
    pub fn launcher(&self) -> Result<Vec<PathBuf>> {
        let names = classpath::classes(&self.full)?;
        let style = frameworks::styles().find(|style| !style.needs.is_empty());
        let added = style.map(|style| junit_launcher::missing(style, &self.full, &names)).transpose()?;
        Ok(added.unwrap_or_default())
    }

    fn selected_tests(&self, tests: &Tests<'_>, all: &Classes) -> Result<Vec<String>> {
        if !tests.patterns.is_empty() {
            let is_selected = |class: &&str| tests.patterns.iter().any(|pattern| pattern.matches(class));
            return Ok(all.names().filter(is_selected).map(str::to_owned).collect());
        }
        let entries = if self.tests.is_empty() { &self.program } else { &self.tests };
        let folders = folders(entries);
        if folders.is_empty() && !tests.may_be_none {
            return Err(usage(format!(
                "there is no folder on the class path to look for tests in: name the test classes with {}",
                tests.option
            )));
        }
        Ok(Classes::list(&folders)?.names().map(str::to_owned).collect())
    }

    /// The classes to mutate, or to look at: those that the first patterns select, or all of the program's own, but for those that the second patterns select.
    ///
    /// # Errors
    /// When a pattern selects none, or there are none.
    pub fn targets(&self, (target, exclude): (&[Pattern], &[Pattern]), tests: &[String]) -> Result<Classes> {
        let folders = folders(&self.program);
        let by_default = target.is_empty();
        let entries = if by_default && !folders.is_empty() { &folders } else { &self.program };
        let mut classes = Classes::list(entries)?;
        for (option, patterns) in [("--target", target), ("--exclude", exclude)] {
            if let Some(pattern) = patterns.iter().find(|p| !classes.names().any(|name| p.matches(name))) {
                let names: Vec<&str> = classes.names().collect();
                let some = output::first(&names, NAMED);
                return Err(usage(format!(
                    "{option} {} matches no class; --class-path has {some}",
                    pattern.as_str()
                )));
            }
        }
        let is_test =
            |name: &str| tests.iter().any(|test| name.strip_prefix(test.as_str()).is_some_and(is_inside));
        let matches = |patterns: &[Pattern], name: &str| patterns.iter().any(|p| p.matches(name));
        let is_own = |name: &str| !(folders.is_empty() && excluded_by_default(name));
        classes.retain(|name| {
            let asked = if by_default { is_own(name) } else { matches(target, name) };
            asked && !matches(exclude, name) && !is_test(name)
        });
        if classes.names().next().is_none() {
            return Err(anyhow!(
                "there is no class to mutate: --class-path, --target and --exclude leave none but tests"
            ));
        }
        Ok(classes)
    }
}

/// Whether what stands behind the name of a class makes it that class or one inside it.
fn is_inside(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('$')
}

fn folders(entries: &[PathBuf]) -> Vec<PathBuf> {
    entries.iter().filter(|entry| entry.is_dir()).cloned().collect()
}

/// The JVM that looks for tests and, with what is added then, runs them.
///
/// # Errors
/// When there is no JDK, or mutants cannot be confined on this machine and that is not accepted.
pub fn jvm(running: &Running<'_>, inputs: &Inputs, work: &Path, stop: &Stop) -> Result<JvmConfig> {
    let jdk = Jdk::find(running.java_home)?;
    let mut jvm = JvmConfig::new(jdk, inputs.full.clone(), work.join(LOOKING))?;
    jvm.stop = stop.clone();
    jvm.heap_mib = running.heap;
    let here = std::env::current_dir().context("the working folder")?;
    jvm.readable.push(here.clone());
    jvm.working_dir = Some(here);
    jvm.jvm_args = running.jvm_arg.to_vec();
    if running.unconfined {
        jvm.confinement = Confinement::None;
        jvm.jvm_args.insert(0, format!("-Xmx{}m", running.heap));
        return Ok(jvm);
    }
    let missing = sandbox::missing(&jvm.launcher).context("cannot try to confine a process")?;
    if running.weak {
        jvm.confinement = Confinement::Available;
    } else if !missing.is_empty() {
        return Err(anyhow!(
            "{} cannot be confined on this machine; missing: {}. Accept the risk with --allow-weak-confinement, or run them \
             with your rights with --unconfined",
            running.what,
            missing.join("; ")
        ));
    }
    Ok(jvm)
}
