//! Whether code makes an object of a class at a line: an exception whose innermost frame is such a line was made there by the program; any
//! other was raised by the JVM. And where a method begins, for what is wrong with it as a whole; what the compiler or a tool wrote; who
//! has null checked; and where the answer of a call is dropped.
//!
//! Knows nothing of running programs. Invariant: a constructor that is called for `super(...)` or `this(...)` makes nothing.

use dynaflow_bytecode::{Body, assigned_of_record, is_marked, is_of_record};
use dynaflow_classfile::class::access;
use dynaflow_classfile::tables::{Line, lines};
use dynaflow_classfile::{ClassFile, Error, Insn, Member, MemberIndex, Opcode, Operand};
use std::collections::BTreeSet;

/// Whether a method of this name makes an object of the class (a binary name) at a source line, or at any when the line is not known.
/// Linear in the code of the class.
///
/// # Errors
/// When the bytes are no class file.
pub fn makes(bytes: &[u8], method: &str, line: Option<u32>, class: &str) -> Result<bool, Error> {
    let file = ClassFile::parse(bytes)?;
    let wanted = class.replace('.', "/");
    for member in &file.methods {
        if file.pool.utf8(member.name)?.to_str() == method && of_method(&file, member, line, &wanted)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the constructor without parameters is there for frameworks, which fill objects by reflection: it is not public, and a public one takes parameters.
///
/// # Errors
/// When the bytes are no class file.
pub fn is_for_frameworks(bytes: &[u8]) -> Result<bool, Error> {
    let file = ClassFile::parse(bytes)?;
    let (mut is_hidden, mut others) = (false, false);
    for member in &file.methods {
        if file.pool.utf8(member.name)?.to_str() != "<init>" {
            continue;
        }
        let is_public = member.access & access::PUBLIC != 0;
        match file.pool.utf8(member.descriptor)?.to_str() == "()V" {
            true => is_hidden = !is_public,
            false => others |= is_public,
        }
    }
    Ok(is_hidden && others)
}

/// Whether only classes of its own package can call a constructor or a method that the class declares: it is neither public nor protected, or, what no
/// interface or superclass shows to others, a constructor or a static method of a class that is not public.
///
/// # Errors
/// When the bytes are no class file.
pub fn is_of_package(bytes: &[u8], method: &str, descriptor: &str) -> Result<bool, Error> {
    let file = ClassFile::parse(bytes)?;
    let is_hidden = file.access & access::PUBLIC == 0;
    for member in &file.methods {
        if file.pool.utf8(member.name)?.to_str() == method
            && file.pool.utf8(member.descriptor)?.to_str() == descriptor
        {
            let is_open = member.access & (access::PUBLIC | access::PROTECTED) != 0;
            return Ok(!is_open || is_hidden && (method == "<init>" || member.access & access::STATIC != 0));
        }
    }
    Ok(false)
}

/// What of a class the program did not write itself, methods by name with descriptor: what the compiler wrote for a record, and what annotations mark as generated
/// or excluded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OfTools {
    methods: BTreeSet<String>,
    /// The assignments at the end of compact constructors, by offset.
    assignments: BTreeSet<(String, u32)>,
}

impl OfTools {
    /// Reads a class.
    ///
    /// # Errors
    /// When the bytes are no class file.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        let file = ClassFile::parse(bytes)?;
        let mut found = Self::default();
        for member in &file.methods {
            let name = format!("{}{}", file.pool.utf8(member.name)?, file.pool.utf8(member.descriptor)?);
            if is_marked(&file, member) || is_of_record(&file, member)? {
                found.methods.insert(name);
                continue;
            }
            let assigned = assigned_of_record(&file, member)?;
            let body = if assigned.is_empty() { None } else { Body::of_method(&file, member)? };
            let insns = body.iter().flat_map(|body| assigned.iter().filter_map(|at| body.insns.get(*at)));
            found.assignments.extend(insns.map(|insn| (name.clone(), insn.pc)));
        }
        Ok(found)
    }

    /// Whether the instruction at an offset of a method is theirs.
    pub fn has(&self, method: &str, offset: u32) -> bool {
        self.methods.contains(method) || self.assignments.contains(&(method.to_owned(), offset))
    }

    /// Whether a method is theirs that every object has: its `equals`, `hashCode` or `toString`, or what helps `equals`.
    pub fn has_of_object(&self, method: &str) -> bool {
        let of_object = ["equals(Ljava/lang/Object;)Z", "hashCode()I", "toString()Ljava/lang/String;"];
        (of_object.contains(&method) || method.starts_with("canEqual(")) && self.methods.contains(method)
    }
}

/// The first source line of a method of this name that the class declares itself, 0 when it is not known, none when it declares none with code; and
/// its superclass and interfaces, as binary names. Of several methods, the one with this descriptor counts, else the first in the file; what the compiler adds does not.
///
/// # Errors
/// When the bytes are no class file.
pub fn begins(bytes: &[u8], method: &str, descriptor: &str) -> Result<(Option<u32>, Vec<String>), Error> {
    let file = ClassFile::parse(bytes)?;
    let above = above(&file)?;
    let mut found = None;
    for member in &file.methods {
        if member.access & access::SYNTHETIC != 0 || file.pool.utf8(member.name)?.to_str() != method {
            continue;
        }
        let Some(body) = Body::of_method(&file, member)? else { continue };
        let line = table(&file, &body)?.iter().map(|entry| u32::from(entry.line)).min().unwrap_or_default();
        if file.pool.utf8(member.descriptor)?.to_str() == descriptor {
            return Ok((Some(line), above));
        }
        found = found.or(Some(line));
    }
    Ok((found, above))
}

/// Whether the class declares this method itself, with code or without; and its superclass and interfaces, as binary names. What the compiler adds does not count.
///
/// # Errors
/// When the bytes are no class file.
pub fn declares(bytes: &[u8], method: &str, descriptor: &str) -> Result<(bool, Vec<String>), Error> {
    let file = ClassFile::parse(bytes)?;
    Ok((declared(&file, method, descriptor)?.is_some(), above(&file)?))
}

/// Whether the class declares this method itself and its code returns null as a constant, `return null` or `return found ? text : null`. What the compiler
/// adds does not count. Linear in its code, but for jumps behind such a constant.
///
/// # Errors
/// When the bytes are no class file.
pub fn returns_null(bytes: &[u8], method: &str, descriptor: &str) -> Result<bool, Error> {
    let file = ClassFile::parse(bytes)?;
    let Some(member) = declared(&file, method, descriptor)? else { return Ok(false) };
    let Some(body) = Body::of_method(&file, member)? else { return Ok(false) };
    let returns = |insn: &Insn| match insn.operand {
        Operand::Target(target) if insn.opcode == Opcode::Goto => {
            body.insns.iter().any(|to| to.pc == target && to.opcode == Opcode::Areturn)
        }
        _ => insn.opcode == Opcode::Areturn,
    };
    let is_null =
        |pair: &[Insn]| matches!(pair, [null, out] if null.opcode == Opcode::AconstNull && returns(out));
    Ok(body.insns.windows(2).any(is_null))
}

/// The method that the class declares itself; none that the compiler adds.
fn declared<'f, 'a>(
    file: &'f ClassFile<'a>,
    method: &str,
    descriptor: &str,
) -> Result<Option<&'f Member<'a>>, Error> {
    for member in file.methods.iter().filter(|member| member.access & access::SYNTHETIC == 0) {
        if file.pool.utf8(member.name)?.to_str() == method
            && file.pool.utf8(member.descriptor)?.to_str() == descriptor
        {
            return Ok(Some(member));
        }
    }
    Ok(None)
}

/// Methods of containers that put something in or take something out, and answer whether they did, or what was there.
const CHANGES: &[&str] = &[
    "add",
    "addAll",
    "addElement",
    "addFirst",
    "addLast",
    "append",
    "offer",
    "offerFirst",
    "offerLast",
    "push",
    "put",
    "putAll",
    "remove",
    "removeAll",
];

/// Whether the instruction at an offset of a method, by its name with descriptor, puts something into a container of the JDK or takes something out, and what the
/// call answers is dropped: what the container held before shows in what it holds then, and nowhere else.
///
/// # Errors
/// When the bytes are no class file.
pub fn drops_answer(bytes: &[u8], method: &str, offset: u32) -> Result<bool, Error> {
    let file = ClassFile::parse(bytes)?;
    let Some(member) = with_signature(&file, method) else { return Ok(false) };
    let Some(body) = Body::of_method(&file, member)? else { return Ok(false) };
    let Some(at) = body.insn_at(offset) else { return Ok(false) };
    let calls = |insn: &&Insn| matches!(insn.opcode, Opcode::Invokevirtual | Opcode::Invokeinterface);
    let called = body.insns.get(at).filter(calls).and_then(Insn::constant);
    let Some(index) = called else { return Ok(false) };
    let called = file.pool.member(MemberIndex(index))?;
    let is_change =
        called.owner.as_bytes().starts_with(b"java/") && CHANGES.contains(&&*called.name.to_str());
    let is_dropped = called.descriptor.as_bytes().ends_with(b")V")
        || body.insns.get(at + 1).is_some_and(|insn| insn.opcode == Opcode::Pop);
    Ok(is_change && is_dropped)
}

/// The method with this name and descriptor, one behind the other, whoever wrote it.
pub fn with_signature<'f, 'a>(file: &'f ClassFile<'a>, signature: &str) -> Option<&'f Member<'a>> {
    file.methods.iter().find(|member| {
        let text = |index| file.pool.utf8(index).map(|text| text.to_string()).unwrap_or_default();
        text(member.name) + &text(member.descriptor) == signature
    })
}

/// Who has it checked that an object is there, by `Objects.requireNonNull`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NullCheck {
    /// The program.
    OnPurpose,
    /// The compiler, of what a method is called on later: `lid::open`. What is checked may be a field of `this`.
    ByCompiler {
        /// Whether it is one.
        is_field: bool,
    },
}

/// Who has it checked that an object is there in a method of this name at a source line, or at any when the line is not known; none where nobody has. Where both
/// do, the program.
///
/// # Errors
/// When the bytes are no class file.
pub fn null_check(bytes: &[u8], method: &str, line: Option<u32>) -> Result<Option<NullCheck>, Error> {
    let file = ClassFile::parse(bytes)?;
    let mut found = None;
    for member in &file.methods {
        if file.pool.utf8(member.name)?.to_str() != method {
            continue;
        }
        let Some(body) = Body::of_method(&file, member)? else { continue };
        let table = table(&file, &body)?;
        let is_at =
            |insn: &Insn| line.is_none_or(|line| table.is_empty() || line_of(&table, insn.pc) == Some(line));
        for (at, _) in body.insns.iter().enumerate().filter(|(_, insn)| is_at(insn)) {
            found = match check_at(&file, &body, at)? {
                Some(NullCheck::OnPurpose) => return Ok(Some(NullCheck::OnPurpose)),
                other => found.or(other),
            };
        }
    }
    Ok(found)
}

/// Who calls `Objects.requireNonNull` here: the compiler copies what it checks, and drops what the call gives.
fn check_at(file: &ClassFile<'_>, body: &Body<'_>, at: usize) -> Result<Option<NullCheck>, Error> {
    let opcode = |at: Option<usize>| at.and_then(|at| body.insns.get(at)).map(|insn| insn.opcode);
    let called = body.insns.get(at).filter(|insn| insn.opcode == Opcode::Invokestatic);
    let Some(index) = called.and_then(Insn::constant) else { return Ok(None) };
    let member = file.pool.member(MemberIndex(index))?;
    if (&*member.owner.to_str(), &*member.name.to_str()) != ("java/util/Objects", "requireNonNull") {
        return Ok(None);
    }
    let before = |back: usize| opcode(at.checked_sub(back));
    let is_copied = before(1) == Some(Opcode::Dup) && opcode(at.checked_add(1)) == Some(Opcode::Pop);
    let is_field = before(2) == Some(Opcode::Getfield) && before(3) == Some(Opcode::Aload0);
    Ok(Some(if is_copied { NullCheck::ByCompiler { is_field } } else { NullCheck::OnPurpose }))
}

/// Superclass and interfaces of a class, as binary names.
///
/// # Errors
/// When the bytes are no class file.
pub fn supertypes(bytes: &[u8]) -> Result<Vec<String>, Error> {
    above(&ClassFile::parse(bytes)?)
}

/// Superclass and interfaces.
fn above(file: &ClassFile<'_>) -> Result<Vec<String>, Error> {
    let all = file.super_class.iter().chain(&file.interfaces);
    all.map(|index| Ok(file.pool.class_name(*index)?.to_str().replace('/', "."))).collect()
}

/// The lines of a method, sorted by offset.
fn table(file: &ClassFile<'_>, body: &Body<'_>) -> Result<Vec<Line>, Error> {
    let named = |attribute: &&dynaflow_classfile::Attribute<'_>| file.is_named(attribute, "LineNumberTable");
    let mut table: Vec<Line> = vec![];
    for attribute in body.code.attributes.iter().filter(named) {
        table.extend(lines(&attribute.data, attribute.offset)?);
    }
    table.sort_by_key(|entry| entry.start);
    Ok(table)
}

fn of_method(
    file: &ClassFile<'_>,
    member: &Member<'_>,
    line: Option<u32>,
    wanted: &str,
) -> Result<bool, Error> {
    let Some(body) = Body::of_method(file, member)? else { return Ok(false) };
    let table = table(file, &body)?;
    let is_there =
        |insn: &Insn| line.is_none_or(|line| table.is_empty() || line_of(&table, insn.pc) == Some(line));
    // As many objects of the class are made before a call of its constructor as there were `new`: what is left is `super(...)`.
    let mut made = 0_usize;
    for insn in &body.insns {
        let Operand::Constant(index) = insn.operand else { continue };
        match insn.opcode {
            Opcode::New
                if file.pool.class_name(dynaflow_classfile::ClassIndex(index))?.to_str() == wanted =>
            {
                made += 1
            }
            Opcode::Invokespecial if made > 0 => {
                let called = file.pool.member(MemberIndex(index))?;
                if called.name.to_str() == "<init>" && called.owner.to_str() == wanted {
                    if is_there(insn) {
                        return Ok(true);
                    }
                    made -= 1;
                }
            }
            _ => {}
        }
    }
    Ok(false)
}

/// The line of an offset, by a table that is sorted by offset.
fn line_of(table: &[Line], pc: u32) -> Option<u32> {
    let before = table.partition_point(|entry| u32::from(entry.start) <= pc);
    Some(u32::from(table.get(before.checked_sub(1)?)?.line))
}
