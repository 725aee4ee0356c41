//! Assertions on observed values, in the words of the framework asked for. Knows nothing of statements.
//!
//! Invariant: an assertion holds for the observed value itself, NaN and the infinities included.

use crate::contents;
use crate::fit::{is_fit_for_assertion, is_stable};
use crate::literals::{literal, string};
use crate::names::Names;
use dynaflow_model::descriptor;
use dynaflow_model::frameworks::Style;
use dynaflow_model::outcome::{Container, Observed, Thrown};
use dynaflow_model::sequence::Value;
use std::collections::BTreeSet;

/// Methods whose results say nothing that is the same in another JVM.
const UNSTABLE: &[&str] =
    &["hashCode", "identityHashCode", "nanoTime", "currentTimeMillis", "freeMemory", "totalMemory", "getId"];

/// What the assertions of a file are written with.
#[derive(Debug)]
pub(crate) struct Asserts<'a> {
    pub(crate) style: &'a Style,
    /// The assertion methods used, to be imported.
    pub(crate) used: BTreeSet<String>,
}

impl Asserts<'_> {
    /// A call of an assertion method.
    pub(crate) fn call(&mut self, method: &str, args: &str) -> String {
        self.used.insert(method.to_owned());
        format!("{method}({args})")
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
        if UNSTABLE.contains(&method) {
            return None;
        }
        match observed {
            Observed::Void => None,
            Observed::Object(_) => Some(self.call("assertNotNull", expression)),
            Observed::Value(value) => self.value(expression, &typed(value.clone(), descriptor), names),
            Observed::Contents(Container::Array(array), elements) => {
                self.array(expression, descriptor, (array, elements), names)
            }
            Observed::Contents(container, elements) => {
                let expected = contents::container(container, elements, names)?;
                Some(self.call("assertEquals", &format!("{expected}, {expression}")))
            }
        }
    }

    /// The assertion that the exception `expression` has the message of what was thrown, where that is the program's own and stable.
    pub(crate) fn message(&mut self, expression: &str, thrown: &Thrown) -> Option<String> {
        let message = thrown.message.as_deref().filter(|message| is_stable(&thrown.class, message))?;
        Some(self.call("assertEquals", &format!("{}, {expression}.getMessage()", string(message))))
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
            return Some(self.call("assertEquals", &format!("0, {expression}.length")));
        }
        let is_primitive = descriptor::is_primitive(component);
        // JUnit 4 compares arrays of flags from 4.12 on.
        if is_primitive && component != seen || component == "Z" && !self.style.with_throws {
            return None;
        }
        let delta = match (self.style.with_delta, component) {
            (true, "F") => ", 0.0f",
            (true, "D") => ", 0.0",
            _ => "",
        };
        let expected = contents::array(seen, elements, names)?;
        Some(self.call("assertArrayEquals", &format!("{expected}, {expression}{delta}")))
    }

    fn value(&mut self, expression: &str, value: &Value, names: &mut Names) -> Option<String> {
        match value {
            Value::Null => Some(self.call("assertNull", expression)),
            Value::Bool(true) => Some(self.call("assertTrue", expression)),
            Value::Bool(false) => Some(self.call("assertFalse", expression)),
            Value::Str(text) if !is_fit_for_assertion(text) => Some(self.call("assertNotNull", expression)),
            _ => {
                let expected = literal(value, names)?;
                let delta = self.delta(value);
                Some(self.call("assertEquals", &format!("{expected}, {expression}{delta}")))
            }
        }
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
        Value::Null | Value::Str(_) | Value::Enum(..) | Value::Class(_) | Value::Boxed(_) => value,
        primitive if descriptor::is_primitive(descriptor) => primitive,
        primitive => Value::Boxed(Box::new(primitive)),
    }
}
