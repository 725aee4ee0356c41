//! Finds a JDK and checks that it can do what is asked of it. Knows nothing of what is run with it.
//!
//! Invariant: a [`Jdk`] names a `java` that was there and whose version is known.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The oldest version whose class files and command line options are supported.
pub const OLDEST: u32 = 8;

/// A JDK, or a JRE when there is no compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// Its folder, without symbolic links.
    pub home: PathBuf,
    /// Feature version: 8, 17, 25.
    pub version: u32,
    /// The full version text, `17.0.19`.
    pub version_text: String,
}

/// Why there is no usable JDK.
#[derive(Debug, thiserror::Error)]
pub enum JdkError {
    /// None was named and none found.
    #[error(
        "no JDK found: --java-home is not given, JAVA_HOME is not set and there is no `java` on the PATH; \
             install a JDK ({OLDEST} or later) and name its folder with --java-home or JAVA_HOME"
    )]
    NotFound,
    /// What was named is none.
    #[error(
        "{origin}: {home} is no JDK: there is no file {missing} in it; give the folder that has `bin/java`"
    )]
    NotAJdk {
        /// Where the folder was named.
        origin: &'static str,
        /// The folder.
        home: PathBuf,
        /// What was looked for.
        missing: &'static str,
    },
    /// It is there but its version is unknown.
    #[error(
        "{origin}: the version of the JDK in {home} is unknown: {reason}; try `{home}/bin/java -version`"
    )]
    NoVersion {
        /// Where the folder was named.
        origin: &'static str,
        /// The folder.
        home: PathBuf,
        /// What went wrong.
        reason: String,
    },
    /// Too old.
    #[error(
        "the JDK in {home} has version {found}; dynaflow needs {OLDEST} or later: choose another with --java-home"
    )]
    TooOld {
        /// The folder.
        home: PathBuf,
        /// Its version.
        found: String,
    },
    /// A runtime without compiler, and tests must be compiled.
    #[error(
        "the Java runtime in {home} has no compiler (bin/javac): install a full JDK or choose one with --java-home"
    )]
    NoCompiler {
        /// The folder.
        home: PathBuf,
    },
}

impl Jdk {
    /// The JDK that `--java-home` names, else the one of `JAVA_HOME`, else the one whose `java` is first on the `PATH`.
    ///
    /// # Errors
    /// When there is none, or when the first one named is unusable: a wrong choice is never replaced silently.
    pub fn find(java_home: Option<&Path>) -> Result<Self, JdkError> {
        let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        Self::choose(java_home, named("JAVA_HOME").as_deref(), named("PATH").as_deref())
    }

    /// [`Jdk::find`] over given values of the two environment variables.
    ///
    /// # Errors
    /// As [`Jdk::find`].
    pub fn choose(
        java_home: Option<&Path>,
        environment: Option<&OsStr>,
        path: Option<&OsStr>,
    ) -> Result<Self, JdkError> {
        if let Some(home) = java_home {
            return Self::at("--java-home", home);
        }
        if let Some(home) = environment {
            return Self::at("JAVA_HOME", Path::new(home));
        }
        let folders = path.map(std::env::split_paths).into_iter().flatten();
        let java = folders.map(|folder| folder.join("java")).find_map(|java| java.canonicalize().ok());
        let home = java.as_deref().and_then(Path::parent).and_then(Path::parent).ok_or(JdkError::NotFound)?;
        Self::at("`java` on the PATH", home)
    }

    fn at(origin: &'static str, home: &Path) -> Result<Self, JdkError> {
        let missing = || JdkError::NotAJdk { origin, home: home.to_owned(), missing: "bin/java" };
        if !home.join("bin/java").is_file() {
            return Err(missing());
        }
        let home = home.canonicalize().map_err(|_| missing())?;
        let version_text = match from_release_file(&home) {
            Some(text) => text,
            None => {
                ask(&home).map_err(|reason| JdkError::NoVersion { origin, home: home.clone(), reason })?
            }
        };
        let version = feature(&version_text).ok_or_else(|| JdkError::NoVersion {
            origin,
            home: home.clone(),
            reason: format!("`{version_text}` is no version"),
        })?;
        if version < OLDEST {
            return Err(JdkError::TooOld { home, found: version_text });
        }
        Ok(Self { home, version, version_text })
    }

    /// The launcher of the virtual machine.
    pub fn java(&self) -> PathBuf {
        self.home.join("bin/java")
    }

    /// The compiler.
    ///
    /// # Errors
    /// When this is a runtime without one.
    pub fn javac(&self) -> Result<PathBuf, JdkError> {
        let javac = self.home.join("bin/javac");
        if javac.is_file() { Ok(javac) } else { Err(JdkError::NoCompiler { home: self.home.clone() }) }
    }
}

fn from_release_file(home: &Path) -> Option<String> {
    let text = std::fs::read_to_string(home.join("release")).ok()?;
    let value = text.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    Some(value.trim().trim_matches('"').to_owned())
}

/// Asks `java -version`, whose first line with quotes has the version between them.
fn ask(home: &Path) -> Result<String, String> {
    let output = Command::new(home.join("bin/java"))
        .arg("-version")
        .env_remove("JAVA_TOOL_OPTIONS")
        .env_remove("_JAVA_OPTIONS")
        .output()
        .map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stderr);
    text.split('"').nth(1).map(str::to_owned).ok_or_else(|| format!("it answered `{}`", text.trim()))
}

/// The feature version of `1.8.0_392`, `17.0.9`, `25`, `26-ea`.
fn feature(version: &str) -> Option<u32> {
    let mut numbers = version.split(|c: char| !c.is_ascii_digit()).map(str::parse);
    match (numbers.next()?.ok()?, numbers.next()) {
        (1, Some(Ok(old))) => Some(old),
        (new, _) => Some(new),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_all_times_are_understood() {
        assert_eq!(feature("1.8.0_392"), Some(8));
        assert_eq!(feature("17.0.19"), Some(17));
        assert_eq!(feature("26-ea"), Some(26));
        assert_eq!(feature("banana"), None);
    }

    #[test]
    fn a_folder_that_is_no_jdk_is_refused_with_a_remedy() {
        let error = Jdk::choose(Some(Path::new("/nowhere")), None, None).unwrap_err().to_string();
        assert!(
            error.contains("--java-home: /nowhere is no JDK") && error.contains("give the folder"),
            "{error}"
        );
        let error = Jdk::choose(None, Some(OsStr::new("/nowhere")), None).unwrap_err().to_string();
        assert!(error.starts_with("JAVA_HOME: "), "{error}");
        let error = Jdk::choose(None, None, Some(OsStr::new("/nowhere:/else"))).unwrap_err().to_string();
        assert!(error.contains("no JDK found") && error.contains("--java-home"), "{error}");
    }
}
