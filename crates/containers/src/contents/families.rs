//! What the methods of families of containers do to contents, by name, as a table.
//!
//! It does not know which classes belong to a family. Invariant: within a family a name stands once.

/// What the methods of a family do, by name.
pub(super) struct Family {
    pub reads: &'static [&'static str],
    pub writes: &'static [&'static str],
    pub both: &'static [&'static str],
}

pub(super) const OBJECT: Family =
    Family { reads: &["equals", "hashCode", "toString", "clone", "compareTo"], writes: &[], both: &[] };

pub(super) const COLLECTION: Family = Family {
    reads: &[
        "contains",
        "containsAll",
        "forEach",
        "isEmpty",
        "iterator",
        "parallelStream",
        "size",
        "spliterator",
        "stream",
        "toArray",
    ],
    writes: &["clear"],
    both: &["add", "addAll", "remove", "removeAll", "removeIf", "retainAll"],
};

pub(super) const LIST: Family = Family {
    reads: &["get", "getFirst", "getLast", "indexOf", "lastIndexOf", "listIterator", "reversed", "subList"],
    writes: &["add", "addAll", "addFirst", "addLast"],
    both: &["removeFirst", "removeLast", "replaceAll", "set", "sort"],
};

pub(super) const ARRAY_LIST: Family = Family { reads: &[], writes: &["removeRange"], both: &[] };

pub(super) const COPY_ON_WRITE: Family =
    Family { reads: &[], writes: &[], both: &["addAllAbsent", "addIfAbsent"] };

pub(super) const VECTOR: Family = Family {
    reads: &["capacity", "copyInto", "elementAt", "elements", "firstElement", "lastElement"],
    writes: &[
        "addElement",
        "insertElementAt",
        "removeAllElements",
        "removeElementAt",
        "setElementAt",
        "setSize",
    ],
    both: &["removeElement"],
};

pub(super) const STACK: Family =
    Family { reads: &["empty", "peek", "search"], writes: &["push"], both: &["pop"] };

pub(super) const QUEUE: Family = Family {
    reads: &["element", "peek", "remainingCapacity"],
    writes: &["add", "addAll", "offer", "put", "transfer", "tryTransfer"],
    both: &["drainTo", "poll", "remove", "take"],
};

pub(super) const DEQUE: Family = Family {
    reads: &["descendingIterator", "getFirst", "getLast", "peekFirst", "peekLast", "reversed"],
    writes: &["addFirst", "addLast", "offerFirst", "offerLast", "push", "putFirst", "putLast"],
    both: &[
        "pollFirst",
        "pollLast",
        "pop",
        "removeFirst",
        "removeFirstOccurrence",
        "removeLast",
        "removeLastOccurrence",
        "takeFirst",
        "takeLast",
    ],
};

pub(super) const SORTED_SET: Family = Family {
    reads: &[
        "ceiling",
        "descendingIterator",
        "descendingSet",
        "first",
        "floor",
        "getFirst",
        "getLast",
        "headSet",
        "higher",
        "last",
        "lower",
        "reversed",
        "subSet",
        "tailSet",
    ],
    writes: &[],
    both: &["pollFirst", "pollLast", "removeFirst", "removeLast"],
};

pub(super) const MAP: Family = Family {
    reads: &[
        "containsKey",
        "containsValue",
        "entrySet",
        "forEach",
        "get",
        "getOrDefault",
        "isEmpty",
        "keySet",
        "size",
        "values",
    ],
    writes: &["clear", "putAll"],
    both: &[
        "compute",
        "computeIfAbsent",
        "computeIfPresent",
        "merge",
        "put",
        "putIfAbsent",
        "remove",
        "replace",
        "replaceAll",
    ],
};

pub(super) const SORTED_MAP: Family = Family {
    reads: &[
        "ceilingEntry",
        "ceilingKey",
        "descendingKeySet",
        "descendingMap",
        "firstEntry",
        "firstKey",
        "floorEntry",
        "floorKey",
        "headMap",
        "higherEntry",
        "higherKey",
        "lastEntry",
        "lastKey",
        "lowerEntry",
        "lowerKey",
        "navigableKeySet",
        "reversed",
        "sequencedEntrySet",
        "sequencedKeySet",
        "sequencedValues",
        "subMap",
        "tailMap",
    ],
    writes: &[],
    both: &["pollFirstEntry", "pollLastEntry", "putFirst", "putLast"],
};

pub(super) const HASHTABLE: Family =
    Family { reads: &["contains", "elements", "keys"], writes: &[], both: &[] };

pub(super) const CONCURRENT_MAP: Family = Family {
    reads: &[
        "forEachEntry",
        "forEachKey",
        "forEachValue",
        "mappingCount",
        "reduce",
        "reduceEntries",
        "reduceEntriesToDouble",
        "reduceEntriesToInt",
        "reduceEntriesToLong",
        "reduceKeys",
        "reduceKeysToDouble",
        "reduceKeysToInt",
        "reduceKeysToLong",
        "reduceToDouble",
        "reduceToInt",
        "reduceToLong",
        "reduceValues",
        "reduceValuesToDouble",
        "reduceValuesToInt",
        "reduceValuesToLong",
        "search",
        "searchEntries",
        "searchKeys",
        "searchValues",
    ],
    writes: &[],
    both: &[],
};

pub(super) const PROPERTIES: Family = Family {
    reads: &["getProperty", "list", "propertyNames", "save", "store", "storeToXML", "stringPropertyNames"],
    writes: &["load", "loadFromXML"],
    both: &["setProperty"],
};

pub(super) const ITERATOR: Family = Family {
    reads: &[
        "asIterator",
        "estimateSize",
        "forEachRemaining",
        "getExactSizeIfKnown",
        "hasMoreElements",
        "hasNext",
        "hasPrevious",
        "next",
        "nextDouble",
        "nextElement",
        "nextIndex",
        "nextInt",
        "nextLong",
        "previous",
        "previousIndex",
        "tryAdvance",
        "trySplit",
    ],
    writes: &["add", "remove", "set"],
    both: &[],
};

pub(super) const ENTRY: Family = Family { reads: &["getKey", "getValue"], writes: &[], both: &["setValue"] };

pub(super) const BUILDER: Family = Family {
    reads: &[
        "capacity",
        "charAt",
        "chars",
        "codePointAt",
        "codePointBefore",
        "codePointCount",
        "codePoints",
        "getChars",
        "indexOf",
        "isEmpty",
        "lastIndexOf",
        "length",
        "offsetByCodePoints",
        "subSequence",
        "substring",
    ],
    writes: &[
        "append",
        "appendCodePoint",
        "delete",
        "deleteCharAt",
        "insert",
        "repeat",
        "replace",
        "setCharAt",
        "setLength",
    ],
    both: &["reverse"],
};

pub(super) const JOINER: Family =
    Family { reads: &["length"], writes: &["add", "setEmptyValue"], both: &["merge"] };

pub(super) const ATOMIC: Family = Family {
    reads: &[
        "byteValue",
        "doubleValue",
        "floatValue",
        "get",
        "getAcquire",
        "getOpaque",
        "getPlain",
        "getReference",
        "getStamp",
        "intValue",
        "isMarked",
        "length",
        "longValue",
        "shortValue",
        "sum",
    ],
    writes: &[
        "add",
        "decrement",
        "increment",
        "lazySet",
        "reset",
        "set",
        "setOpaque",
        "setPlain",
        "setRelease",
    ],
    both: &[
        "accumulate",
        "accumulateAndGet",
        "addAndGet",
        "attemptMark",
        "attemptStamp",
        "compareAndExchange",
        "compareAndExchangeAcquire",
        "compareAndExchangeRelease",
        "compareAndSet",
        "decrementAndGet",
        "getAndAccumulate",
        "getAndAdd",
        "getAndDecrement",
        "getAndIncrement",
        "getAndSet",
        "getAndUpdate",
        "getThenReset",
        "incrementAndGet",
        "sumThenReset",
        "updateAndGet",
        "weakCompareAndSet",
        "weakCompareAndSetAcquire",
        "weakCompareAndSetPlain",
        "weakCompareAndSetRelease",
        "weakCompareAndSetVolatile",
    ],
};

pub(super) const OPTIONAL: Family = Family {
    reads: &[
        "filter",
        "flatMap",
        "get",
        "getAsDouble",
        "getAsInt",
        "getAsLong",
        "ifPresent",
        "ifPresentOrElse",
        "isEmpty",
        "isPresent",
        "map",
        "or",
        "orElse",
        "orElseGet",
        "orElseThrow",
        "stream",
    ],
    writes: &[],
    both: &[],
};

pub(super) const BIT_SET: Family = Family {
    reads: &[
        "cardinality",
        "get",
        "intersects",
        "isEmpty",
        "length",
        "nextClearBit",
        "nextSetBit",
        "previousClearBit",
        "previousSetBit",
        "size",
        "stream",
        "toByteArray",
        "toLongArray",
    ],
    writes: &["clear", "set"],
    both: &["and", "andNot", "flip", "or", "xor"],
};

/// Static methods of `java.util.Collections` that work on the collection given first.
pub(super) const COLLECTIONS: Family = Family {
    reads: &[
        "binarySearch",
        "disjoint",
        "enumeration",
        "frequency",
        "indexOfSubList",
        "lastIndexOfSubList",
        "list",
        "max",
        "min",
    ],
    writes: &["addAll", "copy", "fill"],
    both: &["replaceAll", "reverse", "rotate", "shuffle", "sort", "swap"],
};
