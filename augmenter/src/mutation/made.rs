//! The mutants of some classes as files that JVMs load, and how a JVM comes to have them. Knows no tests.
//!
//! Invariant: a JVM has the classes of one group, or those with probes, in front of everything else on its class path, and the switch they ask.

use super::covering;
use super::plan::{Plan, PlannedClass};
use crate::classes;
use crate::jvm::launch::{self, JvmConfig};
use anyhow::{Context, Result};
use dynaflow_java_shim::MUTANTS_JAR;
use dynaflow_mutants::{Mutant, Operator, Options};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A description in PIT's words without packages, and without the method it stands in: `removed call to a/b/Basket::add`.
fn brief(description: &str) -> String {
    let what = description.split(" for ").next().unwrap_or(description);
    let simple = |word: &str| word.rsplit('/').next().unwrap_or(word).replace("::", ".");
    what.split(' ').map(simple).collect::<Vec<_>>().join(" ")
}

/// Mutants that were made.
#[derive(Debug)]
pub struct Made {
    plan: Plan,
    jar: PathBuf,
    option: String,
}

impl Made {
    /// Makes the mutants of these classes, sorted by name, below a folder.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn new(work: &Path, classes: &[(String, Vec<u8>)], options: &Options) -> Result<Self> {
        Self::on_lines(work, classes, options, |_, _| true)
    }

    /// Makes those of their mutants that stand on lines of theirs that are wanted.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn on_lines(
        work: &Path,
        classes: &[(String, Vec<u8>)],
        options: &Options,
        is_wanted: impl Fn(&str, u32) -> bool + Sync,
    ) -> Result<Self> {
        let plan = Plan::new(work, classes, options, is_wanted)?;
        let (jar, option) = launch::boot_jar(work, "dynaflow-mutants.jar", MUTANTS_JAR)
            .context("cannot write the classes that mutants call")?;
        Ok(Self { plan, jar, option })
    }

    /// What was made.
    pub(super) fn plan(&self) -> &Plan {
        &self.plan
    }

    /// One more than the largest number of a mutant.
    pub fn numbers(&self) -> usize {
        self.plan.numbers
    }

    /// How many folders with mutants there are.
    pub fn groups(&self) -> usize {
        self.plan.groups.len()
    }

    /// The numbers of the mutants of a class and of those inside it.
    pub fn of_class(&self, class: &str) -> BTreeSet<u32> {
        let is_own = |name: &str| classes::is_of(name, class);
        let own = self.plan.classes.iter().filter(|of| is_own(&of.name));
        let numbers = |class| {
            let made = move |(position, group): (usize, &Option<usize>)| {
                group.map(|_| covering::number(class, position))
            };
            class.groups.iter().enumerate().filter_map(made)
        };
        own.flat_map(numbers).collect()
    }

    /// The mutants of a class that were made, by number.
    pub fn mutants(&self, class: &str) -> BTreeMap<u32, &Mutant> {
        let mut numbered = BTreeMap::new();
        for of in self.plan.classes.iter().filter(|of| of.name == class) {
            for (position, (mutant, group)) in of.found.mutants.iter().zip(&of.groups).enumerate() {
                numbered.extend(group.map(|_| (covering::number(of, position), mutant)));
            }
        }
        numbered
    }

    /// The numbers of the mutants that were made on these lines of classes.
    pub fn on(&self, lines: &BTreeSet<(String, u32)>) -> BTreeSet<u32> {
        let mut names: Vec<&str> = lines.iter().map(|(class, _)| class.as_str()).collect();
        names.dedup();
        let mut numbers = BTreeSet::new();
        for name in names {
            let is_there = |mutant: &Mutant| lines.contains(&(name.to_owned(), mutant.line.into()));
            let own = self.mutants(name).into_iter();
            numbers.extend(own.filter(|(_, mutant)| is_there(mutant)).map(|(number, _)| number));
        }
        numbers
    }

    /// The class of a mutant and its place there.
    fn place(&self, number: u32) -> Option<(&PlannedClass, usize)> {
        let after = self.plan.classes.partition_point(|class| class.base <= number);
        let class = self.plan.classes.get(after.checked_sub(1)?)?;
        Some((class, number.checked_sub(class.base)? as usize))
    }

    /// What a mutant does and where, for people: `removed call to Basket.add in Door.open (line 12)`.
    pub fn text(&self, number: u32) -> Option<String> {
        let (class, position) = self.place(number)?;
        let mutant = class.found.mutants.get(position)?;
        let simple = class.name.rsplit('.').next().unwrap_or(&class.name);
        Some(format!("{} in {simple}.{} (line {})", brief(&mutant.description), mutant.method, mutant.line))
    }

    /// Name and descriptor of the method that a mutant changes.
    pub fn method(&self, number: u32) -> Option<(&str, &str)> {
        let (class, position) = self.place(number)?;
        let mutant = class.found.mutants.get(position)?;
        Some((&mutant.method, &mutant.descriptor))
    }

    /// The class and the line that a mutant changes.
    pub fn line(&self, number: u32) -> Option<(String, u32)> {
        let (class, position) = self.place(number)?;
        Some((class.name.clone(), class.found.mutants.get(position)?.line.into()))
    }

    /// Whether a mutant leaves out an assignment of a constructor: whatever is done to an object reaches it.
    pub fn is_of_making(&self, number: u32) -> bool {
        let mutant = self.place(number).and_then(|(class, position)| class.found.mutants.get(position));
        mutant
            .is_some_and(|mutant| mutant.method == "<init>" && mutant.operator == Operator::OmittedDefinition)
    }

    /// The group that has a mutant.
    pub fn group(&self, number: u32) -> Option<usize> {
        let (class, position) = self.place(number)?;
        *class.groups.get(position)?
    }

    /// Those of some mutants that stand behind one of these probes.
    pub fn behind(&self, probes: &BTreeSet<u32>, mutants: &BTreeSet<u32>) -> BTreeSet<u32> {
        let is_behind = |number: &&u32| {
            let place = self.place(**number);
            let probes_of = |(class, position): (&PlannedClass, usize)| {
                let mut before = class.probes.get(position).into_iter().flatten();
                before.any(|probe| probes.contains(&covering::number(class, *probe)))
            };
            place.is_some_and(probes_of)
        };
        mutants.iter().filter(is_behind).copied().collect()
    }

    /// A JVM that finds the switch.
    pub(super) fn switched(&self, jvm: &JvmConfig) -> JvmConfig {
        let mut jvm = jvm.clone();
        jvm.readable.push(self.jar.clone());
        jvm.jvm_args.insert(0, self.option.clone());
        jvm
    }

    /// A JVM whose classes have probes.
    pub fn probed(&self, jvm: &JvmConfig) -> JvmConfig {
        let mut jvm = self.switched(jvm);
        jvm.class_path.insert(0, self.plan.probed.clone());
        jvm
    }

    /// A JVM with the mutants of a group.
    pub fn mutated(&self, jvm: &JvmConfig, group: usize) -> JvmConfig {
        let mut jvm = self.switched(jvm);
        if let Some(folder) = self.plan.groups.get(group) {
            jvm.class_path.insert(0, folder.clone());
        }
        jvm
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_name_no_packages_and_no_method_twice() {
        assert_eq!(brief("removed call to a/b/Basket::add"), "removed call to Basket.add");
        assert_eq!(brief("replaced int return with 0 for a/Door::count"), "replaced int return with 0");
        assert_eq!(brief("Changed increment from 1 to -1"), "Changed increment from 1 to -1");
    }
}
