//! What is kept from one step to the next: pairs and goals that are covered, reasons to keep a test, what was lost, and what there is to say of a class.
//!
//! In: recordings, and what each step adds. Out: sets, counts and lines. Knows nothing of the steps. Invariant: what is here needs no JVM and
//! no file, so that every step may use it.

pub mod coverage;
pub mod effects;
pub mod figures;
pub mod known;
pub mod losses;
pub mod merit;
pub mod obstacles;
pub mod reasons;
pub mod remarks;
pub mod roots;
pub mod seed_classes;
pub mod sites;
pub mod worthless;
