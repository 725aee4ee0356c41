//! The steps of a search as text, for people who want to follow it. Knows no search. Invariant: without a reader nothing is made or kept.

use super::board::{Board, Cell, shown};
use super::justify::Unjustified;
use crate::value::Value;

/// Steps, indented by how deep they are.
#[derive(Debug, Default)]
pub struct Steps {
    lines: Option<Vec<String>>,
    depth: usize,
}

impl Steps {
    /// Steps that are kept.
    pub fn kept() -> Self {
        Self { lines: Some(vec![]), depth: 0 }
    }

    /// What was kept.
    pub fn lines(&self) -> &[String] {
        self.lines.as_deref().unwrap_or_default()
    }

    pub(super) fn say(&mut self, line: String) {
        if let Some(lines) = &mut self.lines {
            lines.push(format!("{:1$}{line}", "", 2 * self.depth));
        }
    }

    pub(super) fn deeper(&mut self) {
        self.depth += 1;
    }

    pub(super) fn up(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// What followed from an assumption, the assumption included; a value that is one in both versions is said once.
    pub(super) fn implied(&mut self, board: &Board<'_>, mark: usize) {
        if self.lines.is_none() {
            return;
        }
        let mut cells = board.since(mark).to_vec();
        cells.sort_unstable();
        let mut of = |what: &str, is_it: &dyn Fn(&Cell, Value) -> bool, with_value: bool| {
            let mut texts = vec![];
            for cell in &cells {
                if let Some(value) = board.get(*cell).filter(|value| is_it(cell, *value)) {
                    let text = board.text(*cell);
                    texts.push(if with_value { format!("{text} = {}", shown(value)) } else { text });
                }
            }
            if !texts.is_empty() {
                self.say(format!("  {what} {}", texts.join(", ")));
            }
        };
        let status = |wanted: bool| {
            move |cell: &Cell, value| !matches!(cell, Cell::Name(_)) && value == Value::Bool(wanted)
        };
        of("run:", &status(true), false);
        of("not run:", &status(false), false);
        of("values:", &|cell, _| matches!(cell, Cell::Name(_)), true);
    }

    /// What is still to be justified.
    pub(super) fn unjustified(&mut self, board: &Board<'_>, open: &[Unjustified]) {
        if self.lines.is_none() {
            return;
        }
        let mut texts = vec![];
        for element in open {
            texts.push(match element {
                Unjustified::Node(plane, node) => {
                    format!("that {} is run", board.text(Cell::Node(*plane, *node)))
                }
                Unjustified::Value(plane, node, _, value) => {
                    let of = board.text(Cell::Node(*plane, *node));
                    match value {
                        Value::Bool(_) => format!("the way out of {of}"),
                        value => format!("{} at {of}", shown(*value)),
                    }
                }
            });
        }
        let texts = if texts.is_empty() { "nothing".to_owned() } else { texts.join(", ") };
        self.say(format!("unjustified: {texts}"));
    }
}
