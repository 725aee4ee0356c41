//! Solvers that are missing, late, killed, or lie: nothing that they say becomes a wrong solution.

#![allow(clippy::unwrap_used, reason = "helpers of tests, outside of a test function")]

use dynaflow_solve::expr::{Expr, Pool};
use dynaflow_solve::solver::satisfies;
use dynaflow_solve::value::{Binary, Sort, Value};
use dynaflow_solve::{Config, Solved, Solver};
use std::time::{Duration, Instant};

/// `x * x == 49`, which neither 0 nor 1 solves.
fn query() -> (Pool, Expr) {
    let mut pool = Pool::default();
    let x = pool.fresh("x", Sort::Int);
    let (x, square) = (pool.var(x), pool.int(49));
    let product = pool.binary(Binary::Mul, x, x);
    let equal = pool.binary(Binary::Eq, product, square);
    (pool, equal)
}

fn shell(script: &str) -> Config {
    let command = ["sh", "-c", script].map(str::to_owned).to_vec();
    Config { command, limit: Duration::from_secs(2), effort: 1000 }
}

fn says(config: Option<Config>) -> Result<(), String> {
    let (pool, condition) = query();
    match Solver::new(config).solve(&pool, &[condition]) {
        Solved::Sat(model) => {
            assert!(satisfies(&pool, &[condition], &model));
            Ok(())
        }
        Solved::Unsat => Err("unsat".to_owned()),
        Solved::Unknown(why) => Err(why),
    }
}

#[test]
fn z3_solves_what_has_a_solution_and_says_what_has_none() {
    assert_eq!(says(Some(Config::z3())), Ok(()));
    let (mut pool, condition) = query();
    let parts = pool.parts(&[condition]);
    let x = parts.into_iter().find(|part| !pool.variables_of(&[*part]).is_empty()).unwrap();
    let zero = pool.int(0);
    let negative = pool.binary(Binary::Lt, x, zero);
    let small = pool.int(-100);
    let above = pool.binary(Binary::Lt, small, x);
    let seven = pool.int(-7);
    let other = pool.binary(Binary::Eq, x, seven);
    let other = pool.not(other);
    let solved = Solver::new(Some(Config::z3())).solve(&pool, &[condition, negative, above, other]);
    assert_eq!(solved, Solved::Unsat);
}

#[test]
fn equal_queries_are_asked_once() {
    let (pool, condition) = query();
    let mut solver = Solver::new(Some(Config::z3()));
    let first = solver.solve(&pool, &[condition]);
    assert_eq!((solver.solve(&pool, &[condition, condition]), solver.asked()), (first, 1));
}

#[test]
fn a_solver_that_is_missing_or_dies_or_talks_nonsense_leaves_it_unknown() {
    assert_eq!(says(None), Err("there is no solver".to_owned()));
    let missing = Config { command: vec!["no-such-solver".to_owned()], ..shell("") };
    assert!(says(Some(missing)).unwrap_err().starts_with("cannot run the solver no-such-solver"));
    for script in [
        "kill -9 $$",
        "exit 1",
        "echo maybe",
        "echo sat",
        "echo sat; echo '((v0 x))'",
        "cat",
        "printf '\\377'",
    ] {
        let why = says(Some(shell(script))).unwrap_err();
        assert_ne!(why, "unsat", "{script}");
    }
}

#[test]
fn a_solver_that_lies_is_found_out_and_one_that_is_right_is_believed() {
    let lie = "cat >/dev/null; echo sat; echo '((v0 #x00000008))'";
    assert_eq!(says(Some(shell(lie))), Err("the solver gave values that are no solution".to_owned()));
    let right = "cat >/dev/null; echo sat; echo '((v0 #x00000007))'";
    assert_eq!(says(Some(shell(right))), Ok(()));
}

#[test]
fn a_solver_that_hangs_or_writes_without_end_is_killed_in_time() {
    let start = Instant::now();
    assert_eq!(says(Some(shell("exec sleep 60"))), Err("the solver took longer than 2s".to_owned()));
    assert!(says(Some(shell("exec yes sat"))).is_err());
    assert!(start.elapsed() < Duration::from_secs(30));
}

#[test]
fn numbers_with_a_point_are_solved_to_the_bit() {
    let mut pool = Pool::default();
    let x = pool.fresh("x", Sort::Double);
    let half = pool.value(Value::Double(0.1_f64.to_bits()));
    let wanted = pool.value(Value::Double((0.1_f64 + 0.2).to_bits()));
    let x = pool.var(x);
    let sum = pool.binary(Binary::Add, x, half);
    let equal = pool.binary(Binary::Eq, sum, wanted);
    let Solved::Sat(model) = Solver::new(Some(Config::z3())).solve(&pool, &[equal]) else {
        panic!("0.2 is a solution")
    };
    assert!(satisfies(&pool, &[equal], &model));
}
