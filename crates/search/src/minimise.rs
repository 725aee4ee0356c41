//! The shortest sequence that still does what an oracle asks for, by leaving statements out and simplifying literals and what stubs answer.
//!
//! In the manner of delta debugging (Zeller and Hildebrandt). Knows nothing of goals or types. Invariant: the result
//! satisfies the oracle, or is the sequence that was given; the oracle is asked about a bounded number of forms, and whether it looks at several
//! of them at once changes nothing.

use crate::arrays;
use crate::slice::{self, Kept};
use crate::texts;
use dynaflow_model::descriptor;
use dynaflow_model::sequence::{Answer, Arg, Operation, Sequence, Value};
use dynaflow_model::sites::MethodRef;

/// More statements than these are many for a test.
const MANY: usize = 12;

/// Reduces a sequence as long as what matters is still there. `first` gives the place of the first of some forms that has it: of forms of which mostly
/// none has it, so that whoever can looks at several at once. It answers for `most` forms at most. That the sequence itself has it is taken for granted.
pub fn minimise(
    sequence: &Sequence,
    most: usize,
    mut first: impl FnMut(&[Sequence]) -> Option<usize>,
) -> Sequence {
    reduced(sequence, most, &mut first, drop_statements)
}

/// The same for a test of which nobody knows yet whether it is chosen: literals stay as they are, which is for chosen ones to see to, unless they are long texts
/// or there are so many statements that those who see to it would not come to the literals.
pub fn shorter(
    sequence: &Sequence,
    most: usize,
    mut first: impl FnMut(&[Sequence]) -> Option<usize>,
) -> Sequence {
    let mut oracle = Oracle { left: most, first: &mut first };
    let mut shorter = drop_statements(without_idle(sequence, &mut oracle), &mut oracle);
    if shorter.statements.len() > MANY {
        shorter = simplify_literals(shorter, &mut oracle);
    }
    shorten_texts(shorter, &mut oracle)
}

/// The same for a test that was chosen: where the object itself will do, it stands in place of a copy. While a search goes on copies stay, since what
/// sequences do with them leads to further ones.
pub fn simplest(
    sequence: &Sequence,
    most: usize,
    mut first: impl FnMut(&[Sequence]) -> Option<usize>,
) -> Sequence {
    reduced(sequence, most, &mut first, |sequence, oracle| {
        let shorter = drop_statements(sequence, oracle);
        let direct = earlier_objects(shorter.clone(), oracle);
        if direct == shorter { shorter } else { drop_statements(direct, oracle) }
    })
}

/// Looks at one form after the other, until one holds.
pub fn one_by_one(mut holds: impl FnMut(&Sequence) -> bool) -> impl FnMut(&[Sequence]) -> Option<usize> {
    move |forms| forms.iter().position(&mut holds)
}

/// Reduces a sequence; `drop` leaves statements out.
fn reduced(
    sequence: &Sequence,
    most: usize,
    first: &mut dyn FnMut(&[Sequence]) -> Option<usize>,
    drop: fn(Sequence, &mut Oracle) -> Sequence,
) -> Sequence {
    // Long texts take many questions: some are left for them.
    let kept = if has_long_text(sequence) { most / 4 } else { 0 };
    let mut oracle = Oracle { left: most - kept, first };
    let busy = without_idle(sequence, &mut oracle);
    let plain = plain_answers(with_filled_arrays(&busy, &mut oracle), &mut oracle);
    let mut shorter = drop(plain, &mut oracle);
    oracle.left += kept;
    shorter = simplify_literals(shorter, &mut oracle);
    shorten_texts(shorter, &mut oracle)
}

struct Oracle<'a> {
    /// Forms that it still answers for.
    left: usize,
    first: &'a mut dyn FnMut(&[Sequence]) -> Option<usize>,
}

impl Oracle<'_> {
    fn accepts(&mut self, form: &Sequence) -> bool {
        self.first(std::slice::from_ref(form)).is_some()
    }

    /// The place of the first of these forms that has what matters, as far as it answers for them.
    fn first(&mut self, forms: &[Sequence]) -> Option<usize> {
        let forms = forms.get(..self.left).unwrap_or(forms);
        let found = if forms.is_empty() { None } else { (self.first)(forms) };
        self.left -= found.map_or(forms.len(), |place| place + 1);
        found
    }
}

/// Without what nothing uses, in one question: many parts of other sequences are such.
fn without_idle(sequence: &Sequence, oracle: &mut Oracle) -> Sequence {
    let idle = slice::idle(sequence);
    let busy = slice::without(sequence, &idle);
    let is_shorter = !idle.is_empty() && !busy.statements.is_empty();
    if is_shorter && oracle.accepts(&busy) { busy } else { sequence.clone() }
}

/// With what fills an array at one place, so that it is written as an initialiser.
fn with_filled_arrays(sequence: &Sequence, oracle: &mut Oracle) -> Sequence {
    let gathered = arrays::gathered(sequence);
    if gathered != *sequence && oracle.accepts(&gathered) { gathered } else { sequence.clone() }
}

/// Leaves out chunks of statements, from the end, halving the chunk until single statements are tried; a statement goes
/// with all that need it.
fn drop_statements(mut sequence: Sequence, oracle: &mut Oracle) -> Sequence {
    let mut chunk = sequence.statements.len().div_ceil(2);
    while chunk > 0 && oracle.left > 0 {
        let before = sequence.statements.len();
        let mut end = before;
        while let Some((start, shorter)) = first_without(&sequence, end, chunk, oracle) {
            end = start.min(shorter.statements.len());
            sequence = shorter;
        }
        // A pass of single statements that helped may have made others superfluous.
        let again = chunk == 1 && sequence.statements.len() < before;
        chunk = if again { 1 } else { chunk / 2 };
    }
    sequence
}

/// The sequence without the last chunk before `end` that need not be there, and where that chunk begins.
fn first_without(
    sequence: &Sequence,
    end: usize,
    chunk: usize,
    oracle: &mut Oracle,
) -> Option<(usize, Sequence)> {
    let without = |behind: usize| {
        let stop = end - behind * chunk;
        let start = stop.saturating_sub(chunk);
        let dropped: Kept = (start..stop).filter_map(|index| u32::try_from(index).ok()).collect();
        (start, arrays::without(sequence, &dropped))
    };
    let all = (0..end.div_ceil(chunk)).map(without);
    let (starts, mut forms): (Vec<usize>, Vec<Sequence>) =
        all.filter(|(_, form)| !form.statements.is_empty()).unzip();
    let place = oracle.first(&forms)?;
    Some((*starts.get(place)?, forms.swap_remove(place)))
}

/// Uses an object that was there before in place of one of its class that was got by a detour, such as a copy of it: what makes the copy can go then.
fn earlier_objects(mut sequence: Sequence, oracle: &mut Oracle) -> Sequence {
    for late in (0..sequence.statements.len()).rev() {
        let class = |index: usize| sequence.statements.get(index).and_then(|s| s.runtime_class.clone());
        let is_made = |index: usize| matches!(sequence.statements.get(index), Some(s) if matches!(s.operation, Operation::New { .. }));
        let Some(of) = class(late).filter(|_| !is_made(late)) else { continue };
        let Some(early) = (0..late).find(|early| made_class(&sequence, *early).as_ref() == Some(&of)) else {
            continue;
        };
        let mut candidate = sequence.clone();
        let [from, to] = [late, early].map(|index| Arg::Var(u32::try_from(index).unwrap_or(u32::MAX)));
        let args = candidate.statements.iter_mut().flat_map(|statement| statement.operation.args_mut());
        let places: Vec<&mut Arg> = args.filter(|arg| **arg == from).collect();
        if places.is_empty() {
            continue;
        }
        places.into_iter().for_each(|place| place.clone_from(&to));
        // What got the other object goes with it, unless it does more: nobody may be left to ask later.
        let unused = u32::try_from(late).map(|late| slice::without(&candidate, &Kept::from([late])));
        let forms: Vec<Sequence> = unused.into_iter().chain([candidate]).collect();
        if let Some(place) = oracle.first(&forms) {
            sequence = forms.into_iter().nth(place).unwrap_or(sequence);
        }
    }
    sequence
}

/// The class of what a statement makes.
fn made_class(sequence: &Sequence, index: usize) -> Option<String> {
    let statement = sequence.statements.get(index)?;
    match &statement.operation {
        Operation::New { constructor, .. } => Some(constructor.owner.clone()),
        _ => statement.runtime_class.clone(),
    }
}

/// Lets stubs answer null where the objects that they answer do not matter: what makes these can go then.
fn plain_answers(mut sequence: Sequence, oracle: &mut Oracle) -> Sequence {
    for index in 0..sequence.statements.len() {
        for position in object_answers(&sequence, index) {
            let mut candidate = sequence.clone();
            if let Some(Operation::Stub { answers, .. }) =
                candidate.statements.get_mut(index).map(|statement| &mut statement.operation)
                && let Some((_, answer)) = answers.get_mut(position)
            {
                *answer = Answer::Arg(Arg::Value(Value::Null));
                if oracle.accepts(&candidate) {
                    sequence = candidate;
                }
            }
        }
    }
    sequence
}

/// The places where a stub answers an object that another statement makes.
fn object_answers(sequence: &Sequence, index: usize) -> Vec<usize> {
    let Some(Operation::Stub { answers, .. }) = sequence.statements.get(index).map(|s| &s.operation) else {
        return vec![];
    };
    let is_object = |(method, answer): &(MethodRef, Answer)| {
        let is_primitive = descriptor::is_primitive(descriptor::result(&method.descriptor));
        matches!(answer, Answer::Arg(Arg::Var(_))) && !is_primitive
    };
    (0..).zip(answers).filter(|(_, answer)| is_object(answer)).map(|(position, _)| position).collect()
}

fn simplify_literals(mut sequence: Sequence, oracle: &mut Oracle) -> Sequence {
    for index in 0..sequence.statements.len() {
        let count = sequence.statements.get(index).map_or(0, |s| s.operation.args().len());
        for position in 0..count {
            let with = |simple: Value| {
                let mut form = sequence.clone();
                let statement = form.statements.get_mut(index);
                let places = statement.map_or_else(Vec::new, |s| s.operation.args_mut());
                places
                    .into_iter()
                    .skip(position)
                    .take(1)
                    .for_each(|place| *place = Arg::Value(simple.clone()));
                form
            };
            let mut forms: Vec<Sequence> =
                simpler(&sequence, index, position).into_iter().map(with).collect();
            if let Some(place) = oracle.first(&forms) {
                sequence = forms.swap_remove(place);
            }
        }
    }
    sequence
}

/// Leaves pieces out of long texts that have to be there, larger ones first.
fn shorten_texts(mut sequence: Sequence, oracle: &mut Oracle) -> Sequence {
    for index in 0..sequence.statements.len() {
        let count = sequence.statements.get(index).map_or(0, |s| s.operation.args().len());
        for position in 0..count {
            let Some(text) = text_at(&mut sequence, index, position).cloned() else { continue };
            let mut accepts = |shorter: String| {
                let mut candidate = sequence.clone();
                let place = text_at(&mut candidate, index, position);
                place.into_iter().for_each(|place| place.clone_from(&shorter));
                oracle.accepts(&candidate)
            };
            let shorter = texts::shortened(&text, &mut accepts);
            text_at(&mut sequence, index, position).into_iter().for_each(|place| place.clone_from(&shorter));
        }
    }
    sequence
}

/// The text that stands at a place.
fn text_at(sequence: &mut Sequence, index: usize, position: usize) -> Option<&mut String> {
    let args = sequence.statements.get_mut(index)?.operation.args_mut();
    match args.into_iter().nth(position)? {
        Arg::Value(Value::Str(text)) => Some(text),
        _ => None,
    }
}

fn has_long_text(sequence: &Sequence) -> bool {
    let mut args = sequence.statements.iter().flat_map(|statement| statement.operation.args());
    args.any(|arg| matches!(arg, Arg::Value(Value::Str(text)) if texts::is_long(text)))
}

/// Plainer literals than the one at a place, plainest first.
fn simpler(sequence: &Sequence, index: usize, position: usize) -> Vec<Value> {
    let args = sequence.statements.get(index).map_or_else(Vec::new, |s| s.operation.args());
    match args.get(position) {
        Some(Arg::Value(value)) => simpler_than(value),
        _ => vec![],
    }
}

/// Only unwieldy literals are replaced: those that tests or people chose say more, and find more, than zeros.
fn simpler_than(value: &Value) -> Vec<Value> {
    match value {
        Value::Int(v) if v.unsigned_abs() > LARGE => [0, 1].map(Value::Int).into(),
        Value::Long(v) if v.unsigned_abs() > u64::from(LARGE) => [0, 1].map(Value::Long).into(),
        Value::Char(v) if !(32..127).contains(v) => vec![Value::Char(u16::from(b'a'))],
        Value::Float(bits) if is_unwieldy(f64::from(f32::from_bits(*bits))) => {
            [0.0f32, 1.0].map(|f| Value::Float(f.to_bits())).into()
        }
        Value::Double(bits) if is_unwieldy(f64::from_bits(*bits)) => {
            [0.0f64, 1.0].map(|d| Value::Double(d.to_bits())).into()
        }
        Value::Str(text) if text.len() > LONG || text.chars().any(char::is_control) => {
            ["", "a"].map(|text| Value::Str(text.to_owned())).into()
        }
        Value::Boxed(inner) => simpler_than(inner).into_iter().map(|v| Value::Boxed(Box::new(v))).collect(),
        _ => vec![],
    }
}

/// Largest number that is easy to read.
const LARGE: u32 = 1000;
/// Longest text that is easy to read, in bytes.
const LONG: usize = 24;

fn is_unwieldy(number: f64) -> bool {
    !number.is_finite() || number.abs() > f64::from(LARGE) || number != 0.0 && number.abs() < 0.001
}
