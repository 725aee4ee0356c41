//! Which methods are inspectors: they give something back and change nothing.
//!
//! The bytecode decides (`flowgraph::dua::purity`), of the class the object has. Where it leaves open what a method changes, since it calls
//! what has no code that could be read, a method counts as an inspector when it was invoked while recorded and no such invocation changed anything, whatever it is
//! called (the `build()` of a builder is one) unless its name announces a change; where there is no bytecode, its name decides. Knows nothing of tests. Invariant: a method that nobody can call in a test is none.

use super::reads::Reads;
use dynaflow_flowgraph::dua::Purity;
use dynaflow_model::descriptor;
use dynaflow_model::sites::{CallKind, MethodRef};
use dynaflow_model::types::Callable;
use dynaflow_search::Types;

/// Names of methods that report, besides those that begin with `get`, `is` or `has`.
const NAMES: &[&str] = &[
    "size",
    "length",
    "count",
    "capacity",
    "contains",
    "containsKey",
    "containsValue",
    "name",
    "value",
    "toString",
];
/// The first words of methods that change something.
const CHANGES: &[&str] = &[
    "add", "append", "clear", "close", "delete", "drain", "insert", "next", "offer", "open", "poll", "pop",
    "previous", "push", "put", "read", "remove", "replace", "reset", "retain", "set", "skip", "take",
    "update", "write",
];
/// Methods whose results say nothing that an assertion could compare: identities, times, what is made anew.
const SILENT: &[&str] = &[
    "hashCode",
    "getClass",
    "clone",
    "compareTo",
    "equals",
    "iterator",
    "listIterator",
    "spliterator",
    "stream",
    "parallelStream",
    "nanoTime",
    "currentTimeMillis",
    "freeMemory",
    "totalMemory",
    "identityHashCode",
    "fillInStackTrace",
    "getStackTrace",
    "getSuppressed",
];

/// The first words of methods that make another object of one: a copy with a difference, a sum.
const MAKES: &[&str] = &["with", "plus", "minus"];

/// Judges methods.
#[derive(Debug)]
pub struct Inspectors<'a> {
    types: &'a Types,
    reads: &'a Reads,
    purity: Purity<'a>,
}

impl<'a> Inspectors<'a> {
    /// With the types a test may use, what was recorded, and the bytecode.
    pub fn new(types: &'a Types, reads: &'a Reads, purity: Purity<'a>) -> Self {
        Self { types, reads, purity }
    }

    /// Whether a test may call the method on an object of the class, to learn something and change nothing.
    pub fn is_one(&self, class: &str, callable: &Callable) -> bool {
        let method = &callable.method;
        self.may_ask(callable)
            && !self.makes_another(class, method)
            && (!self.may_change(class, method) || self.seems_one(class, method))
    }

    /// Whether a test may call the method on an object and compare what it gives, whatever it changes.
    pub fn may_ask(&self, callable: &Callable) -> bool {
        let method = &callable.method;
        descriptor::result(&method.descriptor) != "V"
            && matches!(callable.kind, CallKind::Virtual | CallKind::Interface)
            && self.types.may_call(callable)
            && !SILENT.contains(&method.name.as_str())
    }

    /// Whether the method makes another object of the class, with a difference that its arguments give: what that object holds says more
    /// of the arguments than of the object asked.
    fn makes_another(&self, class: &str, method: &MethodRef) -> bool {
        let made = descriptor::result(&method.descriptor);
        !descriptor::parameters(&method.descriptor).is_empty()
            && MAKES.iter().any(|word| method.name == *word || begins(&method.name, word))
            && self.types.assignable(&descriptor::of_class(class), made) == Some(true)
    }

    fn may_change(&self, class: &str, method: &MethodRef) -> bool {
        let class = class.replace('.', "/");
        self.purity.may_change(class.as_bytes(), method.name.as_bytes(), method.descriptor.as_bytes())
    }

    fn seems_one(&self, class: &str, method: &MethodRef) -> bool {
        let signature = format!("{}{}", method.name, method.descriptor);
        let internal = class.replace('.', "/");
        let (name, descriptor) = (method.name.as_bytes(), method.descriptor.as_bytes());
        let is_quiet = match self.purity.writes(internal.as_bytes(), name, descriptor) {
            Some(writes) => !writes && self.reads.chains(class, &signature).next().is_some(),
            None => reports(&method.name),
        };
        is_quiet && !announces_change(&method.name) && !self.reads.is_writer(class, &signature)
    }
}

fn reports(name: &str) -> bool {
    NAMES.contains(&name) || ["get", "is", "has"].iter().any(|prefix| begins(name, prefix))
}

/// Whether a method says that it changes something, whatever its invocations came to: one that removes what is not there changes nothing.
fn announces_change(name: &str) -> bool {
    CHANGES.iter().any(|verb| name == *verb || begins(name, verb))
}

fn begins(name: &str, word: &str) -> bool {
    name.strip_prefix(word).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_flowgraph::dua::ClassSource;
    use dynaflow_model::facts::{
        Context, DefAtExit, Definition, DefinitionKind, Exit, FactTable, Method, Place, Step, Variable,
    };
    use dynaflow_model::types::Visibility;
    use std::borrow::Cow;

    /// No class is there, so that nothing is known of what methods change.
    struct Nothing;

    impl ClassSource for Nothing {
        fn class(&self, _: &[u8]) -> Option<Cow<'_, [u8]>> {
            None
        }
    }

    #[test]
    fn without_bytecode_the_name_decides_and_a_method_that_changed_something_is_none() {
        let (types, reads) = (Types::new([], "a"), Reads::default());
        let inspectors = Inspectors::new(&types, &reads, Purity::new(&Nothing));
        let is_one = |name: &str, descriptor: &str, kind: CallKind, visibility: Visibility| {
            let method =
                MethodRef { owner: "a.Door".into(), name: name.into(), descriptor: descriptor.into() };
            inspectors.is_one("a.Door", &Callable { method, kind, visibility, throws: vec![] })
        };
        let public =
            |name: &str, descriptor: &str| is_one(name, descriptor, CallKind::Virtual, Visibility::Public);
        for (name, descriptor) in [("isOpen", "()Z"), ("getKey", "(I)I"), ("size", "()I")] {
            assert!(public(name, descriptor), "{name}");
        }
        for (name, descriptor) in [("getOut", "()V"), ("open", "()Z"), ("hashCode", "()I"), ("issue", "()I")]
        {
            assert!(!public(name, descriptor), "{name}");
        }
        assert!(announces_change("remove") && announces_change("removeAll"));
        assert!(!announces_change("removed") && !announces_change("build"));
        assert!(is_one("size", "()I", CallKind::Virtual, Visibility::Package));
        assert!(!is_one("size", "()I", CallKind::Virtual, Visibility::Private));
        assert!(!is_one("getAll", "()I", CallKind::Static, Visibility::Public));
    }

    #[test]
    fn a_method_that_makes_another_object_of_the_class_with_its_arguments_is_none() {
        let (types, reads) = (Types::new([], "a"), Reads::default());
        let inspectors = Inspectors::new(&types, &reads, Purity::new(&Nothing));
        let makes = |name: &str, descriptor: &str| {
            let method =
                MethodRef { owner: "a.Door".into(), name: name.into(), descriptor: descriptor.into() };
            inspectors.makes_another("a.Door", &method)
        };
        assert!(makes("withHeight", "(I)La/Door;") && makes("plus", "(La/Door;)La/Door;"));
        assert!(!makes("plus", "()La/Door;"), "no argument says anything of it");
        assert!(!makes("withHeight", "(I)I") && !makes("within", "(I)La/Door;"));
        assert!(!makes("getDoor", "(I)La/Door;"), "one of several doors that are there already");
    }

    #[test]
    fn what_changed_an_object_of_the_class_is_none_whoever_declares_it() {
        let mut facts = FactTable::default();
        let [door, lid, open] = ["a.Door", "a.Lid", "isOpen()Z"].map(|text| facts.sym(text));
        let variable = facts.variables.intern(Variable { root: door, steps: Box::new([Step::Element]) });
        let method = facts.methods.intern(Method { class: door, signature: open });
        let (place, context) = (
            facts.places.intern(Place { method, offset: 1, line: 1 }),
            facts.contexts.intern(Context::default()),
        );
        let definition =
            facts.definitions.intern(Definition { place, kind: DefinitionKind::Direct, context });
        facts.exits.intern(DefAtExit { variable, method, exit: Exit::Normal, definition });
        let (types, reads) = (Types::new([], "a"), Reads::of(&facts));
        let inspectors = Inspectors::new(&types, &reads, Purity::new(&Nothing));
        let method =
            MethodRef { owner: facts.text(lid).to_owned(), name: "isOpen".into(), descriptor: "()Z".into() };
        let asked =
            Callable { method, kind: CallKind::Interface, visibility: Visibility::Public, throws: vec![] };
        assert!(!inspectors.is_one("a.Door", &asked), "a call through its interface changed a door");
        assert!(inspectors.is_one("a.Gate", &asked));
    }
}
