//! Prints the mutants of the classes of an archive, a line each: class, method, descriptor, line, PIT's class or the operator, what it
//! does; on standard error what was left out and declined. It knows no tests.
//!
//! `cargo run --example list JAR [pit|mujava|dataflow|all]`; `scripts/bench/mutants` holds the lines beside PIT's. Invariant: classes come in the
//! order of the archive.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a program for measurements, which may stop at what it cannot read"
)]

use dynaflow_mutants::{Operator, Options, mutants};
use std::collections::BTreeMap;
use std::io::Read;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let archive = arguments.first().expect("the path of a jar");
    let options = match arguments.get(1).map(String::as_str) {
        None | Some("pit") => Options::default(),
        Some("mujava") => Options { operators: Operator::mujava().collect(), filter: true },
        Some("dataflow") => Options { operators: Operator::data_flow().collect(), filter: true },
        Some("all") => Options { operators: Operator::all().collect(), filter: true },
        Some(other) => return eprintln!("no operators are called {other}: pit, mujava, dataflow or all"),
    };
    let mut zip = zip::ZipArchive::new(std::fs::File::open(archive).unwrap()).unwrap();
    let mut left_out: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut count, mut bytes) = (0, Vec::new());
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).unwrap();
        if !file.name().ends_with(".class") || file.name().ends_with("module-info.class") {
            continue;
        }
        bytes.clear();
        file.read_to_end(&mut bytes).unwrap();
        let found = mutants(&bytes, &options).unwrap();
        let class = found.class.replace('/', ".");
        for mutant in &found.mutants {
            let operator = mutant.operator.pit_class().unwrap_or_else(|| mutant.operator.name().to_owned());
            let (method, descriptor) = (&mutant.method, &mutant.descriptor);
            println!("{class}\t{method}\t{descriptor}\t{}\t{operator}\t{}", mutant.line, mutant.description);
        }
        count += found.mutants.len();
        found.left_out.iter().for_each(|(reason, number)| *left_out.entry(reason).or_default() += number);
        found.declined.iter().for_each(|reason| eprintln!("declined: {reason}"));
    }
    eprintln!("{count} mutants; left out: {left_out:?}");
}
