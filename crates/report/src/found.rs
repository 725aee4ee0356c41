//! Findings on the pages: a list on the overview, a list on the page of the class that fails, marks at the lines.
//!
//! Knows nothing of how findings are found. Invariants: every finding is on the overview, and on one page at most; every text is escaped where it is written.

use crate::html::text;
use crate::names::{counted, outermost};
use crate::pages::Pages;
use crate::wording::{details, headline};
use dynaflow_objectives::{FindingKind, FindingText};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Most findings that are unfolded on the overview.
const UNFOLDED: usize = 10;

/// The outermost class on whose page a finding stands: the one that fails.
fn home(finding: &FindingText) -> &str {
    outermost(finding.at.as_ref().map_or(&finding.class, |at| &at.class))
}

/// The findings of the page of a class.
pub fn of_class<'f>(findings: &'f [FindingText], class: &str) -> Vec<&'f FindingText> {
    findings.iter().filter(|finding| home(finding) == class).collect()
}

fn kind(finding: &FindingText) -> &'static str {
    match finding.kind {
        FindingKind::Fault => "fault",
        FindingKind::Suspicious => "suspicious",
    }
}

/// The line of a finding; none when it is not known.
fn line(finding: &FindingText) -> Option<u32> {
    finding.at.as_ref().map(|at| at.line).filter(|line| *line > 0)
}

/// The section of a page; nothing where nothing fails.
pub fn section(findings: &[&FindingText]) -> String {
    if findings.is_empty() {
        return String::new();
    }
    let mut html = String::from(
        "<section aria-labelledby=\"findings\">\n<h2 id=\"findings\">Findings</h2>\n<ul class=\"findings\">\n",
    );
    for (number, finding) in findings.iter().enumerate() {
        let line =
            line(finding).map(|line| format!(" <a href=\"#L{line}\">Line {line}</a>.")).unwrap_or_default();
        writeln!(
            html,
            "<li id=\"f{number}\"><span class=\"finding {0}\">{0}</span> <b>{1}</b>{line} {2}</li>",
            kind(finding),
            text(&headline(finding)),
            text(&details(finding).join(" "))
        )
        .ok();
    }
    html + "</ul></section>\n"
}

/// By line, the links to the findings of a page that stand behind its text.
pub fn marks(findings: &[&FindingText]) -> BTreeMap<u32, String> {
    let mut marks: BTreeMap<u32, String> = BTreeMap::new();
    for (number, finding) in findings.iter().enumerate() {
        if let Some(line) = line(finding) {
            let mark = format!(
                " <a class=\"finding {0}\" href=\"#f{number}\" title=\"{1}\">{0}</a>",
                kind(finding),
                text(&headline(finding))
            );
            marks.entry(line).or_default().push_str(&mark);
        }
    }
    marks
}

/// The section of the overview; nothing where nothing fails.
pub fn overview(findings: &[FindingText], pages: &Pages<'_>) -> String {
    if findings.is_empty() {
        return String::new();
    }
    let faults = findings.iter().filter(|finding| finding.kind == FindingKind::Fault).count();
    let suspicious = findings.len() - faults;
    let open = if findings.len() <= UNFOLDED { " open" } else { "" };
    let mut html = format!(
        "<section aria-labelledby=\"findings\">\n<h2 id=\"findings\">Findings</h2>\n<details{open}><summary>Failures that generated tests reveal <span class=\"dim\">{}, {suspicious} suspicious</span></summary>\n<ul class=\"findings\">\n",
        counted(faults, "fault", "faults")
    );
    let mut on_page: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in findings {
        let number = on_page.entry(home(finding)).or_default();
        let says = text(&headline(finding));
        let says = match pages.of_class(home(finding)) {
            Some(page) => format!("<a href=\"classes/{}.html#f{number}\">{says}</a>", text(&page.file)),
            None => says,
        };
        *number += 1;
        writeln!(
            html,
            "<li><span class=\"finding {0}\">{0}</span> {says} <span class=\"dim\">{1}</span></li>",
            kind(finding),
            text(&finding.test)
        )
        .ok();
    }
    html + "</ul></details></section>\n"
}
