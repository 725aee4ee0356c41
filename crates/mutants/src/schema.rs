//! Class bytes with mutants: all of them behind guards, one of them, or probes where they stand. It knows methods and groups, not
//! what a guard looks like.
//!
//! The JVM does not compile methods of more than 8,000 bytes. Where all mutants of a method would make it longer than that, they
//! are dealt out to several woven classes, groups; group 0 of the other methods' mutants stands in the first. Invariant: every mutant
//! is in one group, and methods whose original is compiled stay short enough.

use crate::find::types_of;
use crate::mutant::{ClassMutants, Mutant};
use crate::weave::{self, Edits, Mode};
use dynaflow_bytecode::{Body, code_of};
use dynaflow_classfile::{ClassFile, Error};
use dynaflow_rewrite::{Failure, Names, Types, replace};
use std::collections::BTreeMap;

/// The longest code that the JVM compiles.
const COMPILED: usize = 8_000;

/// A class with mutants behind guards.
#[derive(Clone, Debug)]
pub struct Schema {
    /// The class file.
    pub bytes: Vec<u8>,
    /// The mutants in there, as positions in [`ClassMutants::mutants`]; each has the number of its position plus the base.
    pub mutants: Vec<usize>,
}

/// A method with mutants.
struct Method<'a> {
    number: usize,
    /// Position of its `Code` among its attributes.
    attribute: usize,
    body: Body<'a>,
    types: Option<Types>,
    /// Its mutants.
    mutants: Vec<usize>,
}

/// Weaves all mutants of a class into it; the number of a mutant is its position plus `base`, which is at least 1. As a rule that is
/// one class; more when methods would get too long. Mutants that fit nowhere are in none.
///
/// # Errors
/// When the bytes are not those the mutants come from, or the class has no room for them.
pub fn schemata(bytes: &[u8], found: &ClassMutants, base: u32) -> Result<Vec<Schema>, Error> {
    let class = ClassFile::parse(bytes)?;
    let mut names = Names::default();
    let methods = methods(&class, found, 0..found.mutants.len(), &mut names)?;
    let mut groups: Vec<(ClassFile<'_>, Vec<usize>)> = Vec::new();
    for method in &methods {
        let mut open = vec![method.mutants.clone()];
        let mut group = 0;
        while let Some(part) = open.pop() {
            if groups.len() <= group {
                groups.push((class.clone(), Vec::new()));
            }
            let Some((target, woven)) = groups.get_mut(group) else { break };
            match guarded(target, method, found, &part, base, &names) {
                Ok(data) => {
                    replace(target, method.number, method.attribute, data);
                    woven.extend(part);
                    group += 1;
                }
                Err(Failure::Method(_)) if part.len() > 1 => {
                    let (first, second) = part.split_at(part.len() / 2);
                    open.extend([second.to_vec(), first.to_vec()]);
                }
                Err(Failure::Method(_)) => {}
                Err(Failure::Class(error)) => return Err(error),
            }
        }
    }
    let schema = |(class, mut mutants): (ClassFile<'_>, Vec<usize>)| {
        mutants.sort_unstable();
        Schema { bytes: class.write(), mutants }
    };
    Ok(groups.into_iter().map(schema).filter(|schema| !schema.mutants.is_empty()).collect())
}

/// The class with one mutant, by its position, and nothing else.
///
/// # Errors
/// As [`schemata`], and when there is no such mutant.
pub fn alone(bytes: &[u8], found: &ClassMutants, mutant: usize) -> Result<Vec<u8>, Error> {
    let one = found.mutants.get(mutant).ok_or(Error::new(0, "the class has no mutant of this number"))?;
    let class = ClassFile::parse(bytes)?;
    let mut names = Names::default();
    let methods = methods(&class, found, mutant..mutant + 1, &mut names)?;
    let mut target = class.clone();
    for method in &methods {
        let edits = one.sites().map(|(insn, change)| (insn, vec![(0, change)])).collect();
        let types = method.types.as_ref();
        match weave::code(&mut target.pool, &method.body, types, &edits, Mode::Alone, &names) {
            Ok(data) => replace(&mut target, method.number, method.attribute, data),
            Err(Failure::Method(reason)) => return Err(Error::new(0, reason)),
            Err(Failure::Class(error)) => return Err(error),
        }
    }
    Ok(target.write())
}

/// A class with probes.
#[derive(Clone, Debug)]
pub struct Probed {
    /// The class file.
    pub bytes: Vec<u8>,
    /// By mutant, the positions whose numbers the probes before it report: it can be reached only where one of them is.
    pub probes: Vec<Vec<usize>>,
}

/// The class with calls of [`crate::PROBE`], each with the number of a mutant, its position plus `base`. Instructions that only run one behind the
/// other share a probe, before the first of them that has mutants; a method that would get too long to be compiled has one probe, at its start.
///
/// # Errors
/// As [`schemata`].
pub fn probed(bytes: &[u8], found: &ClassMutants, base: u32) -> Result<Probed, Error> {
    let class = ClassFile::parse(bytes)?;
    let mut names = Names::default();
    let methods = methods(&class, found, 0..found.mutants.len(), &mut names)?;
    let mut target = class.clone();
    let mut probes = vec![Vec::new(); found.mutants.len()];
    for method in &methods {
        let mut places = places(method, found, &runs(&method.body));
        let mut code = with_probes(&mut target, method, found, &places, base, &names);
        if matches!(code, Err(Failure::Method(_))) {
            places = self::places(method, found, &vec![0; method.body.insns.len()]);
            places.values_mut().for_each(|place| place.insn = 0);
            code = with_probes(&mut target, method, found, &places, base, &names);
        }
        match code {
            Ok(data) => replace(&mut target, method.number, method.attribute, data),
            Err(Failure::Method(reason)) => return Err(Error::new(0, reason)),
            Err(Failure::Class(error)) => return Err(error),
        }
        for place in places.values() {
            for mutant in &place.mutants {
                if let Some(of) = probes.get_mut(*mutant) {
                    of.extend(place.mutants.first());
                }
            }
        }
    }
    Ok(Probed { bytes: target.write(), probes })
}

/// Where a probe stands, and for which mutants; it reports the first.
struct Place {
    insn: usize,
    mutants: Vec<usize>,
}

/// By instruction, a number shared with those that only run one behind the other.
fn runs(body: &Body<'_>) -> Vec<usize> {
    let mut begins = vec![false; body.insns.len() + 1];
    let mut begin = |index: Option<usize>| {
        if let Some(place) = index.and_then(|index| begins.get_mut(index)) {
            *place = true;
        }
    };
    body.code.exceptions.iter().for_each(|entry| begin(body.insn_at(u32::from(entry.handler))));
    for (index, insn) in body.insns.iter().enumerate() {
        let mut jumps = insn.opcode.ends_block();
        body.each_target(insn, |target| {
            jumps = true;
            begin(body.insn_at(target));
        });
        begin(jumps.then_some(index + 1));
    }
    let number = |number: &mut usize, begins: &bool| {
        *number += usize::from(*begins);
        Some(*number)
    };
    begins.iter().take(body.insns.len()).scan(0, number).collect()
}

/// The probes of a method by run.
fn places(method: &Method<'_>, found: &ClassMutants, runs: &[usize]) -> BTreeMap<usize, Place> {
    let mut places: BTreeMap<usize, Place> = BTreeMap::new();
    for position in &method.mutants {
        for (insn, _) in found.mutants.get(*position).into_iter().flat_map(Mutant::sites) {
            let run = runs.get(insn).copied().unwrap_or_default();
            let place = places.entry(run).or_insert(Place { insn, mutants: Vec::new() });
            place.insn = place.insn.min(insn);
            if place.mutants.last() != Some(position) {
                place.mutants.push(*position);
            }
        }
    }
    places
}

fn with_probes<'n>(
    target: &mut ClassFile<'n>,
    method: &Method<'n>,
    found: &ClassMutants,
    places: &BTreeMap<usize, Place>,
    base: u32,
    names: &'n Names,
) -> Result<Vec<u8>, Failure> {
    let edit = |place: &Place| {
        let first = *place.mutants.first()?;
        let number = base.saturating_add(first as u32).cast_signed();
        Some((place.insn, vec![(number, &found.mutants.get(first)?.change)]))
    };
    let edits: Edits<'_> = places.values().filter_map(edit).collect();
    let types = method.types.as_ref();
    let data = weave::code(&mut target.pool, &method.body, types, &edits, Mode::Probed, names)?;
    still_compiled(method, data)
}

/// The methods of some mutants, decoded.
fn methods<'a>(
    class: &ClassFile<'a>,
    found: &ClassMutants,
    range: std::ops::Range<usize>,
    names: &mut Names,
) -> Result<Vec<Method<'a>>, Error> {
    let mut by_method: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for position in range {
        if let Some(mutant) = found.mutants.get(position) {
            by_method.entry(mutant.number_of_method).or_default().push(position);
        }
    }
    let strange = Error::new(0, "the mutants are those of another class file");
    let mut methods = Vec::new();
    for (number, mutants) in by_method {
        let member = class.methods.get(number).ok_or(strange)?;
        let (attribute, code) = code_of(class, member)?.ok_or(strange)?;
        let body = Body::new(code)?;
        let those = || mutants.iter().filter_map(|position| found.mutants.get(*position));
        if those().flat_map(Mutant::sites).any(|(insn, _)| insn >= body.insns.len()) {
            return Err(strange);
        }
        let changes = those().flat_map(Mutant::sites);
        let types = types_of(class, member, &body, changes, names).map_err(|reason| Error::new(0, reason))?;
        methods.push(Method { number, attribute, body, types, mutants });
    }
    Ok(methods)
}

fn edits<'m>(found: &'m ClassMutants, part: &[usize], base: u32) -> Edits<'m> {
    let mut edits = Edits::new();
    for position in part {
        if let Some(mutant) = found.mutants.get(*position) {
            let number = base.saturating_add(*position as u32).cast_signed();
            for (insn, change) in mutant.sites() {
                edits.entry(insn).or_default().push((number, change));
            }
        }
    }
    edits
}

/// The code of a method with some of its mutants, unless it gets too long to be compiled.
fn guarded<'n>(
    target: &mut ClassFile<'n>,
    method: &Method<'n>,
    found: &ClassMutants,
    part: &[usize],
    base: u32,
    names: &'n Names,
) -> Result<Vec<u8>, Failure> {
    let edits = edits(found, part, base);
    let types = method.types.as_ref();
    let data = weave::code(&mut target.pool, &method.body, types, &edits, Mode::Guarded, names)?;
    still_compiled(method, data)
}

/// The code, unless it is too long to be compiled and the method was not.
fn still_compiled(method: &Method<'_>, data: Vec<u8>) -> Result<Vec<u8>, Failure> {
    let length = data.get(4..8).and_then(|bytes| bytes.first_chunk()).map_or(0, |b| u32::from_be_bytes(*b));
    if length as usize > COMPILED && method.body.code.bytes.len() <= COMPILED {
        return Err(Failure::Method("its code would be longer than the JVM compiles"));
    }
    Ok(data)
}
