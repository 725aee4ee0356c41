//! Names as people read them, and names of files made of them.
//!
//! Knows nothing of facts but their texts. Invariant: no descriptor and no unescaped text of a class file gets into the name of a file.

use dynaflow_model::facts::{Context, FactTable, MethodId};
use dynaflow_objectives::{readable, simple};

/// Longest part of a file's name that is a class's own; file systems take 255 bytes.
const LONGEST: usize = 120;

/// The outermost class around a class, which is the one that its source file is named after: `a.Outer` of `a.Outer$Inner$1`.
pub fn outermost(class: &str) -> &str {
    let start = class.rfind('.').map_or(0, |dot| dot + 1);
    match class.get(start + 1..).and_then(|rest| rest.find('$')) {
        Some(at) => class.get(..start + 1 + at).unwrap_or(class),
        None => class,
    }
}

/// The package of a class and the rest: `("a.b", "Outer$Inner")`.
pub fn package(class: &str) -> (&str, &str) {
    class.rsplit_once('.').unwrap_or(("", class))
}

/// A class without its package, as sources write it: `Outer.Inner`.
pub fn short(class: &str) -> String {
    let (_, name) = package(class);
    let inner = name.trim_end_matches('$');
    match inner.char_indices().next() {
        Some((_, first)) => {
            let (head, rest) = inner.split_at(first.len_utf8());
            format!("{head}{}", rest.replace('$', "."))
        }
        None => name.to_owned(),
    }
}

/// The file of a class's page without its ending. What is no letter, digit, `.` or `-` is written as its bytes in hex; a long name
/// ends with a hash of the whole. `taken` says whether a name is in use, in whatever case, as file systems may not tell these apart.
pub fn file(class: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut name = String::new();
    for byte in class.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => name.push(char::from(byte)),
            b'.' if !name.is_empty() => name.push('.'),
            other => name.push_str(&format!("_{other:02x}")),
        }
    }
    if name.len() > LONGEST || taken(&name.to_lowercase()) {
        name.truncate(LONGEST);
        name = format!("{name}~{}", blake3::hash(class.as_bytes()).to_hex().get(..12).unwrap_or_default());
    }
    name
}

/// A method as a call: `Outer.probe(int)`, `new Outer(String)`, a lambda as what it stands in.
pub fn call(facts: &FactTable, method: MethodId) -> String {
    let Some(method) = facts.methods.get(method) else { return String::new() };
    call_of(facts.text(method.class), facts.text(method.signature))
}

/// The same of a class and what a method of it is called, with a descriptor or without.
pub fn call_of(class: &str, signature: &str) -> String {
    let text = readable(signature);
    let (name, arguments) = text.split_at(text.find('(').unwrap_or(text.len()));
    let simple = simple(class.trim_end_matches('$'));
    if let Some(around) = name.strip_prefix("lambda$") {
        let around = around.rsplit_once('$').map_or(around, |(around, _)| around);
        let around = if around == "new" { "a constructor" } else { around };
        return format!("a lambda in {simple}, {around}");
    }
    match name {
        "<init>" => format!("new {simple}{arguments}"),
        "<clinit>" => format!("the initialiser of {simple}"),
        name => format!("{simple}.{name}{arguments}"),
    }
}

/// The methods of a context, outermost first; none where frames were left out.
pub fn frames(context: &Context) -> impl Iterator<Item = Option<MethodId>> + '_ {
    let head = context.head.iter().copied().map(Some);
    head.chain(context.cut.then_some(None)).chain(context.tail.iter().copied().map(Some))
}

/// `1 class`, `2 classes`, `1,234 pairs`.
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", number(n), if n == 1 { one } else { many })
}

/// With a comma at each thousand.
pub fn number(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How much of all, in percent, rounded down so that 100 means all.
pub fn percent(part: usize, all: usize) -> usize {
    (part * 100).checked_div(all).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_named_as_in_sources_and_belong_to_the_outermost_one() {
        for (class, outer, name) in [
            ("a.b.Outer$Inner$1", "a.b.Outer", "Outer.Inner.1"),
            ("Outer", "Outer", "Outer"),
            ("a.$Proxy12", "a.$Proxy12", "$Proxy12"),
            ("a.Companion$", "a.Companion", "Companion"),
            ("a.", "a.", ""),
        ] {
            assert_eq!((outermost(class), short(class).as_str()), (outer, name), "{class}");
        }
    }

    #[test]
    fn methods_read_as_calls_without_descriptors() {
        for (class, signature, text) in [
            ("a.Outer$In", "probe(I[Ljava/lang/String;)Z", "In.probe(int, String[])"),
            ("a.Outer", "<init>(J)V", "new Outer(long)"),
            ("a.Outer", "<clinit>()V", "the initialiser of Outer"),
            ("a.Outer", "lambda$run$3(I)V", "a lambda in Outer, run"),
            ("a.Outer", "lambda$new$0()V", "a lambda in Outer, a constructor"),
        ] {
            assert_eq!(call_of(class, signature), text);
        }
    }

    #[test]
    fn names_of_files_are_plain_short_and_differ_by_more_than_case() {
        assert_eq!(file("a.B", |_| false), "a.B");
        assert_eq!(file("../<é>", |_| false), "_2e._2f_3c_c3_a9_3e");
        assert!(file("a.b", |name| name == "a.b").starts_with("a.b~"));
        let long = file(&"x".repeat(400), |_| false);
        assert_eq!(long.len(), LONGEST + 13);
        assert_ne!(long, file(&"x".repeat(401), |_| false));
    }

    #[test]
    fn numbers_are_grouped_and_all_is_all() {
        assert_eq!([0, 999, 1000, 1_234_567].map(number), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([percent(0, 0), percent(999, 1000), percent(7, 7)], [0, 99, 100]);
        assert_eq!(
            (counted(1, "pair", "pairs"), counted(2, "pair", "pairs")),
            ("1 pair".into(), "2 pairs".into())
        );
    }
}
