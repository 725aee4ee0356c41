//! What analyses ask about methods of other classes. Knows nothing of who answers. Invariant: what is not known may change its object.

use dynaflow_classfile::pool::MemberText;

/// What is known of the methods of other classes.
pub trait Callees: Sync {
    /// Whether a method may change the object it is called on. What is not known may.
    fn modifies(&self, method: &MemberText<'_>) -> bool;
}

/// Knows nothing: every method may change its object.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unknown;

impl Callees for Unknown {
    fn modifies(&self, _: &MemberText<'_>) -> bool {
        true
    }
}
