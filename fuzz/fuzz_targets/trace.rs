//! Any bytes into the trace reader, as they are and with checksums that match, see `dynaflow_tests::trace_checks`.
#![no_main]

/// Far more than inputs of some kilobytes may cost: what asks for more ends the process, and libFuzzer keeps the input.
#[global_allocator]
static ALLOCATOR: cap::Cap<std::alloc::System> = cap::Cap::new(std::alloc::System, 64 << 20);

use std::sync::LazyLock;

/// The files of one process; libFuzzer leaves without dropping it, so that scripts/fuzz removes its parent.
static SCRATCH: LazyLock<tempfile::TempDir> =
    LazyLock::new(|| tempfile::tempdir().expect("a temporary folder"));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dynaflow_tests::trace_checks::reader(bytes, SCRATCH.path()));
