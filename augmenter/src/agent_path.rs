//! Where the agent library is. Knows nothing of what it does. Invariant: a path given out is absolute and names a file.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};

/// The environment variable that names the agent library.
pub const VARIABLE: &str = "DYNAFLOW_AGENT";

/// Why there is no agent.
#[derive(Debug, thiserror::Error)]
pub enum AgentPathError {
    /// The environment names something else.
    #[error("{VARIABLE} names {path}, which is no file; set it to the path of {name}, or unset it", path = path.display())]
    NotAFile {
        /// What it names.
        path: PathBuf,
        /// The file name of the library.
        name: String,
    },
    /// It is not where it is looked for.
    #[error(
        "the agent library {name} is not found; looked in {looked}. Put it next to the dynaflow binary, or set \
             {VARIABLE} to its path (built from source: `cargo build --release -p dynaflow-agent`)"
    )]
    NotFound {
        /// The file name of the library.
        name: String,
        /// The folders, for the message.
        looked: String,
    },
    /// A `=` in the path, at which the JVM would end it.
    #[error("the path of the agent library has a `=`, where the JVM takes its options to begin: {path}; \
             move it and set {VARIABLE} to the new path", path = path.display())]
    EqualsSign {
        /// The path.
        path: PathBuf,
    },
}

/// The file name of the agent library on this system.
pub fn file_name() -> String {
    format!("{DLL_PREFIX}dynaflow_agent{DLL_SUFFIX}")
}

/// The agent library: what `DYNAFLOW_AGENT` names, else the file next to this executable, else in `../lib`.
///
/// # Errors
/// When there is none, or its path cannot be given to a JVM.
pub fn find() -> Result<PathBuf, AgentPathError> {
    let named = std::env::var_os(VARIABLE).filter(|v| !v.is_empty()).map(PathBuf::from);
    // Links are resolved first: a link in a `bin` folder says nothing about where the library is.
    let executable = std::env::current_exe().and_then(|path| path.canonicalize()).ok();
    choose(named.as_deref(), executable.as_deref())
}

fn choose(named: Option<&Path>, executable: Option<&Path>) -> Result<PathBuf, AgentPathError> {
    let name = file_name();
    let found = match named {
        Some(path) if path.is_file() => path.to_owned(),
        Some(path) => return Err(AgentPathError::NotAFile { path: path.to_owned(), name }),
        None => beside(executable, &name)?,
    };
    let path = found.canonicalize().unwrap_or(found);
    if path.to_string_lossy().contains('=') {
        return Err(AgentPathError::EqualsSign { path });
    }
    Ok(path)
}

fn beside(executable: Option<&Path>, name: &str) -> Result<PathBuf, AgentPathError> {
    let folder = executable.and_then(Path::parent);
    let folders: Vec<PathBuf> = folder.into_iter().flat_map(|f| [f.to_owned(), f.join("../lib")]).collect();
    let candidates = folders.iter().map(|folder| folder.join(name));
    candidates.into_iter().find(|path| path.is_file()).ok_or_else(|| AgentPathError::NotFound {
        name: name.to_owned(),
        looked: folders.iter().map(|f| f.display().to_string()).collect::<Vec<_>>().join(" and "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_agent_is_what_is_named_else_beside_the_binary_else_in_lib() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (bin, lib) = (root.join("bin"), root.join("lib"));
        fs::create_dir(&bin).unwrap();
        fs::create_dir(&lib).unwrap();
        let executable = bin.join("dynaflow");
        let error = choose(None, Some(&executable)).unwrap_err().to_string();
        assert!(error.contains(&file_name()) && error.contains(VARIABLE) && error.contains("bin"), "{error}");
        fs::write(lib.join(file_name()), "").unwrap();
        assert_eq!(choose(None, Some(&executable)).unwrap(), lib.join(file_name()));
        fs::write(bin.join(file_name()), "").unwrap();
        assert_eq!(choose(None, Some(&executable)).unwrap(), bin.join(file_name()));
        let named = root.join("mine.so");
        assert!(choose(Some(&named), Some(&executable)).unwrap_err().to_string().contains("mine.so"));
        fs::write(&named, "").unwrap();
        assert_eq!(choose(Some(&named), Some(&executable)).unwrap(), named);
    }

    #[test]
    fn a_path_that_a_jvm_would_misread_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let odd = folder.path().join("a=b.so");
        fs::write(&odd, "").unwrap();
        assert!(choose(Some(&odd), None).unwrap_err().to_string().contains('='));
    }
}
