//! By which methods of the JDK fields and elements are accessed without an instruction of the program, and what each of them calls.
//!
//! It knows names of the JDK, not what is made of the calls: that is in `java.lang.DynaflowHands` and its neighbours. What a JDK
//! does not have is skipped. Invariant: a method that calls another one of this table does not stand in it.

use dynaflow_instrument::hooks::{Hook, Moment};

const HANDS: &str = "java/lang/DynaflowHands";
const EXCHANGES: &str = "java/lang/DynaflowExchanges";
const VIEWS: &str = "java/lang/DynaflowByteViews";
const UNSAFE: &str = "java/lang/DynaflowUnsafe";

/// Types of values: what classes of handles call them, what methods of `Unsafe` and `Field` do, their descriptor, their bytes.
const KINDS: [(&str, &str, &str, &str); 8] = [
    ("Booleans", "Boolean", "Z", "1"),
    ("Bytes", "Byte", "B", "1"),
    ("Shorts", "Short", "S", "2"),
    ("Chars", "Char", "C", "2"),
    ("Ints", "Int", "I", "4"),
    ("Longs", "Long", "J", "8"),
    ("Floats", "Float", "F", "4"),
    ("Doubles", "Double", "D", "8"),
];

/// Which values are passed on: those of primitives, those of references.
type Passes = [&'static [usize]; 2];

/// A way of access: the names of its methods, when they call, the class and the method called, what is passed on.
struct Way {
    methods: &'static [&'static str],
    moment: Moment,
    target: &'static str,
    call: &'static str,
    passes: Passes,
}

const fn way(
    methods: &'static [&'static str],
    target: &'static str,
    call: &'static str,
    passes: Passes,
) -> Way {
    Way { methods, moment: Moment::Return, target, call, passes }
}

/// A way of access that is recorded before it happens: another thread may see at once what it wrote.
const fn ahead(methods: &'static [&'static str], call: &'static str, passes: Passes) -> Way {
    Way { methods, moment: Moment::Entry, target: HANDS, call, passes }
}

const GETS: &[&str] = &["get", "getVolatile", "getOpaque", "getAcquire"];
const SETS: &[&str] = &["set", "setVolatile", "setOpaque", "setRelease", "lazySet"];
const SWAPS: &[&str] = &[
    "compareAndSet",
    "weakCompareAndSet",
    "weakCompareAndSetPlain",
    "weakCompareAndSetVolatile",
    "weakCompareAndSetAcquire",
    "weakCompareAndSetRelease",
];
const EXCHANGE: &[&str] = &["compareAndExchange", "compareAndExchangeAcquire", "compareAndExchangeRelease"];
const UPDATES: &[&str] = &[
    "getAndSet",
    "getAndSetAcquire",
    "getAndSetRelease",
    "getAndAdd",
    "getAndAddAcquire",
    "getAndAddRelease",
    "getAndBitwiseOr",
    "getAndBitwiseOrAcquire",
    "getAndBitwiseOrRelease",
    "getAndBitwiseAnd",
    "getAndBitwiseAndAcquire",
    "getAndBitwiseAndRelease",
    "getAndBitwiseXor",
    "getAndBitwiseXorAcquire",
    "getAndBitwiseXorRelease",
];

/// Handles of instance fields and updaters: the handle, the object, the expected value, the new one.
const OF_OBJECTS: [Way; 5] = [
    way(GETS, HANDS, "varRead", [&[0, 1], &[0, 1]]),
    ahead(SETS, "varSets", [&[0, 1], &[0, 1, 2]]),
    way(SWAPS, HANDS, "varSwapped", [&[0, 1, 4], &[0, 1, 3, 4]]),
    way(EXCHANGE, EXCHANGES, "varExchanged", [&[0, 1, 2, 4], &[0, 1, 2, 3, 4]]),
    way(UPDATES, HANDS, "varUpdated", [&[0, 1], &[0, 1, 2]]),
];

/// Handles of static fields, which are passed as their own holders: the handle, the expected value, the new one. They are not recorded
/// before: the access may initialise the class first, which writes as well.
const OF_CLASSES: [Way; 5] = [
    way(GETS, HANDS, "varRead", [&[0, 0], &[0, 0]]),
    way(SETS, HANDS, "varWrote", [&[0, 0], &[0, 0, 1]]),
    way(SWAPS, HANDS, "varSwapped", [&[0, 0, 3], &[0, 0, 2, 3]]),
    way(EXCHANGE, EXCHANGES, "varExchanged", [&[0, 0, 1, 3], &[0, 0, 1, 2, 3]]),
    way(UPDATES, HANDS, "varUpdated", [&[0, 0], &[0, 0, 1]]),
];

/// Handles of elements: the handle, the array, the index, the expected value, the new one.
const OF_ARRAYS: [Way; 5] = [
    way(GETS, HANDS, "elementRead", [&[1, 2], &[1, 2]]),
    ahead(SETS, "elementSets", [&[1, 2], &[1, 2, 3]]),
    way(SWAPS, HANDS, "elementSwapped", [&[1, 2, 5], &[1, 2, 4, 5]]),
    way(EXCHANGE, EXCHANGES, "elementExchanged", [&[1, 2, 3, 5], &[1, 2, 3, 4, 5]]),
    way(UPDATES, HANDS, "elementUpdated", [&[1, 2], &[1, 2, 3]]),
];

/// Handles of bytes as wider values: the handle, the array, the index, the expected value, the new one. What a value is shows how
/// many bytes it has.
const OF_BYTES: [Way; 5] = [
    way(GETS, VIEWS, "read", [&[1, 2, 3], &[]]),
    way(SETS, VIEWS, "wrote", [&[1, 2, 3], &[]]),
    way(SWAPS, VIEWS, "swapped", [&[1, 2, 4, 5], &[]]),
    way(EXCHANGE, VIEWS, "exchanged", [&[1, 2, 3, 5], &[]]),
    way(UPDATES, VIEWS, "updated", [&[1, 2, 3], &[]]),
];

/// All hooks.
pub fn hooks() -> Vec<Hook> {
    let mut all = Vec::new();
    fields(&mut all);
    var_handles(&mut all);
    updaters(&mut all);
    unsafes(&mut all);
    method_handles(&mut all);
    element_handles(&mut all);
    all
}

/// `java.lang.reflect.Field`: itself, the object, the value.
fn fields(all: &mut Vec<Hook>) {
    let mut hook = |method: String, call: &'static str, passes: &'static [usize]| {
        let hook = Hook::new("java/lang/reflect/Field", method, Moment::Return, HANDS, call);
        all.push(hook.passing(passes));
    };
    hook("get".to_owned(), "fieldRead", &[0, 1]);
    hook("set".to_owned(), "fieldWrote", &[0, 1, 2]);
    for (_, kind, _, _) in KINDS {
        hook(format!("get{kind}"), "fieldRead", &[0, 1]);
        hook(format!("set{kind}"), "fieldWrote", &[0, 1]);
    }
}

/// The ways of access that a class offers.
fn ways(all: &mut Vec<Hook>, class: &str, of_references: bool, ways: &[Way]) {
    for way in ways {
        for method in way.methods {
            let hook = Hook::new(class.to_owned(), *method, way.moment, way.target, way.call);
            all.push(hook.passing(way.passes[usize::from(of_references)]));
        }
    }
}

/// What implements `java.lang.invoke.VarHandle` for fields and elements.
fn var_handles(all: &mut Vec<Hook>) {
    let primitives = KINDS.iter().map(|(kind, ..)| (*kind, false));
    // Java 11 calls them objects.
    for (kind, of_references) in primitives.chain([("References", true), ("Objects", true)]) {
        for (end, offered) in [
            ("FieldInstanceReadOnly", &OF_OBJECTS),
            ("FieldInstanceReadWrite", &OF_OBJECTS),
            ("FieldStaticReadOnly", &OF_CLASSES),
            ("FieldStaticReadWrite", &OF_CLASSES),
            ("Array", &OF_ARRAYS),
        ] {
            ways(all, &format!("java/lang/invoke/VarHandle{kind}${end}"), of_references, offered);
        }
    }
    for (kind, ..) in KINDS {
        ways(all, &format!("java/lang/invoke/VarHandleByteArrayAs{kind}$ArrayHandle"), false, &OF_BYTES);
    }
}

/// What implements `Atomic...FieldUpdater`; those of its methods that are not here call those that are.
fn updaters(all: &mut Vec<Hook>) {
    for (class, of_references) in [
        ("AtomicReferenceFieldUpdater$AtomicReferenceFieldUpdaterImpl", true),
        ("AtomicIntegerFieldUpdater$AtomicIntegerFieldUpdaterImpl", false),
        ("AtomicLongFieldUpdater$CASUpdater", false),
        ("AtomicLongFieldUpdater$LockedUpdater", false),
    ] {
        ways(all, &format!("java/util/concurrent/atomic/{class}"), of_references, &OF_OBJECTS);
    }
}

/// `sun.misc.Unsafe`, whose methods have code since Java 9: itself, the object, the offset, the expected value, the new one.
fn unsafes(all: &mut Vec<Hook>) {
    let object = "Ljava/lang/Object;";
    let mut hook = |method: String, types: String, call: String, passes: &'static [usize]| {
        let hook = Hook::new("sun/misc/Unsafe", method, Moment::Return, UNSAFE, call);
        all.push(hook.of(format!("({object}J{types}")).passing(passes));
    };
    let kinds = KINDS.iter().map(|(_, kind, descriptor, bytes)| (*kind, *descriptor, *bytes));
    for (kind, own, bytes) in kinds.chain([("Object", object, "")]) {
        let reference = bytes.is_empty();
        let written: &[usize] = if reference { &[1, 2, 3] } else { &[1, 2] };
        for end in ["", "Volatile"] {
            hook(format!("get{kind}{end}"), format!("){own}"), format!("read{bytes}"), &[1, 2]);
            hook(format!("put{kind}{end}"), format!("{own})V"), format!("wrote{bytes}"), written);
        }
        if !["Int", "Long", "Object"].contains(&kind) {
            continue;
        }
        let swapped: &[usize] = if reference { &[1, 2, 4, 5] } else { &[1, 2, 5] };
        let twice = format!("{own}{own})Z");
        hook(format!("putOrdered{kind}"), format!("{own})V"), format!("wrote{bytes}"), written);
        hook(format!("compareAndSwap{kind}"), twice, format!("swapped{bytes}"), swapped);
        for update in ["getAndSet", "getAndAdd"] {
            hook(format!("{update}{kind}"), format!("{own}){own}"), format!("updated{bytes}"), written);
        }
    }
    hook("setMemory".to_owned(), "JB)V".to_owned(), "set".to_owned(), &[1, 2, 3]);
    hook("copyMemory".to_owned(), format!("{object}JJ)V"), "copied".to_owned(), &[1, 2, 3, 4, 5]);
}

/// What method handles of elements call: the array, the index, the value.
fn element_handles(all: &mut Vec<Hook>) {
    let kinds = KINDS.iter().map(|(_, _, descriptor, _)| *descriptor).chain(["L"]);
    for kind in kinds {
        let mut hook = |way: &str, call: &'static str, passes: &'static [usize]| {
            let class = "java/lang/invoke/MethodHandleImpl$ArrayAccessor";
            let hook = Hook::new(class, format!("{way}Element{kind}"), Moment::Return, HANDS, call);
            all.push(hook.passing(passes));
        };
        hook("get", "elementRead", &[0, 1]);
        hook("set", "elementWrote", if kind == "L" { &[0, 1, 2] } else { &[0, 1] });
    }
}

/// Steps by which method handles of fields come to their field: where it is, of which object, what is written.
fn method_handles(all: &mut Vec<Hook>) {
    for (method, moment, call) in
        [("fieldOffset", Moment::Entry, "handleOf"), ("staticBase", Moment::Entry, "handleStatic")]
    {
        all.push(Hook::new("java/lang/invoke/DirectMethodHandle", method, moment, HANDS, call).passing(&[0]));
    }
    let checks: [(_, _, &'static [usize]); 2] =
        [("checkBase", "handleBase", &[0]), ("checkCast", "handleCast", &[0, 1])];
    for (method, call, passes) in checks {
        let class = "java/lang/invoke/DirectMethodHandle";
        // A method handle has a method of the same name, which this one calls.
        let of = if passes.len() == 1 {
            "(Ljava/lang/Object;)Ljava/lang/Object;"
        } else {
            "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"
        };
        all.push(Hook::new(class, method, Moment::Return, HANDS, call).of(of).passing(passes));
    }
}
