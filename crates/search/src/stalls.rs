//! Which methods do not end when a test calls them: those that wait for another thread, read what nobody writes, sleep.
//!
//! Each such call costs as much as thousands of others, and on its way ends the test. Knows nothing of what methods do, nor of clocks. Invariant: a method rests
//! only after two calls of it that did not end, the longer the larger their share is, and never for good.

use dynaflow_model::sequence::{Operation, Sequence};
use dynaflow_model::sites::MethodRef;
use std::collections::BTreeMap;

/// So many sequences a method rests of whose calls none ends.
const REST: u64 = 4096;

/// What is known of methods, by the calls since the first that did not end.
#[derive(Debug, Default)]
pub(crate) struct Stalls {
    methods: BTreeMap<MethodRef, Calls>,
    /// Sequences that ran.
    ran: u64,
}

#[derive(Debug, Default)]
struct Calls {
    stalled: u64,
    ended: u64,
    /// When it may be called again, in sequences that ran.
    rests_until: u64,
}

impl Stalls {
    /// A sequence ran; `stalled` is the statement in which its time was over.
    pub(crate) fn learn(&mut self, sequence: &Sequence, stalled: Option<u32>) {
        self.ran += 1;
        let at = stalled.map_or(sequence.statements.len(), |at| at as usize);
        if !self.methods.is_empty() {
            for statement in sequence.statements.iter().take(at) {
                if let Some(calls) =
                    called(&statement.operation).and_then(|method| self.methods.get_mut(method))
                {
                    calls.ended += 1;
                }
            }
        }
        let statement = stalled.and_then(|_| sequence.statements.get(at));
        if let Some(method) = statement.and_then(|statement| called(&statement.operation)) {
            let calls = self.methods.entry(method.clone()).or_default();
            calls.stalled += 1;
            if calls.stalled > 1 {
                calls.rests_until = self.ran + REST * calls.stalled / (calls.stalled + calls.ended);
            }
        }
    }

    /// Whether a sequence calls a method that rests.
    pub(crate) fn rests_in(&self, sequence: &Sequence) -> bool {
        let rests = |method| self.methods.get(method).is_some_and(|calls| self.ran < calls.rests_until);
        !self.methods.is_empty()
            && sequence.statements.iter().filter_map(|statement| called(&statement.operation)).any(rests)
    }
}

fn called(operation: &Operation) -> Option<&MethodRef> {
    match operation {
        Operation::New { constructor: method, .. } | Operation::Call { method, .. } => Some(method),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::sequence::Statement;
    use dynaflow_model::sites::CallKind;

    fn calling(names: &[&str]) -> Sequence {
        let call = |name: &&str| {
            let method =
                MethodRef { owner: "a.A".to_owned(), name: (*name).to_owned(), descriptor: "()V".to_owned() };
            let operation = Operation::Call { method, kind: CallKind::Static, receiver: None, args: vec![] };
            Statement { operation, result: "V".to_owned(), runtime_class: None, caught: None }
        };
        Sequence { statements: names.iter().map(call).collect() }
    }

    #[test]
    fn a_method_that_never_ends_rests_from_its_second_call_on_and_is_tried_again_later() {
        let (mut stalls, waiting) = (Stalls::default(), calling(&["add", "await"]));
        stalls.learn(&waiting, Some(1));
        assert!(!stalls.rests_in(&waiting), "once may be chance");
        stalls.learn(&waiting, Some(1));
        assert!(stalls.rests_in(&waiting) && !stalls.rests_in(&calling(&["add"])));
        (0..REST).for_each(|_| stalls.learn(&calling(&["add"]), None));
        assert!(!stalls.rests_in(&waiting));
        stalls.learn(&waiting, Some(1));
        assert!(stalls.rests_in(&waiting));
    }

    #[test]
    fn the_more_calls_end_the_shorter_a_method_rests() {
        let (mut stalls, add) = (Stalls::default(), calling(&["add"]));
        stalls.learn(&add, Some(0));
        (0..98).for_each(|_| stalls.learn(&add, None));
        stalls.learn(&add, Some(0));
        let mut rest = 0;
        while stalls.rests_in(&add) {
            stalls.learn(&calling(&[]), None);
            rest += 1;
        }
        assert_eq!(rest, REST * 2 / 100);
    }

    #[test]
    fn where_the_time_was_over_outside_a_call_nothing_is_blamed() {
        let (mut stalls, add) = (Stalls::default(), calling(&["add"]));
        (0..9).for_each(|_| stalls.learn(&add, Some(1)));
        assert!(!stalls.rests_in(&add));
    }
}
