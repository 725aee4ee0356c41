//! Stubs: objects of interfaces that the test itself implements, each method with one answer.
//!
//! Knows nothing of how they are run or written. Invariant: what an answer is drawn for is the result as the interface's type arguments have it, where
//! these are known.

use crate::build::Builder;
use crate::implemented::implemented;
use crate::typing::erased;
use dynaflow_model::declared::{self, DeclaredMethod, Type};
use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Answer, Arg, Operation, Value};
use dynaflow_model::sites::MethodRef;
use rand::Rng;
use rand::seq::IndexedRandom;

/// How often a method gives back one of its parameters that fits.
const PARAMETER_SHARE: f64 = 0.3;

impl Builder<'_> {
    /// A stub of an interface; `generic` is the type that is asked for, where it is known.
    pub(crate) fn stub(&mut self, interface: &str, generic: Option<&Type>, depth: u32) -> Option<u32> {
        let types = self.types;
        let raw = Type::Class(interface.to_owned(), vec![]);
        let of = generic.filter(|of| matches!(of, Type::Class(name, _) if name == interface)).unwrap_or(&raw);
        let mut answers = vec![];
        for method in types.to_implement(interface)? {
            answers.push((method.clone(), self.answer(&implemented(of, method, types), depth)?));
        }
        let operation = Operation::Stub { interface: interface.to_owned(), answers };
        Some(self.assembly.push(operation, descriptor::of_class(interface)))
    }

    /// What a method answers: one of its parameters, or a literal, a variable or a new object.
    fn answer(&mut self, method: &DeclaredMethod, depth: u32) -> Option<Answer> {
        let Some(result) = method.result.as_ref() else { return Some(Answer::Arg(Arg::Value(Value::Null))) };
        if *result == Type::Primitive('V') {
            return Some(Answer::Nothing);
        }
        let same = (0u32..).zip(&method.parameters).filter(|(_, parameter)| *parameter == result);
        let same: Vec<u32> = same.map(|(at, _)| at).collect();
        if let Some(at) = same.choose(self.rng)
            && self.rng.random_bool(PARAMETER_SHARE)
        {
            return Some(Answer::Parameter(*at));
        }
        let wanted = erased(result);
        if !self.may_nest(depth) && !descriptor::is_primitive(&wanted) {
            // An interface whose methods give another of its kind would be implemented without an end.
            return Some(Answer::Arg(Arg::Value(self.literal(&wanted).unwrap_or(Value::Null))));
        }
        self.arg(&wanted, Some(result), depth + 1).map(Answer::Arg)
    }

    /// Another answer of a method: of the type that the one before had, since that is what type arguments allow.
    pub(crate) fn other_answer(&mut self, method: &MethodRef, before: &Answer) -> Option<Answer> {
        let wanted = match before {
            Answer::Arg(Arg::Value(Value::Boxed(inner))) => inner.boxed().unwrap_or("Ljava/lang/Object;"),
            Answer::Arg(Arg::Value(Value::Str(_))) => "Ljava/lang/String;",
            _ => descriptor::result(&method.descriptor),
        };
        let mut other = declared::method_descriptor(&method.descriptor);
        other.result = Type::of_descriptor(wanted);
        self.answer(&other, 0)
    }
}
