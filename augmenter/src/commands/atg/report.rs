//! What came of `dynaflow atg`, as text and as JSON. Knows nothing of how it came about.
//!
//! Invariants: each mutant is counted once; the score is the share of noticed mutants among those that are not called equivalent.

use crate::solving::mutants::{By, Known};
use dynaflow_mutants::Mutant;
use dynaflow_solve::Scope;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// What became of a mutant.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A test notices it.
    Noticed,
    /// None does, and this is known.
    Alive(Known),
    /// None does, and nothing more was tried, for this reason.
    NotTried(String),
}

fn text(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)?)
}

/// Everything that is reported.
#[derive(Clone, Debug)]
pub struct Report {
    /// The class.
    pub class: String,
    /// The seed.
    pub seed: u64,
    /// Random tests that noticed a mutant first.
    pub by_chance: usize,
    /// Solved tests that did.
    pub solved: usize,
    /// Tests that are written.
    pub kept: usize,
    /// Calls that made no test: they do not end, end with an error of the JVM, or differ from run to run.
    pub dropped: usize,
    /// Queries of the solver.
    pub asked: usize,
    /// The solver; or why there is none.
    pub solver: Result<String, String>,
    /// Methods that are not called, and why.
    pub refused: BTreeMap<String, String>,
    /// By mutant.
    pub outcomes: Vec<(Mutant, Outcome)>,
    /// The files.
    pub sources: Vec<String>,
}

/// The word for what became of a mutant, who says so, and the reason.
fn status(outcome: &Outcome) -> (&'static str, Option<&'static str>, Option<&str>) {
    let by = |by: &By| match by {
        By::DAlgorithm => "d-algorithm",
        By::Whole => "whole-method",
    };
    match outcome {
        Outcome::Noticed => ("noticed", None, None),
        Outcome::Alive(Known::Equivalent(who, Scope::Always)) => ("equivalent", Some(by(who)), None),
        Outcome::Alive(Known::Equivalent(who, Scope::WithinBounds)) => {
            ("equivalent-within-bounds", Some(by(who)), None)
        }
        Outcome::Alive(Known::Undecided(why)) => ("undecided", None, Some(why)),
        Outcome::Alive(Known::Refused(why)) => ("refused", None, Some(why)),
        Outcome::Alive(Known::Expected(who)) => {
            ("undecided", Some(by(who)), Some("arguments were found, and no test with them noticed it"))
        }
        Outcome::NotTried(why) => ("not-tried", None, Some(why)),
    }
}

#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    method: &'a str,
    descriptor: &'a str,
    line: u16,
    operator: &'static str,
    description: &'a str,
    status: &'static str,
    by: Option<&'static str>,
    reason: Option<&'a str>,
}

#[derive(Serialize)]
struct Totals {
    mutants: usize,
    noticed: usize,
    equivalent: usize,
    score: f64,
    statuses: BTreeMap<&'static str, usize>,
}

impl Report {
    fn totals(&self) -> Totals {
        let mut statuses: BTreeMap<&'static str, usize> = BTreeMap::new();
        for (_, outcome) in &self.outcomes {
            *statuses.entry(status(outcome).0).or_default() += 1;
        }
        let count = |name: &str| statuses.get(name).copied().unwrap_or_default();
        let (mutants, noticed) = (self.outcomes.len(), count("noticed"));
        let equivalent = count("equivalent") + count("equivalent-within-bounds");
        let others = mutants - equivalent;
        let score = (noticed * 1000).checked_div(others).map_or(100.0, |tenths| tenths as f64 / 10.0);
        Totals { mutants, noticed, equivalent, score, statuses }
    }

    /// To be read.
    pub fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let totals = self.totals();
        let count = |name: &str| totals.statuses.get(name).copied().unwrap_or_default();
        let within = count("equivalent-within-bounds");
        writeln!(
            out,
            "score {}%: {} tests notice {} of {} mutants that are not equivalent",
            totals.score,
            self.kept,
            totals.noticed,
            totals.mutants - totals.equivalent
        )?;
        writeln!(
            out,
            "  {} mutants; {} equivalent, as the solver says, {within} of them within bounds; {} undecided; {} refused; {} not tried",
            totals.mutants,
            totals.equivalent,
            count("undecided"),
            count("refused"),
            count("not-tried")
        )?;
        writeln!(
            out,
            "  {} random and {} solved tests noticed a mutant first; {} queries",
            self.by_chance, self.solved, self.asked
        )?;
        if self.dropped > 0 {
            writeln!(
                out,
                "  {} calls made no test: they do not end, end with an error of the JVM, or cannot be repeated",
                self.dropped
            )?;
        }
        if let Err(why) = &self.solver {
            writeln!(
                out,
                "without a solver ({why}) mutants that random calls do not notice are not tried; name one with --solver"
            )?;
        }
        for (method, why) in &self.refused {
            writeln!(out, "not tested: {method}: {why}")?;
        }
        self.alive(out)?;
        self.sources.iter().try_for_each(|path| writeln!(out, "wrote {path}"))
    }

    /// The mutants that nobody notices and nobody calls equivalent.
    fn alive(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut lines = vec![];
        for (mutant, outcome) in &self.outcomes {
            if let (name @ ("undecided" | "refused" | "not-tried"), _, why) = status(outcome) {
                let why = why.unwrap_or_default();
                let text = format!(
                    "{}: {} ({}) {name}: {why}",
                    mutant.method,
                    mutant.description,
                    mutant.operator.name()
                );
                lines.push((mutant.line, text));
            }
        }
        lines.sort();
        if !lines.is_empty() {
            writeln!(out, "\nMutants that no test notices and that are not known to be equivalent, by line")?;
        }
        lines.into_iter().try_for_each(|(line, text)| writeln!(out, "  {line:5}  {text}"))
    }

    /// For tools.
    pub fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{{\"format\": \"dynaflow-atg\", \"version\": 1,")?;
        writeln!(out, "\"class\": {}, \"seed\": {},", text(&self.class)?, self.seed)?;
        writeln!(out, "\"totals\": {},", text(&self.totals())?)?;
        writeln!(
            out,
            "\"tests\": {{\"by_chance\": {}, \"solved\": {}, \"written\": {}, \"dropped\": {}}},",
            self.by_chance, self.solved, self.kept, self.dropped
        )?;
        writeln!(out, "\"solver\": {}, \"queries\": {},", text(&self.solver.as_ref().ok())?, self.asked)?;
        writeln!(out, "\"refused\": {},\n\"sources\": {},", text(&self.refused)?, text(&self.sources)?)?;
        write!(out, "\"mutants\": [")?;
        for (place, (mutant, outcome)) in self.outcomes.iter().enumerate() {
            let (name, by, reason) = status(outcome);
            let line = Line {
                id: &mutant.id,
                method: &mutant.method,
                descriptor: &mutant.descriptor,
                line: mutant.line,
                operator: mutant.operator.name(),
                description: &mutant.description,
                status: name,
                by,
                reason,
            };
            write!(out, "{}\n{}", if place == 0 { "" } else { "," }, text(&line)?)?;
        }
        writeln!(out, "]}}")
    }
}
