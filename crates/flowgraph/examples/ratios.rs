//! How much of the time each step of static data flow takes on the classes of jars, and how much faster subsumption over
//! the product is than on graphduas. Figures are ratios of one run.
//!
//!     cargo run --release -p dynaflow-flowgraph --example ratios -- [--graphduas] JAR...
//!
//! Its variables are rough (see `tests/common/rough.rs`): it needs associations in the usual numbers, not the right ones.

#[path = "../tests/common/rough.rs"]
mod rough;

use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_classfile::ClassFile;
use dynaflow_flowgraph::lower::{Exceptions, Lowered};
use dynaflow_flowgraph::pairs::pairs;
use dynaflow_flowgraph::product::Product;
use dynaflow_flowgraph::{Problem, subsumption};
use std::error::Error;
use std::io::Read;
use std::time::{Duration, Instant};

/// Time taken and things counted.
#[derive(Default)]
struct Sums {
    blocks: Duration,
    pairs: Duration,
    product: Duration,
    classes: Duration,
    graphduas: Duration,
    methods: usize,
    associations: usize,
    largest: usize,
    found: usize,
    unconstrained: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let (flags, jars): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    if jars.is_empty() {
        return Err("which jars? See the beginning of this file.".into());
    }
    for jar in jars {
        let mut sums = Sums::default();
        let mut product = Product::default();
        for bytes in classes(&jar)? {
            let Ok(class) = ClassFile::parse(&bytes) else { continue };
            for method in &class.methods {
                let Ok(Some(body)) = Body::of_method(&class, method) else { continue };
                sums.method(&body, &mut product, !flags.is_empty());
            }
        }
        sums.print(&jar);
    }
    Ok(())
}

/// The class files of a jar, in memory, so that reading them is not measured.
fn classes(jar: &str) -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(jar)?)?;
    let mut found = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index)?;
        if entry.name().ends_with(".class") {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes)?;
            found.push(bytes);
        }
    }
    Ok(found)
}

/// Runs a step and adds its time.
fn timed<T>(sum: &mut Duration, step: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = step();
    *sum += start.elapsed();
    result
}

impl Sums {
    fn method(&mut self, body: &Body<'_>, product: &mut Product, graphduas: bool) {
        let graph = timed(&mut self.blocks, || {
            let blocks = Blocks::of(body).ok()?;
            let lowered = Lowered::of(body, &blocks, Exceptions::Ignored).ok()?;
            Some((blocks, lowered))
        });
        let Some((blocks, lowered)) = graph else { return };
        let (defines, uses) = rough::annotations(body, &blocks, &lowered);
        let cfg = lowered.cfg;
        let problem = timed(&mut self.pairs, || {
            let duas = pairs(&cfg, &defines, &uses);
            Problem::new(cfg, defines, duas).ok()
        });
        let Some(problem) = problem.filter(|problem| !problem.duas().is_empty()) else { return };
        let relation = timed(&mut self.product, || product.subsumption(&problem));
        let classes = timed(&mut self.classes, || relation.classes());
        if graphduas {
            let other = timed(&mut self.graphduas, || subsumption::subsumption(&problem));
            assert!(relation == other, "both ways to subsumption agree");
        }
        self.methods += 1;
        self.associations += relation.count();
        self.largest = self.largest.max(relation.count());
        self.found += classes.count();
        self.unconstrained += classes.unconstrained().count();
    }

    fn print(&self, jar: &str) {
        let all = self.blocks + self.pairs + self.product + self.classes;
        let part = |time: Duration| 100.0 * time.as_secs_f64() / all.as_secs_f64();
        println!(
            "{jar}: {} associations in {} methods, {} in one",
            self.associations, self.methods, self.largest
        );
        println!("  {} classes, {} of them unconstrained", self.found, self.unconstrained);
        println!("  blocks and graph {:.0} % of the time", part(self.blocks));
        println!("  associations     {:.0} %", part(self.pairs));
        println!("  subsumption      {:.0} %", part(self.product));
        println!("  classes          {:.0} %", part(self.classes));
        if !self.graphduas.is_zero() {
            let times = self.graphduas.as_secs_f64() / self.product.as_secs_f64();
            println!("  subsumption on graphduas takes {times:.1} times as long as over the product");
        }
    }
}
