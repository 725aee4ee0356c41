//! Merging is a set union. Knows nothing of harmed files. Invariant: compared are meanings and bytes, never ids.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod common;

use common::{arbitrary, coverage_run, hash, meaning, sample};
use dynaflow_model::coverage::{CoverageRun, Sought};
use dynaflow_model::facts::{Recording, TestEnd, WitnessFact};
use dynaflow_model::options::Arrays;
use dynaflow_trace::{TraceError, canonical, merge, read_all, trace_files, write};
use std::fs;

fn merged(parts: &[&Recording]) -> Recording {
    let mut all = Recording::default();
    parts.iter().for_each(|part| merge(&mut all, part).unwrap());
    all
}

#[test]
fn merging_is_commutative_associative_and_idempotent() {
    arbtest::arbtest(|u| {
        let (a, b, c) = (arbitrary(u)?, arbitrary(u)?, arbitrary(u)?);
        let abc = meaning(&merged(&[&a, &b, &c]));
        assert_eq!(abc, meaning(&merged(&[&c, &b, &a])), "order");
        assert_eq!(abc, meaning(&merged(&[&a, &merged(&[&b, &c])])), "grouping");
        assert_eq!(abc, meaning(&merged(&[&a, &b, &c, &a, &c])), "repetition");
        Ok(())
    });
}

#[test]
fn a_merged_recording_has_every_fact_of_its_parts_and_no_other() {
    arbtest::arbtest(|u| {
        let (a, b) = (arbitrary(u)?, arbitrary(u)?);
        let all = merged(&[&a, &b]);
        let texts = |r: &Recording| {
            let mut lines: Vec<String> = r.facts.pairs.iter().map(|(_, p)| spelled(r, p)).collect();
            lines.sort();
            lines
        };
        let mut expected = [texts(&a), texts(&b)].concat();
        expected.sort();
        expected.dedup();
        assert_eq!(texts(&all), expected);
        Ok(())
    });
}

/// A pair spelled out with the interned values in place of ids: what an independent reader of the table would print.
fn spelled(r: &Recording, pair: &dynaflow_model::facts::Pair) -> String {
    let f = &r.facts;
    let method = |id| {
        let m = f.methods.get(id).unwrap();
        format!("{}#{}", f.text(m.class), f.text(m.signature))
    };
    let place = |id| {
        let p = f.places.get(id).unwrap();
        format!("{}@{}:{}", method(p.method), p.offset, p.line)
    };
    let context = |id| {
        let c = f.contexts.get(id).unwrap();
        let names: Vec<_> = c.head.iter().chain(&c.tail).map(|&m| method(m)).collect();
        format!("{names:?}{}", c.cut)
    };
    let v = f.variables.get(pair.variable).unwrap();
    let steps: Vec<String> = v
        .steps
        .iter()
        .map(|s| match s {
            dynaflow_model::facts::Step::Field { class, name } => {
                format!("{}.{}", f.text(*class), f.text(*name))
            }
            dynaflow_model::facts::Step::Element => "[]".to_owned(),
        })
        .collect();
    let d = f.definitions.get(pair.definition).unwrap();
    let u = f.uses.get(pair.usage).unwrap();
    format!(
        "{} {steps:?} {} {:?} {} {} {}",
        f.text(v.root),
        place(d.place),
        d.kind,
        context(d.context),
        place(u.place),
        context(u.context)
    )
}

#[test]
fn merged_files_are_the_same_bytes_in_whatever_order_they_are_given() {
    let folder = tempfile::tempdir().unwrap();
    arbtest::arbtest(|u| {
        let paths: Vec<_> =
            ["a", "b", "c"].iter().map(|n| folder.path().join(format!("{n}.trace"))).collect();
        for path in &paths {
            write(path, &arbitrary(u)?).unwrap();
        }
        let bytes_of = |order: [usize; 3]| {
            let all = order.iter().fold(Recording::default(), |mut all, &i| {
                merge(&mut all, &dynaflow_trace::read(&paths[i]).unwrap().0).unwrap();
                all
            });
            let out = folder.path().join("out");
            write(&out, &all).unwrap();
            fs::read(&out).unwrap()
        };
        assert_eq!(bytes_of([0, 1, 2]), bytes_of([2, 0, 1]));
        Ok(())
    });
}

#[test]
fn runs_of_one_test_are_united_and_end_as_the_worst_of_them() {
    let mut a = sample();
    a.tests.truncate(1);
    a.tests[0].carved = None;
    a.tests[0].witnesses.clear();
    let mut b = a.clone();
    a.tests[0].entries.clear();
    a.tests[0].end = TestEnd::Returned;
    b.tests[0].exits.clear();
    b.tests[0].end = TestEnd::Threw;
    let all = canonical(&merged(&[&a, &b]));
    assert_eq!(all.tests.len(), 1);
    let test = &all.tests[0];
    assert_eq!((test.exits.len(), test.entries.len()), (a.tests[0].exits.len(), b.tests[0].entries.len()));
    assert_eq!(test.end, TestEnd::Threw);
}

#[test]
fn a_parameterised_test_keeps_the_calls_of_each_of_its_runs_with_their_own_witnesses() {
    let mut a = sample();
    a.tests.retain(|t| t.carved.is_some());
    a.tests.truncate(1);
    let mut b = a.clone();
    b.tests[0].carved.as_mut().unwrap().sequence.statements.truncate(1);
    b.tests[0].witnesses.retain(|w| matches!(w.fact, WitnessFact::Pair(_)));
    let all = merged(&[&a, &b]);
    assert_eq!(
        all.tests.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(),
        vec![a.tests[0].name.as_str(); 2]
    );
    assert_eq!(all.tests[0].witnesses.len(), b.tests[0].witnesses.len());
    assert_eq!(all.tests[1].witnesses.len(), a.tests[0].witnesses.len());
}

#[test]
fn two_builds_of_a_class_are_refused_by_name_hash_and_file() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("one.trace"), folder.path().join("two.trace"));
    let mut recording = sample();
    write(&first, &recording).unwrap();
    recording.classes.insert("a.A".to_owned(), hash(9));
    write(&second, &recording).unwrap();
    let error = read_all(&[folder.path().to_owned()]).unwrap_err();
    assert!(matches!(error, TraceError::TwoBuilds { .. }));
    let text = error.to_string();
    for part in ["a.A", "one.trace", "two.trace", &hash(1).to_string(), &hash(9).to_string()] {
        assert!(text.contains(part), "{part} is missing in: {text}");
    }
    let mut into = sample();
    let before = meaning(&into);
    assert!(merge(&mut into, &recording).is_err());
    assert_eq!(meaning(&into), before);
}

#[test]
fn coverage_of_two_runs_is_their_union_and_what_each_selected_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    for (name, include, ids) in [("one", "a.**", [1, 2]), ("two", "b.**", [2, u64::MAX])] {
        let mut part = Recording::default();
        part.coverage.runs.insert(coverage_run(include));
        part.coverage.covered.extend(ids);
        write(&folder.path().join(format!("{name}.trace")), &part).unwrap();
    }
    let coverage = read_all(&[folder.path().to_owned()]).unwrap().recording.coverage;
    assert_eq!(coverage.covered.into_iter().collect::<Vec<_>>(), [1, 2, u64::MAX]);
    assert_eq!(coverage.runs, [coverage_run("a.**"), coverage_run("b.**")].into());
}

#[test]
fn coverage_of_associations_sought_in_two_ways_is_refused_by_option_and_file() {
    let folder = tempfile::tempdir().unwrap();
    for (name, arrays) in [("one", Arrays::Reference), ("two", Arrays::Whole)] {
        let mut part = Recording::default();
        let sought = Sought { arrays, exception_edges: true };
        part.coverage.runs.insert(CoverageRun { sought, ..coverage_run("a.**") });
        write(&folder.path().join(format!("{name}.trace")), &part).unwrap();
    }
    let error = read_all(&[folder.path().to_owned()]).unwrap_err();
    assert!(matches!(error, TraceError::TwoWays { .. }));
    let text = error.to_string();
    for part in ["arrays=reference", "arrays=whole", "one.trace", "two.trace", "same options"] {
        assert!(text.contains(part), "{part} is missing in: {text}");
    }
}

#[test]
fn folders_are_searched_for_traces_and_a_file_meant_twice_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("module/traces");
    fs::create_dir_all(&deep).unwrap();
    fs::write(folder.path().join("notes.txt"), "no trace").unwrap();
    let file = deep.join("x.trace");
    write(&file, &sample()).unwrap();
    let found = trace_files(&[folder.path().to_owned(), file.clone(), deep.clone()]).unwrap();
    assert_eq!(found.len(), 1);
    let merged = read_all(&[folder.path().to_owned(), file]).unwrap();
    assert_eq!(merged.recording.bounds, sample().bounds);
    assert_eq!(merged.recording.effort, sample().effort);
    assert_eq!(merged.recording.thinned, sample().thinned);
    let empty = tempfile::tempdir().unwrap();
    let error = trace_files(&[empty.path().to_owned()]).unwrap_err().to_string();
    assert!(error.contains("*.trace") && error.contains("out="), "{error}");
    let missing = trace_files(&[empty.path().join("none")]).unwrap_err().to_string();
    assert!(missing.contains("none: cannot open"), "{missing}");
}

#[test]
fn what_is_no_file_is_no_trace_whatever_its_name_and_nobody_waits_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("x.trace");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let _listener = std::os::unix::net::UnixListener::bind(folder.path().join("y.trace")).unwrap();
    std::os::unix::fs::symlink(&pipe, folder.path().join("z.trace")).unwrap();
    let error = trace_files(&[folder.path().to_owned()]).unwrap_err().to_string();
    assert!(error.contains("no file named *.trace"), "{error}");
    let error = read_all(&[pipe]).unwrap_err().to_string();
    assert!(error.contains("x.trace") && error.contains("no dynaflow trace"), "{error}");
    let file = folder.path().join("t.trace");
    write(&file, &sample()).unwrap();
    std::os::unix::fs::symlink(&file, folder.path().join("link.trace")).unwrap();
    assert_eq!(trace_files(&[folder.path().to_owned()]).unwrap().len(), 1);
}

#[test]
fn an_empty_file_in_place_of_the_folder_becomes_the_trace_and_another_one_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("made.trace");
    fs::write(&file, "").unwrap();
    let writer = dynaflow_trace::TraceWriter::create_in(&file, 7).unwrap();
    assert_eq!(writer.path(), file);
    drop(writer);
    assert!(fs::metadata(&file).unwrap().len() > 0);
    let error = dynaflow_trace::TraceWriter::create_in(&file, 7).unwrap_err().to_string();
    assert!(error.contains("made.trace: cannot begin a trace"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn what_is_no_file_is_not_replaced_by_a_trace_and_a_failure_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let error = write(&socket, &sample()).unwrap_err().to_string();
    assert!(error.contains("socket") && error.contains("no regular file"), "{error}");
    assert!(write(&folder.path().join("none/t.trace"), &sample()).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    // A link stays a link to the file that is written.
    let (file, link) = (folder.path().join("t.trace"), folder.path().join("link"));
    fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    write(&link, &sample()).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(dynaflow_trace::read(&file).unwrap().0.tests.len(), sample().tests.len());
}
