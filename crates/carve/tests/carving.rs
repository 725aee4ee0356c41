//! What a carved test holds, by the events a small test class would send.

use dynaflow_carve::{Carried, Carver, Limits};
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sequence::{Arg, CarvedTest, Operation, Value};
use dynaflow_model::sites::{CallKind, FieldRef, MethodRef, Origin, SiteKind};

const TEST: &str = "a.OuterTest";
const OUTER: ObjectId = ObjectId(10);
const MIDDLE: ObjectId = ObjectId(11);

fn method(owner: &str, name: &str, descriptor: &str) -> MethodRef {
    MethodRef { owner: owner.into(), name: name.into(), descriptor: descriptor.into() }
}

fn site(owner: &str, name: &str, descriptor: &str, kind: CallKind) -> SiteKind {
    SiteKind::Call { callee: method(owner, name, descriptor), kind }
}

fn virtual_site(owner: &str, name: &str, descriptor: &str) -> SiteKind {
    site(owner, name, descriptor, CallKind::Virtual)
}

fn object(id: ObjectId, class: &str) -> Carried {
    Carried::Object(id, Some(class.into()))
}

/// Drives a carver the way a recorded thread does.
struct Script {
    carver: Carver,
    thread: u64,
}

impl Script {
    fn new() -> Self {
        Self { carver: Carver::new(), thread: 1 }
    }

    fn call(&mut self, site: &SiteKind, receiver: ObjectId, args: Vec<Carried>) {
        for arg in args {
            self.carver.argument(self.thread, arg);
        }
        self.carver.call(self.thread, site, TEST, receiver);
    }

    /// A call of a program method that returns.
    fn whole_call(&mut self, site: &SiteKind, receiver: ObjectId, args: Vec<Carried>, result: Carried) {
        self.call(site, receiver, args);
        self.carver.entered(self.thread, false);
        self.carver.left(self.thread, false);
        self.carver.returned(self.thread, result);
    }

    fn new_outer(&mut self) {
        let init = site("a.Outer", "<init>", "()V", CallKind::Constructor);
        self.whole_call(&init, ObjectId::NULL, vec![], object(OUTER, "a.Outer"));
    }

    fn probe(&mut self) {
        let probe = virtual_site("a.Outer", "probe", "()Z");
        self.whole_call(&probe, OUTER, vec![], Carried::Value(Value::Int(1)));
    }

    fn begin(&mut self, name: &str) {
        self.carver.begin_test(name);
        self.carver.entered(self.thread, true);
    }

    fn end(&mut self) -> CarvedTest {
        self.carver.left(self.thread, true);
        self.carver.end_test()
    }
}

fn names(test: &CarvedTest) -> Vec<String> {
    let one = |operation: &Operation| match operation {
        Operation::New { constructor, .. } => format!("new {}", constructor.owner),
        Operation::Call { method, .. } => method.name.clone(),
        Operation::GetStatic(field) => format!("static {}", field.name),
        Operation::GetField { field, .. } => format!("field {}", field.name),
        Operation::NewArray { descriptor, length } => format!("{descriptor}{length}"),
        Operation::ArrayStore { index, .. } => format!("store {index}"),
        Operation::Opaque(what) => format!("? {what}"),
        Operation::Stub { interface, .. } => unreachable!("a stub of {interface} is carved"),
        Operation::Contract { class, .. } => unreachable!("a contract of {class} is carved"),
    };
    test.sequence.statements.iter().map(|s| one(&s.operation)).collect()
}

/// A constant of an enum, as it comes back from a field or a call.
fn dark() -> Carried {
    Carried::Constant { object: ObjectId(90), class: "a.Shade".into(), name: "DARK".into() }
}

fn read_dark() -> SiteKind {
    let field = FieldRef { owner: "a.Shade".into(), name: "DARK".into(), descriptor: "La/Shade;".into() };
    SiteKind::Origin { origin: Origin::StaticField(field) }
}

#[test]
fn a_constant_is_a_literal_as_an_argument_and_its_field_where_a_call_is_made_on_it() {
    let mut s = Script::new();
    s.begin("a.OuterTest#t");
    s.call(&read_dark(), ObjectId::NULL, vec![]);
    s.carver.returned(1, dark());
    let set = site("a.Outer", "set", "(La/Shade;)V", CallKind::Static);
    s.whole_call(&set, ObjectId::NULL, vec![dark()], Carried::Void);
    let depth = virtual_site("a.Shade", "depth", "()I");
    for _ in 0..2 {
        s.whole_call(&depth, ObjectId(90), vec![], Carried::Value(Value::Int(3)));
    }
    let test = s.end();
    assert_eq!(names(&test), ["set", "static DARK", "depth", "depth"]);
    let literal = Arg::Value(Value::Enum("a.Shade".into(), "DARK".into()));
    assert_eq!(test.sequence.statements[0].operation.args(), [&literal]);
    assert_eq!(test.sequence.statements[2].operation.args(), [&Arg::Var(1)]);
    assert_eq!(test.sequence.statements[3].operation.args(), [&Arg::Var(1)]);
    assert_eq!(test.obstacle, None);
}

#[test]
fn a_call_on_a_constant_that_a_call_gave_is_made_on_its_result() {
    let mut s = Script::new();
    s.begin("a.OuterTest#t");
    s.new_outer();
    let (shade, depth) =
        (virtual_site("a.Outer", "shade", "()La/Shade;"), virtual_site("a.Shade", "depth", "()I"));
    for _ in 0..2 {
        s.whole_call(&shade, OUTER, vec![], dark());
        s.whole_call(&depth, ObjectId(90), vec![], Carried::Value(Value::Int(3)));
    }
    let test = s.end();
    assert_eq!(names(&test), ["new a.Outer", "shade", "depth", "shade", "depth"]);
    assert_eq!(test.sequence.statements[2].operation.args(), [&Arg::Var(1)]);
    assert_eq!(test.sequence.statements[4].operation.args(), [&Arg::Var(3)], "the result of the call before");
}

#[test]
fn an_object_is_the_variable_of_the_statement_that_made_it() {
    let mut s = Script::new();
    s.begin("a.OuterTest#t");
    s.new_outer();
    s.call(&virtual_site("a.Outer", "middle", "()La/Middle;"), OUTER, vec![]);
    assert_eq!(s.carver.current_statement(1), Some(1));
    s.carver.returned(1, object(MIDDLE, "a.Middle"));
    assert_eq!(s.carver.current_statement(1), None);
    let set = virtual_site("a.Outer", "set", "(La/Middle;Z)V");
    s.whole_call(&set, OUTER, vec![object(MIDDLE, "a.Middle"), Carried::Value(Value::Int(1))], Carried::Void);
    assert_eq!(s.carver.variable_of(MIDDLE), Some(1));
    let test = s.end();
    assert_eq!(names(&test), ["new a.Outer", "middle", "set"]);
    let args = test.sequence.statements[2].operation.args();
    assert_eq!(args, [&Arg::Var(0), &Arg::Var(1), &Arg::Value(Value::Bool(true))]);
    assert_eq!(test.obstacle, None);
    assert_eq!(test.sequence.statements[1].runtime_class.as_deref(), Some("a.Middle"));
}

#[test]
fn an_argument_nobody_made_is_opaque_and_an_obstacle() {
    let mut s = Script::new();
    s.begin("a.OuterTest#t");
    s.new_outer();
    let set = virtual_site("a.Outer", "set", "(La/Middle;)V");
    s.whole_call(&set, OUTER, vec![object(MIDDLE, "a.Middle")], Carried::Void);
    let test = s.end();
    assert_eq!(
        names(&test),
        ["new a.Outer", "? object of class a.Middle made outside the test's calls", "set"]
    );
    assert!(test.obstacle.unwrap().contains("statement 1 cannot be rebuilt"));
}

#[test]
fn a_helper_of_the_test_class_is_replaced_by_the_calls_it_makes() {
    let mut s = Script::new();
    s.begin("a.OuterTest#t");
    s.call(&virtual_site(TEST, "helper", "()La/Outer;"), ObjectId(99), vec![]);
    s.carver.entered(1, true);
    s.new_outer();
    s.carver.left(1, true);
    s.carver.returned(1, object(OUTER, "a.Outer"));
    s.probe();
    let test = s.end();
    assert_eq!(names(&test), ["new a.Outer", "probe"]);
    assert_eq!(test.obstacle, None);
}

#[test]
fn assertions_a_test_class_inherits_are_no_calls() {
    let mut s = Script::new();
    s.begin("a.OuterTest#t");
    s.new_outer();
    let equals = site(TEST, "assertEquals", "(Ljava/lang/Object;Ljava/lang/Object;)V", CallKind::Static);
    s.call(&equals, ObjectId::NULL, vec![object(OUTER, "a.Outer"), object(MIDDLE, "a.Middle")]);
    s.carver.returned(1, Carried::Void);
    let name = virtual_site("java.lang.Class", "getName", "()Ljava/lang/String;");
    s.whole_call(&name, ObjectId(80), vec![], Carried::Value(Value::Str("a.Outer".into())));
    let test = s.end();
    assert_eq!((names(&test), test.obstacle), (vec!["new a.Outer".to_owned()], None));
}

#[test]
fn calls_of_a_callback_inside_the_program_are_part_of_the_statement_that_led_there() {
    let mut s = Script::new();
    s.begin("a.OuterTest#t");
    s.new_outer();
    s.call(&virtual_site("a.Outer", "each", "()V"), OUTER, vec![]);
    s.carver.entered(1, false);
    s.carver.entered(1, true);
    s.call(&virtual_site("a.Outer", "probe", "()Z"), OUTER, vec![]);
    assert_eq!(s.carver.current_statement(1), Some(1), "the callback belongs to `each`");
    s.carver.returned(1, Carried::Value(Value::Int(0)));
    s.carver.left(1, true);
    s.carver.left(1, false);
    s.carver.returned(1, Carried::Void);
    assert_eq!(names(&s.end()), ["new a.Outer", "each"]);
}

#[test]
fn checks_of_a_test_library_are_left_out_but_not_what_runs_inside_them() {
    let mut s = Script::new();
    s.begin("a.OuterTest#t");
    s.new_outer();
    let lambda = SiteKind::Origin { origin: Origin::Opaque("lambda".into()) };
    s.call(&lambda, ObjectId::NULL, vec![]);
    s.carver.returned(1, object(ObjectId(50), "a.OuterTest$$Lambda/1"));
    let assert = site(
        "org.junit.jupiter.api.Assertions",
        "assertThrows",
        "(Ljava/lang/Object;)Ljava/lang/Throwable;",
        CallKind::Static,
    );
    s.call(&assert, ObjectId::NULL, vec![object(ObjectId(50), "x")]);
    s.carver.entered(1, true);
    s.probe();
    s.carver.left(1, true);
    s.carver.returned(1, object(ObjectId(51), "java.lang.IllegalStateException"));
    let message = virtual_site("java.lang.Throwable", "getMessage", "()Ljava/lang/String;");
    s.whole_call(&message, ObjectId(51), vec![], Carried::Value(Value::Null));
    let test = s.end();
    assert_eq!(names(&test), ["new a.Outer", "? lambda", "probe"]);
    assert_eq!(test.obstacle, None, "nothing mentions the lambda any more");
}

#[test]
fn fixtures_belong_to_the_next_test_and_teardown_to_none() {
    let mut s = Script::new();
    s.new_outer();
    s.begin("a.OuterTest#first");
    s.probe();
    let first = s.end();
    assert_eq!(names(&first), ["new a.Outer", "probe"]);
    // @After on an object of the test itself, by its frame's role.
    s.carver.entered(1, true);
    s.carver.teardown_entered(1);
    s.probe();
    s.carver.left(1, true);
    s.begin("a.OuterTest#second");
    assert_eq!(names(&s.end()), Vec::<String>::new());
}

#[test]
fn teardown_without_a_role_is_recognised_by_the_objects_it_touches() {
    let mut s = Script::new();
    s.begin("a.OuterTest#first");
    s.new_outer();
    s.end();
    s.probe();
    s.begin("a.OuterTest#second");
    assert_eq!(names(&s.end()), Vec::<String>::new());
}

#[test]
fn a_fixture_of_the_class_serves_all_its_tests_and_no_other_class() {
    let mut s = Script::new();
    s.new_outer();
    s.begin("a.OuterTest#first");
    s.end();
    s.begin("a.OuterTest#second");
    s.probe();
    assert_eq!(names(&s.end()), ["new a.Outer", "probe"]);
    s.begin("a.OtherTest#third");
    s.probe();
    assert_eq!(names(&s.end()), ["? object of class a.Outer made outside the test's calls", "probe"]);
}

#[test]
fn a_field_of_the_test_that_holds_a_known_object_is_no_statement() {
    let mut s = Script::new();
    s.new_outer();
    s.begin("a.OuterTest#t");
    let field = FieldRef { owner: TEST.into(), name: "outer".into(), descriptor: "La/Outer;".into() };
    let read = SiteKind::Origin { origin: Origin::InstanceField(field) };
    s.call(&read, ObjectId(90), vec![]);
    s.carver.returned(1, object(OUTER, "a.Outer"));
    s.probe();
    assert_eq!(names(&s.end()), ["new a.Outer", "probe"]);
}

#[test]
fn a_static_field_of_the_program_is_a_statement_once() {
    let mut s = Script::new();
    s.begin("a.OuterTest#t");
    let field = FieldRef { owner: "a.Outer".into(), name: "SHARED".into(), descriptor: "La/Outer;".into() };
    let read = SiteKind::Origin { origin: Origin::StaticField(field) };
    for _ in 0..2 {
        s.call(&read, ObjectId::NULL, vec![]);
        s.carver.returned(1, object(OUTER, "a.Outer"));
    }
    s.probe();
    assert_eq!(names(&s.end()), ["static SHARED", "probe"]);
}

#[test]
fn an_array_and_its_elements_are_statements_with_the_elements_typed() {
    let mut s = Script::new();
    s.begin("a.OuterTest#t");
    let int = |i| Carried::Value(Value::Int(i));
    s.call(&SiteKind::Origin { origin: Origin::NewArray("[C".into()) }, ObjectId::NULL, vec![int(2)]);
    s.carver.returned(1, object(ObjectId(40), "[C"));
    s.call(&SiteKind::Origin { origin: Origin::ArrayStore }, ObjectId(40), vec![int(1), int(65)]);
    let test = s.end();
    assert_eq!(names(&test), ["[C2", "store 1"]);
    assert!(matches!(
        &test.sequence.statements[1].operation,
        Operation::ArrayStore { value: Arg::Value(Value::Char(65)), .. }
    ));
}

#[test]
fn a_call_that_throws_keeps_its_statement_and_going_on_is_an_obstacle() {
    let mut s = Script::new();
    s.begin("a.OuterTest#t");
    s.new_outer();
    s.call(&virtual_site("a.Outer", "open", "()V"), OUTER, vec![]);
    s.carver.entered(1, false);
    s.carver.left(1, false);
    let mut other = Script { carver: s.carver.clone(), thread: 1 };
    let ended = s.end();
    assert_eq!((names(&ended), ended.obstacle), (vec!["new a.Outer".to_owned(), "open".to_owned()], None));
    other.probe();
    let went_on = other.end();
    assert_eq!(names(&went_on), ["new a.Outer", "open", "probe"]);
    assert_eq!(
        went_on.obstacle.as_deref(),
        Some("statement 1 was left by an exception and the test went on")
    );
}

#[test]
fn null_checks_of_the_compiler_and_questions_to_a_caught_exception_are_left_out() {
    let mut s = Script::new();
    s.begin("a.OuterTest#t");
    s.new_outer();
    let check = site(
        "java.util.Objects",
        "requireNonNull",
        "(Ljava/lang/Object;)Ljava/lang/Object;",
        CallKind::Static,
    );
    s.call(&check, ObjectId::NULL, vec![object(OUTER, "a.Outer")]);
    s.carver.returned(1, object(OUTER, "a.Outer"));
    let message = virtual_site("java.lang.RuntimeException", "getMessage", "()Ljava/lang/String;");
    s.whole_call(&message, ObjectId(70), vec![], Carried::Value(Value::Str("no".into())));
    let own = virtual_site("a.Outer", "toString", "()Ljava/lang/String;");
    s.whole_call(&own, OUTER, vec![], Carried::Value(Value::Str("outer".into())));
    let test = s.end();
    assert_eq!(names(&test), ["new a.Outer", "toString"]);
    assert_eq!(test.obstacle, None);
}

#[test]
fn calls_on_mocks_and_on_classes_of_the_test_are_opaque() {
    let mut s = Script::new();
    s.begin("a.OuterTest#t");
    let mock = site("org.mockito.Mockito", "mock", "(Ljava/lang/Class;)Ljava/lang/Object;", CallKind::Static);
    s.call(&mock, ObjectId::NULL, vec![Carried::Value(Value::Class("a.Middle".into()))]);
    s.carver.returned(1, object(MIDDLE, "a.Middle$MockitoMock$7"));
    s.whole_call(&virtual_site("a.Middle", "open", "()V"), MIDDLE, vec![], Carried::Void);
    let stub = site("a.OuterTest$Stub", "<init>", "()V", CallKind::Constructor);
    s.whole_call(&stub, ObjectId::NULL, vec![], object(ObjectId(60), "a.OuterTest$Stub"));
    let test = s.end();
    assert!(test.sequence.statements.iter().all(|s| matches!(s.operation, Operation::Opaque(_))));
    assert_eq!(test.sequence.statements.len(), 3);
    assert!(test.obstacle.unwrap().contains("a.Middle.open on an object of class a.Middle$MockitoMock$7"));
}

#[test]
fn the_limits_are_named_when_they_cut() {
    let carver = Carver::with_limits(Limits { statements: 2, string: 3 });
    let mut s = Script { carver, thread: 1 };
    s.begin("a.OuterTest#t");
    s.new_outer();
    s.probe();
    s.probe();
    let test = s.end();
    assert_eq!(test.sequence.statements.len(), 2);
    assert_eq!(test.obstacle.as_deref(), Some("it makes more than 2 calls, the limit of a carved test"));
    s.begin("a.OuterTest#u");
    let text = Carried::Value(Value::Str("long".into()));
    let set = site("a.Outer", "name", "(Ljava/lang/String;)V", CallKind::Static);
    s.whole_call(&set, ObjectId::NULL, vec![text], Carried::Void);
    let test = s.end();
    assert!(test.obstacle.unwrap().contains("a string of 4 bytes, longer than the limit of 3"));
}

#[test]
fn overlapping_calls_of_two_threads_are_an_obstacle() {
    let mut s = Script::new();
    s.begin("a.OuterTest#t");
    s.new_outer();
    s.call(&virtual_site("a.Outer", "await", "()V"), OUTER, vec![]);
    s.thread = 2;
    s.carver.entered(2, true);
    s.probe();
    s.thread = 1;
    assert_eq!(s.end().obstacle.as_deref(), Some("calls of several threads overlap"));
}

#[test]
fn any_order_of_events_keeps_references_backwards_and_never_panics() {
    // A small deterministic generator: events without any order a JVM would keep.
    let mut state = 1u64;
    let mut next = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut s = Script { carver: Carver::with_limits(Limits { statements: 40, string: 8 }), thread: 1 };
    for _ in 0..50_000 {
        s.thread = next(2);
        let id = ObjectId(next(12));
        match next(9) {
            0 => s.carver.begin_test("a.OuterTest#t"),
            1 => {
                let test = s.carver.end_test();
                for (index, statement) in test.sequence.statements.iter().enumerate() {
                    for arg in statement.operation.args() {
                        assert!(!matches!(arg, Arg::Var(v) if *v as usize >= index));
                    }
                }
                assert!(test.sequence.statements.len() <= 40);
            }
            2 => s.carver.argument(s.thread, object(id, "a.Middle")),
            3 => s.call(&virtual_site("a.Outer", "set", "(La/Middle;)V"), id, vec![object(ObjectId(3), "x")]),
            4 => s.carver.returned(s.thread, object(id, "a.Outer")),
            5 => s.carver.entered(s.thread, next(2) == 0),
            6 => s.carver.left(s.thread, next(2) == 0),
            7 => s.call(&SiteKind::Origin { origin: Origin::ArrayStore }, id, vec![Carried::Void]),
            _ => s.call(&site("a.Outer", "<init>", "()V", CallKind::Constructor), ObjectId::NULL, vec![]),
        }
    }
}
