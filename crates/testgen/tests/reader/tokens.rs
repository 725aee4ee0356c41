//! Tokens of Java source, unicode escapes translated first as the language says. Knows nothing of syntax.
//!
//! Invariant: what is no token of the subset that tests are written in fails.

use dynaflow_model::sequence::Value;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// An identifier or keyword.
    Word(String),
    /// A literal with the type that Java gives it.
    Literal(Value),
    /// Anything else, one character each.
    Sign(char),
}

/// The code units of a source with its unicode escapes translated: a backslash counts unless another one stands before it.
fn translated(text: &str) -> Vec<u16> {
    let (mut units, mut rest) = (vec![], text);
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("\\u") {
            units.push(u16::from_str_radix(&rest[2..6], 16).unwrap());
            rest = &rest[6..];
        } else {
            let taken = if rest.starts_with('\\') { 2 } else { first.len_utf8() };
            units.extend(rest[..taken].encode_utf16());
            rest = &rest[taken..];
        }
    }
    units
}

fn is(unit: u16, wanted: char) -> bool {
    u32::from(unit) == u32::from(wanted)
}

fn ascii(unit: u16) -> char {
    char::from_u32(u32::from(unit)).unwrap_or('\u{fffd}')
}

/// The tokens of a text; comments are none.
pub fn tokens(text: &str) -> Vec<Token> {
    let units = translated(text);
    let mut found = vec![];
    let mut at = 0;
    while at < units.len() {
        let c = ascii(units[at]);
        match c {
            _ if c.is_whitespace() => at += 1,
            '/' => at += units[at..].iter().position(|unit| is(*unit, '\n')).unwrap_or(units.len() - at),
            '"' | '\'' => {
                let (content, length) = quoted(&units[at..]);
                found.push(Token::Literal(if c == '"' {
                    Value::Str(String::from_utf16(&content).unwrap())
                } else {
                    assert_eq!(content.len(), 1, "a char literal has one unit");
                    Value::Char(content[0])
                }));
                at += length;
            }
            _ if c.is_alphabetic() || c == '_' || c == '$' => {
                let length = length(&units[at..], |c| c.is_alphanumeric() || c == '_' || c == '$');
                found.push(Token::Word(String::from_utf16(&units[at..at + length]).unwrap()));
                at += length;
            }
            _ if c.is_ascii_digit() => {
                let length = number_length(&units[at..]);
                let minus = found.last() == Some(&Token::Sign('-'));
                let digits: String = units[at..at + length].iter().map(|unit| ascii(*unit)).collect();
                if minus {
                    found.pop();
                }
                found.push(Token::Literal(number(&format!("{}{digits}", if minus { "-" } else { "" }))));
                at += length;
            }
            _ => {
                found.push(Token::Sign(c));
                at += 1;
            }
        }
    }
    found
}

fn length(units: &[u16], belongs: fn(char) -> bool) -> usize {
    units.iter().take_while(|unit| belongs(ascii(**unit))).count()
}

/// What stands between quotes, and how much was read.
fn quoted(units: &[u16]) -> (Vec<u16>, usize) {
    let mut content = vec![];
    let mut at = 1;
    while units[at] != units[0] {
        assert!(!is(units[at], '\n') && !is(units[at], '\r'), "a literal ends on its line");
        let unit = match ascii(units[at]) {
            '\\' => {
                at += 1;
                match ascii(units[at]) {
                    'n' => u16::from(b'\n'),
                    'r' => u16::from(b'\r'),
                    't' => u16::from(b'\t'),
                    '\\' | '"' | '\'' => units[at],
                    other => unreachable!("no escape \\{other}"),
                }
            }
            _ => units[at],
        };
        content.push(unit);
        at += 1;
    }
    (content, at + 1)
}

/// Digits, a point, an exponent with its sign, a suffix.
fn number_length(units: &[u16]) -> usize {
    let belongs = |at: usize| {
        let c = ascii(units[at]);
        c.is_ascii_alphanumeric() || c == '.' || c == '-' && is(units[at - 1], 'e')
    };
    (0..units.len()).take_while(|at| belongs(*at)).count()
}

fn number(text: &str) -> Value {
    match text.strip_suffix('L') {
        Some(long) => Value::Long(long.parse().unwrap()),
        None => match text.strip_suffix('f') {
            Some(float) => Value::Float(float.parse::<f32>().unwrap().to_bits()),
            None if text.contains(['.', 'e']) => Value::Double(text.parse::<f64>().unwrap().to_bits()),
            None => Value::Int(text.parse().unwrap()),
        },
    }
}
