//! The fixture's types and sequences as search and workers would give them, written by hand. Knows nothing of files.

#![allow(dead_code, reason = "each test file uses a part")]

use dynaflow_model::declared::{DeclaredClass, class_signature, method_signature};
use dynaflow_model::descriptor;
use dynaflow_model::outcome::{Container, Look, Observation, Observed, Outcome, Path, Thrown};
use dynaflow_model::sequence::{Arg, Caught, Operation, Sequence, Statement, Value};
use dynaflow_model::sites::{CallKind, FieldRef, MethodRef};
use dynaflow_model::types::{Callable, TypeInfo, Visibility};
use dynaflow_search::Types;
use dynaflow_testgen::{Form, TestCase};
use std::collections::BTreeMap;
use std::sync::Arc;

pub const SHELF: &str = "shop.Shelf";
pub const DRAWER: &str = "shop.Drawer";

pub fn info(name: &str, supertypes: &[&str]) -> TypeInfo {
    TypeInfo {
        name: name.into(),
        visibility: Visibility::Public,
        is_abstract: false,
        is_interface: false,
        is_inner: false,
        supertypes: supertypes.iter().map(|s| (*s).to_owned()).collect(),
        constructors: vec![],
        methods: vec![],
        static_fields: vec![],
        enum_constants: vec![],
        to_implement: None,
    }
}

pub fn callable(owner: &str, text: &str, kind: CallKind, throws: &[&str]) -> Callable {
    let at = text.find('(').unwrap();
    let method = MethodRef { owner: owner.into(), name: text[..at].into(), descriptor: text[at..].into() };
    let throws = throws.iter().map(|t| (*t).to_owned()).collect();
    Callable { method, kind, visibility: Visibility::Public, throws }
}

pub fn with(mut info: TypeInfo, constructors: &[&str], methods: &[&str]) -> TypeInfo {
    let owner = info.name.clone();
    let kind = if info.is_interface { CallKind::Interface } else { CallKind::Virtual };
    info.constructors = constructors
        .iter()
        .map(|d| callable(&owner, &format!("<init>{d}"), CallKind::Constructor, &[]))
        .collect();
    info.methods.extend(methods.iter().map(|m| callable(&owner, m, kind, &[])));
    info
}

/// A class with methods by name, descriptor, signature and names of parameters.
pub fn declared(signature: &str, methods: &[(&str, &str, &[&str])]) -> DeclaredClass {
    let (type_parameters, supertypes) = class_signature(signature).unwrap();
    let of_method = |(key, signature, names): &(&str, &str, &[&str])| {
        let mut method = method_signature(signature).unwrap();
        method.names = names.iter().map(|name| (*name).to_owned()).collect();
        method.is_varargs = ["count([", "sum([", "mark(["].iter().any(|start| key.starts_with(start));
        ((*key).to_owned(), method)
    };
    let methods = methods.iter().map(of_method).collect();
    DeclaredClass { type_parameters, supertypes, methods, ..DeclaredClass::default() }
}

const SHELF_METHODS: &[&str] = &[
    "add(Lshop/Item;)Z",
    "put(Ljava/lang/String;)V",
    "put(Ljava/lang/Object;)V",
    "putAll([Ljava/lang/Object;)I",
    "last()Ljava/lang/Object;",
    "size()I",
    "kind()Lshop/Shelf$Kind;",
    "kind(Lshop/Shelf$Kind;)V",
    "initial(Ljava/lang/String;)C",
    "half(D)D",
    "ratio()F",
    "small(BS)B",
    "big(J)J",
    "boxed(Ljava/lang/Integer;)Ljava/lang/Integer;",
    "sum([I)I",
    "cells([[I)I",
    "fail()V",
    "type()Ljava/lang/Class;",
    "where()Ljava/lang/String;",
];

const DRAWER_METHODS: &[&str] = &[
    "put(Ljava/lang/String;)V",
    "names()Ljava/util/List;",
    "holds(Ljava/lang/String;)Z",
    "kinds()Ljava/util/Set;",
    "lengths()Ljava/util/Map;",
    "all()Ljava/util/Collection;",
    "first()Ljava/util/Optional;",
    "counts()[I",
    "halves()[D",
    "labels()[Ljava/lang/String;",
    "items()[Lshop/Item;",
    "none()[J",
    "types()[Ljava/lang/Class;",
    "inner()Lshop/Drawer;",
    "listed()Ljava/util/List;",
    "with(Ljava/lang/String;)Lshop/Drawer;",
    "keep(Lshop/Item;)Lshop/Drawer;",
    "kept()Lshop/Item;",
    "weights()Ljava/util/Map;",
    "mixed()Ljava/util/Map;",
    "sorted()Ljava/util/Map;",
    "counted()Ljava/util/List;",
];

pub fn types() -> Types {
    let object = "java.lang.Object";
    let mut shelf = with(info(SHELF, &[object]), &["()V"], SHELF_METHODS);
    shelf.methods.push(callable(SHELF, "make(Ljava/lang/String;)Lshop/Item;", CallKind::Static, &[]));
    let read = callable(SHELF, "read(Z)Ljava/lang/String;", CallKind::Virtual, &["java.io.IOException"]);
    shelf.methods.push(read);
    let mut item = info("shop.Item", &[]);
    (item.is_interface, item.is_abstract) = (true, true);
    let mut book = info("shop.Book", &[object, "shop.Item"]);
    book.visibility = Visibility::Package;
    let mut slot = info("shop.Shelf$Slot", &[object]);
    slot.is_inner = true;
    let mut kind = info("shop.Shelf$Kind", &[object, "java.lang.Enum"]);
    kind.enum_constants = vec!["HIGH".into(), "LOW".into()];
    let of_item =
        declared("Ljava/lang/Object;", &[("name()Ljava/lang/String;", "()Ljava/lang/String;", &[])]);
    let label = info("shop.Shelf$Label", &[object, "java.lang.Comparable"]);
    let list = info("java.util.ArrayList", &[object, "java.util.List", "java.util.Collection"]);
    Types::new(
        [
            shelf,
            with(info(DRAWER, &[object]), &["()V"], DRAWER_METHODS),
            with(item, &[], &["name()Ljava/lang/String;"]),
            with(book, &["(Ljava/lang/String;)V"], &["name()Ljava/lang/String;", "turn()I"]),
            with(slot, &["(Lshop/Shelf;I)V"], &["number()I"]),
            with(label, &["(Ljava/lang/String;)V"], &["text()Ljava/lang/String;"]),
            with(list, &["()V"], &["add(Ljava/lang/Object;)Z", "size()I"]),
            with(info("store.Item", &[object, "shop.Item"]), &["()V"], &["name()Ljava/lang/String;"]),
            kind,
        ],
        "shop",
    )
    .with_declared(Arc::new(BTreeMap::from([("shop.Item".to_owned(), of_item)])))
}

/// Builds a test and what it showed, statement by statement.
#[derive(Default)]
pub struct Script {
    statements: Vec<Statement>,
    outcome: Vec<Observed>,
    observations: Vec<Observation>,
    same: BTreeMap<u32, u32>,
}

pub fn method(owner: &str, text: &str) -> MethodRef {
    callable(owner, text, CallKind::Virtual, &[]).method
}

pub fn look(owner: &str, text: &str, args: &[Value]) -> Look {
    Look::Call { method: method(owner, text), args: args.to_vec() }
}

pub fn contents(container: Container, elements: &[Value]) -> Observed {
    container.holding(elements.iter().cloned().map(Observed::Value).collect())
}

pub fn value(value: Value) -> Observed {
    Observed::Value(value)
}

pub fn text(text: &str) -> Value {
    Value::Str(text.into())
}

impl Script {
    pub fn then(&mut self, operation: Operation, result: &str, observed: Observed) -> u32 {
        self.statements.push(Statement {
            operation,
            result: result.into(),
            runtime_class: None,
            caught: None,
        });
        self.outcome.push(observed);
        u32::try_from(self.statements.len() - 1).unwrap()
    }

    pub fn construct(&mut self, class: &str, descriptor: &str, args: &[Arg]) -> u32 {
        let constructor = method(class, &format!("<init>{descriptor}"));
        let operation = Operation::New { constructor, args: args.to_vec() };
        self.then(operation, &descriptor::of_class(class), Observed::Object(class.into()))
    }

    pub fn call(&mut self, on: u32, owner: &str, text: &str, args: &[Arg], observed: Observed) -> u32 {
        let method = method(owner, text);
        let result = descriptor::result(text).to_owned();
        let receiver = Some(Arg::Var(on));
        let operation = Operation::Call { method, kind: CallKind::Virtual, receiver, args: args.to_vec() };
        self.then(operation, &result, observed)
    }

    pub fn shelf(&mut self, on: u32, text: &str, args: &[Value], observed: Observed) -> u32 {
        let args: Vec<Arg> = args.iter().cloned().map(Arg::Value).collect();
        self.call(on, SHELF, text, &args, observed)
    }

    pub fn make(&mut self, name: &str, class: &str) -> u32 {
        let method = method(SHELF, "make(Ljava/lang/String;)Lshop/Item;");
        let args = vec![Arg::Value(text(name))];
        let operation = Operation::Call { method, kind: CallKind::Static, receiver: None, args };
        let index = self.then(operation, "Lshop/Item;", Observed::Object(class.into()));
        self.statements.last_mut().unwrap().runtime_class = Some(class.into());
        index
    }

    pub fn field(&mut self, name: &str, descriptor: &str) -> u32 {
        let field = FieldRef { owner: SHELF.into(), name: name.into(), descriptor: descriptor.into() };
        self.then(Operation::GetStatic(field), descriptor, Observed::Object("shop.Shelf$Label".into()))
    }

    pub fn observe(&mut self, variable: u32, owner: &str, text: &str, result: Observed) {
        self.look(variable, &[look(owner, text, &[])], result);
    }

    pub fn look(&mut self, variable: u32, looks: &[Look], result: Observed) {
        self.observations.push(Observation { path: Path { variable, looks: looks.to_vec() }, result });
    }

    /// The statement gave the object that an earlier one gave.
    pub fn again(&mut self, index: u32, first: u32) -> u32 {
        self.same.insert(index, first);
        index
    }

    /// The last statement ends with an exception that the test expects, and the test goes on.
    pub fn caught(&mut self, class: &str, declared: bool) {
        let superclasses = vec!["java.lang.Exception".into(), "java.lang.Throwable".into()];
        let last = self.statements.last_mut().unwrap();
        last.caught = Some(Caught { class: class.into(), superclasses, declared });
        last.result = "V".into();
        *self.outcome.last_mut().unwrap() = Observed::Void;
    }

    pub fn ends(self, comment: &str) -> TestCase {
        self.finish(comment, None)
    }

    /// The last statement threw instead of returning.
    pub fn throws(mut self, comment: &str, class: &str, message: &str, declared: bool) -> TestCase {
        self.outcome.pop();
        let thrown = Thrown {
            statement: u32::try_from(self.statements.len() - 1).unwrap(),
            class: class.into(),
            superclasses: vec!["java.lang.Exception".into(), "java.lang.Throwable".into()],
            message: Some(message.into()),
            declared,
            on_purpose: false,
            raised_in: vec![],
        };
        self.finish(comment, Some(thrown))
    }

    fn finish(self, comment: &str, thrown: Option<Thrown>) -> TestCase {
        TestCase {
            name_hint: None,
            comment: comment.into(),
            sequence: Sequence { statements: self.statements },
            outcome: Outcome {
                statements: self.outcome,
                thrown,
                observations: self.observations,
                same: self.same,
                ..Outcome::default()
            },
            form: Form::default(),
        }
    }
}
