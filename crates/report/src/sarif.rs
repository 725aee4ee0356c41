//! Findings as SARIF 2.1.0, which code scanning and editors read.
//!
//! Knows nothing of where sources lie. Invariants: a result names the rule of its kind; its fingerprint does not depend on line numbers; paths are
//! percent-encoded, and relative to the working folder where they are below it.

use crate::listing::Source;
use crate::made::Made;
use crate::wording::{self, Spot, details, guessed, headline};
use dynaflow_objectives::{FindingKind, FindingText};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What relative paths are relative to, by the name that others use for the root of the repository.
const ROOT: &str = "%SRCROOT%";
/// What they are relative to where no source was found: a folder that nobody named.
const UNKNOWN: &str = "SOURCES";
/// The fingerprint; another number when it is made of something else.
const FINGERPRINT: &str = "dynaflowFinding/v1";

/// Of what kind findings are: id, name, level, and what is said of it, in a sentence and in full.
struct Rule {
    id: &'static str,
    name: &'static str,
    level: &'static str,
    short: &'static str,
    full: &'static str,
}

/// In the order of [`rule`].
const RULES: [Rule; 4] = [
    Rule {
        id: "fault",
        name: "UnexpectedException",
        level: "error",
        short: "An exception that the program should not raise",
        full: "A generated test makes the program fail by ordinary calls: the JVM or the JDK raises, in code of the program, an exception that nobody declared or throws on purpose, or an assertion of the program fails.",
    },
    Rule {
        id: "suspicious",
        name: "SuspiciousException",
        level: "warning",
        short: "An exception for which the test may be to blame",
        full: "A generated test makes the program fail, but by what few callers do: it passes null, an extreme number or an index, or hands an object to itself. The program may have a fault, or may have been asked for the absurd.",
    },
    Rule {
        id: "broken-contract",
        name: "BrokenContract",
        level: "error",
        short: "Objects do not keep a contract of the JDK",
        full: "A generated test makes objects that do not keep what the JDK promises of every object: by equals(), hashCode(), compareTo(), toString() or clone().",
    },
    Rule {
        id: "broken-convention",
        name: "BrokenConvention",
        level: "warning",
        short: "Objects may not keep a contract of the JDK",
        full: "A generated test makes objects that do not keep a convention of the JDK, or a contract only where the test passes null or an extreme number.",
    },
];

fn rule(finding: &FindingText) -> usize {
    match (finding.throws.is_some(), finding.kind) {
        (true, FindingKind::Fault) => 0,
        (true, FindingKind::Suspicious) => 1,
        (false, FindingKind::Fault) => 2,
        (false, FindingKind::Suspicious) => 3,
    }
}

/// A run with a result for each finding; `source` is asked for the sources of outermost classes and of tests.
pub fn sarif(findings: &[FindingText], source: impl Fn(&str) -> Option<Source>) -> Made {
    let mut made = Made::default();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let results = findings.iter().map(|finding| {
        let spot = Spot::of(finding, &source);
        if spot.source.is_none() {
            made.without_source.insert(spot.class.clone());
        }
        let identity = identity(finding, &spot);
        let before = seen.entry(identity.clone()).or_default();
        *before += 1;
        let fingerprint = blake3::hash(format!("{identity}\n{before}").as_bytes()).to_hex();
        result(finding, &spot, Spot::of_test(finding, &source), fingerprint.get(..32).unwrap_or_default())
    });
    let results: Vec<Value> = results.collect();
    let rules = RULES.iter().map(|rule| {
        json!({
            "id": rule.id, "name": rule.name,
            "shortDescription": { "text": rule.short }, "fullDescription": { "text": rule.full },
            "help": { "text": format!("{} The test that shows it is named in the result: run it, and mend the program or delete the test.", rule.full) },
            "defaultConfiguration": { "level": rule.level },
            "properties": { "tags": ["correctness", "test"] }
        })
    });
    let driver = json!({ "name": "dynaflow", "version": env!("CARGO_PKG_VERSION"), "rules": rules.collect::<Vec<_>>() });
    let root = "The folder in which the report was made: make it in the root of the repository.";
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "columnKind": "utf16CodeUnits",
            "originalUriBaseIds": { ROOT: { "description": { "text": root } } },
            "results": results
        }]
    });
    made.text = format!("{log:#}\n");
    made
}

fn result(finding: &FindingText, spot: &Spot, test: Option<Spot>, fingerprint: &str) -> Value {
    let kind = rule(finding);
    let (id, level) = RULES.get(kind).map_or(("", ""), |rule| (rule.id, rule.level));
    // A bracket with a parenthesis behind it would be a link.
    let text = [vec![headline(finding)], details(finding)].concat().join(" ").replace("](", "] (");
    let mut place = json!({ "physicalLocation": physical(spot) });
    if let (Some(at), Some(place)) = (&finding.at, place.as_object_mut()) {
        let name = format!("{}.{}", at.class, at.method);
        place.insert(
            "logicalLocations".to_owned(),
            json!([{ "fullyQualifiedName": name, "kind": "function" }]),
        );
    }
    let mut result = json!({
        "ruleId": id, "ruleIndex": kind, "level": level,
        "message": { "text": text },
        "locations": [place],
        "partialFingerprints": { FINGERPRINT: fingerprint },
        "properties": { "class": finding.class, "test": finding.test, "what": finding.what }
    });
    if let (Some(test), Some(result)) = (test, result.as_object_mut()) {
        let related = json!([{ "id": 1, "physicalLocation": physical(&test), "message": { "text": "The test that shows it" } }]);
        result.insert("relatedLocations".to_owned(), related);
    }
    result
}

fn physical(spot: &Spot) -> Value {
    let artifact = match &spot.source {
        Some(Source { path, .. }) if path.starts_with('/') => {
            json!({ "uri": format!("file://{}", uri(path)) })
        }
        Some(Source { path, .. }) => json!({ "uri": uri(path), "uriBaseId": ROOT }),
        None => json!({ "uri": uri(&guessed(&spot.class)), "uriBaseId": UNKNOWN }),
    };
    match spot.line {
        Some(line) => json!({ "artifactLocation": artifact, "region": { "startLine": line } }),
        None => json!({ "artifactLocation": artifact }),
    }
}

/// What makes a finding the one it is, without numbers of lines: lines move, and the finding stays. The text of the line tells two of a method apart.
fn identity(finding: &FindingText, spot: &Spot) -> String {
    let at = finding.at.as_ref().map(|at| format!("{}.{}", at.class, at.method)).unwrap_or_default();
    let line = finding.at.as_ref().map_or(0, |at| at.line);
    match finding.what.split_once(&format!(" in {at}:{line}")) {
        Some((before, after)) if after.is_empty() || after.starts_with(',') => {
            let text = wording::line(spot.text().unwrap_or_default());
            format!("{before} in {at}{after}\n{text}")
        }
        _ => finding.what.clone(),
    }
}

/// A path as a URI: what has a meaning there, or none, becomes its bytes in hex.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b'$' => {
                uri.push(char::from(byte));
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_uris_whatever_is_in_them() {
        assert_eq!(uri("src/a b/B$C.java"), "src/a%20b/B$C.java");
        assert_eq!(uri("x:y#z?é%"), "x%3Ay%23z%3F%C3%A9%25");
    }
}
