//! The `dua` document, version 1. Its schema is `docs/duas.schema.json`.
//!
//! Knows nothing of how associations are found. Invariant: fields are declared in alphabetical order, which makes the keys of the
//! JSON sorted; lists stand in the order of classes, of methods in their class file, and of associations in their method.

use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The value of `format`.
pub const FORMAT: &str = "dynaflow-duas";
/// The value of `version`.
pub const VERSION: u32 = 1;

/// The whole document.
#[derive(Clone, Debug)]
pub struct Document {
    /// Always [`FORMAT`].
    pub format: &'static str,
    /// Associations between the methods of a class.
    pub inter: Vec<ClassText>,
    /// The methods analysed.
    pub methods: Vec<MethodText>,
    /// Methods and classes that could not be.
    pub refused: Vec<RefusedText>,
    /// Sums.
    pub totals: Totals,
    /// Always [`VERSION`].
    pub version: u32,
}

/// The associations between the methods of a class, and those that calls make which change an object.
#[derive(Clone, Debug, Serialize)]
pub struct ClassText {
    /// Binary name.
    pub class: String,
    /// The associations.
    pub duas: Vec<CrossText>,
}

/// An association between methods.
#[derive(Clone, Debug, Serialize)]
pub struct CrossText {
    /// Always none: what runs cover between methods is not recorded.
    pub covered: Option<bool>,
    /// Where it is defined.
    pub def: PlaceText<u32>,
    /// Its id.
    pub id: String,
    /// Its kind.
    pub kind: String,
    /// Whether it is defined by a call that changes the object the variable refers to.
    pub modifier: bool,
    /// Where it is used.
    #[serde(rename = "use")]
    pub usage: PlaceText<UseText>,
    /// The variable.
    pub variable: String,
}

/// A node or an edge of a method.
#[derive(Clone, Debug, Serialize)]
pub struct PlaceText<N> {
    /// The node or edge.
    pub at: N,
    /// Source line.
    pub line: Option<u32>,
    /// Name and descriptor of the method.
    pub method: String,
}

/// A method.
#[derive(Clone, Debug, Serialize)]
pub struct MethodText {
    /// Binary name of its class.
    pub class: String,
    /// Its associations.
    pub duas: Vec<DuaText>,
    /// Edges between nodes, ascending.
    pub edges: Vec<[u32; 2]>,
    /// The node it begins at: 1, or 0 when something leads back to node 1.
    pub entry: u32,
    /// The added node it ends at.
    pub exit: u32,
    /// Name and descriptor.
    pub method: String,
    /// Nodes 1 to the last before the exit.
    pub nodes: Vec<NodeText>,
    /// Which associations imply which; none when that was not asked for, or would take too much.
    pub subsumption: Option<SubsumptionText>,
}

/// A basic block.
#[derive(Clone, Debug, Serialize)]
pub struct NodeText {
    /// Offset behind its last instruction.
    pub end: u32,
    /// Lines of its first and its last instruction.
    pub lines: Option<[u32; 2]>,
    /// Its number.
    pub node: u32,
    /// Offset of its first instruction.
    pub start: u32,
}

/// An association.
#[derive(Clone, Debug, Serialize)]
pub struct DuaText {
    /// Whether a recorded run covers it; none when no trace shows it.
    pub covered: Option<bool>,
    /// The node that defines.
    pub def: u32,
    /// Its id.
    pub id: String,
    /// Its kind.
    pub kind: String,
    /// Source lines.
    pub lines: LinesText,
    /// Where it is used.
    #[serde(rename = "use")]
    pub usage: UseText,
    /// The variable.
    pub variable: String,
}

/// Source lines of an association.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LinesText {
    /// Of the definition.
    pub def: Option<u32>,
    /// Of the use.
    #[serde(rename = "use")]
    pub usage: Option<u32>,
}

/// A node, or an edge.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub enum UseText {
    /// A node.
    Node(u32),
    /// An edge.
    Edge([u32; 2]),
}

/// Which associations of a method imply which.
#[derive(Clone, Debug, Serialize)]
pub struct SubsumptionText {
    /// Classes of associations that imply one another, by their ids.
    pub classes: Vec<Vec<String>>,
    /// Pairs of classes (positions in `classes`) of which the first implies the second; all others follow from these.
    pub edges: Vec<[u32; 2]>,
    /// The classes that no other implies.
    pub unconstrained: Vec<u32>,
}

/// What could not be analysed.
#[derive(Clone, Debug, Serialize)]
pub struct RefusedText {
    /// Binary name of the class.
    pub class: String,
    /// Name and descriptor; none when it is the class itself.
    pub method: Option<String>,
    /// Offset of the instruction.
    pub offset: Option<u32>,
    /// Why.
    pub reason: String,
}

/// Sums over all methods.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Totals {
    /// Classes of associations that imply one another; none when that was not asked for.
    pub classes: Option<u64>,
    /// Associations within methods that recorded runs cover; none without traces.
    pub covered: Option<u64>,
    /// Methods of which it would take too much to say which associations imply which; none when that was not asked for.
    pub declined: Option<u64>,
    /// Associations within methods.
    pub duas: u64,
    /// Associations between methods; none when they were not asked for.
    pub inter: Option<u64>,
    /// Associations within methods of which traces show whether they are covered; none without traces.
    pub known: Option<u64>,
    /// Methods.
    pub methods: u64,
    /// Classes that no other implies.
    pub unconstrained: Option<u64>,
    /// Those of them that are covered whole; none without traces, or when subsumption was not asked for.
    pub unconstrained_covered: Option<u64>,
}

/// What was asked for besides associations.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// Which imply which.
    pub subsumption: bool,
    /// Which are covered.
    pub coverage: bool,
}

/// The associations of a class that no other implies.
#[derive(Clone, Debug)]
pub struct Unconstrained<'a>(Vec<&'a DuaText>);

impl<'a> Unconstrained<'a> {
    /// Its members that are known not to be covered.
    pub fn open(&self) -> impl Iterator<Item = &'a DuaText> {
        self.0.iter().copied().filter(|dua| dua.covered == Some(false))
    }

    /// Whether all its members are covered.
    pub fn is_covered(&self) -> bool {
        self.0.iter().all(|dua| dua.covered == Some(true))
    }
}

impl MethodText {
    /// The classes that no other implies; none when that was not asked for.
    pub fn unconstrained(&self) -> impl Iterator<Item = Unconstrained<'_>> {
        self.subsumption.iter().flat_map(|found| {
            let by_id: BTreeMap<&str, &DuaText> =
                self.duas.iter().map(|dua| (dua.id.as_str(), dua)).collect();
            let classes = found.unconstrained.iter().filter_map(|class| found.classes.get(*class as usize));
            classes.map(move |ids| {
                Unconstrained(ids.iter().filter_map(|id| by_id.get(id.as_str()).copied()).collect())
            })
        })
    }
}

impl Document {
    /// Puts the parts together and counts.
    pub fn new(
        methods: Vec<MethodText>,
        inter: Option<Vec<ClassText>>,
        refused: Vec<RefusedText>,
        asked: Asked,
    ) -> Self {
        let Asked { subsumption, coverage } = asked;
        let sum = |count: fn(&MethodText) -> usize| methods.iter().map(|method| count(method) as u64).sum();
        let of = |method: &MethodText, count: fn(&SubsumptionText) -> usize| {
            method.subsumption.as_ref().map_or(0, count)
        };
        let each = |answer: fn(&DuaText) -> bool| {
            coverage.then(|| methods.iter().flat_map(|m| &m.duas).filter(|dua| answer(dua)).count() as u64)
        };
        let whole =
            |method: &MethodText| method.unconstrained().filter(|class| class.is_covered()).count() as u64;
        let totals = Totals {
            classes: subsumption.then(|| methods.iter().map(|m| of(m, |s| s.classes.len()) as u64).sum()),
            covered: each(|dua| dua.covered == Some(true)),
            declined: subsumption.then(|| sum(|method| usize::from(method.subsumption.is_none()))),
            duas: sum(|method| method.duas.len()),
            inter: inter.as_ref().map(|all| all.iter().map(|class| class.duas.len() as u64).sum()),
            known: each(|dua| dua.covered.is_some()),
            methods: methods.len() as u64,
            unconstrained: subsumption
                .then(|| methods.iter().map(|m| of(m, |s| s.unconstrained.len()) as u64).sum()),
            unconstrained_covered: (subsumption && coverage).then(|| methods.iter().map(whole).sum()),
        };
        Self { format: FORMAT, inter: inter.unwrap_or_default(), methods, refused, totals, version: VERSION }
    }

    /// Writes it as JSON, a class or method a line.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{{\n\"format\": \"{}\",\n\"inter\": [", self.format)?;
        lines(&self.inter, out)?;
        out.write_all(b"\n],\n\"methods\": [")?;
        lines(&self.methods, out)?;
        out.write_all(b"\n],\n\"refused\": ")?;
        serde_json::to_writer(&mut *out, &self.refused)?;
        out.write_all(b",\n\"totals\": ")?;
        serde_json::to_writer(&mut *out, &self.totals)?;
        writeln!(out, ",\n\"version\": {}\n}}", self.version)
    }
}

/// How many elements are put into text at once, by all processors.
const AT_ONCE: usize = 1024;

/// Writes the elements of a list, one a line.
fn lines<T: Serialize + Sync>(list: &[T], out: &mut dyn Write) -> io::Result<()> {
    let mut separator: &[u8] = b"\n";
    for some in list.chunks(AT_ONCE) {
        let texts: Vec<Vec<u8>> = some.par_iter().map(serde_json::to_vec).collect::<Result<_, _>>()?;
        for text in texts {
            out.write_all(separator)?;
            out.write_all(&text)?;
            separator = b",\n";
        }
    }
    Ok(())
}
