//! The methods of an interface as a class that implements it writes them. Knows nothing of sequences.
//!
//! Invariant: a type parameter of the interface, or of one above it, is never left.

use crate::types::Types;
use dynaflow_model::declared::{self, Argument, DeclaredMethod, Type, arguments_as};
use dynaflow_model::sites::MethodRef;

/// A method as a class that implements the interface `of` has it: with the type arguments in place of the parameters. What the arguments do not
/// decide is `Object`.
pub fn implemented(of: &Type, method: &MethodRef, types: &Types) -> DeclaredMethod {
    let Some((declaring, found)) = types.declaration(method) else {
        return declared::method_descriptor(&method.descriptor);
    };
    let class = types.declared().get(declaring);
    let parameters = class.map_or(&[][..], |class| &class.type_parameters);
    let arguments = match of {
        Type::Class(name, arguments) => arguments_as(types.declared(), name, arguments, declaring),
        _ => None,
    };
    let argument = |name: &str| {
        let at = parameters.iter().position(|parameter| parameter.name == name)?;
        let known = arguments.as_ref().and_then(|arguments| arguments.get(at).cloned());
        Some(known.unwrap_or(Argument::Any))
    };
    DeclaredMethod {
        parameters: found.parameters.iter().map(|parameter| parameter.with(&argument)).collect(),
        result: found.result.as_ref().map(|result| result.with(&argument)),
        ..found.clone()
    }
}
