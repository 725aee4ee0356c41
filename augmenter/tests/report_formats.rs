//! What `dynaflow report` writes for other tools: SARIF and JUnit XML of findings, LCOV of lines; golden files, the structure that the formats ask for,
//! fingerprints when lines move, hostile texts, and what is said where there is nothing to report.
//!
//! Knows nothing of how findings come about: documents are made here. Invariant: SARIF has no property that the test does not know.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod browser;
mod common;
mod golden;

use browser::Browser;
use common::{dynaflow, failed, recording, stderr, valid, write};
use dynaflow_objectives::{FindingKind, FindingText, FrameText, PairsView, StoppedBy, Version};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;

const COUNTER: &str = "package a;

class Counter {
    void set(int n) {
        this.n = n;
    }
    private Integer n;
    int get() {
        return n;
    }
    public boolean equals(Object other) {
        return other == null;
    }
}
";

const TESTS: &str = "package a;

class CounterDynaflowFailures {
    @Test
    void get_throwsNullPointerException() {
        new Counter().get();
    }
}
";

fn finding(kind: FindingKind, throws: Option<&str>, what: &str, test: &str) -> FindingText {
    FindingText {
        at: None,
        called: None,
        class: "a.Counter".into(),
        flow: None,
        kind,
        message: None,
        others: 0,
        test: format!("a.CounterDynaflowFailures#{test}"),
        throws: throws.map(str::to_owned),
        what: what.into(),
    }
}

fn at(class: &str, method: &str, line: u32) -> Option<FrameText> {
    Some(FrameText { class: class.into(), line, method: method.into() })
}

/// A fault whose line is known; a suspicious one in a class without a source; a broken contract; a convention, of which no line is known.
fn findings() -> Vec<FindingText> {
    let npe = "java.lang.NullPointerException";
    let what = |at: &str| format!("{npe} in {at}");
    vec![
        FindingText {
            at: at("a.Counter", "get", 9),
            called: Some("a.Counter.get".into()),
            flow: Some("set() changes Counter.[] (line 5); get() must see it (line 9)".into()),
            message: Some("Cannot invoke \"Integer.intValue()\"\nbecause <\"this.n\"> is null".into()),
            others: 1,
            ..finding(
                FindingKind::Fault,
                Some(npe),
                &what("a.Counter.get:9"),
                "get_throwsNullPointerException",
            )
        },
        FindingText {
            at: at("a.Gone$In", "<init>", 30),
            called: Some("a.Counter.set".into()),
            others: 1_200,
            ..finding(
                FindingKind::Suspicious,
                Some(npe),
                &what("a.Gone$In.<init>:30, called by a.Counter.set"),
                "set_throws",
            )
        },
        FindingText {
            at: at("a.Counter", "equals", 12),
            called: Some("a.Counter.equals".into()),
            ..finding(
                FindingKind::Fault,
                None,
                "an object of a.Counter does not equal itself",
                "doesNotEqualItself",
            )
        },
        finding(
            FindingKind::Suspicious,
            None,
            "clone() of a.Counter gives the object itself",
            "cloneGivesItself",
        ),
    ]
}

/// A document of an augmentation with these findings.
fn document(findings: Option<Vec<FindingText>>, version: Version) -> Vec<u8> {
    let recording = recording("a.CounterTest#counts", true);
    let mut view = PairsView::new(&recording, |_| true);
    view.findings = findings;
    view.stopped_by = Some(StoppedBy::Fixpoint);
    let mut bytes = vec![];
    view.write(version, &mut bytes).unwrap();
    bytes
}

/// A folder with a document of these findings, and the sources of the class and of its failing tests.
fn folder(findings: Vec<FindingText>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (source, text) in [("src/main/java", COUNTER), ("target/dynaflow/tests/findings", TESTS)] {
        let package = folder.path().join(source).join("a");
        fs::create_dir_all(&package).unwrap();
        let name = if text == COUNTER { "Counter.java" } else { "CounterDynaflowFailures.java" };
        fs::write(package.join(name), text).unwrap();
    }
    fs::write(folder.path().join("pairs.json"), document(Some(findings), Version::Two)).unwrap();
    folder
}

fn report(folder: &Path, args: &[&str]) -> Output {
    dynaflow(folder).arg("report").args(args).output().unwrap()
}

/// What it writes to standard output, and says.
fn written(folder: &Path, args: &[&str]) -> (String, String) {
    let output = report(folder, args);
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    (String::from_utf8(output.stdout).unwrap(), said)
}

fn sarif(folder: &Path, args: &[&str]) -> Value {
    let (text, _) = written(folder, &[args, &["--format", "sarif"]].concat());
    let log: Value = serde_json::from_str(&text).unwrap();
    let errors: Vec<String> = jsonschema::validator_for(&structure())
        .unwrap()
        .iter_errors(&log)
        .map(|error| format!("{}: {error}", error.instance_path))
        .collect();
    assert_eq!(errors, Vec::<String>::new());
    log
}

/// What SARIF 2.1.0 asks for of the properties that are written, and GitHub besides: a message, a place and a rule for each result.
fn structure() -> Value {
    let object = |required: &[&str], properties: Value| json!({ "type": "object", "additionalProperties": false, "required": required, "properties": properties });
    let text = object(&["text"], json!({ "text": { "type": "string", "minLength": 1 } }));
    let level = json!({ "enum": ["error", "warning"] });
    let uri = json!({ "type": "string", "pattern": "^[A-Za-z0-9$._~/:%-]+$" });
    let artifact = object(&["uri"], json!({ "uri": uri, "uriBaseId": { "enum": ["%SRCROOT%", "SOURCES"] } }));
    let region = object(&["startLine"], json!({ "startLine": { "type": "integer", "minimum": 1 } }));
    let physical = object(&["artifactLocation"], json!({ "artifactLocation": artifact, "region": region }));
    let logical = object(
        &["fullyQualifiedName", "kind"],
        json!({ "fullyQualifiedName": { "type": "string" }, "kind": { "const": "function" } }),
    );
    let place = object(
        &["physicalLocation"],
        json!({ "physicalLocation": physical, "logicalLocations": { "type": "array", "items": logical } }),
    );
    let related = object(
        &["id", "physicalLocation", "message"],
        json!({ "id": { "type": "integer" }, "physicalLocation": physical, "message": text }),
    );
    let result = object(
        &["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"],
        json!({
            "ruleId": { "type": "string" }, "ruleIndex": { "type": "integer", "minimum": 0, "maximum": 3 }, "level": level, "message": text,
            "locations": { "type": "array", "items": place, "minItems": 1, "maxItems": 1 },
            "relatedLocations": { "type": "array", "items": related },
            "partialFingerprints": object(&["dynaflowFinding/v1"], json!({ "dynaflowFinding/v1": { "type": "string", "pattern": "^[0-9a-f]{32}$" } })),
            "properties": { "type": "object" }
        }),
    );
    let rule = object(
        &["id", "name", "shortDescription", "fullDescription", "help", "defaultConfiguration"],
        json!({
            "id": { "type": "string" }, "name": { "type": "string" }, "shortDescription": text, "fullDescription": text, "help": text,
            "defaultConfiguration": object(&["level"], json!({ "level": level })),
            "properties": object(&["tags"], json!({ "tags": { "type": "array", "items": { "type": "string" } } }))
        }),
    );
    let driver = object(
        &["name", "version", "rules"],
        json!({ "name": { "const": "dynaflow" }, "version": { "type": "string" }, "rules": { "type": "array", "items": rule, "minItems": 4 } }),
    );
    let base = object(&["description"], json!({ "description": text }));
    let run = object(
        &["tool", "results"],
        json!({
            "tool": object(&["driver"], json!({ "driver": driver })),
            "columnKind": { "enum": ["utf16CodeUnits", "unicodeCodePoints"] },
            "originalUriBaseIds": object(&[], json!({ "%SRCROOT%": base })),
            "results": { "type": "array", "items": result }
        }),
    );
    object(
        &["version", "runs"],
        json!({ "$schema": { "type": "string" }, "version": { "const": "2.1.0" }, "runs": { "type": "array", "items": run, "minItems": 1, "maxItems": 1 } }),
    )
}

fn results(log: &Value) -> &Vec<Value> {
    log["runs"][0]["results"].as_array().unwrap()
}

fn fingerprints(log: &Value) -> Vec<String> {
    let of =
        |result: &Value| result["partialFingerprints"]["dynaflowFinding/v1"].as_str().unwrap().to_owned();
    results(log).iter().map(of).collect()
}

#[test]
fn findings_and_lines_are_the_golden_files() {
    let folder = folder(findings());
    for (format, file) in [("sarif", "findings.sarif"), ("junit", "findings.xml"), ("lcov", "lines.info")] {
        let (text, said) = written(folder.path(), &["pairs.json", "--format", format]);
        let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
        golden::golden(&format!("report/{file}"), &text.replace(&version, "\"version\": \"VERSION\""));
        assert_eq!(said.contains("no source was found for 1 class (a.Gone)"), format != "lcov", "{said}");
        assert!(report(folder.path(), &["pairs.json", "--format", format, "-o", file]).status.success());
        assert_eq!(fs::read_to_string(folder.path().join(file)).unwrap(), text);
    }
}

#[test]
fn each_result_names_its_rule_and_both_versions_of_a_document_say_the_same() {
    let folder = folder(findings());
    let log = sarif(folder.path(), &["pairs.json"]);
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    for result in results(&log) {
        let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        assert_eq!(rule["defaultConfiguration"]["level"], result["level"]);
    }
    let ids: Vec<&Value> = results(&log).iter().map(|result| &result["ruleId"]).collect();
    assert_eq!(ids, ["fault", "suspicious", "broken-contract", "broken-convention"]);
    let one = document(Some(findings()), Version::One);
    valid(&one, "pairs.schema.json");
    valid(&document(Some(findings()), Version::Two), "pairs.v2.schema.json");
    fs::write(folder.path().join("one.json"), one).unwrap();
    assert_eq!(sarif(folder.path(), &["one.json"]), log);
}

#[test]
fn a_fingerprint_stays_when_lines_move_and_differs_between_two_of_a_method() {
    let moved = |by: u32, above: &str| {
        let twice = findings().into_iter().take(1).chain(findings().into_iter().take(1)).chain(findings());
        let mut all: Vec<FindingText> = twice.collect();
        for (number, finding) in all.iter_mut().enumerate() {
            let Some(at) = &mut finding.at else { continue };
            // The first one is on another line of the same method.
            let line = at.line + by - u32::from(number == 0);
            finding.what = finding.what.replace(&format!(":{}", at.line), &format!(":{line}"));
            at.line = line;
        }
        let folder = folder(all);
        let source = folder.path().join("src/main/java/a/Counter.java");
        fs::write(source, COUNTER.replace("package a;\n", &format!("package a;\n{above}"))).unwrap();
        fingerprints(&sarif(folder.path(), &["pairs.json"]))
    };
    let before = moved(0, "");
    assert_eq!(moved(3, "\n// More\n\n"), before);
    // Another number would close all findings that are known, and open them anew: see FINGERPRINT.
    assert_eq!(before[2], "bcb7f6600d544180dbe9631335741ddf");
    assert_eq!(before.iter().collect::<BTreeSet<_>>().len(), before.len(), "{before:?}");
}

#[test]
fn paths_are_relative_to_the_working_folder_and_a_line_that_is_not_there_is_not_named() {
    let mut all = findings();
    all[0].at = at("a.Counter", "get", 900);
    let folder = folder(all);
    let place = |args: &[&str], number: usize| {
        let log = sarif(folder.path(), args);
        results(&log)[number]["locations"][0]["physicalLocation"].clone()
    };
    let root = folder.path().canonicalize().unwrap();
    let named = root.join("src/main/java");
    let expected =
        json!({ "artifactLocation": { "uri": "src/main/java/a/Counter.java", "uriBaseId": "%SRCROOT%" } });
    assert_eq!(place(&["pairs.json"], 0), expected);
    assert_eq!(place(&["pairs.json", "--source-path", named.to_str().unwrap()], 0), expected);
    let log = sarif(folder.path(), &["pairs.json", "--source-path", named.to_str().unwrap()]);
    let test = &results(&log)[0]["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(
        test, "target/dynaflow/tests/findings/a/CounterDynaflowFailures.java",
        "whatever else is named"
    );
    let elsewhere = tempfile::tempdir().unwrap();
    fs::create_dir_all(elsewhere.path().join("a b/a")).unwrap();
    fs::write(elsewhere.path().join("a b/a/Counter.java"), COUNTER).unwrap();
    let outside = elsewhere.path().join("a b");
    let found = place(&["pairs.json", "--source-path", outside.to_str().unwrap()], 2);
    let uri = found["artifactLocation"]["uri"].as_str().unwrap();
    assert!(uri.starts_with("file:///") && uri.ends_with("/a%20b/a/Counter.java"), "{uri}");
    assert_eq!(found["region"]["startLine"], 12);
    let guessed = place(&["pairs.json"], 1);
    assert_eq!(guessed["artifactLocation"], json!({ "uri": "a/Gone.java", "uriBaseId": "SOURCES" }));
    assert_eq!(guessed["region"]["startLine"], 30);
}

const HOSTILE: &str = "]]>\"'&</failure><x y=\"\u{1}\u{ffff}\u{202e}\n[text](http://x)";

#[test]
fn findings_stand_beside_the_code_and_on_the_overview() {
    let folder = folder(findings());
    let (_, said) = written(folder.path(), &["pairs.json", "--html", "pages"]);
    assert!(!said.contains("warning"), "{said}");
    let mut browser = Browser::start();
    browser.open(&folder.path().join("pages/index.html"), "", 1280, "light");
    let list = browser.text("section[aria-labelledby=findings]");
    for part in [
        "2 faults, 2 suspicious",
        "NullPointerException in Counter.get.",
        "a.CounterDynaflowFailures#set_throws",
    ] {
        assert!(list.contains(part), "{part}: {list}");
    }
    assert_eq!(browser.value("document.querySelectorAll('.findings li').length"), 4);
    // The class of one of them has no page.
    assert_eq!(browser.value("document.querySelectorAll('.findings a').length"), 3);
    browser.value("document.querySelectorAll('.findings a')[1].click()");
    browser.wait_for("document.title === 'Counter: data flow' && document.readyState === 'complete'");
    assert_eq!(browser.value("location.hash"), "#f1");
    assert_eq!(browser.value("document.querySelectorAll('.findings li').length"), 3);
    let first = browser.text("#f0");
    assert!(first.contains("Line 9. The message is: Cannot invoke"), "{first}");
    assert!(browser.text("tr#L9 .c").ends_with("return n; fault"), "{}", browser.text("tr#L9 .c"));
    browser.value("document.querySelector('tr#L12 .finding').click()");
    assert_eq!(
        browser.value("[location.hash, document.querySelector('#flows:not([hidden])') === null].join()"),
        "#f1,true"
    );
    browser.show_as(420, "light", "");
    assert_eq!(
        browser.value("document.documentElement.scrollWidth > innerWidth"),
        false,
        "it scrolls sideways"
    );
    assert_eq!(browser.trouble, Vec::<String>::new());
}

#[test]
fn texts_that_are_markup_stay_text() {
    let mut all = findings();
    for finding in &mut all {
        finding.message = Some(HOSTILE.into());
        finding.what = HOSTILE.into();
        finding.class = HOSTILE.replace('\n', " ");
        finding.flow = Some(HOSTILE.into());
        finding.test = format!("a.{}#{}", HOSTILE.replace('\n', " "), HOSTILE.replace('\n', " "));
    }
    let folder = folder(all);
    let (xml, _) = written(folder.path(), &["pairs.json", "--format", "junit"]);
    let parsed = roxmltree::Document::parse(&xml).unwrap();
    let named = |name: &str| parsed.descendants().filter(|node| node.has_tag_name(name)).count();
    assert_eq!(["testcase", "failure", "skipped", "system-out", "x"].map(named), [4, 2, 2, 2, 0], "{xml}");
    written(folder.path(), &["pairs.json", "--html", "pages"]);
    let mut browser = Browser::start();
    for page in ["pages/index.html", "pages/classes/a.Counter.html"] {
        browser.open(&folder.path().join(page), "", 1000, "light");
        assert_eq!(browser.value("document.querySelectorAll('x, failure, body script').length"), 0, "{page}");
        assert_ne!(browser.value("document.querySelectorAll('.findings li').length"), 0, "{page}");
    }
    let log = sarif(folder.path(), &["pairs.json"]);
    for result in results(&log) {
        assert!(!result["message"]["text"].as_str().unwrap().contains("]("), "it would be a link: {result}");
    }
}

#[test]
fn the_counts_of_suites_are_those_of_their_cases() {
    let folder = folder(findings());
    let (xml, _) = written(folder.path(), &["pairs.json", "--format", "junit"]);
    let parsed = roxmltree::Document::parse(&xml).unwrap();
    for suite in parsed.descendants().filter(|node| node.tag_name().name().starts_with("testsuite")) {
        for (attribute, tag) in [("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")] {
            let count = suite.descendants().filter(|node| node.has_tag_name(tag)).count();
            assert_eq!(suite.attribute(attribute), Some(count.to_string().as_str()), "{attribute}: {xml}");
        }
    }
}

#[test]
fn where_nothing_was_found_the_report_is_empty_and_valid_and_why_is_said() {
    let folder = folder(vec![]);
    let path = folder.path();
    fs::write(path.join("older.json"), document(None, Version::Two)).unwrap();
    write(&path.join("t.trace"), &recording("a.CounterTest#counts", true));
    assert!(
        dynaflow(path).args(["export", "t.trace", "-o", "exported.json"]).output().unwrap().status.success()
    );
    for (input, why) in [
        ("pairs.json", "no findings in pairs.json: the augmentation found none"),
        ("older.json", "no findings in older.json: an older dynaflow wrote it"),
        ("exported.json", "no findings in exported.json: it is a document of `dynaflow export`"),
        ("t.trace", "no findings in t.trace: traces have none"),
    ] {
        let (_, said) = written(path, &[input, "--format", "sarif"]);
        assert!(said.contains(why), "{said}");
        assert_eq!(results(&sarif(path, &[input])).len(), 0);
        let (xml, said) = written(path, &[input, "--format", "junit"]);
        assert!(said.contains(why), "{said}");
        let parsed = roxmltree::Document::parse(&xml).unwrap();
        assert_eq!(parsed.root_element().attribute("tests"), Some("0"));
    }
}

#[test]
fn lines_of_lcov_are_executed_open_or_not_there() {
    let folder = folder(vec![]);
    let path = folder.path();
    let lines = |covered: bool| {
        write(&path.join("t.trace"), &recording("a.CounterTest#counts", covered));
        written(path, &["t.trace", "--format", "lcov"])
    };
    let (executed, _) = lines(true);
    assert!(executed.contains("SF:src/main/java/a/Counter.java\nDA:5,1\nDA:9,1\nLF:2\nLH:2\n"), "{executed}");
    let (open, said) = lines(false);
    assert!(open.contains("DA:5,0\nDA:9,0\nLF:2\nLH:0\nend_of_record\n"), "{open}");
    assert!(!said.contains("warning"), "{said}");
    fs::write(path.join("src/main/java/a/Counter.java"), "package a;\n\n\n\nclass Counter {}\n").unwrap();
    let (shorter, said) = lines(true);
    assert!(shorter.contains("DA:5,1\nLF:1\nLH:1\n"), "{shorter}");
    assert!(said.contains("1 lines are not in the sources"), "{said}");
    fs::remove_dir_all(path.join("src")).unwrap();
    let output = report(path, &["t.trace", "--format", "lcov", "-o", "x.info"]);
    failed(&output, 1, &["no source was found for any of 1 classes (a.Counter)", "--source-path"]);
    assert!(!path.join("x.info").exists());
}
