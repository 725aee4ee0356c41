//! `mode=dua`: coverage of static definition-use associations. Updates of bits out of class bytes, associations out of bits.
//!
//! It knows slots, which number the words of bits of all woven methods, and what each bit stands for; neither bytecode nor the JVM.
//! Invariants: a class is announced to the analysis before its bytes are given back; the slots of a class are the same in every
//! loader; an association is written once for each process, at the latest when no message waits any more.

use super::builds::Builds;
use super::parts::{Analyse, Java, Parts, Weave};
use super::tables::Tables;
use crate::message::{Message, Outlet, Planned};
use dynaflow_bytecode::class_hash;
use dynaflow_bytecode::updates::MethodUpdates;
use dynaflow_flowgraph::dua::Options;
use dynaflow_flowgraph::dua::coverage::{ClassPlan, plan};
use dynaflow_instrument::{SLOTS, weave_updates};
use dynaflow_java_shim::{COVERAGE, COVERAGE_CLASS};
use dynaflow_model::coverage::CoverageRun;
use dynaflow_model::facts::BoundsHit;
use dynaflow_model::options::AgentOptions;
use dynaflow_model::sites::Declined;
use dynaflow_trace::{TraceError, TraceWriter};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many associations are put off at most.
const PUT_OFF: usize = 1 << 12;

static JAVA: Java = Java {
    classes: COVERAGE,
    main: COVERAGE_CLASS,
    start: None,
    thread_ended: None,
    finish: None,
    sees_jni: false,
};

/// The parts of this mode.
pub fn parts(options: &AgentOptions) -> Parts {
    let tables = Arc::<Tables>::default();
    let weaving = Weaving {
        options: analysis(options),
        builds: Builds::default(),
        next: 0,
        tables: Arc::clone(&tables),
    };
    Parts {
        java: &JAVA,
        weave: Box::new(weaving),
        analyse: Box::new(Analysing::new(CoverageRun::of(options))),
        tables,
        verdicts: Arc::default(),
        calls: Arc::default(),
        hooks: Vec::new(),
    }
}

/// How associations are sought.
fn analysis(options: &AgentOptions) -> Options {
    Options { arrays: options.arrays, exception_edges: options.exception_edges, ..Options::default() }
}

struct Weaving {
    options: Options,
    /// The first slot of each class.
    builds: Builds<u32>,
    /// The first slot that is free.
    next: u32,
    tables: Arc<Tables>,
}

impl Weave for Weaving {
    fn weave(&mut self, name: &str, bytes: &[u8], outlet: &Outlet) -> Result<Option<Vec<u8>>, Declined> {
        let declined = |reason: String| Declined { class: name.to_owned(), reason };
        let hash = class_hash(bytes);
        let known = self.builds.known(name, hash)?;
        let plan = plan(bytes, &self.options).map_err(|refusal| declined(refusal.to_string()))?;
        let updates: Vec<&MethodUpdates> = plan.methods.iter().map(|method| &method.updates).collect();
        let words: u32 = updates.iter().map(|updates| u32::from(updates.words)).sum();
        let first = known.unwrap_or(self.next);
        if first + words > SLOTS {
            return Err(declined(format!(
                "more than {SLOTS} words of coverage in one process; record fewer classes (include=)"
            )));
        }
        let woven = weave_updates(bytes, &updates, first)?;
        for (method, refusal) in &plan.refused {
            let class = format!("{name}#{method}");
            outlet.send(Message::Declined(Declined { class, reason: refusal.to_string() }));
        }
        for declined in woven.declined {
            outlet.send(Message::Declined(declined));
        }
        self.tables.add(woven.tables);
        let mut heard = true;
        if known.is_none() {
            self.builds.add(name.to_owned(), hash, first);
            self.next = first + words;
            let planned = Planned { name: name.to_owned(), hash, first, bits: bits(plan) };
            heard = outlet.send(Message::Planned(planned));
        }
        Ok((heard && words > 0).then_some(woven.bytes))
    }
}

/// The associations of each bit, by slot from the class's first on.
fn bits(plan: ClassPlan) -> Arc<[Vec<u64>]> {
    let methods = plan.methods.into_iter().flat_map(|method| {
        let mut groups = method.groups;
        // The last word of a method may have fewer bits than others.
        groups.resize(usize::from(method.updates.words) * 64, vec![]);
        groups
    });
    methods.collect()
}

struct Analysing {
    run: CoverageRun,
    /// The associations of each bit from a class's first slot on.
    classes: BTreeMap<u32, Arc<[Vec<u64>]>>,
    /// Associations that were covered and are not written yet.
    covered: Vec<u64>,
}

impl Analyse for Analysing {
    fn begin(&mut self, writer: &mut TraceWriter) -> Result<(), TraceError> {
        writer.coverage(&self.run)
    }

    fn take(&mut self, message: &Message, writer: &mut TraceWriter) -> Result<(), TraceError> {
        match message {
            Message::Planned(planned) => {
                self.classes.insert(planned.first, Arc::clone(&planned.bits));
                writer.class(&planned.name, planned.hash)
            }
            Message::Covered { slot, bits } => {
                self.cover(*slot, *bits);
                if self.covered.len() > PUT_OFF { self.settle(writer) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }

    fn settle(&mut self, writer: &mut TraceWriter) -> Result<(), TraceError> {
        if self.covered.is_empty() {
            return Ok(());
        }
        self.covered.sort_unstable();
        writer.covered(&self.covered)?;
        self.covered.clear();
        Ok(())
    }

    fn finish(&mut self, writer: &mut TraceWriter) -> Result<(), TraceError> {
        self.settle(writer)
    }

    fn bounds(&self) -> BoundsHit {
        BoundsHit::default()
    }
}

impl Analysing {
    fn new(run: CoverageRun) -> Self {
        Self { run, classes: BTreeMap::new(), covered: vec![] }
    }

    /// Takes in bits of a slot that were covered for the first time; those that nobody announced stand for nothing.
    fn cover(&mut self, slot: u32, bits: u64) {
        let Some((first, groups)) = self.classes.range(..=slot).next_back() else { return };
        let word = (slot - first) as usize * 64;
        for bit in (0..64).filter(|bit| bits >> bit & 1 != 0) {
            self.covered.extend(groups.get(word + bit).into_iter().flatten());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::sites::ClassHash;

    #[test]
    fn bits_stand_for_the_associations_of_the_class_whose_slots_they_are_in() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = TraceWriter::create_in(folder.path(), 1).unwrap();
        let mut analysing = Analysing::new(CoverageRun::default());
        analysing.begin(&mut writer).unwrap();
        for (name, first, words) in [("a.A", 0, 1), ("a.B", 1, 2)] {
            let bits = (0..words * 64).map(|bit| vec![bit + 1000 * u64::from(first)]).collect();
            let planned = Planned { name: name.to_owned(), hash: ClassHash([1; 16]), first, bits };
            analysing.take(&Message::Planned(planned), &mut writer).unwrap();
        }
        for (slot, bits) in [(0, 0b101), (2, 1 << 63), (7, 1)] {
            analysing.take(&Message::Covered { slot, bits }, &mut writer).unwrap();
        }
        let read = || dynaflow_trace::read(&folder.path().join("dynaflow-1.trace")).unwrap().0;
        assert!(read().coverage.covered.is_empty() && read().classes.len() == 2);
        analysing.settle(&mut writer).unwrap();
        assert_eq!(read().coverage.covered.into_iter().collect::<Vec<_>>(), [0, 2, 1127]);
    }
}
