//! Objects of interfaces that tests implement themselves, as people write them: lambdas and anonymous classes, with type arguments. Compared
//! with a golden file and compiled with every warning an error.
//!
//! `DYNAFLOW_BLESS=1` writes the golden file anew.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic, which fails the test")]

mod common;
mod java;

use common::{Script, callable, declared, info, method, text, value, with};
use dynaflow_model::declared::Declared;
use dynaflow_model::descriptor;
use dynaflow_model::frameworks::style;
use dynaflow_model::outcome::Observed;
use dynaflow_model::sequence::{Answer, Arg, Operation, Value};
use dynaflow_model::sites::CallKind;
use dynaflow_model::types::{TypeInfo, Visibility};
use dynaflow_search::Types;
use dynaflow_testgen::{Generated, Manner, Placed, Request, TestCase, generate};
use java::{here, jar, java_homes, run, tool};
use std::sync::Arc;

const CLERK: &str = "shop.Clerk";
const REGISTER: &str = "shop.Clerk$Register";
const BELL: &str = "shop.Clerk$Bell";
const LIST: &str = "java.util.ArrayList";
const OBJECT: &str = "java.lang.Object";
const PREDICATE: &str = "java.util.function.Predicate";
const FUNCTION: &str = "java.util.function.Function";
const SUPPLIER: &str = "java.util.function.Supplier";
const COMPARATOR: &str = "java.util.Comparator";

const KEY: &str = "key(Ljava/lang/String;J)Ljava/lang/Object;";
const COUNT: &str = "count([Ljava/lang/String;)I";
const TEST: &str = "test(Ljava/lang/Object;)Z";
const APPLY: &str = "apply(Ljava/lang/Object;)Ljava/lang/Object;";
const GET: &str = "get()Ljava/lang/Object;";
const COMPARE: &str = "compare(Ljava/lang/Object;Ljava/lang/Object;)I";

const OF: &str = "(Lshop/Clerk$Register;)V";
const KEYED: &str = "key(Ljava/lang/String;)Ljava/lang/Object;";
const ACCEPTS: &str = "accepts(Ljava/util/function/Predicate;)Z";
const ASK: &str = "ask(Ljava/util/function/Function;)Ljava/lang/Object;";
const ORDER: &str = "order(Ljava/util/Comparator;)I";
const SUPPLIED: &str = "supplied(Ljava/util/function/Supplier;)Ljava/lang/Object;";
const LISTED: &str = "listed(Ljava/util/function/Supplier;)Ljava/util/List;";
const RUN: &str = "run(Ljava/lang/Runnable;)V";
const RUN_ALL: &str = "run(Ljava/util/function/Supplier;)V";
const RING: &str = "ring(Lshop/Clerk$Bell;)V";

fn all_declared() -> Declared {
    let one = "<T:Ljava/lang/Object;>Ljava/lang/Object;";
    let of_clerk: &[(&str, &str, &[&str])] = &[
        ("<init>(Lshop/Clerk$Register;)V", "(Lshop/Clerk$Register<TT;>;)V", &["register"]),
        (KEYED, "(Ljava/lang/String;)TT;", &["name"]),
        (ACCEPTS, "(Ljava/util/function/Predicate<-Ljava/lang/String;>;)Z", &["wanted"]),
        (ASK, "<R:Ljava/lang/Object;>(Ljava/util/function/Function<-Ljava/lang/String;+TR;>;)TR;", &["by"]),
        (ORDER, "(Ljava/util/Comparator<Ljava/lang/String;>;)I", &["order"]),
        (SUPPLIED, "(Ljava/util/function/Supplier<TT;>;)TT;", &["supplier"]),
        (
            LISTED,
            "(Ljava/util/function/Supplier<Ljava/util/List<TT;>;>;)Ljava/util/List<TT;>;",
            &["supplier"],
        ),
        (RUN, "(Ljava/lang/Runnable;)V", &["action"]),
        (RUN_ALL, "(Ljava/util/function/Supplier<TT;>;)V", &["action"]),
        (RING, "(Lshop/Clerk$Bell;)V", &["bell"]),
    ];
    let of_register: &[(&str, &str, &[&str])] = &[
        (KEY, "(Ljava/lang/String;J)TK;", &[]),
        (COUNT, "([Ljava/lang/String;)I", &[]),
        ("close()V", "()V", &[]),
    ];
    let register = "<K:Ljava/lang/Object;>Ljava/lang/Object;";
    let list = "<E:Ljava/lang/Object;>Ljava/lang/Object;Ljava/util/List<TE;>;";
    let function = "<T:Ljava/lang/Object;R:Ljava/lang/Object;>Ljava/lang/Object;";
    Declared::from([
        (CLERK.to_owned(), declared(one, of_clerk)),
        (REGISTER.to_owned(), declared(register, of_register)),
        (LIST.to_owned(), declared(list, &[("<init>()V", "()V", &[])])),
        ("java.util.List".to_owned(), declared("<E:Ljava/lang/Object;>Ljava/lang/Object;", &[])),
        (PREDICATE.to_owned(), declared(one, &[(TEST, "(TT;)Z", &[])])),
        (FUNCTION.to_owned(), declared(function, &[(APPLY, "(TT;)TR;", &[])])),
        (SUPPLIER.to_owned(), declared(one, &[(GET, "()TT;", &[])])),
        (COMPARATOR.to_owned(), declared(one, &[(COMPARE, "(TT;TT;)I", &["o1", "o2"])])),
    ])
}

fn interface(name: &str, methods: &[&str]) -> TypeInfo {
    let mut info = info(name, &[]);
    (info.is_interface, info.is_abstract) = (true, true);
    info.to_implement = Some(methods.iter().map(|text| method(name, text)).collect());
    info
}

fn types() -> Types {
    let of_clerk = ["size()I", ACCEPTS, ASK, ORDER, SUPPLIED, LISTED, RUN, RUN_ALL, RING];
    let mut bell = interface(BELL, &[]);
    bell.visibility = Visibility::Package;
    let mut clerk = with(info(CLERK, &[OBJECT]), &[OF], &of_clerk);
    clerk.methods.push(callable(CLERK, KEYED, CallKind::Virtual, &["java.io.IOException"]));
    let all = [
        clerk,
        interface(REGISTER, &["close()V", COUNT, KEY]),
        bell,
        interface(PREDICATE, &[TEST]),
        interface(FUNCTION, &[APPLY]),
        interface(SUPPLIER, &[GET]),
        interface(COMPARATOR, &[COMPARE]),
        interface("java.lang.Runnable", &["run()V"]),
        with(info(LIST, &[OBJECT, "java.util.List"]), &["()V"], &["size()I"]),
    ];
    Types::new(all, "shop").with_declared(Arc::new(all_declared()))
}

/// Calls of a clerk, of which the register answers the same in every test.
struct Clerks {
    script: Script,
    clerk: u32,
}

fn literal(word: &str) -> Answer {
    Answer::Arg(Arg::Value(text(word)))
}

fn boxed(number: i32) -> Answer {
    Answer::Arg(Arg::Value(Value::Boxed(Box::new(Value::Int(number)))))
}

fn int(number: i32) -> Answer {
    Answer::Arg(Arg::Value(Value::Int(number)))
}

impl Clerks {
    fn with_key(key: Answer) -> Self {
        let mut script = Script::default();
        let answers = vec![("close()V", Answer::Nothing), (COUNT, int(2)), (KEY, key)];
        let register = stub(&mut script, REGISTER, answers);
        let clerk = script.construct(CLERK, OF, &[Arg::Var(register)]);
        Self { script, clerk }
    }

    /// Passes a stub of one method.
    fn pass(&mut self, interface: &str, of: &str, answer: Answer, to: &str, observed: Observed) -> u32 {
        let given = stub(&mut self.script, interface, vec![(of, answer)]);
        self.script.call(self.clerk, CLERK, to, &[Arg::Var(given)], observed)
    }
}

fn stub(script: &mut Script, interface: &str, answers: Vec<(&str, Answer)>) -> u32 {
    let answers = answers.into_iter().map(|(text, answer)| (method(interface, text), answer)).collect();
    let operation = Operation::Stub { interface: interface.into(), answers };
    script.then(operation, &descriptor::of_class(interface), Observed::Object(interface.into()))
}

/// What it answers decides the type argument of the register, and that the one of the clerk.
fn an_anonymous_class() -> TestCase {
    let mut s = Clerks::with_key(literal("k"));
    let args = [Arg::Value(text("a"))];
    s.script.call(s.clerk, CLERK, KEYED, &args, value(text("k")));
    s.script.call(s.clerk, CLERK, "size()I", &[], value(Value::Int(2)));
    s.script.ends("register.key() gives what key() gives")
}

fn lambdas_of_every_shape() -> TestCase {
    let mut s = Clerks::with_key(boxed(3));
    s.pass(PREDICATE, TEST, Answer::Arg(Arg::Value(Value::Bool(true))), ACCEPTS, value(Value::Bool(true)));
    s.pass(FUNCTION, APPLY, Answer::Parameter(0), ASK, value(text("a")));
    s.pass(FUNCTION, APPLY, boxed(5), ASK, value(Value::Boxed(Box::new(Value::Int(5)))));
    s.pass(COMPARATOR, COMPARE, int(-1), ORDER, value(Value::Int(-1)));
    s.pass(SUPPLIER, GET, Answer::Arg(Arg::Value(Value::Null)), SUPPLIED, value(Value::Null));
    s.pass("java.lang.Runnable", "run()V", Answer::Nothing, RUN, Observed::Void);
    s.pass(SUPPLIER, GET, boxed(3), RUN_ALL, Observed::Void);
    s.script.ends("lambdas")
}

/// What a lambda gives was made before it, once, however often it is called.
fn a_lambda_that_gives_an_object() -> TestCase {
    let mut s = Clerks::with_key(literal("k"));
    let list = s.script.construct(LIST, "()V", &[]);
    let given = stub(&mut s.script, SUPPLIER, vec![(GET, Answer::Arg(Arg::Var(list)))]);
    let listed = Observed::Object(LIST.into());
    s.script.call(s.clerk, CLERK, LISTED, &[Arg::Var(given)], listed.clone());
    s.script.call(s.clerk, CLERK, LISTED, &[Arg::Var(given)], listed);
    s.script.ends("")
}

fn an_interface_without_methods() -> TestCase {
    let mut s = Clerks::with_key(literal("k"));
    let bell = stub(&mut s.script, BELL, vec![]);
    s.script.call(s.clerk, CLERK, RING, &[Arg::Var(bell)], Observed::Void);
    s.script.ends("")
}

/// A parameter that does not exist cannot be given back.
fn what_cannot_be_written() -> TestCase {
    let mut s = Clerks::with_key(literal("k"));
    s.pass(SUPPLIER, GET, Answer::Parameter(0), SUPPLIED, value(Value::Null));
    s.script.ends("")
}

fn generated(tests: &[TestCase]) -> Generated {
    in_java(8, tests)
}

fn in_java(java: u16, tests: &[TestCase]) -> Generated {
    let (style, types) = (style("4").unwrap(), types());
    generate(&Request {
        class: CLERK,
        style,
        manner: &Manner { java, ..Manner::default() },
        first: 1,
        existing: &[],
        tests,
        types: &types,
    })
}

#[test]
fn stubs_are_those_of_the_golden_file_and_javac_warns_of_nothing() {
    let tests = [
        an_anonymous_class(),
        lambdas_of_every_shape(),
        a_lambda_that_gives_an_object(),
        an_interface_without_methods(),
    ];
    let source = &generated(&tests).sources[0];
    let golden = here().join("golden/stubs/ClerkDynaflowTest.java");
    if std::env::var_os("DYNAFLOW_BLESS").is_some() {
        std::fs::create_dir_all(golden.parent().unwrap()).unwrap();
        std::fs::write(&golden, &source.text).unwrap();
    }
    let expected = std::fs::read_to_string(&golden).unwrap_or_default();
    assert!(expected == source.text, "DYNAFLOW_BLESS=1 writes it anew. Now:\n{}", source.text);
    let jars = std::env::join_paths([jar("junit-4.13.2.jar"), jar("hamcrest-core-1.3.jar")]).unwrap();
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let mut javac = java::javac(home.as_deref());
        javac.args(["-Xlint:all,-processing,-classfile,-path", "-Werror", "-d"]).arg(folder.path());
        javac.arg("-cp").arg(&jars).arg(here().join("fixture/shop/Clerk.java")).arg(&golden);
        let (compiled, text) = run(&mut javac);
        assert!(compiled, "javac refused the sources:\n{text}");
        let paths = std::env::split_paths(&jars).chain([folder.path().to_owned()]);
        let mut java = tool(home.as_deref(), "java");
        java.arg("-cp").arg(std::env::join_paths(paths).unwrap());
        let (passed, text) = run(java.args(["org.junit.runner.JUnitCore", "shop.ClerkDynaflowTest"]));
        assert!(passed, "{text}");
    }
}

#[test]
fn a_stub_that_java_cannot_express_is_left_out_with_the_reason() {
    let placed = &generated(&[what_cannot_be_written()]).placed[0];
    assert!(matches!(placed, Placed::LeftOut(why) if why == "there is no parameter 0"), "{placed:?}");
}

#[test]
fn before_java_8_there_are_no_lambdas_and_what_needs_them_is_left_out() {
    let generated = in_java(7, &[lambdas_of_every_shape(), a_lambda_that_gives_an_object()]);
    let text = &generated.sources[0].text;
    assert!(text.contains("new Predicate<String>() {") && !text.contains("->"), "{text}");
    let placed = &generated.placed[1];
    assert!(matches!(placed, Placed::LeftOut(why) if why.contains("final variables")), "{placed:?}");
}

#[test]
fn a_file_with_stubs_is_read_back_and_takes_more_tests() {
    let source = generated(&[an_anonymous_class()]).sources.remove(0);
    let existing = dynaflow_testgen::Existing::read(&source.path, &source.text).unwrap();
    assert_eq!(existing.methods().count(), 1);
}
