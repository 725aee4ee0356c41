//! The words the recorder puts into its chunks. The Java recorder repeats these numbers; a test holds them together.
//!
//! A word is `site << 38 | payload`. Site ids below [`FIRST_SITE`] are control words. It knows nothing of threads or
//! transport. Invariant: from a word and the site table alone it is known how many words follow.

use crate::ids::SiteId;

/// Bits of the payload (an object id).
pub const PAYLOAD_BITS: u32 = 38;
/// Mask of the payload.
pub const PAYLOAD_MASK: u64 = (1 << PAYLOAD_BITS) - 1;
/// The first id that names a real site.
pub const FIRST_SITE: u32 = 64;
/// One past the last site id that fits.
pub const SITE_LIMIT: u32 = 1 << (64 - PAYLOAD_BITS);

/// First sight of an object. Payload: the object; next word: the object id of its class mirror, and above it, for an array, one more
/// than its length (0: not recorded).
pub const OBJECT: u32 = 1;
/// An object died. Payload: the object.
pub const DEAD: u32 = 2;
/// A test begins (sent by our worker and runner, not by woven test classes). Payload: string id of its name.
pub const TEST_BEGIN: u32 = 3;
/// The test of this thread ends. Payload: 0, or 1 when it failed.
pub const TEST_END: u32 = 4;
/// Our worker starts the statement with this index. Payload: the index.
pub const STATEMENT: u32 = 5;
/// A test method of a woven test class begins: like `Enter`, before it. Payload: the test instance; next word: site id.
pub const TEST_METHOD: u32 = 6;
/// The test method ends. Payload: 0, or 1 when by an exception; next word: site id.
pub const TEST_METHOD_END: u32 = 7;
/// A call recorded for carving returned; a value word follows. Payload: site id.
pub const RETURNED: u32 = 8;
/// An object is in a container once more. Payload: the container; next word: the object.
pub const HELD: u32 = 9;
/// An object is in a container, once at least. Payload: the container; next word: the object.
pub const HELD_AT_LEAST_ONCE: u32 = 10;
/// An object is in a container once less. Payload: the container; next word: the object.
pub const RELEASED: u32 = 11;
/// A container is empty. Payload: the container.
pub const EMPTIED: u32 = 12;
/// First sight of a view, an iterator or another object without contents of its own. Payload: the object; next words: the
/// container whose contents it shows, and the object id of its class mirror.
pub const VIEW: u32 = 13;
/// Elements of an array are read at once. Payload: the array; next words: the site, and `first << 32 | count`.
pub const READ_RANGE: u32 = 14;
/// Elements of an array are overwritten by primitives at once; words as of [`READ_RANGE`]. The site 0 is that of other hands below no
/// recorded frame, see [`HAND_WRITE`].
pub const WRITE_RANGE: u32 = 15;

/// Value words. Null.
pub const VALUE_NULL: u32 = 16;
/// `boolean`, `byte`, `char`, `short` or `int`; payload: the 32 bits.
pub const VALUE_INT: u32 = 17;
/// `long`; next word: the value.
pub const VALUE_LONG: u32 = 18;
/// `float`; payload: the 32 bits.
pub const VALUE_FLOAT: u32 = 19;
/// `double`; next word: the bits.
pub const VALUE_DOUBLE: u32 = 20;
/// A string; payload: string id.
pub const VALUE_STRING: u32 = 21;
/// Any other object; payload: object id.
pub const VALUE_OBJECT: u32 = 22;
/// An enum constant; payload: object id; next word: string id of `binary.Name#CONSTANT`.
pub const VALUE_ENUM: u32 = 23;
/// A class literal; payload: string id of the class's name as `Class.getName()` gives it.
pub const VALUE_CLASS: u32 = 24;
/// Nothing: the call returns `void`.
pub const VALUE_VOID: u32 = 25;
/// A boxed value; payload: the character of the primitive descriptor; a value word of that primitive follows.
pub const VALUE_BOXED: u32 = 26;

/// The first word of a thread that another recorded thread made, or a thread made by that one, and so on. Payload: the number
/// of the nearest recorded one.
pub const STARTED_BY: u32 = 27;

/// A call that reads objects from a stream begins. No payload.
pub const RESTORING: u32 = 28;
/// A location has what a call put there: one that reads from a stream, or one of a list that shows an array. Payload: the object;
/// next words: the site of the call (0: it was there when the object was first seen), which location it is (0 for
/// the contents of a container, the index with bit [`STORED_ELEMENT_BIT`] set for an element of an array, otherwise the string
/// id of `binary.Class#field#descriptor`), and the value.
pub const STORED: u32 = 29;
/// In the third word of [`STORED`]: what is below is the index of an element.
pub const STORED_ELEMENT_BIT: u32 = 32;
/// A call that could have changed the contents of a container did not: it only reads. Payload: the container; next word: the site
/// of the call.
pub const UNCHANGED: u32 = 30;

/// A location is written by other hands than an instruction of a recorded class: by reflection, a `VarHandle`, a field updater,
/// `Unsafe`, a method handle of a field or JNI. Payload: the object, 0 for a static field; next words as of [`STORED`], with the
/// site of the call in the innermost recorded frame, 0 where there is none: what wrote the location is unknown from then on. With 0
/// for the location any field of the object was written, or any static field of the class if the object is one: all are unknown then.
pub const HAND_WRITE: u32 = 31;
/// A location is read by other hands. Payload and next words as of [`HAND_WRITE`], without the value.
pub const HAND_READ: u32 = 32;

/// The stack overflowed and control is in a frame again. Payload: how many frames of its method are on the stack; next word: a site of
/// the method. The frames above ended, whether or not they reported it.
pub const OVERFLOWED: u32 = 33;

/// Composes a word.
pub const fn word(site: u32, payload: u64) -> u64 {
    ((site as u64) << PAYLOAD_BITS) | (payload & PAYLOAD_MASK)
}

/// The site id or control number of a word.
pub const fn site_of(word: u64) -> u32 {
    (word >> PAYLOAD_BITS) as u32
}

/// The payload of a word.
pub const fn payload_of(word: u64) -> u64 {
    word & PAYLOAD_MASK
}

/// Lengths of arrays from this one on are not recorded: they do not fit above the number of a class.
pub const LENGTHS: u32 = SITE_LIMIT - 1;

/// The length of an array, in the word behind [`OBJECT`]; none when it is not recorded.
pub fn length_of(word: u64) -> Option<u32> {
    site_of(word).checked_sub(1)
}

/// The site named by a word, or none for a control word.
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
}
