//! Associations between the methods of a class, after Harrold and Rothermel, and Vivanti et al.
//!
//! Data path: `events` (what happens in a method) -> `summary` (what a method means to its callers, round by round) -> the pairs by
//! way of calls (inter-method), and those of public methods called one after the other (intra-class). It knows one class at a
//! time; of others, whether a call changes the object it is made on. Objects are followed by paths from `this`, parameters
//! and static fields; two paths to one object are two variables. Invariant: what is given depends on the class file and
//! the answers about other classes alone.

mod events;
mod summary;

use super::callees::Callees;
use super::method::Analysed;
use super::vars::{Field, VarId, Variable, Variables};
use super::{Kind, Options, Refusal};
use crate::{EdgeKind, Node, Use};
use dynaflow_classfile::ClassFile;
use dynaflow_classfile::class::access;
use events::{ByName, Collector, DefSite, Event, Events, UseSite};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use summary::{Budget, MAX_PAIRS, Solver, Summary};

/// One end of an association between methods.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place<N> {
    /// Name and descriptor of the method.
    pub method: String,
    /// Where in it.
    pub at: N,
    /// Source line.
    pub line: Option<u32>,
}

/// An association between methods of a class, or one within a method whose definition is a call that changes an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossDua {
    /// The same on every machine for the same class files.
    pub id: String,
    /// Which kind it is of.
    pub kind: Kind,
    /// The variable, as the method says that calls the others (or is alone).
    pub variable: String,
    /// Where it is defined.
    pub definition: Place<Node>,
    /// Whether the definition is a call that changes the object the variable refers to.
    pub modifier: bool,
    /// Where it is used.
    pub usage: Place<Use>,
}

/// A pair with its kind and the method in whose terms the variable is spelled.
type Found = BTreeSet<(Kind, u32, VarId, DefSite, UseSite)>;

/// Steps that may be done for a class: seconds' worth.
const STEPS: u64 = 300_000_000;

/// An association between methods with the instructions at its ends.
#[derive(Clone, Debug)]
pub(crate) struct Sited<'a> {
    /// The association.
    pub dua: CrossDua,
    /// The method, by its position among those analysed, and the instruction that defines.
    pub definer: (u32, u32),
    /// The same of what uses.
    pub user: (u32, u32),
    /// The field, when the variable is a static field, or a field of the object that the method is called on whose terms these are.
    pub field: Option<Field<'a>>,
}

/// The associations between the methods of a class.
///
/// # Errors
/// When they would take too much time or memory, which only classes made for it do.
pub(crate) fn associations<'a>(
    class: &ClassFile<'a>,
    methods: &[Analysed<'a>],
    options: &Options,
    callees: &dyn Callees,
) -> Result<Vec<CrossDua>, Refusal> {
    Ok(sited(class, methods, options, callees)?.into_iter().map(|sited| sited.dua).collect())
}

/// The same, with the instructions at their ends.
///
/// # Errors
/// As above.
pub(crate) fn sited<'a>(
    class: &ClassFile<'a>,
    methods: &[Analysed<'a>],
    options: &Options,
    callees: &dyn Callees,
) -> Result<Vec<Sited<'a>>, Refusal> {
    let budget = Budget::new(STEPS);
    let too_much = || {
        let count = methods.len();
        let reason = format!(
            "associations between its {count} methods would take too much; those within methods are given"
        );
        Err(Refusal { offset: None, reason })
    };
    let mut variables = Variables::default();
    let all_events = events_of(class, methods, callees, &mut variables);
    let flows: Vec<Flow> = methods.iter().map(|method| Flow::of(method)).collect();
    let summaries = settle(&mut variables, &all_events, &flows, &budget);
    let mut found = Found::new();
    for (number, (events, flow)) in (0u32..).zip(all_events.iter().zip(&flows)) {
        let (_, pairs) = flow.solve(&mut variables, events, &summaries, &budget);
        if budget.is_spent() || found.len() > MAX_PAIRS {
            return too_much();
        }
        for (id, definition, usage) in pairs {
            let within = definition.method == number && usage.method == number;
            if !within {
                found.insert((Kind::InterMethod, number, id, definition, usage));
            } else if definition.modifier && !within_block(&definition, &usage) {
                found.insert((Kind::IntraMethod, number, id, definition, usage));
            }
        }
    }
    if !intra_class(class, methods, &variables, &summaries, &mut found) {
        return too_much();
    }
    Ok(Speller { class, methods, variables: &variables, options }.spell(&found))
}

/// Whether a use follows a definition in one block: then it makes no association.
fn within_block(definition: &DefSite, usage: &UseSite) -> bool {
    usage.usage == Use::Node(definition.node) && definition.insn < usage.insn
}

fn events_of<'a>(
    class: &ClassFile<'a>,
    methods: &[Analysed<'a>],
    callees: &dyn Callees,
    variables: &mut Variables<'a>,
) -> Vec<Events> {
    let mut by_name = ByName::new();
    for (number, method) in (0u32..).zip(methods) {
        let member = &method.member;
        if let (Ok(name), Ok(descriptor)) = (class.pool.utf8(member.name), class.pool.utf8(member.descriptor))
        {
            by_name.insert((name.0, descriptor.0), (number, member.access & access::STATIC == 0));
        }
    }
    let mut collector = Collector { class, methods: &by_name, callees, variables };
    (0..).zip(methods).map(|(number, method)| collector.collect(number, method)).collect()
}

/// The control flow of a method.
struct Flow {
    successors: Vec<Vec<usize>>,
    exits: Vec<bool>,
}

impl Flow {
    /// Positions are those of nodes, from node 1 on.
    fn of(method: &Analysed<'_>) -> Self {
        let cfg = &method.lowered.cfg;
        let real = |node: Node| cfg.successors(node).iter().filter(|edge| edge.kind != EdgeKind::Added);
        let nodes = 1..cfg.exit();
        let successors = nodes.clone().map(|node| {
            let onward = real(node).filter(|edge| edge.to != cfg.exit());
            onward.map(|edge| edge.to as usize - 1).collect()
        });
        let exits = nodes.map(|node| real(node).any(|edge| edge.to == cfg.exit()));
        Self { successors: successors.collect(), exits: exits.collect() }
    }

    fn solve(
        &self,
        variables: &mut Variables<'_>,
        events: &Events,
        summaries: &[Summary],
        budget: &Budget,
    ) -> (Summary, Vec<summary::Pair>) {
        let successors = |block: usize| self.successors.get(block).cloned().unwrap_or_default();
        Solver::solve(variables, events, summaries, budget, &successors, &self.exits)
    }
}

/// The summaries of all methods: those of callers again whenever one changes.
fn settle(
    variables: &mut Variables<'_>,
    all_events: &[Events],
    flows: &[Flow],
    budget: &Budget,
) -> Vec<Summary> {
    let mut callers: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); all_events.len()];
    let mut callees: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); all_events.len()];
    for (caller, (events, callees)) in all_events.iter().zip(&mut callees).enumerate() {
        for event in events.nodes.iter().flatten() {
            if let Event::Call(call) = event
                && let Some(callers) = callers.get_mut(call.callee as usize)
            {
                callers.insert(caller);
                callees.insert(call.callee as usize);
            }
        }
    }
    let mut summaries = vec![Summary::default(); all_events.len()];
    // Callees before callers, and who has to be looked at again after all others.
    let mut open = VecDeque::from(callees_first(&callees));
    let mut waiting = vec![true; all_events.len()];
    while let Some(number) = open.pop_front() {
        waiting.get_mut(number).into_iter().for_each(|waiting| *waiting = false);
        let (Some(events), Some(flow)) = (all_events.get(number), flows.get(number)) else { continue };
        let (summary, _) = flow.solve(variables, events, &summaries, budget);
        if budget.is_spent() {
            break;
        }
        if let Some(old) = summaries.get_mut(number)
            && *old != summary
        {
            *old = summary;
            let again = callers.get(number).into_iter().flatten();
            open.extend(again.filter(|caller| {
                waiting.get_mut(**caller).is_some_and(|waiting| !std::mem::replace(waiting, true))
            }));
        }
    }
    summaries
}

/// All methods, what one calls before it as far as they do not call one another.
fn callees_first(callees: &[BTreeSet<usize>]) -> Vec<usize> {
    let (mut order, mut seen) = (Vec::with_capacity(callees.len()), vec![false; callees.len()]);
    for root in 0..callees.len() {
        let mut open = vec![(root, false)];
        while let Some((method, done)) = open.pop() {
            if done {
                order.push(method);
            } else if let Some(seen @ false) = seen.get_mut(method) {
                *seen = true;
                open.push((method, true));
                open.extend(callees.get(method).into_iter().flatten().map(|callee| (*callee, false)));
            }
        }
    }
    order
}

/// Pairs of what a public method leaves and what one called after it uses. Constructors come first. False when they are too many.
fn intra_class(
    class: &ClassFile<'_>,
    methods: &[Analysed<'_>],
    variables: &Variables<'_>,
    summaries: &[Summary],
    found: &mut Found,
) -> bool {
    let is_public =
        |number: &usize| methods.get(*number).is_some_and(|m| m.member.access & access::PUBLIC != 0);
    let named = |number: usize, name: &[u8]| {
        let member = methods.get(number).map(|method| method.member.name);
        member.and_then(|index| class.pool.utf8(index).ok()).is_some_and(|text| text.0 == name)
    };
    let public: Vec<usize> = (0..methods.len()).filter(is_public).collect();
    let is_static =
        |number: usize| methods.get(number).is_some_and(|method| method.member.access & access::STATIC != 0);
    // What stays when a method is over: static fields, and what hangs on `this`.
    let stays = |number: usize, id: VarId| match variables.get(variables.root(id)) {
        Some(Variable::Static(_)) => true,
        Some(Variable::Local(slot)) => slot == 0 && !is_static(number),
        _ => false,
    };
    for second in public.iter().filter(|number| !named(**number, b"<init>")) {
        let Some(used) = summaries.get(*second) else { continue };
        for (id, usage) in used.exposed.iter().filter(|(id, _)| stays(*second, *id)) {
            for first in &public {
                let Some(defined) = summaries.get(*first) else { continue };
                let Some(source) = source(variables, &defined.mentioned, *id) else { continue };
                let all = (source, DefSite::FIRST)..;
                let left = defined.left.range(all).take_while(|(other, _)| *other == source);
                let left = left.filter(|(other, _)| stays(*first, *other));
                found.extend(left.map(|(_, site)| (Kind::IntraClass, *second as u32, *id, *site, *usage)));
                if found.len() > MAX_PAIRS {
                    return false;
                }
            }
        }
    }
    true
}

/// The variable of a method that decides about another one: that one itself, or the longest prefix of its path that the method mentions.
fn source(variables: &Variables<'_>, mentioned: &BTreeMap<VarId, bool>, id: VarId) -> Option<VarId> {
    let mut at = id;
    while !mentioned.contains_key(&at) {
        let Some(Variable::Path(base, _)) = variables.get(at) else { return None };
        at = base;
    }
    Some(at)
}

/// Puts pairs into words.
struct Speller<'s, 'a> {
    class: &'s ClassFile<'a>,
    methods: &'s [Analysed<'a>],
    variables: &'s Variables<'a>,
    options: &'s Options,
}

impl<'a> Speller<'_, 'a> {
    fn spell(&self, found: &Found) -> Vec<Sited<'a>> {
        let class = self.class.name().map(|name| name.to_binary_name()).unwrap_or_default();
        let sited = |pair: &(Kind, u32, VarId, DefSite, UseSite)| {
            let (_, number, id, definition, usage) = pair;
            let dua = self.one(&class, pair)?;
            let (definer, user) = ((definition.method, definition.insn), (usage.method, usage.insn));
            Some(Sited { dua, definer, user, field: self.field(*number, *id) })
        };
        let mut all: Vec<Sited<'a>> = found.iter().filter_map(sited).collect();
        all.sort_by(|Sited { dua: a, .. }, Sited { dua: b, .. }| {
            let (x, y) = ((a.kind, &a.variable), (b.kind, &b.variable));
            x.cmp(&y).then_with(|| (&a.definition, &a.usage).cmp(&(&b.definition, &b.usage)))
        });
        all.dedup_by(|a, b| a.dua.id == b.dua.id);
        all
    }

    /// The field that a variable of a method is, when it is one of its object or a static one.
    fn field(&self, speaker: u32, id: VarId) -> Option<Field<'a>> {
        let access = self.methods.get(speaker as usize)?.member.access;
        match self.variables.get(id)? {
            Variable::Static(field) => Some(field),
            Variable::Path(base, field) => {
                let of_this =
                    self.variables.get(base) == Some(Variable::Local(0)) && access & access::STATIC == 0;
                of_this.then_some(field)
            }
            Variable::Local(_) => None,
        }
    }

    fn one(
        &self,
        class: &str,
        (kind, number, id, definition, usage): &(Kind, u32, VarId, DefSite, UseSite),
    ) -> Option<CrossDua> {
        let speaker = self.methods.get(*number as usize)?;
        let (definer, user) =
            (self.methods.get(definition.method as usize)?, self.methods.get(usage.method as usize)?);
        let insn = match (definition.method == *number, usage.method == *number) {
            (true, _) => Some(definition.insn),
            (false, true) => Some(usage.insn),
            // Through two calls: of the variables only fields and parameters stay.
            (false, false) => None,
        };
        let slot = match self.variables.get(self.variables.root(*id))? {
            Variable::Local(slot) => Some(slot),
            _ => None,
        };
        let unnamed = |offset: u32| slot.is_some_and(|slot| speaker.names.local(slot, offset).is_none());
        let mut offset = speaker.name_offset_of(slot, insn);
        // Some compilers name a variable later than where it is defined.
        if unnamed(offset) && definition.method == *number && usage.method == *number {
            offset = speaker.offset_of(usage.insn);
        }
        let unnamed = unnamed(offset);
        if unnamed && !self.options.temporaries && speaker.names.has_locals() {
            return None;
        }
        let variable = speaker.names.spell(self.variables, *id, offset, false);
        let definition_place = Place {
            method: definer.signature(self.class)?,
            at: definition.node,
            line: definer.names.line(definer.offset_of(definition.insn)),
        };
        let usage_place = Place {
            method: user.signature(self.class)?,
            at: usage.usage,
            line: user.names.line(user.offset_of(usage.insn)),
        };
        let id = super::method::digest(&[
            class,
            &kind.to_string(),
            &definition_place.method,
            &definition_place.at.to_string(),
            &usage_place.method,
            &usage_place.at.to_string(),
            &variable,
        ]);
        Some(CrossDua {
            id,
            kind: *kind,
            variable,
            definition: definition_place,
            modifier: definition.modifier,
            usage: usage_place,
        })
    }
}
