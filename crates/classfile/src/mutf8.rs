//! Modified UTF-8, the text encoding of class files. It knows nothing of what a text names.
//!
//! Invariant: decoding never fails; what is no character (a lone surrogate, a broken sequence) becomes U+FFFD.

use std::borrow::Cow;

/// Text of a class file as its bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mutf8<'a>(pub &'a [u8]);

impl<'a> Mutf8<'a> {
    /// The bytes as they stand in the file.
    pub fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The text. Borrowed when the bytes are plain UTF-8, which all but exotic names are.
    pub fn to_str(self) -> Cow<'a, str> {
        match std::str::from_utf8(self.0) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(decode(self.0)),
        }
    }

    /// A class's internal name as its binary name: `a/Outer$Inner` becomes `a.Outer$Inner`.
    pub fn to_binary_name(self) -> String {
        self.to_str().replace('/', ".")
    }
}

impl std::fmt::Debug for Mutf8<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.to_str())
    }
}

impl std::fmt::Display for Mutf8<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_str())
    }
}

fn decode(bytes: &[u8]) -> String {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((unit, used)) = unit(rest) {
        units.push(unit);
        rest = rest.get(used..).unwrap_or_default();
    }
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// The first UTF-16 unit of `bytes` and the number of bytes it takes.
fn unit(bytes: &[u8]) -> Option<(u16, usize)> {
    const BROKEN: (u16, usize) = (0xFFFD, 1);
    let tail = |index: usize| {
        bytes.get(index).filter(|byte| *byte & 0xC0 == 0x80).map(|byte| u16::from(byte & 0x3F))
    };
    let first = *bytes.first()?;
    Some(match first {
        0x00..=0x7F => (u16::from(first), 1),
        0xC0..=0xDF => tail(1).map_or(BROKEN, |b| (u16::from(first & 0x1F) << 6 | b, 2)),
        0xE0..=0xEF => match (tail(1), tail(2)) {
            (Some(b), Some(c)) => (u16::from(first & 0x0F) << 12 | b << 6 | c, 3),
            _ => BROKEN,
        },
        _ => BROKEN,
    })
}

/// The modified UTF-8 of a text.
pub fn encode(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for unit in text.encode_utf16() {
        let low = (unit & 0x3F) as u8 | 0x80;
        match unit {
            0x01..=0x7F => out.push(unit as u8),
            0 | 0x80..=0x7FF => out.extend([(unit >> 6) as u8 | 0xC0, low]),
            _ => out.extend([(unit >> 12) as u8 | 0xE0, (unit >> 6 & 0x3F) as u8 | 0x80, low]),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_survives_encoding_and_decoding() {
        for text in ["", "plain", "zero \0 inside", "Größe", "日本", "😀 beyond the plane", "\u{7ff}\u{800}"]
        {
            let bytes = encode(text);
            assert!(!bytes.contains(&0), "modified UTF-8 has no zero byte");
            assert_eq!(Mutf8(&bytes).to_str(), text);
        }
    }

    #[test]
    fn broken_sequences_become_the_replacement_character() {
        assert_eq!(Mutf8(&[b'a', 0xED, 0xA0, 0x80]).to_str(), "a\u{FFFD}", "a lone surrogate");
        assert_eq!(Mutf8(&[b'a', 0xE0]).to_str(), "a\u{FFFD}", "cut short");
        assert_eq!(Mutf8(&[0xFF, b'b']).to_str(), "\u{FFFD}b");
    }

    #[test]
    fn names_become_binary_names() {
        assert_eq!(Mutf8(b"a/Outer$Inner").to_binary_name(), "a.Outer$Inner");
    }
}
