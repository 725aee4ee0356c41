//! Woven classes against the JVM's verifier: every class of the JDK and of well-known jars links exactly as the untouched
//! class does, with `-Xverify:all`, on every JDK given. It knows outcomes of linking, not behaviour (see `corpus_run`).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

#[path = "../corpus/support.rs"]
#[allow(dead_code, reason = "each corpus test uses a part of what they share")]
mod support;

use dynaflow_tests::slow;
use std::path::{Path, PathBuf};
use support::{Tools, UPDATES, VARIANTS, Variant, assert_same, java_homes, run, version};

/// Jars of many compilers and ages; the first two are the sample of every run.
const JARS: &[&str] = &[
    "commons-lang",
    "gson-2.11.0",
    "guava",
    "commons-lang3-3.14.0",
    "commons-collections",
    "commons-collections4",
    "commons-io",
    "jackson-core",
    "jackson-annotations",
    "jackson-databind",
    "joda-convert",
    "joda-time",
    "asm",
    "asm-tree",
    "jsoup-1.18.1",
    "commons-math3-3.6.1",
    "h2",
    "kotlin-stdlib",
    "scala-library",
    "clojure",
    "groovy",
    "bcprov-jdk18on",
    "xercesImpl",
    "spring-core",
    "spring-beans",
    "spring-context",
    "hibernate-core",
    "netty-common",
    "netty-buffer",
    "netty-handler",
    "log4j-api",
    "log4j-core",
    "logback-core",
    "logback-classic",
    "slf4j-api-2.0.16",
    "assertj-core-3.26.3",
    "hamcrest",
    "mockito-core-4.11.0",
    "byte-buddy-1.12.19",
    "protobuf-java",
    "guice",
    "lucene-core",
    "antlr4-runtime",
    "snakeyaml",
    "okhttp",
    "okio-jvm",
    "jersey-common",
    "jersey-server",
    "tomcat-embed-core",
    "rxjava",
    "reactor-core",
    "javassist",
    "postgresql",
    "kafka-clients",
    "caffeine",
    "kotlinx-coroutines-core-jvm",
    "scala3-library_3",
    "aspectjweaver",
];

/// The smallest and the largest way to record; the one between adds nothing the largest does not have. And coverage.
fn variants() -> Vec<Variant> {
    let all = [VARIANTS[0], VARIANTS[2], UPDATES[0], UPDATES[1]];
    if slow() { all.to_vec() } else { all[..3].to_vec() }
}

/// Only what is at the limits of class files already may be left out, and that is little.
fn assert_few_declined(what: &str, classes: usize, declined: &[String]) {
    let limits = ["65535 bytes", "constant pool is full", "longer than the JVM compiles"];
    let limit = |reason: &String| limits.iter().any(|limit| reason.contains(limit));
    let odd: Vec<&String> = declined.iter().filter(|reason| !limit(reason)).collect();
    assert!(odd.is_empty(), "{what}: {odd:#?}");
    assert!(declined.len() * 50 <= classes, "{what}: {} of {classes} declined", declined.len());
}

fn link_jars(tools: &Tools, jars: &[PathBuf], out: &Path) {
    let mut command = tools.java();
    command.args(["-Xverify:all", &tools.patch(), "-cp"]).arg(&tools.classes);
    run(command.args(["Corpus", "jars"]).arg(out).args(jars));
}

#[test]
fn woven_jars_link_exactly_as_untouched_ones() {
    let names = if slow() { JARS } else { &JARS[..2] };
    let jars: Vec<PathBuf> = names.iter().map(|name| support::jar(name)).collect();
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let tools = Tools::new(&home, folder.path());
        let control = folder.path().join("control");
        link_jars(&tools, &jars, &control);
        for variant in variants() {
            let (mut woven, mut count, mut declined) = (Vec::new(), 0, Vec::new());
            for jar in &jars {
                let to = folder.path().join(jar.file_name().unwrap());
                let (classes, reasons) = variant.weave_archive(jar, &to, &[]);
                count += classes;
                declined.extend(reasons);
                woven.push(to);
            }
            let outcome = folder.path().join(variant.name);
            link_jars(&tools, &woven, &outcome);
            let what = format!("jars on {} woven {}", version(&home).0, variant.name);
            let linked = assert_same(&what, &control, &outcome);
            assert_few_declined(&what, count, &declined);
            println!(
                "{what}: {} jars, {count} classes woven, {linked} linked alike, {} of them without an error, {} methods \
                 declined",
                jars.len(),
                linked_well(&outcome),
                declined.len()
            );
        }
    }
}

/// How many classes of a report linked: the others miss classes of jars that are not there, woven or not.
fn linked_well(report: &Path) -> usize {
    support::report(report).values().filter(|(kind, _)| kind == "ok").count()
}

/// A JVM all of whose classes are woven, those it starts with included.
fn link_modules(tools: &Tools, patches: &[String], modules: &[String], out: &Path) {
    let mut command = tools.java();
    command
        .arg("-Xverify:all")
        .args(patches)
        .args(["--add-modules", "ALL-SYSTEM", "-cp"])
        .arg(&tools.classes);
    run(command.args(["Corpus", "modules"]).arg(out).args(modules));
}

#[test]
fn a_jdk_woven_from_java_lang_object_on_starts_and_links_exactly_as_an_untouched_one() {
    for home in java_homes() {
        let folder = tempfile::tempdir().unwrap();
        let tools = Tools::new(&home, folder.path());
        let mut modules = tools.modules();
        if !slow() {
            modules.retain(|name, _| name == "java.base");
        }
        let names: Vec<String> = modules.keys().cloned().collect();
        let control = folder.path().join("control");
        link_modules(&tools, &[tools.patch()], &names, &control);
        for variant in variants() {
            let (mut patches, mut count, mut declined) = (Vec::new(), 0, Vec::new());
            for (name, archive) in &modules {
                let to = folder.path().join(format!("{name}.jar"));
                let called = ["java/lang/DynaflowRecorder.class", "java/lang/DynaflowCoverage.class"];
                let extra = called.map(|class| (class, tools.recorder.join(class)));
                let extra: Vec<(&str, &Path)> = extra.iter().map(|(name, path)| (*name, &**path)).collect();
                let extra = if name == "java.base" { &extra[..] } else { &[] };
                let (classes, reasons) = variant.weave_archive(archive, &to, extra);
                count += classes;
                declined.extend(reasons);
                patches.push(format!("--patch-module={name}={}", to.display()));
            }
            let outcome = folder.path().join(variant.name);
            link_modules(&tools, &patches, &names, &outcome);
            let what = format!("JDK {} woven {}", version(&home).0, variant.name);
            let linked = assert_same(&what, &control, &outcome);
            assert_few_declined(&what, count, &declined);
            println!(
                "{what}: {count} classes woven, {linked} linked alike, {} methods declined",
                declined.len()
            );
        }
    }
}
