//! Whether the objects of a class keep the contracts of `equals`, `hashCode`, `compareTo`, `toString` and `clone`: asked of what tests
//! leave behind.
//!
//! A worker is asked by a sequence: the statements of a test, questions about its objects, the statements once more, and questions about each object and
//! the one that was made alike. Knows nothing of verdicts. Invariant: what is given back ends at the question that found a broken clause, and was run so.

use crate::classes::is_of;
use crate::commands::augment::facts::merit::Verdict;
use crate::commands::augment::search::pool::{Pool, Run};
use anyhow::Result;
use dynaflow_model::contract::Clause;
use dynaflow_model::descriptor;
use dynaflow_model::outcome::Outcome;
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement};
use dynaflow_model::types::{Callable, TypeInfo};
use dynaflow_search::Types;
use std::collections::{BTreeMap, BTreeSet};

/// Most objects of one test that are asked about: each is compared with each.
const OBJECTS: usize = 4;

/// Most runs spent on making one sequence shorter.
const RUNS: usize = 60;

/// A class and a clause that its objects break.
pub type Broken = (String, Clause);

/// What the classes around one class promise.
pub struct Promises {
    /// By class, the clauses that methods of the program could break.
    clauses: BTreeMap<String, Vec<Clause>>,
}

impl Promises {
    /// Those of some classes and the classes inside them, by the methods that classes of the program have.
    pub fn of(classes: &[String], types: &Types, program: &BTreeSet<String>) -> Self {
        let is_around = |other: &&String| classes.iter().any(|class| is_of(other, class));
        let infos = program.iter().filter(is_around).filter_map(|other| types.get(other));
        let clauses = infos.map(|info| (info.name.clone(), clauses(info, program)));
        Self { clauses: clauses.filter(|(_, clauses)| !clauses.is_empty()).collect() }
    }

    /// What is asked after a test did what it does, of its objects, of those that it makes once more, and of those of another test; none when
    /// there is nothing to ask. Nothing is asked of what is known to be `broken`.
    pub fn question(&self, test: &Sequence, other: &Sequence, broken: &BTreeSet<Broken>) -> Option<Sequence> {
        let objects: Vec<(u32, &str)> = self.objects(test);
        let mut asked = Asking { sequence: test.clone(), broken };
        for (place, (object, class)) in objects.iter().enumerate() {
            self.alone(&mut asked, *object, class);
            let others = objects.get(place + 1..).into_iter().flatten();
            others.for_each(|(other, _)| self.together(&mut asked, class, *object, *other));
        }
        let shift = asked.append(test);
        objects.iter().for_each(|(object, class)| self.together(&mut asked, class, *object, object + shift));
        let shift = asked.append(other);
        let others = self.objects(other);
        for (object, class) in &objects {
            others.iter().for_each(|(other, _)| self.together(&mut asked, class, *object, other + shift));
        }
        asked.finished()
    }

    /// Tests that end as soon as there is an object of a class, for each class the shortest.
    pub fn beginnings(&self, tests: &[&Sequence]) -> Vec<Sequence> {
        let first = |class: &String, test: &Sequence| {
            let of = descriptor::of_class(class);
            test.statements.iter().position(|statement| statement.result == of)
        };
        let shortest = |class: &String| {
            let places = tests.iter().filter_map(|test| Some((first(class, test)?, test)));
            let (last, test) = places.min_by_key(|(last, _)| *last)?;
            Some(Sequence { statements: test.statements.iter().take(last + 1).cloned().collect() })
        };
        self.clauses.keys().filter_map(shortest).collect()
    }

    /// The statements that give objects which promise something, the last ones.
    fn objects(&self, test: &Sequence) -> Vec<(u32, &str)> {
        let of = |(at, statement): (u32, &Statement)| {
            let class = descriptor::class_of(&statement.result)?;
            let (class, _) = self.clauses.get_key_value(&class)?;
            Some((at, class.as_str()))
        };
        let mut objects: Vec<(u32, &str)> = (0..).zip(&test.statements).filter_map(of).collect();
        objects.drain(..objects.len().saturating_sub(OBJECTS));
        objects
    }

    /// Asks about one object.
    fn alone(&self, asked: &mut Asking, object: u32, class: &str) {
        for clause in self.clauses.get(class).into_iter().flatten() {
            if !clause.is_of_two() {
                asked.push(*clause, class, object, None);
            }
        }
    }

    /// Asks about two objects, of which one is of this class.
    fn together(&self, asked: &mut Asking, class: &str, object: u32, other: u32) {
        let of = |at: u32| asked.sequence.statements.get(at as usize).map(|one| one.result.clone());
        let are_alike = of(object) == of(other);
        for clause in self.clauses.get(class).into_iter().flatten().filter(|clause| clause.is_of_two()) {
            if are_alike || *clause != Clause::ComparesBothWays {
                asked.push(*clause, class, object, Some(other));
            }
        }
    }
}

/// What runs questions, says what answers are worth, and when there is no time left.
pub struct Asker<'p> {
    /// The workers.
    pub pool: &'p mut Pool,
    /// What the exception that ends a sequence says; none where nothing is to be made of it.
    pub verdict: &'p dyn Fn(&Sequence, &Outcome) -> Option<Verdict>,
    /// Whether no more is to be asked.
    pub is_over: &'p dyn Fn() -> bool,
}

impl Asker<'_> {
    /// The shortest sequences that were found to break what is promised, one for each clause and class.
    ///
    /// # Errors
    /// When a trace cannot be read.
    pub fn broken(&mut self, tests: &[&Sequence], promises: &Promises) -> Result<Vec<Sequence>> {
        let (mut broken, mut all) = (BTreeSet::new(), vec![]);
        let beginnings = promises.beginnings(tests);
        let tests: Vec<&Sequence> = beginnings.iter().chain(tests.iter().copied()).collect();
        let mut open: Vec<usize> = (0..tests.len()).collect();
        let next = |place: usize| tests.get((place + 1) % tests.len()).copied();
        while !open.is_empty() && !(self.is_over)() {
            let question = |place: &usize| {
                Some((*place, promises.question(tests.get(*place)?, next(*place)?, &broken)?))
            };
            let asked: Vec<(usize, Sequence)> = open.iter().filter_map(question).collect();
            let jobs = asked.iter().map(|(_, question)| (question.clone(), vec![])).collect();
            let runs = self.pool.run(jobs, |_| false)?;
            open.clear();
            for ((place, question), run) in asked.iter().zip(&runs) {
                let Some((what, sequence)) = found(question, &run.outcome) else { continue };
                // An answer that ends a sequence hides those to the questions behind it.
                open.push(*place);
                if broken.insert(what.clone()) {
                    all.push((what, sequence));
                }
            }
        }
        let shorter = all.into_iter().map(|(what, sequence)| self.minimised(&what, &sequence));
        Ok(shorter.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// The shortest sequence that ends as this one does; none when this one does not show it again, or what it shows says nothing.
    fn minimised(&mut self, what: &Broken, sequence: &Sequence) -> Result<Option<Sequence>> {
        let end = |run: &Run| Some(run.outcome.thrown.as_ref()?.class.clone());
        let first = self.run(sequence)?;
        let wanted = (self.shows(what, sequence, &first), end(&first));
        if wanted.0.is_none() {
            return Ok(None);
        }
        let mut trouble = None;
        let still = dynaflow_search::one_by_one(|shorter| {
            if trouble.is_some() || (self.is_over)() {
                return false;
            }
            match self.run(shorter) {
                Ok(run) => (self.shows(what, shorter, &run), end(&run)) == wanted,
                Err(error) => {
                    trouble = Some(error);
                    false
                }
            }
        });
        let shorter = dynaflow_search::minimise(sequence, RUNS, still);
        trouble.map_or(Ok(Some(shorter)), Err)
    }

    fn run(&mut self, sequence: &Sequence) -> Result<Run> {
        let mut runs = self.pool.run(vec![(sequence.clone(), vec![])], |_| false)?;
        runs.pop().ok_or_else(|| anyhow::anyhow!("a worker gave no outcome"))
    }

    /// What a run of a sequence says, where it shows in its last statement that this is broken.
    fn shows(&self, what: &Broken, sequence: &Sequence, run: &Run) -> Option<Verdict> {
        let (broken, whole) = found(sequence, &run.outcome)?;
        let is_it = broken == *what && whole.statements.len() == sequence.statements.len();
        is_it.then(|| (self.verdict)(sequence, &run.outcome)).flatten()
    }
}

/// The sequence up to the question that was answered wrongly, or with an exception, and what that shows to be broken.
pub fn found(asked: &Sequence, outcome: &Outcome) -> Option<(Broken, Sequence)> {
    let thrown = outcome.thrown.as_ref().filter(|_| outcome.broken.is_none())?;
    let ran = thrown.statement as usize + 1;
    let Operation::Contract { clause, class, .. } =
        &asked.statements.get(thrown.statement as usize)?.operation
    else {
        return None;
    };
    let is_needed = |(at, one): &(usize, &Statement)| at + 1 == ran || !is_contract(&one.operation);
    let dropped = (0u32..).zip(asked.statements.iter().take(ran).enumerate());
    let dropped = dropped.filter(|(_, one)| !is_needed(one)).map(|(at, _)| at).collect();
    let whole = Sequence { statements: asked.statements.iter().take(ran).cloned().collect() };
    Some(((class.clone(), *clause), dynaflow_search::without(&whole, &dropped)))
}

fn is_contract(operation: &Operation) -> bool {
    matches!(operation, Operation::Contract { .. })
}

/// A question being put together.
struct Asking<'b> {
    sequence: Sequence,
    broken: &'b BTreeSet<Broken>,
}

impl Asking<'_> {
    fn next(&self) -> u32 {
        u32::try_from(self.sequence.statements.len()).unwrap_or(u32::MAX)
    }

    /// Appends all that a test does; gives how much further behind it refers to.
    fn append(&mut self, test: &Sequence) -> u32 {
        let shift = self.next();
        self.sequence.statements.extend(test.statements.iter().cloned().map(|one| shifted(one, shift)));
        shift
    }

    /// The sequence up to its last question; none where nothing is asked.
    fn finished(mut self) -> Option<Sequence> {
        let last = self.sequence.statements.iter().rposition(|one| is_contract(&one.operation))?;
        self.sequence.statements.truncate(last + 1);
        Some(self.sequence)
    }

    fn push(&mut self, clause: Clause, class: &str, one: u32, other: Option<u32>) {
        if self.broken.contains(&(class.to_owned(), clause)) {
            return;
        }
        let (one, other) = (Arg::Var(one), other.map(Arg::Var));
        let operation = Operation::Contract { clause, class: class.to_owned(), one, other };
        self.sequence.statements.push(Statement {
            operation,
            result: "V".to_owned(),
            runtime_class: None,
            caught: None,
        });
    }
}

/// A statement that refers to statements so much further behind.
fn shifted(mut statement: Statement, by: u32) -> Statement {
    for arg in statement.operation.args_mut() {
        if let Arg::Var(index) = arg {
            *index = index.saturating_add(by);
        }
    }
    statement
}

/// The clauses that methods of the program could break where objects of this class are asked.
fn clauses(info: &TypeInfo, program: &BTreeSet<String>) -> Vec<Clause> {
    let own = |name: &str, parameters: &str| {
        method(info, name, parameters).is_some_and(|callable| program.contains(&callable.method.owner))
    };
    let mut clauses = vec![];
    if own("equals", "(Ljava/lang/Object;)") {
        clauses.extend([Clause::EqualsItself, Clause::DiffersFromNull]);
        clauses.extend([Clause::EqualsBothWays, Clause::HashesAlike]);
    }
    let itself = format!("({})", descriptor::of_class(&info.name));
    let is_comparable = info.supertypes.iter().any(|above| above == "java.lang.Comparable");
    if is_comparable && own("compareTo", &itself) {
        clauses.extend([Clause::ComparesToItself, Clause::ComparesBothWays]);
    }
    if own("toString", "()") {
        clauses.push(Clause::HasText);
    }
    if own("clone", "()") {
        clauses.push(Clause::ClonesApart);
    }
    clauses
}

fn method<'i>(info: &'i TypeInfo, name: &str, parameters: &str) -> Option<&'i Callable> {
    let is_it = |callable: &&Callable| {
        callable.method.name == name
            && callable.method.descriptor.starts_with(parameters)
            && callable.visibility == dynaflow_model::types::Visibility::Public
    };
    info.methods.iter().find(is_it)
}
