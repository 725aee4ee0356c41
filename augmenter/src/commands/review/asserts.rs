//! Which tests assert something, as their compiled classes show. Knows nothing of how tests run.
//!
//! A test asserts when its body, or a method of the tests' classes that can be called from there, calls an assertion or makes an assertion error, or when
//! its annotation names an expected exception. Invariant: what is found is called in some code that the test may reach; nothing is found in the program's own
//! classes, whose checks are not the test's.

use crate::classes::Classes;
use dynaflow_classfile::class::access;
use dynaflow_classfile::insn::Instructions;
use dynaflow_classfile::{
    Attribute, ClassFile, ClassIndex, Code, Constant, Member, MemberIndex, Mutf8, Opcode, Operand, Utf8Index,
    tables,
};
use dynaflow_model::frameworks::is_assertion_error;
use std::collections::{BTreeMap, BTreeSet};

/// Packages of libraries whose calls judge, as class files have them.
const LIBRARIES: &[&str] = &[
    "org/junit/",
    "junit/framework/",
    "org/hamcrest/",
    "org/assertj/",
    "com/google/common/truth/",
    "org/mockito/",
    "org/easymock/",
    "org/testng/",
];
/// How the names of their judging methods begin.
const JUDGING: &[&str] = &["assert", "fail", "verify", "expect", "should"];
/// How names of judging methods of any other library begin.
const OF_OTHERS: &[&str] = &["assert", "verify", "andExpect", "expect", "should"];
/// What the JVM of the JDK has no assertions in.
const JDK: &[&str] = &["java/", "javax/", "jdk/", "sun/"];
/// The annotation that may name an expected exception, and the element that does.
const TEST: &str = "Lorg/junit/Test;";
const EXPECTED: &str = "expected";

/// The classes of tests: a method's body is looked through when it is one of theirs.
#[derive(Debug)]
pub struct Asserting<'a> {
    tests: &'a Classes,
    program: &'a BTreeSet<String>,
    read: BTreeMap<String, Option<Vec<Method>>>,
}

/// What a method does, as far as it matters.
#[derive(Clone, Debug, Default)]
struct Method {
    name: String,
    descriptor: String,
    /// It calls an assertion, makes an assertion error, or expects an exception.
    judges: bool,
    /// Owner, name and descriptor of what it may call.
    calls: Vec<Call>,
}

type Call = (String, String, String);

impl<'a> Asserting<'a> {
    /// With the classes of the tests, and the names of the program's.
    pub fn new(tests: &'a Classes, program: &'a BTreeSet<String>) -> Self {
        Self { tests, program, read: BTreeMap::new() }
    }

    /// Whether a test, `a.B#c`, asserts something; of a class alone, whether any of its methods does. Linear in the code that it may reach.
    pub fn asserts(&mut self, test: &str) -> bool {
        let (class, method) =
            test.split_once('#').map_or((test, None), |(class, method)| (class, Some(method)));
        let start = self.lineage(&class.replace('.', "/"));
        let mut open: Vec<Call> = vec![];
        for owner in start {
            let methods = self.methods(&owner);
            let wanted = methods.iter().filter(|of| method.is_none_or(|name| of.name == name));
            open.extend(wanted.map(|of| (owner.clone(), of.name.clone(), of.descriptor.clone())));
        }
        let mut seen: BTreeSet<Call> = BTreeSet::new();
        while let Some(call) = open.pop() {
            if !seen.insert(call.clone()) {
                continue;
            }
            let (owner, name, descriptor) = call;
            // An inherited method is found further up.
            let found = self.lineage(&owner).into_iter().find_map(|owner| {
                self.methods(&owner).iter().find(|of| of.name == name && of.descriptor == descriptor).cloned()
            });
            match found {
                Some(found) if found.judges => return true,
                Some(found) => open.extend(found.calls),
                // What a class of the tests inherits from a library, such as JUnit 3's `TestCase`.
                None if self.is_of_tests(&owner) && begins(JUDGING, &name) => return true,
                None => {}
            }
        }
        false
    }

    /// A class of the tests and those above it that are of the tests, too.
    fn lineage(&self, class: &str) -> Vec<String> {
        let mut names: Vec<String> = vec![];
        let mut next = Some(class.to_owned());
        while let Some(name) = next.filter(|name| !names.contains(name)) {
            let bytes = self.tests.class(name.as_bytes());
            let Some(bytes) = bytes else { break };
            let above = ClassFile::parse(&bytes)
                .ok()
                .and_then(|class| class.super_name().ok().flatten().map(|name| name.to_str().into_owned()));
            names.push(name);
            next = above;
        }
        names
    }

    fn methods(&mut self, class: &str) -> Vec<Method> {
        if let Some(known) = self.read.get(class) {
            return known.clone().unwrap_or_default();
        }
        let bytes = self.tests.class(class.as_bytes());
        let methods = bytes.and_then(|bytes| methods(&bytes, &|owner| self.is_judge(owner)));
        self.read.insert(class.to_owned(), methods.clone());
        methods.unwrap_or_default()
    }

    fn is_of_tests(&self, class: &str) -> bool {
        self.tests.class(class.as_bytes()).is_some()
    }

    /// How names of judging methods of a class begin; none where it has none.
    fn is_judge(&self, owner: &str) -> &'static [&'static str] {
        if LIBRARIES.iter().any(|package| owner.starts_with(package)) {
            return JUDGING;
        }
        let binary = owner.replace('/', ".");
        let is_other = !JDK.iter().any(|package| owner.starts_with(package))
            && !self.program.contains(&binary)
            && !self.is_of_tests(owner);
        if is_other { OF_OTHERS } else { &[] }
    }
}

/// The methods of a class; none when it cannot be read.
fn methods(bytes: &[u8], judge: &dyn Fn(&str) -> &'static [&'static str]) -> Option<Vec<Method>> {
    let class = ClassFile::parse(bytes).ok()?;
    let bootstraps = class.attribute(&class.attributes, "BootstrapMethods");
    let bootstraps = bootstraps.and_then(|table| tables::bootstraps(&table.data, table.offset).ok());
    let bootstraps = bootstraps.unwrap_or_default();
    let reader = Reading { class: &class, bootstraps: &bootstraps, judge };
    class.methods.iter().map(|member| reader.method(member)).collect()
}

/// A class that is looked through.
struct Reading<'a> {
    class: &'a ClassFile<'a>,
    bootstraps: &'a [Vec<u16>],
    judge: &'a dyn Fn(&str) -> &'static [&'static str],
}

impl Reading<'_> {
    fn method(&self, member: &Member<'_>) -> Option<Method> {
        let text = |index: Utf8Index| self.class.pool.utf8(index).ok().map(|text| text.to_str().into_owned());
        let mut method =
            Method { name: text(member.name)?, descriptor: text(member.descriptor)?, ..Method::default() };
        let annotations = self.class.attribute(&member.attributes, "RuntimeVisibleAnnotations");
        method.judges = annotations.is_some_and(|annotations| self.expects(annotations));
        if member.access & access::ABSTRACT == 0
            && let Some(code) = self.class.attribute(&member.attributes, "Code")
        {
            self.look_through(code, &mut method);
        }
        Some(method)
    }

    fn look_through(&self, attribute: &Attribute<'_>, method: &mut Method) {
        let Ok(code) = Code::parse(&attribute.data, attribute.offset) else { return };
        for insn in Instructions::new(code.bytes, code.offset).map_while(Result::ok) {
            let Operand::Constant(index) = insn.operand else { continue };
            match (insn.opcode, self.class.pool.get(index)) {
                (Opcode::New, Some(Constant::Class(_))) => {
                    let name = self.class.pool.class_name(ClassIndex(index));
                    method.judges |= name.is_ok_and(|name| is_assertion_error(&name.to_str()));
                }
                (_, Some(Constant::Method(..) | Constant::InterfaceMethod(..))) => {
                    self.call(MemberIndex(index), method);
                }
                (_, Some(Constant::InvokeDynamic(bootstrap, _))) => {
                    for argument in self.bootstraps.get(usize::from(bootstrap)).into_iter().flatten() {
                        if let Some(Constant::MethodHandle(_, handle)) = self.class.pool.get(*argument) {
                            self.call(handle, method);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn call(&self, index: MemberIndex, method: &mut Method) {
        let Ok(member) = self.class.pool.member(index) else { return };
        let text = |text: Mutf8<'_>| text.to_str().into_owned();
        let (owner, name, descriptor) = (text(member.owner), text(member.name), text(member.descriptor));
        method.judges |= begins((self.judge)(&owner), &name);
        method.calls.push((owner, name, descriptor));
    }

    /// Whether annotations have JUnit 4's `@Test` with an expected exception. Its elements, a class and a time, take five bytes each: name, tag, value.
    fn expects(&self, annotations: &Attribute<'_>) -> bool {
        let is = |index: &[u8], text: &str| match index {
            [high, low] => {
                let index = Utf8Index(u16::from_be_bytes([*high, *low]));
                self.class.pool.utf8(index).is_ok_and(|found| found.to_str() == text)
            }
            _ => false,
        };
        let data: &[u8] = &annotations.data;
        (2..data.len()).any(|at| {
            let Some([kind @ .., a, b]) = data.get(at..at + 4) else { return false };
            let elements = usize::from(u16::from_be_bytes([*a, *b]));
            let values = data.get(at + 4..at + 4 + 5 * elements).unwrap_or_default();
            is(kind, TEST)
                && values.chunks_exact(5).any(|value| value.get(..2).is_some_and(|name| is(name, EXPECTED)))
        })
    }
}

fn begins(with: &[&str], name: &str) -> bool {
    with.iter().any(|start| name.starts_with(start))
}
