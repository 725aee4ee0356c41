//! The wall between our panics and whoever called us: a panic is caught and becomes a text. It does not know what the
//! callbacks do. Invariant: no unwinding leaves this module.

use crate::fault::{Point, point};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `body` at one of our entries; a panic gives its text.
pub fn catch<T>(at: Point, body: impl FnOnce() -> T) -> Result<T, String> {
    let guarded = || {
        point(at);
        body()
    };
    catch_unwind(AssertUnwindSafe(guarded)).map_err(|cause| {
        let text = cause.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| cause.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no text".to_owned())
    })
}

/// One line for the user, on the standard error stream, written at once so that what other threads write there does not get
/// between its words; a closed stream is no trouble.
pub fn say(text: &str) {
    use std::io::Write as _;
    let _ = std::io::stderr().write_all(format!("dynaflow: {text}\n").as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_text() {
        assert_eq!(catch(Point::Get, || 2), Ok(2));
        assert_eq!(catch(Point::Get, || -> u8 { panic!("why {}", 3) }), Err("why 3".to_owned()));
    }
}
