//! Where something happens: the enumerator of sites. It knows instructions and what the flow analysis found, not bytes
//! to insert.
//!
//! Invariant: sites come by method and in bytecode order (several sites of one instruction in the order of
//! [`Enumerator::at`]), and depend on the class bytes and the options alone. Dead code has no sites.

use crate::bulk::Bulk;
use crate::flow::Fact;
use crate::planned::{Found, NO_SPOT, WeaveOptions};
use crate::references;
use crate::restore::Restore;
use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_classfile::class::access;
use dynaflow_classfile::descriptor::{self, Kind};
use dynaflow_classfile::pool::MemberText;
use dynaflow_classfile::smap::SourceLines;
use dynaflow_classfile::tables::{Line, lines};
use dynaflow_classfile::{ClassFile, ClassIndex, Error, Insn, Member, MemberIndex, Opcode, Operand};
use dynaflow_containers::{arguments, contents, functions};
use dynaflow_model::frameworks;
use dynaflow_model::sites::{
    Access, Base, CallKind, CallPlace, FieldRef, MethodRef, Origin, ReceiverKind, Site, SiteKind, ValueKind,
};

/// Descriptors of objects that are values: an edge to the sink.
const VALUE_TYPES: &[&str] = &[
    "Ljava/lang/String;",
    "Ljava/lang/Boolean;",
    "Ljava/lang/Byte;",
    "Ljava/lang/Character;",
    "Ljava/lang/Short;",
    "Ljava/lang/Integer;",
    "Ljava/lang/Long;",
    "Ljava/lang/Float;",
    "Ljava/lang/Double;",
];

/// Enumerates the sites of one method.
pub(crate) struct Enumerator<'p, 'a> {
    /// The class.
    pub class: &'p ClassFile<'a>,
    /// The method.
    pub method: &'p Member<'a>,
    /// Its index in the class.
    pub index: u16,
    /// Its code.
    pub body: &'p Body<'a>,
    /// What is known of its instructions.
    pub facts: &'p [Fact],
    /// What the line numbers of the class stand for.
    pub lines: &'p SourceLines,
    /// What to record.
    pub options: WeaveOptions,
    /// Whether calls are recorded for carving.
    pub carve: bool,
    /// Receives the sites.
    pub found: &'p mut Found,
}

/// Whether a descriptor's values are leaves of the memory graph.
pub(crate) fn value_kind(descriptor: &[u8]) -> ValueKind {
    let leaf = descriptor.first().is_some_and(|first| !matches!(first, b'L' | b'['))
        || VALUE_TYPES.iter().any(|known| known.as_bytes() == descriptor);
    if leaf { ValueKind::Leaf } else { ValueKind::Reference }
}

fn is_call(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::Invokevirtual
            | Opcode::Invokespecial
            | Opcode::Invokestatic
            | Opcode::Invokeinterface
            | Opcode::Invokedynamic
    )
}

impl<'a> Enumerator<'_, 'a> {
    /// Appends all sites of the method.
    ///
    /// # Errors
    /// When an instruction names a constant that is not there.
    pub fn run(&mut self) -> Result<(), Error> {
        let lines = self.lines();
        let mut line = LineCursor { lines: &lines, at: 0 };
        let constructor = self.is_constructor()?;
        let receiver = match self.method.access & access::STATIC {
            0 if constructor => ReceiverKind::Constructor,
            0 => ReceiverKind::Instance,
            _ => ReceiverKind::Static,
        };
        self.add(NO_SPOT, 0, line.at(0), SiteKind::Enter { receiver });
        let blocks = if self.options.blocks { Blocks::of(self.body)? } else { Blocks::default() };
        let mut begins = blocks.all().iter().map(|block| block.first as usize).zip(1..).peekable();
        for (index, insn) in self.body.insns.iter().enumerate() {
            let fact = self.facts.get(index).copied().unwrap_or_default();
            let block = begins.next_if(|(first, _)| *first == index);
            if fact.is(Fact::REACHED) {
                let before = self.found.sites.len();
                if let Some((_, number)) = block {
                    self.push(index, insn, SiteKind::Block { number });
                }
                self.at(index, insn, fact)?;
                if is_call(insn.opcode) {
                    let line = line.at(insn.pc);
                    self.found.calls.push(CallPlace { method: self.index, offset: insn.pc, line });
                }
                if self.found.sites.len() > before {
                    let line = line.at(insn.pc);
                    self.found.sites.iter_mut().skip(before).for_each(|site| site.line = line);
                }
            }
        }
        let end = self.body.code.bytes.len() as u32;
        self.add(NO_SPOT, end, line.at(end), SiteKind::Exit { exceptional: true });
        Ok(())
    }

    fn is_constructor(&self) -> Result<bool, Error> {
        Ok(self.class.pool.utf8(self.method.name)?.0 == b"<init>")
    }

    fn add(&mut self, spot: u32, offset: u32, line: u32, kind: SiteKind) {
        self.found.sites.push(Site { method: self.index, offset, line, kind });
        self.found.spots.push(spot);
    }

    fn push(&mut self, index: usize, insn: &Insn, kind: SiteKind) {
        self.add(index as u32, insn.pc, 0, kind);
    }

    /// The sites of one instruction.
    fn at(&mut self, index: usize, insn: &Insn, fact: Fact) -> Result<(), Error> {
        match insn.opcode {
            Opcode::Getfield | Opcode::Putfield => self.field(index, insn, fact),
            Opcode::Getstatic | Opcode::Putstatic => self.static_field(index, insn),
            Opcode::Invokevirtual
            | Opcode::Invokespecial
            | Opcode::Invokestatic
            | Opcode::Invokeinterface => self.call(index, insn, fact),
            Opcode::Invokedynamic => {
                self.bound(index, insn);
                if self.carve { self.origin(index, insn) } else { Ok(()) }
            }
            Opcode::Newarray | Opcode::Anewarray | Opcode::Multianewarray if self.carve => {
                self.origin(index, insn)
            }
            opcode if opcode.is_return() => {
                self.push(index, insn, SiteKind::Exit { exceptional: false });
                Ok(())
            }
            opcode if (Opcode::Iaload..=Opcode::Saload).contains(&opcode) => {
                let value = if opcode == Opcode::Aaload { ValueKind::Reference } else { ValueKind::Leaf };
                self.push(index, insn, SiteKind::Element { access: Access::Read, value });
                Ok(())
            }
            opcode if (Opcode::Iastore..=Opcode::Sastore).contains(&opcode) => {
                let value = if opcode == Opcode::Aastore { ValueKind::Reference } else { ValueKind::Leaf };
                self.push(index, insn, SiteKind::Element { access: Access::Write, value });
                if self.carve {
                    self.push(index, insn, SiteKind::Origin { origin: Origin::ArrayStore });
                }
                Ok(())
            }
            opcode if self.options.branches => {
                if opcode.is_conditional() && !fact.is(Fact::RAW_OPERAND) {
                    self.push(index, insn, SiteKind::Branch { opcode: opcode.byte() });
                } else if matches!(opcode, Opcode::Tableswitch | Opcode::Lookupswitch) {
                    self.push(index, insn, SiteKind::Switch);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn member(&self, insn: &Insn) -> Result<MemberText<'a>, Error> {
        self.class.pool.member(MemberIndex(insn.constant().unwrap_or_default()))
    }

    fn field(&mut self, index: usize, insn: &Insn, fact: Fact) -> Result<(), Error> {
        let member = self.member(insn)?;
        if member.name.0.starts_with(b"$") {
            return Ok(());
        }
        let base = if fact.is(Fact::BASE_THIS) { Base::This } else { Base::Stack };
        let access = if insn.opcode == Opcode::Putfield { Access::Write } else { Access::Read };
        let (field, value) = (field_ref(&member), value_kind(member.descriptor.0));
        let origin = self.carve && access == Access::Read && is_object(&member) && !fact.is(Fact::UNINIT);
        let copy = origin.then(|| field.clone());
        self.push(index, insn, SiteKind::Field { access, base, field, value });
        if let Some(field) = copy {
            self.push(index, insn, SiteKind::Origin { origin: Origin::InstanceField(field) });
        }
        Ok(())
    }

    fn static_field(&mut self, index: usize, insn: &Insn) -> Result<(), Error> {
        let member = self.member(insn)?;
        if member.name.0.starts_with(b"$") {
            return Ok(());
        }
        let access = if insn.opcode == Opcode::Putstatic { Access::Write } else { Access::Read };
        let (field, value) = (field_ref(&member), value_kind(member.descriptor.0));
        let copy = (self.carve && access == Access::Read && is_object(&member)).then(|| field.clone());
        self.push(index, insn, SiteKind::Static { access, field, value });
        if let Some(field) = copy {
            self.push(index, insn, SiteKind::Origin { origin: Origin::StaticField(field) });
        }
        Ok(())
    }

    fn call(&mut self, index: usize, insn: &Insn, fact: Fact) -> Result<(), Error> {
        let member = self.member(insn)?;
        if fact.is(Fact::INIT_THIS) {
            self.push(index, insn, SiteKind::SuperCall { owner: member.owner.to_binary_name() });
            self.push(index, insn, SiteKind::Bind);
            self.filled(index, insn, &member);
            return Ok(());
        }
        let kind = match insn.opcode {
            Opcode::Invokestatic => CallKind::Static,
            Opcode::Invokeinterface => CallKind::Interface,
            Opcode::Invokespecial if fact.is(Fact::INIT_NEW) => CallKind::Constructor,
            Opcode::Invokespecial => CallKind::Special,
            _ => CallKind::Virtual,
        };
        let framework = frameworks::is_of_tests(member.owner.0);
        if self.carve && !framework {
            self.push(index, insn, SiteKind::Call { callee: method_ref(&member), kind });
        }
        for kind in Bulk::of(insn.opcode, &member).map(Bulk::sites).unwrap_or_default() {
            self.push(index, insn, kind.clone());
        }
        if Restore::of(kind, &member).is_some() {
            self.push(index, insn, SiteKind::Restore);
        }
        if kind == CallKind::Special && is_clone(&member) {
            self.push(index, insn, SiteKind::Clone { owner: member.owner.to_binary_name() });
        }
        if kind != CallKind::Constructor
            && let Some(access) = contents::access(member.owner.0, member.name.0, kind == CallKind::Static)
        {
            let exact = matches!(kind, CallKind::Special | CallKind::Static);
            self.arguments(index, insn, &member, kind);
            self.functions(index, insn, &member, kind);
            self.push(index, insn, SiteKind::Contents { access, callee: method_ref(&member), exact });
        } else if !framework && self.may_be_inherited(kind, &member)? {
            let exact = kind == CallKind::Special;
            for (position, access) in arguments::inherited(member.name.0, member.descriptor.0) {
                let callee = method_ref(&member);
                self.push(index, insn, SiteKind::Argument { access, callee, position, exact });
            }
            self.push(index, insn, SiteKind::Inherited { callee: method_ref(&member), exact });
        } else {
            self.arguments(index, insn, &member, kind);
            self.functions(index, insn, &member, kind);
        }
        Ok(())
    }

    /// A constructor of a container of the JDK, invoked on `this`, may copy into `this` what another container holds.
    fn filled(&mut self, index: usize, insn: &Insn, member: &MemberText<'a>) {
        let before = self.found.sites.len();
        self.arguments(index, insn, member, CallKind::Special);
        if self.found.sites.len() > before {
            let callee = method_ref(member);
            self.push(index, insn, SiteKind::Contents { access: Access::Write, callee, exact: true });
        }
    }

    /// The containers among the arguments of a call into the JDK.
    fn arguments(&mut self, index: usize, insn: &Insn, member: &MemberText<'a>, kind: CallKind) {
        let exact = !matches!(kind, CallKind::Virtual | CallKind::Interface);
        let (owner, name, descriptor) = (member.owner.0, member.name.0, member.descriptor.0);
        for (position, access) in arguments::arguments(owner, name, descriptor, kind == CallKind::Static) {
            let callee = method_ref(member);
            self.push(index, insn, SiteKind::Argument { access, callee, position, exact });
        }
    }

    /// The functions that a call into the JDK applies, each of which may change the container it is bound to. A terminal operation also
    /// applies the functions of its stream, and its result may be a container.
    fn functions(&mut self, index: usize, insn: &Insn, member: &MemberText<'a>, kind: CallKind) {
        if kind == CallKind::Constructor {
            return;
        }
        let (owner, name, descriptor) = (member.owner.0, member.name.0, member.descriptor.0);
        let mut positions: Vec<u8> = functions::applied(owner, name, descriptor, kind == CallKind::Static)
            .into_iter()
            .map(|(position, _)| position)
            .collect();
        positions.extend(functions::ends(owner, name).then_some(functions::RESULT));
        let exact = matches!(kind, CallKind::Special | CallKind::Static);
        for position in positions {
            for access in [Access::Read, Access::Write] {
                let callee = method_ref(member);
                self.push(index, insn, SiteKind::Argument { access, callee, position, exact });
            }
        }
    }

    /// A method reference to a container.
    fn bound(&mut self, index: usize, insn: &Insn) {
        if let Some((member, access)) = references::bound(self.class, insn) {
            let callee = method_ref(&member);
            self.push(index, insn, SiteKind::Argument { access, callee, position: 0, exact: false });
        }
    }

    /// Whether a method called on a class of the program may be one that the class inherits from a container of the JDK.
    fn may_be_inherited(&self, kind: CallKind, member: &MemberText<'_>) -> Result<bool, Error> {
        let owner = member.owner.0;
        let virtually = matches!(kind, CallKind::Virtual | CallKind::Interface | CallKind::Special);
        let foreign = owner.starts_with(b"java/") || owner.starts_with(b"[");
        if !virtually || foreign || !speaks_of_jdk_alone(member.descriptor.0) {
            return Ok(false);
        }
        let own = self.class.name()?.0 == owner;
        let inherits_nothing =
            own && self.class.super_name()?.is_none_or(|name| name.0 == b"java/lang/Object");
        Ok(!inherits_nothing && contents::inherited(member.name.0).is_some())
    }

    fn origin(&mut self, index: usize, insn: &Insn) -> Result<(), Error> {
        let class = |index: u16| self.class.pool.class_name(ClassIndex(index)).map(|name| name.to_str());
        let origin = match (insn.opcode, insn.operand) {
            (Opcode::Newarray, Operand::ArrayType(code)) => Origin::NewArray(format!("[{}", primitive(code))),
            (Opcode::Anewarray, Operand::Constant(index)) => Origin::NewArray(array_of(&class(index)?)),
            (Opcode::Multianewarray, Operand::MultiArray(index, _)) => {
                Origin::Opaque(format!("an array of type {} made in one step", class(index)?))
            }
            _ => {
                let member = self.member(insn)?;
                let result = descriptor::method(member.descriptor.0).map(|(_, result)| result);
                if result != Some(Kind::Reference) {
                    return Ok(());
                }
                Origin::Opaque(format!(
                    "a lambda, method reference or dynamic call {}{}",
                    member.name, member.descriptor
                ))
            }
        };
        self.push(index, insn, SiteKind::Origin { origin });
        Ok(())
    }

    /// The line table of the method, by offset, in lines of the class's own source file. A table that cannot be read counts as none.
    fn lines(&self) -> Vec<Line> {
        let tables = self.body.code.attributes.iter().filter(|a| self.class.is_named(a, "LineNumberTable"));
        let mut all = Vec::new();
        for table in tables {
            let entries = lines(&table.data, table.offset).into_iter().flatten();
            all.extend(entries.filter_map(|entry| self.lines.entry(entry)));
        }
        all.sort_by_key(|line| line.start);
        all
    }
}

/// Walks the line table along with the instructions.
struct LineCursor<'l> {
    lines: &'l [Line],
    at: usize,
}

impl LineCursor<'_> {
    /// The line of an offset; offsets must not decrease.
    fn at(&mut self, pc: u32) -> u32 {
        while self.lines.get(self.at).is_some_and(|line| u32::from(line.start) <= pc) {
            self.at += 1;
        }
        let current = self.at.checked_sub(1).and_then(|index| self.lines.get(index));
        current.map_or(0, |line| u32::from(line.line))
    }
}

fn is_clone(member: &MemberText<'_>) -> bool {
    (member.name.0, member.descriptor.0) == (b"clone", b"()Ljava/lang/Object;")
}

/// Whether all classes of a descriptor are the JDK's, as those of the JDK's own methods are.
fn speaks_of_jdk_alone(descriptor: &[u8]) -> bool {
    let mut rest = descriptor;
    while let Some(start) = rest.iter().position(|byte| *byte == b'L') {
        rest = rest.get(start + 1..).unwrap_or_default();
        if !rest.starts_with(b"java/") {
            return false;
        }
        let end = rest.iter().position(|byte| *byte == b';').unwrap_or(rest.len());
        rest = rest.get(end..).unwrap_or_default();
    }
    true
}

fn is_object(member: &MemberText<'_>) -> bool {
    matches!(member.descriptor.0.first(), Some(b'L' | b'['))
}

fn field_ref(member: &MemberText<'_>) -> FieldRef {
    FieldRef {
        owner: member.owner.to_binary_name(),
        name: member.name.to_str().into_owned(),
        descriptor: member.descriptor.to_str().into_owned(),
    }
}

fn method_ref(member: &MemberText<'_>) -> MethodRef {
    MethodRef {
        owner: member.owner.to_binary_name(),
        name: member.name.to_str().into_owned(),
        descriptor: member.descriptor.to_str().into_owned(),
    }
}

/// Descriptor letter of a `newarray` code.
fn primitive(code: u8) -> char {
    match code {
        4 => 'Z',
        5 => 'C',
        6 => 'F',
        7 => 'D',
        8 => 'B',
        9 => 'S',
        11 => 'J',
        _ => 'I',
    }
}

/// Descriptor of an array whose elements are of the class with this internal name.
fn array_of(element: &str) -> String {
    if element.starts_with('[') { format!("[{element}") } else { format!("[L{element};") }
}

#[cfg(test)]
mod tests {
    use super::speaks_of_jdk_alone;

    #[test]
    fn a_descriptor_with_a_class_of_the_program_is_no_method_of_the_jdk() {
        for descriptor in ["()V", "(ILjava/lang/Object;)Z", "([Ljava/lang/Object;)[Ljava/lang/Object;"] {
            assert!(speaks_of_jdk_alone(descriptor.as_bytes()), "{descriptor}");
        }
        for descriptor in ["(La/B;)V", "(Ljava/lang/Object;)La/B;", "([[La/B;I)V"] {
            assert!(!speaks_of_jdk_alone(descriptor.as_bytes()), "{descriptor}");
        }
    }
}
