//! Recordings for the tests of this crate. Knows nothing of traces. Invariant: what is interned first depends on the order
//! of the calls alone, so that a test can give the same facts other ids.

#![allow(dead_code, reason = "each test file uses some of it")]

use arbtest::arbitrary::{Result, Unstructured};
use dynaflow_model::facts::*;
use dynaflow_model::sites::ClassHash;
use std::collections::BTreeMap;

/// Interns facts by their texts.
#[derive(Default)]
pub struct Facts {
    pub recording: Recording,
}

impl Facts {
    fn table(&mut self) -> &mut FactTable {
        &mut self.recording.facts
    }

    /// `a.Outer.probe()Z`.
    pub fn method(&mut self, name: &str) -> MethodId {
        let before = name.find('(').unwrap();
        let dot = name[..before].rfind('.').unwrap();
        let class = self.table().sym(&name[..dot]);
        let signature = self.table().sym(&name[dot + 1..]);
        self.table().methods.intern(Method { class, signature })
    }

    /// Root and steps such as `a.Outer.next` or `[]`.
    pub fn variable(&mut self, root: &str, steps: &[&str]) -> VariableId {
        let mut chain = vec![];
        for step in steps {
            chain.push(match step.rsplit_once('.') {
                None => Step::Element,
                Some((class, name)) => {
                    Step::Field { class: self.table().sym(class), name: self.table().sym(name) }
                }
            });
        }
        let root = self.table().sym(root);
        self.table().variables.intern(Variable { root, steps: chain.into() })
    }

    /// A chain of methods; `...` in it stands for a cut.
    pub fn context(&mut self, frames: &[&str]) -> ContextId {
        let (head, tail) = match frames.iter().position(|&f| f == "...") {
            Some(at) => (&frames[..at], &frames[at + 1..]),
            None => (frames, [].as_slice()),
        };
        let context = Context {
            head: head.iter().map(|f| self.method(f)).collect(),
            tail: tail.iter().map(|f| self.method(f)).collect(),
            cut: head.len() < frames.len(),
        };
        self.table().contexts.intern(context)
    }

    fn place(&mut self, frames: &[&str], offset: u32, line: u32) -> PlaceId {
        let method = self.method(frames[frames.len() - 1]);
        self.table().places.intern(Place { method, offset, line })
    }

    /// A definition in the last of the frames.
    pub fn definition(
        &mut self,
        kind: DefinitionKind,
        frames: &[&str],
        offset: u32,
        line: u32,
    ) -> DefinitionId {
        let place = self.place(frames, offset, line);
        let context = self.context(frames);
        self.table().definitions.intern(Definition { place, kind, context })
    }

    /// A use in the last of the frames.
    pub fn usage(&mut self, frames: &[&str], offset: u32, line: u32) -> UseId {
        let place = self.place(frames, offset, line);
        let context = self.context(frames);
        self.table().uses.intern(Use { place, context })
    }

    /// A test that executes these pairs.
    pub fn test(&mut self, name: &str, pairs: &[PairId]) {
        self.recording.tests.push(TestRecord {
            name: name.to_owned(),
            end: TestEnd::Returned,
            pairs: pairs.to_vec(),
            exits: vec![],
            entries: vec![],
            carved: None,
            witnesses: vec![],
        });
    }

    /// An executed pair.
    pub fn pair(&mut self, variable: VariableId, definition: DefinitionId, usage: UseId) -> PairId {
        self.table().pairs.intern(Pair { variable, definition, usage })
    }

    /// A defs@exit fact.
    pub fn exit(&mut self, variable: VariableId, method: &str, exit: Exit, definition: DefinitionId) {
        let method = self.method(method);
        self.table().exits.intern(DefAtExit { variable, method, exit, definition });
    }

    /// A uses@entry fact.
    pub fn entry(&mut self, variable: VariableId, method: &str, usage: UseId) {
        let method = self.method(method);
        self.table().entries.intern(UseAtEntry { variable, method, usage });
    }

    /// A basic block of a method, which the definition reaches, or none, and before the use, or none.
    pub fn block(
        &mut self,
        method: &str,
        number: u32,
        variable: VariableId,
        definition: Option<DefinitionId>,
        usage: Option<UseId>,
    ) {
        let place = self.place(&[method], number * 4, number + 1);
        let block = self.table().blocks.intern(Block { place, number });
        if let Some(definition) = definition {
            self.table().reaching.intern(ReachingDefinition { block, variable, definition });
        }
        if let Some(usage) = usage {
            self.table().reachable.intern(ReachableUse { block, variable, usage });
        }
    }

    /// A recorded class.
    pub fn class(&mut self, name: &str, byte: u8) {
        self.recording.classes.insert(name.to_owned(), ClassHash([byte; 16]));
    }
}

/// One fact of an arbitrary recording, as numbers that [`build`] turns into names.
#[derive(Clone, Copy, Debug)]
pub enum Seed {
    Exit(u8, u8, u8),
    Entry(u8, u8, u8),
    Pair(u8, u8, u8),
    Block(u8, u8, u8),
}

/// An arbitrary list of facts about three roots.
pub fn seeds(u: &mut Unstructured<'_>) -> Result<Vec<Seed>> {
    let mut seeds = vec![];
    for _ in 0..u.int_in_range(0..=40)? {
        let (v, a, b) = (u.int_in_range(0..=5)?, u.int_in_range(0..=3)?, u.int_in_range(0..=3)?);
        seeds.push(match u.int_in_range(0..=3)? {
            0 => Seed::Exit(v, a, b),
            1 => Seed::Entry(v, a, b),
            2 => Seed::Block(v, a, b),
            _ => Seed::Pair(v, a, b),
        });
    }
    Ok(seeds)
}

/// The recording with these facts, interned in this order.
pub fn build(seeds: &[Seed]) -> Recording {
    let mut facts = Facts::default();
    let frame = |n: u8| format!("a.R{}.m{n}()V", n % 2);
    for &seed in seeds {
        let (Seed::Exit(v, ..) | Seed::Entry(v, ..) | Seed::Pair(v, ..) | Seed::Block(v, ..)) = seed;
        let root = format!("a.R{}", v % 3);
        let field = format!("{root}.f{}", v / 3);
        let variable = facts.variable(&root, &[&field]);
        match seed {
            Seed::Exit(_, method, d) => {
                let definition = facts.definition(DefinitionKind::Direct, &[&frame(d)], 1, 1);
                facts.exit(variable, &frame(method), Exit::Normal, definition);
            }
            Seed::Entry(_, method, u) => {
                let usage = facts.usage(&[&frame(u)], 2, 1);
                facts.entry(variable, &frame(method), usage);
            }
            Seed::Pair(_, d, u) => {
                let definition = facts.definition(DefinitionKind::Direct, &[&frame(d)], 1, 1);
                let usage = facts.usage(&[&frame(u)], 2, 1);
                let pair = facts.pair(variable, definition, usage);
                facts.test(&format!("a.T#t{d}"), &[pair]);
            }
            Seed::Block(_, n, other) => {
                let definition = facts.definition(DefinitionKind::Nested, &[&frame(other)], 1, 1);
                let usage = facts.usage(&[&frame(other)], 2, 1);
                let (definition, usage) = ((n != 1).then_some(definition), (n != 2).then_some(usage));
                facts.block(&frame(n), 1 + u32::from(n), variable, definition, usage);
            }
        }
    }
    facts.class("a.R0", 1);
    facts.recording
}

/// A small recording with everything a document can show.
pub fn sample() -> Recording {
    let mut f = Facts::default();
    let probe = ["a.Outer.probe()Z", "a.Middle.probe()Z"];
    let open = ["a.Outer.open()V", "a.Middle.open()V"];
    let primed = f.variable("a.Outer", &["a.Outer.next", "[]", "a.Middle.primed"]);
    let next = f.variable("a.Outer", &["a.Outer.next"]);
    let d = f.definition(DefinitionKind::Direct, &probe, 2, 14);
    let d_new = f.definition(DefinitionKind::Nested, &["a.Outer.<init>()V"], 5, 4);
    let d_next = f.definition(DefinitionKind::Direct, &["a.Outer.<init>()V"], 5, 4);
    let u = f.usage(&open, 1, 9);
    let u_deep = f.usage(&["a.Outer.open()V", "...", "a.Middle.look(I)I"], 7, 0);
    let u_next = f.usage(&["a.Outer.probe()Z"], 1, 7);
    let pair = f.pair(primed, d_new, u);
    let pair_next = f.pair(next, d_next, u_next);
    f.test("a.OuterTest#probeTwice", &[pair, pair_next]);
    f.test("a.OuterTest#open", &[pair]);
    f.test("a.OuterTest#open", &[pair]);
    f.test("", &[pair_next]);
    f.exit(primed, "a.Outer.probe()Z", Exit::Normal, d);
    f.exit(primed, "a.Outer.<init>()V", Exit::Exception, d_new);
    f.exit(next, "a.Outer.<init>()V", Exit::Normal, d_next);
    f.entry(primed, "a.Outer.open()V", u);
    f.entry(primed, "a.Outer.open()V", u_deep);
    f.entry(next, "a.Outer.probe()Z", u_next);
    let other = f.variable("b.Other", &["b.Other.v"]);
    let d_other = f.definition(DefinitionKind::Direct, &["b.Other.set()V"], 1, 3);
    let u_other = f.usage(&["b.Other.get()I"], 1, 5);
    f.exit(other, "b.Other.set()V", Exit::Normal, d_other);
    f.entry(other, "b.Other.get()I", u_other);
    f.class("a.Outer", 1);
    f.class("a.Middle", 2);
    let mut recording = f.recording;
    recording
        .declined
        .push(dynaflow_model::sites::Declined { class: "a.Huge".into(), reason: "over 64 KiB".into() });
    recording.bounds = BoundsHit { depth: 3, context: 1, paths: 0, memory: 2, unknown: 4 };
    let thinned = |line| ThinnedAt { class: "a.Outer".into(), method: "get()I".into(), line };
    recording.thinned = BTreeMap::from([(thinned(3), 500), (thinned(7), 2)]);
    recording.notes.push("a thread never ended".to_owned());
    recording
}
