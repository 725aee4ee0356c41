//! What must hold of the analysis of associations, and of the plan to record them, for any bytes at all. It knows nothing of
//! what the associations are.
//!
//! Invariant: nothing is assumed of the input; what is not analysed is refused, and what a plan says lies in the class.

use dynaflow_bytecode::Body;
use dynaflow_bytecode::blocks::Blocks;
use dynaflow_bytecode::updates::Change;
use dynaflow_classfile::ClassFile;
use dynaflow_flowgraph::dua::coverage::{MethodPlan, plan};
use dynaflow_flowgraph::dua::{Arrays, Options, Unknown, of_class};
use std::collections::BTreeSet;

/// Analysis and plan, with and without exception edges.
pub fn analysis(bytes: &[u8]) {
    for exception_edges in [false, true] {
        let arrays = if exception_edges { Arrays::Whole } else { Arrays::Reference };
        let options = Options { arrays, exception_edges, ..Options::default() };
        let analysed = of_class(bytes, &options, Some(&Unknown));
        let planned = plan(bytes, &options);
        let (Ok(analysed), Ok(planned)) = (&analysed, &planned) else {
            assert_eq!(analysed.is_err(), planned.is_err(), "both refuse a class, or none");
            continue;
        };
        let ids: BTreeSet<&str> =
            analysed.methods.iter().flat_map(|method| &method.details).map(|detail| &*detail.id).collect();
        let class = ClassFile::parse(bytes).expect("an analysed class is one");
        planned.methods.iter().for_each(|method| method_plan(&class, method, &ids));
    }
}

/// What is planned for a method lies in it, and stands for associations of its class.
fn method_plan(class: &ClassFile<'_>, method: &MethodPlan, ids: &BTreeSet<&str>) {
    let (updates, groups) = (&method.updates, &method.groups);
    let member = class.methods.get(updates.method).expect("the method is there");
    let body = Body::of_method(class, member).expect("its code was read").expect("it has code");
    let blocks = Blocks::of(&body).expect("its blocks were found");
    assert_eq!(usize::from(updates.words), groups.len().div_ceil(64), "as many words as bits need");
    assert_eq!(updates.blocks.len(), blocks.all().len(), "each block has updates");
    assert!(groups.iter().all(|group| !group.is_empty()), "a bit stands for something");
    let known = |id: &u64| ids.contains(format!("{id:016x}").as_str());
    assert!(groups.iter().flatten().all(known), "a bit stands for associations of the class");
    for (block, update) in blocks.all().iter().zip(&updates.blocks) {
        changes(&update.whole, groups.len());
        assert!(update.partial.is_sorted_by(|(a, _), (b, _)| a < b), "instructions in their order");
        for (insn, partial) in &update.partial {
            assert!(block.insns().contains(&(*insn as usize)), "an instruction of the block");
            changes(partial, groups.len());
        }
    }
    assert!(updates.edges.is_sorted_by_key(|edge| (edge.from, edge.to, edge.word)), "edges in their order");
    for edge in &updates.edges {
        assert!(blocks.successors(edge.from).contains(&edge.to), "an edge of the method");
        assert_eq!((edge.uses | edge.runs) & !all_of(edge.word, groups.len()), 0, "bits that there are");
    }
}

fn changes(changes: &[Change], bits: usize) {
    assert!(changes.is_sorted_by(|a, b| a.word < b.word), "words in their order");
    for change in changes {
        let all = change.uses | change.runs | change.kills | change.gens;
        assert_ne!(all, 0, "a change changes something");
        assert_eq!(all & !all_of(change.word, bits), 0, "bits that there are");
    }
}

/// The bits of a word that stand for something, of so many in all.
fn all_of(word: u16, bits: usize) -> u64 {
    match bits.saturating_sub(usize::from(word) * 64) {
        0 => 0,
        64.. => u64::MAX,
        left => (1 << left) - 1,
    }
}
