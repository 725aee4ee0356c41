//! Pairs in lines to be read: one for the pairs of a variable between the same two calls.
//!
//! Knows nothing of what was compared. Invariant: every pair is counted in one line, and every source line of it is named there.

use dynaflow_objectives::{PairText, simple};
use std::collections::{BTreeMap, BTreeSet};

/// Lines of source by class; lines that are not known are left out.
type Places<'a> = BTreeMap<&'a str, BTreeSet<u32>>;

/// The pairs between two calls.
#[derive(Default)]
pub struct Group<'a> {
    root: &'a str,
    pairs: usize,
    definitions: Places<'a>,
    uses: Places<'a>,
    tests: Vec<&'a str>,
    seen: BTreeSet<&'a str>,
}

/// `Stack.top`, `push()`, `pop()`.
pub type Title = (String, String, String);

/// The pairs by the calls that they lie between, those that read the same as one.
pub fn groups<'a>(pairs: &[&'a PairText]) -> BTreeMap<Title, Group<'a>> {
    let mut groups: BTreeMap<Title, Group> = BTreeMap::new();
    for pair in pairs {
        let (definition, usage) = (&pair.definition, &pair.usage);
        let group = groups.entry(title(pair)).or_default();
        group.root = simple(&pair.root);
        group.pairs += 1;
        group.definitions.entry(simple(&definition.class)).or_default().insert(definition.line);
        group.uses.entry(simple(&usage.class)).or_default().insert(usage.line);
        let new = pair.tests.iter().map(String::as_str).filter(|test| group.seen.insert(test));
        group.tests.extend(new);
    }
    groups
}

fn title(pair: &PairText) -> Title {
    let (definition, usage) = (&pair.definition, &pair.usage);
    let writer = call(definition.context.first(), &definition.class, &definition.method);
    let reader = call(usage.context.first(), &usage.class, &usage.method);
    (format!("{}.{}", simple(&pair.root), pair.variable), writer, reader)
}

/// `Stack.top: push() (line 12) -> pop() (lines 20, 22), 2 pairs, by StackTest#pops and 2 more`.
pub fn one_side((variable, writer, reader): &Title, group: &Group) -> String {
    let tests = match group.tests.as_slice() {
        [] => String::new(),
        [only] => format!(", by {only}"),
        [first, rest @ ..] => format!(", by {first} and {} more", rest.len()),
    };
    let many = if group.pairs > 1 { format!(", {} pairs", group.pairs) } else { String::new() };
    let bracketed = |places| match self::places(places, group.root) {
        empty if empty.is_empty() => empty,
        some => format!(" ({some})"),
    };
    let (definitions, uses) = (bracketed(&group.definitions), bracketed(&group.uses));
    format!("{variable}: {writer}{definitions} -> {reader}{uses}{many}{tests}")
}

/// `Stack.top: push() -> pop(): 2 pairs before (line 12 -> lines 20, 22), 1 now (line 12 -> Links line 8)`.
pub fn both_sides((variable, writer, reader): &Title, before: &Group, now: &Group) -> String {
    let sides = |group: &Group| {
        let either = |places| match self::places(places, group.root) {
            empty if empty.is_empty() => "?".to_owned(),
            some => some,
        };
        format!("({} -> {})", either(&group.definitions), either(&group.uses))
    };
    let pairs = if before.pairs == 1 { "pair" } else { "pairs" };
    format!(
        "{variable}: {writer} -> {reader}: {} {pairs} before {}, {} now {}",
        before.pairs,
        sides(before),
        now.pairs,
        sides(now)
    )
}

/// `line 12; Links lines 8, 9`: the class is named where it is not the root's.
fn places(places: &Places, root: &str) -> String {
    let named = places.iter().filter_map(|(class, lines)| {
        let lines: Vec<String> = lines.iter().filter(|line| **line > 0).map(u32::to_string).collect();
        let class = if *class == root { String::new() } else { format!("{class} ") };
        match lines.as_slice() {
            [] => None,
            [only] => Some(format!("{class}line {only}")),
            many => Some(format!("{class}lines {}", many.join(", "))),
        }
    });
    named.collect::<Vec<_>>().join("; ")
}

/// The call on the root below which a place lies: `push()`, `new Stack()`.
fn call(frame: Option<&String>, class: &str, method: &str) -> String {
    let whole = frame.map_or_else(|| format!("{class}.{method}"), Clone::clone);
    let name = whole.split('(').next().unwrap_or_default();
    let (class, name) = name.rsplit_once('.').unwrap_or(("", name));
    match name {
        "<init>" => format!("new {}()", simple(class)),
        "<clinit>" => format!("the initialiser of {}", simple(class)),
        name => format!("{name}()"),
    }
}
