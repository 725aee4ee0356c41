//! Which arguments of a call into the JDK are containers whose contents it reads or writes: `addAll`, `containsAll`, copying
//! constructors, `drainTo`.
//!
//! A rule and its exceptions: an argument whose declared type is a container of [`crate::contents`] is read if the method called belongs to
//! such a container. An argument declared as `Object` is read by `equals` alone. It does not know which class's method runs in the end. Invariant: the answer depends on the names alone.

use crate::contents::{self, is_container};
use dynaflow_model::descriptor;
use dynaflow_model::sites::Access;

/// Classes that are no containers, with their methods that read one.
const OTHERS: &[(&str, &[&str])] = &[("java/lang/String", &["<init>", "contentEquals", "join"])];

/// Classes whose methods read whatever is a sequence of characters, which may be a builder.
const TEXTS: &[&str] = &["java/lang/StringBuffer", "java/lang/StringBuilder"];

const COLLECTIONS: &str = "java/util/Collections";

/// Whether a method wraps the container it gets instead of reading it.
fn keeps(owner: &str, name: &str) -> bool {
    let wrappers = ["unmodifiable", "synchronized", "checked", "new", "asLifoQueue"];
    match owner {
        COLLECTIONS => wrappers.iter().any(|prefix| name.starts_with(prefix)),
        "java/util/Properties" => name == "<init>",
        _ => false,
    }
}

/// Positions and accesses of the arguments that a call of `owner.name` reads or writes the contents of, besides what
/// [`contents::access`] says. `owner` is an internal name. Linear in the descriptor.
pub fn arguments(owner: &[u8], name: &[u8], descriptor: &[u8], is_static: bool) -> Vec<(u8, Access)> {
    let text = |bytes| std::str::from_utf8(bytes).unwrap_or_default();
    let (owner, name, descriptor) = (text(owner), text(name), text(descriptor));
    if !owner.starts_with("java/") || keeps(owner, name) {
        return vec![];
    }
    let reads = match OTHERS.iter().find(|(class, _)| *class == owner) {
        Some((_, names)) => names.contains(&name),
        None => is_container(owner) || owner == COLLECTIONS,
    };
    if !reads {
        return vec![];
    }
    if name == "equals" && !is_static {
        return vec![(0, Access::Read)];
    }
    let is_first = contents::access(owner.as_bytes(), name.as_bytes(), is_static).is_some() && is_static;
    let reads_texts = TEXTS.contains(&owner) || name == "contentEquals";
    let mut found = of_descriptor(name, descriptor, reads_texts);
    found.retain(|(position, _)| *position > 0 || !is_first);
    found
}

/// As [`arguments`], for a method that a class of the program may inherit from a container.
pub fn inherited(name: &[u8], descriptor: &[u8]) -> Vec<(u8, Access)> {
    let text = |bytes| std::str::from_utf8(bytes).unwrap_or_default();
    of_descriptor(text(name), text(descriptor), false)
}

/// Whether an argument with this declared type may be a view of a map's entries.
pub fn may_hold_entries(parameter: &str) -> bool {
    let class = parameter.strip_prefix('L').and_then(|class| class.strip_suffix(';'));
    let known = ["java/util/Collection", "java/util/Iterator", "java/util/Set", "java/lang/Iterable"];
    class.is_some_and(|class| known.contains(&class))
}

fn of_descriptor(name: &str, descriptor: &str, reads_texts: bool) -> Vec<(u8, Access)> {
    let access = if name == "drainTo" { Access::Write } else { Access::Read };
    let counts = |parameter: &str| {
        let class = parameter.strip_prefix('L').and_then(|class| class.strip_suffix(';'));
        class.is_some_and(|class| is_container(class) || reads_texts && class == "java/lang/CharSequence")
    };
    let parameters = descriptor::parameters(descriptor);
    (0u8..).zip(parameters).filter(|(_, one)| counts(one)).map(|(at, _)| (at, access)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(owner: &str, name: &str, descriptor: &str, is_static: bool) -> Vec<(u8, Access)> {
        arguments(owner.as_bytes(), name.as_bytes(), descriptor.as_bytes(), is_static)
    }

    #[test]
    fn a_container_that_a_container_is_given_is_read() {
        let read = [(0, Access::Read)];
        assert_eq!(of("java/util/List", "addAll", "(Ljava/util/Collection;)Z", false), read);
        assert_eq!(of("java/util/List", "addAll", "(ILjava/util/Collection;)Z", false), [(1, Access::Read)]);
        assert_eq!(of("java/util/Map", "putAll", "(Ljava/util/Map;)V", false), read);
        assert_eq!(of("java/util/TreeMap", "<init>", "(Ljava/util/SortedMap;)V", false), read);
        assert_eq!(of("java/util/List", "copyOf", "(Ljava/util/Collection;)Ljava/util/List;", true), read);
        assert_eq!(of("java/util/List", "equals", "(Ljava/lang/Object;)Z", false), read);
        assert_eq!(of("java/util/BitSet", "and", "(Ljava/util/BitSet;)V", false), read);
        assert_eq!(
            of(
                "java/lang/StringBuilder",
                "append",
                "(Ljava/lang/CharSequence;)Ljava/lang/StringBuilder;",
                false
            ),
            read
        );
        let join = "(Ljava/lang/CharSequence;Ljava/lang/Iterable;)Ljava/lang/String;";
        assert_eq!(of("java/lang/String", "join", join, true), [(1, Access::Read)]);
        let queue = "java/util/concurrent/BlockingQueue";
        assert_eq!(of(queue, "drainTo", "(Ljava/util/Collection;I)I", false), [(0, Access::Write)]);
    }

    #[test]
    fn of_the_methods_of_collections_the_first_argument_is_no_other_container() {
        let two = "(Ljava/util/List;Ljava/util/List;)V";
        assert_eq!(of("java/util/Collections", "copy", two, true), [(1, Access::Read)]);
        assert_eq!(of("java/util/Collections", "sort", "(Ljava/util/List;)V", true), []);
        let wrapped = "(Ljava/util/List;)Ljava/util/List;";
        assert_eq!(of("java/util/Collections", "unmodifiableList", wrapped, true), []);
    }

    #[test]
    fn what_is_no_container_and_what_no_container_gets_is_not_read() {
        assert_eq!(of("java/util/List", "add", "(Ljava/lang/Object;)Z", false), []);
        assert_eq!(of("java/util/ArrayList", "<init>", "(I)V", false), []);
        assert_eq!(of("java/lang/String", "contains", "(Ljava/lang/CharSequence;)Z", false), []);
        assert_eq!(of("java/lang/Object", "equals", "(Ljava/lang/Object;)Z", false), []);
        assert_eq!(of("a/Bag", "addAll", "(Ljava/util/Collection;)Z", false), []);
        assert_eq!(inherited(b"addAll", b"(Ljava/util/Collection;)Z"), [(0, Access::Read)]);
        assert_eq!(inherited(b"add", b"(Ljava/lang/Object;)Z"), []);
    }
}
