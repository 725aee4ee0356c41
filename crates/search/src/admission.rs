//! Whether a sequence may be run: well typed, nothing that ended a JVM or did not end before, nothing that javac would refuse.
//!
//! It does not know whether a sequence was given before. Invariant: what seeds do with type arguments, others may do.

use crate::check::check;
use crate::deadly::Deadly;
use crate::stalls::Stalls;
use crate::types::Types;
use crate::typing::clashes;
use dynaflow_model::outcome::Outcome;
use dynaflow_model::sequence::Sequence;
use dynaflow_model::sites::MethodRef;
use std::collections::BTreeSet;

/// What is known of sequences that may not be run.
#[derive(Debug, Default)]
pub(crate) struct Admission {
    /// Methods that seeds call with what the type arguments do not allow, as far as these are understood.
    excused: BTreeSet<MethodRef>,
    costly: Costly,
}

/// What cost a JVM, or all the time that a sequence has.
#[derive(Debug, Default)]
pub struct Costly {
    deadly: Deadly,
    stalls: Stalls,
}

impl Admission {
    /// What a seed does may be done.
    pub(crate) fn excuse(&mut self, seed: &Sequence, types: &Types) {
        self.excused.extend(clashes(seed, types).into_iter().cloned());
    }

    /// A sequence ran, and may have ended its JVM, or not ended in time.
    pub(crate) fn ran(&mut self, sequence: &Sequence, outcome: &Outcome) {
        self.costly.stalls.learn(sequence, outcome.stalled);
        if outcome.is_dear() {
            self.costly.deadly.learn(sequence);
        }
    }

    /// What is known to be costly, for another search.
    pub(crate) fn costly(&mut self) -> &mut Costly {
        &mut self.costly
    }

    /// Whether it does what ended a JVM before, or did not end in time.
    pub(crate) fn is_costly(&self, sequence: &Sequence) -> bool {
        self.costly.deadly.is_in(sequence) || self.costly.stalls.rests_in(sequence)
    }

    /// Whether it may be run, and javac takes it, as far as that is known.
    pub(crate) fn admits(&self, sequence: &Sequence, types: &Types) -> bool {
        check(sequence, types).is_ok()
            && !self.is_costly(sequence)
            && clashes(sequence, types).into_iter().all(|method| self.excused.contains(method))
    }
}
