//! The built agent in real JVMs: a recorded program does what it does unrecorded, however it ends, and the trace is
//! readable and right.

mod support;

use dynaflow_model::facts::TestEnd;
use dynaflow_trace::ReadState;
use std::fmt::Write as _;
use std::path::PathBuf;
use support::{Bench, feature, java_homes, java_homes_since, pairs, record};

/// Runs a program with and without the agent, on every JDK, and expects the same output and exit status.
fn check_unchanged(homes: Vec<PathBuf>, source: &str, arguments: &[&str]) {
    for home in homes {
        let bench = Bench::new(&home, &[source], &[]);
        let plain = bench.plain(arguments);
        for options in ["", "carve=true", "mode=dua"] {
            let recorded = bench.recorded(options, arguments);
            let where_ = format!("{arguments:?} {options} on {}", home.display());
            assert_eq!(
                (recorded.status, &recorded.out),
                (plain.status, &plain.out),
                "{where_}\n{}",
                recorded.err
            );
            let trouble = recorded.err.lines().find(|line| line.starts_with("dynaflow:"));
            assert_eq!(trouble, None, "{where_}");
            recorded.recording();
        }
    }
}

#[test]
fn a_program_of_many_features_prints_the_same_with_the_agent() {
    let homes = java_homes_since(17, "the program has records, sealed classes and text blocks");
    check_unchanged(homes, "../../../tests/corpus/java/Features.java", &["Features"]);
}

#[test]
fn a_program_sees_its_own_fields_garbage_and_identity_only() {
    check_unchanged(java_homes(), "Collected.java", &["Collected"]);
}

#[test]
fn however_the_vm_ends_the_trace_is_complete() {
    for how in ["return", "exit", "halt", "throw", "overflow", "hook"] {
        check_unchanged(java_homes(), "Ends.java", &["Ends", how]);
    }
}

#[test]
fn a_daemon_thread_that_never_stops_does_not_keep_the_trace_from_ending() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["Ends.java"], &[]);
        let recorded = bench.recorded("", &["Ends", "daemon"]);
        assert_eq!((recorded.status, recorded.out.as_str()), (Some(0), "state 1\n"), "{}", recorded.err);
        let recording = recorded.recording();
        assert!(pairs(&recording, record(&recording, "")).contains(&"state: define -> use".to_owned()));
    }
}

#[test]
fn the_words_of_a_program_are_counted_and_one_that_is_not_recorded_sends_none() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["Ends.java"], &[]);
        let effort = bench.recorded("", &["Ends", "exit"]).recording().effort;
        assert!((10..10_000).contains(&effort.words), "{effort:?}");
        // The recorder's own start looks at a map of its own.
        let idle = bench.recorded("include=org.example.**", &["Ends", "exit"]).recording().effort;
        assert!(idle.words < effort.words && idle.waits == 0, "{idle:?}");
    }
}

#[test]
fn what_was_executed_outside_tests_is_in_the_record_without_a_name() {
    for home in java_homes() {
        let recorded = Bench::new(&home, &["Ends.java"], &[]).recorded("", &["Ends", "exit"]);
        let recording = recorded.recording();
        assert_eq!(recording.tests.len(), 1);
        assert_eq!(pairs(&recording, record(&recording, "")), ["state: define -> use"]);
        assert!(recording.classes.contains_key("Ends") && recording.declined.is_empty());
    }
}

#[test]
fn threads_that_are_started_and_joined_are_analysed_in_that_order() {
    for home in java_homes() {
        let recorded = Bench::new(&home, &["Order.java"], &[]).recorded("", &["Order"]);
        assert_eq!(recorded.out, "2\n".repeat(50));
        let recording = recorded.recording();
        let found: Vec<_> = pairs(&recording, record(&recording, ""))
            .into_iter()
            .filter(|pair| pair.starts_with("value:"))
            .collect();
        assert_eq!(found, ["value: byMain -> read", "value: byOther -> readAgain"]);
    }
}

#[test]
fn the_last_words_of_short_lived_threads_arrive() {
    const THREADS: usize = 150;
    let mut methods = String::new();
    let mut cases = String::new();
    for i in 0..THREADS {
        writeln!(methods, "int f{i}; void d{i}() {{ f{i} = 1; }} int u{i}() {{ return f{i}; }}").unwrap();
        writeln!(cases, "case {i}: many.d{i}(); many.u{i}(); break;").unwrap();
    }
    let source = format!(
        "public class Many extends Thread {{ {methods} final int n; final Many many; Many(int n, Many many) {{ \
         this.n = n; this.many = many; }} public void run() {{ switch (n) {{ {cases} }} }} \
         public static void main(String[] a) throws Exception {{ Many many = new Many(-1, null); \
         Many[] all = new Many[{THREADS}]; for (int i = 0; i < {THREADS}; i++) {{ all[i] = new Many(i, many); \
         all[i].start(); }} for (Many one : all) one.join(); }} }}"
    );
    for home in java_homes() {
        let recorded = Bench::of_text(&home, "Many", &source).recorded("", &["Many"]);
        let recording = recorded.recording();
        let found = pairs(&recording, record(&recording, ""));
        for i in 0..THREADS {
            let pair = format!("f{i}: d{i} -> u{i}");
            assert!(found.contains(&pair), "{pair} on {}", home.display());
        }
    }
}

#[test]
fn numbers_are_exact_for_300_000_live_objects_across_collections() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["Numbers.java"], &[]);
        // Before modules everything was open.
        let open = (feature(&home) > 8).then_some("--add-opens=java.base/java.lang=ALL-UNNAMED");
        let arguments: Vec<_> = open.into_iter().chain(["Numbers"]).collect();
        let recorded = bench.recorded("exclude=Numbers", &arguments);
        assert_eq!(recorded.out, "equal hashes true\nnumbers 300000 changed 0\n", "{}", recorded.err);
    }
}

#[test]
fn classes_loaded_at_the_end_of_the_stack_do_not_end_the_vm() {
    for home in java_homes() {
        let recorded = Bench::new(&home, &["Deep.java"], &[]).recorded("", &["Deep"]);
        assert_eq!((recorded.status, recorded.out.as_str()), (Some(0), "alive true\n"), "{}", recorded.err);
        recorded.recording();
    }
}

#[test]
fn another_build_of_a_recorded_class_is_left_alone_and_named() {
    for home in java_homes() {
        let recorded = Bench::new(&home, &["Loaders.java"], &[]).recorded("", &["Loaders"]);
        assert_eq!(recorded.out, "first build\nfirst build\nother build\n");
        let declined = recorded.recording().declined;
        assert_eq!(declined.len(), 1, "{declined:?}");
        assert!(
            declined[0].class == "Loaders$Twin" && declined[0].reason.contains("another build"),
            "{declined:?}"
        );
    }
}

#[test]
fn a_wrong_option_stops_the_jvm_with_one_line() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["Ends.java"], &[]);
        for (options, expected) in [
            ("dept=3", "dynaflow: unknown option `dept`; expected one of out,"),
            ("depth=99", "dynaflow: option depth=99: expected a number from 1 to 20"),
            (
                "mode=dua,depth=3",
                "dynaflow: option depth belongs to mode=state, and this is mode=dua: leave it out",
            ),
            (
                "arrays=whole",
                "dynaflow: option arrays belongs to mode=dua, and this is mode=state: leave it out",
            ),
            ("blocks=yes", "dynaflow: option blocks=yes: expected `true` or `false`"),
        ] {
            let ran = bench.with_agent(options, &["Ends", "return"]);
            assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{options}");
            assert!(ran.err.starts_with(expected) && ran.err.lines().count() == 1, "{}", ran.err);
            assert!(!bench.folder().join("dynaflow-traces").exists(), "{options} left a folder");
        }
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named_once_with_a_remedy() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["Ends.java"], &[]);
        let file = bench.folder().join("file");
        std::fs::write(&file, "").unwrap();
        let out = file.join("traces").display().to_string();
        let ran = bench.with_agent(&format!("out={out}"), &["Ends", "return"]);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""));
        let cause = "cannot create the folder: Not a directory; name a folder that can be written";
        assert_eq!(ran.err, format!("dynaflow: option out={out}: {cause}\n"));
        // A file with contents is no trace that is begun.
        let full = bench.folder().join("taken");
        std::fs::write(&full, "no trace").unwrap();
        let ran = bench.with_agent(&format!("out={}", full.display()), &["Ends", "return"]);
        assert_eq!(ran.err.matches(&full.display().to_string()).count(), 1, "{}", ran.err);
        assert!(ran.err.contains("cannot begin a trace: ") && ran.err.lines().count() == 1, "{}", ran.err);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""));
    }
}

#[test]
fn a_pattern_that_selects_nothing_is_told_to_the_user_and_to_the_trace() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["Ends.java"], &[]);
        let ran = bench.recorded("include=Ends:no.such.**", &["Ends", "exit"]);
        let expected = "the pattern include=no.such.** matched no class that was loaded";
        assert_eq!(ran.err, format!("dynaflow: {expected}\n"));
        assert_eq!((ran.status, ran.recording().notes), (Some(3), vec![expected.to_owned()]));
        assert_eq!(ran.choice, None, "the user chose");
        let choice = bench.recorded("", &["Ends", "exit"]).choice.unwrap();
        assert!(
            choice.starts_with("dynaflow: the classes of 1 packages are recorded, those in "),
            "{choice}"
        );
    }
}

#[test]
fn a_second_agent_in_the_same_vm_does_nothing() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["Ends.java"], &[]);
        let again = support::agent_argument("out=elsewhere");
        let ran = bench.recorded("", &[&again, "Ends", "return"]);
        assert_eq!(ran.out, "state 1\n");
        assert_eq!(ran.err, "dynaflow: the agent is loaded twice; the second one does nothing\n");
        assert!(!bench.folder().join("elsewhere").exists());
        assert_eq!(ran.recording().tests[0].end, TestEnd::Returned);
    }
}

#[test]
fn two_processes_never_write_to_one_file() {
    let home = &java_homes()[0];
    let bench = Bench::new(home, &["Ends.java"], &[]);
    let out = format!("out={}", bench.traces().display());
    for _ in 0..2 {
        assert_eq!(bench.with_agent(&out, &["Ends", "return"]).status, Some(0));
    }
    let files = dynaflow_trace::trace_files(&[bench.traces()]).unwrap();
    assert_eq!(files.len(), 2);
    for file in files {
        assert!(matches!(dynaflow_trace::read(&file).unwrap().1, ReadState::Complete));
    }
}

#[cfg(unix)]
#[test]
fn a_trace_that_cannot_grow_is_told_once_and_the_program_goes_on() {
    for home in java_homes() {
        let bench = Bench::new(&home, &["declared/Containers.java"], &[]);
        let plain = bench.plain(&["Containers"]);
        let out = format!("out={},include=Containers*", bench.traces().display());
        let java = bench.java();
        let mut limited = std::process::Command::new("sh");
        limited.args(["-c", "ulimit -f 2; exec \"$0\" \"$@\""]).arg(java.get_program()).args(java.get_args());
        limited
            .current_dir(bench.folder())
            .arg("-XX:-UsePerfData")
            .arg(support::agent_argument(&out))
            .arg("Containers");
        let ran = limited.output().unwrap();
        let err = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(
            (ran.status.code(), String::from_utf8_lossy(&ran.stdout).into_owned()),
            (plain.status, plain.out)
        );
        assert_eq!(err.matches("dynaflow: recording stopped: ").count(), 1, "{err}");
        assert!(err.contains("the program goes on") && err.lines().count() == 1, "{err}");
        let file = &dynaflow_trace::trace_files(&[bench.traces()]).unwrap()[0];
        let (recording, state) = dynaflow_trace::read(file).unwrap();
        assert!(
            matches!(state, ReadState::CutAt(_)) && recording.classes.contains_key("Containers"),
            "{state:?}"
        );
    }
}
