//! Which definitions and pairs of a class have numbers. It knows neither how they are reported nor what they are worth.
//!
//! Invariant: numbers follow the order of methods, and of pairs in them.

use crate::branch::{Kind, Pair};
use crate::found::Found;
use dynaflow_flowgraph::dua::tracked::{Carrier, TrackedClass, TrackedPair, UsedAt};
use dynaflow_flowgraph::dua::{Arrays, Options, Uses};
use std::collections::BTreeMap;

/// How pairs are sought: variables of the source, definitions and uses as `dynaflow dua` has them by default.
pub(crate) const SOUGHT: Options = Options {
    arrays: Arrays::Reference,
    uses: Uses::Consumer,
    exception_edges: false,
    temporaries: false,
    class_initialisers: false,
    interfaces: true,
};

/// The numbers of the definitions and pairs of a class, once they have some.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    /// By method and instruction; without one, the entry.
    pub definitions: BTreeMap<(usize, Option<u32>), u32>,
    /// By pair.
    pub pairs: BTreeMap<usize, u32>,
}

/// Adds the definitions of a method that have pairs, and the pairs that it uses. `is_asked` says which pairs count.
pub(crate) fn add(
    class: &TrackedClass,
    method: usize,
    first: u32,
    is_asked: &dyn Fn(&TrackedPair) -> bool,
    found: &mut Found<'_>,
    numbers: &mut Numbers,
) {
    let asked = || (0..).zip(&class.pairs).filter(|(_, pair): &(usize, &TrackedPair)| is_asked(pair));
    for (_, pair) in asked().filter(|(_, pair)| pair.definition.0 == method) {
        numbers.definitions.entry(pair.definition).or_insert_with(|| {
            let number = found.next(first);
            found.add(pair.definition.1.unwrap_or_default() as usize, Kind::Definition, false);
            number
        });
    }
    for (index, pair) in asked().filter(|(_, pair)| pair.usage.0 == method) {
        let (UsedAt::Insn(insn) | UsedAt::Edge { insn, .. }) = pair.usage.1;
        numbers.pairs.insert(index, found.next(first));
        found.add(insn as usize, Kind::Pair(index as u32), pair.represents);
    }
}

/// A pair as others see it; `name` gives name and descriptor of a method.
pub(crate) fn spelled(pair: &TrackedPair, name: &dyn Fn(usize) -> String) -> Pair {
    let line = |line: Option<u32>| line.and_then(|line| u16::try_from(line).ok()).unwrap_or_default();
    Pair {
        id: pair.id.clone(),
        kind: pair.kind,
        variable: pair.variable.clone(),
        definition: (name(pair.definition.0), line(pair.lines.0)),
        is_of_object: matches!(pair.carrier, Carrier::Field(_)),
        is_at_entry: pair.definition.1.is_none(),
        usage: (name(pair.usage.0), line(pair.lines.1)),
    }
}

/// The number by which a field is known in all classes: 30 bits of its class and name (FNV-1a).
pub(crate) fn key(owner: &[u8], name: &[u8]) -> u32 {
    let bytes = owner.iter().chain(b".").chain(name);
    let hash = bytes.fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    hash >> 2
}
