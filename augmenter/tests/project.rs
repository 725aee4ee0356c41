//! `augment` in the folder of a Maven build, without class paths. The build's wrapper is a script here that compiles as Maven would and answers what Maven
//! answers; `builds` has real Maven.
//!
//! Knows nothing of the search. Invariant: what fails says what to do.

#![allow(clippy::unwrap_used, reason = "helpers of tests may unwrap like the tests themselves")]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod agent_support;
mod build_support;
mod git_support;
mod jvm_support;

use build_support::{COUNTER, Project, SETTINGS_TEST, junit, said};
use jvm_support::jdks;
use std::fs;
use std::os::unix::fs::PermissionsExt;

const MVNW: &str = r#"#!/bin/sh
echo "$@" >> "$0.called"
module=.
for arg in "$@"; do
    [ "$before" = --projects ] && module=$arg
    case $arg in
        -Dmdep.outputFile=*) answer=${arg#-Dmdep.outputFile=} ;;
        -Doutput=*) effective=${arg#-Doutput=} ;;
    esac
    before=$arg
done
cd "$module" || exit 1
if [ -n "$effective" ]; then
    [ -f effective.xml ] || exit 1
    sed "s|HERE|$PWD|g" effective.xml > "$effective"
    exit
fi
mkdir -p target/classes target/test-classes
"$JAVA_HOME/bin/javac" -g -d target/classes $(find src/main -name '*.java') || exit 1
"$JAVA_HOME/bin/javac" -g -cp "target/classes:JARS" -d target/test-classes $(find src/test -name '*.java') || exit 1
printf %s "JARS" > "$answer"
"#;

/// What Maven answers for a module whose tests run with settings.
const EFFECTIVE: &str = "<project><build><directory>HERE/target</directory><outputDirectory>HERE/target/classes</outputDirectory>
<testOutputDirectory>HERE/target/test-classes</testOutputDirectory><testSourceDirectory>HERE/src/test/java</testSourceDirectory>
<plugins><plugin><artifactId>maven-surefire-plugin</artifactId><configuration>
<argLine>@{argLine} -Ddemo.option=yes -Xmx2g</argLine>
<systemPropertyVariables><demo.property>one two</demo.property></systemPropertyVariables>
<environmentVariables><DEMO_VARIABLE>bar</DEMO_VARIABLE></environmentVariables>
</configuration></plugin></plugins></build></project>
";

/// Maven's build of the small program; in a module if one is named.
fn maven(module: &str) -> Project {
    let project = Project::new(module);
    let pom = if module == "." {
        "<project/>".to_owned()
    } else {
        format!("<project><modules><module>{module}</module></modules></project>")
    };
    project.write("pom.xml", &pom);
    project.write(&format!("{module}/pom.xml"), if module == "." { &pom } else { "<project/>" });
    project.write_program("mvnw", &MVNW.replace("JARS", &junit()));
    project
}

#[test]
fn in_the_folder_of_a_build_no_option_is_needed() {
    let project = maven(".");
    let output = project.augment(project.folder.path(), &[]);
    let said = said(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("seed suite: 2 tests") && !said.contains("fail already"), "{said}");
    let written = project.path("target/dynaflow/tests/demo/CounterDynaflowTest.java");
    assert!(fs::read_to_string(written).unwrap().contains("counter.reset();"), "{said}");
}

#[test]
fn a_module_runs_in_its_own_folder_and_paths_of_the_user_stay_what_they_are() {
    let project = maven("core");
    let output = project.augment(
        project.folder.path(),
        &["--module", "core", "--json", "pairs.json", "--out", "out", "--build-arg", "-Pfast"],
    );
    let said = said(&output);
    assert!(output.status.success(), "{said}");
    assert!(!said.contains("fail already"), "{said}");
    assert!(
        project.path("pairs.json").is_file() && project.path("out/demo/CounterDynaflowTest.java").is_file()
    );
    let called = fs::read_to_string(project.path("mvnw.called")).unwrap();
    assert!(called.contains("--projects core --also-make -Pfast test-compile"), "{called}");
}

/// One that adds a pair, and one of which a test of the suite does all.
const SUBMITTED: &str = "package demo;
import static org.junit.Assert.*;
import org.junit.Test;
public class MoreTest {
    @Test public void startsAnew() {
        Counter counter = new Counter();
        counter.add(2);
        counter.reset();
        assertEquals(0, counter.count());
    }
    @Test public void countsToo() {
        Counter counter = new Counter();
        counter.add(2);
        assertEquals(2, counter.count());
    }
}
";

#[test]
fn submitted_tests_are_judged_beside_the_suite_of_the_build() {
    let project = maven("core");
    project.write("drafts/MoreTest.java", SUBMITTED);
    let args = ["review", "drafts/MoreTest.java", "--module", "core", "--fail-on", "redundant"];
    let output = project.dynaflow(project.folder.path(), &args).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(6), "{}{text}", said(&output));
    let line = |test: &str| text.lines().find(|line| line.contains(test)).unwrap_or_default().to_owned();
    assert!(line("countsToo").contains("redundant"), "{text}");
    assert!(line("startsAnew").contains("good"), "{text}");
}

#[test]
fn where_a_module_must_be_named_the_modules_are() {
    let project = maven("core");
    let output = project.augment(project.folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("has modules: name one with --module, such as core"), "{}", said(&output));
    let other = project.augment(project.folder.path(), &["--module", "web"]);
    assert!(
        said(&other).contains("--module web: there is no pom.xml in it; the build has core"),
        "{}",
        said(&other)
    );
}

#[test]
fn what_a_failing_build_printed_is_reported() {
    let project = maven(".");
    project.write("src/main/java/demo/Counter.java", "package demo; public class Counter {");
    let output = project.augment(project.folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).contains("mvnw failed in") && said(&output).contains("reached end of file"),
        "{}",
        said(&output)
    );
}

#[test]
fn in_the_folder_of_a_module_a_failing_build_advises_the_one_around_it() {
    let project = maven("core");
    fs::copy(project.path("mvnw"), project.path("core/mvnw")).unwrap();
    project.write("core/src/main/java/demo/Counter.java", "package demo; public class Counter {");
    let output = project.augment(&project.path("core"), &[]);
    assert_eq!(output.status.code(), Some(1));
    let said = said(&output);
    assert!(
        said.contains("core is a module of ") && said.contains("--module core compiles what it needs, too"),
        "{said}"
    );
    assert!(said.contains("reached end of file"), "{said}");
}

#[test]
fn a_folder_without_a_build_is_named_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let project = maven(".");
    let none = project.augment(folder.path(), &[]);
    assert_eq!(none.status.code(), Some(2));
    let text = said(&none);
    assert!(text.contains("has no pom.xml, build.gradle or settings.gradle"), "{text}");
    assert!(text.contains("no --class-path is given") && text.contains("--project"), "{text}");
    let gradle = project.augment(project.folder.path(), &["--build-tool", "gradle"]);
    assert!(said(&gradle).contains("has no build.gradle"), "{}", said(&gradle));
    let both = project.augment(folder.path(), &["--project", ".", "--class-path", "x", "--target", "y"]);
    assert!(said(&both).contains("cannot be used with"), "{}", said(&both));
}

#[test]
fn tests_run_with_what_surefire_is_configured_for() {
    let project = maven(".");
    project.write("src/test/java/demo/SettingsTest.java", SETTINGS_TEST);
    project.write("effective.xml", EFFECTIVE);
    let output = project.augment(project.folder.path(), &[]);
    let said = said(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("seed suite: 3 tests") && !said.contains("fail already"), "{said}");
    assert!(said.contains("environment variables DEMO_VARIABLE; but not -Xmx2g"), "{said}");
}

#[test]
fn where_surefires_configuration_is_not_known_a_warning_says_so_and_the_tests_run() {
    let project = maven(".");
    project.write("src/test/java/demo/SettingsTest.java", SETTINGS_TEST);
    let output = project.augment(project.folder.path(), &[]);
    let said = said(&output);
    assert!(said.contains("how Surefire is configured is not known"), "{said}");
    assert!(said.contains("seed suite: 3 tests") && said.contains("fail already"), "{said}");
}

#[test]
fn a_broken_pom_is_named_with_the_place() {
    let project = maven(".");
    project.write("pom.xml", "<project>\n<modules>\n</project>");
    let output = project.augment(project.folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    let said = said(&output);
    assert!(said.contains("pom.xml is no POM") && said.contains("3:"), "{said}");
}

#[test]
fn a_wrapper_that_may_not_run_is_named_with_the_remedy() {
    let project = maven(".");
    fs::set_permissions(project.path("mvnw"), fs::Permissions::from_mode(0o644)).unwrap();
    let output = project.augment(project.folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("chmod +x"), "{}", said(&output));
}

#[test]
fn tests_are_written_beside_the_seeds_and_a_second_run_extends_only_what_is_ours() {
    let project = maven(".");
    let formatter =
        "<plugin><groupId>com.diffplug.spotless</groupId><artifactId>spotless-maven-plugin</artifactId>
        <executions><execution/></executions></plugin></plugins>";
    project.write("effective.xml", &EFFECTIVE.replace("</plugins>", formatter));
    let written = "src/test/java/demo/CounterDynaflowTest.java";
    let run = || {
        let output = project.augment(project.folder.path(), &["--write"]);
        (output.status.code(), said(&output))
    };
    let (code, text) = run();
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("may fail on others: run ./mvnw spotless:apply"), "{text}");
    let first = fs::read_to_string(project.path(written)).unwrap();
    assert!(text.contains(written) && first.contains("counter.reset();"), "{text}");
    assert!(
        !project.path("src/test/java/findings").exists() && !project.path("target/dynaflow/tests").exists()
    );
    // The build compiles it as one of its tests: nothing is left to be found.
    let (code, text) = run();
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("1 test classes in") && text.contains("count as seeds"), "{text}");
    assert_eq!(fs::read_to_string(project.path(written)).unwrap(), first);
    // A formatter breaks lines where it likes: the file stays ours, and as it is.
    let formatted = first.replace(" written by dynaflow.", " written\n * by dynaflow.").replace("    ", "\t");
    project.write(written, &formatted);
    let (code, text) = run();
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("count as seeds") && !text.contains("not as they were written"), "{text}");
    assert_eq!(fs::read_to_string(project.path(written)).unwrap(), formatted);
    // Somebody's own file of this name.
    project.write(written, "package demo; public class CounterDynaflowTest { }");
    let (code, text) = run();
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("was not written by dynaflow"), "{text}");
    let both = project.augment(project.folder.path(), &["--write", "--out", "x"]);
    assert!(said(&both).contains("cannot be used with"), "{}", said(&both));
}

#[test]
fn classes_newer_than_the_jdk_are_named_with_the_remedy() {
    let [old, .., new] = &jdks()[..] else { return };
    let project = maven(".");
    project.write_program(
        "mvnw",
        &MVNW
            .replace("JARS", &junit())
            .replace("$JAVA_HOME/bin/javac", &new.home.join("bin/javac").display().to_string()),
    );
    let output = project.augment(project.folder.path(), &["--java-home", old.home.to_str().unwrap()]);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains(&format!("compiled for Java {}", new.version)) && said.contains("--java-home"),
        "{said}"
    );
}

#[test]
fn git_is_asked_in_the_folder_of_the_project_and_what_it_says_of_modules_is_told_apart() {
    let project = maven("core");
    project.write("web/src/main/java/demo/Page.java", "package demo; public class Page { }");
    git_support::repository(project.folder.path(), "target/\n*.called\n");
    let elsewhere = tempfile::tempdir().unwrap();
    let augment = || {
        let folder = project.folder.path().to_str().unwrap();
        let args = ["--project", folder, "--module", "core", "--since", "main"];
        let mut command = project.command(elsewhere.path(), &args);
        let output = git_support::alone(&mut command, project.folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        said(&output)
    };
    let written = project.path("core/target/dynaflow/tests/demo/CounterDynaflowTest.java");
    let nothing = augment();
    assert!(nothing.contains("no class changed since ") && !nothing.contains("seed suite"), "{nothing}");
    project.write("web/src/main/java/demo/Page.java", "package demo; public class Page { int size; }");
    let other = augment();
    let path =
        "web/src/main/java/demo/Page.java: not attacked: no class of the program's class path comes from it";
    assert!(other.contains(path) && !written.exists(), "{other}");
    project.write("core/src/main/java/demo/Counter.java", &COUNTER.replace("count = 0", "count = 1 - 1"));
    let changed = augment();
    assert!(
        changed.contains("2 classes changed since ") && changed.contains("1 of them is a target"),
        "{changed}"
    );
    assert!(changed.contains("seed suite: 2 tests") && written.is_file(), "{changed}");
}
