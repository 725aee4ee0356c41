//! Splices: the calls that made a definition, then those that made a use, on one object.

mod common;

use common::{ENTRY, EXIT, LIST, OUTER, Script, goal, pair, specimen, spelled, text, types};
use dynaflow_model::facts::{EntryId, ExitId, PlaceId, Witness, WitnessFact};
use dynaflow_model::outcome::Thrown;
use dynaflow_model::sequence::{Arg, Operation, Sequence, Value};
use dynaflow_model::sites::CallKind;
use dynaflow_search::{Candidate, Config, Goal, Search, Specimen, Why};
use std::collections::BTreeSet;

fn splices_of(corpus: Vec<Specimen>) -> Vec<String> {
    let config = Config { random: false, ..Config::default() };
    let mut search = Search::new(config, types(), corpus);
    search.set_goals([goal()]);
    let batch = search.next_batch(1000);
    assert!(batch.iter().all(|c| c.goal == Some(pair(7)) && c.why == Why::Splice));
    batch.iter().map(|candidate| spelled(&candidate.sequence)).collect()
}

#[test]
fn the_first_splice_is_the_definition_and_the_last_call_of_the_use() {
    let mut a = Script::default();
    let outer = a.made(OUTER);
    a.made("a.Middle");
    a.outer(outer, "put(Ljava/lang/String;I)V", &[text("k"), common::int(3)]);
    let probe = a.outer(outer, "probe()Z", &[]);
    let mut b = Script::default();
    let other = b.made(OUTER);
    b.outer(other, "middle()La/Middle;", &[]);
    let open = b.outer(other, "open()V", &[]);
    let splices =
        splices_of(vec![specimen(a, EXIT, probe, Some(outer)), specimen(b, ENTRY, open, Some(other))]);
    assert_eq!(splices[0], "new Outer(); #0.put('k',3); #0.probe(); #0.open()");
    assert!(
        splices.contains(&"new Outer(); #0.put('k',3); #0.probe(); #0.middle(); #0.open()".to_owned()),
        "all calls since the object was made: {splices:?}"
    );
    assert!(
        splices.contains(&"new Outer(); #0.put('k',3); #0.probe(); #0.probe(); #0.open()".to_owned()),
        "the definition once more: {splices:?}"
    );
    assert!(
        splices.contains(&"new Outer(); new Middle(); #0.put('k',3); #0.probe(); #0.open()".to_owned()),
        "the whole test: {splices:?}"
    );
    let distinct: BTreeSet<&String> = splices.iter().collect();
    assert_eq!(distinct.len(), splices.len(), "none comes twice");
}

#[test]
fn the_definition_can_come_between_the_state_a_use_needs_and_the_use() {
    let mut a = Script::default();
    let outer = a.made(OUTER);
    let probe = a.outer(outer, "probe()Z", &[]);
    let mut b = Script::default();
    let middle = b.made("a.Middle");
    let other = b.made(OUTER);
    b.outer(other, "all([La/Middle;J)V", &[Arg::Value(Value::Null), Arg::Value(Value::Long(1))]);
    let open = b.outer(other, "open()V", &[]);
    b.call(middle, "a.Middle", "open()V", &[]);
    let splices =
        splices_of(vec![specimen(a, EXIT, probe, Some(outer)), specimen(b, ENTRY, open, Some(other))]);
    assert_eq!(splices[0], "new Outer(); #0.probe(); #0.open()");
    assert_eq!(splices[1], "new Outer(); #0.all(Null,Long(1)); #0.probe(); #0.open()");
}

#[test]
fn the_use_can_be_given_what_the_definition_was_given() {
    let mut a = Script::default();
    let outer = a.made(OUTER);
    let list = a.made(LIST);
    a.call(list, LIST, "add(Ljava/lang/Object;)Z", &[text("x")]);
    let take = a.outer(outer, "take(Ljava/util/List;)V", &[Arg::Var(list)]);
    let mut b = Script::default();
    let (other, empty) = (b.made(OUTER), b.made(LIST));
    let again = b.outer(other, "take(Ljava/util/List;)V", &[Arg::Var(empty)]);
    let alike =
        splices_of(vec![specimen(a, EXIT, take, Some(outer)), specimen(b, ENTRY, again, Some(other))]);
    let same = "new Outer(); new ArrayList(); #1.add('x'); #0.take(#1); #0.take(#1)".to_owned();
    assert!(alike.contains(&same), "{alike:#?}");

    let put = |key: &str, number: i32| {
        let mut script = Script::default();
        let outer = script.made(OUTER);
        let put = script.outer(outer, "put(Ljava/lang/String;I)V", &[text(key), common::int(number)]);
        (script, put, outer)
    };
    let ((a, defines, outer), (b, uses, other)) = (put("k", 1), put("other", 2));
    let alike =
        splices_of(vec![specimen(a, EXIT, defines, Some(outer)), specimen(b, ENTRY, uses, Some(other))]);
    assert!(alike.contains(&"new Outer(); #0.put('k',1); #0.put('k',1)".to_owned()), "{alike:#?}");
    assert!(alike.contains(&"new Outer(); #0.put('k',1); #0.put('other',2)".to_owned()), "{alike:#?}");
}

#[test]
fn arguments_come_with_what_was_done_to_them() {
    let mut a = Script::default();
    let outer = a.made(OUTER);
    let probe = a.outer(outer, "probe()Z", &[]);
    let mut b = Script::default();
    let list = b.made(LIST);
    let other = b.made(OUTER);
    b.call(list, LIST, "add(Ljava/lang/Object;)Z", &[text("x")]);
    let take = b.outer(other, "take(Ljava/util/List;)V", &[Arg::Var(list)]);
    let splices =
        splices_of(vec![specimen(a, EXIT, probe, Some(outer)), specimen(b, ENTRY, take, Some(other))]);
    assert_eq!(splices[0], "new Outer(); #0.probe(); new ArrayList(); #2.add('x'); #0.take(#2)");
}

#[test]
fn a_definition_made_by_the_constructor_is_spliced_on_what_it_made() {
    let mut a = Script::default();
    let outer = a.made(OUTER);
    let mut b = Script::default();
    let shared = b.opaque("object of class a.Outer made outside the test's calls", "La/Outer;");
    let open = b.outer(shared, "open()V", &[]);
    // The recorder did not know a variable for the object while its constructor ran.
    let splices = splices_of(vec![specimen(a, EXIT, outer, None), specimen(b, ENTRY, open, Some(shared))]);
    assert_eq!(splices[0], "new Outer(); #0.open()", "an opaque root needs no rebuilding: it is replaced");
}

#[test]
fn a_root_no_variable_holds_is_reached_through_the_receiver_of_the_call() {
    let mut a = Script::default();
    let outer = a.made(OUTER);
    let probe = a.outer(outer, "probe()Z", &[]);
    let mut b = Script::default();
    let other = b.made(OUTER);
    let open = b.outer(other, "open()V", &[]);
    let splices = splices_of(vec![specimen(a, EXIT, probe, None), specimen(b, ENTRY, open, None)]);
    assert_eq!(splices[0], "new Outer(); #0.probe(); #0.open()");
}

#[test]
fn the_object_of_the_use_is_handed_to_a_definition_that_takes_one() {
    let mut a = Script::default();
    let (outer, list) = (a.made(OUTER), a.made(LIST));
    let args = [Arg::Value(Value::Null), Arg::Var(list), Arg::Value(Value::Double(0))];
    let near = a.outer(outer, "near(La/Level;Ljava/lang/Object;D)V", &args);
    let mut b = Script::default();
    let other = b.made(OUTER);
    b.outer(other, "probe()Z", &[]);
    let open = b.outer(other, "open()V", &[]);
    let splices =
        splices_of(vec![specimen(a, EXIT, near, Some(outer)), specimen(b, ENTRY, open, Some(other))]);
    let handed = "new Outer(); #0.probe(); new Outer(); #2.near(Null,#0,Double(0)); #2.open()";
    assert!(splices.contains(&handed.to_owned()), "{splices:?}");
}

#[test]
fn the_constructor_of_a_definition_is_passed_what_the_use_needs() {
    let mut a = Script::default();
    let middle = a.made("a.Middle");
    let outer = a.made_of(OUTER, "<init>(La/Middle;Z)V", &[Arg::Var(middle), Arg::Value(Value::Bool(true))]);
    let mut b = Script::default();
    let middle = b.made("a.Middle");
    b.call(middle, "a.Middle", "open()V", &[]);
    let other = b.made_of(OUTER, "<init>(La/Middle;)V", &[Arg::Var(middle)]);
    b.outer(other, "probe()Z", &[]);
    let open = b.outer(other, "open()V", &[]);
    let splices =
        splices_of(vec![specimen(a, EXIT, outer, Some(outer)), specimen(b, ENTRY, open, Some(other))]);
    let remade = "new Middle(); #0.open(); new Outer(#0,Bool(true)); #2.probe(); #2.open()";
    assert!(splices.contains(&remade.to_owned()), "{splices:?}");
}

#[test]
fn static_state_needs_no_common_object() {
    let mut a = Script::default();
    let call = |script: &mut Script| {
        let method = common::method(OUTER, "make(I)La/Level;");
        let args = vec![common::int(1)];
        script.then(Operation::Call { method, kind: CallKind::Static, receiver: None, args }, "La/Level;")
    };
    let make = call(&mut a);
    let mut b = Script::default();
    b.made("a.Middle");
    let again = call(&mut b);
    let splices = splices_of(vec![specimen(a, EXIT, make, None), specimen(b, ENTRY, again, None)]);
    assert_eq!(splices, [".make(1); .make(1)"]);
}

#[test]
fn what_cannot_be_rebuilt_is_left_out_or_replaced() {
    let mut a = Script::default();
    let outer = a.made(OUTER);
    let mock = a.opaque("mock", "La/Middle;");
    let args = [Arg::Var(mock), text("x")];
    a.outer(outer, "near(La/Level;Ljava/lang/Object;D)V", &args);
    let probe = a.outer(outer, "probe()Z", &[]);
    let mut b = Script::default();
    let other = b.made(OUTER);
    let lambda = b.opaque("lambda", "Ljava/lang/Object;");
    let listen = b.outer(other, "listen(La/Listener;)V", &[Arg::Var(lambda)]);
    let splices =
        splices_of(vec![specimen(a, EXIT, probe, Some(outer)), specimen(b, ENTRY, listen, Some(other))]);
    assert_eq!(splices[0], "new Outer(); #0.probe(); new Loud(); #0.listen(#2)");
}

#[test]
fn objects_of_different_classes_are_never_made_one() {
    let mut a = Script::default();
    let middle = a.made("a.Middle");
    let turn = a.call(middle, "a.Middle", "open()V", &[]);
    let mut b = Script::default();
    let other = b.made(OUTER);
    let open = b.outer(other, "open()V", &[]);
    let splices =
        splices_of(vec![specimen(a, EXIT, turn, Some(middle)), specimen(b, ENTRY, open, Some(other))]);
    assert!(
        splices.iter().all(|s| s.contains("new Outer()") && !s.contains("#0.open(); #0.open()")),
        "{splices:?}"
    );
}

#[test]
fn closed_goals_get_no_splices_and_new_places_give_new_ones() {
    let mut a = Script::default();
    let outer = a.made(OUTER);
    let probe = a.outer(outer, "probe()Z", &[]);
    let config = Config { random: false, ..Config::default() };
    let mut search = Search::new(config, types(), [specimen(a, EXIT, probe, Some(outer))]);
    search.set_goals([goal()]);
    assert!(search.next_batch(10).is_empty(), "nobody saw the use yet");
    let mut b = Script::default();
    let other = b.made(OUTER);
    let open = b.outer(other, "open()V", &[]);
    search.add_to_corpus(specimen(b, ENTRY, open, Some(other)));
    assert_eq!(search.next_batch(1).len(), 1);
    search.set_goals([]);
    assert!(search.next_batch(10).is_empty());
}

/// The paper's worked example (Denaro et al., Fig. 1 and Table II) played through: three levels, each method of the root
/// meeting state of the level below only once the other method has run.
#[derive(Default)]
struct Levels {
    v0: bool,
    v1: bool,
    v2: bool,
}

/// Definitions reaching the exit and uses from the entry of one call, by the number of the variable.
fn play(levels: &mut Levels, do_a: bool) -> (Vec<u32>, Vec<u32>) {
    if do_a {
        let (mut defined, used) = (vec![0], vec![1]);
        if levels.v1 {
            levels.v2 = true;
            defined.push(2);
        }
        levels.v0 = true;
        return (defined, used);
    }
    let (mut defined, mut used) = (vec![], vec![0]);
    if levels.v0 {
        levels.v1 = true;
        defined.push(1);
        used.push(2);
    }
    (defined, used)
}

/// Runs a sequence on the model: its witnesses and the variables whose pair it covers.
fn observe(sequence: &Sequence) -> (Vec<Witness>, BTreeSet<u32>) {
    let (mut levels, mut witnesses, mut covered) = (Levels::default(), vec![], BTreeSet::new());
    let mut defined_before = BTreeSet::new();
    for (statement, s) in (0u32..).zip(&sequence.statements) {
        let Operation::Call { method, .. } = &s.operation else { continue };
        let (defined, used) = play(&mut levels, method.name == "probe");
        let seen = |fact| Witness { fact, statement, root: Some(0) };
        witnesses.extend(defined.iter().map(|v| seen(WitnessFact::Exit(ExitId(*v)))));
        witnesses.extend(used.iter().map(|v| seen(WitnessFact::Entry(EntryId(*v)))));
        covered.extend(used.iter().filter(|v| defined_before.contains(*v)));
        defined_before.extend(defined);
    }
    (witnesses, covered)
}

#[test]
fn splices_alone_reach_the_fixpoint_of_the_worked_example() {
    let seed = |name: &str| {
        let mut script = Script::default();
        let outer = script.made(OUTER);
        script.outer(outer, name, &[]);
        let witnesses = observe(&script.0).0;
        Specimen::new(script.0, witnesses)
    };
    let config = Config { random: false, ..Config::default() };
    let corpus = vec![seed("probe()Z"), seed("open()V")];
    let mut facts: BTreeSet<WitnessFact> =
        corpus.iter().flat_map(|s| s.witnesses()).map(|w| w.fact).collect();
    let mut search = Search::new(config, types(), corpus);
    let mut covered = BTreeSet::new();
    let mut covering = vec![];
    for _ in 0..4 {
        let open = (0..3u8).filter(|v| {
            let v = &u32::from(*v);
            let halves = [WitnessFact::Exit(ExitId(*v)), WitnessFact::Entry(EntryId(*v))];
            !covered.contains(v) && halves.iter().all(|half| facts.contains(half))
        });
        let goal = |v: u8| {
            let (exits, entries) = (vec![ExitId(v.into())], vec![EntryId(v.into())]);
            Goal { pair: pair(v), exits, entries, ..goal() }
        };
        search.set_goals(open.map(goal).collect::<Vec<_>>());
        let Some(Candidate { sequence, .. }) = search.next_batch(1).pop() else { break };
        let (witnesses, now) = observe(&sequence);
        facts.extend(witnesses.iter().map(|w| w.fact));
        covered.extend(now);
        covering.push(spelled(&sequence).replace("new Outer(); ", "").replace("#0.", ""));
        search.add_to_corpus(Specimen::new(sequence, witnesses));
    }
    let expected = ["probe(); open()", "probe(); open(); probe()", "probe(); open(); probe(); open()"];
    assert_eq!(covering, expected, "one candidate for each pair, and then the fixpoint");
    assert_eq!(covered, BTreeSet::from([0, 1, 2]));
}

/// Thirty pairs of one definition's and one use's instruction, each seen with another argument, and one pair of other instructions, which costs more.
fn many_pairs_of_two_sites() -> (Search, Vec<Goal>) {
    let put = |n: u8, more: u32| {
        let mut s = Script::default();
        let outer = s.made(OUTER);
        let mut last = outer;
        for _ in 0..=more {
            last = s.outer(outer, "put(Ljava/lang/String;I)V", &[text("k"), common::int(n.into())]);
        }
        specimen(s, WitnessFact::Exit(ExitId(n.into())), last, Some(outer))
    };
    // What comes before the use makes each shape give another sequence.
    let mut uses = Script::default();
    let outer = uses.made(OUTER);
    uses.outer(outer, "probe()Z", &[]);
    let open = uses.outer(outer, "open()V", &[]);
    let mut corpus: Vec<Specimen> = (10..40).map(|n| put(n, 0)).collect();
    corpus.push(put(99, 3));
    corpus.push(specimen(uses, ENTRY, open, Some(outer)));
    let goal_of = |n: u8, definition: u32| Goal {
        pair: pair(n),
        sites: (Some(PlaceId(definition)), Some(PlaceId(2))),
        exits: vec![ExitId(n.into())],
        ..goal()
    };
    let mut goals: Vec<Goal> = (10..40).map(|n| goal_of(n, 1)).collect();
    goals.push(goal_of(99, 7));
    let search = Search::new(Config { random: false, ..Config::default() }, types(), corpus);
    (search, goals)
}

#[test]
fn a_splice_that_an_exception_ends_is_made_again_and_goes_on_after_it() {
    let mut a = Script::default();
    let outer = a.made(OUTER);
    let probe = a.outer(outer, "probe()Z", &[]);
    let mut b = Script::default();
    let other = b.made(OUTER);
    let open = b.outer(other, "open()V", &[]);
    let corpus = [specimen(a, EXIT, probe, Some(outer)), specimen(b, ENTRY, open, Some(other))];
    let mut search = Search::new(Config { random: false, ..Config::default() }, types(), corpus);
    search.set_goals([goal()]);
    let splice = search.next_batch(1).remove(0);
    assert_eq!(spelled(&splice.sequence), "new Outer(); #0.probe(); #0.open()");
    let thrown = |statement| Thrown {
        statement,
        class: "a.Shut".into(),
        superclasses: vec!["java.lang.Exception".into()],
        message: None,
        declared: true,
        on_purpose: false,
        raised_in: vec![],
    };
    search.go_on(&splice, &thrown(2));
    search.go_on(&splice, &thrown(1));
    search.go_on(&splice, &thrown(1));
    let all = search.next_batch(100);
    assert_eq!(all[0].goal, splice.goal);
    let caught = |candidate: &Candidate| {
        let statements = candidate.sequence.statements.iter().enumerate();
        statements.filter(|(_, statement)| statement.caught.is_some()).map(|(at, _)| at).collect::<Vec<_>>()
    };
    let going: Vec<_> = all.iter().map(|one| (spelled(&one.sequence), caught(one))).collect();
    let [first, others @ ..] = &going[..] else { panic!("nothing goes on") };
    assert_eq!(first, &(spelled(&splice.sequence), vec![1]), "before all others");
    assert!(others.iter().all(|(_, caught)| caught.is_empty()), "once, and not where nothing follows");
}

#[test]
fn what_was_put_off_comes_alone_when_it_is_asked_for() {
    let (mut search, goals) = many_pairs_of_two_sites();
    search.set_goals(goals);
    assert!(search.next_last(10).is_empty(), "none was looked at");
    let before = search.next_batch(40);
    let first = search.next_last(5);
    let rest = search.next_last(1000);
    assert_eq!(first.len(), 5);
    assert!(numbers(&rest).iter().all(|&n| n < 99), "those of other instructions are not put off");
    let all: BTreeSet<_> =
        before.iter().chain(&first).chain(&rest).map(|one| spelled(&one.sequence)).collect();
    assert_eq!(all.len(), before.len() + first.len() + rest.len(), "each once");
    assert!(search.next_last(1).is_empty());
}

/// The numbers of the pairs that candidates are for.
fn numbers(batch: &[Candidate]) -> Vec<u8> {
    batch.iter().filter_map(|candidate| candidate.goal).map(|pair| pair.0[0]).collect()
}

#[test]
fn pairs_of_instructions_that_no_splice_joins_wait_until_all_others_had_their_splices() {
    let (mut search, goals) = many_pairs_of_two_sites();
    search.set_goals(goals);
    let order = numbers(&search.next_batch(1000));
    let last_of_other = order.iter().rposition(|&n| n == 99).unwrap();
    let (before, after) = order.split_at(last_of_other);
    let of_many = |part: &[u8]| part.iter().filter(|&&n| n < 99).count();
    assert!(of_many(before) <= 8 * 7, "eight of each shape: {order:?}");
    assert!(of_many(after) > 30, "the others come, too: {order:?}");
    let all: BTreeSet<u8> = order.into_iter().collect();
    assert_eq!(all.len(), 31);
}

#[test]
fn once_one_of_these_pairs_is_covered_the_others_have_their_turn() {
    let (mut search, goals) = many_pairs_of_two_sites();
    search.set_goals(goals.clone());
    let first = numbers(&search.next_batch(8));
    assert_eq!(first, (10..18).collect::<Vec<u8>>(), "the cheapest splice of each");
    assert_eq!(numbers(&search.next_batch(1)), [99], "the pair of other instructions");
    search.set_goals(goals.into_iter().filter(|goal| goal.pair != pair(12)));
    let next = numbers(&search.next_batch(8));
    assert_eq!(next, (18..26).collect::<Vec<u8>>(), "as if none had been tried in vain");
}
