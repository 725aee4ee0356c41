//! What a test is kept for, and the lines of its comment by which a later run knows it again.
//!
//! In: what an exception says of the program, or a line of a comment. Out: a merit. Knows nothing of how either came about. Invariant: the
//! failure, or the refusal, that a comment names is the one that its test was kept for.

use dynaflow_model::pair_key::PairKey;
use dynaflow_objectives::SiteKey;

/// What an exception says of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// The program refuses on purpose: no finding.
    Refusal,
    /// It may have a fault; what the test passed may be to blame.
    Suspicious,
    /// It has a fault.
    Fault,
}

/// What a test is kept for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Merit {
    /// A failure that it reveals.
    Failure(String),
    /// A refusal that it shows.
    Refusal(String),
    /// A definition and a use that it executes, whatever the root and the contexts.
    Site(SiteKey),
    /// A mutant that its assertions or its end notice, and the seeds do not, by its number.
    Mutant(u32),
    /// A goal of coverage that it reaches, by its number.
    Goal(u32),
    /// A pair that it executes.
    Pair(PairKey),
    /// That it is there.
    Test(usize),
}

impl Merit {
    /// What a test is kept for that ends with an exception of this key.
    pub fn of(verdict: Verdict, key: &str) -> Self {
        match verdict {
            Verdict::Refusal => Self::Refusal(key.to_owned()),
            Verdict::Suspicious | Verdict::Fault => Self::Failure(key.to_owned()),
        }
    }
}

/// How the comments of tests begin that show a refusal, reveal what may be a fault, or a fault.
pub const MARKS: [(Verdict, &str); 3] =
    [(Verdict::Refusal, "refuses: "), (Verdict::Suspicious, "suspicious: "), (Verdict::Fault, "fault: ")];

/// How the comment of a test begins that notices a mutant which the seeds leave alive.
pub const NOTICES: &str = "notices: ";

/// How the comment of a test begins that reaches a goal of coverage which the seeds do not reach.
pub const REACHES: &str = "reaches: ";

/// What stands between a failure or a mutant and what else a comment says of it.
pub const BESIDE: &str = "; ";

/// The failure or the refusal that a line of a comment names.
pub fn noted(comment: &str) -> Option<Merit> {
    let (verdict, rest) =
        MARKS.iter().find_map(|(verdict, mark)| Some((*verdict, comment.strip_prefix(mark)?)))?;
    Some(Merit::of(verdict, rest.split(BESIDE).next()?))
}

/// Whether a line of a comment says what its test alone may show, whatever pairs others cover: a failure, a refusal, a mutant, a goal.
pub fn pins(comment: &str) -> bool {
    noted(comment).is_some() || comment.starts_with(NOTICES) || comment.starts_with(REACHES)
}
