//! Whose assertions the seed tests compare values with, and for which Java they are compiled: generated tests stand beside them and speak as
//! they do.
//!
//! Knows nothing of how tests are written. Invariant: without seed classes, and where as many use the framework's own assertions, these are
//! used; what is written compiles for the Java of every seed.

use crate::classes::Classes;
use dynaflow_classfile::{ClassFile, MemberIndex, pool::Constant};
use dynaflow_model::frameworks::{Library, Style};
use dynaflow_model::pattern::Pattern;
use std::path::PathBuf;

/// The oldest version of Java that tests are written in: they have `<>`.
const OLDEST: u16 = 7;
/// The version that they are written in at most, where there is no seed to show one.
const USUAL: u16 = 8;

/// What seed tests show of how tests are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The style with the assertions that most of them use.
    pub style: &'static Style,
    /// The oldest version of Java that one of them is compiled for; none without seed classes.
    pub java: Option<u16>,
}

impl Seen {
    /// The version of Java that tests are written in, where targets are compiled for this one; 0 where that is not known.
    pub fn java(&self, of_targets: u32) -> u16 {
        let of_targets = u16::try_from(of_targets).ok().filter(|&java| java > 0);
        self.java.or(of_targets.map(|java| java.min(USUAL))).unwrap_or(USUAL).max(OLDEST)
    }
}

/// What the seed test classes show. A class path that cannot be read leaves the style as it is: whoever needs the classes reports why.
pub fn of_seeds(style: &'static Style, class_path: &[PathBuf], seeds: &[Pattern]) -> Seen {
    let nothing = Seen { style, java: None };
    let Ok(mut classes) = Classes::list(class_path) else { return nothing };
    classes.retain(|class| seeds.iter().any(|pattern| pattern.matches(class)));
    let Ok(seen) = classes.each(|_, bytes| (libraries(bytes), version(bytes))) else { return nothing };
    let java = seen.iter().filter_map(|(_, java)| *java).min();
    let used: Vec<Vec<Library>> = seen.into_iter().map(|(libraries, _)| libraries).collect();
    Seen { style: style.with(most(&used)), java }
}

/// The version of Java that a class is compiled for, as far as sources differ by it.
fn version(bytes: &[u8]) -> Option<u16> {
    // Class files of Java 8 have the version 52.
    ClassFile::parse(bytes).ok().map(|class| class.major.saturating_sub(44).max(OLDEST))
}

/// The library that more classes use than use the framework's own assertions, and more than any other.
fn most(used: &[Vec<Library>]) -> Library {
    let count = |library: Library| used.iter().filter(|of_class| of_class.contains(&library)).count();
    let mut best = Library::Own;
    for library in Library::BESIDE {
        if count(library) > count(best) {
            best = library;
        }
    }
    best
}

/// Whose assertions a class calls to compare values. That something throws is asserted by the framework in either case.
fn libraries(bytes: &[u8]) -> Vec<Library> {
    let Ok(class) = ClassFile::parse(bytes) else { return vec![] };
    let mut found = vec![];
    for (index, constant) in class.pool.iter() {
        if !matches!(constant, Constant::Method(..) | Constant::InterfaceMethod(..)) {
            continue;
        }
        let Ok(member) = class.pool.member(MemberIndex(index)) else { continue };
        let (owner, name) = (member.owner.to_str(), member.name.to_str());
        let compares = name.starts_with("assert") && !name.starts_with("assertThrows");
        let library = Library::of_assertion(&owner).filter(|library| compares && !found.contains(library));
        found.extend(library);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::Library::{AssertJ, Hamcrest, Own};
    use super::*;

    #[test]
    fn the_library_of_most_classes_wins_and_the_frameworks_own_a_draw() {
        assert_eq!(most(&[]), Own);
        assert_eq!(most(&[vec![AssertJ], vec![Own]]), Own);
        assert_eq!(most(&[vec![AssertJ], vec![AssertJ, Own], vec![Hamcrest]]), AssertJ);
        assert_eq!(most(&[vec![Hamcrest], vec![Hamcrest], vec![AssertJ]]), Hamcrest);
    }

    #[test]
    fn bytes_that_are_no_class_use_nothing() {
        assert_eq!((libraries(&[1, 2, 3]), version(&[1, 2, 3])), (vec![], None));
    }

    #[test]
    fn tests_are_written_in_the_java_of_the_seeds_or_else_of_old_targets() {
        let java = |java, of_targets| {
            Seen { style: dynaflow_model::frameworks::style("4").unwrap(), java }.java(of_targets)
        };
        assert_eq!([java(Some(7), 8), java(Some(17), 8)], [7, 17]);
        assert_eq!([java(None, 6), java(None, 7), java(None, 17), java(None, 0)], [7, 7, 8, 8]);
    }
}
