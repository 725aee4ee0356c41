//! The other methods that a call by this name could mean, and whether the compiler chooses the wanted one without casts.
//!
//! Knows nothing of how arguments are written. Invariant: it says yes only where JLS 15.12.2.2 and 15.12.2.5 choose the wanted method (of those that take the
//! arguments without boxing the most specific one); where types are not known, it says no.

use crate::body::Writer;
use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Arg, Value};
use dynaflow_model::sites::MethodRef;
use dynaflow_search::Types;
use std::collections::BTreeSet;

/// The primitive types of numbers, narrow ones first: each widens to those behind it.
const NUMBERS: &[&str] = &["B", "S", "I", "J", "F", "D"];

impl Writer<'_, '_, '_, '_> {
    /// Whether a call with these arguments as they are means the method and none of the others with as many parameters: each of them takes one of the arguments
    /// for certain not, or is less specific.
    pub(crate) fn means(&self, method: &MethodRef, args: &[Arg], others: &[Vec<&str>]) -> bool {
        let wanted = descriptor::parameters(&method.descriptor);
        let types = self.names.types();
        // Of a generic type the arguments count as well, and a lambda fits more than its type says.
        let is_plain = |parameter: &&str| {
            let class = descriptor::class_of(parameter.trim_start_matches('['));
            class.is_none_or(|class| !self.names.is_generic(&class))
        };
        let is_below = |one: &str, other: &str| is_below(one, other, types) == Some(true);
        let is_more_specific =
            |other: &[&str]| wanted.iter().zip(other).all(|(one, other)| is_below(one, other));
        let fits = |(arg, parameter): (&Arg, &&str)| match self.has(arg) {
            Some(has) => is_below(&has, parameter),
            None => matches!(arg, Arg::Value(Value::Null)) && !descriptor::is_primitive(parameter),
        };
        let is_lambda = |arg: &Arg| self.value_of(arg).is_ok_and(|value| value.name.contains("->"));
        wanted.len() == args.len()
            && wanted.iter().all(is_plain)
            && !args.iter().any(is_lambda)
            && args.iter().zip(&wanted).all(fits)
            && others.iter().all(|other| is_more_specific(other) || self.is_refused_unboxed(args, other))
    }

    /// Whether a method with these parameters takes one of the arguments for certain not without boxing it.
    fn is_refused_unboxed(&self, args: &[Arg], parameters: &[&str]) -> bool {
        args.iter().zip(parameters).any(|(arg, parameter)| match self.has(arg) {
            Some(has) => is_below(&has, parameter, self.names.types()) == Some(false),
            None => matches!(arg, Arg::Value(Value::Null)) && descriptor::is_primitive(parameter),
        })
    }

    /// Whether the compiler passes over a method with these parameters where one with the `wanted` ones takes any number of arguments and is given these: it does not
    /// take them as they are (JLS 15.12.2.2 and 15.12.2.3), nor as any number (15.12.2.4), unless it is less specific then (15.12.2.5).
    pub(crate) fn is_passed_over(&self, args: &[Arg], other: &[&str], wanted: &[&str]) -> bool {
        if other.len() == args.len() && !self.is_refused(args, other) {
            return false;
        }
        let any_number = |of: &[&str]| -> Option<(Vec<String>, String)> {
            let (last, fixed) = of.split_last()?;
            Some((fixed.iter().map(|&one| one.to_owned()).collect(), descriptor::component(last)?.to_owned()))
        };
        let (Some((fixed, component)), Some((own, own_component))) = (any_number(other), any_number(wanted))
        else {
            return true;
        };
        let spread = fixed.iter().chain(std::iter::repeat(&component)).map(String::as_str);
        let spread: Vec<&str> = spread.take(args.len()).collect();
        let is_below = |one: &String, other: &String| {
            one == other || self.names.types().assignable(one, other) == Some(true)
        };
        let is_less_specific = || {
            own.len() == fixed.len()
                && own.iter().zip(&fixed).all(|(one, other)| is_below(one, other))
                && own_component != component
                && !descriptor::is_primitive(&own_component)
                && is_below(&own_component, &component)
        };
        args.len() < fixed.len() || self.is_refused(args, &spread) || is_less_specific()
    }

    /// The static type of an argument; none of `null`.
    pub(crate) fn has(&self, arg: &Arg) -> Option<String> {
        match arg {
            Arg::Value(value) => static_type(value),
            Arg::Var(_) => self.value_of(arg).ok().map(|variable| variable.descriptor),
        }
    }

    /// Whether a method with these parameters takes one of the arguments for certain not, wherever those behind them stand.
    pub(crate) fn is_refused(&self, args: &[Arg], parameters: &[&str]) -> bool {
        let types = self.names.types();
        args.iter().zip(parameters).any(|(arg, parameter)| {
            let has = self.has(arg);
            let is_object = |descriptor: &str| !descriptor::is_primitive(descriptor);
            has.is_some_and(|has| {
                is_object(&has) && is_object(parameter) && types.assignable(&has, parameter) == Some(false)
            })
        })
    }
}

/// Whether each value of a type is one of the other without boxing; none where nothing is known of the first.
fn is_below(one: &str, other: &str, types: &Types) -> Option<bool> {
    if widens(one, other) { Some(true) } else { types.assignable(one, other) }
}

/// Whether a primitive type is the other or widens to it (JLS 5.1.2).
fn widens(one: &str, other: &str) -> bool {
    let rank = |of: &str| NUMBERS.iter().position(|number| *number == of);
    // A `char` widens as a `short` does, and to no `short`.
    let from = if one == "C" { rank("S") } else { rank(one) };
    descriptor::is_primitive(one)
        && (one == other || from.zip(rank(other)).is_some_and(|(from, to)| from < to))
}

/// The parameters of the other methods that could be meant by the same name, with as many arguments if `of_length`, among those of the class
/// the object is seen as: a subclass of the owner may have more of them. None where they are not known.
pub(crate) fn others<'n>(
    method: &'n MethodRef,
    seen_as: &str,
    types: &'n Types,
    of_length: bool,
) -> Option<Vec<Vec<&'n str>>> {
    let (owner, seen) = (types.get(&method.owner)?, types.get(seen_as)?);
    let above = seen.supertypes.iter().filter_map(|class| types.get(class));
    let wanted = descriptor::parameters(&method.descriptor);
    let mut alike = BTreeSet::new();
    for info in [owner, seen].into_iter().chain(above) {
        let members = if method.name == "<init>" { &owner.constructors } else { &info.methods };
        let of_name = members.iter().filter(|callable| callable.method.name == method.name);
        let all = of_name.map(|callable| descriptor::parameters(&callable.method.descriptor));
        alike.extend(all.filter(|parameters| !of_length || parameters.len() == wanted.len()));
    }
    let is_known = alike.remove(&wanted);
    is_known.then(|| alike.into_iter().collect())
}

/// The descriptor of a literal's static type.
pub(crate) fn static_type(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Class(_) => Some("Ljava/lang/Class;".to_owned()),
        Value::Str(_) => Some("Ljava/lang/String;".to_owned()),
        Value::Enum(class, _) | Value::Parsed(class, _) => Some(descriptor::of_class(class)),
        Value::Boxed(inner) => inner.boxed().map(str::to_owned),
        primitive => primitive.primitive().map(str::to_owned),
    }
}
