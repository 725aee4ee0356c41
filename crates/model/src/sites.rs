//! Where the definitions, uses, invocations, exits and branches of a class are: the enumerator's result.
//!
//! Made by `instrument::sites`, read by the weaver (which bytes), the analysis (what an event means) and every static
//! analysis. It knows nothing of byte patterns. Invariant: the order of [`ClassSites::sites`] is fixed by the class bytes
//! and the options alone, so an index names the same site on every machine.

use serde::{Deserialize, Serialize};

/// Identity of one build of a class: the first 16 bytes of the BLAKE3 hash of the original class file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClassHash(pub [u8; 16]);

impl std::fmt::Display for ClassHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// What the analysis must know of one loaded class. Names are binary (`a.Outer$Inner`), descriptors as in class files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassSites {
    /// Binary name.
    pub name: String,
    /// Binary name of the superclass; none for `java.lang.Object` and modules.
    pub super_name: Option<String>,
    /// Binary names of the direct superinterfaces.
    pub interfaces: Vec<String>,
    /// Which build of the class this is.
    pub hash: ClassHash,
    /// Access flags of the class file.
    pub access: u16,
    /// Declared fields in class-file order, those whose name begins with `$` left out: they are no locations.
    pub fields: Vec<FieldDecl>,
    /// All methods in class-file order, those without code too.
    pub methods: Vec<MethodDecl>,
    /// All sites, by method and then in bytecode order.
    pub sites: Vec<Site>,
    /// Sites that are reported together. The ids of bundles follow those of the sites.
    pub bundles: Vec<Bundle>,
    /// Calls, by method and in bytecode order: sites of what other hands do below them. Their ids follow those of the bundles.
    pub calls: Vec<CallPlace>,
}

impl ClassSites {
    /// How many ids the class takes: those of its sites, then those of its bundles, then those of its calls.
    pub fn ids(&self) -> usize {
        self.first_call() + self.calls.len()
    }

    /// How many ids come before those of the calls.
    pub fn first_call(&self) -> usize {
        self.sites.len() + self.bundles.len()
    }
}

/// A call instruction of a method that is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallPlace {
    /// Index into [`ClassSites::methods`].
    pub method: u16,
    /// Bytecode offset in the original method.
    pub offset: u32,
    /// Source line, 0 when the class has no line numbers.
    pub line: u32,
}

/// Adjacent sites, none of which is passed without the others, that one call reports together: [`crate::layout::bundle`] says which call, and
/// what the words behind the bundle's id hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bundle {
    /// Index of the first site.
    pub first: u32,
    /// What happens at each site, in their order.
    pub steps: Vec<Operands>,
    /// How many different objects the call gets.
    pub objects: u8,
    /// How many different numbers.
    pub numbers: u8,
}

/// Which of the objects and numbers that a call reports are those of one site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operands {
    /// The object accessed.
    pub object: Option<u8>,
    /// The index of an element.
    pub number: Option<u8>,
    /// The value written.
    pub value: Option<u8>,
}

/// A declared field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldDecl {
    /// Simple name.
    pub name: String,
    /// Descriptor, `I` or `Ljava/lang/String;`.
    pub descriptor: String,
    /// Static or per object.
    pub is_static: bool,
}

/// A declared method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodDecl {
    /// Simple name, `<init>` and `<clinit>` included.
    pub name: String,
    /// Descriptor.
    pub descriptor: String,
    /// Access flags.
    pub access: u16,
    /// What a test framework does with it.
    pub role: TestRole,
    /// The method of the source that it is a part of, if it is the body of a dynamic test.
    pub home: Option<String>,
}

/// The part a method plays in a JUnit or TestNG test class, read off annotations and, for JUnit 3, names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TestRole {
    /// No part.
    #[default]
    None,
    /// A test by annotation (JUnit 4, JUnit 5, TestNG).
    Test,
    /// Public, no arguments, void, named `test...`: a test if the class extends `junit.framework.TestCase`.
    MaybeTest,
    /// Runs before each test (`@Before`, `@BeforeEach`, `@BeforeMethod`; `setUp()`).
    BeforeEach,
    /// Runs after each test.
    AfterEach,
    /// Runs before all tests of the class.
    BeforeAll,
    /// Runs after all tests of the class.
    AfterAll,
}

/// The method that a lambda body stands in, by the name that a compiler gives the body: `javac` `lambda$method$0`, Kotlin's
/// `method$lambda$0` and, within another body, `method$lambda$0$1` or `method$lambda$0$lambda$1`. Some names have no home in them:
/// `javac` 8 calls a body within another one `lambda$null$0`.
pub fn lambda_home(name: &str) -> Option<&str> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (home, rest) = match name.strip_prefix("lambda$") {
        Some(named) => named.rsplit_once('$')?,
        None => name
            .split_once("$lambda")
            .and_then(|(home, rest)| Some((home, rest.strip_prefix(['$', '-'])?)))?,
    };
    let numbers = rest.split(['$', '-']).all(|part| is_number(part) || part == "lambda");
    (!home.is_empty() && numbers && rest.ends_with(|last: char| last.is_ascii_digit())).then_some(home)
}

/// One place in a method where something is recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Index into [`ClassSites::methods`].
    pub method: u16,
    /// Bytecode offset in the original method; 0 for [`SiteKind::Enter`], the code length for an exceptional exit.
    pub offset: u32,
    /// Source line, 0 when the class has no line numbers.
    pub line: u32,
    /// What happens there.
    pub kind: SiteKind,
}

/// Read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Access {
    /// The location is read.
    Read,
    /// The location is written.
    Write,
    /// It is read and then written by one call (`Contents` only, for instance `map.put`).
    ReadWrite,
}

/// Whether the value at a location can be an edge of the memory graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ValueKind {
    /// A primitive, a string or a boxed value by its static type: an edge to the sink.
    Leaf,
    /// Any other reference: the written value's object id is recorded.
    Reference,
}

/// How the object of a field access reaches the recorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Base {
    /// It is provably `this` of the current frame: no object is recorded.
    This,
    /// Any object: its id is recorded.
    Stack,
}

/// A symbolic field reference as it stands in the constant pool, owner as binary name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FieldRef {
    /// Binary name of the class the instruction names (not always the declaring one).
    pub owner: String,
    /// Simple name.
    pub name: String,
    /// Descriptor.
    pub descriptor: String,
}

/// A symbolic method reference, owner as binary name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MethodRef {
    /// Binary name of the class the instruction names.
    pub owner: String,
    /// Simple name.
    pub name: String,
    /// Descriptor.
    pub descriptor: String,
}

impl MethodRef {
    /// Name and descriptor, as facts have them.
    pub fn signature(&self) -> String {
        format!("{}{}", self.name, self.descriptor)
    }
}

/// How a method is invoked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum CallKind {
    /// `invokestatic`.
    Static,
    /// `invokevirtual`.
    Virtual,
    /// `invokeinterface`.
    Interface,
    /// `invokespecial` of a method that is no constructor.
    Special,
    /// `invokespecial` of a constructor on an object that `new` made.
    Constructor,
}

/// What the receiver of an entered frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ReceiverKind {
    /// An instance method: the object's id is recorded.
    Instance,
    /// A static method: the class object.
    Static,
    /// A constructor: known only after `super(...)` or `this(...)` returned, see [`SiteKind::Bind`].
    Constructor,
}

/// The kinds of sites. [`SiteKind::calls`] and [`SiteKind::words`] say how each is reported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SiteKind {
    /// Entry of a method, with the receiver of an instance method.
    Enter {
        /// What the receiver is.
        receiver: ReceiverKind,
    },
    /// Exit of a method.
    Exit {
        /// By an exception that leaves the method, or by a return instruction.
        exceptional: bool,
    },
    /// About to invoke a constructor of `owner` on `this`.
    SuperCall {
        /// The class whose constructor is invoked.
        owner: String,
    },
    /// The constructor invoked on `this` returned; with `this`.
    Bind,
    /// An instance field, with the object for `Base::Stack` and the value for a write of a `Reference`. A null object means that the
    /// instruction throws: no access happens.
    Field {
        /// Read or write.
        access: Access,
        /// Where the object comes from.
        base: Base,
        /// The field.
        field: FieldRef,
        /// What the value is.
        value: ValueKind,
    },
    /// A static field, with the value for a write of a `Reference`. Recorded after the initialisation of its class, which the
    /// access may start.
    Static {
        /// Read or write.
        access: Access,
        /// The field.
        field: FieldRef,
        /// What the value is.
        value: ValueKind,
    },
    /// An array element, recorded after the instruction succeeded: with the array, the index and, for a write of a `Reference`, the
    /// value. A call by which the JDK copies or fills arrays has one such site for the elements read, one for leaves and one for
    /// references written.
    Element {
        /// Read or write.
        access: Access,
        /// What the value is.
        value: ValueKind,
    },
    /// A call that reads or writes the contents of a JDK container, recorded after it returned, with the container.
    Contents {
        /// What the call does to the contents.
        access: Access,
        /// The method called.
        callee: MethodRef,
        /// Whether it is that very method, and not what the container's class makes of it.
        exact: bool,
    },
    /// A call on a class of the program by the name of a container's method, recorded after it returned, if the object extends
    /// a container of the JDK. It accesses the contents if the class inherits the method. With the container.
    Inherited {
        /// The method called.
        callee: MethodRef,
        /// Whether it is that very method, and not what the object's class makes of it.
        exact: bool,
    },
    /// A container of the JDK was an argument of a call, recorded after it returned if the container was seen before. The call
    /// accesses its contents unless it runs a method of the program. With the container and the receiver of the call, null if there is none.
    Argument {
        /// What the call does to the contents.
        access: Access,
        /// The method called.
        callee: MethodRef,
        /// Which argument, from 0: the container, or a function bound to it; or one of `containers::functions`'s positions. At an
        /// `invokedynamic`, which binds a method reference to a container, nothing is recorded.
        position: u8,
        /// Whether it is that very method, and not what the receiver's class makes of it.
        exact: bool,
    },
    /// A call of a superclass's `clone()`, recorded after it returned: if that is the one of `java.lang.Object`, every location
    /// of the receiver is read and every one of the copy written. With the receiver and the copy.
    Clone {
        /// The class whose method is called.
        owner: String,
    },
    /// A call that may read objects from a stream, recorded if it did, after what the stream put where; with 1 when the recorder could
    /// not find out what it did, else 0.
    Restore,
    /// A basic block begins; recorded before everything else of its first instruction.
    Block {
        /// Its number in the method, from 1 in bytecode order.
        number: u32,
    },
    /// A conditional branch, recorded before it, with its `int` operands, or for references with whether they are the same or null.
    Branch {
        /// Opcode of the branch instruction.
        opcode: u8,
    },
    /// A `tableswitch` or `lookupswitch`, recorded before it, with the key.
    Switch,
    /// A call made by a test class, recorded when test cases are to be carved, just before it: with the receiver, null for static
    /// calls and constructors. [`SiteKind::values`] says which value words come with it.
    Call {
        /// The method or constructor called.
        callee: MethodRef,
        /// How it is invoked.
        kind: CallKind,
    },
    /// Any other origin of a reference in a test class (static field, instance field, new array, array element, `invokedynamic`).
    Origin {
        /// What made the value.
        origin: Origin,
    },
}

/// Where a reference that a test class got hold of comes from, other than from a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// `getstatic`.
    StaticField(FieldRef),
    /// `getfield`; with the object.
    InstanceField(FieldRef),
    /// `newarray`, `anewarray`: the array's descriptor.
    NewArray(String),
    /// A store into an array element; with the array. No call, so that nothing returns.
    ArrayStore,
    /// A value no generated test can rebuild (lambda, anonymous class, `multianewarray`): the text says what it is.
    Opaque(String),
}

/// Result of instrumenting one class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declined {
    /// Binary name of the class, followed by `#name(descriptor)` when only one method was left as it was.
    pub class: String,
    /// Why, in words a user understands.
    pub reason: String,
}

#[cfg(test)]
mod tests {
    use super::lambda_home;

    #[test]
    fn the_home_of_a_lambda_is_read_off_its_name() {
        assert_eq!(lambda_home("lambda$many$0"), Some("many"));
        assert_eq!(lambda_home("lambda$a$b$12"), Some("a$b"));
        assert_eq!(lambda_home("dyn$lambda$0"), Some("dyn"));
        assert_eq!(lambda_home("dyn$lambda$0$0"), Some("dyn"));
        assert_eq!(lambda_home("dyn$lambda-2$lambda-1"), Some("dyn"));
        assert_eq!(lambda_home("lambda$null$0"), Some("null"));
        for name in [
            "many",
            "lambda$0",
            "lambda$$0",
            "lambda$many$x",
            "lambda$many$",
            "dyn$lambdas$0",
            "dyn$lambda$",
            "$lambda$0",
        ] {
            assert_eq!(lambda_home(name), None, "{name}");
        }
    }
}
