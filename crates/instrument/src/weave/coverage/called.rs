//! The methods of the class of the boot loader that collects covered bits. It knows their names and descriptors, not what they
//! do.
//!
//! Invariant: this list and the Java source of the class agree; a class that calls one it lacks fails to link, which the
//! corpus tests would show.

use super::super::called::called;

/// Internal name of the class.
pub const COVERAGE: &str = "java/lang/DynaflowCoverage";

called! {
    /// A method that collects covered bits.
    pub enum Call of COVERAGE;
    /// A frame ends: slot, covered bits.
    Cover "cover" "(IJ)V" 3;
    /// A frame begins that keeps an array: first slot of the method.
    Begin "begin" "(I)[J" 1;
    /// It makes changes: array, row.
    Step "step" "([JI)V" 2;
    /// It ends: array, row of the changes to be made before, 0 for none.
    End "end" "([JI)V" 2;
}
