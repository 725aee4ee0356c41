//! What several tests and the fuzz targets share: the invariants that hold whatever bytes come in, bytes changed at random
//! from a seed, classes made at random and traced; and whether long runs are asked for. It knows nothing of files, of libFuzzer
//! or of JVMs.
//!
//! Invariant: every check is a function of the bytes alone, and what it finds wrong it says by a panic.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "checks for tests: a panic is how they say that something is wrong"
)]

pub mod class_checks;
pub mod dua_checks;
pub mod frames;
pub mod mutate;
pub mod random;
pub mod raw;
pub mod trace_checks;
pub mod tracer;
pub mod updates;

/// Whether the long runs are asked for: `DYNAFLOW_SLOW_TESTS=1`.
pub fn slow() -> bool {
    std::env::var_os("DYNAFLOW_SLOW_TESTS").is_some_and(|value| value == "1")
}
