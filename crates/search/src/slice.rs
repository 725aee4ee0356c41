//! Parts of sequences: what a statement needs, what is connected with a variable, and putting parts together.
//!
//! Knows nothing of types or goals. Invariant: a copied part is closed under the references of its statements.

#[cfg(test)]
pub(crate) mod twin;

use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// Indices of statements of one sequence.
pub(crate) type Kept = BTreeSet<u32>;

/// The statements a statement refers to.
pub(crate) fn mentions(statement: &Statement) -> impl Iterator<Item = u32> {
    statement.operation.args().into_iter().filter_map(|arg| match arg {
        Arg::Var(index) => Some(*index),
        Arg::Value(_) => None,
    })
}

/// The statement at an index.
pub(crate) fn at(sequence: &Sequence, index: u32) -> Option<&Statement> {
    sequence.statements.get(index as usize)
}

/// Adds what the kept statements refer to, directly or not. References to `held` are not followed.
pub(crate) fn close(sequence: &Sequence, kept: &mut Kept, held: Option<u32>) {
    let mut open: Vec<u32> = kept.iter().copied().collect();
    while let Some(index) = open.pop() {
        let Some(statement) = at(sequence, index) else { continue };
        for need in mentions(statement) {
            if Some(need) != held && kept.insert(need) {
                open.push(need);
            }
        }
    }
}

/// The statements that give what nothing uses and most likely do nothing else: what the JDK makes without an object, arrays, constants.
pub(crate) fn idle(sequence: &Sequence) -> Kept {
    let is_plain = |statement: &&Statement| match &statement.operation {
        Operation::New { constructor: method, .. } | Operation::Call { method, receiver: None, .. } => {
            method.owner.starts_with("java.")
        }
        Operation::NewArray { .. } | Operation::ArrayStore { .. } | Operation::GetStatic(_) => true,
        _ => false,
    };
    let all = || (0u32..).zip(&sequence.statements);
    let mut needed: Kept = all().filter(|(_, one)| !is_plain(one)).map(|(index, _)| index).collect();
    loop {
        close(sequence, &mut needed, None);
        let fills = |statement: &Statement| matches!(&statement.operation, Operation::ArrayStore { array: Arg::Var(array), .. } if needed.contains(array));
        let stores: Kept = all().filter(|(_, one)| fills(one)).map(|(index, _)| index).collect();
        if stores.is_subset(&needed) {
            return all().map(|(index, _)| index).filter(|index| !needed.contains(index)).collect();
        }
        needed.extend(stores);
    }
}

/// The statements up to `last` that share a variable with a kept one, directly or not: whatever could have changed the
/// state of the kept objects through calls of the test. `held` connects nothing.
pub(crate) fn connected(sequence: &Sequence, seeds: &Kept, last: u32, held: Option<u32>) -> Kept {
    let mut kept = seeds.clone();
    close(sequence, &mut kept, held);
    let mut changed = true;
    while changed {
        changed = false;
        for (index, statement) in (0..=last).zip(&sequence.statements) {
            let touches = mentions(statement).any(|m| Some(m) != held && kept.contains(&m));
            if touches && Some(index) != held && kept.insert(index) {
                close(sequence, &mut kept, held);
                changed = true;
            }
        }
    }
    kept
}

/// What brings about the state of an object in which a statement meets it.
pub(crate) fn state(of: &Sequence, statement: u32, object: u32) -> Kept {
    let essential = Kept::from([statement, object]);
    let mut state = rebuilt(of, connected(of, &essential, statement, None), essential, None);
    state.remove(&statement);
    state
}

/// Leaves out opaque statements and what needs them, unless the essential statements do.
pub(crate) fn rebuilt(sequence: &Sequence, kept: Kept, mut essential: Kept, held: Option<u32>) -> Kept {
    close(sequence, &mut essential, held);
    let mut gone = Kept::new();
    for &index in &kept {
        let Some(statement) = at(sequence, index) else { continue };
        let lost = matches!(statement.operation, Operation::Opaque(_))
            || mentions(statement).any(|m| Some(m) != held && gone.contains(&m));
        if lost && !essential.contains(&index) {
            gone.insert(index);
        }
    }
    kept.into_iter().filter(|index| !gone.contains(index)).collect()
}

/// A sequence being put together from parts of others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Assembly {
    pub(crate) sequence: Sequence,
}

impl Assembly {
    /// Appends the kept statements of `from`; a reference to a key of `names` becomes one to its value. Gives the new
    /// index of each.
    pub(crate) fn append(
        &mut self,
        from: &Sequence,
        kept: &Kept,
        mut names: BTreeMap<u32, u32>,
    ) -> BTreeMap<u32, u32> {
        for (index, statement) in (0u32..).zip(&from.statements) {
            if !kept.contains(&index) {
                continue;
            }
            let mut statement = statement.clone();
            for arg in statement.operation.args_mut() {
                if let Arg::Var(old) = arg {
                    // A reference that leads nowhere is left for the check to refuse.
                    *old = names.get(old).copied().unwrap_or(u32::MAX);
                }
            }
            names.entry(index).or_insert(self.next());
            self.sequence.statements.push(statement);
        }
        names
    }

    /// Appends one statement and gives its index.
    pub(crate) fn push(&mut self, operation: Operation, result: String) -> u32 {
        let index = self.next();
        self.sequence.statements.push(Statement { operation, result, runtime_class: None, caught: None });
        index
    }

    /// The index of the next statement.
    pub(crate) fn next(&self) -> u32 {
        u32::try_from(self.sequence.statements.len()).unwrap_or(u32::MAX)
    }
}

/// The given statements and all that need them.
pub(crate) fn gone(sequence: &Sequence, dropped: &Kept) -> Kept {
    let mut gone = dropped.clone();
    for (index, statement) in (0u32..).zip(&sequence.statements) {
        if mentions(statement).any(|m| gone.contains(&m)) {
            gone.insert(index);
        }
    }
    gone
}

/// The part of a sequence that stays when the given statements and all that need them are gone.
pub fn without(sequence: &Sequence, dropped: &BTreeSet<u32>) -> Sequence {
    let gone = gone(sequence, dropped);
    let all = u32::try_from(sequence.statements.len()).unwrap_or(u32::MAX);
    let kept: Kept = (0..all).filter(|index| !gone.contains(index)).collect();
    let mut assembly = Assembly::default();
    assembly.append(sequence, &kept, BTreeMap::new());
    assembly.sequence
}

/// The part of a sequence up to statement `last` that is connected with the result of a statement: all that could have changed that object
/// through calls of the test. Quadratic in the length of the sequence at worst.
pub fn around(sequence: &Sequence, index: u32, last: u32) -> Sequence {
    let kept = connected(sequence, &Kept::from([index]), last, None);
    let mut assembly = Assembly::default();
    assembly.append(sequence, &kept, BTreeMap::new());
    assembly.sequence
}

/// The part of a sequence a test can rebuild: without opaque statements and what needs them.
pub fn rebuildable(sequence: &Sequence) -> Sequence {
    let opaque = (0u32..).zip(&sequence.statements);
    let dropped =
        opaque.filter(|(_, s)| matches!(s.operation, Operation::Opaque(_))).map(|(i, _)| i).collect();
    without(sequence, &dropped)
}
