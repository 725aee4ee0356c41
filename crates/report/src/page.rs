//! The page of a class: the shape of its objects, its state variables with their pairs, and its source.
//!
//! Knows nothing of the overview. Invariant: what the script adds is made of the page's own data; without it the page still has every number.

use crate::found;
use crate::gather::{Root, Variable};
use crate::html::{self, text};
use crate::listing::{self, Source};
use crate::names::{self, counted, number};
use crate::pages::Page;
use crate::svg;
use crate::tree;
use dynaflow_model::facts::{FactTable, Step};
use dynaflow_objectives::FindingText;
use std::fmt::Write;

/// The page.
pub fn page(
    facts: &FactTable,
    page: &Page<'_>,
    source: Option<&Source>,
    findings: &[&FindingText],
) -> String {
    let (package, _) = names::package(page.class);
    let name = names::short(page.class);
    let count = page.count();
    let mut body = format!(
        "<header class=\"top\"><nav aria-label=\"Where this is\"><a href=\"../index.html\">All classes</a> <span class=\"dim\">{}</span></nav>\n<h1>{}</h1>\n",
        text(package),
        text(&name)
    );
    if page.roots.is_empty() {
        body.push_str("<p class=\"lead\">No pair has an object of this class as its root: its code reads and writes the state of other classes.</p>");
    } else {
        body.push_str(&html::figures(&[
            (number(count.open), "open objectives", "some"),
            (number(count.covered), "executed pairs", "done"),
            (number(page.variables()), "state variables", ""),
        ]));
        body.push_str(&html::bar(count));
    }
    body.push_str("</header>\n<main id=\"main\">\n");
    body.push_str(&contents(page));
    body.push_str(&found::section(findings));
    body.push_str("<noscript><p class=\"note\">Single pairs are shown by a script. <code>dynaflow export --format text</code> lists them too.</p></noscript>\n");
    for (at, root) in page.roots.iter().enumerate() {
        body.push_str(&root_section(facts, at, root));
    }
    body.push_str(&listing::section(facts, page, source, &found::marks(findings)));
    body.push_str("</main>\n");
    let data = format!("{}.js", page.file);
    html::page(&format!("{name}: data flow"), "../", &[data], &body)
}

/// Links to the roots, where there are several.
fn contents(page: &Page<'_>) -> String {
    if page.roots.len() < 2 {
        return String::new();
    }
    let mut html = String::from("<nav class=\"contents\" aria-label=\"On this page\"><ul>\n");
    for (at, root) in page.roots.iter().enumerate() {
        let open = root.count.open;
        let open = if open == 0 {
            String::new()
        } else {
            format!(" <span class=\"dim\">{} open</span>", number(open))
        };
        writeln!(html, "<li><a href=\"#r{at}\">{}</a>{open}</li>", text(&names::short(root.class))).ok();
    }
    html.push_str("<li><a href=\"#source\">Source</a></li>\n");
    html + "</ul></nav>\n"
}

fn root_section(facts: &FactTable, at: usize, root: &Root<'_>) -> String {
    let name = names::short(root.class);
    let picture = svg::picture(&name, at, &tree::tree(facts, root));
    let count = root.count;
    format!(
        "<section class=\"root\" aria-labelledby=\"r{at}\">\n<h2 id=\"r{at}\">State of {}</h2>\n\
         <p class=\"note\">{}, {} executed, {} open.</p>\n<div class=\"scroll picture\" tabindex=\"0\" role=\"region\" aria-label=\"Picture of the state of {}\">{picture}</div>\n{}</section>\n",
        text(&name),
        counted(root.variables.len(), "variable", "variables"),
        counted(count.covered, "pair", "pairs"),
        number(count.open),
        text(&name),
        variables(facts, at, root)
    )
}

/// Rows that stand in the page itself; the script makes the others from the data, as some classes have tens of thousands of variables.
const ROWS: usize = 100;

fn variables(facts: &FactTable, at: usize, root: &Root<'_>) -> String {
    let search = if root.variables.len() > 10 {
        format!(
            "<input type=\"search\" class=\"script\" data-filter=\"t{at}\" placeholder=\"Find a variable\" aria-label=\"Find a variable\" aria-keyshortcuts=\"/\">"
        )
    } else {
        String::new()
    };
    let mut html = format!(
        "<div class=\"bar-head\"><h3>Variables and their objectives</h3>{search}</div>\n<div class=\"scroll\"><table id=\"t{at}\" class=\"list\" data-root=\"{at}\" data-rows>\n<thead><tr><th scope=\"col\" class=\"name\">State variable</th>\
         <th scope=\"col\" class=\"num\">Definitions</th><th scope=\"col\" class=\"num\">Uses</th><th scope=\"col\" class=\"num\">Executed</th>\
         <th scope=\"col\" class=\"num\" aria-sort=\"descending\">Open</th></tr></thead>\n<tbody>\n"
    );
    let mut rows: Vec<_> = root.variables.iter().enumerate().collect();
    rows.sort_by_key(|(_, variable)| std::cmp::Reverse((variable.count.open, variable.count.covered)));
    for (number, variable) in rows.iter().take(ROWS) {
        html.push_str(&row(facts, (at, *number), variable));
    }
    html.push_str("</tbody></table></div>\n");
    if rows.len() > ROWS {
        let all = number(rows.len());
        writeln!(html, "<p class=\"note\" data-rest=\"t{at}\">These are the {ROWS} of {all} variables with most open objectives; the others are shown by a script.</p>").ok();
    }
    html + &format!("<p class=\"note\" data-empty=\"t{at}\" hidden>No variable has this in its name.</p>\n")
}

fn row(facts: &FactTable, (at, number): (usize, usize), variable: &Variable) -> String {
    let steps = facts.variables.get(variable.id).map_or([].as_slice(), |variable| &variable.steps);
    let name = steps.iter().map(|step: &Step| facts.step(step).name).collect::<Vec<_>>().join(".");
    format!(
        "<tr id=\"v{at}-{number}\"><th scope=\"row\" class=\"name\"><button type=\"button\" class=\"fold\" data-variable=\"{at}-{number}\" aria-expanded=\"false\"><code>{}</code></button></th>{}{}{}{}</tr>\n",
        text(&name),
        html::number(variable.definitions.len()),
        html::number(variable.uses.len()),
        html::number(variable.count.covered),
        html::number(variable.count.open)
    )
}
