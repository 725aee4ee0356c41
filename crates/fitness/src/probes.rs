//! What a probe is made of: the calls before an instruction, and what lies on the stack for them.
//!
//! It knows which calls report what, not what distance comes of it. Invariant: a probe leaves stack and local variables as they were.

use crate::found::{Compared, Found, Infection, Probe, Sort};
use crate::infect::relation;
use crate::mutation::Operator;
use dynaflow_bytecode::Body;
use dynaflow_classfile::{Error, Opcode};
use dynaflow_rewrite::{Coder, StaticMethod};

/// Internal name of the class whose static methods probes call. Every class loader must find it.
pub const PROBE_CLASS: &str = "io/dynaflow/fitness/Distances";

const fn method(name: &'static str, descriptor: &'static str) -> StaticMethod {
    StaticMethod { owner: PROBE_CLASS, name, descriptor, interface: false }
}

/// The probe at the start of a method whose branches, so many from the first on, count once more while a test calls it itself.
pub(crate) fn enter<'n>(
    coder: &mut Coder<'_, 'n, '_>,
    signature: &'n [u8],
    first: u32,
    branches: u32,
) -> Result<(), Error> {
    coder.text(signature)?;
    coder.int(first.cast_signed())?;
    coder.int(branches.cast_signed())?;
    coder.call(&method("entered", "(Ljava/lang/String;II)V"))
}

/// An instruction with the probes before it.
pub(crate) fn put<'n>(
    coder: &mut Coder<'_, 'n, '_>,
    body: &Body<'_>,
    found: &Found<'n>,
    index: usize,
) -> Result<(), Error> {
    let Some(insn) = body.insns.get(index) else { return Ok(()) };
    for number in found.marks.get(&index).into_iter().flatten() {
        coder.int(number.cast_signed())?;
        coder.call(&method("reached", "(I)V"))?;
    }
    for infection in found.infections.get(&index).into_iter().flatten() {
        infect(coder, infection)?;
    }
    match found.probes.get(&index) {
        Some(Probe::Wide) => return coder.call(&wide(insn.opcode)),
        Some(probe) => branch(coder, probe, insn.opcode)?,
        None => {}
    }
    coder.assembly.insn(index);
    Ok(())
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

/// What a branch compares.
fn branch<'n>(coder: &mut Coder<'_, 'n, '_>, probe: &Probe<'n>, opcode: Opcode) -> Result<(), Error> {
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
            plain(coder, copies);
            numbered(coder, *number, relation(opcode) as u8, &call)?;
        }
        Probe::Remember(how) => {
            plain(coder, &[Opcode::Dup2]);
            coder.int(i32::from(*how as u8))?;
            coder.call(&method("remember", "(Ljava/lang/Object;Ljava/lang/Object;I)V"))?;
        }
        Probe::Keys(keys) => {
            for (key, number) in keys {
                plain(coder, &[Opcode::Dup]);
                coder.int(*key)?;
                numbered(coder, *number, 0, &method("ints", "(IIII)V"))?;
            }
        }
        Probe::Texts(texts) => {
            for (text, number, jump) in texts {
                plain(coder, &[Opcode::Dup]);
                coder.text(text)?;
                let call = method("text", "(Ljava/lang/String;Ljava/lang/String;II)V");
                numbered(coder, *number, relation(*jump) as u8, &call)?;
            }
        }
        Probe::Wide => {}
    }
    Ok(())
}

/// What mutants would make differ.
fn infect(coder: &mut Coder<'_, '_, '_>, infection: &Infection) -> Result<(), Error> {
    match *infection {
        Infection::Operated { number, operator, sort } => {
            let call = operands(coder, operator, sort)?;
            numbered(coder, number, operator as u8, &call)
        }
        Infection::Compared { number, relation, compared } => {
            let (copies, call): (&[Opcode], _) = match compared {
                Compared::Zero => (&[Opcode::Dup, Opcode::Iconst0], method("compared", "(IIII)V")),
                Compared::Ints => (&[Opcode::Dup2], method("compared", "(IIII)V")),
                _ => (&[Opcode::Dup], method("comparedWide", "(III)V")),
            };
            plain(coder, copies);
            numbered(coder, number, relation as u8, &call)
        }
        Infection::Inserted { number, sort, slot } => {
            load(coder, sort, slot);
            coder.int(number.cast_signed())?;
            let descriptor = match sort {
                Sort::Long => "(JI)V",
                Sort::Float => "(FI)V",
                Sort::Double => "(DI)V",
                Sort::Int | Sort::Reference => "(II)V",
            };
            coder.call(&method("inserted", descriptor))
        }
        Infection::Varied { number, sort, slots: (own, other) } => {
            load(coder, sort, own);
            load(coder, sort, other);
            coder.int(number.cast_signed())?;
            let descriptor = match sort {
                Sort::Int => "(III)V",
                Sort::Long => "(JJI)V",
                Sort::Float => "(FFI)V",
                Sort::Double => "(DDI)V",
                Sort::Reference => "(Ljava/lang/Object;Ljava/lang/Object;I)V",
            };
            coder.call(&method("varied", descriptor))
        }
    }
}

/// Copies both operands; gives the call that takes them, a number and the operator. Of operands of two slots the second is handed over by itself, as no instruction
/// copies four slots.
fn operands(coder: &mut Coder<'_, '_, '_>, operator: Operator, sort: Sort) -> Result<StaticMethod, Error> {
    let is_shift = matches!(operator, Operator::Left | Operator::Right | Operator::Unsigned);
    match sort {
        Sort::Long if is_shift => {
            plain(coder, &[Opcode::DupX2]);
            coder.call(&method("second", "(I)V"))?;
            plain(coder, &[Opcode::Dup2X1]);
            Ok(method("shifted", "(JII)V"))
        }
        Sort::Long => {
            plain(coder, &[Opcode::Dup2X2]);
            coder.call(&method("second", "(J)V"))?;
            plain(coder, &[Opcode::Dup2X2]);
            Ok(method("operated", "(JII)V"))
        }
        Sort::Double => {
            plain(coder, &[Opcode::Dup2X2]);
            coder.call(&method("second", "(D)V"))?;
            plain(coder, &[Opcode::Dup2X2]);
            Ok(method("operated", "(DII)V"))
        }
        Sort::Float => {
            plain(coder, &[Opcode::Dup2]);
            Ok(method("operated", "(FFII)V"))
        }
        Sort::Int | Sort::Reference => {
            plain(coder, &[Opcode::Dup2]);
            Ok(method("operated", "(IIII)V"))
        }
    }
}

fn plain(coder: &mut Coder<'_, '_, '_>, opcodes: &[Opcode]) {
    opcodes.iter().for_each(|opcode| coder.assembly.bytes(&[opcode.byte()]));
}

/// A call that takes, behind what lies on the stack, a number and what is asked.
fn numbered(coder: &mut Coder<'_, '_, '_>, number: u32, asked: u8, call: &StaticMethod) -> Result<(), Error> {
    coder.int(number.cast_signed())?;
    coder.int(asked.into())?;
    coder.call(call)
}

fn load(coder: &mut Coder<'_, '_, '_>, sort: Sort, slot: u16) {
    let opcode = match sort {
        Sort::Int => Opcode::Iload,
        Sort::Long => Opcode::Lload,
        Sort::Float => Opcode::Fload,
        Sort::Double => Opcode::Dload,
        Sort::Reference => Opcode::Aload,
    };
    match u8::try_from(slot) {
        Ok(slot) => coder.assembly.bytes(&[opcode.byte(), slot]),
        Err(_) => {
            plain(coder, &[Opcode::Wide]);
            coder.with_index(opcode, slot);
        }
    }
}
