//! What two documents differ in: pairs lost, pairs gained, new objectives, and pairs that only go another way now.
//!
//! Knows nothing of files. Invariant: a pair is in one list at most; pairs of classes with the same bytes are compared by their ids, others by what a change
//! elsewhere in the class leaves as it is. A pair has moved only if another of the same calls vanished or appeared on the other side, so that a list of moved
//! pairs is never there alone.

use dynaflow_objectives::{KindText, PairText, PairsDocument, Status};
use std::collections::{BTreeMap, BTreeSet};

/// Pairs before and after the change between the same calls on the same root: code below these calls changed, what flows from one to the other did not.
#[derive(Debug, Default)]
pub struct Moved<'a> {
    pub before: Vec<&'a PairText>,
    pub now: Vec<&'a PairText>,
}

/// The difference. Each list is in the order of its document.
#[derive(Debug, Default)]
pub struct Difference<'a> {
    /// Covered before and not now.
    pub lost: Vec<&'a PairText>,
    /// Covered now and not before.
    pub gained: Vec<&'a PairText>,
    /// Objectives that nobody knew before.
    pub open: Vec<&'a PairText>,
    /// Covered before and now, by other methods below the same calls.
    pub moved: Moved<'a>,
    /// Objectives before and now, by other methods below the same calls.
    pub moved_open: Moved<'a>,
    /// Covered before, of classes that are not there any more.
    pub gone: usize,
}

/// The two calls on a root between which a pair lies, and the variable. Calls by their names, as a change gives methods other parameters.
type Flow<'a> = (&'a str, &'a str, &'a str, &'a str);

fn flow(pair: &PairText) -> Flow<'_> {
    fn name<'a>(context: &'a [String], method: &'a str) -> &'a str {
        let outermost = context.first().map_or(method, String::as_str);
        outermost.split('(').next().unwrap_or(outermost)
    }
    let (definition, usage) = (&pair.definition, &pair.usage);
    let writer = name(&definition.context, &definition.method);
    (&pair.root, &pair.variable, writer, name(&usage.context, &usage.method))
}

/// Takes those out of both lists that vanished and appeared between the same calls.
fn take_moved<'a>(
    (before, has_vanished): (&mut Vec<&'a PairText>, impl Fn(&'a PairText) -> bool),
    (now, has_appeared): (&mut Vec<&'a PairText>, impl Fn(&'a PairText) -> bool),
) -> Moved<'a> {
    let vanished: BTreeSet<Flow> =
        before.iter().filter(|pair| has_vanished(pair)).map(|pair| flow(pair)).collect();
    let appeared: BTreeSet<Flow> =
        now.iter().filter(|pair| has_appeared(pair)).map(|pair| flow(pair)).collect();
    let both: BTreeSet<Flow> = vanished.intersection(&appeared).copied().collect();
    Moved {
        before: before.extract_if(.., |pair| has_vanished(pair) && both.contains(&flow(pair))).collect(),
        now: now.extract_if(.., |pair| has_appeared(pair) && both.contains(&flow(pair))).collect(),
    }
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

/// The classes that a pair is about, those of the calls in between included: a change of these changes its id, too.
fn classes(pair: &PairText) -> impl Iterator<Item = &str> {
    let frames = pair.definition.context.iter().chain(&pair.usage.context);
    let callers = frames.filter_map(|frame| Some(frame.split_once('(')?.0.rsplit_once('.')?.0));
    [pair.root.as_str(), &pair.definition.class, &pair.usage.class].into_iter().chain(callers)
}

/// Whether one of the classes that the pair lies in is not there any more.
fn is_gone(pair: &PairText, head: &Side) -> bool {
    [&pair.root, &pair.definition.class, &pair.usage.class]
        .iter()
        .any(|class| !head.builds.contains_key(class.as_str()))
}

/// Compares the pairs of the root classes that are wanted. Near-linear in the pairs of both.
pub fn compare<'a>(
    base: &'a PairsDocument,
    head: &'a PairsDocument,
    wanted: impl Fn(&str) -> bool,
) -> Difference<'a> {
    let (base, head) = (Side::of(base, &wanted), Side::of(head, &wanted));
    let is_same = |pair: &PairText| {
        classes(pair).all(|class| {
            let build = base.builds.get(class);
            build.is_some() && build == head.builds.get(class)
        })
    };
    let mut lost: Vec<&PairText> =
        base.with(Status::Covered).filter(|pair| !head.covers(pair, is_same(pair))).collect();
    let gone = lost.extract_if(.., |pair| is_gone(pair, &head)).count();
    let mut gained: Vec<&PairText> =
        head.with(Status::Covered).filter(|pair| !base.covers(pair, is_same(pair))).collect();
    let mut closed: Vec<&PairText> =
        base.with(Status::Objective).filter(|pair| !head.knows(pair, is_same(pair))).collect();
    let mut open: Vec<&PairText> =
        head.with(Status::Objective).filter(|pair| !base.knows(pair, is_same(pair))).collect();
    // What the other side knows and does not execute is a matter of the tests; what it does not know, of the code.
    let vanished = |pair| !is_same(pair) && !head.knows(pair, false);
    let appeared = |pair| !is_same(pair) && !base.knows(pair, false);
    let moved = take_moved((&mut lost, vanished), (&mut gained, appeared));
    let moved_open = take_moved((&mut closed, vanished), (&mut open, appeared));
    Difference { lost, gained, open, moved, moved_open, gone }
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
            obstacles: vec![],
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

    /// The pair, used below another method in between.
    fn below(mut pair: PairText, method: &str) -> PairText {
        let usage = Arc::make_mut(&mut pair.usage);
        usage.context[0] = usage.context[0].replace('(', "(I");
        usage.context.push(format!("a.Box.{method}"));
        usage.method = method.into();
        pair
    }

    #[test]
    fn pairs_between_the_same_calls_of_a_changed_class_have_moved_and_are_neither_lost_nor_gained() {
        let base = [pair("1", 5, "get()I", Status::Covered), pair("2", 6, "peek()I", Status::Objective)];
        let head = [
            below(pair("7", 9, "get()I", Status::Covered), "check()V"),
            below(pair("8", 9, "peek()I", Status::Objective), "check()V"),
        ];
        let (base, changed) = (document("x", &base), document("y", &head));
        assert_eq!(between(&base, &changed), [NONE, NONE, NONE]);
        let Difference { moved, moved_open, .. } = compare(&base, &changed, |_| true);
        assert_eq!((ids(&moved.before), ids(&moved.now)), (vec!["1".to_owned()], vec!["7".to_owned()]));
        assert_eq!(
            (ids(&moved_open.before), ids(&moved_open.now)),
            (vec!["2".to_owned()], vec!["8".to_owned()])
        );
        let same = document("x", &head);
        let [lost, gained, open] = between(&base, &same);
        assert_eq!(
            (lost.len(), gained.len(), open.len()),
            (1, 1, 1),
            "the code did not change, so the tests did"
        );
    }

    #[test]
    fn what_the_changed_class_still_could_execute_is_lost_though_another_way_was_gained() {
        let base = [pair("1", 5, "get()I", Status::Covered)];
        let head = [
            pair("6", 9, "get()I", Status::Objective),
            below(pair("7", 9, "get()I", Status::Covered), "check()V"),
        ];
        let (base, head) = (document("x", &base), document("y", &head));
        assert_eq!(between(&base, &head), [vec!["1".to_owned()], vec!["7".to_owned()], NONE]);
    }

    #[test]
    fn a_way_that_only_vanished_or_only_appeared_has_not_moved() {
        let base = [pair("1", 5, "get()I", Status::Covered)];
        let both = [
            pair("6", 9, "get()I", Status::Covered),
            below(pair("7", 9, "get()I", Status::Covered), "check()V"),
        ];
        let (base, head) = (document("x", &base), document("y", &both));
        assert_eq!(between(&base, &head), [NONE, vec!["7".to_owned()], NONE]);
        assert_eq!(between(&head, &base), [vec!["7".to_owned()], NONE, NONE]);
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
