//! The `mutants` document, described by docs/mutants.schema.json. Knows nothing of how mutants were run.
//!
//! Invariant: an entry of a list is a line, so that documents can be compared by line; tests are positions in the list of tests.

use super::score::Score;
use crate::mutation::{AnalysedMutant, Analysis, Status};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

#[derive(Serialize)]
struct Totals {
    mutants: usize,
    detected: usize,
    covered: usize,
    score: f64,
    strength: f64,
    statuses: BTreeMap<&'static str, usize>,
}

#[derive(Serialize)]
struct ClassLine<'a> {
    class: &'a str,
    source_file: Option<&'a str>,
    mutants: usize,
    detected: usize,
    covered: usize,
    score: f64,
}

#[derive(Serialize)]
struct LeftOutLine<'a> {
    test: &'a str,
    reason: &'a str,
}

#[derive(Serialize)]
struct MutantLine<'a> {
    id: &'a str,
    class: usize,
    method: &'a str,
    descriptor: &'a str,
    line: u16,
    operator: &'static str,
    also: Vec<&'static str>,
    description: &'a str,
    status: &'static str,
    earlier: bool,
    killing: &'a [usize],
    covering: &'a [usize],
}

/// Writes it.
pub fn write(analysis: &Analysis, matrix: bool, out: &mut dyn Write) -> io::Result<()> {
    let score = Score::of(analysis.mutants());
    writeln!(out, "{{\"format\": \"dynaflow-mutants\", \"version\": 1,")?;
    writeln!(out, "\"stopped_by\": {},", if analysis.interrupted { "\"interrupted\"" } else { "null" })?;
    writeln!(out, "\"matrix\": {matrix},")?;
    writeln!(out, "\"totals\": {},", text(&totals(&score))?)?;
    writeln!(out, "\"not_made\": {},", text(&analysis.not_made)?)?;
    list("declined", analysis.declined.iter(), out)?;
    let left_out = analysis.left_out.iter().map(|left| LeftOutLine { test: &left.test, reason: &left.why });
    list("tests_left_out", left_out, out)?;
    list("tests", analysis.tests.iter(), out)?;
    let classes = analysis.classes.iter().map(|class| {
        let score = Score::of(&class.mutants);
        ClassLine {
            class: &class.name,
            source_file: class.source_file.as_deref(),
            mutants: score.all(),
            detected: score.detected(),
            covered: score.covered(),
            score: score.percent(),
        }
    });
    list("classes", classes, out)?;
    let numbered = analysis.classes.iter().enumerate();
    let mutants = numbered.flat_map(|(at, class)| class.mutants.iter().map(move |mutant| line(at, mutant)));
    lines("mutants", mutants, out)?;
    writeln!(out, "}}")
}

fn totals(score: &Score) -> Totals {
    Totals {
        mutants: score.all(),
        detected: score.detected(),
        covered: score.covered(),
        score: score.percent(),
        strength: score.strength(),
        statuses: Status::ALL.map(|status| (status.name(), score.count(status))).into(),
    }
}

fn line(class: usize, analysed: &AnalysedMutant) -> MutantLine<'_> {
    let AnalysedMutant { mutant, judged, covering, is_known } = analysed;
    MutantLine {
        id: &mutant.id,
        class,
        method: &mutant.method,
        descriptor: &mutant.descriptor,
        line: mutant.line,
        operator: mutant.operator.name(),
        also: mutant.also.iter().map(|operator| operator.name()).collect(),
        description: &mutant.description,
        status: judged.status.name(),
        earlier: *is_known,
        killing: &judged.killing,
        covering,
    }
}

fn text(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)?)
}

/// A list that others follow.
fn list<T: Serialize>(name: &str, items: impl Iterator<Item = T>, out: &mut dyn Write) -> io::Result<()> {
    lines(name, items, out)?;
    writeln!(out, ",")
}

fn lines<T: Serialize>(name: &str, items: impl Iterator<Item = T>, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "\"{name}\": [")?;
    for (position, item) in items.enumerate() {
        write!(out, "{}\n{}", if position == 0 { "" } else { "," }, text(&item)?)?;
    }
    write!(out, "]")
}
