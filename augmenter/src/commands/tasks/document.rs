//! The tasks as a document: everything that any format shows, in words and in names. Its schema is `docs/tasks.schema.json`.
//!
//! Knows nothing of formats. Invariant: fields are declared in alphabetical order, which makes the keys of the JSON sorted.

use super::group::{Site, Task};
use super::sources::{Excerpt, Sources};
use super::starts::Starts;
use super::words;
use dynaflow_objectives::{KindText, simple};
use serde::Serialize;
use std::collections::BTreeSet;

/// The document.
#[derive(Debug, Serialize)]
pub struct Document {
    /// How many tasks there are, shown or not.
    pub all_tasks: usize,
    /// Always `dynaflow-tasks`.
    pub format: &'static str,
    /// How many objectives are no task, as nothing executes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub infeasible: Option<usize>,
    /// How many objectives all tasks have.
    pub objectives: usize,
    /// Where the change begins to which the tasks are limited, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// The most valuable tasks.
    pub tasks: Vec<TaskText>,
    /// Always 1.
    pub version: u32,
}

/// A task.
#[derive(Debug, Serialize)]
pub struct TaskText {
    /// How many pairs of the same variable and lines tests execute, in other calls.
    pub covered: usize,
    /// The definition.
    pub definition: HalfText,
    /// What must hold, a sentence each.
    pub holds: Vec<String>,
    /// Its place in the order, from 1.
    pub number: usize,
    /// The ids of its objectives.
    pub objectives: Vec<String>,
    /// Binary name of the root class.
    pub root: String,
    /// The task in one sentence.
    pub summary: String,
    /// The use.
    #[serde(rename = "use")]
    pub usage: HalfText,
    /// The state variable: `next.[].primed`.
    pub variable: String,
    /// The same in words.
    pub variable_in_words: String,
}

/// A half of a pair.
#[derive(Debug, Serialize)]
pub struct HalfText {
    /// The ways on which it was seen, in words, outermost call first; the shortest way first.
    pub calls: Vec<String>,
    /// Binary name of the class.
    pub class: String,
    /// The same ways as the pairs document has them.
    pub contexts: Vec<Vec<String>>,
    /// Of a definition, whether it is direct or nested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<KindText>,
    /// Source line, 0 when unknown.
    pub line: u32,
    /// Name and descriptor of the method.
    pub method: String,
    /// The method in words.
    pub method_in_words: String,
    /// The lines around; null where the source is not found.
    pub source: Option<Excerpt>,
    /// The tests that show this half; those that show least besides come first.
    pub tests: Vec<String>,
}

/// The document with the first of the tasks, those of a change if one is named.
pub fn document(
    (tasks, limit): (&[Task<'_>], usize),
    since: Option<String>,
    starts: &Starts,
    sources: &mut Sources,
) -> Document {
    let shown = tasks.iter().take(limit).enumerate();
    Document {
        all_tasks: tasks.len(),
        format: "dynaflow-tasks",
        infeasible: None,
        objectives: tasks.iter().map(|task| task.pairs.len()).sum(),
        since,
        tasks: shown.map(|(at, task)| text(at + 1, task, starts, sources)).collect(),
        version: 1,
    }
}

fn text(number: usize, task: &Task<'_>, starts: &Starts, sources: &mut Sources) -> TaskText {
    let subject = task.subject;
    let steps: Vec<String> = subject.steps.iter().map(|step| step.field.clone()).collect();
    let first: BTreeSet<_> = task.pairs.iter().map(|pair| &pair.definition.context).collect();
    let then: BTreeSet<_> = task.pairs.iter().map(|pair| &pair.usage.context).collect();
    let kind = task.pairs.first().map(|pair| pair.definition.kind);
    let leaving = starts.leaving(subject.root, &steps, subject.definition);
    let beginning = starts.beginning(subject.root, &steps, subject.usage);
    let definition = half(subject.definition, first, kind, &leaving, sources);
    let usage = half(subject.usage, then, None, &beginning, sources);
    let (writer, reader) = (&definition.method_in_words, &usage.method_in_words);
    let summary = words::summary(reader, subject.root, subject.steps, writer, kind.unwrap_or_default());
    TaskText {
        covered: task.covered,
        holds: words::holds(subject.root, subject.steps, &outermost(&definition), &outermost(&usage)),
        definition,
        number,
        objectives: task.pairs.iter().map(|pair| pair.id.clone()).collect(),
        root: subject.root.to_owned(),
        summary,
        usage,
        variable: task.pairs.first().map(|pair| pair.variable.clone()).unwrap_or_default(),
        variable_in_words: words::variable(subject.root, subject.steps),
    }
}

fn half(
    site: Site<'_>,
    contexts: BTreeSet<&Vec<String>>,
    kind: Option<KindText>,
    tests: &[&str],
    sources: &mut Sources,
) -> HalfText {
    let mut contexts: Vec<&Vec<String>> = contexts.into_iter().collect();
    contexts.sort_by_key(|frames| frames.len());
    HalfText {
        calls: contexts.iter().map(|frames| words::context(frames)).collect(),
        class: site.class.to_owned(),
        contexts: contexts.into_iter().cloned().collect(),
        kind,
        line: site.line,
        method: site.method.to_owned(),
        method_in_words: words::method(site.class, site.method),
        source: sources.around(site),
        tests: tests.iter().map(|test| (*test).to_owned()).collect(),
    }
}

/// The calls on the root below which a half was seen, each once; those of the shortest ways first.
fn outermost(half: &HalfText) -> Vec<String> {
    let mut calls: Vec<String> = vec![];
    for frames in &half.contexts {
        let call = frames.first().map_or_else(|| half.method_in_words.clone(), |first| words::frame(first));
        if !calls.contains(&call) {
            calls.push(call);
        }
    }
    calls
}

impl HalfText {
    /// `Outer.java:12`, or the class where no line is known.
    pub fn place(&self) -> String {
        match &self.source {
            Some(source) => format!("{}:{}", source.file, self.line),
            None if self.line == 0 => simple(&self.class).to_owned(),
            None => format!("{}, line {}", simple(&self.class), self.line),
        }
    }
}
