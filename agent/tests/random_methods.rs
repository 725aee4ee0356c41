//! Random valid methods, made of bytes, under the real agent: they verify, give the same results, throw the same exceptions
//! and leave the same state as without it, on every JDK, and the trace has nothing that was not understood: the same
//! facts, whether accesses are recorded together or one by one.

mod support;

use dynaflow_tests::random::class::random_class;
use std::collections::BTreeSet;
use std::path::Path;
use support::{Bench, in_lines, is_of_block, java_homes};

#[test]
fn random_methods_verify_and_behave_under_the_agent_as_without_it() {
    let slow = dynaflow_tests::slow();
    // Other classes than those that are woven in every way by the test of this name in `tests`.
    let (first, last) = (100_001_u64, if slow { 100_400 } else { 100_020 });
    for home in java_homes() {
        let java = "../../../tests/corpus/java";
        let sources = ["RandomBase", "RandomRun"].map(|name| format!("{java}/{name}.java"));
        let bench = Bench::new(&home, &[&sources[0], &sources[1]], &[]);
        for seed in first..=last {
            // Every JDK the agent is for knows version 52.
            let (name, bytes) = random_class(seed, 22, 52);
            std::fs::write(bench.folder().join("classes").join(format!("{name}.class")), bytes).unwrap();
        }
        let range = [first.to_string(), last.to_string()];
        let outcome = |file: &str| std::fs::read_to_string(bench.folder().join(file)).unwrap();
        let plain = bench.plain(&["-Xss2m", "RandomRun", "plain.txt", &range[0], &range[1]]);
        assert_eq!(plain.out, "done\n", "{}", plain.err);
        let expected = outcome("plain.txt");
        assert!(expected.lines().count() > 400, "only {} methods ran", expected.lines().count());
        let mut facts = vec![];
        for options in ["", "carve=true", "blocks=true"] {
            let file = "recorded.txt";
            let ran = bench.recorded(options, &["-Xss2m", "RandomRun", file, &range[0], &range[1]]);
            assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (Some(0), "done\n", ""));
            assert_same(&expected, &outcome(file), &home);
            let recording = ran.recording();
            assert!(recording.declined.is_empty(), "{:#?}", recording.declined);
            assert!(recording.notes.is_empty(), "{:#?}", recording.notes);
            let lines = in_lines(&recording).into_iter();
            facts.push(lines.filter(|line| !is_of_block(line)).collect::<BTreeSet<_>>());
        }
        // With blocks every access is recorded alone.
        assert!(facts[0].len() > 100, "{:#?}", facts[0]);
        assert_eq!(facts[0], facts[2], "on {}", home.display());
    }
}

fn assert_same(expected: &str, found: &str, home: &Path) {
    for (before, after) in expected.lines().zip(found.lines()) {
        assert_eq!(before, after, "on {}", home.display());
    }
    assert_eq!(expected.lines().count(), found.lines().count());
}
