//! Arguments of one call where another call is given some of the same types: those of the other in their place.
//!
//! In: two calls or constructors. Out: for each argument of the first, whose it is. Knows nothing of what the calls do. Invariant: of arguments of one type the first is for the first,
//! the second for the second.

use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Arg, Operation, Statement};
use std::collections::BTreeMap;

/// Where an argument comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum From {
    /// From the call itself.
    Own(Arg),
    /// From the other one.
    Other(Arg),
}

impl From {
    /// The variable that it is, if it is one of its own.
    pub(super) fn own(&self) -> Option<u32> {
        match self {
            Self::Own(Arg::Var(index)) => Some(*index),
            Self::Own(Arg::Value(_)) | Self::Other(_) => None,
        }
    }

    /// The argument, under the names that variables of both tests have now.
    pub(super) fn renamed(self, own: &BTreeMap<u32, u32>, other: &BTreeMap<u32, u32>) -> Option<Arg> {
        match self {
            Self::Own(arg) => renamed(arg, own),
            Self::Other(arg) => renamed(arg, other),
        }
    }
}

/// An argument, under the name that its variable has now.
pub(super) fn renamed(arg: Arg, names: &BTreeMap<u32, u32>) -> Option<Arg> {
    match arg {
        Arg::Var(index) => names.get(&index).copied().map(Arg::Var),
        Arg::Value(_) => Some(arg),
    }
}

/// The arguments of a call or constructor with those of the other in their place; none where these are no such, or take nothing alike.
pub(super) fn mixed(call: &Statement, other: &Statement) -> Option<Vec<From>> {
    let mut offered = taken(other)?;
    let before = offered.len();
    let from = |(wanted, own): (&str, &Arg)| match offered.iter().position(|(kind, _)| *kind == wanted) {
        Some(at) => From::Other(offered.remove(at).1.clone()),
        None => From::Own(own.clone()),
    };
    let mixed: Vec<From> = taken(call)?.into_iter().map(from).collect();
    (offered.len() < before).then_some(mixed)
}

/// What a call or constructor is given, with the types that it wants.
fn taken(statement: &Statement) -> Option<Vec<(&str, &Arg)>> {
    let (Operation::New { constructor: method, args } | Operation::Call { method, args, .. }) =
        &statement.operation
    else {
        return None;
    };
    Some(descriptor::parameters(&method.descriptor).into_iter().zip(args).collect())
}
