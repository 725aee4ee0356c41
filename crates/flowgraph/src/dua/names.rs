//! What variables and places are called for people: names of local variables, lines, paths.
//!
//! It knows the debug tables of a method. Invariant: a slot without a name is `#` and its number, which no Java name is; a
//! table that cannot be read counts as none.

use super::vars::{VarId, Variable, Variables};
use dynaflow_classfile::smap::SourceLines;
use dynaflow_classfile::tables::{Line, Variable as Row, lines, variables};
use dynaflow_classfile::{ClassFile, Code};

/// How many rows for a slot are looked at that begin before an offset.
const OVERLAPPING: usize = 8;

/// The names and lines of one method.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    locals: Vec<(Row, String)>,
    lines: Vec<Line>,
    /// Whether local 0 is the receiver.
    instance: bool,
}

impl Names {
    /// Reads the debug tables of a method.
    pub fn of(class: &ClassFile<'_>, code: &Code<'_>, instance: bool) -> Self {
        let mut names = Self { instance, ..Self::default() };
        for attribute in &code.attributes {
            if class.is_named(attribute, "LocalVariableTable") {
                for row in variables(&attribute.data, attribute.offset).into_iter().flatten() {
                    if let Ok(name) = class.pool.utf8(row.name) {
                        names.locals.push((row, name.to_str().into_owned()));
                    }
                }
            } else if class.is_named(attribute, "LineNumberTable") {
                let source = SourceLines::of(class);
                let entries = lines(&attribute.data, attribute.offset).into_iter().flatten();
                names.lines.extend(entries.filter_map(|entry| source.entry(entry)));
            }
        }
        names.lines.sort_by_key(|line| line.start);
        names.locals.sort_by_key(|(row, _)| (row.slot, row.start));
        names
    }

    /// Whether the compiler left names at all: without them temporaries cannot be recognised.
    pub fn has_locals(&self) -> bool {
        !self.locals.is_empty()
    }

    /// The name of a slot's value at an offset.
    pub fn local(&self, slot: u16, offset: u32) -> Option<&str> {
        if slot == 0 && self.instance {
            return Some("this");
        }
        // Compilers write no two rows that live at once; of those that hostile ones write the last few are looked at.
        let behind =
            self.locals.partition_point(|(row, _)| (row.slot, u32::from(row.start)) <= (slot, offset));
        let lives = |row: &Row| row.slot == slot && offset < u32::from(row.start) + u32::from(row.length);
        let before = self.locals.get(..behind).unwrap_or_default().iter().rev();
        before.take(OVERLAPPING).find(|(row, _)| lives(row)).map(|(_, name)| name.as_str())
    }

    /// The source line of an offset.
    pub fn line(&self, offset: u32) -> Option<u32> {
        let behind = self.lines.partition_point(|line| u32::from(line.start) <= offset);
        behind.checked_sub(1).and_then(|at| self.lines.get(at)).map(|line| u32::from(line.line))
    }

    /// A variable in words: `count`, `this.next.value`, `a.Outer.limit`, `#4`. With `owners`, fields say of which class.
    pub fn spell(&self, all: &Variables<'_>, id: VarId, offset: u32, owners: bool) -> String {
        match all.get(id) {
            Some(Variable::Local(slot)) => {
                self.local(slot, offset).map_or_else(|| format!("#{slot}"), str::to_owned)
            }
            Some(Variable::Static(field)) => format!("{}.{}", field.owner.to_binary_name(), field.name),
            Some(Variable::Path(base, field)) if owners => format!(
                "{}.({}.{} {})",
                self.spell(all, base, offset, owners),
                field.owner.to_binary_name(),
                field.name,
                field.descriptor
            ),
            Some(Variable::Path(base, field)) => {
                format!("{}.{}", self.spell(all, base, offset, owners), field.name)
            }
            None => String::new(),
        }
    }
}
