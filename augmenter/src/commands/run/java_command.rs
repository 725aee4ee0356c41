//! The user's java command with the agent attached. Knows nothing of running it.
//!
//! Invariant: arguments keep their order and bytes; the agent option comes first, before any that could end the options.

use dynaflow_model::options::AgentOptions;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Why a command cannot be recorded.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// It does not begin with `java`.
    #[error(
        "`{0}` is no java launcher: `dynaflow run` expects `java ...` after `--`. For a build tool, let its test JVMs \
         attach the agent: JAVA_TOOL_OPTIONS=\"-agentpath:$(dynaflow agent-path)=out=$PWD/traces\" {0} ..."
    )]
    NotJava(String),
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
}

/// A java command ready to start.
#[derive(Debug, PartialEq, Eq)]
pub struct JavaCommand {
    /// The launcher, as found on the `PATH`.
    pub program: PathBuf,
    /// All arguments, the agent first.
    pub args: Vec<OsString>,
}

/// Puts the agent into a command. `path` and `java_home` are the environment's.
///
/// # Errors
/// When the command is no java command, cannot be found or has the agent already.
pub fn with_agent(
    command: &[OsString],
    agent: &Path,
    options: &AgentOptions,
    path: Option<&OsStr>,
    java_home: Option<&OsStr>,
) -> Result<JavaCommand, CommandError> {
    let (program, args) = command.split_first().ok_or_else(|| CommandError::NotJava(String::new()))?;
    let name = Path::new(program).file_name().unwrap_or(program);
    if name != "java" {
        return Err(CommandError::NotJava(program.to_string_lossy().into_owned()));
    }
    let ours = |arg: &&OsString| arg.to_string_lossy().starts_with("-agentpath:") && is_our_agent(arg);
    if let Some(arg) = args.iter().find(ours) {
        return Err(CommandError::Twice(arg.to_string_lossy().into_owned()));
    }
    let text = options.to_string();
    if AgentOptions::parse(&text).as_ref() != Ok(options) {
        return Err(CommandError::Out(options.out.display().to_string()));
    }
    let mut option = OsString::from("-agentpath:");
    option.push(agent);
    option.push(format!("={text}"));
    let program = resolve(program, path).ok_or_else(|| not_found(program, java_home))?;
    Ok(JavaCommand { program, args: [option].into_iter().chain(args.iter().cloned()).collect() })
}

fn is_our_agent(arg: &OsStr) -> bool {
    arg.to_string_lossy().contains("dynaflow_agent")
}

fn resolve(program: &OsStr, path: Option<&OsStr>) -> Option<PathBuf> {
    let executable = |file: &PathBuf| {
        std::fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    };
    if Path::new(program).components().count() > 1 {
        return Some(PathBuf::from(program)).filter(executable);
    }
    std::env::split_paths(path?).map(|folder| folder.join(program)).find(executable)
}

fn not_found(program: &OsStr, java_home: Option<&OsStr>) -> CommandError {
    let at_home = java_home.map(|home| Path::new(home).join("bin/java")).filter(|java| java.is_file());
    let remedy = match at_home {
        Some(java) => format!("; JAVA_HOME has one: put {} in its place", java.display()),
        None => "; install a JDK, or write the path of its bin/java".to_owned(),
    };
    let place = if Path::new(program).components().count() > 1 { "" } else { " on the PATH" };
    CommandError::NotFound(program.to_string_lossy().into_owned(), format!("{place}{remedy}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn command(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    fn make_java(folder: &Path) -> PathBuf {
        let java = folder.join("java");
        fs::write(&java, "").unwrap();
        fs::set_permissions(&java, fs::Permissions::from_mode(0o755)).unwrap();
        java
    }

    fn attach(words: &[&str], path: &Path, options: &AgentOptions) -> Result<JavaCommand, CommandError> {
        with_agent(&command(words), Path::new("/x/agent.so"), options, Some(path.as_os_str()), None)
    }

    #[test]
    fn the_agent_comes_first_and_the_rest_keeps_its_order() {
        let folder = tempfile::tempdir().unwrap();
        let java = make_java(folder.path());
        let options = AgentOptions::parse("out=t,include=a.**").unwrap();
        let made = attach(&["java", "-cp", "a b.jar", "Main", "--", "-x"], folder.path(), &options).unwrap();
        assert_eq!(made.program, java);
        assert_eq!(made.args[0], OsString::from(format!("-agentpath:/x/agent.so={options}")));
        assert_eq!(made.args[1..], command(&["-cp", "a b.jar", "Main", "--", "-x"]));
        let direct = attach(&[java.to_str().unwrap(), "Main"], Path::new("/nowhere"), &options).unwrap();
        assert_eq!(direct.program, java);
    }

    #[test]
    fn what_is_no_java_command_is_refused_with_a_remedy() {
        let folder = tempfile::tempdir().unwrap();
        make_java(folder.path());
        let options = AgentOptions::default();
        let error = attach(&["mvn", "test"], folder.path(), &options).unwrap_err().to_string();
        assert!(
            error.contains("`mvn` is no java launcher") && error.contains("JAVA_TOOL_OPTIONS"),
            "{error}"
        );
        let error = attach(&["java"], Path::new("/nowhere"), &options).unwrap_err().to_string();
        assert!(error.contains("java: not found on the PATH") && error.contains("install a JDK"), "{error}");
        let agent = "-agentpath:/y/libdynaflow_agent.so=out=x";
        let error = attach(&["java", agent, "Main"], folder.path(), &options).unwrap_err();
        assert_eq!(error, CommandError::Twice(agent.to_owned()));
    }

    #[test]
    fn a_file_that_cannot_be_executed_is_not_found() {
        let folder = tempfile::tempdir().unwrap();
        let java = make_java(folder.path());
        fs::set_permissions(&java, fs::Permissions::from_mode(0o644)).unwrap();
        let error = attach(&["java"], folder.path(), &AgentOptions::default()).unwrap_err();
        assert!(matches!(error, CommandError::NotFound(..)));
    }

    #[test]
    fn a_folder_that_the_agents_options_cannot_name_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        make_java(folder.path());
        let options = AgentOptions { out: PathBuf::from("a,depth=1"), ..AgentOptions::default() };
        let error = attach(&["java"], folder.path(), &options).unwrap_err().to_string();
        assert!(error.contains("--out a,depth=1") && error.contains("comma"), "{error}");
    }
}
