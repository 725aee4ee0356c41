//! Another call in place of a sequence's last one, on the same object: what the object refuses in that state, its other methods may have to refuse as well.
//!
//! Knows nothing of what comes of it. Invariant: what is given back is closed under its references, and the object is used as the class that both calls are made on.

use crate::slice::{self, Assembly, Kept};
use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Arg, Operation, Sequence};
use dynaflow_model::sites::MethodRef;
use std::collections::BTreeMap;

/// The sequence with the call at a place of another one as its last, on the object of its own last call: with what the other passes, and where its parameters are
/// the same with what is passed here. None where one of the two is no call on an object, they are of different classes, or of one method.
pub fn called_instead(sequence: &Sequence, other: &Sequence, at: u32) -> Vec<Sequence> {
    let called = other.statements.get(at as usize);
    let (Some(last), Some(called)) = (sequence.statements.last(), called) else { return vec![] };
    let (Some((own, on)), Some((method, receiver))) =
        (on_object(&last.operation), on_object(&called.operation))
    else {
        return vec![];
    };
    if own.owner != method.owner || own == method {
        return vec![];
    }
    let mut before = sequence.clone();
    before.statements.pop();
    let mut found = vec![with_its_own(&before, on, (other, at, receiver))];
    if descriptor::parameters(&own.descriptor) == descriptor::parameters(&method.descriptor) {
        let mut operation = called.operation.clone();
        operation
            .args_mut()
            .into_iter()
            .zip(last.operation.args())
            .for_each(|(arg, own)| arg.clone_from(own));
        let mut assembly = Assembly { sequence: before };
        assembly.push(operation, called.result.clone());
        found.push(assembly.sequence);
    }
    found
}

/// The method and the variable of the object that a call is made on.
fn on_object(operation: &Operation) -> Option<(&MethodRef, u32)> {
    match operation {
        Operation::Call { method, receiver: Some(Arg::Var(on)), .. } => Some((method, *on)),
        _ => None,
    }
}

/// The statements, then what a call needs but for its object, then the call on this one.
fn with_its_own(before: &Sequence, on: u32, (other, at, receiver): (&Sequence, u32, u32)) -> Sequence {
    let mut assembly = Assembly { sequence: before.clone() };
    let needed = other.statements.get(at as usize).into_iter().flat_map(slice::mentions);
    let needed: Kept = needed.filter(|index| *index != receiver).collect();
    let kept = match at.checked_sub(1) {
        Some(last) if !needed.is_empty() => slice::connected(other, &needed, last, Some(receiver)),
        _ => Kept::new(),
    };
    let mut names = assembly.append(other, &kept, BTreeMap::from([(receiver, on)]));
    names.insert(receiver, on);
    assembly.append(other, &Kept::from([at]), names);
    assembly.sequence
}
