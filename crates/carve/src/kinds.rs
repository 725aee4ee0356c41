//! Which classes a carved sequence leaves out or cannot rebuild, judged by name alone. Knows nothing of calls.
//!
//! Invariant: the answers depend on the names given and on nothing else. Test libraries stand in `model::frameworks`.

use dynaflow_model::descriptor;

/// Marks of classes that mocking libraries and proxies make at run time.
const MADE_AT_RUN_TIME: &[&str] =
    &["$MockitoMock$", "EnhancerBy", "$$Lambda", "$Proxy", "ByteBuddy", "_$$_javassist"];

/// Classes, besides those of boxed values, of which every object is carried as a literal: their calls give values and change nothing.
const VALUES: &[&str] = &["java.lang.String", "java.lang.Class", "java.lang.Enum"];

/// Whether objects of the class are mocks, lambdas or proxies.
pub(crate) fn is_made_at_run_time(class: &str) -> bool {
    MADE_AT_RUN_TIME.iter().any(|mark| class.contains(mark))
}

/// Whether calls of the class give values and nothing else.
pub(crate) fn is_value_class(class: &str) -> bool {
    descriptor::is_box(class) || VALUES.contains(&class)
}

/// Whether a call only asserts that something is not null, as javac writes them before it makes inner objects and method
/// references: it gives nothing new and changes nothing.
pub(crate) fn is_null_check(class: &str, method: &str) -> bool {
    matches!((class, method), ("java.util.Objects", "requireNonNull") | ("java.lang.Object", "getClass"))
}

/// Whether a call asks an exception what it says, which only handlers and checks of a test do.
pub(crate) fn asks_exception(class: &str, method: &str) -> bool {
    let is_throwable = ["Exception", "Error", "Throwable"].iter().any(|end| class.ends_with(end));
    let asks =
        ["getMessage", "getLocalizedMessage", "getCause", "printStackTrace", "getStackTrace", "toString"];
    is_throwable && asks.contains(&method)
}

/// Whether `class` is nested in the test class.
pub(crate) fn is_local_to(class: &str, test_class: &str) -> bool {
    class.strip_prefix(test_class).is_some_and(|rest| rest.starts_with('$'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinguished_by_whole_segments() {
        assert!(is_local_to("a.T$Stub", "a.T") && !is_local_to("a.TX", "a.T"));
        assert!(is_made_at_run_time("a.Outer$MockitoMock$12") && !is_made_at_run_time("a.Outer$Inner"));
    }
}
