//! Tests as people write them, for types whose class files declare more than descriptors: names of parameters, type arguments, chains,
//! any number of arguments. Compared with a golden file and compiled with every warning an error.
//!
//! `DYNAFLOW_BLESS=1` writes the golden file anew.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic, which fails the test")]

mod common;
mod java;

use common::{Script, callable, declared, info, look, method, text, value, with};
use dynaflow_model::declared::Declared;
use dynaflow_model::frameworks::{Library, Style, style};
use dynaflow_model::outcome::Observed;
use dynaflow_model::sequence::{Arg, Operation, Value};
use dynaflow_model::sites::CallKind;
use dynaflow_search::Types;
use dynaflow_testgen::{Generated, Manner, Placed, Request, TestCase, generate};
use java::{here, jar, java_homes, run};
use std::path::Path;
use std::sync::Arc;

const CRATE: &str = "shop.Crate";
const BUILDER: &str = "shop.Crate$Builder";
const LIST: &str = "java.util.ArrayList";
const OBJECT: &str = "java.lang.Object";
const PUT: &str = "put(Ljava/lang/Object;)V";
const FIRST: &str = "first()Ljava/lang/Object;";
const ADD_ALL: &str = "addAll(Ljava/util/Collection;)I";
const SHELVES: &str = "getShelves()Ljava/util/Map;";
const TAKE: &str = "take(Ljava/lang/String;)Ljava/lang/Object;";
const COUNT: &str = "count([Ljava/lang/String;)I";
const SUM: &str = "sum([Ljava/lang/Object;)I";
const JOIN: &str = "join([Lshop/Crate;Ljava/lang/Object;)I";
const MARK_TEXTS: &str = "mark([Ljava/lang/String;)I";
const MARK_OBJECTS: &str = "mark([Ljava/lang/Object;)I";
const MARK_LIST: &str = "mark(Ljava/util/List;)I";
const ADD: &str = "add(Ljava/lang/Object;)Z";

const PILE: &str = "shop.Pile";
const SORTER: &str = "shop.Pile$Sorter";
const ORDERED: &str = "(Ljava/util/Comparator;)V";
const REVERSED: &str = "reverseOrder()Ljava/util/Comparator;";
const SIZED: &str = "(Ljava/util/Comparator;I)V";
const TAKE_ALL: &str = "takeAll(Lshop/Pile;)I";
const BEFORE: &str = "isBefore(Ljava/lang/Object;Ljava/lang/Object;)Z";
const LISTED: &str = "(Ljava/util/List;)V";

fn all_declared() -> Declared {
    let of_crate: &[(&str, &str, &[&str])] = &[
        ("<init>()V", "()V", &[]),
        ("builder()Lshop/Crate$Builder;", "()Lshop/Crate$Builder;", &[]),
        (COUNT, "([Ljava/lang/String;)I", &["names"]),
        (SUM, "<E:Ljava/lang/Object;>([TE;)I", &["of"]),
        (JOIN, "<E:Ljava/lang/Object;>([Lshop/Crate<-TE;>;TE;)I", &["all", "item"]),
        (MARK_TEXTS, "([Ljava/lang/String;)I", &["names"]),
        (MARK_OBJECTS, "([Ljava/lang/Object;)I", &["things"]),
        (MARK_LIST, "(Ljava/util/List<Ljava/lang/String;>;)I", &["all"]),
        (PUT, "(TT;)V", &["item"]),
        (FIRST, "()TT;", &[]),
        (ADD_ALL, "(Ljava/util/Collection<+TT;>;)I", &["more"]),
        (SHELVES, "()Ljava/util/Map<Ljava/lang/String;Ljava/util/List<TT;>;>;", &[]),
        ("shake()V", "()V", &[]),
        (TAKE, "<R:Ljava/lang/Object;>(Ljava/lang/String;)TR;", &["name"]),
    ];
    let of_builder: &[(&str, &str, &[&str])] = &[
        (
            "label(Ljava/lang/String;)Lshop/Crate$Builder;",
            "(Ljava/lang/String;)Lshop/Crate$Builder;",
            &["next"],
        ),
        ("heavy()Lshop/Crate$Builder;", "()Lshop/Crate$Builder;", &[]),
        ("build()Lshop/Crate;", "()Lshop/Crate<Ljava/lang/String;>;", &[]),
    ];
    let of_pile: &[(&str, &str, &[&str])] = &[
        ("<init>(Ljava/util/Comparator;)V", "(Ljava/util/Comparator<TT;>;)V", &["order"]),
        ("<init>(Ljava/util/List;)V", "(Ljava/util/List<TT;>;)V", &["items"]),
        ("<init>(Ljava/util/Comparator;I)V", "(Ljava/util/Comparator<-TT;>;I)V", &["order", "size"]),
        (TAKE_ALL, "(Lshop/Pile<+TT;>;)I", &["other"]),
        ("isSorted()Z", "()Z", &[]),
        (BEFORE, "(TT;TT;)Z", &["one", "other"]),
    ];
    let reversed = (REVERSED, "<T::Ljava/lang/Comparable<-TT;>;>()Ljava/util/Comparator<TT;>;", &[][..]);
    let sorter = "<E::Ljava/lang/Comparable<-TE;>;>Ljava/lang/Object;Ljava/util/Comparator<TE;>;";
    let list = "<E:Ljava/lang/Object;>Ljava/lang/Object;Ljava/util/Collection<TE;>;";
    let map = "<K:Ljava/lang/Object;V:Ljava/lang/Object;>Ljava/lang/Object;";
    Declared::from([
        (CRATE.to_owned(), declared("<T:Ljava/lang/Object;>Ljava/lang/Object;", of_crate)),
        (BUILDER.to_owned(), declared("Ljava/lang/Object;", of_builder)),
        (LIST.to_owned(), declared(list, &[("<init>()V", "()V", &[]), (ADD, "(TE;)Z", &[])])),
        ("java.util.List".to_owned(), declared("<E:Ljava/lang/Object;>Ljava/lang/Object;", &[])),
        ("java.util.Collection".to_owned(), declared("<E:Ljava/lang/Object;>Ljava/lang/Object;", &[])),
        (PILE.to_owned(), declared("<T:Ljava/lang/Object;>Ljava/lang/Object;", of_pile)),
        (SORTER.to_owned(), declared(sorter, &[("<init>()V", "()V", &[])])),
        (
            "java.util.Comparator".to_owned(),
            declared("<T:Ljava/lang/Object;>Ljava/lang/Object;", &[reversed]),
        ),
        ("java.util.Map".to_owned(), declared(map, &[("size()I", "()I", &[]), ("clear()V", "()V", &[])])),
    ])
}

fn types() -> Types {
    let mut of_crate =
        with(info(CRATE, &[OBJECT]), &["()V"], &[PUT, FIRST, ADD_ALL, SHELVES, "shake()V", TAKE]);
    for text in [COUNT, SUM, JOIN, MARK_TEXTS, MARK_OBJECTS, MARK_LIST, "builder()Lshop/Crate$Builder;"] {
        of_crate.methods.push(callable(CRATE, text, CallKind::Static, &[]));
    }
    let of_builder = [
        "label(Ljava/lang/String;)Lshop/Crate$Builder;",
        "heavy()Lshop/Crate$Builder;",
        "build()Lshop/Crate;",
    ];
    let mut map = with(info("java.util.Map", &[]), &[], &["size()I", "clear()V"]);
    (map.is_interface, map.is_abstract) = (true, true);
    let mut comparator = info("java.util.Comparator", &[]);
    comparator.methods.push(callable("java.util.Comparator", REVERSED, CallKind::Static, &[]));
    let all = [
        comparator,
        of_crate,
        with(info(BUILDER, &[OBJECT]), &["()V"], &of_builder),
        with(info(LIST, &[OBJECT, "java.util.Collection"]), &["()V"], &[ADD, "size()I"]),
        map,
        with(info(PILE, &[OBJECT]), &[ORDERED, LISTED, SIZED], &["isSorted()Z", BEFORE, TAKE_ALL]),
        with(info(SORTER, &[OBJECT, "java.util.Comparator"]), &["()V"], &[]),
    ];
    Types::new(all, "shop").with_declared(Arc::new(all_declared()))
}

/// Calls of the fixture, by their names alone.
#[derive(Default)]
struct Crates(Script);

impl Crates {
    fn crate_(&mut self) -> u32 {
        self.0.construct(CRATE, "()V", &[])
    }

    fn call(&mut self, on: u32, text: &str, args: &[Arg], observed: Observed) -> u32 {
        self.0.call(on, CRATE, text, args, observed)
    }

    fn of_static(&mut self, text: &str, args: &[Arg], result: &str, observed: Observed) -> u32 {
        let (method, args) = (method(CRATE, text), args.to_vec());
        self.0.then(
            Operation::Call { method, kind: CallKind::Static, receiver: None, args },
            result,
            observed,
        )
    }

    fn array(&mut self, values: &[&str]) -> u32 {
        let values: Vec<Arg> = values.iter().map(|value| literal(value)).collect();
        self.filled("[Ljava/lang/String;", &values)
    }

    fn filled(&mut self, descriptor: &str, values: &[Arg]) -> u32 {
        let length = u32::try_from(values.len()).unwrap();
        let made = Operation::NewArray { descriptor: descriptor.into(), length };
        let array = self.0.then(made, descriptor, Observed::Void);
        for (index, value) in (0..).zip(values) {
            let value = value.clone();
            self.0.then(Operation::ArrayStore { array: Arg::Var(array), index, value }, "V", Observed::Void);
        }
        array
    }
}

fn literal(word: &str) -> Arg {
    Arg::Value(text(word))
}

fn made(class: &str) -> Observed {
    Observed::Object(class.into())
}

/// What is put in decides the type argument of the list, the list that of the crate; the list is called like the parameter.
fn arguments_are_inferred() -> TestCase {
    let mut s = Crates::default();
    let list = s.0.construct(LIST, "()V", &[]);
    s.0.call(list, LIST, ADD, &[literal("a")], value(Value::Bool(true)));
    let of = s.crate_();
    s.call(of, ADD_ALL, &[Arg::Var(list)], value(Value::Int(1)));
    s.call(of, FIRST, &[], value(text("a")));
    s.0.ends("addAll() changes Crate.items; first() must see it")
}

fn a_chain() -> TestCase {
    let mut s = Crates::default();
    let builder = s.of_static("builder()Lshop/Crate$Builder;", &[], "Lshop/Crate$Builder;", made(BUILDER));
    let label = "label(Ljava/lang/String;)Lshop/Crate$Builder;";
    let builder = s.0.call(builder, BUILDER, label, &[literal("x")], made(BUILDER));
    let builder = s.0.call(builder, BUILDER, "heavy()Lshop/Crate$Builder;", &[], made(BUILDER));
    let built = s.0.call(builder, BUILDER, "build()Lshop/Crate;", &[], made(CRATE));
    s.call(built, PUT, &[literal("a")], Observed::Void);
    s.call(built, FIRST, &[], value(text("a")));
    s.0.ends("a chain")
}

fn any_number_of_arguments() -> TestCase {
    let mut s = Crates::default();
    let array = s.array(&["a", "b"]);
    s.of_static(COUNT, &[Arg::Var(array)], "I", value(Value::Int(2)));
    let none = s.array(&[]);
    s.of_static(COUNT, &[Arg::Var(none)], "I", value(Value::Int(0)));
    let twice = s.array(&["c"]);
    s.of_static(COUNT, &[Arg::Var(twice)], "I", value(Value::Int(1)));
    s.of_static(COUNT, &[Arg::Var(twice)], "I", value(Value::Int(1)));
    s.0.ends("any number of arguments")
}

/// The compiler makes the array of what is passed where it makes the same: not of a text for a number of objects, nor of what could be the array itself.
fn any_number_of_some_type() -> TestCase {
    let mut s = Crates::default();
    let builder = s.of_static("builder()Lshop/Crate$Builder;", &[], "Lshop/Crate$Builder;", made(BUILDER));
    s.0.call(builder, BUILDER, "heavy()Lshop/Crate$Builder;", &[], made(BUILDER));
    let arrays = [
        ("[Lshop/Crate$Builder;", vec![Arg::Var(builder)]),
        ("[Ljava/lang/String;", vec![literal("a"), literal("a")]),
        ("[Ljava/lang/CharSequence;", vec![literal("a")]),
        ("[Ljava/lang/String;", vec![Arg::Value(Value::Null)]),
    ];
    for (descriptor, values) in arrays {
        let array = s.filled(descriptor, &values);
        let count = i32::try_from(values.len()).unwrap();
        s.of_static(SUM, &[Arg::Var(array)], "I", value(Value::Int(count)));
    }
    let none = s.filled("[Ljava/lang/String;", &[Arg::Value(Value::Null)]);
    s.of_static(COUNT, &[Arg::Var(none)], "I", value(Value::Int(1)));
    s.0.ends("any number of some type")
}

/// Where other methods have the name, arguments stand by themselves as long as the compiler means the same: what is no text is none for the other, texts are for the one
/// that takes texts, and for a number of objects only in an array.
fn any_number_beside_others() -> TestCase {
    let mut s = Crates::default();
    let builder = s.of_static("builder()Lshop/Crate$Builder;", &[], "Lshop/Crate$Builder;", made(BUILDER));
    s.0.call(builder, BUILDER, "heavy()Lshop/Crate$Builder;", &[], made(BUILDER));
    let builder = || Arg::Var(builder);
    let (texts, objects) =
        ((MARK_TEXTS, "[Ljava/lang/String;", 0), (MARK_OBJECTS, "[Ljava/lang/Object;", 10));
    let calls = [
        (texts, vec![]),
        (texts, vec![literal("a")]),
        (texts, vec![Arg::Value(Value::Null), literal("b")]),
        (objects, vec![]),
        (objects, vec![literal("a")]),
        (objects, vec![builder()]),
        (objects, vec![literal("a"), builder()]),
        (objects, vec![Arg::Value(Value::Null), Arg::Value(Value::Null)]),
    ];
    for ((method, descriptor, first), values) in calls {
        let array = s.filled(descriptor, &values);
        let count = i32::try_from(values.len()).unwrap();
        s.of_static(method, &[Arg::Var(array)], "I", value(Value::Int(first + count)));
    }
    s.0.ends("any number beside others")
}

/// Java makes no array with type arguments, and takes one without them where one with them is wanted.
fn arrays_of_a_generic_class() -> TestCase {
    let mut s = Crates::default();
    let of = s.crate_();
    s.call(of, PUT, &[literal("a")], Observed::Void);
    for values in [vec![Arg::Var(of), Arg::Var(of)], vec![]] {
        let array = s.filled("[Lshop/Crate;", &values);
        let count = i32::try_from(values.len()).unwrap();
        s.of_static(JOIN, &[Arg::Var(array), literal("a")], "I", value(Value::Int(count)));
    }
    s.0.ends("arrays of a generic class")
}

/// Of what is put in nothing is above the other; the second crate has a number, the map the noun of its method.
fn two_crates() -> TestCase {
    let mut s = Crates::default();
    let (one, other) = (s.crate_(), s.crate_());
    s.call(one, PUT, &[literal("a")], Observed::Void);
    s.call(one, PUT, &[Arg::Value(Value::Boxed(Box::new(Value::Int(3))))], Observed::Void);
    s.call(other, PUT, &[Arg::Value(Value::Null)], Observed::Void);
    let shelves = s.call(one, SHELVES, &[], made("java.util.HashMap"));
    s.0.call(shelves, "java.util.Map", "size()I", &[], value(Value::Int(1)));
    s.0.call(shelves, "java.util.Map", "clear()V", &[], Observed::Void);
    s.call(other, FIRST, &[], value(Value::Null));
    s.0.ends("two crates")
}

/// Nothing decides the type argument but its bound, and what is passed fits one constructor alone.
fn within_a_bound() -> TestCase {
    let mut s = Crates::default();
    let sorter = s.0.construct(SORTER, "()V", &[]);
    let pile = s.0.construct(PILE, ORDERED, &[Arg::Var(sorter)]);
    s.0.call(pile, PILE, "isSorted()Z", &[], value(Value::Bool(true)));
    s.0.ends("within a bound")
}

/// What is above or below something within a bound is within it as well.
fn within_the_bound_of_another() -> TestCase {
    let mut s = Crates::default();
    let sorter = s.0.construct(SORTER, "()V", &[]);
    let sized = |size| [Arg::Var(sorter), Arg::Value(Value::Int(size))];
    let other = s.0.construct(PILE, SIZED, &sized(1));
    let pile = s.0.construct(PILE, SIZED, &sized(2));
    s.0.call(pile, PILE, TAKE_ALL, &[Arg::Var(other)], value(Value::Int(0)));
    s.0.ends("within the bound of another")
}

/// Nothing is passed where two constructors could take it.
fn nothing_of_a_type() -> TestCase {
    let mut s = Crates::default();
    let pile = s.0.construct(PILE, LISTED, &[Arg::Value(Value::Null)]);
    s.0.call(pile, PILE, BEFORE, &[literal("a"), literal("b")], value(Value::Bool(false)));
    s.0.look(pile, &[look(PILE, "isSorted()Z", &[])], value(Value::Bool(false)));
    s.0.ends("nothing of a type")
}

/// What a generic call gives says nothing where several constructors could take it.
fn said_for_the_compiler() -> TestCase {
    let mut s = Crates::default();
    let method = method("java.util.Comparator", REVERSED);
    let call = Operation::Call { method, kind: CallKind::Static, receiver: None, args: vec![] };
    let order = s.0.then(call, "Ljava/util/Comparator;", made("java.util.Collections$ReverseComparator"));
    let pile = s.0.construct(PILE, ORDERED, &[Arg::Var(order)]);
    let numbers = [3, 4].map(|n| Value::Boxed(Box::new(Value::Int(n))));
    s.0.look(pile, &[look(PILE, BEFORE, &numbers)], value(Value::Bool(false)));
    s.0.look(pile, &[look(PILE, "isSorted()Z", &[])], value(Value::Bool(true)));
    s.0.ends("said for the compiler")
}

/// What is asked in the end decides it.
fn decided_by_what_is_asked() -> TestCase {
    let mut s = Crates::default();
    let sorter = s.0.construct(SORTER, "()V", &[]);
    let pile = s.0.construct(PILE, ORDERED, &[Arg::Var(sorter)]);
    let numbers = [3, 4].map(|n| Value::Boxed(Box::new(Value::Int(n))));
    s.0.look(pile, &[look(PILE, BEFORE, &numbers)], value(Value::Bool(true)));
    s.0.ends("decided by what is asked")
}

/// The same calls over and over: a name that says more, and in the end a number.
fn first(deprecated: bool) -> TestCase {
    let mut s = Crates::default();
    let of = s.crate_();
    if deprecated {
        s.call(of, "shake()V", &[], Observed::Void);
    }
    s.call(of, FIRST, &[], value(Value::Null));
    let mut test = s.0.ends("");
    test.form.suppressed.extend(deprecated.then(|| "deprecation".to_owned()));
    test
}

fn all_tests() -> Vec<TestCase> {
    let mut left_out = arguments_are_inferred();
    left_out.form.left_out.extend([0, 2]);
    vec![
        arguments_are_inferred(),
        a_chain(),
        any_number_of_arguments(),
        any_number_of_some_type(),
        any_number_beside_others(),
        arrays_of_a_generic_class(),
        two_crates(),
        within_a_bound(),
        within_the_bound_of_another(),
        decided_by_what_is_asked(),
        said_for_the_compiler(),
        nothing_of_a_type(),
        first(true),
        first(false),
        first(false),
        left_out,
    ]
}

fn generated(tests: &[TestCase]) -> Generated {
    generated_in(style("4").unwrap(), tests)
}

fn generated_in(style: &'static Style, tests: &[TestCase]) -> Generated {
    let types = types();
    generate(&Request {
        class: CRATE,
        style,
        manner: &Manner::default(),
        first: 1,
        existing: &[],
        tests,
        types: &types,
    })
}

#[test]
fn tests_of_declared_types_are_those_of_the_golden_file_and_javac_warns_of_nothing() {
    let source = &generated(&all_tests()).sources[0];
    let golden = here().join("golden/typed/CrateDynaflowTest.java");
    if std::env::var_os("DYNAFLOW_BLESS").is_some() {
        std::fs::create_dir_all(golden.parent().unwrap()).unwrap();
        std::fs::write(&golden, &source.text).unwrap();
    }
    let expected = std::fs::read_to_string(&golden).unwrap_or_default();
    assert!(expected == source.text, "DYNAFLOW_BLESS=1 writes it anew. Now:\n{}", source.text);
    assert_compiles(&golden, &["junit-4.13.2.jar", "hamcrest-core-1.3.jar"]);
}

fn assert_compiles(source: &Path, jars: &[&str]) {
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let mut javac = java::javac(home.as_deref());
        javac.args(["-Xlint:all,-processing,-classfile,-path", "-Werror", "-d"]).arg(folder.path());
        let jars = std::env::join_paths(jars.iter().map(|name| jar(name))).unwrap();
        let fixture = ["Crate", "Pile"].map(|name| here().join(format!("fixture/shop/{name}.java")));
        javac.arg("-cp").arg(jars).args(fixture).arg(source);
        let (compiled, text) = run(&mut javac);
        assert!(compiled, "javac refused the sources:\n{text}");
    }
}

#[test]
fn with_assertj_what_the_caller_may_take_for_anything_is_asserted_as_an_object() {
    let mut s = Crates::default();
    let crate_ = s.crate_();
    s.call(crate_, TAKE, &[literal("none")], value(Value::Null));
    s.call(crate_, TAKE, &[literal("pens")], value(text("all")));
    s.0.look(crate_, &[look(CRATE, TAKE, &[text("ink")])], value(text("all")));
    let source = &generated_in(style("4").unwrap().with(Library::AssertJ), &[s.0.ends("")]).sources[0].text;
    for line in [
        "assertThat(crate.<Object>take(\"none\")).isNull();",
        "assertThat(crate.<Object>take(\"pens\")).isEqualTo(\"all\");",
        "assertThat(crate.<Object>take(\"ink\")).isEqualTo(\"all\");",
    ] {
        assert!(source.contains(line), "{source}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("CrateDynaflowTest.java");
    std::fs::write(&file, source).unwrap();
    assert_compiles(&file, &["junit-4.13.2.jar", "assertj-core-3.26.3.jar", "byte-buddy-1.17.7.jar"]);
}

#[test]
fn a_name_does_not_depend_on_the_tests_behind_it() {
    let name = |placed: &Placed| match placed {
        Placed::Written { method, .. } => method.clone(),
        Placed::LeftOut(why) => why.clone(),
    };
    let names = |tests: &[TestCase]| generated(tests).placed.iter().map(name).collect::<Vec<_>>();
    let all = names(&all_tests());
    for count in 1..all.len() {
        assert_eq!(names(&all_tests()[..count]), all[..count]);
    }
}
