//! Java literals for values: escapes, casts, the numbers that have no literal. Knows nothing of statements.
//!
//! Invariant: what is printed is pure ASCII and has exactly the value and the static type it stands for.

use crate::names::Names;
use dynaflow_model::descriptor;
use dynaflow_model::parsed::{self, Parser};
use dynaflow_model::sequence::Value;
use std::fmt::Write as _;

/// The literal, or none when the test cannot name the class it mentions.
pub(crate) fn literal(value: &Value, names: &mut Names) -> Option<String> {
    Some(match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Byte(number) => format!("(byte) {number}"),
        Value::Short(number) => format!("(short) {number}"),
        Value::Int(i32::MIN) => format!("{}.MIN_VALUE", names.class("java.lang.Integer")),
        Value::Int(i32::MAX) => format!("{}.MAX_VALUE", names.class("java.lang.Integer")),
        Value::Int(number) => number.to_string(),
        Value::Long(i64::MIN) => format!("{}.MIN_VALUE", names.class("java.lang.Long")),
        Value::Long(i64::MAX) => format!("{}.MAX_VALUE", names.class("java.lang.Long")),
        Value::Long(number) => format!("{number}L"),
        Value::Char(unit) => character(*unit),
        Value::Float(bits) => float(f32::from_bits(*bits), names),
        Value::Double(bits) => double(f64::from_bits(*bits), names),
        Value::Str(text) => string(text),
        Value::Enum(class, constant) => {
            names.can_name_class(class).then(|| format!("{}.{constant}", names.class(class)))?
        }
        Value::Class(class) => class_literal(class, names)?,
        Value::Parsed(class, text) => parsed(class, text, names)?,
        Value::Boxed(inner) => {
            format!("{}.valueOf({})", names.class(&boxing(inner)), literal(inner, names)?)
        }
    })
}

/// What makes an object from its text, or the constant that is equal to it; none where nothing does.
fn parsed(class: &str, text: &str, names: &mut Names) -> Option<String> {
    let parser = parsed::parser(class)?;
    let constant = parsed::constant(class, text);
    let (class, text) = (names.class(class), string(text));
    if let Some(name) = constant {
        return Some(format!("{class}.{name}"));
    }
    Some(match parser {
        Parser::Constructor => format!("new {class}({text})"),
        Parser::Static(method) => format!("{class}.{method}({text})"),
    })
}

fn class_literal(class: &str, names: &mut Names) -> Option<String> {
    let known = ["Z", "B", "C", "S", "I", "J", "F", "D", "V"];
    if let Some(descriptor) = known.into_iter().find(|d| descriptor::primitive(d) == class) {
        return Some(format!("{}.class", descriptor::primitive(descriptor)));
    }
    let descriptor = dynaflow_model::descriptor::of_class(class);
    names.can_name(&descriptor).then(|| format!("{}.class", names.in_literal(&descriptor)))
}

/// The class of the box, by its full name: the package of the test may have a class of the same simple name.
fn boxing(value: &Value) -> String {
    let simple = match value {
        Value::Bool(_) => "Boolean",
        Value::Byte(_) => "Byte",
        Value::Short(_) => "Short",
        Value::Char(_) => "Character",
        Value::Long(_) => "Long",
        Value::Float(_) => "Float",
        Value::Double(_) => "Double",
        _ => "Integer",
    };
    format!("java.lang.{simple}")
}

fn float(number: f32, names: &mut Names) -> String {
    if number.is_finite() {
        return format!("{number:?}f");
    }
    not_finite("java.lang.Float", number.is_nan(), number > 0.0, names)
}

fn double(number: f64, names: &mut Names) -> String {
    if number.is_finite() {
        return format!("{number:?}");
    }
    not_finite("java.lang.Double", number.is_nan(), number > 0.0, names)
}

fn not_finite(class: &str, is_nan: bool, is_positive: bool, names: &mut Names) -> String {
    let name = match (is_nan, is_positive) {
        (true, _) => "NaN",
        (false, true) => "POSITIVE_INFINITY",
        (false, false) => "NEGATIVE_INFINITY",
    };
    format!("{}.{name}", names.class(class))
}

fn character(unit: u16) -> String {
    match u8::try_from(unit) {
        Ok(b'"') => "'\"'".to_owned(),
        _ => format!("'{}'", escaped(unit)),
    }
}

/// A string literal.
pub(crate) fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for unit in text.encode_utf16() {
        if unit == u16::from(b'\'') { out.push('\'') } else { out.push_str(&escaped(unit)) }
    }
    out.push('"');
    out
}

/// One code unit inside quotes. Unicode escapes are translated before the compiler sees tokens, so that line ends, quotes
/// and backslashes need the escapes of their own.
fn escaped(unit: u16) -> String {
    match char::from_u32(u32::from(unit)) {
        Some('\n') => "\\n".to_owned(),
        Some('\r') => "\\r".to_owned(),
        Some('\t') => "\\t".to_owned(),
        Some('\\') => "\\\\".to_owned(),
        Some('"') => "\\\"".to_owned(),
        Some('\'') => "\\'".to_owned(),
        Some(c) if c == ' ' || c.is_ascii_graphic() => c.to_string(),
        _ => format!("\\u{unit:04x}"),
    }
}

/// The text with everything that is not ASCII as a unicode escape, which Java allows anywhere in a source.
pub(crate) fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c);
        } else {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                // Writing into a string does not fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}

/// Longest text of a comment, in characters: a message of an exception may be of any length.
const LONGEST: usize = 600;

/// A text on one line of a comment, marked where it is cut: a backslash could begin a unicode escape, which Java reads even there.
pub(crate) fn comment(text: &str) -> String {
    let one_line: String = text.chars().map(|c| if c.is_control() || c == '\\' { ' ' } else { c }).collect();
    let whole = one_line.trim();
    match whole.char_indices().nth(LONGEST) {
        Some((end, _)) => ascii(whole.get(..end).unwrap_or(whole)) + " ...",
        None => ascii(whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_search::Types;

    fn print(value: Value) -> String {
        let types = Types::default();
        literal(&value, &mut Names::new(&types, "a", &[])).unwrap()
    }

    #[test]
    fn a_comment_is_one_line_and_says_where_it_is_cut() {
        assert_eq!(comment(" a\n\\u0022\u{e9} "), "a  u0022\\u00e9");
        assert_eq!(comment(&"x".repeat(LONGEST)), "x".repeat(LONGEST));
        assert_eq!(comment(&"x".repeat(LONGEST + 1)), "x".repeat(LONGEST) + " ...");
    }

    #[test]
    fn line_ends_quotes_and_backslashes_never_become_unicode_escapes() {
        assert_eq!(string("a\n\r\"'\\\u{2028}\u{e9}\u{1f600}"), r#""a\n\r\"'\\\u2028\u00e9\ud83d\ude00""#);
        assert_eq!(character(u16::from(b'\'')), r"'\''");
        assert_eq!(character(0xd800), r"'\ud800'");
        assert_eq!(character(u16::from(b'"')), "'\"'");
    }

    #[test]
    fn what_a_constant_of_the_jdk_is_equal_to_has_its_name() {
        let parsed = |class: &str, text: &str| print(Value::Parsed(class.into(), text.into()));
        assert_eq!(parsed("java.time.Duration", "PT0S"), "Duration.ZERO");
        assert_eq!(parsed("java.time.Duration", "PT1S"), "Duration.parse(\"PT1S\")");
        assert_eq!(parsed("java.math.BigDecimal", "1"), "BigDecimal.ONE");
        assert_eq!(
            parsed("java.math.BigDecimal", "1.0"),
            "new BigDecimal(\"1.0\")",
            "another scale is not equal"
        );
        assert_eq!(parsed("java.time.LocalTime", "00:00"), "LocalTime.MIDNIGHT");
    }

    #[test]
    fn numbers_keep_their_type_and_the_outermost_and_those_without_a_literal_get_a_name() {
        assert_eq!(print(Value::Int(i32::MIN)), "Integer.MIN_VALUE");
        assert_eq!(print(Value::Int(i32::MAX - 1)), "2147483646");
        assert_eq!(print(Value::Long(i64::MIN)), "Long.MIN_VALUE");
        assert_eq!(print(Value::Double((-0.0f64).to_bits())), "-0.0");
        assert_eq!(print(Value::Double(1e300f64.to_bits())), "1e300");
        assert_eq!(print(Value::Float(f32::NAN.to_bits())), "Float.NaN");
        assert_eq!(print(Value::Double(f64::NEG_INFINITY.to_bits())), "Double.NEGATIVE_INFINITY");
        assert_eq!(print(Value::Boxed(Box::new(Value::Byte(-3)))), "Byte.valueOf((byte) -3)");
        assert_eq!(print(Value::Class("[I".into())), "int[].class");
        assert_eq!(print(Value::Class("long".into())), "long.class");
    }
}
