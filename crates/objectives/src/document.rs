//! The `pairs` document of a recording: which pairs, facts and blocks it shows and in which order, as ids and positions.
//!
//! Knows nothing of JSON; `write` turns it into that. Invariants: equal facts give equal documents, whatever their ids;
//! memory grows with the facts, not with their texts, which are made one entry at a time while the document is written.

use crate::blocks::{BlockFacts, Blocks};
use crate::findings::FindingText;
use crate::identity::{SiteKey, pair_key, site_key};
use crate::infer::infer;
use crate::schema::{DeclinedText, Iteration, LeftOutText, NotWrittenText, ObstacleText, Status, StoppedBy};
use crate::spell::Speller;
use crate::tables::{Mentioned, Tables};
use dynaflow_model::facts::{DefAtExit, Pair, Recording, TestRecord, UseAtEntry, VariableId};
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sites::Declined;
use std::collections::BTreeSet;

/// A pair of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The pair, in the ids of the recording.
    pub pair: Pair,
    /// Covered or objective.
    pub status: Status,
    /// The first iteration that covered the pair (0: the seed suite), or that inferred the objective.
    pub iteration: u32,
    /// Position of the tests that execute it in [`PairsView::test_sets`].
    pub(crate) tests: u32,
}

/// The document.
#[derive(Debug)]
pub struct PairsView<'a> {
    /// Covered pairs and objectives, sorted by root, variable, definition and use.
    pub pairs: Vec<Entry>,
    /// The iterations of an augmentation; empty when none ran.
    pub iterations: Vec<Iteration>,
    /// Failures that tests of an augmentation reveal; none when none ran.
    pub findings: Option<Vec<FindingText>>,
    /// Call sequences that an augmentation ran and did not write.
    pub left_out: Vec<LeftOutText>,
    /// Tests that an augmentation did not write for what they do.
    pub not_written: Vec<NotWrittenText>,
    /// Targets of an augmentation of which nothing came, with the reason.
    pub nothing_found: Vec<DeclinedText>,
    /// What kept an augmentation from executing the objectives that are open.
    pub obstacles: Vec<ObstacleText>,
    /// What ended the augmentation; none when none ran.
    pub stopped_by: Option<StoppedBy>,
    pub(crate) speller: Speller<'a>,
    pub(crate) tables: Tables,
    pub(crate) exits: Vec<DefAtExit>,
    pub(crate) entries: Vec<UseAtEntry>,
    pub(crate) blocks: Option<Vec<BlockFacts>>,
    pub(crate) tests: Vec<&'a str>,
    pub(crate) test_sets: Vec<Vec<u32>>,
}

impl<'a> PairsView<'a> {
    /// Everything known about the root classes that `roots` selects: their pairs, objectives and facts. Iterations are
    /// empty and every `iteration` is 0; an augmentation fills them in. Near-linear in what it holds.
    pub fn new(recording: &'a Recording, roots: impl Fn(&str) -> bool) -> Self {
        let speller = Speller::new(recording);
        let facts = &recording.facts;
        let wants = |variable: VariableId| roots(speller.root(variable));
        let blocks = Blocks::of(&speller, &roots);
        let (pairs, tests, test_sets) = pairs(recording, &roots);
        let exits: Vec<_> = facts.exits.iter().map(|(_, f)| *f).filter(|f| wants(f.variable)).collect();
        let entries: Vec<_> = facts.entries.iter().map(|(_, f)| *f).filter(|f| wants(f.variable)).collect();
        let mut mentioned = Mentioned::default();
        for Pair { variable, definition, usage } in pairs.iter().map(|entry| entry.pair) {
            mentioned.add(variable, Some(definition), Some(usage));
        }
        for fact in &exits {
            mentioned.add(fact.variable, Some(fact.definition), None);
            mentioned.methods.insert(fact.method);
        }
        for fact in &entries {
            mentioned.add(fact.variable, None, Some(fact.usage));
            mentioned.methods.insert(fact.method);
        }
        if let Some(blocks) = &blocks {
            blocks.mention(&speller, &mut mentioned);
        }
        let tables = Tables::new(&speller, mentioned);
        let blocks = blocks.map(|blocks| blocks.placed(&tables));
        let (iterations, left_out, not_written, nothing_found) = (vec![], vec![], vec![], vec![]);
        let stopped_by = None;
        let mut view = Self {
            pairs,
            iterations,
            findings: None,
            left_out,
            not_written,
            nothing_found,
            obstacles: vec![],
            stopped_by,
            speller,
            tables,
            exits,
            entries,
            blocks,
            tests,
            test_sets,
        };
        view.sort();
        view
    }

    /// Brings pairs and facts into the order of their texts, see `docs/pairs.schema.json`.
    fn sort(&mut self) {
        let (tables, speller) = (&self.tables, &self.speller);
        let at = |p: Pair| {
            (tables.variables.at(p.variable), tables.definitions.at(p.definition), tables.uses.at(p.usage))
        };
        self.pairs.sort_by_key(|entry| (at(entry.pair), entry.status));
        // Of facts the variable comes last, and of it the steps before the short name.
        let by_steps = |a: VariableId, b: VariableId| {
            let root = || speller.root(a).cmp(speller.root(b));
            root().then_with(|| speller.step_names(a).cmp(speller.step_names(b)))
        };
        let class = |method| speller.method(method).0;
        let signature = |method| speller.method(method).1;
        self.exits.sort_by(|a, b| {
            let place = |f: &DefAtExit| {
                (class(f.method), tables.definitions.at(f.definition), f.exit, signature(f.method))
            };
            place(a).cmp(&place(b)).then_with(|| by_steps(a.variable, b.variable))
        });
        self.entries.sort_by(|a, b| {
            let place = |f: &UseAtEntry| (class(f.method), signature(f.method));
            let uses = || tables.uses.at(a.usage).cmp(&tables.uses.at(b.usage));
            place(a).cmp(&place(b)).then_with(|| by_steps(a.variable, b.variable)).then_with(uses)
        });
    }

    /// How many pairs have this status.
    pub fn count(&self, status: Status) -> usize {
        self.pairs.iter().filter(|entry| entry.status == status).count()
    }

    /// The binary name of the root class of a pair.
    pub fn root(&self, entry: &Entry) -> &'a str {
        self.speller.root(entry.pair.variable)
    }

    /// The key of a pair, which is its id in the document.
    pub fn key(&self, entry: &Entry) -> PairKey {
        let recording = self.speller.recording;
        pair_key(&recording.facts, &recording.classes, &entry.pair)
    }

    /// What a pair is without its root, the path from there, and contexts.
    pub fn site(&self, entry: &Entry) -> SiteKey {
        site_key(self.speller.facts(), &entry.pair)
    }

    /// Definition and use of a pair, each as class, method and line.
    pub fn places(&self, entry: &Entry) -> Option<[(&'a str, &'a str, u32); 2]> {
        let facts = self.speller.facts();
        let of = |place| {
            let (class, method, _, line) = self.speller.place(place);
            (class, method, line)
        };
        let definition = facts.definitions.get(entry.pair.definition)?.place;
        Some([of(definition), of(facts.uses.get(entry.pair.usage)?.place)])
    }

    /// The names of the tests that execute a pair, sorted.
    pub fn tests_of(&self, entry: &Entry) -> impl ExactSizeIterator<Item = &'a str> + '_ {
        let set = self.test_sets.get(entry.tests as usize).map_or([].as_slice(), Vec::as_slice);
        set.iter().map(|&test| self.tests.get(test as usize).copied().unwrap_or_default())
    }

    pub(crate) fn declined(&self) -> Vec<DeclinedText> {
        let text = |d: &Declined| DeclinedText { class: d.class.clone(), reason: d.reason.clone() };
        sorted(self.speller.recording.declined.iter().map(text).collect())
    }

    pub(crate) fn notes(&self) -> Vec<&'a str> {
        sorted(self.speller.recording.notes.iter().map(String::as_str).collect())
    }
}

/// The pairs, the names of the tests that execute them, and which sets of these do.
type Pairs<'a> = (Vec<Entry>, Vec<&'a str>, Vec<Vec<u32>>);

fn pairs<'a>(recording: &'a Recording, roots: &impl Fn(&str) -> bool) -> Pairs<'a> {
    let facts = &recording.facts;
    let root = |pair: &Pair| facts.variables.get(pair.variable).map_or("", |v| facts.text(v.root));
    let covered: Vec<bool> = facts.pairs.iter().map(|(_, pair)| roots(root(pair))).collect();
    let (tests, by_pair) = tests_by_pair(recording, &covered);
    let objectives = infer(recording, roots);
    let mut sets: BTreeSet<&[u32]> = by_pair.iter().map(Vec::as_slice).collect();
    sets.insert(&[]);
    let sets: Vec<&[u32]> = sets.into_iter().collect();
    let at =
        |set: &[u32]| sets.binary_search(&set).ok().and_then(|at| u32::try_from(at).ok()).unwrap_or_default();
    let entry = |pair, status, tests| Entry { pair, status, iteration: 0, tests };
    let all = facts.pairs.iter().zip(&by_pair).zip(covered).filter(|(_, covered)| *covered);
    let covered = all.map(|(((_, pair), tests), _)| entry(*pair, Status::Covered, at(tests)));
    let all = covered.chain(objectives.into_iter().map(|pair| entry(pair, Status::Objective, 0))).collect();
    (all, tests, sets.into_iter().map(<[u32]>::to_vec).collect())
}

/// The names of the tests that execute wanted pairs, sorted, and for each pair the positions of those that execute it; what happened
/// outside tests has no name.
fn tests_by_pair<'a>(recording: &'a Recording, wanted: &[bool]) -> (Vec<&'a str>, Vec<Vec<u32>>) {
    let mut records: Vec<&TestRecord> = recording.tests.iter().filter(|test| !test.name.is_empty()).collect();
    records.sort_by(|a, b| a.name.cmp(&b.name));
    let mut names: Vec<&str> = vec![];
    let mut by_pair: Vec<Vec<u32>> = vec![vec![]; wanted.len()];
    for test in records {
        for id in test.pairs.iter().filter(|id| wanted.get(id.index()) == Some(&true)) {
            if names.last() != Some(&test.name.as_str()) {
                names.push(&test.name);
            }
            let number = u32::try_from(names.len() - 1).unwrap_or(u32::MAX);
            if let Some(list) = by_pair.get_mut(id.index())
                && list.last() != Some(&number)
            {
                list.push(number);
            }
        }
    }
    (names, by_pair)
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list.dedup();
    list
}
