//! The changes in force as variables of the frame, for the form of weaving that has variables. It knows the script and the blocks.
//!
//! What an exception finds done is set by constants, which costs compiled code nothing: it keeps them beside, for the case that the
//! exception comes. A handler then needs no call, which could itself throw, to the same handler even: javac's `finally` guards itself.
//! Invariant: at the beginning of a block all variables are idle, but bits that were covered anyway may still be among `Runs`.

use super::script::{Action, Script};
use super::steps::{Step, Var};
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_bytecode::updates::Change;
use std::collections::BTreeMap;

/// Puts steps in place of the numbers of changes.
pub(super) fn lower(script: &mut Script, blocks: &Blocks) {
    let points = std::mem::take(&mut script.points);
    let mut force = Force { script, values: BTreeMap::new() };
    let mut block = None;
    let lowered = points.into_iter().map(|mut point| {
        let new = blocks.block_of(point.insn as usize);
        if new != block {
            block = new;
            force.values.clear();
        }
        point.before = force.lower(std::mem::take(&mut point.before));
        point.after = force.lower(std::mem::take(&mut point.after));
        point
    });
    let points = lowered.collect();
    script.points = points;
}

struct Force<'s> {
    script: &'s Script,
    /// What is known of variables: those that are missing are idle, `Runs` may then have any bits covered before.
    values: BTreeMap<Var, u64>,
}

impl Force<'_> {
    fn lower(&mut self, actions: Vec<Action>) -> Vec<Action> {
        let mut lowered = Vec::with_capacity(actions.len());
        for action in actions {
            match action {
                Action::At(number) => self.at(number, &mut lowered),
                action => lowered.push(action),
            }
        }
        lowered
    }

    fn at(&mut self, number: u32, out: &mut Vec<Action>) {
        let script = self.script;
        let changes = script.changes(number);
        let mut wanted: BTreeMap<Var, u64> = self.values.keys().map(|var| (*var, var.idle())).collect();
        for Change { word, uses, runs, kills, gens } in changes {
            let vars = [
                (Var::Uses(*word), *uses),
                (Var::Runs(*word), *runs),
                (Var::Keeps(*word), !kills),
                (Var::Gens(*word), *gens),
            ];
            wanted.extend(vars);
        }
        for (var, value) in wanted {
            let old = self.values.get(&var).copied().unwrap_or_else(|| var.idle());
            let stays = matches!(var, Var::Runs(_)) && value & !old == 0;
            if value != old && !stays {
                out.push(Action::Step(Step::set(var, value)));
                self.values.insert(var, value);
            }
        }
    }
}
