//! Every candidate is well typed, whatever the corpus; the same seed gives the same candidates.

mod common;

use arbtest::arbitrary::{Result, Unstructured};
use common::{ENTRY, EXIT, LIST, OUTER, Script, all_types, goal, specimen, spelled, text, types};
use dynaflow_model::descriptor;
use dynaflow_model::outcome::Distance;
use dynaflow_model::sequence::{Arg, Operation, Sequence, Value};
use dynaflow_model::sites::{CallKind, FieldRef, MethodRef};
use dynaflow_model::types::{TypeInfo, Visibility};
use dynaflow_search::{Algorithms, Config, CoverageGoals, Search, Specimen, Types, Why, check};
use std::collections::BTreeSet;
use std::sync::LazyLock;

fn corpus() -> Vec<Specimen> {
    let mut a = Script::default();
    let outer = a.made(OUTER);
    let probe = a.outer(outer, "probe()Z", &[]);
    let mut b = Script::default();
    let list = b.made(LIST);
    let other = b.made(OUTER);
    b.call(list, LIST, "add(Ljava/lang/Object;)Z", &[text("x")]);
    b.outer(other, "take(Ljava/util/List;)V", &[Arg::Var(list)]);
    let open = b.outer(other, "open()V", &[]);
    vec![specimen(a, EXIT, probe, Some(outer)), specimen(b, ENTRY, open, Some(other))]
}

fn search(seed: u64) -> Search {
    let config = Config { seed, roots: vec![OUTER.into()], ..Config::default() };
    let mut search = Search::new(config, types(), corpus());
    search.set_goals([goal()]);
    search
}

static TYPES: LazyLock<Vec<TypeInfo>> = LazyLock::new(all_types);

/// Whether a value of class `from` may stand for `to`, by walking the given types.
fn is_a(from: &str, to: &str) -> bool {
    let boxes = ["java.lang.Comparable", "java.lang.CharSequence", "java.io.Serializable"];
    let above = |name: &str| TYPES.iter().find(|t| t.name == name).map(|t| &t.supertypes);
    from == to
        || to == "java.lang.Object"
        || above(from).is_some_and(|all| all.iter().any(|s| s == to))
        || from == "java.lang.String" && boxes.contains(&to)
}

/// A naive twin of the check: types by descriptors' text, members by walking the given types.
fn is_well_typed(sequence: &Sequence) -> bool {
    let results: Vec<&str> = sequence.statements.iter().map(|s| s.result.as_str()).collect();
    let fits = |index: usize, arg: &Arg, wanted: &str| match arg {
        Arg::Var(v) => {
            let result = results.get(*v as usize).copied().unwrap_or("V");
            let strip = |d: &str| descriptor::class_of(d.trim_start_matches('['));
            let same_shape = result.matches('[').count() == wanted.matches('[').count();
            (*v as usize) < index
                && (result == wanted
                    || wanted == "Ljava/lang/Object;" && !descriptor::is_primitive(result) && result != "V"
                    || same_shape && strip(result).zip(strip(wanted)).is_some_and(|(r, w)| is_a(&r, &w)))
        }
        Arg::Value(Value::Null) => !descriptor::is_primitive(wanted),
        Arg::Value(Value::Str(_)) => {
            descriptor::class_of(wanted).is_some_and(|w| is_a("java.lang.String", &w))
        }
        Arg::Value(Value::Boxed(_) | Value::Class(_)) => wanted == "Ljava/lang/Object;",
        Arg::Value(Value::Enum(class, _)) => descriptor::class_of(wanted).is_some_and(|w| is_a(class, &w)),
        Arg::Value(_) => descriptor::is_primitive(wanted),
    };
    let has = |method: &MethodRef, args: &[Arg], index: usize, wanted_static: Option<bool>| {
        let info = TYPES.iter().find(|t| t.name == method.owner);
        let open = info.is_some_and(|t| t.visibility != Visibility::Private);
        let mut members = info.into_iter().flat_map(|t| t.constructors.iter().chain(&t.methods));
        let found =
            members.find(|c| c.method.name == method.name && c.method.descriptor == method.descriptor);
        let usable = found.is_some_and(|c| {
            let near = c.method.owner.starts_with("a.");
            let visible = c.visibility == Visibility::Public || near && c.visibility != Visibility::Private;
            visible && wanted_static.is_none_or(|s| s == (c.kind == CallKind::Static))
        });
        let parameters = descriptor::parameters(&method.descriptor);
        open && usable
            && parameters.len() == args.len()
            && parameters.iter().zip(args).all(|(wanted, arg)| fits(index, arg, wanted))
    };
    sequence.statements.iter().enumerate().all(|(index, s)| match &s.operation {
        Operation::New { constructor, args } => has(constructor, args, index, None),
        Operation::Call { method, receiver, args, .. } => {
            let owner = descriptor::of_class(&method.owner);
            has(method, args, index, Some(receiver.is_none()))
                && receiver.as_ref().is_none_or(|on| fits(index, on, &owner) && matches!(on, Arg::Var(_)))
        }
        Operation::GetStatic(field) => field.owner.starts_with("a."),
        Operation::ArrayStore { array: Arg::Var(array), index: at, value } => {
            let component = results.get(*array as usize).and_then(|r| descriptor::component(r));
            let made = sequence.statements.get(*array as usize).map(|made| &made.operation);
            let places = match made {
                Some(Operation::NewArray { length, .. }) => *length,
                _ => 3,
            };
            *at < places && component.is_some_and(|wanted| fits(index, value, wanted))
        }
        Operation::NewArray { descriptor, .. } => descriptor.starts_with('['),
        _ => false,
    })
}

#[test]
fn every_candidate_is_well_typed_by_the_check_and_by_its_naive_twin() {
    for seed in 0..4 {
        let batch = search(seed).next_batch(1500);
        assert_eq!(batch.len(), 1500, "a random search does not run dry here");
        for candidate in &batch {
            check(&candidate.sequence, &types()).unwrap();
            assert!(is_well_typed(&candidate.sequence), "{}", spelled(&candidate.sequence));
        }
    }
}

#[test]
fn random_candidates_use_every_kind_of_member_and_no_closed_one() {
    let all: Vec<String> = search(1).next_batch(1500).iter().map(|c| spelled(&c.sequence)).collect();
    let uses = |what: &str| all.iter().filter(|text| text.contains(what)).count();
    for expected in [
        "new Outer(#",
        ".make(",
        "SHARED",
        "Enum(\"a.Kind\"",
        ".all(#",
        "La/Middle;2",
        ".take(#",
        ".near(",
        "new Loud()",
        ".open()",
        ".probe()",
        "new Middle('",
    ] {
        assert!(uses(expected) > 0, "{expected} is never used");
    }
    for closed in ["Hidden", "secret", "closed", "Inner"] {
        assert_eq!(uses(closed), 0, "{closed} is used");
    }
    let with_goal_methods = all.iter().filter(|t| t.contains(".probe()") && t.contains(".open()")).count();
    assert!(with_goal_methods * 5 > all.len(), "the methods of the goal are preferred: {with_goal_methods}");
}

#[test]
fn the_same_seed_gives_the_same_candidates_and_another_seed_others() {
    let run = |seed: u64, order: bool| {
        let mut all = all_types();
        if order {
            all.reverse();
        }
        let config = Config { seed, roots: vec![OUTER.into()], ..Config::default() };
        let mut search = Search::new(config, Types::new(all, "a"), corpus());
        search.set_goals([goal()]);
        let mut given = vec![];
        for _ in 0..20 {
            for (number, candidate) in search.next_batch(20).into_iter().enumerate() {
                given.push(spelled(&candidate.sequence));
                if number % 7 == 0 {
                    search.add_to_corpus(Specimen::new(candidate.sequence, vec![]));
                }
            }
        }
        given
    };
    assert_eq!(run(3, false), run(3, true));
    assert_ne!(run(3, false), run(4, false));
}

#[test]
fn splices_come_before_random_candidates_and_nothing_comes_twice() {
    let batch = search(2).next_batch(400);
    let first_random = batch.iter().position(|c| c.why != Why::Splice).unwrap();
    assert!(first_random > 0 && batch[first_random..].iter().all(|c| c.why != Why::Splice));
    let mut sequences: Vec<&Sequence> = batch.iter().map(|c| &c.sequence).collect();
    sequences.sort();
    sequences.dedup();
    assert_eq!(sequences.len(), 400);
}

/// Distances that anybody can compute: outcome `n` is a sequence of `3 * n` statements.
fn distances(sequence: &Sequence) -> Vec<Distance> {
    let length = sequence.statements.len() as f64;
    let away = |outcome: u32| (length - 3.0 * f64::from(outcome)).abs();
    (1..8).map(|outcome| Distance { outcome, away: away(outcome).to_bits(), operands: None }).collect()
}

const ALGORITHMS: [Algorithms; 4] =
    [Algorithms::Mio, Algorithms::Mosa, Algorithms::DynaMosa, Algorithms::WholeSuite];

/// What distances lead to, in some rounds, and the candidates that come of it.
fn led(algorithm: Algorithms, seed: u64) -> (Vec<Sequence>, Search) {
    let mut search = search(seed);
    // Each length can be had when the one before was.
    let above = (2..8).map(|goal| (goal, vec![goal - 1])).collect();
    search.guide(algorithm, CoverageGoals::new((1..8).collect(), above));
    let mut given = vec![];
    for _ in 0..40 {
        for sequence in search.next_guided(20) {
            search.learn(&sequence, &distances(&sequence));
            given.push(sequence);
        }
    }
    (given, search)
}

#[test]
fn what_each_algorithm_proposes_is_well_typed_comes_once_and_depends_on_the_seed_alone() {
    for algorithm in ALGORITHMS {
        let (given, _) = led(algorithm, 3);
        assert!(given.len() > 500, "{algorithm:?}: {}", given.len());
        assert!(given.iter().all(|sequence| check(sequence, &types()).is_ok() && is_well_typed(sequence)));
        let mut once: Vec<&Sequence> = given.iter().collect();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), given.len(), "{algorithm:?}");
        assert_eq!(given, led(algorithm, 3).0, "{algorithm:?}");
        assert_ne!(given, led(algorithm, 4).0, "{algorithm:?}");
    }
    assert!(search(3).next_guided(20).is_empty(), "nothing leads where nobody measures");
}

#[test]
fn every_algorithm_reaches_every_length() {
    for algorithm in ALGORITHMS {
        let reached: BTreeSet<u32> = led(algorithm, 3)
            .0
            .iter()
            .flat_map(distances)
            .filter(|d| d.away == 0)
            .map(|d| d.outcome)
            .collect();
        assert_eq!(reached.len(), 7, "{algorithm:?}");
    }
}

#[test]
fn what_reached_a_branch_first_is_recorded_after_the_splices_and_before_what_chance_makes() {
    let (given, mut search) = led(Algorithms::Mio, 3);
    let mut reached: Vec<u32> = vec![];
    let mut first = vec![];
    for sequence in &given {
        let new = distances(sequence).iter().any(|d| d.away == 0 && !reached.contains(&d.outcome));
        if new {
            reached.extend(distances(sequence).iter().filter(|d| d.away == 0).map(|d| d.outcome));
            first.push(sequence.clone());
        }
    }
    assert_eq!(reached.len(), 7, "every length is reached");
    let batch = search.next_batch(400);
    let place = |why: Why| batch.iter().position(|candidate| candidate.why == why).unwrap();
    let guided: Vec<Sequence> =
        batch.iter().filter(|c| c.why == Why::Guided).map(|c| c.sequence.clone()).collect();
    let spliced: Vec<&Sequence> =
        batch.iter().filter(|c| c.why == Why::Splice).map(|c| &c.sequence).collect();
    first.retain(|sequence| !spliced.contains(&sequence));
    assert_eq!(guided, first);
    assert!(place(Why::Splice) < place(Why::Guided) && place(Why::Guided) < place(Why::Variation));
}

/// Any operation at all over a few names, most of it nonsense.
fn nonsense(u: &mut Unstructured) -> Result<Operation> {
    let arg = |u: &mut Unstructured| -> Result<Arg> {
        Ok(match u.int_in_range(0..=5)? {
            0 => Arg::Value(Value::Null),
            1 => Arg::Value(Value::Int(u.arbitrary()?)),
            2 => Arg::Value(Value::Str("s".into())),
            _ => Arg::Var(u.int_in_range(0..=9)?),
        })
    };
    let owner = *u.choose(&[OUTER, "a.Middle", "a.Level", "a.Outer$Hidden", "b.Far", LIST])?;
    let name = *u.choose(&[
        "<init>()V",
        "probe()Z",
        "open()V",
        "add(Ljava/lang/Object;)Z",
        "closed()V",
        "secret()V",
    ])?;
    let args = if name.starts_with("add") { vec![arg(u)?] } else { vec![] };
    let method = common::method(owner, name);
    Ok(match u.int_in_range(0..=4)? {
        0 | 1 => Operation::New { constructor: common::method(owner, "<init>()V"), args: vec![] },
        2 => Operation::ArrayStore { array: arg(u)?, index: 0, value: arg(u)? },
        3 => Operation::Call { method, kind: CallKind::Static, receiver: None, args },
        _ => Operation::Call { method, kind: CallKind::Virtual, receiver: Some(arg(u)?), args },
    })
}

#[test]
fn the_check_accepts_nothing_its_naive_twin_refuses() {
    let types = types();
    let mut accepted = 0;
    arbtest::arbtest(|u| {
        let mut script = Script::default();
        for _ in 0..u.int_in_range(1..=6)? {
            let operation = nonsense(u)?;
            let result = match &operation {
                Operation::New { constructor, .. } => descriptor::of_class(&constructor.owner),
                Operation::Call { method, .. } => descriptor::result(&method.descriptor).to_owned(),
                _ => "V".to_owned(),
            };
            script.then(operation, &result);
        }
        let ours = check(&script.0, &types).is_ok();
        accepted += u32::from(ours);
        assert!(!ours || is_well_typed(&script.0), "{}", spelled(&script.0));
        Ok(())
    })
    .budget_ms(2_000);
    assert!(accepted > 0, "the property says nothing when nothing is accepted");
}

#[test]
fn an_ill_typed_sequence_is_refused_with_the_statement_and_the_reason() {
    let mut s = Script::default();
    let outer = s.made(OUTER);
    s.outer(outer, "take(Ljava/util/List;)V", &[Arg::Var(outer)]);
    let error = check(&s.0, &types()).unwrap_err().to_string();
    assert_eq!(error, "statement 1: statement 0 is La/Outer; where Ljava/util/List; is wanted");
    let mut s = Script::default();
    s.made("a.Level");
    assert!(check(&s.0, &types()).unwrap_err().to_string().contains("there is no a.Level.<init>()V"));
    let mut s = Script::default();
    s.outer(0, "probe()Z", &[]);
    assert!(check(&s.0, &types()).unwrap_err().to_string().contains("no earlier one"));
}

/// A class with a method for locales, which a constructor and a constant give.
fn travelling() -> Search {
    const TRIP: &str = "a.Trip";
    let object = "java.lang.Object";
    let trip = common::info(TRIP, &[object], &["()V"], &["in(Ljava/util/Locale;)V"]);
    let mut locale = common::info("java.util.Locale", &[object], &["(Ljava/lang/String;)V"], &[]);
    locale.static_fields.push(FieldRef {
        owner: "java.util.Locale".into(),
        name: "FRANCE".into(),
        descriptor: "Ljava/util/Locale;".into(),
    });
    let mut seed = Script::default();
    let receiver = seed.made(TRIP);
    let constructor = common::method("java.util.Locale", "<init>(Ljava/lang/String;)V");
    let made = Operation::New { constructor, args: vec![text("fr")] };
    let made = seed.then(made, "Ljava/util/Locale;");
    seed.call(receiver, TRIP, "in(Ljava/util/Locale;)V", &[Arg::Var(made)]);
    let config = Config { seed: 3, roots: vec![TRIP.into()], ..Config::default() };
    let seed = Specimen::new(seed.0, vec![]);
    Search::new(config, Types::new(vec![trip, locale], "a"), vec![seed])
}

#[test]
fn arguments_are_made_as_tests_make_them_and_constants_of_the_jdk_stand_before_constructors() {
    let all: Vec<String> =
        travelling().next_batch(600).iter().map(|candidate| spelled(&candidate.sequence)).collect();
    let count = |what: &str| all.iter().map(|text| text.matches(what).count()).sum::<usize>();
    let (usual, other) = (count("new Locale('fr')"), count("new Locale('b')"));
    assert!(usual > 4 * other, "{usual} and {other}: {}", all[0]);
    let (constants, made) = (count("FRANCE"), count("new Locale(") - usual);
    assert!(constants > made && made > 0, "{constants} and {made}: {}", all[0]);
}

/// A class with a method for printers, which can be made of the name of a file or of a writer, and one for arrays of an interface that
/// nothing makes.
fn printing() -> Search {
    const PAGE: &str = "a.Page";
    let object = "java.lang.Object";
    let methods = ["print(Ljava/io/PrintWriter;)V", "all([Lb/Ink;)V"];
    let page = common::info(PAGE, &[object], &["()V"], &methods);
    let of_printer = ["(Ljava/lang/String;)V", "(Ljava/io/File;)V", "(Ljava/io/Writer;)V"];
    let printer = common::info("java.io.PrintWriter", &["java.io.Writer", object], &of_printer, &[]);
    let writer = common::info("java.io.StringWriter", &["java.io.Writer", object], &["()V"], &[]);
    let config = Config { seed: 3, roots: vec![PAGE.into()], ..Config::default() };
    Search::new(config, Types::new(vec![page, printer, writer], "a"), vec![])
}

#[test]
fn nothing_is_made_that_opens_a_file_and_no_array_has_an_empty_place() {
    let all: Vec<String> =
        printing().next_batch(400).iter().map(|candidate| spelled(&candidate.sequence)).collect();
    let uses = |what: &str| all.iter().filter(|text| text.contains(what)).count();
    assert!(uses("new PrintWriter(#") > 0, "of a writer: {}", all[0]);
    assert_eq!(uses("new PrintWriter('"), 0, "of a name");
    assert!(uses("[Lb/Ink;0") > 0, "{}", all[0]);
    assert_eq!(uses("[Lb/Ink;1") + uses("[Lb/Ink;2"), 0);
}

#[test]
fn a_method_of_a_class_that_is_not_known_is_found_where_it_is_inherited() {
    let mut heir = common::info("a.Heir", &["a.Base"], &["<init>()V"], &["own()V", "old()I"]);
    heir.methods[1].method.owner = "a.Base".into();
    let types = dynaflow_search::Types::new([heir], "a");
    let (old, own) = (common::method("a.Base", "old()I"), common::method("a.Base", "own()V"));
    assert_eq!(types.member(&old), None);
    assert_eq!(types.inherited(&old).map(|callable| &callable.method), Some(&old));
    assert_eq!(types.inherited(&own), None, "that is another class's");
}
