//! Whose assertions the seed tests compare values with: generated tests stand beside them and speak as they do.
//!
//! Knows nothing of how tests are written. Invariant: without seed classes, and where as many use the framework's own assertions, these are
//! used.

use crate::classes::Classes;
use dynaflow_classfile::{ClassFile, MemberIndex, pool::Constant};
use dynaflow_model::frameworks::{Library, Style};
use dynaflow_model::pattern::Pattern;
use std::path::PathBuf;

/// The style with the assertions that most of the seed test classes use. A class path that cannot be read leaves it as it is: whoever needs
/// the classes reports why.
pub fn of_seeds(style: &'static Style, class_path: &[PathBuf], seeds: &[Pattern]) -> &'static Style {
    let Ok(mut classes) = Classes::list(class_path) else { return style };
    classes.retain(|class| seeds.iter().any(|pattern| pattern.matches(class)));
    let Ok(used) = classes.each(|_, bytes| libraries(bytes)) else { return style };
    style.with(most(&used))
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
        assert_eq!(libraries(&[1, 2, 3]), []);
    }
}
