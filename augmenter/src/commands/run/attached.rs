//! The user's command with the agent attached: to `java` as an option, to Gradle by an init script, to whatever else starts JVMs by their environment. Knows nothing of
//! running it.
//!
//! Invariant: arguments keep their order and bytes; what is added comes first, before any that could end the options.

use dynaflow_model::options::AgentOptions;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

const GRADLE: &str = include_str!("record.gradle");
/// Gradle runs no init script where it takes up the configuration of an earlier build; by whatever name a version knows the feature.
const CONFIGURED_ANEW: [&str; 2] =
    ["-Dorg.gradle.configuration-cache=false", "-Dorg.gradle.unsafe.configuration-cache=false"];
/// What every JVM takes options from.
pub const VARIABLE: &str = "JAVA_TOOL_OPTIONS";

/// Why a command cannot be recorded.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// There is no such file.
    #[error("{0}: not found{1}")]
    NotFound(String, String),
    /// The agent is there already.
    #[error("the command attaches the dynaflow agent itself ({0}): leave that out, `dynaflow run` adds it")]
    Twice(String),
    /// The text of the options does not come through the agent's syntax.
    #[error(
        "--out {0}: the agent's options cannot express this path (a comma, or no UTF-8); choose another folder"
    )]
    Out(String),
    /// The text does not come through the JVM's syntax.
    #[error(
        "{0}: the JVM's options cannot express this path, which has blanks and both kinds of quotes; choose another folder"
    )]
    Quotes(String),
}

/// How the agent gets into JVMs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The command is one JVM.
    Option,
    /// By an init script of Gradle.
    Script,
    /// By the environment.
    Environment,
}

/// A command ready to start.
#[derive(Debug, PartialEq, Eq)]
pub struct Attached {
    /// The program, as found on the `PATH`.
    pub program: PathBuf,
    /// All arguments.
    pub args: Vec<OsString>,
    /// A variable to set.
    pub variable: Option<(&'static str, OsString)>,
    /// An init script to be written, with its text.
    pub script: Option<(PathBuf, String)>,
}

/// The surroundings of a command.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// The agent library.
    pub agent: &'a Path,
    /// A folder for what is written, which lives as long as the command.
    pub work: &'a Path,
    /// The environment's `PATH`.
    pub path: Option<&'a OsStr>,
    /// Its `JAVA_HOME`.
    pub java_home: Option<&'a OsStr>,
    /// Its `JAVA_TOOL_OPTIONS`.
    pub tool_options: Option<&'a OsStr>,
}

impl Way {
    /// By the name of the program.
    pub fn of(command: &[OsString]) -> Self {
        let name = command.first().and_then(|program| Path::new(program).file_name()).and_then(OsStr::to_str);
        match name {
            Some("java") => Self::Option,
            Some("gradle" | "gradlew") => Self::Script,
            _ => Self::Environment,
        }
    }
}

/// Puts the agent into a command.
///
/// # Errors
/// When the command cannot be found or has the agent already, or the options cannot be written down.
pub fn with_agent(
    command: &[OsString],
    options: &AgentOptions,
    around: Surroundings,
) -> Result<Attached, CommandError> {
    let Some((program, args)) = command.split_first() else {
        return Err(CommandError::NotFound(String::new(), String::new()));
    };
    if let Some(arg) = args.iter().find(is_our_agent) {
        return Err(CommandError::Twice(arg.to_string_lossy().into_owned()));
    }
    let text = options.to_string();
    if AgentOptions::parse(&text).as_ref() != Ok(options) {
        return Err(CommandError::Out(options.out.display().to_string()));
    }
    let way = Way::of(command);
    let program = resolve(program, around.path).ok_or_else(|| not_found(program, way, around.java_home))?;
    let mut option = OsString::from("-agentpath:");
    option.push(around.agent);
    option.push(format!("={text}"));
    let mut attached = Attached { program, args: args.to_vec(), variable: None, script: None };
    match way {
        Way::Option => attached.args.insert(0, option),
        Way::Script => {
            let script = around.work.join("record.gradle");
            let quoted = option.to_string_lossy().replace('\\', "\\\\").replace('\'', "\\'");
            attached.script = Some((script.clone(), GRADLE.replace("OPTION", &quoted)));
            let added = ["--init-script".into(), script.into()].into_iter();
            attached.args.splice(0..0, added.chain(CONFIGURED_ANEW.map(OsString::from)));
        }
        Way::Environment => attached.variable = Some((VARIABLE, variable(&option, around.tool_options)?)),
    }
    Ok(attached)
}

/// The option behind those that the environment has. The JVM splits the text at blanks that stand in no quotes.
fn variable(option: &OsStr, there: Option<&OsStr>) -> Result<OsString, CommandError> {
    let text = option.to_string_lossy();
    if there.is_some_and(is_our_agent) {
        return Err(CommandError::Twice(format!("{VARIABLE}={}", there.unwrap_or_default().display())));
    }
    let has_blanks = text.contains(char::is_whitespace) || text.contains(['"', '\'']);
    let quote = match (has_blanks, text.contains('"'), text.contains('\'')) {
        (false, ..) => "",
        (true, false, _) => "\"",
        (true, true, false) => "'",
        (true, true, true) => return Err(CommandError::Quotes(text.into_owned())),
    };
    let mut value = there.map(OsStr::to_owned).unwrap_or_default();
    if !value.is_empty() {
        value.push(" ");
    }
    for part in [OsStr::new(quote), option, OsStr::new(quote)] {
        value.push(part);
    }
    Ok(value)
}

fn is_our_agent(text: &(impl AsRef<OsStr> + ?Sized)) -> bool {
    let text = text.as_ref().to_string_lossy();
    text.contains("-agentpath:") && text.contains("dynaflow_agent")
}

/// Whether a program is named by where it lies, not looked for on the `PATH`.
fn is_path(program: &OsStr) -> bool {
    Path::new(program).components().count() > 1
}

fn resolve(program: &OsStr, path: Option<&OsStr>) -> Option<PathBuf> {
    let executable = |file: &PathBuf| {
        std::fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    };
    if is_path(program) {
        return Some(PathBuf::from(program)).filter(executable);
    }
    std::env::split_paths(path?).map(|folder| folder.join(program)).find(executable)
}

fn not_found(program: &OsStr, way: Way, java_home: Option<&OsStr>) -> CommandError {
    let is_path = is_path(program);
    let place = if is_path { "" } else { " on the PATH" };
    let at_home = java_home.map(|home| Path::new(home).join("bin/java")).filter(|java| java.is_file());
    let remedy = match (way, at_home) {
        (Way::Option, Some(java)) => format!("; JAVA_HOME has one: put {} in its place", java.display()),
        (Way::Option, None) => "; install a JDK, or write the path of its bin/java".to_owned(),
        _ if is_path && Path::new(program).is_file() => {
            format!(" as a program: chmod +x {}", program.to_string_lossy())
        }
        _ if is_path => String::new(),
        _ => format!("; install it, or write its path, such as ./{}", program.to_string_lossy()),
    };
    CommandError::NotFound(program.to_string_lossy().into_owned(), format!("{place}{remedy}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn command(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    fn make(folder: &Path, name: &str) -> PathBuf {
        let program = folder.join(name);
        fs::write(&program, "").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        program
    }

    fn around<'a>(path: &'a Path, tool_options: Option<&'a str>) -> Surroundings<'a> {
        Surroundings {
            agent: Path::new("/x/agent.so"),
            work: Path::new("/w"),
            path: Some(path.as_os_str()),
            java_home: None,
            tool_options: tool_options.map(OsStr::new),
        }
    }

    fn attach(words: &[&str], path: &Path, options: &AgentOptions) -> Result<Attached, CommandError> {
        with_agent(&command(words), options, around(path, None))
    }

    #[test]
    fn the_agent_comes_first_and_the_rest_keeps_its_order() {
        let folder = tempfile::tempdir().unwrap();
        let java = make(folder.path(), "java");
        let options = AgentOptions::parse("out=t,include=a.**").unwrap();
        let made = attach(&["java", "-cp", "a b.jar", "Main", "--", "-x"], folder.path(), &options).unwrap();
        assert_eq!(made.program, java);
        assert_eq!(made.args[0], OsString::from(format!("-agentpath:/x/agent.so={options}")));
        assert_eq!(made.args[1..], command(&["-cp", "a b.jar", "Main", "--", "-x"]));
        let direct = attach(&[java.to_str().unwrap(), "Main"], Path::new("/nowhere"), &options).unwrap();
        assert_eq!((direct.program, direct.variable, direct.script), (java, None, None));
    }

    #[test]
    fn what_starts_jvms_gets_the_agent_by_the_environment_behind_what_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let mvn = make(folder.path(), "mvn");
        let options = AgentOptions { out: PathBuf::from("/a b"), ..AgentOptions::default() };
        let made =
            with_agent(&command(&["mvn", "-q", "test"]), &options, around(folder.path(), Some("-Dx=1")))
                .unwrap();
        assert_eq!((made.program, made.args), (mvn, command(&["-q", "test"])));
        let (name, value) = made.variable.unwrap();
        assert_eq!(name, "JAVA_TOOL_OPTIONS");
        assert_eq!(value, OsString::from(format!("-Dx=1 \"-agentpath:/x/agent.so={options}\"")));
        let there = "-agentpath:/y/libdynaflow_agent.so=out=x";
        let twice = with_agent(&command(&["mvn"]), &options, around(folder.path(), Some(there))).unwrap_err();
        assert!(matches!(twice, CommandError::Twice(_)), "{twice}");
        let options = AgentOptions { out: PathBuf::from("/a \"b'"), ..options };
        let error = attach(&["mvn"], folder.path(), &options).unwrap_err();
        assert!(matches!(error, CommandError::Quotes(_)), "{error}");
    }

    #[test]
    fn gradle_gets_the_agent_by_an_init_script_and_nothing_by_the_environment() {
        let folder = tempfile::tempdir().unwrap();
        let gradlew = make(folder.path(), "gradlew");
        let options = AgentOptions { out: PathBuf::from("/it's"), ..AgentOptions::default() };
        let made = attach(&[gradlew.to_str().unwrap(), "test"], folder.path(), &options).unwrap();
        assert_eq!(made.args[..2], command(&["--init-script", "/w/record.gradle"]));
        assert_eq!(made.args.last().unwrap(), "test");
        assert_eq!(made.variable, None);
        let (_, script) = made.script.unwrap();
        assert!(script.contains("jvmArgs('-agentpath:/x/agent.so=out=/it\\'s,"), "{script}");
    }

    #[test]
    fn what_is_not_there_is_named_with_a_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let options = AgentOptions::default();
        let failed = |words: &[&str]| attach(words, folder.path(), &options).unwrap_err().to_string();
        let error = failed(&["java"]);
        assert!(error.contains("java: not found on the PATH") && error.contains("install a JDK"), "{error}");
        assert!(failed(&["mvn"]).contains("mvn: not found on the PATH; install it, or write its path"));
        let script = folder.path().join("tests.sh");
        fs::write(&script, "").unwrap();
        assert!(failed(&[script.to_str().unwrap()]).contains("not found as a program: chmod +x"));
        make(folder.path(), "java");
        let agent = "-agentpath:/y/libdynaflow_agent.so=out=x";
        let error = attach(&["java", agent, "Main"], folder.path(), &options).unwrap_err();
        assert_eq!(error, CommandError::Twice(agent.to_owned()));
    }

    #[test]
    fn a_file_that_cannot_be_executed_is_not_found() {
        let folder = tempfile::tempdir().unwrap();
        let java = make(folder.path(), "java");
        fs::set_permissions(&java, fs::Permissions::from_mode(0o644)).unwrap();
        let error = attach(&["java"], folder.path(), &AgentOptions::default()).unwrap_err();
        assert!(matches!(error, CommandError::NotFound(..)));
    }

    #[test]
    fn a_folder_that_the_agents_options_cannot_name_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), "java");
        let options = AgentOptions { out: PathBuf::from("a,depth=1"), ..AgentOptions::default() };
        let error = attach(&["java"], folder.path(), &options).unwrap_err().to_string();
        assert!(error.contains("--out a,depth=1") && error.contains("comma"), "{error}");
    }
}
