//! Debug tables of code, line numbers and local variables, and the table of bootstrap methods. It knows their layout alone.
//!
//! Invariant: a table written from the entries read gives the bytes it was read from.

use crate::Error;
use crate::pool::Utf8Index;
use crate::reader::Reader;

/// An entry of a `LineNumberTable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// First offset of the line's code.
    pub start: u16,
    /// Source line.
    pub line: u16,
}

/// An entry of a `LocalVariableTable` or `LocalVariableTypeTable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    /// First offset where it has a value.
    pub start: u16,
    /// Length of its range.
    pub length: u16,
    /// Name.
    pub name: Utf8Index,
    /// Descriptor or signature.
    pub kind: Utf8Index,
    /// Slot.
    pub slot: u16,
}

/// The lines of a `LineNumberTable`.
///
/// # Errors
/// When the bytes end too early or are left over.
pub fn lines(data: &[u8], base: usize) -> Result<impl Iterator<Item = Line>, Error> {
    let rows = rows::<4>(data, base)?;
    Ok(rows.map(|row| Line { start: half(row, 0), line: half(row, 2) }))
}

/// The variables of a `LocalVariableTable` or `LocalVariableTypeTable`.
///
/// # Errors
/// When the bytes end too early or are left over.
pub fn variables(data: &[u8], base: usize) -> Result<impl Iterator<Item = Variable>, Error> {
    let rows = rows::<10>(data, base)?;
    Ok(rows.map(|row| Variable {
        start: half(row, 0),
        length: half(row, 2),
        name: Utf8Index(half(row, 4)),
        kind: Utf8Index(half(row, 6)),
        slot: half(row, 8),
    }))
}

/// The arguments of each bootstrap method of a `BootstrapMethods`, as indices of constants.
///
/// # Errors
/// When the bytes end too early or are left over.
pub fn bootstraps(data: &[u8], base: usize) -> Result<Vec<Vec<u16>>, Error> {
    let mut reader = Reader::new(data, base);
    let count = reader.u2()?;
    let mut all = Vec::new();
    for _ in 0..count {
        reader.u2()?;
        let arguments = reader.u2()?;
        all.push((0..arguments).map(|_| reader.u2()).collect::<Result<_, _>>()?);
    }
    reader.end()?;
    Ok(all)
}

/// Writes a `LineNumberTable`.
pub fn write_lines(lines: impl Iterator<Item = Line>, out: &mut Vec<u8>) {
    write_rows(lines.map(|entry| [entry.start, entry.line]), out);
}

/// Writes a `LocalVariableTable` or `LocalVariableTypeTable`.
pub fn write_variables(variables: impl Iterator<Item = Variable>, out: &mut Vec<u8>) {
    write_rows(variables.map(|v| [v.start, v.length, v.name.0, v.kind.0, v.slot]), out);
}

fn rows<const N: usize>(data: &[u8], base: usize) -> Result<impl Iterator<Item = &[u8]>, Error> {
    let mut reader = Reader::new(data, base);
    let count = usize::from(reader.u2()?);
    let rows = reader.bytes(count * N)?;
    reader.end()?;
    Ok(rows.chunks_exact(N))
}

fn half(row: &[u8], at: usize) -> u16 {
    row.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u16::from_be_bytes(*bytes))
}

fn write_rows<const N: usize>(rows: impl Iterator<Item = [u16; N]>, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend([0, 0]);
    let mut count = 0u16;
    for row in rows {
        row.iter().for_each(|value| out.extend(value.to_be_bytes()));
        count = count.saturating_add(1);
    }
    out.splice(start..start + 2, count.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_written_as_they_are_read() {
        let bytes = [0, 2, 0, 0, 0, 10, 0, 4, 0, 11];
        let mut out = Vec::new();
        write_lines(lines(&bytes, 0).unwrap(), &mut out);
        assert_eq!(out, bytes);

        let bytes = [0, 1, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5];
        let mut out = Vec::new();
        write_variables(variables(&bytes, 0).unwrap(), &mut out);
        assert_eq!(out, bytes);
    }

    #[test]
    fn a_table_whose_count_lies_is_an_error() {
        assert!(lines(&[0, 2, 0, 0, 0, 10], 0).is_err());
        assert!(lines(&[0, 0, 7], 0).is_err());
        assert!(variables(&[], 0).is_err());
    }
}
