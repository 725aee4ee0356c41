//! One case per sentence of what a definition, a use, a context and an objective are, with what must not be found.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod common;

use common::{M, World, field_ref, in_words};
use dynaflow_dataflow::AnalysisConfig;
use dynaflow_model::ids::ObjectId;
use dynaflow_model::sites::{Access, FieldRef, SiteKind, ValueKind};
use dynaflow_model::words;
use std::collections::BTreeSet;

const LEAF: ValueKind = ValueKind::Leaf;
const JAVA: &str = "java.lang.Object";
const LIST: &str = "java.util.ArrayList";

/// All facts of a run without the offsets of the sites.
fn facts(world: &World) -> BTreeSet<String> {
    world.facts().values().flatten().map(|fact| plain(fact)).collect()
}

fn plain(fact: &str) -> String {
    let mut text = String::new();
    let mut skip = false;
    for c in fact.chars() {
        skip = c == '@' || (skip && c.is_ascii_digit());
        if !skip {
            text.push(c);
        }
    }
    text
}

#[track_caller]
fn assert_facts(world: &World, expected: &[&str]) {
    let found = facts(world);
    let expected: BTreeSet<String> = expected.iter().map(|fact| (*fact).to_owned()).collect();
    assert_eq!(found, expected);
}

/// A world with a root class `a.Root` that refers to an `a.Part`.
struct Small {
    w: World,
    root: ObjectId,
    part: ObjectId,
    set: M,
    get: M,
    part_set: M,
    part_get: M,
    to_part: FieldRef,
    level: FieldRef,
}

/// Objects that refer to each other before anything of the program runs: a test wrote the reference.
fn small() -> Small {
    let mut w = World::new();
    let root = w.class("a.Root", JAVA, &["part", "own"], &["set", "get", "<init>"]);
    let part = w.class("a.Part", JAVA, &["level"], &["put", "read"]);
    w.class("t.T", JAVA, &[], &["test t"]);
    let (set, get) = (w.method(root, "set"), w.method(root, "get"));
    let (part_set, part_get) = (w.method(part, "put"), w.method(part, "read"));
    let (root, part) = (w.object(0, "a.Root"), w.object(0, "a.Part"));
    let to_part = field_ref("a.Root", "part");
    let level = field_ref("a.Part", "level");
    Small { w, root, part, set, get, part_set, part_get, to_part, level }
}

impl Small {
    /// `root.part = part` by a test, whose frame is no frame of the program.
    fn linked(mut self) -> Self {
        let test = self.w.method(2, "t");
        let instance = self.w.object(0, "t.T");
        self.w.enter(0, test, instance);
        self.w.put(0, test, self.root, &self.to_part, Some(self.part));
        self.w.exit(0, test);
        self
    }
}

#[test]
fn a_read_is_a_use_for_every_root_on_the_stack_and_every_path_to_the_location() {
    let Small { mut w, root, part, get, part_get, level, .. } = small().linked();
    w.enter(0, get, root);
    w.enter(0, part_get, part);
    w.get_this(0, part_get, &level, LEAF);
    w.exit(0, part_get);
    w.exit(0, get);
    assert_facts(
        &w,
        &[
            "entry a.Part.read a.Part: a.Part.level -> a.Part.read[a.Part.read]",
            "entry a.Root.get a.Root: a.Root.part a.Part.level -> a.Part.read[a.Root.get,a.Part.read]",
            "pair a.Root: a.Root.part a.Part.level = nested t.T.t[] -> a.Part.read[a.Root.get,a.Part.read]",
        ],
    );
}

#[test]
fn an_object_that_is_no_receiver_or_refers_to_nothing_read_is_no_root() {
    let Small { mut w, root, part, get, part_get, level, .. } = small();
    w.enter(0, get, root);
    w.exit(0, get);
    w.enter(0, part_get, part);
    w.get_this(0, part_get, &level, LEAF);
    w.exit(0, part_get);
    assert_facts(&w, &["entry a.Part.read a.Part: a.Part.level -> a.Part.read[a.Part.read]"]);
}

#[test]
fn a_definition_reaches_a_later_use_and_defines_at_the_exit_of_the_invocation_that_made_it() {
    let Small { mut w, part, part_set, part_get, level, .. } = small();
    w.enter(0, part_set, part);
    w.put_this(0, part_set, &level, None);
    w.throw(0, part_set);
    w.enter(0, part_get, part);
    w.get_this(0, part_get, &level, LEAF);
    w.exit(0, part_get);
    assert_facts(
        &w,
        &[
            "throw a.Part.put a.Part: a.Part.level = direct a.Part.put[a.Part.put]",
            "entry a.Part.read a.Part: a.Part.level -> a.Part.read[a.Part.read]",
            "pair a.Part: a.Part.level = direct a.Part.put[a.Part.put] -> a.Part.read[a.Part.read]",
        ],
    );
}

#[test]
fn a_use_of_what_the_invocation_itself_defined_is_no_use_at_entry() {
    let Small { mut w, part, part_set, level, .. } = small();
    w.enter(0, part_set, part);
    w.put_this(0, part_set, &level, None);
    w.get_this(0, part_set, &level, LEAF);
    w.exit(0, part_set);
    assert!(facts(&w).iter().all(|fact| !fact.starts_with("entry")));
    assert!(facts(&w).iter().any(|fact| fact.starts_with("pair")));
}

#[test]
fn a_later_write_kills_a_definition_whoever_makes_it_through_whatever_alias() {
    let Small { mut w, root, part, set, get, part_set, part_get, level, .. } = small().linked();
    w.enter(0, set, root);
    w.enter(0, part_set, part);
    w.put_this(0, part_set, &level, None);
    w.exit(0, part_set);
    w.exit(0, set);
    // Somebody else writes the same location, not through the root.
    let stranger = w.object(0, "a.Root");
    w.enter(0, get, stranger);
    w.put(0, get, part, &level, None);
    w.exit(0, get);
    w.enter(0, get, root);
    w.enter(0, part_get, part);
    w.get_this(0, part_get, &level, LEAF);
    w.exit(0, part_get);
    w.exit(0, get);
    let pairs: Vec<String> = facts(&w).into_iter().filter(|fact| fact.starts_with("pair a.Root")).collect();
    let use_ = "a.Part.read[a.Root.get,a.Part.read]";
    let definition = "direct a.Root.get[a.Root.get]";
    assert_eq!(pairs, [format!("pair a.Root: a.Root.part a.Part.level = {definition} -> {use_}")]);
}

#[test]
fn an_assignment_of_a_reference_is_a_nested_definition_of_everything_below_written_or_not() {
    let Small { mut w, root, part, set, to_part, .. } = small();
    w.enter(0, set, root);
    w.put_this(0, set, &to_part, Some(part));
    w.exit(0, set);
    assert_facts(
        &w,
        &[
            "exit a.Root.set a.Root: a.Root.part = direct a.Root.set[a.Root.set]",
            "exit a.Root.set a.Root: a.Root.part a.Part.level = nested a.Root.set[a.Root.set]",
        ],
    );
}

#[test]
fn a_null_and_a_leaf_have_nothing_below() {
    let Small { mut w, root, part, set, to_part, .. } = small();
    w.enter(0, set, root);
    w.put_this(0, set, &to_part, Some(part));
    w.put_this(0, set, &to_part, Some(ObjectId::NULL));
    w.exit(0, set);
    assert_facts(&w, &["exit a.Root.set a.Root: a.Root.part = direct a.Root.set[a.Root.set]"]);
}

#[test]
fn fields_of_one_name_in_a_superclass_and_a_subclass_differ_and_inherited_ones_belong_to_the_declaring_class()
{
    let mut w = World::new();
    w.class("a.Base", JAVA, &["x", "y"], &[]);
    let sub = w.class("a.Sub", "a.Base", &["x"], &["set"]);
    let set = w.method(sub, "set");
    let object = w.object(0, "a.Sub");
    w.enter(0, set, object);
    w.put_this(0, set, &field_ref("a.Sub", "x"), None);
    w.put_this(0, set, &field_ref("a.Sub", "y"), None);
    w.exit(0, set);
    let by = "direct a.Sub.set[a.Sub.set]";
    let expected =
        [format!("exit a.Sub.set a.Sub: a.Sub.x = {by}"), format!("exit a.Sub.set a.Sub: a.Base.y = {by}")];
    assert_facts(&w, &[&expected[0], &expected[1]]);
}

#[test]
fn elements_are_distinguished_by_index_and_have_one_name() {
    let mut w = World::new();
    let class = w.class("a.A", JAVA, &["all"], &["set", "get"]);
    w.mirror("[I", &[JAVA.to_owned()]);
    let (set, get) = (w.method(class, "set"), w.method(class, "get"));
    let (object, array) = (w.object(0, "a.A"), w.object(0, "[I"));
    w.enter(0, set, object);
    w.put_this(0, set, &field_ref("a.A", "all"), Some(array));
    w.store(0, set, array, 1, None);
    w.exit(0, set);
    w.enter(0, get, object);
    w.load(0, get, array, 2);
    w.exit(0, get);
    let found = facts(&w);
    let use_ = "a.A.get[a.A.get]";
    // Element 2 was never written: what reaches it is the assignment of the array.
    assert!(found.contains(&format!("pair a.A: a.A.all [] = nested a.A.set[a.A.set] -> {use_}")));
    assert!(!found.contains(&format!("pair a.A: a.A.all [] = direct a.A.set[a.A.set] -> {use_}")));
    assert!(found.contains("exit a.A.set a.A: a.A.all [] = direct a.A.set[a.A.set]"), "element 1");
    assert!(found.contains("exit a.A.set a.A: a.A.all [] = nested a.A.set[a.A.set]"), "all others");
}

#[test]
fn contents_are_one_location_of_a_container_of_the_jdk_and_no_location_of_other_objects() {
    let Small { mut w, root, part, set, to_part, .. } = small();
    let collection = ["java.util.AbstractList", "java.util.Collection"].map(str::to_owned);
    w.mirror(LIST, &collection);
    let list = w.object(0, LIST);
    w.enter(0, set, root);
    w.put_this(0, set, &to_part, Some(list));
    w.contents(0, set, Access::ReadWrite, list);
    w.contents(0, set, Access::ReadWrite, part);
    w.exit(0, set);
    let by = "a.Root.set[a.Root.set]";
    let expected = [
        format!("exit a.Root.set a.Root: a.Root.part = direct {by}"),
        format!("exit a.Root.set a.Root: a.Root.part [] = direct {by}"),
        format!("pair a.Root: a.Root.part [] = nested {by} -> {by}"),
    ];
    assert_facts(&w, &[&expected[0], &expected[1], &expected[2]]);
}

#[test]
fn what_a_loop_puts_into_a_list_each_time_is_in_there_as_often() {
    for taken_out in [5, 6] {
        let Small { mut w, root, part, set, get, to_part, level, .. } = small();
        w.mirror(LIST, &["java.util.AbstractList", "java.util.Collection"].map(str::to_owned));
        let list = w.object(0, LIST);
        w.enter(0, set, root);
        w.put_this(0, set, &to_part, Some(list));
        for (how, times) in [(words::HELD, 6), (words::RELEASED, taken_out)] {
            for _ in 0..times {
                w.contents(0, set, Access::Write, list);
                w.held(0, how, list, part);
            }
        }
        w.exit(0, set);
        w.enter(0, get, root);
        w.get(0, get, part, &level, LEAF);
        w.exit(0, get);
        let facts = w.facts_of_one_chunk();
        assert_eq!(facts, w.facts());
        let uses = facts.values().flatten().filter(|fact| fact.contains("level")).count();
        assert_eq!(uses > 0, taken_out == 5, "{facts:?}");
    }
}

#[test]
fn words_of_another_event_that_look_like_a_loop_are_no_run_of_it() {
    let mut w = World::new();
    let class = w.class("a.A", JAVA, &["count"], &["bump"]);
    let bump = w.method(class, "bump");
    let count = field_ref("a.A", "count");
    let counter = w.object(0, "a.A");
    w.enter(0, bump, counter);
    w.get_this(0, bump, &count, LEAF);
    w.put_this(0, bump, &count, None);
    let mut words: Vec<u64> = w.script.iter().flat_map(|(_, words)| words.iter().copied()).collect();
    let round = words.split_off(words.len() - 2);
    // A range of no elements whose last two words are those of a round.
    words.extend([words::word(words::READ_RANGE, counter.0), round[0], round[1], round[0], round[1]]);
    let mut engine = w.engine(AnalysisConfig::default());
    engine.chunk(0, &words);
    engine.chunk(0, &round);
    let records = engine.finish();
    let pairs = engine.facts().pairs.len();
    assert_eq!(
        pairs,
        1,
        "the second round reads what the first wrote: {:?}",
        in_words(engine.facts(), &records)
    );
}

#[test]
fn a_static_method_has_its_class_as_receiver_and_static_fields_are_its_locations() {
    let mut w = World::new();
    let class = w.class("a.A", JAVA, &["static count"], &["bump"]);
    let bump = w.method(class, "bump");
    let count = field_ref("a.A", "count");
    w.enter_static(0, bump);
    w.get_static(0, bump, &count);
    w.put_static(0, bump, &count, None);
    w.exit(0, bump);
    assert_facts(
        &w,
        &[
            "entry a.A.bump a.A: a.A.count -> a.A.bump[a.A.bump]",
            "exit a.A.bump a.A: a.A.count = direct a.A.bump[a.A.bump]",
        ],
    );
}

#[test]
fn repeated_frames_of_one_method_collapse_and_only_the_outermost_invocation_on_a_root_has_facts_at_its_ends()
{
    let Small { mut w, part, part_set, part_get, level, .. } = small();
    w.enter(0, part_set, part);
    w.enter(0, part_get, part);
    w.enter(0, part_get, part);
    w.put_this(0, part_get, &level, None);
    w.exit(0, part_get);
    w.exit(0, part_get);
    w.exit(0, part_set);
    let context = "[a.Part.put,a.Part.read]";
    assert_facts(&w, &[&format!("exit a.Part.put a.Part: a.Part.level = direct a.Part.read{context}")]);
}

#[test]
fn a_write_through_an_alias_has_the_context_from_the_outermost_frame() {
    let Small { mut w, root, part, set, part_get, level, .. } = small();
    w.enter(0, set, root);
    w.put(0, set, part, &level, None);
    w.exit(0, set);
    w.enter(0, part_get, part);
    w.get_this(0, part_get, &level, LEAF);
    w.exit(0, part_get);
    let found = facts(&w);
    let definition = "direct a.Root.set[a.Root.set]";
    assert!(found.contains(&format!("pair a.Part: a.Part.level = {definition} -> a.Part.read[a.Part.read]")));
    assert!(found.iter().all(|fact| !fact.starts_with("exit")), "the part was reachable from no receiver");
}

#[test]
fn a_long_context_is_cut_in_the_middle_and_counted() {
    let mut w = World::new();
    let class = w.class("a.A", JAVA, &["x"], &["m0", "m1", "m2", "m3", "m4", "m5"]);
    let methods: Vec<M> = (0..6).map(|at| w.method(class, &format!("m{at}"))).collect();
    let object = w.object(0, "a.A");
    methods.iter().for_each(|method| w.enter(0, *method, object));
    w.put_this(0, methods[5], &field_ref("a.A", "x"), None);
    methods.iter().rev().for_each(|method| w.exit(0, *method));
    let config = AnalysisConfig { context: 5, ..AnalysisConfig::default() };
    let found: Vec<String> = w.run(config).values().flatten().map(|fact| plain(fact)).collect();
    assert_eq!(found, ["exit a.A.m0 a.A: a.A.x = direct a.A.m5[a.A.m0,a.A.m1,a.A.m2...a.A.m4,a.A.m5]"]);
    let mut engine = w.engine(config);
    w.script.iter().for_each(|(thread, words)| engine.chunk(*thread, words));
    assert_eq!(engine.bounds().context, 1);
    assert_eq!(w.facts().values().flatten().filter(|fact| fact.contains("...")).count(), 0);
}

#[test]
fn constructors_are_frames_from_their_first_instruction_and_writes_before_super_belong_to_the_object() {
    let mut w = World::new();
    let base = w.class("a.Base", JAVA, &["b"], &["<init>"]);
    let inner = w.class("a.Inner", "a.Base", &["this$0"], &["<init>"]);
    let (base_init, init) = (w.method(base, "<init>"), w.method(inner, "<init>"));
    w.enter_constructor(0, init);
    w.put_this(0, init, &field_ref("a.Inner", "this$0"), Some(ObjectId(77)));
    w.super_call(0, init, "a.Base");
    w.enter_constructor(0, base_init);
    w.super_call(0, base_init, JAVA);
    let object = w.object(0, "a.Inner");
    w.bind(0, base_init, object);
    w.put_this(0, base_init, &field_ref("a.Base", "b"), None);
    w.exit(0, base_init);
    w.bind(0, init, object);
    w.exit(0, init);
    assert_facts(
        &w,
        &[
            "exit a.Inner.<init> a.Inner: a.Inner.this$0 = direct a.Inner.<init>[a.Inner.<init>]",
            "exit a.Inner.<init> a.Inner: a.Base.b = direct a.Base.<init>[a.Inner.<init>,a.Base.<init>]",
        ],
    );
}

#[test]
fn an_exception_out_of_super_leaves_the_constructor_below_too_and_what_follows_is_the_callers() {
    let mut w = World::new();
    let base = w.class("a.Base", JAVA, &["b"], &["<init>"]);
    let sub = w.class("a.Sub", "a.Base", &[], &["<init>"]);
    let maker = w.class("a.Maker", JAVA, &["x"], &["make"]);
    let (base_init, init, make) =
        (w.method(base, "<init>"), w.method(sub, "<init>"), w.method(maker, "make"));
    let receiver = w.object(0, "a.Maker");
    w.enter(0, make, receiver);
    w.enter_constructor(0, init);
    w.super_call(0, init, "a.Base");
    w.enter_constructor(0, base_init);
    w.super_call(0, base_init, JAVA);
    let object = w.object(0, "a.Sub");
    w.bind(0, base_init, object);
    w.put_this(0, base_init, &field_ref("a.Base", "b"), None);
    w.throw(0, base_init);
    // Nothing says that the constructor of a.Sub is left.
    w.get_this(0, make, &field_ref("a.Maker", "x"), LEAF);
    w.exit(0, make);
    assert_facts(
        &w,
        &[
            "throw a.Sub.<init> a.Sub: a.Base.b = direct a.Base.<init>[a.Sub.<init>,a.Base.<init>]",
            "entry a.Maker.make a.Maker: a.Maker.x -> a.Maker.make[a.Maker.make]",
        ],
    );
}

#[test]
fn a_constructor_entered_for_an_argument_is_not_the_super_constructor() {
    let mut w = World::new();
    let base = w.class("a.Base", JAVA, &["b"], &["<init>"]);
    let sub = w.class("a.Sub", "a.Base", &["s"], &["<init>"]);
    let (base_init, init) = (w.method(base, "<init>"), w.method(sub, "<init>"));
    w.enter_constructor(0, init);
    // new Base() computed before super(...): no SuperCall site stands before it.
    let argument = w.construct(0, base_init);
    w.super_call(0, init, "lib.Unrecorded");
    let object = w.object(0, "a.Sub");
    w.bind(0, init, object);
    w.put_this(0, init, &field_ref("a.Sub", "s"), None);
    w.exit(0, init);
    assert_ne!(argument, object);
    assert_facts(&w, &["exit a.Sub.<init> a.Sub: a.Sub.s = direct a.Sub.<init>[a.Sub.<init>]"]);
}

#[test]
fn a_method_that_runs_before_its_objects_constructor_is_bound_is_a_frame_of_its_own_until_then() {
    let mut w = World::new();
    let class = w.class("a.A", "lib.Unrecorded", &["x"], &["<init>", "hook"]);
    let (init, hook) = (w.method(class, "<init>"), w.method(class, "hook"));
    let call_hook = |w: &mut World, object| {
        w.enter(0, hook, object);
        w.get_this(0, hook, &field_ref("a.A", "x"), LEAF);
        w.exit(0, hook);
    };
    w.enter_constructor(0, init);
    w.super_call(0, init, "lib.Unrecorded");
    let object = w.object(0, "a.A");
    // The constructor of the superclass, which is not recorded, calls a method of the subclass.
    call_hook(&mut w, object);
    w.bind(0, init, object);
    call_hook(&mut w, object);
    w.exit(0, init);
    assert_facts(
        &w,
        &[
            "entry a.A.hook a.A: a.A.x -> a.A.hook[a.A.hook]",
            "entry a.A.<init> a.A: a.A.x -> a.A.hook[a.A.<init>,a.A.hook]",
        ],
    );
}

#[test]
fn a_variable_longer_than_the_bound_is_counted_and_not_found() {
    let mut w = World::new();
    let class = w.class("a.N", JAVA, &["next"], &["set", "get"]);
    let (set, get) = (w.method(class, "set"), w.method(class, "get"));
    let next = field_ref("a.N", "next");
    let nodes: Vec<ObjectId> = (0..4).map(|_| w.object(0, "a.N")).collect();
    w.enter(0, set, nodes[0]);
    for pair in nodes.windows(2) {
        w.put(0, set, pair[0], &next, Some(pair[1]));
    }
    w.exit(0, set);
    w.enter(0, get, nodes[0]);
    w.get(0, get, nodes[3], &next, ValueKind::Reference);
    w.exit(0, get);
    let config = |depth| AnalysisConfig { depth, ..AnalysisConfig::default() };
    let longest = |depth| {
        let facts = w.run(config(depth));
        facts.values().flatten().map(|fact| fact.matches("a.N.next").count()).max().unwrap()
    };
    assert_eq!((longest(2), longest(3), longest(4)), (2, 3, 4));
    let bound = |depth| {
        let mut engine = w.engine(config(depth));
        w.script.iter().for_each(|(thread, words)| engine.chunk(*thread, words));
        engine.bounds().depth
    };
    assert!(bound(3) > 0);
    assert_eq!(bound(4), 0);
}

#[test]
fn more_paths_than_the_bound_are_cut_and_counted_and_never_silent() {
    let Small { mut w, root, part, get, part_get, level, .. } = small();
    w.mirror("[Ljava.lang.Object;", &[JAVA.to_owned()]);
    let array = w.object(0, "[Ljava.lang.Object;");
    w.enter(0, get, root);
    w.put_this(0, get, &field_ref("a.Root", "own"), Some(array));
    (0..40).for_each(|index| w.store(0, get, array, index, Some(part)));
    w.enter(0, part_get, part);
    w.get_this(0, part_get, &level, LEAF);
    let run = |paths| {
        let mut engine = w.engine(AnalysisConfig { paths, ..AnalysisConfig::default() });
        w.script.iter().for_each(|(thread, words)| engine.chunk(*thread, words));
        engine.bounds().paths
    };
    assert_eq!((run(64), run(8)), (0, 1));
}

#[test]
fn test_frames_are_no_roots_and_their_writes_have_the_context_of_program_frames_only() {
    let Small { mut w, part, part_get, level, .. } = small();
    let test = w.method(2, "t");
    let instance = w.object(0, "t.T");
    w.begin_test(0, test, instance);
    w.put(0, test, part, &level, None);
    w.get(0, test, part, &level, LEAF);
    w.enter(0, part_get, part);
    w.get_this(0, part_get, &level, LEAF);
    w.exit(0, part_get);
    w.end_test(0, test, false);
    assert_facts(
        &w,
        &[
            "entry a.Part.read a.Part: a.Part.level -> a.Part.read[a.Part.read]",
            "pair a.Part: a.Part.level = direct t.T.t[] -> a.Part.read[a.Part.read]",
        ],
    );
    assert_eq!(w.facts().keys().collect::<Vec<_>>(), ["t.T#t"]);
}

#[test]
fn what_happens_before_a_test_belongs_to_it_and_what_runs_after_it_too() {
    let mut w = World::new();
    let class = w.class("a.A", JAVA, &["x"], &["m", "n", "o"]);
    let test = w.class("t.T", JAVA, &[], &["test one", "test two", "before setUp", "after tearDown"]);
    let [m, n, o] = ["m", "n", "o"].map(|name| w.method(class, name));
    let [one, two, before, after] = ["one", "two", "setUp", "tearDown"].map(|name| w.method(test, name));
    let (object, instance) = (w.object(0, "a.A"), w.object(0, "t.T"));
    let x = field_ref("a.A", "x");
    let touch = |w: &mut World, method: M| {
        w.enter(0, method, object);
        w.put_this(0, method, &x, None);
        w.exit(0, method);
    };
    for (method, fixture, teardown) in [(one, m, n), (two, o, n)] {
        w.enter(0, before, instance);
        touch(&mut w, fixture);
        w.exit(0, before);
        w.begin_test(0, method, instance);
        w.end_test(0, method, false);
        w.enter(0, after, instance);
        touch(&mut w, teardown);
        w.exit(0, after);
    }
    touch(&mut w, m);
    let by_test: Vec<(String, Vec<String>)> = w
        .facts()
        .into_iter()
        .map(|(test, facts)| (test, facts.iter().map(|fact| plain(fact)[..10].to_owned()).collect()))
        .collect();
    let expect = |test: &str, exits: &[&str]| {
        (test.to_owned(), exits.iter().map(|method| format!("exit a.A.{method}")).collect::<Vec<_>>())
    };
    assert_eq!(by_test, [expect("", &["m"]), expect("t.T#one", &["m", "n"]), expect("t.T#two", &["n", "o"])]);
}

#[test]
fn a_method_named_like_a_junit_3_test_is_one_only_below_test_case() {
    for (above, expected) in [("junit.framework.TestCase", "t.T#testIt"), (JAVA, "")] {
        let Small { mut w, part, part_set, level, .. } = small();
        let class = w.class("t.Three", above, &[], &["maybe testIt"]);
        w.classes[class].name = "t.T".into();
        let test = w.method(class, "testIt");
        let instance = w.object(0, "t.T");
        w.begin_test(0, test, instance);
        w.enter(0, part_set, part);
        w.put_this(0, part_set, &level, None);
        w.exit(0, part_set);
        w.end_test(0, test, true);
        let facts = w.facts();
        assert_eq!(facts.keys().collect::<Vec<_>>(), [expected], "{above}");
    }
}

#[test]
fn an_exit_without_its_entry_and_an_entry_without_its_exit_do_not_shift_other_frames() {
    let Small { mut w, root, part, set, get, part_set, level, .. } = small();
    w.enter(0, set, root);
    w.enter(0, get, root);
    w.enter(0, part_set, part);
    w.put_this(0, part_set, &level, None);
    w.exit(0, part_set);
    w.exit(0, part_set);
    w.exit(0, set);
    w.enter(0, part_set, part);
    w.put_this(0, part_set, &level, None);
    w.exit(0, part_set);
    let mut engine = w.engine(AnalysisConfig::default());
    w.script.iter().for_each(|(thread, words)| engine.chunk(*thread, words));
    let trouble = engine.trouble();
    assert_eq!(
        (trouble.desynchronised, trouble.unended),
        (1, 1),
        "the second exit of put, and get that never ended"
    );
    let records = engine.finish();
    let found: Vec<String> =
        common::in_words(engine.facts(), &records).values().flatten().map(|f| plain(f)).collect();
    assert_eq!(found, ["exit a.Part.put a.Part: a.Part.level = direct a.Part.put[a.Part.put]"]);
}

#[test]
fn frames_above_the_one_that_goes_on_are_over() {
    let Small { mut w, root, part, set, part_set, part_get, level, .. } = small();
    w.enter(0, part_get, part);
    w.enter(0, set, root);
    w.enter(0, part_set, part);
    // The stack overflowed, and nobody reported the end of two frames.
    w.put(0, part_get, part, &level, None);
    w.get_this(0, part_get, &level, LEAF);
    w.exit(0, part_get);
    let mut engine = w.engine(AnalysisConfig::default());
    w.script.iter().for_each(|(thread, words)| engine.chunk(*thread, words));
    assert_eq!((engine.trouble().desynchronised, engine.trouble().unended), (0, 2));
    let records = engine.finish();
    let found = common::in_words(engine.facts(), &records);
    let pair = |fact: &&String| fact.starts_with("pair");
    let pairs: Vec<String> = found.values().flatten().filter(pair).map(|f| plain(f)).collect();
    assert_eq!(
        pairs,
        ["pair a.Part: a.Part.level = direct a.Part.read[a.Part.read] -> a.Part.read[a.Part.read]"]
    );
}

#[test]
fn after_the_stack_overflowed_frames_of_one_method_that_are_over_are_distinguished_from_those_that_are_left()
{
    let Small { mut w, root, part, set, part_set, part_get, level, .. } = small();
    w.enter(0, set, root);
    (0..2).for_each(|_| w.enter(0, part_get, part));
    w.enter(0, set, root);
    (0..2).for_each(|_| w.enter(0, part_get, part));
    w.overflowed(0, part_get, 2);
    // What is called next is called by one that is left.
    w.enter(0, part_set, part);
    w.put_this(0, part_set, &level, None);
    w.exit(0, part_set);
    (0..2).for_each(|_| w.exit(0, part_get));
    w.put_this(0, set, &level, None);
    // Nothing is over: there are no more frames of the method than that.
    w.enter(0, part_get, part);
    w.overflowed(0, part_get, 7);
    w.get_this(0, part_get, &level, LEAF);
    w.exit(0, part_get);
    w.exit(0, set);
    let mut engine = w.engine(AnalysisConfig::default());
    w.script.iter().for_each(|(thread, words)| engine.chunk(*thread, words));
    assert_eq!((engine.trouble().desynchronised, engine.trouble().unended), (0, 3));
    let records = engine.finish();
    let found = common::in_words(engine.facts(), &records);
    let pairs = found.values().flatten().filter(|fact| fact.starts_with("pair a.Part:"));
    let pairs: Vec<String> = pairs.map(|fact| plain(fact)).collect();
    assert_eq!(
        pairs,
        ["pair a.Part: a.Part.level = direct a.Part.put[a.Part.read,a.Part.put] -> a.Part.read[a.Part.read]"]
    );
}

#[test]
fn a_dead_object_that_a_late_chunk_of_another_thread_mentions_keeps_its_definitions() {
    let Small { mut w, part, part_set, part_get, level, .. } = small();
    w.enter(0, part_set, part);
    w.put_this(0, part_set, &level, None);
    w.exit(0, part_set);
    w.dead(0, part);
    w.enter(1, part_get, part);
    w.get_this(1, part_get, &level, LEAF);
    w.exit(1, part_get);
    assert!(facts(&w).iter().any(|fact| fact.starts_with("pair")));
}

#[test]
fn what_other_hands_write_below_a_call_is_written_at_the_call_and_seen_by_what_reads() {
    let Small { mut w, part, part_set, part_get, level, .. } = small();
    w.texts.push("a.Part#level#X".to_owned());
    let place = w.text("a.Part#level#X");
    w.enter(0, part_set, part);
    w.put_this(0, part_set, &level, None);
    let call = w.site(part_set, SiteKind::Restore);
    w.hand_write(0, call, part, place, None);
    w.exit(0, part_set);
    w.enter(0, part_get, part);
    let look = w.site(part_get, SiteKind::Restore);
    w.hand_read(0, look, part, place);
    w.exit(0, part_get);
    let pairs: Vec<String> =
        w.facts().values().flatten().filter(|fact| fact.starts_with("pair")).cloned().collect();
    let [pair] = &pairs[..] else { panic!("{pairs:?}") };
    let call = w.classes[1].sites.iter().position(|site| site.kind == SiteKind::Restore).unwrap();
    assert!(pair.contains(&format!("direct a.Part.put@{call}[a.Part.put]")), "{pair}");
}

#[test]
fn what_other_hands_write_below_no_frame_is_no_definition_ends_the_one_before_and_is_counted() {
    let Small { mut w, part, part_set, part_get, level, .. } = small();
    w.texts.push("a.Part#level#X".to_owned());
    let place = w.text("a.Part#level#X");
    w.enter(0, part_set, part);
    w.put_this(0, part_set, &level, None);
    w.hand_write(1, 0, part, place, None);
    w.exit(0, part_set);
    w.enter(0, part_get, part);
    w.get_this(0, part_get, &level, LEAF);
    w.exit(0, part_get);
    let entry = "entry a.Part.read a.Part: a.Part.level -> a.Part.read[a.Part.read]";
    assert_facts(&w, &[entry]);
    let mut engine = w.engine(AnalysisConfig::default());
    w.script.iter().for_each(|(thread, words)| engine.chunk(*thread, words));
    assert_eq!(engine.bounds().unknown, 1);
}

#[test]
fn what_may_have_been_written_anywhere_in_an_object_is_unknown_until_it_is_written_again() {
    let Small { mut w, part, part_set, part_get, level, .. } = small();
    w.enter(0, part_set, part);
    w.put_this(0, part_set, &level, None);
    w.hand_write(0, 0, part, 0, None);
    w.exit(0, part_set);
    w.enter(0, part_get, part);
    w.get_this(0, part_get, &level, LEAF);
    w.exit(0, part_get);
    assert_facts(&w, &["entry a.Part.read a.Part: a.Part.level -> a.Part.read[a.Part.read]"]);
    let mut engine = w.engine(AnalysisConfig::default());
    w.script.iter().for_each(|(thread, words)| engine.chunk(*thread, words));
    assert_eq!(engine.bounds().unknown, 1);
    w.enter(0, part_set, part);
    w.put_this(0, part_set, &level, None);
    w.exit(0, part_set);
    w.enter(0, part_get, part);
    w.get_this(0, part_get, &level, LEAF);
    w.exit(0, part_get);
    assert!(facts(&w).iter().any(|fact| fact.starts_with("pair")));
}

#[test]
fn what_may_be_written_at_any_time_has_no_definition_until_the_invocation_ends_and_a_new_one_afterwards() {
    let Small { mut w, root, part, set, part_set, part_get, to_part, level, .. } = small();
    w.enter(0, part_set, part);
    w.put_this(0, part_set, &level, None);
    w.exit(0, part_set);
    w.enter(0, set, root);
    w.push(0, &[words::word(words::BLURS, 0)]);
    w.put(0, set, part, &level, None);
    // Were the write above the last one, this would define what lies below the reference.
    w.put_this(0, set, &to_part, Some(part));
    w.put(0, set, part, &level, None);
    w.exit(0, set);
    w.enter(0, part_get, part);
    w.get_this(0, part_get, &level, LEAF);
    w.exit(0, part_get);
    let (put, read) = ("a.Part.put[a.Part.put]", "a.Part.read[a.Part.read]");
    let entry = format!("entry a.Part.read a.Part: a.Part.level -> {read}");
    let assigned = "exit a.Root.set a.Root: a.Root.part = direct a.Root.set[a.Root.set]";
    let exit = format!("exit a.Part.put a.Part: a.Part.level = direct {put}");
    assert_facts(&w, &[&exit, assigned, &entry]);
    w.enter(0, part_set, part);
    w.put_this(0, part_set, &level, None);
    w.exit(0, part_set);
    w.enter(0, part_get, part);
    w.get_this(0, part_get, &level, LEAF);
    w.exit(0, part_get);
    let pair = format!("pair a.Part: a.Part.level = direct {put} -> {read}");
    assert_facts(&w, &[&exit, assigned, &entry, &pair]);
}
