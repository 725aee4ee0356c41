//! What the JDK gives that depends on the machine, the moment or chance: the search makes no test of it, since what such a test asserts is not the program's doing.
//!
//! Knows nothing of sequences: seeds that call it stay what they are, and so do tests that are spliced from them. Invariant: the answer depends on names alone.

use dynaflow_model::sites::MethodRef;

/// Every method of the class.
const ALL: &str = "*";

/// Methods by class, sorted; with a descriptor where another of the name is harmless.
const AMBIENT: &[(&str, &[&str])] = &[
    ("java.io.File", &["createTempFile", "listRoots"]),
    ("java.lang.Boolean", &["getBoolean"]),
    ("java.lang.ClassLoader", &["getPlatformClassLoader", "getSystemClassLoader"]),
    ("java.lang.Integer", &["getInteger"]),
    ("java.lang.Long", &["getLong"]),
    ("java.lang.Math", &["random"]),
    ("java.lang.ProcessHandle", &[ALL]),
    ("java.lang.Runtime", &[ALL]),
    ("java.lang.StrictMath", &["random"]),
    (
        "java.lang.System",
        &[
            "clearProperty",
            "console",
            "currentTimeMillis",
            "getProperties",
            "getProperty",
            "getSecurityManager",
            "getenv",
            "identityHashCode",
            "inheritedChannel",
            "lineSeparator",
            "nanoTime",
            "setProperties",
            "setProperty",
        ],
    ),
    ("java.lang.Thread", &["activeCount", "currentThread", "enumerate", "getAllStackTraces"]),
    ("java.lang.ThreadGroup", &["activeCount", "activeGroupCount", "enumerate"]),
    ("java.net.InetAddress", &["getLocalHost"]),
    ("java.net.NetworkInterface", &[ALL]),
    ("java.nio.charset.Charset", &["availableCharsets", "defaultCharset"]),
    ("java.nio.file.FileSystems", &["getDefault"]),
    ("java.security.SecureRandom", &[ALL]),
    ("java.security.Security", &[ALL]),
    ("java.time.Clock", &["system", "systemDefaultZone", "systemUTC"]),
    ("java.time.ZoneId", &["getAvailableZoneIds", "systemDefault"]),
    ("java.util.Calendar", &["getAvailableLocales", "getInstance"]),
    ("java.util.Date", &["<init>()V"]),
    (
        "java.util.GregorianCalendar",
        &[
            "<init>()V",
            "<init>(Ljava/util/Locale;)V",
            "<init>(Ljava/util/TimeZone;)V",
            "<init>(Ljava/util/TimeZone;Ljava/util/Locale;)V",
        ],
    ),
    ("java.util.Locale", &["getAvailableLocales", "getDefault"]),
    ("java.util.Random", &["<init>()V"]),
    ("java.util.TimeZone", &["getAvailableIDs", "getDefault"]),
    ("java.util.UUID", &["randomUUID"]),
    ("java.util.concurrent.ThreadLocalRandom", &["current"]),
];

/// What tests reach into objects with: it calls by a name that a text gives, so that what a test asserts of it is not the program's doing either.
const BY_NAME: &[&str] =
    &["org.mockito.internal.util.reflection.", "org.powermock.reflect.", "org.springframework.test.util."];

/// Whether what a method or constructor gives or changes belongs to the machine, the moment or chance.
pub(crate) fn is_ambient(method: &MethodRef) -> bool {
    let MethodRef { owner, name, descriptor } = method;
    if BY_NAME.iter().any(|package| owner.starts_with(package)) {
        return true;
    }
    if !owner.starts_with("java.") {
        return false;
    }
    // Every type of `java.time` that has a moment of its own.
    if owner.starts_with("java.time.") && name == "now" {
        return !descriptor.contains("Ljava/time/Clock;");
    }
    let of_class = AMBIENT.binary_search_by(|(class, _)| (*class).cmp(owner)).ok();
    let names = of_class.and_then(|place| AMBIENT.get(place)).map_or(&[][..], |(_, names)| names);
    let is_meant = |entry: &&str| match entry.split_once('(') {
        Some((_, parameters)) => {
            entry.starts_with(name.as_str()) && descriptor.strip_prefix('(') == Some(parameters)
        }
        None => *entry == ALL || entry == name,
    };
    names.iter().any(is_meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_calls_by_a_name_that_a_text_gives_belongs_to_no_program() {
        assert!(is("org.springframework.test.util.ReflectionTestUtils", "invokeGetterMethod", "()V"));
        assert!(
            !is("org.springframework.util.ReflectionUtils", "findMethod", "()V"),
            "a program may be about it"
        );
    }

    fn is(owner: &str, name: &str, descriptor: &str) -> bool {
        is_ambient(&MethodRef { owner: owner.into(), name: name.into(), descriptor: descriptor.into() })
    }

    #[test]
    fn what_the_machine_the_moment_or_chance_decides_is_ambient() {
        assert!(is("java.lang.System", "getenv", "()Ljava/util/Map;"));
        assert!(is("java.lang.Runtime", "availableProcessors", "()I"));
        assert!(is("java.lang.Long", "getLong", "(Ljava/lang/String;)Ljava/lang/Long;"), "a property");
        assert!(!is("java.lang.Long", "valueOf", "(Ljava/lang/String;)Ljava/lang/Long;"));
        assert!(is("java.time.LocalDate", "now", "(Ljava/time/ZoneId;)Ljava/time/LocalDate;"));
        assert!(is("java.util.Random", "<init>", "()V"));
    }

    #[test]
    fn what_arguments_alone_decide_is_not() {
        assert!(!is("java.lang.System", "arraycopy", "(Ljava/lang/Object;ILjava/lang/Object;II)V"));
        assert!(!is("java.time.LocalDate", "now", "(Ljava/time/Clock;)Ljava/time/LocalDate;"));
        assert!(!is("java.util.Random", "<init>", "(J)V"));
        assert!(!is("java.util.Locale", "forLanguageTag", "(Ljava/lang/String;)Ljava/util/Locale;"));
        assert!(!is("demo.System", "getenv", "()Ljava/util/Map;"), "the program's own");
    }

    #[test]
    fn classes_are_sorted() {
        assert!(AMBIENT.windows(2).all(|two| matches!(two, [one, other] if one.0 < other.0)));
    }
}
