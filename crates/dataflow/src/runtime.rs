//! What the runtime class of a node means: its name, the locations its objects have, whether they are containers; and
//! which classes are test classes.
//!
//! Knows nothing of facts. Invariant: a tag names one class for the life of the table.

use crate::registry::{ClassIndex, Registry};
use dynaflow_containers::contents;
use dynaflow_memgraph::Slot;
use dynaflow_model::frameworks;
use dynaflow_model::ids::ObjectId;
use dynaflow_model::options::is_generated;
use dynaflow_model::sites::{Access, TestRole};
use rustc_hash::FxHashMap;

/// Tag of a node whose class was never announced.
pub const UNKNOWN: u32 = u32::MAX;
const CLASS_NODE: u32 = 1 << 31;
/// Names of class nodes: above every object id.
const CLASS_NAME: u64 = 1 << 63;

/// The name and the tag of the node that stands for a loaded class.
pub fn class_node(class: ClassIndex) -> (u64, u32) {
    (CLASS_NAME | u64::from(class), CLASS_NODE | class)
}

fn class_of_tag(tag: u32) -> Option<ClassIndex> {
    (tag != UNKNOWN && tag & CLASS_NODE != 0).then_some(tag & !CLASS_NODE)
}

#[derive(Debug)]
struct RuntimeClass {
    name: String,
    supertypes: Option<Vec<String>>,
    layout: Option<Box<[Slot]>>,
    container: bool,
    array: bool,
}

/// The classes objects have been seen of.
#[derive(Debug, Default)]
pub struct Runtime {
    classes: Vec<RuntimeClass>,
    by_name: FxHashMap<String, u32>,
    mirrors: FxHashMap<u64, u32>,
    statics: FxHashMap<ClassIndex, Box<[Slot]>>,
    /// For each class whether it is a test class, as far as that is known.
    test_classes: Vec<Option<bool>>,
}

impl Runtime {
    /// A class object and what the recorder reported of its class. `supertypes` begins with the superclasses, nearest first.
    pub fn mirror(&mut self, mirror: ObjectId, name: &str, supertypes: &[String]) {
        let written = written(name, supertypes);
        let (name, supertypes) = written.unwrap_or((name, supertypes));
        let tag = self.tag_named(name);
        if let Some(class) = self.classes.get_mut(tag as usize)
            // What a generated subclass adds is not the class's own.
            && (written.is_none() || class.supertypes.is_none())
        {
            class.container = is_container(name, supertypes);
            class.supertypes = Some(supertypes.to_vec());
        }
        self.mirrors.insert(mirror.0, tag);
        // A supertype outside the tables may make a class a test class.
        self.test_classes.iter_mut().for_each(|known| *known = known.filter(|is_test| *is_test));
    }

    /// The tag of objects whose class object this is.
    pub fn tag_of(&self, mirror: ObjectId) -> u32 {
        self.mirrors.get(&mirror.0).copied().unwrap_or(UNKNOWN)
    }

    /// The tag of a class by name, for objects that were never announced.
    pub fn tag_named(&mut self, name: &str) -> u32 {
        if let Some(tag) = self.by_name.get(name) {
            return *tag;
        }
        let tag = (self.classes.len() as u32) & !CLASS_NODE;
        let array = name.starts_with('[');
        let class =
            RuntimeClass { name: name.to_owned(), supertypes: None, layout: None, container: false, array };
        self.classes.push(class);
        self.by_name.insert(name.to_owned(), tag);
        tag
    }

    /// Binary name of the class a node stands for or is of.
    pub fn name<'a>(&'a self, tag: u32, registry: &'a Registry) -> Option<&'a str> {
        match class_of_tag(tag) {
            Some(class) => Some(&registry.class(class).sites.name),
            None => self.classes.get(tag as usize).map(|class| class.name.as_str()),
        }
    }

    /// Whether nodes with this tag are arrays.
    pub fn is_array(&self, tag: u32) -> bool {
        self.classes.get(tag as usize).is_some_and(|class| class.array)
    }

    /// Whether nodes with this tag are containers of the JDK, with contents of their own.
    pub fn is_container(&self, tag: u32) -> bool {
        self.classes.get(tag as usize).is_some_and(|class| class.container)
    }

    /// The class's name, if it is one of the program's that extends a container of the JDK.
    pub fn programs_container(&self, tag: u32) -> Option<&str> {
        let class = self.classes.get(tag as usize)?;
        (class.container && !is_of_jdk(&class.name)).then_some(&class.name)
    }

    /// What a method of this name, inherited from the nearest container of the JDK, does to the contents.
    pub fn inherited_access(&self, tag: u32, name: &str) -> Option<Access> {
        let class = self.classes.get(tag as usize).filter(|class| class.container)?;
        class.supertypes.iter().flatten().find_map(|supertype| contents::access_of(supertype, name))
    }

    /// Whether a class has a method of this name that accesses contents from the JDK, from a skeleton, too.
    pub fn inherits_access(&self, tag: u32, name: &str) -> bool {
        let supertypes = self.classes.get(tag as usize).and_then(|class| class.supertypes.as_ref());
        supertypes.into_iter().flatten().any(|supertype| contents::access_of(supertype, name).is_some())
    }

    /// The fields nodes with this tag have: those the recorded classes among the class and its superclasses declare, or
    /// the static fields of a class node. Nothing before [`Runtime::lay_out`].
    #[inline]
    pub fn layout(&self, tag: u32) -> &[Slot] {
        let known = match class_of_tag(tag) {
            Some(class) => self.statics.get(&class),
            None => self.classes.get(tag as usize).and_then(|class| class.layout.as_ref()),
        };
        known.map(|layout| &**layout).unwrap_or_default()
    }

    /// Finds the fields nodes with this tag have.
    #[inline]
    pub fn lay_out(&mut self, tag: u32, registry: &mut Registry) {
        match class_of_tag(tag) {
            Some(class) => {
                self.statics.entry(class).or_insert_with(|| registry.declared_slots(class, true).into());
            }
            None if self.classes.get(tag as usize).is_some_and(|class| class.layout.is_none()) => {
                self.find_layout(tag as usize, registry);
            }
            None => {}
        }
    }

    fn find_layout(&mut self, at: usize, registry: &mut Registry) {
        let class = &mut self.classes[at];
        let own = registry.class_named(&class.name);
        let mut recorded = own.map(|class| registry.superclass_chain(class)).unwrap_or_default();
        let others = class.supertypes.iter().flatten().filter_map(|name| registry.class_named(name));
        for other in others {
            if !recorded.contains(&other) {
                recorded.push(other);
            }
        }
        let slots: Vec<_> =
            recorded.iter().flat_map(|class| registry.declared_slots(*class, false)).collect();
        class.layout = Some(slots.into());
    }

    /// Whether a class is a test class: it or a recorded superclass has a test method.
    #[inline]
    pub fn is_test_class(&mut self, class: ClassIndex, registry: &Registry) -> bool {
        if let Some(Some(known)) = self.test_classes.get(class as usize) {
            return *known;
        }
        self.find_test_class(class, registry)
    }

    fn find_test_class(&mut self, class: ClassIndex, registry: &Registry) -> bool {
        let chain = registry.superclass_chain(class);
        let roles = || chain.iter().flat_map(|class| registry.methods_of(*class)).map(|method| method.role);
        let is_test = roles().any(|role| role == TestRole::Test)
            || (roles().any(|role| role == TestRole::MaybeTest) && self.is_test_case(class, registry));
        let at = class as usize;
        self.test_classes.resize(self.test_classes.len().max(at + 1), None);
        if let Some(known) = self.test_classes.get_mut(at) {
            *known = Some(is_test);
        }
        is_test
    }

    /// Whether a class extends one whose subclasses have tests by name, JUnit 3's `TestCase`: by the tables or by the supertypes that
    /// its class object reported.
    pub fn is_test_case(&self, class: ClassIndex, registry: &Registry) -> bool {
        let tag = self.by_name.get(registry.class(class).sites.name.as_str());
        let supertypes = tag.and_then(|tag| self.classes.get(*tag as usize)?.supertypes.as_ref());
        registry.unrecorded_superclass(class).is_some_and(frameworks::is_base)
            || supertypes.is_some_and(|names| names.iter().any(|name| frameworks::is_base(name)))
    }
}

/// The first superclass of a class made at run time that is not made so, with its supertypes: what such an object inherits is
/// state of that class. None for other classes, and for those that inherit nothing but from the JDK's own.
fn written<'a>(name: &str, supertypes: &'a [String]) -> Option<(&'a str, &'a [String])> {
    if !is_generated(name) {
        return None;
    }
    let superclasses = supertypes.iter().take_while(|name| !NOTHING_INHERITED.contains(&name.as_str()));
    let at = superclasses.take_while(|name| is_generated(name)).count();
    let found = supertypes.get(at).filter(|name| !NOTHING_INHERITED.contains(&name.as_str()))?;
    Some((found, supertypes.get(at + 1..).unwrap_or_default()))
}

/// Superclasses from which nothing is inherited that is state of the program; the first ends each list of superclasses.
const NOTHING_INHERITED: &[&str] = &["java.lang.Object", "java.lang.reflect.Proxy"];

/// Supertypes that make a class of the JDK a container or value carrier.
const CARRIERS: &[&str] = &[
    "java.util.Collection",
    "java.util.Map",
    "java.util.Map$Entry",
    "java.util.Iterator",
    "java.util.Enumeration",
    "java.util.Dictionary",
    "java.util.BitSet",
    "java.util.Optional",
    "java.util.OptionalInt",
    "java.util.OptionalLong",
    "java.util.OptionalDouble",
    "java.util.StringJoiner",
    "java.lang.AbstractStringBuilder",
    "java.lang.StringBuilder",
    "java.lang.StringBuffer",
    "java.lang.ref.Reference",
    "java.lang.ThreadLocal",
];

/// Supertypes in `java.util` that hold nothing themselves: a class of the program below them keeps its contents in its
/// own fields.
const INTERFACES: &[&str] = &[
    "BlockingDeque",
    "BlockingQueue",
    "Collection",
    "Comparator",
    "ConcurrentMap",
    "ConcurrentNavigableMap",
    "Deque",
    "Enumeration",
    "EventListener",
    "Formattable",
    "Iterator",
    "List",
    "ListIterator",
    "Map",
    "Map$Entry",
    "NavigableMap",
    "NavigableSet",
    "Observer",
    "PrimitiveIterator",
    "PrimitiveIterator$OfDouble",
    "PrimitiveIterator$OfInt",
    "PrimitiveIterator$OfLong",
    "Queue",
    "RandomAccess",
    "SequencedCollection",
    "SequencedMap",
    "SequencedSet",
    "Set",
    "SortedMap",
    "SortedSet",
    "Spliterator",
    "TransferQueue",
];

fn is_carrier(name: &str) -> bool {
    CARRIERS.contains(&name) || name.starts_with("java.util.concurrent.atomic.")
}

/// Whether a supertype is a class of `java.util` (or an atomic) with contents of its own.
fn holds_contents(name: &str) -> bool {
    let simple = name.rsplit('.').next().unwrap_or(name);
    let interface = INTERFACES.contains(&simple) || name.starts_with("java.util.function.");
    let holder = name.starts_with("java.util.")
        || name.starts_with("java.lang.ref.")
        || name == "java.lang.ThreadLocal";
    holder && !interface && !simple.starts_with("Abstract")
}

fn is_of_jdk(name: &str) -> bool {
    ["java.", "jdk.", "sun."].iter().any(|prefix| name.starts_with(prefix))
}

/// Whether objects of a class are JDK containers: the class or a superclass of it is one of the JDK's that keeps contents.
fn is_container(name: &str, supertypes: &[String]) -> bool {
    let carrier = is_carrier(name) || supertypes.iter().any(|supertype| is_carrier(supertype));
    carrier && (is_of_jdk(name) || supertypes.iter().any(|supertype| holds_contents(supertype)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn container(name: &str, supertypes: &[&str]) -> bool {
        let supertypes: Vec<_> = supertypes.iter().map(|name| (*name).to_owned()).collect();
        is_container(name, &supertypes)
    }

    #[test]
    fn classes_of_the_jdk_that_carry_values_are_containers_and_others_are_not() {
        let list = ["java.lang.Object", "java.util.AbstractList", "java.util.List", "java.util.Collection"];
        assert!(container("java.util.ArrayList", &list));
        assert!(container("java.util.concurrent.atomic.AtomicInteger", &["java.lang.Number"]));
        assert!(container("java.util.HashMap$Node", &["java.util.Map$Entry"]));
        assert!(!container("java.util.Random", &["java.lang.Object"]));
        assert!(!container("java.lang.Thread", &["java.lang.Runnable"]));
    }

    #[test]
    fn an_object_of_a_generated_class_is_one_of_the_first_superclass_that_is_none() {
        let registry = Registry::default();
        let name = |name: &str, supertypes: &[&str]| {
            let mut runtime = Runtime::default();
            let supertypes: Vec<_> = supertypes.iter().map(|name| (*name).to_owned()).collect();
            runtime.mirror(ObjectId(16), name, &supertypes);
            runtime.name(runtime.tag_of(ObjectId(16)), &registry).unwrap().to_owned()
        };
        let object = "java.lang.Object";
        assert_eq!(name("a.Shop$$SpringCGLIB$$0", &["a.Shop", "a.Base", object, "a.Aop"]), "a.Shop");
        let twice = ["a.Shop$$SpringCGLIB$$0", "a.Shop", object, "a.Aop"];
        assert_eq!(name("a.Shop$$SpringCGLIB$$0$MockitoMock$1", &twice), "a.Shop");
        // What extends nothing keeps its name: it inherits no state.
        assert_eq!(name("a.Shop$$Lambda$1", &[object, "a.Runs"]), "a.Shop$$Lambda$1");
        assert_eq!(name("a.$Proxy3", &["java.lang.reflect.Proxy", object, "a.Runs"]), "a.$Proxy3");
        assert_eq!(name("a.Special", &["a.Shop", object]), "a.Special");
    }

    #[test]
    fn what_a_generated_subclass_adds_is_not_the_classs_own() {
        let mut runtime = Runtime::default();
        let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        runtime.mirror(
            ObjectId(16),
            "a.Names",
            &own(&["java.util.ArrayList", "java.lang.Object", "java.util.Collection"]),
        );
        let generated =
            ["a.Names", "java.util.ArrayList", "java.lang.Object", "java.util.Collection", "java.util.Map"];
        runtime.mirror(ObjectId(17), "a.Names$MockitoMock$1", &own(&generated));
        let tag = runtime.tag_of(ObjectId(17));
        assert_eq!(tag, runtime.tag_of(ObjectId(16)));
        assert_eq!(runtime.programs_container(tag), Some("a.Names"));
        assert!(!runtime.inherits_access(tag, "putIfAbsent"), "no map is among its own supertypes");
    }

    #[test]
    fn a_class_of_the_program_is_a_container_only_below_a_class_that_keeps_the_contents() {
        let abstract_list = ["java.util.AbstractList", "java.util.List", "java.util.Collection"];
        assert!(!container("a.Ring", &abstract_list), "a skeleton keeps nothing");
        assert!(container(
            "a.Names",
            &["java.util.ArrayList", "java.util.AbstractList", "java.util.Collection"]
        ));
        assert!(!container("a.Cursor", &["java.lang.Object", "java.util.Iterator"]));
    }
}
