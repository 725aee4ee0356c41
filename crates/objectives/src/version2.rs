//! The `pairs` document, version 2: tables, and entries that refer to them by position, one a line. Its schema is
//! `docs/pairs.v2.schema.json`.
//!
//! Knows nothing of files. Invariants: what is referred to comes before what refers to it, so that a reader needs to go through the
//! document once; at most one entry's text is in memory.

use crate::blocks::Lists;
use crate::document::PairsView;
use crate::identity::pair_key;
use crate::schema::{BoundsText, ExitText, FORMAT, KindText, ThinnedText};
use crate::spell::frames;
use dynaflow_model::facts::{Definition, PlaceId, Use, VariableId};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Result, Write};

/// What stands where in the entries of each list, so that a document explains itself.
pub const COLUMNS: &[(&str, &[&str])] = &[
    ("blocks", &["method", "block", "offset", "line", "reaching", "reachable_uses"]),
    ("classes", &["class", "build"]),
    ("definitions", &["method", "line", "offset", "kind", "context"]),
    ("defs_at_exit", &["variable", "method", "exit", "definition"]),
    ("methods", &["class", "method"]),
    ("pairs", &["id", "variable", "definition", "use", "status", "iteration", "tests"]),
    ("uses", &["method", "line", "offset", "context"]),
    ("uses_at_entry", &["variable", "method", "use"]),
    ("variables", &["root", "variable", "steps"]),
];

/// Writes the document.
///
/// # Errors
/// Those of the writer.
pub fn write(view: &PairsView<'_>, out: &mut dyn Write) -> Result<()> {
    let mut lines = Lines { out, first: true };
    lines.out.write_all(b"{\n")?;
    lines.head(view)?;
    let names = Names::of(view);
    lines.tables(view, &names)?;
    lines.facts(view)?;
    lines.out.write_all(b"\n}\n")
}

/// Positions of names that only this version has tables of.
struct Names<'a> {
    classes: BTreeMap<&'a str, u32>,
    fields: BTreeMap<String, u32>,
}

impl<'a> Names<'a> {
    /// The recorded classes and those that are mentioned, and the steps of variables.
    fn of(view: &PairsView<'a>) -> Self {
        let (speller, tables) = (&view.speller, &view.tables);
        let mut classes: BTreeSet<&str> = speller.recording.classes.keys().map(String::as_str).collect();
        classes.extend(tables.methods.iter().map(|id| speller.method(id).0));
        classes.extend(tables.variables.iter().map(|id| speller.root(id)));
        let fields: BTreeSet<String> =
            tables.variables.iter().flat_map(|id| speller.step_names(id)).collect();
        Self {
            classes: classes.into_iter().zip(0..).collect(),
            fields: fields.into_iter().zip(0..).collect(),
        }
    }

    fn class(&self, name: &str) -> u32 {
        self.classes.get(name).copied().unwrap_or_default()
    }

    fn steps(&self, view: &PairsView<'_>, variable: VariableId) -> Vec<u32> {
        view.speller
            .step_names(variable)
            .map(|step| self.fields.get(&step).copied().unwrap_or_default())
            .collect()
    }
}

/// Writes members of the outermost object, the entries of lists a line each.
struct Lines<'a> {
    out: &'a mut dyn Write,
    first: bool,
}

impl Lines<'_> {
    fn key(&mut self, name: &str) -> Result<()> {
        let before = if std::mem::take(&mut self.first) { "" } else { ",\n" };
        write!(self.out, "{before}\"{name}\":")
    }

    fn value(&mut self, name: &str, value: &impl Serialize) -> Result<()> {
        self.key(name)?;
        Ok(serde_json::to_writer(&mut *self.out, value)?)
    }

    fn list<T: Serialize>(&mut self, name: &str, entries: impl Iterator<Item = T>) -> Result<()> {
        self.key(name)?;
        self.out.write_all(b"[")?;
        let mut before: &[u8] = b"\n";
        for entry in entries {
            self.out.write_all(before)?;
            serde_json::to_writer(&mut *self.out, &entry)?;
            before = b",\n";
        }
        self.out.write_all(if before == b"\n" { b"]" } else { b"\n]" })
    }

    fn head(&mut self, view: &PairsView<'_>) -> Result<()> {
        self.value("format", &FORMAT)?;
        self.value("version", &2)?;
        self.value("stopped_by", &view.stopped_by)?;
        self.value("bounds_hit", &BoundsText::of(view.speller.recording))?;
        self.list("iterations", view.iterations.iter())?;
        self.list("notes", view.notes().into_iter())?;
        self.list("declined_classes", view.declined().into_iter())?;
        self.list("thinned", ThinnedText::all(view.speller.recording).into_iter())?;
        if let Some(findings) = &view.findings {
            self.list("findings", findings.iter())?;
        }
        if !view.left_out.is_empty() {
            self.list("left_out", view.left_out.iter())?;
        }
        self.list("not_written", view.not_written.iter())?;
        self.list("nothing_found", view.nothing_found.iter())?;
        if !view.obstacles.is_empty() {
            self.list("obstacles", view.obstacles.iter())?;
        }
        self.value("columns", &COLUMNS.iter().copied().collect::<BTreeMap<_, _>>())
    }

    fn tables(&mut self, view: &PairsView<'_>, names: &Names<'_>) -> Result<()> {
        let (speller, tables) = (&view.speller, &view.tables);
        let builds = &speller.recording.classes;
        let build = |class: &str| builds.get(class).map(ToString::to_string);
        self.list("classes", names.classes.keys().map(|&class| (class, build(class))))?;
        let method = |id| {
            let (class, signature) = speller.method(id);
            (names.class(class), signature)
        };
        self.list("methods", tables.methods.iter().map(method))?;
        let context =
            |id| frames(speller.facts(), id).map(|f| Some(tables.methods.at(f?))).collect::<Vec<_>>();
        self.list("contexts", tables.contexts.iter().map(context))?;
        self.list("fields", names.fields.keys())?;
        let variable = |id| (names.class(speller.root(id)), speller.variable(id), names.steps(view, id));
        self.list("variables", tables.variables.iter().map(variable))?;
        let definitions = tables.definitions.iter().filter_map(|id| speller.facts().definitions.get(id));
        let definition = |d: &Definition| {
            let (method, line, offset) = place(view, d.place);
            (method, line, offset, KindText::from(d.kind), tables.contexts.at(d.context))
        };
        self.list("definitions", definitions.map(definition))?;
        let uses = tables.uses.iter().filter_map(|id| speller.facts().uses.get(id));
        let usage = |u: &Use| {
            let (method, line, offset) = place(view, u.place);
            (method, line, offset, tables.contexts.at(u.context))
        };
        self.list("uses", uses.map(usage))?;
        self.list("tests", view.tests.iter())?;
        self.list("test_sets", view.test_sets.iter())
    }

    fn facts(&mut self, view: &PairsView<'_>) -> Result<()> {
        let (tables, recording) = (&view.tables, view.speller.recording);
        let pairs = view.pairs.iter().map(|entry| {
            let pair = entry.pair;
            let id = pair_key(&recording.facts, &recording.classes, &pair).to_string();
            let (variable, definition) =
                (tables.variables.at(pair.variable), tables.definitions.at(pair.definition));
            (id, variable, definition, tables.uses.at(pair.usage), entry.status, entry.iteration, entry.tests)
        });
        self.list("pairs", pairs)?;
        let exits = view.exits.iter().map(|fact| {
            let method = tables.methods.at(fact.method);
            let exit = ExitText::from(fact.exit);
            (tables.variables.at(fact.variable), method, exit, tables.definitions.at(fact.definition))
        });
        self.list("defs_at_exit", exits)?;
        let entries = view.entries.iter().map(|fact| {
            (tables.variables.at(fact.variable), tables.methods.at(fact.method), tables.uses.at(fact.usage))
        });
        self.list("uses_at_entry", entries)?;
        let Some(blocks) = &view.blocks else { return Ok(()) };
        let blocks = blocks.iter().filter_map(|facts| {
            let block = view.speller.facts().blocks.get(facts.block)?;
            let (method, line, offset) = place(view, block.place);
            Some((method, block.number, offset, line, rows(&facts.reaching), rows(&facts.reachable)))
        });
        self.list("blocks", blocks)
    }
}

fn rows(lists: &Lists) -> Vec<(u32, Vec<u32>)> {
    lists.iter().map(|(variable, list)| (*variable, list.iter().copied().collect())).collect()
}

/// Method, line and offset.
fn place(view: &PairsView<'_>, id: PlaceId) -> (u32, u32, u32) {
    let place = view.speller.facts().places.get(id);
    place.map_or((0, 0, 0), |place| (view.tables.methods.at(place.method), place.line, place.offset))
}
