//! The methods that tests call, and the calls as sequences. Knows no mutants.
//!
//! Invariant: a method is listed with its parameters, or refused with a reason.

use dynaflow_model::outcome::Path;
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement, Value};
use dynaflow_model::sites::{CallKind, MethodRef};
use dynaflow_search::Types;
use dynaflow_solve::{Argument, value};
use std::collections::BTreeMap;

/// A method that tests call: it is static, and takes numbers and arrays of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Method {
    /// The method.
    pub method: MethodRef,
    /// What it takes, by letters: `I`, `[I`.
    pub parameters: Vec<String>,
}

/// The methods of a class.
#[derive(Clone, Debug, Default)]
pub struct Methods {
    /// Those that tests call, by name and descriptor.
    pub callable: Vec<Method>,
    /// Why others are not called, by name with descriptor.
    pub refused: BTreeMap<String, String>,
}

impl Methods {
    /// Those that the class declares, as far as a test in its package can see them.
    pub fn of(class: &str, types: &Types) -> Self {
        let mut methods = Self::default();
        let info = types.get(class);
        for callable in info.into_iter().flat_map(|info| &info.methods) {
            let method = &callable.method;
            if method.owner != class {
                continue;
            }
            let parameters = parameters(&method.descriptor);
            let why = if callable.kind != CallKind::Static {
                "it is no static method"
            } else if !types.may_name(class) || !types.may_call(callable) {
                "no test can call it: it, or its class, is private"
            } else if parameters.is_none() {
                "it takes an object that is no array of numbers"
            } else {
                ""
            };
            match parameters {
                Some(parameters) if why.is_empty() => {
                    methods.callable.push(Method { method: method.clone(), parameters });
                }
                _ => drop(
                    methods.refused.insert(format!("{}{}", method.name, method.descriptor), why.to_owned()),
                ),
            }
        }
        methods.callable.sort_by(|a, b| a.method.cmp(&b.method));
        methods
    }

    /// The place of a method among those that tests call.
    pub fn place(&self, name: &str, descriptor: &str) -> Option<usize> {
        self.callable.iter().position(|of| of.method.name == name && of.method.descriptor == descriptor)
    }

    /// Why a method is not called.
    pub fn refusal(&self, name: &str, descriptor: &str) -> String {
        let known = self.refused.get(&format!("{name}{descriptor}")).cloned();
        known.unwrap_or_else(|| {
            let initialises = name.starts_with('<');
            if initialises { "it initialises objects or the class" } else { "no test can call it" }.to_owned()
        })
    }
}

/// The types of parameters, if all are numbers or arrays of numbers.
fn parameters(descriptor: &str) -> Option<Vec<String>> {
    let mut found = vec![];
    let mut rest = descriptor.strip_prefix('(')?.split_once(')')?.0;
    while !rest.is_empty() {
        let length = if rest.starts_with('[') { 2 } else { 1 };
        let (own, behind) = rest.split_at_checked(length)?;
        if !own.ends_with(['Z', 'B', 'C', 'S', 'I', 'J', 'F', 'D']) {
            return None;
        }
        found.push(own.to_owned());
        rest = behind;
    }
    Some(found)
}

/// The call of a method with arguments, and what to look at in the end: the arrays that it was given.
pub fn call(method: &Method, arguments: &[Argument]) -> (Sequence, Vec<Path>) {
    let mut statements = vec![];
    let (mut args, mut observers) = (vec![], vec![]);
    let mut add = |operation: Operation, result: &str| {
        statements.push(Statement {
            operation,
            result: result.to_owned(),
            runtime_class: None,
            caught: None,
        });
        statements.len() as u32 - 1
    };
    for argument in arguments {
        match argument {
            Argument::Number(letter, number) => args.push(Arg::Value(literal(*letter, *number))),
            Argument::Array(_, None) => args.push(Arg::Value(Value::Null)),
            Argument::Array(letter, Some(values)) => {
                let descriptor = format!("[{}", char::from(*letter));
                let made =
                    Operation::NewArray { descriptor: descriptor.clone(), length: values.len() as u32 };
                let array = add(made, &descriptor);
                for (index, number) in (0..).zip(values) {
                    let value = Arg::Value(literal(*letter, *number));
                    add(Operation::ArrayStore { array: Arg::Var(array), index, value }, "V");
                }
                observers.push(Path { variable: array, looks: vec![] });
                args.push(Arg::Var(array));
            }
        }
    }
    let result = method.method.descriptor.rsplit(')').next().unwrap_or("V").to_owned();
    add(
        Operation::Call { method: method.method.clone(), kind: CallKind::Static, receiver: None, args },
        &result,
    );
    (Sequence { statements }, observers)
}

/// A number as a literal of a type.
fn literal(letter: u8, number: value::Value) -> Value {
    let int = match number {
        value::Value::Int(int) => int,
        value::Value::Bool(holds) => holds.into(),
        value::Value::Long(long) => return Value::Long(long),
        value::Value::Float(bits) => return Value::Float(bits),
        value::Value::Double(bits) => return Value::Double(bits),
    };
    match letter {
        b'Z' => Value::Bool(int & 1 == 1),
        b'B' => Value::Byte(int as i8),
        b'C' => Value::Char(int as u16),
        b'S' => Value::Short(int as i16),
        _ => Value::Int(int),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_numbers_and_arrays_of_numbers_or_none() {
        let some = |text: &str| parameters(text).map(|found| found.join(" "));
        assert_eq!(some("(I[JZ)V").as_deref(), Some("I [J Z"));
        assert_eq!(some("()I").as_deref(), Some(""));
        for other in ["(Ljava/lang/String;)V", "([[I)V", "([)V", "(V)V", "I"] {
            assert_eq!(some(other), None, "{other}");
        }
    }
}
