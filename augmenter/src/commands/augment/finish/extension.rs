//! Adding tests to a file that an earlier run wrote: which of its tests the new ones make redundant, and when to write beside it instead.
//!
//! Knows nothing of compilers or JVMs. Invariant: a file is replaced only by one that covers every pair its tests covered; what is left
//! out is covered, in all its pairs, by one new green test of the same file.

use crate::commands::augment::facts::known::Keys;
use crate::commands::augment::facts::merit;
use crate::commands::augment::facts::roots::Roots;
use dynaflow_model::facts::{Recording, TestRecord};
use dynaflow_model::pair_key::PairKey;
use dynaflow_testgen::{Existing, Source};
use std::collections::{BTreeMap, BTreeSet};

/// What is tried, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// The file without what is redundant, and the new tests.
    Reduced,
    /// The whole file and the new tests.
    Whole,
    /// The new tests in a file of their own.
    Beside,
}

/// The files that the new tests of a class are added to.
#[derive(Debug)]
pub struct Extension {
    existing: Vec<Existing>,
    /// The roots whose pairs count.
    roots: Roots,
    how: How,
    /// By test of these files: the new tests each of which covers all its pairs.
    covered_by: BTreeMap<String, Vec<usize>>,
    /// By test class, what its tests cover.
    pairs: BTreeMap<String, BTreeSet<PairKey>>,
}

impl Extension {
    /// For new tests that cover these pairs of the roots, none for tests that fail; `earlier` is what the tests that are there showed.
    pub fn new(
        existing: Vec<Existing>,
        earlier: &Recording,
        new: &[Option<&BTreeSet<PairKey>>],
        roots: &Roots,
    ) -> Self {
        let mut extension = Self {
            existing,
            roots: roots.clone(),
            how: How::Reduced,
            covered_by: BTreeMap::new(),
            pairs: BTreeMap::new(),
        };
        if extension.existing.is_empty() {
            return extension;
        }
        let keys = Keys::of(earlier, roots);
        for record in &earlier.tests {
            let Some(file) = extension.existing.iter().find(|file| is_of(record, &file.class)) else {
                continue;
            };
            let pairs = pairs_of(&keys, record);
            // What refuses and what notices a mutant is pinned, whatever else covers the same.
            let method = record.name.split('#').nth(1).unwrap_or_default();
            let is_pinned = file.comments(method).iter().any(|line| merit::pins(line));
            if !pairs.is_empty() && !file.is_of_findings() && !is_pinned {
                let covering = (0..)
                    .zip(new)
                    .filter(|(_, new)| new.is_some_and(|new| pairs.is_subset(new)))
                    .map(|(place, _)| place);
                extension.covered_by.insert(record.name.clone(), covering.collect());
            }
            extension.pairs.entry(file.class.clone()).or_default().extend(pairs);
        }
        extension
    }

    /// The files to add to, while the new tests at these places are still to be written.
    pub fn files(&self, places: &[usize]) -> Vec<Existing> {
        match self.how {
            How::Beside => vec![],
            How::Whole => self.existing.clone(),
            How::Reduced => self.existing.iter().map(|file| self.reduced(file, places)).collect(),
        }
    }

    fn reduced(&self, file: &Existing, places: &[usize]) -> Existing {
        file.without(|method| {
            let covering = self.covered_by.get(&format!("{}#{method}", file.class));
            covering.is_some_and(|covering| covering.iter().any(|place| places.contains(place)))
        })
    }

    /// Whether there is something else to try; that is tried next.
    pub fn step_back(&mut self) {
        self.how = match self.how {
            How::Reduced if self.covered_by.values().any(|covering| !covering.is_empty()) => How::Whole,
            _ => How::Beside,
        };
    }

    /// Whether the tests of a replaced class cover all they covered before.
    pub fn keeps(&self, class: &str, recording: &Recording) -> bool {
        let Some(before) = self.pairs.get(class) else { return true };
        let keys = Keys::of(recording, &self.roots);
        let of_class = recording.tests.iter().filter(|record| is_of(record, class));
        let now: BTreeSet<PairKey> = of_class.flat_map(|record| pairs_of(&keys, record)).collect();
        before.is_subset(&now)
    }
}

/// How many tests of earlier runs these files leave out.
pub fn left_out(sources: &[Source]) -> usize {
    let before = |source: &Source| {
        let replaced = Existing::read(&source.path, source.replaces.as_ref()?)?;
        Some(replaced.methods().count() - source.kept.len())
    };
    sources.iter().filter_map(before).sum()
}

/// Whether a test is one of this class.
pub fn is_of(record: &TestRecord, class: &str) -> bool {
    record.name.split('#').next() == Some(class)
}

/// What a recording knows without the tests of these classes, which have been replaced.
pub fn forget(recording: &mut Recording, classes: &BTreeSet<String>) {
    recording.tests.retain(|record| !classes.iter().any(|class| is_of(record, class)));
    recording.classes.retain(|class, _| !classes.contains(class));
}

fn pairs_of(keys: &Keys, record: &TestRecord) -> BTreeSet<PairKey> {
    record.pairs.iter().filter_map(|&id| keys.get(id)).collect()
}
