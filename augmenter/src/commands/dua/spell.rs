//! Associations as the document has them. Knows nothing of files. Invariant: what it writes down is what the analysis said.

use super::document::{
    CrossText, DuaText, LinesText, MethodText, NodeText, PlaceText, RefusedText, SubsumptionText, UseText,
};
use dynaflow_flowgraph::Use;
use dynaflow_flowgraph::dua::{CrossDua, MethodDuas, Refusal};
use dynaflow_flowgraph::product::{self, Limits};
use std::sync::{Mutex, PoisonError};

/// Methods with more associations than this are compared one at a time.
const LARGE: usize = 10_000;
static ALONE: Mutex<()> = Mutex::new(());

/// How many edges between classes of associations a method may have, which only hostile code meets.
const IMPLICATIONS: usize = 1_000_000;

/// A method of a class; `covered` answers for the ids of its associations.
pub fn method(
    class: &str,
    method: &MethodDuas,
    subsumption: bool,
    covered: impl Fn(&str) -> Option<bool>,
) -> MethodText {
    let cfg = method.problem.cfg();
    let duas = method.problem.duas().iter().zip(&method.details).map(|(dua, detail)| DuaText {
        covered: covered(&detail.id),
        def: dua.def,
        id: detail.id.clone(),
        kind: detail.kind.to_string(),
        lines: LinesText { def: detail.defined_at, usage: detail.used_at },
        usage: usage(dua.usage),
        variable: detail.variable.clone(),
    });
    let nodes = (1..).zip(&method.nodes).map(|(node, place)| NodeText {
        end: place.end,
        lines: place.first_line.zip(place.last_line).map(|(first, last)| [first, last]),
        node,
        start: place.start,
    });
    MethodText {
        class: class.to_owned(),
        duas: duas.collect(),
        edges: cfg.edges().iter().map(|edge| [edge.from, edge.to]).collect(),
        entry: cfg.entry(),
        exit: cfg.exit(),
        method: format!("{}{}", method.name, method.descriptor),
        nodes: nodes.collect(),
        subsumption: if subsumption { relation(method) } else { None },
    }
}

fn usage(usage: Use) -> UseText {
    match usage {
        Use::Node(node) => UseText::Node(node),
        Use::Edge(from, to) => UseText::Edge([from, to]),
    }
}

/// An association between methods.
pub fn cross(dua: &CrossDua) -> CrossText {
    let (definition, used) = (&dua.definition, &dua.usage);
    CrossText {
        covered: None,
        def: PlaceText { at: definition.at, line: definition.line, method: definition.method.clone() },
        id: dua.id.clone(),
        kind: dua.kind.to_string(),
        modifier: dua.modifier,
        usage: PlaceText { at: usage(used.at), line: used.line, method: used.method.clone() },
        variable: dua.variable.clone(),
    }
}

/// Which associations of a method imply which; none when that would take too much.
fn relation(method: &MethodDuas) -> Option<SubsumptionText> {
    let count = method.problem.duas().len();
    // What takes hundreds of megabytes is not done by all processors at once.
    let _alone = (count > LARGE).then(|| ALONE.lock().unwrap_or_else(PoisonError::into_inner));
    let relation = product::within(&method.problem, Limits::default()).ok()?;
    let classes = relation.classes();
    let edges = relation.reduction(&classes, IMPLICATIONS)?;
    let id =
        |dua: &u32| method.details.get(*dua as usize).map(|detail| detail.id.clone()).unwrap_or_default();
    let members = (0..classes.count() as u32).map(|class| classes.members(class).iter().map(id).collect());
    Some(SubsumptionText {
        classes: members.collect(),
        edges: edges.into_iter().map(|(from, to)| [from, to]).collect(),
        unconstrained: classes.unconstrained().collect(),
    })
}

/// Something that could not be analysed.
pub fn refused(class: &str, method: Option<&str>, refusal: &Refusal) -> RefusedText {
    RefusedText {
        class: class.to_owned(),
        method: method.map(str::to_owned),
        offset: refusal.offset,
        reason: refusal.reason.clone(),
    }
}
