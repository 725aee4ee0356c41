//! Gradle builds: `augment` in the folder of one, without class paths, and `run` in front of `gradle test`; with a Gradle that is a script here, and with the one of this machine.
//!
//! Knows nothing of the search. Invariants: what fails says what to do; without Gradle this says so, and fails where everything that the tests need was installed.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod build_support;
mod jvm_support;

use build_support::{Project, SETTINGS_TEST, junit, said};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output};

/// What a Gradle does that knows one project, `:core`.
const GRADLEW: &str = r#"#!/bin/sh
echo "$@" >> "$0.called"
for arg in "$@"; do
    case $arg in
        -Ddynaflow.answer=*) answer=${arg#-Ddynaflow.answer=} ;;
        -Ddynaflow.module=*) module=${arg#-Ddynaflow.module=} ;;
    esac
done
modules='[{"path":":","kind":"other","has_sources":false},{"path":":app","kind":"android","has_sources":false},{"path":":core","kind":"java","has_sources":true}]'
case $module in
    :core) ;;
    :app) echo "{\"modules\":$modules,\"asked\":\":app\"}" > "$answer"; exit ;;
    "") echo "{\"modules\":$modules,\"asked\":\":\"}" > "$answer"; exit ;;
    *) echo "{\"modules\":$modules}" > "$answer"; exit ;;
esac
cd core || exit 1
mkdir -p build/main build/test
"$JAVA_HOME/bin/javac" -g -d build/main $(find src/main -name '*.java') || exit 1
"$JAVA_HOME/bin/javac" -g -cp "build/main:JARS" -d build/test $(find src/test -name '*.java') || exit 1
jars=$(echo JARS | sed 's|:|","|g')
cat > "$answer" <<END
{"modules":$modules,"asked":":core","module":{"folder":"$PWD","made":"$PWD/build","classes":["$PWD/build/main"],"tests":["$PWD/build/test"],
"class_path":["$PWD/build/test","$PWD/build/main","$jars"],"sources":["$PWD/src/test/java"],"working_folder":"$PWD","java_home":null,
"arguments":["-Ddemo.option=yes","-Ddemo.property=one two"],"environment":{"DEMO_VARIABLE":"bar"},"formatters":[]}}
END
"#;

/// A build that a script pretends to be Gradle for.
fn scripted() -> Project {
    let project = Project::new("core");
    project.write("settings.gradle.kts", "include(\":core\")");
    project.write("core/src/test/java/demo/SettingsTest.java", SETTINGS_TEST);
    project.write_program("gradlew", &GRADLEW.replace("JARS", &junit()));
    project
}

#[test]
fn gradle_says_what_is_needed_and_tests_run_with_its_settings() {
    let project = scripted();
    let output =
        project.augment(project.folder.path(), &["--module", ":core", "--build-arg", "-Pname=value"]);
    let said = said(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("seed suite: 3 tests") && !said.contains("fail already"), "{said}");
    assert!(project.path("core/build/dynaflow/tests/demo/CounterDynaflowTest.java").is_file(), "{said}");
    let called = fs::read_to_string(project.path("gradlew.called")).unwrap();
    assert!(called.contains("--init-script") && called.contains("-Pname=value :dynaflowAsk"), "{called}");
    assert!(called.contains("-Dorg.gradle.configuration-cache=false"), "{called}");
}

#[test]
fn where_the_wrapper_fails_another_program_can_be_named() {
    let project = scripted();
    fs::rename(project.path("gradlew"), project.path("other")).unwrap();
    project.write_program("gradlew", "#!/bin/sh\necho cannot download; exit 1\n");
    let output = project.augment(project.folder.path(), &["--module", ":core"]);
    let refused = said(&output);
    assert_eq!(output.status.code(), Some(1), "{refused}");
    assert!(refused.contains("cannot download") && refused.contains("--build-program gradle"), "{refused}");
    let output = project.augment(project.folder.path(), &["--module", ":core", "--build-program", "absent"]);
    let refused = said(&output);
    assert!(refused.contains("cannot run absent") && refused.contains("name another one"), "{refused}");
    let output = project.augment(project.folder.path(), &["--module", ":core", "--build-program", "./other"]);
    let said = said(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("asking") && said.contains("/other for the class paths"), "{said}");
}

#[test]
fn projects_that_cannot_be_asked_are_named_with_those_that_can() {
    let project = scripted();
    let refused = |args: &[&str]| {
        let output = project.augment(project.folder.path(), args);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        said(&output)
    };
    let root = refused(&[]);
    assert!(root.contains("project : of the Gradle build has no Java classes"), "{root}");
    assert!(root.contains("with --module: :core"), "{root}");
    assert!(refused(&["--module", "web"]).contains("--module web: the Gradle build has no such project"));
    assert!(refused(&["--module", ":app"]).contains("Android project, which dynaflow does not support"));
}

#[test]
fn a_gradle_that_does_not_know_the_init_script_is_no_silence() {
    let project = scripted();
    project.write_program("gradlew", "#!/bin/sh\nexit 0\n");
    let output = project.augment(project.folder.path(), &["--module", ":core"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("ended well and did not answer"), "{}", said(&output));
}

/// Whether there is a Gradle; says on the terminal, past the test's captured output, when there is none.
fn has_gradle(test: &str) -> bool {
    let found = Command::new("gradle").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        assert!(
            std::env::var_os("CI").is_none(),
            "no `gradle` on the PATH: scripts/setup installs it for the tests"
        );
        let words =
            format!("SKIPPED {test}: no `gradle` on the PATH (Debian, Ubuntu: apt-get install gradle)\n");
        std::io::stderr().write_all(words.as_bytes()).unwrap();
    }
    found
}

/// A real build of two projects, one of which needs the other.
fn real() -> Project {
    let project = Project::new("core");
    project.write("settings.gradle", "rootProject.name = 'demo'\ninclude 'core', 'util'\n");
    project.write("build.gradle", "");
    project.write("util/build.gradle", "apply plugin: 'java'\n");
    project.write(
        "util/src/main/java/util/Util.java",
        "package util; public class Util { public static int one() { return 1; } }",
    );
    let jars: Vec<String> = junit().split(':').map(|jar| format!("'{jar}'")).collect();
    project.write(
        "core/build.gradle",
        &format!(
            "apply plugin: 'java'
             dependencies {{ implementation project(':util')\n testImplementation files({}) }}
             test {{ systemProperty 'demo.property', 'one two'\n jvmArgs '-Ddemo.option=yes', '-XX:+UseSerialGC'\n environment 'DEMO_VARIABLE', 'bar' }}
             task spotlessApply {{ }}",
            jars.join(", ")
        ),
    );
    project.write("core/src/test/java/demo/SettingsTest.java", SETTINGS_TEST);
    project.write(
        "core/src/main/java/demo/User.java",
        "package demo; public class User { public int one() { return util.Util.one(); } }",
    );
    project
}

/// Runs `augment` with the Gradle of this machine, which leaves no daemon behind.
fn with_gradle(project: &Project, folder: &Path, args: &[&str]) -> Output {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gradle");
    let mut command = project.command(folder, args);
    command.args(["--build-arg=--no-daemon", "--build-arg=--offline"]).env("GRADLE_USER_HOME", home);
    command.output().unwrap()
}

#[test]
fn a_real_gradle_compiles_and_says_how_tests_run() {
    if !has_gradle("a_real_gradle_compiles_and_says_how_tests_run") {
        return;
    }
    let project = real();
    // Named as Gradle does, and in the folder itself.
    let root = project.folder.path();
    let core = project.path("core");
    let runs: [(&Path, &[&str], &str); 2] = [
        (root, &["--module", ":core"], "core/build/dynaflow/tests"),
        (&core, &["--write"], "core/src/test/java"),
    ];
    for (folder, args, tests) in runs {
        let output = with_gradle(&project, folder, args);
        let said = said(&output);
        assert!(output.status.success(), "{args:?}: {said}");
        assert!(said.contains("seed suite: 3 tests") && !said.contains("fail already"), "{said}");
        assert!(said.contains("environment variables DEMO_VARIABLE; but not -XX:+UseSerialGC"), "{said}");
        let file = project.path(&format!("{tests}/demo/CounterDynaflowTest.java"));
        let written = fs::read_to_string(file).unwrap();
        assert!(written.contains("counter.reset();"), "{written}");
        // What no build compiles, no build checks.
        assert_eq!(said.contains("run gradle :core:spotlessApply"), args == ["--write"], "{said}");
    }
}

#[test]
fn what_a_real_gradle_refuses_is_reported() {
    if !has_gradle("what_a_real_gradle_refuses_is_reported") {
        return;
    }
    let project = real();
    let output = with_gradle(&project, project.folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("with --module: :core, :util"), "{}", said(&output));
    let output = with_gradle(&project, project.folder.path(), &["--module", "web"]);
    assert!(
        said(&output).contains("--module web: the Gradle build has no such project"),
        "{}",
        said(&output)
    );
    project.write("core/src/main/java/demo/Broken.java", "package demo; class Broken {");
    let output = with_gradle(&project, project.folder.path(), &["--module", "core"]);
    assert_eq!(output.status.code(), Some(1));
    let said = said(&output);
    assert!(said.contains("gradle failed in") && said.contains("reached end of file"), "{said}");
}

#[test]
fn run_records_what_a_real_gradle_tests_each_time_anew() {
    if !has_gradle("run_records_what_a_real_gradle_tests_each_time_anew") {
        return;
    }
    let project = real();
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gradle");
    let run = |out: &str, args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dynaflow"));
        command.current_dir(project.folder.path()).env("DYNAFLOW_AGENT", agent_support::agent());
        command.env("JAVA_HOME", &jvm_support::jdks()[0].home).env("GRADLE_USER_HOME", &home);
        command.args(["run", "--out", out, "--", "gradle", "--no-daemon", "--offline"]).args(args);
        command.output().unwrap()
    };
    let files = |out: &str| dynaflow_trace::trace_files(&[project.path(out)]).unwrap();
    // What a build script assigns to a test task does not drive the agent out.
    project.write("util/build.gradle", "apply plugin: 'java'\ntest { jvmArgs = ['-Xmx100m'] }\n");
    for out in ["first", "second"] {
        let output = run(out, &["test"]);
        let text = said(&output);
        assert!(output.status.success(), "{text}");
        assert!(text.contains("tests       3") && !text.contains("warning"), "{text}");
        assert_eq!(files(out).len(), 1, "the worker of one project has tests: {text}");
    }
    let output = run("third", &["classes"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(said(&output).contains("none of its test tasks loaded a class"), "{}", said(&output));
    assert_eq!(fs::read_dir(project.path("third")).unwrap().count(), 0);
    project.write(
        "core/src/test/java/demo/CounterTest.java",
        &build_support::TEST.replace("assertEquals(2", "assertEquals(3"),
    );
    let output = run("fourth", &["test"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("tests       3"), "{}", said(&output));
}
