//! What undecided type arguments are, once all that is known of them is, and whether one decided type can be passed for another.
//!
//! Knows nothing of statements. Invariant: it takes bounded time, and no argument is a part of itself.

use super::{Inference, boxed, erased, number, wild};
use crate::types::is_value;
use dynaflow_model::declared::{Argument, Type, arguments_as};
use dynaflow_model::descriptor;
use std::collections::BTreeSet;

/// Most steps that deciding arguments takes, over all of a sequence: those left then are taken for undecided.
const MOST_STEPS: usize = 10_000;

impl Inference<'_> {
    /// Whether a value of one decided type cannot be passed for another one.
    pub(super) fn contradicts(&self, given: &Type, wanted: &Type, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        match (given, wanted) {
            (_, Type::Parameter(_)) | (Type::Parameter(_), _) => false,
            (Type::Array(given), Type::Array(wanted)) => self.contradicts(given, wanted, depth),
            (Type::Primitive(_), Type::Class(..)) => self.contradicts(&boxed(given), wanted, depth),
            (Type::Class(one, arguments), Type::Class(other, needed)) => {
                let (from, to) = (descriptor::of_class(one), descriptor::of_class(other));
                let has_no_subclass = one != other && is_value(other);
                if has_no_subclass || self.types.assignable(&from, &to) == Some(false) {
                    return true;
                }
                let arguments =
                    arguments_as(self.types.declared(), one, arguments, other).unwrap_or_default();
                arguments.iter().zip(needed).any(|(given, needed)| self.lies_outside(given, needed, depth))
            }
            _ => self.types.assignable(&erased(given), &erased(wanted)) == Some(false),
        }
    }

    fn lies_outside(&self, given: &Argument, wanted: &Argument, depth: usize) -> bool {
        match (given, wanted) {
            (Argument::Exact(given), Argument::Exact(wanted)) => {
                self.contradicts(given, wanted, depth) || self.contradicts(wanted, given, depth)
            }
            (Argument::Exact(given) | Argument::Extends(given), Argument::Extends(wanted)) => {
                self.contradicts(given, wanted, depth)
            }
            (Argument::Exact(given) | Argument::Super(given), Argument::Super(wanted)) => {
                self.contradicts(wanted, given, depth)
            }
            _ => false,
        }
    }

    /// The type with every argument decided.
    pub(super) fn solved(&self, of: &Type) -> Type {
        let decide = |name: &str| {
            let index = number(name)?;
            let decided = self.decided(index).or_else(|| self.within_bounds(index));
            Some(Argument::Exact(decided.unwrap_or_else(Type::object)))
        };
        wild(of.with(&decide), self.types)
    }

    /// What an argument is, by what is below, the same and above.
    fn decided(&self, index: usize) -> Option<Type> {
        {
            let mut deciding = self.deciding.borrow_mut();
            if let Some(known) = deciding.known.get(&index) {
                return Some(known.clone());
            }
            // No argument is a part of itself.
            if deciding.steps == MOST_STEPS || !deciding.pending.insert(index) {
                return None;
            }
            deciding.steps += 1;
        }
        let found = self.decide(index);
        let mut deciding = self.deciding.borrow_mut();
        deciding.pending.remove(&index);
        deciding.known.extend(found.clone().map(|found| (index, found)));
        found
    }

    fn decide(&self, index: usize) -> Option<Type> {
        let open = self.open.get(index)?;
        let one = |of: &Type| match of {
            Type::Parameter(name) => self.decided(number(name)?),
            other => Some(self.solved(other)),
        };
        let mut below: Vec<Type> = vec![];
        for of in open.below.iter().filter_map(one) {
            if !below.contains(&of) {
                below.push(of);
            }
        }
        let same = open.same.iter().find_map(one);
        same.or_else(|| self.common(&below)).or_else(|| open.above.iter().find_map(one))
    }

    /// What the bound of an argument takes, or that of the first one found that is the same, above or below: where nothing else decides, what may differ is best the
    /// same. Linear in the arguments: these relations go both ways, and each argument is looked at once.
    fn within_bounds(&self, index: usize) -> Option<Type> {
        let (mut seen, mut next) = (BTreeSet::from([index]), vec![index]);
        while let Some(open) = next.pop().and_then(|index| self.open.get(index)) {
            if open.bound.is_some() {
                return open.bound.clone();
            }
            let ordered = open.above.iter().rev().chain(open.below.iter().rev());
            let near = ordered.chain(open.same.iter().rev()).filter_map(|of| match of {
                Type::Parameter(name) => number(name),
                _ => None,
            });
            next.extend(near.filter(|one| seen.insert(*one)));
        }
        None
    }

    /// The type among these that all others are below; `Object` when there is none of several.
    fn common(&self, all: &[Type]) -> Option<Type> {
        let takes = |to: &Type| {
            let to = erased(to);
            all.iter().all(|from| self.types.assignable(&erased(from), &to) == Some(true))
        };
        all.first()?;
        Some(all.iter().find(|to| takes(to)).cloned().unwrap_or_else(Type::object))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Open;
    use super::*;
    use crate::types::Types;
    use dynaflow_model::sequence::Sequence;

    #[test]
    fn of_many_arguments_that_are_all_the_same_each_is_looked_at_once() {
        let types = Types::new([], "a");
        let mut inference = Inference::of(&Sequence::default(), 0, &types);
        let all = |but: usize| (0..40).filter(move |other| *other != but);
        let same = |but| all(but).map(|other| Type::Parameter(format!("#{other}"))).collect();
        inference.open = (0..40).map(|own| Open { same: same(own), ..Open::default() }).collect();
        // By every way from one to another this takes longer than anybody waits.
        assert_eq!(inference.within_bounds(0), None);
        inference.open[39].bound = Some(Type::object());
        assert_eq!(inference.within_bounds(0), Some(Type::object()));
    }
}
