//! Names of test methods that say what is done and what comes of it: `addOption_thenParse_throwsUnrecognizedOptionException`.
//!
//! Knows nothing of files. Invariant: a name is a Java identifier, hides nothing the file uses and occurs once. A name depends on its test and
//! on the names given before; it gets a number only when all there is to say of the test is said of another one.

use crate::body::Shown;
use crate::names::{capitalised, uncapitalised};
use crate::request::TestCase;
use crate::words;
use dynaflow_model::outcome::Thrown;
use dynaflow_model::sequence::{Arg, Operation, Statement};
use std::collections::BTreeSet;

/// How many calls a name mentions at first, and at most.
const FEWEST: usize = 2;
const MOST: usize = 5;
/// Most literals of a call that it mentions.
const MOST_LITERALS: usize = 3;
/// Longest name, unless a shorter one says nothing.
const LONGEST: usize = 100;
/// Names every object has already.
const TAKEN: &[&str] = &[
    "wait",
    "notify",
    "notifyAll",
    "getClass",
    "hashCode",
    "toString",
    "equals",
    "clone",
    "finalize",
    "fail",
];

/// The names given so far in one class.
#[derive(Debug, Default)]
pub(crate) struct MethodNames {
    given: BTreeSet<String>,
}

impl MethodNames {
    /// Takes over the names of a class that is there.
    pub(crate) fn keep(&mut self, names: &[String]) {
        self.given.extend(names.iter().cloned());
    }

    /// A name for a test of a class: the first of those that say more and more which is free. What happens before the class comes into play is said last.
    pub(crate) fn name(&mut self, test: &TestCase, shown: &[Shown], class: &str) -> String {
        let hint = test.name_hint.as_deref().map(identifier).filter(|hint| !hint.is_empty());
        let all: Vec<String> = match hint {
            Some(hint) => vec![hint],
            None => [Some(class), None].map(|of| Story::of(test, shown, of).names()).concat(),
        };
        let all: Vec<String> = all.into_iter().map(usable).collect();
        let free = all.iter().find(|name| !self.given.contains(*name)).cloned();
        let name = free.unwrap_or_else(|| self.numbered(all.first().map_or("test", String::as_str)));
        self.given.insert(name.clone());
        name
    }

    fn numbered(&self, base: &str) -> String {
        let mut count = 2;
        loop {
            let name = format!("{base}_{count}");
            if !self.given.contains(&name) {
                return name;
            }
            count += 1;
        }
    }
}

/// As many whole words of a name as may be there; where already its first is longer, as many characters.
fn cut(name: &str) -> String {
    let mut chars: Vec<char> = name.chars().collect();
    let begins_word = |c: &char| c.is_uppercase() || *c == '_';
    let is_whole = chars.get(LONGEST).is_none_or(begins_word);
    chars.truncate(LONGEST);
    let last = chars.iter().rposition(begins_word).filter(|last| *last > 0 && !is_whole);
    chars.truncate(last.unwrap_or(LONGEST));
    chars.into_iter().collect::<String>().trim_end_matches('_').to_owned()
}

fn usable(name: String) -> String {
    let is_taken = TAKEN.contains(&name.as_str()) || name.starts_with("assert");
    if is_taken { format!("call{}", capitalised(&name)) } else { name }
}

/// A call, repeated or not, in words.
#[derive(Debug, PartialEq, Eq)]
struct Call {
    name: String,
    times: usize,
    /// The literals it is given.
    literals: Vec<String>,
}

impl Call {
    fn words(&self, with_literals: bool) -> String {
        let times = match self.times {
            1 => String::new(),
            2 => "Twice".to_owned(),
            n => format!("{}Times", words::number(n as i64).unwrap_or_else(|| "Many".to_owned())),
        };
        let literals = if with_literals { self.literals.join("And") } else { String::new() };
        let with = if literals.is_empty() { "" } else { "With" };
        format!("{}{times}{with}{literals}", self.name)
    }
}

/// A test in words.
#[derive(Debug)]
struct Story {
    calls: Vec<Call>,
    /// What it ends with, and what else it shows.
    ending: Option<String>,
    shown: Vec<String>,
    /// What is made, with its literals.
    made: Vec<Call>,
}

impl Story {
    /// Of a test, with what happens before this class comes into play only if no class is given.
    fn of(test: &TestCase, shown: &[Shown], class: Option<&str>) -> Self {
        let ran = test.outcome.thrown.as_ref().map_or(usize::MAX, |thrown| thrown.statement as usize + 1);
        let statements = || test.sequence.statements.iter().take(ran);
        let mut shown = reports(shown, statements().count());
        let ending = match &test.outcome.thrown {
            Some(thrown) => Some(threw(thrown, test.sequence.statements.get(thrown.statement as usize))),
            None => shown.pop(),
        };
        shown.reverse();
        let all: Vec<&Statement> = statements().collect();
        let mut made = made(&all);
        let done = refused(test, &all).or_else(|| constructed(&all, class));
        if let Some(place) = made.iter().position(|one| Some(one) == done.as_ref()) {
            made.remove(place);
        }
        Self { calls: calls(&all, class, done), ending, shown, made }
    }

    /// The names, each with more in it than those before.
    fn names(&self) -> Vec<String> {
        let count = self.calls.len();
        let mut all = vec![];
        for depth in FEWEST.min(count)..=MOST.min(count) {
            // Literals of none, of the last, of all calls.
            for literals in [0, 1, depth] {
                all.push(self.name(depth, literals, 0, 0));
            }
        }
        let depth = MOST.min(count);
        for more in 1..=self.made.len().min(3) {
            all.push(self.name(FEWEST.min(count), depth, 0, more));
        }
        for more in 1..=self.shown.len().min(3) {
            all.push(self.name(FEWEST.min(count), FEWEST, more, 0));
            all.push(self.name(depth, depth, more, self.made.len().min(3)));
        }
        let mut all: Vec<String> = all.into_iter().filter(|name| !name.is_empty()).collect();
        let shortest = all.first().cloned();
        all.retain(|name| name.len() <= LONGEST);
        if all.is_empty() {
            let last = self.name(1, 0, 0, 0);
            let is_short = !last.is_empty() && last.len() <= LONGEST;
            all.extend(if is_short { Some(last) } else { shortest.as_deref().map(cut) });
        }
        all
    }

    /// A name with so many of the last calls, literals of so many of those, further results, and objects made.
    fn name(&self, calls: usize, literals: usize, shown: usize, made: usize) -> String {
        let objects = self.made.iter().take(made).map(|call| call.words(true));
        let last = self.calls.iter().skip(self.calls.len().saturating_sub(calls));
        let count = last.len();
        let done = last.enumerate().map(|(at, call)| call.words(count - at <= literals));
        let mut parts: Vec<String> = objects.chain(done).map(|part| identifier(&part)).collect();
        if parts.is_empty() {
            parts.extend(self.made.first().map(|call| identifier(&call.words(literals > 0))));
        }
        let mut text = String::new();
        for part in parts.iter().filter(|part| !part.is_empty()) {
            match text.is_empty() {
                true => text.push_str(part),
                false => text.push_str(&format!("_then{}", capitalised(part))),
            }
        }
        if text.is_empty() {
            text.push_str("test");
        }
        for (at, ending) in self.ending.iter().chain(self.shown.iter().take(shown)).enumerate() {
            let and = if at == 0 { ending.clone() } else { format!("and{}", capitalised(ending)) };
            text.push_str(&format!("_{}", identifier(&and)));
        }
        text
    }
}

/// How a test ends with an exception of the program, or with a contract that is not kept.
fn threw(thrown: &Thrown, statement: Option<&Statement>) -> String {
    let class = thrown.class.rsplit(['.', '$']).next().unwrap_or_default();
    let throws = format!("throws{}", capitalised(class));
    match statement.map(|statement| &statement.operation) {
        Some(Operation::Contract { clause, .. }) if thrown.is_of_contract() => clause.outcome().to_owned(),
        Some(Operation::Contract { clause, .. })
            if thrown.raised_in.is_empty()
                || thrown.raised_in.iter().any(|frame| frame.method == clause.method()) =>
        {
            format!("{}{}", clause.method(), capitalised(&throws))
        }
        _ => throws,
    }
}

/// The constructor that ends a test with an exception: it is what is done there, as a call is.
fn refused(test: &TestCase, statements: &[&Statement]) -> Option<Call> {
    let thrown = test.outcome.thrown.as_ref()?;
    let last = statements.get(thrown.statement as usize)?;
    made(statements).into_iter().next().filter(|_| matches!(last.operation, Operation::New { .. }))
}

/// The constructor of the class where nothing is done with its object: it is what is done there, whatever prepares it.
fn constructed(statements: &[&Statement], class: Option<&str>) -> Option<Call> {
    let prepares = preparing(statements, class);
    let mut done = statements.iter().zip(prepares).filter(|(_, prepares)| !prepares).map(|(one, _)| *one);
    let is_own = |one: &Statement| matches!(&one.operation, Operation::New { constructor, .. } if Some(constructor.owner.as_str()) == class);
    let is_call = |one: &Statement| matches!(one.operation, Operation::Call { .. });
    let calls = done.clone().any(is_call);
    let class = class.and_then(|class| class.rsplit(['.', '$']).next())?;
    let is_done = done.any(is_own) && !calls;
    made(statements)
        .into_iter()
        .find(|call| call.name == format!("new{}", capitalised(class)))
        .filter(|_| is_done)
}

/// How many statements stand before the first that makes an object of the class, or calls one of its methods; none where nothing does.
fn arranging(statements: &[&Statement], class: &str) -> usize {
    let is_of_class = |statement: &&Statement| {
        let owner = match &statement.operation {
            Operation::New { constructor: method, .. } | Operation::Call { method, .. } => &method.owner,
            _ => return false,
        };
        owner.strip_prefix(class).is_some_and(|inner| inner.is_empty() || inner.starts_with('$'))
    };
    statements.iter().position(is_of_class).unwrap_or_default()
}

/// By statement, whether it prepares something for others: it stands before the class comes into play, makes an object of the JDK, or calls one that the test made.
fn preparing(statements: &[&Statement], class: Option<&str>) -> Vec<bool> {
    let arranging = class.map_or(0, |class| arranging(statements, class));
    let mut prepares: Vec<bool> = vec![];
    for statement in statements {
        let is_made = |receiver: &Option<Arg>| match receiver {
            Some(Arg::Var(at)) => prepares.get(*at as usize).copied().unwrap_or_default(),
            _ => true,
        };
        prepares.push(match &statement.operation {
            _ if prepares.len() < arranging => true,
            Operation::New { constructor, .. } => constructor.owner.starts_with("java."),
            Operation::Call { method, receiver, .. } => {
                method.owner.starts_with("java.") && is_made(receiver)
            }
            _ => false,
        });
    }
    prepares
}

/// The calls, those of a class that follow each other with one name as one, and the constructor that is what is done in the end. Those that prepare something say
/// nothing beside others, unless one is the last.
fn calls(statements: &[&Statement], class: Option<&str>, constructor: Option<Call>) -> Vec<Call> {
    let prepares = preparing(statements, class);
    let is_call = |statement: &Statement| matches!(statement.operation, Operation::Call { .. });
    let calls = || statements.iter().zip(&prepares).filter(|(one, _)| is_call(one));
    let has_own = constructor.is_some() || calls().any(|(_, prepares)| !prepares);
    let last = statements.len().saturating_sub(1);
    let mut found: Vec<Call> = vec![];
    let mut before = "";
    for (at, statement) in statements.iter().enumerate() {
        let Operation::Call { method, args, .. } = &statement.operation else { continue };
        if has_own && at < last && prepares.get(at) == Some(&true) {
            continue;
        }
        let literals = literals(args, statements);
        let is_of_class = std::mem::replace(&mut before, method.owner.as_str()) == method.owner;
        match found.last_mut() {
            Some(call) if call.name == method.name && is_of_class => {
                call.times += 1;
                let is_new = |literal: &String| !call.literals.contains(literal);
                let more: Vec<String> = literals.into_iter().filter(is_new).collect();
                call.literals.extend(more);
                call.literals.truncate(MOST_LITERALS);
            }
            _ => found.push(Call { name: method.name.clone(), times: 1, literals }),
        }
    }
    found.extend(constructor);
    found
}

/// What is made, the last first.
fn made(statements: &[&Statement]) -> Vec<Call> {
    let of = |statement: &&Statement| {
        let (owner, literals) = match &statement.operation {
            Operation::New { constructor, args } => (&constructor.owner, literals(args, statements)),
            Operation::GetStatic(field) => {
                (&field.owner, vec![capitalised(&field.name.to_ascii_lowercase())])
            }
            _ => return None,
        };
        let simple = owner.rsplit(['.', '$']).next()?;
        Some(Call { name: format!("new{}", capitalised(simple)), times: 1, literals })
    };
    let mut all: Vec<Call> = statements.iter().filter_map(of).collect();
    all.reverse();
    all
}

/// The first literals among some arguments and the elements of arrays among them, each once.
fn literals(args: &[Arg], statements: &[&Statement]) -> Vec<String> {
    let elements = |array: &Arg| {
        let stored = statements.iter().filter_map(move |statement| match &statement.operation {
            Operation::ArrayStore { array: into, value: Arg::Value(value), .. } if into == array => {
                Some(value)
            }
            _ => None,
        });
        stored.collect::<Vec<_>>()
    };
    let mut found: Vec<String> = vec![];
    for arg in args {
        let values = match arg {
            Arg::Value(value) => vec![value],
            Arg::Var(_) => elements(arg),
        };
        for word in values.into_iter().filter_map(words::value) {
            if found.len() < MOST_LITERALS && !found.contains(&word) {
                found.push(word);
            }
        }
    }
    found
}

/// What the test shows, the best last: the result of its last call, what observers report, results of earlier calls.
fn reports(shown: &[Shown], statements: usize) -> Vec<String> {
    let mut all: Vec<(usize, String)> = vec![];
    for one in shown {
        let Some(seen) = words::seen(&one.what) else { continue };
        all.push(match one.statement {
            Some(statement) if statement + 1 == statements => (2, format!("returns{}", seen.word())),
            Some(_) => (0, words::is(&one.method, &seen)),
            None => (1, words::is(&one.method, &seen)),
        });
    }
    // Of what observers report the first comes first.
    let (mut observed, mut others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(rank, _)| *rank == 1);
    observed.reverse();
    let last = others.pop_if(|(rank, _)| *rank == 2);
    others.into_iter().chain(observed).chain(last).map(|(_, text)| text).collect()
}

/// The characters of a text that an identifier can have, with a small first letter.
fn identifier(text: &str) -> String {
    let kept: String = text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    let kept = kept.trim_start_matches(|c: char| c.is_ascii_digit());
    let starts_small = kept.chars().next().is_some_and(|c| !c.is_uppercase());
    if starts_small { kept.to_owned() } else { uncapitalised(kept) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Form;
    use dynaflow_model::outcome::Outcome;
    use dynaflow_model::sequence::{Sequence, Value};
    use dynaflow_model::sites::{CallKind, MethodRef};

    fn method(owner: &str, name: &str, descriptor: &str) -> MethodRef {
        MethodRef { owner: owner.into(), name: name.into(), descriptor: descriptor.into() }
    }

    fn statement(operation: Operation) -> Statement {
        Statement { operation, result: "V".into(), runtime_class: None, caught: None }
    }

    /// A call of a static method without parameters.
    fn call(owner: &str, name: &str) -> Statement {
        let method = method(owner, name, "()V");
        statement(Operation::Call { method, kind: CallKind::Static, receiver: None, args: vec![] })
    }

    #[test]
    fn a_name_that_is_too_long_is_that_of_its_last_call_or_ends_with_a_whole_word() {
        let long = |name: &str| Call { name: name.repeat(4), times: 1, literals: vec![] };
        let story = |calls| Story { calls, ending: None, shown: vec![], made: vec![] };
        let both = story(vec![long("buildErrorResponse"), long("handleNotFound")]);
        assert_eq!(both.names(), ["handleNotFound".repeat(4)], "both have 132 characters");
        let one = story(vec![Call {
            name: format!("{}Response", "handle".repeat(16)),
            times: 1,
            literals: vec![],
        }]);
        assert_eq!(one.names(), ["handle".repeat(16)]);
        assert_eq!(cut(&format!("{}_thenOpen", "a".repeat(LONGEST))), "a".repeat(LONGEST));
        assert_eq!(cut(&"a".repeat(LONGEST + 1)), "a".repeat(LONGEST), "one word alone");
    }

    #[test]
    fn calls_of_one_name_are_one_where_one_class_has_the_method() {
        let times = |owners: &[&str]| {
            let statements: Vec<Statement> = owners.iter().map(|owner| call(owner, "from")).collect();
            let statements: Vec<&Statement> = statements.iter().collect();
            calls(&statements, None, None).iter().map(|call| call.times).collect::<Vec<_>>()
        };
        assert_eq!(times(&["a.Zone", "a.Zone", "a.Zone"]), [3]);
        assert_eq!(times(&["a.Zone", "a.Converter"]), [1, 1]);
        assert_eq!(times(&["a.Zone", "a.Converter", "a.Converter"]), [1, 2]);
        assert_eq!(
            times(&["a.Zone", "java.util.Set", "java.util.Set", "a.Zone"]),
            [2],
            "what prepares is left out"
        );
        assert_eq!(
            times(&["java.util.Set", "a.Zone", "java.util.Set"]),
            [1, 1],
            "and what comes last is not"
        );
        assert_eq!(times(&["java.util.Set", "java.util.Set"]), [2]);
    }

    #[test]
    fn a_test_that_makes_an_object_and_calls_nothing_on_it_is_called_after_the_constructor() {
        let made = |owner: &str| {
            let constructor = method(owner, "<init>", "()V");
            statement(Operation::New { constructor, args: vec![] })
        };
        let name = |statements: Vec<Statement>| {
            let (comment, sequence) = (String::new(), Sequence { statements });
            let outcome = Outcome::default();
            let test = TestCase { name_hint: None, comment, sequence, outcome, form: Form::default() };
            MethodNames::default().name(&test, &[], "a.Door")
        };
        let prepared = || vec![call("java.util.List", "of"), call("a.Key", "cut"), made("a.Door")];
        assert_eq!(name([prepared(), vec![made("a.Key")]].concat()), "newDoor");
        assert_eq!(name([prepared(), vec![call("a.Door", "open")]].concat()), "open");
        assert_eq!(name(vec![call("a.Key", "cut"), made("a.Key")]), "cut", "it makes no door");
    }

    #[test]
    fn what_happens_before_the_class_comes_into_play_is_said_last() {
        let constructor = method("a.Door", "<init>", "(La/Key;)V");
        let made = Operation::New { constructor, args: vec![Arg::Value(Value::Null)] };
        let statements = vec![call("a.Smith", "cut"), statement(made), call("a.Smith", "cut")];
        let thrown = |statement| Thrown {
            statement,
            class: "a.Refused".into(),
            superclasses: vec![],
            message: None,
            declared: false,
            on_purpose: true,
            raised_in: vec![],
        };
        let names = |thrown: Option<Thrown>| {
            let outcome = Outcome { thrown, ..Outcome::default() };
            let (comment, sequence) = (String::new(), Sequence { statements: statements.clone() });
            let test = TestCase { name_hint: None, comment, sequence, outcome, form: Form::default() };
            let mut names = MethodNames::default();
            [(); 3].map(|()| names.name(&test, &[], "a.Door"))
        };
        assert_eq!(names(None), ["cut", "newDoorWithNull_thenCut", "cutTwice"]);
        let of_smith = names(Some(thrown(2)));
        assert_eq!(of_smith[0], "cut_throwsRefused");
        let of_door = names(Some(thrown(1)));
        let [first, second, third] = of_door.each_ref().map(String::as_str);
        assert_eq!([first, second], ["newDoor_throwsRefused", "newDoorWithNull_throwsRefused"]);
        assert_eq!(third, "cut_thenNewDoor_throwsRefused");
    }
}
