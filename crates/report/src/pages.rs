//! Which pages there are, and what stands on which: a page for each outermost class, with its nested ones.
//!
//! Knows nothing of HTML. Invariants: every root has one page, and so has every class with a definition or a use; a pair is in the detail of its root's
//! page alone, and in the counts of the lines of both its sides.

use crate::gather::{Count, Root, Variable};
use crate::names;
use dynaflow_model::facts::{FactTable, MethodId, PlaceId};
use std::collections::{BTreeMap, BTreeSet};

/// A line of a method: where definitions and uses are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The method.
    pub method: MethodId,
    /// Source line, 0 when unknown.
    pub line: u32,
}

/// What is known of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Pairs of definitions on it; none where it has no definition.
    pub defined: Option<Count>,
    /// Pairs of uses on it; none where it has no use.
    pub used: Option<Count>,
}

/// What flows through a page's lines in objects whose root is on another page.
pub type Flows<'a> = BTreeMap<(&'a str, Spot, Spot), Count>;

/// A page.
#[derive(Debug, Default)]
pub struct Page<'a> {
    /// Binary name of the outermost class.
    pub class: &'a str,
    /// Its file without an ending.
    pub file: String,
    /// Its roots.
    pub roots: Vec<&'a Root<'a>>,
    /// Its lines, by method.
    pub spots: BTreeMap<Spot, Line>,
    /// Pairs of roots on other pages, by root class, definition and use.
    pub flows: Flows<'a>,
}

impl Page<'_> {
    /// How many pairs its roots have.
    pub fn count(&self) -> Count {
        self.roots.iter().map(|root| root.count).sum()
    }

    /// How many state variables its roots have.
    pub fn variables(&self) -> usize {
        self.roots.iter().map(|root| root.variables.len()).sum()
    }

    /// The counts of each source line, over its methods; those without a line are under 0.
    pub fn lines(&self) -> BTreeMap<u32, Line> {
        let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
        for (spot, line) in &self.spots {
            let sum = lines.entry(spot.line).or_default();
            add(&mut sum.defined, line.defined);
            add(&mut sum.used, line.used);
        }
        lines
    }
}

fn add(sum: &mut Option<Count>, more: Option<Count>) {
    if let Some(count) = more {
        *sum.get_or_insert_default() += count;
    }
}

/// All pages, by class.
#[derive(Debug)]
pub struct Pages<'a> {
    /// By the outermost class.
    pub by_class: BTreeMap<&'a str, Page<'a>>,
}

impl<'a> Pages<'a> {
    /// Puts roots and lines onto pages. Near-linear in the facts and in the lines between which pairs flow.
    pub fn of(facts: &'a FactTable, roots: &'a [Root<'a>]) -> Self {
        let mut maker = Maker { facts, by_class: BTreeMap::new() };
        for root in roots {
            maker.page(root.class).roots.push(root);
            root.variables.iter().for_each(|variable| maker.variable(root, variable));
        }
        let mut taken = BTreeSet::new();
        for page in maker.by_class.values_mut() {
            page.file = names::file(page.class, |name| taken.contains(name));
            taken.insert(page.file.to_lowercase());
        }
        Self { by_class: maker.by_class }
    }

    /// The page of a class.
    pub fn of_class(&self, class: &str) -> Option<&Page<'a>> {
        self.by_class.get(names::outermost(class))
    }
}

struct Maker<'a> {
    facts: &'a FactTable,
    by_class: BTreeMap<&'a str, Page<'a>>,
}

impl<'a> Maker<'a> {
    fn page(&mut self, class: &'a str) -> &mut Page<'a> {
        let class = names::outermost(class);
        self.by_class.entry(class).or_insert_with(|| Page { class, ..Page::default() })
    }

    fn spot(&self, place: Option<PlaceId>) -> Option<Spot> {
        let place = self.facts.places.get(place?)?;
        Some(Spot { method: place.method, line: place.line })
    }

    fn class_of(&self, spot: Spot) -> &'a str {
        self.facts.methods.get(spot.method).map_or("", |method| self.facts.text(method.class))
    }

    /// Counts the pairs of a variable at the lines of both sides, and between lines where a page needs them.
    fn variable(&mut self, root: &'a Root<'a>, variable: &'a Variable) {
        let place = |id| self.facts.definitions.get(id).map(|d| d.place);
        let definitions: Vec<_> = variable.definitions.iter().map(|half| self.spot(place(half.id))).collect();
        let place = |id| self.facts.uses.get(id).map(|usage| usage.place);
        let uses: Vec<_> = variable.uses.iter().map(|half| self.spot(place(half.id))).collect();
        let flows = flows(variable, &definitions, &uses);
        for spot in definitions.iter().flatten() {
            self.line(*spot).defined.get_or_insert_default();
        }
        for spot in uses.iter().flatten() {
            self.line(*spot).used.get_or_insert_default();
        }
        let home = names::outermost(root.class);
        for (&(definition, usage), &count) in &flows {
            *self.line(definition).defined.get_or_insert_default() += count;
            *self.line(usage).used.get_or_insert_default() += count;
            let sides = [definition, usage].map(|spot| names::outermost(self.class_of(spot)));
            for class in BTreeSet::from(sides).into_iter().filter(|class| *class != home) {
                *self.page(class).flows.entry((root.class, definition, usage)).or_default() += count;
            }
        }
    }

    fn line(&mut self, spot: Spot) -> &mut Line {
        let class = self.class_of(spot);
        self.page(class).spots.entry(spot).or_default()
    }
}

/// The pairs of a variable from line to line: those that are executed, and of the product those that are not.
fn flows(
    variable: &Variable,
    definitions: &[Option<Spot>],
    uses: &[Option<Spot>],
) -> BTreeMap<(Spot, Spot), Count> {
    let mut flows: BTreeMap<(Spot, Spot), Count> = BTreeMap::new();
    let open = |spots: &[Option<Spot>], open: &mut dyn Iterator<Item = bool>| {
        let mut counts: BTreeMap<Spot, usize> = BTreeMap::new();
        for (spot, open) in spots.iter().zip(open) {
            if let (Some(spot), true) = (spot, open) {
                *counts.entry(*spot).or_default() += 1;
            }
        }
        counts
    };
    let leaving = open(definitions, &mut variable.definitions.iter().map(|half| half.open));
    let entering = open(uses, &mut variable.uses.iter().map(|half| half.open));
    for (&definition, leave) in &leaving {
        for (&usage, enter) in &entering {
            flows.entry((definition, usage)).or_default().open += leave * enter;
        }
    }
    for pair in &variable.covered {
        let sides = (definitions.get(pair.definition), uses.get(pair.usage));
        if let (Some(Some(definition)), Some(Some(usage))) = sides {
            let count = flows.entry((*definition, *usage)).or_default();
            count.covered += 1;
            count.open -= usize::from(variable.is_in_product(pair));
        }
    }
    flows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gather::roots;
    use crate::tests_of::TestNames;
    use arbtest::arbitrary::{Result, Unstructured};
    use dynaflow_model::facts::{
        Context, DefAtExit, Definition, DefinitionKind, Exit, Method, Pair, Place, Recording, Step, Use,
        UseAtEntry, Variable,
    };
    use dynaflow_objectives::{PairsView, Status};

    /// Facts of three roots, whose code is in three classes, two of them nested in one.
    fn arbitrary(u: &mut Unstructured<'_>) -> Result<Recording> {
        let mut recording = Recording::default();
        let facts = &mut recording.facts;
        for _ in 0..u.int_in_range(0..=12)? {
            let class = facts.sym(u.choose(&["a.A", "a.A$In", "a.B"])?);
            let signature = facts.sym(u.choose(&["f()V", "g(I)V"])?);
            let method = facts.methods.intern(Method { class, signature });
            let context = Context { head: [method].into(), tail: [].into(), cut: false };
            let context = facts.contexts.intern(context);
            let (offset, line) = (u.int_in_range(0..=1)?, u.int_in_range(0..=2)?);
            let place = facts.places.intern(Place { method, offset, line });
            let kind = *u.choose(&[DefinitionKind::Direct, DefinitionKind::Nested])?;
            let definition = facts.definitions.intern(Definition { place, kind, context });
            let usage = facts.uses.intern(Use { place, context });
            let root = facts.sym(u.choose(&["a.A", "a.A$In", "a.B"])?);
            let variable = facts.variables.intern(Variable { root, steps: [Step::Element].into() });
            match u.int_in_range(0..=2)? {
                0 => {
                    facts.exits.intern(DefAtExit { variable, method, exit: Exit::Normal, definition });
                }
                1 => {
                    facts.entries.intern(UseAtEntry { variable, method, usage });
                }
                _ => {
                    facts.pairs.intern(Pair { variable, definition, usage });
                }
            }
        }
        Ok(recording)
    }

    #[test]
    fn numbers_of_roots_and_of_lines_are_those_of_all_pairs_listed() {
        arbtest::arbtest(|u| {
            let recording = arbitrary(u)?;
            let view = PairsView::new(&recording, |_| true);
            let roots = roots(&recording, &TestNames::of(&recording));
            let figures = view.figures();
            for root in &roots {
                let listed = figures.get(root.class).map_or((0, 0), |f| (f.covered, f.objectives));
                assert_eq!((root.count.covered, root.count.open), listed, "{}", root.class);
            }
            let pages = Pages::of(&recording.facts, &roots);
            let lines = || pages.by_class.values().flat_map(|page| page.spots.values());
            let all = Count { covered: view.count(Status::Covered), open: view.count(Status::Objective) };
            assert_eq!(lines().filter_map(|line| line.defined).sum::<Count>(), all);
            assert_eq!(lines().filter_map(|line| line.used).sum::<Count>(), all);
            Ok(())
        });
    }
}
