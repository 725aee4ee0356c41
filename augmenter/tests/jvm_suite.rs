//! Suites of JUnit 3, 4 and 5 in real JVMs: verdicts, order, and what is kept when the JVM ends early.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot be set up fails")]

mod jvm_support;

use dynaflow_augmenter::jvm::sandbox::Confinement;
use dynaflow_augmenter::jvm::suite::{
    Ended, Failure, SuiteConfig, SuiteReport, TestSelector, Verdict, discover, run,
};
use dynaflow_model::frameworks::Runner;
use jvm_support::{Lab, jdks};
use std::time::{Duration, Instant};

const JUNIT4: [&str; 2] = ["junit-4.13.2", "hamcrest-core-1.3"];
const JUNIT5: [&str; 1] = ["junit-platform-console-standalone-1.11.4"];

fn junit4(check: impl Fn(&Lab)) {
    jdks().iter().for_each(|jdk| check(&Lab::new(jdk, "junit4", &JUNIT4)));
}

fn junit5(check: impl Fn(&Lab)) {
    jdks().iter().for_each(|jdk| check(&Lab::new(jdk, "junit5", &JUNIT5)));
}

fn config(lab: &Lab, tests: &[&str]) -> SuiteConfig {
    let tests = tests.iter().map(|text| TestSelector::parse(text)).collect();
    SuiteConfig { jvm: lab.jvm(), tests, timeout: Duration::from_secs(60), silence: None, probes: 0 }
}

fn report(lab: &Lab, tests: &[&str]) -> SuiteReport {
    run(&config(lab, tests)).unwrap()
}

#[track_caller]
fn failure<'a>(report: &'a SuiteReport, test: &str) -> &'a Failure {
    match report.verdicts.get(test) {
        Some(Verdict::Failed(failure)) => failure,
        other => panic!("{test}: {other:?} in {report:#?}"),
    }
}

#[track_caller]
fn skipped<'a>(report: &'a SuiteReport, test: &str) -> &'a str {
    match report.verdicts.get(test) {
        Some(Verdict::Skipped(why)) => why,
        other => panic!("{test}: {other:?} in {report:#?}"),
    }
}

#[test]
fn junit_4_and_3_classes_run_with_all_kinds_of_verdicts() {
    junit4(|lab| {
        let report = report(lab, &["suite.VintageTest", "suite.ClassicTest", "suite.SickTest"]);
        assert_eq!(report.ended, Ended::Completed, "{report:#?}");
        assert_eq!(report.troubles, Vec::<String>::new());
        let passed: Vec<_> = report.passed().collect();
        assert_eq!(
            passed,
            [
                "suite.ClassicTest#testReady",
                "suite.VintageTest#asserts",
                "suite.VintageTest#expects",
                "suite.VintageTest#inherited",
                "suite.VintageTest#passes",
            ]
        );
        let fails = failure(&report, "suite.VintageTest#fails");
        assert_eq!(
            (fails.class.as_str(), fails.message.as_str()),
            ("java.lang.IllegalStateException", "line one\nline two")
        );
        assert!(fails.stack[0].starts_with("suite.VintageTest.fails(VintageTest.java:"), "{:?}", fails.stack);
        assert_eq!(skipped(&report, "suite.VintageTest#ignored"), "ignored");
        assert!(skipped(&report, "suite.VintageTest#assumes").contains("not here"));
        let fails = failure(&report, "suite.ClassicTest#testFails");
        assert!(fails.message.contains("tab\there"), "{fails:?}");
        assert_eq!(failure(&report, "suite.SickTest").message, "no preparation");
        assert!(report.output_tail.contains("printed by a test"));
        assert!(!report.is_green());
    });
}

#[test]
fn junit_5_classes_run_with_all_kinds_of_verdicts() {
    junit5(|lab| {
        let report = report(lab, &["suite.ModernTest", "suite.DisabledTest", "suite.SickTest"]);
        assert_eq!((&report.ended, report.troubles.len()), (&Ended::Completed, 0), "{report:#?}");
        let passed: Vec<_> = report.passed().collect();
        assert_eq!(
            passed,
            ["suite.ModernTest#parameters", "suite.ModernTest#passes", "suite.ModernTest$Inside#deep"]
        );
        assert_eq!(failure(&report, "suite.ModernTest#fails").class, "org.opentest4j.AssertionFailedError");
        assert!(failure(&report, "suite.ModernTest#repeats").message.contains("second"));
        assert_eq!(skipped(&report, "suite.ModernTest#disabled"), "later");
        assert!(skipped(&report, "suite.ModernTest#assumes").contains("not here"));
        assert_eq!(skipped(&report, "suite.DisabledTest#never"), "all of it");
        assert_eq!(failure(&report, "suite.SickTest").message, "no preparation");
    });
}

#[test]
fn methods_run_in_the_order_given() {
    let order =
        ["suite.OrderTest#c", "suite.OrderTest#a", "suite.ClassicTest#testReady", "suite.OrderTest#b"];
    junit4(|lab| {
        let report = report(lab, &order);
        assert_eq!(report.order, order);
        assert!(report.is_green(), "{report:#?}");
    });
    let order = ["suite.ModernTest#passes", "suite.ModernTest#parameters", "suite.ModernTest$Inside#deep"];
    junit5(|lab| {
        let report = report(lab, &order);
        assert_eq!(report.order, order);
        assert!(report.is_green(), "{report:#?}");
    });
}

#[test]
fn runs_of_one_method_share_its_name_and_the_worst_counts() {
    junit4(|lab| {
        let whole = report(lab, &["suite.ParameterizedTest"]);
        assert_eq!(
            whole.verdicts.keys().collect::<Vec<_>>(),
            ["suite.ParameterizedTest#odd", "suite.ParameterizedTest#small"]
        );
        assert_eq!(whole.verdicts["suite.ParameterizedTest#small"], Verdict::Passed);
        failure(&whole, "suite.ParameterizedTest#odd");
        let one = report(lab, &["suite.ParameterizedTest#small"]);
        assert_eq!(one.passed().collect::<Vec<_>>(), ["suite.ParameterizedTest#small"]);
        assert!(one.is_green(), "{one:#?}");
    });
}

#[test]
fn a_jvm_that_exits_or_hangs_loses_no_verdict() {
    junit4(|lab| {
        let exited = report(lab, &["suite.OrderTest", "suite.EndsTest"]);
        assert_eq!(exited.ended, Ended::Exited("exit status: 5".into()));
        assert_eq!(exited.verdicts["suite.EndsTest#aFine"], Verdict::Passed);
        assert_eq!(exited.verdicts["suite.EndsTest#bExits"], Verdict::Unfinished);
        assert_eq!(exited.passed().count(), 4);
        let mut config = config(lab, &["suite.OrderTest#a", "suite.EndsTest#cHangs", "suite.OrderTest#b"]);
        config.timeout = Duration::from_secs(3);
        let start = Instant::now();
        let hung = run(&config).unwrap();
        assert!(start.elapsed() < Duration::from_secs(8));
        assert_eq!(hung.ended, Ended::TimedOut);
        assert_eq!(hung.verdicts["suite.OrderTest#a"], Verdict::Passed);
        assert_eq!(hung.verdicts["suite.EndsTest#cHangs"], Verdict::Unfinished);
        assert!(!hung.verdicts.contains_key("suite.OrderTest#b"));
    });
}

#[test]
fn what_cannot_be_run_is_named_with_a_remedy() {
    junit4(|lab| {
        let report =
            report(lab, &["suite.Gone", "suite.OrderTest#z", "suite.VintageBase", "suite.OrderTest#a"]);
        assert_eq!(report.ended, Ended::Completed);
        let expected = [
            "suite.Gone is not on",
            "there is no test z in suite.OrderTest",
            "suite.VintageBase has no tests",
        ];
        assert_eq!(report.troubles.len(), 3, "{report:#?}");
        for (trouble, part) in report.troubles.iter().zip(expected) {
            assert!(trouble.contains(part), "{trouble}");
        }
        assert_eq!(report.verdicts.len(), 1);
    });
    junit5(|lab| {
        // The API alone, as on a class path made for compiling.
        let api = jvm_support::jar("junit-jupiter-api-5.11.4");
        let others =
            ["junit-platform-commons-1.11.4", "apiguardian-api-1.1.2", "junit-jupiter-params-5.11.4"];
        let others = others.iter().map(|name| jvm_support::jar(name));
        let mut config = config(lab, &["suite.ModernTest"]);
        config.jvm.class_path = vec![lab.class_path[0].clone(), api];
        config.jvm.class_path.extend(others);
        let report = run(&config).unwrap();
        assert!(report.troubles[0].contains("add org.junit.platform:junit-platform-launcher"), "{report:#?}");
    });
}

#[test]
fn generated_tests_run_confined_and_own_tests_unconfined_in_their_folder() {
    junit4(|lab| {
        let mut config = config(lab, &["suite.OrderTest"]);
        assert_eq!(config.jvm.confinement, Confinement::Required);
        assert!(run(&config).unwrap().is_green());
        config.jvm.confinement = Confinement::None;
        config.jvm.working_dir = Some(lab.dir.path().to_owned());
        assert!(run(&config).unwrap().is_green());
    });
}

#[test]
fn test_classes_are_found_without_initialising_any() {
    let names = |list: &[&str]| list.iter().map(|name| format!("suite.{name}")).collect::<Vec<_>>();
    junit4(|lab| {
        let all = names(&["ClassicTest", "Gone", "ParameterizedTest", "Plain", "VintageBase", "VintageTest"]);
        let found = discover(&lab.jvm(), &all, Duration::from_secs(30)).unwrap();
        let expected = names(&["ClassicTest", "ParameterizedTest", "VintageTest"]);
        assert_eq!(found.tests.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), expected);
        assert!(found.tests.iter().all(|(_, runner)| *runner == Runner::JUnit4));
        assert_eq!(found.troubles, ["suite.Gone is not on the class path"]);
    });
    junit5(|lab| {
        let all = names(&["ModernTest", "ModernTest$Inside"]);
        let found = discover(&lab.jvm(), &all, Duration::from_secs(30)).unwrap();
        assert_eq!(found.tests, [("suite.ModernTest".into(), Runner::Platform)]);
    });
}

#[test]
fn classes_of_testng_are_known_by_their_methods_and_as_wholes() {
    for jdk in jdks() {
        let lab = Lab::new(&jdk, "testng", &JUNIT4);
        let names = ["suite.PartTest", "suite.WholeTest"].map(str::to_owned);
        let found = discover(&lab.jvm(), &names, Duration::from_secs(30)).unwrap();
        assert_eq!(found.tests, names.map(|name| (name, Runner::TestNg)));
    }
}
