//! JVMs that wait for whoever is next: the same class in another step, or the next class. Knows nothing of tests.
//!
//! Invariant: who gets which JVM depends on names alone, never on time; a JVM is with one borrower at a time, and one that cannot be replaced any more does not come back.

use crate::jvm::worker::Worker;
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

/// JVMs that wait, by name.
#[derive(Debug, Default)]
pub struct Warm {
    waiting: Mutex<BTreeMap<String, Worker>>,
}

/// A JVM that goes back to the others in the end.
#[derive(Debug)]
pub struct Lent {
    worker: Worker,
    was_waiting: bool,
    /// Where it goes, and its name there; nowhere, if it ends.
    back: Option<(Arc<Warm>, String)>,
}

impl Warm {
    /// The JVM that waits under a name, else one that `make` gives; it waits again in the end if it is `kept`.
    pub fn lend(warm: &Arc<Self>, name: &str, kept: bool, make: impl FnOnce() -> Worker) -> Lent {
        let waiting = warm.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
        let was_waiting = waiting.is_some();
        let back = kept.then(|| (Arc::clone(warm), name.to_owned()));
        Lent { worker: waiting.unwrap_or_else(make), was_waiting, back }
    }
}

impl Lent {
    /// Whether somebody else had it before.
    pub fn was_waiting(&self) -> bool {
        self.was_waiting
    }
}

impl Deref for Lent {
    type Target = Worker;

    fn deref(&self) -> &Worker {
        &self.worker
    }
}

impl DerefMut for Lent {
    fn deref_mut(&mut self) -> &mut Worker {
        &mut self.worker
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if let Some((warm, name)) = self.back.take().filter(|_| self.worker.gone().is_none()) {
            warm.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(name, self.worker.take());
        }
    }
}
