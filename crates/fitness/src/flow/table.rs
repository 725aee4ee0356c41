//! The text by which the Java class knows a method: numbers as characters, those above 32,767 as two.
//!
//! It knows the layout, which `Flow.java` reads, not how it is put into a class. Invariant: numbers of goals are less the first one of the class, so that the text depends on the
//! bytes of the class alone.

use super::goals::{Numbers, key};
use super::points::{Action, Points};
use crate::branch::Kind;
use crate::dependence::Dependences;
use crate::found::Found;
use dynaflow_classfile::ClassFile;
use dynaflow_flowgraph::dua::tracked::{Carrier, TrackedClass, TrackedPair, UsedAt};
use std::collections::{BTreeMap, BTreeSet};

/// The longest text of a class file, in bytes.
const LONGEST: usize = 65_535;

/// What the tables of the methods of a class have in common.
pub(crate) struct Tables<'t, 'a> {
    /// The class.
    pub file: &'t ClassFile<'a>,
    /// Its pairs.
    pub class: &'t TrackedClass,
    /// Their numbers.
    pub numbers: &'t Numbers,
    /// The first number of a goal of the class.
    pub base: u32,
}

/// A method whose table is written.
pub(crate) struct Described<'m, 'f> {
    /// Its position in the class.
    pub method: usize,
    /// What is reported of it.
    pub points: &'m Points,
    /// Its goals, numbered from `first` on.
    pub found: &'m Found<'f>,
    /// The first number.
    pub first: u32,
    /// On what its instructions depend.
    pub dependences: &'m Dependences,
}

/// A text in the making.
#[derive(Default)]
struct Text(Vec<u8>);

impl Text {
    fn number(&mut self, number: u32) {
        if number < 0x8000 {
            self.character(number);
        } else {
            self.character(0x8000 | (number >> 15 & 0x7fff));
            self.character(number & 0x7fff);
        }
    }

    /// A character as class files spell it.
    fn character(&mut self, character: u32) {
        let low = |shift: u32| 0x80 | (character >> shift & 0x3f) as u8;
        match character {
            1..=0x7f => self.0.push(character as u8),
            0 | 0x80..=0x7ff => self.0.extend([0xc0 | (character >> 6) as u8, low(0)]),
            _ => self.0.extend([0xe0 | (character >> 12) as u8, low(6), low(0)]),
        }
    }

    fn list(&mut self, numbers: &[u32]) {
        self.number(numbers.len() as u32);
        numbers.iter().for_each(|number| self.number(*number));
    }
}

impl Tables<'_, '_> {
    /// The key of a field, and 1 where it is static.
    fn field(&self, field: u32) -> [u32; 2] {
        let owner = self.file.name().map(|name| name.0.to_vec()).unwrap_or_default();
        let field = self.class.fields.get(field as usize);
        field.map_or([0; 2], |field| [key(&owner, field.name.as_bytes()), u32::from(field.is_static)])
    }

    /// The text of a method; none when it is longer than a class file has it.
    pub(crate) fn text(&self, of: &Described<'_, '_>, approaches: &Approaches) -> Option<Vec<u8>> {
        let mut text = Text::default();
        let definers = self.class.methods.get(&of.method);
        text.number(definers.map_or(0, |definers| definers.variables.len() as u32));
        let definitions: Vec<(Option<u32>, u32)> = self
            .numbers
            .definitions
            .range((of.method, None)..=(of.method, Some(u32::MAX)))
            .map(|((_, insn), number)| (*insn, *number))
            .collect();
        let place = |number: Option<u32>| {
            let at = definitions.iter().position(|(_, other)| Some(*other) == number);
            at.map_or(0, |at| at as u32 + 1)
        };
        let entry = definitions.iter().find(|(insn, _)| insn.is_none()).map(|(_, number)| *number);
        text.number(place(entry));
        self.definitions(of.method, &definitions, &mut text);
        text.number(of.points.actions.len() as u32);
        for actions in &of.points.actions {
            let spell = |action: &Action| match *action {
                Action::Use(number) => [0, number, 0, 0],
                Action::Assign(variable, site, number) => [1, variable, site, place(number)],
                Action::Put(field, number) => {
                    let [key, is_static] = self.field(field);
                    [2, key, is_static, place(number)]
                }
            };
            text.list(&actions.iter().flat_map(spell).collect::<Vec<u32>>());
        }
        self.uses(of, &mut text);
        self.edges(of, &mut text);
        self.approaches(approaches, &mut text);
        (text.0.len() <= LONGEST).then_some(text.0)
    }

    /// By definition its number and those of its pairs.
    fn definitions(&self, method: usize, definitions: &[(Option<u32>, u32)], text: &mut Text) {
        text.number(definitions.len() as u32);
        for (insn, number) in definitions {
            let pairs = self.numbered().filter(|(pair, _)| pair.definition == (method, *insn));
            let all: Vec<u32> = std::iter::once(*number)
                .chain(pairs.map(|(_, number)| number))
                .map(|number| number - self.base)
                .collect();
            text.list(&all);
        }
    }

    fn numbered(&self) -> impl Iterator<Item = (&TrackedPair, u32)> {
        self.numbers.pairs.iter().filter_map(|(pair, number)| Some((self.class.pairs.get(*pair)?, *number)))
    }

    /// By use its variable and the pairs by definition, or its field and the pairs with their definitions.
    fn uses(&self, of: &Described<'_, '_>, text: &mut Text) {
        let mut by_use: BTreeMap<(UsedAt, Carrier), Vec<(&TrackedPair, u32)>> = BTreeMap::new();
        for (pair, number) in self.numbered().filter(|(pair, _)| pair.usage.0 == of.method) {
            by_use.entry((pair.usage.1, pair.carrier)).or_default().push((pair, number));
        }
        text.number(of.points.uses.len() as u32);
        for usage in &of.points.uses {
            let pairs = by_use.get(usage).map(Vec::as_slice).unwrap_or_default();
            match usage.1 {
                Carrier::Variable(variable) => {
                    text.number(variable + 1);
                    text.list(&self.by_site(of.method, variable, pairs));
                    text.list(&[]);
                }
                Carrier::Field(field) => {
                    text.number(0);
                    text.list(&[]);
                    let mut across = self.field(field).to_vec();
                    for (pair, number) in pairs {
                        if let Some(definition) = self.numbers.definitions.get(&pair.definition) {
                            let is_within = u32::from(pair.is_within);
                            across.extend([definition - self.base, number - self.base, is_within]);
                        }
                    }
                    text.list(&across);
                }
            }
        }
    }

    /// By definition of a variable (the entry first) the pair, one more than its number, or 0.
    fn by_site(&self, method: usize, variable: u32, pairs: &[(&TrackedPair, u32)]) -> Vec<u32> {
        let definers =
            self.class.methods.get(&method).and_then(|method| method.variables.get(variable as usize));
        let sites = std::iter::once(None).chain(definers.into_iter().flatten().map(|insn| Some(*insn)));
        let pair = |site| pairs.iter().find(|(pair, _)| pair.definition.1 == site);
        sites.map(|site| pair(site).map_or(0, |(_, number)| number - self.base + 1)).collect()
    }

    fn edges(&self, of: &Described<'_, '_>, text: &mut Text) {
        let mut edges: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        for (number, (usage, _)) in (0..).zip(&of.points.uses) {
            if let UsedAt::Edge { from, to, .. } = *usage {
                edges.entry((from, to)).or_default().push(number);
            }
        }
        text.number(edges.len() as u32);
        for ((from, to), uses) in edges {
            text.list(&[&[from, to], uses.as_slice()].concat());
        }
    }

    /// By outcome of a branch the uses that depend on it, and by how many branches.
    fn approaches(&self, approaches: &Approaches, text: &mut Text) {
        let first = approaches.keys().next().copied().unwrap_or_default();
        let end = approaches.keys().next_back().map_or(0, |last| last + 1);
        text.number(if end == 0 { 0 } else { first - 2 * self.base });
        text.number(end - first);
        text.number(approaches.len() as u32);
        for (outcome, uses) in approaches {
            text.number(*outcome - first);
            text.list(&uses.iter().flat_map(|(number, level)| [*number, *level]).collect::<Vec<u32>>());
        }
    }
}

/// By outcome, the uses that depend on it and how many branches lie between.
pub(crate) type Approaches = BTreeMap<u32, Vec<(u32, u32)>>;

/// What the uses of a method depend on.
pub(crate) fn approaches(of: &Described<'_, '_>) -> Approaches {
    let mut approaches = Approaches::new();
    let mut known: BTreeMap<UsedAt, Vec<(u32, u32)>> = BTreeMap::new();
    for (number, (usage, _)) in (0..).zip(&of.points.uses) {
        let levels = known.entry(*usage).or_insert_with(|| levels(of, *usage));
        for (outcome, level) in levels {
            approaches.entry(*outcome).or_default().push((number, *level));
        }
    }
    approaches
}

/// The outcomes that a use depends on, from the nearest outwards, each with its level.
fn levels(of: &Described<'_, '_>, usage: UsedAt) -> Vec<(u32, u32)> {
    let (mut seen, mut all, mut level) = (BTreeSet::new(), vec![], 0);
    let mut next = match usage {
        UsedAt::Insn(insn) => of.dependences.of_insn(insn as usize),
        UsedAt::Edge { insn, to, .. } => of.dependences.of_edge(insn as usize, to),
    };
    if let (UsedAt::Edge { insn, .. }, true) = (usage, next.is_empty()) {
        // No outcome with a number leads there: what the branch itself depends on is one further away.
        (next, level) = (of.dependences.of_insn(insn as usize), 1);
    }
    while !next.is_empty() {
        let mut above = BTreeSet::new();
        for outcome in next {
            if seen.insert(outcome) {
                all.push((outcome, level));
                let place =
                    (outcome / 2).checked_sub(of.first).and_then(|at| of.found.places.get(at as usize));
                let branch = place.filter(|place| matches!(place.kind, Kind::Jump | Kind::Case));
                above.extend(branch.into_iter().flat_map(|place| of.dependences.of_insn(place.insn)));
            }
        }
        next = above.into_iter().collect();
        level += 1;
    }
    all
}
