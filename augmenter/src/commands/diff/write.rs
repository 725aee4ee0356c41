//! A difference in words, as Markdown, or as JSON. Knows nothing of how it was found. Invariant: every pair of it is counted in the words and written in the JSON.

use super::compare::{Difference, Moved};
use super::lines;
use super::options::Format;
use dynaflow_objectives::PairText;
use serde::Serialize;
use std::io::{self, Write};

/// The JSON.
#[derive(Serialize)]
struct Document<'a> {
    /// Always `dynaflow-diff`.
    format: &'static str,
    gained: &'a [&'a PairText],
    /// Pairs covered before of classes that are not there any more.
    gone: usize,
    lost: &'a [&'a PairText],
    moved: Ways<'a>,
    moved_open: Ways<'a>,
    open: &'a [&'a PairText],
    version: u32,
}

/// Pairs between the same calls before and after the change.
#[derive(Serialize)]
struct Ways<'a> {
    before: &'a [&'a PairText],
    now: &'a [&'a PairText],
}

impl<'a> Ways<'a> {
    fn of(moved: &'a Moved<'a>) -> Self {
        Self { before: &moved.before, now: &moved.now }
    }
}

/// What stands before and behind the head of a list, and before each line of it; and the same of a list that nobody has to read, with what ends it.
struct Marks {
    before: &'static str,
    behind: &'static str,
    each: &'static str,
    folded: [&'static str; 3],
}

const TEXT: Marks = Marks { before: "", behind: ":", each: "  ", folded: ["", ":", ""] };
const MARKDOWN: Marks = Marks {
    before: "### ",
    behind: "\n",
    each: "- ",
    folded: ["<details><summary>", "</summary>\n", "\n</details>\n"],
};

/// Writes it.
///
/// # Errors
/// When writing fails.
pub fn write(format: Format, difference: &Difference, out: &mut dyn Write) -> io::Result<()> {
    let Difference { lost, gained, open, moved, moved_open, gone } = difference;
    match format {
        Format::Json => {
            let (moved, moved_open) = (Ways::of(moved), Ways::of(moved_open));
            let gone = *gone;
            let document =
                Document { format: "dynaflow-diff", gained, gone, lost, moved, moved_open, open, version: 1 };
            serde_json::to_writer_pretty(&mut *out, &document)?;
            writeln!(out)
        }
        Format::Text => write_lists(difference, &TEXT, out),
        Format::Markdown => write_lists(difference, &MARKDOWN, out),
    }
}

fn counted(pairs: usize) -> String {
    match pairs {
        0 => "no pair".to_owned(),
        1 => "1 pair".to_owned(),
        n => format!("{n} pairs"),
    }
}

/// The lists; those of what moved only where there is something.
fn write_lists(difference: &Difference, marks: &Marks, out: &mut dyn Write) -> io::Result<()> {
    let Difference { lost, gained, open, moved, moved_open, gone } = difference;
    let lists = [
        ("lost: executed before and not now", lost),
        ("gained: executed now and not before", gained),
        ("open: new objectives that no test executes", open),
    ];
    let Marks { before, behind, each, .. } = marks;
    for (number, (what, pairs)) in lists.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        let behind = if pairs.is_empty() { "" } else { behind };
        writeln!(out, "{before}{} {what}{behind}", counted(pairs.len()))?;
        for (title, group) in &lines::groups(pairs) {
            writeln!(out, "{each}{}", lines::one_side(title, group))?;
        }
    }
    write_moved(("executed", moved), marks, out)?;
    write_moved(("open", moved_open), marks, out)?;
    if *gone > 0 {
        let are = if *gone == 1 { "is of a class that is" } else { "are of classes that are" };
        writeln!(out, "\n{} executed before {are} not there any more", counted(*gone))?;
    }
    Ok(())
}

/// What moved: nobody has to do anything about it, and it says where a change leads.
fn write_moved((how, moved): (&str, &Moved), marks: &Marks, out: &mut dyn Write) -> io::Result<()> {
    if moved.before.is_empty() {
        return Ok(());
    }
    let (each, [before, behind, end]) = (marks.each, marks.folded);
    let (pairs, now) = (counted(moved.before.len()), moved.now.len());
    writeln!(
        out,
        "\n{before}{pairs} moved, {now} now: {how} before and now between the same calls, and the code below these changed{behind}"
    )?;
    let now = lines::groups(&moved.now);
    for (title, group) in &lines::groups(&moved.before) {
        if let Some(now) = now.get(title) {
            writeln!(out, "{each}{}", lines::both_sides(title, group, now))?;
        }
    }
    write!(out, "{end}")
}
