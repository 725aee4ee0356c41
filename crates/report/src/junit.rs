//! Findings as JUnit XML, which every dashboard of a build reads: a suite for each class, a test case for each finding.
//!
//! Knows nothing of where sources lie. Invariants: a fault is a failure, what is suspicious is skipped, as it asks for a look and breaks no build; the
//! counts of a suite are those of its cases; every text is escaped where it is written.

use crate::html::text;
use crate::listing::Source;
use crate::made::Made;
use crate::wording::{Spot, details, headline, line};
use dynaflow_objectives::{FindingKind, FindingText};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The document; `source` is asked for the sources of outermost classes and of tests.
pub fn junit(findings: &[FindingText], source: impl Fn(&str) -> Option<Source>) -> Made {
    let mut made = Made::default();
    let mut suites: BTreeMap<&str, Vec<&FindingText>> = BTreeMap::new();
    for finding in findings {
        suites.entry(&finding.class).or_default().push(finding);
    }
    let all: Vec<&FindingText> = findings.iter().collect();
    let xml = &mut made.text;
    writeln!(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>").ok();
    writeln!(xml, "<testsuites name=\"dynaflow findings\" {}>", counts(&all)).ok();
    for (class, findings) in suites {
        writeln!(xml, "  <testsuite name=\"{}\" {}>", attribute(class), counts(&findings)).ok();
        for finding in findings {
            let spot = Spot::of(finding, &source);
            if spot.source.is_none() {
                made.without_source.insert(spot.class.clone());
            }
            xml.push_str(&case(finding, &spot, Spot::of_test(finding, &source).as_ref()));
        }
        xml.push_str("  </testsuite>\n");
    }
    xml.push_str("</testsuites>\n");
    made
}

fn counts(findings: &[&FindingText]) -> String {
    let faults = findings.iter().filter(|finding| finding.kind == FindingKind::Fault).count();
    let all = findings.len();
    format!("tests=\"{all}\" failures=\"{faults}\" errors=\"0\" skipped=\"{}\"", all - faults)
}

fn case(finding: &FindingText, spot: &Spot, test: Option<&Spot>) -> String {
    let (class, method) = finding.test.split_once('#').unwrap_or((&finding.class, &finding.test));
    let file = test.and_then(|test| test.source.as_ref());
    let file = file.map(|file| format!(" file=\"{}\"", attribute(&file.path))).unwrap_or_default();
    let says = attribute(&headline(finding));
    let body = text(&body(finding, spot));
    let inside = match finding.kind {
        FindingKind::Fault => {
            let kind = attribute(finding.throws.as_deref().unwrap_or("broken contract"));
            format!("      <failure type=\"{kind}\" message=\"{says}\">{body}</failure>\n")
        }
        // What stands in the element is shown by few; what the test would have said is shown by most.
        FindingKind::Suspicious => format!(
            "      <skipped message=\"Suspicious: {says}\"/>\n      <system-out>{body}</system-out>\n"
        ),
    };
    format!(
        "    <testcase classname=\"{}\" name=\"{}\"{file}>\n{inside}    </testcase>\n",
        attribute(class),
        attribute(method)
    )
}

/// What is said of a finding, a line for each sentence.
fn body(finding: &FindingText, spot: &Spot) -> String {
    let mut lines = vec![headline(finding)];
    lines.extend(details(finding));
    let path = spot.source.as_ref().map(|source| source.path.as_str());
    let line = spot.line.map(|line| format!(":{line}")).unwrap_or_default();
    lines.extend(path.map(|path| format!("{path}{line}")));
    if let Some(text) = spot.text().filter(|text| !text.is_empty()) {
        lines.push(format!("    {text}"));
    }
    lines.join("\n")
}

/// Text of an attribute: readers make spaces of line breaks there.
fn attribute(raw: &str) -> String {
    text(&line(raw))
}
