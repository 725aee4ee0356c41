//! Which mutants PIT leaves out by default: code the compiler made, code that runs once for a class, and changes known to
//! change nothing or to loop for ever. It knows patterns of instructions as javac writes them, not operators' changes.
//!
//! Invariant: every mutant left out has a reason that is counted by name.
//!
//! Left out as by PIT: synthetic methods but lambdas, what annotations mark as generated or excluded, what an enum or a record has by itself (the assignments at the end of a compact constructor, too), `<clinit>` and private methods it calls, the
//! headers of for-each loops, `assert`, the hashing of a switch over texts, lines that log, counters of counting loops, returns
//! of what is returned already, a multiplication by -1, and copies of a `finally` block, which become one mutant. PIT's filters for try-with-resources of old
//! compilers, switches over an enum, Groovy, Kotlin and Lombok have no counterpart here, and mutants of lambdas that a `<clinit>` makes stay: they run later.

use crate::context::Context;
use crate::found::Found;
use crate::operator::Operator;
use dynaflow_bytecode::{Body, assigned_of_record, is_marked, is_of_record};
use dynaflow_classfile::class::access;
use dynaflow_classfile::{ClassFile, Constant, Member, MemberIndex, Opcode};
use std::collections::BTreeSet;

/// Why a mutant is left out.
pub(crate) type Reason = &'static str;

const LOGGERS: &[&str] = &[
    "java/util/logging",
    "org/apache/log4j",
    "org/slf4j",
    "org/apache/commons/logging",
    "org/apache/logging/log4j",
    "org/tinylog",
];

/// Why all mutants of a method are left out.
pub(crate) fn of_method(
    class: &ClassFile<'_>,
    method: &Member<'_>,
    once: &BTreeSet<(u16, u16)>,
) -> Option<Reason> {
    let text = |index| class.pool.utf8(index).map(|text| text.to_string()).unwrap_or_default();
    let (name, descriptor) = (text(method.name), text(method.descriptor));
    if method.access & access::SYNTHETIC != 0 && !name.starts_with("lambda$") {
        return Some("synthetic method");
    }
    if once.contains(&(method.name.0, method.descriptor.0)) {
        return Some("code of a static initializer");
    }
    if is_marked(class, method) {
        return Some("code that an annotation marks as generated or excluded");
    }
    if is_of_record(class, method).unwrap_or(false) {
        return Some("member the compiler made for a record");
    }
    let parent = class.super_name().ok().flatten().map(|name| name.to_string()).unwrap_or_default();
    let made = name == "<init>"
        || name == "values" && descriptor.starts_with("()[")
        || name == "valueOf" && descriptor.starts_with("(Ljava/lang/String;)");
    (parent == "java/lang/Enum" && made).then_some("method the compiler made for an enum")
}

/// Name and descriptor of `<clinit>` and of the private methods that it or they call.
pub(crate) fn run_once(class: &ClassFile<'_>) -> BTreeSet<(u16, u16)> {
    let name_of = |method: &Member<'_>| (method.name.0, method.descriptor.0);
    let is = |method: &&Member<'_>, name: &str| {
        class.pool.utf8(method.name).is_ok_and(|text| text.0 == name.as_bytes())
    };
    let mut open: Vec<&Member<'_>> = class.methods.iter().filter(|method| is(method, "<clinit>")).collect();
    let mut found: BTreeSet<(u16, u16)> = open.iter().map(|method| name_of(method)).collect();
    while let Some(method) = open.pop() {
        let Ok(Some(body)) = Body::of_method(class, method) else { continue };
        for called in body.insns.iter().filter_map(|insn| called_here(class, insn.constant()?)) {
            let private = class.methods.iter().find(|other| name_of(other) == called);
            if let Some(private) = private.filter(|other| other.access & access::PRIVATE != 0)
                && found.insert(called)
            {
                open.push(private);
            }
        }
    }
    found
}

/// The method of the class itself that a constant names.
fn called_here(class: &ClassFile<'_>, constant: u16) -> Option<(u16, u16)> {
    let (Constant::Method(owner, rest) | Constant::InterfaceMethod(owner, rest)) =
        class.pool.get(constant)?
    else {
        return None;
    };
    let own = class.pool.class_name(owner).ok()?.0 == class.name().ok()?.0;
    match class.pool.get(rest.0) {
        Some(Constant::NameAndType(name, descriptor)) if own => Some((name.0, descriptor.0)),
        _ => None,
    }
}

/// What the patterns of one method say.
pub(crate) struct Patterns {
    /// By instruction: why its mutants are left out.
    regions: Vec<Option<Reason>>,
    /// Increments that count a loop.
    counters: BTreeSet<usize>,
}

impl Patterns {
    /// Looks through a method.
    pub fn of(context: &Context<'_, '_>, method: &Member<'_>) -> Self {
        let count = context.body.insns.len();
        let mut patterns = Self { regions: vec![None; count], counters: BTreeSet::new() };
        let assigned = assigned_of_record(context.class, method).unwrap_or_default();
        patterns.mark(assigned, "assignment the compiler made for a record");
        for index in 0..count {
            patterns.asserts(context, index);
            patterns.iterators(context, index);
            patterns.arrays(context, index);
            patterns.texts(context, index);
            patterns.counting(context, index);
        }
        patterns
    }

    fn mark(&mut self, range: impl IntoIterator<Item = usize>, reason: Reason) {
        for index in range {
            if let Some(place) = self.regions.get_mut(index) {
                *place = Some(reason);
            }
        }
    }

    /// Everything between the test of `$assertionsDisabled` and where it jumps to.
    fn asserts(&mut self, context: &Context<'_, '_>, index: usize) {
        let asks = context.member(index).is_some_and(|member| member.name.0 == b"$assertionsDisabled");
        if let (true, Some(Opcode::Ifne), Some(end)) =
            (asks, context.opcode(index + 1), context.target(index + 1))
        {
            self.mark(index..end, "assert");
        }
    }

    /// `iterator()`, `hasNext()`, its jump and `next()` of a for-each loop.
    fn iterators(&mut self, context: &Context<'_, '_>, index: usize) {
        let iterator = context
            .member(index)
            .is_some_and(|member| member.descriptor.0.ends_with(b")Ljava/util/Iterator;"));
        let stores = context.opcode(index + 1).is_some_and(is_astore);
        let (test, jump) = (index + 3, index + 4);
        let asks = context.calls(test, "java/util/Iterator", "hasNext");
        let jumps = context.opcode(jump).is_some_and(Opcode::is_conditional);
        // A loop that was written with an iterator asks and takes on lines of their own.
        let at_once = context.line(index) == context.line(index + 6);
        let takes = context.calls(index + 6, "java/util/Iterator", "next");
        if iterator && stores && asks && jumps && takes && at_once {
            self.mark([index, test, jump, index + 6], "header of a for-each loop");
        }
    }

    /// `arraylength`, the comparison and the increment of a for-each loop over an array.
    fn arrays(&mut self, context: &Context<'_, '_>, index: usize) {
        let ops: Vec<Option<Opcode>> = (index..index + 7).map(|index| context.opcode(index)).collect();
        let [
            Some(Opcode::Arraylength),
            Some(limit),
            Some(Opcode::Iconst0),
            Some(counter),
            Some(first),
            Some(second),
            Some(jump),
        ] = ops[..]
        else {
            return;
        };
        let loads = is_istore(limit) && is_istore(counter) && is_iload(first) && is_iload(second);
        let head = index + 4;
        let variable = context.insn(index + 3).and_then(|insn| insn.local());
        if !loads || !jump.is_conditional() || !context.is_target(head) {
            return;
        }
        let increments = (index + 7..context.body.insns.len()).find(|at| {
            let insn = context.insn(*at);
            let steps = insn.is_some_and(|insn| insn.opcode == Opcode::Iinc && insn.local() == variable);
            steps && context.opcode(at + 1) == Some(Opcode::Goto) && context.target(at + 1) == Some(head)
        });
        if let Some(at) = increments {
            self.mark([index, index + 2, index + 6, at], "header of a for-each loop");
        }
    }

    /// From the `-1` to the second switch of a switch over texts.
    fn texts(&mut self, context: &Context<'_, '_>, index: usize) {
        let begins = context.opcode(index) == Some(Opcode::IconstM1)
            && context.opcode(index + 1).is_some_and(is_istore)
            && context.calls(index + 3, "java/lang/String", "hashCode")
            && context.opcode(index + 4).is_some_and(is_switch);
        if begins
            && let Some(end) =
                (index + 5..context.body.insns.len()).find(|at| context.opcode(*at).is_some_and(is_switch))
        {
            self.mark(index..end, "switch over texts");
        }
    }

    /// The increment at the end of a loop whose condition at its start loads the counter.
    fn counting(&mut self, context: &Context<'_, '_>, index: usize) {
        let Some(insn) = context.insn(index).filter(|insn| insn.opcode == Opcode::Iinc) else { return };
        let Some(head) = context.target(index + 1).filter(|head| *head < index) else { return };
        if context.opcode(index + 1) != Some(Opcode::Goto) {
            return;
        }
        let local = insn.local();
        // PIT ignores `getfield`s, and what loads the object of one is a load of a reference before it.
        let first = context.insn(head);
        let loads = first.is_some_and(|first| is_iload(first.opcode) && first.local() == local);
        let leaves = (head..index).any(|at| {
            context.opcode(at).is_some_and(Opcode::is_conditional) && context.target(at) == Some(index + 2)
        });
        if loads && leaves {
            self.counters.insert(index);
        }
    }

    /// Why a mutant of the method is left out.
    pub fn reason(&self, context: &Context<'_, '_>, found: &Found) -> Option<Reason> {
        if let Some(reason) = self.regions.get(found.insn).copied().flatten() {
            return Some(reason);
        }
        if self.counters.contains(&found.insn) && found.operator == Operator::Increments {
            return Some("counter of a loop");
        }
        if returns_the_same(context, found) {
            return Some("returns what is returned already");
        }
        let times = matches!(
            context.opcode(found.insn),
            Some(Opcode::Imul | Opcode::Lmul | Opcode::Fmul | Opcode::Dmul)
        );
        let minus = context.before(found.insn) == Some(Opcode::IconstM1);
        (times && minus && found.operator == Operator::Math).then_some("multiplication by -1")
    }
}

/// Whether the instruction before a return gives what the mutant returns.
fn returns_the_same(context: &Context<'_, '_>, found: &Found) -> bool {
    use Opcode as O;
    let Some(at) = found.insn.checked_sub(1) else { return false };
    let before = context.opcode(at);
    let zero = |opcode| matches!(opcode, Some(O::Iconst0 | O::Lconst0 | O::Fconst0 | O::Dconst0));
    let boxed = context.calls(at, "", "valueOf");
    let named = |name: &str| {
        context.member(at).is_some_and(|m| m.owner.0 == b"java/lang/Boolean" && m.name.0 == name.as_bytes())
    };
    let reference = context.opcode(found.insn) == Some(O::Areturn);
    match found.operator {
        Operator::PrimitiveReturns => zero(before),
        Operator::FalseReturns if !reference => zero(before),
        Operator::TrueReturns if !reference => before == Some(O::Iconst1),
        Operator::TrueReturns => named("TRUE") || boxed && context.before(at) == Some(O::Iconst1),
        Operator::NullReturns => before == Some(O::AconstNull) || is_stored_null(context, at),
        Operator::FalseReturns => named("FALSE") || boxed && zero(context.before(at)),
        Operator::EmptyReturns => {
            boxed && zero(context.before(at)) || is_empty_text(context, at) || makes_empty(context, at)
        }
        _ => false,
    }
}

/// Whether a load gets the `null` that was stored just before on every way: what runs in between is a `finally` block.
fn is_stored_null(context: &Context<'_, '_>, at: usize) -> bool {
    let local = |at: usize| context.insn(at).and_then(|insn| insn.local());
    let is_load = context.opcode(at).is_some_and(is_aload);
    let goes_on = |at: usize| {
        let ends = context.opcode(at).is_none_or(Opcode::ends_block);
        !context.is_target(at) && !ends && context.target(at).is_none()
    };
    let before = (0..at).rev().take_while(|at| goes_on(*at));
    let mut stores =
        before.filter(|one| context.opcode(*one).is_some_and(is_astore) && local(*one) == local(at));
    let stored = stores.next().filter(|_| is_load);
    stored.is_some_and(|store| context.before(store) == Some(Opcode::AconstNull) && !context.is_target(at))
}

fn is_empty_text(context: &Context<'_, '_>, at: usize) -> bool {
    let constant = context.insn(at).filter(|insn| matches!(insn.opcode, Opcode::Ldc | Opcode::LdcW));
    match constant.and_then(|insn| context.class.pool.get(insn.constant()?)) {
        Some(Constant::String(text)) => context.class.pool.utf8(text).is_ok_and(|text| text.0.is_empty()),
        _ => false,
    }
}

fn makes_empty(context: &Context<'_, '_>, at: usize) -> bool {
    let makers = [
        ("java/util/Optional", "empty"),
        ("java/util/stream/Stream", "empty"),
        ("java/util/Collections", "emptyList"),
        ("java/util/Collections", "emptyMap"),
        ("java/util/Collections", "emptySet"),
        ("java/util/Map", "of"),
        ("java/util/List", "of"),
        ("java/util/Set", "of"),
    ];
    let takes_none = context.member(at).is_some_and(|member| member.descriptor.0.starts_with(b"()"));
    takes_none && makers.iter().any(|(owner, name)| context.calls(at, owner, name))
}

/// The lines of a class on which something is logged.
pub(crate) fn logging_lines(contexts: &[&Context<'_, '_>]) -> BTreeSet<u16> {
    let mut lines = BTreeSet::new();
    for context in contexts {
        for index in 0..context.body.insns.len() {
            let logs = context.insn(index).is_some_and(|insn| {
                let calls = (Opcode::Invokevirtual..=Opcode::Invokeinterface).contains(&insn.opcode);
                let member = insn.constant().filter(|_| calls);
                let member = member.and_then(|index| context.class.pool.member(MemberIndex(index)).ok());
                member.is_some_and(|member| {
                    LOGGERS.iter().any(|logger| member.owner.0.starts_with(logger.as_bytes()))
                })
            });
            if logs {
                lines.insert(context.line(index));
            }
        }
    }
    lines
}

/// Puts the copies of a mutant in a `finally` block into one: javac writes such a block once for each way that leads to it. As PIT does,
/// mutants of a line that are alike are one where just one of them stands in a handler for everything.
pub(crate) fn join_copies(context: &Context<'_, '_>, found: Vec<Found>) -> Vec<Found> {
    let entries = context.body.code.exceptions.iter().filter(|entry| entry.catch_type.is_none());
    let handlers: Vec<usize> =
        entries.filter_map(|entry| context.body.insn_at(u32::from(entry.handler))).collect();
    let in_handler = |insn: usize| {
        let leads = |start: usize| (start..insn).all(|at| context.opcode(at) != Some(Opcode::Athrow));
        handlers.iter().any(|start| *start <= insn && leads(*start))
    };
    let mut kept: Vec<Found> = Vec::new();
    if handlers.is_empty() {
        return found;
    }
    for one in &found {
        let alike = |other: &&Found| {
            (other.operator, &other.description, context.line(other.insn))
                == (one.operator, &one.description, context.line(one.insn))
        };
        let all = || found.iter().filter(alike);
        let joins = all().filter(|other| in_handler(other.insn)).count() == 1;
        match kept.iter_mut().find(|other| joins && alike(&&**other)) {
            Some(first) => first.copies.push((one.insn, one.change.clone())),
            None => kept.push(one.clone()),
        }
    }
    kept
}

fn is_switch(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Tableswitch | Opcode::Lookupswitch)
}

fn is_iload(opcode: Opcode) -> bool {
    opcode == Opcode::Iload || (Opcode::Iload0..=Opcode::Iload3).contains(&opcode)
}

fn is_istore(opcode: Opcode) -> bool {
    opcode == Opcode::Istore || (Opcode::Istore0..=Opcode::Istore3).contains(&opcode)
}

fn is_aload(opcode: Opcode) -> bool {
    opcode == Opcode::Aload || (Opcode::Aload0..=Opcode::Aload3).contains(&opcode)
}

fn is_astore(opcode: Opcode) -> bool {
    opcode == Opcode::Astore || (Opcode::Astore0..=Opcode::Astore3).contains(&opcode)
}
