//! The methods of the Java recorder, and the words that each puts into the chunk of its thread.
//!
//! Woven code calls them, and our worker. The weaver takes names and descriptors from this table, [`crate::layout`] takes from it where the operands of
//! a site stand, and a test of the Java recorder runs every method and holds what it sends against it. Knows nothing of
//! what the operands mean at a site. Invariant: the table lists every method that the recorder offers, in any order.

use crate::words;

/// Internal name of the recorder. The boot loader defines it, so every class finds it.
pub const RECORDER: &str = "java/lang/DynaflowRecorder";

/// A parameter of a method of the recorder. Objects and ints are counted from 0, each among their like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// An object or null.
    Object,
    /// An `int`.
    Int,
    /// A `long`.
    Long,
    /// A `float`.
    Float,
    /// A `double`.
    Double,
    /// A `boolean`.
    Flag,
    /// A string.
    Text,
    /// The id of a site.
    Site,
}

impl Parameter {
    /// Slots of the operand stack.
    pub const fn slots(self) -> u8 {
        match self {
            Self::Long | Self::Double => 2,
            _ => 1,
        }
    }
}

/// What a word holds of what the method is called with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// Nothing: 0.
    Zero,
    /// The id of this object; 0 for null.
    Object(u8),
    /// The same of an object that is a value: strings and boxes have one id together.
    Value(u8),
    /// This `int`, with its sign.
    Number(u8),
    /// The first `int` in the high half, the second one, or 0 when there is none, in the low half.
    Halves,
    /// The bits of the one primitive.
    Bits,
    /// The number of the string as a text.
    Text,
    /// 1 if the object is null, else 0.
    IsNull,
    /// 1 if both objects are the same, else 0.
    AreSame,
    /// The site. Where one call reports several sites, one of those that follow it.
    Site,
    /// The hash of the name of the object's class; 0 for null.
    NameOfClass,
    /// Something that the recorder finds out.
    Found,
}

/// What stands above the payload of the first word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// The site.
    Site,
    /// A marker, see [`words::MARKERS`].
    Marker(u32),
}

/// An event that a method sends: its words in order, the first operand in the payload of the first word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    /// What it begins with.
    pub head: Head,
    /// What its words hold.
    pub operands: &'static [Operand],
}

/// When a method sends its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Always, one behind the other, and nothing else but words about objects first seen.
    Always,
    /// Some of them or none, as it finds out, with words about what containers and other objects hold.
    Found,
}

/// A method of the recorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// Its descriptor.
    pub descriptor: &'static str,
    /// Its parameters.
    pub parameters: &'static [Parameter],
    /// When it sends its events.
    pub when: When,
    /// The events it sends.
    pub sends: &'static [Sent],
}

macro_rules! descriptor {
    (Object) => {
        "Ljava/lang/Object;"
    };
    (Int) => {
        "I"
    };
    (Long) => {
        "J"
    };
    (Float) => {
        "F"
    };
    (Double) => {
        "D"
    };
    (Flag) => {
        "Z"
    };
    (Text) => {
        "Ljava/lang/String;"
    };
    (Site) => {
        "I"
    };
    (Void) => {
        "V"
    };
}

macro_rules! head {
    (site) => {
        Head::Site
    };
    ($marker:ident) => {
        Head::Marker(words::$marker)
    };
}

/// Makes an enumeration of the methods: its name here and in Java, parameters and result, when it sends what.
macro_rules! methods {
    ($($(#[$meta:meta])* $call:ident $name:literal ($($parameter:ident),*) -> $result:ident
       $when:ident [$($head:ident [$($operand:expr),*]),*];)*) => {
        /// A method of the recorder.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Call {
            $($(#[$meta])* $call),*
        }

        impl Call {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$call),*];

            const METHODS: &'static [Method] = &[$(Method {
                name: $name,
                descriptor: concat!("(", $(descriptor!($parameter),)* ")", descriptor!($result)),
                parameters: &[$(Parameter::$parameter),*],
                when: When::$when,
                sends: &[$(Sent { head: head!($head), operands: { use Operand::*; &[$($operand),*] } }),*],
            }),*];
        }
    };
}

methods! {
    /// A site without an object.
    At "at" (Site) -> Void Always [site[Zero]];
    /// An invocation of a method that only reads and calls nothing is about to begin, at the site of its entry: whether it is left out.
    LeavesOut "leavesOut" (Site) -> Flag Always [];
    /// An invocation of a method is about to begin: whether that is below one that is left out.
    Quiet "isQuiet" () -> Flag Always [];
    /// A method ends by an exception: it, site of the exit. Before it, when the stack overflowed, the frames that are left.
    Threw "threw" (Object, Site) -> Void Found [OVERFLOWED[Found, Site], site[Zero]];
    /// A handler got an exception: it, any site of the method.
    Caught "caught" (Object, Site) -> Void Found [OVERFLOWED[Found, Site]];
    /// A site with an object.
    On "on" (Object, Site) -> Void Always [site[Object(0)]];
    /// Two objects: a reference stored into a field of an object, an object and its clone; a bundle.
    TwoObjects "objects" (Object, Object, Site) -> Void Always [site[Value(0), Value(1)]];
    /// A reference stored into a field of `this` or a static field.
    Value "value" (Object, Site) -> Void Always [site[Value(0)]];
    /// An array element read, or a leaf written: array, index.
    Element "element" (Object, Int, Site) -> Void Always [site[Object(0), Number(0)]];
    /// A reference stored into an array: array, index, value.
    ElementPut "elementPut" (Object, Int, Object, Site) -> Void Always [site[Object(0), Number(0), Value(1)]];
    /// A bundle with three objects.
    ThreeObjects "objects" (Object, Object, Object, Site) -> Void Always [site[Value(0), Value(1), Value(2)]];
    /// A bundle with four objects.
    FourObjects "objects" (Object, Object, Object, Object, Site) -> Void Always [site[Value(0), Value(1), Value(2), Value(3)]];
    /// A bundle with an array and two indices.
    Numbers "element" (Object, Int, Int, Site) -> Void Always [site[Object(0), Halves]];
    /// With another object: elements of the array are stored into.
    ObjectNumbers "elementPut" (Object, Int, Int, Object, Site) -> Void Always [site[Object(0), Halves, Value(1)]];
    /// With one index and two other objects.
    ObjectsNumber "elementPut" (Object, Int, Object, Object, Site) -> Void Always [site[Object(0), Number(0), Value(1), Value(2)]];
    /// With two indices and two other objects.
    ObjectsNumbers "elementPut" (Object, Int, Int, Object, Object, Site) -> Void Always [site[Object(0), Halves, Value(1), Value(2)]];
    /// As `elementPut`, when an element is read: an array first seen is listed whole.
    ElementUse "elementUse" (Object, Int, Object, Site) -> Void Always [site[Object(0), Number(0), Value(1)]];
    /// As [`Call::ObjectNumbers`], when an element is read.
    ObjectNumbersUse "elementUse" (Object, Int, Int, Object, Site) -> Void Always [site[Object(0), Halves, Value(1)]];
    /// As [`Call::ObjectsNumber`], when an element is read.
    ObjectsNumberUse "elementUse" (Object, Int, Object, Object, Site) -> Void Always [site[Object(0), Number(0), Value(1), Value(2)]];
    /// As [`Call::ObjectsNumbers`], when an element is read.
    ObjectsNumbersUse "elementUse" (Object, Int, Int, Object, Object, Site) -> Void Always [site[Object(0), Halves, Value(1), Value(2)]];
    /// Elements were copied: from, index, to, index, count, site of the reads (then leaf writes, reference writes).
    Copied "copied" (Object, Int, Object, Int, Int, Site) -> Void Found
        [READ_RANGE[Object(0), Site, Found], WRITE_RANGE[Object(1), Site, Found], site[Object(1), Found, Found]];
    /// Elements were overwritten: array, from, to, site of the leaf writes (then reference writes).
    Filled "filled" (Object, Int, Int, Site) -> Void Found
        [WRITE_RANGE[Object(0), Site, Found], site[Object(0), Found, Found]];
    /// A call begins below which other hands may access locations: its site, or -1 minus it for a call of `Field`.
    Calling "calling" (Int) -> Void Always [];
    /// It returned.
    Called "called" () -> Void Always [];
    /// A container was called: container, two arguments, result, what the call returned as a number, effect.
    Contents "contents" (Object, Object, Object, Object, Int, Int, Site) -> Void Found
        [site[Object(0)], UNCHANGED[Object(0), Site]];
    /// As `contents`, with what [`Call::Leaving`] gave before the numbers.
    ContentsLeft "contents" (Object, Object, Object, Object, Object, Int, Int, Site) -> Void Found
        [site[Object(0)], UNCHANGED[Object(0), Site]];
    /// A container is about to be called: it, an argument, an index, effect; gives what the call takes out.
    Leaving "leaving" (Object, Object, Int, Int) -> Object Always [];
    /// A container is about to hand what it holds to the program.
    Entries "entries" (Object) -> Void Always [];
    /// As `contents`, for an object that may extend a container.
    Inherited "inherited" (Object, Object, Object, Object, Int, Int, Site) -> Void Found
        [site[Object(0)], UNCHANGED[Object(0), Site]];
    /// As `contents` with what [`Call::InheritedLeaving`] gave, for an object that may extend a container.
    InheritedLeft "inherited" (Object, Object, Object, Object, Object, Int, Int, Site) -> Void Found
        [site[Object(0)], UNCHANGED[Object(0), Site]];
    /// As [`Call::Leaving`], for an object that may extend a container.
    InheritedLeaving "inheritedLeaving" (Object, Object, Int, Int) -> Object Always [];
    /// A call read an object that may extend a container.
    InheritedRead "inherited" (Object, Site) -> Void Found [site[Object(0)]];
    /// A container was an argument: it, the receiver of the call or null.
    Observed "observed" (Object, Object, Site) -> Void Found [site[Object(0), Object(1)]];
    /// A container was an argument, and what it holds may have changed: it, the receiver of the call or null.
    Refilled "refilled" (Object, Object, Site) -> Void Found [site[Object(0), Object(1)]];
    /// A function was made of a method reference to a container: the function, the container, 1 when the method also reads.
    Bound "bound" (Object, Object, Int) -> Void Always [];
    /// A call applied a function: it, the receiver of the call or null, site of the reads (then writes).
    Applied "applied" (Object, Object, Site) -> Void Found [site[Found, Object(1)]];
    /// A stream got a function that it applies later: the function.
    Deferred "deferred" (Object) -> Void Always [];
    /// A call went through a stream: what it collected or null, the stream, site of the reads (then writes).
    Ended "ended" (Object, Object, Site) -> Void Found [site[Found, Object(1)]];
    /// A call begins that may read from a stream: the object called; gives what [`Call::Restored`] is to be given.
    Restoring "restoring" (Object, Site) -> Object Found [RESTORING[Zero]];
    /// It returned: what `Restoring` gave, what the stream forgets, 1 when fields of the object being read were set. Sends 1 when
    /// it could not find out what the call did.
    Restored "restored" (Object, Object, Int, Site) -> Void Found [site[Found]];
    /// A branch on one `int`.
    BranchInt "branch" (Int, Site) -> Void Always [site[Zero, Halves]];
    /// A branch on two `int`s.
    BranchInts "branch" (Int, Int, Site) -> Void Always [site[Zero, Halves]];
    /// A branch on whether an object is null.
    BranchObject "branch" (Object, Site) -> Void Always [site[Zero, IsNull]];
    /// A branch on whether two objects are the same.
    BranchObjects "branch" (Object, Object, Site) -> Void Always [site[Zero, AreSame]];
    /// A switch: key.
    Select "select" (Int, Site) -> Void Always [site[Zero, Number(0)]];
    /// A test method begins: instance, site of its entry.
    Test "test" (Object, Site) -> Void Always [TEST_METHOD[Object(0), Site, NameOfClass]];
    /// A test method ends: 1 when by an exception, site of its entry. Returns when its record is in the file.
    TestEnd "testEnd" (Int, Site) -> Void Always [TEST_METHOD_END[Number(0), Site]];
    /// An argument of the next call.
    ArgumentInt "argument" (Int) -> Void Always [VALUE_INT[Bits]];
    /// An argument of the next call.
    ArgumentLong "argument" (Long) -> Void Always [VALUE_LONG[Zero, Bits]];
    /// An argument of the next call.
    ArgumentFloat "argument" (Float) -> Void Always [VALUE_FLOAT[Bits]];
    /// An argument of the next call.
    ArgumentDouble "argument" (Double) -> Void Always [VALUE_DOUBLE[Zero, Bits]];
    /// An argument of the next call.
    ArgumentObject "argument" (Object) -> Void Found
        [VALUE_NULL[Zero], VALUE_STRING[Text], VALUE_OBJECT[Object(0)], VALUE_ENUM[Object(0), Text], VALUE_CLASS[Text], VALUE_BOXED[Found],
         VALUE_INT[Bits], VALUE_LONG[Zero, Bits], VALUE_FLOAT[Bits], VALUE_DOUBLE[Zero, Bits]];
    /// A call made by a test class, behind the value words of its arguments: receiver or null.
    Call "call" (Object, Site) -> Void Always [site[Object(0)]];
    /// The call returned nothing.
    ReturnedVoid "returned" (Site) -> Void Always [RETURNED[Site], VALUE_VOID[Zero]];
    /// The call returned.
    ReturnedInt "returned" (Int, Site) -> Void Always [RETURNED[Site], VALUE_INT[Bits]];
    /// The call returned.
    ReturnedLong "returned" (Long, Site) -> Void Always [RETURNED[Site], VALUE_LONG[Zero, Bits]];
    /// The call returned.
    ReturnedFloat "returned" (Float, Site) -> Void Always [RETURNED[Site], VALUE_FLOAT[Bits]];
    /// The call returned.
    ReturnedDouble "returned" (Double, Site) -> Void Always [RETURNED[Site], VALUE_DOUBLE[Zero, Bits]];
    /// The call returned an object, whose value words follow as of [`Call::ArgumentObject`].
    ReturnedObject "returned" (Object, Site) -> Void Found [RETURNED[Site]];
    /// Our worker begins a test, by its name.
    BeginTest "beginTest" (Text) -> Void Always [TEST_BEGIN[Text]];
    /// Our worker ends the test of this thread; whether it failed.
    EndTest "endTest" (Flag) -> Void Always [TEST_END[Bits]];
    /// Our worker waits until the records of the tests it ended are in the file.
    Settle "settle" () -> Void Always [];
    /// Our worker starts a statement.
    Statement "statement" (Int) -> Void Always [STATEMENT[Number(0)]];
    /// The result of that statement: a call at site 0 returned it.
    Result "result" (Object) -> Void Found [RETURNED[Zero]];
}

impl Call {
    /// Its row of the table.
    pub const fn method(self) -> &'static Method {
        &Self::METHODS[self as usize]
    }

    /// Argument slots.
    pub const fn slots(self) -> u8 {
        let parameters = self.method().parameters;
        let (mut slots, mut at) = (0, 0);
        while at < parameters.len() {
            slots += parameters[at].slots();
            at += 1;
        }
        slots
    }

    /// What the words hold that begin with the site; none when it sends no such words.
    pub fn at_site(self) -> Option<&'static [Operand]> {
        let sends = self.method().sends;
        sends.iter().find(|sent| sent.head == Head::Site).map(|sent| sent.operands)
    }

    /// A list of this one alone.
    pub fn alone(self) -> &'static [Self] {
        let at = self as usize;
        Self::ALL.get(at..=at).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_sent_with_as_many_words_as_they_have_parts() {
        for call in Call::ALL {
            for sent in call.method().sends {
                let Head::Marker(marker) = sent.head else { continue };
                assert_eq!(words::marker_length(marker), Some(sent.operands.len()), "{call:?}");
            }
        }
    }

    #[test]
    fn no_two_methods_are_the_same_one_of_java_and_descriptors_are_those_of_the_parameters() {
        for (at, call) in Call::ALL.iter().enumerate() {
            let method = call.method();
            let same = |other: &&Call| {
                (other.method().name, other.method().descriptor) == (method.name, method.descriptor)
            };
            assert!(Call::ALL.iter().skip(at + 1).all(|other| !same(&other)), "{call:?}");
        }
        assert_eq!(Call::ElementPut.method().descriptor, "(Ljava/lang/Object;ILjava/lang/Object;I)V");
        assert_eq!((Call::ReturnedDouble.slots(), Call::Contents.slots(), Call::Called.slots()), (3, 7, 0));
        assert_eq!(Call::TestEnd.alone(), [Call::TestEnd]);
    }
}
