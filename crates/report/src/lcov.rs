//! What tests execute of the data flow as LCOV, by lines: for what draws coverage beside code.
//!
//! Knows nothing of single pairs. Invariants: a line has a record if and only if a pair begins or ends on it, executed or open, and the source has
//! that line; its count is how many executed pairs begin on it and how many end on it, together.

use crate::listing::Source;
use crate::made::Made;
use crate::pages::{Line, Page, Pages};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A record for each source file that was found; classes in one file have one.
pub fn lcov(pages: &Pages<'_>, source: impl Fn(&str) -> Option<Source>) -> Made {
    let mut made = Made::default();
    let mut files: BTreeMap<String, BTreeMap<u32, usize>> = BTreeMap::new();
    for page in pages.by_class.values() {
        let counts = counts(page);
        let Some(source) = source(page.class) else {
            if !counts.is_empty() {
                made.without_source.insert(page.class.to_owned());
            }
            continue;
        };
        let lines = source.text.lines().count();
        for (line, count) in counts {
            if line == 0 || line as usize > lines {
                made.beyond += 1;
                continue;
            }
            *files.entry(source.path.clone()).or_default().entry(line).or_default() += count;
        }
    }
    for (path, lines) in &files {
        write_file(&mut made.text, path, lines);
    }
    made.files = files.len();
    made
}

/// How many executed pairs begin or end on each line; lines of no pair are left out.
fn counts(page: &Page<'_>) -> BTreeMap<u32, usize> {
    let sides = |line: &Line| [line.defined, line.used].into_iter().flatten();
    let lines = page.lines().into_iter();
    let paired = lines.filter(|(_, line)| sides(line).any(|count| count.total() > 0));
    paired.map(|(number, line)| (number, sides(&line).map(|count| count.covered).sum())).collect()
}

fn write_file(out: &mut String, path: &str, lines: &BTreeMap<u32, usize>) {
    // A path with a line break would be two records.
    let path: String = path.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    writeln!(out, "TN:\nSF:{path}").ok();
    for (line, count) in lines {
        writeln!(out, "DA:{line},{count}").ok();
    }
    let hit = lines.values().filter(|count| **count > 0).count();
    writeln!(out, "LF:{}\nLH:{hit}\nend_of_record", lines.len()).ok();
}
