//! The class with its probes. It knows where they stand, not which calls they are or what distance comes of them.
//!
//! Invariant: a method that the JVM compiles does not get too long for that: it has fewer goals instead, first no mutants, then no pairs, then none.

use crate::branch::{Branch, Kind, Pair, Wanted};
use crate::dependence::Dependences;
use crate::flow::{self, FLOW_CLASS, Numbers, Points, Tables};
use crate::found::{self, Found};
use crate::method::{Flowing, Table, Woven};
use dynaflow_bytecode::{Body, code_of};
use dynaflow_classfile::{ClassFile, Error, Opcode};
use dynaflow_flowgraph::dua::Callees;
use dynaflow_flowgraph::dua::tracked::{TrackedClass, TrackedPair, tracked};
use dynaflow_rewrite::{Failure, Names, replace};
use std::collections::{BTreeMap, BTreeSet};

/// A class with probes.
#[derive(Clone, Debug, Default)]
pub struct Guided {
    /// The class file.
    pub bytes: Vec<u8>,
    /// Its branches; the number of each is its position plus the base.
    pub branches: Vec<Branch>,
    /// The pairs that branches of that kind stand for.
    pub pairs: Vec<Pair>,
    /// By outcome, the outcomes of which one happens before it can; nothing of what needs none.
    pub above: BTreeMap<u32, Vec<u32>>,
    /// Methods that have no probes, or fewer, and why.
    pub declined: Vec<String>,
}

/// Puts probes for what is wanted into a class. The numbers of its branches and places begin with `base`; `callees` knows which calls change the object they are made on,
/// which is asked for pairs alone.
///
/// # Errors
/// When the bytes are no class file, or it has no room for the calls.
pub fn guided(bytes: &[u8], base: u32, wanted: Wanted, callees: &dyn Callees) -> Result<Guided, Error> {
    let class = ClassFile::parse(bytes)?;
    let mut declined = vec![];
    let pairs = wanted.pairs.then(|| tracked(bytes, &flow::SOUGHT, callees));
    let pairs = pairs.and_then(|pairs| pairs.map_err(|why| declined.push(format!("its pairs: {why}"))).ok());
    for (method, why) in pairs.iter().flat_map(|pairs| &pairs.refused) {
        let method = method.as_deref().unwrap_or("between methods");
        declined.push(format!("{method}, its pairs: {why}"));
    }
    let mut names = Names::default();
    let flow = names.number(FLOW_CLASS.as_bytes());
    let mut methods = vec![];
    for (number, member) in class.methods.iter().enumerate() {
        let Some((attribute, code)) = code_of(&class, member)? else { continue };
        let woven = Woven::new(&class, member, Body::new(code)?, wanted, &mut names);
        methods.push(Placed { number, attribute, woven, wanted: Some(wanted) });
    }
    let pairs = pairs.unwrap_or_default();
    loop {
        let pass = Pass { class: &class, pairs: &pairs, base, flow, names: &names };
        let (guided, too_long) = pass.run(&methods)?;
        if too_long.is_empty() {
            return Ok(Guided { declined, ..guided });
        }
        for (index, reason) in too_long {
            declined.extend(methods.get_mut(index).map(|method| method.shorten(reason)));
        }
    }
}

/// A method with the place of its code, and the goals that it has room for.
struct Placed<'c, 'a> {
    number: usize,
    attribute: usize,
    woven: Woven<'c, 'a>,
    wanted: Option<Wanted>,
}

impl Placed<'_, '_> {
    /// Fewer goals; says which are left out.
    fn shorten(&mut self, reason: &str) -> String {
        let name = &self.woven.name;
        let (wanted, left_out) = match self.wanted {
            Some(wanted) if wanted.mutants => (Some(Wanted { mutants: false, ..wanted }), ", its mutants"),
            Some(wanted) if wanted.pairs => (Some(Wanted { pairs: false, ..wanted }), ", its pairs"),
            _ => (None, ""),
        };
        self.wanted = wanted;
        format!("{name}{left_out}: {reason}")
    }
}

/// By position the methods that need fewer goals, and why.
type TooLong = Vec<(usize, &'static str)>;

/// The class once, with the goals that its methods have room for so far.
struct Pass<'p, 'a> {
    class: &'p ClassFile<'a>,
    pairs: &'p TrackedClass,
    base: u32,
    /// The number of the name of the class that follows definitions.
    flow: u32,
    names: &'p Names,
}

/// A method with its goals, numbered from the first one on.
struct Numbered<'m, 'c, 'a> {
    index: usize,
    placed: &'m Placed<'c, 'a>,
    first: u32,
    found: Found<'a>,
    dependences: Dependences,
}

impl<'a> Pass<'_, 'a> {
    /// The class with probes; the methods that need fewer goals, and why.
    fn run<'m>(&self, methods: &'m [Placed<'m, 'a>]) -> Result<(Guided, TooLong), Error> {
        let mut numbers = Numbers::default();
        let numbered = self.numbered(methods, &mut numbers);
        let tables = Tables { file: self.class, class: self.pairs, numbers: &numbers, base: self.base };
        let mut too_long = vec![];
        let mut flows = vec![];
        for method in &numbered {
            let flowing = self.flowing(method, &tables);
            too_long.extend(flowing.as_ref().err().map(|reason| (method.index, *reason)));
            flows.push(flowing.unwrap_or_default());
        }
        let mut target = self.class.clone();
        let mut guided = Guided::default();
        for (method, flowing) in numbered.iter().zip(&flows) {
            let woven = &method.placed.woven;
            match woven.code(&mut target.pool, (&method.found, method.first), flowing, self.names) {
                Ok(data) => replace(&mut target, method.placed.number, method.placed.attribute, data),
                Err(Failure::Class(error)) => return Err(error),
                Err(Failure::Method(reason)) => too_long.push((method.index, reason)),
            }
            guided.above.extend(above(&method.dependences, &method.found, method.first));
            guided.branches.extend(woven.listed(&method.found));
        }
        guided.above.extend(numbers.pairs.iter().filter_map(|(pair, number)| {
            let definition = numbers.definitions.get(&self.pairs.pairs.get(*pair)?.definition)?;
            Some((2 * number, vec![2 * definition]))
        }));
        let name = |method: usize| {
            let of_method = self.class.methods.get(method);
            of_method.map(|member| crate::method::name_of(self.class, member)).unwrap_or_default()
        };
        guided.pairs = self.pairs.pairs.iter().map(|pair| flow::spelled(pair, &name)).collect();
        guided.bytes = target.write();
        Ok((guided, too_long))
    }

    /// The methods that have goals.
    fn numbered<'m>(
        &self,
        methods: &'m [Placed<'m, 'a>],
        numbers: &mut Numbers,
    ) -> Vec<Numbered<'m, 'm, 'a>> {
        let with_pairs = methods.iter().filter(|placed| placed.wanted.is_some_and(|wanted| wanted.pairs));
        let with_pairs: BTreeSet<usize> = with_pairs.map(|placed| placed.number).collect();
        let is_asked = |pair: &TrackedPair| {
            [pair.definition.0, pair.usage.0].iter().all(|method| with_pairs.contains(method))
        };
        let mut first = self.base;
        let mut numbered = vec![];
        for (index, placed) in methods.iter().enumerate() {
            let Some(wanted) = placed.wanted else { continue };
            let mut found = placed.woven.found(first, wanted);
            if wanted.pairs {
                flow::add(self.pairs, placed.number, first, &is_asked, &mut found, numbers);
            }
            if !found.places.is_empty() {
                let next = found.next(first);
                let dependences = Dependences::of(&placed.woven.body, &found, first);
                numbered.push(Numbered { index, placed, first, found, dependences });
                first = next;
            }
        }
        numbered
    }

    /// What is reported of definitions and uses.
    fn flowing(
        &self,
        method: &Numbered<'_, '_, 'a>,
        tables: &Tables<'_, '_>,
    ) -> Result<Flowing, &'static str> {
        let placed = method.placed;
        if placed.wanted.is_none_or(|wanted| !wanted.pairs) {
            return Ok(Flowing::default());
        }
        let (body, dependences) = (&placed.woven.body, &method.dependences);
        let points = Points::of(body, dependences.blocks(), self.pairs, placed.number, tables.numbers);
        let mut flowing = Flowing { others: self.others(placed), ..Flowing::default() };
        if points.is_empty() {
            return Ok(flowing);
        }
        let described = flow::Described {
            method: placed.number,
            points: &points,
            found: &method.found,
            first: method.first,
            dependences,
        };
        let approaches = flow::approaches(&described);
        let text =
            tables.text(&described, &approaches).ok_or("its pairs take more text than a class file has")?;
        let deciding = approaches.keys().filter_map(|outcome| {
            let place = method.found.places.get((outcome / 2).checked_sub(method.first)? as usize)?;
            Some(place.insn)
        });
        let points = points.deciding(dependences.blocks(), deciding);
        flowing.table = Some(Table { points, text, base: self.base, flow: self.flow });
        Ok(flowing)
    }

    /// The writes of fields that are not followed: those of fields with pairs, and of fields of classes with the same outermost class.
    fn others(&self, placed: &Placed<'_, 'a>) -> BTreeMap<usize, (Opcode, u32, bool)> {
        let definers = self.pairs.methods.get(&placed.number);
        let is_followed =
            |insn: usize| definers.is_some_and(|definers| definers.fields.contains_key(&(insn as u32)));
        let has_pairs = |name: &str| self.pairs.fields.iter().any(|field| field.name == name);
        let own = self.class.name().map(|name| name.0).unwrap_or_default();
        let outermost = |name: &[u8]| name.split(|byte| *byte == b'$').next().unwrap_or_default().to_vec();
        let mut others = BTreeMap::new();
        for (index, insn) in placed.woven.body.insns.iter().enumerate() {
            let Some(field) = placed.woven.written(insn).filter(|_| !is_followed(index)) else { continue };
            let is_own = field.owner.0 == own;
            let is_relevant = if is_own {
                has_pairs(&field.name.to_string()) && placed.woven.is_whole(index)
            } else {
                outermost(field.owner.0) == outermost(own)
            };
            if is_relevant {
                let is_wide = matches!(field.descriptor.0, b"J" | b"D");
                let key = flow::key(field.owner.0, field.name.0);
                others.insert(index, (insn.opcode, key, is_wide));
            }
        }
        others
    }
}

/// By outcome, what it depends on.
fn above(dependences: &Dependences, found: &Found<'_>, first: u32) -> Vec<(u32, Vec<u32>)> {
    let of_place = |(number, place): (u32, &found::Place)| {
        if place.is_direct {
            // What the branch of the same place depends on, while the test calls the method itself.
            let back = found.direct;
            let above =
                dependences.of_insn(place.insn).into_iter().map(|outcome| outcome + 2 * back).collect();
            return both(number, above);
        }
        match place.kind {
            Kind::Jump | Kind::Case | Kind::Mutant(_) | Kind::Definition => {
                both(number, dependences.of_insn(place.insn))
            }
            // What its definition depends on.
            Kind::Pair(_) => both(number, vec![]),
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
