//! What the operators ask of a method besides the instruction they mutate: names, lines, neighbours. It makes no mutants.
//!
//! Invariant: nothing here depends on other classes.

use dynaflow_bytecode::Body;
use dynaflow_classfile::pool::MemberText;
use dynaflow_classfile::tables::{self, Line, Variable};
use dynaflow_classfile::{ClassFile, Insn, Member, MemberIndex, Opcode, Operand};

/// A method that mutants are looked for in.
pub(crate) struct Context<'c, 'a> {
    /// Its class.
    pub class: &'c ClassFile<'a>,
    /// Its code.
    pub body: &'c Body<'a>,
    /// Internal name of the class, `::` and the name of the method, as PIT's descriptions end.
    pub place: String,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Descriptors of the annotations of the method.
    pub annotations: Vec<String>,
    lines: Vec<Line>,
    variables: Vec<Variable>,
    /// By instruction: whether something jumps to it.
    targets: Vec<bool>,
}

impl<'c, 'a> Context<'c, 'a> {
    /// That of a method. Tables of lines and variables that cannot be read count as not there.
    pub fn new(class: &'c ClassFile<'a>, method: &Member<'a>, body: &'c Body<'a>) -> Self {
        let text = |index| class.pool.utf8(index).map(|text| text.to_string()).unwrap_or_default();
        let (name, descriptor) = (text(method.name), text(method.descriptor));
        let owner = class.name().map(|name| name.to_string()).unwrap_or_default();
        let attribute = |name| class.attribute(&body.code.attributes, name);
        let lines = attribute("LineNumberTable").and_then(|table| tables::lines(&table.data, 0).ok());
        let variables =
            attribute("LocalVariableTable").and_then(|table| tables::variables(&table.data, 0).ok());
        let mut targets = vec![false; body.insns.len()];
        for insn in &body.insns {
            body.each_target(insn, |pc| {
                if let Some(place) = body.insn_at(pc).and_then(|index| targets.get_mut(index)) {
                    *place = true;
                }
            });
        }
        Self {
            class,
            body,
            place: format!("{owner}::{name}"),
            name,
            descriptor,
            annotations: annotations(class, method),
            lines: lines.map(Iterator::collect).unwrap_or_default(),
            variables: variables.map(Iterator::collect).unwrap_or_default(),
            targets,
        }
    }

    /// The source line of an instruction, 0 when it is not known.
    pub fn line(&self, index: usize) -> u16 {
        let pc = self.insn(index).map_or(0, |insn| insn.pc);
        let before = self.lines.iter().filter(|line| u32::from(line.start) <= pc);
        before.max_by_key(|line| line.start).map_or(0, |line| line.line)
    }

    /// An instruction by index.
    pub fn insn(&self, index: usize) -> Option<&Insn> {
        self.body.insns.get(index)
    }

    /// The opcode of an instruction.
    pub fn opcode(&self, index: usize) -> Option<Opcode> {
        self.insn(index).map(|insn| insn.opcode)
    }

    /// The opcode of the instruction before.
    pub fn before(&self, index: usize) -> Option<Opcode> {
        index.checked_sub(1).and_then(|index| self.opcode(index))
    }

    /// Whether something jumps to an instruction.
    pub fn is_target(&self, index: usize) -> bool {
        self.targets.get(index).copied().unwrap_or(false)
    }

    /// Where a jump goes, as an index.
    pub fn target(&self, index: usize) -> Option<usize> {
        match self.insn(index)?.operand {
            Operand::Target(pc) => self.body.insn_at(pc),
            _ => None,
        }
    }

    /// The field or method that an instruction names.
    pub fn member(&self, index: usize) -> Option<MemberText<'a>> {
        let insn = self.insn(index)?;
        let names = (Opcode::Getstatic..=Opcode::Invokedynamic).contains(&insn.opcode);
        let constant = insn.constant().filter(|_| names)?;
        self.class.pool.member(MemberIndex(constant)).ok()
    }

    /// The method that an instruction calls by name; none for constructors.
    pub fn called(&self, index: usize) -> Option<MemberText<'a>> {
        let is_call = (Opcode::Invokevirtual..=Opcode::Invokeinterface).contains(&self.opcode(index)?);
        self.member(index).filter(|member| is_call && member.name.0 != b"<init>")
    }

    /// Whether an instruction calls a method of this owner and name; without an owner, of any class.
    pub fn calls(&self, index: usize, owner: &str, name: &str) -> bool {
        self.member(index).is_some_and(|member| {
            (owner.is_empty() || member.owner.0 == owner.as_bytes())
                && member.name.0 == name.as_bytes()
                && member.descriptor.0.first() == Some(&b'(')
        })
    }

    /// The descriptor of the local variable that an instruction accesses, where the class says it.
    pub fn local_type(&self, index: usize) -> Option<String> {
        let insn = self.insn(index)?;
        let slot = insn.local()?;
        let holds = |variable: &&Variable| {
            let (start, end) =
                (u32::from(variable.start), u32::from(variable.start) + u32::from(variable.length));
            variable.slot == slot && start <= insn.end && insn.pc < end
        };
        let found = self.variables.iter().find(holds)?;
        self.class.pool.utf8(found.kind).ok().map(|text| text.to_string())
    }

    /// What the method returns, as a descriptor.
    pub fn result(&self) -> &str {
        self.descriptor.rsplit_once(')').map_or("", |(_, result)| result)
    }
}

fn annotations(class: &ClassFile<'_>, method: &Member<'_>) -> Vec<String> {
    let named = ["RuntimeVisibleAnnotations", "RuntimeInvisibleAnnotations"];
    let lists = named.iter().filter_map(|name| class.attribute(&method.attributes, name));
    let types = lists.filter_map(|list| dynaflow_classfile::annotations::types(&list.data, 0).ok()).flatten();
    types.filter_map(|kind| class.pool.utf8(kind).ok().map(|text| text.to_string())).collect()
}
