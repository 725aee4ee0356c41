//! The words that the recorder puts into its chunks: how a word is put together, and the table of the words that name no site.
//!
//! A word is `site << 38 | payload`. Ids below [`FIRST_SITE`] name no site but a marker: [`MARKERS`] lists them, and what the words of each
//! hold. The words that name a site are laid out in [`crate::layout`]. The Java recorder repeats the numbers; tests run it and hold
//! it against both tables. Knows nothing of threads or transport. Invariant: from a word and the site table alone it is known how many words
//! follow.

use crate::ids::SiteId;

/// Bits of the payload (an object id).
pub const PAYLOAD_BITS: u32 = 38;
/// Mask of the payload.
pub const PAYLOAD_MASK: u64 = (1 << PAYLOAD_BITS) - 1;
/// The first id that names a real site.
pub const FIRST_SITE: u32 = 64;
/// One past the last site id that fits.
pub const SITE_LIMIT: u32 = 1 << (64 - PAYLOAD_BITS);

/// What a word of a marker holds; the first part is the payload of the marker's own word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Nothing: 0.
    Nothing,
    /// The id of the object that the event concerns; 0 for null, and for the object of a static field.
    Object,
    /// The id of another object: the one that a container holds, the value of a location, the container that a view shows.
    Value,
    /// The object id of a class.
    Class,
    /// The object id of the object's class and above it, for an array, one more than its length (0: not recorded), see [`length_of`].
    ClassAndLength,
    /// The id of a site.
    Site,
    /// The number of a text.
    Text,
    /// How many: frames, or the number of a thread or a statement, or what stands for a class.
    Number,
    /// 1 when the test failed or the method ended by an exception, else 0.
    Failed,
    /// Neighbouring elements of an array: `first << 32 | count`.
    Range,
    /// A location of the object: 0 for the contents of a container, the index with bit [`STORED_ELEMENT_BIT`] set for an element of an
    /// array, otherwise the number of the text `binary.Class#field#descriptor`.
    Location,
    /// The bits of a primitive value.
    Bits,
    /// The character of a primitive descriptor. The value word of that primitive follows.
    Primitive,
}

/// A word that names no site, and those that follow it.
#[derive(Clone, Copy, Debug)]
pub struct Marker {
    /// Its number, in place of a site id.
    pub number: u32,
    /// Its name here and in the Java recorder.
    pub name: &'static str,
    /// What its words hold, in order.
    pub parts: &'static [Part],
}

/// Declares the markers: name, number, what their words hold.
macro_rules! markers {
    ($($(#[$meta:meta])* $name:ident = $number:literal [$($part:ident),*];)*) => {
        $($(#[$meta])* pub const $name: u32 = $number;)*

        /// All markers. Each is a constant of this module, which says what it means.
        pub const MARKERS: &[Marker] = &[
            $(Marker { number: $name, name: stringify!($name), parts: &[$(Part::$part),*] }),*
        ];
    };
}

markers! {
    /// First sight of an object.
    OBJECT = 1 [Object, ClassAndLength];
    /// An object died.
    DEAD = 2 [Object];
    /// A test begins (sent by our worker and runner, not by woven test classes), by its name.
    TEST_BEGIN = 3 [Text];
    /// The test of this thread ends.
    TEST_END = 4 [Failed];
    /// Our worker starts the statement with this index.
    STATEMENT = 5 [Number];
    /// A test method of a woven test class begins on an instance: like the entry at the site, before it. What stands for the instance's class
    /// is the hash of its name, 0 for null.
    TEST_METHOD = 6 [Object, Site, Number];
    /// The test method ends.
    TEST_METHOD_END = 7 [Failed, Site];
    /// A call recorded for carving returned; a value word follows.
    RETURNED = 8 [Site];
    /// An object is in a container once more.
    HELD = 9 [Object, Value];
    /// An object is in a container, once at least.
    HELD_AT_LEAST_ONCE = 10 [Object, Value];
    /// An object is in a container once less.
    RELEASED = 11 [Object, Value];
    /// A container is empty.
    EMPTIED = 12 [Object];
    /// First sight of a view, an iterator or another object without contents of its own: it shows those of a container.
    VIEW = 13 [Object, Value, Class];
    /// Elements of an array are read at once.
    READ_RANGE = 14 [Object, Site, Range];
    /// Elements of an array are overwritten by primitives at once. The site 0 is that of other hands below no recorded frame, see
    /// [`HAND_WRITE`].
    WRITE_RANGE = 15 [Object, Site, Range];

    /// Value words. Null.
    VALUE_NULL = 16 [Nothing];
    /// `boolean`, `byte`, `char`, `short` or `int`: 32 bits.
    VALUE_INT = 17 [Bits];
    /// `long`.
    VALUE_LONG = 18 [Nothing, Bits];
    /// `float`: 32 bits.
    VALUE_FLOAT = 19 [Bits];
    /// `double`.
    VALUE_DOUBLE = 20 [Nothing, Bits];
    /// A string.
    VALUE_STRING = 21 [Text];
    /// Any other object.
    VALUE_OBJECT = 22 [Object];
    /// An enum constant, with the text `binary.Name#CONSTANT`.
    VALUE_ENUM = 23 [Object, Text];
    /// A class literal: the class's name as `Class.getName()` gives it.
    VALUE_CLASS = 24 [Text];
    /// Nothing: the call returns `void`.
    VALUE_VOID = 25 [Nothing];
    /// A boxed value.
    VALUE_BOXED = 26 [Primitive];

    /// The first word of a thread that another recorded thread made, or a thread made by that one, and so on: the number of
    /// the nearest recorded one.
    STARTED_BY = 27 [Number];

    /// A call that reads objects from a stream begins.
    RESTORING = 28 [Nothing];
    /// A location has what a call put there: one that reads from a stream, or one of a list that shows an array. The site is that of the
    /// call; 0: the value was there when the object was first seen.
    STORED = 29 [Object, Site, Location, Value];
    /// A call that could have changed the contents of a container did not: it only reads.
    UNCHANGED = 30 [Object, Site];

    /// A location is written by other hands than an instruction of a recorded class: by reflection, a `VarHandle`, a field updater,
    /// `Unsafe`, a method handle of a field or JNI. The site is that of the call in the innermost recorded frame, 0 where there is
    /// none: what wrote the location is unknown from then on. With 0 for the location any field of the object was written, or any static field of the
    /// class if the object is one: all are unknown then.
    HAND_WRITE = 31 [Object, Site, Location, Value];
    /// A location is read by other hands.
    HAND_READ = 32 [Object, Site, Location];

    /// The stack overflowed and control is in a frame again: how many frames of the site's method are on the stack. The frames above ended,
    /// whether or not they reported it.
    OVERFLOWED = 33 [Number, Site];

    /// An invocation of this thread is left out from here on: it recorded something that is not left out, and nothing between here and
    /// [`UNMUTED`] says in which frame. What is written is unknown, what is read does not count.
    MUTED = 34 [Nothing];
    /// It is over; 1 when the frames that were active before it may be over as well.
    UNMUTED = 35 [Failed];
    /// The next event of this thread, which is muted, happens in a frame on this object. 0: its stack overflowed, and it may be in any of the
    /// frames that were active before it was muted.
    MUTED_THIS = 36 [Object];
    /// So many invocations that begin at a site were left out, or so many accesses at one.
    LEFT_OUT = 37 [Number, Site];
    /// What the next event of this thread writes, the thread may write at any time without a word, until its innermost frame ends.
    BLURS = 38 [Nothing];
}

/// In a [`Part::Location`]: what is below is the index of an element.
pub const STORED_ELEMENT_BIT: u32 = 32;

/// By number: how many words a marker takes, its own included; 0 where no marker has the number.
const MARKER_LENGTHS: [u8; FIRST_SITE as usize] = {
    let mut lengths = [0; FIRST_SITE as usize];
    let mut at = 0;
    while at < MARKERS.len() {
        lengths[MARKERS[at].number as usize] = MARKERS[at].parts.len() as u8;
        at += 1;
    }
    lengths
};

/// How many words a marker takes, its own included; none when no marker has the number. What follows a box or `RETURNED` is not counted.
#[inline]
pub fn marker_length(number: u32) -> Option<usize> {
    MARKER_LENGTHS.get(number as usize).map(|length| usize::from(*length)).filter(|length| *length > 0)
}

/// Whether a marker is a value word.
pub const fn is_value(number: u32) -> bool {
    VALUE_NULL <= number && number <= VALUE_BOXED
}

/// Where among the words of a marker a part stands. Made to be evaluated by the compiler, which refuses a marker without such a part.
#[allow(clippy::panic, reason = "evaluated by the compiler")]
pub const fn place(number: u32, part: Part) -> usize {
    let mut at = 0;
    while at < MARKERS.len() {
        let parts = MARKERS[at].parts;
        let mut place = 0;
        while MARKERS[at].number == number && place < parts.len() {
            if parts[place] as u8 == part as u8 {
                return place;
            }
            place += 1;
        }
        at += 1;
    }
    panic!("no marker has this number and such a part")
}

/// Composes a word.
pub const fn word(site: u32, payload: u64) -> u64 {
    ((site as u64) << PAYLOAD_BITS) | (payload & PAYLOAD_MASK)
}

/// The site id or the marker's number in a word.
pub const fn site_of(word: u64) -> u32 {
    (word >> PAYLOAD_BITS) as u32
}

/// The payload of a word.
pub const fn payload_of(word: u64) -> u64 {
    word & PAYLOAD_MASK
}

/// Lengths of arrays from this one on are not recorded: they do not fit above the number of a class.
pub const LENGTHS: u32 = SITE_LIMIT - 1;

/// The length of an array, in a [`Part::ClassAndLength`]; none when it is not recorded.
pub fn length_of(word: u64) -> Option<u32> {
    site_of(word).checked_sub(1)
}

/// The site named by a word, or none for a marker.
pub fn real_site(word: u64) -> Option<SiteId> {
    let site = site_of(word);
    (site >= FIRST_SITE).then_some(SiteId(site))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_gives_back_its_site_and_payload() {
        let w = word(SITE_LIMIT - 1, PAYLOAD_MASK);
        assert_eq!((site_of(w), payload_of(w)), (SITE_LIMIT - 1, PAYLOAD_MASK));
        assert_eq!(real_site(word(OBJECT, 7)), None);
        assert_eq!(real_site(word(FIRST_SITE, 7)), Some(SiteId(FIRST_SITE)));
    }

    #[test]
    fn every_marker_has_a_number_of_its_own_and_is_as_long_as_its_parts() {
        for (at, marker) in MARKERS.iter().enumerate() {
            assert_eq!(marker_length(marker.number), Some(marker.parts.len()), "{}", marker.name);
            assert!(
                MARKERS.iter().skip(at + 1).all(|other| other.number != marker.number),
                "{}",
                marker.name
            );
            for (place, part) in marker.parts.iter().enumerate() {
                assert_eq!(super::place(marker.number, *part), place, "{} has a part twice", marker.name);
            }
        }
        assert_eq!(
            (marker_length(0), marker_length(FIRST_SITE - 1), marker_length(FIRST_SITE)),
            (None, None, None)
        );
    }
}
