//! What a search knows of goals that runs are measured for: the archive, the algorithm, what is to be measured, and what reached a goal first.
//!
//! It makes no sequences. Invariant: no sequence is given twice.

use crate::algorithm::Algorithm;
use crate::archive::{Archive, News};
use crate::coverage::CoverageGoals;
use crate::individual::Individual;
use crate::mio::Mio;
use crate::mosa::Mosa;
use crate::whole_suite::WholeSuite;
use dynaflow_model::sequence::Sequence;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

/// Which algorithm proposes what is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithms {
    /// Many independent objectives.
    #[default]
    Mio,
    /// Many-objective sorting.
    Mosa,
    /// The same with the goals in reach alone.
    DynaMosa,
    /// Suites compete as wholes.
    WholeSuite,
}

impl Algorithms {
    fn start(self) -> Box<dyn Algorithm> {
        match self {
            Self::Mio => Box::new(Mio::default()),
            Self::Mosa => Box::new(Mosa::new(false)),
            Self::DynaMosa => Box::new(Mosa::new(true)),
            Self::WholeSuite => Box::new(WholeSuite::default()),
        }
    }
}

/// What guides a search.
#[derive(Debug)]
pub(crate) struct Guidance {
    pub(crate) archive: Archive,
    pub(crate) algorithm: Box<dyn Algorithm>,
    /// Known sequences whose distances were not asked for.
    pub(crate) unmeasured: VecDeque<Arc<Sequence>>,
    /// Sequences that reached something new.
    pub(crate) reached: VecDeque<Sequence>,
    /// Hashes of what was given.
    pub(crate) given: FxHashSet<u64>,
}

impl Guidance {
    /// Guidance towards these goals, from these sequences on.
    pub(crate) fn new(algorithm: Algorithms, goals: CoverageGoals, known: &[Arc<Sequence>]) -> Self {
        Self {
            archive: Archive::new(goals),
            algorithm: algorithm.start(),
            unmeasured: known.iter().cloned().collect(),
            reached: VecDeque::new(),
            given: FxHashSet::default(),
        }
    }

    /// Whether it may lead anywhere.
    pub(crate) fn may_lead(&self) -> bool {
        self.archive.open() > 0 || !self.unmeasured.is_empty()
    }

    /// Takes in what was measured.
    pub(crate) fn take(&mut self, individual: Individual) -> News {
        let news = self.archive.take(&individual);
        self.algorithm.take(&Rc::new(individual), &self.archive);
        news
    }

    /// Another sequence is known.
    pub(crate) fn add(&mut self, sequence: &Arc<Sequence>) {
        self.unmeasured.push_back(Arc::clone(sequence));
    }
}
