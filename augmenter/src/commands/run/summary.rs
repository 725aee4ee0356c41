//! The summary of a recorded run: figures, and what looks wrong with them. Knows nothing of processes.
//!
//! Invariant: a run in which nothing was recorded is never summarised without saying so and what to do.

use crate::traces;
use dynaflow_model::facts::Recording;
use dynaflow_model::options::{AgentOptions, Mode};
use dynaflow_objectives::{PairsView, Status};
use dynaflow_trace::Merged;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The figures of a run, one line each.
pub fn figures(merged: &Merged) -> String {
    if merged.recording.is_coverage_alone() {
        return coverage(merged);
    }
    let recording = &merged.recording;
    let document = PairsView::new(recording, |_| true);
    let tests: BTreeSet<&str> =
        recording.tests.iter().map(|test| test.name.as_str()).filter(|name| !name.is_empty()).collect();
    let bounds = recording.bounds;
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        // Writing to a string cannot fail.
        writeln!(text, "  {name:<12}{value}").ok();
    };
    line("tests", tests.len().to_string());
    line("classes", recording.classes.len().to_string());
    line("pairs", format!("{} covered", document.count(Status::Covered)));
    line("objectives", format!("{} never executed", document.count(Status::Objective)));
    line("declined", format!("{} classes or methods left as they were", recording.declined.len()));
    line(
        "bounds hit",
        format!(
            "depth {}, context {}, paths {}, memory {}",
            bounds.depth, bounds.context, bounds.paths, bounds.memory
        ),
    );
    line(
        "unknown",
        format!("{} writes by reflection and the like, outside all recorded methods", bounds.unknown),
    );
    line("left out", left_out(recording));
    let effort = recording.effort;
    let seconds = |millis: u64| format!("{}.{:03} s", millis / 1000, millis % 1000);
    line("words", format!("{} of 8 bytes came from the program", effort.words));
    line(
        "waited",
        format!(
            "{} times for room, {} in all; {} for records at the ends of tests",
            effort.waits,
            seconds(effort.waited),
            seconds(effort.settled)
        ),
    );
    for file in &merged.files {
        line("trace", file.display().to_string());
    }
    text
}

/// Whether everything was recorded, and how to have it so.
fn left_out(recording: &Recording) -> String {
    match traces::left_out(recording) {
        Some(text) => format!("{text}; `--thin off` records all, at its price"),
        None => "nothing: every access was recorded".to_owned(),
    }
}

/// The figures of a run that recorded coverage.
fn coverage(merged: &Merged) -> String {
    let recording = &merged.recording;
    let mut text = format!(
        "  classes     {}\n  covered     {} associations\n  declined    {} classes or methods left as they were\n",
        recording.classes.len(),
        recording.coverage.covered.len(),
        recording.declined.len()
    );
    for file in &merged.files {
        // Writing to a string cannot fail.
        writeln!(text, "  trace       {}", file.display()).ok();
    }
    text
}

/// What looks wrong with what was recorded, with remedies; nothing when all is well.
pub fn troubles(merged: &Merged, options: &AgentOptions) -> Vec<String> {
    let recording = &merged.recording;
    let mut troubles: Vec<String> = vec![];
    for pattern in &options.include {
        if !recording.classes.keys().any(|class| pattern.matches(class)) {
            troubles.push(format!(
                "--include {}: no loaded class matches it, so it recorded nothing; `*` stays within a package, `**` \
                 crosses packages, and the JDK's own classes are never recorded",
                pattern.as_str()
            ));
        }
    }
    if recording.classes.is_empty() && options.include.is_empty() {
        troubles.push(
            "no class was recorded: the run loaded none besides the JDK's, test frameworks' and build tools'; name \
             yours with --include"
                .to_owned(),
        );
    }
    let has_tests = options.mode == Mode::State;
    if has_tests && !recording.classes.is_empty() && !recording.tests.iter().any(|test| !test.name.is_empty())
    {
        troubles.push(
            "no test was seen: facts are recorded, but belong to no test. JUnit 3, 4, 5 and TestNG methods are tests \
             when their classes are recorded: does --include select the test classes too?"
                .to_owned(),
        );
    }
    troubles.extend(recording.notes.iter().map(|note| format!("the recorder says: {note}")));
    troubles
}

/// Whether nothing at all was recorded.
pub fn is_empty(merged: &Merged) -> bool {
    merged.recording.classes.is_empty()
}
