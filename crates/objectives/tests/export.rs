//! The `pairs` document: its bytes, its schema, its ids. Knows nothing of the command line.
//! Invariant: every document made here is held against the published schema.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests may unwrap like the tests themselves"
)]
#![allow(missing_docs, reason = "the names of the tests are their documentation")]

mod common;

use common::{Facts, build, sample, seeds};
use dynaflow_model::facts::{DefinitionKind, Pair, Recording};
use dynaflow_model::obstacle::Obstacle;
use dynaflow_model::sites::ClassHash;
use dynaflow_objectives::{
    DeclinedText, Iteration, ObstacleText, PairsDocument, PairsView, Status, StoppedBy, Version,
    definition_key, infer, pair_key, read, recall, use_key,
};
use std::path::PathBuf;

fn in_crate(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn schema(version: Version) -> jsonschema::Validator {
    let name = match version {
        Version::One => "pairs.schema.json",
        Version::Two => "pairs.v2.schema.json",
    };
    let text = std::fs::read_to_string(in_crate("../../docs").join(name)).unwrap();
    jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap()
}

fn json(view: &PairsView<'_>, version: Version) -> String {
    let mut bytes = vec![];
    view.write(version, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// The document of the roots that are wanted, as a reader of version 2 sees it.
fn document(recording: &Recording, roots: impl Fn(&str) -> bool) -> PairsDocument {
    read(json(&PairsView::new(recording, roots), Version::Two).as_bytes()).unwrap()
}

/// What `serde_json` makes of a whole document in memory: what version 1 is to be, byte for byte.
fn in_full(document: &PairsDocument) -> String {
    serde_json::to_string_pretty(document).unwrap() + "\n"
}

/// What is wrong with a document by the schema.
fn complaints(validator: &jsonschema::Validator, text: &str) -> Vec<String> {
    let value = serde_json::from_str(text).unwrap();
    validator.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path)).collect()
}

#[test]
fn the_documents_of_the_sample_are_the_golden_files() {
    let recording = sample();
    let view = PairsView::new(&recording, |_| true);
    for (version, name) in [(Version::One, "pairs.json"), (Version::Two, "pairs.v2.json")] {
        let text = json(&view, version);
        assert_eq!(complaints(&schema(version), &text), Vec::<String>::new());
        let golden = in_crate("tests/golden").join(name);
        if std::env::var_os("DYNAFLOW_BLESS").is_some() {
            std::fs::write(&golden, &text).unwrap();
        }
        let expected = std::fs::read_to_string(golden).unwrap_or_default();
        assert_eq!(text, expected, "set DYNAFLOW_BLESS=1 to accept the new document");
    }
}

#[test]
fn both_versions_are_valid_and_hold_the_same_facts() {
    let schemas = [schema(Version::One), schema(Version::Two)];
    arbtest::arbtest(|u| {
        let recording = build(&seeds(u)?);
        let wanted = u.int_in_range(0..=3)?;
        let view = PairsView::new(&recording, |root| wanted == 3 || root == format!("a.R{wanted}"));
        let [one, two] = [json(&view, Version::One), json(&view, Version::Two)];
        assert_eq!(complaints(&schemas[0], &one), Vec::<String>::new());
        assert_eq!(complaints(&schemas[1], &two), Vec::<String>::new());
        assert_eq!(in_full(&read(two.as_bytes()).unwrap()), one);
        assert_eq!(in_full(&read(one.as_bytes()).unwrap()), one);
        Ok(())
    });
}

#[test]
fn a_document_that_became_a_recording_again_gives_the_same_document() {
    let check = |recording: &Recording| {
        let text = json(&PairsView::new(recording, |_| true), Version::One);
        let recalled = recall(&read(text.as_bytes()).unwrap()).unwrap();
        assert_eq!(json(&PairsView::new(&recalled, |_| true), Version::One), text);
    };
    let mut sample = sample();
    check(&sample);
    sample.bounds.paths = 3;
    sample.notes.push("it was late".to_owned());
    check(&sample);
    arbtest::arbtest(|u| {
        let mut recording = build(&seeds(u)?);
        recording.facts.blocks = Default::default();
        check(&recording);
        Ok(())
    });
}

#[test]
fn a_frame_or_a_build_that_is_none_is_named() {
    let recording = sample();
    let good = document(&recording, |_| true);
    let mut bad = good.clone();
    bad.classes[0].build = "zz".to_owned();
    assert!(recall(&bad).unwrap_err().to_string().starts_with("`zz` is no build of "));
    let mut bad = good.clone();
    let mut definition = (*bad.defs_at_exit[0].definition).clone();
    definition.context = vec!["nothing".to_owned()];
    bad.defs_at_exit[0].definition = definition.into();
    assert!(recall(&bad).unwrap_err().to_string().starts_with("`nothing` is no frame"));
    recall(&good).unwrap();
}

#[test]
fn the_same_facts_found_in_another_order_give_the_same_bytes() {
    arbtest::arbtest(|u| {
        let forwards = seeds(u)?;
        let backwards: Vec<_> = forwards.iter().rev().copied().collect();
        for version in [Version::One, Version::Two] {
            let bytes = |recording: &Recording| json(&PairsView::new(recording, |_| true), version);
            assert_eq!(bytes(&build(&forwards)), bytes(&build(&backwards)));
        }
        Ok(())
    });
}

#[test]
fn in_version_2_every_entry_has_a_line_and_refers_to_lines_above() {
    let recording = sample_with_blocks();
    let text = json(&PairsView::new(&recording, |_| true), Version::Two);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let lists = value.as_object().unwrap().values().filter_map(|list| Some(list.as_array()?.len()));
    let entries: usize = lists.sum();
    let lines = text
        .lines()
        .filter(|line| serde_json::from_str::<serde_json::Value>(line.trim_end_matches(',')).is_ok());
    assert_eq!(lines.count(), entries);
    let at = |list: &str| text.find(&format!("\n\"{list}\":[")).unwrap_or_else(|| panic!("{list}"));
    for (table, user) in [
        ("classes", "methods"),
        ("methods", "contexts"),
        ("fields", "variables"),
        ("classes", "variables"),
        ("contexts", "definitions"),
        ("contexts", "uses"),
        ("tests", "test_sets"),
        ("test_sets", "pairs"),
        ("variables", "pairs"),
        ("definitions", "pairs"),
        ("uses", "pairs"),
        ("uses", "uses_at_entry"),
        ("definitions", "defs_at_exit"),
        ("variables", "blocks"),
        ("definitions", "blocks"),
        ("uses", "blocks"),
    ] {
        assert!(at(table) < at(user), "{table} stands behind {user}");
    }
}

#[test]
fn documents_that_are_none_or_refer_to_nothing_are_refused_by_name() {
    let recording = sample();
    let good = json(&PairsView::new(&recording, |_| true), Version::Two);
    assert!(read(good.as_bytes()).is_ok());
    for (right, wrong, says) in [
        ("\"version\":2", "\"version\":3", "version 3"),
        ("dynaflow-pairs", "dynaflow-duas", "dynaflow-duas"),
        ("\"kind\",\"context\"", "\"context\",\"kind\"", "columns of definitions"),
        ("\"objective\",0,0]", "\"objective\",0,99]", "test_sets[99]"),
        (",\"exception\",2]", ",\"exception\",77]", "definitions[77]"),
        ("\"covered\"", "\"perhaps\"", "perhaps"),
        ("{\n\"format\"", "\"format\"", "no pairs document"),
    ] {
        let bad = good.replacen(right, wrong, 1);
        assert_ne!(bad, good, "{right} is not in the document");
        let error = read(bad.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(says), "{wrong}: {error}");
    }
}

#[test]
fn the_keys_of_every_object_are_sorted() {
    let recording = sample();
    let text = json(&PairsView::new(&recording, |_| true), Version::One);
    // Keys of one object stand at one indentation; a deeper or shallower line ends the run.
    let mut last: Vec<String> = vec![];
    for line in text.lines() {
        let depth = (line.len() - line.trim_start().len()) / 2;
        last.truncate(depth + 1);
        last.resize(depth + 1, String::new());
        if line.trim_start().starts_with('{') || line.trim_end().ends_with('{') {
            last.push(String::new());
        }
        if let Some((key, _)) = line.trim_start().strip_prefix('"').and_then(|rest| rest.split_once("\":")) {
            assert!(last[depth].as_str() < key, "{key} follows {}", last[depth]);
            last[depth] = key.to_owned();
        }
    }
}

#[test]
fn tests_are_named_once_sorted_and_only_where_they_have_a_name() {
    let document = document(&sample(), |_| true);
    let covered: Vec<_> = document.pairs.iter().filter(|p| p.status == Status::Covered).collect();
    assert_eq!(covered.len(), 2);
    assert_eq!(covered[1].variable, "next.[].primed");
    assert_eq!(covered[1].tests, ["a.OuterTest#open", "a.OuterTest#probeTwice"]);
    assert_eq!(covered[0].tests, ["a.OuterTest#probeTwice"]);
    assert!(document.pairs.iter().all(|p| p.status == Status::Covered || p.tests.is_empty()));
}

#[test]
fn a_target_leaves_only_its_root_classes() {
    let all = document(&sample(), |_| true);
    let some = document(&sample(), |root| root == "b.Other");
    assert_eq!((some.pairs.len(), some.defs_at_exit.len(), some.uses_at_entry.len()), (1, 1, 1));
    assert!(all.pairs.contains(&some.pairs[0]));
    assert_eq!((all.count(Status::Covered), all.count(Status::Objective)), (2, 4));
}

/// The sample, with three basic blocks of two classes.
fn sample_with_blocks() -> Recording {
    let mut f = Facts { recording: sample() };
    let next = f.variable("a.Outer", &["a.Outer.next"]);
    let other = f.variable("b.Other", &["b.Other.v"]);
    let d_next = f.definition(DefinitionKind::Direct, &["a.Outer.<init>()V"], 5, 4);
    let d_open = f.definition(DefinitionKind::Direct, &["a.Outer.open()V"], 2, 10);
    let d_other = f.definition(DefinitionKind::Direct, &["b.Other.set()V"], 1, 3);
    let u_next = f.usage(&["a.Outer.probe()Z"], 1, 7);
    f.block("a.Outer.probe()Z", 2, next, Some(d_open), Some(u_next));
    f.block("a.Outer.probe()Z", 2, next, Some(d_next), None);
    f.block("a.Outer.probe()Z", 1, next, None, None);
    f.block("b.Other.get()I", 1, other, Some(d_other), None);
    f.recording
}

#[test]
fn blocks_come_in_bytecode_order_with_their_facts_by_variable_and_those_without_too() {
    let document = document(&sample_with_blocks(), |_| true);
    let blocks = document.blocks.as_ref().unwrap();
    let numbers: Vec<_> = blocks.iter().map(|b| (b.class.as_str(), b.block, b.offset, b.line)).collect();
    assert_eq!(numbers, [("a.Outer", 1, 4, 2), ("a.Outer", 2, 8, 3), ("b.Other", 1, 4, 2)]);
    assert!(blocks[0].reaching.is_empty() && blocks[0].reachable_uses.is_empty());
    let tables = document.block_tables.as_ref().unwrap();
    let [reaching] = blocks[1].reaching.as_slice() else { panic!("one variable: {blocks:?}") };
    let variable = &tables.variables[reaching.variable as usize];
    assert_eq!((variable.root.as_str(), variable.variable.as_str()), ("a.Outer", "next"));
    let lines = reaching.definitions.iter().map(|at| tables.definitions[*at as usize].line);
    assert_eq!(lines.collect::<Vec<_>>(), [4, 10]);
    let [reachable] = blocks[1].reachable_uses.as_slice() else { panic!("one variable: {blocks:?}") };
    assert_eq!(reachable.variable, reaching.variable);
    let uses: Vec<_> = reachable.uses.iter().map(|at| &tables.uses[*at as usize]).collect();
    assert_eq!(uses.iter().map(|u| (u.method.as_str(), u.line)).collect::<Vec<_>>(), [("probe()Z", 7)]);
    assert_eq!((tables.variables.len(), tables.definitions.len(), tables.uses.len()), (2, 3, 1));
    let text = in_full(&document);
    assert_eq!(complaints(&schema(Version::One), &text), Vec::<String>::new());
    let wrong = text.replace("\"block\": 1,", "\"block\": 0,");
    assert!(wrong != text && !complaints(&schema(Version::One), &wrong).is_empty());
}

#[test]
fn a_target_leaves_the_blocks_of_its_class_and_those_with_facts_about_it() {
    let some = document(&sample_with_blocks(), |root| root == "b.Other");
    let blocks: Vec<_> = some.blocks.iter().flatten().map(|b| b.method.as_str()).collect();
    assert_eq!(blocks, ["get()I"]);
    let none = document(&sample_with_blocks(), |root| root == "c.None");
    assert_eq!(none.blocks, Some(vec![]), "recorded, but nothing of this class");
}

#[test]
fn without_facts_per_basic_block_the_document_does_not_speak_of_them() {
    let document = document(&sample(), |_| true);
    assert!(document.blocks.is_none() && !in_full(&document).contains("\"block"));
}

#[test]
fn an_id_changes_with_everything_that_makes_the_pair_and_with_nothing_else() {
    let make = |root: &str, step: &str, kind, frames: &[&str], offset, hash, line| {
        let mut f = Facts::default();
        let variable = f.variable(root, &[step]);
        let definition = f.definition(kind, frames, offset, line);
        let usage = f.usage(&["a.A.get()I"], 1, line);
        f.class("a.A", hash);
        f.class("a.Unrelated", line as u8);
        pair_key(&f.recording.facts, &f.recording.classes, &Pair { variable, definition, usage })
    };
    let direct = DefinitionKind::Direct;
    let id = make("a.A", "a.A.v", direct, &["a.A.set()V"], 1, 1, 1);
    assert_eq!(id.to_string().len(), 32);
    let others = [
        make("a.B", "a.A.v", direct, &["a.A.set()V"], 1, 1, 1),
        make("a.A", "a.Super.v", direct, &["a.A.set()V"], 1, 1, 1),
        make("a.A", "a.A.v", DefinitionKind::Nested, &["a.A.set()V"], 1, 1, 1),
        make("a.A", "a.A.v", direct, &["a.A.all()V", "a.A.set()V"], 1, 1, 1),
        make("a.A", "a.A.v", direct, &["a.A.set()V"], 2, 1, 1),
        make("a.A", "a.A.v", direct, &["a.A.set()V"], 1, 2, 1),
    ];
    let unique: std::collections::BTreeSet<_> = others.iter().chain([&id]).collect();
    assert_eq!(unique.len(), others.len() + 1);
    // The build of a class that has neither definition nor use says nothing about the pair.
    assert_eq!(id, make("a.A", "a.A.v", direct, &["a.A.set()V"], 1, 1, 9));
}

#[test]
fn the_keys_of_a_definition_and_of_a_use_are_the_same_in_every_table_and_differ_with_what_makes_them() {
    let make = |before: &str, root: &str, offset| {
        let mut f = Facts::default();
        f.variable(before, &["a.B.w"]);
        f.usage(&["a.B.first()I"], 9, 9);
        let variable = f.variable(root, &["a.A.v"]);
        let definition = f.definition(DefinitionKind::Direct, &["a.A.set()V"], offset, 1);
        let usage = f.usage(&["a.A.set()V"], offset, 1);
        let (facts, builds) = (&f.recording.facts, &f.recording.classes);
        let definition = definition_key(facts, builds, (variable, definition));
        [definition, use_key(facts, builds, (variable, usage))]
    };
    let [definition, usage] = make("a.B", "a.A", 1);
    assert_ne!(definition, usage, "at the same instruction");
    assert_eq!([definition, usage], make("a.C", "a.A", 1), "in a table with other facts before");
    for [other_definition, other_usage] in [make("a.B", "a.C", 1), make("a.B", "a.A", 2)] {
        assert!(other_definition != definition && other_usage != usage);
    }
}

#[test]
fn ids_of_documents_are_unique_and_the_same_as_those_of_single_pairs() {
    let mut recording = sample();
    recording.classes.insert("b.Other".to_owned(), ClassHash([3; 16]));
    let document = document(&recording, |_| true);
    let ids: std::collections::BTreeSet<_> = document.pairs.iter().map(|p| p.id.clone()).collect();
    assert_eq!(ids.len(), document.pairs.len());
    let covered = recording.facts.pairs.iter().map(|(_, p)| *p);
    let single = covered
        .chain(infer(&recording, |_| true))
        .map(|p| pair_key(&recording.facts, &recording.classes, &p).to_string())
        .collect();
    assert_eq!(ids, single);
}

#[test]
fn a_document_of_an_augmentation_is_valid_and_one_with_a_wrong_word_is_not() {
    let recording = sample();
    let mut view = PairsView::new(&recording, |_| true);
    view.iterations.push(Iteration { covered_new: 1, n: 1, objectives_new: 2, tests_added: 1 });
    view.stopped_by = Some(StoppedBy::Fixpoint);
    view.nothing_found.push(DeclinedText { class: "a.Flat".to_owned(), reason: "no state".to_owned() });
    let pair = view.key(&view.pairs[0]).to_string();
    view.obstacles.push(ObstacleText { elsewhere: true, obstacle: Obstacle::Unreached, pair });
    view.pairs[0].iteration = 1;
    let one = [
        ("\"unreached\"", "\"unreachable\""),
        ("\"fixpoint\"", "\"tired\""),
        ("\"status\": \"covered\"", "\"status\": \"perhaps\""),
        ("\"n\": 1", "\"n\": 0"),
        ("\"version\": 1", "\"version\": 2"),
        ("\"variable\": \"next\"", "\"variables\": \"next\""),
        ("a.Outer.open()V", "a.Outer.open"),
        ("\"context\": [\n          \"a.Outer.probe()Z\"\n        ]", "\"context\": []"),
    ];
    let two = [
        ("\"unreached\"", "\"unreachable\""),
        ("\"fixpoint\"", "\"tired\""),
        ("\"covered\",", "\"perhaps\","),
        ("\"n\":1", "\"n\":0"),
        ("\"version\":2", "\"version\":1"),
        ("\"open()V\"", "\"open\""),
        ("\"objective\",0,", "\"objective\",-1,"),
        ("\"objective\",0,", "\"objective\","),
        ("\"nested\",", "\"inner\","),
        ("\"columns\":{\"blocks\"", "\"columns\":{\"block\""),
    ];
    for (version, words) in [(Version::One, one.as_slice()), (Version::Two, two.as_slice())] {
        let schema = schema(version);
        let text = json(&view, version);
        assert_eq!(complaints(&schema, &text), Vec::<String>::new());
        let document = read(text.as_bytes()).unwrap();
        assert_eq!((&document.nothing_found, &document.obstacles), (&view.nothing_found, &view.obstacles));
        for (right, wrong) in words {
            assert!(text.contains(right), "{right} is not in the document");
            assert!(!complaints(&schema, &text.replace(right, wrong)).is_empty(), "{wrong} was accepted");
        }
    }
}

#[test]
fn the_text_shows_each_pair_below_its_definition() {
    let recording = sample();
    let mut text = vec![];
    PairsView::new(&recording, |_| true).write_text(&mut text).unwrap();
    let mut summary = vec![];
    PairsView::new(&recording, |_| true).write_summary(&mut summary).unwrap();
    let text = [text, b"----\n".to_vec(), summary].concat();
    let golden = in_crate("tests/golden/pairs.txt");
    if std::env::var_os("DYNAFLOW_BLESS").is_some() {
        std::fs::write(&golden, &text).unwrap();
    }
    assert_eq!(String::from_utf8(text).unwrap(), std::fs::read_to_string(golden).unwrap_or_default());
}
