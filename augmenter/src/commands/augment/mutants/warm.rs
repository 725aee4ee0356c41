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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jvm::jdk::Jdk;
    use crate::jvm::job::Probes;
    use crate::jvm::launch::JvmConfig;
    use crate::jvm::worker::WorkerConfig;
    use std::path::PathBuf;
    use std::time::Duration;

    /// One whose JVM never starts.
    fn worker() -> Worker {
        let jdk = Jdk { home: PathBuf::from("nowhere"), version: 17, version_text: "17".to_owned() };
        let jvm = JvmConfig::new(jdk, vec![], PathBuf::from("nowhere")).unwrap();
        Worker::later(WorkerConfig { jvm, time_limit: Duration::from_secs(1), probes: Probes::None })
    }

    #[test]
    fn a_jvm_waits_under_its_name_for_one_borrower_at_a_time() {
        let warm = Arc::default();
        let lend = |name: &str, kept| Warm::lend(&warm, name, kept, worker);
        drop(lend("probes", true));
        let first = lend("probes", true);
        assert!(first.was_waiting());
        assert!(!lend("probes", false).was_waiting(), "the first one has it");
        drop(first);
        assert!(!lend("mutants-0-0", false).was_waiting(), "another name");
        assert!(!lend("mutants-0-0", false).was_waiting(), "it was not kept");
        assert!(lend("probes", true).was_waiting());
    }
}
