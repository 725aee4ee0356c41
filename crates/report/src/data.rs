//! What a page's script needs: the facts of its roots as tables and rows of positions, and what flows through its lines elsewhere.
//!
//! Knows nothing of HTML. Invariants: nothing of another page's roots is in it but counts; open objectives are not listed, the script makes them from what
//! leaves and what enters, as [`crate::gather`] counts them.

use crate::gather::{Half, Variable};
use crate::names;
use crate::pages::{Page, Pages, Spot};
use crate::tests_of::{TestNames, Tests};
use dynaflow_model::facts::{ContextId, DefinitionKind, FactTable, MethodId, PlaceId};
use indexmap::IndexSet;
use serde::Serialize;
use std::hash::Hash;

/// The document. Rows are explained in docs/report.md.
#[derive(Serialize)]
struct Document<'a> {
    methods: Vec<String>,
    pages: Vec<&'a str>,
    places: Vec<(u32, u32, i64)>,
    contexts: Vec<Vec<i64>>,
    tests: Vec<&'a str>,
    sets: Vec<Vec<u32>>,
    definitions: Vec<(u32, u32, u8)>,
    uses: Vec<(u32, u32)>,
    roots: Vec<RootRow>,
    flows: Vec<(String, &'a str, u32, u32, usize, usize)>,
}

#[derive(Serialize)]
struct RootRow {
    name: String,
    class: String,
    variables: Vec<VariableRow>,
}

/// Name; definitions (position, set of tests that saw it leave or -1, whether by an exception too); uses (position, set of tests or -1); executed
/// pairs (positions in the two lists, set of tests).
type VariableRow = (String, Vec<(u32, i64, u8)>, Vec<(u32, i64)>, Vec<(usize, usize, u32)>);

/// A table of a document: each entry once, in order of first mention.
#[derive(Debug)]
struct Table<T>(IndexSet<T>);

impl<T: Hash + Eq> Table<T> {
    fn at(&mut self, entry: T) -> u32 {
        u32::try_from(self.0.insert_full(entry).0).unwrap_or(u32::MAX)
    }
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(IndexSet::new())
    }
}

/// Makes the document of a page.
struct Maker<'a> {
    facts: &'a FactTable,
    pages: &'a Pages<'a>,
    names: &'a TestNames<'a>,
    page: &'a Page<'a>,
    methods: Table<MethodId>,
    linked: Table<&'a str>,
    places: Table<Spot>,
    contexts: Table<ContextId>,
    tests: Table<u32>,
    sets: Table<Tests>,
    definitions: Table<(Spot, ContextId, u8)>,
    uses: Table<(Spot, ContextId)>,
}

/// The script that holds a page's data: one statement, which sets a global.
pub fn script<'a>(
    facts: &'a FactTable,
    pages: &'a Pages<'a>,
    names: &'a TestNames<'a>,
    page: &'a Page<'a>,
) -> serde_json::Result<String> {
    let mut maker = Maker {
        facts,
        pages,
        names,
        page,
        methods: Table::default(),
        linked: Table::default(),
        places: Table::default(),
        contexts: Table::default(),
        tests: Table::default(),
        sets: Table::default(),
        definitions: Table::default(),
        uses: Table::default(),
    };
    let document = maker.document();
    Ok(format!("window.dynaflowPage={};\n", serde_json::to_string(&document)?))
}

impl<'a> Maker<'a> {
    fn document(&mut self) -> Document<'a> {
        let page = self.page;
        let roots = page.roots.iter().map(|root| RootRow {
            name: names::short(root.class),
            class: root.class.to_owned(),
            variables: root.variables.iter().map(|variable| self.variable(variable)).collect(),
        });
        let roots = roots.collect();
        let flow = |((root, from, to), count): (&(&'a str, Spot, Spot), &crate::gather::Count)| {
            let file = self.pages.of_class(root).map_or("", |page| page.file.as_str());
            (names::short(root), file, self.places.at(*from), self.places.at(*to), count.covered, count.open)
        };
        let flows = page.flows.iter().map(flow).collect();
        // From what refers to what is referred to, as tables grow on the way.
        let definitions: Vec<_> = self.definitions.0.iter().copied().collect();
        let definitions = definitions
            .into_iter()
            .map(|(spot, context, kind)| (self.places.at(spot), self.contexts.at(context), kind))
            .collect();
        let uses: Vec<_> = self.uses.0.iter().copied().collect();
        let uses = uses
            .into_iter()
            .map(|(spot, context)| (self.places.at(spot), self.contexts.at(context)))
            .collect();
        let places: Vec<_> = self.places.0.iter().copied().collect();
        let places = places.into_iter().map(|spot| self.place(spot)).collect();
        let contexts: Vec<_> = self.contexts.0.iter().copied().collect();
        let contexts = contexts.into_iter().map(|context| self.context(context)).collect();
        let sets: Vec<_> = self.sets.0.iter().cloned().collect();
        let sets = sets.into_iter().map(|tests| self.set(&tests)).collect();
        Document {
            methods: self.methods.0.iter().map(|method| names::call(self.facts, *method)).collect(),
            pages: self.linked.0.iter().copied().collect(),
            places,
            contexts,
            tests: self.tests.0.iter().map(|test| self.names.name(*test)).collect(),
            sets,
            definitions,
            uses,
            roots,
            flows,
        }
    }

    fn variable(&mut self, variable: &Variable) -> VariableRow {
        let facts = self.facts;
        let steps = facts.variables.get(variable.id).map_or([].as_slice(), |variable| &variable.steps);
        let name: Vec<&str> = steps.iter().map(|step| facts.step(step).name).collect();
        let spot = |place: PlaceId| {
            let place = facts.places.get(place);
            place.map(|place| Spot { method: place.method, line: place.line })
        };
        let mut definitions = vec![];
        for half in &variable.definitions {
            let Some(definition) = facts.definitions.get(half.id) else { continue };
            let Some(spot) = spot(definition.place) else { continue };
            let kind = u8::from(definition.kind == DefinitionKind::Nested);
            let at = self.definitions.at((spot, definition.context, kind));
            definitions.push((at, self.tests_of(half), u8::from(half.thrown)));
        }
        let mut uses = vec![];
        for half in &variable.uses {
            let Some(usage) = facts.uses.get(half.id) else { continue };
            let Some(spot) = spot(usage.place) else { continue };
            uses.push((self.uses.at((spot, usage.context)), self.tests_of(half)));
        }
        let covered = variable.covered.iter();
        let covered = covered.map(|pair| (pair.definition, pair.usage, self.sets.at(pair.tests.clone())));
        (name.join("."), definitions, uses, covered.collect())
    }

    fn tests_of<I>(&mut self, half: &Half<I>) -> i64 {
        if half.open { i64::from(self.sets.at(half.tests.clone())) } else { -1 }
    }

    /// Method, line, and the page of its class: -1 for this one.
    fn place(&mut self, spot: Spot) -> (u32, u32, i64) {
        let class = self.facts.methods.get(spot.method).map_or("", |method| self.facts.text(method.class));
        let page = self.pages.of_class(class).filter(|page| page.class != self.page.class);
        let page = page.map_or(-1, |page| i64::from(self.linked.at(&page.file)));
        (self.methods.at(spot.method), spot.line, page)
    }

    fn context(&mut self, context: ContextId) -> Vec<i64> {
        let Some(context) = self.facts.contexts.get(context) else { return vec![] };
        names::frames(context)
            .map(|frame| frame.map_or(-1, |method| i64::from(self.methods.at(method))))
            .collect()
    }

    /// How many tests, and the first.
    fn set(&mut self, tests: &Tests) -> Vec<u32> {
        let first = tests.first.iter().map(|test| self.tests.at(*test));
        std::iter::once(tests.count).chain(first).collect()
    }
}
