//! scratch
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "x")]
#[allow(dead_code)]
mod support;
use dynaflow_classfile::ClassFile;
use dynaflow_solve::dalgorithm::{self, Limits, Steps};
use dynaflow_solve::{Bounds, Problem, Verdict, whole};
use support::{Subject, compile, java_folder, java_homes, solver};

#[test]
fn scratch() {
    let subjects = [
        ("Example", "function"), ("FindLast", "findLast"), ("CountPositive", "countPositive"), ("NumZero", "numZero"),
        ("Triang", "triang"), ("ReachNumber", "reachNumber"), ("SwitchButton", "switchButton"), ("IsPalindrome", "isPalindrome"), ("ReverseInteger", "reverseInteger"),
    ];
    let only = std::env::var("ONLY").unwrap_or_default();
    for (class, method) in subjects {
        if !only.is_empty() && only != class { continue; }
        let folder = tempfile::tempdir().unwrap();
        compile(&java_homes()[0], &[java_folder().join(format!("subjects/{class}.java"))], folder.path());
        let subject = Subject::read(folder.path(), class);
        let parsed = ClassFile::parse(&subject.bytes).unwrap();
        let (mut one, mut two) = (solver(), solver());
        let start = std::time::Instant::now();
        let mut times = (0.0, 0.0);
        let mut table = std::collections::BTreeMap::new();
        for mutant in subject.found.mutants.iter().filter(|m| m.method == method) {
            let kind = |v: &Verdict| match v { Verdict::Test(_) => "test".to_owned(), Verdict::Equivalent(s) => format!("equivalent {s:?}"), Verdict::RunsOn(_) => "runs on".into(), Verdict::Undecided(_) => "undecided".into() };
            let mut problem = Problem::of_mutant(&parsed, mutant, Bounds::default()).unwrap();
            let t = std::time::Instant::now();
            let mut steps = if only.is_empty() { Steps::default() } else { Steps::kept() };
            let d = dalgorithm::solve(&mut problem, &mut one, Limits::default(), &mut steps).unwrap();
            times.0 += t.elapsed().as_secs_f64();
            let t = std::time::Instant::now();
            let mut problem = Problem::of_mutant(&parsed, mutant, Bounds::default()).unwrap();
            let w = if std::env::var_os("WHOLE").is_some() { whole::solve(&mut problem, &mut two).unwrap() } else { Verdict::Undecided("-".into()) };
            times.1 += t.elapsed().as_secs_f64();
            if !only.is_empty() { println!("== {} line {} {}\n{:?}\n{:?}\n{}", mutant.description, mutant.line, mutant.operator.name(), d, w, steps.lines().join("\n")); }
            *table.entry((kind(&d), kind(&w))).or_insert(0) += 1;
        }
        println!("{class}: {:?} queries {} / {}, {:?} {:?}", table, one.asked(), two.asked(), times, start.elapsed());
    }
}
