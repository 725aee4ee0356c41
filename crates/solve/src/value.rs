//! The values of Java's primitive types and what its operators do to them (JLS 15, JVMS 6). Knows no expressions.
//!
//! Invariant: an operator on values of the wrong kinds, and a division by zero, give none; everything else gives what a JVM gives.

/// The kind of a value. `boolean` as Java computes with it is an `int`; [`Sort::Bool`] is a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// A condition.
    Bool,
    /// `int` and what is narrower.
    Int,
    /// `long`.
    Long,
    /// `float`.
    Float,
    /// `double`.
    Double,
}

/// A value; numbers with a point as their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// Of a condition.
    Bool(bool),
    /// An `int`.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// A `float`.
    Float(u32),
    /// A `double`.
    Double(u64),
}

impl Value {
    /// Its kind.
    pub fn sort(self) -> Sort {
        match self {
            Self::Bool(_) => Sort::Bool,
            Self::Int(_) => Sort::Int,
            Self::Long(_) => Sort::Long,
            Self::Float(_) => Sort::Float,
            Self::Double(_) => Sort::Double,
        }
    }

    /// A small number as a value of this kind; a condition holds unless it is 0.
    pub fn small(sort: Sort, number: i8) -> Self {
        match sort {
            Sort::Bool => Self::Bool(number != 0),
            Sort::Int => Self::Int(number.into()),
            Sort::Long => Self::Long(number.into()),
            Sort::Float => Self::Float(f32::from(number).to_bits()),
            Sort::Double => Self::Double(f64::from(number).to_bits()),
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Long(value) => write!(f, "{value}L"),
            Self::Float(bits) => write!(f, "{:?}f", f32::from_bits(*bits)),
            Self::Double(bits) => write!(f, "{:?}", f64::from_bits(*bits)),
        }
    }
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unary {
    /// Of a condition.
    Not,
    /// Unary minus.
    Neg,
    /// A number as another kind of number.
    To(Sort),
    /// `i2b`.
    ToByte,
    /// `i2c`.
    ToChar,
    /// `i2s`.
    ToShort,
}

/// An operator with two operands of one kind; of shifts the second is an `int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%` of integers.
    Rem,
    /// `&`, of conditions too.
    And,
    /// `|`, of conditions too.
    Or,
    /// `^`, of conditions too.
    Xor,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `>>>`
    Ushr,
    /// `==`; of numbers with a point as IEEE 754 has it.
    Eq,
    /// `<`
    Lt,
    /// `<=`
    Le,
}

impl Binary {
    /// The kind of the result for operands of this kind.
    pub fn result(self, operands: Sort) -> Sort {
        if matches!(self, Self::Eq | Self::Lt | Self::Le) { Sort::Bool } else { operands }
    }
}

/// The result of a unary operator.
pub fn unary(op: Unary, value: Value) -> Option<Value> {
    use Value as V;
    Some(match (op, value) {
        (Unary::Not, V::Bool(v)) => V::Bool(!v),
        (Unary::Neg, V::Int(v)) => V::Int(v.wrapping_neg()),
        (Unary::Neg, V::Long(v)) => V::Long(v.wrapping_neg()),
        (Unary::Neg, V::Float(v)) => V::Float((-f32::from_bits(v)).to_bits()),
        (Unary::Neg, V::Double(v)) => V::Double((-f64::from_bits(v)).to_bits()),
        (Unary::ToByte, V::Int(v)) => V::Int((v as i8).into()),
        (Unary::ToChar, V::Int(v)) => V::Int((v as u16).into()),
        (Unary::ToShort, V::Int(v)) => V::Int((v as i16).into()),
        (Unary::To(sort), value) => convert(sort, value)?,
        _ => return None,
    })
}

/// Conversions as Java has them: integers are cut off, what is no number becomes 0, what is too large the largest. So does `as`.
fn convert(sort: Sort, value: Value) -> Option<Value> {
    use Value as V;
    Some(match (sort, value) {
        (Sort::Int, V::Long(v)) => V::Int(v as i32),
        (Sort::Int, V::Float(v)) => V::Int(f32::from_bits(v) as i32),
        (Sort::Int, V::Double(v)) => V::Int(f64::from_bits(v) as i32),
        (Sort::Long, V::Int(v)) => V::Long(v.into()),
        (Sort::Long, V::Float(v)) => V::Long(f32::from_bits(v) as i64),
        (Sort::Long, V::Double(v)) => V::Long(f64::from_bits(v) as i64),
        (Sort::Float, V::Int(v)) => V::Float((v as f32).to_bits()),
        (Sort::Float, V::Long(v)) => V::Float((v as f32).to_bits()),
        (Sort::Float, V::Double(v)) => V::Float((f64::from_bits(v) as f32).to_bits()),
        (Sort::Double, V::Int(v)) => V::Double(f64::from(v).to_bits()),
        (Sort::Double, V::Long(v)) => V::Double((v as f64).to_bits()),
        (Sort::Double, V::Float(v)) => V::Double(f64::from(f32::from_bits(v)).to_bits()),
        _ => return None,
    })
}

/// The result of a binary operator; none for a division by zero.
pub fn binary(op: Binary, a: Value, b: Value) -> Option<Value> {
    use Value as V;
    match (a, b) {
        (V::Bool(a), V::Bool(b)) => Some(V::Bool(match op {
            Binary::And => a && b,
            Binary::Or => a || b,
            Binary::Xor => a != b,
            Binary::Eq => a == b,
            _ => return None,
        })),
        (V::Int(a), V::Int(b)) => int(op, a, b),
        (V::Long(a), V::Long(b)) => long(op, a, b),
        (V::Long(a), V::Int(b)) => Some(V::Long(match op {
            Binary::Shl => a.wrapping_shl(b.cast_unsigned()),
            Binary::Shr => a.wrapping_shr(b.cast_unsigned()),
            Binary::Ushr => a.cast_unsigned().wrapping_shr(b.cast_unsigned()).cast_signed(),
            _ => return None,
        })),
        (V::Float(a), V::Float(b)) => {
            let (a, b) = (f32::from_bits(a), f32::from_bits(b));
            Some(match op {
                Binary::Add => V::Float((a + b).to_bits()),
                Binary::Sub => V::Float((a - b).to_bits()),
                Binary::Mul => V::Float((a * b).to_bits()),
                Binary::Div => V::Float((a / b).to_bits()),
                _ => V::Bool(compared(op, a, b)?),
            })
        }
        (V::Double(a), V::Double(b)) => {
            let (a, b) = (f64::from_bits(a), f64::from_bits(b));
            Some(match op {
                Binary::Add => V::Double((a + b).to_bits()),
                Binary::Sub => V::Double((a - b).to_bits()),
                Binary::Mul => V::Double((a * b).to_bits()),
                Binary::Div => V::Double((a / b).to_bits()),
                _ => V::Bool(compared(op, a, b)?),
            })
        }
        _ => None,
    }
}

fn compared<T: PartialOrd>(op: Binary, a: T, b: T) -> Option<bool> {
    match op {
        Binary::Eq => Some(a == b),
        Binary::Lt => Some(a < b),
        Binary::Le => Some(a <= b),
        _ => None,
    }
}

fn int(op: Binary, a: i32, b: i32) -> Option<Value> {
    Some(Value::Int(match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div => (b != 0).then(|| a.wrapping_div(b))?,
        Binary::Rem => (b != 0).then(|| a.wrapping_rem(b))?,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::Shl => a.wrapping_shl(b.cast_unsigned()),
        Binary::Shr => a.wrapping_shr(b.cast_unsigned()),
        Binary::Ushr => a.cast_unsigned().wrapping_shr(b.cast_unsigned()).cast_signed(),
        _ => return compared(op, a, b).map(Value::Bool),
    }))
}

fn long(op: Binary, a: i64, b: i64) -> Option<Value> {
    Some(Value::Long(match op {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div => (b != 0).then(|| a.wrapping_div(b))?,
        Binary::Rem => (b != 0).then(|| a.wrapping_rem(b))?,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        _ => return compared(op, a, b).map(Value::Bool),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_overflow_shift_by_masked_distances_and_refuse_to_divide_by_zero() {
        let int = |op, a, b| binary(op, Value::Int(a), Value::Int(b));
        assert_eq!(int(Binary::Add, i32::MAX, 1), Some(Value::Int(i32::MIN)));
        assert_eq!(int(Binary::Div, i32::MIN, -1), Some(Value::Int(i32::MIN)));
        assert_eq!(int(Binary::Rem, -7, 2), Some(Value::Int(-1)));
        assert_eq!(int(Binary::Shl, 1, 33), Some(Value::Int(2)));
        assert_eq!(int(Binary::Ushr, -1, 28), Some(Value::Int(15)));
        assert_eq!((int(Binary::Div, 1, 0), int(Binary::Rem, 1, 0)), (None, None));
        assert_eq!(binary(Binary::Add, Value::Int(1), Value::Long(1)), None, "kinds are not mixed");
    }

    #[test]
    fn what_is_no_number_is_equal_to_nothing_and_converts_to_zero() {
        let nan = Value::Double(f64::NAN.to_bits());
        assert_eq!(binary(Binary::Eq, nan, nan), Some(Value::Bool(false)));
        assert_eq!(unary(Unary::To(Sort::Int), nan), Some(Value::Int(0)));
        assert_eq!(
            unary(Unary::To(Sort::Long), Value::Float(1e30_f32.to_bits())),
            Some(Value::Long(i64::MAX))
        );
    }
}
