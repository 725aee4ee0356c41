//! One sequence out of two: the calls that made a definition on an object, then the calls that made a use, on that object.
//!
//! In: two places of the corpus. Out: sequences in a fixed order, cheapest first. Knows nothing of scheduling. Invariant:
//! the definition's statement precedes the use's and both concern the object the plan names. The idea is the inference of
//! Denaro et al. section III-B taken literally: both halves have run, only their pairing is new.

mod alike;
mod mixed;
mod remade;
#[cfg(test)]
mod twin;

use crate::goal::{Corpus, Seen, Sites};
use crate::slice::{self, Assembly, Kept};
use dynaflow_model::descriptor;
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement};
use std::collections::BTreeMap;

/// How much of the test that showed the definition comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Before {
    /// What is connected with the object.
    Connected,
    /// The same, and the call of the definition once more.
    Repeated,
    /// Everything.
    Whole,
}

/// How much of the test that showed the use follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum After {
    /// The call of the use and what its arguments need.
    Last,
    /// All calls on the object since it was made.
    SinceCreation,
    /// Everything but the making of the object.
    Whole,
    /// Everything connected, the making of its own object included: for state that is static.
    Own,
}

/// How two tests are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Shape {
    /// The test of the definition, then that of the use.
    Follow(Before, After),
    /// The test of the use, with the call of the definition just before its last call: for uses that need a state which
    /// the other test does not bring about, and whose making would overwrite the definition.
    Between,
    /// The test of the definition, then the last call of the other one with what the call of the definition was given where both take the same types: for state
    /// that is kept under a name or at a place.
    Alike,
    /// The test of the use up to its last call, its object then handed to the call of the definition in place of an argument, and the last call on
    /// the object of the definition: for state that a definition takes over from another object (`new Tree(other)`, `addAll(other)`).
    Handed,
    /// The test of the use, with its object made by the constructor that makes the definition, from what the test of the use passes where that is of
    /// the same type: for definitions of one constructor whose uses need what is passed to another.
    Remade,
}

/// The shapes tried for one pair of places, cheapest first.
const SHAPES: [Shape; 9] = [
    Shape::Follow(Before::Connected, After::Last),
    Shape::Between,
    Shape::Alike,
    Shape::Follow(Before::Connected, After::SinceCreation),
    Shape::Follow(Before::Repeated, After::Last),
    Shape::Remade,
    Shape::Handed,
    Shape::Follow(Before::Whole, After::Last),
    Shape::Follow(Before::Whole, After::Whole),
];

/// A splice to be made. Plans are made in this order: rank, then length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Plan {
    rank: u32,
    cost: u32,
    pub(crate) goal: PairKey,
    definition: Seen,
    usage: Seen,
    /// The variables that are to be one: in the definition's test and in the use's. None for static state.
    anchors: Option<(u32, u32)>,
    pub(crate) shape: Shape,
    /// Those of the goal.
    pub(crate) sites: Sites,
}

/// What a plan makes, whatever it is for.
pub(crate) type Made = ((usize, u32), (usize, u32), Option<(u32, u32)>, Shape);

impl Plan {
    /// Plans for which this is the same make the same sequence.
    pub(crate) fn made(&self) -> Made {
        let place = |seen: Seen| (seen.specimen, seen.statement);
        (place(self.definition), place(self.usage), self.anchors, self.shape)
    }
}

/// All plans for a pair of places of a goal, which has a pair and sites, and whose root class is `root`; `farther` is how many pairs are cheaper.
pub(crate) fn plans(
    (goal, sites): (PairKey, Sites),
    root: &str,
    corpus: &Corpus,
    places: (Seen, Seen),
    farther: u32,
) -> Vec<Plan> {
    let (definition, usage) = places;
    let cost = definition.cost.saturating_add(usage.cost);
    let pairs = anchor_pairs(corpus, root, definition, usage);
    let static_rank = if pairs.is_empty() { 0 } else { 9 };
    let plan = |rank, anchors, shape| Plan { rank, cost, goal, definition, usage, anchors, shape, sites };
    let mut found = vec![];
    for (order, anchors) in (0u32..).zip(pairs) {
        for (shape_rank, shape) in (0u32..).zip(SHAPES) {
            let rank = shape_rank * 2 + order * 3 + farther * 3;
            found.push(plan(rank, Some(anchors), shape));
        }
    }
    found.push(plan(static_rank + farther * 3, None, Shape::Follow(Before::Connected, After::Own)));
    found
}

/// The variables that could hold the object the fact is about: the root itself, or what the outermost call was made on.
fn anchors(corpus: &Corpus, root_class: &str, seen: Seen) -> Vec<u32> {
    let Some(specimen) = corpus.get(seen.specimen) else { return vec![] };
    let Some(statement) = slice::at(&specimen.sequence, seen.statement) else { return vec![] };
    let made = match &statement.operation {
        Operation::New { constructor, .. } => constructor.owner == root_class,
        _ => statement.runtime_class.as_deref() == Some(root_class),
    };
    let receiver = match &statement.operation {
        Operation::Call { receiver: Some(Arg::Var(receiver)), .. } => Some(*receiver),
        _ => None,
    };
    let root = seen.root.or(made.then_some(seen.statement));
    let mut found: Vec<u32> = root.into_iter().collect();
    found.extend(receiver.filter(|r| Some(*r) != root));
    found
}

/// Pairs of variables that may be made one. The roots go together, and so do receivers of the same static class.
fn anchor_pairs(corpus: &Corpus, root: &str, definition: Seen, usage: Seen) -> Vec<(u32, u32)> {
    let class = |seen: Seen, variable: u32| {
        let statement = slice::at(&corpus.get(seen.specimen)?.sequence, variable)?;
        statement.runtime_class.clone().or_else(|| descriptor::class_of(&statement.result))
    };
    let mut found = vec![];
    for a in anchors(corpus, root, definition) {
        for b in anchors(corpus, root, usage) {
            // The use must follow the making of its object, or there is nothing to replace.
            let same_kind = class(definition, a) == class(usage, b);
            let both_roots = definition.root == Some(a) && usage.root == Some(b);
            if b < usage.statement && (same_kind || both_roots) {
                found.push((a, b));
            }
        }
    }
    found
}

/// Makes the sequence of a plan. None when the plan turns out to make no sense. It may hold opaque statements and is not
/// checked for types.
pub(crate) fn make(plan: &Plan, corpus: &Corpus) -> Option<Sequence> {
    let first: &Sequence = &corpus.get(plan.definition.specimen)?.sequence;
    let second: &Sequence = &corpus.get(plan.usage.specimen)?.sequence;
    match plan.shape {
        Shape::Follow(how_before, how_after) => {
            let mut assembly = Assembly::default();
            let names = before(&mut assembly, first, plan, how_before);
            let renamed = match plan.anchors {
                Some((a, b)) => BTreeMap::from([(b, *names.get(&a)?)]),
                None => BTreeMap::new(),
            };
            let held = plan.anchors.map(|(_, b)| b);
            assembly.append(second, &after(second, plan.usage.statement, held, how_after), renamed);
            Some(assembly.sequence)
        }
        Shape::Between => between(first, second, plan),
        Shape::Alike => {
            let (definition, anchors) = (plan.definition.statement, plan.anchors?);
            let mut assembly = Assembly::default();
            let names = before(&mut assembly, first, plan, Before::Connected);
            let usage = (second, plan.usage.statement);
            alike::append(&mut assembly, (first, definition, &names), usage, anchors)?;
            Some(assembly.sequence)
        }
        Shape::Handed => handed(first, second, plan),
        Shape::Remade => {
            let (a, b) = plan.anchors?;
            let definition = plan.definition.statement;
            let usage = plan.usage.statement;
            (a == definition).then(|| remade::remade((first, definition), (second, usage), b))?
        }
    }
}

fn handed(first: &Sequence, second: &Sequence, plan: &Plan) -> Option<Sequence> {
    let (a, b) = plan.anchors?;
    let (definition, usage) = (plan.definition.statement, plan.usage.statement);
    let passed = passed(slice::at(first, definition)?).filter(|&passed| passed != a)?;
    let mut assembly = Assembly::default();
    let names = assembly.append(second, &slice::state(second, usage, b), BTreeMap::new());
    let essential = Kept::from([definition, a]);
    let mut kept = slice::connected(first, &essential, definition.max(a), Some(passed));
    kept.remove(&passed);
    let kept = slice::rebuilt(first, kept, essential, Some(passed));
    let of_definition = assembly.append(first, &kept, BTreeMap::from([(passed, *names.get(&b)?)]));
    let mut names = names;
    names.insert(b, *of_definition.get(&a)?);
    assembly.append(second, &Kept::from([usage]), names);
    Some(assembly.sequence)
}

/// The first object that a call is given.
fn passed(statement: &Statement) -> Option<u32> {
    let (Operation::New { args, .. } | Operation::Call { args, .. }) = &statement.operation else {
        return None;
    };
    args.iter().find_map(|arg| match arg {
        Arg::Var(index) => Some(*index),
        Arg::Value(_) => None,
    })
}

fn between(first: &Sequence, second: &Sequence, plan: &Plan) -> Option<Sequence> {
    let (a, b) = plan.anchors?;
    let (definition, usage) = (plan.definition.statement, plan.usage.statement);
    if a >= definition {
        return None;
    }
    let mut assembly = Assembly::default();
    let names = assembly.append(second, &slice::state(second, usage, b), BTreeMap::new());
    let renamed = BTreeMap::from([(a, *names.get(&b)?)]);
    assembly.append(first, &after(first, definition, Some(a), After::Last), renamed);
    assembly.append(second, &Kept::from([usage]), names);
    Some(assembly.sequence)
}

fn before(assembly: &mut Assembly, first: &Sequence, plan: &Plan, how: Before) -> BTreeMap<u32, u32> {
    let statement = plan.definition.statement;
    let anchor = plan.anchors.map(|(a, _)| a);
    let last = anchor.map_or(statement, |a| a.max(statement));
    let mut essential = Kept::from([statement]);
    essential.extend(anchor);
    let kept = match how {
        Before::Whole => (0..=last).collect(),
        Before::Connected | Before::Repeated => slice::connected(first, &essential, last, None),
    };
    let kept = slice::rebuilt(first, kept, essential, None);
    let names = assembly.append(first, &kept, BTreeMap::new());
    let again = slice::at(first, statement).is_some_and(|s| matches!(s.operation, Operation::Call { .. }));
    if how == Before::Repeated && again {
        assembly.append(first, &Kept::from([statement]), names.clone());
    }
    names
}

/// What follows up to the statement `last` when `held` is replaced by another object.
fn after(second: &Sequence, last: u32, held: Option<u32>, how: After) -> Kept {
    let essential = Kept::from([last]);
    let mut kept: Kept = match how {
        After::Last | After::Own => slice::connected(second, &essential, last, held),
        After::SinceCreation => slice::connected(second, &touching(second, held, last), last, held),
        After::Whole => (0..=last).collect(),
    };
    if let Some(held) = held {
        kept.remove(&held);
    }
    slice::rebuilt(second, kept, essential, held)
}

/// The statements up to `last` that mention the held variable, and `last`.
fn touching(sequence: &Sequence, held: Option<u32>, last: u32) -> Kept {
    let all = (0..=last).zip(&sequence.statements);
    let mention = all.filter(|(_, s)| slice::mentions(s).any(|m| Some(m) == held)).map(|(index, _)| index);
    mention.chain([last]).collect()
}
