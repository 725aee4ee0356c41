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
            caught: None,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn call(on: u32, name: &str) -> Statement {
        let method = method("a.Box", name, "()La/Box;");
        let operation =
            Operation::Call { method, kind: CallKind::Virtual, receiver: Some(Arg::Var(on)), args: vec![] };
        Statement { operation, result: "La/Box;".into(), runtime_class: None, caught: None }
    }

    fn look(name: &str) -> Path {
        let method = method("a.Box", name, "()La/Box;");
        Path { variable: 0, looks: vec![Look::Call { method, args: vec![] }] }
    }

    fn boxes(count: usize) -> Vec<Observed> {
        vec![Observed::Object("a.Box".into()); count]
    }

    fn number(index: i32) -> Observed {
        Observed::Value(Value::Boxed(Box::new(Value::Int(index))))
    }

    /// Two boxes, what is asked of them and of one look, and what a worker says of the statements behind them.
    fn asked(answers: Vec<Observed>) -> (Question, Same) {
        let sequence = Sequence { statements: vec![call(0, "one"), call(0, "two")] };
        let outcome = Outcome { statements: boxes(2), ..Outcome::default() };
        let length = Path { variable: 0, looks: vec![Look::Length] };
        let question = Question::of(&sequence, &outcome, [look("lid"), length].iter());
        let statements = boxes(2).into_iter().chain(answers).collect();
        let same = question.answered(&Outcome { statements, ..Outcome::default() });
        (question, same)
    }

    #[test]
    fn what_the_map_had_before_is_the_same_object() {
        let (map, null) = (Observed::Object(IDENTITIES.into()), Observed::Value(Value::Null));
        let lid = Observed::Object("a.Box".into());
        let (question, same) = asked(vec![map.clone(), null.clone(), number(0), lid.clone(), number(1)]);
        assert_eq!(question.sequence.statements.len(), 7, "a length is no object");
        assert_eq!(same.results, BTreeMap::from([(1, 0)]));
        assert_eq!(same.looks, BTreeMap::from([(look("lid"), 1)]));
        let (_, other) = asked(vec![map.clone(), null.clone(), null.clone(), lid, number(1)]);
        assert_eq!((other.results.len(), other.looks.len()), (0, 1));
        assert_eq!(same.agreed(&other), other, "both must say so");
        let (_, cut) = asked(vec![map, null]);
        assert_eq!(cut, Same::default());
    }

    #[test]
    fn behind_an_exception_only_results_are_asked_about() {
        let sequence = Sequence { statements: vec![call(0, "one"), call(0, "two")] };
        let thrown = dynaflow_model::outcome::Thrown {
            statement: 1,
            class: "a.Refused".into(),
            superclasses: vec![],
            message: None,
            declared: false,
            on_purpose: true,
            raised_in: vec![],
        };
        let outcome = Outcome { statements: boxes(1), thrown: Some(thrown), ..Outcome::default() };
        let question = Question::of(&sequence, &outcome, [look("lid")].iter());
        assert_eq!(question.sequence.statements.len(), 3, "one statement, the map, one object");
    }
}
