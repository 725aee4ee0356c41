//! What came near to a goal is changed until it executes it, and how sequences are changed then.

mod common;

use common::{Script, goal, info, specimen, spelled, text};
use dynaflow_model::obstacle::Obstacle;
use dynaflow_model::sequence::{Arg, Operation, Sequence};
use dynaflow_search::{Candidate, Config, Search, Types, Why, check};

const SHELF: &str = "a.Shelf";
const STRINGS: &str = "[Ljava/lang/String;";

fn types() -> Types {
    let methods = ["all([Ljava/lang/String;)V", "find(Ljava/lang/String;)Z", "open()V"];
    Types::new(vec![info(SHELF, &["java.lang.Object"], &["()V"], &methods)], "a")
}

/// A shelf that is given an array of two texts, and asked for another.
fn filled() -> Sequence {
    let mut script = Script::default();
    let shelf = script.made(SHELF);
    let array = script.then(Operation::NewArray { descriptor: STRINGS.into(), length: 2 }, STRINGS);
    for (index, value) in [(0, "red"), (1, "green")] {
        script.then(Operation::ArrayStore { array: Arg::Var(array), index, value: text(value) }, "V");
    }
    script.call(shelf, SHELF, "all([Ljava/lang/String;)V", &[Arg::Var(array)]);
    script.call(shelf, SHELF, "find(Ljava/lang/String;)Z", &[text("blue")]);
    script.0
}

/// A search from an opened shelf, which has no goal yet.
fn search() -> Search {
    let mut script = Script::default();
    let shelf = script.made(SHELF);
    let open = script.call(shelf, SHELF, "open()V", &[]);
    let config = Config { seed: 3, roots: vec![SHELF.into()], ..Config::default() };
    Search::new(config, types(), [specimen(script, common::ENTRY, open, Some(shelf))])
}

fn of_kind(batch: &[Candidate], why: Why) -> Vec<&Candidate> {
    batch.iter().filter(|candidate| candidate.why == why).collect()
}

#[test]
fn what_came_near_to_a_goal_is_changed_for_it_beside_what_chance_makes() {
    let mut search = search();
    let goal = common::goal();
    search.set_goals([goal.clone()]);
    assert!(of_kind(&search.next_batch(40), Why::Near).is_empty(), "nothing came near");
    search.met(&goal, Obstacle::Unreached, &filled());
    let batch = search.next_batch(80);
    let near = of_kind(&batch, Why::Near);
    assert!((15..40).contains(&near.len()), "{}", near.len());
    assert!(near.iter().all(|candidate| candidate.goal == Some(goal.pair)));
    assert!(near.iter().all(|candidate| check(&candidate.sequence, &types()).is_ok()));
    let kin = near.iter().filter(|candidate| spelled(&candidate.sequence).contains("[Ljava/lang/String;"));
    assert!(kin.count() * 2 > near.len(), "they are like it: {}", spelled(&near[0].sequence));
    search.set_goals([]);
    assert!(of_kind(&search.next_batch(40), Why::Near).is_empty(), "the goal is closed");
}

#[test]
fn what_came_near_is_left_when_nothing_else_is_and_comes_to_an_end() {
    let mut search = search();
    let goal = goal();
    search.set_goals([goal.clone()]);
    search.met(&goal, Obstacle::Unreached, &filled());
    let left = search.next_last(10_000);
    assert!((30..=100).contains(&left.len()), "{}", left.len());
    assert!(search.next_last(1).is_empty());
}

#[test]
fn elements_of_arrays_are_changed_added_and_left_out_with_their_places() {
    let mut search = search();
    let all: Vec<Sequence> = (0..600).filter_map(|_| search.changed(&filled())).collect();
    let texts: Vec<String> = all.iter().map(spelled).collect();
    let has = |what: &str| texts.iter().filter(|text| text.contains(what)).count();
    let of_length = |length: u32| has(&format!("[Ljava/lang/String;{length}"));
    let is_changed = |text: &&String| {
        text.contains("#1[1]='green'") && text.contains("#1[0]=") && !text.contains("#1[0]='red'")
    };
    assert!(texts.iter().filter(is_changed).count() > 10, "the first element alone is another one");
    assert!(of_length(3) > 10 && has("#1[2]=") > 10, "{} and {}", of_length(3), has("#1[2]="));
    assert!(of_length(1) > 10, "{}", of_length(1));
    let stored = |sequence: &Sequence, array: usize| {
        let fills = |operation: &Operation| matches!(operation, Operation::ArrayStore { array: Arg::Var(into), .. } if *into as usize == array);
        sequence.statements.iter().filter(|statement| fills(&statement.operation)).count()
    };
    for sequence in &all {
        for (at, statement) in sequence.statements.iter().enumerate() {
            if let Operation::NewArray { length, .. } = statement.operation {
                assert!(stored(sequence, at) >= length as usize, "an empty place: {}", spelled(sequence));
            }
        }
    }
}

#[test]
fn no_array_that_a_change_fills_holds_itself() {
    let methods = ["keep([Ljava/lang/Object;)V"];
    let types = || Types::new(vec![info(SHELF, &["java.lang.Object"], &["()V"], &methods)], "a");
    let config = Config { seed: 3, roots: vec![SHELF.into()], ..Config::default() };
    let mut search = Search::new(config, types(), []);
    let mut script = Script::default();
    let shelf = script.made(SHELF);
    let array = script.then(
        Operation::NewArray { descriptor: "[Ljava/lang/Object;".into(), length: 1 },
        "[Ljava/lang/Object;",
    );
    script.then(Operation::ArrayStore { array: Arg::Var(array), index: 0, value: text("red") }, "V");
    script.call(shelf, SHELF, "keep([Ljava/lang/Object;)V", &[Arg::Var(array)]);
    let mut others = 0;
    for _ in 0..1500 {
        let Some(changed) = search.changed(&script.0) else { continue };
        for statement in &changed.statements {
            if let Operation::ArrayStore { array, value, .. } = &statement.operation {
                assert_ne!(array, value, "{}", spelled(&changed));
                others += u32::from(matches!(value, Arg::Var(_)));
            }
        }
    }
    assert!(others > 10, "it holds other objects: {others}");
}

#[test]
fn what_stands_in_a_sequence_is_passed_elsewhere_in_it() {
    let mut search = search();
    search.set_goals([goal()]);
    search.met(&goal(), Obstacle::Unreached, &filled());
    let batch = search.next_batch(400);
    let all: Vec<String> =
        of_kind(&batch, Why::Near).iter().map(|candidate| spelled(&candidate.sequence)).collect();
    let asked = |word: &str| all.iter().filter(|text| text.contains(&format!(".find('{word}')"))).count();
    // No other sequence has these words.
    assert!(asked("red") + asked("green") > 2, "{} and {}", asked("red"), asked("green"));
}
