//! What the search reads in class files: constants to pass, names and type parameters to write, classes that make objects, and which of these a test can name.
//!
//! In: class files of program, libraries and JDK. Out: values, declarations, names of classes. Knows nothing of tests or JVMs. Invariant: the same class files
//! give the same answers; what cannot be read of one class is left out.

pub mod constants;
pub mod declared;
pub mod makers;
pub mod open;
