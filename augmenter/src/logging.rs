//! Logs for whoever looks for trouble: quiet by default. Knows nothing of messages to users, see [`crate::output`].
//!
//! Invariant: logs go to standard error only.

use std::io::IsTerminal;
use std::time::Instant;
use tracing_subscriber::EnvFilter;

/// The environment variable that chooses logs more finely than `-v`, such as `dynaflow_augmenter=debug`.
pub const VARIABLE: &str = "DYNAFLOW_LOG";

/// Whether logs are coloured: on a terminal, unless the environment asks not to (<https://no-color.org>).
fn colours() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Starts logging: warnings, with `-v` what is being done, with `-vv` every step.
pub fn init(verbose: u8) {
    let level = match verbose {
        0 => "warn",
        1 => "info",
        _ => "debug",
    };
    let filter = EnvFilter::try_from_env(VARIABLE).unwrap_or_else(|_| EnvFilter::new(level));
    let logs =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(colours());
    // A second start within one process (tests of the library) changes nothing.
    logs.without_time().with_target(false).try_init().ok();
}

/// Does a step of the work on a class; the log says how long it took.
pub fn timed<T>(class: &str, step: &str, work: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let done = work();
    tracing::debug!(class, step, seconds = started.elapsed().as_secs_f64(), "timed");
    done
}
