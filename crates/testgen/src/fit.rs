//! Whether a text a program gave is the same on another day, machine and run. Knows nothing of tests.
//!
//! Invariant: a text with an identity hash, a path, a time or a name made at run time is never fit.

use dynaflow_model::sequence::Value;

/// Longest text worth comparing with.
const LONGEST: usize = 1000;
/// Marks of names made at run time and of numbered threads.
const MARKS: &[&str] =
    &["$$Lambda", "$Proxy", "MockitoMock", "EnhancerBy", "Thread-", "pool-", "0x", "-thread-"];
/// Beginnings of absolute paths and addresses.
const PATHS: &[&str] = &["/tmp", "/home/", "/usr/", "/var/", "/root", "/Users/", "/opt/", "file:", "jar:"];

/// Whether an assertion may compare with the text.
fn is_fit_for_assertion(text: &str) -> bool {
    text.len() <= LONGEST
        && !MARKS.iter().any(|mark| text.contains(mark))
        && !has_identity_hash(text)
        && !has_path(text)
        && !has_time(text)
        && !has_uuid(text)
}

/// Whether an assertion may compare with the value; else it says that there is one.
pub fn is_fit(value: &Value) -> bool {
    match value {
        Value::Str(text) => is_fit_for_assertion(text),
        // Times and identifiers that are made at run time differ between runs, and are found by that.
        Value::Parsed(_, text) => text.len() <= LONGEST && !has_path(text),
        _ => true,
    }
}

/// Exceptions whose messages the JVM or the JDK words, in each version in its own way.
const WORDED_BY_THE_JDK: &[&str] = &[
    "java.lang.ArithmeticException",
    "java.lang.ArrayIndexOutOfBoundsException",
    "java.lang.ArrayStoreException",
    "java.lang.ClassCastException",
    "java.lang.IndexOutOfBoundsException",
    "java.lang.NegativeArraySizeException",
    "java.lang.NullPointerException",
    "java.lang.NumberFormatException",
    "java.lang.StringIndexOutOfBoundsException",
];
/// Packages of which the same holds.
const PACKAGES_OF_THE_JDK: &[&str] =
    &["java.util.", "java.time.", "java.net.", "java.nio.", "java.text.", "javax.", "jdk.", "sun."];

/// Whether a message of an exception of this class is the same elsewhere: the program's own words, and fit for an assertion.
pub(crate) fn is_stable(class: &str, message: &str) -> bool {
    let by_the_jdk = WORDED_BY_THE_JDK.contains(&class)
        || class.ends_with("Error")
        || PACKAGES_OF_THE_JDK.iter().any(|package| class.starts_with(package));
    !by_the_jdk && is_fit_for_assertion(message)
}

/// `Foo@1a2b3c`: a name, an at sign, hexadecimal digits.
fn has_identity_hash(text: &str) -> bool {
    let bytes = text.as_bytes();
    let ats = bytes.iter().enumerate().filter(|(_, b)| **b == b'@');
    ats.into_iter().any(|(at, _)| {
        let named =
            at > 0 && bytes.get(at - 1).is_some_and(|b| b.is_ascii_alphanumeric() || b"];$_".contains(b));
        let digits = bytes.iter().skip(at + 1).take_while(|b| b.is_ascii_hexdigit()).count();
        let ended = bytes.get(at + 1 + digits).is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'.');
        named && digits > 0 && digits <= 8 && ended
    })
}

fn has_path(text: &str) -> bool {
    let drive =
        text.as_bytes().windows(3).any(|w| w[0].is_ascii_uppercase() && w[1] == b':' && w[2] == b'\\');
    drive || PATHS.iter().any(|path| text.contains(path))
}

/// `12:34:56` or `2026-11-21`.
fn has_time(text: &str) -> bool {
    shape_occurs(text, "99:99:99") || shape_occurs(text, "9999-99-99")
}

fn has_uuid(text: &str) -> bool {
    shape_occurs(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
}

/// Whether the shape occurs: `9` is a digit, `x` a hexadecimal digit, anything else itself.
fn shape_occurs(text: &str, shape: &str) -> bool {
    let fits = |(byte, wanted): (&u8, u8)| match wanted {
        b'9' => byte.is_ascii_digit(),
        b'x' => byte.is_ascii_hexdigit(),
        other => *byte == other,
    };
    text.as_bytes().windows(shape.len()).any(|window| window.iter().zip(shape.bytes()).all(fits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_change_from_run_to_run_are_unfit() {
        let unfit = [
            "a.Outer@1b6d3586",
            "[I@7a07c5b4]",
            "open /tmp/x.txt",
            "C:\\Users\\me",
            "at 10:42:07",
            "since 2026-11-21T08:00",
            "a.Outer$$Lambda/0x000",
            "Thread-3",
            "123e4567-e89b-12d3-a456-426614174000",
        ];
        unfit.iter().for_each(|text| assert!(!is_fit_for_assertion(text), "{text}"));
        assert!(!is_fit_for_assertion(&"x".repeat(LONGEST + 1)));
    }

    #[test]
    fn what_is_parsed_may_be_a_time_but_no_place_of_a_machine() {
        let parsed = |class: &str, text: &str| is_fit(&Value::Parsed(class.into(), text.into()));
        assert!(parsed("java.time.LocalDate", "2026-11-21"));
        assert!(
            parsed("java.net.URI", "https://example.org/a") && !parsed("java.net.URI", "file:/home/me/a")
        );
    }

    #[test]
    fn messages_are_compared_where_the_program_words_them() {
        assert!(
            is_stable("a.Refused", "no such door") && is_stable("java.lang.IllegalStateException", "shut")
        );
        assert!(is_stable("java.io.IOException", ""));
        assert!(!is_stable("java.lang.NullPointerException", "Cannot invoke \"a.Door.shut()\""));
        assert!(!is_stable("java.util.NoSuchElementException", "No value present"));
        assert!(!is_stable("java.lang.AssertionError", "expected"));
        assert!(!is_stable("a.Refused", "no such door: a.Door@1b6d3586"));
    }

    #[test]
    fn ordinary_texts_are_fit_even_with_an_at_sign_a_slash_or_a_colon() {
        let fit = ["", "me@example.org", "a/b", "n: 3", "3:4", "1-2-3", "@Override", "x@", "level @ 5 of 7"];
        fit.iter().for_each(|text| assert!(is_fit_for_assertion(text), "{text}"));
    }
}
