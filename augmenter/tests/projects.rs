//! Projects as they are: libraries beside the project's classes, class paths as build tools print them, second runs, seeds that cannot
//! be rebuilt, targets without state. What is chosen and what is left out is reported, and nothing that is there is lost.
//!
//! Knows nothing of the search. Invariant: every project here is made for the test, and small.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod jvm_support;

use jvm_support::{jar, jdk_in_turn, jdks};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

const DOOR: &str = "package demo;
public class Door {
    private boolean open;
    private final lib.Hinge hinge = new lib.Hinge();
    public void unlock() { open = true; hinge.turn(); }
    public boolean pass() { return open; }
    public int load(java.sql.ResultSet rows) { return open ? 1 : 2; }
}
";

const HINGE: &str = "package lib;
public class Hinge {
    private int turns;
    public void turn() { turns++; }
}
";

const DOOR_TEST: &str = "package demo;
public class DoorTest {
    @org.junit.Test public void unlocks() { new Door().unlock(); }
    @org.junit.Test public void stops() { org.junit.Assert.assertFalse(new Door().pass()); }
}
";

const DOOR_TEST_5: &str = "package demo;
class DoorTest {
    @org.junit.jupiter.api.Test void unlocks() { new Door().unlock(); }
    @org.junit.jupiter.api.Test void stops() { new Door().pass(); }
}
";

/// What Maven prints for a project with `junit-jupiter`: no launcher.
const PRINTED_5: &[(&str, &str, &str)] = &[
    ("org/junit/jupiter", "junit-jupiter-api", "5.11.4"),
    ("org/junit/jupiter", "junit-jupiter-engine", "5.11.4"),
    ("org/junit/platform", "junit-platform-commons", "1.11.4"),
    ("org/junit/platform", "junit-platform-engine", "1.11.4"),
    ("org/opentest4j", "opentest4j", "1.3.0"),
    ("org/apiguardian", "apiguardian-api", "1.1.2"),
];

/// A program in the folder `classes`, its library in `lib.jar`, its tests in `tests`.
struct Project {
    home: PathBuf,
    folder: TempDir,
    libraries: Vec<PathBuf>,
}

impl Project {
    fn junit4(home: &Path) -> Self {
        Self::new(home, vec![jar("junit-4.13.2"), jar("hamcrest-core-1.3")], DOOR_TEST)
    }

    fn new(home: &Path, libraries: Vec<PathBuf>, test: &str) -> Self {
        let project = Self { home: home.to_owned(), folder: tempfile::tempdir().unwrap(), libraries };
        project.javac("hinge", &[("Hinge", HINGE)]);
        let status = Command::new(home.join("bin/jar"))
            .current_dir(project.path())
            .args(["cf", "lib.jar", "-C", "hinge", "."])
            .status();
        assert!(status.unwrap().success());
        fs::remove_dir_all(project.path().join("hinge")).unwrap();
        project.javac("classes", &[("Door", DOOR)]);
        project.javac("tests", &[("DoorTest", test)]);
        project
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn test_class_path(&self) -> String {
        let paths = [PathBuf::from("tests")].into_iter().chain(self.libraries.iter().cloned());
        std::env::join_paths(paths).unwrap().into_string().unwrap()
    }

    fn class_path(&self) -> String {
        format!("classes:lib.jar:{}", self.test_class_path())
    }

    fn javac(&self, out: &str, sources: &[(&str, &str)]) {
        let mut javac = jvm_support::javac(&self.home);
        javac.current_dir(self.path()).args(["-g", "-d", out, "-cp"]).arg(self.class_path());
        for (name, text) in sources {
            fs::write(self.path().join(format!("{name}.java")), text).unwrap();
            javac.arg(format!("{name}.java"));
        }
        assert!(javac.status().unwrap().success());
    }

    fn dynaflow(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dynaflow"));
        command
            .current_dir(self.path())
            .env("DYNAFLOW_AGENT", agent_support::agent())
            .env("JAVA_HOME", &self.home)
            .args(arguments)
            .output()
            .unwrap()
    }

    fn augment_with(&self, arguments: &[&str]) -> Output {
        let tests = self.test_class_path();
        let usual = ["augment", "--class-path", "classes:lib.jar", "--test-class-path", &tests];
        let out = if arguments.contains(&"--out") { &[][..] } else { &["--out", "out"] };
        let budget =
            if arguments.contains(&"--max-executions") { &[][..] } else { &["--max-executions", "300"] };
        let files = ["--json", "pairs.json", "--version", "1", "--stats", "stats.csv"];
        let rest = [&["--target", "demo.*"], &files[..], out, budget].concat();
        self.dynaflow(&[&usual[..], &rest, arguments].concat())
    }

    /// Augments from the seed test; it succeeds and says all of these.
    fn augment(&self, arguments: &[&str], words: &[&str]) -> String {
        says(&self.augment_with(&[&["--seed-tests", "demo.DoorTest"], arguments].concat()), 0, words)
    }

    fn pairs(&self) -> Value {
        serde_json::from_slice(&fs::read(self.path().join("pairs.json")).unwrap()).unwrap()
    }

    fn recorded(&self) -> Vec<String> {
        names(&self.pairs())
    }

    /// All that stands below a folder, by path.
    fn written(&self, folder: &str) -> BTreeMap<String, String> {
        let (root, mut files) = (self.path().join(folder), BTreeMap::new());
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&root).unwrap().display().to_string();
                    files.insert(name, fs::read_to_string(&path).unwrap());
                }
            }
        }
        files
    }

    /// The generated files of the package, relative to `out`.
    fn generated(&self) -> Vec<String> {
        let folder = fs::read_dir(self.path().join("out/demo")).into_iter().flatten();
        let mut names: Vec<String> =
            folder.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path().join(file)).unwrap()
    }
}

fn names(document: &Value) -> Vec<String> {
    let classes = document["classes"].as_array().unwrap().iter();
    classes.map(|class| class["class"].as_str().unwrap().to_owned()).collect()
}

fn says(output: &Output, code: i32, words: &[&str]) -> String {
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{text}");
    words.iter().for_each(|word| assert!(text.contains(word), "`{word}` is missing: {text}"));
    text
}

/// Copies of what Maven prints, in the folders of its repository.
fn repository(folder: &Path, artifacts: &[(&str, &str, &str)]) -> Vec<PathBuf> {
    let copy = |(group, artifact, version): &(&str, &str, &str)| {
        let file = format!("{artifact}-{version}");
        let to = folder.join(group).join(artifact).join(version).join(format!("{file}.jar"));
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(jar(&file), &to).unwrap();
        to
    };
    artifacts.iter().map(copy).collect()
}

#[test]
fn the_agent_records_what_stands_in_folders_and_announces_it() {
    for jdk in jdk_in_turn(0) {
        let project = Project::junit4(&jdk.home);
        let java = jdk.home.join("bin/java").display().to_string();
        let run = ["org.junit.runner.JUnitCore", "demo.DoorTest"];
        let class_path = project.class_path();
        // Surefire's way to pass a long class path.
        let urls: Vec<String> = class_path
            .split(':')
            .map(|entry| project.path().join(entry))
            .map(|path| format!("file:{}{}", path.display(), if path.is_dir() { "/" } else { "" }))
            .collect();
        let manifest = format!("Class-Path: {}\n", urls.join("\n  "));
        fs::write(project.path().join("manifest"), manifest).unwrap();
        let status = Command::new(jdk.home.join("bin/jar"))
            .current_dir(project.path())
            .args(["cfm", "booter.jar", "manifest"])
            .status();
        assert!(status.unwrap().success());
        for (out, class_path) in [("plain", class_path.as_str()), ("booted", "booter.jar")] {
            let arguments = [&["run", "--out", out, "--", &java, "-cp", class_path], &run[..]].concat();
            let words = ["the classes of 1 packages are recorded, those in", "include= selects others"];
            says(&project.dynaflow(&arguments), 0, &words);
            let exported = project.dynaflow(&["export", "--version", "1", out]);
            let document: Value = serde_json::from_slice(&exported.stdout).unwrap();
            assert_eq!(names(&document), ["demo.Door", "demo.DoorTest"], "{out}");
        }
    }
}

#[test]
fn where_there_are_only_jars_all_but_the_defaults_is_recorded() {
    let project = Project::junit4(&jdks()[0].home);
    for folder in ["classes", "tests"] {
        let status = Command::new(project.home.join("bin/jar"))
            .current_dir(project.path())
            .args(["cf", &format!("{folder}.jar"), "-C", folder, "."])
            .status();
        assert!(status.unwrap().success());
    }
    let java = project.home.join("bin/java").display().to_string();
    let class_path = project.class_path().replace("classes:", "classes.jar:").replace("tests:", "tests.jar:");
    let run = ["-cp", &class_path, "org.junit.runner.JUnitCore", "demo.DoorTest"];
    let words = ["the class path has no folder with classes"];
    says(&project.dynaflow(&[&["run", "--", &java], &run[..]].concat()), 0, &words);
    let document: Value =
        serde_json::from_slice(&project.dynaflow(&["export", "--version", "1", "dynaflow-traces"]).stdout)
            .unwrap();
    assert_eq!(names(&document), ["demo.Door", "demo.DoorTest", "lib.Hinge"]);
}

#[test]
fn augment_records_the_projects_own_classes_unless_include_selects_others() {
    let project = Project::junit4(&jdks()[0].home);
    project.augment(&[], &["recording the classes of 1 packages, those in classes, tests; --include"]);
    assert!(project.recorded().contains(&"demo.Door".to_owned()));
    assert!(!project.recorded().contains(&"lib.Hinge".to_owned()), "{:?}", project.recorded());
    let text = project.read("out/demo/DoorDynaflowTest.java");
    assert!(text.contains("door.unlock();") && text.contains("door.pass()"), "{text}");
    project.augment(
        &["--out", "more", "--include", "demo.Door:lib.**"],
        &["--include selects: demo.Door, lib.**"],
    );
    assert!(project.recorded().contains(&"lib.Hinge".to_owned()), "{:?}", project.recorded());
    assert!(project.recorded().contains(&"demo.DoorTest".to_owned()), "or tests would belong to nobody");
}

#[test]
fn patterns_that_select_nothing_are_refused_before_anything_runs() {
    let project = Project::junit4(&jdks()[0].home);
    for (arguments, words) in [
        (["--include", "demmo.**"], "--include demmo.**: no class of the class path has this name"),
        (["--exclude", "no.such.*"], "--exclude no.such.*: no class of the class path has this name"),
        (["--include", "lib.**"], "leave out every class that --target selects"),
        (["--exclude", "demo.Door"], "leave out every class that --target selects"),
        (["--include", "demo.*,lib.*"], "it has a character that no class name has"),
    ] {
        let target = ["--target", "demo.Door"];
        let tests = project.test_class_path();
        let usual = ["augment", "--class-path", "classes:lib.jar", "--test-class-path", &tests];
        let text = says(&project.dynaflow(&[&usual, &target[..], &arguments[..]].concat()), 2, &[words]);
        assert!(!text.contains("recording the seed suite"), "{text}");
    }
    let both = ["--seed-tests", "demo.DoorTest", "--traces", "traces"];
    says(&project.augment_with(&both), 2, &["--traces", "cannot be used with"]);
}

#[test]
fn traces_made_before_stand_for_the_seed_suite() {
    let project = Project::junit4(&jdks()[0].home);
    let java = project.home.join("bin/java").display().to_string();
    let class_path = project.class_path();
    let run = ["--", &java, "-cp", &class_path, "org.junit.runner.JUnitCore", "demo.DoorTest"];
    says(&project.dynaflow(&[&["run", "--carve", "--out", "carved"], &run[..]].concat()), 0, &[]);
    says(&project.dynaflow(&[&["run", "--out", "plain"], &run[..]].concat()), 0, &[]);
    let text = says(&project.augment_with(&["--traces", "carved"]), 0, &["seed suite: 2 tests"]);
    assert!(!text.contains("recording the seed suite"), "{text}");
    assert!(project.read("out/demo/DoorDynaflowTest.java").contains("unlock_thenPass_returnsTrue"));
    let words = ["the tests' calls were not recorded", "dynaflow run --carve"];
    says(&project.augment_with(&["--traces", "plain", "--out", "second"]), 1, &words);
    project.javac("classes", &[("Door", &DOOR.replace("? 1 : 2", "? 3 : 4"))]);
    let words = ["demo.Door was another build when they were recorded"];
    let text = says(&project.augment_with(&["--traces", "carved", "--out", "third"]), 1, &words);
    assert!(!text.contains("starting workers"), "{text}");
}

#[test]
fn the_launcher_that_maven_leaves_out_is_found_in_its_repository_or_named() {
    for jdk in jdk_in_turn(1) {
        let folder = tempfile::tempdir().unwrap();
        let jars = repository(folder.path(), PRINTED_5);
        let project = Project::new(&jdk.home, jars, DOOR_TEST_5);
        let seeds = ["--seed-tests", "demo.DoorTest"];
        let words = [
            "add org.junit.platform:junit-platform-launcher:1.11.4 to --test-class-path",
            "mvn dependency:get",
        ];
        let text = says(&project.augment_with(&seeds), 1, &words);
        assert!(!text.contains("looking for seed tests"), "{text}");
        repository(folder.path(), &[("org/junit/platform", "junit-platform-launcher", "1.11.4")]);
        project.augment(&[], &["junit-platform-launcher-1.11.4.jar", "seed suite: 2 tests, 0 of them"]);
        assert!(project.read("out/demo/DoorDynaflowTest.java").contains("door.pass()"));
    }
}

#[test]
fn seeds_that_cannot_be_rebuilt_are_not_worse_than_none() {
    let project = Project::junit4(&jdks()[0].home);
    // The test gets its object where no call of its own made it.
    let opaque = "package demo;
public class DoorTest {
    @org.junit.Test public void opaque() throws Exception {
        Object door = Class.forName(\"demo.Door\").getConstructor().newInstance();
        Class.forName(\"demo.Door\").getMethod(\"unlock\").invoke(door);
    }
}
";
    project.javac("tests", &[("DoorTest", opaque)]);
    project.augment(&[], &["seed suite: 1 tests", "the search starts from scratch"]);
    assert!(!project.generated().is_empty(), "tests are written all the same");
    assert!(project.read("out/demo/DoorDynaflowTest.java").contains("pass"));
}

#[test]
fn seeds_that_use_no_target_are_not_worse_than_none_and_seeds_that_do_not_run_are_an_error() {
    let project = Project::junit4(&jdks()[0].home);
    let idle = "package demo; public class DoorTest { @org.junit.Test public void idle() { new Object(); } }";
    project.javac("tests", &[("DoorTest", idle)]);
    project.augment(&[], &["starts from scratch"]);
    assert!(!project.generated().is_empty());
    let broken = "package demo; public class DoorTest {
        static { if (true) throw new IllegalStateException(\"never there\"); }
        public DoorTest(int parameter) { }
        @org.junit.Test public void never() { } }";
    project.javac("tests", &[("DoorTest", broken)]);
    let output = project.augment_with(&["--seed-tests", "demo.DoorTest", "--out", "second"]);
    says(&output, 1, &["1 of them failed (demo.DoorTest", "and none was recorded", "from scratch"]);
}

/// A door with further state, which the tests of the first run know nothing of.
fn grown(fields: &str) -> String {
    DOOR.replace("public int load", &format!("{fields} public int load"))
}

const KNOCKS: &str =
    "private int knocks; public void knock() { knocks++; } public int heard() { return knocks; }";
const RINGS: &str = "private int rings; public void ring() { rings++; } public int rung() { return rings; }";

/// The bodies of the test methods, by name.
fn methods(text: &str) -> BTreeMap<String, String> {
    let body = text.split_once(" {\n").map_or("", |(_, body)| body);
    let bodies = body.split("    @Test\n").skip(1);
    bodies
        .map(|body| {
            (
                body.split(['(']).next().unwrap().rsplit(' ').next().unwrap().to_owned(),
                body.split("\n    }\n").next().unwrap().to_owned(),
            )
        })
        .collect()
}

/// The covered pairs, each with the tests that cover it. Ids would not do: they depend on the builds of the classes.
fn covered(document: &Value) -> BTreeMap<String, Vec<String>> {
    let pairs = document["pairs"].as_array().unwrap().iter().filter(|p| p["status"] == "covered");
    let names = |pair: &Value| {
        pair["tests"].as_array().unwrap().iter().map(|t| t.as_str().unwrap().to_owned()).collect()
    };
    let key = |pair: &Value| {
        format!("{} {} {}", pair["variable"], pair["definition"]["context"], pair["use"]["context"])
    };
    pairs.map(|pair| (key(pair), names(pair))).collect()
}

#[test]
fn a_second_run_extends_what_the_first_wrote_and_loses_no_pair() {
    for jdk in jdk_in_turn(0) {
        let project = Project::junit4(&jdk.home);
        says(&project.augment_with(&[]), 0, &["no seed tests: starting from scratch"]);
        let (first, text) = (project.generated(), project.read("out/demo/DoorDynaflowTest.java"));
        assert_eq!(first, ["DoorDynaflowTest.java"]);
        let before = covered(&project.pairs());
        project.javac("classes", &[("Door", &grown(KNOCKS))]);
        let words =
            ["were written by an earlier run and count as seeds", "extended out/demo/DoorDynaflowTest.java"];
        says(&project.augment_with(&[]), 0, &words);
        assert_eq!(project.generated(), first, "in place");
        let second = project.read("out/demo/DoorDynaflowTest.java");
        let (old, new) = (methods(&text), methods(&second));
        assert!(new.len() > old.len() && second.contains("knock()"), "{second}");
        for (name, body) in old.iter().filter(|(name, _)| new.contains_key(*name)) {
            assert_eq!(new[name], *body, "as it was");
        }
        let after = covered(&project.pairs());
        let is_there = |id: &String| {
            after.get(id).is_some_and(|tests| tests.iter().any(|t| t.starts_with("demo.DoorDynaflowTest#")))
        };
        assert!(before.keys().all(is_there), "{before:#?} {after:#?}");
        let named = |name: &str| name.split_once('#').is_some_and(|(_, method)| new.contains_key(method));
        assert!(after.values().flatten().all(|test| named(test)), "only tests that are there: {after:#?}");
    }
}

#[test]
fn a_run_that_finds_nothing_new_changes_no_byte() {
    let project = Project::junit4(&jdks()[0].home);
    project.augment(&[], &[]);
    project.javac("classes", &[("Door", &grown(KNOCKS))]);
    let more = "@org.junit.Test public void knocks() { new Door().knock(); }
        @org.junit.Test public void hears() { new Door().heard(); } @org.junit.Test public void unlocks";
    let more = DOOR_TEST.replacen("@org.junit.Test public void unlocks", more, 1);
    project.javac("tests", &[("DoorTest", &more)]);
    project.augment(&[], &["extended out/demo/DoorDynaflowTest.java"]);
    let second = project.written("out");
    for seed in ["0", "9"] {
        let text = project.augment(&["--seed", seed], &["0 tests added"]);
        assert!(!text.contains("wrote") && !text.contains("extended"), "{text}");
        assert_eq!(project.written("out"), second);
    }
}

#[test]
fn a_file_that_a_formatter_went_over_grows_and_keeps_its_form() {
    let project = Project::junit4(&jdks()[0].home);
    says(&project.augment_with(&[]), 0, &[]);
    let file = project.path().join("out/demo/DoorDynaflowTest.java");
    let formatted = project
        .read("out/demo/DoorDynaflowTest.java")
        .replace("    ", "\t")
        .replace("class DoorDynaflowTest {\n", "class DoorDynaflowTest {\n\n");
    fs::write(&file, &formatted).unwrap();
    project.javac("classes", &[("Door", &grown(KNOCKS))]);
    says(&project.augment_with(&[]), 0, &["extended out/demo/DoorDynaflowTest.java"]);
    let extended = fs::read_to_string(&file).unwrap();
    let method = formatted.split("@Test").nth(1).and_then(|rest| rest.split("\n\t}").next()).unwrap();
    assert!(extended.contains(method) && extended.contains("\tdoor.knock();"), "{extended}");
}

#[test]
fn a_file_that_was_edited_is_kept_and_new_tests_stand_beside_it() {
    let project = Project::junit4(&jdks()[0].home);
    says(&project.augment_with(&[]), 0, &[]);
    let file = project.path().join("out/demo/DoorDynaflowTest.java");
    let edited =
        project.read("out/demo/DoorDynaflowTest.java").replacen("    @Test", "    // Mine.\n    @Test", 1);
    fs::write(&file, &edited).unwrap();
    project.javac("classes", &[("Door", &grown(KNOCKS))]);
    says(
        &project.augment_with(&[]),
        0,
        &[
            "1 of them are not as they were written and stay as they are",
            "wrote out/demo/Door2DynaflowTest.java",
        ],
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), edited);
    let beside = project.read("out/demo/Door2DynaflowTest.java");
    assert!(beside.contains("knock()"), "{beside}");
    // The file beside it is unedited: that is the one that grows from now on.
    project.javac("classes", &[("Door", &grown(&format!("{KNOCKS} {RINGS}")))]);
    says(&project.augment_with(&[]), 0, &["extended out/demo/Door2DynaflowTest.java"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), edited);
    assert!(project.read("out/demo/Door2DynaflowTest.java").contains("ring()"));
    assert_eq!(project.generated(), ["Door2DynaflowTest.java", "DoorDynaflowTest.java"]);
}

#[test]
fn a_file_whose_tests_do_not_hold_any_more_is_kept_and_new_tests_stand_beside_it() {
    let project = Project::junit4(&jdks()[0].home);
    says(&project.augment_with(&[]), 0, &[]);
    let first = project.read("out/demo/DoorDynaflowTest.java");
    assert!(first.contains("assertTrue(door.pass())"), "{first}");
    // Now the door is locked for good: what the first run saw is wrong.
    project.javac("classes", &[("Door", &grown(KNOCKS).replace("open = true", "open = false"))]);
    says(
        &project.augment_with(&[]),
        0,
        &["seed tests fail already", "wrote out/demo/Door2DynaflowTest.java"],
    );
    assert_eq!(project.read("out/demo/DoorDynaflowTest.java"), first);
    assert!(project.read("out/demo/Door2DynaflowTest.java").contains("knock()"));
}

#[test]
fn tests_that_a_new_one_makes_redundant_are_left_out_and_no_pair_is_lost() {
    let project = Project::junit4(&jdks()[0].home);
    // That somebody passed is only seen once the door was unlocked: the second test does what the first one does, and more.
    let source = "package demo;
public class Door {
    private boolean open;
    private boolean passed;
    public void unlock() { open = true; }
    public boolean pass() { if (open) { passed = true; } return open; }
    public boolean passed() { return passed; }
}
";
    let more =
        "@org.junit.Test public void asks() { new Door().passed(); } @org.junit.Test public void unlocks";
    let test = DOOR_TEST.replacen("@org.junit.Test public void unlocks", more, 1);
    project.javac("classes", &[("Door", source)]);
    project.javac("tests", &[("DoorTest", &test)]);
    // For mutants the first test would assert what the second is to add.
    project.augment(&["--max-iterations", "1", "--no-mutants"], &[]);
    let first = methods(&project.read("out/demo/DoorDynaflowTest.java"));
    assert_eq!(first.keys().collect::<Vec<_>>(), ["unlock_thenPass_returnsTrue"]);
    let before = covered(&project.pairs());
    let words = ["extended out/demo/DoorDynaflowTest.java", "1 tests of earlier runs were left out"];
    project.augment(&["--no-mutants"], &words);
    let second = methods(&project.read("out/demo/DoorDynaflowTest.java"));
    assert_eq!(second.keys().collect::<Vec<_>>(), ["pass_thenPassed_returnsTrue"]);
    let after = covered(&project.pairs());
    assert!(before.keys().all(|id| after.contains_key(id)), "{before:#?} {after:#?}");
    assert!(
        after.values().flatten().all(|name| !name.ends_with("#unlock_thenPass_returnsTrue")),
        "{after:#?}"
    );
}

#[test]
fn findings_stand_apart_from_what_builds_compile_and_are_known_to_the_next_run() {
    for jdk in jdk_in_turn(1) {
        let project = Project::junit4(&jdk.home);
        // Whoever unlocks twice breaks it.
        let broken =
            DOOR.replace("open = true;", "if (open) { throw new AssertionError(\"jammed\"); } open = true;");
        project.javac("classes", &[("Door", &broken)]);
        project.augment(&[], &["1 findings", "wrote out/findings/demo/DoorDynaflowFailures.java"]);
        assert_eq!(
            project.generated(),
            ["DoorDynaflowTest.java"],
            "no finding where a build looks for tests"
        );
        let first = project.written("out");
        assert!(first["findings/demo/DoorDynaflowFailures.java"].starts_with("package demo;"), "{first:#?}");
        let text = project.augment(&[], &["2 test classes in out were written by an earlier run"]);
        assert!(!text.contains("seed tests fail already") && text.contains("0 findings"), "{text}");
        assert_eq!(project.written("out"), first, "nothing new");
    }
}

#[test]
fn what_a_first_run_wrote_can_be_a_seed_of_the_second() {
    let project = Project::junit4(&jdks()[0].home);
    project.augment(&[], &[]);
    let first = project.read("out/demo/DoorDynaflowTest.java");
    project.javac("tests", &[("out/demo/DoorDynaflowTest", &first)]);
    let knock = "private int knocks; public int knock() { return ++knocks; }";
    project.javac("classes", &[("Door", &grown(knock))]);
    let more =
        "@org.junit.Test public void knocks() { new Door().knock(); } @org.junit.Test public void unlocks";
    project
        .javac("tests", &[("DoorTest", &DOOR_TEST.replacen("@org.junit.Test public void unlocks", more, 1))]);
    // Into another folder: the name of a class on the class path is not taken twice.
    let seeds = ["--seed-tests", "demo.*Test"];
    says(&project.augment_with(&[&seeds[..], &["--out", "other"]].concat()), 0, &["seed suite: "]);
    assert!(project.read("other/demo/Door2DynaflowTest.java").contains("knockTwice"));
    assert!(!project.path().join("other/demo/DoorDynaflowTest.java").exists());
    // Into the folder of the first run: its file grows, whatever the class path has of it.
    says(&project.augment_with(&seeds), 0, &["extended out/demo/DoorDynaflowTest.java"]);
    let second = project.read("out/demo/DoorDynaflowTest.java");
    assert!(
        second.contains("knockTwice")
            && methods(&first).keys().all(|name| second.contains(&format!(" {name}("))),
        "{second}"
    );
}

#[test]
fn a_file_that_has_lost_our_mark_is_somebody_elses() {
    let project = Project::junit4(&jdks()[0].home);
    project.augment(&[], &[]);
    let file = project.path().join("out/demo/DoorDynaflowTest.java");
    // Whoever mentions us has not been written by us.
    let mine = "package demo; // better than those written by dynaflow\nclass DoorDynaflowTest { }\n";
    fs::write(&file, mine).unwrap();
    let output = project.augment_with(&["--seed-tests", "demo.DoorTest"]);
    let text = says(&output, 1, &["was not written by dynaflow", "--out"]);
    assert!(!text.contains("recording the seed suite"), "{text}");
    assert_eq!(fs::read_to_string(&file).unwrap(), mine);
}

#[test]
fn every_target_of_which_nothing_comes_gets_a_line_with_the_reason() {
    let project = Project::junit4(&jdks()[0].home);
    // What takes the rows reads no state, so that no test with null for them is worth anything.
    let door = DOOR.replace("open ? 1 : 2", "2");
    let sources = [
        ("Door", door.as_str()),
        ("Opener", "package demo; public interface Opener { void open(); }"),
        (
            "Base",
            "package demo; public abstract class Base { protected int n; public void add() { n++; } public int sum() { return n; } }",
        ),
        ("Leaf", "package demo; public class Leaf extends Base { }"),
        ("Bare", "package demo; public abstract class Bare { int n; public int get() { return n; } }"),
        ("Plain", "package demo; public class Plain { public int twice(int x) { return 2 * x; } }"),
        (
            "Unused",
            "package demo; public class Unused { int n; public void set() { n = 1; } public int get() { return n; } }",
        ),
    ];
    project.javac("classes", &sources);
    let test = "package demo;
public class DoorTest {
    @org.junit.Test public void all() { new Door().unlock(); Leaf l = new Leaf(); l.add(); l.sum(); new Plain().twice(3); }
}
";
    project.javac("tests", &[("DoorTest", test)]);
    let expected = [
        ("demo.Bare", "it is abstract, and no object of a subclass was used"),
        ("demo.Opener", "an interface has no state"),
        ("demo.Plain", "it was used, and no state of it was read or written"),
        ("demo.Unused", "no seed test uses it"),
    ];
    let words = ["demo.Door: public methods that no test calls", "load (no java.sql.ResultSet to be had)"];
    let text = project.augment(&[], &words);
    let (stats, document) = (project.read("stats.csv"), project.pairs());
    for (place, (class, reason)) in expected.into_iter().enumerate() {
        let says = |line: &str| line.contains(class) && line.contains(&format!(": nothing found: {reason}"));
        assert!(text.lines().any(says), "{class}: {text}");
        let row = stats.lines().find(|line| line.starts_with(&format!("{class},"))).unwrap();
        assert!(row.contains(reason), "{row}");
        let entry = &document["nothing_found"][place];
        assert!(entry["class"] == class && entry["reason"].as_str().unwrap().contains(reason), "{entry}");
    }
    assert_eq!(document["nothing_found"].as_array().unwrap().len(), expected.len());
    assert!(text.contains("demo.Base is abstract: its code is tested with objects of demo.Leaf"), "{text}");
    assert!(
        !text.contains("demo.Base: nothing")
            && !text.contains("demo.Door: nothing")
            && !text.contains("demo.Leaf: nothing"),
        "{text}"
    );
}

/// A class file that says it is of a newer Java than any.
fn make_newer(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    bytes[7] = 199;
    fs::write(file, bytes).unwrap();
}

#[test]
fn targets_that_cannot_be_loaded_or_initialised_are_listed_with_the_error_and_the_remedy() {
    let broken = [
        ("Orphan", "package demo; public class Orphan extends Parent { int n; public void add() { n++; } }"),
        ("Parent", "package demo; public class Parent { }"),
        ("Newer", "package demo; public class Newer { int n; public void add() { n++; } }"),
        (
            "Strict",
            "package demo; public class Strict {
                static final int LIMIT = limit(); int n;
                static int limit() { throw new IllegalStateException(\"no limit is set\"); }
                public void add() { n++; }
                public int sum() { return n; }
            }",
        ),
    ];
    let expected = [
        ("demo.Newer", "it cannot be loaded: java.lang.UnsupportedClassVersionError", "--java-home"),
        ("demo.Orphan", "it cannot be loaded: java.lang.NoClassDefFoundError: demo/Parent", "--class-path"),
        ("demo.Strict", "its initialiser throws java.lang.IllegalStateException: no limit is set", ""),
    ];
    for jdk in jdk_in_turn(0) {
        let project = Project::junit4(&jdk.home);
        project.javac("classes", &broken);
        fs::remove_file(project.path().join("classes/demo/Parent.class")).unwrap();
        make_newer(&project.path().join("classes/demo/Newer.class"));
        let reported = |text: &str| {
            let (stats, document) = (project.read("stats.csv"), project.pairs());
            for (place, (class, reason, remedy)) in expected.into_iter().enumerate() {
                let line = text
                    .lines()
                    .find(|line| line.contains(class) && line.contains(": nothing found: "))
                    .unwrap();
                assert!(line.contains(reason) && line.contains(remedy), "{line}");
                let row = stats.lines().find(|line| line.starts_with(&format!("{class},"))).unwrap();
                assert!(row.contains(reason), "{row}");
                let entry = &document["nothing_found"][place];
                assert!(
                    entry["class"] == class && entry["reason"].as_str().unwrap().contains(reason),
                    "{entry}"
                );
            }
        };
        // Beside a class that works it is a line each; without one there is nothing to test.
        reported(&says(&project.augment_with(&[]), 0, &["demo.Door: 0 pairs covered by the seeds"]));
        fs::remove_file(project.path().join("classes/demo/Door.class")).unwrap();
        let words = ["error: no target can be loaded and initialised"];
        reported(&says(&project.augment_with(&["--out", "alone"]), 1, &words));
    }
}

#[test]
fn what_nothing_near_makes_is_made_by_a_factory_elsewhere_by_a_subclass_or_by_what_people_pass_of_the_jdk() {
    let project = Project::junit4(&jdks()[0].home);
    let door = "package demo;
public class Door {
    private boolean open;
    private int opened;
    public void unlock(other.Key key, other.Lock lock, java.time.temporal.TemporalUnit unit, java.util.Set<String> names) {
        if (key.fits(lock) && unit.isDateBased()) { open = true; opened += names.size() + 1; }
    }
    public boolean pass() { return open; }
    public int opened() { return opened; }
}
";
    let key = "package other; public abstract class Key {
    Key() { }
    public abstract boolean fits(Lock lock);
}
";
    let keys = "package other; public final class Keys {
    private Keys() { }
    public static Key master() { return new Key() { public boolean fits(Lock lock) { return lock != null; } }; }
}
";
    let sources = [
        ("Door", door),
        ("Key", key),
        ("Keys", keys),
        ("Lock", "package other; public interface Lock { }"),
        ("Bolt", "package other; public class Bolt implements Lock { public Bolt(String name) { } }"),
    ];
    project.javac("classes", &sources);
    let test = "package demo;
public class DoorTest { @org.junit.Test public void stops() { org.junit.Assert.assertFalse(new Door().pass()); } }
";
    project.javac("tests", &[("DoorTest", test)]);
    let text = project.augment(&["--max-executions", "2000"], &["demo.Door"]);
    let written = project.read("out/demo/DoorDynaflowTest.java");
    assert!(!text.contains("to be had") && !text.contains("does not compile"), "{text}");
    let opens = ["Keys.master()", "new Bolt(", "ChronoUnit.", "assertTrue("];
    assert!(opens.iter().all(|part| written.contains(part)), "{text}\n{written}");
}

#[test]
fn a_capacity_that_ends_the_jvm_is_passed_once_for_each_place() {
    let project = Project::junit4(&jdks()[0].home);
    let door = "package demo;
public class Door {
    private final long[] rooms;
    private int used;
    public Door(int rooms) { this.rooms = new long[Math.abs(rooms)]; }
    public void enter(int limit) { if (used < limit && used < rooms.length) { rooms[used++] = limit; } }
    public boolean isFull() { return used == rooms.length; }
}
";
    project.javac("classes", &[("Door", door)]);
    let test = "package demo;
public class DoorTest { @org.junit.Test public void starts() { org.junit.Assert.assertFalse(new Door(2).isFull()); } }
";
    project.javac("tests", &[("DoorTest", test)]);
    let text = project.augment(&["--max-executions", "4000"], &["call sequences ended their JVM"]);
    let line = text.lines().find(|line| line.contains("call sequences ended their JVM")).unwrap();
    let count = line.split_whitespace().find_map(|word| word.parse::<u32>().ok()).unwrap();
    // The two batches that run when the first one ends have more, and one with a large limit beside is blamed on nobody.
    assert!(count <= 10, "{line}");
}
