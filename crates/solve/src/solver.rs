//! A solver as a process that reads SMT-LIB from a pipe: a process for each query, killed when it is late. Knows no programs under test.
//!
//! Invariants: a solution that is given back satisfies the query, whatever the solver said; equal queries are asked once. That there is no
//! solution is the solver's word.

use crate::expr::{Expr, Model, Pool};
use crate::smtlib::{self, Answer};
use crate::value::Value;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Largest answer, in bytes.
const LARGEST: u64 = 1 << 20;
/// Numbers that are nice to read, in the order in which they take the place of what the solver gave.
const NICE: [i8; 7] = [0, 1, -1, 2, -2, 3, 10];
/// Nodes of a query up to which values are made nice.
const READABLE: usize = 20_000;

/// What is known of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solved {
    /// Values of its variables with which all its conditions hold.
    Sat(Model),
    /// There are none, says the solver.
    Unsat,
    /// It is not known, and why.
    Unknown(String),
}

/// How a solver is started and how long it may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Program and arguments: it reads SMT-LIB 2.6 from standard input.
    pub command: Vec<String>,
    /// When it is killed.
    pub limit: Duration,
    /// What it may spend on a query in its own units, so that the same query has the same answer on a slow machine.
    pub effort: u64,
}

impl Config {
    /// Z3, five seconds.
    pub fn z3() -> Self {
        let command = ["z3", "-in", "-smt2"].map(str::to_owned).to_vec();
        Self { command, limit: Duration::from_secs(5), effort: 8_000_000 }
    }

    /// Asks the solver whether nothing can hold.
    ///
    /// # Errors
    /// When it cannot be run, or says something else than that it can.
    pub fn check(&self) -> Result<(), String> {
        let text = "(set-logic QF_BVFP)\n(check-sat)\n";
        match smtlib::answer(&ask(self, text)?, 0)? {
            Answer::Sat(_) => Ok(()),
            other => Err(format!("it says {other:?} where it has nothing to solve")),
        }
    }
}

/// A solver with what it was asked before.
#[derive(Debug)]
pub struct Solver {
    config: Option<Config>,
    cache: BTreeMap<String, Result<Answer, String>>,
    asked: usize,
}

impl Solver {
    /// With a command, or without any: then what simplification does not decide is unknown.
    pub fn new(config: Option<Config>) -> Self {
        Self { config, cache: BTreeMap::new(), asked: 0 }
    }

    /// How many queries a process was started for.
    pub fn asked(&self) -> usize {
        self.asked
    }

    /// Whether all these conditions can hold, and with which values.
    pub fn solve(&mut self, pool: &Pool, conditions: &[Expr]) -> Solved {
        let mut open = vec![];
        for condition in conditions {
            match pool.constant(*condition) {
                Some(Value::Bool(true)) => {}
                Some(_) => return Solved::Unsat,
                None => open.push(*condition),
            }
        }
        open.sort_unstable();
        open.dedup();
        if let Some(model) = guess(pool, &open) {
            return Solved::Sat(model);
        }
        let Some(config) = &self.config else { return Solved::Unknown("there is no solver".to_owned()) };
        let script = smtlib::script(pool, &open, config.effort);
        let known = match self.cache.get(&script.text) {
            Some(known) => known.clone(),
            None => {
                self.asked += 1;
                let answer = ask(config, &script.text)
                    .and_then(|output| smtlib::answer(&output, script.variables.len()));
                self.cache.insert(script.text.clone(), answer.clone());
                answer
            }
        };
        match known {
            Ok(Answer::Unsat) => Solved::Unsat,
            Ok(Answer::Unknown) => Solved::Unknown("the solver does not know".to_owned()),
            Err(why) => Solved::Unknown(why),
            Ok(Answer::Sat(bits)) => match smtlib::model(pool, &script.variables, &bits) {
                Some(model) if satisfies(pool, &open, &model) => Solved::Sat(nice(pool, &open, model)),
                _ => Solved::Unknown("the solver gave values that are no solution".to_owned()),
            },
        }
    }
}

/// Whether all conditions hold with these values.
pub fn satisfies(pool: &Pool, conditions: &[Expr], model: &Model) -> bool {
    let holds = |c: &Expr| pool.eval(*c, |var| model.get(&var).copied()) == Some(Value::Bool(true));
    conditions.iter().all(holds)
}

/// All variables 0, or all 1, where that is a solution.
fn guess(pool: &Pool, conditions: &[Expr]) -> Option<Model> {
    let variables = pool.variables_of(conditions);
    let all = |number| -> Model {
        variables.iter().map(|var| (*var, Value::small(pool.variable(*var).1, number))).collect()
    };
    [0, 1].into_iter().map(all).find(|model| satisfies(pool, conditions, model))
}

/// The solution with numbers that people read easily, as far as one after the other can be changed.
fn nice(pool: &Pool, conditions: &[Expr], mut model: Model) -> Model {
    if pool.parts(conditions).len() > READABLE {
        return model;
    }
    let variables: Vec<_> = model.keys().copied().collect();
    for var in variables {
        let Some(given) = model.get(&var).copied() else { continue };
        for number in NICE {
            let value = Value::small(pool.variable(var).1, number);
            model.insert(var, value);
            if value == given || satisfies(pool, conditions, &model) {
                break;
            }
            model.insert(var, given);
        }
    }
    model
}

/// Runs the solver on a query; gives what it printed.
fn ask(config: &Config, text: &str) -> Result<String, String> {
    let (program, arguments) = config.command.split_first().ok_or("the command of the solver is empty")?;
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot run the solver {program}: {error}"))?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let (sender, receiver) = mpsc::channel();
    let text = text.to_owned();
    // A solver that reads nothing, or closes its input, ends these threads when it is killed.
    thread::spawn(move || input.map(|mut input| input.write_all(text.as_bytes())));
    thread::spawn(move || {
        let mut bytes = vec![];
        let read = output.map(|output| output.take(LARGEST).read_to_end(&mut bytes));
        sender.send(matches!(read, Some(Ok(_))).then_some(bytes))
    });
    let bytes = receiver.recv_timeout(config.limit);
    // What is still running is late, or answered too much; what is not is not harmed.
    let _ = child.kill();
    let _ = child.wait();
    match bytes {
        Ok(Some(bytes)) => String::from_utf8(bytes).map_err(|_| "the solver's answer is no text".to_owned()),
        Ok(None) => Err("the solver's answer cannot be read".to_owned()),
        Err(_) => Err(format!("the solver took longer than {:?}", config.limit)),
    }
}
