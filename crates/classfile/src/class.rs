//! The class file itself: header, members, attributes. It knows the structure; attributes stay raw.
//!
//! Invariant: [`ClassFile::write`] of an unchanged value gives the bytes [`ClassFile::parse`] got.

use crate::pool::{ClassIndex, ConstantPool, Utf8Index};
use crate::reader::Reader;
use crate::{Error, Mutf8};
use std::borrow::Cow;

/// The first four bytes of every class file.
pub const MAGIC: u32 = 0xCAFE_BABE;

/// Access flags that matter here.
pub mod access {
    /// `public`
    pub const PUBLIC: u16 = 0x0001;
    /// `private`
    pub const PRIVATE: u16 = 0x0002;
    /// `protected`
    pub const PROTECTED: u16 = 0x0004;
    /// `static`
    pub const STATIC: u16 = 0x0008;
    /// `final`
    pub const FINAL: u16 = 0x0010;
    /// A method that calls the one which overrides with other types.
    pub const BRIDGE: u16 = 0x0040;
    /// `native`
    pub const NATIVE: u16 = 0x0100;
    /// An interface.
    pub const INTERFACE: u16 = 0x0200;
    /// `abstract`
    pub const ABSTRACT: u16 = 0x0400;
    /// Made by the compiler.
    pub const SYNTHETIC: u16 = 0x1000;
    /// A `module-info`.
    pub const MODULE: u16 = 0x8000;
}

/// A class file.
#[derive(Clone, Debug)]
pub struct ClassFile<'a> {
    /// Minor version.
    pub minor: u16,
    /// Major version, 45 for Java 1.1.
    pub major: u16,
    /// Constants.
    pub pool: ConstantPool<'a>,
    /// Access flags.
    pub access: u16,
    /// The class itself.
    pub this_class: ClassIndex,
    /// Its superclass; none for `java/lang/Object` and modules.
    pub super_class: Option<ClassIndex>,
    /// Direct superinterfaces.
    pub interfaces: Vec<ClassIndex>,
    /// Fields.
    pub fields: Vec<Member<'a>>,
    /// Methods.
    pub methods: Vec<Member<'a>>,
    /// Attributes of the class.
    pub attributes: Vec<Attribute<'a>>,
}

/// A field or method.
#[derive(Clone, Debug)]
pub struct Member<'a> {
    /// Access flags.
    pub access: u16,
    /// Simple name.
    pub name: Utf8Index,
    /// Descriptor.
    pub descriptor: Utf8Index,
    /// Attributes.
    pub attributes: Vec<Attribute<'a>>,
}

/// An attribute, its content raw.
#[derive(Clone, Debug)]
pub struct Attribute<'a> {
    /// Its name.
    pub name: Utf8Index,
    /// Its content, borrowed from the file or made anew.
    pub data: Cow<'a, [u8]>,
    /// Where the content lies in the file, for messages; 0 for one made anew.
    pub offset: usize,
}

impl Attribute<'_> {
    /// Writes name, length and content.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.name.0.to_be_bytes());
        out.extend(u32::try_from(self.data.len()).unwrap_or(u32::MAX).to_be_bytes());
        out.extend_from_slice(&self.data);
    }
}

impl<'a> ClassFile<'a> {
    /// Reads a class file. Linear.
    ///
    /// # Errors
    /// When the bytes are no class file: the offset and what is wrong there.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let mut reader = Reader::new(bytes, 0);
        if reader.u4()? != MAGIC {
            return Err(Error::new(0, "it does not begin with the magic number of class files"));
        }
        let (minor, major) = (reader.u2()?, reader.u2()?);
        if major < 45 {
            return Err(Error::new(6, "its version is older than any class file version"));
        }
        let pool = ConstantPool::read(&mut reader)?;
        let access = reader.u2()?;
        let this_class = ClassIndex(reader.u2()?);
        let super_class = Some(ClassIndex(reader.u2()?)).filter(|index| index.0 != 0);
        let count = usize::from(reader.u2()?);
        let mut interfaces = Vec::with_capacity(count.min(reader.remaining() / 2));
        for _ in 0..count {
            interfaces.push(ClassIndex(reader.u2()?));
        }
        let fields = read_members(&mut reader)?;
        let methods = read_members(&mut reader)?;
        let attributes = read_attributes(&mut reader)?;
        reader.end()?;
        Ok(Self {
            minor,
            major,
            pool,
            access,
            this_class,
            super_class,
            interfaces,
            fields,
            methods,
            attributes,
        })
    }

    /// The bytes of the class file.
    pub fn write(&self) -> Vec<u8> {
        let code: usize = self.methods.iter().flat_map(|m| &m.attributes).map(|a| a.data.len() + 8).sum();
        let mut out = Vec::with_capacity(code + self.pool.byte_len() + 1024);
        out.extend(MAGIC.to_be_bytes());
        out.extend(self.minor.to_be_bytes());
        out.extend(self.major.to_be_bytes());
        self.pool.write(&mut out);
        out.extend(self.access.to_be_bytes());
        out.extend(self.this_class.0.to_be_bytes());
        out.extend(self.super_class.map_or(0, |index| index.0).to_be_bytes());
        write_count(self.interfaces.len(), &mut out);
        self.interfaces.iter().for_each(|index| out.extend(index.0.to_be_bytes()));
        write_members(&self.fields, &mut out);
        write_members(&self.methods, &mut out);
        write_attributes(&self.attributes, &mut out);
        out
    }

    /// Internal name of the class.
    ///
    /// # Errors
    /// When the index names no class.
    pub fn name(&self) -> Result<Mutf8<'a>, Error> {
        self.pool.class_name(self.this_class)
    }

    /// Internal name of the superclass, where there is one.
    ///
    /// # Errors
    /// When the index names no class.
    pub fn super_name(&self) -> Result<Option<Mutf8<'a>>, Error> {
        self.super_class.map(|index| self.pool.class_name(index)).transpose()
    }

    /// The first attribute of this name in a list.
    pub fn attribute<'b>(&self, list: &'b [Attribute<'a>], name: &str) -> Option<&'b Attribute<'a>> {
        list.iter().find(|attribute| self.is_named(attribute, name))
    }

    /// Whether an attribute has this name.
    pub fn is_named(&self, attribute: &Attribute<'_>, name: &str) -> bool {
        self.pool.utf8(attribute.name).is_ok_and(|text| text.0 == name.as_bytes())
    }
}

fn read_members<'a>(reader: &mut Reader<'a>) -> Result<Vec<Member<'a>>, Error> {
    let count = usize::from(reader.u2()?);
    let mut members = Vec::with_capacity(count.min(reader.remaining() / 8));
    for _ in 0..count {
        let (access, name, descriptor) = (reader.u2()?, Utf8Index(reader.u2()?), Utf8Index(reader.u2()?));
        members.push(Member { access, name, descriptor, attributes: read_attributes(reader)? });
    }
    Ok(members)
}

/// Reads a counted list of attributes.
///
/// # Errors
/// When the bytes end too early.
pub fn read_attributes<'a>(reader: &mut Reader<'a>) -> Result<Vec<Attribute<'a>>, Error> {
    let count = usize::from(reader.u2()?);
    let mut attributes = Vec::with_capacity(count.min(reader.remaining() / 6));
    for _ in 0..count {
        let name = Utf8Index(reader.u2()?);
        let length = reader.u4()? as usize;
        let offset = reader.offset();
        attributes.push(Attribute { name, data: Cow::Borrowed(reader.bytes(length)?), offset });
    }
    Ok(attributes)
}

fn write_members(members: &[Member<'_>], out: &mut Vec<u8>) {
    write_count(members.len(), out);
    for member in members {
        out.extend(member.access.to_be_bytes());
        out.extend(member.name.0.to_be_bytes());
        out.extend(member.descriptor.0.to_be_bytes());
        write_attributes(&member.attributes, out);
    }
}

/// Writes a counted list of attributes.
pub fn write_attributes(attributes: &[Attribute<'_>], out: &mut Vec<u8>) {
    write_count(attributes.len(), out);
    attributes.iter().for_each(|attribute| attribute.write(out));
}

fn write_count(count: usize, out: &mut Vec<u8>) {
    out.extend(u16::try_from(count).unwrap_or(u16::MAX).to_be_bytes());
}
