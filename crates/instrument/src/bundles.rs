//! Sites that are recorded together, by one call at the last of them: which ones, and where their objects and numbers are kept until then.
//!
//! A bundle is a run of sites within one basic block between which the program does nothing that is recorded by anybody else: no call, no
//! loading of a class, no lock. Delaying its events up to the last one reorders nothing that another thread could see: this thread publishes
//! what it wrote by a write of a volatile field at the latest, and such a write is recorded before it happens and is the last
//! of its bundle. Where an exception may end a bundle, a handler records the accesses that came before and rethrows; instructions that
//! the method's own handlers guard get no handler of ours, there a bundle ends before an instruction that may throw.
//!
//! Only the first access of a bundle may load a class. The others are to classes whose fields were accessed before in the block, or of the
//! same package: an object of such a class was made by the loader that would be asked for it.
//!
//! It knows instructions, not bytes to insert. Invariant: a bundle taken apart gives the events that its sites would have given alone.

use crate::flow::Fact;
use crate::values::{FIRST, Value, Values};
use dynaflow_bytecode::Body;
use dynaflow_classfile::class::access::FINAL;
use dynaflow_classfile::descriptor;
use dynaflow_classfile::frames::Frames;
use dynaflow_classfile::pool::MemberText;
use dynaflow_classfile::{ClassFile, Constant, Insn, MemberIndex, Opcode};
use dynaflow_model::layout;
use dynaflow_model::sites::{self, Access, Base, Operands, ReceiverKind, Site, SiteKind, ValueKind};
use std::ops::Range;

const VOLATILE: u16 = 0x0040;
/// Most sites of one bundle.
const MOST: usize = 32;
/// How many objects, elements and classes are remembered; accesses beyond that are recorded alone.
const TRACKED: usize = 64;
/// Most local variables of ours a bundle may need.
const MOST_LOCALS: u16 = 8;
/// Most places at which a bundle may end early.
const MOST_ENDINGS: usize = 6;
/// Longer code, in bytes, gets no handlers: the JVM does not compile methods that are too long.
const MOST_CODE: usize = 3000;

/// Where an object or number of a bundle is when the bundle is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// `this`, in local variable 0.
    This,
    /// The local variable of ours with this number.
    Kept(u16),
}

/// A bundle to weave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bundle {
    /// Its sites in the class.
    pub sites: Range<usize>,
    /// Which of the class's bundles it is.
    pub number: usize,
    /// The index of the instruction at which it is recorded.
    pub insn: u32,
    /// Whether it is recorded before that instruction, and not behind it.
    pub before: bool,
    /// Its objects; the first is one whose location is accessed, if there is any.
    pub objects: Vec<Source>,
    /// Whether a location of its first object is accessed.
    pub accesses_first: bool,
    /// The local variables its numbers are in.
    pub numbers: Vec<u16>,
    /// By site: what is to be kept there.
    pub kept: Vec<Kept>,
    /// How many local variables of ours it takes.
    pub locals: u16,
    /// Where it may end early, in the order of the instructions.
    pub endings: Vec<Ending>,
    /// What happens at each of its sites.
    pub steps: Vec<Operands>,
}

/// An instruction in the middle of a bundle that may throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    /// Its index.
    pub insn: u32,
    /// How many sites come before it.
    pub steps: usize,
    /// How many local variables of ours hold something there.
    pub locals: u16,
}

/// The local variables of ours in which an instruction's operands are to be kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kept {
    /// The object accessed.
    pub object: Option<u16>,
    /// The index.
    pub number: Option<u16>,
    /// The value written.
    pub value: Option<u16>,
}

/// What the search must know.
pub(crate) struct Search<'p, 'a> {
    /// The class.
    pub class: &'p ClassFile<'a>,
    /// The code.
    pub body: &'p Body<'a>,
    /// What is known of its instructions.
    pub facts: &'p [Fact],
    /// All sites of the class so far.
    pub sites: &'p [Site],
    /// The method's among them.
    pub range: Range<usize>,
    /// By site of the method: the index of its instruction.
    pub spots: &'p [u32],
    /// Whether entry and exits of the method are recorded alone, as those of test methods are.
    pub is_test: bool,
    /// Whether frames say what local variables hold, so that the verifier infers no types.
    pub frames: bool,
}

impl Search<'_, '_> {
    /// Whether objects may be kept in local variables.
    fn keeps(&self) -> bool {
        self.frames || self.body.code.exceptions.is_empty()
    }
}

/// One access that could belong to a bundle.
#[derive(Clone, Copy, Debug, Default)]
struct Candidate {
    object: Option<Value>,
    number: Option<Value>,
    value: Option<Value>,
    /// Whether it may throw.
    throws: bool,
    /// Whether it may load a class.
    loads: bool,
    /// Whether it must be recorded before it happens.
    before: bool,
}

/// A bundle in the making.
#[derive(Debug, Default)]
struct Open {
    first: usize,
    insn: u32,
    before: bool,
    enters: bool,
    steps: Vec<Operands>,
    objects: Vec<(Value, Source)>,
    numbers: Vec<(Value, u16)>,
    kept: Vec<Kept>,
    locals: u16,
    endings: Vec<Ending>,
}

/// What an instruction without a site does to a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Between {
    /// It computes.
    Quiet,
    /// It computes or throws.
    Throws,
    /// Anything.
    Other,
}

/// Finds the bundles of a method, in the order of their sites; they are numbered from `number` on.
pub(crate) fn find(search: &Search<'_, '_>, number: usize) -> (Vec<Bundle>, Vec<sites::Bundle>) {
    let mut finder = Finder {
        search,
        values: Values::default(),
        accessed: Vec::new(),
        elements: Vec::new(),
        resolved: Vec::new(),
        finals: Vec::new(),
        open: None,
        number,
        found: (Vec::new(), Vec::new()),
    };
    finder.run();
    finder.found
}

struct Finder<'s, 'p, 'a> {
    search: &'s Search<'p, 'a>,
    values: Values,
    /// Objects of which a field was accessed in this block.
    accessed: Vec<Value>,
    /// Elements that were accessed in this block.
    elements: Vec<(Value, Value)>,
    /// Classes whose fields were accessed in this block.
    resolved: Vec<&'a [u8]>,
    /// Final fields that were read in this block: of which object, their name, what they hold.
    finals: Vec<(Value, &'a [u8], Value)>,
    open: Option<Open>,
    number: usize,
    found: (Vec<Bundle>, Vec<sites::Bundle>),
}

impl<'a> Finder<'_, '_, 'a> {
    fn run(&mut self) {
        let leaders = leaders(self.search);
        self.enter(&leaders);
        let mut next = 1;
        for (index, insn) in self.search.body.insns.iter().enumerate() {
            if leaders.get(index) == Some(&true) {
                self.forget();
                self.resolved.clear();
            }
            let spots = self.search.spots.get(next..).unwrap_or_default();
            let count = spots.iter().take_while(|spot| **spot as usize == index).count();
            self.insn(index, insn, next..next + count);
            next += count;
        }
        self.close();
    }

    /// Begins with the entry of the method, if that need not be recorded before anything else.
    fn enter(&mut self, leaders: &[bool]) {
        let first = self.search.range.start;
        let Some(SiteKind::Enter { receiver }) = self.search.sites.get(first).map(|site| &site.kind) else {
            return;
        };
        let object = match receiver {
            ReceiverKind::Instance => Some(FIRST),
            ReceiverKind::Static => None,
            ReceiverKind::Constructor => return,
        };
        // A jump to the first instruction skips the entry.
        if !self.search.is_test && leaders.first() != Some(&true) {
            let mut open = Open { first, enters: true, ..Open::default() };
            open.take(Candidate { object, ..Candidate::default() });
            self.open = Some(open);
        }
    }

    fn insn(&mut self, index: usize, insn: &Insn, sites: Range<usize>) {
        let fact = self.search.facts.get(index).copied().unwrap_or_default();
        let lasts = fact.is(Fact::REACHED) && !fact.is(Fact::UNINIT);
        // A handler that catches an exception out of here must find the method entered.
        if self.open.as_ref().is_some_and(|open| open.enters) && self.is_guarded(insn) {
            self.close();
        }
        if sites.is_empty() {
            match self.between(insn) {
                Between::Other => return self.forget(),
                _ if !lasts => return self.forget(),
                Between::Throws => self.may_end(index, insn),
                Between::Quiet => {}
            }
            return self.values.step(insn, None);
        }
        let site = self.search.range.start + sites.start;
        match self.candidate(site, insn).filter(|_| lasts && sites.len() == 1) {
            Some(candidate) => self.add(site, index, insn, candidate),
            None => self.forget(),
        }
    }

    fn is_guarded(&self, insn: &Insn) -> bool {
        self.search.body.code.exceptions.iter().any(|entry| entry.covers(insn.pc))
    }

    /// Whether a handler of ours can record the bundle in the making when an instruction throws.
    fn catches(&self, insn: &Insn) -> bool {
        let has_room = |open: &Open| open.endings.len() < MOST_ENDINGS;
        self.search.frames
            && self.search.body.code.bytes.len() <= MOST_CODE
            && self.open.as_ref().is_some_and(has_room)
            && !self.is_guarded(insn)
    }

    /// Goes past an instruction without a site that may throw.
    fn may_end(&mut self, index: usize, insn: &Insn) {
        let catches = self.catches(insn);
        match &mut self.open {
            Some(open) if catches => open.may_end(index, open.steps.len()),
            _ => self.close(),
        }
    }

    /// Puts an access into the bundle in the making, or begins one with it.
    fn add(&mut self, site: usize, index: usize, insn: &Insn, candidate: Candidate) {
        // An access that is recorded before it happens must happen.
        let goes_on = !candidate.loads && (!candidate.throws || !candidate.before && self.catches(insn));
        let fits = |open: &Open| goes_on && open.fits(candidate, self.search.keeps());
        if !self.open.as_ref().is_some_and(fits) {
            self.close();
            self.open = Some(Open { first: site, ..Open::default() });
        }
        if let Some(open) = &mut self.open {
            // If it does not fit an empty bundle either, it is recorded as any other site.
            if open.fits(candidate, self.search.keeps()) {
                let before = open.steps.len();
                open.take(candidate);
                if candidate.throws {
                    open.may_end(index, before);
                }
                (open.insn, open.before) = (index as u32, candidate.before);
            } else {
                self.open = None;
            }
        }
        if candidate.before {
            self.close();
        }
        self.happened(insn, candidate);
    }

    /// Notes what a first access brings about, and goes on behind it.
    fn happened(&mut self, insn: &Insn, candidate: Candidate) {
        let member = self.member(insn);
        match (candidate.object, candidate.number) {
            (Some(array), Some(index)) => remember(&mut self.elements, (array, index)),
            (Some(object), None) => remember(&mut self.accessed, object),
            _ => {}
        }
        if let Some(member) = member {
            remember(&mut self.resolved, member.owner.0);
        }
        if insn.opcode.is_return() {
            return self.forget();
        }
        let object = self.values.peek(0);
        self.values.step(insn, member.and_then(|member| descriptor::field(member.descriptor.0)));
        match (insn.opcode, member) {
            (Opcode::Getfield, Some(member)) if self.is_final(&member) => {
                self.read_final(object, member.name.0);
            }
            (Opcode::Putfield, Some(member)) => self.finals.retain(|known| known.1 != member.name.0),
            _ => {}
        }
    }

    /// A final field holds what it held when it was read before.
    fn read_final(&mut self, object: Value, field: &'a [u8]) {
        match self.finals.iter().find(|known| (known.0, known.1) == (object, field)) {
            Some((.., value)) => self.values.set_top(*value),
            None => remember(&mut self.finals, (object, field, self.values.peek(0))),
        }
    }

    fn is_final(&self, member: &MemberText<'_>) -> bool {
        let is_narrow = descriptor::field(member.descriptor.0).is_some_and(|kind| kind.slots() == 1);
        is_narrow && self.declared(member).is_some_and(|flags| flags & FINAL != 0)
    }

    fn member(&self, insn: &Insn) -> Option<MemberText<'a>> {
        self.search.class.pool.member(MemberIndex(insn.constant()?)).ok()
    }

    /// What could be bundled of a site.
    fn candidate(&mut self, site: usize, insn: &Insn) -> Option<Candidate> {
        let kind = &self.search.sites.get(site)?.kind;
        match kind {
            SiteKind::Exit { exceptional: false } if !self.search.is_test => {
                Some(Candidate { before: true, ..Candidate::default() })
            }
            SiteKind::Field { access, base, value, .. } => self.field(insn, *access, *base, *value),
            SiteKind::Static { access, value, .. } => {
                let flags = self.declared(&self.member(insn)?)?;
                let writes = *access == Access::Write;
                let value = (writes && *value == ValueKind::Reference).then(|| self.values.peek(0));
                let before = writes && flags & VOLATILE != 0;
                Some(Candidate { value, before, ..Candidate::default() })
            }
            SiteKind::Element { access: Access::Read, .. } if is_element(insn.opcode) => {
                let (object, number) = (self.values.peek(1), self.values.peek(0));
                let throws = !self.elements.contains(&(object, number));
                let (object, number) = (Some(object), Some(number));
                Some(Candidate { object, number, throws, ..Candidate::default() })
            }
            SiteKind::Element { access: Access::Write, value } if is_element(insn.opcode) => {
                let slots = usize::from(insn.opcode.info().pops) - 2;
                let (object, number) = (self.values.peek(slots + 1), self.values.peek(slots));
                let value = (*value == ValueKind::Reference).then(|| self.values.peek(0));
                // An array may refuse a reference.
                let throws = value.is_some() || !self.elements.contains(&(object, number));
                let (object, number) = (Some(object), Some(number));
                Some(Candidate { object, number, value, throws, ..Candidate::default() })
            }
            _ => None,
        }
    }

    fn field(&mut self, insn: &Insn, access: Access, base: Base, value: ValueKind) -> Option<Candidate> {
        let member = self.member(insn)?;
        let writes = access == Access::Write;
        let slots = usize::from(descriptor::field(member.descriptor.0)?.slots());
        let object = (base == Base::Stack).then(|| self.values.peek(if writes { slots } else { 0 }));
        let value = (writes && value == ValueKind::Reference).then(|| self.values.peek(0));
        let is_plain = self.declared(&member).is_some_and(|flags| flags & VOLATILE == 0);
        let throws = object.is_some_and(|object| !self.accessed.contains(&object));
        let loads = object.is_some() && !self.is_loaded(member.owner.0);
        Some(Candidate { object, number: None, value, throws, loads, before: writes && !is_plain })
    }

    /// Whether to name a class of which there is an object asks no loader.
    fn is_loaded(&self, class: &[u8]) -> bool {
        let package = |name: &[u8]| name.iter().rposition(|byte| *byte == b'/').unwrap_or_default();
        let in_package = |own: &[u8]| own.get(..package(own)) == class.get(..package(class));
        self.resolved.contains(&class) || self.search.class.name().is_ok_and(|own| in_package(own.0))
    }

    /// The flags of a field that the class itself declares.
    fn declared(&self, member: &MemberText<'_>) -> Option<u16> {
        let class = self.search.class;
        let same = |field: &&dynaflow_classfile::Member<'_>| {
            class.pool.utf8(field.name).is_ok_and(|name| name.0 == member.name.0)
                && class.pool.utf8(field.descriptor).is_ok_and(|text| text.0 == member.descriptor.0)
        };
        let is_own = class.name().is_ok_and(|name| name.0 == member.owner.0);
        class.fields.iter().filter(|_| is_own).find(same).map(|field| field.access)
    }

    /// What an instruction without a site does.
    fn between(&self, insn: &Insn) -> Between {
        if insn.opcode.is_store() && insn.local() == Some(0) {
            return Between::Other;
        }
        match insn.opcode {
            Opcode::Ldc | Opcode::LdcW | Opcode::Ldc2W => {
                match insn.constant().and_then(|index| self.search.class.pool.get(index)) {
                    Some(
                        Constant::Integer(_)
                        | Constant::Float(_)
                        | Constant::Long(_)
                        | Constant::Double(_)
                        | Constant::String(_),
                    ) => Between::Quiet,
                    _ => Between::Other,
                }
            }
            Opcode::Idiv | Opcode::Ldiv | Opcode::Irem | Opcode::Lrem | Opcode::Arraylength => {
                Between::Throws
            }
            opcode if (Opcode::Nop..=Opcode::Dcmpg).contains(&opcode) && !is_element(opcode) => {
                Between::Quiet
            }
            _ => Between::Other,
        }
    }

    /// Something happens that others may record.
    fn forget(&mut self) {
        self.close();
        self.values = Values::default();
        self.finals.clear();
        self.accessed.clear();
        self.elements.clear();
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take().filter(|open| open.steps.len() > 1) {
            let number = self.number + self.found.0.len();
            let (woven, described) = open.close(number);
            self.found.0.push(woven);
            self.found.1.push(described);
        }
    }
}

/// Remembers one more of a few.
fn remember<T: PartialEq>(known: &mut Vec<T>, one: T) {
    if !known.contains(&one) {
        if known.len() >= TRACKED {
            known.clear();
        }
        known.push(one);
    }
}

/// Whether an instruction accesses an element of an array.
pub(crate) fn is_element(opcode: Opcode) -> bool {
    (Opcode::Iaload..=Opcode::Saload).contains(&opcode)
        || (Opcode::Iastore..=Opcode::Sastore).contains(&opcode)
}

/// Whether the recorder has a method that takes so many objects and numbers.
fn fits_a_call(objects: usize, numbers: usize) -> bool {
    layout::bundle(objects, numbers, true, true).is_some()
}

impl Open {
    /// Whether there is room for an access.
    fn fits(&self, candidate: Candidate, keeps: bool) -> bool {
        let is_new = |value: &Value| !self.objects.iter().any(|(known, _)| known == value);
        let mut objects: Vec<Value> =
            candidate.object.into_iter().chain(candidate.value).filter(is_new).collect();
        objects.dedup();
        let number = candidate.number.filter(|value| !self.numbers.iter().any(|(known, _)| known == value));
        let kept = objects.iter().any(|object| *object != FIRST);
        self.steps.len() < MOST
            && (keeps || !kept)
            && fits_a_call(
                self.objects.len() + objects.len(),
                self.numbers.len() + usize::from(number.is_some()),
            )
    }

    fn take(&mut self, candidate: Candidate) {
        let (object, kept_object) = candidate.object.map(|value| self.object(value)).unzip();
        let (value, kept_value) = candidate.value.map(|value| self.object(value)).unzip();
        let (number, kept_number) = candidate.number.map(|value| self.numbered(value)).unzip();
        self.steps.push(Operands { object, number, value });
        self.kept.push(Kept {
            object: kept_object.flatten(),
            number: kept_number.flatten(),
            value: kept_value.flatten(),
        });
    }

    /// An instruction may throw before which this many sites come.
    fn may_end(&mut self, index: usize, steps: usize) {
        if steps > 0 {
            self.endings.push(Ending { insn: index as u32, steps, locals: self.locals });
        }
    }

    fn local(&mut self) -> u16 {
        self.locals += 1;
        self.locals - 1
    }

    /// The place of an object among the bundle's, and where it is to be kept if it is new.
    fn object(&mut self, value: Value) -> (u8, Option<u16>) {
        if let Some(at) = self.objects.iter().position(|(known, _)| *known == value) {
            return (at as u8, None);
        }
        let local = (value != FIRST).then(|| self.local());
        self.objects.push((value, local.map_or(Source::This, Source::Kept)));
        (self.objects.len() as u8 - 1, local)
    }

    fn numbered(&mut self, value: Value) -> (u8, Option<u16>) {
        if let Some(at) = self.numbers.iter().position(|(known, _)| *known == value) {
            return (at as u8, None);
        }
        let local = self.local();
        self.numbers.push((value, local));
        (self.numbers.len() as u8 - 1, Some(local))
    }

    /// The bundle, with an object that is accessed in front, if there is one.
    fn close(mut self, number: usize) -> (Bundle, sites::Bundle) {
        let accessed = self.steps.iter().find_map(|step| step.object);
        if let Some(front) = accessed {
            self.objects.swap(0, usize::from(front));
            let moved = |at: u8| match at {
                0 => front,
                at if at == front => 0,
                at => at,
            };
            for step in &mut self.steps {
                (step.object, step.value) = (step.object.map(moved), step.value.map(moved));
            }
        }
        debug_assert!(self.locals <= MOST_LOCALS, "as many as `fits_a_call` says");
        // Behind the last site there is nothing left to record.
        self.endings.retain(|ending| ending.insn <= self.insn);
        let described = sites::Bundle {
            first: self.first as u32,
            steps: self.steps.clone(),
            objects: self.objects.len() as u8,
            numbers: self.numbers.len() as u8,
        };
        let woven = Bundle {
            sites: self.first..self.first + described.steps.len(),
            number,
            insn: self.insn,
            before: self.before,
            objects: self.objects.iter().map(|(_, source)| *source).collect(),
            accesses_first: accessed.is_some(),
            numbers: self.numbers.iter().map(|(_, local)| *local).collect(),
            kept: self.kept,
            locals: self.locals,
            endings: self.endings,
            steps: self.steps,
        };
        (woven, described)
    }
}

/// By instruction: whether control may come from elsewhere. There, too, begins a new frame of the stack map table.
fn leaders(search: &Search<'_, '_>) -> Vec<bool> {
    let body = search.body;
    let mut leaders = vec![false; body.insns.len()];
    let mut lead = |pc: u32| {
        if let Some(leader) = body.insn_at(pc).and_then(|index| leaders.get_mut(index)) {
            *leader = true;
        }
    };
    body.insns.iter().for_each(|insn| body.each_target(insn, &mut lead));
    body.code.exceptions.iter().for_each(|entry| lead(u32::from(entry.handler)));
    for table in body.code.attributes.iter().filter(|table| search.class.is_named(table, "StackMapTable")) {
        let frames = Frames::new(&table.data, table.offset).into_iter().flatten();
        frames.map_while(Result::ok).for_each(|frame| lead(frame.offset));
    }
    leaders
}
