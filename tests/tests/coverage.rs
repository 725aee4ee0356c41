//! Coverage of associations: for runs that decide and throw by lot, the bits of a frame stand for exactly the associations that a
//! naive interpreter sees covered, instruction by instruction.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

#[path = "../corpus/support.rs"]
#[allow(dead_code, reason = "each corpus test uses a part of what they share")]
mod support;

#[allow(dead_code, reason = "each test of associations uses a part of the twin")]
mod naive_duas;

use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_classfile::ClassFile;
use dynaflow_flowgraph::Use;
use dynaflow_flowgraph::dua::coverage::plan;
use dynaflow_flowgraph::dua::{Arrays, Options, of_class};
use dynaflow_tests::frames;
use dynaflow_tests::random::class::random_class;
use dynaflow_tests::slow;
use naive_duas::Found;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use support::each_class;

/// What was compared.
#[derive(Debug, Default)]
struct Compared {
    methods: usize,
    runs: usize,
    /// Associations covered, summed over runs.
    covered: usize,
    /// Associations that the methods have.
    duas: usize,
    /// Bits that stand for them.
    bits: usize,
}

/// Holds the bits of every method of a class against the naive interpreter.
fn compare(name: &str, bytes: &[u8], budget: usize, runs: usize, sums: &mut Compared) {
    let class = ClassFile::parse(bytes).unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(bytes.len() as u64);
    let ways = [
        (Arrays::Reference, false),
        (Arrays::Whole, false),
        (Arrays::Reference, true),
        (Arrays::Whole, true),
    ];
    for (arrays, exceptions) in ways {
        let options = Options { arrays, exception_edges: exceptions, ..Options::default() };
        let planned = plan(bytes, &options).unwrap();
        let analysed = of_class(bytes, &options, None).unwrap();
        let mut names = BTreeMap::new();
        for (dua, detail) in analysed.methods.iter().flat_map(|m| m.problem.duas().iter().zip(&m.details)) {
            let usage = match dua.usage {
                Use::Node(node) => (node, None),
                Use::Edge(from, to) => (from, Some(to)),
            };
            names.insert(detail.number(), (dua.def, usage, detail.variable.clone()));
        }
        for method in &planned.methods {
            let member = &class.methods[method.updates.method];
            let whole = arrays == Arrays::Whole;
            let Some(naive) = naive_duas::Method::walked(&class, member, whole, exceptions, budget) else {
                continue;
            };
            let associations = naive.associate();
            let body = Body::of_method(&class, member).unwrap().unwrap();
            let blocks = Blocks::of(&body).unwrap();
            for _ in 0..runs {
                let Some(ran) = naive.run(&mut random, 150) else { continue };
                let expected: Found = naive.covered(&ran).intersection(&associations).cloned().collect();
                let covered = frames::covered(&method.updates, &blocks, &ran);
                let bits = (0..method.groups.len()).filter(|bit| covered[bit / 64] >> (bit % 64) & 1 == 1);
                let found: Found =
                    bits.flat_map(|bit| &method.groups[bit]).map(|id| names[id].clone()).collect();
                let missing: Vec<_> = expected.difference(&found).take(5).collect();
                let strange: Vec<_> = found.difference(&expected).take(5).collect();
                assert!(
                    missing.is_empty() && strange.is_empty(),
                    "{name}.{} {options:?}: missing {missing:?}, strange {strange:?} after {ran:?}",
                    class.pool.utf8(member.name).unwrap(),
                );
                sums.runs += 1;
                sums.covered += found.len();
            }
            sums.methods += 1;
            sums.duas += associations.len();
            sums.bits += method.groups.len();
        }
    }
}

#[test]
fn bits_of_random_methods_stand_for_what_a_naive_interpreter_sees_covered() {
    let mut sums = Compared::default();
    for seed in 1..=if slow() { 1500 } else { 30 } {
        let (name, bytes) = random_class(seed, 22, 61);
        compare(&name, &bytes, 400_000, 60, &mut sums);
    }
    println!("{sums:?}");
    assert!(sums.runs > 20_000 && sums.covered > 50_000, "{sums:?} are too few to show anything");
}

#[test]
fn bits_of_compiled_methods_stand_for_what_a_naive_interpreter_sees_covered() {
    let mut sums = Compared::default();
    for jar in naive_duas::jars() {
        each_class(&support::jar(jar), |name, bytes| {
            compare(name, &naive_duas::without_names(bytes), 20_000, 30, &mut sums);
        });
    }
    println!("{sums:?}");
    assert!(sums.runs > 5_000 && sums.covered > 20_000, "{sums:?} are too few to show anything");
}
