//! Any bytes into the analysis of associations and the plan to record them, see `dynaflow_tests::dua_checks::analysis`.
#![no_main]

/// Far more than inputs of some kilobytes may cost: what asks for more ends the process, and libFuzzer keeps the input.
#[global_allocator]
static ALLOCATOR: cap::Cap<std::alloc::System> = cap::Cap::new(std::alloc::System, 64 << 20);

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dynaflow_tests::dua_checks::analysis(bytes));
