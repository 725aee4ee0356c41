//! The part a method plays in a test class, read off its annotations or, for JUnit 3, its name.
//!
//! Which annotations and names there are is in `model::frameworks`; whether the class runs as a test it leaves to others.
//! Invariant: an annotation decides over a name.

use dynaflow_bytecode::Body;
use dynaflow_classfile::class::access;
use dynaflow_classfile::tables::bootstraps;
use dynaflow_classfile::{Attribute, ClassFile, Constant, Member, Opcode, annotations};
use dynaflow_model::sites::{TestRole, lambda_home};
use dynaflow_model::{descriptor, frameworks};
use std::collections::BTreeMap;

/// The roles of the methods of a class; of bodies of dynamic tests also the name of their factory. An annotation list that cannot
/// be read counts as none.
pub(crate) fn roles(class: &ClassFile<'_>) -> Vec<(TestRole, Option<String>)> {
    let factories = Factories::of(class);
    let methods = class.methods.iter().enumerate();
    methods
        .map(|(at, method)| {
            let own = by_annotation(class, &method.attributes, frameworks::role_of_annotation)
                .or_else(|| by_class(class, method));
            let home = if own.is_none() { factories.home(at) } else { None };
            let role = own.or_else(|| home.as_ref().map(|_| TestRole::Test));
            (role.unwrap_or_else(|| by_name(class, method)), home)
        })
        .collect()
}

/// JUnit 5: the bodies of dynamic tests, which the compiler made methods of, run after their factory has returned. The factory is the
/// method that made the lambda, or made the lambda that did; where no instruction shows it, the name of the body's method does.
struct Factories<'c, 'a> {
    class: &'c ClassFile<'a>,
    /// Methods that are factories, by index.
    factories: Vec<usize>,
    /// By lambda body the method that makes the lambda.
    makers: BTreeMap<usize, usize>,
}

impl<'c, 'a> Factories<'c, 'a> {
    fn of(class: &'c ClassFile<'a>) -> Self {
        let factory = |name: &str| frameworks::is_factory(name).then_some(());
        let is_factory = |method: &Member<'_>| by_annotation(class, &method.attributes, factory).is_some();
        let methods = class.methods.iter().enumerate();
        let factories: Vec<usize> =
            methods.filter(|(_, method)| is_factory(method)).map(|(at, _)| at).collect();
        let makers = if factories.is_empty() { BTreeMap::new() } else { makers(class) };
        Self { class, factories, makers }
    }

    /// The name of the factory that the method with this index is a dynamic test of.
    fn home(&self, at: usize) -> Option<String> {
        if self.factories.is_empty() {
            return None;
        }
        let name = self.name(at).filter(|name| lambda_home(name).is_some())?;
        let mut maker = at;
        // A body cannot be within itself, but a class file may say so.
        for _ in 0..self.class.methods.len() {
            match self.makers.get(&maker) {
                Some(next) => maker = *next,
                None => break,
            }
        }
        if maker != at {
            return self.factories.contains(&maker).then(|| self.name(maker)).flatten();
        }
        let home = lambda_home(&name)?;
        let is_synthetic = self.class.methods.get(at)?.access & access::SYNTHETIC != 0;
        let mut named = self.factories.iter().filter_map(|factory| self.name(*factory));
        named.find(|factory| is_synthetic && factory == home)
    }

    fn name(&self, at: usize) -> Option<String> {
        let name = self.class.pool.utf8(self.class.methods.get(at)?.name).ok()?;
        Some(name.to_str().into_owned())
    }
}

/// By method whose handle an `invokedynamic` is given: the first method with such an instruction.
fn makers(class: &ClassFile<'_>) -> BTreeMap<usize, usize> {
    let mut makers = BTreeMap::new();
    let table = class.attribute(&class.attributes, "BootstrapMethods");
    let bootstraps = table.and_then(|table| bootstraps(&table.data, table.offset).ok()).unwrap_or_default();
    for (maker, method) in class.methods.iter().enumerate() {
        // The compiler's, for lambdas that are read from streams: it names all of them.
        let restores = class.pool.utf8(method.name).is_ok_and(|name| name.0 == b"$deserializeLambda$");
        let Ok(Some(body)) = Body::of_method(class, method) else { continue };
        for insn in body.insns.iter().filter(|insn| insn.opcode == Opcode::Invokedynamic && !restores) {
            let Some(Constant::InvokeDynamic(at, _)) = insn.constant().and_then(|at| class.pool.get(at))
            else {
                continue;
            };
            let arguments = bootstraps.get(usize::from(at)).into_iter().flatten();
            for body in arguments.filter_map(|argument| own_method(class, *argument)) {
                makers.entry(body).or_insert(maker);
            }
        }
    }
    makers
}

/// The index of the method of the class whose handle a constant is.
fn own_method(class: &ClassFile<'_>, constant: u16) -> Option<usize> {
    let Some(Constant::MethodHandle(_, member)) = class.pool.get(constant) else { return None };
    let member = class.pool.member(member).ok()?;
    let is_own = class.name().is_ok_and(|name| name.0 == member.owner.0);
    let same = |method: &Member<'_>| {
        class.pool.utf8(method.name).is_ok_and(|name| name.0 == member.name.0)
            && class.pool.utf8(method.descriptor).is_ok_and(|descriptor| descriptor.0 == member.descriptor.0)
    };
    class.methods.iter().position(same).filter(|_| is_own)
}

/// What is known of the first annotation among the attributes of which something is known, by binary names.
fn by_annotation<T>(
    class: &ClassFile<'_>,
    attributes: &[Attribute<'_>],
    known: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    let attribute = class.attribute(attributes, "RuntimeVisibleAnnotations")?;
    let types = annotations::types(&attribute.data, attribute.offset).ok()?;
    types.into_iter().find_map(|kind| {
        let descriptor = class.pool.utf8(kind).ok()?;
        known(&descriptor::class_of(&descriptor.to_str())?)
    })
}

/// An annotation on a class, as TestNG has one, makes every public instance method that returns nothing a test.
fn by_class(class: &ClassFile<'_>, method: &Member<'_>) -> Option<TestRole> {
    let (name, descriptor) = (class.pool.utf8(method.name).ok()?, class.pool.utf8(method.descriptor).ok()?);
    let ruled_out = access::STATIC | access::ABSTRACT | access::SYNTHETIC;
    let counts = method.access & access::PUBLIC != 0 && method.access & ruled_out == 0;
    let counts = counts && !name.0.starts_with(b"<") && descriptor.0.ends_with(b")V");
    let whole = |name: &str| frameworks::makes_whole_class(name).then_some(TestRole::Test);
    if counts { by_annotation(class, &class.attributes, whole) } else { None }
}

/// What a subclass of JUnit 3's `TestCase` would run. `setUp` and `tearDown` may be protected there.
fn by_name(class: &ClassFile<'_>, method: &Member<'_>) -> TestRole {
    let has_super =
        class.super_name().is_ok_and(|name| name.is_some_and(|name| name.0 != b"java/lang/Object"));
    let (Ok(name), Ok(descriptor)) = (class.pool.utf8(method.name), class.pool.utf8(method.descriptor))
    else {
        return TestRole::None;
    };
    if !has_super || method.access & access::STATIC != 0 || descriptor.0 != b"()V" {
        return TestRole::None;
    }
    match frameworks::role_of_name(&name.to_str()) {
        TestRole::MaybeTest if method.access & access::PUBLIC == 0 => TestRole::None,
        role => role,
    }
}
