//! Field and method descriptors. It knows types by their letters, not by their classes.
//!
//! Invariant: a malformed descriptor gives none, never a guess.

/// The type of a descriptor, as far as the operand stack cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `boolean`, `byte`, `char`, `short`, `int`.
    Int,
    /// `long`.
    Long,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// Objects and arrays.
    Reference,
    /// `void`, as a result only.
    Void,
}

impl Kind {
    /// Slots on the operand stack and among the locals.
    pub fn slots(self) -> u8 {
        match self {
            Self::Void => 0,
            Self::Int | Self::Float | Self::Reference => 1,
            Self::Long | Self::Double => 2,
        }
    }
}

/// The kind of the first type of `descriptor` and the bytes behind it.
fn first(descriptor: &[u8]) -> Option<(Kind, &[u8])> {
    let dims = descriptor.iter().take_while(|byte| **byte == b'[').count();
    let element = descriptor.get(dims..)?;
    let (&letter, rest) = element.split_first()?;
    let (kind, rest) = match letter {
        b'Z' | b'B' | b'C' | b'S' | b'I' => (Kind::Int, rest),
        b'J' => (Kind::Long, rest),
        b'F' => (Kind::Float, rest),
        b'D' => (Kind::Double, rest),
        b'L' => {
            let end = rest.iter().position(|byte| *byte == b';').filter(|end| *end > 0)?;
            (Kind::Reference, rest.get(end + 1..)?)
        }
        _ => return None,
    };
    Some((if dims > 0 { Kind::Reference } else { kind }, rest))
}

/// The kind of a field descriptor.
pub fn field(descriptor: &[u8]) -> Option<Kind> {
    first(descriptor).filter(|(_, rest)| rest.is_empty()).map(|(kind, _)| kind)
}

/// The parameters of a method descriptor, in order; ends early when the descriptor is malformed, which [`method`] finds out.
pub fn parameters(descriptor: &[u8]) -> impl Iterator<Item = Kind> {
    parameter_types(descriptor).map(|(kind, _)| kind)
}

/// The parameters of a method descriptor, in order, each with its own descriptor; ends early as [`parameters`].
pub fn parameter_types(descriptor: &[u8]) -> impl Iterator<Item = (Kind, &[u8])> {
    let mut rest = descriptor.strip_prefix(b"(").unwrap_or_default();
    std::iter::from_fn(move || {
        let (kind, tail) = first(rest)?;
        let own = rest.get(..rest.len() - tail.len())?;
        rest = tail;
        Some((kind, own))
    })
}

/// The parameter slots and the result of a method descriptor. Linear.
pub fn method(descriptor: &[u8]) -> Option<(u16, Kind)> {
    let mut rest = descriptor.strip_prefix(b"(")?;
    let mut slots = 0u16;
    while let Some((kind, tail)) = first(rest) {
        slots = slots.checked_add(u16::from(kind.slots()))?;
        rest = tail;
    }
    let result = rest.strip_prefix(b")")?;
    let result = if result == b"V" { Kind::Void } else { field(result)? };
    (slots <= 255).then_some((slots, result))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_descriptor_gives_slots_and_result() {
        assert_eq!(method(b"(IJ[[DLa/B;)V"), Some((5, Kind::Void)));
        assert_eq!(method(b"()[I"), Some((0, Kind::Reference)));
        assert_eq!(method(b"(Z)D"), Some((1, Kind::Double)));
        let kinds: Vec<Kind> = parameters(b"(I[JLa;D)V").collect();
        assert_eq!(kinds, [Kind::Int, Kind::Reference, Kind::Reference, Kind::Double]);
        let types: Vec<&[u8]> = parameter_types(b"(I[JLa;D)V").map(|(_, own)| own).collect();
        assert_eq!(types, [&b"I"[..], b"[J", b"La;", b"D"]);
    }

    #[test]
    fn what_is_no_descriptor_gives_none() {
        for bad in ["", "V", "(", "()", "(V)V", "(I", "()VV", "(L;)V", "(La)V", "([)V", "()["] {
            assert_eq!(method(bad.as_bytes()), None, "{bad}");
        }
        for bad in ["", "V", "II", "L", "[", "Q"] {
            assert_eq!(field(bad.as_bytes()), None, "{bad}");
        }
    }
}
