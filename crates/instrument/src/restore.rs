//! The JDK calls that read objects from a stream: which they are and what they leave where.
//!
//! It knows names, not bytes. Invariant: a call by such a name on a class of the program counts as well; the recorder checks whether
//! the object called is a stream.

use dynaflow_classfile::pool::MemberText;
use dynaflow_model::sites::CallKind;

/// A call that reads objects from a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Restore {
    /// The objects are in the stream's table.
    Objects,
    /// The object that the call returns is not in that table.
    Unshared,
    /// Besides, fields of the object that is being read are set.
    Current,
}

impl Restore {
    /// What a call is.
    pub fn of(kind: CallKind, member: &MemberText<'_>) -> Option<Self> {
        let owner = member.owner.0;
        let streams = [&b"java/io/ObjectInputStream"[..], b"java/io/ObjectInput"];
        let foreign = owner.starts_with(b"java/") || owner.starts_with(b"[");
        let on_object = matches!(kind, CallKind::Virtual | CallKind::Interface | CallKind::Special);
        if !on_object || foreign && !streams.contains(&owner) { None } else { Self::named(member) }
    }

    /// What a call is that is known to be one.
    pub fn named(member: &MemberText<'_>) -> Option<Self> {
        match (member.name.0, member.descriptor.0) {
            (b"readObject", b"()Ljava/lang/Object;") => Some(Self::Objects),
            (b"readFields", b"()Ljava/io/ObjectInputStream$GetField;") => Some(Self::Objects),
            (b"readUnshared", b"()Ljava/lang/Object;") => Some(Self::Unshared),
            (b"defaultReadObject", b"()V") => Some(Self::Current),
            _ => None,
        }
    }
}
