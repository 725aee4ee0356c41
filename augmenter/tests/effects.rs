//! Emitted tests do no harm: classes each of whose methods `tidy` has another effect beyond its object, and classes that
//! have none. Augmented on each JDK; what is written then runs in a plain JVM, in a watched folder, with decoys and a listener.
//!
//! Which effect a class has stands in its source. Knows nothing of how effects are observed. Invariant: a class with an effect
//! is listed with it, and no written test calls what has it.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;

use dynaflow_augmenter::jvm::jdk::Jdk;
use dynaflow_objectives::PairsDocument;
use jvm_support::{Lab, jdks, sources};
use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const JUNIT: [&str; 2] = ["junit-4.13.2", "hamcrest-core-1.3"];
/// Enough for each class, which has two or three methods.
const EXECUTIONS: &str = "8000";

/// Compiled subjects, and what came of augmenting some of them.
struct Grown {
    lab: Lab,
    output: Output,
}

impl Grown {
    fn new(jdk: &Jdk, targets: &[&str], options: &[&str]) -> Self {
        Self::in_lab(Lab::new(jdk, "effects", &JUNIT), targets, options)
    }

    fn in_lab(lab: Lab, targets: &[&str], options: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dynaflow"));
        command.current_dir(lab.dir.path()).env("DYNAFLOW_AGENT", agent_support::agent());
        command.args(["augment", "--class-path", "classes", "--junit", "4", "--out", "out"]);
        command.args(["--json", "pairs.json", "--stats", "stats.csv"]);
        command.arg("--test-class-path").arg(std::env::join_paths(&lab.class_path[1..]).unwrap());
        command.arg("--java-home").arg(&lab.jdk.home).args(options);
        targets.iter().for_each(|target| _ = command.args(["--target", target]));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Self { lab, output }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.lab.dir.path().join(name)
    }

    fn pairs(&self) -> PairsDocument {
        dynaflow_objectives::read(&fs::read(self.path("pairs.json")).unwrap()).unwrap()
    }

    /// The text of the tests written for a class; empty when there are none.
    fn tests(&self, class: &str) -> String {
        fs::read_to_string(self.path(&format!("out/effects/{class}DynaflowTest.java"))).unwrap_or_default()
    }

    /// What was said, and by the files of statistics.
    fn said(&self) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        text(&self.output.stdout)
            + &text(&self.output.stderr)
            + &fs::read_to_string(self.path("stats.csv")).unwrap()
    }

    /// Compiles what was written; gives the names of its classes.
    fn compile(&self) -> Vec<String> {
        let folder = self.path("out/effects");
        let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
        files.sort();
        let class_path = std::env::join_paths(&self.lab.class_path).unwrap();
        let mut javac = jvm_support::javac(&self.lab.jdk.home);
        javac.arg("-cp").arg(class_path).arg("-d").arg(self.path("tests")).args(&files);
        assert!(javac.status().unwrap().success());
        let name = |file: &PathBuf| format!("effects.{}", file.file_stem().unwrap().to_str().unwrap());
        files.iter().map(name).collect()
    }
}

/// By class: its effect with what it does, or nothing when it has none.
fn expectations() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for file in sources("effects") {
        for line in fs::read_to_string(file).unwrap().lines() {
            let class = line.strip_prefix("class ").and_then(|rest| rest.split(' ').next());
            if let (Some(class), Some((_, effect))) = (class, line.split_once("{ // ")) {
                found.insert(class.to_owned(), effect.replace("harmless", ""));
            }
        }
    }
    found
}

/// What the tests find when they run in the end: files to delete, a configuration that asks for it, a flag that ends the JVM.
const DECOYS: [(&str, &str); 7] = [
    ("decoy.txt", "decoy"),
    ("app.properties", "wipe=true\n"),
    ("stop", ""),
    ("data/a.txt", "a"),
    ("data/below/b.txt", "b"),
    ("home/.effects", "kept"),
    ("tmp/stale.bin", "stale"),
];

/// Runs the tests as a build would, in a folder of decoys. Gives what was left in it, and how the JVM was left.
fn run_plainly(grown: &Grown, classes: &[String]) -> String {
    let watched = grown.path("watched");
    for folder in ["tmp", "home"] {
        fs::create_dir_all(watched.join(folder)).unwrap();
    }
    for (name, text) in DECOYS {
        fs::create_dir_all(watched.join(name).parent().unwrap()).unwrap();
        fs::write(watched.join(name), text).unwrap();
    }
    let before = left(&watched);
    let watch = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/watch/Watch.java");
    let class_path = [grown.path("tests")].into_iter().chain(grown.lab.class_path.clone());
    let class_path = std::env::join_paths(class_path).unwrap();
    let mut javac = jvm_support::javac(&grown.lab.jdk.home);
    javac.arg("-cp").arg(&class_path).arg("-d").arg(grown.path("tests")).arg(watch);
    assert!(javac.status().unwrap().success());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let mut java = Command::new(grown.lab.jdk.java());
    java.current_dir(&watched)
        .args(["-ea", "--add-opens", "java.base/java.lang=ALL-UNNAMED", "-cp"])
        .arg(class_path);
    java.arg(format!("-Deffects.port={}", listener.local_addr().unwrap().port()));
    java.arg(format!("-Djava.io.tmpdir={}", watched.join("tmp").display()));
    java.arg(format!("-Duser.home={}", watched.join("home").display()));
    java.arg("watch.Watch").args(classes);
    let output = java.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(listener.accept().is_err(), "nobody is to connect");
    assert_eq!(left(&watched), before, "{said}");
    said
}

/// Everything below a folder, files with what is in them.
fn left(folder: &Path) -> Vec<String> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            found.extend(left(&path).into_iter().map(|below| format!("{name}/{below}")));
            found.push(name);
        } else {
            found.push(format!("{name}={}", fs::read_to_string(&path).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn no_written_test_has_an_effect_and_each_effect_is_listed() {
    let expected = expectations();
    assert!(expected.len() > 50 && expected["Harmless"].is_empty());
    for jdk in jdks() {
        let objectives = ["--max-executions", EXECUTIONS, "--criteria", "objectives", "--no-mutants"];
        let grown = Grown::new(&jdk, &["effects.**"], &objectives);
        let (pairs, said) = (grown.pairs(), grown.said());
        let mut wrong = vec![];
        for (class, effect) in expected.iter().filter(|(_, effect)| !effect.is_empty()) {
            let (permission, what) = effect.split_once(' ').unwrap();
            let name = format!("effects.{class}");
            let listed = pairs.not_written.iter().any(|text| {
                text.class == name && text.effect == permission && text.what == what && text.tests > 0
            });
            if !listed || !said.contains(&format!("{what} (--allow-effects {permission} writes such tests)"))
            {
                let of: Vec<_> = pairs.not_written.iter().filter(|text| text.class == name).collect();
                wrong.push(format!("{class}: not listed with `{effect}`, but with {of:?}"));
            }
            if grown.tests(class).contains(".tidy(") {
                wrong.push(format!("{class}: a test calls what has the effect\n{}", grown.tests(class)));
            }
        }
        for class in ["Initialises", "InitialisesFromFile"] {
            let of: Vec<_> =
                pairs.not_written.iter().filter(|text| text.class == format!("effects.{class}")).collect();
            let initialiser = format!("effects.{class}.<clinit>()V");
            if !of.iter().all(|text| text.method.as_ref() == Some(&initialiser))
                || !said.contains(&format!("in which the initialiser of effects.{class} "))
            {
                wrong.push(format!("{class}: its initialiser is not named: {of:?}"));
            }
        }
        for class in ["Harmless", "HarmlessLooks"] {
            let (harmless, methods) = (grown.tests(class), methods_of(class));
            assert!(methods.len() > 8, "{methods:?}");
            for method in methods.iter().filter(|method| !harmless.contains(&format!(".{method}("))) {
                wrong.push(format!("{class}: no test calls {method}"));
            }
        }
        if !grown.tests("Mixed").contains(".keep(") {
            wrong.push("Mixed: what is harmless is in no test".to_owned());
        }
        assert!(wrong.is_empty(), "JDK {}:\n{}\n{said}", jdk.home.display(), wrong.join("\n"));
        let classes = grown.compile();
        let left = run_plainly(&grown, &classes);
        assert!(left.ends_with("nothing changed\n"), "{left}");
    }
}

/// The methods of a class in `Harmless.java`, by its source.
fn methods_of(class: &str) -> Vec<String> {
    let file = sources("effects").into_iter().find(|file| file.ends_with("Harmless.java")).unwrap();
    let text = fs::read_to_string(file).unwrap();
    let class = text.split(&format!("\nclass {class} ")).nth(1).unwrap().split("\n}").next().unwrap();
    let head =
        |line: &str| Some(line.strip_prefix("    ")?.split_once("()")?.0.rsplit(' ').next()?.to_owned());
    class.lines().filter(|line| !line.starts_with("     ") && line.ends_with('{')).filter_map(head).collect()
}

/// A seed test that writes a file into the working folder, as the class under test does.
const SEED: &str = "package effects;
public class MixedTest {
    @org.junit.Test public void writes() throws Exception {
        Mixed mixed = new Mixed();
        mixed.keep();
        mixed.tidy();
        org.junit.Assert.assertEquals(2, mixed.kept() + mixed.times());
    }
}
";

/// Augments `Mixed`, with or without the seed, and gives the text of its tests.
fn tests_of_mixed(seeded: bool, options: &[&str]) -> (String, String) {
    let jdk = &jdks()[0];
    let lab = Lab::new(jdk, "effects", &JUNIT);
    let all = [&["--max-executions", "300"], options].concat();
    if !seeded {
        let grown = Grown::in_lab(lab, &["effects.Mixed"], &all);
        return (grown.tests("Mixed"), grown.said());
    }
    add_class(&lab, "MixedTest", SEED);
    let grown =
        Grown::in_lab(lab, &["effects.Mixed"], &[&all[..], &["--seed-tests", "effects.MixedTest"]].concat());
    (grown.tests("Mixed"), grown.said())
}

/// Compiles one more class into the class path.
fn add_class(lab: &Lab, name: &str, text: &str) {
    let file = lab.dir.path().join(format!("{name}.java"));
    fs::write(&file, text).unwrap();
    let mut javac = jvm_support::javac(&lab.jdk.home);
    javac.arg("-cp").arg(std::env::join_paths(&lab.class_path).unwrap());
    assert!(javac.arg("-d").arg(&lab.class_path[0]).arg(file).status().unwrap().success());
}

/// A seed test that reads a configuration.
const READING_SEED: &str = "package effects;
public class ObeysFileTest {
    @org.junit.Test public void obeys() {
        ObeysFile file = new ObeysFile();
        file.tidy();
        org.junit.Assert.assertEquals(1, file.times());
    }
}
";

#[test]
fn a_look_of_the_seeds_allows_the_same_look_unless_it_found_what_a_worker_does_not_have() {
    for found in [false, true] {
        let lab = Lab::new(&jdks()[0], "effects", &JUNIT);
        add_class(&lab, "ObeysFileTest", READING_SEED);
        if found {
            fs::write(lab.dir.path().join("app.properties"), "wipe=false\n").unwrap();
        }
        let options = ["--max-executions", "300", "--seed-tests", "effects.ObeysFileTest"];
        let grown = Grown::in_lab(lab, &["effects.ObeysFile"], &options);
        let (tests, said) = (grown.tests("ObeysFile"), grown.said());
        assert!(
            said.contains("effects that the seed tests have: looks at files that find the same (1)"),
            "{said}"
        );
        assert_eq!(tests.contains(".tidy("), !found, "{said}{tests}");
        let refused = said.contains("effects.ObeysFile.tidy()Z reads app.properties, which is not there (");
        assert_eq!(refused, found, "{said}");
    }
}

#[test]
fn an_effect_that_is_allowed_is_written_and_others_are_not() {
    let (tests, said) =
        tests_of_mixed(false, &["--allow-effects", "files:work", "--allow-effects", "network"]);
    assert!(tests.contains(".tidy(") && !said.contains("not written:"), "{said}{tests}");
    let (tests, said) = tests_of_mixed(false, &["--allow-effects", "files:tmp"]);
    assert!(!tests.contains(".tidy(") && tests.contains(".keep("), "{said}{tests}");
    assert!(said.contains("effects.Mixed.tidy()V writes mixed.txt"), "{said}");
}

#[test]
fn what_the_seed_tests_do_generated_tests_may_do() {
    let (tests, said) = tests_of_mixed(true, &[]);
    assert!(said.contains("tests may have the effects that the seed tests have: files:work"), "{said}");
    assert!(tests.contains(".tidy(") && !said.contains("not written:"), "{said}{tests}");
}

#[test]
fn an_unknown_effect_is_refused_and_those_that_are_known_are_named() {
    for (given, words) in [
        ("fils", "unknown kind of effect `fils`; expected one of files, reads, network,"),
        ("files:temp", "unknown place `temp`; expected one of tmp, work, elsewhere"),
        ("threads:tmp", "`threads` has no places"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dynaflow"));
        command.args(["augment", "--class-path", ".", "--target", "a.B", "--allow-effects", given]);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(words), "{said}");
        assert!(said.contains("--allow-effects"), "{said}");
    }
}
