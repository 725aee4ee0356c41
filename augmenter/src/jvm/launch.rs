//! The command line of a JVM: class path, agent, memory, confinement, environment. Knows nothing of what it runs.
//!
//! Invariant: the JVM sees absolute paths only, and no JVM options from this process's environment.

use super::jdk::Jdk;
use super::process::{Running, Stop};
use super::sandbox::{Confinement, Limits, Rules};
use dynaflow_java_shim::WORKER_JAR;
use dynaflow_model::options::AgentOptions;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command};

/// Memory a JVM gets besides its heap: code, class data, stacks, the agent.
const BESIDES_HEAP_MIB: u32 = 3072;

/// The agent to attach.
#[derive(Clone, Debug)]
pub struct AgentArgs {
    /// The agent library.
    pub library: PathBuf,
    /// Its options; `out` becomes writable for the JVM.
    pub options: AgentOptions,
}

/// Everything that decides how a JVM runs, besides its main class.
#[derive(Clone, Debug)]
pub struct JvmConfig {
    /// The JDK.
    pub jdk: Jdk,
    /// This program's own binary, which confines processes; see [`super::sandbox`].
    pub launcher: PathBuf,
    /// The user's class path: folders and jars.
    pub class_path: Vec<PathBuf>,
    /// The agent, when the run is to be recorded.
    pub agent: Option<AgentArgs>,
    /// Folder that is the JVM's alone: its home, working and temporary folder, and all it may write when confined.
    pub private_dir: PathBuf,
    /// Working folder; the private one when not given.
    pub working_dir: Option<PathBuf>,
    /// How strictly it is confined.
    pub confinement: Confinement,
    /// Largest heap in MiB when confined; the JVM's own choice otherwise.
    pub heap_mib: u32,
    /// Whether assertions of the program are checked.
    pub assertions: bool,
    /// More JVM options, after ours.
    pub jvm_args: Vec<String>,
    /// Ends the JVM when pulled.
    pub stop: Stop,
}

impl JvmConfig {
    /// A confined JVM with assertions, 512 MiB of heap, no agent, and this program as launcher.
    ///
    /// # Errors
    /// When the path of this program cannot be found out.
    pub fn new(jdk: Jdk, class_path: Vec<PathBuf>, private_dir: PathBuf) -> io::Result<Self> {
        Ok(Self {
            jdk,
            launcher: std::env::current_exe()?,
            class_path,
            agent: None,
            private_dir,
            working_dir: None,
            confinement: Confinement::Required,
            heap_mib: 512,
            assertions: true,
            jvm_args: vec![],
            stop: Stop::default(),
        })
    }

    /// Starts `main_class` of the worker jar with these arguments, and JVM options besides those of the configuration.
    ///
    /// # Errors
    /// When the private folder cannot be set up or the process cannot be started.
    pub fn start(
        &self,
        main_class: &str,
        args: &[&str],
        options: &[&str],
    ) -> io::Result<(Running, ChildStdin, ChildStdout)> {
        let private = self.prepare()?;
        let mut command_args = self.jvm_options(&private)?;
        command_args.extend(options.iter().map(OsString::from));
        command_args.push("-cp".into());
        command_args.push(self.full_class_path(&private)?);
        command_args.push(main_class.into());
        command_args.extend(args.iter().map(OsString::from));
        let rules = Rules {
            confinement: self.confinement,
            writable: self.writable(&private)?,
            limits: Limits { memory_mib: Some(self.heap_mib.saturating_add(BESIDES_HEAP_MIB)) },
            parent: std::process::id(),
        };
        let mut command = rules.command(&self.launcher, &self.jdk.java(), &command_args);
        self.surroundings(&mut command, &private);
        Running::start(command, &self.stop)
    }

    /// Creates the private folder with what must be in it; gives its absolute path.
    fn prepare(&self) -> io::Result<PathBuf> {
        std::fs::create_dir_all(self.private_dir.join("tmp"))?;
        let private = self.private_dir.canonicalize()?;
        let jar = private.join("dynaflow-worker.jar");
        if std::fs::metadata(&jar).map_or(true, |there| there.len() != WORKER_JAR.len() as u64) {
            std::fs::write(&jar, WORKER_JAR)?;
        }
        if let Some(agent) = &self.agent {
            std::fs::create_dir_all(&agent.options.out)?;
        }
        Ok(private)
    }

    fn jvm_options(&self, private: &Path) -> io::Result<Vec<OsString>> {
        let mut options: Vec<OsString> = vec![
            "-XX:+UseSerialGC".into(),
            "-XX:TieredStopAtLevel=1".into(),
            "-XX:-UsePerfData".into(),
            "-Xshare:auto".into(),
            if self.assertions { "-ea".into() } else { "-da".into() },
            joined("-XX:ErrorFile=", &private.join("hs_err.log")),
        ];
        // A user's own tests run with the memory they have without us, and may run out of it.
        if self.confinement != Confinement::None {
            options.push(format!("-Xmx{}m", self.heap_mib).into());
            options.push("-XX:+ExitOnOutOfMemoryError".into());
            options.push("-Djava.awt.headless=true".into());
            options.push(joined("-Djava.io.tmpdir=", &private.join("tmp")));
            options.push(joined("-Duser.home=", private));
        }
        if let Some(agent) = &self.agent {
            let mut settings = agent.options.clone();
            settings.out = std::path::absolute(&settings.out)?;
            let mut option = joined("-agentpath:", &std::path::absolute(&agent.library)?);
            option.push(format!("={settings}"));
            options.push(option);
        }
        options.extend(self.jvm_args.iter().map(OsString::from));
        Ok(options)
    }

    fn full_class_path(&self, private: &Path) -> io::Result<OsString> {
        let ours = private.join("dynaflow-worker.jar");
        let entries = self.class_path.iter().map(std::path::absolute).chain([Ok(ours)]);
        std::env::join_paths(entries.collect::<io::Result<Vec<PathBuf>>>()?).map_err(io::Error::other)
    }

    fn writable(&self, private: &Path) -> io::Result<Vec<PathBuf>> {
        let mut folders = vec![private.to_owned()];
        if let Some(agent) = &self.agent {
            folders.push(agent.options.out.canonicalize()?);
        }
        Ok(folders)
    }

    fn surroundings(&self, command: &mut Command, private: &Path) {
        command.current_dir(self.working_dir.as_deref().unwrap_or(private));
        if self.confinement != Confinement::None {
            // Tests must not depend on the user's environment, and confined calls have no business with its secrets.
            command.env_clear().env("PATH", "/usr/bin:/bin").env("LANG", "C.UTF-8");
            command.env("HOME", private).env("TMPDIR", private.join("tmp"));
        }
        for option in ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH"] {
            command.env_remove(option);
        }
    }
}

fn joined(option: &str, path: &Path) -> OsString {
    let mut text = OsString::from(option);
    text.push(path);
    text
}
