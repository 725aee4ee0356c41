//! Reads `pairs` documents of either version.
//!
//! Knows nothing of recordings. Invariant: both versions of a document give the same; a position that leads nowhere, or a column
//! that does not stand where it is looked for, is an error that names it.

use crate::findings::FindingText;
use crate::schema::{
    BlockTables, BlockText, BoundsText, ClassBuild, DeclinedText, DefAtExitText, DefinitionText, ExitText,
    FORMAT, Iteration, KindText, LeftOutText, NotWrittenText, ObstacleText, PairText, PairsDocument,
    ReachableText, ReachingText, Status, StepText, StoppedBy, ThinnedText, UseAtEntryText, UseText,
    VariableText,
};
use crate::spell::CUT;
use crate::version2::COLUMNS;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Why a document cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It is not JSON, or not of this form.
    #[error("it is no pairs document: {0}; expected what `dynaflow export` writes")]
    Form(#[from] serde_json::Error),
    /// Another format, or a version that is not known here.
    #[error("it is a document of format `{format}`, version {version}; expected {FORMAT}, version 1 or 2")]
    Version {
        /// What it says it is.
        format: String,
        /// And its version.
        version: u32,
    },
    /// A reference to an entry that is not there.
    #[error("an entry refers to {table}[{at}], which is not there")]
    Position {
        /// The table.
        table: &'static str,
        /// The position.
        at: u32,
    },
    /// Columns in another order, or others.
    #[error("the columns of {0} are not those of version 2")]
    Columns(&'static str),
}

/// Reads a document of version 1 or 2.
///
/// # Errors
/// When it is none, or refers to what is not there.
pub fn read(bytes: &[u8]) -> Result<PairsDocument, ReadError> {
    let head: Head = serde_json::from_slice(bytes)?;
    match (head.format.as_str(), head.version) {
        (FORMAT, 1) => Ok(serde_json::from_slice(bytes)?),
        (FORMAT, 2) => expand(serde_json::from_slice(bytes)?),
        _ => Err(ReadError::Version { format: head.format, version: head.version }),
    }
}

#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

type Rows = Vec<(u32, Vec<u32>)>;

/// The document as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Version2 {
    format: String,
    #[serde(rename = "version")]
    _version: u32,
    stopped_by: Option<StoppedBy>,
    bounds_hit: BoundsText,
    iterations: Vec<Iteration>,
    notes: Vec<String>,
    declined_classes: Vec<DeclinedText>,
    #[serde(default, rename = "thinned")]
    _thinned: Vec<ThinnedText>,
    findings: Option<Vec<FindingText>>,
    #[serde(default)]
    left_out: Vec<LeftOutText>,
    not_written: Vec<NotWrittenText>,
    nothing_found: Vec<DeclinedText>,
    #[serde(default)]
    obstacles: Vec<ObstacleText>,
    columns: BTreeMap<String, Vec<String>>,
    classes: Vec<(String, Option<String>)>,
    methods: Vec<(u32, String)>,
    contexts: Vec<Vec<Option<u32>>>,
    fields: Vec<String>,
    variables: Vec<(u32, String, Vec<u32>)>,
    definitions: Vec<(u32, u32, u32, KindText, u32)>,
    uses: Vec<(u32, u32, u32, u32)>,
    tests: Vec<String>,
    test_sets: Vec<Vec<u32>>,
    pairs: Vec<(String, u32, u32, u32, Status, u32, u32)>,
    defs_at_exit: Vec<(u32, u32, ExitText, u32)>,
    uses_at_entry: Vec<(u32, u32, u32)>,
    blocks: Option<Vec<BlockRow>>,
}

/// A table and its name, for messages.
struct Table<T>(&'static str, Vec<T>);

impl<T: Clone> Table<T> {
    fn at(&self, at: u32) -> Result<T, ReadError> {
        self.1.get(at as usize).cloned().ok_or(ReadError::Position { table: self.0, at })
    }
}

/// The tables with their entries in words.
struct Tables {
    methods: Table<(String, String)>,
    variables: Table<VariableText>,
    definitions: Table<Arc<DefinitionText>>,
    uses: Table<Arc<UseText>>,
    test_sets: Table<Vec<String>>,
}

fn expand(mut document: Version2) -> Result<PairsDocument, ReadError> {
    for (list, columns) in COLUMNS {
        if document.columns.get(*list).is_none_or(|found| found != columns) {
            return Err(ReadError::Columns(list));
        }
    }
    let tables = Tables::of(&mut document)?;
    let (blocks, block_tables) = match &document.blocks {
        Some(blocks) => {
            let places = BlockPlaces::of(blocks, &tables)?;
            let texts = blocks.iter().map(|row| places.block(row, &tables));
            (Some(texts.collect::<Result<_, _>>()?), Some(places.tables(&tables)?))
        }
        None => (None, None),
    };
    let build = |(class, build)| Some(ClassBuild { class, build: build? });
    Ok(PairsDocument {
        block_tables,
        blocks,
        bounds_hit: document.bounds_hit,
        classes: document.classes.into_iter().filter_map(build).collect(),
        declined_classes: document.declined_classes,
        defs_at_exit: document
            .defs_at_exit
            .iter()
            .map(|row| tables.def_at_exit(row))
            .collect::<Result<_, _>>()?,
        findings: document.findings,
        format: document.format,
        iterations: document.iterations,
        left_out: document.left_out,
        not_written: document.not_written,
        nothing_found: document.nothing_found,
        notes: document.notes,
        obstacles: document.obstacles,
        pairs: document.pairs.into_iter().map(|row| tables.pair(row)).collect::<Result<_, _>>()?,
        stopped_by: document.stopped_by,
        uses_at_entry: document
            .uses_at_entry
            .iter()
            .map(|row| tables.use_at_entry(row))
            .collect::<Result<_, _>>()?,
        version: 1,
    })
}

impl Tables {
    fn of(document: &mut Version2) -> Result<Self, ReadError> {
        let classes = Table("classes", document.classes.iter().map(|(class, _)| class.clone()).collect());
        let methods = std::mem::take(&mut document.methods).into_iter();
        let methods = methods.map(|(class, method)| Ok((classes.at(class)?, method)));
        let methods = Table("methods", methods.collect::<Result<_, ReadError>>()?);
        let contexts = std::mem::take(&mut document.contexts).into_iter();
        let contexts = contexts.map(|frames| context(&frames, &methods));
        let contexts = Table("contexts", contexts.collect::<Result<_, _>>()?);
        let fields = Table("fields", std::mem::take(&mut document.fields));
        let variables = document.variables.iter().map(|(root, variable, steps)| {
            let steps = steps.iter().map(|&step| Ok(StepText { field: fields.at(step)? }));
            let steps = steps.collect::<Result<_, ReadError>>()?;
            Ok(VariableText { root: classes.at(*root)?, steps, variable: variable.clone() })
        });
        let definitions = document.definitions.iter().map(|&(method, line, offset, kind, context)| {
            let (class, method) = methods.at(method)?;
            Ok(Arc::new(DefinitionText { class, context: contexts.at(context)?, kind, line, method, offset }))
        });
        let uses = document.uses.iter().map(|&(method, line, offset, context)| {
            let (class, method) = methods.at(method)?;
            Ok(Arc::new(UseText { class, context: contexts.at(context)?, line, method, offset }))
        });
        let tests = Table("tests", std::mem::take(&mut document.tests));
        let test_sets = document.test_sets.iter().map(|set| set.iter().map(|&test| tests.at(test)).collect());
        Ok(Self {
            variables: Table("variables", variables.collect::<Result<_, ReadError>>()?),
            definitions: Table("definitions", definitions.collect::<Result<_, ReadError>>()?),
            uses: Table("uses", uses.collect::<Result<_, ReadError>>()?),
            test_sets: Table("test_sets", test_sets.collect::<Result<_, ReadError>>()?),
            methods,
        })
    }

    fn pair(&self, row: (String, u32, u32, u32, Status, u32, u32)) -> Result<PairText, ReadError> {
        let (id, variable, definition, usage, status, iteration, tests) = row;
        let VariableText { root, steps, variable } = self.variables.at(variable)?;
        Ok(PairText {
            definition: self.definitions.at(definition)?,
            id,
            iteration,
            root,
            status,
            steps,
            tests: self.test_sets.at(tests)?,
            usage: self.uses.at(usage)?,
            variable,
        })
    }

    fn def_at_exit(&self, row: &(u32, u32, ExitText, u32)) -> Result<DefAtExitText, ReadError> {
        let &(variable, method, exit, definition) = row;
        let VariableText { root, steps, variable } = self.variables.at(variable)?;
        let (class, method) = self.methods.at(method)?;
        let definition = self.definitions.at(definition)?;
        Ok(DefAtExitText { class, definition, exit, method, root, steps, variable })
    }

    fn use_at_entry(&self, row: &(u32, u32, u32)) -> Result<UseAtEntryText, ReadError> {
        let &(variable, method, usage) = row;
        let VariableText { root, steps, variable } = self.variables.at(variable)?;
        let (class, method) = self.methods.at(method)?;
        Ok(UseAtEntryText { class, method, root, steps, usage: self.uses.at(usage)?, variable })
    }
}

fn context(frames: &[Option<u32>], methods: &Table<(String, String)>) -> Result<Vec<String>, ReadError> {
    let frame = |frame: &Option<u32>| match frame {
        Some(method) => methods.at(*method).map(|(class, method)| format!("{class}.{method}")),
        None => Ok(CUT.to_owned()),
    };
    frames.iter().map(frame).collect()
}

/// Where version 1, whose blocks have smaller tables of their own, has what they refer to.
struct BlockPlaces {
    variables: BTreeMap<u32, u32>,
    definitions: BTreeMap<u32, u32>,
    uses: BTreeMap<u32, u32>,
}

type BlockRow = (u32, u32, u32, u32, Rows, Rows);

impl BlockPlaces {
    fn of(blocks: &[BlockRow], tables: &Tables) -> Result<Self, ReadError> {
        let rows = || blocks.iter().flat_map(|row| row.4.iter().chain(&row.5));
        let variables: BTreeSet<u32> = rows().map(|(variable, _)| *variable).collect();
        let variables = variables.into_iter().map(|at| Ok((tables.variables.at(at)?, at)));
        let variables: BTreeSet<(VariableText, u32)> = variables.collect::<Result<_, ReadError>>()?;
        let listed = |of: fn(&BlockRow) -> &Rows| {
            let used: BTreeSet<u32> =
                blocks.iter().flat_map(of).flat_map(|(_, list)| list).copied().collect();
            used.into_iter().zip(0..).collect()
        };
        Ok(Self {
            variables: variables.into_iter().map(|(_, at)| at).zip(0..).collect(),
            definitions: listed(|row| &row.4),
            uses: listed(|row| &row.5),
        })
    }

    fn tables(&self, tables: &Tables) -> Result<BlockTables, ReadError> {
        let mut variables: Vec<(u32, u32)> = self.variables.iter().map(|(at, here)| (*here, *at)).collect();
        variables.sort_unstable();
        Ok(BlockTables {
            definitions: self
                .definitions
                .keys()
                .map(|at| tables.definitions.at(*at))
                .collect::<Result<_, _>>()?,
            uses: self.uses.keys().map(|at| tables.uses.at(*at)).collect::<Result<_, _>>()?,
            variables: variables.iter().map(|(_, at)| tables.variables.at(*at)).collect::<Result<_, _>>()?,
        })
    }

    fn block(&self, row: &BlockRow, tables: &Tables) -> Result<BlockText, ReadError> {
        let (method, block, offset, line, reaching, reachable) = row;
        let (class, method) = tables.methods.at(*method)?;
        let reaching = self.lists(reaching, &self.definitions);
        let reachable = self.lists(reachable, &self.uses);
        Ok(BlockText {
            block: *block,
            class,
            line: *line,
            method,
            offset: *offset,
            reachable_uses: reachable.map(|(variable, uses)| ReachableText { uses, variable }).collect(),
            reaching: reaching
                .map(|(variable, definitions)| ReachingText { definitions, variable })
                .collect(),
        })
    }

    fn lists(&self, rows: &Rows, of: &BTreeMap<u32, u32>) -> impl Iterator<Item = (u32, Vec<u32>)> + use<> {
        let place = |map: &BTreeMap<u32, u32>, at: &u32| map.get(at).copied().unwrap_or_default();
        let list = |(variable, list): &(u32, Vec<u32>)| {
            (place(&self.variables, variable), list.iter().map(|at| place(of, at)).collect())
        };
        rows.iter().map(list).collect::<BTreeMap<_, _>>().into_iter()
    }
}
