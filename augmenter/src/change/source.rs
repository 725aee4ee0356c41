//! A source that a change touched, and which classes come from it. Knows nothing of git, nor of class files.
//!
//! Invariant: where the source can be read its own `package` says where its classes are; else the folders that it lies in do.

use super::names::outermost_by_name;
use super::tokens::{Token, Tokens};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Files that are compiled to classes.
const LANGUAGES: &[&str] = &["java", "kt", "groovy", "scala"];
/// What stands in front of the name of a class that is declared.
const DECLARING: &[&str] = &["class", "interface", "enum", "record", "object", "trait"];
/// Kotlin makes a class of what stands outside classes: that of `Doors.kt` is `DoorsKt`.
const FILE_CLASS: &str = "Kt";

/// A changed source.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its place in the working tree.
    pub path: PathBuf,
    /// Whether it is still there.
    pub is_there: bool,
    /// Its name without folders.
    pub(super) file: String,
    stem: String,
    /// As it says itself; none where it cannot be read.
    package: Option<String>,
    /// What is declared outside of other classes.
    declares: BTreeSet<String>,
    /// Whether a source may have packages inside its package.
    has_inner_packages: bool,
}

impl Source {
    /// Of a file below a folder; none where it is no source.
    pub fn read(top: &Path, path: &Path) -> Option<Self> {
        let language = path.extension()?.to_str()?;
        LANGUAGES.contains(&language).then_some(())?;
        let whole = top.join(path);
        let text = std::fs::read(&whole).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let nested = ["kt", "scala"].contains(&language);
        let tokens = text.as_deref().map(|text| Tokens::of(text, nested));
        let has_inner_packages = language == "scala";
        Some(Self {
            path: path.to_owned(),
            is_there: whole.exists(),
            file: path.file_name()?.to_str()?.to_owned(),
            stem: path.file_stem()?.to_str()?.to_owned(),
            package: tokens.clone().map(package),
            declares: tokens.map(|tokens| declared(tokens, has_inner_packages)).unwrap_or_default(),
            has_inner_packages,
        })
    }

    /// Whether a class comes from it, by the source that its class file names; without one, by its own name.
    pub fn makes(&self, class: &str, source_file: Option<&str>) -> bool {
        let (package, simple) = split(class);
        let is_named = match source_file {
            Some(file) => file == self.file,
            None => simple == self.stem,
        };
        is_named && self.is_of_package(package)
    }

    /// Whether a class comes from it, as far as names say.
    pub fn names(&self, class: &str) -> bool {
        let (package, simple) = split(class);
        let is_of_file = || simple.strip_suffix(FILE_CLASS) == Some(self.stem.as_str());
        let is_named = simple == self.stem || self.declares.contains(simple) || is_of_file();
        is_named && self.is_of_package(package)
    }

    fn is_of_package(&self, package: &str) -> bool {
        match self.package.as_deref() {
            Some(own) if self.has_inner_packages => {
                own.is_empty()
                    || package.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            }
            Some(own) => own == package,
            None => {
                let folder = self.path.parent().unwrap_or(Path::new(""));
                package.is_empty() || folder.ends_with(package.replace('.', "/"))
            }
        }
    }
}

/// Package and outermost name of a class.
fn split(class: &str) -> (&str, &str) {
    let outermost = outermost_by_name(class);
    outermost.rsplit_once('.').unwrap_or(("", outermost))
}

/// The package that a source says it is of; empty where it says none.
fn package(mut tokens: Tokens<'_>) -> String {
    let mut name = String::new();
    if !tokens.by_ref().any(|token| token == Token::Word("package")) {
        return name;
    }
    while let Some(Token::Word(part) | Token::Quoted(part)) = tokens.next() {
        name.push_str(part);
        match tokens.next() {
            Some(Token::Sign('.')) => name.push('.'),
            _ => break,
        }
    }
    name
}

/// The classes that a source declares; those outside of braces, unless its packages may have some.
fn declared(tokens: Tokens<'_>, in_braces: bool) -> BTreeSet<String> {
    let (mut names, mut depth, mut before) = (BTreeSet::new(), 0_usize, None);
    for token in tokens {
        match token {
            Token::Sign('{') => depth += 1,
            Token::Sign('}') => depth = depth.saturating_sub(1),
            Token::Word(name) | Token::Quoted(name) => {
                let is_declared = matches!(before, Some(Token::Word(word)) if DECLARING.contains(&word));
                if is_declared && (depth == 0 || in_braces) {
                    names.insert(name.to_owned());
                }
            }
            Token::Sign(_) => {}
        }
        before = Some(token);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        Source::read(folder.path(), Path::new(path)).unwrap()
    }

    #[test]
    fn other_files_are_no_sources_and_one_that_is_gone_is_known_by_its_folders() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["README.md", "Makefile", "a/b.class", ".java"] {
            assert!(Source::read(folder.path(), Path::new(path)).is_none(), "{path}");
        }
        let gone = Source::read(folder.path(), Path::new("src/main/java/a/b/Door.java")).unwrap();
        assert!(!gone.is_there);
        assert!(gone.makes("a.b.Door", Some("Door.java")) && gone.makes("a.b.Latch", Some("Door.java")));
        assert!(gone.makes("b.Door", Some("Door.java")), "its folders end so, too");
        assert!(!gone.makes("a.c.Door", Some("Door.java")) && !gone.makes("a.b.Gate", Some("Gate.java")));
    }

    #[test]
    fn the_package_is_read_where_it_stands_in_front_or_behind_comments_and_annotations() {
        for (path, text, package) in [
            ("Door.java", "/* package no; */ // package no;\npackage  a . b\n;class Door {}", "a.b"),
            ("Door.java", "class Door { String s = \"package a\"; }", ""),
            ("Door.kt", "@file:JvmName(\"package\")\npackage a.`in`\nclass Door", "a.in"),
            ("Door.groovy", "#!/usr/bin/env groovy\npackage a\nclass Door {}", "a"),
            ("Door.scala", "/* /* */ package no */ package a { class Door }", "a"),
        ] {
            assert_eq!(source(path, text).package.as_deref(), Some(package), "{text}");
        }
    }

    #[test]
    fn a_class_comes_from_the_source_that_its_class_file_names() {
        let door = source("src/main/java/a/Door.java", "package a; class Door {} class Latch {}");
        for class in ["a.Door", "a.Latch", "a.Door$Key", "a.Door$1"] {
            assert!(door.makes(class, Some("Door.java")), "{class}");
        }
        assert!(!door.makes("b.Door", Some("Door.java")), "another package");
        assert!(!door.makes("a.Door", Some("Door.kt")), "another source");
        assert!(door.makes("a.Door$Key", None) && !door.makes("a.Latch", None), "no source is named");
    }

    #[test]
    fn folders_need_not_repeat_the_package() {
        let doors = source("src/main/kotlin/Doors.kt", "package a.b\nclass Door\nfun open() {}");
        assert!(doors.makes("a.b.Door", Some("Doors.kt")) && doors.makes("a.b.DoorsKt", Some("Doors.kt")));
        assert!(!doors.makes("Door", Some("Doors.kt")) && !doors.makes("a.Door", Some("Doors.kt")));
        let inner = source("Doors.scala", "package a\npackage b\nclass Door");
        assert!(inner.makes("a.b.Door", Some("Doors.scala")) && inner.makes("a.Door", Some("Doors.scala")));
        assert!(!inner.makes("ab.Door", Some("Doors.scala")));
    }

    #[test]
    fn without_class_files_a_class_is_known_by_what_the_source_declares() {
        let text = "package a; // class Comment\npublic final class Door { class Key {} } @interface Mark {} record Size(int n) {}";
        let door = source("Door.java", text);
        for class in ["a.Door", "a.Door$Key", "a.Mark", "a.Size$1"] {
            assert!(door.names(class), "{class}");
        }
        for class in ["b.Door", "a.Key", "a.Comment", "a.Gate"] {
            assert!(!door.names(class), "{class}");
        }
        let doors = source("Doors.kt", "package a\nfun open() {}\nenum class Way { IN, OUT }");
        assert!(doors.names("a.DoorsKt") && doors.names("a.Way") && !doors.names("a.OUT"));
    }
}
