//! What a kept test can assert: results that two JVMs agree about, and what observers say of the object at the end.
//!
//! Knows nothing of Java source. Invariant: what is given back was seen twice, in different processes and in different company.

use super::growth::Kept;
use super::pool::Pool;
use anyhow::Result;
use dynaflow_model::descriptor;
use dynaflow_model::outcome::{Observed, Outcome};
use dynaflow_model::sequence::{Arg, Operation, Sequence};
use dynaflow_model::sites::{CallKind, MethodRef};
use dynaflow_search::Types;

/// Most observers asked about one object.
const OBSERVERS: usize = 5;

/// The outcomes of the tests with observations, stable parts only; none for a test that ended differently the second time.
///
/// # Errors
/// When a worker is lost.
pub fn observe(
    kept: &[Kept],
    types: &Types,
    first: &mut Pool,
    second: &mut Pool,
) -> Result<Vec<Option<Outcome>>> {
    let jobs: Vec<_> =
        kept.iter().map(|test| (test.sequence.clone(), observers(&test.sequence, types))).collect();
    let backwards = jobs.iter().rev().cloned().collect();
    let one = first.run(jobs, |_| false)?;
    let mut two = second.run(backwards, |_| false)?;
    two.reverse();
    Ok(one.into_iter().zip(two).map(|(a, b)| agreed(a.outcome, &b.outcome)).collect())
}

/// Methods without arguments that report on the object the last call was made on.
fn observers(sequence: &Sequence, types: &Types) -> Vec<(u32, MethodRef)> {
    let Some((variable, class)) = subject(sequence) else { return vec![] };
    let Some(info) = types.get(&class) else { return vec![] };
    let mut found: Vec<MethodRef> = info
        .methods
        .iter()
        .filter(|c| c.kind != CallKind::Static && types.may_call(c) && is_observer(&c.method))
        .map(|c| c.method.clone())
        .collect();
    found.sort();
    found.dedup_by(|a, b| a.name == b.name && a.descriptor == b.descriptor);
    found.truncate(OBSERVERS);
    found.into_iter().map(|method| (variable, method)).collect()
}

/// The object of the last call on a variable, with its class.
fn subject(sequence: &Sequence) -> Option<(u32, String)> {
    let receiver = sequence.statements.iter().rev().find_map(|s| match &s.operation {
        Operation::Call { receiver: Some(Arg::Var(variable)), .. } => Some(*variable),
        _ => None,
    })?;
    let statement = sequence.statements.get(receiver as usize)?;
    let class = statement.runtime_class.clone().or_else(|| descriptor::class_of(&statement.result))?;
    Some((receiver, class))
}

fn is_observer(method: &MethodRef) -> bool {
    const NAMES: &[&str] = &["size", "length", "isEmpty", "count", "capacity"];
    let reports = |prefix: &str| {
        method
            .name
            .strip_prefix(prefix)
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
    };
    let result = descriptor::result(&method.descriptor);
    method.descriptor.starts_with("()")
        && (NAMES.contains(&method.name.as_str()) || ["get", "is", "has"].iter().any(|p| reports(p)))
        && method.name != "getClass"
        && (descriptor::is_primitive(result) && result != "V" || result == "Ljava/lang/String;")
}

/// What two runs agree about.
fn agreed(one: Outcome, two: &Outcome) -> Option<Outcome> {
    let thrown = |o: &Outcome| o.thrown.as_ref().map(|t| (t.statement, t.class.clone()));
    if one.broken.is_some() || two.broken.is_some() || thrown(&one) != thrown(two) {
        return None;
    }
    let same = |(a, b): (&Observed, &Observed)| if a == b { a.clone() } else { Observed::Void };
    let statements = one.statements.iter().zip(&two.statements).map(same).collect();
    let observations = one.observations.iter().filter(|o| two.observations.contains(o)).cloned().collect();
    Some(Outcome { statements, observations, ..one })
}
