//! From words to events.
//!
//! Knows nothing of state. Invariant: every call consumes at least one word, whatever the words are.

use crate::registry::{Bundle, OpKind, Registry};
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sites::{Access, Base, ReceiverKind, Step, ValueKind};
use dynaflow_model::wire;

/// The object whose location is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// A field of the receiver of the innermost frame.
    This,
    /// A field of an object.
    Object(ObjectId),
    /// A static field.
    Static,
    /// An element of an array.
    Element(ObjectId, u32),
    /// The contents of a container.
    Contents(ObjectId),
}

/// Neighbouring elements of an array that are accessed at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The array.
    pub array: ObjectId,
    /// The site.
    pub site: u32,
    /// The first index.
    pub from: u32,
    /// One past the last index.
    pub to: u32,
}

/// How what a container holds changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holding {
    /// An object is in there once more.
    OnceMore,
    /// It is in there, once at least.
    AtLeastOnce,
    /// It is in there once less.
    OnceLess,
    /// Nothing is in there.
    Nothing,
}

/// What a stream put where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The object.
    pub object: ObjectId,
    /// The call's site.
    pub site: u32,
    /// Which location of it.
    pub place: StoredPlace,
    /// The value; null for what is no edge.
    pub value: ObjectId,
}

/// A location of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredPlace {
    /// The field with the name of this number.
    Field(u32),
    /// An element.
    Element(u32),
    /// The contents.
    Contents,
}

/// A location that other hands than an instruction of the program accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hand {
    /// The object; null for a static field.
    pub object: ObjectId,
    /// The site of the call in the innermost frame of the program; below all sites when there is none.
    pub site: u32,
    /// Which location of it.
    pub place: StoredPlace,
    /// The value, if it is written; null for what is no edge.
    pub written: Option<ObjectId>,
}

/// What a thread did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// First sight of an object, its class object and, if it is an array whose length is known, its length.
    Object(ObjectId, ObjectId, Option<u32>),
    /// First sight of an object that shows the contents of another one, and its class object.
    View(ObjectId, ObjectId, ObjectId),
    /// What a container holds changes: the container, the object in it.
    Held(Holding, ObjectId, ObjectId),
    /// An object died.
    Dead(ObjectId),
    /// The thread was made by the one with this number.
    StartedBy(u32),
    /// A worker's test begins; number of its name.
    TestBegin(u32),
    /// It ends; whether it failed.
    TestEnd(bool),
    /// A worker's statement begins.
    Statement(u32),
    /// A test method of an instance begins, at a site.
    TestMethod(ObjectId, u32),
    /// It ends; whether by an exception.
    TestMethodEnd(bool, u32),
    /// A recorded call returned; its value follows.
    Returned(u32),
    /// A value.
    Value,
    /// Entry of a method.
    Enter(ReceiverKind, ObjectId),
    /// Exit of a method, exceptional or not.
    Exit(bool),
    /// The stack overflowed, and so many frames of the method of a site are left.
    Overflowed(u64, u32),
    /// A constructor is about to be invoked on `this`.
    SuperCall,
    /// It returned, and this is `this`.
    Bind(ObjectId),
    /// A location is read.
    Read(At),
    /// A location is written; null for what is no edge.
    Write(At, ObjectId),
    /// Elements of an array are read at once.
    ReadRange(Range),
    /// Elements of an array are written at once, and refer to nothing afterwards.
    WriteRange(Range),
    /// Contents are read and then written.
    ReadWrite(At),
    /// A call at a site could have changed the contents of this container and did not.
    Unchanged(ObjectId, u32),
    /// A method was called that the class of this object may inherit from a container.
    Inherited(ObjectId),
    /// A container was an argument of a call that accesses its contents: the container, the receiver of the call.
    Argument(Access, ObjectId, ObjectId),
    /// An object was cloned: the object, the copy.
    Clone(ObjectId, ObjectId),
    /// A call that reads objects from a stream begins.
    Restoring,
    /// A stream put a value into a location of an object, at a site.
    Stored(Stored),
    /// The call returned; whether it could be told what it did.
    Restored(bool),
    /// Other hands accessed a location.
    Hand(Hand),
    /// A basic block is entered.
    Block,
    /// A test class calls something on a receiver.
    Call(ObjectId),
    /// A test class gets a reference from an object.
    Origin(ObjectId),
    /// Several events told at once, see [`bundled`].
    Bundle,
    /// Something that is no event of the analysis.
    Skipped,
    /// A word that says nothing, or an event without its last words.
    Garbage,
}

/// How many words a value takes, the first included; none when it does not end in `words`.
pub fn value_length(words: &[u64]) -> Option<usize> {
    let mut boxes = 0;
    loop {
        let length = match wire::site_of(*words.get(boxes)?) {
            wire::VALUE_BOXED => {
                boxes += 1;
                continue;
            }
            wire::VALUE_LONG | wire::VALUE_DOUBLE | wire::VALUE_ENUM => 2,
            wire::VALUE_NULL..=wire::VALUE_VOID => 1,
            _ => return None,
        };
        return Some(boxes + length).filter(|length| *length <= words.len());
    }
}

/// The event at the start of `words` (not empty), its site, and how many words it takes.
#[inline(always)]
pub fn decode(words: &[u64], registry: &Registry) -> (Event, u32, usize) {
    let Some(word) = words.first().copied() else {
        return (Event::Garbage, 0, 1);
    };
    let site = wire::site_of(word);
    let payload = wire::payload_of(word);
    if site < wire::FIRST_SITE {
        let (event, length) = control(site, payload, words);
        return (event, site, length);
    }
    let op = registry.op(site);
    let length = 1 + usize::from(op.extra);
    let Some(extra) = words.get(1..length) else {
        return (Event::Garbage, site, words.len());
    };
    (event(op.kind, ObjectId(payload), extra), site, length)
}

/// The event at a place in a bundle, given the words of the bundle, and its site.
#[inline]
pub fn bundled(bundle: Bundle, at: usize, words: &[u64], registry: &Registry) -> (Event, u32) {
    let site = bundle.first + at as u32;
    (step(registry.step(bundle.steps.0 + at), words, bundle.numbers, registry.op(site).kind), site)
}

/// The event of a step of a bundle, given how many numbers are among its words, and what the site does.
#[inline]
fn step(step: Step, words: &[u64], numbers: u8, kind: OpKind) -> Event {
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let object = |at: u8| match at {
        0 => wire::payload_of(word(0)),
        _ => wire::payload_of(word(usize::from(at) + usize::from(numbers > 0))),
    };
    let payload = ObjectId(step.object.or(step.value).map_or(0, object));
    let value = step.value.map_or(0, object);
    match step.number {
        Some(0) if numbers > 1 => event(kind, payload, &[word(1) >> 32, value]),
        Some(_) => event(kind, payload, &[word(1), value]),
        None => event(kind, payload, &[value]),
    }
}

#[inline(always)]
fn event(kind: OpKind, payload: ObjectId, extra: &[u64]) -> Event {
    let word = |at: usize| extra.get(at).copied().unwrap_or_default();
    match kind {
        OpKind::Enter(receiver) => Event::Enter(receiver, payload),
        OpKind::Exit(exceptional) => Event::Exit(exceptional),
        OpKind::SuperCall => Event::SuperCall,
        OpKind::Bind => Event::Bind(payload),
        OpKind::Field(access, base, value) => field(access, base, value, payload, word(0)),
        OpKind::Static(Access::Write, ValueKind::Reference) => Event::Write(At::Static, payload),
        OpKind::Static(Access::Write, ValueKind::Leaf) => Event::Write(At::Static, ObjectId::NULL),
        OpKind::Static(..) => Event::Read(At::Static),
        OpKind::Element(access, value) => {
            let at = At::Element(payload, word(0) as u32);
            match (access, value) {
                (Access::Write, ValueKind::Reference) => {
                    Event::Write(at, ObjectId(wire::payload_of(word(1))))
                }
                (Access::Write, ValueKind::Leaf) => Event::Write(at, ObjectId::NULL),
                _ => Event::Read(at),
            }
        }
        OpKind::Contents(Access::Read) => Event::Read(At::Contents(payload)),
        OpKind::Contents(Access::Write) => Event::Write(At::Contents(payload), ObjectId::NULL),
        OpKind::Contents(Access::ReadWrite) => Event::ReadWrite(At::Contents(payload)),
        OpKind::Inherited => Event::Inherited(payload),
        OpKind::Argument(access) => Event::Argument(access, payload, ObjectId(wire::payload_of(word(0)))),
        OpKind::Clone => Event::Clone(payload, ObjectId(wire::payload_of(word(0)))),
        OpKind::Call => Event::Call(payload),
        OpKind::Origin => Event::Origin(payload),
        OpKind::Restore => Event::Restored(payload == ObjectId::NULL),
        OpKind::Block => Event::Block,
        OpKind::Branch => Event::Skipped,
        OpKind::Bundle => Event::Bundle,
        // Calls are named by words about what was done below them.
        OpKind::Hand | OpKind::Unknown => Event::Garbage,
    }
}

#[inline]
fn field(access: Access, base: Base, value: ValueKind, payload: ObjectId, next: u64) -> Event {
    let at = if base == Base::This { At::This } else { At::Object(payload) };
    match (access, value, base) {
        (Access::Write, ValueKind::Leaf, _) => Event::Write(at, ObjectId::NULL),
        (Access::Write, ValueKind::Reference, Base::This) => Event::Write(at, payload),
        (Access::Write, ValueKind::Reference, Base::Stack) => {
            Event::Write(at, ObjectId(wire::payload_of(next)))
        }
        _ => Event::Read(at),
    }
}

/// None when words are missing or say what no array has.
fn range(array: ObjectId, words: &[u64]) -> Option<Range> {
    let (site, elements) = (*words.get(1)?, *words.get(2)?);
    let (from, count) = ((elements >> 32) as u32, elements as u32);
    let to = from.checked_add(count).filter(|to| *to <= 1 << 31)?;
    Some(Range { array, site: u32::try_from(site).unwrap_or(u32::MAX), from, to })
}

/// None when words are missing.
fn stored(object: ObjectId, words: &[u64]) -> Option<Stored> {
    let (site, place) = placed(words)?;
    Some(Stored { object, site, place, value: ObjectId(wire::payload_of(*words.get(3)?)) })
}

/// The site and the location that the second and third word say; none when they are missing.
fn placed(words: &[u64]) -> Option<(u32, StoredPlace)> {
    let (site, place) = (*words.get(1)?, *words.get(2)?);
    let place = match (place >> wire::STORED_ELEMENT_BIT, place as u32) {
        (0, 0) => StoredPlace::Contents,
        (0, text) => StoredPlace::Field(text),
        (_, index) => StoredPlace::Element(index),
    };
    Some((u32::try_from(site).unwrap_or(u32::MAX), place))
}

/// None when words are missing.
fn hand(object: ObjectId, words: &[u64], writes: bool) -> Option<Event> {
    let (site, place) = placed(words)?;
    let value = if writes { Some(ObjectId(wire::payload_of(*words.get(3)?))) } else { None };
    Some(Event::Hand(Hand { object, site, place, written: value }))
}

/// An event of three or four words; garbage as far as they go when some are missing or say what cannot be.
fn of_several_words(number: u32, object: ObjectId, words: &[u64]) -> (Event, usize) {
    let (event, length) = match number {
        wire::STORED => (stored(object, words).map(Event::Stored), 4),
        wire::HAND_WRITE => (hand(object, words, true), 4),
        wire::HAND_READ => (hand(object, words, false), 3),
        wire::READ_RANGE => (range(object, words).map(Event::ReadRange), 3),
        wire::WRITE_RANGE => (range(object, words).map(Event::WriteRange), 3),
        _ => (view(object, words), 3),
    };
    (event.unwrap_or(Event::Garbage), length.min(words.len()))
}

/// None when words are missing.
fn view(object: ObjectId, words: &[u64]) -> Option<Event> {
    let [of, mirror] = [*words.get(1)?, *words.get(2)?].map(|word| ObjectId(wire::payload_of(word)));
    Some(Event::View(object, of, mirror))
}

fn control(number: u32, payload: u64, words: &[u64]) -> (Event, usize) {
    let next = words.get(1).copied();
    // Numbers of sites and texts are below 2^32 where they are valid; others name nothing.
    let small = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    let single = match number {
        wire::DEAD => Event::Dead(ObjectId(payload)),
        wire::TEST_BEGIN => Event::TestBegin(small(payload)),
        wire::TEST_END => Event::TestEnd(payload != 0),
        wire::STATEMENT => Event::Statement(small(payload)),
        wire::RETURNED => Event::Returned(small(payload)),
        wire::STARTED_BY => Event::StartedBy(small(payload)),
        wire::RESTORING => Event::Restoring,
        wire::STORED
        | wire::HAND_WRITE
        | wire::HAND_READ
        | wire::VIEW
        | wire::READ_RANGE
        | wire::WRITE_RANGE => {
            return of_several_words(number, ObjectId(payload), words);
        }
        wire::EMPTIED => Event::Held(Holding::Nothing, ObjectId(payload), ObjectId::NULL),
        wire::OBJECT
        | wire::UNCHANGED
        | wire::OVERFLOWED
        | wire::TEST_METHOD
        | wire::TEST_METHOD_END
        | wire::HELD
        | wire::HELD_AT_LEAST_ONCE
        | wire::RELEASED => {
            let Some(next) = next else {
                return (Event::Garbage, 1);
            };
            let held = |how| Event::Held(how, ObjectId(payload), ObjectId(wire::payload_of(next)));
            let event = match number {
                wire::HELD => held(Holding::OnceMore),
                wire::HELD_AT_LEAST_ONCE => held(Holding::AtLeastOnce),
                wire::RELEASED => held(Holding::OnceLess),
                wire::OBJECT => {
                    Event::Object(ObjectId(payload), ObjectId(wire::payload_of(next)), wire::length_of(next))
                }
                wire::UNCHANGED => Event::Unchanged(ObjectId(payload), small(next)),
                wire::OVERFLOWED => Event::Overflowed(payload, small(next)),
                wire::TEST_METHOD => Event::TestMethod(ObjectId(payload), small(next)),
                _ => Event::TestMethodEnd(payload != 0, small(next)),
            };
            return (event, 2);
        }
        _ => {
            return match value_length(words) {
                Some(length) => (Event::Value, length),
                None => (Event::Garbage, 1),
            };
        }
    };
    (single, 1)
}
