//! The D-algorithm for software (Zhang, Gupta, Halfond, section IV): a mutant in, arguments with which it ends differently, the proof that nothing excites it, or
//! why that is not known, out.
//!
//! Data path: [`flow`] (regions) -> [`names`] (chains from definitions to uses) -> [`board`] (what is assumed) with [`imply`] and [`demand`] (what follows) ->
//! [`effect`] (excitation, propagation) and [`justify`] -> [`search`] (decisions, taken back on conflicts), told in [`steps`]. It knows no tests and no JVM.
//! Invariants: a test was run by our own rules and ends differently; *equivalent* is said only when the solver finds no values whatsoever, reachable or
//! not, with which some copy of the changed region behaves differently.

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

/// What the local query at a copy of the changed statement said.
enum Local {
    Excitable,
    Never,
    Unknown(String),
}

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
        match local(&mut board, effort.solver, node)? {
            Local::Excitable => is_excitable = true,
            Local::Never => continue,
            Local::Unknown(why) => {
                is_excitable = true;
                effort.unknown = Some(why);
                continue;
            }
        }
        if imply::begin(&mut board).is_err() {
            continue;
        }
        effort.steps.say(format!("excitation at {node}"));
        effort.steps.implied(&board, 0);
        if let Found::Model(model) = excite(&mut board, &mut effort, node)? {
            let arguments = problem.arguments(&model);
            if is_killed(problem, &arguments) {
                return Ok(Verdict::Test(arguments));
            }
            effort.unknown = Some("a solution does not end differently when it is run".to_owned());
        }
    }
    if !is_excitable {
        return Ok(Verdict::Equivalent(scope(problem, &flow)));
    }
    let limit = effort.is_over().then(|| format!("{} decisions were taken back", limits.backtracks));
    let why = limit.or(effort.unknown).unwrap_or_else(|| "its effect reaches no output within the bounds".to_owned());
    Ok(Verdict::Undecided(why))
}

fn is_mutated(problem: &Problem, node: usize) -> bool {
    let unit = problem.graph.nodes.get(node).and_then(|node| problem.units.units.get(&node.unit));
    unit.is_some_and(|unit| unit.mutant.is_some())
}

/// Whether any values at all, reachable or not, make the versions leave the region of a copy differently, or one of them alone go beyond the bounds.
fn local(board: &mut Board<'_>, solver: &mut Solver, node: usize) -> Result<Local, Refusal> {
    let ways = effect::ways(board, node)?;
    let mut some = ways.runs_on;
    for way in ways.differ {
        some = board.pool.or(some, way.condition);
    }
    Ok(match solver.solve(board.pool, &[some]) {
        Solved::Sat(_) => Local::Excitable,
        Solved::Unsat => Local::Never,
        Solved::Unknown(why) => Local::Unknown(why),
    })
}

/// Values that are not read within the bounds count for nothing: where something lies beyond, so may what reads them.
fn scope(problem: &Problem, flow: &Flow) -> Scope {
    let has_array = problem.units.parameters.iter().any(|of| matches!(of, Parameter::Array(..)));
    if flow.is_bounded() || has_array { Scope::WithinBounds } else { Scope::Always }
}
