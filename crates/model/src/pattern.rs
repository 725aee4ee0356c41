//! Class name patterns: `*` matches within a package segment, `**` across segments. Knows nothing of class loading.
//!
//! Invariant: a pattern matches the whole binary name or nothing.

use std::collections::BTreeSet;
use std::str::FromStr;

/// A compiled class name pattern such as `org.example.**` or `a.B*`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
}

/// Why a text is not a class name pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is not a class name pattern: {reason}; expected something like `org.example.**` or `a.b.Outer*`"
)]
pub struct PatternError {
    /// The text as given.
    pub text: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl Pattern {
    /// Compiles a pattern over binary names (`a.Outer$Inner`); slashes are accepted for dots.
    ///
    /// # Errors
    /// When the text is empty or has a character no class name has.
    pub fn new(text: &str) -> Result<Self, PatternError> {
        let fail = |reason| Err(PatternError { text: text.to_owned(), reason });
        if text.is_empty() {
            return fail("it is empty");
        }
        if text.chars().any(|c| c.is_whitespace() || matches!(c, ';' | '[' | ':' | ',' | '=')) {
            return fail("it has a character that no class name has");
        }
        Ok(Self { text: text.replace('/', ".") })
    }

    /// The patterns that select the packages of these classes, one each: `a.b.*`, and `*` for the unnamed one. Packages that no
    /// pattern can name are left out.
    pub fn of_packages<'a>(classes: impl IntoIterator<Item = &'a str>) -> Vec<Self> {
        let package = |class: &'a str| class.rsplit_once('.').map_or("", |(package, _)| package);
        let packages: BTreeSet<&str> = classes.into_iter().map(package).collect();
        let text = |package: &str| if package.is_empty() { "*".to_owned() } else { format!("{package}.*") };
        packages.into_iter().filter_map(|package| Self::new(&text(package)).ok()).collect()
    }

    /// The pattern as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether the pattern matches the whole binary name.
    pub fn matches(&self, class: &str) -> bool {
        matches(self.text.as_bytes(), class.as_bytes())
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        Self::new(text)
    }
}

/// Greedy matching with one restart point per kind of star; linear times the number of stars.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    let Some((&first, rest)) = pattern.split_first() else {
        return name.is_empty();
    };
    if first != b'*' {
        return name.split_first().is_some_and(|(&c, tail)| c == first && matches(rest, tail));
    }
    let (across, rest) = match rest.split_first() {
        Some((b'*', tail)) => (true, tail),
        _ => (false, rest),
    };
    let limit = if across { name.len() } else { name.iter().position(|&c| c == b'.').unwrap_or(name.len()) };
    (0..=limit).any(|taken| name.get(taken..).is_some_and(|tail| matches(rest, tail)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, name: &str, expected: bool) {
        assert_eq!(Pattern::new(pattern).unwrap().matches(name), expected, "{pattern} on {name}");
    }

    #[test]
    fn one_star_stays_within_a_segment_and_two_cross_it() {
        check("a.*", "a.B", true);
        check("a.*", "a.b.C", false);
        check("a.**", "a.b.C", true);
        check("**.C", "a.b.C", true);
        check("a.B*", "a.B$Inner", true);
        check("a.B", "a.B$Inner", false);
        check("**", "anything.At$all", true);
        check("a/b/*", "a.b.C", true);
    }

    #[test]
    fn the_packages_of_classes_are_selected_once_each_and_none_below_them() {
        let patterns = Pattern::of_packages(["a.b.C", "a.b.D$E", "F", "a.G"]);
        assert_eq!(patterns.iter().map(Pattern::as_str).collect::<Vec<_>>(), ["*", "a.*", "a.b.*"]);
        assert!(!patterns.iter().any(|p| p.matches("a.c.H")));
        assert_eq!(Pattern::of_packages(["a b.C"]), [], "no class is there");
    }

    #[test]
    fn texts_that_cannot_name_a_class_are_refused_with_a_reason() {
        assert!(Pattern::new("").unwrap_err().to_string().contains("empty"));
        assert!(Pattern::new("a b").unwrap_err().to_string().contains("character"));
    }
}
