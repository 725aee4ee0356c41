//! The lines that assert what an expression gave. Knows nothing of statements or of why something was observed.
//!
//! Invariant: an assertion that could be written is counted, whether it is to be or not; a map that several assertions compare with is filled once.

use super::{Shown, Writer};
use crate::contents::{self, ExpectedMap};
use crate::fit::is_fit;
use crate::request::Asserted;
use dynaflow_model::outcome::{Container, Observed};
use dynaflow_model::sequence::{Arg, Operation};

/// An assertion that can be written.
pub(super) struct Check {
    /// The assertion itself, a line.
    pub(super) line: String,
    /// The lines before it that fill a map, with the map.
    filled: Option<(Vec<String>, ExpectedMap)>,
    /// The value or the contents that it compares with, where it shows some.
    shown: Option<Observed>,
}

impl Writer<'_, '_, '_, '_> {
    /// Writes an assertion on a returned value if there is one to write.
    pub(super) fn check(&mut self, expression: &str, index: usize, observed: Option<&Observed>) -> bool {
        let test = self.test;
        let Some(statement) = test.sequence.statements.get(index) else { return false };
        let Operation::Call { method, .. } = &statement.operation else { return false };
        let Some(observed) = observed else { return false };
        let check = self.checking(expression, &statement.result, &method.name, observed);
        check.is_some_and(|check| self.assert(check, Asserted::Result(index), &method.name))
    }

    /// The assertion of what an expression of this static type, made by the method, was observed to be.
    pub(super) fn checking(
        &mut self,
        expression: &str,
        descriptor: &str,
        method: &str,
        observed: &Observed,
    ) -> Option<Check> {
        let shown = match observed {
            // That a value is not null shows no value.
            Observed::Value(value) if is_fit(value) => Some(observed.clone()),
            Observed::Contents(..) => Some(observed.clone()),
            _ => None,
        };
        let same = self.same(expression, observed);
        let on = same.or_else(|| self.asserts.on(expression, descriptor, method, observed, self.names));
        if let Some(assertion) = on {
            return Some(Check { line: format!("{assertion};"), filled: None, shown });
        }
        let Observed::Contents(Container::Map, entries) = observed else { return None };
        let known = self.maps.iter().find(|(known, _)| known == entries).map(|(_, name)| name.clone());
        let filled = match &known {
            Some(_) => None,
            None => {
                let name = self.given.fresh("entries");
                let lines = contents::filled_map(entries, &name, self.asserts.java, self.names)?;
                Some((lines, (entries.clone(), name)))
            }
        };
        let name = known.or_else(|| filled.as_ref().map(|(_, (_, name))| name.clone()))?;
        Some(Check { line: format!("{};", self.asserts.holds(expression, entries, name)), filled, shown })
    }

    /// Writes an assertion, unless it is to be left out.
    pub(super) fn assert(&mut self, check: Check, asserted: Asserted, method: &str) -> bool {
        if !self.is_wanted(asserted) {
            return false;
        }
        let statement = match asserted {
            Asserted::Result(index) => Some(index),
            Asserted::Observation(_) | Asserted::Message => None,
        };
        self.shown.extend(check.shown.map(|what| Shown { method: method.to_owned(), what, statement }));
        if let Some((lines, map)) = check.filled {
            self.lines.extend(lines);
            self.maps.push(map);
        }
        self.lines.push(check.line);
        true
    }

    /// Counts an assertion that could be written: whether it is to be.
    pub(super) fn is_wanted(&mut self, asserted: Asserted) -> bool {
        self.asserted.push(asserted);
        !self.test.form.left_out.contains(&(self.asserted.len() - 1))
    }

    /// The assertion that an expression gives the object of a variable, where that was observed.
    fn same(&mut self, expression: &str, observed: &Observed) -> Option<String> {
        let Observed::Same(index) = observed else { return None };
        let variable = self.value_of(&Arg::Var(*index)).ok().filter(|known| known.name != expression)?;
        Some(self.asserts.same(expression, &variable.name))
    }
}
