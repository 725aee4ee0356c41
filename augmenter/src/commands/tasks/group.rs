//! Objectives put together to tasks, and the order of tasks. Knows nothing of sources, tests or words.
//!
//! Invariant: each objective is in one task; the order depends on the pairs alone.

use dynaflow_model::obstacle::Obstacle;
use dynaflow_objectives::{ObstacleText, PairText, Status, StepText};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// A line of a method; where lines are not known, an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site<'a> {
    /// Binary name.
    pub class: &'a str,
    /// Name and descriptor.
    pub method: &'a str,
    /// From 1; 0 when unknown.
    pub line: u32,
    /// Bytecode offset where no line is known, else 0.
    pub offset: u32,
}

impl<'a> Site<'a> {
    /// Of a place.
    pub fn new(class: &'a str, method: &'a str, line: u32, offset: u32) -> Self {
        Self { class, method, line, offset: if line == 0 { offset } else { 0 } }
    }
}

/// What a task is about: a state variable, a line of definition, and a line of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subject<'a> {
    /// Binary name of the root class.
    pub root: &'a str,
    /// The steps of the variable.
    pub steps: &'a [StepText],
    /// Where it is defined.
    pub definition: Site<'a>,
    /// Where it is used.
    pub usage: Site<'a>,
}

/// Objectives for one test, or a few.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// What it is about.
    pub subject: Subject<'a>,
    /// Its objectives, in the order of the document; never empty.
    pub pairs: Vec<&'a PairText>,
    /// How many pairs with this subject tests execute, in other contexts.
    pub covered: usize,
}

/// The pairs of a document that nothing executes, and the others, which are worth a task.
pub fn infeasible<'a>(
    pairs: impl Iterator<Item = &'a PairText>,
    obstacles: &[ObstacleText],
) -> (Vec<&'a PairText>, Vec<&'a PairText>) {
    let infeasible = obstacles.iter().filter(|met| met.obstacle == Obstacle::Infeasible);
    let infeasible: BTreeSet<&str> = infeasible.map(|met| met.pair.as_str()).collect();
    pairs.partition(|pair| infeasible.contains(pair.id.as_str()))
}

/// The tasks of some pairs, the most valuable first: of each root class in turn its best, and of each class, of each variable in turn its best. What no test
/// does in any context is better, then what has more objectives, then fewer steps, then what comes first by name and line. Near-linear in the pairs.
pub fn tasks<'a>(pairs: impl Iterator<Item = &'a PairText>) -> Vec<Task<'a>> {
    let mut by_subject: BTreeMap<Subject, Task> = BTreeMap::new();
    for pair in pairs {
        let subject = subject(pair);
        let task = by_subject.entry(subject).or_insert_with(|| Task { subject, pairs: vec![], covered: 0 });
        match pair.status {
            Status::Objective => task.pairs.push(pair),
            Status::Covered => task.covered += 1,
        }
    }
    let mut tasks: Vec<Task> = by_subject.into_values().filter(|task| !task.pairs.is_empty()).collect();
    tasks.sort_by_key(worth);
    in_turn(&mut tasks, |task| (task.subject.root, task.subject.steps));
    in_turn(&mut tasks, |task| task.subject.root);
    tasks
}

fn subject(pair: &PairText) -> Subject<'_> {
    let (definition, usage) = (&pair.definition, &pair.usage);
    Subject {
        root: &pair.root,
        steps: &pair.steps,
        definition: Site::new(&definition.class, &definition.method, definition.line, definition.offset),
        usage: Site::new(&usage.class, &usage.method, usage.line, usage.offset),
    }
}

fn worth<'a>(task: &Task<'a>) -> (bool, Reverse<usize>, usize, Subject<'a>) {
    (task.covered > 0, Reverse(task.pairs.len()), task.subject.steps.len(), task.subject)
}

/// Takes one of each kind in turn; of each kind, and of each turn, in the order that they have.
fn in_turn<'a, K: Ord>(tasks: &mut [Task<'a>], kind: impl Fn(&Task<'a>) -> K) {
    let mut seen: BTreeMap<K, usize> = BTreeMap::new();
    let mut turns: BTreeMap<Subject, usize> = BTreeMap::new();
    for task in tasks.iter() {
        let turn = seen.entry(kind(task)).or_default();
        turns.insert(task.subject, *turn);
        *turn += 1;
    }
    tasks.sort_by_key(|task| turns.get(&task.subject).copied());
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_objectives::{DefinitionText, KindText, UseText};
    use std::sync::Arc;

    fn pair(root: &str, variable: &str, line: u32, caller: &str) -> PairText {
        let definition = DefinitionText {
            class: root.into(),
            context: vec![format!("{root}.{caller}")],
            kind: KindText::Direct,
            line,
            method: "put()V".into(),
            offset: 1,
        };
        let usage = UseText { class: root.into(), line: 9, method: "get()I".into(), ..UseText::default() };
        let step = |name: &str| StepText { field: name.to_owned() };
        PairText {
            definition: Arc::new(definition),
            id: String::new(),
            iteration: 0,
            root: root.into(),
            status: Status::Objective,
            steps: variable.split('.').map(step).collect(),
            tests: vec![],
            usage: Arc::new(usage),
            variable: variable.into(),
        }
    }

    #[test]
    fn what_nothing_executes_stands_apart() {
        let named = |id: &str| PairText { id: id.into(), ..pair("a.A", "v", 1, "put()V") };
        let pairs = [named("1"), named("2"), named("3")];
        let met = |pair: &str, obstacle| ObstacleText { elsewhere: false, obstacle, pair: pair.into() };
        let obstacles =
            [met("2", Obstacle::Infeasible), met("3", Obstacle::Overwritten), met("9", Obstacle::Infeasible)];
        let (infeasible, others) = infeasible(pairs.iter(), &obstacles);
        let ids = |pairs: &[&PairText]| pairs.iter().map(|pair| pair.id.clone()).collect::<Vec<_>>();
        assert_eq!([ids(&infeasible), ids(&others)], [vec!["2".to_owned()], vec!["1".into(), "3".into()]]);
    }

    fn order(pairs: &[PairText]) -> Vec<String> {
        let text = |task: &Task| {
            let first = task.pairs[0];
            format!(
                "{} {} {} x{}",
                first.root,
                first.variable,
                task.subject.definition.line,
                task.pairs.len()
            )
        };
        tasks(pairs.iter()).iter().map(text).collect()
    }

    #[test]
    fn objectives_that_differ_in_contexts_are_one_task_and_covered_pairs_none() {
        let covered = PairText { status: Status::Covered, ..pair("a.B", "x", 3, "put()V") };
        let pairs = [pair("a.B", "x", 5, "put()V"), pair("a.B", "x", 5, "all()V"), covered];
        assert_eq!(order(&pairs), ["a.B x 5 x2"]);
    }

    #[test]
    fn what_no_test_does_in_any_context_comes_first() {
        let covered = PairText { status: Status::Covered, ..pair("a.B", "x", 5, "do()V") };
        let pairs = [
            covered,
            pair("a.B", "x", 5, "put()V"),
            pair("a.B", "x", 5, "all()V"),
            pair("a.B", "x", 6, "put()V"),
        ];
        assert_eq!(order(&pairs), ["a.B x 6 x1", "a.B x 5 x2"]);
    }

    #[test]
    fn more_objectives_come_first_then_shallow_variables_and_classes_and_variables_take_turns() {
        let pairs = [
            pair("a.B", "x.y", 5, "one()V"),
            pair("a.B", "x.y", 5, "two()V"),
            pair("a.B", "x.y", 6, "one()V"),
            pair("a.B", "x.y", 6, "two()V"),
            pair("a.B", "z.y", 5, "one()V"),
            pair("a.B", "z", 5, "one()V"),
            pair("a.C", "x", 5, "one()V"),
        ];
        let expected =
            ["a.B x.y 5 x2", "a.C x 5 x1", "a.B z 5 x1", "a.B z.y 5 x1", "a.B x.y 6 x2"].map(str::to_owned);
        assert_eq!(order(&pairs), expected);
    }
}
