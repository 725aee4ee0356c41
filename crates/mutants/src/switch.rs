//! What woven code asks or calls at run time, by name. It knows nothing of what is woven.
//!
//! Invariant: the class needs no other class, so that the boot loader can have it.

/// Internal name of the class that woven code asks which mutant is active. Every class loader must find it.
pub const SWITCH_CLASS: &str = "io/dynaflow/mutants/Switch";

/// Its static field, an `int`: the number of the active mutant, 0 for none.
pub const SWITCH_FIELD: &str = "active";

/// Its static method that probed code calls with the number of a mutant whose instruction is about to run: name and descriptor.
pub const PROBE: (&str, &str) = ("reached", "(I)V");
