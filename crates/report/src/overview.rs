//! The first page: totals, packages, classes by open objectives, and what the recording left out.
//!
//! Knows nothing of lines. Invariant: its numbers are those of the pages it links to; whatever was left out is said.

use crate::found;
use crate::gather::Count;
use crate::html::{self, text};
use crate::names::{self, counted, number};
use crate::pages::{Page, Pages};
use dynaflow_model::facts::Recording;
use dynaflow_objectives::{BoundsText, FindingText};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What the pages have together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Root classes.
    pub roots: usize,
    /// State variables.
    pub variables: usize,
    /// Pairs.
    pub count: Count,
    /// Methods with definitions or uses.
    pub methods: usize,
    /// Tests.
    pub tests: usize,
}

impl Totals {
    /// Those of all pages.
    pub fn of(pages: &Pages<'_>, tests: usize) -> Self {
        let mut totals = Self { tests, ..Self::default() };
        for page in pages.by_class.values() {
            totals.roots += page.roots.len();
            totals.variables += page.variables();
            totals.count += page.count();
            totals.methods += page.spots.keys().map(|spot| spot.method).collect::<BTreeSet<_>>().len();
        }
        totals
    }
}

/// Pages by open objectives, most first.
pub fn by_open<'p, 'a>(pages: &'p Pages<'a>) -> Vec<&'p Page<'a>> {
    let mut all: Vec<&Page<'_>> = pages.by_class.values().collect();
    all.sort_by_key(|page| std::cmp::Reverse((page.count().open, page.count().covered)));
    all
}

/// The page.
pub fn page(recording: &Recording, pages: &Pages<'_>, totals: Totals, findings: &[FindingText]) -> String {
    let title = title(pages);
    let mut body = format!(
        "<header class=\"top\"><p class=\"kicker\">Dynamic data flow</p><h1>{}</h1>\n{}{}\n\
         <p class=\"lead\">A <b>pair</b> is a write to the state of an object and a read that sees it. An <b>open objective</b> is a pair that no test executes, though one test \
         leaves the write behind and another one begins with the read.</p></header>\n<main id=\"main\">\n",
        text(&title),
        figures(totals),
        html::bar(totals.count)
    );
    body.push_str(&classes(pages));
    body.push_str(&packages(pages));
    body.push_str(&found::overview(findings, pages));
    body.push_str(&limits(recording, pages));
    body.push_str("</main>\n");
    html::page(&format!("{title}: data flow"), "", &[], &body)
}

/// The longest package that all roots share.
fn title(pages: &Pages<'_>) -> String {
    let mut packages =
        pages.by_class.keys().map(|class| names::package(class).0.split('.').collect::<Vec<_>>());
    let first = packages.next().unwrap_or_default();
    let shared = packages.fold(first, |shared, other| {
        let same = shared.iter().zip(&other).take_while(|(a, b)| a == b).count();
        shared.into_iter().take(same).collect()
    });
    match shared.join(".") {
        none if none.is_empty() => "Data flow of the recorded tests".to_owned(),
        package => package,
    }
}

fn figures(totals: Totals) -> String {
    let Totals { roots, variables, count, methods, tests } = totals;
    html::figures(&[
        (number(count.open), "open objectives", "some"),
        (number(count.covered), "executed pairs", "done"),
        (format!("{}%", names::percent(count.covered, count.total())), "executed", ""),
        (number(variables), "state variables", ""),
        (number(roots), "classes with state", ""),
        (number(methods), "methods", ""),
        (number(tests), "tests", ""),
    ])
}

fn classes(pages: &Pages<'_>) -> String {
    let mut html = String::from(
        "<section aria-labelledby=\"classes\">\n<div class=\"bar-head\"><h2 id=\"classes\">Classes</h2>\
         <input type=\"search\" class=\"script\" data-filter=\"class-table\" placeholder=\"Find a class\" aria-label=\"Find a class\" aria-keyshortcuts=\"/\"></div>\n\
         <div class=\"scroll\"><table id=\"class-table\" class=\"list\" data-sortable data-rows>\n<thead><tr><th scope=\"col\" class=\"name\">Class</th><th scope=\"col\" class=\"num\">Variables</th>\
         <th scope=\"col\" class=\"num\">Executed</th><th scope=\"col\" class=\"num\" aria-sort=\"descending\">Open</th><th scope=\"col\" class=\"share\">Share</th></tr></thead>\n<tbody>\n",
    );
    for page in by_open(pages) {
        let count = page.count();
        let (package, _) = names::package(page.class);
        writeln!(
            html,
            "<tr data-key=\"{}\"><th scope=\"row\" class=\"name\"><a href=\"classes/{}.html\">{}</a> <span class=\"package\">{}</span></th>{}{}{}<td class=\"share\" data-value=\"{}\">{}</td></tr>",
            text(&page.class.to_lowercase()),
            text(&page.file),
            text(&names::short(page.class)),
            text(package),
            html::number(page.variables()),
            html::number(count.covered),
            html::number(count.open),
            share(count),
            html::bar(count)
        )
        .ok();
    }
    html + "</tbody></table></div>\n<p class=\"note\" data-empty=\"class-table\" hidden>No class has this in its name.</p></section>\n"
}

/// What a share sorts by: without pairs behind all others.
fn share(count: Count) -> i64 {
    if count.total() == 0 {
        -1
    } else {
        i64::try_from(count.covered * 1_000_000 / count.total()).unwrap_or(i64::MAX)
    }
}

fn packages(pages: &Pages<'_>) -> String {
    let mut by_package: BTreeMap<&str, (usize, Count)> = BTreeMap::new();
    for page in pages.by_class.values() {
        let (classes, count) = by_package.entry(names::package(page.class).0).or_default();
        *classes += 1;
        *count += page.count();
    }
    if by_package.len() < 2 {
        return String::new();
    }
    let mut html = String::from(
        "<section aria-labelledby=\"packages\">\n<h2 id=\"packages\">Packages</h2>\n<div class=\"scroll\"><table class=\"list\" data-sortable>\n<thead><tr>\
         <th scope=\"col\" class=\"name\" aria-sort=\"ascending\">Package</th><th scope=\"col\" class=\"num\">Classes</th><th scope=\"col\" class=\"num\">Executed</th><th scope=\"col\" class=\"num\">Open</th>\
         <th scope=\"col\" class=\"share\">Share</th></tr></thead>\n<tbody>\n",
    );
    for (package, (classes, count)) in by_package {
        let shown = if package.is_empty() { "(no package)" } else { package };
        writeln!(
            html,
            "<tr data-key=\"{0}\"><th scope=\"row\" class=\"name\">{0}</th>{1}{2}{3}<td class=\"share\" data-value=\"{4}\">{5}</td></tr>",
            text(shown),
            html::number(classes),
            html::number(count.covered),
            html::number(count.open),
            share(count),
            html::bar(count)
        )
        .ok();
    }
    html + "</tbody></table></div></section>\n"
}

fn limits(recording: &Recording, pages: &Pages<'_>) -> String {
    let mut items: Vec<String> = BoundsText::of(recording)
        .in_words()
        .map(|(what, times)| format!("{} {what}", number(usize::try_from(times).unwrap_or(usize::MAX))))
        .collect();
    let notes: BTreeSet<&String> = recording.notes.iter().collect();
    items.extend(notes.into_iter().map(|note| format!("the recorder noted: {note}")));
    let declined: BTreeSet<(&str, &str)> = recording
        .declined
        .iter()
        .map(|declined| (declined.class.as_str(), declined.reason.as_str()))
        .collect();
    let without: Vec<&String> =
        recording.classes.keys().filter(|class| pages.of_class(class).is_none()).collect();
    let mut html =
        String::from("<section aria-labelledby=\"limits\">\n<h2 id=\"limits\">What is not here</h2>\n");
    if items.is_empty() && declined.is_empty() && without.is_empty() {
        return html + "<p>Nothing was left out.</p></section>\n";
    }
    html.push_str(&list(
        "Left out by bounds",
        "of the recording",
        items.iter().map(|item| text(item)),
        items.len(),
    ));
    let rows =
        declined.iter().map(|(class, reason)| format!("<code>{}</code>: {}", text(class), text(reason)));
    html.push_str(&list(
        "Not recorded",
        &counted(declined.len(), "class or method", "classes and methods"),
        rows,
        declined.len(),
    ));
    let rows = without.iter().map(|class| format!("<code>{}</code>", text(class)));
    html.push_str(&list(
        "Recorded, without a definition or use",
        &counted(without.len(), "class", "classes"),
        rows,
        without.len(),
    ));
    html + "</section>\n"
}

/// A list that is folded where it is long.
fn list(title: &str, what: &str, items: impl Iterator<Item = String>, length: usize) -> String {
    if length == 0 {
        return String::new();
    }
    let open = if length <= 6 { " open" } else { "" };
    let mut html =
        format!("<details{open}><summary>{title} <span class=\"dim\">{what}</span></summary>\n<ul>\n");
    for item in items {
        writeln!(html, "<li>{item}</li>").ok();
    }
    html + "</ul></details>\n"
}
