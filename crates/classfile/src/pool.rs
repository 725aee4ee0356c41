//! The constant pool with typed indices. It knows the constants, not who uses them.
//!
//! Invariant: entries read from a file keep their index and bytes; constants are only appended, and an equal constant is
//! appended once. An index that points at nothing or at the wrong kind is an error when it is followed, not before.

use crate::reader::Reader;
use crate::{Error, Mutf8};
use rustc_hash::FxHashMap;

macro_rules! index_type {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u16);
    };
}

index_type! {
    /// Index of a text.
    Utf8Index
}
index_type! {
    /// Index of a class.
    ClassIndex
}
index_type! {
    /// Index of a name with a descriptor.
    NameAndTypeIndex
}
index_type! {
    /// Index of a field, method or interface method.
    MemberIndex
}

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constant<'a> {
    /// Index 0 and the index after a `long` or `double`.
    Unusable,
    /// A text.
    Utf8(Mutf8<'a>),
    /// An `int`.
    Integer(i32),
    /// A `float` as its bits.
    Float(u32),
    /// A `long`.
    Long(i64),
    /// A `double` as its bits.
    Double(u64),
    /// A class or array type.
    Class(Utf8Index),
    /// A string literal.
    String(Utf8Index),
    /// A field.
    Field(ClassIndex, NameAndTypeIndex),
    /// A method of a class.
    Method(ClassIndex, NameAndTypeIndex),
    /// A method of an interface.
    InterfaceMethod(ClassIndex, NameAndTypeIndex),
    /// A name and a descriptor.
    NameAndType(Utf8Index, Utf8Index),
    /// A method handle: its kind and what it refers to.
    MethodHandle(u8, MemberIndex),
    /// A method type.
    MethodType(Utf8Index),
    /// A constant computed by a bootstrap method.
    Dynamic(u16, NameAndTypeIndex),
    /// A call site made by a bootstrap method.
    InvokeDynamic(u16, NameAndTypeIndex),
    /// A module.
    Module(Utf8Index),
    /// A package.
    Package(Utf8Index),
}

/// A field or method reference followed to its texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberText<'a> {
    /// Internal name of the class named, or an array descriptor; empty for `invokedynamic`.
    pub owner: Mutf8<'a>,
    /// Simple name.
    pub name: Mutf8<'a>,
    /// Descriptor.
    pub descriptor: Mutf8<'a>,
    /// Whether an interface is named.
    pub interface: bool,
}

/// The pool.
#[derive(Clone, Debug)]
pub struct ConstantPool<'a> {
    entries: Vec<Constant<'a>>,
    raw: &'a [u8],
    base: usize,
    appended: Vec<u8>,
    interned: FxHashMap<Constant<'a>, u16>,
}

impl<'a> ConstantPool<'a> {
    /// Reads the count and the constants.
    ///
    /// # Errors
    /// When the bytes end too early or a tag is unknown.
    pub fn read(reader: &mut Reader<'a>) -> Result<Self, Error> {
        let base = reader.offset();
        let count = usize::from(reader.u2()?);
        if count == 0 {
            return Err(Error::new(base, "a constant pool of size 0, which even an empty one has not"));
        }
        // Each constant takes three bytes at least, so a lying count cannot make us allocate much.
        let mut entries = Vec::with_capacity(count.min(reader.remaining() / 3 + 1));
        entries.push(Constant::Unusable);
        let start = *reader;
        while entries.len() < count {
            let constant = read_constant(reader)?;
            entries.push(constant);
            if matches!(constant, Constant::Long(_) | Constant::Double(_)) {
                entries.push(Constant::Unusable);
            }
        }
        if entries.len() != count {
            return Err(reader.error("a long or double constant has no second index"));
        }
        let mut again = start;
        let raw = again.bytes(reader.position() - start.position())?;
        Ok(Self { entries, raw, base, appended: Vec::new(), interned: FxHashMap::default() })
    }

    /// Writes the count and the constants.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend(u16::try_from(self.entries.len()).unwrap_or(u16::MAX).to_be_bytes());
        out.extend_from_slice(self.raw);
        out.extend_from_slice(&self.appended);
    }

    /// Number of indices, unusable ones included.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no constant.
    pub fn is_empty(&self) -> bool {
        self.entries.len() <= 1
    }

    /// Size in the file, in bytes.
    pub fn byte_len(&self) -> usize {
        2 + self.raw.len() + self.appended.len()
    }

    /// The constant at an index, any kind.
    pub fn get(&self, index: u16) -> Option<Constant<'a>> {
        self.entries.get(usize::from(index)).copied()
    }

    /// All constants by index, from 1.
    pub fn iter(&self) -> impl Iterator<Item = (u16, Constant<'a>)> {
        (0..=u16::MAX).zip(self.entries.iter().copied()).skip(1)
    }

    fn wrong(&self, what: &'static str) -> Error {
        Error::new(self.base, what)
    }

    /// The text at an index.
    ///
    /// # Errors
    /// When there is none.
    pub fn utf8(&self, index: Utf8Index) -> Result<Mutf8<'a>, Error> {
        match self.get(index.0) {
            Some(Constant::Utf8(text)) => Ok(text),
            _ => Err(self.wrong("an index does not name a text of the constant pool")),
        }
    }

    /// The internal name of a class, or an array descriptor.
    ///
    /// # Errors
    /// When the index names no class.
    pub fn class_name(&self, index: ClassIndex) -> Result<Mutf8<'a>, Error> {
        match self.get(index.0) {
            Some(Constant::Class(name)) => self.utf8(name),
            _ => Err(self.wrong("an index does not name a class of the constant pool")),
        }
    }

    /// A name and a descriptor.
    ///
    /// # Errors
    /// When the index names none.
    pub fn name_and_type(&self, index: NameAndTypeIndex) -> Result<(Mutf8<'a>, Mutf8<'a>), Error> {
        match self.get(index.0) {
            Some(Constant::NameAndType(name, descriptor)) => Ok((self.utf8(name)?, self.utf8(descriptor)?)),
            _ => Err(self.wrong("an index does not name a name-and-type of the constant pool")),
        }
    }

    /// The texts of a field, method, interface method or dynamic call site.
    ///
    /// # Errors
    /// When the index names none.
    pub fn member(&self, index: MemberIndex) -> Result<MemberText<'a>, Error> {
        let (owner, rest, interface) = match self.get(index.0) {
            Some(Constant::Field(owner, rest) | Constant::Method(owner, rest)) => (Some(owner), rest, false),
            Some(Constant::InterfaceMethod(owner, rest)) => (Some(owner), rest, true),
            Some(Constant::InvokeDynamic(_, rest) | Constant::Dynamic(_, rest)) => (None, rest, false),
            _ => return Err(self.wrong("an index does not name a field or method of the constant pool")),
        };
        let (name, descriptor) = self.name_and_type(rest)?;
        let owner = owner.map_or(Ok(Mutf8(b"")), |owner| self.class_name(owner))?;
        Ok(MemberText { owner, name, descriptor, interface })
    }

    /// The index of a constant equal to `constant` that was appended, or of a new one. Constant time.
    ///
    /// # Errors
    /// When the pool is full.
    pub fn append(&mut self, constant: Constant<'a>) -> Result<u16, Error> {
        if let Some(index) = self.interned.get(&constant) {
            return Ok(*index);
        }
        let slots = if matches!(constant, Constant::Long(_) | Constant::Double(_)) { 2 } else { 1 };
        if self.entries.len() + slots > usize::from(u16::MAX) {
            return Err(self.wrong("the constant pool is full"));
        }
        let index = u16::try_from(self.entries.len()).map_err(|_| self.wrong("the constant pool is full"))?;
        write_constant(&constant, &mut self.appended);
        self.entries.push(constant);
        self.entries.extend((1..slots).map(|_| Constant::Unusable));
        self.interned.insert(constant, index);
        Ok(index)
    }

    /// Appends a text. At most 65535 bytes, which every literal of ours is.
    ///
    /// # Errors
    /// When the pool is full or the text is too long.
    pub fn append_utf8(&mut self, text: &'a [u8]) -> Result<Utf8Index, Error> {
        if text.len() > usize::from(u16::MAX) {
            return Err(self.wrong("a text is too long for the constant pool"));
        }
        self.append(Constant::Utf8(Mutf8(text))).map(Utf8Index)
    }

    /// Appends a class by internal name.
    ///
    /// # Errors
    /// As [`Self::append_utf8`].
    pub fn append_class(&mut self, name: &'a [u8]) -> Result<ClassIndex, Error> {
        let name = self.append_utf8(name)?;
        self.append(Constant::Class(name)).map(ClassIndex)
    }

    /// Appends a method of a class.
    ///
    /// # Errors
    /// As [`Self::append_utf8`].
    pub fn append_method(
        &mut self,
        owner: &'a [u8],
        name: &'a [u8],
        descriptor: &'a [u8],
    ) -> Result<MemberIndex, Error> {
        let owner = self.append_class(owner)?;
        let (name, descriptor) = (self.append_utf8(name)?, self.append_utf8(descriptor)?);
        let rest = NameAndTypeIndex(self.append(Constant::NameAndType(name, descriptor))?);
        self.append(Constant::Method(owner, rest)).map(MemberIndex)
    }
}

fn read_constant<'a>(reader: &mut Reader<'a>) -> Result<Constant<'a>, Error> {
    let at = reader.offset();
    let long =
        |reader: &mut Reader<'a>| Ok::<u64, Error>(u64::from(reader.u4()?) << 32 | u64::from(reader.u4()?));
    let member =
        |reader: &mut Reader<'a>| Ok::<_, Error>((ClassIndex(reader.u2()?), NameAndTypeIndex(reader.u2()?)));
    Ok(match reader.u1()? {
        1 => {
            let length = usize::from(reader.u2()?);
            Constant::Utf8(Mutf8(reader.bytes(length)?))
        }
        3 => Constant::Integer(reader.i4()?),
        4 => Constant::Float(reader.u4()?),
        5 => Constant::Long(long(reader)?.cast_signed()),
        6 => Constant::Double(long(reader)?),
        7 => Constant::Class(Utf8Index(reader.u2()?)),
        8 => Constant::String(Utf8Index(reader.u2()?)),
        9 => member(reader).map(|(owner, rest)| Constant::Field(owner, rest))?,
        10 => member(reader).map(|(owner, rest)| Constant::Method(owner, rest))?,
        11 => member(reader).map(|(owner, rest)| Constant::InterfaceMethod(owner, rest))?,
        12 => Constant::NameAndType(Utf8Index(reader.u2()?), Utf8Index(reader.u2()?)),
        15 => Constant::MethodHandle(reader.u1()?, MemberIndex(reader.u2()?)),
        16 => Constant::MethodType(Utf8Index(reader.u2()?)),
        17 => Constant::Dynamic(reader.u2()?, NameAndTypeIndex(reader.u2()?)),
        18 => Constant::InvokeDynamic(reader.u2()?, NameAndTypeIndex(reader.u2()?)),
        19 => Constant::Module(Utf8Index(reader.u2()?)),
        20 => Constant::Package(Utf8Index(reader.u2()?)),
        _ => return Err(Error::new(at, "a constant has an unknown tag")),
    })
}

fn write_constant(constant: &Constant<'_>, out: &mut Vec<u8>) {
    let two = |out: &mut Vec<u8>, tag: u8, first: u16, second: u16| {
        out.push(tag);
        out.extend(first.to_be_bytes());
        out.extend(second.to_be_bytes());
    };
    let one = |out: &mut Vec<u8>, tag: u8, index: u16| {
        out.push(tag);
        out.extend(index.to_be_bytes());
    };
    let number = |out: &mut Vec<u8>, tag: u8, bytes: &[u8]| {
        out.push(tag);
        out.extend_from_slice(bytes);
    };
    match *constant {
        Constant::Unusable => {}
        Constant::Utf8(text) => {
            one(out, 1, u16::try_from(text.0.len()).unwrap_or(u16::MAX));
            out.extend_from_slice(text.0);
        }
        Constant::Integer(value) => number(out, 3, &value.to_be_bytes()),
        Constant::Float(bits) => number(out, 4, &bits.to_be_bytes()),
        Constant::Long(value) => number(out, 5, &value.to_be_bytes()),
        Constant::Double(bits) => number(out, 6, &bits.to_be_bytes()),
        Constant::Class(name) => one(out, 7, name.0),
        Constant::String(text) => one(out, 8, text.0),
        Constant::Field(owner, rest) => two(out, 9, owner.0, rest.0),
        Constant::Method(owner, rest) => two(out, 10, owner.0, rest.0),
        Constant::InterfaceMethod(owner, rest) => two(out, 11, owner.0, rest.0),
        Constant::NameAndType(name, descriptor) => two(out, 12, name.0, descriptor.0),
        Constant::MethodHandle(kind, member) => {
            out.push(15);
            one(out, kind, member.0);
        }
        Constant::MethodType(descriptor) => one(out, 16, descriptor.0),
        Constant::Dynamic(bootstrap, rest) => two(out, 17, bootstrap, rest.0),
        Constant::InvokeDynamic(bootstrap, rest) => two(out, 18, bootstrap, rest.0),
        Constant::Module(name) => one(out, 19, name.0),
        Constant::Package(name) => one(out, 20, name.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn empty() -> ConstantPool<'static> {
        ConstantPool::read(&mut Reader::new(&[0, 1], 8)).unwrap()
    }

    fn samples() -> Vec<Constant<'static>> {
        let (utf8, class, rest) = (Utf8Index(1), ClassIndex(2), NameAndTypeIndex(3));
        vec![
            Constant::Utf8(Mutf8(b"text")),
            Constant::Integer(-5),
            Constant::Float(0x7FC0_0001),
            Constant::Long(i64::MIN),
            Constant::Double(1),
            Constant::Class(utf8),
            Constant::String(utf8),
            Constant::Field(class, rest),
            Constant::Method(class, rest),
            Constant::InterfaceMethod(class, rest),
            Constant::NameAndType(utf8, Utf8Index(9)),
            Constant::MethodHandle(6, MemberIndex(7)),
            Constant::MethodType(utf8),
            Constant::Dynamic(1, rest),
            Constant::InvokeDynamic(2, rest),
            Constant::Module(utf8),
            Constant::Package(utf8),
        ]
    }

    #[test]
    fn every_kind_of_constant_is_written_as_it_is_read() {
        let mut pool = empty();
        let indices: Vec<u16> = samples().into_iter().map(|c| pool.append(c).unwrap()).collect();
        let mut bytes = Vec::new();
        pool.write(&mut bytes);
        let again = ConstantPool::read(&mut Reader::new(&bytes, 8)).unwrap();
        for (index, constant) in indices.iter().zip(samples()) {
            assert_eq!(again.get(*index), Some(constant));
        }
        assert_eq!(again.len(), pool.len());
        assert_eq!(pool.byte_len(), bytes.len());
    }

    #[test]
    fn an_empty_pool_has_size_1_and_size_0_is_refused() {
        assert!(empty().is_empty());
        assert!(ConstantPool::read(&mut Reader::new(&[0, 0], 8)).is_err());
    }

    #[test]
    fn an_equal_constant_is_appended_once() {
        let mut pool = empty();
        let first = pool.append_method(b"a/B", b"m", b"()V").unwrap();
        let length = pool.len();
        assert_eq!(pool.append_method(b"a/B", b"m", b"()V").unwrap(), first);
        assert_eq!(pool.len(), length);
        assert_ne!(pool.append_method(b"a/B", b"m", b"(I)V").unwrap(), first);
    }

    #[test]
    fn a_full_pool_refuses_and_stays_as_it_was() {
        let mut pool = empty();
        let mut last = 0;
        for value in 0.. {
            match pool.append(Constant::Integer(value)) {
                Ok(index) => last = index,
                Err(error) => {
                    assert!(error.what.contains("full"));
                    break;
                }
            }
        }
        assert_eq!(last, u16::MAX - 1, "65534 is the largest index of a pool");
        assert_eq!(pool.len(), usize::from(u16::MAX));
    }

    #[test]
    fn an_index_of_the_wrong_kind_is_an_error() {
        let mut pool = empty();
        let class = pool.append_class(b"a/B").unwrap();
        assert!(pool.utf8(Utf8Index(class.0)).is_err());
        assert!(pool.class_name(ClassIndex(999)).is_err());
        assert!(pool.member(MemberIndex(class.0)).is_err());
    }

    #[test]
    fn a_count_that_lies_does_not_allocate_and_fails() {
        assert!(ConstantPool::read(&mut Reader::new(&[0xFF, 0xFF, 1], 8)).is_err());
        let long_at_the_end = [0, 2, 5, 0, 0, 0, 0, 0, 0, 0, 0];
        assert!(ConstantPool::read(&mut Reader::new(&long_at_the_end, 8)).is_err());
    }
}
