//! What calls give: methods of the same class run symbolically in place, down to a bound, and a few of `java.lang.Math`.
//!
//! Knows no mutants but the name of the method that has one. Invariant: a method that is mutated is never put in place, so that what is put
//! in place is the same in both versions.

use crate::expr::{Expr, Pool};
use crate::machine::{Calls, Target};
use crate::refusal::Refusal;
use crate::state::{Env, Key};
use crate::units::{Bounds, Parameter, Source, Units, Version};
use crate::unwound::Unwound;
use crate::value::{Binary, Sort, Unary, Value};
use crate::walk::{Region, walk};
use dynaflow_classfile::pool::MemberText;
use dynaflow_classfile::{ClassFile, Member};
use std::collections::BTreeMap;

/// The methods of a class that calls may lead to.
pub struct Inliner<'c, 'a> {
    /// The class.
    pub class: &'c ClassFile<'a>,
    /// The mutated method.
    pub mutated: &'c Member<'a>,
    /// How far they are looked at.
    pub bounds: Bounds,
}

impl Calls for Inliner<'_, '_> {
    fn call(
        &mut self,
        pool: &mut Pool,
        method: &MemberText<'_>,
        arguments: &[Expr],
    ) -> Result<(Vec<(Expr, Target)>, Option<Expr>), Refusal> {
        let (owner, name) = (method.owner.to_string(), method.name.to_string());
        let refusal = |why: &str| Refusal::new(format!("it calls {}.{name}{why}", owner.replace('/', ".")));
        if owner == "java/lang/Math" {
            let result = math(pool, &name, arguments).ok_or_else(|| refusal(""))?;
            return Ok((vec![], Some(result)));
        }
        if method.owner.0 != self.class.name()?.0 {
            return Err(refusal(""));
        }
        let is_it = |member: &&Member<'_>| {
            self.class.pool.utf8(member.name).is_ok_and(|text| text.0 == method.name.0)
                && self.class.pool.utf8(member.descriptor).is_ok_and(|text| text.0 == method.descriptor.0)
        };
        let callee = self.class.methods.iter().find(is_it).ok_or_else(|| refusal(", which is inherited"))?;
        if std::ptr::eq(callee, self.mutated) {
            return Err(refusal(", which is mutated, by itself or what it calls"));
        }
        let Some(calls) = self.bounds.calls.checked_sub(1) else {
            return Err(refusal(" within too many calls"));
        };
        let bounds = Bounds { calls, ..self.bounds };
        let mut deeper = Inliner { class: self.class, mutated: self.mutated, bounds };
        let source = Source { class: self.class, method: callee, changes: &BTreeMap::new() };
        let mut units = Units::of(&source, bounds, pool, &mut deeper)?;
        let graph = Unwound::of(&units, pool)?;
        let slots =
            units.parameters.iter().zip(arguments).filter_map(|(parameter, argument)| match parameter {
                Parameter::Number(_, key) => Some((*key, *argument)),
                Parameter::Array(..) => None,
            });
        let env: Env = slots.collect();
        let all = Region { from: 0, to: None };
        let walked = walk(pool, &mut units, &graph, Version::Original, all, &env)?;
        let thrown = walked.thrown.into_iter().map(|(class, when)| (when, Target::Throw(class)));
        let exits = thrown.chain([(walked.beyond, Target::Beyond)]).collect();
        let result = walked.returned.1.get(&Key::Result).copied();
        if result.is_none() && !method.descriptor.0.ends_with(b"V") {
            return Err(refusal(", which does not return"));
        }
        Ok((exits, result))
    }
}

/// `abs`, `min` and `max` of integers.
fn math(pool: &mut Pool, name: &str, arguments: &[Expr]) -> Option<Expr> {
    let first = *arguments.first()?;
    let sort = pool.sort(first);
    if !matches!(sort, Sort::Int | Sort::Long) {
        return None;
    }
    match (name, arguments) {
        ("abs", [a]) => {
            let (zero, minus) = (pool.value(Value::small(sort, 0)), pool.unary(Unary::Neg, *a));
            let negative = pool.binary(Binary::Lt, *a, zero);
            Some(pool.ite(negative, minus, *a))
        }
        ("min" | "max", [a, b]) => {
            let less = pool.binary(Binary::Lt, *a, *b);
            Some(if name == "min" { pool.ite(less, *a, *b) } else { pool.ite(less, *b, *a) })
        }
        _ => None,
    }
}
