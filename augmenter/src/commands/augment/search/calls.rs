//! Goals of calls: that a test calls a method of the target itself, that the method returns, what kind of value it gives, and with which exception it ends
//! (Rojas, Campos, Vivanti, Fraser and Arcuri, "Combining Multiple Coverage Criteria in Search-Based Unit Test Generation", 2015).
//!
//! In: a sequence and how it ended. Out: the numbers of the goals it reaches. Knows nothing of probes or JVMs. Invariant: a goal keeps its number; numbers are
//! given in the order in which goals become known, so that the same search has the same ones.

use crate::commands::augment::ask::criteria::Criteria;
use crate::commands::augment::ask::options::Criterion;
use crate::commands::augment::facts::coverage;
use dynaflow_model::descriptor;
use dynaflow_model::outcome::{Observed, Outcome};
use dynaflow_model::sequence::{Operation, Sequence, Value};
use dynaflow_model::sites::MethodRef;
use dynaflow_model::types::{Callable, TypeInfo};
use std::collections::{BTreeMap, BTreeSet};

/// What a call comes to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// It is made.
    Called,
    /// It returns.
    Returned,
    /// It gives a value of this kind.
    Gave(Kind),
    /// It ends with an exception of this class.
    Threw(String),
}

impl End {
    /// The criterion that has it.
    fn criterion(&self) -> Criterion {
        match self {
            Self::Called => Criterion::Method,
            Self::Returned => Criterion::MethodNoException,
            Self::Gave(_) => Criterion::Output,
            Self::Threw(_) => Criterion::Exception,
        }
    }
}

/// Kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    True,
    False,
    Negative,
    Zero,
    Positive,
    Letter,
    Digit,
    OtherCharacter,
    Null,
    Empty,
    Filled,
    Present,
}

/// A goal: binary name of the class, name and descriptor of the method, what it comes to.
type Goal = (String, String, End);

/// The goals of calls of all targets that are known.
#[derive(Debug)]
pub struct Calls {
    criteria: Criteria,
    /// The number of the first goal.
    first: u32,
    goals: Vec<Goal>,
    numbers: BTreeMap<Goal, u32>,
    /// By class, the methods whose calls count.
    methods: BTreeMap<String, BTreeSet<String>>,
}

impl Calls {
    /// None yet; their numbers begin with `first`.
    pub fn new(criteria: Criteria, first: u32) -> Self {
        Self { criteria, first, goals: vec![], numbers: BTreeMap::new(), methods: BTreeMap::new() }
    }

    /// The methods and constructors that a class declares and tests may call become goals; once.
    pub fn add_class(&mut self, info: &TypeInfo, may_call: impl Fn(&Callable) -> bool) {
        if !self.criteria.call() || self.methods.contains_key(&info.name) {
            return;
        }
        let is_own = |callable: &&Callable| callable.method.owner == info.name && may_call(callable);
        let constructors = info.constructors.iter().filter(|_| !info.is_abstract);
        let own: Vec<&Callable> = constructors.chain(&info.methods).filter(is_own).collect();
        let signatures = own.iter().map(|callable| callable.method.signature()).collect();
        self.methods.insert(info.name.clone(), signatures);
        for callable in own {
            let result = descriptor::result(&callable.method.descriptor);
            let kinds = kinds_of(result).iter().map(|kind| End::Gave(*kind));
            for end in [End::Called, End::Returned].into_iter().chain(kinds) {
                self.number(&info.name, &callable.method, end);
            }
        }
    }

    /// The goals of a class.
    pub fn of_class(&self, class: &str) -> BTreeMap<u32, coverage::Goal> {
        let own = (self.first..).zip(&self.goals).filter(|(_, (of, _, _))| of == class);
        let goal = |signature: &str, end: &End| coverage::Goal {
            text: text(signature, end),
            criteria: vec![end.criterion()],
        };
        own.map(|(number, (_, signature, end))| (number, goal(signature, end))).collect()
    }

    /// The goals of a class that the search is led to.
    pub fn leading(&self, class: &str) -> impl Iterator<Item = u32> {
        let leads = |end: &End| *end != End::Called || self.criteria.lead_to_calls();
        let own = (self.first..).zip(&self.goals);
        own.filter(move |(_, (of, _, end))| of == class && leads(end)).map(|(number, _)| number)
    }

    /// The number of the first goal: every goal from it on is one of calls.
    pub fn first(&self) -> u32 {
        self.first
    }

    /// The goals that a run reached.
    pub fn reached(&mut self, sequence: &Sequence, outcome: &Outcome) -> BTreeSet<u32> {
        let mut reached = BTreeSet::new();
        if !self.criteria.call() || outcome.broken.is_some() {
            return reached;
        }
        let thrown = outcome.thrown.as_ref();
        for (index, statement) in (0u32..).zip(&sequence.statements) {
            let shown = outcome.statements.get(index as usize);
            let ended = thrown.filter(|thrown| thrown.statement == index);
            let (Operation::New { constructor: method, .. } | Operation::Call { method, .. }) =
                &statement.operation
            else {
                continue;
            };
            if !self.methods.get(&method.owner).is_some_and(|own| own.contains(&method.signature())) {
                continue;
            }
            let mut ends = vec![];
            if let Some(shown) = shown {
                ends.extend([End::Called, End::Returned]);
                ends.extend(kind_of(descriptor::result(&method.descriptor), shown).map(End::Gave));
            } else if let Some(thrown) = ended {
                ends.extend([End::Called, End::Threw(thrown.class.clone())]);
            }
            reached.extend(ends.into_iter().filter_map(|end| self.number(&method.owner, method, end)));
        }
        reached
    }

    /// The number of a goal, if goals of its kind earn tests.
    fn number(&mut self, class: &str, method: &MethodRef, end: End) -> Option<u32> {
        if !self.criteria.has(end.criterion()) {
            return None;
        }
        let next = self.first + u32::try_from(self.goals.len()).ok()?;
        let goal = (class.to_owned(), method.signature(), end);
        let number = *self.numbers.entry(goal.clone()).or_insert(next);
        if number == next {
            self.goals.push(goal);
        }
        Some(number)
    }
}

/// A method by its name and descriptor, for people.
pub fn spoken(signature: &str) -> String {
    match signature.split('(').next().unwrap_or_default() {
        "<init>" => "the constructor".to_owned(),
        name => format!("{name}()"),
    }
}

/// The kinds of values that a result of this type may have.
fn kinds_of(result: &str) -> &'static [Kind] {
    match result {
        "V" => &[],
        "Z" => &[Kind::True, Kind::False],
        "C" => &[Kind::Letter, Kind::Digit, Kind::OtherCharacter],
        number if descriptor::is_primitive(number) => &[Kind::Negative, Kind::Zero, Kind::Positive],
        other if holds(other) => &[Kind::Null, Kind::Empty, Kind::Filled],
        _ => &[Kind::Null, Kind::Present],
    }
}

/// Classes whose objects are empty or not.
const HOLDERS: [&str; 7] = [
    "java.lang.String",
    "java.util.Collection",
    "java.util.List",
    "java.util.Map",
    "java.util.Optional",
    "java.util.Queue",
    "java.util.Set",
];

/// Whether objects of a type are empty or not.
fn holds(result: &str) -> bool {
    result.starts_with('[')
        || descriptor::class_of(result).is_some_and(|class| HOLDERS.contains(&class.as_str()))
}

/// The kind of a value that a method with this result gave.
fn kind_of(result: &str, shown: &Observed) -> Option<Kind> {
    let sign = |is_zero: bool, is_less: bool| match (is_zero, is_less) {
        (true, _) => Kind::Zero,
        (false, true) => Kind::Negative,
        (false, false) => Kind::Positive,
    };
    let whole = |n: i64| sign(n == 0, n < 0);
    let real = |n: f64| sign(n == 0.0, n < 0.0);
    let filled = |is_empty: bool| if is_empty { Kind::Empty } else { Kind::Filled };
    let kind = match shown {
        Observed::Void => return None,
        Observed::Value(Value::Null) => Kind::Null,
        Observed::Value(Value::Bool(flag)) => {
            if *flag {
                Kind::True
            } else {
                Kind::False
            }
        }
        Observed::Value(Value::Byte(n)) => whole((*n).into()),
        Observed::Value(Value::Short(n)) => whole((*n).into()),
        Observed::Value(Value::Int(n)) => whole((*n).into()),
        Observed::Value(Value::Long(n)) => whole(*n),
        Observed::Value(Value::Float(bits)) => real(f32::from_bits(*bits).into()),
        Observed::Value(Value::Double(bits)) => real(f64::from_bits(*bits)),
        Observed::Value(Value::Char(unit)) => match char::from_u32((*unit).into()) {
            Some(c) if c.is_alphabetic() => Kind::Letter,
            Some(c) if c.is_numeric() => Kind::Digit,
            _ => Kind::OtherCharacter,
        },
        Observed::Value(Value::Str(text)) if holds(result) => filled(text.is_empty()),
        Observed::Contents(_, all) if holds(result) => filled(all.is_empty()),
        // What is not shown is much.
        _ if holds(result) => Kind::Filled,
        _ => Kind::Present,
    };
    kinds_of(result).contains(&kind).then_some(kind)
}

/// What a goal is, for people.
fn text(signature: &str, end: &End) -> String {
    let call = spoken(signature);
    match end {
        End::Called => format!("a call of {call}"),
        End::Returned => format!("{call} returns"),
        End::Threw(class) => format!("{call} throws {class}"),
        End::Gave(kind) => format!("{call} gives {}", word(*kind)),
    }
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::True => "true",
        Kind::False => "false",
        Kind::Negative => "a negative number",
        Kind::Zero => "zero",
        Kind::Positive => "a positive number",
        Kind::Letter => "a letter",
        Kind::Digit => "a digit",
        Kind::OtherCharacter => "a character that is neither letter nor digit",
        Kind::Null => "null",
        Kind::Empty => "what is empty",
        Kind::Filled => "what is not empty",
        Kind::Present => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::outcome::{Container, Thrown};
    use dynaflow_model::sequence::Statement;
    use dynaflow_model::sites::CallKind;
    use dynaflow_model::types::Visibility;

    fn method(owner: &str, text: &str) -> MethodRef {
        let (name, descriptor) = text.split_at(text.find('(').unwrap());
        MethodRef { owner: owner.into(), name: name.into(), descriptor: descriptor.into() }
    }

    /// `a.Box` with methods of its own, one of which no test may call, and one that it inherits.
    fn calls(criteria: &[Criterion]) -> Calls {
        let callable = |owner: &str, text: &str, kind, visibility| Callable {
            method: method(owner, text),
            kind,
            visibility,
            throws: vec![],
        };
        let own = |text: &str| callable("a.Box", text, CallKind::Virtual, Visibility::Public);
        let hidden = callable("a.Box", "hidden()V", CallKind::Virtual, Visibility::Private);
        let inherited = callable("a.Base", "old()I", CallKind::Virtual, Visibility::Public);
        let info = TypeInfo {
            name: "a.Box".into(),
            visibility: Visibility::Public,
            is_abstract: false,
            is_interface: false,
            is_inner: false,
            supertypes: vec![],
            constructors: vec![callable("a.Box", "<init>()V", CallKind::Constructor, Visibility::Public)],
            methods: vec![own("size()I"), own("all()Ljava/util/List;"), hidden, inherited],
            static_fields: vec![],
            enum_constants: vec![],
            to_implement: None,
        };
        let mut calls = Calls::new(Criteria::of(criteria, true), 100);
        calls.add_class(&info, |callable| callable.visibility != Visibility::Private);
        calls
    }

    /// The goals that calls of these methods, which gave this, reach, in words.
    fn reached(calls: &mut Calls, ran: &[(&str, Observed)], thrown: Option<(&str, &str)>) -> Vec<String> {
        let call = |text: &str| Statement {
            operation: Operation::Call {
                kind: CallKind::Virtual,
                method: method("a.Box", text),
                receiver: None,
                args: vec![],
            },
            result: "V".into(),
            runtime_class: None,
            caught: None,
        };
        let mut statements: Vec<Statement> = ran.iter().map(|(text, _)| call(text)).collect();
        statements.extend(thrown.map(|(text, _)| call(text)));
        statements.push(call("size()I"));
        let last = u32::try_from(ran.len()).unwrap();
        let thrown = thrown.map(|(_, class)| Thrown {
            statement: last,
            class: class.into(),
            superclasses: vec![],
            message: None,
            declared: false,
            on_purpose: false,
            raised_in: vec![],
        });
        let shown = ran.iter().map(|(_, shown)| shown.clone()).collect();
        let outcome = Outcome { statements: shown, thrown, ..Outcome::default() };
        let numbers = calls.reached(&Sequence { statements }, &outcome);
        let texts = calls.of_class("a.Box");
        numbers.iter().map(|number| texts[number].text.clone()).collect()
    }

    #[test]
    fn what_the_class_declares_and_tests_may_call_is_a_goal() {
        let texts = |criteria: &[Criterion]| -> Vec<String> {
            calls(criteria).of_class("a.Box").into_values().map(|goal| goal.text).collect()
        };
        assert_eq!(
            texts(&[Criterion::Method]),
            ["a call of the constructor", "a call of size()", "a call of all()"]
        );
        assert_eq!(texts(&[Criterion::Output]).len(), 3 + 3);
        assert_eq!(texts(&[Criterion::Exception, Criterion::Branch]), [] as [&str; 0]);
        assert_eq!(calls(&[Criterion::Method]).of_class("a.Base").len(), 0);
    }

    #[test]
    fn a_run_reaches_what_its_calls_came_to_and_not_what_it_did_not_come_to() {
        let int = |n| Observed::Value(Value::Int(n));
        let empty = Observed::Contents(Container::List, vec![]);
        let ran = [("size()I", int(-2)), ("all()Ljava/util/List;", empty), ("hidden()V", Observed::Void)];
        let thrown = Some(("all()Ljava/util/List;", "a.Refused"));
        let of = |criterion: Criterion| reached(&mut calls(&[criterion]), &ran, thrown);
        assert_eq!(of(Criterion::Output), ["size() gives a negative number", "all() gives what is empty"]);
        assert_eq!(of(Criterion::MethodNoException), ["size() returns", "all() returns"]);
        assert_eq!(of(Criterion::Exception), ["all() throws a.Refused"]);
        let mut only_thrown = calls(&[Criterion::Method, Criterion::MethodNoException]);
        assert_eq!(
            reached(&mut only_thrown, &[], thrown),
            ["a call of all()"],
            "it did not return, and nothing ran behind it"
        );
    }

    #[test]
    fn a_goal_that_shows_only_when_it_is_reached_keeps_its_number() {
        let mut calls = calls(&[Criterion::Exception]);
        for class in ["a.One", "a.Other", "a.One"] {
            reached(&mut calls, &[], Some(("size()I", class)));
        }
        let expected = [(100, "size() throws a.One"), (101, "size() throws a.Other")];
        let texts: Vec<(u32, String)> =
            calls.of_class("a.Box").into_iter().map(|(number, goal)| (number, goal.text)).collect();
        assert_eq!(texts, expected.map(|(n, text)| (n, text.to_owned())));
    }
}
