//! The tasks to be read. Knows nothing of how they were found. Invariant: what a list leaves out is counted.

use super::document::{Document, HalfText, TaskText};
use super::sources::Excerpt;
use std::io::{self, Write};

/// Most calls, and most tests, that a task lists; the JSON has all.
const LISTED: usize = 4;

/// Writes the document.
///
/// # Errors
/// Those of the writer.
pub fn write(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    let Document { all_tasks, infeasible, objectives, tasks, since, .. } = document;
    match (since, infeasible) {
        (_, Some(infeasible)) if *all_tasks == 0 => {
            return writeln!(
                out,
                "# No open objective that can be executed\n\n{infeasible} cannot be: what the definition assigns keeps execution from the use."
            );
        }
        (None, _) if *all_tasks == 0 => {
            return writeln!(
                out,
                "# No open objective\n\nThe tests execute every pair that they let expect."
            );
        }
        (Some(since), _) if *all_tasks == 0 => {
            return writeln!(
                out,
                "# No open objective in what changed\n\nOf the classes that changed since {since}, the tests execute every pair that they let expect."
            );
        }
        _ => {}
    }
    writeln!(
        out,
        "# {} of {}\n\nThey cover {} of {objectives} open objectives: def-use pairs that the tests let expect and never execute.",
        counted(tasks.len(), "task"),
        all_tasks,
        tasks.iter().map(|task| task.objectives.len()).sum::<usize>(),
    )?;
    if let Some(infeasible) = infeasible {
        writeln!(
            out,
            "{infeasible} more cannot be executed: what the definition assigns keeps execution from the use."
        )?;
    }
    if let Some(since) = since {
        writeln!(out, "Each has to do with a class that changed since {since}.")?;
    }
    if tasks.len() < *all_tasks {
        writeln!(out, "`--limit {all_tasks}` shows all tasks.")?;
    }
    tasks.iter().try_for_each(|task| self::task(task, out))
}

fn task(task: &TaskText, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n## {}. {}\n", task.number, task.summary)?;
    match task.covered {
        0 => writeln!(out, "No test does that.\n")?,
        n => writeln!(out, "Tests do that in other calls ({n} covered), and never in these.\n")?,
    }
    half(&task.definition, "Definition", out)?;
    half(&task.usage, "Use", out)?;
    writeln!(out, "What must hold:\n")?;
    task.holds.iter().try_for_each(|what| writeln!(out, "- {what}"))?;
    writeln!(out, "\nStart from:\n")?;
    start(&task.definition, "leaving the definition, to which the use is added", out)?;
    start(&task.usage, "with the use, in front of which the definition is put", out)?;
    let done = match task.objectives.as_slice() {
        [only] => format!("objective {only}"),
        [first, rest @ ..] => {
            format!("at least one of {} objectives, such as {first}", rest.len() + 1)
        }
        [] => String::new(),
    };
    writeln!(
        out,
        "\nDone when the test asserts what the use gives, and `dynaflow review --format json` has {done} among what the test adds."
    )
}

fn half(half: &HalfText, what: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{what} in `{}` ({}), seen through:\n", half.method_in_words, half.place())?;
    for calls in half.calls.iter().take(LISTED) {
        writeln!(out, "- `{calls}`")?;
    }
    more(half.calls.len(), "way", out)?;
    if let Some(source) = &half.source {
        excerpt(source, half.line as usize, out)?;
    }
    writeln!(out)
}

fn excerpt(source: &Excerpt, line: usize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n```java")?;
    let width = (source.first + source.lines.len()).to_string().len();
    for (number, text) in (source.first..).zip(&source.lines) {
        let mark = if number == line { ">" } else { " " };
        writeln!(out, "{}", format!("{mark} {number:width$}  {text}").trim_end())?;
    }
    writeln!(out, "```")
}

fn start(half: &HalfText, how: &str, out: &mut dyn Write) -> io::Result<()> {
    match half.tests.as_slice() {
        [] => {
            writeln!(out, "- a new test: none is known by name {}", how.split(',').next().unwrap_or_default())
        }
        tests => {
            let some: Vec<String> = tests.iter().take(LISTED).map(|test| format!("`{test}`")).collect();
            let rest = tests.len().saturating_sub(LISTED);
            let rest = if rest > 0 { format!(" (and {rest} more)") } else { String::new() };
            writeln!(out, "- {}{rest}, {how}", some.join(", "))
        }
    }
}

fn more(all: usize, what: &str, out: &mut dyn Write) -> io::Result<()> {
    match all.saturating_sub(LISTED) {
        0 => Ok(()),
        rest => writeln!(out, "- and {} more", counted(rest, what)),
    }
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(all_tasks: usize, infeasible: Option<usize>) -> String {
        let document = Document {
            all_tasks,
            format: "dynaflow-tasks",
            infeasible,
            objectives: 2,
            since: None,
            tasks: vec![],
            version: 1,
        };
        let mut text = vec![];
        write(&document, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn objectives_that_nothing_executes_are_counted_where_there_are_some() {
        let line = "\n3 more cannot be executed: what the definition assigns keeps execution from the use.\n";
        assert!(written(1, Some(3)).contains(line));
        assert!(!written(1, None).contains("cannot be executed"));
        let none_left = written(0, Some(3));
        assert!(none_left.contains("3 cannot be: ") && !none_left.contains("execute every pair"));
        assert!(written(0, None).contains("execute every pair"));
    }
}
