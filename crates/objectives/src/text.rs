//! The `pairs` document for people: pairs by root class, variable and definition; or figures by root class.
//!
//! Knows nothing of files. Invariant: every pair is on one line, below the definition that it belongs to; at most one variable's pairs
//! are looked at together.

use crate::document::{Entry, PairsView};
use crate::schema::{BoundsText, Status};
use dynaflow_model::descriptor;
use dynaflow_model::facts::{ContextId, DefinitionKind, PlaceId};
use std::collections::BTreeMap;
use std::io::{Result, Write};

impl PairsView<'_> {
    /// Writes the pairs to be read: for each root class and state variable its definitions, and below each the uses that it
    /// was seen to reach (covered) or could reach (objective).
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_text(&self, mut out: impl Write) -> Result<()> {
        for (at, of_root) in self.by_root().enumerate() {
            let Some(first) = of_root.first() else { continue };
            if at > 0 {
                writeln!(out)?;
            }
            writeln!(out, "{}: {}", self.root(first), Figures::of(of_root))?;
            for of_variable in of_root.chunk_by(|a, b| a.pair.variable == b.pair.variable) {
                self.variable(of_variable, &mut out)?;
            }
        }
        out.flush()
    }

    /// The pairs of each root class.
    fn by_root(&self) -> impl Iterator<Item = &[Entry]> {
        self.pairs.chunk_by(|a, b| self.root(a) == self.root(b))
    }

    /// How many pairs there are, by root class. Linear in the pairs.
    pub fn figures(&self) -> BTreeMap<&str, Figures> {
        let of_root = |pairs: &[Entry]| Some((self.root(pairs.first()?), Figures::of(pairs)));
        self.by_root().filter_map(of_root).collect()
    }

    fn variable(&self, pairs: &[Entry], out: &mut impl Write) -> Result<()> {
        let Some(first) = pairs.first() else { return Ok(()) };
        writeln!(out, "\n  {}: {}", self.speller.variable(first.pair.variable), Figures::of(pairs))?;
        for of_definition in pairs.chunk_by(|a, b| a.pair.definition == b.pair.definition) {
            let Some(first) = of_definition.first() else { continue };
            if let Some(definition) = self.speller.facts().definitions.get(first.pair.definition) {
                let above = match definition.kind {
                    DefinitionKind::Direct => "",
                    DefinitionKind::Nested => " by replacing an object it goes through",
                };
                let place = self.place(definition.place, definition.context);
                writeln!(out, "    defined{above} in {place}")?;
            }
            for entry in of_definition {
                self.usage(entry, out)?;
            }
        }
        Ok(())
    }

    fn usage(&self, entry: &Entry, out: &mut impl Write) -> Result<()> {
        let Some(usage) = self.speller.facts().uses.get(entry.pair.usage) else { return Ok(()) };
        let status = match entry.status {
            Status::Covered => "covered",
            Status::Objective => "OBJECTIVE",
        };
        let place = self.place(usage.place, usage.context);
        let mut tests = self.tests_of(entry);
        let others = tests.len().saturating_sub(1);
        let by = match (tests.next(), others) {
            (None, _) => String::new(),
            (Some(test), 0) => format!("  [{test}]"),
            (Some(test), 1) => format!("  [{test} and 1 other]"),
            (Some(test), others) => format!("  [{test} and {others} others]"),
        };
        writeln!(out, "      {status:<9} used in {place}{by}")
    }

    /// `a.Middle.probe(int) line 14, from a.Outer.probe()`: the access, and the frames above it.
    fn place(&self, place: PlaceId, context: ContextId) -> String {
        let (class, method, _, line) = self.speller.place(place);
        let at = format!("{class}.{}", readable(method));
        let mut above: Vec<String> = self.speller.context(context).map(readable).collect();
        if above.last() == Some(&at) {
            above.pop();
        }
        let line = if line == 0 { String::new() } else { format!(" line {line}") };
        let from = if above.is_empty() { String::new() } else { format!(", from {}", above.join(" > ")) };
        format!("{at}{line}{from}")
    }

    /// Writes how many pairs there are by root class, and what was left out.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_summary(&self, mut out: impl Write) -> Result<()> {
        let by_root = self.figures();
        let width = by_root.keys().map(|root| root.len()).max().unwrap_or_default().max("root class".len());
        let mut row = |name: &str, cells: [&str; 3]| {
            let [variables, covered, objectives] = cells;
            writeln!(out, "{name:<width$}  {variables:>9}  {covered:>9}  {objectives:>10}")
        };
        row("root class", ["variables", "covered", "objectives"])?;
        for (root, figures) in &by_root {
            row(root, figures.cells().each_ref().map(String::as_str))?;
        }
        row("total", Figures::of(&self.pairs).cells().each_ref().map(String::as_str))?;
        self.write_limits(&mut out)?;
        out.flush()
    }

    fn write_limits(&self, out: &mut impl Write) -> Result<()> {
        let recording = self.speller.recording;
        let (declined, bounds) = (self.declined(), BoundsText::of(recording));
        writeln!(
            out,
            "\nrecorded classes: {}; tests that execute these pairs: {}",
            recording.classes.len(),
            self.tests.len()
        )?;
        for declined in declined {
            writeln!(out, "not recorded: {}: {}", declined.class, declined.reason)?;
        }
        for (what, times) in bounds.in_words() {
            writeln!(out, "left out: {times} {what}")?;
        }
        self.notes().into_iter().try_for_each(|note| writeln!(out, "the recorder noted: {note}"))
    }
}

impl BoundsText {
    /// What was left out, where anything was, in words that follow its number.
    pub fn in_words(&self) -> impl Iterator<Item = (&'static str, u64)> + use<> {
        let cut = [
            ("variables longer than depth", self.depth),
            ("contexts longer than context", self.context),
            ("objects with more paths than paths", self.paths),
            ("objects forgotten for the sake of memory", self.memory),
            ("writes by reflection and the like, outside all recorded methods", self.unknown),
            (
                "reads, ends of invocations and whole invocations whose like showed nothing new for long (thin=off records all)",
                self.thinned,
            ),
        ];
        cut.into_iter().filter(|(_, times)| *times > 0)
    }
}

/// How many there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// State variables that have pairs.
    pub variables: usize,
    /// Covered pairs.
    pub covered: usize,
    /// Objectives.
    pub objectives: usize,
}

impl Figures {
    /// Those of pairs in the order of the document.
    fn of(pairs: &[Entry]) -> Self {
        let covered = pairs.iter().filter(|entry| entry.status == Status::Covered).count();
        let variables = pairs.chunk_by(|a, b| a.pair.variable == b.pair.variable).count();
        Self { variables, covered, objectives: pairs.len() - covered }
    }

    fn cells(self) -> [String; 3] {
        [self.variables, self.covered, self.objectives].map(|n| n.to_string())
    }
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let s = if self.objectives == 1 { "" } else { "s" };
        write!(f, "{} covered, {} objective{s}", self.covered, self.objectives)
    }
}

/// A method as source code names it: `probe(int, String[])`, from `probe(I[Ljava/lang/String;)Z`. What has no descriptor stays as it is.
pub fn readable(method: &str) -> String {
    match method.find('(') {
        Some(at) if method.contains(')') => {
            let (name, descriptor) = method.split_at(at);
            let types: Vec<String> = descriptor::parameters(descriptor).into_iter().map(simple).collect();
            format!("{name}({})", types.join(", "))
        }
        _ => method.to_owned(),
    }
}

/// A type without its package and outer classes.
fn simple(descriptor: &str) -> String {
    if let Some(component) = descriptor::component(descriptor) {
        return format!("{}[]", simple(component));
    }
    let Some(class) = descriptor::class_of(descriptor) else {
        return descriptor::primitive(descriptor).to_owned();
    };
    class.rsplit(['.', '$']).next().unwrap_or(&class).to_owned()
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn methods_read_as_in_source_code() {
        for (method, text) in [
            ("a.Outer.probe()Z", "a.Outer.probe()"),
            ("set(I[[Ljava/util/Map$Entry;J)V", "set(int, Entry[][], long)"),
            ("<init>(Ljava/lang/String;)V", "<init>(String)"),
            ("...", "..."),
            ("odd(Q)V", "odd()"),
        ] {
            assert_eq!(readable(method), text);
        }
    }
}
