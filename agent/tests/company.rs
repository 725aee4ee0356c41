//! The built agent beside other tools and in JVMs of every kind: the program does what it does without it, the same facts are
//! recorded, and the other tool sees what it sees without it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod support;

use dynaflow_model::facts::{Context, Place, Recording};
use dynaflow_tests::slow;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use support::{Bench, Ran, feature, jars, java_homes, java_homes_since, pairs, record};

/// All facts of a run, without offsets, which other tools may move.
fn facts(recording: &Recording) -> BTreeSet<String> {
    let table = &recording.facts;
    let method = |id| {
        let method = table.methods.get(id).unwrap();
        format!("{}.{}", table.text(method.class), table.text(method.signature))
    };
    let place = |place: &Place| format!("{}:{}", method(place.method), place.line);
    let context = |context: &Context| {
        let frames: Vec<_> = context.head.iter().chain(&context.tail).map(|frame| method(*frame)).collect();
        frames.join(",")
    };
    let variable = |id| {
        let variable = table.variables.get(id).unwrap();
        let steps = variable.steps.iter().map(|step| format!(" {}", table.step(step)));
        format!("{}{}", table.text(variable.root), steps.collect::<String>())
    };
    let definition = |id| {
        let definition = table.definitions.get(id).unwrap();
        let at = place(table.places.get(definition.place).unwrap());
        format!("{:?} {at} [{}]", definition.kind, context(table.contexts.get(definition.context).unwrap()))
    };
    let usage = |id| {
        let usage = table.uses.get(id).unwrap();
        let at = place(table.places.get(usage.place).unwrap());
        format!("{at} [{}]", context(table.contexts.get(usage.context).unwrap()))
    };
    let of_pairs = table.pairs.iter().map(|(_, pair)| {
        format!("pair {}: {} -> {}", variable(pair.variable), definition(pair.definition), usage(pair.usage))
    });
    let of_exits = table.exits.iter().map(|(_, exit)| {
        format!(
            "exit {:?} {} {}: {}",
            exit.exit,
            method(exit.method),
            variable(exit.variable),
            definition(exit.definition)
        )
    });
    let of_entries = table.entries.iter().map(|(_, entry)| {
        format!("entry {} {}: {}", method(entry.method), variable(entry.variable), usage(entry.usage))
    });
    of_pairs.chain(of_exits).chain(of_entries).collect()
}

/// The programs that are run beside everything: state of every shape, and containers if there is time.
fn programs() -> &'static [&'static str] {
    if slow() { &["Shapes", "Containers"] } else { &["Shapes"] }
}

/// The programs, compiled, with what they print and the facts of their runs without anything beside them.
struct Alone {
    bench: Bench,
    runs: Vec<(&'static str, Ran, BTreeSet<String>)>,
}

fn alone(home: &Path) -> Alone {
    let bench = Bench::new(home, &["declared/Shapes.java", "declared/Containers.java"], &[]);
    let run = |program: &&'static str| {
        let plain = bench.plain(&[program]);
        assert_eq!(plain.status, Some(0), "{}", plain.err);
        let facts = facts(&bench.recorded("", &[program]).recording());
        assert!(facts.len() > 100, "{program} shows something: {}", facts.len());
        (*program, plain, facts)
    };
    let runs = programs().iter().map(run).collect();
    Alone { bench, runs }
}

/// Runs the programs recorded with more arguments before and behind the agent's.
fn check_beside(Alone { bench, runs }: &Alone, before: &[&str], behind: &[&str]) {
    for (program, plain, expected) in runs {
        let ran = bench.recorded_between("", before, &[behind, &[program]].concat());
        let where_ = format!("{program} {before:?} {behind:?} on {}", bench.home.display());
        assert_eq!((ran.status, own_lines(&ran)), (plain.status, own_lines(plain)), "{where_}\n{}", ran.err);
        assert!(!ran.err.contains("dynaflow:"), "{where_}\n{}", ran.err);
        let recording = ran.recording();
        assert!(
            recording.notes.is_empty() && recording.declined.is_empty(),
            "{where_}: {:?}",
            recording.notes
        );
        let found = facts(&recording);
        let missing: Vec<_> = expected.difference(&found).take(5).collect();
        let more: Vec<_> = found.difference(expected).take(5).collect();
        assert!(missing.is_empty() && more.is_empty(), "{where_}\nmissing {missing:#?}\nmore {more:#?}");
    }
}

/// What the program printed, without what the JVM says of itself.
fn own_lines(ran: &Ran) -> Vec<&str> {
    ran.out.lines().filter(|line| !line.starts_with("Listening for") && !line.starts_with("[")).collect()
}

/// Whether a JVM knows an option.
fn knows(home: &Path, options: &[&str]) -> bool {
    Command::new(home.join("bin/java")).args(options).arg("-version").output().unwrap().status.success()
}

#[test]
fn facts_are_the_same_under_every_collector_compiler_and_archive() {
    const KINDS: [&[&str]; 10] = [
        &["-XX:TieredStopAtLevel=1"],
        &["-Xshare:off", "-XX:+UseParallelGC"],
        &["-XX:+UseZGC"],
        &["-Xint"],
        &["-XX:-TieredCompilation"],
        &["-Xshare:off"],
        &["-XX:+UseSerialGC"],
        &["-XX:+UseShenandoahGC"],
        &["-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC"],
        &["-XX:+UnlockExperimentalVMOptions", "-XX:+UseCompactObjectHeaders"],
    ];
    for home in java_homes() {
        let alone = alone(&home);
        let mut known = 0;
        for kind in KINDS.into_iter().take(if slow() { 10 } else { 3 }).filter(|kind| knows(&home, kind)) {
            check_beside(&alone, &[], kind);
            known += 1;
        }
        // JDK 8 has no ZGC.
        assert!(known >= 2, "{}: only {known} kinds", home.display());
    }
}

#[test]
fn a_debugger_that_listens_changes_nothing() {
    for home in java_homes() {
        let debugger = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";
        let alone = alone(&home);
        check_beside(&alone, &[], &[debugger]);
        check_beside(&alone, &[debugger], &[]);
    }
}

#[test]
fn a_security_manager_keeps_the_recorder_from_nothing() {
    for home in java_homes().into_iter().filter(|home| feature(home) < 24) {
        check_beside(&alone(&home), &[], &["-Djava.security.manager"]);
    }
}

/// JaCoCo's own counts of a run, by class.
fn coverage(bench: &Bench, exec: &Path) -> String {
    let cli = &jars(&["org.jacoco.cli-0.8.14-nodeps"])[0];
    let csv = bench.folder().join("coverage.csv");
    let mut java = Command::new(bench.home.join("bin/java"));
    java.arg("-jar").arg(cli).arg("report").arg(exec).arg("--classfiles").arg(bench.folder().join("classes"));
    let output = java.arg("--csv").arg(&csv).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && !said.contains("do not match"), "{said}");
    std::fs::read_to_string(csv).unwrap()
}

#[test]
fn jacoco_counts_the_same_beside_the_agent_and_the_agent_finds_the_same_beside_jacoco() {
    let jacoco = &jars(&["org.jacoco.agent-0.8.14-runtime"])[0];
    for home in java_homes() {
        let alone = alone(&home);
        let bench = &alone.bench;
        let exec = bench.folder().join("jacoco.exec");
        let agent = format!("-javaagent:{}=destfile={}", jacoco.display(), exec.display());
        for program in programs() {
            assert_eq!(bench.plain(&[&agent, program]).status, Some(0));
        }
        let counts = coverage(bench, &exec);
        assert!(counts.lines().any(|line| line.contains("Shapes")), "{counts}");
        for (before, behind) in [(&[agent.as_str()][..], &[][..]), (&[], &[agent.as_str()])] {
            std::fs::remove_file(&exec).unwrap();
            check_beside(&alone, before, behind);
            assert_eq!(coverage(bench, &exec), counts, "{before:?} {behind:?}");
        }
    }
}

fn run(home: &Path, tool: &str, folder: &Path, arguments: &[&str]) {
    let output =
        Command::new(home.join("bin").join(tool)).current_dir(folder).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Whether the JVM took classes of the program from an archive.
fn is_shared(ran: &Ran) -> bool {
    ran.out.lines().any(|line| line.contains("Shapes$") && line.contains("source: shared objects file"))
}

/// Runs with what an earlier run made by `dump`, recorded and not.
fn check_archive(bench: &Bench, dump: &str, with: &str) {
    // Archives hold only what was verified as usual.
    const VERIFIED: &str = "-Xverify:remote";
    let expected = facts(&bench.recorded("", &[VERIFIED, "Shapes"]).recording());
    let dumped = bench.plain(&[VERIFIED, dump, "Shapes"]);
    assert_eq!(dumped.status, Some(0), "{}\n{}", dumped.out, dumped.err);
    let archive = [VERIFIED, with, "-Xlog:class+load", "Shapes"];
    let plain = bench.plain(&archive);
    assert_eq!((plain.status, own_lines(&plain)), (Some(0), vec!["ok"]), "{}", plain.err);
    assert!(is_shared(&plain), "nothing was taken from the archive:\n{}", plain.out);
    let ran = bench.recorded("", &archive);
    assert_eq!((ran.status, own_lines(&ran)), (Some(0), vec!["ok"]), "{}", ran.err);
    let found = facts(&ran.recording());
    assert!(
        found == expected,
        "{with} on {}: {} facts for {}",
        bench.home.display(),
        found.len(),
        expected.len()
    );
}

#[test]
fn classes_of_an_archive_of_the_application_are_recorded() {
    for home in java_homes_since(13, "it makes no archives of applications while they run") {
        let bench = Bench::new(&home, &["declared/Shapes.java"], &[]);
        run(&home, "jar", bench.folder(), &["cf", "app.jar", "-C", "classes", "."]);
        let bench = bench.with_class_path("app.jar");
        check_archive(&bench, "-XX:ArchiveClassesAtExit=app.jsa", "-XX:SharedArchiveFile=app.jsa");
        if feature(&home) >= 25 {
            check_archive(&bench, "-XX:AOTCacheOutput=app.aot", "-XX:AOTCache=app.aot");
        }
    }
}

/// The JVM makes no archives beside native agents: woven classes, which need the agent, never get into one.
#[test]
fn no_archive_holds_woven_classes() {
    for home in java_homes_since(13, "it makes no archives of applications while they run") {
        let bench = Bench::new(&home, &["declared/Shapes.java"], &[]);
        run(&home, "jar", bench.folder(), &["cf", "app.jar", "-C", "classes", "."]);
        let bench = bench.with_class_path("app.jar");
        let dumped = bench.recorded("", &["-Xverify:remote", "-XX:ArchiveClassesAtExit=app.jsa", "Shapes"]);
        let said = format!("{}{}", dumped.out, dumped.err);
        assert!(said.contains("JVMTI agent"), "{}: {said}", home.display());
        assert!(!bench.folder().join("app.jsa").exists(), "{}: {said}", home.display());
    }
}

#[test]
fn classes_are_recorded_whichever_loader_and_way_defines_them() {
    for home in java_homes_since(15, "the program defines hidden classes") {
        let bench = Bench::new(&home, &["Loading.java"], &[]);
        let plain = bench.plain(&["Loading"]);
        let ran = bench.recorded("", &["Loading"]);
        assert_eq!((ran.status, &ran.out), (plain.status, &plain.out), "{}", ran.err);
        let recording = ran.recording();
        let found = pairs(&recording, record(&recording, ""));
        for (way, recorded) in [(0, true), (1, true), (2, true), (3, false), (4, false)] {
            let pair = format!("state: define{way} -> use{way}");
            assert_eq!(found.contains(&pair), recorded, "{pair} on {}: {found:?}", home.display());
        }
        assert!(found.contains(&"calls: invoke -> seen".to_owned()), "{found:?}");
        let [declined] = &recording.declined[..] else { panic!("{:?}", recording.declined) };
        assert!(
            declined.class == "Loading$Payload" && declined.reason.contains("class loader"),
            "{declined:?}"
        );
        let defined =
            recording.facts.variables.iter().map(|(_, variable)| recording.facts.text(variable.root));
        let roots: BTreeSet<_> = defined.collect();
        assert!(roots.contains("Loading$Payload") && roots.contains("Loading$Defined"), "{roots:?}");
    }
}

#[test]
fn inline_mocks_of_recorded_classes_are_mocks_and_the_classes_are_recorded_before_while_and_after() {
    let names = ["mockito-core-5.20.0", "byte-buddy-1.17.7", "byte-buddy-agent-1.17.7", "objenesis-3.3"];
    let libraries = jars(&names);
    let agent = format!("-javaagent:{}", libraries[0].display());
    for home in java_homes_since(11, "the mocking library needs a newer one") {
        let bench = Bench::new(&home, &["Mocked.java"], &libraries);
        // Before the agent, attached by itself, and behind it.
        let orders: [(&[&str], &[&str]); 3] =
            [(&[&agent], &[]), (&[], &["-XX:+EnableDynamicAgentLoading"]), (&[], &[&agent])];
        for (before, behind) in orders.into_iter().take(if slow() { 3 } else { 1 }) {
            let where_ = format!("{before:?} {behind:?} on {}", home.display());
            let plain = bench.plain(&[before, behind, &["Mocked"]].concat());
            assert!(plain.status == Some(0) && plain.out.contains("after 6 3"), "{where_}: {}", plain.err);
            let ran = bench.recorded_between("", before, &[behind, &["Mocked"]].concat());
            assert_eq!((ran.status, &ran.out), (plain.status, &plain.out), "{where_}: {}", ran.err);
            assert!(!ran.err.contains("dynaflow:"), "{where_}: {}", ran.err);
            let recording = ran.recording();
            assert!(
                recording.notes.is_empty() && recording.declined.is_empty(),
                "{where_}: {:?}",
                recording.notes
            );
            let found = pairs(&recording, record(&recording, ""));
            for pair in [
                "kept: keep -> kept",
                "kept: keepLater -> keptLater",
                "kept: keep -> sealed",
                "sum: add -> sum",
                "state: transformInside -> inner",
                "state: transformInside -> after",
                "state: after -> after",
            ] {
                assert!(found.contains(&pair.to_owned()), "{where_}: {pair} in {found:?}");
            }
            let wrong =
                |pair: &&String| *pair == "kept: keepLater -> kept" || *pair == "kept: keep -> keptLater";
            assert_eq!(found.iter().find(wrong), None, "{where_}");
        }
    }
}

#[test]
fn subclasses_that_libraries_make_are_no_classes_of_the_program_and_what_they_inherit_is_its_state() {
    let names = ["mockito-core-5.20.0", "byte-buddy-1.17.7", "byte-buddy-agent-1.17.7", "objenesis-3.3"];
    let libraries = jars(&names);
    for home in java_homes_since(11, "Mockito 5 needs Java 11") {
        let bench = Bench::new(&home, &["Subclassed.java"], &libraries);
        let plain = bench.plain(&["Subclassed"]);
        let ran = bench.recorded("", &["Subclassed"]);
        assert_eq!((ran.status, &ran.out), (Some(0), &plain.out), "{}", ran.err);
        assert_eq!(ran.out, "store 1\nstore 5 true\nowner 1 true\n", "{}", ran.err);
        let recording = ran.recording();
        let marks = ["$MockitoMock$", "$ByteBuddy$", "$auxiliary$"];
        let facts = facts(&recording);
        let made: Vec<_> = facts.iter().filter(|fact| marks.iter().any(|mark| fact.contains(mark))).collect();
        assert!(made.is_empty(), "{}: {made:#?}", home.display());
        let found = pairs(&recording, record(&recording, ""));
        for pair in ["kept: <init> -> kept", "kept: keep -> kept", "pets: adopt -> pets"] {
            assert!(found.contains(&pair.to_owned()), "{pair} on {}: {found:?}", home.display());
        }
    }
}
