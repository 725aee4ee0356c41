//! Methods as a type above the object's own class has them: an interface, for example.
//!
//! Knows nothing of statements. Invariant: a call of what is given back compiles without a cast, means the same method, and makes no more exceptions to be declared.

use crate::throws::Throws;
use dynaflow_model::declared::Type;
use dynaflow_model::descriptor;
use dynaflow_model::sites::{CallKind, MethodRef};
use dynaflow_search::Types;

/// The method as a type has it that is none of the method's class, an interface of it for example: one that may be called, has the same types, none of them a parameter, and
/// declares no more exceptions.
pub(crate) fn seen_by(types: &Types, has: &str, method: &MethodRef) -> Option<MethodRef> {
    if types.assignable(has, &descriptor::of_class(&method.owner)) == Some(true) {
        return None;
    }
    let seen = MethodRef { owner: descriptor::class_of(has)?, ..method.clone() };
    stands_for(types, &seen, method).then_some(seen)
}

fn stands_for(types: &Types, seen: &MethodRef, method: &MethodRef) -> bool {
    let callable = types.member(seen).flatten();
    let is_plain = types.declaration(seen).is_some_and(|(_, declared)| {
        let mut all = declared.parameters.iter().chain(&declared.result);
        declared.type_parameters.is_empty() && !all.any(Type::has_parameters)
    });
    callable.is_some_and(|callable| types.may_call(callable) && callable.kind != CallKind::Static)
        && is_plain
        && Throws::of(seen, None, types) <= Throws::of(method, None, types)
}
