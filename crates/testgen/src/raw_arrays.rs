//! Arrays of a generic class that are made without type arguments: Java makes none with them, and one of `Crate<?>` is nobody's `Crate<String>[]`.
//!
//! Knows nothing of how a statement is written. Invariant: an array that no parameter wants with type arguments is left as it is.

use dynaflow_model::declared::{Argument, Type};
use dynaflow_model::sequence::{Arg, Operation, Statement};
use dynaflow_search::Types;

/// The type of the array that a statement makes, which is the first of these, without type arguments where a later one passes it for an array whose elements have some.
pub(crate) fn without_arguments(index: usize, from: &[Statement], of: Type, types: &Types) -> Type {
    let is_made = from.first().is_some_and(|made| matches!(made.operation, Operation::NewArray { .. }));
    let own = u32::try_from(index).map(Arg::Var).ok();
    let wants = |statement: &Statement| {
        let (Operation::New { constructor: method, args } | Operation::Call { method, args, .. }) =
            &statement.operation
        else {
            return false;
        };
        let parameters = types.declaration(method).map_or(&[][..], |(_, declared)| &declared.parameters);
        args.iter().zip(parameters).any(|(arg, of)| Some(arg) == own.as_ref() && has_arguments(of))
    };
    if is_made && from.iter().any(wants) { raw(of) } else { of }
}

/// Whether it is an array whose elements have type arguments other than `?`.
fn has_arguments(of: &Type) -> bool {
    match of {
        Type::Array(component) => match component.as_ref() {
            Type::Class(_, arguments) => arguments.iter().any(|argument| *argument != Argument::Any),
            other => has_arguments(other),
        },
        _ => false,
    }
}

fn raw(of: Type) -> Type {
    match of {
        Type::Array(component) => Type::Array(Box::new(raw(*component))),
        Type::Class(name, _) => Type::Class(name, vec![]),
        other => other,
    }
}
