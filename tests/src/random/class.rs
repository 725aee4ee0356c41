//! Random methods put together into a class that a driver in Java can run: `tests/corpus/java/RandomRun.java`.
//!
//! A class has a few constructors, then methods that may call earlier ones. It knows the class file's outside, not code.
//! Invariant: the bytes depend on the seed alone.

use super::assembler::Assembler;
use super::types::{BASE, OBJECT, State, T};
use super::values::{Callee, Maker};
use dynaflow_classfile::class::access;
use dynaflow_classfile::reader::Reader;
use dynaflow_classfile::{Attribute, ClassFile, Code, ConstantPool, Member, Opcode};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::borrow::Cow;

/// Versions from before frames, with optional ones, and after.
const VERSIONS: [u16; 6] = [48, 49, 50, 51, 52, 61];

/// A random class of a version up to `newest`: its simple name and its bytes.
pub fn random_class(seed: u64, methods: usize, newest: u16) -> (String, Vec<u8>) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let name: &'static str = format!("Random{seed}").leak();
    let major = VERSIONS[random.random_range(0..VERSIONS.len())].min(newest);
    let mut pool = ConstantPool::read(&mut Reader::new(&[0, 1], 0)).unwrap();
    let this_class = pool.append_class(name.as_bytes()).unwrap();
    let super_class = Some(pool.append_class(BASE.as_bytes()).unwrap());
    let fields = fields(&mut pool, name);
    let mut outline = Outline { name, major, constructors: Vec::new(), callees: Vec::new() };
    let mut members = Vec::new();
    for number in 0..methods + 3 {
        let constructor = number < 3;
        let (callee, member) = outline.method(&mut pool, &mut random, number, constructor);
        if constructor {
            outline.constructors.push(callee)
        } else {
            outline.callees.push(callee)
        }
        members.push(member);
    }
    let class = ClassFile {
        minor: 0,
        major,
        pool,
        access: access::PUBLIC | 0x20,
        this_class,
        super_class,
        interfaces: Vec::new(),
        fields,
        methods: members,
        attributes: Vec::new(),
    };
    (name.to_owned(), class.write())
}

fn fields(pool: &mut ConstantPool<'static>, own: &'static str) -> Vec<Member<'static>> {
    let own = T::Object(own);
    let all = [
        ("i", T::Int, false),
        ("j", T::Long, false),
        ("f", T::Float, false),
        ("d", T::Double, false),
        ("o", T::Object(OBJECT), false),
        ("next", own, false),
        ("si", T::Int, true),
        ("sj", T::Long, true),
        ("sf", T::Float, true),
        ("sd", T::Double, true),
        ("so", T::Object(OBJECT), true),
        ("own", own, true),
        ("lock", T::Object(OBJECT), true),
        ("fuel", T::Int, true),
    ];
    all.iter()
        .map(|(name, t, is_static)| Member {
            access: access::PUBLIC | if *is_static { access::STATIC } else { 0 },
            name: pool.append_utf8(name.as_bytes()).unwrap(),
            descriptor: pool.append_utf8(t.descriptor().leak().as_bytes()).unwrap(),
            attributes: Vec::new(),
        })
        .collect()
}

/// What is there of the class so far.
struct Outline {
    name: &'static str,
    major: u16,
    constructors: Vec<Callee>,
    callees: Vec<Callee>,
}

impl Outline {
    fn method(
        &self,
        pool: &mut ConstantPool<'static>,
        random: &mut ChaCha8Rng,
        number: usize,
        constructor: bool,
    ) -> (Callee, Member<'static>) {
        let mut maker = Maker {
            out: Assembler::new(pool),
            own: self.name,
            major: self.major,
            state: State { locals: Vec::new(), stack: Vec::new() },
            floor: 0,
            pinned: Vec::new(),
            first_local: 0,
            budget: random.random_range(3..40),
            result: None,
            callees: &self.callees,
            constructors: &self.constructors,
            max_stack: 0,
            max_locals: 0,
            calls: 2,
            random,
        };
        let is_static = !constructor && maker.chance(50);
        // Constructors differ in the number of parameters; the first has none, so that the driver can make an object.
        let count = if constructor { number } else { maker.below(4) };
        let parameters: Vec<T> = (0..count).map(|_| maker.any_type()).collect();
        let result = (!constructor && maker.chance(80)).then(|| maker.any_type());
        let name = if constructor { "<init>" } else { &*format!("m{number}").leak() };
        let callee = Callee { name, is_static, parameters, result };
        if !is_static {
            maker.state.store(0, if constructor { T::RawThis } else { T::Object(self.name) });
        }
        for t in &callee.parameters {
            let slot = maker.state.locals.len() as u16;
            maker.state.store(slot, *t);
        }
        maker.first_local = maker.state.locals.len() as u16 + if maker.chance(10) { 254 } else { 0 };
        maker.max_locals = maker.state.locals.len() as u16;
        maker.result = result;
        let first = maker.state.clone();
        // `this` stays where it is: the weaver gives up constructors that overwrite it.
        if constructor {
            maker.construct_this();
        }
        maker.block(0);
        maker.leave();
        let code = finished(maker, &first);
        let flags = if is_static { access::STATIC } else { 0 };
        let descriptor = callee.descriptor().leak();
        let member = Member {
            access: access::PUBLIC | flags,
            name: pool.append_utf8(name.as_bytes()).unwrap(),
            descriptor: pool.append_utf8(descriptor.as_bytes()).unwrap(),
            attributes: vec![Attribute {
                name: pool.append_utf8(b"Code").unwrap(),
                data: Cow::Owned(code),
                offset: 0,
            }],
        };
        (callee, member)
    }
}

impl Maker<'_, '_> {
    /// Anything that may stand before `super(...)` or `this(...)`, then that call, on one path or on each of two.
    fn construct_this(&mut self) {
        self.block(2);
        self.settle(&[]);
        if self.chance(30) {
            let (otherwise, end) = (self.out.label(), self.out.label());
            self.push(T::Int, 0);
            self.popped(1);
            self.out.branch(Opcode::Ifne, otherwise);
            let raw = self.state.clone();
            self.invoke_constructor();
            let first = self.state.clone();
            self.out.branch(Opcode::Goto, end);
            self.state = raw;
            self.place(otherwise);
            self.invoke_constructor();
            self.state = self.state.merged(&first);
            self.place(end);
        } else {
            self.invoke_constructor();
        }
    }

    fn invoke_constructor(&mut self) {
        let own = !self.constructors.is_empty() && self.chance(30);
        let (class, parameters) = if own {
            let chosen = self.below(self.constructors.len());
            (self.own, self.constructors[chosen].parameters.clone())
        } else {
            (BASE, if self.chance(50) { vec![T::Int] } else { vec![] })
        };
        self.out.op(Opcode::Aload0);
        self.pushed(T::RawThis);
        parameters.iter().for_each(|t| self.push(*t, 0));
        let descriptor: String = parameters.iter().map(|t| t.descriptor()).collect();
        self.out.call(Opcode::Invokespecial, class, "<init>", &format!("({descriptor})V"), 0);
        self.popped(parameters.len() + 1);
        let made = T::Object(self.own);
        let all = self.state.locals.iter_mut().chain(&mut self.state.stack);
        all.filter(|t| **t == T::RawThis).for_each(|t| *t = made);
    }
}

/// The content of the `Code` attribute.
fn finished(mut maker: Maker<'_, '_>, first: &State) -> Vec<u8> {
    maker.out.finish();
    let mut attributes = Vec::new();
    if maker.major >= 50 {
        let random = &mut *maker.random;
        let data = maker.out.frames(first, || random.random_range(0..4) == 0);
        if data != [0, 0] {
            let name = maker.out.pool.append_utf8(b"StackMapTable").unwrap();
            attributes.push(Attribute { name, data: Cow::Owned(data), offset: 0 });
        }
    }
    let mut out = Vec::new();
    Code {
        max_stack: maker.max_stack,
        max_locals: maker.max_locals,
        bytes: &maker.out.code,
        offset: 0,
        exceptions: std::mem::take(&mut maker.out.handlers),
        attributes,
    }
    .write(&mut out);
    out
}
