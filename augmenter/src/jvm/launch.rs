//! The command line of a JVM: class path, agent, memory, confinement, environment. Knows nothing of what it runs.
//!
//! Invariant: the JVM sees absolute paths only, and no JVM options from this process's environment; a confined JVM can write to
//! `home` in its private folder and to its trace, and this process reads, writes and executes nothing in `home`.

use super::jdk::Jdk;
use super::process::{Running, Stop};
use super::sandbox::{Confinement, Limits, Rules};
use super::{agents, quota, readable};
use dynaflow_java_shim::WORKER_JAR;
use dynaflow_model::options::AgentOptions;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command};

/// Memory a JVM gets besides its heap: code, class data, stacks, the agent.
const BESIDES_HEAP_MIB: u32 = 3072;

/// The agent to attach.
#[derive(Clone, Debug)]
pub struct AgentArgs {
    /// The agent library.
    pub library: PathBuf,
    /// Its options; a confined JVM writes to a new file in the folder `out`, which is this process's.
    pub options: AgentOptions,
}

/// Writes a jar into a folder; gives it with the option that puts it on the boot class path, where every class loader finds its classes.
///
/// # Errors
/// When it cannot be written.
pub fn boot_jar(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<(PathBuf, String)> {
    let jar = folder.join(name);
    std::fs::write(&jar, bytes)?;
    let text =
        jar.to_str().ok_or_else(|| io::Error::other("the folder for temporary files has a strange name"))?;
    let option = format!("-Xbootclasspath/a:{text}");
    Ok((jar, option))
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
    /// Folder for what belongs to this JVM alone. Below it, `home` is the JVM's home and temporary folder and all it may write
    /// when confined.
    pub private_dir: PathBuf,
    /// Working folder; `home` when not given.
    pub working_dir: Option<PathBuf>,
    /// What it may read when confined, besides class path, JDK and system libraries.
    pub readable: Vec<PathBuf>,
    /// How strictly it is confined.
    pub confinement: Confinement,
    /// Largest heap in MiB when confined; the JVM's own choice otherwise.
    pub heap_mib: u32,
    /// Whether assertions of the program are checked.
    pub assertions: bool,
    /// More JVM options, after ours.
    pub jvm_args: Vec<String>,
    /// Variables that it sees besides those of its surroundings.
    pub environment: BTreeMap<String, String>,
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
            readable: vec![],
            confinement: Confinement::Required,
            heap_mib: 512,
            assertions: true,
            jvm_args: vec![],
            environment: BTreeMap::new(),
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
        let places = self.prepare()?;
        let mut command_args = self.jvm_options(&places)?;
        command_args.extend(options.iter().map(OsString::from));
        command_args.push("-cp".into());
        command_args.push(self.full_class_path(&places)?);
        command_args.push(main_class.into());
        command_args.extend(args.iter().map(OsString::from));
        let rules = Rules {
            confinement: self.confinement,
            readable: self.all_readable(&places)?,
            home: Some(places.home.clone()),
            trace: places.trace.clone(),
            limits: Limits { memory_mib: Some(self.heap_mib.saturating_add(BESIDES_HEAP_MIB)) },
            parent: std::process::id(),
        };
        let mut command = rules.command(&self.launcher, &self.jdk.java(), &command_args);
        self.surroundings(&mut command, &places);
        let mut started = Running::start(command, &self.stop)?;
        if self.is_confined() {
            started.0.watch(places.home)?;
        }
        Ok(started)
    }

    fn is_confined(&self) -> bool {
        self.confinement != Confinement::None
    }

    /// Creates the private folder with what must be in it.
    fn prepare(&self) -> io::Result<Places> {
        let (ours, home) = (self.private_dir.join("lib"), self.private_dir.join("home"));
        quota::empty(&home)?;
        std::fs::create_dir_all(&ours)?;
        std::fs::create_dir_all(home.join("tmp"))?;
        let jar = ours.canonicalize()?.join("dynaflow-worker.jar");
        if std::fs::metadata(&jar).map_or(true, |there| there.len() != WORKER_JAR.len() as u64) {
            let mut new = tempfile::NamedTempFile::new_in(&ours)?;
            new.write_all(WORKER_JAR)?;
            new.persist(&jar)?;
        }
        let recording = self.agent.as_ref().filter(|agent| agent.options.clock == 0);
        let trace = recording.map(|agent| self.trace(&agent.options.out)).transpose()?;
        Ok(Places { home: home.canonicalize()?, jar, trace: trace.flatten() })
    }

    /// Makes the file a confined JVM records to: the folder it stands in is none of the JVM's business.
    fn trace(&self, folder: &Path) -> io::Result<Option<PathBuf>> {
        std::fs::create_dir_all(folder)?;
        if !self.is_confined() {
            return Ok(None);
        }
        let folder = folder.canonicalize()?;
        for n in 1_u32.. {
            let file = folder.join(format!("dynaflow-{n}.{}", dynaflow_trace::EXTENSION));
            match std::fs::File::create_new(&file) {
                Ok(_) => return Ok(Some(file)),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                Err(e) => return Err(e),
            }
        }
        Err(io::Error::other(format!("`{}` is full of traces", folder.display())))
    }

    fn jvm_options(&self, places: &Places) -> io::Result<Vec<OsString>> {
        let mut options: Vec<OsString> = vec![
            "-XX:+UseSerialGC".into(),
            "-XX:TieredStopAtLevel=1".into(),
            "-XX:-UsePerfData".into(),
            "-Xshare:auto".into(),
            if self.assertions { "-ea".into() } else { "-da".into() },
            joined("-XX:ErrorFile=", &places.home.join("hs_err.log")),
        ];
        // A user's own tests run with the memory they have without us, and may run out of it.
        if self.is_confined() {
            options.push(format!("-Xmx{}m", self.heap_mib).into());
            options.push("-XX:+ExitOnOutOfMemoryError".into());
            options.push("-Djava.awt.headless=true".into());
            options.push(joined("-Djava.io.tmpdir=", &places.home.join("tmp")));
            options.push(joined("-Duser.home=", &places.home));
            // What the worker empties after each sequence.
            options.push(joined("-Ddynaflow.home=", &places.home));
        }
        if let Some(agent) = &self.agent {
            let mut settings = agent.options.clone();
            settings.out = std::path::absolute(places.trace.as_ref().unwrap_or(&settings.out))?;
            let mut option = joined("-agentpath:", &std::path::absolute(&agent.library)?);
            option.push(format!("={settings}"));
            options.push(option);
        }
        options.extend(agents::options(&self.class_path, &self.jvm_args)?);
        options.extend(self.jvm_args.iter().map(OsString::from));
        Ok(options)
    }

    fn full_class_path(&self, places: &Places) -> io::Result<OsString> {
        let entries = self.class_path.iter().map(std::path::absolute).chain([Ok(places.jar.clone())]);
        std::env::join_paths(entries.collect::<io::Result<Vec<PathBuf>>>()?).map_err(io::Error::other)
    }

    fn all_readable(&self, places: &Places) -> io::Result<Vec<PathBuf>> {
        let mut paths: Vec<PathBuf> = readable::with_named(&self.class_path)?.into_iter().collect();
        paths.push(self.jdk.home.clone());
        paths.push(places.jar.clone());
        if let Some(agent) = &self.agent {
            paths.push(std::path::absolute(&agent.library)?);
        }
        paths.extend(self.readable.iter().cloned());
        Ok(paths)
    }

    fn surroundings(&self, command: &mut Command, places: &Places) {
        command.current_dir(self.working_dir.as_deref().unwrap_or(&places.home));
        if self.is_confined() {
            // Tests must not depend on the user's environment, and confined calls have no business with its secrets.
            command.env_clear().env("PATH", "/usr/bin:/bin").env("LANG", "C.UTF-8");
            command.env("HOME", &places.home).env("TMPDIR", places.home.join("tmp"));
        }
        command.envs(&self.environment);
        for option in ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH"] {
            command.env_remove(option);
        }
    }
}

/// Where the files of one JVM are; absolute.
struct Places {
    /// What is the JVM's own.
    home: PathBuf,
    /// The classes that run in it. They are ours.
    jar: PathBuf,
    /// The file it records to when it is confined.
    trace: Option<PathBuf>,
}

fn joined(option: &str, path: &Path) -> OsString {
    let mut text = OsString::from(option);
    text.push(path);
    text
}
