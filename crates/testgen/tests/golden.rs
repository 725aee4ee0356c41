//! The sources for one small shop: compared with golden files, compiled by a real javac, run by JUnit 4 and JUnit 5.
//!
//! `DYNAFLOW_BLESS=1` writes the golden files anew. The JDKs are those of `DYNAFLOW_JAVA_HOMES` (a colon list), or
//! `JAVA_HOME`, or the one on the path; the jars are fetched by `scripts/fetch-jars`.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic, which fails the test")]

mod common;
mod java;

use common::{DRAWER, SHELF, Script, contents, look, text, types, value};
use dynaflow_model::frameworks::{Library, Style, style};
use dynaflow_model::outcome::{Container, Look, Observed};
use dynaflow_model::sequence::{Arg, Operation, Value};
use dynaflow_testgen::{Existing, Generated, Manner, Placed, Request, TestCase, generate};
use java::{here, jar, java_homes, run, tool};
use std::path::{Path, PathBuf};

fn lit(v: Value) -> Arg {
    Arg::Value(v)
}

fn interfaces_and_casts() -> TestCase {
    let mut s = Script::default();
    let shelf = s.construct(SHELF, "()V", &[]);
    let book = s.make("Moby \"Dick\"\n\u{2028}", "shop.Book");
    s.call(book, "shop.Book", "turn()I", &[], value(Value::Int(1)));
    s.call(shelf, SHELF, "add(Lshop/Item;)Z", &[Arg::Var(book)], value(Value::Bool(true)));
    let other = s.construct("store.Item", "()V", &[]);
    s.call(shelf, SHELF, "add(Lshop/Item;)Z", &[Arg::Var(other)], value(Value::Bool(true)));
    s.observe(shelf, SHELF, "size()I", value(Value::Int(2)));
    s.observe(shelf, SHELF, "last()Ljava/lang/Object;", value(text("stored")));
    s.ends("covers items.[] from add(Item) to last()")
}

fn overloads_and_varargs() -> TestCase {
    let mut s = Script::default();
    let shelf = s.construct(SHELF, "()V", &[]);
    s.shelf(shelf, "put(Ljava/lang/Object;)V", &[text("as object")], Observed::Void);
    s.shelf(shelf, "put(Ljava/lang/Object;)V", &[Value::Null], Observed::Void);
    s.shelf(shelf, "put(Ljava/lang/String;)V", &[Value::Null], Observed::Void);
    s.shelf(shelf, "last()Ljava/lang/Object;", &[], value(Value::Null));
    s.shelf(shelf, "putAll([Ljava/lang/Object;)I", &[Value::Null], value(Value::Int(-1)));
    let array = Operation::NewArray { descriptor: "[Ljava/lang/Object;".into(), length: 2 };
    let array = s.then(array, "[Ljava/lang/Object;", Observed::Object("[Ljava.lang.Object;".into()));
    let boxed = Value::Boxed(Box::new(Value::Int(3)));
    let store = Operation::ArrayStore { array: Arg::Var(array), index: 1, value: lit(boxed) };
    s.then(store, "V", Observed::Void);
    s.call(shelf, SHELF, "putAll([Ljava/lang/Object;)I", &[Arg::Var(array)], value(Value::Int(2)));
    s.ends("covers items.[] from put(Object) to last()")
}

fn nested_classes_and_enums() -> TestCase {
    let mut s = Script::default();
    let shelf = s.construct(SHELF, "()V", &[]);
    let slot = s.construct("shop.Shelf$Slot", "(Lshop/Shelf;I)V", &[Arg::Var(shelf), lit(Value::Int(4))]);
    s.call(slot, "shop.Shelf$Slot", "number()I", &[], value(Value::Int(4)));
    let high = Value::Enum("shop.Shelf$Kind".into(), "HIGH".into());
    s.shelf(shelf, "kind(Lshop/Shelf$Kind;)V", std::slice::from_ref(&high), Observed::Void);
    s.shelf(shelf, "kind()Lshop/Shelf$Kind;", &[], value(high));
    let label = s.field("DEFAULT", "Lshop/Shelf$Label;");
    s.call(label, "shop.Shelf$Label", "text()Ljava/lang/String;", &[], value(text("default")));
    s.shelf(shelf, "type()Ljava/lang/Class;", &[], value(Value::Class("shop.Shelf$Kind".into())));
    s.ends("covers kind from kind(Kind) to kind()")
}

fn numbers() -> TestCase {
    let mut s = Script::default();
    let shelf = s.construct(SHELF, "()V", &[]);
    let nan = Value::Double(f64::NAN.to_bits());
    s.shelf(shelf, "half(D)D", std::slice::from_ref(&nan), value(nan.clone()));
    let infinite = Value::Double(f64::INFINITY.to_bits());
    s.shelf(shelf, "half(D)D", std::slice::from_ref(&infinite), value(infinite.clone()));
    s.shelf(shelf, "half(D)D", &[Value::Double(3f64.to_bits())], value(Value::Double(1.5f64.to_bits())));
    s.shelf(shelf, "ratio()F", &[], value(Value::Float(f32::NAN.to_bits())));
    s.shelf(shelf, "small(BS)B", &[Value::Byte(-1), Value::Short(3)], value(Value::Byte(2)));
    s.shelf(shelf, "big(J)J", &[Value::Long(i64::MIN)], value(Value::Long(i64::MIN)));
    let seven = Value::Boxed(Box::new(Value::Int(7)));
    let boxed = "boxed(Ljava/lang/Integer;)Ljava/lang/Integer;";
    s.shelf(shelf, boxed, std::slice::from_ref(&seven), value(seven.clone()));
    s.shelf(shelf, "initial(Ljava/lang/String;)C", &[text("'x")], value(Value::Char(u16::from(b'\''))));
    s.ends("")
}

fn arrays_and_lists() -> TestCase {
    let mut s = Script::default();
    let shelf = s.construct(SHELF, "()V", &[]);
    let ints = s.then(Operation::NewArray { descriptor: "[I".into(), length: 2 }, "[I", Observed::Void);
    for (index, value) in [(0, 5), (1, -2)] {
        let value = lit(Value::Int(value));
        s.then(Operation::ArrayStore { array: Arg::Var(ints), index, value }, "V", Observed::Void);
    }
    s.call(shelf, SHELF, "sum([I)I", &[Arg::Var(ints)], value(Value::Int(3)));
    let grid = s.then(Operation::NewArray { descriptor: "[[I".into(), length: 3 }, "[[I", Observed::Void);
    s.call(shelf, SHELF, "cells([[I)I", &[Arg::Var(grid)], value(Value::Int(3)));
    let list = s.construct("java.util.ArrayList", "()V", &[]);
    let add = "add(Ljava/lang/Object;)Z";
    s.call(list, "java.util.ArrayList", add, &[lit(text("a"))], value(Value::Bool(true)));
    s.shelf(shelf, "where()Ljava/lang/String;", &[], value(text("/tmp/shelf")));
    s.ends("covers nothing in particular \\u000a with an escape")
}

fn declared_exception() -> TestCase {
    let mut s = Script::default();
    let shelf = s.construct(SHELF, "()V", &[]);
    let read = "read(Z)Ljava/lang/String;";
    s.shelf(shelf, read, &[Value::Bool(false)], value(text("read")));
    s.shelf(shelf, read, &[Value::Bool(true)], Observed::Void);
    s.observe(shelf, SHELF, "size()I", value(Value::Int(0)));
    s.throws("covers the exception of read(boolean)", "java.io.IOException", "no paper", true)
}

/// A drawer with two names.
fn drawer(s: &mut Script) -> u32 {
    let drawer = s.construct(DRAWER, "()V", &[]);
    for name in ["bolt", "nut"] {
        s.call(drawer, DRAWER, "put(Ljava/lang/String;)V", &[lit(text(name))], Observed::Void);
    }
    drawer
}

fn containers() -> TestCase {
    let mut s = Script::default();
    let drawer = drawer(&mut s);
    let [bolt, nut] = ["bolt", "nut"].map(text);
    let four = Value::Boxed(Box::new(Value::Int(4)));
    let mut holds = |of: &str, container, elements: &[Value]| {
        s.look(drawer, &[look(DRAWER, of, &[])], contents(container, elements));
    };
    holds("names()Ljava/util/List;", Container::List, &[bolt.clone(), nut.clone()]);
    holds("kinds()Ljava/util/Set;", Container::Set, &[nut, bolt.clone()]);
    holds("lengths()Ljava/util/Map;", Container::Map, &[bolt.clone(), four]);
    holds("first()Ljava/util/Optional;", Container::Optional, &[bolt]);
    let size = look("java.util.Collection", "size()I", &[]);
    s.look(drawer, &[look(DRAWER, "all()Ljava/util/Collection;", &[]), size], value(Value::Int(2)));
    s.ends("covers names.[] from put(String) to names()")
}

fn maps_of_several_entries() -> TestCase {
    let mut s = Script::default();
    let drawer = drawer(&mut s);
    let [four, three] = [4, 3].map(|n| Value::Boxed(Box::new(Value::Int(n))));
    let weights = [text("nut"), three.clone(), text("bolt"), four];
    let weights = contents(Container::Map, &weights);
    s.call(drawer, DRAWER, "weights()Ljava/util/Map;", &[], weights.clone());
    s.look(drawer, &[look(DRAWER, "weights()Ljava/util/Map;", &[])], weights);
    let mixed = [text("bolt"), Value::Null, text("nut"), three];
    s.look(drawer, &[look(DRAWER, "mixed()Ljava/util/Map;", &[])], contents(Container::Map, &mixed));
    s.ends("covers names.[] from put(String) to weights()")
}

fn containers_in_containers() -> TestCase {
    let mut s = Script::default();
    let drawer = drawer(&mut s);
    let [bolt, nut] = ["bolt", "nut"].map(text);
    let holding = |container: Container, elements: &[Observed]| container.holding(elements.to_vec());
    let only = |name: &Value| contents(Container::List, std::slice::from_ref(name));
    let sorted = [value(text("n")), only(&nut), value(text("b")), only(&bolt)];
    s.look(drawer, &[look(DRAWER, "sorted()Ljava/util/Map;", &[])], holding(Container::Map, &sorted));
    let four = Value::Boxed(Box::new(Value::Int(4)));
    let counted = [contents(Container::Map, &[bolt, four]), contents(Container::Map, &[])];
    s.look(drawer, &[look(DRAWER, "counted()Ljava/util/List;", &[])], holding(Container::List, &counted));
    s.ends("covers names.[] from put(String) to sorted()")
}

fn empty_containers_and_those_of_one() -> TestCase {
    let mut s = Script::default();
    let drawer = s.construct(DRAWER, "()V", &[]);
    let inner = look(DRAWER, "inner()Lshop/Drawer;", &[]);
    let inside = text("inside");
    let all = [
        ("names()Ljava/util/List;", Container::List, vec![], vec![inside.clone()]),
        ("kinds()Ljava/util/Set;", Container::Set, vec![], vec![inside]),
        ("lengths()Ljava/util/Map;", Container::Map, vec![], vec![]),
        ("first()Ljava/util/Optional;", Container::Optional, vec![], vec![]),
    ];
    for (of, container, outside, within) in all {
        s.look(drawer, &[look(DRAWER, of, &[])], contents(container.clone(), &outside));
        if !within.is_empty() {
            s.look(drawer, &[inner.clone(), look(DRAWER, of, &[])], contents(container, &within));
        }
    }
    s.ends("covers names from Drawer() to names()")
}

fn arrays_and_what_they_hold() -> TestCase {
    let mut s = Script::default();
    let drawer = drawer(&mut s);
    let array = |descriptor: &str| Container::Array(descriptor.to_owned());
    let mut holds = |of: &str, elements: &[Value]| {
        let container = array(of.split_once(')').unwrap().1);
        s.look(drawer, &[look(DRAWER, of, &[])], contents(container, elements));
    };
    holds("counts()[I", &[Value::Int(4), Value::Int(3)]);
    holds("halves()[D", &[Value::Double(2f64.to_bits()), Value::Double(1.5f64.to_bits())]);
    holds("labels()[Ljava/lang/String;", &[text("bolt"), Value::Null]);
    holds("none()[J", &[]);
    holds("types()[Ljava/lang/Class;", &[Value::Class("shop.Drawer".into())]);
    let items = look(DRAWER, "items()[Lshop/Item;", &[]);
    s.look(drawer, &[items.clone(), Look::Length], value(Value::Int(2)));
    let name = look("shop.Item", "name()Ljava/lang/String;", &[]);
    s.look(drawer, &[items, Look::Element(1), name], value(text("nut")));
    s.ends("covers names.[] from put(String) to items()")
}

fn values_that_a_text_gives_back() -> TestCase {
    let mut s = Script::default();
    let drawer = s.construct(DRAWER, "()V", &[]);
    let parsed = |class: &str, text: &str| Value::Parsed(class.into(), text.into());
    let day = |text: &str| parsed("java.time.LocalDate", text);
    for (of, shows) in [
        ("capacity()Ljava/math/BigInteger;", parsed("java.math.BigInteger", "100000000000000000000")),
        ("width()Ljava/lang/Number;", parsed("java.math.BigDecimal", "12.50")),
        ("checked()Ljava/time/LocalDate;", day("2026-11-21")),
        ("page()Ljava/net/URI;", parsed("java.net.URI", "https://example.org/drawer?a=b")),
        ("file()Ljava/net/URI;", parsed("java.net.URI", "file:/tmp/drawer")),
    ] {
        s.look(drawer, &[look(DRAWER, of, &[])], value(shows));
    }
    let days = [day("2026-11-21"), day("2027-01-02")];
    s.look(drawer, &[look(DRAWER, "visits()Ljava/util/List;", &[])], contents(Container::List, &days));
    s.ends("covers names from Drawer() to capacity()")
}

fn elements_of_a_list() -> TestCase {
    let mut s = Script::default();
    let drawer = drawer(&mut s);
    let name = look("shop.Item", "name()Ljava/lang/String;", &[]);
    let list = look(DRAWER, "listed()Ljava/util/List;", &[]);
    let last = Look::Listed { index: 1, of: "Lshop/Item;".into() };
    s.look(drawer, &[list.clone(), last, name.clone()], value(text("nut")));
    // A method of what the list is not known to hold, and an element of what is no list, cannot be written.
    let other = Look::Listed { index: 0, of: "Lshop/Drawer;".into() };
    s.look(drawer, &[list, other.clone(), name], value(text("bolt")));
    s.look(drawer, &[other], value(text("bolt")));
    s.ends("covers names.[] from put(String) to listed()")
}

fn inspectors_with_arguments() -> TestCase {
    let mut s = Script::default();
    let drawer = drawer(&mut s);
    let holds = |text: Value| look(DRAWER, "holds(Ljava/lang/String;)Z", &[text]);
    s.look(drawer, &[holds(text("nut"))], value(Value::Bool(true)));
    s.look(drawer, &[holds(Value::Null)], value(Value::Bool(false)));
    s.ends("covers names.[] from put(String) to holds(String)")
}

/// A call of `with` on what is given as `on`, which gives the drawer `first` again.
fn with_name(s: &mut Script, on: u32, first: u32, name: &str) -> u32 {
    let drawer = Observed::Object(DRAWER.into());
    let index = s.call(on, DRAWER, "with(Ljava/lang/String;)Lshop/Drawer;", &[lit(text(name))], drawer);
    s.again(index, first)
}

fn one_variable_for_one_object() -> TestCase {
    let mut s = Script::default();
    let drawer = s.construct(DRAWER, "()V", &[]);
    let again = with_name(&mut s, drawer, drawer, "bolt");
    with_name(&mut s, again, drawer, "nut");
    let names = contents(Container::List, &["bolt", "nut"].map(text));
    s.look(again, &[look(DRAWER, "names()Ljava/util/List;", &[])], names);
    s.ends("covers names.[] from with(String) to names()")
}

fn chains(names: &[&str]) -> TestCase {
    let mut s = Script::default();
    let drawer = s.construct(DRAWER, "()V", &[]);
    let mut last = drawer;
    for name in names {
        last = with_name(&mut s, last, drawer, name);
    }
    s.call(last, DRAWER, "holds(Ljava/lang/String;)Z", &[lit(text("nut"))], value(Value::Bool(true)));
    s.ends("covers names.[] from with(String) to holds(String)")
}

fn one_cast_for_an_object_of_a_special_type() -> TestCase {
    let mut s = Script::default();
    let book = s.make("Emma", "shop.Book");
    s.call(book, "shop.Book", "turn()I", &[], value(Value::Int(1)));
    s.call(book, "shop.Book", "turn()I", &[], value(Value::Int(2)));
    s.call(book, "shop.Item", "name()Ljava/lang/String;", &[], value(text("Emma")));
    s.ends("covers page from turn() to turn()")
}

fn what_an_interface_has_is_called_without_a_cast() -> TestCase {
    let mut s = Script::default();
    let shelf = s.construct(SHELF, "()V", &[]);
    let book = s.make("Persuasion", "shop.Book");
    s.call(shelf, SHELF, "add(Lshop/Item;)Z", &[Arg::Var(book)], value(Value::Bool(true)));
    s.call(book, "shop.Book", "name()Ljava/lang/String;", &[], value(text("Persuasion")));
    s.observe(book, "shop.Book", "turn()I", value(Value::Int(1)));
    s.ends("covers name from Book(String) to name()")
}

fn what_is_passed_on_has_a_variable() -> TestCase {
    let mut s = Script::default();
    let shelf = s.construct(SHELF, "()V", &[]);
    let drawer = s.construct(DRAWER, "()V", &[]);
    let again = with_name(&mut s, drawer, drawer, "bolt");
    s.call(shelf, SHELF, "put(Ljava/lang/Object;)V", &[Arg::Var(again)], Observed::Void);
    s.observe(shelf, SHELF, "size()I", value(Value::Int(1)));
    s.ends("covers items.[] from put(Object) to size()")
}

fn the_object_that_was_given() -> TestCase {
    let mut s = Script::default();
    let book = s.make("Emma", "shop.Book");
    let drawer = s.construct(DRAWER, "()V", &[]);
    let kept = s.call(
        drawer,
        DRAWER,
        "keep(Lshop/Item;)Lshop/Drawer;",
        &[Arg::Var(book)],
        Observed::Object(DRAWER.into()),
    );
    s.again(kept, drawer);
    let given = s.call(kept, DRAWER, "kept()Lshop/Item;", &[], Observed::Same(book));
    s.again(given, book);
    with_name(&mut s, kept, drawer, "bolt");
    s.look(kept, &[look(DRAWER, "kept()Lshop/Item;", &[])], Observed::Same(given));
    s.ends("covers kept from keep(Item) to kept()")
}

fn only_the_exception() -> TestCase {
    let mut s = Script::default();
    let shelf = s.construct(SHELF, "()V", &[]);
    s.shelf(shelf, "read(Z)Ljava/lang/String;", &[Value::Bool(true)], Observed::Void);
    s.throws("covers the exception of read(boolean)", "java.io.IOException", "no paper", true)
}

fn going_on_after_exceptions() -> TestCase {
    let mut s = Script::default();
    let shelf = s.construct(SHELF, "()V", &[]);
    s.shelf(shelf, "put(Ljava/lang/String;)V", &[text("paper")], Observed::Void);
    s.shelf(shelf, "read(Z)Ljava/lang/String;", &[Value::Bool(true)], Observed::Void);
    s.caught("java.io.IOException", true);
    s.shelf(shelf, "fail()V", &[], Observed::Void);
    s.caught("java.lang.IllegalStateException", false);
    s.shelf(shelf, "size()I", &[], value(Value::Int(1)));
    s.ends("covers items from put(String) to size()")
}

fn undeclared_exception() -> TestCase {
    let mut s = Script::default();
    let shelf = s.construct(SHELF, "()V", &[]);
    s.shelf(shelf, "size()I", &[], value(Value::Int(0)));
    s.shelf(shelf, "fail()V", &[], Observed::Void);
    let message = "shelf\\uBAD broke";
    s.throws("covers items from Shelf() to fail()", "java.lang.IllegalStateException", message, false)
}

fn opaque() -> TestCase {
    let mut s = Script::default();
    s.then(Operation::Opaque("lambda".into()), "Ljava/lang/Object;", Observed::Void);
    s.ends("cannot be written")
}

fn all_tests() -> Vec<TestCase> {
    vec![
        interfaces_and_casts(),
        overloads_and_varargs(),
        nested_classes_and_enums(),
        numbers(),
        arrays_and_lists(),
        declared_exception(),
        only_the_exception(),
        only_the_exception(),
        undeclared_exception(),
        opaque(),
        containers(),
        empty_containers_and_those_of_one(),
        arrays_and_what_they_hold(),
        inspectors_with_arguments(),
        elements_of_a_list(),
        one_variable_for_one_object(),
        chains(&["bolt", "nut"]),
        chains(&["a bolt that is much too long for a line", "a screw", "nut"]),
        one_cast_for_an_object_of_a_special_type(),
        what_is_passed_on_has_a_variable(),
        the_object_that_was_given(),
        maps_of_several_entries(),
        values_that_a_text_gives_back(),
        what_an_interface_has_is_called_without_a_cast(),
        containers_in_containers(),
        going_on_after_exceptions(),
    ]
}

fn generated(junit: &str) -> Generated {
    generated_in(style(junit).unwrap())
}

fn generated_in(style: &'static Style) -> Generated {
    generated_as(style, &Manner::default())
}

/// Sources beside those of a project for a recent Java that indents by tabs.
fn recent() -> Manner {
    Manner { java: 17, indent: "\t".to_owned(), width: 80 }
}

/// JUnit 4 from 4.13 on.
fn recent_junit_4() -> &'static Style {
    style("4").unwrap().of_version(|_| true)
}

fn generated_as(style: &'static Style, manner: &Manner) -> Generated {
    generated_of(style, manner, &all_tests())
}

fn generated_of(style: &'static Style, manner: &Manner, tests: &[TestCase]) -> Generated {
    generate(&Request { class: SHELF, style, manner, first: 1, existing: &[], tests, types: &types() })
}

fn compare_with_golden(folder: &str, generated: &Generated) {
    for source in &generated.sources {
        let name = Path::new(&source.path).file_name().unwrap();
        let golden = here().join("golden").join(folder).join(name);
        if std::env::var_os("DYNAFLOW_BLESS").is_some() {
            std::fs::create_dir_all(golden.parent().unwrap()).unwrap();
            std::fs::write(&golden, &source.text).unwrap();
        }
        let expected = std::fs::read_to_string(&golden).unwrap_or_default();
        assert!(
            expected == source.text,
            "{} differs; DYNAFLOW_BLESS=1 writes it anew. Now:\n{}",
            golden.display(),
            source.text
        );
    }
}

#[test]
fn the_sources_are_those_of_the_golden_files() {
    compare_with_golden("junit4", &generated("4"));
    compare_with_golden("junit5", &generated("5"));
    compare_with_golden("junit4-hamcrest", &generated_in(hamcrest()));
    compare_with_golden("junit5-assertj", &generated_in(assertj()));
    let throwing =
        [declared_exception(), only_the_exception(), undeclared_exception(), going_on_after_exceptions()];
    compare_with_golden("junit4-recent", &generated_of(recent_junit_4(), &Manner::default(), &throwing));
    compare_with_golden("junit5-recent", &generated_as(style("5").unwrap(), &recent()));
}

fn hamcrest() -> &'static Style {
    style("4").unwrap().with(Library::Hamcrest)
}

fn assertj() -> &'static Style {
    style("5").unwrap().with(Library::AssertJ)
}

#[test]
fn files_with_the_assertions_of_a_library_are_read_as_such() {
    for style in [assertj(), hamcrest(), style("5").unwrap()] {
        let source = &generated_in(style).sources[0];
        assert_eq!(Existing::read(&source.path, &source.text).unwrap().style(), style);
    }
}

#[test]
fn a_file_goes_on_as_it_is_indented() {
    for indent in ["\t", "  "] {
        let manner = Manner { indent: indent.to_owned(), ..Manner::default() };
        let tests = all_tests();
        let request = Request {
            class: SHELF,
            style: style("5").unwrap(),
            manner: &manner,
            first: 1,
            existing: &[],
            tests: &tests[..6],
            types: &types(),
        };
        let source = generate(&request).sources.remove(0);
        let before = Existing::read(&source.path, &source.text).unwrap();
        assert_eq!(before.comments("last_thenPutAllTwice_returnsTwo").len(), 1);
        let (first, existing) = (2, &[before][..]);
        let other = Manner::default();
        let request = Request { first, existing, tests: &tests[9..], manner: &other, ..request };
        let text = generate(&request).sources.remove(0).text;
        let inside =
            text.lines().skip_while(|line| !line.starts_with("class")).filter(|line| !line.is_empty());
        let inside: Vec<&str> = inside.skip(1).collect();
        let (last, body) = inside.split_last().unwrap();
        assert!(*last == "}" && body.iter().all(|line| line.starts_with(indent)), "{text}");
        assert_eq!(indent == "\t", !text.contains("\n  "), "{text}");
        assert!(text.contains(&format!("\n{indent}{indent}Drawer drawer = ")), "{text}");
    }
}

#[test]
fn every_test_is_placed_or_left_out_with_a_reason() {
    let generated = generated("5");
    let methods: Vec<&str> = generated
        .placed
        .iter()
        .map(|placed| match placed {
            Placed::Written { method, .. } => method.as_str(),
            Placed::LeftOut(reason) => reason.as_str(),
        })
        .collect();
    assert_eq!(methods[0], "turn_thenAddTwice_returnsTrue");
    assert_eq!(methods[6], "read_throwsIOException");
    assert_eq!(methods[7], "readWithTrue_throwsIOException");
    assert_eq!(methods[9], "it needs something that cannot be rebuilt: lambda");
    assert!(
        matches!(&generated.placed[8], Placed::Written { class, .. } if class == "shop.ShelfDynaflowFailures")
    );
}

#[test]
fn the_same_tests_give_the_same_bytes_in_ascii() {
    assert_eq!(generated("4"), generated("4"));
    assert!(generated("4").sources.iter().all(|source| source.text.is_ascii()));
}

/// What an earlier run wrote of the first tests.
fn existing(junit: &str, tests: &[TestCase]) -> Vec<Existing> {
    let style = style(junit).unwrap();
    let request = Request {
        class: SHELF,
        style,
        manner: &Manner::default(),
        first: 1,
        existing: &[],
        tests,
        types: &types(),
    };
    let sources = generate(&request).sources;
    sources.iter().map(|source| Existing::read(&source.path, &source.text).unwrap()).collect()
}

/// The rest of the tests, added to what is there.
fn extended(junit: &str, existing: &[Existing]) -> Generated {
    let tests = all_tests();
    let style = style(junit).unwrap();
    generate(&Request {
        class: SHELF,
        style,
        manner: &Manner::default(),
        first: 2,
        existing,
        tests: &tests[4..],
        types: &types(),
    })
}

#[test]
fn a_file_that_is_there_takes_further_tests_and_keeps_its_own_as_they_are() {
    for junit in ["4", "5"] {
        let before = existing(junit, &all_tests()[..4]);
        let names: Vec<&str> = before[0].methods().collect();
        assert_eq!((before.len(), names.len()), (1, 4));
        let generated = extended(junit, &before);
        let tests = &generated.sources[0];
        assert_eq!(
            (tests.class.as_str(), tests.path.as_str()),
            ("shop.ShelfDynaflowTest", "shop/ShelfDynaflowTest.java")
        );
        assert_eq!(
            (&tests.kept, tests.replaces.as_deref()),
            (&before[0].methods().map(str::to_owned).collect(), Some(before[0].text.as_str()))
        );
        let body = before[0].text.split_once(" {\n").unwrap().1.trim_end_matches("}\n");
        assert!(tests.text.contains(body), "{}", tests.text);
        let now: Vec<String> =
            Existing::read("", &tests.text).unwrap().methods().map(str::to_owned).collect();
        let distinct: std::collections::BTreeSet<&String> = now.iter().collect();
        assert_eq!((now.len(), distinct.len()), (24, 24), "{now:?}");
        // The tests of the finding have no file yet: theirs has the next number, in the folder of findings.
        assert_eq!(generated.sources[1].path, "findings/shop/Shelf2DynaflowFailures.java");
        assert_eq!(generated.sources[1].replaces, None);
    }
}

#[test]
fn nothing_is_written_of_a_file_that_takes_no_test() {
    let before = existing("4", &all_tests()[..4]);
    let request = Request {
        manner: &Manner::default(),
        class: SHELF,
        style: style("4").unwrap(),
        first: 2,
        existing: &before,
        tests: &[opaque()],
        types: &types(),
    };
    assert_eq!(generate(&request).sources, []);
}

#[test]
fn tests_and_what_only_they_import_can_be_left_out() {
    let [before] = &existing("5", &all_tests()[..8])[..] else { panic!("one file") };
    let first = before.methods().next().unwrap().to_owned();
    assert_eq!(&before.without(|_| false), before);
    let [with] = &extended("5", &[before.without(|name| name != first)]).sources[..1] else { panic!("none") };
    assert_eq!(with.kept, [first]);
    let nothing = before.without(|_| true);
    let words = "import java.util.ArrayList;";
    assert!(before.text.contains(words), "{}", before.text);
    let text = &generate(&Request {
        class: SHELF,
        style: style("5").unwrap(),
        manner: &Manner::default(),
        first: 2,
        existing: &[nothing],
        tests: &[declared_exception()],
        types: &types(),
    })
    .sources[0]
        .text;
    assert!(!text.contains(words) && text.contains("assertThrows"), "{text}");
}

#[test]
fn a_file_of_tests_that_fail_is_known_as_such_when_a_formatter_broke_its_comment_elsewhere() {
    let mut all = existing("4", &all_tests());
    let failing = all.iter_mut().find(|file| file.is_of_findings()).unwrap();
    let broken = failing.text.replacen("declared or\n * an", "declared\n * or an", 1);
    assert_ne!(broken, failing.text);
    assert!(Existing::read(&failing.path, &broken).unwrap().is_of_findings());
}

#[test]
fn a_file_whose_parts_do_not_make_the_same_text_again_is_not_read() {
    let before = &existing("4", &all_tests()[..8])[0].text;
    assert!(Existing::read("", before).is_some());
    for (was, is) in [
        ("public class", "public final class"),
        ("    }\n}\n", "    }\n\n    int field;\n}\n"),
        (" * Tests of", " * Good tests of"),
    ] {
        let text = before.replacen(was, is, 1);
        assert!(text != *before && Existing::read("", &text).is_none(), "{was:?}");
    }
}

/// Compiles the fixture and the sources with every warning an error, and gives the class path to run them with.
fn compile(
    home: Option<&Path>,
    folder: &Path,
    generated: &Generated,
    jars: &[PathBuf],
) -> std::ffi::OsString {
    let classes = folder.join("classes");
    std::fs::create_dir_all(&classes).unwrap();
    let mut files = vec![];
    for path in ["shop/Shelf.java", "shop/Drawer.java", "shop/Item.java", "shop/Book.java", "store/Item.java"]
    {
        files.push(here().join("fixture").join(path));
    }
    for source in &generated.sources {
        let file = folder.join(&source.path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, &source.text).unwrap();
        files.push(file);
    }
    let all = jars.iter().cloned().chain([classes.clone()]);
    let class_path = std::env::join_paths(all).unwrap();
    let mut javac = java::javac(home);
    javac.args([
        "-Xlint:all",
        "-Xlint:-processing,-classfile,-path,-serial,-static",
        "-Werror",
        "-encoding",
        "US-ASCII",
    ]);
    javac.arg("-d").arg(&classes).arg("-cp").arg(&class_path).args(&files);
    let (compiled, text) = run(&mut javac);
    assert!(compiled, "javac refused the sources:\n{text}");
    class_path
}

#[test]
fn junit_4_runs_the_tests_green_and_the_failures_red() {
    let jars = [jar("junit-4.13.2.jar"), jar("hamcrest-core-1.3.jar")];
    let extended = extended("4", &existing("4", &all_tests()[..4]));
    let all = [generated("4"), extended, generated_in(hamcrest()), generated_in(recent_junit_4())];
    for (home, generated) in
        java_homes().into_iter().flat_map(|home| all.iter().map(move |one| (home.clone(), one)))
    {
        let folder = tempfile::tempdir().unwrap();
        let class_path = compile(home.as_deref(), folder.path(), generated, &jars);
        let runner = |class: &str| {
            let mut java = tool(home.as_deref(), "java");
            java.arg("-cp").arg(&class_path).arg("org.junit.runner.JUnitCore").arg(class);
            run(&mut java)
        };
        let (green, text) = runner("shop.ShelfDynaflowTest");
        assert!(green && text.contains("OK (24 tests)"), "{text}");
        let (green, text) = runner(&generated.sources[1].class);
        assert!(!green && text.contains("Tests run: 1,  Failures: 1"), "{text}");
        assert!(text.contains("IllegalStateException"), "{text}");
    }
}

#[test]
fn junit_5_runs_the_tests_green_and_the_failures_red() {
    let jars = ["junit-platform-console-standalone-1.11.4", "assertj-core-3.26.3", "byte-buddy-1.17.7"];
    let jars = jars.map(|name| jar(&format!("{name}.jar")));
    let all = [generated("5"), generated_in(assertj()), generated_as(style("5").unwrap(), &recent())];
    for (home, generated) in
        java_homes().into_iter().flat_map(|home| all.iter().map(move |one| (home.clone(), one)))
    {
        let folder = tempfile::tempdir().unwrap();
        let class_path = compile(home.as_deref(), folder.path(), generated, &jars);
        let runner = |class: &str| {
            let mut java = tool(home.as_deref(), "java");
            java.arg("-cp").arg(&class_path).arg("org.junit.platform.console.ConsoleLauncher");
            java.args(["execute", "--disable-banner", "--disable-ansi-colors", "--select-class", class]);
            run(&mut java)
        };
        let (green, text) = runner("shop.ShelfDynaflowTest");
        assert!(green && text.contains("24 tests successful"), "{text}");
        let (green, text) = runner("shop.ShelfDynaflowFailures");
        assert!(
            !green && text.contains("1 tests failed") && text.contains("IllegalStateException"),
            "{text}"
        );
    }
}
