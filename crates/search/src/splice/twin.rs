//! Splices put together by their definition: the parts found by trying every subset, every reference followed by hand.
//!
//! Knows nothing of assemblies. Invariant: a statement of a splice is known by the test and the place it was taken from.

use super::{After, Before, Plan, SHAPES, Shape, make, plans};
use crate::goal::{Corpus, Seen, Specimen};
use crate::slice::Kept;
use crate::slice::twin::{Random, greatest, naive_close, naive_connected, run, variables};
use dynaflow_model::pair_key::PairKey;
use dynaflow_model::sequence::{Arg, Operation, Sequence};
use std::collections::{BTreeMap, BTreeSet};

const ROOT: &str = "a.Outer";

/// A statement by where it was taken from: the test (0 the definition's, 1 the use's) and its index there.
type Taken = (usize, u32);

/// Without opaque statements and what cannot run without them, but for what the essential ones need.
fn stripped(of: &Sequence, kept: Kept, essential: &Kept, held: Option<u32>) -> Kept {
    let needed = naive_close(of, essential, held);
    let is_opaque = |index: &u32| matches!(of.statements[*index as usize].operation, Operation::Opaque(_));
    greatest(&kept, |subset| {
        // Of what the essential statements need, nothing is ever left out.
        let whole: Kept = subset.union(&needed).copied().collect();
        run(of, &whole, held).is_some()
            && subset.iter().all(|index| needed.contains(index) || !is_opaque(index))
    })
}

fn of_definition(first: &Sequence, plan: &Plan, how: Before) -> Vec<Taken> {
    let d = plan.definition.statement;
    let asked: Kept = plan.anchors.map(|(a, _)| a).into_iter().chain([d]).collect();
    let last = *asked.last().unwrap();
    let kept = match how {
        Before::Whole => (0..=last).collect(),
        Before::Connected | Before::Repeated => naive_connected(first, &asked, last, None),
    };
    let mut taken: Vec<Taken> = stripped(first, kept, &asked, None).into_iter().map(|i| (0, i)).collect();
    let is_call = matches!(first.statements[d as usize].operation, Operation::Call { .. });
    taken.extend((how == Before::Repeated && is_call).then_some((0, d)));
    taken
}

fn of_use(second: &Sequence, u: u32, held: Option<u32>, how: After) -> Kept {
    let before = (0..=u).filter(|index| Some(*index) != held);
    let kept = match how {
        After::Whole => before.collect(),
        After::Last | After::Own => naive_connected(second, &Kept::from([u]), u, held),
        After::SinceCreation => {
            let on_it = |i: &u32| variables(&second.statements[*i as usize]).iter().any(|v| Some(*v) == held);
            let asked: Kept = before.filter(on_it).chain([u]).collect();
            naive_connected(second, &asked, u, held)
        }
    };
    stripped(second, kept, &Kept::from([u]), held)
}

/// What a plan asks for, statement by statement; none when the object does not exist before the definition.
fn asked_for(plan: &Plan, tests: [&Sequence; 2]) -> Option<Vec<Taken>> {
    let [first, second] = tests;
    let u = plan.usage.statement;
    match plan.shape {
        Shape::Follow(how_before, how_after) => {
            let mut taken = of_definition(first, plan, how_before);
            let rest = of_use(second, u, plan.anchors.map(|(_, b)| b), how_after);
            taken.extend(rest.into_iter().map(|index| (1, index)));
            Some(taken)
        }
        Shape::Between => {
            let (a, b) = plan.anchors?;
            let d = plan.definition.statement;
            if a >= d {
                return None;
            }
            let asked = Kept::from([u, b]);
            let state = stripped(second, naive_connected(second, &asked, u, None), &asked, None);
            let mut taken: Vec<Taken> = state.into_iter().filter(|i| *i != u).map(|i| (1, i)).collect();
            let definition = of_use(first, d, Some(a), After::Last);
            taken.extend(definition.into_iter().map(|index| (0, index)));
            taken.push((1, u));
            Some(taken)
        }
        Shape::Alike => asked_alike(plan, tests),
        Shape::Handed => asked_handed(plan, tests),
        Shape::Remade => {
            let (a, b) = plan.anchors?;
            let d = plan.definition.statement;
            let mixed = mixed(tests, d, b).filter(|_| a == d)?;
            let own: Kept =
                mixed.iter().filter(|(test, _)| *test == 0).filter_map(|(_, arg)| var(arg)).collect();
            let before = if own.is_empty() { Kept::new() } else { naive_connected(first, &own, d - 1, None) };
            let before = stripped(first, before, &own, None);
            let asked = Kept::from([u, b]);
            let state = stripped(second, naive_connected(second, &asked, u, None), &asked, None);
            let part = |wanted: &dyn Fn(u32) -> bool| -> Vec<Taken> {
                state.iter().filter(|i| wanted(**i)).map(|i| (1, *i)).collect()
            };
            let mut taken: Vec<Taken> = before.into_iter().map(|i| (0, i)).collect();
            taken.extend(part(&|i| i < b));
            taken.push((0, d));
            taken.extend(part(&|i| b < i && i < u));
            taken.push((1, u));
            Some(taken)
        }
    }
}

fn asked_alike(plan: &Plan, tests: [&Sequence; 2]) -> Option<Vec<Taken>> {
    let (second, u) = (tests[1], plan.usage.statement);
    let (_, b) = plan.anchors?;
    let given = alike(tests, plan.definition.statement, u)?;
    let mut own: Kept = given.iter().filter(|(test, _)| *test == 1).filter_map(|(_, arg)| var(arg)).collect();
    if let Operation::Call { receiver: Some(receiver), .. } = &second.statements[u as usize].operation {
        own.extend(var(receiver));
    }
    own.remove(&b);
    let mut needed = if own.is_empty() { Kept::new() } else { naive_connected(second, &own, u - 1, Some(b)) };
    needed.remove(&b);
    let needed = stripped(second, needed, &own, Some(b));
    let mut taken = of_definition(tests[0], plan, Before::Connected);
    taken.extend(needed.into_iter().map(|index| (1, index)));
    taken.push((1, u));
    Some(taken)
}

fn asked_handed(plan: &Plan, tests: [&Sequence; 2]) -> Option<Vec<Taken>> {
    let [first, second] = tests;
    let ((a, b), d, u) = (plan.anchors?, plan.definition.statement, plan.usage.statement);
    let passed = handed(first, d).filter(|passed| *passed != a)?;
    let asked = Kept::from([u, b]);
    let state = stripped(second, naive_connected(second, &asked, u, None), &asked, None);
    let mut taken: Vec<Taken> = state.into_iter().filter(|i| *i != u).map(|i| (1, i)).collect();
    let asked = Kept::from([d, a]);
    let mut own = naive_connected(first, &asked, d.max(a), Some(passed));
    own.remove(&passed);
    let own = stripped(first, own, &asked, Some(passed));
    taken.extend(own.into_iter().map(|index| (0, index)));
    taken.push((1, u));
    Some(taken)
}

fn var(arg: &Arg) -> Option<u32> {
    if let Arg::Var(index) = arg { Some(*index) } else { None }
}

/// What the constructor at `d` of the first test is passed when it takes what the one at `b` of the second is passed, with the test that each comes from;
/// none where they take nothing alike.
fn mixed(tests: [&Sequence; 2], d: u32, b: u32) -> Option<Vec<(usize, Arg)>> {
    let taking = |test: usize, at: u32| -> Option<Vec<(String, Arg)>> {
        let Operation::New { constructor, args } = &tests[test].statements[at as usize].operation else {
            return None;
        };
        let kinds = constructor.descriptor.trim_start_matches('(').split(')').next().unwrap();
        let kinds = kinds.split_terminator(';').map(str::to_owned);
        Some(kinds.zip(args.iter().cloned()).collect())
    };
    let (wanted, offered) = (taking(0, d)?, taking(1, b)?);
    let constructor = |test: usize, at: u32| match &tests[test].statements[at as usize].operation {
        Operation::New { constructor, .. } => Some(constructor.clone()),
        _ => None,
    };
    if constructor(0, d) == constructor(1, b) {
        return None;
    }
    let mut mixed = vec![];
    for (at, (kind, own)) in wanted.iter().enumerate() {
        // Of arguments of one kind the first is for the first, the second for the second.
        let before = wanted[..at].iter().filter(|(other, _)| other == kind).count();
        let other = offered.iter().filter(|(other, _)| other == kind).nth(before);
        mixed.push(other.map_or((0, own.clone()), |(_, arg)| (1, arg.clone())));
    }
    mixed.iter().any(|(test, _)| *test == 1).then_some(mixed)
}

/// What the call or constructor at `u` of the second test is passed when it takes what the one at `d` of the first is passed, with the test that each comes from; none where
/// nothing of it changes.
fn alike(tests: [&Sequence; 2], d: u32, u: u32) -> Option<Vec<(usize, Arg)>> {
    let taking = |test: usize, at: u32| -> Option<Vec<(String, Arg)>> {
        let (method, args) = match &tests[test].statements[at as usize].operation {
            Operation::New { constructor, args } => (constructor, args),
            Operation::Call { method, args, .. } => (method, args),
            _ => return None,
        };
        let kinds = method.descriptor.trim_start_matches('(').split(')').next().unwrap();
        Some(kinds.split_terminator(';').map(str::to_owned).zip(args.iter().cloned()).collect())
    };
    let (offered, own) = (taking(0, d)?, taking(1, u)?);
    let mut given = vec![];
    for (at, (kind, arg)) in own.iter().enumerate() {
        let before = own[..at].iter().filter(|(other, _)| other == kind).count();
        let other = offered.iter().filter(|(other, _)| other == kind).nth(before);
        given.push(other.map_or((1, arg.clone()), |(_, other)| (0, other.clone())));
    }
    let is_new = |((test, given), (_, own)): (&(usize, Arg), &(String, Arg))| {
        *test == 0 && (var(given).is_some() || given != own)
    };
    given.iter().zip(&own).any(is_new).then_some(given)
}

/// The first variable among what is passed, the object that is called apart.
fn handed(first: &Sequence, d: u32) -> Option<u32> {
    let args: Vec<&Arg> = match &first.statements[d as usize].operation {
        Operation::New { args, .. } | Operation::Call { args, .. } => args.iter().collect(),
        _ => vec![],
    };
    args.into_iter().find_map(|arg| if let Arg::Var(index) = arg { Some(*index) } else { None })
}

/// Writes the statements down; a reference leads to the first copy of what it led to, or to the object both tests share.
fn written(taken: &[Taken], plan: &Plan, tests: [&Sequence; 2]) -> Sequence {
    let passed = handed(tests[0], plan.definition.statement);
    let place = |test: usize, variable: u32, is_last: bool| {
        let shared = match (plan.anchors, plan.shape) {
            (Some((_, b)), Shape::Remade) if (test, variable) == (1, b) => (0, plan.definition.statement),
            (Some((_, b)), Shape::Handed) if test == 0 && Some(variable) == passed => (1, b),
            (Some((a, b)), Shape::Handed) if is_last && (test, variable) == (1, b) => (0, a),
            (Some((a, b)), Shape::Follow(..) | Shape::Alike) if (test, variable) == (1, b) => (0, a),
            (Some((a, b)), Shape::Between) if (test, variable) == (0, a) => (1, b),
            _ => (test, variable),
        };
        u32::try_from(taken.iter().position(|t| *t == shared).unwrap()).unwrap()
    };
    let mut statements = vec![];
    for (number, (test, index)) in taken.iter().enumerate() {
        let mut statement = tests[*test].statements[*index as usize].clone();
        let is_made_anew = plan.shape == Shape::Remade && (*test, *index) == (0, plan.definition.statement);
        if let (true, Some((_, b)), Operation::New { args, .. }) =
            (is_made_anew, plan.anchors, &mut statement.operation)
        {
            let mixed = mixed(tests, plan.definition.statement, b).unwrap();
            *args = mixed
                .into_iter()
                .map(|(test, arg)| var(&arg).map_or(arg, |index| Arg::Var(place(test, index, false))))
                .collect();
            statements.push(statement);
            continue;
        }
        let is_given = plan.shape == Shape::Alike && number + 1 == taken.len();
        if let (true, Operation::New { args, .. } | Operation::Call { args, .. }) =
            (is_given, &mut statement.operation)
        {
            // The receiver, which is the second test's, is written down like any other.
            let given = alike(tests, plan.definition.statement, plan.usage.statement).unwrap();
            *args = given
                .into_iter()
                .map(|(test, arg)| var(&arg).map_or(arg, |index| Arg::Var(place(test, index, true))))
                .collect();
            if let Operation::Call { receiver: Some(Arg::Var(receiver)), .. } = &mut statement.operation {
                *receiver = place(1, *receiver, true);
            }
            statements.push(statement);
            continue;
        }
        for arg in statement.operation.args_mut() {
            if let Arg::Var(variable) = arg {
                *variable = place(*test, *variable, number + 1 == taken.len());
            }
        }
        statements.push(statement);
    }
    Sequence { statements }
}

/// The variables a fact may be about: the root the recorder named, else the object of the root's class that the statement
/// made; and the object the statement was called on.
fn about(sequence: &Sequence, seen: Seen) -> BTreeSet<u32> {
    let statement = &sequence.statements[seen.statement as usize];
    let (mut found, mut made) = (BTreeSet::new(), statement.runtime_class.as_deref() == Some(ROOT));
    match &statement.operation {
        Operation::New { constructor, .. } => made = constructor.owner == ROOT,
        Operation::Call { receiver: Some(Arg::Var(receiver)), .. } => {
            found.insert(*receiver);
        }
        _ => {}
    }
    match seen.root {
        Some(root) => found.insert(root),
        None if made => found.insert(seen.statement),
        None => false,
    };
    found
}

/// The pairs of variables that may become one object.
fn may_be_one(tests: [&Sequence; 2], seen: [Seen; 2]) -> BTreeSet<(u32, u32)> {
    let class = |test: usize, variable: u32| {
        let statement = &tests[test].statements[variable as usize];
        let declared = statement.result.trim_matches(['L', ';']).replace('/', ".");
        statement.runtime_class.clone().unwrap_or(declared)
    };
    let mut found = BTreeSet::new();
    for a in about(tests[0], seen[0]) {
        for b in about(tests[1], seen[1]) {
            let roots = seen[0].root == Some(a) && seen[1].root == Some(b);
            if b < seen[1].statement && (roots || class(0, a) == class(1, b)) {
                found.insert((a, b));
            }
        }
    }
    found
}

fn somewhere(random: &mut Random, sequence: &Sequence, specimen: usize) -> Seen {
    let length = u32::try_from(sequence.statements.len()).unwrap();
    let statement = random.below(length);
    let root = (random.below(2) == 0).then(|| random.below(length));
    Seen { cost: 1, specimen, statement, root }
}

/// A definition by a constructor and a use on what one made, where the tests have such.
fn constructors(tests: [&Sequence; 2]) -> Option<[Seen; 2]> {
    let makes = |sequence: &Sequence| {
        sequence.statements.iter().position(
            |one| matches!(&one.operation, Operation::New { constructor, .. } if constructor.owner == ROOT),
        )
    };
    let [first, second] = tests.map(|test| makes(test).map(|at| u32::try_from(at).unwrap()));
    let last = u32::try_from(tests[1].statements.len() - 1).unwrap();
    let definition = Seen { cost: 1, specimen: 0, statement: first?, root: None };
    Some([
        definition,
        Seen { cost: 1, specimen: 1, statement: last, root: second.filter(|made| *made < last) },
    ])
}

#[test]
fn every_splice_is_what_its_plan_asks_for_statement_by_statement() {
    let (mut made, mut none): (BTreeMap<Shape, u32>, u32) = (BTreeMap::new(), 0);
    for seed in 0..1000 {
        let mut random = Random::new(seed);
        let tests = [random.sequence('f'), random.sequence('s')];
        let anywhere = [somewhere(&mut random, &tests[0], 0), somewhere(&mut random, &tests[1], 1)];
        let by_constructors = constructors([&tests[0], &tests[1]]).filter(|_| seed % 3 == 0);
        let seen = by_constructors.unwrap_or(anywhere);
        let mut corpus = Corpus::default();
        for sequence in &tests {
            corpus.add(Specimen::new(sequence.clone(), vec![]));
        }
        let tests = [&tests[0], &tests[1]];
        let all = plans((PairKey([0; 16]), (None, None)), ROOT, &corpus, (seen[0], seen[1]), 0);
        let planned: BTreeSet<(Option<(u32, u32)>, Shape)> =
            all.iter().map(|plan| (plan.anchors, plan.shape)).collect();
        let mut expected: BTreeSet<(Option<(u32, u32)>, Shape)> = may_be_one(tests, seen)
            .into_iter()
            .flat_map(|pair| SHAPES.map(|shape| (Some(pair), shape)))
            .collect();
        expected.insert((None, Shape::Follow(Before::Connected, After::Own)));
        assert_eq!(planned, expected, "{seen:?} {tests:#?}");
        for plan in &all {
            let taken = asked_for(plan, tests);
            let splice = make(plan, &corpus);
            let wanted = taken.as_ref().map(|taken| written(taken, plan, tests));
            assert_eq!(splice, wanted, "seed {seed} {plan:?}\n{tests:#?}");
            let Some(taken) = taken else {
                none += 1;
                continue;
            };
            *made.entry(plan.shape).or_default() += 1;
            let definition = taken.iter().position(|t| *t == (0, seen[0].statement)).unwrap();
            assert_eq!(taken.last(), Some(&(1, seen[1].statement)), "the use comes last");
            assert!(definition < taken.len() - 1, "the definition comes first");
        }
    }
    let often = SHAPES.iter().all(|shape| made.get(shape).is_some_and(|&count| count > 20));
    assert!(often && none > 50, "each shape is made, and not always: {made:?} {none}");
}
