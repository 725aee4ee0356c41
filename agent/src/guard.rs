//! The wall between our panics and the JVM: a panic in a callback is caught, counted, said once, and the callback does
//! nothing. It does not know what the callbacks do. Invariant: no unwinding leaves this module.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

/// How many panics were caught.
static CAUGHT: AtomicU32 = AtomicU32::new(0);

/// Runs `body`; a panic gives `otherwise`, and the first one a line on the standard error stream.
pub fn guard<T>(what: &str, otherwise: T, body: impl FnOnce() -> T) -> T {
    catch(body).unwrap_or_else(|text| {
        if CAUGHT.fetch_add(1, Ordering::Relaxed) == 0 {
            say(&format!("internal error in {what}: {text}; the program goes on, this is not recorded"));
        }
        otherwise
    })
}

/// Runs `body`; a panic gives its text.
pub fn catch<T>(body: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|cause| {
        let text = cause.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| cause.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no text".to_owned())
    })
}

/// How many panics [`guard`] caught so far.
pub fn caught() -> u32 {
    CAUGHT.load(Ordering::Relaxed)
}

/// One line for the user, on the standard error stream; a closed stream is no trouble.
pub fn say(text: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "dynaflow: {text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_the_other_value_and_is_counted() {
        assert_eq!(guard("a test", 1, || 2), 2);
        let before = caught();
        assert_eq!(guard("a test", 1, || panic!("on purpose")), 1);
        assert_eq!(caught(), before + 1);
        assert_eq!(catch(|| -> u8 { panic!("why {}", 3) }), Err("why 3".to_owned()));
    }
}
