//! Slices by removal: a statement may be left out when what is asked about turns out the same without it. Every subset of a
//! small random sequence is run on a model of objects whose state is all that ever happened to them.
//!
//! Knows nothing of how slices are found. Invariant: nothing here follows references but the model that runs a subset.

use super::{Kept, around, close, connected, rebuildable, without};
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement, Value};
use dynaflow_model::sites::{CallKind, MethodRef};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A small generator: the same seed gives the same sequences.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 33) % u64::from(bound)).unwrap()
    }

    fn arg(&mut self, index: u32) -> Arg {
        if index == 0 || self.below(4) == 0 { Arg::Value(Value::Null) } else { Arg::Var(self.below(index)) }
    }

    /// A sequence of a few statements on two classes; its statements are distinguished by the names of the methods.
    pub(crate) fn sequence(&mut self, label: char) -> Sequence {
        let length = 2 + self.below(6);
        let statements = (0..length).map(|index| self.statement(label, index)).collect();
        Sequence { statements }
    }

    fn statement(&mut self, label: char, index: u32) -> Statement {
        let class = if self.below(3) == 0 { "a.Middle" } else { "a.Outer" };
        let descriptor = format!("L{};", class.replace('.', "/"));
        let args: Vec<Arg> = (0..self.below(3)).map(|_| self.arg(index)).collect();
        let kinds: String =
            args.iter().map(|_| ["La/Middle;", "La/Outer;"][self.below(2) as usize]).collect();
        let method = |name: String| {
            let descriptor = format!("({kinds}){descriptor}");
            MethodRef { owner: class.into(), name, descriptor }
        };
        let operation = match self.below(7) {
            0 => Operation::Opaque(format!("{label}{index}")),
            1 | 2 => Operation::New { constructor: method(format!("{label}{index}")), args },
            3 => Operation::Call {
                method: method(format!("{label}{index}")),
                kind: CallKind::Static,
                receiver: None,
                args,
            },
            _ => {
                let receiver = Some(self.arg(index));
                Operation::Call {
                    method: method(format!("{label}{index}")),
                    kind: CallKind::Virtual,
                    receiver,
                    args,
                }
            }
        };
        let runtime_class = (self.below(4) != 0).then(|| class.to_owned());
        Statement { operation, result: descriptor, runtime_class, caught: None }
    }
}

/// The variables a statement mentions.
pub(crate) fn variables(statement: &Statement) -> Vec<u32> {
    let variable = |arg: &&Arg| match arg {
        Arg::Var(index) => Some(*index),
        Arg::Value(_) => None,
    };
    statement.operation.args().iter().filter_map(variable).collect()
}

/// Runs the kept statements. What a statement mentions is one cluster of objects afterwards, with a state made of the
/// statement and of the states before; what is held belongs to somebody else and says nothing. Gives the state of each
/// variable at the end, or none when a statement lacks a variable.
pub(crate) fn run(sequence: &Sequence, kept: &Kept, held: Option<u32>) -> Option<BTreeMap<u32, u64>> {
    let mut states: BTreeMap<u32, u64> = BTreeMap::new();
    let mut clusters: BTreeMap<u32, u32> = BTreeMap::new();
    for (index, statement) in (0u32..).zip(&sequence.statements).filter(|(index, _)| kept.contains(index)) {
        let mut hasher = DefaultHasher::new();
        index.hash(&mut hasher);
        let mut joined = vec![];
        for variable in variables(statement).into_iter().filter(|v| Some(*v) != held) {
            states.get(&variable)?.hash(&mut hasher);
            joined.push(clusters[&variable]);
        }
        clusters.insert(index, index);
        clusters.values_mut().filter(|cluster| joined.contains(cluster)).for_each(|cluster| *cluster = index);
        let state = hasher.finish();
        let members = clusters.iter().filter(|(_, cluster)| **cluster == index);
        states.extend(members.map(|(member, _)| (*member, state)));
    }
    Some(states)
}

/// All sets of the given statements.
fn subsets(of: &Kept) -> impl Iterator<Item = Kept> {
    (0..1u32 << of.len())
        .map(|bits| of.iter().zip(0..).filter(|(_, at)| bits >> at & 1 == 1).map(|(i, _)| *i).collect())
}

fn all(sequence: &Sequence, held: Option<u32>) -> Kept {
    (0..u32::try_from(sequence.statements.len()).unwrap()).filter(|index| Some(*index) != held).collect()
}

/// The least set with the statements asked for that passes.
fn least(of: &Kept, asked: &Kept, passes: impl Fn(&Kept) -> bool) -> Kept {
    let mut least = of.clone();
    for subset in subsets(of).filter(|subset| subset.is_superset(asked)).filter(|subset| passes(subset)) {
        least = least.intersection(&subset).copied().collect();
    }
    assert!(passes(&least), "there is a least one: {least:?}");
    least
}

/// The greatest set that passes, if sets that pass can be put together.
pub(crate) fn greatest(of: &Kept, passes: impl Fn(&Kept) -> bool) -> Kept {
    let greatest: Kept = subsets(of).filter(|subset| passes(subset)).flatten().collect();
    assert!(passes(&greatest), "there is a greatest one: {greatest:?}");
    greatest
}

/// The least set with the statements asked for that runs.
pub(crate) fn naive_close(sequence: &Sequence, asked: &Kept, held: Option<u32>) -> Kept {
    least(&all(sequence, held), asked, |subset| run(sequence, subset, held).is_some())
}

/// The least set up to `last` after which the variables asked about have the states they have after everything up to `last`.
pub(crate) fn naive_connected(sequence: &Sequence, asked: &Kept, last: u32, held: Option<u32>) -> Kept {
    let before: Kept = all(sequence, held).into_iter().filter(|index| *index <= last).collect();
    let expected = run(sequence, &before, held).unwrap();
    least(&before, asked, |subset| {
        run(sequence, subset, held).is_some_and(|states| asked.iter().all(|v| states[v] == expected[v]))
    })
}

/// The kept statements with their references counted anew.
fn renumbered(sequence: &Sequence, kept: &Kept) -> Sequence {
    let place = |old: u32| u32::try_from(kept.iter().position(|k| *k == old).unwrap()).unwrap();
    let mut statements: Vec<Statement> =
        kept.iter().map(|index| sequence.statements[*index as usize].clone()).collect();
    for arg in statements.iter_mut().flat_map(|statement| statement.operation.args_mut()) {
        if let Arg::Var(index) = arg {
            *index = place(*index);
        }
    }
    Sequence { statements }
}

/// Some of the statements up to one, never the held one.
fn some(random: &mut Random, last: u32, held: Option<u32>) -> Kept {
    (0..=last).filter(|index| Some(*index) != held && random.below(4) == 0).collect()
}

#[test]
fn a_slice_is_the_least_part_that_leaves_what_is_asked_about_as_it_was() {
    let (mut larger, mut smaller) = (0, 0);
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let sequence = random.sequence('f');
        let length = u32::try_from(sequence.statements.len()).unwrap();
        let last = random.below(length);
        let held = (random.below(2) == 0).then(|| random.below(length));
        let mut asked = some(&mut random, last, held);
        asked.extend(Some(last).filter(|last| Some(*last) != held));
        let mut closed = asked.clone();
        close(&sequence, &mut closed, held);
        assert_eq!(closed, naive_close(&sequence, &asked, held), "{asked:?} {held:?} {sequence:#?}");
        let slice = connected(&sequence, &asked, last, held);
        assert_eq!(slice, naive_connected(&sequence, &asked, last, held), "{asked:?} {held:?} {sequence:#?}");
        larger += usize::from(slice.len() > closed.len());
        smaller += usize::from(slice.len() < last as usize);
    }
    assert!(larger > 100 && smaller > 200, "both happen: {larger} {smaller}");
}

#[test]
fn what_is_around_an_object_is_the_least_part_that_leaves_it_as_it_was() {
    let mut smaller = 0;
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let sequence = random.sequence('f');
        let last = random.below(u32::try_from(sequence.statements.len()).unwrap());
        let index = random.below(last + 1);
        let kept = naive_connected(&sequence, &Kept::from([index]), last, None);
        assert_eq!(
            around(&sequence, index, last),
            renumbered(&sequence, &kept),
            "{index} {last} {sequence:#?}"
        );
        smaller += usize::from(kept.len() < last as usize + 1);
    }
    assert!(smaller > 200, "{smaller}");
}

#[test]
fn what_stays_without_some_statements_is_the_greatest_part_that_runs_without_them() {
    let mut lost = 0;
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let sequence = random.sequence('f');
        let every = all(&sequence, None);
        let dropped = some(&mut random, u32::try_from(every.len()).unwrap() - 1, None);
        let runs = |subset: &Kept| run(&sequence, subset, None).is_some();
        let kept = greatest(&every, |subset| subset.is_disjoint(&dropped) && runs(subset));
        assert_eq!(without(&sequence, &dropped), renumbered(&sequence, &kept), "{dropped:?} {sequence:#?}");
        lost += usize::from(kept.len() + dropped.len() < every.len());
        let is_opaque = |i: &u32| matches!(sequence.statements[*i as usize].operation, Operation::Opaque(_));
        let plain = greatest(&every, |subset| !subset.iter().any(is_opaque) && runs(subset));
        assert_eq!(rebuildable(&sequence), renumbered(&sequence, &plain), "{sequence:#?}");
    }
    assert!(lost > 200, "statements that need dropped ones go with them: {lost}");
}
