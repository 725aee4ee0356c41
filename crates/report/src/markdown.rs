//! The report as a comment of a pull request: totals, the classes with most open objectives, and examples in words.
//!
//! Knows nothing of files. Invariant: the numbers are those of the pages; what is not listed is counted.

use crate::gather::{Root, Variable};
use crate::names::{counted, number};
use crate::overview::{Totals, by_open};
use crate::pages::{Page, Pages};
use dynaflow_model::facts::{Pair, Recording};
use dynaflow_objectives::sentence;
use std::collections::BTreeSet;
use std::io::{Result, Write};

/// How many classes are listed.
const CLASSES: usize = 10;
/// How many of them have an example.
const EXAMPLES: usize = 5;

/// Writes it.
///
/// # Errors
/// Those of the writer.
pub fn write(recording: &Recording, pages: &Pages<'_>, totals: Totals, out: &mut dyn Write) -> Result<()> {
    let count = totals.count;
    writeln!(
        out,
        "### Data flow: {} of {} executed, {} open\n",
        number(count.covered),
        counted(count.total(), "pair", "pairs"),
        number(count.open)
    )?;
    writeln!(
        out,
        "{} of {}, {}.\n",
        counted(totals.variables, "state variable", "state variables"),
        counted(totals.roots, "class", "classes"),
        counted(totals.tests, "test", "tests")
    )?;
    let open: Vec<&Page<'_>> = by_open(pages).into_iter().filter(|page| page.count().open > 0).collect();
    if open.is_empty() {
        return writeln!(out, "No objective is open.");
    }
    writeln!(out, "| class | executed | open |\n|---|---:|---:|")?;
    for page in open.iter().take(CLASSES) {
        let count = page.count();
        writeln!(out, "| {} | {} | {} |", code(page.class), number(count.covered), number(count.open))?;
    }
    if let Some(more) = open.len().checked_sub(CLASSES).filter(|more| *more > 0) {
        writeln!(
            out,
            "\n{} more {} open objectives.",
            counted(more, "class", "classes"),
            if more == 1 { "has" } else { "have" }
        )?;
    }
    writeln!(out, "\nOf the open objectives, one of each of the first classes:\n")?;
    for page in open.iter().take(EXAMPLES) {
        if let Some(pair) = page.roots.iter().find_map(|root| example(root)) {
            writeln!(out, "- {}", code(&sentence(&recording.facts, &pair)))?;
        }
    }
    Ok(())
}

/// The first open objective of a root, of the first variable that has one.
fn example(root: &Root<'_>) -> Option<Pair> {
    root.variables.iter().find_map(first_open)
}

fn first_open(variable: &Variable) -> Option<Pair> {
    let covered: BTreeSet<(usize, usize)> =
        variable.covered.iter().map(|pair| (pair.definition, pair.usage)).collect();
    let definitions = || variable.definitions.iter().enumerate().filter(|(_, half)| half.open);
    for (d, definition) in definitions() {
        for (u, usage) in variable.uses.iter().enumerate().filter(|(_, half)| half.open) {
            if !covered.contains(&(d, u)) {
                return Some(Pair { variable: variable.id, definition: definition.id, usage: usage.id });
            }
        }
    }
    None
}

/// Text between backquotes, which Markdown does not look into; more of them than stand in it.
fn code(text: &str) -> String {
    let text: String =
        text.chars().map(|c| if c.is_control() || c == '|' { '\u{fffd}' } else { c }).collect();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn a_name_cannot_end_its_code_or_its_cell() {
        assert_eq!(code("a.B"), "`a.B`");
        assert_eq!(code("a`|``<b>\n"), "``` a`\u{fffd}``<b>\u{fffd} ```");
    }
}
