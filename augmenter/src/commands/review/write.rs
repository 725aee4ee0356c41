//! A review in words, as Markdown, or as JSON. Knows nothing of how it came about. Invariant: each test has one line.

use super::document::{Adds, Document, TestText};
use super::options::ReviewFormat;
use super::verdict::Kind;
use crate::output::{self, NAMED};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// How wide the column of verdicts is.
const WIDTH: usize = 16;
/// Most objectives and mutants that stand below a test.
const LISTED: usize = 2;
/// Most errors of one file that are shown; the JSON has all.
const ERRORS: usize = 3;

/// Writes it.
///
/// # Errors
/// Those of the writer.
pub fn write(format: ReviewFormat, document: &Document, out: &mut dyn Write) -> io::Result<()> {
    match format {
        ReviewFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, document)?;
            writeln!(out)
        }
        ReviewFormat::Text => text(document, out),
        ReviewFormat::Markdown => markdown(document, out),
    }
}

/// What a verdict is called.
fn name(verdict: Option<Kind>) -> &'static str {
    match verdict {
        None => "good",
        Some(Kind::Failing) => "FAILING",
        Some(Kind::Flaky) => "FLAKY",
        Some(Kind::Skipped) => "skipped",
        Some(Kind::AssertsNothing) => "ASSERTS NOTHING",
        Some(Kind::Redundant) => "redundant",
        Some(Kind::Effects) => "effects",
        Some(Kind::Slow) => "slow",
    }
}

fn text(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}\n", head(document))?;
    for (place, what) in errors(document) {
        writeln!(out, "{:WIDTH$}  {place}: {what}", "DOES NOT COMPILE")?;
    }
    for test in &document.tests {
        writeln!(out, "{:WIDTH$}  {}: {}", name(test.verdict), test.test, said(test))?;
        for line in details(test) {
            writeln!(out, "{:WIDTH$}    {line}", "")?;
        }
    }
    writeln!(out, "\n{}", foot(document))?;
    notes(document).iter().try_for_each(|note| writeln!(out, "note: {note}"))
}

fn markdown(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "### Review of tests\n\n{}\n", head(document))?;
    for (place, what) in errors(document) {
        writeln!(out, "- **DOES NOT COMPILE** `{place}`: {what}")?;
    }
    for test in &document.tests {
        writeln!(out, "- **{}** `{}`: {}", name(test.verdict), test.test, said(test))?;
        for line in details(test) {
            writeln!(out, "  - {line}")?;
        }
    }
    writeln!(out, "\n{}", foot(document))?;
    notes(document).iter().try_for_each(|note| writeln!(out, "\nNote: {note}"))
}

/// What else the reader should know.
fn notes(document: &Document) -> Vec<String> {
    let failing = &document.suite.failing;
    let of_suite =
        (!failing.is_empty()).then(|| format!("of the suite fail: {}", output::first(failing, NAMED)));
    of_suite.into_iter().chain(document.troubles.iter().cloned()).collect()
}

fn head(document: &Document) -> String {
    let suite = &document.suite;
    let failing = match suite.failing.len() {
        0 => String::new(),
        n => format!(", {n} of which {} ", if n == 1 { "fails" } else { "fail" }).trim_end().to_owned(),
    };
    let beside = match (suite.classes, suite.tests) {
        (0, _) => "without a suite".to_owned(),
        (n, 0) => format!("beside a suite of {}", counted(n, "class")),
        (_, n) => format!(
            "beside a suite of {} in {}{failing}",
            counted(n, "test"),
            counted(suite.classes, "class")
        ),
    };
    format!("{} {beside}", counted(document.tests.len(), "submitted test"))
}

/// What is found, and for a test that holds what it adds.
fn said(test: &TestText) -> String {
    let found: Vec<&str> = test.findings.iter().map(|finding| finding.why.as_str()).collect();
    let is_redundant = test.findings.iter().any(|finding| finding.kind == Kind::Redundant);
    let adds = (!is_redundant).then(|| adds(&test.adds)).flatten();
    let said = found.into_iter().chain(adds.as_deref()).collect::<Vec<_>>().join("; ");
    if said.is_empty() { "adds no pair; mutants were not made".to_owned() } else { said }
}

fn adds(adds: &Adds) -> Option<String> {
    let (objectives, pairs) = (adds.objectives.len(), adds.objectives.len() + adds.other_pairs.len());
    let of_them = of_them(objectives, pairs);
    let pairs = (pairs > 0).then(|| format!("{}{of_them}", counted(pairs, "pair")));
    let mutants = (!adds.mutants.is_empty()).then(|| counted(adds.mutants.len(), "mutant"));
    let parts: Vec<String> = pairs.into_iter().chain(mutants).collect();
    (!parts.is_empty()).then(|| format!("adds {}", parts.join(" and ")))
}

/// Where what does not compile: of each file the first errors, and how many more there are.
fn errors(document: &Document) -> Vec<(String, String)> {
    let mut lines = vec![];
    for of_file in document.compile_errors.chunk_by(|a, b| a.file == b.file) {
        let shown = of_file.iter().take(ERRORS);
        lines.extend(shown.map(|error| (format!("{}:{}", error.file, error.line), brief(&error.message))));
        if let (Some(first), Some(more @ 1..)) = (of_file.first(), of_file.len().checked_sub(ERRORS)) {
            lines.push((first.file.clone(), format!("and {more} more")));
        }
    }
    lines
}

/// A message of javac on one line: what is wrong, and with what; the lines of the source are in the file.
fn brief(message: &str) -> String {
    const EXPLAINS: [&str; 5] = ["symbol:", "location:", "required:", "found:", "reason:"];
    let mut lines = message.lines().map(str::trim);
    let first = lines.next().unwrap_or_default().to_owned();
    let more = lines.filter(|line| EXPLAINS.iter().any(|start| line.starts_with(start)));
    std::iter::once(first)
        .chain(more.map(|line| line.replace(":   ", ": ").replace(":  ", ": ")))
        .collect::<Vec<_>>()
        .join("; ")
}

/// How many of some pairs are objectives.
fn of_them(objectives: usize, pairs: usize) -> String {
    match (objectives, pairs) {
        (0, _) => String::new(),
        (1, 1) => " (an objective)".to_owned(),
        (n, all) if n == all => " (all objectives)".to_owned(),
        (1, _) => " (1 an objective)".to_owned(),
        (n, _) => format!(" ({n} objectives)"),
    }
}

/// Some of what a good test adds, in words.
fn details(test: &TestText) -> Vec<String> {
    if test.verdict.is_some() {
        return vec![];
    }
    let mut words: Vec<String> = vec![];
    for pair in test.adds.objectives.iter().chain(&test.adds.other_pairs) {
        // Pairs that differ in the calls in between read alike.
        if !words.contains(&pair.words) {
            words.push(pair.words.clone());
        }
    }
    words.truncate(LISTED);
    words.extend(test.adds.mutants.iter().map(|mutant| format!("notices: {mutant}")).take(LISTED));
    words
}

fn foot(document: &Document) -> String {
    let mut counts: BTreeMap<Option<Kind>, usize> = BTreeMap::new();
    for test in &document.tests {
        *counts.entry(test.verdict).or_default() += 1;
    }
    let mut parts: Vec<String> = counts
        .into_iter()
        .map(|(verdict, count)| format!("{count} {}", name(verdict).to_lowercase()))
        .collect();
    let files: std::collections::BTreeSet<&str> =
        document.compile_errors.iter().map(|error| error.file.as_str()).collect();
    if !files.is_empty() {
        parts.push(format!("{} not compiling", counted(files.len(), "file")));
    }
    let together = &document.together;
    let mutants = together.mutants.map_or_else(String::new, |n| format!(" and {}", counted(n, "mutant")));
    let adds = format!(
        "together they add {}{}{mutants}",
        counted(together.pairs, "pair"),
        of_them(together.objectives, together.pairs)
    );
    format!("{}; {adds}", parts.join(", "))
}

fn counted(count: usize, what: &str) -> String {
    match (count, what.ends_with('s')) {
        (1, _) => format!("1 {what}"),
        (_, true) => format!("{count} {what}es"),
        (_, false) => format!("{count} {what}s"),
    }
}
