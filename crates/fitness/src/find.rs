//! The probes of a method: where branches stand, and what is known about what they compare.
//!
//! It knows instructions, not how probes are written. Invariant: a jump has its number whether or not its operands are known.

use crate::branch::Kind;
use crate::found::{Begun, Compared, Found, How, Probe};
use dynaflow_bytecode::Body;
use dynaflow_classfile::{ClassFile, Constant, Insn, MemberIndex, Opcode, Operand};
use std::collections::BTreeMap;

/// Most keys of a switch that become branches.
const CASES: usize = 32;

/// The branches of a method, numbered from `first` on, and its entry where it has none and can be called; where `is_direct`, all of these once more; and
/// behind them, where they are wanted, its `lines`.
pub(crate) fn goals<'a>(
    method: &Method<'_, 'a, '_>,
    first: u32,
    (is_callable, is_direct): (bool, bool),
    lines: &BTreeMap<u16, Begun>,
) -> Found<'a> {
    let mut found = branches(method, first);
    if found.places.is_empty() && is_callable {
        found.mark(&[0], Kind::Entry, false, first);
    }
    if is_direct {
        found.repeat();
    }
    lines.values().for_each(|line| found.mark(&line.insns, Kind::Line, line.represents, first));
    found
}

fn branches<'a>(method: &Method<'_, 'a, '_>, first: u32) -> Found<'a> {
    let mut found = Found::default();
    let body = method.body;
    let mut numbers: BTreeMap<usize, u32> = BTreeMap::new();
    for (index, insn) in body.insns.iter().enumerate() {
        if method.asks_for_assertions(index) {
            // No sequence decides whether the JVM checks assertions.
            continue;
        }
        let next = found.next(first);
        if insn.opcode.is_conditional() {
            numbers.insert(index, next);
            found.add(index, Kind::Jump, false);
            method.jump(index, next, &mut found.probes);
        } else if let Some(switch) = insn.switch(body.code.bytes)
            && !method.is_of_texts(index)
        {
            let keys: Vec<(i32, u32)> = switch.cases().map(|(key, _)| key).take(CASES).zip(next..).collect();
            keys.iter().for_each(|_| found.add(index, Kind::Case, false));
            found.probes.insert(index, Probe::Keys(keys));
        }
    }
    for index in 0..body.insns.len() {
        if method.is_of_texts(index) {
            let texts = method.texts(index, &numbers);
            found.probes.insert(index - 1, Probe::Texts(texts));
        }
    }
    found
}

/// By instruction, whether something jumps there.
fn targets(body: &Body<'_>) -> Vec<bool> {
    let mut targets = vec![false; body.insns.len()];
    for insn in &body.insns {
        body.each_target(insn, |pc| {
            if let Some(place) = body.insn_at(pc).and_then(|index| targets.get_mut(index)) {
                *place = true;
            }
        });
    }
    targets
}

/// A method in which probes are looked for.
pub(crate) struct Method<'m, 'a, 'b> {
    /// Its class.
    pub class: &'m ClassFile<'a>,
    /// Its code.
    pub body: &'m Body<'b>,
    targets: Vec<bool>,
}

impl<'m, 'a, 'b> Method<'m, 'a, 'b> {
    /// A method of a class.
    pub(crate) fn new(class: &'m ClassFile<'a>, body: &'m Body<'b>) -> Self {
        Self { class, body, targets: targets(body) }
    }

    fn insn(&self, index: usize) -> Option<&Insn> {
        self.body.insns.get(index)
    }

    /// The instruction before, when nothing else leads to this one.
    pub(crate) fn only_before(&self, index: usize) -> Option<(usize, &Insn)> {
        if self.targets.get(index).copied().unwrap_or(true) {
            return None;
        }
        let before = index.checked_sub(1)?;
        Some((before, self.insn(before)?))
    }

    /// Whether a jump is the one before an `assert`, taken where assertions are off.
    fn asks_for_assertions(&self, index: usize) -> bool {
        let field = |insn: &Insn| match insn.operand {
            Operand::Constant(constant) if insn.opcode == Opcode::Getstatic => {
                self.class.pool.member(MemberIndex(constant)).ok().map(|text| text.name.to_string())
            }
            _ => None,
        };
        let is_jump = self.insn(index).is_some_and(|insn| insn.opcode.is_conditional());
        let before = self.only_before(index).and_then(|(_, insn)| field(insn));
        is_jump && before.as_deref() == Some("$assertionsDisabled")
    }

    /// Owner, name and descriptor of the method that an instruction invokes.
    fn invoked(&self, insn: &Insn) -> Option<(String, String, String)> {
        let Operand::Constant(constant) = insn.operand else { return None };
        if !matches!(insn.opcode, Opcode::Invokevirtual | Opcode::Invokeinterface) {
            return None;
        }
        let text = self.class.pool.member(MemberIndex(constant)).ok()?;
        Some((text.owner.to_string(), text.name.to_string(), text.descriptor.to_string()))
    }

    fn jump(&self, index: usize, number: u32, probes: &mut BTreeMap<usize, Probe<'a>>) {
        let Some(insn) = self.insn(index) else { return };
        let compared = match insn.opcode {
            Opcode::Ifnull | Opcode::Ifnonnull => Compared::Null,
            Opcode::IfAcmpeq | Opcode::IfAcmpne => Compared::References,
            Opcode::Ifeq | Opcode::Ifne | Opcode::Iflt | Opcode::Ifge | Opcode::Ifgt | Opcode::Ifle => {
                self.with_zero(index, insn.opcode, probes)
            }
            _ => Compared::Ints,
        };
        probes.insert(index, Probe::Jump { number, compared });
    }

    /// What a comparison with zero is about, as the instruction before shows.
    fn with_zero(&self, index: usize, opcode: Opcode, probes: &mut BTreeMap<usize, Probe<'a>>) -> Compared {
        let Some((before, insn)) = self.only_before(index) else { return Compared::Zero };
        if is_wide(insn.opcode) {
            probes.insert(before, Probe::Wide);
            return Compared::Wide;
        }
        if let (Opcode::Ifeq | Opcode::Ifne, Some(how)) = (opcode, self.invoked(insn).and_then(remembered)) {
            probes.insert(before, Probe::Remember(how));
            return Compared::Answer;
        }
        Compared::Zero
    }

    /// Whether a switch is over the hash of a text that was asked just before.
    fn is_of_texts(&self, index: usize) -> bool {
        if self.insn(index).is_none_or(|insn| insn.opcode != Opcode::Lookupswitch) {
            return false;
        }
        let asked = self.only_before(index).and_then(|(_, insn)| self.invoked(insn));
        asked.is_some_and(|(owner, name, _)| owner == "java/lang/String" && name == "hashCode")
    }

    /// The texts that the cases of a switch over hashes compare with, as compilers write it: at each case one or more of
    /// "load, constant, `equals`, jump".
    fn texts(&self, switch: usize, numbers: &BTreeMap<usize, u32>) -> Vec<(&'a [u8], u32, Opcode)> {
        let mut texts = vec![];
        let Some(table) = self.insn(switch).and_then(|insn| insn.switch(self.body.code.bytes)) else {
            return texts;
        };
        for (_, target) in table.cases().take(CASES) {
            let mut at = self.body.insn_at(target);
            while let Some(index) = at {
                let Some((text, jump)) = self.compared_text(index) else { break };
                let Some(insn) = self.insn(jump) else { break };
                if let Some(number) = numbers.get(&jump) {
                    texts.push((text, *number, insn.opcode));
                }
                at = Some(jump + 1).filter(|_| texts.len() < CASES);
                // Where the texts differ, further ones with the same hash follow.
                if let (Opcode::Ifeq, Operand::Target(pc)) = (insn.opcode, insn.operand) {
                    at = self.body.insn_at(pc).filter(|_| texts.len() < CASES);
                }
            }
        }
        texts
    }

    /// The constant that a text is compared with from this instruction on, and the jump that decides.
    fn compared_text(&self, index: usize) -> Option<(&'a [u8], usize)> {
        let constant = self.insn(index + 1)?.constant()?;
        let Constant::String(text) = self.class.pool.get(constant)? else { return None };
        let (owner, name, _) = self.invoked(self.insn(index + 2)?)?;
        let jump = self.insn(index + 3)?;
        let is_equals = owner == "java/lang/String" && name == "equals";
        let decides = matches!(jump.opcode, Opcode::Ifeq | Opcode::Ifne);
        (is_equals && decides).then_some(())?;
        Some((self.class.pool.utf8(text).ok()?.0, index + 3))
    }
}

/// Whether an instruction compares two values that are not of `int`.
pub(crate) fn is_wide(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Lcmp | Opcode::Fcmpl | Opcode::Fcmpg | Opcode::Dcmpl | Opcode::Dcmpg)
}

/// How a method compares receiver and argument, when it is one whose operands are worth knowing.
fn remembered((owner, name, descriptor): (String, String, String)) -> Option<How> {
    match (owner.as_str(), name.as_str(), descriptor.as_str()) {
        (_, "equals", "(Ljava/lang/Object;)Z") => Some(How::Equal),
        ("java/lang/String", "contentEquals", "(Ljava/lang/CharSequence;)Z") => Some(How::Equal),
        ("java/lang/String", "equalsIgnoreCase", "(Ljava/lang/String;)Z") => Some(How::IgnoringCase),
        ("java/lang/String", "startsWith", "(Ljava/lang/String;)Z") => Some(How::Starts),
        ("java/lang/String", "endsWith", "(Ljava/lang/String;)Z") => Some(How::Ends),
        ("java/lang/String", "contains", "(Ljava/lang/CharSequence;)Z") => Some(How::Contains),
        _ => None,
    }
}
