//! The associations of compiled methods, held against what the lines of their sources say and against the paper's table.
//! It knows javac and the comments of the sources.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

mod common;
#[path = "../../instrument/tests/support/mod.rs"]
mod support;

use common::Annotated;
use dynaflow_classfile::pool::MemberText;
use dynaflow_classfile::tables::{Variable, variables, write_variables};
use dynaflow_classfile::{ClassFile, Code};
use dynaflow_flowgraph::dua::{Arrays, Callees, CrossDua, MethodDuas, Options, Uses, of_class, of_method};
use dynaflow_flowgraph::relation::Relation;
use dynaflow_flowgraph::{Use, product};
use dynaflow_tests::raw::{RawClass, RawCode};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The methods of a compiled class by name.
fn methods(bytes: &[u8], options: &Options) -> BTreeMap<String, MethodDuas> {
    let class = ClassFile::parse(bytes).unwrap();
    let all = class.methods.iter().filter_map(|method| of_method(&class, method, options).unwrap());
    all.map(|method| (method.name.clone(), method)).collect()
}

fn triples(method: &MethodDuas) -> Vec<String> {
    let duas = method.problem.duas().iter().zip(&method.details);
    duas.map(|(dua, detail)| format!("({},{},{})", dua.def, dua.usage, detail.variable)).collect()
}

/// The names of the associations of the paper's program and the relation among them, of its annotated graph.
fn annotated() -> (Vec<String>, Relation) {
    let sort = Annotated::sort();
    let names = sort.problem.duas().iter().map(|dua| sort.name(dua)).collect();
    (names, product::subsumption(&sort.problem))
}

#[test]
fn the_compiled_sorting_program_has_the_papers_associations_but_two_within_a_block() {
    let (names, expected) = annotated();
    let class = &support::compile("Sort.java")["Sort"];
    let whole = Options { arrays: Arrays::Whole, ..Options::default() };
    let sort = &methods(class, &whole)["sort"];
    let found = triples(sort);
    let of_paper: BTreeSet<&String> = names.iter().collect();
    let compiled: BTreeSet<&String> = found.iter().collect();
    // Block 8 assigns `index` before it uses it (`index = a[sortupto]; ...; a[maxpos] = index`): what it uses is its
    // own. The paper's graph notes the use at node 8 all the same, against its own definition of a path.
    let missing: Vec<&str> = of_paper.difference(&compiled).map(|name| name.as_str()).collect();
    assert_eq!(missing, ["(3,8,index)", "(7,8,index)"]);
    assert_eq!(compiled.difference(&of_paper).count(), 0, "the compiled program has no others");

    // They change nothing of what implies what: each says the same as the edge into block 8.
    let position = |name: &str| names.iter().position(|other| other == name).unwrap();
    for (at_node, on_edge) in [("(3,8,index)", "(3,(4,8),index)"), ("(7,8,index)", "(7,(4,8),index)")] {
        let (at_node, on_edge) = (position(at_node), position(on_edge));
        assert!(expected.subsumes(at_node, on_edge) && expected.subsumes(on_edge, at_node));
    }
    let relation = product::subsumption(&sort.problem);
    for (first, name) in found.iter().enumerate() {
        for (second, other) in found.iter().enumerate() {
            let both = (position(name), position(other));
            assert_eq!(relation.subsumes(first, second), expected.subsumes(both.0, both.1), "{name} {other}");
        }
    }
    let classes = relation.classes();
    assert_eq!((relation.count(), classes.count(), classes.unconstrained().count()), (42, 20, 11));
}

#[test]
fn what_stores_into_elements_define_is_missing_when_arrays_are_references() {
    let (names, _) = annotated();
    let class = &support::compile("Sort.java")["Sort"];
    let sort = &methods(class, &Options::default())["sort"];
    let found: BTreeSet<String> = triples(sort).into_iter().collect();
    let missing: Vec<&str> = names.iter().filter(|name| !found.contains(*name)).map(String::as_str).collect();
    let at_8 = "(8,3,a) (8,6,a) (8,8,a) (8,(5,6),a) (8,(5,7),a)";
    let mut expected: Vec<&str> = at_8.split(' ').chain(["(3,8,index)", "(7,8,index)"]).collect();
    let mut missing = missing;
    expected.sort_unstable();
    missing.sort_unstable();
    assert_eq!(missing, expected);
    assert_eq!(found.len(), 37);
}

/// An association by lines: where it is defined (none: by the entry), the variable, where it is used, whether on an edge.
type ByLine = (Option<u32>, String, u32, bool);

/// What the comments of a source say of each method.
fn expectations(source: &str) -> BTreeMap<String, BTreeMap<ByLine, usize>> {
    let lines: Vec<(u32, &str)> = (1..).zip(source.lines()).collect();
    let head = |line: &str| {
        let is_head = line.starts_with("    ") && !line.starts_with("     ") && line.contains(") {");
        let name = is_head.then(|| line.split('(').next().unwrap().rsplit(' ').next().unwrap());
        name.map(str::to_owned)
    };
    let mut all = BTreeMap::new();
    let starts: Vec<usize> = (0..lines.len()).filter(|at| head(lines[*at].1).is_some()).collect();
    for (at, start) in starts.iter().enumerate() {
        let method = &lines[*start..starts.get(at + 1).copied().unwrap_or(lines.len())];
        let words = |line: &str| -> Vec<String> {
            let marked = line.split_once("//:").map(|(_, marks)| marks).unwrap_or_default();
            marked.split_whitespace().map(str::to_owned).collect()
        };
        let labels: BTreeMap<String, u32> = method
            .iter()
            .flat_map(|(number, line)| words(line).into_iter().map(move |word| (word, *number)))
            .filter_map(|(word, number)| word.strip_prefix('@').map(|label| (label.to_owned(), number)))
            .collect();
        let mut expected: BTreeMap<ByLine, usize> = BTreeMap::new();
        for (index, (number, line)) in method.iter().enumerate() {
            let defined = (index > 0).then_some(*number);
            let mut variable = None;
            for word in words(line).iter().filter(|word| !word.starts_with('@')) {
                let (label, edges) =
                    word.split_once('?').map_or((word.as_str(), None), |(l, n)| (l, Some(n)));
                match labels.get(label) {
                    Some(used) => {
                        let key = (defined, variable.clone().unwrap(), *used, edges.is_some());
                        *expected.entry(key).or_default() += edges.map_or(1, |n| n.parse().unwrap());
                    }
                    None => variable = Some(word.clone()),
                }
            }
        }
        all.insert(head(method[0].1).unwrap(), expected);
    }
    all
}

/// The associations of a method by lines.
fn by_line(method: &MethodDuas) -> BTreeMap<ByLine, usize> {
    let mut found = BTreeMap::new();
    for (dua, detail) in method.problem.duas().iter().zip(&method.details) {
        let defined = if detail.at_entry { None } else { detail.defined_at };
        let edge = matches!(dua.usage, Use::Edge(..));
        *found.entry((defined, detail.variable.clone(), detail.used_at.unwrap(), edge)).or_default() += 1;
    }
    found
}

/// Holds a compiled source against its own comments; gives the number of associations.
fn check(name: &str, options: &Options) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(format!("{name}.java"));
    let expected = expectations(&std::fs::read_to_string(path).unwrap());
    let found = methods(&support::compile(&format!("{name}.java"))[name], options);
    let (mut count, mut wrong) = (0, Vec::new());
    // What the compiler makes of a for-each loop is no business of the marks.
    for (method, expected) in expected.iter().filter(|(method, _)| *method != "temporaries") {
        let found = by_line(&found[method]);
        let missing: Vec<_> = expected.iter().filter(|(key, n)| found.get(*key) != Some(*n)).collect();
        let strange: Vec<_> = found.iter().filter(|(key, n)| expected.get(*key) != Some(*n)).collect();
        if !missing.is_empty() || !strange.is_empty() {
            wrong.push(format!("{method}: expected {missing:?}, found {strange:?}"));
        }
        count += expected.values().sum::<usize>();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    count
}

#[test]
fn associations_are_those_that_the_lines_of_the_source_say() {
    assert!(check("Flows", &Options::default()) > 100);
}

#[test]
fn with_exceptions_as_control_flow_handlers_see_what_was_assigned_before_the_exception() {
    let options = Options { exception_edges: true, ..Options::default() };
    assert!(check("Thrown", &options) > 15);
    let without = methods(&support::compile("Thrown.java")["Thrown"], &Options::default());
    let of_handler = without["failing"].details.iter().filter(|detail| detail.used_at == Some(12));
    assert_eq!(of_handler.count(), 0, "without them nothing leads to a handler");
}

#[test]
fn uses_may_belong_to_the_statements_that_results_end_up_in() {
    let options = Options { uses: Uses::Statement, ..Options::default() };
    assert!(check("Stated", &options) > 10);
    let whole = Options { arrays: Arrays::Whole, ..options };
    assert_eq!(methods(&support::compile("Sort.java")["Sort"], &whole)["sort"].details.len(), 42);
    let consumer = methods(&support::compile("Stated.java")["Stated"], &Options::default());
    assert_eq!(consumer["asked"].details, [], "the call and the addition are in the first block");
}

/// The associations, by statements, of a static method of an object and a number that is made of these instructions.
fn by_statements(class: RawClass, code: Vec<u8>) -> Vec<String> {
    let mut class = class;
    class.method(true, "run", "(Ljava/lang/Object;I)V", &RawCode { bytes: code, ..RawCode::default() });
    let options = Options { uses: Uses::Statement, ..Options::default() };
    triples(&methods(&class.write(50), &options)["run"])
}

#[test]
fn dropping_a_value_that_was_only_loaded_uses_nothing_and_dropping_a_result_uses_what_it_was_made_of() {
    let (aload_0, iload_1, dup, ifnull, pop, ret) = (0x2a, 0x1b, 0x59, 0xc6, 0x57, 0xb1);
    // `o?.let { }`: aload o; dup; ifnull L; pop; return; L: pop; return
    let safe_call = vec![aload_0, dup, ifnull, 0, 5, pop, ret, pop, ret];
    assert_eq!(by_statements(RawClass::new("Raw"), safe_call), ["(1,(1,2),#0)", "(1,(1,3),#0)"]);

    // goto 3; aload o; invokestatic made(o); pop; iload n; i2l; pop2; return: in a block of its own.
    let mut class = RawClass::new("Raw");
    let [high, low] = class.callee("made", "(Ljava/lang/Object;)Ljava/lang/Object;").to_be_bytes();
    let (goto, invokestatic, i2l, pop2) = (0xa7, 0xb8, 0x85, 0x58);
    let results = vec![goto, 0, 3, aload_0, invokestatic, high, low, pop, iload_1, i2l, pop2, ret];
    assert_eq!(by_statements(class, results), ["(1,2,#0)", "(1,2,#1)"]);

    // Casts, lengths, elements and fields are loaded, as what they are loaded from is; an index is computed.
    let mut class = RawClass::new("Raw");
    let [high, low] = class.field("next", "LRaw;").to_be_bytes();
    let (getfield, arraylength, iaload, iconst_1, iadd) = (0xb4, 0xbe, 0x2e, 0x04, 0x60);
    let loads = vec![
        goto,
        0,
        3,
        aload_0,
        getfield,
        high,
        low,
        pop,
        aload_0,
        arraylength,
        pop,
        aload_0,
        iload_1,
        iconst_1,
        iadd,
        iaload,
        pop,
        ret,
    ];
    assert_eq!(by_statements(class, loads), ["(1,2,#1)"]);
}

/// From the store of `index` to the loop that reads it.
const LATE: u16 = 5;

/// The class, in whose methods every local variable with this name is known `late` bytes of code later than it was.
fn named_later(bytes: &[u8], name: &str, late: u16) -> Vec<u8> {
    let mut class = ClassFile::parse(bytes).unwrap();
    for at in 0..class.methods.len() {
        let method = class.methods[at].clone();
        let Some(place) = method.attributes.iter().position(|a| class.is_named(a, "Code")) else { continue };
        let mut code = Code::parse(&method.attributes[place].data, 0).unwrap();
        for table in code.attributes.iter_mut().filter(|table| class.is_named(table, "LocalVariableTable")) {
            let rows = variables(&table.data, 0).unwrap().map(|row| {
                let is_named = class.pool.utf8(row.name).unwrap().0 == name.as_bytes();
                let late = if is_named { late } else { 0 };
                Variable { start: row.start + late, length: row.length - late, ..row }
            });
            let mut data = Vec::new();
            write_variables(rows, &mut data);
            table.data = data.into();
        }
        let mut data = Vec::new();
        code.write(&mut data);
        class.methods[at].attributes[place].data = data.into();
    }
    class.write()
}

#[test]
fn a_variable_that_the_debug_table_knows_later_than_behind_its_store_is_no_temporary() {
    let class = &support::compile("Late.java")["Late"];
    for temporaries in [true, false] {
        let options = Options { temporaries, ..Options::default() };
        let [usual, late] = [class.clone(), named_later(class, "index", LATE)]
            .map(|bytes| triples(&methods(&bytes, &options)["sum"]));
        assert!(usual.iter().any(|dua| dua.ends_with(",index)")));
        assert_eq!(usual, late, "temporaries: {temporaries}");
    }
    // The iterator of a loop is none of the source, however its slot is called elsewhere.
    let details = &methods(class, &Options { temporaries: false, ..Options::default() })["reused"].details;
    assert!(details.iter().all(|detail| ["numbers", "sum", "number"].contains(&detail.variable.as_str())));
}

#[test]
fn temporaries_of_the_compiler_count_or_not() {
    let class = &support::compile("Flows.java")["Flows"];
    let unnamed = |temporaries| {
        let found = methods(class, &Options { temporaries, ..Options::default() });
        let details = found.values().flat_map(|method| &method.details);
        details.filter(|detail| detail.variable.starts_with('#')).count()
    };
    assert_eq!((unnamed(true), unnamed(false)), (2, 0), "the iterator, asked and stepped");
    assert!(check("Flows", &Options { temporaries: false, ..Options::default() }) > 100, "the others stay");
}

/// Says of a few methods of the JDK what they do.
struct Known;

impl Callees for Known {
    fn modifies(&self, method: &MemberText<'_>) -> bool {
        assert_ne!(method.name.0, b"take", "methods of the class itself are looked into");
        method.name.0 != b"size"
    }
}

fn cross(dua: &CrossDua) -> String {
    let name = |method: &str| method.split('(').next().unwrap().to_owned();
    let by = if dua.modifier { " by a call" } else { "" };
    format!(
        "{} {}: {} {}{by} -> {} {}",
        dua.kind,
        dua.variable,
        name(&dua.definition.method),
        dua.definition.line.unwrap(),
        name(&dua.usage.method),
        dua.usage.line.unwrap()
    )
}

#[test]
fn methods_of_a_class_are_associated_through_calls_and_through_their_order() {
    let class = &support::compile("Machine.java")["Machine"];
    let found = of_class(class, &Options::default(), Some(&Known)).unwrap();
    assert_eq!(found.refused, []);
    let lines: Vec<String> = found.across.iter().map(cross).collect();
    let expected = "inter-method half: twice 32 -> add 37
        inter-method this.paid: take 28 -> brew 24
        inter-method this.spare.paid: pay 16 -> other 50
        intra-class this.log: <init> 8 -> note 41
        intra-class this.log: <init> 8 -> notes 45
        intra-class this.log: note 41 by a call -> note 41
        intra-class this.log: note 41 by a call -> notes 45
        intra-class this.paid: pay 16 -> brew 20
        intra-class this.paid: pay 16 -> pay 16
        intra-class this.paid: pay 16 -> take 28
        intra-class this.paid: take 28 -> brew 20
        intra-class this.paid: take 28 -> pay 16
        intra-class this.paid: take 28 -> take 28
        intra-class this.price: <init> 12 -> brew 20
        intra-class this.price: <init> 12 -> brew 23
        intra-class this.price: <init> 12 -> take 28
        intra-class this.spare.paid: pay 16 -> pay 16";
    let expected: BTreeSet<&str> = expected.lines().map(str::trim).collect();
    assert_eq!(lines.iter().map(String::as_str).collect::<BTreeSet<_>>(), expected);
}
