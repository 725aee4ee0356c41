//! The tasks of a change: those with a class that comes from a changed source. Knows nothing of git.
//!
//! Invariant: the tasks that stay keep their order.

use super::group::Task;
use crate::change::Change;
use std::collections::BTreeMap;

/// Keeps the tasks whose root class, or the class of whose definition or use, a change touched.
pub fn keep(tasks: &mut Vec<Task<'_>>, change: &Change) {
    let mut known: BTreeMap<&str, bool> = BTreeMap::new();
    tasks.retain(|task| {
        let subject = task.subject;
        [subject.root, subject.definition.class, subject.usage.class]
            .into_iter()
            .any(|class| *known.entry(class).or_insert_with(|| change.names(class)))
    });
}
