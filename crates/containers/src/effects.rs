//! What a call changes of the objects that a JDK container holds, read off its name and descriptor.
//!
//! It knows which argument and which result matter, not what the container is: the recorder looks at the object. Invariant:
//! the numbers are those of the recorder's `DynaflowEffects`; after a call that is not understood the recorder lists the container anew.

use dynaflow_model::descriptor;
use dynaflow_model::sites::Access;

/// What of a type an effect depends on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `boolean`, `byte`, `char`, `short`, `int`: what the operand stack holds as an `int`.
    Int,
    /// An object or an array.
    Reference,
    /// No result.
    Void,
    /// `long`, `float`, `double`.
    Other,
}

/// The kind of a descriptor; none when it is malformed.
fn kind(descriptor: &str) -> Option<Kind> {
    Some(match descriptor.bytes().next()? {
        b'Z' | b'B' | b'C' | b'S' | b'I' => Kind::Int,
        b'L' | b'[' => Kind::Reference,
        b'V' => Kind::Void,
        b'J' | b'F' | b'D' => Kind::Other,
        _ => return None,
    })
}

/// An effect, by its number in the recorder's source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Code {
    /// `a` comes in.
    Add = 1,
    /// `a` comes in if the call said so.
    AddIf = 2,
    /// The result goes out, `a` comes in; with an index, that is what the call said.
    Set = 3,
    /// The result goes out, `b` comes in; `a` is in there.
    Put = 4,
    /// If there is no result, `b` comes in; `a` is in there.
    PutIfAbsent = 5,
    /// The result goes out.
    Take = 6,
    /// What equals `a` goes out once if the call said so.
    Remove = 7,
    /// The result goes out, and what equals `a`.
    RemoveKey = 8,
    /// Everything goes out.
    Clear = 9,
    /// The result and `a` are in there.
    Result = 10,
    /// Everything in `a` comes in.
    AddAll = 11,
    /// Anything may have happened.
    Relist = 12,
    /// The result shows the contents.
    Show = 13,
    /// Only `a` is in there.
    Assign = 14,
    /// If the call said so, only `a` is in there.
    AssignIf = 15,
    /// A value was computed from the one before; the recorder looks at `b` and the result for what came in and went out.
    Merge = 16,
    /// The order changed, nothing else.
    Order = 17,
    /// What the recorder found before the call goes out.
    TakeFound = 18,
    /// What the recorder found before the call goes out, `a` comes in.
    SetFound = 19,
    /// If there is a result it goes out, and `b` comes in.
    Replace = 20,
    /// Anything may have happened if the call said so.
    RelistIf = 21,
    /// The result is an entry, whose key and value go out.
    TakeEntry = 22,
    /// If the call said so, `a` goes out and `b` comes in.
    SwapIf = 23,
    /// The result is an array that the JDK filled, or `a` is one.
    Fill = 24,
    /// If the call said so, something changed that is no object.
    If = 25,
    /// The result goes out, if there is one.
    TakeIf = 26,
}

impl Code {
    /// All codes with their names in the recorder's source.
    pub const ALL: &'static [(&'static str, Self)] = &[
        ("ADD", Self::Add),
        ("ADD_IF", Self::AddIf),
        ("SET", Self::Set),
        ("PUT", Self::Put),
        ("PUT_IF_ABSENT", Self::PutIfAbsent),
        ("TAKE", Self::Take),
        ("REMOVE", Self::Remove),
        ("REMOVE_KEY", Self::RemoveKey),
        ("CLEAR", Self::Clear),
        ("RESULT", Self::Result),
        ("ADD_ALL", Self::AddAll),
        ("RELIST", Self::Relist),
        ("SHOW", Self::Show),
        ("ASSIGN", Self::Assign),
        ("ASSIGN_IF", Self::AssignIf),
        ("MERGE", Self::Merge),
        ("ORDER", Self::Order),
        ("TAKE_FOUND", Self::TakeFound),
        ("SET_FOUND", Self::SetFound),
        ("REPLACE", Self::Replace),
        ("RELIST_IF", Self::RelistIf),
        ("TAKE_ENTRY", Self::TakeEntry),
        ("SWAP_IF", Self::SwapIf),
        ("FILL", Self::Fill),
        ("IF", Self::If),
        ("TAKE_IF", Self::TakeIf),
    ];
}

/// An effect with what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What happens.
    pub code: Code,
    /// Position of the parameter called `a`.
    pub a: Option<usize>,
    /// Position of the parameter called `b`.
    pub b: Option<usize>,
}

impl Effect {
    /// Whether the recorder looks at the container before the call for what the call's result will not show: what leaves, how much there is.
    pub fn looks_before(self, owner: &[u8]) -> bool {
        match self.code {
            Code::TakeFound | Code::SetFound | Code::Merge => true,
            Code::Put | Code::PutIfAbsent | Code::Result | Code::RemoveKey | Code::Clear => true,
            Code::Relist => !owner.starts_with(ATOMIC),
            // Only of a view of keys.
            Code::Remove => matches!(owner, b"java/util/Set" | b"java/util/Collection"),
            _ => false,
        }
    }
}

/// Containers that hold no objects.
const WITHOUT_OBJECTS: &[&str] = &[
    "java/lang/StringBuffer",
    "java/lang/StringBuilder",
    "java/util/BitSet",
    "java/util/OptionalDouble",
    "java/util/OptionalInt",
    "java/util/OptionalLong",
    "java/util/PrimitiveIterator",
    "java/util/PrimitiveIterator$OfDouble",
    "java/util/PrimitiveIterator$OfInt",
    "java/util/PrimitiveIterator$OfLong",
    "java/util/StringJoiner",
    "java/util/concurrent/atomic/AtomicBoolean",
    "java/util/concurrent/atomic/AtomicInteger",
    "java/util/concurrent/atomic/AtomicIntegerArray",
    "java/util/concurrent/atomic/AtomicLong",
    "java/util/concurrent/atomic/AtomicLongArray",
    "java/util/concurrent/atomic/DoubleAccumulator",
    "java/util/concurrent/atomic/DoubleAdder",
    "java/util/concurrent/atomic/LongAccumulator",
    "java/util/concurrent/atomic/LongAdder",
];

/// The package of the atomics.
const ATOMIC: &[u8] = b"java/util/concurrent/atomic/";

/// Changes of the order alone.
const ORDER: &[&str] = &["reverse", "rotate", "shuffle", "sort", "swap"];

/// The effect of a call that accesses contents; none when it leaves what is in there alone. `cast_to_entry` says that the
/// result is cast to a map's entry.
pub fn effect(
    owner: &[u8],
    name: &[u8],
    descriptor: &[u8],
    access: Access,
    cast_to_entry: bool,
) -> Option<Effect> {
    let owner = std::str::from_utf8(owner).unwrap_or_default();
    let name = std::str::from_utf8(name).unwrap_or_default();
    let descriptor = std::str::from_utf8(descriptor).unwrap_or_default();
    let only = |code| Some(Effect { code, a: None, b: None });
    if access == Access::Read {
        return match name {
            "next" | "previous" if cast_to_entry => only(Code::Show),
            "toArray" | "copyInto" => {
                Some(Effect { code: Code::Fill, a: descriptor.starts_with("([").then_some(0), b: None })
            }
            _ => None,
        };
    }
    let order = ORDER.contains(&name) && (name == "sort" || owner == "java/util/Collections");
    if WITHOUT_OBJECTS.contains(&owner) {
        return if is_attempt(name) { only(Code::If) } else { None };
    }
    if order {
        return only(Code::Order);
    }
    if owner.as_bytes().starts_with(ATOMIC) {
        return atomic(owner, name, descriptor);
    }
    if owner == "java/util/Collections" {
        return match name {
            "addAll" => Some(Effect { code: Code::AddAll, a: Some(1), b: None }),
            "replaceAll" => only(Code::RelistIf),
            _ => only(Code::Relist),
        };
    }
    let parameters = descriptor::parameters(descriptor).into_iter().map(kind).collect::<Option<Vec<_>>>()?;
    let result = kind(descriptor::result(descriptor))?;
    // A result that is a number says whether, or how much, the call changed.
    let otherwise = if result == Kind::Int { Code::RelistIf } else { Code::Relist };
    changes(owner, name, &parameters, result).or(Some(Effect { code: otherwise, a: None, b: None }))
}

/// Whether the result of a call says whether it changed what an atomic holds.
fn is_attempt(name: &str) -> bool {
    matches!(name, "compareAndSet" | "attemptMark" | "attemptStamp") || name.starts_with("weakCompareAndSet")
}

/// Whether a call may hand entries of a map to code that is not woven: the recorder looks at them before.
pub fn hands_on(owner: &[u8], name: &[u8]) -> bool {
    if owner == b"java/util/Collections" {
        return matches!(name, b"max" | b"min" | b"enumeration");
    }
    const SOURCES: [&[u8]; 5] = [
        b"java/lang/Iterable",
        b"java/util/Collection",
        b"java/util/Iterator",
        b"java/util/Set",
        b"java/util/Spliterator",
    ];
    const CALLS: [&[u8]; 8] = [
        b"forEach",
        b"forEachRemaining",
        b"parallelStream",
        b"removeIf",
        b"spliterator",
        b"stream",
        b"toArray",
        b"tryAdvance",
    ];
    SOURCES.contains(&owner) && CALLS.contains(&name)
}

/// The effect on an atomic; after a call that passes a reference to a lambda the recorder lists what it holds anew.
fn atomic(owner: &str, name: &str, descriptor: &str) -> Option<Effect> {
    if owner == "java/util/concurrent/atomic/AtomicReferenceArray" {
        let (code, a, b) = match (name, descriptor::parameters(descriptor).len()) {
            ("getAndSet", _) => (Code::Set, Some(1), None),
            ("compareAndSet" | "weakCompareAndSetPlain" | "weakCompareAndSetVolatile", 3) => {
                (Code::SwapIf, Some(1), Some(2))
            }
            ("set" | "lazySet" | "setPlain" | "setOpaque" | "setRelease", 2) => {
                (Code::SetFound, Some(1), None)
            }
            _ => (Code::Relist, None, None),
        };
        return Some(Effect { code, a, b });
    }
    let single = owner == "java/util/concurrent/atomic/AtomicReference";
    let (code, a) = match name {
        "set" | "lazySet" | "setPlain" | "setOpaque" | "setRelease" | "getAndSet" if single => {
            (Code::Assign, Some(0))
        }
        name if single && (name == "compareAndSet" || name.starts_with("weakCompareAndSet")) => {
            (Code::AssignIf, Some(1))
        }
        name if is_attempt(name) => (Code::RelistIf, None),
        _ => (Code::Relist, None),
    };
    Some(Effect { code, a, b: None })
}

fn changes(owner: &str, name: &str, parameters: &[Kind], result: Kind) -> Option<Effect> {
    use Kind::{Int, Reference, Void};
    let iterator = owner.ends_with("Iterator");
    let (code, a, b) = match (name, parameters, result) {
        ("add", [Int, Reference], Void) => (Code::Add, Some(1), None),
        ("put" | "setProperty" | "putFirst" | "putLast", [Reference, Reference], Reference) => {
            (Code::Put, Some(0), Some(1))
        }
        ("putIfAbsent", [Reference, Reference], _) => (Code::PutIfAbsent, Some(0), Some(1)),
        ("computeIfAbsent", ..) => (Code::Result, Some(0), None),
        ("merge", [Reference, Reference, Reference], Reference) => (Code::Merge, Some(0), Some(1)),
        ("compute" | "computeIfPresent", [Reference, Reference], Reference) => (Code::Merge, Some(0), None),
        ("set", [Int, Reference], Reference) => (Code::Set, Some(1), None),
        ("setValue", [Reference], Reference) => (Code::Set, Some(0), None),
        ("insertElementAt", [Reference, Int], _) => (Code::Add, Some(0), None),
        ("addAll", [Reference], _) => (Code::AddAll, Some(0), None),
        ("clear" | "removeAllElements", [], _) => (Code::Clear, None, None),
        ("remove" | "removeElement" | "removeFirstOccurrence" | "removeLastOccurrence", [Reference], Int) => {
            (Code::Remove, Some(0), None)
        }
        ("remove", [Reference], Reference) => (Code::RemoveKey, Some(0), None),
        ("remove", [] | [Int], Reference) => (Code::Take, None, None),
        ("pollFirstEntry" | "pollLastEntry", ..) => (Code::TakeEntry, None, None),
        ("remove", [], Void) if iterator => (Code::TakeFound, None, None),
        ("set", [Reference], Void) if iterator => (Code::SetFound, Some(0), None),
        ("setElementAt", [Reference, Int], Void) => (Code::SetFound, Some(0), None),
        ("removeElementAt", [Int], Void) => (Code::TakeFound, None, None),
        ("replace", [Reference, Reference], Reference) => (Code::Replace, Some(0), Some(1)),
        ("replace" | "remove", [Reference, Reference, ..], Int) => (Code::RelistIf, None, None),
        (name, _, Reference) if name.starts_with("poll") => (Code::TakeIf, None, None),
        (name, _, Reference)
            if name.starts_with("take") || matches!(name, "pop" | "removeFirst" | "removeLast") =>
        {
            (Code::Take, None, None)
        }
        (name, [Reference, ..], Int) if comes_in(name) => (Code::AddIf, Some(0), None),
        (name, [Reference, ..], _) if comes_in(name) => (Code::Add, Some(0), None),
        _ => return None,
    };
    Some(Effect { code, a, b })
}

/// Whether a call of this name puts its first argument in.
fn comes_in(name: &str) -> bool {
    name.starts_with("offer")
        || matches!(
            name,
            "add"
                | "addElement"
                | "addIfAbsent"
                | "addFirst"
                | "addLast"
                | "push"
                | "put"
                | "putFirst"
                | "putLast"
                | "transfer"
                | "tryTransfer"
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(owner: &str, name: &str, descriptor: &str) -> Option<(Code, Option<usize>, Option<usize>)> {
        effect(owner.as_bytes(), name.as_bytes(), descriptor.as_bytes(), Access::ReadWrite, false)
            .map(|effect| (effect.code, effect.a, effect.b))
    }

    #[test]
    fn what_comes_in_and_goes_out_is_read_off_name_and_descriptor() {
        let object = |text: &str| text.replace('O', "Ljava/lang/Object;");
        let of = |owner: &str, name: &str, descriptor: &str| of(owner, name, &object(descriptor));
        assert_eq!(of("java/util/List", "add", "(O)Z"), Some((Code::AddIf, Some(0), None)));
        assert_eq!(of("java/util/List", "add", "(IO)V"), Some((Code::Add, Some(1), None)));
        assert_eq!(of("java/util/List", "set", "(IO)O"), Some((Code::Set, Some(1), None)));
        assert_eq!(of("java/util/List", "remove", "(I)O"), Some((Code::Take, None, None)));
        assert_eq!(of("java/util/List", "remove", "(O)Z"), Some((Code::Remove, Some(0), None)));
        assert_eq!(of("java/util/Map", "remove", "(O)O"), Some((Code::RemoveKey, Some(0), None)));
        assert_eq!(of("java/util/Map", "remove", "(OO)Z"), Some((Code::RelistIf, None, None)));
        assert_eq!(of("java/util/Map", "replace", "(OO)O"), Some((Code::Replace, Some(0), Some(1))));
        assert_eq!(
            of("java/util/Collections", "addAll", "(Ljava/util/Collection;[O)Z"),
            Some((Code::AddAll, Some(1), None))
        );
        assert_eq!(of("java/util/Map", "put", "(OO)O"), Some((Code::Put, Some(0), Some(1))));
        assert_eq!(of("java/util/Deque", "offerFirst", "(O)Z"), Some((Code::AddIf, Some(0), None)));
        assert_eq!(of("java/util/Deque", "pollLast", "()O"), Some((Code::TakeIf, None, None)));
        assert_eq!(of("java/util/List", "removeIf", "(O)Z"), Some((Code::RelistIf, None, None)));
        assert_eq!(of("java/util/List", "addAll", "(IO)Z"), Some((Code::RelistIf, None, None)));
        assert_eq!(of("java/util/List", "replaceAll", "(O)V"), Some((Code::Relist, None, None)));
        assert_eq!(of("java/util/Stack", "push", "(O)O"), Some((Code::Add, Some(0), None)));
        assert_eq!(of("java/util/ListIterator", "add", "(O)V"), Some((Code::Add, Some(0), None)));
        assert_eq!(of("java/util/ListIterator", "set", "(O)V"), Some((Code::SetFound, Some(0), None)));
        assert_eq!(of("java/util/Iterator", "remove", "()V"), Some((Code::TakeFound, None, None)));
        assert_eq!(of("java/util/TreeMap", "pollFirstEntry", "()O"), Some((Code::TakeEntry, None, None)));
        let atomic = "java/util/concurrent/atomic/AtomicReference";
        assert_eq!(of(atomic, "compareAndSet", "(OO)Z"), Some((Code::AssignIf, Some(1), None)));
        assert_eq!(of(atomic, "updateAndGet", "(O)O"), Some((Code::Relist, None, None)));
    }

    #[test]
    fn what_holds_no_objects_or_changes_its_order_alone_has_no_effect() {
        assert_eq!(of("java/lang/StringBuilder", "append", "(I)V"), None);
        let counter = "java/util/concurrent/atomic/AtomicInteger";
        assert_eq!(of(counter, "compareAndSet", "(II)Z"), Some((Code::If, None, None)));
        assert_eq!(of(counter, "compareAndExchange", "(II)I"), None, "it answers with a value");
        for (owner, name, descriptor) in [
            ("java/util/List", "sort", "(Ljava/util/Comparator;)V"),
            ("java/util/Collections", "shuffle", "(Ljava/util/List;)V"),
        ] {
            assert_eq!(of(owner, name, descriptor), Some((Code::Order, None, None)));
        }
        let read = |cast| effect(b"java/util/Iterator", b"next", b"()Ljava/lang/Object;", Access::Read, cast);
        assert_eq!(read(false), None);
        assert_eq!(read(true).map(|effect| effect.code), Some(Code::Show));
        let array = effect(b"java/util/List", b"toArray", b"()[Ljava/lang/Object;", Access::Read, false);
        assert_eq!(array, Some(Effect { code: Code::Fill, a: None, b: None }));
        let given = b"([Ljava/lang/Object;)[Ljava/lang/Object;";
        let array = effect(b"java/util/List", b"toArray", given, Access::Read, false);
        assert_eq!(array, Some(Effect { code: Code::Fill, a: Some(0), b: None }));
    }
}
