//! Random streams of what test frames do, as a JVM could send them: frames nest, calls return once or are left by exceptions.
//!
//! Knows nothing of carving. Invariant: the same seed gives the same stream.

use super::events::{Event, TEST, What};
use dynaflow_carve::Carried;
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sequence::Value;
use dynaflow_model::sites::{CallKind, FieldRef, MethodRef, Origin, SiteKind};

/// What a call gives back.
#[derive(Clone, Copy)]
enum Gives {
    Nothing,
    Int,
    Text,
    Object(&'static str),
    /// A constant of an enum.
    Shade,
}

/// A method that a test may call: class, name, descriptor, kind, result.
type Callable = (&'static str, &'static str, &'static str, CallKind, Gives);

use CallKind::{Constructor, Special, Static, Virtual};
use Gives::{Int, Nothing, Object, Shade, Text};

const METHODS: &[Callable] = &[
    ("a.Outer", "<init>", "()V", Constructor, Object("a.Outer")),
    ("a.Outer", "<init>", "(La/Middle;Z)V", Constructor, Object("a.Outer")),
    ("a.Middle", "<init>", "()V", Constructor, Object("a.Middle")),
    ("a.Outer", "middle", "()La/Middle;", Virtual, Object("a.Middle")),
    ("a.Outer", "set", "(La/Middle;C)V", Virtual, Nothing),
    ("a.Outer", "name", "(Ljava/lang/String;)Ljava/lang/String;", Virtual, Text),
    ("a.Outer", "probe", "()Z", Virtual, Int),
    ("a.Outer", "make", "(BLa/Outer;S)La/Outer;", Static, Object("a.Outer")),
    ("a.Outer", "close", "()V", Special, Nothing),
    ("a.Outer", "shade", "(La/Shade;)La/Shade;", Virtual, Shade),
    ("a.Shade", "depth", "()I", Virtual, Int),
    ("a.Shade", "darker", "()La/Shade;", Virtual, Shade),
    ("java.util.ArrayList", "<init>", "()V", Constructor, Object("java.util.ArrayList")),
    ("java.util.ArrayList", "add", "(Ljava/lang/Object;)Z", Virtual, Int),
    ("java.lang.String", "length", "()I", Virtual, Int),
    ("java.lang.Integer", "valueOf", "(I)Ljava/lang/Integer;", Static, Int),
    (
        "java.util.Objects",
        "requireNonNull",
        "(Ljava/lang/Object;)Ljava/lang/Object;",
        Static,
        Object("a.Outer"),
    ),
    ("java.lang.Object", "getClass", "()Ljava/lang/Class;", Virtual, Nothing),
    ("java.lang.RuntimeException", "getMessage", "()Ljava/lang/String;", Virtual, Text),
    ("org.junit.Assert", "assertSame", "(Ljava/lang/Object;Ljava/lang/Object;)V", Static, Nothing),
    ("org.assertj.Assertions", "assertThat", "(Ljava/lang/Object;)La/Check;", Static, Object("a.Check")),
    ("a.Check", "isOpen", "()La/Check;", Virtual, Object("a.Check")),
    (
        "org.mockito.Mockito",
        "mock",
        "(Ljava/lang/Class;)Ljava/lang/Object;",
        Static,
        Object("a.Middle$MockitoMock$7"),
    ),
    ("a.Middle", "open", "()V", Virtual, Nothing),
    (TEST, "helper", "(La/Outer;)La/Outer;", Virtual, Object("a.Outer")),
    (TEST, "assertEquals", "(Ljava/lang/Object;I)V", Static, Nothing),
    ("a.OuterTest$Stub", "<init>", "()V", Constructor, Object("a.OuterTest$Stub")),
    ("a.OuterTest$Stub", "touch", "(La/Outer;)V", Virtual, Nothing),
];

/// Owner, name, descriptor.
const FIELDS: &[(&str, &str, &str)] = &[
    ("a.Outer", "shared", "La/Outer;"),
    ("a.Outer", "label", "Ljava/lang/String;"),
    ("a.Shade", "DARK", "La/Shade;"),
    (TEST, "outer", "La/Outer;"),
    ("a.OuterTest$Stub", "middle", "La/Middle;"),
];

/// A stream being made.
pub struct World {
    state: u64,
    /// Numbers given to objects so far.
    objects: u64,
    /// The mock made last.
    mock: Option<ObjectId>,
    events: Vec<Event>,
    thread: u64,
    /// Calls still to be made: streams are finite.
    left: u32,
}

impl World {
    /// The events of several tests of one or two classes, on one thread or two.
    pub fn stream(seed: u64) -> Vec<Event> {
        let mut world = Self {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            objects: 20,
            mock: None,
            events: vec![],
            thread: 1,
            left: 0,
        };
        let two = world.one_in(3);
        world.main();
        let first = std::mem::take(&mut world.events);
        if !two {
            return first;
        }
        world.thread = 2;
        world.other();
        let second = std::mem::take(&mut world.events);
        world.merged(first, second)
    }

    fn next(&mut self, bound: u64) -> u64 {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) % bound
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.next(n) == 0
    }

    fn some<T: Copy>(&mut self, all: &[T]) -> T {
        let at = self.next(u64::try_from(all.len()).unwrap());
        all[usize::try_from(at).unwrap()]
    }

    fn send(&mut self, what: What) {
        self.events.push(Event { thread: self.thread, what });
    }

    /// Two threads' events in one order, each thread's own order kept.
    fn merged(&mut self, first: Vec<Event>, second: Vec<Event>) -> Vec<Event> {
        let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
        let mut all = vec![];
        while first.peek().is_some() || second.peek().is_some() {
            let from = if self.one_in(2) { &mut first } else { &mut second };
            all.extend(from.next());
        }
        all
    }

    fn main(&mut self) {
        for number in 0..=self.next(3) {
            if self.one_in(3) {
                self.fixture(false);
            }
            let class = if self.one_in(5) { "a.OtherTest" } else { TEST };
            self.send(What::Begin(format!("{class}#test{number}")));
            self.send(What::Entered { in_test: true });
            self.left = 8;
            self.actions(3);
            self.send(What::Left);
            self.send(What::End);
            if self.one_in(3) {
                let marked = self.one_in(2);
                self.fixture(marked);
            }
        }
    }

    /// What a frame of the test class does outside tests; marked when its annotation says that it runs after a test.
    fn fixture(&mut self, marked: bool) {
        self.send(What::Entered { in_test: true });
        if marked {
            self.send(What::Teardown);
        }
        self.left = 3;
        self.actions(2);
        self.send(What::Left);
    }

    fn other(&mut self) {
        if self.one_in(2) {
            // A thread of the program that runs a task of the test class.
            self.send(What::Entered { in_test: false });
        }
        self.send(What::Entered { in_test: true });
        self.left = 4;
        self.actions(2);
        self.send(What::Left);
    }

    /// What a frame of the test class does; an exception may end it early.
    fn actions(&mut self, deep: u32) {
        for _ in 0..=self.next(4) {
            if self.left == 0 || self.one_in(12) {
                return;
            }
            self.left -= 1;
            match self.next(10) {
                0 => self.origin(deep),
                1 => self.array(),
                _ => self.call(deep),
            }
        }
    }

    fn object(&mut self) -> ObjectId {
        // A small pool, so that objects meet again; the first ones nobody made.
        let newest = self.objects;
        match self.next(8) {
            0 => ObjectId(2 + self.next(3)),
            1 => ObjectId::NULL,
            n => ObjectId(newest.saturating_sub(n - 2).max(2)),
        }
    }

    fn value(&mut self, wanted: &str) -> Carried {
        match wanted {
            "Ljava/lang/String;" if self.one_in(6) => Carried::Value(Value::Str("a longer text".into())),
            "Ljava/lang/String;" => Carried::Value(Value::Str("text".into())),
            "Ljava/lang/Class;" => Carried::Value(Value::Class("a.Middle".into())),
            "Ljava/lang/Object;" if self.one_in(4) => Carried::Value(Value::Boxed(Box::new(Value::Int(3)))),
            "La/Shade;" => self.shade(),
            _ if wanted.len() == 1 => {
                Carried::Value(Value::Int(i32::try_from(self.next(70_000)).unwrap() - 300))
            }
            _ if self.one_in(9) => Carried::Value(Value::Null),
            _ => {
                let class = if self.one_in(3) { None } else { Some("a.Thing".to_owned()) };
                Carried::Object(self.object(), class)
            }
        }
    }

    /// One of two constants.
    fn shade(&mut self) -> Carried {
        let (object, name) = if self.one_in(2) { (ObjectId(900), "DARK") } else { (ObjectId(901), "PALE") };
        Carried::Constant { object, class: "a.Shade".into(), name: name.into() }
    }

    fn result(&mut self, gives: Gives) -> Carried {
        match gives {
            Nothing => Carried::Void,
            Int => Carried::Value(Value::Int(1)),
            Shade => self.shade(),
            Text => Carried::Value(Value::Str("given".into())),
            Object(_) if self.one_in(8) => Carried::Object(ObjectId::NULL, None),
            Object(class) if self.one_in(4) => Carried::Object(self.object(), Some(class.into())),
            Object(class) => {
                self.objects += 1;
                let object = ObjectId(self.objects);
                self.mock = if class.contains("Mock") { Some(object) } else { self.mock };
                Carried::Object(object, Some(class.into()))
            }
        }
    }

    fn call(&mut self, deep: u32) {
        let (owner, name, descriptor, kind, gives) = self.some(METHODS);
        if self.one_in(30) {
            // What an abandoned call left behind.
            self.send(What::Argument(Carried::Value(Value::Long(7))));
        }
        for parameter in dynaflow_model::descriptor::parameters(descriptor) {
            let value = self.value(parameter);
            self.send(What::Argument(value));
        }
        let callee = MethodRef { owner: owner.into(), name: name.into(), descriptor: descriptor.into() };
        let receiver = match (kind, owner) {
            (Static | Constructor, _) => ObjectId::NULL,
            (_, "java.lang.String") => ObjectId::SINK,
            (_, "a.Shade") => ObjectId(900 + self.next(2)),
            (_, "a.Middle") if self.mock.is_some() => self.mock.unwrap(),
            _ => ObjectId(self.object().0.max(2)),
        };
        self.send(What::Call(SiteKind::Call { callee, kind }, receiver));
        let helps = name == "helper" || self.one_in(12);
        self.inside(deep, helps);
        self.ends(gives);
    }

    /// The frames that a call enters.
    fn inside(&mut self, deep: u32, helps: bool) {
        if deep == 0 {
            return;
        }
        for _ in 0..self.next(3) {
            if helps && !self.one_in(4) {
                self.send(What::Entered { in_test: true });
                if self.one_in(15) {
                    self.send(What::Teardown);
                }
                self.actions(deep - 1);
            } else {
                self.send(What::Entered { in_test: false });
                let calls_back = self.one_in(3);
                self.inside(deep - 1, calls_back);
            }
            self.send(What::Left);
        }
    }

    fn ends(&mut self, gives: Gives) {
        if !self.one_in(9) {
            let result = self.result(gives);
            self.send(What::Returned(result));
        }
    }

    fn origin(&mut self, deep: u32) {
        let (owner, name, descriptor) = self.some(FIELDS);
        let field = FieldRef { owner: owner.into(), name: name.into(), descriptor: descriptor.into() };
        let (origin, on) = match self.next(3) {
            0 => (Origin::StaticField(field), ObjectId::NULL),
            1 => (Origin::InstanceField(field), self.object()),
            _ => (Origin::Opaque("lambda".into()), ObjectId::NULL),
        };
        self.send(What::Call(SiteKind::Origin { origin }, on));
        if self.one_in(6) {
            // The class is initialised.
            self.inside(deep, false);
        }
        self.ends(match descriptor {
            "Ljava/lang/String;" => Text,
            "La/Shade;" => Shade,
            _ => Object("a.Outer"),
        });
    }

    fn array(&mut self) {
        let descriptor = self.some(&["[C", "[La/Outer;", "[Ljava/lang/String;"]);
        self.objects += 1;
        let array = ObjectId(self.objects);
        self.send(What::Argument(Carried::Value(Value::Int(2))));
        let made = Origin::NewArray(descriptor.into());
        self.send(What::Call(SiteKind::Origin { origin: made }, ObjectId::NULL));
        self.send(What::Returned(Carried::Object(array, Some(descriptor.into()))));
        for _ in 0..self.next(3) {
            let index = Carried::Value(Value::Int(i32::try_from(self.next(3)).unwrap() - 1));
            self.send(What::Argument(index));
            let value = self.value(&descriptor[1..]);
            self.send(What::Argument(value));
            let on = if self.one_in(5) { ObjectId(self.object().0.max(2)) } else { array };
            self.send(What::Call(SiteKind::Origin { origin: Origin::ArrayStore }, on));
        }
    }
}
