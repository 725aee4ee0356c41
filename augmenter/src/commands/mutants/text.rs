//! An analysis to be read: the score, a row for each class, the mutants that no test notices by line. Knows nothing of how they were run.
//!
//! Invariant: lines come in the order of classes and lines.

use super::score::Score;
use crate::mutation::{AnalysedClass, AnalysedMutant, Analysis, Status};
use std::io::{self, Write};

/// Writes it.
pub fn write(analysis: &Analysis, out: &mut dyn Write) -> io::Result<()> {
    let score = Score::of(analysis.mutants());
    let (all, covered) = (score.all(), score.covered());
    writeln!(out, "score {}%: tests notice {} of {all} mutants", score.percent(), score.detected())?;
    writeln!(out, "strength {}%: of {covered} that they reach", score.strength())?;
    for (status, what) in [
        (Status::TimedOut, "noticed as a test ran too long"),
        (Status::MemoryError, "noticed as a test used up the memory"),
        (Status::RunError, "noticed as a test ended the JVM"),
        (Status::NotStarted, "not run: interrupted"),
    ] {
        if score.count(status) > 0 {
            writeln!(out, "  {} {what}", score.count(status))?;
        }
    }
    classes(analysis, out)?;
    list(analysis, Status::Survived, "Mutants that survive, by line", out)?;
    list(analysis, Status::NoCoverage, "Mutants that no test reaches, by line", out)
}

fn classes(analysis: &Analysis, out: &mut dyn Write) -> io::Result<()> {
    let width = analysis.classes.iter().map(|class| class.name.chars().count()).max().unwrap_or_default();
    writeln!(out, "\n{:width$}  mutants  noticed  survive  unreached  score", "class")?;
    for class in &analysis.classes {
        let score = Score::of(&class.mutants);
        writeln!(
            out,
            "{:width$}  {:7}  {:7}  {:7}  {:9}  {:4.0}%",
            class.name,
            score.all(),
            score.detected(),
            score.count(Status::Survived),
            score.count(Status::NoCoverage),
            score.percent()
        )?;
    }
    Ok(())
}

fn list(analysis: &Analysis, status: Status, title: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut is_first = true;
    for class in &analysis.classes {
        let mut mutants: Vec<&AnalysedMutant> =
            class.mutants.iter().filter(|mutant| mutant.judged.status == status).collect();
        mutants.sort_by_key(|mutant| mutant.mutant.line);
        if mutants.is_empty() {
            continue;
        }
        if std::mem::take(&mut is_first) {
            writeln!(out, "\n{title}")?;
        }
        writeln!(out, "{}", heading(class))?;
        for mutant in mutants {
            line(mutant, out)?;
        }
    }
    Ok(())
}

fn heading(class: &AnalysedClass) -> String {
    match &class.source_file {
        Some(file) => format!("{} ({file})", class.name),
        None => class.name.clone(),
    }
}

fn line(analysed: &AnalysedMutant, out: &mut dyn Write) -> io::Result<()> {
    let mutant = &analysed.mutant;
    let tests = match analysed.covering.len() {
        0 => String::new(),
        1 => ", 1 test ran".to_owned(),
        count => format!(", {count} tests ran"),
    };
    writeln!(
        out,
        "  {:5}  {}: {} ({}{tests})",
        mutant.line,
        mutant.method,
        mutant.description,
        mutant.operator.name()
    )
}
