//! The carver against a slow reading of its definition, on thousands of random streams of what test frames do.

#![expect(clippy::unwrap_used, reason = "helpers of tests may panic, which fails the test")]

mod naive;

use dynaflow_carve::{Carver, Limits};
use dynaflow_model::sequence::{Arg, CarvedTest, Operation};
use naive::Naive;
use naive::events::{Event, Log, TEST, What};
use naive::world::World;
use std::collections::BTreeMap;

/// What the carver makes of the events, and the statement each thread executes after each of them.
fn carved(events: &[Event], limits: Limits) -> (Vec<CarvedTest>, Vec<[Option<u32>; 2]>) {
    let mut carver = Carver::with_limits(limits);
    let (mut tests, mut current, mut active) = (vec![], vec![], [vec![], vec![]]);
    for event in events {
        let thread = event.thread;
        let frames: &mut Vec<bool> = &mut active[usize::from(thread == 2)];
        match &event.what {
            What::Begin(name) => carver.begin_test(name),
            What::End => tests.push(carver.end_test()),
            What::Argument(value) => carver.argument(thread, value.clone()),
            What::Call(site, receiver) => carver.call(thread, site, TEST, *receiver),
            What::Returned(result) => carver.returned(thread, result.clone()),
            What::Entered { in_test } => {
                frames.push(*in_test);
                carver.entered(thread, *in_test);
            }
            What::Teardown => carver.teardown_entered(thread),
            What::Left => carver.left(thread, frames.pop().unwrap()),
        }
        current.push([1, 2].map(|thread| carver.current_statement(thread)));
    }
    (tests, current)
}

fn agree(seed: u64, limits: Limits) -> Vec<CarvedTest> {
    let log = Log::new(World::stream(seed));
    let naive = Naive::read(&log, limits);
    let (tests, current) = carved(&log.events, limits);
    if (&tests, &current) != (&naive.tests, &naive.current) {
        let lines: Vec<String> = log.events.iter().map(|e| format!("{} {:?}", e.thread, e.what)).collect();
        assert_eq!(tests, naive.tests, "seed {seed}\n{}", lines.join("\n"));
        assert_eq!(current, naive.current, "statements after each event, seed {seed}\n{}", lines.join("\n"));
    }
    tests
}

/// How often something occurs in all carved tests: streams that never show it would prove nothing of it.
#[derive(Debug, Default)]
struct Seen {
    kinds: [usize; 7],
    /// Calls on a constant of an enum: on its field, and on what a call gave.
    on_constants: [usize; 2],
    /// Tests of three statements or more that can be rebuilt.
    whole: usize,
    /// Obstacles and what opaque statements are, without their numbers.
    texts: BTreeMap<String, usize>,
}

impl Seen {
    fn count(&mut self, test: &CarvedTest) {
        for statement in &test.sequence.statements {
            let kind = match &statement.operation {
                Operation::New { .. } => 0,
                Operation::Call { method, receiver: Some(Arg::Var(on)), .. } if method.owner == "a.Shade" => {
                    let made = &test.sequence.statements[*on as usize].operation;
                    self.on_constants[usize::from(matches!(made, Operation::Call { .. }))] += 1;
                    1
                }
                Operation::Call { .. } => 1,
                Operation::GetStatic(_) => 2,
                Operation::GetField { .. } => 3,
                Operation::NewArray { .. } => 4,
                Operation::ArrayStore { .. } => 5,
                Operation::Opaque(what) => {
                    self.text(what);
                    6
                }
                Operation::Stub { .. } => unreachable!("nothing that a test implements is carved"),
                Operation::Contract { .. } => unreachable!("no contract is carved"),
            };
            self.kinds[kind] += 1;
        }
        self.whole += usize::from(test.obstacle.is_none() && test.sequence.statements.len() > 2);
        test.obstacle.iter().for_each(|obstacle| self.text(obstacle));
    }

    fn text(&mut self, text: &str) {
        let letters = text.chars().filter(|c| !c.is_ascii_digit()).collect();
        *self.texts.entry(letters).or_default() += 1;
    }

    fn assert_often(&self, texts: &[&str]) {
        for text in texts {
            let times = self.texts.get(*text).copied().unwrap_or_default();
            assert!(times > 10, "{text} occurs {times} times: {:#?}", self.texts);
        }
    }
}

#[test]
fn what_is_carved_is_what_the_definition_gives_on_thousands_of_random_streams() {
    let mut seen = Seen::default();
    for seed in 0..4000 {
        agree(seed, Limits::default()).iter().for_each(|test| seen.count(test));
    }
    assert!(seen.kinds.iter().all(|times| *times > 200), "{seen:?}");
    assert!(seen.whole > 100, "{seen:?}");
    assert!(seen.on_constants.iter().all(|times| *times > 20), "{seen:?}");
    seen.assert_often(&[
        "calls of several threads overlap",
        "statement  was left by an exception and the test went on",
        "a call whose effects the statements after it repeat",
        "call of a.Middle.open on an object of class a.Middle$MockitoMock$",
        "call of a.OuterTest$Stub.touch, which belongs to the test class",
        "call of a.Outer.close by `super`",
        "object of class a.Thing made outside the test's calls",
        "statement  cannot be rebuilt: object of class a.Thing made outside the test's calls",
    ]);
}

#[test]
fn limits_cut_where_the_definition_says() {
    let mut seen = Seen::default();
    for seed in 0..2000 {
        let limits = Limits { statements: 2 + usize::try_from(seed % 7).unwrap(), string: 8 };
        agree(seed, limits).iter().for_each(|test| seen.count(test));
    }
    seen.assert_often(&[
        "it makes more than  calls, the limit of a carved test",
        "a string of  bytes, longer than the limit of ",
    ]);
}
