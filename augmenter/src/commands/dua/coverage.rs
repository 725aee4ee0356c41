//! What recorded runs cover: traces in, an answer for each association out. It knows neither bytecode nor formats.
//!
//! Invariant: an answer is given only where the traces show it; that they do not is reported, by class or method, when it was not
//! asked for.

use super::document::Document;
use super::options::DuaOptions;
use crate::exit_code::UsageError;
use crate::output::NAMED;
use crate::traces;
use anyhow::{Result, bail};
use dynaflow_flowgraph::class_hash;
use dynaflow_model::facts::Recording;
use dynaflow_model::options::AgentOptions;
use dynaflow_model::sites::ClassHash;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

/// What the traces say.
#[derive(Debug)]
pub struct Coverage {
    covered: BTreeSet<u64>,
    classes: BTreeMap<String, ClassHash>,
    /// Classes, and `class#method(descriptor)`, that were left as they were, and why.
    declined: BTreeMap<String, String>,
    /// For each run, the patterns it selected classes by.
    runs: Vec<AgentOptions>,
    /// Classes that the class path has in another build than was recorded.
    others: Mutex<BTreeSet<String>>,
}

/// What the traces say of one class.
#[derive(Debug)]
pub struct OfClass<'a> {
    coverage: &'a Coverage,
    name: &'a str,
    /// Whether an association that was not covered is known not to be.
    is_known: bool,
    /// Whether even covered ones are those of other bytes.
    is_other: bool,
}

impl Coverage {
    /// Reads the traces of the command line; none when there are none.
    ///
    /// # Errors
    /// When a trace cannot be used, has no coverage, or was recorded with other options than those of the command.
    pub fn read(options: &DuaOptions) -> Result<Option<Self>> {
        if options.traces.is_empty() {
            return Ok(None);
        }
        let merged = traces::read(&options.traces)?;
        traces::check_any(&merged)?;
        let recording = merged.recording;
        check(&recording, options)?;
        let declined = recording.declined.into_iter().map(|declined| (declined.class, declined.reason));
        Ok(Some(Self {
            covered: recording.coverage.covered,
            classes: recording.classes,
            declined: declined.collect(),
            runs: recording.coverage.runs.iter().map(|run| run.patterns()).collect(),
            others: Mutex::default(),
        }))
    }

    /// What is known of a class with these bytes.
    pub fn of_class<'a>(&'a self, name: &'a str, bytes: &[u8]) -> OfClass<'a> {
        let is_other = self.classes.get(name).is_some_and(|recorded| *recorded != class_hash(bytes));
        if is_other && let Ok(mut others) = self.others.lock() {
            others.insert(name.to_owned());
        }
        let is_selected = self.runs.iter().any(|run| run.includes(name));
        let is_known = is_selected && !is_other && !self.declined.contains_key(name);
        OfClass { coverage: self, name, is_known, is_other }
    }

    /// Why nothing is known of what was analysed, in sentences.
    pub fn troubles(&self, document: &Document) -> Vec<String> {
        let mut troubles = vec![];
        let others = self.others.lock().map(|others| others.clone()).unwrap_or_default();
        if !others.is_empty() {
            troubles.push(format!(
                "{}: recorded in another build than the class path has, so that nothing is known of what is covered; give \
                 --class-path the class files that ran (a coverage tool that changes them comes in between, too)",
                some(others.iter().map(String::as_str))
            ));
        }
        let analysed: BTreeSet<String> = document
            .methods
            .iter()
            .flat_map(|method| [method.class.clone(), format!("{}#{}", method.class, method.method)])
            .collect();
        let declined = || self.declined.iter().filter(|(name, _)| analysed.contains(*name));
        troubles.extend(
            declined().take(NAMED).map(|(name, reason)| format!("{name} was not recorded: {reason}")),
        );
        let more = declined().skip(NAMED).map(|(name, _)| name.as_str()).collect::<Vec<_>>();
        if !more.is_empty() {
            troubles.push(format!(
                "{} more classes and methods were not recorded: {}",
                more.len(),
                some(more.into_iter())
            ));
        }
        if !document.methods.iter().any(|method| self.classes.contains_key(&method.class)) {
            troubles.push(format!(
                "the recorded runs loaded no class that is analysed; they recorded {}",
                some(self.classes.keys().map(String::as_str))
            ));
        }
        troubles
    }
}

impl OfClass<'_> {
    /// Whether an association of a method (name and descriptor) is covered; none when the traces do not show it.
    pub fn of(&self, method: &str, id: &str) -> Option<bool> {
        if self.is_other {
            return None;
        }
        if u64::from_str_radix(id, 16).is_ok_and(|id| self.coverage.covered.contains(&id)) {
            return Some(true);
        }
        let declined = || self.coverage.declined.contains_key(&format!("{}#{method}", self.name));
        (self.is_known && !declined()).then_some(false)
    }
}

/// Refuses traces that say nothing of the associations asked for.
fn check(recording: &Recording, options: &DuaOptions) -> Result<()> {
    let Some(run) = recording.coverage.runs.first() else {
        bail!(
            "the traces hold no coverage of associations: they were recorded with mode=state, and `dynaflow export` shows what \
             they hold. Record again with mode=dua (`dynaflow run --mode dua`)"
        );
    };
    let (recorded, asked) = (run.sought, options.sought());
    if recorded != asked {
        let edges = if recorded.exception_edges { " --exception-edges" } else { "" };
        return Err(UsageError(format!(
            "the traces were recorded with {recorded}, and this command asks for {asked}: these are other associations. Ask \
             with --arrays {}{edges}, or record again with the options {}",
            recorded.arrays,
            asked.to_string().replace(", ", ",")
        ))
        .into());
    }
    Ok(())
}

/// Some names, and how many more there are.
fn some<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    match names.len() {
        0 => "none".to_owned(),
        1..=NAMED => names.join(", "),
        more => format!("{} and {} more", names.get(..NAMED).unwrap_or_default().join(", "), more - NAMED),
    }
}
