//! A source with its lines' definitions and uses in the margin; without a source, the methods and lines that have any.
//!
//! Knows nothing of pairs beyond their counts. Invariant: every line with a definition or a use has a row that can be reached by keyboard, also where the
//! source has no such line.

use crate::colours::{State, coloured};
use crate::gather::Count;
use crate::html::text;
use crate::names::{self, counted, number};
use crate::pages::{Line, Page};
use dynaflow_model::facts::FactTable;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Where it was found, as it is shown.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The section of a page with its source, and what stands behind the text of lines.
pub fn section(
    facts: &FactTable,
    page: &Page<'_>,
    source: Option<&Source>,
    marks: &BTreeMap<u32, String>,
) -> String {
    let lines = page.lines();
    if lines.is_empty() {
        return String::new();
    }
    let mut html =
        String::from("<section class=\"code\" aria-labelledby=\"source\">\n<h2 id=\"source\">Source</h2>\n");
    match source {
        Some(source) => {
            writeln!(html, "<p class=\"note\"><code>{}</code>. A line with a mark is a button: it shows what flows from it and to it.</p>", text(&source.path)).ok();
            html.push_str(&of_source(source, &lines, marks));
        }
        None => {
            html.push_str("<p class=\"note\">The source was not found below <code>--source-path</code>: these are the lines with definitions and uses, by method.</p>\n");
            html.push_str(&of_methods(facts, page));
        }
    }
    html + "</section>\n"
}

const HEAD: &str = "<div class=\"scroll\"><table class=\"source\" data-rows>\n<thead><tr><th scope=\"col\" class=\"n\">Line</th><th scope=\"col\">Defines</th>\
<th scope=\"col\">Uses</th><th scope=\"col\" class=\"c\"><span class=\"hidden\">Text</span></th></tr></thead>\n<tbody>\n";

fn of_source(source: &Source, lines: &BTreeMap<u32, Line>, marks: &BTreeMap<u32, String>) -> String {
    let mut html = String::from(HEAD);
    let mut state = State::default();
    let mut last = 0;
    for (number, line) in (1..).zip(source.text.lines()) {
        let mark = marks.get(&number).map_or("", String::as_str);
        html.push_str(&row(number, lines.get(&number), &(coloured(line, &mut state) + mark)));
        last = number;
    }
    let missing: Vec<_> = lines.iter().filter(|(line, _)| **line == 0 || **line > last).collect();
    for (number, line) in &missing {
        let what = if **number == 0 {
            "code without a line"
        } else {
            "this line is not in the source: it is not the one that was compiled"
        };
        html.push_str(&row(**number, Some(line), &format!("<em>{what}</em>")));
    }
    html + "</tbody></table></div>\n"
}

fn of_methods(facts: &FactTable, page: &Page<'_>) -> String {
    let mut html = String::from(HEAD);
    let mut spots: Vec<_> = page.spots.keys().collect();
    let class =
        |spot: &crate::pages::Spot| facts.methods.get(spot.method).map_or("", |m| facts.text(m.class));
    let call = |spot: &crate::pages::Spot| names::call(facts, spot.method);
    spots.sort_by_cached_key(|spot| (class(spot), spot.line, call(spot)));
    let lines = page.lines();
    let mut shown = std::collections::BTreeSet::new();
    for spot in spots {
        // A line of two methods, such as a field's initialiser in two constructors, is one row as it is in a source.
        if shown.insert(spot.line) {
            html.push_str(&row(spot.line, lines.get(&spot.line), &text(&call(spot))));
        }
    }
    html + "</tbody></table></div>\n"
}

fn row(line: u32, found: Option<&Line>, code: &str) -> String {
    let shown = if line == 0 { "?".to_owned() } else { line.to_string() };
    let Some(found) = found else {
        return format!(
            "<tr id=\"L{line}\"><td class=\"n\">{shown}</td><td></td><td></td><td class=\"c\">{code}</td></tr>\n"
        );
    };
    let counts = [found.defined, found.used];
    let open = counts.iter().flatten().any(|count| count.open > 0);
    let class = if open { "some" } else { "done" };
    format!(
        "<tr id=\"L{line}\" class=\"site {class}\"><td class=\"n\"><button type=\"button\" data-line=\"{line}\" aria-label=\"Line {shown}: {}\">{shown}</button></td>\
         <td class=\"m\">{}</td><td class=\"m\">{}</td><td class=\"c\">{code}</td></tr>\n",
        text(&in_words(found)),
        mark(found.defined),
        mark(found.used)
    )
}

fn in_words(line: &Line) -> String {
    let side = |what: &str, count: Count| {
        format!("{what} of {}, {} open", counted(count.total(), "pair", "pairs"), number(count.open))
    };
    let sides =
        [line.defined.map(|count| side("definitions", count)), line.used.map(|count| side("uses", count))];
    sides.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// The number of open objectives, a tick where all pairs are executed, a point where there is no pair.
fn mark(count: Option<Count>) -> String {
    let Some(count) = count else { return String::new() };
    let (class, shown) = match count {
        Count { open: 0, covered: 0 } => ("mark none", "·".to_owned()),
        Count { open: 0, .. } => ("mark done", "✓".to_owned()),
        Count { open, .. } => ("mark some", number(open)),
    };
    format!(
        "<span class=\"{class}\" title=\"{} executed, {} open\">{shown}</span>",
        number(count.covered),
        number(count.open)
    )
}
