//! The variables of a method: local variables by slot, static fields, and fields by the path that leads to them.
//!
//! It knows what a variable is made of, not where it is defined or used. A path is a variable and a field of the object it
//! holds; its root is a local variable (`this` is one) or a static field. Invariants: a variable is interned once; the
//! variables a path goes through are interned before the path itself.

use dynaflow_classfile::Mutf8;
use dynaflow_classfile::pool::MemberText;
use rustc_hash::FxHashMap;

/// A variable of one method, by its position in the method's [`Variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

impl VarId {
    /// The position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<VarId> for crate::Variable {
    fn from(id: VarId) -> Self {
        Self(id.0)
    }
}

/// A field as an instruction names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field<'a> {
    /// Internal name of the class.
    pub owner: Mutf8<'a>,
    /// Simple name.
    pub name: Mutf8<'a>,
    /// Descriptor.
    pub descriptor: Mutf8<'a>,
}

impl<'a> From<MemberText<'a>> for Field<'a> {
    fn from(member: MemberText<'a>) -> Self {
        Self { owner: member.owner, name: member.name, descriptor: member.descriptor }
    }
}

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variable<'a> {
    /// A local variable slot; 0 of an instance method is `this`.
    Local(u16),
    /// A static field.
    Static(Field<'a>),
    /// A field of the object that another variable holds.
    Path(VarId, Field<'a>),
}

/// The variables a method mentions.
#[derive(Clone, Debug, Default)]
pub struct Variables<'a> {
    all: Vec<Variable<'a>>,
    ids: FxHashMap<Variable<'a>, VarId>,
    /// By variable: the paths one field longer.
    longer: Vec<Vec<VarId>>,
}

impl<'a> Variables<'a> {
    /// The variable, interned.
    pub fn intern(&mut self, variable: Variable<'a>) -> VarId {
        if let Some(id) = self.ids.get(&variable) {
            return *id;
        }
        let id = VarId(self.all.len() as u32);
        self.all.push(variable);
        self.longer.push(Vec::new());
        self.ids.insert(variable, id);
        if let Variable::Path(base, _) = variable
            && let Some(longer) = self.longer.get_mut(base.index())
        {
            longer.push(id);
        }
        id
    }

    /// What a variable is.
    pub fn get(&self, id: VarId) -> Option<Variable<'a>> {
        self.all.get(id.index()).copied()
    }

    /// The id of a variable that was interned.
    pub fn find(&self, variable: Variable<'a>) -> Option<VarId> {
        self.ids.get(&variable).copied()
    }

    /// All variables in the order they were interned.
    pub fn iter(&self) -> impl Iterator<Item = (VarId, Variable<'a>)> {
        (0..).map(VarId).zip(self.all.iter().copied())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether the method mentions none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// How many fields a path goes through.
    pub fn fields(&self, id: VarId) -> usize {
        let mut count = 0;
        let mut at = id;
        while let Some(Variable::Path(base, _)) = self.get(at) {
            count += 1;
            at = base;
        }
        count
    }

    /// The variable a path begins with, or the variable itself.
    pub fn root(&self, id: VarId) -> VarId {
        let mut at = id;
        while let Some(Variable::Path(base, _)) = self.get(at) {
            at = base;
        }
        at
    }

    /// Calls `visit` with a variable and every mentioned path that goes through it: what an assignment of it defines.
    pub fn defined_with(&self, id: VarId, mut visit: impl FnMut(VarId)) {
        let mut open = vec![id];
        while let Some(next) = open.pop() {
            visit(next);
            open.extend(self.longer.get(next.index()).into_iter().flatten());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &'static str) -> Field<'static> {
        Field { owner: Mutf8(b"a/B"), name: Mutf8(name.as_bytes()), descriptor: Mutf8(b"La/B;") }
    }

    #[test]
    fn assigning_a_variable_defines_every_path_through_it_and_no_other() {
        let mut variables = Variables::default();
        let this = variables.intern(Variable::Local(0));
        let next = variables.intern(Variable::Path(this, field("next")));
        let deep = variables.intern(Variable::Path(next, field("value")));
        let other = variables.intern(Variable::Path(this, field("value")));
        let with = |id| {
            let mut found = Vec::new();
            variables.defined_with(id, |id| found.push(id));
            found.sort_unstable();
            found
        };
        assert_eq!(with(this), [this, next, deep, other]);
        assert_eq!(with(next), [next, deep]);
        assert_eq!(with(other), [other]);
        assert_eq!(variables.root(deep), this);
    }

    #[test]
    fn a_variable_is_interned_once() {
        let mut variables = Variables::default();
        let first = variables.intern(Variable::Static(field("count")));
        assert_eq!(variables.intern(Variable::Static(field("count"))), first);
        assert_ne!(variables.intern(Variable::Static(field("limit"))), first);
        assert_eq!(variables.len(), 2);
    }
}
