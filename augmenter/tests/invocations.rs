//! The table of bad invocations: what users type wrongly, and the message they get. Knows nothing of how commands work.
//!
//! Invariant: every row checks the exit code, words that name what is wrong and what to do, and words that must not be there; no
//! message has the debug text or the error numbers of our own libraries, and nothing that was there before is changed.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod common;

use common::{dynaflow, recording, stderr, write};
use std::fs;
use std::io::Write;
use std::path::Path;

/// Arguments, separated by blanks (`_` stands for an empty one); the exit code; what standard error says, separated by `|`.
const TABLE: &[(&str, i32, &str)] = &[
    // An output that is an input.
    (
        "export t.trace -o t.trace",
        2,
        "--output: cannot write t.trace|it is the input t.trace|name another file",
    ),
    ("export t.trace -o hard.trace", 2, "hard.trace|it is the input t.trace"),
    ("export t.trace -o link.trace", 2, "link.trace|it is the input t.trace"),
    ("export folder --summary -o folder/a.trace", 2, "it is the input folder/a.trace"),
    ("merge t.trace folder -o t.trace", 2, "it is the input t.trace"),
    ("merge folder -o folder/a.trace", 2, "it is the input folder/a.trace"),
    ("dua --class-path good.jar -o good.jar", 2, "it is the input good.jar"),
    ("augment --class-path good.jar --target a.B --json good.jar", 2, "--json|it is the input"),
    ("mutants --class-path good.jar -o good.jar", 2, "--output|it is the input|good.jar"),
    ("mutants --class-path good.jar --incremental good.jar", 2, "--incremental|it is the input|good.jar"),
    // An output that cannot be written, before any work.
    (
        "export t.trace -o none/p.json",
        1,
        "--output: cannot write none/p.json|there is no folder none|make it first",
    ),
    ("merge t.trace -o none/t.trace", 1, "none/t.trace|there is no folder none"),
    ("dua --class-path good.jar -o none/d.json", 1, "none/d.json|there is no folder none"),
    ("export t.trace -o folder", 1, "cannot write folder|it is a folder|name a file"),
    (
        "augment --class-path good.jar --target a.B --json none/p.json",
        1,
        "--json: cannot write none/p.json|there is no folder none",
    ),
    (
        "augment --class-path good.jar --target a.B --stats none/s.csv",
        1,
        "--stats: cannot write none/s.csv|there is no folder none",
    ),
    ("tasks t.trace -o t.trace", 2, "--output: cannot write t.trace|it is the input t.trace"),
    ("tasks t.trace -o none/t.md", 1, "none/t.md|there is no folder none"),
    // Nothing to work on.
    ("tasks empty.trace", 1, "nothing was recorded in empty.trace"),
    ("tasks t.trace --target a.Countr", 1, "--target a.Countr matches no root class with pairs|a.Counter"),
    (
        "tasks t.trace --source-path none",
        1,
        "--source-path: there is no folder none|folders that hold the packages",
    ),
    ("tasks bad.jar", 1, "the pairs of `bad.jar`|it is no pairs document|dynaflow export"),
    ("tasks folder bad.jar", 2, "bad.jar: a document of pairs stands alone|name their traces"),
    ("tasks t.trace --limit 0", 2, "--limit|0"),
    ("tasks t.trace --since _", 2, "--since is empty|a branch, a tag or a commit"),
    (
        "tasks t.trace --since main",
        1,
        "--since main in |no working tree of a git repository|run the command in a clone",
    ),
    ("tasks t.trace --since main --source-path none", 1, "--source-path: there is no folder none"),
    ("review", 2, "TESTS"),
    ("review folder --class-path good.jar", 2, "folder: no Java source lies in this folder"),
    (
        "review good.jar --class-path good.jar",
        2,
        "good.jar: expected a Java source (*.java), or a folder|--test-class-path",
    ),
    ("review none.java --class-path good.jar", 1, "cannot read none.java: No such file or directory"),
    ("review A.java --class-path _", 2, "--class-path is empty"),
    ("review A.java --class-path bad.jar", 1, "bad.jar` is no jar"),
    ("review A.java --class-path good.jar -o A.java", 2, "--output: cannot write A.java|it is the input"),
    ("review A.java --class-path good.jar -o none/r.md", 1, "none/r.md|there is no folder none"),
    ("review A.java", 2, "no --class-path is given|pom.xml|--project"),
    ("review A.java --class-path good.jar --allow-effects fils", 2, "unknown kind of effect `fils`"),
    ("review A.java --class-path good.jar --fail-on nothing", 2, "--fail-on|none"),
    ("export empty.trace", 1, "nothing was recorded in empty.trace|record again"),
    ("export empty.trace --summary", 1, "nothing was recorded in empty.trace"),
    ("merge empty.trace -o x.trace", 1, "nothing was recorded in empty.trace"),
    ("dua --class-path good.jar empty.trace", 1, "nothing was recorded in empty.trace"),
    ("export t.trace --class a.Countr", 1, "--class a.Countr matches no root class|a.Counter"),
    ("dua --class-path _", 2, "--class-path is empty|folders with class files, and jars"),
    ("dua --class-path :", 2, "--class-path is empty"),
    (
        "dua --class-path nothing",
        1,
        "--class-path nothing: no class is there|the folder that holds the packages",
    ),
    (
        "dua --class-path good.jar --target a.Nope",
        1,
        "--target a.Nope matches no class|the class path has a.B",
    ),
    ("augment --class-path _ --target a.B", 2, "--class-path is empty"),
    (
        "augment --class-path good.jar --target a.B --since _",
        2,
        "--since is empty|a branch, a tag or a commit",
    ),
    (
        "augment --class-path good.jar --target a.B --since main",
        1,
        "--since main in |no working tree of a git repository|run the command in a clone",
    ),
    ("augment --class-path good.jar --target a.B --since", 2, "--since <GIT_REF>"),
    ("augment --class-path good.jar --target a.B --shard 5/4", 2, "--shard|5/4|expected I/N"),
    ("mutants --class-path _", 2, "--class-path is empty"),
    ("mutants --class-path good.jar", 2, "no folder on the class path|name the test classes with --tests"),
    ("mutants --class-path nothing", 1, "none of 0 classes has JUnit tests|with --test-class-path"),
    ("augment --class-path nothing --target a.B", 1, "nothing: no class is there"),
    ("augment --class-path good.jar --target a.Nope", 1, "--target a.Nope|it has 1 classes, such as a.B"),
    ("report t.trace", 2, "--html <DIR>|not provided"),
    ("report t.trace --html p -o x.md", 2, "--format"),
    (
        "report t.trace --format markdown -o t.trace",
        2,
        "--output: cannot write t.trace|it is the input t.trace",
    ),
    ("report t.trace --format sarf", 2, "invalid value 'sarf'|sarif|junit|lcov|markdown"),
    (
        "report t.trace --format sarif -o none/x.sarif",
        1,
        "--output: cannot write none/x.sarif|there is no folder none",
    ),
    ("report t.trace --format lcov", 1, "no source was found for any of 1 classes (a.Counter)|--source-path"),
    ("report t.trace --html bad.jar", 1, "--html bad.jar: it is no folder|name a folder"),
    (
        "report t.trace --html p --source-path none",
        1,
        "--source-path none: there is no such folder|src/main/java",
    ),
    ("report empty.trace --html p", 1, "nothing was recorded in empty.trace"),
    ("report none.trace --html p", 1, "none.trace|No such file or directory"),
    ("report bad.jar --html p", 1, "the pairs of `bad.jar`|it is no pairs document"),
    ("report t.trace bad.jar --html p", 2, "bad.jar is no trace|a document is reported on alone"),
    // Files that are something else.
    (
        "dua --class-path bad.jar",
        1,
        "`bad.jar` is no jar|a class path takes jars, and folders with class files",
    ),
    ("dua --class-path cut.jar", 1, "`cut.jar` is no jar, or only the beginning of one"),
    ("dua --class-path harmed.jar", 1, "the jar `harmed.jar` is damaged|fetch or build it again"),
    ("augment --class-path bad.jar --target a.B", 1, "bad.jar` is no jar"),
    ("mutants --class-path bad.jar", 1, "bad.jar` is no jar"),
    ("augment --class-path good.jar --test-class-path bad.jar --target a.B", 1, "bad.jar` is no jar"),
    ("dua --class-path none.jar", 1, "--class-path|none.jar|No such file or directory"),
    ("export none.trace", 1, "none.trace: cannot open the trace: No such file or directory"),
    ("export bad.jar", 1, "bad.jar|no dynaflow trace"),
    ("atg --class-path bad.jar --target a.B", 1, "bad.jar` is no jar"),
    ("atg --class-path _ --target a.B", 2, "--class-path is empty"),
    ("atg --class-path nothing --target a.B", 1, "--class-path: no class is there"),
    ("atg --class-path good.jar --target a.Nope", 2, "--target a.Nope: no class|it has a.B"),
    ("atg --class-path good.jar --target a.B", 1, "JUnit 4 or 5 is not on --test-class-path"),
    ("atg --class-path good.jar --target a.B --json good.jar", 2, "--json|it is the input"),
    ("atg --class-path good.jar", 2, "--target"),
    // Values that would be misread.
    ("run --include a.**,b.** -- java", 2, "--include a.**,b.**|separated by `:`|--include 'a.**:b.**'"),
    ("run --exclude a,depth=3 -- java", 2, "--exclude a,depth=3|separated by `:`"),
    ("run --depth 3,blocks=true -- java", 2, "--depth 3,blocks=true|without a comma"),
    ("run --mode dua,out=x -- java", 2, "--mode dua,out=x|without a comma"),
    (
        "mutants --class-path good.jar --operators nope",
        2,
        "--operators|no operator has this name|NEGATE_CONDITIONALS",
    ),
    ("mutants --class-path good.jar --timeout-factor 0.5", 2, "--timeout-factor|from 1 to 1000"),
    ("mutants --class-path good.jar --fail-below 101", 2, "--fail-below|from 0 to 100"),
    // Help.
    ("help nope", 2, "help nope: there is no such command|export"),
    ("nope", 2, "nope|Usage: dynaflow"),
];

/// What no message says: debug text, numbers of errors, words of a library that nobody knows, an empty list.
const NEVER: &[&str] =
    &["(os error", "EOCD", "Some(", "Err(", "Io {", "kind:", "such as \n", "\u{1b}[", "panicked"];

/// A folder with everything that the table names.
fn prepared() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    write(&path("t.trace"), &recording("a.CounterTest#counts", true));
    fs::hard_link(path("t.trace"), path("hard.trace")).unwrap();
    std::os::unix::fs::symlink("t.trace", path("link.trace")).unwrap();
    fs::create_dir(path("folder")).unwrap();
    fs::create_dir(path("nothing")).unwrap();
    write(&path("folder/a.trace"), &recording("a.CounterTest#other", true));
    fs::write(path("empty.trace"), "").unwrap();
    fs::write(path("bad.jar"), "this is no jar").unwrap();
    fs::write(path("A.java"), "class A {}").unwrap();
    let mut jar = zip::ZipWriter::new(fs::File::create(path("good.jar")).unwrap());
    for name in ["a/B.class", ".class"] {
        jar.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        jar.write_all(&[0; 100]).unwrap();
    }
    jar.finish().unwrap();
    let bytes = fs::read(path("good.jar")).unwrap();
    fs::write(path("cut.jar"), &bytes[..bytes.len() / 2]).unwrap();
    let directory = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    let harmed: Vec<u8> =
        bytes.iter().enumerate().map(|(at, byte)| if at == directory { 0 } else { *byte }).collect();
    fs::write(path("harmed.jar"), harmed).unwrap();
    folder
}

/// Every file below the folder with its bytes.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = vec![];
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap().flatten() {
            if entry.path().is_dir() {
                open.push(entry.path());
            } else {
                all.push((entry.path().display().to_string(), fs::read(entry.path()).unwrap()));
            }
        }
    }
    all.sort();
    all
}

#[test]
fn every_bad_invocation_is_refused_by_name_with_a_remedy_and_changes_nothing() {
    let folder = prepared();
    let before = files(folder.path());
    let mut wrong = vec![];
    for (line, code, says) in TABLE {
        let args = line.split(' ').map(|arg| if arg == "_" { "" } else { arg });
        let mut command = dynaflow(folder.path());
        command.env("DYNAFLOW_AGENT", folder.path().join("bad.jar")).env("DYNAFLOW_LOG", "debug");
        command.env("GIT_CEILING_DIRECTORIES", folder.path().parent().unwrap());
        let output = command.args(args).output().unwrap();
        let text = stderr(&output);
        let missing: Vec<&str> = says.split('|').filter(|part| !text.contains(part)).collect();
        let bad: Vec<&&str> = NEVER.iter().filter(|part| text.contains(**part)).collect();
        if output.status.code() != Some(*code) || !missing.is_empty() || !bad.is_empty() {
            wrong.push(format!("{line}: {:?}, lacks {missing:?}, has {bad:?}: {text}", output.status.code()));
        }
        // `--out` of `augment` is made before its other options are looked at.
        fs::remove_dir(folder.path().join("dynaflow-tests")).ok();
        if files(folder.path()) != before {
            wrong.push(format!("{line}: changes files"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_large_file_that_is_no_jar_and_a_bomb_take_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let large = fs::File::create(folder.path().join("large.jar")).unwrap();
    large.set_len(3 << 30).unwrap();
    let mut jar = zip::ZipWriter::new(fs::File::create(folder.path().join("bomb.jar")).unwrap());
    jar.start_file("a/B.class", zip::write::SimpleFileOptions::default()).unwrap();
    let zeros = vec![0; 1 << 20];
    (0..600).for_each(|_| jar.write_all(&zeros).unwrap());
    jar.finish().unwrap();
    for (jar, says) in
        [("large.jar", "is no jar"), ("bomb.jar", "a.B: in the jar `bomb.jar`: it is larger than 16 MiB")]
    {
        let binary = assert_cmd::cargo::cargo_bin("dynaflow");
        // 512 MiB of address space: without bounds it would take six times, or more than, that.
        let limited = "ulimit -v 524288; exec \"$0\" \"$@\"";
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", limited]).arg(binary).args(["dua", "--no-inter", "--class-path", jar]);
        let output = shell.env("RAYON_NUM_THREADS", "2").current_dir(folder.path()).output().unwrap();
        common::failed(&output, 1, &[jar, says]);
    }
}

#[test]
fn logs_in_a_file_have_no_colours() {
    let folder = prepared();
    let output = dynaflow(folder.path()).args(["-vv", "export", "t.trace", "--summary"]).output().unwrap();
    assert!(
        stderr(&output).contains("traces read") && !stderr(&output).contains('\u{1b}'),
        "{}",
        stderr(&output)
    );
}

#[test]
fn help_has_help_and_is_what_the_option_prints() {
    let folder = prepared();
    let run = |args: &[&str]| {
        let output = dynaflow(folder.path()).args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(run(&["help", "--help"]).contains("Usage: dynaflow help"));
    assert_eq!(run(&["help"]), run(&["--help"]));
    for command in [
        "run",
        "merge",
        "export",
        "augment",
        "dua",
        "mutants",
        "atg",
        "report",
        "doctor",
        "agent-path",
        "help",
    ] {
        assert_eq!(run(&["help", command]), run(&[command, "--help"]), "{command}");
    }
    let augment = run(&["help", "augment"]);
    for offered in ["def-use", "mio", "random", "whole-suite", "mosa", "dynamosa"] {
        assert!(augment.contains(&format!("- {offered}:")), "{offered} works and is not offered");
    }
}
