//! The methods of the recorder class that woven code calls. It knows their names and descriptors, not what they do.
//!
//! Invariant: this list and the Java source of the recorder agree; a class that calls one the recorder lacks fails to
//! link, which the corpus tests would show.

use super::called::called;

/// Internal name of the recorder. The boot loader defines it, so every class finds it.
pub const RECORDER: &str = "java/lang/DynaflowRecorder";

called! {
    /// A recorder method.
    pub enum Call of RECORDER;
    /// A site without an object.
    At "at" "(I)V" 1;
    /// A method ends by an exception: it, site of the exit.
    Threw "threw" "(Ljava/lang/Object;I)V" 2;
    /// A handler got an exception: it, any site of the method.
    Caught "caught" "(Ljava/lang/Object;I)V" 2;
    /// A site with an object.
    On "on" "(Ljava/lang/Object;I)V" 2;
    /// A reference stored into a field of an object.
    Put "put" "(Ljava/lang/Object;Ljava/lang/Object;I)V" 3;
    /// A reference stored into a field of `this` or a static field.
    Value "value" "(Ljava/lang/Object;I)V" 2;
    /// An array element read, or a leaf written: array, index, site.
    Element "element" "(Ljava/lang/Object;II)V" 3;
    /// A reference stored into an array: array, index, value, site.
    ElementPut "elementPut" "(Ljava/lang/Object;ILjava/lang/Object;I)V" 4;
    /// Bundles. Three objects, site.
    Objects "put" "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;I)V" 4;
    /// An object, two numbers, site.
    Numbers "element" "(Ljava/lang/Object;III)V" 4;
    /// An object, two numbers, another object, site.
    ObjectNumbers "elementPut" "(Ljava/lang/Object;IILjava/lang/Object;I)V" 5;
    /// Four objects, site.
    FourObjects "put" "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;I)V" 5;
    /// An object, a number, two other objects, site.
    ObjectsNumber "elementPut" "(Ljava/lang/Object;ILjava/lang/Object;Ljava/lang/Object;I)V" 5;
    /// An object, two numbers, two other objects, site.
    ObjectsNumbers "elementPut" "(Ljava/lang/Object;IILjava/lang/Object;Ljava/lang/Object;I)V" 6;
    /// As `elementPut`, should an element be read: an array first seen is listed whole.
    ElementUse "elementUse" "(Ljava/lang/Object;ILjava/lang/Object;I)V" 4;
    /// As `ObjectNumbers`, should an element be read.
    ObjectNumbersUse "elementUse" "(Ljava/lang/Object;IILjava/lang/Object;I)V" 5;
    /// As `ObjectsNumber`, should an element be read.
    ObjectsNumberUse "elementUse" "(Ljava/lang/Object;ILjava/lang/Object;Ljava/lang/Object;I)V" 5;
    /// As `ObjectsNumbers`, should an element be read.
    ObjectsNumbersUse "elementUse" "(Ljava/lang/Object;IILjava/lang/Object;Ljava/lang/Object;I)V" 6;
    /// Elements were copied: from, index, to, index, count, site of the reads (then leaf writes, reference writes).
    Copied "copied" "(Ljava/lang/Object;ILjava/lang/Object;III)V" 6;
    /// Elements were overwritten: array, from, to, site of the leaf writes (then reference writes).
    Filled "filled" "(Ljava/lang/Object;III)V" 4;
    /// A call begins below which other hands may access locations: its site, or -1 minus it.
    Calling "calling" "(I)V" 1;
    /// It returned.
    Called "called" "()V" 0;
    /// A container was called: container, two arguments, result, what the call said, effect, site.
    Contents "contents" "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;III)V" 7;
    /// As `contents`, with what [`Call::Leaving`] gave before the number said.
    ContentsLeft "contents" "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;III)V" 8;
    /// A container is about to be called: it, an argument, an index, effect; answers with what the call takes out.
    Leaving "leaving" "(Ljava/lang/Object;Ljava/lang/Object;II)Ljava/lang/Object;" 4;
    /// A container is about to hand what it holds to the program.
    Entries "entries" "(Ljava/lang/Object;)V" 1;
    /// As `contents`, for an object that may extend a container.
    Inherited "inherited" "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;III)V" 7;
    /// As `contents` with what [`Call::InheritedLeaving`] gave, for an object that may extend a container.
    InheritedLeft "inherited" "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;III)V" 8;
    /// As [`Call::Leaving`], for an object that may extend a container.
    InheritedLeaving "inheritedLeaving" "(Ljava/lang/Object;Ljava/lang/Object;II)Ljava/lang/Object;" 4;
    /// An object that may extend a container was asked something: object, site.
    InheritedRead "inherited" "(Ljava/lang/Object;I)V" 2;
    /// A container was an argument: it, the receiver of the call or null, site.
    Observed "observed" "(Ljava/lang/Object;Ljava/lang/Object;I)V" 3;
    /// A container was an argument, and what it holds may have changed: it, the receiver of the call, site.
    Refilled "refilled" "(Ljava/lang/Object;Ljava/lang/Object;I)V" 3;
    /// A function was made of a method reference to a container: the function, the container, 1 when the method also reads.
    Bound "bound" "(Ljava/lang/Object;Ljava/lang/Object;I)V" 3;
    /// A call applied a function: it, the receiver of the call or null, site of the reads (then writes).
    Applied "applied" "(Ljava/lang/Object;Ljava/lang/Object;I)V" 3;
    /// A stream got a function that it applies later: the function.
    Deferred "deferred" "(Ljava/lang/Object;)V" 1;
    /// A call went through a stream: what it collected or null, the stream, site of the reads (then writes).
    Ended "ended" "(Ljava/lang/Object;Ljava/lang/Object;I)V" 3;
    /// A call begins that may read from a stream: the object called, site; answers with what [`Call::Restored`] is to be given.
    Restoring "restoring" "(Ljava/lang/Object;I)Ljava/lang/Object;" 2;
    /// It returned: what `Restoring` gave, what the stream forgets, 1 when fields of the object being read were set, site.
    Restored "restored" "(Ljava/lang/Object;Ljava/lang/Object;II)V" 4;
    /// A branch on one `int`.
    BranchInt "branch" "(II)V" 2;
    /// A branch on two `int`s.
    BranchInts "branch" "(III)V" 3;
    /// A branch on whether an object is null.
    BranchObject "branch" "(Ljava/lang/Object;I)V" 2;
    /// A branch on whether two objects are the same.
    BranchObjects "branch" "(Ljava/lang/Object;Ljava/lang/Object;I)V" 3;
    /// A switch: key, site.
    Select "select" "(II)V" 2;
    /// A test method begins: instance, site of its entry.
    Test "test" "(Ljava/lang/Object;I)V" 2;
    /// A test method ends: 1 when by an exception, site of its entry.
    TestEnd "testEnd" "(II)V" 2;
    /// An argument of the next call.
    ArgumentInt "argument" "(I)V" 1;
    /// An argument of the next call.
    ArgumentLong "argument" "(J)V" 2;
    /// An argument of the next call.
    ArgumentFloat "argument" "(F)V" 1;
    /// An argument of the next call.
    ArgumentDouble "argument" "(D)V" 2;
    /// An argument of the next call.
    ArgumentObject "argument" "(Ljava/lang/Object;)V" 1;
    /// A call made by a test class: receiver or null, site.
    Call "call" "(Ljava/lang/Object;I)V" 2;
    /// The call returned nothing.
    ReturnedVoid "returned" "(I)V" 1;
    /// The call returned.
    ReturnedInt "returned" "(II)V" 2;
    /// The call returned.
    ReturnedLong "returned" "(JI)V" 3;
    /// The call returned.
    ReturnedFloat "returned" "(FI)V" 2;
    /// The call returned.
    ReturnedDouble "returned" "(DI)V" 3;
    /// The call returned.
    ReturnedObject "returned" "(Ljava/lang/Object;I)V" 2;
}
