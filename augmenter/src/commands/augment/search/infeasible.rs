//! Objectives whose use no execution reaches, as what the definition assigns closes a guard before it.
//!
//! In: a pair, the class files of its definition and its use. Out: whether it can be executed, as far as one method shows that. Knows nothing of
//! sequences. Invariant: what counts as infeasible is not executed by a single thread; what cannot be read may be executed. Two threads may: one
//! assigns between the other's guard and its use.

use crate::library::Library;
use dynaflow_classfile::ClassFile;
use dynaflow_flowgraph::dua::ClassSource;
use dynaflow_flowgraph::guards::{Assignment, Guards};
use dynaflow_flowgraph::made::with_signature;
use dynaflow_model::facts::{ContextId, FactTable, MethodId, Pair, PlaceId};
use dynaflow_objectives::place_parts;
use std::collections::BTreeMap;

/// What is known of pairs of instructions of one growing table, each looked at once.
#[derive(Debug, Default)]
pub struct Infeasible {
    classes: BTreeMap<String, Option<Vec<u8>>>,
    assignments: BTreeMap<PlaceId, Option<Assignment>>,
    closed: BTreeMap<(PlaceId, PlaceId), bool>,
}

impl Infeasible {
    /// Whether the pair cannot be executed.
    pub fn is(&mut self, library: &Library, facts: &FactTable, pair: &Pair) -> bool {
        let (Some(definition), Some(usage)) =
            (facts.definitions.get(pair.definition), facts.uses.get(pair.usage))
        else {
            return false;
        };
        let places = (definition.place, usage.place);
        if self.assignment(library, facts, places.0).is_none() {
            return false;
        }
        let is_closed = match self.closed.get(&places) {
            Some(&closed) => closed,
            None => {
                let closed = self.closes(library, facts, places).unwrap_or(false);
                self.closed.insert(places, closed);
                closed
            }
        };
        is_closed && !may_be_within(facts, definition.context, usage.context)
    }

    fn assignment(&mut self, library: &Library, facts: &FactTable, place: PlaceId) -> Option<Assignment> {
        if let Some(known) = self.assignments.get(&place) {
            return known.clone();
        }
        let (class, signature, at) = place_parts(facts, place);
        let found = at.and_then(|at| {
            let bytes = self.class(library, class)?;
            let class = ClassFile::parse(bytes).ok()?;
            Guards::of(&class, with_signature(&class, signature)?)?.assigned(at.offset)
        });
        self.assignments.insert(place, found.clone());
        found
    }

    /// Whether the guards of the use are closed by what the definition assigns.
    fn closes(
        &mut self,
        library: &Library,
        facts: &FactTable,
        (definition, usage): (PlaceId, PlaceId),
    ) -> Option<bool> {
        let assignment = self.assignment(library, facts, definition)?;
        let (_, _, defined) = place_parts(facts, definition);
        let (class, signature, used) = place_parts(facts, usage);
        let (defined, used) = (defined?, used?);
        let own = (defined.method == used.method).then_some(defined.offset);
        let class = ClassFile::parse(self.class(library, class)?).ok()?;
        let guards = Guards::of(&class, with_signature(&class, signature)?)?;
        Some(guards.close(used.offset, &assignment, own))
    }

    fn class(&mut self, library: &Library, name: &str) -> Option<&[u8]> {
        let read = || library.class(name.replace('.', "/").as_bytes()).map(std::borrow::Cow::into_owned);
        self.classes.entry(name.to_owned()).or_insert_with(read).as_deref()
    }
}

/// Whether the definition may happen in what the method of the use calls between guard and use: then its frames begin with those of the use.
fn may_be_within(facts: &FactTable, definition: ContextId, usage: ContextId) -> bool {
    let frames = |context| -> Option<Vec<MethodId>> {
        let context = facts.contexts.get(context).filter(|context| !context.cut)?;
        Some(context.head.iter().chain(context.tail.iter()).copied().collect())
    };
    match (frames(definition), frames(usage)) {
        (Some(definition), Some(usage)) => definition.len() > usage.len() && definition.starts_with(&usage),
        _ => true,
    }
}
