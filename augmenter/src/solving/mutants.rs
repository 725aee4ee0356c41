//! The deterministic pass: for mutants that are alive, arguments by the D-algorithm, and by the query about the whole method where it does not decide. Knows no JVM.
//!
//! Invariant: what a mutant came to is the solver's word or a run by our own rules; whether a test notices it is decided elsewhere, in a JVM.

use super::methods::Methods;
use dynaflow_classfile::ClassFile;
use dynaflow_mutants::Mutant;
use dynaflow_solve::dalgorithm::{self, Limits, Steps};
use dynaflow_solve::{Argument, Bounds, Problem, Refusal, Scope, Solver, Verdict, run, whole};
use std::collections::BTreeMap;

/// Who decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum By {
    /// The D-algorithm.
    DAlgorithm,
    /// The query about the whole method.
    Whole,
}

/// What is known of a mutant that no test notices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Known {
    /// It behaves as the original, for these inputs.
    Equivalent(By, Scope),
    /// It is not known whether it does, and why.
    Undecided(String),
    /// It cannot be analysed, and why.
    Refused(String),
    /// A test should notice it, and did not when it ran.
    Expected(By),
}

/// A test that was found.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The place of the method.
    pub method: usize,
    /// The arguments.
    pub arguments: Vec<Argument>,
}

/// The pass.
pub struct Deterministic<'a> {
    class: ClassFile<'a>,
    solver: Solver,
    limits: Limits,
    with_whole: bool,
    /// By mutant, what is known of it.
    pub known: BTreeMap<u32, Known>,
    problems: BTreeMap<u32, Result<Box<Problem>, Refusal>>,
}

impl<'a> Deterministic<'a> {
    /// For the mutants of a class.
    pub fn new(class: ClassFile<'a>, solver: Solver, limits: Limits, with_whole: bool) -> Self {
        Self { class, solver, limits, with_whole, known: BTreeMap::new(), problems: BTreeMap::new() }
    }

    /// How many queries were sent to the solver.
    pub fn asked(&self) -> usize {
        self.solver.asked()
    }

    /// Solutions for the mutants of which nothing is known yet. What a solution is seen to notice by our own rules is not solved: if no test notices it
    /// after all, it is still unknown. No mutant is begun once `queries` were sent to the solver.
    pub fn solve(
        &mut self,
        methods: &Methods,
        alive: &BTreeMap<u32, &Mutant>,
        queries: usize,
        progress: &dyn Fn(usize),
        is_stopped: &dyn Fn() -> bool,
    ) -> Vec<Solution> {
        let mut found: Vec<Solution> = vec![];
        for (done, (number, mutant)) in alive.iter().enumerate() {
            progress(done);
            if is_stopped() || self.asked() >= queries {
                break;
            }
            if self.known.contains_key(number) {
                continue;
            }
            let Some(method) = methods.place(&mutant.method, &mutant.descriptor) else {
                let why = methods.refusal(&mutant.method, &mutant.descriptor);
                self.known.insert(*number, Known::Refused(why));
                continue;
            };
            let problem = self.problems.entry(*number);
            let problem = problem
                .or_insert_with(|| Problem::of_mutant(&self.class, mutant, Bounds::default()).map(Box::new));
            let problem = match problem {
                Ok(problem) => problem,
                Err(refusal) => {
                    self.known.insert(*number, Known::Refused(refusal.to_string()));
                    continue;
                }
            };
            let mut own = found.iter().filter(|solution| solution.method == method);
            if own.any(|solution| run::is_killed(problem, &solution.arguments)) {
                continue;
            }
            let (known, arguments) = decide(problem, &mut self.solver, self.limits, self.with_whole);
            self.known.insert(*number, known);
            found.extend(arguments.map(|arguments| Solution { method, arguments }));
        }
        found
    }
}

/// What a mutant comes to, and arguments to try.
fn decide(
    problem: &mut Problem,
    solver: &mut Solver,
    limits: Limits,
    with_whole: bool,
) -> (Known, Option<Vec<Argument>>) {
    let known = |verdict, by| match verdict {
        Ok(Verdict::Test(arguments) | Verdict::RunsOn(arguments)) => (Known::Expected(by), Some(arguments)),
        Ok(Verdict::Equivalent(scope)) => (Known::Equivalent(by, scope), None),
        Ok(Verdict::Undecided(why)) => (Known::Undecided(why), None),
        Err(Refusal(why)) => (Known::Refused(why), None),
    };
    let first = dalgorithm::solve(problem, solver, limits, &mut Steps::default());
    match known(first, By::DAlgorithm) {
        (Known::Undecided(_), _) if with_whole => known(whole::solve(problem, solver), By::Whole),
        decided => decided,
    }
}
