//! The reports that other tools read: writes them, and says what they cannot show and why.
//!
//! Knows nothing of what is in them. Invariants: paths of sources are relative to the working folder where they are below it; a report without
//! findings is written all the same, so that what reads it sees that nothing is wrong any more.

use super::options::Format;
use super::sources::Sources;
use crate::output::{self, warning};
use anyhow::{Context, Result, bail};
use dynaflow_model::facts::Recording;
use dynaflow_objectives::FindingText;
use dynaflow_report::{Made, Source};
use std::path::Path;

/// How many classes without a source are named.
const NAMED: usize = 3;

/// What there is to report.
#[derive(Debug)]
pub struct Input {
    /// The facts.
    pub recording: Recording,
    /// The findings; or why there cannot be any.
    pub findings: Result<Vec<FindingText>, &'static str>,
    /// What is read, as users named it.
    pub shown: String,
}

/// Why traces have no findings.
pub const OF_TRACES: &str = "traces have none; give the document of `dynaflow augment --json`";
/// Why a document of `export` has none.
pub const OF_EXPORT: &str =
    "it is a document of `dynaflow export`; only one of `dynaflow augment --json` has any";
/// Why a document of before has none.
pub const OF_OLDER: &str = "an older dynaflow wrote it, and noted none; run `dynaflow augment --json` again";

/// Writes a report.
///
/// # Errors
/// When it cannot be written, or no source is found that LCOV could be about.
pub fn write(format: Format, input: &Input, sources: &Sources, to: Option<&Path>) -> Result<()> {
    let here = std::env::current_dir().context("the working folder is gone")?;
    let source = |class: &str| Some(from(&here, sources.find(class)?));
    let made = match format {
        Format::Markdown => {
            return output::result(to, |out| dynaflow_report::write_markdown(&input.recording, out));
        }
        Format::Lcov => dynaflow_report::lcov(&input.recording, source),
        Format::Sarif => dynaflow_report::sarif(findings(input), source),
        Format::Junit => dynaflow_report::junit(findings(input), source),
    };
    if format == Format::Lcov && made.files == 0 && !made.without_source.is_empty() {
        bail!(
            "--format lcov: no source was found for any of {} classes ({}), and LCOV is about source files; name the folders that hold their packages with --source-path",
            made.without_source.len(),
            named(&made)
        );
    }
    say(format, &made);
    output::result(to, |out| out.write_all(made.text.as_bytes()))
}

/// The findings; says why there are none.
fn findings(input: &Input) -> &[FindingText] {
    let why = match &input.findings {
        Ok(findings) if !findings.is_empty() => return findings,
        Ok(_) => "the augmentation found none",
        Err(why) => why,
    };
    output::say(&format!("no findings in {}: {why}", input.shown));
    &[]
}

fn named(made: &Made) -> String {
    let classes: Vec<&str> = made.without_source.iter().map(String::as_str).collect();
    output::first(&classes, NAMED)
}

fn say(format: Format, made: &Made) {
    let without = made.without_source.len();
    if without > 0 {
        let what = match format {
            Format::Lcov => "whose lines are left out",
            Format::Junit => "whose lines are not shown",
            _ => "whose files are guessed by their packages",
        };
        warning(&format!(
            "no source was found for {without} {} ({}), {what}; name the folders that hold their packages with --source-path",
            if without == 1 { "class" } else { "classes" },
            named(made)
        ));
    }
    if made.beyond > 0 {
        warning(&format!(
            "{} lines are not in the sources, or not known, and left out: the sources are not those that were compiled",
            made.beyond
        ));
    }
}

/// A source by its path from the working folder, if it is below it.
fn from(here: &Path, source: Source) -> Source {
    let path = Path::new(&source.path);
    let path = path.strip_prefix(here).or_else(|_| path.strip_prefix(".")).unwrap_or(path);
    Source { path: path.display().to_string(), ..source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_below_the_working_folder_are_relative_to_it() {
        let path = |path: &str| {
            from(Path::new("/work/a"), Source { path: path.to_owned(), text: String::new() }).path
        };
        for (found, shown) in [
            ("/work/a/src/B.java", "src/B.java"),
            ("./src/B.java", "src/B.java"),
            ("src/B.java", "src/B.java"),
            ("/work/ab/B.java", "/work/ab/B.java"),
            ("../B.java", "../B.java"),
        ] {
            assert_eq!(path(found), shown);
        }
    }
}
