//! Golden files of commands: what a command printed is held against a file beside this one. Knows nothing of the commands.
//!
//! Invariant: ids of pairs, which depend on the compiler, are masked; `DYNAFLOW_BLESS=1` writes the files anew.

use std::fs;
use std::path::Path;

/// How many digits an id has.
const DIGITS: usize = 32;

/// Holds a text against the golden file with this name.
pub fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    let text = masked(text);
    if std::env::var_os("DYNAFLOW_BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == text, "{name}: DYNAFLOW_BLESS=1 writes it anew. Now:\n{text}");
}

/// The text with `<id>` for every word of 32 hexadecimal digits.
fn masked(text: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric();
    let is_id = |word: &str| {
        word.len() == DIGITS && word.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c))
    };
    let mut masked = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let (before, from) = rest.split_at(start);
        let (word, behind) = from.split_at(from.find(|c| !is_word(c)).unwrap_or(from.len()));
        masked.push_str(before);
        masked.push_str(if is_id(word) { "<id>" } else { word });
        rest = behind;
    }
    masked + rest
}
