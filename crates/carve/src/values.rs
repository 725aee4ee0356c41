//! Literals given the type their place asks for: the wire carries `boolean` and `char` as ints. Knows nothing of calls.
//!
//! Invariant: a value comes back with the variant of the primitive descriptor, or unchanged where none fits.

use dynaflow_model::sequence::Value;

/// The value as the type `descriptor` asks for.
pub(crate) fn coerce(value: Value, descriptor: &str) -> Value {
    let Value::Int(int) = value else { return value };
    match descriptor {
        "Z" => Value::Bool(int != 0),
        "B" => Value::Byte(int as i8),
        "C" => Value::Char(int as u16),
        "S" => Value::Short(int as i16),
        _ => value,
    }
}

/// Why a value is too large to be written into a test, if it is.
pub(crate) fn too_large(value: &Value, longest: usize) -> Option<String> {
    match value {
        Value::Str(text) if text.len() > longest => {
            Some(format!("a string of {} bytes, longer than the limit of {longest}", text.len()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ints_become_what_the_parameter_is_and_others_stay() {
        assert_eq!(coerce(Value::Int(1), "Z"), Value::Bool(true));
        assert_eq!(coerce(Value::Int(-1), "B"), Value::Byte(-1));
        assert_eq!(coerce(Value::Int(65), "C"), Value::Char(65));
        assert_eq!(coerce(Value::Int(70_000), "S"), Value::Short(4464));
        assert_eq!(coerce(Value::Int(7), "Ljava/lang/Object;"), Value::Int(7));
        assert_eq!(coerce(Value::Long(7), "Z"), Value::Long(7));
    }
}
