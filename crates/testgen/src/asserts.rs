//! Assertions on observed values, in the words of the framework asked for. Knows nothing of statements.
//!
//! Invariant: an assertion holds for the observed value itself, NaN and the infinities included.

use crate::fit::is_fit_for_assertion;
use crate::literals::literal;
use crate::names::Names;
use dynaflow_model::descriptor;
use dynaflow_model::frameworks::Style;
use dynaflow_model::outcome::Observed;
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
        }
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
