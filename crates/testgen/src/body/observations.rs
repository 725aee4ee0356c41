//! The lines that assert what was observed after the last statement. Knows nothing of what is worth asserting.
//!
//! Invariant: a path is written only where each of its steps has the static type that the next one needs: what a cast would be
//! redundant for, with type arguments that no descriptor shows, is left out.

use super::Writer;
use crate::request::Asserted;
use crate::throws::Throws;
use dynaflow_model::descriptor;
use dynaflow_model::outcome::{Look, Path};
use dynaflow_model::sequence::Arg;
use dynaflow_model::sites::MethodRef;

/// An expression, its static type, and the name of the method that gives it.
struct Seen {
    expression: String,
    descriptor: String,
    name: String,
    throws: Throws,
}

impl Writer<'_, '_, '_, '_> {
    /// Writes the assertions of all observations. Nothing follows what reveals a fault.
    pub(super) fn observations(&mut self) {
        let test = self.test;
        if test.outcome.thrown.as_ref().is_some_and(|thrown| !thrown.is_expected()) {
            return;
        }
        // The last call may have been the observer itself.
        let from = self.lines.len().saturating_sub(1);
        for (place, observation) in test.outcome.observations.iter().enumerate() {
            let Some(seen) = self.seen(&observation.path) else { continue };
            let Seen { expression, descriptor, name, throws } = seen;
            let check = self.checking(&expression, &descriptor, &name, &observation.result);
            let is_new = |line: &String| self.lines.iter().skip(from).all(|known| known != line);
            let Some(check) = check.filter(|check| is_new(&check.line)) else { continue };
            if self.assert(check, Asserted::Observation(place), &name) {
                self.throws = self.throws.max(throws);
            }
        }
    }

    /// The expression of a path; none where Java source cannot express it.
    fn seen(&mut self, path: &Path) -> Option<Seen> {
        let start = self.value_of(&Arg::Var(path.variable)).ok()?;
        let mut seen = Seen {
            expression: start.name,
            descriptor: start.descriptor,
            name: String::new(),
            throws: Throws::Nothing,
        };
        for (place, look) in path.looks.iter().enumerate() {
            match look {
                Look::Call { method, args } => {
                    let first = (place == 0).then_some(path.variable);
                    seen =
                        self.called(seen, first, method, args.iter().cloned().map(Arg::Value).collect())?;
                }
                Look::Element(index) => {
                    seen.descriptor = descriptor::component(&seen.descriptor)?.to_owned();
                    seen.expression = format!("{}[{index}]", seen.expression);
                }
                Look::Listed { index, of } => {
                    (seen.descriptor == "Ljava/util/List;").then_some(())?;
                    seen.descriptor.clone_from(of);
                    seen.expression = format!("{}.get({index})", seen.expression);
                }
                Look::Length => {
                    descriptor::component(&seen.descriptor)?;
                    seen.descriptor = "I".to_owned();
                    seen.expression = format!("{}.length", seen.expression);
                }
            }
        }
        Some(seen)
    }

    /// What containers of the JDK report throws nothing, whether their types are known or not.
    fn thrown_by(&self, method: &MethodRef) -> Throws {
        if method.owner.starts_with("java.util.") {
            return Throws::Nothing;
        }
        Throws::of(method, None, self.names.types())
    }

    /// A call on what was seen; a variable, given by `first`, may be cast.
    fn called(&mut self, on: Seen, first: Option<u32>, method: &MethodRef, args: Vec<Arg>) -> Option<Seen> {
        let method = &first.map_or_else(|| method.clone(), |on| self.as_seen(&Arg::Var(on), method));
        let (receiver, seen_as) = match first {
            Some(variable) => self.receiver(&Arg::Var(variable), &method.owner).ok()?,
            None => {
                let wanted = descriptor::of_class(&method.owner);
                (self.names.types().assignable(&on.descriptor, &wanted) == Some(true))
                    .then(|| (on.expression, descriptor::class_of(&on.descriptor).unwrap_or_default()))?
            }
        };
        let args = self.args(method, &seen_as, &args, 0).ok()?.join(", ");
        let chosen = self.chosen(method).unwrap_or_default();
        Some(Seen {
            expression: format!("{receiver}.{chosen}{}({args})", method.name),
            descriptor: descriptor::result(&method.descriptor).to_owned(),
            name: method.name.clone(),
            throws: on.throws.max(self.thrown_by(method)),
        })
    }
}
