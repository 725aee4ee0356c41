//! The def-use pairs of a class that a running class can show, and which instructions must be watched for that.
//!
//! In: class bytes and what is known of other classes. Out: pairs within a method, of local variables, static fields and fields by paths, and pairs
//! between methods, of static fields and of fields of the object that the methods are called on. It knows neither how instructions are watched nor who
//! runs them. Invariants: a definition and a use are instructions (or the entry, or what a branch takes along an edge); of each variable and field that has pairs, all definitions of the
//! class are listed, so that whoever watches them knows which was the last; `this` itself, and what `this` and static fields hold when a method
//! is entered, are no definitions.

use super::callees::Callees;
use super::coverage::points::Points;
use super::inter::{self, Sited};
use super::method::{Analysed, MethodDuas};
use super::vars::{Field, VarId, Variable};
use super::{Kind, Options, Refusal};
use crate::product::{self, Limits};
use crate::{Dua, Use};
use dynaflow_classfile::class::access;
use dynaflow_classfile::{ClassFile, MemberIndex};
use std::collections::{BTreeMap, BTreeSet};

/// What to watch in a class, and the pairs that shows.
#[derive(Clone, Debug, Default)]
pub struct TrackedClass {
    /// The fields that pairs between methods are about.
    pub fields: Vec<TrackedField>,
    /// By position of the method in the class file, what defines in it; methods in which nothing is to be watched are missing.
    pub methods: BTreeMap<usize, TrackedMethod>,
    /// The pairs: those within a method by method, then those between methods.
    pub pairs: Vec<TrackedPair>,
    /// Methods (name and descriptor) that could not be analysed, and why; without a method, why there are no pairs between methods.
    pub refused: Vec<(Option<String>, Refusal)>,
}

/// A field that pairs between methods are about: declared by the class itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TrackedField {
    /// Its name.
    pub name: String,
    /// Whether it is static.
    pub is_static: bool,
}

/// What defines in a method.
#[derive(Clone, Debug, Default)]
pub struct TrackedMethod {
    /// By variable that has pairs within the method: the instructions that define it, in ascending order.
    pub variables: Vec<Vec<u32>>,
    /// Instructions that define a static field, or one of the object that the method is called on: the field, by its position. Some are calls
    /// that change the object that the field refers to.
    pub fields: BTreeMap<u32, u32>,
}

/// What a pair is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Carrier {
    /// A variable of an invocation, by its position among those of the method.
    Variable(u32),
    /// A field, by its position among those of the class.
    Field(u32),
}

/// What uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UsedAt {
    /// An instruction.
    Insn(u32),
    /// The branch at the end of a block, when it leads to another one; blocks are numbered as `dynaflow_bytecode::blocks::Blocks` numbers them.
    Edge {
        /// The branch.
        insn: u32,
        /// Its block.
        from: u32,
        /// The block it leads to.
        to: u32,
    },
}

/// A def-use pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackedPair {
    /// The id that the association has everywhere: 16 hexadecimal digits.
    pub id: String,
    /// Which kind it is of.
    pub kind: Kind,
    /// The variable in words.
    pub variable: String,
    /// What it is about.
    pub carrier: Carrier,
    /// The method, by position in the class file, and the instruction that defines; without one the entry, which defines parameters.
    pub definition: (usize, Option<u32>),
    /// The method, and what uses.
    pub usage: (usize, UsedAt),
    /// Whether definition and use are in one invocation.
    pub is_within: bool,
    /// Source lines of definition and use.
    pub lines: (Option<u32>, Option<u32>),
    /// Whether no other pair of the method subsumes it, or only those that it subsumes and that stand behind it.
    pub represents: bool,
}

/// Seeks the pairs of a class and what must be watched for them.
///
/// # Errors
/// When the bytes are no class file.
pub fn tracked(bytes: &[u8], options: &Options, callees: &dyn Callees) -> Result<TrackedClass, Refusal> {
    let class = ClassFile::parse(bytes)?;
    let mut found = TrackedClass::default();
    let (mut positions, mut all) = (vec![], vec![]);
    for (position, method) in class.methods.iter().enumerate() {
        let name = class.pool.utf8(method.name)?;
        // What compilers add, they add for themselves; bodies of lambdas are the source's.
        let is_added = method.access & access::SYNTHETIC != 0 && !name.0.starts_with(b"lambda$");
        if is_added || name.0 == b"<clinit>" {
            continue;
        }
        let analysed = Analysed::of(&class, method, options, true).and_then(|analysed| {
            let Some(analysed) = analysed else { return Ok(None) };
            found.add_within(position, &analysed, &analysed.finish(&class, options)?, options, &class)?;
            Ok(Some(analysed))
        });
        match analysed {
            Ok(Some(analysed)) => {
                positions.push(position);
                all.push(analysed);
            }
            Ok(None) => {}
            Err(refusal) => {
                let descriptor = class.pool.utf8(method.descriptor)?;
                found.refused.push((Some(format!("{name}{descriptor}")), refusal));
            }
        }
    }
    match inter::sited(&class, &all, options, callees) {
        Ok(across) => {
            Across { class: &class, methods: &all, positions: &positions }.add(&across, callees, &mut found)
        }
        Err(refusal) => found.refused.push((None, refusal)),
    }
    Ok(found)
}

impl TrackedClass {
    /// Adds the pairs within a method.
    fn add_within(
        &mut self,
        position: usize,
        analysed: &Analysed<'_>,
        duas: &MethodDuas,
        options: &Options,
        class: &ClassFile<'_>,
    ) -> Result<(), Refusal> {
        let points = Points::of(&class.pool, analysed, options)?;
        let standing = standing(duas);
        let (mut numbers, mut variables): (BTreeMap<VarId, u32>, Vec<Vec<u32>>) = Default::default();
        for (index, (dua, detail)) in duas.problem.duas().iter().zip(&duas.details).enumerate() {
            let variable = VarId(dua.variable.0);
            let is_held = detail.at_entry && detail.kind != Kind::Parameter;
            let Some(usage) = used_at(analysed, dua).filter(|_| !is_held && !is_this(analysed, variable))
            else {
                continue;
            };
            let number = *numbers.entry(variable).or_insert_with(|| {
                variables.push(points.definers(variable).to_vec());
                variables.len() as u32 - 1
            });
            self.pairs.push(TrackedPair {
                id: detail.id.clone(),
                kind: detail.kind,
                variable: detail.variable.clone(),
                carrier: Carrier::Variable(number),
                definition: (position, analysed.definer(dua.def, variable)),
                usage: (position, usage),
                is_within: true,
                lines: (detail.defined_at, detail.used_at),
                represents: standing.as_ref().is_none_or(|standing| standing.contains(&index)),
            });
        }
        if !variables.is_empty() {
            self.methods.entry(position).or_default().variables = variables;
        }
        Ok(())
    }
}

/// Whether a variable is the object that a method is called on.
fn is_this(analysed: &Analysed<'_>, variable: VarId) -> bool {
    analysed.member.access & access::STATIC == 0
        && analysed.effects.variables.get(variable) == Some(Variable::Local(0))
}

fn used_at(analysed: &Analysed<'_>, dua: &Dua) -> Option<UsedAt> {
    let variable = VarId(dua.variable.0);
    match dua.usage {
        Use::Node(node) => analysed.summary.uses.get(&(node, variable)).copied().map(UsedAt::Insn),
        Use::Edge(from, to) => Some(UsedAt::Edge {
            insn: *analysed.summary.decides.get(&(from, variable))?,
            from: analysed.lowered.block_of(from)?,
            to: analysed.lowered.block_of(to)?,
        }),
    }
}

/// The associations to test: of each class that no other subsumes the first one. None where that is not known.
fn standing(duas: &MethodDuas) -> Option<BTreeSet<usize>> {
    let limits = Limits { words: 1 << 20, steps: 50_000_000 };
    let classes = product::within(&duas.problem, limits).ok()?.classes();
    let first = |class| classes.members(class).iter().min().map(|dua| *dua as usize);
    Some(classes.unconstrained().filter_map(first).collect())
}

/// The methods of a class between which pairs are.
struct Across<'s, 'a> {
    class: &'s ClassFile<'a>,
    methods: &'s [Analysed<'a>],
    /// By method, its position in the class file.
    positions: &'s [usize],
}

impl<'a> Across<'_, 'a> {
    fn add(&self, all: &[Sited<'a>], callees: &dyn Callees, found: &mut TrackedClass) {
        let mut fields: BTreeMap<&[u8], u32> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for sited in all {
            let Some((field, pair)) = sited.field.and_then(|field| Some((field, self.pair(sited, field)?)))
            else {
                continue;
            };
            if !seen.insert((field.name.0, pair.definition, pair.usage, pair.is_within)) {
                // A pair of one method called in the other and of one called after the other is one pair.
                continue;
            }
            let number = *fields.entry(field.name.0).or_insert_with(|| {
                let is_static = self.declared(field).unwrap_or_default();
                found.fields.push(TrackedField { name: field.name.to_string(), is_static });
                found.fields.len() as u32 - 1
            });
            found.pairs.push(TrackedPair { carrier: Carrier::Field(number), ..pair });
        }
        for (method, position) in self.methods.iter().zip(self.positions) {
            let definers = self.definers(method, callees, &fields);
            if !definers.is_empty() {
                found.methods.entry(*position).or_default().fields = definers;
            }
        }
    }

    /// Whether the class itself declares a field of this name, and whether that is static.
    fn declared(&self, field: Field<'_>) -> Option<bool> {
        let own = self.class.name().ok()?.0 == field.owner.0;
        let has_name = |member: &&dynaflow_classfile::Member<'_>| {
            self.class.pool.utf8(member.name).is_ok_and(|name| name.0 == field.name.0)
        };
        let member = self.class.fields.iter().find(has_name).filter(|_| own)?;
        Some(member.access & access::STATIC != 0)
    }

    /// A pair of a field of the class whose definition and use are of the object that their methods are called on.
    fn pair(&self, sited: &Sited<'a>, field: Field<'a>) -> Option<TrackedPair> {
        let is_static = self.declared(field)?;
        let own = |method: u32| Self::own(self.methods.get(method as usize)?, field, is_static);
        let ((definer, defines), (user, uses)) = (sited.definer, sited.user);
        let (defined, used) = (own(definer)?, own(user)?);
        let of_definer = self.methods.get(definer as usize)?;
        let is_assigned = of_definer.effects.effects.get(defines as usize)?.defines == Some(defined);
        if !is_assigned && Self::changed(of_definer, defines) != Some(defined) {
            return None;
        }
        let of_user = self.methods.get(user as usize)?;
        let effect = of_user.effects.effects.get(uses as usize)?;
        if !of_user.effects.sets.get(effect.uses).contains(&used) {
            return None;
        }
        let usage = match sited.dua.usage.at {
            Use::Node(_) => UsedAt::Insn(uses),
            Use::Edge(from, to) => {
                let (from, to) = (of_user.lowered.block_of(from)?, of_user.lowered.block_of(to)?);
                UsedAt::Edge { insn: uses, from, to }
            }
        };
        let position = |method: u32| self.positions.get(method as usize).copied();
        Some(TrackedPair {
            id: sited.dua.id.clone(),
            kind: sited.dua.kind,
            variable: sited.dua.variable.clone(),
            carrier: Carrier::Field(0),
            definition: (position(definer)?, Some(defines)),
            usage: (position(user)?, usage),
            is_within: sited.dua.kind == Kind::IntraMethod,
            lines: (sited.dua.definition.line, sited.dua.usage.line),
            represents: true,
        })
    }

    /// The field as a variable of a method.
    fn own(method: &Analysed<'a>, field: Field<'a>, is_static: bool) -> Option<VarId> {
        let variables = &method.effects.variables;
        if is_static {
            return variables.find(Variable::Static(field));
        }
        if method.member.access & access::STATIC != 0 {
            return None;
        }
        variables.find(Variable::Path(variables.find(Variable::Local(0))?, field))
    }

    /// The variable that a call is made on.
    fn changed(method: &Analysed<'_>, insn: u32) -> Option<VarId> {
        let at = method.effects.calls.binary_search_by_key(&insn, |call| call.insn).ok()?;
        method.effects.calls.get(at)?.receiver?.path
    }

    /// The instructions of a method that define fields which have pairs.
    fn definers(
        &self,
        method: &Analysed<'a>,
        callees: &dyn Callees,
        fields: &BTreeMap<&[u8], u32>,
    ) -> BTreeMap<u32, u32> {
        let number = |id: VarId| {
            let field = match method.effects.variables.get(id)? {
                Variable::Static(field) => field,
                Variable::Path(base, field) => {
                    is_this(method, base).then_some(())?;
                    field
                }
                Variable::Local(_) => return None,
            };
            self.declared(field)?;
            fields.get(field.name.0).copied()
        };
        let assigned = (0u32..).zip(&method.effects.effects);
        let assigned = assigned.filter_map(|(insn, effect)| Some((insn, number(effect.defines?)?)));
        let changing = method.effects.calls.iter().filter_map(|call| {
            let field = number(call.receiver?.path?)?;
            let insn = method.body.insns.get(call.insn as usize)?;
            let member = self.class.pool.member(MemberIndex(insn.constant()?)).ok()?;
            let is_own = self.class.name().is_ok_and(|name| name.0 == member.owner.0);
            (!is_own && callees.modifies(&member)).then_some((call.insn, field))
        });
        assigned.chain(changing).collect()
    }
}
