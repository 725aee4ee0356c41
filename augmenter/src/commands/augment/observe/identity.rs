//! Which statements, and which looks, give the very object that an earlier statement gave.
//!
//! A worker is asked by a sequence: the statements of the test, then an `IdentityHashMap` that takes each object with the number of its statement, and
//! gives the number it had. Knows nothing of what is worth asserting. Invariant: what does not end as it should is no identity.

use dynaflow_model::outcome::{Look, Observed, Outcome, Path};
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement, Value};
use dynaflow_model::sites::{CallKind, MethodRef};
use std::collections::BTreeMap;

const IDENTITIES: &str = "java.util.IdentityHashMap";
const MAP: &str = "java.util.Map";
/// Most looks of a test that are asked about: of each a whole path is followed.
const MOST: usize = 40;

/// What is the same object as the result of an earlier statement, with the first that gave it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Same {
    /// Results of statements.
    pub results: BTreeMap<u32, u32>,
    /// What paths lead to.
    pub looks: BTreeMap<Path, u32>,
}

impl Same {
    /// What another process says, too.
    #[must_use]
    pub fn agreed(&self, other: &Self) -> Self {
        let results = self.results.iter().filter(|(alias, first)| other.results.get(alias) == Some(first));
        let looks = self.looks.iter().filter(|(path, first)| other.looks.get(path) == Some(first));
        Self {
            results: results.map(|(alias, first)| (*alias, *first)).collect(),
            looks: looks.map(|(path, first)| (path.clone(), *first)).collect(),
        }
    }
}

/// A question to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What to run.
    pub sequence: Sequence,
    /// The statement that each answer is about, by the statement that gives the answer.
    results: BTreeMap<usize, u32>,
    /// The path that each answer is about.
    looks: BTreeMap<usize, Path>,
}

impl Question {
    /// What is asked of a test that ran so. An exception ends nothing here: the statement that throws it is left out, and with it the looks
    /// behind it.
    pub fn of<'p>(sequence: &Sequence, outcome: &Outcome, paths: impl Iterator<Item = &'p Path>) -> Self {
        let ran = outcome.statements.len();
        let mut asked = Self {
            sequence: Sequence { statements: sequence.statements.iter().take(ran).cloned().collect() },
            results: BTreeMap::new(),
            looks: BTreeMap::new(),
        };
        let is_object = |(_, shows): &(u32, &Observed)| matches!(shows, Observed::Object(_));
        let objects: Vec<u32> =
            (0u32..).zip(&outcome.statements).filter(is_object).map(|(at, _)| at).collect();
        let constructor = method(IDENTITIES, "<init>", "()V");
        let map = asked.push(Operation::New { constructor, args: vec![] }, "Ljava/util/IdentityHashMap;");
        for index in objects {
            let own =
                Arg::Value(Value::Boxed(Box::new(Value::Int(i32::try_from(index).unwrap_or(i32::MAX)))));
            let put = method(MAP, "putIfAbsent", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;");
            let answer = asked.call(map, put, CallKind::Interface, vec![Arg::Var(index), own]);
            asked.results.insert(answer as usize, index);
        }
        if outcome.thrown.is_none() {
            paths.take(MOST).for_each(|path| asked.look(map, path));
        }
        asked
    }

    /// Follows a path as statements, where each of its steps is a call.
    fn look(&mut self, map: u32, path: &Path) {
        let step = |look: &Look| match look {
            Look::Call { method, args } => Some((method.clone(), args.clone())),
            Look::Listed { index, .. } => {
                let index = Value::Int(i32::try_from(*index).ok()?);
                Some((method("java.util.List", "get", "(I)Ljava/lang/Object;"), vec![index]))
            }
            Look::Element(_) | Look::Length => None,
        };
        let Some(steps) = path.looks.iter().map(step).collect::<Option<Vec<_>>>() else { return };
        let mut at = path.variable;
        for (method, args) in steps {
            at = self.call(at, method, CallKind::Virtual, args.into_iter().map(Arg::Value).collect());
        }
        let get = method(MAP, "get", "(Ljava/lang/Object;)Ljava/lang/Object;");
        let answer = self.call(map, get, CallKind::Interface, vec![Arg::Var(at)]);
        self.looks.insert(answer as usize, path.clone());
    }

    fn call(&mut self, on: u32, method: MethodRef, kind: CallKind, args: Vec<Arg>) -> u32 {
        let result = dynaflow_model::descriptor::result(&method.descriptor).to_owned();
        let receiver = Some(Arg::Var(on));
        self.push(Operation::Call { method, kind, receiver, args }, &result)
    }

    fn push(&mut self, operation: Operation, result: &str) -> u32 {
        let index = self.sequence.statements.len();
        self.sequence.statements.push(Statement {
            operation,
            result: result.to_owned(),
            runtime_class: None,
        });
        u32::try_from(index).unwrap_or(u32::MAX)
    }

    /// What a worker answered.
    pub fn answered(&self, outcome: &Outcome) -> Same {
        if outcome.broken.is_some() {
            return Same::default();
        }
        let first = |answer: &usize| match outcome.statements.get(*answer) {
            Some(Observed::Value(Value::Boxed(value))) => match **value {
                Value::Int(index) => u32::try_from(index).ok(),
                _ => None,
            },
            _ => None,
        };
        let results = self.results.iter().filter_map(|(answer, index)| Some((*index, first(answer)?)));
        let looks = self.looks.iter().filter_map(|(answer, path)| Some((path.clone(), first(answer)?)));
        Same { results: results.collect(), looks: looks.collect() }
    }
}

fn method(owner: &str, name: &str, descriptor: &str) -> MethodRef {
    MethodRef { owner: owner.into(), name: name.into(), descriptor: descriptor.into() }
}
