//! Finds the source of a class below folders. Knows nothing of what it is shown for.
//!
//! Invariants: nothing outside the folders is read, whatever a class is called; of two sources the first folder's counts.

use anyhow::{Result, bail};
use dynaflow_report::Source;
use std::path::{Path, PathBuf};

/// Where builds keep sources, below a module.
const USUAL: &[&str] = &[
    "src/main/java",
    "src/test/java",
    "src/main/kotlin",
    "src/test/kotlin",
    "src/main/scala",
    "src/test/scala",
    "src/main/groovy",
    "src/test/groovy",
];

/// Where `dynaflow augment` puts tests that fail, below a module.
const FINDINGS: &[&str] = &[
    "target/dynaflow/tests/findings",
    "target/dynaflow/findings",
    "build/dynaflow/tests/findings",
    "build/dynaflow/findings",
];

/// Endings of sources.
const ENDINGS: &[&str] = &["java", "kt", "scala", "groovy"];

/// Words that declare a class.
const DECLARING: &[&str] = &["class ", "interface ", "enum ", "record ", "object ", "trait "];

/// Larger files are no sources that anybody reads.
const LARGEST: u64 = 4 << 20;

/// Folders that hold sources by package.
#[derive(Debug)]
pub struct Sources(Vec<PathBuf>);

impl Sources {
    /// Those that are named; without any the usual ones of the current folder and of the folders in it. Tests that fail are looked for in any case.
    ///
    /// # Errors
    /// Names the one that is no folder.
    pub fn of(named: &[PathBuf]) -> Result<Self> {
        if let Some(wrong) = named.iter().find(|folder| !folder.is_dir()) {
            bail!(
                "--source-path {}: there is no such folder; name one that holds the packages, such as src/main/java",
                wrong.display()
            );
        }
        let mut modules: Vec<PathBuf> =
            Path::new(".").read_dir()?.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
        modules.sort();
        modules.insert(0, PathBuf::new());
        let usual = if named.is_empty() { USUAL } else { &[] };
        let below = |module: &PathBuf| {
            usual.iter().chain(FINDINGS).map(|folder| module.join(folder)).collect::<Vec<_>>()
        };
        let plain = |folder: PathBuf| folder.strip_prefix(".").map(Path::to_owned).unwrap_or(folder);
        let found = modules.iter().flat_map(below).map(plain).filter(|folder| folder.is_dir());
        Ok(Self(named.iter().cloned().chain(found).collect()))
    }

    /// Whether there is any folder to look in.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The source of an outermost class: the file that is called like it; else one of the package that declares it.
    pub fn find(&self, class: &str) -> Option<Source> {
        // A name from a trace may be anything: only what is a path below a folder is looked for.
        if class.split('.').any(|part| part.is_empty() || part.contains(['/', '\\', '\0'])) {
            return None;
        }
        let (package, name) = class.rsplit_once('.').unwrap_or(("", class));
        let folder = package.replace('.', "/");
        let named = self.0.iter().find_map(|root| by_name(&root.join(&folder), name));
        named.or_else(|| self.0.iter().find_map(|root| by_declaration(&root.join(&folder), name)))
    }
}

fn by_name(folder: &Path, name: &str) -> Option<Source> {
    // Kotlin puts functions outside classes of Box.kt into the class BoxKt.
    let names = [Some(name), name.strip_suffix("Kt")];
    let files = names
        .into_iter()
        .flatten()
        .flat_map(|name| ENDINGS.iter().map(move |ending| format!("{name}.{ending}")));
    files.map(|file| folder.join(file)).find_map(|path| read(&path))
}

/// A class that is not public may stand in the file of another one.
fn by_declaration(folder: &Path, name: &str) -> Option<Source> {
    let entries = folder.read_dir().ok()?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let is_source =
        |path: &PathBuf| path.extension().is_some_and(|found| ENDINGS.iter().any(|ending| found == *ending));
    files
        .into_iter()
        .filter(is_source)
        .filter_map(|path| read(&path))
        .find(|source| declares(&source.text, name))
}

fn declares(text: &str, name: &str) -> bool {
    let at_end = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$');
    DECLARING.iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let rest = text.get(at + word.len()..).and_then(|rest| rest.strip_prefix(name));
            let is_word =
                !text.get(..at).unwrap_or_default().ends_with(|c: char| c.is_alphanumeric() || c == '_');
            is_word && rest.is_some_and(at_end)
        })
    })
}

fn read(path: &Path) -> Option<Source> {
    let data = path.metadata().ok()?;
    if !data.is_file() || data.len() > LARGEST {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    Some(Source { path: path.display().to_string(), text: String::from_utf8_lossy(&bytes).into_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_found_by_name_and_by_declaration_and_nowhere_else() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("src/a/b");
        std::fs::create_dir_all(&package).unwrap();
        std::fs::write(package.join("Box.kt"), "fun f() = 1").unwrap();
        std::fs::write(package.join("Two.java"), "public class Two {} class Three2 {} class Three<T> {}")
            .unwrap();
        std::fs::write(folder.path().join("Secret.java"), "class Secret {}").unwrap();
        let sources = Sources::of(&[folder.path().join("src")]).unwrap();
        let found = |class: &str| {
            sources.find(class).map(|source| source.path.rsplit_once('/').unwrap().1.to_owned())
        };
        assert_eq!(found("a.b.BoxKt").as_deref(), Some("Box.kt"));
        assert_eq!(found("a.b.Three").as_deref(), Some("Two.java"));
        for nowhere in
            ["a.b.Thre", "a.b.wo", "a.Two", "../Secret", "a.b./../../../Secret", "", "a.b.", ".Secret"]
        {
            assert_eq!(found(nowhere), None, "{nowhere}");
        }
        assert!(
            Sources::of(&[folder.path().join("none")])
                .unwrap_err()
                .to_string()
                .contains("there is no such folder")
        );
    }
}
