//! A class file as readable text: one instruction a line, constants spelled out, offsets as labels. For golden files of
//! woven classes, where a change must show as the few lines it is.
//!
//! It prints structure and code; attributes nobody asked to read are named with their length. Invariant: the text depends
//! on the class alone, and code that moved without changing prints the same.

use crate::class::access;
use crate::code::Code;
use crate::frames::{Frame, Frames, Shape, VerificationType};
use crate::insn::{Insn, Instructions, Operand};
use crate::pool::{ClassIndex, Constant, MemberIndex};
use crate::tables::{Line, Variable, lines, variables};
use crate::{Attribute, ClassFile, Error, Member, Opcode};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The text of a class file's bytes.
///
/// # Errors
/// When the bytes are no class file.
pub fn bytes(bytes: &[u8]) -> Result<String, Error> {
    class(&ClassFile::parse(bytes)?)
}

/// The text of a class file.
///
/// # Errors
/// When an index names no constant of the right kind, or code cannot be decoded.
pub fn class(class: &ClassFile<'_>) -> Result<String, Error> {
    let mut out = String::new();
    let flags = words(class.access, CLASS_FLAGS);
    let kind = if class.access & access::INTERFACE != 0 { "interface" } else { "class" };
    line(&mut out, 0, &format!("{flags}{kind} {}", class.name()?));
    if let Some(name) = class.super_name()? {
        line(&mut out, 1, &format!("extends {name}"));
    }
    for index in &class.interfaces {
        line(&mut out, 1, &format!("implements {}", class.pool.class_name(*index)?));
    }
    line(&mut out, 1, &format!("version {}.{}", class.major, class.minor));
    for field in &class.fields {
        out.push('\n');
        member(class, field, "field", FIELD_FLAGS, &mut out)?;
    }
    for method in &class.methods {
        out.push('\n');
        member(class, method, "method", METHOD_FLAGS, &mut out)?;
    }
    Ok(out)
}

const CLASS_FLAGS: &[(u16, &str)] = &[
    (0x0001, "public"),
    (0x0010, "final"),
    (0x0400, "abstract"),
    (0x1000, "synthetic"),
    (0x2000, "annotation"),
    (0x4000, "enum"),
    (0x8000, "module"),
];
const FIELD_FLAGS: &[(u16, &str)] = &[
    (0x0001, "public"),
    (0x0002, "private"),
    (0x0004, "protected"),
    (0x0008, "static"),
    (0x0010, "final"),
    (0x0040, "volatile"),
    (0x0080, "transient"),
    (0x1000, "synthetic"),
    (0x4000, "enum"),
];
const METHOD_FLAGS: &[(u16, &str)] = &[
    (0x0001, "public"),
    (0x0002, "private"),
    (0x0004, "protected"),
    (0x0008, "static"),
    (0x0010, "final"),
    (0x0020, "synchronized"),
    (0x0040, "bridge"),
    (0x0080, "varargs"),
    (0x0100, "native"),
    (0x0400, "abstract"),
    (0x0800, "strictfp"),
    (0x1000, "synthetic"),
];

fn words(flags: u16, names: &[(u16, &str)]) -> String {
    names.iter().filter(|(flag, _)| flags & flag != 0).map(|(_, name)| format!("{name} ")).collect()
}

fn line(out: &mut String, depth: usize, text: &str) {
    (0..depth).for_each(|_| out.push_str("  "));
    out.push_str(text);
    out.push('\n');
}

fn member(
    class: &ClassFile<'_>,
    member: &Member<'_>,
    what: &str,
    flags: &[(u16, &str)],
    out: &mut String,
) -> Result<(), Error> {
    let (name, descriptor) = (class.pool.utf8(member.name)?, class.pool.utf8(member.descriptor)?);
    line(out, 0, &format!("{}{what} {name} {descriptor}", words(member.access, flags)));
    for attribute in &member.attributes {
        if class.is_named(attribute, "Code") {
            let code = Code::parse(&attribute.data, attribute.offset)?;
            CodePrinter::new(class, &code)?.print(out)?;
        } else {
            other(class, attribute, 1, out)?;
        }
    }
    Ok(())
}

fn other(
    class: &ClassFile<'_>,
    attribute: &Attribute<'_>,
    depth: usize,
    out: &mut String,
) -> Result<(), Error> {
    let name = class.pool.utf8(attribute.name)?;
    line(out, depth, &format!("attribute {name}, {} bytes", attribute.data.len()));
    Ok(())
}

/// Prints one method's code.
struct CodePrinter<'p, 'a> {
    class: &'p ClassFile<'a>,
    code: &'p Code<'p>,
    insns: Vec<Insn>,
    frames: Vec<Frame<'p>>,
    lines: Vec<Line>,
    variables: Vec<Variable>,
    /// By offset: the number of its label.
    labels: BTreeMap<u32, usize>,
}

impl<'p, 'a> CodePrinter<'p, 'a> {
    fn new(class: &'p ClassFile<'a>, code: &'p Code<'p>) -> Result<Self, Error> {
        let insns = Instructions::new(code.bytes, code.offset).collect::<Result<Vec<_>, _>>()?;
        let mut printer = Self {
            class,
            code,
            insns,
            frames: Vec::new(),
            lines: Vec::new(),
            variables: Vec::new(),
            labels: BTreeMap::new(),
        };
        for attribute in &code.attributes {
            let (data, base) = (&*attribute.data, attribute.offset);
            match class.pool.utf8(attribute.name)?.0 {
                b"StackMapTable" => printer.frames = Frames::new(data, base)?.collect::<Result<_, _>>()?,
                b"LineNumberTable" => printer.lines.extend(lines(data, base)?),
                b"LocalVariableTable" => printer.variables.extend(variables(data, base)?),
                _ => {}
            }
        }
        printer.label();
        Ok(printer)
    }

    /// Numbers the offsets that something refers to, in their order.
    fn label(&mut self) {
        let mut offsets: Vec<u32> = self.frames.iter().map(|frame| frame.offset).collect();
        for insn in &self.insns {
            if let Operand::Target(target) = insn.operand {
                offsets.push(target);
            } else if let Some(switch) = insn.switch(self.code.bytes) {
                offsets.push(switch.default);
                offsets.extend(switch.cases().map(|(_, target)| target));
            }
        }
        for entry in &self.code.exceptions {
            offsets.extend([entry.start, entry.end, entry.handler].map(u32::from));
        }
        for variable in &self.variables {
            let start = u32::from(variable.start);
            offsets.extend([start, start + u32::from(variable.length)]);
        }
        for frame in &self.frames {
            offsets.extend(frame.locals.iter().chain(frame.stack.iter()).filter_map(|kind| match kind {
                VerificationType::Uninitialized(offset) => Some(u32::from(offset)),
                _ => None,
            }));
        }
        offsets.sort_unstable();
        offsets.dedup();
        self.labels = offsets.into_iter().zip(0..).collect();
    }

    fn name(&self, offset: u32) -> String {
        self.labels.get(&offset).map_or_else(|| format!("@{offset}"), |number| format!("L{number}"))
    }

    fn print(&self, out: &mut String) -> Result<(), Error> {
        line(out, 1, &format!("code stack {} locals {}", self.code.max_stack, self.code.max_locals));
        let end = self.code.bytes.len() as u32;
        for insn in &self.insns {
            self.print_marks(insn.pc, out)?;
            let text = self.insn(insn)?;
            line(out, 2, text.trim_end());
            self.print_switch(insn, out);
        }
        self.print_marks(end, out)?;
        for entry in &self.code.exceptions {
            let caught = entry.catch_type.map(|index| self.class.pool.class_name(index)).transpose()?;
            let caught = caught.map_or_else(|| "anything".to_owned(), |name| name.to_string());
            let [from, to, at] = [entry.start, entry.end, entry.handler].map(|pc| self.name(u32::from(pc)));
            line(out, 2, &format!("catch {caught} from {from} to {to} at {at}"));
        }
        for v in &self.variables {
            let (name, kind) = (self.class.pool.utf8(v.name)?, self.class.pool.utf8(v.kind)?);
            let (from, to) = (u32::from(v.start), u32::from(v.start) + u32::from(v.length));
            let (from, to) = (self.name(from), self.name(to));
            line(out, 2, &format!("variable {name} {kind} in {} from {from} to {to}", v.slot));
        }
        let known = ["StackMapTable", "LineNumberTable", "LocalVariableTable"];
        for attribute in &self.code.attributes {
            if !known.iter().any(|name| self.class.is_named(attribute, name)) {
                other(self.class, attribute, 2, out)?;
            }
        }
        Ok(())
    }

    /// Label, frame and line that begin at an offset.
    fn print_marks(&self, pc: u32, out: &mut String) -> Result<(), Error> {
        if self.labels.contains_key(&pc) {
            line(out, 1, &format!("{}:", self.name(pc)));
        }
        for frame in self.frames.iter().filter(|frame| frame.offset == pc) {
            let text = self.frame(frame)?;
            line(out, 2, text.trim_end());
        }
        for entry in self.lines.iter().filter(|entry| u32::from(entry.start) == pc) {
            line(out, 2, &format!("// line {}", entry.line));
        }
        Ok(())
    }

    fn print_switch(&self, insn: &Insn, out: &mut String) {
        let Some(switch) = insn.switch(self.code.bytes) else { return };
        for (key, target) in switch.cases() {
            line(out, 3, &format!("{key}: {}", self.name(target)));
        }
        line(out, 3, &format!("default: {}", self.name(switch.default)));
    }

    fn frame(&self, frame: &Frame<'_>) -> Result<String, Error> {
        let mut text = match frame.shape {
            Shape::Same | Shape::SameOneStack => "frame same".to_owned(),
            Shape::Chop(count) => format!("frame chop {count}"),
            Shape::Append(_) => "frame append".to_owned(),
            Shape::Full => "frame full".to_owned(),
        };
        for (what, types) in [("locals", &frame.locals), ("stack", &frame.stack)] {
            if !types.is_empty() || frame.shape == Shape::Full {
                let kinds = types.iter().map(|kind| self.kind(kind)).collect::<Result<Vec<_>, _>>()?;
                let _ = write!(text, " {what} [{}]", kinds.join(" "));
            }
        }
        Ok(text)
    }

    fn kind(&self, kind: VerificationType) -> Result<String, Error> {
        Ok(match kind {
            VerificationType::Top => "top".to_owned(),
            VerificationType::Integer => "int".to_owned(),
            VerificationType::Float => "float".to_owned(),
            VerificationType::Double => "double".to_owned(),
            VerificationType::Long => "long".to_owned(),
            VerificationType::Null => "null".to_owned(),
            VerificationType::UninitializedThis => "uninitializedThis".to_owned(),
            VerificationType::Object(index) => self.class.pool.class_name(index)?.to_string(),
            VerificationType::Uninitialized(offset) => format!("new@{}", self.name(u32::from(offset))),
        })
    }

    fn insn(&self, insn: &Insn) -> Result<String, Error> {
        let mnemonic = insn.opcode.mnemonic();
        Ok(match insn.operand {
            Operand::None => mnemonic.to_owned(),
            Operand::Immediate(value) => format!("{mnemonic} {value}"),
            Operand::Local(_) if mnemonic.contains('_') => mnemonic.to_owned(),
            Operand::Local(local) => format!("{mnemonic} {local}"),
            Operand::Increment(local, delta) => format!("{mnemonic} {local} {delta}"),
            Operand::Target(target) => format!("{mnemonic} {}", self.name(target)),
            Operand::ArrayType(code) => format!("{mnemonic} {}", array_type(code)),
            Operand::MultiArray(class, dimensions) => {
                format!("{mnemonic} {} {dimensions}", self.class.pool.class_name(ClassIndex(class))?)
            }
            Operand::Constant(index) => format!("{mnemonic} {}", self.constant(insn.opcode, index)?),
        })
    }

    fn constant(&self, opcode: Opcode, index: u16) -> Result<String, Error> {
        let pool = &self.class.pool;
        let wide = opcode == Opcode::Ldc2W;
        Ok(match pool.get(index) {
            Some(Constant::Integer(value)) => format!("int {value}"),
            Some(Constant::Float(bits)) => format!("float {:?}", f32::from_bits(bits)),
            Some(Constant::Long(value)) if wide => format!("long {value}"),
            Some(Constant::Double(bits)) if wide => format!("double {:?}", f64::from_bits(bits)),
            Some(Constant::String(text)) => format!("{:?}", pool.utf8(text)?.to_str()),
            Some(Constant::Class(_)) => pool.class_name(ClassIndex(index))?.to_string(),
            Some(Constant::MethodType(text)) => format!("type {}", pool.utf8(text)?),
            Some(Constant::MethodHandle(kind, member)) => format!("handle {kind} {}", self.member(member)?),
            _ => self.member(MemberIndex(index))?,
        })
    }

    fn member(&self, index: MemberIndex) -> Result<String, Error> {
        let member = self.class.pool.member(index)?;
        let (name, descriptor) = (member.name, member.descriptor);
        if member.owner.0.is_empty() {
            return Ok(format!("dynamic {name} {descriptor}"));
        }
        let kind = if member.interface { "interface " } else { "" };
        Ok(format!("{kind}{}.{name} {descriptor}", member.owner))
    }
}

/// Name of the element type of `newarray`.
fn array_type(code: u8) -> &'static str {
    match code {
        4 => "boolean",
        5 => "char",
        6 => "float",
        7 => "double",
        8 => "byte",
        9 => "short",
        10 => "int",
        11 => "long",
        _ => "unknown",
    }
}
