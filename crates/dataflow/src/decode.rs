//! From words to events.
//!
//! Knows nothing of state. Invariant: every call consumes at least one word, whatever the words are.

use crate::registry::{Bundle, OpKind, Registry};
use dynaflow_model::ids::ObjectId;
use dynaflow_model::layout::Places;
use dynaflow_model::sites::{Access, Base, ReceiverKind, ValueKind};
use dynaflow_model::words;

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
    TestMethod(ObjectId, u32, u32),
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
    /// The call returned; whether it could be found out what it did.
    Restored(bool),
    /// Other hands accessed a location.
    Hand(Hand),
    /// A basic block is entered.
    Block,
    /// A test class calls something on a receiver.
    Call(ObjectId),
    /// A test class gets a reference from an object.
    Origin(ObjectId),
    /// Several events reported together, see [`bundled`].
    Bundle,
    /// An invocation that is left out recorded something.
    Muted,
    /// It is over; whether the frames below it may be as well.
    Unmuted(bool),
    /// The object on which the next event happens.
    MutedThis(ObjectId),
    /// So many invocations that begin at a site were left out, or accesses at one.
    LeftOut(u64, u32),
    /// What the next event of the thread writes it may write at any time until its innermost frame ends.
    Blurs,
    /// Something that is no event of the analysis.
    Skipped,
    /// A word that names nothing, or an event without its last words.
    Garbage,
}

/// How many words a value takes, the first included; none when it does not end in `words`.
pub fn value_length(words: &[u64]) -> Option<usize> {
    let mut boxes = 0;
    loop {
        let number = words::site_of(*words.get(boxes)?);
        let length = words::marker_length(number).filter(|_| words::is_value(number))?;
        if number != words::VALUE_BOXED {
            return Some(boxes + length).filter(|length| *length <= words.len());
        }
        boxes += length;
    }
}

/// The event at the start of `words` (not empty), its site, and how many words it takes.
#[inline(always)]
pub fn decode(words: &[u64], registry: &Registry) -> (Event, u32, usize) {
    let Some(word) = words.first().copied() else {
        return (Event::Garbage, 0, 1);
    };
    let site = words::site_of(word);
    if site < words::FIRST_SITE {
        let (event, length) = marked(site, words);
        return (event, site, length);
    }
    let op = registry.op_at(site);
    let length = usize::from(op.words);
    let Some(own) = words.get(..length) else {
        return (Event::Garbage, site, words.len());
    };
    (event(op.kind, op.places, own), site, length)
}

/// The event at a place in a bundle, given the words of the bundle, and its site.
#[inline]
pub fn bundled(bundle: Bundle, at: usize, words: &[u64], registry: &Registry) -> (Event, u32) {
    let site = bundle.first + at as u32;
    (event(registry.op_at(site).kind, registry.step(bundle.steps.0 + at), words), site)
}

/// What happened at a site that does this, given where its operands stand in these words.
#[inline(always)]
fn event(kind: OpKind, places: Places, words: &[u64]) -> Event {
    let object = || ObjectId(places.object(words));
    let value = || ObjectId(places.value(words));
    match kind {
        OpKind::Enter(receiver) => Event::Enter(receiver, object()),
        OpKind::Exit(exceptional) => Event::Exit(exceptional),
        OpKind::SuperCall => Event::SuperCall,
        OpKind::Bind => Event::Bind(object()),
        OpKind::Field(access, base, kind) => {
            // Below what is left out nobody knows frames: there `this` is passed.
            let is_this = base == Base::This && !places.has_object();
            let at = if is_this { At::This } else { At::Object(object()) };
            accessed(access, kind, at, value)
        }
        OpKind::Static(access, kind) => accessed(access, kind, At::Static, value),
        OpKind::Element(access, kind) => {
            accessed(access, kind, At::Element(object(), places.number(words)), value)
        }
        OpKind::Contents(Access::Read) => Event::Read(At::Contents(object())),
        OpKind::Contents(Access::Write) => Event::Write(At::Contents(object()), ObjectId::NULL),
        OpKind::Contents(Access::ReadWrite) => Event::ReadWrite(At::Contents(object())),
        OpKind::Inherited => Event::Inherited(object()),
        OpKind::Argument(access) => Event::Argument(access, object(), value()),
        OpKind::Clone => Event::Clone(object(), value()),
        OpKind::Call => Event::Call(object()),
        OpKind::Origin => Event::Origin(object()),
        OpKind::Restore => Event::Restored(places.number(words) == 0),
        OpKind::Block => Event::Block,
        OpKind::Branch => Event::Skipped,
        OpKind::Bundle => Event::Bundle,
        // Calls are named by words about what was done below them.
        OpKind::Hand | OpKind::Unknown => Event::Garbage,
    }
}

/// An access to a field or an element.
#[inline(always)]
fn accessed(access: Access, kind: ValueKind, at: At, value: impl Fn() -> ObjectId) -> Event {
    match (access, kind) {
        (Access::Write, ValueKind::Leaf) => Event::Write(at, ObjectId::NULL),
        (Access::Write, ValueKind::Reference) => Event::Write(at, value()),
        _ => Event::Read(at),
    }
}

/// The word of a marker that holds a part. The compiler looks its place up in the table.
macro_rules! part {
    ($words:ident, $marker:ident, $part:ident) => {
        $words.get(const { words::place(words::$marker, words::Part::$part) }).copied().unwrap_or_default()
    };
}

/// The same of an id of an object, or of the payload.
macro_rules! object {
    ($words:ident, $marker:ident, $part:ident) => {
        ObjectId(words::payload_of(part!($words, $marker, $part)))
    };
}

/// The same of a site or the number of a text in a payload or a word: below 2^32 where it is valid; others name nothing.
macro_rules! number {
    ($words:ident, $marker:ident, $part:ident) => {{
        let place = const { words::place(words::$marker, words::Part::$part) };
        let word = part!($words, $marker, $part);
        u32::try_from(if place == 0 { words::payload_of(word) } else { word }).unwrap_or(u32::MAX)
    }};
}

/// The event of a marker, and how many words it takes; garbage as far as they go when some are missing or hold what cannot be.
fn marked(number: u32, words: &[u64]) -> (Event, usize) {
    if words::is_value(number) {
        return value_length(words).map_or((Event::Garbage, 1), |length| (Event::Value, length));
    }
    let Some(length) = words::marker_length(number) else {
        return (Event::Garbage, 1);
    };
    match words.get(..length) {
        Some(own) => (marker(number, own).unwrap_or(Event::Garbage), length),
        None => (Event::Garbage, words.len()),
    }
}

/// None for what cannot be.
fn marker(number: u32, words: &[u64]) -> Option<Event> {
    Some(match number {
        words::OBJECT => {
            let class = part!(words, OBJECT, ClassAndLength);
            Event::Object(
                object!(words, OBJECT, Object),
                ObjectId(words::payload_of(class)),
                words::length_of(class),
            )
        }
        words::DEAD => Event::Dead(object!(words, DEAD, Object)),
        words::TEST_BEGIN => Event::TestBegin(number!(words, TEST_BEGIN, Text)),
        words::TEST_END => Event::TestEnd(number!(words, TEST_END, Failed) != 0),
        words::STATEMENT => Event::Statement(number!(words, STATEMENT, Number)),
        words::TEST_METHOD => {
            let suite = number!(words, TEST_METHOD, Number);
            Event::TestMethod(object!(words, TEST_METHOD, Object), number!(words, TEST_METHOD, Site), suite)
        }
        words::TEST_METHOD_END => Event::TestMethodEnd(
            number!(words, TEST_METHOD_END, Failed) != 0,
            number!(words, TEST_METHOD_END, Site),
        ),
        words::RETURNED => Event::Returned(number!(words, RETURNED, Site)),
        words::STARTED_BY => Event::StartedBy(number!(words, STARTED_BY, Number)),
        words::OVERFLOWED => Event::Overflowed(
            words::payload_of(part!(words, OVERFLOWED, Number)),
            number!(words, OVERFLOWED, Site),
        ),
        words::MUTED => Event::Muted,
        words::UNMUTED => Event::Unmuted(number!(words, UNMUTED, Failed) != 0),
        words::MUTED_THIS => Event::MutedThis(object!(words, MUTED_THIS, Object)),
        words::BLURS => Event::Blurs,
        words::LEFT_OUT => {
            Event::LeftOut(words::payload_of(part!(words, LEFT_OUT, Number)), number!(words, LEFT_OUT, Site))
        }
        words::VIEW => Event::View(
            object!(words, VIEW, Object),
            object!(words, VIEW, Value),
            object!(words, VIEW, Class),
        ),
        words::UNCHANGED => {
            Event::Unchanged(object!(words, UNCHANGED, Object), number!(words, UNCHANGED, Site))
        }
        words::RESTORING => Event::Restoring,
        words::READ_RANGE => Event::ReadRange(range(words)?),
        words::WRITE_RANGE => Event::WriteRange(range(words)?),
        words::STORED => Event::Stored(stored(words)),
        words::HAND_WRITE | words::HAND_READ => Event::Hand(hand(number, words)),
        _ => held(number, words)?,
    })
}

/// What a container holds changed.
fn held(number: u32, words: &[u64]) -> Option<Event> {
    let how = match number {
        words::HELD => Holding::OnceMore,
        words::HELD_AT_LEAST_ONCE => Holding::AtLeastOnce,
        words::RELEASED => Holding::OnceLess,
        words::EMPTIED => {
            return Some(Event::Held(Holding::Nothing, object!(words, EMPTIED, Object), ObjectId::NULL));
        }
        _ => return None,
    };
    // The words of these three are alike, see the test below.
    Some(Event::Held(how, object!(words, HELD, Object), object!(words, HELD, Value)))
}

/// The words of `READ_RANGE` and `WRITE_RANGE`, which are alike; none when they hold what no array has.
fn range(words: &[u64]) -> Option<Range> {
    let elements = part!(words, READ_RANGE, Range);
    let (from, count) = ((elements >> 32) as u32, elements as u32);
    let to = from.checked_add(count).filter(|to| *to <= 1 << 31)?;
    let (array, site) = (object!(words, READ_RANGE, Object), number!(words, READ_RANGE, Site));
    Some(Range { array, site, from, to })
}

fn stored(words: &[u64]) -> Stored {
    let place = location(part!(words, STORED, Location));
    let (object, site) = (object!(words, STORED, Object), number!(words, STORED, Site));
    Stored { object, site, place, value: object!(words, STORED, Value) }
}

/// The words of `HAND_WRITE`, and those of `HAND_READ`, which are the same without the value.
fn hand(number: u32, words: &[u64]) -> Hand {
    let place = location(part!(words, HAND_WRITE, Location));
    let (object, site) = (object!(words, HAND_WRITE, Object), number!(words, HAND_WRITE, Site));
    let written = (number == words::HAND_WRITE).then(|| object!(words, HAND_WRITE, Value));
    Hand { object, site, place, written }
}

fn location(word: u64) -> StoredPlace {
    match (word >> words::STORED_ELEMENT_BIT, word as u32) {
        (0, 0) => StoredPlace::Contents,
        (0, text) => StoredPlace::Field(text),
        (_, index) => StoredPlace::Element(index),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_that_are_taken_apart_together_have_their_parts_at_the_same_places() {
        let parts = |number| {
            words::MARKERS.iter().find(|marker| marker.number == number).map(|marker| marker.parts).unwrap()
        };
        assert_eq!(parts(words::HELD), parts(words::HELD_AT_LEAST_ONCE));
        assert_eq!(parts(words::HELD), parts(words::RELEASED));
        assert_eq!(parts(words::READ_RANGE), parts(words::WRITE_RANGE));
        assert_eq!(parts(words::HAND_WRITE)[..3], *parts(words::HAND_READ));
    }

    #[test]
    fn every_marker_is_an_event_of_as_many_words_as_the_table_says_and_garbage_when_some_are_missing() {
        for marker in words::MARKERS {
            let mut sent = vec![words::word(marker.number, 1)];
            sent.resize(marker.parts.len(), 1);
            if marker.number == words::VALUE_BOXED {
                sent.push(words::word(words::VALUE_NULL, 0));
            }
            let (event, _, length) = decode(&sent, &Registry::default());
            assert_eq!((event == Event::Garbage, length), (false, sent.len()), "{}", marker.name);
            let cut = &sent[..sent.len() - 1];
            if !cut.is_empty() {
                assert_eq!(decode(cut, &Registry::default()).0, Event::Garbage, "{}", marker.name);
            }
        }
        assert_eq!(decode(&[words::word(63, 1), 1], &Registry::default()), (Event::Garbage, 63, 1));
    }
}
