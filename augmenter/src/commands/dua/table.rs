//! The document as rows and as lines. Knows nothing of how associations are found.
//!
//! Invariant: a CSV row has as many fields as the header, whatever names contain.

use super::document::{Document, DuaText, MethodText, UseText};
use crate::output::csv_field;
use std::collections::BTreeSet;
use std::io::{self, Write};

/// The header of the CSV.
const COLUMNS: &str = "class,method,id,kind,variable,def,use,def_line,use_line,covered,unconstrained";

/// A row for each association.
pub fn csv(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{COLUMNS}")?;
    for method in &document.methods {
        let unconstrained = unconstrained(method);
        for dua in &method.duas {
            let free = unconstrained.as_ref().map(|ids| ids.contains(dua.id.as_str()));
            writeln!(
                out,
                "{},{},{},{},{},{},{},{},{},{},{}",
                csv_field(&method.class),
                csv_field(&method.method),
                dua.id,
                dua.kind,
                csv_field(&dua.variable),
                dua.def,
                csv_field(&usage(dua.usage)),
                number(dua.lines.def),
                number(dua.lines.usage),
                word(dua.covered),
                word(free)
            )?;
        }
    }
    for class in &document.inter {
        for dua in &class.duas {
            let place = |method: &str, at: String| csv_field(&format!("{method}:{at}"));
            writeln!(
                out,
                "{},,{},{},{},{},{},{},{},{},",
                csv_field(&class.class),
                dua.id,
                dua.kind,
                csv_field(&dua.variable),
                place(&dua.def.method, dua.def.at.to_string()),
                place(&dua.usage.method, usage(dua.usage.at)),
                number(dua.def.line),
                number(dua.usage.line),
                word(dua.covered)
            )?;
        }
    }
    Ok(())
}

/// Lines to read: each method with associations, and the sums.
pub fn text(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    for method in document.methods.iter().filter(|method| !method.duas.is_empty()) {
        writeln!(out, "{}.{}", method.class, method.method)?;
        let unconstrained = unconstrained(method).unwrap_or_default();
        for dua in &method.duas {
            let mark = if unconstrained.contains(dua.id.as_str()) { '*' } else { ' ' };
            writeln!(
                out,
                "  {mark} ({}, {}, {}){}  {}",
                dua.def,
                usage(dua.usage),
                dua.variable,
                lines(dua),
                dua.id
            )?;
        }
    }
    for class in &document.inter {
        writeln!(out, "{}, between methods", class.class)?;
        for dua in &class.duas {
            let (from, to) = (&dua.def, &dua.usage);
            let call = if dua.modifier { " by a call" } else { "" };
            writeln!(
                out,
                "    ({} {}{call}, {} {}, {})  {}  {}",
                from.method,
                from.at,
                to.method,
                usage(to.at),
                dua.variable,
                dua.kind,
                dua.id
            )?;
        }
    }
    let totals = document.totals;
    write!(out, "{} methods, {} associations", totals.methods, totals.duas)?;
    if let (Some(classes), Some(unconstrained)) = (totals.classes, totals.unconstrained) {
        write!(
            out,
            ", {classes} classes of those that imply one another, {unconstrained} unconstrained (*)"
        )?;
    }
    if let Some(inter) = totals.inter {
        write!(out, "; {inter} associations between methods")?;
    }
    writeln!(out)
}

/// The associations of the classes that no other implies, when that is known.
fn unconstrained(method: &MethodText) -> Option<BTreeSet<&str>> {
    let subsumption = method.subsumption.as_ref()?;
    let classes =
        subsumption.unconstrained.iter().filter_map(|class| subsumption.classes.get(*class as usize));
    Some(classes.flatten().map(String::as_str).collect())
}

fn usage(usage: UseText) -> String {
    match usage {
        UseText::Node(node) => node.to_string(),
        UseText::Edge([from, to]) => format!("({from},{to})"),
    }
}

fn lines(dua: &DuaText) -> String {
    match (dua.lines.def, dua.lines.usage) {
        (Some(definition), Some(usage)) => format!(" line {definition} to {usage}"),
        _ => String::new(),
    }
}

fn number(value: Option<u32>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn word(value: Option<bool>) -> &'static str {
    value.map_or("", |value| if value { "true" } else { "false" })
}
