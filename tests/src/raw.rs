//! Class files with code given byte by byte: what no compiler writes. It knows the class file's outside, not code.
//!
//! Invariant: the class can be parsed whatever its code is; whether a JVM takes it is the user's business.

use dynaflow_classfile::class::access;
use dynaflow_classfile::pool::NameAndTypeIndex;
use dynaflow_classfile::reader::Reader;
use dynaflow_classfile::{Attribute, ClassFile, Code, Constant, ConstantPool, ExceptionEntry, Member};
use std::borrow::Cow;

/// A class in the making.
pub struct RawClass {
    name: &'static str,
    pool: ConstantPool<'static>,
    methods: Vec<Member<'static>>,
}

/// The code of a method.
#[derive(Clone, Debug, Default)]
pub struct RawCode {
    /// Its instructions.
    pub bytes: Vec<u8>,
    /// Its exception table: from, to, handler; for anything that is thrown.
    pub handlers: Vec<(u16, u16, u16)>,
}

impl RawClass {
    /// A class of this name without members.
    pub fn new(name: &'static str) -> Self {
        let pool = ConstantPool::read(&mut Reader::new(&[0, 1], 0)).unwrap();
        Self { name, pool, methods: Vec::new() }
    }

    fn name_and_type(&mut self, name: &str, descriptor: &'static str) -> NameAndTypeIndex {
        let name = self.pool.append_utf8(name.to_owned().leak().as_bytes()).unwrap();
        let descriptor = self.pool.append_utf8(descriptor.as_bytes()).unwrap();
        NameAndTypeIndex(self.pool.append(Constant::NameAndType(name, descriptor)).unwrap())
    }

    /// The constant for a field of this class.
    pub fn field(&mut self, name: &str, descriptor: &'static str) -> u16 {
        let (owner, rest) =
            (self.pool.append_class(self.name.as_bytes()).unwrap(), self.name_and_type(name, descriptor));
        self.pool.append(Constant::Field(owner, rest)).unwrap()
    }

    /// The constant for a method of this class.
    pub fn callee(&mut self, name: &str, descriptor: &'static str) -> u16 {
        let (owner, rest) =
            (self.pool.append_class(self.name.as_bytes()).unwrap(), self.name_and_type(name, descriptor));
        self.pool.append(Constant::Method(owner, rest)).unwrap()
    }

    /// Adds a public method, static or not.
    pub fn method(&mut self, is_static: bool, name: &str, descriptor: &'static str, code: &RawCode) {
        let exceptions = code.handlers.iter().map(|(start, end, handler)| ExceptionEntry {
            start: *start,
            end: *end,
            handler: *handler,
            catch_type: None,
        });
        let written = Code {
            max_stack: u16::MAX,
            max_locals: u16::MAX,
            bytes: &code.bytes,
            offset: 0,
            exceptions: exceptions.collect(),
            attributes: Vec::new(),
        };
        let mut data = Vec::new();
        written.write(&mut data);
        let attribute =
            Attribute { name: self.pool.append_utf8(b"Code").unwrap(), data: Cow::Owned(data), offset: 0 };
        let member = Member {
            access: access::PUBLIC | if is_static { access::STATIC } else { 0 },
            name: self.pool.append_utf8(name.to_owned().leak().as_bytes()).unwrap(),
            descriptor: self.pool.append_utf8(descriptor.as_bytes()).unwrap(),
            attributes: vec![attribute],
        };
        self.methods.push(member);
    }

    /// The class file.
    pub fn write(mut self, major: u16) -> Vec<u8> {
        let this_class = self.pool.append_class(self.name.as_bytes()).unwrap();
        let super_class = Some(self.pool.append_class(b"java/lang/Object").unwrap());
        let class = ClassFile {
            minor: 0,
            major,
            pool: self.pool,
            access: access::PUBLIC | 0x20,
            this_class,
            super_class,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: self.methods,
            attributes: Vec::new(),
        };
        class.write()
    }
}
