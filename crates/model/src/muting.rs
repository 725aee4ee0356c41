//! What lets the recorder leave out whole invocations: what woven code says of a site besides its number, what the event of a site writes, and the
//! number that stands for the methods of the active frames.
//!
//! An invocation that is left out is *muted*: nothing is recorded of it but writes to objects that the recorder has seen, which become
//! unknown. The recorder repeats the numbers of this file; a test holds the two together. It knows nothing of when an invocation is muted.
//! Invariant: what the event of a site may write is among what [`touches`] names.

use crate::sites::{Access, Base, ClassSites, Operands, ReceiverKind, SiteKind, TestRole, ValueKind};

/// In the site that woven code passes: the event begins or ends an invocation, and not both, or a constructor's call of another one.
pub const CHANGES_FRAMES: u32 = 1 << 31;
/// With [`CHANGES_FRAMES`]: it ends one.
pub const LEAVES: u32 = 1 << 30;
/// With [`CHANGES_FRAMES`]: of a class with test methods, which are no invocations of the program.
pub const TEST_CLASS: u32 = 1 << 29;

/// With [`CHANGES_FRAMES`]: a constructor is about to invoke another one on its own `this`; with [`LEAVES`] as well, that one returned.
pub const IN_SUPER: u32 = 1 << 28;

/// With [`CHANGES_FRAMES`]: the recorder was asked whether the invocation that it begins is left out, and it is not.
pub const ASKED: u32 = 1 << 27;

/// In what an event touches: it writes fields of objects that its call passes, one bit for each.
pub const OBJECTS: u16 = 0xF;
/// It writes a field of `this`, which the call does not pass.
pub const THIS: u16 = 1 << 4;
/// It writes a static field.
pub const STATIC: u16 = 1 << 5;
/// The first object passed becomes `this` of the innermost frame.
pub const BINDS: u16 = 1 << 6;
/// It begins an invocation on an object that its call passes: the one with the number above [`RECEIVER_SHIFT`].
pub const RECEIVER: u16 = 1 << 7;
/// Where the number of that object stands.
pub const RECEIVER_SHIFT: u32 = 8;
/// A constructor is about to invoke another one on its own `this`.
pub const SUPER: u16 = 1 << 10;
/// It writes no edges, but something: fields and elements of one or two objects, or static fields and those of one. While nothing
/// else is recorded, a muted one changes nothing after the first.
pub const SAME_AGAIN: u16 = 1 << 11;
/// It writes no edges, and at most the first object that its call passes; it begins and ends no invocation.
pub const PLAIN: u16 = 1 << 12;
/// It writes no edges, but fields and elements of one or two objects, or static fields and those of one, and begins and ends no invocation. While it is
/// known that these locations may be written at any time, it may be left out, see [`words::BLURS`](crate::words::BLURS).
pub const BLURS: u16 = 1 << 13;
/// It writes an element of an array: which one, the index that its call passes says.
pub const INDEXED: u16 = 1 << 14;
/// The rest is known.
pub const KNOWN: u16 = 1 << 15;
/// In what the recorder is sent of a site, above what its event touches: the number of its method.
pub const METHOD_SHIFT: u32 = 16;
/// Above that: how many words the event takes.
pub const LENGTH_SHIFT: u32 = 48;

/// What woven code says of a site or bundle of a class, by its index among the class's ids, besides its number.
pub fn marks(sites: &ClassSites, index: usize) -> u32 {
    match sites.sites.get(index).map(|site| &site.kind) {
        Some(SiteKind::SuperCall { .. }) => return CHANGES_FRAMES | IN_SUPER,
        Some(SiteKind::Bind) => return CHANGES_FRAMES | IN_SUPER | LEAVES,
        _ => {}
    }
    let (mut begins, mut ends) = (0, 0);
    for (kind, _) in events(sites, index) {
        begins += u32::from(matches!(kind, SiteKind::Enter { .. }));
        ends += u32::from(matches!(kind, SiteKind::Exit { .. }));
    }
    match (begins > ends, begins < ends) {
        (true, _) if has_tests(sites) => CHANGES_FRAMES | TEST_CLASS,
        (true, _) => CHANGES_FRAMES,
        (_, true) => CHANGES_FRAMES | LEAVES,
        _ => 0,
    }
}

/// What the event of a site or bundle of a class, by its index among the class's ids, writes and of which objects.
pub fn touches(sites: &ClassSites, index: usize) -> u16 {
    let touched =
        events(sites, index).fold(KNOWN, |touched, (kind, operands)| touched | touched_at(kind, operands));
    let written = touched & (OBJECTS | THIS | STATIC);
    let is_leaf = events(sites, index).all(|(kind, _)| writes_no_edge(kind));
    let is_same_again = is_leaf && (1..=2).contains(&written.count_ones()) && touched & (BINDS | SUPER) == 0;
    let in_frame = !events(sites, index).any(|(kind, _)| changes_frames(kind));
    let is_plain = is_leaf && written & !1 == 0 && in_frame;
    // What a constructor writes into its `this` may wait for the call of another one.
    let is_on_this = || events(sites, index).any(|(kind, _)| writes_this(kind));
    let is_blurred = is_same_again && in_frame && !(is_in_constructor(sites, index) && is_on_this());
    let flag = |is: bool, flag: u16| if is { flag } else { 0 };
    let is_indexed = events(sites, index).any(|(kind, _)| writes_element(kind));
    touched
        | flag(is_same_again, SAME_AGAIN)
        | flag(is_plain, PLAIN)
        | flag(is_blurred, BLURS)
        | flag(is_indexed, INDEXED)
}

fn is_in_constructor(sites: &ClassSites, index: usize) -> bool {
    let method = method(sites, index).and_then(|method| sites.methods.get(usize::from(method)));
    method.is_some_and(|method| method.name.starts_with("<init"))
}

/// Whether an event of this kind writes, if anything, values that are no edges of the memory graph into fields or elements.
fn writes_no_edge(kind: &SiteKind) -> bool {
    match kind {
        SiteKind::Field { access: Access::Write, value, .. }
        | SiteKind::Static { access: Access::Write, value, .. }
        | SiteKind::Element { access: Access::Write, value } => *value == ValueKind::Leaf,
        SiteKind::Field { .. }
        | SiteKind::Static { .. }
        | SiteKind::Element { .. }
        | SiteKind::Contents { access: Access::Read, .. }
        | SiteKind::Enter { .. }
        | SiteKind::Exit { .. }
        | SiteKind::Block { .. }
        | SiteKind::Branch { .. }
        | SiteKind::Switch => true,
        _ => false,
    }
}

fn writes_this(kind: &SiteKind) -> bool {
    matches!(kind, SiteKind::Field { access: Access::Write, base: Base::This, .. })
}

fn writes_element(kind: &SiteKind) -> bool {
    matches!(kind, SiteKind::Element { access: Access::Write, .. })
}

fn changes_frames(kind: &SiteKind) -> bool {
    matches!(kind, SiteKind::Enter { .. } | SiteKind::Exit { .. })
}

/// How many words the event of a site or bundle of a class takes, by its index among the class's ids; 0 when there is none.
pub fn length(sites: &ClassSites, index: usize) -> usize {
    let bundle = index.checked_sub(sites.sites.len()).and_then(|bundle| sites.bundles.get(bundle));
    let alone = sites.sites.get(index).map(|site| site.kind.words().len());
    alone.or(bundle.map(|bundle| bundle.words().len())).unwrap_or_default()
}

fn touched_at(kind: &SiteKind, operands: Operands) -> u16 {
    let object = |at: Option<u8>| at.map_or(0, |at| (1 << at) & OBJECTS);
    match kind {
        SiteKind::Enter { receiver: ReceiverKind::Instance } => {
            RECEIVER | operands.object.map_or(0, |at| u16::from(at) << RECEIVER_SHIFT)
        }
        SiteKind::Bind => BINDS,
        SiteKind::SuperCall { .. } => SUPER,
        SiteKind::Field { access: Access::Read, .. }
        | SiteKind::Static { access: Access::Read, .. }
        | SiteKind::Element { access: Access::Read, .. }
        | SiteKind::Contents { access: Access::Read, .. }
        | SiteKind::Enter { .. }
        | SiteKind::Exit { .. }
        | SiteKind::Block { .. }
        | SiteKind::Branch { .. }
        | SiteKind::Switch => 0,
        SiteKind::Field { base: Base::This, .. } if operands.object.is_none() => THIS,
        SiteKind::Static { .. } => STATIC,
        SiteKind::Clone { .. } => object(operands.value),
        _ => object(operands.object.or(Some(0))),
    }
}

/// The method in which the event of a site or bundle of a class happens, by its index among the class's ids.
pub fn method(sites: &ClassSites, index: usize) -> Option<u16> {
    let bundle = index.checked_sub(sites.sites.len()).and_then(|bundle| sites.bundles.get(bundle));
    let first = bundle.map_or(index, |bundle| bundle.first as usize);
    sites.sites.get(first).map(|site| site.method)
}

/// The sites that an id of a class stands for, and which of the objects that the call passes are whose.
fn events(sites: &ClassSites, index: usize) -> impl Iterator<Item = (&SiteKind, Operands)> {
    let bundle = index.checked_sub(sites.sites.len()).and_then(|bundle| sites.bundles.get(bundle));
    let alone = sites.sites.get(index).map(|site| (&site.kind, site.kind.operands()));
    let first = bundle.map_or(0, |bundle| bundle.first as usize);
    let together = bundle.map(|bundle| bundle.steps.as_slice()).unwrap_or_default().iter();
    let together = together.enumerate();
    let together = together.filter_map(move |(at, step)| Some((&sites.sites.get(first + at)?.kind, *step)));
    alone.into_iter().chain(together)
}

/// Whether a class has methods that are, or may be, tests.
fn has_tests(sites: &ClassSites) -> bool {
    sites.methods.iter().any(|method| matches!(method.role, TestRole::Test | TestRole::MaybeTest))
}

/// Stands for the methods of the active frames of the program, once a method is entered at a site: `caller` stands for those before it.
#[inline]
pub const fn context(caller: u32, entry: u32) -> u32 {
    (caller.rotate_left(5) ^ entry).wrapping_mul(0x9e37_79b9)
}

/// What the analysis knows of invocations of a kind, see [`verdict`], or of accesses at a site, see [`verdict_on_accesses`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// They show something new: they are recorded.
    #[default]
    Record = 0,
    /// They show nothing new in this test.
    MuteInTest = 1,
    /// They have shown nothing that no test had shown before for long.
    Mute = 2,
}

/// What the recorder is sent: a verdict on invocations whose methods of active frames a number of [`context`] stands for.
pub const fn verdict(verdict: Verdict, context: u32) -> u64 {
    (verdict as u64) << 32 | context as u64
}

/// Where the site of a verdict on accesses stands.
const SITE_SHIFT: u32 = 34;

/// What the recorder is sent: a verdict on the accesses of a site or bundle, which only reads or [`BLURS`], in invocations whose methods of active frames
/// a number of [`context`] stands for. No verdict on invocations has a site.
pub const fn verdict_on_accesses(verdict: Verdict, site: u32, context: u32) -> u64 {
    (site as u64) << SITE_SHIFT | self::verdict(verdict, context)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sites::{Bundle, FieldRef, MethodDecl, Site};

    fn field(access: Access, base: Base) -> SiteKind {
        let field = FieldRef { owner: "a.A".to_owned(), name: "f".to_owned(), descriptor: "I".to_owned() };
        SiteKind::Field { access, base, field, value: ValueKind::Leaf }
    }

    fn class(kinds: Vec<SiteKind>, steps: Vec<Operands>, role: TestRole) -> ClassSites {
        let site = |kind| Site { method: 0, offset: 0, line: 1, kind };
        let method =
            MethodDecl { name: "m".to_owned(), descriptor: "()V".to_owned(), access: 0, role, home: None };
        let bundle = Bundle { first: 0, steps, objects: 2, numbers: 0 };
        ClassSites {
            name: "a.A".to_owned(),
            methods: vec![method],
            sites: kinds.into_iter().map(site).collect(),
            bundles: vec![bundle],
            ..ClassSites::default()
        }
    }

    fn on(object: Option<u8>) -> Operands {
        Operands { object, ..Operands::default() }
    }

    const ENTER: SiteKind = SiteKind::Enter { receiver: ReceiverKind::Instance };
    const EXIT: SiteKind = SiteKind::Exit { exceptional: false };

    #[test]
    fn an_event_that_begins_or_ends_an_invocation_is_marked_and_one_that_does_both_is_not() {
        let kinds = vec![ENTER, field(Access::Read, Base::This), EXIT];
        let of = |steps: usize, role| class(kinds.clone(), vec![on(Some(0)); steps], role);
        let plain = of(2, TestRole::None);
        let found: Vec<u32> = (0..4).map(|index| marks(&plain, index)).collect();
        assert_eq!(found, [CHANGES_FRAMES, 0, CHANGES_FRAMES | LEAVES, CHANGES_FRAMES]);
        assert_eq!(marks(&of(3, TestRole::None), 3), 0);
        let around = vec![SiteKind::SuperCall { owner: "a.B".to_owned() }, SiteKind::Bind];
        let around = class(around, vec![], TestRole::None);
        let marked = [marks(&around, 0), marks(&around, 1)];
        assert_eq!(marked, [CHANGES_FRAMES | IN_SUPER, CHANGES_FRAMES | IN_SUPER | LEAVES]);
        assert_eq!(marks(&of(2, TestRole::Test), 3), CHANGES_FRAMES | TEST_CLASS);
    }

    #[test]
    fn a_verdict_on_accesses_names_their_site_beside_what_one_on_invocations_does() {
        let site = crate::words::FIRST_SITE + 5;
        let found = verdict_on_accesses(Verdict::Mute, site, u32::MAX);
        assert_eq!(
            (found >> SITE_SHIFT, found & ((1 << SITE_SHIFT) - 1)),
            (u64::from(site), verdict(Verdict::Mute, u32::MAX))
        );
    }

    #[test]
    fn an_index_matters_to_what_is_written_where_an_element_is_and_not_where_one_is_read() {
        let element = |access| SiteKind::Element { access, value: ValueKind::Leaf };
        let kinds = vec![element(Access::Read), field(Access::Write, Base::This), element(Access::Write)];
        let indexed = |steps: usize| {
            let sites = class(kinds.clone(), vec![on(Some(0)); steps], TestRole::None);
            (0..4).map(|index| touches(&sites, index) & INDEXED != 0).collect::<Vec<bool>>()
        };
        assert_eq!(indexed(2), [false, false, true, false], "the bundle reads an element and writes a field");
        assert_eq!(indexed(3), [false, false, true, true]);
    }

    #[test]
    fn what_an_event_writes_is_named_with_its_object() {
        let kinds = vec![
            ENTER,
            field(Access::Write, Base::This),
            field(Access::Write, Base::Stack),
            field(Access::Read, Base::Stack),
        ];
        let sites = class(kinds, vec![on(Some(1)), on(None), on(Some(0)), on(Some(1))], TestRole::None);
        let found: Vec<u16> = (0..5).map(|index| touches(&sites, index)).collect();
        assert_eq!(
            found,
            [
                KNOWN | RECEIVER,
                KNOWN | THIS | SAME_AGAIN | BLURS,
                KNOWN | 1 | SAME_AGAIN | PLAIN | BLURS,
                KNOWN | PLAIN,
                KNOWN | RECEIVER | 1 << RECEIVER_SHIFT | THIS | 1 | SAME_AGAIN
            ]
        );
        let passed = Bundle { first: 1, steps: vec![on(Some(0))], objects: 1, numbers: 0 };
        let passes = ClassSites { bundles: vec![passed], ..sites.clone() };
        assert_eq!(
            touches(&passes, 4),
            KNOWN | 1 | SAME_AGAIN | PLAIN | BLURS,
            "`this`, which its call passes"
        );
        assert_eq!([0, 3, 4, 5].map(|index| method(&sites, index)), [Some(0), Some(0), Some(0), None]);
        let mut constructor = sites;
        "<init>".clone_into(&mut constructor.methods[0].name);
        assert_eq!(
            [1, 2].map(|index| touches(&constructor, index) & BLURS),
            [0, BLURS],
            "not `this` of a constructor"
        );
        constructor.bundles = passes.bundles;
        assert_eq!(touches(&constructor, 4) & BLURS, 0, "nor if its call passes it");
    }
}
