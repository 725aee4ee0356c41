//! Crossover of two sequences at a point of each: the beginning of one with the end of the other, repaired.
//!
//! It knows statements, no types beyond the descriptors of results. Invariant: in what is given a statement refers to earlier ones; where both parents
//! are well typed, the children are.

use crate::slice::{Assembly, Kept, at, close, mentions};
use dynaflow_model::sequence::{Operation, Sequence, Statement};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// Each sequence up to a point, and then the other from a point at the same share of its length (Fraser and Arcuri, "Whole Test Suite Generation", 2013,
/// section 4.4, for suites).
pub(crate) fn crossed(one: &Sequence, other: &Sequence, rng: &mut ChaCha8Rng) -> [Sequence; 2] {
    let share: f64 = rng.random();
    let point = |sequence: &Sequence| (share * sequence.statements.len() as f64) as usize;
    let (here, there) = (point(one), point(other));
    [joined(one, here, other, there), joined(other, there, one, here)]
}

/// The first `here` statements of one sequence, then those of the other from `there` on. What these need of the statements that were cut off is, where there is
/// one, the last result of the same kind in the beginning, else the statements that make it.
fn joined(one: &Sequence, here: usize, other: &Sequence, there: usize) -> Sequence {
    let mut sequence = one.clone();
    sequence.statements.truncate(here);
    let length = u32::try_from(other.statements.len()).unwrap_or(u32::MAX);
    let cut = u32::try_from(there).unwrap_or(u32::MAX);
    let mut kept: Kept = (cut..length).collect();
    let mut names: BTreeMap<u32, u32> = BTreeMap::new();
    let needed: Kept = kept.iter().filter_map(|&index| at(other, index)).flat_map(mentions).collect();
    for need in needed.into_iter().filter(|need| *need < cut) {
        match at(other, need).and_then(|wanted| last_alike(&sequence, wanted)) {
            Some(there) => drop(names.insert(need, there)),
            None => drop(kept.insert(need)),
        }
    }
    // What makes a needed result may itself need what was cut off: that comes along as a whole.
    let mut made = kept.iter().copied().filter(|index| *index < cut).collect();
    close(other, &mut made, None);
    kept.extend(made);
    names.retain(|need, _| !kept.contains(need));
    let mut assembly = Assembly { sequence };
    assembly.append(other, &kept, names);
    assembly.sequence
}

/// The last statement whose result is of the same static type and runtime class, and of the same length where it is a new array.
fn last_alike(sequence: &Sequence, wanted: &Statement) -> Option<u32> {
    let alike = |statement: &Statement| {
        let is_array = matches!(wanted.operation, Operation::NewArray { .. });
        statement.result == wanted.result
            && statement.runtime_class == wanted.runtime_class
            && (!is_array || statement.operation == wanted.operation)
    };
    let at = sequence.statements.iter().rposition(alike)?;
    u32::try_from(at).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slice::twin::Random;
    use dynaflow_model::sequence::Arg;
    use rand::SeedableRng;
    use std::collections::BTreeSet;

    /// Whether every reference leads to an earlier statement.
    fn is_closed(sequence: &Sequence) -> bool {
        (0u32..).zip(&sequence.statements).all(|(index, statement)| mentions(statement).all(|m| m < index))
    }

    /// The result that each argument of each statement stands for, as text.
    fn uses(sequence: &Sequence) -> BTreeSet<(String, usize, String)> {
        let of = |statement: &Statement| {
            let method = match &statement.operation {
                Operation::Call { method, .. } => method.name.clone(),
                Operation::New { constructor, .. } => constructor.owner.clone(),
                other => format!("{:?}", std::mem::discriminant(other)),
            };
            let args =
                statement.operation.args().into_iter().enumerate().filter_map(|(place, arg)| match arg {
                    Arg::Var(index) => Some((place, at(sequence, *index)?.result.clone())),
                    Arg::Value(_) => None,
                });
            args.map(|(place, result)| (method.clone(), place, result)).collect::<Vec<_>>()
        };
        sequence.statements.iter().flat_map(of).collect()
    }

    #[test]
    fn children_are_closed_begin_as_one_parent_end_as_the_other_and_pass_what_parents_pass() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let mut repaired = 0;
        for seed in 0..500 {
            let mut random = Random::new(seed);
            let (one, other) = (random.sequence('a'), random.sequence('b'));
            let share: f64 = rng.random();
            let point = |sequence: &Sequence| (share * sequence.statements.len() as f64) as usize;
            let child = joined(&one, point(&one), &other, point(&other));
            assert!(is_closed(&child), "{one:?}\n{other:?}\n{child:?}");
            assert_eq!(child.statements[..point(&one)], one.statements[..point(&one)]);
            let end = other.statements.len() - point(&other);
            assert!(child.statements.len() >= point(&one) + end, "nothing of the end is lost");
            repaired += usize::from(child.statements.len() == point(&one) + end && point(&other) > 0);
            let both: BTreeSet<_> = uses(&one).union(&uses(&other)).cloned().collect();
            assert!(uses(&child).is_subset(&both), "an argument has the type it had in a parent");
        }
        assert!(repaired > 50, "often the beginning has what the end needs: {repaired}");
    }

    #[test]
    fn the_same_numbers_give_the_same_children() {
        let (one, other) = (Random::new(1).sequence('a'), Random::new(2).sequence('b'));
        let children = |seed| crossed(&one, &other, &mut ChaCha8Rng::seed_from_u64(seed));
        assert_eq!(children(3), children(3));
        assert!((0..20).any(|seed| children(seed) != children(3)));
    }
}
