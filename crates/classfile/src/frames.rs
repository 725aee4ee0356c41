//! `StackMapTable`: frames read without copying, and written with other offsets. It knows nothing of verification.
//!
//! Invariant: offsets strictly increase; a frame written at its old offset in the smallest form it was read in gives the
//! bytes it was read from.

use crate::Error;
use crate::pool::ClassIndex;
use crate::reader::Reader;

/// Class files from this version on carry stack map frames.
pub const FRAMES_SINCE: u16 = 50;

/// A verification type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerificationType {
    /// Unusable.
    Top,
    /// `int` and smaller.
    Integer,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `long`.
    Long,
    /// The type of `null`.
    Null,
    /// `this` in a constructor before `super(...)`.
    UninitializedThis,
    /// An object or array.
    Object(ClassIndex),
    /// What the `new` at this offset made, before its constructor ran.
    Uninitialized(u16),
}

/// How a frame refers to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Same locals, empty stack.
    Same,
    /// Same locals, one stack entry.
    SameOneStack,
    /// The last one to three locals are gone.
    Chop(u8),
    /// One to three more locals.
    Append(u8),
    /// Everything is listed.
    Full,
}

/// A list of verification types, raw.
#[derive(Clone, Copy, Debug)]
pub struct Types<'a> {
    raw: &'a [u8],
    count: u16,
}

impl<'a> Types<'a> {
    const NONE: Self = Self { raw: &[], count: 0 };

    /// How many there are.
    pub fn len(&self) -> u16 {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The types in order.
    pub fn iter(&self) -> impl Iterator<Item = VerificationType> + use<'a> {
        let mut reader = Reader::new(self.raw, 0);
        std::iter::from_fn(move || if reader.remaining() == 0 { None } else { read_type(&mut reader).ok() })
    }

    fn read(reader: &mut Reader<'a>, count: u16) -> Result<Self, Error> {
        let mut start = *reader;
        for _ in 0..count {
            read_type(reader)?;
        }
        Ok(Self { raw: start.bytes(reader.position() - start.position())?, count })
    }
}

fn read_type(reader: &mut Reader<'_>) -> Result<VerificationType, Error> {
    Ok(match reader.u1()? {
        0 => VerificationType::Top,
        1 => VerificationType::Integer,
        2 => VerificationType::Float,
        3 => VerificationType::Double,
        4 => VerificationType::Long,
        5 => VerificationType::Null,
        6 => VerificationType::UninitializedThis,
        7 => VerificationType::Object(ClassIndex(reader.u2()?)),
        8 => VerificationType::Uninitialized(reader.u2()?),
        _ => return Err(reader.error("a stack map frame has an unknown verification type")),
    })
}

/// Writes one verification type.
pub fn write_type(kind: VerificationType, out: &mut Vec<u8>) {
    let (tag, operand) = match kind {
        VerificationType::Top => (0, None),
        VerificationType::Integer => (1, None),
        VerificationType::Float => (2, None),
        VerificationType::Double => (3, None),
        VerificationType::Long => (4, None),
        VerificationType::Null => (5, None),
        VerificationType::UninitializedThis => (6, None),
        VerificationType::Object(class) => (7, Some(class.0)),
        VerificationType::Uninitialized(offset) => (8, Some(offset)),
    };
    out.push(tag);
    out.extend(operand.into_iter().flat_map(u16::to_be_bytes));
}

/// A frame.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Offset of the instruction it describes.
    pub offset: u32,
    /// How it refers to the frame before it.
    pub shape: Shape,
    /// The locals listed (`Append`, `Full`).
    pub locals: Types<'a>,
    /// The stack entries listed (`SameOneStack`, `Full`).
    pub stack: Types<'a>,
}

/// Iterates over the frames of a `StackMapTable`. After an error it ends.
#[derive(Clone, Debug)]
pub struct Frames<'a> {
    reader: Reader<'a>,
    left: u16,
    previous: Option<u32>,
}

impl<'a> Frames<'a> {
    /// Frames of the attribute content `data`, which lies at `base` in the file.
    ///
    /// # Errors
    /// When not even the count is there.
    pub fn new(data: &'a [u8], base: usize) -> Result<Self, Error> {
        let mut reader = Reader::new(data, base);
        let left = reader.u2()?;
        Ok(Self { reader, left, previous: None })
    }

    fn read(&mut self) -> Result<Frame<'a>, Error> {
        let reader = &mut self.reader;
        let kind = reader.u1()?;
        let (none, mut locals, mut stack) = (Types::NONE, Types::NONE, Types::NONE);
        let (shape, delta) = match kind {
            0..=63 => (Shape::Same, u16::from(kind)),
            64..=127 => (Shape::SameOneStack, u16::from(kind - 64)),
            247 => (Shape::SameOneStack, reader.u2()?),
            248..=250 => (Shape::Chop(251 - kind), reader.u2()?),
            251 => (Shape::Same, reader.u2()?),
            252..=254 => (Shape::Append(kind - 251), reader.u2()?),
            255 => (Shape::Full, reader.u2()?),
            _ => return Err(reader.error("a stack map frame has an unknown type")),
        };
        match shape {
            Shape::Same | Shape::Chop(_) => locals = none,
            Shape::SameOneStack => stack = Types::read(reader, 1)?,
            Shape::Append(count) => locals = Types::read(reader, u16::from(count))?,
            Shape::Full => {
                let count = reader.u2()?;
                locals = Types::read(reader, count)?;
                let count = reader.u2()?;
                stack = Types::read(reader, count)?;
            }
        }
        let offset = self.previous.map_or(u32::from(delta), |previous| previous + u32::from(delta) + 1);
        self.previous = Some(offset);
        Ok(Frame { offset, shape, locals, stack })
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Result<Frame<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let frame = self.read();
        if frame.is_err() {
            self.left = 0;
        }
        Some(frame)
    }
}

/// Writes a `StackMapTable`, frame by frame in order of their offsets.
#[derive(Debug)]
pub struct FrameWriter {
    out: Vec<u8>,
    count: u16,
    previous: Option<u32>,
}

impl FrameWriter {
    /// A writer that has room for `capacity` bytes before it allocates again.
    pub fn with_capacity(capacity: usize) -> Self {
        let mut out = Vec::with_capacity(capacity);
        out.extend([0, 0]);
        Self { out, count: 0, previous: None }
    }

    /// Writes a frame read elsewhere at `offset`; `uninitialized` gives the new offset of a `new` instruction.
    ///
    /// # Errors
    /// When offsets do not increase or there are too many frames.
    pub fn copy(
        &mut self,
        offset: u32,
        frame: &Frame<'_>,
        uninitialized: impl Fn(u16) -> u16,
    ) -> Result<(), Error> {
        let delta = self.advance(offset)?;
        self.head(frame.shape, delta);
        let full = frame.shape == Shape::Full;
        for types in [&frame.locals, &frame.stack] {
            if full {
                self.out.extend(types.count.to_be_bytes());
            }
            for kind in types.iter() {
                write_type(
                    match kind {
                        VerificationType::Uninitialized(old) => {
                            VerificationType::Uninitialized(uninitialized(old))
                        }
                        other => other,
                    },
                    &mut self.out,
                );
            }
        }
        Ok(())
    }

    /// Writes a frame that lists everything.
    ///
    /// # Errors
    /// As [`Self::copy`].
    pub fn full(
        &mut self,
        offset: u32,
        locals: &[VerificationType],
        stack: &[VerificationType],
    ) -> Result<(), Error> {
        let delta = self.advance(offset)?;
        self.head(Shape::Full, delta);
        for types in [locals, stack] {
            self.out.extend(u16::try_from(types.len()).unwrap_or(u16::MAX).to_be_bytes());
            types.iter().for_each(|kind| write_type(*kind, &mut self.out));
        }
        Ok(())
    }

    /// Writes a frame that has the locals of the one before it and at most one stack entry.
    ///
    /// # Errors
    /// As [`Self::copy`].
    pub fn same(&mut self, offset: u32, stack: Option<VerificationType>) -> Result<(), Error> {
        let delta = self.advance(offset)?;
        self.head(if stack.is_some() { Shape::SameOneStack } else { Shape::Same }, delta);
        stack.into_iter().for_each(|kind| write_type(kind, &mut self.out));
        Ok(())
    }

    fn advance(&mut self, offset: u32) -> Result<u16, Error> {
        let delta = match self.previous {
            None => Some(offset),
            Some(previous) => offset.checked_sub(previous).and_then(|gap| gap.checked_sub(1)),
        };
        self.previous = Some(offset);
        self.count =
            self.count.checked_add(1).ok_or(Error::new(0, "a method has too many stack map frames"))?;
        delta
            .and_then(|delta| u16::try_from(delta).ok())
            .ok_or(Error::new(offset as usize, "stack map frames are not in the order of their offsets"))
    }

    fn head(&mut self, shape: Shape, delta: u16) {
        let small = u8::try_from(delta).ok().filter(|delta| *delta < 64);
        let kind = match (shape, small) {
            (Shape::Same, Some(delta)) => return self.out.push(delta),
            (Shape::SameOneStack, Some(delta)) => return self.out.push(64 + delta),
            (Shape::Same, None) => 251,
            (Shape::SameOneStack, None) => 247,
            (Shape::Chop(count), _) => 251 - count,
            (Shape::Append(count), _) => 251 + count,
            (Shape::Full, _) => 255,
        };
        self.out.push(kind);
        self.out.extend(delta.to_be_bytes());
    }

    /// The content of the attribute.
    pub fn finish(mut self) -> Vec<u8> {
        self.out.splice(..2, self.count.to_be_bytes());
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[u8] = &[
        0, 6, // count
        5, // same at 5
        66, 7, 0, 9, // one stack entry at 8
        252, 0, 3, 1, // append int at 12
        250, 0, 0, // chop one at 13
        251, 1, 0, // same, extended, at 270
        255, 0, 0, 0, 2, 6, 8, 0, 12, 0, 1, 4, // full at 271
    ];

    #[test]
    fn frames_copied_to_their_own_offsets_give_the_same_bytes() {
        let mut writer = FrameWriter::with_capacity(0);
        let mut offsets = Vec::new();
        for frame in Frames::new(TABLE, 0).unwrap() {
            let frame = frame.unwrap();
            offsets.push(frame.offset);
            writer.copy(frame.offset, &frame, |old| old).unwrap();
        }
        assert_eq!(offsets, [5, 8, 12, 13, 270, 271]);
        assert_eq!(writer.finish(), TABLE);
    }

    #[test]
    fn moved_frames_take_the_wide_form_and_the_new_offset_of_new() {
        let mut writer = FrameWriter::with_capacity(0);
        for frame in Frames::new(TABLE, 0).unwrap().map(Result::unwrap) {
            writer.copy(frame.offset + 100, &frame, |old| old + 50).unwrap();
        }
        let bytes = writer.finish();
        let frames: Vec<_> = Frames::new(&bytes, 0).unwrap().map(Result::unwrap).collect();
        assert_eq!(frames[0].offset, 105);
        let locals: Vec<_> = frames[5].locals.iter().collect();
        assert_eq!(locals, [VerificationType::UninitializedThis, VerificationType::Uninitialized(62)]);
    }

    #[test]
    fn a_frame_like_the_one_before_lists_its_stack_entry_alone() {
        let mut writer = FrameWriter::with_capacity(0);
        writer.full(4, &[VerificationType::Integer], &[VerificationType::Null]).unwrap();
        writer.same(9, Some(VerificationType::Null)).unwrap();
        writer.same(10, None).unwrap();
        assert_eq!(writer.finish(), [0, 3, 255, 0, 4, 0, 1, 1, 0, 1, 5, 68, 5, 0]);
    }

    #[test]
    fn offsets_that_do_not_increase_are_refused() {
        let mut writer = FrameWriter::with_capacity(0);
        writer.full(4, &[], &[VerificationType::Null]).unwrap();
        assert!(writer.full(4, &[], &[]).is_err());
    }

    #[test]
    fn unknown_frames_and_types_are_errors() {
        for bad in [&[0u8, 1, 246][..], &[0, 1, 64, 9], &[0, 1], &[0, 2, 0]] {
            assert!(Frames::new(bad, 0).unwrap().any(|frame| frame.is_err()), "{bad:?}");
        }
    }
}
