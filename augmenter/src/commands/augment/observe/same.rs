//! What is known of the objects of a test by which of them are the same: where one came from, and what was given to it.
//!
//! Knows nothing of how that is found out. Invariant: without an answer each statement gives an object of its own.

use super::scene::Scene;
use dynaflow_model::outcome::{Container, Observed, Path};
use dynaflow_model::sequence::{Arg, Operation, Value};

impl Scene<'_> {
    /// The first statement that gave the same object.
    pub fn first(&self, variable: u32) -> u32 {
        self.outcome.same.get(&variable).copied().unwrap_or(variable)
    }

    /// The object that the statement gave, where an earlier one is the same.
    pub fn given_before(&self, variable: u32) -> Option<u32> {
        self.outcome.same.get(&variable).copied()
    }

    /// Whether the statement gave the object that it was called on, as fluent methods do.
    pub fn is_fluent(&self, variable: u32) -> bool {
        let statement = self.sequence.statements.get(variable as usize);
        let on = statement.map(|statement| &statement.operation);
        let given = self.given_before(variable);
        matches!(on, Some(Operation::Call { receiver: Some(Arg::Var(on)), .. }) if given == Some(self.first(*on)))
    }

    /// Whether the statement compares an object with itself, by `equals` or `compareTo`: what comes of it is the same whatever the object holds.
    pub fn is_of_itself(&self, variable: u32) -> bool {
        let statement = self.sequence.statements.get(variable as usize);
        let Some(Operation::Call { method, receiver: Some(Arg::Var(on)), args, .. }) =
            statement.map(|s| &s.operation)
        else {
            return false;
        };
        let compares = ["equals", "compareTo"].contains(&method.name.as_str()) && args.len() == 1;
        compares
            && args.iter().any(|arg| matches!(arg, Arg::Var(given) if self.first(*given) == self.first(*on)))
    }

    /// Whether the test ends with a call from which nobody learns what the object holds: of the object with itself, or of `hashCode()`.
    pub fn ends_by_asking_itself(&self) -> bool {
        let last = self.sequence.statements.last().map(|statement| &statement.operation);
        let at = u32::try_from(self.sequence.statements.len()).unwrap_or(u32::MAX).saturating_sub(1);
        let is_hash = matches!(last, Some(Operation::Call { method, receiver: Some(_), .. }) if method.name == "hashCode" && method.descriptor == "()I");
        self.outcome.thrown.is_none() && (is_hash || self.is_of_itself(at))
    }

    /// The paths to objects of which nothing but that they are there was seen, short ones first.
    pub fn objects(&self) -> impl Iterator<Item = &Path> {
        let is_object =
            |(path, seen): &(&Path, &Observed)| matches!(seen, Observed::Object(_)) && !path.looks.is_empty();
        let mut paths: Vec<&Path> = self.seen.iter().filter(is_object).map(|(path, _)| path).collect();
        paths.sort_by_key(|path| path.looks.len());
        paths.into_iter()
    }

    /// The same place as seen from the object of a statement that lies on the path; none where there is none.
    pub fn shortened(&self, path: &Path) -> Option<Path> {
        let ways = (1..path.looks.len()).rev().filter_map(|at| {
            let (before, rest) = path.looks.split_at_checked(at)?;
            let through = Path { variable: path.variable, looks: before.to_vec() };
            Some(Path { variable: *self.same.get(&through)?, looks: rest.to_vec() })
        });
        ways.into_iter().next()
    }

    /// Whether the object is a constant on which the test calls nothing but what only asks it: what it holds was there before the test.
    pub fn is_left_alone(&self, variable: u32) -> bool {
        let first = self.first(variable);
        let made = self.sequence.statements.get(first as usize).map(|statement| &statement.operation);
        matches!(made, Some(Operation::GetStatic(_))) && !self.may_be_changed(first)
    }

    /// Whether a call on this object does more than ask.
    fn may_be_changed(&self, first: u32) -> bool {
        let changes = |(at, operation): (u32, &Operation)| match operation {
            Operation::Call { receiver: Some(Arg::Var(on)), .. } => {
                self.first(*on) == first && !self.asking.contains(&at)
            }
            _ => false,
        };
        (0u32..).zip(self.sequence.statements.iter().map(|statement| &statement.operation)).any(changes)
    }

    /// Whether a look at an object shows what the test gave the call that made it, or a call on what made it, and nothing was called on the object since
    /// but what only asks it.
    pub fn restates(&self, path: &Path, shows: &Observed) -> bool {
        let (Some(shown), 1) = (one_value(shows), path.looks.len()) else { return false };
        !self.may_be_changed(self.first(path.variable))
            && self.gave(self.first(path.variable)).into_iter().any(|given| is_same(given, shown))
    }

    /// The literals that the call which made the object was given, and the calls on what that call was made on.
    fn gave(&self, variable: u32) -> Vec<&Value> {
        let made = self.sequence.statements.get(variable as usize).map(|statement| &statement.operation);
        let maker = match made {
            Some(Operation::Call { receiver: Some(Arg::Var(maker)), .. }) => Some(self.first(*maker)),
            _ => None,
        };
        let by = |(at, operation): &(u32, &Operation)| {
            let on = match operation {
                Operation::Call { receiver: Some(Arg::Var(on)), .. } => Some(self.first(*on)),
                _ => None,
            };
            *at == variable || maker.is_some() && (on == maker || Some(*at) == maker) && *at < variable
        };
        let all = (0u32..).zip(self.sequence.statements.iter().map(|statement| &statement.operation));
        let args = all.filter(by).flat_map(|(_, operation)| operation.args());
        args.filter_map(|arg| match arg {
            Arg::Value(value) => Some(value),
            Arg::Var(_) => None,
        })
        .collect()
    }
}

/// The value, or the only one that an optional holds.
fn one_value(shows: &Observed) -> Option<&Value> {
    match shows {
        Observed::Value(value) => Some(value),
        Observed::Contents(Container::Optional, elements) => match &elements[..] {
            [Observed::Value(value)] => Some(value),
            _ => None,
        },
        _ => None,
    }
}

/// Whether two values are the same, whole numbers whatever their types.
fn is_same(one: &Value, other: &Value) -> bool {
    let number = |value: &Value| match value {
        Value::Byte(number) => Some(i64::from(*number)),
        Value::Short(number) => Some(i64::from(*number)),
        Value::Int(number) => Some(i64::from(*number)),
        Value::Long(number) => Some(*number),
        _ => None,
    };
    one == other || number(one).is_some_and(|one| Some(one) == number(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::outcome::{Look, Outcome};
    use dynaflow_model::sequence::{Sequence, Statement};
    use dynaflow_model::sites::{FieldRef, MethodRef};
    use std::collections::BTreeMap;

    fn call(on: Option<u32>, name: &str, args: &[Arg]) -> Statement {
        let method = MethodRef {
            owner: "a.Box".into(),
            name: name.into(),
            descriptor: "(Ljava/lang/String;)La/Box;".into(),
        };
        let kind = dynaflow_model::sites::CallKind::Virtual;
        let operation = Operation::Call { method, kind, receiver: on.map(Arg::Var), args: args.to_vec() };
        Statement { operation, result: "La/Box;".into(), runtime_class: None, caught: None }
    }

    fn lid(variable: u32) -> Path {
        let method = MethodRef { owner: "a.Box".into(), name: "lid".into(), descriptor: "()La/Box;".into() };
        Path { variable, looks: vec![Look::Call { method, args: vec![] }] }
    }

    /// A builder, two calls on it that give it again, and what it builds.
    fn built(more: &[Statement]) -> Sequence {
        let text = |text: &str| [Arg::Value(Value::Str(text.into()))];
        let built = [
            call(None, "builder", &[]),
            call(Some(0), "name", &text("plum")),
            call(Some(1), "color", &text("blue")),
            call(Some(2), "build", &[]),
        ];
        Sequence { statements: [built.as_slice(), more].concat() }
    }

    fn scene_of(sequence: &Sequence) -> Scene<'_> {
        let same = BTreeMap::from([(1, 0), (2, 0)]);
        Scene::new(sequence, vec![], Outcome { same, ..Outcome::default() })
    }

    #[test]
    fn what_an_object_was_made_with_says_something_once_it_was_called() {
        let text = |text: &str| Observed::Value(Value::Str(text.into()));
        let sequence = built(&[]);
        let scene = scene_of(&sequence);
        assert!(scene.restates(&lid(3), &text("plum")) && scene.restates(&lid(3), &text("blue")));
        assert!(!scene.restates(&lid(3), &text("red")), "nobody gave it");
        assert!(!scene.restates(&lid(3).then(Look::Length), &text("plum")), "it lies behind another object");
        assert!(!scene.restates(&lid(0), &text("plum")), "calls changed it");
        let renamed = built(&[call(Some(3), "rename", &[])]);
        let mut scene = scene_of(&renamed);
        assert!(!scene.restates(&lid(3), &text("plum")), "it was renamed, for what is known");
        scene.asking.insert(4);
        assert!(scene.restates(&lid(3), &text("plum")), "that call only asks");
    }

    #[test]
    fn a_constant_is_left_alone_until_a_call_on_it_does_more_than_ask() {
        let field = FieldRef { owner: "a.Box".into(), name: "PLUM".into(), descriptor: "La/Box;".into() };
        let constant = Statement { operation: Operation::GetStatic(field), ..call(None, "", &[]) };
        let passed = call(None, "wrap", &[Arg::Var(0)]);
        let sequence = Sequence { statements: vec![constant, passed, call(Some(0), "rename", &[])] };
        let mut scene = Scene::new(&sequence, vec![], Outcome::default());
        assert!(!scene.is_left_alone(0), "it was renamed, for what is known");
        scene.asking.insert(2);
        assert!(scene.is_left_alone(0) && !scene.is_left_alone(1), "the other was made by the test");
    }

    #[test]
    fn an_object_is_compared_with_itself_by_whatever_variable_and_by_what_only_compares() {
        let sequence = built(&[
            call(Some(1), "equals", &[Arg::Var(2)]),
            call(Some(1), "compareTo", &[Arg::Var(0)]),
            call(Some(1), "equals", &[Arg::Var(3)]),
            call(None, "equals", &[Arg::Var(0)]),
            call(Some(1), "isBefore", &[Arg::Var(2)]),
        ]);
        let scene = scene_of(&sequence);
        let of_itself = [4, 5, 6, 7, 8, 0].map(|at| scene.is_of_itself(at));
        assert_eq!(of_itself, [true, true, false, false, false, false]);
        let hash = |descriptor: &str| {
            let mut hash = call(Some(3), "hashCode", &[]);
            if let Operation::Call { method, .. } = &mut hash.operation {
                descriptor.clone_into(&mut method.descriptor);
            }
            hash
        };
        let like = |given: u32| call(Some(1), "equals", &[Arg::Var(given)]);
        for (last, asks_itself) in
            [(like(2), true), (like(3), false), (hash("()I"), true), (hash("(I)I"), false)]
        {
            let sequence = built(&[last]);
            assert_eq!(scene_of(&sequence).ends_by_asking_itself(), asks_itself, "{sequence:?}");
        }
    }

    #[test]
    fn a_number_of_another_type_and_what_an_optional_holds_are_what_was_given() {
        let sequence = Sequence { statements: vec![call(None, "of", &[Arg::Value(Value::Long(7))])] };
        let scene = scene_of(&sequence);
        let restates = |shows: Observed| scene.restates(&lid(0), &shows);
        let number = |number: i32| Observed::Value(Value::Int(number));
        assert_eq!([7, 8].map(|given| restates(number(given))), [true, false]);
        let held =
            |elements: &[i32]| Container::Optional.holding(elements.iter().copied().map(number).collect());
        assert_eq!([&[7][..], &[8], &[]].map(|elements| restates(held(elements))), [true, false, false]);
        assert!(
            !restates(Container::List.holding(vec![number(7)])),
            "that it holds one element alone is news"
        );
    }

    #[test]
    fn a_path_through_an_object_of_the_test_is_shorter_from_there() {
        let sequence = built(&[]);
        let mut scene = scene_of(&sequence);
        scene.same.insert(lid(3), 0);
        assert_eq!(
            scene.shortened(&lid(3).then(Look::Length)),
            Some(Path { variable: 0, looks: vec![Look::Length] })
        );
        assert_eq!(scene.shortened(&lid(3)), None, "nothing is left of it");
        assert_eq!(scene.shortened(&lid(0).then(Look::Length)), None, "another object");
    }

    #[test]
    fn what_a_call_gives_again_was_given_before_and_is_fluent_where_it_is_the_object_of_the_call() {
        let sequence = built(&[call(Some(3), "made_by", &[])]);
        let mut scene = scene_of(&sequence);
        scene.outcome.same.insert(4, 0);
        assert_eq!(
            (scene.given_before(2), scene.given_before(3), scene.given_before(4)),
            (Some(0), None, Some(0))
        );
        assert_eq!([1, 2, 3, 4].map(|variable| scene.is_fluent(variable)), [true, true, false, false]);
    }
}
