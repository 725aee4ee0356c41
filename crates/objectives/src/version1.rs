//! The `pairs` document, version 1: every entry in full. Its schema is `docs/pairs.schema.json`.
//!
//! Knows nothing of files. Invariant: at most one entry's text is in memory, but for the tables of blocks.

use crate::blocks::{BlockFacts, Lists};
use crate::document::{Entry, PairsView};
use crate::findings::FindingText;
use crate::identity::pair_key;
use crate::schema::{
    BlockTables, BlockText, BoundsText, ClassBuild, DeclinedText, DefAtExitText, FORMAT, Iteration,
    LeftOutText, NotWrittenText, ObstacleText, PairText, ReachableText, ReachingText, StoppedBy,
    UseAtEntryText, VariableText,
};
use dynaflow_model::facts::{DefAtExit, UseAtEntry, VariableId};
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

/// As [`crate::PairsDocument`], with lists that are made while they are written.
#[derive(Serialize)]
struct Document<'a, B: Serialize, D: Serialize, P: Serialize, U: Serialize> {
    #[serde(skip_serializing_if = "Option::is_none")]
    block_tables: Option<BlockTables>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocks: Option<B>,
    bounds_hit: BoundsText,
    classes: Vec<ClassBuild>,
    declined_classes: Vec<DeclinedText>,
    defs_at_exit: D,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<&'a [FindingText]>,
    format: &'static str,
    iterations: &'a [Iteration],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    left_out: &'a [LeftOutText],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    not_written: &'a [NotWrittenText],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    nothing_found: &'a [DeclinedText],
    notes: Vec<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    obstacles: &'a [ObstacleText],
    pairs: P,
    stopped_by: Option<StoppedBy>,
    uses_at_entry: U,
    version: u32,
}

/// A list whose entries are made one by one.
struct Each<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// Writes the document, indented, its keys sorted.
///
/// # Errors
/// Those of the writer.
pub fn write(view: &PairsView<'_>, out: &mut dyn Write) -> std::io::Result<()> {
    let recording = view.speller.recording;
    let places = view.blocks.as_ref().map(|blocks| Places::of(view, blocks));
    let blocks = places.as_ref().zip(view.blocks.as_ref());
    let document = Document {
        block_tables: places.as_ref().map(|places| places.tables(view)),
        blocks: blocks
            .map(|(places, blocks)| Each(move || blocks.iter().filter_map(|b| block(view, places, b)))),
        bounds_hit: BoundsText::of(recording),
        classes: classes(view),
        declined_classes: view.declined(),
        defs_at_exit: Each(|| view.exits.iter().map(|fact| def_at_exit(view, fact))),
        findings: view.findings.as_deref(),
        format: FORMAT,
        iterations: &view.iterations,
        left_out: &view.left_out,
        not_written: &view.not_written,
        nothing_found: &view.nothing_found,
        notes: view.notes(),
        obstacles: &view.obstacles,
        pairs: Each(|| view.pairs.iter().map(|entry| pair(view, entry))),
        stopped_by: view.stopped_by,
        uses_at_entry: Each(|| view.entries.iter().map(|fact| use_at_entry(view, fact))),
        version: 1,
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    out.write_all(b"\n")
}

fn classes(view: &PairsView<'_>) -> Vec<ClassBuild> {
    let classes = view.speller.recording.classes.iter();
    classes.map(|(class, hash)| ClassBuild { build: hash.to_string(), class: class.clone() }).collect()
}

fn pair(view: &PairsView<'_>, entry: &Entry) -> PairText {
    let (speller, pair) = (&view.speller, entry.pair);
    PairText {
        definition: speller.definition(pair.definition),
        id: pair_key(&speller.recording.facts, &speller.recording.classes, &pair).to_string(),
        iteration: entry.iteration,
        root: speller.root(pair.variable).to_owned(),
        status: entry.status,
        steps: speller.steps(pair.variable),
        tests: view.tests_of(entry).map(str::to_owned).collect(),
        usage: speller.usage(pair.usage),
        variable: speller.variable(pair.variable),
    }
}

fn def_at_exit(view: &PairsView<'_>, fact: &DefAtExit) -> DefAtExitText {
    let speller = &view.speller;
    let (class, method) = speller.method(fact.method);
    DefAtExitText {
        class: class.to_owned(),
        definition: speller.definition(fact.definition),
        exit: fact.exit.into(),
        method: method.to_owned(),
        root: speller.root(fact.variable).to_owned(),
        steps: speller.steps(fact.variable),
        variable: speller.variable(fact.variable),
    }
}

fn use_at_entry(view: &PairsView<'_>, fact: &UseAtEntry) -> UseAtEntryText {
    let speller = &view.speller;
    let (class, method) = speller.method(fact.method);
    UseAtEntryText {
        class: class.to_owned(),
        method: method.to_owned(),
        root: speller.root(fact.variable).to_owned(),
        steps: speller.steps(fact.variable),
        usage: speller.usage(fact.usage),
        variable: speller.variable(fact.variable),
    }
}

/// Where the tables of blocks have what the tables of the document have elsewhere: they hold less, and variables in another order.
struct Places {
    variables: Vec<VariableId>,
    variable: BTreeMap<u32, u32>,
    definition: BTreeMap<u32, u32>,
    usage: BTreeMap<u32, u32>,
}

impl Places {
    fn of(view: &PairsView<'_>, blocks: &[BlockFacts]) -> Self {
        let lists = || blocks.iter().flat_map(|b| b.reaching.iter().chain(&b.reachable));
        let used: BTreeSet<u32> = lists().map(|(variable, _)| *variable).collect();
        let mut variables: Vec<(VariableText, u32)> = used
            .into_iter()
            .filter_map(|at| Some((variable(view, view.tables.variables.get(at)?), at)))
            .collect();
        variables.sort();
        let listed = |of: fn(&BlockFacts) -> &Lists| {
            numbered(blocks.iter().flat_map(move |b| of(b).values().flatten()))
        };
        Self {
            variable: variables.iter().zip(0..).map(|((_, at), here)| (*at, here)).collect(),
            variables: variables.iter().filter_map(|(_, at)| view.tables.variables.get(*at)).collect(),
            definition: listed(|block| &block.reaching),
            usage: listed(|block| &block.reachable),
        }
    }

    fn tables(&self, view: &PairsView<'_>) -> BlockTables {
        let (speller, tables) = (&view.speller, &view.tables);
        let definitions = self.definition.keys().filter_map(|at| tables.definitions.get(*at));
        let uses = self.usage.keys().filter_map(|at| tables.uses.get(*at));
        BlockTables {
            definitions: definitions.map(|id| speller.definition(id)).collect(),
            uses: uses.map(|id| speller.usage(id)).collect(),
            variables: self.variables.iter().map(|id| variable(view, *id)).collect(),
        }
    }

    /// The lists by variable, at their places.
    fn lists(&self, lists: &Lists, of: &BTreeMap<u32, u32>) -> BTreeMap<u32, Vec<u32>> {
        let place = |map: &BTreeMap<u32, u32>, at: &u32| map.get(at).copied().unwrap_or_default();
        let list = |(variable, list): (&u32, &BTreeSet<u32>)| {
            (place(&self.variable, variable), list.iter().map(|at| place(of, at)).collect())
        };
        lists.iter().map(list).collect()
    }
}

fn numbered<'a>(positions: impl Iterator<Item = &'a u32>) -> BTreeMap<u32, u32> {
    let positions: BTreeSet<u32> = positions.copied().collect();
    positions.into_iter().zip(0..).collect()
}

fn variable(view: &PairsView<'_>, id: VariableId) -> VariableText {
    let speller = &view.speller;
    VariableText {
        root: speller.root(id).to_owned(),
        steps: speller.steps(id),
        variable: speller.variable(id),
    }
}

fn block(view: &PairsView<'_>, places: &Places, facts: &BlockFacts) -> Option<BlockText> {
    let block = view.speller.facts().blocks.get(facts.block)?;
    let (class, method, offset, line) = view.speller.place(block.place);
    let reaching = places.lists(&facts.reaching, &places.definition).into_iter();
    let reachable = places.lists(&facts.reachable, &places.usage).into_iter();
    Some(BlockText {
        block: block.number,
        class: class.to_owned(),
        line,
        method: method.to_owned(),
        offset,
        reachable_uses: reachable.map(|(variable, uses)| ReachableText { uses, variable }).collect(),
        reaching: reaching.map(|(variable, definitions)| ReachingText { definitions, variable }).collect(),
    })
}
