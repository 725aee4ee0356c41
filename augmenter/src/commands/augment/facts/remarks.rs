//! Lines about classes, each text once with the classes that it is about. Knows nothing of what is said.
//!
//! Invariant: every class that a text was added for is in its line, by name or as one of those that are counted.

/// Most classes that a line names.
const NAMED: usize = 3;

/// Lines about classes, each text once.
#[derive(Debug, Default)]
pub struct Remarks {
    of: Vec<(String, Vec<String>)>,
}

impl Remarks {
    /// Adds what is to be said of a class.
    pub fn add(&mut self, class: &str, text: &str) {
        match self.of.iter_mut().find(|(known, _)| known == text) {
            Some((_, classes)) => classes.push(class.to_owned()),
            None => self.of.push((text.to_owned(), vec![class.to_owned()])),
        }
    }

    /// A line for each text, in the order in which they came.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.of.iter().map(|(text, classes)| format!("{}: {text}", named(classes)))
    }
}

/// Some names, and how many more there are.
pub fn named(classes: &[String]) -> String {
    let first: Vec<&str> = classes.iter().take(NAMED).map(String::as_str).collect();
    match classes.len() - first.len() {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_to_be_said_of_many_classes_is_said_once() {
        let mut remarks = Remarks::default();
        for class in ["a.A", "a.B", "a.C", "a.D", "a.E"] {
            remarks.add(class, "nothing found: an interface has no state");
        }
        remarks.add("a.Z", "4 assertions left out");
        let lines: Vec<String> = remarks.lines().collect();
        assert_eq!(
            lines,
            [
                "a.A, a.B, a.C and 2 more: nothing found: an interface has no state",
                "a.Z: 4 assertions left out"
            ]
        );
    }
}
