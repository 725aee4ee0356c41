//! What a branch is and where it stands. It knows no distances.

/// What decides a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A conditional jump. It has two outcomes: the jump is taken, or execution goes on behind it.
    Jump,
    /// A key of a switch: the value is that key, or it is not.
    Case,
}

/// A branch of a class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Branch {
    /// Name and descriptor of its method.
    pub method: String,
    /// Offset of its instruction in the method's code.
    pub offset: u32,
    /// Its line, 0 when it is not known.
    pub line: u16,
    /// What decides it.
    pub kind: Kind,
}

impl Branch {
    /// The outcomes that are worth reaching, by the branch's number: both of a jump; that a switch has a key, and not that it has not.
    pub fn outcomes(&self, number: u32) -> impl Iterator<Item = u32> + use<> {
        let most = if self.kind == Kind::Jump { 2 } else { 1 };
        (0..most).map(move |outcome| 2 * number + outcome)
    }
}
