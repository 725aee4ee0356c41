//! Values that are used once and may stand inside the statement that uses them. Knows nothing of types or of lines.
//!
//! Invariant: what is taken for a statement was made last of all that waits, in the order in which the statement evaluates its arguments,
//! so that no call moves before or behind another one.

use dynaflow_model::declared::Type;
use dynaflow_model::sequence::Arg;
use std::collections::BTreeMap;

/// Longest value that stands inside another, and longest sum of those inside one: lines stay readable.
const LONGEST: usize = 72;

/// What fills an array.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elements {
    /// The expressions.
    pub(crate) texts: Vec<String>,
    /// What they stand for.
    pub(crate) values: Vec<Arg>,
    /// Whether there are some, each of exactly the array's component type.
    pub(crate) is_exact: bool,
    /// Whether it is a single one that could be an array itself.
    pub(crate) could_be_array: bool,
}

/// A value that was made and has no line yet.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    /// The statement that makes it.
    pub(crate) index: usize,
    /// The expression.
    pub(crate) text: String,
    /// The expression where a declaration names the type.
    pub(crate) initialiser: Option<String>,
    /// The expression where an assertion that takes many types is to be told one, if its own type is for the caller to choose.
    pub(crate) asserted: Option<String>,
    /// Of an array that is filled, the elements.
    pub(crate) elements: Option<Elements>,
    /// Descriptor of its static type.
    pub(crate) descriptor: String,
    /// The type, where it is known.
    pub(crate) of: Option<Type>,
}

impl Pending {
    /// A value of this type, to be written.
    pub(crate) fn new(index: usize, (descriptor, of): (String, Option<Type>)) -> Self {
        Self { index, text: String::new(), initialiser: None, asserted: None, elements: None, descriptor, of }
    }

    /// Whether it is short enough to stand inside another.
    pub(crate) fn is_short(&self) -> bool {
        self.text.len() <= LONGEST
    }
}

/// What waits, in the order in which it is made.
#[derive(Debug, Default)]
pub(crate) struct Stack(Vec<Pending>);

impl Stack {
    pub(crate) fn push(&mut self, pending: Pending) {
        self.0.push(pending);
    }

    pub(crate) fn drain(&mut self) -> Vec<Pending> {
        std::mem::take(&mut self.0)
    }

    /// Takes what can stand inside a statement with these arguments, in the order of evaluation, and whether the statement mentions
    /// something that waits on. Inside a call that is expected to throw stand arrays only: another call could throw in its place.
    pub(crate) fn take(&mut self, args: &[Arg], throws: bool) -> (BTreeMap<usize, Pending>, bool) {
        let mut inside = BTreeMap::new();
        let mut length = 0;
        for arg in args.iter().rev() {
            let Arg::Var(index) = arg else { continue };
            let last = self.0.last().filter(|last| {
                last.index == *index as usize
                    && length + last.text.len() <= LONGEST
                    && (!throws || last.elements.is_some())
            });
            if last.is_none() {
                if self.0.iter().any(|waits| waits.index == *index as usize) {
                    break;
                }
                continue;
            }
            if let Some(last) = self.0.pop() {
                length += last.text.len();
                inside.insert(last.index, last);
            }
        }
        let waits =
            |arg: &Arg| matches!(arg, Arg::Var(index) if self.0.iter().any(|p| p.index == *index as usize));
        let is_mentioned = args.iter().any(waits);
        (inside, is_mentioned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(indices: &[usize]) -> Stack {
        let of = |index: &usize| Pending {
            text: format!("made{index}()"),
            elements: (index % 2 == 1).then(Elements::default),
            ..Pending::new(*index, ("I".to_owned(), None))
        };
        Stack(indices.iter().map(of).collect())
    }

    fn taken(indices: &[usize], args: &[u32], throws: bool) -> (Vec<usize>, Vec<usize>, bool) {
        let mut stack = stack(indices);
        let args: Vec<Arg> = args.iter().map(|index| Arg::Var(*index)).collect();
        let (inside, mentioned) = stack.take(&args, throws);
        (inside.into_keys().collect(), stack.0.iter().map(|left| left.index).collect(), mentioned)
    }

    #[test]
    fn arguments_are_taken_only_in_the_order_in_which_they_were_made() {
        assert_eq!(taken(&[1, 2, 3], &[1, 2, 3], false), (vec![1, 2, 3], vec![], false));
        assert_eq!(taken(&[1, 2, 3], &[2, 3], false), (vec![2, 3], vec![1], false));
        assert_eq!(taken(&[1, 2], &[2, 1], false), (vec![], vec![1, 2], true), "they would change places");
        assert_eq!(
            taken(&[1, 2, 3], &[1, 3], false),
            (vec![3], vec![1, 2], true),
            "the second stands between"
        );
        assert_eq!(taken(&[1, 2], &[7, 2], false), (vec![2], vec![1], false), "a variable is no call");
    }

    #[test]
    fn what_might_throw_stays_outside_of_what_must() {
        assert_eq!(taken(&[1, 3], &[1, 3], true), (vec![1, 3], vec![], false));
        assert_eq!(taken(&[2, 3], &[2, 3], true), (vec![3], vec![2], true));
    }
}
