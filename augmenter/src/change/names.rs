//! Which class a class is inside of. Knows nothing of sources or class files.
//!
//! Invariant: the package of a class and that of its outermost class are the same.

use std::collections::BTreeSet;

/// The class that a class is inside of, or itself: the shortest beginning of its name that is a class.
pub fn outermost<'a>(class: &'a str, classes: &BTreeSet<String>) -> &'a str {
    let mut beginnings = class.match_indices('$').filter_map(|(at, _)| class.get(..at));
    beginnings.find(|beginning| classes.contains(*beginning)).unwrap_or(class)
}

/// The same as far as the name says. A name may begin with `$`.
pub(super) fn outermost_by_name(class: &str) -> &str {
    let start = class.rfind('.').map_or(0, |dot| dot + 1);
    let simple = class.get(start..).unwrap_or_default();
    let end = simple.char_indices().skip(1).find(|(_, c)| *c == '$').map_or(simple.len(), |(at, _)| at);
    class.get(..start + end).unwrap_or(class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_inside_of_what_stands_before_a_dollar() {
        for (class, outer) in
            [("a.B$C$1", "a.B"), ("a.B", "a.B"), ("a.$B$C", "a.$B"), ("$B", "$B"), ("a$b.C", "a$b.C")]
        {
            assert_eq!(outermost_by_name(class), outer);
        }
    }

    #[test]
    fn where_the_classes_are_known_it_is_one_of_them() {
        let classes = BTreeSet::from(["a.B".to_owned(), "a.B$C".to_owned(), "a.D$E".to_owned()]);
        for (class, outer) in [("a.B$C$1", "a.B"), ("a.B", "a.B"), ("a.D$E", "a.D$E"), ("a.D$E$F", "a.D$E")] {
            assert_eq!(outermost(class, &classes), outer);
        }
    }
}
