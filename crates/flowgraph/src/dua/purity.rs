//! Inspectors and modifiers: whether a method may change the object it is called on, read off its bytecode and that of what it calls.
//!
//! It knows class files by name through a [`ClassSource`], not where they lie. What counts as a change: a write into a field or an
//! array, unless this method made the object. Containers of the JDK are judged by the table the recorder uses, as an
//! interface has no code. Each class is read once and each method analysed once, when it is first asked for, however many threads ask.
//! Invariants: what cannot be resolved (a class that is not there, native and abstract methods, code that is
//! refused) may change anything; the answer does not depend on what was asked before.

use super::Options;
use super::callees::Callees;
use super::fill::Fills;
use super::method::Executed;
use super::values::Value;
use super::vars::Variable;
use dynaflow_classfile::class::access;
use dynaflow_classfile::descriptor::{self, Kind};
use dynaflow_classfile::pool::MemberText;
use dynaflow_classfile::{ClassFile, Member, MemberIndex, Opcode};
use dynaflow_containers::contents;
use dynaflow_model::sites::Access;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// How many classes up a method is sought.
const MAX_SUPERCLASSES: usize = 64;

/// Methods of every object that change nothing by contract, whatever class implements them.
const CONTRACTS: &[&[u8]] = &[b"equals", b"hashCode", b"toString", b"compareTo", b"compare", b"getClass"];
/// Classes of the JDK whose objects never change, by contract.
const IMMUTABLE: &[&[u8]] = &[
    b"java/lang/Object",
    b"java/lang/String",
    b"java/lang/Boolean",
    b"java/lang/Byte",
    b"java/lang/Character",
    b"java/lang/Short",
    b"java/lang/Integer",
    b"java/lang/Long",
    b"java/lang/Float",
    b"java/lang/Double",
    b"java/lang/Math",
    b"java/lang/Class",
    b"java/math/BigInteger",
    b"java/math/BigDecimal",
    b"jdk/internal/util/Preconditions",
];
/// Packages of which the same holds: values, and events for profilers.
const IMMUTABLE_PACKAGES: &[&[u8]] = &[b"java/time/", b"jdk/internal/event/"];

/// Classes of the JDK whose native methods change nothing a program can see in an object, but for those called `set...`.
/// `System.arraycopy` is looked at by itself.
const HARMLESS_NATIVES: &[&[u8]] = &[
    b"java/lang/Object",
    b"java/lang/System",
    b"java/lang/Class",
    b"java/lang/StrictMath",
    b"java/lang/Float",
    b"java/lang/Double",
    b"java/lang/String",
    b"java/lang/Throwable",
    b"java/lang/reflect/Array",
];

/// Class files by internal name (`java/util/List`).
pub trait ClassSource: Sync {
    /// The bytes of a class; none when it is not there.
    fn class(&self, name: &[u8]) -> Option<Cow<'_, [u8]>>;
}

/// What a method may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Change {
    /// Anything at all.
    any: bool,
    /// What its parameters hold, or what is reached from there: a bit for each slot, 0 is the receiver's.
    slots: u64,
}

impl Change {
    const NOTHING: Self = Self { any: false, slots: 0 };
    const ANY: Self = Self { any: true, slots: 0 };
    const RECEIVER: Self = Self { any: false, slots: 1 };

    fn with(self, other: Self) -> Self {
        if self.any || other.any { Self::ANY } else { Self { any: false, slots: self.slots | other.slots } }
    }
}

/// Which object something is done to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum On {
    /// One that this method made.
    Fresh,
    /// What a parameter holds, or what is reached from there.
    Formal(u16),
    /// Another.
    Other,
}

impl On {
    /// What a write into it changes.
    fn written(self) -> Change {
        match self {
            Self::Fresh => Change::NOTHING,
            Self::Formal(slot) if slot < 64 => Change { any: false, slots: 1 << slot },
            _ => Change::ANY,
        }
    }
}

/// A method as another names it: internal class name, name, descriptor.
type Name = (Box<[u8]>, Box<[u8]>, Box<[u8]>);

/// Name and descriptor.
type Signature = (Box<[u8]>, Box<[u8]>);

/// What the code of a method does by itself, and the calls it makes.
#[derive(Debug)]
struct Facts {
    change: Change,
    /// Each with what is handed over, by slot of the called method's parameters; numbers are left out.
    calls: Vec<(Name, Vec<(u16, On)>)>,
}

/// A class as far as it matters here.
struct Class {
    bytes: Box<[u8]>,
    super_name: Option<Box<[u8]>>,
    /// By name and descriptor.
    methods: FxHashMap<Signature, Method>,
}

/// A method of a class: its position, and what its code does once that was asked for; none for what has no code that
/// could be read.
struct Method {
    position: usize,
    facts: OnceLock<Option<Arc<Facts>>>,
}

/// A table several threads fill; each entry is a function of its key.
type Table<K, V> = Mutex<FxHashMap<K, V>>;

/// A class that is read when it is first asked for; none when it is not there or cannot be read.
type ClassSlot = Arc<OnceLock<Option<Class>>>;

/// The answers, remembered.
pub struct Purity<'s> {
    source: &'s dyn ClassSource,
    /// Whether a field may be filled where it is `null`.
    fills: bool,
    classes: Table<Box<[u8]>, ClassSlot>,
    changes: Table<Name, Change>,
    analysed: AtomicUsize,
}

impl std::fmt::Debug for Purity<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Purity").finish_non_exhaustive()
    }
}

impl<'s> Purity<'s> {
    /// Judges the methods of these classes.
    pub fn new(source: &'s dyn ClassSource) -> Self {
        Self {
            source,
            fills: false,
            classes: Table::default(),
            changes: Table::default(),
            analysed: AtomicUsize::new(0),
        }
    }

    /// The same, where a method that fills a field when it is first asked for what it holds does not change its object for that: the write is guarded by the
    /// question whether the field is `null` (`if (all == null) { all = new ArrayList<>(); }`).
    #[must_use]
    pub fn leaving_fills(self) -> Self {
        Self { fills: true, ..self }
    }

    /// Whether a method may change the object it is called on; by internal class name, name and descriptor.
    pub fn may_change(&self, owner: &[u8], name: &[u8], descriptor: &[u8]) -> bool {
        let change = self.change((owner.into(), name.into(), descriptor.into()));
        change.any || change.slots & Change::RECEIVER.slots != 0
    }

    /// Whether the code of a method writes into what it did not make, leaving aside the methods that it calls; none when there is no code that
    /// could be read. What it calls may change more, or nothing that anybody knows.
    pub fn writes(&self, owner: &[u8], name: &[u8], descriptor: &[u8]) -> Option<bool> {
        let facts = self.resolve(&(owner.into(), name.into(), descriptor.into()))?;
        Some(facts.change != Change::NOTHING)
    }

    /// How many classes were read and how many methods analysed for the answers given so far.
    pub fn effort(&self) -> (usize, usize) {
        (lock(&self.classes).len(), self.analysed.load(Ordering::Relaxed))
    }

    fn slot(&self, name: &[u8]) -> ClassSlot {
        let mut classes = lock(&self.classes);
        match classes.get(name) {
            Some(slot) => slot.clone(),
            None => classes.entry(name.into()).or_default().clone(),
        }
    }

    /// What a method may change. Everything it leads to is judged together, so that methods which call one another are
    /// not held against each other: the least that fits all of them.
    fn change(&self, method: Name) -> Change {
        if let Some(known) = self.known(&method) {
            return known;
        }
        let mut group = Group::default();
        group.add(method.clone());
        let mut next = 0;
        while let Some(name) = group.names.get(next).cloned() {
            let facts = self.resolve(&name);
            for (callee, _) in facts.iter().filter(|facts| !facts.change.any).flat_map(|f| &f.calls) {
                match self.known(callee) {
                    Some(known) => drop(group.outside.insert(callee.clone(), known)),
                    None => group.add(callee.clone()),
                }
            }
            group.facts.push(facts);
            next += 1;
        }
        let changes = group.settle();
        let mut known = lock(&self.changes);
        known.extend(group.names.into_iter().zip(changes));
        known.get(&method).copied().unwrap_or(Change::ANY)
    }

    fn known(&self, method: &Name) -> Option<Change> {
        by_table(method).or_else(|| lock(&self.changes).get(method).copied())
    }

    /// Finds the method in its class or a superclass; none when it is not there or has no code that could be read.
    fn resolve(&self, (owner, name, descriptor): &Name) -> Option<Arc<Facts>> {
        let member = (name.clone(), descriptor.clone());
        let mut at = owner.clone();
        for _ in 0..MAX_SUPERCLASSES {
            let slot = self.slot(&at);
            let class = slot.get_or_init(|| self.source.class(&at).and_then(|bytes| read(&bytes)));
            let class = class.as_ref()?;
            match (class.methods.get(&member), &class.super_name) {
                (Some(method), _) => {
                    return method.facts.get_or_init(|| self.analyse(class, method.position)).clone();
                }
                (None, above) => at = above.clone()?,
            }
        }
        None
    }

    fn analyse(&self, class: &Class, position: usize) -> Option<Arc<Facts>> {
        self.analysed.fetch_add(1, Ordering::Relaxed);
        let parsed = ClassFile::parse(&class.bytes).ok()?;
        let member = parsed.methods.get(position)?;
        // A handler may write as well.
        let options = Options { exception_edges: true, ..Options::default() };
        match Executed::of(&parsed, member, &options, true) {
            Ok(Some(method)) => Some(Arc::new(facts(&parsed, &method, self.fills))),
            Ok(None) if is_harmless(&parsed, member)? => {
                Some(Arc::new(Facts { change: Change::NOTHING, calls: Vec::new() }))
            }
            _ => None,
        }
    }
}

/// Whether a method without code changes nothing that a program can see.
fn is_harmless(class: &ClassFile<'_>, member: &Member<'_>) -> Option<bool> {
    let (owner, name) = (class.name().ok()?, class.pool.utf8(member.name).ok()?);
    let native = member.access & access::NATIVE != 0;
    Some(native && HARMLESS_NATIVES.contains(&owner.0) && !name.0.starts_with(b"set"))
}

/// Methods judged together.
#[derive(Default)]
struct Group {
    names: Vec<Name>,
    index: FxHashMap<Name, usize>,
    /// In the order of the names; none for what may change anything.
    facts: Vec<Option<Arc<Facts>>>,
    /// What is known of callees that do not belong to the group.
    outside: FxHashMap<Name, Change>,
}

impl Group {
    fn add(&mut self, name: Name) {
        if !self.index.contains_key(&name) {
            self.index.insert(name.clone(), self.names.len());
            self.names.push(name);
        }
    }

    /// The least changes that fit all of them, in the order of the names.
    fn settle(&self) -> Vec<Change> {
        let own = self.facts.iter().map(|facts| facts.as_ref().map_or(Change::ANY, |facts| facts.change));
        let mut changes: Vec<Change> = own.collect();
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); self.names.len()];
        for (caller, facts) in self.facts.iter().enumerate() {
            for callee in
                facts.iter().flat_map(|facts| &facts.calls).filter_map(|(name, _)| self.index.get(name))
            {
                if let Some(callers) = callers.get_mut(*callee) {
                    callers.push(caller);
                }
            }
        }
        let mut open: Vec<usize> = (0..self.names.len()).rev().collect();
        while let Some(method) = open.pop() {
            let Some(Some(facts)) = self.facts.get(method) else { continue };
            let judged = self.judge(facts, &changes);
            if let Some(change) = changes.get_mut(method)
                && *change != judged
            {
                *change = judged;
                open.extend(callers.get(method).into_iter().flatten());
            }
        }
        changes
    }

    fn judge(&self, facts: &Facts, changes: &[Change]) -> Change {
        let mut all = facts.change;
        for (callee, handed) in &facts.calls {
            if all.any {
                break;
            }
            let inside = self.index.get(callee).and_then(|index| changes.get(*index));
            let change = inside.or_else(|| self.outside.get(callee)).copied().unwrap_or(Change::ANY);
            let slots = handed.iter().filter(|(slot, _)| *slot < 64 && change.slots >> slot & 1 != 0);
            all = slots.fold(all.with(Change { slots: 0, ..change }), |all, (_, on)| all.with(on.written()));
        }
        all
    }
}

impl Callees for Purity<'_> {
    fn modifies(&self, method: &MemberText<'_>) -> bool {
        self.may_change(method.owner.0, method.name.0, method.descriptor.0)
    }
}

fn lock<T>(table: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Whoever panicked with the lock held left whole entries.
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is known without looking at code.
fn by_table((owner, name, _): &Name) -> Option<Change> {
    if CONTRACTS.contains(&&**name) {
        return Some(Change::NOTHING);
    }
    // These two write into an array they are given.
    let writes = matches!(&**name, b"getChars" | b"getBytes");
    let immutable = IMMUTABLE.contains(&&**owner) || IMMUTABLE_PACKAGES.iter().any(|p| owner.starts_with(p));
    // An array's methods are those of `Object`; `clone` makes a new one.
    if (immutable && !writes) || owner.first() == Some(&b'[') {
        return Some(Change::NOTHING);
    }
    let access = contents::access(owner, name, false)?;
    Some(if access == Access::Read { Change::NOTHING } else { Change::RECEIVER })
}

/// Reads what there is in a class file; its methods wait.
fn read(bytes: &[u8]) -> Option<Class> {
    let class = ClassFile::parse(bytes).ok()?;
    let super_name = class.super_name().ok()?.map(|name| Box::from(name.0));
    let mut methods = FxHashMap::default();
    for (position, member) in class.methods.iter().enumerate() {
        let (name, descriptor) =
            (class.pool.utf8(member.name).ok()?, class.pool.utf8(member.descriptor).ok()?);
        methods.insert((name.0.into(), descriptor.0.into()), Method { position, facts: OnceLock::new() });
    }
    Some(Class { super_name, methods, bytes: bytes.into() })
}

fn facts(class: &ClassFile<'_>, method: &Executed<'_>, fills: bool) -> Facts {
    let on = |value: &Value| on(method, value);
    let written = method.effects.written.iter();
    let is_this = |object: &Value| {
        let variable = object.path.and_then(|path| method.effects.variables.get(path));
        !object.fresh && variable == Some(Variable::Local(0))
    };
    let fills = fills.then(|| Fills::of(&method.body));
    let is_fill = |insn: u32| fills.as_ref().is_some_and(|fills| fills.has(insn as usize));
    let written = written.filter(|(insn, object)| !(is_this(object) && is_fill(*insn)));
    let written = written.map(|(_, object)| on(object).written());
    let mut change = written.fold(Change::NOTHING, Change::with);
    let mut calls = Vec::new();
    for call in &method.effects.calls {
        let insn = method.body.insns.get(call.insn as usize);
        let Some(insn) = insn.filter(|insn| insn.opcode != Opcode::Invokedynamic) else { continue };
        let Some(member) = insn.constant().and_then(|index| class.pool.member(MemberIndex(index)).ok())
        else {
            change = Change::ANY;
            continue;
        };
        if (member.owner.0, member.name.0) == (b"java/lang/System", b"arraycopy") {
            change = change.with(call.arguments.get(2).map_or(Change::ANY, |to| on(to).written()));
            continue;
        }
        let mut handed: Vec<(u16, On)> = call.receiver.iter().map(|receiver| (0, on(receiver))).collect();
        let mut slot = u16::from(call.receiver.is_some());
        for (argument, kind) in call.arguments.iter().zip(descriptor::parameters(member.descriptor.0)) {
            if kind == Kind::Reference {
                handed.push((slot, on(argument)));
            }
            slot += u16::from(kind.slots());
        }
        calls.push(((member.owner.0.into(), member.name.0.into(), member.descriptor.0.into()), handed));
    }
    Facts { change, calls }
}

/// Which object a value is.
fn on(method: &Executed<'_>, value: &Value) -> On {
    let effects = &method.effects;
    if value.fresh {
        return On::Fresh;
    }
    let Some(path) = value.path else { return On::Other };
    let Some(Variable::Local(slot)) = effects.variables.get(effects.variables.root(path)) else {
        return On::Other;
    };
    match (method.formals.contains(&slot), effects.foreign.contains(&slot)) {
        (true, false) => On::Formal(slot),
        // What a made object leads to need not have been made here.
        (false, false) if effects.variables.get(path) == Some(Variable::Local(slot)) => On::Fresh,
        _ => On::Other,
    }
}
