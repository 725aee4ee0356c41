//! How sites are reported: which methods of the recorder report each kind of site, and which of their operands are the object, the index and
//! the value of the access.
//!
//! The weaver takes from here what to call, the analysis where in the words of an event an operand stands. Knows nothing of bytecode.
//! Invariant: all methods that report a kind of site send the same words behind the site's, if they send them.

use crate::recorder::{Call, Operand};
use crate::sites::{Access, Base, Bundle, Operands, Origin, ReceiverKind, SiteKind, ValueKind};
use crate::words;

const NOTHING: Operands = Operands { object: None, number: None, value: None };
const OBJECT: Operands = Operands { object: Some(0), number: None, value: None };
const VALUE: Operands = Operands { object: None, number: None, value: Some(0) };
const OBJECT_AND_VALUE: Operands = Operands { object: Some(0), number: None, value: Some(1) };
const ELEMENT: Operands = Operands { object: Some(0), number: Some(0), value: None };
const ELEMENT_AND_VALUE: Operands = Operands { object: Some(0), number: Some(0), value: Some(1) };
const NUMBER: Operands = Operands { object: None, number: Some(0), value: None };

impl SiteKind {
    /// The methods that report a site of this kind, the usual one first. Functions that a call applies are reported by its site of reads.
    pub fn calls(&self) -> &'static [Call] {
        match self {
            Self::Exit { exceptional: true } => Call::Threw.alone(),
            Self::Element { access: Access::Read, .. } => &[Call::Element, Call::Copied],
            Self::Element { value: ValueKind::Leaf, .. } => &[Call::Element, Call::Copied, Call::Filled],
            Self::Element { .. } => &[Call::ElementPut, Call::Copied, Call::Filled],
            // A constructor of a container reports that it wrote `this`.
            Self::Contents { .. } => &[Call::Contents, Call::ContentsLeft, Call::On],
            Self::Inherited { .. } => &[Call::Inherited, Call::InheritedLeft, Call::InheritedRead],
            Self::Argument { access: Access::Read, .. } => &[Call::Observed, Call::Applied, Call::Ended],
            Self::Argument { .. } => &[Call::Refilled, Call::Applied, Call::Ended],
            Self::Restore => &[Call::Restored, Call::Restoring],
            Self::Branch { .. } => {
                &[Call::BranchInt, Call::BranchInts, Call::BranchObject, Call::BranchObjects]
            }
            Self::Switch => Call::Select.alone(),
            Self::Call { .. } | Self::Origin { .. } => Call::Call.alone(),
            _ => access(self.operands()).alone(),
        }
    }

    /// Which operands of these methods are what.
    pub fn operands(&self) -> Operands {
        match self {
            Self::Enter { receiver: ReceiverKind::Instance } | Self::Bind => OBJECT,
            Self::Field { access, base, value, .. } => match (access, base, value) {
                (Access::Write, Base::This, ValueKind::Reference) => VALUE,
                (Access::Write, Base::Stack, ValueKind::Reference) => OBJECT_AND_VALUE,
                (_, Base::This, _) => NOTHING,
                (_, Base::Stack, _) => OBJECT,
            },
            Self::Static { access: Access::Write, value: ValueKind::Reference, .. } => VALUE,
            Self::Element { access: Access::Write, value: ValueKind::Reference } => ELEMENT_AND_VALUE,
            Self::Element { .. } => ELEMENT,
            Self::Contents { .. } | Self::Inherited { .. } | Self::Call { .. } | Self::Origin { .. } => {
                OBJECT
            }
            // The value is the receiver of the call, or the copy.
            Self::Argument { .. } | Self::Clone { .. } => OBJECT_AND_VALUE,
            // Whether what it did could not be found out.
            Self::Restore => NUMBER,
            Self::Enter { .. }
            | Self::Exit { .. }
            | Self::SuperCall { .. }
            | Self::Static { .. }
            | Self::Block { .. }
            | Self::Branch { .. }
            | Self::Switch => NOTHING,
        }
    }

    /// The value words that come with such a site.
    pub fn values(&self) -> Values {
        match self {
            Self::Call { .. } => Values { before: &[ValueBefore::Arguments], result: true },
            Self::Origin { origin: Origin::NewArray(_) } => {
                Values { before: &[ValueBefore::Length], result: true }
            }
            Self::Origin { origin: Origin::ArrayStore } => {
                Values { before: &[ValueBefore::Index, ValueBefore::Stored], result: false }
            }
            Self::Origin { .. } => Values { before: &[], result: true },
            _ => Values { before: &[], result: false },
        }
    }

    /// What the words of such a site hold; the first one the payload of the site's word.
    pub fn words(&self) -> &'static [Operand] {
        self.calls().iter().find_map(|call| call.at_site()).unwrap_or(&[Operand::Zero])
    }
}

/// The value words that come with a site of a test class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Values {
    /// Those before the site's words, in order.
    pub before: &'static [ValueBefore],
    /// Whether [`words::RETURNED`] and the value of the result follow when the instruction completes.
    pub result: bool,
}

/// A value before the words of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueBefore {
    /// Each argument of the call, in order.
    Arguments,
    /// The length of a new array.
    Length,
    /// The index of the element stored into.
    Index,
    /// The value stored.
    Stored,
}

/// The method that reports an access with these operands alone.
pub const fn access(operands: Operands) -> Call {
    match (operands.object.is_some(), operands.number.is_some(), operands.value.is_some()) {
        (false, _, false) => Call::At,
        (false, _, true) => Call::Value,
        (true, false, false) => Call::On,
        (true, false, true) => Call::TwoObjects,
        (true, true, false) => Call::Element,
        (true, true, true) => Call::ElementPut,
    }
}

/// The method that reports a bundle of so many objects and numbers; none when there is none. `accesses` says that the first object is
/// accessed and no value alone, `stores` that each element accessed is one of references and is stored into.
pub const fn bundle(objects: usize, numbers: usize, accesses: bool, stores: bool) -> Option<Call> {
    Some(match (objects, numbers) {
        (0, 0) => Call::At,
        (1, 0) if accesses => Call::On,
        (1, 0) => Call::Value,
        (2, 0) => Call::TwoObjects,
        (3, 0) => Call::ThreeObjects,
        (4, 0) => Call::FourObjects,
        (1, 1) => Call::Element,
        (2, 1) if stores => Call::ElementPut,
        (2, 1) => Call::ElementUse,
        (3, 1) if stores => Call::ObjectsNumber,
        (3, 1) => Call::ObjectsNumberUse,
        (1, 2) => Call::Numbers,
        (2, 2) if stores => Call::ObjectNumbers,
        (2, 2) => Call::ObjectNumbersUse,
        (3, 2) if stores => Call::ObjectsNumbers,
        (3, 2) => Call::ObjectsNumbersUse,
        _ => return None,
    })
}

impl Bundle {
    /// What its words hold, which do not depend on what its accesses are; the first one the payload of the bundle's word.
    pub fn words(&self) -> &'static [Operand] {
        let call = bundle(usize::from(self.objects), usize::from(self.numbers), true, true);
        call.and_then(Call::at_site).unwrap_or(&[Operand::Zero])
    }
}

/// Where in the words of an event the operands of one site stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    object: u8,
    /// With [`Places::HIGH`] for the high half.
    number: u8,
    value: u8,
}

impl Places {
    /// Beyond the last word of every event.
    const NOWHERE: u8 = 0x7F;
    const HIGH: u8 = 0x80;

    /// Of a site without operands.
    pub const NONE: Self = Self { object: Self::NOWHERE, number: Self::NOWHERE, value: Self::NOWHERE };

    /// Those of a site, in words that hold this.
    pub fn new(words: &[Operand], operands: Operands) -> Self {
        let place = |matches: &dyn Fn(&Operand) -> bool| {
            words.iter().position(matches).map_or(Self::NOWHERE, |place| place as u8)
        };
        let object = |wanted: Option<u8>| {
            place(&|operand| match operand {
                Operand::Object(at) | Operand::Value(at) => Some(*at) == wanted,
                _ => false,
            })
        };
        let halves = place(&|operand| *operand == Operand::Halves);
        let number = match operands.number {
            None => Self::NOWHERE,
            Some(0) if halves != Self::NOWHERE => halves | Self::HIGH,
            Some(_) if halves != Self::NOWHERE => halves,
            Some(wanted) => place(&|operand| match operand {
                Operand::Number(at) => *at == wanted,
                Operand::Found => wanted == 0,
                _ => false,
            }),
        };
        Self { object: object(operands.object), number, value: object(operands.value) }
    }

    /// Whether the words hold an object.
    #[inline]
    pub fn has_object(self) -> bool {
        self.object != Self::NOWHERE
    }

    /// The id of the object; 0 when there is none.
    #[inline]
    pub fn object(self, words: &[u64]) -> u64 {
        words::payload_of(words.get(usize::from(self.object)).copied().unwrap_or_default())
    }

    /// The number; 0 when there is none.
    #[inline]
    pub fn number(self, words: &[u64]) -> u32 {
        let word = words.get(usize::from(self.number & !Self::HIGH)).copied().unwrap_or_default();
        (word >> ((self.number & Self::HIGH) >> 2)) as u32
    }

    /// The id of the value; 0 when there is none.
    #[inline]
    pub fn value(self, words: &[u64]) -> u64 {
        words::payload_of(words.get(usize::from(self.value)).copied().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::Head;

    /// Each kind of site that is reported in a way of its own.
    fn kinds() -> Vec<SiteKind> {
        let field = || crate::sites::FieldRef {
            owner: String::new(),
            name: String::new(),
            descriptor: String::new(),
        };
        let callee = || crate::sites::MethodRef {
            owner: String::new(),
            name: String::new(),
            descriptor: String::new(),
        };
        let mut kinds = vec![
            SiteKind::SuperCall { owner: String::new() },
            SiteKind::Bind,
            SiteKind::Clone { owner: String::new() },
            SiteKind::Restore,
            SiteKind::Block { number: 1 },
            SiteKind::Branch { opcode: 0 },
            SiteKind::Switch,
            SiteKind::Inherited { callee: callee(), exact: false },
            SiteKind::Call { callee: callee(), kind: crate::sites::CallKind::Static },
            SiteKind::Origin { origin: crate::sites::Origin::ArrayStore },
        ];
        for receiver in [ReceiverKind::Instance, ReceiverKind::Static, ReceiverKind::Constructor] {
            kinds.push(SiteKind::Enter { receiver });
        }
        kinds.extend([false, true].map(|exceptional| SiteKind::Exit { exceptional }));
        for access in [Access::Read, Access::Write, Access::ReadWrite] {
            kinds.push(SiteKind::Contents { access, callee: callee(), exact: false });
            kinds.push(SiteKind::Argument { access, callee: callee(), position: 0, exact: false });
            for value in [ValueKind::Leaf, ValueKind::Reference] {
                kinds.push(SiteKind::Static { access, field: field(), value });
                kinds.push(SiteKind::Element { access, value });
                kinds.extend([Base::This, Base::Stack].map(|base| SiteKind::Field {
                    access,
                    base,
                    field: field(),
                    value,
                }));
            }
        }
        kinds
    }

    /// A bundle of each shape that there is a method for.
    fn bundles() -> Vec<Bundle> {
        let shapes = (0..=5).flat_map(|objects| (0..=3).map(move |numbers| (objects, numbers)));
        let reported = shapes.filter(|(objects, numbers)| bundle(*objects, *numbers, true, true).is_some());
        let bundles = reported.map(|(objects, numbers)| Bundle {
            first: 0,
            steps: Vec::new(),
            objects: objects as u8,
            numbers: numbers as u8,
        });
        bundles.collect()
    }

    #[test]
    fn all_methods_that_report_a_kind_of_site_send_the_same_words() {
        for kind in kinds() {
            let ours = Places::new(kind.words(), kind.operands());
            for sent in kind.calls().iter().flat_map(|call| call.method().sends) {
                let is_element = matches!(kind, SiteKind::Element { .. });
                if sent.head == Head::Site && !is_element {
                    assert_eq!(sent.operands.len(), kind.words().len(), "{kind:?}");
                    let theirs = Places::new(sent.operands, kind.operands());
                    // What a function is bound to, the recorder finds out.
                    let is_found = sent.operands.first() == Some(&Operand::Found);
                    assert!(theirs == ours || is_found && theirs.value == ours.value, "{kind:?}");
                }
            }
        }
    }

    #[test]
    fn every_operand_of_a_site_stands_in_its_words() {
        for kind in kinds() {
            let (operands, places) = (kind.operands(), Places::new(kind.words(), kind.operands()));
            let is = [operands.object.is_some(), operands.number.is_some(), operands.value.is_some()];
            let stands = [places.object, places.number, places.value].map(|place| place != Places::NOWHERE);
            assert_eq!(is, stands, "{kind:?}");
        }
        for bundle in bundles() {
            for at in 0..bundle.objects.max(bundle.numbers) {
                let has = |count: u8| Some(at).filter(|at| *at < count);
                let operands =
                    Operands { object: has(bundle.objects), number: has(bundle.numbers), value: None };
                let places = Places::new(bundle.words(), operands);
                assert_eq!(places.object != Places::NOWHERE, operands.object.is_some(), "{bundle:?}");
                assert_eq!(places.number != Places::NOWHERE, operands.number.is_some(), "{bundle:?}");
            }
        }
    }

    #[test]
    fn a_bundle_sends_the_same_words_whatever_its_accesses_are() {
        assert_eq!(bundles().len(), 11);
        for bundle in bundles() {
            let calls = [(true, true), (true, false), (false, true), (false, false)];
            for (accesses, stores) in calls {
                let call =
                    super::bundle(bundle.objects.into(), bundle.numbers.into(), accesses, stores).unwrap();
                let sent = call.at_site().unwrap();
                for at in 0..bundle.objects {
                    let object = Operands { object: Some(at), ..Operands::default() };
                    assert_eq!(Places::new(sent, object), Places::new(bundle.words(), object), "{bundle:?}");
                }
                assert_eq!(sent.len(), bundle.words().len(), "{bundle:?}");
            }
        }
    }

    #[test]
    fn operands_are_taken_from_where_they_stand() {
        let bundle = Bundle { first: 0, steps: Vec::new(), objects: 2, numbers: 2 };
        let sent = [words::word(99, 7), 3 << 32 | 5, 8];
        let places = |number| {
            Places::new(bundle.words(), Operands { object: Some(0), number: Some(number), value: Some(1) })
        };
        let taken = |places: Places| (places.object(&sent), places.number(&sent), places.value(&sent));
        assert_eq!((taken(places(0)), taken(places(1))), ((7, 3, 8), (7, 5, 8)));
        assert_eq!(taken(Places::NONE), (0, 0, 0));
    }
}
