//! Which associations a run covers, by the bitwise method: from the associations of a method to what each of its blocks does to
//! words of live and covered bits.
//!
//! In: class bytes. Out: [`MethodUpdates`] for the weaver, and for each bit the associations it stands for. `points` says when
//! in its block something happens, `sole` which uses only one definition can reach, `bits` which associations share a bit;
//! here they become updates. It knows nothing of how updates are woven. After Chaim and de Araujo, *An Efficient
//! Bitwise Algorithm for Intra-procedural Data-Flow Testing Coverage*, with bits shared and exceptions followed.
//!
//! Invariant: whatever a frame does, exceptions included, it covers the bit of an association if and only if an instruction
//! consumed the variable at the use (or the branch took the edge) and the definition was the last one completed before.

mod bits;
pub(in crate::dua) mod points;
mod sole;

use super::method::Analysed;
use super::{Options, Refusal};
use crate::Dua;
use bits::{Bit, Gen, Groups};
use dynaflow_bytecode::updates::{Bits, BlockUpdates, Change, EdgeUpdate, MethodUpdates};
use dynaflow_classfile::class::access;
use dynaflow_classfile::{ClassFile, Member};
use points::{Points, UseAt};
use sole::Sole;
use std::collections::BTreeMap;

/// Most words of one frame: methods with more associations than that have bits are refused.
const MAX_WORDS: usize = 1024;

/// What to record of a class.
#[derive(Clone, Debug, Default)]
pub struct ClassPlan {
    /// Binary name.
    pub name: String,
    /// The methods that have associations.
    pub methods: Vec<MethodPlan>,
    /// Methods (name and descriptor) that could not be analysed, and why.
    pub refused: Vec<(String, Refusal)>,
}

/// What to record of a method.
#[derive(Clone, Debug, Default)]
pub struct MethodPlan {
    /// What its frames do to their words.
    pub updates: MethodUpdates,
    /// By bit (64 to a word): the ids of the associations it stands for, the numbers whose hexadecimal digits are
    /// [`super::Detail::id`].
    pub groups: Vec<Vec<u64>>,
}

/// Plans the recording of a class. The result depends on bytes and options alone.
///
/// # Errors
/// When the bytes are no class file.
pub fn plan(bytes: &[u8], options: &Options) -> Result<ClassPlan, Refusal> {
    let class = ClassFile::parse(bytes)?;
    let mut plan = ClassPlan { name: class.name()?.to_binary_name(), ..ClassPlan::default() };
    if class.access & access::INTERFACE != 0 && !options.interfaces {
        return Ok(plan);
    }
    for (index, method) in class.methods.iter().enumerate() {
        let name = class.pool.utf8(method.name)?;
        if name.0 == b"<clinit>" && !options.class_initialisers {
            continue;
        }
        match of_method(&class, method, options) {
            Ok(None) => {}
            Ok(Some(mut found)) => {
                found.updates.method = index;
                plan.methods.push(found);
            }
            Err(refusal) => {
                let descriptor = class.pool.utf8(method.descriptor)?;
                plan.refused.push((format!("{name}{descriptor}"), refusal));
            }
        }
    }
    Ok(plan)
}

/// Plans the recording of one method; none when it has no associations.
fn of_method(
    class: &ClassFile<'_>,
    method: &Member<'_>,
    options: &Options,
) -> Result<Option<MethodPlan>, Refusal> {
    let Some(analysed) = Analysed::of(class, method, options, false)? else { return Ok(None) };
    let found = analysed.finish(class, options)?;
    if found.details.is_empty() {
        return Ok(None);
    }
    let points = Points::of(&class.pool, &analysed, options)?;
    let sole = Sole::of(&analysed, &points);
    let mut groups = Groups::default();
    for (dua, detail) in found.problem.duas().iter().zip(&found.details) {
        let bit = bit_of(&analysed, &points, &sole, &mut groups, dua);
        groups.add(bit, detail.number());
    }
    let words = groups.len().div_ceil(64);
    if words > MAX_WORDS {
        let reason = format!("its associations need {words} words of bits, more than {MAX_WORDS}");
        return Err(Refusal { offset: None, reason });
    }
    let updates = Draft::of(&groups, &analysed).finish(&points, words as u16);
    Ok(Some(MethodPlan { updates, groups: groups.into_ids() }))
}

/// What the bit of an association does.
fn bit_of(analysed: &Analysed<'_>, points: &Points, sole: &Sole, groups: &mut Groups, dua: &Dua) -> Bit {
    let variable = super::vars::VarId(dua.variable.0);
    let definer = analysed.definer(dua.def, variable);
    let usage = points.usage(analysed, dua.usage, variable);
    if sole.reaches(definer, usage, variable) {
        return Bit::Runs(usage);
    }
    let generated = definer.map_or(Gen::Entry, |insn| Gen::At(points.after(insn)));
    Bit::Flows { kills: groups.kills(points.of_variable(variable)), generated, usage }
}

/// Updates in the making: what happens at each point.
#[derive(Default)]
struct Draft {
    entry: BTreeMap<u16, u64>,
    /// By block, stage and word.
    changes: BTreeMap<(u32, u32, u16), Change>,
    /// By edge and word.
    edges: BTreeMap<(u32, u32, u16), EdgeUpdate>,
    blocks: usize,
}

impl Draft {
    fn of(groups: &Groups, analysed: &Analysed<'_>) -> Self {
        let mut draft = Self { blocks: analysed.blocks.all().len(), ..Self::default() };
        for (index, bit) in groups.bits().enumerate() {
            let (word, mask) = ((index / 64) as u16, 1 << (index % 64));
            match bit {
                Bit::Runs(usage) => draft.use_at(*usage, word, 0, mask),
                Bit::Flows { kills, generated, usage } => {
                    draft.use_at(*usage, word, mask, 0);
                    for (block, stage) in groups.killed(*kills) {
                        draft.change(*block, *stage, word).kills |= mask;
                    }
                    match generated {
                        Gen::Entry => *draft.entry.entry(word).or_default() |= mask,
                        Gen::At((block, stage)) => draft.change(*block, *stage, word).gens |= mask,
                    }
                }
            }
        }
        draft
    }

    fn change(&mut self, block: u32, stage: u32, word: u16) -> &mut Change {
        let change = self.changes.entry((block, stage, word)).or_default();
        change.word = word;
        change
    }

    fn use_at(&mut self, usage: UseAt, word: u16, uses: u64, runs: u64) {
        match usage {
            UseAt::Node((block, stage)) => {
                let change = self.change(block, stage, word);
                change.uses |= uses;
                change.runs |= runs;
            }
            UseAt::Edge(from, to) => {
                let update = self.edges.entry((from, to, word)).or_default();
                (update.from, update.to, update.word) = (from, to, word);
                update.uses |= uses;
                update.runs |= runs;
            }
        }
    }

    fn finish(self, points: &Points, words: u16) -> MethodUpdates {
        let blocks = (0..self.blocks as u32).map(|block| self.block(block, points));
        MethodUpdates {
            method: 0,
            words,
            entry: self.entry.iter().map(|(word, bits)| Bits { word: *word, bits: *bits }).collect(),
            blocks: blocks.collect(),
            edges: self.edges.values().copied().collect(),
        }
    }

    /// All that a block does, and what of it has happened whenever one of its instructions throws.
    fn block(&self, block: u32, points: &Points) -> BlockUpdates {
        let mut stages = self.changes.range((block, 0, 0)..(block + 1, 0, 0)).peekable();
        let mut so_far: BTreeMap<u16, Change> = BTreeMap::new();
        let mut updates = BlockUpdates::default();
        for (stage, insn) in points.throwing(block) {
            let mut changed = false;
            while let Some((_, change)) = stages.next_if(|((_, at, _), _)| at <= stage) {
                add(&mut so_far, change);
                changed = true;
            }
            if changed {
                updates.partial.push((*insn, so_far.values().copied().collect()));
            }
        }
        stages.for_each(|(_, change)| add(&mut so_far, change));
        updates.whole = so_far.into_values().collect();
        updates
    }
}

/// Adds what happens later in the same block: what is live then is what is live at its beginning, but for what was killed and
/// generated meanwhile.
fn add(so_far: &mut BTreeMap<u16, Change>, later: &Change) {
    let change = so_far.entry(later.word).or_default();
    change.word = later.word;
    change.runs |= later.runs | (later.uses & change.gens);
    change.uses |= later.uses & !change.kills & !change.gens;
    change.kills |= later.kills;
    change.gens = (change.gens & !later.kills) | later.gens;
}
