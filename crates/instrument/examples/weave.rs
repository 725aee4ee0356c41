//! Weaves every class of some jars in memory and says how fast: `weave [--branches] [--blocks] [--carve] [--print CLASS] JAR...`.
//!
//! `--print` shows one woven class (internal name) as text instead. For looking at what weaving does, and what it costs.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a tool for developers")]

use dynaflow_instrument::{Plan, WeaveOptions};
use std::fs::File;
use std::io::Read;
use std::time::Instant;

fn classes(jar: &str) -> Vec<(String, Vec<u8>)> {
    let mut zip = zip::ZipArchive::new(File::open(jar).unwrap()).unwrap();
    let mut classes = Vec::new();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).unwrap();
        if file.name().ends_with(".class") {
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).unwrap();
            classes.push((file.name().trim_end_matches(".class").to_owned(), bytes));
        }
    }
    classes
}

fn main() {
    let mut options = WeaveOptions::default();
    let (mut jars, mut print) = (Vec::new(), None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--branches" => options.branches = true,
            "--blocks" => options.blocks = true,
            "--carve" => options.carve = true,
            "--print" => print = arguments.next(),
            _ => jars.push(argument),
        }
    }
    for jar in jars {
        let classes = classes(&jar);
        let (mut sites, mut size, mut grown, mut declined) = (0, 0, 0, 0);
        let start = Instant::now();
        for (name, bytes) in &classes {
            let Ok(plan) = Plan::new(bytes, &options) else { continue };
            let Ok(woven) = plan.weave(1 << 20) else { continue };
            sites += plan.sites().sites.len();
            size += bytes.len();
            grown += woven.bytes.len();
            declined += woven.declined.len();
            if print.as_ref() == Some(name) {
                println!("{}", dynaflow_classfile::print::bytes(&woven.bytes).unwrap());
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        let rate = classes.len() as f64 / seconds;
        println!(
            "{jar}: {} classes, {sites} sites, {declined} methods declined, grown by {:.2}, {rate:.0} classes/s, {:.0} MB/s",
            classes.len(),
            grown as f64 / size as f64,
            size as f64 / seconds / 1e6
        );
    }
}
