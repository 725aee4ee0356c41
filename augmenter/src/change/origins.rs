//! Where the classes of a class path come from: the source that each class file names. Knows nothing of git.
//!
//! Invariant: a class inside another one comes along with the outermost one; a class that cannot be read comes from the source of its name.

use super::names::outermost;
use super::source::Source;
use crate::classes::Classes;
use anyhow::Result;
use dynaflow_classfile::{ClassFile, Utf8Index};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The outermost classes of a class path, by the name of the source that they or classes inside them come from; by none, where the class file does not say it.
#[derive(Debug, Default)]
pub struct Origins {
    by_file: BTreeMap<Option<String>, BTreeSet<String>>,
}

impl Origins {
    /// Reads all class files.
    ///
    /// # Errors
    /// Names the jar, folder or class that cannot be read.
    pub fn read(entries: &[PathBuf]) -> Result<Self> {
        let classes = Classes::list(entries)?;
        let names: BTreeSet<String> = classes.names().map(str::to_owned).collect();
        let sources = classes.each(|name, bytes| (name.to_owned(), source_file(bytes)))?;
        let mut origins = Self::default();
        for (name, file) in sources {
            origins.by_file.entry(file).or_default().insert(outermost(&name, &names).to_owned());
        }
        Ok(origins)
    }

    /// The outermost classes that come from a source.
    pub fn made_by(&self, source: &Source) -> BTreeSet<&str> {
        let named = [Some(source.file.clone()), None];
        let found = named
            .iter()
            .flat_map(|file| self.by_file.get(file).into_iter().flatten().map(move |class| (class, file)));
        found
            .filter(|(class, file)| source.makes(class, file.as_deref()))
            .map(|(class, _)| class.as_str())
            .collect()
    }
}

/// The name of the source file that a class file names.
fn source_file(bytes: &[u8]) -> Option<String> {
    let class = ClassFile::parse(bytes).ok()?;
    let attribute = class.attribute(&class.attributes, "SourceFile")?;
    let index = Utf8Index(u16::from_be_bytes(*attribute.data.first_chunk()?));
    let text = class.pool.utf8(index).ok()?.to_string();
    text.rsplit('/').next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// A class file without anything but the name of its source, if it names one.
    fn class_file(source: Option<&str>) -> Vec<u8> {
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 5];
        let texts = ["A", "SourceFile", source.unwrap_or("")];
        for text in texts {
            bytes.push(1);
            bytes.extend(u16::try_from(text.len()).unwrap().to_be_bytes());
            bytes.extend(text.as_bytes());
        }
        // Constant 4 is the class; no flags, no superclass, nothing in it.
        bytes.extend([7, 0, 1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0]);
        match source {
            Some(_) => bytes.extend([0, 1, 0, 2, 0, 0, 0, 2, 0, 3]),
            None => bytes.extend([0, 0]),
        }
        bytes
    }

    fn made(classes: &[(&str, Option<&str>)], path: &str, text: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let (program, top) = (folder.path().join("classes"), folder.path().join("top"));
        for (class, source) in classes {
            crate::classes::write(&program, class, &class_file(*source)).unwrap();
        }
        std::fs::create_dir_all(&top).unwrap();
        std::fs::write(top.join(path), text).unwrap();
        let source = Source::read(&top, Path::new(path)).unwrap();
        let origins = Origins::read(&[program]).unwrap();
        origins.made_by(&source).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn all_classes_of_a_source_are_found_and_no_other() {
        let door = Some("Door.java");
        let classes = [
            ("a.Door", door),
            ("a.Door$Key", door),
            ("a.Latch", door),
            ("a.Latch$1", door),
            ("a.Gate", Some("Gate.java")),
            ("b.Door", door),
        ];
        assert_eq!(made(&classes, "Door.java", "package a; class Door {}"), ["a.Door", "a.Latch"]);
        assert_eq!(made(&classes, "Wall.java", "package a; class Wall {}"), [""; 0]);
    }

    #[test]
    fn a_class_inside_another_counts_for_the_outermost_one_and_a_dollar_alone_makes_none_inside() {
        let inside = [("a.Door", Some("Door.java")), ("a.Door$Key", Some("Key.kt"))];
        assert_eq!(made(&inside, "Key.kt", "package a"), ["a.Door"]);
        let alone = [("a.Door$Key", Some("Key.kt"))];
        assert_eq!(made(&alone, "Key.kt", "package a"), ["a.Door$Key"]);
    }

    #[test]
    fn a_class_file_that_names_no_source_is_known_by_its_own_name() {
        let classes = [("a.Door", None), ("a.Door$1", None), ("a.Latch", None)];
        assert_eq!(made(&classes, "Door.java", "package a; class Door {} class Latch {}"), ["a.Door"]);
    }
}
