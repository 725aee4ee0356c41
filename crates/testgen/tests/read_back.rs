//! What a source says is what the sequence says: random sequences written, read back by the language's own rules and compared.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic, which fails the test")]

mod common;
mod reader;

use common::{callable, info, look, method, with};
use dynaflow_model::descriptor;
use dynaflow_model::frameworks::style;
use dynaflow_model::outcome::{Container, Look, Observation, Observed, Outcome, Path, Thrown};
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement, Value};
use dynaflow_model::sites::{CallKind, FieldRef};
use dynaflow_model::types::TypeInfo;
use dynaflow_search::{Config, Search, Types};
use dynaflow_testgen::{Form, Manner, Placed, Request, TestCase, generate, is_fit};
use reader::{Check, File, Method};
use std::collections::BTreeMap;

const OVER: &str = "shop.Over";

/// The class whose tests are written: overloads of every kind.
const OVERLOADS: &[&str] = &[
    "f(I)I",
    "f(J)J",
    "f(D)D",
    "f(C)C",
    "f(B)B",
    "f(Ljava/lang/Object;)Ljava/lang/Object;",
    "f(Ljava/lang/Integer;)Ljava/lang/Integer;",
    "g(Ljava/lang/String;)Ljava/lang/String;",
    "g(Ljava/lang/Object;)F",
    "g(Lshop/Item;)S",
    "h(Lshop/Item;Z)Z",
    "h([I)V",
    "h([Lshop/Item;)V",
    "one(Ljava/lang/String;)V",
    "item()Lshop/Item;",
    "any()Ljava/lang/Object;",
    "kind(Lshop/Over$Kind;)Lshop/Over$Kind;",
    "type(Ljava/lang/Class;)Ljava/lang/Class;",
    "list(Ljava/util/List;)V",
    "items()Ljava/util/List;",
    "far(Lstore/Item;)V",
    "long1(JF)V",
    "short1(SB)V",
    "also(I)Lshop/Over;",
    "filter(Lshop/Filter;)V",
    "source(Lshop/Source;J)V",
];

/// Besides, a class called like one of `java.lang`, two classes of one simple name, nested and inner ones.
fn all_types() -> Vec<TypeInfo> {
    let object = "java.lang.Object";
    let mut over = with(info(OVER, &[object]), &["()V", "(I)V", "(J)V", "(Lshop/Item;)V"], OVERLOADS);
    over.methods.push(callable(OVER, "make(D)Lshop/Item;", CallKind::Static, &[]));
    over.methods.push(callable(OVER, "risky()I", CallKind::Virtual, &["java.io.IOException"]));
    let shared = FieldRef { owner: OVER.into(), name: "SHARED".into(), descriptor: "Lshop/Over;".into() };
    over.static_fields.push(shared);
    let of_item = ["take(Ljava/lang/Object;)Z", "name()Ljava/lang/String;"];
    let mut item = with(info("shop.Item", &[]), &[], &of_item);
    (item.is_interface, item.is_abstract) = (true, true);
    let of_book = ["take(Ljava/lang/String;)Z", "turn()I"];
    let of_slot = ["(Lshop/Over;I)V", "(Lshop/Over;J)V"];
    let mut slot = with(info("shop.Over$Slot", &[object]), &of_slot, &["number()J"]);
    slot.is_inner = true;
    let mut kind = info("shop.Over$Kind", &[object, "java.lang.Enum"]);
    kind.enum_constants = vec!["HIGH".into(), "LOW".into()];
    let of_list = ["add(Ljava/lang/Object;)Z", "size()I", "get(I)Ljava/lang/Object;"];
    let mut list = with(info("java.util.List", &[]), &[], &of_list);
    (list.is_interface, list.is_abstract) = (true, true);
    let stored = ["take(Ljava/lang/Object;)Z", "price()F"];
    let stubbed = |name: &str, methods: &[&str]| {
        let mut info = with(info(name, &[]), &[], methods);
        (info.is_interface, info.is_abstract) = (true, true);
        info.to_implement = Some(methods.iter().map(|text| method(name, text)).collect());
        info
    };
    vec![
        stubbed("shop.Filter", &["keeps(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object;"]),
        stubbed("shop.Source", &["close()V", "next(Lshop/Item;I)Lshop/Item;", "twice(D)D"]),
        over,
        item,
        slot,
        kind,
        list,
        with(info("shop.Book", &[object, "shop.Item"]), &["()V"], &[of_item, of_book].concat()),
        with(info("shop.Double", &[object]), &["()V"], &["twice(D)D"]),
        with(info("store.Item", &[object, "shop.Item"]), &["()V"], &stored),
        with(info("java.util.ArrayList", &[object, "java.util.List"]), &["()V"], &of_list),
    ]
}

/// The same seed gives the same numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from((self.0 >> 33) % u64::from(bound)).unwrap()
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    fn some<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(u32::try_from(all.len()).unwrap()) as usize].clone()
    }

    /// A literal of the same type, from the odd ends of it.
    fn odd(&mut self, value: &Value) -> Value {
        match value {
            Value::Str(_) => {
                let all = [
                    "",
                    "\\u0041",
                    "a\"b'c\\",
                    "\n\r\t\u{c}",
                    "\u{e9}\u{1f600}\u{2028}",
                    "/* */ // x",
                    "\u{0}1",
                ];
                Value::Str(self.some(&all).to_owned())
            }
            Value::Char(_) => Value::Char(self.some(&[39, 34, 92, 10, 13, 0, 0xd800, 0x2028, 65])),
            Value::Byte(_) => Value::Byte(self.some(&[i8::MIN, -1, 0, i8::MAX])),
            Value::Short(_) => Value::Short(self.some(&[i16::MIN, -1, 0, i16::MAX])),
            Value::Int(_) => Value::Int(self.some(&[i32::MIN, -1, 0, i32::MAX])),
            Value::Long(_) => Value::Long(self.some(&[i64::MIN, -1, 0, i64::MAX])),
            Value::Float(_) => {
                let all = [
                    f32::NAN,
                    f32::INFINITY,
                    -0.0,
                    f32::MIN_POSITIVE,
                    1e-5,
                    1e20,
                    f32::MAX,
                    f32::NEG_INFINITY,
                ];
                Value::Float(self.some(&all).to_bits())
            }
            Value::Double(_) => {
                let all =
                    [f64::NAN, f64::NEG_INFINITY, -0.0, f64::MIN_POSITIVE, 1e-7, 1e300, 0.1, f64::INFINITY];
                Value::Double(self.some(&all).to_bits())
            }
            Value::Class(_) => {
                let all = [
                    "int",
                    "[I",
                    "void",
                    "[[Lshop.Item;",
                    "shop.Over$Kind",
                    "store.Item",
                    "java.lang.Double",
                ];
                Value::Class(self.some(&all).to_owned())
            }
            Value::Boxed(inner) => Value::Boxed(Box::new(self.odd(inner))),
            other => other.clone(),
        }
    }

    /// Some contents: of an array of numbers, or of a container.
    fn contents(&mut self, of_array: bool) -> Observed {
        let count = self.below(4);
        let number = |random: &mut Self| Observed::Value(random.odd(&Value::Int(0)));
        if of_array {
            return Container::Array("[I".into()).holding((0..count).map(|_| number(self)).collect());
        }
        let text = |n: u32| Observed::Value(Value::Str(format!("text {n}")));
        match self.below(4) {
            0 => Container::List.holding((0..count).map(|_| number(self)).collect()),
            1 => Container::Set.holding((0..count).map(text).collect()),
            2 => Container::Map.holding((0..count).flat_map(|n| [text(n), number(self)]).collect()),
            _ => Container::Optional.holding((0..count % 2).map(text).collect()),
        }
    }

    fn observed(&mut self, result: &str) -> Observed {
        let some = match result {
            "V" => return Observed::Void,
            "Z" => return Observed::Value(Value::Bool(self.one_in(2))),
            "B" => Value::Byte(0),
            "C" => Value::Char(0),
            "S" => Value::Short(0),
            "I" => Value::Int(0),
            "J" => Value::Long(0),
            "F" => Value::Float(0),
            "D" => Value::Double(0),
            "Ljava/lang/Integer;" => Value::Boxed(Box::new(Value::Int(0))),
            "Ljava/lang/String;" => Value::Str(String::new()),
            "Ljava/lang/Class;" => Value::Class(String::new()),
            "Ljava/lang/Object;" if self.one_in(2) => Value::Boxed(Box::new(Value::Double(0))),
            "Lshop/Over$Kind;" => return Observed::Value(Value::Enum("shop.Over$Kind".into(), "LOW".into())),
            _ if self.one_in(5) => return Observed::Value(Value::Null),
            _ => return Observed::Object("shop.Book".into()),
        };
        Observed::Value(self.odd(&some))
    }
}

/// A candidate of the search with odd literals, objects used as what they turned out to be, and an outcome.
fn test_case(random: &mut Random, mut sequence: Sequence) -> TestCase {
    for arg in sequence.statements.iter_mut().flat_map(|statement| statement.operation.args_mut()) {
        if let Arg::Value(value) = arg
            && random.one_in(2)
        {
            *value = random.odd(value);
        }
    }
    for index in 0..u32::try_from(sequence.statements.len()).unwrap() {
        let statement = &mut sequence.statements[index as usize];
        if ["Lshop/Item;", "Ljava/lang/Object;"].contains(&statement.result.as_str()) && random.one_in(2) {
            statement.runtime_class = Some("shop.Book".into());
            let (owner, text) =
                random.some(&[("shop.Book", "turn()I"), ("shop.Item", "name()Ljava/lang/String;")]);
            sequence.statements.push(call(index, owner, text, vec![]));
        }
        if sequence.statements[index as usize].result == "Lshop/Over;" && random.one_in(2) {
            sequence.statements.push(call(
                index,
                OVER,
                "also(I)Lshop/Over;",
                vec![Arg::Value(Value::Int(1))],
            ));
        }
        let made_book = sequence.statements[index as usize].result == "Lshop/Book;";
        if made_book && random.one_in(2) {
            let args = vec![Arg::Value(Value::Str("x".into()))];
            let owner = random.some(&["shop.Item", "shop.Book"]);
            sequence.statements.push(call(index, owner, "take(Ljava/lang/Object;)Z", args));
        }
    }
    if random.one_in(3) {
        fill_array(random, &mut sequence);
    }
    let mut outcome = Outcome {
        statements: sequence.statements.iter().map(|statement| random.observed(&statement.result)).collect(),
        ..Outcome::default()
    };
    give_again(&sequence, &mut outcome);
    let is_call = |s: &Statement| matches!(s.operation, Operation::Call { .. } | Operation::New { .. });
    let last = sequence.statements.len() - 1;
    if random.one_in(3) && is_call(&sequence.statements[last]) {
        outcome.statements.pop();
        outcome.thrown = Some(thrown(random, last));
    }
    observe(random, &sequence, &mut outcome);
    TestCase {
        name_hint: None,
        comment: "covers \\u000a nothing".into(),
        sequence,
        outcome,
        form: Form::default(),
    }
}

/// What `also` gives is what it was called on.
fn give_again(sequence: &Sequence, outcome: &mut Outcome) {
    for (index, statement) in (0u32..).zip(&sequence.statements) {
        if let Operation::Call { method, receiver: Some(Arg::Var(on)), .. } = &statement.operation
            && method.name == "also"
        {
            let first = outcome.same.get(on).copied().unwrap_or(*on);
            outcome.same.insert(index, first);
            outcome.statements[index as usize] = Observed::Object(OVER.into());
        }
    }
}

/// Passes an array that is filled from end to end, backwards, or in part.
fn fill_array(random: &mut Random, sequence: &mut Sequence) {
    let on = sequence.statements.iter().position(|statement| statement.result == "Lshop/Over;");
    let Some(on) = on else { return };
    let array = u32::try_from(sequence.statements.len()).unwrap();
    let made = Operation::NewArray { descriptor: "[I".into(), length: 3 };
    let mut push = |operation, result: &str| {
        sequence.statements.push(Statement {
            operation,
            result: result.into(),
            runtime_class: None,
            caught: None,
        });
    };
    push(made, "[I");
    for index in random.some(&[vec![0, 1, 2], vec![2, 1, 0], vec![0, 1], vec![0, 0, 2]]) {
        let value = Arg::Value(Value::Int(i32::try_from(random.below(9)).unwrap()));
        push(Operation::ArrayStore { array: Arg::Var(array), index, value }, "V");
    }
    let take = call(u32::try_from(on).unwrap(), OVER, "h([I)V", vec![Arg::Var(array)]);
    sequence.statements.push(take);
}

fn call(on: u32, owner: &str, text: &str, args: Vec<Arg>) -> Statement {
    let operation = Operation::Call {
        method: method(owner, text),
        kind: CallKind::Virtual,
        receiver: Some(Arg::Var(on)),
        args,
    };
    Statement { operation, result: descriptor::result(text).to_owned(), runtime_class: None, caught: None }
}

fn thrown(random: &mut Random, at: usize) -> Thrown {
    let class =
        random.some(&["java.io.IOException", "java.lang.IllegalStateException", "java.lang.AssertionError"]);
    Thrown {
        statement: u32::try_from(at).unwrap(),
        class: class.into(),
        superclasses: vec!["java.lang.Throwable".into()],
        message: random.one_in(2).then(|| "a\nb \\u0041".to_owned()),
        declared: random.one_in(2),
        on_purpose: random.one_in(4),
        raised_in: vec![],
    }
}

fn observe(random: &mut Random, sequence: &Sequence, outcome: &mut Outcome) {
    let name = || look("shop.Item", "name()Ljava/lang/String;", &[]);
    for (index, statement) in (0u32..).zip(&sequence.statements).take(outcome.statements.len()) {
        let (looks, of) = match statement.result.as_str() {
            "Lshop/Item;" | "Lshop/Book;" => (vec![name()], "Ljava/lang/String;"),
            "Lshop/Over$Slot;" => (vec![look("shop.Over$Slot", "number()J", &[])], "J"),
            "Lshop/Over;" if random.one_in(4) => (vec![look(OVER, "item()Lshop/Item;", &[])], "same"),
            "Lshop/Over;" if random.one_in(2) => {
                (vec![look(OVER, "item()Lshop/Item;", &[]), name()], "Ljava/lang/String;")
            }
            "Lshop/Over;" if random.one_in(2) => {
                let listed = Look::Listed { index: random.below(3), of: "Lshop/Item;".into() };
                (vec![look(OVER, "items()Ljava/util/List;", &[]), listed, name()], "Ljava/lang/String;")
            }
            "Lshop/Over;" => {
                let length = random.odd(&Value::Double(0));
                (vec![look(OVER, "f(D)D", &[length])], "D")
            }
            "[I" if matches!(statement.operation, Operation::NewArray { .. }) => {
                (random.some(&[vec![], vec![Look::Length], vec![Look::Element(0)]]), "I")
            }
            _ => continue,
        };
        if of == "same" {
            let is_item = |s: &Statement| ["Lshop/Item;", "Lshop/Book;"].contains(&s.result.as_str());
            let item = sequence.statements.iter().take(outcome.statements.len()).position(is_item);
            if let Some(item) = item {
                let result = Observed::Same(u32::try_from(item).unwrap());
                outcome.observations.push(Observation { path: Path { variable: index, looks }, result });
            }
        } else if random.one_in(2) {
            let is_whole =
                looks.is_empty() || looks.len() == 1 && of == "Ljava/lang/String;" && random.one_in(3);
            let result = if is_whole { random.contents(looks.is_empty()) } else { random.observed(of) };
            outcome.observations.push(Observation { path: Path { variable: index, looks }, result });
        }
    }
}

/// A value as literals of Java can express it: there is one NaN.
fn plain(value: &Value) -> Value {
    match value {
        Value::Float(bits) if f32::from_bits(*bits).is_nan() => Value::Float(f32::NAN.to_bits()),
        Value::Double(bits) if f64::from_bits(*bits).is_nan() => Value::Double(f64::NAN.to_bits()),
        Value::Boxed(inner) => Value::Boxed(Box::new(plain(inner))),
        other => other.clone(),
    }
}

/// An operation as far as sources express it: they do not say how a method is invoked, nor through which class an object's method is
/// named.
fn expressed(operation: &Operation, places: &BTreeMap<u32, u32>) -> Operation {
    let mut operation = operation.clone();
    for arg in operation.args_mut() {
        *arg = match arg {
            Arg::Var(index) => Arg::Var(places[index]),
            Arg::Value(value) => Arg::Value(plain(value)),
        };
    }
    match &mut operation {
        Operation::Call { method, kind, receiver: Some(_), .. } => {
            method.owner = String::new();
            *kind = CallKind::Virtual;
        }
        Operation::GetField { field, .. } => field.descriptor = String::new(),
        _ => {}
    }
    operation
}

/// Whether the last statement is a call of which nothing but its object was seen, and an assertion begins with the same call on the same object.
fn asks_again(test: &TestCase) -> bool {
    let last = test.sequence.statements.len() - 1;
    let first = |index: u32| test.outcome.same.get(&index).copied().unwrap_or(index);
    let Operation::Call { method, receiver: Some(Arg::Var(on)), args, .. } =
        &test.sequence.statements[last].operation
    else {
        return false;
    };
    let mut begin = test.outcome.observations.iter().filter(|seen| seen.path.looks.len() > 1);
    test.outcome.thrown.is_none()
        && matches!(test.outcome.statements[last], Observed::Object(_))
        && begin.any(|seen| match &seen.path.looks[0] {
            Look::Call { method: looked, args: given } => {
                let given: Vec<Arg> = given.iter().cloned().map(Arg::Value).collect();
                let same = looked.name == method.name && looked.descriptor == method.descriptor;
                first(seen.path.variable) == first(*on) && same && given == *args
            }
            _ => false,
        })
}

/// The statements a source has to write, with their places among what is written: reads and arrays nobody uses are left out, and a call that an assertion
/// makes again.
fn written(test: &TestCase) -> (Vec<u32>, BTreeMap<u32, u32>) {
    let ran = test.outcome.thrown.as_ref().map_or(usize::MAX, |thrown| thrown.statement as usize + 1);
    let statements: Vec<&Statement> = test.sequence.statements.iter().take(ran).collect();
    let used = |index: u32| {
        let by_statement = statements.iter().any(|s| s.operation.args().contains(&&Arg::Var(index)));
        let is_seen = |seen: &Observation| {
            seen.path.variable == index || matches!(seen.result, Observed::Same(same) if same == index)
        };
        by_statement || test.outcome.observations.iter().any(is_seen)
    };
    let acts = |s: &Statement| {
        matches!(s.operation, Operation::Call { .. } | Operation::New { .. } | Operation::ArrayStore { .. })
    };
    let all = (0u32..).zip(&statements);
    let asked_again = asks_again(test).then_some(statements.len() as u32 - 1);
    let is_written = |index: u32, s: &Statement| used(index) || acts(s) && asked_again != Some(index);
    let kept: Vec<u32> = all.filter(|(index, s)| is_written(*index, s)).map(|(index, _)| index).collect();
    let first = |index: &u32| test.outcome.same.get(index).copied().unwrap_or(*index);
    let place = |index: &u32| u32::try_from(kept.iter().position(|other| other == index).unwrap()).unwrap();
    let places = kept.iter().map(|index| (*index, place(&first(index)))).collect();
    (kept, places)
}

/// Whether an assertion says what was observed, and nothing where there is nothing to say.
fn assert_says(check: Option<&Check>, observed: Option<&Observed>, name: &str, context: &str) {
    match (check, observed) {
        (None, None | Some(Observed::Void | Observed::Object(_))) => {}
        (None, Some(Observed::Value(_))) => {
            assert!(["hashCode"].contains(&name), "{name} is not compared: {context}");
        }
        (Some(Check::NotNull), Some(Observed::Object(_))) => {}
        (Some(Check::NotNull), Some(Observed::Value(seen))) if !is_fit(seen) => {}
        (Some(Check::Null), Some(Observed::Value(Value::Null))) => {}
        (Some(Check::Holds(held)), Some(Observed::Contents(..))) => {
            assert_eq!(Some(held), observed, "{context}")
        }
        (Some(Check::Equals(value)), Some(Observed::Value(seen))) => {
            assert_eq!(*value, plain(seen), "{context}")
        }
        (Some(Check::Same(place)), Some(Observed::Same(wanted))) => {
            assert_eq!(*place, *wanted as usize, "{context}");
        }
        _ => unreachable!("{check:?} for {observed:?}: {context}"),
    }
}

/// Whether the method declares a checked exception.
fn is_risky(operation: &Operation) -> bool {
    matches!(operation, Operation::Call { method, .. } if method.name == "risky")
}

/// The method with the first operation that gave an object in place of all that gave it.
fn of_objects(read: &Method, same: &BTreeMap<u32, u32>) -> Method {
    let mut read = read.clone();
    for arg in read.operations.iter_mut().flat_map(|(operation, _)| operation.args_mut()) {
        if let Arg::Var(index) = arg {
            *index = same[index];
        }
    }
    for (_, check) in &mut read.checks {
        if let Check::Same(place) = check {
            *place = same[&u32::try_from(*place).unwrap()] as usize;
        }
    }
    read
}

/// Holds a method that was read against the test it was written for.
fn compare(test: &TestCase, read: &Method, types: &[TypeInfo], text: &str) {
    let (kept, places) = written(test);
    let of_kept = |place: u32| kept.get(place as usize).map_or(place, |index| places[index]);
    let same: BTreeMap<u32, u32> =
        (0..u32::try_from(read.operations.len()).unwrap()).map(|place| (place, of_kept(place))).collect();
    let read = &of_objects(read, &same);
    let at = text.find(&format!(" {}()", read.name)).unwrap();
    let context = &text[at..text[at..].find("\n    }\n").unwrap() + at];
    let check = |place: usize| {
        let mut of_it =
            read.checks.iter().filter(|(operation, _)| *operation == place).map(|(_, check)| check);
        let first = of_it.next();
        assert_eq!(of_it.next(), None, "two assertions: {context}");
        first
    };
    for (place, index) in kept.iter().enumerate() {
        let statement = &test.sequence.statements[*index as usize];
        let (operation, result) = &read.operations[place];
        assert_eq!(expressed(operation, &same), expressed(&statement.operation, &places), "{context}");
        if !matches!(operation, Operation::GetField { .. }) {
            assert_eq!(*result, statement.result, "{context}");
        }
        if let (
            Operation::Call { method: read, .. },
            Operation::Call { method: ours, receiver: Some(_), .. },
        ) = (operation, &statement.operation)
        {
            let classes = reader::overloads::Classes(types);
            assert!(
                classes.extends(&read.owner, &ours.owner),
                "{} for {}: {context}",
                read.owner,
                ours.owner
            );
        }
        if let Operation::Call { method, .. } = &statement.operation {
            let observed = test.outcome.statements.get(*index as usize);
            assert_says(check(place), observed, &method.name, context);
        }
    }
    let thrown = test.outcome.thrown.as_ref();
    let expected = thrown.filter(|t| t.is_expected()).map(|thrown| (kept.len() - 1, thrown.class.clone()));
    let caught = usize::from(expected.is_some());
    let mut uncaught =
        kept[..kept.len() - caught].iter().map(|index| &test.sequence.statements[*index as usize]);
    let declares = uncaught.any(|statement| is_risky(&statement.operation));
    assert!(!declares || read.throws_clause.is_some(), "a checked exception is not declared: {context}");
    assert_eq!(read.throws, expected, "{context}");
    let said =
        thrown.filter(|t| t.is_expected() && t.class.ends_with("Exception")).and_then(|t| t.message.clone());
    assert_eq!(read.message, said, "{context}");
    compare_observations(test, read, kept.len(), &places, context);
}

/// Holds what is asserted behind the statements against what observers reported.
fn compare_observations(
    test: &TestCase,
    read: &Method,
    from: usize,
    places: &BTreeMap<u32, u32>,
    context: &str,
) {
    let checks =
        |place: usize| read.checks.iter().find(|(operation, _)| *operation == place).map(|(_, check)| check);
    if test.outcome.thrown.as_ref().is_some_and(|thrown| !thrown.is_expected()) {
        assert_eq!(read.operations.len(), from, "nothing follows what reveals a fault: {context}");
        return;
    }
    let (mut at, mut left_out, mut said) = (from, 0, vec![]);
    for observation in &test.outcome.observations {
        let (looks, result) = as_written(observation, places);
        let mut on = places[&observation.path.variable] as usize;
        let whole = (on, looks.clone(), result.clone());
        let leads = |on: &mut usize, place: usize, look: &Look| {
            let found =
                read.operations.get(place).is_some_and(|(operation, _)| is_look(operation, *on, look));
            *on = place;
            found
        };
        if looks.iter().enumerate().all(|(step, look)| leads(&mut on, at + step, look)) {
            at += looks.len();
            assert_says(checks(on), Some(&result), "", context);
        } else if !said.contains(&whole) {
            // The same is said once.
            left_out += 1;
        }
        said.push(whole);
    }
    // The last call may have been the observer itself, with the same result.
    assert!(left_out <= 1 && at == read.operations.len(), "{context}");
}

/// An observation as a source expresses it: of an array without elements, its length; of the object of a statement, its place.
fn as_written(observation: &Observation, places: &BTreeMap<u32, u32>) -> (Vec<Look>, Observed) {
    let mut looks = observation.path.looks.clone();
    match &observation.result {
        Observed::Contents(Container::Array(_), elements) if elements.is_empty() => {
            looks.push(Look::Length);
            (looks, Observed::Value(Value::Int(0)))
        }
        Observed::Same(index) => (looks, Observed::Same(places[index])),
        result => (looks, result.clone()),
    }
}

/// Whether an operation that was read takes this step from what another gave.
fn is_look(operation: &Operation, on: usize, look: &Look) -> bool {
    let on = u32::try_from(on).unwrap();
    match (operation, look) {
        (Operation::Call { method, receiver, args, .. }, Look::Call { method: wanted, args: given }) => {
            let given: Vec<Arg> = given.iter().map(|value| Arg::Value(plain(value))).collect();
            let args: Vec<Arg> = args
                .iter()
                .map(|arg| if let Arg::Value(value) = arg { Arg::Value(plain(value)) } else { arg.clone() })
                .collect();
            (&method.name, &method.descriptor) == (&wanted.name, &wanted.descriptor)
                && *receiver == Some(Arg::Var(on))
                && args == given
        }
        (Operation::Opaque(what), Look::Element(index)) => *what == format!("{index} of {on}"),
        (Operation::Call { method, receiver, args, .. }, Look::Listed { index, .. }) => {
            let place = Value::Int(i32::try_from(*index).unwrap());
            method.name == "get" && *receiver == Some(Arg::Var(on)) && *args == [Arg::Value(place)]
        }
        (Operation::Opaque(what), Look::Length) => *what == format!("length of {on}"),
        _ => false,
    }
}

/// How many methods were compared, how many of them mention an object that was given again, or compare with one, and how many implement an
/// interface.
fn read_back(version: &str, seed: u64) -> [usize; 3] {
    let infos = all_types();
    let types = Types::new(infos.clone(), "shop");
    let roots = vec![OVER.to_owned(), "shop.Book".to_owned(), "shop.Double".to_owned()];
    let mut search = Search::new(Config { seed, roots, ..Config::default() }, types.clone(), []);
    let mut random = Random(seed | 1);
    let candidates = search.next_batch(1000);
    let tests: Vec<TestCase> = candidates.into_iter().map(|c| test_case(&mut random, c.sequence)).collect();
    let style = style(version).unwrap();
    let manner = Manner { java: if seed == 0 { 8 } else { 11 }, ..Manner::default() };
    let generated = generate(&Request {
        class: OVER,
        style,
        manner: &manner,
        first: 1,
        existing: &[],
        tests: &tests,
        types: &types,
    });
    let files: BTreeMap<&str, (File<'_>, &str)> = generated
        .sources
        .iter()
        .map(|source| (source.class.as_str(), (File::read(&source.text, &infos), source.text.as_str())))
        .collect();
    let (mut compared, mut again, mut stubs) = (0, 0, 0);
    for (test, placed) in tests.iter().zip(&generated.placed) {
        let Placed::Written { class, method, .. } = placed else { continue };
        let (file, text) = &files[class.as_str()];
        let read = file.methods.iter().find(|read| read.name == *method).unwrap();
        compare(test, read, &infos, text);
        compared += 1;
        let is_same = |(_, check): &(usize, Check)| matches!(check, Check::Same(_));
        again += usize::from(!test.outcome.same.is_empty() && read.checks.iter().any(is_same));
        let is_stub = |(operation, _): &(Operation, String)| matches!(operation, Operation::Stub { .. });
        stubs += usize::from(read.operations.iter().any(is_stub));
    }
    assert_eq!(files.values().map(|(file, _)| file.methods.len()).sum::<usize>(), compared);
    [compared, again, stubs]
}

#[test]
fn what_is_written_is_read_back_as_the_same_calls_on_the_same_objects_and_says_what_was_observed() {
    for version in ["4", "5"] {
        let counts = [0, 1].map(|seed| read_back(version, seed));
        let [compared, again, stubs] = [0, 1, 2].map(|of| counts[0][of] + counts[1][of]);
        assert!(compared > 1700 && again > 20 && stubs > 100, "too few: {compared}, {again} and {stubs}");
    }
}
