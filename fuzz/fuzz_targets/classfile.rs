//! Any bytes into the class-file reader, see `dynaflow_tests::class_checks::reader`.
#![no_main]

/// Far more than inputs of some kilobytes may cost: what asks for more ends the process, and libFuzzer keeps the input.
#[global_allocator]
static ALLOCATOR: cap::Cap<std::alloc::System> = cap::Cap::new(std::alloc::System, 64 << 20);

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dynaflow_tests::class_checks::reader(bytes));
