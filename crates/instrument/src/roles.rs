//! The part a method plays in a test class, read off its annotations or, for JUnit 3, its name.
//!
//! It knows JUnit 3, 4, 5 and TestNG by name; whether the class runs as a test it leaves to others.
//! Invariant: an annotation decides over a name. The next framework goes into [`ANNOTATIONS`].

use dynaflow_classfile::class::access;
use dynaflow_classfile::{Attribute, ClassFile, Member, annotations};
use dynaflow_model::sites::TestRole;

/// Annotation descriptors and what they make of a method.
const ANNOTATIONS: &[(&str, TestRole)] = &[
    ("Lorg/junit/Test;", TestRole::Test),
    ("Lorg/junit/Before;", TestRole::BeforeEach),
    ("Lorg/junit/After;", TestRole::AfterEach),
    ("Lorg/junit/BeforeClass;", TestRole::BeforeAll),
    ("Lorg/junit/AfterClass;", TestRole::AfterAll),
    ("Lorg/junit/jupiter/api/Test;", TestRole::Test),
    ("Lorg/junit/jupiter/api/RepeatedTest;", TestRole::Test),
    ("Lorg/junit/jupiter/api/TestFactory;", TestRole::Test),
    ("Lorg/junit/jupiter/api/TestTemplate;", TestRole::Test),
    ("Lorg/junit/jupiter/params/ParameterizedTest;", TestRole::Test),
    ("Lorg/junit/jupiter/api/BeforeEach;", TestRole::BeforeEach),
    ("Lorg/junit/jupiter/api/AfterEach;", TestRole::AfterEach),
    ("Lorg/junit/jupiter/api/BeforeAll;", TestRole::BeforeAll),
    ("Lorg/junit/jupiter/api/AfterAll;", TestRole::AfterAll),
    ("Lorg/testng/annotations/Test;", TestRole::Test),
    ("Lorg/testng/annotations/BeforeMethod;", TestRole::BeforeEach),
    ("Lorg/testng/annotations/AfterMethod;", TestRole::AfterEach),
    ("Lorg/testng/annotations/BeforeClass;", TestRole::BeforeAll),
    ("Lorg/testng/annotations/AfterClass;", TestRole::AfterAll),
    ("Lorg/testng/annotations/BeforeTest;", TestRole::BeforeAll),
    ("Lorg/testng/annotations/AfterTest;", TestRole::AfterAll),
    ("Lorg/testng/annotations/BeforeSuite;", TestRole::BeforeAll),
    ("Lorg/testng/annotations/AfterSuite;", TestRole::AfterAll),
];

/// The role of a method. An annotation list that cannot be read counts as none.
pub(crate) fn role(class: &ClassFile<'_>, method: &Member<'_>) -> TestRole {
    let own = by_annotation(class, &method.attributes, ANNOTATIONS);
    let own = own.or_else(|| by_class(class, method)).or_else(|| by_factory(class, method));
    own.unwrap_or_else(|| by_name(class, method))
}

/// JUnit 5: the bodies of dynamic tests run when their factory has returned. The compiler made methods of them that bear the
/// factory's name.
fn by_factory(class: &ClassFile<'_>, method: &Member<'_>) -> Option<TestRole> {
    const FACTORY: &[(&str, TestRole)] = &[("Lorg/junit/jupiter/api/TestFactory;", TestRole::Test)];
    let lambda = class.pool.utf8(method.name).ok().filter(|_| method.access & access::SYNTHETIC != 0)?;
    let factory = dynaflow_model::sites::lambda_home(std::str::from_utf8(lambda.0).ok()?)?;
    let mut named = class
        .methods
        .iter()
        .filter(|other| class.pool.utf8(other.name).is_ok_and(|name| name.0 == factory.as_bytes()));
    named.find_map(|other| by_annotation(class, &other.attributes, FACTORY))
}

/// The role that the first known annotation among the attributes gives.
fn by_annotation(
    class: &ClassFile<'_>,
    attributes: &[Attribute<'_>],
    known: &[(&str, TestRole)],
) -> Option<TestRole> {
    let attribute = class.attribute(attributes, "RuntimeVisibleAnnotations")?;
    let types = annotations::types(&attribute.data, attribute.offset).ok()?;
    types.into_iter().find_map(|kind| {
        let descriptor = class.pool.utf8(kind).ok()?;
        known.iter().find(|(known, _)| known.as_bytes() == descriptor.0).map(|(_, role)| *role)
    })
}

/// TestNG: its annotation on a class makes every public instance method that returns nothing a test.
fn by_class(class: &ClassFile<'_>, method: &Member<'_>) -> Option<TestRole> {
    const OF_CLASSES: &[(&str, TestRole)] = &[("Lorg/testng/annotations/Test;", TestRole::Test)];
    let (name, descriptor) = (class.pool.utf8(method.name).ok()?, class.pool.utf8(method.descriptor).ok()?);
    let ruled_out = access::STATIC | access::ABSTRACT | access::SYNTHETIC;
    let counts = method.access & access::PUBLIC != 0 && method.access & ruled_out == 0;
    let counts = counts && !name.0.starts_with(b"<") && descriptor.0.ends_with(b")V");
    if counts { by_annotation(class, &class.attributes, OF_CLASSES) } else { None }
}

/// JUnit 3: what a subclass of `TestCase` would run. `setUp` and `tearDown` may be protected there.
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
    match name.0 {
        b"setUp" => TestRole::BeforeEach,
        b"tearDown" => TestRole::AfterEach,
        name if method.access & access::PUBLIC != 0 && name.starts_with(b"test") => TestRole::MaybeTest,
        _ => TestRole::None,
    }
}
