//! Which places a large number must not be passed at, because it ended the JVM or did not end: a capacity, a count of copies.
//!
//! Knows nothing of what methods do, but that those of one name and class take the same things in the same order. Invariant: a place is known only if some
//! sequence that ended so passed a large number there and at no other place that was not known.

use dynaflow_model::sequence::{Arg, Operation, Sequence, Value};
use dynaflow_model::sites::MethodRef;
use std::collections::BTreeMap;

/// From here on a number is large: so many objects or steps may be more than there is room or time for.
const LARGE: u64 = 1 << 20;

/// The places, by class, name of the methods and position, with the least number that was seen to be too large there.
#[derive(Debug, Default)]
pub(crate) struct Deadly {
    places: BTreeMap<String, BTreeMap<String, BTreeMap<usize, u64>>>,
}

impl Deadly {
    /// A sequence ended its JVM, or did not end in time.
    pub(crate) fn learn(&mut self, sequence: &Sequence) {
        if self.is_in(sequence) {
            return;
        }
        let suspects: BTreeMap<(&MethodRef, usize), u64> = large(sequence).collect();
        if let Some((&(method, at), &size)) = suspects.first_key_value().filter(|_| suspects.len() == 1) {
            let names = self.places.entry(method.owner.clone()).or_default();
            let least = names.entry(method.name.clone()).or_default().entry(at).or_insert(size);
            *least = size.min(*least);
        }
    }

    fn least(&self, method: &MethodRef, at: usize) -> Option<u64> {
        self.places.get(&method.owner)?.get(&method.name)?.get(&at).copied()
    }

    /// Whether a sequence passes what is too large where it was.
    pub(crate) fn is_in(&self, sequence: &Sequence) -> bool {
        !self.places.is_empty()
            && large(sequence)
                .any(|((method, at), size)| self.least(method, at).is_some_and(|least| size >= least))
    }
}

/// The large numbers that a sequence passes, and where.
fn large(sequence: &Sequence) -> impl Iterator<Item = ((&MethodRef, usize), u64)> {
    let calls = sequence.statements.iter().filter_map(|statement| match &statement.operation {
        Operation::New { constructor: method, args } | Operation::Call { method, args, .. } => {
            Some((method, args))
        }
        _ => None,
    });
    calls.flat_map(|(method, args)| {
        let sizes = args.iter().enumerate().filter_map(|(at, arg)| Some((at, size(arg)?)));
        sizes.filter(|(_, size)| *size >= LARGE).map(move |(at, size)| ((method, at), size))
    })
}

fn size(arg: &Arg) -> Option<u64> {
    let value = match arg {
        Arg::Value(Value::Boxed(inner)) => inner,
        Arg::Value(value) => value,
        Arg::Var(_) => return None,
    };
    match value {
        Value::Int(number) => Some(u64::from(number.unsigned_abs())),
        Value::Long(number) => Some(number.unsigned_abs()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dynaflow_model::sequence::Statement;
    use dynaflow_model::sites::CallKind;

    fn calling(calls: &[(&str, i32)]) -> Sequence {
        let call = |(name, number): &(&str, i32)| {
            let method = MethodRef {
                owner: "a.A".to_owned(),
                name: (*name).to_owned(),
                descriptor: "(I)V".to_owned(),
            };
            let args = vec![Arg::Value(Value::Int(*number))];
            let operation = Operation::Call { method, kind: CallKind::Static, receiver: None, args };
            Statement { operation, result: "V".to_owned(), runtime_class: None, caught: None }
        };
        Sequence { statements: calls.iter().map(call).collect() }
    }

    #[test]
    fn where_one_large_number_ended_the_jvm_no_larger_one_is_passed() {
        let mut deadly = Deadly::default();
        deadly.learn(&calling(&[("room", i32::MAX - 5), ("limit", 100)]));
        assert!(deadly.is_in(&calling(&[("limit", i32::MAX), ("room", i32::MIN)])));
        assert!(!deadly.is_in(&calling(&[("limit", i32::MAX), ("room", 2_000_000)])));
    }

    #[test]
    fn what_is_too_large_for_a_method_is_so_for_others_of_its_name() {
        let mut deadly = Deadly::default();
        deadly.learn(&calling(&[("room", i32::MAX)]));
        let mut other = calling(&[("room", i32::MAX)]);
        let Operation::Call { method, args, .. } = &mut other.statements[0].operation else { unreachable!() };
        method.descriptor = "(ILjava/lang/String;I)V".to_owned();
        args.extend([Arg::Value(Value::Null), Arg::Value(Value::Int(3))]);
        assert!(deadly.is_in(&other));
        let Operation::Call { args, .. } = &mut other.statements[0].operation else { unreachable!() };
        args.swap(0, 2);
        assert!(!deadly.is_in(&other), "at another position");
    }

    #[test]
    fn of_several_large_numbers_none_is_blamed_and_none_beside_one_that_is_known() {
        let mut deadly = Deadly::default();
        let both = calling(&[("room", i32::MAX), ("limit", i32::MAX)]);
        deadly.learn(&both);
        assert!(!deadly.is_in(&both));
        deadly.learn(&calling(&[("room", i32::MAX)]));
        deadly.learn(&both);
        assert!(deadly.is_in(&both) && !deadly.is_in(&calling(&[("limit", i32::MAX)])));
    }

    #[test]
    fn small_numbers_are_not_blamed() {
        let mut deadly = Deadly::default();
        let small = calling(&[("room", 1000)]);
        deadly.learn(&small);
        assert!(!deadly.is_in(&small));
    }
}
