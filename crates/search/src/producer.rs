//! One way to get an object: what constructs it, a static method or field, a constant, or a method of another object.
//!
//! Knows names, not types. Invariant: what gives something else each time, or opens a file, is told from the rest by the tables here.

use dynaflow_model::descriptor;
use dynaflow_model::sites::{CallKind, FieldRef, MethodRef};

/// One way to get an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Producer {
    /// A constructor.
    New(MethodRef),
    /// A static method.
    Factory(MethodRef),
    /// A static field.
    Field(FieldRef),
    /// An enum constant.
    Constant(String, String),
    /// A method of another object, such as `build()` of a builder.
    Method(MethodRef, CallKind),
}

/// What gives something else each time, so that a test with it holds by chance only.
const VARYING: &[(&str, &str, &str)] = &[
    ("", "now", ""),
    ("java.util.Date", "<init>", "()V"),
    ("java.util.GregorianCalendar", "<init>", "()V"),
    ("java.util.Random", "<init>", "()V"),
    ("java.util.UUID", "randomUUID", ""),
];

/// What opens a file, or makes one, when it is given its name or itself: a test is to have no effect beyond its own objects.
const OPENING: &[&str] = &[
    "java.io.FileInputStream",
    "java.io.FileOutputStream",
    "java.io.FileReader",
    "java.io.FileWriter",
    "java.io.PrintStream",
    "java.io.PrintWriter",
    "java.io.RandomAccessFile",
    "java.util.Formatter",
    "java.util.jar.JarFile",
    "java.util.logging.FileHandler",
    "java.util.zip.ZipFile",
];

/// Types of the JDK whose objects people get from a container: the type, the container, its method.
const OF_CONTAINERS: &[(&str, &str, &str)] = &[
    ("java.util.Iterator", "java.util.List", "iterator"),
    ("java.util.ListIterator", "java.util.List", "listIterator"),
];

/// The container of the JDK whose objects give those of a type, if people get these so.
pub fn container_of(class: &str) -> Option<&'static str> {
    OF_CONTAINERS.iter().find(|(made, _, _)| *made == class).map(|(_, container, _)| *container)
}

impl Producer {
    /// How people get an object of the type from a container that they fill.
    pub(crate) fn of_container(class: &str) -> Option<Self> {
        let (made, container, name) = OF_CONTAINERS.iter().find(|(made, _, _)| *made == class)?;
        let descriptor = format!("(){}", descriptor::of_class(made));
        let method = MethodRef { owner: (*container).to_owned(), name: (*name).to_owned(), descriptor };
        Some(Self::Method(method, CallKind::Interface))
    }

    /// How many arguments it takes, the object that it is called on among them.
    pub(crate) fn parameters(&self) -> usize {
        match self {
            Self::New(method) | Self::Factory(method) => descriptor::parameters(&method.descriptor).len(),
            Self::Method(method, _) => descriptor::parameters(&method.descriptor).len() + 1,
            Self::Field(_) | Self::Constant(..) => 0,
        }
    }

    /// Whether it gives something else each time.
    pub(crate) fn varies(&self) -> bool {
        let (Self::New(method) | Self::Factory(method)) = self else { return false };
        VARYING.iter().any(|(owner, name, descriptor)| {
            method.owner.starts_with(owner)
                && method.name == *name
                && method.descriptor.starts_with(descriptor)
        })
    }

    /// Whether it opens a file.
    pub(crate) fn opens(&self) -> bool {
        let Self::New(constructor) = self else { return false };
        let is_file = |first: &str| ["Ljava/lang/String;", "Ljava/io/File;"].contains(&first);
        OPENING.contains(&constructor.owner.as_str())
            && descriptor::parameters(&constructor.descriptor).first().is_some_and(|first| is_file(first))
    }
}

/// Whether a field is a constant that a class of the JDK has of itself, `Locale.FRANCE`: by its name, as such are public.
pub(crate) fn is_jdk_constant(field: &FieldRef) -> bool {
    field.owner.starts_with("java.")
        && descriptor::class_of(&field.descriptor).as_deref() == Some(field.owner.as_str())
        && !field.name.contains(|c: char| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_get_an_iterator_from_a_list() {
        assert_eq!(container_of("java.util.Iterator"), Some("java.util.List"));
        assert_eq!(container_of("java.util.List"), None);
        let Some(Producer::Method(method, CallKind::Interface)) =
            Producer::of_container("java.util.ListIterator")
        else {
            unreachable!("it is in the table")
        };
        assert_eq!(
            (&*method.owner, &*method.signature()),
            ("java.util.List", "listIterator()Ljava/util/ListIterator;")
        );
    }
}
