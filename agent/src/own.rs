//! Which classes are the project's own when nobody said what to record: those in folders of the class path.
//!
//! It knows nothing of the JVM: it reads folders and manifests. Invariants: the same class path gives the same patterns, whatever is loaded
//! later; where there is no folder with classes, or too much below one, nothing is chosen and all but the defaults is recorded.

use dynaflow_model::pattern::Pattern;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Most files and folders looked at: a folder with more is no folder of classes.
const MOST: usize = 100_000;
/// Longest manifest that is read.
const MANIFEST: u64 = 16 << 20;
/// Most folders that the line for the user names.
const NAMED: usize = 3;

/// The entries of a class path or module path, absolute. An empty one is the working folder.
pub fn entries(path: &str) -> Vec<PathBuf> {
    let place = |part: &str| std::path::absolute(if part.is_empty() { "." } else { part }).ok();
    path.split(':').filter_map(place).collect()
}

/// The patterns that select the project's own classes, none when all but the defaults are to be recorded; and the line that says so.
pub fn choose(entries: &[PathBuf]) -> (Vec<Pattern>, String) {
    let mut found = Found::default();
    entries.iter().filter(|entry| entry.is_dir()).for_each(|folder| found.folder(folder));
    if found.folders.is_empty() {
        // Builds put a class path that is too long for a command line into the manifest of a jar.
        entries.iter().filter(|entry| entry.is_file()).for_each(|jar| found.manifest(jar));
    }
    let patterns = Pattern::of_packages(found.classes.iter().map(String::as_str));
    let rest = "all classes are recorded but those of the JDK, test frameworks and build tools";
    match found.folders.as_slice() {
        _ if found.left == 0 => (
            vec![],
            format!("{rest}: there are too many files in folders of the class path; include= selects fewer"),
        ),
        [] => (vec![], format!("{rest}: the class path has no folder with classes; include= selects fewer")),
        folders => {
            let more = if folders.len() > NAMED { ", ..." } else { "" };
            let some: Vec<&str> = folders.iter().take(NAMED).map(String::as_str).collect();
            let line = format!(
                "the classes of {} packages are recorded, those in {}{more}; include= selects others",
                patterns.len(),
                some.join(", ")
            );
            (patterns, line)
        }
    }
}

/// One class of each package found, and where.
struct Found {
    folders: Vec<String>,
    classes: BTreeSet<String>,
    left: usize,
}

impl Default for Found {
    fn default() -> Self {
        Self { folders: vec![], classes: BTreeSet::new(), left: MOST }
    }
}

impl Found {
    fn folder(&mut self, folder: &Path) {
        let before = self.classes.len();
        let mut classes = vec![];
        self.packages(folder, "", &mut classes);
        let is_new = !classes.is_empty() && !self.folders.contains(&folder.display().to_string());
        self.classes.extend(classes);
        if is_new || self.classes.len() > before {
            self.folders.push(folder.display().to_string());
        }
    }

    /// The first class of each folder, if it is of the package that the folder stands for.
    fn packages(&mut self, folder: &Path, package: &str, classes: &mut Vec<String>) {
        let mut below: Vec<PathBuf> =
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        self.left = self.left.saturating_sub(below.len());
        if self.left == 0 {
            return;
        }
        below.sort();
        let mut is_known = false;
        for path in below {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            if let Some(simple) = name.strip_suffix(".class") {
                let class = format!("{package}{simple}");
                if !is_known && simple != "module-info" && is_class(&path, &class) {
                    is_known = true;
                    classes.push(class);
                }
            } else if is_identifier(name) && std::fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_dir())
            {
                self.packages(&path, &format!("{package}{name}."), classes);
            }
        }
    }

    /// What the manifest of a jar adds to the class path: folders, or folders inside the jar itself.
    fn manifest(&mut self, jar: &Path) {
        let Some(mut archive) = File::open(jar).ok().and_then(|file| zip::ZipArchive::new(file).ok()) else {
            return;
        };
        let mut text = String::new();
        let Ok(entry) = archive.by_name("META-INF/MANIFEST.MF") else { return };
        if entry.take(MANIFEST).read_to_string(&mut text).is_err() {
            return;
        }
        let text = text.replace("\r\n", "\n").replace("\n ", "");
        let attribute =
            |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        for part in attribute("Class-Path").unwrap_or_default().split(' ').filter(|part| part.ends_with('/'))
        {
            if let Some(folder) = place(jar, part) {
                self.folder(&folder);
            }
        }
        // Spring Boot's jars and wars: the program's classes stand in a folder, its libraries beside it.
        if let Some(inside) = attribute("Spring-Boot-Classes") {
            let names =
                archive.file_names().filter_map(|name| name.strip_prefix(inside)?.strip_suffix(".class"));
            let before = self.classes.len();
            self.classes.extend(names.map(|name| name.replace('/', ".")));
            if self.classes.len() > before {
                self.folders.push(format!("{}!/{inside}", jar.display()));
            }
        }
    }
}

/// Where a URL in a manifest leads, seen from the jar.
fn place(jar: &Path, url: &str) -> Option<PathBuf> {
    let path = decoded(url.strip_prefix("file:").unwrap_or(url))?;
    let path = if path.starts_with("//") { path.trim_start_matches('/').to_owned() } else { path };
    let path = if url.starts_with("file:") && !path.starts_with('/') { format!("/{path}") } else { path };
    jar.parent()?.join(path).canonicalize().ok()
}

/// A URL's path without percent signs.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = vec![];
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let code = (first == b'%').then(|| std::str::from_utf8(tail.get(..2)?).ok()).flatten();
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

/// Whether a class file names this class: a folder that merely contains folders of classes is none itself.
fn is_class(path: &Path, class: &str) -> bool {
    let name = class.replace('.', "/");
    std::fs::read(path).is_ok_and(|bytes| bytes.windows(name.len()).any(|part| part == name.as_bytes()))
}

/// Whether a package may be called so.
fn is_identifier(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_alphanumeric() || "_$".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write as _;

    fn class(folder: &Path, name: &str) {
        let path = folder.join(format!("{name}.class"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("....{name}....")).unwrap();
    }

    fn jar(path: &Path, files: &[(&str, &str)]) {
        let mut jar = zip::ZipWriter::new(File::create(path).unwrap());
        for (name, text) in files {
            jar.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            jar.write_all(text.as_bytes()).unwrap();
        }
        jar.finish().unwrap();
    }

    fn chosen(entries: &[PathBuf]) -> Vec<String> {
        choose(entries).0.iter().map(|p| p.as_str().to_owned()).collect()
    }

    #[test]
    fn folders_with_classes_are_the_projects_own_and_jars_beside_them_are_not() {
        let root = tempfile::tempdir().unwrap();
        let (classes, tests) = (root.path().join("my classes"), root.path().join("tests"));
        class(&classes, "org/shop/Basket");
        class(&classes, "org/shop/till/Till");
        class(&tests, "PlainTest");
        jar(&root.path().join("lib.jar"), &[("lib/A.class", "lib/A")]);
        let entries = [classes, tests, root.path().join("lib.jar"), root.path().join("gone")];
        assert_eq!(chosen(&entries), ["*", "org.shop.*", "org.shop.till.*"]);
        assert!(choose(&entries).1.contains("3 packages are recorded, those in"), "{}", choose(&entries).1);
    }

    #[test]
    fn folders_of_other_things_are_no_folders_of_classes() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("log.properties"), "").unwrap();
        // Seen from here, the package would be `target.classes.org.shop`.
        class(&root.path().join("target/classes"), "org/shop/Basket");
        let (patterns, line) = choose(&[root.path().to_owned()]);
        assert_eq!(patterns, []);
        assert!(line.contains("no folder with classes"), "{line}");
    }

    #[test]
    fn manifests_lead_to_folders_and_boot_jars_have_them_inside() {
        let root = tempfile::tempdir().unwrap();
        class(&root.path().join("my classes"), "a/B");
        class(&root.path().join("tests"), "a/c/D");
        let url = format!("file:{}/my%20classes/", root.path().display());
        // A line of a manifest has 72 bytes; the next begins with a space.
        let (one, two) = url.split_at(20);
        let manifest = format!(
            "Manifest-Version: 1.0\r\nClass-Path: lib.jar {one}\r\n {two} tests/\r\nMain-Class: X\r\n"
        );
        let booter = root.path().join("booter.jar");
        jar(&booter, &[("META-INF/MANIFEST.MF", &manifest)]);
        assert_eq!(chosen(&[booter]), ["a.*", "a.c.*"]);
        let boot = root.path().join("app.jar");
        let inside = "BOOT-INF/classes/org/shop/Basket.class";
        let manifest = "Manifest-Version: 1.0\nSpring-Boot-Classes: BOOT-INF/classes/\n";
        jar(&boot, &[("META-INF/MANIFEST.MF", manifest), (inside, ""), ("org/boot/Launcher.class", "")]);
        assert_eq!(chosen(&[boot]), ["org.shop.*"]);
    }
}
