//! What a test may end with that no inspector shows: a call on its object of a method that reads the variable the test is about, though that may change something.
//!
//! In: a test that says nothing of what it executes. Out: the same with one call more, whose result is compared. Knows nothing of workers. Invariant: the call
//! is the last one, so that what it changes disturbs nothing that is looked at; each reads the variable, as recorded.

use super::arguments;
use super::known::{Known, Learnt, wanted_pairs};
use super::scene::Wanted;
use crate::commands::augment::search::kept::{Kept, NewPair};
use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement, Value};
use dynaflow_model::types::Callable;
use std::collections::BTreeSet;

/// Most calls that are tried as the end of one test.
const MOST: usize = 6;

/// Which calls tests may end with.
pub struct Closings<'a> {
    known: Known<'a>,
    learnt: Learnt,
}

impl<'a> Closings<'a> {
    /// With what is known when tests of a class are observed.
    pub fn new(known: Known<'a>) -> Self {
        Self { known, learnt: Learnt::of(known) }
    }

    /// The test with one call more, in several ways, the most important variable first.
    pub fn of(&self, test: &Kept) -> Vec<Kept> {
        let all = wanted_pairs(test, self.known).into_iter().flat_map(|(new, wanted)| {
            let called = self.calls(&test.sequence, &wanted);
            called.into_iter().map(move |(root, call)| ended(test, new, root, call))
        });
        all.take(MOST).collect()
    }

    /// Calls on the root that read the variable.
    fn calls(&self, sequence: &Sequence, wanted: &Wanted) -> Vec<(u32, Statement)> {
        let with = self.learnt.with(self.known);
        let Some((_, Some(root))) = wanted.seen else { return vec![] };
        let made = sequence.statements.get(root as usize);
        let named = made.and_then(|statement| descriptor::class_of(&statement.result)).unwrap_or_default();
        let info = with.types.get(&named).filter(|_| with.types.may_name(&named));
        let own = arguments::literals(sequence);
        let mut calls = vec![];
        for callable in info.into_iter().flat_map(|info| &info.methods) {
            let reads = |signature: String| {
                with.reads.chains(&wanted.root, &signature).any(|chain| *chain == wanted.chain)
            };
            let method = &callable.method;
            if with.inspectors.may_ask(callable)
                && is_value(descriptor::result(&method.descriptor))
                && reads(format!("{}{}", method.name, method.descriptor))
            {
                let lists = with.arguments.lists(method, &own, with.types);
                calls.extend(lists.into_iter().map(|args| (root, call(callable, root, args))));
            }
        }
        calls
    }
}

/// Whether a result of this type could be compared: a number, a truth value, a text, or what the compiler does not know.
fn is_value(result: &str) -> bool {
    descriptor::is_primitive_or_box(result) || matches!(result, "Ljava/lang/String;" | "Ljava/lang/Object;")
}

fn call(callable: &Callable, root: u32, args: Vec<Value>) -> Statement {
    let (method, kind) = (callable.method.clone(), callable.kind);
    let result = descriptor::result(&method.descriptor).to_owned();
    let args = args.into_iter().map(Arg::Value).collect();
    let operation = Operation::Call { method, kind, receiver: Some(Arg::Var(root)), args };
    Statement { operation, result, runtime_class: None, caught: None }
}

/// The test with the call behind it, where the use of its pair is seen then.
fn ended(test: &Kept, pair: NewPair, root: u32, call: Statement) -> Kept {
    let mut test = Kept { closes: true, noticing: BTreeSet::new(), ..test.clone() };
    let last = u32::try_from(test.sequence.statements.len()).unwrap_or(u32::MAX);
    test.sequence.statements.push(call);
    for new in test.new.iter_mut().filter(|new| new.key == pair.key) {
        new.seen = Some((last, Some(root)));
    }
    test
}
