//! The statements of the naive twin and who gave which object, as two lists. Knows nothing of events.
//!
//! Invariant: an object's variable is the statement that gave it first.

use dynaflow_carve::Limits;
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sequence::{Arg, CarvedTest, Operation, Sequence, Statement};

/// Statements in order; objects in the order in which they were given.
#[derive(Clone, Default)]
pub struct NaiveTape {
    statements: Vec<Statement>,
    given: Vec<(ObjectId, u32)>,
    /// Constants of enums, in the order in which statements gave them.
    constants: Vec<(ObjectId, u32)>,
    /// How many objects had been given when the test method began, and those that were copied rather than given since.
    body: usize,
    copied: Vec<ObjectId>,
    changing: Vec<u32>,
    threw: Vec<u32>,
    troubles: Vec<String>,
}

/// The statements a statement mentions.
fn mentions(statement: &Statement) -> Vec<u32> {
    let variable = |arg: &&Arg| match arg {
        Arg::Var(index) => Some(*index),
        Arg::Value(_) => None,
    };
    statement.operation.args().iter().filter_map(variable).collect()
}

impl NaiveTape {
    pub fn len(&self) -> u32 {
        u32::try_from(self.statements.len()).unwrap()
    }

    pub fn statement(&self, index: u32) -> &Statement {
        &self.statements[index as usize]
    }

    pub fn holder(&self, object: ObjectId) -> Option<u32> {
        self.given.iter().find(|(given, _)| *given == object).map(|(_, index)| *index)
    }

    /// The statement that gave the constant last.
    pub fn constant(&self, object: ObjectId) -> Option<u32> {
        self.constants.iter().rev().find(|(given, _)| *given == object).map(|(_, index)| *index)
    }

    pub fn gives_constant(&mut self, index: u32, object: ObjectId, class: &str) {
        self.statements[index as usize].runtime_class = Some(class.to_owned());
        self.constants.push((object, index));
    }

    pub fn trouble(&mut self, what: String) {
        self.troubles.push(what);
    }

    pub fn threw(&mut self, index: u32) {
        self.threw.push(index);
    }

    pub fn changes_state(&mut self, index: u32) {
        self.changing.push(index);
    }

    pub fn push(&mut self, operation: Operation, result: &str, limits: &Limits) -> Option<u32> {
        if self.statements.len() == limits.statements {
            let limit = limits.statements;
            self.trouble(format!("it makes more than {limit} calls, the limit of a carved test"));
            return None;
        }
        if let Some(threw) = self.threw.last() {
            self.trouble(format!("statement {threw} was left by an exception and the test went on"));
        }
        self.statements.push(Statement {
            operation,
            result: result.to_owned(),
            runtime_class: None,
            caught: None,
        });
        Some(self.len() - 1)
    }

    pub fn gives(&mut self, index: u32, object: ObjectId, class: Option<String>) {
        self.statements[index as usize].runtime_class = class;
        if object.is_object() && self.holder(object).is_none() {
            self.given.push((object, index));
        }
    }

    /// The statement is gone, or, when something follows it or needs it, its place is kept by an opaque one.
    pub fn take_back(&mut self, index: u32) {
        let needed = self.given.iter().any(|(_, by)| *by == index) || index + 1 < self.len();
        if needed {
            let what = "a call whose effects the statements after it repeat".to_owned();
            self.statements[index as usize].operation = Operation::Opaque(what);
        } else {
            self.statements.pop();
        }
    }

    pub fn body_begins(&mut self) {
        self.body = self.given.len();
    }

    pub fn first_seen_in_body(&self) -> Vec<ObjectId> {
        let before: Vec<ObjectId> = self.given.iter().take(self.body).map(|(object, _)| *object).collect();
        let since = self.given.iter().skip(self.body).map(|(object, _)| *object);
        since.filter(|object| !before.contains(object) && !self.copied.contains(object)).collect()
    }

    /// The statements that mentions lead to from one, in either direction.
    pub fn component(&self, from: u32) -> Vec<u32> {
        let mut found = vec![from];
        loop {
            let joins = |index: &u32| {
                let own = mentions(self.statement(*index));
                let forth = own.iter().any(|mentioned| found.contains(mentioned));
                forth || found.iter().any(|kept| mentions(self.statement(*kept)).contains(index))
            };
            let next = (0..self.len()).filter(|index| !found.contains(index)).find(joins);
            let Some(next) = next else { break };
            found.push(next);
        }
        found.sort_unstable();
        found
    }

    /// Appends statements of another tape, as far as the limit allows; their objects are known once all are there.
    pub fn copy(&mut self, from: &Self, kept: &[u32], limits: &Limits) {
        let first = self.len();
        for old in kept {
            let mut statement = from.statement(*old).clone();
            for arg in statement.operation.args_mut() {
                if let Arg::Var(index) = arg {
                    let place = kept.iter().position(|k| k == index).unwrap();
                    *index = first + u32::try_from(place).unwrap();
                }
            }
            let Some(new) = self.push(statement.operation, &statement.result, limits) else { return };
            self.statements[new as usize].runtime_class = statement.runtime_class;
        }
        for (object, old) in &from.given {
            let place = kept.iter().position(|k| k == old);
            if let Some(place) = place.filter(|_| self.holder(*object).is_none()) {
                self.given.push((*object, first + u32::try_from(place).unwrap()));
                self.copied.push(*object);
            }
        }
    }

    pub fn finish(self) -> CarvedTest {
        let all: Vec<u32> = self.statements.iter().flat_map(mentions).collect();
        let lost = (0..self.len()).find_map(|index| match &self.statement(index).operation {
            Operation::Opaque(what) if all.contains(&index) || self.changing.contains(&index) => {
                Some(format!("statement {index} cannot be rebuilt: {what}"))
            }
            _ => None,
        });
        let obstacle = self.troubles.into_iter().next().or(lost);
        CarvedTest { sequence: Sequence { statements: self.statements }, obstacle }
    }
}
