//! Locations of a node: fields, array elements, the contents of a container.
//!
//! Knows nothing of what stands in them. Invariant: a field, an element and the contents never have the same slot.

/// A location of a node: a field (a number of the caller from 1 to 2^31 - 1), an array element, or the contents of a
/// container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(u32);

const ELEMENT_BIT: u32 = 1 << 31;

impl Slot {
    /// The contents of a container, one location.
    pub const CONTENTS: Self = Self(0);

    /// The field with this number; the number 0 and numbers above 2^31 - 1 are not fields and fold into the range.
    pub fn field(key: u32) -> Self {
        Self((key & !ELEMENT_BIT).max(1))
    }

    /// The array element at this index (below 2^31, as in Java).
    pub fn element(index: u32) -> Self {
        Self(index | ELEMENT_BIT)
    }

    /// The index, for an array element.
    pub fn index(self) -> Option<u32> {
        (self.0 & ELEMENT_BIT != 0).then_some(self.0 & !ELEMENT_BIT)
    }

    /// What the location is called once generalised: the field's number, 0 for elements and contents.
    pub fn step(self) -> u32 {
        if self.0 & ELEMENT_BIT != 0 { 0 } else { self.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_an_element_and_the_contents_are_different_slots() {
        let slots = [Slot::CONTENTS, Slot::field(1), Slot::element(0), Slot::element(1)];
        assert!(slots.iter().enumerate().all(|(i, a)| slots.iter().skip(i + 1).all(|b| a != b)));
        assert_eq!(slots.map(Slot::step), [0, 1, 0, 0]);
    }
}
