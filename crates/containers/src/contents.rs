//! Which calls read or write the contents of JDK containers and value carriers, as a table.
//!
//! A row names a family of classes and what its methods do; a class lists the families it belongs to. A method whose result
//! depends on the contents it changes (`put`, `Set.add`, `poll`) both reads and writes; one whose result does not
//! (`List.add`, `append`) writes. What it passes to a lambda counts as a result. Invariant: a class and method name has one meaning. The
//! next container goes into [`CLASSES`].

mod families;
#[cfg(test)]
mod jdk;

use dynaflow_model::sites::Access;
use families::{
    ARRAY_LIST, ATOMIC, BIT_SET, BUILDER, COLLECTION, COLLECTIONS, CONCURRENT_MAP, COPY_ON_WRITE, DEQUE,
    ENTRY, Family, HASHTABLE, ITERATOR, JOINER, LIST, MAP, OBJECT, OPTIONAL, PROPERTIES, QUEUE, SORTED_MAP,
    SORTED_SET, STACK, VECTOR,
};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// Classes below `java/`, by package, with the families whose methods they have. A later family wins.
const CLASSES: &[(&str, &[&str], &[&Family])] = &[
    (
        "java/util/",
        &[
            "AbstractCollection",
            "AbstractSet",
            "Collection",
            "EnumSet",
            "HashSet",
            "LinkedHashSet",
            "SequencedCollection",
        ],
        &[&OBJECT, &COLLECTION, &DEQUE],
    ),
    ("java/util/", &["Set", "SequencedSet"], &[&OBJECT, &COLLECTION, &DEQUE]),
    ("java/util/", &["NavigableSet", "SortedSet", "TreeSet"], &[&OBJECT, &COLLECTION, &SORTED_SET]),
    (
        "java/util/",
        &["AbstractList", "AbstractSequentialList", "ArrayList", "List"],
        &[&OBJECT, &COLLECTION, &LIST, &ARRAY_LIST],
    ),
    ("java/util/", &["Vector"], &[&OBJECT, &COLLECTION, &LIST, &ARRAY_LIST, &VECTOR]),
    ("java/util/", &["Stack"], &[&OBJECT, &COLLECTION, &LIST, &ARRAY_LIST, &VECTOR, &STACK]),
    ("java/util/", &["LinkedList"], &[&OBJECT, &COLLECTION, &LIST, &QUEUE, &DEQUE]),
    ("java/util/", &["AbstractQueue", "PriorityQueue", "Queue"], &[&OBJECT, &COLLECTION, &QUEUE]),
    ("java/util/", &["ArrayDeque", "Deque"], &[&OBJECT, &COLLECTION, &QUEUE, &DEQUE]),
    (
        "java/util/",
        &[
            "AbstractMap",
            "EnumMap",
            "HashMap",
            "IdentityHashMap",
            "LinkedHashMap",
            "Map",
            "SequencedMap",
            "WeakHashMap",
        ],
        &[&OBJECT, &MAP, &SORTED_MAP],
    ),
    ("java/util/", &["NavigableMap", "SortedMap", "TreeMap"], &[&OBJECT, &MAP, &SORTED_MAP]),
    ("java/util/", &["Dictionary", "Hashtable"], &[&OBJECT, &MAP, &HASHTABLE]),
    ("java/util/", &["Properties"], &[&OBJECT, &MAP, &HASHTABLE, &PROPERTIES]),
    (
        "java/util/",
        &[
            "Enumeration",
            "Iterator",
            "ListIterator",
            "PrimitiveIterator",
            "PrimitiveIterator$OfDouble",
            "PrimitiveIterator$OfInt",
            "PrimitiveIterator$OfLong",
            "Spliterator",
        ],
        &[&ITERATOR],
    ),
    (
        "java/util/",
        &["AbstractMap$SimpleEntry", "AbstractMap$SimpleImmutableEntry", "Map$Entry"],
        &[&OBJECT, &ENTRY],
    ),
    ("java/util/", &["Optional", "OptionalDouble", "OptionalInt", "OptionalLong"], &[&OBJECT, &OPTIONAL]),
    ("java/util/", &["BitSet"], &[&OBJECT, &BIT_SET]),
    ("java/util/", &["StringJoiner"], &[&OBJECT, &JOINER]),
    ("java/lang/", &["Iterable"], &[&COLLECTION]),
    ("java/lang/", &["StringBuffer", "StringBuilder"], &[&OBJECT, &BUILDER]),
    (
        "java/util/concurrent/",
        &["ConcurrentHashMap$KeySetView", "CopyOnWriteArraySet"],
        &[&OBJECT, &COLLECTION],
    ),
    ("java/util/concurrent/", &["ConcurrentSkipListSet"], &[&OBJECT, &COLLECTION, &SORTED_SET]),
    ("java/util/concurrent/", &["CopyOnWriteArrayList"], &[&OBJECT, &COLLECTION, &LIST, &COPY_ON_WRITE]),
    (
        "java/util/concurrent/",
        &[
            "ArrayBlockingQueue",
            "BlockingQueue",
            "ConcurrentLinkedQueue",
            "DelayQueue",
            "LinkedBlockingQueue",
            "LinkedTransferQueue",
            "PriorityBlockingQueue",
            "SynchronousQueue",
            "TransferQueue",
        ],
        &[&OBJECT, &COLLECTION, &QUEUE],
    ),
    (
        "java/util/concurrent/",
        &["BlockingDeque", "ConcurrentLinkedDeque", "LinkedBlockingDeque"],
        &[&OBJECT, &COLLECTION, &QUEUE, &DEQUE],
    ),
    (
        "java/util/concurrent/",
        &["ConcurrentHashMap", "ConcurrentMap"],
        &[&OBJECT, &MAP, &HASHTABLE, &CONCURRENT_MAP],
    ),
    (
        "java/util/concurrent/",
        &["ConcurrentNavigableMap", "ConcurrentSkipListMap"],
        &[&OBJECT, &MAP, &SORTED_MAP],
    ),
    (
        "java/util/concurrent/atomic/",
        &[
            "AtomicBoolean",
            "AtomicInteger",
            "AtomicIntegerArray",
            "AtomicLong",
            "AtomicLongArray",
            "AtomicMarkableReference",
            "AtomicReference",
            "AtomicReferenceArray",
            "AtomicStampedReference",
            "DoubleAccumulator",
            "DoubleAdder",
            "LongAccumulator",
            "LongAdder",
        ],
        &[&OBJECT, &ATOMIC],
    ),
];

fn expand(families: &[&'static Family]) -> FxHashMap<&'static str, Access> {
    let rows = families.iter().flat_map(|family| {
        let tag = |names: &'static [&'static str], access| names.iter().map(move |name| (*name, access));
        let kinds =
            [(family.reads, Access::Read), (family.writes, Access::Write), (family.both, Access::ReadWrite)];
        kinds.into_iter().flat_map(move |(names, access)| tag(names, access))
    });
    rows.collect()
}

/// By package, then by class: built once, looked up in constant time.
fn tables() -> &'static FxHashMap<String, FxHashMap<&'static str, Access>> {
    static TABLES: OnceLock<FxHashMap<String, FxHashMap<&'static str, Access>>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let classes = CLASSES.iter().flat_map(|(package, classes, families)| {
            classes.iter().map(move |class| (format!("{package}{class}"), expand(families)))
        });
        classes.chain([("java/util/Collections".to_owned(), expand(&[&COLLECTIONS]))]).collect()
    })
}

/// Whether objects of a class or interface, by its internal name, are containers of the table.
pub(crate) fn is_container(class: &str) -> bool {
    tables().contains_key(class)
}

/// What a call of a method of this name does to the contents of an object of the class or interface with this binary name; none
/// when the table has no such container, or the container no such method.
pub fn access_of(class: &str, name: &str) -> Option<Access> {
    tables().get(&class.replace('.', "/"))?.get(name).copied()
}

/// Whether a class that extends a container may inherit a method of this name that reads or writes its contents, and whether
/// it may write them. What every object has (`equals`, `hashCode`, `toString`, `clone`) does not count.
pub fn inherited(name: &[u8]) -> Option<bool> {
    static NAMES: OnceLock<FxHashMap<&'static str, bool>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let mut names: FxHashMap<&'static str, bool> = FxHashMap::default();
        for (name, access) in CLASSES.iter().flat_map(|(_, _, families)| expand(families)) {
            *names.entry(name).or_default() |= access != Access::Read;
        }
        names.retain(|name, _| !OBJECT.reads.contains(name));
        names
    });
    names.get(std::str::from_utf8(name).ok()?).copied()
}

/// What a call of `owner.name` does to the contents of its receiver (of its first argument for the static methods of
/// `java.util.Collections`); none when it is no container's method. `owner` is an internal name.
pub fn access(owner: &[u8], name: &[u8], is_static: bool) -> Option<Access> {
    let owner = std::str::from_utf8(owner).ok().filter(|owner| owner.starts_with("java/"))?;
    let name = std::str::from_utf8(name).ok()?;
    if is_static != (owner == "java/util/Collections") {
        return None;
    }
    tables().get(owner)?.get(name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(owner: &str, name: &str) -> Option<Access> {
        access(owner.as_bytes(), name.as_bytes(), false)
    }

    #[test]
    fn containers_say_what_their_methods_do() {
        assert_eq!(of("java/util/Map", "put"), Some(Access::ReadWrite));
        assert_eq!(of("java/util/HashMap", "get"), Some(Access::Read));
        assert_eq!(of("java/util/List", "add"), Some(Access::Write), "a list's answer says nothing");
        assert_eq!(of("java/util/Set", "add"), Some(Access::ReadWrite), "a set's answer shows what it held");
        assert_eq!(of("java/lang/StringBuilder", "append"), Some(Access::Write));
        assert_eq!(of("java/util/Stack", "pop"), Some(Access::ReadWrite));
        assert_eq!(
            of("java/util/concurrent/atomic/AtomicInteger", "incrementAndGet"),
            Some(Access::ReadWrite)
        );
        assert_eq!(access(b"java/util/Collections", b"sort", true), Some(Access::ReadWrite));
    }

    #[test]
    fn other_classes_and_methods_are_no_contents() {
        assert_eq!(of("java/util/Map", "of"), None);
        assert_eq!(access(b"java/util/Map", b"get", true), None, "a static method has no container");
        assert_eq!(of("java/lang/String", "length"), None);
        assert_eq!(of("org/example/List", "add"), None);
        assert_eq!(of("java/util/ArrayList", "getClass"), None);
    }

    #[test]
    fn what_a_class_of_the_program_may_inherit_is_looked_up_by_name() {
        assert_eq!((inherited(b"add"), inherited(b"size")), (Some(true), Some(false)));
        assert_eq!((inherited(b"toString"), inherited(b"paint")), (None, None));
        assert_eq!(access_of("java.util.ArrayList", "add"), Some(Access::Write));
        assert_eq!(access_of("java.util.HashSet", "add"), Some(Access::ReadWrite));
        assert_eq!((access_of("java.util.HashSet", "get"), access_of("a.B", "add")), (None, None));
    }

    #[test]
    fn no_class_is_listed_twice() {
        let rows: usize = CLASSES.iter().map(|(_, classes, _)| classes.len()).sum();
        assert_eq!(tables().len(), rows + 1);
    }
}
