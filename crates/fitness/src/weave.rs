//! The class with its probes. It knows which calls report what, not what distance comes of it.
//!
//! Invariants: a probe leaves stack and local variables as they were; a method that the JVM compiles does not get too long for that.

use crate::branch::{Branch, Kind, Wanted};
use crate::dependence::Dependences;
use crate::find::{self, Compared, Found, Probe};
use dynaflow_bytecode::{Body, code_of};
use dynaflow_classfile::class::access;
use dynaflow_classfile::frames::FRAMES_SINCE;
use dynaflow_classfile::tables;
use dynaflow_classfile::{ClassFile, ConstantPool, Error, Member, Opcode};
use dynaflow_rewrite::{Assembly, Coder, Failure, Names, StaticMethod, Types, attribute, replace, types};
use std::collections::BTreeMap;

/// Internal name of the class whose static methods probes call. Every class loader must find it.
pub const PROBE_CLASS: &str = "io/dynaflow/fitness/Distances";

/// The longest code that the JVM compiles.
const COMPILED: usize = 8_000;

/// A class with probes.
#[derive(Clone, Debug)]
pub struct Guided {
    /// The class file.
    pub bytes: Vec<u8>,
    /// Its branches; the number of each is its position plus the base.
    pub branches: Vec<Branch>,
    /// By outcome, the outcomes of which one happens before it can; nothing of what needs none.
    pub above: BTreeMap<u32, Vec<u32>>,
    /// Methods that have no probes, and why.
    pub declined: Vec<String>,
}

/// Puts probes for what is wanted into a class. The numbers of its branches and places begin with `base`.
///
/// # Errors
/// When the bytes are no class file, or it has no room for the calls.
pub fn guided(bytes: &[u8], base: u32, wanted: Wanted) -> Result<Guided, Error> {
    let class = ClassFile::parse(bytes)?;
    let mut names = Names::default();
    let mut methods = vec![];
    for (number, member) in class.methods.iter().enumerate() {
        let Some((place, code)) = code_of(&class, member)? else { continue };
        let body = Body::new(code)?;
        // Without frames the verifier infers types.
        let types = (class.major >= FRAMES_SINCE)
            .then(|| types::of(&class, member, &body, &[], &mut names))
            .transpose();
        methods.push((number, member, place, body, types));
    }
    let mut target = class.clone();
    let mut guided = Guided { bytes: vec![], branches: vec![], above: BTreeMap::new(), declined: vec![] };
    for (number, member, place, body, types) in &methods {
        let name = name_of(&class, member);
        let first = base + guided.branches.len() as u32;
        let lines = lines(&class, body);
        let begun = if wanted == Wanted::BranchesAndLines { begun(body, &lines) } else { BTreeMap::new() };
        let found = find::goals(&class, body, first, is_callable(&class, member), &begun);
        if found.branches.is_empty() {
            continue;
        }
        let woven = match types {
            Ok(types) => code(&mut target.pool, body, types.as_ref(), &found, &names),
            Err(reason) => Err(Failure::Method(reason)),
        };
        match woven {
            Ok(data) => {
                replace(&mut target, *number, *place, data);
                guided.above.extend(above(body, &found, first));
                guided.branches.extend(listed(&name, body, &lines, &found));
            }
            Err(Failure::Method(reason)) => guided.declined.push(format!("{name}: {reason}")),
            Err(Failure::Class(error)) => return Err(error),
        }
    }
    guided.bytes = target.write();
    Ok(guided)
}

fn name_of(class: &ClassFile<'_>, member: &Member<'_>) -> String {
    let text = |index| class.pool.utf8(index).map(|text| text.to_string()).unwrap_or_default();
    format!("{}{}", text(member.name), text(member.descriptor))
}

/// The table of lines of a method; empty where it has none.
fn lines(class: &ClassFile<'_>, body: &Body<'_>) -> Vec<tables::Line> {
    let table = class.attribute(&body.code.attributes, "LineNumberTable");
    table.and_then(|table| tables::lines(&table.data, 0).ok()).into_iter().flatten().collect()
}

/// By line, the instructions that begin it.
fn begun(body: &Body<'_>, lines: &[tables::Line]) -> BTreeMap<u16, Vec<usize>> {
    let mut begun: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
    for line in lines {
        begun.entry(line.line).or_default().extend(body.insn_at(u32::from(line.start)));
    }
    begun
}

/// Whether a sequence may enter a method: it is neither an initialiser of the class, nor a bridge, nor what keeps others from making objects.
fn is_callable(class: &ClassFile<'_>, member: &Member<'_>) -> bool {
    let text = |index| class.pool.utf8(index).map(|text| text.to_string()).unwrap_or_default();
    let (name, descriptor) = (text(member.name), text(member.descriptor));
    let is_for_itself = name == "<init>" && descriptor == "()V" && member.access & access::PRIVATE != 0;
    name != "<clinit>" && member.access & access::BRIDGE == 0 && !is_for_itself
}

fn listed(method: &str, body: &Body<'_>, lines: &[tables::Line], found: &Found<'_>) -> Vec<Branch> {
    let branch = |&(index, kind): &(usize, Kind)| {
        let offset = body.insns.get(index).map_or(0, |insn| insn.pc);
        let before = lines.iter().filter(|line| u32::from(line.start) <= offset);
        let line = before.max_by_key(|line| line.start).map_or(0, |line| line.line);
        Branch { method: method.to_owned(), offset, line, kind }
    };
    found.branches.iter().map(branch).collect()
}

/// By outcome, what it depends on.
fn above(body: &Body<'_>, found: &Found<'_>, first: u32) -> Vec<(u32, Vec<u32>)> {
    let dependences = Dependences::of(body, found, first);
    let numbered = (first..).zip(&found.branches);
    let of_branch = |(number, (insn, kind)): (u32, &(usize, Kind))| match kind {
        Kind::Jump | Kind::Case => {
            let above = dependences.of_insn(*insn);
            [(2 * number, above.clone()), (2 * number + 1, above)]
        }
        Kind::Entry | Kind::Line => {
            let all: Vec<Vec<u32>> = found.marked(number).map(|insn| dependences.of_insn(insn)).collect();
            let above = if all.iter().any(Vec::is_empty) { vec![] } else { all.concat() };
            [(2 * number, above), (2 * number + 1, vec![])]
        }
    };
    numbered.flat_map(of_branch).filter(|(_, above)| !above.is_empty()).collect()
}

fn code<'n>(
    pool: &mut ConstantPool<'n>,
    body: &Body<'n>,
    types: Option<&Types>,
    found: &Found<'n>,
    names: &'n Names,
) -> Result<Vec<u8>, Failure> {
    let mut coder = Coder { pool, assembly: Assembly::new(body) };
    let mut frames = vec![];
    for (index, insn) in body.insns.iter().enumerate() {
        coder.assembly.land(index);
        if types.is_some_and(|types| types.framed.get(index).copied().unwrap_or(false)) {
            frames.push((index, index));
        }
        for number in found.marks.get(&index).into_iter().flatten() {
            coder.int(number.cast_signed())?;
            coder.call(&method("reached", "(I)V"))?;
        }
        match found.probes.get(&index) {
            Some(Probe::Wide) => coder.call(&wide(insn.opcode))?,
            Some(probe) => {
                put(&mut coder, probe, insn.opcode)?;
                coder.assembly.insn(index);
            }
            None => coder.assembly.insn(index),
        }
    }
    coder.assembly.land(body.insns.len());
    let written = coder.assembly.write()?;
    if written.bytes.len() > COMPILED && body.code.bytes.len() <= COMPILED {
        return Err(Failure::Method("its code would be longer than the JVM compiles"));
    }
    attribute(pool, body, types, &frames, &written, names)
}

const fn method(name: &'static str, descriptor: &'static str) -> StaticMethod {
    StaticMethod { owner: PROBE_CLASS, name, descriptor, interface: false }
}

/// The comparison that keeps its operands.
fn wide(opcode: Opcode) -> StaticMethod {
    match opcode {
        Opcode::Lcmp => method("longs", "(JJ)I"),
        Opcode::Fcmpl => method("lowFloats", "(FF)I"),
        Opcode::Fcmpg => method("highFloats", "(FF)I"),
        Opcode::Dcmpl => method("lowDoubles", "(DD)I"),
        _ => method("highDoubles", "(DD)I"),
    }
}

/// What a jump asks of its operands, as the Java class numbers it: equal, not equal, less, not less, greater, not greater.
fn relation(jump: Opcode) -> i32 {
    match jump {
        Opcode::Ifeq | Opcode::IfIcmpeq | Opcode::IfAcmpeq | Opcode::Ifnull => 0,
        Opcode::Ifne | Opcode::IfIcmpne | Opcode::IfAcmpne | Opcode::Ifnonnull => 1,
        Opcode::Iflt | Opcode::IfIcmplt => 2,
        Opcode::Ifge | Opcode::IfIcmpge => 3,
        Opcode::Ifgt | Opcode::IfIcmpgt => 4,
        _ => 5,
    }
}

fn put<'n>(coder: &mut Coder<'_, 'n, '_>, probe: &Probe<'n>, opcode: Opcode) -> Result<(), Error> {
    match probe {
        Probe::Jump { number, compared } => {
            let (copies, call): (&[Opcode], _) = match compared {
                Compared::Zero => (&[Opcode::Dup, Opcode::Iconst0], method("ints", "(IIII)V")),
                Compared::Ints => (&[Opcode::Dup2], method("ints", "(IIII)V")),
                Compared::Null => (
                    &[Opcode::Dup, Opcode::AconstNull],
                    method("references", "(Ljava/lang/Object;Ljava/lang/Object;II)V"),
                ),
                Compared::References => {
                    (&[Opcode::Dup2], method("references", "(Ljava/lang/Object;Ljava/lang/Object;II)V"))
                }
                Compared::Wide => (&[Opcode::Dup], method("wide", "(III)V")),
                Compared::Answer => (&[Opcode::Dup], method("answer", "(III)V")),
            };
            copies.iter().for_each(|copy| coder.assembly.bytes(&[copy.byte()]));
            coder.int(number.cast_signed())?;
            coder.int(relation(opcode))?;
            coder.call(&call)?;
        }
        Probe::Remember(how) => {
            coder.assembly.bytes(&[Opcode::Dup2.byte()]);
            coder.int(i32::from(*how as u8))?;
            coder.call(&method("remember", "(Ljava/lang/Object;Ljava/lang/Object;I)V"))?;
        }
        Probe::Keys(keys) => {
            for (key, number) in keys {
                coder.assembly.bytes(&[Opcode::Dup.byte()]);
                coder.int(*key)?;
                coder.int(number.cast_signed())?;
                coder.int(0)?;
                coder.call(&method("ints", "(IIII)V"))?;
            }
        }
        Probe::Texts(texts) => {
            for (text, number, jump) in texts {
                coder.assembly.bytes(&[Opcode::Dup.byte()]);
                coder.text(text)?;
                coder.int(number.cast_signed())?;
                coder.int(relation(*jump))?;
                coder.call(&method("text", "(Ljava/lang/String;Ljava/lang/String;II)V"))?;
            }
        }
        Probe::Wide => {}
    }
    Ok(())
}
