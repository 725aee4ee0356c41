//! The mutants of a class: every operator at every instruction, less what PIT leaves out and what changes no bytecode.
//!
//! It knows operators and filters, not guards. Invariant: mutants come in the order of methods, instructions and operators; two of
//! them never give a method the same code, and none gives it the code it has.

use crate::change::Change;
use crate::context::Context;
use crate::filter::{self, Patterns};
use crate::found::Found;
use crate::mutant::{ClassMutants, Mutant, Options};
use crate::weave::{self, Edits, Mode};
use crate::{mujava, omitted, pit};
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_bytecode::{Body, is_empty_finalizer};
use dynaflow_classfile::frames::FRAMES_SINCE;
use dynaflow_classfile::{ClassFile, Error, Member, Utf8Index};
use dynaflow_rewrite::{Failure, Names, Types, types};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The types that weaving these changes of a method asks for; none for a class without frames.
pub(crate) fn types_of<'m>(
    class: &ClassFile<'_>,
    method: &Member<'_>,
    body: &Body<'_>,
    changes: impl Iterator<Item = (usize, &'m Change)>,
    names: &mut Names,
) -> Result<Option<Types>, types::Reason> {
    // Without frames the verifier infers types.
    if class.major < FRAMES_SINCE {
        return Ok(None);
    }
    let wanted = weave::wanted(body.insns.len(), changes);
    types::of(class, method, body, &wanted, names).map(Some)
}

/// Bytes of code that are written to compare the mutants of one method; of longer methods with more mutants, only changes at one
/// instruction are compared.
const MAX_COMPARED: usize = 100_000_000;

/// What two mutants of a method are compared by.
#[derive(Debug, PartialEq, Eq, Hash)]
enum Key {
    /// The hash of the method's code.
    Code([u8; 32]),
    /// The changes.
    Sites(Vec<(usize, Change)>),
}

/// Finds the mutants of a class.
///
/// # Errors
/// When the bytes are no class file.
pub fn mutants(bytes: &[u8], options: &Options) -> Result<ClassMutants, Error> {
    let class = ClassFile::parse(bytes)?;
    let (name, source_file) = (class.name()?.to_string(), source_file(&class));
    let mut result = ClassMutants { class: name, source_file, ..ClassMutants::default() };
    let mut bodies = Vec::new();
    for (number, method) in class.methods.iter().enumerate() {
        match Body::of_method(&class, method) {
            Ok(Some(body)) if !is_empty_finalizer(&class, method, &body.code) => {
                bodies.push((number, method, body))
            }
            Ok(_) => {}
            Err(error) => result.decline(&class, method, &error.to_string()),
        }
    }
    let contexts: Vec<Context<'_, '_>> =
        bodies.iter().map(|(_, method, body)| Context::new(&class, method, body)).collect();
    let once = filter::run_once(&class);
    let logging = filter::logging_lines(&contexts.iter().collect::<Vec<_>>());
    for (context, (number, method, body)) in contexts.iter().zip(&bodies) {
        let found = all(context, options);
        let kept = if options.filter {
            let whole = filter::of_method(&class, method, &once);
            sieve((context, method), found, whole, &logging, &mut result)
        } else {
            found
        };
        distinct(&class, (*number, method, body), context, kept, &mut result);
    }
    Ok(result)
}

/// The name of the source file that the class has.
fn source_file(class: &ClassFile<'_>) -> Option<String> {
    let attribute = class.attribute(&class.attributes, "SourceFile")?;
    let index = Utf8Index(u16::from_be_bytes(*attribute.data.first_chunk()?));
    class.pool.utf8(index).ok().map(|text| text.to_string())
}

/// What the operators make of a method.
fn all(context: &Context<'_, '_>, options: &Options) -> Vec<Found> {
    let mut found = Vec::new();
    for index in 0..context.body.insns.len() {
        let from = found.len();
        pit::of(context, index, &mut found);
        mujava::of(context, index, &mut found);
        omitted::of(context, index, &mut found);
        let mut here: Vec<Found> = found.split_off(from);
        here.retain(|one| options.operators.contains(&one.operator));
        here.sort_by_key(|one| one.operator);
        found.extend(here);
    }
    found
}

/// Those that PIT does not leave out.
fn sieve(
    (context, method): (&Context<'_, '_>, &Member<'_>),
    found: Vec<Found>,
    whole: Option<filter::Reason>,
    logging: &BTreeSet<u16>,
    result: &mut ClassMutants,
) -> Vec<Found> {
    let patterns = Patterns::of(context, method);
    let mut kept = Vec::new();
    for one in found {
        let logs = logging.contains(&context.line(one.insn)).then_some("line that logs");
        match whole.or(logs).or_else(|| patterns.reason(context, &one)) {
            Some(reason) => result.leave_out(reason),
            None => kept.push(one),
        }
    }
    let count = kept.len();
    let joined = filter::join_copies(context, kept);
    (joined.len()..count).for_each(|_| result.leave_out("copy of a finally block"));
    joined
}

/// Keeps those whose code differs from the method's and from one another's.
fn distinct(
    class: &ClassFile<'_>,
    (number, method, body): (usize, &Member<'_>, &Body<'_>),
    context: &Context<'_, '_>,
    found: Vec<Found>,
    result: &mut ClassMutants,
) {
    if found.is_empty() {
        return;
    }
    let mut names = Names::default();
    let changes = found.iter().flat_map(Found::sites);
    let types = match types_of(class, method, body, changes, &mut names) {
        Ok(types) => types,
        Err(reason) => return result.decline(class, method, reason),
    };
    let blocks = Blocks::of(body).ok();
    let block_of = |insn| blocks.as_ref().and_then(|blocks| blocks.block_of(insn)).unwrap_or_default();
    let mut pool = class.pool.clone();
    let is_long = body.code.bytes.len().saturating_mul(found.len()) > MAX_COMPARED;
    let mut alone = |edits: Edits<'_>| {
        let code = weave::code(&mut pool, body, types.as_ref(), &edits, Mode::Alone, &names)?;
        Ok::<_, Failure>(Key::Code(*blake3::hash(&code).as_bytes()))
    };
    let mut seen: FxHashMap<Key, Option<usize>> = FxHashMap::default();
    match alone(Edits::new()) {
        Ok(key) => drop(seen.insert(key, None)),
        Err(failure) => return result.decline(class, method, &failure.to_string()),
    }
    for one in found {
        let is_reached = |types: &Types, insn| types.states.get(insn).is_some_and(Option::is_some);
        if !types.as_ref().is_none_or(|types| one.sites().all(|(insn, _)| is_reached(types, insn))) {
            result.leave_out("code that nothing leads to");
            continue;
        }
        let sites = || one.sites().map(|(insn, change)| (insn, vec![(0, change)]));
        let key = if is_long {
            Ok(Key::Sites(one.sites().map(|(insn, change)| (insn, change.clone())).collect()))
        } else {
            alone(sites().collect())
        };
        let key = match key {
            Ok(key) => key,
            Err(failure) => {
                result.decline(class, method, &failure.to_string());
                continue;
            }
        };
        match seen.get(&key) {
            Some(None) => result.leave_out("same bytecode as the original"),
            Some(Some(other)) => result.also(*other, one.operator),
            None => {
                seen.insert(key, Some(result.mutants.len()));
                let block = block_of(one.insn);
                result.add(Mutant { block, ..mutant(context, number, one) });
            }
        }
    }
}

fn mutant(context: &Context<'_, '_>, number: usize, one: Found) -> Mutant {
    Mutant {
        operator: one.operator,
        also: Vec::new(),
        method: context.name.clone(),
        descriptor: context.descriptor.clone(),
        line: context.line(one.insn),
        insn: one.insn,
        block: 0,
        description: one.description,
        id: String::new(),
        number_of_method: number,
        change: one.change,
        copies: one.copies,
    }
}
