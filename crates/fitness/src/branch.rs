//! What a branch is and where it stands. It knows no distances.

use crate::mutation::Mutation;

/// What decides a branch, or what is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A conditional jump. It has two outcomes: the jump is taken, or execution goes on behind it.
    Jump,
    /// A key of a switch: the value is that key, or it is not.
    Case,
    /// A method without a branch is entered: it has this one outcome.
    Entry,
    /// A line begins: it has this one outcome.
    Line,
    /// A mutant would make the state differ behind its instruction (weak mutation): it has this one outcome.
    Mutant(Mutation),
    /// A definition that has def-use pairs is executed. No goal of its own: pairs depend on it.
    Definition,
    /// A def-use pair is covered: it has this one outcome. The number is its position among the pairs of the class.
    Pair(u32),
}

/// A def-use pair of a class.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The id that `dynaflow dua` gives it: 16 hexadecimal digits.
    pub id: String,
    /// Which kind it is of.
    pub kind: dynaflow_flowgraph::dua::Kind,
    /// The variable in words.
    pub variable: String,
    /// Name and descriptor of the method that defines, and the line, 0 when it is not known.
    pub definition: (String, u16),
    /// Whether it is about a static field or a field of an object, whichever invocation wrote it; else it is about a variable of one invocation.
    pub is_of_object: bool,
    /// Whether the entry of the method defines: the variable is a parameter, or what one leads to.
    pub is_at_entry: bool,
    /// The same of what uses.
    pub usage: (String, u16),
}

/// Which goals have probes besides outcomes of branches, and that methods without one are entered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Lines.
    pub lines: bool,
    /// Branches of public methods once more, for the calls that a test makes itself.
    pub direct: bool,
    /// Mutants that are killed weakly.
    pub mutants: bool,
    /// Static def-use pairs.
    pub pairs: bool,
}

impl Wanted {
    /// Nothing besides.
    pub const BRANCHES: Self = Self { lines: false, direct: false, mutants: false, pairs: false };
    /// Everything.
    pub const ALL: Self = Self { lines: true, direct: true, mutants: true, pairs: true };
}

/// A branch of a class, or a place that is reached or not.
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
    /// Whether its method is public.
    pub is_public: bool,
    /// Whether it counts only while a test calls its method itself; each of these has a branch of the same place that counts always.
    pub is_direct: bool,
    /// Whether it stands for others of its kind, which are reached whenever it is: the last line of a long basic block, a mutant or a
    /// def-use pair that subsumes others (smart selection).
    pub represents: bool,
}

impl Branch {
    /// The outcomes that are worth reaching, by the branch's number: both of a jump; that a switch has a key, and not that it has not; that a place is reached; of a definition none.
    pub fn outcomes(&self, number: u32) -> impl Iterator<Item = u32> + use<> {
        let most = match self.kind {
            Kind::Jump => 2,
            Kind::Definition => 0,
            Kind::Case | Kind::Entry | Kind::Line | Kind::Mutant(_) | Kind::Pair(_) => 1,
        };
        (0..most).map(move |outcome| 2 * number + outcome)
    }
}
