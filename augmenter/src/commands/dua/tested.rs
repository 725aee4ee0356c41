//! What recorded runs cover, as lines: class by class and method by method, with what to test next. Knows nothing of how that is known.
//!
//! Invariant: of the associations that no other implies, each one known not to be covered is named, in its class of those that imply
//! one another.

use super::document::{Document, DuaText, MethodText, UseText};
use std::io::{self, Write};

/// Counts of associations.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    covered: usize,
    known: usize,
    all: usize,
}

/// Lines to read, and the sums.
pub fn text(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    for methods in document.methods.chunk_by(|a, b| a.class == b.class) {
        let counts = methods.iter().map(Counts::of).fold(Counts::default(), Counts::and);
        let Some(first) = methods.first().filter(|_| counts.all > 0) else { continue };
        writeln!(out, "{}: {counts}", first.class)?;
        for method in methods.iter().filter(|method| !method.duas.is_empty()) {
            writeln!(out, "  {}: {}", method.method, Counts::of(method))?;
            open(method, out)?;
        }
    }
    totals(document, out)
}

/// What to test next of a method.
fn open(method: &MethodText, out: &mut dyn Write) -> io::Result<()> {
    for class in method.unconstrained() {
        let mut members = class.open();
        let Some(first) = members.next() else { continue };
        let more = match members.count() {
            0 => String::new(),
            more => format!(", and {more} with it"),
        };
        writeln!(out, "    * {}{more}", association(first))?;
    }
    Ok(())
}

fn association(dua: &DuaText) -> String {
    let usage = match dua.usage {
        UseText::Node(node) => node.to_string(),
        UseText::Edge([from, to]) => format!("({from},{to})"),
    };
    let lines = match (dua.lines.def, dua.lines.usage) {
        (Some(definition), Some(usage)) => format!(", line {definition} to {usage}"),
        _ => String::new(),
    };
    format!("{}: ({}, {usage}){lines}  {}", dua.variable, dua.def, dua.id)
}

fn totals(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    let all = document.methods.iter().map(Counts::of).fold(Counts::default(), Counts::and);
    let totals = document.totals;
    write!(out, "{all} in {} methods", totals.methods)?;
    if let (Some(covered), Some(unconstrained)) = (totals.unconstrained_covered, totals.unconstrained) {
        write!(out, "; {covered} of {unconstrained} unconstrained classes covered (* one that is not)")?;
    }
    writeln!(out)
}

impl Counts {
    fn of(method: &MethodText) -> Self {
        let count = |answer: fn(&DuaText) -> bool| method.duas.iter().filter(|dua| answer(dua)).count();
        Self {
            covered: count(|dua| dua.covered == Some(true)),
            known: count(|dua| dua.covered.is_some()),
            all: method.duas.len(),
        }
    }

    fn and(self, other: Self) -> Self {
        Self {
            covered: self.covered + other.covered,
            known: self.known + other.known,
            all: self.all + other.all,
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.known == 0 && self.all > 0 {
            return write!(f, "{} associations, not known whether covered", self.all);
        }
        let tenths = (1000 * self.covered + self.known / 2) / self.known.max(1);
        write!(
            f,
            "{} of {} associations covered ({}.{} %)",
            self.covered,
            self.known,
            tenths / 10,
            tenths % 10
        )?;
        match self.all - self.known {
            0 => Ok(()),
            more => write!(f, ", of {more} not known"),
        }
    }
}
