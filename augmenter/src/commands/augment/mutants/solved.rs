//! Mutants of static methods over numbers that nothing notices: a solver is asked for arguments with which they show.
//!
//! In: the class file and mutants that are alive. Out: calls. Knows nothing of JVMs: whether a call notices what it was made for is seen when it runs. Invariant:
//! queries are counted, not timed, so that the same mutants give the same calls.

use crate::solving::methods::{Methods, call};
use crate::solving::mutants::{Deterministic, Known};
use anyhow::{Context, Result};
use dynaflow_classfile::ClassFile;
use dynaflow_model::sequence::Sequence;
use dynaflow_mutants::Mutant;
use dynaflow_search::Types;
use dynaflow_solve::dalgorithm::Limits;
use dynaflow_solve::{Config, Solver};
use std::collections::BTreeMap;

/// Most queries for a class.
const QUERIES: usize = 400;

/// What came of the solver's calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Solved {
    /// Mutants that these calls notice and nothing else does.
    pub noticed: usize,
    /// Mutants that no arguments show, as the solver says.
    pub equivalent: usize,
    /// Mutants that were not decided, or that the solver's calls do not notice.
    pub open: usize,
}

impl Solved {
    /// What there is to say of it; nothing where no mutant was given to the solver.
    pub fn text(self) -> Option<String> {
        let Self { noticed, equivalent, open } = self;
        (noticed + equivalent + open > 0).then(|| {
            format!("arguments from the solver notice {noticed} mutants that nothing else did; {equivalent} have no such arguments, it says; {open} stay open")
        })
    }
}

/// What asks the solver about the mutants of a class.
pub struct Solving<'a> {
    methods: Methods,
    pass: Deterministic<'a>,
    is_over: &'a dyn Fn() -> bool,
}

impl<'a> Solving<'a> {
    /// For the class of these bytes; none when it has no static method over numbers that a test can call.
    ///
    /// # Errors
    /// When the bytes are no class file.
    pub fn new(
        (class, bytes): (&str, &'a [u8]),
        types: &Types,
        config: &Config,
        is_over: &'a dyn Fn() -> bool,
    ) -> Result<Option<Self>> {
        let methods = Methods::of(class, types);
        if methods.callable.is_empty() {
            return Ok(None);
        }
        let file = ClassFile::parse(bytes).with_context(|| format!("cannot read {class}"))?;
        let pass = Deterministic::new(file, Solver::new(Some(config.clone())), Limits::default(), true);
        Ok(Some(Self { methods, pass, is_over }))
    }

    /// Whether the mutant is in a method that can be called.
    pub fn can(&self, mutant: &Mutant) -> bool {
        self.methods.place(&mutant.method, &mutant.descriptor).is_some()
    }

    /// Calls with which mutants should show.
    pub fn calls(&mut self, alive: &BTreeMap<u32, &Mutant>) -> Vec<Sequence> {
        let found = self.pass.solve(&self.methods, alive, QUERIES, &|_| {}, self.is_over);
        let methods = &self.methods.callable;
        let calls = found
            .iter()
            .filter_map(|solution| Some(call(methods.get(solution.method)?, &solution.arguments).0));
        calls.collect()
    }

    /// What came of so many mutants, of which so many were noticed.
    pub fn figures(&self, asked: usize, noticed: usize) -> Solved {
        let is_equivalent = |known: &&Known| matches!(known, Known::Equivalent(..));
        let equivalent = self.pass.known.values().filter(is_equivalent).count();
        Solved { noticed, equivalent, open: asked.saturating_sub(noticed + equivalent) }
    }
}
