//! What is seen of effects: the rules for places, temporary files, links, threads and bounds, case by case, in `Outside.java`,
//! with the JDK's own methods hooked. It does not know what is done with what is seen.
#![allow(clippy::unwrap_used, reason = "a test may")]

mod support;

use support::{Bench, java_homes_since};

#[test]
fn what_a_test_does_beyond_its_objects_is_seen_and_what_it_does_with_its_own_files_is_not() {
    for home in java_homes_since(17, "effects are observed by `dynaflow augment` alone") {
        let bench = Bench::new(&home, &["Outside.java"], &[]);
        std::fs::create_dir(bench.folder().join("tmp")).unwrap();
        let tmp = format!("-Djava.io.tmpdir={}", bench.folder().join("tmp").display());
        let ran = bench.recorded("effects=true", &[&tmp, "Outside"]);
        assert_eq!((ran.status, ran.out.as_str()), (Some(0), "ok\n"), "{}: {}", home.display(), ran.err);
        let recording = ran.recording();
        assert!(recording.notes.is_empty(), "{:?}", recording.notes);
        let hidden: Vec<_> = recording.declined.iter().filter(|d| !d.class.starts_with("Outside")).collect();
        assert!(hidden.is_empty(), "methods that could not be hooked: {hidden:?}");
    }
}

#[test]
fn without_the_option_no_method_of_the_jdk_is_hooked() {
    for home in java_homes_since(17, "effects are observed by `dynaflow augment` alone") {
        let bench = Bench::new(&home, &["Outside.java"], &[]);
        let ran = bench.recorded("", &["Outside"]);
        assert!(
            ran.out.ends_with("wrong\n") && ran.out.contains("a host: seen []"),
            "{}{}",
            ran.out,
            ran.err
        );
    }
}
