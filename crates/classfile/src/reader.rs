//! A bounds-checked big-endian cursor over bytes. It knows nothing of class files.
//!
//! Invariant: the position never passes the end; every failure names the offset in the whole file.

use crate::Error;

/// A cursor.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    data: &'a [u8],
    at: usize,
    base: usize,
}

impl<'a> Reader<'a> {
    /// A cursor at the start of `data`, which lies at offset `base` of the file.
    pub fn new(data: &'a [u8], base: usize) -> Self {
        Self { data, at: 0, base }
    }

    /// Offset in the file.
    pub fn offset(&self) -> usize {
        self.base + self.at
    }

    /// Offset in the data this cursor was made for.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Bytes left.
    pub fn remaining(&self) -> usize {
        self.data.len() - self.at
    }

    /// An error at the current offset.
    pub fn error(&self, what: &'static str) -> Error {
        Error::new(self.offset(), what)
    }

    /// The next `count` bytes.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], Error> {
        let rest = self.data.get(self.at..).unwrap_or_default();
        let taken = rest.get(..count).ok_or_else(|| self.error("it ends too early"))?;
        self.at += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let rest = self.data.get(self.at..).unwrap_or_default();
        let taken = rest.first_chunk::<N>().ok_or_else(|| self.error("it ends too early"))?;
        self.at += N;
        Ok(*taken)
    }

    /// One byte.
    ///
    /// # Errors
    /// When none is left.
    pub fn u1(&mut self) -> Result<u8, Error> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// Two bytes.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn u2(&mut self) -> Result<u16, Error> {
        self.array().map(u16::from_be_bytes)
    }

    /// Four bytes.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn u4(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_be_bytes)
    }

    /// Four bytes, signed.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn i4(&mut self) -> Result<i32, Error> {
        self.array().map(i32::from_be_bytes)
    }

    /// Succeeds when nothing is left.
    ///
    /// # Errors
    /// When bytes are left over.
    pub fn end(&self) -> Result<(), Error> {
        if self.remaining() == 0 { Ok(()) } else { Err(self.error("bytes are left over")) }
    }
}
