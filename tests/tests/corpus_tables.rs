//! The tables of woven code: lines, variables, frames and type annotations point at what they pointed at before. The JVM
//! checks few of them; debuggers, stack traces and tools read all.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests, outside of a test function"
)]

#[path = "../corpus/support.rs"]
#[allow(dead_code, reason = "each corpus test uses a part of what they share")]
mod support;

use dynaflow_classfile::annotations::{CodePosition, code_positions};
use dynaflow_classfile::frames::{Frames, VerificationType};
use dynaflow_classfile::insn::Instructions;
use dynaflow_classfile::tables::{lines, variables};
use dynaflow_classfile::{ClassFile, Code, Insn, Opcode};
use dynaflow_tests::slow;
use std::collections::BTreeMap;
use support::{VARIANTS, each_class};

/// What the tables of one method say, with offsets replaced by what lies there.
#[derive(Clone, Debug, PartialEq)]
struct Tables {
    /// Line by line: the instructions it holds that are not the recorder's business.
    lines: Vec<u16>,
    /// Variables: name, slot, whether it lives from the start, whether to the end.
    variables: Vec<(u16, u16, bool)>,
    /// Opcodes that frames' uninitialized types name.
    framed: Vec<Opcode>,
    /// Those that type annotations name.
    annotated: Vec<Opcode>,
}

impl Tables {
    /// Those of a method whose code is there twice; the beginning is once.
    fn twice(&self) -> Self {
        let lines = self.lines.iter().flat_map(|line| [*line; 2]).collect();
        let variables = self.variables.iter().flat_map(|variable| {
            let from_start = variable.2;
            std::iter::repeat_n(*variable, if from_start { 1 } else { 2 })
        });
        let (framed, annotated) = (self.framed.repeat(2), self.annotated.clone());
        Self { lines, variables: variables.collect(), framed, annotated }
    }
}

fn half(data: &[u8], at: usize) -> u32 {
    u32::from(u16::from_be_bytes([data[at], data[at + 1]]))
}

fn tables(class: &ClassFile<'_>, code: &Code<'_>, place: &str) -> Tables {
    let insns: Vec<Insn> = Instructions::new(code.bytes, 0).collect::<Result<_, _>>().unwrap();
    let at: BTreeMap<u32, Opcode> = insns.iter().map(|insn| (insn.pc, insn.opcode)).collect();
    let end = code.bytes.len() as u32;
    let mut tables =
        Tables { lines: Vec::new(), variables: Vec::new(), framed: Vec::new(), annotated: Vec::new() };
    for attribute in &code.attributes {
        let data = &*attribute.data;
        match &*class.pool.utf8(attribute.name).unwrap().to_str() {
            "LineNumberTable" => {
                for line in lines(data, 0).unwrap() {
                    assert!(
                        at.contains_key(&u32::from(line.start)),
                        "{place}: a line begins at no instruction"
                    );
                    tables.lines.push(line.line);
                }
            }
            "LocalVariableTable" | "LocalVariableTypeTable" => {
                for v in variables(data, 0).unwrap() {
                    let (start, stop) = (u32::from(v.start), u32::from(v.start) + u32::from(v.length));
                    assert!(
                        stop <= end && (stop == end || at.contains_key(&stop)),
                        "{place}: a variable ends nowhere"
                    );
                    tables.variables.push((v.name.0, v.slot, start == 0));
                }
            }
            "StackMapTable" => {
                for frame in Frames::new(data, 0).unwrap().map(Result::unwrap) {
                    assert!(at.contains_key(&frame.offset), "{place}: a frame is at no instruction");
                    for kind in frame.locals.iter().chain(frame.stack.iter()) {
                        if let VerificationType::Uninitialized(offset) = kind {
                            tables.framed.push(at[&u32::from(offset)]);
                        }
                    }
                }
            }
            "RuntimeVisibleTypeAnnotations" | "RuntimeInvisibleTypeAnnotations" => {
                for position in code_positions(data, 0).unwrap() {
                    match position {
                        CodePosition::Offset(place) => tables.annotated.push(at[&half(data, place)]),
                        CodePosition::Range(place) => {
                            let stop = half(data, place) + half(data, place + 2);
                            assert!(stop == end || at.contains_key(&stop));
                        }
                    }
                }
            }
            _ => {}
        }
    }
    tables
}

/// The tables of every method with code, by name and descriptor.
fn all_tables(name: &str, bytes: &[u8]) -> BTreeMap<String, Tables> {
    let class = ClassFile::parse(bytes).unwrap();
    let mut all = BTreeMap::new();
    for method in &class.methods {
        let Some(attribute) = class.attribute(&method.attributes, "Code") else { continue };
        let code = Code::parse(&attribute.data, 0).unwrap();
        let method = format!(
            "{}{}",
            class.pool.utf8(method.name).unwrap(),
            class.pool.utf8(method.descriptor).unwrap()
        );
        let tables = tables(&class, &code, &format!("{name}.{method}"));
        all.insert(method, tables);
    }
    all
}

#[test]
fn tables_of_woven_code_point_at_what_they_pointed_at() {
    let jars: &[&str] =
        if slow() { &["guava", "kotlin-stdlib", "groovy"] } else { &["gson-2.11.0", "jsoup-1.18.1"] };
    let (mut named, mut variables, mut methods, mut copied) = (0, 0, 0, 0);
    for jar in jars {
        each_class(&support::jar(jar), |name, bytes| {
            let before = all_tables(name, bytes);
            for variant in VARIANTS {
                let (woven, _) = variant.weave(bytes);
                let after = all_tables(name, &woven);
                assert_eq!(after.len(), before.len(), "{name}");
                for (method, tables) in after {
                    let is_copied = variant.options.copies && tables == before[&method].twice();
                    copied += usize::from(is_copied);
                    let place = format!("{name}.{method} woven {}", variant.name);
                    assert!(is_copied || tables == before[&method], "{place}");
                }
            }
            named +=
                before.values().map(|tables| tables.framed.len() + tables.annotated.len()).sum::<usize>();
            variables += before.values().map(|tables| tables.variables.len()).sum::<usize>();
            methods += before.len();
        });
    }
    println!(
        "{methods} methods, {copied} of them with a copy, {variables} variables, {named} instructions named by frames \
         and annotations"
    );
    assert!(
        methods > 1000 && copied > 100 && variables > 100 && named > 0,
        "the jars hold enough to look at"
    );
}
