//! Which builds of classes are recorded. It knows nothing of how. Invariant: a trace speaks of one build of a class.

use dynaflow_model::sites::{ClassHash, Declined};
use std::collections::HashMap;

/// The recorded classes, with something a mode keeps of each.
#[derive(Debug)]
pub struct Builds<T>(HashMap<String, (ClassHash, T)>);

impl<T> Default for Builds<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T: Copy> Builds<T> {
    /// What is kept of a class that is recorded already, for another loader; none when it is new.
    ///
    /// # Errors
    /// When it is recorded in another build.
    pub fn known(&self, class: &str, hash: ClassHash) -> Result<Option<T>, Declined> {
        match self.0.get(class) {
            None => Ok(None),
            Some(&(first, kept)) if first == hash => Ok(Some(kept)),
            Some(_) => Err(Declined {
                class: class.to_owned(),
                reason: format!(
                    "another build of this class is recorded already (this one: {hash}); a trace speaks of one build"
                ),
            }),
        }
    }

    /// Records a class.
    pub fn add(&mut self, class: String, hash: ClassHash, kept: T) {
        self.0.insert(class, (hash, kept));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_known_in_its_build_and_refused_in_another() {
        let mut builds = Builds::default();
        let (one, two) = (ClassHash([1; 16]), ClassHash([2; 16]));
        assert_eq!(builds.known("a.A", one), Ok(None));
        builds.add("a.A".to_owned(), one, 7);
        assert_eq!(builds.known("a.A", one), Ok(Some(7)));
        assert!(builds.known("a.A", two).unwrap_err().reason.contains(&two.to_string()));
        assert_eq!(builds.known("a.B", two), Ok(None));
    }
}
