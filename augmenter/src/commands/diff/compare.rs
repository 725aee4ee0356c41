//! What two documents differ in: pairs lost, pairs gained, new objectives.
//!
//! Knows nothing of files. Invariant: a pair is in one list at most; pairs of classes with the same bytes are compared by their ids, others by what a change
//! elsewhere in the class leaves as it is.

use dynaflow_objectives::{KindText, PairText, PairsDocument, Status};
use std::collections::{BTreeMap, BTreeSet};

/// The difference. Each list is in the order of its document.
#[derive(Debug, Default)]
pub struct Difference<'a> {
    /// Covered before and not now.
    pub lost: Vec<&'a PairText>,
    /// Covered now and not before.
    pub gained: Vec<&'a PairText>,
    /// Objectives that nobody knew before.
    pub open: Vec<&'a PairText>,
    /// Covered before, of classes that are not there any more.
    pub gone: usize,
}

/// What a pair is known by where lines and offsets say nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Coarse<'a> {
    root: &'a str,
    variable: &'a str,
    kind: KindText,
    definition: (&'a str, &'a str, &'a [String]),
    usage: (&'a str, &'a str, &'a [String]),
}

impl<'a> Coarse<'a> {
    fn of(pair: &'a PairText) -> Self {
        let (definition, usage) = (&pair.definition, &pair.usage);
        Self {
            root: &pair.root,
            variable: &pair.variable,
            kind: definition.kind,
            definition: (&definition.class, &definition.method, &definition.context),
            usage: (&usage.class, &usage.method, &usage.context),
        }
    }
}

/// One side.
struct Side<'a> {
    pairs: Vec<&'a PairText>,
    builds: BTreeMap<&'a str, &'a str>,
    statuses: BTreeMap<&'a str, Status>,
    /// What is covered, and what is known at all.
    covered: BTreeSet<Coarse<'a>>,
    known: BTreeSet<Coarse<'a>>,
}

impl<'a> Side<'a> {
    fn of(document: &'a PairsDocument, wanted: &impl Fn(&str) -> bool) -> Self {
        let pairs: Vec<&PairText> = document.pairs.iter().filter(|pair| wanted(&pair.root)).collect();
        let builds =
            document.classes.iter().map(|build| (build.class.as_str(), build.build.as_str())).collect();
        let statuses = pairs.iter().map(|pair| (pair.id.as_str(), pair.status)).collect();
        let known = pairs.iter().map(|pair| Coarse::of(pair)).collect();
        let covered = pairs.iter().filter(|pair| pair.status == Status::Covered);
        let covered = covered.map(|pair| Coarse::of(pair)).collect();
        Self { pairs, builds, statuses, covered, known }
    }

    /// Whether the pair, which is of the other side, is covered here; `is_same`: its classes have the same bytes here.
    fn covers(&self, pair: &'a PairText, is_same: bool) -> bool {
        match self.statuses.get(pair.id.as_str()) {
            Some(status) => *status == Status::Covered,
            None => !is_same && self.covered.contains(&Coarse::of(pair)),
        }
    }

    fn knows(&self, pair: &'a PairText, is_same: bool) -> bool {
        self.statuses.contains_key(pair.id.as_str()) || !is_same && self.known.contains(&Coarse::of(pair))
    }

    fn with(&self, status: Status) -> impl Iterator<Item = &'a PairText> + '_ {
        self.pairs.iter().copied().filter(move |pair| pair.status == status)
    }
}

/// The classes that a pair is about.
fn classes(pair: &PairText) -> [&str; 3] {
    [&pair.root, &pair.definition.class, &pair.usage.class]
}

/// Compares the pairs of the root classes that are wanted. Near-linear in the pairs of both.
pub fn compare<'a>(
    base: &'a PairsDocument,
    head: &'a PairsDocument,
    wanted: impl Fn(&str) -> bool,
) -> Difference<'a> {
    let (base, head) = (Side::of(base, &wanted), Side::of(head, &wanted));
    let is_same = |pair: &PairText| {
        classes(pair).iter().all(|class| {
            let build = base.builds.get(class);
            build.is_some() && build == head.builds.get(class)
        })
    };
    let is_gone = |pair: &PairText| classes(pair).iter().any(|class| !head.builds.contains_key(class));
    let mut difference = Difference::default();
    for pair in base.with(Status::Covered).filter(|pair| !head.covers(pair, is_same(pair))) {
        if is_gone(pair) {
            difference.gone += 1;
        } else {
            difference.lost.push(pair);
        }
    }
    let gained = head.with(Status::Covered).filter(|pair| !base.covers(pair, is_same(pair)));
    difference.gained = gained.collect();
    let open = head.with(Status::Objective).filter(|pair| !base.knows(pair, is_same(pair)));
    difference.open = open.collect();
    difference
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_objectives::{BoundsText, ClassBuild, DefinitionText, UseText};
    use std::sync::Arc;

    /// A pair of `a.Box` on a line of `put`, with an id of its own.
    fn pair(id: &str, line: u32, reader: &str, status: Status) -> PairText {
        let frame = |method: &str| vec![format!("a.Box.{method}")];
        let definition = DefinitionText {
            class: "a.Box".into(),
            context: frame("put()V"),
            kind: KindText::Direct,
            line,
            method: "put()V".into(),
            offset: 2 * line,
        };
        let usage = UseText {
            class: "a.Box".into(),
            context: frame(reader),
            line: line + 10,
            method: reader.into(),
            offset: 1,
        };
        PairText {
            definition: Arc::new(definition),
            id: id.into(),
            iteration: 0,
            root: "a.Box".into(),
            status,
            steps: vec![],
            tests: vec![],
            usage: Arc::new(usage),
            variable: "held".into(),
        }
    }

    fn document(build: &str, pairs: &[PairText]) -> PairsDocument {
        let class = if build.is_empty() { "a.Other" } else { "a.Box" };
        PairsDocument {
            findings: None,
            block_tables: None,
            blocks: None,
            bounds_hit: BoundsText::default(),
            classes: vec![ClassBuild { build: build.into(), class: class.into() }],
            declined_classes: vec![],
            defs_at_exit: vec![],
            format: "dynaflow-pairs".into(),
            iterations: vec![],
            left_out: vec![],
            not_written: vec![],
            nothing_found: vec![],
            notes: vec![],
            pairs: pairs.to_vec(),
            stopped_by: None,
            uses_at_entry: vec![],
            version: 1,
        }
    }

    fn ids(pairs: &[&PairText]) -> Vec<String> {
        pairs.iter().map(|pair| pair.id.clone()).collect()
    }

    /// Ids of what was lost, gained and is open.
    fn between(base: &PairsDocument, head: &PairsDocument) -> [Vec<String>; 3] {
        let Difference { lost, gained, open, .. } = compare(base, head, |_| true);
        [ids(&lost), ids(&gained), ids(&open)]
    }

    const NONE: Vec<String> = vec![];

    #[test]
    fn pairs_of_a_class_with_the_same_bytes_are_compared_one_by_one() {
        let base = [pair("1", 5, "get()I", Status::Covered), pair("2", 6, "get()I", Status::Covered)];
        let head = [
            pair("1", 5, "get()I", Status::Covered),
            pair("2", 6, "get()I", Status::Objective),
            pair("3", 7, "get()I", Status::Objective),
        ];
        let (base, head) = (document("x", &base), document("x", &head));
        assert_eq!(between(&base, &head), [vec!["2".to_owned()], NONE, vec!["3".to_owned()]]);
        assert_eq!(between(&head, &base), [NONE, vec!["2".to_owned()], NONE]);
        assert_eq!(between(&base, &base), [NONE, NONE, NONE]);
    }

    #[test]
    fn shifted_lines_of_a_changed_class_do_not_matter_and_other_methods_do() {
        let base = [pair("1", 5, "get()I", Status::Covered), pair("2", 6, "peek()I", Status::Covered)];
        let head = [pair("7", 9, "get()I", Status::Covered), pair("8", 9, "take()I", Status::Objective)];
        let (base, head) = (document("x", &base), document("y", &head));
        assert_eq!(between(&base, &head), [vec!["2".to_owned()], NONE, vec!["8".to_owned()]]);
    }

    #[test]
    fn pairs_of_a_class_that_is_gone_are_counted_apart_and_roots_can_be_chosen() {
        let base = document("x", &[pair("1", 5, "get()I", Status::Covered)]);
        let head = document("", &[]);
        let difference = compare(&base, &head, |_| true);
        assert_eq!((difference.lost.len(), difference.gone), (0, 1));
        let none = compare(&base, &head, |root| root == "a.Other");
        assert_eq!(none.gone, 0);
    }
}
