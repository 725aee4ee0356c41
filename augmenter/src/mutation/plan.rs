//! The mutants of a project, their numbers, and the folders with class files that have them. Knows no tests.
//!
//! Invariant: numbers begin at 1 and are those of the mutants in the order of classes; a mutant is in one group.

use crate::classes;
use anyhow::{Context, Result};
use dynaflow_mutants::{ClassMutants, Options, Probed, Schema, mutants, probed, schemata};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A class with its mutants.
#[derive(Debug)]
pub(super) struct PlannedClass {
    /// Binary name.
    pub name: String,
    /// Its mutants.
    pub found: ClassMutants,
    /// The number of its first mutant.
    pub base: u32,
    /// By mutant, the positions of those whose probes stand before it.
    pub probes: Vec<Vec<usize>>,
    /// By mutant, the group that has it.
    pub groups: Vec<Option<usize>>,
}

/// The mutants of a project.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The classes that have mutants.
    pub classes: Vec<PlannedClass>,
    /// The folder with classes that have probes.
    pub probed: PathBuf,
    /// A folder for each group.
    pub groups: Vec<PathBuf>,
    /// One more than the largest number.
    pub numbers: usize,
    /// How many mutants were not made, by reason.
    pub not_made: BTreeMap<&'static str, usize>,
    /// Classes and methods that are not mutated, and why.
    pub declined: Vec<String>,
}

/// The versions of a class.
struct Woven {
    probed: Probed,
    schemata: Vec<Schema>,
}

const NO_ROOM: &str = "no room for it in its method or class";

impl Plan {
    /// Finds the mutants on lines that are wanted, and writes the folders.
    ///
    /// # Errors
    /// When a folder cannot be written.
    pub fn new(
        work: &Path,
        classes: &[(String, Vec<u8>)],
        options: &Options,
        is_wanted: impl Fn(&str, u32) -> bool + Sync,
    ) -> Result<Self> {
        let mut plan = Self { probed: work.join("probed"), ..Self::default() };
        let all: Vec<(&String, &Vec<u8>, Result<ClassMutants, String>)> = classes
            .par_iter()
            .map(|(name, bytes)| (name, bytes, of(bytes, options, |line| is_wanted(name, line))))
            .collect();
        let mut with_mutants = vec![];
        let mut next = 1_u32;
        for (name, bytes, found) in all {
            let Some(found) = plan.take(name, found) else { continue };
            with_mutants.push(bytes);
            let (name, base) = (name.clone(), next);
            next = next.saturating_add(u32::try_from(found.mutants.len()).unwrap_or(u32::MAX));
            plan.classes.push(PlannedClass { name, found, base, probes: vec![], groups: vec![] });
        }
        plan.numbers = next as usize;
        let classes = std::mem::take(&mut plan.classes);
        let woven: Vec<(PlannedClass, Result<Woven, String>)> = classes
            .into_par_iter()
            .zip(with_mutants)
            .map(|(class, bytes)| {
                let woven = weave(bytes, &class.found, class.base);
                (class, woven)
            })
            .collect();
        for (class, woven) in woven {
            match woven {
                Ok(woven) => plan.add(class, &woven, work)?,
                Err(why) => plan.declined.push(format!("{}: {why}", class.name)),
            }
        }
        std::fs::create_dir_all(&plan.probed).context("cannot write classes with probes")?;
        Ok(plan)
    }

    /// Counts what was left out; gives the mutants, if there are some.
    fn take(&mut self, name: &str, found: Result<ClassMutants, String>) -> Option<ClassMutants> {
        match found {
            Ok(found) => {
                for (reason, count) in &found.left_out {
                    *self.not_made.entry(reason).or_default() += count;
                }
                self.declined.extend(found.declined.iter().cloned());
                Some(found).filter(|found| !found.mutants.is_empty())
            }
            Err(why) => {
                self.declined.push(format!("{name}: {why}"));
                None
            }
        }
    }

    fn add(&mut self, mut class: PlannedClass, woven: &Woven, work: &Path) -> Result<()> {
        classes::write(&self.probed, &class.name, &woven.probed.bytes)?;
        class.probes.clone_from(&woven.probed.probes);
        class.groups = vec![None; class.found.mutants.len()];
        for (group, schema) in woven.schemata.iter().enumerate() {
            if self.groups.len() <= group {
                self.groups.push(work.join(format!("group-{group}")));
            }
            if let Some(folder) = self.groups.get(group) {
                classes::write(folder, &class.name, &schema.bytes)?;
            }
            for mutant in &schema.mutants {
                if let Some(of) = class.groups.get_mut(*mutant) {
                    *of = Some(group);
                }
            }
        }
        let lost = class.groups.iter().filter(|group| group.is_none()).count();
        if lost > 0 {
            *self.not_made.entry(NO_ROOM).or_default() += lost;
        }
        self.classes.push(class);
        Ok(())
    }
}

fn of(bytes: &[u8], options: &Options, is_wanted: impl Fn(u32) -> bool) -> Result<ClassMutants, String> {
    let mut found = mutants(bytes, options).map_err(|e| e.to_string())?;
    found.mutants.retain(|mutant| is_wanted(mutant.line.into()));
    Ok(found)
}

fn weave(bytes: &[u8], found: &ClassMutants, base: u32) -> Result<Woven, String> {
    let probed = probed(bytes, found, base).map_err(|e| e.to_string())?;
    let schemata = schemata(bytes, found, base).map_err(|e| e.to_string())?;
    Ok(Woven { probed, schemata })
}
