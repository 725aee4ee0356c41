//! What an algorithm of the search is: measured individuals in, sequences to be measured out.
//!
//! It knows no algorithm. Invariant: what an algorithm proposes depends on what it took in, in order, and on the random numbers of the breeder.

use crate::archive::Archive;
use crate::breeder::Breeder;
use crate::individual::Individual;
use dynaflow_model::sequence::Sequence;
use std::fmt::Debug;
use std::rc::Rc;

/// An algorithm of the search.
pub(crate) trait Algorithm: Debug {
    /// Takes in an individual, which the archive has taken in before.
    fn take(&mut self, individual: &Rc<Individual>, archive: &Archive);

    /// Sequences that are to be measured, at most `n`, each admitted by the breeder; they are measured before it is asked again. None when nothing
    /// comes to its mind.
    fn propose(&mut self, n: usize, archive: &Archive, breeder: &mut Breeder) -> Vec<Sequence>;
}
