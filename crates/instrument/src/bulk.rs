//! The JDK calls that read and write array elements in bulk: which they are, and which argument is which.
//!
//! It knows names, not bytes. Invariant: a call listed here has its sites in the order of [`Bulk::sites`], which the
//! recorder counts on.

use dynaflow_classfile::Opcode;
use dynaflow_classfile::descriptor::{self, Kind};
use dynaflow_classfile::pool::MemberText;
use dynaflow_model::sites::{Access, SiteKind, ValueKind};

/// A bulk operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bulk {
    /// `System.arraycopy(from, index, to, index, count)`.
    Arraycopy,
    /// `array.clone()`.
    Clone,
    /// `Arrays.copyOf(array, length, ...)`.
    CopyOf,
    /// `Arrays.copyOfRange(array, from, to, ...)`.
    CopyOfRange,
    /// `Arrays.fill(array, value)`.
    Fill,
    /// `Arrays.fill(array, from, to, value)`.
    FillRange,
    /// `Arrays.setAll(array, generator)`.
    SetAll,
    /// `Arrays.sort(array, ...)` and its like: the elements change places.
    Sort,
    /// `Arrays.sort(array, from, to, ...)`.
    SortRange,
}

impl Bulk {
    /// The operation a call performs.
    pub fn of(opcode: Opcode, member: &MemberText<'_>) -> Option<Self> {
        match (opcode, member.owner.0, member.name.0) {
            (Opcode::Invokestatic, b"java/lang/System", b"arraycopy") => Some(Self::Arraycopy),
            (Opcode::Invokevirtual, [b'[', ..], b"clone") => Some(Self::Clone),
            (Opcode::Invokestatic, b"java/util/Arrays", b"copyOf") => Some(Self::CopyOf),
            (Opcode::Invokestatic, b"java/util/Arrays", b"copyOfRange") => Some(Self::CopyOfRange),
            (Opcode::Invokestatic, b"java/util/Arrays", b"fill") => {
                let ranged = descriptor::parameters(member.descriptor.0).count() == 4;
                Some(if ranged { Self::FillRange } else { Self::Fill })
            }
            (Opcode::Invokestatic, b"java/util/Arrays", b"setAll" | b"parallelSetAll") => Some(Self::SetAll),
            (Opcode::Invokestatic, b"java/util/Arrays", b"sort" | b"parallelSort" | b"parallelPrefix") => {
                let ranged = descriptor::parameters(member.descriptor.0).nth(1) == Some(Kind::Int);
                Some(if ranged { Self::SortRange } else { Self::Sort })
            }
            _ => None,
        }
    }

    /// Its sites. The call of the recorder at the first one records all of them.
    pub fn sites(self) -> &'static [SiteKind] {
        const SITES: [SiteKind; 3] = [
            SiteKind::Element { access: Access::Read, value: ValueKind::Leaf },
            SiteKind::Element { access: Access::Write, value: ValueKind::Leaf },
            SiteKind::Element { access: Access::Write, value: ValueKind::Reference },
        ];
        let fills = matches!(self, Self::Fill | Self::FillRange | Self::SetAll);
        SITES.get(usize::from(fills)..).unwrap_or_default()
    }
}
