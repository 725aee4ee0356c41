//! The options of `dynaflow report`. Knows nothing of how they are carried out. Invariant: whatever parses names a result to make.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

const HELP: &str = "\
Examples:
  Record, then look: open data-flow/index.html in a browser
    dynaflow run --include 'org.example.**' -- java -cp classes:tests:junit.jar org.junit.runner.JUnitCore org.example.AllTests
    dynaflow report dynaflow-traces --html data-flow

  Where sources are not in src/main/java and src/test/java, here or in the folders of modules:
    dynaflow report dynaflow-traces --html data-flow --source-path core/source --source-path build/generated

  What an augmentation reached: pages of the pairs it wrote with --json
    dynaflow report pairs.json --html data-flow

  In a pipeline: a comment for the pull request
    dynaflow report dynaflow-traces --format markdown -o comment.md

  What fails in the program, for code scanning (GitHub: upload-sarif) and for the list of tests (GitLab, Jenkins), made in the root of the repository
    dynaflow augment --budget 5m --json pairs.json
    dynaflow report pairs.json --format sarif -o dynaflow.sarif
    dynaflow report pairs.json --format junit -o dynaflow-findings.xml

  Lines whose data flow is executed, for what draws coverage beside code
    dynaflow report dynaflow-traces --format lcov -o data-flow.info
    genhtml data-flow.info -o lines

The pages need no server and no network. A folder that has other files keeps them; files that an earlier report wrote are replaced. See docs/report.md.";

/// `dynaflow report`.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct ReportArgs {
    /// Trace files, and folders that are searched for *.trace; or one document of `dynaflow export` or `augment --json`
    #[arg(required = true, value_name = "TRACE")]
    pub traces: Vec<PathBuf>,
    /// Folder for the pages; made if missing
    #[arg(long, value_name = "DIR", required_unless_present = "format")]
    pub html: Option<PathBuf>,
    /// Folder that holds sources by package; may be repeated [default: src/main/java, src/test/java and those of Kotlin, Scala and Groovy, here and in folders of modules]
    #[arg(long, value_name = "P")]
    pub source_path: Vec<PathBuf>,
    /// Another form of the report
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// The file for --format [default: standard output]
    #[arg(short, long, value_name = "FILE", requires = "format")]
    pub output: Option<PathBuf>,
}

/// Forms of `dynaflow report` besides its pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For a comment of a pull request: totals, the ten classes with most open objectives, examples in words
    Markdown,
    /// SARIF 2.1.0, for code scanning and editors: the findings of a document of `augment --json`, at the lines that fail
    Sarif,
    /// JUnit XML, for the list of tests of a build: the same findings, faults as failures, suspicious ones as skipped
    Junit,
    /// LCOV, for what draws coverage: the lines that pairs begin and end on, executed or not
    Lcov,
}
