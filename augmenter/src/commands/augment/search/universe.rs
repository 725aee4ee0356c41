//! Which types the search may use: those the seeds use, those the targets need, a few of the JDK's that arguments are
//! made of, and what makes objects of those that nothing of these makes. Knows nothing of what sequences do. Invariant: the list depends on names alone, in sorted order.

use super::pool::Pool;
use crate::commands::augment::class_files::makers::Makers;
use crate::commands::augment::prepare::available::Available;
use anyhow::Result;
use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Operation, Sequence};
use dynaflow_model::sites::MethodRef;
use dynaflow_model::types::TypeInfo;
use dynaflow_search::{Types, container_of, package_of};
use std::collections::{BTreeMap, BTreeSet};

/// JDK classes that arguments are commonly made of.
const COMMON: &[&str] = &[
    "java.lang.Object",
    "java.lang.StringBuilder",
    "java.util.ArrayList",
    "java.util.Arrays",
    "java.util.Collections",
    "java.util.HashMap",
    "java.util.HashSet",
    "java.util.LinkedList",
    "java.util.Locale",
    "java.util.TreeMap",
];

/// How many times the types of parameters are followed.
const ROUNDS: usize = 2;
/// Most classes asked about, and for each target more: what is beyond is far from the targets.
const MOST: usize = 600;
const MOST_OF_TARGET: usize = 10;

/// What is known of the types.
#[derive(Debug, Default)]
pub struct Universe {
    /// Those that can be loaded, by name.
    pub types: Vec<TypeInfo>,
    /// Why others cannot, by name.
    pub failures: BTreeMap<String, String>,
}

/// Describes the targets, what containers that they take hold (`held`), what `sequences` mention, what their members take, and common JDK classes. `ours` are the classes of the
/// program: those that implement an interface which is needed are used too. `makers` is called when a member takes what none of these makes. Of the JDK
/// nothing is used that is not `available`.
///
/// # Errors
/// When the worker is lost.
pub fn types<'a>(
    pool: &mut Pool,
    (targets, held): (&[String], BTreeSet<String>),
    sequences: impl Iterator<Item = &'a Sequence>,
    ours: &BTreeSet<String>,
    makers: impl FnOnce() -> Makers,
    available: &Available,
) -> Result<Universe> {
    let most = MOST + MOST_OF_TARGET * targets.len();
    let mut wanted: BTreeSet<String> = COMMON.iter().map(ToString::to_string).collect();
    wanted.extend(targets.iter().cloned().chain(held));
    sequences.for_each(|sequence| mentioned(sequence, &mut wanted));
    let mut known: BTreeMap<String, TypeInfo> = BTreeMap::new();
    let mut failures = BTreeMap::new();
    for _ in 0..=ROUNDS {
        let next: Vec<String> = wanted
            .iter()
            .filter(|name| !known.contains_key(*name))
            .take(most.saturating_sub(known.len()))
            .cloned()
            .collect();
        if next.is_empty() {
            break;
        }
        let described = pool.describe(&next)?;
        failures.extend(described.failures);
        for info in available.of(described.types) {
            if targets.contains(&info.name) || ours.contains(&info.name) {
                info.constructors.iter().chain(&info.methods).for_each(|c| of_method(&c.method, &mut wanted));
            }
            known.insert(info.name.clone(), info);
        }
        let containers = wanted.iter().chain(known.keys()).filter_map(|name| container_of(name));
        let containers: Vec<&str> = containers.collect();
        wanted.extend(containers.into_iter().map(str::to_owned));
        wanted.retain(|name| !known.contains_key(name));
    }
    let packages: BTreeSet<&str> = targets.iter().map(|t| package_of(t)).collect();
    let siblings: Vec<String> = ours
        .iter()
        .filter(|name| packages.contains(package_of(name)) && !known.contains_key(*name))
        .take(most.saturating_sub(known.len()))
        .cloned()
        .collect();
    let described = pool.describe(&siblings)?;
    failures.extend(described.failures);
    known.extend(available.of(described.types).into_iter().map(|info| (info.name.clone(), info)));
    let mut universe = Universe { types: known.into_values().collect(), failures };
    universe.add_makers(pool, targets, makers, available)?;
    Ok(universe)
}

impl Universe {
    /// Adds what makes objects that members of the targets take, and what is needed to make these.
    fn add_makers(
        &mut self,
        pool: &mut Pool,
        targets: &[String],
        makers: impl FnOnce() -> Makers,
        available: &Available,
    ) -> Result<()> {
        let mut asked = BTreeSet::new();
        let mut takers: BTreeSet<String> = targets.iter().cloned().collect();
        let mut lacking = self.lacking(targets, &takers, &mut asked);
        if lacking.is_empty() {
            return Ok(());
        }
        let makers = makers();
        for _ in 0..ROUNDS {
            if lacking.is_empty() {
                break;
            }
            let found = lacking.iter().flat_map(|class| makers.of(class)).chain(lacking.iter().cloned());
            let found: BTreeSet<String> =
                found.filter(|name| self.types.iter().all(|info| info.name != *name)).collect();
            let described = pool.describe(&found.into_iter().collect::<Vec<String>>())?;
            takers.extend(described.types.iter().map(|info| info.name.clone()));
            self.failures.extend(described.failures);
            self.types.extend(available.of(described.types));
            self.types.sort_by(|one, other| one.name.cmp(&other.name));
            lacking = self.lacking(targets, &takers, &mut asked);
        }
        Ok(())
    }

    /// The types that members of targets and constructors of `takers` take, or stubs answer, and nothing known makes, and that were not asked for before.
    fn lacking(
        &self,
        targets: &[String],
        takers: &BTreeSet<String>,
        asked: &mut BTreeSet<String>,
    ) -> Vec<String> {
        let packages: BTreeSet<&str> = targets.iter().map(|target| package_of(target)).collect();
        let all = Types::new(self.types.iter().cloned(), "");
        let mut lacking = vec![];
        for package in packages {
            let types = all.seen_from(package);
            let is_near =
                |info: &&TypeInfo| !targets.contains(&info.name) || package_of(&info.name) == package;
            for info in self.types.iter().filter(|info| takers.contains(&info.name)).filter(is_near) {
                let methods = targets.contains(&info.name).then_some(&info.methods).into_iter().flatten();
                let all = info.constructors.iter().chain(methods).filter(|callable| types.may_call(callable));
                let wanted = all.flat_map(|callable| types.not_made(&callable.method));
                lacking.extend(wanted.filter(|class| asked.insert(class.clone())));
            }
            // What a stub answers is made, too.
            let stubs = self.types.iter().filter(|info| asked.contains(&info.name));
            let results: Vec<&str> = stubs
                .flat_map(|info| info.to_implement.iter().flatten())
                .map(|method| descriptor::result(&method.descriptor))
                .collect();
            let wanted = results.into_iter().filter_map(|result| types.unmade(result));
            lacking.extend(wanted.filter(|class| asked.insert(class.clone())));
        }
        lacking
    }
}

/// The classes a sequence mentions.
fn mentioned(sequence: &Sequence, into: &mut BTreeSet<String>) {
    for statement in &sequence.statements {
        match &statement.operation {
            Operation::New { constructor: method, .. } | Operation::Call { method, .. } => {
                into.insert(method.owner.clone());
                of_method(method, into);
            }
            Operation::GetStatic(field) | Operation::GetField { field, .. } => {
                into.insert(field.owner.clone());
                of_descriptor(&field.descriptor, into);
            }
            Operation::NewArray { descriptor, .. } => of_descriptor(descriptor, into),
            Operation::Stub { interface, answers } => {
                into.insert(interface.clone());
                answers.iter().for_each(|(method, _)| of_method(method, into));
            }
            Operation::Contract { class, .. } => {
                into.insert(class.clone());
            }
            Operation::ArrayStore { .. } | Operation::Opaque(_) => {}
        }
        into.extend(statement.runtime_class.iter().filter(|name| !name.starts_with('[')).cloned());
    }
}

fn of_method(method: &MethodRef, into: &mut BTreeSet<String>) {
    descriptor::parameters(&method.descriptor).into_iter().for_each(|p| of_descriptor(p, into));
    of_descriptor(descriptor::result(&method.descriptor), into);
}

fn of_descriptor(mut text: &str, into: &mut BTreeSet<String>) {
    while let Some(component) = descriptor::component(text) {
        text = component;
    }
    into.extend(descriptor::class_of(text));
}
