//! What inspectors with parameters are called with: as the seed tests call them, and with the words of the test itself.
//!
//! Knows nothing of what is observed. Invariant: an inspector that no seed test calls with literals has no arguments.

use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Arg, Operation, Sequence, Value};
use dynaflow_model::sites::MethodRef;
use dynaflow_search::Types;
use std::collections::BTreeMap;

/// Most lists of arguments for one inspector: from the test itself, and in all.
const OWN: usize = 3;
const MOST: usize = 4;
/// Longest text that is worth looking for.
const LONGEST: usize = 40;

/// The arguments that stand in seed tests.
#[derive(Debug, Default)]
pub struct Arguments {
    /// By name and descriptor: each list, and how often it was used.
    by_method: BTreeMap<(String, String), BTreeMap<Vec<Value>, usize>>,
}

impl Arguments {
    /// Those of the calls in these sequences.
    pub fn of<'a>(sequences: impl Iterator<Item = &'a Sequence>) -> Self {
        let mut found = Self::default();
        for statement in sequences.flat_map(|sequence| &sequence.statements) {
            let Operation::Call { method, receiver: Some(_), args, .. } = &statement.operation else {
                continue;
            };
            let literals: Option<Vec<Value>> = args.iter().map(literal).collect();
            if let Some(literals) = literals.filter(|literals| !literals.is_empty()) {
                let key = (method.name.clone(), method.descriptor.clone());
                *found.by_method.entry(key).or_default().entry(literals).or_default() += 1;
            }
        }
        found
    }

    /// What to call the inspector with, best first, where `own` are the literals of the test. Without parameters, nothing.
    pub fn lists(&self, method: &MethodRef, own: &[Value], types: &Types) -> Vec<Vec<Value>> {
        let parameters = descriptor::parameters(&method.descriptor);
        if parameters.is_empty() {
            return vec![vec![]];
        }
        let key = (method.name.clone(), method.descriptor.clone());
        let Some(learned) = self.by_method.get(&key) else { return vec![] };
        let mut lists: Vec<Vec<Value>> = vec![];
        if let [parameter] = parameters[..] {
            let fits = |value: &&Value| types.literal_fits(value, parameter);
            lists.extend(own.iter().filter(fits).take(OWN).map(|value| vec![value.clone()]));
        }
        let mut often: Vec<(&Vec<Value>, &usize)> = learned.iter().collect();
        often.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (list, _) in often {
            if !lists.contains(list) {
                lists.push(list.clone());
            }
        }
        lists.truncate(MOST);
        lists
    }
}

/// The literals of a test that say something, each once, in their order.
pub fn literals(sequence: &Sequence) -> Vec<Value> {
    let mut found = vec![];
    for arg in sequence.statements.iter().flat_map(|statement| statement.operation.args()) {
        if let Some(value) = literal(arg).filter(|value| !found.contains(value)) {
            found.push(value);
        }
    }
    found
}

fn literal(arg: &Arg) -> Option<Value> {
    match arg {
        Arg::Value(Value::Null) | Arg::Var(_) => None,
        Arg::Value(Value::Str(text)) if text.len() > LONGEST => None,
        Arg::Value(value) => Some(value.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::sequence::Statement;
    use dynaflow_model::sites::CallKind;

    fn method(name: &str, descriptor: &str) -> MethodRef {
        MethodRef { owner: "a.Map".into(), name: name.into(), descriptor: descriptor.into() }
    }

    fn text(text: &str) -> Value {
        Value::Str(text.into())
    }

    fn calls(method: &MethodRef, lists: &[Vec<Arg>]) -> Sequence {
        let call = |args: &Vec<Arg>| Statement {
            operation: Operation::Call {
                method: method.clone(),
                kind: CallKind::Virtual,
                receiver: Some(Arg::Var(0)),
                args: args.clone(),
            },
            result: "Z".into(),
            runtime_class: None,
            caught: None,
        };
        Sequence { statements: lists.iter().map(call).collect() }
    }

    #[test]
    fn an_inspector_is_asked_about_the_words_of_the_test_and_as_the_seeds_ask_it() {
        let has = method("has", "(Ljava/lang/String;)Z");
        let of = |text: &str| vec![Arg::Value(self::text(text))];
        let seeds = calls(&has, &[of("a"), of("b"), of("b"), vec![Arg::Var(0)]]);
        let arguments = Arguments::of([&seeds].into_iter());
        let types = Types::new([], "a");
        let own = literals(&calls(&has, &[of("new"), of("new"), vec![Arg::Value(Value::Int(3))]]));
        assert_eq!(own, [text("new"), Value::Int(3)]);
        let lists = arguments.lists(&has, &own, &types);
        assert_eq!(lists, [vec![text("new")], vec![text("b")], vec![text("a")]]);
        assert_eq!(arguments.lists(&method("size", "()I"), &own, &types), [vec![]]);
        let unknown = arguments.lists(&method("hides", "(Ljava/lang/String;)Z"), &own, &types);
        assert!(unknown.is_empty(), "no seed calls it");
    }
}
