//! Which methods read which state variables, and which write, as recorded.
//!
//! Knows nothing of tests. Invariant: a variable is spelled by its steps, so that tables of different recordings can be put together.

use dynaflow_model::facts::{FactTable, Step, VariableId};
use std::collections::{BTreeMap, BTreeSet};

/// A state variable below its root: `a.Outer.next`, `[]`.
pub type Chain = Vec<String>;

/// What invocations read of their receiver, and which changed something of it.
#[derive(Debug, Default)]
pub struct Reads {
    by_method: BTreeMap<String, BTreeMap<String, BTreeSet<Chain>>>,
    writers: BTreeSet<(String, String)>,
}

impl Reads {
    /// What a table has of methods that give something back.
    pub fn of(facts: &FactTable) -> Self {
        let mut reads = Self::default();
        for (_, entry) in facts.entries.iter() {
            let Some(variable) = facts.variables.get(entry.variable) else { continue };
            let Some(method) = facts.methods.get(entry.method) else { continue };
            let signature = facts.text(method.signature);
            if !signature.ends_with(")V") {
                let of_root = reads.by_method.entry(facts.text(variable.root).to_owned()).or_default();
                let chains = of_root.entry(signature.to_owned()).or_default();
                chains.insert(chain(facts, &variable.steps));
            }
        }
        for (_, exit) in facts.exits.iter() {
            let Some(variable) = facts.variables.get(exit.variable) else { continue };
            let Some(method) = facts.methods.get(exit.method) else { continue };
            reads
                .writers
                .insert((facts.text(variable.root).to_owned(), facts.text(method.signature).to_owned()));
        }
        reads
    }

    /// The variables of a root of this class that invocations of the method read before anything in them wrote these.
    pub fn chains(&self, root: &str, signature: &str) -> impl Iterator<Item = &Chain> {
        self.by_method.get(root).and_then(|of_root| of_root.get(signature)).into_iter().flatten()
    }

    /// Whether an invocation of the method on a root of this class, wherever the method is declared, left a definition of its state behind.
    pub fn is_writer(&self, root: &str, signature: &str) -> bool {
        self.writers.contains(&(root.to_owned(), signature.to_owned()))
    }

    /// Whether invocations of the method were recorded to read a root of this class, and none to leave a definition of its state behind.
    pub fn only_asks(&self, root: &str, signature: &str) -> bool {
        self.chains(root, signature).next().is_some() && !self.is_writer(root, signature)
    }
}

/// A variable of the table, with the class of its root.
pub fn variable(facts: &FactTable, id: VariableId) -> Option<(&str, Chain)> {
    let variable = facts.variables.get(id)?;
    Some((facts.text(variable.root), chain(facts, &variable.steps)))
}

fn chain(facts: &FactTable, steps: &[Step]) -> Chain {
    steps.iter().map(|step| facts.step(step).to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::facts::{
        Context, DefAtExit, Definition, DefinitionKind, Exit, Method, Place, Use, UseAtEntry, Variable,
    };

    #[test]
    fn a_method_reads_what_its_invocations_read_and_writes_when_one_left_a_definition() {
        let mut facts = FactTable::default();
        let (class, all) = (facts.sym("a.Basket"), facts.sym("all"));
        let method = |facts: &mut FactTable, text: &str| {
            let signature = facts.sym(text);
            facts.methods.intern(Method { class, signature })
        };
        let [size, add, clear] = ["size()I", "add(I)Z", "clear()V"].map(|text| method(&mut facts, text));
        let steps = Box::new([Step::Field { class, name: all }, Step::Element]);
        let variable = facts.variables.intern(Variable { root: class, steps });
        let place = facts.places.intern(Place { method: size, offset: 1, line: 1 });
        let context = facts.contexts.intern(Context::default());
        let usage = facts.uses.intern(Use { place, context });
        for method in [size, clear] {
            facts.entries.intern(UseAtEntry { variable, method, usage });
        }
        let definition =
            facts.definitions.intern(Definition { place, kind: DefinitionKind::Direct, context });
        facts.exits.intern(DefAtExit { variable, method: add, exit: Exit::Normal, definition });
        let reads = Reads::of(&facts);
        let expected = vec!["a.Basket.all".to_owned(), "[]".to_owned()];
        assert_eq!(reads.chains("a.Basket", "size()I").collect::<Vec<_>>(), [&expected]);
        assert_eq!(reads.chains("a.Basket", "add(I)Z").count(), 0);
        assert_eq!(reads.chains("a.Basket", "clear()V").count(), 0, "it gives nothing back");
        assert!(reads.is_writer("a.Basket", "add(I)Z") && !reads.is_writer("a.Basket", "size()I"));
        let asks = ["size()I", "add(I)Z", "clear()V", "weight()I"].map(|of| reads.only_asks("a.Basket", of));
        assert_eq!(asks, [true, false, false, false], "of the last nothing is known");
    }
}
