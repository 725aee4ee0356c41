//! Writing the instructions to insert: straight-line code, and branches forward within it. It knows opcodes and the constant pool, not where
//! the bytes go.
//!
//! Invariant: what is written for one site leaves the operand stack as high as it found it (its `before` and `after` parts
//! together) and uses no local variable of the method.

use super::called::Called;
use dynaflow_classfile::descriptor::Kind;
use dynaflow_classfile::{Constant, ConstantPool, Error, Opcode};
use dynaflow_model::recorder::Call;
use std::marker::PhantomData;

/// Indices of the methods of one class in the pool of the class being woven, appended when first used.
#[derive(Clone, Debug)]
pub(crate) struct Indices<C> {
    known: Vec<u16>,
    class: PhantomData<C>,
}

impl<C: Called> Indices<C> {
    /// None appended yet.
    pub fn new() -> Self {
        Self { known: vec![0; C::COUNT], class: PhantomData }
    }

    fn get(&mut self, pool: &mut ConstantPool<'_>, call: C) -> Result<u16, Error> {
        let Some(slot) = self.known.get_mut(call.place()) else { return Ok(0) };
        if *slot == 0 {
            let (name, descriptor) = call.signature();
            *slot = pool.append_method(C::OWNER.as_bytes(), name.as_bytes(), descriptor.as_bytes())?.0;
        }
        Ok(*slot)
    }
}

/// Writes instructions and watches the height of the operand stack relative to where it began.
pub(crate) struct Emitter<'e, 'a, C = Call> {
    pool: &'e mut ConstantPool<'a>,
    indices: &'e mut Indices<C>,
    bytes: &'e mut Vec<u8>,
    depth: i32,
    highest: i32,
    /// Local variables that hold a reference written here.
    kept: Vec<u16>,
    error: Option<Error>,
}

impl<'e, 'a, C: Called> Emitter<'e, 'a, C> {
    /// An emitter that appends to `bytes`.
    pub fn new(pool: &'e mut ConstantPool<'a>, indices: &'e mut Indices<C>, bytes: &'e mut Vec<u8>) -> Self {
        Self { pool, indices, bytes, depth: 0, highest: 0, kept: Vec::new(), error: None }
    }

    /// The largest height of the stack. Heights count from that of the stack without insertions, so an instruction
    /// between two parts changes nothing.
    ///
    /// # Errors
    /// When the constant pool ran full meanwhile.
    pub fn finish(self) -> Result<i32, Error> {
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.highest),
        }
    }

    /// Number of bytes written to the buffer so far.
    pub fn position(&self) -> usize {
        self.bytes.len()
    }

    fn shift(&mut self, pops: u8, pushes: u8) -> &mut Self {
        self.depth += i32::from(pushes) - i32::from(pops);
        self.highest = self.highest.max(self.depth);
        self
    }

    /// An instruction without operands.
    pub fn op(&mut self, opcode: Opcode) -> &mut Self {
        let info = opcode.info();
        self.bytes.push(opcode.byte());
        self.shift(info.pops, info.pushes)
    }

    /// Pushes an `int`.
    pub fn int(&mut self, value: u32) -> &mut Self {
        match value {
            0..=5 => self.bytes.push(Opcode::Iconst0.byte() + value as u8),
            6..=0x7F => self.bytes.extend([Opcode::Bipush.byte(), value as u8]),
            0x80..=0x7FFF => {
                self.bytes.push(Opcode::Sipush.byte());
                self.bytes.extend((value as u16).to_be_bytes());
            }
            _ => match self.pool.append(Constant::Integer(value.cast_signed())) {
                Ok(index) => match u8::try_from(index) {
                    Ok(index) => self.bytes.extend([Opcode::Ldc.byte(), index]),
                    Err(_) => {
                        self.bytes.push(Opcode::LdcW.byte());
                        self.bytes.extend(index.to_be_bytes());
                    }
                },
                Err(error) => self.error = Some(error),
            },
        }
        self.shift(0, 1)
    }

    /// Pushes a `long`.
    pub fn long(&mut self, value: u64) -> &mut Self {
        match value {
            0 | 1 => self.bytes.push(Opcode::Lconst0.byte() + value as u8),
            u64::MAX => self.bytes.extend([Opcode::IconstM1.byte(), Opcode::I2l.byte()]),
            _ => match self.pool.append(Constant::Long(value.cast_signed())) {
                Ok(index) => {
                    self.bytes.push(Opcode::Ldc2W.byte());
                    self.bytes.extend(index.to_be_bytes());
                }
                Err(error) => self.error = Some(error),
            },
        }
        self.shift(0, 2)
    }

    /// Branches to where [`Self::land`] is called with what this gives.
    pub fn jump(&mut self, opcode: Opcode) -> usize {
        let from = self.bytes.len();
        self.op(opcode);
        self.bytes.extend([0, 0]);
        from
    }

    /// Lets a branch written before come here. The stack must be as high as it was there.
    pub fn land(&mut self, from: usize) -> &mut Self {
        let far = i16::try_from(self.bytes.len() - from);
        match (far, self.bytes.get_mut(from + 1..from + 3)) {
            (Ok(far), Some(place)) => place.copy_from_slice(&far.to_be_bytes()),
            _ => self.error = Some(Error::new(0, "a branch of what is inserted goes too far")),
        }
        self
    }

    /// Calls a method of the class with what is on the stack.
    pub fn call(&mut self, call: C) -> &mut Self {
        match self.indices.get(self.pool, call) {
            Ok(index) => {
                self.bytes.push(Opcode::Invokestatic.byte());
                self.bytes.extend(index.to_be_bytes());
            }
            Err(error) => self.error = Some(error),
        }
        self.shift(call.slots(), call.results())
    }

    /// Calls a static method without a result, by the index of its constant, with so many slots on the stack.
    pub fn invoke(&mut self, method: u16, slots: u8) -> &mut Self {
        self.bytes.push(Opcode::Invokestatic.byte());
        self.bytes.extend(method.to_be_bytes());
        self.shift(slots, 0)
    }

    /// Reads a static field, by the index of its constant, and forgets what it read.
    pub fn read_static(&mut self, field: u16, wide: bool) -> &mut Self {
        self.bytes.push(Opcode::Getstatic.byte());
        self.bytes.extend(field.to_be_bytes());
        self.shift(0, if wide { 2 } else { 1 });
        self.op(if wide { Opcode::Pop2 } else { Opcode::Pop })
    }

    /// Pushes a site and calls a method of the class.
    pub fn site(&mut self, site: u32, call: C) -> &mut Self {
        self.int(site).call(call)
    }

    /// Pushes a local variable.
    pub fn load(&mut self, kind: Kind, local: u16) -> &mut Self {
        self.local(
            match kind {
                Kind::Int | Kind::Void => Opcode::Iload,
                Kind::Long => Opcode::Lload,
                Kind::Float => Opcode::Fload,
                Kind::Double => Opcode::Dload,
                Kind::Reference => Opcode::Aload,
            },
            local,
        )
    }

    /// Empties the local variables that references were stored in: while the method runs on, an interpreter keeps alive what
    /// they hold, though the program let go of it. A verifier that infers types wants a number there: null it would merge
    /// with the references of two sites under one handler, and to merge those it loads their classes.
    pub fn forget(&mut self, inferred: bool) {
        for local in std::mem::take(&mut self.kept) {
            if inferred {
                self.int(0).local(Opcode::Istore, local);
            } else {
                self.op(Opcode::AconstNull).local(Opcode::Astore, local);
            }
        }
    }

    /// A reference that was stored into a local variable elsewhere stays there until [`Emitter::forget`].
    pub fn kept(&mut self, local: u16) -> &mut Self {
        if !self.kept.contains(&local) {
            self.kept.push(local);
        }
        self
    }

    /// Pops into a local variable, until [`Emitter::forget`].
    pub fn store(&mut self, kind: Kind, local: u16) -> &mut Self {
        if kind == Kind::Reference {
            self.kept(local);
        }
        self.keep(kind, local)
    }

    /// Pops into a local variable, for good.
    pub fn keep(&mut self, kind: Kind, local: u16) -> &mut Self {
        self.local(
            match kind {
                Kind::Int | Kind::Void => Opcode::Istore,
                Kind::Long => Opcode::Lstore,
                Kind::Float => Opcode::Fstore,
                Kind::Double => Opcode::Dstore,
                Kind::Reference => Opcode::Astore,
            },
            local,
        )
    }

    fn local(&mut self, opcode: Opcode, local: u16) -> &mut Self {
        match u8::try_from(local) {
            Ok(0) if opcode == Opcode::Aload => self.bytes.push(Opcode::Aload0.byte()),
            Ok(local) => self.bytes.extend([opcode.byte(), local]),
            Err(_) => {
                self.bytes.extend([Opcode::Wide.byte(), opcode.byte()]);
                self.bytes.extend(local.to_be_bytes());
            }
        }
        let info = opcode.info();
        self.shift(info.pops, info.pushes)
    }
}
