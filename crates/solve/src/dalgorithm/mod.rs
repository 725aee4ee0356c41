//! The D-algorithm for software (Zhang, Gupta, Halfond, section IV): a mutant in, arguments with which it ends differently, the proof that nothing excites it, or
//! why that is not known, out.
//!
//! Data path: [`flow`] (regions) -> [`names`] (chains from definitions to uses) -> [`board`] (what is assumed) with [`imply`] and [`demand`] (what follows) ->
//! [`effect`] (excitation, propagation) and [`justify`] -> `search` (decisions, taken back on conflicts), told in [`steps`]. It knows no tests and no JVM.
//! Invariants: a test was run by our own rules and ends differently; *equivalent* is said only when, at each copy of the
//! changed statement, the solver finds no values with which its region is left differently: no values at all, or none that agree with what is so in every run
//! that comes to the copy.

mod board;
mod demand;
mod effect;
mod flow;
mod imply;
mod justify;
mod names;
mod search;
mod steps;

pub use search::Limits;
pub use steps::Steps;

use crate::problem::{Problem, Scope, Verdict};
use crate::refusal::Refusal;
use crate::run::is_killed;
use crate::solver::{Solved, Solver};
use crate::units::Parameter;
use board::Board;
use flow::Flow;
use search::{Effort, Found, excite};

/// Solves a mutant.
///
/// # Errors
/// When expressions get too large.
pub fn solve(
    problem: &mut Problem,
    solver: &mut Solver,
    limits: Limits,
    steps: &mut Steps,
) -> Result<Verdict, Refusal> {
    let flow = Flow::of(&problem.graph)?;
    let copies: Vec<usize> = (0..flow.nodes()).filter(|node| is_mutated(problem, *node)).collect();
    let mut effort = Effort { solver, limits, backtracks: 0, unknown: None, steps };
    let mut is_excitable = false;
    for node in copies {
        if effort.is_over() {
            break;
        }
        let mut board = Board::new(problem, &flow, node);
        let condition = effect::ways(&mut board, node)?.any(&mut board);
        if effort.solver.solve(board.pool, &[condition]) == Solved::Unsat {
            continue;
        }
        match search(&mut board, &mut effort, node)? {
            Found::Never => {}
            Found::Nothing => is_excitable = true,
            Found::Model(model) => {
                let arguments = problem.arguments(&model);
                if is_killed(problem, &arguments) {
                    return Ok(Verdict::Test(arguments));
                }
                is_excitable = true;
                effort.unknown = Some("a solution does not end differently when it is run".to_owned());
            }
        }
    }
    if !is_excitable {
        return Ok(Verdict::Equivalent(scope(problem, &flow)));
    }
    let limit = effort.is_over().then(|| format!("{} decisions were taken back", limits.backtracks));
    let why = limit
        .or(effort.unknown)
        .unwrap_or_else(|| "its effect reaches no output within the bounds".to_owned());
    Ok(Verdict::Undecided(why))
}

fn is_mutated(problem: &Problem, node: usize) -> bool {
    let unit = problem.graph.nodes.get(node).and_then(|node| problem.units.units.get(&node.unit));
    unit.is_some_and(|unit| unit.mutant.is_some())
}

/// Searches by a copy of the changed statement, from nothing known.
fn search(board: &mut Board<'_>, effort: &mut Effort<'_>, node: usize) -> Result<Found, Refusal> {
    if imply::begin(board).is_err() {
        return Ok(Found::Never);
    }
    effort.steps.say(format!("excitation at {node}"));
    effort.steps.implied(board, 0);
    excite(board, effort, node)
}

/// Values that are not read within the bounds count for nothing: where something lies beyond, so may what reads them.
fn scope(problem: &Problem, flow: &Flow) -> Scope {
    let has_array = problem.units.parameters.iter().any(|of| matches!(of, Parameter::Array(..)));
    if flow.is_bounded() || has_array { Scope::WithinBounds } else { Scope::Always }
}
