//! The examples of docs/ci and docs/builds.md: each command of dynaflow in them is one that the command line takes.
//!
//! Knows nothing of YAML but that a command stands on a line, behind `run:`, a dash, or nothing. Invariant: no example is without commands.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

use clap::Parser;
use dynaflow_augmenter::cli::{Cli, Command};
use std::path::Path;

/// What the runners set, with an example of each.
const VARIABLES: &[(&str, &str)] = &[
    ("$GITHUB_BASE_REF", "main"),
    ("$RUNNER_TEMP", "/tmp"),
    ("$CI_MERGE_REQUEST_DIFF_BASE_SHA", "0123456789abcdef0123456789abcdef01234567"),
    ("$CI_NODE_INDEX", "2"),
    ("$CI_NODE_TOTAL", "3"),
];

fn text(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    std::fs::read_to_string(root.join(path)).unwrap()
}

/// The commands of dynaflow on lines of a text.
fn commands(text: &str) -> Vec<&str> {
    let command = |line| {
        let line: &str = str::trim(line);
        let line = line.strip_prefix("- ").unwrap_or(line);
        let line = line.strip_prefix("run: ").unwrap_or(line);
        line.starts_with("dynaflow ").then_some(line)
    };
    text.lines().filter_map(command).collect()
}

/// The words that a shell makes of a command without escapes.
fn words(command: &str) -> Vec<String> {
    let command = VARIABLES.iter().fold(command.to_owned(), |text, (name, value)| text.replace(name, value));
    let (mut words, mut word, mut quote) = (vec![], None::<String>, None);
    for c in command.chars() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

fn parsed(command: &str) -> Command {
    let words = words(command);
    assert!(!words.iter().any(|word| word.contains('$')), "a variable that no example stands for: {command}");
    Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{command}: {error}")).command
}

#[test]
fn the_jobs_run_commands_that_there_are_and_limit_both_to_the_change() {
    for path in ["docs/ci/github.yml", "docs/ci/gitlab.yml"] {
        let text = text(path);
        assert!(!text.contains('\t'), "{path}: YAML has no tabs");
        let (mut augment, mut tasks) = (0, 0);
        for command in commands(&text) {
            match parsed(command) {
                Command::Augment(options) => augment += usize::from(options.since.is_some()),
                Command::Tasks(args) => tasks += usize::from(args.since.is_some()),
                _ => {}
            }
        }
        assert_eq!((augment, tasks), (1, 1), "{path}");
    }
}

#[test]
fn the_page_on_builds_names_commands_that_there_are_and_both_jobs() {
    let text = text("docs/builds.md");
    let indented: Vec<&str> = text.lines().filter(|line| line.starts_with("    ")).collect();
    let indented = indented.join("\n");
    let all = commands(&indented);
    assert!(all.len() > 5, "{all:?}");
    for command in all {
        parsed(command.split("  #").next().unwrap());
    }
    assert!(text.contains("(ci/github.yml)") && text.contains("(ci/gitlab.yml)"));
}

#[test]
fn a_command_that_is_wrong_is_found() {
    let wrong = "      - dynaflow augment --sinse \"$GITHUB_BASE_REF\"";
    let [command] = commands(wrong)[..] else { panic!("it is no command") };
    assert_eq!(words(command), ["dynaflow", "augment", "--sinse", "main"]);
    assert!(Cli::try_parse_from(words(command)).is_err());
    assert_eq!(commands("  # dynaflow augment\n  name: dynaflow\n"), [""; 0]);
}
