//! Both versions of the whole method as one query: the baseline approach of the paper (section VI). Knows nothing of the D-algorithm.
//!
//! Invariant: within the bounds it is complete; a test it gives is a solution of the query.

use crate::problem::{self, Problem, Scope, Verdict};
use crate::refusal::Refusal;
use crate::solver::{Solved, Solver};
use crate::state::Env;
use crate::units::Version;
use crate::walk::{Region, walk};

/// Solves a mutant by symbolic execution of the whole method.
///
/// # Errors
/// When expressions get too large.
pub fn solve(problem: &mut Problem, solver: &mut Solver) -> Result<Verdict, Refusal> {
    let all = Region { from: 0, to: None };
    let mut run = |version| {
        let Problem { pool, units, graph, .. } = &mut *problem;
        walk(pool, units, graph, version, all, &Env::new())
    };
    let (original, mutant) = (run(Version::Original)?, run(Version::Mutant)?);
    let differ = problem::differ(&mut problem.pool, &mut problem.units, &original, &mutant);
    let mut conditions = problem.domain.clone();
    conditions.push(differ);
    match solver.solve(&problem.pool, &conditions) {
        Solved::Sat(model) => return Ok(Verdict::Test(problem.arguments(&model))),
        Solved::Unknown(why) => return Ok(Verdict::Undecided(why)),
        Solved::Unsat => {}
    }
    let scope = problem.scope(&[&original, &mutant]);
    if scope == Scope::WithinBounds {
        let ends = problem.pool.not(original.beyond);
        let mut conditions = problem.domain.clone();
        conditions.extend([ends, mutant.beyond]);
        if let Solved::Sat(model) = solver.solve(&problem.pool, &conditions) {
            return Ok(Verdict::RunsOn(problem.arguments(&model)));
        }
    }
    Ok(Verdict::Equivalent(scope))
}
