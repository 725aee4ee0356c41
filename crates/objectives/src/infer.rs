//! Objectives: which pairs of a definition that leaves an invocation and a use that enters one were never executed.
//!
//! Knows nothing of names. Invariant: the result depends on the three fact tables alone, not on tests or on order.

use dynaflow_model::facts::{DefinitionId, FactTable, Pair, Recording, Sym, UseId, VariableId};

/// The objectives of the root classes that `roots` selects (Denaro et al., "Dynamic Data Flow Testing of Object Oriented
/// Systems", section on inferring objectives): for each state variable, every definition in its defs@exit of some
/// method with every use in its uses@entry of some method, unless that pair was executed. Ascending by ids.
///
/// Sorting the facts, then linear in the facts and in the pairs looked at, covered ones included.
pub fn infer(recording: &Recording, roots: impl Fn(&str) -> bool) -> Vec<Pair> {
    let facts = &recording.facts;
    let wanted = wanted_variables(facts, roots);
    let wants = |variable: VariableId| wanted.get(variable.index()).copied().unwrap_or(false);
    let definitions = grouped(facts.exits.iter().map(|(_, e)| (e.variable, e.definition)), wants);
    let uses = grouped(facts.entries.iter().map(|(_, e)| (e.variable, e.usage)), wants);
    let mut objectives = vec![];
    let mut rest: &[(VariableId, UseId)] = &uses;
    for group in definitions.chunk_by(|a, b| a.0 == b.0) {
        let Some(&(variable, _)) = group.first() else { continue };
        let (_, at_or_after) = rest.split_at(rest.partition_point(|&(v, _)| v < variable));
        let (ours, after) = at_or_after.split_at(at_or_after.partition_point(|&(v, _)| v == variable));
        rest = after;
        add_uncovered(facts, group, ours, &mut objectives);
    }
    objectives
}

/// For each variable, whether its root is selected; each class name is asked about once.
fn wanted_variables(facts: &FactTable, roots: impl Fn(&str) -> bool) -> Vec<bool> {
    let mut answers: Vec<Option<bool>> = vec![None; facts.strings.len()];
    let mut ask = |root: Sym| match answers.get_mut(root.index()) {
        Some(slot) => *slot.get_or_insert_with(|| roots(facts.text(root))),
        None => false,
    };
    facts.variables.iter().map(|(_, variable)| ask(variable.root)).collect()
}

fn grouped<T: Ord>(
    facts: impl Iterator<Item = (VariableId, T)>,
    wants: impl Fn(VariableId) -> bool,
) -> Vec<(VariableId, T)> {
    let mut facts: Vec<_> = facts.filter(|&(variable, _)| wants(variable)).collect();
    facts.sort_unstable();
    facts.dedup();
    facts
}

fn add_uncovered(
    facts: &FactTable,
    definitions: &[(VariableId, DefinitionId)],
    uses: &[(VariableId, UseId)],
    objectives: &mut Vec<Pair>,
) {
    for &(variable, definition) in definitions {
        for &(_, usage) in uses {
            let pair = Pair { variable, definition, usage };
            if facts.pairs.find(&pair).is_none() {
                objectives.push(pair);
            }
        }
    }
}
