//! Values in words, for names of tests. Knows nothing of tests.
//!
//! Invariant: a word has letters of ASCII alone and begins with a capital, so that no name ends in a number; the name of a constant keeps its digits.

use crate::names::{capitalised, uncapitalised};
use dynaflow_model::outcome::{Container, Observed};
use dynaflow_model::sequence::Value;

const SMALL: [&str; 21] = [
    "Zero",
    "One",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Eleven",
    "Twelve",
    "Thirteen",
    "Fourteen",
    "Fifteen",
    "Sixteen",
    "Seventeen",
    "Eighteen",
    "Nineteen",
    "Twenty",
];
const TENS: [&str; 10] =
    ["", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"];
/// What the signs of ASCII are called.
const SIGNS: [(char, &str); 36] = [
    ('\0', "Nul"),
    ('\t', "Tab"),
    ('\n', "LineFeed"),
    ('\r', "CarriageReturn"),
    (' ', "Space"),
    ('!', "Bang"),
    ('"', "Quote"),
    ('#', "Hash"),
    ('$', "Dollar"),
    ('%', "Percent"),
    ('&', "And"),
    ('\'', "Apostrophe"),
    ('(', "OpenParenthesis"),
    (')', "CloseParenthesis"),
    ('*', "Star"),
    ('+', "Plus"),
    (',', "Comma"),
    ('-', "Dash"),
    ('.', "Dot"),
    ('/', "Slash"),
    (':', "Colon"),
    (';', "Semicolon"),
    ('<', "Less"),
    ('=', "Equals"),
    ('>', "Greater"),
    ('?', "QuestionMark"),
    ('@', "At"),
    ('[', "OpenBracket"),
    ('\\', "Backslash"),
    (']', "CloseBracket"),
    ('^', "Caret"),
    ('_', "Underscore"),
    ('`', "Backquote"),
    ('{', "OpenBrace"),
    ('|', "Bar"),
    ('}', "CloseBrace"),
];
/// Most signs that are spelled.
const MOST_SIGNS: usize = 3;
/// Longest word made of a text, or of what a container holds.
const LONGEST: usize = 20;
/// Most elements that are named.
const MOST_ELEMENTS: usize = 3;

/// What was seen, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// A value.
    Is(String),
    /// The elements of a container: `ZeroAndFive`, `OnlyFive`.
    Are(String),
    /// How many there are: `FourElements`.
    Has(String),
}

impl Seen {
    /// Without what joins it to the name of what it was seen in.
    pub(crate) fn word(&self) -> &str {
        match self {
            Self::Is(word) | Self::Are(word) | Self::Has(word) => word,
        }
    }
}

/// What was seen; none for what has no words, such as a text of signs and numbers.
pub(crate) fn seen(what: &Observed) -> Option<Seen> {
    match what {
        Observed::Contents(container, elements) => contents(container, elements),
        _ => said(what).map(Seen::Is),
    }
}

/// Whether a text has words, is a number, or is short enough to be spelled.
fn is_said(content: &str) -> bool {
    let numbers = content.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    content.chars().any(|c| c.is_ascii_alphabetic()) || numbers.count() < 2
}

fn contents(container: &Container, elements: &[Observed]) -> Option<Seen> {
    if elements.is_empty() {
        return Some(Seen::Is("Empty".to_owned()));
    }
    if *container == Container::Map {
        return counted(elements.len() / 2, ["Entry", "Entries"]);
    }
    let words: Option<Vec<String>> = elements.iter().map(said).collect();
    match words.as_deref() {
        Some([word]) if *container == Container::Optional => return Some(Seen::Is(word.clone())),
        Some([word]) => return Some(Seen::Is(format!("Only{word}"))),
        Some(words) if words.len() <= MOST_ELEMENTS => {
            let all = words.join("And");
            if all.len() <= LONGEST {
                return Some(Seen::Are(all));
            }
        }
        _ => {}
    }
    counted(elements.len(), ["Element", "Elements"])
}

fn counted(count: usize, [one, many]: [&str; 2]) -> Option<Seen> {
    let noun = if count == 1 { one } else { many };
    Some(Seen::Has(format!("{}{noun}", number(i64::try_from(count).ok()?)?)))
}

/// A single value.
fn said(what: &Observed) -> Option<String> {
    match what {
        Observed::Value(Value::Str(content)) if !is_said(content) => None,
        Observed::Value(content) => value(content),
        _ => None,
    }
}

/// A value; none for one that has no word.
pub(crate) fn value(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => "Null".to_owned(),
        Value::Bool(flag) => if *flag { "True" } else { "False" }.to_owned(),
        Value::Byte(n) => whole(i64::from(*n), i64::from(i8::MIN), i64::from(i8::MAX))?,
        Value::Short(n) => whole(i64::from(*n), i64::from(i16::MIN), i64::from(i16::MAX))?,
        Value::Int(n) => whole(i64::from(*n), i64::from(i32::MIN), i64::from(i32::MAX))?,
        Value::Long(n) => whole(*n, i64::MIN, i64::MAX)?,
        Value::Float(bits) => real(f64::from(f32::from_bits(*bits)))?,
        Value::Double(bits) => real(f64::from_bits(*bits))?,
        Value::Char(unit) => text(&String::from_utf16_lossy(&[*unit]), "Character"),
        Value::Str(content) if content.is_empty() => "EmptyString".to_owned(),
        Value::Str(content) => text(content, "String"),
        Value::Enum(_, name) => constant(name),
        Value::Parsed(class, content) if class.starts_with("java.math.Big") => long(content)?,
        Value::Parsed(..) => return None,
        Value::Class(class) => text(class.rsplit(['.', '$']).next()?, "Class"),
        Value::Boxed(inner) => return self::value(inner),
    })
}

/// `Integer64Bits` of `INTEGER_64_BITS`, and `V8_10` of `v_8_10`: as much of the name of a constant as anybody reads.
fn constant(name: &str) -> String {
    let kept = |c: &char| c.is_ascii_alphanumeric();
    let words = name.split('_').map(|word| word.chars().filter(kept).collect::<String>());
    let mut found = String::new();
    for word in words.filter(|word| !word.is_empty()) {
        if found.len() + word.len() > LONGEST && !found.is_empty() {
            break;
        }
        if found.ends_with(|c: char| c.is_ascii_digit()) && word.starts_with(|c: char| c.is_ascii_digit()) {
            found.push('_');
        }
        found.push_str(&capitalised(&word.to_ascii_lowercase()));
    }
    if found.starts_with(|c: char| c.is_ascii_uppercase()) { found } else { format!("Constant{found}") }
}

fn whole(n: i64, least: i64, most: i64) -> Option<String> {
    if n == least {
        return Some("MinValue".to_owned());
    }
    if n == most {
        return Some("MaxValue".to_owned());
    }
    number(n).or_else(|| round(n)).or_else(|| digits(n))
}

/// Whole thousands and millions: `TwoThousand`.
fn round(n: i64) -> Option<String> {
    let scale =
        |by: i64, name: &str| (n % by == 0).then(|| Some(format!("{}{name}", number(n / by)?))).flatten();
    scale(1_000_000, "Million").or_else(|| scale(1000, "Thousand"))
}

/// A number below a thousand.
pub(crate) fn number(n: i64) -> Option<String> {
    let word = below_thousand(usize::try_from(n.checked_abs()?).ok()?)?;
    Some(if n < 0 { format!("Minus{word}") } else { word })
}

fn below_thousand(n: usize) -> Option<String> {
    let unit = |n: usize| if n == 0 { Some("") } else { SMALL.get(n).copied() };
    let tens = |n: usize| Some(format!("{}{}", TENS.get(n / 10)?, unit(n % 10)?));
    let below_hundred = |n: usize| SMALL.get(n).map(ToString::to_string).or_else(|| tens(n));
    match (n / 100, n % 100) {
        (0, rest) => below_hundred(rest),
        (hundreds, 0) => Some(format!("{}Hundred", SMALL.get(..10)?.get(hundreds)?)),
        (hundreds, rest) => {
            Some(format!("{}Hundred{}", SMALL.get(..10)?.get(hundreds)?, below_hundred(rest)?))
        }
    }
}

/// `OneFiveZero`, for numbers of few digits.
fn digits(n: i64) -> Option<String> {
    let text = n.checked_abs()?.to_string();
    let sign = if n < 0 { "Minus" } else { "" };
    if text.len() > 4 {
        return Some(if n < 0 { "Negative" } else { "LargeNumber" }.to_owned());
    }
    let words: Option<String> = text.bytes().map(|b| SMALL.get(usize::from(b - b'0')).copied()).collect();
    words.map(|words| format!("{sign}{words}"))
}

/// A number of any length.
fn long(digits: &str) -> Option<String> {
    match digits.parse() {
        Ok(n) => whole(n, i64::MIN, i64::MAX),
        Err(_) if digits.contains(['.', 'E']) => real(digits.parse().ok()?),
        Err(_) => Some(if digits.starts_with('-') { "Negative" } else { "LargeNumber" }.to_owned()),
    }
}

fn real(n: f64) -> Option<String> {
    if n.is_nan() {
        return Some("NaN".to_owned());
    }
    if n.is_infinite() {
        return Some(if n > 0.0 { "Infinity" } else { "MinusInfinity" }.to_owned());
    }
    if n == 0.0 {
        return Some(if n.is_sign_negative() { "MinusZero" } else { "Zero" }.to_owned());
    }
    if n.fract() == 0.0 && n.abs() < 1e9 {
        #[expect(clippy::cast_possible_truncation, reason = "it is a small whole number")]
        return whole(n as i64, i64::MIN, i64::MAX);
    }
    Some(if n < 0.0 { "NegativeFraction" } else { "Fraction" }.to_owned())
}

/// The words of a text that are made of letters, or `kind` where it has none.
fn text(content: &str, kind: &str) -> String {
    if content.chars().all(char::is_whitespace) {
        let one = signs(content).filter(|_| content.chars().nth(1).is_none());
        return one.unwrap_or_else(|| format!("Blank{kind}"));
    }
    let words = content.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut found = String::new();
    for word in words {
        let spelled = spelled(word);
        if found.len() + spelled.len() > LONGEST {
            break;
        }
        found.push_str(&capitalised(&spelled));
    }
    if found.is_empty() { signs(content).unwrap_or_else(|| format!("Odd{kind}")) } else { found }
}

/// The names of a few signs one after the other: `HashSlash` for `#/`.
fn signs(content: &str) -> Option<String> {
    if content.chars().nth(MOST_SIGNS).is_some() {
        return None;
    }
    let name = |c: char| SIGNS.iter().find(|(sign, _)| *sign == c).map(|(_, name)| *name);
    content.chars().map(name).collect()
}

/// Digits as words, all else as it is; behind a digit a new word begins.
fn spelled(word: &str) -> String {
    let mut found = String::new();
    let mut is_new = false;
    for c in word.chars() {
        let digit = c.to_digit(10).and_then(|digit| SMALL.get(digit as usize));
        match digit {
            Some(digit) => found.push_str(digit),
            None if is_new => found.push(c.to_ascii_uppercase()),
            None => found.push(c),
        }
        is_new = digit.is_some();
    }
    found
}

/// That a method reports what was seen: `sizeIsTwo`, `isEmpty`, `isNotEmpty`, `valuesAreOneAndTwo`, `namesHasNineElements`.
pub(crate) fn is(method: &str, seen: &Seen) -> String {
    let word = seen.word();
    let rest_of = |prefix: &str| {
        method.strip_prefix(prefix).filter(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
    };
    for verb in ["is", "has", "can"] {
        match (rest_of(verb), word) {
            (Some(_), "True") => return method.to_owned(),
            (Some(rest), "False") => return format!("{verb}Not{rest}"),
            _ => {}
        }
    }
    let noun = rest_of("get").map_or_else(|| method.to_owned(), uncapitalised);
    match seen {
        Seen::Is(_) => format!("{noun}Is{word}"),
        Seen::Are(_) => format!("{noun}Are{word}"),
        Seen::Has(_) => format!("{noun}Has{word}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_words_without_digits() {
        let word = |v: Value| value(&v).unwrap();
        assert_eq!(word(Value::Int(0)), "Zero");
        assert_eq!(word(Value::Int(-3)), "MinusThree");
        let numbers = [
            (20, "Twenty"),
            (-48, "MinusFortyEight"),
            (70, "Seventy"),
            (150, "OneHundredFifty"),
            (300, "ThreeHundred"),
            (999, "NineHundredNinetyNine"),
            (1000, "OneThousand"),
            (1234, "OneTwoThreeFour"),
            (-70_000, "MinusSeventyThousand"),
            (3_000_000, "ThreeMillion"),
        ];
        for (number, expected) in numbers {
            assert_eq!(word(Value::Int(number)), expected);
        }
        assert_eq!(word(Value::Int(123_456)), "LargeNumber");
        assert_eq!(word(Value::Int(i32::MIN)), "MinValue");
        assert_eq!(word(Value::Double(1.5f64.to_bits())), "Fraction");
        assert_eq!(word(Value::Double(2000f64.to_bits())), "TwoThousand");
        assert_eq!(word(Value::Double((-0.0f64).to_bits())), "MinusZero");
        assert_eq!(word(Value::Str(String::new())), "EmptyString");
        assert_eq!(word(Value::Str("--foo bar2".into())), "FooBarTwo");
        assert_eq!(word(Value::Str(" \t".into())), "BlankString");
        assert_eq!(word(Value::Str("\u{e9}".into())), "OddString");
        assert_eq!(word(Value::Str("#/".into())), "HashSlash");
        assert_eq!(word(Value::Str("----".into())), "OddString");
        assert_eq!(word(Value::Char(0)), "Nul");
        assert_eq!(word(Value::Char(u16::from(b'\n'))), "LineFeed");
        assert_eq!(word(Value::Char(u16::from(b'x'))), "X");
        assert_eq!(word(Value::Enum("a.B".into(), "VERY_HIGH".into())), "VeryHigh");
        let constants =
            [("INTEGER_64_BITS", "Integer64Bits"), ("v_8_10_0", "V8_10_0"), ("_1ST", "Constant1st")];
        for (name, expected) in constants
            .into_iter()
            .chain([("\u{e9}", "Constant"), ("A_PART_THAT_IS_THERE_AND_MORE", "APartThatIsThereAnd")])
        {
            assert_eq!(word(Value::Enum("a.B".into(), name.into())), expected);
        }
        assert_eq!(word(Value::Boxed(Box::new(Value::Long(7)))), "Seven");
        let parsed = |class: &str, text: &str| value(&Value::Parsed(class.into(), text.into()));
        for (digits, expected) in [("12", "Twelve"), ("-0.5", "NegativeFraction"), ("1E+2", "OneHundred")] {
            assert_eq!(parsed("java.math.BigDecimal", digits).as_deref(), Some(expected));
        }
        assert_eq!(parsed("java.math.BigInteger", &"9".repeat(30)).as_deref(), Some("LargeNumber"));
        assert_eq!(parsed("java.time.LocalDate", "2026-11-21"), None);
    }

    #[test]
    fn reports_are_spelled_as_people_would() {
        let is = |method: &str, word: &str| is(method, &Seen::Is(word.to_owned()));
        assert_eq!(is("size", "Two"), "sizeIsTwo");
        assert_eq!((is("isEmpty", "True"), is("isEmpty", "False")), ("isEmpty".into(), "isNotEmpty".into()));
        assert_eq!(is("getOptions", "Null"), "optionsIsNull");
        assert_eq!(is("island", "True"), "islandIsTrue");
    }

    #[test]
    fn contents_are_named_where_they_are_few_and_counted_where_they_are_many() {
        let ints = |all: &[i32]| all.iter().map(|n| Observed::Value(Value::Int(*n))).collect::<Vec<_>>();
        let says = |container: Container, all: &[i32]| {
            is("getValues", &seen(&Observed::Contents(container, ints(all))).unwrap())
        };
        assert_eq!(says(Container::List, &[]), "valuesIsEmpty");
        assert_eq!(says(Container::List, &[5]), "valuesIsOnlyFive");
        assert_eq!(says(Container::Set, &[0, 1000]), "valuesAreZeroAndOneThousand");
        assert_eq!(says(Container::List, &[1, 2, 3, 4]), "valuesHasFourElements");
        assert_eq!(says(Container::List, &[-777, 777]), "valuesHasTwoElements", "longer than anybody reads");
        assert_eq!(says(Container::Optional, &[5]), "valuesIsFive");
        assert_eq!(
            (says(Container::Map, &[1, 2]), says(Container::Map, &[1, 2, 3, 4])),
            ("valuesHasOneEntry".into(), "valuesHasTwoEntries".into())
        );
        let object = Observed::Contents(Container::List, vec![Observed::Object("a.B".into())]);
        assert_eq!(is("getValues", &seen(&object).unwrap()), "valuesHasOneElement");
    }

    #[test]
    fn a_text_of_numbers_and_signs_alone_names_nothing() {
        let text = |content: &str| seen(&Observed::Value(Value::Str(content.into())));
        assert_eq!(text("[(-2: 1) (0: 5) ]"), None);
        assert_eq!(text("12"), Some(Seen::Is("OneTwo".into())));
        assert_eq!(text("a1b2"), Some(Seen::Is("AOneBTwo".into())));
    }
}
