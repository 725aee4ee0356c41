//! Annotations: their types, and the code offsets in type annotations. It knows nothing of what they mean.
//!
//! Invariant: nesting deeper than [`DEPTH_LIMIT`] is refused, so hostile input cannot exhaust the stack.

use crate::Error;
use crate::pool::Utf8Index;
use crate::reader::Reader;

/// How deep annotations may nest; the Java language gives no way near it.
pub const DEPTH_LIMIT: u32 = 128;

/// The annotation types of a `RuntimeVisibleAnnotations` or `RuntimeInvisibleAnnotations` attribute, as indices of
/// their descriptors, in order.
///
/// # Errors
/// When the content is no list of annotations.
pub fn types(data: &[u8], base: usize) -> Result<Vec<Utf8Index>, Error> {
    let mut reader = Reader::new(data, base);
    let count = usize::from(reader.u2()?);
    let mut types = Vec::with_capacity(count.min(reader.remaining() / 4));
    for _ in 0..count {
        types.push(skip_annotation(&mut reader, 0)?);
    }
    reader.end()?;
    Ok(types)
}

/// A place in the content of a type annotation attribute that holds offsets into the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodePosition {
    /// At this index lies the offset of an instruction (two bytes).
    Offset(usize),
    /// At this index lie the start and the length of a variable's range (two bytes each).
    Range(usize),
}

/// Every code offset in the content of a type annotation attribute of a `Code` attribute.
///
/// # Errors
/// When the content is no list of type annotations of code.
pub fn code_positions(data: &[u8], base: usize) -> Result<Vec<CodePosition>, Error> {
    let mut reader = Reader::new(data, base);
    let mut positions = Vec::new();
    for _ in 0..reader.u2()? {
        match reader.u1()? {
            0x40 | 0x41 => {
                for _ in 0..reader.u2()? {
                    positions.push(CodePosition::Range(reader.position()));
                    reader.bytes(6)?;
                }
            }
            0x42 => drop(reader.u2()?),
            kind @ 0x43..=0x4B => {
                positions.push(CodePosition::Offset(reader.position()));
                reader.bytes(if kind < 0x47 { 2 } else { 3 })?;
            }
            _ => return Err(reader.error("a type annotation of code has an unknown target")),
        }
        let path = usize::from(reader.u1()?);
        reader.bytes(path * 2)?;
        skip_annotation(&mut reader, 0)?;
    }
    reader.end()?;
    Ok(positions)
}

fn skip_annotation(reader: &mut Reader<'_>, depth: u32) -> Result<Utf8Index, Error> {
    let kind = Utf8Index(reader.u2()?);
    for _ in 0..reader.u2()? {
        reader.u2()?;
        skip_value(reader, depth)?;
    }
    Ok(kind)
}

fn skip_value(reader: &mut Reader<'_>, depth: u32) -> Result<(), Error> {
    if depth > DEPTH_LIMIT {
        return Err(reader.error("annotations nest too deep"));
    }
    match reader.u1()? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's' | b'c' => drop(reader.bytes(2)?),
        b'e' => drop(reader.bytes(4)?),
        b'@' => drop(skip_annotation(reader, depth + 1)?),
        b'[' => {
            for _ in 0..reader.u2()? {
                skip_value(reader, depth + 1)?;
            }
        }
        _ => return Err(reader.error("an annotation value has an unknown kind")),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_listed_past_values_of_every_kind() {
        let data = [
            0, 2, // two annotations
            0, 7, 0, 3, // type 7, three values
            0, 1, b'I', 0, 1, // int
            0, 2, b'[', 0, 2, b'e', 0, 1, 0, 2, b'@', 0, 9, 0,
            0, // array of an enum constant and an annotation
            0, 3, b's', 0, 1, // string
            0, 8, 0, 0, // type 8, no values
        ];
        assert_eq!(types(&data, 0).unwrap(), [Utf8Index(7), Utf8Index(8)]);
    }

    #[test]
    fn code_offsets_of_type_annotations_are_found() {
        let data = [
            0, 3, // three
            0x40, 0, 1, 0, 4, 0, 5, 0, 1, 0, 0, 9, 0, 0, // local variable
            0x44, 0, 6, 1, 3, 0, 0, 9, 0, 0, // new, with a path
            0x47, 0, 8, 0, 0, 0, 9, 0, 0, // cast
        ];
        let positions = code_positions(&data, 0).unwrap();
        assert_eq!(positions, [CodePosition::Range(5), CodePosition::Offset(17), CodePosition::Offset(27)]);
    }

    #[test]
    fn endless_nesting_is_refused() {
        let mut data = vec![0, 1, 0, 1, 0, 1, 0, 1];
        for _ in 0..10_000 {
            data.extend([b'[', 0, 1]);
        }
        assert!(types(&data, 0).unwrap_err().what.contains("deep"));
    }

    #[test]
    fn hostile_bytes_never_panic() {
        arbtest::arbtest(|u| {
            let data: Vec<u8> = u.arbitrary()?;
            let _ = types(&data, 0);
            let _ = code_positions(&data, 0);
            Ok(())
        });
    }
}
