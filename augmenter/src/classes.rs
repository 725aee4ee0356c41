//! The class files of a class path, read and analysed by all processors, and written for another one. Knows nothing of what an analysis finds.
//!
//! Invariant: results come sorted by class; of two classes with one name the first on the class path counts, as for the JVM.

use crate::jvm::jar::{self, Jar};
use anyhow::{Context, Result};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where a class file lies.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    /// In a folder.
    File(PathBuf),
    /// In a jar (its position on the class path), by its position in it.
    Entry(usize, usize),
}

/// The class files of a class path.
#[derive(Debug)]
pub struct Classes {
    entries: Vec<PathBuf>,
    jars: BTreeMap<usize, Jar>,
    found: BTreeMap<String, Source>,
}

impl Classes {
    /// Lists the classes in folders and jars.
    ///
    /// # Errors
    /// Names the jar or folder that cannot be read.
    pub fn list(entries: &[PathBuf]) -> Result<Self> {
        let mut classes = Self { entries: entries.to_vec(), jars: BTreeMap::new(), found: BTreeMap::new() };
        for (position, entry) in entries.iter().enumerate() {
            if entry.is_dir() {
                classes.folder(entry, "")?;
            } else {
                classes.jar(position, entry)?;
            }
        }
        Ok(classes)
    }

    fn folder(&mut self, dir: &Path, package: &str) -> Result<()> {
        let reading = || format!("reading the folder `{}`", dir.display());
        for entry in std::fs::read_dir(dir).with_context(reading)? {
            let path = entry.with_context(reading)?.path();
            let Some(file) = path.file_name().and_then(|name| name.to_str()) else { continue };
            if path.is_dir() {
                let package = format!("{package}{file}.");
                self.folder(&path, &package)?;
            } else if let Some(simple) = file.strip_suffix(".class") {
                self.add(format!("{package}{simple}"), Source::File(path.clone()));
            }
        }
        Ok(())
    }

    fn jar(&mut self, position: usize, path: &Path) -> Result<()> {
        let jar = jar::open(path)?;
        for index in 0..jar.len() {
            let name = jar.name_for_index(index).filter(|name| !name.starts_with("META-INF/"));
            if let Some(class) = name.and_then(|name| name.strip_suffix(".class")) {
                self.add(class.replace('/', "."), Source::Entry(position, index));
            }
        }
        self.jars.insert(position, jar);
        Ok(())
    }

    fn add(&mut self, name: String, source: Source) {
        if !name.is_empty() && !name.ends_with("module-info") && !name.ends_with("package-info") {
            self.found.entry(name).or_insert(source);
        }
    }

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.found.keys().map(String::as_str)
    }

    /// The bytes of a class by internal name; none when it is not there or cannot be read.
    pub fn class(&self, name: &[u8]) -> Option<Vec<u8>> {
        let name = std::str::from_utf8(name).ok()?.replace('/', ".");
        let source = self.found.get(&name)?;
        self.read(&mut self.jars.clone(), source).ok()
    }

    /// Leaves only some.
    pub fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        self.found.retain(|name, _| keep(name));
    }

    /// Does something with the name and the bytes of each class, in parallel; the results stand in the order of the names.
    ///
    /// # Errors
    /// Names the class that cannot be read.
    pub fn each<T: Send>(&self, work: impl Fn(&str, &[u8]) -> T + Sync) -> Result<Vec<T>> {
        let all: Vec<(&String, &Source)> = self.found.iter().collect();
        let results = all.into_par_iter().map_init(
            || self.jars.clone(),
            |jars, (name, source)| {
                let bytes = self.read(jars, source).with_context(|| format!("reading the class {name}"))?;
                Ok(work(name, &bytes))
            },
        );
        results.collect()
    }

    fn read(&self, jars: &mut BTreeMap<usize, Jar>, source: &Source) -> Result<Vec<u8>> {
        match source {
            Source::File(path) => jar::bounded(std::fs::File::open(path)?),
            Source::Entry(position, index) => {
                let path = self.entries.get(*position).map(|path| path.display().to_string());
                let jar = jars.get_mut(position).context("the jar is no more there")?;
                let place = || format!("in the jar `{}`", path.unwrap_or_default());
                jar::entry(jar, *index).with_context(place)
            }
        }
    }
}

/// Whether a class is inside another one, by its name.
pub fn is_inside(name: &str, outer: &str) -> bool {
    name.strip_prefix(outer).is_some_and(|rest| rest.starts_with('$'))
}

/// Whether a class is this one, or lies inside it.
pub fn is_of(name: &str, class: &str) -> bool {
    name == class || is_inside(name, class)
}

/// Writes a class file where a class loader looks for it.
///
/// # Errors
/// Names the file that cannot be written.
pub fn write(folder: &Path, class: &str, bytes: &[u8]) -> Result<()> {
    let path = folder.join(format!("{}.class", class.replace('.', "/")));
    let parent = path.parent().unwrap_or(folder);
    std::fs::create_dir_all(parent)
        .and_then(|()| std::fs::write(&path, bytes))
        .with_context(|| format!("cannot write `{}`", path.display()))
}
