//! Literals changed towards what a branch compared: what was compared with a literal takes its place, numbers move by the gap or by a part of it.
//!
//! It knows operands, not where in the program they come from: which literal flows there is tried. Invariant: a literal keeps its type.

use dynaflow_model::outcome::Operands;
use dynaflow_model::sequence::{Arg, Sequence, Value};
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// A literal of a sequence: statement, argument.
type Place = (usize, usize);

/// Changes one or two literals so that the operands may come nearer to each other. None when there is no literal that could matter.
pub(crate) fn steer(sequence: &Sequence, operands: &Operands, rng: &mut ChaCha8Rng) -> Option<Sequence> {
    match operands {
        Operands::Numbers(left, right) => {
            numbers(sequence, f64::from_bits(*left), f64::from_bits(*right), rng)
        }
        Operands::Texts(left, right) => texts(sequence, left, right, rng),
    }
}

/// The literals that `wanted` gives something for.
fn places<T>(sequence: &Sequence, wanted: impl Fn(&Value) -> Option<T>) -> Vec<(Place, T)> {
    let mut found = vec![];
    for (at, statement) in sequence.statements.iter().enumerate() {
        for (position, arg) in statement.operation.args().into_iter().enumerate() {
            if let Arg::Value(value) = arg
                && let Some(what) = wanted(value)
            {
                found.push(((at, position), what));
            }
        }
    }
    found
}

fn put(sequence: &mut Sequence, (at, position): Place, value: Value) {
    let statement = sequence.statements.get_mut(at);
    if let Some(arg) =
        statement.and_then(|statement| statement.operation.args_mut().into_iter().nth(position))
    {
        *arg = Arg::Value(value);
    }
}

fn numbers(sequence: &Sequence, left: f64, right: f64, rng: &mut ChaCha8Rng) -> Option<Sequence> {
    let all = places(sequence, number);
    let (place, value) = *all.choose(rng)?;
    let mut steered = sequence.clone();
    // A literal that was compared as it stands: the other operand, or what lies next to it, in its place.
    let compared: Vec<(Place, f64)> = all
        .iter()
        .filter_map(|&(place, value)| {
            let other = if value == left { right } else { left };
            (value == left || value == right).then_some((place, other))
        })
        .collect();
    if let Some(&(place, other)) = compared.choose(rng)
        && rng.random_bool(0.5)
    {
        let beside = [0.0, 0.0, 1.0, -1.0].choose(rng).copied().unwrap_or_default();
        // Between two numbers that are no whole ones there may be others.
        let part =
            if rng.random_bool(0.5) { 1.0 } else { 1.0 / f64::from(1u32 << rng.random_range(1..20u32)) };
        set(&mut steered, place, other + beside * part);
        return Some(steered);
    }
    // What another branch before this one holds constant may be a sum or a difference: both of them change, each by a half of the gap or by as much.
    if let Some((other, counter)) = beside(&all, place, rng)
        && rng.random_bool(0.4)
    {
        let step = if rng.random_bool(0.5) { half(right - left, rng) } else { step(right - left, rng) };
        set(&mut steered, place, value + step);
        set(&mut steered, other, if rng.random_bool(0.5) { counter - step } else { counter + step });
        return Some(steered);
    }
    set(&mut steered, place, value + step(right - left, rng));
    Some(steered)
}

/// Another literal, most often one of the same statement where it has more.
fn beside(all: &[(Place, f64)], place: Place, rng: &mut ChaCha8Rng) -> Option<(Place, f64)> {
    let others: Vec<(Place, f64)> = all.iter().copied().filter(|(other, _)| *other != place).collect();
    let same: Vec<(Place, f64)> = others.iter().copied().filter(|((at, _), _)| *at == place.0).collect();
    let among = if !same.is_empty() && rng.random_bool(0.75) { same } else { others };
    among.choose(rng).copied()
}

/// A half of the gap, up or down.
fn half(gap: f64, rng: &mut ChaCha8Rng) -> f64 {
    let size = if gap.is_finite() { gap / 2.0 } else { 1.0 };
    if rng.random_bool(0.5) { size } else { -size }
}

/// The gap, a part of it, or a small number, up or down.
fn step(gap: f64, rng: &mut ChaCha8Rng) -> f64 {
    let gap = if gap.is_finite() && gap != 0.0 { gap } else { 1.0 };
    let size = match rng.random_range(0..4u32) {
        0 => gap,
        1 => 1.0,
        2 => gap / 2.0,
        // Powers of two, up to the gap.
        _ => {
            let most = gap.abs().log2().clamp(0.0, 31.0) as u32;
            f64::from(1u32 << rng.random_range(0..=most))
        }
    };
    if rng.random_bool(0.5) { size } else { -size }
}

fn set(sequence: &mut Sequence, place: Place, to: f64) {
    let statement = sequence.statements.get(place.0);
    let before = statement.and_then(|statement| statement.operation.args().into_iter().nth(place.1)).cloned();
    if let Some(Arg::Value(value)) = before {
        put(sequence, place, with_number(&value, to));
    }
}

/// The number of a literal, in a box or not.
fn number(value: &Value) -> Option<f64> {
    Some(match value {
        Value::Byte(v) => f64::from(*v),
        Value::Short(v) => f64::from(*v),
        Value::Char(v) => f64::from(*v),
        Value::Int(v) => f64::from(*v),
        Value::Long(v) => *v as f64,
        Value::Float(v) => f64::from(f32::from_bits(*v)),
        Value::Double(v) => f64::from_bits(*v),
        Value::Bool(v) => f64::from(u8::from(*v)),
        Value::Boxed(inner) => return number(inner),
        _ => return None,
    })
}

/// A literal of the same type as another, with a number; out of its range, the nearest there is.
fn with_number(like: &Value, to: f64) -> Value {
    match like {
        Value::Byte(_) => Value::Byte(to.round() as i8),
        Value::Short(_) => Value::Short(to.round() as i16),
        Value::Char(_) => Value::Char(to.round() as u16),
        Value::Int(_) => Value::Int(to.round() as i32),
        Value::Long(_) => Value::Long(to.round() as i64),
        Value::Float(_) => Value::Float((to as f32).to_bits()),
        Value::Double(_) => Value::Double(to.to_bits()),
        Value::Bool(_) => Value::Bool(to != 0.0),
        Value::Boxed(inner) => Value::Boxed(Box::new(with_number(inner, to))),
        other => other.clone(),
    }
}

fn texts(sequence: &Sequence, left: &str, right: &str, rng: &mut ChaCha8Rng) -> Option<Sequence> {
    let text = |value: &Value| match value {
        Value::Str(text) => Some(text.clone()),
        _ => None,
    };
    let all = places(sequence, text);
    // A literal that was compared as it stands, or has what was compared as a part.
    let compared: Vec<(Place, String)> = all
        .iter()
        .filter_map(|(place, text)| {
            let (from, to) =
                if !left.is_empty() && text.contains(left) { (left, right) } else { (right, left) };
            if text.as_str() == left {
                return Some((*place, right.to_owned()));
            }
            (!from.is_empty() && text.contains(from)).then(|| (*place, text.replacen(from, to, 1)))
        })
        .collect();
    let mut steered = sequence.clone();
    if let Some((place, to)) = compared.choose(rng)
        && rng.random_bool(0.7)
    {
        put(&mut steered, *place, Value::Str(to.clone()));
        return Some(steered);
    }
    let (place, before) = all.choose(rng)?;
    let to = match rng.random_range(0..4u32) {
        0 => format!("{before}{right}"),
        1 => format!("{right}{before}"),
        _ => right.to_owned(),
    };
    put(&mut steered, *place, Value::Str(to));
    Some(steered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::sequence::{Operation, Statement};
    use dynaflow_model::sites::{CallKind, MethodRef};
    use rand::SeedableRng;
    use std::collections::BTreeSet;

    fn call(args: Vec<Arg>) -> Sequence {
        let method = MethodRef { owner: "a.Door".into(), name: "open".into(), descriptor: "()V".into() };
        let operation = Operation::Call { method, kind: CallKind::Static, receiver: None, args };
        Sequence {
            statements: vec![Statement { operation, result: "V".into(), runtime_class: None, caught: None }],
        }
    }

    fn args(sequence: &Sequence) -> Vec<Value> {
        let of = |arg: &Arg| match arg {
            Arg::Value(value) => value.clone(),
            Arg::Var(_) => Value::Null,
        };
        sequence.statements[0].operation.args().into_iter().map(of).collect()
    }

    fn steered(before: &Sequence, operands: &Operands) -> BTreeSet<Vec<Value>> {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        (0..200).filter_map(|_| steer(before, operands, &mut rng)).map(|sequence| args(&sequence)).collect()
    }

    #[test]
    fn a_number_that_was_compared_is_replaced_by_the_other_one_whatever_its_type() {
        let numbers = |left: f64, right: f64| Operands::Numbers(left.to_bits(), right.to_bits());
        let before =
            call(vec![Arg::Value(Value::Long(7)), Arg::Value(Value::Boxed(Box::new(Value::Int(3))))]);
        let seen = steered(&before, &numbers(7.0, 4000.0));
        assert!(seen.iter().any(|values| values[0] == Value::Long(4000)));
        let seen = steered(&before, &numbers(99.0, 3.0));
        assert!(seen.iter().any(|values| values[1] == Value::Boxed(Box::new(Value::Int(99)))));
        let both = |values: &Vec<Value>| {
            values[0] == Value::Long(17) && values[1] == Value::Boxed(Box::new(Value::Int(-7)))
        };
        assert!(steered(&before, &numbers(10.0, 20.0)).iter().any(both), "two numbers whose sum stays");
    }

    #[test]
    fn a_text_that_was_compared_is_replaced_also_where_it_is_a_part() {
        let before =
            call(vec![Arg::Value(Value::Str("--name=x".into())), Arg::Value(Value::Str("b".into()))]);
        let operands = Operands::Texts("name".into(), "file".into());
        let seen = steered(&before, &operands);
        assert!(seen.iter().any(|values| values[0] == Value::Str("--file=x".into())));
        assert!(seen.iter().any(|values| values[1] == Value::Str("file".into())));
    }

    #[test]
    fn without_literals_of_the_kind_nothing_is_steered() {
        let before = call(vec![Arg::Value(Value::Null)]);
        assert!(steered(&before, &Operands::Texts("a".into(), "b".into())).is_empty());
        assert!(steered(&before, &Operands::Numbers(0, 1)).is_empty());
    }
}
