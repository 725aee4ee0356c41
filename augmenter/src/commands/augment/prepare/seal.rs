//! The last line of a generated file, by which a later run knows that nobody edited it: a hash of all lines above.
//!
//! Knows nothing of Java. Invariant: any change of the lines above, of their order or of the hash breaks the seal; how lines end does not
//! count, as version control may change that.

/// How the line begins.
const SEAL: &str = "// As dynaflow wrote it; a later run extends this file only while this hash is right: ";

/// The text with its seal.
pub fn sealed(text: &str) -> String {
    format!("{text}{SEAL}{}\n", hash(text))
}

/// The text without its seal, when that is whole.
pub fn opened(file: &str) -> Option<String> {
    let file = file.replace("\r\n", "\n");
    let (text, hashed) = file.rsplit_once(SEAL)?;
    (hashed.trim_end() == hash(text)).then(|| text.to_owned())
}

fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().chars().take(32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seal_is_broken_by_any_change_and_not_by_line_ends() {
        let text = "class A {\n    int a;\n}\n";
        let file = sealed(text);
        assert_eq!(opened(&file).as_deref(), Some(text));
        assert_eq!(opened(&file.replace('\n', "\r\n")).as_deref(), Some(text));
        for edited in [
            file.replace("int a", "int b"),
            file.replace("    int a;\n", ""),
            format!("\n{file}"),
            format!("{file}// mine\n"),
            text.to_owned(),
            String::new(),
        ] {
            assert_eq!(opened(&edited), None, "{edited}");
        }
    }
}
