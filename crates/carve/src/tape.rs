//! The statements of the test being carved and the variable that holds each object. Knows nothing of threads or frames.
//!
//! Invariant: a statement refers only to earlier ones, and the number of statements never passes the limit.

use crate::carried::{Carried, Limits};
use crate::values;
use dynaflow_model::descriptor;
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sequence::{Arg, Operation, Sequence, Statement, Value};
use dynaflow_model::sites::FieldRef;
use rustc_hash::{FxHashMap, FxHashSet};

/// Statements and who holds what.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tape {
    statements: Vec<Statement>,
    variables: FxHashMap<ObjectId, u32>,
    /// The last statement that gave each constant of an enum: they are no test's own, so that the nearest is as good as the first.
    constants: FxHashMap<ObjectId, u32>,
    /// Objects first seen since the test method itself began.
    fresh: FxHashSet<ObjectId>,
    /// Opaque statements that may have changed state, as calls on mocks do.
    effects: FxHashSet<u32>,
    /// The last statement that did not return.
    threw: Option<u32>,
    trouble: Option<String>,
}

impl Tape {
    /// How many statements there are.
    pub(crate) fn len(&self) -> usize {
        self.statements.len()
    }

    /// The statement that made the object, or first mentioned it.
    pub(crate) fn variable_of(&self, object: ObjectId) -> Option<u32> {
        self.variables.get(&object).copied()
    }

    /// The statement with this index.
    pub(crate) fn statement(&self, index: u32) -> Option<&Statement> {
        self.statements.get(index as usize)
    }

    /// Remembers the first reason why the test as a whole cannot be rebuilt.
    pub(crate) fn note_trouble(&mut self, trouble: impl FnOnce() -> String) {
        if self.trouble.is_none() {
            self.trouble = Some(trouble());
        }
    }

    /// Appends a statement and gives its index, or none once the limit is reached.
    pub(crate) fn push(&mut self, operation: Operation, result: String, limits: &Limits) -> Option<u32> {
        if self.statements.len() >= limits.statements {
            self.note_trouble(|| {
                format!("it makes more than {} calls, the limit of a carved test", limits.statements)
            });
            return None;
        }
        if let Some(threw) = self.threw {
            self.note_trouble(|| format!("statement {threw} was left by an exception and the test went on"));
        }
        let index = u32::try_from(self.statements.len()).ok()?;
        self.statements.push(Statement { operation, result, runtime_class: None, caught: None });
        Some(index)
    }

    /// Takes the statement back if it is the last one and nothing refers to it.
    pub(crate) fn take_back(&mut self, index: u32) {
        if self.statements.len() == index as usize + 1 && !self.variables.values().any(|&v| v == index) {
            self.statements.pop();
        } else {
            let what = "a call whose effects the statements after it repeat".to_owned();
            if let Some(statement) = self.statements.get_mut(index as usize) {
                statement.operation = Operation::Opaque(what);
            }
        }
    }

    /// Remembers that the statement was left by an exception.
    pub(crate) fn threw(&mut self, index: u32) {
        self.threw = Some(index);
    }

    /// Remembers that an opaque statement may have changed state.
    pub(crate) fn has_effect(&mut self, index: u32) {
        self.effects.insert(index);
    }

    /// Says that the statement's result is this object, unless an earlier statement holds it.
    pub(crate) fn holds(&mut self, index: u32, object: ObjectId, class: Option<String>) {
        let Some(statement) = self.statements.get_mut(index as usize) else { return };
        statement.runtime_class = class;
        if object.is_object() && !self.variables.contains_key(&object) {
            self.variables.insert(object, index);
            self.fresh.insert(object);
        }
    }

    /// Says that the statement gave this constant of an enum.
    pub(crate) fn gives_constant(&mut self, index: u32, object: ObjectId, class: &str) {
        let Some(statement) = self.statements.get_mut(index as usize) else { return };
        statement.runtime_class = Some(class.to_owned());
        self.constants.insert(object, index);
    }

    /// The argument that names a constant of an enum where a literal cannot stand: in front of a call.
    pub(crate) fn constant(
        &mut self,
        object: ObjectId,
        class: &str,
        name: &str,
        limits: &Limits,
    ) -> Option<Arg> {
        if let Some(index) = self.constants.get(&object) {
            return Some(Arg::Var(*index));
        }
        let descriptor = descriptor::of_class(class);
        let field =
            FieldRef { owner: class.to_owned(), name: name.to_owned(), descriptor: descriptor.clone() };
        let index = self.push(Operation::GetStatic(field), descriptor, limits)?;
        self.gives_constant(index, object, class);
        Some(Arg::Var(index))
    }

    /// The argument that names what was carried, for a place of the given type. An object nobody made becomes an opaque
    /// statement. None for `void` and once the limit is reached.
    pub(crate) fn arg(&mut self, carried: Carried, descriptor: &str, limits: &Limits) -> Option<Arg> {
        match carried {
            Carried::Void => None,
            Carried::Value(value) => self.literal(values::coerce(value, descriptor), descriptor, limits),
            Carried::Constant { class, name, .. } => Some(Arg::Value(Value::Enum(class, name))),
            Carried::Object(ObjectId::NULL, _) => Some(Arg::Value(Value::Null)),
            Carried::Object(object, class) => self.object(object, class, descriptor, limits),
        }
    }

    fn literal(&mut self, value: Value, descriptor: &str, limits: &Limits) -> Option<Arg> {
        match values::too_large(&value, limits.string) {
            None => Some(Arg::Value(value)),
            Some(what) => self.push(Operation::Opaque(what), descriptor.to_owned(), limits).map(Arg::Var),
        }
    }

    fn object(
        &mut self,
        object: ObjectId,
        class: Option<String>,
        descriptor: &str,
        limits: &Limits,
    ) -> Option<Arg> {
        if let Some(index) = self.variable_of(object) {
            return Some(Arg::Var(index));
        }
        let named = class.clone().or_else(|| descriptor::class_of(descriptor));
        let what = format!(
            "object of class {} made outside the test's calls",
            named.as_deref().unwrap_or("java.lang.Object")
        );
        let result = class.as_deref().map_or_else(|| descriptor.to_owned(), descriptor::of_class);
        let index = self.push(Operation::Opaque(what), result, limits)?;
        self.holds(index, object, class);
        Some(Arg::Var(index))
    }

    /// From now on objects count as first seen in the test method itself.
    pub(crate) fn start_body(&mut self) {
        self.fresh.clear();
    }

    /// Appends all of `other`.
    pub(crate) fn append(&mut self, other: &Self, limits: &Limits) {
        self.take_over(other, 0..u32::try_from(other.len()).unwrap_or(0), limits);
    }

    /// Appends the statements of `other` that `object` depends on or that concern it, and learns their objects.
    pub(crate) fn import(&mut self, other: &Self, object: ObjectId, limits: &Limits) {
        let Some(variable) = other.variable_of(object) else { return };
        self.take_over(other, other.connected(variable), limits);
    }

    fn take_over(&mut self, other: &Self, kept: impl IntoIterator<Item = u32>, limits: &Limits) {
        let mut moved: FxHashMap<u32, u32> = FxHashMap::default();
        for old in kept {
            let Some(mut statement) = other.statement(old).cloned() else { continue };
            for arg in statement.operation.args_mut() {
                if let Arg::Var(index) = arg {
                    *index = moved.get(index).copied().unwrap_or(*index);
                }
            }
            let Some(new) = self.push(statement.operation, statement.result, limits) else { return };
            if let Some(own) = self.statements.get_mut(new as usize) {
                own.runtime_class = statement.runtime_class;
            }
            moved.insert(old, new);
        }
        let known = other.variables.iter().filter_map(|(&o, v)| moved.get(v).map(|&new| (o, new)));
        for (object, new) in known {
            self.variables.entry(object).or_insert(new);
        }
    }

    /// The statements `variable` needs, and those that mention a variable which is kept, in order.
    fn connected(&self, variable: u32) -> Vec<u32> {
        let mut kept = vec![false; self.statements.len()];
        if let Some(slot) = kept.get_mut(variable as usize) {
            *slot = true;
        }
        // Whatever mentions a kept variable is kept with its own needs; each pass adds one statement at least, so that
        // the passes end, and the tape is bounded.
        let mut changed = true;
        while changed {
            changed = false;
            for (index, statement) in self.statements.iter().enumerate() {
                let needs: Vec<usize> = mentions(statement).into_iter().map(|need| need as usize).collect();
                let touches = needs.iter().any(|&n| kept.get(n) == Some(&true));
                let is_kept = kept.get(index) == Some(&true);
                if touches && !is_kept {
                    kept[index] = true;
                    changed = true;
                }
                if touches || is_kept {
                    for need in needs {
                        if kept.get(need) == Some(&false) {
                            kept[need] = true;
                            changed = true;
                        }
                    }
                }
            }
        }
        (0u32..).zip(kept).filter(|(_, kept)| *kept).map(|(index, _)| index).collect()
    }

    /// The objects first seen in the test method itself.
    pub(crate) fn take_fresh(&mut self) -> FxHashSet<ObjectId> {
        std::mem::take(&mut self.fresh)
    }

    /// The sequence and why it cannot be rebuilt as a whole. An opaque object that nothing mentions is no obstacle.
    pub(crate) fn finish(self) -> (Sequence, Option<String>) {
        let mentioned: FxHashSet<u32> = self.statements.iter().flat_map(mentions).collect();
        let opaque =
            (0u32..).zip(&self.statements).find_map(|(index, statement)| match &statement.operation {
                Operation::Opaque(what) if mentioned.contains(&index) || self.effects.contains(&index) => {
                    Some(format!("statement {index} cannot be rebuilt: {what}"))
                }
                _ => None,
            });
        (Sequence { statements: self.statements }, self.trouble.or(opaque))
    }
}

/// The statements a statement refers to.
fn mentions(statement: &Statement) -> Vec<u32> {
    statement.operation.args().into_iter().filter_map(held).collect()
}

/// The statement an argument refers to.
fn held(arg: &Arg) -> Option<u32> {
    match arg {
        Arg::Var(index) => Some(*index),
        Arg::Value(_) => None,
    }
}
