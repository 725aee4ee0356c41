//! The real compiler: class files, errors with their place, trying again without the offending source.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot be set up fails")]

mod jvm_support;

use dynaflow_augmenter::jvm::javac::{Compilation, JavacError, SourceWarning, compile};
use dynaflow_augmenter::jvm::jdk::Jdk;
use dynaflow_augmenter::jvm::process::Stop;
use jvm_support::jdks;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn check(jdk: &Jdk, sources: &[PathBuf], out: &std::path::Path) -> Result<Vec<SourceWarning>, JavacError> {
    let stop = Stop::default();
    compile(&Compilation {
        jdk,
        class_path: &[],
        sources,
        out,
        release: Some(8),
        limit: Duration::from_secs(300),
        stop: &stop,
    })
}

#[test]
fn errors_name_file_and_line_and_the_rest_compiles_without_them() {
    for jdk in jdks() {
        let dir = tempfile::tempdir().unwrap();
        let source = |folder: &str, text: &str| {
            let folder = dir.path().join(folder);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join("T.java"), text).unwrap();
            folder.join("T.java")
        };
        // The same file name thrice, a space and an umlaut in the path: only their whole paths differ.
        let good = source("a ä", "package a;\npublic class T { String s = \"ü\"; }\n");
        let bad = source("b", "package b;\nclass T {\n  int f() { return \"x\"; }\n}\n");
        let worse = source("c", "package c;\nclass T {\n  Gone g;\n  int h() { return gone(); }\n}\n");
        let out = dir.path().join("out");
        let error = check(&jdk, &[good.clone(), bad.clone(), worse.clone()], &out).unwrap_err();
        let JavacError::Sources(errors) = &error else { panic!("{error}") };
        let places: Vec<_> = errors.iter().map(|e| (e.file.clone(), e.line)).collect();
        assert_eq!(places, [(worse.clone(), 3), (bad, 3), (worse, 4)], "{errors:#?}");
        assert!(errors[0].message.starts_with("cannot find symbol\n  Gone g;"), "{errors:#?}");
        check(&jdk, &[good], &out).unwrap();
        assert!(out.join("a/T.class").is_file());
    }
}

#[test]
fn a_compiler_that_fails_otherwise_says_so() {
    for jdk in jdks() {
        let dir = tempfile::tempdir().unwrap();
        let error = check(&jdk, &[dir.path().join("Gone.java")], &dir.path().join("out")).unwrap_err();
        assert!(matches!(error, JavacError::Other(_)) && error.to_string().contains("Gone.java"), "{error}");
    }
}

#[test]
fn a_compiler_that_hangs_is_ended_with_what_it_started_and_the_error_names_the_limit() {
    for jdk in jdks() {
        let dir = tempfile::tempdir().unwrap();
        let source = dir.path().join("T.java");
        fs::write(&source, "class T { }").unwrap();
        let javac = dir.path().join("bin/javac");
        fs::create_dir(dir.path().join("bin")).unwrap();
        // What it starts holds the pipe that its messages come through.
        fs::write(&javac, "#!/bin/sh\nsleep 600 &\nwait\n").unwrap();
        fs::set_permissions(&javac, fs::Permissions::from_mode(0o755)).unwrap();
        let slow = Jdk { home: dir.path().to_owned(), ..jdk };
        let (began, limit, stop) = (Instant::now(), Duration::from_secs(1), Stop::default());
        let (sources, out) = ([source], dir.path().join("out"));
        let job = Compilation {
            jdk: &slow,
            class_path: &[],
            sources: &sources,
            out: &out,
            release: None,
            limit,
            stop: &stop,
        };
        let error = compile(&job).unwrap_err();
        assert!(matches!(error, JavacError::TimedOut { sources: 1, .. }), "{error}");
        assert_eq!(error.to_string(), "javac had not compiled 1 sources after 1 s and was ended");
        assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    }
}
