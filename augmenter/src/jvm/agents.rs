//! Java agents that a library of the program would attach to its own JVM while it runs, as Mockito does by Byte Buddy. Knows nothing of ours.
//!
//! To attach itself a JVM starts a process and opens a socket, which a confined one may not, and newer JDKs warn of it or refuse. With the same
//! agent on the command line the library finds it there and attaches nothing.

use super::manifest;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// What `-javaagent` runs first of Byte Buddy's agent, under which name it also looks for itself.
const INSTALLER: &str = "net.bytebuddy.agent.Installer";
const OPTION: &str = "-javaagent:";

/// The options that attach what the class path would attach by itself, but for what the given options attach.
///
/// # Errors
/// When the working folder is gone.
pub fn options(class_path: &[PathBuf], given: &[String]) -> io::Result<Vec<OsString>> {
    if given
        .iter()
        .any(|option| option.strip_prefix(OPTION).is_some_and(|jar| is_installer(before_options(jar))))
    {
        return Ok(vec![]);
    }
    let Some(jar) = class_path.iter().find(|path| is_installer(path)) else { return Ok(vec![]) };
    let mut option = OsString::from(OPTION);
    option.push(std::path::absolute(jar)?);
    Ok(vec![option])
}

/// The jar in `jar=options`.
fn before_options(text: &str) -> &Path {
    Path::new(text.split('=').next().unwrap_or(text))
}

/// Opens only what is named like it, however a build spells that: a class path can have hundreds of jars.
fn is_installer(jar: &Path) -> bool {
    let name = jar.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let named = ["byte", "buddy", "agent"].iter().all(|part| name.contains(part));
    named
        && manifest::attribute(jar, "Premain-Class")
            .is_ok_and(|classes| classes.iter().any(|class| class == INSTALLER))
}

#[cfg(test)]
mod tests {
    use super::super::manifest::tests::jar;
    use super::*;

    const MANIFEST: &str = "Manifest-Version: 1.0\r\nPremain-Class: net.bytebuddy.agent.Installer\r\n";

    #[test]
    fn the_agent_of_the_class_path_is_attached_once_and_no_other_jar_is() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        jar(&at("byte-buddy-agent-1.15.jar"), MANIFEST);
        jar(&at("byte-buddy-agent-none.jar"), "Manifest-Version: 1.0\n");
        jar(&at("other.jar"), MANIFEST);
        let others = [at("other.jar"), at("byte-buddy-agent-none.jar"), at("byte-buddy-agent-gone.jar")];
        assert_eq!(options(&others, &[]).unwrap(), Vec::<OsString>::new());

        let with = [&others[..], &[at("byte-buddy-agent-1.15.jar")]].concat();
        let expected = OsString::from(format!("-javaagent:{}", at("byte-buddy-agent-1.15.jar").display()));
        let found = options(&with, &["-javaagent:other.jar".to_owned()]).unwrap();
        assert_eq!(found, std::slice::from_ref(&expected));
        let given = format!("{}=x", expected.into_string().unwrap());
        assert_eq!(options(&with, &[given]).unwrap(), Vec::<OsString>::new());
    }
}
