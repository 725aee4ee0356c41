//! Which calls of the JDK apply a function that they get or are called on, and when: a function may be a method reference bound to a
//! container, which then changes in code that is not woven.
//!
//! A table over names. It knows neither functions nor containers. Invariant: the answer depends on the names alone.

use crate::contents::is_container;
use dynaflow_model::descriptor;

/// The position of the object a method is called on.
pub const RECEIVER: u8 = u8::MAX;
/// The position of the call's result.
pub const RESULT: u8 = u8::MAX - 1;

/// When a call applies a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Before it returns.
    Now,
    /// When a terminal operation runs the stream that it belongs to.
    AtTheEnd,
}

const FUNCTIONS: &str = "java/util/function/";
const STREAMS: &[&str] = &[
    "java/util/stream/DoubleStream",
    "java/util/stream/IntStream",
    "java/util/stream/LongStream",
    "java/util/stream/Stream",
];

/// Terminal operations of streams.
const ENDS: &[&str] = &[
    "allMatch",
    "anyMatch",
    "average",
    "collect",
    "count",
    "findAny",
    "findFirst",
    "forEach",
    "forEachOrdered",
    "max",
    "min",
    "noneMatch",
    "reduce",
    "sum",
    "summaryStatistics",
    "toArray",
    "toList",
];

/// The functions that a call of `owner.name` applies, by position. `owner` is an internal name. Linear in the descriptor.
pub fn applied(owner: &[u8], name: &[u8], descriptor: &[u8], is_static: bool) -> Vec<(u8, When)> {
    let text = |bytes| std::str::from_utf8(bytes).unwrap_or_default();
    let (owner, name, descriptor) = (text(owner), text(name), text(descriptor));
    if is_function(owner) && !is_static {
        return if applies(name) { vec![(RECEIVER, When::Now)] } else { vec![] };
    }
    let when = match STREAMS.contains(&owner) {
        true if ENDS.contains(&name) => When::Now,
        true => When::AtTheEnd,
        false if is_container(owner) || matches!(owner, "java/util/Arrays" | "java/util/Objects") => {
            When::Now
        }
        false => return vec![],
    };
    let parameters = descriptor::parameters(descriptor);
    let class = |parameter: &str| {
        parameter.strip_prefix('L').and_then(|rest| rest.strip_suffix(';')).map(is_function)
    };
    (0u8..RESULT)
        .zip(parameters)
        .filter(|(_, one)| class(one) == Some(true))
        .map(|(at, _)| (at, when))
        .collect()
}

/// Whether a call is a terminal operation of a stream.
pub fn ends(owner: &[u8], name: &[u8]) -> bool {
    let is = |all: &[&str], text: &[u8]| all.iter().any(|known| known.as_bytes() == text);
    is(STREAMS, owner) && is(ENDS, name)
}

fn is_function(class: &str) -> bool {
    class.starts_with(FUNCTIONS) || matches!(class, "java/lang/Runnable" | "java/util/concurrent/Callable")
}

/// Whether a function's method of this name applies it, and does not make another function.
fn applies(name: &str) -> bool {
    ["accept", "apply", "call", "get", "run", "test"].iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(owner: &str, name: &str, descriptor: &str) -> Vec<(u8, When)> {
        applied(owner.as_bytes(), name.as_bytes(), descriptor.as_bytes(), false)
    }

    #[test]
    fn a_call_applies_its_function_before_it_returns_or_when_its_stream_runs() {
        let consumer = "(Ljava/util/function/Consumer;)V";
        assert_eq!(of("java/util/List", "forEach", consumer), [(0, When::Now)]);
        assert_eq!(of("java/util/stream/Stream", "forEach", consumer), [(0, When::Now)]);
        assert_eq!(of("java/util/stream/Stream", "peek", consumer), [(0, When::AtTheEnd)]);
        let absent = "(Ljava/lang/Object;Ljava/util/function/Function;)Ljava/lang/Object;";
        assert_eq!(of("java/util/Map", "computeIfAbsent", absent), [(1, When::Now)]);
        assert_eq!(
            of("java/util/function/Consumer", "accept", "(Ljava/lang/Object;)V"),
            [(RECEIVER, When::Now)]
        );
        assert_eq!(of("java/util/function/Consumer", "andThen", consumer), []);
        assert_eq!(
            of("java/util/concurrent/Executor", "execute", "(Ljava/lang/Runnable;)V"),
            [],
            "some time"
        );
        assert_eq!(of("a/Bag", "forEach", consumer), [], "the program applies it itself");
        assert!(ends(b"java/util/stream/Stream", b"collect") && !ends(b"java/util/stream/Stream", b"filter"));
    }
}
