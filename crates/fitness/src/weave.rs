//! The class with its probes. It knows where they stand, not which calls they are or what distance comes of them.
//!
//! Invariant: a method that the JVM compiles does not get too long for that.

use crate::branch::{Branch, Kind, Wanted};
use crate::dependence::Dependences;
use crate::find::{self, Method};
use crate::found::{self, Begun, Found};
use crate::infect;
use crate::probes;
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_bytecode::{Body, code_of};
use dynaflow_classfile::class::access;
use dynaflow_classfile::frames::FRAMES_SINCE;
use dynaflow_classfile::tables;
use dynaflow_classfile::{ClassFile, ConstantPool, Error, Member};
use dynaflow_rewrite::{Assembly, Coder, Failure, Names, Types, attribute, replace, types};
use std::collections::{BTreeMap, BTreeSet};

/// The longest code that the JVM compiles.
const COMPILED: usize = 8_000;
/// Lines of a basic block from which on the last one stands for the others (smart selection, section 3.4).
const LONG: usize = 8;

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
        let is_asked =
            |insn: &dynaflow_classfile::Insn| wanted.mutants && infect::loaded(insn.opcode).is_some();
        let asked: Vec<bool> = body.insns.iter().map(is_asked).collect();
        // Without frames the verifier infers types.
        let types = (class.major >= FRAMES_SINCE)
            .then(|| types::of(&class, member, &body, &asked, &mut names))
            .transpose();
        let name = name_of(&class, member);
        let spelled = names.number(name.as_bytes());
        methods.push((
            Place { number, attribute: place },
            Woven { class: &class, member, body, types, name, spelled },
        ));
    }
    let mut target = class.clone();
    let mut guided = Guided { bytes: vec![], branches: vec![], above: BTreeMap::new(), declined: vec![] };
    for (place, method) in &methods {
        let first = base + guided.branches.len() as u32;
        let Some((found, data)) =
            method.woven(&mut target.pool, &names, (first, wanted), &mut guided.declined)?
        else {
            continue;
        };
        replace(&mut target, place.number, place.attribute, data);
        guided.above.extend(above(&method.body, &found, first));
        guided.branches.extend(method.listed(&found));
    }
    guided.bytes = target.write();
    Ok(guided)
}

/// Where the code of a method stands in its class.
struct Place {
    number: usize,
    attribute: usize,
}

/// A method that gets probes.
struct Woven<'c, 'a> {
    class: &'c ClassFile<'a>,
    member: &'c Member<'a>,
    body: Body<'a>,
    types: Result<Option<Types>, types::Reason>,
    /// Its name and descriptor.
    name: String,
    /// The number of that among the names.
    spelled: u32,
}

impl<'a> Woven<'_, 'a> {
    /// What was found, and the code with its probes; none where there is nothing to probe or the method is declined. Where there is no room for mutants, it has the others.
    fn woven<'n>(
        &self,
        pool: &mut ConstantPool<'n>,
        names: &'n Names,
        (first, wanted): (u32, Wanted),
        declined: &mut Vec<String>,
    ) -> Result<Option<(Found<'n>, Vec<u8>)>, Error>
    where
        'a: 'n,
    {
        let found = self.found(first, wanted);
        if found.places.is_empty() {
            return Ok(None);
        }
        let reason = match self.code(pool, &found, names, first) {
            Ok(data) => return Ok(Some((found, data))),
            Err(Failure::Class(error)) => return Err(error),
            Err(Failure::Method(reason)) => reason,
        };
        if !wanted.mutants {
            declined.push(format!("{}: {reason}", self.name));
            return Ok(None);
        }
        declined.push(format!("{}, its mutants: {reason}", self.name));
        self.woven(pool, names, (first, Wanted { mutants: false, ..wanted }), declined)
    }

    fn found(&self, first: u32, wanted: Wanted) -> Found<'a> {
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

    fn listed(&self, found: &Found<'_>) -> Vec<Branch> {
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

    /// The code with its probes.
    fn code<'n>(
        &self,
        pool: &mut ConstantPool<'n>,
        found: &Found<'n>,
        names: &'n Names,
        first: u32,
    ) -> Result<Vec<u8>, Failure>
    where
        'a: 'n,
    {
        let body = &self.body;
        let types = self.types.as_ref().map_err(|reason| Failure::Method(reason))?.as_ref();
        let mut coder = Coder { pool, assembly: Assembly::new(body) };
        let mut frames = vec![];
        for index in 0..body.insns.len() {
            coder.assembly.land(index);
            if types.is_some_and(|types| types.framed.get(index).copied().unwrap_or(false)) {
                frames.push((index, index));
            }
            if index == 0 && found.direct > 0 {
                probes::enter(&mut coder, names.name(self.spelled), first, found.direct)?;
            }
            probes::put(&mut coder, body, found, index)?;
        }
        coder.assembly.land(body.insns.len());
        let written = coder.assembly.write()?;
        if written.bytes.len() > COMPILED && body.code.bytes.len() <= COMPILED {
            return Err(Failure::Method("its code would be longer than the JVM compiles"));
        }
        attribute(pool, body, types, &frames, &written, names)
    }
}

fn name_of(class: &ClassFile<'_>, member: &Member<'_>) -> String {
    let text = |index| class.pool.utf8(index).map(|text| text.to_string()).unwrap_or_default();
    format!("{}{}", text(member.name), text(member.descriptor))
}

/// By outcome, what it depends on.
fn above(body: &Body<'_>, found: &Found<'_>, first: u32) -> Vec<(u32, Vec<u32>)> {
    let dependences = Dependences::of(body, found, first);
    let of_place = |(number, place): (u32, &found::Place)| {
        if place.is_direct {
            // What the branch of the same place depends on, while the test calls the method itself.
            let back = found.direct;
            let above =
                dependences.of_insn(place.insn).into_iter().map(|outcome| outcome + 2 * back).collect();
            return both(number, above);
        }
        match place.kind {
            Kind::Jump | Kind::Case | Kind::Mutant(_) => both(number, dependences.of_insn(place.insn)),
            Kind::Entry | Kind::Line => {
                let all: Vec<Vec<u32>> = found.marked(number).map(|insn| dependences.of_insn(insn)).collect();
                both(number, if all.iter().any(Vec::is_empty) { vec![] } else { all.concat() })
            }
        }
    };
    let numbered = (first..).zip(&found.places);
    numbered.flat_map(of_place).filter(|(_, above)| !above.is_empty()).collect()
}

fn both(number: u32, above: Vec<u32>) -> [(u32, Vec<u32>); 2] {
    [(2 * number, above.clone()), (2 * number + 1, above)]
}
