//! Where the JVM enters our code: whatever panics behind an entry is caught, counted, and reported once, to the user and to the
//! trace, and the entry does nothing. It does not know what the entries do. Invariant: no unwinding reaches the JVM.

use crate::fault::Point;
use crate::guard::{catch, say};
use crate::message::Message;
use crate::state::agent;
use std::sync::atomic::{AtomicU32, Ordering};

/// How many panics were caught.
static CAUGHT: AtomicU32 = AtomicU32::new(0);

/// Runs `body`; a panic gives `otherwise`, and the first one is reported.
pub fn guard<T>(at: Point, otherwise: T, body: impl FnOnce() -> T) -> T {
    catch(at, body).unwrap_or_else(|text| {
        if CAUGHT.fetch_add(1, Ordering::Relaxed) == 0 {
            let place = at.name();
            trouble(&format!("internal error in {place}: {text}; the program goes on, this is not recorded"));
        }
        otherwise
    })
}

/// How many panics [`guard`] caught so far.
pub fn caught() -> u32 {
    CAUGHT.load(Ordering::Relaxed)
}

/// Says something on the standard error stream and in the trace.
pub fn trouble(text: &str) {
    say(text);
    if let Some(agent) = agent() {
        agent.send(Message::Note(text.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_the_other_value_and_is_counted() {
        assert_eq!(guard(Point::Get, 1, || 2), 2);
        let before = caught();
        assert_eq!(guard(Point::Get, 1, || panic!("on purpose")), 1);
        assert_eq!(caught(), before + 1);
    }
}
