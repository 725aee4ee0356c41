//! A method of a class that gets probes: what is found in it, and its code with them.
//!
//! It knows where probes stand, not which calls they are. Invariant: the code is not longer than what the JVM compiles, if it was not before.

use crate::branch::{Branch, Wanted};
use crate::find::{self, Method};
use crate::flow::{Points, put};
use crate::found::{self, Begun, Found};
use crate::infect;
use crate::probes;
use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_classfile::class::access;
use dynaflow_classfile::frames::FRAMES_SINCE;
use dynaflow_classfile::pool::MemberText;
use dynaflow_classfile::{ClassFile, ConstantPool, Insn, Member, MemberIndex, Opcode, descriptor, tables};
use dynaflow_rewrite::types::{Slot, State};
use dynaflow_rewrite::{Assembly, Coder, Failure, Names, Types, attribute, types};
use std::collections::{BTreeMap, BTreeSet};

/// The longest code that the JVM compiles.
const COMPILED: usize = 8_000;
/// Lines of a basic block from which on the last one stands for the others (smart selection, section 3.4).
const LONG: usize = 8;

/// A method that gets probes.
pub(crate) struct Woven<'c, 'a> {
    class: &'c ClassFile<'a>,
    member: &'c Member<'a>,
    /// Its code.
    pub body: Body<'a>,
    types: Result<Option<Types>, types::Reason>,
    /// Its name and descriptor.
    pub name: String,
    /// The number of that among the names.
    spelled: u32,
}

/// What is reported of definitions and uses in a method.
#[derive(Default)]
pub(crate) struct Flowing {
    /// By instruction that writes a field and is not followed: the opcode, the field, and whether its value takes two slots.
    pub others: BTreeMap<usize, (Opcode, u32, bool)>,
    /// Where something is reported, and the table that says what.
    pub table: Option<Table>,
}

/// A method's own table.
pub(crate) struct Table {
    /// Where something is reported.
    pub points: Points,
    /// What it is.
    pub text: Vec<u8>,
    /// The number of the first goal of the class.
    pub base: u32,
    /// The number of the name of the class that follows definitions.
    pub flow: u32,
}

impl<'c, 'a> Woven<'c, 'a> {
    /// A method of a class, of which the types are determined that probes for what is wanted need.
    pub(crate) fn new(
        class: &'c ClassFile<'a>,
        member: &'c Member<'a>,
        body: Body<'a>,
        wanted: Wanted,
        names: &mut Names,
    ) -> Self {
        let is_asked = |insn: &Insn| {
            let of_field = wanted.pairs && matches!(insn.opcode, Opcode::Putfield | Opcode::Invokespecial);
            of_field || wanted.mutants && infect::loaded(insn.opcode).is_some()
        };
        let asked: Vec<bool> = body.insns.iter().map(is_asked).collect();
        // Without frames the verifier infers types.
        let types =
            (class.major >= FRAMES_SINCE).then(|| types::of(class, member, &body, &asked, names)).transpose();
        let name = name_of(class, member);
        let spelled = names.number(name.as_bytes());
        Self { class, member, body, types, name, spelled }
    }

    /// Its goals, numbered from `first` on.
    pub(crate) fn found(&self, first: u32, wanted: Wanted) -> Found<'a> {
        let method = Method::new(self.class, &self.body);
        let lines = if wanted.lines { self.begun() } else { BTreeMap::new() };
        let is_callable = self.is_callable();
        let is_direct = wanted.direct && is_callable && self.is_public();
        let mut found = find::goals(&method, first, (is_callable, is_direct), &lines);
        if wanted.mutants && !self.is_made_by_compiler() {
            let types = self.types.as_ref().ok().and_then(Option::as_ref);
            infect::add(&method, types, first, &mut found);
        }
        found
    }

    fn lines(&self) -> Vec<tables::Line> {
        let table = self.class.attribute(&self.body.code.attributes, "LineNumberTable");
        table.and_then(|table| tables::lines(&table.data, 0).ok()).into_iter().flatten().collect()
    }

    /// By line, where it begins.
    fn begun(&self) -> BTreeMap<u16, Begun> {
        let mut begun: BTreeMap<u16, Begun> = BTreeMap::new();
        let lines = self.lines();
        for line in &lines {
            let insn = self.body.insn_at(u32::from(line.start));
            begun.entry(line.line).or_default().insns.extend(insn);
        }
        let blocks = Blocks::of(&self.body).unwrap_or_default();
        for block in blocks.all() {
            let own = lines.iter().filter(|line| (block.start..block.end).contains(&line.start.into()));
            let all: BTreeSet<u16> = own.clone().map(|line| line.line).collect();
            let last = own.max_by_key(|line| line.start).filter(|_| all.len() >= LONG);
            if let Some(last) = last.and_then(|last| begun.get_mut(&last.line)) {
                last.represents = true;
            }
        }
        begun
    }

    fn is_public(&self) -> bool {
        self.member.access & access::PUBLIC != 0
    }

    /// Whether a sequence may enter a method: it is neither an initialiser of the class, nor a bridge, nor what keeps others from making objects.
    fn is_callable(&self) -> bool {
        let is_for_itself = self.name == "<init>()V" && self.member.access & access::PRIVATE != 0;
        self.name != "<clinit>()V" && self.member.access & access::BRIDGE == 0 && !is_for_itself
    }

    /// Whether no source has the method's code: bodies of lambdas are the source's.
    fn is_made_by_compiler(&self) -> bool {
        self.member.access & access::SYNTHETIC != 0 && !self.name.starts_with("lambda$")
    }

    /// Its goals as others see them.
    pub(crate) fn listed(&self, found: &Found<'_>) -> Vec<Branch> {
        let lines = self.lines();
        let branch = |place: &found::Place| {
            let offset = self.body.insns.get(place.insn).map_or(0, |insn| insn.pc);
            let before = lines.iter().filter(|line| u32::from(line.start) <= offset);
            let line = before.max_by_key(|line| line.start).map_or(0, |line| line.line);
            Branch {
                method: self.name.clone(),
                offset,
                line,
                kind: place.kind,
                is_public: self.is_public(),
                is_direct: place.is_direct,
                represents: place.represents,
            }
        };
        found.places.iter().map(branch).collect()
    }

    /// The field that an instruction writes.
    pub(crate) fn written(&self, insn: &Insn) -> Option<MemberText<'a>> {
        let is_write = matches!(insn.opcode, Opcode::Putfield | Opcode::Putstatic);
        self.class.pool.member(MemberIndex(insn.constant().filter(|_| is_write)?)).ok()
    }

    fn is_constructor(&self) -> bool {
        self.name.starts_with("<init>")
    }

    /// The slot that lies below so many others before an instruction.
    fn slot_below(&self, index: usize, slots: usize) -> Option<Slot> {
        let types = self.types.as_ref().ok()?.as_ref()?;
        let state: &State = types.states.get(index)?.as_ref()?;
        state.stack.get(state.stack.len().checked_sub(slots + 1)?).copied()
    }

    /// Whether the object whose field an instruction writes may be handed to others.
    pub(crate) fn is_whole(&self, index: usize) -> bool {
        let field = self.body.insns.get(index).and_then(|insn| self.written(insn));
        let slots =
            field.and_then(|field| descriptor::field(field.descriptor.0)).map_or(1, |kind| kind.slots());
        match self.slot_below(index, usize::from(slots)) {
            Some(slot) => matches!(slot, Slot::Object(_) | Slot::Null),
            None => !self.is_constructor(),
        }
    }

    /// In a constructor the call of another one on the same object.
    fn constructs(&self) -> Option<usize> {
        let stores = |insn: &Insn| insn.opcode.is_store() && insn.local() == Some(0);
        if !self.is_constructor() || self.body.insns.iter().any(stores) {
            return None;
        }
        let is_it = |(index, insn): &(usize, &Insn)| {
            let constant = insn.constant().filter(|_| insn.opcode == Opcode::Invokespecial);
            let member = constant.and_then(|constant| self.class.pool.member(MemberIndex(constant)).ok());
            let slots = member
                .filter(|member| member.name.0 == b"<init>")
                .and_then(|member| descriptor::method(member.descriptor.0))
                .map(|(slots, _)| usize::from(slots));
            slots.and_then(|slots| self.slot_below(*index, slots)) == Some(Slot::RawThis)
        };
        let mut calls = self.body.insns.iter().enumerate().filter(is_it);
        // Where ways join that call different ones, none is the one.
        calls.next().map(|(index, _)| index).filter(|_| calls.next().is_none())
    }

    /// The code with a local variable more, and its types.
    fn extended(&self, types: Option<&Types>, table: &Table) -> Result<(Body<'a>, Option<Types>), Failure> {
        let mut body = self.body.clone();
        let more = body.code.max_locals.checked_add(1);
        body.code.max_locals = more.ok_or("it has no room for a local variable more")?;
        let held = |state: &State| {
            let mut state = state.clone();
            state.locals.push(Slot::Object(table.flow));
            state
        };
        let types = types.map(|types| Types {
            states: types.states.iter().map(|state| state.as_ref().map(held)).collect(),
            framed: types.framed.clone(),
        });
        Ok((body, types))
    }

    /// The code with its probes.
    ///
    /// # Errors
    /// Why the method or the class has no room for them.
    pub(crate) fn code<'n>(
        &self,
        pool: &mut ConstantPool<'n>,
        (found, first): (&Found<'n>, u32),
        flowing: &'n Flowing,
        names: &'n Names,
    ) -> Result<Vec<u8>, Failure>
    where
        'a: 'n,
    {
        let types = self.types.as_ref().map_err(|reason| Failure::Method(reason))?.as_ref();
        let extended = flowing.table.as_ref().map(|table| self.extended(types, table)).transpose()?;
        let (body, types) =
            extended.as_ref().map_or((&self.body, types), |(body, types)| (body, types.as_ref()));
        let mut coder = Coder { pool, assembly: Assembly::new(body) };
        let mut frames = vec![];
        if let Some(table) = &flowing.table {
            let numbers = (first, table.base);
            let has_object = self.member.access & access::STATIC == 0 && !self.is_constructor();
            let local = self.body.code.max_locals;
            put::start(&mut coder, &put::Start { text: &table.text, numbers, local, has_object })?;
        }
        let constructs = flowing.table.as_ref().and_then(|_| self.constructs());
        for index in 0..body.insns.len() {
            coder.assembly.land(index);
            if types.is_some_and(|types| types.framed.get(index).copied().unwrap_or(false)) {
                frames.push((index, index));
            }
            if index == 0 && found.direct > 0 {
                probes::enter(&mut coder, names.name(self.spelled), first, found.direct)?;
            }
            self.insn(&mut coder, (body, found), flowing, index)?;
            if constructs == Some(index) {
                put::constructed(&mut coder, self.body.code.max_locals)?;
            }
        }
        coder.assembly.land(body.insns.len());
        let written = coder.assembly.write()?;
        if written.bytes.len() > COMPILED && body.code.bytes.len() <= COMPILED {
            return Err(Failure::Method("its code would be longer than the JVM compiles"));
        }
        attribute(pool, body, types, &frames, &written, names)
    }

    /// An instruction with what is put around it.
    fn insn<'n>(
        &self,
        coder: &mut Coder<'_, 'n, '_>,
        (body, found): (&Body<'_>, &Found<'n>),
        flowing: &Flowing,
        index: usize,
    ) -> Result<(), Failure> {
        let held = self.body.code.max_locals;
        let points = flowing.table.as_ref().map(|table| &table.points);
        if let Some(points) = points {
            put::before(coder, points, held, index)?;
        }
        if let Some((opcode, key, is_wide)) = flowing.others.get(&index) {
            put::other(coder, *opcode, *key, *is_wide)?;
        }
        probes::put(coder, body, found, index)?;
        points.map_or(Ok(()), |points| Ok(put::after(coder, points, held, index)?))
    }
}

/// Name and descriptor of a method.
pub(crate) fn name_of(class: &ClassFile<'_>, member: &Member<'_>) -> String {
    let text = |index| class.pool.utf8(index).map(|text| text.to_string()).unwrap_or_default();
    format!("{}{}", text(member.name), text(member.descriptor))
}
