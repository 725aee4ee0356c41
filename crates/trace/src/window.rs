//! Payloads of blocks as pieces of one deflate stream, whose window spans blocks: what one block holds, later ones can refer to.
//!
//! Knows nothing of what payloads hold. Invariant: a piece ends at the border of a byte, so that each block can be read once it
//! is there, and it inflates to at most [`RATIO`] times its length and [`SLACK`] bytes more: nobody is made to
//! allocate much by few bytes.

use crate::encoding::EncodingError;
use crate::format::MAX_BLOCK;
use std::fmt;
use zlib_rs::{Deflate, DeflateFlush, Inflate, InflateFlush, Status};

/// How often its length a piece may inflate to, ...
const RATIO: usize = 128;
/// ... and how many bytes more.
const SLACK: usize = 1 << 10;

/// zlib's own default. Level 1 leaves a quarter more bytes; neither takes half a percent of the CPU, see docs/decisions/trace.md.
const LEVEL: i32 = 6;
/// The window of deflate, 32 KiB.
const WINDOW_BITS: u8 = 15;
/// How every piece that is flushed ends, and what is therefore left out of the file.
const TAIL: [u8; 4] = [0, 0, 0xff, 0xff];
/// What makes a piece longer that would inflate to more than it may: the tail, and an empty stored block up to its own tail.
const FILL: [u8; 5] = [0, 0, 0xff, 0xff, 0];

/// How much a piece of this length may inflate to.
fn most(deflated: usize) -> usize {
    deflated.saturating_mul(RATIO).saturating_add(SLACK).min(MAX_BLOCK as usize)
}

/// The writing side of the stream. It takes some hundred kilobytes of memory.
pub struct Deflater {
    stream: Deflate,
    anew: bool,
}

impl fmt::Debug for Deflater {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deflater").field("anew", &self.anew).finish_non_exhaustive()
    }
}

impl Deflater {
    /// The stream of a new file.
    pub fn new() -> Self {
        Self { stream: Deflate::new(LEVEL, false, WINDOW_BITS), anew: false }
    }

    /// What was deflated last may not be in the file: the stream begins anew.
    pub fn forget(&mut self) {
        self.anew = true;
    }

    /// The next piece, and whether the stream begins anew with it. Linear in the payload, of at most [`MAX_BLOCK`] bytes.
    ///
    /// # Errors
    /// When the library gives up, which it has no reason to.
    pub fn deflate(&mut self, payload: &[u8]) -> Result<(bool, Vec<u8>), EncodingError> {
        let anew = self.anew;
        if anew {
            self.stream.reset();
        }
        self.anew = true;
        // Room for all of it and the flush, as the library wants to be called once.
        let mut piece = vec![0; zlib_rs::compress_bound(payload.len()) + 64];
        let (read, written) = (self.stream.total_in(), self.stream.total_out());
        self.stream
            .compress(payload, &mut piece, DeflateFlush::SyncFlush)
            .map_err(|e| EncodingError(format!("cannot deflate: {}", e.as_str())))?;
        let (read, written) = (self.stream.total_in() - read, self.stream.total_out() - written);
        let whole = read == payload.len() as u64 && written < piece.len() as u64;
        piece.truncate(written as usize);
        if !whole || !piece.ends_with(&TAIL) {
            return Err(EncodingError("cannot deflate all of it at once".to_owned()));
        }
        piece.truncate(piece.len() - TAIL.len());
        while most(piece.len()) < payload.len() {
            piece.extend_from_slice(&FILL);
        }
        self.anew = false;
        Ok((anew, piece))
    }
}

/// The reading side of the stream.
pub struct Inflater(Inflate);

impl fmt::Debug for Inflater {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inflater").finish_non_exhaustive()
    }
}

impl Inflater {
    /// The stream of a file from its beginning.
    pub fn new() -> Self {
        Self(Inflate::new(false, WINDOW_BITS))
    }

    /// The payload of the next piece. After an error the stream is of no more use.
    ///
    /// # Errors
    /// When the bytes are no piece of a stream, or inflate to more than a piece may.
    pub fn inflate(&mut self, anew: bool, piece: &[u8]) -> Result<Vec<u8>, EncodingError> {
        if anew {
            self.0.reset(false);
        }
        let most = most(piece.len());
        let (mut payload, mut used) = (vec![0; (4 * piece.len()).clamp(SLACK, most)], 0);
        for part in [piece, &TAIL] {
            used = self.part(part, &mut payload, used, most)?;
        }
        payload.truncate(used);
        Ok(payload)
    }

    /// Inflates all of `part` behind the `used` bytes of `payload`; gives how many are used then.
    fn part(
        &mut self,
        mut part: &[u8],
        payload: &mut Vec<u8>,
        mut used: usize,
        most: usize,
    ) -> Result<usize, EncodingError> {
        loop {
            if used > most {
                return Err(EncodingError(format!("a block inflates to more than {most} bytes")));
            }
            if used == payload.len() {
                // One byte more than there may be shows that there is more.
                payload.resize((2 * used).min(most + 1), 0);
            }
            let room = payload.get_mut(used..).unwrap_or_default();
            let size = room.len();
            let (read, written) = (self.0.total_in(), self.0.total_out());
            let status = self
                .0
                .decompress(part, room, InflateFlush::SyncFlush)
                .map_err(|e| EncodingError(format!("a block cannot be inflated: {}", e.as_str())))?;
            let (read, written) = (self.0.total_in() - read, (self.0.total_out() - written) as usize);
            part = part.get(read as usize..).unwrap_or_default();
            used += written;
            if status == Status::StreamEnd {
                return Err(EncodingError("the deflate stream ends within a block".to_owned()));
            }
            if written < size {
                // There is room left, so that all that can be read was.
                return if part.is_empty() { Ok(used) } else { Err(stuck()) };
            }
        }
    }
}

fn stuck() -> EncodingError {
    EncodingError("a block cannot be inflated to its end".to_owned())
}
