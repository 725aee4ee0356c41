//! A difference in words, as Markdown, or as JSON. Knows nothing of how it was found. Invariant: every pair of it is written.

use super::compare::Difference;
use super::options::Format;
use dynaflow_objectives::{PairText, simple};
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
    open: &'a [&'a PairText],
    version: u32,
}

/// Writes it.
///
/// # Errors
/// When writing fails.
pub fn write(format: Format, difference: &Difference, out: &mut dyn Write) -> io::Result<()> {
    let Difference { lost, gained, open, gone } = difference;
    match format {
        Format::Json => {
            let document = Document { format: "dynaflow-diff", gained, gone: *gone, lost, open, version: 1 };
            serde_json::to_writer_pretty(&mut *out, &document)?;
            writeln!(out)
        }
        Format::Text => write_lists(difference, ("", ":", "  "), out),
        Format::Markdown => write_lists(difference, ("### ", "\n", "- "), out),
    }
}

/// The lists, with what stands before and behind their heads and before each pair.
fn write_lists(
    difference: &Difference,
    (before, behind, each): (&str, &str, &str),
    out: &mut dyn Write,
) -> io::Result<()> {
    let Difference { lost, gained, open, gone } = difference;
    let lists = [
        ("lost: executed before and not now", lost),
        ("gained: executed now and not before", gained),
        ("open: new objectives that no test executes", open),
    ];
    for (number, (what, pairs)) in lists.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        let count = match pairs.len() {
            0 => "no pair".to_owned(),
            1 => "1 pair".to_owned(),
            n => format!("{n} pairs"),
        };
        writeln!(out, "{before}{count} {what}{}", if pairs.is_empty() { "" } else { behind })?;
        for pair in *pairs {
            writeln!(out, "{each}{}", line(pair))?;
        }
    }
    if *gone > 0 {
        writeln!(out, "\n{gone} pairs executed before are of classes that are not there any more")?;
    }
    Ok(())
}

/// `Stack.top: push() (line 12) -> pop() (line 20), by StackTest#pops and 2 more`.
fn line(pair: &PairText) -> String {
    let root = simple(&pair.root);
    let place = |class: &str, line: u32| match (simple(class) == root, line) {
        (_, 0) => String::new(),
        (true, line) => format!(" (line {line})"),
        (false, line) => format!(" ({} line {line})", simple(class)),
    };
    let (definition, usage) = (&pair.definition, &pair.usage);
    let writer = call(definition.context.first(), &definition.class, &definition.method);
    let reader = call(usage.context.first(), &usage.class, &usage.method);
    let tests = match pair.tests.as_slice() {
        [] => String::new(),
        [only] => format!(", by {only}"),
        [first, rest @ ..] => format!(", by {first} and {} more", rest.len()),
    };
    format!(
        "{root}.{}: {writer}{} -> {reader}{}{tests}",
        pair.variable,
        place(&definition.class, definition.line),
        place(&usage.class, usage.line)
    )
}

/// The call on the root below which a place lies: `push()`, `new Stack()`.
fn call(frame: Option<&String>, class: &str, method: &str) -> String {
    let whole = frame.map_or_else(|| format!("{class}.{method}"), Clone::clone);
    let name = whole.split('(').next().unwrap_or_default();
    let (class, name) = name.rsplit_once('.').unwrap_or(("", name));
    match name {
        "<init>" => format!("new {}()", simple(class)),
        "<clinit>" => format!("the initialiser of {}", simple(class)),
        name => format!("{name}()"),
    }
}
