//! `dynaflow dua` as users meet it: documents that keep to the schema, rows, lines, graphs; and what is refused.
//! Invariant: every failing case checks the exit code and that the message names what is wrong.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod common;
#[path = "../../tests/shared/javac.rs"]
mod javac;

use common::{dynaflow, failed, java_homes, stderr, valid};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Output;

const SORT: &str = "../crates/flowgraph/tests/java/Sort.java";
const MACHINE: &str = "../crates/flowgraph/tests/java/Machine.java";
const JUDGED: &str = "../crates/flowgraph/tests/java/Judged.java";

/// A folder with two compiled classes in `classes`.
fn compiled() -> tempfile::TempDir {
    compile(&[SORT, MACHINE])
}

fn compile(sources: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = sources.iter().map(|source| here.join(source));
    let status = javac::javac(&java_homes()[0])
        .arg("-g")
        .arg("-d")
        .arg(folder.path().join("classes"))
        .args(sources)
        .status();
    assert!(status.unwrap().success());
    folder
}

fn run(folder: &Path, args: &[&str]) -> Output {
    dynaflow(folder).arg("dua").args(args).output().unwrap()
}

/// The document, held against the published schema.
fn document(text: &[u8]) -> Value {
    valid(text, "duas.schema.json")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The command fails with this code and says all of these.
fn fails(folder: &Path, args: &[&str], code: i32, says: &[&str]) {
    failed(&run(folder, args), code, says);
}

#[test]
fn the_document_keeps_to_its_schema_and_is_the_same_from_a_folder_and_from_a_jar() {
    let folder = compiled();
    let output = run(folder.path(), &["--class-path", "classes", "--subsumption"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", stderr(&output));
    let found = document(&output.stdout);
    assert!(found["totals"]["duas"].as_u64() > Some(30) && found["totals"]["inter"].as_u64() > Some(10));
    let jar = fs::File::create(folder.path().join("all.jar")).unwrap();
    let mut jar = zip::ZipWriter::new(jar);
    for name in ["Machine.class", "Sort.class"] {
        jar.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        jar.write_all(&fs::read(folder.path().join("classes").join(name)).unwrap()).unwrap();
    }
    jar.finish().unwrap();
    let again = run(folder.path(), &["--class-path", "all.jar:classes", "--subsumption", "-o", "duas.json"]);
    assert!(again.status.success() && again.stdout.is_empty());
    assert_eq!(fs::read(folder.path().join("duas.json")).unwrap(), output.stdout);
}

#[test]
fn the_sorting_program_has_the_papers_spanning_set() {
    let folder = compiled();
    let args = ["--class-path", "classes", "--target", "Sort", "--arrays", "whole", "--subsumption"];
    let found = document(&run(folder.path(), &args).stdout);
    let sort = &found["methods"][1];
    assert_eq!(sort["method"], "sort([II)V");
    assert_eq!((sort["entry"].as_u64(), sort["exit"].as_u64()), (Some(1), Some(10)));
    // The paper's table has 44: two of them use what their block has defined itself.
    assert_eq!(found["totals"]["duas"], 42);
    assert_eq!((&found["totals"]["classes"], &found["totals"]["unconstrained"]), (&20.into(), &11.into()));
    let reference = document(&run(folder.path(), &["--class-path", "classes", "--target", "Sort"]).stdout);
    assert_eq!(reference["totals"]["duas"], 37, "without the five that stores into the array define");
    assert_eq!(reference["totals"]["classes"], Value::Null);
}

#[test]
fn rows_and_lines_say_what_the_document_says() {
    let folder = compiled();
    let csv = text(&run(folder.path(), &["--class-path", "classes", "--format", "csv"]));
    let found = document(&run(folder.path(), &["--class-path", "classes"]).stdout);
    let all = found["totals"]["duas"].as_u64().unwrap() + found["totals"]["inter"].as_u64().unwrap();
    assert_eq!(csv.lines().count() as u64, all + 1);
    assert!(csv.starts_with("class,method,id,kind,variable,def,use,"), "{csv}");
    assert!(csv.contains(",parameter,n,1,\"(2,3)\",8,10,,"), "{csv}");
    let args =
        ["--class-path", "classes", "--target", "Sort", "--no-inter", "--subsumption", "--format", "text"];
    let lines = text(&run(folder.path(), &args));
    assert!(lines.contains("* (1, (2,9), sortupto) line 8 to 10"), "{lines}");
    let totals =
        "2 methods, 37 associations, 17 classes of those that imply one another, 8 unconstrained (*)\n";
    assert!(lines.ends_with(totals), "{lines}");
}

#[test]
fn between_methods_nothing_is_said_when_that_is_not_wanted() {
    let folder = compiled();
    let with = document(&run(folder.path(), &["--class-path", "classes", "--target", "Machine"]).stdout);
    let kinds = with["inter"][0]["duas"].as_array().unwrap().iter().map(|dua| dua["kind"].as_str().unwrap());
    let kinds: std::collections::BTreeSet<&str> = kinds.collect();
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["inter-method", "intra-class"]);
    let without = run(folder.path(), &["--class-path", "classes", "--target", "Machine", "--no-inter"]);
    let without = document(&without.stdout);
    assert_eq!((&without["inter"], &without["totals"]["inter"]), (&Value::Array(vec![]), &Value::Null));
    assert_eq!(with["methods"], without["methods"]);
}

#[test]
fn an_association_is_drawn_by_its_id() {
    let folder = compiled();
    let args = ["--class-path", "classes", "--target", "Sort", "--arrays", "whole"];
    let found = document(&run(folder.path(), &args).stdout);
    let duas = found["methods"][1]["duas"].as_array().unwrap();
    let dua = duas.iter().find(|d| d["def"] == 8 && d["use"] == 6 && d["variable"] == "a").unwrap();
    let id = dua["id"].as_str().unwrap();
    let output = run(folder.path(), &[&args[..], &["--graphdua", id, "--format", "dot"]].concat());
    let dot = text(&output);
    assert!(dot.starts_with("digraph \"(8, 6, a)\" {") && dot.contains("\"8(1)\" -> \"2(3)\";"), "{dot}");
    fails(
        folder.path(),
        &[&args[..], &["--graphdua", "0000000000000000"]].concat(),
        1,
        &["--graphdua 0000000000000000", "--arrays"],
    );
    fails(
        folder.path(),
        &[&args[..], &["--graphdua", id, "--format", "csv"]].concat(),
        2,
        &["--graphdua", "--format dot"],
    );
    fails(folder.path(), &[&args[..], &["--format", "dot"]].concat(), 2, &["--format dot", "--graphdua ID"]);
}

#[test]
fn what_cannot_be_analysed_is_named_and_the_rest_is_written() {
    let folder = compiled();
    let path = folder.path();
    fs::write(path.join("classes/Broken.class"), b"no class at all").unwrap();
    // The last instruction of `sort`, the `return` behind the jump back, becomes a `pop`.
    let mut bytes = fs::read(path.join("classes/Sort.class")).unwrap();
    let at = bytes.windows(4).position(|w| w[0] == 0xA7 && w[3] == 0xB1).unwrap() + 3;
    bytes[at] = 0x57;
    fs::write(path.join("classes/Sort.class"), bytes).unwrap();
    let output = run(path, &["--class-path", "classes"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("Broken is not analysed: it does not begin with the magic number"), "{said}");
    assert!(
        said.contains("Sort.sort([II)V is not analysed: execution runs past the end of the code"),
        "{said}"
    );
    let found = document(&output.stdout);
    assert_eq!(found["refused"].as_array().unwrap().len(), 2, "{said}");
    assert!(found["methods"].as_array().unwrap().iter().any(|method| method["class"] == "Machine"));
}

#[test]
fn wrong_class_paths_and_targets_are_named() {
    let folder = compiled();
    fails(folder.path(), &[], 2, &["--class-path"]);
    fails(folder.path(), &["--class-path", "none.jar"], 1, &["--class-path", "none.jar"]);
    fs::write(folder.path().join("bad.jar"), b"nothing").unwrap();
    fails(folder.path(), &["--class-path", "bad.jar"], 1, &["bad.jar"]);
    let says = ["--target Srot matches no class; the class path has Machine, Sort"];
    fails(folder.path(), &["--class-path", "classes", "--target", "Srot"], 1, &says);
    fails(folder.path(), &["--class-path", "classes", "--target", "Sort", "--target", "Srot"], 1, &says);
}

/// The lines of a class on which calls change objects.
fn modifiers(document: &Value, class: &str) -> std::collections::BTreeSet<u64> {
    let inter = document["inter"].as_array().unwrap();
    let class = inter.iter().find(|entry| entry["class"] == class).unwrap();
    let modifiers = class["duas"].as_array().unwrap().iter().filter(|dua| dua["modifier"] == true);
    modifiers.map(|dua| dua["def"]["line"].as_u64().unwrap()).collect()
}

#[test]
fn calls_that_change_an_object_of_another_class_or_of_the_jdk_define_its_reference() {
    let folder = compile(&[JUDGED]);
    let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(JUDGED)).unwrap();
    let body = source.lines().zip(1u64..).skip_while(|(line, _)| !line.contains("public int boxes"));
    let expected: std::collections::BTreeSet<u64> =
        body.filter(|(line, _)| line.contains("changes")).map(|(_, number)| number).collect();
    assert!(expected.len() > 8);
    for home in java_homes() {
        let args = ["--class-path", "classes", "--target", "Judged", "--java-home", home.to_str().unwrap()];
        let output = run(folder.path(), &args);
        assert!(output.status.success() && output.stderr.is_empty(), "{}", stderr(&output));
        assert_eq!(modifiers(&document(&output.stdout), "Judged"), expected, "{}", home.display());
    }
}

#[test]
fn without_a_jdk_its_methods_count_as_changing_their_objects_and_that_is_said() {
    let folder = compile(&[JUDGED]);
    let args = ["dua", "--class-path", "classes", "--target", "Judged"];
    let output = dynaflow(folder.path()).args(args).env("PATH", folder.path()).output().unwrap();
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("no JDK found") && said.contains("--no-inter"), "{said}");
    let names = modifiers(&document(&output.stdout), "Judged").len();
    let quiet =
        dynaflow(folder.path()).args(args).arg("--no-inter").env("PATH", folder.path()).output().unwrap();
    assert!(quiet.status.success() && quiet.stderr.is_empty(), "{}", stderr(&quiet));
    let with = run(folder.path(), &args[1..]);
    assert!(names > modifiers(&document(&with.stdout), "Judged").len(), "fewer are known to be harmless");
    fails(folder.path(), &[&args[1..], &["--java-home", "nowhere"]].concat(), 1, &["--java-home", "nowhere"]);
}
