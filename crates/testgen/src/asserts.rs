//! Assertions on observed values, in the words of the framework asked for. Knows nothing of statements.
//!
//! Invariant: an assertion holds for the observed value itself, NaN and the infinities included.

use crate::contents;
use crate::fit::{is_fit, is_stable};
use crate::literals::{literal, string};
use crate::names::Names;
use dynaflow_model::descriptor;
use dynaflow_model::frameworks::{Library, Style};
use dynaflow_model::outcome::{Container, Observed, Thrown};
use dynaflow_model::sequence::Value;
use std::collections::BTreeSet;

/// Methods of the JDK whose results are those of an object's place in memory, of a clock or of a machine, though runs on one may agree
/// by luck. What other methods give is left out where runs differ.
const UNSTABLE: &[&str] =
    &["hashCode", "identityHashCode", "nanoTime", "currentTimeMillis", "freeMemory", "totalMemory"];

/// Whether assertions compare what a method of this name gives.
pub fn is_compared(method: &str) -> bool {
    !UNSTABLE.contains(&method)
}

/// What an expression is held to be; what is expected is source text, with the difference that JUnit 4 allows floating point numbers.
enum Check {
    Null,
    NotNull,
    True,
    False,
    Equal(String, &'static str),
    Array(String, &'static str),
    /// An array without elements; with AssertJ, a container without, too.
    Empty,
}

/// Static types for which AssertJ asks whether a container is empty.
const EMPTY_OR_NOT: [&str; 8] = [
    "Ljava/lang/Iterable;",
    "Ljava/util/Collection;",
    "Ljava/util/List;",
    "Ljava/util/ArrayList;",
    "Ljava/util/Set;",
    "Ljava/util/SortedSet;",
    "Ljava/util/Map;",
    "Ljava/util/Optional;",
];

/// The message of what was thrown, where it is the program's own and stable.
pub(crate) fn stable_message(thrown: &Thrown) -> Option<&str> {
    thrown.message.as_deref().filter(|message| is_stable(&thrown.class, message))
}

/// What the assertions of a file are written with.
#[derive(Debug)]
pub(crate) struct Asserts<'a> {
    pub(crate) style: &'a Style,
    /// The version of Java that is written.
    pub(crate) java: u16,
    /// The assertion methods used, to be imported.
    pub(crate) used: BTreeSet<String>,
}

/// The first version of Java with lambdas.
const LAMBDAS: u16 = 8;

impl Asserts<'_> {
    /// Whether there are lambdas, and local variables need no `final` to be used inside.
    pub(crate) fn has_lambdas(&self) -> bool {
        self.java >= LAMBDAS
    }

    /// A call of an assertion method or of a matcher.
    pub(crate) fn call(&mut self, method: &str, args: &str) -> String {
        self.used.insert(format!("{}.{method}", self.style.class_of(method)));
        format!("{method}({args})")
    }

    /// That an expression is as the check says, in the words of the library that compares values.
    fn that(&mut self, actual: &str, check: &Check) -> String {
        // Hamcrest's `is` of a class means an instance of it.
        let is_of_class = matches!(check, Check::Equal(expected, _) if expected.ends_with(".class"));
        match self.style.library {
            Library::Hamcrest if is_of_class => self.own(actual, check),
            Library::Own => self.own(actual, check),
            Library::AssertJ => {
                let that = self.call("assertThat", actual);
                match check {
                    Check::Null => format!("{that}.isNull()"),
                    Check::NotNull => format!("{that}.isNotNull()"),
                    Check::True => format!("{that}.isTrue()"),
                    Check::False => format!("{that}.isFalse()"),
                    // It compares numbers by `==`.
                    Check::Equal(expected, _) if expected == "Double.NaN" || expected == "Float.NaN" => {
                        format!("{that}.isNaN()")
                    }
                    Check::Equal(expected, _) | Check::Array(expected, _) => {
                        format!("{that}.isEqualTo({expected})")
                    }
                    Check::Empty => format!("{that}.isEmpty()"),
                }
            }
            Library::Hamcrest => {
                let length = format!("{actual}.length");
                let (actual, matcher) = match check {
                    Check::Null => (actual, self.call("nullValue", "")),
                    Check::NotNull => (actual, self.call("notNullValue", "")),
                    Check::True => (actual, self.call("is", "true")),
                    Check::False => (actual, self.call("is", "false")),
                    Check::Equal(expected, _) | Check::Array(expected, _) => {
                        (actual, self.call("is", expected))
                    }
                    Check::Empty => (length.as_str(), self.call("is", "0")),
                };
                self.call("assertThat", &format!("{actual}, {matcher}"))
            }
        }
    }

    /// The same in the words of the framework itself.
    fn own(&mut self, actual: &str, check: &Check) -> String {
        match check {
            Check::Null => self.call("assertNull", actual),
            Check::NotNull => self.call("assertNotNull", actual),
            Check::True => self.call("assertTrue", actual),
            Check::False => self.call("assertFalse", actual),
            Check::Equal(expected, delta) => {
                self.call("assertEquals", &format!("{expected}, {actual}{delta}"))
            }
            Check::Array(expected, delta) => {
                self.call("assertArrayEquals", &format!("{expected}, {actual}{delta}"))
            }
            Check::Empty => self.call("assertEquals", &format!("0, {actual}.length")),
        }
    }

    /// The statement that a call throws an exception of this class, with its message where that is given; none where only handlers can
    /// express it.
    pub(crate) fn throws(&mut self, class: &str, call: &str, message: Option<&Thrown>) -> Option<String> {
        if !self.has_lambdas() {
            return None;
        }
        if self.style.library == Library::AssertJ {
            let thrown = self.call("assertThatThrownBy", &format!("() -> {call}"));
            let message = message.and_then(stable_message).map(string);
            let message = message.map(|message| format!(".hasMessage({message})")).unwrap_or_default();
            return Some(format!("{thrown}.isInstanceOf({class}.class){message}"));
        }
        if !self.style.with_throws {
            return None;
        }
        let thrown = self.call("assertThrows", &format!("{class}.class, () -> {call}"));
        let of_message = message.and_then(|message| self.message(&thrown, message));
        Some(of_message.unwrap_or(thrown))
    }

    /// The assertion that an expression gives the very object of a variable. Hamcrest's matcher asks for the same static type, so there the
    /// framework's own stays.
    pub(crate) fn same(&mut self, expression: &str, variable: &str) -> String {
        if self.style.library == Library::AssertJ {
            return format!("{}.isSameAs({variable})", self.call("assertThat", expression));
        }
        self.call("assertSame", &format!("{variable}, {expression}"))
    }

    /// The assertion that an expression gives another object than that of a variable.
    pub(crate) fn not_same(&mut self, expression: &str, variable: &str) -> String {
        if self.style.library == Library::AssertJ {
            return format!("{}.isNotSameAs({variable})", self.call("assertThat", expression));
        }
        self.call("assertNotSame", &format!("{variable}, {expression}"))
    }

    /// The assertion that an expression is true.
    pub(crate) fn is_true(&mut self, expression: &str) -> String {
        self.that(expression, &Check::True)
    }

    /// The assertion that an expression is false.
    pub(crate) fn is_false(&mut self, expression: &str) -> String {
        self.that(expression, &Check::False)
    }

    /// The assertion that an expression is not null.
    pub(crate) fn not_null(&mut self, expression: &str) -> String {
        self.that(expression, &Check::NotNull)
    }

    /// The assertion that an expression equals what another one gives.
    pub(crate) fn equal(&mut self, expression: &str, expected: &str) -> String {
        self.that(expression, &Check::Equal(expected.to_owned(), ""))
    }

    /// The assertion that a container with these elements equals what is expected. Hamcrest's `is` asks for the type arguments of the actual value, which nobody writes of
    /// containers in containers.
    pub(crate) fn holds(&mut self, expression: &str, elements: &[Observed], expected: String) -> String {
        let is_nested = elements.iter().any(|element| matches!(element, Observed::Contents(..)));
        if is_nested && self.style.library == Library::Hamcrest {
            return self.own(expression, &Check::Equal(expected, ""));
        }
        self.equal(expression, &expected)
    }

    /// The assertion that `expression`, of the static type `descriptor` and made by `method`, is what was observed. None
    /// when nothing worth asserting was observed.
    pub(crate) fn on(
        &mut self,
        expression: &str,
        descriptor: &str,
        method: &str,
        observed: &Observed,
        names: &mut Names,
    ) -> Option<String> {
        if !is_compared(method) {
            return None;
        }
        match observed {
            // That it is the object of a variable is said where variables are known.
            Observed::Void | Observed::Same(_) => None,
            Observed::Object(_) => Some(self.that(expression, &Check::NotNull)),
            Observed::Value(value) => self.value(expression, &typed(value.clone(), descriptor), names),
            Observed::Contents(Container::Array(array), elements) => {
                self.array(expression, descriptor, (array, elements), names)
            }
            Observed::Contents(_, elements)
                if elements.is_empty()
                    && self.style.library == Library::AssertJ
                    && EMPTY_OR_NOT.contains(&descriptor) =>
            {
                Some(self.that(expression, &Check::Empty))
            }
            Observed::Contents(container, elements) => {
                let expected = contents::container(container, elements, self.java, names)?;
                Some(self.holds(expression, elements, expected))
            }
        }
    }

    /// The assertion that the exception `expression` has the message of what was thrown, where that is the program's own and stable.
    pub(crate) fn message(&mut self, expression: &str, thrown: &Thrown) -> Option<String> {
        let expected = string(stable_message(thrown)?);
        Some(self.that(&format!("{expression}.getMessage()"), &Check::Equal(expected, "")))
    }

    /// The assertion on the elements of an array that has the static type `descriptor`, which must be one of arrays.
    fn array(
        &mut self,
        expression: &str,
        descriptor: &str,
        (array, elements): (&str, &[Observed]),
        names: &mut Names,
    ) -> Option<String> {
        let [component, seen] = [descriptor, array].map(descriptor::component);
        let (component, seen) = (component?, seen?);
        if elements.is_empty() {
            return Some(self.that(expression, &Check::Empty));
        }
        let is_primitive = descriptor::is_primitive(component);
        // JUnit 4 compares arrays of flags from 4.12 on.
        let is_of_flags = component == "Z" && !self.style.with_throws && self.style.library == Library::Own;
        if is_primitive && component != seen || is_of_flags {
            return None;
        }
        let delta = match (self.style.with_delta, component) {
            (true, "F") => ", 0.0f",
            (true, "D") => ", 0.0",
            _ => "",
        };
        let expected = contents::array(seen, elements, self.java, names)?;
        Some(self.that(expression, &Check::Array(expected, delta)))
    }

    fn value(&mut self, expression: &str, value: &Value, names: &mut Names) -> Option<String> {
        let check = match value {
            Value::Null => Check::Null,
            Value::Bool(true) => Check::True,
            Value::Bool(false) => Check::False,
            _ if !is_fit(value) => Check::NotNull,
            // Its assertions of numbers take bare ones.
            Value::Boxed(inner) if self.style.library == Library::AssertJ => {
                Check::Equal(literal(inner, names)?, "")
            }
            _ => Check::Equal(literal(value, names)?, self.delta(value)),
        };
        Some(self.that(expression, &check))
    }

    /// JUnit 4 compares floating point numbers with a delta only, JUnit 5 refuses a delta of zero. Both compare exactly
    /// first, so that NaN equals NaN.
    fn delta(&self, value: &Value) -> &'static str {
        match (self.style.with_delta, value) {
            (true, Value::Float(_)) => ", 0.0f",
            (true, Value::Double(_)) => ", 0.0",
            _ => "",
        }
    }
}

/// The value as a value of the static type: primitives bare, boxed where a reference is.
fn typed(value: Value, descriptor: &str) -> Value {
    match value {
        Value::Boxed(inner) if descriptor::is_primitive(descriptor) => typed(*inner, descriptor),
        Value::Int(int) => match descriptor {
            "Z" => Value::Bool(int != 0),
            "B" => Value::Byte(int as i8),
            "C" => Value::Char(int as u16),
            "S" => Value::Short(int as i16),
            "I" => Value::Int(int),
            _ => Value::Boxed(Box::new(Value::Int(int))),
        },
        Value::Null
        | Value::Str(_)
        | Value::Enum(..)
        | Value::Class(_)
        | Value::Boxed(_)
        | Value::Parsed(..) => value,
        primitive if descriptor::is_primitive(descriptor) => primitive,
        primitive => Value::Boxed(Box::new(primitive)),
    }
}
