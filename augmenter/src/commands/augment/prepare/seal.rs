//! The last line of a generated file, by which a later run knows that nobody edited it: a hash of all lines above.
//!
//! Knows nothing of tests. Invariant: any change of the lines above or of the hash breaks the seal, but for what formatters change: white space, where
//! lines of comments begin, the order of imports. How lines end does not count either, as version control may change that.

use dynaflow_testgen::unformatted;

/// How the line begins.
const SEAL: &str = "// dynaflow extends this file while this hash of it is right: ";

/// How many of its hexadecimal digits the line has: an edit is no attack, and formatters break lines of more than 80 characters.
const HASH: usize = 16;

/// The text with its seal.
pub fn sealed(text: &str) -> String {
    format!("{text}{SEAL}{}\n", hash(text))
}

/// The text without its seal, when that is whole.
pub fn opened(file: &str) -> Option<String> {
    let file = file.replace("\r\n", "\n");
    let (text, hashed) = file.rsplit_once(SEAL)?;
    (hashed.trim_end() == hash(text)).then(|| text.trim_end().to_owned() + "\n")
}

fn hash(text: &str) -> String {
    blake3::hash(unformatted(text).as_bytes()).to_hex().chars().take(HASH).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_is_broken_by_any_edit_and_not_by_line_ends_or_formatters() {
        let text = "class A {\n    int a;\n}\n";
        let file = sealed(text);
        assert_eq!(opened(&file).as_deref(), Some(text));
        assert_eq!(opened(&file.replace('\n', "\r\n")).as_deref(), Some(text));
        let formatted = file.replace("    int", "\tint").replace("{\n", "{\n\n").replace("//", "\n//");
        assert_eq!(opened(&formatted).as_deref(), Some("class A {\n\n\tint a;\n}\n"));
        for edited in [
            file.replace("int a", "int b"),
            file.replace("    int a;\n", ""),
            format!("{file}// mine\n"),
            text.to_owned(),
            String::new(),
        ] {
            assert_eq!(opened(&edited), None, "{edited}");
        }
    }
}
