//! What the library of an older Java has, as a JDK knows it for `javac --release`: `lib/ct.sym`, an archive with the signatures of public classes by version.
//!
//! Knows no types of tests. Invariant: what is said to be missing is missing in that version; a class that the archive does not have in any version is not judged.

use anyhow::{Context, Result};
use dynaflow_classfile::ClassFile;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The members of a class: methods with their descriptors, and fields by name.
pub type Members = BTreeSet<String>;

/// The library of one version.
#[derive(Debug)]
pub struct OlderLibrary {
    archive: Mutex<Archive>,
    /// By internal name of a class that the version has, where its signatures are.
    places: HashMap<String, usize>,
    /// The classes that some version has.
    all: HashSet<String>,
}

/// The archive, and what was read from it: most members of a class are asked for one after the other.
#[derive(Debug)]
struct Archive {
    zip: zip::ZipArchive<File>,
    read: HashMap<usize, Option<Arc<Members>>>,
}

/// Where a JDK has the signatures; none when it knows no other version.
pub fn signatures(home: &Path) -> Option<PathBuf> {
    Some(home.join("lib/ct.sym")).filter(|file| file.is_file())
}

impl OlderLibrary {
    /// That of Java `version`, as the JDK in a folder knows it.
    ///
    /// # Errors
    /// When the JDK knows no other versions, or the archive cannot be read.
    pub fn open(home: &Path, version: u32) -> Result<Self> {
        let file = signatures(home).context("the JDK has no lib/ct.sym")?;
        let zip = zip::ZipArchive::new(File::open(&file)?)
            .with_context(|| format!("reading `{}`", file.display()))?;
        let letter = char::from_digit(version, 36).unwrap_or_default().to_ascii_uppercase();
        let (mut places, mut all) = (HashMap::new(), HashSet::new());
        for (place, name) in zip.file_names().enumerate() {
            let Some((versions, class)) = parts(name) else { continue };
            all.insert(class.to_owned());
            if versions.contains(letter) {
                places.insert(class.to_owned(), place);
            }
        }
        Ok(Self { archive: Mutex::new(Archive { zip, read: HashMap::new() }), places, all })
    }

    /// The members of a class, by its binary name: none of a class that the version has not, nothing known of one that no version has.
    pub fn members(&self, class: &str) -> Option<Arc<Members>> {
        let class = class.replace('.', "/");
        if !self.all.contains(&class) {
            return None;
        }
        let Some(&place) = self.places.get(&class) else { return Some(Arc::default()) };
        let Archive { zip, read } = &mut *self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        read.entry(place).or_insert_with(|| members_at(zip, place).map(Arc::new)).clone()
    }
}

fn members_at(zip: &mut zip::ZipArchive<File>, place: usize) -> Option<Members> {
    let mut bytes = vec![];
    zip.by_index(place).ok()?.read_to_end(&mut bytes).ok()?;
    members(&bytes)
}

/// The versions, by letters, and the class of an entry such as `89A/java.base/java/lang/String.sig`.
fn parts(name: &str) -> Option<(&str, &str)> {
    let (versions, rest) = name.strip_suffix(".sig")?.split_once('/')?;
    let (_, class) = rest.split_once('/')?;
    Some((versions, class))
}

fn members(bytes: &[u8]) -> Option<Members> {
    let class = ClassFile::parse(bytes).ok()?;
    let text = |index| class.pool.utf8(index).map(|text| text.to_string()).unwrap_or_default();
    let methods =
        class.methods.iter().map(|method| format!("{}{}", text(method.name), text(method.descriptor)));
    Some(methods.chain(class.fields.iter().map(|field| text(field.name))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_names_versions_and_class() {
        assert_eq!(parts("89A/java.base/java/lang/String.sig"), Some(("89A", "java/lang/String")));
        assert_eq!(parts("8/java.base/module-info.sig"), Some(("8", "module-info")));
        assert_eq!(parts("8/java.base/"), None);
    }
}
