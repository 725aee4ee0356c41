//! The calls of test classes on their way to the carver, and the statements of our worker.
//!
//! Knows nothing of facts. Invariant: only what a frame of a test class itself does is passed on; a value that makes no
//! sense becomes an object nobody made.

use dynaflow_carve::Carried;
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sequence::Value;
use dynaflow_model::words::{self, Part};
use rustc_hash::FxHashMap;

/// Texts by number.
pub type Texts = FxHashMap<u32, String>;

/// The value that `words` begin with. `class_of` gives the binary name of an object's class.
pub fn carried(words: &[u64], texts: &Texts, class_of: impl Fn(ObjectId) -> Option<String>) -> Carried {
    let word = words.first().copied().unwrap_or_default();
    let payload = words::payload_of(word);
    match words::site_of(word) {
        words::VALUE_VOID => Carried::Void,
        words::VALUE_OBJECT => Carried::Object(ObjectId(payload), class_of(ObjectId(payload))),
        words::VALUE_BOXED => match primitive(words.get(1..).unwrap_or_default()) {
            Some(value) => Carried::Value(Value::Boxed(Box::new(narrow(value, payload)))),
            None => unknown(),
        },
        words::VALUE_ENUM => constant(ObjectId(payload), words, texts).unwrap_or_else(unknown),
        _ => match primitive(words).or_else(|| named(words, texts)) {
            Some(value) => Carried::Value(value),
            None => unknown(),
        },
    }
}

fn unknown() -> Carried {
    Carried::Object(ObjectId::SINK, None)
}

/// Where the parts of value words stand that have more than one word.
const LONG: usize = words::place(words::VALUE_LONG, Part::Bits);
const DOUBLE: usize = words::place(words::VALUE_DOUBLE, Part::Bits);
const CONSTANT: usize = words::place(words::VALUE_ENUM, Part::Text);

fn primitive(words: &[u64]) -> Option<Value> {
    let word = *words.first()?;
    // Ints and floats stand in the low half of the payload.
    let bits = words::payload_of(word) as u32;
    Some(match words::site_of(word) {
        words::VALUE_NULL => Value::Null,
        words::VALUE_INT => Value::Int(bits.cast_signed()),
        words::VALUE_LONG => Value::Long(words.get(LONG)?.cast_signed()),
        words::VALUE_FLOAT => Value::Float(bits),
        words::VALUE_DOUBLE => Value::Double(*words.get(DOUBLE)?),
        _ => return None,
    })
}

fn named(words: &[u64], texts: &Texts) -> Option<Value> {
    let word = *words.first()?;
    let text = |number: u64| texts.get(&u32::try_from(number).ok()?);
    Some(match words::site_of(word) {
        words::VALUE_STRING => Value::Str(text(words::payload_of(word))?.clone()),
        words::VALUE_CLASS => Value::Class(text(words::payload_of(word))?.clone()),
        _ => return None,
    })
}

fn constant(object: ObjectId, words: &[u64], texts: &Texts) -> Option<Carried> {
    let (class, name) = texts.get(&u32::try_from(*words.get(CONSTANT)?).ok()?)?.rsplit_once('#')?;
    Some(Carried::Constant { object, class: class.to_owned(), name: name.to_owned() })
}

/// An int as the primitive a box holds.
fn narrow(value: Value, descriptor: u64) -> Value {
    let Value::Int(int) = value else {
        return value;
    };
    match u8::try_from(descriptor) {
        Ok(b'Z') => Value::Bool(int != 0),
        Ok(b'B') => Value::Byte(int as i8),
        Ok(b'C') => Value::Char(int as u16),
        Ok(b'S') => Value::Short(int as i16),
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(words: &[u64]) -> Carried {
        let texts = Texts::from_iter([(7, "a.Color#RED".to_owned()), (8, "text".to_owned())]);
        carried(words, &texts, |object| Some(format!("a.C{}", object.0)))
    }

    #[test]
    fn every_kind_of_value_word_is_read() {
        let int = words::word(words::VALUE_INT, u64::from(u32::MAX));
        assert_eq!(value(&[int]), Carried::Value(Value::Int(-1)));
        assert_eq!(value(&[words::word(words::VALUE_LONG, 0), u64::MAX]), Carried::Value(Value::Long(-1)));
        assert_eq!(value(&[words::word(words::VALUE_STRING, 8)]), Carried::Value(Value::Str("text".into())));
        let red = Carried::Constant { object: ObjectId(5), class: "a.Color".into(), name: "RED".into() };
        assert_eq!(value(&[words::word(words::VALUE_ENUM, 5), 7]), red);
        let boxed = [words::word(words::VALUE_BOXED, u64::from(b'C')), words::word(words::VALUE_INT, 65)];
        assert_eq!(value(&boxed), Carried::Value(Value::Boxed(Box::new(Value::Char(65)))));
        let object = Carried::Object(ObjectId(9), Some("a.C9".into()));
        assert_eq!(value(&[words::word(words::VALUE_OBJECT, 9)]), object);
        assert_eq!(value(&[words::word(words::VALUE_VOID, 0)]), Carried::Void);
    }

    #[test]
    fn a_value_without_its_text_or_its_second_word_is_an_object_nobody_made() {
        assert_eq!(value(&[words::word(words::VALUE_STRING, 99)]), unknown());
        assert_eq!(value(&[words::word(words::VALUE_LONG, 0)]), unknown());
        assert_eq!(value(&[words::word(words::VALUE_ENUM, 5), 99]), unknown());
        assert_eq!(value(&[]), unknown());
    }
}
