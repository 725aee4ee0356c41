//! The literals a search may write: those tests used and those at the edges of their types. Knows nothing of places.
//!
//! Invariant: the pool depends on the values learnt, not on the order they came in.

use dynaflow_model::outcome::Operands;
use dynaflow_model::sequence::{Arg, Operation, Sequence, Value};
use dynaflow_model::sites::MethodRef;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};

/// Most values kept for one type.
const MOST: usize = 256;

/// Values by descriptor; strings under `java.lang.String`'s.
#[derive(Clone, Debug)]
pub(crate) struct Literals {
    learnt: BTreeMap<&'static str, BTreeSet<Value>>,
    /// What calls passed, by method and position.
    passed: BTreeMap<(MethodRef, usize), BTreeSet<Value>>,
}

const STRING: &str = "Ljava/lang/String;";

impl Default for Literals {
    fn default() -> Self {
        let mut pool = Self { learnt: BTreeMap::new(), passed: BTreeMap::new() };
        edges().into_iter().for_each(|value| pool.learn(&value));
        pool
    }
}

fn edges() -> Vec<Value> {
    let ints = [0, 1, -1, 2, 3, 10, 100, i32::MAX, i32::MIN].map(Value::Int);
    let longs = [0, 1, -1, 2, i64::MAX, i64::MIN].map(Value::Long);
    let doubles = [0.0, 1.0, -1.0, 0.5, f64::NAN, f64::INFINITY].map(|d: f64| Value::Double(d.to_bits()));
    let floats = [0.0, 1.0, -1.0, f32::NAN].map(|f: f32| Value::Float(f.to_bits()));
    let small = [Value::Byte(0), Value::Byte(1), Value::Byte(-1), Value::Short(0), Value::Short(1)];
    let chars = [u16::from(b'a'), u16::from(b'0'), u16::from(b' '), 0].map(Value::Char);
    let texts = ["", "a", "b", "ab", "0", " "].map(|text| Value::Str(text.to_owned()));
    let flags = [Value::Bool(false), Value::Bool(true)];
    ints.into_iter()
        .chain(longs)
        .chain(doubles)
        .chain(floats)
        .chain(small)
        .chain(chars)
        .chain(texts)
        .chain(flags)
        .collect()
}

impl Literals {
    /// Learns the literals of a sequence.
    pub(crate) fn learn_from(&mut self, sequence: &Sequence) {
        for statement in &sequence.statements {
            for arg in statement.operation.args() {
                if let Arg::Value(value) = arg {
                    self.learn(value);
                }
            }
            let (Operation::New { constructor: method, args } | Operation::Call { method, args, .. }) =
                &statement.operation
            else {
                continue;
            };
            for (position, arg) in args.iter().enumerate() {
                if let Arg::Value(value) = arg
                    && *value != Value::Null
                {
                    let known = self.passed.entry((method.clone(), position)).or_default();
                    if known.len() < MOST {
                        known.insert(value.clone());
                    }
                }
            }
        }
    }

    /// The literals that calls passed to this method at this position: what people pass there reads better than what they pass elsewhere.
    pub(crate) fn passed(&self, method: &MethodRef, position: usize) -> Option<&BTreeSet<Value>> {
        self.passed.get(&(method.clone(), position))
    }

    /// Learns what a branch compared.
    pub(crate) fn learn_seen(&mut self, operands: &Operands) {
        values_of(operands).iter().for_each(|value| self.learn(value));
    }

    /// Learns a value; null and values of no type of a literal are none.
    pub(crate) fn learn(&mut self, value: &Value) {
        let descriptor = match value {
            Value::Str(_) => STRING,
            Value::Boxed(inner) => return self.learn(inner),
            other => match other.primitive() {
                Some(descriptor) => descriptor,
                None => return,
            },
        };
        let known = self.learnt.entry(descriptor).or_default();
        if known.len() < MOST {
            known.insert(value.clone());
        }
    }

    /// A literal of a primitive type or `java.lang.String`.
    pub(crate) fn pick(&self, descriptor: &str, rng: &mut ChaCha8Rng) -> Option<Value> {
        let known = self.learnt.get(descriptor)?;
        let value = known.iter().nth(rng.random_range(0..known.len().max(1)))?;
        Some(if rng.random_bool(0.15) { nudged(value, rng) } else { value.clone() })
    }
}

/// What was compared, as literals.
fn values_of(operands: &Operands) -> Vec<Value> {
    match operands {
        Operands::Texts(left, right) => [left, right].map(|text| Value::Str(text.clone())).to_vec(),
        Operands::Numbers(left, right) => {
            let ints = [left, right].map(|bits| f64::from_bits(*bits));
            let whole = |number: &f64| number.fract() == 0.0 && number.abs() <= f64::from(i32::MAX);
            ints.into_iter().filter(whole).map(|number| Value::Int(number as i32)).collect()
        }
    }
}

/// A neighbour of a value.
fn nudged(value: &Value, rng: &mut ChaCha8Rng) -> Value {
    let by: i8 = if rng.random_bool(0.5) { 1 } else { -1 };
    match value {
        Value::Int(v) => Value::Int(v.wrapping_add(i32::from(by))),
        Value::Long(v) => Value::Long(v.wrapping_add(i64::from(by))),
        Value::Byte(v) => Value::Byte(v.wrapping_add(by)),
        Value::Short(v) => Value::Short(v.wrapping_add(i16::from(by))),
        Value::Char(v) => Value::Char(v.wrapping_add_signed(i16::from(by))),
        Value::Double(v) => Value::Double((f64::from_bits(*v) + f64::from(by)).to_bits()),
        Value::Float(v) => Value::Float((f32::from_bits(*v) + f32::from(by)).to_bits()),
        Value::Str(text) if by > 0 => Value::Str(format!("{text}a")),
        other => other.clone(),
    }
}
